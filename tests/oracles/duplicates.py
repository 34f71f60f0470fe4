"""Clusters of pages that share a key, plainly: what `cedar.transforms.curation.duplicates` is held to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def groups(records: Iterable[Sequence[int]]) -> list[list[int]]:
    """The pages of each key that more than one page has, in order."""
    pages: dict[tuple[int, ...], set[int]] = {}
    for *key, page in records:
        pages.setdefault(tuple(key), set()).add(page)
    return sorted(sorted(group) for group in pages.values() if len(group) > 1)


def components(edges: Iterable[tuple[int, int]], pages: int) -> list[int]:
    """The least page that each page is connected with."""
    neighbours: list[list[int]] = [[] for _ in range(pages)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    least = [-1] * pages
    for start in range(pages):
        waiting = [start]
        while waiting:
            page = waiting.pop()
            if least[page] == -1:
                least[page] = start
                waiting += neighbours[page]
    return least


def common_lines(
    lines: Sequence[Sequence[str]], scopes: Sequence[str], min_pages: int
) -> list[list[tuple[int, int]]]:
    """The places, page and line, of each line that `min_pages` pages of a scope or more have, in order."""
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for page, (on_page, scope) in enumerate(zip(lines, scopes, strict=True)):
        for number, line in enumerate(on_page):
            places.setdefault((scope, line), []).append((page, number))
    return [found for found in places.values() if len(found) >= min_pages]
