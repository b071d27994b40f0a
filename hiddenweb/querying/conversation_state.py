"""The state of the conversation with each form: what to submit next, and what its answers were.

It is saved after every page of an answer, in bounded size. What grows with a form, its queries and their records, is already in the ledger and
the store, and is loaded from there when a conversation resumes. Only some forms are kept in memory.
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

MOST_IN_MEMORY = 512
"""The most forms that are kept in memory: a limit of taste."""

MOST_RECORDS = 300_000
"""The most records of all these forms together: a limit of taste."""

LOAD_WORDS_EVERY = 100
"""Forms between two loads of the words that brought most records elsewhere: a limit of taste."""

MOST_ANSWERS = 500
"""The most signatures of answers that are remembered: a limit of taste."""

FEWEST_SHOWN, MOST_NEW_SHARE = 30, 0.03
"""Records a form must have shown, and the share of them that may be new to its site, for it to be superfluous. Limits of taste."""

_VERSION = 2
"""The version of the stored state; it changes with its format (see `to_json`)."""

_SAVED_SETS = ("page_blocks", "page_forms", "page_links", "shapes", "empty", "kinds", "lists", "hideable")
"""The sets of EarlierAnswers that are saved; the keys of records are in the store, the answers in `links`."""


@dataclass(slots=True)
class ConversationState:
    """What was learnt about a form."""

    strategy: QueryStrategy
    earlier: EarlierAnswers
    decoy_test: DecoyTest
    links: dict[int, int] = field(default_factory=dict)  # by the signature of an answer: its link
    missing: int = 0  # answers in a row that say "no such page"
    records_shown: int = 0  # by the form
    new_to_site: int = 0  # of these records

    def earlier_without(self, link: int) -> EarlierAnswers:
        """Return what was known before the page of a link: after a kill it may be read twice, and does not repeat itself."""
        own_signatures = {signature for signature, source in self.links.items() if source == link}
        return replace(self.earlier, answers=self.earlier.answers - own_signatures)

    def remember_answer(self, signature: int, link: int) -> None:
        """Remember which link brought an answer; the oldest answers are forgotten."""
        self.links.setdefault(signature, link)
        for oldest in list(islice(self.links, max(len(self.links) - MOST_ANSWERS, 0))):
            del self.links[oldest]
        self.earlier = replace(self.earlier, answers=frozenset(self.links))

    @property
    def is_superfluous(self) -> bool:
        """Whether the form shows only records that other forms of its site had shown."""
        return self.records_shown >= FEWEST_SHOWN and self.new_to_site <= MOST_NEW_SHARE * self.records_shown

    def to_json(self) -> str:
        """Return the state without what is in the ledger and the store."""
        state = {
            "version": _VERSION,
            "asking": self.strategy.to_json(),
            "brought": list(self.links.items()),
            "fingerprint": self.earlier.page_fingerprint,
            "known": {name: sorted(getattr(self.earlier, name)) for name in _SAVED_SETS},
            "confirmation": self.decoy_test.to_json(),
            "missing": self.missing,
            "met": self.records_shown,
            "new_to_site": self.new_to_site,
        }
        return json.dumps(state, ensure_ascii=False)


def load_earlier_answers(stored: StoredForm) -> EarlierAnswers:
    """Return what was learnt of the answers of a form, to read them again: without signatures none repeats another."""
    saved = _load_saved(stored)
    return _earlier_in(saved) if saved is not None else EarlierAnswers()


def _load_saved(stored: StoredForm) -> dict[str, Any] | None:
    saved = json.loads(stored.conversation_state) if stored.conversation_state else None
    return saved if isinstance(saved, dict) and saved.get("version") == _VERSION else None


def _earlier_in(saved: dict[str, Any]) -> EarlierAnswers:
    sets = {name: frozenset(saved["known"].get(name, ())) for name in _SAVED_SETS}
    return EarlierAnswers(page_fingerprint=saved["fingerprint"], **sets)


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
        self._on_parse = on_parse  # called for each stored page that is parsed
        self._values = values
        self._policy = policy
        self._least_new = least_new
        self._seed = seed
        self._in_memory: OrderedDict[int, ConversationState] = OrderedDict()
        self._changed: set[int] = set()  # forms whose states are not saved yet
        self._good_words: list[str] = []
        self._loads = 0

    def begin(self, stored: StoredForm, page: Page) -> ConversationState:
        """Return the state before the first query, from the page of the form."""
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
        return self._remember(
            stored.id, ConversationState(strategy, begin_with_page(page), DecoyTest(nonsense(stored.id)))
        )

    def find(self, stored: StoredForm) -> ConversationState | None:
        """Return the state of a conversation that began; None if the page of the form must be read first."""
        state = self._in_memory.get(stored.id)
        if state is not None:
            self._in_memory.move_to_end(stored.id)
            return state
        restored = self._restore(stored)
        return self._remember(stored.id, restored) if restored is not None else None

    def load(self, stored: StoredForm) -> ConversationState:
        """Return the state of a conversation; without a saved one, it is built from the form's page, the ledger and the records."""
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
        """Return what each control of a form is given, by all that is known."""
        state = self._in_memory.get(stored.id)
        insists = state is not None and state.decoy_test.insists
        return plan(stored.form, stored.verdict.query_box, self._values, insists=insists)

    def replan(self, stored: StoredForm) -> None:
        """Rebuild the strategy with other controls: the form requires more than it says."""
        state = self._in_memory[stored.id]
        state.strategy = self._restore_strategy(stored, state.strategy.to_json(), state.decoy_test)

    def parse_query(
        self, stored: StoredForm, keyword: str, values: Iterable[tuple[str, str]]
    ) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return the words and the choices of a query, as policies know them."""
        state = self._in_memory[stored.id]
        return _parse_query(stored, self.plan_form(stored), keyword, tuple(values), state.strategy.language)

    def note_change(self, stored: StoredForm) -> None:
        """Mark the state of a conversation to be saved with the next `save`."""
        self._changed.add(stored.id)

    def save(self) -> None:
        """Save the states that changed."""
        for form in sorted(self._changed):
            self._write(form)
        self._changed.clear()

    def _write(self, form: int) -> None:
        state = self._in_memory.get(form)
        if state is not None:
            self._store.save_conversation(form, state.to_json())

    def _restore(self, stored: StoredForm) -> ConversationState | None:
        saved = _load_saved(stored)
        if saved is None:
            return None
        decoy_test = DecoyTest.from_json(saved["confirmation"])
        strategy = self._restore_strategy(stored, saved["asking"], decoy_test)
        links = dict(saved["brought"])
        earlier = replace(_earlier_in(saved), answers=frozenset(links))
        return ConversationState(
            strategy, earlier, decoy_test, links, saved["missing"], saved["met"], saved["new_to_site"]
        )

    def _restore_strategy(self, stored: StoredForm, saved: list[Any], decoy_test: DecoyTest) -> QueryStrategy:
        saved_words = saved[1]
        seed_words = None
        if saved_words is not None:
            seed_words = SeedWords.from_json(saved_words, repository=self._load_good_words())
        language = seed_words.language if seed_words is not None else stored.form.language
        planned = plan(stored.form, stored.verdict.query_box, self._values, insists=decoy_test.insists)
        strategy = self._build_strategy(stored, planned, language, seed_words)
        strategy.restore(
            saved, self._load_records(stored, language), self._load_ledger(stored, planned, language)
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

    def _remember(self, form: int, state: ConversationState) -> ConversationState:
        self._in_memory[form] = state
        self._in_memory.move_to_end(form)
        while len(self._in_memory) > 1 and (
            len(self._in_memory) > MOST_IN_MEMORY
            or sum(each.records_shown for each in self._in_memory.values()) > MOST_RECORDS
        ):
            oldest = next(iter(self._in_memory))
            if oldest in self._changed:
                self._write(oldest)
                self._changed.discard(oldest)
            del self._in_memory[oldest]
        return state

    def _load_good_words(self) -> list[str]:
        """Return words that brought records elsewhere; they are loaded now and then."""
        if self._loads % LOAD_WORDS_EVERY == 0:
            self._good_words = [word for word in self._store.list_good_keywords() if not is_nonsense(word)]
        self._loads += 1
        return self._good_words


def _parse_query(
    stored: StoredForm, planned: QueryPlan, keyword: str, values: tuple[tuple[str, str], ...], language: str
) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
    """Return a line of the ledger as policies know it; without words its keyword is only text for people."""
    terms = (
        tuple(words_to_query(keyword, language))
        if asks_for_words(stored.form, stored.verdict.query_box, values)
        else ()
    )
    return terms, choices_in(planned, values)
