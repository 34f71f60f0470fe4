"""The card of a corpus: the README.md by which a corpus is a data set that loads by its directory.

Its header is what Hugging Face's `datasets` reads: which files belong together, and the types of columns,
which JSON lines of nulls do not show. What a person adds to the header, and above the mark, stays.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from transforms.corpus.layout import KINDS
from transforms.model.books import Books
from transforms.model.columns import Column, page_columns, reject_columns

CARD = "README.md"

_MARK = "<!-- cedar: what follows is written again at the end of each run; what stands above stays -->"
_DTYPES = {"timestamp": "timestamp[us, tz=UTC]"}
_LICENCE = "The texts are their authors': say in the header what licence they are under, as `license: ...`."
_OURS = ("configs:", "dataset_info:")
_TEXT_KEYS = ("id", "text", "url")
_NAMED = 20  # inputs that a card lists


def card(described: Mapping[str, Any], books: Books, kinds: Collection[str], sources: Collection[str]) -> str:
    """Return what Cedar says of a corpus: its header, without the lines around, and the text below the mark.

    Args:
        described: what its `corpus.json` says.
        books: of the corpus.
        kinds: the kinds of files that it has.
        sources: its inputs.
    """
    loaded = [kind for kind in ("pages", "dropped", "rejects") if kind == "pages" or kind in kinds]
    return "".join(
        f"{line}\n" for line in (*_header(described, loaded), _MARK, "", *_text(described, books, sources))
    )


def export_card(
    columns: Collection[Column], output: str, rows: int, size: int, described: Mapping[str, Any]
) -> str:
    """Return the card of a data set of chosen columns.

    Args:
        columns: its columns.
        output: its format.
        rows: its rows.
        size: of its files, in bytes.
        described: what the `corpus.json` says of the corpus that it was made of.
    """
    header = ["configs:", "- config_name: default", "  data_files:", "  - split: train", "    path: data/*"]
    if output == "jsonl":
        header += ["dataset_info:", "- config_name: default", "  features:"]
        for name, dtype in _features(columns, is_page=False):
            header += [f"  - name: {name}", f"    dtype: {dtype}"]
    table = ["| column | meaning |", "|---|---|", *(f"| `{c.name}` | {c.doc} |" for c in columns)]
    text = [f"{rows:,} pages, {size:,} bytes.", "", *table, "", *_choices(described), "", _LICENCE]
    return "\n".join(["---", *(header if output != "avro" else []), "---", "", *text, ""])


def merged(text: str, before: str | None) -> str:
    """Put what Cedar writes and what a person wrote into one card.

    Args:
        text: as `card` gives it.
        before: the card that is there; None = there is not one.

    Returns:
        The card; that of a person, in which there is no mark, as it is.
    """
    header, _, rest = text.partition(_MARK)
    if before is None:
        return f"---\n{header}---\n\n{_MARK}{rest}"
    if _MARK not in before:
        return before
    above = before.partition(_MARK)[0]
    head, theirs = "", above
    if above.startswith("---\n"):
        head, _, theirs = above[3:].partition("\n---\n")
    kept, is_ours = [], False
    for line in head.strip("\n").splitlines():
        is_ours = line.startswith(_OURS) or (is_ours and line.startswith((" ", "-")))
        if not is_ours:
            kept.append(f"{line}\n")
    return f"---\n{''.join(kept)}{header}---\n{theirs or chr(10)}{_MARK}{rest}"


def _header(described: Mapping[str, Any], kinds: Collection[str]) -> Iterator[str]:
    output = described["format"]
    if output == "avro":
        return
    yield "configs:"
    for kind in kinds:
        yield f"- config_name: {'default' if kind == 'pages' else kind}"
        yield "  data_files:"
        yield "  - split: train"
        yield f"    path: {kind}/*"
    if output != "jsonl":
        return
    yield "dataset_info:"
    for kind in kinds:
        yield f"- config_name: {'default' if kind == 'pages' else kind}"
        yield "  features:"
        is_page = KINDS[kind].rows == "Page"
        columns = page_columns(described.get("column_groups") or ()) if is_page else reject_columns()
        for name, dtype in _features(columns, is_page=is_page):
            yield f"  - name: {name}"
            yield f"    dtype: {dtype}"


def _features(columns: Collection[Column], *, is_page: bool) -> Iterator[tuple[str, str]]:
    """Yield the names and types of the keys of JSON lines, in their order."""
    if is_page:
        yield from ((name, "string") for name in _TEXT_KEYS)
    for column in columns:
        if not (is_page and column.name in _TEXT_KEYS):
            yield column.name, _DTYPES.get(column.kind, column.kind)
    if is_page:
        yield "date", "string"


def _text(described: Mapping[str, Any], books: Books, sources: Collection[str]) -> Iterator[str]:
    yield "| | |"
    yield "|---|---:|"
    counts = {"pages": books.pages, "dropped": books.drops, "rejected": books.rejects}
    for label, number in (("records read", books.records_read), *counts.items()):
        yield f"| {label} | {number:,} |"
    yield f"| bytes of text | {books.bytes.get('text', 0):,} |"
    yield f"| bytes of HTML | {books.bytes.get('html', 0):,} |"
    for title, counted in (("Dropped by", books.dropped), ("Rejected as", books.rejected)):
        if counted:
            yield ""
            yield f"{title}: {', '.join(f'{_code(name)} {number:,}' for name, number in counted.items())}."
    yield ""
    yield from _choices(described)
    yield ""
    yield f"From {len(sources):,} inputs:" if len(sources) != 1 else "From one input:"
    yield ""
    yield from (f"- {_code(source)}" for source in sorted(sources)[:_NAMED])
    if len(sources) > _NAMED:
        yield "- ..."
    yield ""
    yield _LICENCE


def _choices(described: Mapping[str, Any]) -> Iterator[str]:
    yield "Made by Cedar with these choices (the corpus' `corpus.json` has all):"
    yield ""
    for name, value in described.items():
        if value not in (None, "", False, [], 0):
            yield f"- {name.replace('_', ' ')}: {_code(value)}"


def _code(value: object) -> str:
    """Return a value as code, in one line of a table or a list."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text.replace('`', chr(39)).replace('|', chr(92) + '|').replace(chr(10), ' ')}`"
