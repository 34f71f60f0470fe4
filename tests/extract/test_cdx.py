"""`cedar extract --cdx`: the captures that an index names, as a whole reading has them, and no others."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.extract.test_revisits import archives  # noqa: F401 - a fixture
from tests.helpers.corpus import books, rows
from tests.helpers.crawl import index_lines, write_warc


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two folders, each with a file of the same name, and one more."""
    folder = tmp_path_factory.mktemp("indexed") / "in"
    for number, name in enumerate(("one/a.warc.gz", "two/a.warc.gz", "two/b.warc.gz")):
        write_warc(folder / name, 12, first=100 * number)
    return folder


@pytest.fixture(scope="module")
def whole(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    corpus = tmp_path_factory.mktemp("whole") / "corpus"
    assert extract(crawl, corpus) == 0
    return rows(corpus)


def write_index(path: Path, *lines: str) -> str:
    path.write_text("".join(lines))
    return str(path)


def even(lines: list[str]) -> list[str]:
    return [line for line in lines if line.split()[0].endswith(("0", "2", "4", "6", "8"))]


def test_captures_of_an_index_are_those_of_the_whole_reading(
    crawl: Path, whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    lines = [
        line for name in ("one/a.warc.gz", "two/b.warc.gz") for line in even(index_lines(crawl / name, name))
    ]
    index = write_index(tmp_path / "x.cdxj", '!meta {"creator": "test"}\n', *lines)
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 0
    expected = [
        row for row in whole if int(row["url"].rpartition("/")[2]) % 2 == 0 and "two/a" not in row["source"]
    ]
    assert rows(tmp_path / "c") == expected
    assert len(expected) == 12
    assert books(tmp_path / "c")["records_read"] == len(lines)


def test_the_same_command_goes_on_and_another_index_is_refused(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = index_lines(crawl / "two" / "b.warc.gz")
    index = write_index(tmp_path / "x.cdxj", *lines)
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 0
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 0
    assert extract(crawl, tmp_path / "c", "--cdx", write_index(tmp_path / "x.cdxj", *lines[1:])) == 2
    assert "cdx" in capsys.readouterr().err


def as_cdx(lines: list[str]) -> list[str]:
    """The same as lines of the older format."""
    found = [" CDX N b a m s k r M S V g\n"]
    for line in lines:
        key, timestamp, fields = line.split(" ", 2)
        of = json.loads(fields)
        found.append(
            f"{key} {timestamp} {of['url']} - - - - - {of['length']} {of['offset']} {of['filename']}\n"
        )
    return found


def packed(path: Path, lines: list[str]) -> None:
    path.write_bytes(b"".join(gzip.compress(line.encode()) for line in lines))


@pytest.mark.parametrize(
    "write",
    [
        lambda path, lines: path.write_text("".join(as_cdx(lines))),
        packed,
        lambda path, lines: path.write_text("".join([*lines, *lines])),
    ],
)
def test_cdx_and_packed_and_repeated_lines_are_read(
    crawl: Path, tmp_path: Path, write: Callable[[Path, list[str]], object]
) -> None:
    warc = crawl / "two" / "b.warc.gz"
    write(tmp_path / "index", index_lines(warc))
    assert extract(warc, tmp_path / "c", "--cdx", str(tmp_path / "index")) == 0
    assert len(rows(tmp_path / "c")) == 12


def test_names_of_files_are_matched_by_as_many_folders_as_they_have(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for called, found in (("two/a.warc.gz", "two"), ("/elsewhere/one/a.warc.gz", "one")):
        index = write_index(tmp_path / "x.cdxj", *index_lines(crawl / found / "a.warc.gz", called))
        assert extract(crawl, tmp_path / found, "--cdx", index) == 0
        assert {row["source"] for row in rows(tmp_path / found)} == {str(crawl / found / "a.warc.gz")}
    index = write_index(tmp_path / "x.cdxj", *index_lines(crawl / "one" / "a.warc.gz"))
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 2
    told = capsys.readouterr().err
    assert str(crawl / "one" / "a.warc.gz") in told
    assert str(crawl / "two" / "a.warc.gz") in told
    assert not (tmp_path / "c").exists()


def test_files_that_are_no_inputs_are_named_and_their_captures_left_out(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = [line.replace("a.warc.gz", "gone.warc.gz") for line in index_lines(crawl / "one" / "a.warc.gz")]
    index = write_index(tmp_path / "x.cdxj", *gone, *index_lines(crawl / "two" / "b.warc.gz"))
    assert main(["extract", str(crawl), "--cdx", index, "--output", str(tmp_path / "c")]) == 0
    assert "gone.warc.gz" in capsys.readouterr().err
    assert books(tmp_path / "c")["pages"] == 12
    index = write_index(tmp_path / "x.cdxj", *gone)
    assert extract(crawl, tmp_path / "d", "--cdx", index) == 2
    assert "gone.warc.gz" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "com,example)/ 2026 {}\n",
        'com,example)/ 2026 {"url": "u", "filename": "f", "offset": "x", "length": "1"}\n',
        "no index\n",
        "com,example)/ 2026 [1]\n",
        " CDX N b a\ncom,example)/ 2026\n",
        "com,example)/ 2026 {\n",
        "\xff\n",
        'com,example)/ 2026 {"url": "u", "filename": "f", "offset": null, "length": "1"}\n',
        "com,example)/ 2026 7\n",
        'com,example)/ 2026 {"url": "\\ud800", "filename": "f", "offset": "0", "length": "1"}\n',
        'com,example)/ 2026 {"url": "u", "filename": "f", "offset": 1e999, "length": "1"}\n',
        'com,example)/ 2026 {"url": "u", "filename": "f", "offset": "9223372036854775808", "length": "1"}\n',
        'com,example)/ 2026 {"url": "u", "filename": "f", "offset": "-1", "length": "1"}\n',
        f"com,example)/ 2026 {'[' * 100_000}\n",
        f"com,example)/ 2026 {'[' * 2_000_000}\n",
    ],
)
def test_what_is_no_index_is_refused_with_its_line(
    crawl: Path, tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    index = write_index(tmp_path / "x.cdxj", *index_lines(crawl / "two" / "b.warc.gz"), line)
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 2
    told = capsys.readouterr().err
    assert f"{index}, line" in told
    assert told.count("\n") == 1
    assert not any(word in told for word in ("unpack", "NoneType", "zip()", "iterable", "indices"))


def test_an_index_of_other_files_is_a_failure(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = index_lines(crawl / "two" / "b.warc.gz")
    foreign = [line.replace('"offset": "', '"offset": "9') for line in lines]
    index = write_index(tmp_path / "x.cdxj", *foreign)
    assert extract(crawl, tmp_path / "c", "--cdx", index) == 1
    assert "is it the index of these files?" in capsys.readouterr().err
    index = write_index(tmp_path / "x.cdxj", *foreign, *lines)
    assert extract(crawl, tmp_path / "d", "--cdx", index) == 0


def write_wacz(path: Path, warc: Path, lines: list[str], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("indexes/index.cdx.gz", gzip.compress("".join(lines).encode()))
        file.writestr("indexes/index.idx", "!meta {}\n")
        file.write(warc, f"archive/{warc.name}", method)
    return path


def test_the_index_of_a_wacz_is_of_its_own_files(crawl: Path, tmp_path: Path) -> None:
    paths = [crawl / name / "a.warc.gz" for name in ("one", "two")]
    waczs = [
        write_wacz(tmp_path / f"{number}.wacz", path, even(index_lines(path)))
        for number, path in enumerate(paths)
    ]
    inputs = list(map(str, waczs))
    assert main(["extract", *inputs, "--quiet", "--output", str(tmp_path / "whole")]) == 0
    assert main(["extract", *inputs, "--quiet", "--cdx", inputs[1], "--output", str(tmp_path / "c")]) == 0
    expected = [row for row in rows(tmp_path / "whole") if row["source"] == inputs[1]]
    assert rows(tmp_path / "c") == [row for row in expected if int(row["url"].rpartition("/")[2]) % 2 == 0]
    assert {row["warc_name"] for row in rows(tmp_path / "c")} == {"archive/a.warc.gz"}


def test_a_wacz_whose_files_no_index_leads_into_is_refused(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warc = crawl / "one" / "a.warc.gz"
    wacz = write_wacz(tmp_path / "x.wacz", warc, index_lines(warc), zipfile.ZIP_DEFLATED)
    assert extract(wacz, tmp_path / "c", "--cdx", str(wacz)) == 2
    assert "archive/a.warc.gz" in capsys.readouterr().err


def test_revisits_of_an_index_are_rows_as_in_a_whole_reading(archives: Path, tmp_path: Path) -> None:  # noqa: F811
    warc = archives / "2015" / "b.warc.gz"
    assert extract(warc, tmp_path / "whole") == 0
    index = write_index(tmp_path / "x.cdxj", *index_lines(warc))
    assert extract(warc, tmp_path / "c", "--cdx", index) == 0
    assert rows(tmp_path / "c", "revisits") == rows(tmp_path / "whole", "revisits")
    assert books(tmp_path / "c")["rejected"] == {"not_response": 5}


def test_a_sample_of_an_index_is_that_of_the_files(crawl: Path, tmp_path: Path) -> None:
    warc = crawl / "two" / "b.warc.gz"
    index = write_index(tmp_path / "x.cdxj", *index_lines(warc))
    for name, more in (("files", ()), ("index", ("--cdx", index))):
        assert extract(warc, tmp_path / name, "--sample", "40%", *more) == 0
    assert rows(tmp_path / "index") == rows(tmp_path / "files")
    assert 0 < len(rows(tmp_path / "index")) < 12


def test_an_index_as_input_is_refused_with_what_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "x.cdxj", tmp_path / "c") == 2
    assert f"--cdx {tmp_path}/x.cdxj" in capsys.readouterr().err


@pytest.mark.parametrize("more", [("--watch", "1"), ("--select", "tld=is")])
def test_what_does_not_go_with_an_index_is_refused(
    crawl: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    index = write_index(tmp_path / "x.cdxj", "\n")
    assert extract(crawl, tmp_path / "c", "--cdx", index, *more) == 2


def test_the_plan_of_an_index_counts_its_captures(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = write_index(tmp_path / "x.cdxj", *even(index_lines(crawl / "two" / "b.warc.gz")))
    assert main(["extract", str(crawl), "--cdx", index, "--plan", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["files"], told["pages"], told["requests"]) == (1, {"low": 6, "high": 6}, 0)
    assert main(["extract", str(crawl), "--cdx", index, "--plan"]) == 0
    assert "index: 6 captures in 1 file" in capsys.readouterr().out
