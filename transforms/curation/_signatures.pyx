"""Signatures of texts by their runs of tokens: MinHash (Broder 1997) in lanes of 32 bits, and keys of bands.

As exact as it is in `docs/duplicates.md`: two programs that follow it find the same keys.
"""

import numpy as np

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cedar.transforms.curation._tokens cimport Tokens, mix
from cedar.transforms.extractors.html._bytes cimport GOLDEN_RATIO

cdef extern from *:
    """
    #include <stdint.h>
    #include <stddef.h>

    enum { BANDS = 14, ROWS = 8, LANES = BANDS * ROWS, SHINGLE_TOKENS = 5 };

    /* Compiled for several CPUs, of which the loader takes the one that is there (GCC, Linux on x86). */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define CEDAR_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
    #else
    #define CEDAR_FOR_EACH_CPU
    #endif

    /* The least value of each lane over all shingles; a and b are the lane's factor and summand. */
    CEDAR_FOR_EACH_CPU
    static void cedar_least(
        const uint32_t *shingles, ptrdiff_t size, const uint32_t *a, const uint32_t *b, uint32_t *least
    ) {
        for (int lane = 0; lane < LANES; lane += 16) {
            uint32_t block[16];
            for (int k = 0; k < 16; k++) block[k] = 0xFFFFFFFFu;
            for (ptrdiff_t i = 0; i < size; i++) {
                for (int k = 0; k < 16; k++) {
                    uint32_t v = shingles[i] * a[lane + k] + b[lane + k];
                    v ^= v >> 15;
                    v *= 0x2C1B3C6Du;
                    v ^= v >> 12;
                    block[k] = v < block[k] ? v : block[k];
                }
            }
            for (int k = 0; k < 16; k++) least[lane + k] = block[k];
        }
    }
    """
    enum: BANDS, ROWS, LANES, SHINGLE_TOKENS
    void cedar_least(
        const uint32_t* shingles, Py_ssize_t size, const uint32_t* a, const uint32_t* b, uint32_t* least
    ) nogil

SHINGLE = SHINGLE_TOKENS

cdef uint32_t[LANES] FACTORS
cdef uint32_t[LANES] SUMMANDS


cdef _fill():
    cdef uint64_t state = 1, mixed
    for lane in range(LANES):
        state += GOLDEN_RATIO
        mixed = mix(state)
        FACTORS[lane] = <uint32_t>mixed | 1
        SUMMANDS[lane] = <uint32_t>(mixed >> 32)


_fill()


cdef bint _least(Tokens tokens, uint32_t* least) except -1:
    """Write the least value of each lane; False for a text of too few tokens."""
    cdef Py_ssize_t size = tokens.size - SHINGLE_TOKENS + 1, i, k
    cdef uint32_t* shingles
    cdef uint64_t folded
    if size <= 0:
        return False
    shingles = <uint32_t*>malloc(size * sizeof(uint32_t))
    if shingles is NULL:
        raise MemoryError()
    for i in range(size):
        folded = 0
        for k in range(i, i + SHINGLE_TOKENS):
            folded = (folded + tokens.hashes[k]) * GOLDEN_RATIO
            folded ^= folded >> 29
        shingles[i] = <uint32_t>(mix(folded | 1) >> 32)
    cedar_least(shingles, size, FACTORS, SUMMANDS, least)
    free(shingles)
    return True


cdef inline uint64_t _fold(const uint32_t* lanes, int rows, int band) noexcept nogil:
    """The key of a band: its lanes, folded."""
    cdef uint64_t key = mix(band + 1)
    cdef int row
    for row in range(rows):
        key = mix((key + lanes[row]) * GOLDEN_RATIO)
    return key


def keys_of(const uint32_t[:, ::1] minima not None, int bands, int rows):
    """Make the keys, uint64 (signatures, bands), of bands of `rows` lanes, from all lanes (signatures, 112).

    Raises ValueError: a signature has fewer lanes than the bands take.
    """
    cdef Py_ssize_t i, size = minima.shape[0]
    cdef int band
    cdef uint64_t[:, ::1] out
    if minima.shape[1] != LANES or bands < 1 or rows < 1 or bands > LANES // rows:
        raise ValueError(f"{bands} bands of {rows} rows of {minima.shape[1]} lanes: there are {LANES}")
    keys = np.empty((size, bands), np.uint64)
    out = keys
    with nogil:
        for i in range(size):
            for band in range(bands):
                out[i, band] = _fold(&minima[i, band * rows], rows, band)
    return keys


def sign(Tokens tokens not None):
    """Make the signature of a text: the keys of its 14 bands, 8 bytes each, and its 112 least values, 4 bytes each.

    All are little-endian; None and None if it has fewer than 5 tokens.
    """
    cdef uint32_t[LANES] least
    cdef unsigned char[BANDS * 8] key_bytes
    cdef unsigned char[LANES * 4] least_bytes
    cdef uint64_t key
    cdef Py_ssize_t band, row, i
    if not _least(tokens, least):
        return None, None
    for band in range(BANDS):
        key = _fold(&least[band * ROWS], ROWS, band)
        for i in range(8):
            key_bytes[band * 8 + i] = <unsigned char>(key >> 8 * i)
    for row in range(LANES):
        for i in range(4):
            least_bytes[row * 4 + i] = <unsigned char>(least[row] >> 8 * i)
    return key_bytes[:BANDS * 8], least_bytes[:LANES * 4]
