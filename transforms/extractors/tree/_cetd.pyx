"""Where in a tree the content is, by sums of densities (Sun, Song, Liao, SIGIR 2011, section 4)."""

import numpy as np

from libc.stdint cimport int64_t

from cedar.transforms.extractors.tree._tree cimport Tree

TOLERANCE = 1e-9


def mark_content(
    Tree tree not None, const double[::1] density not None, const double[::1] sums not None, double threshold_factor
):
    """Find the content of a page's body by the densities of n elements and their DensitySums, float64 (n,) each.

    Returns the elements that are content, bool (n,), descendants of content included, and the threshold; None for a
    tree without elements.
    """
    cdef Py_ssize_t size = tree.size, body = tree.body, i, root, end, reached = 0
    cdef int64_t ahead
    cdef double least, enough
    if density.shape[0] != size or sums.shape[0] != size:
        raise ValueError(f"not as many densities as there are elements: {size}")
    if not size:
        return np.zeros(0, bool), None
    end = tree.end_of[body]
    cdef const int64_t[::1] ranks = _ranks(np.asarray(sums)[body:end])
    # In each subtree the first element of the largest sum: when an element's turn comes, those in it had theirs.
    cdef int64_t[::1] best = np.arange(size)
    for i in range(end - 1, body, -1):
        root = tree.parent_of[i]
        ahead = ranks[best[i] - body] - ranks[best[root] - body]
        if ahead < 0 or ahead == 0 and best[i] < best[root]:
            best[root] = best[i]

    # The threshold: the least density from the element of the largest sum up to the body.
    i = best[body]
    least = density[i]
    while i != body:
        i = tree.parent_of[i]
        least = min(least, density[i])
    enough = threshold_factor * least * (1.0 - <double>TOLERANCE)
    # From the body down, as long as densities reach it.
    cdef unsigned char[::1] content = np.zeros(size, np.uint8)
    while i < end:
        if density[i] < enough:
            i = tree.end_of[i]
        else:
            content[best[i]] = True
            i += 1
    # With all that is in them.
    for i in range(body, end):
        if content[i]:
            reached = max(reached, tree.end_of[i])
        content[i] = i < reached
    return np.asarray(content).view(np.bool_), threshold_factor * least


def _ranks(sums):
    """The rank of each sum, 0 for the largest: int64 (n,); sums that differ by rounding alone share one."""
    order = sums.argsort()
    rising = sums[order]
    steps = rising[1:] - rising[:-1] > TOLERANCE * rising[1:]
    ranks = np.zeros(order.size, np.int64)
    ranks[order[:-1]] = steps[::-1].cumsum()[::-1]
    return ranks
