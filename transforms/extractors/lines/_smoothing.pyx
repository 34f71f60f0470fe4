"""Smoothing of per-line values, their spread, and the derivative of CETR (Eq. 4)."""

import numpy as np

from libc.math cimport sqrt


def standard_deviation(values not None):
    """Population standard deviation (the sum is divided by n) of float64 (n,); 0.0 if n is 0."""
    cdef const double[::1] numbers = np.ascontiguousarray(values)
    cdef Py_ssize_t size = numbers.shape[0]
    return deviation(numbers, pairwise_sum(numbers) / size, np.empty(size)) if size else 0.0


cdef double deviation(const double[::1] values, double mean, double[::1] squares) noexcept nogil:
    """Population standard deviation of values with this mean, n at least 1; `squares` is room for as many."""
    cdef Py_ssize_t size = values.shape[0], i
    cdef double difference
    for i in range(size):
        difference = values[i] - mean
        squares[i] = difference * difference
    return sqrt(pairwise_sum(squares) / size)


def weighted_mean(values not None, const double[::1] kernel not None):
    """Mean of each value and its neighbours that exist, weighted by a symmetric kernel. float64 (n,), as the values.

    The kernel, float64 (r + 1,), has the weights of the value itself, of its neighbours, and so on; 2 r < n, or both n
    and r are 0.
    """
    cdef const double[::1] numbers = np.ascontiguousarray(values)
    cdef Py_ssize_t size = numbers.shape[0], radius = kernel.shape[0] - 1, i, shift
    cdef double weight, inside, beyond = 0.0
    if radius < 0 or (radius and 2 * radius >= size):
        raise ValueError("the kernel is wider than the values")
    means = np.empty(size)
    cdef double[::1] total = means
    weight = kernel[0]
    inside = 2.0 * pairwise_sum(kernel) - weight
    for i in range(size):
        total[i] = numbers[i] * weight
    for shift in range(1, radius + 1):
        weight = kernel[shift]
        for i in range(shift):
            total[i] += (0.0 + numbers[i + shift]) * weight
        for i in range(shift, size - shift):
            total[i] += (numbers[i - shift] + numbers[i + shift]) * weight
        for i in range(size - shift, size):
            total[i] += (numbers[i - shift] + 0.0) * weight
    # Place i, counted from either end, lacks the weights of more than i on that side.
    for i in range(radius - 1, -1, -1):
        beyond += kernel[i + 1]
        total[i] /= inside - beyond
        total[size - 1 - i] /= inside - beyond
    for i in range(radius, size - radius):
        total[i] /= inside
    return means


def moving_mean(const double[:] values not None, Py_ssize_t radius):
    """Mean of the values from i - radius to i + radius that exist (TTR 2008, Eq. 1). float64 (n,), as the values."""
    cdef Py_ssize_t size = values.shape[0], i, neighbour, first, stop
    cdef double[::1] means = np.empty(size)
    cdef double total
    if radius < 0:
        raise ValueError("the radius is negative")
    radius = min(radius, size)
    for i in range(size):
        first, stop = max(0, i - radius), min(size, i + radius + 1)
        total = 0.0
        for neighbour in range(first, stop):
            total += values[neighbour]
        means[i] = total / (stop - first)
    return np.asarray(means)


def derivative(values not None, Py_ssize_t alpha):
    """G (Eq. 4): mean of the next `alpha` values, fewer at the end, minus the value; 0 for the last. float64 (n,)."""
    if alpha < 1:
        raise ValueError("alpha is below 1")
    cdef const double[::1] numbers = np.ascontiguousarray(values)
    cdef Py_ssize_t size = numbers.shape[0], i, ahead
    slopes = np.zeros(size)
    cdef double[::1] slope = slopes
    for ahead in range(1, min(size - 1, alpha) + 1):
        for i in range(size - ahead):
            slope[i] += numbers[i + ahead]
    for i in range(size - 1):
        slope[i] = slope[i] / min(size - 1 - i, alpha) - numbers[i]
    return slopes


cdef double pairwise_sum(const double[::1] values) noexcept nogil:
    """The sum of float64 (n,), added in the order of `numpy.sum`."""
    return 0.0 + _pairwise_sum(values, 0, values.shape[0])


cdef double _pairwise_sum(const double[::1] values, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The sum of values [start, stop): halves of more than 128 by themselves, so log2(n) calls deep."""
    cdef Py_ssize_t size = stop - start, half, i, j
    cdef double[8] sums
    cdef double total = 0.0
    if size > 128:
        half = size // 2
        half -= half % 8
        return _pairwise_sum(values, start, start + half) + _pairwise_sum(values, start + half, stop)
    i = start
    if size >= 8:
        for j in range(8):
            sums[j] = values[start + j]
        i += 8
        while i + 8 <= stop:
            for j in range(8):
                sums[j] += values[i + j]
            i += 8
        total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
    while i < stop:
        total += values[i]
        i += 1
    return total
