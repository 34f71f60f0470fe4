"""The methods that come with Cedar: names, papers, and how far each follows its paper."""

from __future__ import annotations

from transforms.extractors.method import Extractor, Fidelity, code

_CETR_PAPER = "Weninger, Hsu, Han: CETR - Content Extraction via Tag Ratios, WWW 2010"

_TTR_PAPER = "Weninger, Hsu: Text Extraction from the Web via Text-to-Tag Ratio, DEXA workshops 2008"

_CCB_PAPER = "Gottron: Content Code Blurring: a new approach to content extraction, ICDIM 2008"

_CETD_PAPER = "Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011"

CATALOGUE = (
    Extractor(
        name="cedar",
        paper="",
        summary=(
            "blocks scored by a small learned table over the papers' signals; the set of the best expected F1"
        ),
        fidelity=Fidelity.OURS,
        load=code("cedar.cedar", "CedarOptions", "cedar"),
        is_confident=True,
        is_structured=True,
    ),
    Extractor(
        name="cetr",
        paper=_CETR_PAPER,
        summary="k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin",
        fidelity=Fidelity.PAPER,
        load=code("lines.cetr", "CetrOptions", "cetr"),
    ),
    Extractor(
        name="cetr-tm",
        paper=_CETR_PAPER,
        summary="lines whose smoothed tag ratio reaches a multiple of the standard deviation",
        fidelity=Fidelity.PAPER,
        load=code("lines.cetr", "ThresholdOptions", "cetr_tm"),
    ),
    Extractor(
        name="cetr-km",
        paper=_CETR_PAPER,
        summary="k-means over smoothed tag ratios, all clusters but the lowest",
        fidelity=Fidelity.PAPER,
        load=code("lines.cetr", "KMeansOptions", "cetr_km"),
    ),
    Extractor(
        name="keep-all",
        paper="",
        summary="all text but comments, scripts and styles: the line every method must beat",
        fidelity=Fidelity.OURS,
        load=code("lines.keep_all", "KeepAllOptions", "keep_all"),
        is_structured=True,
    ),
    Extractor(
        name="cetd-ds",
        paper=_CETD_PAPER,
        summary="subtrees of the largest sum of text densities, down from the body",
        fidelity=Fidelity.PAPER,
        load=code("tree.cetd", "CetdDsOptions", "cetd_ds"),
        builds_tree=True,
    ),
    Extractor(
        name="ttr-t",
        paper=_TTR_PAPER,
        summary="lines whose averaged tag ratio reaches a multiple of the standard deviation",
        fidelity=Fidelity.PAPER,
        load=code("lines.ttr", "TtrThresholdOptions", "ttr_t"),
    ),
    Extractor(
        name="ttr-km",
        paper=_TTR_PAPER,
        summary="k-means over averaged tag ratios, the clusters above the standard deviation",
        fidelity=Fidelity.PAPER,
        load=code("lines.ttr", "ClusterOptions", "ttr_km"),
    ),
    Extractor(
        name="ttr-em",
        paper=_TTR_PAPER,
        summary=(
            "a mixture of Gaussians over averaged tag ratios, the components above the standard deviation"
        ),
        fidelity=Fidelity.PAPER,
        load=code("lines.ttr", "ClusterOptions", "ttr_em"),
    ),
    Extractor(
        name="ttr-ff",
        paper=_TTR_PAPER,
        summary="farthest-first clusters of averaged tag ratios, those above the standard deviation",
        fidelity=Fidelity.PAPER,
        load=code("lines.ttr", "ClusterOptions", "ttr_ff"),
    ),
    Extractor(
        name="ttr-p",
        paper=_TTR_PAPER,
        summary="lines from each jump of the tag ratio over those before to a drop of those after",
        fidelity=Fidelity.PAPER,
        load=code("lines.ttr", "PredictionOptions", "ttr_p"),
    ),
    Extractor(
        name="bte",
        paper=(
            "Finn, Kushmerick, Smyth: Fact or fiction: content classification for digital"
            " libraries, DELOS 2001"
        ),
        summary="the one stretch of the page with most words and fewest tags",
        fidelity=Fidelity.PAPER,
        load=code("tokens.bte", "BteOptions", "bte"),
    ),
    Extractor(
        name="dsc",
        paper="Pinto et al.: QuASM: a system for question answering using semi-structured data, JCDL 2002",
        summary="sections of the page where the curve of tags over tokens is flat; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tokens.dsc", "DscOptions", "dsc"),
    ),
    Extractor(
        name="adsc",
        paper="Gottron: Evaluating content extraction on HTML documents, ITA 2007",
        summary="windows of tokens with more words than tags; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tokens.dsc", "AdscOptions", "adsc"),
    ),
    Extractor(
        name="ccb",
        paper=_CCB_PAPER,
        summary="text whose surroundings, blurred, are mostly text; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tokens.ccb", "CcbOptions", "ccb"),
    ),
    Extractor(
        name="accb",
        paper=_CCB_PAPER,
        summary="content code blurring, links not counted as tags; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tokens.ccb", "CcbOptions", "accb"),
    ),
    Extractor(
        name="mss",
        paper=(
            "after Pasternack, Roth: Extracting article text from the web with maximum"
            " subsequence segmentation, WWW 2009"
        ),
        summary=(
            "the maximum subsequence of fixed scores for words and tags: the paper's method"
            " without its training"
        ),
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tokens.mss", "MssOptions", "mss"),
    ),
    Extractor(
        name="cectd-ds",
        paper=_CETD_PAPER,
        summary="subtrees of the largest sum of composite text densities, which are low where links are many",
        fidelity=Fidelity.PAPER,
        load=code("tree.cetd", "CectdDsOptions", "cectd_ds"),
        builds_tree=True,
    ),
    Extractor(
        name="cectd-s",
        paper=_CETD_PAPER,
        summary="elements whose composite text density, smoothed over siblings, reaches the body's",
        fidelity=Fidelity.PAPER,
        load=code("tree.cetd", "CectdOptions", "cectd_s"),
        builds_tree=True,
    ),
    Extractor(
        name="coreex",
        paper="Prasad, Paepcke: CoreEx - Content Extraction from Online News Articles, CIKM 2008",
        summary=(
            "the children with few links of the element that has most text and fewest links in such children"
        ),
        fidelity=Fidelity.PAPER,
        load=code("tree.coreex", "CoreExOptions", "coreex"),
        builds_tree=True,
    ),
    Extractor(
        name="lqf",
        paper="Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter, Hypertext 2005",
        summary="all but block-level elements with most of their characters in links",
        fidelity=Fidelity.PAPER,
        load=code("tree.lqf", "LqfOptions", "lqf"),
        builds_tree=True,
    ),
    Extractor(
        name="lp",
        paper="Bar-Yossef, Rajagopalan: Template Detection via Data Mining, WWW 2002",
        summary="the pagelet with most text: largest element without a child rich in links (from memory)",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.lp", "LpOptions", "lp"),
        builds_tree=True,
    ),
    Extractor(
        name="lsi",
        paper="Buttler, Liu, Pu: A Fully Automated Object Extraction System, ICDCS 2001",
        summary="the subtree with most text beyond the mean of its children (from memory)",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.lsi", "LsiOptions", "lsi"),
        builds_tree=True,
    ),
    Extractor(
        name="fe",
        paper="Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        summary="blocks in which text outweighs links, images, lists, forms and objects (in outline)",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.fe", "FeOptions", "fe"),
        builds_tree=True,
    ),
    Extractor(
        name="kfe",
        paper="Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        summary="k-means over such blocks, the cluster with most text (in outline)",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.fe", "KfeOptions", "kfe"),
        builds_tree=True,
    ),
    Extractor(
        name="vips",
        paper="Cai, Yu, Wen, Ma: VIPS - a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79",
        summary=(
            "blocks that look whole by place, font and background; those with few links in the main column"
        ),
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("vips.vips", "VipsOptions", "vips"),
        builds_tree=True,
    ),
    Extractor(
        name="crunch",
        paper=("Gupta, Kaiser, Neistadt, Grimm: DOM-based Content Extraction of HTML Documents, WWW 2003"),
        summary="filters for lists of links, image links, ads, empty tables; with settings of its authors",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.crunch", "CrunchOptions", "crunch"),
        builds_tree=True,
    ),
    Extractor(
        name="combine",
        paper="after Gottron: Combining Content Extraction Heuristics, iiWAS 2008",
        summary="texts for which several methods vote",
        fidelity=Fidelity.RECONSTRUCTION,
        load=code("tree.combine", "CombineOptions", "combine"),
        builds_tree=True,
    ),
)
"""All of them, the default first."""

DEFAULT = "cedar"
"""The method where none is named: in the command, in `cedar.extract`, and in the transform `Extract`."""

STAND_IN = "cetr"
"""The method that stands in where a page's tree cannot be held."""
