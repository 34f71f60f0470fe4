"""Where the package of an extractor may be: installed, or on a path that was named, not just here."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.transforms.extractors.plugins import _only_in_current_directory


def test_a_package_that_stands_here_alone_must_be_named_by_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stands_here_alone.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert _only_in_current_directory("stands_here_alone")
    assert _only_in_current_directory("stands_nowhere")
    assert not _only_in_current_directory("numpy")
    monkeypatch.setenv("PYTHONPATH", f"/elsewhere:{tmp_path}")
    assert not _only_in_current_directory("stands_here_alone")
    monkeypatch.delenv("PYTHONPATH")
    monkeypatch.chdir("/")
    assert not _only_in_current_directory("stands_here_alone")
