"""The truth about a world: what a perfect crawler would find, and what a careless one did.

Answers are predicted by reading every record (`simweb.search.matches`), not by asking the index that serves them.
What links alone can reach is found by following the links the pages were written with, not by parsing them.
"""

from __future__ import annotations

import heapq
import re
from collections import deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from simweb.answers import outcome
from simweb.messages import Request, split_parameters
from simweb.robots import is_allowed
from simweb.search import Query, asked_tokens, matches, searched_text, tokens
from simweb.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from simweb.answers import Outcome
    from simweb.catalogue import Record
    from simweb.forms import Form
    from simweb.messages import Parameters, Response
    from simweb.site import Site
    from simweb.world import World

_PAIRS_PER_WORD = 30
_TOLERANCE = 0.9


@dataclass(frozen=True, slots=True)
class FormTruth:
    """A form as it stands on a page."""

    host: str
    page: str
    depth: int
    form: Form

    @property
    def action(self) -> str:
        """Return the address the form is sent to."""
        return f"http://{self.host}{self.form.action}"


@dataclass(frozen=True, slots=True)
class RecordTruth:
    """A record, and where it can be seen; without a page of its own it shows only in answers."""

    host: str
    record: Record
    page: str | None


@dataclass(frozen=True, slots=True)
class Reach:
    """What following links alone leads to: addresses without session ids, and records (host, number) seen on them."""

    pages: frozenset[str]
    records: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Step:
    """One query of the oracle: what is asked, how many records it brings that no query before it brought."""

    query: Query
    new: int
    covered: int


@dataclass(frozen=True, slots=True)
class Violation:
    """One request that should not have been sent, or not yet."""

    rule: str
    host: str
    target: str
    number: int


class Truth:
    """Knows everything about a world."""

    def __init__(self, world: World) -> None:
        self.world = world

    # Sites, pages and links

    def sites(self, *, topic: str | None = None, databases: bool | None = None) -> Iterator[Site]:
        """Yield sites, perhaps only those of a topic, or only those with (or without) a database."""
        for number in self.world.numbers:
            plan = self.world.plan(number)
            if topic in (None, plan.topic) and databases in (None, plan.database is not None):
                yield self.world.site(number)

    def site(self, host: str) -> Site:
        """Return the site of a host."""
        site = self.world.site_at(host)
        if site is None:
            raise KeyError(f"no host {host!r} in this world")
        return site

    def pages(self, host: str) -> Iterator[str]:
        """Yield the addresses of a site's public pages."""
        site = self.site(host)
        for page in range(site.plan.pages):
            yield f"http://{host}{site.path(page)}"

    def links(self, url: str) -> list[str]:
        """Return the addresses a page links to, absolute, in their order."""
        response = self._fetched(url)
        return [urljoin(url, link) for link in response.links] if response else []

    def identity(self, url: str) -> str:
        """Return one address for all that show the same page: no session id, no trace of the query, no fragment."""
        parts = urlsplit(url)
        site = self.world.site_at(parts.netloc)
        if site is None:
            return url
        path, query = parts.path or "/", parts.query
        if site.plan.session_ids:
            path, query = site.without_session(path, query)
        if site.record_at(f"{path}?{query}" if query else path) is not None:
            query = re.sub(r"(^|&)from=[^&]*", "", query)
        return f"http://{parts.netloc}{path}" + (f"?{query}" if query else "")

    def is_trap(self, url: str) -> bool:
        """Say whether an address lies inside a trap of its site."""
        parts = urlsplit(url)
        site = self.world.site_at(parts.netloc)
        return bool(site and site.plan.traps and is_trap(parts.path))

    def is_allowed(self, url: str) -> bool:
        """Say whether the site's robots.txt lets everybody fetch an address."""
        parts = urlsplit(url)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        return is_allowed(self.site(parts.netloc).plan.robots, target)

    def reachable(self, starts: Iterable[str]) -> Reach:
        """Follow links, and nothing but links, from some addresses; traps are not entered."""
        waiting = deque(dict.fromkeys(self.identity(start) for start in starts))
        seen = set(waiting)
        pages: set[str] = set()
        records: set[tuple[str, int]] = set()
        while waiting:
            url = waiting.popleft()
            response = self._fetched(url)
            if response is None:
                continue
            pages.add(url)
            host = urlsplit(url).netloc
            records.update((host, number) for number in response.records)
            for link in response.links:
                target = self.identity(urljoin(url, link))
                if target not in seen and not self.is_trap(target):
                    seen.add(target)
                    waiting.append(target)
        return Reach(frozenset(pages), frozenset(records))

    # Forms and records

    def forms(self, host: str) -> list[FormTruth]:
        """Return every form on the public pages of a site, and those on the pages of its records."""
        site = self.site(host)
        found = [
            FormTruth(host, f"http://{host}{site.path(page)}", site.structure.depth[page], form)
            for page in range(site.plan.pages)
            for form in site.forms_on(page)
        ]
        if site.plan.database is not None and site.plan.database.record_forms:
            first = site.record(1, self._day)
            page = f"http://{host}{site.record_path(first)}" if first else ""
            found += [FormTruth(host, page, -1, form) for form in site.record_forms]
        return found

    def records(self, host: str) -> Iterator[RecordTruth]:
        """Yield the records in a site's database now."""
        site = self.site(host)
        if site.plan.database is None:
            return
        for number in range(1, site.life.newest(self._day, site.hand) + 1):
            if record := site.record(number, self._day):
                page = f"http://{host}{site.record_path(record)}" if site.plan.database.has_details else None
                yield RecordTruth(host, record, page)

    def hidden_records(self, host: str, reach: Reach) -> Iterator[RecordTruth]:
        """Yield the records that links alone do not lead to."""
        return (truth for truth in self.records(host) if (host, truth.record.number) not in reach.records)

    def answer(self, host: str, parameters: Parameters) -> Outcome:
        """Return how a submission of the site's search form ends, as the site decides it."""
        return outcome(self.site(host), parameters, self._day)

    def matching(self, host: str, query: Query) -> set[int]:
        """Return the records that match a query, found by reading all of them."""
        site = self.site(host)
        assert site.plan.database is not None
        behaviour, topic = site.plan.database.behaviour, site.catalogue.topic
        return {t.record.number for t in self.records(host) if matches(t.record, topic, query, behaviour)}

    def words_returning(self, host: str, number: int) -> list[str]:
        """Return the single words that would return a record, as the index holds them, a capped answer not counted."""
        site = self.site(host)
        record = site.record(number, self._day)
        assert site.plan.database is not None
        behaviour = site.plan.database.behaviour
        if record is None:
            return []
        held = dict.fromkeys(tokens(searched_text(record), behaviour))
        return [word for word in held if asked_tokens(word, behaviour)]

    def oracle(self, host: str, queries: int = 100, pairs: bool = False) -> list[Step]:
        """Return the greedy set cover: the best queries of somebody who knows the whole database.

        Candidates are all single words (and, with `pairs`, words too common to be answered whole together with a
        second word); for forms without a box, all choices of one and of two controls. A capped or refused answer
        covers what it shows.
        """
        site = self.site(host)
        answers = {query: self._answered(site, query) for query in self._candidates(site, pairs)}
        heap = [
            (-len(numbers), turn, query) for turn, (query, numbers) in enumerate(answers.items()) if numbers
        ]
        heapq.heapify(heap)
        covered: set[int] = set()
        steps: list[Step] = []
        while heap and len(steps) < queries:
            _, turn, query = heapq.heappop(heap)
            new = len(answers[query] - covered)
            if heap and new < -heap[0][0]:
                if new:
                    heapq.heappush(heap, (-new, turn, query))
                continue
            if not new:
                break
            covered |= answers[query]
            steps.append(Step(query, new, len(covered)))
        return steps

    # What was done to the world

    def violations(self) -> list[Violation]:
        """Return the requests that broke robots rules, a crawl delay, or a Retry-After."""
        found: list[Violation] = []
        last: dict[str, float] = {}
        not_before: dict[str, float] = {}
        for number, served in self.world.journal.requests():
            host_number = self.world.number_of(served.host)
            if host_number is None:
                continue
            robots = self.world.plan(host_number).robots
            broken = []
            if not is_allowed(robots, served.target):
                broken.append("robots")
            if (
                robots.crawl_delay
                and served.time - last.get(served.host, -1e9) < robots.crawl_delay * _TOLERANCE
            ):
                broken.append("crawl-delay")
            if served.time < not_before.get(served.host, -1e9):
                broken.append("retry-after")
            found += (Violation(rule, served.host, served.target, number) for rule in broken)
            last[served.host] = served.time
            if asked := re.search(r"retry-after=([\d.]+)", served.fault):
                not_before[served.host] = served.time + float(asked[1]) * _TOLERANCE
        return found

    def summary(self) -> dict[str, Any]:
        """Return the world in a few numbers."""
        plans = [self.world.plan(number) for number in self.world.numbers]
        databases = [plan for plan in plans if plan.database]
        return {
            "seed": self.world.seed,
            "sites": len(plans),
            "pages": sum(plan.pages for plan in plans),
            "databases": len(databases),
            "records": sum(self.site(plan.host).record_count(self._day) for plan in databases),
            "languages": sorted({plan.language for plan in plans}),
            "topics": sorted({plan.topic for plan in plans}),
            "traps": sorted({trap for plan in plans for trap in plan.traps}),
            "hubs": sum(plan.is_hub for plan in plans),
            "clock": self.world.now,
        }

    @property
    def _day(self) -> int:
        return int(self.world.now // 86_400)

    def _fetched(self, url: str) -> Response | None:
        parts = urlsplit(url)
        return self.world.respond(
            Request("GET", parts.netloc, parts.path or "/", parts.query, time=self.world.now)
        )

    def _answered(self, site: Site, query: Query) -> set[int]:
        assert site.plan.database is not None
        behaviour = site.plan.database.behaviour
        found = site.database(self._day).search(query)
        if behaviour.too_many is not None and len(found) > behaviour.too_many:
            return set()
        return set(found[: behaviour.cap])

    def _candidates(self, site: Site, pairs: bool) -> Iterator[Query]:
        if site.search_form.field_meaning("keywords") is None:
            yield from _choices(site)
            return
        assert site.plan.database is not None
        behaviour = site.plan.database.behaviour
        held: dict[str, set[int]] = {}
        texts: dict[int, list[str]] = {}
        for truth in self.records(site.plan.host):
            words = list(dict.fromkeys(tokens(searched_text(truth.record), behaviour)))
            texts[truth.record.number] = words
            for word in words:
                held.setdefault(word, set()).add(truth.record.number)
        usable = [word for word in held if asked_tokens(word, behaviour)]
        for word in usable:
            yield Query(word)
        limit = behaviour.cap or behaviour.too_many
        if pairs and limit:
            for word in usable:
                if len(held[word]) > limit:
                    yield from _refined(word, held, texts)


def described(form: FormTruth) -> dict[str, Any]:
    """Return a form as plain data, for JSON."""
    plain = asdict(form.form)
    plain.update(host=form.host, page=form.page, depth=form.depth, searchable=form.form.is_search,
                 action=form.action, needs_browser=form.form.needs_browser)  # fmt: skip
    return plain


def parameters_in(url: str, charset: str = "utf-8") -> Parameters:
    """Return the parameters of an address, for asking the truth what it answers."""
    return split_parameters(urlsplit(url).query, charset)


def _choices(site: Site) -> Iterator[Query]:
    fields = [field for field in site.search_form.fields if field.meaning == "choice"]
    if site.search_form.style == "steps" and site.form_maker.has_children:
        for option in fields[0].options[1:]:
            second = site.form_maker.second_step(site.search_form, option.stands_for).fields[1]
            for other in second.options[1:]:
                yield Query(
                    equals=(
                        (fields[0].attribute, (option.stands_for,)),
                        (second.attribute, (other.stands_for,)),
                    )
                )
        return
    for field in fields:
        for option in field.options[1:]:
            yield Query(equals=((field.attribute, (option.stands_for,)),))
    for option in fields[0].options[1:]:
        for other in fields[-1].options[1:] if len(fields) > 1 else ():
            if other.parent in ("", option.stands_for):
                pair = (
                    (fields[0].attribute, (option.stands_for,)),
                    (fields[-1].attribute, (other.stands_for,)),
                )
                yield Query(equals=pair)


def _refined(word: str, held: dict[str, set[int]], texts: dict[int, list[str]]) -> Iterator[Query]:
    """Yield a common word with the words that stand beside it most often."""
    beside: dict[str, int] = {}
    for number in held[word]:
        for other in texts[number]:
            beside[other] = beside.get(other, 0) + 1
    beside.pop(word)
    for other in heapq.nlargest(_PAIRS_PER_WORD, beside, key=lambda w: (beside[w], w)):
        yield Query(f"{word} {other}")
