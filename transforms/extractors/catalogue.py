"""The methods that come with Cedar: names, papers, and how far each follows its paper."""

from collections.abc import Callable
from functools import partial

from cedar.transforms.extractors import papers
from cedar.transforms.extractors.method import Extractor, Fidelity, load
from cedar.transforms.extractors.papers import Paper

DEFAULT = "cedar"
"""The method where none is named: in the command, in `cedar.extract`, and in the transform `Extract`."""

STAND_IN = "cetr"
"""The method that stands in where a page's tree cannot be held."""

_PAPER, _REBUILT, _OURS = Fidelity.PAPER, Fidelity.RECONSTRUCTION, Fidelity.OURS


def _method(
    name: str, module: str, options: str, *, fidelity: Fidelity, paper: Paper | None = None, **flags: bool
) -> Callable[[str], Extractor]:
    """Return what makes an extractor of Cedar from its summary; `flags` are those of `Extractor`.

    Its function has the method's name, with _ for -.
    """
    return lambda summary: Extractor(
        name=name,
        paper="" if paper is None else paper.citation,
        summary=summary,
        fidelity=fidelity,
        load=partial(load, module, options, name.replace("-", "_")),
        **flags,
    )


CATALOGUE = (
    _method("cedar", "cedar.cedar", "CedarOptions", fidelity=_OURS, is_confident=True, is_structured=True)(
        "blocks scored by a small learned table over the papers' signals; the set of the best expected F1"
    ),
    _method("cetr", "lines.cetr", "CetrOptions", fidelity=_PAPER, paper=papers.CETR)(
        "k-means over smoothed tag ratios and their derivative, one centroid pinned to the origin"
    ),
    _method("cetr-tm", "lines.cetr", "ThresholdOptions", fidelity=_PAPER, paper=papers.CETR)(
        "lines whose smoothed tag ratio reaches a multiple of the standard deviation"
    ),
    _method("cetr-km", "lines.cetr", "KMeansOptions", fidelity=_PAPER, paper=papers.CETR)(
        "k-means over smoothed tag ratios, all clusters but the lowest"
    ),
    _method("keep-all", "lines.keep_all", "NoOptions", fidelity=_OURS, is_structured=True)(
        "all text but comments, scripts and styles: the line every method must beat"
    ),
    _method("cetd-ds", "tree.cetd", "CetdDsOptions", fidelity=_PAPER, paper=papers.CETD, builds_tree=True)(
        "subtrees of the largest sum of text densities, down from the body"
    ),
    _method("ttr-t", "lines.ttr", "TtrThresholdOptions", fidelity=_PAPER, paper=papers.TTR)(
        "lines whose averaged tag ratio reaches a multiple of the standard deviation"
    ),
    _method("ttr-km", "lines.ttr", "ClusterOptions", fidelity=_PAPER, paper=papers.TTR)(
        "k-means over averaged tag ratios, the clusters above the standard deviation"
    ),
    _method("ttr-em", "lines.ttr", "ClusterOptions", fidelity=_PAPER, paper=papers.TTR)(
        "a mixture of Gaussians over averaged tag ratios, the components above the standard deviation"
    ),
    _method("ttr-ff", "lines.ttr", "ClusterOptions", fidelity=_PAPER, paper=papers.TTR)(
        "farthest-first clusters of averaged tag ratios, those above the standard deviation"
    ),
    _method("ttr-p", "lines.ttr", "PredictionOptions", fidelity=_PAPER, paper=papers.TTR)(
        "lines from each jump of the tag ratio over those before to a drop of those after"
    ),
    _method("bte", "tokens.bte", "NoOptions", fidelity=_PAPER, paper=papers.BTE)(
        "the one stretch of the page with most words and fewest tags"
    ),
    _method("dsc", "tokens.dsc", "DscOptions", fidelity=_REBUILT, paper=papers.DSC)(
        "sections of the page where the curve of tags over tokens is flat; parameters are our choice"
    ),
    _method("adsc", "tokens.dsc", "AdscOptions", fidelity=_REBUILT, paper=papers.ADSC)(
        "windows of tokens with more words than tags; parameters are our choice"
    ),
    _method("ccb", "tokens.ccb", "CcbOptions", fidelity=_REBUILT, paper=papers.CCB)(
        "text whose surroundings, blurred, are mostly text; parameters are our choice"
    ),
    _method("accb", "tokens.ccb", "CcbOptions", fidelity=_REBUILT, paper=papers.CCB)(
        "content code blurring, links not counted as tags; parameters are our choice"
    ),
    _method("mss", "tokens.bte", "MssOptions", fidelity=_REBUILT, paper=papers.MSS)(
        "the maximum subsequence of fixed scores for words and tags: the paper's method without its training"
    ),
    _method("cectd-ds", "tree.cetd", "CectdDsOptions", fidelity=_PAPER, paper=papers.CETD, builds_tree=True)(
        "subtrees of the largest sum of composite text densities, which are low where links are many"
    ),
    _method("cectd-s", "tree.cetd", "CectdOptions", fidelity=_PAPER, paper=papers.CETD, builds_tree=True)(
        "elements whose composite text density, smoothed over siblings, reaches the body's"
    ),
    _method("coreex", "tree.coreex", "CoreExOptions", fidelity=_PAPER, paper=papers.COREEX, builds_tree=True)(
        "the children with few links of the element that has most text and fewest links in such children"
    ),
    _method("lqf", "tree.baselines", "LqfOptions", fidelity=_PAPER, paper=papers.LQF, builds_tree=True)(
        "all but block-level elements with most of their characters in links"
    ),
    _method("lp", "tree.baselines", "LpOptions", fidelity=_REBUILT, paper=papers.LP, builds_tree=True)(
        "the pagelet with most text: largest element without a child rich in links (from memory)"
    ),
    _method("lsi", "tree.baselines", "TreeOptions", fidelity=_REBUILT, paper=papers.LSI, builds_tree=True)(
        "the subtree with most text beyond the mean of its children (from memory)"
    ),
    _method("fe", "tree.fe", "FeOptions", fidelity=_REBUILT, paper=papers.FE, builds_tree=True)(
        "blocks in which text outweighs links, images, lists, forms and objects (in outline)"
    ),
    _method("kfe", "tree.fe", "KfeOptions", fidelity=_REBUILT, paper=papers.FE, builds_tree=True)(
        "k-means over such blocks, the cluster with most text (in outline)"
    ),
    _method("vips", "vips.vips", "VipsOptions", fidelity=_REBUILT, paper=papers.VIPS, builds_tree=True)(
        "blocks that look whole by place, font and background; those with few links in the main column"
    ),
    _method(
        "crunch", "tree.crunch", "CrunchOptions", fidelity=_REBUILT, paper=papers.CRUNCH, builds_tree=True
    )("filters for lists of links, image links, ads, empty tables; with settings of its authors"),
    _method(
        "combine", "tree.combine", "CombineOptions", fidelity=_REBUILT, paper=papers.COMBINE, builds_tree=True
    )("texts for which several methods vote"),
)
"""All of them, the default first."""
