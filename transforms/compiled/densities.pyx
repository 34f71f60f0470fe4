"""Twins of `transforms.extractors.densities`."""

import numpy as np

from libc.stdint cimport int64_t


def _counted(
    in_links not None,
    const int64_t[::1] inside not None,
    const int64_t[::1] opens not None,
    const int64_t[::1] closes not None,
    const int64_t[::1] ends not None,
    const int64_t[::1] chars not None,
):
    """What the elements hold: characters and elements, in links and in all."""
    cdef const unsigned char[::1] linked = in_links.view(np.uint8)
    cdef Py_ssize_t size = ends.shape[0], texts = chars.shape[0], i
    all_array = np.empty(size, np.int64)
    tags_array = np.empty(size, np.int64)
    link_chars_array = np.empty(size, np.int64)
    link_tags_array = np.empty(size, np.int64)
    cdef int64_t[::1] all_chars = all_array, tags = tags_array
    cdef int64_t[::1] link_chars = link_chars_array, link_tags = link_tags_array
    cdef int64_t[::1] text_sums = np.empty(texts + 1, np.int64), link_sums = np.empty(texts + 1, np.int64)
    cdef int64_t[::1] leaves = np.empty(size + 1, np.int64), counted = np.empty(size + 1, np.int64)
    cdef bint one
    text_sums[0] = link_sums[0] = leaves[0] = counted[0] = 0
    for i in range(texts):
        one = inside[i] >= 0 and linked[inside[i]]
        text_sums[i + 1] = text_sums[i] + chars[i]
        link_sums[i + 1] = link_sums[i] + (chars[i] if one else 0)
    for i in range(size):
        all_chars[i] = text_sums[closes[i]] - text_sums[opens[i]]
        link_chars[i] = link_sums[closes[i]] - link_sums[opens[i]]
        tags[i] = ends[i] - i - 1
        leaves[i + 1] = leaves[i] + (not linked[i] and tags[i] == 0)
    for i in range(size):
        one = linked[i] or (leaves[ends[i]] == leaves[i] and all_chars[i] == link_chars[i])
        counted[i + 1] = counted[i] + one
    for i in range(size):
        link_tags[i] = counted[ends[i]] - counted[i + 1]
    return all_array, tags_array, link_chars_array, link_tags_array


def _density_sums(
    const int64_t[::1] parents not None,
    const int64_t[::1] ends not None,
    const int64_t[::1] inside not None,
    const double[::1] densities not None,
    const double[::1] text_terms,
):
    """DensitySum of each element: the children's in their order, the texts' in theirs, then both."""
    cdef Py_ssize_t size = ends.shape[0], i
    sums_array = np.zeros(size)
    cdef double[::1] sums = sums_array, text_sums
    for i in range(size):
        if parents[i] >= 0:
            sums[parents[i]] += densities[i]
    if text_terms is None:
        return sums_array
    text_sums = np.zeros(size)
    for i in range(inside.shape[0]):
        if inside[i] >= 0:
            text_sums[inside[i]] += text_terms[i]
    for i in range(size):
        sums[i] = densities[i] if ends[i] == i + 1 else sums[i] + text_sums[i]
    return sums_array
