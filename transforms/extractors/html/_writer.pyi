"""Writes text as it reads in the output, for compiled modules: see `_writer.pyx`."""

class TextWriter:
    """Writes text as it reads in the output.

    Attributes:
        size: number of bytes written.
    """

    size: int
    def __init__(self, room: int, trimmed: bool = True) -> None: ...
