"""Scores by oblivious trees, many blocks at a time."""

import numpy as np

from libc.stdint cimport int64_t

from cedar.transforms.extractors.html._bytes cimport HAS_AVX2

cdef extern from *:
    """
    #define ARGUMENTS const float *values, Py_ssize_t count, Py_ssize_t size, Py_ssize_t trees, const int64_t *rows, \\
        const float *thresholds, const int64_t *leaves, const unsigned char *halves, int64_t *sums
    typedef void (*Add)(ARGUMENTS);
    static void add_plain(ARGUMENTS) {
        for (Py_ssize_t i = 0; i < size; i++) sums[i] = 0;
        for (; trees; trees--, rows += 4, thresholds += 4, leaves += 16) {
            const float *a = values + rows[0] * count, *b = values + rows[1] * count;
            const float *c = values + rows[2] * count, *d = values + rows[3] * count;
            int leaf[32];
            for (Py_ssize_t i = 0; i < size; i++)
                leaf[i] = 8 * (a[i] > thresholds[0]) + 4 * (b[i] > thresholds[1])
                    + 2 * (c[i] > thresholds[2]) + (d[i] > thresholds[3]);
            #pragma GCC unroll 8
            for (Py_ssize_t i = 0; i < size; i++) sums[i] += leaves[leaf[i]];
        }
    }
    #ifdef AVX2
    #include <immintrin.h>
    #define YES(i) _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(column + 8 * (i)), than, _CMP_GT_OQ))
    #define TABLE(bytes) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(bytes)))
    AVX2 static void add_wide(ARGUMENTS) {
        const __m256i zero = _mm256_setzero_si256();
        __m256i sum[4] = {zero, zero, zero, zero};
        unsigned short parts[64];
        for (Py_ssize_t tree = 0; tree < trees; tree++, rows += 4, thresholds += 4, halves += 32) {
            __m256i leaf = zero;
            for (int bit = 0; bit < 4; bit++) {
                const float *column = values + rows[bit] * count;
                const __m256 than = _mm256_set1_ps(thresholds[bit]);
                const __m256i yes = _mm256_packs_epi16(
                    _mm256_packs_epi32(YES(0), YES(1)), _mm256_packs_epi32(YES(2), YES(3))
                );
                leaf = _mm256_or_si256(leaf, _mm256_and_si256(yes, _mm256_set1_epi8(8 >> bit)));
            }
            for (int half = 0; half < 2; half++) {
                const __m256i found = _mm256_shuffle_epi8(TABLE(halves + 16 * half), leaf);
                sum[half] = _mm256_add_epi16(sum[half], _mm256_unpacklo_epi8(found, zero));
                sum[2 + half] = _mm256_add_epi16(sum[2 + half], _mm256_unpackhi_epi8(found, zero));
            }
        }
        for (int i = 0; i < 4; i++) _mm256_storeu_si256((__m256i *)(parts + 16 * i), sum[i]);
        for (int i = 0; i < 32; i++) {
            // Packing has put four blocks of each eight into the lower half, and four into the upper one.
            const int at = (i & 16) << 1 | (i & 4) << 1 | (i & 8) >> 1 | (i & 3);
            sums[i] = parts[at] + ((int64_t)parts[at + 16] << 8) - 32768 * trees;
        }
    }
    #else
    #define add_wide add_plain
    #endif
    """
    ctypedef void (*Add)(
        const float *values, Py_ssize_t count, Py_ssize_t size, Py_ssize_t trees, const int64_t *rows,
        const float *thresholds, const int64_t *leaves, const unsigned char *halves, int64_t *sums
    ) noexcept nogil
    # Add up the leaves of `size` blocks of `count`. In 16 bytes one instruction looks a leaf up, for `SIZE` blocks.
    Add add_plain, add_wide

cdef enum:
    SIZE = 32  # blocks at a time
    DEPTH = 4  # questions of a tree
    LEAVES = 16
    MIDDLE = 1 << 15  # what is added to a leaf, so that it is not negative
    MOST_TREES = 256  # whose bytes 16 bits can add up


cdef class Scorer:
    """A forest made ready: t trees of `DEPTH` questions, of which the first ones may be such that none says yes to.

    Attributes:
        rows: int64 (t, DEPTH), the column each question is about; the first one is the highest bit of a leaf's number.
        thresholds: float32 (t, DEPTH); the answer is yes where the column is larger.
        leaves: int64 (t, LEAVES), what each leaf adds.
        halves: uint8 (t, 2, LEAVES), the low and the high bytes of the leaves and `MIDDLE`.
        is_wide: whether this machine, and 16 bits, can add these up.
    """

    cdef readonly Py_ssize_t columns
    cdef public bint is_wide
    cdef unsigned char[:, :, ::1] halves
    cdef int64_t[:, ::1] rows
    cdef float[:, ::1] thresholds
    cdef int64_t[:, ::1] leaves
    cdef int64_t bias

    def __init__(self, forest not None):
        trees, depth = forest.features.shape
        if not 1 <= depth <= DEPTH:
            raise ValueError(f"trees of {depth} questions (1 to {DEPTH} can be asked)")
        if forest.features.min() < 0 or forest.features.max() >= len(forest.columns):
            raise ValueError("the trees ask for columns that there are not")
        rows, thresholds = np.zeros((trees, DEPTH), np.int64), np.full((trees, DEPTH), np.inf, np.float32)
        leaves = np.zeros((trees, LEAVES), np.int64)
        rows[:, DEPTH - depth :], thresholds[:, DEPTH - depth :] = forest.features, forest.thresholds
        leaves[:, : 1 << depth] = forest.leaves
        self.rows, self.thresholds, self.leaves = rows, thresholds, leaves
        self.columns, self.bias = len(forest.columns), forest.bias
        moved = leaves + MIDDLE
        self.is_wide = HAS_AVX2 and trees <= MOST_TREES and (moved >> 16 == 0).all()
        self.halves = np.stack((moved & 0xFF, moved >> 8 & 0xFF), axis=1).astype(np.uint8)

    def scores(self, const float[:, ::1] values not None):
        """The scores of n blocks, int64 (n,), by the columns of the forest, and maybe more: float32 (columns, n)."""
        scores = np.empty(values.shape[1], np.int64)
        self.fill(values, scores)
        return scores

    cdef int fill(self, const float[:, ::1] values, int64_t[::1] result) except -1:
        """Fill in the scores."""
        cdef Py_ssize_t count = values.shape[1], start = 0, at, size, i
        cdef int64_t sums[SIZE]
        cdef bint is_wide = self.is_wide and count >= SIZE
        cdef Add add = add_wide if is_wide else add_plain
        if values.shape[0] < self.columns:
            raise ValueError(f"{values.shape[0]} columns, of which the trees ask for {self.columns}")
        while start < count:
            at = min(start, count - SIZE) if is_wide else start  # the last ones reach back
            size = min(<Py_ssize_t>SIZE, count - at)
            add(
                &values[0, at], count, size, self.rows.shape[0], &self.rows[0, 0], &self.thresholds[0, 0],
                &self.leaves[0, 0], &self.halves[0, 0, 0], sums
            )
            for i in range(size):
                result[at + i] = self.bias + sums[i]
            start += SIZE
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
