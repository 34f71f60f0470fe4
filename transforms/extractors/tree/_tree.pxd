# What compiled functions read of a tree; `_tree.pyx` says what each array holds.

from libc.stdint cimport int64_t, uint64_t


cdef class Tree:
    cdef readonly Py_ssize_t size, tags, body
    # Of the elements.
    cdef readonly object keys, block_level, parents, ends, opens, closes
    cdef const uint64_t[::1] key_of
    cdef const int64_t[::1] parent_of, end_of, open_of, close_of
    cdef readonly bytes markup
    cdef const int64_t[::1] markup_of
    # Of the tags.
    cdef readonly object inside, chars, blocks, texts
    cdef const int64_t[::1] inside_of, chars_of, block_of
    cdef const unsigned char[::1] space_before, space_after
    cdef readonly bytes text
    cdef const int64_t[::1] text_of
    cdef const unsigned char[::1] shrunk
    cdef const int64_t[::1] shrunk_of

    cdef list _words(self, Py_ssize_t element)
    cdef const unsigned char[::1] _of_elements(self, flags)
