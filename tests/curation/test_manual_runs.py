"""The commands of docs/curation.md and docs/own-signal.md, run as they stand there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from cedar.pipelines.cli import main
from tests.curation import fasttext_files
from tests.curation.test_fineweb2 import ROWS, config
from tests.helpers.crawl import write_warc
from tests.helpers.documents import page, python_examples

# Those of a crawl that is far away are checked elsewhere.
COMMANDS = [
    line
    for name in ("curation", "own-signal")
    for line in re.findall(r"^cedar ((?:extract|filter) .*)$", page(name), re.MULTILINE)
    if "cc:" not in line
]


PASSAGE = " ".join(f"word{number}" for number in range(20))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A directory with all that the commands name."""
    place = tmp_path_factory.mktemp("manual")
    write_warc(place / "crawl" / "a.warc.gz", 3)
    lists = ("blacklists/adult/domains", "blacklists/phishing/urls", "words.txt", "soft.txt", "domains.gz")
    for name in lists:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("bad.example\n")
    question = {"question": PASSAGE, "choices": PASSAGE}
    (place / "mmlu.jsonl").write_text(json.dumps(question) + "\n")
    (place / "gsm8k.txt").write_text(PASSAGE + "\n")
    (place / "mine.toml").write_text("\n".join(re.findall(r"```toml\n(.*?)```", page("curation"), re.DOTALL)))
    (place / "fineweb-2" / "configs").mkdir(parents=True)
    text = yaml.safe_dump(config(ROWS["vie_Latn"]))
    (place / "fineweb-2" / "configs" / "vie_Latn.yml").write_text(text, encoding="utf-8")
    for name, label in (("model.bin", b"hq"), ("topics.ftz", b"sports")):
        model = fasttext_files.write(place / name, word_ngrams=2)
        model.write_bytes(model.read_bytes().replace(b"eng_Latn\0", label + b"\0"))
    (place / "shouting.py").write_text(python_examples(page("own-signal"))[0])
    arguments = ["extract", str(place / "crawl"), "--output", str(place / "made"), "--language", "--signals"]
    assert main([*arguments, "--quiet", "--workers", "1"]) == 0
    sys.path.insert(0, str(place))
    yield place
    sys.path.remove(str(place))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_do_what_the_manual_says(
    command: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--count-tokens" in command and find_spec("tokenizers") is None:
        pytest.skip("needs the package tokenizers")
    for name in place.iterdir():
        if name.name != "made":
            (tmp_path / name.name).symlink_to(name)
    if command.startswith("filter"):
        shutil.copytree(place / "made", tmp_path / "corpus")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    if "--show" not in words:
        words += ["--quiet", "--workers", "1"]
    assert main(words) == 0
