"""docs/curation.md says what is so: its tables are the code's, and its expressions can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cedar.pipelines.commands import command_parser
from cedar.transforms.curation.expressions import parse
from cedar.transforms.curation.plan import columns_for
from cedar.transforms.model.columns import ALL_GROUPS

MANUAL = (Path(__file__).parents[2] / "docs" / "curation.md").read_text(encoding="utf-8")


def test_expressions_of_the_manual_can_be_read() -> None:
    found = re.findall(r"--keep '(.*?)'", MANUAL)
    (block,) = re.findall(r"compares columns with values:\n\n```\n(.*?)```", MANUAL, re.DOTALL)
    found += block.splitlines()
    assert len(found) > 1
    for expression in found:
        parse(expression, columns_for((*ALL_GROUPS, "own:quality:float32", "own:gpt2:int32")))


def test_commands_of_the_manual_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").touch()
    parser = command_parser("filter")
    commands = re.findall(r"^cedar filter (.*)$", MANUAL, re.MULTILINE)
    assert commands
    for command in commands:
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]
        parser.parse_args(words)
