"""Sentences of no meaning in some languages, for crawls that a program makes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from random import Random

_SENTENCES, _TITLES = 3000, 500

_WORDS = {
    "en": """the of and a to in is that for it was on are as with they be at one have this from had by but
        what some we out other were all there when up use how said each she which their time will way
        about many then them write would like these long make thing see two look more day could come did
        number sound people over know water than call first who down side been now find work part take
        place made live where after back little round year show every good harbour ferry lantern quarry
        meadow orchard glacier copper timber council""",
    "de": """der die das und ist in den von zu mit nicht ein eine auf für dem des sich auch als aus bei nach
        wird werden wie noch über hat einen oder sind war haben Jahr Stadt Wasser Hafen Mühle Rathaus
        Brücke Straße Menschen Kinder Schule Arbeit gestern heute morgen wieder immer schon lange kleine
        große neue alte kommt geht steht liegt sagt zeigt findet bleibt Winter Sommer Wetter Fluss Berg
        Garten Fenster""",
    "fr": """le la les de des et que dans pour une est un en du qui sur pas plus par avec ce il au son sont
        mais nous comme ou tout fait elle être ville port eau pont moulin marché école jardin fenêtre
        hiver été temps rivière montagne enfants gens travail hier demain toujours encore petit grande
        nouveau vieux vient dit montre trouve reste ouvert fermé longtemps année semaine chemin lumière
        maison""",
    "es": """el la de que y en los las un una por con no se del para es lo como más su al pero sus le ya o
        este sí porque esta entre cuando muy sin sobre ciudad puerto agua puente molino mercado escuela
        jardín ventana invierno verano tiempo río montaña niños gente trabajo ayer mañana siempre
        todavía pequeño grande nuevo viejo viene dice muestra encuentra queda abierto cerrado año semana
        camino casa""",
    "ru": """и в не на что с по как это но из у за от так же для все его был она они мы вы если когда только
        уже город порт вода мост мельница рынок школа сад окно зима лето время река гора дети люди
        работа вчера завтра всегда ещё маленький большой новый старый приходит говорит находит остаётся
        год неделя дорога дом свет""",
    "zh": """的 是 在 和 了 有 我们 他们 这个 一个 城市 港口 河流 桥 市场 学校 花园 窗户 冬天 夏天
        时间 山 孩子 人们 工作 昨天 明天 总是 还 小 大 新 旧 来 说 找到 留下 年 星期 道路
        房子 光 水 磨坊 图书馆 开放 关闭""",
    "ja": """の は が を に で と も から まで です ます した この その 町 港 川 橋 市場 学校 庭
        窓 冬 夏 時間 山 子供 人々 仕事 昨日 明日 いつも まだ 小さい 大きい 新しい 古い 来る
        言う 見つける 年 週 道 家 光 水""",
    "ar": """في من على إلى أن عن التي مع هذا كان المدينة الميناء الماء الجسر السوق المدرسة الحديقة النافذة
        الشتاء الصيف الوقت النهر الجبل الأطفال الناس العمل أمس غدا دائما صغير كبير جديد قديم يأتي يقول
        يجد سنة أسبوع""",
}
_SHARES = {"en": 45, "de": 12, "fr": 10, "es": 10, "ru": 9, "zh": 6, "ja": 5, "ar": 3}


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its share of hosts, and sentences and titles that texts are put together of."""

    code: str
    share: int
    sentences: tuple[str, ...]
    titles: tuple[str, ...]

    def paragraph(self, draw: Random) -> str:
        """Put one to seven sentences together."""
        return ("" if self.code in ("zh", "ja") else " ").join(
            draw.choices(self.sentences, k=draw.randint(1, 7))
        )

    def title(self, draw: Random) -> str:
        """Draw a title."""
        return self.titles[int(draw.random() * len(self.titles))]


@functools.cache
def languages() -> tuple[Language, ...]:
    """Make the languages, the same each time."""
    return tuple(map(_made, _WORDS))


def _made(code: str) -> Language:
    words, draw = _WORDS[code].split(), Random(code)
    blank, stop = ("", "。") if code in ("zh", "ja") else (" ", ".")

    def text(least: int, most: int) -> str:
        made = blank.join(draw.choices(words, k=draw.randint(least, most)))
        return made[:1].upper() + made[1:]

    sentences = tuple(text(6, 28) + stop for _ in range(_SENTENCES))
    return Language(code, _SHARES[code], sentences, tuple(text(1, 6) for _ in range(_TITLES)))
