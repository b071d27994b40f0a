"""The whole small web: which hosts there are, who links to whom, and what state it is in.

A world of ten thousand hosts is a list of names and a few numbers; sites are made when asked for and the least
recently used are dropped, so memory is bounded by a setting and not by the size of the world. In-links follow a power law:
a link's target is drawn by rank with P(rank) ~ rank ** -0.9, which gives in-degrees an exponent of about 2.1.
"""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from simweb import chance
from simweb.booby_traps import dealt
from simweb.catalogue import Catalogue
from simweb.database import Database
from simweb.escaping import escape
from simweb.faults import Faults
from simweb.forms import FURTHER_STYLES, STYLES
from simweb.journal import Effect, Journal
from simweb.languages import LANGUAGES, language
from simweb.life import Hand
from simweb.manners import MANNERS, PLAIN_TOPICS, add_manner
from simweb.plan import ENGLISH_ONLY, Role, SitePlan, plan_site, section_path, sections_of
from simweb.site import Site, native_slug, slug
from simweb.topics import TOPICS, TOPICS_WITH_FILES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from simweb.forms import Form
    from simweb.messages import Parameters, Request, Response

DATABASE_SHARE = 0.17
FEWEST_DATABASES = 40
HUB_SHARE = 0.03
TRAP_SHARE = 0.04
LINK_EXPONENT = 0.9
LOCALITY = 0.35
DEPENDENT_TOPICS = ("cars", "homes", "places")
TO_DATABASES_FROM_HUBS = 0.5

_SENTENCES = 512
_TITLES = 512
_PASSAGES = 512
_PAGES_IN_MEMORY = 150_000
_OPEN_DATABASES = 128
_SIZE_EXPONENT = 1.3
_WORDS = ("finder", "index", "world", "online", "archive", "net", "hub", "guide", "base", "desk", "club", "central",
          "portal", "lab", "point", "house", "land", "direct", "review", "store", "line", "list")  # fmt: skip
_FRONTS = (
    "the",
    "my",
    "all",
    "best",
    "open",
    "city",
    "north",
    "old",
    "new",
    "blue",
    "first",
    "royal",
    "free",
    "wide",
)


class World:
    """A web of sites that follows from a seed."""

    def __init__(
        self,
        seed: int = 7,
        sites: int = 200,
        *,
        pages_per_site: int = 100,
        direct: int = 4,
        port: int = 0,
        data: Path | None = None,
        largest_database: int = 5000,
        text_bytes: int = 3500,
        cards: int = 0,
        locality: float = LOCALITY,
        booby_traps: bool | Literal["held out"] = False,
        styles: Sequence[str] = (),
        manners: Sequence[str] = (),
        folder: Path | None = None,
    ) -> None:
        if sites < 1:
            raise ValueError(f"a world needs at least one site, not {sites}")
        if booby_traps not in (False, True, "held out"):
            raise ValueError(f"booby traps are there, are not there, or are 'held out', not {booby_traps!r}")
        for style in styles:
            if style not in (*STYLES, *FURTHER_STYLES):
                raise ValueError(
                    f"there is no style of forms called {style!r}; there are {', '.join((*STYLES, *FURTHER_STYLES))}"
                )
        for manner in manners:
            if manner not in MANNERS:
                raise ValueError(f"there is no manner called {manner!r}; there are {', '.join(MANNERS)}")
        for topic in TOPICS_WITH_FILES if data is not None else ():
            Catalogue(topic, "en", seed, 1, data)  # a file that cannot be read is an error now, not later
        self.seed = seed
        self.sites = sites
        self.direct = direct
        self.data = data
        self.text_bytes = text_bytes
        self.cards = cards
        self.locality = locality
        self.booby_traps = booby_traps
        self.manners = tuple(manners)
        self.styles = tuple(styles) or (("box",) if manners else ())
        self.largest_database = largest_database
        self.now = 0.0
        self._folder = tempfile.TemporaryDirectory(prefix="simweb-") if folder is None else None
        self.folder = Path(self._folder.name) if self._folder else folder or Path()
        self.journal = Journal(self.folder / "journal.sqlite")
        self.faults = Faults(seed)
        self._hands: dict[int, Hand] = {}
        self._sites: OrderedDict[int, Site] = OrderedDict()
        self._pages_in_memory = 0
        self._databases: OrderedDict[int, Database] = OrderedDict()
        self._plans = lru_cache(maxsize=16_384)(self._plan)
        self._lay_out(pages_per_site)
        self.port = port

    @property
    def port(self) -> int:
        """Return the port of the sites with an address of their own, which is the proxy's."""
        return self._port

    @port.setter
    def port(self, port: int) -> None:
        self._port = port
        self._numbers = {self.host(number): number for number in self.numbers}
        self._plans.cache_clear()
        self._sites.clear()
        self._pages_in_memory = 0

    def close(self) -> None:
        """Give back files and memory."""
        for database in self._databases.values():
            database.close()
        self._databases.clear()
        self.journal.close()
        if self._folder:
            self._folder.cleanup()

    # Sites

    @property
    def numbers(self) -> range:
        """Return the numbers of all sites; those with an address of their own come last."""
        return range(self.sites + self.direct)

    def host(self, number: int) -> str:
        """Return the host name of a site, or its address and port."""
        if number < self.sites:
            return self._hosts[number]
        return f"127.0.0.{number - self.sites + 2}:{self.port}"

    def number_of(self, host: str) -> int | None:
        """Return the number of a host, or None for a stranger."""
        return self._numbers.get(host)

    def plan(self, number: int) -> SitePlan:
        """Return the plan of a site."""
        return self._plans(number)

    def site(self, number: int) -> Site:
        """Return a site, made anew if it is not in memory."""
        known = self._sites.get(number)
        if known is not None:
            self._sites.move_to_end(number)
            return known
        site = self._sites[number] = Site(self, self.plan(number), self.hand(number))
        self._pages_in_memory += site.plan.pages
        while self._pages_in_memory > _PAGES_IN_MEMORY and len(self._sites) > 1:
            _, dropped = self._sites.popitem(last=False)
            self._pages_in_memory -= dropped.plan.pages
        return site

    @property
    def databases(self) -> list[Site]:
        """Return the sites with a database, in the order in which styles and manners go round."""
        return [self.site(number) for number in self._database_turns]

    def hand(self, number: int) -> Hand:
        """Return what was changed by hand at a site."""
        if number not in self._hands:
            self._hands[number] = Hand()
        return self._hands[number]

    def site_at(self, host: str) -> Site | None:
        """Return the site of a host name."""
        number = self.number_of(host)
        return None if number is None else self.site(number)

    def database_of(self, site: Site) -> Database:
        """Return the open database of a site; the least recently used one is closed."""
        number = site.plan.number
        if number not in self._databases:
            assert site.plan.database is not None
            path = self.folder / f"{number}.sqlite"
            behaviour = site.plan.database.behaviour
            self._databases[number] = Database(path, site.catalogue, behaviour, site.life, site.hand)
            if len(self._databases) > _OPEN_DATABASES:
                self._databases.popitem(last=False)[1].close()
        self._databases.move_to_end(number)
        return self._databases[number]

    def respond(self, request: Request) -> Response | None:
        """Answer a request without any fault, or None where there is no such host."""
        site = self.site_at(request.host)
        return None if site is None else site.respond(request)

    def count_effect(self, host: str, form: Form, parameters: Parameters, clock: float) -> None:
        """Write down that a form was submitted which should have been left alone."""
        self.journal.effect(Effect(clock, host, form.key, form.purpose, form.method, tuple(parameters)))

    def sentences(self, code: str, topic: str) -> tuple[str, ...]:
        """Return a stock of sentences on a topic, escaped for HTML."""
        return _sentences(self.seed, code, topic)

    def passages(self, code: str, topic: str) -> tuple[str, ...]:
        """Return a stock of passages on a topic, a few sentences each, escaped for HTML."""
        return _passages(self.seed, code, topic)

    def titles(self, code: str, topic: str) -> tuple[tuple[str, str], ...]:
        """Return a stock of titles on a topic, each with the words an address makes of it."""
        return _titles(self.seed, code, topic)

    # Links between sites

    def link_target(self, plan: SitePlan, page: int, state: int) -> int:
        """Return which site a link leads to: popular ones more often, those of the same topic a little more often."""
        if plan.number >= self.sites:
            return self.sites + state % self.direct
        u = (state & 0xFFFFFFFF) / (1 << 32)
        kind = ((state >> 32) & 0xFFFF) / (1 << 16)
        group = self._order
        if plan.is_hub:
            topic = TOPICS[page % len(TOPICS)] if page else plan.topic
            databases = self._databases_by_topic[topic]
            group = databases if databases and kind < TO_DATABASES_FROM_HUBS else self._by_topic[topic]
        elif kind < self.locality:
            group = self._by_topic[plan.topic]
        if not group:
            group = self._order
        target = group[chance.zipf_rank(u, len(group), LINK_EXPONENT)]
        return (
            target
            if target != plan.number
            else self._order[chance.zipf_rank(u, self.sites, LINK_EXPONENT) - 1]
        )

    def entry_url(self, number: int, state: int) -> str:
        """Return the address a link from outside leads to: the homepage, or now and then a section."""
        host = self.host(number)
        if state % 5 == 0 and self._pages[number] > 12:
            sections = sections_of(self.seed, number, self._pages[number])
            return f"http://{host}{section_path(sections[state // 5 % len(sections)])}"
        return f"http://{host}/"

    def anchor(self, number: int, state: int) -> str:
        """Return the text of a link to a site: what it is called, or a few words of its topic."""
        code, topic = self._languages[number], self._topics[number]
        if state % 3 == 0:
            return self.host(number)
        words = language(code).topic_words(topic)
        return f"{words[state // 3 % len(words)]} {words[state // 64 % len(words)]}"

    # Making the world

    def _lay_out(self, pages_per_site: int) -> None:
        everything = self.sites + self.direct
        draw = chance.rng(self.seed, "world")
        self._pages = _sizes(everything, pages_per_site, draw)
        self._order = draw.sample(range(self.sites), self.sites)
        self._roles(draw)
        self._topics = [self._topic(number, draw) for number in range(everything)]
        self._languages = [self._language(topic, draw) for topic in self._topics]
        if self.manners:
            self._languages = [
                "en" if n in self._database_turns else c for n, c in enumerate(self._languages)
            ]
        self._booby_traps = self._deal_booby_traps() if self.booby_traps else {}
        self._hosts = _host_names(self._topics[: self.sites], draw)
        self._by_topic = {t: [n for n in self._order if self._topics[n] == t] for t in TOPICS}
        self._databases_by_topic = {
            t: [n for n in self._by_topic[t] if n in self._database_turns] for t in TOPICS
        }

    def _roles(self, draw: Random) -> None:
        """Say who has a database, who is a hub and who has a trap; enough databases even in a small world.

        Traps come in pairs, one on a site with a database and one on a site without.
        """
        count = min(
            self.sites, max(round(self.sites * DATABASE_SHARE), min(-(-self.sites // 2), FEWEST_DATABASES))
        )
        shuffled = draw.sample(range(self.sites), self.sites)
        chosen = shuffled[:count] + list(range(self.sites, self.sites + self.direct))
        self._database_turns = {number: turn for turn, number in enumerate(chosen)}
        self._hubs = frozenset(shuffled[count : count + max(round(self.sites * HUB_SHARE), self.sites // 30)])
        trapped = max(round(self.sites * TRAP_SHARE), min(self.sites // 8, 16)) // 2
        pairs = zip(shuffled[:trapped], shuffled[-1 : -trapped - 1 : -1], strict=True)
        self._trap_turns = {number: turn for turn, pair in enumerate(pairs) for number in pair}

    def _topic(self, number: int, draw: Random) -> str:
        """Draw a topic; a form with dependent choices needs one that has them."""
        turn = self._database_turns.get(number)
        if self.manners and turn is not None:
            return draw.choice(PLAIN_TOPICS)
        dependent = turn is not None and self._style(turn) in ("dependent", "steps")
        return draw.choice(DEPENDENT_TOPICS if dependent else TOPICS)

    def _style(self, turn: int) -> str:
        """Return the style of the search form of the database whose turn it is."""
        styles = self.styles or STYLES
        return styles[turn % len(styles)]

    def _language(self, topic: str, draw: Random) -> str:
        if topic in ENGLISH_ONLY or draw.random() < 0.42:
            return "en"
        return LANGUAGES[draw.randrange(1, len(LANGUAGES))]

    def _deal_booby_traps(self) -> dict[int, tuple[str, ...]]:
        """Deal booby traps to the sites with a database, whose languages go round in turn then."""
        for number, turn in self._database_turns.items():
            if self._topics[number] not in ENGLISH_ONLY:
                self._languages[number] = LANGUAGES[(turn + turn // len(STYLES)) % len(LANGUAGES)]
        return dealt(
            (number, self._languages[number], self._style(turn))
            for number, turn in self._database_turns.items()
        )

    def _plan(self, number: int) -> SitePlan:
        topic = self._topics[number]
        code = self._languages[number]
        from_files = self.data is not None and topic in TOPICS_WITH_FILES and number in self._database_turns
        if from_files:
            code = "en"
        turn = self._database_turns.get(number)
        role = Role(
            number, self.host(number), topic, code, self._pages[number],
            turn, self._trap_turns.get(number), number in self._hubs, self._booby_traps.get(number, ()),
            self._style(turn) if turn is not None else "",
        )  # fmt: skip
        whole = from_files or bool(self.manners)
        plan = plan_site(self.seed, role, self.largest_database, whole=whole)
        if turn is None or not self.manners:
            return plan
        return add_manner(plan, self.manners[turn % len(self.manners)])


@lru_cache(maxsize=256)
def _sentences(seed: int, code: str, topic: str) -> tuple[str, ...]:
    draw = chance.rng(seed, code, topic, "sentences")
    speak = language(code).sentence
    return tuple(escape(speak(draw, topic, draw.randint(7, 18))) for _ in range(_SENTENCES))


@lru_cache(maxsize=256)
def _passages(seed: int, code: str, topic: str) -> tuple[str, ...]:
    draw = chance.rng(seed, code, topic, "passages")
    sentences = _sentences(seed, code, topic)
    joiner = "" if code in ("zh", "ja") else " "
    return tuple(joiner.join(draw.sample(sentences, draw.randint(3, 5))) for _ in range(_PASSAGES))


@lru_cache(maxsize=256)
def _titles(seed: int, code: str, topic: str) -> tuple[tuple[str, str], ...]:
    draw = chance.rng(seed, code, topic, "titles")
    titles = (language(code).title(draw, topic) for _ in range(_TITLES))
    keeps_script = chance.draw(seed, code, topic, "script in addresses") % 2 == 0
    return tuple((title, slug(title) or (native_slug(title) if keeps_script else "p")) for title in titles)


def _sizes(count: int, mean: int, draw: Random) -> list[int]:
    """Return pages per site: a power law cut off at 200 times the mean."""
    largest = max(mean * 200.0, 4.0)
    smallest = _smallest_for(mean, largest)
    shrink = 1 - (smallest / largest) ** _SIZE_EXPONENT
    return [
        max(1, min(20_000, round(smallest * (1 - draw.random() * shrink) ** (-1 / _SIZE_EXPONENT))))
        for _ in range(count)
    ]


def _smallest_for(mean: float, largest: float) -> float:
    """Return the smallest size that gives a cut-off power law the wanted mean, by halving the interval."""
    low, high = 0.01, float(mean)
    a = _SIZE_EXPONENT
    for _ in range(60):
        middle = (low + high) / 2
        weight = a * middle**a / (1 - (middle / largest) ** a)
        reached = weight * (largest ** (1 - a) - middle ** (1 - a)) / (1 - a)
        low, high = (middle, high) if reached < mean else (low, middle)
    return high


def _host_names(topics: list[str], draw: Random) -> list[str]:
    """Return distinct host names under .example, made of the words such sites are named with."""
    english = language("en")
    taken: set[str] = set()
    names = []
    for topic in topics:
        words = [word for word in english.topic_words(topic) if word.isascii() and word.isalpha()]
        name = _host_name([word.lower() for word in words], draw)
        while name in taken:
            label, _, rest = name.partition(".example")
            name = f"{label}{draw.randrange(1000)}.example{rest}"
        taken.add(name)
        names.append(name)
    return names


def _host_name(words: list[str], draw: Random) -> str:
    word, second = draw.choice(words), draw.choice(_WORDS)
    label = draw.choice((
        f"{word}{second}", f"{draw.choice(_FRONTS)}{word}", f"{word}-{second}", f"{draw.choice(_FRONTS)}-{word}",
        f"{word}{draw.choice(words)}", f"{draw.choice(_FRONTS)}{word}{second}",
    ))  # fmt: skip
    front = draw.choice(("www.", "www.", "", "", "search.", "catalog.", "db."))
    zone = draw.choice(("", "", "", ".co", ".ac", ".lib", ".city"))
    return f"{front}{label}{zone}.example"
