"""Twin of `transforms.extractors.cedar_kinds`."""

import numpy as np

from transforms.compiled.cedar_columns cimport same_size

cdef enum:
    LANES = 8


cdef inline double _total(double *lanes) noexcept nogil:
    """The sum of the lanes, two and two."""
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))


def _sums(const float[:, ::1] values not None, const double[::1] words not None):
    """Sums of columns over words and over blocks, float64 (2, k)."""
    cdef Py_ssize_t count = words.shape[0], columns = values.shape[0], column, i, lane
    cdef double weighted[LANES]
    cdef double plain[LANES]
    cdef double value
    cdef const float *numbers  # of a column: count of them
    cdef const double *weights = &words[0] if count else NULL  # count of them
    same_size(count, values.shape[1])
    sums = np.zeros((2, columns))
    cdef double[:, ::1] result = sums
    if not count:
        return sums
    with nogil:
        for column in range(columns):
            numbers = &values[column, 0]
            for lane in range(LANES):
                weighted[lane] = plain[lane] = 0
            i = 0
            while i + LANES <= count:
                for lane in range(LANES):
                    value = numbers[i + lane]
                    weighted[lane] += value * weights[i + lane]
                    plain[lane] += value
                i += LANES
            for lane in range(count - i):
                value = numbers[i + lane]
                weighted[lane] += value * weights[i + lane]
                plain[lane] += value
            result[0, column] = _total(weighted)
            result[1, column] = _total(plain)
    return sums
