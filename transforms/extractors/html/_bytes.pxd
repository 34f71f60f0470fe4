"""Looks through bytes: positions of bytes, eight bytes at a time, names of tags, blanks, later bytes of code points."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy

cdef extern from *:
    """
    #define GOLDEN_RATIO 0x9E3779B97F4A7C15ULL
    #ifdef __x86_64__
    #define AVX2 __attribute__((target("avx2")))
    #define HAS_AVX2 __builtin_cpu_supports("avx2")
    #else
    #define HAS_AVX2 0
    #endif
    #if defined(__SSE2__) && !defined(CEDAR_PLAIN)
    #include <emmintrin.h>
    #define MARKS(yes) ((uint64_t)_mm_movemask_epi8((__m128i)(yes)))
    #else
    #define MARKS(yes) marks_of((Sixteen)(yes))
    #endif
    typedef unsigned char Sixteen __attribute__((vector_size(16)));
    typedef signed char Signed __attribute__((vector_size(16)));
    static inline uint64_t marks_of(Sixteen bytes) {  // the high bit of each
        uint64_t marks = 0;
        for (int i = 0; i < 16; i++) marks |= (uint64_t)(bytes[i] >> 7) << i;
        return marks;
    }
    static inline Sixteen sixteen(const unsigned char *at, Py_ssize_t there) {
        Sixteen bytes = {0};
        if (there >= 16) memcpy(&bytes, at, 16);
        else memcpy(&bytes, at, there);
        return bytes;
    }
    static inline const unsigned char *sixty_four(const unsigned char *at, Py_ssize_t there, unsigned char *room) {
        if (there >= 64) return at;
        memset(room, 0, 64);
        return memcpy(room, at, there);
    }
    static inline uint64_t equal(Sixteen bytes, unsigned char byte) { return MARKS(bytes == byte); }
    static inline uint64_t below_or_equal(Sixteen bytes, unsigned char byte) { return MARKS(bytes <= byte); }
    static inline __attribute__((always_inline)) uint64_t one_of(Sixteen bytes, const char *which, int count) {
        Sixteen some = {0};
        #pragma GCC unroll 16
        for (int i = 0; i < count; i++) some |= (Sixteen)(bytes == (unsigned char)which[i]);
        return MARKS(some);
    }
    static inline __attribute__((always_inline)) uint64_t pairs(
        const unsigned char *at, Py_ssize_t there, unsigned char fold, const char *which, int count, int step
    ) {
        Sixteen first = sixteen(at, there) | fold, second = sixteen(at + 1, there - 1) | fold, some = {0};
        #pragma GCC unroll 16
        for (int i = 0; i < count; i++, which += step)
            some |= (Sixteen)(first == (unsigned char)which[0]) & (Sixteen)(second == (unsigned char)which[1]);
        return MARKS(some);
    }
    static inline uint64_t which_are(const unsigned char *at, unsigned char byte) {
        uint64_t marks = 0;
        for (int i = 0; i < 64; i += 16) marks |= equal(sixteen(at + i, 16), byte) << i;
        return marks;
    }
    static inline Py_ssize_t continuing(const unsigned char *at, Py_ssize_t size) {
        Py_ssize_t found = 0;
        unsigned char room[64];
        while (size > 0) {
            Sixteen some = {0};  // numbers as narrow as the bytes that are counted
            for (int i = 0; i < 60 && size > 0; i++, at += 64, size -= 64) {
                const unsigned char *block = sixty_four(at, size, room);
                for (int k = 0; k < 64; k += 16) some -= (Sixteen)((Signed)sixteen(block + k, 16) < -64);
            }
            for (int i = 0; i < 16; i++) found += some[i];
        }
        return found;
    }
    """
    bint HAS_AVX2  # whether code compiled for `AVX2` runs on this machine
    const uint64_t GOLDEN_RATIO  # less one, in 64 bits: multiples of it spread over all numbers
    int popcount "__builtin_popcountll"(uint64_t bits) nogil
    int lowest_bit "__builtin_ctzll"(uint64_t bits) nogil  # which is set, of some
    ctypedef struct Sixteen:
        pass
    # Sixteen bytes, at least one of them there, NUL for the others; which of them are `byte`, or at most `byte`.
    Sixteen sixteen(const unsigned char* at, Py_ssize_t there) nogil
    uint64_t equal(Sixteen bytes, unsigned char byte) nogil
    uint64_t below_or_equal(Sixteen bytes, unsigned char byte) nogil
    # Which of them are among the first `count` characters of `which`.
    uint64_t one_of(Sixteen bytes, const char* which, int count) nogil
    # Which of sixteen bytes, each with the bits of `fold`, begin one of `count` pairs, `step` apart in `which`.
    uint64_t pairs(
        const unsigned char* at, Py_ssize_t there, unsigned char fold, const char* which, int count, int step
    ) nogil
    # The 64 bytes at `at`; if fewer are there, in `room`, with NUL after them.
    const unsigned char* sixty_four(const unsigned char* at, Py_ssize_t there, unsigned char* room) nogil
    # Which of 64 bytes are `byte`, a bit each.
    uint64_t which_are(const unsigned char* at, unsigned char byte) nogil
    # How many of `size` bytes continue a code point.
    Py_ssize_t continuing(const unsigned char* at, Py_ssize_t size) nogil

cdef enum:
    SPACE = 0x20


cdef inline Py_ssize_t find(
    const unsigned char[::1] data, unsigned char byte, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """Where `byte` is first in [start, stop), a range of `data`; -1 if nowhere."""
    cdef const unsigned char* found
    cdef uint64_t marks
    cdef Py_ssize_t at
    if start >= stop:
        return -1
    # Within bounds: 0 <= start < stop <= size. Most often it is near.
    marks = equal(sixteen(&data[start], stop - start), byte)
    if marks or stop - start <= 16:
        at = start + lowest_bit(marks) if marks else stop
        return at if at < stop else -1  # NUL follows the last byte that is looked at
    found = <const unsigned char*> memchr(&data[start + 16], byte, stop - start - 16)
    return -1 if found == NULL else found - &data[0]


cdef inline Py_ssize_t find_or_size(
    const unsigned char[::1] data, unsigned char byte, Py_ssize_t start
) noexcept nogil:
    """Where `byte` is first from `start` on; the size of `data` if nowhere."""
    cdef Py_ssize_t found = find(data, byte, start, data.shape[0])
    return data.shape[0] if found < 0 else found


cdef inline uint64_t little_endian(uint64_t value) noexcept nogil:
    """A number that was copied from eight bytes, or is to be, so that the first byte is the lowest."""
    cdef uint64_t one = 1, swapped = 0
    cdef int k
    if (<unsigned char*> &one)[0]:
        return value
    for k in range(8):
        swapped = swapped << 8 | value >> 8 * k & 0xFF
    return swapped


cdef inline uint64_t word(const unsigned char[::1] data, Py_ssize_t at) noexcept nogil:
    """The eight bytes from `at` on, 0 <= at, as one little-endian number; NUL after the end of `data`."""
    cdef uint64_t value = 0
    cdef Py_ssize_t k
    if at + 8 <= data.shape[0]:
        memcpy(&value, &data[at], 8)  # within bounds: at + 8 <= size
        return little_endian(value)
    for k in range(data.shape[0] - at):
        value |= <uint64_t> data[at + k] << 8 * k
    return value


cdef inline uint64_t key_at(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The key of the name in [start, stop), a range of `data`, in any case; see `_elements.key`."""
    cdef uint64_t letters = word(data, start) | eight(0x20)
    return letters if stop - start >= 8 else letters & (<uint64_t>1 << 8 * (stop - start)) - 1


cdef inline uint64_t mixed(const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """A number of the bytes in [start, stop): the same for the same bytes, and hardly ever for others."""
    cdef uint64_t number = <uint64_t> (stop - start)
    while start + 8 <= stop:
        number = (number ^ word(data, start)) * GOLDEN_RATIO
        number ^= number >> 32
        start += 8
    if start < stop:
        number = (number ^ (word(data, start) << 8 * (8 - (stop - start)))) * <uint64_t> 0xC2B2AE3D27D4EB4F
        number ^= number >> 29
    return number


# Eight bytes in a number: S. E. Anderson, "Bit Twiddling Hacks".


cdef inline uint64_t eight(uint64_t byte) noexcept nogil:
    """Eight times the same byte."""
    return <uint64_t> 0x0101010101010101 * byte


cdef inline uint64_t below(uint64_t letters, uint64_t bound) noexcept nogil:
    """Mark, in its high bit, the lowest byte less than `bound`, at most 0x80; marks above may be wrong."""
    return (letters - eight(bound)) & ~letters & eight(0x80)


cdef inline uint64_t zero_bytes(uint64_t letters) noexcept nogil:
    """Mark, in its high bit, the lowest byte that is 0; marks above may be wrong."""
    return below(letters, 1)


cdef inline Py_ssize_t bits_set(uint64_t marks) noexcept nogil:
    """How many of the bytes have their high bit set; no other bit is."""
    return <Py_ssize_t> (((marks >> 7) * eight(1)) >> 56)


cdef inline Py_ssize_t inner_bytes(
    const unsigned char[::1] data, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil:
    """The second and later bytes of code points in [start, stop), a range of `data`."""
    return continuing(&data[start], stop - start) if start < stop else 0


cdef inline uint32_t code_point_at(const unsigned char* at, Py_ssize_t* width) noexcept nogil:
    """The character whose UTF-8, valid and whole, begins at `at`, and the number of its bytes."""
    if at[0] < 0x80:
        width[0] = 1
        return at[0]
    if at[0] < 0xE0:
        width[0] = 2
        return <uint32_t>(at[0] & 0x1F) << 6 | at[1] & 0x3F
    if at[0] < 0xF0:
        width[0] = 3
        return <uint32_t>(at[0] & 0x0F) << 12 | <uint32_t>(at[1] & 0x3F) << 6 | at[2] & 0x3F
    width[0] = 4
    return (
        <uint32_t>(at[0] & 0x07) << 18 | <uint32_t>(at[1] & 0x3F) << 12
        | <uint32_t>(at[2] & 0x3F) << 6 | at[3] & 0x3F
    )


cdef inline int encode(uint32_t point, unsigned char* out) noexcept nogil:
    """Write a character as UTF-8 (RFC 3629, section 3) and give the number of its bytes, at most 4."""
    if point < 0x80:
        out[0] = <unsigned char>point
        return 1
    if point < 0x800:
        out[0] = <unsigned char>(0xC0 | point >> 6)
        out[1] = <unsigned char>(0x80 | point & 0x3F)
        return 2
    if point < 0x10000:
        out[0] = <unsigned char>(0xE0 | point >> 12)
        out[1] = <unsigned char>(0x80 | point >> 6 & 0x3F)
        out[2] = <unsigned char>(0x80 | point & 0x3F)
        return 3
    out[0] = <unsigned char>(0xF0 | point >> 18)
    out[1] = <unsigned char>(0x80 | point >> 12 & 0x3F)
    out[2] = <unsigned char>(0x80 | point >> 6 & 0x3F)
    out[3] = <unsigned char>(0x80 | point & 0x3F)
    return 4


cdef inline bint is_blank(uint32_t character) noexcept nogil:
    """Whether a character is what `str.isspace` takes for a blank."""
    if character < 0x80:
        return is_ascii_blank(<unsigned char> character)
    return (
        character == 0x85
        or character == 0xA0
        or character == 0x1680
        or 0x2000 <= character <= 0x200A
        or 0x2028 <= character <= 0x2029
        or character == 0x202F
        or character == 0x205F
        or character == 0x3000
    )


cdef inline bint is_control(uint32_t character) noexcept nogil:
    """Whether a character that is not a blank is a control character (category Cc)."""
    return character < 0x20 or 0x7F <= character < 0xA0


cdef inline bint is_unseen(uint32_t character) noexcept nogil:
    """Whether a character only says where a word may break or not: U+00AD, U+200B, U+2060, U+FEFF.

    U+200C and U+200D are not among them: they change how letters look.
    """
    return character == 0xAD or character == 0x200B or character == 0x2060 or character == 0xFEFF


cdef inline bint is_ascii_blank(unsigned char byte) noexcept nogil:
    """Whether a byte below 0x80 is what `str.isspace` takes for a blank."""
    return byte == 0x20 or <unsigned char> (byte - 0x09) < 5 or <unsigned char> (byte - 0x1C) < 4


cdef inline bint is_html_blank(unsigned char byte) noexcept nogil:
    """Whether a byte is what HTML takes for a blank."""
    return byte == 0x20 or 0x09 <= byte <= 0x0D and byte != 0x0B


cdef inline Py_ssize_t count_below(const int64_t[::1] ascending, Py_ssize_t bound) noexcept nogil:
    """How many of the numbers are below a bound: a binary search."""
    cdef Py_ssize_t low = 0, high = ascending.shape[0], middle
    while low < high:
        middle = (low + high) // 2
        if ascending[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline Py_ssize_t wide_blank(const unsigned char[::1] data, Py_ssize_t at) noexcept nogil:
    """Bytes of the blank beyond ASCII that `data` holds at `at`; 0 if there is none, or not all of it."""
    cdef unsigned char lead = data[at]
    cdef Py_ssize_t width = 2 if lead == 0xC2 else 3
    # Two bytes of U+0085 and U+00A0, three of the others, from U+1680 to U+3000.
    if lead < 0xC2 or 0xC2 < lead < 0xE1 or lead > 0xE3 or at + width > data.shape[0]:
        return 0
    return width if is_blank(code_point_at(&data[at], &width)) else 0
