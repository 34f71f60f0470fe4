from libc.stdint cimport int64_t, uint32_t

from cedar.transforms.extractors.html._growing cimport IntArena
from cedar.transforms.extractors.html._tags cimport Tags

cdef enum:
    NO_CODE = 255  # as in `names`, and so are the others
    OTHER = 0
    ANCHOR = 1
    PREFORMATTED = 2
    LINE_BREAK = 3
    EMPTY = 4
    UNSEEN = 5

cdef enum:  # attributes that are looked at, as bits
    HAS_CLASS = 1
    HAS_ID = 2
    HAS_ROLE = 4
    HAS_ITEMPROP = 8
    SAYING = 15  # those whose words say something
    HAS_TARGET = 16
    HAS_HIDDEN = 32
    HAS_STYLE = 64
    HAS_NAMES = 128  # `rel` or `property`


cdef int64_t FIRST_HEADING  # the code of `h1`; those up to `h6` follow


cdef class Markup:
    cdef readonly object reading
    cdef readonly bytes html
    cdef readonly str title
    cdef readonly Tags tags
    cdef IntArena room
    cdef readonly unsigned char[::1] codes, roles, shown, parting, hiding, said
    cdef readonly int64_t[::1] groups, classes
    cdef readonly unsigned char[::1] hidden_gaps, linked_gaps, preformatted_gaps
    cdef readonly int64_t[::1] starts_before
    cdef int _look_up(self) except -1
    cdef bint _marks_a_place(self, Py_ssize_t link, bint in_heading) except -1
    cdef Py_ssize_t _end_of_hidden(self, Py_ssize_t start) noexcept
    cdef bytes id_of(self, Py_ssize_t tag)
    cdef uint32_t groups_besides_id(self, Py_ssize_t tag) except? 0xFFFFFFFF
    cdef bint _says(self, Py_ssize_t tag, bytes word) except -1
    cdef int _mark_gaps(self) except -1


cdef uint32_t groups_of(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
