"""What an answer to a request for the bytes of a file from some byte on says, and whether to believe it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from transforms.files.http_patience import TransientError

_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)")
_SIZE = re.compile(r"bytes \*/(\d{1,18})")
_OK, _PARTIAL, _REFUSED, _PRECONDITION_FAILED, _OUT_OF_RANGE = 200, 206, 403, 412, 416
_GONE = (404, 410)
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_COMPLAINTS = frozenset({403, 429, 503})


class FileChangedError(OSError):
    """A file is another than it was when it began to be read."""


class NotHadError(OSError):
    """A server refuses for good to give a file."""


@dataclass(frozen=True, slots=True)
class RemoteState:
    """A file as an answer has it.

    Attributes:
        size: bytes of the whole file.
        version: `etag:...` or `mtime:...`, or None where the server tells neither.
    """

    size: int
    version: str | None

    @property
    def strong_etag(self) -> str | None:
        """The etag, if it may be asked for with `If-Match`."""
        kind, _, etag = (self.version or "").partition(":")
        return etag if kind == "etag" and etag.startswith('"') else None


def is_complaint(status: int) -> bool:
    """Tell whether a status says that requests come too fast."""
    return status in _COMPLAINTS


def state_of(status: int, headers: Mapping[str, str], at: int | None) -> RemoteState:
    """Return the file that an answer is about, whose body begins at byte `at`.

    Args:
        status: HTTP status.
        headers: the answer's; keys are compared without regard to case.
        at: the byte from which the file was asked for; None = for its last bytes.

    Raises:
        TransientError: a fault that may pass.
        FileNotFoundError: there is no such file.
        FileChangedError: it is another than the one that was asked for.
        NotHadError: the server refuses, or does not say how long the file is.
    """
    if status == _PARTIAL:
        found = _RANGE.fullmatch(headers.get("Content-Range", ""))
        if found is None or (at is not None and int(found[1]) != at):
            raise TransientError("range", "the answer begins at another byte than was asked for")
        if found[3] == "*":
            raise NotHadError("the server does not say how long the file is")
        return RemoteState(int(found[3]), _version(headers))
    if status == _OK:
        if at != 0:
            raise TransientError("range", "the server sent the whole file, not the rest of it")
        length = headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,18}", length):
            raise NotHadError("the server does not say how long the file is")
        return RemoteState(int(length), _version(headers))
    if status == _OUT_OF_RANGE:
        size = _SIZE.fullmatch(headers.get("Content-Range", ""))
        if size is not None and int(size[1]) == 0 and not at:
            return RemoteState(0, _version(headers))
        if size is not None and at is not None and int(size[1]) <= at:
            raise NotHadError(f"the file has {size[1]} bytes, none at {at}")
    raise fault_of(status, headers)


def fault_of(status: int, headers: Mapping[str, str]) -> OSError:
    """Return the fault that a status is."""
    if status in _PASSING or status == _OUT_OF_RANGE:
        return TransientError(str(status), f"the server answered {status}", _retry_after(headers))
    if status in _GONE:
        return FileNotFoundError(f"no such file (the server answered {status})")
    if status == _PRECONDITION_FAILED:
        return FileChangedError("the file changed while it was read")
    return NotHadError(f"the server answered {status}")


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that the server asks to wait; a date, which says the same less well, is not heeded."""
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
