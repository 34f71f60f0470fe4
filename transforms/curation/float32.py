"""Numbers as columns of 32 bits hold them: what rules compare."""

import struct

_FLOAT32 = struct.Struct("<f")
_MOST = 3.4028235677973366e38  # from here on, float32 is infinite
_INFINITY = float("inf")


def rounded(number: float) -> float:
    """Round a number to the nearest one of 32 bits, so that .3 means one thing everywhere."""
    if -_MOST < number < _MOST:
        value: float = _FLOAT32.unpack(_FLOAT32.pack(number))[0]
        return value
    return number if number != number else (_INFINITY if number > 0 else -_INFINITY)


def written(number: float, bound: float) -> str:
    """Write a number with four digits, or as many as show on which side of a bound it is."""
    for digits in (4, 9, 17):
        text = f"{number:.{digits}g}"
        if rounded(float(text)) != rounded(bound) or number == bound:
            return text
    return text
