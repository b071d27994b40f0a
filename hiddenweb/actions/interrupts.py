"""Ctrl-C once ends a crawl cleanly, whenever it comes; twice ends it by force.

Scrapy's own handling has two gaps. A signal that comes before the engine runs stops the reactor at once, and one that comes while the
spider is closing does not wait until it is closed. So a signal is remembered here until it can be obeyed: the crawl is then closed as
any other, for the reason "shutdown".
"""

from __future__ import annotations

import logging
import signal
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import _schedule_coro

from hiddenweb.signals import stop_requested

if TYPE_CHECKING:
    from types import FrameType
    from typing import Self

    from scrapy.core.engine import _Slot
    from scrapy.crawler import Crawler, CrawlerProcessBase

logger = logging.getLogger(__name__)

SHUTDOWN = "shutdown"
"""The reason with which Scrapy closes a spider after a signal."""

START_POLL_SECONDS = 0.05
"""Between two looks whether the engine runs yet: Scrapy says so a moment too early. A limit of taste."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """The signals to end that arrive while it is entered."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}
        self._process: CrawlerProcessBase | None = None
        self._crawler: Crawler | None = None

    def catch(self) -> None:
        """Note signals from now on."""
        if not self._before:
            self._before = {number: signal.signal(number, self._handle) for number in _SIGNALS}

    def __enter__(self) -> Self:
        self.catch()
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}

    def watch(self, process: CrawlerProcessBase, crawler: Crawler) -> None:
        """Let signals end this crawl from now on, which was handed to its process and may not run yet."""
        self._process, self._crawler = process, crawler
        if self.count:
            self._begin_stop()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal. Nothing is logged or printed here: the interrupted code may be doing that."""
        self.count += 1
        if self._process is None:
            if self.count > 1:
                raise KeyboardInterrupt
            return
        from twisted.internet import reactor

        if self.count == 1:
            reactor.callFromThread(self._process._log_shutdown, number)
            reactor.callFromThread(self._begin_stop)
        else:
            for each in _SIGNALS:
                signal.signal(each, signal.SIG_IGN)
            reactor.callFromThread(self._process._log_kill, number)
            reactor.callFromThread(self._process._stop_reactor)

    def _begin_stop(self) -> None:
        """Close the spider: as soon as the engine works, and unless it is being closed already."""
        crawler = self._crawler
        if crawler is None or not crawler.crawling:
            return
        engine = crawler._engine
        slot = engine._slot if engine is not None else None
        if engine is None or not engine.running or (slot is not None and not _works(slot)):
            call_later(START_POLL_SECONDS, self._begin_stop)
            return
        crawler.signals.send_catch_log(stop_requested)
        if slot is not None and slot.closing is None:
            _schedule_coro(engine.close_spider_async(reason=SHUTDOWN))


def _works(slot: _Slot) -> bool:
    """Say whether the engine reads the start requests of the spider already; a crawl that is closed before never ends."""
    return slot.heartbeat.running or slot.closing is not None
