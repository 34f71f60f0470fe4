"""Numbers as columns of 32 bits hold them, and as rules compare them."""

from ctypes import c_float


def rounded(number: float) -> float:
    """Round a number to the nearest one of 32 bits, so that .3 means one thing everywhere."""
    return c_float(number).value


def written(number: float, bound: float) -> str:
    """Write a number with four digits, or as many as show on which side of a bound it is."""
    for digits in (4, 9, 17):
        text = f"{number:.{digits}g}"
        if rounded(float(text)) != rounded(bound) or number == bound:
            return text
    return text
