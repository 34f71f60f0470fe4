from libc.stdint cimport uint32_t

from transforms.extractors.cedar._page cimport SegmentedPage

cdef uint32_t[4] GUTTER_WORDS

cdef bint speaks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const uint32_t *words
) noexcept nogil
cdef str code(SegmentedPage page, list blocks)
cdef str language_of(SegmentedPage page, Py_ssize_t element)
