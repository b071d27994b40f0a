"""What a page calls its texts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from record_pages import HOUSES, PEOPLE, TITLES

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.induction import learn
from hiddenweb.html.document import read_texts

if TYPE_CHECKING:
    Record = dict[str, list[str]]


def test_a_director_who_also_acts_is_found_where_the_page_names_directors() -> None:
    draw = Random(5)
    casts = [draw.sample(PEOPLE, 4) for _ in range(14)]
    films = [
        read_texts(
            (
                f"<h1>{draw.choice(TITLES)} {number}</h1><table><tr><th>Produced by:</th><td><a href='/p/{number}'>{cast[1]}</a></td></tr>"
                f"<tr><th>Directed by:</th><td><a href='/p/{number}'>{cast[0]}</a></td></tr></table>"
                f"<ul class=cast>{''.join(f'<li><a href=/p/9>{who}</a>' for who in (cast if number == 0 else cast[1:]))}</ul>"
            ).encode()
        )
        for number, cast in enumerate(casts)
    ]

    pattern = learn(films[0], Example("films", "", (("director", (casts[0][0],)),)), films[1:10])

    assert [pattern.values(film)["director"] for film in films[10:]] == [[cast[0]] for cast in casts[10:]]


def test_the_name_of_an_attribute_decides_between_places_that_say_the_same() -> None:
    draw = Random(6)
    pairs = [("Alder", "Alder"), *(tuple(draw.sample((*PEOPLE, *HOUSES), 2)) for _ in range(13))]
    pages = [
        read_texts(f"<h1>{one}</h1><dl><dt>Author<dd>{one}<dt>Publisher<dd>{two}</dl>".encode())
        for one, two in pairs
    ]
    region = Example("books", "", (("publisher", ("Alder",)), ("author", ("Alder",))))

    pattern = learn(pages[0], region, pages[1:10])

    for page, (author, publisher) in zip(pages[10:], pairs[10:], strict=True):
        assert pattern.values(page) == {"publisher": [publisher], "author": [author]}


def learnt_from_a_coincidence(page: str) -> list[dict[str, list[str]]]:
    """Return what is found on later pages when the example has title and company in places with the same text."""
    draw = Random(8)
    pairs = [("Alder", "Alder"), *(tuple(draw.sample((*PEOPLE, *TITLES), 2)) for _ in range(12))]
    pages = [read_texts(page.format(*pair).encode()) for pair in pairs]
    region = Example("jobs", "", (("title", ("Alder",)), ("company", ("Alder",))))
    pattern = learn(pages[0], region, pages[1:10])
    wanted = [{"title": [title], "company": [company]} for title, company in pairs[10:]]
    assert [pattern.values(page) for page in pages[10:]] == wanted
    return wanted


@pytest.mark.parametrize(
    "page",
    [
        "<p class=lead>{1}</p><h1>{0}</h1><p>Apply now",  # a title is a heading
        "<div class=job-title>{0}</div><div class=hiringCompany>{1}</div><p>Apply now",
        "<p><b itemprop=title>{0}</b></p><div><span itemprop=company>{1}</span></div><p>Apply now",
        "<p class=b>Company: {1}</p><p class=c>{0}</p><p>Apply now",  # the other one is named
        "<table><tr><th>Place<th>Company<th>Title<tr><td>Here<td>{1}<td>{0}</table>",
    ],
)
def test_what_a_page_calls_its_elements_decides_between_places_that_say_the_same(page: str) -> None:
    assert len(learnt_from_a_coincidence(page)) == 3


def test_a_name_that_many_elements_of_a_page_have_decides_nothing() -> None:
    draw = Random(9)
    titles = [draw.sample(TITLES, 6) for _ in range(13)]
    pages = [
        read_texts(
            (
                f"<div id=top><b>{title}</b></div><p>Apply now</p><ul>"
                + "".join(f"<li class=title>{each}" for each in ((title, *others) if number == 0 else others))
                + "</ul>"
            ).encode()
        )
        for number, (title, *others) in enumerate(titles)
    ]

    pattern = learn(pages[0], Example("a", "", (("title", (titles[0][0],)),)), pages[1:10])

    assert [pattern.values(page)["title"] for page in pages[10:]] == [[each[0]] for each in titles[10:]]
