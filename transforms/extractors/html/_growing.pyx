"""Bytes, and records of numbers, that grow as they are written."""

import numpy as np

from cpython.bytearray cimport PyByteArray_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t
from libc.string cimport memcpy, memmove, memset


cdef class ByteBuffer:
    def __cinit__(self, Py_ssize_t room):
        self.bytes = PyByteArray_FromStringAndSize(NULL, room + BESIDES)

    cdef int reserve(self, Py_ssize_t length) except -1:
        """Make room for `length` bytes more, and for `BESIDES`."""
        cdef unsigned char[::1] larger
        if self.size + length + BESIDES > self.bytes.shape[0]:
            larger = PyByteArray_FromStringAndSize(NULL, 2 * (self.size + length) + BESIDES)
            if self.size:
                memcpy(&larger[0], &self.bytes[0], self.size)
            self.bytes = larger
        return 0

    cdef int put_byte(self, unsigned char byte) except -1:
        """Write a byte."""
        self.reserve(1)
        self.bytes[self.size] = byte
        self.size += 1
        return 0

    cdef int put_bytes(self, const unsigned char *source, Py_ssize_t length) except -1:
        """Write this many bytes."""
        self.reserve(length)
        memcpy(&self.bytes[self.size], source, length)  # there is room
        self.size += length
        return 0

    cdef int put(self, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Write the bytes [start, stop) of a text."""
        return self.put_bytes(&text[start], stop - start) if start < stop else 0

    cdef int put_text(self, str text) except -1:
        """Write a text in UTF-8."""
        cdef bytes encoded = text.encode()
        return self.put_bytes(encoded, len(encoded))

    cdef int insert(self, Py_ssize_t at, unsigned char byte) except -1:
        """Put a byte before the one at `at`."""
        self.reserve(1)
        memmove(&self.bytes[at + 1], &self.bytes[at], self.size - at)  # there is room
        self.bytes[at] = byte
        self.size += 1
        return 0

    cdef bytes content(self):
        """What is written."""
        return bytes(self.bytes[: self.size])

    cdef str text(self, Py_ssize_t start):
        """What is written from `start` on, of valid UTF-8."""
        return PyUnicode_DecodeUTF8(<const char *>&self.bytes[start], self.size - start, NULL)  # there is room after it


cdef class IntArena:
    def __cinit__(self, Py_ssize_t size):
        self.numbers = np.empty(size, np.int64)

    cdef int64_t[::1] take(self, Py_ssize_t count):
        """An array of `count` numbers, whatever they are."""
        cdef Py_ssize_t start = self.taken, size = self.numbers.shape[0]
        if count > size - start:
            self.numbers = np.empty(max(2 * size, count), np.int64)
            start = 0
        self.taken = start + count
        return self.numbers[start : self.taken]

    cdef int64_t[::1] zeros(self, Py_ssize_t count):
        """An array of `count` zeros."""
        cdef int64_t[::1] made = self.take(count)
        if count:
            memset(&made[0], 0, count * sizeof(int64_t))  # all of it
        return made


cdef class Records:
    def __cinit__(self, Py_ssize_t width, Py_ssize_t room=16):
        self.width, self.made = width, np.empty(room * width, np.int64)
        self.numbers = self.made

    cdef int grow(self) except -1:
        """Make four times the room."""
        made = np.empty(4 * self.numbers.shape[0], np.int64)
        cdef int64_t[::1] larger = made
        memcpy(&larger[0], &self.numbers[0], self.count * self.width * sizeof(int64_t))  # within both
        self.numbers, self.made = larger, made
        return 0

    cdef object rows(self):
        """The records so far: int64 (count, width), a view."""
        return self.made[: self.count * self.width].reshape(self.count, self.width)
