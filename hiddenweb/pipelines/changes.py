"""Telling what changed since the last look."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import create_looping_call

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.extraction.page_extraction import PageInput
from hiddenweb.html.layout import layout_of_page, read_layout
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.pipelines.extraction import PageExtraction
from hiddenweb.pipelines.notifications import Notifications
from hiddenweb.pipelines.pages import limits_of
from hiddenweb.querying.conversation import earlier_of
from hiddenweb.revisit.answer_changes import find_surely_new
from hiddenweb.revisit.comparison import GonePolicy, SoftNotFoundTexts, raw_hash
from hiddenweb.revisit.revisit import (
    AnswerPages,
    FetchedBody,
    PageReadings,
    PageToRead,
    StoredBody,
    body_of,
    denies_record,
    read_versions,
    revisit_page,
    shows_record,
)
from hiddenweb.revisit.versions import ALL
from hiddenweb.revisit.worker_pool import PoolStopped, WorkerPool, WorkersFailed
from hiddenweb.store.answers import AnswerRevisit, AnswerStore
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.sitemaps import SitemapStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.model import CrawlTask, HttpQuery, Record
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.revisit import PageReading, Revisit
    from hiddenweb.revisit.versions import HistoryLimits
    from hiddenweb.store.database import Store
    from hiddenweb.store.revisits import DueRevisit, StoredReading

logger = logging.getLogger(__name__)

HUNG_AFTER = 10.0
"""Seconds that reading a page may take: milliseconds, but for the first one on a busy machine, and the worst."""

KEEP_MASKS = 30.0
"""Seconds after which a kill costs what was learnt of noise."""

_AS_IT_WAS = frozenset(("not_modified", "same_bytes", "same_text"))
_NOT_READ = frozenset(("not_modified", "same_bytes", "failed", "doubted"))
_TELLS_NOTHING = frozenset(("failed", "doubted"))
_NO_PAGE = frozenset((404, 410))


@dataclass(slots=True)
class _AnswerRevisit:
    """A look at all pages of an answer, under way. A crawl that dies begins it anew: its first page is still planned."""

    item: Fetched | FetchFailure  # what came for the first page
    kept: StoredReading
    to_read: PageToRead
    first: PageReading | None = None
    further: list[PageReading] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)  # links
    most: int | None = None  # pages
    turned: bool = False  # the crawl that asked turned its pages
    why: str = ""  # what was not looked at, and why
    is_as_it_was: bool = False

    def seen(self) -> tuple[Record, ...]:
        """Return the records of the pages that came."""
        reads = (self.first, *self.further)
        return tuple(record for read in reads if read is not None for record in read.records)

    def keys(self) -> set[str]:
        """Return their keys."""
        return {record.key for record in self.seen()}

    def reader(
        self, read: Callable[[PageToRead], Awaitable[PageReadings]]
    ) -> Callable[[PageToRead], Awaitable[PageReadings]]:
        """Return what reads the first page of the answer, which was read already."""

        async def both(wanted: PageToRead) -> PageReadings:
            if self.first is None:
                return await read(replace(self.to_read, now=wanted.now, before=wanted.before))
            before = None
            if wanted.before is not None:
                before = (await read(replace(self.to_read, before=wanted.before))).before
            return PageReadings(self.first, before)

        return both


@dataclass(frozen=True, slots=True)
class _RecordCheck:
    """A look at the own page of a record that answers lost which show only a part of what there is."""

    change: Change  # that is told if the page is not there either
    kept: StoredReading  # of the answer
    errand: CrawlTask
    is_whole: bool  # the answer is known as a whole: the record is gone unless its page says otherwise


class ChangesPipeline(StatePipeline):
    """Compares what came of a look with what is known, keeps what changed, and plans nothing: a look ends here.

    Pages that have to be read go to worker processes; as many wait for these as `HIDDENWEB_COMPARISON_QUEUE` says, then the crawl waits.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        state = CrawlContext.open(crawler).store
        return cls(
            state,
            crawler.stats,
            extraction=PageExtraction(state, settings, crawler.stats, crawler.signals),
            workers=settings.getint("HIDDENWEB_COMPARISON_PROCESSES"),
            capacity=settings.getint("HIDDENWEB_COMPARISON_QUEUE"),
            patience=GonePolicy(
                missing_times=settings.getint("HIDDENWEB_GONE_AFTER_FAILURES"),
                missing_apart=settings.getfloat("HIDDENWEB_GONE_MIN_INTERVAL"),
            ),
            limits=limits_of(settings),
            telling=Notifications.of(settings),
            pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER"),
            checks=settings["HIDDENWEB_DETAIL_PAGES"] != "never",
        )

    def __init__(
        self,
        state: Store,
        stats: StatsCollector,
        *,
        extraction: PageExtraction,
        workers: int,
        capacity: int,
        patience: GonePolicy,
        limits: HistoryLimits = ALL,
        telling: Notifications | None = None,
        pages: int = 1,
        checks: bool = True,
    ) -> None:
        super().__init__(state, stats)
        self._extraction = extraction
        self._looks = RevisitStore(state)
        self._sitemaps = SitemapStore(state)
        self._workers, self._capacity = workers, capacity
        self._patience = patience
        self._limits = limits
        self._telling = telling
        self._stand_ins = SoftNotFoundTexts()
        self._answers = AnswerStore(state)
        self._most_pages = pages
        self._caps: dict[int, int] = {}  # of forms
        self._walks: dict[int, _AnswerRevisit] = {}  # by the link of the page that is waited for
        self._may_check = checks
        self._checks: dict[int, _RecordCheck] = {}  # by the link of the record's own page
        self._not_seen: set[tuple[int, str]] = set()  # sites and keys of records that may be gone
        self._turn = asyncio.Lock()
        self._expected = 0.0
        self._pool: WorkerPool[PageToRead, PageReadings] | None = None
        self._keeping: Any = None
        self._sending: asyncio.Future[None] | None = None

    async def open_spider(self) -> None:
        self._masks = self._looks.masks()
        self._keeping = create_looping_call(self._keep_up)
        self._keeping.start(KEEP_MASKS, now=False)

    async def close_spider(self) -> None:
        self._keeping.stop()
        if self._pool is not None:
            await self._pool.stop()
        self._keep_masks()
        if self._telling is not None:
            if self._sending is not None:
                await self._sending
            await self._telling.finish(time.time())
            for what, count in self._telling.teller.counts.items():
                self.stats.set_value(f"hiddenweb/telling/{what.replace(' ', '_')}", count)
        self.stats.set_value("hiddenweb/looks/expected_changed", round(self._expected, 1))
        if (achieved := self._looks.achieved()) is not None:
            self.stats.set_value("hiddenweb/looks/fresh_achieved", round(achieved, 4))

    async def process_item(self, item: object) -> object:
        if not isinstance(item, Fetched | FetchFailure) or not item.errand.look:
            return item
        if isinstance(item, Fetched) or (item.counts and not item.refused):
            self._looks.spend(item.at)
        if isinstance(item, FetchFailure) and item.retry_in is not None:
            self.stats.inc_value("hiddenweb/looks/postponed")
            if item.host_pause is not None:
                self.state.sites.pause_host(item.errand.host, item.at + item.host_pause, item.why)
            self._looks.postpone(item)
            return item
        if (walk := self._walks.pop(item.errand.link, None)) is not None:
            goes_on = await self._step(walk, item)
            if self._answers.end_step(item.errand.link):
                return item if goes_on else await self._end_walk(walk, item)
            if not goes_on:
                await self._end_walk(walk, item)
        if (check := self._checks.pop(item.errand.link, None)) is not None:
            await self._end_check(check, item)
            if self._answers.end_step(item.errand.link):
                return item
        kept = self._looks.kept(item.errand)
        if kept is None or (isinstance(item, FetchFailure) and item.refused):
            self.stats.inc_value("hiddenweb/looks/refused")
            self._end_without_gain(item.errand)
            return item
        if item.errand.kind == "answer" and item.errand.submission is not None:
            begun = await self._begin_walk(item, kept)
            return item if begun is None else await self._end_walk(begun, item)
        return await self._compare(item, kept)

    async def _compare(
        self,
        item: Fetched | FetchFailure,
        kept: StoredReading,
        walk: _AnswerRevisit | None = None,
        further: AnswerPages | None = None,
    ) -> Fetched | FetchFailure:
        """Compare what came with what is known, and keep what came of that."""
        try:
            look = await revisit_page(
                kept.known, _body_of(kept), item, read=self._read if walk is None else walk.reader(self._read),
                masks=self._masks, stand_ins=self._stand_ins, turn=self._turn, patience=self._patience,
                query=self._query(item.errand), further=further,
            )  # fmt: skip
        except (PoolStopped, WorkersFailed):  # it is looked at by the next crawl
            raise
        except Exception:  # a bad page costs one look, whatever is wrong with it
            self.stats.inc_value("hiddenweb/looks/unreadable")
            logger.exception("%s: cannot be compared", item.errand.url)
            self._end_without_gain(item.errand)
            return item
        return self._looked(item, kept, self._of_site(item, look, walk))

    # Answers

    async def _begin_walk(self, item: Fetched | FetchFailure, kept: StoredReading) -> _AnswerRevisit | None:
        """Read the first page of an answer; return None if the look goes on with the next page, else all that there is."""
        assert item.errand.submission is not None
        walk = _AnswerRevisit(item, kept, self._to_read(item.errand))
        walk.visited.add(item.errand.link)
        before = kept.known
        if not isinstance(item, Fetched) or (body := body_of(item)) is None:
            walk.why = "its first page did not come"
            return walk
        if before is not None and before.pages == 1 and before.raw == raw_hash(item.body):
            walk.is_as_it_was = True
            return walk
        walk.first = (await self._read(replace(walk.to_read, url=item.url, now=body))).now
        return None if walk.first is not None and self._goes_on(walk, walk.first) else walk

    async def _step(self, walk: _AnswerRevisit, item: Fetched | FetchFailure) -> bool:
        """Read a further page of an answer that is looked at; say whether there is one more to look at."""
        body = body_of(item)
        number = len(walk.further) + 2
        if body is None or not isinstance(item, Fetched):
            walk.why = f"page {number} did not come: {item.why or 'it is no page'}"
            return False
        read = (await self._read(replace(walk.to_read, url=item.url, now=body, number=number))).now
        if read is None or (read.failed and not read.records):
            walk.why = f"page {number} could not be read"
            return False
        if not {record.key for record in read.records} - walk.keys():
            return False  # a site that has no further page shows the last one again, or an empty one
        walk.further.append(read)
        return self._goes_on(walk, read)

    def _goes_on(self, walk: _AnswerRevisit, read: PageReading) -> bool:
        """Plan the look at the page that follows in an answer, if there is one that may be looked at."""
        pages = 1 + len(walk.further)
        if read.is_part:
            walk.why = "the site shows no more of it, or only by POST"
        if read.next is None:
            return False
        errand = walk.item.errand
        assert errand.submission is not None
        if walk.most is None:
            kept = self._answers.further(errand.submission)
            walk.turned = bool(kept)
            walk.most = max(self._most_pages, 1 + len(kept))
        if pages >= walk.most:
            walk.why = (
                "only its first page is read" if pages == 1 else f"only its first {pages} pages are read"
            )
            return False
        if (read.next.nofollow or read.is_nofollow) and not walk.turned:
            walk.why = "its pages ask not to follow their links"
            return False
        link = self._answers.step(errand, read.next.url, pages + 1)
        if link is None:
            walk.why = "it goes on at another site"
            return False
        if link in walk.visited or link in self._walks:
            return False
        if not self._looks.draw():
            self._answers.end_step(link)
            walk.why = f"the budget ended before its page {pages + 1}"
            return False
        walk.visited.add(link)
        self._walks[link] = walk
        return True

    async def _end_walk(self, walk: _AnswerRevisit, came: Fetched | FetchFailure) -> Fetched | FetchFailure:
        """Compare all pages of an answer with what they were."""
        further = None
        if not walk.is_as_it_was and walk.first is not None:
            before, was_whole = await self._further_before(walk)
            further = AnswerPages(
                tuple(record for read in walk.further for record in read.records), before,
                1 + len(walk.further), not walk.why, was_whole,
            )  # fmt: skip
        ended = await self._compare(walk.item, walk.kept, walk, further)
        return ended if came is walk.item else came

    async def _further_before(self, walk: _AnswerRevisit) -> tuple[tuple[Record, ...], bool]:
        """Return the records on the further pages of an answer that was read but never looked at, and whether it was read to its end."""
        errand = walk.item.errand
        assert errand.submission is not None
        if walk.kept.known is not None:
            return (), walk.kept.known.is_whole
        records: list[Record] = []
        source = walk.kept.source
        last = None
        if source is not None:
            first = replace(walk.to_read, before=FetchedBody(source.body, source.content_type))
            last = (await self._read(first)).before
        for page in self._answers.further(errand.submission):
            wanted = replace(
                walk.to_read, url=page.url, number=page.number, before=FetchedBody(page.source.body, page.source.content_type)
            )  # fmt: skip
            last = (await self._read(wanted)).before
            records += last.records if last is not None else ()
        return tuple(records), last is not None and last.next is None and not last.is_part

    def _to_read(self, errand: CrawlTask) -> PageToRead:
        assert errand.submission is not None
        asked = self.state.submissions.load(errand.submission)
        known = self.state.forms.load(asked.form) if asked is not None else None
        if asked is None or known is None:
            return PageToRead(errand.url, None, query=self._query(errand))
        return PageToRead(errand.url, None, query=asked.query, form=known.form, earlier=earlier_of(known))

    def _of_site(self, item: Fetched | FetchFailure, look: Revisit, walk: _AnswerRevisit | None) -> Revisit:
        """Return a look at an answer with what its records mean for the site: those that other answers show are neither new nor gone."""
        if walk is None or look.outcome.step in _TELLS_NOTHING or item.errand.submission is None:
            return look
        submission, site = item.errand.submission, item.errand.site
        before = look.before
        was_whole = before is not None and before.is_whole
        now = look.read.records if look.read is not None else ()
        capped = self._is_capped(walk, submission, len(now))
        whole = not walk.why and not capped and was_whole
        told, counts = [], Counter[str]()
        added = [change.key for change in look.outcome.changes if change.kind == "record added"]
        sure = (
            frozenset(added)
            if whole
            else find_surely_new(added, before.records if before is not None else (), now)
        )
        changed = {change.key for change in look.outcome.changes if change.kind == "record changed"}
        lost = sum(change.kind == "record removed" for change in look.outcome.changes)
        # As many came as went: so it is where a site shows no more than some, whatever it says.
        is_proof = whole and not (self._may_check and lost == len(added))
        for change in look.outcome.changes:
            if self._is_news(change, walk, submission, site, sure, is_whole=whole, is_proof=is_proof):
                told.append(change)
                counts[change.kind] += change.kind != "record changed"
            elif change.kind == "record removed":
                counts["not seen"] += 1
        self._count_not_seen()
        news = {change.key for change in told if change.kind == "record changed"}
        self.stats.inc_value("hiddenweb/looks/records_changed", len(news))
        for record in now:
            if record.key in changed:
                self._answers.renew(site, record)
        new = [record for record in now if self._answers.number_of(site, record.key) is None]
        if new and isinstance(item, Fetched):
            self._keep_records(item, new)
        if look.read is not None:
            self._answers.shows(submission, site, now if not walk.why else walk.seen())
        if not walk.is_as_it_was:
            why = walk.why or ("the site shows no more of any answer" if capped else "")
            self._answers.keep(
                AnswerRevisit(
                    submission, item.at, 1 + len(walk.further), not why, why, counts["record added"],
                    counts["record removed"], len(changed), counts["not seen"],
                )
            )  # fmt: skip
        self.stats.inc_value(
            "hiddenweb/looks/answers_whole" if not walk.why else "hiddenweb/looks/answers_in_part"
        )
        step = look.outcome.step if told or look.outcome.step != "changed" else "only_noise"
        return replace(look, outcome=replace(look.outcome, step=step, changes=tuple(told)))

    def _is_capped(self, walk: _AnswerRevisit, submission: int, records: int) -> bool:
        """Say whether a site shows only the first records of an answer, though it does not say so."""
        asked = self.state.submissions.load(submission)
        total = walk.first.total if walk.first is not None else None
        if asked is None or (total is not None and total <= records):
            return False
        if asked.form not in self._caps:
            self._caps[asked.form] = self._answers.cap_of(asked.form)
        return 0 < records == self._caps[asked.form]

    def _is_news(
        self,
        change: Change,
        walk: _AnswerRevisit,
        submission: int,
        site: int,
        sure: Collection[str],
        *,
        is_whole: bool,
        is_proof: bool,
    ) -> bool:
        """Say whether what an answer shows is news of the site: a record that nobody met, that no answer shows any more, that nobody told to have changed."""
        if change.kind == "record added":
            known = self._answers.number_of(site, change.key)
            return known[1] if known is not None else change.key in sure
        if change.kind == "record removed":
            is_proof = is_proof or (is_whole and self._answers.own_page(site, change.key) is None)
            miss = self._answers.misses(submission, site, change.key, change.at, is_proof=is_proof)
            if miss == "not proved":
                self._not_seen.add((site, change.key))
                begun = self._begin_check(_RecordCheck(change, walk.kept, walk.item.errand, is_whole))
                if is_whole and not begun:
                    self._answers.bury(site, change.key, change.at)
                    miss = "gone"
            if miss != "not proved":
                self._not_seen.discard((site, change.key))
            return miss == "gone"
        if change.kind == "record changed":
            return not self._answers.is_told(site, change, walk.kept.at)
        return True

    def _begin_check(self, check: _RecordCheck) -> bool:
        """Plan a look at the own page of a record that no answer shows any more, though that proves little; say whether there is one."""
        url = self._answers.own_page(check.errand.site, check.change.key) if self._may_check else None
        if url is None or not self._looks.draw():
            return False
        link = self._answers.check(check.errand, url)
        if link is None or link in self._walks:
            return False
        self._checks[link] = check
        return True

    async def _end_check(self, check: _RecordCheck, item: Fetched | FetchFailure) -> None:
        """Tell that a record is gone, if its own page is not there either, or says that nothing was found, and nothing of the record."""
        site, change = check.errand.site, check.change
        is_gone = item.status in _NO_PAGE or check.is_whole
        if (body := body_of(item)) is not None:
            read = (await self._read(PageToRead(item.errand.url, body))).now
            record = self._answers.record(site, change.key)
            is_gone = read is not None and (
                not shows_record(read, *record) if check.is_whole else denies_record(read, *record)
            )
            if not is_gone:
                self._not_seen.discard((site, change.key))
        if is_gone:
            self._answers.bury(site, change.key, item.at)
            self._not_seen.discard((site, change.key))
            kept = check.kept
            self._tell([self._looks.tell(kept.page, kept.site, change, old=kept.version, new=kept.version)])
        self._count_not_seen()

    def _count_not_seen(self) -> None:
        self.stats.set_value("hiddenweb/looks/records_not_seen", len(self._not_seen))

    def _end_without_gain(self, errand: CrawlTask) -> None:
        if (planned := self._looks.end(errand)) is not None:
            self._looks.lose(planned.gain)

    async def _read(self, wanted: PageToRead) -> PageReadings:
        if self._pool is None:
            self._pool = WorkerPool(
                read_versions, self._workers or None, capacity=self._capacity, patience=HUNG_AFTER
            )
            await self._pool.__aenter__()
        done = await self._pool.ask(wanted)
        if done.result is None:
            self.stats.inc_value("hiddenweb/looks/unreadable")
            logger.error("%s: cannot be read: %s", wanted.url, done.error)
            return PageReadings(None, None)
        return done.result

    def _query(self, errand: CrawlTask) -> HttpQuery | None:
        if errand.kind != "answer" or errand.submission is None:
            return None
        asked = self.state.submissions.load(errand.submission)
        return asked.query if asked is not None else None

    def _looked(
        self, item: Fetched | FetchFailure, kept: StoredReading, look: Revisit
    ) -> Fetched | FetchFailure:
        """Keep what came of a look, and say it."""
        outcome = look.outcome
        self.stats.inc_value(f"hiddenweb/looks/{outcome.step}")
        number: int | None = None
        is_changed = any(change.kind != "new" for change in outcome.changes)
        if is_changed and isinstance(item, Fetched) and look.read is not None:
            page = look.read.page
            if kept.etag or kept.last_modified:
                self._looks.judge_validators(
                    item.errand, same=(kept.etag, kept.last_modified) == (item.etag, item.last_modified)
                )
            of_records = any(change.kind.startswith("record") for change in outcome.changes)
            self.state.pages.save(replace(item, page=page), page, self._limits, is_changed=of_records)
            again = self._looks.kept(item.errand)
            number = again.version if again is not None else None
            item = replace(item, page=page, kept_as=kept.page)
        if outcome.step in _AS_IT_WAS and kept.known is not None and not is_changed:
            self._looks.stood(kept, outcome, item.at)
        else:
            self._tell(self._looks.keep(kept, outcome, item.at, new_version=number))
        if isinstance(item, Fetched) and outcome.step not in _NOT_READ:
            item = self._taken(item, kept.page)
        if (planned := self._looks.end(item.errand)) is not None:
            self._learn(planned, tells=outcome.step not in _TELLS_NOTHING, is_changed=is_changed)
        return item

    def _taken(self, visit: Fetched, number: int) -> Fetched:
        """Let sources take what they want from a page that is not byte for byte what it was, and tell what they saw."""
        asked = self.state.submissions.load(visit.errand.asked) if visit.errand.asked is not None else None
        form = asked.form if asked is not None else None
        if not visit.body or not self._extraction.wants(visit.url, form):
            return visit
        page = visit.page or read_page(visit.body, visit.url, content_type=visit.content_type, keep_tree=True)
        layout = layout_of_page(page) or read_layout(visit.body, content_type=visit.content_type)
        outcome, changes = self._extraction.extract(
            PageInput(
                visit.url,
                number,
                visit.errand.site,
                visit.at,
                layout,
                page.title,
                form,
                records=visit.records,
            )
        )
        if visit.page is None and (outcome.deviates or changes):
            self.state.pages.save(replace(visit, page=page), page, self._limits, is_changed=True)
        self._tell(changes)
        if not any(each.is_new for each in outcome.extracted):
            return visit
        visit = replace(visit, page=page, kept_as=number, attributes=outcome.attributes)
        self._extraction.report(visit, outcome)
        return visit

    def _learn(self, planned: DueRevisit, *, tells: bool, is_changed: bool) -> None:
        """Compare what a look found with what was expected of it, and with what a sitemap had said."""
        if not tells:
            self._looks.lose(planned.gain)
            return
        self._expected += planned.expected
        self.stats.inc_value("hiddenweb/looks/found_changed", int(is_changed))
        if planned.said:
            self._sitemaps.judge(planned.host, planned.said, changed=is_changed)
            right = is_changed == (planned.said > 0)
            self.stats.inc_value(f"hiddenweb/sitemaps/{'right' if right else 'wrong'}")

    def _keep_records(self, visit: Fetched, records: Sequence[Record]) -> None:
        """Keep the records of an answer that nobody met before."""
        new = self.state.records.save(
            visit.errand.site, records, submission=visit.errand.submission, page=None, at=visit.at
        )
        self.stats.inc_value("hiddenweb/records/new", len(new))

    def _tell(self, changes: list[Change]) -> None:
        for change in changes:
            self.stats.inc_value(f"hiddenweb/changes/{change.kind.replace(' ', '_')}")
            logger.info("%s: %s", change.kind, change.url)
        if changes and self._telling is not None:
            self._telling.teller.tell(changes)

    def _keep_up(self) -> None:
        """Keep what was learnt of noise, unless a thread is learning just now, and send what is due."""
        if not self._turn.locked():
            self._keep_masks()
        if self._telling is not None and (self._sending is None or self._sending.done()):
            self._sending = asyncio.ensure_future(self._telling.teller.send(time.time()))

    def _keep_masks(self) -> None:
        self._looks.keep_masks(self._masks)


def _body_of(kept: StoredReading) -> StoredBody | None:
    if kept.source is None:
        return None
    return StoredBody(
        FetchedBody(kept.source.body, kept.source.content_type), kept.at, kept.etag, kept.last_modified
    )
