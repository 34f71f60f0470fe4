"""Clusters of duplicates: the connected components of edges.

The root of a cluster is its least page, so clusters do not depend on the order of edges. Where an array of 4
bytes a page fits in memory they are disjoint sets over it; else they come out of sorting the edges in rounds
(`Stars`), in any memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from transforms.curation import _duplicates
from transforms.curation.duplicates import Words

MOST_PAGES = (1 << 32) - 1
"""As many pages can be told apart by an array."""

PAGE_BYTES = 5
"""Memory of `unite` for each page."""

_PAGES_AT_ONCE = 1 << 18


def unite(edges: Iterable[Words], pages: int) -> Iterator[Words]:
    """Find the cluster of each page that is in one with others.

    Args:
        edges: shape (edges, 2) each.
        pages: number of pages.

    Yields:
        uint64, shape (pages, 2): pages in order, and the least page of each one's cluster.

    Raises:
        ValueError: there are too many pages, or an edge names one that there is not.
    """
    if pages > MOST_PAGES:
        raise ValueError(f"{pages:,} pages are too many for an array: at most {MOST_PAGES:,}")
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
