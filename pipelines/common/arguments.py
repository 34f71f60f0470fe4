"""A command line to a frozen record: a parser is made from the record, and the record from its result.

Options may also come from files: `--config run.toml`, and the recipes that come with Cedar.
"""

import argparse
import difflib
import functools
import itertools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cedar.pipelines.common import option_types
from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.terminal import quoted
from cedar.transforms.model.options import (
    METAVARS,
    Group,
    Option,
    OptionField,
    flag,
    option,
    options_of,
    record_in,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    RecordT = TypeVar("RecordT", bound=DataclassInstance)


_DASHED_VALUE = re.compile(r"-(?!-)(?![0-9.]+$).+", re.DOTALL)
"""A value that argparse takes for options: other than numbers, and - alone."""


class Parser(argparse.ArgumentParser):
    """A parser of a command line and of the files of options that it names; errors are one line.

    Values of the command line win over values of `--config`, and these over values of `--recipe`.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.known: dict[str, OptionField] = {}
        self.renamed: Mapping[str, str] = {}

    def error(self, message: str) -> NoReturn:
        """Raise one line instead of printing argparse's usage and line."""
        # A message that says how to write it needs no pointer.
        hint = "" if message.endswith((")", "?")) else f" (see `{self.prog} --help`)"
        raise UsageError(f"{message}{hint}")

    def parse_args(self, words: Sequence[str]) -> argparse.Namespace:  # type: ignore[override]
        """Parse the words after a command's name; raises UsageError."""
        return self._with_files(super().parse_args(self.with_dashes(words)))

    def parse_mixed(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse options and names in any order; argparse would forget that only names follow `--`."""
        words = self.with_dashes(words)
        place = words.index("--") if "--" in words else len(words)
        named = (f"./{word}" if word.startswith("-") else word for word in words[place + 1 :])
        return self._with_files(self.parse_intermixed_args([*words[:place], *named]))

    def with_dashes(self, words: Sequence[str]) -> list[str]:
        """Return words in which Cedar's options are written with dashes; after `--` they are names."""
        place = words.index("--") if "--" in words else len(words)
        dashed = [self._dashed(word) for word in words[:place]]
        self._refuse_dashed_values(dashed)
        return [*dashed, *words[place:]]

    def _refuse_dashed_values(self, words: Sequence[str]) -> None:
        """Raise UsageError for a value that argparse would take for an option, as in `--columns -id`."""
        for name, value in itertools.pairwise(words):
            known = self._option_string_actions.get(name)
            if known is None or known.nargs is not None or value in self._option_string_actions:
                continue
            if _DASHED_VALUE.fullmatch(value):
                written = quoted(f"{known.option_strings[-1]}={value}")
                raise UsageError(f"{name}: a value that begins with - is written as {written}")

    def _dashed(self, word: str) -> str:
        name, equals, value = word.partition("=")
        dashed = name.replace("_", "-")
        self._refuse_renamed(dashed)
        is_ours = word.startswith("--") and dashed in self._option_string_actions
        return f"{dashed}{equals}{value}" if is_ours else word

    def _refuse_renamed(self, name: str) -> None:
        if name in self.renamed and name not in self._option_string_actions:
            raise UsageError(f"{name} is not an option any more: {self.renamed[name]}")

    def _with_files(self, given: argparse.Namespace) -> argparse.Namespace:
        values: dict[str, object] = {}
        recipe = getattr(given, "recipe", None)
        for path in (recipe and recipe_path(recipe), getattr(given, "config", None)):
            if path:
                values |= self._values_of_file(path)
        return argparse.Namespace(**{**values, **vars(given)})

    def _values_of_file(self, path: str) -> dict[str, object]:
        """Read a TOML file of options; raise UsageError for an unknown key, or an invalid value."""
        with usage_errors(tomllib.TOMLDecodeError, saying=f"{path} is not TOML"):
            content = tomllib.loads(_read(path))
        values = {}
        for key, value in content.items():
            option_field = self._option_of_file(path, key)
            with usage_errors(UsageError, argparse.ArgumentError, saying=path):
                values[option_field.key] = self._value_of_file(option_field, value)
        return values

    def _option_of_file(self, path: str, key: str) -> OptionField:
        known = {name[2:]: one for name, one in self.known.items() if one.about.group != _FILES}
        name = key.replace("_", "-")
        with usage_errors(UsageError, saying=path):
            self._refuse_renamed(f"--{name}")
        if name in known:
            return known[name]
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]}?" if close else "keys are names of options, without their dashes"
        raise UsageError(f"{path}: unknown option {quoted(key)} ({hint})")

    def _value_of_file(self, one: OptionField, value: object) -> object:
        """Return a value of TOML as the command line would give it."""
        is_flag = one.about.unit == "flag"
        if isinstance(value, bool) != is_flag:
            wanted = "true or false" if is_flag else "a value"
            raise UsageError(f"{one.name[2:]} takes {wanted}, not {str(value).lower()}")
        if is_flag:
            return value
        if isinstance(value, Mapping) and one.about.unit == "pair":
            value = [f"{name}={setting}" for name, setting in value.items()]
        if not one.about.repeats:
            return self._read_value(one, ",".join(map(str, value)) if isinstance(value, list) else value)
        return [self._read_value(one, item) for item in (value if isinstance(value, list) else [value])]

    def _read_value(self, one: OptionField, value: object) -> object:
        if not isinstance(value, str | int | float):
            raise UsageError(f"{one.name[2:]} takes text or a number, not {quoted(str(value))}")
        action = self._option_string_actions[one.name]
        found: object = self._get_value(action, str(value))
        self._check_value(action, found)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its help, and its options with their parser.

    Attributes:
        usage: the words after its name, in outline.
        summary: its line in the list of commands; `description` heads its own help.
        record: the type of its options; the fields are the arguments.
        parse: makes the record from a parser and the words after the command's name; None = field by field.
    """

    usage: str
    summary: str
    description: str
    examples: str
    record: "type[DataclassInstance]"
    parse: Callable[[Parser, Sequence[str]], Any] | None = None

    def options(self, parser: Parser, argv: Sequence[str]) -> Any:
        """Return the record of the words after the command's name; raises UsageError."""
        if self.parse is None:
            return record_from_args(self.record, parser.parse_args(argv))
        return self.parse(parser, argv)


def add_options(parser: Parser, kind: "type[DataclassInstance]") -> None:
    """Add the options of a record to a parser, below their headings."""
    groups: dict[Group, argparse._ActionsContainer] = {}
    for one in options_of(kind):
        heading = one.about.group
        if heading is not None and heading not in groups:
            groups[heading] = parser.add_argument_group(heading.title, heading.description)
        add_option(parser if heading is None else groups[heading], one)
        if one.name.startswith("-"):
            parser.known[one.name] = one


def record_from_args(kind: "type[RecordT]", values: argparse.Namespace, **others: object) -> "RecordT":
    """Make a record of options, and the records in it, from parsed arguments; lists become tuples.

    `others` are fields that replace the arguments.
    """
    given = dict(others)
    for field in fields(kind):
        inner = record_in(field)
        if field.name in others:
            continue
        if inner is not None:
            given[field.name] = record_from_args(inner, values)
        elif hasattr(values, field.name):
            given[field.name] = getattr(values, field.name)
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def add_option(group: argparse._ActionsContainer, one: OptionField) -> None:
    """Add one option to a parser, or to a group of it; its default stays in the record."""
    about = one.about
    names = [name for name in (about.alias, one.name) if name]
    more: dict[str, Any] = {"default": argparse.SUPPRESS, "help": one.help.replace("%", "%%")}
    if one.name.startswith("-"):
        more |= {"dest": one.key, "required": about.is_required}
    if about.unit == "flag":
        group.add_argument(*names, action="store_true", **more)
        undone = {**more, "help": argparse.SUPPRESS, "required": False}
        group.add_argument(f"--no-{one.name[2:]}", action="store_false", **undone)
        return
    if about.choices:
        more["choices"] = about.choices
    if about.repeats == "append":
        more["action"] = "append"
    elif about.repeats:
        more["nargs"] = about.repeats
        if one.name.startswith("-"):
            more["action"] = "extend"
    more["metavar"] = about.metavar or METAVARS.get(about.unit)
    group.add_argument(*names, type=about.parse or _reader(about), **more)


def _reader(about: Option) -> Callable[[str], object]:
    if about.unit in ("size", "number") and (about.maximum or about.minimum > 1):
        return functools.partial(option_types.bounded, about)
    return _READERS[about.unit]


_READERS: dict[str, Callable[[str], object]] = {
    "text": str,
    "size": option_types.size,
    "number": option_types.number,
    "whole": functools.partial(option_types.number, minimum=0),
    "seconds": option_types.seconds,
    "path": option_types.path,
    "local path": option_types.local_path,
    "pair": option_types.pair,
    "regex": option_types.regex,
}

_RECIPES = Path(__file__).with_name("recipes")
_FILES = Group(
    "options from files",
    "the command line overrides them; --no-FLAG undoes a flag that they set; see docs/curation.md",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigOptions:
    """The files of options."""

    config: str | None = option(
        "take options from this file in TOML", unit="path", metavar="FILE", group=_FILES
    )
    recipe: str | None = option(
        f"options from a recipe: {', '.join(sorted(path.stem for path in _RECIPES.iterdir()))}, or a file; "
        "--config overrides it",
        metavar="NAME",
        group=_FILES,
    )
    show: bool = flag("with --recipe: print the recipe and exit", group=_FILES)


def recipe_path(recipe: str) -> str:
    """Return the path of a recipe that comes with Cedar, or of a file of the user's."""
    shipped = _RECIPES / f"{recipe}.toml"
    return str(shipped) if shipped.is_file() else recipe


def recipe_to_show(parser: Parser, words: Sequence[str]) -> str | None:
    """Return the text of the recipe that `--show` asks for; raise UsageError for an unknown one."""
    if "--show" not in words or "--show" not in parser.known:
        return None
    files = Parser(add_help=False, allow_abbrev=False)
    add_options(files, ConfigOptions)
    recipe = getattr(files.parse_known_args(words)[0], "recipe", None)
    if recipe is None:
        raise UsageError("--show prints a recipe: give --recipe NAME, too")
    return _read(recipe_path(recipe))


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        names = ", ".join(sorted(shipped.stem for shipped in _RECIPES.iterdir()))
        why = fault.strerror if isinstance(fault, OSError) else "not text"
        raise UsageError(f"cannot read {path}: {why} (a file in TOML, or a recipe: {names})") from fault
