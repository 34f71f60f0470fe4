"""Outputs that are, hold or lie in an input, by whatever name: nothing is written, and a line says so."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.sample.archive import write_sample
from cedar.transforms.files.places import absolute, lies_in, relation
from tests.dedup.corpora import Kind, Made, words, write_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(
        tmp_path / "corpora" / "v", [[Made(" ".join(words(number, 40))) for number in range(4)]], Kind()
    )


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def refused(capsys: pytest.CaptureFixture[str], *command: object) -> str:
    """The line with which a command is refused."""
    assert main([str(word) for word in command]) == 2, command
    (line,) = capsys.readouterr().err.splitlines()
    return line


PLACES = ("corpora/v", "link", "corpora/x/../v", "link/pages", "corpora/v/deep/below", "corpora", "./link/.")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", ["filter", "dedup", "dedup against"])
def test_no_corpus_is_written_over_into_or_around_an_input(
    command: str, place: str, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to(corpus)
    if command == "dedup against":
        # The result is what `place` leads to.
        os.rename(corpus, tmp_path / "other")
        assert main(["dedup", str(tmp_path / "other"), "--output", str(corpus), "--quiet"]) == 0
        options = ["dedup", tmp_path / "other", "--against", corpus]
    else:
        options = [command, corpus, *(["--keep", "words > 1"] if command == "filter" else [])]
    before = contents(tmp_path)
    line = refused(capsys, *options, "--output", f"{tmp_path}/{place}", "--overwrite", "--quiet")
    assert any(
        word in line
        for word in (" is an input", " lies in the input ", " holds the input ", " is the input ")
    )
    assert contents(tmp_path) == before


@pytest.mark.parametrize("options", [(), ("--watch", "0.1")])
@pytest.mark.parametrize(
    ("place", "output", "said"),
    [
        (".", ".", "is the"),
        ("link", ".", "is the"),
        (".", "link", "is the"),
        ("below", "link", "lies in the"),
    ],
)
def test_a_folder_that_is_read_is_not_the_output(
    place: str,
    output: str,
    said: str,
    options: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    crawl = tmp_path / "crawl"
    (crawl / "below").mkdir(parents=True)
    (crawl / "link").symlink_to(crawl)
    with (crawl / "below" / "a.warc.gz").open("wb") as file:
        write_sample(file)
    before = contents(crawl)
    line = refused(
        capsys, "extract", crawl / place, "--output", crawl / output, "--extractor", "cetr", *options
    )
    assert f"{said} output {absolute(str(crawl / output))}, which is not searched" in line
    assert contents(crawl) == before


def test_a_corpus_named_twice_through_a_link_is_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to(corpus)
    line = refused(capsys, "dedup", corpus, tmp_path / "link", "--output", tmp_path / "result")
    assert f"is named twice: it is {corpus}" in line
    assert not (tmp_path / "result").exists()


def test_places_that_have_nothing_in_common_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    assert relation(f"{tmp_path}/corpus-2", f"{tmp_path}/corpus") is None
    assert relation("s3://bucket/corpus-2", "s3://bucket/corpus/") is None
    assert relation(f"{tmp_path}/corpus", "s3://bucket/corpus") is None
    assert relation("S3://bucket/corpus/pages", "s3://bucket/corpus/") == "lies in"
    assert relation("s3://bucket", "s3://bucket/corpus/") == "holds"
    assert absolute("S3://bucket/corpus/") == "s3://bucket/corpus"
    assert lies_in(f"{tmp_path}/corpus", "/")


# Files


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "X.warc.gz"
    with path.open("wb") as file:
        write_sample(file)
    return path


@pytest.mark.parametrize("how", ["itself", "link", "hard link", "page of HTML", "gold"])
def test_explain_writes_over_nothing_that_it_reads(
    how: str, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, gold, target = tmp_path / "page.html", tmp_path / "gold.txt", tmp_path / "target"
    page.write_text("<p>A page of some words.")
    gold.write_text("A page of some words.")
    command: list[object] = ["explain", page, "--gold", gold]
    if how in ("page of HTML", "gold"):
        target = page if how == "page of HTML" else gold
    else:
        command = ["explain", archive, "--url", "https://news.cedar.example/council-budget"]
        if how == "itself":
            target = archive
        elif how == "link":
            target.symlink_to(archive)
        else:
            os.link(archive, target)
    before = contents(tmp_path)
    assert "choose another name" in refused(capsys, *command, "--output", target)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["corpus.json", "run.json", "pages/report.html", "shards/x"])
def test_a_report_writes_over_no_part_of_a_corpus(
    name: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(corpus)
    assert "choose another name" in refused(capsys, "report", corpus, "--output", corpus / name)
    assert contents(corpus) == before


def test_what_is_drawn_takes_the_place_of_drawings_alone(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl, page = tmp_path / "crawl.warc.gz", tmp_path / "page.html"
    with crawl.open("wb") as file:
        write_sample(file)
    page.write_text("<!DOCTYPE html><title>Of somebody</title><p>Words.")
    before = contents(tmp_path)
    gold = Path(__file__).parents[1] / "gold" / "handmade"
    for target in (crawl, page):
        for command in (("report", corpus), ("explain", page), ("evaluate", gold, "--extractor", "cetr")):
            if (command[0], target) != ("explain", page):
                assert refused(capsys, *command, "--output", target) == (
                    f"cedar: {target} is there, and Cedar did not write it: choose another name"
                )
    assert contents(tmp_path) == before
    for _ in range(2):
        assert main(["report", str(corpus), "--output", str(tmp_path / "new.html")]) == 0
    assert main(["explain", str(page), "--output", str(tmp_path / "new.html")]) == 0


SPECIAL = ("pipe", "dangling link", "link to a file", "link to standard output", "directory", "device")


@pytest.mark.parametrize("what", SPECIAL)
def test_files_take_the_place_of_regular_files_alone(
    what: str,
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target, page, link = tmp_path / "target", tmp_path / "page.html", "is a link: name a file"
    page.write_text("<p>A page of some words.")
    said = link if "link" in what else "is not a regular file: name a file"
    if what == "pipe":
        os.mkfifo(target)
    elif what == "directory":
        target.mkdir()
    elif what == "device":
        try:
            os.mknod(target, stat.S_IFCHR | 0o600, os.makedev(1, 7))  # as /dev/full
        except PermissionError:
            pytest.skip("only root makes devices")
    else:
        (tmp_path / "report.html").write_text("")
        places = {"dangling link": "nowhere", "link to a file": "report.html"}
        target.symlink_to(places.get(what, "/proc/self/fd/1"))
    before = target.lstat()[:7]  # without the time of access: a link is read
    gold = Path(__file__).parents[1] / "gold" / "handmade"
    monkeypatch.setattr("cedar.pipelines.report.command.read_facts", None)  # refused before any work
    monkeypatch.setattr("cedar.pipelines.explain.command.read_page", None)
    monkeypatch.setattr("cedar.pipelines.evaluate.command.score", None)
    commands: list[list[object]] = [
        ["report", corpus, "--output"],
        ["report", corpus, "--text", "--output"],
        ["explain", page, "--output"],
        ["evaluate", gold, "--output"],
        ["evaluate", gold, "--results"],
        ["extract", page, "--output", tmp_path / "o", "--metrics-file"],
        ["extract", tmp_path, "--output", tmp_path / "o", "--watch", "9", "--metrics-file"],
    ]
    for command in commands:
        assert refused(capsys, *command, target) == f"cedar: {target} {said}"
        assert target.lstat()[:7] == before
    assert not (tmp_path / "o").exists()


def test_figures_of_a_run_are_written_over_no_input_and_into_no_corpus(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, corpus = archive.read_bytes(), tmp_path / "new"
    command = ("extract", archive.parent, "--output", corpus, "--metrics-file")
    assert refused(capsys, *command, archive).endswith("choose another name")
    assert refused(capsys, *command, corpus / "pages" / "a.prom").endswith(
        f"the output {corpus}: choose another name"
    )
    assert archive.read_bytes() == before
    assert not corpus.exists()


@pytest.mark.parametrize("what", ["figures", "results"])
def test_a_file_of_others_is_not_written_over(
    what: str, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, file = Path(__file__).parents[1] / "gold" / "handmade", tmp_path / "mine"
    commands: dict[str, list[object]] = {
        "figures": ["extract", archive, "--output", tmp_path / "new", "--metrics-file", file],
        "results": ["evaluate", gold, "--limit", "1", "--extractor", "cetr", "--results", file],
    }
    command = [str(word) for word in (*commands[what], "--workers", "1", "--quiet")]
    for content in ("node_load1 0.5\n", '{"mine": 1}'):
        file.write_text(content)
        assert str(file) in refused(capsys, *command)
        assert file.read_text() == content
    file.write_text("")
    assert main(command) == main(command) == 0


@pytest.mark.parametrize("kind", ["data set", "result", "site"])
def test_a_directory_is_one_kind_of_result(
    kind: str, corpus: Path, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "place"
    makers: dict[str, list[object]] = {
        "data set": ["export", corpus, "--output", place, "--quiet"],
        "result": ["dedup", corpus, "--output", place, "--quiet"],
        "site": ["browse", corpus, "--output", place],
        "corpus": ["extract", archive, "--output", place, "--quiet"],
    }
    assert main([str(word) for word in makers.pop(kind)]) == 0
    before = sorted(place.rglob("*"))
    for command in makers.values():
        assert str(place) in refused(capsys, *command)
    assert sorted(place.rglob("*")) == before


def test_a_report_may_lie_beside_the_folders_of_a_corpus(corpus: Path) -> None:
    for _ in range(2):
        assert main(["report", str(corpus), "--output", str(corpus / "report.html")]) == 0


@pytest.mark.parametrize("option", ["--output", "--results"])
def test_results_are_written_over_no_gold(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "set-pages"
    gold.mkdir()
    (gold / "a.html").write_text("<p>words")
    target = {"--output": tmp_path / "set.html", "--results": gold / "a.html"}[option]
    assert "choose another name" in refused(capsys, "evaluate", gold, option, target)
    assert (gold / "a.html").read_text() == "<p>words"


def test_rows_of_the_output_are_not_an_input(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "output"
    (output / "pages").mkdir(parents=True)
    inside = output / "pages" / "X.warc.gz"
    archive.rename(inside)
    assert "is part of the output" in refused(capsys, "extract", inside, "--output", output)
