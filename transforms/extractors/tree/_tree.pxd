# What compiled functions read of a tree; `_tree.pyx` says what each array holds.

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport strlen

from cedar.transforms.extractors.html._growing cimport ByteBuffer, Records


cdef class Tree:
    cdef readonly Py_ssize_t size, tags, body
    # Of the elements.
    cdef readonly object keys, block_level, parents, ends, opens, closes
    cdef const uint64_t[::1] key_of
    cdef const int64_t[::1] parent_of, end_of, open_of, close_of
    cdef readonly bytes markup
    cdef const int64_t[::1] markup_of
    # Of the tags.
    cdef readonly object of_tags, inside, chars, blocks, texts
    cdef const int64_t[::1] of_tag, inside_of, chars_of, block_of
    cdef readonly bytes text
    cdef const int64_t[::1] text_of
    cdef const unsigned char[::1] shrunk
    cdef const int64_t[::1] shrunk_of

    cdef list _words(self, Py_ssize_t element)


cdef inline Py_ssize_t after_word(const unsigned char *record, Py_ssize_t at) noexcept nogil:
    """Where the next word of the `markup` of an element begins; a NUL ends each."""
    return at + <Py_ssize_t>strlen(<const char *>record + at) + 1


cdef const unsigned char[::1] flags_of(marked, Py_ssize_t count)


cdef class TreeBuilder:
    cdef Py_ssize_t max_depth
    cdef bint keep_hidden
    cdef ByteBuffer markup, text
    cdef Records elements, tags  # what `Tree` has of them
    cdef Py_ssize_t body  # -1 before it comes
    cdef int64_t[::1] open_elements  # the innermost at `level`; -1 outside of the root
    cdef Py_ssize_t level, deepest
    cdef Py_ssize_t unseen  # the level of the outermost open element that is not seen, or 0
    cdef uint64_t key  # of the element that begins
    cdef bint hides  # whether it is not seen
    cdef Py_ssize_t start, attribute, value  # where it, and its last ones, begin in `markup`

    # Strings end with a NUL. Where `begin_element` is false, its attributes and `finish_tag` are left out.
    cdef bint begin_element(self, const unsigned char *name, bint is_empty) except -1
    cdef int begin_attribute(self, const unsigned char *name) except -1
    cdef int add_value(self, const unsigned char *value) except -1
    cdef int end_attribute(self) except -1
    cdef int finish_tag(self, bint is_empty) except -1
    cdef int add_text(self, const unsigned char *text) except -1
    cdef int end_element(self) except -1
    cdef int _add_tag(self, Py_ssize_t element) except -1
