"""Signals of the user's own: docs/own-signal.md, and what functions may do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import cedar
from pipelines.cli import main
from tests.crawl import write_warc
from tests.documents import page, python_examples
from tests.extract.runs import books, extract, page_rows
from tests.test_curate import rows
from transforms.curation.own_signals import OwnSignals, own_signal
from transforms.model.books import RejectedError

MODULE = """
import os
import numpy
import cedar

def number(page: cedar.SignalInput) -> "float | None":
    return {"nan": float("nan"), "none": None, "int": 3, "numpy": numpy.float32(0.5), "list": [],
            "bool": True, "text": "x"}[page.text]

def whole(page: cedar.SignalInput) -> int:
    return len(page.url)

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

def silent(page): ...
def two(page) -> int | str: ...
"""


@pytest.fixture(scope="module", autouse=True)
def _modules(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A package of functions, and the one of the manual, on the path."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "signals_of_tests.py").write_text(MODULE)
    (folder / "shouting.py").write_text(python_examples(page("own-signal"))[0])
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def answer(name: str, text: str = "") -> object:
    given = cedar.SignalInput(text, "http://a.example/", None, None)
    return OwnSignals([own_signal(f"it=signals_of_tests:{name}")]).of(given).values["it"]


def test_answers_are_values_of_the_type_that_was_announced() -> None:
    assert [answer("number", text) for text in ("nan", "none", "int", "numpy")] == [None, None, 3.0, 0.5]
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
        ("fails", "exit", "it: SystemExit: no"),
        ("fails", "memory", "it: MemoryError: no"),
        ("fails", "plain", "it: ValueError: no"),
    ],
)
def test_a_function_that_fails_rejects_its_page(name: str, text: str, said: str) -> None:
    with pytest.raises(RejectedError) as error:
        answer(name, text)
    assert str(error.value) == f"signal_error: {said}"


def test_a_class_is_made_once() -> None:
    signals = OwnSignals([own_signal("it=signals_of_tests:Made")])
    given = cedar.SignalInput("", "", None, None)
    assert [signals.of(given).values["it"] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(
        ValueError, match="signal 'signals_of_tests:Broken' cannot be made: OSError: no model"
    ):
        answer("Broken")


def test_the_signals_of_the_manual_are_columns(tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 4), tmp_path / "corpus"
    signals = ["--signal", "capitals=shouting:capitals", "--keep", "capitals < 0.3"]
    assert extract(crawl, corpus, *signals, "--signal", "odd=signals_of_tests:fails", "--workers", "1") == 0
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
        ("words=signals_of_tests:whole", "there is a column 'words' already: choose another name"),
    ],
)
def test_a_signal_that_is_not_there_is_refused(
    signal: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "x.warc", tmp_path / "corpus", "--signal", signal) == 2
    assert said in capsys.readouterr().err
