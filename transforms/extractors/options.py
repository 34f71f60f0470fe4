"""Options of extractors: frozen records whose annotations carry meaning and bounds, and their parser.

@dataclass(frozen=True, slots=True, kw_only=True)
class SomeOptions:
    k: Annotated[int, About("number of clusters", minimum=2)] = 3
"""

import functools
import json
import math
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

DISTRIBUTION = "distribution_"
"""Attribute of an options class: the distribution of the extractor's code, with its version, if not ours."""

_DISTRIBUTION_KEY = "@distribution"
"""Where it stands among the options in JSON; no option's name has an @."""


class Options(Protocol):
    """A frozen dataclass whose fields have defaults and are `Annotated` with `About`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Options of a method that has none."""


@dataclass(frozen=True, slots=True)
class About:
    """What an option has besides type and default: its meaning in one line, bounds, an alias."""

    doc: str
    minimum: float = -math.inf
    maximum: float = math.inf
    alias: str = ""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option as people see it.

    `kind` is int, float, bool, str for a choice or, without choices, any text, or tuple for a list of
    choices; `choices` are the values of a choice, or of a list's items.
    """

    name: str
    default: object
    choices: tuple[str, ...]
    kind: type
    about: About

    @property
    def default_text(self) -> str:
        """The default as a command line gives it."""
        return ",".join(self.default) if isinstance(self.default, tuple) else str(self.default)

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        if self.kind is str:
            return ", ".join(self.choices) or "any text"
        if self.kind is bool:
            return "true, false"
        if self.kind is tuple:
            return f"a comma-separated list of {', '.join(self.choices)}"
        noun = "a whole number" if self.kind is int else "a number"
        low, high = self.about.minimum, self.about.maximum
        if math.isinf(low):
            return noun
        return f"{noun}, at least {low:g}" if math.isinf(high) else f"{noun} from {low:g} to {high:g}"


@functools.lru_cache(maxsize=64)
def specs(kind: type[Options]) -> tuple[OptionSpec, ...]:
    """Return the options of a record class, in the order of their definition."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found = []
    for item in fields(kind):
        value_type, about = typing.get_args(hints[item.name])
        choices = typing.get_args(value_type)
        value_kind = str if choices else value_type
        if typing.get_origin(value_type) is tuple:
            value_kind, choices = tuple, typing.get_args(choices[0])
        found.append(OptionSpec(item.name, item.default, choices, value_kind, about))
    return tuple(found)


def parse(extractor: str, kind: type[Options], given: Mapping[str, object]) -> Options:
    """Make an options record of a class from names (or aliases) and values.

    Hyphens and underscores are the same in names and in choices. Strings, as a command line gives them,
    become numbers where numbers are wanted, and lists, cut at their commas. A list is a set: its items stand
    in the order of the choices. `extractor` is for messages.

    Raises ValueError: an unknown option, an option given twice, or a value that is not allowed.
    """
    given = _without_distribution(extractor, kind, given)
    if not given:
        return kind()
    known = specs(kind)
    by_name = {spec.name: spec for spec in known} | {s.about.alias: s for s in known if s.about.alias}
    values: dict[str, Any] = {}
    for name, value in given.items():
        spec = by_name.get(name.replace("-", "_"))
        if spec is None:
            there_are = ", ".join(spec.name for spec in known) or "none"
            raise ValueError(f"{extractor} has no option {name!r}; its options: {there_are}")
        if spec.name in values:
            raise ValueError(f"{extractor}: option {spec.name} is given twice")
        values[spec.name] = _converted(extractor, spec, value)
    return kind(**values)


def _without_distribution(
    extractor: str, kind: type[Options], given: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the options alone; options that were written with other code than is here are refused."""
    if _DISTRIBUTION_KEY not in given:
        return given
    written, here = given[_DISTRIBUTION_KEY], getattr(kind, DISTRIBUTION, "")
    if written != here:
        raise ValueError(
            f"{extractor}: the options are of {written or 'code without a version'}, "
            f"here is {here or 'code without a version'}; install the same version everywhere"
        )
    return {name: value for name, value in given.items() if name != _DISTRIBUTION_KEY}


def _converted(extractor: str, spec: OptionSpec, value: object) -> object:
    result: object = None
    if spec.kind is str:
        result = _choice(spec, value) if spec.choices else value if isinstance(value, str) else None
    elif spec.kind is tuple:
        items = value.split(",") if isinstance(value, str) else value
        chosen = [_choice(spec, item) for item in items] if isinstance(items, list | tuple) else []
        if chosen and all(chosen) and len(set(chosen)) == len(chosen):
            result = tuple(choice for choice in spec.choices if choice in chosen)
    elif spec.kind is bool:
        result = value if isinstance(value, bool) else {"true": True, "false": False}.get(str(value).lower())
    else:
        result = _number(spec, value)
    if result is None:
        head, comma, last = spec.allowed.rpartition(", ")
        allowed = f"{head} or {last}" if comma and not last.startswith("at least") else spec.allowed
        raise ValueError(f"{extractor}: {spec.name} must be {allowed}, not {value!r}")
    return result


def _choice(spec: OptionSpec, value: object) -> str | None:
    plain = value.strip().replace("-", "_") if isinstance(value, str) else None
    return next((choice for choice in spec.choices if choice.replace("-", "_") == plain), None)


def _number(spec: OptionSpec, value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number: float = spec.kind(value)
    except (ValueError, OverflowError):
        return None
    exact = isinstance(value, str) or number == value
    inside = math.isfinite(number) and spec.about.minimum <= number <= spec.about.maximum
    return number if exact and inside else None


def canonical_json(options: Options) -> str:
    """Return all options, defaults included, as JSON with sorted keys and no blanks."""
    values = {item.name: getattr(options, item.name) for item in fields(options)}
    if distribution := getattr(options, DISTRIBUTION, ""):
        values[_DISTRIBUTION_KEY] = distribution
    return json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)
