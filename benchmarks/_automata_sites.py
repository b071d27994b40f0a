"""Four sites for the benchmark `automata`, each with about 15,000 pages, half of them hidden behind forms, as in the paper.

The public pages of a site are linked: a homepage, sections with lists of twenty, articles that name others, and a few pages that every
page links to. The hidden pages are those of records: no public page links to them, only answers to a question do. Records are real
films, books and works of art, drawn by chance; without the data they are generated.

    books    one box in the header of every page; it shows 200 of what it finds
    films    one box on the homepage and on a page of its own; it shows 100, and searches only for words of three letters
    art      the box in the header finds articles, which links reach anyway; that of the collection, one click away, shows 100
             of what it finds and does not say how much that is
    mixed    books and films, each behind the box of one section of the site; works of art behind a menu on the homepage, all of them shown

A page says its address, what kind of page it is (its template, as the structure of a page tells it), its links by the place where they
stand, and its forms. More a crawler is not told.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from benchmarks._surface_site import PAGE_SIZE, Database, Manner, Shown, Site, read_database
from benchmarks.surface import generate_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PUBLIC, HIDDEN = 7_214, 7_349
"""Pages of a site: those of the paper, 58,251 of which 29,395 are hidden, by four."""

SECTIONS, FOOTER, TEASERS, RELATED, NUMBERED = 12, 5, 10, 3, 5
BEGIN_WITH = 5  # words that a form's page offers to begin with


class Link(NamedTuple):
    """A link of a page, and the place in the page where it stands."""

    url: str
    place: str


class Question(NamedTuple):
    """What a form is asked: words, or one choice of its menu."""

    words: tuple[str, ...] = ()
    choice: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is fetched."""

    url: str
    kind: str
    links: tuple[Link, ...]
    forms: tuple[str, ...] = ()


class Found(NamedTuple):
    """A record on an answer: its page, and the words that the answer shows of it."""

    url: str
    words: Sequence[str]


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """One page of an answer."""

    kind: str
    found: tuple[Found, ...]
    total: int | None
    has_next: bool


@dataclass(slots=True)
class Search:
    """A form, and the database behind it."""

    name: str
    site: Site
    addresses: Sequence[str]  # of its records' pages
    choices: tuple[tuple[str, str], ...] = ()  # of its menu; it has a box where there are none
    beginning: tuple[str, ...] = ()  # words that its page offers

    def answer(self, question: Question, number: int) -> AnswerPage:
        """Return a page of an answer, the first being number 0."""
        chosen = (question.choice,) if question.choice else ()
        whole = self.site.ask(question.words, chosen)
        shown = whole.records[number * PAGE_SIZE : (number + 1) * PAGE_SIZE]
        words = self.site.database.words
        return AnswerPage(
            f"answer of {self.name}",
            tuple(Found(self.addresses[record], words[record]) for record in shown),
            whole.total,
            has_next=len(whole.records) > (number + 1) * PAGE_SIZE,
        )


@dataclass
class WebSite:
    """A site: its public pages, its forms, and which pages are hidden."""

    name: str
    searches: Mapping[str, Search]
    on_every_page: tuple[str, ...]  # forms in the header
    on_page: Mapping[str, tuple[str, ...]]  # further forms, by the address of the page
    articles: int
    extra: tuple[str, ...] = ()  # pages that the header links to besides sections
    hidden: frozenset[str] = frozenset()
    related: list[tuple[int, ...]] = field(default_factory=list)  # by article

    @property
    def pages(self) -> int:
        """Return how many pages the site has, hidden ones included; answers are not counted."""
        return self.public + len(self.hidden)

    @cached_property
    def public(self) -> int:
        """Return how many public pages there are."""
        lists = sum(self._list_pages(section) for section in range(SECTIONS))
        return 1 + len(self.extra) + FOOTER + lists + self.articles

    def fetch(self, url: str) -> Page:
        """Return a page, public or hidden."""
        forms = (*self.on_every_page, *self.on_page.get(url, ()))
        kind, links = self._content(url)
        return Page(url, kind, (*self.frame, *links), forms)

    def _content(self, url: str) -> tuple[str, list[Link]]:
        _, kind, *rest = url.split("/")
        match kind:
            case "" if not rest:
                return "home", [Link(f"/article/{at}", "teaser") for at in range(TEASERS)]
            case "section":
                return "list", self._list(int(rest[0]), int(rest[1]))
            case "article":
                return "article", self._article(int(rest[0]))
            case "record":
                return f"record of {rest[0]}", []
        return "plain", []

    def _list(self, section: int, number: int) -> list[Link]:
        of_section = range(section, self.articles, SECTIONS)
        shown = of_section[number * PAGE_SIZE : (number + 1) * PAGE_SIZE]
        last = self._list_pages(section)
        near = range(max(number - 1, 0), min(number + NUMBERED, last))
        return [
            *(Link(f"/article/{at}", "list") for at in shown),
            *(Link(f"/section/{section}/{at}", "pages") for at in near if at != number),
        ]

    def _article(self, at: int) -> list[Link]:
        around = (at - SECTIONS, at + SECTIONS)
        return [
            *(Link(f"/article/{other}", "neighbour") for other in around if 0 <= other < self.articles),
            *(Link(f"/article/{other}", "related") for other in self.related[at]),
        ]

    def _list_pages(self, section: int) -> int:
        return -(-len(range(section, self.articles, SECTIONS)) // PAGE_SIZE)

    @cached_property
    def frame(self) -> tuple[Link, ...]:
        """Return the links of header and footer, which every page has."""
        sections = (f"/section/{at}/0" for at in range(SECTIONS))
        return (
            *(Link(url, "header") for url in ("/", *self.extra, *sections)),
            *(Link(f"/about/{at}", "footer") for at in range(FOOTER)),
        )


NAMES = ("books", "films", "art", "mixed")


def make(name: str, seed: int, data: Path | None, share: float = 1.0) -> WebSite:
    """Return one of the four sites, drawn by a seed; share: of the pages, for a smaller one."""
    chance = Random(f"{name} {seed}")
    public, hidden = round(PUBLIC * share), round(HIDDEN * share)
    articles = _articles(public)
    site = _MAKERS[name](chance, data, hidden, articles)
    site.related = [tuple(chance.sample(range(articles), RELATED)) for _ in range(articles)]
    return site


def _articles(public: int) -> int:
    """Return how many articles make a site of so many public pages."""
    others = 1 + 1 + FOOTER
    return round((public - others) * PAGE_SIZE / (PAGE_SIZE + 1))


def _books(chance: Random, data: Path | None, hidden: int, articles: int) -> WebSite:
    search = _search("books", "books", hidden, Manner(cap=200), chance, data)
    return _site("books", [search], articles, every=("books",), extra=("/help",))


def _films(chance: Random, data: Path | None, hidden: int, articles: int) -> WebSite:
    search = _search("films", "movies", hidden, Manner(cap=100, shortest=3), chance, data)
    on_page = {"/": ("films",), "/find": ("films",)}
    return _site("films", [search], articles, on_page=on_page, extra=("/find",))


def _art(chance: Random, data: Path | None, hidden: int, articles: int) -> WebSite:
    search = _search("collection", "artworks", hidden, Manner(cap=100, says_total=False), chance, data)
    texts = _texts("books", articles, chance, data)
    linked = [f"/article/{at}" for at in range(articles)]
    box = Search("site search", Site(Database("articles", texts), Manner(cap=200)), linked)
    box.beginning = _beginning(box.site.database, chance)
    on_page = {"/collection": ("collection",)}
    return _site(
        "art", [search, box], articles, every=("site search",), on_page=on_page, extra=("/collection",)
    )


def _mix_sites(chance: Random, data: Path | None, hidden: int, articles: int) -> WebSite:
    third = hidden // 3
    books = _search("books", "books", third, Manner(cap=200), chance, data)
    films = _search("films", "movies", third, Manner(cap=100), chance, data)
    art = _search("art", "artworks", hidden - 2 * third, Manner(), chance, data)
    art.choices = tuple(sorted(art.site.database.choices))
    on_page = {"/": ("art",), "/section/2/0": ("books",), "/section/7/0": ("films",)}
    return _site("mixed", [books, films, art], articles, on_page=on_page, extra=("/help",))


_MAKERS = {"books": _books, "films": _films, "art": _art, "mixed": _mix_sites}


def _site(
    name: str,
    searches: Sequence[Search],
    articles: int,
    *,
    every: tuple[str, ...] = (),
    on_page: Mapping[str, tuple[str, ...]] | None = None,
    extra: tuple[str, ...] = (),
) -> WebSite:
    hidden = frozenset(url for search in searches for url in search.addresses if url.startswith("/record/"))
    by_name = {search.name: search for search in searches}
    return WebSite(name, by_name, every, on_page or {}, articles, extra, hidden)


def _search(name: str, records: str, count: int, manner: Manner, chance: Random, data: Path | None) -> Search:
    database = Database(records, _texts(records, count, chance, data))
    addresses = [f"/record/{name}/{at}" for at in range(count)]
    search = Search(name, Site(database, manner), addresses)
    search.beginning = _beginning(database, chance)
    return search


def _texts(name: str, count: int, chance: Random, data: Path | None) -> list[Shown]:
    """Return records drawn by chance, each with a choice of a menu that has one for all."""
    known = _records(name, data) if data is not None else generate_records(name, 2 * count).shown
    menu = _MENUS[name]
    drawn = chance.sample(known, count)
    return [
        Shown(each.text, {menu: each.choices.get(menu) or f"other {len(each.text) % 7}"}) for each in drawn
    ]


_records = lru_cache(maxsize=3)(read_database)  # three of the four sites draw from the same ones
_MENUS = {"movies": "genre", "books": "language", "artworks": "classification"}


def _beginning(database: Database, chance: Random) -> tuple[str, ...]:
    """Return words of a form's page: neither the rarest nor the most common."""
    words = sorted(
        word for word in database.vocabulary if len(word) > 2 and 5 <= database.frequency(word) <= 500
    )
    return tuple(chance.sample(words, BEGIN_WITH))
