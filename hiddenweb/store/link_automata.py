"""The learning automata that order the links and queries of a crawl, with their state in the store.

`hiddenweb.focused.exploring.link_automata` explains what they choose between and how they learn; this module connects them to the store. The kind of a page
is its structure, the group of a link its place in the page. Both are stored with every link: so the outcome of a visit can be
learnt after any number of restarts. What was learnt is written with the commit of the pages it was learnt from, so a kill loses both
together.

A link draws its bucket when it is found, and again whenever the site has taught enough since, as long as it waits.

The first query to a form is submitted at once, for nothing is known of it. Each later one takes its place in the frontier by the probability
of its form, among the links of the pages of that kind. A form that finds only linked pages falls behind them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from hiddenweb.focused.exploring.link_automata import PageKindAutomata, VisitGain
from hiddenweb.frontier.scope import FIRST, LAST, QUERIES
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from hiddenweb.model import CrawlTask, Fetched, Page, TaskSeed
    from hiddenweb.store.database import Store

PART = "link automata"
"""The part of the knowledge for automata, by the number of the site."""

POLICY = "automata"
"""The value of HIDDENWEB_POLICY for a crawl with automata."""

HELD = 256
"""Sites whose automata are held in memory. A limit of taste."""

LESSONS, ROWS_FOR_A_LESSON = 20, 20
"""Lessons of a site after which its links draw again, and how many of these one lesson may cost. Limits of taste."""

_PATH_STEPS = 3
"""Steps of the tag path, from the link upwards: further up pages of one kind differ; a limit of taste."""


class LinkAutomata:
    """Gives links and queries their places in the frontier, and learns from the outcomes."""

    def __init__(self, store: Store, chance: Random) -> None:
        self._store = store
        self._chance = chance
        self._held: OrderedDict[int, PageKindAutomata] = OrderedDict()
        self._changed: set[int] = set()
        self._lessons: Counter[int] = Counter()  # by site, since its links drew last
        self._enough: dict[int, int] = {}  # lessons until they draw again
        store.before_commit.append(self.write)

    def place_links(self, site: int, page: Page, links: Iterable[TaskSeed]) -> list[TaskSeed]:
        """Return the links of a page with the buckets that they drew."""
        kinds, kind = self._load(site), str(page.structure)
        links = list(links)
        kinds.add(kind, {_group(link.tag_path): None for link in links})
        return [replace(link, bucket=self._draw_bucket(kinds, kind, link.tag_path)) for link in links]

    def choose_query_bucket(self, form: int) -> int:
        """Return where in the frontier the next query to a form goes."""
        stored = self._store.forms.load(form)
        if stored is None or stored.queries == 0:
            return QUERIES
        kind = self._find_kind(stored.form.page_url)
        if kind is None:
            return QUERIES
        return self._load(stored.site).bucket(kind, _action_of(form), self._chance, first=FIRST, last=LAST)

    def learn_fetched(self, fetched: Fetched) -> VisitGain | None:
        """Learn the gain of a visit, and return it; None if it was not chosen by automata."""
        task = fetched.task
        if task.kind == "answer" and task.submission is not None:
            return self._learn_answer(fetched, task.submission)
        if task.kind != "page":
            return None
        return self._learn_link(task, self._judge_gain(fetched))

    def learn_failure(self, task: CrawlTask) -> VisitGain | None:
        """Learn that a link or a query failed; return the gain, None if it was not chosen by automata."""
        if task.kind == "answer" and task.submission is not None:
            return self._learn_form(task.submission, VisitGain.NOTHING)
        return self._learn_link(task, VisitGain.NOTHING) if task.kind == "page" else None

    def write(self) -> None:
        """Store what was learnt since the last commit."""
        for site in self._changed:
            self._store.knowledge.put(PART, str(site), self._held[site].to_json())
        self._changed.clear()

    # Links

    def _learn_link(self, task: CrawlTask, gain: VisitGain) -> VisitGain | None:
        rows = self._store.rows(
            "SELECT pages.structure, links.tag_path FROM links JOIN pages ON pages.link = links.parent WHERE links.id = ?",
            (task.link,),
        )
        if not rows or not rows[0][1]:
            return None
        structure, tag_path = cast("tuple[int, str]", rows[0])
        return self._learn(task.site, str(structure), _group(tag_path), gain)

    def _judge_gain(self, fetched: Fetched) -> VisitGain:
        if fetched.page is None or fetched.duplicate_of is not None:
            return VisitGain.NOTHING
        if self._has_new_search_form(fetched):
            return VisitGain.FORM
        return VisitGain.HIDDEN if self._was_found_on_hidden_page(fetched.task) else VisitGain.LINKED

    def _has_new_search_form(self, fetched: Fetched) -> bool:
        """Say whether a page was the first to have some search form."""
        return bool(
            self._store.rows(
                "SELECT 1 FROM forms WHERE site = ? AND page_url = ? AND kind = 'search' LIMIT 1",
                (fetched.task.site, fetched.url),
            )
        )

    def _was_found_on_hidden_page(self, task: CrawlTask) -> bool:
        return bool(
            self._store.rows(
                "SELECT 1 FROM links JOIN pages ON pages.link = links.parent WHERE links.id = ? AND pages.kind = 'record'",
                (task.link,),
            )
        )

    # Forms

    def _learn_answer(self, fetched: Fetched, submission: int) -> VisitGain | None:
        """Learn from the first page of an answer: records are hidden unless links lead to all of them."""
        rows = self._store.rows("SELECT new_records FROM submissions WHERE id = ?", (submission,))
        if not rows or not rows[0][0]:
            return self._learn_form(submission, VisitGain.NOTHING)
        hidden = any(record.url is None or not self._is_linked(record.url) for record in fetched.records)
        return self._learn_form(submission, VisitGain.HIDDEN if hidden else VisitGain.LINKED)

    def _is_linked(self, url: str) -> bool:
        """Say whether an address was found as a link, and not only in answers."""
        return bool(
            self._store.rows("SELECT 1 FROM links WHERE hash = ? AND kind = 'page'", (url_hash(url),))
        )

    def _learn_form(self, submission: int, gain: VisitGain) -> VisitGain | None:
        loaded = self._store.submissions.load(submission)
        stored = self._store.forms.load(loaded.form) if loaded is not None else None
        kind = self._find_kind(stored.form.page_url) if stored is not None else None
        if stored is None or kind is None:
            return None
        return self._learn(stored.site, kind, _action_of(stored.id), gain)

    def _find_kind(self, url: str) -> str | None:
        """Return the kind of a page that was read."""
        found = self._store.rows(
            "SELECT structure FROM pages JOIN links ON links.id = pages.link WHERE links.hash = ?",
            (url_hash(url),),
        )
        return str(found[0][0]) if found else None

    # Automata in memory

    def _learn(self, site: int, kind: str, action: str, gain: VisitGain) -> VisitGain:
        self._load(site).learn(kind, action, gain)
        self._lessons[site] += 1
        if self._lessons[site] >= self._enough.get(site, LESSONS):
            self._draw_again(site)
        return gain

    def _draw_again(self, site: int) -> None:
        """Let the waiting links of a site draw their buckets again; the longer the frontier, the less often."""
        rows = self._store.rows(
            "SELECT links.id, pages.structure, links.tag_path FROM hosts JOIN links ON links.host = hosts.id"
            " JOIN pages ON pages.link = links.parent"
            " WHERE hosts.site = ? AND links.state = 0 AND links.kind = 'page' AND links.bucket > ? AND links.tag_path <> ''",
            (site, FIRST),
        )
        waiting = cast("list[tuple[int, int, str]]", rows)
        kinds = self._load(site)
        self._store.write_many(
            "UPDATE links SET bucket = ? WHERE id = ?",
            [(self._draw_bucket(kinds, str(kind), path), link) for link, kind, path in waiting],
        )
        self._lessons[site] = 0
        self._enough[site] = max(LESSONS, len(waiting) // ROWS_FOR_A_LESSON)

    def _draw_bucket(self, kinds: PageKindAutomata, kind: str, tag_path: str) -> int:
        return kinds.bucket(kind, _group(tag_path), self._chance, first=FIRST + 1, last=LAST)

    def _load(self, site: int) -> PageKindAutomata:
        """Return the automata of a site, which count as changed."""
        if site not in self._held:
            written = self._store.knowledge.get(PART, str(site))
            self._held[site] = PageKindAutomata.from_json(written) if written else PageKindAutomata()
            if len(self._held) > HELD:
                self.write()
                self._held.popitem(last=False)
        self._held.move_to_end(site)
        self._changed.add(site)
        return self._held[site]


def _group(tag_path: str) -> str:
    return "/".join(tag_path.rsplit("/", _PATH_STEPS)[-_PATH_STEPS:])


def _action_of(form: int) -> str:
    return f"form {form}"
