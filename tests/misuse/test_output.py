"""What a person sees: escape sequences from outside, streams that cannot be written, commands to copy."""

from __future__ import annotations

import ast
import io
import logging
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cedar.pipelines
from cedar.pipelines.cli import main
from cedar.pipelines.common.logs import LogOptions, configure_logging
from cedar.pipelines.common.terminal import escape_controls, shell_command
from tests.helpers.crawl import respond, write_warc

HOSTILE = "x\x1b]0;OWNED\x07\x1b[31m\u202e\n\r\x9b"
SAFE = "x‹U+001B›]0;OWNED‹U+0007›‹U+001B›[31m‹U+202E›"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return write_warc(tmp_path / "a.warc.gz", 2)


def extract(crawl: Path, output: Path | str, *more: str) -> int:
    return main(["extract", str(crawl), "--output", str(output), "--extractor", "keep-all", *more])


def assert_safe(text: str) -> None:
    assert not [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e")]


def test_names_in_messages_do_not_steer_the_terminal(
    tmp_path: Path, crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list").write_bytes(HOSTILE.replace("\n", "").encode() + b"\n")
    assert main(["extract", f"@{tmp_path}/list", "--output", str(tmp_path / "o")]) == 2
    assert main(["extract", HOSTILE, "--output", "o"]) == 2
    assert main(["extract", "a", "--output", "o", f"--{HOSTILE}"]) == 2
    assert main(["explain", str(crawl), f"--url={HOSTILE}"]) == 2
    assert main(["report", HOSTILE]) == 2
    assert main(["evaluate", HOSTILE]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert_safe(error)
    assert SAFE in error
    assert error.count("\n") == 6


def test_the_name_of_an_output_does_not_steer_the_terminal(
    tmp_path: Path, crawl: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "o\x1b[31m\x1b]0;x\x07"
    assert extract(crawl, output) == 0
    assert main(["report", str(output), "--text"]) == 0
    assert main(["explain", str(crawl), "--url=https://crawl.example/1", "--text"]) == 0
    out, error = capsys.readouterr()
    assert_safe(out + error)
    assert "o‹U+001B›[31m" in out


def test_logs_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(LogOptions())
    logging.getLogger("cedar.transforms.follow").warning("%s will be tried again", HOSTILE)
    error = capsys.readouterr().err
    assert SAFE in error
    assert_safe(error)


def test_everything_that_is_printed_goes_through_one_place() -> None:
    root = Path(cedar.pipelines.__file__).parent.parent
    paths = [*(root / "pipelines").rglob("*.py"), *(root / "transforms").rglob("*.py")]
    writers = {path.name for path in paths if _prints(ast.parse(path.read_text()))}
    assert writers == {"terminal.py"}


def _prints(tree: ast.AST) -> bool:
    """Whether a module prints, or writes to the standard streams."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            return True
        if isinstance(node, ast.Attribute) and node.attr == "write":
            of = node.value
            if isinstance(of, ast.Attribute) and of.attr in ("stdout", "stderr"):
                return True
    return False


class FullDisk(io.StringIO):
    """A standard output on a disk that is full."""

    def write(self, text: str) -> int:
        if text:
            raise OSError(28, "No space left on device")
        return 0

    def flush(self) -> None:
        pass


def test_a_full_disk_under_standard_output_is_one_line(
    tmp_path: Path, crawl: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "cedar: cannot write standard output: No space left on device (make room, then run this again)\n"
    assert extract(crawl, tmp_path / "o", "--quiet") == 0
    page = tmp_path / "page.html"
    page.write_text("<p>One page.")
    commands = (
        ["extract", str(crawl), "--output", str(tmp_path / "p"), "--extractor", "keep-all"],
        ["extractors"],
        ["report", str(tmp_path / "o"), "--text"],
        ["explain", str(page), "--text"],
        ["--version"],
    )
    for command in commands:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", FullDisk())
            code = main(command)
        assert (command, code, capsys.readouterr().err) == (command, 1, said)
    assert len(list((tmp_path / "p" / "pages").iterdir())) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", [["extractors"], ["--help"]])
def test_a_process_with_a_full_standard_output_ends_with_one_line_and_1(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cedar", *command], stdout=full, stderr=subprocess.PIPE, text=True
        )
    said = "cedar: cannot write standard output: No space left on device (make room, then run this again)\n"
    assert (done.returncode, done.stderr) == (1, said)


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&- <&-"])
def test_closed_descriptors_are_as_if_nobody_looked(tmp_path: Path, crawl: Path, closed: str) -> None:
    cedar = f"{sys.executable} -m cedar"
    lines = f"""
        {cedar} extract {crawl} --output {tmp_path}/o {closed} &&
        {cedar} dedup {tmp_path}/o --output {tmp_path}/d {closed}
    """
    done = subprocess.run(["bash", "-c", lines], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "o" / "pages").iterdir())) == 1
    assert len(list((tmp_path / "d" / "duplicates").rglob("*.parquet"))) == 1


def test_a_reader_that_goes_away_changes_no_exit_code(tmp_path: Path, crawl: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>One page.")
    gone = str(tmp_path / "gone.html")
    for command, code in (
        (["extract", str(crawl), "--output", str(tmp_path / "o")], 0),
        (["report", str(tmp_path / "o"), "--text"], 0),
        (["extractors"], 0),
        (["extract", "--help"], 0),
        (["text", *[str(page)] * 3], 0),
        (["text", gone, str(page), str(page)], 1),
    ):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [sys.executable, "-m", "cedar", *command],
            stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        os.close(writer)
        assert (command, done.returncode) == (command, code)
        assert done.stderr.count("\n") == code, done.stderr
    assert len(list((tmp_path / "o" / "pages").iterdir())) == 1


def test_an_encoding_that_lacks_a_character_does_not_fail_a_run(
    tmp_path: Path, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert extract(crawl, tmp_path / "é") == 0
    assert b"\\xe9: 2 pages in 1 shard" in stream.buffer.getvalue()  # type: ignore[attr-defined]


def test_a_name_that_is_no_text_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    directory.mkdir()
    crawl = write_warc(tmp_path / "a.warc.gz", 2).rename(directory / "a.warc.gz")
    assert extract(crawl, directory / "o") == 0
    assert main(["report", str(directory / "o"), "--output", str(tmp_path / "r.html")]) == 0
    assert main(["report", str(directory / "o"), "--text"]) == 0
    assert main(["explain", str(crawl), "--url=https://crawl.example/1", f"--output={tmp_path}/e.html"]) == 0
    assert "caf\\xe9/a.warc.gz" in (tmp_path / "e.html").read_text()


URLS = (
    "-rf",
    "https://a.example/\x1b]0;x\x07'",
    "https://a.example/a b'c$(id)\"",
    "https://a.example/\u202e",
)


def test_the_commands_that_a_report_offers_work_for_every_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "it's\x1b[1m.warc"
    with path.open("wb") as file:
        from warcio.warcwriter import WARCWriter

        for url in URLS:
            respond(WARCWriter(file, gzip=False), url, "200 OK", b"<p>A page of some length.")
    assert extract(path, tmp_path / "o") == 0
    assert main(["report", str(tmp_path / "o"), "--text"]) == 0
    offered = [line for line in capsys.readouterr().out.splitlines() if line.startswith("cedar explain")]
    assert offered
    monkeypatch.chdir(tmp_path)
    for command in offered:
        assert_safe(command)
        assert main(in_bash(command)[1:]) == 0


def in_bash(command: str) -> list[str]:
    """The words of a command, as bash reads them."""
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True)
    return [os.fsdecode(word) for word in done.stdout.split(b"\0")[:-1]]


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=4))
def test_words_of_a_command_are_safe_to_print_and_one_word_each(words: list[str]) -> None:
    command = shell_command(words)
    assert_safe(command)
    assert escape_controls(command) == command
    plain = [word for word in words if word.isprintable()]
    assert shlex.split(shell_command(plain)) == plain


def test_words_of_a_command_come_out_of_bash_as_they_went_in() -> None:
    words = [*URLS, "a\nb", "it's\t'\\", "\udce9x", "é\x1b", ""]
    assert in_bash(shell_command(words)) == words


SECRET_PLACES = [
    "https://user:S3CRET@host.invalid/a",
    "s3://key:S3CRET@bucket/a",
    "ftp://u:S3CRET@h/a",
    "file://u:S3CRET@h/a",
    "file://S3CRET@h/a",
    "https://host.invalid/a?X-Amz-Signature=S3CRET&X-Amz-Security-Token=S3CRET",
    "https://host.invalid/a?sig=S3CRET&b=1",
    f"https://user:{'S3CRET' * 20}@host.invalid/a",
    "https://user:S3/CRET@host.invalid/a",
    "https:/user:S3CRET@host.invalid/a",
    "//user:S3CRET@host.invalid/a",
]


@pytest.mark.parametrize("place", SECRET_PLACES)
@pytest.mark.parametrize(
    "option", ["--output", "--config", "--language-model", "--block-domains", "--index", "--metrics", "INPUT"]
)
def test_no_message_shows_a_password_or_a_signature(
    place: str,
    option: str,
    crawl: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    output = place if option == "--output" else "corpus"
    given = [] if option in ("--output", "INPUT") else [option, place]
    assert extract(place if option == "INPUT" else crawl, output, *given) in (1, 2)  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert told
    assert "S3" not in told
    assert not {path.name for path in tmp_path.iterdir()} & {"https:", "user:S3CRET@host.invalid"}


@pytest.mark.parametrize("output", ["cc:CC-MAIN-2026-04", "https:/host.invalid/a", "s3:/bucket/a"])
def test_an_output_that_looks_like_another_place_is_no_folder_here(
    output: str, crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert extract(crawl, output) == 2
    assert [path.name for path in tmp_path.iterdir()] == [crawl.name]


def test_a_lock_that_is_not_of_cedars_making_stays(crawl: Path, tmp_path: Path) -> None:
    lock = tmp_path / "corpus" / "_lock"
    lock.parent.mkdir()
    lock.write_text("mine")
    assert extract(crawl, lock.parent) == 0
    assert lock.read_text() == "mine"
