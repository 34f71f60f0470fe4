"""The names of months in the languages whose dates are read."""

from __future__ import annotations

_NAMES = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber maerz apr mai jun jul aug sept okt nov dez",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janv fevrier mars avr mai juin juil aout sept oct nov decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago setiembre oct nov dic",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev marco abr mai jun jul ago set out nov dez",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan feb mrt apr mei jun jul aug sept okt nov dec",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "янв фев мар апр мая июн июл авг сен окт ноя дек",
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
)
"""English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Ukrainian, Czech, Swedish,
Danish and Norwegian, Finnish, Turkish, Romanian, Hungarian, Indonesian, Greek; short forms among them."""

MONTHS = {name.casefold(): number for names in _NAMES for number, name in enumerate(names.split(), start=1)}
"""The number of a month, from 1, by its name as `str.casefold` writes it."""
