# cython: wraparound=True, boundscheck=True
"""Kept blocks as Markdown: leaves in their order, and the lists and quotes around them.

A leaf is a paragraph, a heading, a table or a fence of code. It stands in frames, one in another: quotes, and items of
lists. What is between two leaves follows from the frames that they share: an item begins on a line of its own, a list
right after a paragraph of its item, anything else after a blank line.
"""

from functools import partial
from urllib.parse import urljoin

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._markup cimport LINE_BREAK, Markup
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.html._tags cimport END

from transforms.extractors.cedar.names import CODE
from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._text import rendered
from transforms.extractors.markdown._containers import (
    CAPTION, CELL, CODE_BLOCK, ITEM, LIST, QUOTE, TABLE, TITLE, Containers,
)
from transforms.extractors.markdown._footnotes import footnotes
from transforms.extractors.markdown._formulas import formulas
from transforms.extractors.markdown._images import images
from transforms.extractors.markdown._inline import Inline, fenced
from transforms.extractors.markdown._placing import delimiters_of, placed
from transforms.extractors.markdown._reading import BlockReader
from transforms.extractors.markdown.languages import language_of

_ORDERED, _TERMS, _TERM, _MEANING = CODE["ol"], CODE["dl"], CODE["dt"], CODE["dd"]
_APART_IN_TITLES = frozenset(CODE[name] for name in "p pre ul ol li dl dt dd table tr td th blockquote".split())
_MOST_NUMBER = 999_999_999


class _Leaf:
    """A piece of a document: its blocks, what it is, and the frames that it stands in."""

    __slots__ = ("blocks", "element", "frames", "kind")

    def __init__(self, kind, element, frames):
        self.kind, self.element, self.frames, self.blocks = kind, element, frames, []


def write(SegmentedPage page not None, kept not None, options not None, url):
    """Writes blocks of a page as Markdown."""
    cdef Blocks blocks = page.blocks
    if kept.shape[0] != blocks.count:
        raise ValueError("marks of other blocks than those of the page")
    base = _base(page, url or "") if options.links == "keep" or options.images == "keep" else None
    with_formulas = options.formulas == "latex"
    notes = footnotes(page, kept) if options.footnotes == "keep" else None
    finders = [] if notes is None else [notes.among]
    finders += [formulas] * with_formulas + [partial(images, base)] * (options.images == "keep")
    found = placed(page, kept, finders)
    found.has_notes = notes is not None
    if with_formulas:
        found.has_tex, found.delimiters = True, delimiters_of(page, kept)
    containers = Containers(page, kept, [element for element, _, _ in found.between])
    reader = BlockReader(page, found.inside)
    inline = Inline(reader, page, base if options.links == "keep" else None, options.emphasis == "keep", found)
    document = _Document(page, containers, inline, options.spans == "repeat")
    if notes is None or not notes.notes:
        return document.written(_leaves(page, containers, found.items, found))
    return _with_notes(document, containers, found, notes.notes)


def _with_notes(document, containers, found, notes):
    """All of a document, its footnotes at the end."""
    apart = {block for note in notes for block in note.blocks}
    items = [item for item in found.items if item not in apart]
    out = [document.written(_leaves(document.page, containers, items, found))]
    for note in notes:
        leaves = _leaves(document.page, containers, note.blocks, found)
        shared = leaves[0].frames if leaves else ()
        for leaf in leaves:
            shared = shared[: _shared(shared, leaf.frames)]
        for leaf in leaves:
            leaf.frames = leaf.frames[len(shared) :]
        first, *rest = document.written(leaves).split("\n")
        out.append("\n".join([f"[^{note.number}]: {first}".rstrip(), *[f"    {line}" * bool(line) for line in rest]]))
    return "\n\n".join(filter(None, out))


def _base(SegmentedPage page not None, url):
    """What addresses of a page are relative to."""
    tags = page.markup.tags
    tag = tags.first("base")
    try:
        href = attributes(page.markup.html, tags.starts[tag], tags.stops[tag]).get(b"href") if tag >= 0 else None
        return urljoin(url, rendered(href)) if href else url
    except ValueError:
        return url


cdef list _leaves(SegmentedPage page, containers, list items, placed):
    """The leaves of a document, in order: of blocks, and of what stands between blocks, which has negative numbers."""
    cdef Elements elements = page.elements
    cdef Py_ssize_t block, before = -1, parted
    frames_of = _Frames(containers)
    leaves = []
    leaf = None
    for block in items:
        element = elements.nearest[block] if block >= 0 else placed.between[-1 - block][0]
        path = containers.path(element)
        if containers.gutters and _is_in(page, element, containers.gutters):
            continue
        last = path[-1] if path else 0
        kind = containers.kind(last) if path else 0
        if kind == TABLE:
            # In no cell: of the cell before, if there is one.
            kind = CELL if leaf is not None and leaf.kind == CELL and leaf.element == last else 0
            path = path if kind else path[:-1]
        elif kind == CELL:
            last = path[-2]
        elif kind != CODE_BLOCK and containers.codes and block in containers.codes:
            kind, last = CODE_BLOCK, -containers.codes[block]
            path = (*path, last)
        elif (
            kind == TITLE and leaf is not None and leaf.element == last
            and elements.codes[element] in _APART_IN_TITLES
        ):
            kind, path = 0, path[:-1]  # a heading that is not closed
        if kind in (CELL, CODE_BLOCK, TITLE):
            if leaf is None or leaf.element != last or leaf.kind != kind:
                around = path[: -2 if kind == CELL and path[-1] != last else -1]
                leaf = _Leaf(kind, last, frames_of.of(around))
                leaves.append(leaf)
            leaf.blocks.append(block)
            before = block
            continue
        if kind == CAPTION:
            path = path[:-2]
            element = last
        frames = frames_of.of(path)
        if block < 0:
            leaf = _Leaf(0, element, frames)
            leaf.blocks.append(block)
            leaves.append(leaf)
            leaf = None
            before = -1
            continue
        parted = _line_breaks(page, before, block)
        joins = leaf is not None and leaf.kind == 0 and block == before + 1 and leaf.frames == frames
        if joins and (
            element == leaf.element and parted == 1
            or elements.codes[element] == _MEANING and element != leaf.element
            and elements.codes[leaf.element] in (_TERM, _MEANING)
        ):
            leaf.blocks.append(block)
            leaf.element = element
        else:
            leaf = _Leaf(0, element, frames)
            leaf.blocks.append(block)
            leaves.append(leaf)
        before = block
    return leaves


cdef bint _is_in(SegmentedPage page, Py_ssize_t element, set marked) except -1:
    """Whether an element is, or is near in, a marked one."""
    for _ in range(8):
        if element in marked:
            return True
        if not element:
            return False
        element = page.elements.parents[element]
    return False


cdef Py_ssize_t _line_breaks(SegmentedPage page, Py_ssize_t before, Py_ssize_t block) except -2:
    """How many line breaks part two blocks; -1 if other tags do."""
    cdef Markup markup = page.markup
    cdef Py_ssize_t tag, found = 0
    if before < 0:
        return -1
    for tag in range(page.blocks.last_gaps[before], page.blocks.first_gaps[block]):
        if markup.parting[tag]:
            if markup.roles[tag] != LINE_BREAK:
                return -1
            found += 1
    return found


class _Frames:
    """Makes the frames of paths: quotes, and items of lists.

    A quote is (element, 0), an item (list, item). What stands in a list and in no item of it stands in the item before
    it, and else in none; a list whose items are not there is not there.
    """

    def __init__(self, containers):
        self._containers = containers
        self._items = {}  # the last item of each list
        self._made = {}

    def of(self, path):
        """The frames of a path."""
        kind = self._containers.kind
        frames = []
        place = 0
        while place < len(path):
            element = path[place]
            if kind(element) == QUOTE:
                frames.append((element, 0))
            elif kind(element) == LIST:
                after = path[place + 1] if place + 1 < len(path) else 0
                if after and kind(after) == ITEM:
                    frames.append((element, self._item(element, after)))
                    place += 1
                elif after and element in self._items:
                    frames.append((element, self._items[element]))
            place += 1
        return tuple(frames)

    def _item(self, within, item):
        """The item that an element is, or belongs to: a meaning to its term."""
        elements = self._containers.page_elements
        if elements.codes[item] == _MEANING and within in self._items:
            return self._items[within]
        self._items[within] = item
        return item


class _Document:
    """Writes leaves."""

    def __init__(self, page, containers, inline, repeats):
        self.page, self._containers, self._inline, self._repeats = page, containers, inline, repeats
        self._marks = {}  # of each list: what its items begin with
        self._numbers = {}  # of each ordered list: its next number
        self._begun = set()  # items whose marker is written

    def written(self, leaves):
        """All of the document."""
        out = []
        before = None
        for leaf in leaves:
            lines = self._lines(leaf)
            if not lines:
                continue
            if before is not None:
                out.append(self._between(before, leaf))
            self._add(out, leaf, lines, before)
            before = leaf
        return "".join(out)

    def _between(self, before, leaf):
        """What parts two leaves: the end of a line, and perhaps a blank one."""
        shared = _shared(before.frames, leaf.frames)
        old, new = before.frames[shared:], leaf.frames[shared:]
        if new and new[0][1] and old and old[0][0] == new[0][0]:
            return "\n"  # the next item of a list
        if new and new[0][1] and not old and shared and leaf.frames[shared - 1][1] and before.kind == 0:
            if self._starts_with_one(new[0]):
                return "\n"  # a list after the paragraph of its item
        return "\n" + "".join(self._indent(frame) for frame in leaf.frames[:shared]).rstrip() + "\n"

    def _starts_with_one(self, frame):
        """Whether a list that is about to begin may follow a paragraph directly."""
        return not self._is_ordered(frame[0]) or self._first_number(*frame) == 1

    def _is_ordered(self, element):
        return self.page.elements.codes[element] == _ORDERED

    def _first_number(self, element, item):
        """The number of a list's next item."""
        given = self._containers.attributes(item).get(b"value", b"").strip()
        if given.isdigit() and len(given) < 10:
            return int(given)
        if element in self._numbers:
            return self._numbers[element]
        given = self._containers.attributes(element).get(b"start", b"").strip()
        return int(given) if given.isdigit() and len(given) < 10 else 1

    def _add(self, out, leaf, lines, before):
        """Adds the lines of a leaf, with what its frames begin them with."""
        shared = 0 if before is None else _shared(before.frames, leaf.frames)
        first = rest = ""
        for depth, (element, item) in enumerate(leaf.frames):
            indent = self._indent((element, item)) if depth < shared or not item else None
            if indent is None:
                marker = self._marker(element, item, before, depth, shared)
                first += marker
                rest += " " * len(marker)
                self._begun.add((element, item))
                self._marks[element, item] = " " * len(marker)
            else:
                first += indent
                rest += indent
        out.append(first + lines[0])
        blank = rest.rstrip()
        for line in lines[1:]:
            out.append("\n")
            out.append(rest + line if line else blank)

    def _indent(self, frame):
        """What the lines of a frame that has begun begin with."""
        return self._marks[frame] if frame[1] else "> "

    def _marker(self, element, item, before, depth, shared):
        """The marker of an item."""
        other = None
        if before is not None and depth == shared and depth < len(before.frames) and before.frames[depth][1]:
            other = before.frames[depth][0]
        if element not in self._marks:
            twin = other is not None and other != element and self._is_ordered(other) == self._is_ordered(element)
            if self._is_ordered(element):
                self._marks[element] = ")" if twin and self._marks[other] == "." else "."
            else:
                self._marks[element] = "*" if twin and self._marks[other] == "-" else "-"
        if not self._is_ordered(element):
            return self._marks[element] + " "
        number = self._first_number(element, item)
        self._numbers[element] = min(number + 1, _MOST_NUMBER)
        return f"{number}{self._marks[element]} "

    def _lines(self, leaf):
        """The lines of a leaf; none if nothing of it is visible."""
        if leaf.kind == TITLE:
            text = self._inline.heading(leaf.blocks)
            return [f"{'#' * self._containers.level(leaf.element)} {text}"] if text else []
        if leaf.kind == CODE_BLOCK:
            return self._fence(leaf)
        if leaf.kind == CELL:
            return self._table(leaf)
        lines = self._paragraphs(leaf.blocks)
        if lines and self._inline.box and leaf.frames and leaf.frames[-1][1] and leaf.frames[-1] not in self._begun:
            lines[0] = self._inline.box + lines[0]
        return lines

    def _paragraphs(self, blocks):
        """The lines of paragraphs, blank ones between them."""
        lines = []
        for paragraph in self._inline.paragraphs(blocks):
            lines += [""] * bool(lines) + paragraph
        return lines

    def _fence(self, leaf):
        code = self._inline.code([block for block in leaf.blocks if block >= 0])
        element = leaf.element if leaf.element > 0 else self.page.elements.nearest[leaf.blocks[0]]
        return fenced(code, language_of(self.page, self._containers, element)) if code else []

    def _table(self, leaf):
        elements = self.page.elements
        texts = {}
        cell = 0
        for block in leaf.blocks:
            element = elements.nearest[block] if block >= 0 else self._inline.element(block)
            inner = self._containers.path(element)[-1]
            cell = inner if inner != leaf.element else cell
            texts.setdefault(cell, []).append(block)
        cells = {cell: self._inline.cell(blocks) for cell, blocks in texts.items()}
        grid = self._containers.grid(leaf.element)
        if grid is None or not cells.keys() <= {cell for line in grid for cell in line}:
            # Too large, or cells that no row holds: a line for each.
            return self._paragraphs(leaf.blocks)
        rows = []
        for line in grid:
            row = [cells.get(abs(cell) if self._repeats else cell, "") for cell in line]
            rows.append("".join(f"| {cell} " if cell else "| " for cell in row) + "|")
        rows.insert(1, "| --- " * len(grid[0]) + "|")
        return rows


def _shared(one, other):
    """How many frames two leaves share."""
    count = 0
    while count < len(one) and count < len(other) and one[count] == other[count]:
        count += 1
    return count
