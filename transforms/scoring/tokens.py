r"""From a text to the tokens that are compared: the same way for the extraction and for the gold.

Texts are normalised first: character references decoded, NFC. Tokens are runs between blanks as they stand
(`words`), or runs of `\w` in lower case (`lowered`). In scripts that are written without blanks between words
each character is a token: else a page of Chinese would be a handful of tokens.
"""

from __future__ import annotations

import html
import re
import unicodedata

# Thai, Lao, Myanmar, Khmer; the marks 々〆〇; kana; Han with its extensions; half-width kana.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_LOWERED = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")


def normalise(text: str) -> str:
    """Return the text with its character references decoded, in NFC."""
    return unicodedata.normalize("NFC", html.unescape(text))


def words(text: str) -> list[str]:
    """Raw tokens of a normalised text: runs between blanks, punctuation and case kept."""
    return _WORD.findall(text)


def lowered(text: str) -> list[str]:
    r"""Tokens of a normalised text in lower case: runs of `\w`; what is between them is dropped."""
    return _LOWERED.findall(text.lower())
