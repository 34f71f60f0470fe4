"""How files are fetched from web servers, and what can go wrong. Light to import."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote_plus, urlsplit

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
class WebConfig:
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


_SIGNATURES = frozenset({"signature", "sig", "x-amz-signature", "x-goog-signature"})
_OF_SIGNATURES = frozenset(
    {"expires", "policy", "key-pair-id", "awsaccesskeyid", "googleaccessid"}
    | {"sv", "sr", "ss", "srt", "sp", "st", "se", "spr", "sip", "skoid", "sktid", "skt", "ske", "sks", "skv"}
)
_SECRET = re.compile(
    r"(?:.*[_.-])?(?:(?<!page[_-])token|jwt|password|passwd|passphrase|pass|pwd|pw|secret|auth|authorization"
    r"|credentials?|session|(?:api|auth|access|secret|private|session|subscription)[_-]?(?:key|id|token))"
    r"|sas|hdnts|hdnea|sid|phpsessid|jsessionid"
)
_OF_PATH = re.compile(r";([^;/=]*)=[^;/]*")
"""A parameter within a path, as `;token=abc`."""

_CREDENTIALS = re.compile(r"[^/?#@:\[\]]*:(?!\d*(?:[/?#]|$))[^@]*@")
"""A user name and a password, which may have a slash, before a host."""


def without_secrets(url: str) -> str:
    """Return a URI without a user name and a password, and without the parts of its query that are secret.

    These are signatures of Amazon, Google, Azure and CloudFront, and parameters that are called token,
    password or the like, of its query or within its path. What is left is the name of the file in rows and
    messages.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    rest = _CREDENTIALS.sub("", rest, count=1) if _CREDENTIALS.match(rest) else rest
    split = re.search(r"[/?#]", rest)
    authority, tail = (rest, "") if split is None else (rest[: split.start()], rest[split.start() :])
    user, at, host = authority.rpartition("@")
    # abfs://container@account/ is no secret
    if at and (":" in user or not scheme.lower().startswith(("abfs", "wasb"))):
        authority = host
    tail, hash_, fragment = tail.partition("#")
    path, mark, query = tail.partition("?")
    path = _OF_PATH.sub(lambda found: "" if _is_secret(_name(found[1]), is_signed=False) else found[0], path)
    parameters = query.split("&")
    is_signed = any(_name(parameter) in _SIGNATURES for parameter in parameters)
    kept = "&".join(one for one in parameters if not _is_secret(_name(one), is_signed=is_signed))
    return f"{scheme}://{authority}{path}{mark and (kept and '?' + kept)}{hash_}{fragment}"


def _name(parameter: str) -> str:
    return unquote_plus(parameter.partition("=")[0]).lower()


def _is_secret(name: str, *, is_signed: bool) -> bool:
    if name.startswith(("x-amz-", "x-goog-")) or name in _SIGNATURES or _SECRET.fullmatch(name):
        return True
    return is_signed and name in _OF_SIGNATURES


_WITH_CREDENTIALS = "a URL with a user name or a password is not taken: they would stand in every row"


def check_url(url: str) -> None:
    """Raise PermanentHttpError for a URL that is not valid, or has a user name or a password."""
    # Asked first: an invalid port may be a piece of a password with a slash.
    if _CREDENTIALS.match(url.partition("://")[2]):
        raise PermanentHttpError(_WITH_CREDENTIALS)
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise PermanentHttpError(f"not a valid URL: {without_secrets(url)!r} ({error})") from error
    if parts.scheme not in ("http", "https") or not host:
        raise PermanentHttpError(f"not a valid URL: {without_secrets(url)!r} (write it as https://host/path)")
    if parts.username is not None or parts.password is not None:
        raise PermanentHttpError(_WITH_CREDENTIALS)


_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,30}):/{1,2}([^\s'\"`<>]*[^\s'\"`<>:;,.)])")
_BARE_CREDENTIALS = re.compile(r"//[^\s/:@]*:[^\s/@]*@")


def with_urls_without_secrets(text: str) -> str:
    """Return a text, such as a message, in which no URL has a secret, even if it has lost a slash."""
    if ":" not in text or "/" not in text:
        return text
    return _BARE_CREDENTIALS.sub("//", _URL.sub(_shown, text))


def _shown(found: re.Match[str]) -> str:
    whole = f"{found[1]}://{found[2]}"
    shown = without_secrets(whole)
    return found[0] if shown == whole else shown
