#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A server of OpenAI's chat completions that plays models, good and bad. The
protocols of protocols.py are understood as well, at their own paths.

    server.py [--port N] [--script FILE] [--mode MODE] [--log FILE]

It listens on 127.0.0.1 only and prints "listening 127.0.0.1:PORT". Tests use
the class Server below, which starts it and stops it.

A script is a JSON object; every member may be left out:

    "mode":    how to answer, one of MODES (--list-modes); default "good"
    "steps":   for the first requests one by one: a mode, or an object with
               "mode" and any of the members here; after the last step, the
               script itself counts
    "answers": {"SYMBOL": ANSWER, ...}: a value, or an object with "value" and
               any of "reason", "confidence", "name" (to answer for another),
               or a list of those: the first time the symbol is asked about,
               the second, ...; the last one stays
    "menus":   the answer for each item "menu:N" not in "answers": "open"
    "extra":   answers that are given in any case, as objects
    "default": the answer for symbols not in "answers"; default: none at all
    "refuse":  names of members of a request that get it refused with 400
    "models":  ids for /v1/models; default one, "test-model"
    "delay":   seconds before each answer
    "retry_after": the header of that name, for errors
    "text":    the text of the model, for the mode "text"
    "location": where the mode "redirect" leads

What is asked is found in the request's response_format schema, or in the block
marked json-schema of the last user message, never in prose: the names are the
"enum"s or "const"s of properties called "name".
"""
import argparse
import json
import os
import random
import re
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from protocols import PROTOCOLS, Wrong

MODES = {}


def mode(*names):
    def add(function):
        for name in names:
            MODES[name] = (function, name)
        return function
    return add


# ---- what is asked ----------------------------------------------------------

def enum_of(schema):
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def find_items(schema):
    """[(names, values)] of all objects in a schema that have a name."""
    found = []
    if isinstance(schema, list):
        for part in schema:
            found += find_items(part)
    elif isinstance(schema, dict):
        props = schema.get("properties")
        if isinstance(props, dict) and enum_of(props.get("name")):
            found.append((enum_of(props["name"]), enum_of(props.get("value"))))
        for part in schema.values():
            found += find_items(part)
    return found


def schema_of(request):
    """The schema that the answer is to have, and whether it was in words."""
    form = request.get("response_format") or {}
    if form.get("type") == "json_schema":
        return form["json_schema"]["schema"], False
    users = [m for m in request.get("messages", []) if m["role"] == "user"]
    text = users[-1]["content"] if users else ""
    hit = re.search(r"```json-schema\n(.*?)\n```", text, re.S)
    return (json.loads(hit.group(1)) if hit else None), True


class Asked:
    """The names asked about, in order, and the values allowed for each."""

    def __init__(self, request):
        self.schema, self.in_words = schema_of(request)
        self.values = {}
        for names, values in find_items(self.schema):
            for name in names:
                self.values.setdefault(name, [])
                self.values[name] += values

    def names(self):
        return list(self.values)


# ---- answers ----------------------------------------------------------------

def pick(server, script, name):
    """The answer of the script for a name, or None."""
    entry = script.get("answers", {}).get(name)
    if entry is None:
        is_menu = name.startswith("menu:")
        entry = script.get("menus", "open") if is_menu else \
            script.get("default")
    if isinstance(entry, list):
        with server.lock:
            n = server.asked.get(name, 0)
            server.asked[name] = n + 1
        entry = entry[min(n, len(entry) - 1)]
    if entry is None:
        return None
    if not isinstance(entry, dict):
        entry = {"value": entry}
    answer = {"name": name, "value": None, "reason": "as scripted",
              "confidence": 0.9}
    answer.update(entry)
    return answer


def good_answers(server, script, asked):
    answers = [pick(server, script, name) for name in asked.names()]
    return [a for a in answers if a] + script.get("extra", [])


def answers_text(answers, asked):
    text = json.dumps({"answers": answers})
    return "Here you are.\n```json\n%s\n```\n" % text if asked.in_words else \
        text


def one(name, value):
    return {"name": name, "value": value, "reason": "why not",
            "confidence": 1.0}


# Modes of the model: they return its text, or (text, finish_reason).

@mode("good")
def play_good(_name, server, script, asked):
    return answers_text(good_answers(server, script, asked), asked)


@mode("unknown-symbol")
def play_unknown(_name, server, script, asked):
    answers = good_answers(server, script, asked)
    return answers_text(answers + [one("NO_SUCH_SYMBOL_AT_ALL", "y")], asked)


@mode("out-of-range", "wrong-value", "everything-y", "everything-n")
def play_same(name, _server, _script, asked):
    value = {"out-of-range": "999999999999", "wrong-value": "perhaps",
             "everything-y": "y", "everything-n": "n"}[name]
    return answers_text([one(n, value) for n in asked.names()], asked)


@mode("two-members")
def play_two(_name, _server, _script, asked):
    return answers_text([one(n, "y") for n in asked.names()[:2]], asked)


@mode("fenced", "think", "fence-cut")
def play_fenced(name, server, script, asked):
    text = json.dumps({"answers": good_answers(server, script, asked)})
    head = "Sure! The schema says {...}.\n"
    if name == "think":
        head = "<think>\nMaybe ```json\n{}\n``` will do?\n</think>\n"
    return head + "```json\n" + text + \
        ("\n```\nDone." if name != "fence-cut" else "")


@mode("text")
def play_text(_name, _server, script, _asked):
    return script["text"]


@mode("text-half", "text-random", "text-ansi", "text-empty", "text-types",
      "text-deep", "text-dupkeys", "text-html", "text-prose", "text-surrogate",
      "text-nul")
def play_malformed(name, server, script, asked):
    good = json.dumps({"answers": good_answers(server, script, asked)})
    first = (asked.names() or ["X"])[0]
    rng = random.Random(1)
    return {
        "text-half": good[:len(good) // 2],
        "text-random": "".join(chr(rng.randrange(1, 0x300))
                               for _ in range(4000)),
        "text-ansi": "\x1b[2J\x1b]0;owned\x07" + json.dumps({"answers": [
            one(first, "\x1b[31my\x9b0m")]}),
        "text-empty": "",
        "text-types": json.dumps({"answers": [
            {"name": 7, "value": ["y"], "reason": {}, "confidence": "high"},
            None, "y", {"name": first}, {"value": "y"}]}),
        "text-deep": "[" * 100000,
        "text-dupkeys": '{"answers":[{"name":"%s","value":"y","name":"B"}]}'
                        % first,
        "text-html": "<!DOCTYPE html><title>Nice</title>",
        "text-prose": "I would set %s to y, if I were you." % first,
        "text-surrogate": '{"answers":[{"name":"%s","value":"y",'
                          '"reason":"\\ud800"}]}' % first,
        "text-nul": '{"answers":[{"name":"%s\\u0000X","value":"y"}]}' % first,
    }[name]


@mode("cut-off")
def play_cut_off(_name, server, script, asked):
    text = answers_text(good_answers(server, script, asked), asked)
    return text[:len(text) // 2], "length"


def envelope(text, finish="stop", usage=(11, 7)):
    return {"id": "x", "object": "chat.completion", "created": 0,
            "model": "test-model",
            "choices": [{"index": 0, "finish_reason": finish, "message": {
                "role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": usage[0],
                      "completion_tokens": usage[1],
                      "total_tokens": sum(usage)}}


# Modes of the protocol: they get the handler and send a whole response.

class Direct:
    pass


def direct(*names):
    def add(function):
        for name in names:
            MODES[name] = (function, name, Direct)
        return function
    return add


@direct("parts", "refusal", "filtered", "null-content", "no-usage",
        "bad-usage", "length-null", "no-choices", "choices-empty",
        "message-string", "content-number", "error-200")
def send_envelope(h, name, script):
    asked = Asked(h.request)
    text = answers_text(good_answers(h.server, script, asked), asked)
    e = envelope(text)
    choice = e["choices"][0]
    message = choice["message"]
    if name == "parts":
        half = len(text) // 2
        message["content"] = [{"type": "text", "text": text[:half]},
                              {"type": "image"}, 7,
                              {"type": "text", "text": text[half:]}]
    elif name == "refusal":
        message.update(content=None, refusal="I \x1b[1mcannot\x1b[0m do that")
    elif name == "filtered":
        choice["finish_reason"] = "content_filter"
    elif name == "null-content":
        message["content"] = None
    elif name == "length-null":
        message["content"] = None
        choice["finish_reason"] = "length"
    elif name == "no-usage":
        del e["usage"]
    elif name == "bad-usage":
        e["usage"] = {"prompt_tokens": -5, "completion_tokens": "many"}
    elif name == "no-choices":
        del e["choices"]
    elif name == "choices-empty":
        e["choices"] = []
    elif name == "message-string":
        choice["message"] = "hello"
    elif name == "content-number":
        message["content"] = 42
    elif name == "error-200":
        e = {"error": {"message": "upstream is busy", "code": 429}}
    h.send_json(200, e)


ERRORS = {
    # name: (status, body)
    "400": (400, {"error": {"message": "bad request", "code": None}}),
    "401": (401, {"error": {"message": "Incorrect API key provided",
                            "code": "invalid_api_key"}}),
    "402": (402, {"error": {"message": "Payment required"}}),
    "403": (403, {"error": "forbidden"}),
    "404": (404, "<html><h1>Not Found</h1></html>"),
    "408": (408, {}),
    "413": (413, "too large"),
    "429": (429, {"error": {"message": "Rate limit reached",
                            "type": "requests"}}),
    "500": (500, {"error": {"message": "internal error"}}),
    "500-html": (500, "<html>oops</html>"),
    "500-schema": (500, {"error": {"message": "Failed to parse grammar"}}),
    "501": (501, "no"),
    "502": (502, "<html>bad gateway</html>"),
    "503": (503, {"error": {"message": "Loading model", "code": 503}}),
    "529": (529, {"error": {"type": "overloaded_error",
                            "message": "Overloaded"}}),
    "error-ansi": (418, {"error": {"message": "\x1b[2J\x9b31mred\u202e"}}),
    "error-long": (418, {"error": {"message": "\u00e4" * 100000}}),
    "error-binary": (418, b"\xff\x00\xfe" * 300),
    "quota": (429, {"error": {"message": "You exceeded your current quota",
                              "code": "insufficient_quota"}}),
    "model": (404, {"error": {"message": "The model `x` does not exist",
                              "code": "model_not_found"}}),
    "model-400": (400, {"error": {"message": "no such model: x"}}),
    "context": (400, {"error": {"message": "This model's maximum context "
                                "length is 8 tokens; lower max_tokens",
                                "code": "context_length_exceeded"}}),
    "context-llama": (400, {"error": {
        "code": 400, "message": "the request exceeds the available context "
        "size", "type": "exceed_context_size_error"}}),
    "filter-400": (400, {"error": {"message": "no", "code":
                                   "content_filter"}}),
}


@direct(*ERRORS)
def send_error(h, name, script):
    status, body = ERRORS[name]
    if isinstance(body, bytes):
        h.send_bytes(status, body)
    elif isinstance(body, str):
        h.send_bytes(status, body.encode(), "text/html")
    else:
        h.send_json(status, body, script.get("retry_after"))


@direct("echo-key", "echo-key-text")
def send_key(h, name, _script):
    key = h.headers.get("Authorization", "").replace("Bearer ", "")
    if name == "echo-key":
        h.send_json(401, {"error": {"message": "key %s is wrong" % key}})
    else:
        h.send_json(200, envelope("your key is %s, isn't it? %s" % (key, key)))


@direct("redirect")
def send_redirect(h, _name, script):
    h.send_bytes(307, b"", headers=[("Location", script.get(
        "location", "http://user:pw@127.0.0.1:9/\x1b[1mv1"))])


@direct("body-half", "body-random", "body-empty", "body-deep", "body-dupkeys",
        "body-html", "body-array", "body-trailing", "body-utf16",
        "body-values")
def send_malformed(h, name, _script):
    good = json.dumps(envelope("{}")).encode()
    h.send_bytes(200, {
        "body-half": good[:len(good) // 2],
        "body-random": random.Random(1).randbytes(5000),
        "body-empty": b"",
        "body-deep": b'{"choices":' + b"[" * 1000000,
        "body-dupkeys": good[:-1] + b',"choices":[]}',
        "body-html": b"<html>log in first</html>",
        "body-array": b"[1,2,3]",
        "body-trailing": good + b"\n" + good,
        "body-utf16": good.decode().encode("utf-16"),
        "body-values": b"[" + b"0," * 1000000 + b"0]",
    }[name])


@direct("huge", "huge-chunked", "huge-headers", "endless-headers")
def send_huge(h, name, _script):
    block = b"a" * 65536
    w = h.wfile
    if name == "huge":
        h.begin(200, 100 << 20)
        for _ in range((100 << 20) // len(block)):
            w.write(block)
    elif name == "huge-chunked":
        w.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            w.write(b"10000\r\n" + block + b"\r\n")
    elif name == "huge-headers":
        w.write(b"HTTP/1.1 200 OK\r\nX: " + block * 100 + b"\r\n\r\n")
    else:
        w.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            w.write(b"X-More: and more\r\n" * 1000)


@direct("close", "close-early", "close-body", "short-length", "not-http",
        "http09", "bad-chunk", "status-only")
def send_broken(h, name, _script):
    good = json.dumps(envelope("{}")).encode()
    w = h.wfile
    if name == "close":
        pass
    elif name == "close-early":
        w.write(b"HTTP/1.1 200 OK\r\nContent-Le")
    elif name == "close-body":
        h.begin(200, len(good))
        w.write(good[:20])
    elif name == "short-length":
        h.begin(200, 10)
        w.write(good)
    elif name == "not-http":
        w.write(b"SSH-2.0-OpenSSH_9.2\r\n")
    elif name == "http09":
        w.write(good)
    elif name == "bad-chunk":
        w.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
    elif name == "status-only":
        w.write(b"HTTP/1.1 200 OK\r\n\r\n")
    h.hang_up()


@direct("hang", "slow", "drip")
def send_slowly(h, name, script):
    """hang: nothing ever; slow: after a while; drip: a byte at a time."""
    good = json.dumps(envelope("{}")).encode()
    if name == "hang":
        h.server.stop.wait(60)
    elif name == "slow":
        h.server.stop.wait(script.get("slow", 0.3))
        h.send_bytes(200, good)
    else:
        h.begin(200, len(good))
        for byte in good:
            h.wfile.write(bytes([byte]))
            h.wfile.flush()
            if h.server.stop.wait(0.05):
                return


# ---- the server -------------------------------------------------------------

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    protocol = None

    def log_message(self, *_args):
        pass

    def begin(self, status, length, kind="application/json", headers=()):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def send_bytes(self, status, body, kind="application/json", headers=()):
        self.begin(status, len(body), kind, headers)
        self.wfile.write(body)

    def send_json(self, status, value, retry_after=None):
        if self.protocol:
            try:
                value = self.protocol.write(value, self.original)
            except (KeyError, IndexError, TypeError):
                pass            # nothing that such a server would send
        headers = [("Retry-After", str(retry_after))] if retry_after else []
        self.send_bytes(status, json.dumps(value).encode(), headers=headers)

    def hang_up(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def read_request(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            self.request = json.loads(raw) if raw else None
        except ValueError:
            self.request = raw.decode(errors="replace")
        self.server.note(self, self.client_address[1])

    def do_GET(self):
        self.read_request()
        script = self.server.script
        self.protocol = None
        path = self.path.split("?")[0]
        if path not in ("/v1/models", "/api/tags"):
            return self.send_bytes(404, b"no such page", "text/plain")
        models = script.get("models", ["test-model"])
        if not isinstance(models, list):    # an error of ERRORS
            return send_error(self, models, script)
        if path == "/api/tags":
            return self.send_json(200, {"models": [
                {"name": m, "model": m} for m in models]})
        return self.send_json(200, {"object": "list", "data": [
            {"id": m, "object": "model"} for m in models]})

    def do_POST(self):
        self.read_request()
        path = self.path.split("?")[0]
        if path not in PROTOCOLS:
            return self.send_bytes(404, b"no such page", "text/plain")
        self.protocol, self.original = PROTOCOLS[path], self.request
        if not isinstance(self.request, dict):
            return self.send_json(400, {"error": {"message": "not JSON"}})
        script = self.server.next_script()
        self.server.stop.wait(script.get("delay", 0))
        try:
            if self.protocol:
                self.request = self.protocol.read(self.request, self.headers)
        except Wrong as wrong:
            return self.send_json(400, {"error": {
                "message": str(wrong), "type": "invalid_request_error"}})
        for name in script.get("refuse", []):
            if name in self.original:
                return self.send_json(400, {"error": {
                    "message": "Unsupported parameter: '%s'" % name,
                    "param": name, "type": "invalid_request_error"}})
        return self.play(script)

    def play(self, script):
        entry = MODES[script.get("mode", "good")]
        if len(entry) == 3:
            return entry[0](self, entry[1], script)
        text = entry[0](entry[1], self.server, script, Asked(self.request))
        finish = "stop"
        if isinstance(text, tuple):
            text, finish = text
        return self.send_json(200, envelope(text, finish))


class LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, script, log):
        super().__init__(("127.0.0.1", port), Handler)
        self.script = script
        self.log = log
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.asked = {}         # how often, by name
        self.requests = 0
        self.posts = 0

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def next_script(self):
        with self.lock:
            n = self.posts
            self.posts += 1
        steps = self.script.get("steps", [])
        if n >= len(steps):
            return self.script
        step = steps[n]
        if isinstance(step, str):
            step = {"mode": step}
        return {**self.script, **step}

    def note(self, h, peer_port):
        with self.lock:
            self.requests += 1
            if not self.log:
                return
            record = {"n": self.requests, "time": time.monotonic(),
                      "peer_port": peer_port, "method": h.command,
                      "path": h.path, "headers": dict(h.headers.items()),
                      "body": h.request}
            self.log.write(json.dumps(record) + "\n")
            self.log.flush()


def watch_parent(server, parent):
    while os.getppid() == parent and not server.stop.wait(0.2):
        pass
    server.stop.set()
    server.shutdown()


def parse_args():
    parser = argparse.ArgumentParser(description="plays language models")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script")
    parser.add_argument("--mode", choices=sorted(MODES))
    parser.add_argument("--log")
    parser.add_argument("--list-modes", action="store_true")
    return parser.parse_args()


def main():
    args = parse_args()
    script = {}
    if args.list_modes:
        print("\n".join(sorted(MODES)))
        return 0
    if args.script:
        with open(args.script, encoding="utf-8") as f:
            script = json.load(f)
    if args.mode:
        script["mode"] = args.mode
    log = open(args.log, "a", encoding="utf-8") if args.log else None
    server = LoopbackServer(args.port, script, log)
    signal.signal(signal.SIGTERM, lambda *_: server.stop.set())
    signal.signal(signal.SIGINT, lambda *_: server.stop.set())
    watcher = threading.Thread(target=watch_parent,
                               args=(server, os.getppid()), daemon=True)
    watcher.start()
    print("listening 127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever(poll_interval=0.05)
    server.server_close()
    if log:
        log.close()
    return 0


class Server:
    """For tests: with Server(script, tmp_path) as s: ... s.url ... s.log()

    The same in this process, with its log in a file of that directory."""

    def __init__(self, script, directory):
        self.log_path = os.path.join(str(directory), "server.log")
        self.server = LoopbackServer(
            0, script, open(self.log_path, "w", encoding="utf-8"))
        self.port = self.server.server_address[1]
        self.url = "http://127.0.0.1:%d/v1" % self.port
        self.thread = threading.Thread(target=self.server.serve_forever,
                                       kwargs={"poll_interval": 0.01})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.stop.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        with self.server.lock:
            self.server.log.close()
            self.server.log = None

    def log(self, method=None):
        """The requests so far, in order of arrival."""
        with open(self.log_path, encoding="utf-8") as f:
            records = [json.loads(line) for line in f]
        return [r for r in records if method in (None, r["method"])]


if __name__ == "__main__":
    sys.exit(main())
