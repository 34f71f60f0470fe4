"""ISO-2022-JP of any length is decoded in time that grows with it."""

from __future__ import annotations

import pytest

from cedar.transforms.decode.charset import decode_text
from tests.helpers.shapes import assert_linear


@pytest.mark.parametrize("unit", [b"1", b"\x1b(Ia", b"\x1b$B", b"\x1b", b"\x1b(J\\", b"$"])
@pytest.mark.parametrize("escape", [b"\x1b(I", b"\x1b$B"])
def test_the_time_of_one_thing_repeated_grows_with_its_length(unit, escape):
    assert_linear(
        lambda body: decode_text(body, header_label="iso-2022-jp", truncated=False),
        lambda size: escape + unit * (size // len(unit)),
        2**15,
    )
