"""Duplicates among pages: records of keys, and from them the edges between pages that share one.

A **record** is a row of 64-bit words, a key (the two halves of a text's digest, a band's key, a URL's hash)
and after it a page, by number from 0. Each page of a key has an **edge** to its first page; groups come out
of sorting, in runs that wait in files. **Clusters** are the connected components of edges, the root of one
its least page: disjoint sets in an array of all pages (`unite`). Nothing here depends on the order in which
records come. The plain definition: `tests/oracles/duplicates.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.curation import _duplicates

Words = NDArray[np.uint64]
"""Records or edges: uint64, shape (rows, words)."""

TEXT_WORDS = 3
"""Words of a record of a text."""

KEY_WORDS = 2
"""Words of a record of a band or a URL."""

LINE_WORDS = 3
"""Words of a record of a line."""

LINE_BITS = 32
"""The low bits of a place: the number of a line on its page; the high bits are the page."""

_MIN_ROWS = 256

MAX_PAGES = (1 << 32) - 1
"""The largest number of pages that an array can tell apart."""

PAGE_BYTES = 5
"""Memory of `unite` for each page."""

_PAGES_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True)
class PageKeys:
    """The keys by which some pages are compared.

    Attributes:
        first: number of the first page; the others follow.
        takes_part: bool, shape (pages,): whether a page is compared with others.
        digests: uint64, shape (pages, 2): of the texts.
        has_text: bool, shape (pages,): empty texts are not equal to each other.
        urls: uint64, shape (pages,): hashes of the URLs.
        keys: uint64, shape (pages, bands): keys of the bands.
        is_signed: bool, shape (pages,): has such keys; a text of fewer than five tokens has none.
        scopes: uint64, shape (pages,): only pages of one scope are compared.
    """

    first: int
    takes_part: NDArray[np.bool_]
    digests: Words
    has_text: NDArray[np.bool_]
    urls: Words
    keys: Words
    is_signed: NDArray[np.bool_]
    scopes: Words

    def __len__(self) -> int:
        return len(self.takes_part)


def text_records(pages: PageKeys, *, only_signed: bool = False) -> Words:
    """Make the records of texts, shape (pages with a text, 3), of all pages or `only_signed` ones."""
    (rows,) = np.nonzero(pages.takes_part & pages.has_text & (pages.is_signed | (not only_signed)))
    records = np.empty((len(rows), TEXT_WORDS), np.uint64)
    records[:, 0] = pages.digests[rows, 0] ^ pages.scopes[rows]
    records[:, 1] = pages.digests[rows, 1]
    records[:, 2] = rows + pages.first
    return records


def band_records(pages: PageKeys) -> Words:
    """Make the records of bands, shape (distinct texts that have keys x bands, 2).

    Only the first page of each text has records; the records of texts tie the other pages to it.
    """
    texts = text_records(pages, only_signed=True)
    if len(texts):
        _duplicates.sort(texts, np.empty_like(texts))
    wanted = pages.takes_part & pages.is_signed
    wanted[_duplicates.Groups(TEXT_WORDS).edges(texts)[:, 0] - np.uint64(pages.first)] = False
    (rows,) = np.nonzero(wanted)
    records = np.empty((len(rows), pages.keys.shape[1], KEY_WORDS), np.uint64)
    records[:, :, 0] = pages.keys[rows] ^ pages.scopes[rows, None]
    records[:, :, 1] = (rows + pages.first)[:, None]
    return records.reshape(-1, KEY_WORDS)


def url_records(pages: PageKeys) -> Words:
    """Make the records of URLs, shape (pages, 2)."""
    (rows,) = np.nonzero(pages.takes_part)
    return np.stack([pages.urls[rows] ^ pages.scopes[rows], (rows + pages.first).astype(np.uint64)], axis=1)


def line_records(lines: Sequence[Sequence[str]], scopes: Sequence[str], first: int) -> Words:
    """Make the records of the lines of some pages, shape (lines, 3).

    Args:
        lines: the distinct lines of each page.
        scopes: of each page; only lines of one scope are compared.
        first: number of the first page; the others follow.
    """
    digests: list[bytes] = []
    places: list[int] = []
    for page, (on_page, scope) in enumerate(zip(lines, scopes, strict=True), first):
        for number, line in enumerate(on_page):
            digests.append(blake2b(f"{scope}\n{line}".encode(), digest_size=16).digest())
            places.append(page << LINE_BITS | number)
    records = np.empty((len(digests), LINE_WORDS), np.uint64)
    records[:, :2] = np.frombuffer(b"".join(digests), "<u8").reshape(len(digests), 2)
    records[:, 2] = places
    return records


def common_places(
    blocks: Iterable[Words], min_pages: int, memory: int, *, folder: Path
) -> Iterator[NDArray[np.uint64]]:
    """Find the places of the lines that `min_pages` pages or more have.

    Yields uint64 (places, 2): a place (page and line), and how many pages have the line, for the first of
    its places, or 0. `blocks` are records of lines in any order; memory, folder and errors as of `edges_in`.
    """
    keys = _duplicates.CommonKeys(min_pages)
    for some in in_order(blocks, LINE_WORDS, memory, folder=folder):
        yield keys.places(some)
    yield keys.last()


def spread(records: Words, bits: int, width: int = 64) -> list[Words]:
    """Split records by the first `bits` of the `width` bits of their first word: 2 ** bits parts."""
    grouped, starts = _duplicates.spread(np.ascontiguousarray(records), bits, width)
    return [grouped[starts[part] : starts[part + 1]] for part in range(len(starts) - 1)]


def edges_in(blocks: Iterable[Words], words: int, memory: int, *, folder: Path) -> Iterator[Words]:
    """Find the edges, uint64 (edges, 2), between pages with one key: a page, and the first one that has it.

    `blocks` are records of `words` words in any order. This takes at most `memory` bytes besides the current
    block; sorted runs are kept in `folder`, and deleted in the end.

    Raises OSError: a run cannot be written.
    """
    groups = _duplicates.Groups(words)
    for some in in_order(blocks, words, memory, folder=folder):
        yield groups.edges(some)


def in_order(blocks: Iterable[Words], words: int, memory: int, *, folder: Path) -> Iterator[Words]:
    """Sort records by all their words, in pieces; arguments as of `edges_in`."""
    # Four times a chunk: itself, room to sort it, the rows being read, and its edges.
    chunk = max(_MIN_ROWS, memory // (4 * 8 * words))
    runs: list[Path] = []
    held: list[Words] = []
    rows = 0
    try:
        for block in blocks:
            start = 0
            while start < len(block):
                piece = block[start : start + chunk - rows]
                held.append(piece)
                rows += len(piece)
                start += len(piece)
                if rows == chunk:
                    runs.append(folder / f"run-{len(runs)}")
                    _sorted(held).tofile(runs[-1])
                    held, rows = [], 0
        last = _sorted(held) if held else np.empty((0, words), np.uint64)
        held = []
        if not runs:
            yield last
            return
        if len(last):
            runs.append(folder / f"run-{len(runs)}")
            last.tofile(runs[-1])
        del last
        yield from _merged(runs, words, chunk)
    finally:
        for run in runs:
            run.unlink(missing_ok=True)


def _sorted(pieces: list[Words]) -> Words:
    records = np.concatenate(pieces)
    _duplicates.sort(records, np.empty_like(records))
    return records


class _Run:
    """A sorted run that is being merged: its block in memory, and the rest in its file."""

    def __init__(self, path: Path, words: int, rows: int) -> None:
        self._path, self._words, self._rows = path, words, rows
        self._left = path.stat().st_size // (8 * words)
        self._offset = 0
        self.block = np.empty((0, words), np.uint64)

    def fill(self) -> None:
        """Read the next block, if none is in memory."""
        if len(self.block) or not self._left:
            return
        rows = min(self._rows, self._left)
        block = np.fromfile(self._path, np.uint64, rows * self._words, offset=self._offset)
        self.block = block.reshape(rows, self._words)
        self._left -= rows
        self._offset += block.nbytes

    @property
    def waits(self) -> bool:
        """Whether a part of it is still to be read."""
        return self._left > 0

    def take(self, last: Words | None) -> Words:
        """Take the records of the block up to `last`; all if it is None."""
        count = len(self.block) if last is None else _duplicates.through(self.block, last)
        taken, self.block = self.block[:count], self.block[count:]
        return taken


def _merged(paths: list[Path], words: int, chunk: int) -> Iterator[Words]:
    """Merge sorted runs: records up to the first end of a block are complete, and are sorted at once."""
    runs = [_Run(path, words, max(_MIN_ROWS, chunk // len(paths))) for path in paths]
    while True:
        for run in runs:
            run.fill()
        if not any(len(run.block) for run in runs):
            return
        ends = [tuple(int(word) for word in run.block[-1]) for run in runs if run.waits]
        last = np.array(min(ends), np.uint64) if ends else None
        yield _sorted([run.take(last) for run in runs])


def unite(edges: Iterable[Words], pages: int) -> Iterator[Words]:
    """Find the clusters of pages, by edges of shape (edges, 2) each.

    Yields uint64 (pages, 2), without pages that are alone: pages in order, and their cluster's least page.

    Raises ValueError: there are too many pages, or an edge names a page that does not exist.
    """
    if pages > MAX_PAGES:
        raise ValueError(f"{pages:,} pages are too many for an array: at most {MAX_PAGES:,}")
    parents = np.arange(pages, dtype=np.uint32)
    for some in edges:
        if len(some):
            _duplicates.unite(parents, some)
    shared = np.zeros(pages, np.uint8)
    _duplicates.settle(parents, shared)
    for start in range(0, pages, _PAGES_AT_ONCE):
        roots = parents[start : start + _PAGES_AT_ONCE]
        numbers = np.arange(start, start + len(roots), dtype=np.uint64)
        (rows,) = np.nonzero((roots != numbers) | (shared[start : start + len(roots)] != 0))
        yield np.stack([numbers[rows], roots[rows].astype(np.uint64)], axis=1)


def similarities(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Estimate the Jaccard similarities of pairs of texts: the share of their lanes that are equal.

    Signatures have shape (pairs, 112), similarities (pairs,); their standard error is sqrt(s (1 - s) / 112)
    (Broder 1997): .04 at .8.
    """
    return np.asarray((left == right).mean(axis=1), np.float32)


def cluster_id(source: str, offset: int, inner_offset: int) -> str:
    """Name a cluster by the place of its kept page: 16 hex digits, the same in every run."""
    return blake2b(f"{source}\n{offset}\n{inner_offset}".encode(), digest_size=8).hexdigest()
