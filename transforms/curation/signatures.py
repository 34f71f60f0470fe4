"""Signatures of texts, by which near duplicates are found without the texts.

A signature is MinHash (Broder 1997) over runs of five tokens: 112 lanes of 32 bits, 14 bands of 8. Two texts
that share the key of a band are candidates; with Jaccard similarity s of their runs that happens with
probability 1 - (1 - s^8)^14 (Leskovec, Rajaraman, Ullman 2020, section 3.4). The plain definition is in
`tests/oracles/signatures.py`.
"""

from hashlib import blake2b

from cedar.transforms.curation import _signatures, _tokens

SHINGLE = _signatures.SHINGLE
"""Tokens of a run."""


def sign_text(text: str) -> tuple[bytes, bytes] | tuple[None, None]:
    """Make the signature of a text whose tokens have not been read yet, as `_signatures.sign` does."""
    return _signatures.sign(_tokens.read(text))


def url_hash(url: str) -> bytes:
    """Hash a URL to 8 bytes, without its scheme and its fragment, its host in lower case."""
    rest = url.partition("#")[0]
    scheme, colon, after = rest.partition("://")
    host, slash, path = (after if colon else scheme).partition("/")
    return blake2b(f"{host.lower()}{slash}{path}".encode(), digest_size=16).digest()[:8]
