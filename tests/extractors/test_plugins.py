"""Extractors of other packages: found, described, run like any other, never from the current directory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cedar import extract
from cedar.pipelines.cli import main
from cedar.transforms.model.books import RejectedError
from tests.helpers.crawl import article, write_warc

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs" / "own-extractor.md").read_text(encoding="utf-8")

METHODS = """
import time
from typing import Literal

import cedar


@cedar.extractor(summary="Say the size of a page.")
def shout(
    html: str, *, times: int = 1, mark: Literal["!", "?"] = "!", loud: bool = True, end: str = ""
) -> str:
    return f"{len(html)}{mark * times}{end}\\x07\\n\\ud800 loud: {loud}"


@cedar.extractor(summary="never ends on some pages", paper="Nobody, 2026", guarded=True)
def slow(html: str) -> str:
    while "Page 2<" in html:
        pass
    return "quick"


@cedar.extractor(summary="never works")
def fails(html: str) -> str:
    raise KeyError("page")


@cedar.extractor(summary="never works")
def wrong(html: str):
    return 3


def undescribed(html: str) -> str:
    return ""


NUMBER = 3
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A directory with a distribution `shouting` 1.5, whose module is `shouting_methods`."""
    site = tmp_path / "site"
    metadata = site / "shouting-1.5.dist-info"
    metadata.mkdir(parents=True)
    (site / "shouting_methods.py").write_text(METHODS, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.5\n")
    (metadata / "entry_points.txt").write_text("[cedar.extractors]\nshout = shouting_methods:shout\n")
    (metadata / "RECORD").write_text("shouting_methods.py,,\n")
    (metadata / "top_level.txt").write_text("shouting_methods\n")
    return site


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same distribution, as this process sees what is installed."""
    monkeypatch.syspath_prepend(package)
    monkeypatch.setenv("PYTHONPATH", str(package))
    monkeypatch.delitem(sys.modules, "shouting_methods", raising=False)
    return package


def cedar(*arguments: object, path: Path | None, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with a PYTHONPATH, from a directory."""
    entries = [str(ROOT), *([str(path)] if path else [])]
    return subprocess.run(
        [sys.executable, "-P", "-m", "cedar", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(entries)},
    )


@pytest.mark.usefixtures("installed")
def test_a_function_is_named_by_its_module_or_by_its_entry_point(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>abc")
    for name in ("shouting_methods:shout", "shout"):
        assert main(["text", str(page), "--extractor", f"{name}:times=3,mark=?,loud=false"]) == 0
        assert capsys.readouterr().out == "6???\n\ufffd loud: False\n"
    assert main(["extractors"]) == 0
    assert re.search(r"^shout +Say the size of a page\.$", capsys.readouterr().out, re.MULTILINE)
    for name in ("shouting_methods:shout", "shout"):
        assert main(["extractors", name]) == 0
        listed = capsys.readouterr().out
        assert f"{name}: Say the size of a page.\n    from another package\n    times=1: " in listed


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shouting_methods:none", "shouting_methods has no function 'none'"),
        ("shouting_methods:NUMBER", "shouting_methods has no function 'NUMBER'"),
        (
            "shouting_methods:undescribed",
            'undescribed of shouting_methods is not described as one: write @cedar.extractor(summary="what',
        ),
        ("os:getcwd", "getcwd of os is not described as one: write @cedar.extractor(summary="),
        ("ceder", "unknown extractor 'ceder': did you mean cedar?"),
        ("Cetd_DS", "unknown extractor 'Cetd_DS': did you mean cetd-ds?"),
        ("shuot", "unknown extractor 'shuot': did you mean shout?"),
        ("readability", "unknown extractor 'readability'; there are: cedar, cetr,"),
        ("no_such_package_here:f", "no package 'no_such_package_here' is installed"),
        ("shout:times=x", "times must be a whole number"),
        ("shout:mark=.", "mark must be ! or ?"),
        ("shout:volume=1", "has no option 'volume'"),
    ],
)
@pytest.mark.usefixtures("installed")
def test_what_is_no_extractor_ends_before_the_run(
    tmp_path: Path, name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>abc")
    assert main(["text", str(page), "--extractor", name]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1


@pytest.mark.slow
def test_the_current_directory_is_never_looked_through(package: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>abc")
    (tmp_path / "lying_here.py").write_text("open('ran', 'w').close()\ndef f(html): return 'x'\n")
    for launcher in ([sys.executable, "-m", "cedar"], [sys.executable, "-P", "-m", "cedar"]):
        done = subprocess.run(
            [*launcher, "text", "page.html", "--extractor", "lying_here:f"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert done.returncode == 2
        assert "the current directory is not looked through" in done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_run_writes_its_rows_options_and_version(installed: Path, tmp_path: Path) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 4)
    done = cedar(
        *("extract", crawl, "--output", "corpus", "--workers", "2", "--split-size", "64KiB"),
        *("--extractor", "shouting_methods:shout:times=2"),
        path=installed,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    rows = pq.ParquetDataset(tmp_path / "corpus" / "pages").read().to_pylist()
    assert sorted(row["url"][-1] for row in rows) == ["0", "1", "2", "3"]
    assert {row["text"] for row in rows} == {f"{len(article(n))}!!\n\ufffd loud: True" for n in range(4)}
    assert {row["extractor"] for row in rows} == {"shouting_methods:shout"}
    options = json.loads(rows[0]["extractor_options"])
    assert options == {
        "@distribution": "shouting 1.5",
        "end": "",
        "loud": True,
        "mark": "!",
        "times": 2,
    }

    # Another version is another corpus.
    metadata = installed / "shouting-1.5.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.5", "1.6"))
    again = ["extract", str(crawl), "--output", str(tmp_path / "corpus"), "--split-size", "64KiB"]
    assert main([*again, "--extractor", "shouting_methods:shout:times=2"]) == 2


@pytest.mark.slow
def test_a_page_that_holds_a_guarded_function_up_is_one_reject(package: Path, tmp_path: Path) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 4)
    command = ("extract", crawl, "--output", "corpus", "--extractor", "shouting_methods:slow")
    done = cedar(*command, "--page-timeout", "0.4", path=package, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = pq.ParquetDataset(tmp_path / "corpus" / "pages").read().to_pylist()
    assert [row["text"] for row in rows] == ["quick"] * 3
    rejects = pq.ParquetDataset(tmp_path / "corpus" / "rejects").read().to_pylist()
    assert [row["reason"] for row in rejects if row["url"].endswith("/2")] == ["time_limit"]


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_what_fails_or_returns_something_else_is_a_reject_of_each_page(tmp_path: Path) -> None:
    with pytest.raises(RejectedError, match="returned int: return a str"):
        extract("<p>abc", "shouting_methods:wrong")
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 1), tmp_path / "corpus"
    command = ["extract", str(crawl), "--output", str(corpus), "--extractor", "shouting_methods:fails"]
    assert main([*command, "--workers", "1"]) == 1
    rejects = pq.ParquetDataset(corpus / "rejects").read().to_pylist()
    failed = [row["reason"] for row in rejects if "KeyError: 'page'" in (row["detail"] or "")]
    assert failed == ["extractor_error"]


@pytest.mark.slow
def test_the_tutorial_works(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n# paragraphs.py\n(.*?)```", TUTORIAL, re.DOTALL)
    (commands,) = re.findall(r"```\n(cedar .*?)```", TUTORIAL, re.DOTALL)
    site = tmp_path / "site"
    site.mkdir()
    (site / "paragraphs.py").write_text(code)
    (tmp_path / "page.html").write_bytes(article(1))
    write_warc(tmp_path / "crawl" / "a.warc.gz", 3)
    text, run = (line.split()[1:] for line in commands.splitlines())
    done = cedar(*text, path=site, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 12
    run[1] = "crawl/a.warc.gz"  # what a shell makes of the pattern
    assert cedar(*run, path=site, cwd=tmp_path).returncode == 0
    rows = pq.ParquetDataset(tmp_path / "corpus" / "pages").read().to_pylist()
    assert [row["content_lines"] for row in rows] == [12] * 3
    assert len(TUTORIAL.splitlines()) <= 60
