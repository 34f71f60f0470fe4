"""Draw the pictures of the documentation again, from made-up pages alone: python docs/pictures.py

Needs Chromium, or what CHROMIUM names, and the model of languages.
"""

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent.resolve()
CHROMIUM = os.environ.get("CHROMIUM", "chromium")
MILL = "https://sample.example/news/tide-mill"


def run(module, *arguments, folder):
    """Run a module in a folder."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)


def draw(name, page, fragment="", *, size=(1280, 900), scale=0.75):
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--force-device-scale-factor={scale}",
    ]
    command += [f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=4000"]
    command += [f"--screenshot={DOCS / name}", page.as_uri() + fragment]
    subprocess.run(command, check=True, capture_output=True)
    print(DOCS / name)


with tempfile.TemporaryDirectory() as name:
    root = Path(name)
    cedar = functools.partial(run, "cedar", folder=root)
    crawl, corpus, unique = "demo/sample.warc.gz", "demo/corpus", "demo/unique"
    cedar("sample", crawl, "--pages", 400)
    rules = ("--keep", "words >= 150", "--preset", "gopher-quality", "--language")
    more = ("--signatures", "--with-markdown", "--with-metadata")
    cedar("extract", crawl, "--output", corpus, "--quiet", *rules, *more)
    cedar("dedup", corpus, "--output", unique)
    cedar("explain", crawl, "--url", MILL, "--extractor", "cetr", "--output", "explain.html")
    cedar("report", corpus, "--duplicates", unique, "--output", "report.html")
    cedar("browse", corpus, "--duplicates", unique, "--output", "site")
    gold = DOCS.parent / "tests" / "gold" / "handmade"
    methods = (f"--extractor={name}" for name in ("cedar", "cetr", "cetd-ds", "vips"))
    cedar("evaluate", gold, *methods, "--by", "lang", "--output", "evaluate.html", "--quiet")
    draw("evaluate.png", root / "evaluate.html", size=(1280, 900))
    draw("explain.png", root / "explain.html", size=(1280, 860))
    report = root / "report.html"  # which says where the corpus is
    report.write_text(report.read_text(encoding="utf-8").replace(str(root), "/data"), encoding="utf-8")
    draw("report.png", report, size=(1280, 1110))
    draw("browse.png", root / "site" / "index.html", "#language=eng&page=0&part=signals")
