"""The plan of the simulated web: its sites, their databases, and which sites link to which. Pages are `benchmarks._harvest_pages`' business.

Every figure is a knob of `Shape`. They were set once, from what is published, and so that the finished web measures like the real one
(`benchmarks._harvest_calibration`); how a crawl fares was not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Literal

from benchmarks._harvest_material import SUBJECTS, TOPICS, invent_word
from benchmarks._harvest_words import NAME_PARTS, SHARED_WORDS, SUFFIXES, TOPIC_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["database", "plain", "directory", "dead"]
Trap = Literal["calendar", "session", "reference", "facets"]

NO_TOPIC = -1


@dataclass(frozen=True, slots=True)
class TopicShape:
    """A topic: its sites, the pages that list them, how often its site classifier errs, how much its sites keep to themselves."""

    name: str
    sites: int
    centres: int
    error: float
    cohesion: float  # times `Shape.locality`


TOPIC_SHAPES = (
    TopicShape("airfare", 700, 60, 0.05, 0.9),
    TopicShape("apartment", 250, 25, 0.05, 0.4),
    TopicShape("auto", 900, 90, 0.035, 1.1),
    TopicShape("book", 1100, 110, 0.03, 1.1),
    TopicShape("hotel", 1200, 120, 0.04, 1.1),
    TopicShape("job", 1500, 150, 0.025, 1.1),
    TopicShape("movie", 950, 90, 0.04, 1.1),
    TopicShape("music", 1000, 90, 0.05, 1.1),
    TopicShape("people", 500, 0, 0.08, 0.8),
    TopicShape("product", 1400, 140, 0.088, 1.0),
    TopicShape("rental", 350, 35, 0.07, 0.6),
    TopicShape("route", 150, 15, 0.06, 0.4),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Every knob of the simulated web. Published figures carry their source; the others are guesses, and say so."""

    # Sites. How many are on which topic is a guess: from topics that are everywhere to some that hardly link to each other.
    scale: float = 1.0  # of the numbers of sites and centre pages; smaller for tests
    topics: tuple[TopicShape, ...] = TOPIC_SHAPES  # errors: SmartCrawler, 2.0 to 9.1 % by topic
    background: int = 8000  # sites on none of the topics (a guess)
    directories: float = 0.03  # of them (a guess)
    size_exponent: float = 1.8  # 1.7 to 1.9: Huberman and Adamic 1999, pages of a site
    size_scale: float = 25.5  # so that 2.5 % of pages hold a form
    largest: int = 6000  # pages
    named_for_topic: float = 0.4  # of the sites on a topic: its words are in the domain (a guess)

    # Databases: Chang, He, Li, Patel and Zhang, Structured databases on the web, SIGMOD Record 2004. A site with databases has 1.5
    # of them, a database has 2.8 interfaces; 94 % of databases and 72 % of interfaces are within depth 3.
    with_database: float = 0.35  # of the sites on a topic (a guess)
    databases: tuple[float, ...] = (0.65, 0.23, 0.09, 0.03)  # of a site: one, two ...
    interfaces: tuple[float, ...] = (0.26, 0.26, 0.2, 0.12, 0.08, 0.05, 0.03)  # of a database: one, two ...
    first_depth: tuple[float, ...] = (0.2, 0.37, 0.23, 0.14, 0.04, 0.02)  # of the first interface: 0, 1 ...
    further_depth: tuple[float, ...] = (0.03, 0.18, 0.23, 0.17, 0.2, 0.13, 0.06)  # never less than the first
    same_page: float = 0.12  # interfaces that stand beside another one (a guess)
    related_database: float = 0.25  # of second databases: hotels on a site of flights (a guess)
    smallest_with_database: int = 25  # pages (a guess)

    # Forms: 2.5 % of pages hold one, one in six is relevant (as stated in the design).
    forms_of_a_page: float = 0.0155  # comments, polls, orders on ordinary pages
    boxed_pages: float = 0.0025  # pages of sites whose search box stands on every page (a guess)
    telling: float = 0.6  # links to a search form whose anchor or path says so (a guess)
    misleading: float = 0.06  # links to lists and items that look so: 2 to 4 % of ordinary links (a guess)
    search_recall: float = 0.9664  # of the form classifier, cross-validated: benchmarks/results/forms.json
    false_searches: float = 0.0054  # of forms that do not search, cross-validated as well
    topic_error: float = 0.04  # forms whose topic is misjudged (a guess)

    # Links between sites: exponents from Broder et al. 2000, Graph structure in the web. A domain links to 14.5 others: Lehmberg,
    # Meusel and Bizer 2014, Graph structure in the web aggregated by pay-level domain (623 m links of 43 m domains).
    popularity_exponent: float = 2.1  # in-links
    linked_exponent: float = 2.7  # out-links
    linked_scale: float = 20.0  # so that it is 14.5
    locality: float = 0.3  # links of a site on a topic that are drawn from its topic: weak (a guess)
    kinship: float = 0.1  # of these, where there is a database: drawn from sites with one (a guess)
    database_popularity: float = 1.3  # times that of other sites (a guess)
    deep_links: float = 0.15  # links to other sites that lead inside, not to the homepage (a guess)
    outward: tuple[float, ...] = (0.2, 0.25, 0.2, 0.15, 0.1, 0.06, 0.04)  # 0, 1 ... drawn for a page, so that
    # 4 to 11 % of links leave the site (as stated in the design)
    named_anchor: float = 0.25  # of links to other sites: the name of the other (a guess)
    worded_anchor: float = 0.6  # words of its topic (a guess); the others say nothing

    # Centre pages (guesses).
    listed: tuple[int, int] = (5, 40)  # sites on a centre page
    listed_with_database: float = 0.6
    centre_depth: tuple[int, int] = (3, 5)  # so that ordinary links rarely lead there
    reverse_answers: int = 30  # pages that reverse search gives at most

    # Nuisances: a few per cent of sites each (guesses).
    dead_sites: float = 0.015
    dead_links: float = 0.5  # of a page, on average: 1 to 3 % of links
    mirrors: float = 0.01
    traps: tuple[tuple[Trap, float], ...] = (
        ("calendar", 0.015),
        ("session", 0.02),
        ("reference", 0.02),
        ("facets", 0.03),
    )

    # Seeds: SmartCrawler, 100 of each topic.
    seeds: int = 100
    seeds_with_database: float = 0.4  # (a guess)
    known: float = 0.25  # of the sites on a topic, at most, are in directories that people look up (a guess)

    def count(self, number: int) -> int:
        """Return a number of sites or pages at this scale."""
        return max(1, round(number * self.scale)) if number else 0


@dataclass(frozen=True, slots=True)
class Interface:
    """A search form of a database: where it stands on its site. `page` counts the site's pages with interfaces; 0 is its homepage."""

    id: int
    topic: int
    database: int
    depth: int
    page: int


@dataclass(frozen=True, slots=True)
class Centre:
    """A page that lists sites of a topic."""

    site: int
    topic: int
    depth: int
    listed: tuple[int, ...]


@dataclass(slots=True)
class Site:
    """A site as it was planned. `subject` is a place in SUBJECTS; a mirror is planned like its original."""

    number: int
    subject: int
    kind: Kind
    pages: int
    domain: str
    root: str  # http://www.name.com
    name: str
    also: int = NO_TOPIC  # a second topic it has a database of
    interfaces: tuple[Interface, ...] = ()
    original: int = 0  # of a mirror: the site it copies; its own number otherwise
    trap: Trap | None = None
    box: bool = False  # its search box stands on every page
    popularity: float = 0.0
    linked: tuple[int, ...] = ()
    centres: list[Centre] = field(default_factory=list)
    taken: int = 0  # bits: the topics its homepage is taken to be on

    def is_on(self, topic: int) -> bool:
        """Say whether the site is on a topic."""
        return topic in (self.subject, self.also)

    @property
    def has_entry(self) -> bool:
        """Whether other sites link to its first section too, which no form is in."""
        return self.kind != "dead" and self.pages >= 40 + 2 * len(self.interfaces)


class Plan:
    """All sites of a simulated web."""

    def __init__(self, seed: int, shape: Shape) -> None:
        self.seed, self.shape = seed, shape
        rng = Random(f"harvest plan {seed}")
        self.sites = list(_plan_sites(shape, rng))
        self.number_of = {site.domain: site.number for site in self.sites}
        _make_mirrors(self.sites, shape, rng)
        _make_boxes(self.sites, shape, rng)
        _make_popular(self.sites, shape, rng)
        self.on_topic = [
            [site for site in self.sites if site.subject == topic] for topic in range(len(TOPICS))
        ]
        _link(self.sites, self.on_topic, shape, rng)
        _make_centres(self.sites, self.on_topic, shape, rng)
        _judge(self.sites, shape, rng)

    def databases_on(self, topic: int) -> Iterator[tuple[Site, list[Interface]]]:
        """Yield the sites with databases of a topic, and their interfaces; mirrors show those of others and do not count."""
        for site in self.sites:
            if site.original == site.number and site.is_on(topic):
                found = [interface for interface in site.interfaces if interface.topic == topic]
                if found:
                    yield site, found

    def linking(self) -> tuple[list[list[int]], list[list[Centre]]]:
        """Return by site which sites link to it, popular ones first, and which centre pages list it."""
        sites: list[list[int]] = [[] for _ in self.sites]
        centres: list[list[Centre]] = [[] for _ in self.sites]
        for site in sorted(self.sites, key=lambda each: -each.popularity):
            for other in site.linked:
                sites[other].append(site.number)
            for centre in site.centres:
                for other in centre.listed:
                    centres[other].append(centre)
        return sites, centres


def pareto(rng: Random, exponent: float, scale: float, most: float) -> int:
    """Return a number from 0 on whose tail follows a power law, shifted so that small ones are possible."""
    least = (1 + most / scale) ** (1 - exponent)
    return int(scale * ((least + (1 - least) * rng.random()) ** (1 / (1 - exponent)) - 1))


def related_topics(topic: int) -> list[int]:
    """Return the topics that share words with a topic."""
    groups = [group for group in SHARED_WORDS if TOPICS[topic] in group]
    return [TOPICS.index(other) for group in groups for other in group if other != TOPICS[topic]]


# Sites, one by one


def _plan_sites(shape: Shape, rng: Random) -> Iterator[Site]:
    names: set[str] = set()
    number = 0
    for topic, about in enumerate(shape.topics):
        for _ in range(shape.count(about.sites)):
            kind: Kind = "database" if rng.random() < shape.with_database else "plain"
            yield _site(number, topic, kind, names, shape, rng)
            number += 1
    for _ in range(shape.count(shape.background)):
        subject = rng.randrange(len(TOPICS), len(SUBJECTS))
        kind = "directory" if rng.random() < shape.directories else "plain"
        yield _site(number, subject, kind, names, shape, rng)
        number += 1


def _site(number: int, subject: int, kind: Kind, names: set[str], shape: Shape, rng: Random) -> Site:
    if kind == "plain" and rng.random() < shape.dead_sites:
        kind = "dead"
    domain, name = _domain(subject, names, shape, rng)
    prefix = rng.choice(("http://www.", "http://www.", "https://www.", "http://"))
    site = Site(number, subject, kind, 1, domain, prefix + domain, name, original=number)
    if kind == "database":
        site.interfaces = tuple(_interfaces(number, subject, shape, rng))
        site.also = next((each.topic for each in site.interfaces if each.topic != subject), NO_TOPIC)
    least = {"database": shape.smallest_with_database + 2 * len(site.interfaces), "directory": 80}.get(
        kind, 1
    )
    site.pages = _size(least, shape, rng)
    site.trap = _trap(site, shape, rng)
    return site


def _size(least: int, shape: Shape, rng: Random) -> int:
    """Return the pages of a site: a power law, of which only what is large enough counts."""
    while True:
        size = 1 + pareto(rng, shape.size_exponent, shape.size_scale, shape.largest)
        if size >= least:
            return size


def _trap(site: Site, shape: Shape, rng: Random) -> Trap | None:
    chance = rng.random()
    for trap, share in shape.traps:
        chance -= share
        if chance < 0:
            return trap if site.pages >= 20 else None
    return None


def _interfaces(number: int, subject: int, shape: Shape, rng: Random) -> Iterator[Interface]:
    """Yield the search forms of all databases of a site."""
    place, page = 0, 0
    for database in range(_one_of(shape.databases, rng) + 1):
        topic = subject
        if database and rng.random() < shape.related_database:
            topic = rng.choice(related_topics(subject))
        first = depth = _one_of(shape.first_depth, rng)
        for further in range(_one_of(shape.interfaces, rng) + 1):
            beside = further and rng.random() < shape.same_page
            if not beside:
                depth = max(first, _one_of(shape.further_depth, rng)) if further else first
                page += depth > 0
            yield Interface(number * 100_000 + place, topic, database, depth, page if depth else 0)
            place += 1


def _one_of(weights: Sequence[float], rng: Random) -> int:
    return rng.choices(range(len(weights)), weights)[0]


def _domain(subject: int, names: set[str], shape: Shape, rng: Random) -> tuple[str, str]:
    """Return a domain that is not taken yet, and what the site calls itself."""
    suffixes, weights = zip(*SUFFIXES, strict=True)
    while True:
        if subject < len(TOPICS) and rng.random() < shape.named_for_topic:
            word = rng.choice(TOPIC_WORDS[SUBJECTS[subject]].split()[:12])
            other = rng.choice(NAME_PARTS) if rng.random() < 0.5 else invent_word(rng)
            parts = [word, other] if rng.random() < 0.5 else [other, word]
        else:
            parts = [invent_word(rng), rng.choice(NAME_PARTS)] if rng.random() < 0.4 else [invent_word(rng)]
        joint = "-" if rng.random() < 0.25 else ""
        domain = f"{joint.join(parts)}.{rng.choices(suffixes, weights)[0]}"
        if domain not in names and len(domain) > 6:
            names.add(domain)
            return domain, " ".join(parts).title()


# Sites, all together


def _make_mirrors(sites: list[Site], shape: Shape, rng: Random) -> None:
    """Turn some plain sites into copies of others on the same subject."""
    by_subject: dict[int, list[Site]] = {}
    for site in sites:
        if site.kind in ("plain", "database") and 20 <= site.pages <= 800 and not site.trap:
            by_subject.setdefault(site.subject, []).append(site)
    copied: set[int] = set()
    for site in rng.sample(sites, round(len(sites) * shape.mirrors)):
        if site.kind != "plain" or site.number in copied or site.subject not in by_subject:
            continue
        model = rng.choice(by_subject[site.subject])
        if model.original == model.number != site.number:
            copied.add(model.number)
            site.original, site.pages, site.kind = model.number, model.pages, model.kind
            site.interfaces, site.also, site.trap = model.interfaces, model.also, None


def _mirrors(sites: Sequence[Site]) -> set[int]:
    """Return mirrors and what they copy: they must stay alike."""
    mirrors = [site for site in sites if site.original != site.number]
    return {site.number for site in mirrors} | {site.original for site in mirrors}


def _make_boxes(sites: list[Site], shape: Shape, rng: Random) -> None:
    """Put a search box on every page of some sites, until so many pages have one."""
    alike = _mirrors(sites)
    left = shape.boxed_pages * sum(site.pages for site in sites)
    while left > 0:
        site = rng.choice(sites)
        if site.kind in ("plain", "database") and 10 <= site.pages <= 600 and site.number not in alike:
            site.box = True
            left -= site.pages


def _make_popular(sites: list[Site], shape: Shape, rng: Random) -> None:
    """Deal out ranks, of which popularity follows by a power law; the first ones are portals, which are on no topic."""
    portals = [site for site in sites if site.subject >= len(TOPICS) and site.kind == "plain"]
    first = rng.sample(portals, min(20, len(portals) // 4))
    taken = {site.number for site in first}
    others = [site for site in sites if site.number not in taken]
    rng.shuffle(others)
    for rank, site in enumerate([*first, *others]):
        site.popularity = ((rank + 0.5) / len(sites)) ** (1 / (1 - shape.popularity_exponent))
        if site.kind == "database":
            site.popularity *= shape.database_popularity


@dataclass(frozen=True, slots=True)
class _Urn:
    """Sites to draw from, popular ones more likely."""

    numbers: tuple[int, ...]
    summed: tuple[float, ...]

    @classmethod
    def of(cls, sites: Sequence[Site], power: float = 1.0) -> _Urn:
        return cls(
            tuple(site.number for site in sites),
            tuple(accumulate(site.popularity**power for site in sites)),
        )

    def draw(self, rng: Random, count: int) -> list[int]:
        return rng.choices(self.numbers, cum_weights=self.summed, k=count) if self.numbers else []


def _link(sites: Sequence[Site], on_topic: Sequence[Sequence[Site]], shape: Shape, rng: Random) -> None:
    """Decide for each site which others it links to."""
    everywhere = _Urn.of(sites)
    alike = [_Urn.of(group) for group in on_topic]
    searched = [_Urn.of([site for site in group if site.kind == "database"]) for group in on_topic]
    for site in sites:
        left = _links_out(site, shape, rng)
        drawn: list[int] = []
        if site.subject < len(TOPICS):
            near = _successes(left, shape.locality * shape.topics[site.subject].cohesion, rng)
            akin = _successes(near, shape.kinship if site.kind == "database" else 0.0, rng)
            drawn += searched[site.subject].draw(rng, akin)
            drawn += alike[site.subject].draw(rng, near - akin)
            left -= near
        drawn += everywhere.draw(rng, left)
        rng.shuffle(drawn)
        site.linked = tuple(number for number in dict.fromkeys(drawn) if number != site.number)


def _links_out(site: Site, shape: Shape, rng: Random) -> int:
    """Return how many links of a site to others are drawn, some of them to the same one."""
    drawn = pareto(rng, shape.linked_exponent, shape.linked_scale, 400)
    if site.kind == "directory":
        return 60 + drawn
    return min(drawn, 3 + site.pages) if site.kind != "dead" else 0


def _successes(tries: int, chance: float, rng: Random) -> int:
    return sum(rng.random() < chance for _ in range(tries)) if chance else 0


def _make_centres(
    sites: Sequence[Site], on_topic: Sequence[Sequence[Site]], shape: Shape, rng: Random
) -> None:
    """Put pages that list sites of a topic on directories and on sites of that topic without a database."""
    directories = [site for site in sites if site.kind == "directory"]
    alike = _mirrors(sites)
    for topic, group in enumerate(on_topic):
        hosts = [
            site for site in group if site.kind == "plain" and site.pages >= 60 and site.number not in alike
        ]
        searched = _Urn.of([site for site in group if site.kind == "database"], 0.5)
        plain = _Urn.of([site for site in group if site.kind == "plain"], 0.5)
        for _ in range(shape.count(shape.topics[topic].centres)):
            host = rng.choice(directories if directories and (rng.random() < 0.6 or not hosts) else hosts)
            count = rng.randint(*shape.listed)
            with_database = sum(rng.random() < shape.listed_with_database for _ in range(count))
            drawn = searched.draw(rng, with_database) + plain.draw(rng, count - with_database)
            rng.shuffle(drawn)
            listed = tuple(number for number in dict.fromkeys(drawn) if number != host.number)
            host.centres.append(Centre(host.number, topic, rng.randint(*shape.centre_depth), listed))


def _judge(sites: Sequence[Site], shape: Shape, rng: Random) -> None:
    """Decide which topics each homepage is taken to be on: the truth, but for errors."""
    for site in sites:
        for topic, about in enumerate(shape.topics):
            site.taken |= (site.is_on(topic) != (rng.random() < about.error)) << topic
    for site in sites:
        site.taken = sites[site.original].taken
