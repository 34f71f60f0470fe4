"""Compiled twins of the functions that look at every byte of a page.

Each of these functions is written twice: in numpy, where it is defined and documented, and in Cython, in the
module of the same name here. Both give the same results to the bit. The numpy one is the definition: tests
hold the compiled one to it on random and on hostile pages, and it is what runs where no C compiler was there
when Cedar was installed. It cannot be made as fast: some two hundred small array operations a page cost more
than the bytes themselves.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

SWITCH = "CEDAR_COMPILED"
"""Environment variable; at `0` nothing compiled is used."""


def compiled(function: _Function) -> _Function:
    """The compiled twin of a function, of the same name and arguments; the function itself if there is none.

    A decorator. The twin has the function as its `__wrapped__`.

    Raises:
        ImportError: the compiled module is there, but cannot be loaded.
        AttributeError: it has no such function: it was compiled from other sources.
    """
    if os.environ.get(SWITCH) == "0":
        return function
    name = f"{__name__}.{function.__module__.rpartition('.')[2]}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return function
    twin: _Function = getattr(module, function.__name__)
    twin.__wrapped__ = function  # type: ignore[attr-defined]
    return twin


def is_in_use() -> bool:
    """Whether this process works with the compiled functions; loads none of them."""
    return os.environ.get(SWITCH) != "0" and find_spec(f"{__name__}.characters") is not None
