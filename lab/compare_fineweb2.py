"""Verdicts by FineWeb-2's bounds beside datatrove's filters: 200 texts a language.

    python -m lab.compare_fineweb2 PYTHON

PYTHON is that of an environment with datatrove 0.10.1, and with pyvi. First its words are replaced by runs of
letters and digits, and every verdict has to be equal; then its own tokenizers make them, and the share of
verdicts that are others is printed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from typing import Any

from cedar.transforms.curation._signals import measure
from cedar.transforms.curation.fineweb2 import LanguageTable
from cedar.transforms.curation.plan import parse_rules
from cedar.transforms.curation.stop_words import hashes_of
from tests.curation.test_fineweb2 import ROWS, config

LANGUAGES = "deu nld spa fra ita por pol rus ukr ell tur vie".split()  # noqa: SIM905
LETTERS = {"Latn": "abcdefghijklmnoprstuvz", "Cyrl": "абвгдежзиклмнопрстуф", "Grek": "αβγδεζηθικλμνοπρστυ"}

THEIRS = r"""
import json, re, sys
from datatrove.data import Document
from datatrove.pipeline.filters import fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter

own = sys.argv[1:] == ["own"]
for module in () if own else (fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter):
    module.split_into_words = lambda text, language: re.findall(r"\w+", text)

def verdict(filters, text):
    for one in filters:
        found = one.filter(Document(text=text, id=""))
        if found is not True:
            return found[1]

out = {}
for key, (c, texts) in json.load(sys.stdin).items():
    off = dict(dup_para_frac=0, dup_line_char_frac=0, dup_para_char_frac=0)
    runs = {name: [tuple(run) for run in c[name]] for name in ("top_n_grams", "dup_n_grams")}
    ends = dict(line_punct_thr=c["line_punct_thr"], new_line_ratio=c["new_line_ratio"])
    ends["language"] = off["language"] = key[:3]
    names = ("min_avg_word_length", "max_avg_word_length", "max_non_alpha_words_ratio")
    filters = [
        gopher_repetition_filter.GopherRepetitionFilter(dup_line_frac=c["dup_line_frac"], **runs, **off),
        fineweb_quality_filter.FineWebQualityFilter(short_line_thr=999, char_duplicates_ratio=0.1, **ends),
        gopher_quality_filter.GopherQualityFilter(
            language=key[:3], **{name: c[name] for name in names}, stop_words=c["stopwords"], min_stop_words=2
        ),
    ]
    out[key] = [verdict(filters, text) for text in texts]
json.dump(out, sys.stdout)
"""


def texts(key: str, chance: random.Random) -> list[str]:
    """Texts that are too short, repeat lines or words, lack stop words, ends or letters, or nothing."""
    stop_words = [word for word in ROWS[key].words if word.isalpha()]
    found = []
    for number in range(200):
        sizes = (2, 4, 6, 8, 12, 20) if number % 10 == 1 else (3, 4, 5, 6, 7)
        letters = LETTERS[key[-4:]]
        words = ["".join(chance.choice(letters) for _ in range(chance.choice(sizes))) for _ in range(400)]
        lines: list[str] = []
        for _ in range(chance.choice((2, 4, 8, 20))):
            if number % 7 == 3 and lines and chance.random() < 0.3:
                lines.append(chance.choice(lines))
                continue
            line = []
            for _ in range(chance.choice((1, 3, 6, 12))):
                if chance.random() < (0 if number % 9 == 2 else 0.3):
                    line.append(chance.choice(stop_words))
                elif number % 11 == 4 and chance.random() < 0.25:
                    line.append(str(chance.randrange(99)))
                else:
                    line.append(chance.choice(words))
            if number % 6 == 5 and chance.random() < 0.5:
                line *= chance.choice((1, 2, 3))
            lines.append(" ".join(line) + "." * (chance.random() < (0.1 if number % 8 == 6 else 0.7)))
        found.append("\n".join(lines))
    return found


def verdicts(python: str, asked: dict[str, tuple[dict[str, Any], list[str]]], *words: str) -> Any:
    """What datatrove says of each text of each language; with `own`, by the words of its tokenizers."""
    command = [python, "-c", THEIRS, *words]
    answer = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def main(python: str) -> int:
    """Print how many verdicts are equal; 1 if any is another on the same words."""
    chance = random.Random(1)
    keys = [key for key in ROWS if key[:3] in LANGUAGES]
    asked = {key: (config(ROWS[key]), texts(key, chance)) for key in keys}
    same, own = verdicts(python, asked), verdicts(python, asked, "own")
    rules = parse_rules((), ("fineweb2",), ("language", "signals"), languages=LanguageTable(ROWS, "keep"))
    reasons: Counter[str] = Counter()
    unequal = 0
    for key in keys:
        row = {"language": key[:3], "language_script": key[-4:], "language_score": 1.0}
        others: Counter[str] = Counter()
        for text, reason, by_own in zip(asked[key][1], same[key], own[key], strict=True):
            signals, _ = measure(text, hashes_of(ROWS[key].words))
            verdict = rules.judge(row.get, signals)
            said = "kept" if verdict is None else verdict.reason
            reasons[str(reason)] += 1
            if (verdict is None) != (reason is None):
                unequal += 1
                print(f"{key}: Cedar {said}, datatrove {reason}")
            if (verdict is None) != (by_own is None):
                others[f"Cedar {said.partition(' ')[0]}, datatrove {by_own}"] += 1
        share = others.total() / len(own[key])
        print(f"{key}: with its own words {share:.1%} are others; {dict(others.most_common(3))}")
    total = reasons.total()
    print(f"{total - unequal:,} of {total:,} verdicts equal in {len(keys)} languages; {dict(reasons)}")
    return int(unequal > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
