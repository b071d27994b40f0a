"""Telling what changed since the last look."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import create_looping_call

from hiddenweb.changes.ladder import Patience, StandIns
from hiddenweb.changes.versions import ALL
from hiddenweb.changes.workers import PoolStopped, WorkerPool, WorkersFailed
from hiddenweb.items import Missed, Visit
from hiddenweb.looking import Body, BothRead, KeptBody, ToRead, look_again, read_both
from hiddenweb.page import read_page
from hiddenweb.page.layout import layout_of_page, read_layout
from hiddenweb.pipelines import StatePipeline
from hiddenweb.pipelines.pages import limits_of
from hiddenweb.pipelines.sources import sources_of, tell_taken
from hiddenweb.pipelines.telling import Telling
from hiddenweb.source_knowledge import Passing, attributes_of
from hiddenweb.storage.looks import KeptLooks
from hiddenweb.storage.sitemaps import KeptSitemaps
from hiddenweb.storage.sqlite import share

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager
    from scrapy.statscollectors import StatsCollector

    from hiddenweb.changes.change import Change
    from hiddenweb.changes.versions import Limits
    from hiddenweb.items import Errand, Query
    from hiddenweb.looking import Look
    from hiddenweb.source_knowledge import SourceKnowledge
    from hiddenweb.storage.looks import Due, Kept
    from hiddenweb.storage.sqlite import State

logger = logging.getLogger(__name__)

HUNG_AFTER = 10.0
"""Seconds that reading a page may take: milliseconds, but for the first one on a busy machine, and the worst."""

KEEP_MASKS = 30.0
"""Seconds after which a kill costs what was learnt of noise."""

_AS_IT_WAS = frozenset(("not_modified", "same_bytes", "same_text"))
_NOT_READ = frozenset(("not_modified", "same_bytes", "failed", "doubted"))
_TELLS_NOTHING = frozenset(("failed", "doubted"))


class ChangesPipeline(StatePipeline):
    """Compares what came of a look with what is known, keeps what changed, and plans nothing: a look ends here.

    Pages that have to be read go to worker processes; as many wait for these as `HIDDENWEB_COMPARING_QUEUE` says, then the crawl waits.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        assert crawler.stats is not None
        state = share(Path(settings["HIDDENWEB_STATE"]))
        return cls(
            state,
            crawler.stats,
            signals=crawler.signals,
            sources=sources_of(state, settings, crawler.stats),
            workers=settings.getint("HIDDENWEB_COMPARERS"),
            capacity=settings.getint("HIDDENWEB_COMPARING_QUEUE"),
            patience=Patience(
                missing_times=settings.getint("HIDDENWEB_GONE_AFTER"),
                missing_apart=settings.getfloat("HIDDENWEB_GONE_APART"),
            ),
            limits=limits_of(settings),
            telling=Telling.of(settings),
        )

    def __init__(
        self,
        state: State,
        stats: StatsCollector,
        *,
        signals: SignalManager,
        sources: SourceKnowledge,
        workers: int,
        capacity: int,
        patience: Patience,
        limits: Limits = ALL,
        telling: Telling | None = None,
    ) -> None:
        super().__init__(state, stats)
        self._signals = signals
        self._sources = sources
        self._looks = KeptLooks(state)
        self._sitemaps = KeptSitemaps(state)
        self._workers, self._capacity = workers, capacity
        self._patience = patience
        self._limits = limits
        self._telling = telling
        self._stand_ins = StandIns()
        self._turn = asyncio.Lock()
        self._expected = 0.0
        self._pool: WorkerPool[ToRead, BothRead] | None = None
        self._keeping: Any = None
        self._sending: asyncio.Future[None] | None = None

    async def open_spider(self) -> None:
        self._masks = self._looks.masks()
        self._keeping = create_looping_call(self._keep_up)
        self._keeping.start(KEEP_MASKS, now=False)

    async def close_spider(self) -> None:  # type: ignore[override]
        try:
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
        finally:
            super().close_spider()

    async def process_item(self, item: object) -> object:
        if not isinstance(item, Visit | Missed) or not item.errand.look:
            return item
        if isinstance(item, Visit) or (item.counts and not item.refused):
            self._looks.spend(item.at)
        if isinstance(item, Missed) and item.retry_in is not None:
            self.stats.inc_value("hiddenweb/looks/postponed")
            if item.host_pause is not None:
                self.state.pause_host(item.errand.host, item.at + item.host_pause, item.why)
            self._looks.postpone(item)
            return item
        kept = self._looks.kept(item.errand)
        if kept is None or (isinstance(item, Missed) and item.refused):
            self.stats.inc_value("hiddenweb/looks/refused")
            self._end_without_gain(item.errand)
            return item
        try:
            look = await look_again(
                kept.known, _body_of(kept), item, read=self._read, masks=self._masks, stand_ins=self._stand_ins,
                turn=self._turn, patience=self._patience, query=self._query(item.errand),
            )  # fmt: skip
        except (PoolStopped, WorkersFailed):  # it is looked at by the next crawl
            raise
        except Exception:  # a bad page costs one look, whatever is wrong with it
            self.stats.inc_value("hiddenweb/looks/unreadable")
            logger.exception("%s: cannot be compared", item.errand.url)
            self._end_without_gain(item.errand)
            return item
        return self._looked(item, kept, look)

    def _end_without_gain(self, errand: Errand) -> None:
        if (planned := self._looks.end(errand)) is not None:
            self._looks.lose(planned.gain)

    async def _read(self, wanted: ToRead) -> BothRead:
        if self._pool is None:
            self._pool = WorkerPool(
                read_both, self._workers or None, capacity=self._capacity, patience=HUNG_AFTER
            )
            await self._pool.__aenter__()
        done = await self._pool.ask(wanted)
        if done.result is None:
            self.stats.inc_value("hiddenweb/looks/unreadable")
            logger.error("%s: cannot be read: %s", wanted.url, done.error)
            return BothRead(None, None)
        return done.result

    def _query(self, errand: Errand) -> Query | None:
        if errand.kind != "answer" or errand.submission is None:
            return None
        asked = self.state.submission(errand.submission)
        return asked.query if asked is not None else None

    def _looked(self, item: Visit | Missed, kept: Kept, look: Look) -> Visit | Missed:
        """Keep what came of a look, and say it."""
        outcome = look.outcome
        self.stats.inc_value(f"hiddenweb/looks/{outcome.step}")
        number: int | None = None
        is_changed = any(change.kind != "new" for change in outcome.changes)
        if is_changed and isinstance(item, Visit) and look.read is not None:
            page = look.read.page
            if kept.etag or kept.last_modified:
                self._looks.judge_validators(
                    item.errand, same=(kept.etag, kept.last_modified) == (item.etag, item.last_modified)
                )
            of_records = any(change.kind.startswith("record") for change in outcome.changes)
            self.state.keep_page(replace(item, page=page), page, self._limits, is_changed=of_records)
            again = self._looks.kept(item.errand)
            number = again.version if again is not None else None
            item = replace(item, page=page, kept_as=kept.page)
            self._keep_records(item, look)
        if outcome.step in _AS_IT_WAS and kept.known is not None and not is_changed:
            self._looks.stood(kept, outcome, item.at)
        else:
            self._tell(self._looks.keep(kept, outcome, item.at, new_version=number))
        if isinstance(item, Visit) and outcome.step not in _NOT_READ:
            item = self._taken(item, kept.page)
        if (planned := self._looks.end(item.errand)) is not None:
            self._learn(planned, tells=outcome.step not in _TELLS_NOTHING, is_changed=is_changed)
        return item

    def _taken(self, visit: Visit, number: int) -> Visit:
        """Let sources take what they want from a page that is not byte for byte what it was, and tell what they saw."""
        asked = self.state.submission(visit.errand.asked) if visit.errand.asked is not None else None
        form = asked.form if asked is not None else None
        if not visit.body or not self._sources.wants(visit.url, form):
            return visit
        page = visit.page or read_page(visit.body, visit.url, content_type=visit.content_type, keep_tree=True)
        layout = layout_of_page(page) or read_layout(visit.body, content_type=visit.content_type)
        seen = self._sources.passes(
            Passing(
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
        if visit.page is None and (seen.deviates or seen.changes):
            self.state.keep_page(replace(visit, page=page), page, self._limits, is_changed=True)
        self._tell(list(seen.changes))
        if not any(taken.is_new for taken in seen.taken):
            return visit
        visit = replace(visit, page=page, kept_as=number, attributes=attributes_of(seen))
        tell_taken(self._signals, visit, seen)
        return visit

    def _learn(self, planned: Due, *, tells: bool, is_changed: bool) -> None:
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

    def _keep_records(self, visit: Visit, look: Look) -> None:
        """Keep the records of an answer that came since it was asked."""
        if look.read is None or not look.read.records or visit.errand.submission is None:
            return
        new = self.state.keep_records(
            visit.errand.site,
            look.read.records,
            submission=visit.errand.submission,
            page=visit.kept_as,
            at=visit.at,
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


def _body_of(kept: Kept) -> KeptBody | None:
    if kept.source is None:
        return None
    return KeptBody(Body(kept.source.body, kept.source.content_type), kept.at, kept.etag, kept.last_modified)
