cdef bint has_control_bytes(const unsigned char[::1] text) noexcept nogil
