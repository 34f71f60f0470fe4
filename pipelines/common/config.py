"""Options out of files: `--config run.toml`, and the recipes that come with Cedar."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.common.arguments import Command, Parser, add_option
from pipelines.common.errors import UsageError, of_user
from pipelines.common.messages import quoted
from transforms.model.options import Group, OptionField, flag, option, options_of

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
