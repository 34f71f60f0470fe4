"""`cedar evaluate` from the command line to its three outputs, on the gold set kept here."""

from __future__ import annotations

import dataclasses
import json
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from cedar import evaluate
from cedar.pipelines.cli import main
from cedar.pipelines.evaluate.command import Part, score
from cedar.pipelines.evaluate.options import Sweep
from cedar.pipelines.evaluate.results import Evaluation
from cedar.pipelines.evaluate.sweep import folds_of_pages, tuned_scores
from cedar.transforms.runtime.guard_limits import GuardLimits
from cedar.transforms.scoring.contest import Contestant, PageScore, ScorePlan
from cedar.transforms.scoring.gold import GoldSet, evenly_spaced
from cedar.transforms.scoring.metrics import NOTHING, Agreement

ROOT = Path(__file__).parent.parent.parent
GOLD = ROOT / "tests" / "gold" / "handmade"
ALL_OPTIONS = ("--extractor", "keep-all", "--extractor", "cetr-tm:lambda=0.5", "--extractor", "cetd-ds")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the outputs of one run."""
    directory = tmp_path_factory.mktemp("evaluate")
    outputs = ["--results", str(directory / "r.json"), "--output", str(directory / "r.html")]
    grouping = ["--by", "page_type,lang", "--metric", "lcs,bag-lower,snippets"]
    assert main(["evaluate", str(GOLD), *ALL_OPTIONS, *outputs, *grouping, "--limit", "12", "--quiet"]) == 0
    return directory


@pytest.fixture(scope="module")
def results(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "r.json").read_text(encoding="utf-8"))
    return found


def test_every_extractor_has_a_score_on_every_page(results: dict[str, Any]) -> None:
    assert results["schema"] == 2
    labels = ["keep-all", "cetr-tm:lambda=0.5", "cetd-ds"]
    assert [each["label"] for each in results["extractors"]] == labels
    assert results["extractors"][1]["options"]["threshold_factor"] == 0.5
    keys = [(p["extractor"], p["page"]) for p in results["pages"]]
    assert len(set(keys)) == len(keys) == 12 * 3


def test_means_are_those_of_the_pages(results: dict[str, Any]) -> None:
    for result in results["results"]:
        if result["by"] is None:
            pages = [
                page["metrics"]["lcs"]
                for page in results["pages"]
                if page["extractor"] == result["extractor"]
            ]
            lcs = result["metrics"]["lcs"]
            assert lcs["f1"]["mean"] == pytest.approx(sum(f1 for _, _, f1 in pages) / 12, abs=1e-5)
            assert lcs["precision"] == pytest.approx(sum(p for p, _, _ in pages) / 12, abs=1e-5)
            assert lcs["f1"]["low"] <= lcs["f1"]["mean"] <= lcs["f1"]["high"]
            assert (result["pages"], result["failed"]) == (12, 0)
            assert result["cpu_ms"] > 0
            assert 0.4 < result["space_saving"] < 1


def test_groups_part_the_set(results: dict[str, Any]) -> None:
    for by in ("page_type", "lang"):
        sizes = [r["pages"] for r in results["results"] if (r["by"], r["extractor"]) == (by, "cetd-ds")]
        assert len(sizes) > 3
        assert sum(sizes) == 12


def test_differences_are_to_the_first_extractor(results: dict[str, Any]) -> None:
    means = {}
    for result in results["results"]:
        if result["by"] is None:
            means[result["extractor"]] = result["metrics"]["lcs"]["f1"]["mean"]
            if result["extractor"] == "keep-all":
                assert result["difference"] is None
            else:
                expected = means[result["extractor"]] - means["keep-all"]
                assert result["difference"]["mean"] == pytest.approx(expected, abs=1e-5)


def test_table_shows_sets_and_groups(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--extractor",
        "keep-all",
        "--extractor",
        "cetr",
        "--by",
        "lang",
        "--limit",
        "6",
    ]
    assert main(["evaluate", str(GOLD), *options]) == 0
    shown = capsys.readouterr().out
    assert "handmade: 6 pages, lcs" in shown
    assert "handmade: F1 by lang" in shown
    assert re.search(r"^cetr +0\.\d{3} +[01]\.\d{3} +0\.\d{3} +0\.\d{3}-[01]\.\d{3}", shown, re.MULTILINE)


class Requests(HTMLParser):
    """Whatever of a page would have a browser ask for something, or run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href") or ""
        if (tag, href) in (("link", "data:,"), ("a", "#main")):
            return
        if tag == "a" and re.fullmatch(r"r-pages/[\w.=-]+\.html", href):
            return  # a file of the folder that is written with the page
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "form", "a", "use", "image"):
            self.found.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "action", "style", "srcset") or name.startswith("on"):
                self.found.append(f"{tag} {name}")
            if value == "Content-Security-Policy":
                self.policy = dict(attrs).get("content") or ""


def test_page_asks_for_nothing_and_runs_nothing(run: Path) -> None:
    html = (run / "r.html").read_text(encoding="utf-8")
    parser = Requests()
    parser.feed(html)
    assert parser.found == []
    assert parser.policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "url(" not in html
    assert "@import" not in html
    assert html.count("<figure>") == 2
    assert "F1 by lang" in html


def test_the_worst_pages_are_links_to_drawings(run: Path) -> None:
    html = (run / "r.html").read_text(encoding="utf-8")
    links = set(re.findall(r'<a href="(r-pages/[^"]+)">', html))
    assert len(links) == 3 * 8
    assert any("cetr-tm_lambda_0.5" in link for link in links)
    for link in links:
        drawing = (run / link).read_text(encoding="utf-8")
        assert "Against gold: precision" in drawing
        assert "cedar explain" in drawing
    source = (run / "r-pages").glob("handmade-*-??????.html")
    assert all(page.read_bytes() == (GOLD / f"{page.stem[9:-7]}.html").read_bytes() for page in source)


def test_a_drawing_has_the_shares_of_the_table_that_links_to_it(run: Path) -> None:
    html = (run / "r.html").read_text(encoding="utf-8")
    rows = re.findall(r'<a href="(r-pages/[^"]+)">.*?</a></td>((?:<td>[\d.]+</td>){3})', html)
    assert len(rows) == 3 * 8
    for link, cells in rows:
        drawing = (run / link).read_text(encoding="utf-8")
        shares = re.search(r"precision ([\d.]+)%, recall ([\d.]+)%, F1 ([\d.]+)% \(lcs\)", drawing)
        assert shares is not None
        in_table = [100 * float(share) for share in re.findall(r"[\d.]+", cells)]
        assert [float(share) for share in shares.groups()] == pytest.approx(in_table, abs=0.11)


def test_the_option_of_the_method_for_researchers_changes_what_it_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "pages" / "researcher.md").read_text(encoding="utf-8")
    method = page.partition("```python\n# fewlinks.py\n")[2].partition("```")[0]
    (tmp_path / "fewlinks.py").write_text(method)
    monkeypatch.syspath_prepend(tmp_path)
    methods = ["fewlinks:few_links", "fewlinks:few_links:most=0"]
    rows = evaluate(GOLD, methods)
    by_default, without_links = (
        [(row["precision"], row["recall"]) for row in rows if row["extractor"] == method]
        for method in methods
    )
    assert len(by_default) == len(without_links)
    assert by_default != without_links


def test_each_page_is_a_dot_at_its_f1(run: Path) -> None:
    html = (run / "r.html").read_text(encoding="utf-8")
    assert html.count('<circle class="page"') == 3 * 12


def test_hostile_names_are_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>/../../x"
    line = {"id": evil, "text": "a", "html": "<p>b", "lang": evil, "page_type": "<img src=x onerror=y>"}
    (tmp_path / "set.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    arguments = [str(tmp_path / "set.jsonl"), "--by", "lang,page_type", "--output", str(tmp_path / "r.html")]
    assert main(["evaluate", *arguments, "--quiet"]) == 0
    parser = Requests()
    parser.feed((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert parser.found == []
    page, *_ = sorted((tmp_path / "r-pages").iterdir(), key=lambda path: len(path.name))
    assert page.read_bytes() == b"<p>b"
    assert all(path.resolve().parent == tmp_path / "r-pages" for path in (tmp_path / "r-pages").iterdir())


def test_sweep_draws_a_curve_for_each_extractor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep = ["--extractor", "cetr-tm", "--extractor", "cetr-tm:smoothing=literal", "--sweep", "lambda=0:2:1"]
    outputs = [
        "--results",
        str(tmp_path / "r.json"),
        "--output",
        str(tmp_path / "r.html"),
        "--limit",
        "4",
        "--quiet",
        "--json",
    ]
    assert main(["evaluate", str(GOLD), *sweep, *outputs]) == 0
    results = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert json.loads(capsys.readouterr().out) == results
    assert results["sweep"] == {"option": "lambda", "values": ["0", "1", "2"]}
    recalls = [r["metrics"]["lcs"]["recall"] for r in results["results"]][:3]
    assert recalls == sorted(recalls, reverse=True)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert html.count("<polyline") == 6
    assert "<h3>cetr-tm:smoothing=literal</h3>" in html


def plan(*contestants: Contestant, limit: int, timeout: float = 10.0) -> tuple[ScorePlan, list[Part]]:
    gold_set = GoldSet.at(str(GOLD))
    wanted = tuple(evenly_spaced(gold_set.count(), limit))
    measured = ScorePlan(contestants, ("lcs",), limits=GuardLimits(timeout, 256 << 20))
    return measured, [(gold_set, wanted)]


@pytest.mark.slow
def test_processes_find_what_one_finds() -> None:
    both = plan(Contestant("k", "keep-all", "{}"), Contestant("c", "cetr", "{}"), limit=5)
    alone, shared = (score(*both, workers) for workers in (1, 2))
    assert [(s.page, s.extractor, s.agreements) for s in alone] == [
        (s.page, s.extractor, s.agreements) for s in shared
    ]
    assert len(alone) == 10


class Faulty(Contestant):
    """An extractor that fails on every page, in the guard's child."""

    __slots__ = ()

    @property
    def factory(self) -> str:
        return "tests.runtime.guard_targets:always_failing"


def test_a_page_on_which_an_extractor_fails_scores_nothing_and_is_named() -> None:
    found = score(*plan(Faulty("bad", "bad", "{}"), Contestant("k", "keep-all", "{}"), limit=2), 1)
    bad = [s for s in found if s.extractor == "bad"]
    assert [s.agreements for s in bad] == [(NOTHING,)] * 2
    assert {s.failure for s in bad} == {"extractor_error: ZeroDivisionError: as ever"}
    assert all(s.failure is None for s in found if s.extractor == "k")


def test_an_extractor_that_fails_on_every_page_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        "import cedar",
        '@cedar.extractor(summary="fails")',
        "def faulty(html: str) -> str:",
        "    1 / 0",
    ]
    (tmp_path / "ours.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = ["evaluate", str(GOLD), "--limit", "2", "--quiet", "--extractor", "keep-all"]
    assert main([*command, "--extractor", "ours:faulty"]) == 1
    assert main(command) == 0


def test_failures_are_named_up_to_a_number_and_counted() -> None:
    page = PageScore("s", "p", None, None, None, "x", (NOTHING,), "a\nb", None, 0.0, 1, 0, 1, 8)
    scores = [dataclasses.replace(page, page=f"p{i}") for i in range(5)]
    found = Evaluation(
        scores=tuple(scores),
        contestants=(Contestant("x", "x", "{}"),),
        metrics=("lcs",),
        by=(),
        sweep=None,
        seed=0,
    )
    assert found.results[0].failed == 5
    assert list(found.failures(max_lines=2)) == [
        "x failed on s p0: a",
        "x failed on s p1: a",
        "x failed on 3 more; --results names them",
    ]


def test_two_pages_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.jsonl").write_text('{"id": 1, "text": "", "html": ""}\n' * 2)
    assert main(["evaluate", str(tmp_path / "s.jsonl")]) == 2
    assert "are called '1'" in capsys.readouterr().err


@pytest.mark.slow
def test_ctrl_c_ends_in_order(tmp_path: Path) -> None:
    page = json.dumps({"id": 0, "text": "x", "html": "<p>word " * 30_000})
    with (tmp_path / "s.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(page.replace('"id": 0', f'"id": {i}') + "\n" for i in range(300))
    command = [sys.executable, "-c", INTERRUPTIBLE, str(tmp_path / "s.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "scoring\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stdout.read() == ""
        assert "Traceback" not in process.stderr.read()


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", ["import no_such_module", "raise OSError('broken')", "import os; os._exit(3)"]
)
def test_a_peer_that_cannot_be_imported_is_one_row_and_the_others_have_theirs(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "justext.py").write_text(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    chosen = ["--extractor", "peer:justext", "--extractor", "keep-all", "--extractor", "cetr"]
    outputs = ["--results", str(tmp_path / "r.json"), "--output", str(tmp_path / "r.html")]
    assert main(["evaluate", str(GOLD), *chosen, *outputs, "--limit", "3"]) == 1
    said = capsys.readouterr()
    rows = {line.split()[0]: line.split() for line in said.out.splitlines() if line}
    assert rows["peer:justext"][1:8] == ["-"] * 7
    assert rows["peer:justext"][-1] == "3"
    assert float(rows["keep-all"][3]) > 0.3
    assert any(cell.startswith(("+", "-")) for cell in rows["cetr"])  # compared with the first that ran
    assert said.err.count("peer:justext could not be run: ") == 1
    found = json.loads((tmp_path / "r.json").read_text())
    assert [r["metrics"]["lcs"] is None for r in found["results"]] == [True, False, False]


def test_the_best_value_of_a_sweep_is_named_and_an_edge_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", str(GOLD), "--extractor", "cetr-tm", "--limit", "12", "--sweep"]
    assert main([*command, "threshold_factor=0:20:0.5"]) == 0
    best = [line for line in capsys.readouterr().out.splitlines() if "best threshold_factor=" in line]
    assert len(best) == 1
    value = float(best[0].split("best threshold_factor=")[1].split(",")[0])
    assert 0 < value < 20
    assert "edge" not in best[0]
    assert main([*command, f"threshold_factor={value}:{value + 1}:0.5"]) == 0
    (best_at_edge,) = [line for line in capsys.readouterr().out.splitlines() if "best " in line]
    assert f"threshold_factor={value:g}, " in best_at_edge
    assert "edge" in best_at_edge


SITES = [f"https://{host}.example/{page}" for host in ("a", "b", "c", "d") for page in range(3)]


def swept(urls: list[str], best: dict[str, str], folds: int) -> Evaluation:
    """An evaluation of cetr-tm with lambda 0, 1: each host's pages score 1 with its best value, else 0."""
    contestants = tuple(
        Contestant.of(f"cetr-tm:lambda={value}", "cetr-tm", (("lambda", value),)) for value in ("0", "1")
    )
    scores = [
        PageScore(
            set="s",
            page=url,
            url=url,
            lang=None,
            page_type=None,
            extractor=each.label,
            agreements=(NOTHING if dict(each.given)["lambda"] != best[url[8]] else Agreement(1.0, 1.0, 1.0),),
            failure=None,
            fallback=None,
            cpu_seconds=0.0,
            html_bytes=1,
            text_bytes=1,
            html_packed=1,
            text_packed=1,
        )
        for url in urls
        for each in contestants
    ]
    return Evaluation(
        scores=tuple(scores),
        contestants=contestants,
        metrics=("lcs",),
        by=(),
        sweep=Sweep("lambda", ("0", "1")),
        folds=folds,
        seed=0,
    )


def test_a_fold_is_scored_with_the_value_that_other_sites_choose() -> None:
    evaluation = swept(SITES, {"a": "0", "b": "0", "c": "0", "d": "1"}, folds=4)
    (tuned,) = tuned_scores(evaluation, "s")
    assert tuned.values == ("0",) * 4  # d's own pages do not choose its value
    assert tuned.f1.mean == pytest.approx(9 / 12)
    folds = folds_of_pages(evaluation.scores, 4)
    assert {url[8]: {folds[u] for u in SITES if u[8] == url[8]} for url in SITES}.keys() == set("abcd")
    assert len(set(folds.values())) == 4
    assert all(len({folds[u] for u in SITES if u[8] == host}) == 1 for host in "abcd")


def test_folds_are_printed_and_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    sweep = ["--extractor", "cetr-tm", "--sweep", "lambda=0:2:1", "--limit", "6", "--folds", "3"]
    assert main(["evaluate", str(GOLD), *sweep]) == 0
    assert "cetr-tm: 3 folds, F1 0." in capsys.readouterr().out
    assert main(["evaluate", str(GOLD), *sweep, "--json"]) == 0
    (tuned,) = json.loads(capsys.readouterr().out)["folds"]
    assert (tuned["set"], tuned["extractor"], len(tuned["values"])) == ("handmade", "cetr-tm", 3)
    assert tuned["f1"]["low"] <= tuned["f1"]["mean"] <= tuned["f1"]["high"]
    assert main(["evaluate", str(GOLD), *sweep[:-1], "7"]) == 2
    assert "7 folds need pages of as many sites, and there are 6" in capsys.readouterr().err


def test_results_take_the_place_of_results_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "mine.json"
    command = ["evaluate", str(GOLD), "--extractor", "keep-all", "--limit", "1", "--results", str(target)]
    for mine in ('{"schema": "mine"}', "notes", "[1]"):
        target.write_text(mine)
        assert main(command) == 2
        assert str(target) in capsys.readouterr().err
        assert target.read_text() == mine
    target.unlink()
    for _ in range(2):
        assert main(command) == 0
    target.write_bytes(b"")
    assert main(command) == 0


INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent may have it ignored
from cedar.pipelines import cli
from cedar.pipelines.evaluate import command as evaluate
original = evaluate.score_shares
def announced(*arguments, **named):
    print("scoring", flush=True)
    original(*arguments, **named)
evaluate.score_shares = announced
sys.exit(cli.main(["evaluate", sys.argv[1], "--extractor", "cetr", "--quiet"]))
"""
