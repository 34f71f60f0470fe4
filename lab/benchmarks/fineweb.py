"""`--recipe fineweb` beside datatrove's example of FineWeb: CPU by stage, memory, what is kept, agreement.

    python -m lab.benchmarks.fineweb --datatrove PYTHON --model FILE [--gold DIR] [WARC...]

Over the WARC files that are named, or a quarter of the gold pages in DIR. PYTHON has datatrove, with what its
example needs, and FILE is lid.176.ftz; both programs ask it. Both have datatrove's lists of addresses, out of
its wheel, and mask personal data. Decisions are compared on the same texts, those that Cedar wrote, each rule
for itself.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from cedar.transforms.curation.presets import PRESETS, first_failing
from cedar.transforms.curation.rules import rule_of
from cedar.transforms.model.annotations import Signals
from cedar.transforms.scoring.metrics import Agreement, TextTokens, bag_overlap

from . import fineweb_clusters as clusters
from .measure import ROOT
from .memory import peak_of
from .report import MONTH_PAGE_BYTES, MONTH_PAGES, PRICE
from .workload import make

PEER = Path(__file__).with_name("fineweb_datatrove.py")
OPTIONS = ("--recipe", "fineweb", "--dropped", "mark")
LISTS = {
    "domains": "domains",
    "urls": "urls",
    "words": "banned_words.txt",
    "soft-words": "soft_banned_words.txt",
    "substrings": "banned_subwords.txt",
}
"""datatrove's lists by the kinds of Cedar."""
STAGES = (
    "read",
    "urls",
    "extract",
    "language",
    "gopher-repetition",
    "gopher-quality",
    "c4",
    "fineweb-quality",
)
RULES = ("gopher-repetition", "gopher-quality", "c4", "c4-any-end", "fineweb-quality")


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program took, and what it made.

    Attributes:
        seconds: CPU by stage, and `all in`.
        mebibytes: the most that it held with its children, what they share counted once.
        pages: pages that it read.
        kept: URLs of the pages that it kept in the end.
        texts: what it extracted, by URL.
    """

    seconds: dict[str, float]
    mebibytes: float
    pages: int
    kept: frozenset[str]
    texts: dict[str, str]


def spent(command: list[str]) -> tuple[float, float]:
    """Run a program; its CPU seconds with its children, and the most MiB that they held together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    if command[0] != sys.executable:
        environment.pop("PYTHONPATH", None)  # nothing of this project is for it
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sys.stderr)
    mebibytes = peak_of(process)
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, mebibytes


def lists_of(python: str, folder: Path) -> list[str]:
    """The options that name datatrove's lists of addresses, unpacked in a folder."""
    said = subprocess.run(
        [python, "-c", "import datatrove; print(datatrove.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assets = Path(said.stdout.strip()).parent / "assets"
    (packed,) = assets.glob("url_filterblacklists*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    found = {
        kind: next(x for x in (folder / name, assets / name) if x.exists()) for kind, name in LISTS.items()
    }
    return [word for kind, path in found.items() for word in (f"--block-{kind}", str(path))]


def cedar(warcs: list[str], corpus: Path, lists: list[str], *, workers: int) -> tuple[float, float]:
    """Run `cedar extract` with everything that FineWeb asks for; no text is dropped, but marked."""
    command = [
        sys.executable,
        "-m",
        "cedar",
        "extract",
        *warcs,
        "--output",
        str(corpus),
        *OPTIONS,
        *lists,
    ]
    return spent([*command, "--format", "jsonl", "--workers", str(workers), "--quiet"])


def run_cedar(warcs: list[str], corpus: Path, lists: list[str]) -> Ran:
    """What Cedar takes with one worker, and makes."""
    seconds, mebibytes = cedar(warcs, corpus, lists, workers=1)
    (run,) = (corpus / "runs").glob("*.json")
    stages = {name: cost["cpu"] for name, cost in json.loads(run.read_text())["seconds"].items()}
    pages = list(rows(corpus))
    return Ran(
        seconds={**stages, "all in": seconds},
        mebibytes=mebibytes,
        pages=len(pages),
        kept=frozenset(page["url"] for page in pages if page["drop_reason"] is None),
        texts={page["url"]: page["text"] for page in pages},
    )


def memory_of_two(
    python: str, warcs: list[str], lists: list[str], *, home: Path, model: Path
) -> Iterator[list[str]]:
    """A row of what a worker takes where two are at work, a file each: what both share is halved."""
    _, ours = cedar(warcs, home / "cedar", lists, workers=len(warcs))
    runs = [
        shlex.join([python, str(PEER), "run", str(linked([warc], folder)), str(folder), str(model)])
        for warc in warcs
        for folder in (home / Path(warc).name,)
    ]
    _, theirs = spent(["bash", "-c", " & ".join([*runs, "wait"])])
    each = [mebibytes / len(warcs) for mebibytes in (ours, theirs)]
    yield ["a worker of two, MiB", *(f"{share:.0f}" for share in each), f"{each[1] / each[0]:.1f} x"]


def linked(warcs: list[str], folder: Path) -> Path:
    """A folder of links to some files, which datatrove reads folder by folder."""
    source = folder / "warcs"
    source.mkdir(parents=True)
    for warc in warcs:
        (source / Path(warc).name).symlink_to(Path(warc).resolve())
    return source


def rows(corpus: Path) -> Iterator[dict[str, Any]]:
    """The pages of a corpus of JSON lines."""
    for path in sorted(corpus.glob("pages/*.jsonl.zst")):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as lines:
            yield from map(json.loads, lines.read().splitlines())


def run_datatrove(python: str, warcs: list[str], folder: Path, *, model: Path) -> Ran:
    """Run datatrove's example in one process, and the one in which it extracts."""
    seconds, mebibytes = spent(
        [python, str(PEER), "run", str(linked(warcs, folder)), str(folder), str(model)]
    )
    told = json.loads((folder / "told.json").read_text())
    return Ran(
        seconds={**told["seconds"], "all in": seconds},
        mebibytes=mebibytes,
        pages=len(told["kept"]["read"]),
        kept=frozenset(told["kept"]["fineweb-quality"]),
        texts=told["texts"],
    )


def judged(python: str, corpus: Path, folder: Path) -> dict[str, dict[str, str | None]]:
    """What each of datatrove's filters says of the texts of a corpus, by the pages' ids."""
    spent([python, str(PEER), "judge", str(corpus / "pages"), str(folder)])
    reasons: dict[str, dict[str, str | None]] = json.loads((folder / "told.json").read_text())["reasons"]
    return reasons


def verdict(rule: str, page: dict[str, Any]) -> str | None:
    """What Cedar says of a page by one rule, without the value."""
    signals = Signals(**{name: page[name] for name in Signals._fields})
    if rule == "c4-any-end":
        rule, signals = "c4", signals._replace(c4_sentences=signals.c4_sentences_any_end)
    failure = first_failing(PRESETS[rule], signals)
    return None if failure is None else rule_of(f"{rule}: {failure}").partition(": ")[2]


def agreement(pages: list[dict[str, Any]], theirs: dict[str, dict[str, str | None]]) -> Iterator[list[str]]:
    """Rows of the table of decisions on the same texts."""
    for rule in RULES:
        cases: Counter[tuple[bool, bool]] = Counter()
        reasons: Counter[str] = Counter()
        for page in pages:
            ours, other = verdict(rule, page), theirs[page["id"]][rule]
            cases[ours is None, other is None] += 1
            if (ours is None) != (other is None):
                reasons[f"datatrove: {other}" if ours is None else f"Cedar: {ours}"] += 1
        same = cases[True, True] + cases[False, False]
        yield [
            rule,
            f"{same / max(1, len(pages)):.3f}",
            *(str(cases[case]) for case in ((True, True), (False, False), (True, False), (False, True))),
            "; ".join(f"{reason} {count}" for reason, count in reasons.most_common(3)),
        ]


def costs(ours: Ran, other: Ran, page_bytes: float) -> Iterator[list[str]]:
    """Rows of the table of CPU time, in milliseconds a page of so many bytes of HTML."""

    def row(name: str, cedar: float | None, peer: float | None) -> list[str]:
        cells = ["" if x is None else f"{x:.2f}" for x in (cedar, peer)]
        return [name, *cells, f"{peer / cedar:.1f} x" if cedar and peer else ""]

    a = {name: 1000 * seconds / ours.pages for name, seconds in ours.seconds.items()}
    b = {name: 1000 * seconds / other.pages for name, seconds in other.seconds.items()}
    yield row("reading, lists of addresses, decoding", a["read"] + a["decode"], b["read"] + b["urls"])
    yield row("&nbsp; of these urls", None, b["urls"])
    yield row("extraction", a["extract"], b["extract"])
    after = (*STAGES[3:], "signatures", "masks")
    yield row("language, rules, signatures, masks", a["filter"], sum(b[name] for name in after))
    for name in after:
        yield row(f"&nbsp; of these {name}", None, b[name])
    yield row("writing", a["write"], b["write"])
    stages = sum(a[name] for name in ("read", "decode", "extract", "filter", "write"))
    yield row("all of these", stages, sum(b[name] for name in (*STAGES, "write", "signatures", "masks")))
    yield row("all in, with the start of either", a["all in"], b["all in"])
    share = f"{other.mebibytes / ours.mebibytes:.1f} x"
    yield ["memory of one worker, MiB", f"{ours.mebibytes:.0f}", f"{other.mebibytes:.0f}", share]
    yield ["pages with text", *(str(sum(map(bool, each.texts.values()))) for each in (ours, other)), ""]
    yield ["pages kept", str(len(ours.kept)), str(len(other.kept)), ""]
    # By bytes: pages of a month are larger than these.
    month = MONTH_PAGES * MONTH_PAGE_BYTES / page_bytes / 3_600_000
    hours = [month * each["all in"] for each in (a, b)]
    yield ["vCPU-hours for a month of Common Crawl", *(f"{each:,.0f}" for each in hours), ""]
    yield ["the same in dollars", *(f"${each * PRICE:,.0f}" for each in hours), ""]


def quality(gold: Path, ours: Ran, other: Ran) -> str:
    """One sentence on words in common with the gold, on pages that both have a text of."""
    wanted = ours.texts.keys() & other.texts.keys()
    scores: list[tuple[float, float]] = []
    for path in sorted(gold.glob("*.jsonl.zst")):
        if "train" in path.name:  # Cedar's table was learned of these
            continue
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
            for line in stream.read().splitlines():
                page = json.loads(line)
                url = page.get("url") or f"https://gold.example/{page['id']}"
                if url in wanted and page.get("text"):
                    words = TextTokens.of(page["text"]).words
                    scores.append((_f1(ours.texts[url], words), _f1(other.texts[url], words)))
    means = [sum(column) / len(scores) for column in zip(*scores, strict=True)]
    found = f"Cedar {means[0]:.3f}, datatrove {means[1]:.3f}"
    return f"Bag of words against the gold of {len(scores)} pages, mean F1: {found}."


def _f1(text: str, gold: list[str]) -> float:
    words = TextTokens.of(text).words
    return Agreement.of(bag_overlap(words, gold), len(words), len(gold)).f1


def duplicates(python: str, ours: Ran, other: Ran, *, home: Path) -> Iterator[str]:
    """The tables of duplicates: whose clusters over which texts, and what finding them takes."""
    texts = [text for text in ours.texts.values() if text]
    kept = sorted(ours.kept & other.kept)
    own = clusters.by_cedar([ours.texts[url] for url in kept], home)
    theirs, _, _ = clusters.by_datatrove([other.texts[url] for url in kept], Path(python), home / "kept")
    lines = [
        clusters.agreement(
            "pages that both keep, each its own text",
            [ours.texts[url] for url in kept],
            ours=own,
            theirs=theirs,
        )
    ]
    found: list[clusters.Cost] = []
    for name, some in (("Cedar's texts", texts), ("with edits of a third", clusters.with_edits(texts))):
        found, *both = clusters.costs(some, Path(python), home / name.partition(" ")[0])
        lines.append(clusters.agreement(name, some, ours=both[0], theirs=both[1]))
        shares = [clusters.found_of_alike(some, each, both) for each in both]
        yield f"Pairs from J = {clusters.ALIKE} of {name}: Cedar {shares[0]}, datatrove {shares[1]}."
    heads = ["texts", "number", "pairs of both", "of Cedar alone (J)", "of datatrove alone (J)"]
    yield table([*heads, "of Cedar's", "of datatrove's", "adjusted Rand"], iter(lines))
    rows = clusters.rows_of_costs(found, len(some))
    yield table([f"CPU ms a text, of {len(some)}", "Cedar", "datatrove", "ratio"], rows)


def table(heads: list[str], lines: Iterator[list[str]]) -> str:
    """A table of Markdown."""
    cells = [heads, ["---", *["---:"] * (len(heads) - 1)], *lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def main(arguments: list[str] | None = None) -> int:
    """Run both, and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.benchmarks.fineweb", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("warcs", nargs="*", type=Path, metavar="WARC")
    parser.add_argument(
        "--datatrove", required=True, metavar="PYTHON", help="an interpreter that has datatrove"
    )
    parser.add_argument("--model", required=True, type=Path, metavar="FILE", help="lid.176.ftz")
    parser.add_argument("--gold", type=Path, metavar="DIR", help="gold files, whose pages are packed")
    options = parser.parse_args(arguments)
    work = make(ROOT / "build" / "bench", gold=options.gold, warcs=tuple(options.warcs), count=400)
    warcs = list(work.warcs if options.warcs else work.warcs[:1])
    with tempfile.TemporaryDirectory(prefix="cedar-fineweb-") as home:
        corpus = Path(home, "corpus")
        lists = lists_of(options.datatrove, Path(home, "lists"))
        ours = run_cedar(warcs, corpus, lists)
        other = run_datatrove(options.datatrove, warcs, Path(home, "datatrove"), model=options.model)
        theirs = judged(options.datatrove, corpus, Path(home, "judged"))
        pages = [page for page in rows(corpus) if page["id"] in theirs]
        pair = list(work.warcs[:2])
        shares = list(
            memory_of_two(options.datatrove, pair, lists, home=Path(home, "two"), model=options.model)
        )
        found = list(duplicates(options.datatrove, ours, other, home=Path(home, "duplicates")))
    print(f"{ours.pages} pages of {work.source}; load {os.getloadavg()[0]:.1f} at the end\n")
    print(
        table(
            ["CPU ms a page", "Cedar", "datatrove", "ratio"], costs(ours, other, work.html_bytes / work.pages)
        ),
        "\n",
    )
    print(table(["memory", "Cedar", "datatrove", "ratio"], iter(shares)), "\n")
    heads = ["rule", "agree", "both keep", "both drop", "only datatrove drops", "only Cedar drops", "mostly"]
    english = [page for page in pages if page["language"] == "eng"]
    foreign = [page for page in pages if page["language"] not in ("eng", None)]
    for name, some in (("English", english), ("other languages", foreign)):
        print(f"{len(some)} pages in {name}:\n\n{table(heads, agreement(some, theirs))}\n")
    both = len(ours.kept & other.kept)
    print(f"Of {ours.pages} pages Cedar keeps {len(ours.kept)}, datatrove {len(other.kept)}, both {both}.")
    print("\n" + "\n\n".join(found) + "\n")
    if options.gold:
        print(quality(options.gold, ours, other))
    return 0


if __name__ == "__main__":
    sys.exit(main())
