from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._markup cimport Markup


cdef class Headline:
    cdef readonly float[::1] likeness
    cdef readonly Py_ssize_t block
    cdef readonly float found
    cdef int _compare_headings(self, Blocks blocks, Elements elements, str title) except -1
    cdef int _find(self, Blocks blocks, Elements elements, str title) except -1
