"""The methods that come with Cedar: names, papers, and how far each follows its paper."""

from collections.abc import Callable
from functools import partial

from cedar.transforms.extractors.method import Extractor, Fidelity, load
from cedar.transforms.extractors.papers import PAPERS

DEFAULT = "cedar"
"""The method where none is named: in the command, in `cedar.extract`, and in the transform `Extract`."""

STAND_IN = "cetr"
"""The method that stands in where a page's tree cannot be held."""


def _method(
    name: str, module: str, options: str, *, fidelity: Fidelity, paper: str = "", **flags: bool
) -> Callable[[str], Extractor]:
    """Return what makes an extractor of Cedar from its summary.

    `paper` is a key of `papers.bib`; the function has the method's name, with _ for -; `flags` are those of
    `Extractor`.
    """
    return lambda summary: Extractor(
        name=name,
        paper=PAPERS[paper].citation if paper else "",
        summary=summary,
        fidelity=fidelity,
        load=partial(load, module, options, name.replace("-", "_")),
        **flags,
    )


_published = partial(_method, fidelity=Fidelity.PAPER)
_rebuilt = partial(_method, fidelity=Fidelity.RECONSTRUCTION)
_ours = partial(_method, fidelity=Fidelity.OURS)

CATALOGUE = (
    _ours("cedar", "cedar.cedar", "CedarOptions", is_confident=True, is_structured=True)(
        "blocks scored by a small learned table over the papers' signals; the set of the best expected F1"
    ),
    _published("cetr", "lines.cetr", "CetrOptions", paper="weninger2010cetr")(
        "k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin"
    ),
    _published("cetr-tm", "lines.cetr", "ThresholdOptions", paper="weninger2010cetr")(
        "lines whose smoothed tag ratio reaches a multiple of the standard deviation"
    ),
    _published("cetr-km", "lines.cetr", "KMeansOptions", paper="weninger2010cetr")(
        "k-means over smoothed tag ratios, all clusters but the lowest"
    ),
    _ours("keep-all", "lines.keep_all", "NoOptions", is_structured=True)(
        "all text but comments, scripts and styles: the line every method must beat"
    ),
    _published("cetd-ds", "tree.cetd", "CetdDsOptions", paper="sun2011cetd", builds_tree=True)(
        "subtrees of the largest sum of text densities, down from the body"
    ),
    _published("ttr-t", "lines.ttr", "TtrThresholdOptions", paper="weninger2008ttr")(
        "lines whose averaged tag ratio reaches a multiple of the standard deviation"
    ),
    _published("ttr-km", "lines.ttr", "ClusterOptions", paper="weninger2008ttr")(
        "k-means over averaged tag ratios, the clusters above the standard deviation"
    ),
    _published("ttr-em", "lines.ttr", "ClusterOptions", paper="weninger2008ttr")(
        "a mixture of Gaussians over averaged tag ratios, the components above the standard deviation"
    ),
    _published("ttr-ff", "lines.ttr", "ClusterOptions", paper="weninger2008ttr")(
        "farthest-first clusters of averaged tag ratios, those above the standard deviation"
    ),
    _published("ttr-p", "lines.ttr", "PredictionOptions", paper="weninger2008ttr")(
        "lines from each jump of the tag ratio over those before to a drop of those after"
    ),
    _published("bte", "tokens.bte", "NoOptions", paper="finn2001bte")(
        "the one stretch of the page with most words and fewest tags"
    ),
    _rebuilt("dsc", "tokens.dsc", "DscOptions", paper="pinto2002quasm")(
        "sections of the page where the curve of tags over tokens is flat; parameters are our choice"
    ),
    _rebuilt("adsc", "tokens.dsc", "AdscOptions", paper="gottron2007adsc")(
        "windows of tokens with more words than tags; parameters are our choice"
    ),
    _rebuilt("ccb", "tokens.ccb", "CcbOptions", paper="gottron2008ccb")(
        "text whose surroundings, blurred, are mostly text; parameters are our choice"
    ),
    _rebuilt("accb", "tokens.ccb", "CcbOptions", paper="gottron2008ccb")(
        "content code blurring, links not counted as tags; parameters are our choice"
    ),
    _rebuilt("mss", "tokens.bte", "MssOptions", paper="pasternack2009mss")(
        "the maximum subsequence of fixed scores for words and tags: the paper's method without its training"
    ),
    _published("cectd-ds", "tree.cetd", "CectdDsOptions", paper="sun2011cetd", builds_tree=True)(
        "subtrees of the largest sum of composite text densities, which are low where links are many"
    ),
    _published("cectd-s", "tree.cetd", "CectdOptions", paper="sun2011cetd", builds_tree=True)(
        "elements whose composite text density, smoothed over siblings, reaches the body's"
    ),
    _published("coreex", "tree.coreex", "CoreExOptions", paper="prasad2008coreex", builds_tree=True)(
        "the children with few links of the element that has most text and fewest links in such children"
    ),
    _published("lqf", "tree.baselines", "LqfOptions", paper="mantratzis2005lqf", builds_tree=True)(
        "all but block-level elements with most of their characters in links"
    ),
    _rebuilt("lp", "tree.baselines", "LpOptions", paper="baryossef2002lp", builds_tree=True)(
        "the pagelet with most text: largest element without a child rich in links (from memory)"
    ),
    _rebuilt("lsi", "tree.baselines", "TreeOptions", paper="buttler2001lsi", builds_tree=True)(
        "the subtree with most text beyond the mean of its children (from memory)"
    ),
    _rebuilt("fe", "tree.fe", "FeOptions", paper="debnath2005fe", builds_tree=True)(
        "blocks in which text outweighs links, images, lists, forms and objects (in outline)"
    ),
    _rebuilt("kfe", "tree.fe", "KfeOptions", paper="debnath2005fe", builds_tree=True)(
        "k-means over such blocks, the cluster with most text (in outline)"
    ),
    _rebuilt("vips", "vips.vips", "VipsOptions", paper="cai2003vips", builds_tree=True)(
        "blocks that look whole by place, font and background; those with few links in the main column"
    ),
    _rebuilt("crunch", "tree.crunch", "CrunchOptions", paper="gupta2003crunch", builds_tree=True)(
        "filters for lists of links, image links, ads, empty tables; with settings of its authors"
    ),
    _rebuilt("combine", "tree.combine", "CombineOptions", paper="gottron2008combine", builds_tree=True)(
        "texts for which several methods vote"
    ),
)
"""All of them, the default first."""
