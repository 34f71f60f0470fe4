"""Scores by oblivious trees, many blocks at a time."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

cdef enum:
    CHUNK = 128  # blocks at a time, so that their leaves stay in the cache
    DEPTH = 4  # questions of a tree
    LEAVES = 16
    GROUP = 8  # trees whose leaves are added up at a time


cdef class Scorer:
    """A forest made ready: t trees of `DEPTH` questions, of which the first ones may be such that none says yes to.

    Attributes:
        rows: int64 (t, DEPTH), the column each question is about; the first one is the highest bit of a leaf's number.
        thresholds: float32 (t, DEPTH); the answer is yes where the column is larger.
        leaves: int64 (t, LEAVES), what each leaf adds.
    """

    cdef readonly Py_ssize_t columns
    cdef int64_t[:, ::1] rows
    cdef float[:, ::1] thresholds
    cdef int64_t[:, ::1] leaves
    cdef int64_t bias

    def __init__(self, forest not None):
        trees, depth = forest.features.shape
        if not 1 <= depth <= DEPTH:
            raise ValueError(f"trees of {depth} questions (1 to {DEPTH} can be asked)")
        if forest.features.min() < 0 or forest.features.max() >= len(forest.columns):
            raise ValueError("the trees ask for columns that there are not")
        padded = trees + -trees % GROUP  # with trees that add nothing
        rows, thresholds = np.zeros((padded, DEPTH), np.int64), np.full((padded, DEPTH), np.inf, np.float32)
        leaves = np.zeros((padded, LEAVES), np.int64)
        rows[:trees, DEPTH - depth :], thresholds[:trees, DEPTH - depth :] = forest.features, forest.thresholds
        leaves[:trees, : 1 << depth] = forest.leaves
        self.rows, self.thresholds, self.leaves = rows, thresholds, leaves
        self.columns, self.bias = len(forest.columns), forest.bias

    def scores(self, const float[:, ::1] values not None):
        """The scores of n blocks, int64 (n,), by the columns of the forest, and maybe more: float32 (columns, n)."""
        scores = np.empty(values.shape[1], np.int64)
        self.fill(values, scores)
        return scores

    cdef int fill(self, const float[:, ::1] values, int64_t[::1] result) except -1:
        """Fill in the scores."""
        cdef Py_ssize_t count = values.shape[1], start = 0, size, tree, i
        cdef int32_t leaf[GROUP][CHUNK]
        if values.shape[0] < self.columns:
            raise ValueError(f"{values.shape[0]} columns, of which the trees ask for {self.columns}")
        result[:] = self.bias
        with nogil:
            while start < count:
                size = min(<Py_ssize_t>CHUNK, count - start)
                tree = 0
                while tree < self.rows.shape[0]:
                    for i in range(GROUP):
                        _walk(&values[0, start], count, &self.rows[tree + i, 0], &self.thresholds[tree + i, 0], leaf[i], size)
                    _add(&self.leaves[tree, 0], leaf, &result[start], size)
                    tree += GROUP
                start += CHUNK
        return 0


def score_kinds(kinds not None, const float[:, ::1] page not None):
    """The log-odds, in ten-thousandths, that a page is of each of `KINDS`: int64 (kinds,).

    The page's columns are the means of its blocks' columns: float32 (columns, 1).
    """
    if page.shape[1] != 1:
        raise ValueError("columns of more than one page")
    scores = np.empty(len(kinds), np.int64)
    cdef int64_t[::1] result = scores
    cdef Py_ssize_t i
    for i in range(result.shape[0]):
        (<Scorer?>kinds[i]).fill(page, result[i : i + 1])
    return scores


cdef inline void _walk(
    const float *values, Py_ssize_t count, const int64_t *rows, const float *thresholds, int32_t *leaf, Py_ssize_t size
) noexcept nogil:
    """The leaf of each of `size` blocks in a tree that asks for four columns of `count` blocks."""
    cdef const float *first = values + rows[0] * count, *second = values + rows[1] * count
    cdef const float *third = values + rows[2] * count, *fourth = values + rows[3] * count
    cdef float one = thresholds[0], two = thresholds[1], three = thresholds[2], four = thresholds[3]
    cdef Py_ssize_t i
    for i in range(size):
        leaf[i] = 8 * (first[i] > one) + 4 * (second[i] > two) + 2 * (third[i] > three) + (fourth[i] > four)


cdef inline void _add(
    const int64_t *leaves, const int32_t leaf[GROUP][CHUNK], int64_t *scores, Py_ssize_t size
) noexcept nogil:
    """Add what the leaves of a group of trees add to the scores of `size` blocks."""
    cdef Py_ssize_t i, tree
    for i in range(size):
        for tree in range(GROUP):
            scores[i] += leaves[tree * LEAVES + leaf[tree][i]]
