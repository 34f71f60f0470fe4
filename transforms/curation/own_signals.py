"""Signals of the user's own: a function of a page whose answer is a column.

    def shouting(page: cedar.SignalInput) -> float: ...

The annotation of what it returns says what the column holds: `float`, `int`, `bool` or `str`, perhaps with
`| None`. A class is made once a worker and called for each page, so that it may load a model. It is named as
own extractors are.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from transforms.extractors.plugins import attribute_of, distribution_of
from transforms.model.annotations import Own, Signals
from transforms.model.books import RejectedError, RejectReason
from transforms.model.columns import own_group
from transforms.model.texts import describe, valid_text

_KINDS: Mapping[Any, str] = {float: "float64", int: "int64", bool: "bool", str: "string"}
_AS = "write def name(page: cedar.SignalInput) -> float: with float, int, bool or str"


class SignalInput(NamedTuple):
    """What a signal of one's own is given of a page.

    Attributes:
        text: its text.
        url: its URL.
        language: its language (ISO 639-3), where that was asked for and is known.
        signals: what is measured of it, with `--signals` or a preset.
    """

    text: str
    url: str
    language: str | None
    signals: Signals | None


@dataclass(frozen=True, slots=True)
class OwnSignal:
    """A column that a function fills.

    Attributes:
        column: its name.
        target: the function, as `package.module:function`.
        kind: of the column.
    """

    column: str
    target: str
    kind: str

    @property
    def group(self) -> str:
        """The group that is this column."""
        return own_group(self.column, self.kind)

    @property
    def identity(self) -> str:
        """What a corpus is pinned to: the function, and the distribution that it is of."""
        return f"{self.column}={self.target} {distribution_of(self.target.partition(':')[0])}".rstrip()


def own_signal(text: str) -> OwnSignal:
    """Read `NAME=package.module:function`.

    Raises:
        ValueError: there is no such function, or it does not say what it returns, or the column cannot be
            called so.
    """
    column, _, target = text.partition("=")
    function = attribute_of("signal", target)
    called = function.__call__ if isinstance(function, type) else function
    try:
        hint = typing.get_type_hints(called).get("return")
    except (NameError, TypeError) as error:
        raise ValueError(
            f"signal {target!r} has annotations that cannot be read: {describe(error)}"
        ) from error
    kinds = [hint]
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
    if len(kinds) != 1 or kinds[0] not in _KINDS:
        raise ValueError(f"signal {target!r} does not say what it returns: {_AS}")
    found = OwnSignal(column, target, _KINDS[kinds[0]])
    own_group(column, found.kind)
    return found


class OwnSignals:
    """Functions that are ready to be asked.

    Raises:
        ValueError: a function is not there, or its class cannot be made.
    """

    def __init__(self, asked: Sequence[OwnSignal]) -> None:
        self._asked = [(one, _ready(one)) for one in asked]

    def of(self, page: SignalInput) -> Own:
        """Return what the functions say of a page.

        Raises:
            RejectedError: one of them failed on it.
        """
        return Own({one.column: _answer(one, function, page) for one, function in self._asked})


def _ready(one: OwnSignal) -> Callable[[SignalInput], Any]:
    found: Any = attribute_of("signal", one.target)
    if not isinstance(found, type):
        return typing.cast("Callable[[SignalInput], Any]", found)
    try:
        return typing.cast("Callable[[SignalInput], Any]", found())
    except Exception as error:
        raise ValueError(f"signal {one.target!r} cannot be made: {describe(error)}") from error


def _answer(
    one: OwnSignal, function: Callable[[SignalInput], Any], page: SignalInput
) -> float | int | bool | str | None:
    try:
        value = function(page)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever it does to a page is one reject
        raise RejectedError(RejectReason.SIGNAL_ERROR, f"{one.column}: {describe(error)}") from error
    if hasattr(value, "item"):  # a number of numpy's
        value = value.item()
    if value is None or value != value:
        return None
    (wanted,) = (kind for kind, name in _KINDS.items() if name == one.kind)
    if type(value) is not wanted and not (wanted is float and type(value) is int):
        said = f"{one.column}: returned {type(value).__name__}, not {wanted.__name__}"
        raise RejectedError(RejectReason.SIGNAL_ERROR, said)
    return valid_text(value) if isinstance(value, str) else typing.cast("float", wanted(value))
