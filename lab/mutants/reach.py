"""A plugin of pytest that writes which functions of the product each test calls: `-p lab.mutants.reach`.

CEDAR_REACH names a directory; each process writes a file of JSON lines there: the test, its seconds, and its
functions as `FILE:QUALIFIED_NAME`. What other processes call that a test starts is not seen.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
_PRODUCT = tuple(f"{ROOT}{os.sep}{name}" for name in ("transforms", "pipelines", "cedar"))
_called: set[CodeType] = set()


def _note(frame: FrameType, event: str, arg: Any) -> None:
    _called.add(frame.f_code)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test calls, its fixtures included."""
    _called.clear()
    before = time.process_time()
    threading.settrace(_note)
    sys.settrace(_note)
    yield
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]
    ours = (code for code in _called.copy() if code.co_filename.startswith(_PRODUCT))
    functions = sorted({f"{code.co_filename[len(str(ROOT)) + 1 :]}:{code.co_qualname}" for code in ours})
    line = {"test": item.nodeid, "seconds": round(time.process_time() - before, 3), "functions": functions}
    with open(Path(os.environ["CEDAR_REACH"]) / f"{os.getpid()}.jsonl", "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")
