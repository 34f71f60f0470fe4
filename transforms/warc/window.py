"""A file's bytes by absolute offset: what the containers read through."""

from typing import BinaryIO

from transforms.warc.records import padding_end

_BLOCK = 1024 * 1024  # bytes of a read
_SCAN = 64 * 1024  # bytes looked at in one go for padding


class Window:
    """Bytes of a file by absolute offset, read ahead in large blocks; `bytes_in` counts repeats, too."""

    __slots__ = ("_at", "_base", "_file", "_view", "bytes_in", "size")

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._view = memoryview(b"")
        self._base = 0
        self._at = -1
        self.size = size
        self.bytes_in = 0

    def view(self, offset: int, count: int) -> memoryview:
        """View the bytes [offset, offset + count), fewer at the file's end; valid for as long as it is held.

        Raises OSError from the file, or because it is shorter than `size`.
        """
        start = offset - self._base
        if start < 0 or start + count > len(self._view):
            self._load(offset, count)
            start = offset - self._base
        return self._view[start : start + count]

    def peek(self, offset: int, count: int) -> bytes:
        """As `view`, for a look far ahead: what is buffered stays."""
        start = offset - self._base
        if start >= 0 and start + count <= len(self._view):
            return bytes(self._view[start : start + count])
        return self._read(offset, max(0, min(count, self.size - offset)))

    def skip_padding(self, offset: int) -> int:
        """Find the first offset from `offset` on that holds neither white space nor NUL; at most `size`."""
        while offset < self.size:
            view = self.view(offset, _SCAN)
            end = padding_end(view, 0, len(view))
            offset += end
            if end < len(view):
                break
        return offset

    def _load(self, offset: int, count: int) -> None:
        start, end = offset - self._base, self._base + len(self._view)
        if start >= 0 and end == self.size:
            return
        kept = bytes(self._view[start:]) if 0 <= start < len(self._view) else b""
        at = offset + len(kept)
        block = self._read(at, max(0, min(max(_BLOCK, count - len(kept)), self.size - at)))
        self._view = memoryview(kept + block if kept else block)
        self._base = offset

    def _read(self, at: int, count: int) -> bytes:
        if at != self._at:
            self._file.seek(at)
        parts, left = [], count
        while left:
            part = self._file.read(left)
            if not part:
                raise OSError(f"the file ends at byte {at + count - left}, expected were {self.size}")
            parts.append(part)
            left -= len(part)
        self._at = at + count
        self.bytes_in += count
        return parts[0] if len(parts) == 1 else b"".join(parts)
