"""Stubs say what compiled modules have: functions, methods and attributes, with the same arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUBS = sorted((ROOT / "transforms").rglob("*.pyi"))
BEFORE_ARGUMENTS = re.compile(r"^( *)(?:def|cpdef)\b[^\n(]*?(\w+)\(", re.MULTILINE)
CLASS = re.compile(r"^(?:cdef )?class (\w+)", re.MULTILINE)
Signature = tuple[tuple[str, bool], ...]
"""Names of arguments, `*` among them, and whether each has a default."""


def arguments(text: str) -> str:
    """The arguments of a function whose opening bracket has been read."""
    depth = 1
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return text[:at]
    raise ValueError("no end of arguments")


def parts(text: str) -> Iterator[str]:
    """Arguments one by one."""
    depth, start = 0, 0
    for at, sign in enumerate(f"{text},"):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            if part := text[start:at].strip():
                yield part
            start = at + 1


def signature_of_source(given: str) -> Signature:
    found = []
    for part in parts(given):
        name, equals, _ = part.partition("=")
        name = re.sub(r"\s+(?:not|or) None\s*$", "", name).strip()
        if name != "self":
            found.append((re.split(r"[\s*\]]+", name)[-1] or "*", bool(equals)))
    return tuple(found)


def signature_of_stub(node: ast.FunctionDef) -> Signature:
    of = node.args
    plain = [*of.posonlyargs, *of.args]
    bare = len(plain) - len(of.defaults)
    found = [(one.arg, place >= bare) for place, one in enumerate(plain)]
    if of.vararg:
        found.append((of.vararg.arg, False))
    elif of.kwonlyargs:
        found.append(("*", False))
    found += [
        (one.arg, default is not None) for one, default in zip(of.kwonlyargs, of.kw_defaults, strict=True)
    ]
    return tuple(one for one in found if one[0] not in ("self", "cls"))


def functions_of_source(path: Path) -> dict[str, Signature]:
    """The functions and methods (`Class.method`) of a compiled module that Python may call."""
    text = path.read_text(encoding="utf-8")
    classes = [(match.start(), match[1]) for match in CLASS.finditer(text)]
    found = {}
    for match in BEFORE_ARGUMENTS.finditer(text):
        owner = next((name for start, name in reversed(classes) if start < match.start()), "")
        name = "__new__" if match[2] == "__cinit__" else match[2]
        full = f"{owner}.{name}" if match[1] else name
        found[full] = signature_of_source(arguments(text[match.end() :]))
    return found


def functions_of_stub(tree: ast.Module) -> dict[str, Signature]:
    found = {node.name: signature_of_stub(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods = [
                one
                for one in node.body
                if (isinstance(one, ast.FunctionDef) and not one.decorator_list and one.name[:2] != "__")
                or (isinstance(one, ast.FunctionDef) and one.name == "__new__")
            ]
            found |= {f"{node.name}.{one.name}": signature_of_stub(one) for one in methods}
    return found


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_functions_of_a_stub_are_those_of_the_module(path: Path) -> None:
    stub = functions_of_stub(ast.parse(path.read_text(encoding="utf-8")))
    source = functions_of_source(path.with_suffix(".pyx"))
    imported = re.findall(r"^from \S+ import (.+)", path.with_suffix(".pyx").read_text(), re.MULTILINE)
    own = stub.keys() - set(re.findall(r"\w+", " ".join(imported)))
    assert {name: stub[name] for name in own} == {name: source.get(name) for name in own}


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_what_a_stub_names_is_there(path: Path) -> None:
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            of = getattr(module, node.name)
            for one in node.body:
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                    assert hasattr(of, one.target.id), f"{node.name}.{one.target.id}"
        elif isinstance(node, ast.FunctionDef):
            assert callable(getattr(module, node.name))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("const double[::1] a not None, bint b=False", (("a", False), ("b", True))),
        ("self, Py_ssize_t *a, *, str c or None=None", (("a", False), ("*", False), ("c", True))),
        ("self, *names", (("names", False),)),
    ],
)  # fmt: skip
def test_arguments_of_source_are_read(given: str, expected: Signature) -> None:
    assert signature_of_source(given) == expected
