"""Stores for tests: one held in memory, and servers that speak as Amazon's, Google's and Microsoft's do.

`Proxy` stands before a server: it breaks answers by a seed, and can speak Google's dialect of S3.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import http.client
import importlib.util
import json
import os
import random
import socket
import struct
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock
from urllib.parse import quote, unquote

from obstore.store import MemoryStore

from cedar.transforms.files.object_stores import ObjectStorage

NO_S3 = "needs moto: nox -s deploy has it"
NO_AZURE = "needs AZURITE to name the program of a server: nox -s deploy has it"
_AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
_ACCOUNT = "devstoreaccount1"


class Memory:
    """A store in memory; `keep` makes deletes fail.

    `faults` are raised by the next requests, whatever they are.
    """

    def __init__(self, *, keep: bool = False) -> None:
        self.store = MemoryStore()
        self.faults: list[Exception] = []
        self.ranges: list[tuple[int, int]] = []
        self.deletes: list[list[str]] = []
        self.waits: list[float] = []
        self._keep = keep

    @property
    def storage(self) -> ObjectStorage:
        return ObjectStorage(lambda _root, _again: self, self.waits.append)

    @property
    def contents(self) -> dict[str, bytes]:
        paths = [found["path"] for chunk in self.store.list() for found in chunk]
        return {f"s3://b/{path}": bytes(self.store.get(path).bytes()) for path in paths}

    def fill(self, contents: Mapping[str, bytes]) -> None:
        for path, content in contents.items():
            self.store.put(path.removeprefix("s3://b/"), content)

    def __getattr__(self, name: str) -> Any:
        if self.faults:
            raise self.faults.pop(0)
        return getattr(self.store, name)

    def get(self, key: str, *, options: Any = None) -> Any:
        if self.faults:
            raise self.faults.pop(0)
        if options and "range" in options:
            self.ranges.append(options["range"])
        return self.store.get(key, options=options)

    def copy(self, source: str, target: str) -> None:
        if self.faults:
            raise self.faults.pop(0)
        self.store.copy(source, target)

    def delete(self, keys: str | list[str]) -> None:
        self.deletes.append([keys] if isinstance(keys, str) else keys)
        if self._keep:
            raise PermissionError(keys)
        for key in self.deletes[-1]:
            with contextlib.suppress(FileNotFoundError):
                self.store.delete(key)


@dataclass(frozen=True)
class Faults:
    """The shares of requests that are broken, by a seed.

    `refused`: 503; `reset`: the connection is reset before the request reaches the server; `cut`: half of the
    answer's body comes; `lost`: the request was carried out, its answer does not come.
    `unlisted`: listing is refused.
    """

    seed: int = 0
    refused: float = 0.0
    reset: float = 0.0
    cut: float = 0.0
    lost: float = 0.0
    unlisted: bool = False

    def draw(self, number: int) -> str:
        """What becomes of a request, by its number."""
        drawn = random.Random(f"{self.seed} {number}").random()
        for name in ("refused", "reset", "cut", "lost"):
            drawn -= getattr(self, name)
            if drawn < 0:
                return name
        return "well"


class Proxy(ThreadingHTTPServer):
    """Passes requests on to a server of S3.

    Args:
        upstream: its host and port.
        faults: what is broken.
        google: requests and answers are those of Google's XML API.
    """

    daemon_threads = True

    def __init__(
        self, upstream: tuple[str, int], faults: Faults | None = None, *, google: bool = False
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.upstream = upstream
        self.faults = faults
        self.google = google
        self.met: dict[str, int] = {}
        self.signatures: list[str] = []
        self._numbers = 0
        self._lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def draw(self) -> str:
        with self._lock:
            self._numbers += 1
            drawn = self.faults.draw(self._numbers)
            self.met[drawn] = self.met.get(drawn, 0) + 1
            return drawn

    def handle_error(self, *_: Any) -> None:
        """Connections break: that is what this is for."""


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Proxy

    def log_message(self, *_: Any) -> None:
        pass

    def _pass(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.signatures.append(self.headers.get("Authorization", ""))
        fate = self.server.draw()
        if fate == "reset":
            self._reset()
            return
        if self.server.faults.unlisted and "list-type=2" in self.path:
            self._answer(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
            return
        if fate == "refused":
            self._answer(503, {}, b"<Error><Code>SlowDown</Code></Error>")
            return
        upstream = http.client.HTTPConnection(*self.server.upstream, timeout=60)
        path, headers = self.path, dict(self.headers.items())
        if self.server.google:
            place, mark, query = path.partition("?")
            path, headers = quote(unquote(place)) + mark + query, _amazon(headers)
        upstream.request(self.command, path, body, headers)
        answer = upstream.getresponse()
        content = answer.read()
        upstream.close()
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in _HOP_BY_HOP}
        if self.command != "HEAD":
            headers.pop("Content-Length", None)
        if self.server.google:
            headers["x-goog-generation"] = str(
                int(hashlib.sha256(answer.headers.get("ETag", "").encode()).hexdigest()[:12], 16)
            )
        if fate == "lost":
            self._reset()
            return
        self._answer(answer.status, headers, content, cut=fate == "cut")

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _pass  # noqa: N815

    def _answer(self, status: int, headers: Mapping[str, str], content: bytes, *, cut: bool = False) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.command != "HEAD" or "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if cut else content)
        if cut:
            self._reset()

    def _reset(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.wfile.flush()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()


_HOP_BY_HOP = ("transfer-encoding", "connection", "keep-alive")
_GOOGLE = {"x-goog-copy-source": "x-amz-copy-source", "x-goog-metadata-directive": "x-amz-metadata-directive"}
_SIGNATURE = "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4, SignedHeaders=host, Signature=0"


def _amazon(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a request, Google's as Amazon's."""
    changed = {
        _GOOGLE.get(name.lower(), name): value
        for name, value in headers.items()
        if name.lower() != "authorization"
    }
    if changed.pop("x-goog-if-generation-match", None) == "0":
        changed["If-None-Match"] = "*"
    changed["Authorization"] = _SIGNATURE
    return changed


def has_moto() -> bool:
    """Whether the package of S3's server is installed."""
    return importlib.util.find_spec("moto") is not None


@contextlib.contextmanager
def s3_server(bucket: str) -> Iterator[str]:
    """A bucket on a server of this process, reached as any other through the environment; its URI."""
    from boto3.session import Session
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    settings = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with mock.patch.dict(os.environ, settings):
        Session().client("s3").create_bucket(Bucket=bucket)
        yield f"s3://{bucket}"
    server.stop()


@contextlib.contextmanager
def proxied(faults: Faults, *, google: bool = False) -> Iterator[Proxy]:
    """A proxy before the server of S3 that the environment names, which names the proxy meanwhile."""
    host, _, port = os.environ["AWS_ENDPOINT_URL"].removeprefix("http://").partition(":")
    proxy = Proxy((host, int(port)), faults, google=google)
    with mock.patch.dict(os.environ, {"AWS_ENDPOINT_URL": proxy.url}):
        yield proxy
    proxy.shutdown()
    proxy.server_close()


@contextlib.contextmanager
def gcs_server(bucket: str) -> Iterator[str]:
    """A bucket on S3's server before which a proxy speaks Google's XML API, as obstore does; its URI."""
    with s3_server(bucket), proxied(Faults(), google=True) as proxy:
        account = {"gcs_base_url": proxy.url, "disable_oauth": True} | dict.fromkeys(_NO_ACCOUNT, "")
        with mock.patch.dict(os.environ, {"GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps(account)}):
            yield f"gs://{bucket}"


_NO_ACCOUNT = ("client_email", "private_key", "private_key_id")


@contextlib.contextmanager
def azure_server(container: str) -> Iterator[str]:
    """A container on Microsoft's own emulator, whose program `AZURITE` names; its URI."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry"]
    endpoint = f"http://127.0.0.1:{port}/{_ACCOUNT}"
    with subprocess.Popen([os.environ["AZURITE"], *options, "--blobPort", str(port)]) as server:
        try:
            _make_container(endpoint, container)
            settings = {
                "AZURE_STORAGE_ACCOUNT_NAME": _ACCOUNT,
                "AZURE_STORAGE_ACCOUNT_KEY": _AZURE_KEY,
                "AZURE_STORAGE_ENDPOINT": endpoint,
            }
            with mock.patch.dict(os.environ, settings):
                yield f"az://{container}"
        finally:
            server.kill()


def _make_container(endpoint: str, container: str) -> None:
    """Create a container, as soon as the server is there."""
    date, version = formatdate(usegmt=True), "2021-08-06"
    signed = (
        f"PUT{chr(10) * 12}x-ms-date:{date}\nx-ms-version:{version}\n"
        f"/{_ACCOUNT}/{_ACCOUNT}/{container}\nrestype:container"
    )
    key = hmac.new(base64.b64decode(_AZURE_KEY), signed.encode(), hashlib.sha256).digest()
    headers = {
        "x-ms-date": date,
        "x-ms-version": version,
        "Authorization": f"SharedKey {_ACCOUNT}:{base64.b64encode(key).decode()}",
        "Content-Length": "0",
    }
    request = urllib.request.Request(
        f"{endpoint}/{container}?restype=container", method="PUT", headers=headers
    )
    for _ in range(300):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(request).close()
            return
        time.sleep(0.1)
    raise OSError("the server of Azure does not start")
