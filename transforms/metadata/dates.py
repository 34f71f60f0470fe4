"""Dates as pages write them: ISO 8601, numbers, and names of months."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

_NAMES = (
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber maerz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta "
    "lokakuuta marraskuuta joulukuuta",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "január február március április május június július augusztus szeptember október november december",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
    "νοεμβρίου δεκεμβρίου",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "يناير فبراير مارس ابريل مايو يونيه يوليه اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος "
    "νοέμβριος δεκέμβριος",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "जनवरी फ़रवरी मार्च अप्रेल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "जन फ़र मार्च अप्रैल मई जून जुल अग सित अक्तू नव दिस",
    "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.",
)
"""English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Ukrainian, Czech, Swedish,
Danish and Norwegian, Finnish, Turkish, Romanian, Hungarian, Indonesian, Bulgarian, Slovak, Catalan,
Arabic, Hebrew, Greek, Hindi, Thai."""

_SHORT_NAMES = {"mar": 3, "mrt": 3, "čvn": 6, "čvc": 7}
"""Short forms that are no beginning of a month's full name, or the beginning of several."""

_MIN_LETTERS = 3


def _months() -> Mapping[str, int]:
    names = [(name, number) for row in _NAMES for number, name in enumerate(row.split(), start=1)]
    begun: dict[str, set[int]] = {}
    for name, number in names:
        for length in range(_MIN_LETTERS, len(name)):
            begun.setdefault(name[:length].casefold(), set()).add(number)
    shortened = {short: numbers.pop() for short, numbers in begun.items() if len(numbers) == 1}
    return shortened | _SHORT_NAMES | {name.casefold(): number for name, number in names}


MONTHS = _months()
"""The number of a month, from 1, by its name or a beginning of it that no other month has; case-folded."""

_GREGORIAN = r"(?:19|20)\d\d"
_YEAR = r"(?:19\d\d|20\d\d|25[3-9]\d)"
# Vowels of Hindi and Thai are no letters to `re`, and Thai months are shortened with dots.
_WORD = r"(?:[^\W\d_]{3,14}|[\u0900-\u0963]{2,10}|[\u0e01-\u0e4e.]{4,12})"
_DAY = r"[0-3]?\d"
# Names of other zones mean several: EST is of New York and of Melbourne.
_ZONE = r"(Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|UTC|GMT)(?!\w)"
_ISO = re.compile(
    rf"({_GREGORIAN})-?(\d\d)-?(\d\d)(?!\d)"
    rf"(?:(?:T| |, )(\d\d):?(\d\d)(?::?(\d\d)(?:[.,:]\d{{1,9}})?)?(?!\d)(?: ?{_ZONE})?)?",
    re.ASCII,
)
_COMPACT = re.compile(rf"({_GREGORIAN})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?!\d)(?: ?{_ZONE})?", re.ASCII)
_SECONDS = re.compile(r"(1[0-8]\d{8}|[7-9]\d{8})(?:\d{3})?", re.ASCII)
_SHORT = re.compile(rf"({_DAY})[- ]({_WORD})[- ](\d\d)(?!\w)")
_FORMS = {
    "ymd": (
        rf"(?<![\d.])(?P<ymd_y>{_YEAR})(?P<s>[-/.·]| \| ) ?(?P<ymd_m>[01]?\d)(?P=s) ?(?P<ymd_d>{_DAY})(?!\d)"
    ),
    "numbers": (
        rf"(?<![\d.,/-])(?P<numbers_d>{_DAY})(?P<t>[-/.·]| \| ) ?(?P<numbers_m>[01]?\d|[12]\d|3[01])(?P=t) ?"
        rf"(?P<numbers_y>{_YEAR}|\d\d)(?!\d|[.,/:-]\d)"
    ),
    "dmy": (
        rf"(?<!\d)(?P<dmy_d>{_DAY})(?:[.º]|st|nd|rd|th|er)?,?[ -]?(?:de |of |d')?(?P<dmy_m>{_WORD})"
        rf"[.,॰]{{0,2}}[ -]?(?:de |del |[คพ]\.ศ\. ?)?,?(?P<dmy_y>{_YEAR})(?!\d)"
    ),
    "name": rf"(?<!\d)(?P<name_y>{_YEAR})[.,]? (?P<name_m>{_WORD})\.? (?P<name_d>{_DAY})(?!\d)",
    "era": rf"(?P<era_y>\d{{1,3}}) ?年 ?(?P<era_m>[01]?\d) ?月 ?(?P<era_d>{_DAY})(?!\d)",
    "vietnamese": (
        rf"(?<!\d)(?P<vietnamese_d>{_DAY}) tháng (?P<vietnamese_m>[01]?\d)(?: năm |, ?| )"
        rf"(?P<vietnamese_y>{_YEAR})(?!\d)"
    ),
    "signs": (
        rf"(?<!\d)(?P<signs_y>{_YEAR}) ?[年년] ?(?P<signs_m>[01]?\d) ?[月월] ?(?P<signs_d>{_DAY})(?!\d)"
    ),
}
"""How dates that begin with a number are written: year, month and day, numbers or a month's name."""

_WRITTEN = re.compile("|".join(f"(?P<{form}>{pattern})" for form, pattern in _FORMS.items()))
_MONTH_BEFORE = re.compile(rf"({_WORD}+)\.? {{1,2}}\Z")
_AFTER_MONTH = re.compile(
    rf"({_DAY})(?:(?:st|nd|rd|th)?,?|( \d\d:\d\d:\d\d(?: [A-Z]{{3,5}}(?:[+-]\d\d:\d\d)?)?))"
    rf" ({_GREGORIAN})(?!\d)"
)
"""A month's name before a day, and the rest of the date from the day on."""

_ERAS = {"令和": 2018, "平成": 1988, "民國": 1911, "民国": 1911}
"""The years before the first year of Japan's eras, and of the Republic of China."""

_BUDDHIST = 543
"""Years by which the Thai calendar is ahead."""

_NAMES_OF_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
_NAMES_OF_DARI = "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت"
_PERSIAN_MONTHS = f"{_NAMES_OF_PERSIAN} {_NAMES_OF_DARI}".split()
_PERSIAN_LETTERS = {ord("ي"): "ی", ord("ى"): "ی", ord("ك"): "ک"}
"""The letters yeh and kaf, which an Arabic keyboard has in other forms."""
_PERSIAN_YEAR = r"1[34]\d\d"
_PERSIAN = re.compile(
    rf"(?<!\d)(?P<d>{_DAY}) ?(?P<name>{'|'.join(_PERSIAN_MONTHS)}) ?(?:ماه )?,?(?P<y>{_PERSIAN_YEAR})(?!\d)"
)
_PERSIAN_NUMBERS = re.compile(rf"(?<!\d)(?P<y>{_PERSIAN_YEAR})([-/.])(?P<m>[01]?\d)\2(?P<d>{_DAY})(?!\d)")
"""Dates of the Persian calendar."""

_BEFORE_PERSIAN = 356_033
"""Days from the start of the count of Persian years to the first day of ours."""

_OTHER_DIGITS = re.compile("[٠-٩۰-۹०-९০-৯๐-๙０-９]")
_ZEROS = "٠۰०০๐０"
_ASCII_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}

_CLOCK = re.compile(rf",?(?: at| um| à|T)? (\d\d):(\d\d)(?::(\d\d))? {_ZONE}", re.ASCII)
_DIGITS = re.compile(r"\d+")
_BEFORE_DIGIT = 17
"""Characters of a date before its first digit: the name of a month, a dot and two blanks."""

_FIRST = date(1995, 1, 1)

MAX_CHARS = 200
"""Characters of a text that are searched for a date."""


@dataclass(frozen=True, slots=True)
class DateReader:
    """Reads dates of one page, none after `last`.

    `month_first`: whether 3/5/2024 is the fifth of March; `is_persian`: whether 1403/2/14 is a date.
    """

    last: date | None = None
    month_first: bool = False
    is_persian: bool = False

    def declared(self, text: str) -> str | None:
        """Read a date that was written for programs, with its time and offset.

        ISO 8601 comes first, also of 12 or 14 digits; then seconds or milliseconds since 1970, which are
        UTC; then see `marked`.
        """
        text = text[:MAX_CHARS].strip()
        found = _ISO.match(text) or _COMPACT.match(text)
        if found is not None and (day := self.day(found[1], found[2], found[3])):
            return day + _time(found[4], found[5], found[6], offset=found[7])
        if seconds := _SECONDS.fullmatch(text):
            moment = datetime.fromtimestamp(int(seconds[1]), UTC)
            return moment.isoformat() if self._is_possible(moment.date()) else None
        return self.marked(text)

    def marked(self, text: str) -> str | None:
        """Read a text that is said to be a date: see `written`; or a day as in 31-Dec-00."""
        if read := self.written(text):
            return read
        short = _SHORT.search(text[:MAX_CHARS])
        return self.day(_century(short[3]), MONTHS.get(short[2].casefold(), 0), short[1]) if short else None

    def written(self, text: str, within: int = MAX_CHARS) -> str | None:
        """Read the first date in a text, blanks collapsed; its time only where its offset is said, too."""
        text = text[: min(within, MAX_CHARS)]
        if not text.isascii() and _OTHER_DIGITS.search(text):
            text = text.translate(_ASCII_DIGITS)
        if self.is_persian and (read := self._persian(text)):
            return read
        for year, month, day, said, stop in self._readings(text):
            if read := self.day(year, month, day):
                clock = _CLOCK.match(said) or _CLOCK.match(text, stop)
                if clock is None:
                    return read
                hour, minute, second, offset = clock.groups()
                return read + _time(hour, minute, second, offset=offset)
        return None

    def _readings(self, text: str) -> Iterator[tuple[str, str | int, str, str, int]]:
        """Yield the possible dates of a text, the likeliest first: year, month, day, its time, its end."""
        for digits in _DIGITS.finditer(text):
            start = digits.start()
            if text[start - 1 : start] == " " and (found := _AFTER_MONTH.match(text, start)):
                before = _MONTH_BEFORE.search(text, max(start - _BEFORE_DIGIT, 0), start)
                # It may be written together with a word before it: "UpdatedMay 3, 2024".
                word = before[1] if before else ""
                for at in range(len(word) - 1):
                    month = MONTHS.get(word[at:].casefold(), 0)
                    yield found[3], month, found[1], found[2] or "", found.end()
            if found := _WRITTEN.match(text, start):
                form, stop = found.lastgroup, found.end()
                year, written, day = found[f"{form}_y"], found[f"{form}_m"], found[f"{form}_d"]
                if form == "era":
                    era = _ERAS.get(text[max(start - 3, 0) : start].rstrip(" ")[-2:])
                    yield str(int(year) + era) if era else "0", written, day, "", stop
                elif form == "numbers":
                    first, second = (written, day) if self.month_first else (day, written)
                    yield _century(year), second, first, "", stop
                    yield _century(year), first, second, "", stop
                else:
                    is_number = written.isdecimal()
                    yield (
                        _century(year),
                        written if is_number else MONTHS.get(written.casefold(), 0),
                        day,
                        "",
                        stop,
                    )

    def _persian(self, text: str) -> str | None:
        """Read the first date of the Persian calendar in a text."""
        text = text.translate(_PERSIAN_LETTERS)
        found = _PERSIAN.search(text) or _PERSIAN_NUMBERS.search(text)
        if found is None:
            return None
        month = _PERSIAN_MONTHS.index(found["name"]) % 12 + 1 if found.re is _PERSIAN else int(found["m"])
        read = _of_persian(int(found["y"]), month, int(found["d"]))
        return read.isoformat() if read and self._is_possible(read) else None

    def day(self, year: str, month: str | int, day: str) -> str | None:
        """Return a date of three numbers; None if there is no such day, or it is outside of the bounds."""
        try:
            read = date(int(year), int(month), int(day))
        except ValueError:
            return None
        return read.isoformat() if self._is_possible(read) else None

    def _is_possible(self, day: date) -> bool:
        return day >= _FIRST and (self.last is None or day <= self.last)


def _of_persian(year: int, month: int, day: int) -> date | None:
    """Return a day of the Persian calendar, with a cycle of 33 years; None if its month is shorter."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month < 7 else 30)):
        return None
    months = (month - 1) * 31 if month < 7 else (month - 7) * 30 + 186
    cycle, rest = divmod(year + 1595, 33)
    is_leap = rest % 4 == 0 and rest != 32
    if (month, day) == (12, 30) and not is_leap:
        return None
    return date.fromordinal(
        365 * (year + 1595) + 8 * cycle + (rest + 3) // 4 + months + day - _BEFORE_PERSIAN
    )


def _century(year: str) -> str:
    """Return a year of four digits of our calendar; two digits are the first such year from `_FIRST` on."""
    if len(year) == 4:
        return str(int(year) - _BUDDHIST) if year >= "25" else year
    return f"{19 if int(year) >= _FIRST.year % 100 else 20}{year}"


def _time(hour: str | None, minute: str | None, second: str | None, *, offset: str | None) -> str:
    """Return the time of a date as ISO 8601 writes it, from the `T` on; "" if it has none."""
    if hour is None or minute is None or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    written = f"T{hour}:{minute}:{second or '00'}"
    if offset is None:
        return written
    digits = offset.removeprefix("UTC").removeprefix("GMT").removeprefix("Z")
    sign, digits = digits[:1] or "+", digits[1:].replace(":", "").ljust(4, "0")
    if int(digits[:2]) > 14 or int(digits[2:]) > 59:
        return written
    return f"{written}{sign}{digits[:2]}:{digits[2:]}"
