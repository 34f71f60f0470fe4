"""Extractors of other packages: a function of theirs, with options and blocks, as a method like any other.

A package names its function as an entry point of the group `cedar.extractors`, or the user names it as
`package.module:function`:

    def longest(html: str, *, at_least: int = 20) -> str: ...

It returns the text, or the page's blocks (`Block`), kept and dropped. An option has a default, and is
annotated `int`, `float`, `bool`, `str`, or a `Literal` of strings, perhaps with `About`. Code is taken from
installed packages or an absolute PYTHONPATH, never from the current directory.
"""

import contextlib
import importlib
import importlib.util
import inspect
import logging
import os
import re
import sys
import threading
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, make_dataclass, replace
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Never, TypeVar

from cedar.transforms.extractors.extraction import Block, Extraction, GivenExtraction
from cedar.transforms.extractors.method import Extractor, Fidelity, Implementation
from cedar.transforms.extractors.options import DISTRIBUTION, About, NoOptions, Options
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.texts import describe, valid_text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "cedar.extractors"
"""The group of entry points."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_SLOW_SECONDS = 10.0
_DESCRIBED = "__cedar_extractor__"
_AS = 'write @cedar.extractor(summary="what it does") above def name(html: str, *, option=default) -> str'


@dataclass(frozen=True, slots=True)
class Described:
    """What a package says of its function; see `extractor`."""

    summary: str
    paper: str = ""
    guarded: bool = False


def extractor(
    *misplaced: Never, summary: str = "", paper: str = "", guarded: bool = False
) -> Callable[[_Function], _Function]:
    """Describe a function as an extractor; a decorator that leaves the function as it is.

    Args:
        misplaced: nothing: the function stands below the decorator.
        summary: what it does, one line; it must be given.
        paper: where it was published.
        guarded: run it in a child process that can be killed: for functions that may be held up in C code.

    Raises:
        TypeError: something else is given, or the decorated object is no function that takes a page.
    """
    texts = isinstance(summary, str) and isinstance(paper, str) and isinstance(guarded, bool)
    if misplaced or not summary or not texts:
        raise TypeError(f"cedar.extractor is a decorator with arguments: {_AS}")

    def describe(function: _Function) -> _Function:
        _check(function)
        setattr(function, _DESCRIBED, Described(summary, paper, guarded))
        return function

    return describe


def _check(function: object) -> None:
    """Raise TypeError for what cannot be called with a page, or has an option without a default."""
    name = getattr(function, "__name__", repr(function))
    try:
        if not hasattr(function, "__dict__"):
            raise TypeError  # nothing can be said of it
        if isinstance(function, type) or inspect.iscoroutinefunction(function):
            raise TypeError  # what it returns is not a text
        page, *options = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{name} is not a function that takes a page: {_AS}") from None
    if page.kind not in (page.POSITIONAL_ONLY, page.POSITIONAL_OR_KEYWORD):
        raise TypeError(f"{name} takes no page as its first argument: {_AS}")
    for option in options:
        if option.default is option.empty:
            raise TypeError(f"option {option.name!r} of {name} needs a default")


def _points() -> "EntryPoints":
    from importlib.metadata import entry_points  # here, where it is asked for: `email` comes with it

    return entry_points(group=GROUP)


def names() -> tuple[str, ...]:
    """List the entry points of the group, by name, sorted."""
    return tuple(sorted({point.name for point in _points()}))


def find(name: str) -> Extractor | None:
    """Find an extractor by an entry point's name, or `package.module:function`; ValueError for another."""
    for point in _points():
        if point.name == name:
            return _extractor(name, point.value)
    return _extractor(name, name) if _NAME.fullmatch(name) else None


def _extractor(name: str, target: str) -> Extractor:
    module, _, attribute = target.partition(":")
    function = attribute_of("extractor", target, name)
    described = getattr(function, _DESCRIBED, None)
    if not isinstance(described, Described):
        raise ValueError(f"extractor {name!r}: {attribute} of {module} is not described as one: {_AS}")
    options = _options_class(name, function, distribution_of(module))
    return Extractor(
        name=name,
        paper=described.paper,
        summary=described.summary,
        fidelity=Fidelity.YOURS,
        load=partial(
            Implementation, options, partial(_extract, name=name, function=function, described=described)
        ),
        asks_for_guard=described.guarded,
    )


def attribute_of(what: str, target: str, name: str = "") -> Callable[..., Any]:
    """Import `package.module:function`, which the user called `name`; `what` it is to be is for messages.

    Raises:
        ValueError: it cannot be imported, or there is nothing that can be called.
    """
    module, _, attribute = target.partition(":")
    if not _NAME.fullmatch(target):
        raise ValueError(f"{what} {name or target!r}: write it as package.module:function")
    found = getattr(_imported(module), attribute, None)
    if not callable(found):
        raise ValueError(f"{what} {name or target!r}: {module} has no function {attribute!r}")
    return typing.cast("Callable[..., Any]", found)


@contextlib.contextmanager
def told_if_slow(what: str) -> Iterator[None]:
    """Log a warning where code of the user takes over ten seconds: nothing else says what a run waits for."""
    warning = f"{what} takes over {_SLOW_SECONDS:g} s: the run waits for it"
    timer = threading.Timer(_SLOW_SECONDS, logging.getLogger(__name__).warning, (warning,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _imported(module: str) -> Any:
    """Import an installed module, or one on an absolute PYTHONPATH; raise ValueError if that fails."""
    top = module.partition(".")[0]
    if top not in sys.modules and _only_in_current_directory(top):
        raise ValueError(
            f"no package {top!r} is installed or on an absolute PYTHONPATH; "
            "the current directory is not looked through: install the package, or set PYTHONPATH"
        )
    try:
        with told_if_slow(f"importing {module!r}"):
            return importlib.import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the module's own code runs here, and may fail in any way
        raise ValueError(f"cannot import {module!r}: {describe(error)}") from error


def _only_in_current_directory(top: str) -> bool:
    """Tell whether an import would find the package nowhere, or in the current directory first."""
    spec = importlib.util.find_spec(top)
    if spec is None:
        return True
    here = str(Path.cwd())
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if here in entries or distribution_of(top):
        return False
    from_here = PathFinder.find_spec(top, [here])
    return from_here is not None and from_here.origin == spec.origin


def distribution_of(module: str) -> str:
    """Name the distribution that a module is of, with its version; "" if it is of none."""
    from importlib.metadata import packages_distributions, version

    found = packages_distributions().get(module.partition(".")[0], [])
    return " ".join(f"{name} {version(name)}" for name in sorted(set(found)))


def _options_class(name: str, function: Callable[..., Any], distribution: str) -> type[Options]:
    """Make the options record of a function from its keyword arguments."""
    hints = typing.get_type_hints(function, include_extras=True)
    made = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        hint = hints.get(parameter.name, type(parameter.default))
        if typing.get_origin(hint) is not Annotated:
            hint = Annotated[hint, About(f"see {name}")]
        made.append((parameter.name, hint, field(default=parameter.default)))
    return make_dataclass(
        "PluginOptions", made, frozen=True, slots=True, kw_only=True, namespace={DISTRIBUTION: distribution}
    )


def _extract(
    html: bytes, options: Options, *, name: str, function: Callable[..., Any], described: Described
) -> Extraction:
    """Run the function on a page of valid UTF-8; its failure, in whatever way, is a reject of the page alone.

    MemoryError is raised of a guarded one: it went over the memory of the guard.
    """
    # Here, since most runs use no such function.
    from cedar.transforms.extractors.lines.keep_all import keep_all

    values = {item.name: getattr(options, item.name) for item in fields(options)}
    try:
        blocks = _blocks(name, function(html.decode(), **values))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if described.guarded and isinstance(error, MemoryError):
            raise
        raise RejectedError(RejectReason.EXTRACTOR_ERROR, describe(error)) from error
    text = "\n".join(block.text for block in blocks if block.kept and block.text)
    whole = keep_all(html, NoOptions())
    visible = whole.metrics.text_chars
    metrics = replace(
        whole.metrics,
        text_chars=len(text),
        words=len(text.split()),
        lines=len(blocks),
        content_lines=sum(block.kept for block in blocks),
        tag_ratio_mean=None,
        tag_ratio_std=None,
        threshold=None,
        content_ratio=len(text) / visible if visible else 0.0,
    )
    return GivenExtraction(text, whole.title, metrics, given_blocks=blocks)


def _blocks(name: str, result: object) -> tuple[Block, ...]:
    """Return what a function returned, as blocks of clean text, one a line."""
    if isinstance(result, str):
        lines = (valid_text(line).strip() for line in result.splitlines())
        return tuple(Block(line, kept=True, score=0.0) for line in lines if line)
    blocks = tuple(result) if isinstance(result, Iterable) else ()
    if not isinstance(result, Iterable) or not all(isinstance(block, Block) for block in blocks):
        raise TypeError(f"{name} returned {type(result).__name__}: return a str, or the page's Blocks")
    if odd := [type(block.text).__name__ for block in blocks if not isinstance(block.text, str)]:
        raise TypeError(f"{name} returned a Block whose text is of type {odd[0]}: make it a str")
    return tuple(
        replace(
            block,
            text=" ".join(valid_text(line).strip() for line in block.text.splitlines()),
            kept=bool(block.kept),
        )
        for block in blocks
    )
