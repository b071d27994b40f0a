"""Judging the forms of pages, and storing them with their verdicts.

A form that could be submitted is still refused if another form of its site sends the same queries, if it is one step too many of a search
over several pages, or one variant or similar form too many of forms that found nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.forms.multi_step import (
    ENOUGH,
    are_variants,
    look_alike,
    reason_to_skip_similar,
    reason_to_skip_step,
)
from hiddenweb.forms.stored_form import form_hash
from hiddenweb.forms.submission import resolve_button
from hiddenweb.forms.verdict import NOFOLLOW, is_same_search, judge_form, overrule, repeats_form
from hiddenweb.querying.stored_values import save_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Fetched, Form, Page, Verdict
    from hiddenweb.querying.conversation_settings import ConversationSettings
    from hiddenweb.querying.conversation_store import ConversationStore, FormTopic, Stats
    from hiddenweb.querying.labelled_values import LabelledValueSet

_STATES_WITH_QUERIES = ("queried", "done")  # states of forms whose records can be counted


class FormRegistry:
    """Knows all forms that were found, and which of them this crawl is about."""

    def __init__(
        self,
        store: ConversationStore,
        stats: Stats,
        values: LabelledValueSet,
        settings: ConversationSettings,
        *,
        topic: FormTopic | None,
        chosen: frozenset[int] | None,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._stats = stats
        self._values = values
        self._post_hosts = settings.post_hosts
        self._obeys_nofollow = settings.obeys_nofollow
        self._topic = topic
        self._chosen = chosen
        self._now = now

    @property
    def is_selective(self) -> bool:
        """Whether this crawl is about a topic, or about chosen forms only."""
        return self._topic is not None or self._chosen is not None

    def obeys_nofollow_of(self, page: Page) -> bool:
        """Say whether a page's nofollow keeps us from its forms, from further pages of an answer and from its records."""
        return page.nofollow and self._obeys_nofollow

    def register(self, site: int, form: Form, page: Page) -> StoredForm:
        """Return a stored form; a new one is judged and stored first."""
        stored = self._store.find_form(site, form)
        return stored or self._judge_new(site, form, nofollow=self.obeys_nofollow_of(page))

    def reconsider(self, stored: StoredForm, form: Form) -> StoredForm:
        """Judge a form again that was refused for the nofollow of another page; this page allows it."""
        if stored.verdict.refusals != (NOFOLLOW,):
            return stored
        return self.judge(stored.site, form)

    def _judge_new(self, site: int, form: Form, *, nofollow: bool) -> StoredForm:
        self._stats.inc_value("hiddenweb/forms/found")
        stored = self.judge(site, form, nofollow=nofollow)
        self._stats.inc_value(
            "hiddenweb/forms/submittable" if stored.verdict.may_submit else "hiddenweb/forms/left_alone"
        )
        self._stats.inc_value(f"hiddenweb/forms/kind/{stored.verdict.kind}")
        self._values.learn_form(form, stored.domain)
        save_values(self._store, self._values)
        return stored

    def judge(self, site: int, form: Form, *, nofollow: bool = False) -> StoredForm:
        """Judge a form, and save it with the verdict."""
        verdict = judge_form(form, post_hosts=self._post_hosts, nofollow=nofollow)
        verdict = self._refuse_repetition(site, form, verdict)
        verdict = self._refuse_excess(site, form, verdict)
        if (earlier := self._store.find_form(site, form)) is not None:
            verdict = overrule(verdict, form, earlier.verdict.by_hand, post_hosts=self._post_hosts)
        return self._store.save_form(site, form, verdict, self._now())

    def judge_again(self) -> None:
        """Judge forms again whose verdict may have changed."""
        for stored in self._store.list_forms_to_judge(self._post_hosts, nofollow=not self._obeys_nofollow):
            self.judge(
                stored.site,
                stored.form,
                nofollow=self._obeys_nofollow and NOFOLLOW in stored.verdict.refusals,
            )

    def refuse(self, stored: StoredForm, why: str, at: float) -> None:
        """Refuse a form from now on."""
        self._store.save_form(stored.site, stored.form, _refused(stored.verdict, why), at)

    def has_enough_variants(self, site: int, step: Form) -> bool:
        """Say whether a form on an answer is ignored, because there were enough similar ones."""
        return any(ENOUGH in other.verdict.refusals for other in self._list_variants(site, step))

    def is_obsolete(self, stored: StoredForm) -> bool:
        """Say whether a form without queries is no longer worth one, since similar forms found nothing meanwhile."""
        if stored.form.step == 1 and not self._reason_to_skip_similar(stored.site, stored.form):
            return False
        return not self.judge(stored.site, stored.form).verdict.may_submit

    # What this crawl is about

    def is_wanted(self, stored: StoredForm, page: Page) -> bool:
        """Say whether this crawl is about a form, and save how relevant it is to the topic."""
        if self._chosen is not None:
            return stored.id in self._chosen
        if self._topic is None:
            return True
        if not stored.verdict.searchable:
            return False
        near, relevant = self._topic.relevance(stored.form, page)
        if relevant or not self._store.is_relevant(stored.id, self._topic.name):
            self._store.save_relevance(stored.id, self._topic.name, near, relevant=relevant)
        return relevant

    def is_eligible(self, stored: StoredForm) -> bool:
        """Say whether this crawl is about a form that was found earlier."""
        if self._chosen is not None and stored.id not in self._chosen:
            return False
        return self._topic is None or self._store.is_relevant(stored.id, self._topic.name)

    def credit_page(self, fetched: Fetched, forms: list[Form]) -> Fetched:
        """Return a page with the number of search forms that were first found on it, and how many of them are on topic."""
        if self._topic is None:
            return fetched
        credited = [stored for form in forms if (stored := self._find_credited(fetched, form))]
        on_topic = sum(self._store.is_relevant(stored.id, self._topic.name) for stored in credited)
        return replace(fetched, new_forms=len(credited), forms_on_topic=on_topic)

    def _find_credited(self, fetched: Fetched, form: Form) -> StoredForm | None:
        """Return a search form that was first found on this page, also if the page is read again after a kill."""
        stored = self._store.find_form(fetched.task.site, form)
        if stored is None or not stored.verdict.searchable or stored.form.page_url != form.page_url:
            return None
        return stored

    # Why a form is refused

    def _refuse_repetition(self, site: int, form: Form, verdict: Verdict) -> Verdict:
        """Refuse a search that sends the same queries as another form of the site."""
        if not verdict.may_submit:
            return verdict
        for other in self._store.list_forms(site):
            is_itself = form_hash(other.form) == form_hash(form)
            if other.verdict.may_submit and not is_itself and _sends_same_query(form, verdict, other):
                return _refused(verdict, f"the form on {other.form.page_url} sends the same query")
        return verdict

    def _refuse_excess(self, site: int, form: Form, verdict: Verdict) -> Verdict:
        """Refuse a form that is one step too many, or one variant or similar form too many."""
        if form.step == 1:
            why = self._reason_to_skip_similar(site, form) if verdict.may_submit else ""
        else:
            others = [o for o in self._list_variants(site, form) if form_hash(o.form) != form_hash(form)]
            ended = [other.records for other in others if other.state in _STATES_WITH_QUERIES]
            why = reason_to_skip_step(form, ended, len(others))
        return _refused(verdict, why) if why else verdict

    def _reason_to_skip_similar(self, site: int, form: Form) -> str:
        ended = [
            other.records
            for other in self._store.list_forms(site)
            if other.state in _STATES_WITH_QUERIES
            and look_alike(other.form, form)
            and form_hash(other.form) != form_hash(form)
        ]
        return reason_to_skip_similar(ended)

    def _list_variants(self, site: int, step: Form) -> list[StoredForm]:
        return [other for other in self._store.list_forms(site) if are_variants(other.form, step)]


def _refused(verdict: Verdict, why: str) -> Verdict:
    return replace(verdict, may_submit=False, refusals=(*verdict.refusals, why))


def _sends_same_query(form: Form, verdict: Verdict, other: StoredForm) -> bool:
    if form.template:
        return is_same_search(form, other.as_sent)
    button = form.fields[verdict.button] if verdict.button is not None else None
    return repeats_form(
        resolve_button(form, button), verdict.query_box, other.as_sent, other.verdict.query_box
    )
