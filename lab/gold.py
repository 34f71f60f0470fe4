"""Gold sets out of the public repositories that publish them, and whether a set is the one measured here.

    python -m lab.gold make SET CHECKOUT FILE      SET out of a checkout of its source (GOLD.md says which)
    python -m lab.gold check FILE...               compares files NAME.jsonl.zst with `gold_sets.json`

`gold_sets.json` has for each set its pages, where they are a sample of the source, and two digests: of the
pages' HTML, and of their texts.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lxml.html
import zstandard

from cedar.transforms.scoring.gold import GoldSet, read_marked, unwrapped

SETS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("gold_sets.json").read_text("utf-8"))
Page = dict[str, Any]


def wcxb(source: Path) -> Iterator[Page]:
    """WCXB's development split: `dev/ground-truth/NNNN.json` and `dev/html/NNNN.html.gz`."""
    for path in sorted((source / "dev" / "ground-truth").glob("*.json")):
        said = json.loads(path.read_text("utf-8"))
        gold = said["ground_truth"]
        packed = source / "dev" / "html" / f"{path.stem}.html.gz"
        yield {
            "id": f"wcxb/{path.stem}",
            "url": said["url"],
            "title": gold["title"],
            "page_type": said["_internal"]["page_type"]["primary"],
            "text": gold["main_content"],
            "with": gold["with"],
            "without": gold["without"],
            "html": gzip.decompress(packed.read_bytes()),
        }


def news424(source: Path) -> Iterator[Page]:
    """News articles: `articles.json`, by id with `articleBody`, and `html/ID.html`."""
    for name, said in sorted(json.loads((source / "articles.json").read_text("utf-8")).items()):
        html = source / "html" / f"{name}.html"
        if html.exists():
            about = {"url": said.get("url"), "title": said.get("title") or said.get("headline")}
            yield {"id": f"news424/{name}", **about, "text": said["articleBody"], "html": html.read_bytes()}


def cleaneval(source: Path) -> Iterator[Page]:
    """CleanEval, English: `orig/N.html` in the wrapper, and `clean/N.txt`, `clean/N-cleaned.txt`."""
    for path in sorted((source / "clean").glob("*.txt")):
        name = path.stem.removesuffix("-cleaned")
        url, text = read_marked(path.read_text("utf-8", errors="replace"))
        html = unwrapped((source / "orig" / f"{name}.html").read_bytes())
        yield {"id": f"cleaneval_en/{name}", "url": url, "lang": "en", "text": text, "html": html}


def dragnet(source: Path) -> Iterator[Page]:
    """Dragnet's set: `HTML/NAME.html`, `Corrected/NAME.html.corrected.txt`; comments follow a mark."""
    for path in sorted((source / "Corrected").glob("*.txt")):
        name = path.name.partition(".")[0]
        text = path.read_text("utf-8", errors="replace").partition("!@#$%^&*()")[0].strip()
        html = (source / "HTML" / f"{name}.html").read_bytes()
        yield {"id": f"dragnet/{name}", "lang": "en", "text": text, "html": html}


def l3s_gn1(source: Path) -> Iterator[Page]:
    """L3S-GN1: `original/UUID.html`, and `annotated/UUID.html`: spans mark headline, text and supplements."""
    wanted = " or ".join(f"contains(concat(' ', @class, ' '), ' x-nc-sel{n} ')" for n in (1, 2, 3))
    for path in sorted((source / "annotated").glob("*.html")):
        tree = lxml.html.fromstring(path.read_bytes(), parser=lxml.html.HTMLParser(encoding="utf-8"))
        lines: dict[Any, list[str]] = {}
        for span in tree.xpath(f"//span[{wanted}]"):
            lines.setdefault(span.getparent(), []).append(" ".join(span.text_content().split()))
        text = "\n".join(" ".join(parts) for parts in lines.values())
        html = (source / "original" / path.name).read_bytes()
        yield {"id": f"l3s_gn1/{path.stem}", "lang": "en", "text": text, "html": html}


READERS: dict[str, Callable[[Path], Iterator[Page]]] = {
    "wcxb_dev": wcxb,
    "wcxb_train": wcxb,
    "wcxb_more": wcxb,
    "news424_train": news424,
    "news424_more": news424,
    "cleaneval_en": cleaneval,
    "l3s_gn1": l3s_gn1,
    "dragnet": dragnet,
}


def make(name: str, source: Path, target: Path) -> int:
    """Write a set out of a checkout of its source; returns the number of pages."""
    wanted = set(SETS[name].get("pages", "").split())
    lines = []
    for page in READERS[name](source):
        if wanted and page["id"].partition("/")[2] not in wanted:
            continue
        html = page.pop("html")
        lines.append(json.dumps({**page, "html_b64": base64.b64encode(html).decode()}, ensure_ascii=False))
    target.write_bytes(zstandard.compress("".join(f"{line}\n" for line in lines).encode(), 10))
    return len(lines)


def digests(path: Path) -> tuple[str, str]:
    """The digests of a set: of its pages' HTML and of their texts, by id, whatever the order."""
    gold_set = GoldSet.at(str(path))
    html, text = hashlib.sha256(), hashlib.sha256()
    pages = list(gold_set.read(range(gold_set.count())))
    for page in sorted(pages, key=lambda page: page.id):
        html.update(f"{page.id}\n{hashlib.sha256(page.html).hexdigest()}\n".encode())
        text.update(f"{page.id}\n{hashlib.sha256(page.text.encode()).hexdigest()}\n".encode())
    return html.hexdigest(), text.hexdigest()


def check(path: Path) -> bool:
    """Print whether a set has the pages and the texts that were measured here."""
    name = path.name.partition(".")[0]
    known = SETS.get(name)
    if known is None:
        print(f"{path}: no digests of {name!r}; there are: {', '.join(SETS)}")
        return False
    same = [found == known[part] for part, found in zip(("html", "text"), digests(path), strict=True)]
    said = ["the same" if each else "others" for each in same]
    print(f"{path}: {said[0]} pages, {said[1]} texts")
    return all(same)


def main(arguments: list[str]) -> int:
    """Make or check; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lab.gold", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("set", choices=READERS)
    making.add_argument("source", type=Path)
    making.add_argument("target", type=Path)
    checking = commands.add_parser("check")
    checking.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    if options.command == "make":
        print(f"{options.target}: {make(options.set, options.source, options.target)} pages")
        return 0
    found = [check(path) for path in options.files]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
