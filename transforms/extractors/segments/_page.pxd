from transforms.extractors.segments._blocks cimport Blocks
from transforms.extractors.segments._elements cimport Elements
from transforms.extractors.segments._headline cimport Headline
from transforms.extractors.segments._markup cimport Markup


cdef class SegmentedPage:
    cdef readonly object source
    cdef readonly Markup markup
    cdef readonly Blocks blocks
    cdef readonly Elements elements
    cdef readonly Headline headline
    cdef readonly tuple schemas
