"""Extractors by others, for comparison: `peer:NAME`. Their packages are the extra `cedar-corpus[peers]`.

Each is called as its documentation says, on the page as Cedar decodes it; what it calls text is its text. For
Markdown they are called without links and images; those that keep HTML have a converter, which is an option.
"""

import importlib.util
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, cast

from cedar.transforms.extractors import options
from cedar.transforms.extractors.extraction import NO_METRICS, Extraction
from cedar.transforms.extractors.options import About, NoOptions, Options
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.texts import install_command
from cedar.transforms.scoring import readability_js
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, read_records

PREFIX = "peer:"
EXTRA = "peers"

Method = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResiliparseOptions:
    """Options of resiliparse."""

    comments: Annotated[bool, About("keep what looks like comments")] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TrafilaturaOptions:
    """Options of trafilatura."""

    mode: Annotated[
        Literal["default", "fast", "precision", "recall"], About("its own modes; fast is without fallbacks")
    ] = "default"
    comments: Annotated[bool, About("keep comments")] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JustextOptions:
    """Options of jusText."""

    language: Annotated[
        Literal["English", "German", "French", "Spanish", "Russian", "Arabic", "Hindi", "any"],
        About("whose stop words it looks for; any = none, by length and links alone"),
    ] = "English"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoilerpyOptions:
    """Options of BoilerPy3."""

    model: Annotated[Literal["article", "default", "largest", "keep-everything"], About("its extractor")] = (
        "article"
    )


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


@dataclass(frozen=True, slots=True)
class Peer:
    """An extractor by others: its name after `peer:`, the module that must be installed, and its options.

    `make` imports it and gives the function from a page's source to its text.
    """

    name: str
    module: str
    options: type[Options]
    make: Callable[[Any], Method]


def _resiliparse(given: ResiliparseOptions) -> Method:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: str(
        extract_plain_text(page, main_content=True, alt_texts=False, comments=given.comments)
    )


def _trafilatura(given: TrafilaturaOptions) -> Method:
    import trafilatura

    modes: Mapping[str, Mapping[str, Any]] = {
        "default": {},
        "fast": {"fast": True},
        "precision": {"favor_precision": True},
        "recall": {"favor_recall": True},
    }
    chosen = modes[given.mode]
    return lambda page: trafilatura.extract(page, include_comments=given.comments, **chosen) or ""


def _readability(_: NoOptions) -> Method:
    import readability

    return lambda page: readability_js.lines_of(readability.Document(page).summary(html_partial=True))


def _justext(given: JustextOptions) -> Method:
    import justext

    if given.language == "any":
        return lambda page: _paragraphs(
            justext.justext(page, frozenset(), stopwords_low=0.0, stopwords_high=0.0)
        )
    stop_words = justext.get_stoplist(given.language)
    return lambda page: _paragraphs(justext.justext(page, stop_words))


def _paragraphs(found: list[Any]) -> str:
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def _boilerpy(given: BoilerpyOptions) -> Method:
    from boilerpy3 import extractors

    kinds = {
        "article": extractors.ArticleExtractor,
        "default": extractors.DefaultExtractor,
        "largest": extractors.LargestContentExtractor,
        "keep-everything": extractors.KeepEverythingExtractor,
    }
    extractor = kinds[given.model](raise_on_failure=False)
    return lambda page: str(extractor.get_content(page) or "")


def _newspaper(_: NoOptions) -> Method:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of an extra that nothing here needs
        import newspaper

    def extract(page: str) -> str:
        # The address is never fetched: the page is handed in.
        article = newspaper.Article("https://page.invalid/", fetch_images=False)
        article.download(input_html=page)
        article.parse()
        return "\n".join(part for part in (article.title, article.text) if part)

    return extract


def _trafilatura_markdown(_: NoOptions) -> Method:
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


def _resiliparse_markdown(given: ConverterOptions) -> Method:
    from resiliparse.extract.html2text import extract_plain_text

    convert = _converter(given.converter)
    return lambda page: convert(
        extract_plain_text(page, main_content=True, preserve_formatting="minimal_html")
    )


def _readability_markdown(given: ConverterOptions) -> Method:
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


@dataclass(frozen=True, slots=True)
class Peers:
    """The peers of one kind: what is said of one that is not among them, and what the page guard calls."""

    unknown: str
    factory: str
    members: tuple[Peer, ...]

    def names(self) -> tuple[str, ...]:
        """Return the peers' names with their prefix."""
        return tuple(PREFIX + peer.name for peer in self.members)

    def get(self, name: str) -> Peer:
        """Return the peer called `name`, prefix included; raise ValueError for another name."""
        found = next((peer for peer in self.members if PREFIX + peer.name == name), None)
        if found is None:
            raise ValueError(self.unknown.format(name, ", ".join(self.names())))
        return found

    def parse_options(self, name: str, given: Mapping[str, object]) -> Options:
        """Make the options record of peer `name`; ValueError for what is unknown, not allowed, or missing."""
        if name == WET and self is TEXTS:
            record = options.parse(name, WetOptions, given)
            read_texts(cast(WetOptions, record).file)
            return record
        if name == readability_js.NAME and self is TEXTS:
            return options.parse(name, readability_js.ReadabilityJsOptions, given)
        peer = self.get(name)
        record = options.parse(name, peer.options, given)
        for module in (peer.module, _CONVERTERS.get(getattr(record, "converter", ""), peer.module)):
            if importlib.util.find_spec(module) is None:
                raise ValueError(f"{name} needs {module}, which is not installed: {install_command(EXTRA)}")
        return record

    def is_installed(self, name: str) -> bool:
        """Tell whether a peer can run with its defaults."""
        try:
            self.parse_options(name, {})
        except ValueError:
            return False
        return True

    def bind(self, name: str, options_text: str) -> Callable[[bytes], Extraction]:
        """Bind peer `name` to options, canonical JSON: from a page of UTF-8 to its text and nothing else.

        Metrics are zero. Raises ValueError as `parse_options` does.
        """
        peer = self.get(name)
        method = peer.make(self.parse_options(name, json.loads(options_text)))
        # Their complaints about pages are not concern of the user's.
        logging.getLogger(peer.module).setLevel(logging.CRITICAL)
        return lambda page: Extraction(method(page.decode()), None, None, NO_METRICS, tuple)


TEXTS = Peers(
    "unknown peer {0!r}; there are: {1}",
    "cedar.transforms.scoring.peers:TEXTS.bind",
    (
        Peer("resiliparse", "resiliparse", ResiliparseOptions, _resiliparse),
        Peer("trafilatura", "trafilatura", TrafilaturaOptions, _trafilatura),
        Peer("readability", "readability", NoOptions, _readability),
        Peer("justext", "justext", JustextOptions, _justext),
        Peer("boilerpy3", "boilerpy3", BoilerpyOptions, _boilerpy),
        Peer("newspaper4k", "newspaper", NoOptions, _newspaper),
    ),
)
MARKDOWN = Peers(
    "{0} writes no Markdown here: choose from {1}",
    "cedar.transforms.scoring.peers:MARKDOWN.bind",
    (
        Peer("trafilatura", "trafilatura", NoOptions, _trafilatura_markdown),
        Peer("resiliparse", "resiliparse", ConverterOptions, _resiliparse_markdown),
        Peer("readability", "readability", ConverterOptions, _readability_markdown),
    ),
)


def known(*, writes_markdown: bool) -> Peers:
    """Return the peers that write Markdown, or those that write text."""
    return MARKDOWN if writes_markdown else TEXTS


WET = "peer:wet"

_KINDS = frozenset({"conversion"})


@dataclass(frozen=True, slots=True, kw_only=True)
class WetOptions:
    """Options of `peer:wet`."""

    file: Annotated[str, About("the WET file: a path or URL")] = ""


def read_texts(path: str) -> Mapping[str, str]:
    """Return the texts in a WET file by the ids of their records; raise ValueError for a bad file."""
    if not path:
        raise ValueError(f"{WET} needs a file: write {WET}:file=NAME.warc.wet.gz")
    texts = {}
    try:
        place = source_for(path, Web())
        size = place.stat().size or 0
        with place.open() as file:
            for item in read_records(file, FileRange(source=path, size=size), kinds=_KINDS):
                if isinstance(item, Damage):
                    raise ValueError(f"{path} is damaged at byte {item.offset}: {item.reason.value}")
                if not isinstance(item, ReadEnd) and item.kind in _KINDS and item.refers_to is not None:
                    if item.truncated:
                        raise ValueError(f"{path} is cut, or a text in it is: the one at byte {item.offset}")
                    texts[item.refers_to] = item.block.decode("utf-8", "replace")
    except OSError as fault:
        raise ValueError(f"cannot read {path}: {fault}") from fault
    if not texts:
        raise ValueError(f"{path} is not a WET file: it has no text that refers to a page")
    return texts
