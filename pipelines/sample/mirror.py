"""A small mirror of Common Crawl: two crawls of three files each, in the directories of Common Crawl.

The pages are generated: articles in English, some in German, some too short, some that repeat themselves;
copies of articles at other addresses, and edited copies. A third of the second crawl's pages are pages of the
first. The same number of pages gives the same bytes.
"""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from cedar.pipelines.sample.archive import Response, write_warc

CRAWLS = {
    "CC-MAIN-2026-04": ("January 2026 Index", "2026-01-12T16:12:39", "2026-01-25T14:05:40"),
    "CC-MAIN-2026-08": ("February 2026 Index", "2026-02-06T00:00:00", "2026-02-19T00:00:00"),
}
"""Identifier of each crawl, and its name, beginning and end."""

MIRROR_PAGES = 60
"""Pages of a file, unless another number is asked for."""

_FILES = 3

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


def _article(seed: str, sentences: int = 24, language: str = "en") -> list[str]:
    """Return the sentences of an article; each seed gives another one."""
    chance = random.Random(seed)  # noqa: S311 - the same article each time, no secret
    which, adjectives, nouns, verbs, places, links = _ENGLISH if language == "en" else _GERMAN

    def thing() -> str:
        return f"{chance.choice(which)} {chance.choice(adjectives)} {chance.choice(nouns)}"

    def clause() -> str:
        return f"{thing()} {chance.choice(verbs)} {thing()} {chance.choice(places)} {thing()}"

    return [f"{clause()} {chance.choice(links)} {clause()}.".capitalize() for _ in range(sentences)]


def _edited(sentences: Sequence[str], seed: str) -> list[str]:
    """Return an article with two of its words replaced."""
    chance = random.Random(seed)  # noqa: S311
    words = " ".join(sentences).split(" ")
    for at in chance.sample(range(len(words)), 2):
        words[at] = "somehow"
    return " ".join(words).replace(". ", ".\n").split("\n")


def _html(sentences: Sequence[str], language: str) -> bytes:
    """Return a page with an article, a menu and a footer."""
    paragraphs = "\n".join(f"<p>{' '.join(sentences[i : i + 4])}</p>" for i in range(0, len(sentences), 4))
    return (
        f"<!doctype html><html lang={language}><head><meta charset=utf-8><title>{sentences[0][:40]}</title>"
        "<meta property='article:published_time' content='2026-01-09T08:00:00Z'></head><body>\n"
        "<nav><a href='/'>Home</a> <a href='/news'>News</a> <a href='/contact'>Contact</a></nav>\n"
        f"<article><h1>{sentences[0][:40]}</h1>\n{paragraphs}</article>\n"
        "<footer><a href='/imprint'>Imprint</a> <a href='/privacy'>Privacy</a></footer></body></html>\n"
    ).encode()


def _pages(crawl: int, count: int) -> Iterator[Response]:
    """Yield the pages of a crawl."""
    for number in range(count):
        # A third of the second crawl's pages are the first crawl's.
        name = f"{crawl if number % 3 else 0}-{number}"
        host = f"https://www.paper{number % 17}.example"
        match number % 20:
            case 6:
                yield Response(f"{host}/print/{name}", _html(_article(f"{crawl}-{number - 5}"), "en"))
            case 7 | 13:
                yield Response(
                    f"{host}/copy/{name}", _html(_edited(_article(f"{crawl}-{number - 3}"), name), "en")
                )
            case 8:
                yield Response(f"{host}/de/{name}", _html(_article(name, language="de"), "de"))
            case 14:
                yield Response(f"{host}/short/{name}", _html(_article(name, 2), "en"))
            case 16:
                yield Response(f"{host}/again/{name}", _html(_article(name, 2) * 12, "en"))
            case _:
                yield Response(f"{host}/news/{name}", _html(_article(name), "en"))


def is_mirror(root: Path) -> bool:
    """Return whether a directory is empty, or a mirror that `make_mirror` made. Raises OSError."""
    if not root.is_dir():
        return False
    names = {path.name for path in root.iterdir()}
    if not names <= {"collinfo.json", "crawl-data"}:
        return False
    return not names or (root / "collinfo.json").read_text(encoding="utf-8") == _crawls_json()


def make_mirror(root: Path, count: int) -> int:
    """Write a mirror with `count` pages in each file. Returns the number of files. Raises OSError."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "collinfo.json").write_text(_crawls_json(), encoding="utf-8")
    for number, (crawl, (_, start, _)) in enumerate(CRAWLS.items()):
        folder = f"crawl-data/{crawl}/segments/1768220468194.5/warc"
        (root / folder).mkdir(parents=True, exist_ok=True)
        stamp = start.replace("-", "").replace("T", "").replace(":", "")
        paths = []
        made = list(_pages(number, _FILES * count))
        for file in range(_FILES):
            path = root / folder / f"CC-MAIN-{stamp}-{stamp}-{file:05}.warc.gz"
            with path.open("wb") as archive:
                write_warc(archive, path.name, made[file * count : (file + 1) * count], date=start)
            paths.append(path.relative_to(root))
        listing = "".join(f"{path}\n" for path in paths).encode()
        (root / f"crawl-data/{crawl}/warc.paths.gz").write_bytes(gzip.compress(listing, mtime=0))
    return _FILES * len(CRAWLS)


def _crawls_json() -> str:
    crawls = [
        {"id": crawl, "name": name, "from": start, "to": stop}
        for crawl, (name, start, stop) in reversed(CRAWLS.items())
    ]
    return json.dumps(crawls)
