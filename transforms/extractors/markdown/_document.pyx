"""Markdown of a page: its kept blocks, what has no text between them, and footnotes at the end."""

from functools import partial
from urllib.parse import urljoin

import numpy as np

from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.markdown._buffer cimport PrefixedLines
from transforms.extractors.markdown._containers cimport Containers
from transforms.extractors.markdown._inline cimport Inline
from transforms.extractors.markdown._leaves cimport LeafWriter
from transforms.extractors.markdown._marks cimport Marks
from transforms.extractors.markdown._reading cimport BlockReader

from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._text import rendered
from transforms.extractors.markdown._footnotes import footnotes
from transforms.extractors.markdown._formulas import formulas
from transforms.extractors.markdown._images import images
from transforms.extractors.markdown._placing import delimiters_of, placed


def write(SegmentedPage page not None, kept not None, options not None, url):
    """Writes blocks of a page as Markdown."""
    if kept.shape[0] != page.blocks.count:
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
    marks = Marks(options.emphasis == "keep", base if options.links == "keep" else None)
    out = PrefixedLines(len(page.blocks.text) // 4)
    inline = Inline(BlockReader(page, found.inside), out, marks, found)
    containers = Containers(page, kept, [element for element, _, _ in found.between])
    document = LeafWriter(containers, inline, options.spans == "repeat")
    if notes is None or not notes.notes:
        return document.written(np.asarray(found.items, np.int64), 0)
    return _with_notes(document, found.items, notes.notes)


def _with_notes(LeafWriter document not None, items, notes):
    """All of a document, its footnotes at the end."""
    apart = {block for note in notes for block in note.blocks}
    items = [item for item in items if item not in apart]
    out = [document.written(np.array(items, np.int64), 0)]
    for note in notes:
        blocks = np.array(note.blocks, np.int64)
        first, *rest = document.written(blocks, document.frames_around(blocks)).split("\n")
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
