"""The state of the conversation with each form: what to submit next, and what its answers were.

It is written down after every page of an answer, in bounded size; what grows with a form, its queries and their records, is in the ledger and
the store already, and comes from there when a conversation resumes. Only some forms are held in memory.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.answers.earlier_answers import begin_with_page
from hiddenweb.language.tokens import words_to_query
from hiddenweb.model import Page
from hiddenweb.querying.controls import choices_in, controls_of
from hiddenweb.querying.decoy_test import DecoyTest, is_nonsense, nonsense
from hiddenweb.querying.plan import plan
from hiddenweb.querying.policies.registry import DEFAULT, policy_for
from hiddenweb.querying.query import LedgerEntry
from hiddenweb.querying.record_words import RecordWords
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.querying.wide_queries import asks_for_words, wide_queries
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.conversation_store import ConversationStore
    from hiddenweb.querying.labelled_values import LabelledValueSet
    from hiddenweb.querying.plan import QueryPlan
    from hiddenweb.querying.query import Choice

HELD = 512
"""Forms that are held in memory at most: a limit of taste."""

HELD_RECORDS = 300_000
"""Records of all these forms, so that large databases do not add up: a limit of taste."""

LOOK_UP_EVERY = 100
"""Forms between two times that the words are read which brought most elsewhere: a limit of taste."""

MOST_ANSWERS = 500
"""Signatures of answers that are remembered: a limit of taste."""

FEWEST_MET, KNOWN_ELSEWHERE = 30, 0.03
"""A form that has shown so many records, of which no larger share was new to the site, finds what other forms found. A limit of taste."""

_VERSION = 2
"""The version of the stored state; it rises with its form (see `to_json`)."""

_WRITTEN_SETS = ("page_blocks", "page_forms", "page_links", "shapes", "empty", "kinds", "lists", "hideable")
"""What is written down of the sets of EarlierAnswers; the keys of records are in the store, the answers in `links`."""


@dataclass(slots=True)
class ConversationState:
    """What was learnt about a form."""

    strategy: QueryStrategy
    earlier: EarlierAnswers
    decoy_test: DecoyTest
    links: dict[int, int] = field(default_factory=dict)  # signatures of answers: the links that brought them
    missing: int = 0  # answers in a row that say that there is no such page
    met: int = 0  # records that it showed
    new_to_site: int = 0  # of them
    answering: int | None = None  # the submission whose answer is read; None after a kill, or if it was left
    pages_read: frozenset[int] = frozenset()  # signatures of the pages of that answer

    def earlier_without(self, link: int) -> EarlierAnswers:
        """Return what was known before the page of a link, which a kill may have us read twice: it does not repeat itself."""
        own = {signature for signature, by in self.links.items() if by == link}
        return replace(self.earlier, answers=self.earlier.answers - own)

    def remember_answer(self, signature: int, link: int) -> None:
        """Remember which link brought an answer; the oldest answers are forgotten."""
        self.links.setdefault(signature, link)
        for oldest in list(islice(self.links, max(len(self.links) - MOST_ANSWERS, 0))):
            del self.links[oldest]
        self.earlier = replace(self.earlier, answers=frozenset(self.links))

    def note_page(self, submission: int, signature: int, *, is_first: bool) -> None:
        """Take note of a page of an answer, to know when a further page of it shows one of its pages again."""
        if is_first:
            self.answering, self.pages_read = submission, frozenset((signature,))
        elif self.answering == submission:
            self.pages_read |= {signature}
        else:
            self.answering = None

    @property
    def is_superfluous(self) -> bool:
        """Whether the form shows only what other forms of its site had shown."""
        return self.met >= FEWEST_MET and self.new_to_site <= KNOWN_ELSEWHERE * self.met

    def to_json(self) -> str:
        """Return all of it but what ledger and store know."""
        written = {
            "version": _VERSION,
            "asking": self.strategy.to_json(),
            "brought": list(self.links.items()),
            "fingerprint": self.earlier.page_fingerprint,
            "known": {name: sorted(getattr(self.earlier, name)) for name in _WRITTEN_SETS},
            "confirmation": self.decoy_test.to_json(),
            "missing": self.missing,
            "met": self.met,
            "new_to_site": self.new_to_site,
        }
        return json.dumps(written, ensure_ascii=False)


def load_earlier_answers(stored: StoredForm) -> EarlierAnswers:
    """Return what was learnt of the answers of a form, for who reads them again: none of them repeats another then."""
    written = _load_written(stored)
    return _earlier_in(written) if written is not None else EarlierAnswers()


def _load_written(stored: StoredForm) -> dict[str, Any] | None:
    written = json.loads(stored.conversation_state) if stored.conversation_state else None
    return written if isinstance(written, dict) and written.get("version") == _VERSION else None


def _earlier_in(written: dict[str, Any]) -> EarlierAnswers:
    sets = {name: frozenset(written["known"].get(name, ())) for name in _WRITTEN_SETS}
    return EarlierAnswers(page_fingerprint=written["fingerprint"], **sets)


class ConversationStates:
    """The states of all conversations: loaded when one resumes, saved when a page of an answer is done."""

    def __init__(
        self,
        store: ConversationStore,
        values: LabelledValueSet,
        *,
        policy: str,
        least_new: float,
        seed: int,
        on_parse: Callable[[], object] | None = None,
    ) -> None:
        self._store = store
        self._on_parse = on_parse  # called for each stored page that is read
        self._values = values
        self._policy = policy
        self._least_new = least_new
        self._seed = seed
        self._held: OrderedDict[int, ConversationState] = OrderedDict()
        self._changed: set[int] = set()  # forms whose states are not saved yet
        self._good_words: list[str] = []
        self._lookups = 0

    def begin(self, stored: StoredForm, page: Page) -> ConversationState:
        """Return the state before the first query, from the page the form stands on."""
        seed_words = None
        if stored.verdict.query_box is not None:
            seed_words = SeedWords(page.language, repository=self._load_good_words())
            seed_words.learn(page.text)
        planned = self.plan_form(stored)
        strategy = self._build_strategy(stored, planned, page.language, seed_words)
        strategy.restore(
            None,
            self._load_records(stored, strategy.language),
            self._load_ledger(stored, planned, strategy.language),
        )
        return self._hold(
            stored.id, ConversationState(strategy, begin_with_page(page), DecoyTest(nonsense(stored.id)))
        )

    def find(self, stored: StoredForm) -> ConversationState | None:
        """Return the state of a conversation that began; None if the page of the form has to be read for that."""
        held = self._held.get(stored.id)
        if held is not None:
            self._held.move_to_end(stored.id)
            return held
        read = self._read(stored)
        return self._hold(stored.id, read) if read is not None else None

    def load(self, stored: StoredForm) -> ConversationState:
        """Return the state of a conversation; one that an earlier version led follows from the form's page, its ledger and its records."""
        state = self.find(stored)
        if state is not None:
            return state
        source, url = self._store.load_page(stored.form.page_url), stored.form.page_url
        if source is None:
            return self.begin(stored, Page(url, text=stored.form.text, language=stored.form.language))
        body, content_type = source
        return self.begin(
            stored, read_page_with_items(body, url, content_type=content_type, on_parse=self._on_parse)
        )

    def plan_form(self, stored: StoredForm) -> QueryPlan:
        """Return what each control of a form is given, by all that is known of it."""
        held = self._held.get(stored.id)
        insists = held is not None and held.decoy_test.insists
        return plan(stored.form, stored.verdict.query_box, self._values, insists=insists)

    def replan(self, stored: StoredForm) -> None:
        """Go on with other controls: the form has shown that it insists on more than it says."""
        state = self._held[stored.id]
        state.strategy = self._restore_strategy(stored, state.strategy.to_json(), state.decoy_test)

    def parse_query(
        self, stored: StoredForm, keyword: str, values: Iterable[tuple[str, str]]
    ) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return the words and the choices of a query, as policies know them."""
        state = self._held[stored.id]
        return _parse_query(stored, self.plan_form(stored), keyword, tuple(values), state.strategy.language)

    def note_change(self, stored: StoredForm) -> None:
        """Have the state of a conversation saved with the next `save`."""
        self._changed.add(stored.id)

    def save(self) -> None:
        """Write down the states that changed, each once."""
        for form in sorted(self._changed):
            self._write(form)
        self._changed.clear()

    def _write(self, form: int) -> None:
        state = self._held.get(form)
        if state is not None:
            self._store.save_conversation(form, state.to_json())

    def _read(self, stored: StoredForm) -> ConversationState | None:
        written = _load_written(stored)
        if written is None:
            return None
        decoy_test = DecoyTest.from_json(written["confirmation"])
        strategy = self._restore_strategy(stored, written["asking"], decoy_test)
        links = dict(written["brought"])
        known = replace(_earlier_in(written), answers=frozenset(links))
        return ConversationState(
            strategy, known, decoy_test, links, written["missing"], written["met"], written["new_to_site"]
        )

    def _restore_strategy(
        self, stored: StoredForm, written: list[Any], decoy_test: DecoyTest
    ) -> QueryStrategy:
        of_page = written[1]
        seed_words = None
        if of_page is not None:
            seed_words = SeedWords.from_json(of_page, repository=self._load_good_words())
        language = seed_words.language if seed_words is not None else stored.form.language
        planned = plan(stored.form, stored.verdict.query_box, self._values, insists=decoy_test.insists)
        strategy = self._build_strategy(stored, planned, language, seed_words)
        strategy.restore(
            written, self._load_records(stored, language), self._load_ledger(stored, planned, language)
        )
        return strategy

    def _build_strategy(
        self, stored: StoredForm, planned: QueryPlan, language: str, seed_words: SeedWords | None
    ) -> QueryStrategy:
        seed = f"{self._seed} {stored.id}"
        box = stored.verdict.query_box
        policy = policy_for(self._policy, language, seed, controls_of(planned), has_box=box is not None)
        is_default = box is not None and self._policy == DEFAULT
        wide = wide_queries(stored.form.fields[box], language) if box is not None and is_default else ()
        return QueryStrategy(policy, seed_words, language=language, least_new=self._least_new, wide=wide)

    def _load_records(self, stored: StoredForm, language: str) -> Iterator[tuple[int, RecordWords, int]]:
        for record in self._store.list_records(stored.id):
            words = RecordWords(record.title, record.text, record.attributes, language=language)
            yield record.number, words, record.times

    def _load_ledger(self, stored: StoredForm, planned: QueryPlan, language: str) -> Iterator[LedgerEntry]:
        for line in self._store.list_submissions(stored.id):
            if not is_nonsense(line.keyword):
                query = _parse_query(stored, planned, line.keyword, line.values, language)
                yield LedgerEntry(*query, line.found, line.new, line.total, line.left, line.answered)

    def _hold(self, form: int, state: ConversationState) -> ConversationState:
        self._held[form] = state
        self._held.move_to_end(form)
        while len(self._held) > 1 and (
            len(self._held) > HELD or sum(each.met for each in self._held.values()) > HELD_RECORDS
        ):
            oldest = next(iter(self._held))
            if oldest in self._changed:
                self._write(oldest)
                self._changed.discard(oldest)
            del self._held[oldest]
        return state

    def _load_good_words(self) -> list[str]:
        """Return words that brought records elsewhere; they are looked up once in a while."""
        if self._lookups % LOOK_UP_EVERY == 0:
            self._good_words = [word for word in self._store.list_good_keywords() if not is_nonsense(word)]
        self._lookups += 1
        return self._good_words


def _parse_query(
    stored: StoredForm, planned: QueryPlan, keyword: str, values: tuple[tuple[str, str], ...], language: str
) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
    """Return a line of the ledger as policies know it; the keyword of choices alone is what people read there."""
    terms = (
        tuple(words_to_query(keyword, language))
        if asks_for_words(stored.form, stored.verdict.query_box, values)
        else ()
    )
    return terms, choices_in(planned, values)
