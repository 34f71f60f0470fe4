"""Sums over the rows of a table by the bins of its columns: what growing trees takes longest over."""

import numpy as np


def histograms(
    const unsigned char[:, ::1] bins not None,
    const unsigned char[::1] leaf not None,
    const double[::1] slope not None,
    const double[::1] curve not None,
    sizes not None,
):
    """Sums of slopes and curvatures in each bin of each leaf, for each column, in the order of the rows.

    Args:
        bins: uint8 (k, m).
        leaf: uint8 (m,), the leaf of each row so far.
        slope: float64 (m,).
        curve: float64 (m,).
        sizes: how many leaves there are, and how many bins at most.

    Returns:
        float64 (k, leaves, bins, 2).

    Raises:
        ValueError: the rows differ in number, or a leaf or a bin is none of those.
    """
    cdef Py_ssize_t columns = bins.shape[0], rows = bins.shape[1], column, i, at
    cdef Py_ssize_t leaves = sizes[0], size = sizes[1]
    if leaf.shape[0] != rows or slope.shape[0] != rows or curve.shape[0] != rows:
        raise ValueError("columns, leaves, slopes or curvatures of different rows")
    if np.max(leaf, initial=0) >= leaves or np.max(bins, initial=0) >= size:
        raise ValueError("leaves or bins beyond the sizes")
    found = np.zeros((columns, leaves, size, 2))
    cdef double[:, ::1] sums = found.reshape(columns, -1)
    with nogil:
        for column in range(columns):
            for i in range(rows):
                at = 2 * (leaf[i] * size + bins[column, i])
                sums[column, at] += slope[i]
                sums[column, at + 1] += curve[i]
    return found
