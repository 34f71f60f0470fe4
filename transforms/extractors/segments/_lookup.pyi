from collections.abc import Mapping

class Lookup:
    """Numbers by their keys; each key has a slot of its own."""

    def __init__(self, numbers: Mapping[int, int]) -> None:
        """Makes the table: numbers of 0 or more by keys other than 0."""
