"""How compiled functions take the place of those in numpy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from transforms import compiled as package
from transforms.compiled import SWITCH, compiled


def function(module: str, name: str):
    def double(number: int) -> int:
        return 2 * number

    double.__module__, double.__name__ = module, name
    return double


def test_a_function_without_a_compiled_module_stays_as_it_is() -> None:
    plain = function("transforms.extractors.no_such_module", "double")
    assert compiled(plain) is plain


def test_a_compiled_module_without_the_function_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "stale.py").write_text("")
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    with pytest.raises(AttributeError, match="double"):
        compiled(function("transforms.extractors.stale", "double"))


def test_a_compiled_module_that_cannot_be_loaded_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("import no_such_library_at_all\n")
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    with pytest.raises(ModuleNotFoundError, match="no_such_library_at_all"):
        compiled(function("transforms.extractors.broken", "double"))


def test_the_compiled_function_knows_what_it_stands_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "twins.py").write_text("def double(number):\n    return number + number\n")
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    plain = function("transforms.extractors.twins", "double")
    twin = compiled(plain)
    assert twin is not plain
    assert twin.__wrapped__ is plain
    assert twin(4) == 8


def test_whether_it_is_in_use_can_be_told_without_loading_it() -> None:
    code = "import sys; from transforms.compiled import is_in_use; is_in_use(); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
