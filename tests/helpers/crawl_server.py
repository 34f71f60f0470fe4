"""A web server on the loopback, with a script of faults for each path and a log of what it was asked."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cedar.transforms.files.http_client import Web, WebConfig


@dataclass(frozen=True)
class Fault:
    """What is wrong with one answer.

    Attributes:
        status: answered instead of the file; 0 = the file.
        headers: of the answer, over those that are right; an empty value leaves one out.
        cut: bytes of the body after which the connection ends; None = it does not.
        how: `fin`, `rst` or `stall`.
        body: sent instead of the right one.
        ignores: `range` or `if-match`: what the answer takes no heed of.
    """

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None
    how: str = "fin"
    body: bytes | None = None
    ignores: str = ""


@dataclass(frozen=True)
class ReadOptions:
    """A request: path, first byte of its range or None, headers in lower case, number of the connection."""

    path: str
    first: int | None
    headers: Mapping[str, str]
    connection: int


class CrawlServer:
    """Serves `files` (path -> bytes); each request of a path takes a fault off its list in `faults`.

    A fault in the list may be None: that answer is right. `always` are faults of every request of a path.
    """

    def __init__(self, files: Mapping[str, bytes], tls: ssl.SSLContext | None = None) -> None:
        self.files = dict(files)
        self.etags: dict[str, str] = {}
        self.faults: dict[str, list[Fault | None]] = {}
        self.always: dict[str, Fault] = {}
        self.log: list[ReadOptions] = []
        self._tls = tls
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._connections: list[socket.socket] = []
        scheme = "https" if tls else "http"
        self.root = f"{scheme}://127.0.0.1:{self._socket.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def asked(self, path: str) -> list[ReadOptions]:
        """The requests of a path."""
        return [asked for asked in self.log if asked.path == path]

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), contextlib.ExitStack() as open_:
            open_.callback(connection.close)
            if self._tls is not None:
                connection = open_.enter_context(self._tls.wrap_socket(connection, server_side=True))
            with self._lock:
                self._connections.append(connection)
                number = len(self._connections)
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(65536)
                    if not piece:
                        return
                    data += piece
                head, _, data = data.partition(b"\r\n\r\n")
                if not self._answer(connection, head.decode("latin-1"), number):
                    return

    def _answer(self, connection: socket.socket, head: str, number: int) -> bool:
        """Answer one request; whether the connection goes on."""
        lines = head.split("\r\n")
        path = lines[0].split(" ")[1].lstrip("/")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:])}
        span = re.fullmatch(r"bytes=(\d*)-(\d*)", headers.get("range", ""))
        with self._lock:
            self.log.append(ReadOptions(path, int(span[1]) if span and span[1] else None, headers, number))
            listed = self.faults.get(path)
            fault = (listed.pop(0) if listed else self.always.get(path)) or Fault()
        status, right, body = self._right(path, span if fault.ignores != "range" else None)
        etag = self.etags.get(path, '"v1"')
        wanted = headers.get("if-match")
        if wanted not in (None, etag) and fault.ignores != "if-match" and status < 300:
            status, right, body = 412, {}, b""
        if fault.status:
            status, right, body = fault.status, {}, fault.body or b""
        elif fault.body is not None:
            body = fault.body
        sent = {"ETag": etag, "Content-Length": str(len(body)), **right, **fault.headers}
        text = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value)
        message = f"HTTP/1.1 {status} Answer\r\n{text}\r\n".encode() + body
        if fault.cut is None:
            connection.sendall(message)
            return sent["Content-Length"] == str(len(body))
        connection.sendall(message[: len(message) - len(body) + fault.cut])
        if fault.how == "stall":
            connection.recv(1)  # until the other side hangs up
        elif fault.how == "rst":
            # What was sent is to arrive before the reset does.
            time.sleep(0.02)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            return False
        return False

    def _right(self, path: str, span: re.Match[str] | None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body that are right."""
        body = self.files.get(path)
        if body is None:
            return 404, {}, b"no such file"
        if span is None:
            return 200, {}, body
        # Without a first byte it is the last so many that are asked for.
        first = int(span[1]) if span[1] else max(0, len(body) - int(span[2]))
        if first >= len(body):
            return 416, {"Content-Range": f"bytes */{len(body)}"}, b""
        stop = min(len(body), int(span[2]) + 1) if span[1] and span[2] else len(body)
        return 206, {"Content-Range": f"bytes {first}-{stop - 1}/{len(body)}"}, body[first:stop]


@contextlib.contextmanager
def crawl_server(files: Mapping[str, bytes], tls: ssl.SSLContext | None = None) -> Iterator[CrawlServer]:
    """A server for as long as the context lasts."""
    server = CrawlServer(files, tls)
    try:
        yield server
    finally:
        server.close()


class FakeClock:
    """A clock that goes only when somebody sleeps, and notes why."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[tuple[float, str]] = []

    def now(self) -> float:
        """The time."""
        return self.time

    def sleep(self, seconds: float, why: str) -> None:
        """Go on."""
        self.slept.append((seconds, why))
        self.time += seconds

    def waits(self, why: str) -> list[float]:
        """How long was slept for one reason."""
        return [seconds for seconds, reason in self.slept if reason == why]


def patient_web(clock: FakeClock, options: WebConfig | None = None) -> Web:
    """A `Web` that no test has to wait for."""
    return Web(options or WebConfig(timeouts=(10.0, 10.0)), sleep=clock.sleep, now=clock.now)
