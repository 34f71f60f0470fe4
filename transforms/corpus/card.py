"""The card of a corpus: the README.md by which a corpus is a data set that loads by its directory.

Its header is what Hugging Face's `datasets` reads: which files belong together, and the types of columns,
which JSON lines of nulls do not show. What a person adds to the header, and above the mark, stays.
"""

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.model.books import Books
from cedar.transforms.model.columns import Column, PageTable, columns_of

CARD = "README.md"

_MARK = "<!-- cedar: what follows is written again at the end of each run; what stands above stays -->"
_DTYPES = {"timestamp": "timestamp[us, tz=UTC]"}
_LICENCE = "The texts are their authors': say in the header what licence they are under, as `license: ...`."
_OURS = ("configs:", "dataset_info:")
_TEXT_KEYS = ("id", "text", "url")
_INNER = ("schema", "corpus_id", "options_digest", "column_groups", "split_size", "files")
"""Choices that tell a reader of the card nothing."""

_NAMED = 20  # inputs that a card lists


def card(
    described: Mapping[str, Any], books: Books, kinds: Collection[str], *, sources: Collection[str]
) -> str:
    """Return what Cedar says of a corpus: its header, without the lines around, and the text below the mark.

    It is made of the `corpus.json`, the books, the kinds of files and the inputs.
    """
    loaded = [
        kind for kind in ("pages", "dropped", "rejects", "revisits") if kind == "pages" or kind in kinds
    ]
    text = list(_text(described, books, sources))
    folders = {kind: _keys(described, kind) for kind in loaded}
    header = _header(described["format"], folders, description=_description(books.pages, text))
    return "".join(f"{line}\n" for line in (*header, _MARK, "", *text))


def export_card(
    columns: Collection[Column],
    output: str,
    *,
    sums: Mapping[str, int],
    counts: Mapping[str, Mapping[str, int]],
    dropped: Mapping[str, int],
    choices: Mapping[str, Any],
) -> str:
    """Return what Cedar says of a data set, as `card` does of a corpus.

    Args:
        sums: its pages, words, tokens and bytes, and the pages that ask not to be used.
        counts: pages by the values of columns, "" for null.
        dropped: pages that rules took out of its corpus.
        choices: the corpus' `corpus.json`, and what was chosen of it.
    """
    text = [", ".join(f"{number:,} {name}" for name, number in sums.items() if number) + ".", ""]
    for name, numbers in counts.items():
        if numbers:
            text += [f"| {name} | pages |", "|---|---:|"]
            text += [
                f"| {_code(value) if value else 'unknown'} | {numbers[value]:,} |" for value in _most(numbers)
            ]
            text.append("")
    if dropped:
        text += ["Left out of the corpus by a rule:", ""]
        text += ["| rule | pages |", "|---|---:|"]
        text += [f"| {_code(rule)} | {dropped[rule]:,} |" for rule in _most(dropped)]
        text.append("")
    text += ["| column | meaning |", "|---|---|", *(f"| `{c.name}` | {c.doc} |" for c in columns), ""]
    text += [*_choices(choices), "", _LICENCE]
    header = _header(output, {"data": _types(columns)}, description=_description(sums["pages"], text))
    return "".join(f"{line}\n" for line in (*header, _MARK, "", *text))


def _most(counts: Mapping[str, int]) -> list[str]:
    """Return the names of counts, the largest first."""
    return sorted(counts, key=lambda name: (-counts[name], name))


def write_card(corpus: Corpus, text: str) -> None:
    """Write what Cedar says into the card of a corpus or data set, as `merged` does; raises OSError."""
    read = corpus.storage.read(f"{corpus.root}/{CARD}")
    before = None if read is None else read.decode("utf-8", "replace")
    corpus.write_file(CARD, merged(text, before).encode("utf-8", "replace"))


def merged(text: str, before: str | None) -> str:
    """Put what Cedar says into the card that was there before, if any; one without the mark stays."""
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


def _description(pages: int, text: Sequence[str]) -> str:
    """Return what tells this set from others.

    `datasets` finds what it has loaded before by the name of the directory and the header, not by the files.
    Without a description it would answer with the rows of another set whose directory had the same name.
    """
    written = "\n".join(text).encode("utf-8", "surrogateescape")  # paths need not be UTF-8
    return f"{pages:,} pages, {hashlib.sha256(written).hexdigest()[:16]}"


def _header(
    output: str, folders: Mapping[str, Sequence[tuple[str, str]]], *, description: str
) -> Iterator[str]:
    """Yield the configs of folders; each has the names and types of its keys as JSON lines."""
    if output == "avro":
        return
    names = ("default", *tuple(folders)[1:])
    yield "configs:"
    for name, folder in zip(names, folders, strict=True):
        yield from (f"- config_name: {name}", f"  description: {description}")
        yield from ("  data_files:", "  - split: train", f"    path: {folder}/*")
    if output == "jsonl":
        yield "dataset_info:"
        for name, keys in zip(names, folders.values(), strict=True):
            yield from (f"- config_name: {name}", "  features:")
            for key, dtype in keys:
                yield from (f"  - name: {key}", f"    dtype: {dtype}")


def _keys(described: Mapping[str, Any], kind: str) -> list[tuple[str, str]]:
    """Return the names and types of the keys of a kind's JSON lines, in their order."""
    if FILE_KINDS[kind].rows != "Page":
        return _types(columns_of(FILE_KINDS[kind].record))
    table = PageTable.of(described.get("column_groups") or ())
    others = [column for column in table.columns if column.name not in _TEXT_KEYS]
    return [*((name, "string") for name in _TEXT_KEYS), *_types(others), ("date", "string")]


def _types(columns: Collection[Column]) -> list[tuple[str, str]]:
    return [(column.name, _DTYPES.get(column.kind, column.kind)) for column in columns]


def _text(described: Mapping[str, Any], books: Books, sources: Collection[str]) -> Iterator[str]:
    counts = {"records read": books.records_read, "pages": books.pages, "dropped": books.drops}
    counts |= {"rejected": books.rejects, "bytes of text": books.bytes.get("text", 0)}
    counts["bytes of HTML"] = books.bytes.get("html", 0)
    yield from ("| | |", "|---|---:|", *(f"| {label} | {number:,} |" for label, number in counts.items()))
    for title, counted in (
        ("Dropped by", books.dropped),
        ("Rejected as", books.rejected),
        ("Tokens, by column and language", books.tokens),
    ):
        if counted:
            named = ", ".join(f"{_code(name)} {number:,}" for name, number in counted.items())
            yield from ("", f"{title}: {named}.")
    if described["format"] == "jsonl" and described.get("compression") == "zstd":
        yield from ("", "`datasets` reads these files where the package `zstandard` is installed, too.")
    inputs = f"From {len(sources):,} inputs:" if len(sources) != 1 else "From one input:"
    listed = [f"- {_code(source)}" for source in sorted(sources)[:_NAMED]]
    more = ["- ..."] * (len(sources) > _NAMED)
    yield from ("", *_choices(described), "", inputs, "", *listed, *more, "", _LICENCE)


def _choices(described: Mapping[str, Any]) -> Iterator[str]:
    yield from ("Made by Cedar with these choices (the corpus' `corpus.json` has all):", "")
    for name, value in described.items():
        is_inner = name in _INNER or name.startswith("max_")
        if not is_inner and value not in (None, "", False, [], 0):
            yield f"- {name.replace('_', ' ')}: {_code(value)}"


def _code(value: object) -> str:
    """Return a value as code, in one line of a table or a list."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text.replace('`', chr(39)).replace('|', chr(92) + '|').replace(chr(10), ' ')}`"
