"""How many records a site says it found, and which of them it shows: "1-20 of 8,412".

A range and a total are three numbers close together, in any language and order: the total before the range or behind it, and
between the ends of the range nothing but a dash or a short word. That alone says how many records a page holds, which is evidence for
and against what looks like records. Where there is no range, a number beside a word for results is the total, or one of things that were
found ("16 pages found"). A number of things with any name ("290 books") is the total where it stands on a line of its own and is that of the records shown, or
where it follows the numbers of the pages ("1 2 3 290 books") and fills so many pages. What was asked for is taken out first, since people ask for numbers too.

"More than 50 rows", "1,000+", "über 200" say no total, but that there are as many at least (`at_least`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.answers.notices import without_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import HttpQuery, Page

_FIRST_WORDS = 3000  # characters in which a page says how much it found
_LONGEST_LINE = 160  # characters: what is longer is a text with numbers in it
_NUMBER = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?:[.,\u00a0\u202f'’ ]\d{3})+(?!\d)|\d+")
_ALONE = r"(?<!\d)(?<!\d[-/.])"  # no part of a date, a version or a fraction
_BETWEEN = re.compile(r"\s*(?:[-–—−‐〜～~…]|\.{2,3}|[^\W\d]{1,7}|件?から|件目から)\s*")
_APART = re.compile(r"[^\n]{1,40}")
_PARTS_OF_DATE = re.compile(r"\s*[-/.:]\s*")
_RESULTS = (
    r"(?:(?:results?|hits?|matches|records?|entries|items?|documents?|rows?|articles|products|issues|tickets|messages|threads)\b|"
    r"treffern?|ergebnis\w*|eintr[aä]g\w*|"
    r"résultats?|réponses?|enregistrements?|resultados?|registros?|coincidencias?|risultat\w*|element[oi]|wynik\w*|rezultat\w*|"
    r"rekord\w*|pozycj\w*|sonuç\w*|kayıt\w*|результат\w*|запис\w*|совпадени\w*|документ\w*|نتيجة|نتائج|السجلات|النتائج|"
    r"träff(?:ar)?\b|poster\b|resultat(?:er)?\b|treff\b|tulos\w*|osuma\w*|hakutulo\w*|výsled\w*|záznam\w*|polož\w*|találat\w*|eredmény\w*|rezultāt\w*|tulemus\w*|zadetk\w*|"
    r"αποτελέσμα\w*|εγγραφ\w*|תוצאות|רשומות|نتیجه|مورد|परिणाम|रिकॉर्ड|hasil\b|kết quả|bản ghi|resulta(?:ten|ts)\b|emaitza\w*|"
    r"건|개의|条|條|个结果|項|项|个|件|รายการ|ผลลัพธ์|ระเบียน)"
)
_FOUND = (
    r"(?:found|gefunden|trouvés?|encontrad\w+|trovat\w+|znalezion\w+|bulun\w+|найден\w*|всего|total\w*|insgesamt|gesamt|łącznie|toplam|"
    r"löytyi|yhteensä|hittade|totalt|nalezen\w*|celkem|nájden\w*|spolu|összesen|знайдено|усього|намерени|общо|βρέθηκ\w+|σύνολο|נמצאו|"
    r"یافت|مجموع|कुल|총|검색결과|ditemukan|tìm thấy|tổng|găsit\w*|ukupno|pronađen\w*|skupaj|leiti|atrast\w*|rasta\b|"
    r"共|命中|总计|全|ヒット|พบ|ทั้งหมด|จำนวน|عدد|إجمالي)"
)
_FOUND_THEM = (
    r"(?:found|matched|gefunden|trouvée?s?|encontrad[oa]s?|trovat[aeio]|gevonden|znalezion\w+|bulundu|найден\w*|знайден\w*|hittades|fundet|funnet|"
    r"löytyi|nalezen\w*|găsite?)\b"
)
_MATCHED = r"\bmatched"
_PER_PAGE = r"(?!\s*(?:per|pro|par|por|a|na|på|på hver|/)\s?(?:page|seite|página|pagina|stron\w*|sid[ae]n?|страниц\w*)|\s*(?:on|auf) (?:each|every|jeder) )"
_COUNTED_WORD = re.compile(_RESULTS, re.IGNORECASE)
_COUNTED = re.compile(
    rf"{_ALONE}(?P<before>{_NUMBER.pattern})\+?(?:[^\S\n]*(?:[^\W\d]\w* )?|\s*){_RESULTS}{_PER_PAGE}|"
    rf"{_ALONE}(?P<things>{_NUMBER.pattern})\+?\s+(?:[^\W\d]+ ){{0,2}}{_FOUND_THEM}|"
    rf"{_RESULTS}[^\d\n]{{0,60}}?[:(（：-]\s*(?P<behind>{_NUMBER.pattern})|"
    rf"(?:{_FOUND}[\s:：(（]{{0,3}}|{_MATCHED} )(?P<found>{_NUMBER.pattern})",
    re.IGNORECASE,
)
_MORE_THAN = (
    r"(?:\b(?:more than|over|at least|above|upwards of|exceed(?:s|ing)?|greater than|mehr als|über|mindestens|wenigstens|plus de|au moins|"
    r"más de|mas de|al menos|por lo menos|como mínimo|mais de|pelo menos|più di|oltre|almeno|meer dan|minstens|ponad|więcej niż|co najmniej|przynajmniej|"
    r"en az|fler än|minst|över|mere end|mindst|yli|vähintään|více než|přes|alespoň|nejméně|több mint|legalább|mai mult de|peste|cel puțin|"
    r"более|больше|свыше|не менее|как минимум|понад|більше|щонайменше)|(?:أكثر من|على الأقل|超过|超過|多于|多於|至少|大于|มากกว่า|อย่างน้อย|최소)|[>≥])"
)
_OR_MORE = (
    r"(?:\s?\+(?!\d)|\s?(?:件|条|條|個|个|项|項|개|건)?(?:以上|余り|余|多|이상)|(?:['’]?[dt][ae]n)? fazla\b|\s(?:or|and) more\b|\s(?:oder|und) mehr\b|"
    r"\s(?:ou|et) plus\b|\s[oy] más\b|\sou mais\b|\so più\b|\sof meer\b|\slub więcej\b|\s(?:и|или) более\b|\sหรือมากกว่า)"
)
_FIRST_ONLY = (
    r"(?:\b(?:only|just|limited to|nur|seulement|uniquement|s[oó]lo|solamente|apenas|somente|soltanto|alleen|slechts|tylko|yalnızca|sadece|только|лише|bara|kun|vain|jen|pouze)"
    r"|仅|只|最初の|先頭)(?: [^\W\d]+){0,4}? ?(?:first|ersten|premi[eè]re?s|primer[oa]s|primeir[oa]s|primi|prime|eerste|pierwsz\w+|ilk|перв\w+|перші|första|første|prvních|前)? ?"
)
_BOUND = re.compile(
    rf"{_MORE_THAN}\s?(?P<more>{_NUMBER.pattern})(?![\d.,]*\s?%)|(?P<plus>{_NUMBER.pattern}){_OR_MORE}|{_FIRST_ONLY}(?P<first>{_NUMBER.pattern})",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"(?:(?P<pages>1(?: (?:\d{1,4}|…|\.{2,3}))+) )?(?P<things>\d{1,3}(?:[.,]\d{3})+|\d+) [^\W\d]{3,}(?: [^\W\d]{3,})?"
)


@dataclass(frozen=True, slots=True)
class ShownRange:
    """What a page says of its records: the first and the last of those it shows, and how many there are."""

    first: int
    last: int
    total: int

    @property
    def shown(self) -> int:
        """Return how many records the page shows."""
        return self.last - self.first + 1


def told_range(page: Page, query: HttpQuery, number: int = 1) -> ShownRange | None:
    """Return what page `number` of an answer says of its records, if it tells a range."""
    found = _range_line(page, query, number)
    return found[0] if found else None


def tells_range(text: str, page: Page, query: HttpQuery, number: int = 1) -> bool:
    """Say whether a part of a page has the line in it that tells a range."""
    found = _range_line(page, query, number)
    return found is not None and found[1] in " ".join(without_words(text, query.keyword).split())


def _range_line(page: Page, query: HttpQuery, number: int) -> tuple[ShownRange, str] | None:
    return _range_in(_said(page, query), number)


@lru_cache(maxsize=16)
def _range_in(text: str, number: int) -> tuple[ShownRange, str] | None:
    """Return the range that a text tells, with its line. A page is asked for it several times, on the way to what it is."""
    for line in text.splitlines():
        numbers = list(_numbers(line)) if len(line) <= _LONGEST_LINE else []
        for at in range(len(numbers) - 2):
            for told in _readings(line, numbers[at : at + 3]):
                if (told.first == 1) == (number == 1):
                    return told, " ".join(line.split())
    return None


def total_of(page: Page, query: HttpQuery, count: int, number: int = 1) -> int | None:
    """Return how many records were found in all, as a page with `count` of them says; what is only a bound is no total."""
    total = _total_of(page, query, count, number)
    return None if total is None or total in _bounds(_said(page, query)) else total


def at_least(page: Page, query: HttpQuery, count: int) -> int | None:
    """Return the number of records that there are at least, where a page with `count` of them says no more than that.

    The number is that of the records shown, or stands in a line with a word for results.
    """
    for line in _said(page, query).splitlines():
        for bound in _bounds(line) if len(line) <= _LONGEST_LINE else ():
            if bound == count > 1 or (bound > count and _COUNTED_WORD.search(line)):
                return bound
    return None


@lru_cache(maxsize=16)
def _bounds(text: str) -> tuple[int, ...]:
    return tuple(_value(found["more"] or found["plus"] or found["first"]) for found in _BOUND.finditer(text))


def _total_of(page: Page, query: HttpQuery, count: int, number: int) -> int | None:
    told = told_range(page, query, number)
    if told is not None and abs(told.shown - count) <= max(
        1, count // 10
    ):  # one may be shown apart from the others
        return told.total
    text = _said(page, query)
    for line in text.splitlines():
        numbers = list(_numbers(line)) if len(line) <= _LONGEST_LINE else []
        for at in range(len(numbers) - 2):
            three = numbers[at : at + 3]
            low, high, total = sorted(value for value, _, _ in three)
            is_here = low == 1 if number == 1 else low >= number  # each page before had a record at least
            if is_here and high - low + 1 == count > 1 and not _is_joined(line, three):
                return total
    counted = next((total for total in _counted(text) if total >= count), None)
    return counted if counted is not None else _things(text, count)


def _things(text: str, count: int) -> int | None:
    """Return the number of things of any name that a line gives, if that is the number of records shown or fills as many pages as are listed."""
    for line in text.splitlines() if count > 1 else ():
        found = _THINGS.fullmatch(" ".join(line.split())) if len(line) <= _LONGEST_LINE else None
        if found is None:
            continue
        things, pages = _value(found["things"]), found["pages"]
        last = _value(pages.split()[-1]) if pages else 1
        if (last - 1) * count < things <= last * count and (pages or things == count):
            return things
    return None


def shows_so_many(page: Page, query: HttpQuery, count: int) -> bool:
    """Say whether a page tells that it shows `count` records, of as many or more: "10 of 13 results", "5 matches found"."""
    for line in _said(page, query).splitlines():
        numbers = [value for value, _, _ in _numbers(line)] if len(line) <= _LONGEST_LINE else []
        if len(numbers) == 2 and min(numbers) == count and _COUNTED_WORD.search(line):
            return True
    return total_of(page, query, count) == count


def counts_one(page: Page, query: HttpQuery) -> bool:
    """Say whether a page says that it found one record, and no more."""
    told = told_range(page, query)
    if told is not None:
        return told.total == 1
    return next(_counted(_said(page, query)), 0) == 1


def counts_none(page: Page, query: HttpQuery) -> bool:
    """Say whether a page says that it found 0, and tells no other number of things found."""
    counted = list(_counted(_said(page, query)))
    return bool(counted) and not any(counted)


def _said(page: Page, query: HttpQuery) -> str:
    return without_words(page.text[:_FIRST_WORDS], query.keyword)


def _counted(text: str) -> Iterator[int]:
    for found in _COUNTED.finditer(text):
        yield _value(found["before"] or found["things"] or found["behind"] or found["found"])


def _numbers(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of a text, each with where it begins and ends."""
    for found in _NUMBER.finditer(text):
        yield _value(found[0]), found.start(), found.end()


def _value(number: str) -> int:
    return int(re.sub(r"\D", "", number)[:12])


def _readings(text: str, three: list[tuple[int, int, int]]) -> Iterator[ShownRange]:
    """Yield what three numbers in a row say, the total last or first."""
    (a, _, end_a), (b, start_b, end_b), (c, start_c, _) = three
    first_gap, second_gap = text[end_a:start_b], text[end_b:start_c]
    if 1 <= a <= b <= c and _BETWEEN.fullmatch(first_gap) and _is_apart(second_gap):
        yield ShownRange(a, b, c)
    if 1 <= b <= c <= a and _BETWEEN.fullmatch(second_gap) and _is_apart(first_gap):
        yield ShownRange(b, c, a)


def _is_joined(text: str, three: list[tuple[int, int, int]]) -> bool:
    """Say whether three numbers are one, a version (1.4.22), a date or a time, or the numbers of pages."""
    (_, _, end_a), (_, start_b, end_b), (_, start_c, _) = three
    gap = text[end_a:start_b]
    return gap == text[end_b:start_c] and gap in {".", "-", "/", ":", " "}


def _is_apart(gap: str) -> bool:
    return bool(_APART.fullmatch(gap)) and not _PARTS_OF_DATE.fullmatch(gap)
