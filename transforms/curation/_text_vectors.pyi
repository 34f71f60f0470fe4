from transforms.curation.fasttext_file import ModelFile

class TextVectors:
    """What makes vectors of texts."""

    dimensions: int
    def __init__(self, model: ModelFile) -> None: ...
