"""Pages that list many records, with the truth: generated in many layouts, and answers of simweb."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

from benchmarks._extraction_sites import _FIRST, _HOUSES, _LAST, _SUBJECTS, _THINGS
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.list_induction import learn_list
from hiddenweb.html.document import read_layout
from hiddenweb.language.folding import fold_text
from simweb.messages import Request
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.list_induction import ListEntry
    from hiddenweb.html.layout import PageLayout
    from simweb.messages import Response
    from simweb.site import Site

    Record = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class ListSite:
    """Pages of one site that list records, each with all its records."""

    name: str
    pages: list[PageLayout]
    truth: list[list[Record]]

    def region(self, page: int, record: int) -> Example:
        """Return what a person pastes of one record."""
        values = self.truth[page][record]
        return Example(self.name, "", tuple((name, tuple(said)) for name, said in values.items() if said))


def fullest(site: ListSite, draw: Random) -> tuple[int, int]:
    """Return the page and the number of a record that a person would show: one that has most attributes, each with values of its own."""
    sizes = {
        (page, at): (
            sum(map(bool, record.values())),
            _distinct(record),
            sum(len(said) > 1 for said in record.values()),
        )
        for page, records in enumerate(site.truth)
        if len(records) > 2
        for at, record in enumerate(records)
    }
    best = max(sizes.values())
    return draw.choice([place for place, size in sizes.items() if size == best])


def _distinct(record: Record) -> bool:
    values = [fold_text(value) for said in record.values() for value in said]
    return len(set(values)) == len(values)


@dataclass(slots=True)
class Tally:
    """Values found and true, found but not true, true but not found."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(2 * self.right + self.wrong + self.missed, 1)

    def add(self, other: Tally) -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.missed += other.missed


def tally(entries: Sequence[ListEntry], truth: Sequence[Record], shown: int | None) -> Tally:
    """Return how the records found on a page compare with the true ones; the one that was shown counts for nothing."""
    found = [_pairs(entry.values) for entry in entries]
    wanted = [_pairs(record) for record in truth]
    ranked = sorted(
        ((len(one & other), at, number) for at, one in enumerate(found) for number, other in enumerate(wanted) if one & other),
        key=lambda each: (-each[0], abs(each[1] - each[2])),
    )  # fmt: skip
    of_entry: dict[int, int] = {}
    taken: set[int] = set()
    for _, at, number in ranked:
        if at not in of_entry and number not in taken:
            of_entry[at] = number
            taken.add(number)
    counts = Tally()
    for at, one in enumerate(found):
        match = of_entry.get(at)
        other = wanted[match] if match is not None else set()
        if match is None or match != shown:
            counts.right += len(one & other)
            counts.wrong += len(one - other)
            counts.missed += len(other - one)
    counts.missed += sum(len(other) for number, other in enumerate(wanted) if number not in taken | {shown})
    return counts


def _pairs(values: Mapping[str, Sequence[str]]) -> set[tuple[str, str]]:
    return {(name, fold_text(value)) for name, said in values.items() for value in said}


# Measuring


def measure_list(name: str, seed: int, pages: int) -> dict[str, Tally]:
    """Return how all records of generated pages are found from one of them."""
    return {name: find_from_one(generate_list(name, seed, pages), Random(f"{seed} {name}"))}


def measure_simweb(seed: int, sites: int) -> dict[str, Tally]:
    """Return how all records of the answers of a world are found from one of each site, by layout."""
    counted: dict[str, Tally] = {}
    for site in simweb_lists(seed, sites):
        counted.setdefault(site.name, Tally()).add(find_from_one(site, Random(f"{seed} {site.name}")))
    return counted


def find_from_one(site: ListSite, draw: Random) -> Tally:
    """Return how all other records of a site are found from one that is shown."""
    page, record = fullest(site, draw)
    others = [layout for at, layout in enumerate(site.pages) if at != page]
    pattern = learn_list(site.pages[page], site.region(page, record), others)
    counted = Tally()
    for at, (layout, truth) in enumerate(zip(site.pages, site.truth, strict=True)):
        entries = pattern.records(layout) if pattern else []
        counted.add(tally(entries, truth, record if at == page else None))
    return counted


# Answers of simweb


def simweb_lists(seed: int, sites: int, pages: int = 4) -> Iterator[ListSite]:
    """Yield sites of a world of simweb that can be asked by address, each with some pages of answers and what is on them."""
    world = World(seed, sites, pages_per_site=6, largest_database=300, text_bytes=400)
    try:
        for site in Truth(world).sites(databases=True):
            database = site.plan.database
            assert database is not None
            answers = _answers(site, pages)
            if len(answers) >= 2:
                name = f"simweb {database.layout}{'' if database.has_details else ', whole records'}"
                truth = [[_record_values(site, number) for number in answer.records] for answer in answers]
                yield ListSite(name, [_read(answer) for answer in answers], truth)
    finally:
        world.close()


def _answers(site: Site, pages: int) -> list[Response]:
    """Return answers with several records to the first words of some records; none if the form is not asked by address."""
    box = site.search_form.field_meaning("keywords")
    if box is None or site.search_form.method != "get":
        return []
    found: dict[tuple[int, ...], Response] = {}
    words = dict.fromkeys(
        word
        for number in range(1, min(site.catalogue.size, 25) + 1)
        if (record := site.record(number, 0)) is not None
        for word in record.title.split()[:2]
    )
    for word in words:
        asked = f"{quote(box.name)}={site.quote(word)}"
        answer = site.respond(Request("GET", site.plan.host, site.search_action, asked))
        if answer.kind == "answer:results" and len(answer.records) > 2:
            found.setdefault(answer.records, answer)
        if len(found) == pages:
            break
    return list(found.values())


def _read(answer: Response) -> PageLayout:
    headers = {name.lower(): value for name, value in answer.headers}
    return read_layout(answer.body, content_type=headers.get("content-type", ""))


def _record_values(site: Site, number: int) -> Record:
    """Return what an answer shows of a record: where it has a page of its own, some values in one text, except in a table."""
    record = site.record(number, 0)
    database = site.plan.database
    assert record is not None
    assert database is not None
    title = {"title": [record.title]}
    if database.layout == "table" or not database.has_details:
        return title | {label: [value] if value else [] for label, value in zip(site.labels, record.values, strict=True)}  # fmt: skip
    said = ", ".join(value for value in record.values[:3] if value)
    return title | {"facts": [said] if said else []}


# Generated lists


def generate_lists(seed: int = 0, pages: int = 5) -> list[ListSite]:
    """Return a site for every layout."""
    return [generate_list(name, seed, pages) for name in LAYOUTS]


def generate_list(name: str, seed: int = 0, pages: int = 5) -> ListSite:
    """Return pages of one layout."""
    draw = Random(f"{seed} {name}")
    write = LAYOUTS[name]
    site = ListSite(name, [], [])
    for page in range(pages):
        records = [_record(draw) for _ in range(draw.randint(8, 16) if page < pages - 1 else 3)]
        site.pages.append(read_layout(_page(write(records, draw), draw, page).encode()))
        site.truth.append(records)
    return site


def _record(draw: Random) -> Record:
    people = dict.fromkeys(
        f"{draw.choice(_FIRST)} {draw.choice(_LAST)}" for _ in range(draw.choice((1, 1, 2, 3)))
    )
    return {
        "title": [f"{draw.choice(('The', 'A', 'My'))} {draw.choice(_THINGS)} of {draw.choice(_THINGS)} {draw.choice(_LAST)}"],
        "author": list(people),
        "publisher": [draw.choice(_HOUSES)] if draw.random() < 0.7 else [],
        "year": [str(draw.randint(1950, 2020))],
        "price": [f"${draw.randint(3, 80)}.{draw.randint(10, 99)}"] if draw.random() < 0.9 else [],
        "rating": [f"{draw.randint(1, 4)}.{draw.randint(0, 9)}"] if draw.random() < 0.4 else [],
    }  # fmt: skip


def _page(results: str, draw: Random, page: int) -> str:
    menu = "".join(f"<li><a href=/s/{each}>{each}</a></li>" for each in ("Home", "Books", "Help", "Account"))
    facets = "".join(
        f"<li><a href='?f={each}'>{each}</a> <span>({draw.randint(2, 90)})</span></li>" for each in _SUBJECTS
    )
    best = "".join(
        f"<li><a href=/b/{draw.randint(1, 99)}>{_record(draw)['title'][0]}</a> <b>${draw.randint(4, 9)}.99</b></li>"
        for _ in range(4)
    )
    pager = "".join(f"<a href='?p={number}'>{number}</a> " for number in range(1, 6))
    return (
        f"<!DOCTYPE html><title>Results</title><ul>{menu}</ul><div id=side><h4>Subjects</h4><ul class=facets>{facets}</ul></div>"
        f"<div id=main><h1>{draw.randint(90, 900)} books found</h1><p>Page {page + 1}</p>{results}<div class=pager>{pager}</div></div>"
        f"<h4>Bestsellers</h4><ul>{best}</ul><p class=foot>All prices in dollars. Contact us"
    )


def _links(record: Record) -> str:
    return ", ".join(f'<a href="/who/{len(name)}">{name}</a>' for name in record["author"])


def _label_text(record: Record, name: str) -> str:
    return escape(record[name][0]) if record[name] else ""


def _title(record: Record) -> str:
    return f'<a href="/book/{sum(map(ord, record["title"][0]))}">{_label_text(record, "title")}</a>'


_COLUMNS = ("title", "author", "publisher", "year", "price", "rating")


def _cells(record: Record) -> str:
    cells = (_title(record), _links(record), *(_label_text(record, name) for name in _COLUMNS[2:]))
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _write_table(records: list[Record], _: Random) -> str:
    head = "".join(f"<th>{name.title()}" for name in _COLUMNS)
    rows = "".join(
        f"<tr class={('odd', 'even')[at % 2]}>{_cells(record)}" for at, record in enumerate(records)
    )
    return f"<table><thead><tr>{head}<tbody>{rows}</table>"


def _write_plain_table(records: list[Record], _: Random) -> str:
    head = "".join(f"<td><b>{name.title()}</b>" for name in _COLUMNS)
    return f"<table><tr>{head}{''.join(f'<tr>{_cells(record)}' for record in records)}</table>"


def _facts(record: Record, tag: str = "span", *, classed: bool = True) -> str:
    return "".join(
        f"<{tag}{f' class={name}' if classed else ''}>{_label_text(record, name)}</{tag}> "
        for name in _COLUMNS[2:]
        if record[name]
    )


def _write_cards(records: list[Record], _: Random) -> str:
    cards = (
        f'<div class="card card-{at}{" first" if not at else ""}"><h3>{_title(record)}</h3><p class=by>{_links(record)}</p>'
        f"{_facts(record, 'div')}</div>"
        for at, record in enumerate(records)
    )
    return f"<div class=cards>{''.join(cards)}</div>"


def _write_cards_with_ads(records: list[Record], draw: Random) -> str:
    parts = []
    for at, record in enumerate(records):
        if at in (0, 5):
            parts.append(
                f'<li class="item sponsored"><a href=/ad>Buy cheap ink {draw.randint(1, 99)}</a> <em>Sponsored</em></li>'
            )
        kind = "item" if at else "item top"
        parts.append(
            f'<li class="{kind}"><h4>{_title(record)}</h4><div>by {_links(record)}</div><p>{_facts(record)}</p></li>'
        )
    return f"<ol>{''.join(parts)}</ol>"


def _write_labelled_lines(records: list[Record], _: Random) -> str:
    def lines(record: Record) -> str:
        return "".join(
            f"<b>{name.title()}:</b> {_label_text(record, name)}<br>" for name in _COLUMNS[2:] if record[name]
        )

    items = (
        f"<div><h2>{_title(record)}</h2><i>{_links(record)}</i><br>{lines(record)}</div>"
        for record in records
    )
    return f"<div>{''.join(items)}</div>"


def _write_terms(records: list[Record], _: Random) -> str:
    parts = (
        f"<dt>{_title(record)}<dd>{_links(record)}<dd class=facts>{_facts(record)}" for record in records
    )
    return f"<dl>{''.join(parts)}</dl>"


def _write_headings(records: list[Record], _: Random) -> str:
    return "".join(
        f"<h3>{_title(record)}</h3><div class=who>{_links(record)}</div><div class=facts>{_facts(record)}</div>"
        for record in records
    )


def _write_two_rows(records: list[Record], _: Random) -> str:
    rows = (
        f"<tr><td>{_title(record)}</td><td>{_links(record)}</td></tr><tr><td colspan=2>{_facts(record)}</td></tr>"
        for record in records
    )
    return f"<table>{''.join(rows)}</table>"


def _write_nested_lists(records: list[Record], _: Random) -> str:
    def people(record: Record) -> str:
        return "".join(f"<li>{name}</li>" for name in record["author"])

    items = (
        f"<li>{_title(record)}<ul>{people(record)}</ul><p>{_facts(record)}</p></li>" for record in records
    )
    return f"<ul>{''.join(items)}</ul>"


def _write_sections(records: list[Record], draw: Random) -> str:
    parts, at = [], 0
    while at < len(records):
        size = draw.randint(2, 5)
        items = "".join(
            f"<li><b>{_title(record)}</b> {_links(record)}{_facts(record, 'div')}</li>"
            for record in records[at : at + size]
        )
        parts.append(f"<li><h2>Shelf {draw.randint(10, 99)}</h2><ul>{items}</ul></li>")
        at += size
    return f"<ul>{''.join(parts)}</ul>"


def _write_grid(records: list[Record], _: Random) -> str:
    rows = (
        f"<tr class=r{at % 2}>"
        + "".join(
            f"<td><p>{_title(record)}<p>{_links(record)}{_facts(record, 'p')}"
            for record in records[at : at + 3]
        )
        for at in range(0, len(records), 3)
    )
    return f"<table>{''.join(rows)}</table>"


def _write_striped_grid(records: list[Record], _: Random) -> str:
    rows = (
        f"<div class={('light', 'dark')[at // 4 % 2]}>"
        + "".join(
            f"<div class=cell><b>{_title(record)}</b><div>{_links(record)}</div>{_facts(record)}</div>"
            for record in records[at : at + 4]
        )
        + "</div>"
        for at in range(0, len(records), 4)
    )
    return f"<section>{''.join(rows)}</section>"


def _line(record: Record) -> str:
    price = f" <strong>{_label_text(record, 'price')}</strong>" if record["price"] else ""
    house = f"{_label_text(record, 'publisher')}, " if record["publisher"] else ""
    rating = f" <em>{_label_text(record, 'rating')}</em>" if record["rating"] else ""
    return f"{_title(record)} by {_links(record)} <small>{house}{_label_text(record, 'year')}</small>{price}{rating}"


def _write_lines(records: list[Record], _: Random) -> str:
    return "".join(f"<p>{_line(record)}</p>" for record in records)


def _write_plain_divs(records: list[Record], _: Random) -> str:
    parts = (
        f"<div>{_label_text(record, 'title')}</div><div>{_links(record)}; {_facts(record, classed=True)}</div>"
        for record in records
    )
    return f"<div>{''.join(parts)}</div>"


def _write_broken_lines(records: list[Record], draw: Random) -> str:
    """A line for each record, in one paragraph."""
    return f"<p>Sorted by {draw.choice(_COLUMNS)}<br>{'<br>'.join(map(_line, records))}</p>"


def _join_lines(record: Record) -> str:
    facts = (f"{name.title()}: {_label_text(record, name)}" for name in _COLUMNS[2:] if record[name])
    return "<br>".join((f"<b>{_label_text(record, 'title')}</b>", _links(record), *facts))


def _write_empty_lines(records: list[Record], _: Random) -> str:
    """Some lines for each record, an empty one between them."""
    return f"<table><tr><td>{'<br><br>'.join(map(_join_lines, records))}</td></tr></table>"


def _write_bold_lines(records: list[Record], _: Random) -> str:
    """Some lines for each record, of which the first is bold."""
    return f"<p>{'<br>'.join(map(_join_lines, records))}</p>"


def _write_rules(records: list[Record], _: Random) -> str:
    """Some lines for each record, a rule between them."""
    parts = (f"{_title(record)}<br>{', '.join(record['author'])}<br>{_facts(record)}" for record in records)
    return f"<div>{'<hr>'.join(parts)}</div>"


LAYOUTS: dict[str, Callable[[list[Record], Random], str]] = {
    "table": _write_table,
    "plain table": _write_plain_table,
    "cards": _write_cards,
    "cards with ads": _write_cards_with_ads,
    "labelled lines": _write_labelled_lines,
    "terms": _write_terms,
    "headings": _write_headings,
    "two rows": _write_two_rows,
    "nested lists": _write_nested_lists,
    "sections": _write_sections,
    "grid": _write_grid,
    "striped grid": _write_striped_grid,
    "lines": _write_lines,
    "plain divs": _write_plain_divs,
    "broken lines": _write_broken_lines,
    "empty lines": _write_empty_lines,
    "bold lines": _write_bold_lines,
    "rules": _write_rules,
}
