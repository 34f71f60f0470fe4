"""Signatures of texts: what near duplicates are found by, without the texts.

A signature is MinHash (Broder 1997) over runs of five tokens: 112 lanes of 32 bits, 14 bands of 8. Two texts
that share the key of a band are candidates; with Jaccard similarity s of their runs that happens with
probability 1 - (1 - s^8)^14 (Leskovec, Rajaraman, Ullman 2020, section 3.4). The plain definition is in
`tests/oracles/signatures.py`.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from transforms.curation import _signatures, _tokens

if TYPE_CHECKING:
    from transforms.curation._tokens import Tokens

SHINGLE = _signatures.SHINGLE
"""Tokens of a run."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a text: 8 bytes for each band, and 4 for each lane, little-endian, in their order."""

    keys: bytes
    minima: bytes


def sign(tokens: "Tokens") -> Signature | None:
    """Make the signature of a text from its tokens; None if it has fewer than `SHINGLE`."""
    signed = _signatures.sign(tokens)
    return None if signed is None else Signature(*signed)


def sign_text(text: str) -> Signature | None:
    """Make the signature of a text whose tokens have not been read yet."""
    return sign(_tokens.read(text))


def url_hash(url: str) -> bytes:
    """Hash a URL to 8 bytes, without its scheme and its fragment, its host in lower case."""
    rest = url.partition("#")[0]
    scheme, colon, behind = rest.partition("://")
    host, slash, path = (behind if colon else scheme).partition("/")
    return blake2b(f"{host.lower()}{slash}{path}".encode(), digest_size=16).digest()[:8]
