from cedar.transforms.curation.fasttext_file import ModelFile

class Classifier:
    """A model that is ready to be asked."""

    labels: tuple[str, ...]
    def __init__(self, model: ModelFile) -> None: ...
    def classify(self, text: bytes) -> tuple[int, float]: ...

def label_scores(asked: list[tuple[Classifier, int]], text: bytes) -> list[float]: ...
