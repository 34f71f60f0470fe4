"""How a page's elements are to be laid out, by their names, attributes and `style` attributes (CSS 2.1).

Style sheets are not read. What a `display: none` hides is not in the tree, unless it is to be seen.
"""

import numpy as np

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport strlen

from cedar.transforms.extractors.html._bytes cimport SPACE, key_at
from cedar.transforms.extractors.html._elements cimport BOX, Lookup, find, traits
from cedar.transforms.extractors.html._styles cimport Declaration, begins, is_word, read_declaration
from cedar.transforms.extractors.tree._tree cimport Tree, after_word

from cedar.transforms.extractors.html._elements import key

cdef uint64_t _WIDTH = key("width"), _HEIGHT = key("height"), _BGCOLOR = key("bgcolor"), _SIZE = key("size")
cdef uint64_t _COLSPAN = key("colspan"), _ALT = key("alt"), _TYPE = key("type"), _STYLE = key("style")

cdef enum:
    _MAX_SPAN = 50  # columns
    _BOLD = 700
    _NORMAL = 400
    _MAX_DIGITS = 9

cdef float _FONT_SIZE = 16.0
cdef float _MIN_FONT = 1.0
cdef float _MAX_FONT = 1000.0
cdef float[8] _FONT_SIZES = [0.0, 10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0]  # of <font size=1> to 7
cdef double _POINT = 4.0 / 3.0  # px
cdef double _ROOT_FONT = 16.0  # px

_ROLES = {
    TABLE: "table",
    SECTION: "tbody thead tfoot",
    ROW: "tr",
    CELL: "td th",
    PARAGRAPH: "p",
    RULE: "hr",
    BREAK: "br",
    LINK: "a",
    FORM: "form",
    REPLACED: "button select textarea object embed video audio canvas svg iframe",
    IMAGE: "img",
    INPUT: "input",
    FONT: "font",
}
# HTML's style sheet of defaults: times the font size around it, and the weight.
_FONTS = {
    "h1": (2.0, 700),
    "h2": (1.5, 700),
    "h3": (1.17, 700),
    "h4": (1.0, 700),
    "h5": (0.83, 700),
    "h6": (0.67, 700),
    "b": (1.0, 700),
    "strong": (1.0, 700),
    "th": (1.0, 700),
    "small": (0.83, 0),
    "big": (1.2, 0),
    "sub": (0.83, 0),
    "sup": (0.83, 0),
}
_MARGINS = {
    **dict.fromkeys("p ul ol dl h3 pre blockquote figure menu dir".split(), 1.0),
    "h1": 0.67,
    "h2": 0.83,
    "h4": 1.33,
    "h5": 1.67,
    "h6": 2.33,
    "hr": 0.5,
    "fieldset": 0.2,
}
_INDENTED = "ul ol menu dir dd blockquote figure"

cdef enum:
    _MAX_NAMES = 64
    _INDENT = 40  # px

cdef Name[_MAX_NAMES] _NAMES
cdef Name _INLINE_NAME = Name(role=OTHER, is_block=False, times=1.0, weight=0, margin=0.0, indent=0.0)
cdef Name _BLOCK_NAME = Name(role=OTHER, is_block=True, times=1.0, weight=0, margin=0.0, indent=0.0)


def _make_names():
    """Fill `_NAMES`, and return the place of each name, by its key."""
    roles = {name: role for role, names in _ROLES.items() for name in names.split()}
    places = {}
    for place, name in enumerate(sorted({*roles, *_FONTS, *_MARGINS, *_INDENTED.split()})):
        if place >= _MAX_NAMES:
            raise ValueError("more names than there is room for")
        times, weight = _FONTS.get(name, (1.0, 0))
        _NAMES[place] = Name(
            role=roles.get(name, OTHER),
            is_block=traits(key(name)) & BOX != 0,
            times=times,
            weight=weight,
            margin=_MARGINS.get(name, 0.0),
            indent=_INDENT if name in _INDENTED.split() else 0.0,
        )
        places[key(name)] = place
    return places


cdef Lookup _PLACES = Lookup(_make_names())


cdef const Name *name_of(uint64_t key) noexcept nogil:
    """What is known of a name; of others what an inline element has, or a block."""
    cdef int64_t place = find(_PLACES, key)
    if place >= 0:
        return &_NAMES[place]
    return &_BLOCK_NAME if traits(key) & BOX else &_INLINE_NAME


SEEN = np.dtype(
    [("box", "f4", 4), ("size", "f4"), ("background", "i4"), ("weight", "i2"), ("display", "u1"), ("visible", "?")]
)
"""What is seen of an element: its box, x, y, width and height, the latter two 0 for what has none; font size and
weight, 100 to 900; its own colour, 0xRRGGBB, -1 where what is below is seen; its display as computed: 0 not at all,
1 inline, 2 inline-block and its like, 3 else; and whether it is visible, and the texts in it."""


cdef class Styles:
    """What is known of n elements without style sheets, `SEEN` of each but its box. What holds a block is one."""

    def __cinit__(self, Tree tree not None):
        cdef Py_ssize_t count = tree.size, element, parent
        self.elements = np.zeros(count, SEEN)
        self.elements["background"] = -1
        self.seen = self.elements
        self.role, self.floats = np.empty(count, np.uint8), np.zeros(count, np.uint8)
        self.has_alt, self.span = np.zeros(count, np.uint8), np.ones(count, np.uint8)
        self.width, self.height = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self.margin, self.indent = np.empty(count, np.float32), np.empty(count, np.float32)
        cdef const unsigned char[::1] markup = tree.markup
        for element in range(count):
            _read(self, tree, markup, element)
        # What holds a block is laid out as one; children come after their parents.
        for element in range(count - 1, 0, -1):
            parent = tree.parent_of[element]
            if self.seen[element].display == BLOCK and self.seen[parent].display in (INLINE, INLINE_BLOCK):
                self.seen[parent].display = BLOCK


cdef int _read(Styles styles, Tree tree, const unsigned char[::1] markup, Py_ssize_t element) except -1:
    """Set all of an element, whose parent is set."""
    cdef const Name *name = name_of(tree.key_of[element])
    cdef Py_ssize_t parent = tree.parent_of[element]
    cdef float around = styles.seen[parent].size if parent >= 0 else _FONT_SIZE
    cdef bint is_root = parent < 0
    styles.role[element] = name.role
    styles.seen[element].size = min(_MAX_FONT, max(_MIN_FONT, around * name.times))
    styles.seen[element].weight = name.weight or (_NORMAL if is_root else styles.seen[parent].weight)
    styles.seen[element].visible = is_root or styles.seen[parent].visible
    styles.seen[element].display = BLOCK if name.is_block else INLINE
    styles.indent[element] = name.indent
    _read_attributes(styles, element, markup, tree.markup_of[element], tree.markup_of[element + 1], around)
    styles.margin[element] = name.margin * styles.seen[element].size
    return 0


cdef void _read_attributes(
    Styles styles, Py_ssize_t element, const unsigned char[::1] markup, Py_ssize_t at, Py_ssize_t stop, float around
) noexcept:
    """Take the attributes of an element, whose name and these stand in [at, stop) of the markup."""
    cdef const unsigned char *record = &markup[0]  # of some elements
    cdef const unsigned char *style = NULL
    cdef Declaration declaration
    cdef Py_ssize_t value, size
    cdef uint64_t name
    at = after_word(record, at)
    while at < stop:
        value = after_word(record, at)
        name, size = key_at(markup, at, value - 1), <Py_ssize_t>strlen(<const char *>record + value)
        if name == _STYLE:
            style = record + value
        elif size:
            _take_attribute(styles, element, name, record + value, size, around)
        at = value + size + 1
    if style != NULL:  # declarations win over attributes, wherever they stand
        declaration.next, declaration.end = style, style + strlen(<const char *>style)
        while read_declaration(&declaration):
            _take_declaration(styles, element, declaration, around)


cdef void _take_attribute(
    Styles styles, Py_ssize_t element, uint64_t name, const unsigned char *value, Py_ssize_t size, float around
) noexcept:
    cdef unsigned char role = styles.role[element]
    cdef Py_ssize_t i
    cdef int number = 0
    if name == _WIDTH:
        styles.width[element] = _length(value, size, _FONT_SIZE)
    elif name == _HEIGHT:
        if role == TABLE or role == CELL or is_replaced(role):
            styles.height[element] = _length(value, size, _FONT_SIZE)
    elif name == _BGCOLOR:
        styles.seen[element].background = _colour(value, size)
    elif name == _SIZE and role == FONT:
        styles.seen[element].size = _font_size(value, size, around)
    elif name == _COLSPAN and role == CELL:
        for i in range(min(size, 3)):
            if not c'0' <= value[i] <= c'9':
                return
            number = 10 * number + value[i] - c'0'
        styles.span[element] = max(1, min(number, <int>_MAX_SPAN))
    elif name == _ALT and role == IMAGE:
        styles.has_alt[element] = True
    elif name == _TYPE and role == INPUT and is_word(value, size, b"hidden"):
        styles.seen[element].display = NONE


cdef float _font_size(const unsigned char *value, Py_ssize_t size, float around) noexcept nogil:
    """The size that `<font size>` asks for; that around it where it asks for none."""
    cdef bint grows = value[0] == c'+', shrinks = value[0] == c'-'
    cdef int step
    value += grows or shrinks
    size -= grows or shrinks
    if size != 1 or not c'1' <= value[0] <= c'7':
        return around
    step = value[0] - c'0'
    if not grows and not shrinks:
        return _FONT_SIZES[step]
    return max(8.0, around + (3.0 * step if grows else -3.0 * step))


cdef void _take_declaration(Styles styles, Py_ssize_t element, Declaration declaration, float around) noexcept:
    cdef const unsigned char *name = declaration.name
    cdef const unsigned char *value = declaration.value
    cdef Py_ssize_t named = declaration.name_size, size = declaration.value_size
    cdef float given
    if is_word(name, named, b"width"):
        styles.width[element] = _length(value, size, styles.seen[element].size)
    elif is_word(name, named, b"height"):
        styles.height[element] = _length(value, size, styles.seen[element].size)
    elif is_word(name, named, b"float"):
        styles.floats[element] = is_word(value, size, b"left") or is_word(value, size, b"right")
    elif is_word(name, named, b"font-size"):
        given = _length(value, size, around)
        given = -given * around if given < 0.0 else given
        if given > 0.0:
            styles.seen[element].size = min(_MAX_FONT, max(_MIN_FONT, given))
    elif is_word(name, named, b"font-weight"):
        if begins(value, size, b"bold") or size and c'6' <= value[0] <= c'9':
            styles.seen[element].weight = _BOLD
        elif begins(value, size, b"normal") or size and c'1' <= value[0] <= c'5':
            styles.seen[element].weight = _NORMAL
    elif is_word(name, named, b"background-color") or is_word(name, named, b"background"):
        styles.seen[element].background = _colour(value, size)
    elif is_word(name, named, b"visibility"):
        styles.seen[element].visible = not (is_word(value, size, b"hidden") or is_word(value, size, b"collapse"))
    elif is_word(name, named, b"display"):
        if is_word(value, size, b"inline"):
            styles.seen[element].display = INLINE
        elif begins(value, size, b"inline-"):
            styles.seen[element].display = INLINE_BLOCK
        elif begins(value, size, b"block") or begins(value, size, b"flex") or begins(value, size, b"grid"):
            styles.seen[element].display = BLOCK


# Values of attributes and declarations (CSS 2.1, section 4.3).

_NAMED = (
    "aqua 00ffff black 000000 blue 0000ff fuchsia ff00ff gray 808080 green 008000 grey 808080 lime 00ff00"
    " maroon 800000 navy 000080 olive 808000 orange ffa500 purple 800080 red ff0000 silver c0c0c0 teal 008080"
    " white ffffff yellow ffff00"
).split()

cdef Lookup _COLOURS = Lookup({key(name): int(colour, 16) for name, colour in zip(_NAMED[::2], _NAMED[1::2])})


def parsed_length(bytes text not None, float em):
    """Read a length in pixels; 0 if it is none, negative for a share of the element around it."""
    return _length(text, len(text), em)


def parsed_colour(bytes text not None):
    """Read a colour, 0xRRGGBB; -1 if it is none, or transparent."""
    return _colour(text, len(text))


cdef inline bint _is_digit(unsigned char byte) noexcept nogil:
    return c'0' <= byte <= c'9'


cdef Py_ssize_t _number(const unsigned char *text, Py_ssize_t at, Py_ssize_t size, double *number) noexcept nogil:
    """Read a number without a sign; return where it ends, `at` if there is none."""
    cdef Py_ssize_t start = at
    cdef int digits = 0
    cdef double scale = 1.0
    number[0] = 0.0
    while at < size and _is_digit(text[at]):
        if digits < _MAX_DIGITS:
            number[0] = number[0] * 10.0 + (text[at] - c'0')
            digits += 1
        at += 1
    if at + 1 < size and text[at] == c'.' and _is_digit(text[at + 1]):
        at += 1
        while at < size and _is_digit(text[at]):
            scale /= 10.0
            number[0] += scale * (text[at] - c'0')
            at += 1
    elif at == start:
        return start
    return at


cdef float _length(const unsigned char *text, Py_ssize_t size, float em) noexcept nogil:
    cdef Py_ssize_t at = 0, stop
    cdef double number
    while at < size and text[at] <= SPACE:
        at += 1
    stop = _number(text, at, size, &number)
    if stop == at:
        return 0.0
    if stop < size and text[stop] == c'%':
        return -number / 100.0
    if begins(text + stop, size - stop, b"em"):
        return number * em
    if begins(text + stop, size - stop, b"rem"):
        return number * _ROOT_FONT
    if begins(text + stop, size - stop, b"pt"):
        return number * _POINT
    return number


cdef inline int _hex(unsigned char byte) noexcept nogil:
    """The value of a digit of base 16; -1 if it is not one."""
    if _is_digit(byte):
        return byte - c'0'
    byte |= 0x20
    return byte - c'a' + 10 if c'a' <= byte <= c'f' else -1


cdef int _of_digits(const unsigned char *text, Py_ssize_t digits) noexcept nogil:
    """The colour that three or six digits of base 16 write."""
    cdef int value = 0, digit
    cdef Py_ssize_t i
    for i in range(digits):
        digit = _hex(text[i])
        value = value << 4 | digit
        if digits == 3:
            value = value << 4 | digit
    return value


cdef int _of_parts(const unsigned char *text, Py_ssize_t size) noexcept nogil:
    """The colour of `rgb(...)` or `rgba(...)`; -1 if it is not one, or cannot be seen."""
    cdef Py_ssize_t at = 0, stop
    cdef int value = 0, parts = 0
    cdef double number
    while at < size and text[at] != c')' and parts < 4:
        stop = _number(text, at, size, &number)
        if stop == at:
            at += 1
            continue
        at = stop
        parts += 1
        if parts == 4:
            return value if number > 0.0 else -1
        if at < size and text[at] == c'%':
            number *= 2.55
        value = value << 8 | <int>min(number + 0.5, 255.0)
    return value if parts == 3 else -1


cdef int _colour(const unsigned char *text, Py_ssize_t size) noexcept nogil:
    """The first word of a text that is a colour; -1 if none is, or it cannot be seen."""
    cdef Py_ssize_t at = 0, stop, digits
    cdef uint64_t word
    cdef int64_t named
    cdef int i
    while at < size:
        while at < size and text[at] <= SPACE:
            at += 1
        if begins(text + at, size - at, b"rgb"):
            return _of_parts(text + at, size - at)
        stop = at
        while stop < size and text[stop] > SPACE:
            stop += 1
        i = 0
        word = 0
        while at + i < stop and i < 8 and c'a' <= text[at + i] | 0x20 <= c'z':
            word |= <uint64_t>(text[at + i] | 0x20) << 8 * i
            i += 1
        named = find(_COLOURS, word)
        if named >= 0 and (at + i == stop or text[at + i] == c'!'):
            return <int>named
        digits = at + (at < stop and text[at] == c'#')
        i = 0
        while digits + i < stop and _hex(text[digits + i]) >= 0:
            i += 1
        # Without its `#`, as old attributes have it, a colour has six digits.
        if digits + i == stop and (i == 6 or i == 3 and digits > at):
            return _of_digits(text + digits, i)
        at = stop
    return -1
