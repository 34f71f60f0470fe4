"""What a classifier of fastText says of a text (Joulin et al. 2016; Bojanowski et al. 2017 for its n-grams)."""

import numpy as np

cimport cython
from libc.math cimport exp, expf, floor, log
from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcmp, memset

from transforms.curation.fasttext_file import MOST_OF_A_LABEL, Loss

cdef enum:
    USUAL_DIMENSIONS = 16
    LONGEST_WORD = 1 << 12  # bytes; what is longer is cut
    WORD_STEP = 116049371  # between the words of an n-gram

cdef extern from *:
    """
    #define FNV_BASIS 2166136261u
    #define FNV_PRIME 16777619u
    #define TINY 1e-5  /* keeps logarithms finite; part of the scores that fastText gives */
    """
    const uint32_t FNV_BASIS, FNV_PRIME
    const double TINY

END_OF_LINE = b"</s>"


cdef inline uint32_t _extended(uint32_t hash, unsigned char byte) noexcept nogil:
    """FNV-1a of 32 bits over one byte more, which fastText takes as a signed one."""
    return (hash ^ <uint32_t> <int32_t> <int8_t> byte) * FNV_PRIME


@cython.final
cdef class Classifier:
    """A model that is ready to be asked.

    Attributes:
        labels: the names of its labels.
    """

    cdef:
        readonly tuple labels
        const float[:, ::1] inputs, outputs
        bytes names  # of all words, one after the other
        int64_t[::1] stops  # of each word in `names`, after a zero
        int32_t[::1] words  # open addressing: numbers of words, -1 where there is none
        int32_t[::1] rows  # of each bucket that is kept, by open addressing; empty where all are
        uint32_t[::1] buckets  # the keys of `rows`
        uint8_t[::1] is_kept  # a bit for each bucket: most have no row
        int32_t[:, ::1] children  # of each inner node, left and right; labels come first
        bint keeps_all, hierarchical, one_vs_all
        int least, most, word_ngrams
        uint32_t bucket_count
        double inverse  # of the number of buckets
        Py_ssize_t dimensions

    def __init__(self, model):
        """Make a model ready.

        Args:
            model: a `ModelFile`.
        """
        self.labels = model.labels
        self.inputs, self.outputs = model.inputs, model.outputs
        self.dimensions = model.inputs.shape[1]
        self.least, self.most, self.word_ngrams = model.least_chars, model.most_chars, model.word_ngrams
        self.bucket_count = max(model.buckets, 1)
        self.inverse = 1 / <double> self.bucket_count
        self.hierarchical = model.loss == Loss.HIERARCHICAL_SOFTMAX
        self.one_vs_all = model.loss in (Loss.ONE_VS_ALL, Loss.NEGATIVE_SAMPLING)
        self._index_words(model.words)
        self._index_buckets(model.kept)
        self.children = _tree(model.label_counts) if self.hierarchical else np.empty((0, 2), np.int32)

    cdef _index_words(self, tuple words):
        cdef Py_ssize_t slots = 16, number, slot
        self.names = b"".join(words)
        self.stops = np.cumsum([0, *map(len, words)], dtype=np.int64)
        while slots < 2 * len(words):
            slots *= 2
        self.words = np.full(slots, -1, np.int32)
        for number in range(len(words)):
            slot = _hash(words[number], len(words[number])) & slots - 1
            while self.words[slot] >= 0:
                slot = slot + 1 & slots - 1
            self.words[slot] = number

    cdef _index_buckets(self, kept):
        cdef Py_ssize_t slots = 16, slot
        cdef uint32_t bucket
        cdef int32_t row
        self.keeps_all = kept is None
        self.is_kept = np.zeros(1 if kept is None else self.bucket_count // 8 + 1, np.uint8)
        while kept is not None and slots < 2 * len(kept):
            slots *= 2
        self.rows, self.buckets = np.full(slots, -1, np.int32), np.zeros(slots, np.uint32)
        for bucket, row in () if kept is None else kept:
            if bucket >= self.bucket_count:
                continue
            self.is_kept[bucket >> 3] |= 1 << (bucket & 7)
            slot = bucket & slots - 1
            while self.rows[slot] >= 0:
                slot = slot + 1 & slots - 1
            self.rows[slot], self.buckets[slot] = row, bucket

    def classify(self, bytes text not None):
        """Find the label of a text.

        Args:
            text: UTF-8 in one line; words are what ASCII blanks part. fastText's own mark of a line's end ends it,
                and words that look like its labels do not count.

        Returns:
            The number of the label, and its score as fastText gives it, which may be a little more than 1.
        """
        cdef:
            float[::1] sum = np.zeros(self.dimensions, np.float32)
            float[::1] scores
            int32_t[::1] hashes = np.empty(len(text) // 2 + 2, np.int32)
            Py_ssize_t size = len(text), at = 0, start, words = 0, rows, i, label = 0
            const unsigned char* data = text
            double score
        rows = 0
        while at < size:
            while at < size and _is_blank(data[at]):
                at += 1
            start = at
            while at < size and not _is_blank(data[at]):
                at += 1
            if _is_end_of_line(data + start, at - start):
                break
            if at > start and not _is_label(data + start, at - start):
                rows += self._add_word(data + start, at - start, sum)
                hashes[words] = <int32_t> _hash(data + start, at - start)
                words += 1
        rows += self._add_row(self._find(END_OF_LINE, len(END_OF_LINE)), sum)
        hashes[words] = <int32_t> _hash(END_OF_LINE, len(END_OF_LINE))
        words += 1
        rows += self._add_word_ngrams(hashes, words, sum)
        if rows:
            for i in range(self.dimensions):
                sum[i] /= rows
        if self.hierarchical:
            return self._best_leaf(sum)
        scores = np.empty(len(self.labels), np.float32)
        label = self._best_output(sum, scores)
        score = scores[label]
        return label, exp(log(score + TINY))

    cdef Py_ssize_t _find(self, const unsigned char* word, Py_ssize_t size) noexcept:
        """The number of a word, -1 if it is not known."""
        cdef:
            const unsigned char* names = self.names
            Py_ssize_t mask = self.words.shape[0] - 1, slot = _hash(word, size) & mask
            Py_ssize_t number = self.words[slot]
        while number >= 0:
            if self.stops[number + 1] - self.stops[number] == size and (
                memcmp(names + self.stops[number], word, size) == 0
            ):
                return number
            slot = slot + 1 & mask
            number = self.words[slot]
        return -1

    cdef inline Py_ssize_t _add_row(self, Py_ssize_t row, float[::1] sum) noexcept:
        """Adds a row, if it is one; gives the number of rows added."""
        cdef:
            Py_ssize_t i
            const float* from_row
            float* to = &sum[0]
        if row < 0:
            return 0
        from_row = &self.inputs[row, 0]
        if self.dimensions == USUAL_DIMENSIONS:  # of lid.176: so the compiler knows how many
            for i in range(USUAL_DIMENSIONS):
                to[i] += from_row[i]
        else:
            for i in range(self.dimensions):
                to[i] += from_row[i]
        return 1

    cdef inline uint32_t _remainder(self, uint32_t hash) noexcept:
        """The remainder by the number of buckets, without a division: the quotient is one off at most."""
        cdef int64_t rest = <int64_t> hash - <int64_t> (hash * self.inverse) * self.bucket_count
        if rest < 0:
            rest += self.bucket_count
        elif rest >= self.bucket_count:
            rest -= self.bucket_count
        return <uint32_t> rest

    cdef inline Py_ssize_t _add_bucket(self, uint32_t hash, float[::1] sum) noexcept:
        """Adds the row of what has a hash, if it is kept; gives the number of rows added."""
        cdef:
            uint32_t bucket = self._remainder(hash)
            Py_ssize_t mask, slot
        if self.keeps_all:
            return self._add_row(self.stops.shape[0] - 1 + bucket, sum)
        if not self.is_kept[bucket >> 3] >> (bucket & 7) & 1:
            return 0
        mask = self.rows.shape[0] - 1
        slot = bucket & mask
        while self.buckets[slot] != bucket or self.rows[slot] < 0:
            slot = slot + 1 & mask
        return self._add_row(self.stops.shape[0] - 1 + self.rows[slot], sum)

    cdef Py_ssize_t _add_word(self, const unsigned char* word, Py_ssize_t size, float[::1] sum) noexcept:
        """Adds the row of a word and those of its n-grams; gives the number of rows added."""
        cdef:
            unsigned char[LONGEST_WORD + 2] marked
            Py_ssize_t start, at, rows = self._add_row(self._find(word, size), sum)
            int chars
            uint32_t hash
        if self.most <= 0:
            return rows
        size = min(size, <Py_ssize_t> LONGEST_WORD)
        marked[0] = c"<"
        for at in range(size):
            marked[at + 1] = word[at]
        size += 2
        marked[size - 1] = c">"
        for start in range(size):
            if marked[start] & 0xC0 == 0x80:
                continue
            hash, at, chars = FNV_BASIS, start, 0
            while at < size and chars < self.most:
                hash = _extended(hash, marked[at])
                at += 1
                while at < size and marked[at] & 0xC0 == 0x80:
                    hash = _extended(hash, marked[at])
                    at += 1
                chars += 1
                if chars >= self.least and not (chars == 1 and (start == 0 or at == size)):
                    rows += self._add_bucket(hash, sum)
        return rows

    cdef Py_ssize_t _add_word_ngrams(
        self, const int32_t[::1] hashes, Py_ssize_t words, float[::1] sum
    ) noexcept:
        """Adds the rows of runs of words; gives their number."""
        cdef:
            Py_ssize_t first, word, rows = 0
            uint64_t hash
        for first in range(words):
            hash = <uint64_t> <int64_t> hashes[first]
            for word in range(first + 1, min(words, first + self.word_ngrams)):
                hash = hash * WORD_STEP + <uint64_t> <int64_t> hashes[word]
                rows += self._add_bucket(<uint32_t> (hash % self.bucket_count), sum)
        return rows

    cdef double _product(self, const float[::1] hidden, Py_ssize_t output) noexcept:
        cdef:
            Py_ssize_t i
            float product = 0
        for i in range(self.dimensions):
            product += hidden[i] * self.outputs[output, i]
        return product

    cdef Py_ssize_t _best_output(self, const float[::1] hidden, float[::1] scores) noexcept:
        """The label of the highest score, and the scores of all."""
        cdef:
            Py_ssize_t label, best = 0
            float sum = 0, highest
        for label in range(scores.shape[0]):
            scores[label] = <float> self._product(hidden, label)
            if scores[label] > scores[best]:
                best = label
        if self.one_vs_all:
            scores[best] = _tabled_sigmoid(scores[best])
            return best
        highest = scores[best]
        for label in range(scores.shape[0]):
            sum += expf(scores[label] - highest)
        scores[best] = 1 / sum
        return best

    cdef tuple _best_leaf(self, const float[::1] hidden):
        """The leaf with the highest product of the choices that lead to it, and that product."""
        cdef:
            Py_ssize_t labels = len(self.labels), node, best = 0, k
            double right, best_score = 0
            double[::1] scores = np.zeros(2 * labels - 1)
        # Children have smaller numbers than their parents: so all are scored in one walk down the numbers.
        for node in range(2 * labels - 2, labels - 1, -1):
            right = 1 / (1 + exp(-self._product(hidden, node - labels)))
            scores[self.children[node - labels, 0]] = scores[node] + log(1 - right + TINY)
            scores[self.children[node - labels, 1]] = scores[node] + log(right + TINY)
        for k in range(1, labels):
            if scores[k] > scores[best]:
                best = k
        return best, exp(scores[best])


cdef inline bint _is_blank(unsigned char byte) noexcept nogil:
    return byte == c" " or 9 <= byte <= 13 or byte == 0


cdef inline bint _is_label(const unsigned char* word, Py_ssize_t size) noexcept nogil:
    return size >= 9 and memcmp(word, b"__label__", 9) == 0


cdef inline bint _is_end_of_line(const unsigned char* word, Py_ssize_t size) noexcept nogil:
    return size == 4 and memcmp(word, b"</s>", 4) == 0


cdef uint32_t _hash(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef:
        Py_ssize_t at
        uint32_t hash = FNV_BASIS
    for at in range(size):
        hash = _extended(hash, text[at])
    return hash


cdef float _tabled_sigmoid(float x) noexcept nogil:
    """The logistic function as fastText looks it up, in steps of 1/32 from -8 to 8."""
    if x < -8:
        return 0
    if x > 8:
        return 1
    return <float> (1 / (1 + exp(8 - floor((x + 8) * 32) / 32)))


def _tree(const int64_t[::1] counts):
    """Huffman's tree over labels, those that came most often first (Mikolov et al. 2013).

    Returns:
        int32 (labels - 1, 2): the children of each inner node, which are numbered after the labels.
    """
    cdef:
        Py_ssize_t labels = counts.shape[0], leaf = labels - 1, node = labels, new, side
        int64_t[::1] sums = np.full(2 * labels - 1, MOST_OF_A_LABEL, np.int64)
        int32_t[:, ::1] children = np.empty((labels - 1, 2), np.int32)
    sums[:labels] = counts
    for new in range(labels, 2 * labels - 1):
        for side in range(2):
            if leaf >= 0 and sums[leaf] < sums[node]:
                children[new - labels, side] = <int32_t> leaf
                leaf -= 1
            else:
                children[new - labels, side] = <int32_t> node
                node += 1
        sums[new] = sums[children[new - labels, 0]] + sums[children[new - labels, 1]]
    return np.asarray(children)
