"""Stop words: the few words without which hardly any running text of a language is written.

English has the eight of Gopher (Rae et al. 2021, appendix A.1.1). The other lists are Cedar's own: some ten
of each language's most frequent function words. Languages of scripts without blanks between words have none,
as their tokens are characters.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.curation import _tokens

LISTS: Mapping[str, str] = {
    "eng": "the be to of and that have with",
    "afr": "die en van het nie is wat vir met",
    "ara": "في من على إلى أن عن التي مع هذا كان",
    "bul": "на и да се за от не са че по",
    "cat": "el la de que i en els les amb per",
    "ces": "a se na že je v s do ale jako",
    "dan": "og at det er en til som på af ikke",
    "deu": "der die das und in den von zu mit nicht",
    "ell": "και το να του η της με που για από",
    "est": "ja on ei et see ka oli kui mis oma",
    "eus": "eta da ez bat du ere dira izan baina",
    "fas": "و در به از که این را با است برای",
    "fin": "ja on ei se että oli mutta kun joka myös",
    "fra": "le la les de des et que dans pour une",
    "heb": "של את על לא הוא זה עם גם היא אל",
    "hin": "के है में की से का और को पर नहीं",
    "hrv": "i je u se na da za su od koji",
    "hun": "a az és hogy nem is egy de volt ez",
    "ind": "yang dan di dengan untuk dari ini itu pada tidak",
    "ita": "di che la il non per una del con sono",
    "lav": "un ir no ar uz par kas bet lai tas",
    "lit": "ir kad yra su į iš bet kaip tai buvo",
    "nld": "de het een van en in dat niet zijn met",
    "nor": "og det er en til som på av ikke med",
    "pol": "i w na się z do nie jest że to",
    "por": "de que não para uma com os por mais como",
    "ron": "de și în la cu nu pe care din este",
    "rus": "и в не на что с по как это из",
    "slk": "a sa na že je v s do ale ako",
    "slv": "in je v na se da za ne so ki",
    "spa": "de la que el en los del las por con",
    "srp": "и је у се на да за су од који",
    "swe": "och att det är en som på för av inte",
    "tur": "ve bir bu için ile da de olarak çok daha",
    "ukr": "і в не на що з у до та як",
    "vie": "và của là có không được cho trong với người",
}
"""Words by language (ISO 639-3), parted by blanks."""

ENGLISH = "eng"
"""The language of texts if the run does not find languages."""


def stop_words(language: str) -> NDArray[np.uint64] | None:
    """Find the stop words of a language (ISO 639-3), as `_tokens` hashes tokens; None if it has no list."""
    words = LISTS.get(language)
    return None if words is None else hashes_of(tuple(words.split()))


@cache
def hashes_of(words: tuple[str, ...]) -> NDArray[np.uint64]:
    """Hash the words that are one token."""
    return np.array([_tokens.hash_of(word) for word in words if _tokens.read(word).size == 1], np.uint64)
