"""Answers of simweb to what a conversation asks by itself, with what it takes them for and with their labels.

For each site with a database a conversation begins with the page of its search, and leads on from there: its first words, queries that may list
everything, a word that does not exist, words of the records that came, the options of selects, second steps. Whatever it plans is fetched from
simweb, redirects and pages by POST included, and nothing goes wrong on the way; what goes wrong is among our own questions
(`benchmarks._answer_pages`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks._answer_labels import Answered, Labels, outcome_of, request_of
from benchmarks._answer_pages import search_page_of, sites_of
from benchmarks._conversations import MemoryConversation
from hiddenweb.fetch.reading import ServerAnswer
from hiddenweb.model import Fetched, HttpQuery
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.exchange import load_exchange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import CrawlTask, Page
    from simweb.site import Site

QUERIES, PAGES = 10, 3
"""Queries to a form, and pages of an answer before the next query: enough for every kind of query, and for a next page in the middle."""


def lead_conversations(seed: int, sites: int) -> Iterator[tuple[Answered, AnswerVerdict]]:
    """Yield the answers that conversations with all forms of a world get, with what they say of them."""
    for site in sites_of(seed, sites):
        yield from _LedConversation(site).answers()


class _LedConversation:
    """A conversation with the forms of one site, each of its answers with its label."""

    def __init__(self, site: Site) -> None:
        settings = ConversationSettings(
            queries=QUERIES, pages=PAGES, post_hosts=frozenset({site.plan.host}), seed=site.plan.number
        )
        self._site = site
        self._conversation = MemoryConversation(search_page_of(site), settings)
        self._labels: dict[int, Labels] = {}  # by the form
        self._first: Fetched | None = None

    def answers(self) -> Iterator[tuple[Answered, AnswerVerdict]]:
        for visit in self._conversation.visits(self._fetch):
            came, said = visit.came, visit.turn.answer
            if not isinstance(came, Fetched) or came.page is None:
                continue
            self._first = self._first or came
            if said is not None and self._is_search(came.task):
                yield self._labelled(came, came.page, self._first), said

    def _fetch(self, task: CrawlTask) -> ServerAnswer:
        response = self._site.respond(request_of(self._site, _sent_for(task)))
        sent = {name.lower(): value for name, value in response.headers}
        content_type, location = sent.get("content-type", ""), sent.get("location", "")
        return ServerAnswer(
            task.url, response.status, response.body, content_type, location, sent.get("retry-after", "")
        )

    def _is_search(self, task: CrawlTask) -> bool:
        """Say whether a task answers a query to the database; other forms of a site have no answers that simweb could label."""
        path = urlsplit(_query_of(task).url).path
        return self._site.strip_session(path, "")[0] == self._site.search_action

    def _labelled(self, came: Fetched, page: Page, first: Fetched) -> Answered:
        task, form_page = came.task, first.page
        exchange = load_exchange(self._conversation.store, came)
        assert form_page is not None
        form, query = exchange.form.form, exchange.submission.query
        labels = self._labels.setdefault(exchange.form.id, Labels(self._site, form))
        asked = _query_of(task)
        truth = labels.label(outcome_of(self._site, asked), asked, came.status)
        return Answered(
            self._site, "its own", form, form_page, query, page, came.status, task.page_number, truth,
            (came.body, came.content_type), (first.body, first.content_type),
        )  # fmt: skip


def _sent_for(task: CrawlTask) -> HttpQuery:
    """Return what is sent for a task."""
    return task.post_query or HttpQuery((), url=task.url)


def _query_of(task: CrawlTask) -> HttpQuery:
    """Return what a task answers: what was sent for it, or what had led to it if the site led on from there."""
    return task.query if task.redirects and task.query is not None else _sent_for(task)
