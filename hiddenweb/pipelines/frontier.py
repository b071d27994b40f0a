"""Handing the links of a page over in one batch, and ending its task in the same transaction."""

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
    reason_to_spare_records,
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
"""Letters of text that tell a page from others: galleries and bare lists may say the same and lead elsewhere. A limit of taste."""

MOST_PUT_OFF = 20_000
"""Links that wait and are looked at when a kind of address has shown to be worth nothing. A limit of taste."""

PASSING = frozenset(("nofollow", "too_many_hops"))
"""Reasons that hold for this link only: the address may be followed from elsewhere."""


class FrontierPipeline(StatePipeline):
    """Puts what a page links to into the frontier, and notes how the task ended. The last pipeline of all."""

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
        self._sameness = TrapDetector(patience)
        self._deferring = LinkDeferral()
        self._sitemaps = SitemapLinks(store, sitemap_links, rules)

    def process_item(self, item: object) -> object:
        if isinstance(item, FetchFailure):
            self._end_failed(item)
        elif isinstance(item, Fetched):
            self._end_fetched(item)
            _release_documents(item)
        if isinstance(item, Fetched | FetchFailure) and _was_posted(item.task):
            self.store.commit()  # it cannot be asked for again
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
            again = failure.retry_in is not None
            self.stats.inc_value("hiddenweb/frontier/postponed" if again else "hiddenweb/frontier/missed")
            self._frontier.failed(failure)

    def _end_fetched(self, fetched: Fetched) -> None:
        task = fetched.task
        if fetched.redirect is not None:
            why = self._redirect(fetched, fetched.redirect)
            self._frontier.done(task, why)
            return
        if self._on_topic is not None and self._on_topic.stages.is_engine(task):
            self._frontier.done(task, self._engine_answered(self._on_topic, fetched))
            return
        if self._automata is not None:
            self._count_lesson(self._automata.learn_fetched(fetched))
        if fetched.page_list is not None and self._on_topic is None:
            self._take_named(fetched, fetched.page_list)
            return
        if fetched.page is None:
            self.stats.inc_value("hiddenweb/frontier/no_page")
            if self._on_topic is not None:
                self._on_topic.stages.note_missing(task)
            self._frontier.done(task, fetched.why)
            return
        repeats = fetched.exact and len(fetched.page.text) >= ENOUGH_TEXT
        if self._on_topic is not None:
            self._tell_stages(self._on_topic, fetched.page, fetched, follow=not repeats)
        elif task.kind in ("page", "record"):
            links = self._deferring.links_of(task.site, fetched.url)
            if not repeats:
                self._follow(fetched.page, fetched, links)
            if task.kind == "page" and self._automata is None:
                self._learn_worth(fetched.page, fetched, leads_on=links.lead_on)
        self._frontier.done(task)
        self._count(fetched)
        if task.kind == "page" and self._sitemaps.is_undecided(task.site):
            self._look_for_sitemaps(task, fetched.page)

    def _look_for_sitemaps(self, task: CrawlTask, page: Page) -> None:
        kept = self.store.sites.load_robots(origin(task.url))
        named = RobotsRules.from_json(kept).sitemaps if kept else ()
        explored = self.store.sites.load_progress(task.site).explored
        due = self._sitemaps.add_due(task, named, explored, may_guess=not page.nofollow)
        self.stats.inc_value("hiddenweb/sitemaps/due", due)

    def _take_named(self, fetched: Fetched, named: PageList) -> None:
        """Put what a sitemap names into the frontier."""
        self.stats.inc_value("hiddenweb/sitemaps/explored")
        self.stats.inc_value("hiddenweb/sitemaps/links", self._sitemaps.add_named(fetched.task, named).new)
        self._frontier.done(fetched.task, fetched.why)

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

        itself = [Link(url) for url in (page.refresh, page.canonical) if url and url != fetched.url]
        leading = len(page.links) + len(itself)
        if page.nofollow:
            reasons["nofollow"] += leading
            links = []
        else:
            fresh = [
                link
                for links in (page.links, itself)
                for link in select_links(links, self.store.frontier.unmet)
            ]
            ranked = self._automata is not None
            links = links_to_follow(
                fresh, fetched.task, self.rules, ignored, ranked=ranked, can_wait=links_of_page.can_wait
            )
            if self._automata is not None:
                links = self._automata.place_links(fetched.task.site, page, links)
        described = [] if page.nofollow else self._descriptions(page, fetched)
        added = self.store.frontier.add([*links, *described], followed=True)
        self._count_links(leading + len(described), added, reasons)
        if self._automata is None:
            self.stats.inc_value(
                "hiddenweb/links/deferred",
                sum(link.bucket == LAST > FIRST + link.hops for link in added.links),
            )

    def _learn_worth(self, page: Page, fetched: Fetched, *, leads_on: bool) -> None:
        """Learn what pages of its kind are worth; if that is nothing, others that wait go behind everything."""
        site = fetched.task.site
        forms = (form_hash(form) for form in page.forms)  # most often nobody wants to know
        is_repeated = fetched.duplicate_of is not None
        if self._deferring.learn(
            site, fetched.url, page.text, forms, leads_on=leads_on, is_repeated=is_repeated
        ):
            put_off = self.store.frontier.postpone(
                site, LAST, MOST_PUT_OFF, lambda url: self._deferring.is_barren(site, url)
            )
            self.stats.inc_value("hiddenweb/links/deferred", put_off)

    def _count_lesson(self, brought: VisitGain | None) -> None:
        if brought is not None:
            self.stats.inc_value(f"hiddenweb/automata/{brought}")

    def _tell_stages(self, crawl: TopicCrawl, page: Page, fetched: Fetched, *, follow: bool) -> None:
        """Hand the links of a page to the stages of a crawl on a topic, which choose those that are visited."""
        task = fetched.task
        if not crawl.stages.is_chosen(task):
            return  # an answer, or the page of a record: nobody explores from there
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

    def _engine_answered(self, crawl: TopicCrawl, fetched: Fetched) -> str | None:
        """Take the answer of a search engine; return why it cannot be read, if so."""
        try:
            urls = crawl.read_answer(fetched)
        except ValueError as error:
            self.stats.inc_value("hiddenweb/locating/engine_unreadable")
            crawl.stages.note_missing(fetched.task)
            return str(error)
        self.stats.inc_value("hiddenweb/locating/engine_answers")
        crawl.stages.note_engine_answer(fetched.task, urls[:MOST_LINKING])
        return None

    def _count_links(self, seen: int, added: AddedLinks, reasons: Counter[str]) -> None:
        self.stats.inc_value("hiddenweb/links/new", added.new)
        self.stats.inc_value(
            "hiddenweb/links/known", max(0, seen - added.new - added.outside - reasons.total())
        )
        self.stats.inc_value("hiddenweb/links/outside", added.outside)
        for why, count in reasons.items():
            self.stats.inc_value(f"hiddenweb/links/ignored/{why}", count)

    def _descriptions(self, page: Page, fetched: Fetched) -> list[TaskSeed]:
        """Return the links to descriptions of a site's search: they come soon, for there is a form in each."""
        return [
            TaskSeed(url, "page", FIRST, fetched.task.hops + 1, parent=fetched.task.link)
            for url in page.descriptions
            if not self.store.frontier.is_remembered(url) and not self.store.frontier.is_known(url)
        ]

    def _count(self, fetched: Fetched) -> None:
        task, new = fetched.task, fetched.duplicate_of is None
        if task.kind == "page" and self._sameness.is_too_much(task.site, task.url, new=new):
            self.stats.inc_value("hiddenweb/sites/patterns_closed")
            self.store.sites.close_shape(task.site, common_shape(task.url))
        progress = self.store.sites.count_page(task.site, new=new, kind=task.kind)
        why = reason_to_leave(progress.pages, self.patience)
        if why and not self.store.sites.is_left(task.site):
            self.stats.inc_value("hiddenweb/sites/left")
            self.store.sites.leave(task.site, why)
        self._stop_what_is_spent(task.site, progress)

    def _stop_what_is_spent(self, site: int, progress: SiteProgress) -> None:
        """Explore no more, or read no more pages of records, where that budget is spent; queries go on."""
        why = reason_to_stop_exploring(progress.explored, progress.nothing_new, self.patience)
        if why and self._on_topic is not None:
            self.store.sites.leave(site, why)
        elif why and not self.store.sites.is_stopped(site, "page"):
            self.stats.inc_value("hiddenweb/sites/explored")
            self.store.sites.stop(site, "page", why)
        why = reason_to_spare_records(progress.record_pages, self.patience)
        if why and not self.store.sites.is_stopped(site, "record"):
            self.stats.inc_value("hiddenweb/sites/detail_budget_spent")
            self.store.sites.stop(site, "record", why)


def _release_documents(fetched: Fetched) -> None:
    """Let go of what was parsed: until Scrapy lets go of the items themselves, as many wait as there are requests at a time."""
    for page in (fetched.page, fetched.form_page):
        if page is not None and (document := document_of(page)) is not None:
            document.release()


def _was_posted(task: CrawlTask) -> bool:
    """Say whether a task is, or came from, what may be sent only once."""
    return task.answered_submission is not None and task.query is not None and task.query.method != "GET"
