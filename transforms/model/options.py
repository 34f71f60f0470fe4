"""Options as fields of frozen records: each is written down once, with its help, default and unit.

The parser, the tables of the documentation and what a corpus is pinned to are made of these fields. Light to
import: help needs it.
"""

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")

_OPTION, _RECORD, _LEFT_OUT = "option", "record", "left_out"
_SIZES = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))

METAVARS = {"size": "SIZE", "number": "N", "whole": "N", "seconds": "SECONDS", "path": "PATH", "pair": "K=V"}
"""What stands for a value in the help, by its unit: a `number` is whole, from 1; a `whole` from 0."""


@dataclass(frozen=True, slots=True)
class Group:
    """A heading of the help, and the sentence below it."""

    title: str
    description: str | None = None

    @overload
    def option(self, help_text: str, default: T, **about: Any) -> T: ...
    @overload
    def option(self, help_text: str, *, repeats: str, **about: Any) -> tuple[Any, ...]: ...
    @overload
    def option(self, help_text: str, **about: Any) -> None: ...
    def option(self, help_text: str, default: Any = None, **about: Any) -> Any:
        """Make a field that is an option below this heading; `about` are the fields of `Option`.

        Without a default it is () if the option repeats, else None.
        """
        if default is None and about.get("repeats"):
            default = ()
        about_option = Option(help=help_text, **{"group": self if self.title else None, **about})
        return field(default=default, metadata={_OPTION: about_option})


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Help and bounds of a field that the user sets; `help` is its meaning, without the default.

    Attributes:
        unit: how its text is read: size (bytes), number (from 1), whole (from 0), seconds, path, regex, pair,
            text, or flag for what takes no value.
        parse: reads the text instead; raises `argparse.ArgumentTypeError`.
        metavar: the value's name in the help; "" = the unit's.
        choices: the values that are allowed; () = any that can be read.
        name: with its dashes; "" = made of the field's name; without dashes it is an argument by place.
        repeats: how it takes several values: "" = one, append, + or *.
        minimum, maximum: bounds of a number or a size; maximum 0 = unbounded.
        alias: a short name, such as -o.
        group: the heading below which it stands; None = the first.
        shapes: the rows depend on it, so that it is pinned; other options are free.
        adds: the group of columns that a flag adds; a corpus is pinned to its groups.
        shown: its default in the help; None = made of the default, "" = not shown.
    """

    help: str
    unit: str = "text"
    parse: Callable[[str], object] | None = None
    metavar: str = ""
    choices: tuple[str, ...] = ()
    name: str = ""
    repeats: str = ""
    minimum: int = 1
    maximum: int = 0
    alias: str = ""
    group: Group | None = None
    is_required: bool = False
    shapes: bool = False
    adds: str = ""
    shown: str | None = None


option = Group("").option
"""Makes a field that is an option below no heading, or below the heading of `group`."""


def required(help_text: str, **about: Any) -> Any:
    """Make a field that is an argument, or an option, which has to be given."""
    return field(metadata={_OPTION: Option(help=help_text, is_required=True, **about)})


def flag(help_text: str, **about: Any) -> bool:
    """Make a field that is an option without a value: off unless it is given."""
    return option(help_text, False, unit="flag", **about)


def options_of_record(kind: "type[DataclassInstance]", *left_out: str) -> Any:
    """Make a field that is a record of options itself, some of whose fields this command has not."""
    return field(default_factory=kind, metadata={_RECORD: kind, _LEFT_OUT: left_out})


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option of a record, or of a record in it."""

    key: str
    default: Any
    about: Option

    @property
    def name(self) -> str:
        """As it is written on the command line."""
        return self.about.name or "--" + self.key.replace("_", "-")

    @property
    def shown_default(self) -> str:
        """The default as the command line takes it; "" if there is nothing to show."""
        if self.about.shown is not None:
            return self.about.shown
        if self.default is None or self.about.unit == "flag":
            return ""
        if self.about.unit == "size":
            return shown_size(self.default)
        if isinstance(self.default, tuple):
            return ",".join(map(str, self.default))
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)

    @property
    def help(self) -> str:
        """Its meaning, and its default."""
        shown = self.shown_default
        return f"{self.about.help} (default: {shown})" if shown else self.about.help


def shown_size(size: int) -> str:
    """Return a number of bytes as the command line takes it: `64KiB`."""
    for unit, number in _SIZES:
        if size and size % number == 0:
            return f"{size // number}{unit}"
    return str(size)


def record_in(entry: Field[Any]) -> "type[DataclassInstance] | None":
    """Return the record of options that a field holds, or None."""
    kind: type[DataclassInstance] | None = entry.metadata.get(_RECORD)
    return kind


def is_option(entry: Field[Any]) -> bool:
    """Tell whether a field is an option."""
    return _OPTION in entry.metadata


def shaping(options: "DataclassInstance") -> dict[str, Any]:
    """Return the options of a record that shape the rows, by the names of their fields."""
    given = (f for f in fields(options) if is_option(f) and f.metadata[_OPTION].shapes)
    return {entry.name: getattr(options, entry.name) for entry in given}


def added_columns(options: "DataclassInstance") -> tuple[str, ...]:
    """Return the groups of columns that the flags of a record add."""
    flags = [f for f in fields(options) if is_option(f) and f.metadata[_OPTION].adds]
    return tuple(f.metadata[_OPTION].adds for f in flags if getattr(options, f.name))


def options_of(kind: "type[DataclassInstance]") -> Iterator[OptionField]:
    """Find the options of a record and of the records in it, in the order of the fields."""
    for entry in fields(kind):
        inner = record_in(entry)
        if inner is not None:
            yield from (o for o in options_of(inner) if o.key not in entry.metadata[_LEFT_OUT])
        elif is_option(entry):
            default = None if entry.default is MISSING else entry.default
            yield OptionField(entry.name, default, entry.metadata[_OPTION])
