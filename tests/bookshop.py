"""A bookshop of generated books, before and after its pages were made anew."""

from __future__ import annotations

from random import Random
from urllib.parse import parse_qs, urlsplit

_WORDS = (
    "river",
    "sea",
    "mountain",
    "house",
    "night",
    "garden",
    "winter",
    "letter",
    "stone",
    "bird",
    "glass",
    "iron",
    "salt",
)
_NAMES = (
    "Jane Smith", "John Doe", "Ada Byron", "Alan Kay", "Grace Hopper", "Tony Hoare", "Barbara Liskov", "Edsger Dijkstra",
)  # fmt: skip


def book(number: int) -> dict[str, str]:
    """What is known of a book."""
    chance = Random(number)
    first, second = chance.sample(_WORDS, 2)
    return {
        "title": f"The {first.title()} of {second.title()} {number}",
        "author": chance.choice(_NAMES),
        "price": f"{chance.randint(5, 60)}.{chance.randint(10, 99)}",
        "isbn": str(9_780_000_000_000 + number),
    }


def page(number: int, **other: str) -> str:
    """The page of a book."""
    said = book(number) | other
    others = "".join(f"<li>{book(number + more)['title']}" for more in (50, 60))
    return (
        f"<!doctype html><html><head><title>{said['title']} - Shop</title></head><body>"
        "<div class=head><ul><li>Home<li>Books</ul></div>"
        f"<div class=main><h1 class=t>{said['title']}</h1><p class=by>by <a href=/author/{number % 7}>{said['author']}</a></p>"
        f"<table class=facts><tr><th>Price<td class=p>{said['price']}<tr><th>ISBN<td>{said['isbn']}</table>"
        f"<div class=rel><h3>Others</h3><ul>{others}</ul></div></div><div class=foot>Contact</div></body></html>"
    )


def new_page(number: int, **other: str) -> str:
    """The page of a book after everything was made anew: other tags, classes, labels, another order."""
    said = book(number) | other
    return (
        f"<!doctype html><html><head><title>{said['title']}</title></head><body>"
        "<header><nav><a href=/>Start</a></nav></header>"
        f"<main><article class=card><section class=top><div class=name>{said['title']}</div>"
        f"<div class=who><span>Written by</span> <span class=w>{said['author']}</span></div></section>"
        f"<dl class=meta><dt>ISBN-13<dd>{said['isbn']}<dt>Our price<dd>{said['price']}</dl></article></main>"
        "<footer>Imprint</footer></body></html>"
    )


def page_example(number: int = 1) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a person pastes from the page of a book."""
    return tuple((name, (value,)) for name, value in book(number).items())


def search(path: str, count: int) -> str:
    """The page with the search form, or what it finds for a word: ten books a page, in a table."""
    asked = parse_qs(urlsplit(path).query)
    form = "<form action=/search><label>Search books <input type=search name=q></label><button>Search</button></form>"
    if "q" not in asked:
        return f"<!doctype html><html><title>Books</title><body><h1>Books</h1>{form}<p>Novels of rivers, gardens and stones.</p></body></html>"
    word, start = asked["q"][0].lower(), int(asked.get("start", ["0"])[0])
    found = [number for number in range(1, count + 1) if word in book(number)["title"].lower().split()]
    rows = "".join(
        f"<tr><td><a href=/item/{number}>{said['title']}</a><td>{said['author']}<td>{said['price']}</tr>"
        for number in found[start : start + 10]
        for said in [book(number)]
    )
    more = f"<a href='/search?q={word}&start={start + 10}'>Next</a>" if start + 10 < len(found) else ""
    answer = (
        f"<p>{len(found)} books found</p><table class=found><tr><th>Title<th>Author<th>Price</tr>{rows}</table>{more}"
        if found
        else "<p>No books found.</p>"
    )
    return f"<!doctype html><html><title>Search</title><body><h1>Books</h1>{form}{answer}</body></html>"
