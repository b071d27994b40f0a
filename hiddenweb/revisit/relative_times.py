"""Telling time that passed from something that happened: "3 minutes ago" becomes "an hour ago" by itself.

How long ago something was follows from the clock. Two texts that differ only in such words say the same, unless one of them became younger: "3 months ago"
turns into "just now" because something happened. Units are known by how they begin, in some twenty-five languages; where a unit is not known, or a day has a
name, nothing is said to have happened. Coarse units round: what was "30 hours ago" may be "a day ago" now, so with another unit an age
has to be half of what it was.
"""

from __future__ import annotations

import re

from hiddenweb.revisit.parts import names_weekday, relative_times

_DAY = 86_400.0  # seconds
_UNITS: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (seconds, re.compile(rf"(?:^|(?<=[\W\d_]))(?:{words})"))
    for seconds, words in (
        (604_800.0, "week|wk|(?<=\\d)w(?![^\\W\\d_])|woch|semain|seman|settiman|weken|veck|uker?|uge|ty[dg]|týd|недел|тижд|εβδομ|أسب|أساب|שבוע|สัปดาห์|周|週|주|tuần|minggu|hét|hafta|săptăm|viik"),
        (2_592_000.0, "mon(?:th|at)|mois|mes(?:es|i|e)?(?![^\\W\\d_])|mês|maand|månad|måned|miesi|měsí|месяц|міся|μήν|μην|شهر|أشهر|חודש|เดือน|か月|ヶ月|个月|個月|月|개월|tháng|bulan|hónap|ay(?![^\\W\\d_])|lun[iă]|kuukau"),
        (31_536_000.0, "y(?:ea)?r|(?<=\\d)y(?![^\\W\\d_])|jahr|ans?(?![^\\W\\d_])|ann[ioé]|año|anos?(?![^\\W\\d_])|ani?(?![^\\W\\d_])|jaar|år|rok|let(?![^\\W\\d_])|lat|рік|рок|год|лет|έτ|χρόν|سن|عام|أعوام|שנ[הי]|ปี|年|년|năm|tahun|év|yıl|vuo"),
        (_DAY, "da(?:y|g)|(?<=\\d)d(?![^\\W\\d_])|tag|jour|d[ií]as?|giorn|dn[iíůye]|den|dzie|день|дн[яі]|дней|ημέρ|μέρ|يوم|أيام|יום|יומיים|ימים|วัน|天|日|일|ngày|hari|nap|gün|zile?|päiv"),
        (1.0, "s(?:ec|ek)|(?<=\\d)s(?![^\\W\\d_])|saniy|сек|δευτ|ثان|ثوان|שני(?:ה|ות)|วินาที|秒|초|giây|detik|másod"),
        (60.0, "min|мин|хвил|λεπτ|دقي|دقائ|דק|นาที|分|분|phút|menit|perc|dakika|(?<=\\d)m(?![^\\W\\d_])"),
        (3_600.0, "h(?:ou)?r|(?<=\\d)h(?![^\\W\\d_])|stund|std|heure|horas?|or[aeăi](?![^\\W\\d_])|uur|uren|tim|tunt|godzin|hodin|час|годин|ώρ|ساع|שע|ชั่วโมง|小时|小時|時間|시간|giờ|jam|ór[aá]|saat"),
    )
)  # fmt: skip
_NOW = re.compile(
    r"now|moment|soeben|eben|instant|ahora|agora|poco fa|zojuist|nyss|just nu|lige nu|akkurat nå|juuri|chwilą|právě|только что|щойно|az önce|acum$|τώρα|الآن|עכשיו|vừa|baru"
    r"|刚刚|剛剛|たった今|방금|เมื่อ(?:สักครู่|กี้|ครู่)"
)
_YESTERDAY = re.compile(
    r"yesterday|gestern|hier|ayer|ontem|ieri|gisteren|i ?går|eilen|wczoraj|včera|tegnap|вчера|вчора|dün|χθες|أمس|אתמול|hôm qua|kemarin|昨|어제|เมื่อวาน"
)
_COUNT = re.compile(r"(?:(\d+)\s)?(\d)/(\d)|(\d+(?:[.,]\d+)?)")
_ROUNDED = 0.5  # of an age, which another unit may lose


def only_time_passed(before: str, after: str) -> bool:
    """Say whether two texts differ only in how long ago something was, and no age became less.

    >>> only_time_passed("Lamp, seen 3 minutes ago", "Lamp, seen an hour ago"), only_time_passed("vor 2 Tagen", "vor 5 Minuten")
    (True, False)
    >>> only_time_passed("5 lamps, just now", "6 lamps, 2 minutes ago"), only_time_passed("Opens on Monday", "Opens on Tuesday")
    (False, False)
    """
    old, new = relative_times(before), relative_times(after)
    if not old or len(old) != len(new):
        return False
    if _split_at_times(before, old) != _split_at_times(after, new):
        return False
    pairs = [(before[slice(*was)], after[slice(*now)]) for was, now in zip(old, new, strict=True)]
    return not any(was != now and became_younger(was, now) for was, now in pairs)


def became_younger(before: str, after: str) -> bool:
    """Say whether an age became less than the clock makes it, or one day of the week another: that is a date.

    >>> became_younger("2 months ago", "just now"), became_younger("2 months ago", "3 months ago"), became_younger("12", "11")
    (True, False, False)
    """
    if names_weekday(before) and names_weekday(after):
        return True
    was, is_now = _age(before.casefold()), _age(after.casefold())
    if was is None or is_now is None:
        return False
    (old, old_unit), (new, new_unit) = was, is_now
    return new < (old if old_unit == new_unit else old * _ROUNDED)


def _split_at_times(text: str, times: list[tuple[int, int]]) -> list[str]:
    """Return the pieces of a text between the times that it names."""
    ends = [0, *(end for _, end in times)]
    starts = [*(start for start, _ in times), len(text)]
    return [" ".join(text[end:start].split()) for end, start in zip(ends, starts, strict=True)]


def _age(said: str) -> tuple[float, float] | None:
    """Return how many seconds ago something was, and the seconds of the unit; None if that is not known."""
    if _NOW.search(said):
        return 0.0, 1.0
    if _YESTERDAY.search(said):
        return _DAY, _DAY
    found = [(match.start(), seconds) for seconds, pattern in _UNITS if (match := pattern.search(said))]
    if not found:
        return None
    unit = min(found)[1]  # of "1 week, 2 days" the first
    return _count(said) * unit, unit


def _count(said: str) -> float:
    """Return the first number of a text, also "1 1/2" and "2.5"; 1 if there is none."""
    found = _COUNT.search(said)
    if found is None:
        return 1.0
    whole, part, of, plain = found.groups()
    if plain is not None:
        return float(plain.replace(",", "."))
    return int(whole or 0) + int(part) / max(1, int(of))
