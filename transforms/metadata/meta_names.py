"""The names of `<meta>` that are read, in lower case, each kind with its names in order of trust."""

from collections.abc import Mapping

from cedar.transforms.metadata.opt_outs import METAS


def _in_order(names: str) -> Mapping[str, int]:
    return {name: place for place, name in enumerate(names.split())}


PUBLISHED = _in_order(
    "article:published_time og:article:published_time datepublished article:published og:published_time "
    "published_time article:publicationdate dc.date.issued dc.issued dcterms.issued dcterms.created "
    "dc.date.created dc.date.published citation_publication_date citation_online_date citation_date "
    "prism.publicationdate parsely-pub-date sailthru.date bt:pubdate cxenseparse:recs:publishtime "
    "cxenseparse:publishtime article_date_original originalpublicationdate rnews:datepublished "
    "shareaholic:article_published_time analyticsattributes.articledate vr:published_time "
    "publication_date publication-date publicationdate publish_date publish-date publishdate publish_time "
    "publishtime publish_at published_at published date_published pubdate pub_date article.published "
    "article.created dc.date dcterms.date dc.created datecreated created creation_date date displaydate "
    "dat_publ og:pubdate og:regdate og:release_date uploaddate release_date doc_date pubdate_time posted "
    "firstpublished"
)
MODIFIED = _in_order(
    "article:modified_time og:updated_time datemodified article:modified dcterms.modified "
    "dc.date.modified dc.modified last-modified lastmod lastmodified revision_date modified_time modified "
    "date_modified updated_time"
)
CITED = _in_order("citation_author")
AUTHORS = _in_order(
    "article:author author authors og:author og:article:author dc.creator dcterms.creator dc.contributor "
    "parsely-author sailthru.author byl byline article:byline article_author cxenseparse:author "
    "article:author_name creator"
)
SITES = _in_order("og:site_name application-name twitter:site dc.publisher publisher article:publisher")
RIGHTS = _in_order("dc.rights dcterms.license dcterms.rights")
DESCRIPTIONS = _in_order("og:description description twitter:description dc.description dcterms.description")
OTHERS = _in_order("og:title og:type og:url generator twitter:label1 twitter:data1")

ALL = frozenset(METAS).union(PUBLISHED, MODIFIED, CITED, AUTHORS, SITES, RIGHTS, DESCRIPTIONS, OTHERS)
