"""Twins of `transforms.extractors.cedar_scoring`."""

import numpy as np

from libc.stdint cimport int64_t

cdef enum:
    CHUNK = 128  # blocks at a time, so that their answers stay in the cache
    BITS = 8  # questions of a tree at most


cdef void _ask(
    const float[:, ::1] values,
    const int64_t[::1] rows,
    const float[:, ::1] thresholds,
    unsigned char[:, ::1] yes,
    Py_ssize_t start,
    Py_ssize_t size,
) noexcept nogil:
    """Asks all questions of the blocks [start, start + size)."""
    cdef Py_ssize_t question, i
    cdef float threshold
    cdef const float *column  # of size elements: rows are checked, and the range is within the columns
    cdef unsigned char *answers  # of CHUNK elements
    for question in range(rows.shape[0]):
        threshold = thresholds[question, 0]
        column = &values[rows[question], start]
        answers = &yes[question, 0]
        for i in range(size):
            answers[i] = column[i] > threshold


cdef void _walk(
    const unsigned char[:, ::1] yes,
    const int64_t[:, ::1] questions,
    Py_ssize_t tree,
    unsigned char *leaf,
    Py_ssize_t size,
) noexcept nogil:
    """The leaf of each of `size` blocks, CHUNK at most, in a tree."""
    cdef Py_ssize_t level, i
    cdef const unsigned char *answers = &yes[questions[0, tree], 0]  # CHUNK elements, as `leaf`
    for i in range(size):
        leaf[i] = answers[i]
    for level in range(1, questions.shape[0]):
        answers = &yes[questions[level, tree], 0]
        for i in range(size):
            leaf[i] = <unsigned char>(leaf[i] + leaf[i] + answers[i])


cdef int _check(
    const float[:, ::1] values,
    const int64_t[::1] rows,
    const float[:, ::1] thresholds,
    const int64_t[:, ::1] questions,
    const int64_t[:, ::1] begins,
    const int64_t[::1] leaves,
) except -1:
    """Whatever is looked up must be there."""
    cdef Py_ssize_t depth = questions.shape[0], trees = questions.shape[1], i, level
    cdef bint fits = 1 <= depth <= BITS and thresholds.shape[0] == rows.shape[0] and thresholds.shape[1] == 1
    fits = fits and begins.shape[0] == trees and begins.shape[1] == 1
    if fits:
        for i in range(rows.shape[0]):
            fits &= 0 <= rows[i] < values.shape[0]
        for i in range(trees):
            fits &= 0 <= begins[i, 0] <= leaves.shape[0] - (<Py_ssize_t>1 << depth)
            for level in range(depth):
                fits &= 0 <= questions[level, i] < rows.shape[0]
    if not fits:
        raise IndexError("the trees ask for what is not there")
    return 0


def _added(
    const float[:, ::1] values not None,
    const int64_t[::1] rows not None,
    const float[:, ::1] thresholds not None,
    const int64_t[:, ::1] questions not None,
    const int64_t[:, ::1] begins not None,
    const int64_t[::1] leaves not None,
):
    """What each tree adds to the score of each block: int64 (t, n)."""
    cdef Py_ssize_t count = values.shape[1], trees = questions.shape[1], start, size, tree, i
    cdef unsigned char leaf[CHUNK]
    _check(values, rows, thresholds, questions, begins, leaves)
    added = np.empty((trees, count), np.int64)
    cdef int64_t[:, ::1] result = added
    cdef unsigned char[:, ::1] yes = np.empty((rows.shape[0], CHUNK), np.uint8)
    start = 0
    while start < count:
        size = min(<Py_ssize_t>CHUNK, count - start)
        _ask(values, rows, thresholds, yes, start, size)
        for tree in range(trees):
            _walk(yes, questions, tree, leaf, size)
            for i in range(size):
                result[tree, start + i] = leaves[begins[tree, 0] + leaf[i]]
        start += size
    return added


def _summed(
    const float[:, ::1] values not None,
    const int64_t[::1] rows not None,
    const float[:, ::1] thresholds not None,
    const int64_t[:, ::1] questions not None,
    const int64_t[:, ::1] begins not None,
    const int64_t[::1] leaves not None,
):
    """What all trees add to the score of each block: int64 (n,)."""
    cdef Py_ssize_t count = values.shape[1], start, size, tree, i, begin
    cdef unsigned char leaf[CHUNK]
    cdef int64_t sums[CHUNK]
    _check(values, rows, thresholds, questions, begins, leaves)
    summed = np.empty(count, np.int64)
    cdef int64_t[::1] result = summed
    cdef unsigned char[:, ::1] yes = np.empty((rows.shape[0], CHUNK), np.uint8)
    start = 0
    while start < count:
        size = min(<Py_ssize_t>CHUNK, count - start)
        _ask(values, rows, thresholds, yes, start, size)
        for i in range(size):
            sums[i] = 0
        for tree in range(questions.shape[1]):
            _walk(yes, questions, tree, leaf, size)
            begin = begins[tree, 0]
            for i in range(size):
                sums[i] += leaves[begin + leaf[i]]
        for i in range(size):
            result[start + i] = sums[i]
        start += size
    return summed
