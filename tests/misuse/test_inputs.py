"""Inputs as a careless user names them: nothing is lost, read twice or passed over in silence."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import find_inputs
from cedar.transforms.files.lists import LineSelection
from tests.helpers.crawl import write_warc


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A directory with `a.warc.gz` in `real/`."""
    write_warc(tmp_path / "in" / "real" / "a.warc.gz", 2)
    return tmp_path / "in"


def found(*inputs: Path | str, **options: object) -> list[str]:
    """The files of inputs, below the first one's directory."""
    return [file.path for file in find_inputs(map(str, inputs), **options).files]  # type: ignore[arg-type]


def refuse(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    """Make a directory one that cannot be read, also for root."""
    scandir = os.scandir

    def guarded(path: str | int) -> Iterator[os.DirEntry[str]]:
        if path == str(directory):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("cedar.transforms.files.inputs.os.scandir", guarded)


@pytest.mark.parametrize("pattern", ["", "**/*.warc.gz", "*/*.gz"])
def test_a_directory_that_cannot_be_read_is_named_and_nothing_is_written(
    pattern: str,
    crawl: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (crawl / "shut").mkdir()
    refuse(monkeypatch, crawl / "shut")
    given_input = f"{crawl}/{pattern}".rstrip("/")
    assert main(["extract", given_input, "--output", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"cedar: cannot read {crawl}/shut: Permission denied\n"
    assert not (tmp_path / "out").exists()


def test_a_watch_says_that_a_directory_cannot_be_read(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (crawl / "shut").mkdir()
    refuse(monkeypatch, crawl / "shut")
    with pytest.raises(PermissionError):
        find_inputs([str(crawl)], arriving=True)


def test_linked_directories_are_searched(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "january").symlink_to(crawl / "real")
    assert found(tmp_path / "links") == [f"{tmp_path}/links/january/a.warc.gz"]


@pytest.mark.parametrize("pattern", ["", "**", "**/*.warc.gz", "*/**/a.warc.gz"])
def test_links_that_go_around_in_a_circle_end(pattern: str, crawl: Path) -> None:
    (crawl / "loop").symlink_to(".")
    (crawl / "up").symlink_to("../in")
    (crawl / "real" / "top").symlink_to("../..")
    (crawl / "self").symlink_to("self")
    assert found(f"{crawl}/{pattern}".rstrip("/")) == [f"{crawl}/real/a.warc.gz"]


def test_a_link_that_leads_nowhere_is_named_and_does_not_refuse_the_run(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (crawl / "dead.warc.gz").symlink_to("gone")
    arguments = ["extract", str(crawl), "--output", str(tmp_path / "out"), "--extractor", "keep-all"]
    assert main(arguments) == 0
    assert f"cedar: passed over {crawl}/dead.warc.gz: the link leads nowhere\n" in capsys.readouterr().err
    assert len(list((tmp_path / "out" / "pages").iterdir())) == 1


def test_a_link_that_leads_nowhere_is_refused_when_it_is_named_or_alone(crawl: Path) -> None:
    (crawl / "dead.warc.gz").symlink_to("gone")
    with pytest.raises(InputError, match=r"cannot read .*dead.warc.gz: No such file"):
        found(crawl / "dead.warc.gz")
    (crawl / "real" / "a.warc.gz").unlink()
    with pytest.raises(InputError, match=r"no .warc .* only .*dead.warc.gz: the link leads nowhere"):
        found(crawl)


def test_what_is_not_a_file_is_passed_over_with_a_word_and_refused_when_it_is_named(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = crawl / "pipe.warc.gz"
    os.mkfifo(pipe)
    for number, named in enumerate((crawl, f"{crawl}/**/*.gz")):
        output = tmp_path / str(number)
        assert main(["extract", str(named), "--output", str(output), "--extractor", "keep-all"]) == 0
        assert f"cedar: passed over {pipe}: not a file\n" in capsys.readouterr().err
        assert len(list((output / "pages").iterdir())) == 1
    with pytest.raises(InputError, match=r"not a file: .*pipe.warc.gz"):
        found(pipe)


def test_a_file_that_a_link_leads_to_is_taken_once(crawl: Path) -> None:
    (crawl / "0.warc.gz").symlink_to(crawl / "real" / "a.warc.gz")
    (crawl / "1.warc.gz").symlink_to("0.warc.gz")
    assert found(crawl) == [f"{crawl}/real/a.warc.gz"]
    assert found(f"{crawl}/**/*.gz", crawl / "1.warc.gz") == [f"{crawl}/real/a.warc.gz"]


def test_a_file_is_taken_by_its_own_name_below_a_linked_directory(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(crawl)
    (crawl / "0.warc.gz").symlink_to(crawl / "real" / "a.warc.gz")
    assert found(tmp_path / "data") == [f"{tmp_path}/data/0.warc.gz"]
    assert found(f"{tmp_path}/data/") == [f"{tmp_path}/data/0.warc.gz"]
    assert found(f"{tmp_path}/data/**/*.gz") == [f"{tmp_path}/data/real/a.warc.gz"]


def test_which_name_is_taken_does_not_hang_on_the_order_of_the_arguments(crawl: Path) -> None:
    (crawl / "b.warc.gz").symlink_to("real/a.warc.gz")
    (crawl / "c.warc.gz").symlink_to("real/a.warc.gz")
    assert found(crawl / "c.warc.gz", crawl / "b.warc.gz") == [f"{crawl}/b.warc.gz"]
    assert found(crawl / "b.warc.gz", crawl / "real") == [f"{crawl}/real/a.warc.gz"]


def test_the_output_is_not_searched_under_any_name(crawl: Path) -> None:
    (crawl / "corpus").mkdir()
    write_warc(crawl / "corpus" / "x.warc.gz", 1)
    (crawl / "again").symlink_to("corpus")
    assert found(crawl, exclude=str(crawl / "corpus")) == [f"{crawl}/real/a.warc.gz"]


@given(links=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=8))
def test_whatever_links_there_are_each_file_is_found_once_at_its_own_place(
    links: list[tuple[int, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    top = tmp_path_factory.mktemp("links")
    places = [top, *(top / f"d{n}" for n in range(3)), *(top / "d0" / f"e{n}" for n in range(3))]
    for place in places:
        place.mkdir(exist_ok=True)
        (place / "x.warc").write_bytes(b"")
    for number, (at, to) in enumerate(links):
        (places[at] / f"link{number}").symlink_to(places[to])
    assert sorted(found(top)) == sorted(str(place / "x.warc") for place in places)
    assert sorted(found(top / "**" / "*.warc")) == sorted(found(top))


def test_a_list_may_have_a_byte_order_mark_comments_and_file_uris(crawl: Path) -> None:
    lines = f"\ufeff# of January\nreal/a.warc.gz\n  # nothing\nfile://{crawl}/real/a.warc.gz\n"
    (crawl / "list").write_text(lines.replace("real/", f"{crawl}/real/", 1))
    assert found(f"@{crawl}/list") == [f"{crawl}/real/a.warc.gz"]
    with pytest.raises(InputError, match="has 2 lines"):
        found(f"@{crawl}/list", lines=LineSelection(start=2))


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:20],
        lambda packed: packed[:12] + b"garbage" * 3,
        lambda packed: packed[:-8] + bytes(8),
        lambda packed: packed[:2],
    ],
)
def test_a_damaged_list_is_named(damage: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.gz").write_bytes(damage(gzip.compress(b"a.warc\n" * 99, mtime=0)))  # type: ignore[operator]
    assert main(["extract", f"@{tmp_path}/list.gz", "--output", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"cedar: cannot read the list {tmp_path}/list.gz: ")
    assert error.count("\n") == 1


def test_a_list_that_inflates_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cedar.transforms.files.lists._MAX_BYTES", 1000)
    (tmp_path / "list.gz").write_bytes(gzip.compress(b"a" * 1001))
    with pytest.raises(InputError, match="larger than"):
        found(f"@{tmp_path}/list.gz")


@pytest.mark.parametrize("packed", [False, True])
def test_a_line_that_cannot_be_a_path_is_named(packed: bool, crawl: Path) -> None:
    path, good = crawl / "list.txt", os.fsencode(f"{crawl}/real/a.warc.gz")
    for line, word in (
        (b"caf\xe9.warc", "UTF-8"),
        (b"@other.txt", "'@other.txt'"),
        (b"@list.txt", "'@list.txt'"),
        (b"cc:latest", "'cc:latest'"),
        (os.fsencode(path), "itself"),
    ):
        text = b"# of January\n" + good + b"\n" + line + b"\n"
        path.write_bytes(gzip.compress(text) if packed else text)
        with pytest.raises(InputError, match=r"line 3 of .*list.txt") as raised:
            found(f"@{path}")
        assert word in str(raised.value)


def test_a_list_that_names_itself_is_told_so(
    crawl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(crawl)
    (crawl / "l.txt").write_text("l.txt\n")
    assert main(["extract", "@l.txt", "--output", "out"]) == 2
    assert "line 1 of l.txt names the list itself" in capsys.readouterr().err
    assert not (crawl / "out").exists()


def test_hidden_archives_are_named(crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hidden = (".hidden.warc.gz", "...warc.gz", ".sub/x.warc.gz", ".sub/deep/.y.warc", "real/.z.wacz")
    for name in hidden:
        (crawl / name).parent.mkdir(parents=True, exist_ok=True)
        write_warc(crawl / name, 1)
    (crawl / ".git").mkdir()
    (crawl / ".git" / "config").write_text("")
    run = ["extract", str(crawl), "--extractor", "keep-all", "--output"]
    assert main([*run, str(tmp_path / "out")]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "passed over" in line]
    assert "hidden" in line
    assert f"and {len(hidden) - 1} more" in line
    assert "--log-level info" in line
    assert main([*run, str(tmp_path / "again"), "--log-level", "info"]) == 0
    told = capsys.readouterr().err
    assert all(f"passed over {crawl}/{name}: hidden" in told for name in hidden)
    assert ".git" not in told


def test_other_files_of_a_directory_are_listed_where_that_is_asked_for(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("INDEX.tsv", "a.wat.gz", "b.txt", "real/c.pdf")
    for name in names:
        (crawl / name).write_text("")
    run = ["extract", str(crawl), "--extractor", "keep-all", "--output"]
    assert main([*run, str(tmp_path / "out")]) == 0
    assert f"passed over {crawl}/INDEX.tsv and 3 more" in capsys.readouterr().err
    assert main([*run, str(tmp_path / "again"), "--log-level", "debug"]) == 0
    told = capsys.readouterr().err
    assert all(f"passed over {crawl}/{name}: " in told for name in names)


def test_a_file_uri_is_a_path(crawl: Path) -> None:
    path = crawl / "a b.warc.gz"
    (crawl / "real" / "a.warc.gz").rename(path)
    assert found(f"file://{crawl}/a%20b.warc.gz", f"FILE://localhost{crawl}/*.warc.gz") == [str(path)]
    assert main(["extract", f"file://{path}", "--output", f"file://{crawl}/out", "--quiet"]) == 0
    assert (crawl / "out" / "run.json").exists()


def test_a_page_of_html_is_pointed_to_the_command_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page"
    page.write_text("<p>A page, and no archive.")
    assert main(["extract", str(page), "--output", str(tmp_path / "corpus")]) == 1
    assert "a page of HTML: name it .html, or cedar text PAGE" in capsys.readouterr().err


def test_names_that_cannot_be_read_as_utf_8_are_told_of_at_once() -> None:
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "POSIX"}
    command = [sys.executable, "-m", "cedar", "extractors"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "cedar: names of files are ascii here: set PYTHONUTF8=1, or a locale of UTF-8\n"


def test_a_directory_that_was_deleted_around_the_user_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["filter", "corpus", "--dry-run", "--keep", "words > 3"]) == 1
    assert capsys.readouterr().err == "cedar: this directory has been deleted: change to another one\n"


def test_names_after_two_dashes_are_files_whatever_they_begin_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-dash.warc.gz", "--help"):
        write_warc(tmp_path / name, 2)
    command = ["extract", "--extractor", "cetr", "--quiet", "--output", "corpus"]
    assert main([*command, "--", "-dash.warc.gz", "--help"]) == 0
    sources = pq.read_table("corpus/pages", columns=["source"])["source"].to_pylist()
    assert {Path(source).name for source in sources} == {"--help", "-dash.warc.gz"}


@pytest.mark.parametrize("command", ["text", "explain", "extract"])
@pytest.mark.parametrize("name", ["-dash.warc.gz", "--page.html"])
def test_a_file_whose_name_would_be_an_option_is_told_how_to_be_named(
    name: str,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(b"")
    (tmp_path / "--quiet").write_bytes(b"")  # an option is one, whatever files there are
    assert main([command, name, "--quiet", "--output", "made"]) == 2
    said = f"cedar: {name} would be an option: to name the file, write ./{name}\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.warc.lz4", b"", ": this packing is not read, use gzip or zstd"),
        ("a.pdf", b"%PDF-1.7 a", " is not HTML: it begins as a PDF, a picture or an archive does"),
        ("a.html", b"\x89PNG\r\n", " is not HTML: it begins as a PDF, a picture or an archive does"),
        (
            "p.html.gz",
            gzip.compress(b"<p>a", mtime=0),
            " has no page: no record is in it (HTML is read unpacked)",
        ),
        (
            "a.warc",
            b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\n"
            b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}\r\n\r\n",
            " has no page (not a page: http://a.example/ (media_type: application/json))",
        ),
    ],
)
def test_a_file_without_a_page_says_why(
    name: str, content: bytes, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert main(["text", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err == f"cedar: {tmp_path}/{name}{why}\n"


@pytest.mark.parametrize("command", ["text", "explain"])
def test_a_directory_is_no_page_and_is_not_listed(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cedar.pipelines.common.page_lookup.list_inputs", None)
    assert main([command, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"cedar: {tmp_path} is a directory: name a file in it\n"


@pytest.mark.parametrize(
    ("option", "names", "refused"),
    [
        ("--html-column=body", ["a.warc.gz"], "--html-column is for tables: Parquet and JSON lines; "),
        ("--url-column=u", ["a.warc.gz", "p.html"], "--url-column is for tables: Parquet and JSON lines; "),
        ("--base-url=https://a.example/", ["a.warc.gz", "t.jsonl"], "--base-url is for files of HTML; "),
        ("--base-url=https://a.example/", ["a.warc.gz", "p.html"], None),
        ("--html-column=body", ["a.warc.gz", "t.jsonl"], None),
    ],
)
def test_an_option_of_other_inputs_than_there_are_is_refused(
    option: str, names: list[str], refused: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "a.warc.gz", 2)
    (tmp_path / "p.html").write_text("<p>a")
    (tmp_path / "t.jsonl").write_text('{"url": "https://a.example/", "body": "<p>a"}\n')
    command = [
        "extract",
        *(str(tmp_path / name) for name in names),
        option,
        "--output",
        str(tmp_path / "out"),
    ]
    code = main([*command, "--plan"])
    error = capsys.readouterr().err
    assert code == (0 if refused is None else 2), error
    if refused is not None:
        assert error == f"cedar: {refused}there are none of them in the input\n"


def test_a_column_is_refused_for_a_page_of_an_archive(
    crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = str(crawl / "real" / "a.warc.gz")
    assert main(["text", archive, "--url", "https://crawl.example/1", "--html-column", "body"]) == 2
    assert capsys.readouterr().err.startswith("cedar: --html-column is for tables")
