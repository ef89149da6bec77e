"""An MCP server that repeats everything that it was given, in every spelling that it knows.

    echoing.py stdio [ARGUMENT...]
    echoing.py http PORT

Over HTTP it speaks Streamable HTTP at /mcp, HTTP with Server-Sent Events at /sse, and WebSocket
at /ws, whatever else the path and the query hold. It needs nothing but Python.
"""

import base64
import hashlib
import json
import os
import queue
import re
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def spellings(value):
    """The insides of JSON strings, each of which means or encodes the value."""
    plain = json.dumps(value, ensure_ascii=False)[1:-1]
    html = "".join(f"\\u{ord(c):04X}" if c in "+<>&'\"" else c for c in value)
    every = "".join(f"\\u{ord(c):04x}" for c in value)
    quoted = json.dumps(json.dumps({"value": value}))[1:-1]
    percent = urllib.parse.quote(value, safe="")
    lower = re.sub("%..", lambda escape: escape.group().lower(), percent)
    forms = [plain, plain.replace("/", "\\/"), html, every, every.upper().replace("\\U", "\\u"),
             quoted, percent, lower, urllib.parse.quote_plus(value)]
    for before in ("", "u:", "us:", "user:"):
        encoded = (before + value).encode()
        forms.append(base64.b64encode(encoded).decode())
        forms.append(base64.urlsafe_b64encode(encoded).decode())
    return " ".join(forms)


def answer(message, given):
    """The answer as text; nothing for what is no request."""
    if "id" not in message or "method" not in message:
        return None
    number = json.dumps(message["id"])
    echo = " ".join(spellings(value) for value in given + [json.dumps(message.get("params"))])
    method = message["method"]
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        result = (f'{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},'
                  f'"serverInfo":{{"name":"echoing","version":"1"}},"instructions":"{echo}"}}')
    elif method == "tools/list":
        result = ('{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":'
                  '{"password":{"type":"string"},"pin":{"type":"string","format":"password"}}}}]}')
    elif method == "tools/call":
        values = [value for value in message["params"].get("arguments", {}).values()]
        more = " ".join(spellings(str(value)) for value in values)
        result = f'{{"content":[{{"type":"text","text":"{echo} {more}"}}]}}'
    elif method == "ping":
        result = "{}"
    else:
        return (f'{{"jsonrpc":"2.0","id":{number},"error":{{"code":-32601,"message":'
                f'"Method not found: {echo}"}}}}')
    return f'{{"jsonrpc":"2.0","id":{number},"result":{result}}}'


def over_stdio(given):
    given = given + [value for name, value in os.environ.items() if name.startswith("CANARY_")]
    given.append(os.getcwd())
    for value in given:
        sys.stderr.write(f"given {value}\n{spellings(value)}\nbroken {value[:-9]}\n{value[-9:]}\n")
    sys.stderr.flush()
    for line in sys.stdin:
        text = answer(json.loads(line), given)
        if text is not None:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions = {}

    def log_message(self, *_):
        pass

    def given(self):
        """The target, its parts decoded, and the headers that are no part of HTTP."""
        parsed = urllib.parse.urlsplit(self.path)
        values = [self.path, *parsed.path.split("/")]
        values += [value for _, value in urllib.parse.parse_qsl(parsed.query)]
        for name, value in self.headers.items():
            if name.lower().startswith("x-") or name.lower() == "authorization":
                values.append(value)
                values.append(value.split(" ")[-1])
        return [value for value in values if len(value) > 7]

    def send(self, status, kind, body, headers=()):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for value in self.given():
            self.send_header("X-Echo", urllib.parse.quote(value, safe=""))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if "/ws" in self.path:
            return self.web_socket()
        if "/sse" not in self.path:
            return self.send(405, "text/plain", " ".join(self.given()))
        session, messages = f"s{len(self.sessions):031d}", queue.Queue()
        self.sessions[session] = messages
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        mark = "&" if "?" in self.path else "?"
        self.event("endpoint", f"{self.path}{mark}sessionId={session}")
        while True:
            self.event("message", messages.get())

    def event(self, name, data):
        self.wfile.write(f"event: {name}\ndata: {data}\n\n".encode())
        self.wfile.flush()

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = answer(message, self.given())
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        if "/sse" in self.path:
            if "sessionId" not in query:
                return self.send(405, "text/plain", "no session")
            if text is not None:
                self.sessions[query["sessionId"][0]].put(text)
            return self.send(202, "text/plain", "")
        if text is None:
            return self.send(202, "text/plain", "")
        if "/fails" in self.path:
            return self.send(500, "text/plain", " ".join(self.given()))
        headers = [("Mcp-Session-Id", "session-of-the-canaries-0123")]
        self.send(200, "application/json", text, headers)

    def do_DELETE(self):
        self.send(200, "text/plain", "")

    def web_socket(self):
        """RFC 6455, without fragments."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.send_response(101)
        for name, value in [("Upgrade", "websocket"), ("Connection", "Upgrade"),
                            ("Sec-WebSocket-Accept", accept)]:
            self.send_header(name, value)
        if "mcp" in self.headers.get("Sec-WebSocket-Protocol", ""):
            self.send_header("Sec-WebSocket-Protocol", "mcp")
        self.end_headers()
        self.close_connection = True
        given = self.given()
        while True:
            first = self.rfile.read(2)
            if len(first) < 2 or first[0] & 15 == 8:
                return
            length = first[1] & 127
            if length >= 126:
                length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
            mask = self.rfile.read(4)
            data = bytes(b ^ mask[i % 4] for i, b in enumerate(self.rfile.read(length)))
            text = answer(json.loads(data), given) if first[0] & 15 == 1 else None
            if text is not None:
                body = text.encode()
                size = (bytes([len(body)]) if len(body) < 126 else
                        bytes([126]) + len(body).to_bytes(2, "big") if len(body) < 65536 else
                        bytes([127]) + len(body).to_bytes(8, "big"))
                self.wfile.write(b"\x81" + size + body)
                self.wfile.flush()


def over_http(port):
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    print("listening", flush=True)
    server.serve_forever()


if sys.argv[1] == "stdio":
    over_stdio(sys.argv[2:])
else:
    over_http(int(sys.argv[2]))
