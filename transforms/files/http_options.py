"""How files are fetched from web servers, and what can go wrong. Light to import."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from cedar.transforms.files.retry import RetryPolicy

COMMON_CRAWL = "https://data.commoncrawl.org/"
COMMON_CRAWL_INDEX = "https://index.commoncrawl.org/"


class FileChangedError(OSError):
    """A file is another than it was when it began to be read."""


class PermanentHttpError(OSError):
    """The request failed, and retrying will not help."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """How fast a host may be asked at most: requests a second, and connections at a time."""

    requests_per_second: float = 2.0
    connections: int = 10


@dataclass(frozen=True, slots=True)
class WebOptions:
    """How files are fetched; pickles.

    Attributes:
        limits: how fast a host is asked at most, over all processes of a run.
        contact: how the user may be reached, for the operators of a server; "" = not told.
        crawl_root: where the files of Common Crawl are: an URL, a URI or a directory. Ends in a slash.
        timeouts: seconds until a connection must be there, and between two pieces of a body.
    """

    limits: RateLimits = field(default_factory=RateLimits)
    contact: str = ""
    crawl_root: str = COMMON_CRAWL
    retry_policy: RetryPolicy = field(default_factory=RetryPolicy)
    timeouts: tuple[float, float] = (15.0, 60.0)
    offline: bool = False

    def place_of(self, source: str) -> str:
        """Return where a source is read: files of Common Crawl below the root, others where they say."""
        if source.startswith(COMMON_CRAWL):
            return self.crawl_root + source.removeprefix(COMMON_CRAWL)
        return source

    def is_patient(self, url: str) -> bool:
        """Tell whether a refusal (403) of a URL says that requests come too fast: so a crawl's root does."""
        return url.startswith((COMMON_CRAWL, COMMON_CRAWL_INDEX, self.crawl_root))


def is_web(path: str) -> bool:
    """Tell whether `path` is a URL of http or https."""
    return path.partition("://")[0].lower() in ("http", "https") and "://" in path


def check_url(url: str) -> None:
    """Raise PermanentHttpError for a URL that is not valid, or has a user name or a password."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise PermanentHttpError(f"not a valid URL: {url!r} ({error})") from error
    if parts.scheme not in ("http", "https") or not host:
        raise PermanentHttpError(f"not a valid URL: {url!r} (write it as https://host/path)")
    if parts.username is not None or parts.password is not None:
        raise PermanentHttpError(
            "a URL with a user name or a password is not taken: they would stand in every row"
        )
