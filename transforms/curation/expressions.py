"""Expressions over the columns of a row, as `--keep` takes them.

    expression = conjunction {"or" conjunction}
    conjunction = condition {"and" condition}
    condition = "not" condition | "(" expression ")" | column comparison
    comparison = ("==" | "!=" | "<" | "<=" | ">" | ">=") value | ["not"] "in" "(" value {"," value} ")"
               | "is" ["not"] "null"

A comparison with null is false, so that `not` of it is true. Numbers of floating columns are compared rounded
to float32, as the columns hold them.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import NoReturn

from cedar.transforms.curation.float32 import rounded
from cedar.transforms.curation.languages import iso_639_3, language_asked

Value = str | float | bool
"""The kind of a column's or an expression's value; all numbers are floats here."""

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
"""Columns of languages: they are compared by their codes in ISO 639-3."""


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
        """Tell whether it holds for a row."""
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
    """A column against several values: it is one of them."""

    column: str
    among: tuple[Comparison, ...]

    def holds(self, row: Row) -> bool:
        """Tell whether it holds for a row."""
        return any(one.holds(row) for one in self.among)

    def __str__(self) -> str:
        return f"{self.column} in ({', '.join(one.written for one in self.among)})"


@dataclass(frozen=True, slots=True)
class IsNull:
    """A column without a value."""

    column: str

    def holds(self, row: Row) -> bool:
        """Tell whether it holds for a row."""
        return row(self.column) is None

    def __str__(self) -> str:
        return f"{self.column} is null"


@dataclass(frozen=True, slots=True)
class Not:
    """An expression after `not`."""

    inner: "Expression"

    def holds(self, row: Row) -> bool:
        """Tell whether it holds for a row."""
        return not self.inner.holds(row)

    def __str__(self) -> str:
        return f"not {_bracketed(self.inner)}"


@dataclass(frozen=True, slots=True)
class Joined:
    """Expressions joined by `and`, or by `or`."""

    word: str
    parts: "tuple[Expression, ...]"

    def holds(self, row: Row) -> bool:
        """Tell whether it holds for a row."""
        found = (part.holds(row) for part in self.parts)
        return all(found) if self.word == "and" else any(found)

    def __str__(self) -> str:
        return f" {self.word} ".join(map(_bracketed, self.parts))


Expression = Comparison | Membership | IsNull | Not | Joined
"""Any expression over a row."""


def _bracketed(expression: Expression) -> str:
    return f"({expression})" if isinstance(expression, Joined) else str(expression)


def columns_of(expression: Expression) -> frozenset[str]:
    """Return the columns that an expression looks at."""
    match expression:
        case Comparison() | Membership() | IsNull():
            return frozenset((expression.column,))
        case Not():
            return columns_of(expression.inner)
        case _:
            return frozenset().union(*map(columns_of, expression.parts))


MAX_DEPTH = 50
"""The greatest depth of brackets and `not`."""

_SIGNS_OF_OTHERS = {
    "=": "==",
    "===": "==",
    "!==": "!=",
    "<>": "!=",
    "=>": ">=",
    "=<": "<=",
    "!": "not",
    "&": "and",
    "&&": "and",
    "|": "or",
    "||": "or",
}
"""Operators of other languages, and the words for them here."""

_SIGN_OF_OTHERS = re.compile(r"===|!==|<>|=>|=<|=(?!=)|!(?!=)|&&?|\|\|?")

_WORD = re.compile(r"""\s*(?:(==|!=|<=|>=|<|>|\(|\)|,)|'([^']*)'|"([^"]*)"|([^\s()=!<>,'"]+)|(\S))""")

_ORDERED = frozenset({"int32", "int64", "float32", "float64", "timestamp"})
_FLOATING = frozenset({"float32", "float64"})


class ExpressionError(ValueError):
    """An expression that cannot be read; its message is one line, with the place."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that an expression may look at.

    Attributes:
        kinds: string, bool, int32, int64, float32, float64 or timestamp, by name.
        unfilled: the option that fills a column, by name: of columns that stay empty without it.
        languages: the codes that `language` may hold (ISO 639-3); none where that is not known.
    """

    kinds: Mapping[str, str]
    unfilled: Mapping[str, str]
    languages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of an expression: `quoted` ones are never names nor operators."""

    text: str
    at: int
    quoted: bool


def parse(text: str, columns: Columns) -> Expression:
    """Read an expression.

    Raises ExpressionError: it cannot be read, names a column that is not there, or compares what has no
    order.
    """
    parser = _Parser(text, columns)
    expression = parser.any_of()
    if parser.here is not None:
        parser.fail(f"{parser.here.text!r} is too much (parts are joined by and, or)")
    return expression


class _Parser:
    """Reads one expression by recursive descent."""

    def __init__(self, text: str, columns: Columns) -> None:
        self._text = text
        self._columns = columns
        self._words = [self._word(found) for found in _WORD.finditer(text.rstrip())]
        self._next = 0
        self._depth = 0

    def _word(self, found: re.Match[str]) -> _Word:
        at = found.end() - len(found.group().lstrip())
        self._refuse_sign_of_others(at)
        sign, single, double, bare, odd = found.groups()
        if odd is not None:
            raise self._error(at, f"{odd!r} is neither a sign nor the beginning of a word")
        if sign is not None or bare is not None:
            return _Word(sign or bare, at, quoted=False)
        return _Word(single if single is not None else double, at, quoted=True)

    def _refuse_sign_of_others(self, at: int) -> None:
        found = _SIGN_OF_OTHERS.match(self._text, at)
        if found is None:
            return
        # A word may begin with & or |, but not be one.
        is_word = found[0][0] in "&|" and not self._text[found.end() : found.end() + 1].isspace()
        if not is_word:
            instead = _SIGNS_OF_OTHERS[found[0]]
            raise self._error(at, f"write {instead} in place of {found[0]} (in a value: quote it)")

    @property
    def here(self) -> _Word | None:
        """Return the word that is read next; None at the end."""
        return self._words[self._next] if self._next < len(self._words) else None

    def fail(self, message: str) -> NoReturn:
        """Refuse the word that is read next."""
        raise self._error(self.here.at if self.here else len(self._text), message)

    def _error(self, at: int, message: str) -> ExpressionError:
        return ExpressionError(f"character {at + 1} of {self._text!r}: {message}")

    def _take(self, *texts: str) -> str | None:
        """Read the next word if it is one of some that are not quoted."""
        word = self.here
        if word is None or word.quoted or word.text not in texts:
            return None
        self._next += 1
        return word.text

    def _need(self, text: str) -> None:
        if self._take(text) is None:
            self.fail(f"{text!r} is missing here")

    def any_of(self) -> Expression:
        """Read an expression with `or`."""
        return self._joined("or", lambda: self._joined("and", self._condition))

    def _joined(self, word: str, part: Callable[[], Expression]) -> Expression:
        parts = [part()]
        while self._take(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _condition(self) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} brackets inside of each other")
        if self._take("not"):
            condition: Expression = Not(self._condition())
        elif self._take("("):
            condition = self.any_of()
            self._need(")")
        else:
            condition = self._comparison()
        self._depth -= 1
        return condition

    def _comparison(self) -> Expression:
        column = self._column()
        if self._take("is"):
            negated = self._take("not") is not None
            self._need("null")
            return Not(IsNull(column)) if negated else IsNull(column)
        if self._take("not"):
            self._need("in")
            return Not(self._membership(column))
        if self._take("in"):
            return self._membership(column)
        operator = self._take(*OPERATORS)
        if operator is None:
            self.fail("one of == != < <= > >= in is is missing here")
        if operator not in ("==", "!=") and self._columns.kinds[column] not in _ORDERED:
            self._next -= 1
            self.fail(f"{column} has no order: compare it with ==, != or in")
        return self._against(column, operator)

    def _membership(self, column: str) -> Membership:
        self._need("(")
        among = [self._against(column, "==")]
        while self._take(","):
            among.append(self._against(column, "=="))
        self._need(")")
        return Membership(column, tuple(among))

    def _column(self) -> str:
        word = self.here
        if word is None or word.quoted or word.text in ("(", ")", ",", *OPERATORS):
            self.fail("the name of a column is missing here")
        if word.text in self._columns.unfilled:
            self.fail(f"{word.text} is filled only with {self._columns.unfilled[word.text]}")
        if word.text not in self._columns.kinds:
            known = (*self._columns.kinds, *self._columns.unfilled)
            (nearest,) = get_close_matches(word.text, known, 1, 0)
            self.fail(f"there is no column {word.text!r} (the nearest is {nearest!r})")
        self._next += 1
        return word.text

    def _against(self, column: str, operator: str) -> Comparison:
        word = self.here
        if word is None or (not word.quoted and word.text in ("(", ")", ",", *OPERATORS)):
            self.fail("a value is missing here")
        kind = self._columns.kinds[column]
        value = self._value(column, kind, word)
        self._next += 1
        return Comparison(column, operator, value, _shown(word, value), floating=kind in _FLOATING)

    def _value(self, column: str, kind: str, word: _Word) -> Value:
        """Read the value that a word stands for, of the kind of a column."""
        if kind == "string":
            if column not in OF_LANGUAGES:
                return word.text
            try:
                return language_asked(word.text, self._columns.languages if column == "language" else ())
            except ValueError as error:
                self.fail(f"{column} is never {word.text!r}: {error}")
        if kind == "bool":
            if word.text not in ("true", "false"):
                self.fail(f"{column} is true or false, not {word.text!r}")
            return word.text == "true"
        try:
            if kind == "timestamp":
                moment = datetime.fromisoformat(word.text)  # UTC unless it says otherwise
                return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1e6
            number = float(word.text)
        except ValueError:
            example = "2026-01-31 or '2026-01-31T12:00'" if kind == "timestamp" else "12 or 0.5"
            self.fail(f"{column} is compared with a value such as {example}, not {word.text!r}")
        if number != number:
            self.fail("nothing can be compared with nan")
        return rounded(number) if kind in _FLOATING else number


def _shown(word: _Word, value: Value) -> str:
    """Write a value as it stands in the expression's own form, quoted where it has to be."""
    if not isinstance(value, str):
        return word.text
    if re.fullmatch(r"""[^\s()=!<>,'"]+""", value) and value not in ("and", "or", "not", "in", "is", "null"):
        return value
    return f"'{value}'" if "'" not in value else f'"{value}"'
