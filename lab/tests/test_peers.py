"""Extractors of few by others, called as they want to be."""

from __future__ import annotations

from collections.abc import Callable

from cedar.transforms.extractors import registry
from lab.peers import boilerpy3, newspaper4k


def test_they_are_extractors_of_ones_own() -> None:
    for name in ("lab.peers:boilerpy3", "lab.peers:newspaper4k"):
        assert registry.get(name).name == name


def test_boilerpy_models(install: Callable[..., None]) -> None:
    class Extractor:
        def __init__(self, *, raise_on_failure: bool) -> None:
            assert not raise_on_failure

        def get_content(self, page: str) -> str:
            return type(self).__name__

    names = ("ArticleExtractor", "DefaultExtractor", "LargestContentExtractor", "KeepEverythingExtractor")
    install("boilerpy3.extractors", **{name: type(name, (Extractor,), {}) for name in names})
    assert boilerpy3("x") == "ArticleExtractor"
    assert boilerpy3("x", model="largest") == "LargestContentExtractor"


def test_newspaper_is_given_the_page_and_fetches_nothing(install: Callable[..., None]) -> None:
    class Article:
        title, text = "T", ""

        def __init__(self, url: str, *, fetch_images: bool) -> None:
            assert not fetch_images

        def download(self, *, input_html: str) -> None:
            self.text = input_html

        def parse(self) -> None:
            self.text += "!"

    install("newspaper", Article=Article)
    assert newspaper4k("<p>é</p>") == "T\n<p>é</p>!"
