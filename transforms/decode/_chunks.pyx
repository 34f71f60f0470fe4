"""The chunked transfer coding, read leniently (RFC 9112, section 7.1).

Crawls hold chunks with bare line feeds, extensions, trailers, sizes that lie, and cut ends; and bodies that the crawler
has de-chunked while the header still says `chunked`.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint64_t
from libc.string cimport memchr, memcpy

from cedar.transforms.extractors.html._bytes cimport SPACE
from cedar.transforms.model._fields cimport is_of_a_name

# Every repetition has an upper bound, so that looking at one place of the body costs O(1).
cdef enum:
    MAX_LINE_ENDS = 8  # before a size
    MAX_BLANKS = 64  # before a size, and after it
    MAX_DIGITS = 16
    MAX_EXTENSION = 256
    MAX_BODY_END = 16
    MAX_FIELD_NAME = 64
    TAB = 0x09
    LF = 0x0A
    CR = 0x0D


cdef struct Head:
    Py_ssize_t end  # the byte after the line
    uint64_t size


cdef struct Chunk:
    Py_ssize_t stop  # the byte after its data
    bint has_next
    Head next


cdef inline int _digit(unsigned char byte) noexcept nogil:
    """Return the value of a hexadecimal digit, or -1."""
    if 0x30 <= byte <= 0x39:
        return byte - 0x30
    byte |= 0x20
    if 0x61 <= byte <= 0x66:
        return byte - 0x57
    return -1


cdef inline Py_ssize_t _after_line_end(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return the byte after the line end at `at`, or `at` if there is none."""
    cdef Py_ssize_t length = body.shape[0]
    if at < length and body[at] == LF:
        return at + 1
    if at + 1 < length and body[at] == CR and body[at + 1] == LF:
        return at + 2
    return at


cdef inline Py_ssize_t _after_blanks(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return the first byte from `at` on that is not a blank, or the one after `MAX_BLANKS` of them."""
    cdef Py_ssize_t stop = min(body.shape[0], at + MAX_BLANKS)
    while at < stop and (body[at] == SPACE or body[at] == TAB):
        at += 1
    return at


cdef bint _read_size(const unsigned char[::1] body, Py_ssize_t at, Head* head) noexcept nogil:
    """Return whether there is the line of a size at `at`; if so, fill in `head`."""
    cdef Py_ssize_t length = body.shape[0], first, stop, end
    cdef uint64_t size = 0
    cdef int digit
    at = first = _after_blanks(body, at)
    while at < length and at - first <= MAX_DIGITS:
        digit = _digit(body[at])
        if digit < 0:
            break
        size = size << 4 | <uint64_t>digit
        at += 1
    if not 1 <= at - first <= MAX_DIGITS:
        return False
    at = _after_blanks(body, at)
    if at < length and body[at] == c";":
        at += 1
        stop = min(length, at + MAX_EXTENSION)
        while at < stop and body[at] != LF:
            at += 1
    end = _after_line_end(body, at)
    if end == at:
        return False
    head.end, head.size = end, size
    return True


cdef bint _read_head(const unsigned char[::1] body, Py_ssize_t at, int least, Head* head) noexcept nogil:
    """Return whether there are line ends, at least `least`, and the line of a size at `at`."""
    cdef int found = 0
    cdef Py_ssize_t end
    while found < MAX_LINE_ENDS:
        end = _after_line_end(body, at)
        if end == at:
            break
        at = end
        found += 1
    return found >= least and _read_size(body, at, head)


cdef bint _is_body_end(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return whether nothing but some line ends follows."""
    cdef Py_ssize_t i
    if body.shape[0] - at > MAX_BODY_END:
        return False
    for i in range(at, body.shape[0]):
        if body[i] != CR and body[i] != LF:
            return False
    return True


cdef bint _is_after_last(const unsigned char[::1] body, Py_ssize_t at) noexcept nogil:
    """Return whether there is what follows the last chunk: the end, a blank line, or a field."""
    cdef Py_ssize_t first = at, stop = min(body.shape[0], at + MAX_FIELD_NAME)
    if at == body.shape[0] or _after_line_end(body, at) > at:
        return True
    while at < stop and is_of_a_name(body[at]):
        at += 1
    return at > first and at < body.shape[0] and body[at] == c":"


cdef bint _is_true(const unsigned char[::1] body, Head head) noexcept nogil:
    """Return whether a chunk ends where its head says."""
    cdef Head next
    cdef Py_ssize_t stop
    if head.size == 0:
        return _is_after_last(body, head.end)
    if head.size > <uint64_t>(body.shape[0] - head.end):
        return False
    stop = head.end + <Py_ssize_t>head.size
    return _read_head(body, stop, 1, &next) or _is_body_end(body, stop)


cdef Chunk _chunk(const unsigned char[::1] body, Head head) noexcept nogil:
    """Return where the data of a chunk end, and the head of the next one."""
    cdef Py_ssize_t length = body.shape[0], at = head.end, line_end
    cdef const unsigned char* found
    cdef Chunk chunk
    chunk.has_next = False
    if head.size <= <uint64_t>(length - head.end):
        chunk.stop = head.end + <Py_ssize_t>head.size
        chunk.has_next = _read_head(body, chunk.stop, 1, &chunk.next)
        if chunk.has_next or _is_body_end(body, chunk.stop):
            return chunk
    while at < length:
        found = <const unsigned char*>memchr(&body[at], LF, length - at)
        if found == NULL:
            break
        line_end = found - &body[0]
        at = line_end + 1
        if line_end > head.end and body[line_end - 1] == CR:
            line_end -= 1
        if _read_size(body, at, &chunk.next) and _is_true(body, chunk.next):
            chunk.stop, chunk.has_next = line_end, True
            return chunk
    chunk.stop = length
    return chunk


def dechunk(const unsigned char[::1] body not None, Py_ssize_t limit):
    """Undo the chunked coding.

    Returns what the chunks held, `limit` bytes at most, and whether the last is missing or the cap cut; None where
    `body` does not have the form of chunks. A size that lies (where the chunk should end there is neither a size line
    nor the end of the body) is corrected: the chunk continues to the next line that is a size and tells the truth, or
    else to the end of the body. Linear in the length of `body`.
    """
    cdef Py_ssize_t capacity = max(0, min(body.shape[0], limit)), size = 0, there
    cdef bytes data = PyBytes_FromStringAndSize(NULL, capacity)
    cdef char* written = PyBytes_AS_STRING(data)
    cdef Head head
    cdef Chunk chunk
    cdef bint is_first = True, is_whole = False
    if not _read_head(body, 0, 0, &head):
        return None
    with nogil:
        while True:
            if head.size == 0:
                is_whole = True
                break
            chunk = _chunk(body, head)
            there = chunk.stop - head.end
            if is_first and not chunk.has_next and <uint64_t>there > head.size:
                size = -1
                break
            is_first = False
            memcpy(written + size, &body[0] + head.end, min(there, capacity - size))
            if there > capacity - size:
                size = capacity
                break
            size += there
            if not chunk.has_next:
                break
            head = chunk.next
    if size < 0:
        return None
    return data[:size], not is_whole
