"""A sample of pages: those whose URLs have the smallest hashes.

A URL is in the sample or not, whoever asks and in whatever order. So workers, splits and commands agree, and
the smaller of two samples of a seed is part of the larger.
"""

import hashlib
import heapq
from collections.abc import Iterable
from dataclasses import dataclass

_HASHES = 1 << 64


@dataclass(frozen=True, slots=True)
class SampleSize:
    """A share of all URLs, between 0 and 1, or a number of pages: one of the two is None."""

    share: float | None = None
    number: int | None = None

    def __str__(self) -> str:
        """Return the size as the command line takes it."""
        return f"{self.share * 100:g}%" if self.share is not None else str(self.number)


@dataclass(frozen=True, slots=True)
class UrlSample:
    """The URLs whose hashes are below `bound`."""

    bound: int
    seed: int = 0

    def has(self, url: str) -> bool:
        """Tell whether the pages of a URL are in the sample."""
        return url_hash(url, self.seed) < self.bound


def url_hash(url: str, seed: int) -> int:
    """Return the BLAKE2b-64 of a seed and a URL, as an integer."""
    text = f"{seed}\t{url}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())


def sample_of(size: SampleSize, seed: int, urls: Iterable[str]) -> UrlSample:
    """Return the sample of a size.

    Args:
        size: the size; a number of pages is exceeded if the last URL has several.
        seed: another seed gives another sample.
        urls: the URL of every page; a share does not need them.
    """
    if size.share is not None:
        return UrlSample(int(size.share * _HASHES), seed)
    assert size.number is not None
    smallest = heapq.nsmallest(size.number, (url_hash(url, seed) for url in urls))
    return UrlSample(smallest[-1] + 1 if len(smallest) == size.number else _HASHES, seed)
