# SPDX-License-Identifier: GPL-2.0-only
"""The provider "openai" end to end, over HTTP on loopback.

The program under test is tests/llm-driver of the build directory; the other
end is server.py. Everything printed and logged is searched for the key.
"""
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from email.utils import formatdate

import pytest

from server import MODES, Server

BUILD = os.environ.get("BUILD", "build")
DRIVER = os.path.join(BUILD, "tests", "llm-driver")
KEY = "sk-secret-0123456789abcdef"

(OK, ENOMEM, ECONFIG, EAUTH, EMODEL, EQUOTA, ERATE, EOVERLOADED, ECONTEXT,
 EREFUSED, EMALFORMED, ENETWORK, ETIMEOUT, ETOOBIG,
 EINTERRUPTED) = range(0, -15, -1)

SCHEMA = {
    "type": "object", "additionalProperties": False, "required": ["answers"],
    "properties": {"answers": {"type": "array", "items": {
        "type": "object", "additionalProperties": False,
        "required": ["name", "value", "reason", "confidence"],
        "properties": {
            "name": {"enum": ["PREEMPT", "HZ_1000"]},
            "value": {"enum": ["y", "n", "keep"]},
            "reason": {"type": "string"},
            "confidence": {"type": "number"}}}}}}


def question(number=1, **more):
    return {"id": number, "schema_name": "answer",
            "schema": json.dumps(SCHEMA), "messages": [
                {"role": "system", "text": "You configure kernels."},
                {"role": "user", "text": "Preempt? \x1b[1m \"quoted\"\n"}],
            **more}


class Result:
    def __init__(self, process):
        assert KEY not in process.stdout + process.stderr
        assert process.returncode == 0, process.stderr
        assert process.stderr == ""
        assert "\x1b" not in process.stdout
        lines = [json.loads(line) for line in process.stdout.splitlines()]
        self.open = lines[0]
        self.replies = [r for r in lines[1:] if "id" in r]
        self.waits = [r for r in lines[1:] if "wait" in r]
        self.by_id = {r["id"]: r for r in self.replies}

    def one(self):
        assert len(self.replies) == 1
        return self.replies[0]


@pytest.fixture
def drive(tmp_path):
    """drive(script, [questions], **settings) -> (Result, requests sent)"""

    def run(script, questions=None, top=None, url=None, env=None, **settings):
        base = {"provider": "openai", "model": "test-model", "key": KEY,
                "timeout_ms": 10000, "backoff_ms": 1}
        with Server(script, tmp_path) as server:
            asking = {"settings": {**base, "url": url or server.url,
                                   **settings},
                      "requests": questions or [question()], **(top or {})}
            path = tmp_path / "asking.json"
            path.write_text(json.dumps(asking))
            clean = {k: v for k, v in os.environ.items()
                     if not k.lower().endswith("_proxy") and
                     k not in ("CURL_CA_BUNDLE", "SSL_CERT_DIR")}
            result = Result(subprocess.run(
                [DRIVER, str(path)], capture_output=True, text=True,
                timeout=60, check=False, env={**clean, **(env or {})}))
            sent = server.log()
        for record in sent:
            auth = record["headers"].pop("Authorization", None)
            assert auth in (None, "Bearer " + KEY)
            assert KEY not in json.dumps(record)
        return result, sent

    return run


def answers(reply):
    return json.loads(reply["text"])["answers"]


# ---- what is sent -----------------------------------------------------------

def test_request(drive):
    result, sent = drive({"answers": {"PREEMPT": "y"}},
                         [question(7, max_tokens=50)])
    reply = result.one()
    assert reply["err"] == OK and reply["id"] == 7 and reply["tries"] == 1
    assert answers(reply) == [{"name": "PREEMPT", "value": "y",
                               "reason": "as scripted", "confidence": 0.9}]
    assert (reply["input_tokens"], reply["output_tokens"]) == (11, 7)
    assert not reply["truncated"] and reply["message"] is None
    assert result.open == {"open": OK, "name": "no error", "why": "",
                           "provider": "openai", "model": "test-model"}
    assert [w["wait"] for w in result.waits] == [ECONFIG]
    [record] = sent
    assert (record["method"], record["path"]) == ("POST",
                                                  "/v1/chat/completions")
    assert record["headers"]["Content-Type"] == "application/json"
    assert record["headers"]["User-Agent"].startswith("kconfig-agent/")
    assert "Expect" not in record["headers"]
    assert record["body"] == {
        "model": "test-model", "temperature": 0, "seed": 1, "max_tokens": 50,
        "messages": [
            {"role": "system", "content": "You configure kernels."},
            {"role": "user", "content": "Preempt? \x1b[1m \"quoted\"\n"}],
        "response_format": {"type": "json_schema", "json_schema": {
            "name": "answer", "strict": True, "schema": SCHEMA}}}


def test_no_key_no_schema(drive):
    plain = question()
    del plain["schema"]
    result, [record] = drive({"mode": "text", "text": "hello"}, [plain],
                             key=None)
    assert result.one()["text"] == "hello"
    assert "Authorization" not in record["headers"]
    assert "response_format" not in record["body"]
    assert "max_tokens" not in record["body"]


def test_not_utf8_and_empty(drive):
    odd = question()
    odd["messages"] = [{"role": "user", "text": ""}]
    result, _ = drive({}, [odd])
    assert result.one()["err"] == OK


def test_query_in_url(drive, tmp_path):
    del tmp_path
    result, _ = drive({}, url="http://u:pw@127.0.0.1:1/v1/?api=secret")
    reply = result.one()
    assert reply["err"] == ENETWORK
    assert "http://127.0.0.1:1/v1/chat/completions: " in reply["message"]
    assert "secret" not in reply["message"] and "pw" not in reply["message"]


# ---- settings ---------------------------------------------------------------

@pytest.mark.parametrize("settings, err, words", [
    ({"provider": "nobody"}, ECONFIG, ["nobody", "knowledge", "openai"]),
    ({"url": "localhost"}, ECONFIG, ["--url", "http://"]),
    ({"url": "ftp://127.0.0.1/"}, ECONFIG, ["--url"]),
    ({"url": "file:///etc/passwd"}, ECONFIG, ["--url"]),
    ({"url": "http://"}, ECONFIG, ["--url"]),
    ({"url": "http://a b/"}, ECONFIG, ["--url"]),
    ({"url": "http://127.0.0.1/\r\nX: y"}, ECONFIG, ["--url"]),
    ({"url": "https://api.openai.com/v1", "key": None}, EAUTH,
     ["OPENAI_API_KEY", "KCONFIG_AGENT_KEY_FILE", "--url"]),
    ({"url": "https://api.openai.com/v1", "key": ""}, EAUTH, []),
    ({"key": "sk-a\nX-Evil: 1"}, EAUTH, ["line break", "OPENAI_API_KEY"]),
])
def test_settings(drive, settings, err, words):
    url = settings.pop("url", None)
    result, sent = drive({}, url=url, **settings)
    assert result.open["open"] == err and not result.replies and not sent
    for word in words:
        assert word in result.open["why"]
    assert "sk-a" not in result.open["why"]


# ---- the model --------------------------------------------------------------

@pytest.mark.parametrize("model", [None, ""])
def test_only_model(drive, model):
    result, sent = drive({"models": ["tiny \x1b[1m"]}, model=model)
    assert result.open["model"] == "tiny \x1b[1m"
    assert [r["path"] for r in sent] == ["/v1/models", "/v1/chat/completions"]
    assert sent[1]["body"]["model"] == "tiny \x1b[1m"


@pytest.mark.parametrize("models, err, words", [
    (["a", "b\x1b[1m", "c"], ECONFIG, ["3 models", "--model", "a, b [1m, c"]),
    (["m%d" % i for i in range(50)], ECONFIG, ["m9, ..."]),
    ([], ECONFIG, ["0 models"]),
    ([7], ECONFIG, ["--model"]),
    ("401", EAUTH, ["OPENAI_API_KEY"]),
    ("500", ECONFIG, ["--model", "500"]),
    ("404", ECONFIG, ["--model", "404"]),
])
def test_which_model(drive, models, err, words):
    result, _ = drive({"models": models}, model=None)
    assert result.open["open"] == err
    for word in words:
        assert word in result.open["why"]


def test_model_of_dead_server(drive):
    result, _ = drive({}, model=None, url="http://127.0.0.1:1/v1")
    assert result.open["open"] == ENETWORK
    assert "cannot connect" in result.open["why"]


# ---- replies that are fine --------------------------------------------------

@pytest.mark.parametrize("mode", ["good", "parts", "fenced", "think",
                                  "fence-cut", "no-usage", "bad-usage"])
def test_good(drive, mode):
    result, _ = drive({"mode": mode, "answers": {"HZ_1000": "n"}})
    reply = result.one()
    assert reply["err"] == OK
    assert [a["name"] for a in answers(reply)] == ["HZ_1000"]
    if mode.endswith("usage"):
        assert (reply["input_tokens"], reply["output_tokens"]) == (-1, -1)


@pytest.mark.parametrize("mode", ["cut-off", "length-null"])
def test_truncated(drive, mode):
    result, _ = drive({"mode": mode, "answers": {"HZ_1000": "n"}})
    reply = result.one()
    assert reply["err"] == OK and reply["truncated"]
    assert len(reply["text"]) < 60


def test_malformed_text(drive):
    """What a model says is passed on as it is: judging it is others' work."""
    modes = [m for m in MODES if m.startswith("text-")]
    result, _ = drive({"steps": modes},
                      [question(i) for i in range(len(modes))],
                      top={"one_by_one": True})
    assert [r["err"] for r in result.replies] == [OK] * len(modes)
    text = dict(zip(modes, [r["text"] for r in result.replies]))
    assert text["text-empty"] == ""
    assert text["text-html"].startswith("<!DOCTYPE")
    assert text["text-ansi"].startswith("\x1b[2J")
    assert "\ufffd" in text["text-random"] + text["text-surrogate"] + "\ufffd"
    assert len(text["text-deep"]) == 100000


# ---- errors -----------------------------------------------------------------

ERROR_CASES = [
    # mode, class, tries, words
    ("400", EMALFORMED, 2, ["bad request", "HTTP 400"]),
    ("401", EAUTH, 1, ["Incorrect API key", "OPENAI_API_KEY"]),
    ("402", EQUOTA, 1, ["Payment", "account"]),
    ("403", EAUTH, 1, ["forbidden"]),
    ("404", EMALFORMED, 1, ["page of HTML", "--url"]),
    ("408", EOVERLOADED, 4, ["--resume"]),
    ("413", ECONTEXT, 1, ["too large", "context"]),
    ("429", ERATE, 4, ["Rate limit reached", "--jobs"]),
    ("500", EOVERLOADED, 5, ["internal error"]),
    ("500-html", EOVERLOADED, 5, ["page of HTML"]),
    ("500-schema", EOVERLOADED, 5, ["grammar"]),
    ("501", EMALFORMED, 1, []),
    ("502", EOVERLOADED, 4, []),
    ("503", EOVERLOADED, 4, ["Loading model"]),
    ("529", EOVERLOADED, 4, []),
    ("quota", EQUOTA, 1, ["exceeded your current quota"]),
    ("model", EMODEL, 1, ["does not exist", "--model"]),
    ("model-400", EMODEL, 1, ["no such model"]),
    ("context", ECONTEXT, 1, ["maximum context"]),
    ("context-llama", ECONTEXT, 1, ["context size"]),
    ("filter-400", EREFUSED, 1, []),
    ("filtered", EREFUSED, 1, ["content filter"]),
    ("refusal", EREFUSED, 1, ["I  [1mcannot [0m do that"]),
    ("null-content", EREFUSED, 1, ["no text"]),
    ("content-number", EREFUSED, 1, []),
    ("no-choices", EMALFORMED, 1, ["choices[0]"]),
    ("choices-empty", EMALFORMED, 1, []),
    ("message-string", EMALFORMED, 1, []),
    ("error-200", ERATE, 4, ["upstream is busy"]),
    ("error-ansi", EMALFORMED, 1, [" [2J 31mred "]),
    ("error-long", EMALFORMED, 1, ["\u00e4\u00e4..."]),
    ("error-binary", EMALFORMED, 1, ["\ufffd"]),
    ("echo-key", EAUTH, 1, ["key [key] is wrong"]),
    ("redirect", EMALFORMED, 1, ["redirect", "127.0.0.1:9"]),
    ("body-half", EMALFORMED, 1, ["not JSON", "at byte"]),
    ("body-random", EMALFORMED, 1, ["not JSON"]),
    ("body-empty", EMALFORMED, 1, ["not JSON", "ends too early"]),
    ("body-deep", EMALFORMED, 1, ["nested too deeply"]),
    ("body-dupkeys", EMALFORMED, 1, ["a key for the second time"]),
    ("body-html", EMALFORMED, 1, ["not JSON"]),
    ("body-array", EMALFORMED, 1, ["choices[0]"]),
    ("body-trailing", EMALFORMED, 1, ["something follows"]),
    ("body-utf16", EMALFORMED, 1, ["not JSON"]),
    ("body-values", EMALFORMED, 1, ["too many values"]),
    ("huge", ETOOBIG, 1, ["8388608 bytes"]),
    ("huge-chunked", ETOOBIG, 1, ["8388608 bytes"]),
    ("huge-headers", ETOOBIG, 1, ["header"]),
    ("endless-headers", ETOOBIG, 1, ["bytes of headers"]),
    ("close", ENETWORK, 4, ["connection broke", "--url"]),
    ("close-early", ENETWORK, 4, []),
    ("close-body", ENETWORK, 4, []),
    ("status-only", EMALFORMED, 1, ["not JSON"]),
    ("short-length", EMALFORMED, 1, ["not JSON"]),
    ("not-http", EMALFORMED, 1, ["not HTTP"]),
    ("http09", EMALFORMED, 1, ["not HTTP"]),
    ("bad-chunk", ENETWORK, 4, []),
]


@pytest.mark.parametrize("mode, err, tries, words", ERROR_CASES,
                         ids=[c[0] for c in ERROR_CASES])
def test_error(drive, mode, err, tries, words):
    result, sent = drive({"mode": mode})
    reply = result.one()
    assert (reply["err"], reply["text"]) == (err, None), reply
    assert reply["tries"] == tries, reply
    assert len(sent) >= tries
    assert reply["message"].startswith("http://127.0.0.1:")
    assert all(c.isprintable() for c in reply["message"])
    assert len(reply["message"]) < 700
    for word in words:
        assert word in reply["message"]


def test_every_mode_is_tested():
    texts = {"good", "text", "parts", "fenced", "think", "fence-cut",
             "no-usage", "bad-usage", "cut-off", "length-null", "hang",
             "slow", "drip", "echo-key-text"}
    judged = {"unknown-symbol", "out-of-range", "wrong-value", "everything-y",
              "everything-n", "two-members"}
    covered = texts | judged | {c[0] for c in ERROR_CASES}
    assert {m for m in MODES if not m.startswith("text-")} == covered


@pytest.mark.parametrize("mode", ["unknown-symbol", "out-of-range",
                                  "wrong-value", "everything-y",
                                  "everything-n", "two-members"])
def test_wrong_answers_pass(drive, mode):
    result, _ = drive({"mode": mode})
    assert result.one()["err"] == OK and answers(result.one())


def test_no_key_at_all(drive):
    result, _ = drive({"mode": "401"}, key=None)
    assert "there is no key" in result.one()["message"]
    assert "OPENAI_API_KEY" in result.one()["message"]


def test_echoed_key(drive):
    result, _ = drive({"mode": "echo-key-text"})
    assert result.one()["text"] == "your key is [key], isn't it? [key]"


def test_wrong_page(drive):
    result, _ = drive({}, url=None, model="m")
    assert result.one()["err"] == OK
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    result, _ = drive({}, url="http://127.0.0.1:%d/v1" % port)
    reply = result.one()
    assert reply["err"] == ENETWORK and reply["tries"] == 1
    assert reply["ms"] < 1000       # a server that never was is not waited for


# ---- caps -------------------------------------------------------------------

def test_max_reply(drive):
    long = "x" * 20000
    script = {"mode": "text", "text": long}
    assert drive(script, max_reply=21000)[0].one()["text"] == long
    reply = drive(script, max_reply=15000)[0].one()
    assert reply["err"] == ETOOBIG and "15000 bytes" in reply["message"]


# ---- fallback ---------------------------------------------------------------

def check_plain(record):
    body = record["body"]
    assert "response_format" not in body
    text = body["messages"][-1]["content"]
    assert text.startswith("Preempt?") and "```json\n" in text
    block = text.split("```json-schema\n")[1].split("\n```")[0]
    assert json.loads(block) == SCHEMA


@pytest.mark.parametrize("script, tries", [
    ({"refuse": ["response_format"]}, 2),
    ({"steps": ["500-schema"]}, 2),
    ({"steps": ["500", "500"]}, 3),
    ({"steps": ["400"]}, 2),
])
def test_no_schema(drive, script, tries):
    script["answers"] = {"PREEMPT": "y"}
    result, sent = drive(script, [question(1), question(2)],
                         top={"one_by_one": True})
    assert [r["err"] for r in result.replies] == [OK, OK]
    assert [r["tries"] for r in result.replies] == [tries, 1]
    assert answers(result.replies[0])[0]["name"] == "PREEMPT"
    assert answers(result.replies[1]) == answers(result.replies[0])
    check_plain(sent[-2])
    check_plain(sent[-1])


def test_no_schema_in_parallel(drive):
    result, sent = drive({"refuse": ["response_format"], "delay": 0.1,
                          "answers": {"PREEMPT": "y"}},
                         [question(i) for i in range(6)], jobs=3)
    assert {r["err"] for r in result.replies} == {OK}
    assert len(sent) == 9       # only those in flight had to be asked twice


def test_schema_that_worked_stays(drive):
    result, sent = drive({"steps": ["good", "500", "500"]},
                         [question(1), question(2)], top={"one_by_one": True})
    assert [r["err"] for r in result.replies] == [OK, OK]
    assert all("response_format" in r["body"] for r in sent)


@pytest.mark.parametrize("refuse", [
    ["temperature"], ["seed"], ["max_tokens"],
    ["max_tokens", "max_completion_tokens"],
    ["temperature", "seed", "max_tokens", "response_format"]])
def test_refused_parts(drive, refuse):
    result, sent = drive({"refuse": refuse, "answers": {"PREEMPT": "y"}},
                         [question(1, max_tokens=9),
                          question(2, max_tokens=9)],
                         top={"one_by_one": True})
    assert [r["tries"] for r in result.replies] == [len(refuse) + 1, 1]
    assert [r["err"] for r in result.replies] == [OK, OK]
    last = sent[-1]["body"]
    for part in ["temperature", "seed", "response_format", "max_tokens"]:
        assert (part in last) == (part not in refuse)
    if refuse == ["max_tokens"]:
        assert last["max_completion_tokens"] == 9


def test_refuses_for_ever(drive):
    """A server that refuses what was not sent is not asked for ever."""
    result, sent = drive({"refuse": ["model"]})
    assert result.one()["err"] == EMALFORMED and len(sent) < 8


# ---- retries ----------------------------------------------------------------

@pytest.mark.parametrize("steps", [
    ["429"], ["503", "502", "529"], ["close"], ["close-body", "429"],
    ["408", "error-200"]])
def test_retry(drive, steps):
    result, sent = drive({"steps": steps, "answers": {"PREEMPT": "y"}})
    reply = result.one()
    assert reply["err"] == OK and reply["tries"] == len(steps) + 1
    assert answers(reply)[0]["value"] == "y"
    bodies = [r["body"] for r in sent]
    assert bodies.count(bodies[0]) == len(bodies)


def test_max_tries(drive):
    result, sent = drive({"mode": "503"}, max_tries=2)
    assert result.one()["tries"] == 2 and len(sent) == 2
    result, sent = drive({"mode": "429"}, max_tries=1)
    assert result.one()["tries"] == 1


def test_backoff_grows(drive):
    _, sent = drive({"mode": "503"}, backoff_ms=40, max_tries=4)
    times = [r["time"] for r in sent[-4:]]
    gaps = [b - a for a, b in zip(times, times[1:])]
    for i, gap in enumerate(gaps):
        assert 0.02 * 2 ** i <= gap < 0.06 * 2 ** i + 0.3


@pytest.mark.parametrize("mode", ["429", "503"])
def test_retry_after(drive, mode):
    steps = [{"mode": mode, "retry_after": 1}]
    result, sent = drive({"steps": steps}, [question(1), question(2)])
    assert {r["err"] for r in result.replies} == {OK}
    # the second question is held back as well
    assert sent[1]["time"] - sent[0]["time"] >= 0.95
    assert len(sent) == 3


def test_retry_after_date(drive):
    steps = [{"mode": "429", "retry_after": formatdate(time.time() + 2,
                                                       usegmt=True)}]
    result, sent = drive({"steps": steps})
    assert result.one()["err"] == OK
    assert 0.5 < sent[1]["time"] - sent[0]["time"] < 3


@pytest.mark.parametrize("value", ["-5", "soon", "0", "\t", "9" * 30])
def test_retry_after_odd(drive, value):
    result, _ = drive({"steps": [{"mode": "429", "retry_after": value}]})
    assert result.one()["err"] == OK and result.one()["ms"] < 900


@pytest.mark.parametrize("value", ["3600", "9999999999",
                                   "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_too_long(drive, value):
    result, sent = drive({"mode": "429", "retry_after": value})
    reply = result.one()
    assert reply["err"] == ERATE and len(sent) == 1 and reply["ms"] < 1000
    assert "try again in " in reply["message"]


# ---- time -------------------------------------------------------------------

@pytest.mark.parametrize("mode", ["hang", "drip"])
def test_timeout(drive, mode):
    result, _ = drive({"mode": mode}, timeout_ms=400)
    reply = result.one()
    assert reply["err"] == ETIMEOUT and 350 < reply["ms"] < 1500
    assert "--jobs" in reply["message"]


def test_timeout_includes_tries(drive):
    result, _ = drive({"mode": "503"}, timeout_ms=300, backoff_ms=100,
                      max_tries=50)
    reply = result.one()
    assert reply["err"] == EOVERLOADED
    assert reply["tries"] < 10 and reply["ms"] < 1500


def test_slow_is_fine(drive):
    assert drive({"mode": "slow"})[0].one()["err"] == OK


@pytest.mark.parametrize("script", [{"mode": "hang"}, {"mode": "429",
                                                       "retry_after": 8}])
def test_interrupted(drive, script):
    result, _ = drive(script, top={"interrupt_ms": 300})
    assert not result.replies
    [wait] = result.waits
    assert wait["wait"] == EINTERRUPTED and 250 < wait["ms"] < 700


def test_interrupted_while_opening(drive):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen(1)
        result, _ = drive({}, url="http://127.0.0.1:%d" % s.getsockname()[1],
                          model=None, top={"interrupt_ms": 300})
    assert result.open["open"] == EINTERRUPTED


# ---- several at once --------------------------------------------------------

def test_parallel(drive):
    questions = [question(i) for i in range(12)]
    result, sent = drive({"delay": 0.2}, questions, jobs=4)
    assert sorted(r["id"] for r in result.replies) == list(range(12))
    assert {r["err"] for r in result.replies} == {OK}
    assert 550 < max(r["ms"] for r in result.replies) < 2000
    assert len({r["peer_port"] for r in sent}) <= 4
    result, sent = drive({"delay": 0.02}, questions)
    assert len({r["peer_port"] for r in sent}) == 1     # kept alive


def test_one_failure_among_many(drive):
    steps = ["good", "401", "good", "body-half"]
    result, _ = drive({"steps": steps}, [question(i) for i in range(4)])
    assert [result.by_id[i]["err"] for i in range(4)] == [
        OK, EAUTH, OK, EMALFORMED]


# ---- the way there ----------------------------------------------------------

def test_proxy(drive):
    """HTTPS_PROXY is asked, NO_PROXY heeded, and the proxy sees no key."""
    seen = []

    def accept(listener):
        try:
            while True:
                peer, _ = listener.accept()
                seen.append(peer.recv(4096))
                peer.sendall(b"HTTP/1.1 502 no\r\nContent-Length: 0\r\n\r\n")
                peer.close()
        except OSError:
            pass

    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen(8)
        threading.Thread(target=accept, args=(s,), daemon=True).start()
        proxy = "http://127.0.0.1:%d" % s.getsockname()[1]
        url = "https://kernel.invalid/v1"
        env = {"HTTPS_PROXY": proxy}
        result, _ = drive({}, url=url, env=env)
        assert result.one()["err"] == ENETWORK
        assert seen[0].startswith(b"CONNECT kernel.invalid:443 ")
        assert KEY.encode() not in b"".join(seen)
        count = len(seen)
        result, _ = drive({}, url="https://127.0.0.1:1/v1",
                          env={**env, "NO_PROXY": "127.0.0.1"})
        assert result.one()["err"] == ENETWORK and len(seen) == count
        s.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """Of an authority that nobody knows, for 127.0.0.1."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl program to make a certificate with")
    where = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
         "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
         "/CN=loopback", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=where, check=True, capture_output=True)
    return where


@pytest.mark.parametrize("host, trusted, err", [
    ("127.0.0.1", True, OK), ("127.0.0.1", False, ENETWORK),
    ("localhost", True, ENETWORK)])
def test_certificate(drive, tmp_path, certificate, host, trusted, err):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    directory = tmp_path / "tls"
    directory.mkdir()
    server = Server({}, directory)
    server.server.socket = context.wrap_socket(server.server.socket,
                                               server_side=True)
    env = {"SSL_CERT_FILE": str(certificate / "cert.pem")} if trusted else {}
    with server:
        result, _ = drive({}, url="https://%s:%d/v1" % (host, server.port),
                          env=env)
        requests = server.log()
    assert result.one()["err"] == err, result.one()
    if err:
        assert "secure" in result.one()["message"] and not requests
        assert result.one()["tries"] == 1


def test_not_tls(drive):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen(8)

        def accept():
            try:
                while True:
                    peer, _ = s.accept()
                    peer.sendall(b"HTTP/1.1 400 no\r\n\r\n")
                    peer.close()
            except OSError:
                pass

        threading.Thread(target=accept, daemon=True).start()
        result, _ = drive({}, url="https://127.0.0.1:%d/v1"
                          % s.getsockname()[1])
        s.shutdown(socket.SHUT_RDWR)
    reply = result.one()
    assert reply["err"] == ENETWORK and "secure" in reply["message"]


# ---- the server as a program ------------------------------------------------

def start_server(directory, prefix=()):
    log = directory / "program.log"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "server.py")
    process = subprocess.Popen(
        [*prefix, sys.executable, path, "--mode", "401", "--log", str(log)],
        stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert line.startswith("listening 127.0.0.1:")
    return process, int(line.rsplit(":", 1)[1]), log


def test_server_stops(tmp_path):
    process, port, log = start_server(tmp_path)
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(b"GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" in peer.recv(4096)
        process.terminate()
        assert process.wait(5) == 0
    process.stdout.close()
    record = json.loads(log.read_text())
    assert (record["method"], record["path"]) == ("GET", "/v1/models")


def test_server_dies_with_its_parent(tmp_path):
    # a shell that waits for a program, and is killed before it ends
    process, port, _ = start_server(tmp_path, ["sh", "-c", '"$@"; :', "sh"])
    process.kill()
    process.wait(5)
    for _ in range(100):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)):
                break
        time.sleep(0.05)
    else:
        raise AssertionError("still there")
    process.stdout.close()
