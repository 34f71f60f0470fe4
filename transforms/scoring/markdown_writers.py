"""What writes Markdown of a page: Cedar's methods, and extractors by others."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping

from transforms.extractors import registry
from transforms.extractors.markdown.making import markdown_of
from transforms.model.extras import install_command
from transforms.model.markdown_options import MarkdownOptions
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import GuardLimits
from transforms.scoring.peers import EXTRA, PREFIX

Writer = Callable[[bytes, str | None], str]
"""From a page of valid UTF-8, and where it is from, to its Markdown."""

_PEERS = ("trafilatura",)


def markdown_writer(name: str, given: Mapping[str, str], limits: GuardLimits) -> Writer:
    """Make what writes Markdown with a method, or with a peer.

    Args:
        name: the method, or `peer:NAME`.
        given: its options.
        limits: what a page may cost a method that builds a tree.

    Raises:
        ValueError: there is none such, it writes no Markdown, or an option is unknown.
    """
    if name.startswith(PREFIX):
        return _peer(name.removeprefix(PREFIX), given)
    extractor = registry.get(name)
    registry.check_markdown(extractor)
    options = registry.parse_options(name, given)
    if not extractor.is_guarded:
        return lambda page, url: (
            markdown_of(registry.run(extractor, page, options), MarkdownOptions(), url) or ""
        )
    guard = Guard((name, registry.options_json(options)), limits, with_html=True)
    return lambda page, url: markdown_of(guard.extract(page), MarkdownOptions(), url) or ""


def _peer(name: str, given: Mapping[str, str]) -> Writer:
    if name not in _PEERS:
        there_are = ", ".join(PREFIX + peer for peer in _PEERS)
        raise ValueError(f"{PREFIX}{name} writes no Markdown here: choose from {there_are}")
    if given:
        raise ValueError(f"{PREFIX}{name} takes no options with --structure")
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{PREFIX}{name} is not installed: {install_command(EXTRA)}")
    import trafilatura

    return lambda page, _: (
        trafilatura.extract(
            page.decode(),
            output_format="markdown",
            include_formatting=True,
            include_tables=True,
            include_comments=False,
        )
        or ""
    )
