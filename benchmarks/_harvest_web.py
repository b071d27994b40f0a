"""A simulated web on which ways of crawling are compared: how many relevant search forms do they find in so many pages?

Twelve topics, those of the SmartCrawler paper, from rich ones (1,500 sites on jobs) to sparse ones (150 on routes); 18,000 sites and 3.9
million pages in all, which are written when somebody asks for them. A third of the sites on a topic has databases, with search forms
at all depths; the others only look like it. Sites keep to their topic weakly, so who follows links from good sites mostly arrives at
others; pages that list many sites of a topic, centre pages, are known to reverse search (`linking`) and hard to reach by links. There
are logins and newsletters, searches of the site itself, links that look like a way to a search and are none, mirrors and traps.

The same seed gives the same web in any process. What is planned is told by `benchmarks._harvest_plan`, where every figure is a knob with
its source; how the pages of a site hang together by `benchmarks._harvest_layout`; what they say by `benchmarks._harvest_pages` and
`benchmarks._harvest_material`; how like the real web it is by `benchmarks._harvest_calibration`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from benchmarks._harvest_forms import FormSeen
from benchmarks._harvest_material import SUBJECTS, TOPICS, material
from benchmarks._harvest_pages import Writer
from benchmarks._harvest_plan import Plan, Shape, related_topics
from benchmarks._harvest_words import WORDS_OF_A_PERSON
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from benchmarks._harvest_layout import Layout, Place
    from benchmarks._harvest_pages import Drawn
    from benchmarks._harvest_plan import Interface, Site
    from hiddenweb.model import Page

__all__ = ["Answer", "FormSeen", "GraphWeb", "Shape"]

DEPTH = 3  # as deep as SC1 lets a crawl go

_ANSWERS_KEPT = 4000
_SITES_KEPT = 2000
_EXAMPLES = 40  # on topic, and twice as many off topic


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of fetching an address: the page, and the forms on it, of which the page itself says nothing."""

    page: Page
    forms: tuple[FormSeen, ...]


class GraphWeb:
    """A simulated web."""

    topics: tuple[str, ...] = TOPICS

    def __init__(self, seed: int, shape: Shape = Shape(), data: Path | None = None) -> None:  # noqa: B008  it is frozen
        self.seed, self.shape = seed, shape
        self._material = material(data)
        self.material = self._material.name
        self.plan = Plan(seed, shape)
        self._writer = Writer(self.plan, self._material)
        self._linking, self._listing = self.plan.linking()
        self._drawn = lru_cache(_SITES_KEPT)(self._draw)
        self._answer = lru_cache(_ANSWERS_KEPT)(self._answer_to)
        self._pages_linking = lru_cache(_SITES_KEPT)(self._pages_linking_to)
        self._seeds = cache(self._seeds_of)
        self._reachable = cache(self._sites_in_reach)

    # What a person brings along

    def words(self, topic: str) -> tuple[str, ...]:
        """Return the words that a person would write into a topic file."""
        return tuple(WORDS_OF_A_PERSON[topic].split())

    def examples(self, topic: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return texts of pages on and off topic; no page of this web has them."""
        rng = Random(f"harvest examples {self.seed} {topic}")
        number = TOPICS.index(topic)
        near = related_topics(number) or [number - 1]
        far = [subject for subject in range(len(SUBJECTS)) if subject != number]
        on = tuple(self._text(number, rng) for _ in range(_EXAMPLES))
        off = tuple(
            self._text(rng.choice(near if rng.random() < 0.2 else far), rng) for _ in range(2 * _EXAMPLES)
        )
        return on, off

    def _text(self, subject: int, rng: Random) -> str:
        words = self._material.general.draw(rng, rng.randint(90, 230))
        step = rng.randint(3, 9)
        words[::step] = self._material.special[subject].draw(rng, len(range(0, len(words), step)))
        return " ".join(words)

    def seeds(self, topic: str) -> tuple[str, ...]:
        """Return 100 homepages on a topic as a person collects them: popular ones, four in ten of them with a database.

        Directories know only a part of the sites; where that is less than a hundred, directories themselves fill it up.
        """
        return self._seeds(topic)

    def _seeds_of(self, topic: str) -> tuple[str, ...]:
        rng = Random(f"harvest seeds {self.seed} {topic}")
        group = [site for site in self.plan.on_topic[TOPICS.index(topic)] if site.kind != "dead"]
        count = min(self.shape.seeds, int(self.shape.known * len(group)))
        searched = round(count * self.shape.seeds_with_database)
        chosen = _popular([site for site in group if site.kind == "database"], searched, rng)
        chosen += _popular([site for site in group if site.kind != "database"], count - searched, rng)
        directories = [site for site in self.plan.sites if site.kind == "directory"]
        chosen += rng.sample(directories, min(self.shape.seeds - len(chosen), len(directories)))
        rng.shuffle(chosen)
        return tuple(f"{site.root}/" for site in chosen)

    # What a crawl sees

    def read(self, url: str) -> Answer | None:
        """Return what is at an address, the same each time; None if there is nothing, or nobody answers."""
        return self._answer(url)

    def _answer_to(self, url: str) -> Answer | None:
        found = self.find(url)
        if found is None:
            return None
        drawn, place = self._drawn(found[0].number), found[1]
        return Answer(self._writer.page(drawn, place, url), drawn.layout.forms_on(place.page))

    def linking(self, url: str) -> tuple[str, ...]:
        """Return addresses of pages that link to a site, as reverse search would: centre pages first, then those of popular sites."""
        number = self._number(url)
        return () if number is None else self._pages_linking(number)

    def _pages_linking_to(self, number: int) -> tuple[str, ...]:
        most = self.shape.reverse_answers
        pages = []
        for centre in self._listing[number][:most]:
            layout = self._drawn(centre.site).layout
            pages += [
                layout.site.root + special.path for special in layout.specials if special.centre is centre
            ]
        for other in self._linking[number][: most - len(pages)]:
            drawn = self._drawn(other)
            page = next(page for page, linked in drawn.outward.items() if number in linked)
            pages.append(drawn.layout.site.root + drawn.layout.path(page))
        return tuple(dict.fromkeys(pages))

    def is_taken_for_on_topic(self, url: str, topic: str) -> bool:
        """Say whether a site classifier takes a site to be on a topic: the truth, with an error of 2 to 9 % by topic."""
        number = self._number(url)
        return number is not None and bool(self.plan.sites[number].taken >> TOPICS.index(topic) & 1)

    # The truth

    def is_on_topic(self, url: str, topic: str) -> bool:
        """Say whether a site is on a topic."""
        number = self._number(url)
        return number is not None and self.plan.sites[number].is_on(TOPICS.index(topic))

    def relevant_forms(self, topic: str, depth: int | None = None) -> int:
        """Return how many search forms of databases of a topic there are, all or down to a depth."""
        found = (each for _, forms in self.plan.databases_on(TOPICS.index(topic)) for each in forms)
        return sum(depth is None or form.depth <= depth for form in found)

    def most_findable(self, topic: str, budget: int) -> int:
        """Return a number of relevant forms that no order of fetching can exceed within a budget of pages.

        It is granted that all sites are known that the seeds lead to at all, by links and reverse search, that nothing is fetched
        without need, and that any page of a site links to all its pages that are one step deeper. What remains: a page costs one
        fetch, a form at depth d needs a page of its site at each smaller depth, and nothing deeper than 3 is fetched. That gives for
        each site the most forms that so many pages can bring; made concave, the steps of all sites are taken by forms per page until
        the budget is spent. Whatever a crawl does, it brings no more from a site than its curve says, so this is an upper bound.
        """
        steps: list[tuple[float, int]] = []
        for site, forms in self.plan.databases_on(TOPICS.index(topic)):
            if site.number in self._reachable(topic):
                steps += _steps(_most_by_pages(forms))
        found, left = 0.0, budget
        for rate, pages in sorted(steps, reverse=True):
            found += rate * min(pages, left)
            left -= min(pages, left)
        return int(found + 1e-6)

    def _sites_in_reach(self, topic: str) -> set[int]:
        """Return the sites that the seeds lead to, by links and reverse search; where a mirror is, its original is as well."""
        first = [number for seed in self.seeds(topic) if (number := self._number(seed)) is not None]
        seen, waiting = set(first), deque(first)
        while waiting:
            for number in self._next_to(self.plan.sites[waiting.popleft()]):
                if number not in seen:
                    seen.add(number)
                    waiting.append(number)
        return seen | {self.plan.sites[number].original for number in seen}

    def _next_to(self, site: Site) -> Iterable[int]:
        yield from site.linked
        for centre in site.centres:
            yield from centre.listed
        most = self.shape.reverse_answers
        yield from (centre.site for centre in self._listing[site.number][:most])
        yield from self._linking[site.number][:most]

    # Finding one's way

    def some_pages(self, count: int, rng: Random) -> list[str]:
        """Return addresses of pages, each page of the web as likely as any other."""
        summed = list(accumulate(0 if site.kind == "dead" else site.pages for site in self.plan.sites))
        sites = rng.choices(self.plan.sites, cum_weights=summed, k=count)
        return [site.root + self.layout(site).path(rng.randrange(site.pages)) for site in sites]

    def find(self, url: str) -> tuple[Site, Place] | None:
        """Return the site and the page that an address means; None if there is nothing, or nobody answers."""
        _, _, rest = url.partition("://")
        host, _, path = rest.partition("/")
        path, _, query = path.partition("?")
        number = self.plan.number_of.get(host.removeprefix("www."))
        if number is None or self.plan.sites[number].kind == "dead":
            return None
        place = self._drawn(number).layout.find(f"/{path}", query)
        return None if place is None else (self.plan.sites[number], place)

    def layout(self, site: Site) -> Layout:
        """Return how the pages of a site hang together."""
        return self._drawn(site.number).layout

    def _draw(self, number: int) -> Drawn:
        return self._writer.draw_site(self.plan.sites[number])

    def _number(self, url: str) -> int | None:
        return self.plan.number_of.get(registered_domain(url))


def _popular(sites: Sequence[Site], count: int, rng: Random) -> list[Site]:
    """Return some sites, popular ones more likely, none twice."""
    by_chance = sorted(sites, key=lambda site: rng.random() ** (1 / site.popularity), reverse=True)
    return by_chance[:count]


def _most_by_pages(forms: Iterable[Interface]) -> list[int]:
    """Return the most forms of a site that 0, 1, 2 ... pages can bring, one page at each depth down to the deepest at least."""
    counts: dict[tuple[int, int], int] = {}
    for form in forms:
        if form.depth <= DEPTH:
            counts[form.depth, form.page] = counts.get((form.depth, form.page), 0) + 1
    most = [0] * (len(counts) + DEPTH + 2)
    for deepest in range(DEPTH + 1):
        found: list[int] = []
        spare: list[int] = []
        for depth in range(deepest + 1):
            here = sorted((count for (at, _), count in counts.items() if at == depth), reverse=True)
            found.append(here[0] if here else 0)
            spare += here[1:]
        gained = accumulate([sum(found), *sorted(spare, reverse=True)])
        for pages, forms_found in enumerate(gained, start=deepest + 1):
            most[pages] = max(most[pages], forms_found)
    return list(accumulate(most, max))


def _steps(most: Sequence[int]) -> list[tuple[float, int]]:
    """Return the steps of the smallest concave curve above a growing one: forms per page, and pages."""
    steps = []
    at = 0
    while most[at] < most[-1]:
        rate, after = max(
            ((most[after] - most[at]) / (after - at), after) for after in range(at + 1, len(most))
        )
        steps.append((rate, after - at))
        at = after
    return steps
