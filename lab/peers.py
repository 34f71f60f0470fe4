"""Extractors by others that few have installed, as extractors of one's own.

PYTHONPATH=$PWD cedar evaluate GOLD --extractor lab.peers:boilerpy3 --extractor lab.peers:newspaper4k
"""

from __future__ import annotations

import warnings
from typing import Annotated, Literal

import cedar


@cedar.extractor(summary="BoilerPy3", guarded=True)
def boilerpy3(
    html: str,
    *,
    model: Annotated[
        Literal["article", "default", "largest", "keep-everything"], cedar.About("its extractor")
    ] = "article",
) -> str:
    from boilerpy3 import extractors

    kinds = {
        "article": extractors.ArticleExtractor,
        "default": extractors.DefaultExtractor,
        "largest": extractors.LargestContentExtractor,
        "keep-everything": extractors.KeepEverythingExtractor,
    }
    return str(kinds[model](raise_on_failure=False).get_content(html) or "")


@cedar.extractor(summary="Newspaper4k", guarded=True)
def newspaper4k(html: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of an extra that nothing here needs
        import newspaper

    # The address is never fetched: the page is handed in.
    article = newspaper.Article("https://page.invalid/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    return "\n".join(part for part in (article.title, article.text) if part)
