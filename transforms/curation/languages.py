"""Codes of languages, and the scripts that they are written in.

Labels of language models are brought to ISO 639-3; codes of macrolanguages stay as the models have them (zho,
ara, msa). The codes are from the standard (https://iso639-3.sil.org), the scripts from ISO 15924.
"""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

_PAIRS = """
aa:aar ab:abk af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul
bh:bih bi:bis bm:bam bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu
cv:chv cy:cym da:dan de:deu dv:div dz:dzo ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas
ff:ful fi:fin fj:fij fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb
hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido
is:isl it:ita iu:iku ja:jpn jv:jav ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor
kr:kau ks:kas ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub
lv:lav mg:mlg mh:mah mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde
ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan
pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus rw:kin sa:san sc:srd sd:snd se:sme
sg:sag sh:hbs si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot su:sun sv:swe
sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi
ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha
zh:zho zu:zul
alb:sqi arm:hye baq:eus bur:mya chi:zho cze:ces dut:nld fre:fra geo:kat ger:deu gre:ell ice:isl mac:mkd
mao:mri may:msa per:fas rum:ron slo:slk tib:bod wel:cym
"""

ISO_639_3: Mapping[str, str] = dict(pair.split(":") for pair in _PAIRS.split())
"""ISO 639-3 codes by codes of ISO 639-1, by `sh`, which was one, and by codes of ISO 639-2/B that differ."""

_OWN_LABELS: Mapping[str, str] = {"als": "gsw"}
"""Codes of Wikipedia's languages that differ from ISO 639-3."""

PARTNERS: Mapping[str, str] = {
    "zho": "cmn", "ara": "arb", "nor": "nob", "est": "ekk", "lav": "lvs", "msa": "zsm", "sqi": "als",
    "aze": "azj", "nep": "npi",
}  # fmt: skip
"""Macrolanguages that labels name, and the language of each in which nearly all its texts are written."""

GROUPS: Mapping[str, str] = {partner: group for group, partner in PARTNERS.items()}
"""The code of the group by the code of the one language."""

_ONLY_IN = """
Latn afr cat ces cym dan deu eng epo est eus fao fin fra fry gle glg hat hun ind isl ita lat lav
  lit ltz mlg mlt mri nld nno nob nor oci pol por roh ron slk slv som spa sqi swe tgl tur vie xho yor zul
Cyrl bak bel bul chv kir mkd rus sah tat ukr
Grek ell Armn hye Geor kat Hebr heb yid Arab ara arz ckb fas pnb pus urd Deva hin mai mar nep san
Beng asm ben Gujr guj Orya ori Taml tam Telu tel Knda kan Mlym mal Sinh sin Thai tha Laoo lao
Tibt bod dzo Mymr mya Khmr khm Ethi amh tir Thaa div Hani wuu yue zho
"""
"""Scripts, each with the languages that are written in it alone."""

_SCRIPTS: Mapping[str, frozenset[str]] = {
    **{
        language: frozenset((script,))
        for script, languages in re.findall(r"([A-Z]\w+)((?:\s+[a-z]+)+)", _ONLY_IN)
        for language in languages.split()
    },
    "jpn": frozenset(("Jpan", "Hani")),
    "kor": frozenset(("Hang", "Hani")),
}
"""The scripts that a language is written in; languages that may be in any other are not in it."""


@lru_cache(4096)
def iso_639_3(label: str) -> str:
    """Bring a code of ISO 639, perhaps with a script (`zh-Hans`), to ISO 639-3; others stay."""
    code = label.replace("-", "_").partition("_")[0].lower()
    return ISO_639_3.get(code) or _OWN_LABELS.get(label, code)


def language_asked(text: str, codes: Collection[str] = ()) -> str:
    """Bring a code that a user writes to ISO 639-3: of ISO 639-1, 639-2 or 639-3, perhaps with a region.

    Where the `codes` that may be found are given, it is one of them; `cmn` is read as `zho`, which it is a
    part of, where only that is among them. Raises ValueError, which says how to write it, for any other text.
    """
    code = iso_639_3(text)
    if not re.fullmatch("[a-z]{3}", code):
        raise ValueError("write a language by its code in ISO 639, as eng or en")
    if re.search("[-_][A-Za-z]{4}(?![A-Za-z])", text):
        raise ValueError(f"write the language alone, as {code}; language_script has the script of a text")
    if not codes or code in codes:
        return code
    if GROUPS.get(code) in codes:
        return GROUPS[code]
    raise ValueError(f"the model says one of {', '.join(sorted(codes))}")


def is_written_in(language: str, script: str) -> bool:
    """Tell whether a language (ISO 639-3) may be written in a script (ISO 15924), as far as is known."""
    scripts = _SCRIPTS.get(language)
    return scripts is None or script in scripts
