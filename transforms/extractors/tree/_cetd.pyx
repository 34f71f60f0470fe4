"""Where in a tree the content is, by sums of densities (Sun, Song, Liao, SIGIR 2011, section 4)."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.tree._tree cimport Tree

cdef double _TOLERANCE = 1e-9


def mark_content(
    Tree tree not None, const double[::1] density not None, const double[::1] sums not None, double threshold_factor
):
    cdef Py_ssize_t size = tree.size, body = tree.body, end = 0, i, child, reached
    if density.shape[0] != size or sums.shape[0] != size:
        raise ValueError(f"not as many densities as there are elements: {size}")
    if not size:
        return np.zeros(0, bool), None
    end = tree.end_of[body]
    cdef int64_t[::1] ranks = None, best = np.empty(size, np.int64)  # of each subtree
    # Sums of one rank make a chain with gaps of the tolerance at most; where two are further apart than all of
    # these could reach, with room for rounding, ranks need not be known.
    cdef double apart = 2.0 * (end - body) * _TOLERANCE, known, other
    # From the last element up: when an element's turn comes, its children have had theirs.
    for i in range(end - 1, body - 1, -1):
        best[i] = i
        child = i + 1
        while child < tree.end_of[i]:
            known, other = sums[best[i]], sums[best[child]]
            if other - known > apart * other:
                best[i] = best[child]
            elif other != known and known - other <= apart * known:
                if ranks is None:
                    ranks = _ranks(sums, body, end)
                if ranks[best[child]] < ranks[best[i]]:
                    best[i] = best[child]
            child = tree.end_of[child]

    cdef double least = density[body], threshold, enough
    for i in range(body, best[body] + 1):
        if tree.end_of[i] > best[body]:
            least = min(least, density[i])
    threshold = threshold_factor * least
    enough = threshold * (1.0 - _TOLERANCE)

    content_array = np.zeros(size, np.uint8)
    cdef unsigned char[::1] content = content_array
    i = body
    while i < end:
        if density[i] < enough:
            i = tree.end_of[i]
        else:
            content[best[i]] = True
            i += 1
    reached = 0
    for i in range(body, end):
        if content[i]:
            reached = max(reached, tree.end_of[i])
        content[i] = i < reached
    return content_array.view(np.bool_), threshold


cdef int64_t[::1] _ranks(const double[::1] sums, Py_ssize_t start, Py_ssize_t stop):
    """The ranks of sums [start, stop), 0 for the largest; those that differ by no more than rounding share one."""
    cdef const double[::1] rising = np.sort(sums[start:stop])
    cdef Py_ssize_t size = stop - start, i, low, high, middle
    cdef int64_t[::1] of_place = np.zeros(size, np.int64)
    cdef int64_t[::1] ranks = np.empty(sums.shape[0], np.int64)
    for i in range(size - 2, -1, -1):
        of_place[i] = of_place[i + 1] + (rising[i + 1] - rising[i] > _TOLERANCE * rising[i + 1])
    for i in range(start, stop):
        low, high = 0, size - 1
        while low < high:
            middle = (low + high) >> 1
            if rising[middle] < sums[i]:
                low = middle + 1
            else:
                high = middle
        ranks[i] = of_place[low]
    return ranks


def kept(Tree tree not None, content not None, bint path_text):
    cdef const unsigned char[::1] marked = content.view(np.uint8)
    cdef Py_ssize_t size = tree.size, first, last, i
    if marked.shape[0] != size:
        raise ValueError(f"{marked.shape[0]} flags for {size} elements")
    first, last = tree.body_tags
    kept_array = np.empty(size, np.uint8)
    kept_text_array = np.zeros(tree.tags, np.uint8)
    cdef unsigned char[::1] kept = kept_array, kept_text = kept_text_array
    cdef int64_t[::1] sums = np.empty(size + 1, np.int64)
    sums[0] = 0
    for i in range(size):
        sums[i + 1] = sums[i] + marked[i]
    for i in range(size):
        kept[i] = sums[tree.end_of[i]] > sums[i]
    for i in range(first, last):
        kept_text[i] = kept[tree.inside_of[i]] if path_text else marked[tree.inside_of[i]]
    return kept_array.view(np.bool_), kept_text_array.view(np.bool_)
