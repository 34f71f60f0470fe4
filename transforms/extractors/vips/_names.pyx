"""What the layout and the rules know of an element by its name."""

from libc.stdint cimport uint64_t

from transforms.extractors.html._tags import key

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
_BLOCKS = (
    "html body address article aside blockquote caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav"
    " ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
)
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
    _MOST = 128
    _INDENT = 40  # px

cdef Name[_MOST] _NAMES  # by key
cdef Py_ssize_t _COUNT
cdef Name _UNKNOWN = Name(key=0, role=OTHER, is_block=False, times=1.0, weight=0, margin=0.0, indent=0.0)


def _make_table():
    global _COUNT
    roles = {name: role for role, names in _ROLES.items() for name in names.split()}
    blocks, indented = set(_BLOCKS.split()), set(_INDENTED.split())
    for place, name in enumerate(sorted({*roles, *blocks, *_FONTS, *_MARGINS, *indented}, key=key)):
        if place >= _MOST:
            raise ValueError("more names than there is room for")
        times, weight = _FONTS.get(name, (1.0, 0))
        _NAMES[place] = Name(
            key=key(name),
            role=roles.get(name, OTHER),
            is_block=name in blocks,
            times=times,
            weight=weight,
            margin=_MARGINS.get(name, 0.0),
            indent=_INDENT if name in indented else 0.0,
        )
        _COUNT = place + 1


_make_table()


cdef const Name *name_of(uint64_t key) noexcept nogil:
    """What is known of a name; of other names what an inline element has."""
    cdef Py_ssize_t low = 0, high = _COUNT, middle
    while low < high:
        middle = (low + high) // 2
        if _NAMES[middle].key < key:
            low = middle + 1
        else:
            high = middle
    if low < _COUNT and _NAMES[low].key == key:
        return &_NAMES[low]
    return &_UNKNOWN
