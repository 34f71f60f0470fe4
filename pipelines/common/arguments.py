"""From a command line to a frozen record: the parser of every command, and the way to its record."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pipelines.common.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    RecordT = TypeVar("RecordT", bound=DataclassInstance)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and ends with exit code 2."""

    def error(self, message: str) -> NoReturn:
        """One line instead of argparse's usage and line."""
        # What says already how to write it needs no pointer.
        hint = "" if message.endswith((")", "?")) else f" (see `{self.prog} --help`)"
        raise UsageError(f"{message}{hint}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: what its help says, its arguments, and the way from a command line to its options.

    Attributes:
        usage: what follows its name, in outline.
        summary: what it does, one line of the list of commands.
        description: the same at the head of its own help.
        examples: the foot of its help.
        add_arguments: adds its arguments to a parser.
        options: makes its options of such a parser and what follows its name.
    """

    usage: str
    summary: str
    description: str
    examples: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    options: Callable[[Parser, Sequence[str]], Any]


def add_browser_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument of commands whose workers may have a browser."""
    parser.add_argument(
        "--browser-no-sandbox",
        action="store_true",
        help="with layout=chromium: start the browser without its sandbox, as root has to",
    )


def record_of(kind: type[RecordT], values: argparse.Namespace, **others: object) -> RecordT:
    """Make the record of parsed arguments.

    Args:
        kind: a dataclass whose fields are named as the arguments are.
        values: what the parser made; its lists become tuples.
        others: fields that are not an argument as it was given.
    """
    given = {
        field.name: others[field.name] if field.name in others else getattr(values, field.name)
        for field in fields(kind)
    }
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
