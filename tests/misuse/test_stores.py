"""Stores that cannot be reached as they are asked for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pipelines.cli import main
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
    place: str,
    scheme: str,
    extra: str,
    sample: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("boto3", "google.cloud.storage"):
        monkeypatch.setitem(sys.modules, name, None)
    uri = f"{scheme}://bucket/name"
    arguments = {
        "input": ["extract", uri, "--output", str(tmp_path / "corpus")],
        "output": ["extract", str(sample), "--output", uri],
        "list": ["extract", f"@{uri}", "--output", str(tmp_path / "corpus")],
        "report": ["report", uri],
    }[place]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert f"pip install 'cedar-corpus[{extra}]'" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "corpus").exists()
