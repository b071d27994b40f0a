"""Conversations with forms in memory: what they plan is fetched at once, by whoever plays the web, and handed back.

A crawl does the same with Scrapy and the store on disk, and what came is read as there. Nothing waits here: a pause that a site asks for is
over at once, and the time is the same all the while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.fetch.http_status import RetryPolicy, interpret_answer
from hiddenweb.model import TaskSeed
from hiddenweb.querying.conversation import Conversation
from hiddenweb.querying.memory_store import CountedStats, MemoryConversationStore, NoRecordPages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hiddenweb.fetch.reading import ServerAnswer
    from hiddenweb.model import CrawlTask, Fetched, FetchFailure
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.exchange import Turn

NOW = 1_700_000_000.0
"""When everything happens."""


class Visit(NamedTuple):
    """What came of a task, and what the conversation made of it."""

    came: Fetched | FetchFailure
    turn: Turn


class MemoryConversation:
    """A conversation with the forms of one site, its store, and what it counted."""

    def __init__(self, url: str, settings: ConversationSettings) -> None:
        self.store = MemoryConversationStore()
        self.stats = CountedStats()
        self.site = self.store.add_site(url)
        self._conversation = Conversation(self.store, self.stats, settings, NoRecordPages(), now=lambda: NOW)
        self.store.add_task(TaskSeed(url))

    def take(self, came: Fetched | FetchFailure) -> Turn:
        """Hand over what came of a task that was leased, and keep what becomes of it."""
        turn = self._conversation.on_item(came)
        self.store.finish(turn.result)
        return turn

    def visits(self, fetch: Callable[[CrawlTask], ServerAnswer]) -> Iterator[Visit]:
        """Fetch what waits and hand it over, one task after the other, until none waits."""
        while (task := self.store.lease()) is not None:
            came = interpret_answer(task, fetch(task), NOW, RetryPolicy())
            yield Visit(came, self.take(came))
