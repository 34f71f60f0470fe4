"""The benchmarks still run: once, over few and small pages, for what they print and not for how fast."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from cedar import names
from cedar.pipelines.cli import main as cedar
from cedar.pipelines.commands import command_parser
from lab.benchmarks import __main__ as bench
from lab.benchmarks import (
    callgrind,
    crawl,
    day,
    fineweb_clusters,
    footprint,
    measure,
    pages,
    report,
    suites,
    whole,
    workload,
)
from lab.benchmarks.measure import Contestant, Sample, Spread

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "lab" / "PERFORMANCE.md"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    home = tmp_path_factory.mktemp("bench")
    arguments = ["--quick", "--only", "reading,stages,sizes", "--work", str(home), "--json", f"{home}/r.json"]
    assert bench.main(arguments) == 0
    found: dict[str, object] = json.loads((home / "r.json").read_text())
    return found


@pytest.mark.slow
def test_a_quick_run_measures_what_it_was_asked_for(results) -> None:
    assert results["schema"] == 1
    assert results["workload"]["pages"] == 20
    assert [sum(1 for _ in group) for group in (results["samples"]["cedar read"],)] == [1]
    assert {row["stage"] for row in results["details"]["stages"]} >= {f"extract {name}" for name in names()}
    assert all(row["cpu"] >= 0 for row in results["details"]["stages"])
    assert {row["extractor"] for row in results["details"]["sizes"]} == set(names())
    assert "sizes" in {figure["suite"] for figure in results["figures"]}


def test_tables_go_into_the_document(results, tmp_path: Path) -> None:
    copy = tmp_path / "performance.md"
    copy.write_text(DOCUMENT.read_text(encoding="utf-8"), encoding="utf-8")
    report.fill(copy, results, 0.04)
    text = copy.read_text(encoding="utf-8")
    assert "| extract cetr |" in text
    assert "20 pages" in text
    report.fill(copy, results, 0.04)
    assert copy.read_text(encoding="utf-8") == text
    with pytest.raises(ValueError, match="setting"):
        report.fill(_write(tmp_path / "other.md", "nothing"), results, 0.04)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def made_up(contestants: list[Contestant], rounds: int) -> tuple[dict[str, list[Sample]], dict[str, str]]:
    """Samples that cost what the letters of their names say, for 1000 bytes; no trafilatura."""
    sizes = {c.name: c.size or (10, 1000) for c in contestants}
    samples = {
        name: [Sample(pages, size, len(name) * size / 1000, 2.0, 1 << 20)] * rounds
        for name, (pages, size) in sizes.items()
    }
    samples.pop("trafilatura-fast", None)
    return samples, {"trafilatura-fast": "missing: trafilatura"}


def test_whole_runs_are_compared_without_start_up_and_the_month_has_a_bill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = workload.make(tmp_path, gold=None, warcs=(), count=8)
    out = suites.Results([], {}, {}, {})
    monkeypatch.setattr(suites, "in_turns", made_up)
    suites.end_to_end(work, suites.Settings(rounds=1, slow_rounds=1), out)
    suites.growth(work, suites.Settings(rounds=1, slow_rounds=1), out)
    (slope,) = (figure for figure in out.figures if figure.name == "slope of CPU over bytes")
    assert (round(slope.value.median, 9), slope.met) == (1.0, True)
    assert out.missing == {"trafilatura-fast": "missing: trafilatura"}
    assert {figure.name for figure in out.figures} >= {"resiliparse / cedar cetr", "memory"}
    tables = report.markdown({"details": out.details, "figures": [], "samples": {}, **SETTING}, 0.04)
    # 11 CPU seconds for 1000 bytes, over 2.6e9 pages of 164 kB.
    assert "| resiliparse | 1804000.00 | 1,302,888,889 | $52,115,556 |" in tables["bill"]


def test_each_option_has_its_cost_by_stage_beside_that_of_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seconds(options: tuple[str, ...], files: tuple[str, ...]) -> dict[str, float]:
        is_idle = files == work.idle
        return {"read": 1.0, "extract": 2.0 + len(options), "rest": 0.5 if is_idle else 1.5}

    work = workload.make(tmp_path, gold=None, warcs=(), count=8)
    out = suites.Results([], {}, {}, {})
    monkeypatch.setattr(whole, "stage_seconds", seconds)
    monkeypatch.setattr(whole.importlib.util, "find_spec", lambda _: None)
    whole.whole(work, suites.Settings(slow_rounds=2), out)
    table = report.markdown({"details": out.details, "figures": [], "samples": {}, **SETTING}, 0.04)["whole"]
    # 4 seconds over 8 pages; an option more is a second more.
    first, *_, last = table.splitlines()[2:]
    assert first == "| nothing | 125,000 | 0 | 250,000 | 0 | 0 | 125,000 | 500,000 | 1.00 | 0.50 |"
    assert last == "| --with-metadata | 125,000 | 0 | 375,000 | 0 | 0 | 125,000 | 625,000 | 1.25 | 0.50 |"
    assert list(out.missing) == ["whole, --language and everything"]


def test_two_divisions_into_clusters_agree_wholly_or_no_more_than_by_chance() -> None:
    ours = np.array([0, 0, 0, 3, 3, -1, -1], np.int64)
    assert fineweb_clusters.adjusted_rand(ours, ours) == 1.0
    # Of 21 pairs 4 are ours and 2 are theirs, none of both.
    theirs = np.array([0, -1, -1, 0, -1, 5, 5], np.int64)
    chance = 4 * 2 / 21
    assert fineweb_clusters.adjusted_rand(ours, theirs) == pytest.approx(-chance / (3 - chance))


def test_differing_clusters_are_judged_by_the_exact_similarity_of_their_pairs() -> None:
    sixty_words = " ".join(f"word{n}" for n in range(60))
    texts = fineweb_clusters.with_edits([sixty_words, "short text", "another one"])
    assert len(texts) == 6
    ours = np.array([0, -1, -1, 0, 0, 0], np.int64)
    theirs = np.array([0, -1, -1, 0, -1, -1], np.int64)
    row = fineweb_clusters.agreement("edits", texts, ours=ours, theirs=theirs)
    assert row == ["edits", "6", "1", "5 (0.47 to 0.70, mean 0.63)", "0", "0.167", "1.000", "0.194"]
    assert fineweb_clusters.found_of_alike(texts, theirs, [ours, theirs]) == "1 of 1"
    nothing = np.full(6, -1, np.int64)
    assert fineweb_clusters.found_of_alike(texts, nothing, [ours, nothing]) == "0 of 1"


def test_the_steps_whose_footprint_is_measured_are_commands_as_they_are_now() -> None:
    steps = list(footprint.steps(["crawl.warc.gz"]))
    assert len({name for name, _, _ in steps}) == len(steps)
    for _, (command, *arguments), _ in steps:
        command_parser(command).parse_args(arguments)


SETTING = {
    "made_at": "2026-01-31",
    "rounds": 1,
    "machine": {"cpu": "", "cores": 2, "load": 0.0, "python": "3.11", "packages": {}},
    "workload": {"source": "x", "pages": 8, "html_bytes": 1, "warcs": []},
}


def test_a_missing_package_leaves_a_line_and_no_sample() -> None:
    code = f"import sys; print('missing: nosuch', file=sys.stderr); sys.exit({measure.MISSING})"
    samples, missing = measure.in_turns([Contestant("peer", measure.python("-c", code))], 2)
    assert (samples, missing) == ({}, {"peer": "missing: nosuch"})


def test_a_program_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="exit code 1"):
        measure.run(Contestant("x", measure.python("-c", "1/0")))


def test_spread_is_median_and_extremes() -> None:
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0)


def test_gold_files_become_a_workload(tmp_path: Path) -> None:
    import base64

    rows = [{"id": n, "url": f"https://gold.example/{n}", "text": "", "html_b64": ""} for n in range(4)]
    for row in rows:
        row["html_b64"] = base64.b64encode(b"<html><p>page %d" % row["id"]).decode()
    _write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, rows)))
    work = workload.make(tmp_path / "work", gold=tmp_path, warcs=(), count=0)
    assert (work.pages, work.file_pages) == (4, (1, 1, 1, 1))
    assert sorted(workload.read_bodies(work.bodies))[3] == b"<html><p>page 3"
    assert workload.make(tmp_path / "work", gold=tmp_path, warcs=(), count=0) == work


BEFORE = {"read": 1000}


def test_a_stage_that_is_dearer_or_new_is_named() -> None:
    assert callgrind.dearer({"read": 1100}, BEFORE) == []
    found = {"read": 1101, "decode": 1}
    assert callgrind.dearer(found, BEFORE) == ["read: 1,000 -> 1,101 (+10%)", "decode: not on record"]


@pytest.mark.parametrize(("may_rise", "read"), [((), 1000), (("read",), 1050)])
def test_the_record_rises_only_when_told_to(may_rise: tuple[str, ...], read: int) -> None:
    record, refused = callgrind.merged({"read": 1050, "new": 7}, BEFORE, may_rise)
    assert record == {"read": read, "new": 7}
    assert len(refused) == (read == 1000)
    assert callgrind.merged({"read": 900}, BEFORE, ()) == ({"read": 900}, [])


@pytest.mark.parametrize("missing", ["valgrind", "record"])
def test_the_gate_says_aloud_that_it_skips(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = None if missing == "valgrind" else "/usr/bin/valgrind"
    monkeypatch.setattr(callgrind.shutil, "which", lambda _: where)
    monkeypatch.setattr(callgrind, "_key", lambda: "another compiler")
    monkeypatch.setattr(callgrind, "RECORD", tmp_path / "none.json")
    assert callgrind.main([]) == 0
    assert capsys.readouterr().out.startswith("bench-count: skipped, because ")


def test_synthetic_pages_are_the_same_everywhere_and_of_the_size_asked_for() -> None:
    digest = hashlib.sha256(b"".join(page.html for page in pages.pages(10))).hexdigest()
    assert digest[:16] == "18a2a331b56e09b3"
    for page in (pages.page(3, size=50_000), pages.page(4, kind="listing", size=400_000)):
        assert page.html.endswith((b"</html>\n", b"</html> "))
    assert 49_000 < len(pages.page(3, size=50_000).html) < 60_000
    assert {page.kind for page in pages.pages(5)} == set(pages.KINDS)
    assert pages.page(2, kind="minified").html.count(b"\n") == 0


def test_a_run_that_went_over_fewer_pages_than_it_is_measured_by_is_refused(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "run.json").write_text('{"pages": 40}')
    measure.check_work(Contestant("cedar", (), (40, 1)), tmp_path)
    with pytest.raises(RuntimeError, match=r"^cedar: 40 pages, not 80$"):
        measure.check_work(Contestant("cedar", (), (80, 1)), tmp_path)


@pytest.mark.slow
def test_a_made_up_crawl_is_the_same_each_time_and_the_books_are_its_truth(tmp_path: Path) -> None:
    truth = crawl.write_crawl(tmp_path / "crawl", files=2, pages=600, processes=1)
    assert {*truth.rejected} >= {"damaged_member", "empty_body", "media_type", "not_response", "status"}
    again = crawl.write_crawl(tmp_path / "again", files=2, pages=600)
    assert again == truth
    for path in (tmp_path / "crawl").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    output = tmp_path / "corpus"
    warcs = [str(path) for path in (tmp_path / "crawl").glob("*.gz")]
    assert cedar(["extract", *warcs, "--output", str(output), "--extractor", "cetr", "--quiet"]) == 0
    books = json.loads((output / "run.json").read_text())
    assert crawl.Truth(*(books[name] for name in ("records_read", "pages", "rejected"))) == truth


def test_the_steps_of_a_day_are_commands_as_they_are_now(tmp_path: Path) -> None:
    for _, (command, *arguments) in day.on_disk("disk", tmp_path / "crawl", tmp_path).steps():
        command_parser(command).parse_args(arguments)
