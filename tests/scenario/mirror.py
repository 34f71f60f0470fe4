"""A small mirror of Common Crawl, to walk the whole way on: `python -m tests.scenario.mirror mirror`.

Two crawls of three files each, laid out below a directory as Common Crawl lays them out. Their pages are made
by a program: articles in English, some in German, some that are too short or repeat themselves; copies of
articles at other addresses, and edits of them. The second crawl has a third of the first one's pages again.
With `--warc FILE...` the files are your own, dealt out over the two crawls.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import shutil
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

CRAWLS = {
    "CC-MAIN-2026-04": ("January 2026 Index", "2026-01-12T16:12:39", "2026-01-25T14:05:40"),
    "CC-MAIN-2026-08": ("February 2026 Index", "2026-02-06T00:00:00", "2026-02-19T00:00:00"),
}
FILES = 3

_ENGLISH = tuple(
    part.split()
    for part in (
        "the a this that every another the the",
        "old quiet northern broken careful early narrow heavy distant green patient empty famous wooden "
        "small late strange bright long cold busy kind steep second",
        "ferry lantern quarry orchard captain teacher valley bridge letter market winter harvest engine "
        "garden council baker station river doctor harbour meadow painter railway island library kitchen "
        "village tower clock boat farmer neighbour journey morning shepherd school window street forest",
        "carried repaired followed painted remembered crossed measured opened watched left described found "
        "closed bought counted changed reached promised visited lifted showed answered kept missed",
        "towards behind beside from with near for after before without above along",
        "and but while because until although when",
    )
)
_GERMAN = tuple(
    part.split()
    for part in (
        "der jeder dieser ein der",
        "alte stille neue lange kalte helle schmale ferne kleine schwere",
        "Hafen Garten Lehrer Bahnhof Markt Winter Turm Brief Fluss Nachbar Abend Weg Wagen Berg",
        "sieht findet trägt kennt zeigt malt baut sucht öffnet verlässt",
        "mit neben hinter vor nach ohne über",
        "und aber weil während obwohl",
    )
)


def article(seed: str, sentences: int = 24, language: str = "en") -> list[str]:
    """The sentences of an article; no two seeds give the same."""
    chance = random.Random(seed)
    which, adjectives, nouns, verbs, places, links = _ENGLISH if language == "en" else _GERMAN

    def thing() -> str:
        return f"{chance.choice(which)} {chance.choice(adjectives)} {chance.choice(nouns)}"

    def clause() -> str:
        return f"{thing()} {chance.choice(verbs)} {thing()} {chance.choice(places)} {thing()}"

    return [f"{clause()} {chance.choice(links)} {clause()}.".capitalize() for _ in range(sentences)]


def edited(sentences: Sequence[str], seed: str) -> list[str]:
    """An article with two of its words replaced."""
    chance = random.Random(seed)
    words = " ".join(sentences).split(" ")
    for at in chance.sample(range(len(words)), 2):
        words[at] = "somehow"
    return " ".join(words).replace(". ", ".\n").split("\n")


def html(sentences: Sequence[str], language: str) -> bytes:
    """A page around an article, with a menu and a footer."""
    paragraphs = "\n".join(f"<p>{' '.join(sentences[i : i + 4])}</p>" for i in range(0, len(sentences), 4))
    return (
        f"<!doctype html><html lang={language}><head><meta charset=utf-8><title>{sentences[0][:40]}</title>"
        "<meta property='article:published_time' content='2026-01-09T08:00:00Z'></head><body>\n"
        "<nav><a href='/'>Home</a> <a href='/news'>News</a> <a href='/contact'>Contact</a></nav>\n"
        f"<article><h1>{sentences[0][:40]}</h1>\n{paragraphs}</article>\n"
        "<footer><a href='/imprint'>Imprint</a> <a href='/privacy'>Privacy</a></footer></body></html>\n"
    ).encode()


def pages(crawl: int, count: int) -> Iterator[tuple[str, bytes]]:
    """The URLs and pages of a crawl."""
    for number in range(count):
        # A third of the second crawl's pages are those of the first.
        name = f"{crawl if number % 3 else 0}-{number}"
        host = f"https://www.paper{number % 17}.example"
        match number % 20:
            case 6:
                yield f"{host}/print/{name}", html(article(f"{crawl}-{number - 5}"), "en")
            case 7 | 13:
                yield f"{host}/copy/{name}", html(edited(article(f"{crawl}-{number - 3}"), name), "en")
            case 8:
                yield f"{host}/de/{name}", html(article(name, language="de"), "de")
            case 14:
                yield f"{host}/short/{name}", html(article(name, 2), "en")
            case 16:
                yield f"{host}/again/{name}", html(article(name, 2) * 12, "en")
            case _:
                yield f"{host}/news/{name}", html(article(name), "en")


def write_warc(path: Path, responses: Sequence[tuple[str, bytes]], date: str) -> None:
    """Write a WARC file of pages."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        about = writer.create_warcinfo_record(path.name, {"software": "a mirror for trying out"})
        about.rec_headers.replace_header("WARC-Date", f"{date}Z")
        about.rec_headers.replace_header("WARC-Record-ID", _record_id(path.name))
        writer.write_record(about)
        for url, body in responses:
            headers = StatusAndHeaders(
                "200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1"
            )
            known = {
                "WARC-Date": f"{date}Z",
                "WARC-Record-ID": _record_id(date + url),
            }
            writer.write_record(
                writer.create_warc_record(
                    url, "response", payload=io.BytesIO(body), http_headers=headers, warc_headers_dict=known
                )
            )


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"


def make_mirror(root: Path, count: int, warcs: Sequence[Path] = ()) -> None:
    """Lay out a mirror below a directory.

    Args:
        root: the directory.
        count: pages of each file that is made.
        warcs: files to take in their place.
    """
    for number, (crawl, (_, start, _)) in enumerate(CRAWLS.items()):
        folder = f"crawl-data/{crawl}/segments/1768220468194.5/warc"
        stamp = start.replace("-", "").replace("T", "").replace(":", "")
        paths = []
        if warcs:
            for warc in warcs[number :: len(CRAWLS)]:
                paths.append(f"{folder}/{warc.name}")
                (root / folder).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(warc, root / paths[-1])
        else:
            made = list(pages(number, FILES * count))
            for file in range(FILES):
                paths.append(f"{folder}/CC-MAIN-{stamp}-{stamp}-{file:05}.warc.gz")
                write_warc(root / paths[-1], made[file * count : (file + 1) * count], start)
        listing = "".join(f"{path}\n" for path in paths).encode()
        (root / f"crawl-data/{crawl}/warc.paths.gz").write_bytes(gzip.compress(listing))
    crawls = [
        {"id": crawl, "name": name, "from": start, "to": stop}
        for crawl, (name, start, stop) in reversed(CRAWLS.items())
    ]
    (root / "collinfo.json").write_text(json.dumps(crawls))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--pages", type=int, default=60, help="pages of each of six files (60)")
    parser.add_argument("--warc", type=Path, nargs="+", default=[], help="WARC files of your own")
    options = parser.parse_args()
    make_mirror(options.directory, options.pages, options.warc)
    files = sum(1 for _ in options.directory.glob("crawl-data/*/segments/*/warc/*"))
    print(f"{options.directory}: {files} files of {' and '.join(CRAWLS)}")


if __name__ == "__main__":
    main()
