"""Sites with several searches, and boxes that must not be empty: requests go where records come from, in real crawls."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from crawling import Answer, Ran, SmallSite, crawl

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ("amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow")
BOX = "<form action={} role=search>Search <input type=search name=q>{}<button>Search</button></form>"
PAGES = "<select name=size><option selected>10<option>20<option>50</select>"


def page(title: str, more: str) -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{more}</html>"


def text_of(number: int) -> str:
    return (
        f"{WORDS[number % 8]} {WORDS[number * 3 % 8]} letter {number * 7919}, for the {WORDS[number * 5 % 8]}"
    )


def archive(path: str) -> Answer | str | None:
    """A search for archives, of which there is one, and one for its letters; an empty box brings the page of the form again, with a cookie."""
    parts, query = urlsplit(path), parse_qs(urlsplit(path).query)
    word = query.get("q", [""])[0].lower()
    match parts.path:
        case "/":
            more = f"<p>{' '.join(WORDS)}</p><a href=/letters>Letters of an archive</a>"
            return page("Archives", BOX.format("/archives", "") + more)
        case "/archives":
            row = "<ul><li><a href=/letters>Letters of an archive</a> kept since 1901</ul>"
            return page("Archives", row if word in ("letters", "archive") else "<p>No results found</p>")
        case "/letters":
            return page("Letters", BOX.format("/find", PAGES) + f"<p>{' '.join(WORDS)}</p>")
        case "/find" if word:
            return found(word, int(query["size"][0]), int(query.get("start", ["0"])[0]))
        case "/find":
            again = page("Letters", BOX.format("/find", PAGES) + f"<p>{' '.join(WORDS)}</p>")
            head = {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": "seen=1"}
            return Answer(again.encode(), headers=head)
    return None


def found(word: str, size: int, start: int) -> str:
    numbers = [n for n in range(200) if word in text_of(n).replace(",", "").split()]
    shown = numbers[start : start + size]
    rows = "".join(f"<li><a href=/letter/{n}>Letter {n}</a> <p>{text_of(n)}</p></li>" for n in shown)
    following = f"<a href='/find?q={word}&size={size}&start={start + size}'>Next</a>"
    more = following if numbers[start + size :] else ""
    body = f"<p>{len(numbers)} results</p><ol>{rows}</ol>{more}" if rows else "<p>No results found</p>"
    return page("Found", body)


def harvest(folder: Path, site: SmallSite) -> Ran:
    settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_DELAY": 0}
    return crawl(folder, [site.url], settings)


def test_a_search_that_brings_nothing_waits_for_others_of_its_site(tmp_path: Path) -> None:
    with SmallSite(archive) as site:
        ran = harvest(tmp_path, site)

    assert ran.code == 0, ran.output
    queries = [path for path in site.requested if path.startswith(("/archives?", "/find?"))]
    first = next(at for at, path in enumerate(queries) if path.startswith("/find?"))
    assert first <= 8
    assert ran.rows("SELECT count(*) FROM records WHERE url LIKE '%/letter/%'") == [(200,)]


def test_the_largest_page_is_asked_for_and_an_empty_box_is_no_sign_of_a_session(tmp_path: Path) -> None:
    with SmallSite(archive) as site:
        ran = harvest(tmp_path, site)

    assert ran.code == 0, ran.output
    assert all("size=50" in path for path in site.requested if path.startswith("/find?"))
    assert sum(path.startswith("/find?q=&") for path in site.requested) == 1
    assert site.requested.count("/letters") == 1
