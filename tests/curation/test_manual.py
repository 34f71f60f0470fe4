"""docs/curation.md says what is so: its tables are the code's, and its expressions can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cedar.pipelines.commands import command_parser
from cedar.transforms.curation.expressions import parse
from cedar.transforms.curation.plan import columns_for
from cedar.transforms.curation.presets import PRESETS
from cedar.transforms.model.columns import ALL_GROUPS, COLUMN_GROUPS, columns_of
from cedar.transforms.model.records import SignatureRow
from tests.test_readme import table_of

MANUAL = (Path(__file__).parents[2] / "docs" / "curation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["language", "signals", "masked", "drop_reason"])
def test_tables_of_columns_are_those_of_the_code(name: str) -> None:
    (group,) = (group for group in COLUMN_GROUPS if group.name == name)
    assert table_of(group.columns) in MANUAL


def test_the_table_of_signatures_is_that_of_the_code() -> None:
    assert table_of(columns_of(SignatureRow)) in MANUAL


@pytest.mark.parametrize("preset", ["gopher-repetition", "gopher-quality", "c4", "fineweb-quality"])
def test_bounds_of_presets_are_those_of_the_code(preset: str) -> None:
    signs = {"<=": "≤", ">=": "≥", "==": "="}
    rows = [
        f"| `{bound.signal}` | {signs[bound.operator]} {str(bound.limit).lower().removesuffix('.0')} |"
        for bound in PRESETS[preset]
    ]
    assert f"| `{preset}` | |\n|---|---|\n" + "\n".join(rows) + "\n\n" in MANUAL


def test_expressions_of_the_manual_can_be_read() -> None:
    found = re.findall(r"--keep '(.*?)'", MANUAL)
    (block,) = re.findall(r"compares columns with values:\n\n```\n(.*?)```", MANUAL, re.DOTALL)
    found += block.splitlines()
    assert len(found) > 1
    for expression in found:
        parse(expression, columns_for((*ALL_GROUPS, "own:quality:float32")))


def test_commands_of_the_manual_are_taken() -> None:
    parser = command_parser("filter")
    commands = re.findall(r"^cedar filter (.*)$", MANUAL, re.MULTILINE)
    assert commands
    for command in commands:
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", command)]
        parser.parse_args(words)
