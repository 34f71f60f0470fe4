"""From a command line to a frozen record: the parser made of the record, and the way back to it.

Options may come out of files, too: `--config run.toml`, and the recipes that come with Cedar.
"""

import argparse
import difflib
import functools
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from cedar.pipelines.common import option_values
from cedar.pipelines.common.errors import UsageError, of_user
from cedar.pipelines.common.messages import quoted
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

_RECIPES = Path(__file__).with_name("recipes")
_FILES = Group(
    "options from files",
    "the command line overrides them; --no-FLAG undoes a flag that they set; see docs/curation.md",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigChoices:
    """Which files have options; the help of each field says what it means."""

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


def shown_recipe(command: Command, argv: Sequence[str]) -> str | None:
    """Return the text of the recipe that is to be shown, if any; raise UsageError for an unknown one."""
    known = _named(command, argv)
    if known is None or not known.show:
        return None
    if known.recipe is None:
        raise UsageError("--show prints a recipe: give --recipe NAME, too")
    return _read(_place_of(known.recipe))


def with_files(command: Command, argv: Sequence[str]) -> list[str]:
    """Return a command line with the options of the files that it names, but for those that it has itself.

    Raises UsageError where a file cannot be read, or has an unknown key; where a flag is undone without one.
    """
    known = _named(command, argv)
    if known is None:
        return list(argv)
    flags = {f"--no-{one.name[2:]}" for one in options_of(command.record) if one.about.unit == "flag"}
    undone = {word for word in (word.replace("_", "-") for word in argv) if word in flags}
    if known.recipe is None and known.config is None:
        if undone:
            raise UsageError(f"{min(undone)} undoes a flag of --config or --recipe: there is neither")
        return list(argv)
    argv = [word for word in argv if word.replace("_", "-") not in undone]
    given = {word.partition("=")[0].replace("_", "-") for word in argv}
    given |= {f"--{word[5:]}" for word in undone}
    words: list[str] = []
    # What comes first has the last word, too, where options add up.
    for path in (known.config, known.recipe and _place_of(known.recipe)):
        if path:
            found = dict(_options(command, path))
            words = [word for name in found if name not in given for word in found[name]] + words
            given |= found.keys()
    return [*words, *argv]


def _named(command: Command, argv: Sequence[str]) -> Any:
    """Return what a command line says of files; None where the command takes none."""
    options = [one for one in options_of(command.record) if one.about.group == _FILES]
    if not options:
        return None
    parser = Parser(add_help=False, allow_abbrev=False)
    for one in options:
        add_option(parser, one)
    return parser.parse_known_args(argv)[0]


def _place_of(recipe: str) -> str:
    shipped = _RECIPES / f"{recipe}.toml"
    return str(shipped) if shipped.is_file() else recipe


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        names = ", ".join(sorted(shipped.stem for shipped in _RECIPES.iterdir()))
        why = fault.strerror if isinstance(fault, OSError) else "not text"
        raise UsageError(f"cannot read {path}: {why} (a file in TOML, or a recipe: {names})") from fault


def _options(command: Command, path: str) -> Iterator[tuple[str, list[str]]]:
    """Find the options in a file, each as the words that a command line would have."""
    known = {
        one.name: one
        for one in options_of(command.record)
        if one.name.startswith("-") and one.about.group != _FILES
    }
    with of_user(tomllib.TOMLDecodeError, saying=f"{path} is not TOML"):
        content = tomllib.loads(_read(path))
    parser = Parser(add_help=False, allow_abbrev=False)
    for one in known.values():
        add_option(parser, one)
    for key, value in content.items():
        name = f"--{key.replace('_', '-')}"
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = (
                f"did you mean {close[0][2:]}?"
                if close
                else "keys are names of options, without their dashes"
            )
            raise UsageError(f"{path}: unknown option {quoted(key)} ({hint})")
        with of_user(UsageError, saying=path):
            words = list(_words(known[name], value))
            parser.parse_args(words)
        yield name, words


def _words(one: OptionField, value: object) -> Iterator[str]:
    """Write a value as words of a command line."""
    if isinstance(value, bool) != (one.about.unit == "flag"):
        wanted = "true or false" if one.about.unit == "flag" else "a value"
        raise UsageError(f"{one.name[2:]} takes {wanted}, not {str(value).lower()}")
    if isinstance(value, Mapping) and one.about.unit == "pair":
        value = [f"{name}={setting}" for name, setting in value.items()]
    if isinstance(value, list) and not one.about.repeats:
        value = ",".join(map(str, value))
    for single in value if isinstance(value, list) else [value]:
        if not isinstance(single, str | int | float):
            raise UsageError(f"{one.name[2:]} takes text or a number, not {quoted(str(single))}")
        if single is not False:
            yield one.name if single is True else f"{one.name}={single}"
