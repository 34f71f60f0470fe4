"""What is compared with what, and the targets."""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from .measure import Contestant, Sample, Spread, in_turns, python, ratios, run
from .workload import Workload

TREE_METHODS = ("cetd-ds", "cectd-ds", "coreex")
"""The methods that are measured against a bare parse, and in whole runs `cectd-ds`."""

PAGE_METHODS = ("cetr", "cetr-tm", "cetr-km", "cedar")
"""The methods that are measured in memory, without a guard."""

_CEDAR = ("-m", "cedar", "extract", "--output", "{out}/corpus", "--quiet")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the results.

    Attributes:
        suite: the suite that it belongs to.
        name: what it is.
        unit: "x" for a ratio, "share", "s".
        value: median and spread over the rounds.
        least, most: the bounds that it is held against, or None.
        note: what a reader must know.
    """

    suite: str
    name: str
    unit: str
    value: Spread
    least: float | None = None
    most: float | None = None
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the median lies within the bounds; None without any."""
        if self.least is None and self.most is None:
            return None
        median = self.value.median
        return (self.least is None or median >= self.least) and (self.most is None or median <= self.most)


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is measured.

    Attributes:
        rounds: alternating runs.
        slow_rounds: the same where a round takes long.
        micro_pages: pages for the stages, at most.
        small_bytes, large_bytes: sizes of the pages of which the cost a byte is compared.
        seconds: CPU seconds for which what is short is repeated.
        parallel_seconds: wall seconds of the work of one worker that two are compared on.
    """

    rounds: int = 5
    slow_rounds: int = 3
    micro_pages: int = 300
    small_bytes: int = 50_000
    large_bytes: int = 5_000_000
    seconds: float = 0.2
    parallel_seconds: float = 60.0


@dataclass(slots=True)
class Results:
    """All that was found."""

    figures: list[Figure]
    samples: dict[str, list[Sample]]
    missing: dict[str, str]
    details: dict[str, Any]


def _cedar(
    name: str, extractor: str, files: tuple[str, ...], *, size: tuple[int, int], workers: int = 1
) -> Contestant:
    options = ("--extractor", extractor, "--workers", str(workers))
    return Contestant(name, python(*_CEDAR, *options, *files), size)


def _whole(work: Workload, files: int) -> tuple[int, int]:
    return sum(work.file_pages[:files]), sum(work.file_html_bytes[:files])


def _folder(work: Workload) -> tempfile.TemporaryDirectory[str]:
    """A folder for as long as it is needed, beside the workload."""
    return tempfile.TemporaryDirectory(prefix="repeated-", dir=Path(work.bodies).parent)


def _repeated(work: Workload, folder: Path, times: int) -> str:
    """Copy every file of the workload into a new folder, as many times; return its path.

    Cedar reads a file once, whatever links lead to it.
    """
    folder.mkdir()
    for number in range(times):
        for source in work.warcs:
            shutil.copyfile(source, folder / f"{number:03}-{Path(source).name}")
    return str(folder)


def _times(work: Workload, times: int) -> tuple[int, int]:
    pages, size = _whole(work, len(work.warcs))
    return times * pages, times * size


def _peer(name: str, *files: str) -> Contestant:
    return Contestant(name, python("-m", "lab.benchmarks.peers", name, *files))


def _loop(name: str, *arguments: str) -> Contestant:
    return Contestant(name, python("-m", "lab.benchmarks.loops", *arguments))


def _less(samples: list[Sample], idle: list[Sample]) -> list[Sample]:
    """Samples without what runs over as many files of one page cost."""
    start_up = Spread.of(s.cpu for s in idle).median
    return [replace(s, cpu=max(1e-9, s.cpu - start_up)) for s in samples]


def end_to_end(work: Workload, settings: Settings, out: Results) -> None:
    """WARC files to Parquet: Cedar and the loops that people write; what is slow, over the first file."""
    everything, first = _whole(work, len(work.warcs)), _whole(work, 1)
    few = settings.slow_rounds
    contestants = [
        _cedar("cedar idle", "cetr", work.idle, size=(1, 1)),
        _cedar("cedar cetr", "cetr", work.warcs, size=everything),
        _peer("resiliparse", *work.warcs),
        replace(_cedar("cedar cedar", "cedar", work.warcs, size=everything), rounds=few),
        replace(_cedar("cedar idle cectd-ds", "cectd-ds", work.idle[:1], size=(1, 1)), rounds=few),
        replace(_cedar("cedar cectd-ds", "cectd-ds", work.warcs[:1], size=first), rounds=few),
        replace(_peer("trafilatura-fast", work.warcs[0]), rounds=few),
    ]
    samples, missing = in_turns(contestants, settings.rounds)
    out.samples |= samples
    out.missing |= missing
    lines = _less(samples["cedar cetr"], samples["cedar idle"])
    trees = _less(samples["cedar cectd-ds"], samples["cedar idle cectd-ds"])
    default = _less(samples["cedar cedar"], samples["cedar idle"])
    costs = {"cedar cetr": lines, "cedar cedar": default, "cedar cectd-ds": trees}
    for peer, target in (("resiliparse", 4.0), ("trafilatura-fast", 12.0)):
        if peer not in samples:
            continue
        costs[peer] = samples[peer]
        against: tuple[tuple[str, list[Sample], float | None, str], ...] = (
            ("cedar cetr", lines, target, "CPU a byte, without the start of either"),
            ("cedar cetr, all in", samples["cedar cetr"], None, "the same with Cedar's start-up in it"),
            ("cedar cedar", default, 2.5 if peer == "resiliparse" else None, "as the first"),
            ("cedar cectd-ds", trees, None, "as the first"),
        )
        for name, ours, least, note in against:
            value = ratios(samples[peer], ours)
            out.figures.append(Figure("end to end", f"{peer} / {name}", "x", value, least, note=note))
    out.details["cpu_ns_per_byte"] = {
        name: asdict(Spread.of(s.cpu / s.bytes * 1e9 for s in found)) for name, found in costs.items()
    }


def profile(work: Workload, settings: Settings, out: Results) -> None:
    """CPU by stage of a whole run, as Cedar's own books have it."""
    found: dict[str, dict[str, float]] = {}
    for extractor, files in (("cetr", work.warcs), ("cectd-ds", work.warcs[:1])):
        runs, idle = [], []
        for _ in range(settings.slow_rounds):
            runs.append(stage_seconds(("--extractor", extractor), files))
            idle.append(stage_seconds(("--extractor", extractor), work.idle[: len(files)]))
        found[extractor] = {stage: Spread.of(run[stage] for run in runs).median for stage in runs[0]}
        start_up = Spread.of(run["rest"] for run in idle).median
        found[extractor]["rest beyond start-up"] = max(0.0, found[extractor]["rest"] - start_up)
    out.details["profile"] = found
    stages = found["cetr"]
    total = sum(stages[s] for s in ("read", "decode", "extract", "write")) + stages["rest beyond start-up"]
    share = (stages["write"] + stages["rest beyond start-up"]) / total
    note = "of CPU beyond start-up: writing, Beam, counters, between the stages' clocks"
    out.figures.append(
        Figure(
            "profile", "share of the sink and Beam, cetr", "share", Spread.of([share]), most=0.15, note=note
        )
    )


def stage_seconds(options: tuple[str, ...], files: tuple[str, ...]) -> dict[str, float]:
    """CPU seconds by stage, and the rest, of one run of Cedar with some options and one worker."""
    code = (
        "import glob, json, sys; from cedar.pipelines.cli import main; home = sys.argv[1]; "
        "code = main(['extract', '--quiet', '--workers', '1', '--output', home, *sys.argv[2:]]); "
        "assert code == 0; run = json.load(open(glob.glob(home + '/runs/*.json')[0])); "
        "stages = {stage: cost['cpu'] for stage, cost in run['seconds'].items()}; "
        "print(json.dumps([stages | {'rest': run['rest_seconds']}]))"
    )
    command = python("-c", code, "{out}/corpus", *options, *files)
    _, said = run(Contestant("profile", command))
    stages: dict[str, float] = json.loads(said.splitlines()[-1])[0]
    return stages


def pages_in_memory(work: Workload, settings: Settings, out: Results) -> None:
    """Bodies in memory: `extract(html, NAME)` against Resiliparse, tree methods against a bare parse."""
    contestants = [
        *(_loop(f"cedar page {name}", "extract", name, work.first_bodies) for name in PAGE_METHODS),
        _peer("resiliparse-page", work.first_bodies),
        _peer("lxml-parse", work.first_bodies),
        *(_loop(f"cedar guarded {name}", "guard", name, work.first_bodies) for name in TREE_METHODS),
    ]
    samples, missing = in_turns(contestants, settings.rounds)
    out.samples |= samples
    out.missing |= missing
    if "resiliparse-page" in samples:
        for method, target in (("cetr", 0.12), ("cedar", 0.3)):
            value = ratios(samples[f"cedar page {method}"], samples["resiliparse-page"])
            name = f'extract(html, "{method}") / resiliparse decode, parse, extract'
            out.figures.append(Figure("pages", name, "x", value, most=target))
    for method in ("cetr-tm", "cetr-km"):
        value = ratios(samples[f"cedar page {method}"], samples["cedar page cetr"])
        note = "the same loop; not slower but for what two runs differ by"
        out.figures.append(Figure("pages", f"{method} / cetr", "x", value, most=1.05, note=note))
    for name in TREE_METHODS:
        value = ratios(samples[f"cedar guarded {name}"], samples["lxml-parse"])
        note = "decoding and the guard included"
        out.figures.append(Figure("pages", f"{name} / lxml bare parse", "x", value, most=2.0, note=note))


def reading(work: Workload, settings: Settings, out: Results) -> None:
    """Reading WARC files alone."""
    contestants = [
        _loop("cedar read", "read", *work.warcs),
        _peer("fastwarc", *work.warcs),
        _peer("warcio", *work.warcs[:1]),
    ]
    samples, missing = in_turns(contestants, settings.rounds)
    out.samples |= samples
    out.missing |= missing
    for peer, target in (("fastwarc", 1.0), ("warcio", None)):
        if peer in samples:
            value = ratios(samples["cedar read"], samples[peer])
            out.figures.append(Figure("reading", f"cedar read / {peer}", "x", value, most=target))


def growth(work: Workload, settings: Settings, out: Results) -> None:
    """Once, twice and four times the pages: CPU in step, memory flat."""
    with _folder(work) as home:
        contestants = []
        for times in (1, 2, 4):
            folder = _repeated(work, Path(home, str(times)), times)
            contestants.append(_cedar(f"cedar x{times}", "cetr", (folder,), size=_times(work, times)))
        samples, _ = in_turns(contestants, settings.slow_rounds)
    out.samples |= samples
    one, two, four = (samples[c.name] for c in contestants)
    slopes = Spread.of(
        ((c.cpu - b.cpu) / (c.bytes - b.bytes)) / ((b.cpu - a.cpu) / (b.bytes - a.bytes))
        for a, b, c in zip(one, two, four, strict=True)
    )
    note = "CPU a byte of the pages from twice to four times over that of those from once to twice"
    out.figures.append(Figure("growth", "slope of CPU over bytes", "x", slopes, 0.9, 1.1, note=note))
    more = Spread.of((c.rss - a.rss) / (1 << 20) for a, c in zip(one, four, strict=True))
    allowed = max(32.0, Spread.of(a.rss for a in one).median / (1 << 20) / 10)
    note = "MiB more resident with four times the pages; 10 % or 32 MiB are allowed"
    out.figures.append(Figure("growth", "memory", "MiB", more, most=allowed, note=note))
    out.details["resident_mib"] = {
        c.name: max(s.rss for s in samples[c.name]) / (1 << 20) for c in contestants
    }


def two_workers(work: Workload, settings: Settings, out: Results) -> None:
    """Wall time of two workers against that of one, over a minute's work; and with start-up taken off."""
    with _folder(work) as home:
        (first,) = in_turns([_cedar("", "cetr", work.warcs, size=_whole(work, len(work.warcs)))], 1)[
            0
        ].values()
        times = math.ceil(settings.parallel_seconds / first[0].wall) or 1
        folder, size = _repeated(work, Path(home, "all"), times), _times(work, times)
        contestants = [
            _cedar("one worker", "cetr", (folder,), size=size, workers=1),
            _cedar("two workers", "cetr", (folder,), size=size, workers=2),
            _cedar("one worker, idle", "cetr", work.idle, size=(1, 1), workers=1),
            _cedar("two workers, idle", "cetr", work.idle, size=(1, 1), workers=2),
        ]
        samples, _ = in_turns(contestants, settings.slow_rounds)
    out.details["workers"] = {"files": times * len(work.warcs), "pages": size[0]}
    out.samples |= samples
    value = Spread.of(
        a.wall / b.wall for a, b in zip(samples["one worker"], samples["two workers"], strict=True)
    )
    idle_one, idle_two = (Spread.of(s.wall for s in samples[c.name]).median for c in contestants[2:])
    steady = Spread.of(
        max(1e-9, a.wall - idle_one) / max(1e-9, b.wall - idle_two)
        for a, b in zip(samples["one worker"], samples["two workers"], strict=True)
    )
    note = "wall time, all in: needs an idle machine and a workload of many times the start-up"
    out.figures.append(Figure("workers", "one worker / two workers", "x", value, least=1.9, note=note))
    note = "of each, the wall time of a run over as many files of one page is taken off"
    out.figures.append(Figure("workers", "one worker / two workers, start-up apart", "x", steady, note=note))


def start_up(work: Workload, settings: Settings, out: Results) -> None:
    """What a person waits for."""
    contestants = [
        Contestant("cedar --help", python("-m", "cedar", "--help"), (0, 0)),
        _cedar("one page", "cetr", work.idle[:1], size=(1, 1)),
        _cedar("one page in each file", "cetr", work.idle, size=(1, 1)),
    ]
    samples, _ = in_turns(contestants, settings.rounds)
    out.samples |= samples
    for contestant, target in zip(contestants[:2], (0.3, 3.0), strict=True):
        value = Spread.of(s.wall for s in samples[contestant.name])
        out.figures.append(Figure("start-up", contestant.name, "s", value, most=target, note="wall time"))
    if len(work.idle) > 1:
        one, each = samples["one page"], samples["one page in each file"]
        value = Spread.of((b.cpu - a.cpu) / (len(work.idle) - 1) for a, b in zip(one, each, strict=True))
        note = "CPU; small files are batched into pipelines, a large one has one of its own"
        out.figures.append(Figure("start-up", "one more file of one page", "s", value, note=note))


def stages(work: Workload, settings: Settings, out: Results) -> None:
    """Each stage alone."""
    arguments = ("micro", work.bodies, work.warcs[0], str(settings.micro_pages), str(settings.seconds))
    _, said = run(_loop("micro", *arguments))
    out.details["stages"] = json.loads(said.splitlines()[-1])


def sizes(work: Workload, settings: Settings, out: Results) -> None:
    """A large page costs no more a byte than small ones, whatever the extractor."""
    sizes_bytes = (str(settings.small_bytes), str(settings.large_bytes))
    _, said = run(_loop("sizes", "sizes", *sizes_bytes, str(settings.seconds)))
    found = json.loads(said.splitlines()[-1])
    out.details["sizes"] = found
    worst = max(found, key=lambda row: row["ratio"])
    large, small = _kilo(settings.large_bytes), _kilo(settings.small_bytes)
    name = f"CPU a byte, page of {large} / of {small}, worst extractor"
    note = f"{worst['extractor']}, {worst['kind']}"
    out.figures.append(Figure("sizes", name, "x", Spread.of([worst["ratio"]]), most=1.5, note=note))


def _kilo(size: int) -> str:
    return f"{size / 1e6:g} MB" if size >= 1e6 else f"{size / 1e3:g} kB"
