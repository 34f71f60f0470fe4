"""Modules of others as the tests want them."""

from __future__ import annotations

import importlib.machinery
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a module of given content where the peer's would be."""

    def put(name: str, **content: Any) -> None:
        parent = ""
        for part in name.split("."):
            full = f"{parent}.{part}" if parent else part
            if full not in sys.modules or full == name:
                module = ModuleType(full)
                module.__spec__ = importlib.machinery.ModuleSpec(full, None, is_package=True)
                module.__path__ = []
                monkeypatch.setitem(sys.modules, full, module)
                if parent:
                    monkeypatch.setattr(sys.modules[parent], part, module, raising=False)
            parent = full
        for key, value in content.items():
            setattr(sys.modules[name], key, value)

    return put
