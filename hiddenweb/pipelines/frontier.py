"""Handing the links of a page over in one batch, and ending its errand in the same transaction."""

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
    from hiddenweb.model import CrawlTask, Page, PageList
    from hiddenweb.store.database import Store
    from hiddenweb.store.frontier import AddedLinks
    from hiddenweb.store.link_automata import LinkAutomata
    from hiddenweb.store.sites import SiteProgress

ENOUGH_TEXT = 400
"""Letters of text that tell a page from others: galleries and bare lists may say the same and lead elsewhere."""

MOST_PUT_OFF = 20_000
"""Links that wait and are looked at when a kind of address has shown to be worth nothing."""

PASSING = frozenset(("nofollow", "too_many_hops"))
"""Reasons that hold for this link only: the address may be followed from elsewhere."""


class FrontierPipeline(StatePipeline):
    """Puts what a page links to into the frontier, and notes how the errand ended. The last pipeline of all."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        context = CrawlContext.open(crawler)
        return cls(
            context.store,
            crawler.stats,
            FrontierScope(max_hops=settings.getint("HIDDENWEB_MAX_HOPS")),
            SiteBudget(
                pages=settings.getint("HIDDENWEB_PAGES_PER_SITE"),
                explored=settings.getint("HIDDENWEB_EXPLORED_PAGES_PER_SITE"),
                record_pages=settings.getint("HIDDENWEB_DETAIL_PAGES_PER_SITE"),
                nothing_new=settings.getint("HIDDENWEB_MAX_DUPLICATES_PER_SITE"),
                alike=settings.getint("HIDDENWEB_MAX_DUPLICATES_PER_PATTERN"),
            ),
            context.topic,
            context.automata,
            settings.getint("HIDDENWEB_SITEMAP_LINKS") if context.topic is None else 0,
        )

    def __init__(
        self,
        state: Store,
        stats: StatsCollector,
        rules: FrontierScope,
        patience: SiteBudget,
        on_topic: TopicCrawl | None = None,
        automata: LinkAutomata | None = None,
        sitemap_links: int = 0,
    ) -> None:
        super().__init__(state, stats)
        self._on_topic = on_topic
        self._automata = automata
        self.rules = rules
        self.patience = patience
        self._sameness = TrapDetector(patience)
        self._deferring = LinkDeferral()
        self._sitemaps = SitemapLinks(state, sitemap_links, rules)

    def process_item(self, item: object) -> object:
        if isinstance(item, FetchFailure):
            self._missed(item)
        elif isinstance(item, Fetched):
            self._visited(item)
        if isinstance(item, Fetched | FetchFailure) and self._was_posted(item.errand):
            self.state.commit()  # it cannot be asked for again
        return item

    def _was_posted(self, errand: CrawlTask) -> bool:
        if self.state.frontier.load_post(errand) is not None:
            return True
        if errand.kind != "answer" or errand.submission is None:
            return False
        asked = self.state.submissions.load(errand.submission)
        return asked is not None and asked.query.method != "GET"

    def _missed(self, missed: FetchFailure) -> None:
        errand = missed.errand
        if missed.host_pause is not None:
            self.state.sites.pause_host(errand.host, missed.at + missed.host_pause, missed.why)
            self.state.commit()  # what a host asked for holds after a kill too
        if self._on_topic is not None and missed.retry_in is None:
            (self._on_topic.stages.skipped if missed.refused else self._on_topic.stages.missed)(errand)
        if self._automata is not None and missed.retry_in is None:
            self._count_lesson(self._automata.missed(errand))
        if missed.refused:
            self.stats.inc_value("hiddenweb/frontier/refused")
            self.state.frontier.refuse(errand, missed.why)
        else:
            again = missed.retry_in is not None
            self.stats.inc_value("hiddenweb/frontier/postponed" if again else "hiddenweb/frontier/missed")
            self.state.frontier.fail(missed)
        if errand.submission is not None and errand.kind == "answer" and missed.retry_in is None:
            self.state.submissions.mark_failed(errand.submission, missed.why)

    def _visited(self, visit: Fetched) -> None:
        errand = visit.errand
        if visit.redirect is not None:
            why = self._redirect(visit, visit.redirect)
            self.state.frontier.finish(errand, why)
            return
        if self._on_topic is not None and self._on_topic.stages.is_engine(errand):
            self.state.frontier.finish(errand, self._engine_answered(self._on_topic, visit))
            return
        if self._automata is not None:
            self._count_lesson(self._automata.visited(visit))
        if visit.named is not None and self._on_topic is None:
            self._take_named(visit, visit.named)
            return
        if visit.page is None:
            self.stats.inc_value("hiddenweb/frontier/no_page")
            if self._on_topic is not None:
                self._on_topic.stages.missed(errand)
            self.state.frontier.finish(errand, visit.why)
            return
        repeats = visit.exact and len(visit.page.text) >= ENOUGH_TEXT
        if self._on_topic is not None:
            self._tell_stages(self._on_topic, visit.page, visit, follow=not repeats)
        elif errand.kind in ("page", "record"):
            links = self._deferring.links_of(errand.site, visit.url)
            if not repeats:
                self._follow(visit.page, visit, links)
            if errand.kind == "page" and self._automata is None:
                self._learn_worth(visit.page, visit, leads_on=links.lead_on)
        self.state.frontier.finish(errand)
        self._count(visit)
        if errand.kind == "page" and self._sitemaps.is_undecided(errand.site):
            self._look_for_sitemaps(errand, visit.page)

    def _look_for_sitemaps(self, errand: CrawlTask, page: Page) -> None:
        kept = self.state.sites.load_robots(origin(errand.url))
        named = RobotsRules.from_json(kept).sitemaps if kept else ()
        explored = self.state.sites.load_progress(errand.site).explored
        due = self._sitemaps.look_for(errand, named, explored, may_guess=not page.nofollow)
        self.stats.inc_value("hiddenweb/sitemaps/due", due)

    def _take_named(self, visit: Fetched, named: PageList) -> None:
        """Put what a sitemap names into the frontier."""
        self.stats.inc_value("hiddenweb/sitemaps/explored")
        self.stats.inc_value("hiddenweb/sitemaps/links", self._sitemaps.take(visit.errand, named).new)
        self.state.frontier.finish(visit.errand, visit.why)

    def _redirect(self, visit: Fetched, target: str) -> str:
        errand = visit.errand
        self.stats.inc_value("hiddenweb/frontier/redirects")
        is_sitemap = reason_to_ignore(errand.url, self.rules) == "file"  # no other file is in the frontier
        why = None if is_sitemap else reason_to_ignore(target, self.rules)
        if not why and self._on_topic is not None and self._on_topic.stages.moved(errand, target):
            return f"redirects to another site, {target}"
        if why or errand.redirects >= self.rules.max_redirects:
            if self._on_topic is not None:
                self._on_topic.stages.missed(errand)
            return f"redirects to {target}, not followed: {why or 'too many redirects'}"
        if errand.hops == 0 and errand.kind == "page":
            self.state.sites.want(target, errand.site)
        bucket = min(FIRST + errand.hops, LAST) if errand.kind == "page" else 0
        link = TaskSeed(
            target, errand.kind, bucket, errand.hops, errand.redirects + 1,
            errand.link, errand.submission, errand.page_number,
        )  # fmt: skip
        self.state.frontier.add([link])
        record_moved(self.state, errand, target)
        return f"redirects to {target}"

    def _follow(self, page: Page, visit: Fetched, links_of_page: DeferrableLinks) -> None:
        reasons: Counter[str] = Counter()

        def ignored(link: Link, why: str) -> None:
            reasons[why] += 1
            if why not in PASSING:
                self.state.frontier.remember(link.url)

        itself = [Link(url) for url in (page.refresh, page.canonical) if url and url != visit.url]
        leading = [*page.links, *itself]
        if page.nofollow:
            reasons["nofollow"] += len(leading)
            links = []
        else:
            fresh = [link for link in leading if not self.state.frontier.is_remembered(link.url)]
            ranked = self._automata is not None
            links = links_to_follow(
                fresh, visit.errand, self.rules, ignored, ranked=ranked, can_wait=links_of_page.can_wait
            )
            if self._automata is not None:
                links = self._automata.placed(visit.errand.site, page, links)
        described = [] if page.nofollow else self._descriptions(page, visit)
        added = self.state.frontier.add([*links, *described], followed=True)
        self._count_links(len(leading) + len(described), added, reasons)
        if self._automata is None:
            self.stats.inc_value(
                "hiddenweb/links/deferred",
                sum(link.bucket == LAST > FIRST + link.hops for link in added.links),
            )

    def _learn_worth(self, page: Page, visit: Fetched, *, leads_on: bool) -> None:
        """Learn what pages of its kind are worth; if that is nothing, others that wait go behind everything."""
        site = visit.errand.site
        forms = (form_hash(form) for form in page.forms)  # most often nobody wants to know
        is_repeated = visit.duplicate_of is not None
        if self._deferring.learn(
            site, visit.url, page.text, forms, leads_on=leads_on, is_repeated=is_repeated
        ):
            put_off = self.state.frontier.postpone(
                site, LAST, MOST_PUT_OFF, lambda url: self._deferring.is_barren(site, url)
            )
            self.stats.inc_value("hiddenweb/links/deferred", put_off)

    def _count_lesson(self, brought: VisitGain | None) -> None:
        if brought is not None:
            self.stats.inc_value(f"hiddenweb/automata/{brought}")

    def _tell_stages(self, crawl: TopicCrawl, page: Page, visit: Fetched, *, follow: bool) -> None:
        """Hand the links of a page to the stages of a crawl on a topic, which choose those that are visited."""
        errand = visit.errand
        if not crawl.stages.is_chosen(errand):
            return  # an answer, or the page of a record: nobody explores from there
        site = registered_domain(visit.url)
        inside: list[Link] = []
        outward: list[Link] = []
        if follow and not page.nofollow:
            for link in page.links:
                (inside if registered_domain(link.url) == site else outward).append(link)
        reasons: Counter[str] = Counter()
        rules = replace(self.rules, max_hops=crawl.stages.deepest)
        links = links_to_follow(inside, errand, rules, lambda _, why: reasons.update((why,)), ranked=True)
        links += self._descriptions(page, visit) if follow else ()
        added = self.state.frontier.add(
            link for link in links if not self.state.frontier.is_remembered(link.url)
        )
        self._count_links(len(inside), added, reasons)
        self.stats.inc_value("hiddenweb/links/outward", len(outward))
        if visit.forms_on_topic:
            self.stats.inc_value("hiddenweb/locating/forms_on_topic", visit.forms_on_topic)
        crawl.read(visit, page, links, [link for link in outward if not link.nofollow])

    def _engine_answered(self, crawl: TopicCrawl, visit: Fetched) -> str | None:
        """Take the answer of a search engine; return why it cannot be read, if so."""
        try:
            urls = crawl.read_answer(visit)
        except ValueError as error:
            self.stats.inc_value("hiddenweb/locating/engine_unreadable")
            crawl.stages.missed(visit.errand)
            return str(error)
        self.stats.inc_value("hiddenweb/locating/engine_answers")
        crawl.stages.answered(visit.errand, urls[:MOST_LINKING])
        return None

    def _count_links(self, seen: int, added: AddedLinks, reasons: Counter[str]) -> None:
        self.stats.inc_value("hiddenweb/links/new", added.new)
        self.stats.inc_value(
            "hiddenweb/links/known", max(0, seen - added.new - added.outside - reasons.total())
        )
        self.stats.inc_value("hiddenweb/links/outside", added.outside)
        for why, count in reasons.items():
            self.stats.inc_value(f"hiddenweb/links/ignored/{why}", count)

    def _descriptions(self, page: Page, visit: Fetched) -> list[TaskSeed]:
        """Return the links to descriptions of a site's search: they come soon, for there is a form in each."""
        return [
            TaskSeed(url, "page", FIRST, visit.errand.hops + 1, parent=visit.errand.link)
            for url in page.descriptions
            if not self.state.frontier.is_remembered(url) and not self.state.frontier.is_known(url)
        ]

    def _count(self, visit: Fetched) -> None:
        errand, new = visit.errand, visit.duplicate_of is None
        if errand.kind == "page" and self._sameness.is_too_much(errand.site, errand.url, new=new):
            self.stats.inc_value("hiddenweb/sites/shapes_closed")
            self.state.sites.close_shape(errand.site, common_shape(errand.url))
        progress = self.state.sites.count_page(errand.site, new=new, kind=errand.kind)
        why = reason_to_leave(progress.pages, self.patience)
        if why and not self.state.sites.is_left(errand.site):
            self.stats.inc_value("hiddenweb/sites/left")
            self.state.sites.leave(errand.site, why)
        self._stop_what_is_spent(errand.site, progress)

    def _stop_what_is_spent(self, site: int, progress: SiteProgress) -> None:
        """Explore no more, or read no more pages of records, where that budget is spent; queries go on."""
        why = reason_to_stop_exploring(progress.explored, progress.nothing_new, self.patience)
        if why and self._on_topic is not None:
            self.state.sites.leave(site, why)
        elif why and not self.state.sites.is_stopped(site, "page"):
            self.stats.inc_value("hiddenweb/sites/explored")
            self.state.sites.stop(site, "page", why)
        why = reason_to_spare_records(progress.record_pages, self.patience)
        if why and not self.state.sites.is_stopped(site, "record"):
            self.stats.inc_value("hiddenweb/sites/records_spared")
            self.state.sites.stop(site, "record", why)
