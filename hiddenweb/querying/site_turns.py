"""Which form of a site gets the next query.

Two forms of a site often search the same database, and the second need not find what the first has found. So one form is in
conversation, and others get their turn when it has no query left, or when its last words found nothing new.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from hiddenweb.html.document import PARSED
from hiddenweb.model import Fetched, Page
from hiddenweb.records.page import find_items, read_page_with_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.conversation_state import ConversationStates
    from hiddenweb.querying.conversation_store import ConversationStore, PageSource, Stats
    from hiddenweb.querying.exchange import Exchange
    from hiddenweb.querying.form_registry import FormRegistry
    from hiddenweb.querying.missing_pages import MissingPages
    from hiddenweb.querying.query_builder import QueryBuilder

logger = logging.getLogger(__name__)


class SiteTurns:
    """Gives the forms of each site their turns."""

    def __init__(
        self,
        store: ConversationStore,
        states: ConversationStates,
        registry: FormRegistry,
        builder: QueryBuilder,
        missing: MissingPages,
        settings: ConversationSettings,
        stats: Stats,
    ) -> None:
        self._store = store
        self._states = states
        self._registry = registry
        self._builder = builder
        self._missing = missing
        self._submit = settings.submit
        self._most_queries = settings.queries
        self._stats = stats
        self._in_conversation: dict[int, int] = {}  # by site: the form in conversation
        self._reported: set[int] = set()  # forms with an overruled verdict that were reported

    def is_free(self, site: int) -> bool:
        """Say whether no form of a site is in conversation."""
        return site not in self._in_conversation

    def begin(self, stored: StoredForm, page: Page, fetched: Fetched) -> bool:
        """Plan the first query to a form, from its page; say whether there is one."""
        return self._attempt(stored, lambda: self._open(stored, self._find_items(stored, page, fetched)))

    def start_sites(self, sites: Iterable[int]) -> None:
        """Start a conversation with a form of each site."""
        for site in dict.fromkeys(sites):
            self.pass_turn(site)

    def plan_next(self, exchange: Exchange) -> bool:
        """Plan the next query after a page of an answer, to the same form or another one of its site; say whether there is one."""
        stored = self._store.load_form(exchange.form.id) or exchange.form  # with its latest hidden values
        if not self._submit or self._store.is_in_conversation(stored.id, but=exchange.task):
            return False
        # a form that had its queries for now continues as well: an unfinished answer is resumed
        is_open = stored.state in ("querying", "queried") or self._missing.has_waiting(stored.id)
        is_answering = isinstance(exchange.item, Fetched)
        if is_answering and is_open and self._should_yield(stored):
            return self.pass_turn(stored.site, last=stored.id)
        if is_open and self._attempt(
            stored, lambda: self._builder.plan_next(stored, is_answering=is_answering)
        ):
            return True
        return self.pass_turn(stored.site)

    def pass_turn(self, site: int, *, last: int | None = None) -> bool:
        """Plan the next query to the first form of a site that has one, with `last` after all others; say whether there is one."""
        self._in_conversation.pop(site, None)
        for stored in sorted(self._list_candidates(site), key=lambda form: form.id == last):
            if not self._registry.is_eligible(stored):
                continue
            if self._store.is_in_conversation(stored.id):
                self._in_conversation[site] = stored.id
                return False
            if stored.state == "found" and self._registry.is_obsolete(stored):
                continue
            if self._attempt(stored, partial(self._resume, stored)):
                return True
        return False

    def _should_yield(self, stored: StoredForm) -> bool:
        """Say whether a form whose last words found nothing new waits for one of its site that never got a query.

        If there is none, a page of the site is explored before its next query: it may have such a form.
        """
        if self._missing.has_waiting(stored.id) or not self._states.load(stored).strategy.is_fruitless:
            return False
        if not self._registry.is_selective:
            self._store.hasten_page(stored.site)
        return any(
            other.state == "found" for other in self._store.list_open_forms(self._most_queries, stored.site)
        )

    def _list_candidates(self, site: int) -> Iterator[StoredForm]:
        """Yield the forms of a site that have queries left, then those that only have missing pages."""
        yielded = set()
        for stored in self._store.list_open_forms(self._most_queries, site):
            yielded.add(stored.id)
            yield stored
        for form in self._missing.list_waiting_forms(site):
            if (
                form not in yielded
                and (other := self._store.load_form(form)) is not None
                and other.verdict.may_submit
            ):
                yield other

    def _resume(self, stored: StoredForm) -> bool:
        """Resume a form that an earlier crawl found, or was in conversation with."""
        if self._states.find(stored) is None:
            if stored.form.asked_by is not None:
                source = self._store.load_answer_page(stored.form.asked_by)
            else:
                source = self._store.load_page(stored.form.page_url)
            if source is not None:
                return self._open(stored, self._read_form_page(stored, source, stored.form.page_url))
            self._states.load(stored)  # starts with the text of the form: error pages are not in the store
        return self._builder.plan_next(stored)

    def _find_items(self, stored: StoredForm, page: Page, fetched: Fetched) -> Page:
        """Return the page of a form with its repeated items: from its existing parse, if it still has one."""
        found = find_items(page) if stored.form.source != "opensearch" else None
        return found or self._read_form_page(stored, (fetched.body, fetched.content_type), fetched.url)

    def _read_form_page(self, stored: StoredForm, source: PageSource, url: str) -> Page:
        """Return the parsed page of a form; an OpenSearch description has none."""
        if stored.form.source == "opensearch":
            return Page(url, text=stored.form.text, language=stored.form.language)
        body, content_type = source
        return read_page_with_items(
            body, url, content_type=content_type, on_parse=partial(self._stats.inc_value, PARSED)
        )

    def _open(self, stored: StoredForm, page: Page) -> bool:
        if self._registry.obeys_nofollow_of(page):
            self._registry.judge(stored.site, stored.form, nofollow=True)
            return False
        self._states.begin(stored, page)
        return self._builder.plan_next(stored)

    def _attempt(self, stored: StoredForm, plan: Callable[[], bool]) -> bool:
        """Plan a query to a form; an error ends the form, not the crawl."""
        try:
            is_planned = plan()
        except (ValueError, ArithmeticError, LookupError) as error:
            why = f"querying it failed: {type(error).__name__}: {error}"
            logger.warning("%s: its form %d: %s", stored.form.page_url, stored.id, why)
            self._stats.inc_value("hiddenweb/forms/failed")
            self._store.end_form(stored.id, why)
            return False
        if is_planned:
            self._in_conversation[stored.site] = stored.id
            self._report_overruled(stored)
        return is_planned

    def _report_overruled(self, stored: StoredForm) -> None:
        """Count and log, once in a crawl, that a form gets queries because the user has overruled its verdict."""
        if stored.verdict.by_hand != "allow" or stored.id in self._reported:
            return
        self._reported.add(stored.id)
        self._stats.inc_value("hiddenweb/forms/allowed_by_hand")
        logger.warning("%s: its form %d is %s", stored.form.page_url, stored.id, stored.verdict.summary)
