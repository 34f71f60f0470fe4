"""What is known of a page besides its row: a record for each group of columns that only some corpora have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from transforms.model.records import Float32, Int32, Int64


class Language(NamedTuple):
    """What is known of a text's language; the column's meaning is in `LANGUAGE_COLUMN_DOCS`."""

    language: str | None = None
    language_script: str | None = None
    language_score: Float32 | None = None
    language_source: str | None = None


LANGUAGE_COLUMN_DOCS: Mapping[str, str] = {
    "language": "language of the text, ISO 639-3; null if it has fewer than 10 letters",
    "language_script": "script of most of its letters, ISO 15924",
    "language_score": "how sure the model is, from 0 to 1",
    "language_source": "who said so: lid176, cld2, or the name of the model's file",
}


class Signals(NamedTuple):
    """What is measured of a text; the column's meaning is in `SIGNAL_COLUMN_DOCS`.

    Shares are rounded to float32, as the columns hold them.
    """

    tokens: Int32
    sentences: Int32
    dense_share: Float32
    mean_word_length: Float32
    hash_ratio: Float32
    ellipsis_ratio: Float32
    bullet_lines: Float32
    ellipsis_lines: Float32
    terminal_lines: Float32
    short_lines: Float32
    alpha_words: Float32
    stop_words: Int32 | None
    dup_lines: Float32
    dup_line_chars: Float32
    dup_line_chars_net: Float32
    top_2gram: Float32
    top_3gram: Float32
    top_4gram: Float32
    dup_5gram: Float32
    dup_6gram: Float32
    dup_7gram: Float32
    dup_8gram: Float32
    dup_9gram: Float32
    dup_10gram: Float32
    newline_ratio: Float32
    c4_sentences: Int32
    c4_sentences_any_end: Int32
    c4_lines: Float32
    policy_lines: Int32
    javascript_lines: Int32
    lorem_ipsum: bool
    curly_bracket: bool
    unique_words: Float32
    word_entropy: Float32
    caps_words: Float32
    upper_chars: Float32
    digit_chars: Float32
    rw_removed_words: Float32


SIGNAL_COLUMN_DOCS: Mapping[str, str] = {
    "tokens": "runs of letters, digits and _; in scripts without blanks, characters",
    "sentences": "pieces of lines with a token, ended by a terminal mark and a blank, or by the line",
    "dense_share": "share of the tokens that are characters of scripts without blanks",
    "mean_word_length": "characters of a token, the mean",
    "hash_ratio": "# a word",
    "ellipsis_ratio": "... and … a word",
    "bullet_lines": "share of the lines that begin as an item of a list",
    "ellipsis_lines": "share of the lines that end in ... or …",
    "terminal_lines": "share of the lines that end in a terminal mark",
    "short_lines": "share of the lines of at most 30 characters",
    "alpha_words": "share of the words that have a letter",
    "stop_words": "distinct stop words of the page's language; null if there is no list",
    "dup_lines": "share of the lines that came before",
    "dup_line_chars": "their share of the characters",
    "dup_line_chars_net": "their share of the characters that are not line feeds",
    "top_2gram": "share of the characters in the run of 2 tokens that comes most often",
    "top_3gram": "the same of 3 tokens",
    "top_4gram": "the same of 4 tokens",
    "dup_5gram": "share of the characters in runs of 5 tokens that came before",
    "dup_6gram": "the same of 6 tokens",
    "dup_7gram": "the same of 7 tokens",
    "dup_8gram": "the same of 8 tokens",
    "dup_9gram": "the same of 9 tokens",
    "dup_10gram": "the same of 10 tokens",
    "newline_ratio": "line feeds a word (a token, where most are of scripts without blanks)",
    "c4_sentences": "sentences in the lines that C4 keeps",
    "c4_sentences_any_end": "the same without the rule of the end of the line",
    "c4_lines": "share of the lines that C4 keeps",
    "policy_lines": "lines that C4 drops since they speak of policies and cookies",
    "javascript_lines": "lines that C4 drops since they speak of JavaScript",
    "lorem_ipsum": "lorem ipsum is in a line of three words or more",
    "curly_bracket": "{ is in a line of three words or more",
    "unique_words": "share of distinct tokens, in lower case",
    "word_entropy": "entropy of the tokens in lower case, in nats",
    "caps_words": "share of the tokens in capitals",
    "upper_chars": "share of the characters that are capitals",
    "digit_chars": "share of the characters that are digits",
    "rw_removed_words": "share of the tokens in lines that RefinedWeb drops",
}


class Cluster(NamedTuple):
    """Of which cluster of duplicates a page is kept; the columns' meanings are in `CLUSTER_COLUMN_DOCS`."""

    cluster: str | None
    cluster_size: Int64 | None


CLUSTER_COLUMN_DOCS: Mapping[str, str] = {
    "cluster": "the cluster of duplicates that the page is kept of; null for a page that has none",
    "cluster_size": "pages of that cluster, this one among them",
}


class Metadata(NamedTuple):
    """What a page says of itself; the column's meaning is in `METADATA_COLUMN_DOCS`."""

    date_published: str | None = None
    date_source: str | None = None
    date_modified: str | None = None
    author: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    description: str | None = None
    licence: str | None = None


METADATA_COLUMN_DOCS: Mapping[str, str] = {
    "date_published": "when it was published, ISO 8601: a day, or a time with its offset as written",
    "date_source": "what said so: meta, json-ld, microdata, time, url or text",
    "date_modified": "when it was changed last; null if before it was published",
    "author": "the names of its authors, joined by `; `",
    "site_name": "the name of its site",
    "canonical_url": "the address that it names as its own, absolute, without a fragment",
    "description": "what it says it is about, at most 2,000 characters",
    "licence": "its licence: SPDX identifier of a known address, else the address",
}


class Markdown(NamedTuple):
    """The content as Markdown; the column's meaning is in `MARKDOWN_COLUMN_DOCS`."""

    markdown: str | None = None


MARKDOWN_COLUMN_DOCS: Mapping[str, str] = {
    "markdown": "the content as Markdown, the blocks of `text`; null where a method of lines stood in",
}


class Masked(NamedTuple):
    """What was masked of a page; the column's meaning is in `MASKED_COLUMN_DOCS`."""

    masked: Int32 | None = None


MASKED_COLUMN_DOCS: Mapping[str, str] = {
    "masked": "places of personal data that gave way to a word, in all columns; see `--mask`",
}


class Drop(NamedTuple):
    """Why a filter took a page out; the column's meaning is in `DROP_COLUMN_DOCS`."""

    drop_reason: str | None


DROP_COLUMN_DOCS: Mapping[str, str] = {
    "drop_reason": "the rule that the page failed, and the value that decided; null where it is kept",
}
