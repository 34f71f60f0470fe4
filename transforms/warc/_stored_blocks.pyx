"""Stored blocks of deflate (RFC 1951, section 3.2.4): bytes that stand in a gzip member as they are."""

cdef enum:
    CHUNK = 64  # bytes looked at together, which the compiler does at once
    HEADER = 4  # bytes of LEN and of its complement
    MAX_LEN = 0xFFFF
    BITS = 0x40  # the byte before LEN is less: it ends in bits of padding, or with the type, 00


cdef inline bint _is_len(const unsigned char *at) noexcept nogil:
    """Tell whether two bytes and their complements stand here."""
    return ((at[0] ^ at[2]) == 0xFF) & ((at[1] ^ at[3]) == 0xFF)


def may_be_stored(const unsigned char[::1] before) -> bool:
    """Tell whether a stored block that begins in these bytes may hold the byte after them.

    Any bytes may look like the header of such a block: of 64 KiB of others some 12 % do.
    """
    cdef Py_ssize_t size = before.shape[0], at, stop, place
    cdef const unsigned char *found
    cdef bint any_len
    if size <= HEADER:
        return False
    at = max(1, size - HEADER - MAX_LEN)
    while at + HEADER <= size:
        stop = min(at + CHUNK, size - HEADER + 1)
        found = &before[0]
        any_len = False
        for place in range(at, stop):
            any_len |= _is_len(found + place)
        if any_len:
            for place in range(at, stop):
                if (
                    _is_len(found + place)
                    and found[place - 1] < BITS
                    and place + HEADER + found[place] + 256 * found[place + 1] > size
                ):
                    return True
        at = stop
    return False
