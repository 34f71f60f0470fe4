"""The command line: what is understood, and what is refused in one line."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.commands import command_parser
from cedar.pipelines.common.arguments import Parser, add_options
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import size
from cedar.pipelines.extract.options import ExtractOptions, extract_options


def parse(*argv: str) -> ExtractOptions:
    parser = Parser(prog="cedar extract", allow_abbrev=False)
    add_options(parser, ExtractOptions)
    return extract_options(parser, argv)


@pytest.mark.parametrize(
    ("rule", "implied"),
    [
        ("language == fr", True),
        ("words > 3 and (language_score >= 0.5 or url == x)", True),
        ("url == 'language'", False),
        ("lang == fr", False),
        ("my_language > 3", False),
    ],
)
def test_a_rule_on_the_language_implies_language(rule: str, implied: bool) -> None:
    assert parse("a.warc", "-o", "/out", "--keep", rule).curation.language is implied


@pytest.mark.parametrize("name", ["--price=3", "--max-http-header=1KiB", "--extractor_option=k=3"])
def test_an_option_that_has_gone_is_refused_with_what_to_write(name: str) -> None:
    with pytest.raises(UsageError, match="is not an option any more: "):
        extract_options(command_parser("extract"), ["a.warc", "-o", "/out", name])


def test_defaults_are_those_of_the_design() -> None:
    options = parse("a.warc", "--output", "/out")
    assert options.format == "parquet"
    assert options.compression == "zstd"
    assert options.extractor.label == "cedar"
    assert options.statuses == ((200, 299),)
    assert options.record_types == ("response",)
    assert options.max_body == 8 * 2**20
    assert options.reject_rows == "notable"
    assert options.workers is None
    assert options.is_local


def test_underscores_and_equals_signs_are_accepted() -> None:
    options = parse("a", "--output=/out", "--max_body", "1MiB", "--url_include=x_y", "--reject-rows=all")
    assert (options.max_body, options.urls.url_include, options.reject_rows) == (2**20, "x_y", "all")


def test_avro_has_its_own_default_compression() -> None:
    assert parse("a", "--output", "o", "--format", "avro").compression == "deflate"
    assert parse("a", "--output", "o", "--format", "avro", "--compression", "zstd").compression == "zstandard"


def test_extractor_options_and_statuses() -> None:
    options = parse(
        "a", "b", "--output", "o", "--extractor", "cetr:k=2,smoothing=literal",
        "--status", "200,404-410",
    )  # fmt: skip
    assert options.extractor.options == (("k", "2"), ("smoothing", "literal"))
    assert options.statuses == ((200, 200), (404, 410))
    assert options.inputs == ("a", "b")


def test_beam_options_are_handed_on_with_their_values_wherever_they_stand() -> None:
    options = parse(
        "--flink_master", "localhost:8081", "a.warc", "--runner", "FlinkRunner", "--streaming",
        "--output", "o", "--parallelism=2", "b.warc",
    )  # fmt: skip
    assert options.inputs == ("a.warc", "b.warc")
    assert options.beam_arguments == ("--flink_master", "localhost:8081", "--streaming", "--parallelism=2")
    assert not options.is_local


@pytest.mark.parametrize(
    ("text", "expected"), [("1", 1), ("64KiB", 65536), ("1.5MB", 1_500_000), ("2 gib", 2**31), ("10b", 10)]
)
def test_sizes(text: str, expected: int) -> None:
    assert size(text) == expected


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (
        ["--version"],
        ["extract", "--version"],
        ["--help"],
        ["extract", "--help"],
        ["extractors", "--help"],
    ):
        with pytest.raises(SystemExit) as end:
            main(argv)
        assert end.value.code == 0
    text = capsys.readouterr().out
    assert re.search(r"^cedar 0\.\S+$", text, re.MULTILINE)
    assert "example:" in text


def test_every_option_says_its_default_or_none_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["extract", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    for default in ("parquet)", "cedar)", "200-299)", "8MiB)", "local)", "warning)", "notable)"):
        assert f"(default: {default}" in text


def test_help_imports_neither_beam_nor_arrow() -> None:
    code = (
        "import sys\nfrom cedar.pipelines.cli import main\nfrom cedar.pipelines.commands import COMMANDS\n"
        "for command in ([], *([name] for name in COMMANDS)):\n"
        "    try: main([*command, '--help'])\n    except SystemExit: pass\n"
        "assert not {'apache_beam', 'pyarrow', 'numpy', 'rich', 'lxml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_what_the_user_did_wrong_is_told_before_beam_is_imported() -> None:
    code = (
        "import sys\nfrom cedar.pipelines.cli import main\n"
        "for wrong in (['--format', 'csv'], ['--extractor', 'none'], ['--keep', 'wrds > 3'], []):\n"
        "    assert main(['extract', 'nowhere.warc', '--output', 'corpus', *wrong]) == 2\n"
        "assert 'apache_beam' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.count("\n") == 4
