"""Adding the links of a page in one batch, and ending its task in the same transaction."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.focused.topic_crawl import MOST_LINKING
from hiddenweb.forms.stored_form import form_hash
from hiddenweb.frontier.deferral import LinkDeferral
from hiddenweb.frontier.scope import FIRST, LAST, FrontierScope, links_to_follow, reason_to_ignore
from hiddenweb.frontier.stopping import (
    SiteBudget,
    TrapDetector,
    common_shape,
    reason_to_leave,
    reason_to_skip_records,
    reason_to_stop_exploring,
)
from hiddenweb.html.document import document_of
from hiddenweb.html.link_parts import select_links
from hiddenweb.model import Fetched, FetchFailure, Link, TaskSeed
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.store.detail_pages import record_moved
from hiddenweb.store.sitemap_links import SitemapLinks
from hiddenweb.urls import origin, registered_domain

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.focused.exploring.link_automata import VisitGain
    from hiddenweb.focused.topic_crawl import TopicCrawl
    from hiddenweb.frontier.deferral import DeferrableLinks
    from hiddenweb.frontier.protocol import Frontier
    from hiddenweb.model import CrawlTask, Page, PageList
    from hiddenweb.store.database import Store
    from hiddenweb.store.frontier import AddedLinks
    from hiddenweb.store.link_automata import LinkAutomata
    from hiddenweb.store.sites import SiteProgress

ENOUGH_TEXT = 400
"""Letters of text that make a page distinct: galleries and bare lists may have the same text and other links. A limit of taste."""

MOST_DEFERRED = 20_000
"""Waiting links that are checked when a kind of address turns out to be fruitless. A limit of taste."""

PASSING = frozenset(("nofollow", "too_many_hops"))
"""Reasons against this link only: another link to the address may be followed."""


class FrontierPipeline(StatePipeline):
    """Puts the links of a page into the frontier, and ends its task. The last pipeline of all."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = CrawlContext.open(crawler)
        settings = context.settings
        return cls(
            context.store,
            crawler.stats,
            context.frontier,
            FrontierScope(max_hops=settings.getint("HIDDENWEB_MAX_HOPS")),
            context.budget,
            context.topic,
            context.automata,
            settings.getint("HIDDENWEB_SITEMAP_LINKS") if context.topic is None else 0,
        )

    def __init__(
        self,
        store: Store,
        stats: StatsCollector,
        frontier: Frontier,
        rules: FrontierScope,
        patience: SiteBudget,
        on_topic: TopicCrawl | None = None,
        automata: LinkAutomata | None = None,
        sitemap_links: int = 0,
    ) -> None:
        super().__init__(store, stats)
        self._frontier = frontier
        self._on_topic = on_topic
        self._automata = automata
        self.rules = rules
        self.patience = patience
        self._traps = TrapDetector(patience)
        self._deferring = LinkDeferral()
        self._sitemaps = SitemapLinks(store, sitemap_links, rules)

    def process_item(self, item: object) -> object:
        if isinstance(item, FetchFailure):
            self._end_failed(item)
        elif isinstance(item, Fetched):
            self._end_fetched(item)
            release_documents(item)
        if isinstance(item, Fetched | FetchFailure) and _was_posted(item.task):
            self.store.commit()  # it cannot be requested again
        return item

    def _end_failed(self, failure: FetchFailure) -> None:
        task = failure.task
        if failure.host_pause is not None:
            self.store.sites.pause_host(task.host, failure.at + failure.host_pause, failure.why)
            self.store.commit()  # what a host asked for holds after a kill too
        if self._automata is not None and failure.retry_in is None:
            self._count_lesson(self._automata.learn_failure(task))
        if failure.refused:
            self.stats.inc_value("hiddenweb/frontier/refused")
            self._frontier.refuse(task, failure.why)
        else:
            is_postponed = failure.retry_in is not None
            self.stats.inc_value(
                "hiddenweb/frontier/postponed" if is_postponed else "hiddenweb/frontier/missed"
            )
            self._frontier.fail(failure)

    def _end_fetched(self, fetched: Fetched) -> None:
        task = fetched.task
        if fetched.redirect is not None:
            why = self._redirect(fetched, fetched.redirect)
            self._frontier.finish(task, why)
            return
        if self._on_topic is not None and self._on_topic.stages.is_engine(task):
            self._frontier.finish(task, self._read_engine_answer(self._on_topic, fetched))
            return
        if self._automata is not None:
            self._count_lesson(self._automata.learn_fetched(fetched))
        if fetched.page_list is not None and self._on_topic is None:
            self._add_sitemap_links(fetched, fetched.page_list)
            return
        if fetched.page is None:
            self.stats.inc_value("hiddenweb/frontier/no_page")
            if self._on_topic is not None:
                self._on_topic.stages.note_missing(task)
            self._frontier.finish(task, fetched.why)
            return
        repeats = fetched.exact and len(fetched.page.text) >= ENOUGH_TEXT
        if self._on_topic is not None:
            self._pass_to_stages(self._on_topic, fetched.page, fetched, follow=not repeats)
        elif task.kind in ("page", "record"):
            links = self._deferring.links_of(task.site, fetched.url)
            if not repeats:
                self._follow(fetched.page, fetched, links)
            if task.kind == "page" and self._automata is None:
                self._learn_worth(fetched.page, fetched, leads_on=links.has_new_kind)
        self._frontier.finish(task)
        self._count(fetched)
        if task.kind == "page" and self._sitemaps.is_undecided(task.site):
            self._add_sitemaps(task, fetched.page)

    def _add_sitemaps(self, task: CrawlTask, page: Page) -> None:
        robots = self.store.sites.load_robots(origin(task.url))
        named = RobotsRules.from_json(robots).sitemaps if robots else ()
        explored = self.store.sites.load_progress(task.site).explored
        due = self._sitemaps.add_due(task, named, explored, may_guess=not page.nofollow)
        self.stats.inc_value("hiddenweb/sitemaps/due", due)

    def _add_sitemap_links(self, fetched: Fetched, sitemap: PageList) -> None:
        """Put the pages of a sitemap into the frontier."""
        self.stats.inc_value("hiddenweb/sitemaps/explored")
        self.stats.inc_value("hiddenweb/sitemaps/links", self._sitemaps.add_named(fetched.task, sitemap).new)
        self._frontier.finish(fetched.task, fetched.why)

    def _redirect(self, fetched: Fetched, target: str) -> str:
        task = fetched.task
        self.stats.inc_value("hiddenweb/frontier/redirects")
        may_be_file = task.kind == "sitemap" or reason_to_ignore(task.url, self.rules) == "file"
        why = None if may_be_file else reason_to_ignore(target, self.rules)
        if not why and self._on_topic is not None and self._on_topic.stages.move_site(task, target):
            return f"redirects to another site, {target}"
        if why or task.redirects >= self.rules.max_redirects:
            if self._on_topic is not None:
                self._on_topic.stages.note_missing(task)
            return f"redirects to {target}, not followed: {why or 'too many redirects'}"
        if task.hops == 0 and task.kind == "page":
            self.store.sites.want(target, task.site)
        bucket = min(FIRST + task.hops, LAST) if task.kind in ("page", "sitemap") else 0
        link = TaskSeed(
            target, task.kind, bucket, task.hops, task.redirects + 1,
            task.link, task.submission, task.page_number,
        )  # fmt: skip
        self.store.frontier.add([link])
        record_moved(self.store, task, target)
        return f"redirects to {target}"

    def _follow(self, page: Page, fetched: Fetched, links_of_page: DeferrableLinks) -> None:
        reasons: Counter[str] = Counter()

        def ignored(link: Link, why: str) -> None:
            reasons[why] += 1
            if why not in PASSING:
                self.store.frontier.remember(link.url)

        head_links = [Link(url) for url in (page.refresh, page.canonical) if url and url != fetched.url]
        link_count = len(page.links) + len(head_links)
        if page.nofollow:
            reasons["nofollow"] += link_count
            links = []
        else:
            new_links = [
                link
                for links in (page.links, head_links)
                for link in select_links(links, self.store.frontier.leave_out_remembered)
            ]
            ranked = self._automata is not None
            links = links_to_follow(
                new_links, fetched.task, self.rules, ignored, ranked=ranked, can_wait=links_of_page.can_wait
            )
            if self._automata is not None:
                links = self._automata.place_links(fetched.task.site, page, links)
        described = [] if page.nofollow else self._descriptions(page, fetched)
        added = self.store.frontier.add([*links, *described], followed=True)
        self._count_links(link_count + len(described), added, reasons)
        if self._automata is None:
            self.stats.inc_value(
                "hiddenweb/links/deferred",
                sum(link.bucket == LAST > FIRST + link.hops for link in added.links),
            )

    def _learn_worth(self, page: Page, fetched: Fetched, *, leads_on: bool) -> None:
        """Learn what pages of its kind are worth; if they are fruitless, the waiting ones are deferred."""
        site = fetched.task.site
        forms = (form_hash(form) for form in page.forms)  # a generator: seldom needed
        is_repeated = fetched.duplicate_of is not None
        if self._deferring.learn(
            site, fetched.url, page.text, forms, leads_on=leads_on, is_repeated=is_repeated
        ):
            deferred = self.store.frontier.postpone(
                site, LAST, MOST_DEFERRED, lambda url: self._deferring.is_fruitless(site, url)
            )
            self.stats.inc_value("hiddenweb/links/deferred", deferred)

    def _count_lesson(self, gain: VisitGain | None) -> None:
        if gain is not None:
            self.stats.inc_value(f"hiddenweb/automata/{gain}")

    def _pass_to_stages(self, crawl: TopicCrawl, page: Page, fetched: Fetched, *, follow: bool) -> None:
        """Pass the links of a page to the stages of a crawl on a topic, which choose those to visit."""
        task = fetched.task
        if not crawl.stages.is_chosen(task):
            return  # an answer, or the page of a record: not explored from
        site = registered_domain(fetched.url)
        inside: list[Link] = []
        outward: list[Link] = []
        if follow and not page.nofollow:
            for link in page.links:
                (inside if registered_domain(link.url) == site else outward).append(link)
        reasons: Counter[str] = Counter()
        rules = replace(self.rules, max_hops=crawl.stages.deepest)
        links = links_to_follow(inside, task, rules, lambda _, why: reasons.update((why,)), ranked=True)
        links += self._descriptions(page, fetched) if follow else ()
        added = self.store.frontier.add(
            link for link in links if not self.store.frontier.is_remembered(link.url)
        )
        self._count_links(len(inside), added, reasons)
        self.stats.inc_value("hiddenweb/links/outward", len(outward))
        if fetched.forms_on_topic:
            self.stats.inc_value("hiddenweb/locating/forms_on_topic", fetched.forms_on_topic)
        crawl.read(fetched, page, links, [link for link in outward if not link.nofollow])

    def _read_engine_answer(self, crawl: TopicCrawl, fetched: Fetched) -> str | None:
        """Read the answer of a search engine; return why it cannot be read, if so."""
        try:
            urls = crawl.read_answer(fetched)
        except ValueError as error:
            self.stats.inc_value("hiddenweb/locating/engine_unreadable")
            crawl.stages.note_missing(fetched.task)
            return str(error)
        self.stats.inc_value("hiddenweb/locating/engine_answers")
        crawl.stages.note_engine_answer(fetched.task, urls[:MOST_LINKING])
        return None

    def _count_links(self, total: int, added: AddedLinks, reasons: Counter[str]) -> None:
        self.stats.inc_value("hiddenweb/links/new", added.new)
        self.stats.inc_value(
            "hiddenweb/links/known", max(0, total - added.new - added.outside - reasons.total())
        )
        self.stats.inc_value("hiddenweb/links/outside", added.outside)
        for why, count in reasons.items():
            self.stats.inc_value(f"hiddenweb/links/ignored/{why}", count)

    def _descriptions(self, page: Page, fetched: Fetched) -> list[TaskSeed]:
        """Return the links to OpenSearch descriptions of a site: they come soon, for each has a form."""
        return [
            TaskSeed(url, "page", FIRST, fetched.task.hops + 1, parent=fetched.task.link)
            for url in page.descriptions
            if not self.store.frontier.is_remembered(url) and not self.store.frontier.is_known(url)
        ]

    def _count(self, fetched: Fetched) -> None:
        task, new = fetched.task, fetched.duplicate_of is None
        if task.kind == "page" and self._traps.closes_shape(task.site, task.url, new=new):
            self.stats.inc_value("hiddenweb/sites/patterns_closed")
            self.store.sites.close_shape(task.site, common_shape(task.url))
        progress = self.store.sites.count_page(task.site, new=new, kind=task.kind)
        why = reason_to_leave(progress.pages, self.patience)
        if why and not self.store.sites.is_left(task.site):
            self.stats.inc_value("hiddenweb/sites/left")
            self.store.sites.leave(task.site, why)
        self._stop_by_budget(task.site, progress)

    def _stop_by_budget(self, site: int, progress: SiteProgress) -> None:
        """Stop exploring, or reading pages of records, if that budget is spent; queries continue."""
        why = reason_to_stop_exploring(progress.explored, progress.nothing_new, self.patience)
        if why and self._on_topic is not None:
            self.store.sites.leave(site, why)
        elif why and not self.store.sites.is_stopped(site, "page"):
            self.stats.inc_value("hiddenweb/sites/explored")
            self.store.sites.stop(site, "page", why)
        why = reason_to_skip_records(progress.record_pages, self.patience)
        if why and not self.store.sites.is_stopped(site, "record"):
            self.stats.inc_value("hiddenweb/sites/detail_budget_spent")
            self.store.sites.stop(site, "record", why)


def release_documents(fetched: Fetched) -> None:
    """Release the parsed documents: Scrapy holds the items themselves for a while, as many as concurrent requests."""
    for page in (fetched.page, fetched.form_page):
        if page is not None and (document := document_of(page)) is not None:
            document.release()


def _was_posted(task: CrawlTask) -> bool:
    """Say whether a task is a POST, or belongs to one, which may be sent only once."""
    return task.answered_submission is not None and task.query is not None and task.query.method != "GET"
