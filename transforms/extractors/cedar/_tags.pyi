MAX_TAGS: int

class Tags:
    """The t tags of a page without comments, scripts and styles, and the t + 1 gaps around them."""

    count: int
    html: bytes
    title: str | None
    starts: memoryview
    stops: memoryview
    ends: memoryview
    codes: memoryview
    roles: memoryview
    shown: memoryview
    parting: memoryview
    hidden_gaps: memoryview
    linked_gaps: memoryview
    preformatted_gaps: memoryview
    starts_before: memoryview

    def __init__(self, html: bytes) -> None:
        """Reads the tags of a page of valid UTF-8 without comments, scripts and styles."""
