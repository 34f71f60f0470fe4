from cedar.transforms.extractors.segments._markup cimport Markup

cdef enum:
    LEVELS = 3  # of headings that are told apart: `h1`, `h2`, and the other four together
    MAX_HEADINGS = 16  # of each level


cdef struct Heading:
    Py_ssize_t tag
    Py_ssize_t prose_before, prose_until_next  # bytes of prose before it, and before the next heading
    int min_likeness  # what it takes to be a headline where it stands; 0 where headlines do
    bint hidden


cdef struct Headings:
    # The first headings of each level, in the order of the page.
    Heading noted[LEVELS][MAX_HEADINGS]
    int counts[LEVELS]


cdef class Headline:
    cdef readonly str text
    cdef readonly Py_ssize_t first, last
    cdef readonly set site_names
    cdef int _take_heading(self, Markup markup, Headings *headings, list titles, dict parts) except -1
    cdef int _take_line(self, Markup markup, dict parts, list hidden, Py_ssize_t last) except -1


cpdef Headline headline_of(Markup markup)
cpdef str squashed(str text, bint digits=*)
