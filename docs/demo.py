"""Show what the demo made, in twenty lines: python docs/demo.py DIRECTORY"""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

demo = Path(sys.argv[1]).resolve()
books = json.loads((demo / "corpus" / "run.json").read_text())
wanted = ["url", "title", "text", "words", "charset"]
rows = pq.read_table(demo / "corpus" / "pages", columns=wanted).to_pylist()
reasons = ", ".join(f"{reason} {number}" for reason, number in books["rejected"].items())

print(f"{demo.name}/sample.warc.gz  a small crawl, made up: {books['records_read']} records")
print(f"{demo.name}/corpus          its text: {books['pages']} pages")
print(f"                     {books['rejects']} records are not pages: {reasons}")
print()
for row in rows[:5]:
    print(f"{row['title'] or '(no title)'}  ({row['words']} words, {row['charset']}, {row['url']})")
    print(f"    {' / '.join(row['text'].splitlines())[:80]} ...")
print()
home = Path(sys.prefix)
home = home.relative_to(Path.cwd()) if home.is_relative_to(Path.cwd()) else home
print(f"A page, and why each block was kept:  {(demo / 'explain.html').as_uri()}")
print(f"The pages as a table:                 {home}/bin/python docs/read_corpus.py {demo.name}/corpus")
print(f"With files of your own:               {home}/bin/cedar extract crawl/ --output corpus/")
print("From here to a filtered corpus:       docs/tutorial.md")
