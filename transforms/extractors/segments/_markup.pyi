from transforms.extractors.html._tags import Tags

class Markup:
    """The t tags of a page without comments, scripts and styles, and the t + 1 gaps around them."""

    html: bytes
    title: str | None
    tags: Tags
    codes: memoryview
    roles: memoryview
    shown: memoryview
    parting: memoryview
    hiding: memoryview
    has_target: memoryview
    groups: memoryview
    classes: memoryview
    hidden_gaps: memoryview
    linked_gaps: memoryview
    preformatted_gaps: memoryview
    starts_before: memoryview

    def __init__(self, html: bytes, whole: bool = False) -> None:
        """Reads the tags of a page of valid UTF-8 without comments, scripts and styles."""
