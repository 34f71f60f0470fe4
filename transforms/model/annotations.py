"""What is known of a page besides its row: a record for each group of columns that only some corpora have."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from cedar.transforms.model.records import PERSONAL, Float32, Int32, Int64, described


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
    """What is measured of a text.

    Shares are rounded to float32, as the columns hold them.
    """

    tokens: Annotated[Int32, "runs of letters, digits and _; in scripts without blanks, characters"]
    sentences: Annotated[
        Int32, "pieces of lines with a token, ended by a terminal mark and a blank, or by the line"
    ]
    dense_share: Annotated[Float32, "share of the tokens that are characters of scripts without blanks"]
    mean_word_length: Annotated[Float32, "characters of a token, the mean"]
    hash_ratio: Annotated[Float32, "# a word"]
    ellipsis_ratio: Annotated[Float32, "... and … a word"]
    bullet_lines: Annotated[Float32, "share of the lines that begin as an item of a list"]
    ellipsis_lines: Annotated[Float32, "share of the lines that end in ... or …"]
    terminal_lines: Annotated[Float32, "share of the lines that end in a terminal mark"]
    short_lines: Annotated[Float32, "share of the lines of at most 30 characters"]
    alpha_words: Annotated[Float32, "share of the words that have a letter"]
    stop_words: Annotated[
        Int32 | None, "distinct stop words of the page's language; null if there is no list"
    ]
    dup_lines: Annotated[Float32, "share of the lines that came before"]
    dup_line_chars: Annotated[Float32, "their share of the characters"]
    dup_line_chars_net: Annotated[Float32, "their share of the characters that are not line feeds"]
    top_2gram: Annotated[Float32, "share of the characters in the run of 2 tokens that comes most often"]
    top_3gram: Annotated[Float32, "the same of 3 tokens"]
    top_4gram: Annotated[Float32, "the same of 4 tokens"]
    dup_5gram: Annotated[Float32, "share of the characters in runs of 5 tokens that came before"]
    dup_6gram: Annotated[Float32, "the same of 6 tokens"]
    dup_7gram: Annotated[Float32, "the same of 7 tokens"]
    dup_8gram: Annotated[Float32, "the same of 8 tokens"]
    dup_9gram: Annotated[Float32, "the same of 9 tokens"]
    dup_10gram: Annotated[Float32, "the same of 10 tokens"]
    newline_ratio: Annotated[Float32, "line feeds a word (a token, where most are of scripts without blanks)"]
    c4_sentences: Annotated[Int32, "sentences in the lines that C4 keeps"]
    c4_sentences_any_end: Annotated[Int32, "the same without the rule of the end of the line"]
    c4_lines: Annotated[Float32, "share of the lines that C4 keeps"]
    policy_lines: Annotated[Int32, "lines that C4 drops since they speak of policies and cookies"]
    javascript_lines: Annotated[Int32, "lines that C4 drops since they speak of JavaScript"]
    lorem_ipsum: Annotated[bool, "lorem ipsum is in a line of three words or more"]
    curly_bracket: Annotated[bool, "{ is in a line of three words or more"]
    unique_words: Annotated[Float32, "share of distinct tokens, in lower case"]
    word_entropy: Annotated[Float32, "entropy of the tokens in lower case, in nats"]
    caps_words: Annotated[Float32, "share of the tokens in capitals"]
    upper_chars: Annotated[Float32, "share of the characters that are capitals"]
    digit_chars: Annotated[Float32, "share of the characters that are digits"]
    rw_removed_words: Annotated[Float32, "share of the tokens in lines that RefinedWeb drops"]


@described
class Cluster(NamedTuple):
    """Of which cluster of duplicates a page is kept."""

    cluster: Annotated[
        str | None, "the cluster of duplicates that the page is kept of; null for a page that has none"
    ]
    cluster_size: Annotated[Int64 | None, "pages of that cluster, this one among them"]


@described
class Metadata(NamedTuple):
    """What a page says of itself."""

    date_published: Annotated[
        str | None, "when it was published, ISO 8601: a day, or a time with its offset as written"
    ] = None
    date_source: Annotated[str | None, "what said so: meta, json-ld, microdata, time, url or text"] = None
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
    """Why a filter took a page out."""

    drop_reason: Annotated[
        str | None,
        "the rule that the page failed, and the value that decided; null where it is kept",
        PERSONAL,
    ]
