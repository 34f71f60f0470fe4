"""Every encoding beside an implementation of the Standard in JavaScript: `nox -s encodings`."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cedar.transforms.decode.encodings import ENCODINGS, decode
from tests.decode.sequences import SUMS, sequences, sum_of

pytestmark = pytest.mark.needs("node", "CEDAR_ENCODINGS")

FOLDER = Path(os.environ.get("CEDAR_ENCODINGS", ""))
"""Where the package is installed, with `encodings.mjs` in it."""


def standard(texts: Sequence[bytes], encoding: str) -> list[str]:
    """What the Standard makes of texts."""
    run = subprocess.run(
        ["node", "encodings.mjs", encoding],
        cwd=FOLDER,
        input="".join(f"{text.hex()}\n" for text in texts),
        capture_output=True,
        text=True,
        check=True,
    )
    decoded: list[str] = json.loads(run.stdout)
    return decoded


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_every_sequence_is_decoded_as_the_standard_has_it(encoding: str) -> None:
    asked = [*sequences(encoding)] if encoding in SUMS else [bytes((byte,)) for byte in range(256)]
    said = standard(asked, encoding)
    assert [decode(text, encoding)[0] for text in asked] == said
    assert encoding not in SUMS or SUMS[encoding] == sum_of(said)


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_malformed_text_is_decoded_as_the_standard_has_it(encoding: str) -> None:
    drawn = random.Random(encoding)
    pieces = [
        *(b"a~0\\\x1b\x80\x81\x84\x8e\x8f\x90\xa0\xa1\xa2\xa4\xb7\xe0\xe3\xed\xfc\xfe\xff\xd8\xdc"),
        *b"$B(JI@49",
    ]
    texts = [bytes(drawn.choices(pieces, k=drawn.randint(1, 9))) for _ in range(30_000)]
    said = standard(texts, encoding)
    assert [decode(text, encoding)[0] for text in texts] == said
