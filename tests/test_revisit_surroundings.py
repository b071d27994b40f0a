from __future__ import annotations

from random import Random

import pytest

from hiddenweb.html.document import parse_document
from hiddenweb.revisit.comparison import ComparisonState, SeenPage, SoftNotFoundTexts, compare_page, raw_hash
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.parts import ASIDE, LABELLED
from hiddenweb.revisit.revisit import FetchedBody, PageToRead, read_versions
from hiddenweb.revisit.surroundings import surroundings_of

DAY = 86_400.0
TEXT = "".join(
    f"<p>The {n}th lamp of the house stands in the hall, beside the door and the clock.</p>" for n in range(8)
)


def page(beginning: str, end: str = "") -> str:
    return f"<!doctype html><html lang=en><title>Lamps</title><body><main>{beginning}{TEXT}{end}</main></body></html>"


def report_days(pages: list[str]) -> list[int]:
    """Return the revisits of a page without similar ones that report a change."""
    masks, soft_not_found = NoiseMasks(), SoftNotFoundTexts()
    known: ComparisonState | None = None
    found = []
    for day, html in enumerate(pages):
        body = html.encode()
        read = read_versions(
            PageToRead("https://lamps.example/", FetchedBody(body, "text/html; charset=utf-8"))
        ).now
        assert read is not None
        seen = SeenPage(
            "https://lamps.example/", day * DAY, 200, read.page, raw_hash(body), version=read.version
        )
        outcome = compare_page(known, seen, masks, soft_not_found)
        known = outcome.known
        if any(change.kind != "new" for change in outcome.changes):
            found.append(day)
    return found


def news(day: int, words: int = 5) -> str:
    draw = Random(day)
    return " ".join("".join(draw.choices("bdfgklmnprstaeiou", k=6)) for _ in range(words)).capitalize()


@pytest.mark.parametrize(
    "headline",
    [
        "<h1>{}</h1>",
        "<h2><a href=/news/{day}>{}</a></h2>",
        "<h2><a href=https://other.example/{day}>{}</a></h2>",
        "<div class=top><a href=/news/{day}>{}</a></div>",
        "<p class=lead>{}.</p>",
        "<p><ins>{}.</ins></p>",
        "<div class=promo-story><h3>{}</h3></div>",
        "<div class=ads-list><h2>{}</h2></div>",
        "<dl><dt>Winner</dt><dd>{}</dd></dl>",
        "<table><tr><th>Winner</th><td>{}</td></tr></table>",
        "<p>Price <b>£{day}.50</b></p>",
    ],
)
def test_headline_or_value_that_is_new_at_every_revisit_is_reported_each_time(headline: str) -> None:
    pages = [page(headline.format(news(day), day=day + 10)) for day in range(6)]

    assert report_days(pages) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "noise",
    [
        "<div class='ad-slot'>{}!</div>",
        "<div id=topAds><p>{}!</p><a href=/go/{day}>See more of {}</a></div>",
        "<div class=promo><a href=/go/{day}>{}</a></div>",
        "<ins class=adsbygoogle>{}</ins>",
        "<p>Advertisement</p><div>{}</div>",
        "<p>Anzeige</p><div><a href=/go/{day}>{}</a></div>",
        "<div class=box><a href=https://shop.example/{day}>{}</a></div>",
        "<div class=sponsored><h3>{}</h3><p>{} now!</p><p>Only at {}.</p></div>",
        "<p>Visitors: {day}</p>",
        "<p>Session 7{day}f0c2ab91e4</p>",
    ],
)
def test_advertisement_or_counter_that_is_new_at_every_revisit_is_reported_once(noise: str) -> None:
    pages = [page("<h1>Lamps</h1>", noise.format(*[news(day)] * 3, day=day * 7 + 10)) for day in range(6)]

    assert report_days(pages) == [1]


@pytest.mark.parametrize(
    "when",
    [
        "Updated {}|just now|5 minutes ago|an hour ago|yesterday|Tuesday|3 days ago",
        "Zuletzt geändert {}|soeben|vor 5 Minuten|vor einer Stunde|gestern|Dienstag|vor 3 Tagen",
        "Actualizado {}|ahora mismo|hace 5 minutos|hace una hora|ayer|martes|hace 3 días",
        "Aggiornato {}|poco fa|5 minuti fa|un'ora fa|ieri|martedì|3 giorni fa",
        "Bijgewerkt {}|zojuist|5 minuten geleden|een uur geleden|gisteren|dinsdag|3 dagen geleden",
        "Güncellendi {}|az önce|5 dakika önce|bir saat önce|dün|bugün|3 gün önce",
        "Опубликовано {}|только что|5 минут назад|час назад|вчера|вторник|3 дня назад",
        "更新于{}|刚刚|5分钟前|1小时前|昨天|今天|3天前",
        "更新：{}|たった今|5分前|1時間前|昨日|今日|3日前",
        "업데이트 {}|방금|5분 전|1시간 전|어제|오늘|3일 전",
        "ปรับปรุง {}|เมื่อสักครู่|5 นาทีที่แล้ว|หนึ่งชั่วโมงที่แล้ว|เมื่อวาน|วันนี้|3 วันที่แล้ว",
        "آخر تحديث {}|الآن|منذ 5 دقائق|منذ ساعة|أمس|اليوم|منذ 3 أيام",
    ],
)
def test_time_that_passed_is_never_reported(when: str) -> None:
    text, *times = when.split("|")

    assert report_days([page("<h1>Lamps</h1>", f"<p>{text.format(time)}</p>") for time in times]) == []


def test_main_content_that_is_named_like_advertisements_is_not_aside() -> None:
    content = "".join(
        f"<div class=ad><p>For sale: a lamp of brass, number {n}, hardly used.</p></div>" for n in range(9)
    )

    assert not any(
        path.endswith(ASIDE) for path in surroundings_of(parse_document(content.encode()).nodes).values()
    )


def test_paths_say_where_parts_stand() -> None:
    html = page(
        "<h1>Lamps</h1><dl><dt>Made</dt><dd>by hand</dd></dl>",
        "<div class='ad wide'>Buy <b>now</b></div><div class=end>The end</div>",
    )

    found = surroundings_of(parse_document(html.encode()).nodes)

    assert found["Lamps"] == "body/main/h1"
    assert found["by hand"] == f"main/dl/dd{LABELLED}"
    assert found["Buy now"] == f"body/main/div.ad{ASIDE}"
    assert found["The end"] == "body/main/div.end"
    assert len(found) == 5  # many parts stand where the paragraphs do


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00", b"<div " * 9_000, b"<b>" * 40_000 + b"x", b"%PDF-1.7 \x00\x01"]
)
def test_any_bytes_have_surroundings(body: bytes) -> None:
    assert len(surroundings_of(parse_document(body).nodes)) < 10
