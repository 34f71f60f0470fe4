"""What the elements of a tree hold, and the sums of their densities."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.tree._tree cimport Tree


def counted(Tree tree not None, in_links not None):
    cdef const unsigned char[::1] linked = in_links.view(np.uint8)
    cdef Py_ssize_t size = tree.size, i
    all_array, tags_array = np.empty(size, np.int64), np.empty(size, np.int64)
    link_chars_array, link_tags_array = np.empty(size, np.int64), np.empty(size, np.int64)
    cdef int64_t[::1] chars = all_array, tags = tags_array
    cdef int64_t[::1] link_chars = link_chars_array, link_tags = link_tags_array
    cdef int64_t[::1] text_sums = np.empty(tree.tags + 1, np.int64)
    cdef int64_t[::1] link_sums = np.empty(tree.tags + 1, np.int64)
    cdef int64_t[::1] leaves = np.empty(size + 1, np.int64), link_tags_before = np.empty(size + 1, np.int64)
    cdef bint one
    if linked.shape[0] != size:
        raise ValueError(f"{linked.shape[0]} flags for {size} elements")
    text_sums[0] = link_sums[0] = leaves[0] = link_tags_before[0] = 0
    for i in range(tree.tags):
        one = tree.inside_of[i] >= 0 and linked[tree.inside_of[i]]
        text_sums[i + 1] = text_sums[i] + tree.chars_of[i]
        link_sums[i + 1] = link_sums[i] + (tree.chars_of[i] if one else 0)
    for i in range(size):
        chars[i] = text_sums[tree.close_of[i]] - text_sums[tree.open_of[i]]
        link_chars[i] = link_sums[tree.close_of[i]] - link_sums[tree.open_of[i]]
        tags[i] = tree.end_of[i] - i - 1
        leaves[i + 1] = leaves[i] + (not linked[i] and tags[i] == 0)
    for i in range(size):
        # In a wrapper of nothing but links, no character is outside of links, and no leaf.
        one = linked[i] or (leaves[tree.end_of[i]] == leaves[i] and chars[i] == link_chars[i])
        link_tags_before[i + 1] = link_tags_before[i] + one
    for i in range(size):
        link_tags[i] = link_tags_before[tree.end_of[i]] - link_tags_before[i + 1]
    return all_array, tags_array, link_chars_array, link_tags_array


def density_sums(Tree tree not None, const double[::1] densities not None, const double[::1] text_terms):
    cdef Py_ssize_t size = tree.size, i
    sums_array = np.zeros(size)
    cdef double[::1] sums = sums_array, text_sums
    if densities.shape[0] != size or text_terms is not None and text_terms.shape[0] != tree.tags:
        raise ValueError("not as many densities as there are elements and tags")
    # The children's in their order, the texts' in theirs, then both.
    for i in range(size):
        if tree.parent_of[i] >= 0:
            sums[tree.parent_of[i]] += densities[i]
    if text_terms is None:
        return sums_array
    text_sums = np.zeros(size)
    for i in range(tree.tags):
        if tree.inside_of[i] >= 0:
            text_sums[tree.inside_of[i]] += text_terms[i]
    for i in range(size):
        sums[i] = densities[i] if tree.end_of[i] == i + 1 else sums[i] + text_sums[i]
    return sums_array
