"""The names of months in the languages whose dates are read."""

from __future__ import annotations

from collections.abc import Mapping

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
    "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος "
    "νοέμβριος δεκέμβριος",
)
"""English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Ukrainian, Czech, Swedish,
Danish and Norwegian, Finnish, Turkish, Romanian, Hungarian, Indonesian, Greek."""

_SHORT = {"mar": 3, "mrt": 3, "čvn": 6, "čvc": 7}
"""Short forms that do not begin a full name, or are those of several months."""

_FEWEST_LETTERS = 3


def _months() -> Mapping[str, int]:
    names = [(name, number) for row in _NAMES for number, name in enumerate(row.split(), start=1)]
    begun: dict[str, set[int]] = {}
    for name, number in names:
        for length in range(_FEWEST_LETTERS, len(name)):
            begun.setdefault(name[:length].casefold(), set()).add(number)
    shortened = {short: numbers.pop() for short, numbers in begun.items() if len(numbers) == 1}
    return shortened | _SHORT | {name.casefold(): number for name, number in names}


MONTHS = _months()
"""The number of a month, from 1, by its name or a beginning of its own, as `str.casefold` writes them."""
