from libc.stdint cimport int64_t, uint64_t


cdef class Lookup:
    cdef uint64_t[::1] keys
    cdef int64_t[::1] values
    cdef uint64_t multiplier
    cdef int shift


cdef inline int64_t find(Lookup table, uint64_t key) noexcept nogil:
    """The number of a key; -1 if it has none."""
    # The shift leaves as many bits as the table has slots.
    cdef Py_ssize_t slot = <Py_ssize_t>(key * table.multiplier >> table.shift)
    return table.values[slot] if table.keys[slot] == key else -1
