from cedar.transforms.extractors.segments._markup cimport Markup


cdef class Headline:
    cdef readonly str text
    cdef readonly Py_ssize_t first, last
    cdef readonly set site_names
    cdef int _take_heading(
        self, Markup markup, list headings, dict doubtful, dict prose_before, list titles, dict parts
    ) except -1
    cdef int _take_line(self, Markup markup, dict parts, list hidden, Py_ssize_t last) except -1


cpdef Headline headline_of(Markup markup)
cpdef str squashed(str text, bint digits=*)
