"""The papers that extractors follow, to be cited: the entries of `papers.bib` by their keys."""

import re
from dataclasses import dataclass
from pathlib import Path

_ENTRY = re.compile(r"@inproceedings\{(\w+),\n(?:  .*\n)+\}")
_FIELD = re.compile(r"  (\w+) = \{+(.*?)\}+,")

_ONLY_AN_IDEA = ("pasternack2009mss", "gottron2008combine")
"""Papers from which our extractors take the idea alone."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper by the entry of a bibliography."""

    key: str
    bibtex: str

    @property
    def citation(self) -> str:
        """One line: authors, title, venue and year."""
        fields = dict(_FIELD.findall(self.bibtex))
        after = "after " if self.key in _ONLY_AN_IDEA else ""
        authors = fields["author"].replace(" and others", " et al.").replace(" and ", ", ")
        venue, year = fields["booktitle"], fields["year"]
        return f"{after}{authors}: {fields['title']}, {venue if year in venue else f'{venue} {year}'}"


PAPERS = {
    entry[1]: Paper(entry[1], entry[0])
    for entry in _ENTRY.finditer(Path(__file__).with_name("papers.bib").read_text(encoding="utf-8"))
}
"""The papers by their keys."""
