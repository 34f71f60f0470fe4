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
