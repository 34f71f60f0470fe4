"""Options out of files, and the recipes that come with Cedar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.commands import command_of, command_parser
from cedar.pipelines.common.errors import UsageError

RECIPES = ["c4", "fineweb", "fineweb2", "gopher"]


def options(name: str, *arguments: str) -> Any:
    command = command_of(name)
    return command.options(command_parser(name), arguments)


def written(folder: Path, text: str) -> str:
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_keys_are_names_of_options(tmp_path: Path) -> None:
    text = """
        keep = ["words >= 9", "language == en"]
        language = true
        signals = false
        mask = ["ip", "email"]
        split-size = "1MiB"
        extractor = "cetr:smoothing=literal"
        status = "200,404"
        workers = 3
        page-timeout = 2.5
    """
    found = options("extract", "in.warc", "--output", "/out", "--config", written(tmp_path, text))
    assert found.curation.keep == ("words >= 9", "language == en")
    assert (found.curation.language, found.curation.signals, found.curation.masks.mask) == (
        True,
        False,
        ("email", "ip"),
    )
    assert (found.split_size, found.workers, found.page_timeout) == (1 << 20, 3, 2.5)
    assert (found.extractor.options, found.statuses) == (
        (("smoothing", "literal"),),
        ((200, 200), (404, 404)),
    )


def test_the_command_line_wins_over_the_file_and_that_over_the_recipe(tmp_path: Path) -> None:
    config = ["--config", written(tmp_path, 'mask-with = "words"\npreset = ["c4"]\nworkers = 3')]
    base = ["corpus", "--dry-run", "--recipe", "fineweb"]
    assert options("filter", *base).curation.preset == ("fineweb",)
    both = options("filter", *base, *config)
    assert (both.curation.preset, both.curation.masks.mask_with, both.workers) == (("c4",), "words", 3)
    assert both.curation.masks.mask == ("email", "ip")
    most = options(
        "filter", *base, *config, "--preset=gopher", "--mask-with", "datatrove", "--keep", "words > 3"
    )
    assert (most.curation.preset, most.curation.masks.mask_with) == (("gopher",), "datatrove")
    assert most.curation.keep == ("words > 3",)


def test_a_flag_of_a_file_is_undone_on_the_command_line(tmp_path: Path) -> None:
    given = ("corpus", "--output=o", "--config", written(tmp_path, "signals = true\nlanguage = true"))
    assert options("filter", *given).curation.signals
    undone = options("filter", *given, "--no-signals").curation
    assert (undone.signals, undone.language) == (False, True)
    with pytest.raises(UsageError, match="unrecognized arguments: --no-keep"):
        options("filter", *given, "--no-keep")
    assert options("filter", *given, "--no_signals", "--signals").curation.signals
    assert not options("filter", *given, "--no-signals", "--no-language", "--mask=ip").curation.signals


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kep = 3", "unknown option 'kep' (did you mean keep?)"),
        ("zzz = 3", "unknown option 'zzz' (keys are names of options, without their dashes)"),
        ("config = 'x'", "unknown option 'config'"),
        (
            "extractor_option = 'k=2'",
            "write --extractor NAME:K=V",
        ),
        ("signals = 'yes'", "signals takes true or false, not yes"),
        ("workers = true", "workers takes a value, not true"),
        ("workers = 'many'", "argument --workers: not a valid number: 'many' (a whole number from 1)"),
        ("keep = [['a']]", "keep takes text or a number, not \"['a']\""),
        ("dropped = 'gone'", "argument --dropped: invalid choice: 'gone'"),
        ("workers = ", "is not TOML: Invalid value (at"),
    ],
)
def test_a_key_or_a_value_that_is_not_known_is_said(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["filter", "corpus", "--dry-run", "--config", written(tmp_path, text)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "run.toml" in error


def test_a_recipe_is_shown_with_its_comments(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--recipe", "fineweb", "--show"]) == 0
    shown = capsys.readouterr().out
    assert 'preset = ["fineweb"]' in shown
    assert "# What theirs has and this has not:" in shown
    assert main(["extract", "--show"]) == 2
    assert "--show prints a recipe: give --recipe NAME, too" in capsys.readouterr().err
    assert main(["extract", "--recipe", "fineweb3", "--show"]) == 2
    assert "a recipe: c4, fineweb, fineweb2, gopher" in capsys.readouterr().err


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_are_options_of_both_commands(recipe: str) -> None:
    extracting = options("extract", "in.warc", "--output", "/out", "--recipe", recipe)
    filtering = options("filter", "corpus", "--output", "/out", "--recipe", recipe)
    assert extracting.curation == filtering.curation
    assert extracting.curation.preset
