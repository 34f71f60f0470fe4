"""What a source installation says where it cannot compile."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from setuptools import find_packages

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_a_missing_compiler_is_one_sentence_with_the_package_to_install(tmp_path: Path) -> None:
    run = subprocess.run(
        [
            sys.executable,
            "setup.py",
            "--quiet",
            "build_ext",
            "--build-lib",
            tmp_path,
            "--build-temp",
            tmp_path,
        ],
        cwd=ROOT,
        env={**os.environ, "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    last = run.stderr.splitlines()[-1]
    assert last.startswith("Cedar is compiled when it is installed from source, but ")
    assert "no-such-compiler" in last
    assert "apt-get install gcc python3-dev" in last
    assert "Traceback" not in run.stderr


def test_the_laboratory_is_not_installed() -> None:
    find = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    packages = find_packages(str(ROOT / find["where"][0]))
    assert "cedar.pipelines.extract" in packages
    assert {name.partition(".")[0] for name in packages} == {"cedar"}
