"""The papers that extractors follow, to be cited."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A paper; `authors` are family names, `doi` is "" if it has none or none that we could check.

    Attributes:
        is_followed: our extractor is not the paper's own, but made after its idea.
    """

    key: str
    authors: str
    title: str
    venue: str
    year: int
    doi: str = ""
    is_followed: bool = False

    @property
    def citation(self) -> str:
        """One line: authors, title, venue and year."""
        after = "after " if self.is_followed else ""
        venue = self.venue if str(self.year) in self.venue else f"{self.venue} {self.year}"
        return f"{after}{self.authors}: {self.title}, {venue}"

    @property
    def bibtex(self) -> str:
        """The entry of a bibliography."""
        authors = self.authors.replace(" et al.", ", others").replace(", ", " and ")
        title = f"{{{self.title}}}"  # braces keep its capitals
        fields = {
            "author": authors,
            "title": title,
            "booktitle": self.venue,
            "year": self.year,
            "doi": self.doi,
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
        return "\n".join([f"@inproceedings{{{self.key},", *lines, "}"])


CETR = Paper(
    key="weninger2010cetr",
    authors="Weninger, Hsu, Han",
    title="CETR - Content Extraction via Tag Ratios",
    venue="WWW",
    year=2010,
    doi="10.1145/1772690.1772789",
)
CETD = Paper(
    key="sun2011cetd",
    authors="Sun, Song, Liao",
    title="DOM Based Content Extraction via Text Density",
    venue="SIGIR",
    year=2011,
    doi="10.1145/2009916.2009952",
)
TTR = Paper(
    key="weninger2008ttr",
    authors="Weninger, Hsu",
    title="Text Extraction from the Web via Text-to-Tag Ratio",
    venue="DEXA workshops",
    year=2008,
    doi="10.1109/DEXA.2008.12",
)
BTE = Paper(
    key="finn2001bte",
    authors="Finn, Kushmerick, Smyth",
    title="Fact or fiction: content classification for digital libraries",
    venue="DELOS",
    year=2001,
)
DSC = Paper(
    key="pinto2002quasm",
    authors="Pinto et al.",
    title="QuASM: a system for question answering using semi-structured data",
    venue="JCDL",
    year=2002,
)
ADSC = Paper(
    key="gottron2007adsc",
    authors="Gottron",
    title="Evaluating content extraction on HTML documents",
    venue="ITA",
    year=2007,
)
CCB = Paper(
    key="gottron2008ccb",
    authors="Gottron",
    title="Content Code Blurring: a new approach to content extraction",
    venue="DEXA workshops",
    year=2008,
)
MSS = Paper(
    key="pasternack2009mss",
    authors="Pasternack, Roth",
    title="Extracting article text from the web with maximum subsequence segmentation",
    venue="WWW",
    year=2009,
    doi="10.1145/1526709.1526840",
    is_followed=True,
)
COREEX = Paper(
    key="prasad2008coreex",
    authors="Prasad, Paepcke",
    title="CoreEx - Content Extraction from Online News Articles",
    venue="CIKM",
    year=2008,
)
LQF = Paper(
    key="mantratzis2005lqf",
    authors="Mantratzis, Orgun, Cassidy",
    title="Separating XHTML Content from Navigation Clutter",
    venue="Hypertext",
    year=2005,
)
LP = Paper(
    key="baryossef2002lp",
    authors="Bar-Yossef, Rajagopalan",
    title="Template Detection via Data Mining",
    venue="WWW",
    year=2002,
    doi="10.1145/511446.511522",
)
LSI = Paper(
    key="buttler2001lsi",
    authors="Buttler, Liu, Pu",
    title="A Fully Automated Object Extraction System",
    venue="ICDCS",
    year=2001,
)
FE = Paper(
    key="debnath2005fe",
    authors="Debnath, Mitra, Pal, Giles",
    title="Identification of Informative Sections of Web Pages",
    venue="TKDE",
    year=2005,
)
VIPS = Paper(
    key="cai2003vips",
    authors="Cai, Yu, Wen, Ma",
    title="VIPS - a Vision-based Page Segmentation Algorithm",
    venue="MSR-TR-2003-79",
    year=2003,
)
CRUNCH = Paper(
    key="gupta2003crunch",
    authors="Gupta, Kaiser, Neistadt, Grimm",
    title="DOM-based Content Extraction of HTML Documents",
    venue="WWW",
    year=2003,
)
COMBINE = Paper(
    key="gottron2008combine",
    authors="Gottron",
    title="Combining Content Extraction Heuristics",
    venue="iiWAS",
    year=2008,
    is_followed=True,
)

PAPERS = {
    paper.citation: paper
    for paper in (CETR, CETD, TTR, BTE, DSC, ADSC, CCB, MSS, COREEX, LQF, LP, LSI, FE, VIPS, CRUNCH, COMBINE)
}
"""Papers by their citations."""
