"""How a page's elements are to be laid out, by their names, attributes and `style` attributes.

Style sheets are not read. What a `display: none` hides is not in the tree, unless it is to be seen.
"""

import numpy as np

from libc.string cimport strcmp, strlen

from transforms.extractors.html._styles cimport Declaration, begins, is_word, read_declaration
from transforms.extractors.tree._tree cimport Tree
from transforms.extractors.vips._names cimport CELL, FONT, IMAGE, INPUT, LINK, TABLE, Name, is_replaced, name_of
from transforms.extractors.vips._values cimport colour, length

cdef enum:
    _MOST_SPAN = 50  # columns
    _BOLD = 700
    _NORMAL = 400

cdef float _FONT_SIZE = 16.0
cdef float _LEAST_FONT = 1.0
cdef float _MOST_FONT = 1000.0
cdef float[8] _FONT_SIZES = [0.0, 10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0]  # of <font size=1> to 7


cdef class Styles:
    def __cinit__(self, Tree tree not None):
        cdef Py_ssize_t count = tree.size, element
        self.sizes, self.weights = np.empty(count, np.float32), np.empty(count, np.int16)
        self.backgrounds, self.displays = np.full(count, -1, np.int32), np.empty(count, np.uint8)
        visibles, links = np.empty(count, np.uint8), np.empty(count, np.uint8)
        self.visibles, self.links = visibles.view(np.bool_), links.view(np.bool_)
        self.size, self.weight = self.sizes, self.weights
        self.background, self.display = self.backgrounds, self.displays
        self.visible, self.link = visibles, links
        self.role, self.floats = np.empty(count, np.uint8), np.zeros(count, np.uint8)
        self.has_alt, self.span = np.zeros(count, np.uint8), np.ones(count, np.uint8)
        self.width, self.height = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self.margin, self.indent = np.empty(count, np.float32), np.empty(count, np.float32)
        for element in range(count):
            _read(self, tree, element)
        # What holds a block is laid out as one; children come after their parents.
        for element in range(count - 1, 0, -1):
            if self.display[element] == BLOCK and self.display[tree.parent_of[element]] in (INLINE, INLINE_BLOCK):
                self.display[tree.parent_of[element]] = BLOCK


cdef int _read(Styles styles, Tree tree, Py_ssize_t element) except -1:
    """Sets all of an element, whose parent is set."""
    cdef const Name *name = name_of(tree.key_of[element])
    cdef Py_ssize_t parent = tree.parent_of[element]
    cdef float around = styles.size[parent] if parent >= 0 else _FONT_SIZE
    cdef bint is_root = parent < 0
    styles.role[element] = name.role
    styles.size[element] = min(_MOST_FONT, max(_LEAST_FONT, around * name.times))
    styles.weight[element] = name.weight or (_NORMAL if is_root else styles.weight[parent])
    styles.visible[element] = is_root or styles.visible[parent]
    styles.link[element] = name.role == LINK or not is_root and styles.link[parent]
    styles.display[element] = BLOCK if name.is_block else INLINE
    styles.indent[element] = name.indent
    _read_attributes(styles, tree, element, around)
    styles.margin[element] = name.margin * styles.size[element]
    return 0


cdef int _read_attributes(Styles styles, Tree tree, Py_ssize_t element, float around) except -1:
    cdef const char *record = <const char *><const unsigned char *>tree.markup
    cdef const unsigned char *style = NULL
    cdef Py_ssize_t at = tree.markup_of[element], stop = tree.markup_of[element + 1], value, size
    at += <Py_ssize_t>strlen(record + at) + 1
    while at < stop:
        value = at + <Py_ssize_t>strlen(record + at) + 1
        size = <Py_ssize_t>strlen(record + value)
        if strcmp(record + at, b"style") == 0:
            style = <const unsigned char *>record + value
        elif size:
            _take_attribute(styles, element, record + at, <const unsigned char *>record + value, size, around)
        at = value + size + 1
    if style != NULL:  # declarations win over attributes, wherever they stand
        _take_style(styles, element, style, around)
    return 0


cdef void _take_attribute(
    Styles styles, Py_ssize_t element, const char *name, const unsigned char *value, Py_ssize_t size, float around
) noexcept:
    cdef unsigned char role = styles.role[element]
    cdef Py_ssize_t i
    cdef int number = 0
    if strcmp(name, b"width") == 0:
        styles.width[element] = length(value, size, _FONT_SIZE)
    elif strcmp(name, b"height") == 0:
        if role == TABLE or role == CELL or is_replaced(role):
            styles.height[element] = length(value, size, _FONT_SIZE)
    elif strcmp(name, b"bgcolor") == 0:
        styles.background[element] = colour(value, size)
    elif strcmp(name, b"size") == 0 and role == FONT:
        styles.size[element] = _font_size(value, size, around)
    elif strcmp(name, b"colspan") == 0 and role == CELL:
        for i in range(min(size, 3)):
            if not c'0' <= value[i] <= c'9':
                return
            number = 10 * number + value[i] - c'0'
        styles.span[element] = max(1, min(number, <int>_MOST_SPAN))
    elif strcmp(name, b"alt") == 0 and role == IMAGE:
        styles.has_alt[element] = True
    elif strcmp(name, b"type") == 0 and role == INPUT and is_word(value, size, b"hidden"):
        styles.display[element] = NONE


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


cdef void _take_style(Styles styles, Py_ssize_t element, const unsigned char *style, float around) noexcept:
    """Takes the declarations of a `style` attribute, which ends with a NUL."""
    cdef Declaration declaration
    declaration.next, declaration.end = style, style + strlen(<const char *>style)
    while read_declaration(&declaration):
        _take_declaration(styles, element, declaration, around)


cdef void _take_declaration(Styles styles, Py_ssize_t element, Declaration declaration, float around) noexcept:
    cdef const unsigned char *name = declaration.name
    cdef const unsigned char *value = declaration.value
    cdef Py_ssize_t named = declaration.name_size, size = declaration.value_size
    cdef float given
    if is_word(name, named, b"width"):
        styles.width[element] = length(value, size, styles.size[element])
    elif is_word(name, named, b"height"):
        styles.height[element] = length(value, size, styles.size[element])
    elif is_word(name, named, b"float"):
        styles.floats[element] = is_word(value, size, b"left") or is_word(value, size, b"right")
    elif is_word(name, named, b"font-size"):
        given = length(value, size, around)
        given = -given * around if given < 0.0 else given
        if given > 0.0:
            styles.size[element] = min(_MOST_FONT, max(_LEAST_FONT, given))
    elif is_word(name, named, b"font-weight"):
        if begins(value, size, b"bold") or size and c'6' <= value[0] <= c'9':
            styles.weight[element] = _BOLD
        elif begins(value, size, b"normal") or size and c'1' <= value[0] <= c'5':
            styles.weight[element] = _NORMAL
    elif is_word(name, named, b"background-color") or is_word(name, named, b"background"):
        styles.background[element] = colour(value, size)
    elif is_word(name, named, b"visibility"):
        styles.visible[element] = not (is_word(value, size, b"hidden") or is_word(value, size, b"collapse"))
    elif is_word(name, named, b"display"):
        if is_word(value, size, b"inline"):
            styles.display[element] = INLINE
        elif begins(value, size, b"inline-"):
            styles.display[element] = INLINE_BLOCK
        elif begins(value, size, b"block") or begins(value, size, b"flex") or begins(value, size, b"grid"):
            styles.display[element] = BLOCK
