"""A small server that speaks S3, out of a sorted table, and counts what it is asked.

It knows what Cedar asks of a store: lists, reads, conditional writes, copies, deletes, uploads in parts.
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import os
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

_PAGE = 1000
_DATE = "2026-01-01T00:00:00.000Z"
_HTTP_DATE = "Thu, 01 Jan 2026 00:00:00 GMT"


class ObjectServer(ThreadingHTTPServer):
    """Objects by bucket and key, as `bucket/key`.

    Attributes:
        asked: how many requests of each kind were answered: LIST, GET, HEAD, PUT, PART, COPY, DELETE.
        uploads: the parts that have come of each upload in parts that has not ended, by its number.
        paths: the kind and the path of each, in order, where `keeps_paths`.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.lock = threading.Lock()
        self._names: list[str] = []
        self._objects: dict[str, tuple[int, str, bytes]] = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is no fault."""

    @property
    def names(self) -> list[str]:
        """The names of all objects, in order."""
        return list(self._names)

    def get(self, name: str) -> tuple[int, str, bytes] | None:
        """Size, entity tag and content of an object."""
        return self._objects.get(name)

    def fill(self, objects: dict[str, bytes | int]) -> None:
        """Put many objects; of one that is only ever listed its size is enough."""
        for name, content in objects.items():
            size, held = (content, b"") if isinstance(content, int) else (len(content), content)
            self._objects[name] = (
                size,
                hashlib.md5(name.encode() + held, usedforsecurity=False).hexdigest(),
                held,
            )
        self._names = sorted(self._objects)

    def put(
        self, name: str, content: bytes, *, only_if_absent: bool = False, only_if: str | None = None
    ) -> str | None:
        """Put an object, if there is none or the one of an entity tag; its new tag, None where not."""
        tag = hashlib.md5(content, usedforsecurity=False).hexdigest()
        with self.lock:
            there = self._objects.get(name)
            if only_if is not None and (there is None or there[1] != only_if.strip('"')):
                return None
            if there is None:
                bisect.insort(self._names, name)
            elif only_if_absent:
                return None
            self._objects[name] = len(content), tag, content
        return tag

    def delete(self, name: str) -> None:
        """Delete an object, if it is there."""
        with self.lock:
            if self._objects.pop(name, None) is not None:
                del self._names[bisect.bisect_left(self._names, name)]

    def listed(self, bucket: str, prefix: str, after: str) -> tuple[list[tuple[str, int, str]], bool]:
        """Key, size and tag of up to a thousand objects, and whether there are more."""
        found = []
        with self.lock:
            first = max(
                bisect.bisect_left(self._names, f"{bucket}/{prefix}"), bisect.bisect_right(self._names, after)
            )
            for name in self._names[first : first + _PAGE + 1]:
                if not name.startswith(f"{bucket}/{prefix}"):
                    break
                found.append((name.partition("/")[2], *self._objects[name][:2]))
        return found[:_PAGE], len(found) > _PAGE


@contextlib.contextmanager
def object_server() -> Iterator[ObjectServer]:
    """A server that the environment names as that of S3."""
    server = ObjectServer()
    settings = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_address[1]}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with mock.patch.dict(os.environ, settings):
        yield server
    server.shutdown()
    server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ObjectServer

    def log_message(self, *_: Any) -> None:
        pass

    @property
    def _name(self) -> str:
        return unquote(urlsplit(self.path).path)[1:]

    @property
    def _query(self) -> dict[str, str]:
        return {k: v[0] for k, v in parse_qs(urlsplit(self.path).query, keep_blank_values=True).items()}

    def do_GET(self) -> None:
        query = self._query
        if query.get("list-type") == "2":
            self._list(query)
        else:
            self._read("GET")

    def do_HEAD(self) -> None:
        self._read("HEAD")

    def _read(self, kind: str) -> None:
        self.server.asked[kind] += 1
        there = self.server.get(self._name)
        if there is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        size, tag, content = there
        headers = {"ETag": f'"{tag}"', "Last-Modified": _HTTP_DATE}
        if kind == "HEAD":
            self._answer(200, b"", {**headers, "Content-Length": str(size)})
            return
        span = self.headers.get("Range")
        if span is None:
            self._answer(200, content, headers)
            return
        start, _, stop = span.removeprefix("bytes=").partition("-")
        part = content[int(start) : int(stop) + 1] if start else content[-int(stop) :]
        first = int(start) if start else size - len(part)
        headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{size}"
        self._answer(206, part, headers)

    def _list(self, query: dict[str, str]) -> None:
        self.server.asked["LIST"] += 1
        bucket = self._name.rstrip("/")
        after = query.get("continuation-token") or query.get("start-after") or ""
        prefix = query.get("prefix", "")
        found, more = self.server.listed(bucket, prefix, f"{bucket}/{after}")
        folders: list[str] = []
        if query.get("delimiter"):
            parts_after = [key.removeprefix(prefix).partition("/") for key, _, _ in found]
            below = {f"{prefix}{name}/" for name, slash, _ in parts_after if slash}
            folders = [
                f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(below)
            ]
            found = [one for one in found if "/" not in one[0].removeprefix(prefix)]
        parts = [
            f"<Contents><Key>{escape(key)}</Key><LastModified>{_DATE}</LastModified>"
            f'<ETag>"{tag}"</ETag><Size>{size}</Size></Contents>'
            for key, size, tag in found
        ]
        entries = "".join([*parts, *folders])
        token = f"<NextContinuationToken>{escape(found[-1][0])}</NextContinuationToken>" if more else ""
        text = (
            f"<ListBucketResult><Name>{bucket}</Name><KeyCount>{len(found)}</KeyCount><MaxKeys>{_PAGE}</MaxKeys>"
            f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{entries}</ListBucketResult>"
        )
        self._answer(200, text.encode())

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if "uploadId" in self._query:
            self._take_part(body)
            return
        source = self.headers.get("x-amz-copy-source")
        self.server.asked["PUT" if source is None else "COPY"] += 1
        if source is not None:
            there = self.server.get(unquote(source).lstrip("/"))
            if there is None:
                self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
                return
            tag = self.server.put(self._name, there[2])
            self._answer(200, f'<CopyObjectResult><ETag>"{tag}"</ETag></CopyObjectResult>'.encode())
            return
        tag = self.server.put(
            self._name,
            body,
            only_if_absent=self.headers.get("If-None-Match") == "*",
            only_if=self.headers.get("If-Match"),
        )
        if tag is None:
            self._answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
        else:
            self._answer(200, b"", {"ETag": f'"{tag}"'})

    def _take_part(self, body: bytes) -> None:
        self.server.asked["PART"] += 1
        parts = self.server.uploads.get(self._query["uploadId"])
        if parts is None:
            self._answer(404, b"<Error><Code>NoSuchUpload</Code></Error>")
            return
        parts[int(self._query["partNumber"])] = body
        self._answer(200, b"", {"ETag": f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"'})

    def _upload(self) -> None:
        """Begin an upload in parts, or end it."""
        self.server.asked["PART"] += 1
        number = self._query.get("uploadId")
        if number is None:
            number = uuid.uuid4().hex
            self.server.uploads[number] = {}
            answer = f"<UploadId>{number}</UploadId>"
            self._answer(
                200, f"<InitiateMultipartUploadResult>{answer}</InitiateMultipartUploadResult>".encode()
            )
            return
        parts = self.server.uploads.pop(number, None)
        if parts is None:
            self._answer(404, b"<Error><Code>NoSuchUpload</Code></Error>")
            return
        tag = self.server.put(self._name, b"".join(parts[part] for part in sorted(parts)))
        answer = f'<ETag>"{tag}"</ETag>'
        self._answer(200, f"<CompleteMultipartUploadResult>{answer}</CompleteMultipartUploadResult>".encode())

    def do_DELETE(self) -> None:
        self.server.asked["DELETE"] += 1
        if "uploadId" in self._query:
            self.server.uploads.pop(self._query["uploadId"], None)
        else:
            self.server.delete(self._name)
        self._answer(204, b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if "delete" not in self._query:
            self._upload()
            return
        self.server.asked["DELETE"] += 1
        bucket = self._name.rstrip("/")
        deleted = []
        for element in ElementTree.fromstring(body).iter():
            if element.tag.rpartition("}")[2] == "Key":
                self.server.delete(f"{bucket}/{element.text}")
                deleted.append(f"<Deleted><Key>{escape(element.text or '')}</Key></Deleted>")
        self._answer(200, f"<DeleteResult>{''.join(deleted)}</DeleteResult>".encode())

    def _answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response_only(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if self.command != "HEAD" or "Content-Length" not in (headers or {}):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
