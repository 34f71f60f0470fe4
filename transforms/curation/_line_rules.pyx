"""What C4 and RefinedWeb would do with a line, as `docs/curation.md` has it.

C4: Raffel et al. 2020, section 2.2, with the rules as TensorFlow Datasets and datatrove have them.
RefinedWeb: Penedo et al. 2023, appendix G.2, with the rules as DCLM has them.
"""

from libc.stdint cimport uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, strlen

from transforms.curation._characters cimport BLANK, DECIMAL, KIND, TERMINAL, WORD, decode
from transforms.curation._tokens cimport KELVIN

cdef enum:
    LONGEST_WORD = 1000  # characters of a line that C4 keeps
    FEWEST_WORDS = 3
    RIGHT_QUOTE = 0x201D

cdef enum:
    LOREM_IPSUM = 1
    JAVASCRIPT = 2
    POLICY = 4

cdef const char** PHRASES = [
    b"lorem ipsum", b"javascript", b"terms of use", b"privacy policy",
    b"cookie policy", b"uses cookies", b"use of cookies", b"use cookies",
]
cdef int* MARKS = [LOREM_IPSUM, JAVASCRIPT, POLICY, POLICY, POLICY, POLICY, POLICY, POLICY]

cdef const char** NOTES = [b"[edit]", b"[citation needed]"]

cdef const char** COUNTED = [
    b"likes", b"shares", b"comments", b"retweets", b"reposts", b"quotes", b"bookmarks", b"upvotes",
    b"downvotes", b"downloads", b"views", b"followers",
]


cdef class C4Rules:
    """C4's rules over the lines of a text, one line after the other.

    Attributes:
        found: what they found so far.
    """

    def __cinit__(self):
        self._tokens = Tokens()
        self._text = NULL
        self._room = 0
        self.found = C4(0, 0, 0, 0, 0, False, False)

    def __dealloc__(self):
        free(self._text)

    cdef int add(self, const unsigned char* line, Counts counts) except -1:
        """Looks at a line that is not blank.

        Args:
            line: its UTF-8.
            counts: what is counted in it; the blanks around it are not looked at.
        """
        cdef:
            const unsigned char* text = line + counts.first
            Py_ssize_t size = counts.stop - counts.first, cleaned
            int marks
            C4* found = &self.found
        if counts.longest_word > LONGEST_WORD:
            return 0
        if counts.kelvin or memchr(text, c"[", size) is not NULL:
            cleaned = self._clean(text, size)
            if cleaned != size:
                size, text = cleaned, self._text
                cleaned = counts.words
                self._tokens.size = 0
                self._tokens.scan(text, size, &counts)
                counts.words = cleaned  # a line keeps the words that it had
        if (counts.tokens if counts.dense else counts.words) < FEWEST_WORDS:
            return 0
        marks = _phrases(text, size) if _may_hold_phrase(text, size) else 0
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

    cdef Py_ssize_t _clean(self, const unsigned char* line, Py_ssize_t size) except -1:
        """Writes a line without its references, and with a plain k for the Kelvin sign; gives its bytes."""
        cdef:
            Py_ssize_t at = 0, written = 0, note
            void* moved
        if self._room < size:
            moved = realloc(self._text, size)
            if moved is NULL:
                raise MemoryError()
            self._text, self._room = <unsigned char*> moved, size
        while at < size:
            if line[at] == c"[":
                note = _note(line + at, size - at)
                if note:
                    at += note
                    continue
            elif line[at] == 0xE2 and line[at + 1] == 0x84 and line[at + 2] == 0xAA:
                self._text[written] = c"k"
                written += 1
                at += 3
                continue
            self._text[written] = line[at]
            written += 1
            at += 1
        return written


cdef inline Py_ssize_t _note(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """Bytes of the reference to a note at the bracket that `text` begins with, 0 if it is not one."""
    cdef Py_ssize_t at = 1, width = 0
    cdef int i
    while at < size and KIND[decode(text + at, &width)] & DECIMAL:
        at += width
    if at < size and text[at] == c"]":
        return at + 1
    for i in range(2):
        if _begins_with(text, size, NOTES[i]):
            return strlen(NOTES[i])
    return 0


cdef inline bint _begins_with(const unsigned char* text, Py_ssize_t size, const char* phrase) noexcept nogil:
    cdef Py_ssize_t length = strlen(phrase)
    return size >= length and memcmp(text, phrase, length) == 0


cdef inline unsigned char _lower(unsigned char byte) noexcept nogil:
    return byte | 0x20 if c"A" <= byte <= c"Z" else byte


cdef bint _may_hold_phrase(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """Whether four letters are in a line without which it holds no phrase.

    Without a way out of the loop, so that the compiler makes few instructions of it.
    """
    cdef:
        Py_ssize_t at
        unsigned char found = 0, a, b, c, d
    for at in range(size - 3):
        a, b, c, d = line[at] | 0x20, line[at + 1] | 0x20, line[at + 2] | 0x20, line[at + 3] | 0x20
        found |= (a == c"j") & (b == c"a") & (c == c"v") & (d == c"a")
        found |= (a == c"l") & (b == c"o") & (c == c"r") & (d == c"e")
        found |= (a == c"c") & (b == c"o") & (c == c"o") & (d == c"k")
        found |= (a == c"p") & (b == c"r") & (c == c"i") & (d == c"v")
        found |= (a == c"t") & (b == c"e") & (c == c"r") & (d == c"m")
    return found


cdef int _phrases(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """The marks of all phrases that are in a line, in capitals or not."""
    cdef:
        Py_ssize_t at, length, same
        int phrase, marks = 0
    for at in range(size):
        for phrase in range(8):
            if _lower(line[at]) != PHRASES[phrase][0]:
                continue
            length = strlen(PHRASES[phrase])
            same = 1
            while same < length and at + same < size and _lower(line[at + same]) == PHRASES[phrase][same]:
                same += 1
            if same == length:
                marks |= MARKS[phrase]
    return marks


cdef uint32_t last_of(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """The last character of a line that is not empty."""
    cdef Py_ssize_t at = size - 1, width = 0
    while line[at] & 0xC0 == 0x80:
        at -= 1
    return decode(line + at, &width)


cdef bint ends_in_dots(const unsigned char* line, Py_ssize_t stop) noexcept nogil:
    """Whether the bytes before `stop` are three dots."""
    return stop >= 3 and line[stop - 1] == c"." and line[stop - 2] == c"." and line[stop - 3] == c"."


cdef bint _ends(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """Whether a line ends as C4 wants it."""
    cdef uint32_t last
    if not size or ends_in_dots(line, size):
        return False
    last = last_of(line, size)
    return KIND[last] & TERMINAL or last == c'"' or last == c"'" or last == RIGHT_QUOTE


cdef bint refinedweb_drops(const unsigned char* line, Py_ssize_t size, const Counts* counts) noexcept nogil:
    """Whether RefinedWeb would take a line out: capitals, digits, a counter of a button, a single word.

    Args:
        line: the whole line, not blank.
        size: its bytes.
        counts: what is counted in it.
    """
    cdef double chars = <double> counts.chars
    return (
        counts.tokens < 2
        or counts.upper / chars > 0.5
        or counts.digits / chars > 0.999999
        or _is_counter(line, size)
    )


cdef bint _is_counter(const unsigned char* line, Py_ssize_t size) noexcept nogil:
    """Whether a line is no more than a number and what it counts: "1.2K likes"."""
    cdef:
        Py_ssize_t at = 0, width = 0, start
        uint32_t point
        int i
        bint known = False
    while at < size and not KIND[decode(line + at, &width)] & WORD:
        at += width
    if at == size or not KIND[decode(line + at, &width)] & DECIMAL:
        return False
    while at < size:
        point = decode(line + at, &width)
        if not (KIND[point] & DECIMAL or point == c"," or point == c"."):
            break
        at += width
    if at < size:
        point = decode(line + at, &width)
        if point == KELVIN or point < 0x80 and _lower(<unsigned char> point) in (c"k", c"m", c"b"):
            at += width
    start = at
    while at < size and KIND[decode(line + at, &width)] & BLANK:
        at += width
    if at == start:
        return False
    for i in range(12):
        width = _behind_name(line + at, size - at, COUNTED[i])
        if width:
            at += width
            known = True
            break
    while known and at < size:
        known = not KIND[decode(line + at, &width)] & WORD
        at += width
    return known


cdef Py_ssize_t _behind_name(const unsigned char* text, Py_ssize_t size, const char* name) noexcept nogil:
    """Bytes of a name, in capitals or not, that a text begins with; 0 if it does not."""
    cdef Py_ssize_t at = 0, width = 0, length = strlen(name), i
    cdef uint32_t point
    for i in range(length):
        if at == size:
            return 0
        point = decode(text + at, &width)
        if point == KELVIN:
            point = c"k"
        elif point < 0x80:
            point = _lower(<unsigned char> point)
        if point != <uint32_t> name[i]:
            return 0
        at += width
    return at
