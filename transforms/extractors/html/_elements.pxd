"""What is known of elements by their names, and lookup of such keys, for other compiled modules."""

from libc.stdint cimport int64_t, uint64_t

cdef enum:  # traits of an element, a bit each
    BLOCK_LEVEL = 1  # it parts words and lines, and so does `br`
    BOX = 2  # a browser lays it out as a block
    VOID = 4  # it holds nothing, and has no end tag
    FORMER_VOID = 8  # browsers take it for one, though HTML has it no longer
    HOLDING_VOID = 16  # one that libxml2 does not know to hold nothing
    UNSEEN = 32  # no browser shows what stands in it as text


cdef class Lookup:
    cdef uint64_t[::1] keys
    cdef int64_t[::1] values
    cdef uint64_t multiplier
    cdef int shift


cdef Lookup _TRAITS


cdef inline int64_t find(Lookup table, uint64_t key) noexcept nogil:
    """The number of a key; -1 if it has none."""
    # The shift leaves as many bits as the table has slots.
    cdef Py_ssize_t slot = <Py_ssize_t>(key * table.multiplier >> table.shift)
    return table.values[slot] if table.keys[slot] == key else -1


cdef inline int64_t traits(uint64_t name) noexcept nogil:
    """The traits of the elements of a name, by its key."""
    # The sign of -1 would be all of them.
    return max(find(_TRAITS, name), <int64_t>0)
