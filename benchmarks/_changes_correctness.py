"""A thousand pages over six rounds: what is told of what really changed, and of what did not.

Eight sites in seven languages and as many layouts hold articles, things for sale, tables, plain text, and lists of records. Between two rounds
some pages really change: a word, a sentence, a paragraph, a title, a price, a year, an attribute, a record. Others only differ: counters,
clocks, tokens (in the text, in hidden fields, in addresses), lists in another order, advertisements; or come cut, as errors, or as "not found" with status 200.
Noise belongs to a part of a site's pages, as it does in life; some pages are the only ones of theirs that have it. Real changes also
happen on pages with noise, next to it, and while a page cannot be had: then they are due at the next look that brings it.

A change counts as found only if it is told at the first look that could show it, and with the right words.

    python -m benchmarks._changes_correctness [seed ...]
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from random import Random
from typing import TYPE_CHECKING

from hiddenweb.model import HttpQuery
from hiddenweb.revisit.comparison import (
    ComparisonState,
    SeenPage,
    SoftNotFoundTexts,
    compare_page,
    is_closed,
    raw_hash,
)
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.revisit import FetchedBody, PageToRead, read_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonOutcome

PAGES, ROUNDS = 1_000, 6
REAL, COUNTING, REORDERED, ADVERTISING, TRUNCATED, REFUSING, SOFT_404 = 50, 50, 50, 50, 20, 20, 10
DAY = 86_400.0
_START = 1_790_000_000.0

_WORDS = {
    "en": ["river", "stone", "garden", "market", "window", "letter", "winter", "harbour", "silver", "bridge", "morning", "castle", "forest", "story", "paper", "island", "music", "train", "village", "ocean", "glass", "candle", "road", "summer", "kitchen", "teacher", "painter", "mountain", "doctor", "journey", "quiet", "narrow", "bright", "ancient", "small"],
    "de": ["Fluss", "Stein", "Garten", "Markt", "Fenster", "Brief", "Winter", "Hafen", "Silber", "Brücke", "Morgen", "Schloss", "Wald", "Geschichte", "Papier", "Insel", "Musik", "Zug", "Dorf", "Straße", "Sommer", "Küche", "Lehrer", "Maler", "Berg", "Reise", "still", "schmal", "hell", "alt", "klein", "weit", "fern", "kühl", "grün", "tief"],
    "fr": ["rivière", "pierre", "jardin", "marché", "fenêtre", "lettre", "hiver", "port", "argent", "pont", "matin", "château", "forêt", "histoire", "papier", "île", "musique", "train", "village", "route", "été", "cuisine", "maître", "peintre", "montagne", "voyage", "calme", "étroit", "clair", "ancien", "petit", "vaste", "loin", "frais", "vert", "profond"],
    "pl": ["rzeka", "kamień", "ogród", "rynek", "okno", "list", "zima", "port", "srebro", "most", "poranek", "zamek", "las", "historia", "papier", "wyspa", "muzyka", "pociąg", "wieś", "droga", "lato", "kuchnia", "nauczyciel", "malarz", "góra", "podróż", "cichy", "wąski", "jasny", "dawny", "mały", "szeroki", "daleki", "chłodny", "zielony", "głęboki"],
    "ru": ["река", "камень", "сад", "рынок", "окно", "письмо", "зима", "гавань", "серебро", "мост", "утро", "замок", "лес", "история", "бумага", "остров", "музыка", "поезд", "деревня", "дорога", "лето", "кухня", "учитель", "художник", "гора", "поездка", "тихий", "узкий", "светлый", "старый", "малый", "широкий", "дальний", "зелёный", "глубокий"],
    "zh": ["河流", "石头", "花园", "市场", "窗户", "信件", "冬天", "港口", "白银", "桥梁", "早晨", "城堡", "森林", "故事", "纸张", "岛屿", "音乐", "火车", "村庄", "道路", "夏天", "厨房", "老师", "画家", "山峰", "旅行", "安静", "狭窄", "明亮", "古老", "微小", "宽阔", "遥远", "凉爽", "绿色", "深邃"],
    "th": ["แม่น้ำ", "ก้อนหิน", "สวน", "ตลาด", "หน้าต่าง", "จดหมาย", "ฤดูหนาว", "ท่าเรือ", "เงิน", "สะพาน", "เช้า", "ปราสาท", "ป่า", "เรื่องราว", "กระดาษ", "เกาะ", "ดนตรี", "รถไฟ", "หมู่บ้าน", "ถนน", "ครัว", "ครู", "จิตรกร", "ภูเขา", "การเดินทาง", "เงียบ", "แคบ", "สว่าง", "โบราณ", "เล็ก", "กว้าง", "ไกล", "เย็น", "เขียว", "ลึก"],
    "ar": ["نهر", "حجر", "حديقة", "سوق", "نافذة", "رسالة", "شتاء", "ميناء", "فضة", "جسر", "صباح", "قلعة", "غابة", "قصة", "ورقة", "جزيرة", "موسيقى", "قطار", "قرية", "طريق", "صيف", "مطبخ", "معلم", "رسام", "جبل", "رحلة", "هادئ", "ضيق", "مشرق", "قديم", "صغير", "واسع", "بعيد", "بارد", "أخضر", "عميق"],
}  # fmt: skip
_SAYINGS: dict[str, dict[str, str]] = {
    "en": {
        "views": "Viewed {n:,} times", "people": "{n} people are looking at this right now.", "ago": "Last updated {ago}", "online": "Users online",
        "clock": "Page generated on {date} at {time}", "token": "Session {token}", "related": "You may also like", "price": "Price", "author": "Author",
        "year": "Year", "built": "It was built in {n}.", "agos": "just now|{n} minutes ago|an hour ago|{n} hours ago|yesterday",
        "missing": "Page not found", "sorry": "Sorry, the page you are looking for does not exist.",
    },
    "de": {
        "views": "{n} Mal gelesen", "people": "Gerade sehen sich {n} Leute das an.", "ago": "Zuletzt aktualisiert {ago}", "online": "Besucher online",
        "clock": "Erzeugt am {date} um {time} Uhr", "token": "Sitzung {token}", "related": "Das könnte Ihnen gefallen", "price": "Preis", "author": "Autor",
        "year": "Jahr", "built": "Das Haus wurde {n} gebaut.", "agos": "soeben|vor {n} Minuten|vor einer Stunde|vor {n} Stunden|gestern",
        "missing": "Seite nicht gefunden", "sorry": "Diese Seite gibt es nicht mehr.",
    },
    "fr": {
        "views": "Vu {n} fois", "people": "{n} personnes regardent cette page.", "ago": "Mis à jour {ago}", "online": "Visiteurs en ligne",
        "clock": "Page créée le {date} à {time}", "token": "Session {token}", "related": "À voir aussi", "price": "Prix", "author": "Auteur",
        "year": "Année", "built": "Bâti en {n}.", "agos": "à l'instant|il y a {n} minutes|il y a une heure|il y a {n} heures|hier",
        "missing": "Page introuvable", "sorry": "La page demandée n'existe pas.",
    },
    "pl": {
        "views": "Wyświetlono {n} razy", "people": "Tę stronę ogląda teraz {n} osób.", "ago": "Ostatnia zmiana {ago}", "online": "Gości",
        "clock": "Strona z dnia {date}, godz. {time}", "token": "Sesja {token}", "related": "Zobacz też", "price": "Cena", "author": "Autor",
        "year": "Rok", "built": "Zbudowano w {n} roku.", "agos": "przed chwilą|{n} minut temu|godzinę temu|{n} godzin temu|wczoraj",
        "missing": "Nie znaleziono strony", "sorry": "Strona nie istnieje.",
    },
    "ru": {
        "views": "Просмотров: {n}", "people": "Сейчас смотрят {n} человек.", "ago": "Обновлено {ago}", "online": "Сейчас на сайте",
        "clock": "Создано {date} в {time}", "token": "Сеанс {token}", "related": "Смотрите также", "price": "Цена", "author": "Автор",
        "year": "Год", "built": "Построено в {n} году.", "agos": "только что|{n} минут назад|час назад|{n} часов назад|вчера",
        "missing": "Страница не найдена", "sorry": "Такой страницы нет.",
    },
    "zh": {
        "views": "浏览{n}次", "people": "现在有{n}人正在看。", "ago": "更新时间：{ago}", "online": "在线人数",
        "clock": "本页生成于{date} {time}", "token": "会话 {token}", "related": "相关推荐", "price": "价格", "author": "作者",
        "year": "年份", "built": "始建于{n}年。", "agos": "刚刚|{n}分钟前|一小时前|{n}小时前|昨天",
        "missing": "页面不存在", "sorry": "您访问的页面不存在。",
    },
    "th": {
        "views": "เข้าชม {n} ครั้ง", "people": "มี {n} คนกำลังดูอยู่", "ago": "ปรับปรุงล่าสุด {ago}", "online": "ออนไลน์",
        "clock": "สร้างเมื่อ {date} เวลา {time}", "token": "เซสชัน {token}", "related": "เรื่องที่เกี่ยวข้อง", "price": "ราคา", "author": "ผู้เขียน",
        "year": "ปี", "built": "สร้างในปี {n}", "agos": "เมื่อสักครู่|{n} นาทีที่แล้ว|หนึ่งชั่วโมงที่แล้ว|{n} ชั่วโมงที่แล้ว|เมื่อวาน",
        "missing": "ไม่พบหน้า", "sorry": "ไม่มีหน้านี้",
    },
    "ar": {
        "views": "شوهد {n} مرة", "people": "يشاهد هذه الصفحة الآن {n} شخصا.", "ago": "آخر تحديث {ago}", "online": "المتصلون",
        "clock": "أنشئت في {date} الساعة {time}", "token": "جلسة {token}", "related": "اقرأ أيضا", "price": "السعر", "author": "المؤلف",
        "year": "السنة", "built": "بني عام {n}.", "agos": "الآن|قبل {n} دقائق|قبل ساعة|قبل {n} ساعات|أمس",
        "missing": "الصفحة غير موجودة", "sorry": "هذه الصفحة غير موجودة.",
    },
}  # fmt: skip
_CURRENCY = {
    "en": "£{}",
    "de": "{} €",
    "fr": "{} €",
    "pl": "{} zł",
    "ru": "{} руб.",
    "zh": "¥{}",
    "th": "{} บาท",
    "ar": "$ {}",
}
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_LAYOUTS = ("article", "shop", "table", "plain", "list")


@dataclass
class Entry:
    """A record of a list."""

    number: int
    title: str
    author: str
    year: int
    price: str


@dataclass
class Paper:
    """A page with what it says now."""

    url: str
    language: str
    layout: str
    title: str
    paragraphs: list[list[str]]  # of sentences
    author: str
    year: int
    price: str
    related: list[str]
    entries: list[Entry]
    noise: tuple[str, ...] = ()
    views: int = 0
    ads: tuple[str, ...] = ()  # the pool
    ad_place: str = ""
    ad_link: str = ""  # where advertisements lead; empty: nowhere
    is_reordered: bool = False
    fails: dict[int, str] = field(default_factory=dict)  # by round
    due: list[str] = field(default_factory=list)  # words that a change not yet told must show
    since: int = 0  # the round of the oldest of them


@dataclass(frozen=True)
class Figures:
    """What was told, and what was not."""

    found: int
    missed: tuple[str, ...]
    wrong_words: tuple[str, ...]
    false_alarms: tuple[int, ...]  # by round, from the second on
    alarms: tuple[str, ...]  # false ones from the third round on
    steps: dict[str, int]
    masks: int

    @property
    def late_alarms(self) -> int:
        """False alarms from the third round on."""
        return sum(self.false_alarms[1:])


def simulate(rng: Random, *, pages: int = PAGES, read_notices: bool = True) -> Figures:
    """Crawl the pages six times and say what was told."""
    papers = list(_papers(rng, pages))
    changing = _plan(papers, rng)
    masks, soft_not_found = NoiseMasks(), SoftNotFoundTexts()
    known: dict[str, ComparisonState] = {}
    found, missed, wrong, alarms = 0, [], [], []
    per_round: Counter[int] = Counter()
    steps: Counter[str] = Counter()
    for round_ in range(1, ROUNDS + 1):
        for paper in changing.get(round_, ()):
            paper.due += _really_change(paper, rng)
            paper.since = paper.since or round_
        order = papers[:]
        rng.shuffle(order)
        for number, paper in enumerate(order):
            at = _START + round_ * DAY + number
            outcome = compare_page(
                known.get(paper.url), _fetch_page(paper, round_, at, rng, read_notices), masks, soft_not_found
            )
            known[paper.url] = outcome.known
            steps[outcome.step] += 1
            told = [change for change in outcome.changes if change.kind != "new"]
            where = f"round {round_} {paper.layout} {paper.language} {paper.url} noise={','.join(paper.noise)} {paper.ad_place} {paper.ad_link}"
            if paper.due and round_ not in paper.fails:
                if not told:
                    missed.append(f"{where} {paper.due}: {outcome.step} {outcome.why} {outcome.hidden}")
                elif not _shows(told, paper.due):
                    wrong.append(f"{where} {paper.due}: {told}")
                else:
                    found += 1
                paper.due, paper.since = [], 0
            elif told and not _is_gone(told, paper, round_):
                per_round[round_] += 1
                if round_ > 2:
                    alarms.append(f"{where}: {_briefly(outcome)}")
    missed += [
        f"never shown: {paper.url} {paper.due}" for paper in papers if paper.due and ROUNDS not in paper.fails
    ]
    by_round = tuple(per_round[round_] for round_ in range(2, ROUNDS + 1))
    return Figures(
        found, tuple(missed), tuple(wrong), by_round, tuple(alarms), dict(steps), len(masks.masks())
    )


def _shows(told: list[Change], words: list[str]) -> bool:
    said = " ".join(
        f"{change.before} {change.after} {' '.join(f'{edit.before} {edit.after}' for edit in change.edits)}"
        for change in told
    )
    plain = "".join(said.split())
    return all("".join(word.split()) in plain for word in words)


def _is_gone(told: list[Change], paper: Paper, round_: int) -> bool:
    """Say whether a page that was missing for good is rightly told to be gone."""
    failing = [number for number, kind in paper.fails.items() if kind == "soft-404" and number <= round_]
    return [change.kind for change in told] == ["gone"] and len(failing) >= 3


def _briefly(outcome: ComparisonOutcome) -> str:
    return "; ".join(
        f"{change.kind} {change.edits or (change.before, change.after)}" for change in outcome.changes
    )[:300]


# The pages


def _papers(rng: Random, count: int) -> Iterator[Paper]:
    languages = list(_WORDS)
    for number in range(count):
        language = languages[number % len(languages)]
        layout = _LAYOUTS[rng.randrange(len(_LAYOUTS))]
        host = f"{layout}-{language}.example"
        entries = [_entry(language, rng) for _ in range(rng.randint(6, 14))] if layout == "list" else []
        yield Paper(
            f"https://{host}/{layout}/{number}.html",
            language,
            layout,
            _phrase(language, rng, 3),
            [[_sentence(language, rng) for _ in range(rng.randint(2, 5))] for _ in range(rng.randint(2, 5))],
            _phrase(language, rng, 2),
            rng.randint(1800, 2024),
            _price(language, rng),
            [_phrase(language, rng, 3) for _ in range(6)],
            entries,
            views=rng.randint(10, 90_000),
        )


def _plan(papers: list[Paper], rng: Random) -> dict[int, list[Paper]]:
    """Give pages their noise, their failures and the rounds in which they really change."""
    by_template: dict[tuple[str, str], list[Paper]] = {}
    for paper in papers:
        by_template.setdefault((paper.language, paper.layout), []).append(paper)
    scale = len(papers) / PAGES
    groups = [group for group in by_template.values() if group[0].layout != "list"]
    rng.shuffle(groups)
    noisy = _noisy(groups, round(COUNTING * scale), rng, _make_counting)
    noisy += _noisy(groups[len(groups) // 2 :], round(ADVERTISING * scale), rng, _make_advertising)
    lists = [paper for paper in papers if paper.layout == "list"]
    shops = [paper for paper in papers if paper.layout == "shop" and paper not in noisy]
    reordered = rng.sample(lists, round(REORDERED * scale * 0.7)) + rng.sample(
        shops, round(REORDERED * scale * 0.3)
    )
    for paper in reordered:
        paper.is_reordered = True
    quiet = [paper for paper in papers if paper not in noisy and not paper.is_reordered]
    rng.shuffle(quiet)
    kinds = [("truncated", TRUNCATED), ("503", REFUSING), ("soft-404", SOFT_404)]
    failing: list[Paper] = []
    for kind, number in kinds:
        for _ in range(round(number * scale)):
            failing.append(quiet.pop())
            _make_failing(failing[-1], kind, rng)
    calm = rng.sample(quiet, round(REAL * scale * 0.5))
    chosen = (
        calm
        + rng.sample(noisy, round(REAL * scale * 0.3))
        + rng.sample(reordered, round(REAL * scale * 0.16))
    )
    chosen += rng.sample(
        [paper for paper in failing if "soft-404" not in paper.fails.values()],
        round(REAL * scale) - len(chosen),
    )
    rng.shuffle(chosen)
    changing: dict[int, list[Paper]] = {}
    for number, paper in enumerate(chosen):
        changing.setdefault(2 + number % (ROUNDS - 1), []).append(paper)
    return changing


def _noisy(
    groups: list[list[Paper]], count: int, rng: Random, make: Callable[[list[Paper], Random], None]
) -> list[Paper]:
    """Make pages noisy, some templates as far as half of their pages, and two pages that are alone with it."""
    made: list[Paper] = []
    left = count - 2 if count > 4 else count
    for group in groups:
        calm = [paper for paper in group if not paper.noise and not paper.ads]
        some = rng.sample(calm, min(len(calm) // 2, left, 12))
        if len(some) >= 3 or left <= 3:
            make(some, rng)
            made += some
            left -= len(some)
        if left <= 0:
            break
    lonely = [paper for group in groups[-2:] for paper in group if not paper.noise and not paper.ads]
    for paper in rng.sample(lonely, count - len(made)):
        make([paper], rng)
        made.append(paper)
    return made


_COUNTING_KINDS = (
    "views",
    "views in text",
    "people",
    "ago",
    "online",
    "clock",
    "token",
    "unseen token",
    "date in words",
)


def _make_counting(papers: list[Paper], rng: Random) -> None:
    kinds = tuple(rng.sample(_COUNTING_KINDS, rng.randint(1, 3)))
    for paper in papers:
        paper.noise = kinds


def _make_advertising(papers: list[Paper], rng: Random) -> None:
    language = papers[0].language if papers else "en"
    pool = tuple(f"{_phrase(language, rng, rng.randint(2, 6))}!" for _ in range(rng.randint(5, 30)))
    place = rng.choice(("end", "after heading", "between", "labelled"))
    link = rng.choice(("https://ads.example/", "https://ads.example/", "/go/", ""))
    for paper in papers:
        paper.ads, paper.ad_place, paper.ad_link = pool, place, link


def _make_failing(paper: Paper, kind: str, rng: Random) -> None:
    first = rng.randint(2, ROUNDS)
    stays = kind == "soft-404" and rng.random() < 0.5
    last = ROUNDS if stays else min(first + rng.randint(0, 1), ROUNDS)
    paper.fails = dict.fromkeys(range(first, last + 1), kind)


def _entry(language: str, rng: Random) -> Entry:
    return Entry(
        rng.randrange(10**6),
        _phrase(language, rng, 3),
        _phrase(language, rng, 2),
        rng.randint(1900, 2024),
        _price(language, rng),
    )


def _phrase(language: str, rng: Random, count: int) -> str:
    return _joint(language).join(rng.choice(_WORDS[language]) for _ in range(count)).capitalize()


def _sentence(language: str, rng: Random) -> str:
    stop = {"zh": "。", "th": ""}.get(language, ".")
    number = f"{_joint(language)}{rng.randint(2, 2000)}" if rng.random() < 0.2 else ""
    return f"{_phrase(language, rng, rng.randint(5, 14))}{number}{stop}"


def _joint(language: str) -> str:
    return "" if language in ("zh", "th") else " "


def _price(language: str, rng: Random) -> str:
    return _CURRENCY[language].format(f"{rng.randint(2, 200)}.{rng.randint(0, 99):02}")


# What really changes


def _really_change(paper: Paper, rng: Random) -> list[str]:
    """Change something that a page says; return words that tell of it."""
    if paper.layout == "list":
        return _change_records(paper, rng)
    kinds: list[Callable[[Paper, Random], list[str]]] = [
        _change_word,
        _change_word,
        _add_sentence,
        _drop_paragraph,
        _change_title,
    ]
    if paper.layout in ("shop", "table"):
        kinds += [_change_price, _change_attribute, _change_year]
    return rng.choice(kinds)(paper, rng)


def _change_word(paper: Paper, rng: Random) -> list[str]:
    """Change the last words of the page, those next to any noise, or others."""
    paragraph = paper.paragraphs[rng.choice((-1, -1, 0))]
    at = rng.choice((-1, 0))
    new = _new_word(rng)
    paragraph[at] = (
        f"{new} {paragraph[at]}" if rng.random() < 0.5 else f"{paragraph[at].rstrip('.。')} {new}."
    )
    return [new]


def _add_sentence(paper: Paper, rng: Random) -> list[str]:
    new = f"{_new_word(rng)} {_sentence(paper.language, rng)}"
    rng.choice(paper.paragraphs).append(new)
    return [new.split(maxsplit=1)[0]]


def _drop_paragraph(paper: Paper, rng: Random) -> list[str]:
    dropped = paper.paragraphs.pop(rng.randrange(len(paper.paragraphs)))
    return [dropped[0].rstrip(".。")]


def _change_title(paper: Paper, rng: Random) -> list[str]:
    new = _new_word(rng)
    paper.title = f"{paper.title} {new}"
    return [new]


def _change_price(paper: Paper, rng: Random) -> list[str]:
    paper.price = _CURRENCY[paper.language].format(new := f"{rng.randint(201, 400)}.{rng.randint(0, 99):02}")
    return [new]


def _change_attribute(paper: Paper, rng: Random) -> list[str]:
    paper.author = new = f"{_new_word(rng)} {paper.author}"
    return [new.split(maxsplit=1)[0]]


def _change_year(paper: Paper, rng: Random) -> list[str]:
    paper.year += rng.randint(1, 9)
    return [str(paper.year)]


def _change_records(paper: Paper, rng: Random) -> list[str]:
    kind = rng.choice(("added", "removed", "price", "author"))
    entry = rng.choice(paper.entries)
    if kind == "added":
        new = replace(
            _entry(paper.language, rng), title=f"{_new_word(rng)} {_phrase(paper.language, rng, 2)}"
        )
        paper.entries.insert(rng.randrange(len(paper.entries)), new)
        return [new.title]
    if kind == "removed":
        paper.entries.remove(entry)
        return [entry.title]
    if kind == "price":
        entry.price = _CURRENCY[paper.language].format(
            new_price := f"{rng.randint(201, 400)}.{rng.randint(0, 99):02}"
        )
        return [new_price]
    entry.author = f"{_new_word(rng)} {entry.author}"
    return [entry.author.split()[0]]


def _new_word(rng: Random) -> str:
    return "".join(rng.choice("bdfklmnprstv") + rng.choice("aeiou") for _ in range(4)).capitalize()


# What comes


def _fetch_page(paper: Paper, round_: int, at: float, rng: Random, read_notices: bool) -> SeenPage:
    fails = paper.fails.get(round_, "")
    if fails == "503":
        return SeenPage(paper.url, at, 503)
    html = _missing(paper) if fails == "soft-404" else _html(paper, at, rng)
    body = html.encode()
    if fails == "truncated":
        body = body[: rng.randint(len(body) // 4, len(body) * 3 // 4)]
    is_cut = fails == "truncated" and rng.random() < 0.5  # the others end early, and nobody noticed
    sent = FetchedBody(body, "text/html; charset=utf-8", ("truncated",) if is_cut else ())
    query = HttpQuery(()) if paper.layout == "list" and fails != "soft-404" else None
    read = _read(PageToRead(paper.url, sent, query=query)).now
    assert read is not None
    failed = read.failed if read_notices else ""
    return SeenPage(
        paper.url, at, 200, read.page, raw_hash(body), records=read.records, is_closed=is_closed(body), failed=failed,
        is_missing=bool(failed) and read.is_missing, version=read.version,
    )  # fmt: skip


_read = lru_cache(maxsize=PAGES)(
    read_versions
)  # most pages come as they were, and a crawl does not read those


def _missing(paper: Paper) -> str:
    said = _SAYINGS[paper.language]
    return _document(
        paper.language,
        said["missing"],
        f"<div class=box><h1>{said['missing']}</h1><p>{said['sorry']}</p></div>",
        "",
    )


def _document(language: str, title: str, body: str, token: str) -> str:
    hidden = (
        f'<form action="/find"><input type=hidden name=csrf value="{token}"><input name=q></form>'
        if token
        else ""
    )
    link = f"/?sid={token}" if token else "/"
    return (
        f'<!doctype html><html lang={language}><head><meta charset=utf-8><title>{escape(title)}</title></head><body><nav><a href="{link}">Home</a></nav>'
        f"{hidden}<main>{body}</main><footer><p>© Example</p></footer></body></html>"
    )


def _html(paper: Paper, at: float, rng: Random) -> str:
    token = f"{rng.getrandbits(64):016x}" if "unseen token" in paper.noise else ""
    parts = [f"<h1>{escape(paper.title)}</h1>"]
    ad = _ad(paper, rng)
    if paper.ad_place == "after heading":
        parts.append(ad)
    parts += _layouts()[paper.layout](paper, rng)
    if ad and paper.ad_place == "between":
        parts.insert(1 + len(parts) // 2, ad)
    parts += _noise_of(paper, at, rng)
    if ad and paper.ad_place in ("end", "labelled"):
        parts.append(f"<div class=label>Anzeige</div>{ad}" if paper.ad_place == "labelled" else ad)
    return _document(paper.language, paper.title, "\n".join(parts), token)


def _ad(paper: Paper, rng: Random) -> str:
    if not paper.ads:
        return ""
    text, address = rng.choice(paper.ads), f"{paper.ad_link}{rng.getrandbits(32):x}"
    return (
        f'<div class=promo><a href="{address}">{text}</a></div>'
        if paper.ad_link
        else f"<div class=promo>{text}</div>"
    )


def _layouts() -> dict[str, Callable[[Paper, Random], list[str]]]:
    return {"article": _article, "shop": _shop, "table": _table, "plain": _plain, "list": _list}


def _texts(paper: Paper) -> list[str]:
    joint = "" if paper.language == "zh" else " "
    return [joint.join(paragraph) for paragraph in paper.paragraphs]


def _add_views(paper: Paper, texts: list[str], rng: Random) -> list[str]:
    """Return paragraphs, the last of them with a counter in it."""
    if "views in text" in paper.noise:
        paper.views += rng.randint(1, 300)
        texts[-1] += f" {_SAYINGS[paper.language]['views'].format(n=paper.views)}."
    return texts


def _article(paper: Paper, rng: Random) -> list[str]:
    return [
        f"<p class=by>{paper.author}</p>",
        *(f"<p>{text}</p>" for text in _add_views(paper, _texts(paper), rng)),
    ]


def _shop(paper: Paper, rng: Random) -> list[str]:
    said = _SAYINGS[paper.language]
    related = rng.sample(paper.related, len(paper.related)) if paper.is_reordered else paper.related
    return [
        f"<p class=price><b>{said['price']}</b> {paper.price}</p>",
        f"<dl><dt>{said['author']}</dt><dd>{paper.author}</dd><dt>{said['year']}</dt><dd>{paper.year}</dd></dl>",
        *(f"<p>{text}</p>" for text in _add_views(paper, _texts(paper), rng)),
        f"<h2>{said['related']}</h2><ul>{''.join(f'<li><a href=/r/{n}>{name}</a></li>' for n, name in enumerate(related))}</ul>",
    ]


def _table(paper: Paper, rng: Random) -> list[str]:
    said = _SAYINGS[paper.language]
    rows = ((said["author"], paper.author), (said["year"], paper.year), (said["price"], paper.price))
    return [
        f"<table>{''.join(f'<tr><th>{name}</th><td>{value}</td></tr>' for name, value in rows)}</table>",
        *(f"<div>{text}</div>" for text in _add_views(paper, _texts(paper), rng)),
    ]


def _plain(paper: Paper, rng: Random) -> list[str]:
    return [f"<pre>{paper.author}\n\n" + "\n\n".join(_add_views(paper, _texts(paper), rng)) + "</pre>"]


def _list(paper: Paper, rng: Random) -> list[str]:
    said = _SAYINGS[paper.language]
    entries = rng.sample(paper.entries, len(paper.entries)) if paper.is_reordered else paper.entries
    cards = (
        f"<div class=card><h3><a href=/item/{entry.number}>{entry.title}</a></h3><p>{said['author']}: {entry.author}</p>"
        f"<p>{said['year']}: {entry.year}</p><p>{said['price']}: {entry.price}</p></div>"
        for entry in entries
    )
    return [f"<p>{paper.paragraphs[0][0]}</p>", f"<div class=results>{''.join(cards)}</div>"]


def _noise_of(paper: Paper, at: float, rng: Random) -> Iterator[str]:
    said = _SAYINGS[paper.language]
    day, minute = int(at // DAY), int(at % DAY // 60)
    date, time = (
        f"2026-{day % 12 + 1:02}-{day % 28 + 1:02}",
        f"{minute // 60:02}:{minute % 60:02}:{rng.randrange(60):02}",
    )
    for kind in paper.noise:
        if kind == "views":
            paper.views += rng.randint(1, 300)
            yield f"<p class=views>{said['views'].format(n=paper.views)}</p>"
        elif kind == "people":
            yield f"<p>{said['people'].format(n=rng.randint(2, 400))}</p>"
        elif kind == "ago":
            ago = rng.choice(said["agos"].split("|")).format(n=rng.randint(2, 50))
            yield f"<p><i>{said['ago'].format(ago=ago)}</i></p>"
        elif kind == "online":
            yield f"<dl><dt>{said['online']}</dt><dd>{rng.randint(3, 900)}</dd></dl>"
        elif kind == "clock":
            yield f"<div class=foot>{said['clock'].format(date=date, time=time)}</div>"
        elif kind == "token":
            yield f"<small>{said['token'].format(token=f'{rng.getrandbits(64):016x}')}</small>"
        elif kind == "date in words":
            yield f"<p>{rng.randint(1, 28)} {rng.choice(_MONTHS)} 2026</p>"


def main(seeds: list[int]) -> None:
    for seed in seeds:
        for read_notices in (True, False):
            figures = simulate(Random(seed), read_notices=read_notices)
            print(
                f"seed {seed}, notices {'read' if read_notices else 'not read'}: found {figures.found}, missed {len(figures.missed)}, wrong words "
                f"{len(figures.wrong_words)}, false alarms {figures.false_alarms} in rounds 2 to 6, masks {figures.masks}, {figures.steps}"
            )
            for line in (*figures.missed, *figures.wrong_words, *figures.alarms):
                print("   ", line[:700])


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [1, 2, 3])
