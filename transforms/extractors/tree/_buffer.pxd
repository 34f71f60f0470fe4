"""Bytes that grow at their end."""

from libc.stdlib cimport realloc
from libc.string cimport memcpy, strlen

cdef enum:
    _FIRST_ROOM = 1 << 14  # bytes


cdef struct Buffer:
    unsigned char *data  # NULL at first; whoever has the buffer frees it
    Py_ssize_t size, room


cdef inline int reserve(Buffer *buffer, Py_ssize_t more) except -1:
    """Make room for so many bytes after the last one."""
    cdef Py_ssize_t room
    cdef unsigned char *data
    if more > buffer.room - buffer.size:
        room = max(2 * (buffer.size + more), <Py_ssize_t>_FIRST_ROOM)
        data = <unsigned char *>realloc(buffer.data, room)
        if data == NULL:
            raise MemoryError(f"no room for {room} bytes")
        buffer.data, buffer.room = data, room
    return 0


cdef inline int put(Buffer *buffer, const unsigned char *source, Py_ssize_t length) except -1:
    """Append so many bytes."""
    reserve(buffer, length)
    memcpy(buffer.data + buffer.size, source, length)
    buffer.size += length
    return 0


cdef inline int put_string(Buffer *buffer, const unsigned char *source) except -1:
    """Append a string that ends with a NUL, without the NUL."""
    return put(buffer, source, <Py_ssize_t>strlen(<const char *>source))


cdef inline int put_byte(Buffer *buffer, unsigned char byte) except -1:
    reserve(buffer, 1)
    buffer.data[buffer.size] = byte
    buffer.size += 1
    return 0


cdef inline bytes content(Buffer *buffer):
    return buffer.data[: buffer.size] if buffer.size else b""
