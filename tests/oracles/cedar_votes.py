"""The columns of `cedar`'s second look: what the first scores say of a block's surroundings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.oracles.cedar_choice import likelihood
from tests.oracles.cedar_columns import beside, best_run, since
from tests.oracles.cedar_headings import headline, parts
from tests.oracles.cedar_measures import Column, around, over, siblings, up
from tests.oracles.cedar_pages import Page


def votes(page: Page, scores: Sequence[int]) -> dict[str, Column]:
    """The columns of the second look, of first scores in ten-thousandths of log-odds."""
    count = len(page.blocks)
    index = range(count)
    likely = [likelihood(score) for score in scores]
    words = [max(block.words, 1) for block in page.blocks]
    mass = [one * weight for one, weight in zip(likely, words, strict=True)]
    whole = max(sum(mass), 1)

    def mean(some: Iterable[int]) -> float:
        chosen = list(some)
        return over(sum(mass[i] for i in chosen), sum(words[i] for i in chosen))

    order = sorted(index, key=lambda i: -scores[i])
    expected, above, hits, so_far = [0.0] * count, [0.0] * count, 0, 0
    for i in order:
        hits, so_far = hits + mass[i], so_far + words[i]
        above[i], expected[i] = hits / whole, 2 * hits / (1000 * so_far + whole)
    last = next(i for i in order if expected[i] == max(expected))
    sure = [one > 800 for one in likely]
    sure_words = [weight * mark for weight, mark in zip(words, sure, strict=True)]
    found: dict[str, Column] = {
        "likely": [float(one) for one in likely],
        "mass_above": above,
        "expected_here": expected,
        "above_last": [float(one - likely[last]) for one in likely],
        "expected": [expected[last]] * count,
        "last": [float(likely[last])] * count,
        "sure_share": [sum(mass[i] for i in index if sure[i]) / whole] * count,
        "sure_words": [float(sum(sure_words))] * count,
        "total": [float(whole // 1000)] * count,
        "share": [whole / sum(words)] * count,
    }
    for offset in (-2, -1, 1, 2):
        found[f"likely{offset:+d}"] = [
            float(likely[i + offset]) if 0 <= i + offset < count else 0 for i in index
        ]
    for reach in (2, 5, 12):
        found[f"window{reach}"] = [mean(j for j in index if j != i and abs(i - j) <= reach) for i in index]
    for level in range(4):
        held = [range(e.first, e.last) for e in (around(element)[level] for element in page.nearest)]
        found[f"around{level + 1}"] = [mean(some) for some in held]
        found[f"around{level + 1}_share"] = [sum(mass[i] for i in some) / whole for some in held]
    current = list(page.nearest)
    for level in range(5):
        alike = [[i for e in siblings(page, one) for i in range(e.first, e.last)] for one in current]
        found[f"siblings{level + 1}"] = [mean(some) for some in alike]
        current = [up(element) for element in current]
    kin = [(element.signature, up(element).signature) for element in page.nearest]
    found["kin"] = [mean(j for j in index if kin[j] == kin[i]) for i in index]
    found["other_kin"] = [mean(j for j in index if kin[j] == kin[i] and j != i) for i in index]
    found["sure_before"] = [over(sum(sure_words[:i]), sum(sure_words)) for i in index]
    found["sure_after"] = [over(sum(sure_words[i + 1 :]), sum(sure_words)) for i in index]
    found["since_sure"], found["to_sure"] = since(sure), since(sure[::-1])[::-1]
    ranges = parts(page)
    found["section"] = [mean(range(start, stop)) for start, stop in ranges]
    found["rest"] = [mean(range(i + 1, stop)) for i, (_, stop) in enumerate(ranges)]
    head, _ = headline(page)
    found["lead"] = [-1.0 if head is None else mean(range(min(i, head), max(i, head) + 1)) for i in index]
    run = best_run([(one - 500) * weight for one, weight in zip(likely, words, strict=True)])
    named = {f"vote.{name}": column for name, column in found.items()}
    return named | beside("vote", count, *run, ("run", "run_distance"))
