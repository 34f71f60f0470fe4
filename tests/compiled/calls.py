"""Call all that compiled modules offer Python with arguments of other pages, of any shape and size.

python -m tests.compiled.calls SEED ROUNDS [MODULE...] does so in a process for each module, ROUNDS times a
function. Any exception is an answer; a crash ends the module's process, and is printed with the call it was.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import mmap
import os
import re
import resource
import signal
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from lxml import html as lxml_html

ROOT = Path(__file__).parent.parent.parent
SECONDS = 60
MEMORY = 6 << 30

NUMBERS = (
    *(-(2**63), -(2**31), -(10**9), -65536, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 63, 64, 65),
    *(100, 127, 128, 255, 256, 1000, 4096, 65535, 65536, 10**6, 10**9, 2**31 - 1, 2**31, 2**32 - 1, 2**32),
    *(2**62, 2**63 - 1, 2**63, 2**64 - 1),
)
SMALL_NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 8)
SIZES = (0, 0, 1, 1, 2, 2, 3, 4, 7, 8, 16, 33, 100, 257, 1500)
TYPES = {
    "double": np.float64,
    "float": np.float32,
    "int64_t": np.int64,
    "uint64_t": np.uint64,
    "int32_t": np.int32,
    "uint32_t": np.uint32,
    "uint16_t": np.uint16,
    "int16_t": np.int16,
    "unsigned char": np.uint8,
    "uint8_t": np.uint8,
    "Py_ssize_t": np.intp,
}
PAGES = (
    b"",
    b"text alone",
    b"<title>Of the sea</title><h1>Of the sea</h1><p>One line of some words here.</p>",
    b"<html lang=en><head><title>T &amp; U</title></head><body class='a hidden'><ul><li><a href=/x>Home</a>"
    b"<li>b</ul><!----><div id=main><h2>Head</h2><p>Some <b>words</b>, and more of them."
    b"<p>\xe6\xbc\xa2\xe5\xad\x97<pre>a\n b</pre><table><tr><td>c<td colspan=3>d</table>"
    b"<img src=i.png alt='of the sea'></div>"
    b"<script type='math/tex'>x^2</script><math><mi>x</mi><mo>+</mo><mn>1</mn></math></body></html>",
    b"<div>" * 70 + b"<p>deep &nbsp; text " * 30,
    b"one long line of words <b>and tags</b> " * 60,
)
TEXTS = (
    "",
    "a",
    "Some words, in a line.",
    "漢字 and ไทย\n\n- list\n",
    "<p>",
    "\ud800",
    "x" * 5000,
    "6 May 2024",
    "\\(x^2\\)",
)
_SIGNATURE = re.compile(
    r"^(?P<indent> *)(?:def|cpdef [\w ]+?) (?P<name>\w+)\((?P<given>(?:[^()]|\([^()]*\))*)\):", re.MULTILINE
)
_CLASS = re.compile(r"^(?:cdef )?class (\w+)", re.MULTILINE)

Maker = Callable[[Random], Any]


class Function:
    """A function as a module's source declares it: its class, its name, the types of its arguments."""

    def __init__(self, owner: str, name: str, given: str) -> None:
        self.owner, self.name = owner, name
        plain, keyword = [], {}
        is_keyword = False
        for part in re.split(r",(?![^\[(]*[\])])", " ".join(given.split())):
            part = part.strip()
            if part in ("", "self", "/"):
                continue
            if part.startswith("*"):
                is_keyword = part == "*"
                continue
            declared = re.sub(r" not None|=.*", "", part).strip()
            kind, _, argument = declared.rpartition(" ")
            if is_keyword:
                keyword[argument] = kind
            else:
                plain.append((kind, argument))
        self.plain, self.keyword = plain, keyword

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}".lstrip(".")


def functions(module: str) -> list[Function]:
    """Read what a module's source declares."""
    text = (ROOT / (module.replace(".", "/") + ".pyx")).read_text(encoding="utf-8")
    classes = [(found.start(), found[1]) for found in _CLASS.finditer(text)]
    found = []
    for match in _SIGNATURE.finditer(text):
        before = [name for start, name in classes if start < match.start()]
        owner = before[-1] if match["indent"] and before else ""
        found.append(Function(owner, match["name"], match["given"]))
    return found


def array(random: Random, kind: np.dtype[Any] | type, dimensions: int) -> np.ndarray[Any, Any]:
    """Make an array of any shape, of numbers that may be indexes, and of some that may not."""
    shape = tuple(random.choice(SIZES[: 11 if dimensions > 1 else None]) for _ in range(dimensions))
    made = np.zeros(shape, kind)
    size = made.size
    fill = random.randrange(5)
    if fill == 1:
        made.flat = np.arange(size).astype(kind)
    elif fill == 2:
        made.flat = np.array([random.choice(SMALL_NUMBERS) for _ in range(size)], np.int64).astype(kind)
    elif fill == 3:
        made.flat = np.array([random.randrange(-(2**63), 2**63) for _ in range(size)], np.int64).astype(kind)
    elif fill == 4:
        made.flat = np.array([min(n, 2**63 - 1) for n in random.choices(NUMBERS, k=size)], np.int64).astype(
            kind
        )
    if random.random() < 0.1 and np.issubdtype(made.dtype, np.floating) and size:
        made.flat[random.randrange(size)] = random.choice([np.nan, np.inf, -np.inf, 1e308])
    return made


class Loose:
    """A record that has every field: arrays, and numbers that are of no size."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        kind = self._random.choice([*TYPES.values(), np.bool_])
        if self._random.random() < 0.25:
            drawn: Any = self._random.choice(NUMBERS)
        else:
            drawn = array(self._random, kind, self._random.choice((1, 1, 2)))
        setattr(self, name, drawn)
        return drawn


class Pool:
    """Values by the name of their type: arrays, texts, numbers, what the compiled modules make of pages."""

    def __init__(self) -> None:
        self.made: dict[str, list[Any]] = {}
        for page in PAGES:
            for value in products(page):
                self.add(value)

    def add(self, value: Any) -> None:
        """Keep a value by the names of its type and of the types that this one is made of."""
        for kind in type(value).__mro__[:-1]:
            self.made.setdefault(kind.__name__, []).append(value)

    def draw(self, random: Random, kind: str, argument: str) -> Any:
        """Draw a value: mostly of a type, else of any."""
        if random.random() < 0.08:
            return random.choice([self._any, self._number, self._array])(random)
        kind = kind.removeprefix("const ")
        if "[" in kind:
            element, _, axes = kind.partition("[")
            if element == "unsigned char" and random.random() < 0.6:
                return random.choice(PAGES)
            return array(random, TYPES[element], axes.count(":") - axes.count("::1"))
        if kind in ("bytes", "bytearray"):
            return random.choice(PAGES)
        if kind == "str":
            return random.choice(TEXTS)
        if kind in ("bint", "bool"):
            return random.random() < 0.5
        if kind in (
            "int",
            "Py_ssize_t",
            "unsigned char",
            "uint64_t",
            "int64_t",
            "uint32_t",
            "long",
            "size_t",
        ):
            return self._number(random)
        if kind in ("double", "float"):
            return random.choice([0.0, 1.0, -1.0, 0.5, 1e308, float("nan"), float("inf"), 1e9, 3.0])
        if kind == "tuple":
            return tuple(self._number(random) for _ in range(random.randrange(4)))
        if kind == "list":
            return [
                random.choice([("a", "b"), (b"a", b"b"), b"x", "x", 1, None])
                for _ in range(random.randrange(4))
            ]
        if kind == "dict":
            return {self._number(random): self._any(random) for _ in range(random.randrange(4))}
        if kind in self.made:
            return random.choice(self.made[kind])
        return self._untyped(random, argument)

    def _untyped(self, random: Random, argument: str) -> Any:
        """Draw a value for an argument without a type."""
        drawn = random.random()
        named = {"page": "PageReading", "boxes": "Boxes", "tags": "Tags", "options": "MarkdownOptions"}
        if argument in named and drawn < 0.8:
            return self._crossed(random, random.choice(self.made[named[argument]]))
        if argument in ("model", "forest", "counts", "marks", "walk") and drawn < 0.8:
            return Loose(random)
        if drawn < 0.35:
            return array(random, np.bool_, 1)
        if drawn < 0.7:
            return self._array(random)
        if drawn < 0.8:
            return tuple(self._array(random) for _ in range(random.randrange(1, 4)))
        return self._any(random)

    def _crossed(self, random: Random, value: Any) -> Any:
        """Mix a record with those of other pages, or with an array that is of no page."""
        if not dataclasses.is_dataclass(value) or random.random() < 0.4:
            return value
        name = random.choice([field.name for field in dataclasses.fields(value)])
        own = getattr(value, name)
        if isinstance(own, np.ndarray):
            return dataclasses.replace(value, **{name: array(random, own.dtype, own.ndim)})
        other = random.choice(self.made[type(value).__name__])
        return dataclasses.replace(value, **{name: getattr(other, name)})

    def _any(self, random: Random) -> Any:
        every = [None, "x", b"x", 1.5, (), [], object(), *(values[0] for values in self.made.values())]
        return random.choice(
            [random.choice(every), random.choice(TEXTS), random.choice(PAGES), self._number(random)]
        )

    def _array(self, random: Random) -> Any:
        return array(random, random.choice([*TYPES.values(), np.bool_]), random.choice((1, 1, 1, 2)))

    def _number(self, random: Random) -> int:
        return random.choice(SMALL_NUMBERS if random.random() < 0.5 else NUMBERS)


def products(page: bytes) -> Iterator[Any]:
    """What the compiled modules make of a page."""
    from cedar.transforms.curation import _tokens
    from cedar.transforms.extractors.html._attributes import AttributeScanner
    from cedar.transforms.extractors.html.reading import read_page
    from cedar.transforms.extractors.lines._lines import read_lines
    from cedar.transforms.extractors.markdown.page_markdown import MarkdownOptions
    from cedar.transforms.extractors.segments._page import SegmentedPage
    from cedar.transforms.extractors.tokens import _tokens as words
    from cedar.transforms.extractors.tree.tree import parsed_tree
    from cedar.transforms.extractors.vips.vips import segmented_page

    read = read_page(page)
    lines = read_lines(read.source.html, read.tags, keep_blank=True)
    segmented = SegmentedPage(page)
    yield from (read, read.source, read.tags, lines, lines.text, words.words_of(lines.text), segmented)
    yield from (segmented.markup, segmented.blocks, segmented.elements, AttributeScanner(page))
    yield _tokens.read(page.decode())
    tree = parsed_tree(page, keep_hidden=False)
    in_blocks = segmented_page(tree)
    yield from (tree, in_blocks.boxes, in_blocks.visual, in_blocks.blocks, MarkdownOptions())
    if page:
        yield lxml_html.fromstring(page.decode())


def call(pool: Pool, random: Random, module: ModuleType, function: Function) -> Any:
    """Call a function with drawn arguments; what it raises is an answer."""
    given = [pool.draw(random, kind, argument) for kind, argument in function.plain]
    named = {argument: pool.draw(random, kind, argument) for argument, kind in function.keyword.items()}
    owner: Any = module
    name = function.name
    if function.owner and name in ("__init__", "__cinit__"):
        name = function.owner
    elif function.owner:
        owner = random.choice(pool.made.get(function.owner, [None]))
    with contextlib.suppress(Exception):
        called = getattr(owner, name)  # of a property, its value
        return called(*given, **named) if callable(called) else called
    return None


def try_all(pool: Pool, name: str, seed: int, rounds: int, skipped: set[str], note: mmap.mmap) -> None:
    """Call a module's functions, each call noted before it is made."""
    module = importlib.import_module(name)
    declared = [function for function in functions(name) if str(function) not in skipped]
    random = Random(seed + zlib.crc32(name.encode()))
    for number in range(rounds):
        for function in declared:
            drawn = random.getrandbits(48)
            note[:] = f"{function} {number} {drawn}".encode().ljust(len(note))
            found = call(pool, Random(drawn), module, function)
            kind = type(found)
            if kind.__module__.startswith("transforms") and len(pool.made.get(kind.__name__, ())) < 40:
                pool.add(found)


def crashes(pool: Pool, name: str, seed: int, rounds: int) -> Iterator[str]:
    """Try a module in processes of its own; after a crash, without the function that crashed."""
    skipped: set[str] = set()
    while True:
        note = mmap.mmap(-1, 256)
        child = os.fork()
        if not child:
            # The signal's number says enough: no core, no trace.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            code = 1
            try:
                try_all(pool, name, seed, rounds, skipped, note)
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if not status:
            return
        last = note[:].decode().strip()
        function = last.partition(" ")[0]
        yield f"{name}: {last}: {describe(status)}"
        if not function or function in skipped:
            return
        skipped.add(function)


def describe(status: int) -> str:
    """Say how a process ended."""
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit code {os.WEXITSTATUS(status)}"


def main() -> int:
    """The command; see the head of this file."""
    seed, rounds = int(sys.argv[1]), int(sys.argv[2])
    if not os.environ.get("ASAN_OPTIONS"):  # its shadow takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    pool = Pool()
    failed = False
    for name in sys.argv[3:] or compiled_modules():
        for crash in crashes(pool, name, seed, rounds):
            print(crash, flush=True)
            failed = True
    return 1 if failed else 0


def compiled_modules() -> list[str]:
    """The names of all compiled modules."""
    found = sorted((ROOT / "transforms").rglob("*.pyx"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in found]


if __name__ == "__main__":
    sys.exit(main())
