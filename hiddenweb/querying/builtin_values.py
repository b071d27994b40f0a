"""The built-in values by type of control: countries, languages, months, years, dates, postcodes ...

Names come from the Unicode CLDR (`categories.toml`, written by `scripts/write-categories`), in fourteen languages; a page in
another language gets English ones. They are ordered, likeliest first. Years, dates and numbers are computed from a given day
and from the limits of the control. Postcodes are those of the centres of large cities, ISBNs those of
well-known books: all of them are public. There are no values for anything personal.
"""

from __future__ import annotations

import tomllib
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from hiddenweb.forms.value_limits import parse_number, step_of
from hiddenweb.language.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.forms.field_types import FieldType
    from hiddenweb.model import Field

MOST_YEARS = 60
"""Years for a control that takes a year, counted back from today; a limit of taste."""

MOST_NUMBERS = 12
"""Numbers for a control with a range, spread over it; a limit of taste."""

EARLIEST = 1900
"""The first year of ranges of dates without a limit of their own; a limit of taste, few databases reach further back."""

_NAMED = frozenset({"country", "language", "currency", "month", "weekday"})
_DAYS_AGO = (0, 1, 7, 30, 90, 365, 730, 1826, 3652)
_PRICES = (0, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000)
_COUNTS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1_000, 10_000, 100_000)


def built_in(wanted: FieldType, field: Field, language: str, today: date) -> tuple[str, ...]:
    """Return the values for a type, likeliest first; they need not fit the control."""
    match wanted.name:
        case "year":
            return tuple(str(today.year - back) for back in range(MOST_YEARS))
        case "month":
            return (*(str(number) for number in range(1, 13)), *_names("month", language))
        case "day":
            return tuple(str(number) for number in range(1, 32))
        case "date" | "datetime" | "week" | "month of a year":
            return tuple(dict.fromkeys(_dates(wanted.format or "%Y-%m-%d", today)))
        case "time":
            return tuple(f"{hour:02}:00" for hour in (12, 9, 18, 0, 6, 15, 21))
        case "number" | "price":
            return tuple(_numbers(field, _PRICES if wanted.name == "price" else _COUNTS))
        case "colour code":
            return ("#000000", "#ffffff", "#ff0000", "#00ff00", "#0000ff", "#ffff00")
        case "isbn":
            return (*ISBNS, *map(isbn10, ISBNS))
    if wanted.name in _NAMED:
        return _names(wanted.name, language)
    return _listed(wanted.name, language)


def categories(language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names of the categories that are lists, with their values in a language."""
    for name in sorted(_NAMED | _LISTS.keys()):
        yield name, _names(name, language) if name in _NAMED else _listed(name, language)


def category_of(texts: Iterable[str]) -> str:
    """Return the category of most of some values, in any language; empty if there is none."""
    by_name = _folded_names()
    counts: dict[str, int] = {}
    number = 0
    for text in texts:
        number += 1
        for category in by_name.get(fold(text).strip(), ()):
            counts[category] = counts.get(category, 0) + 1
    best = max(counts, key=lambda name: (counts[name], name), default="")
    return best if best and number >= 4 and counts[best] >= 0.6 * number else ""


def isbn10(isbn13: str) -> str:
    """Return the older form of an ISBN that begins with 978.

    >>> isbn10("9780131103627")
    '0131103628'
    """
    body = isbn13[3:12]
    check = -sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), body, strict=True)) % 11
    return body + ("X" if check == 10 else str(check))


def format_date(day: date, pattern: str) -> str:
    """Return a day in the format of a control; a time of day is noon."""
    return day.strftime(pattern.replace("%H", "12").replace("%M", "00"))


def _dates(pattern: str, today: date) -> Iterator[str]:
    for ago in _DAYS_AGO:
        yield format_date(today - timedelta(days=ago), pattern)


def _numbers(field: Field, usual: tuple[int, ...]) -> Iterator[str]:
    """Yield numbers of a range, evenly spread; if an end is missing, usual numbers within the limits."""
    low, high, step = parse_number(field.minimum), parse_number(field.maximum), step_of(field)
    if low is None or high is None:
        for number in usual:
            if (low is None or number >= low) and (high is None or number <= high):
                yield str(number)
        if low is not None:
            yield as_text(low)
        elif high is not None:
            yield as_text(high)
        return
    steps = int((high - low) / step) if high >= low else 0
    places = (
        range(steps + 1)
        if steps < MOST_NUMBERS
        else (round(steps * at / (MOST_NUMBERS - 1)) for at in range(MOST_NUMBERS))
    )
    yield from dict.fromkeys(as_text(low + place * step) for place in places)


def as_text(number: float) -> str:
    """Return a number as people type it.

    >>> as_text(5.0), as_text(0.1 + 0.2)
    ('5', '0.3')
    """
    return str(int(number)) if number == int(number) else f"{number:.6f}".rstrip("0")


@cache
def _data() -> dict[str, dict[str, str]]:
    text = files("hiddenweb.querying").joinpath("categories.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _names(category: str, language: str) -> tuple[str, ...]:
    table = _data()[category]
    names = table.get(language, table["en"]).split("|")
    return tuple(dict.fromkeys([*table.get("codes", "").split("|"), *names] if "codes" in table else names))


@cache
def _folded_names() -> dict[str, tuple[str, ...]]:
    """Return the categories of every known name, in all languages."""
    by_name: dict[str, set[str]] = {}
    for category, table in _data().items():
        for names in table.values():
            for name in names.split("|"):
                by_name.setdefault(fold(name), set()).add(category)
    for category, table in _LISTS.items():
        for names in table.values():
            for name in names.split("|"):
                by_name.setdefault(fold(name), set()).add(category)
    return {name: tuple(sorted(found)) for name, found in by_name.items()}


def _listed(category: str, language: str) -> tuple[str, ...]:
    table = _LISTS.get(category, {})
    names = table.get(language) or table.get("en", "")
    return tuple(names.split("|")) if names else ()


ISBNS = ("9780141439518", "9780743273565", "9780451524935", "9780061120084", "9780316769488", "9780131103627")
"""Well-known books: Pride and Prejudice, The Great Gatsby, 1984, To Kill a Mockingbird, The Catcher in the Rye, The C Language."""

_LISTS = {
    "issn": {"en": "0028-0836|0036-8075|0140-6736|0261-3077"},
    "zip": {
        "en": "10001|90210|60601|77002|94103|02108|33101|98101|20001|30303|SW1A 1AA|M1 1AE|EH1 1YZ|2000|M5V 2T6",
        "de": "10115|80331|20095|50667|60311|70173|01067|1010|8001",
        "fr": "75001|69001|13001|31000|33000|59000|1000|1201",
        "es": "28001|08001|41001|46001|29001|48001",
        "it": "00118|20121|80121|10121|50122|40121",
        "pt": "1000-001|4000-001|01001-000|20010-000",
        "nl": "1012 JS|3011 AA|2511 BT|3511 AA|1000",
        "pl": "00-001|30-001|50-001|60-001|80-001",
        "tr": "34000|06000|35000|16000|07000",
        "ru": "101000|190000|630000|620000|420000",
        "ar": "11511|11564|21131|10001",
        "zh": "100000|200000|510000|518000|610000",
        "ja": "100-0001|530-0001|460-0008|810-0001|060-0001",
        "th": "10100|50000|83000|30000|90110",
    },
    "colour": {
        "en": "black|white|red|blue|green|grey|silver|yellow|brown|orange|pink|purple|gold|beige",
        "de": "schwarz|weiß|rot|blau|grün|grau|silber|gelb|braun|orange|rosa|lila|gold|beige",
        "fr": "noir|blanc|rouge|bleu|vert|gris|argent|jaune|marron|orange|rose|violet|or|beige",
        "es": "negro|blanco|rojo|azul|verde|gris|plata|amarillo|marrón|naranja|rosa|morado|dorado|beige",
        "it": "nero|bianco|rosso|blu|verde|grigio|argento|giallo|marrone|arancione|rosa|viola|oro|beige",
        "pt": "preto|branco|vermelho|azul|verde|cinza|prata|amarelo|marrom|laranja|rosa|roxo|dourado|bege",
        "nl": "zwart|wit|rood|blauw|groen|grijs|zilver|geel|bruin|oranje|roze|paars|goud|beige",
        "pl": "czarny|biały|czerwony|niebieski|zielony|szary|srebrny|żółty|brązowy|pomarańczowy|różowy|fioletowy|złoty|beżowy",
        "tr": "siyah|beyaz|kırmızı|mavi|yeşil|gri|gümüş|sarı|kahverengi|turuncu|pembe|mor|altın|bej",
        "ru": "чёрный|белый|красный|синий|зелёный|серый|серебристый|жёлтый|коричневый|оранжевый|розовый|фиолетовый|бежевый",
        "ar": "أسود|أبيض|أحمر|أزرق|أخضر|رمادي|فضي|أصفر|بني|برتقالي|وردي|بنفسجي|ذهبي|بيج",
        "zh": "黑色|白色|红色|蓝色|绿色|灰色|银色|黄色|棕色|橙色|粉色|紫色|金色|米色",
        "ja": "黒|白|赤|青|緑|グレー|シルバー|黄色|茶色|オレンジ|ピンク|紫|ゴールド|ベージュ",
        "th": "ดำ|ขาว|แดง|น้ำเงิน|เขียว|เทา|เงิน|เหลือง|น้ำตาล|ส้ม|ชมพู|ม่วง|ทอง",
    },
    "state": {
        "en": "California|Texas|Florida|New York|Pennsylvania|Illinois|Ohio|Georgia|North Carolina|Michigan|New Jersey|Virginia|"
        "Washington|Arizona|Massachusetts|Tennessee|Indiana|Missouri|Maryland|Wisconsin|Colorado|Minnesota|South Carolina|"
        "Alabama|Louisiana|Kentucky|Oregon|Oklahoma|Connecticut|Utah|Iowa|Nevada|Arkansas|Mississippi|Kansas|New Mexico|"
        "Nebraska|Idaho|West Virginia|Hawaii|New Hampshire|Maine|Montana|Rhode Island|Delaware|South Dakota|North Dakota|"
        "Alaska|Vermont|Wyoming|CA|TX|FL|NY|PA|IL|OH|GA|NC|MI|NJ|VA|WA|AZ|MA|TN|IN|MO|MD|WI|CO|MN|SC|AL|LA|KY|OR|OK|CT|UT|IA|NV|"
        "AR|MS|KS|NM|NE|ID|WV|HI|NH|ME|MT|RI|DE|SD|ND|AK|VT|WY",
        "de": "Nordrhein-Westfalen|Bayern|Baden-Württemberg|Niedersachsen|Hessen|Rheinland-Pfalz|Sachsen|Berlin|"
        "Schleswig-Holstein|Brandenburg|Sachsen-Anhalt|Thüringen|Hamburg|Mecklenburg-Vorpommern|Saarland|Bremen",
    },
    "city": {
        "en": "London|New York|Los Angeles|Chicago|Toronto|Sydney|Paris|Berlin|Tokyo|San Francisco|Boston|Seattle|Houston|Dublin|"
        "Manchester|Edinburgh|Melbourne|Singapore|Rome|Madrid",
        "de": "Berlin|Hamburg|München|Köln|Frankfurt|Stuttgart|Düsseldorf|Leipzig|Dresden|Hannover|Nürnberg|Wien|Zürich|Bremen",
        "fr": "Paris|Lyon|Marseille|Toulouse|Nice|Nantes|Bordeaux|Lille|Strasbourg|Montpellier|Rennes|Bruxelles|Genève|Montréal",
        "es": "Madrid|Barcelona|Valencia|Sevilla|Zaragoza|Málaga|Bilbao|Ciudad de México|Buenos Aires|Bogotá|Lima|Santiago",
        "it": "Roma|Milano|Napoli|Torino|Palermo|Genova|Bologna|Firenze|Bari|Catania|Venezia|Verona",
        "pt": "Lisboa|Porto|São Paulo|Rio de Janeiro|Brasília|Salvador|Belo Horizonte|Curitiba|Coimbra|Braga",
        "nl": "Amsterdam|Rotterdam|Den Haag|Utrecht|Eindhoven|Groningen|Antwerpen|Gent|Brussel|Tilburg",
        "pl": "Warszawa|Kraków|Łódź|Wrocław|Poznań|Gdańsk|Szczecin|Lublin|Katowice|Białystok",
        "tr": "İstanbul|Ankara|İzmir|Bursa|Antalya|Adana|Konya|Gaziantep|Kayseri|Mersin",
        "ru": "Москва|Санкт-Петербург|Новосибирск|Екатеринбург|Казань|Нижний Новгород|Самара|Омск|Ростов-на-Дону|Уфа",
        "ar": "القاهرة|الرياض|دبي|جدة|الإسكندرية|بغداد|عمان|بيروت|الدار البيضاء|أبو ظبي",
        "zh": "北京|上海|广州|深圳|成都|杭州|武汉|西安|重庆|南京",
        "ja": "東京|大阪|名古屋|横浜|京都|札幌|福岡|神戸|仙台|広島",
        "th": "กรุงเทพ|เชียงใหม่|ภูเก็ต|พัทยา|ขอนแก่น|นครราชสีมา|หาดใหญ่|อุดรธานี",
    },
}  # fmt: skip
