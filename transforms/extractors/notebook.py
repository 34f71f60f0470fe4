"""An extraction as a notebook shows it: the text, with what was dropped folded between its blocks."""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from operator import itemgetter

MAX_BYTES = 100_000
"""Bytes of the HTML, at most."""

_BLOCK_CHARS = 2_000  # of a block's text
_FOLDED_BLOCKS = 50  # of a run that was dropped
_BEGINNING = 80  # characters of the first of them, to tell a folded part
_SPARE_BYTES = 500  # for the end of the HTML

_KEPT = "margin:.4em 0;padding-left:.6em;border-left:3px solid #2a9d6f"
_DROPPED = "margin:.4em 0;padding-left:.6em;border-left:3px solid #9994;opacity:.6"


def notebook_html(title: str | None, summary: str, blocks: Iterable[tuple[str, bool]]) -> str:
    """Return HTML without scripts or style sheets, of at most `MAX_BYTES`.

    Args:
        summary: a line below it.
        blocks: the text of each block, and whether it was kept. All texts are escaped.
    """
    shown = [block for block in blocks if block[0]]
    parts = ['<div style="max-width:50em">']
    if title is not None:
        parts.append(f'<p dir="auto"><b>{escape(_cut(title))}</b></p>')
    parts.append(f"<p><small>{escape(summary)}</small></p>")
    room = MAX_BYTES - _SPARE_BYTES - sum(len(part.encode()) for part in parts)
    left_out = len(shown)
    for html, number in _parts(shown):
        room -= len(html.encode())
        if room < 0:
            break
        parts.append(html)
        left_out -= number
    if left_out:
        parts.append(f"<p><small>{left_out:,} more blocks are not shown.</small></p>")
    parts.append("</div>")
    return "".join(parts)


def _parts(blocks: list[tuple[str, bool]]) -> Iterator[tuple[str, int]]:
    """Yield the HTML of a kept block or of a run of dropped ones, and how many blocks that is."""
    for is_kept, run in groupby(blocks, key=itemgetter(1)):
        texts = [text for text, _ in run]
        if is_kept:
            for text in texts:
                yield _paragraph(text, _KEPT), 1
        else:
            yield _folded(texts), len(texts)


def _folded(texts: list[str]) -> str:
    number = f"{len(texts):,} block{'' if len(texts) == 1 else 's'} dropped"
    if len(texts) > _FOLDED_BLOCKS:
        number += f", the first {_FOLDED_BLOCKS}"
    beginning = f'<span dir="auto">{escape(texts[0][:_BEGINNING])}</span>'
    html = "".join(_paragraph(text, _DROPPED) for text in texts[:_FOLDED_BLOCKS])
    return (
        f'<details><summary style="opacity:.6"><small>{number}: {beginning}</small></summary>{html}</details>'
    )


def _paragraph(text: str, style: str) -> str:
    return f'<p dir="auto" style="{style}">{escape(_cut(text))}</p>'


def _cut(text: str) -> str:
    return text if len(text) <= _BLOCK_CHARS else f"{text[:_BLOCK_CHARS]} …"
