from libc.stdint cimport int64_t, uint32_t, uint64_t

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


cdef struct Hints:
    # What the attributes of a start tag say.
    uint32_t groups  # bit g is set where a word of group g of `names.GROUPS` is said
    uint64_t signature  # of its `class`; 0 if it has none
    Py_ssize_t class_start, class_stop, id_start, id_stop  # bytes of its `class` and its `id`, if it has them
    bint hides
    int sign  # what its `class` says it is of the module's `SIGNS`; 0 or less: none
    int seen  # attributes that it has, as bits


cdef class Markup:
    cdef readonly object reading
    cdef readonly bytes html
    cdef readonly str title
    cdef readonly Tags tags
    cdef object headline
    cdef IntArena room
    cdef readonly unsigned char[::1] codes, roles, shown, parting, hiding, said
    cdef readonly int64_t[::1] groups, classes
    cdef int64_t[::1] class_starts, class_stops, id_starts, id_stops
    cdef readonly unsigned char[::1] hidden_gaps, linked_gaps, preformatted_gaps
    cdef readonly int64_t[::1] starts_before
    cdef int _look_up(self) except -1
    cdef int _make_room(self, Py_ssize_t size) except -1
    cdef int _look_up_names(self, int64_t[::1] change) except -1
    cdef int _look_at_attributes(self, int64_t[::1] change) except -1
    cdef bint _follow_code(self, Py_ssize_t tag, bint in_pre, int64_t[::1] change) except -1
    cdef int _mark_shown(self, const int64_t[::1] change) except -1
    cdef bint _marks_a_place(self, Py_ssize_t link, bint in_heading) except -1
    cdef Py_ssize_t looks
    cdef Py_ssize_t _end(self, Py_ssize_t start, Py_ssize_t reach) noexcept
    cdef Py_ssize_t _end_of_code(self, Py_ssize_t start) noexcept
    cdef bint _read_as_pre(self, Py_ssize_t start) except -1
    cdef bint _is_block_of_code(self, Py_ssize_t start) except -1
    cdef bint _is_blank(self, Py_ssize_t tag) noexcept
    cdef bint _has_code_lines(self, Py_ssize_t tag) except -1
    cdef bint _is_beside_code(self, Py_ssize_t tag, const Hints *hints) except -1
    cdef int _hide_head(self, Py_ssize_t pre, int64_t[::1] change) except -1
    cdef int _part_lines(self, Py_ssize_t pre) except -1
    cdef bint _is_line(self, Py_ssize_t tag) except -1
    cdef int _join_around_image(self, Py_ssize_t tag) except -1
    cdef bytes class_of(self, Py_ssize_t tag)
    cdef bytes id_of(self, Py_ssize_t tag)
    cpdef dict attributes_of(self, Py_ssize_t tag)
    cdef uint32_t groups_besides_id(self, Py_ssize_t tag) except? 0xFFFFFFFF
    cdef bint _says(self, Py_ssize_t tag, bytes word) except -1
    cdef int _mark_gaps(self) except -1


cdef uint32_t groups_of(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
