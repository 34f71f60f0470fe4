"""A text in one line, as models of languages take it, and its letters by script."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memset

from cedar.transforms.curation._characters cimport KIND, LETTER, LOWER, UPPER
from cedar.transforms.extractors.html._bytes cimport code_point_at

cdef enum:
    CELL_BITS = 4  # scripts begin and end with sixteen code points
    CELLS = 0x3240  # up to the last ideograph
    MAX_SCRIPTS = 64

# First code point, last one, ISO 15924. Parts of a script that text of the web does not have are left out.
RANGES = (
    (0x0040, 0x02AF, "Latn"), (0x02B0, 0x02BF, "Latn"), (0x02E0, 0x02EF, "Latn"), (0x0370, 0x03FF, "Grek"),
    (0x0400, 0x052F, "Cyrl"), (0x0530, 0x058F, "Armn"), (0x0590, 0x05FF, "Hebr"), (0x0600, 0x06FF, "Arab"),
    (0x0700, 0x074F, "Syrc"), (0x0750, 0x077F, "Arab"), (0x0780, 0x07BF, "Thaa"), (0x07C0, 0x07FF, "Nkoo"),
    (0x0800, 0x083F, "Samr"), (0x0840, 0x085F, "Mand"), (0x0860, 0x086F, "Syrc"), (0x0870, 0x08FF, "Arab"),
    (0x0900, 0x097F, "Deva"), (0x0980, 0x09FF, "Beng"), (0x0A00, 0x0A7F, "Guru"), (0x0A80, 0x0AFF, "Gujr"),
    (0x0B00, 0x0B7F, "Orya"), (0x0B80, 0x0BFF, "Taml"), (0x0C00, 0x0C7F, "Telu"), (0x0C80, 0x0CFF, "Knda"),
    (0x0D00, 0x0D7F, "Mlym"), (0x0D80, 0x0DFF, "Sinh"), (0x0E00, 0x0E7F, "Thai"), (0x0E80, 0x0EFF, "Laoo"),
    (0x0F00, 0x0FFF, "Tibt"), (0x1000, 0x109F, "Mymr"), (0x10A0, 0x10FF, "Geor"), (0x1100, 0x11FF, "Hang"),
    (0x1200, 0x139F, "Ethi"), (0x13A0, 0x13FF, "Cher"), (0x1400, 0x167F, "Cans"), (0x1680, 0x169F, "Ogam"),
    (0x16A0, 0x16FF, "Runr"), (0x1700, 0x171F, "Tglg"), (0x1780, 0x17FF, "Khmr"), (0x1800, 0x18AF, "Mong"),
    (0x18B0, 0x18FF, "Cans"), (0x1900, 0x194F, "Limb"), (0x1950, 0x197F, "Tale"), (0x1980, 0x19DF, "Talu"),
    (0x19E0, 0x19FF, "Khmr"), (0x1A20, 0x1AAF, "Lana"), (0x1B00, 0x1B7F, "Bali"), (0x1B80, 0x1BBF, "Sund"),
    (0x1C50, 0x1C7F, "Olck"), (0x1C80, 0x1C8F, "Cyrl"), (0x1C90, 0x1CBF, "Geor"), (0x1D00, 0x1DBF, "Latn"),
    (0x1E00, 0x1EFF, "Latn"), (0x1F00, 0x1FFF, "Grek"), (0x2070, 0x209F, "Latn"), (0x2C60, 0x2C7F, "Latn"),
    (0x2C80, 0x2CFF, "Copt"), (0x2D00, 0x2D2F, "Geor"), (0x2D30, 0x2D7F, "Tfng"), (0x2D80, 0x2DDF, "Ethi"),
    (0x2DE0, 0x2DFF, "Cyrl"), (0x2E80, 0x2FDF, "Hani"), (0x3000, 0x303F, "Hani"), (0x3040, 0x30FF, "Kana"),
    (0x3100, 0x312F, "Bopo"), (0x3130, 0x318F, "Hang"), (0x31A0, 0x31BF, "Bopo"), (0x31F0, 0x31FF, "Kana"),
    (0x3400, 0x4DBF, "Hani"), (0x4E00, 0x9FFF, "Hani"), (0xA000, 0xA4CF, "Yiii"), (0xA4D0, 0xA4FF, "Lisu"),
    (0xA500, 0xA63F, "Vaii"), (0xA640, 0xA69F, "Cyrl"), (0xA720, 0xA7FF, "Latn"), (0xA960, 0xA97F, "Hang"),
    (0xA980, 0xA9DF, "Java"), (0xA9E0, 0xA9FF, "Mymr"), (0xAA60, 0xAA7F, "Mymr"), (0xAA80, 0xAADF, "Tavt"),
    (0xAB00, 0xAB2F, "Ethi"), (0xAB30, 0xAB6F, "Latn"), (0xAB70, 0xABBF, "Cher"), (0xABC0, 0xABFF, "Mtei"),
    (0xAC00, 0xD7FF, "Hang"), (0xF900, 0xFAFF, "Hani"), (0xFB00, 0xFB0F, "Latn"), (0xFB10, 0xFB1F, "Hebr"),
    (0xFB20, 0xFB4F, "Hebr"), (0xFB50, 0xFDFF, "Arab"), (0xFE70, 0xFEFF, "Arab"), (0xFF20, 0xFF5F, "Latn"),
    (0xFF60, 0xFF9F, "Kana"), (0xFFA0, 0xFFDF, "Hang"), (0x1B000, 0x1B16F, "Kana"), (0x20000, 0x323AF, "Hani"),
)

cdef list CODES = [None, "Hani", "Kana"]  # of none: letters that many scripts share, and rare ones
cdef enum:
    HANI = 1
    KANA = 2
    CHARACTERS_PER_KANA = 20  # one character of so many makes it Japanese

cdef unsigned char[CELLS] SCRIPT


for _first, _last, _code in RANGES:
    if _code not in CODES:
        CODES.append(_code)
    for _cell in range(_first >> CELL_BITS, (_last >> CELL_BITS) + 1):
        SCRIPT[_cell] = CODES.index(_code)


def read_line(str text not None):
    """Put a text into one line, and count its letters.

    Returns:
        Its UTF-8 with a blank for each line end and control character; its letters, those of them that have
        cases, those that are capitals, and the ISO 15924 code of most letters: Jpan where kana are a twentieth
        of kana and ideographs; None if it is of no script.
    """
    cdef Py_ssize_t size = 0, at = 0, width = 0, letters = 0, cased = 0, upper = 0, most = 0, ideographs
    cdef Py_ssize_t written = 0, i
    cdef const unsigned char* data = <const unsigned char*>PyUnicode_AsUTF8AndSize(text, &size)
    cdef bytes line = PyBytes_FromStringAndSize(NULL, size)
    cdef unsigned char* out = <unsigned char*>PyBytes_AS_STRING(line)
    cdef Py_ssize_t[MAX_SCRIPTS] counts
    cdef uint32_t point
    cdef uint16_t kind
    cdef int script, found = 0
    memset(counts, 0, sizeof(counts))
    while at < size:
        point = code_point_at(data + at, &width)
        if point < 0x20 or 0x7F <= point <= 0x9F or point == 0x2028 or point == 0x2029:  # no words to models
            out[written] = c" "
            written += 1
            at += width
            continue
        for i in range(width):
            out[written + i] = data[at + i]
        written += width
        at += width
        kind = KIND[point]
        if not kind & LETTER:
            continue
        letters += 1
        upper += (kind & UPPER) != 0
        cased += (kind & (UPPER | LOWER)) != 0
        if point >> CELL_BITS < CELLS:
            counts[SCRIPT[point >> CELL_BITS]] += 1
    ideographs = counts[HANI] + counts[KANA]
    if counts[KANA] and CHARACTERS_PER_KANA * counts[KANA] >= ideographs:
        counts[KANA], counts[HANI] = ideographs, 0
    else:
        counts[KANA] = 0
    for script in range(1, MAX_SCRIPTS):
        if counts[script] > most:
            most, found = counts[script], script
    code = "Jpan" if found == KANA else CODES[found]
    return line if written == size else line[:written], letters, cased, upper, code
