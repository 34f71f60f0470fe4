"""FineWeb's pipeline as datatrove's own example has it, in one process, and its filters over given texts.

    python fineweb_datatrove.py run WARCS FOLDER MODEL
    python fineweb_datatrove.py judge PAGES FOLDER

Run by a Python that has datatrove in it, and nothing of this project. `run` takes each step of
`examples/fineweb.py` over a folder of WARC files, and the signatures of its deduplication and its masks after
it; the language's model is the file MODEL, and public suffixes are those that `tldextract` brings along.
`judge` asks each filter for each page of a folder of JSON lines, apart from the others. Both leave
`told.json` in FOLDER.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from datatrove.data import Document
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature
from datatrove.pipeline.extractors import Trafilatura
from datatrove.pipeline.filters import (
    C4QualityFilter,
    FineWebQualityFilter,
    GopherQualityFilter,
    GopherRepetitionFilter,
    LanguageFilter,
    URLFilter,
)
from datatrove.pipeline.filters.base_filter import get_filter_result
from datatrove.pipeline.formatters import PIIFormatter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.hashing import HashConfig

MINHASH = MinhashConfig(
    hash_config=HashConfig(hash_fc="sha1", precision=64), num_buckets=14, hashes_per_bucket=8, n_grams=5
)


class Stages:
    """CPU seconds of steps that draw pages from each other, each without what the steps before it take."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.kept: dict[str, list[str]] = {}
        self.texts: dict[str, str] = {}

    def timed(self, name: str, pages: Iterator[Document], before: list[str]) -> Iterator[Document]:
        """Pass pages on, and book what it took to get them."""
        self.kept[name] = []
        while True:
            others = sum(self.seconds[each] for each in before)
            start = time.process_time()
            page = next(pages, None)
            spent = time.process_time() - start
            self.seconds[name] += spent - (sum(self.seconds[each] for each in before) - others)
            if page is None:
                return
            self.kept[name].append(page.metadata["url"])
            if name == "extract":
                self.texts[page.metadata["url"]] = page.text
            yield page


def run(warcs: Path, folder: Path, model: Path) -> dict[str, object]:
    """The example, step by step."""
    from fasttext.FastText import _FastText
    from tldextract import TLDExtract

    addresses = URLFilter()
    addresses.tldextractor = TLDExtract(suffix_list_urls=())
    language = LanguageFilter("en")
    language.model._model = _FastText(str(model))
    extractor = Trafilatura(favour_precision=True)
    signature = MinhashDedupSignature(output_folder=str(folder / "signatures"), config=MINHASH)

    def signed(pages: Iterator[Document]) -> Iterator[Document]:
        for page in pages:
            signature.get_signature(signature.get_shingles(page.text))
            yield page

    steps: list[tuple[str, Callable[[Iterator[Document]], Iterator[Document]]]] = [
        ("read", lambda _: WarcReader(str(warcs), glob_pattern="*.warc.gz").run()),
        ("urls", addresses.run),
        ("extract", extractor.run),
        ("language", language.run),
        ("gopher-repetition", GopherRepetitionFilter().run),
        ("gopher-quality", GopherQualityFilter().run),
        ("c4", C4QualityFilter(filter_no_terminal_punct=False).run),
        ("fineweb-quality", FineWebQualityFilter().run),
        ("write", JsonlWriter(str(folder / "output")).run),
        ("signatures", signed),
        ("masks", PIIFormatter().run),
    ]
    stages, pages, before = Stages(), iter(()), []
    for name, step in steps:
        pages = stages.timed(name, iter(step(pages)), list(before))
        before.append(name)
    for _ in pages:
        pass
    child = resource.getrusage(resource.RUSAGE_CHILDREN)  # it extracts, and has ended
    stages.seconds["extract"] += child.ru_utime + child.ru_stime
    return {
        "seconds": dict(stages.seconds),
        "kept": stages.kept,
        "texts": stages.texts,
    }


def judge(pages: Path) -> dict[str, object]:
    """Why each filter drops each page; None where it does not."""
    filters = {
        "gopher-repetition": GopherRepetitionFilter(),
        "gopher-quality": GopherQualityFilter(),
        "c4": C4QualityFilter(),
        "c4-any-end": C4QualityFilter(filter_no_terminal_punct=False),
        "fineweb-quality": FineWebQualityFilter(),
    }
    reasons: dict[str, dict[str, str | None]] = {}
    for page in JsonlReader(str(pages)).run():
        found = reasons[page.id] = {}
        for name, each in filters.items():
            kept, reason = get_filter_result(each.filter(Document(text=page.text, id=page.id)))
            found[name] = None if kept else reason
    return {"reasons": reasons}


def main() -> None:
    """Do what is asked, and leave `told.json`."""
    word, source, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    told = run(source, folder, Path(sys.argv[4])) if word == "run" else judge(source)
    (folder / "told.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
