"""Where a signal of a text shows in it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from cedar.pipelines.drawing.words import Stretch, words

_LINE = re.compile(r"[^\n]+")
_ENDS = ".!?…。！？\"'”’"
_LINES: Mapping[str, Callable[[str], bool]] = {
    "short_lines": lambda line: len(line) <= 30,
    "terminal_lines": lambda line: line.rstrip()[-1:] not in _ENDS,
    "ellipsis_lines": lambda line: line.rstrip().endswith(("...", "…")),
    "bullet_lines": lambda line: line.lstrip()[:1] in "•●○■□▪▫*-–",
    "javascript_lines": lambda line: "javascript" in line.lower(),
}
"""Lines that count against a text, by signal."""

_PATTERNS = {
    "curly_bracket": r"\{",
    "lorem_ipsum": r"(?i)lorem ipsum",
    "hash_ratio": "#",
    "ellipsis_ratio": r"\.\.\.|…",
    "alpha_words": r"(?<!\S)[^\s\w]*\d[^\sa-zA-Z]*(?!\S)",
}
"""What counts against a text, by signal."""

_RUN = re.compile(r"(?:top|dup)_(\d+)gram")
_MOST = 400  # stretches


def where_it_shows(signal: str, text: str) -> list[Stretch]:
    """Return stretches [start, stop) of a text that count against it by a signal; none for other signals."""
    found = _stretches(signal, text)
    return [stretch for stretch, _ in zip(found, range(_MOST), strict=False)]


def _stretches(signal: str, text: str) -> Iterator[Stretch]:
    if signal.startswith("dup_line"):
        seen: set[str] = set()
        for line in _LINE.finditer(text):
            if (key := line[0].strip()) in seen:
                yield line.span()
            seen.add(key)
    elif signal in _LINES:
        yield from (line.span() for line in _LINE.finditer(text) if _LINES[signal](line[0]))
    elif signal in _PATTERNS:
        yield from (match.span() for match in re.finditer(_PATTERNS[signal], text))
    elif (run := _RUN.fullmatch(signal)) is not None:
        yield from _repeated(text, int(run[1]), is_top=signal.startswith("top"))


def _repeated(text: str, size: int, *, is_top: bool) -> Iterator[Stretch]:
    """Yield runs of words that come again: those of the commonest run, or all that came before."""
    found = words(text)
    keys = [tuple(word.key for word in found[at : at + size]) for at in range(len(found) - size + 1)]
    if is_top:
        commonest = Counter(keys).most_common(1)
        chosen = [place for place, key in enumerate(keys) if key == commonest[0][0]]
    else:
        first: dict[tuple[str, ...], int] = {}
        chosen = [place for place, key in enumerate(keys) if first.setdefault(key, place) != place]
    for place in chosen:
        yield found[place].start, found[place + size - 1].stop
