from cedar.transforms.extractors.html._growing cimport IntArena, Records
from cedar.transforms.extractors.segments._blocks cimport Blocks
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._headline cimport Headline
from cedar.transforms.extractors.segments._markup cimport Markup


cdef class TitleMatch:
    cdef readonly float[::1] likeness
    cdef readonly Py_ssize_t block
    cdef readonly float block_likeness
    cdef int _compare_headings(self, Blocks blocks, Elements elements, str title, IntArena room) except -1
    cdef int _find(self, Blocks blocks, Elements elements, str title) except -1


cdef class SegmentedPage:
    cdef readonly object source
    cdef readonly Markup markup
    cdef readonly Blocks blocks
    cdef readonly Elements elements
    cdef readonly TitleMatch title_match
    cdef readonly tuple schemas
    cdef readonly Py_ssize_t headline_start, headline_stop
    cdef int _place_headline(self, Headline headline) except -1


cdef int put_words(str text, Records words, bint underscored=*) except -1
