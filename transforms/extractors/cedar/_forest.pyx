"""Scores by trees, many blocks at a time."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from cedar.transforms.extractors.html._bytes cimport HAS_AVX2

cdef extern from *:
    """
    #define ARGUMENTS const float *values, Py_ssize_t count, Py_ssize_t size, Py_ssize_t trees, \\
        const int64_t *stops, const int64_t *features, const float *thresholds, const unsigned char *parted, \\
        const unsigned char *flips, const int32_t *leaves, int32_t *sums
    typedef void (*Add)(ARGUMENTS);
    static void add_plain(ARGUMENTS) {
        unsigned char leaf[64];
        for (Py_ssize_t i = 0; i < size; i++) sums[i] = 0;
        for (Py_ssize_t tree = 0, question = 0; tree < trees; tree++) {
            for (Py_ssize_t i = 0; i < size; i++) leaf[i] = 0;
            const Py_ssize_t first = question, stop = stops[tree];
            for (; question < stop; question++) {
                const float *column = values + features[question] * count, threshold = thresholds[question];
                const unsigned char part = parted[question], flip = flips[question];
                for (Py_ssize_t i = 0; i < size; i++)
                    leaf[i] ^= flip & -((leaf[i] == part) & (column[i] > threshold));
            }
            const int32_t *own = leaves + first + tree;
            for (Py_ssize_t i = 0; i < size; i++) sums[i] += own[leaf[i]];
        }
    }
    #ifdef AVX2
    #include <immintrin.h>
    #define YES(i) _mm256_castps_si256(_mm256_cmp_ps(than, _mm256_loadu_ps(column + 8 * (i)), _CMP_LT_OQ))
    #define TWO(i) _mm256_packs_epi32(YES(i), YES(i + 1))
    #define FOUR(i) _mm256_packs_epi16(TWO(i), TWO(i + 2))
    AVX2 static void add_wide(ARGUMENTS) {
        __m256i sum[8] = {0}, leaf[2];
        unsigned char at[64];
        for (Py_ssize_t tree = 0, question = 0; tree < trees; tree++) {
            leaf[0] = leaf[1] = _mm256_setzero_si256();
            const Py_ssize_t first = question, stop = stops[tree];
            for (; question < stop; question++) {
                const float *column = values + features[question] * count;
                const __m256 than = _mm256_set1_ps(thresholds[question]);
                const __m256i part = _mm256_set1_epi8(parted[question]), flip = _mm256_set1_epi8(flips[question]);
                const __m256i yes[2] = {FOUR(0), FOUR(4)};
                for (int half = 0; half < 2; half++)
                    leaf[half] = _mm256_xor_si256(leaf[half], _mm256_and_si256(
                        _mm256_and_si256(_mm256_cmpeq_epi8(leaf[half], part), yes[half]), flip));
            }
            _mm256_storeu_si256((__m256i *)at, leaf[0]);
            _mm256_storeu_si256((__m256i *)(at + 32), leaf[1]);
            for (int i = 0; i < 8; i++)
                sum[i] = _mm256_add_epi32(sum[i], _mm256_i32gather_epi32(
                    leaves + first + tree, _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(at + 8 * i))), 4));
        }
        int32_t packed[64];
        for (int i = 0; i < 8; i++) _mm256_storeu_si256((__m256i *)(packed + 8 * i), sum[i]);
        // Packing has put four blocks of each eight into the lower half of 32, and four into the upper one.
        for (int i = 0; i < 64; i++) sums[(i & 35) | (i & 12) << 1 | (i & 16) >> 2] = packed[i];
    }
    #else
    #define add_wide add_plain
    #endif
    """
    ctypedef void (*Add)(
        const float *values, Py_ssize_t count, Py_ssize_t size, Py_ssize_t trees, const int64_t *stops,
        const int64_t *features, const float *thresholds, const unsigned char *parted, const unsigned char *flips,
        const int32_t *leaves, int32_t *sums
    ) noexcept nogil
    # Add up the leaves of `size` blocks of `count`; the wide one those of `SIZE` blocks.
    Add add_plain, add_wide

cdef enum:
    SIZE = 64  # blocks at a time


cdef class Scorer:
    """A forest made ready.

    All blocks of a tree begin in leaf 0; each question moves some of those in one leaf on to a new one. As no block
    takes a way of its own, one instruction asks many blocks.

    Attributes:
        columns: how many columns the trees may ask about.
        is_wide: whether this machine has instructions for `SIZE` blocks.
    """

    cdef readonly Py_ssize_t columns
    cdef public bint is_wide
    cdef const int64_t[::1] stops, features
    cdef const float[::1] thresholds
    cdef const unsigned char[::1] parted, flips
    cdef const int32_t[::1] leaves

    def __init__(self, forest not None):
        self.columns, self.is_wide = len(forest.columns), HAS_AVX2
        self.stops, self.features, self.thresholds = forest.stops, forest.features, forest.thresholds
        self.parted, self.flips = forest.parted, forest.parted ^ forest.parts()
        self.leaves = forest.leaves

    def scores(self, const float[:, ::1] values not None):
        """The scores of n blocks, int64 (n,), by the columns of the forest, and maybe more: float32 (columns, n)."""
        cdef Py_ssize_t count = values.shape[1]
        if self.is_wide and 1 < count < SIZE:
            padded = np.zeros((values.shape[0], SIZE), np.float32)
            padded[:, :count] = values
            return self.scores(padded)[:count].copy()
        scores = np.empty(count, np.int64)
        self.fill(values, scores)
        return scores

    cdef int fill(self, const float[:, ::1] values, int64_t[::1] result) except -1:
        """Fill in the scores."""
        cdef Py_ssize_t count = values.shape[1], start, at, size, i
        cdef int32_t[SIZE] sums
        cdef bint is_wide = self.is_wide and count >= SIZE
        cdef Add add = add_wide if is_wide else add_plain
        if values.shape[0] < self.columns:
            raise ValueError(f"{values.shape[0]} columns, of which the trees ask for {self.columns}")
        for start in range(0, count, SIZE):
            at = min(start, count - SIZE) if is_wide else start  # the last ones reach back
            size = min(<Py_ssize_t>SIZE, count - at)
            add(
                &values[0, at], count, size, self.stops.shape[0], &self.stops[0], &self.features[0],
                &self.thresholds[0], &self.parted[0], &self.flips[0], &self.leaves[0], sums
            )
            for i in range(size):
                result[at + i] = sums[i]
        return 0


def score_kinds(kinds not None, const float[:, ::1] page not None):
    """The log-odds, in ten-thousandths, that a page is of each of `KINDS`: int64 (kinds,).

    The page's columns are the means of its blocks' columns: float32 (columns, 1).
    """
    if page.shape[1] != 1:
        raise ValueError("columns of more than one page")
    scores = np.empty(len(kinds), np.int64)
    cdef int64_t[::1] result = scores
    cdef Py_ssize_t i
    for i in range(result.shape[0]):
        (<Scorer?>kinds[i]).fill(page, result[i : i + 1])
    return scores
