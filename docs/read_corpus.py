"""Read a corpus with pyarrow: python docs/read_corpus.py CORPUS"""

import signal
import sys

import pyarrow.parquet as pq

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # so that `| head` ends it without a word
corpus = sys.argv[1]
pages = pq.read_table(f"{corpus}/pages")
for row in pages.slice(0, 5).to_pylist():
    print(f"\n{row['url']}  {row['fetched_at']:%Y-%m-%d %H:%M %Z}")
    print(f"  {row['title']!r}, {row['lang']}, {row['charset']} ({row['charset_source']})")
    print(f"  kept {row['content_lines']} of {row['lines']} blocks, {row['content_ratio']:.0%} of the text:")
    print("  " + row["text"][:100].replace("\n", " / "))
print(f"\n{pages.num_rows} pages")
for row in pq.read_table(f"{corpus}/rejects").to_pylist():
    print(f"rejected {row['url']}: {row['reason']} {row['detail']}")
