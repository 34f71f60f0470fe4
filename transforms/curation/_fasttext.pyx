"""Labels and scores of texts by a classifier of fastText (Joulin et al. 2016).

Bojanowski et al. 2017 for n-grams of characters, Joulin et al. 2016 for n-grams of words.
"""

import numpy as np

cimport cython
from libc.math cimport INFINITY, exp, expf, floor, log
from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from cedar.transforms.curation.fasttext_file import Loss, children_of

cdef enum:
    LINE = 64  # bytes that memory moves at once
    MAX_REMEMBERED = LINE - 5  # bytes
    USUAL_DIMENSIONS = 16
    MAX_WORD = 1 << 12  # bytes; longer words are cut
    REMEMBERED_BYTES = 1 << 21  # of remembered words and their vectors
    BATCH = 256  # n-grams
    AHEAD = 8  # rows
    WORD_STEP = 116049371  # between the words of an n-gram

cdef extern from *:
    """
    #define FNV_BASIS 2166136261u
    #define FNV_PRIME 16777619u
    #define TINY 1e-5  /* keeps logarithms finite; part of the scores that fastText gives */
    """
    const uint32_t FNV_BASIS, FNV_PRIME
    const double TINY

cdef extern from *:
    """
    /* Where a page is read, hardly anything of the model is in the nearer memories: what will be looked at is
       asked for all at once, not one after the other. */
    #if defined(__GNUC__)
    #define CEDAR_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define CEDAR_PREFETCH(address) ((void) (address))
    #endif
    """
    void CEDAR_PREFETCH(const void* address) nogil

_END_OF_LINE = b"</s>"


cdef struct Remembered:
    # A word whose vector is known: the sum of its row and its n-grams' rows.
    uint32_t rows  # how many these are
    uint8_t size  # bytes of the word; 0 = absent
    unsigned char[MAX_REMEMBERED] word


cdef struct Cell:
    # Which of 32 buckets have a row, a bit for each, and how many buckets before them have one.
    uint32_t bits
    uint32_t before


cdef struct WordSlot:
    # A word that the model knows: its hash, and its number from 1 on; 0 = absent.
    uint32_t hash
    uint32_t number


cdef struct Word:
    # Where a word of a text begins, its bytes, and its hash.
    uint32_t start
    uint32_t size
    uint32_t hash


cdef inline uint32_t _extended(uint32_t hash, unsigned char byte) noexcept nogil:
    """FNV-1a of 32 bits over one byte more, which fastText takes as a signed one."""
    return (hash ^ <uint32_t><int32_t><int8_t>byte) * FNV_PRIME


cdef class _TextVectors:
    """Vectors of texts: the mean of the vectors that a `ModelFile` has for their words and the words' n-grams.

    Vectors of words are remembered, since few words make most of any text; that changes no vector.
    """

    cdef readonly Py_ssize_t dimensions
    cdef const float[:, ::1] _inputs
    cdef bytes _names  # of all words, one after the other
    cdef int64_t[::1] _stops  # of each word in `_names`, after a zero
    cdef WordSlot* _known  # open addressing; at most half of them are taken
    cdef Py_ssize_t _known_slots
    cdef Cell* _cells  # of all buckets, if few have a row; NULL if all have
    cdef int _min_chars, _max_chars, _word_ngrams
    cdef uint32_t _bucket_count
    cdef double _inverse  # of the number of buckets
    cdef unsigned char* _remembered  # slots of a Remembered and its vector; a word goes where its hash says
    cdef void* _memory  # that these are in
    cdef Py_ssize_t _slots
    cdef Py_ssize_t _slot_bytes

    def __init__(self, model):
        self._inputs = model.inputs
        self.dimensions = model.inputs.shape[1]
        self._min_chars, self._max_chars, self._word_ngrams = model.min_chars, model.max_chars, model.word_ngrams
        self._bucket_count = max(model.buckets, 1)
        self._inverse = 1 / <double>self._bucket_count
        self._index_words(model.words)
        if model.kept is not None:
            self._index_buckets(model)
        self._slot_bytes = LINE + (self.dimensions * <Py_ssize_t>sizeof(float) + LINE - 1) // LINE * LINE
        self._slots = 1
        while 2 * self._slots * self._slot_bytes <= REMEMBERED_BYTES:
            self._slots *= 2
        self._memory = calloc(self._slots * self._slot_bytes + LINE, 1)
        if self._memory is NULL:
            raise MemoryError()
        self._remembered = <unsigned char*>(<size_t>self._memory + LINE - 1 & ~<size_t>(LINE - 1))

    def __dealloc__(self):
        free(self._known)
        free(self._cells)
        free(self._memory)

    cdef _index_words(self, tuple words):
        cdef Py_ssize_t number, slot
        cdef uint32_t hash
        self._names = b"".join(words)
        self._stops = np.cumsum([0, *map(len, words)], dtype=np.int64)
        self._known_slots = 16
        while self._known_slots < 2 * len(words):
            self._known_slots *= 2
        self._known = <WordSlot*>calloc(self._known_slots, sizeof(WordSlot))
        if self._known is NULL:
            raise MemoryError()
        for number in range(len(words)):
            hash = _hash(words[number], len(words[number]))
            slot = hash & self._known_slots - 1
            while self._known[slot].number:
                slot = slot + 1 & self._known_slots - 1
            self._known[slot] = WordSlot(hash, <uint32_t>(number + 1))

    cdef _index_buckets(self, model):
        """Put the rows of buckets in the order of these, so that a bucket's row is found by counting."""
        cdef Py_ssize_t cells = self._bucket_count // 32 + 1, i
        cdef uint32_t before = 0
        cdef int32_t[::1] buckets
        kept, first = np.unique(model.kept[:, 0], return_index=True)
        words = len(model.words)
        self._inputs = np.concatenate((model.inputs[:words], model.inputs[words + model.kept[first, 1]]))
        self._cells = <Cell*>calloc(cells, sizeof(Cell))
        if self._cells is NULL:
            raise MemoryError()
        buckets = kept
        for i in range(buckets.shape[0]):
            if <uint32_t>buckets[i] < self._bucket_count:
                self._cells[buckets[i] >> 5].bits |= <uint32_t>1 << (buckets[i] & 31)
        for i in range(cells):
            self._cells[i].before = before
            before += _ones(self._cells[i].bits)

    cdef void mean(self, const unsigned char* text, const Word* words, Py_ssize_t count, float* mean) noexcept:
        """Write the mean of the rows of a text, zero if it has none, by its words and the mark of a line's end."""
        cdef Py_ssize_t rows = 0, i
        memset(mean, 0, self.dimensions * sizeof(float))
        for i in range(count):
            CEDAR_PREFETCH(self._slot(words[i].hash))
            CEDAR_PREFETCH(<unsigned char*>self._slot(words[i].hash) + LINE)
            CEDAR_PREFETCH(&self._known[words[i].hash & self._known_slots - 1])
        for i in range(count):
            rows += self._add_word(text + words[i].start, &words[i], mean)
        rows += self._add_row(self._find(_END_OF_LINE, len(_END_OF_LINE), words[count].hash), mean)
        if self._word_ngrams > 1:
            rows += self._add_word_ngrams(words, count + 1, mean)
        if rows:
            for i in range(self.dimensions):
                mean[i] /= rows

    cdef Remembered* _slot(self, uint32_t hash) noexcept:
        """Where a word with a hash is remembered, with its vector a line after it."""
        return <Remembered*>(self._remembered + (hash & self._slots - 1) * self._slot_bytes)

    cdef Py_ssize_t _add_word(self, const unsigned char* text, const Word* word, float* sum) noexcept:
        """Add the vector of a word; give the number of rows in it."""
        cdef Py_ssize_t size = word.size
        cdef Remembered* known = self._slot(word.hash)
        cdef float* vector = <float*>(<unsigned char*>known + LINE)
        if size > MAX_REMEMBERED:
            return self._add_rows_of(text, size, word.hash, sum)
        if known.size != size or memcmp(known.word, text, size) != 0:
            memset(vector, 0, self.dimensions * sizeof(float))
            known.rows = <uint32_t>self._add_rows_of(text, size, word.hash, vector)
            known.size = <uint8_t>size
            memcpy(known.word, text, size)
        _add(sum, vector, self.dimensions)
        return known.rows

    cdef Py_ssize_t _find(self, const unsigned char* word, Py_ssize_t size, uint32_t hash) noexcept:
        """The number of a word, -1 if it is not known."""
        cdef const unsigned char* names = self._names
        cdef Py_ssize_t slot = hash & self._known_slots - 1, number
        while self._known[slot].number:
            number = <Py_ssize_t>self._known[slot].number - 1
            if self._known[slot].hash == hash and self._stops[number + 1] - self._stops[number] == size and (
                memcmp(names + self._stops[number], word, size) == 0
            ):
                return number
            slot = slot + 1 & self._known_slots - 1
        return -1

    cdef Py_ssize_t _add_row(self, Py_ssize_t row, float* sum) noexcept:
        """Add a row, if it is one; give the number of rows added."""
        if row < 0:
            return 0
        _add(sum, &self._inputs[row, 0], self.dimensions)
        return 1

    cdef uint32_t _remainder(self, uint32_t hash) noexcept:
        """The remainder by the number of buckets, without a division: the quotient is one off at most."""
        cdef int64_t rest = <int64_t>hash - <int64_t>(hash * self._inverse) * self._bucket_count
        if rest < 0:
            rest += self._bucket_count
        elif rest >= self._bucket_count:
            rest -= self._bucket_count
        return <uint32_t>rest

    cdef Py_ssize_t _add_buckets(self, uint32_t* buckets, Py_ssize_t count, float* sum) noexcept:
        """Add the rows of buckets, of those that have one; give their number. `buckets` is lost."""
        cdef Py_ssize_t i, rows = 0, first = self._stops.shape[0] - 1
        cdef uint32_t bucket, below
        cdef Cell cell
        if self._cells is NULL:
            rows = count
        else:
            for i in range(count):  # without a branch: it would be unpredictable
                bucket = buckets[i]
                cell = self._cells[bucket >> 5]
                below = cell.bits & (<uint32_t>1 << (bucket & 31)) - 1
                buckets[rows] = cell.before + _ones(below)
                rows += cell.bits >> (bucket & 31) & 1
        for i in range(min(rows, <Py_ssize_t>AHEAD)):
            _fetch(&self._inputs[first + buckets[i], 0], self.dimensions)
        for i in range(rows):
            if i + AHEAD < rows:
                _fetch(&self._inputs[first + buckets[i + AHEAD], 0], self.dimensions)
            _add(sum, &self._inputs[first + buckets[i], 0], self.dimensions)
        return rows

    cdef Py_ssize_t _add_rows_of(
        self, const unsigned char* word, Py_ssize_t size, uint32_t word_hash, float* sum
    ) noexcept:
        """Add the row of a word and its n-grams' rows; return the number of rows added."""
        cdef unsigned char[MAX_WORD + 2] marked
        cdef uint32_t[BATCH] buckets
        cdef Py_ssize_t start, at, count = 0, rows = self._add_row(self._find(word, size, word_hash), sum)
        cdef int chars
        cdef uint32_t hash
        if self._max_chars <= 0:
            return rows
        size = min(size, <Py_ssize_t>MAX_WORD)
        marked[0] = c"<"
        memcpy(marked + 1, word, size)
        size += 2
        marked[size - 1] = c">"
        for start in range(size):
            if marked[start] & 0xC0 == 0x80:
                continue
            hash, at, chars = FNV_BASIS, start, 0
            while at < size and chars < self._max_chars:
                hash = _extended(hash, marked[at])
                at += 1
                while at < size and marked[at] & 0xC0 == 0x80:
                    hash = _extended(hash, marked[at])
                    at += 1
                chars += 1
                if chars >= self._min_chars and not (chars == 1 and (start == 0 or at == size)):
                    buckets[count] = self._remainder(hash)
                    if self._cells is not NULL:
                        CEDAR_PREFETCH(&self._cells[buckets[count] >> 5])
                    count += 1
                    if count == BATCH:
                        rows += self._add_buckets(buckets, count, sum)
                        count = 0
        return rows + self._add_buckets(buckets, count, sum)

    cdef Py_ssize_t _add_word_ngrams(self, const Word* words, Py_ssize_t count, float* sum) noexcept:
        """Add the rows of runs of words; give their number."""
        cdef Py_ssize_t first, word, rows = 0, size = 0
        cdef uint64_t hash
        cdef uint32_t[BATCH] buckets
        for first in range(count):
            hash = <uint64_t><int64_t><int32_t>words[first].hash
            for word in range(first + 1, min(count, first + self._word_ngrams)):
                hash = hash * WORD_STEP + <uint64_t><int64_t><int32_t>words[word].hash
                buckets[size] = <uint32_t>(hash % self._bucket_count)
                size += 1
                if size == BATCH:
                    rows += self._add_buckets(buckets, size, sum)
                    size = 0
        return rows + self._add_buckets(buckets, size, sum)


cdef Word* _words(const unsigned char* text, Py_ssize_t size, Py_ssize_t* count) except NULL:
    """Write down and count the words of a line, and the mark of its end after them; the caller frees them."""
    cdef Py_ssize_t at = 0, start
    cdef Word* words = <Word*>malloc((size // 2 + 2) * sizeof(Word))
    if words is NULL:
        raise MemoryError()
    count[0] = 0
    while at < size:
        while at < size and _is_blank(text[at]):
            at += 1
        start = at
        while at < size and not _is_blank(text[at]):
            at += 1
        if at - start == 4 and memcmp(text + start, b"</s>", 4) == 0:
            break
        if at > start and not (at - start >= 9 and memcmp(text + start, b"__label__", 9) == 0):
            words[count[0]] = Word(<uint32_t>start, <uint32_t>(at - start), _hash(text + start, at - start))
            count[0] += 1
    words[count[0]].hash = _hash(_END_OF_LINE, len(_END_OF_LINE))
    return words


cdef inline bint _is_blank(unsigned char byte) noexcept nogil:
    return byte == c" " or 9 <= byte <= 13 or byte == 0


cdef uint32_t _hash(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint32_t hash = FNV_BASIS
    for at in range(size):
        hash = _extended(hash, text[at])
    return hash


cdef inline uint32_t _ones(uint32_t bits) noexcept nogil:
    """The number of bits that are set (Warren, Hacker's Delight, section 5-1)."""
    bits -= bits >> 1 & 0x55555555
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333)
    return (bits + (bits >> 4) & 0x0F0F0F0F) * 0x01010101 >> 24


cdef inline void _fetch(const float* row, Py_ssize_t dimensions) noexcept nogil:
    """Ask for the lines of memory that a row is in."""
    cdef Py_ssize_t i = 0
    while i < dimensions:
        CEDAR_PREFETCH(row + i)
        i += LINE // <Py_ssize_t>sizeof(float)


cdef inline void _add(float* sum, const float* row, Py_ssize_t dimensions) noexcept nogil:
    cdef Py_ssize_t i
    if dimensions == USUAL_DIMENSIONS:  # of lid.176: so the compiler knows how many
        for i in range(USUAL_DIMENSIONS):
            sum[i] += row[i]
    else:
        for i in range(dimensions):
            sum[i] += row[i]


@cython.final
cdef class Classifier:
    """A model, a `ModelFile`, that is ready to be asked; `labels` are the names of its labels."""

    cdef readonly tuple labels
    cdef _TextVectors vectors
    cdef const float[:, ::1] outputs
    cdef float[::1] hidden  # the vector of the text at hand
    cdef bint hierarchical, one_vs_all
    cdef dict parents  # of each node below the root: the inner node above it, and on which side it is
    cdef int32_t[:, ::1] children  # of each inner node, left and right; labels come first
    cdef int32_t[::1] open_nodes  # of the tree, yet to be looked at
    cdef double[::1] open_scores

    def __init__(self, model):
        self.labels = model.labels
        self.vectors = _TextVectors(model)
        self.outputs = model.outputs
        self.hidden = np.empty(self.vectors.dimensions, np.float32)
        self.hierarchical = model.loss == Loss.HIERARCHICAL_SOFTMAX
        self.one_vs_all = model.loss in (Loss.ONE_VS_ALL, Loss.NEGATIVE_SAMPLING)
        self.children = children_of(model.label_counts) if self.hierarchical else np.empty((0, 2), np.int32)
        self.parents = {
            child: (inner, side)
            for inner, both in enumerate(np.asarray(self.children).tolist())
            for side, child in enumerate(both)
        }
        self.open_nodes = np.empty(len(model.labels) + 1, np.int32)
        self.open_scores = np.empty(len(model.labels) + 1)

    def classify(self, bytes text not None):
        """Find the label of a text, and its score as fastText gives it, which may be a little more than 1.

        The text is UTF-8 in one line; words are what ASCII blanks part. fastText's own mark of a line's end ends it,
        and words that look like its labels do not count.
        """
        cdef float[::1] scores
        cdef Py_ssize_t label, count
        cdef double score
        cdef Word* words = _words(text, len(text), &count)
        self.vectors.mean(text, words, count, &self.hidden[0])
        free(words)
        if self.hierarchical:
            return self._best_leaf(&self.hidden[0])
        scores = np.empty(len(self.labels), np.float32)
        label = self._best_output(&self.hidden[0], scores)
        score = scores[label]
        return label, exp(log(score + TINY))

    cdef double _score(self, Py_ssize_t label):
        """The score of a label for the text at hand."""
        cdef float[::1] scores
        cdef Py_ssize_t node = label, inner, side, other
        cdef double right, sum = 0
        if self.hierarchical:
            while node in self.parents:
                inner, side = self.parents[node]
                right = 1 / (1 + exp(-self._product(&self.hidden[0], inner)))
                sum += log((right if side else 1 - right) + TINY)
                node = inner + len(self.labels)
            return exp(sum)
        right = self._product(&self.hidden[0], label)
        if self.one_vs_all:
            return _tabled_sigmoid(<float>right) + TINY
        for other in range(len(self.labels)):
            sum += exp(self._product(&self.hidden[0], other) - right)
        return 1 / sum + TINY

    cdef double _product(self, const float* hidden, Py_ssize_t output) noexcept:
        cdef Py_ssize_t i
        cdef float product = 0
        for i in range(self.vectors.dimensions):
            product += hidden[i] * self.outputs[output, i]
        return product

    cdef Py_ssize_t _best_output(self, const float* hidden, float[::1] scores) noexcept:
        """The label of the highest score, and the scores of all."""
        cdef Py_ssize_t label, best = 0
        cdef float sum = 0, highest
        for label in range(scores.shape[0]):
            scores[label] = <float>self._product(hidden, label)
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

    cdef tuple _best_leaf(self, const float* hidden):
        """The leaf with the highest product of the choices that lead to it, and that product.

        Depth first, the likelier child before the other; what cannot become better than the best is left out.
        """
        cdef Py_ssize_t labels = len(self.labels), node, best = 0, depth = 1
        cdef double right, score, left_score, right_score, best_score = -INFINITY
        cdef double slack = labels * TINY  # by so much a score may rise on the way down
        cdef int32_t* nodes = &self.open_nodes[0]
        cdef double* scores = &self.open_scores[0]
        nodes[0], scores[0] = <int32_t>(2 * labels - 2), 0
        while depth:
            depth -= 1
            node, score = nodes[depth], scores[depth]
            if score + slack < best_score:
                continue
            if node < labels:
                if score > best_score or score == best_score and node < best:
                    best, best_score = node, score
                continue
            right = 1 / (1 + exp(-self._product(hidden, node - labels)))
            left_score, right_score = score + log(1 - right + TINY), score + log(right + TINY)
            if right < 0.5:
                nodes[depth], scores[depth] = self.children[node - labels, 1], right_score
                nodes[depth + 1], scores[depth + 1] = self.children[node - labels, 0], left_score
            else:
                nodes[depth], scores[depth] = self.children[node - labels, 0], left_score
                nodes[depth + 1], scores[depth + 1] = self.children[node - labels, 1], right_score
            depth += 2
        return best, exp(best_score)


def label_scores(list asked not None, bytes text not None):
    """Score a text, as `Classifier.classify` takes it, by several models, whose words are looked for once.

    `asked` are pairs of a `Classifier` and the number of one of its labels; the scores are as of `classify`.
    """
    cdef Py_ssize_t count
    cdef Word* words = _words(text, len(text), &count)
    cdef Classifier one
    cdef list scores = []
    try:
        for one, label in asked:
            one.vectors.mean(text, words, count, &one.hidden[0])
            scores.append(one._score(label))
    finally:
        free(words)
    return scores


cdef float _tabled_sigmoid(float x) noexcept nogil:
    """The logistic function as fastText looks it up, in steps of 1/32 from -8 to 8."""
    if x < -8:
        return 0
    if x > 8:
        return 1
    return <float>(1 / (1 + exp(8 - floor((x + 8) * 32) / 32)))
