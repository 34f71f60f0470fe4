"""Gather the pages of the site: python docs/site_pages.py build/site-pages"""

import shutil
import sys
from pathlib import Path

target = Path(sys.argv[1])
root = Path(__file__).parent.parent
shutil.rmtree(target, ignore_errors=True)
target.mkdir(parents=True)
for path in (root / "docs").iterdir():
    if path.suffix in (".md", ".png", ".svg"):
        shutil.copy(path, target)
for name, source in (("index.md", "README.md"), ("contributing.md", "CONTRIBUTING.md")):
    text = (root / source).read_text(encoding="utf-8")
    text = text.replace("](docs/", "](").replace("](CONTRIBUTING.md)", "](contributing.md)")
    (target / name).write_text(text, encoding="utf-8")
names = ("extract", "names", "Extraction", "Block", "extractor", "About", "ReadWarc", "DecodePage", "Extract")
(target / "api.md").write_text("# Reference\n\n" + "\n".join(f"::: cedar.{name}\n" for name in names))
