from transforms.extractors.html.characters import Flags, Offsets

def likelihoods(scores: Offsets) -> Offsets:
    """The probabilities of scores, in whole thousandths: int64, as many."""

def choose(scores: Offsets, word_tenths: Offsets, shared: int) -> tuple[Flags, int, float]:
    """The blocks that stay, the score of the least likely of them, and the F1 to expect, as it comes.

    Args:
        scores: int64 (n,), log-odds in ten-thousandths; n is one or more.
        word_tenths: int64 (n,), the words of the blocks.
        shared: how much of the blocks' doubt is one doubt, in thousandths.

    Raises:
        ValueError: scores and words of different blocks, or of none.
    """
