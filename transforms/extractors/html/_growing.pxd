"""What grows as it is written, for other compiled modules: memory, bytes, records of numbers."""

cimport cython
from libc.stdint cimport int64_t
from libc.stdlib cimport realloc

cdef enum:
    BESIDES = 16  # bytes that may be written after those that room was made for


cdef inline void *grown(void *memory, size_t size) except NULL:
    """Larger memory with what was in the other, which may be NULL; the caller frees it."""
    cdef void *larger = realloc(memory, size)
    if larger == NULL:
        raise MemoryError(f"no room for {size} bytes")
    return larger


cdef inline void *ensure_capacity(void *memory, Py_ssize_t *room, Py_ssize_t count, size_t size) except NULL:
    """Memory for one more than `count` records of a size: what there is, or larger, and then its `room`."""
    if count < room[0]:
        return memory
    room[0] = max(64, 2 * count)
    return grown(memory, room[0] * size)


cdef class ByteBuffer:
    """Bytes; those from `size` on are free."""

    cdef unsigned char[::1] bytes
    cdef Py_ssize_t size
    cdef int reserve(self, Py_ssize_t length) except -1
    cdef int put_byte(self, unsigned char byte) except -1
    cdef int put_bytes(self, const unsigned char *source, Py_ssize_t length) except -1
    cdef int put(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1
    cdef int put_text(self, str text) except -1
    cdef int insert(self, Py_ssize_t at, unsigned char byte) except -1
    cdef bytes content(self)
    cdef str text(self, Py_ssize_t start)


cdef class IntArena:
    """Arrays of numbers, made many at a time: each array of numpy's costs as much as a step of a page's way."""

    cdef int64_t[::1] numbers
    cdef Py_ssize_t taken
    cdef int64_t[::1] take(self, Py_ssize_t count)
    cdef int64_t[::1] zeros(self, Py_ssize_t count)


@cython.final
cdef class Records:
    """Records of `width` numbers each, one after another."""

    cdef Py_ssize_t width, count
    cdef object made
    cdef int64_t[::1] numbers  # of `made`
    cdef int grow(self) except -1
    cdef object rows(self)

    cdef inline Py_ssize_t add(self) except -1:
        """Add a record; return where its first number stands."""
        if (self.count + 1) * self.width > self.numbers.shape[0]:
            self.grow()
        self.count += 1
        return (self.count - 1) * self.width

    cdef inline int put(self, int64_t number) except -1:
        """Add a record of one number."""
        cdef Py_ssize_t at = self.add()
        self.numbers[at] = number
        return 0
