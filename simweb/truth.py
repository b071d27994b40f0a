"""The truth about a world: what a perfect crawler would find, and what a careless one did.

`matching` finds what a query returns by reading every record, not by asking the index that serves it; `answer` adds
the site's order, cap and paging, which are the index's, and the tests hold the two against each other. What links alone
can reach is found by following the links the pages were written with, not by parsing them. Asking the truth changes
nothing in the world.
"""

from __future__ import annotations

import heapq
import re
from collections import deque
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from simweb.answers import outcome
from simweb.messages import Request
from simweb.robots import is_allowed
from simweb.search import Query, fold, matches, searchable_text
from simweb.traps import is_trap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from simweb.answers import Outcome
    from simweb.catalogue import Record
    from simweb.forms import Field, Form, Option
    from simweb.messages import Parameters, Response
    from simweb.site import Site
    from simweb.world import World

_PAIRS_PER_WORD = 30
_TOLERANCE = 0.9
_IN_FLIGHT = 0.05  # seconds: what was sent before the refusal could be read is no offence


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
    """One submission of the oracle: what is sent, how many records it brings that none before it brought."""

    parameters: tuple[tuple[str, str], ...]
    query: Query
    new: int
    covered: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed at a site between two times of the clock: record numbers, addresses of pages, names of redesigns."""

    added: tuple[int, ...]
    removed: tuple[int, ...]
    changed: tuple[int, ...]
    rewritten: tuple[str, ...]
    redesigns: tuple[str, ...]


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
        self._linking: dict[str, set[str]] | None = None

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
        response = self._fetch(url)
        return [urljoin(url, link) for link in response.links] if response else []

    def identity(self, url: str) -> str:
        """Return one address for all that show the same page: no session id, no trace of the query, no fragment."""
        parts = urlsplit(url)
        site = self.world.site_at(parts.netloc)
        if site is None:
            return url
        path, query = parts.path or "/", parts.query
        if site.plan.session_ids:
            path, query = site.strip_session(path, query)
        if site.record_at(f"{path}?{query}" if query else path) is not None:
            names = "|".join(("from", *site.session_names))
            query = re.sub(rf"(^|&)(?:{names})=[^&]*", "", query)
        return f"http://{parts.netloc}{path}" + (f"?{query}" if query else "")

    def is_trap(self, url: str) -> bool:
        """Say whether an address lies inside a trap of its site."""
        parts = urlsplit(url)
        site = self.world.site_at(parts.netloc)
        return bool(site and site.plan.traps and is_trap(parts.path))

    def is_allowed(self, url: str) -> bool:
        """Say whether the site's robots.txt lets everybody fetch an address."""
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return is_allowed(self.site(parts.netloc).plan.robots, target)

    def reachable(self, starts: Iterable[str]) -> Reach:
        """Follow links, and nothing but links, from some addresses; traps are not entered."""
        waiting = deque(dict.fromkeys(self.identity(start) for start in starts))
        seen = set(waiting)
        pages: set[str] = set()
        records: set[tuple[str, int]] = set()
        while waiting:
            url = waiting.popleft()
            response = self._fetch(url)
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
        if site.plan.database is not None and site.record_forms:
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

    def count(self, host: str) -> int:
        """Return how many records a site's database holds now."""
        site = self.site(host)
        numbers = range(1, site.life.newest(self._day, site.hand) + 1)
        return sum(site.life.is_alive(number, self._day, site.hand) for number in numbers)

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
        """Return the single words that match a record, as they stand in it; a cap may still hide it."""
        site = self.site(host)
        record = site.record(number, self._day)
        assert site.plan.database is not None
        if record is None:
            return []
        behaviour, topic = site.plan.database.behaviour, site.catalogue.topic
        words = dict.fromkeys(re.findall(r"\w+", searchable_text(record, topic)))
        return [word for word in words if matches(record, topic, Query(word), behaviour)]

    def queries_returning(self, host: str, number: int) -> list[Parameters]:
        """Return submissions of the search form that lead to a record: by one word, by one choice, by both steps."""
        site = self.site(host)
        record = site.record(number, self._day)
        if record is None:
            return []
        box = site.search_form.field_meaning("keywords")
        words = self.words_returning(host, number) if box else []
        asked = [_add_tokens(site, [(box.name, word)]) for word in words if box]
        return [p for p in (*asked, *_choices(site, record)) if number in self._reach(site, p)]

    def oracle(self, host: str, queries: int = 100, pairs: bool = False) -> list[Step]:
        """Return the greedy set cover: the best submissions of somebody who knows the whole database.

        Candidates are the empty query, all single words (and, with `pairs`, words too common to be answered whole
        together with a second word) and all choices of one and of two controls. What is capped, refused or asked
        for once more covers what it shows.
        """
        site = self.site(host)
        reached = [(p, self._reach(site, p)) for p in self._candidates(site, pairs)]
        heap = [(-len(numbers), turn) for turn, (_, numbers) in enumerate(reached) if numbers]
        heapq.heapify(heap)
        covered: set[int] = set()
        steps: list[Step] = []
        while heap and len(steps) < queries:
            _, turn = heapq.heappop(heap)
            parameters, numbers = reached[turn]
            new = len(numbers - covered)
            if heap and new < -heap[0][0]:
                if new:
                    heapq.heappush(heap, (-new, turn))
                continue
            if not new:
                break
            covered |= numbers
            query = outcome(site, parameters, self._day).query
            steps.append(Step(tuple(parameters), query, new, len(covered)))
        return steps

    def changes(self, host: str, since: float, until: float | None = None) -> Changes:
        """Return what changed between two times of the clock, by schedule and by hand."""
        site = self.site(host)
        until = self.world.now if until is None else until
        first, last = int(since // 86_400), int(until // 86_400)
        commands = [c for c in site.hand.commands if since < c.clock <= until]
        by_hand = {c.number for c in commands if c.what == "rewrite"}
        pages = (p for p in range(site.plan.pages) if p in by_hand or site.is_rewritten(p, first, last))
        redesigns = site.redesigns(last)[len(site.redesigns(first)) :] if first != last else ()
        named = tuple(c.name for c in commands if c.what == "redesign")
        added, removed, changed = self._record_changes(site, since, until)
        rewritten = tuple(f"http://{host}{site.path(page)}" for page in pages)
        return Changes(added, removed, changed, rewritten, (*redesigns, *named))

    def linking_hosts(self, host: str) -> list[str]:
        """Return the hosts that link to a host; the first question reads every page of the world."""
        if self._linking is None:
            self._linking = {}
            for site in self.sites():
                for page in range(site.plan.pages):
                    for url, _, _ in site.outward_links(page):
                        self._linking.setdefault(urlsplit(url).netloc, set()).add(site.plan.host)
        return sorted(self._linking.get(host, set()) - {host})

    # What was done to the world

    def violations(self) -> list[Violation]:
        """Return the requests that broke robots rules, a crawl delay, or a Retry-After."""
        found: list[Violation] = []
        last: dict[str, float] = {}
        refusals: dict[str, tuple[float, float]] = {}
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
            refused, patience = refusals.get(served.host, (-1e9, 0.0))
            if _IN_FLIGHT < served.time - refused < patience * _TOLERANCE:
                broken.append("retry-after")
            found += (Violation(rule, served.host, served.target, number) for rule in broken)
            if served.target != "/robots.txt":
                last[served.host] = served.time
            if asked := re.search(r"retry-after=(\d+)", served.fault):
                refusals[served.host] = served.time, float(asked[1])
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
            "records": sum(self.count(plan.host) for plan in databases),
            "languages": sorted({plan.language for plan in plans}),
            "topics": sorted({plan.topic for plan in plans}),
            "traps": sorted({trap for plan in plans for trap in plan.traps}),
            "hubs": sum(plan.is_hub for plan in plans),
            "clock": self.world.now,
        }

    @property
    def _day(self) -> int:
        return int(self.world.now // 86_400)

    def _fetch(self, url: str) -> Response | None:
        parts = urlsplit(url)
        site = self.world.site_at(parts.netloc)
        if site is None or parts.path in site.harmful_forms:
            return None
        return site.respond(Request("GET", parts.netloc, parts.path or "/", parts.query, time=self.world.now))

    def _reach(self, site: Site, parameters: Parameters) -> set[int]:
        """Return the records a submission leads to, all pages of its answer turned."""
        assert site.plan.database is not None
        result = outcome(site, parameters, self._day)
        return set(result.found[: site.plan.database.behaviour.cap]) if result.shown else set()

    def _record_changes(
        self, site: Site, since: float, until: float
    ) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        if site.plan.database is None:
            return (), (), ()
        before, after = (self._living(site, clock) for clock in (since, until))
        changed = (number for number in before.keys() & after.keys() if before[number] != after[number])
        return (
            tuple(sorted(after.keys() - before.keys())),
            tuple(sorted(before.keys() - after.keys())),
            tuple(sorted(changed)),
        )

    def _living(self, site: Site, clock: float) -> dict[int, int]:
        """Return the records there were at a time, with their revisions; what was done by hand later is taken back."""
        hand, day = site.hand.state_at(clock), int(clock // 86_400)
        numbers = range(1, site.life.newest(day, hand) + 1)
        return {n: site.life.revision(n, day, hand) for n in numbers if site.life.is_alive(n, day, hand)}

    def _candidates(self, site: Site, pairs: bool) -> Iterator[Parameters]:
        yield from _choices(site, None)
        box = site.search_form.field_meaning("keywords")
        if box is None or any(field.required for field in site.search_form.fields):
            return
        yield _add_tokens(site, [(box.name, "")])
        assert site.plan.database is not None
        behaviour = site.plan.database.behaviour
        held: dict[str, set[int]] = {}
        texts: dict[int, list[str]] = {}
        for truth in self.records(site.plan.host):
            number, text = truth.record.number, searchable_text(truth.record, site.catalogue.topic)
            texts[number] = list(dict.fromkeys(fold(word, behaviour) for word in re.findall(r"\w+", text)))
            for word in texts[number]:
                held.setdefault(word, set()).add(number)
        for word in held:
            yield _add_tokens(site, [(box.name, word)])
        limit = behaviour.cap or behaviour.too_many
        if pairs and limit:
            for word, numbers in held.items():
                if len(numbers) > limit:
                    for asked in _refine(word, held, texts):
                        yield _add_tokens(site, [(box.name, asked)])


def describe_form(form: FormTruth) -> dict[str, Any]:
    """Return a form as plain data, for JSON."""
    plain = asdict(form.form)
    plain.update(host=form.host, page=form.page, depth=form.depth, searchable=form.form.is_search,
                 action=form.action, needs_browser=form.form.needs_browser)  # fmt: skip
    return plain


def _add_tokens(site: Site, parameters: Parameters) -> Parameters:
    """Return a submission with the hidden controls a browser would send along."""
    hidden = [(f.name, f.value) for f in site.search_form.fields if f.control == "hidden"]
    return [*hidden, *parameters]


def _choices(site: Site, record: Record | None) -> Iterator[Parameters]:
    """Yield submissions by choices alone, one control and two; only those that a record fits, where one is given."""
    form = site.search_form
    if form.style == "steps" and site.form_maker.has_children:
        for first, name, value in _fitting(site, form.fields[:1], record):
            second = site.form_maker.second_step(form, first.stands_for).fields[1:]
            for _, other_name, other_value in _fitting(site, second, record):
                yield [(name, value), (other_name, other_value)]
        return
    fields = [field for field in form.fields if field.meaning == "choice"]
    singles = list(_fitting(site, fields, record))
    for _, name, value in singles:
        yield _add_tokens(site, [(name, value)])
    if len(fields) > 1:
        for first, name, value in _fitting(site, fields[:1], record):
            for other, other_name, other_value in _fitting(site, fields[1:2], record):
                if other.parent in ("", first.stands_for):
                    yield _add_tokens(site, [(name, value), (other_name, other_value)])


def _fitting(site: Site, fields: Sequence[Field], record: Record | None) -> Iterator[tuple[Option, str, str]]:
    for field in fields:
        for option in field.options:
            fits = record is None or site.catalogue.topic.value(record, field.attribute) == option.stands_for
            if option.stands_for and fits:
                yield option, field.name, option.value


def _refine(word: str, held: dict[str, set[int]], texts: dict[int, list[str]]) -> Iterator[str]:
    """Yield a common word with the words that stand beside it most often."""
    beside: dict[str, int] = {}
    for number in held[word]:
        for other in texts[number]:
            beside[other] = beside.get(other, 0) + 1
    beside.pop(word)
    for other in heapq.nlargest(_PAIRS_PER_WORD, beside, key=lambda w: (beside[w], w)):
        yield f"{word} {other}"
