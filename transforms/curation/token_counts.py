"""Counts of tokens, as language models count them; needs the package tokenizers."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cedar.transforms.curation.fasttext_file import digest_of_file
from cedar.transforms.model.annotations import Own
from cedar.transforms.model.columns import own_group
from cedar.transforms.model.packages import install_command
from cedar.transforms.model.texts import describe


class TokenizerError(ValueError):
    """A tokenizer that is missing or not valid; the message is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class TokenColumn:
    """A column of token counts, by the tokenizer at `path`."""

    column: str
    path: str

    @property
    def group(self) -> str:
        """The group that is this column."""
        return own_group(self.column, "int32")

    @property
    def identity(self) -> str:
        """The identity that a corpus is pinned to: the tokenizer's file with its digest."""
        path = Path(self.path)
        return f"{self.column}={path.name} {digest_of_file(path)}"


def token_column(text: str) -> TokenColumn:
    """Read `NAME=tokenizer.json`.

    Raises TokenizerError: there is no such tokenizer, or the package is not installed; ValueError: the column
    cannot be called so.
    """
    column, _, path = text.partition("=")
    own_group(column, "int32")
    _tokenizer(path)
    return TokenColumn(column, path)


class TokenCounter:
    """Counts tokens by several tokenizers, without special tokens.

    Raises TokenizerError: a tokenizer is missing or not valid.
    """

    def __init__(self, columns: Sequence[TokenColumn]) -> None:
        # Workers are processes already: threads in each would compete for the same cores.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._asked = [(one.column, _tokenizer(one.path)) for one in columns]

    def count(self, texts: Sequence[str]) -> list[Own]:
        """Return the counts of each text."""
        counts: list[dict[str, int]] = [{} for _ in texts]
        for column, tokenizer in self._asked:
            encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
            for of_text, encoding in zip(counts, encodings, strict=True):
                of_text[column] = len(encoding)
        return [Own(of_text) for of_text in counts]


def _tokenizer(path: str) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        command = install_command("tokens", "tokenizers")
        raise TokenizerError(f"--count-tokens needs a package: {command}") from error
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # the package raises nothing narrower
        raise TokenizerError(f"not a tokenizer: {path!r} ({describe(error)})") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
