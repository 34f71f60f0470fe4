"""Cedar's rules for addresses beside `URLFilter` of datatrove 0.10.1, verdict by verdict, on the same lists.

    python -m lab.benchmarks.url_filter PYTHON LISTS [URLS]

PYTHON is that of an environment with datatrove, pyahocorasick and tldextract; LISTS a folder with the files
`domains` and `urls` out of its wheel; URLS a file of addresses, of which 10,000 are taken. The other half
is made up: of lines of the lists, with hosts, ports, users, paths and words around them. datatrove's
`TLDExtract` is given the list of public suffixes that Cedar has.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import publicsuffixlist

from cedar.transforms.urls.block_lists import BlockList, read_block_list
from cedar.transforms.urls.rules import UrlRules

NUMBER = 20_000
KINDS = {
    "domain": "domains",
    "subdomain": "domains",
    "url": "urls",
    "hard_blacklisted": "words",
    "soft_blacklisted": "soft_words",
    "blacklisted_subword": "substrings",
}
"""The kind of list that each of datatrove's reasons is of."""

THEIRS = """
import json, sys
from pathlib import Path
import tldextract
from datatrove.data import Document
from datatrove.pipeline.filters import url_filter

lists, suffixes = sys.argv[1:]
urls = json.load(sys.stdin)
theirs = url_filter.URLFilter()
theirs.tldextractor = tldextract.TLDExtract(suffix_list_urls=[Path(suffixes).as_uri()], cache_dir=None)
url_filter.safely_create_file = lambda *_: None
url_filter.cached_assets_path = lambda **_: lists
verdicts = [theirs.filter(Document(text="", id="", metadata={"url": url})) for url in urls]
json.dump([None if verdict is True else verdict[1] for verdict in verdicts], sys.stdout)
"""


def made_up(lists: Path, words: Sequence[str], number: int) -> list[str]:
    """Addresses around lines of the lists."""
    chance = random.Random(1)
    with (lists / "domains").open() as file:
        domains = [line.strip() for line in file if chance.random() < number / 4_000_000]
    urls = (lists / "urls").read_text().splitlines()
    hosts = ["www.example.co.uk", "a.b.example.com", "news.example.org", "192.0.2.7", "example.museum"]
    found = []
    for _ in range(number):
        host = chance.choice(domains if chance.random() < 0.4 else hosts)
        host = chance.choice(["", "", "www.", "a.b."]) + host + chance.choice(["", "", ":8080", "."])
        rest = chance.choice(
            ["", "/", f"/page/{chance.randrange(99)}?id={chance.randrange(99)}", "/Über/uns"]
        )
        if chance.random() < 0.4:
            rest += "/" + chance.choice("-_./").join(chance.sample(words, chance.randrange(1, 4)))
        url = chance.choice(["http://", "https://", "https://user@"]) + host + rest
        found.append(
            chance.choice(["http://", "https://"]) + chance.choice(urls) if chance.random() < 0.05 else url
        )
    return found


def main(python: str, lists: Path, real: Sequence[str]) -> None:
    """Print how many verdicts are equal, and each kind of difference with an example."""
    code = "import datatrove.utils._import_utils as own; print(own.ASSETS_PATH)"
    assets = Path(subprocess.check_output([python, "-c", code], text=True).strip())
    files = {
        "domains": lists / "domains",
        "urls": lists / "urls",
        "words": assets / "banned_words.txt",
        "soft_words": assets / "soft_banned_words.txt",
        "substrings": assets / "banned_subwords.txt",
    }
    short = ("words", "soft_words", "substrings")
    words = [line for kind in short for line in files[kind].read_text().splitlines()]
    step = max(1, len(real) // (NUMBER // 2))
    urls = list(real[::step][: NUMBER // 2])
    urls += made_up(lists, [*words, "news", "weather", "recipe", "mill"], NUMBER - len(urls))
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        start = time.process_time()
        blocked: tuple[BlockList, ...] = tuple(read_block_list(k, k, str(path)) for k, path in files.items())
        rules = UrlRules(blocked=blocked)
        rules.refusal("https://example.com/")
        made = time.process_time()
        found = [rules.refusal(url) for url in urls]
        spent = (time.process_time() - made) / len(urls)
        tempfile.tempdir = None
    ours = [None if one is None else one.detail.partition(":")[0] for one in found]
    suffixes = Path(publicsuffixlist.__file__).with_name("public_suffix_list.dat")
    answer = subprocess.run(
        [python, "-c", THEIRS, str(lists), str(suffixes)],
        input=json.dumps(urls), capture_output=True, text=True, check=True,
    )  # fmt: skip
    theirs = [reason and KINDS[reason] for reason in json.loads(answer.stdout)]
    equal = sum(a == b for a, b in zip(ours, theirs, strict=True))
    print(
        f"{equal:,} of {len(urls):,} verdicts equal; "
        f"{made - start:.1f} s of CPU to make, {spent * 1e6:.1f} us a URL"
    )
    print("by reason:", dict(Counter(map(str, theirs))))
    differences: dict[str, list[str]] = {}
    for url, mine, other in zip(urls, ours, theirs, strict=True):
        if mine != other:
            differences.setdefault(f"Cedar {mine}, datatrove {other}", []).append(url)
    for kind, examples in differences.items():
        print(f"{len(examples):6} {kind}: {' '.join(examples[:4])}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).read_text().split() if sys.argv[3:] else [])
