"""The house's rules, counted over all modules. An exception stands in a list, which may only shrink."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
WIDEST_LINE = 120
"""Characters of a line of a compiled module or of a stub; ruff holds Python to its own."""

SHARED_NAMES: set[str] = set()
"""Names of classes that exist twice."""

CIRCLES: set[str] = set()
"""Modules that import each other, the names of a circle in order."""

FOLDER_CIRCLES: set[str] = set()
"""Folders that import each other, the names of a circle in order."""

UPWARD: set[str] = set()
"""Imports from a floor to one above, and of Beam on the ground floor."""

WITHOUT_STUBS: set[str] = set()
"""Compiled modules that Python imports and that have no `.pyi`."""


@cache
def files(*suffixes: str) -> tuple[Path, ...]:
    found = [
        *(ROOT / "cedar").rglob("*"),
        *(ROOT / "pipelines").rglob("*"),
        *(ROOT / "transforms").rglob("*"),
    ]
    return tuple(
        sorted(path for path in found if path.suffix in suffixes and "__pycache__" not in path.parts)
    )


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return name if name.startswith("cedar") else f"cedar.{name}"


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def modules() -> frozenset[str]:
    return frozenset(module_of(path) for path in files(".py", ".pyx"))


def expect(found: set[str], exceptions: set[str], what: str) -> None:
    """Fail on what is found and no exception, and on exceptions that have gone."""
    assert not found - exceptions, f"{what}: {sorted(found - exceptions)}"
    assert not exceptions - found, (
        f"no exception any more, take it off the list: {sorted(exceptions - found)}"
    )


# Imports.


def resolved(module: str, is_package: bool, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules of ours, or Beam, that a statement imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = node.module or ""
        if node.level:
            parts = module.split(".")[: len(module.split(".")) - node.level + is_package]
            base = ".".join([*parts, *([node.module] if node.module else [])])
        inside = {f"{base}.{alias.name}" for alias in node.names}
        names = [name if name in modules() else base for name in inside]
    for name in names:
        if name in modules() or name.split(".")[0] == "apache_beam":
            yield name


_PYX_IMPORT = re.compile(
    r"^\s*(?:from\s+([\w.]+)\s+c?import\s+(\(?[^\n]*)|c?import\s+([\w.]+))", re.MULTILINE
)


def imports_of_pyx(path: Path) -> set[str]:
    found = set()
    for base, names, plain in _PYX_IMPORT.findall(path.read_text(encoding="utf-8")):
        candidates = [f"{base}.{name}" for name in re.findall(r"\w+", names)] if base else []
        inside = [name for name in candidates if name in modules()]
        found |= set(inside) if inside else {base or plain}
    return {name for name in found if name in modules() or name.split(".")[0] == "apache_beam"}


def is_for_types_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements below a node, those for types alone left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif not is_for_types_alone(child):
            yield from statements(child)


@cache
def imports() -> dict[str, frozenset[str]]:
    """What each module imports, anywhere in it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in files(".py"):
        module = module_of(path)
        for node in statements(tree_of(path)):
            found[module] |= set(resolved(module, path.stem == "__init__", node))
    for path in files(".pyx", ".pxd"):
        found[module_of(path)] |= imports_of_pyx(path)
    return {module: frozenset(names - {module}) for module, names in found.items()}


def floor(module: str) -> int:
    """0 are the pure rooms, 1 is Beam and what stands in transforms/ itself, 2 is what a person runs."""
    if module == "apache_beam" or module.startswith("apache_beam."):
        return 1
    if not module.startswith("cedar.transforms."):
        return 2
    return 1 if module.count(".") == 2 and module not in folders_of_modules() else 0


@cache
def folders_of_modules() -> frozenset[str]:
    return frozenset(module.rpartition(".")[0] for module in modules())


@cache
def folders_of_folders() -> frozenset[str]:
    return frozenset(".".join(module.split(".")[:-2]) for module in modules())


def folder_of(module: str) -> str:
    """The folder of a module. A module next to folders is a room of its own."""
    folder = module.rpartition(".")[0]
    return module if folder in folders_of_folders() else folder


def folder_imports() -> dict[str, frozenset[str]]:
    """What the modules of each folder import from other folders."""
    found: dict[str, set[str]] = defaultdict(set)
    for module, others in imports().items():
        place = folder_of(module)
        found[place] |= {folder_of(other) for other in others if other in modules()} - {place}
    return {folder: frozenset(others) for folder, others in found.items()}


def circles(graph: Mapping[str, frozenset[str]]) -> set[str]:
    """The strongly connected components of two names or more (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = set()

    def visit(module: str) -> None:
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in sorted(graph.get(module, ())):
            if other not in order:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], order[other])
        if low[module] == order[module]:
            component = [stack.pop()]
            while component[-1] != module:
                component.append(stack.pop())
            if len(component) > 1:
                found.add(" ".join(sorted(component)))

    for module in sorted(graph):
        if module not in order:
            visit(module)
    return found


def test_imports_run_down_only_and_the_ground_floor_knows_no_beam() -> None:
    found = {
        f"{module} imports {other}"
        for module, others in imports().items()
        for other in others
        if floor(other) > floor(module)
    }
    expect(found, UPWARD, "imports that run up")


def test_the_product_knows_neither_the_laboratory_nor_the_tests() -> None:
    for path in files(".py"):
        for node in statements(tree_of(path)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not {name.partition(".")[0] for name in names} & {"lab", "tests"}, short(path)


def test_no_modules_import_each_other() -> None:
    expect(circles(imports()), CIRCLES, "circles")


def test_no_folders_import_each_other() -> None:
    assert len(folder_imports()) > 25
    expect(circles(folder_imports()), FOLDER_CIRCLES, "circles of folders")


def test_a_circle_is_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    assert circles(graph) == {"a b c"}


# Sizes and names.


def test_parameters_are_keyword_only_from_the_fourth_on() -> None:
    for path in files(".py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
                assert len(names) - (names[:1] in (["self"], ["cls"])) <= 3, (
                    f"{short(path)}: {node.name} takes {names}"
                )


def test_no_line_of_a_compiled_module_is_too_wide() -> None:
    looked_at = files(".pyx", ".pxd", ".pyi")
    assert {path.suffix for path in looked_at} == {".pyx", ".pxd", ".pyi"}
    wide = {
        f"{short(path)}:{number}"
        for path in looked_at
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDEST_LINE
    }
    assert not wide, f"lines of more than {WIDEST_LINE} characters: {sorted(wide)}"


def test_compiled_modules_begin_with_an_underscore_and_hide_no_other() -> None:
    for path in files(".pyx"):
        assert path.stem.startswith("_"), f"{short(path)}: compiled modules begin with an underscore"
        assert not path.with_suffix(".py").exists(), f"{short(path)} hides the module of its name"


def test_compiled_modules_that_python_imports_have_stubs_that_say_something() -> None:
    of_python = {name for path in files(".py") for name in imports().get(module_of(path), ())}
    of_stubs = {
        name
        for path in files(".pyi")
        for node in statements(tree_of(path))
        for name in resolved(module_of(path), False, node)
    }
    without = {
        short(path)
        for path in files(".pyx")
        if module_of(path) in of_python | of_stubs and not path.with_suffix(".pyi").exists()
    }
    expect(without, WITHOUT_STUBS, "compiled modules that Python imports, without a .pyi")
    is_said = (ast.FunctionDef, ast.ClassDef, ast.AnnAssign)
    empty = {
        short(path)
        for path in files(".pyi")
        if not any(isinstance(node, is_said) for node in tree_of(path).body)
    }
    assert not empty, f"stubs that say nothing, which no module needs: {sorted(empty)}"


def test_no_two_classes_have_one_name() -> None:
    where = defaultdict(set)
    for path in files(".py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].add(short(path))
    for path in files(".pyx"):
        for name in re.findall(r"^(?:cdef )?class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if not name.startswith("_"):
                where[name].add(short(path))
    expect({name for name, there in where.items() if len(there) > 1}, SHARED_NAMES, "names of two classes")


def test_pages_of_the_documentation_that_code_names_are_there() -> None:
    named = re.compile(r"docs/[\w/-]+\.(?:md|py|png|svg)")
    for path in files(".py", ".pyx", ".pxd"):
        missing = [
            page for page in named.findall(path.read_text(encoding="utf-8")) if not (ROOT / page).exists()
        ]
        assert not missing, f"{short(path)} names what is not there: {missing}"
