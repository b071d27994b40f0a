"""The two stages of a crawl on a topic, kept in the state.

Candidates, who links to whom and what became of every site are rows; the sites that are open are held in memory, and read again from
their links when they were left or the crawl was killed. What was learnt is written term by term with the next commit, in the
transaction of the pages it was learnt from: after a kill the two agree.
"""

from __future__ import annotations

import json
from dataclasses import fields
from math import inf
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.candidates import CONTEXTS, SiteCandidate
from hiddenweb.focused.locating.site_ranker import SEEDS_FIRST
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import DEEP, ON_TOPIC, FocusedLimits, PageFindings, SiteMemory
from hiddenweb.model import CrawlTask, TaskSeed
from hiddenweb.store.frontier import DONE, LEASED, PENDING
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from random import Random

    from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
    from hiddenweb.focused.exploring.value_explorer import ValueExplorer
    from hiddenweb.focused.stages import Linking, OpenSite
    from hiddenweb.focused.topic_crawl import HomepageVerdict
    from hiddenweb.model import Link
    from hiddenweb.store.database import Store

CHOSEN, FIRST = 0, 1
"""Buckets of links: those that a stage has chosen, and the others."""

NOT_DONE = 2 * SEEDS_FIRST
"""The rank of a site that a crawl was exploring when it ended: it is taken up before new ones."""

GIVEN = " (given sites)"
"""What the name of a topic is followed by where candidates are sites that people named, and no others."""

RESTED = 2
"""Where candidates wait that rest: neither in the high queue nor in the low one, which are 0 and 1 in turn."""

_HIGH = "high queue"
_ASKED = "reverse search: "  # and the topic
_KEPT = tuple(field.name for field in fields(SiteCandidate) if field.name != "key")
_MOST_VISITED = 2_000  # links of one site that are read again


class SqliteCandidates:
    """The candidates of a topic, as rows."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic
        self._high = int(store.knowledge.get(_HIGH, topic) or 1)
        self._count = _number(store, "SELECT count(*) FROM candidates WHERE topic = ?", topic)

    def get(self, key: str) -> SiteCandidate | None:
        rows = self._store.rows(
            "SELECT candidate FROM candidates WHERE topic = ? AND key = ?", (self._topic, key)
        )
        return candidate_from_json(key, cast("str", rows[0][0])) if rows else None

    def put(self, candidate: SiteCandidate, rank: float, *, high: bool) -> bool:
        known = candidate_as_json(candidate)
        queue = RESTED if candidate.rested is not None else self._high if high else 1 - self._high
        rows = self._store.write_returning(
            "UPDATE candidates SET queue = iif(queue = ? AND ? <> ?, queue, ?), rank = ?, candidate = ?"
            " WHERE topic = ? AND key = ? RETURNING queue",
            (self._high, queue, RESTED, queue, rank, known, self._topic, candidate.key),
        )
        if rows:
            return rows[0][0] == self._high
        self._count += 1
        self._store.write(
            "INSERT INTO candidates (topic, key, queue, rank, candidate) VALUES (?, ?, ?, ?, ?)",
            (self._topic, candidate.key, queue, rank, known),
        )
        return queue == self._high

    def rank(self, ranks: Sequence[tuple[str, float]]) -> None:
        self._store.write_many(
            "UPDATE candidates SET rank = ? WHERE topic = ? AND key = ?",
            ((rank, self._topic, key) for key, rank in ranks),
        )

    def best(self, limit: int) -> list[tuple[SiteCandidate, float]]:
        return self.list_after((inf, ""), limit)

    def best_rested(self) -> tuple[SiteCandidate, float] | None:
        rows = self._store.rows(
            "SELECT key, candidate, rank FROM candidates WHERE topic = ? AND queue = ? ORDER BY rank DESC, key LIMIT 1",
            (self._topic, RESTED),
        )
        for key, known, rank in cast("list[tuple[str, str, float]]", rows):
            return candidate_from_json(key, known), rank
        return None

    def list_after(self, place: tuple[float, str], limit: int) -> list[tuple[SiteCandidate, float]]:
        rank, after = place
        rows = self._store.rows(
            "SELECT key, candidate, rank FROM candidates WHERE topic = ? AND queue = ? AND rank <= ?"
            " AND (rank < ? OR key > ?) ORDER BY rank DESC, key LIMIT ?",
            (self._topic, self._high, rank, rank, after, limit),
        )
        return [
            (candidate_from_json(key, known), rank)
            for key, known, rank in cast("list[tuple[str, str, float]]", rows)
        ]

    def name_of(self, queue: int) -> str:
        """Return what a queue is at present: high, low, or rested."""
        return "rested" if queue == RESTED else "high" if queue == self._high else "low"

    def remove(self, key: str) -> None:
        self._count -= self._store.write(
            "DELETE FROM candidates WHERE topic = ? AND key = ?", (self._topic, key)
        )

    def raise_low(self) -> bool:
        self._high = 1 - self._high
        self._store.knowledge.put(_HIGH, self._topic, str(self._high))
        return bool(self.best(1))

    def count(self) -> int:
        return self._count

    def clear(self) -> None:
        """Let nobody wait any more."""
        self._store.write("DELETE FROM candidates WHERE topic = ?", (self._topic,))
        self._count = 0


class SqliteLinkIndex:
    """Who links to whom, as rows."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:
        return [
            target
            for target in dict.fromkeys(targets)
            if self._store.write(
                "INSERT OR IGNORE INTO site_links VALUES (?, ?, ?, ?)", (self._topic, source, target, page)
            )
        ]

    def targets(self, source: str) -> Iterable[str]:
        rows = self._store.rows(
            "SELECT target FROM site_links WHERE topic = ? AND source = ?", (self._topic, source)
        )
        return [cast("str", row[0]) for row in rows]

    def sources(self, target: str) -> Iterable[str]:
        rows = self._store.rows(
            "SELECT source FROM site_links WHERE target = ? AND topic = ?", (target, self._topic)
        )
        return [cast("str", row[0]) for row in rows]


class FocusedStore:
    """The two stages of a crawl, and the frontier they choose from.

    The scheduler asks `open_site` and `lease`, the last pipeline tells what came of it with `read`, `missed` and `skipped`.
    `linking` and `arrived` are reverse search: what is known at once, and what came later. With `wander` off, no other sites than the seeds are visited: the second stage alone.
    """

    def __init__(
        self,
        store: Store,
        topic: str,
        terms: Iterable[str],
        rng: Random,
        plan: FocusedLimits,
        *,
        strategy: str = "adaptive",
        linking: Linking | None = None,
        arrived: Callable[[], Iterable[str]] = tuple,
        wander: bool = True,
    ) -> None:
        self._arrived = arrived
        self.topic = topic
        self.strategy = strategy
        self._store = store
        self._wander = wander
        self._candidates = SqliteCandidates(store, topic if wander else f"{topic}{GIVEN}")
        if not wander:
            self._candidates.clear()
        self.index = SqliteLinkIndex(store, topic)
        self._linking = linking
        common: dict[str, Any] = {
            "linking": self._search_back if wander else None,
            "remember": self._remember,
        }
        arguments = (self._candidates, self.index, rng, plan)
        self.stages: AdaptiveCrawler | SmartCrawler = (
            AdaptiveCrawler(*arguments, topic=frozenset(terms), **common)
            if strategy == "adaptive"
            else SmartCrawler(*arguments, **common)
        )
        self._under_way: dict[int, tuple[str, LinkCandidate]] = {}  # by the number of a link
        self._keys: dict[int, set[str]] = {}  # by the number of a site: what of it is open
        self._take_up()

    # Beginning

    def start(self, seeds: Collection[str]) -> None:
        """Begin with the sites that people named; what an earlier crawl of the topic left waits, too."""
        self.stages.start(seeds)
        for seed in seeds:
            self._take_up_site(registered_domain(seed))
        self._store.write(
            "UPDATE explored_sites SET seed = 1 WHERE topic = ? AND key IN (SELECT value FROM json_each(?))",
            (self.topic, json.dumps([registered_domain(seed) for seed in seeds])),
        )

    def _take_up(self) -> None:
        """Read what was learnt, and let sites wait that a crawl was exploring when it ended."""
        learn_from(self.stages, learnt_rows(self._store, self.topic))
        self.stages.frontier.mark_outdated()  # what an earlier crawl ranked may be worth more or less by now
        self.stages.searched.update(
            site for site, _ in self._store.knowledge.load_all(f"{_ASKED}{self.topic}")
        )
        rows = self._store.rows(
            "SELECT key, kind, seed, ended FROM explored_sites WHERE topic = ? ORDER BY opened, key",
            (self.topic,),
        )
        for key, kind, seed, ended in cast("list[tuple[str, int, int, str | None]]", rows):
            self.stages.sites[key] = kind
            if seed or kind == DEEP:
                self.stages.know_good(key)
            elif kind == ON_TOPIC and isinstance(self.stages, AdaptiveCrawler):
                self.stages.know_without_forms(key)
            if self._wander and ended is None:
                self._take_up_site(key)

    def _take_up_site(self, key: str) -> None:
        """Let a site wait that was opened and has not ended."""
        rows = self._store.rows(
            "SELECT candidate FROM explored_sites WHERE topic = ? AND key = ? AND ended IS NULL",
            (self.topic, key),
        )
        if rows and key not in self.stages.open_sites and self._candidates.get(key) is None:
            candidate = candidate_from_json(key, cast("str", rows[0][0]))
            candidate.rested = NOT_DONE
            self.stages.frontier.put(candidate, high=True)

    # What the scheduler asks

    @property
    def open_sites(self) -> int:
        """How many sites are being explored."""
        return len(self.stages.open_sites)

    @property
    def waiting(self) -> int:
        """How many sites wait."""
        return len(self.stages.frontier)

    @property
    def deepest(self) -> int:
        """How many links from its homepage a site is explored."""
        return self.stages.plan.criteria.depth

    def take_up_questions(self) -> None:
        """Let the hosts get their turn whose forms on topic are to be asked: their sites may not be opened again."""
        for url in self._store.forms.find_sites_to_query(self.topic):
            self._store.sites.want(url)
        self._store.sites.woken_hosts.update(self._store.frontier.find_hosts_with_chosen())

    def open_site(self, at: float) -> bool:
        """Open the best site that waits, so that its hosts get their turn; say whether there was one."""
        if self._wander:
            self.stages.meet_pages(self._arrived())
        candidate = self.stages.next_site()
        if candidate is None:
            return False
        site = self._store.sites.want(candidate.url)
        self._keys.setdefault(site, set()).add(candidate.key)
        if not self.stages.open_sites[candidate.key].explorer.progress.pages:
            self._begin_with(candidate, site, at)
        self._store.sites.wake(site)
        return True

    def _begin_with(self, candidate: SiteCandidate, site: int, at: float) -> None:
        """Let the first page of a site wait; all of them, if somebody read it before for other reasons."""
        is_new = self._store.write(
            "INSERT OR IGNORE INTO explored_sites (topic, key, kind, seed, candidate, opened) VALUES (?, ?, 0, ?, ?, ?)",
            (self.topic, candidate.key, candidate.seed, candidate_as_json(candidate), at),
        )
        added = self._store.frontier.add([TaskSeed(candidate.url, "page", FIRST)])
        if not added.new and is_new:
            self._store.frontier.reset_site(site)

    def _search_back(self, target: str) -> Iterable[str]:
        """Look who links to a site, once for all crawls of the topic."""
        self._store.knowledge.put(f"{_ASKED}{self.topic}", target, "asked")
        return self._linking(target) if self._linking is not None else ()

    def lease(
        self, host: int, count: int, now: float, *, asking: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take what waits for a host by itself (questions, records, another try), or else the link a stage chooses."""
        site = self._store.sites.load_host(host).site
        tasks, later = self._store.frontier.lease_chosen(
            host, count, now, asking=asking, pages=bool(self._keys.get(site))
        )
        if tasks:
            for task in tasks:
                self._adopt(task)
            return tasks, None
        while (chosen := self._choose(site)) is not None:
            if chosen.host == host:
                return [chosen], None
            self._store.frontier.choose(chosen)
        return [], later

    def _adopt(self, task: CrawlTask) -> None:
        """Let a stage know of a link that it chose before the crawl was ended, and that is under way again."""
        if _is_page(task) and self._chosen(task) is None:
            key = next(iter(self._keys[task.site]))
            lead = LinkCandidate(task.url, task.hops)
            self.stages.open_sites[key].explorer.take(lead)
            self._under_way[task.link] = (key, lead)

    def _choose(self, site: int) -> CrawlTask | None:
        """Return the next link of a site that can be visited; None if there is none now."""
        for key in list(self._keys.get(site, ())):
            while key in self.stages.open_sites:
                explorer = self.stages.open_sites[key].explorer
                lead = self.stages.next_link(key)
                if lead is not None:
                    if task := self._store.frontier.lease_url(lead.url):
                        self._under_way[task.link] = (key, lead)
                        return task
                    self.stages.skip(key, lead)
                elif key in self.stages.open_sites:
                    break  # a page under way may lead on
                else:
                    self._left(site, key, explorer.ended)
        return None

    def _left(self, site: int, key: str, why: str | None) -> None:
        """Note that a site is not open any more: it ended, or it rests."""
        self._keys[site].discard(key)
        if not self._keys[site]:
            del self._keys[site]
        if why is not None:
            self._store.write(
                "UPDATE explored_sites SET ended = ? WHERE topic = ? AND key = ?", (why, self.topic, key)
            )

    def give_up(self, site: int) -> None:
        """Let a site go that does not answer or was left for other reasons; the next crawl takes it up."""
        for key in self._keys.pop(site, ()):
            self.stages.open_sites.pop(key, None)

    # What became of links

    def is_chosen(self, task: CrawlTask) -> bool:
        """Say whether a stage chose a link."""
        return self._chosen(task) is not None

    def _chosen(self, task: CrawlTask) -> tuple[int, str, LinkCandidate] | None:
        """Return the link a stage chose, what it belongs to and the lead; for what it redirected to as well."""
        if not _is_page(task):
            return None
        number = task.link
        for _ in range(task.redirects + 1):
            if number in self._under_way:
                key, lead = self._under_way[number]
                return number, key, lead
            parent = self._store.frontier.find_parent(number)
            if parent is None:
                return None
            number = parent
        return None

    def read(
        self,
        task: CrawlTask,
        url: str,
        leads: Iterable[TaskSeed],
        outward: Iterable[Link],
        *,
        language: str,
        forms: int,
        rewards: int,
        judged: HomepageVerdict,
    ) -> None:
        """Tell the stages what a page had."""
        chosen = self._chosen(task)
        if chosen is None:
            return
        number, key, lead = chosen
        del self._under_way[number]
        found = PageFindings(
            [_lead(link, url, language) for link in leads], list(outward) if self._wander else [], language, forms,
            rewards, judged.on_topic,
        )  # fmt: skip
        self._keep(self.stages.read(key, lead, found), language, judged.verdict if lead.depth == 0 else "")

    def moved(self, task: CrawlTask, target: str) -> bool:
        """Say whether a link redirects to another site, which then waits with the others."""
        chosen = self._chosen(task)
        if chosen is None or registered_domain(target) == registered_domain(task.url):
            return False
        self.skipped(task)
        self.stages.move(chosen[1], target, seeds_only=not self._wander)
        return True

    def is_engine(self, task: CrawlTask) -> bool:
        """Say whether a link is a question to a search engine."""
        chosen = self._chosen(task)
        opened = self.stages.open_sites.get(chosen[1]) if chosen else None
        return opened is not None and opened.candidate.kind == "engine"

    def answered(self, task: CrawlTask, urls: Iterable[str]) -> None:
        """Tell the stages what pages a search engine named."""
        self.skipped(task)
        self.stages.meet_pages(urls)

    def missed(self, task: CrawlTask) -> None:
        """Tell the stages that a page gave nothing: it is not there, or no page."""
        if chosen := self._chosen(task):
            number, key, lead = chosen
            del self._under_way[number]
            self._keep(self.stages.read(key, lead, PageFindings(is_missing=True)))

    def skipped(self, task: CrawlTask) -> None:
        """Tell the stages that a link was not visited after all."""
        if chosen := self._chosen(task):
            number, key, lead = chosen
            del self._under_way[number]
            self.stages.skip(key, lead)

    def _keep(
        self,
        opened: OpenSite[ValueExplorer] | OpenSite[DepthExplorer] | None,
        language: str = "",
        verdict: str = "",
    ) -> None:
        """Write how far the exploration of a site has come."""
        if opened is None:
            return
        key, explorer = opened.candidate.key, opened.explorer
        self._store.write(
            "UPDATE explored_sites SET kind = ?, progress = ?, barren = ?, features = ?, forms = ?, ended = ?,"
            " language = CASE ? WHEN '' THEN language ELSE ? END, verdict = CASE ? WHEN '' THEN verdict ELSE ? END"
            " WHERE topic = ? AND key = ?",
            (
                self.stages.sites[key], json.dumps(explorer.progress.to_json()), explorer.barren,
                json.dumps(explorer.site), opened.forms, explorer.ended, language, language, verdict, verdict, self.topic, key,
            ),
        )  # fmt: skip

    def _remember(self, key: str) -> SiteMemory:
        """Return all that is known of a site that was visited before."""
        rows = self._store.rows(
            "SELECT progress, barren, features, forms, language, candidate FROM explored_sites WHERE topic = ? AND key = ?",
            (self.topic, key),
        )
        progress, barren, features, forms, language, known = cast(
            "tuple[str, int, str, int, str, str]", rows[0]
        )
        waiting, visited = [], []
        for lead, state, gave in self._links_of(key, language, known):
            if state in (PENDING, LEASED):
                waiting.append(lead)
            elif state == DONE:
                visited.append((lead, gave))
        return SiteMemory(json.loads(progress), barren, json.loads(features), forms, waiting, visited)

    def _links_of(self, key: str, language: str, known: str) -> Iterator[tuple[LinkCandidate, int, bool]]:
        candidate = candidate_from_json(key, known)
        where, values = (
            ("links.url = ?", (candidate.url,))
            if candidate.kind != "site"
            else (
                "host IN (SELECT hosts.id FROM hosts JOIN sites ON sites.id = hosts.site WHERE domain = ?)",
                (key,),
            )
        )
        rows = self._store.rows(
            "SELECT links.url, hops, anchor, around, tag_path, state,"
            " (SELECT parents.url FROM links parents WHERE parents.id = links.parent),"
            " EXISTS (SELECT 1 FROM forms JOIN form_topics t ON t.form = forms.id AND t.topic = ? AND t.relevant"
            " WHERE forms.page_url = links.url AND forms.site = (SELECT hosts.site FROM hosts WHERE hosts.id = links.host))"
            f" FROM links WHERE {where} AND kind = 'page' AND submission IS NULL AND redirects = 0"
            " ORDER BY links.id LIMIT ?",
            (self.topic, *values, _MOST_VISITED),
        )
        for url, depth, anchor, around, tag_path, state, parent, gave in cast("list[tuple[Any, ...]]", rows):
            yield (
                LinkCandidate(url, depth, anchor, around, tag_path, language, parent=parent or ""),
                state,
                bool(gave),
            )

    # Keeping what was learnt

    def write(self) -> None:
        """Write what was learnt since the last time, and what ranks follow from it; called before each commit."""
        self.stages.frontier.write()
        for part, learner in _learners(self.stages):
            self._write_part(part, learner.changes())

    def _write_part(self, part: str, changes: Iterable[tuple[str, Any]]) -> None:
        """Write what a part learnt: terms and values; None for what was forgotten."""
        changed = list(changes)
        self._store.write_many(
            "INSERT OR REPLACE INTO topic_knowledge VALUES (?, ?, ?, ?)",
            [(self.topic, part, term, json.dumps(value)) for term, value in changed if value is not None],
        )
        self._store.write_many(
            "DELETE FROM topic_knowledge WHERE topic = ? AND part = ? AND term = ?",
            [(self.topic, part, term) for term, value in changed if value is None],
        )


def learnt_rows(store: Store, topic: str) -> Iterator[tuple[str, str, Any]]:
    """Yield all that was learnt about a topic: part, term and value."""
    rows = store.rows(
        "SELECT part, term, value FROM topic_knowledge WHERE topic = ? ORDER BY part, term", (topic,)
    )
    for part, term, value in cast("list[tuple[str, str, str]]", rows):
        yield part, term, json.loads(value)


def keep_learnt(store: Store, topic: str, rows: Iterable[tuple[str, str, Any]]) -> int:
    """Keep what was learnt about a topic elsewhere; what is known here already stays. Return how many rows are new."""
    new = 0
    for part, term, value in rows:
        new += store.write(
            "INSERT OR IGNORE INTO topic_knowledge VALUES (?, ?, ?, ?)",
            (topic, part, term, json.dumps(value)),
        )
    return new


def learn_from(stages: AdaptiveCrawler | SmartCrawler, rows: Iterable[tuple[str, str, Any]]) -> None:
    """Have the learners of the stages take over what was learnt earlier."""
    by_part: dict[str, list[tuple[str, Any]]] = {}
    for part, term, value in rows:
        by_part.setdefault(part, []).append((term, value))
    for part, learner in _learners(stages):
        learner.take(by_part.get(part, ()))


def _learners(stages: AdaptiveCrawler | SmartCrawler) -> Iterator[tuple[str, Any]]:
    yield "sites", stages.site_learner.space
    yield "links", stages.link_learner.space
    if isinstance(stages, AdaptiveCrawler):
        yield "site odds", stages.site_probit
        yield "page odds", stages.page_probit
        yield "link odds", stages.link_probit


def candidate_as_json(candidate: SiteCandidate) -> str:
    """Return what is known of a candidate, but its key."""
    values = {name: getattr(candidate, name) for name in _KEPT}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def candidate_from_json(key: str, text: str) -> SiteCandidate:
    """Return the candidate that `candidate_as_json` wrote."""
    values = json.loads(text)
    values["bags"] = {context: values["bags"].get(context, {}) for context in CONTEXTS}
    return SiteCandidate(key=key, **values)


def _is_page(task: CrawlTask) -> bool:
    """Say whether a link may be one that a stage chose."""
    return task.kind == "page" and task.submission is None


def _lead(link: TaskSeed, parent: str, language: str) -> LinkCandidate:
    return LinkCandidate(
        link.url, link.hops, link.anchor, link.around, link.tag_path, language, parent=parent
    )


def _number(store: Store, sql: str, *values: object) -> int:
    return cast("int", store.rows(sql, values)[0][0])
