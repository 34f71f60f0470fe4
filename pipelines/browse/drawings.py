"""Pages of a corpus, drawn as `cedar explain` draws them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cedar.pipelines.browse.rows import ShownRow, sample_evenly
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.page_lookup import explain_command, extractor_of_corpus, read_page, source_of_row
from cedar.pipelines.explain.drawn import bounded_memory, explain, page_html
from cedar.transforms.extractors import registry
from cedar.transforms.files.http_options import WebConfig, is_web
from cedar.transforms.files.storage import is_uri
from cedar.transforms.model.books import RejectedError
from cedar.transforms.runtime.guard_limits import GuardFaultError


@dataclass(slots=True)
class Drawings:
    """Pages of the corpus with this `corpus.json` that can be drawn, and why others were not.

    `web` says where the files of Common Crawl are, which may be a mirror on this machine.
    """

    described: Mapping[str, Any]
    web: WebConfig
    refusals: Counter[str] = field(default_factory=Counter)
    _pages: list[tuple[int, tuple[str, str], str, str, int]] = field(default_factory=list)
    _is_there: dict[str, bool] = field(default_factory=dict)

    def add(self, number: int, row: ShownRow) -> None:
        """Add a row, unless it is a reject or its archive cannot be read from here."""
        source = str(row.values["source"])
        place = self.web.place_of(source)
        if source not in self._is_there:
            self._is_there[source] = Path(place).is_file() or (is_uri(place) and not is_web(place))
        if row.stratum.verdict == "rejected":
            return
        if is_web(place):
            self.refusals["archives on a web server: the command of a page draws it"] += 1
        if self._is_there[source]:
            kind = (row.stratum.rule, row.stratum.language)
            self._pages.append((number, kind, source, row.url, int(row.values["offset"])))

    def drawn(self, number: int) -> Iterator[tuple[int, str]]:
        """Yield the numbers and the HTML of at most `number` pages, some of each rule and language."""
        kinds: dict[tuple[str, str], int] = {}
        codes = np.array([kinds.setdefault(page[1], len(kinds)) for page in self._pages], np.int32)
        choice = extractor_of_corpus(self.described)
        try:
            record = registry.parse_options(choice.name, dict(choice.options))
        except ValueError as error:
            self.refusals[str(error)] += number
            return
        for at in sample_evenly(codes, number).tolist():
            row, _, source, url, offset = self._pages[at]
            try:
                place = source_of_row(self.described, source, offset, outcome="")
                page = read_page(place, url, self.web)
                with bounded_memory():
                    work = explain(page.html, choice, record, mask=place.mask)
                command = explain_command(self.described, source, url, offset=offset)
                yield row, page_html(page, [work], [None], command=command)
            except (UsageError, RejectedError, GuardFaultError, MemoryError) as fault:
                self.refusals[str(fault) or type(fault).__name__] += 1
