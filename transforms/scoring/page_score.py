"""What one extractor made of one gold page, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.scoring.agreement import Agreement


@dataclass(frozen=True, slots=True)
class PageScore:
    """One extractor on one page of a set, in one form (see `variants`).

    Attributes:
        extractor: label of the extractor.
        agreements: by measure, in the order asked for; None where the gold has nothing for the measure.
        failure: why there is no extraction, or None; then everything agrees to 0.
        fallback: the method that stood in, and why, or None.
        cpu_seconds: CPU time of decoding and extracting.
        html_bytes: bytes of the page's form; `html_packed`: deflated.
        text_bytes: bytes of the extraction in UTF-8; `text_packed`: deflated.
        is_bound: whether it is chosen by the gold, and a better choice is not ruled out.
    """

    set: str
    page: str
    url: str | None
    lang: str | None
    page_type: str | None
    variant: str
    extractor: str
    agreements: tuple[Agreement | None, ...]
    failure: str | None
    fallback: str | None
    cpu_seconds: float
    html_bytes: int
    text_bytes: int
    html_packed: int
    text_packed: int
    is_bound: bool = False
