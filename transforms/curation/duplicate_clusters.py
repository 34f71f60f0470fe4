"""Clusters of duplicates: the connected components of edges, by disjoint sets over an array.

The root of a set is its least page, so the sets do not depend on the order of edges. The array has 4 bytes a
page; it is a file mapped into memory, so that the system may put on the disk what does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from transforms.curation import _duplicates
from transforms.curation.duplicates import Words

MOST_PAGES = (1 << 32) - 1
"""As many pages can be told apart in one run."""

LANES = 112
"""Lanes of a whole signature."""


def unite(edges: Iterable[Words], pages: int, roots: Path, sizes: Path) -> None:
    """Write the cluster of each page.

    Args:
        edges: shape (edges, 2) each.
        pages: number of pages.
        roots: becomes a file of uint32, shape (pages,): the least page of each page's cluster.
        sizes: becomes the same with the number of pages of a cluster at the place of its least page; else 0.

    Raises:
        ValueError: there are too many pages.
        OSError: a file cannot be written.
    """
    if pages > MOST_PAGES:
        raise ValueError(f"{pages:,} pages are too many for one run: at most {MOST_PAGES:,}")
    if not pages:
        roots.write_bytes(b"")
        sizes.write_bytes(b"")
        return
    parents: np.memmap[tuple[int], np.dtype[np.uint32]]
    parents = np.memmap(roots, np.uint32, "w+", shape=(pages,))
    for start in range(0, pages, 1 << 20):
        stop = min(start + (1 << 20), pages)
        parents[start:stop] = np.arange(start, stop, dtype=np.uint32)
    for some in edges:
        if len(some):
            _duplicates.unite(parents, some)
    counts = np.memmap(sizes, np.uint32, "w+", shape=(pages,))
    _duplicates.settle(parents, counts)
    parents.flush()
    counts.flush()


def similarities(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> NDArray[np.float32]:
    """Estimate the Jaccard similarities of pairs of texts: the share of their lanes that are equal.

    Args:
        left: whole signatures, shape (pairs, 112).
        right: the others of the pairs, of the same shape.

    Returns:
        Shape (pairs,). The standard error is sqrt(s (1 - s) / 112) (Broder 1997): .04 at .8.
    """
    return np.asarray((left == right).mean(axis=1), np.float32)


def cluster_id(source: str, offset: int, inner_offset: int) -> str:
    """Name a cluster by where the page that is kept of it is: 16 hex digits, the same in every run."""
    return blake2b(f"{source}\n{offset}\n{inner_offset}".encode(), digest_size=8).hexdigest()
