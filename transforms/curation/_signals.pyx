"""All signals of a text, in one pass over its UTF-8 and one over its tokens."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint64_t
from libc.string cimport memchr

from transforms.curation._characters cimport BULLET, KIND, TERMINAL, decode
from transforms.curation._line_rules cimport C4Rules, ends_in_dots, last_of, refinedweb_drops
from transforms.curation._lines_seen cimport LinesSeen
from transforms.curation._repeats cimport Repeats, find_repeats
from transforms.curation._tokens cimport Counts, Tokens

cdef enum:
    SHORT_LINE = 30  # characters
    ELLIPSIS = 0x2026


cdef struct Sums:
    # Over all lines that are not blank; lengths of texts are in characters.
    Counts all
    Py_ssize_t lines
    Py_ssize_t bullets
    Py_ssize_t ellipses
    Py_ssize_t terminals
    Py_ssize_t short
    Py_ssize_t repeated
    Py_ssize_t repeated_chars
    Py_ssize_t newlines
    Py_ssize_t removed_tokens  # in lines that RefinedWeb would drop


cdef class _Lines:
    """What is summed over the lines of a text."""

    cdef:
        Tokens tokens
        C4Rules c4
        LinesSeen seen
        Sums sums

    def __cinit__(self):
        self.tokens = Tokens()
        self.c4 = C4Rules()
        self.seen = LinesSeen()

    cdef int read(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Goes through a text line by line; only a line feed ends a line."""
        cdef:
            const unsigned char* stop = text + size
            const unsigned char* line = text
            const unsigned char* feed
            Counts counts
        while True:
            feed = <const unsigned char*> memchr(line, c"\n", stop - line)
            if feed is NULL:
                feed = stop
            self.tokens.scan(line, feed - line, &counts)
            self._sum(&counts)
            if counts.words:
                self._line(line, feed - line, &counts)
            if feed == stop:
                return 0
            self.sums.newlines += 1
            line = feed + 1

    cdef void _sum(self, const Counts* counts) noexcept:
        cdef Counts* total = &self.sums.all
        total.chars += counts.chars
        total.words += counts.words
        total.alpha_words += counts.alpha_words
        total.token_chars += counts.token_chars
        total.dense_tokens += counts.dense_tokens
        total.caps_tokens += counts.caps_tokens
        total.sentences += counts.sentences
        total.hashes += counts.hashes
        total.ellipses += counts.ellipses
        total.upper += counts.upper
        total.digits += counts.digits

    cdef int _line(self, const unsigned char* line, Py_ssize_t size, const Counts* counts) except -1:
        """Judges a line that is not blank."""
        cdef:
            Sums* sums = &self.sums
            Py_ssize_t width = 0
        sums.lines += 1
        sums.bullets += KIND[decode(line + counts.first, &width)] & BULLET != 0
        sums.ellipses += ends_in_dots(line, counts.stop) or last_of(line, counts.stop) == ELLIPSIS
        sums.terminals += KIND[last_of(line, size)] & TERMINAL != 0
        sums.short += counts.chars <= SHORT_LINE
        if self.seen.add(line, size):
            sums.repeated += 1
            sums.repeated_chars += counts.chars
        if refinedweb_drops(line, size, counts):
            sums.removed_tokens += counts.tokens
        self.c4.add(line, counts[0])
        return 0


cdef inline float _share(double part, double whole) noexcept nogil:
    """A share; of nothing it is 0."""
    return <float> (part / whole) if whole else 0


def measure(str text not None, const uint64_t[::1] stop_words):
    """Measure all signals of a text.

    Args:
        text: any text that UTF-8 can hold.
        stop_words: hashes of words in lower case (`_tokens.hash_of`), or None.

    Returns:
        The signals by name, shares as float32, and the tokens.
    """
    cdef:
        Py_ssize_t size = 0
        const char* data = PyUnicode_AsUTF8AndSize(text, &size)
        _Lines lines = _Lines()
        Repeats repeats
        Sums s
        double chars
    lines.read(<const unsigned char*> data, size)
    find_repeats(lines.tokens, stop_words, &repeats)
    s = lines.sums
    chars = <double> (s.all.chars + s.newlines)
    named = _named(lines, &repeats, chars)
    if stop_words is None:
        named["stop_words"] = None
    return named, lines.tokens


cdef dict _named(_Lines lines, const Repeats* repeats, double chars):
    """All signals by name; `chars` are those of the whole text."""
    cdef:
        Sums s = lines.sums
        Py_ssize_t tokens = lines.tokens.size
        bint dense = 2 * s.all.dense_tokens > tokens
    return {
        "tokens": tokens,
        "sentences": s.all.sentences,
        "dense_share": _share(s.all.dense_tokens, tokens),
        "mean_word_length": _share(s.all.token_chars, tokens),
        "hash_ratio": _share(s.all.hashes, s.all.words),
        "ellipsis_ratio": _share(s.all.ellipses, s.all.words),
        "bullet_lines": _share(s.bullets, s.lines),
        "ellipsis_lines": _share(s.ellipses, s.lines),
        "terminal_lines": _share(s.terminals, s.lines),
        "short_lines": _share(s.short, s.lines),
        "alpha_words": _share(s.all.alpha_words, s.all.words),
        "stop_words": repeats.stop_words,
        "dup_lines": _share(s.repeated, s.lines),
        "dup_line_chars": _share(s.repeated_chars, chars),
        "dup_line_chars_net": _share(s.repeated_chars, s.all.chars),
        "top_2gram": _share(repeats.top[0], chars),
        "top_3gram": _share(repeats.top[1], chars),
        "top_4gram": _share(repeats.top[2], chars),
        "dup_5gram": _share(repeats.duplicate[0], chars),
        "dup_6gram": _share(repeats.duplicate[1], chars),
        "dup_7gram": _share(repeats.duplicate[2], chars),
        "dup_8gram": _share(repeats.duplicate[3], chars),
        "dup_9gram": _share(repeats.duplicate[4], chars),
        "dup_10gram": _share(repeats.duplicate[5], chars),
        "newline_ratio": _share(s.newlines, tokens if dense else s.all.words),
        "c4_sentences": lines.c4.found.sentences,
        "c4_sentences_any_end": lines.c4.found.sentences_any_end,
        "c4_lines": _share(lines.c4.found.lines, s.lines),
        "policy_lines": lines.c4.found.policy_lines,
        "javascript_lines": lines.c4.found.javascript_lines,
        "lorem_ipsum": <bint> lines.c4.found.lorem_ipsum,
        "curly_bracket": <bint> lines.c4.found.curly_bracket,
        "unique_words": _share(repeats.distinct, tokens),
        "word_entropy": <float> repeats.entropy,
        "caps_words": _share(s.all.caps_tokens, tokens),
        "upper_chars": _share(s.all.upper, chars),
        "digit_chars": _share(s.all.digits, chars),
        "rw_removed_words": _share(s.removed_tokens, tokens),
    }
