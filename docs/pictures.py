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
NEWSPAPER = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>The tide mill turns again - The Harbour Post</title><body>
<table width="100%" cellpadding="12" cellspacing="0">
<tr><td colspan="3" bgcolor="#1d4d5c"><h1>The Harbour Post</h1>
<p><a href="/news">News</a> <a href="/tides">Tides</a> <a href="/ferries">Ferries</a>
<a href="/mail">Letters</a>
<tr valign="top"><td width="180" bgcolor="#eeeeee"><h3>Sections</h3>
<p><a href="/harbour">The harbour</a><p><a href="/town">The town</a><p><a href="/coast">Along the coast</a>
<p><a href="/market">Market days</a><p><a href="/archive">Archive</a>
<td><h2>The tide mill turns again</h2>
<p>For the first time in sixty years the wheel of the old tide mill turned on Saturday, pushed by nothing but
the water that the morning flood had left above the sluice gates of the pond.
<p>Volunteers had spent eleven winters on the repair. They replaced forty-two oak paddles, cast a new bearing
in bronze, and dug eight hundred barrows of silt out of the channel, most of it by hand and between two tides.
<hr>
<h3>A trade that followed the moon</h3>
<p>Tide mills stood on this coast from the twelfth century on. A miller here worked when the moon told him to,
at two in the morning as well as at noon, and slept whenever the pond was empty.
<td width="220" bgcolor="#f6f1e4"><h3>Most read</h3>
<p><a href="/1">Ferry timetable changes</a><p><a href="/2">High water on Sunday at 6:12</a>
<p><a href="/3">A new roof for the market hall</a>
<tr><td colspan="3" bgcolor="#dddddd"><p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a>
<a href="/terms">Terms</a> <a href="/contact">Contact</a>
</table>
"""
"""A page in columns, as VIPS sees them."""


def run(module, *arguments, folder):
    """Run a module in a folder."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)


def draw(name, page, fragment="", size=(1280, 900), scale=0.75):
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
    (root / "newspaper.html").write_text(NEWSPAPER, encoding="utf-8")
    cedar = functools.partial(run, "pipelines", folder=root)
    crawl, corpus, unique = "demo/sample.warc.gz", "demo/corpus", "demo/unique"
    cedar("sample", crawl, "--pages", 400)
    rules = ("--keep", "words >= 150", "--preset", "gopher-quality", "--language")
    more = ("--signatures", "--with-markdown", "--with-metadata")
    cedar("extract", crawl, "--output", corpus, "--quiet", *rules, *more)
    cedar("dedup", corpus, "--output", unique)
    cedar("explain", crawl, "--url", MILL, "--extractor", "cetr", "--output", "explain.html")
    cedar("explain", "newspaper.html", "--extractor", "vips", "--output", "vips.html")
    cedar("report", corpus, "--duplicates", unique, "--output", "report.html")
    cedar("browse", corpus, "--duplicates", unique, "--output", "site")
    draw("explain.png", root / "explain.html", size=(1280, 860))
    draw("vips.png", root / "vips.html", size=(1280, 1620), scale=0.65)
    report = root / "report.html"  # which says where the corpus is
    report.write_text(report.read_text(encoding="utf-8").replace(str(root), "/data"), encoding="utf-8")
    draw("report.png", report, size=(1280, 1110))
    draw("browse.png", root / "site" / "index.html", "#language=eng&page=0&part=signals")
