# Values of attributes and of style sheets' declarations.


cdef float length(const unsigned char *text, Py_ssize_t size, float em) noexcept nogil
cdef int colour(const unsigned char *text, Py_ssize_t size) noexcept nogil
