"""Stores that cannot be reached as they are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.sample.command import write_sample


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.warc.gz"
    with path.open("wb") as file:
        write_sample(file)
    return path


# Stores whose packages are not installed


@pytest.mark.parametrize(("scheme", "extra"), [("s3", "aws"), ("gs", "gcp")])
@pytest.mark.parametrize("place", ["input", "output", "list", "report"])
def test_a_store_without_its_package_is_one_line(
    place: str, scheme: str, extra: str, sample: Path, tmp_path: Path
) -> None:
    uri = f"{scheme}://bucket/name"
    arguments = {
        "input": ["extract", uri, "--output", str(tmp_path / "corpus")],
        "output": ["extract", str(sample), "--output", uri],
        "list": ["extract", f"@{uri}", "--output", str(tmp_path / "corpus")],
        "report": ["report", uri],
    }[place]
    without = (
        "import sys\n"
        "for name in ('boto3', 'google.cloud.storage'): sys.modules[name] = None\n"
        "from pipelines.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", without, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert f"pip install 'cedar-corpus[{extra}]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "corpus").exists()
