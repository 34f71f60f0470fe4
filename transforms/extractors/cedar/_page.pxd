from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._headline cimport Headline
from transforms.extractors.cedar._markup cimport Markup


cdef class SegmentedPage:
    cdef readonly object source
    cdef readonly Markup markup
    cdef readonly Blocks blocks
    cdef readonly Elements elements
    cdef readonly Headline headline
    cdef readonly tuple schemas
