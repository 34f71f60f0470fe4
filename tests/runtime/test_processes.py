"""What another Python is started with."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from cedar.transforms.runtime.processes import child_environment, import_path, safe_starts


def test_what_is_named_relative_to_the_current_directory_is_not_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("lib", "far"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", "lib", str(tmp_path / "far"))))
    # As Python makes its path of that, and as people do.
    given = [str(tmp_path), str(tmp_path / "lib"), str(tmp_path / "far"), "", ".", "lib"]
    monkeypatch.setattr(sys, "path", [*given, *sys.path])
    ours = set(import_path())
    assert not ours & (set(given) - {str(tmp_path / "far")})
    assert str(tmp_path / "far") in ours
    assert str(Path(__file__).parents[2]) in ours


def test_the_current_directory_is_on_the_path_where_pythonpath_names_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mymethod.py").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    for named in (str(tmp_path), os.pathsep.join(("/elsewhere", f"{tmp_path}/", ""))):
        monkeypatch.setenv("PYTHONPATH", named)
        assert str(tmp_path) in import_path()
        assert "" not in import_path()
    monkeypatch.setenv("PYTHONPATH", ".")
    assert str(tmp_path) not in import_path()


def test_cedar_is_found_where_the_current_directory_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "path", [str(root)])
    assert child_environment()["PYTHONPATH"] == str(root)


def test_the_environment_is_as_before_when_processes_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "lib")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with safe_starts():
        assert os.environ["PYTHONSAFEPATH"] == "1"
        assert os.environ["PYTHONPATH"] != "lib"
    assert os.environ["PYTHONPATH"] == "lib"
    assert "PYTHONSAFEPATH" not in os.environ


_FAULTS = """
import resource
from cedar.transforms.runtime.processes import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    some = [bytes(b"x") * (14 << 20) for _ in range(3)]
    del some
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults(), faults()
given_back = faults()
keep_freed_memory()
faults()
print(given_back, faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_memory_that_is_kept_takes_no_page_faults_again() -> None:
    run = subprocess.run([sys.executable, "-c", _FAULTS], capture_output=True, text=True, check=True)
    given_back, kept = map(int, run.stdout.split())
    assert kept < 100 < given_back
