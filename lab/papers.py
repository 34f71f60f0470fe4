"""What papers print of their methods, next to what these reach here on gold sets.

    python -m lab.papers DIRECTORY [--only words,characters,vips] [--limit N] [--write]

DIRECTORY has `cleaneval_en.jsonl.zst`, `l3s_gn1.jsonl.zst` and `wcxb_dev.jsonl.zst`. Prints the two tables of
lab/RESULTS.md; `--write` puts them into it. With `--limit` pages are fewer, and figures others.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cedar.pipelines.cli import main as cedar
from cedar.transforms.scoring.gold import GoldSet
from lab.judge import Judged, judged

PAGE = Path(__file__).parent / "RESULTS.md"
CLEANEVAL, L3S, WCXB = "cleaneval_en", "l3s_gn1", "wcxb_dev"
ORACLE = "vips-oracle"
"""How methods begin that `lab.judge` measures: chosen by the gold."""
TITLES = {CLEANEVAL: "CleanEval", L3S: "L3S-GN1", WCXB: "WCXB"}


@dataclass(frozen=True, slots=True)
class Run:
    """One run of `cedar evaluate`: sets, measure, extractors, and how many pages of each set at most."""

    sets: tuple[str, ...]
    metric: str
    extractors: tuple[str, ...]
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What an extractor reaches on a set: means over pages, from 0 to 1.

    Attributes:
        f_of_means: the harmonic mean of the mean precision and the mean recall.
        bounds: number of pages on which the figure is a lower bound.
        saved, saved_packed: the space that text takes less than HTML, plain and deflated.
    """

    precision: float
    recall: float
    f1: float
    f_of_means: float
    bounds: int
    saved: float
    saved_packed: float


Scores = Mapping[tuple[str, str, str], Score]
"""By the name of the run, the set and the extractor."""

RUNS = {
    "words": Run((CLEANEVAL, L3S), "lcs", ("cetr", "cetd-ds", "cectd-ds", "cectd-s", "coreex")),
    "characters": Run((CLEANEVAL, L3S), "ttr", ("ttr-t", "ttr-ff"), 60),
    "vips": Run(
        (CLEANEVAL, L3S, WCXB),
        "bag-lower",
        (
            "keep-all",
            "cetr",
            "vips-oracle:pdoc=5",
            "vips-oracle:pdoc=7",
            "vips-oracle:pdoc=9",
            "vips-oracle",
            "vips",
            "crunch",
        ),
        150,
    ),
}


def _three(score: Score) -> str:
    percents = " / ".join(f"{100 * part:.1f}" for part in (score.precision, score.recall, score.f1))
    return f"{percents} ({100 * score.f_of_means:.1f})"


def _mean(score: Score) -> str:
    return f"{score.f1:.3f} ({score.f_of_means:.3f})"


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure that a paper prints, and how its like is read off a run.

    Attributes:
        paper: the method and the year.
        what: the measure.
        printed: the figure of the paper.
        run, extractor, sets: where ours is found; without sets it is `below`.
        show: writes a score as the paper writes it.
        why: what makes the two differ.
    """

    paper: str
    what: str
    printed: str
    run: str
    extractor: str
    sets: tuple[str, ...]
    show: Callable[[Score], str]
    why: str

    def here(self, scores: Scores) -> str:
        """Our figure, after the name of its set."""
        found = [(name, scores.get((self.run, name, self.extractor))) for name in self.sets]
        return (
            ", ".join(f"{TITLES[name]} {self.show(score) if score else '?'}" for name, score in found)
            or "below"
        )


CLAIMS = (
    Claim(
        "CETD 2011",
        "CETD-DS, CleanEval English, word LCS P / R / F1",
        "92.96 / 94.52 / 93.73",
        "words",
        "cetd-ds",
        (CLEANEVAL,),
        _three,
        "the authors labelled CleanEval again by hand; ours is the organisers' gold, and the mean of page "
        "F1, with the F1 of the means in brackets",
    ),
    Claim(
        "CETD 2011",
        "CECTD-DS, the same",
        "95.87 / 97.15 / 96.51",
        "words",
        "cectd-ds",
        (CLEANEVAL,),
        _three,
        "the same",
    ),
    Claim(
        "CETD 2011",
        "CECTD-S, the same",
        "90.35 / 92.60 / 91.46",
        "words",
        "cectd-s",
        (CLEANEVAL,),
        _three,
        "the same; the weights of the smoothing are lost in the paper, 1-2-1 is our choice",
    ),
    Claim(
        "CETR 2010",
        "CETR over its sites, F1",
        "86.59 to 98.93",
        "words",
        "cetr",
        (CLEANEVAL, L3S),
        lambda score: f"{100 * score.f1:.1f}",
        "one template a site there, user comments in the gold of some; many templates here, no comments in "
        "L3S-GN1's gold",
    ),
    Claim(
        "CETR 2010",
        "CETR before VIPS on most sources and overall, though parameters and segments of VIPS are chosen by "
        "the gold (bags of words)",
        "no figures in the text that we have",
        "vips",
        "cetr",
        (),
        _mean,
        "how coarse the segments were that VIPS' own program cut; fine ones tell of the gold's words alone",
    ),
    Claim(
        "dragnet 2013",
        "CETR run by others, CleanEval English, F1",
        ".919",
        "words",
        "cetr",
        (CLEANEVAL,),
        _mean,
        "blocks of the tree instead of lines, other gold of the same pages",
    ),
    Claim(
        "TTR 2008",
        "LCS (recall), threshold",
        "94.19",
        "characters",
        "ttr-t",
        (L3S, CLEANEVAL),
        lambda score: f"{100 * score.recall:.1f}",
        "176 pages of news sites chosen by hand",
    ),
    Claim(
        "TTR 2008",
        "EDR (kin to precision), farthest first",
        "62.53 (median 77.03)",
        "characters",
        "ttr-ff",
        (L3S, CLEANEVAL),
        lambda score: f"{100 * score.precision:.1f}",
        "the paper's gold has articles alone; its pages are of that time's portals",
    ),
    Claim(
        "TTR 2008",
        "space saved, raw / compressed, threshold",
        "95 % / 88 %",
        "characters",
        "ttr-t",
        (L3S,),
        lambda score: f"{score.saved:.0%} / {score.saved_packed:.0%}".replace("%", " %"),
        "pages of 2008 had more markup a word",
    ),
    Claim(
        "CoreEx 2008",
        "F, words",
        ".98",
        "words",
        "coreex",
        (L3S, CLEANEVAL),
        lambda score: f"{score.f1:.3f}",
        "thresholds tuned there on pages of the same 27 news sites",
    ),
)

_FURTHER = "Further options are those of cedar evaluate, as --workers 2."
_BY_GOLD = ", chosen by the gold"
VIPS_ROWS = {
    "vips-oracle:pdoc=5": f"`vips-oracle:pdoc=5`{_BY_GOLD}",
    "vips-oracle:pdoc=7": f"`vips-oracle:pdoc=7`{_BY_GOLD}",
    "vips-oracle:pdoc=9": f"`vips-oracle:pdoc=9`{_BY_GOLD}",
    "vips-oracle": f"`vips-oracle` (PDoC 10, the best of all){_BY_GOLD}",
    "vips": "`vips`, our rule",
}
"""What the table says of an extractor, where that is more than its name."""


def claims(scores: Scores) -> str:
    """The table of the papers' figures and ours; `?` where a run was left out."""
    lines = ["| paper | what | printed | here | why they differ |", "|---|---|---:|---:|---|"]
    lines += [f"| {c.paper} | {c.what} | {c.printed} | {c.here(scores)} | {c.why} |" for c in CLAIMS]
    return "\n".join(lines)


def vips(scores: Scores) -> str:
    """The table of VIPS next to CETR, and where its figures are lower bounds; empty without its run."""
    run = RUNS["vips"]
    rows = [(name, [scores.get(("vips", each, name)) for each in run.sets]) for name in run.extractors]
    measured = [(name, [score for score in row if score]) for name, row in rows if all(row)]
    if not measured:
        return ""
    lines = [f"| | {' | '.join(TITLES[name] for name in run.sets)} |", "|---|" + "---:|" * len(run.sets)]
    for name, row in measured:
        lines.append(f"| {VIPS_ROWS.get(name, f'`{name}`')} | {' | '.join(f'{s.f1:.3f}' for s in row)} |")
    bounds = [(name, [score.bounds for score in row]) for name, row in measured]
    told = [f"`{name}` on {_listed(each)} of the pages" for name, each in bounds if any(each)]
    if told:
        lines += ["", f"Not all choices were tried, so that the figure is a lower bound: {'; '.join(told)}."]
    return "\n".join(lines)


def _listed(numbers: list[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def fill(page: Path, scores: Scores) -> None:
    """Put the tables into the document, between their comments.

    Raises:
        ValueError: the document lacks the comments of a table.
    """
    text = page.read_text(encoding="utf-8")
    for name, table in (("papers", claims(scores)), ("papers vips", vips(scores))):
        found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", text, re.DOTALL)
        if found is None:
            raise ValueError(f"{page} has no <!-- {name} -->")
        start, stop = found.span(1)
        text = f"{text[:start]}\n{table}\n\n{text[stop:]}"
    page.write_text(text, encoding="utf-8")


def measure(gold: Path, run: Run, more: Iterable[str] = ()) -> dict[tuple[str, str], Score] | None:
    """Run `cedar evaluate`, with further options of it; None if it failed, after it has said why.

    Returns:
        by set and extractor.
    """
    arguments = ["evaluate", *(str(gold / f"{name}.jsonl.zst") for name in run.sets), "--metric", run.metric]
    chosen_by_gold = [name for name in run.extractors if name.startswith(ORACLE)]
    extractors = [name for name in run.extractors if name not in chosen_by_gold]
    arguments += [word for name in extractors for word in ("--extractor", name)]
    arguments += ["--limit", str(run.limit)] if run.limit else []
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "results.json"
        if cedar([*arguments, *more, "--quiet", "--results", str(written)]) != 0:
            return None
        results = json.loads(written.read_text(encoding="utf-8"))["results"]
    found = {(result["set"], result["extractor"]): _score(result, run.metric) for result in results}
    for gold_set in (GoldSet.at(str(gold / f"{name}.jsonl.zst")) for name in run.sets):
        for name in chosen_by_gold:
            found[gold_set.name, name] = _best(judged(gold_set, name, metric=run.metric, limit=run.limit))
    return found


def _best(found: Judged) -> Score:
    return Score(
        precision=found.summary.precision,
        recall=found.summary.recall,
        f1=found.summary.f1.mean,
        f_of_means=found.summary.f_of_means,
        bounds=found.bounds,
        saved=found.saved,
        saved_packed=found.saved_packed,
    )


def _score(result: Mapping[str, Any], metric: str) -> Score:
    summary = result["metrics"][metric]
    return Score(
        precision=summary["precision"],
        recall=summary["recall"],
        f1=summary["f1"]["mean"],
        f_of_means=summary["f_of_means"],
        bounds=0,
        saved=result["space_saving"],
        saved_packed=result["space_saving_packed"],
    )


def main(arguments: list[str]) -> int:
    """Measure, and print the tables; returns the exit code."""
    parser = argparse.ArgumentParser(prog="papers", description=__doc__, epilog=_FURTHER)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("gold", type=Path, metavar="DIRECTORY", help="where the sets are")
    parser.add_argument("--only", default=",".join(RUNS), metavar="NAMES", help="runs, with commas")
    parser.add_argument("--limit", type=int, metavar="N", help="at most N pages of each set")
    parser.add_argument("--write", action="store_true", help="put the tables into lab/RESULTS.md")
    options, more = parser.parse_known_args(arguments)
    names = options.only.split(",")
    if unknown := [name for name in names if name not in RUNS]:
        parser.error(f"unknown run {unknown[0]!r}; there are: {', '.join(RUNS)}")
    if options.write and (options.limit or len(names) < len(RUNS)):
        parser.error("--write takes all runs over all of their pages: leave out --only and --limit")
    scores: dict[tuple[str, str, str], Score] = {}
    for name in names:
        run = RUNS[name]
        run = replace(run, limit=options.limit or run.limit)
        found = measure(options.gold, run, more)
        if found is None:
            return 1
        scores |= {(name, *place): score for place, score in found.items()}
    print("\n\n".join(table for table in (claims(scores), vips(scores)) if table))
    if options.write:
        fill(PAGE, scores)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
