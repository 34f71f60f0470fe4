"""Tests that need more than `make install` installs: each says what by `needs`, and is skipped without it."""

from __future__ import annotations

import importlib.util
import os
import shutil

import pytest


def is_there(name: str) -> bool:
    """Tell whether a program, a package or a variable of the environment is there."""
    if name.isupper():
        return bool(os.environ.get(name))
    return shutil.which(name) is not None or importlib.util.find_spec(name) is not None


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs what is not there."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            if not is_there(name):
                pytest.skip(f"needs {name}")
