from cedar.transforms.extractors.html._growing cimport ByteBuffer

cdef enum:  # the surroundings of a piece of a line
    MARKED_BEFORE = 1  # a mark stands before it
    MARKED_AFTER = 2
    PIPES = 4  # it is in a cell
    DOLLARS = 8  # dollars have a meaning
    TILDES = 16  # there are two tildes or more
    BRACKETS = 32  # it is the text of a link that all its brackets would break
    LINKED = 64  # it is the text of a link whose brackets are pairs

cdef struct Line:
    # The bytes [start, stop) of a line, where square brackets may open links up to `links`, its surroundings, and
    # which marks stand next to a piece of it.
    Py_ssize_t start
    Py_ssize_t stop
    Py_ssize_t links
    int around
    int neighbours

cdef Py_UCS4 code_point(const unsigned char[::1] text, Py_ssize_t at) noexcept nogil
cdef Py_UCS4 code_point_before(const unsigned char[::1] text, Py_ssize_t at) noexcept nogil
cdef int brackets_of_link(
    const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t links
) noexcept nogil
cdef bint is_balanced(const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
cdef bint is_mark(Py_UCS4 character) except -1
cdef int put_code_span(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, bint in_cell
) except -1
cdef int put_escaped(
    ByteBuffer out, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t stop, Line *line
) except -1
cdef int escape_start(ByteBuffer out, Py_ssize_t start) except -1
cdef int escape_end(ByteBuffer out, Py_ssize_t start) except -1
