"""All signals of a text, in one pass over its UTF-8 and one over its tokens.

The definitions, with formulas and sources, are in `docs/curation.md`; the plain ones that this is held to are in
`tests/oracles/signals.py`. What C4 would do with a line: Raffel et al. 2020, section 2.2, with the rules as
TensorFlow Datasets and datatrove have them. RefinedWeb: Penedo et al. 2023, appendix G.2, as DCLM has it.
"""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, strlen

from cedar.transforms.curation._characters cimport BLANK, BULLET, DECIMAL, KIND, TERMINAL, WORD
from cedar.transforms.curation._repeats cimport CountTable, Repeats, find_repeats
from cedar.transforms.curation._tokens cimport KELVIN, Counts, Tokens, mix
from cedar.transforms.extractors.html._bytes cimport (
    GOLDEN_RATIO, code_point_at, lowest_bit, pairs, popcount, sixty_four, which_are
)
from cedar.transforms.extractors.html._growing cimport ByteBuffer

from cedar.transforms.model.annotations import Signals

cdef enum:
    SHORT_LINE = 30  # characters
    ELLIPSIS = 0x2026
    RIGHT_QUOTE = 0x201D
    MAX_WORD = 1000  # characters of a line that C4 keeps
    MIN_WORDS = 3
    WORD_BYTES = 8

cdef enum:
    LOREM_IPSUM = 1
    JAVASCRIPT = 2
    POLICY = 4

cdef const char** PHRASES = [
    b"lorem ipsum", b"javascript", b"terms of use", b"privacy policy",
    b"cookie policy", b"uses cookies", b"use of cookies", b"use cookies",
]
cdef int* MARKS = [LOREM_IPSUM, JAVASCRIPT, POLICY, POLICY, POLICY, POLICY, POLICY, POLICY]

# Four letters of each phrase, by two of which it is found, and where they stand in it.
cdef const char* LETTERS = b"lorejavatermprivcook"
cdef int* FOUND_AT = [0, 0, 0, 0, 0, 5, 7, 4]

cdef const char** NOTES = [b"[edit]", b"[citation needed]"]

cdef const char** COUNTED = [
    b"likes", b"shares", b"comments", b"retweets", b"reposts", b"quotes", b"bookmarks", b"upvotes",
    b"downvotes", b"downloads", b"views", b"followers",
]


cdef struct C4:
    # Of all lines so far.
    Py_ssize_t sentences  # in the lines that are kept
    Py_ssize_t sentences_any_end  # the same without the rule of the end of the line
    Py_ssize_t lines  # that are kept
    Py_ssize_t policy_lines
    Py_ssize_t javascript_lines
    bint lorem_ipsum
    bint curly_bracket


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


cdef uint64_t _hash(const unsigned char* start, Py_ssize_t size) noexcept nogil:
    cdef uint64_t hash = <uint64_t>size, word
    cdef Py_ssize_t at = 0
    while at + WORD_BYTES <= size:
        memcpy(&word, start + at, WORD_BYTES)
        hash = (hash ^ word) * GOLDEN_RATIO
        hash ^= hash >> 32
        at += WORD_BYTES
    word = 0
    memcpy(&word, start + at, size - at)
    return mix(hash ^ word)


cdef class _C4Rules:
    """C4's rules over the lines of a text, one line after the other."""

    cdef C4 found
    cdef Tokens _tokens
    cdef ByteBuffer _cleaned

    def __cinit__(self):
        self._tokens = Tokens()
        self._cleaned = ByteBuffer(0)

    cdef int add(self, const unsigned char* line, Counts counts) except -1:
        """Look at a line that is not blank, without the blanks around it."""
        cdef const unsigned char* text = line + counts.first
        cdef Py_ssize_t size = counts.stop - counts.first, words
        cdef int marks
        cdef C4* found = &self.found
        if counts.longest_word > MAX_WORD:
            return 0
        if counts.kelvin or memchr(text, c"[", size) is not NULL:
            self._clean(text, size)
            if self._cleaned.size != size:
                size, text, words = self._cleaned.size, &self._cleaned.bytes[0], counts.words
                self._tokens.size = 0
                self._tokens.scan(text, size, &counts)
                counts.words = words  # a line keeps the words that it had
        if (counts.tokens if counts.dense else counts.words) < MIN_WORDS:
            return 0
        marks = _phrases(text, size)
        if marks & LOREM_IPSUM:
            found.lorem_ipsum = True
        if marks & JAVASCRIPT:
            found.javascript_lines += 1
            return 0
        if memchr(text, c"{", size) is not NULL:
            found.curly_bracket = True
        if marks & POLICY:
            found.policy_lines += 1
            return 0
        found.sentences_any_end += counts.sentences
        if _ends(text, size):
            found.sentences += counts.sentences
            found.lines += 1
        return 0

    cdef int _clean(self, const unsigned char* line, Py_ssize_t size) except -1:
        """Write a line without its references, and with a plain k for the Kelvin sign."""
        cdef Py_ssize_t at = 0, note
        self._cleaned.size = 0
        self._cleaned.reserve(size)
        while at < size:
            if line[at] == c"[":
                note = _note(line + at, size - at)
                if note:
                    at += note
                    continue
            elif line[at] == 0xE2 and line[at + 1] == 0x84 and line[at + 2] == 0xAA:
                self._cleaned.put_byte(c"k")
                at += 3
                continue
            self._cleaned.put_byte(line[at])
            at += 1
        return 0


cdef inline Py_ssize_t _note(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Bytes of the reference to a note at the bracket that `text` begins with, 0 if it is not one."""
    cdef Py_ssize_t at = 1, width = 0
    cdef int i
    while at < size and KIND[code_point_at(text + at, &width)] & DECIMAL:
        at += width
    if at < size and text[at] == c"]":
        return at + 1
    for i in range(2):
        at = strlen(NOTES[i])
        if size >= at and memcmp(text, NOTES[i], at) == 0:
            return at
    return 0


cdef inline unsigned char _lower(unsigned char byte) noexcept nogil:
    return byte | 0x20 if c"A" <= byte <= c"Z" else byte


cdef int _phrases(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """The marks of all phrases that are in a line, in capitals or not."""
    cdef Py_ssize_t at, place, start, same, length
    cdef int phrase, i, marks = 0
    cdef uint32_t letters, known
    cdef uint64_t begun
    cdef bint is_known
    for at in range(0, size - 3, 16):
        begun = pairs(line + at, size - at, 0x20, LETTERS, 5, 4)
        while begun:
            place = at + lowest_bit(begun)
            begun &= begun - 1
            if place + 4 > size:
                break
            memcpy(&letters, line + place, 4)
            is_known = False
            for i in range(5):
                memcpy(&known, LETTERS + 4 * i, 4)
                is_known |= letters | <uint32_t>0x20202020 == known
            for phrase in range(8 if is_known else 0):
                start, length = place - FOUND_AT[phrase], strlen(PHRASES[phrase])
                same = 0 if start >= 0 and start + length <= size else length + 1
                while same < length and _lower(line[start + same]) == PHRASES[phrase][same]:
                    same += 1
                if same == length:
                    marks |= MARKS[phrase]
    return marks


cdef uint32_t _last_of(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """The last character of a line that is not empty."""
    cdef Py_ssize_t at = size - 1, width = 0
    while line[at] & 0xC0 == 0x80:
        at -= 1
    return code_point_at(line + at, &width)


cdef bint _ends_in_dots(const unsigned char* line, Py_ssize_t stop) noexcept nogil:
    """Whether the bytes before `stop` are three dots."""
    return stop >= 3 and line[stop - 1] == c"." and line[stop - 2] == c"." and line[stop - 3] == c"."


cdef bint _ends(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """Whether a line ends as C4 wants it."""
    cdef uint32_t last
    if not size or _ends_in_dots(line, size):
        return False
    last = _last_of(line, size)
    return KIND[last] & TERMINAL or last == c'"' or last == c"'" or last == RIGHT_QUOTE


cdef bint _refinedweb_drops(const unsigned char* line, Py_ssize_t size, const Counts* counts) noexcept nogil:
    """Whether RefinedWeb would take a line out: capitals, digits, a counter of a button, a single word."""
    cdef double chars = <double>counts.chars
    return (
        counts.tokens < 2
        or counts.upper / chars > 0.5
        or counts.digits / chars > 0.999999
        or _is_counter(line, size)
    )


cdef bint _is_counter(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """Whether a line is no more than a number and what it counts: "1.2K likes"."""
    cdef Py_ssize_t at = 0, width = 0, start
    cdef uint32_t point
    cdef int i
    cdef bint known = False
    while at < size and not KIND[code_point_at(line + at, &width)] & WORD:
        at += width
    if at == size or not KIND[code_point_at(line + at, &width)] & DECIMAL:
        return False
    while at < size:
        point = code_point_at(line + at, &width)
        if not (KIND[point] & DECIMAL or point == c"," or point == c"."):
            break
        at += width
    if at < size:
        point = code_point_at(line + at, &width)
        if point == KELVIN or point < 0x80 and _lower(<unsigned char>point) in (c"k", c"m", c"b"):
            at += width
    start = at
    while at < size and KIND[code_point_at(line + at, &width)] & BLANK:
        at += width
    if at == start:
        return False
    for i in range(12):
        width = _name_stop(line + at, size - at, COUNTED[i])
        if width:
            at += width
            known = True
            break
    while known and at < size:
        known = not KIND[code_point_at(line + at, &width)] & WORD
        at += width
    return known


cdef Py_ssize_t _name_stop(const unsigned char* text, Py_ssize_t size, const char* name) noexcept nogil:
    """Bytes of a name, in capitals or not, that a text begins with; 0 if it does not."""
    cdef Py_ssize_t at = 0, width = 0, length = strlen(name), i
    cdef uint32_t point
    for i in range(length):
        if at == size:
            return 0
        point = code_point_at(text + at, &width)
        if point == KELVIN:
            point = c"k"
        elif point < 0x80:
            point = _lower(<unsigned char>point)
        if point != <uint32_t>name[i]:
            return 0
        at += width
    return at


cdef class _Lines:
    """What is summed over the lines of a text."""

    cdef Tokens tokens
    cdef _C4Rules c4
    cdef CountTable seen  # lines by their hashes
    cdef Sums sums

    def __cinit__(self, Py_ssize_t most):
        self.tokens = Tokens()
        self.c4 = _C4Rules()
        self.seen = CountTable(most)

    cdef int read(self, const unsigned char* text, Py_ssize_t size) except -1:
        """Go through a text line by line; only a line feed ends a line."""
        cdef const unsigned char* stop = text + size
        cdef const unsigned char* line = text
        cdef const unsigned char* feed
        cdef Counts counts
        while True:
            feed = <const unsigned char*>memchr(line, c"\n", stop - line)
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
        """Judge a line that is not blank."""
        cdef Sums* sums = &self.sums
        cdef Py_ssize_t width = 0
        sums.lines += 1
        sums.bullets += KIND[code_point_at(line + counts.first, &width)] & BULLET != 0
        sums.ellipses += _ends_in_dots(line, counts.stop) or _last_of(line, counts.stop) == ELLIPSIS
        sums.terminals += KIND[_last_of(line, size)] & TERMINAL != 0
        sums.short += counts.chars <= SHORT_LINE
        if self.seen.entries[self.seen.put(_hash(line, size), 1)].count > 1:
            sums.repeated += 1
            sums.repeated_chars += counts.chars
        if _refinedweb_drops(line, size, counts):
            sums.removed_tokens += counts.tokens
        self.c4.add(line, counts[0])
        return 0


cdef inline float _share(double part, double whole) noexcept nogil:
    """A share; of nothing it is 0."""
    return <float>(part / whole) if whole else 0


def measure(str text not None, const uint64_t[::1] stop_words):
    """Measure all signals of a text.

    `stop_words` are hashes as `stop_words` gives them; None if its language has no list. Returns its `Signals`, shares
    as float32; and its tokens, which `cedar.transforms.curation.signatures` takes.

    Raises UnicodeEncodeError: a lone surrogate is in the text.
    """
    cdef Py_ssize_t size = 0, at, feeds = 0
    cdef const unsigned char* data = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &size)
    cdef unsigned char[64] room
    for at in range(0, size, 64):
        feeds += popcount(which_are(sixty_four(data + at, size - at, room), c"\n"))
    cdef _Lines lines = _Lines(feeds + 1)
    cdef Repeats repeats
    lines.read(data, size)
    find_repeats(lines.tokens, stop_words, &repeats)
    cdef Sums s = lines.sums
    cdef Py_ssize_t tokens = lines.tokens.size
    cdef bint dense = 2 * s.all.dense_tokens > tokens
    cdef double chars = <double>(s.all.chars + s.newlines)
    signals = {
        "cedar_words": tokens,
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
        "stop_words": None if stop_words is None else repeats.stop_words,
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
        "lorem_ipsum": <bint>lines.c4.found.lorem_ipsum,
        "curly_bracket": <bint>lines.c4.found.curly_bracket,
        "unique_words": _share(repeats.distinct, tokens),
        "word_entropy": <float>repeats.entropy,
        "caps_words": _share(s.all.caps_tokens, tokens),
        "upper_chars": _share(s.all.upper, chars),
        "digit_chars": _share(s.all.digits, chars),
        "rw_removed_words": _share(s.removed_tokens, tokens),
    }
    return Signals(**signals), lines.tokens
