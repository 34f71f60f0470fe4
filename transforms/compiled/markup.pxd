"""What several of the twins do with bytes of markup."""

from libc.stdint cimport uint64_t
from libc.string cimport memchr


cdef inline Py_ssize_t find(const unsigned char[::1] data, unsigned char byte, Py_ssize_t start) noexcept nogil:
    """Where a byte is in `data` from `start` on; -1 if it is not, or `start` is behind the end."""
    return find_before(data, byte, start, data.shape[0])


cdef inline Py_ssize_t find_before(
    const unsigned char[::1] data, unsigned char byte, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Where a byte is in [start, stop) of `data`, which may end before `stop`; -1 if it is not."""
    cdef const void *found
    stop = min(stop, data.shape[0])
    if start >= stop:
        return -1
    # From an index within bounds, up to another.
    found = memchr(&data[start], byte, stop - start)
    if found == NULL:
        return -1
    return <const unsigned char *>found - &data[0]


cdef inline bint ends_name(unsigned char byte) noexcept nogil:
    """Whether a byte ends the name of a tag."""
    return byte < 0x21 or byte == c'/' or byte == c'>'


cdef inline uint64_t name_key(const unsigned char[::1] data, Py_ssize_t start) noexcept nogil:
    """The key of the name that begins at `start`; see `transforms.extractors.tag_names`."""
    cdef Py_ssize_t stop = min(start + 8, data.shape[0]), i = start
    cdef uint64_t key = 0
    while i < stop and not ends_name(data[i]):
        key |= <uint64_t>(data[i] | 0x20) << (8 * (i - start))
        i += 1
    return key


cdef inline uint64_t key_of(const unsigned char[::1] name) noexcept nogil:
    """The key of a whole name."""
    return name_key(name, 0)
