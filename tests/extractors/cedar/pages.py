"""Pages for the tests of `cedar`: an article among what stands around articles, in several scripts."""

from __future__ import annotations

SENTENCES = {
    "en": "The old bridge was opened again on Monday, after two years of repair work. ",
    "de": "Die alte Brücke wurde am Montag wieder eröffnet, nach zwei Jahren der Arbeit. ",
    "ru": "Старый мост снова открыли в понедельник, после двух лет ремонта и споров. ",
    "ar": "أعيد فتح الجسر القديم يوم الاثنين، بعد عامين من أعمال الإصلاح الطويلة. ",
    "he": "הגשר הישן נפתח מחדש ביום שני, אחרי שנתיים של עבודות תיקון ארוכות. ",
    "hi": "पुराना पुल सोमवार को फिर से खोला गया, दो साल की मरम्मत के बाद। ",
    "zh": "这座老桥在经过两年的维修之后，于星期一重新开放，市民们都很高兴。",
    "ja": "古い橋は二年間の修理を経て、月曜日に再び開通しました。市民は喜んでいます。",
    "th": "สะพานเก่าเปิดใช้อีกครั้งในวันจันทร์หลังจากการซ่อมแซมเป็นเวลาสองปีเต็ม ",
    "ko": "오래된 다리가 이 년 동안의 수리를 마치고 월요일에 다시 열렸다, 시민들은 기뻐했다. ",
}
"""A sentence in each of some languages."""


def article(language: str, *, styled: bool = True) -> str:
    """An article of six paragraphs between navigation, links and a footer.

    Args:
        language: key of `SENTENCES`.
        styled: whether elements have classes and telling names.
    """
    sentence = SENTENCES[language]
    words = sentence.split() if " " in sentence.strip() else [sentence[i : i + 3] for i in range(0, 24, 3)]
    links = "".join(f"<li><a href='/{i}'>{words[i % len(words)]}</a></li>" for i in range(12))
    paragraphs = "".join(f"<p>{number} {sentence * 4}</p>" for number in range(1, 7))
    nav, side, foot = ("nav", "aside", "footer") if styled else ("div", "div", "div")
    named = ' class="article-body"' if styled else ""
    title = " ".join(words[:4])
    return (
        f"<html lang={language}><head><title>{title}</title>"
        "<script>var leak = 'scriptleak';</script><style>.styleleak{}</style></head><body>"
        f"<{nav}><ul>{links}</ul></{nav}><div><div{named}><h1>{title}</h1>"
        f"{paragraphs}</div><{side}><ul>{links}</ul></{side}></div>"
        f"<{foot}><ul>{links}</ul><p>&copy; 2020 Xyzzy</p></{foot}></body></html>"
    )
