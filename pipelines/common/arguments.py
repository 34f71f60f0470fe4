"""From a command line to a frozen record: the parser made of the record, and the way back to it."""

import argparse
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pipelines.common import option_values
from pipelines.common.errors import UsageError
from transforms.model.options import METAVARS, Group, Option, OptionField, options_of, record_in

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    RecordT = TypeVar("RecordT", bound=DataclassInstance)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and ends with exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Raise one line instead of printing argparse's usage and line."""
        # What says already how to write it needs no pointer.
        hint = "" if message.endswith((")", "?")) else f" (see `{self.prog} --help`)"
        raise UsageError(f"{message}{hint}")

    def parse_mixed(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse options and names in any order; argparse would forget what `--` means to those after it."""
        place = words.index("--") if "--" in words else len(words)
        named = (f"./{word}" if word.startswith("-") else word for word in words[place + 1 :])
        return self.parse_intermixed_args([*words[:place], *named])


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: what its help says, its options, and the way from a command line to them.

    Attributes:
        usage: what follows its name, in outline.
        summary: what it does, one line of the list of commands; `description` heads its own help.
        record: the record of its options; its fields are its arguments.
        parse: makes this record of a parser and of what follows the command's name; None = as it stands.
    """

    usage: str
    summary: str
    description: str
    examples: str
    record: "type[DataclassInstance]"
    parse: Callable[[Parser, Sequence[str]], Any] | None = None

    def options(self, parser: Parser, argv: Sequence[str]) -> Any:
        """Return the record of what follows the command's name; raises UsageError."""
        parse = self.parse or (lambda parser, argv: record_of(self.record, parser.parse_args(argv)))
        return parse(parser, argv)


def add_options(parser: argparse.ArgumentParser, kind: "type[DataclassInstance]") -> None:
    """Add the options of a record to a parser, below their headings."""
    groups: dict[Group, argparse._ActionsContainer] = {}
    for one in options_of(kind):
        heading = one.about.group
        if heading is not None and heading not in groups:
            groups[heading] = parser.add_argument_group(heading.title, heading.description)
        add_option(parser if heading is None else groups[heading], one)


def record_of(kind: "type[RecordT]", values: argparse.Namespace, **others: object) -> "RecordT":
    """Make a record of options, or of records of them, of what the parser made; its lists become tuples.

    `others` are fields that are not what was given.
    """
    given = dict(others)
    for field in fields(kind):
        inner = record_in(field)
        if field.name in others:
            continue
        if inner is not None:
            given[field.name] = record_of(inner, values)
        elif hasattr(values, field.name):
            given[field.name] = getattr(values, field.name)
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def add_option(group: argparse._ActionsContainer, one: OptionField) -> None:
    """Add one option to a parser, or to a group of it."""
    about = one.about
    more: dict[str, Any] = {}
    if one.name.startswith("-"):
        more["dest"] = one.key
        more["required"] = about.is_required
    if about.unit == "flag":
        short = ("-q",) if one.key == "quiet" else ()
        group.add_argument(*short, one.name, action="store_true", help=one.help, **more)
        return
    if about.choices:
        more["choices"] = about.choices
    if about.repeats == "append":
        more["action"] = "append"
    elif about.repeats:
        more["nargs"] = about.repeats
        if one.name.startswith("-"):
            more["action"] = "extend"
    default = list(one.default) if about.repeats else one.default
    group.add_argument(
        one.name,
        type=about.parse or _reader(about),
        # argparse would read a string as if it had been given: the record has its default itself.
        default=argparse.SUPPRESS if isinstance(default, str) else default,
        metavar=about.metavar or METAVARS.get(about.unit),
        help=one.help.replace("%", "%%"),
        **more,
    )


def _reader(about: Option) -> Callable[[str], object]:
    if about.unit in ("size", "number") and (about.most or about.least > 1):
        return functools.partial(option_values.bounded, about)
    return _READERS[about.unit]


_READERS: dict[str, Callable[[str], object]] = {
    "text": str,
    "size": option_values.size,
    "number": option_values.number,
    "whole": functools.partial(option_values.number, least=0),
    "seconds": option_values.seconds,
    "path": option_values.path,
    "local path": option_values.local_path,
    "pair": option_values.pair,
    "regex": option_values.regex,
}
