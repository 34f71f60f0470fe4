from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html.reading import PageReading

class Markup:
    reading: PageReading
    html: bytes
    title: str | None
    tags: Tags
    codes: memoryview
    hiding: memoryview
    classes: memoryview
    linked_gaps: memoryview
    def __init__(self, page: PageReading) -> None: ...
    def attributes_of(self, tag: int) -> dict[bytes, bytes]: ...
