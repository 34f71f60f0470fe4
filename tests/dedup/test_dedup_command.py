"""`cedar dedup`: its table, its books, its choices."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.dedup import plan as plan_module
from cedar.pipelines.dedup.plan import ShardRef, packed
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.curation.signatures import sign_text
from tests.dedup.corpora import Kind, Made, edited, jaccard, shingles, words, write_corpus
from tests.dedup.results import BASE, NEAR, OTHER, dedup, family, refused, rows
from tests.helpers.corpus import books
from tests.oracles import duplicates as oracle


def test_clusters_are_the_components_of_equal_texts_and_shared_bands(result: Path) -> None:
    pages = family(240, seed=5)
    keyed: list[tuple[int, ...]] = []
    for number, page in enumerate(pages):
        if page.text:
            keyed.append((0, int.from_bytes(page.text.encode()[:4000]), number))
        keys, _ = sign_text(page.text)
        if keys is not None:
            bands = [keys[8 * band : 8 * band + 8] for band in range(14)]
            keyed += [(band + 1, int.from_bytes(key), number) for band, key in enumerate(bands)]
    pairs = [(page, group[0]) for group in oracle.groups(keyed) for page in group]
    expected = oracle.components(pairs, len(pages))
    found: dict[str, set[int]] = {}
    at = {("a", 0): 0, ("a", 1): 40, ("a", 3): 90, ("b", 0): 130, ("b", 1): 200}
    for row in rows(result):
        corpus, file = row["source"].strip("/").split("/")
        found.setdefault(row["cluster"], set()).add(at[corpus, int(file[2])] + row["row"])
    wanted = {least: {p for p, root in enumerate(expected) if root == least} for least in set(expected)}
    assert sorted(map(sorted, found.values())) == sorted(sorted(c) for c in wanted.values() if len(c) > 1)


def test_each_cluster_keeps_one_page_and_every_row_names_it(result: Path) -> None:
    clusters: dict[str, list[dict[str, Any]]] = {}
    for row in rows(result):
        clusters.setdefault(row["cluster"], []).append(row)
    assert len(clusters) > 20
    for members_ in clusters.values():
        (kept,) = (row for row in members_ if row["keep"])
        assert kept["kind"] is None
        assert {row["cluster_size"] for row in members_} == {len(members_)}
        for row in members_:
            assert (row["kept_source"], row["kept_offset"]) == (kept["source"], kept["offset"])
            assert row["kept_url"] == kept["url"]
            assert row["keep"] or row["kind"] in ("text", "near")


def test_the_books_balance(result: Path) -> None:
    found, of = rows(result), books(result)
    assert (
        of["pages"] == 240 == of["alone"] + of["kept"] + of["text"] + of["near"] + of["url"] + of["left_out"]
    )
    assert of["kept"] == sum(row["keep"] for row in found)
    assert of["near"] == sum(row["kind"] == "near" for row in found)
    assert of["balanced"] is True
    assert not (result / "_work").exists()


def test_inputs_are_not_changed(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE), Made(NEAR)]])
    before = {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}
    assert dedup(corpus, "--output", tmp_path / "r", "--write") == 0
    assert {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("options", [("--workers", 3), ("--memory", "64KiB", "--workers", 1)])
def test_neither_workers_nor_memory_change_the_rows(
    options: tuple[object, ...], corpora: tuple[Path, Path], result: Path, tmp_path: Path
) -> None:
    assert dedup(*corpora, "--output", tmp_path / "r", *options) == 0
    assert rows(tmp_path / "r") == rows(result)
    assert books(tmp_path / "r") == books(result)


def test_less_memory_than_the_clusters_need_is_refused_with_what_to_give(
    corpora: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(plan_module, "PAGE_BYTES", 1 << 20)
    assert dedup(*corpora, "--output", tmp_path / "r", "--memory", "64KiB") == 2
    (line,) = capsys.readouterr().err.splitlines()
    given = re.search(r"give --memory (\d+MiB)", line)
    assert given is not None, line
    assert not (tmp_path / "r").exists()
    assert dedup(*corpora, "--output", tmp_path / "r", "--memory", given[1]) == 0


def test_shards_are_put_together_in_their_order_but_never_with_earlier_results() -> None:
    sizes = [(3, True), (9, True), (0, False), (4, False), (20, False), (1, False), (2, False)]
    firsts = [sum(pages for pages, _ in sizes[:number]) for number in range(len(sizes))]
    shards = [
        ShardRef(number, 0, f"s{number}", firsts[number], pages, 100, is_old)
        for number, (pages, is_old) in enumerate(sizes)
    ]
    packs = packed(shards, 5)
    assert [shard for pack in packs for shard in pack.shards] == shards
    assert [[shard.pages for shard in pack.shards] for pack in packs] == [[3, 9], [0, 4, 20], [1, 2]]
    assert [(pack.number, pack.first, pack.stop) for pack in packs] == [(0, 0, 12), (1, 12, 36), (2, 36, 39)]
    assert packed([], 5) == ()


def test_the_order_of_shards_decides_nothing(
    corpora: tuple[Path, Path], result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_order = Ledger.summaries
    monkeypatch.setattr(Ledger, "summaries", lambda ledger: reversed(list(in_order(ledger))))
    assert dedup(*corpora, "--output", tmp_path / "r") == 0
    assert rows(tmp_path / "r") == rows(result)


def test_the_order_of_corpora_decides_only_who_is_kept(
    corpora: tuple[Path, Path], result: Path, tmp_path: Path
) -> None:
    assert dedup(*reversed(corpora), "--output", tmp_path / "r") == 0
    assert members_of(tmp_path / "r") == members_of(result)


def members_of(result: Path) -> list[list[tuple[str, int]]]:
    clusters: dict[str, list[tuple[str, int]]] = {}
    for row in rows(result):
        clusters.setdefault(row["cluster"], []).append((row["source"], row["offset"]))
    return sorted(sorted(cluster) for cluster in clusters.values())


def test_a_second_corpus_against_the_first_is_both_together(tmp_path: Path) -> None:
    texts = [words(seed, 50) for seed in range(30)]
    pages = [Made(" ".join(text)) for text in texts]
    again = [Made(" ".join(edited(text, 1, 7))) for text in texts[:20]] + [pages[25], pages[26]]
    fresh = [Made(" ".join(words(seed, 50))) for seed in (90, 90, 91)]
    first = write_corpus(tmp_path / "a", [pages[:15], pages[15:]])
    second = write_corpus(tmp_path / "b", [again, fresh])
    assert dedup(first, "--output", tmp_path / "ra") == 0
    assert dedup(second, "--against", tmp_path / "ra", "--output", tmp_path / "rb") == 0
    assert dedup(first, second, "--output", tmp_path / "both") == 0
    theirs = [row for row in rows(tmp_path / "both") if row["source"].startswith("/b/")]
    assert rows(tmp_path / "rb") == theirs
    assert books(tmp_path / "rb")["bridges"] == 0
    assert sum(row["keep"] for row in rows(tmp_path / "rb")) == 1


def test_a_page_between_two_earlier_clusters_joins_the_one_with_the_lesser_name(tmp_path: Path) -> None:
    left, right = words(1, 200), words(2, 200)
    first = write_corpus(tmp_path / "a", [[Made(" ".join(left)), Made(" ".join(right))]])
    bridge = [Made(" ".join(left[:196])), Made(" ".join(right[:196]))]
    assert dedup(first, "--output", tmp_path / "ra", "--by", "text,near,url") == 0
    # One URL ties the two edits together, their texts tie them to the two pages.
    second = write_corpus(
        tmp_path / "b", [[Made(page.text, url="https://bridge.example/") for page in bridge]]
    )
    assert (
        dedup(second, "--against", tmp_path / "ra", "--output", tmp_path / "rb", "--by", "text,near,url") == 0
    )
    found = rows(tmp_path / "rb")
    old = sorted(pq.read_table(next((tmp_path / "ra/index").glob("*/*"))).column("cluster").to_pylist())
    assert [row["cluster"] for row in found] == [old[0]] * 2
    assert not any(row["keep"] for row in found)
    assert books(tmp_path / "rb")["bridges"] == 1


def test_a_chain_of_results_is_given_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        write_corpus(tmp_path / f"c{number}", [[Made(" ".join(words(number, 40)))]])
    assert dedup(tmp_path / "c0", "--output", tmp_path / "r0") == 0
    assert dedup(tmp_path / "c1", "--against", tmp_path / "r0", "--output", tmp_path / "r1") == 0
    assert dedup(tmp_path / "c2", "--against", tmp_path / "r1", "--output", tmp_path / "r2") == 2
    assert f"was made against {tmp_path / 'r0'}: give it" in capsys.readouterr().err
    both = (tmp_path / "r0", tmp_path / "r1")
    assert dedup(tmp_path / "c2", "--against", *both, "--output", tmp_path / "r2") == 0


def kept_urls(result: Path) -> list[str]:
    return [row["url"] for row in rows(result) if row["keep"]]


@pytest.mark.parametrize(
    ("prefer", "kept"),
    [
        ("first", "old"),
        ("newest", "new"),
        ("longest", "long"),
        ("text_chars", "long"),
        ("-fetched_at", "old"),
    ],
)
def test_the_preferred_page_is_kept(prefer: str, kept: str, tmp_path: Path) -> None:
    pages = [
        Made(BASE, "https://long.example/", None),
        Made(BASE[:-1], "https://new.example/", 3_000_000),
        Made(BASE[:-1], "https://old.example/", 1_000_000),
    ]
    corpus = write_corpus(tmp_path / "a", [pages])
    assert dedup(corpus, "--output", tmp_path / "r", f"--prefer={prefer}") == 0
    assert kept_urls(tmp_path / "r") == [f"https://{kept}.example/"]


def test_pages_of_one_url_are_duplicates_where_asked_for_and_the_newest_is_kept(tmp_path: Path) -> None:
    pages = [
        Made(BASE, "http://A.example/x#top", 1_000_000),
        Made(OTHER, "https://a.example/x", 2_000_000),
        Made("", "https://a.example/y", 2_000_000),
        Made("", "https://a.example/z", 2_000_000),
    ]
    corpus = write_corpus(tmp_path / "a", [pages])
    assert dedup(corpus, "--output", tmp_path / "r") == 0
    assert rows(tmp_path / "r") == []
    assert dedup(corpus, "--output", tmp_path / "u", "--by", "url") == 0
    assert [(row["row"], row["kind"], row["keep"]) for row in rows(tmp_path / "u")] == [
        (0, "url", False),
        (1, None, True),
    ]


def test_within_a_language_only(tmp_path: Path) -> None:
    pages = [Made(BASE, language="eng"), Made(BASE, language="deu"), Made(NEAR, language="deu"), Made(NEAR)]
    corpus = write_corpus(tmp_path / "a", [pages], Kind(language=True))
    assert dedup(corpus, "--output", tmp_path / "r", "--scope", "language") == 0
    assert [row["row"] for row in rows(tmp_path / "r")] == [1, 2]


def test_marked_pages_take_part_only_where_asked_for(tmp_path: Path) -> None:
    pages = [Made(BASE, drop_reason="keep: words > 1"), Made(BASE), Made(NEAR)]
    corpus = write_corpus(tmp_path / "a", [pages], Kind(drops=True))
    assert dedup(corpus, "--output", tmp_path / "r") == 0
    assert [row["row"] for row in rows(tmp_path / "r")] == [1, 2]
    assert (books(tmp_path / "r")["left_out"], books(tmp_path / "r")["pages"]) == (1, 3)
    assert dedup(corpus, "--output", tmp_path / "w", "--with-dropped") == 0
    assert [row["row"] for row in rows(tmp_path / "w")] == [0, 1, 2]


@pytest.mark.parametrize("kind", [Kind(full=True), Kind(signed=False)])
def test_verified_duplicates_are_similar_and_equal_texts_stay_together(kind: Kind, tmp_path: Path) -> None:
    chain = [words(9, 200)]
    for step in range(6):
        chain.append(edited(chain[-1], 2, seed=step))
    pages = [Made(" ".join(text)) for text in chain] + [Made(" ".join(chain[-1]))]
    corpus = write_corpus(tmp_path / "a", [pages], kind)
    assert dedup(corpus, "--output", tmp_path / "r") == 0
    (whole,) = {row["cluster"] for row in rows(tmp_path / "r")}
    assert dedup(corpus, "--output", tmp_path / "v", "--verify", 0.8) == 0
    found = {row["row"]: row for row in rows(tmp_path / "v")}
    close = {number for number, row in found.items() if row["cluster"] == whole}
    assert {0, 1} <= close
    assert not {6, 7} & close
    for number in close - {0}:
        assert found[number]["similarity"] >= 0.8
        exact = jaccard(shingles(chain[0]), shingles(chain[number]))
        assert found[number]["similarity"] == pytest.approx(exact, abs=0.15)
    assert found[6]["cluster"] == found[7]["cluster"]
    assert (found[7]["kind"], found[7]["similarity"], found[6]["similarity"]) == ("text", 1.0, None)
    assert books(tmp_path / "v")["balanced"]


@pytest.mark.parametrize("kind", [Kind(full=True), Kind(signed=False)])
def test_other_bands_find_what_their_curve_says(
    kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [words(seed, 120) for seed in range(60)]
    pages = [Made(" ".join(text)) for text in texts]
    pages += [Made(" ".join(edited(text, 6, seed=9))) for text in texts]  # similarity about .6
    corpus = write_corpus(tmp_path / "a", [pages], kind)
    found = {}
    for bands, row_count in ((14, 8), (22, 5), (8, 14)):
        result = tmp_path / f"r{bands}"
        assert dedup(corpus, "--output", result, "--bands", bands, "--rows", row_count) == 0
        found[bands] = books(result)["near"]
    assert found[8] < found[14] < 30 < 45 < found[22]
    options = ("--output", tmp_path / "r", "--against", tmp_path / "r22")
    more = write_corpus(tmp_path / "b", [pages[60:]], kind)
    assert "give --bands 22 --rows 5, too" in refused(capsys, more, *options)
    assert dedup(more, *options, "--bands", 22, "--rows", 5) == 0
    of = books(tmp_path / "r")
    assert (of["alone"], of["kept"], of["text"] + of["near"]) == (0, 0, 60)


@pytest.mark.parametrize("form", ["parquet", "avro"])
def test_the_corpus_that_is_written_has_the_pages_that_are_kept(form: str, tmp_path: Path) -> None:
    first = write_corpus(tmp_path / "a", [[Made(BASE), Made(NEAR), Made(OTHER)]], Kind(format=form))
    second = write_corpus(tmp_path / "b", [[Made(BASE), Made("alone here")]], Kind(language=True))
    options = ("--output", tmp_path / "r", "--write", "--format", "parquet", "--workers", 1)
    assert dedup(first, second, *options) == 0
    pages: list[dict[str, Any]] = []
    for path in sorted((tmp_path / "r/corpus/pages").iterdir()):
        pages += pq.read_table(path).to_pylist()
    assert [(page["text"], page["cluster_size"]) for page in pages] == [
        (BASE, 3), (OTHER, None), ("alone here", None),
    ]  # fmt: skip
    assert pages[0]["cluster"] == rows(tmp_path / "r")[0]["cluster"]
    assert "language" in pages[0]
    settled = json.loads((tmp_path / "r/corpus/run.json").read_text())
    assert (settled["pages"], settled["rejected"], settled["balanced"]) == (3, {"filtered": 2}, True)
    assert main(["report", str(tmp_path / "r/corpus"), "--text"]) == 0
    assert dedup(tmp_path / "r/corpus", "--output", tmp_path / "again") == 0
    assert rows(tmp_path / "again") == []


@pytest.mark.slow
def test_many_equal_pages_sort_in_little_memory(tmp_path: Path) -> None:
    shards = [[Made(BASE)] * 400 for _ in range(4)]
    corpus = write_corpus(tmp_path / "a", shards)
    assert dedup(corpus, "--output", tmp_path / "r", "--memory", "16KiB") == 0
    found = rows(tmp_path / "r")
    assert len(found) == 1600
    assert {row["cluster_size"] for row in found} == {1600}
    assert sum(row["keep"] for row in found) == 1
