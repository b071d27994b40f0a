"""Passing forms and answers to the conversation with forms.

What the conversation (`hiddenweb.querying.conversation`) decides is in the store before the task of the page ends.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.frontier.scope import STRICT, nofollow_policy
from hiddenweb.querying.conversation import Conversation
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.conversation_store import FormTopic
from hiddenweb.store.conversations import StoredConversations

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings


class FormSubmissionMiddleware:
    """Passes pages with forms and pages of answers through the conversation."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        context = CrawlContext.open(crawler)
        settings = context.settings
        assert crawler.stats is not None
        chosen, topic, values_file = context.chosen_forms, context.topic, settings.get("HIDDENWEB_VALUES")
        conversation = Conversation(
            StoredConversations(context.store, context.frontier),
            crawler.stats,
            read_settings(settings),
            context.detail_pages,
            topic=FormTopic(topic.topic.name, topic.relevance) if topic is not None else None,
            chosen=chosen.numbers if chosen is not None else None,
            values_file=Path(values_file) if values_file else None,
        )
        return cls(conversation)

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item in start:
            yield item
        self._conversation.on_start()

    async def process_spider_output(
        self,
        response: Response,  # noqa: ARG002  Scrapy passes it
        result: AsyncIterator[Any],
    ) -> AsyncIterator[Any]:
        async for item in result:
            yield self._conversation.on_item(item).result  # what follows from it is written by then


def read_settings(settings: BaseSettings) -> ConversationSettings:
    """Return the settings of a crawl for conversations with forms."""
    nofollow = nofollow_policy(
        settings["HIDDENWEB_NOFOLLOW"], user_named_site=not settings.getbool("HIDDENWEB_FOLLOW_SITES")
    )
    return ConversationSettings(
        submit=settings.getbool("HIDDENWEB_SUBMIT"),
        queries=settings.getint("HIDDENWEB_QUERIES_PER_FORM"),
        pages=settings.getint("HIDDENWEB_PAGES_PER_ANSWER") or sys.maxsize,
        post_hosts=frozenset(settings.getlist("HIDDENWEB_ALLOW_POST")),
        policy=settings["HIDDENWEB_POLICY"],
        least_new=settings.getfloat("HIDDENWEB_MIN_NEW_RECORDS"),
        seed=settings.getint("HIDDENWEB_RANDOM_SEED"),
        obeys_nofollow=nofollow == STRICT,
    )
