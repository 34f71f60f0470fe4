"""Gather the pages of the site: python docs/site_pages.py build/site-pages

These are the pages of docs/ with their tables, those of docs/pages/ that only the site has, README.md as
`start.md`, all options, a page for each command made of its record, and the names of the package.
"""

import ast
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from options_page import tables, text
from tables import filled

from cedar.pipelines.commands import COMMANDS, command_of

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


@dataclass(frozen=True)
class About:
    """What the page of a command says besides its record.

    Attributes:
        purpose: when one takes it, a sentence.
        guides: pages that say more.
        picture: name and description of a picture of docs/.
    """

    purpose: str
    guides: tuple[str, ...]
    picture: tuple[str, str] | None = None


ABOUT = {
    "text": About(
        "It is the shortest way to see what Cedar keeps of a page.", ("start", "markdown", "metadata")
    ),
    "explain": About(
        "Take it to find out why a sentence is missing, or why a menu is in the text.",
        ("explain",),
        ("explain.png", "What was kept of a page's text, and next to it the tag ratios of its lines"),
    ),
    "crawls": About("Take it to choose a crawl before you read one.", ("common-crawl",)),
    "extract": About(
        "Every other command that takes a corpus takes what this one writes.",
        ("running", "common-crawl", "corpus", "markdown", "metadata", "curation", "limits"),
    ),
    "filter": About("Rules are tried without reading the crawl again.", ("curation", "own-signal")),
    "dedup": About("The month that follows is held to what earlier months have kept.", ("duplicates",)),
    "export": About("Take it for what a trainer loads, and leave the corpus as it is.", ("corpus",)),
    "revisits": About(
        "Take it for a series over time: most captures of a deduplicated crawl are revisits.", ("archives",)
    ),
    "check": About("Take it after files of a corpus were moved, copied or lost.", ("report", "how-it-works")),
    "report": About(
        "Take it after a run, to see what was lost on the way and by which rule.",
        ("report",),
        (
            "report.png",
            "The beginning of the report of a made-up crawl: the funnel, the words by language, the sums",
        ),
    ),
    "browse": About(
        "Take it to read through a sample before you trust a rule.",
        ("browse",),
        (
            "browse.png",
            "A site: filters, the pages that are found, and one page with its signals next to their bounds",
        ),
    ),
    "extractors": About(
        "Take it to look up an option of a method.", ("cedar", "algorithms", "own-extractor")
    ),
    "sample": About("Take it to try the other commands.", ("start", "tutorial")),
    "evaluate": About(
        "Take it to choose a method for pages like yours.",
        ("evaluation",),
        (
            "evaluate.png",
            "A page of results: F1 with a dot for each page, precision over recall, and the tables",
        ),
    ),
}


def command_page(name: str) -> str:
    """The page of a command: what it is for, examples, its picture, its options."""
    command, about = command_of(name), ABOUT.get(name, About("", ()))
    _, _, examples = command.examples.partition(":\n")
    parts = [f"# cedar {name}", f"{command.description} {about.purpose}".rstrip()]
    if examples:
        parts.append("```\n" + "\n".join(line.strip() for line in examples.splitlines()) + "\n```")
    if about.guides:
        parts.append(f"More: {', '.join(f'[{_title(guide)}]({guide}.md)' for guide in about.guides)}.")
    if about.picture:
        parts.append(f"![{about.picture[1]}]({about.picture[0]})")
    parts += ["## Options", f"    cedar {name} {command.usage}", "\n".join(tables(name))]
    return "\n\n".join(parts)


def linked(page: str) -> str:
    """The text of options with links for the pages that it names."""
    return re.sub(r"see docs/([a-z-]+)\.md", lambda found: f"see [{_title(found[1])}]({found[1]}.md)", page)


def _title(page: str) -> str:
    """What the menu calls a page."""
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (title,) = re.findall(rf"- (.*): {re.escape(page)}\.md$", menu, re.MULTILINE)
    return title


def public_names() -> list[str]:
    """The names of the package, functions first; read and not imported, which would need what is compiled."""
    tree = ast.parse((ROOT / "cedar" / "__init__.py").read_text(encoding="utf-8"))
    (names,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    return sorted(names, key=lambda name: (not name[0].islower(), name))


def write(target: Path) -> None:
    """Write all pages into a directory that is made again."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in (*DOCS.iterdir(), *(DOCS / "pages").iterdir()):
        if path.suffix == ".md":
            page = filled(path.read_text(encoding="utf-8")).replace("](../README.md", "](start.md")
            (target / path.name).write_text(page, encoding="utf-8")
        elif path.suffix in (".png", ".svg", ".css"):
            shutil.copy(path, target)
    for name, source in (("start.md", "README.md"), ("contributing.md", "CONTRIBUTING.md")):
        page = (ROOT / source).read_text(encoding="utf-8")
        page = page.replace("](docs/", "](").replace("](CONTRIBUTING.md)", "](contributing.md)")
        page = re.sub(r"^# Cedar\n", "# Get started\n", page)
        page = re.sub(r"\[([^]]*)\]\((?:lab|deploy)/[^)]*\)", r"`\1`", page)
        (target / name).write_text(page, encoding="utf-8")
    (target / "options.md").write_text(linked(text()), encoding="utf-8")
    for name in COMMANDS:
        (target / f"cedar-{name}.md").write_text(linked(command_page(name)), encoding="utf-8")
    names = "\n".join(f"::: cedar.{name}\n" for name in public_names())
    (target / "api.md").write_text(f"# Python\n\n{names}", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
