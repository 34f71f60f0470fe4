"""`--select`: what is understood, its one form, and what is refused with the place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.crawls.index_query import check_selection
from cedar.transforms.crawls.surt import domain_intervals, host_intervals
from cedar.transforms.crawls.terms import KEYS, Selection, SelectionError, Term, parse_selection


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lang=eng domain=example.org,example.com", "domain=example.com,example.org lang=eng"),
        ("lang=is,de,ger", "lang=deu,isl"),
        ("  tld=IS\tlang+=isl,ISL ", "lang+=isl tld=is"),
        ("domain=Müller.de", "domain=xn--mller-kva.de"),
        ("!mime=application/pdf host=www.Example.com.", "host=www.example.com !mime=application/pdf"),
        ("surt=com,example)/a url~=a,b", 'surt="com,example)/a" url~="a,b"'),
        ('url="https://example.com/a b","https://example.com/c"', 'url="https://example.com/a b","https://example.com/c"'),
        ("status=404,200 subset=crawldiagnostics", "status=200,404 subset=crawldiagnostics"),
        ("charset=UTF-8 truncated=length tld=is tld=is", "charset=utf-8 tld=is truncated=length"),
    ],
)  # fmt: skip
def test_an_expression_has_one_form(text: str, canonical: str) -> None:
    assert str(parse_selection(text)) == canonical
    assert str(parse_selection(canonical)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has no words"),
        ("subset=warc", "it has no words"),
        ("tld=is and lang=isl", "at 'and lang=isl': no word"),
        ("lnag=eng", "at 'lnag=eng': no key 'lnag'"),
        (
            "tld=is lang=english",
            "at 'lang=english': not a valid lang: 'english' .write a language",
        ),
        ("domain=https://example.com/", "not a valid domain"),
        ("domain=a.com, lang=eng", "domain needs a value"),
        ("tld=", "tld needs a value"),
        ('url="a"b', "quotes are for whole values"),
        ("status=2xx", "not a valid status"),
        ("mime=pdf tld=is", "not a valid mime"),
        ("tld=is subset=all", "not a valid subset"),
        ("tld=is !subset=warc", "given once"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        parse_selection(text)


def test_a_regular_expression_that_is_none_is_refused() -> None:
    check_selection(parse_selection("url~=^https status=200 lang+=isl tld=is"))
    with pytest.raises(SelectionError, match="not a valid regular expression"):
        check_selection(parse_selection('url~="("'))


@given(st.text("ab,. =\"!'~+\x00é", max_size=20))
def test_whatever_is_typed_is_a_selection_or_refused(text: str) -> None:
    try:
        parse_selection(text)
    except SelectionError:
        return
    pytest.fail("none of these letters make a key")


WORDS = st.text("abcz", min_size=1, max_size=3)
HOSTS = st.lists(WORDS | st.sampled_from(["www", "www2"]), min_size=2, max_size=4).map(".".join)


@given(host=HOSTS, port=st.sampled_from(["", ":80"]), path=st.text("/aZ,)", max_size=4))
def test_keys_of_a_host_lie_in_its_intervals_and_in_those_of_its_domain(
    host: str, port: str, path: str
) -> None:
    labels = host.split(".")
    short = labels[1:] if labels[0] in ("www", "www2") else labels
    for form in (labels, short):
        key = f"{','.join(reversed(form))}{port}){path.lower()}"
        assert any(start <= key < stop for start, stop in host_intervals(host))
        assert any(start <= key < stop for start, stop in domain_intervals(".".join(labels[-2:])))


@given(
    st.lists(
        st.builds(
            Term,
            st.sampled_from(["surt", "url", "url~"]),
            st.lists(st.text("ab, )/", min_size=1, max_size=5), min_size=1, max_size=3, unique=True).map(
                lambda values: tuple(sorted(values))
            ),
            st.booleans(),
        ),
        min_size=1,
        max_size=3,
        unique=True,
    )
)
def test_the_canonical_form_says_the_same(terms: list[Term]) -> None:
    selection = Selection(tuple(sorted(terms)))
    assert parse_selection(str(selection)) == selection
    assert set(selection.columns) == {KEYS[term.key].column for term in terms}
