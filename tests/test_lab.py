"""The laboratory still runs: every module of it is imported, and its smallest examples are run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OF_OTHER_PYTHONS = {"with_datatrove", "with_rensa", "fineweb_datatrove"}
"""Scripts for a Python that has other packages and nothing of this project."""


def modules() -> list[str]:
    files = sorted((ROOT / "lab").rglob("*.py"))
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in files
        if path.stem not in OF_OTHER_PYTHONS and "tests" not in path.parts
    ]


@pytest.mark.slow
def test_every_module_of_the_laboratory_can_be_imported() -> None:
    program = f"import importlib\nfor name in {modules()!r}: importlib.import_module(name)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=100)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["lab.benchmarks", "--quick", "--only", "stages", "--work", "{work}", "--json", "{work}/bench.json"],
        ["lab.benchmarks.crawl", "{work}/crawl", "--files", "1", "--pages", "20"],
        ["lab.compare_structure", "--limit", "4"],
        ["lab.gold", "check", "tests/gold/handmade"],
        ["lab.judge", "tests/gold/handmade", "--method", "vips-oracle:pdoc=5", "--limit", "2"],
        ["lab.variants", "tests/gold/handmade", "minified", "{work}/forms", "--limit", "2"],
    ],
    ids=lambda command: command[0],
)
def test_smallest_examples_run(command: list[str], tmp_path: Path) -> None:
    words = [word.format(work=tmp_path) for word in command]
    run = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == (1 if words[:2] == ["lab.gold", "check"] else 0), run.stderr
    assert run.stdout
