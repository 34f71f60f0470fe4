"""Stores for tests: one held in memory, and servers that speak as Amazon's and Google's do."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from unittest import mock

from transforms.corpus.object_stores import StoredObject

NO_S3 = "needs boto3 and moto: make test-deploy has them"
NO_GCS = "needs google-cloud-storage, and FAKE_GCS_SERVER to name a program: make test-deploy has both"


class Memory:
    """A store's client; `cut` makes copies lose their end, `keep` makes deletes fail."""

    def __init__(self, *, cut: bool = False, keep: bool = False) -> None:
        self.contents: dict[str, bytes] = {}
        self.ranges: list[tuple[int, int]] = []
        self._cut = cut
        self._keep = keep

    def find(self, path: str) -> StoredObject | None:
        if path not in self.contents:
            return None
        content = self.contents[path]
        return StoredObject(path, len(content), datetime(2026, 1, 2, tzinfo=UTC), str(hash(content)))

    def objects(self, prefix: str, *, deep: bool) -> Iterator[StoredObject]:
        for path in sorted(self.contents):
            rest = path.removeprefix(prefix)
            if path.startswith(prefix) and (deep or "/" not in rest) and (found := self.find(path)):
                yield found

    def fetch(self, found: StoredObject, start: int, stop: int) -> bytes:
        if self.find(found.path) != found:
            raise OSError(f"{found.path} changed while it was read")
        self.ranges.append((start, stop))
        return self.contents[found.path][start:stop]

    def fetch_now(self, path: str, start: int, stop: int) -> bytes:
        if path not in self.contents:
            raise FileNotFoundError(path)
        self.ranges.append((start, stop))
        return self.contents[path][start:stop]

    def read(self, path: str) -> bytes | None:
        return self.contents.get(path)

    def put(self, path: str, file: BinaryIO) -> None:
        self.contents[path] = file.read()
        file.close()  # as clients of stores do

    def put_if_absent(self, path: str, content: bytes) -> bool:
        return self.contents.setdefault(path, content) is content

    def copy(self, source: str, target: str) -> bool:
        if source not in self.contents:
            return False
        self.contents[target] = self.contents[source][: -1 if self._cut else None]
        return True

    def delete(self, path: str) -> None:
        if self._keep:
            raise PermissionError(path)
        self.contents.pop(path, None)


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


def has_gcs_server() -> bool:
    """Whether a program that speaks as Google Cloud Storage is named."""
    return bool(os.environ.get("FAKE_GCS_SERVER"))


@contextlib.contextmanager
def gcs_server(bucket: str, directory: Path) -> Iterator[str]:
    """A bucket on a server that speaks as Google Cloud Storage; its program is written in Go."""
    from google.cloud import storage

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    host = f"127.0.0.1:{port}"
    options = ["-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-public-host", host]
    command = [os.environ["FAKE_GCS_SERVER"], *options, "-backend", "memory"]
    with (directory / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        with mock.patch.dict(os.environ, {"STORAGE_EMULATOR_HOST": f"http://{host}"}):
            client = storage.Client.create_anonymous_client()
            client.project = "test"
            client.create_bucket(bucket)
            yield f"gs://{bucket}"
        server.kill()
