"""Scores by oblivious trees, many blocks at a time."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint16_t

from transforms.extractors.html._bytes cimport HAS_AVX2

cdef extern from *:
    """
    #ifdef AVX2
    #include <immintrin.h>
    #define MORE_THAN(i) _mm256_cmp_ps(_mm256_loadu_ps(column + 8 * (i)), than, _CMP_GT_OQ)
    #define PAIR(i) _mm256_packs_epi32(_mm256_castps_si256(MORE_THAN(i)), _mm256_castps_si256(MORE_THAN(i + 1)))
    #define TABLE(bytes) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(bytes)))
    AVX2 static void add_wide(
        const float *values, Py_ssize_t count, const int64_t *rows, const float *thresholds,
        const unsigned char *leaves, Py_ssize_t trees, uint16_t sums[4][16])
    {
        const __m256i zero = _mm256_setzero_si256();
        __m256i sum[4] = {zero, zero, zero, zero};
        for (; trees; trees--, rows += 4, thresholds += 4, leaves += 32) {
            __m256i leaf = zero;
            for (int bit = 0; bit < 4; bit++) {
                const float *column = values + rows[bit] * count;
                const __m256 than = _mm256_set1_ps(thresholds[bit]);
                const __m256i yes = _mm256_packs_epi16(PAIR(0), PAIR(2));
                leaf = _mm256_or_si256(leaf, _mm256_and_si256(yes, _mm256_set1_epi8(8 >> bit)));
            }
            for (int half = 0; half < 2; half++) {
                const __m256i found = _mm256_shuffle_epi8(TABLE(leaves + 16 * half), leaf);
                sum[2 * half] = _mm256_add_epi16(sum[2 * half], _mm256_unpacklo_epi8(found, zero));
                sum[2 * half + 1] = _mm256_add_epi16(sum[2 * half + 1], _mm256_unpackhi_epi8(found, zero));
            }
        }
        for (int i = 0; i < 4; i++) _mm256_storeu_si256((__m256i *)sums[i], sum[i]);
    }
    #else
    #define add_wide(values, count, rows, thresholds, leaves, trees, sums)
    #endif
    """
    # Adds up the low and the high bytes of the leaves of 32 blocks, apart; a look-up in 16 bytes is one instruction.
    void add_wide(
        const float *values, Py_ssize_t count, const int64_t *rows, const float *thresholds,
        const unsigned char *leaves, Py_ssize_t trees, uint16_t sums[4][16]
    ) noexcept nogil

cdef enum:
    WIDE = 32  # blocks at a time where the machine adds up bytes
    MOST_WIDE = 256  # trees whose bytes 16 bits can add up
    MIDDLE = 1 << 15  # what is added to a leaf, so that it is not negative
    CHUNK = 128  # blocks at a time elsewhere, so that their leaves stay in the cache
    DEPTH = 4  # questions of a tree
    LEAVES = 16
    GROUP = 8  # trees whose leaves are added up at a time


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
        padded = trees + -trees % GROUP  # with trees that add nothing
        rows, thresholds = np.zeros((padded, DEPTH), np.int64), np.full((padded, DEPTH), np.inf, np.float32)
        leaves = np.zeros((padded, LEAVES), np.int64)
        rows[:trees, DEPTH - depth :], thresholds[:trees, DEPTH - depth :] = forest.features, forest.thresholds
        leaves[:trees, : 1 << depth] = forest.leaves
        self.rows, self.thresholds, self.leaves = rows, thresholds, leaves
        self.columns, self.bias = len(forest.columns), forest.bias
        moved = leaves + MIDDLE
        self.is_wide = HAS_AVX2 and padded <= MOST_WIDE and (moved >> 16 == 0).all()
        self.halves = np.stack((moved & 0xFF, moved >> 8 & 0xFF), axis=1).astype(np.uint8)

    def scores(self, const float[:, ::1] values not None):
        """The scores of n blocks, int64 (n,), by the columns of the forest, and maybe more: float32 (columns, n)."""
        scores = np.empty(values.shape[1], np.int64)
        self.fill(values, scores)
        return scores

    cdef int fill(self, const float[:, ::1] values, int64_t[::1] result) except -1:
        """Fill in the scores."""
        cdef Py_ssize_t count = values.shape[1], start = 0, size, tree, i
        cdef int32_t leaf[GROUP][CHUNK]
        if values.shape[0] < self.columns:
            raise ValueError(f"{values.shape[0]} columns, of which the trees ask for {self.columns}")
        if self.is_wide and count >= WIDE:
            while start < count:
                self._fill_wide(values, min(start, count - WIDE), result)
                start += WIDE
            return 0
        result[:] = self.bias
        with nogil:
            while start < count:
                size = min(<Py_ssize_t>CHUNK, count - start)
                tree = 0
                while tree < self.rows.shape[0]:
                    for i in range(GROUP):
                        _walk(&values[0, start], count, &self.rows[tree + i, 0], &self.thresholds[tree + i, 0], leaf[i], size)
                    _add(&self.leaves[tree, 0], leaf, &result[start], size)
                    tree += GROUP
                start += CHUNK
        return 0


    cdef void _fill_wide(self, const float[:, ::1] values, Py_ssize_t start, int64_t[::1] result) noexcept nogil:
        """Fill in the scores of `WIDE` blocks."""
        cdef uint16_t sums[4][16]
        cdef Py_ssize_t i, at, trees = self.rows.shape[0]
        add_wide(
            &values[0, start], values.shape[1], &self.rows[0, 0], &self.thresholds[0, 0], &self.halves[0, 0, 0], trees, sums
        )
        for i in range(WIDE):
            # Four blocks of the first half of eight, and four of the second, stand 16 bytes apart.
            at = i & 3 | (i >> 3 & 1) << 2 | (i >> 2 & 1) << 3
            result[start + i] = self.bias - MIDDLE * trees + sums[i >> 4][at] + (<int64_t>sums[2 + (i >> 4)][at] << 8)


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


cdef inline void _walk(
    const float *values, Py_ssize_t count, const int64_t *rows, const float *thresholds, int32_t *leaf, Py_ssize_t size
) noexcept nogil:
    """The leaf of each of `size` blocks in a tree that asks for four columns of `count` blocks."""
    cdef const float *first = values + rows[0] * count, *second = values + rows[1] * count
    cdef const float *third = values + rows[2] * count, *fourth = values + rows[3] * count
    cdef float one = thresholds[0], two = thresholds[1], three = thresholds[2], four = thresholds[3]
    cdef Py_ssize_t i
    for i in range(size):
        leaf[i] = 8 * (first[i] > one) + 4 * (second[i] > two) + 2 * (third[i] > three) + (fourth[i] > four)


cdef inline void _add(
    const int64_t *leaves, const int32_t leaf[GROUP][CHUNK], int64_t *scores, Py_ssize_t size
) noexcept nogil:
    """Add what the leaves of a group of trees add to the scores of `size` blocks."""
    cdef Py_ssize_t i, tree
    for i in range(size):
        for tree in range(GROUP):
            scores[i] += leaves[tree * LEAVES + leaf[tree][i]]
