"""Signals of the user's own: a function of a page whose answer is a column.

    def shouting(page: cedar.SignalInput) -> float: ...

The annotation of what it returns, `float`, `int`, `bool` or `str`, perhaps with `| None`, is the column's
kind. A class is made once a worker and called for each page, so that it may load a model.
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cedar.transforms.extractors.plugins import attribute_of, distribution_of, told_if_slow
from cedar.transforms.model.annotations import Own, Signals
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.columns import own_group
from cedar.transforms.model.texts import describe, valid_text

Answer = float | int | bool | str | None
"""The types of answers."""

_KINDS: Mapping[Any, str] = {float: "float64", int: "int64", bool: "bool", str: "string"}
_AS = "write def name(page: cedar.SignalInput) -> float: with float, int, bool or str"

MAX_SIGNAL_PAGES = 32
"""Pages that a function is called with at once, at most."""


class SignalInput(NamedTuple):
    """The argument of a signal of one's own: a page.

    `language` is ISO 639-3, where it was asked for and is known; `signals` are there with `--signals` or a
    preset.
    """

    text: str
    url: str
    language: str | None
    signals: Signals | None


@dataclass(frozen=True, slots=True)
class OwnSignal:
    """A column that a function fills, `package.module:function`."""

    column: str
    target: str
    kind: str
    takes_many: bool = False

    @property
    def group(self) -> str:
        """The group that is this column."""
        return own_group(self.column, self.kind)

    @property
    def identity(self) -> str:
        """The identity that a corpus is pinned to: the function, and the distribution that it is of."""
        return f"{self.column}={self.target} {distribution_of(self.target.partition(':')[0])}".rstrip()


def own_signal(text: str) -> OwnSignal:
    """Read `NAME=package.module:function`.

    Raises:
        ValueError: there is no such function, or it does not say what it returns, or cannot be called with
            a page, or the column cannot be called so.
    """
    column, _, target = text.partition("=")
    function = attribute_of("signal", target)
    called = function.__call__ if isinstance(function, type) else function
    try:
        hints = typing.get_type_hints(called)
    except (NameError, TypeError) as error:
        raise ValueError(
            f"signal {target!r} has annotations that cannot be read: {describe(error)}"
        ) from error
    hint = hints.pop("return", None)
    takes_many = typing.get_origin(hint) is list
    _check_call(target, function, hints, takes_many=takes_many)
    if takes_many:
        (hint,) = typing.get_args(hint)
    kinds = [hint]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
    if len(kinds) != 1 or kinds[0] not in _KINDS:
        raise ValueError(f"signal {target!r} does not say what it returns: {_AS}")
    found = OwnSignal(column, target, _KINDS[kinds[0]], takes_many)
    own_group(column, found.kind)
    return found


def _check_call(target: str, function: Any, hints: Mapping[str, Any], *, takes_many: bool) -> None:
    """Raise ValueError for a function, or a class, that cannot take a page and return an answer."""
    given = [None]
    called = function
    if isinstance(function, type):
        given, called = [None, None], function.__call__
    if inspect.iscoroutinefunction(called) or inspect.isgeneratorfunction(called):
        raise ValueError(f"signal {target!r} does not return an answer, but is async or yields: {_AS}")
    try:
        names = list(inspect.signature(called).bind(*given).arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(f"signal {target!r} cannot be called with a page alone: {_AS}") from error
    hint = hints.get(names[-1])
    if hint is not None and (typing.get_origin(hint) is list) != takes_many:
        raise ValueError(
            f"signal {target!r} takes a list or returns one, and not both: "
            "write def name(pages: list[cedar.SignalInput]) -> list[float]"
        )


class OwnSignals:
    """Functions that are ready to be asked.

    Raises:
        ValueError: a function is not there, or its class cannot be made.
    """

    def __init__(self, signals: Sequence[OwnSignal]) -> None:
        self._asked = [(one, _ready(one)) for one in signals]

    def of(self, pages: Sequence[SignalInput]) -> list[Own | RejectedError]:
        """Return the answers of the functions for each page, or how one of them failed on it."""
        answers = [_answers(one, function, pages) for one, function in self._asked]
        return [self._record(of_page) for of_page in zip(*answers, strict=True)]

    def _record(self, answers: Sequence[Answer | RejectedError]) -> Own | RejectedError:
        failed = next((answer for answer in answers if isinstance(answer, RejectedError)), None)
        if failed is not None:
            return failed
        names = (one.column for one, _ in self._asked)
        return Own(dict(zip(names, typing.cast("Sequence[Answer]", answers), strict=True)))


def _ready(one: OwnSignal) -> Callable[[SignalInput], Any]:
    found: Any = attribute_of("signal", one.target)
    if not isinstance(found, type):
        return typing.cast("Callable[[SignalInput], Any]", found)
    try:
        with told_if_slow(f"making signal {one.target!r}"):
            return typing.cast("Callable[[SignalInput], Any]", found())
    except Exception as error:
        raise ValueError(f"signal {one.target!r} cannot be made: {describe(error)}") from error


def _answers(
    one: OwnSignal, function: Callable[[Any], Any], pages: Sequence[SignalInput]
) -> list[Answer | RejectedError]:
    """Call a function with pages; if it fails on several, call it with each alone."""
    if not one.takes_many:
        return [_checked(one, _asked(one, function, page)) for page in pages]
    found = _asked(one, function, list(pages))
    if isinstance(found, list | tuple | np.ndarray) and len(found) == len(pages):
        return [_checked(one, value) for value in found]
    if len(pages) > 1:
        return [answer for page in pages for answer in _answers(one, function, [page])]
    if not isinstance(found, RejectedError):
        count = (
            f"{len(found)} answers for a page"
            if isinstance(found, Sized)
            else f"{type(found).__name__}, not a list"
        )
        found = RejectedError(RejectReason.SIGNAL_ERROR, f"{one.column}: returned {count}")
    return [found]


def _asked(one: OwnSignal, function: Callable[[Any], Any], given: Any) -> Any:
    """Return the result of a function, or a RejectedError with the error that it raised."""
    try:
        return function(given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it does to a page is one reject
        return RejectedError(RejectReason.SIGNAL_ERROR, f"{one.column}: {describe(error)}")


def _checked(one: OwnSignal, value: Any) -> Answer | RejectedError:
    """Return an answer as the column holds it; a RejectedError for one of another type."""
    if isinstance(value, RejectedError):
        return value
    if hasattr(value, "item"):  # a number of numpy's
        value = value.item()
    if value is None or value != value:
        return None
    (wanted,) = (kind for kind, name in _KINDS.items() if name == one.kind)
    if type(value) is not wanted and not (wanted is float and type(value) is int):
        fault = f"{one.column}: returned {type(value).__name__}, not {wanted.__name__}"
        return RejectedError(RejectReason.SIGNAL_ERROR, fault)
    if type(value) is int and not -(limit := 2 ** (63 if wanted is int else 1023)) <= value < limit:
        return RejectedError(RejectReason.SIGNAL_ERROR, f"{one.column}: returned an int that is too large")
    return valid_text(value) if isinstance(value, str) else typing.cast("float", wanted(value))
