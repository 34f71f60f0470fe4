"""CoreEx's counts and scores of a tree's elements."""

import numpy as np

from libc.stdint cimport int64_t

from transforms.extractors.tree._tree cimport Tree


def counted(Tree tree not None, const int64_t[::1] words not None, links not None, ignored not None):
    cdef const unsigned char[::1] is_link = links.view(np.uint8), goes = ignored.view(np.uint8)
    cdef Py_ssize_t size = tree.size, i, element, reached = 0
    text_array, links_array = np.empty(size, np.int64), np.empty(size, np.int64)
    words_array = np.empty(tree.tags, np.int64)
    cdef int64_t[::1] text = text_array, link_counts = links_array, counted = words_array
    cdef int64_t[::1] word_sums = np.empty(tree.tags + 1, np.int64), link_sums = np.empty(size + 1, np.int64)
    cdef unsigned char[::1] in_links = np.empty(size, np.uint8)  # 2 for the outermost links themselves
    if words.shape[0] != tree.tags or is_link.shape[0] != size or goes.shape[0] != size:
        raise ValueError("not as many values as there are elements and tags")
    link_sums[0] = word_sums[0] = 0
    for i in range(size):
        in_links[i] = i < reached
        if is_link[i] and not in_links[i]:
            in_links[i] = 2
            reached = tree.end_of[i]
        link_sums[i + 1] = link_sums[i] + (in_links[i] == 2)
    for i in range(tree.tags):
        element = tree.inside_of[i]
        counted[i] = 0 if element < 0 or in_links[element] or goes[element] else words[i]
        word_sums[i + 1] = word_sums[i] + counted[i]
    for i in range(size):
        link_counts[i] = link_sums[tree.end_of[i]] - link_sums[i]
        text[i] = link_counts[i] + word_sums[tree.close_of[i]] - word_sums[tree.open_of[i]]
        if in_links[i] == 1:
            text[i] = 0
    return text_array, links_array, words_array


def set_scores(Tree tree not None, counts not None, members not None, double text_weight):
    cdef const unsigned char[::1] is_member = members.view(np.uint8)
    cdef const int64_t[::1] text = counts.text, links = counts.links, words = counts.words
    cdef Py_ssize_t size = tree.size, i, parent
    scores_array = np.zeros(size)
    cdef double[::1] scores = scores_array
    cdef int64_t[::1] set_text = np.zeros(size, np.int64), set_links = np.zeros(size, np.int64)
    cdef double page_text = max(counts.page_text, 1), of_set, ratio
    if not text.shape[0] == links.shape[0] == is_member.shape[0] == size or words.shape[0] != tree.tags:
        raise ValueError("not as many values as there are elements and tags")
    for i in range(size):
        parent = tree.parent_of[i]
        if is_member[i] and parent >= 0:
            set_text[parent] += text[i]
            set_links[parent] += links[i]
    for i in range(tree.tags):
        if tree.inside_of[i] >= 0:
            set_text[tree.inside_of[i]] += words[i]
    for i in range(tree.body, tree.end_of[tree.body] if size else 0):
        if set_text[i] > 0:
            of_set = set_text[i]
            ratio = (of_set - <double>set_links[i]) / of_set
            scores[i] = (1.0 - text_weight) * ratio + text_weight * of_set / page_text
    return scores_array


def highest(Tree tree not None, const double[::1] scores not None):
    cdef Py_ssize_t i, best = -1
    cdef int64_t[::1] depths = np.empty(tree.size, np.int64)
    if scores.shape[0] != tree.size:
        raise ValueError(f"{scores.shape[0]} scores for {tree.size} elements")
    for i in range(tree.size):
        depths[i] = depths[tree.parent_of[i]] + 1 if tree.parent_of[i] >= 0 else 0
        if scores[i] > 0 and (
            best < 0 or scores[i] > scores[best] or (scores[i] == scores[best] and depths[i] < depths[best])
        ):
            best = i
    return best if best >= 0 else None
