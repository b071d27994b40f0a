"""The conversation with the forms of a crawl: forms become queries, and answers the next query.

A form that may be submitted gets one query at a time. When the answer has been read, with as many of its pages as we follow, the next query is
chosen from what the records taught. So each query depends on earlier answers, and after a kill there is at most one query per form
to resume. The other controls of a form are filled in by plan (`hiddenweb.querying.plan`) from the
labelled values, which learn from every form and every answer. The first answers also show whether the form searches at all
(`hiddenweb.querying.decoy_test`); a decoy gets no more queries.

Two forms of a site often search the same database, and the second need not find what the first has found. So the forms of a site take
turns: one is in conversation until it gets no more queries.

Everything that follows from a page is in the store before the page counts as done; a page that is fetched twice because of a kill finds its
query there already. This module neither stores tasks nor fetches them: `hiddenweb.middlewares.form_submission` fetches
with Scrapy, tests and benchmarks from memory.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.answers.cases import find_forwarding
from hiddenweb.forms.multi_step import make_step
from hiddenweb.forms.stored_form import form_hash
from hiddenweb.html.document import PARSED
from hiddenweb.model import Fetched, FetchFailure, PostSeed
from hiddenweb.querying.answer_learner import AnswerLearner
from hiddenweb.querying.answer_links import AnswerLinks
from hiddenweb.querying.conversation_state import ConversationStates
from hiddenweb.querying.decoy_test import is_nonsense
from hiddenweb.querying.exchange import StepWriter, Turn, load_exchange
from hiddenweb.querying.form_registry import FormRegistry
from hiddenweb.querying.missing_pages import MissingPages
from hiddenweb.querying.query_builder import QueryBuilder
from hiddenweb.querying.search_doubts import SearchDoubts
from hiddenweb.querying.session import FormSessions
from hiddenweb.querying.site_pauses import SitePauses
from hiddenweb.querying.site_turns import SiteTurns
from hiddenweb.querying.stored_values import load_values

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hiddenweb.model import Form, Page, TaskSeed
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.conversation_store import (
        ConversationStore,
        FormTopic,
        RecordPages,
        Stats,
    )
    from hiddenweb.querying.exchange import Exchange

FORMS_REMEMBERED = 20_000
"""Forms found in this crawl that are remembered; beyond that all are forgotten at once: a limit of taste."""

ANSWERS = ("answer", "paging")
"""Kinds of tasks that fetch pages of answers."""

HTTP_ERROR = 400
"""The first status of those that are errors (RFC 9110)."""


class Conversation:
    """Talks with all forms of a crawl: takes pages with forms and pages of answers, and plans the queries that follow."""

    def __init__(
        self,
        store: ConversationStore,
        stats: Stats,
        settings: ConversationSettings,
        record_pages: RecordPages,
        *,
        topic: FormTopic | None = None,
        chosen: frozenset[int] | None = None,
        values_file: Path | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._stats = stats
        self._settings = settings
        self._steps = StepWriter(store)
        count_parse = partial(stats.inc_value, PARSED)
        self._sessions = FormSessions(store, count_parse)
        self._pauses = SitePauses(stats)
        self._missing = MissingPages(store, self._steps, stats)
        self._met: set[tuple[int, int]] = set()  # sites, and the hashes of their forms
        values = load_values(store, datetime.fromtimestamp(now(), UTC).date(), values_file)
        self._states = ConversationStates(
            store,
            values,
            policy=settings.policy,
            least_new=settings.least_new,
            seed=settings.seed,
            on_parse=count_parse,
        )
        self._doubts = SearchDoubts(self._states, stats, settings.post_hosts)
        self._learner = AnswerLearner(store, self._states, values, self._doubts)
        self._registry = FormRegistry(store, stats, values, settings, topic=topic, chosen=chosen, now=now)
        self._links = AnswerLinks(
            store, self._steps, stats, settings, record_pages, adopts_pages=chosen is not None
        )
        builder = QueryBuilder(
            store, self._states, self._steps, self._missing, self._pauses, self._doubts, settings, stats
        )
        self._turns = SiteTurns(store, self._states, self._registry, builder, self._missing, settings, stats)

    def on_start(self) -> Turn:
        """Resume the conversations of earlier crawls: plan the next query to each site, and request missing pages again."""
        if self._settings.submit:
            self._registry.judge_again()
            self._missing.load()
            open_forms = self._store.list_open_forms(self._settings.queries)
            self._turns.start_sites((*(form.site for form in open_forms), *self._missing.sites))
        return self._end_turn(None)

    def on_item(self, item: object) -> Turn:
        """Take what came of a task: a page of an answer, the failure to get one, or a page with forms; others stay as they are."""
        if isinstance(item, FetchFailure) and item.task.kind in ANSWERS:
            return self.on_failure(item)
        if isinstance(item, Fetched) and item.task.kind in ANSWERS:
            return self.on_answer(item)
        if isinstance(item, Fetched) and (page := item.page or item.form_page) is not None and page.forms:
            return self.on_form(item, page)
        return Turn(item)

    def on_form(self, fetched: Fetched, page: Page) -> Turn:
        """Judge the forms of a page, and plan the first query to one that may be submitted.

        The page is credited for its forms; forms that the crawl already found on another page do not count.
        """
        site = fetched.task.site
        new = [form for form in page.forms if (site, form_hash(form)) not in self._met]
        for form in new:
            self._meet_form(fetched, page, form)
        return self._end_turn(self._registry.credit_page(fetched, new))

    def on_answer(self, fetched: Fetched) -> Turn:
        """Read a page of an answer, learn from it, and plan its next page, or the next query."""
        exchange = load_exchange(self._store, fetched)
        result = self._read_answer(exchange, fetched)
        if isinstance(result, FetchFailure):
            result = self._take_failure(replace(exchange, item=result), result)
        return self._end_turn(result)

    def on_failure(self, failure: FetchFailure) -> Turn:
        """Plan what follows when a page of an answer did not come."""
        return self._end_turn(self._take_failure(load_exchange(self._store, failure), failure))

    def _end_turn(self, result: object) -> Turn:
        self._states.save()
        return self._steps.end_turn(result)

    # Forms

    def _meet_form(self, fetched: Fetched, page: Page, form: Form) -> None:
        site = fetched.task.site
        key = (site, form_hash(form))
        if key in self._met:
            return
        stored = self._registry.register(site, form, page)
        is_wanted = self._registry.is_wanted(stored, page)
        if self._registry.obeys_nofollow_of(page):
            return  # it may be on another page too
        stored = self._registry.reconsider(stored, form)
        self._steps.forms.append(stored)
        is_new = stored.verdict.may_submit and stored.state == "found"
        if self._settings.submit and is_wanted and is_new and self._turns.is_free(site):
            if page.nofollow:
                self._stats.inc_value("hiddenweb/nofollow/forms")
            self._turns.begin(stored, page, fetched)
        elif fetched.page is None and is_new:  # an error page is not stored: its words are kept for later
            self._states.begin(stored, page)
            self._states.note_change(stored)
        if len(self._met) >= FORMS_REMEMBERED:
            self._met.clear()
        self._met.add(key)

    def _meet_step(self, exchange: Exchange, fetched: Fetched, page: Page, form: Form) -> None:
        """Plan the first query to a form on an answer, unless there were enough similar ones."""
        stored = exchange.form
        has_session = self._sessions.has(stored)
        step = make_step(
            form, stored.form, exchange.submission.query, exchange.submission.id, has_session=has_session
        )
        if self._registry.has_enough_variants(stored.site, step):
            self._stats.inc_value("hiddenweb/forms/steps_ignored")
            return
        self._meet_form(fetched, page, step)
        if (found := self._store.find_form(stored.site, step)) is not None and found.verdict.may_submit:
            self._sessions.hand_over(stored, found)

    # Answers

    def _read_answer(self, exchange: Exchange, fetched: Fetched) -> Fetched | FetchFailure:
        """Return a page of an answer with its results, or as a failure if its query is submitted again."""
        self._missing.remove(exchange.task)
        if exchange.task.kind == "answer" and not exchange.task.redirects:
            self._pauses.note_query(exchange.task.site, fetched.at)
        page = fetched.page
        if page is None and (again := self._refresh(exchange, fetched)) is not None:
            return again
        if fetched.redirect is not None:
            return self._redirect(exchange, fetched, fetched.redirect)
        if page is None:
            self._doubts.learn_silence(exchange.form, exchange.submission.query.keyword)
            self._learner.end_broken(exchange)
            self._turns.plan_next(exchange)
            return replace(fetched, outcome="error", outcome_why=fetched.why)
        answer = self._steps.answer = self._learner.judge(exchange, page, fetched.status)
        if (target := find_forwarding(page, answer)) is not None:
            self._stats.inc_value("hiddenweb/answers/sent_on")
            return self._redirect(exchange, replace(fetched, page=None, redirect=target), target)
        if (later := self._postpone(exchange, fetched, answer)) is not None:
            return later
        known_keys = self._learner.find_known_keys(exchange, answer)
        if (mirrored := self._learner.find_mirrored(exchange, answer, known_keys)) is not None:
            return self._leave_mirror(exchange, fetched, mirrored)
        self._learner.learn(exchange, page, answer, known_keys)
        return self._follow_answer(exchange, fetched, page, answer, known_keys)

    def _follow_answer(
        self, exchange: Exchange, fetched: Fetched, page: Page, answer: AnswerVerdict, known_keys: set[str]
    ) -> Fetched:
        """Plan what follows an answer that was read, and return its page with its results."""
        following = self._choose_next_page(exchange, fetched, page, answer)
        if answer.form is not None:
            self._meet_step(exchange, fetched, page, answer.form)
        self._links.follow_records(exchange, fetched, page, answer, known_keys)
        if following is None:
            self._turns.plan_next(exchange)
        else:
            if answer.next is None and answer.case != "duplicate":  # it is requested by POST
                why = f"{len(answer.records)} records, and more on the next page"
                answer = replace(answer, case="paged", why=why)
            if isinstance(following, PostSeed):
                self._steps.add_post(following)
            else:
                self._steps.add_task(following)
        self._states.note_change(exchange.form)
        if fetched.status >= HTTP_ERROR:  # it answers the query, and is no page of the site
            fetched = replace(fetched, page=None)
        return replace(
            fetched, outcome=answer.case, outcome_why=answer.why, records=answer.records, total=answer.total
        )

    def _choose_next_page(
        self, exchange: Exchange, fetched: Fetched, page: Page, answer: AnswerVerdict
    ) -> TaskSeed | PostSeed | None:
        """Return the task for the next page of an answer, if there is one and it is worth a request; else end the answer."""
        if is_nonsense(exchange.submission.query.keyword):
            return None
        if answer.case in ("error", "another_form"):
            self._learner.end_broken(exchange)
            return None
        strategy = self._states.load(exchange.form).strategy
        number = exchange.task.page_number
        following = self._links.find_next_page(fetched, page, answer)
        if following is None:
            strategy.end_answer(cut=answer.case in ("part", "paged", "form_again"))
        elif number % self._settings.pages and self._is_worth_turning(exchange, answer):
            if answer.next is None:
                self._stats.inc_value("hiddenweb/queries/pages_by_post")
        else:
            following = None
            self._stats.inc_value("hiddenweb/answers/left")
            if answer.next is not None:
                self._store.save_unfinished(exchange.submission.id, (answer.next.url, number + 1))
            strategy.end_answer(had_more=True)
        self._learner.save_coverage(exchange)
        return following

    def _is_worth_turning(self, exchange: Exchange, answer: AnswerVerdict) -> bool:
        """Say whether the next page of an answer is worth a request now: answers that an outage interrupted come first."""
        can_return = answer.next is not None
        is_interrupted = self._missing.is_resumed(exchange.task.submission)
        if can_return and self._missing.has_waiting(exchange.form.id) and not is_interrupted:
            return False
        return self._states.load(exchange.form).strategy.is_worth_turning(can_return=can_return)

    def _redirect(self, exchange: Exchange, fetched: Fetched, target: str) -> Fetched:
        """Return an answer that was redirected: to be read there, or not at all."""
        why = self._links.reason_not_to_redirect(target, exchange)
        if not why:
            return fetched
        if is_nonsense(exchange.submission.query.keyword):
            verdict = AnswerVerdict("error", why)
            self._doubts.learn(exchange.form, exchange.submission.query.keyword, verdict)
        self._learner.end_broken(exchange)
        self._turns.plan_next(exchange)
        return replace(fetched, outcome="duplicate", outcome_why=why)

    def _leave_mirror(self, exchange: Exchange, fetched: Fetched, mirrored: int) -> Fetched:
        """Stop querying a form that shows the records of another one."""
        why = f"it shows the records of form {mirrored} again, under other addresses"
        self._stats.inc_value("hiddenweb/forms/mirrors")
        self._states.load(exchange.form).strategy.failed()
        self._registry.refuse(exchange.form, why, fetched.at)
        self._turns.pass_turn(exchange.form.site)
        return replace(fetched, outcome="duplicate", outcome_why=why)

    def _postpone(self, exchange: Exchange, fetched: Fetched, answer: AnswerVerdict) -> FetchFailure | None:
        """Return a query without an answer as a failure, if it may get one later."""
        return self._pauses.postpone(fetched, answer) or self._refresh(exchange, fetched, answer)

    def _refresh(
        self, exchange: Exchange, fetched: Fetched, answer: AnswerVerdict | None = None
    ) -> FetchFailure | None:
        """Return a query that was refused for its hidden values or cookies as a failure, if it is resubmitted with fresh ones."""
        again = self._sessions.learn_reception(fetched, exchange.form, exchange.submission, answer)
        if again is not None:
            self._stats.inc_value("hiddenweb/queries/resubmitted")
        return again

    # Failures

    def _take_failure(self, exchange: Exchange, failure: FetchFailure) -> FetchFailure:
        """Return the final failure of a page that did not come; a POST is not sent again."""
        post = self._store.load_post(exchange.task)
        was_sent = exchange.submission.state == "sent" or (post is not None and post.sent is not None)
        if was_sent:
            failure = replace(failure, retry_in=None)
        if failure.retry_in is not None:
            return failure
        return self._go_on_after_silence(replace(exchange, item=failure), failure, was_sent=was_sent)

    def _go_on_after_silence(
        self, exchange: Exchange, failure: FetchFailure, *, was_sent: bool
    ) -> FetchFailure:
        """Continue after a page of an answer that did not come, and return its final failure.

        A form that robots.txt forbids to submit gets no more queries; where it allowed an earlier query, it is this one that it forbids: an empty
        query may lead to a list that is closed. Others continue: the next query shows whether this is an outage, or a page that never comes.
        """
        stored, task = exchange.form, exchange.task
        has_no_answers = not self._states.load(stored).earlier.answers
        if failure.refused and task.kind == "answer" and has_no_answers:
            self._store.end_form(stored.id, failure.why)
            self._turns.pass_turn(stored.site)
            return failure
        can_retry = self._missing.add(failure, exchange, was_sent=was_sent)
        if task.kind == "answer" and not can_retry:
            self._doubts.learn_silence(stored, exchange.submission.query.keyword)
        self._learner.end_broken(exchange)
        self._learner.save_coverage(exchange)
        self._states.note_change(stored)
        self._missing.hold_back(task.link)
        is_planned = self._turns.plan_next(exchange)
        self._missing.hold_back(None)
        if not can_retry or is_planned:
            self._missing.count_failure(task.link)
            return failure
        self._missing.take(stored.id, task.link)
        return replace(failure, retry_in=0.0)  # its host is paused for longer with every failure
