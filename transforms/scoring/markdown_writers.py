"""What writes Markdown of a page: Cedar's methods, and extractors by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from transforms.extractors import registry
from transforms.extractors.markdown.making import markdown_of
from transforms.extractors.options import canonical_json
from transforms.model.markdown_options import MarkdownOptions
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import GuardLimits
from transforms.scoring import markdown_peers
from transforms.scoring.peers import PREFIX


@dataclass(frozen=True, slots=True)
class Writer:
    """What writes Markdown."""

    write: Callable[[bytes, str | None], str]
    guard: Guard | None = None

    @property
    def child_seconds(self) -> float:
        """CPU time that its child has spent so far."""
        return 0.0 if self.guard is None else self.guard.cpu_seconds


def markdown_writer(name: str, given: Mapping[str, str], limits: GuardLimits) -> Writer:
    """Make what writes Markdown with a method or a peer; raise ValueError for what cannot."""
    if name.startswith(PREFIX):
        canonical = canonical_json(markdown_peers.parse_options(name, given))
        guard = Guard((name, canonical), limits, markdown_peers.FACTORY, with_html=False)
        return Writer(lambda page, _: guard.extract(page).text, guard)
    extractor = registry.get(name)
    registry.check_markdown(extractor)
    options = registry.parse_options(name, given)
    if not extractor.is_guarded:
        return Writer(
            lambda page, url: (
                markdown_of(registry.run(extractor, page, options), MarkdownOptions(), url) or ""
            )
        )
    guard = Guard((name, registry.options_json(options)), limits, with_html=True)
    return Writer(lambda page, url: markdown_of(guard.extract(page), MarkdownOptions(), url) or "", guard)
