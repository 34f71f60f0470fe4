# What C4 and RefinedWeb would do with a line: see `_line_rules.pyx`.

from libc.stdint cimport uint32_t

from transforms.curation._tokens cimport Counts, Tokens


cdef struct C4:
    # Of all lines so far.
    Py_ssize_t sentences  # in the lines that are kept
    Py_ssize_t sentences_any_end  # the same without the rule of the end of the line
    Py_ssize_t lines  # that are kept
    Py_ssize_t policy_lines
    Py_ssize_t javascript_lines
    bint lorem_ipsum
    bint curly_bracket


cdef class C4Rules:
    cdef:
        C4 found
        Tokens _tokens
        unsigned char* _text
        Py_ssize_t _room

    cdef int add(self, const unsigned char* line, Counts counts) except -1
    cdef Py_ssize_t _clean(self, const unsigned char* line, Py_ssize_t size) except -1


cdef bint ends_in_dots(const unsigned char* line, Py_ssize_t stop) noexcept nogil
cdef uint32_t last_of(const unsigned char* line, Py_ssize_t size) noexcept nogil
cdef bint refinedweb_drops(const unsigned char* line, Py_ssize_t size, const Counts* counts) noexcept nogil
