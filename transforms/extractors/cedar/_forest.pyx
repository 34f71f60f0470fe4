"""Scores by trees, many blocks at a time."""

import numpy as np

from libc.stdint cimport int32_t, int64_t

from cedar.transforms.extractors.html._bytes cimport HAS_AVX2

cdef extern from *:
    """
    #define ARGUMENTS const float *values, Py_ssize_t count, Py_ssize_t size, Py_ssize_t trees, \\
        const int64_t *stops, const int64_t *features, const float *thresholds, const unsigned char *parted, \\
        const unsigned char *flips, const unsigned char *spans, const int32_t *leaves, int32_t *sums
    typedef void (*Add)(ARGUMENTS);
    static void add_plain(ARGUMENTS) {
        for (Py_ssize_t i = 0; i < size; i++) {
            sums[i] = 0;
            for (Py_ssize_t tree = 0, question = 0; tree < trees; tree++) {
                const int32_t *own = leaves + question + tree;
                unsigned char leaf = 0;
                while (question < stops[tree]) {
                    if (leaf != parted[question]) {
                        question += spans[question];
                        continue;
                    }
                    if (values[features[question] * count + i] > thresholds[question]) leaf ^= flips[question];
                    question++;
                }
                sums[i] += own[leaf];
            }
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
            while (question < stop) {
                const __m256i part = _mm256_set1_epi8(parted[question]);
                const __m256i asked[2] = {_mm256_cmpeq_epi8(leaf[0], part), _mm256_cmpeq_epi8(leaf[1], part)};
                const __m256i any = _mm256_or_si256(asked[0], asked[1]);
                if (_mm256_testz_si256(any, any)) {
                    question += spans[question];
                    continue;
                }
                const float *column = values + features[question] * count;
                const __m256 than = _mm256_set1_ps(thresholds[question]);
                const __m256i flip = _mm256_set1_epi8(flips[question]), yes[2] = {FOUR(0), FOUR(4)};
                for (int half = 0; half < 2; half++)
                    leaf[half] = _mm256_xor_si256(
                        leaf[half], _mm256_and_si256(_mm256_and_si256(asked[half], yes[half]), flip));
                question++;
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
        const unsigned char *spans, const int32_t *leaves, int32_t *sums
    ) noexcept nogil
    # Add up the leaves of `size` blocks of `count`; `add_wide` always of `SIZE` blocks.
    Add add_plain, add_wide

cdef enum:
    SIZE = 64  # blocks at a time
    MAX_LEAVES = 256  # of a tree


cdef tuple _depth_first(const int64_t[::1] stops, const unsigned char[::1] parted):
    """Order the questions so that the questions about the parts of a leaf follow at once.

    Returns:
        int64 (q,), the questions in this order, and uint8 (q,), for each how many to skip if its leaf is empty: it and
        those about the parts of the leaf.
    """
    cdef Py_ssize_t count = parted.shape[0], start = 0, tree, question, parent, place
    cdef Py_ssize_t[MAX_LEAVES] last  # the last question about each leaf, or the one that made it
    cdef int64_t[::1] parents = np.empty(count, np.int64), free = np.zeros(count, np.int64)
    cdef unsigned char[::1] sizes = np.ones(count, np.uint8)
    order, spans = np.empty(count, np.int64), np.empty(count, np.uint8)
    cdef int64_t[::1] ordered = order
    cdef unsigned char[::1] skipped = spans
    for tree in range(stops.shape[0]):
        last[0] = -1
        for question in range(start, stops[tree]):
            parents[question] = last[parted[question]]
            last[parted[question]] = last[question - start + 1] = question
        for question in range(stops[tree] - 1, start, -1):
            sizes[parents[question]] += sizes[question]
        for question in range(start, stops[tree]):
            parent, place = parents[question], start
            if parent >= 0:
                place = free[parent]
                free[parent] += sizes[question]
            free[question] = place + 1
            ordered[place], skipped[place] = question, sizes[question]
        start = stops[tree]
    return order, spans


cdef class Scorer:
    """A forest made ready.

    All blocks of a tree begin in leaf 0; each question moves some of those in one leaf on to a new one. As no block
    takes a way of its own, one instruction asks many blocks. Questions are asked depth first: blocks of one page are
    in few leaves, and where none is in a leaf, all that is asked about it and its parts is skipped at once.

    Attributes:
        columns: how many columns the trees may ask about.
        is_wide: whether this machine has instructions for `SIZE` blocks.
    """

    cdef readonly Py_ssize_t columns
    cdef public bint is_wide
    cdef const int64_t[::1] stops, features
    cdef const float[::1] thresholds
    cdef const unsigned char[::1] parted, flips, spans
    cdef const int32_t[::1] leaves

    def __init__(self, forest not None):
        self.columns, self.is_wide = len(forest.columns), HAS_AVX2
        order, self.spans = _depth_first(forest.stops, forest.parted)
        self.stops, self.features, self.thresholds = forest.stops, forest.features[order], forest.thresholds[order]
        self.parted, self.flips = forest.parted[order], (forest.parted ^ forest.parts())[order]
        self.leaves = forest.leaves

    def scores(self, const float[:, ::1] values not None):
        """The scores of n blocks, int64 (n,), by the columns of the forest, and maybe more: float32 (columns, n)."""
        cdef Py_ssize_t count = values.shape[1]
        if self.is_wide and 1 < count < SIZE:
            padded = np.empty((values.shape[0], SIZE), np.float32)  # no score of other blocks is looked at
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
            raise ValueError(f"{values.shape[0]} columns instead of the {self.columns} that the trees ask for")
        for start in range(0, count, SIZE):
            at = min(start, count - SIZE) if is_wide else start  # the last ones reach back
            size = min(<Py_ssize_t>SIZE, count - at)
            add(
                &values[0, at], count, size, self.stops.shape[0], &self.stops[0], &self.features[0],
                &self.thresholds[0], &self.parted[0], &self.flips[0], &self.spans[0],
                &self.leaves[0], sums
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
