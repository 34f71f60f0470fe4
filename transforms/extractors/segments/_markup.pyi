from transforms.extractors.html._tags import Tags
from transforms.extractors.html.reading import PageReading

class Markup:
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
    def __init__(self, page: PageReading) -> None: ...
