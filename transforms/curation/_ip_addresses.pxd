from cedar.transforms.curation._plain_text cimport Text, byte_at

cdef Py_ssize_t read_ipv4(Text* text, Py_ssize_t place, unsigned char* parts) noexcept
cdef Py_ssize_t find_ipv4(Text* text, Py_ssize_t dot, Py_ssize_t floor, Py_ssize_t* start) noexcept
cdef Py_ssize_t find_ipv6(Text* text, Py_ssize_t colon, Py_ssize_t floor, Py_ssize_t* start) noexcept
cdef Py_ssize_t after_bracketed_dot(Text* text, Py_ssize_t place) noexcept
cdef bint is_inside(Text* text, Py_ssize_t first) noexcept
cdef bint ends_address(Text* text, Py_ssize_t stop) noexcept


cdef inline Py_ssize_t after_dot(Text* text, Py_ssize_t place) noexcept:
    """Return the end of a dot that begins here, as it is or in brackets; -1 if none does."""
    return place + 1 if byte_at(text, place) == c"." else after_bracketed_dot(text, place)
