"""A library of scrolls and stones with some books for sale: the site of the state that an earlier version left behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bookshop import page as book_page
from guarded_sites import WORDS, box, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from guarded_sites import SiteRequest

BOOKS = 5
PER_PAGE = 4
STONES = {
    number: f"{WORDS[number % 8]} {WORDS[number * 3 % 8]} stone {number}, found near {WORDS[number * 5 % 8]}"
    for number in range(20)
}
SCROLLS = {number: text.replace("stone", "scroll") for number, text in STONES.items()}


class Library:
    """One search for stones by GET, some on a page, and one for scrolls by POST, all on one page."""

    def __init__(self) -> None:
        self.price = ""  # that another book has by now
        self.see: Callable[[SiteRequest], object] = lambda _: (
            None
        )  # is shown each request before it is answered

    def __call__(self, request: SiteRequest) -> str | None:
        self.see(request)
        if request.path == "/":
            return _homepage()
        if request.path == "/stones":
            return _show_stones(request.sent.get("q", ""), int(request.sent.get("from", "0")))
        if request.path == "/scrolls":
            return _listed("scroll", SCROLLS, _containing(SCROLLS, request.sent.get("w", "")))
        if found := re.fullmatch(r"/(stone|scroll|book)/(\d{1,2})", request.path):
            return self._show_one(found[1], int(found[2]))
        return None

    def _show_one(self, kind: str, number: int) -> str:
        if kind == "book":
            return book_page(number, **({"price": self.price} if self.price and number == 3 else {}))
        return page((STONES if kind == "stone" else SCROLLS)[number], kind.title())


def _homepage() -> str:
    books = "".join(f"<li><a href=/book/{number}>Book {number}</a>" for number in range(1, BOOKS + 1))
    scrolls = box(method="post", action="/scrolls").replace("Search <", "Search the scrolls <")
    return page(
        f"<h1>Library</h1><p>{' '.join(WORDS)}</p><ul>{books}</ul>{box(action='/stones')}{scrolls.replace('name=q', 'name=w')}",
        "The library",
    )


def _show_stones(word: str, first: int) -> str:
    found = _containing(STONES, word)
    more = f"<a href='/stones?q={word}&from={first + PER_PAGE}'>Next</a>"
    return _listed(
        "stone",
        STONES,
        found[first : first + PER_PAGE],
        more if len(found) > first + PER_PAGE else "",
        len(found),
    )


def _containing(texts: dict[int, str], word: str) -> list[int]:
    return [number for number, text in texts.items() if word and word.lower() in text]


def _listed(
    kind: str, texts: dict[int, str], numbers: list[int], more: str = "", total: int | None = None
) -> str:
    items = "".join(f"<li><a href=/{kind}/{n}>{kind.title()} {n}</a> {texts[n]}</li>" for n in numbers)
    found = f"<p>{len(numbers) if total is None else total} results</p><ol>{items}</ol>"
    return page((found if numbers else "<p>No results found</p>") + more, "Found")
