"""Draw the pictures of the documentation anew, from made-up pages alone: python docs/pictures.py

Needs Chromium, or what CHROMIUM names, and the model of languages.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent.resolve()
CHROMIUM = os.environ.get("CHROMIUM", "chromium")
MILL = "https://sample.example/news/tide-mill"


def cedar(*arguments):
    subprocess.run(
        [sys.executable, "-m", "pipelines", *map(str, arguments)], check=True, stdout=subprocess.DEVNULL
    )


def draw(name, page, fragment="", size=(1280, 900)):
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-device-scale-factor=0.75",
    ]
    command += [f"--window-size={size[0]},{size[1]}", "--virtual-time-budget=4000"]
    command += [f"--screenshot={DOCS / name}", page.as_uri() + fragment]
    subprocess.run(command, check=True, capture_output=True)
    print(DOCS / name)


with tempfile.TemporaryDirectory() as folder:
    root = Path(folder) / "demo"
    root.mkdir()
    crawl, corpus, unique = root / "sample.warc.gz", root / "corpus", root / "unique"
    subprocess.run([sys.executable, "-m", "pipelines.sample", str(crawl), "--pages", "400"], check=True)
    rules = [
        "--keep",
        "words >= 150",
        "--preset",
        "gopher-quality",
        "--language",
        "--signatures",
        "--with-markdown",
        "--with-metadata",
    ]
    cedar("extract", crawl, "--output", corpus, "--quiet", *rules)
    cedar("dedup", corpus, "--output", unique)
    cedar("explain", crawl, "--url", MILL, "--extractor", "cetr", "--output", root / "explain.html")
    cedar("explain", crawl, "--url", MILL, "--extractor", "vips", "--output", root / "vips.html")
    cedar("report", corpus, "--duplicates", unique, "--output", root / "report.html")
    cedar("browse", corpus, "--duplicates", unique, "--output", root / "site")
    draw("explain.png", root / "explain.html", size=(1280, 860))
    draw("vips.png", root / "vips.html", size=(1280, 1300))
    draw("report.png", root / "report.html", size=(1280, 1150))
    draw("browse.png", root / "site" / "index.html", "#language=eng&page=0&part=signals")
