"""The chunked transfer coding, read leniently (RFC 9112, section 7.1).

Crawls hold chunks with bare line feeds, extensions, trailers, sizes that lie, and cut ends; and bodies
that the crawler has de-chunked while the header still says `chunked`.
"""

from __future__ import annotations

from dataclasses import dataclass

from transforms.decode import _chunks


@dataclass(frozen=True, slots=True)
class Dechunked:
    """Chunks put together.

    Attributes:
        data: what the chunks held.
        truncated: the last chunk is missing, or the cap cut.
    """

    data: bytes
    truncated: bool


def dechunk(body: bytes | memoryview, limit: int) -> Dechunked | None:
    """Undo the chunked coding; None where `body` does not have the form of chunks.

    A size that lies (where the chunk should end there is neither a size line nor the end of the body) is
    corrected: the chunk continues to the next line that is a size and tells the truth, or else to the end of
    the body. Linear in the length of `body`; 8 MB in chunks of one byte take some 20 ms.
    """
    joined = _chunks.join(body, limit)
    return None if joined is None else Dechunked(*joined)
