from cedar.transforms.curation._plain_text cimport Text

cdef Py_ssize_t read_ipv4(Text* text, Py_ssize_t place, unsigned char* parts) noexcept
cdef Py_ssize_t find_ipv4(Text* text, Py_ssize_t dot, Py_ssize_t floor, Py_ssize_t* start) noexcept
cdef Py_ssize_t find_ipv6(Text* text, Py_ssize_t colon, Py_ssize_t floor, Py_ssize_t* start) noexcept
cdef bint is_inside(Text* text, Py_ssize_t first) noexcept
cdef bint ends_address(Text* text, Py_ssize_t stop) noexcept
