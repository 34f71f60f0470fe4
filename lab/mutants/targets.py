"""Which tests a mistake is put to: those of its room first, then all others that can meet it."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

from lab.mutants.changes import Change
from tests import test_house

_OTHERS = {
    "pipelines/drawing": ("tests/report", "tests/explain"),
    "pipelines/common": ("tests/common", "tests/extract"),
}
"""Rooms whose tests stand under another name."""


def room_of(root: Path, file: str) -> list[str]:
    """Find the tests of a file's room: the folder named as the file's own, or else as the one above."""
    folder = Path(file).parent
    if (others := _OTHERS.get(folder.as_posix())) is not None:
        return [other for other in others if (root / other).is_dir()]
    parts = folder.parts[1:]
    for size in range(len(parts), 0, -1):
        found = root.joinpath("tests", *parts[:size])
        if found.is_dir():
            return [found.relative_to(root).as_posix()]
    return []


class Targets:
    """The tests by what they call, where that was noted."""

    def __init__(self, root: Path, noted: Path) -> None:
        self.root = root
        self.seconds: dict[str, float] = defaultdict(float)
        self.callers: dict[str, set[str]] = defaultdict(set)
        self.since = 0.0
        for file in sorted(noted.glob("*.jsonl")):
            self.since = max(self.since, file.stat().st_mtime)
            for line in file.read_text("utf-8").splitlines():
                self._add(json.loads(line))

    def _add(self, noted: dict[str, object]) -> None:
        test = str(noted["test"]).partition("[")[0]
        self.seconds[test] += float(str(noted["seconds"]))
        functions = noted["functions"]
        assert isinstance(functions, list)
        for function in functions:
            self.callers[function].add(test)
            self.callers[function.partition(":")[0]].add(test)

    def steps(self, change: Change) -> tuple[list[str], list[str]]:
        """List the tests of the room, and all others."""
        room = room_of(self.root, change.file)
        tests = self._reached(change) if self.seconds else set()
        if not tests:
            return room, ["tests", *(f"--ignore={each}" for each in room)]
        inside = {test for test in tests if any(test.startswith(f"{folder}/") for folder in room)}
        return self._in_order(inside) or room, self._in_order(tests - inside)

    def _reached(self, change: Change) -> set[str]:
        """Find the tests that can meet a change; none, if that is not known."""
        if change.file.endswith(".py"):
            name = function_at(self.root / change.file, change.number)
            return self.callers.get(f"{change.file}:{name}") or self.callers.get(change.file, set())
        modules = compiled_users(change.file)
        graph = test_house.imports()
        found = set()
        for path in test_house.files(".py"):
            module = test_house.module_of(path)
            if graph.get(module, frozenset()) & modules:
                found |= self.callers.get(test_house.short(path), set())
        stems = {module.rpartition(".")[2] for module in modules}
        for test in self.seconds:
            if stems & words_of(self.root / test.partition("::")[0]):
                found.add(test)
        return found

    def _in_order(self, tests: set[str]) -> list[str]:
        """Put the shortest first; a file that changed since the calls were noted is taken whole."""
        found = []
        for test in sorted(tests, key=lambda test: self.seconds[test]):
            file = self.root / test.partition("::")[0]
            if file.exists():
                changed = file.stat().st_mtime > self.since
                found.append(file.relative_to(self.root).as_posix() if changed else test)
        return list(dict.fromkeys(found))


def function_at(path: Path, number: int) -> str:
    """The qualified name of the innermost function at a line; empty outside of functions."""
    found = ""
    stack: list[tuple[ast.AST, str]] = [(ast.parse(path.read_text("utf-8")), "")]
    while stack:
        node, prefix = stack.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
                name = f"{prefix}{child.name}"
                body = child.body[0].lineno
                if not isinstance(child, ast.ClassDef) and body <= number <= (child.end_lineno or body):
                    found = name
                name += "." if isinstance(child, ast.ClassDef) else ".<locals>."
            stack.append((child, name))
    return found


@cache
def compiled_users(file: str) -> frozenset[str]:
    """The compiled module of a file, and those that import it, directly or by way of others."""
    graph = test_house.imports()
    compiled = {test_house.module_of(path) for path in test_house.files(".pyx")}
    found = {Path(file).with_suffix("").as_posix().replace("/", ".")}
    while more := {module for module in compiled - found if graph.get(module, frozenset()) & found}:
        found |= more
    return frozenset(found)


@cache
def words_of(path: Path) -> frozenset[str]:
    """The words of a file that begin with an underscore, as compiled modules do."""
    if not path.exists():
        return frozenset()
    text = path.read_text("utf-8")
    return frozenset(
        word
        for word in "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
        if word[0] == "_"
    )
