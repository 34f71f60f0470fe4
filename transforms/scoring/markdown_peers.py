"""What others write as Markdown: `peer:NAME` with `--structure`.

Extractors that keep HTML have a converter write it, which is an option. Each is called as its documentation
says, without links and images, on the page as Cedar decodes it.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from transforms.extractors import options
from transforms.extractors.extraction import Extraction
from transforms.extractors.options import About, Options
from transforms.model.extras import install_command
from transforms.scoring.peers import EXTRA, PREFIX, Method, NoOptions, Peer, called, run_by

FACTORY = "transforms.scoring.markdown_peers:bind"
"""What the page guard calls for a peer; see `transforms.runtime.guard`."""

_CONVERTERS: Mapping[str, str] = {
    "markdownify": "markdownify",
    "html2text": "html2text",
    "html-to-markdown": "html_to_markdown",
}
"""The modules of what converts HTML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConverterOptions:
    """Options of what keeps HTML."""

    converter: Annotated[
        Literal["markdownify", "html2text", "html-to-markdown"], About("what writes its HTML as Markdown")
    ] = "markdownify"


def _trafilatura(_: NoOptions) -> Method:
    import trafilatura

    return lambda page: (
        trafilatura.extract(
            page,
            output_format="markdown",
            include_formatting=True,
            include_tables=True,
            include_comments=False,
        )
        or ""
    )


def _resiliparse(given: ConverterOptions) -> Method:
    from resiliparse.extract.html2text import extract_plain_text

    convert = _converter(given.converter)
    return lambda page: convert(
        extract_plain_text(page, main_content=True, preserve_formatting="minimal_html")
    )


def _readability(given: ConverterOptions) -> Method:
    import readability

    convert = _converter(given.converter)
    return lambda page: convert(readability.Document(page).summary(html_partial=True))


def _converter(name: str) -> Method:
    if name == "html2text":
        import html2text

        def by_html2text(html: str) -> str:
            converter = html2text.HTML2Text(bodywidth=0)
            converter.ignore_links = converter.ignore_images = True
            return str(converter.handle(html))

        return by_html2text
    if name == "html-to-markdown":
        import html_to_markdown

        chosen = html_to_markdown.ConversionOptions(skip_images=True)
        return lambda html: html_to_markdown.convert(html, chosen).content or ""
    import markdownify

    return lambda html: str(markdownify.markdownify(html, heading_style="ATX", strip=["a", "img"]))


_PEERS = (
    Peer("trafilatura", "trafilatura", NoOptions, _trafilatura),
    Peer("resiliparse", "resiliparse", ConverterOptions, _resiliparse),
    Peer("readability", "readability", ConverterOptions, _readability),
)


def names() -> tuple[str, ...]:
    """Return the peers' names with their prefix."""
    return tuple(PREFIX + peer.name for peer in _PEERS)


def parse_options(name: str, given: Mapping[str, object]) -> Options:
    """Make the options record of peer `name`; ValueError for what is unknown, not allowed, or missing."""
    peer = _get(name)
    parsed = options.parse(name, peer.options, given)
    needed = [peer.module]
    if isinstance(parsed, ConverterOptions):
        needed.append(_CONVERTERS[parsed.converter])
    for module in needed:
        if importlib.util.find_spec(module) is None:
            raise ValueError(f"{name} needs {module}, which is not installed: {install_command(EXTRA)}")
    return parsed


def is_installed(name: str) -> bool:
    """Whether a peer can run with its defaults."""
    try:
        parse_options(name, {})
    except ValueError:
        return False
    return True


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """Peer `name` with options as canonical JSON: from valid UTF-8 to its Markdown; ValueError as there."""
    return run_by(_get(name), parse_options(name, json.loads(options_text)))


def _get(name: str) -> Peer:
    peer = called(name, _PEERS)
    if peer is None:
        raise ValueError(f"{name} writes no Markdown here: choose from {', '.join(names())}")
    return peer
