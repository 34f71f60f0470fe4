"""From a command line to a frozen record: the parser of every command, and the way to its record."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING, NoReturn, TypeVar

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
