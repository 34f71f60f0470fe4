# Vectors of texts out of the rows of a model: see `_text_vectors.pyx`.

from libc.stdint cimport int64_t, uint32_t, uint8_t

cdef enum:
    LINE = 64  # bytes that memory moves at once
    LONGEST_REMEMBERED = LINE - 5  # bytes


cdef struct Remembered:
    # A word whose vector is known: the sum of its row and of those of its n-grams.
    uint32_t rows  # how many these are
    uint8_t size  # bytes of the word; 0 = absent
    unsigned char[LONGEST_REMEMBERED] word


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


cdef class TextVectors:
    # Attributes:
    #     dimensions: of a vector.
    cdef:
        readonly Py_ssize_t dimensions
        const float[:, ::1] _inputs
        bytes _names  # of all words, one after the other
        int64_t[::1] _stops  # of each word in `_names`, after a zero
        WordSlot* _known  # open addressing; at most half of them are taken
        Py_ssize_t _known_slots
        Cell* _cells  # of all buckets, of which few have a row; NULL where all have
        int _least, _most, _word_ngrams
        uint32_t _bucket_count
        double _inverse  # of the number of buckets
        unsigned char* _remembered  # slots of a Remembered and its vector; a word goes where its hash says
        void* _memory  # that these are in
        Py_ssize_t _slots
        Py_ssize_t _slot_bytes

    cdef int mean(self, const unsigned char* text, Py_ssize_t size, float* mean) except -1
    cdef _make_room(self)
    cdef _index_words(self, tuple words)
    cdef _index_buckets(self, model)
    cdef Py_ssize_t _words(self, const unsigned char* text, Py_ssize_t size, Word* words) noexcept
    cdef Remembered* _slot(self, uint32_t hash) noexcept
    cdef Py_ssize_t _add_word(self, const unsigned char* text, const Word* word, float* sum) noexcept
    cdef Py_ssize_t _find(self, const unsigned char* word, Py_ssize_t size, uint32_t hash) noexcept
    cdef Py_ssize_t _add_row(self, Py_ssize_t row, float* sum) noexcept
    cdef uint32_t _remainder(self, uint32_t hash) noexcept
    cdef Py_ssize_t _add_buckets(self, uint32_t* buckets, Py_ssize_t count, float* sum) noexcept
    cdef Py_ssize_t _add_rows_of(
        self, const unsigned char* word, Py_ssize_t size, uint32_t word_hash, float* sum
    ) noexcept
    cdef Py_ssize_t _add_word_ngrams(self, const Word* words, Py_ssize_t count, float* sum) noexcept
