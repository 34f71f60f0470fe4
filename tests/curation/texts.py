"""Texts of the tests, and how hypothesis puts some together."""

from __future__ import annotations

from hypothesis import strategies as st

from cedar.transforms.curation._characters import BULLETS, CLOSERS, TERMINALS

TEXTS = {
    "nothing": "",
    "blanks": " \n\t\n\u00a0\n",
    "prose": (
        "The miller's daughter walked to the weir before breakfast. She wanted to see whether the eels had come.\n"
        'They had not; but a heron stood in the shallows, and that was worth the walk. "Be still," she said!\n'
        "That evening the water rose. Would the bank hold? It had held for sixty years, and it did."
    ),
    "list": "* leeks\n* onions\n– garlic\n● 3 lemons\nRead on...\nAll of it…\n1.2K likes\n  77 Followers!\n4711\nOK",
    "repeats": "Open the gate and let the hens out at six.\n" * 5
    + "Open the gate and let the geese out at seven.",
    "page furniture": (
        "This page uses Cookies to work.\nPlease turn on JavaScript to go on.\nOur privacy policy has changed today.\n"
        "if (a) { b(); }\nLorem Ipsum dolor sit amet.\nRead the [edit] notes[12] here.\nNo end to this line at all\n"
        "Two words.\nHe said 'so.'\nIt trails off at the end...\nThe java[3]script of it all.\nWe use coo\u212aies now."
    ),
    "chinese": "河边的磨坊早已停工。水车还在，只是不再转动！\n老人说：“明年春天再修吧。”他笑了。\n共有12间屋子[3]。",
    "japanese": "祖父は毎朝、灯台まで歩いた。「今日は霧だね」と言った。\nテレビは見ない。",
    "thai": "แม่น้ำสายนี้ไหลผ่านหมู่บ้าน เด็กๆ ว่ายน้ำทุกวัน\n๑๒๓ ครั้ง",
    "hindi": "नदी के किनारे एक चक्की थी। लोग वहाँ आटा पिसवाने आते थे।",
    "russian": "Мельник вышел на рассвете. ВОДА СТОЯЛА НИЗКО…\nСын спросил: «Где угорь?» Никто не знал.",
    "greek": "Ο ΜΥΛΟΣ ΤΗΣ ΘΕΑΣ. Ο μύλος της θέας… ΣΑΣ ΛΕΩ Σ",
    "odd letters": "\u0130stanbul \u01c5 \u2160\u2165 \u24b6 na\u0308ive \u0301 a\u200db\u200c c_d 3.14 \u00b2 \u00bd l'e\u0301te\u0301 \u0345x",
    "long word": "w" * 1001 + " is too long.\n" + "w" * 1000 + " may just stay.",
    "separators": "one\x0btwo\x1cthree\u2028four\x85five\r\nsix",
}

_PIECES = [
    "the", "The", "mill", "eel", "HERON", "eel.", "mill,", "a", "3", "12", "١٢", "๑", "水", "车。", "ไม่", "हाँ", "한국",
    "Σ", "ΣΑΣ", "İ", "ß", "x\u0301", "\u0301", "\u200d", "\u200c", "_", "#", "...", "..", "…", "?!", ".)", "\"", "'", "”",
    "{", "[1]", "[", "]", "[edit]", "[citation needed]", "[citation", "[๑]", "lorem ipsum", "Lorem", "JavaScript",
    "java", "script", "privacy policy", "uses cookies", "coo\u212aies", "use", "of", "terms of use", "9K likes", "views",
    "\u212a", "1.5", "(", ")", "-", "•", "ǅ", "Ⅳ", "Ⓐ", "\u0345", "😀", "w" * 999, "\u1680", "\u2028", "\x1f",
]  # fmt: skip

pieces = st.one_of(
    st.sampled_from(_PIECES), st.sampled_from(BULLETS + CLOSERS + TERMINALS), st.text(max_size=3)
).map(lambda text: text.encode("utf-8", "replace").decode())

texts = st.lists(st.tuples(pieces, st.sampled_from([" ", " ", "", "\n", "\n\n", "\t"])), max_size=60).map(
    lambda parts: "".join(piece + behind for piece, behind in parts)
)
"""Texts in which all that signals look at comes often."""
