"""A file on a web server, read as it streams: one request for all of it, taken up again where it broke.

A body that is cut, stalls or is refused is asked for again from the first byte that was not delivered, on the
condition that the file is still the same. So no fault is ever taken for the file's end, and no byte of
another version is delivered.
"""

import io
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import BinaryIO, NoReturn, cast

from typing_extensions import override

from cedar.transforms.files.http_client import HttpAnswer, Web, http_faults
from cedar.transforms.files.http_options import FileChangedError, PermanentHttpError, check_url
from cedar.transforms.files.ranged_file import PositionedFile
from cedar.transforms.files.retry import TransientStorageError
from cedar.transforms.files.storage import Storage, StoredFile
from cedar.transforms.model.books import Fetched

_BLOCK = 1 << 20
_READ_ON = 1 << 20

_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_SIZE = re.compile(r"bytes \*/(\d{1,18})")
_OK, _PARTIAL, _REFUSED, _PRECONDITION_FAILED, _OUT_OF_RANGE = 200, 206, 403, 412, 416
_GONE = (404, 410)
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})


class HttpFile(PositionedFile):
    """The bytes of a URL, as stored: nothing is decompressed.

    Args:
        url, web: the file, and what sends the requests.
        stop: the file is taken to end here, if it does not before; None = it is had to its end.
        read_on: bytes ahead that are rather read and thrown away than skipped by another request.
        last: reading begins this many bytes before the end of the file, and its first request says no more.
    """

    def __init__(
        self, url: str, web: Web, stop: int | None = None, *, read_on: int = _READ_ON, last: int | None = None
    ) -> None:
        super().__init__()
        check_url(url)
        self._url = url
        self._web = web
        self._stop = stop
        self._read_on = read_on
        self._last = last
        self._state: StoredFile | None = None
        self._answer: HttpAnswer | None = None
        self._answer_at = 0
        self._retries = web.retries()

    def _whole_size(self) -> int:
        return self.state().size or 0

    def state(self) -> StoredFile:
        """Return size and version; asks for the file's bytes, if that was not done. Raises OSError."""
        with self._web.at_work():
            while self._state is None:
                try:
                    self._ask()
                except TransientStorageError as fault:
                    self._wait_and_retry(fault)
        return self._state

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read some bytes; none only at the end of the file.

        Raises FileChangedError where the file is another than it was; OSError from the store.
        """
        while len(buffer) and not (self._state is not None and self._at >= self._end):
            with self._web.at_work():
                try:
                    data = self._next(min(len(buffer), _BLOCK))
                except TransientStorageError as fault:
                    self._wait_and_retry(fault)
                    continue
            self._retries.progress(len(data))
            self._web.fetched += Fetched(bytes=len(data))
            self._at += len(data)
            buffer[: len(data)] = data
            return len(data)
        return 0

    def readall(self) -> bytes:
        """Read all that is left."""
        pieces = []
        while piece := self.read(_BLOCK):
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Let go of the connection."""
        self._disconnect()
        super().close()

    @property
    def _end(self) -> int:
        """The byte after the last that is found, of a file whose size is known."""
        assert self._state is not None
        size = self._state.size or 0
        return size if self._stop is None else min(self._stop, size)

    def _next(self, size: int) -> bytes:
        """Return the next bytes: at least one, unless the file turns out to end here."""
        if self._answer is None or not 0 <= self._at - self._answer_at <= self._read_on:
            self._ask()
        assert self._answer is not None
        assert self._state is not None
        while self._answer_at < self._at:
            self._take(min(_BLOCK, self._at - self._answer_at))
        left = self._end - self._at
        return self._take(min(size, left)) if left > 0 else b""

    def _take(self, size: int) -> bytes:
        """Return the bytes of the answer's body, at least one."""
        assert self._answer is not None
        with http_faults():
            data = self._answer.body.read1(size)
        if not data:
            raise TransientStorageError(f"the body ends at byte {self._answer_at}", cause="cut")
        self._answer_at += len(data)
        return data

    def _ask(self) -> None:
        self._disconnect()
        end = "" if self._stop is None else str(self._stop - 1)
        from_end = self._last is not None and self._state is None
        headers = {"Range": f"bytes=-{self._last}" if from_end else f"bytes={self._at}-{end}"}
        etag = "" if self._state is None else (self._state.version or "").removeprefix("etag:")
        if etag.startswith('"'):  # a strong one
            headers["If-Match"] = etag
        answer = self._web.get(self._url, headers)
        try:
            state = state_of(self._url, answer.status, answer.headers, at=None if from_end else self._at)
            if self._state not in (None, state):
                raise FileChangedError("the file changed while it was read")
        except BaseException:
            answer.close()
            raise
        if from_end:
            assert self._last is not None
            self._at = max(0, (state.size or 0) - self._last)
        self._state, self._answer, self._answer_at = state, answer, self._at

    def _wait_and_retry(self, fault: TransientStorageError) -> None:
        self._disconnect()
        self._web.wait_or_give_up(self._retries, fault)

    def _disconnect(self) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            answer.close()


def state_of(url: str, status: int, headers: Mapping[str, str], *, at: int | None) -> StoredFile:
    """Return the file that an answer is about, asked for from byte `at`; None = for its last bytes.

    Its version is `etag:...`, `mtime:...`, or None for neither. Raises the faults of `fault_of`, and
    PermanentHttpError where the server does not say how long the file is.
    """
    if status == _PARTIAL:
        found = _RANGE.fullmatch(headers.get("Content-Range", ""))
        if found is None or (at is not None and int(found[1]) != at):
            raise TransientStorageError("the answer begins at another byte than was asked for", cause="range")
        if found[3] == "*":
            raise PermanentHttpError("the server does not say how long the file is")
        return StoredFile(url, int(found[3]), _version(headers))
    if status == _OK:
        if at != 0:
            raise TransientStorageError("the server sent the whole file, not the rest of it", cause="range")
        length = headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,18}", length):
            raise PermanentHttpError("the server does not say how long the file is")
        return StoredFile(url, int(length), _version(headers))
    if status == _OUT_OF_RANGE:
        size = _SIZE.fullmatch(headers.get("Content-Range", ""))
        if size is not None and int(size[1]) == 0 and not at:
            return StoredFile(url, 0, _version(headers))
        if size is not None and at is not None and int(size[1]) <= at:
            raise PermanentHttpError(f"the file has {size[1]} bytes, none at {at}")
    raise fault_of(status, headers)


def fault_of(status: int, headers: Mapping[str, str]) -> OSError:
    """Return the fault that a status is."""
    if status in _TRANSIENT or status == _OUT_OF_RANGE:
        return TransientStorageError(
            f"the server answered {status}", cause=str(status), retry_after=_retry_after(headers)
        )
    if status in _GONE:
        return FileNotFoundError(f"no such file (the server answered {status})")
    if status == _PRECONDITION_FAILED:
        return FileChangedError("the file changed while it was read")
    return PermanentHttpError(f"the server answered {status}")


def _retry_after(headers: Mapping[str, str]) -> float:
    """Read the seconds that the server asks to wait; a date, which says it less well, is not heeded."""
    text = headers.get("Retry-After", "").strip()
    return float(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0.0


def _version(headers: Mapping[str, str]) -> str | None:
    etag = headers.get("ETag", "").strip()
    if etag:
        return f"etag:{etag}"
    try:
        changed = parsedate_to_datetime(headers.get("Last-Modified", ""))
        seconds = int(changed.timestamp())
    except (ValueError, OverflowError, TypeError):
        return None
    return f"mtime:{seconds * 10**9}"


class HttpStorage(Storage):
    """Files on web servers: read, never written or listed."""

    def __init__(self, web: Web) -> None:
        self._web = web

    @override
    def open(self, path: str) -> BinaryIO:
        return cast(BinaryIO, io.BufferedReader(HttpFile(path, self._web)))

    @override
    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        file = HttpFile(path, self._web, stop, read_on=stop - start)
        file.seek(start)
        return cast(BinaryIO, io.BufferedReader(file))

    @override
    def tail(self, path: str, size: int) -> tuple[bytes, StoredFile]:
        """Return the last bytes of a file, perhaps fewer, and its size and version, by one request."""
        with HttpFile(path, self._web, last=size) as file:
            state = file.state()
            return file.readall(), state

    @override
    def stat_open(self, path: str, file: BinaryIO) -> StoredFile:
        return cast(HttpFile, cast(io.BufferedReader, file).raw).state()

    @override
    def stat(self, path: str) -> StoredFile:
        with HttpFile(path, self._web, stop=1) as file:
            return file.state()

    @override
    def read(self, path: str) -> bytes | None:
        try:
            with HttpFile(path, self._web) as file:
                return file.readall()
        except FileNotFoundError:
            return None

    def _refuse(self, *paths: str) -> NoReturn:
        raise PermanentHttpError(
            f"{paths[-1]} cannot be written: web servers are for reading, choose another --output"
        )

    create = write = write_if_absent = stage = replace_staged = moves = delete = list = below = _refuse  # type: ignore[assignment]
