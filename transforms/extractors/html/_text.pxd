"""The text of a page outside of its tags, for other compiled modules."""

cimport cython
from libc.stdint cimport int64_t

from transforms.extractors.html._bytes cimport SPACE
from transforms.extractors.html._growing cimport Records
from transforms.extractors.html._tags cimport Tags


@cython.final
cdef class Text:
    """A page's text outside of its tags, with a placeholder of one byte for each of these.

    byte: the text: every byte of a blank is a space, tags are a space or NUL; its last byte stands for the
        end of the page.
    placeholder: where each tag's placeholder is.
    is_wide: whether it may hold more than ASCII.
    inner: where the second and later bytes of blanks are, which are spaces now; None without any.
    """

    cdef readonly Tags tags
    cdef readonly object coded, placeholders
    cdef readonly Py_ssize_t link_chars, line_ends
    cdef unsigned char[::1] byte
    cdef int64_t[::1] placeholder
    cdef bint is_wide
    cdef Records inner

    cdef Py_ssize_t code_points(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
    cdef int check(self, Py_ssize_t start, Py_ssize_t stop) except -1
    cdef int add_inner(self, Py_ssize_t offset) except -1
    cdef Py_ssize_t tags_before(self, Py_ssize_t offset) noexcept nogil
