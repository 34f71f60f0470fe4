"""A file with a position that can be moved: what all files share that are had piece by piece."""

from __future__ import annotations

import io


class PositionedFile(io.RawIOBase):
    """A readable file; what it is made of says how many bytes it has, and reads them at `_at`."""

    def __init__(self) -> None:
        super().__init__()
        self._at = 0

    def _whole_size(self) -> int:
        """Bytes of the file.

        Raises:
            OSError: that cannot be read.
        """
        raise NotImplementedError

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes; a jump may cost another request."""
        return True

    def tell(self) -> int:
        """Tell the position."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move the position; nothing is fetched, but for the size where it is not known and needed."""
        if whence == io.SEEK_CUR:
            offset += self._at
        elif whence == io.SEEK_END:
            offset += self._whole_size()
        if offset < 0:
            raise ValueError(f"negative seek position {offset}")
        self._at = offset
        return offset
