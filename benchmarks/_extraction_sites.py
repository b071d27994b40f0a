"""Sites with the truth about their pages: real ones (SWDE) where the data is at hand, else generated ones of the same shape."""

from __future__ import annotations

import html
import json
import lzma
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import places_of
from hiddenweb.html.document import read_texts
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiddenweb.html.texts import PageTexts


@dataclass(frozen=True, slots=True)
class TruePage:
    """A page, and the values of its attributes; an attribute is not named where its truth cannot be right."""

    source: str
    texts: PageTexts
    truth: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class TrueSite:
    """Pages of one site."""

    name: str
    pages: list[TruePage] = field(default_factory=list)
    doubtful: int = 0  # values that nobody can see on their page


def site_names(data: Path | None) -> list[str]:
    """Return the names of all sites, in an order in which neighbours are alike."""
    if data is not None and (data / "swde").is_dir():
        return sorted(path.name.removesuffix(".jsonl.xz") for path in (data / "swde").glob("*.jsonl.xz"))
    return [f"generated-{number}-{kind}" for number in range(2) for kind in LAYOUTS]


def read_site(data: Path | None, name: str, pages: int = 30) -> TrueSite:
    """Return a site; its truth is held against what its pages show."""
    if data is not None and (data / "swde").is_dir():
        with lzma.open(data / "swde" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            read = [json.loads(line) for line, _ in zip(lines, range(pages), strict=False)]
        pairs = [(each["html"], each["truth"]) for each in read]
    else:
        pairs = _generate(name, pages)
    site = TrueSite(name)
    doubtful = 0
    for source, truth in pairs:
        texts = read_texts(source.encode("utf-8", "replace"))
        values = {attribute: [html.unescape(value) for value in said] for attribute, said in truth.items()}
        seen = {
            attribute: [value for value in said if any(place.is_all for place in places_of(value, texts))]
            for attribute, said in values.items()
        }
        doubtful += sum(len(said) - len(seen[attribute]) for attribute, said in values.items())
        site.pages.append(
            TruePage(
                source,
                texts,
                {attribute: said for attribute, said in seen.items() if said or not values[attribute]},
            )
        )
    return TrueSite(name, site.pages, doubtful)


def are_the_same(values: list[str], others: list[str]) -> bool:
    """Say whether two lists of values are the same, in any order."""
    return set(map(fold_text, values)) == set(map(fold_text, others))


# Generated sites

_FIRST = (
    "Ada",
    "Ben",
    "Clara",
    "David",
    "Emma",
    "Felix",
    "Grace",
    "Hugo",
    "Ines",
    "Jonas",
    "Karla",
    "Levi",
    "Mona",
)
_LAST = (
    "Abel",
    "Berg",
    "Conti",
    "Dahl",
    "Evans",
    "Fischer",
    "Garcia",
    "Haas",
    "Ivanov",
    "Jansen",
    "Keller",
    "Lopez",
)
_THINGS = (
    "River",
    "Garden",
    "Winter",
    "House",
    "Road",
    "Night",
    "Summer",
    "Island",
    "Bridge",
    "Forest",
    "Stone",
)
_HOUSES = ("North Press", "Blue Door Books", "Alder & Sons", "Quay Editions", "Meridian", "Old Mill Press")
_SUBJECTS = ("Drama", "History", "Travel", "Poetry", "Crime", "Nature")


def _record(draw: Random) -> dict[str, list[str]]:
    people = [f"{draw.choice(_FIRST)} {draw.choice(_LAST)}" for _ in range(draw.choice((1, 1, 2, 3)))]
    title = f"The {draw.choice(_THINGS)} of {draw.choice(_THINGS)} {draw.choice(_LAST)}"
    return {
        "title": [title],
        "author": list(dict.fromkeys(people)),
        "publisher": [draw.choice(_HOUSES)] if draw.random() < 0.85 else [],
        "published": [f"{draw.randint(1, 28)}/{draw.randint(1, 12)}/{draw.randint(1950, 2020)}"],
        "price": [f"${draw.randint(3, 80)}.{draw.randint(10, 99)}"],
        "isbn": [f"978{draw.randint(10**9, 10**10 - 1)}"],
        "subject": [draw.choice(_SUBJECTS)],
        "pages": [str(draw.randint(80, 900))],
    }


def _rows(record: dict[str, list[str]], label: Callable[[str], str]) -> list[tuple[str, str]]:
    return [
        (label(name), "<br>".join(map(html.escape, values)))
        for name, values in record.items()
        if values and name not in ("title", "author")
    ]


def _write_table(record: dict[str, list[str]], authors: str) -> str:
    rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in _rows(record, str.title))
    return f"<div class=who>by {authors}</div><table class=facts>{rows}</table>"


def _write_terms(record: dict[str, list[str]], authors: str) -> str:
    rows = "".join(f"<dt>{label}:<dd>{value}" for label, value in _rows(record, str.title))
    return f"<dl><dt>Author:<dd>{authors}{rows}</dl>"


def _write_lines(record: dict[str, list[str]], authors: str) -> str:
    rows = "".join(
        f"<li><b>{label}:</b> <span>{value}</span></li>" for label, value in _rows(record, str.upper)
    )
    return f"<p>{authors}</p><ul>{rows}</ul>"


def _write_cards(record: dict[str, list[str]], authors: str) -> str:
    cards = "".join(
        f'<div class="card card-{label}"><span>{value}</span></div>' for label, value in _rows(record, str)
    )
    return f'<div class="card card-author">{authors}</div>{cards}'


LAYOUTS = {"table": _write_table, "terms": _write_terms, "lines": _write_lines, "cards": _write_cards}


def _generate(name: str, pages: int) -> list[tuple[str, dict[str, list[str]]]]:
    draw = Random(name)
    layout = LAYOUTS[name.rsplit("-", 1)[1]]
    made = []
    for _ in range(pages):
        record = _record(draw)
        others = "".join(
            f"<li><a href=/b/{draw.randint(1, 999)}>{each['title'][0]}</a> <i>{each['price'][0]}</i></li>"
            for each in (_record(draw) for _ in range(draw.randint(2, 6)))
        )
        authors = ", ".join(
            f'<a href="/who/{draw.randint(1, 99)}">{html.escape(who)}</a>' for who in record["author"]
        )
        notice = "<p class=notice>Only a few left</p>" if draw.random() < 0.3 else ""
        menu = "".join(f"<li><a href=/s/{each}>{each}</a></li>" for each in _SUBJECTS)
        source = (
            f"<!DOCTYPE html><title>{record['title'][0]}</title><ul id=menu>{menu}</ul><div id=main>{notice}<h1>{record['title'][0]}</h1>"
            f"{layout(record, authors)}</div><h2>Others also liked</h2><ul class=others>{others}</ul><p>All prices in dollars."
        )
        made.append((source, record))
    return made
