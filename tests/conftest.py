"""Shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cedar.pipelines.sample.archive import write_sample

# The same examples in every run: a test that fails, fails for everybody.
# A machine that is busy is no reason to fail.
settings.register_profile(
    "cedar",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
# `nox -s explore`: other examples in every run, and many more.
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "cedar"))


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_disks() -> Iterator[None]:
    """Leave files to the system's cache: no test pulls the plug, and a disk takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The archive of `cedar sample`."""
    path = tmp_path / "sample.warc.gz"
    with path.open("wb") as file:
        write_sample(file)
    return path
