"""Scores of texts by classifiers of fastText: a column for a label of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cedar.transforms.curation._fasttext import Classifier, label_scores
from cedar.transforms.curation.fasttext_file import (
    LABEL_PREFIX,
    ModelError,
    ModelFile,
    digest_of_file,
    read_model,
)
from cedar.transforms.curation.float32 import rounded
from cedar.transforms.model.annotations import Own
from cedar.transforms.model.columns import own_group


class ClassifierError(ValueError):
    """A classifier that is missing or not valid; the message is one line that says what to do."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of scores of one label, without the prefix, by the model at `path`."""

    column: str
    path: str
    label: str

    @property
    def group(self) -> str:
        """The group that is this column."""
        return own_group(self.column, "float32")

    @property
    def identity(self) -> str:
        """The identity that a corpus is pinned to: the label, and the model's file with its digest."""
        path = Path(self.path)
        return f"{self.column}={path.name} {digest_of_file(path)}:{self.label}"


def scored(text: str) -> ScoreColumn:
    """Read `NAME=MODEL[:LABEL]`; without a label it is the one that is called as the column.

    Raises ClassifierError: there is no such model, or it has no such label; ValueError: the column cannot be
    called so.
    """
    column, _, place = text.partition("=")
    own_group(column, "float32")
    path, colon, label = place.rpartition(":")
    if not colon or Path(place).exists():
        path, label = place, column
    label = label.removeprefix(LABEL_PREFIX.decode())
    labels = _model(path).labels
    if label not in labels:
        some = ", ".join(labels[:5]) + (", ..." if len(labels) > 5 else "")
        raise ClassifierError(f"{path} has no label {label!r}: write {column}={path}:LABEL, one of {some}")
    return ScoreColumn(column, path, label)


class TextScorer:
    """Scores texts by several models.

    Raises ClassifierError: a model is missing or not valid.
    """

    def __init__(self, columns: Sequence[ScoreColumn]) -> None:
        models = {one.path: Classifier(_model(one.path)) for one in columns}
        self._columns = [one.column for one in columns]
        self._asked = [(models[one.path], models[one.path].labels.index(one.label)) for one in columns]

    def score(self, text: str) -> Own:
        """Return the scores of a text; line ends count as blanks."""
        found = label_scores(self._asked, text.encode("utf-8", "replace"))
        return Own({name: rounded(min(one, 1.0)) for name, one in zip(self._columns, found, strict=True)})


def _model(path: str) -> ModelFile:
    try:
        return read_model(Path(path))
    except OSError as error:
        raise ClassifierError(f"cannot read the classifier {path!r} ({error.strerror})") from error
    except ModelError as error:
        raise ClassifierError(f"not a classifier of fastText: {path!r} ({error})") from error
