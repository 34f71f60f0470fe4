"""Expressions over the columns of a row: what `--keep` says.

    expression = conjunction {"or" conjunction}
    conjunction = condition {"and" condition}
    condition = "not" condition | "(" expression ")" | column comparison
    comparison = ("==" | "!=" | "<" | "<=" | ">" | ">=") value | ["not"] "in" "(" value {"," value} ")"
               | "is" ["not"] "null"

A comparison with null is false, so that `not` of it is true. Numbers of floating columns are compared rounded
to float32, as the columns hold them.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass

from transforms.curation.float32 import rounded
from transforms.curation.languages import iso_639_3

Value = str | float | bool
"""What a column or an expression holds; numbers of all kinds are floats here."""

Row = Callable[[str], Value | None]
"""The value of a column by its name."""

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

OF_LANGUAGES = ("language", "lang")
"""Columns of languages, found and declared: they are compared by their codes in ISO 639-3."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A column against a value.

    Attributes:
        operator: one of `== != < <= > >=`.
        value: the value, rounded to float32 where the column is `floating`.
        written: the value as the user wrote it.
    """

    column: str
    operator: str
    value: Value
    written: str
    floating: bool

    def holds(self, row: Row) -> bool:
        """Whether it holds for a row."""
        found = row(self.column)
        if found is None:
            return False
        if self.column in OF_LANGUAGES:
            found = iso_639_3(str(found))
        if self.floating:
            found = rounded(found)  # type: ignore[arg-type]
        return OPERATORS[self.operator](found, self.value)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.column} {self.operator} {self.written}"


@dataclass(frozen=True, slots=True)
class Membership:
    """A column against several values, of which it is one."""

    column: str
    among: tuple[Comparison, ...]

    def holds(self, row: Row) -> bool:
        """Whether it holds for a row."""
        return any(one.holds(row) for one in self.among)

    def __str__(self) -> str:
        return f"{self.column} in ({', '.join(one.written for one in self.among)})"


@dataclass(frozen=True, slots=True)
class IsNull:
    """A column without a value."""

    column: str

    def holds(self, row: Row) -> bool:
        """Whether it holds for a row."""
        return row(self.column) is None

    def __str__(self) -> str:
        return f"{self.column} is null"


@dataclass(frozen=True, slots=True)
class Not:
    """What does not hold."""

    inner: "Expression"

    def holds(self, row: Row) -> bool:
        """Whether it holds for a row."""
        return not self.inner.holds(row)

    def __str__(self) -> str:
        return f"not {_bracketed(self.inner)}"


@dataclass(frozen=True, slots=True)
class Joined:
    """Expressions that all hold, joined by `and`; or of which one does, joined by `or`."""

    word: str
    parts: "tuple[Expression, ...]"

    def holds(self, row: Row) -> bool:
        """Whether it holds for a row."""
        found = (part.holds(row) for part in self.parts)
        return all(found) if self.word == "and" else any(found)

    def __str__(self) -> str:
        return f" {self.word} ".join(map(_bracketed, self.parts))


Expression = Comparison | Membership | IsNull | Not | Joined
"""What a row can be asked."""


def _bracketed(expression: Expression) -> str:
    return f"({expression})" if isinstance(expression, Joined) else str(expression)


def columns_of(expression: Expression) -> frozenset[str]:
    """The columns that an expression looks at."""
    match expression:
        case Comparison() | Membership() | IsNull():
            return frozenset((expression.column,))
        case Not():
            return columns_of(expression.inner)
        case _:
            return frozenset().union(*map(columns_of, expression.parts))
