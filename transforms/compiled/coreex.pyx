"""Twins of `transforms.extractors.coreex`."""

import numpy as np

from libc.stdint cimport int64_t


def _counted(
    const int64_t[::1] parents not None,
    const int64_t[::1] ends not None,
    const int64_t[::1] inside not None,
    const int64_t[::1] opens not None,
    const int64_t[::1] closes not None,
    const int64_t[::1] words not None,
    links not None,
    ignored not None,
):
    """Words and links of the elements, and the words of the texts that count."""
    cdef const unsigned char[::1] is_link = links.view(np.uint8), goes = ignored.view(np.uint8)
    cdef Py_ssize_t size = ends.shape[0], texts = words.shape[0], i, element, reached = 0
    text_array = np.empty(size, np.int64)
    links_array = np.empty(size, np.int64)
    words_array = np.empty(texts, np.int64)
    cdef int64_t[::1] text = text_array, link_counts = links_array, counted = words_array
    cdef int64_t[::1] word_sums = np.empty(texts + 1, np.int64), link_sums = np.empty(size + 1, np.int64)
    cdef unsigned char[::1] in_links = np.empty(size, np.uint8)  # 2 for the outermost links themselves
    link_sums[0] = word_sums[0] = 0
    for i in range(size):
        in_links[i] = i < reached
        if is_link[i] and not in_links[i]:
            in_links[i] = 2
            reached = ends[i]
        link_sums[i + 1] = link_sums[i] + (in_links[i] == 2)
    for i in range(texts):
        # Outside of the root, as numpy counts from the end.
        element = inside[i] if inside[i] >= 0 else size - 1
        counted[i] = 0 if in_links[element] or goes[element] else words[i]
        word_sums[i + 1] = word_sums[i] + counted[i]
    for i in range(size):
        link_counts[i] = link_sums[ends[i]] - link_sums[i]
        text[i] = 0 if in_links[i] == 1 else word_sums[closes[i]] - word_sums[opens[i]] + link_counts[i]
    return text_array, links_array, words_array


def _set_scores(
    const int64_t[::1] parents not None,
    const int64_t[::1] inside not None,
    Py_ssize_t first,
    Py_ssize_t last,
    const int64_t[::1] text not None,
    const int64_t[::1] links not None,
    const int64_t[::1] words not None,
    members not None,
    int64_t page_text,
    double text_weight,
):
    """Scores of the elements [first, last); 0 for the others."""
    cdef const unsigned char[::1] is_member = members.view(np.uint8)
    cdef Py_ssize_t size = parents.shape[0], i
    scores_array = np.zeros(size)
    cdef double[::1] scores = scores_array
    cdef int64_t[::1] set_text = np.zeros(size, np.int64), set_links = np.zeros(size, np.int64)
    cdef double whole = max(page_text, 1), of_set, ratio
    for i in range(size):
        if is_member[i] and parents[i] >= 0:
            set_text[parents[i]] += text[i]
            set_links[parents[i]] += links[i]
    for i in range(words.shape[0]):
        if inside[i] >= 0:
            set_text[inside[i]] += words[i]
    for i in range(first, last):
        if set_text[i] > 0:
            of_set = set_text[i]
            ratio = (of_set - <double>set_links[i]) / of_set
            scores[i] = (1.0 - text_weight) * ratio + text_weight * of_set / whole
    return scores_array


def _highest_least_deep(const int64_t[::1] parents not None, const double[::1] scores not None):
    """The element of the highest score, the least deep of equal ones, the first of these; -1 for none."""
    cdef Py_ssize_t size = parents.shape[0], i, best = -1
    cdef int64_t[::1] depths = np.empty(size, np.int64)
    for i in range(size):
        depths[i] = depths[parents[i]] + 1 if parents[i] >= 0 else 0
        if scores[i] > 0 and (
            best < 0 or scores[i] > scores[best] or (scores[i] == scores[best] and depths[i] < depths[best])
        ):
            best = i
    return best
