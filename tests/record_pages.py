"""Pages about one record each, in several layouts."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import Example
from hiddenweb.html.document import read_texts

if TYPE_CHECKING:
    from hiddenweb.html.texts import PageTexts

    Record = dict[str, list[str]]


TITLES = (
    "The River",
    "Old Roads",
    "Winter",
    "A House in Rome",
    "Letters",
    "Night Train",
    "The Gardener",
    "Salt",
    "Blue Hour",
    "Maps",
)


PEOPLE = ("Jane Smith", "Omar Diaz", "Li Wei", "Eva Novak", "Ada Berg", "Tom Hardy", "Ines Costa")


HOUSES = ("North Press", "Meridian", "Alder & Sons", "Quay")


def records(count: int = 10) -> list[Record]:
    draw = Random(3)
    return [
        {
            "title": [title],
            "author": draw.sample(PEOPLE, 1 + (number % 3)),
            "publisher": [draw.choice(HOUSES)] if number % 4 != 3 else [],
            "price": [f"{draw.randint(5, 60)}.{draw.randint(10, 99)} €"],
            "year": [str(draw.randint(1950, 2020))],
        }
        for number, title in enumerate(TITLES[:count])
    ]


def rows(record: Record, names: dict[str, str]) -> list[tuple[str, str]]:
    return [(label, record[name][0].replace("&", "&amp;")) for name, label in names.items() if record[name]]


GERMAN = {"publisher": "Verlag", "price": "Preis", "year": "Erscheinungsjahr"}


def as_table(record: Record) -> str:
    cells = "".join(f"<tr><th>{label}<td>{value}" for label, value in rows(record, GERMAN))
    return page_around(record, f"<table>{cells}</table>")


def page_around(record: Record, facts: str) -> str:
    authors = ", ".join(f'<a href="/who/{len(name)}">{name}</a>' for name in record["author"])
    others = "".join(f"<li><a href=/x>{title}</a> 9.99 €" for title in TITLES[2:5])
    return (
        f"<title>x</title><ul id=menu><li>Home<li>1999<li>Meridian</ul><h1>{record['title'][0]}</h1>"
        f"<p class=by>by {authors}</p>{facts}<h2>Others</h2><ul>{others}</ul><p>All prices with tax"
    )


def texts(source: str) -> PageTexts:
    return read_texts(source.encode())


def example_of(record: Record, *names: str) -> Example:
    return Example("books.example", "", tuple((name, tuple(record[name])) for name in names))
