"""The steps of the container file that need no engine: its installation, in a clean environment."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.needs("pip")
ROOT = Path(__file__).resolve().parents[3]
DOCKERFILE = (ROOT / "deploy/Dockerfile").read_text()


def stage(name: str) -> list[str]:
    """The instructions of a stage."""
    lines = DOCKERFILE.splitlines()
    start = next(i for i, line in enumerate(lines) if re.fullmatch(rf"FROM \S+ AS {name}", line))
    ends = [i for i in range(start + 1, len(lines)) if lines[i].startswith("FROM ")]
    return lines[start + 1 : ends[0] if ends else None]


@pytest.mark.timeout(900)
def test_the_build_stage_installs_cedar_from_the_lock(tmp_path: Path) -> None:
    source, venv = tmp_path / "src", tmp_path / "venv"
    (source / "deploy").mkdir(parents=True)
    for line in stage("build"):
        word, _, rest = line.partition(" ")
        if word == "COPY":
            *names, target = rest.split()
            for name in names:
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, source / target / (Path(name).name if target.endswith("/") else ""))
        elif word == "RUN":
            command = rest.replace("/opt/venv", str(venv)).replace(
                "python -m venv", f"{sys.executable} -m venv"
            )
            subprocess.run(
                command, shell=True, check=True, cwd=source,
                env={"PATH": f"{venv}/bin:/usr/bin:/bin", "HOME": str(tmp_path)},
            )  # fmt: skip
    outcome = subprocess.run(
        [venv / "bin/cedar", "--version"], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert re.fullmatch(r"cedar \S+\n", outcome.stdout)
    (tmp_path / "sample").mkdir()
    for command in (
        [venv / "bin/python", "-m", "cedar", "sample", tmp_path / "sample/s.warc.gz"],
        [venv / "bin/cedar", "extract", tmp_path / "sample/s.warc.gz", "--output", tmp_path / "corpus"],
    ):
        subprocess.run(command, check=True, cwd=tmp_path, env={"PATH": f"{venv}/bin:/usr/bin:/bin"})
    assert list((tmp_path / "corpus/pages").iterdir())
