from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets

class Choice:
    kept: Flags
    threshold: float
    confidence: float
    likeliest: int
    tenths: int

def likelihoods(scores: Offsets) -> Offsets: ...
def choose(scores: Offsets, word_tenths: Offsets, *, shared: int, calibration: Floats) -> Choice: ...
