# Lookup in the tables of `transforms.extractors.cedar_lookup`, and small arithmetic of numpy's definitions.

from libc.stdint cimport int64_t, uint64_t


cdef inline int64_t find(
    const uint64_t[::1] keys, const int64_t[::1] values, uint64_t multiplier, int shift, uint64_t key
) noexcept nogil:
    """The number of a key, -1 if it has none. The table has 1 << 64 - shift slots (`checked_shift`)."""
    cdef Py_ssize_t slot = <Py_ssize_t>(key * multiplier >> shift)
    return values[slot] if keys[slot] == key else -1


cdef inline int checked_shift(const uint64_t[::1] keys, const int64_t[::1] values, int shift) except -1:
    """The shift, if every slot that it leads to is in the table."""
    if not 16 <= shift < 64 or keys.shape[0] != 1 << 64 - shift or values.shape[0] != keys.shape[0]:
        raise ValueError("the lookup table is not of the size that its shift says")
    return shift
