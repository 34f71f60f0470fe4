"""The methods that come with Cedar: names, papers, and how far each follows its paper."""

from __future__ import annotations

from transforms.extractors.method import Fidelity, built_in

_CETR_PAPER = "Weninger, Hsu, Han: CETR - Content Extraction via Tag Ratios, WWW 2010"

_TTR_PAPER = "Weninger, Hsu: Text Extraction from the Web via Text-to-Tag Ratio, DEXA workshops 2008"

_CCB_PAPER = "Gottron: Content Code Blurring: a new approach to content extraction, ICDIM 2008"

_CETD_PAPER = "Sun, Song, Liao: DOM Based Content Extraction via Text Density, SIGIR 2011"

CATALOGUE = (
    built_in(
        name="cedar",
        paper="",
        summary=(
            "blocks scored by a small learned table over the papers' signals; the set of the best expected F1"
        ),
        fidelity=Fidelity.OURS,
        module="cedar.cedar",
        options_name="CedarOptions",
        function_name="cedar",
        is_confident=True,
        is_structured=True,
    ),
    built_in(
        name="cetr",
        paper=_CETR_PAPER,
        summary="k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin",
        fidelity=Fidelity.PAPER,
        module="lines.cetr",
        options_name="CetrOptions",
        function_name="cetr",
    ),
    built_in(
        name="cetr-tm",
        paper=_CETR_PAPER,
        summary="lines whose smoothed tag ratio reaches a multiple of the standard deviation",
        fidelity=Fidelity.PAPER,
        module="lines.cetr",
        options_name="ThresholdOptions",
        function_name="cetr_tm",
    ),
    built_in(
        name="cetr-km",
        paper=_CETR_PAPER,
        summary="k-means over smoothed tag ratios, all clusters but the lowest",
        fidelity=Fidelity.PAPER,
        module="lines.cetr",
        options_name="KMeansOptions",
        function_name="cetr_km",
    ),
    built_in(
        name="keep-all",
        paper="",
        summary="all text but comments, scripts and styles: the line every method must beat",
        fidelity=Fidelity.OURS,
        module="lines.keep_all",
        options_name="KeepAllOptions",
        function_name="keep_all",
    ),
    built_in(
        name="cetd-ds",
        paper=_CETD_PAPER,
        summary="subtrees of the largest sum of text densities, down from the body",
        fidelity=Fidelity.PAPER,
        module="tree.cetd",
        options_name="CetdDsOptions",
        function_name="cetd_ds",
        builds_tree=True,
    ),
    built_in(
        name="ttr-t",
        paper=_TTR_PAPER,
        summary="lines whose averaged tag ratio reaches a multiple of the standard deviation",
        fidelity=Fidelity.PAPER,
        module="lines.ttr",
        options_name="TtrThresholdOptions",
        function_name="ttr_t",
    ),
    built_in(
        name="ttr-km",
        paper=_TTR_PAPER,
        summary="k-means over averaged tag ratios, the clusters above the standard deviation",
        fidelity=Fidelity.PAPER,
        module="lines.ttr",
        options_name="ClusterOptions",
        function_name="ttr_km",
    ),
    built_in(
        name="ttr-em",
        paper=_TTR_PAPER,
        summary=(
            "a mixture of Gaussians over averaged tag ratios, the components above the standard deviation"
        ),
        fidelity=Fidelity.PAPER,
        module="lines.ttr",
        options_name="ClusterOptions",
        function_name="ttr_em",
    ),
    built_in(
        name="ttr-ff",
        paper=_TTR_PAPER,
        summary="farthest-first clusters of averaged tag ratios, those above the standard deviation",
        fidelity=Fidelity.PAPER,
        module="lines.ttr",
        options_name="ClusterOptions",
        function_name="ttr_ff",
    ),
    built_in(
        name="ttr-p",
        paper=_TTR_PAPER,
        summary="lines from each jump of the tag ratio over those before to a drop of those after",
        fidelity=Fidelity.PAPER,
        module="lines.ttr",
        options_name="PredictionOptions",
        function_name="ttr_p",
    ),
    built_in(
        name="bte",
        paper=(
            "Finn, Kushmerick, Smyth: Fact or fiction: content classification for digital"
            " libraries, DELOS 2001"
        ),
        summary="the one stretch of the page with most words and fewest tags",
        fidelity=Fidelity.PAPER,
        module="tokens.bte",
        options_name="BteOptions",
        function_name="bte",
    ),
    built_in(
        name="dsc",
        paper="Pinto et al.: QuASM: a system for question answering using semi-structured data, JCDL 2002",
        summary="sections of the page where the curve of tags over tokens is flat; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tokens.dsc",
        options_name="DscOptions",
        function_name="dsc",
    ),
    built_in(
        name="adsc",
        paper="Gottron: Evaluating content extraction on HTML documents, ITA 2007",
        summary="windows of tokens with more words than tags; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tokens.dsc",
        options_name="AdscOptions",
        function_name="adsc",
    ),
    built_in(
        name="ccb",
        paper=_CCB_PAPER,
        summary="text whose surroundings, blurred, are mostly text; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tokens.ccb",
        options_name="CcbOptions",
        function_name="ccb",
    ),
    built_in(
        name="accb",
        paper=_CCB_PAPER,
        summary="the same, links not counted as tags; parameters are our choice",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tokens.ccb",
        options_name="CcbOptions",
        function_name="accb",
    ),
    built_in(
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
        module="tokens.mss",
        options_name="MssOptions",
        function_name="mss",
    ),
    built_in(
        name="cectd-ds",
        paper=_CETD_PAPER,
        summary="the same with composite text densities, which are low where links are many",
        fidelity=Fidelity.PAPER,
        module="tree.cetd",
        options_name="CectdDsOptions",
        function_name="cectd_ds",
        builds_tree=True,
    ),
    built_in(
        name="cectd-s",
        paper=_CETD_PAPER,
        summary="elements whose composite text density, smoothed over siblings, reaches the body's",
        fidelity=Fidelity.PAPER,
        module="tree.cetd",
        options_name="CectdOptions",
        function_name="cectd_s",
        builds_tree=True,
    ),
    built_in(
        name="coreex",
        paper="Prasad, Paepcke: CoreEx - Content Extraction from Online News Articles, CIKM 2008",
        summary=(
            "the children with few links of the element that has most text and fewest links in such children"
        ),
        fidelity=Fidelity.PAPER,
        module="tree.coreex",
        options_name="CoreExOptions",
        function_name="coreex",
        builds_tree=True,
    ),
    built_in(
        name="lqf",
        paper="Mantratzis, Orgun, Cassidy: Separating XHTML Content from Navigation Clutter, Hypertext 2005",
        summary="all but block-level elements with most of their characters in links",
        fidelity=Fidelity.PAPER,
        module="tree.lqf",
        options_name="LqfOptions",
        function_name="lqf",
        builds_tree=True,
    ),
    built_in(
        name="lp",
        paper="Bar-Yossef, Rajagopalan: Template Detection via Data Mining, WWW 2002",
        summary="the pagelet with most text: largest element without a child rich in links (from memory)",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tree.lp",
        options_name="LpOptions",
        function_name="lp",
        builds_tree=True,
    ),
    built_in(
        name="lsi",
        paper="Buttler, Liu, Pu: A Fully Automated Object Extraction System, ICDCS 2001",
        summary="the subtree with most text beyond the mean of its children (from memory)",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tree.lsi",
        options_name="LsiOptions",
        function_name="lsi",
        builds_tree=True,
    ),
    built_in(
        name="fe",
        paper="Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        summary="blocks in which text outweighs links, images, lists, forms and objects (in outline)",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tree.fe",
        options_name="FeOptions",
        function_name="fe",
        builds_tree=True,
    ),
    built_in(
        name="kfe",
        paper="Debnath, Mitra, Pal, Giles: Identification of Informative Sections of Web Pages, TKDE 2005",
        summary="k-means over such blocks, the cluster with most text (in outline)",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tree.fe",
        options_name="KfeOptions",
        function_name="kfe",
        builds_tree=True,
    ),
    built_in(
        name="vips",
        paper="Cai, Yu, Wen, Ma: VIPS - a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79",
        summary=(
            "blocks that look whole by place, font and background; those with few links in the main column"
        ),
        fidelity=Fidelity.RECONSTRUCTION,
        module="vips.vips",
        options_name="VipsOptions",
        function_name="vips",
        builds_tree=True,
    ),
    built_in(
        name="combine",
        paper="after Gottron: Combining Content Extraction Heuristics, iiWAS 2008",
        summary="texts for which several methods vote",
        fidelity=Fidelity.RECONSTRUCTION,
        module="tree.combine",
        options_name="CombineOptions",
        function_name="combine",
        builds_tree=True,
    ),
)
"""All of them, the default first."""

DEFAULT = "cedar"
"""The method where none is named: in the command, in `cedar.extract`, and in the transform `Extract`."""

STAND_IN = "cetr"
"""The method that stands in where a page's tree cannot be held."""
