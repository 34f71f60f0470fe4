"""Signals of the user's own: docs/own-signal.md, and what functions may do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.transforms.window import FixedWindows, TimestampedValue

import cedar
from cedar.pipelines.cli import main
from cedar.pipelines.local.supervisor import LocalRun
from cedar.transforms.curate import Curate
from cedar.transforms.curation.own_signals import OwnSignals, own_signal
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.records import ExtractedPage
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc
from tests.helpers.documents import page, python_examples
from tests.helpers.elements import extracted, shard
from tests.test_curate import rows

MODULE = """
import os
import time
import numpy
import cedar

def number(page: cedar.SignalInput) -> "float | None":
    return {"nan": float("nan"), "none": None, "int": 3, "numpy": numpy.float32(0.5), "list": [],
            "bool": True, "text": "x", "huge": 10**400}[page.text]

def whole(page: cedar.SignalInput) -> int:
    return 2**63 if page.text == "huge" else -2**63 if page.text == "least" else len(page.url)

def text(page) -> str:
    return "a\\0b\\ud800"

def fails(page) -> bool:
    raise {"exit": SystemExit, "memory": MemoryError, "plain": ValueError}[page.text]("no")

def loud(page: cedar.SignalInput) -> bool:
    print("heard")
    return page.signals is None

class Made:
    def __init__(self) -> None:
        self.calls = 0
    def __call__(self, page: cedar.SignalInput) -> int:
        self.calls += 1
        return self.calls

class Broken:
    def __init__(self) -> None:
        raise OSError("no model")
    def __call__(self, page: cedar.SignalInput) -> int:
        return 1

def both(pages: list[cedar.SignalInput]) -> list[int]:
    print(f"{len(pages)} pages")
    return [len(page.url) + 0 * len(pages) for page in pages]

def missing(pages) -> list["int | None"]:
    if any(page.text == "bad" for page in pages):
        raise ValueError("no")
    return {"few": [], "more": [1, 2], "one": 1}.get(pages[0].text, numpy.array([len(pages)] * len(pages)))

def endless(pages: list[cedar.SignalInput]) -> list[int]:
    while any(page.url.endswith("/7") for page in pages):
        time.sleep(0.1)
    return [len(page.url) for page in pages]

def deadly(pages: list[cedar.SignalInput]) -> list[int]:
    if any(page.url.endswith("/7") for page in pages):
        os._exit(3)
    return [len(page.url) for page in pages]

def stuck(page: cedar.SignalInput) -> int:
    return endless([page])[0]

def nothing() -> int: return 1
def pair(page, other) -> int: return 1
def named(*, page) -> int: return 1
async def later(page) -> int: return 1
def yields(page) -> int: yield 1
def lists(page: cedar.SignalInput) -> list[int]: return [1]
def one_of_many(pages: list[cedar.SignalInput]) -> int: return 1

class Slow:
    def __init__(self) -> None: time.sleep(0.3)
    def __call__(self, page: cedar.SignalInput) -> int: return 1

def silent(page): ...
def two(page) -> int | str: ...
"""


@pytest.fixture(scope="module", autouse=True)
def modules(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A package of functions, and the one of the manual, on the path."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "signals_of_tests.py").write_text(MODULE)
    (folder / "shouting.py").write_text(python_examples(page("own-signal"))[0])
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def answer(name: str, text: str = "") -> object:
    given = cedar.SignalInput(text, "http://a.example/", None, None)
    (found,) = OwnSignals([own_signal(f"it=signals_of_tests:{name}")]).of([given])
    if isinstance(found, RejectedError):
        raise found
    return found.values["it"]


def test_answers_are_values_of_the_type_that_was_announced() -> None:
    assert [answer("number", text) for text in ("nan", "none", "int", "numpy")] == [None, None, 3.0, 0.5]
    assert answer("whole", "least") == -(2**63)
    assert (answer("whole"), answer("text"), answer("loud")) == (17, "ab\ufffd", True)
    kinds = {
        name: own_signal(f"it=signals_of_tests:{name}").kind for name in ("number", "whole", "text", "loud")
    }
    assert kinds == {"number": "float64", "whole": "int64", "text": "string", "loud": "bool"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("number", "list", "it: returned list, not float"),
        ("number", "bool", "it: returned bool, not float"),
        ("number", "text", "it: returned str, not float"),
        ("number", "huge", "it: returned an int that is too large"),
        ("whole", "huge", "it: returned an int that is too large"),
        ("fails", "exit", "it: SystemExit: no"),
        ("fails", "memory", "it: MemoryError: no"),
        ("fails", "plain", "it: ValueError: no"),
        ("missing", "bad", "it: ValueError: no"),
        ("missing", "few", "it: returned 0 answers for a page"),
        ("missing", "more", "it: returned 2 answers for a page"),
        ("missing", "one", "it: returned int, not a list"),
    ],
)
def test_a_function_that_fails_rejects_its_page(name: str, text: str, said: str) -> None:
    with pytest.raises(RejectedError) as error:
        answer(name, text)
    assert str(error.value) == f"signal_error: {said}"


def test_a_class_is_made_once() -> None:
    signals = OwnSignals([own_signal("it=signals_of_tests:Made")])
    given = cedar.SignalInput("", "", None, None)
    assert [one.values["it"] for _ in range(3) for one in signals.of([given])] == [1, 2, 3]
    with pytest.raises(
        ValueError, match="signal 'signals_of_tests:Broken' cannot be made: OSError: no model"
    ):
        answer("Broken")


def test_a_function_of_many_pages_is_given_them_together_and_alone_where_one_of_them_fails() -> None:
    signals = OwnSignals([own_signal("it=signals_of_tests:missing")])
    pages = [cedar.SignalInput(text, "", None, None) for text in ("a", "b", "c")]
    assert [getattr(one, "values", None) for one in signals.of(pages)] == [{"it": 3}] * 3
    bad = cedar.SignalInput("bad", "", None, None)
    assert [getattr(one, "values", None) for one in signals.of([*pages, bad])] == [{"it": 1}] * 3 + [None]


def filtered(corpus: Path, output: Path, *options: str) -> int:
    command = ["filter", str(corpus), "--output", str(output), *options, "--workers", "1", "--quiet"]
    return main(command)


def test_pages_that_are_worked_on_together_are_written_as_they_are_alone(tmp_path: Path) -> None:
    crawl, plan = write_warc(tmp_path / "crawl.warc.gz", 70), ("--signals", "--signatures", "--workers", "1")
    found = {}
    for name in ("whole", "both"):
        signal = ("--signal", f"it=signals_of_tests:{name}", "--keep", "it != 23")
        assert extract(crawl, tmp_path / name, *plan, *signal) == 0
        assert (
            filtered(tmp_path / "whole", tmp_path / f"{name}-2", "--signal", signal[1].replace("it", "more"))
            == 0
        )
        found[name] = (
            page_rows(tmp_path / name),
            rows(tmp_path / name, "dropped"),
            page_rows(tmp_path / f"{name}-2"),
        )
    assert found["whole"] == found["both"]
    assert [len(some) for some in found["both"]] == [60, 10, 60]


def test_a_run_in_which_no_page_came_through_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 3)
    assert extract(crawl, tmp_path / "corpus", "--signal", "it=signals_of_tests:number") == 1
    said = "no page came through: 3 signal_error; rejects/ has the fault of each"
    assert capsys.readouterr().err.splitlines() == [f"cedar: {said}"]
    assert books(tmp_path / "corpus")["balanced"]


def test_pages_that_are_worked_on_together_keep_their_windows() -> None:
    plan = CurationPlan(own=(own_signal("it=signals_of_tests:both"),))
    one = shard("one-00000000-000000000000-000000000100")
    pages = [TimestampedValue(extracted(one, number), 7 * number) for number in range(5)]

    def seen(page: ExtractedPage, window: Any = beam.DoFn.WindowParam) -> tuple[int, int]:
        return page.row.offset // 10, int(window.start)

    with TestPipeline() as pipeline:
        made = (
            pipeline | beam.Create(pages) | beam.WindowInto(FixedWindows(10)) | Curate(plan) | beam.Map(seen)
        )
        assert_that(made, equal_to([(n, 7 * n // 10 * 10) for n in range(5)]), reify_windows=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason"), [("endless", "time_limit"), ("stuck", "time_limit"), ("deadly", "extractor_error")]
)
def test_a_page_that_holds_up_or_ends_a_worker_is_the_only_one_that_is_lost(
    name: str, reason: str, tmp_path: Path, modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(modules))
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 12), tmp_path / "corpus"
    signal = ("--signal", f"it=signals_of_tests:{name}")
    assert extract(crawl, corpus, *signal, "--workers", "1", "--page-timeout", "0.25") == 0
    assert_only_page_7_is_lost(corpus, reason)


@pytest.mark.slow
def test_a_page_that_ends_a_worker_of_filter_is_the_only_one_that_is_lost(
    tmp_path: Path, modules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(modules))
    monkeypatch.setitem(LocalRun.__init__.__kwdefaults__, "record_seconds", 1.5)
    assert extract(write_warc(tmp_path / "crawl.warc.gz", 12), tmp_path / "plain", "--workers", "1") == 0
    for name, reason in (("stuck", "time_limit"), ("deadly", "extractor_error")):
        assert filtered(tmp_path / "plain", tmp_path / name, "--signal", f"it=signals_of_tests:{name}") == 0
        assert_only_page_7_is_lost(tmp_path / name, reason)


def assert_only_page_7_is_lost(corpus: Path, reason: str) -> None:
    lost = [row["url"] for row in rows(corpus, "rejects") if row["reason"] == reason]
    assert lost == ["https://crawl.example/7"]
    assert len(page_rows(corpus)) == 11


def test_a_signal_that_takes_long_to_be_made_is_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("cedar.transforms.extractors.plugins._SLOW_SECONDS", 0.1)
    OwnSignals([own_signal("it=signals_of_tests:Slow")])
    assert caplog.messages == ["making signal 'signals_of_tests:Slow' takes over 0.1 s: the run waits for it"]


def test_the_signals_of_the_manual_are_columns(tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 4), tmp_path / "corpus"
    signals = ["--signal", "capitals=shouting:capitals", "--keep", "capitals < 0.3"]
    assert extract(crawl, corpus, *signals, "--signal", "odd=signals_of_tests:fails", "--workers", "1") == 1
    assert books(corpus)["rejected"]["signal_error"] == 4
    assert {row["detail"][:14] for row in rows(corpus, "rejects") if row["stage"] == "filter"} == {
        "odd: KeyError:"
    }
    assert extract(crawl, corpus, *signals, "--overwrite", "--workers", "1") == 0
    assert all(0 < row["capitals"] < 0.3 for row in page_rows(corpus))
    more = ["--signal", "topic=shouting:Topic", "--keep", "topic == sea", "--output", str(tmp_path / "sea")]
    assert main(["filter", str(corpus), *more, "--workers", "1", "--quiet"]) == 0
    assert [row["topic"] for row in page_rows(tmp_path / "sea")] == ["sea"] * books(tmp_path / "sea")["pages"]


@pytest.mark.parametrize(
    ("signal", "said"),
    [
        ("it", "not a valid signal: 'it' (write it as shouting=package.module:function)"),
        ("it=nowhere:f", "no package 'nowhere' is installed or on an absolute PYTHONPATH"),
        ("it=signals_of_tests", "signal 'signals_of_tests': write it as package.module:function"),
        ("it=signals_of_tests:none", "signals_of_tests has no function 'none'"),
        (
            "it=signals_of_tests:silent",
            "does not say what it returns: write def name(page: cedar.SignalInput)",
        ),
        ("it=signals_of_tests:two", "does not say what it returns"),
        *(
            (f"it=signals_of_tests:{name}", "cannot be called with a page alone")
            for name in ("nothing", "pair", "named")
        ),
        *((f"it=signals_of_tests:{name}", "does not return an answer, but") for name in ("later", "yields")),
        *(
            (f"it=signals_of_tests:{name}", "takes a list or returns one, and not")
            for name in ("lists", "one_of_many")
        ),
        ("words=signals_of_tests:whole", "there is a column 'words' already: choose another name"),
        ("date=signals_of_tests:whole", "there is a column 'date' already: choose another name"),
        ("id=signals_of_tests:whole", "there is a column 'id' already: choose another name"),
    ],
)
def test_a_signal_that_is_not_there_is_refused(
    signal: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "x.warc", tmp_path / "corpus", "--signal", signal) == 2
    assert said in capsys.readouterr().err
