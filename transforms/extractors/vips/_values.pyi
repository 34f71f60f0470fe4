"""Values of attributes and of style sheets' declarations; for compiled code, and here for tests."""

def parsed_length(text: bytes, em: float) -> float:
    """Read a length: pixels, 0 if absent; a share of what is around it is negative."""

def parsed_colour(text: bytes) -> int:
    """Read a colour, 0xRRGGBB; -1 if absent, or none that is seen."""
