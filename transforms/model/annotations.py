"""Columns that only some corpora have: a record for each group of them, kept beside a page's row."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from cedar.transforms.model.records import PERSONAL, SHARE, Float32, Int32, Int64, PageRow, described


@described
class Language(NamedTuple):
    """What is known of a text's language."""

    language: Annotated[
        str | None, "language of the text, ISO 639-3; null if it has fewer than 10 letters"
    ] = None
    language_script: Annotated[str | None, "script of most of its letters, ISO 15924"] = None
    language_score: Annotated[Float32 | None, "how sure the model is, from 0 to 1"] = None
    language_source: Annotated[str | None, "who said so: lid176, cld2, or the name of the model's file"] = (
        None
    )


@described
class Signals(NamedTuple):
    """Measures of a text. Shares are rounded to float32, as the columns hold them."""

    cedar_words: Annotated[
        Int32, "words: runs of letters, digits and _; in scripts without spaces, characters"
    ]
    sentences: Annotated[
        Int32, "parts of lines that hold a token; a terminal mark and a space, or the line, ends a part"
    ]
    dense_share: Annotated[Float32, "share of tokens that are characters of scripts without spaces", SHARE]
    mean_word_length: Annotated[Float32, "mean characters per token"]
    hash_ratio: Annotated[Float32, "# per word"]
    ellipsis_ratio: Annotated[Float32, "... and … per word"]
    bullet_lines: Annotated[Float32, "share of lines that begin like a list item", SHARE]
    ellipsis_lines: Annotated[Float32, "share of lines that end in ... or …", SHARE]
    terminal_lines: Annotated[Float32, "share of lines that end in a terminal mark", SHARE]
    short_lines: Annotated[Float32, "share of lines of at most 30 characters", SHARE]
    alpha_words: Annotated[Float32, "share of words with a letter", SHARE]
    stop_words: Annotated[
        Int32 | None, "distinct stop words of the page's language; null if Cedar has no list for it"
    ]
    dup_lines: Annotated[Float32, "share of lines that repeat an earlier line", SHARE]
    dup_line_chars: Annotated[Float32, "share of characters in lines that repeat an earlier line", SHARE]
    dup_line_chars_net: Annotated[
        Float32, "share of characters, line feeds left out, in lines that repeat an earlier line", SHARE
    ]
    top_2gram: Annotated[Float32, "share of characters in the most frequent 2-gram of tokens", SHARE]
    top_3gram: Annotated[Float32, "share of characters in the most frequent 3-gram of tokens", SHARE]
    top_4gram: Annotated[Float32, "share of characters in the most frequent 4-gram of tokens", SHARE]
    dup_5gram: Annotated[Float32, "share of characters in repeated 5-grams of tokens", SHARE]
    dup_6gram: Annotated[Float32, "share of characters in repeated 6-grams of tokens", SHARE]
    dup_7gram: Annotated[Float32, "share of characters in repeated 7-grams of tokens", SHARE]
    dup_8gram: Annotated[Float32, "share of characters in repeated 8-grams of tokens", SHARE]
    dup_9gram: Annotated[Float32, "share of characters in repeated 9-grams of tokens", SHARE]
    dup_10gram: Annotated[Float32, "share of characters in repeated 10-grams of tokens", SHARE]
    newline_ratio: Annotated[
        Float32, "line feeds per word; per token if most tokens are of scripts without spaces"
    ]
    c4_sentences: Annotated[Int32, "sentences in the lines that C4 keeps"]
    c4_sentences_any_end: Annotated[
        Int32, "sentences in the lines that C4 would keep whatever their last character"
    ]
    c4_lines: Annotated[Float32, "share of lines that C4 keeps", SHARE]
    policy_lines: Annotated[Int32, "lines that C4 drops because they mention policies or cookies"]
    javascript_lines: Annotated[Int32, "lines that C4 drops because they mention JavaScript"]
    lorem_ipsum: Annotated[bool, "a line of three or more words has lorem ipsum"]
    curly_bracket: Annotated[bool, "a line of three or more words has {"]
    unique_words: Annotated[Float32, "distinct tokens, in lower case, as a share of all tokens", SHARE]
    word_entropy: Annotated[Float32, "entropy of the tokens in lower case, in nats"]
    caps_words: Annotated[Float32, "share of tokens in capitals", SHARE]
    upper_chars: Annotated[Float32, "share of characters that are capitals", SHARE]
    digit_chars: Annotated[Float32, "share of characters that are digits", SHARE]
    rw_removed_words: Annotated[Float32, "share of tokens in lines that RefinedWeb drops", SHARE]


@described
class Cluster(NamedTuple):
    """The cluster of duplicates that this page represents."""

    cluster: Annotated[
        str | None, "the cluster of duplicates that the page is kept of; null for a page that has none"
    ]
    cluster_size: Annotated[Int64 | None, "pages of that cluster, this one among them"]


@described
class CommonLines(NamedTuple):
    """What was taken out of a text because many pages have it."""

    lines_removed: Annotated[
        Int32 | None, "lines that went from the text because many pages have them; see `cedar dedup --lines`"
    ] = None


@described
class Metadata(NamedTuple):
    """What a page says of itself."""

    headline: Annotated[str | None, "its headline, as it shows it; without the site's name", PERSONAL] = None
    date_published: Annotated[
        str | None, "when it was published, ISO 8601: a day, or a time with its offset as written"
    ] = None
    date_source: Annotated[
        str | None, "what said so: meta, json-ld, microdata, time, url, text or script"
    ] = None
    date_modified: Annotated[str | None, "when it was changed last; null if before it was published"] = None
    author: Annotated[str | None, "the names of its authors, joined by `; `", PERSONAL] = None
    site_name: Annotated[str | None, "the name of its site", PERSONAL] = None
    canonical_url: Annotated[
        str | None, "the address that it names as its own, absolute, without a fragment", PERSONAL
    ] = None
    description: Annotated[str | None, "what it says it is about, at most 2,000 characters", PERSONAL] = None
    licence: Annotated[
        str | None, "its licence: SPDX identifier of a known address, else the address", PERSONAL
    ] = None
    opt_out: Annotated[
        str | None,
        "what it asks of those who collect texts: noindex, noai, tdm-reservation, ...; null if nothing",
        PERSONAL,
    ] = None


@described
class Markdown(NamedTuple):
    """The content as Markdown."""

    markdown: Annotated[
        str | None,
        "the content as Markdown, the blocks of `text`; null where a method of lines stood in",
        PERSONAL,
    ] = None


@described
class Masked(NamedTuple):
    """What was masked of a page."""

    masked: Annotated[
        Int32 | None, "places of personal data that gave way to a word, in all columns; see `--mask`"
    ] = None


class Own(NamedTuple):
    """Values of columns that the user named: scores of classifiers, signals of one's own."""

    values: Mapping[str, float | int | bool | str | None]


@described
class Drop(NamedTuple):
    """Why a page was dropped."""

    drop_reason: Annotated[
        str | None,
        "the rule that the page failed, and the value that decided; null where it is kept",
        PERSONAL,
    ]


GROUP_RECORDS: Mapping[str, type] = {
    "html": PageRow,
    "confidence": PageRow,
    "markdown": Markdown,
    "metadata": Metadata,
    "language": Language,
    "signals": Signals,
    "masked": Masked,
    "drop_reason": Drop,
    "cluster": Cluster,
    "lines_removed": CommonLines,
}
"""The record of each group by its name, in the order of their columns, which follow the row's.

For a group of `PageRow` it is the one column of the group's name, which the extractor itself gives.
"""
