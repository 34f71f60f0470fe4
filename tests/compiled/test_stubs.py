"""A stub says what its compiled module has: the same functions and methods, with the same parameters."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import pytest

ROOT = Path(__file__).parent.parent.parent
STUBS = sorted((ROOT / "transforms").rglob("*.pyi"))


def said(text: str) -> dict[str, Any]:
    """The functions and classes that a stub defines."""
    names: dict[str, Any] = {"__name__": "stub"}
    exec("from __future__ import annotations\n" + text, names)
    return {name: value for name, value in names.items() if getattr(value, "__module__", None) == "stub"}


def parameters(function: Any) -> list[tuple[str, int, bool]]:
    """Name and kind of each parameter, and whether it may be left out."""
    return [
        (each.name, each.kind, each.default is not each.empty)
        for each in inspect.signature(function).parameters.values()
    ]


def differences(stub: Mapping[str, Any], owner: Any) -> Iterator[str]:
    """What a stub says of a module or class that is not so.

    Constructors and other methods with two underscores are left out: Cython names no parameters of theirs.
    """
    for name, value in stub.items():
        if name.startswith("__") or isinstance(value, TypeVar):
            continue
        if not hasattr(owner, name):
            yield f"no {name}"
        elif isinstance(value, type):
            yield from differences(vars(value), getattr(owner, name))
        elif isinstance(value, FunctionType) and parameters(value) != parameters(getattr(owner, name)):
            yield f"{name}{inspect.signature(getattr(owner, name))} is written {inspect.signature(value)}"


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: str(stub.relative_to(ROOT)))
def test_a_stub_agrees_with_its_module(stub: Path) -> None:
    module = import_module(".".join(stub.relative_to(ROOT).with_suffix("").parts))
    assert list(differences(said(stub.read_text()), module)) == []


@pytest.mark.parametrize(
    "line",
    [
        "def lex(page: bytes) -> Tags: ...",
        "def lex(html: bytes = b'') -> Tags: ...",
        "def lex(*, html: bytes) -> Tags: ...",
        "def lexed(html: bytes) -> Tags: ...",
        "class Tags:\n    def opened(self) -> int: ...",
    ],
)
def test_a_wrong_stub_is_found(line: str) -> None:
    module = import_module("transforms.extractors.html._tags")
    assert len(list(differences(said(line), module))) == 1
