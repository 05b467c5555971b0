# SPDX-License-Identifier: GPL-2.0-only
"""The providers "anthropic" and "ollama", over HTTP on loopback, and all of them
side by side: the same goal, the same model, the same configuration.
"""
import json
import os
import subprocess

import pytest

from server import Server
from test_openai import (DRIVER, EAUTH, ECONFIG, ECONTEXT, EMALFORMED, EMODEL,
                         EOVERLOADED, EQUOTA, ERATE, EREFUSED, ETOOBIG, OK,
                         Result, question)

KEY = "sk-secret-0123456789abcdef"
NAMES = ("anthropic", "ollama")
VARIABLE = {"anthropic": "ANTHROPIC_API_KEY", "ollama": "OLLAMA_API_KEY"}


def url_of(server, provider):
    return server.url.replace("/v1", "") if provider == "ollama" else server.url


@pytest.fixture
def drive(tmp_path):
    """drive(provider, script, questions, **settings) -> (Result, requests)"""

    def run(provider, script, questions=None, **settings):
        with Server(script, tmp_path) as server:
            asking = {"settings": {"provider": provider, "model": "test-model",
                                   "key": KEY, "timeout_ms": 10000,
                                   "backoff_ms": 1,
                                   "url": url_of(server, provider), **settings},
                      "requests": questions or [question()]}
            path = tmp_path / "asking.json"
            path.write_text(json.dumps(asking))
            env = {k: v for k, v in os.environ.items()
                   if not k.lower().endswith("_proxy")}
            done = subprocess.run([DRIVER, str(path)], capture_output=True,
                                  text=True, timeout=60, env=env, check=False)
            return Result(done), server.log("POST")

    return run


GOOD = {"answers": {"PREEMPT": "y", "HZ_1000": "keep"}}


@pytest.mark.parametrize("provider", NAMES)
def test_answer_and_usage(drive, provider):
    result, sent = drive(provider, GOOD)
    reply = result.one()
    assert (reply["err"], reply["truncated"]) == (OK, False)
    answers = {a["name"]: a["value"] for a in json.loads(reply["text"])["answers"]}
    assert answers == GOOD["answers"]
    assert (reply["input_tokens"], reply["output_tokens"]) == (11, 7)
    assert len(sent) == 1 and KEY not in json.dumps(sent[0]["body"])


def test_anthropic_request(drive):
    _, sent = drive("anthropic", GOOD, [question(max_tokens=77)])
    headers = {k.lower(): v for k, v in sent[0]["headers"].items()}
    assert sent[0]["path"] == "/v1/messages"
    assert headers["x-api-key"] == KEY and "authorization" not in headers
    assert headers["anthropic-version"] == "2023-06-01"
    body = sent[0]["body"]
    assert body["max_tokens"] == 77
    assert body["system"] == "You configure kernels."
    assert [m["role"] for m in body["messages"]] == ["user"]
    assert body["tools"][0]["input_schema"] == json.loads(question()["schema"])
    assert body["tool_choice"]["name"] == body["tools"][0]["name"]


def test_ollama_request(drive):
    _, sent = drive("ollama", GOOD, [question(max_tokens=77)])
    body = sent[0]["body"]
    assert sent[0]["path"] == "/api/chat"
    assert body["format"] == json.loads(question()["schema"])
    assert body["stream"] is False
    assert body["options"]["num_predict"] == 77
    assert [m["role"] for m in body["messages"]] == ["system", "user"]


@pytest.mark.parametrize("provider,part", [("anthropic", "tools"),
                                           ("ollama", "format")])
def test_server_without_structured_answers(drive, provider, part):
    questions = [question(1), question(2)]
    result, sent = drive(provider, {**GOOD, "refuse": [part]}, questions)
    for reply in result.replies:
        assert reply["err"] == OK
        assert len(json.loads(reply["text"])["answers"]) == 2
    assert [part in s["body"] for s in sent] == [True, False, False]
    assert "```json-schema" in sent[-1]["body"]["messages"][-1]["content"]


@pytest.mark.parametrize("provider", NAMES)
@pytest.mark.parametrize("mode,err,tries", [
    ("401", EAUTH, 1), ("402", EQUOTA, 1), ("413", ECONTEXT, 1),
    ("429", ERATE, 4), ("500", EOVERLOADED, 4), ("502", EOVERLOADED, 4),
    ("error-200", None, None), ("no-choices", EMALFORMED, 1),
    ("refusal", None, None), ("404", EMALFORMED, 1),
])
def test_errors(drive, provider, mode, err, tries):
    result, _ = drive(provider, {"mode": mode})
    reply = result.one()
    assert reply["err"] != OK and reply["text"] is None and reply["message"]
    if err is not None:
        assert (reply["err"], reply["tries"]) == (err, tries), reply
    if err == EAUTH:
        assert VARIABLE[provider] in reply["message"]


@pytest.mark.parametrize("provider", NAMES)
def test_overloaded_then_fine(drive, provider):
    result, sent = drive(provider, {**GOOD, "steps": ["500", "429"]})
    assert result.one()["err"] == OK and len(sent) == 3


@pytest.mark.parametrize("provider", NAMES)
@pytest.mark.parametrize("mode", [
    "text-half", "text-random", "text-ansi", "text-types", "text-deep",
    "text-dupkeys", "text-html", "text-prose", "text-surrogate", "text-nul",
    "think", "fenced", "cut-off"])
def test_whatever_the_model_says(drive, provider, mode):
    result, _ = drive(provider, {**GOOD, "mode": mode})
    reply = result.one()
    assert reply["err"] in (OK, EMALFORMED, EREFUSED)
    assert reply["truncated"] == (mode == "cut-off" and reply["err"] == OK)
    if mode in ("think", "fenced"):
        assert len(json.loads(reply["text"])["answers"]) == 2


@pytest.mark.parametrize("provider", NAMES)
def test_too_big(drive, provider):
    result, _ = drive(provider, {"mode": "text", "text": "x" * 300000},
                      max_reply=100000)
    assert result.one()["err"] == ETOOBIG


@pytest.mark.parametrize("provider", NAMES)
def test_the_only_model(drive, provider):
    result, sent = drive(provider, {**GOOD, "models": ["only"]}, model="")
    assert result.one()["err"] == OK
    assert sent[-1]["body"]["model"] == "only"


@pytest.mark.parametrize("provider", NAMES)
def test_which_model(drive, provider):
    result, _ = drive(provider, {"models": ["a", "b"]}, model="")
    assert result.open["open"] == ECONFIG
    assert "--model" in result.open["why"] and "a, b" in result.open["why"]


def test_anthropic_wants_a_key(drive):
    result, sent = drive("anthropic", {}, key="",
                         url="https://api.anthropic.com/v1")
    assert result.open["open"] == EAUTH and not sent
    assert "ANTHROPIC_API_KEY" in result.open["why"]


KCONFIG = ('config NET\n\tbool "Networking"\n\n'
           'config MTU\n\tint "MTU"\n\trange 68 9000\n\tdefault 1500\n'
           '\tdepends on NET\n\n'
           'choice\n\tprompt "Speed"\n\tdefault SLOW\n\n'
           'config SLOW\n\tbool "slow"\n\nconfig FAST\n\tbool "fast"\n\n'
           'endchoice\n\nconfig SECRET\n\tbool\n')
ANSWERS = {"answers": {"NET": "y", "MTU": "9000", "FAST": "y", "SECRET": "y"}}


def test_all_providers_give_the_same(sites, tmp_path):
    found = {}
    for provider in ("openai", *NAMES):
        site = sites("6.12") if not found else None
        if site is None:
            from conftest import Site
            (tmp_path / provider).mkdir()
            site = Site(tmp_path / provider, tmp_path / "cache", "6.12")
        site.kconfig(KCONFIG)
        with Server(ANSWERS, site.root) as server:
            done = site.call("run", "--goal", "test", "--provider", provider,
                             "--model", "test-model", "--url",
                             url_of(server, provider), "--journal",
                             site.journal, ANTHROPIC_API_KEY=KEY)
        assert done.status == 0, done.err
        site.assert_valid()
        journal = site.journal.read_text()
        assert KEY not in journal
        events = [json.loads(line) for line in journal.splitlines()]
        found[provider] = (site.config.read_bytes(), [
            (e["set"]) for e in events if e["event"] == "commit"])
    assert found["openai"][1]
    assert found["anthropic"] == found["openai"]
    assert found["ollama"] == found["openai"]
