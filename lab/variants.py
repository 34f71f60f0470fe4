"""The same pages in another form: what a method's score owes to how a page happens to be written.

    python -m lab.variants GOLD minified,pretty DIRECTORY [--limit N]

writes `NAME.jsonl` and `NAME-minified.jsonl`, ..., gold sets for `cedar evaluate`.

Each variant leaves the visible text alone, but for `truncated`. They work on the markup as it stands, in one
pass, and never fail; on broken markup they change what they recognise.
"""

import argparse
import functools
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.scoring.gold import GoldSet, evenly_spaced

ORIGINAL = "original"
KEPT_BY_CUT = 0.6
"""Share of a page's bytes that `truncated` keeps."""
NOISE = 0.1
"""Share of the words that `noised` wraps, and of the block tags that it doubles."""

_BLOCK_NAMES = re.compile(
    "address|article|aside|blockquote|body|br|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset"
    "|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|legend|li|link|main|menu|meta|nav"
    "|noscript|ol|optgroup|option|p|pre|script|section|select|style|summary|table|tbody|td|tfoot|th|thead|title"
    "|tr|ul"
)
_VOID_NAMES = frozenset({"br", "col", "frame", "hr", "link", "meta"})
_NOISY_NAMES = frozenset({"div", "li", "p", "td", "ul"})
_RAW_ENDS = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "textarea", "pre", "xmp", "title")
}
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9:-]{0,40})")
_MAX_TAG_BYTES = 1 << 16
_BLANKS = re.compile(r"\s+")
_MARKING_ATTRIBUTE = re.compile(
    r"""\s(?:class|id|role)\s{0,8}=\s{0,8}(?:"[^"]*"|'[^']*'|[^\s"'>]{1,1000})""", re.IGNORECASE
)
_WORD = re.compile(r"\S+")
_DEEPEST_INDENT = 40

Piece = tuple[str, str, str]
"""Kind (text, tag, raw), the tag's name in lower case or "", and the source."""


def apply(variant: str, page: bytes) -> bytes:
    """Return the page in another form, as valid UTF-8."""
    return VARIANTS[variant](page)


def _pieces(page: str) -> Iterator[Piece]:
    """Yield pieces that add up to the page: text, tags, and raw stretches (comments, scripts, `pre`)."""
    at, text_from = 0, 0
    raw_ends = dict(_RAW_ENDS)
    while (start := page.find("<", at)) >= 0:
        kind, name = "tag", ""
        if page.startswith("<!--", start):
            kind, stop = "raw", _after(page, "-->", start)
        elif page[start + 1 : start + 2] in ("!", "?"):
            stop = _after(page, ">", start)
        elif match := _NAME.match(page, start):
            name, stop = match[1].lower(), _tag_stop(page, start)
        else:
            at = start + 1
            continue
        if stop < 0:
            break  # nothing after it can be closed, either
        if start > text_from:
            yield "text", "", page[text_from:start]
        yield kind, name, page[start:stop]
        if name in raw_ends and page[start + 1] != "/":
            end = raw_ends[name].search(page, stop)
            if end is None:
                del raw_ends[name]  # there is none further on, either
            else:
                if end.start() > stop:
                    yield "raw", name, page[stop : end.start()]
                stop = end.start()
        at = text_from = stop
    if text_from < len(page):
        yield "text", "", page[text_from:]


def _after(page: str, mark: str, start: int) -> int:
    found = page.find(mark, start)
    return found + len(mark) if found >= 0 else -1


def _tag_stop(page: str, start: int) -> int:
    """Find where a tag ends: after the first `>` outside of double quotes, or the first one at all."""
    first = stop = page.find(">", start) + 1
    quotes = page.count('"', start, stop)
    while stop and quotes % 2 and stop - start < _MAX_TAG_BYTES:
        further = page.find(">", stop, start + _MAX_TAG_BYTES) + 1
        if not further:
            break
        quotes += page.count('"', stop, further)
        stop = further
    return (first if quotes % 2 else stop) or -1


def minified(page: bytes) -> bytes:
    """On one line: each run of blanks is one space, none next to block-level tags."""
    parts: list[str] = []
    beside_block = True
    for kind, name, source in _pieces(page.decode()):
        part = _BLANKS.sub(" ", source)
        if kind == "text":
            if beside_block:
                part = part.lstrip()
            beside_block = False
        elif _BLOCK_NAMES.fullmatch(name):
            if parts:
                parts[-1] = parts[-1].rstrip()
            beside_block = True
        if part:
            parts.append(part)
    return "".join(parts).encode()


def pretty(page: bytes) -> bytes:
    """Return a block-level tag a line, indented by its depth; text on one line between them."""
    lines: list[str] = []
    depth = 0
    fresh = True  # at the start of a line
    for kind, name, source in _pieces(page.decode()):
        if kind == "tag" and _BLOCK_NAMES.fullmatch(name):
            closing = source.startswith("</")
            depth = max(0, depth - closing)
            lines.append(f"\n{' ' * min(depth, _DEEPEST_INDENT)}{source}")
            depth += not closing and name not in _VOID_NAMES
            fresh = True
            continue
        part = source if kind == "raw" else _BLANKS.sub(" ", source)
        if fresh and kind == "text":
            part = part.lstrip()
        if part:
            lines.append(f"\n{' ' * min(depth, _DEEPEST_INDENT)}{part}" if fresh and kind != "raw" else part)
            fresh = False
    return "".join(lines).lstrip("\n").encode()


def truncated(page: bytes) -> bytes:
    """Return the first 60 % of its bytes."""
    return page[: int(len(page) * KEPT_BY_CUT)].decode(errors="ignore").encode()


def without_attributes(page: bytes) -> bytes:
    """Without the attributes class, id and role."""
    return "".join(
        _MARKING_ATTRIBUTE.sub("", source) if kind == "tag" else source
        for kind, _, source in _pieces(page.decode())
    ).encode()


def noised(page: bytes) -> bytes:
    """With tags that mean nothing, drawn with a seed: words in `span`, empty `div` before some blocks."""
    generator = np.random.default_rng(len(page))
    parts: list[str] = []
    for kind, name, source in _pieces(page.decode()):
        if kind == "text":
            words = _WORD.findall(source)
            wrapped = iter((generator.random(len(words)) < NOISE).tolist())
            parts.append(_WORD.sub(functools.partial(_wrapped, wrapped), source))
            continue
        if name in _NOISY_NAMES and generator.random() < NOISE:
            parts.append("<div></div>")
        parts.append(source)
    return "".join(parts).encode()


def _wrapped(chosen: Iterator[bool], word: re.Match[str]) -> str:
    return f"<span>{word[0]}</span>" if next(chosen) else word[0]


VARIANTS: Mapping[str, Callable[[bytes], bytes]] = {
    ORIGINAL: lambda page: page,
    "minified": minified,
    "pretty": pretty,
    "truncated": truncated,
    "no-attributes": without_attributes,
    "noised": noised,
}
"""The variants by name, the page as it is first."""


def write_sets(gold_set: GoldSet, names: list[str], folder: Path, *, limit: int | None = None) -> list[Path]:
    """Write the pages of a set, decoded, as they are and in each of some forms; a file for each form."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = evenly_spaced(gold_set.count(), limit)
    written = []
    for name in dict.fromkeys([ORIGINAL, *names]):
        path = folder / f"{gold_set.name}{'' if name == ORIGINAL else f'-{name}'}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for page in gold_set.read(wanted):
                html = apply(name, decode_text(page.html, header_label=None, truncated=False).utf8)
                about = {"id": page.id, "url": page.url, "lang": page.lang, "page_type": page.page_type}
                snippets = {"with": page.wanted, "without": page.unwanted}
                line = {**about, **snippets, "text": page.text, "html": html.decode()}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        written.append(path)
    return written


def main(arguments: list[str]) -> int:
    """Write the sets; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lab.variants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("gold", metavar="GOLD")
    parser.add_argument("forms", metavar="NAMES", help=", ".join(VARIANTS))
    parser.add_argument("folder", type=Path, metavar="DIRECTORY")
    parser.add_argument("--limit", type=int, metavar="N")
    options = parser.parse_args(arguments)
    names = options.forms.split(",")
    if unknown := [name for name in names if name not in VARIANTS]:
        parser.error(f"unknown form {unknown[0]!r}; there are: {', '.join(VARIANTS)}")
    for path in write_sets(GoldSet.at(options.gold), names, options.folder, limit=options.limit):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
