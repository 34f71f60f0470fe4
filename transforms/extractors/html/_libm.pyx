"""Exponentials and logarithms by the C library. Those of numpy depend on the CPU: with AVX-512 the last bit differs."""

import numpy as np

from libc cimport math

ctypedef double (*Function)(double) noexcept nogil


def exp(const double[::1] values not None):
    """e to the power of each value: float64 (n,)."""
    return _of_each(values, math.exp)


def log(const double[::1] values not None):
    """The natural logarithm of each value: float64 (n,)."""
    return _of_each(values, math.log)


def log1p(const double[::1] values not None):
    """The natural logarithm of 1 more than each value: float64 (n,)."""
    return _of_each(values, math.log1p)


cdef object _of_each(const double[::1] values, Function function):
    cdef Py_ssize_t i
    made = np.empty(values.shape[0])
    cdef double[::1] found = made
    for i in range(values.shape[0]):
        found[i] = function(values[i])
    return made
