# SPDX-License-Identifier: GPL-2.0-only
"""The other protocols that server.py speaks: Anthropic's messages, Ollama's chat.

A request in one of them is checked for what that protocol demands, and made one
of OpenAI's, so that every model that the server plays can be asked in each; what
is sent back is turned round again, if it is anything that such a server sends.
"""


class Wrong(Exception):
    """The request is not one of this protocol; its text is the reason."""


def demand(condition, text):
    if not condition:
        raise Wrong(text)


class Anthropic:
    @staticmethod
    def read(request, headers):
        demand(headers.get("anthropic-version") == "2023-06-01",
               "anthropic-version: header is required")
        demand(isinstance(request.get("max_tokens"), int) and
               request["max_tokens"] > 0, "max_tokens: field required")
        demand(isinstance(request.get("model"), str), "model: field required")
        known = {"model", "max_tokens", "messages", "system", "temperature",
                 "tools", "tool_choice", "stream"}
        demand(set(request) <= known, "%s: extra inputs are not permitted"
               % sorted(set(request) - known))
        messages = request.get("messages")
        demand(messages and messages[0]["role"] == "user",
               "messages: first message must use the user role")
        for message in messages:
            demand(message["role"] in ("user", "assistant"),
                   "messages: unexpected role " + message["role"])
        chat = {"model": request["model"], "messages": messages}
        if "system" in request:
            chat["messages"] = [{"role": "system", "content": request["system"]},
                                *messages]
        tools = request.get("tools", [])
        if tools:
            demand(request.get("tool_choice") ==
                   {"type": "tool", "name": tools[0]["name"]},
                   "tool_choice: must name the tool")
            chat["response_format"] = {"type": "json_schema", "json_schema": {
                "schema": tools[0]["input_schema"]}}
        return chat

    @staticmethod
    def write(reply, request):
        import json
        if "error" in reply and "choices" not in reply:
            error = reply["error"]
            return {"type": "error", "error": error if isinstance(error, dict)
                    else {"type": "api_error", "message": error}}
        choice = reply["choices"][0]
        text = choice["message"]["content"]
        stop = {"stop": "end_turn", "length": "max_tokens",
                "content_filter": "refusal"}[choice["finish_reason"]]
        content = [{"type": "text", "text": text}]
        if request.get("tools"):
            # such a server sends the object that the model made, if it is one
            try:
                given = json.loads(text)
            except (ValueError, RecursionError):
                given = None
            if isinstance(given, dict):
                content = [{"type": "text", "text": "I answer."},
                           {"type": "tool_use", "id": "toolu_1",
                            "name": request["tools"][0]["name"],
                            "input": given}]
                stop = "tool_use" if stop == "end_turn" else stop
        return {"id": "msg_1", "type": "message", "role": "assistant",
                "model": request["model"], "content": content,
                "stop_reason": stop, "stop_sequence": None,
                "usage": {"input_tokens": reply["usage"]["prompt_tokens"],
                          "output_tokens": reply["usage"]["completion_tokens"]}}


class Ollama:
    @staticmethod
    def read(request, _headers):
        demand(isinstance(request.get("model"), str), "model is required")
        demand(request.get("stream") is False,
               "this server only plays what is not streamed")
        known = {"model", "messages", "stream", "format", "options"}
        demand(set(request) <= known, "unknown fields: %s"
               % sorted(set(request) - known))
        demand(set(request.get("options", {})) <=
               {"temperature", "seed", "num_predict"}, "unknown options")
        chat = {"model": request["model"], "messages": request["messages"]}
        if "format" in request:
            chat["response_format"] = {"type": "json_schema", "json_schema": {
                "schema": request["format"]}}
        return chat

    @staticmethod
    def write(reply, request):
        if "error" in reply and "choices" not in reply:
            error = reply["error"]
            return {"error": error["message"] if isinstance(error, dict)
                    else error}
        choice = reply["choices"][0]
        reason = {"stop": "stop", "length": "length",
                  "content_filter": "stop"}[choice["finish_reason"]]
        return {"model": request["model"], "done": True, "done_reason": reason,
                "message": {"role": "assistant",
                            "content": choice["message"]["content"]},
                "prompt_eval_count": reply["usage"]["prompt_tokens"],
                "eval_count": reply["usage"]["completion_tokens"]}


PROTOCOLS = {
    "/v1/chat/completions": None,
    "/v1/messages": Anthropic,
    "/api/chat": Ollama,
}
