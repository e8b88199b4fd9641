"""A scripted endpoint on a real socket: it answers what a test tells it, and counts."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
Script = Callable[[dict[str, Any], int], Answer]


def chat(content: Any, *, finish_reason: str = "stop", **message: Any) -> Answer:
    """A chat completion with this content."""
    choice = {
        "index": 0,
        "finish_reason": finish_reason,
        "message": {"role": "assistant", "content": content, **message},
    }
    return json_answer(
        200,
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "peer-1",
            "system_fingerprint": "fp_peer",
            "choices": [choice],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        },
    )


def json_answer(status: int, body: Any, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"content-type": "application/json", **named}, json.dumps(body).encode()


def error(status: int, message: str, *, param: str = "", code: str = "", **headers: str) -> Answer:
    body = {"error": {"message": message, "type": "x", "param": param or None, "code": code}}
    return json_answer(status, body, **headers)


def all_threes(request: dict[str, Any], number: int) -> Answer:
    """A valid reply: 3 for every item that the last message lists."""
    text = request["messages"][-1]["content"]
    n_items = 20 if "Interested" in text else 12
    return chat("\n".join(f"{n}. 3" for n in range(1, n_items + 1)))


@dataclass
class Peer:
    """What was asked, when, and how much of it at once."""

    address: str = ""
    script: Script = all_threes
    delay_s: float = 0.0
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, body: dict[str, Any], headers: dict[str, str]) -> Answer:
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            number = len(self.requests)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            time.sleep(self.delay_s)
            return self.script(body, number)
        finally:
            with self.lock:
                self.at_once -= 1


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def serving(**settings: Any) -> Iterator[Peer]:
    """A peer on a free port of the loopback for as long as the block lasts."""
    peer = Peer(**settings)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {k.lower(): v for k, v in self.headers.items()}
            status, sent, content = peer.answer(body, headers)
            self.send_response(status)
            for name, value in sent.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """The test's own output is enough."""

    server = Server(("127.0.0.1", 0), Handler)
    peer.address = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield peer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
