"""Comparing revisited pages with their stored versions, storing what changed, and reporting it."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import create_looping_call

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.html.document import PARSED, parse_document
from hiddenweb.html.reader import read_document
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.pipelines.extraction import PageExtraction
from hiddenweb.pipelines.notifications import Notifications
from hiddenweb.pipelines.pages import limits_of
from hiddenweb.querying.conversation_state import load_earlier_answers
from hiddenweb.revisit.answer_news import AnswerJudge
from hiddenweb.revisit.answer_walk import AnswerWalk, AnswerWalks
from hiddenweb.revisit.comparison import GonePolicy, SoftNotFoundTexts
from hiddenweb.revisit.history import ALL
from hiddenweb.revisit.page_readers import PageReaders
from hiddenweb.revisit.record_checks import RecordChecks
from hiddenweb.revisit.revisit import PageReading, PageReadings, PageToRead, read_around, revisit_page
from hiddenweb.revisit.worker_pool import PoolStopped, WorkersFailed
from hiddenweb.signals import change_found
from hiddenweb.store.answers import AnswerStore
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.sitemaps import SitemapStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.model import CrawlTask, HttpQuery, Page
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.history import HistoryLimits
    from hiddenweb.revisit.revisit import Revisit
    from hiddenweb.revisit.revisit_store import StoredReading
    from hiddenweb.store.database import Store
    from hiddenweb.store.revisit_plan import DueRevisit

    ReadPage = Callable[[PageToRead], Awaitable[PageReadings]]

logger = logging.getLogger(__name__)

SAVE_MASKS_SECONDS = 30.0
"""Seconds between saves of the masks: what a kill can cost; a limit of taste."""

_UNCHANGED = frozenset(("not_modified", "same_bytes", "same_text"))
_NOT_READ = frozenset(("not_modified", "same_bytes", "failed", "doubted"))
_WITHOUT_PAGE = frozenset(("failed", "doubted"))


class ChangesPipeline(StatePipeline):
    """Compares the outcome of a revisit with the stored page, stores what changed, and ends the revisit.

    Pages are read by worker processes. When `HIDDENWEB_COMPARISON_QUEUE` pages wait for these, the crawl waits too.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context, stats = CrawlContext.open(crawler), crawler.stats
        assert stats is not None
        state, settings = context.store, context.settings
        return cls(
            state,
            stats,
            extraction=PageExtraction(state, settings, stats),
            readers=PageReaders(
                settings.getint("HIDDENWEB_COMPARISON_PROCESSES"),
                settings.getint("HIDDENWEB_COMPARISON_QUEUE"),
                on_unreadable=lambda: stats.inc_value("hiddenweb/revisits/unreadable"),
                on_parsed=lambda pages: stats.inc_value(PARSED, pages),
            ),
            patience=GonePolicy(
                missing_times=settings.getint("HIDDENWEB_GONE_AFTER_FAILURES"),
                missing_apart=settings.getfloat("HIDDENWEB_GONE_MIN_INTERVAL"),
            ),
            limits=limits_of(settings),
            notifications=Notifications.from_settings(settings),
            most_pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER"),
            can_check=settings["HIDDENWEB_DETAIL_PAGES"] != "never",
            signal=lambda change: crawler.signals.send_catch_log(change_found, change=change),
        )

    def __init__(
        self,
        state: Store,
        stats: StatsCollector,
        *,
        extraction: PageExtraction,
        readers: PageReaders,
        patience: GonePolicy,
        limits: HistoryLimits = ALL,
        notifications: Notifications | None = None,
        most_pages: int = 1,
        can_check: bool = True,
        signal: Callable[[Change], object] = lambda _: None,
    ) -> None:
        super().__init__(state, stats)
        self._extraction = extraction
        self._readers = readers
        self._patience = patience
        self._limits = limits
        self._notifications = notifications
        self._signal = signal
        self._revisits = RevisitStore(state)
        self._sitemaps = SitemapStore(state)
        self._answers = AnswerStore(state)
        self._soft_not_found = SoftNotFoundTexts()
        draw, read = self._revisits.plan.draw_request, self._readers.read
        self._walks = AnswerWalks(self._answers, draw, read, most_pages)
        self._checks = RecordChecks(self._answers, draw, read, self._walks)
        self._judge = AnswerJudge(self._answers, self._checks if can_check else None)
        self._masks_lock = asyncio.Lock()
        self._expected = 0.0
        self._upkeep: Any = None
        self._sending: asyncio.Future[None] | None = None

    async def open_spider(self) -> None:
        self._masks = self._revisits.changes.load_masks()
        self._upkeep = create_looping_call(self._do_upkeep)
        self._upkeep.start(SAVE_MASKS_SECONDS, now=False)

    async def close_spider(self) -> None:
        self._upkeep.stop()
        await self._readers.stop()
        self._revisits.changes.save_masks(self._masks)
        if self._notifications is not None:
            if self._sending is not None:
                await self._sending
            await self._notifications.finish(time.time())
            for what, count in self._notifications.notifier.counts.items():
                self.stats.set_value(f"hiddenweb/notify/{what.replace(' ', '_')}", count)
        self.stats.set_value("hiddenweb/revisits/expected_changed", round(self._expected, 1))
        if (achieved := self._revisits.plan.estimate_freshness()) is not None:
            self.stats.set_value("hiddenweb/revisits/fresh_achieved", round(achieved, 4))

    async def process_item(self, item: object) -> object:
        if not isinstance(item, Fetched | FetchFailure) or not item.task.is_revisit:
            return item
        item, read = _take_page(item)
        task = item.task
        if isinstance(item, Fetched) or (item.counts and not item.refused):
            self._revisits.plan.count_request(item.at)
        if isinstance(item, FetchFailure) and item.retry_in is not None:
            self._postpone(item)
            return item
        if (walk := self._walks.pop(task.link)) is not None:
            is_unfinished = await self._walks.step(walk, item)
            is_all = self._answers.end_page(task.link)
            if not is_unfinished:
                ended = await self._end_walk(walk, item)
                item = ended if is_all else item
            if is_all:
                return item
        if (check := self._checks.pop(task.link)) is not None:
            if await self._checks.end(check, item):
                answer = check.stored
                self._report([
                    self._revisits.changes.add(answer.page, answer.site, check.change, old=answer.version, new=answer.version)
                ])  # fmt: skip
            self._count_not_seen()
            if self._answers.end_page(task.link):
                return item
        stored = self._revisits.load(task)
        if stored is None or (isinstance(item, FetchFailure) and item.refused):
            self.stats.inc_value("hiddenweb/revisits/refused")
            self._end_without_gain(task)
            return item
        if task.kind != "answer" or task.submission is None:
            return await self._compare(item, stored, page=read)
        walk = AnswerWalk(item, stored, self._page_to_read(task))
        return item if await self._walks.begin(walk) else await self._end_walk(walk, item)

    def _postpone(self, failure: FetchFailure) -> None:
        self.stats.inc_value("hiddenweb/revisits/postponed")
        if failure.host_pause is not None:
            self.store.sites.pause_host(failure.task.host, failure.at + failure.host_pause, failure.why)
        self._revisits.postpone(failure)

    async def _compare(
        self, item: Fetched | FetchFailure, stored: StoredReading, walk: AnswerWalk | None = None, page: Page | None = None
    ) -> Fetched | FetchFailure:  # fmt: skip
        """Compare an outcome with the stored page, and save the result; `page` is what it was read as, if it was."""
        try:
            revisit = await revisit_page(
                stored.known, stored.body, item, masks=self._masks, soft_not_found=self._soft_not_found,
                masks_lock=self._masks_lock, patience=self._patience, query=self._query(item.task),
                read=self._reader_of(item, self._readers.read if walk is None else walk.reader(self._readers.read), page),
                further=None if walk is None else await self._walks.pages_of(walk),
            )  # fmt: skip
        except (PoolStopped, WorkersFailed):  # the next crawl revisits it
            raise
        except Exception:  # a bad page costs one revisit, whatever is wrong with it
            self.stats.inc_value("hiddenweb/revisits/unreadable")
            logger.exception("%s: cannot be compared", item.task.url)
            self._end_without_gain(item.task)
            return item
        if walk is not None and revisit.outcome.step not in _WITHOUT_PAGE:
            revisit = self._judge_answer(item, revisit, walk)
        return self._save(item, stored, revisit)

    def _reader_of(self, item: Fetched | FetchFailure, read: ReadPage, parsed: Page | None) -> ReadPage:
        """Return what reads the page of a revisit, with its layout if an extractor wants it, so that it is parsed only once."""
        if not isinstance(item, Fetched) or not item.body:
            return read

        async def read_page_of_item(page: PageToRead) -> PageReadings:
            want_layout = self._extraction.wants(item.url, self._form_of(item.task))
            page = replace(page, want_layout=want_layout)
            return await (read(page) if parsed is None else read_around(parsed, page, read))

        return read_page_of_item

    def _form_of(self, task: CrawlTask) -> int | None:
        submission = (
            self.store.submissions.load(task.answered_submission)
            if task.answered_submission is not None
            else None
        )
        return submission.form if submission is not None else None

    async def _end_walk(self, walk: AnswerWalk, item: Fetched | FetchFailure) -> Fetched | FetchFailure:
        """Compare all pages of an answer with the stored ones."""
        ended = await self._compare(walk.item, walk.stored, walk)
        return ended if item is walk.item else item

    def _judge_answer(self, item: Fetched | FetchFailure, revisit: Revisit, walk: AnswerWalk) -> Revisit:
        """Store what the changes of an answer mean for its site; return the revisit with those that are news."""
        submission = self.store.submissions.load(walk.submission)
        news = self._judge.judge(revisit, walk, submission.form if submission is not None else None)
        if news.new and isinstance(item, Fetched):
            new = self.store.records.save(
                item.task.site, news.new, submission=walk.submission, page=None, at=item.at
            )
            self.stats.inc_value("hiddenweb/records/new", len(new))
        self._judge.save(news, walk)
        self._count_not_seen()
        self.stats.inc_value("hiddenweb/revisits/records_changed", news.changed)
        self.stats.inc_value(
            "hiddenweb/revisits/answers_in_part" if walk.why else "hiddenweb/revisits/answers_whole"
        )
        return news.revisit

    def _count_not_seen(self) -> None:
        self.stats.set_value("hiddenweb/revisits/records_not_seen", self._judge.not_seen)

    def _page_to_read(self, task: CrawlTask) -> PageToRead:
        assert task.submission is not None
        submission = self.store.submissions.load(task.submission)
        stored = self.store.forms.load(submission.form) if submission is not None else None
        if submission is None or stored is None:
            return PageToRead(task.url, None, query=self._query(task))
        return PageToRead(
            task.url, None, query=submission.query, form=stored.form, earlier=load_earlier_answers(stored)
        )

    def _query(self, task: CrawlTask) -> HttpQuery | None:
        if task.kind != "answer" or task.submission is None:
            return None
        submission = self.store.submissions.load(task.submission)
        return submission.query if submission is not None else None

    # Saving

    def _save(
        self, item: Fetched | FetchFailure, stored: StoredReading, revisit: Revisit
    ) -> Fetched | FetchFailure:
        """Save the outcome of a revisit, and report it."""
        outcome = revisit.outcome
        self.stats.inc_value(f"hiddenweb/revisits/{outcome.step}")
        number: int | None = None
        is_changed = any(change.kind != "new" for change in outcome.changes)
        if is_changed and isinstance(item, Fetched) and revisit.read is not None:
            page = revisit.read.page
            if stored.etag or stored.last_modified:
                self._revisits.judge_validators(
                    item.task, same=(stored.etag, stored.last_modified) == (item.etag, item.last_modified)
                )
            is_record = any(change.kind.startswith("record") for change in outcome.changes)
            self.store.pages.save(replace(item, page=page), page, self._limits, is_changed=is_record)
            saved = self._revisits.load(item.task)
            number = saved.version if saved is not None else None
            item = replace(item, page=page, stored_page=stored.page)
        if outcome.step in _UNCHANGED and stored.known is not None and not is_changed:
            self._revisits.save_unchanged(stored, outcome, item.at)
        else:
            self._report(self._revisits.save(stored, outcome, item.at, new_version=number))
        if isinstance(item, Fetched) and outcome.step not in _NOT_READ:
            item = self._extract(item, stored.page, revisit.read)
        if outcome.step in _WITHOUT_PAGE:
            self._end_without_gain(item.task)
        elif (planned := self._revisits.end(item.task)) is not None:
            self._learn(planned, is_changed=is_changed)
        return item

    def _extract(self, fetched: Fetched, number: int, reading: PageReading | None) -> Fetched:
        """Run the extractors on a page whose bytes changed, and report what they found."""
        task = fetched.task
        form = self._form_of(task)
        if not fetched.body or not self._extraction.wants(fetched.url, form):
            return fetched
        if reading is not None and reading.layout is not None:
            page, layout = fetched.page or reading.page, reading.layout
        else:
            count = partial(self.stats.inc_value, PARSED)
            document = parse_document(fetched.body, content_type=fetched.content_type, on_parse=count)
            page, layout = fetched.page or read_document(document, fetched.url), document.layout
        outcome, changes = self._extraction.extract(
            PageInput(
                fetched.url, number, task.site, fetched.at, layout, page.title, form, records=fetched.records
            )
        )  # fmt: skip
        if fetched.page is None and (outcome.deviates or changes):
            self.store.pages.save(replace(fetched, page=page), page, self._limits, is_changed=True)
        self._report(changes)
        if not any(values.is_new for values in outcome.extracted):
            return fetched
        return replace(fetched, page=page, stored_page=number, attributes=outcome.attributes)

    def _end_without_gain(self, task: CrawlTask) -> None:
        if (planned := self._revisits.end(task)) is not None:
            self._revisits.plan.lose_gain(planned.gain)

    def _learn(self, planned: DueRevisit, *, is_changed: bool) -> None:
        """Compare what a revisit found with the plan, and with its sitemap."""
        self._expected += planned.expected
        self.stats.inc_value("hiddenweb/revisits/found_changed", int(is_changed))
        if planned.sitemap_says:
            self._sitemaps.count_verdict(planned.host, planned.sitemap_says, changed=is_changed)
            is_right = is_changed == (planned.sitemap_says > 0)
            self.stats.inc_value(f"hiddenweb/sitemaps/{'right' if is_right else 'wrong'}")

    def _report(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self.stats.inc_value(f"hiddenweb/changes/{change.kind.replace(' ', '_')}")
            logger.info("%s: %s", change.kind, change.url)
            self._signal(change)
        if changes and self._notifications is not None:
            self._notifications.notifier.add(changes)

    def _do_upkeep(self) -> None:
        """Save the masks, unless a thread is learning just now, and send due notifications."""
        if not self._masks_lock.locked():
            self._revisits.changes.save_masks(self._masks)
        if self._notifications is not None and (self._sending is None or self._sending.done()):
            self._sending = asyncio.ensure_future(self._notifications.notifier.send(time.time()))


def _take_page(item: Fetched | FetchFailure) -> tuple[Fetched | FetchFailure, Page | None]:
    """Return an outcome as a revisit has it, and the page that was read from it already, beside a spider that is not ours."""
    if isinstance(item, FetchFailure) or item.page is None:
        return item, None
    return replace(item, page=None), item.page
