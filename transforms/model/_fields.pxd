cdef inline bint is_of_a_name(unsigned char byte) noexcept nogil:
    """Return whether a byte may stand in a field's name (RFC 9110, section 5.6.2, tchar)."""
    if 0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x5E <= byte <= 0x7A:
        return True
    return byte == 0x21 or 0x23 <= byte <= 0x27 or byte in (0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E)
