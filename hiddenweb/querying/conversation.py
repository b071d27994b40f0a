"""What is known of each form that is asked: what to ask next, and what its answers were.

It is written down with every question, in bounded size; what grows with a form, its questions and their records, is in the ledger and
the store already, and comes from there when a form is taken up again. Only some forms are held in memory.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from hiddenweb.answers.cases import EarlierAnswers, earlier
from hiddenweb.language.words import words_to_ask
from hiddenweb.querying.controls import choices_in, controls_of
from hiddenweb.querying.decoy_test import DecoyTest, is_nonsense, nonsense
from hiddenweb.querying.plan import plan
from hiddenweb.querying.policies.registry import DEFAULT, policy_for
from hiddenweb.querying.query import LedgerEntry
from hiddenweb.querying.record_words import RecordWords
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.querying.wide_queries import asks_for_words, wide_queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Page
    from hiddenweb.querying.labelled_values import LabelledValueSet
    from hiddenweb.querying.plan import QueryPlan
    from hiddenweb.querying.query import Choice
    from hiddenweb.store.database import Store

HELD = 512
"""Forms that are held in memory at most."""

HELD_RECORDS = 300_000
"""Records of all these forms, so that large databases do not add up."""

LOOK_UP_EVERY = 100
"""Forms between two looks at what was worth asking elsewhere."""

MOST_ANSWERS = 500
"""Signatures of answers that are remembered."""

FEWEST_MET, KNOWN_ELSEWHERE = 30, 0.03
"""A form that has shown so many records, of which no larger share was new to the site, finds what other forms found."""

_VERSION = 2
_KEPT = ("page_blocks", "page_forms", "page_links", "shapes", "empty", "kinds", "lists", "hideable")
"""What is written down of the sets of an Earlier; the keys of records are in the store, the answers in `brought`."""


@dataclass(slots=True)
class LearnedAboutForm:
    """What was learnt about a form."""

    asking: QueryStrategy
    before: EarlierAnswers
    confirmation: DecoyTest
    brought: dict[int, int] = field(
        default_factory=dict
    )  # the signature of an answer: the link that brought it
    missing: int = 0  # answers in a row that say that there is no such page
    met: int = 0  # records that it showed
    new_to_site: int = 0  # of them

    def but(self, link: int) -> EarlierAnswers:
        """Return what was known before the page of a link, which a kill may have us read twice: it does not repeat itself."""
        own = {signature for signature, by in self.brought.items() if by == link}
        return replace(self.before, answers=self.before.answers - own)

    def remember_answer(self, signature: int, link: int) -> None:
        """Remember which link brought an answer; the oldest answers are forgotten."""
        self.brought.setdefault(signature, link)
        for oldest in list(islice(self.brought, max(len(self.brought) - MOST_ANSWERS, 0))):
            del self.brought[oldest]
        self.before = replace(self.before, answers=frozenset(self.brought))

    @property
    def finds_what_is_known(self) -> bool:
        """Say whether the form shows only what other forms of its site had shown."""
        return self.met >= FEWEST_MET and self.new_to_site <= KNOWN_ELSEWHERE * self.met

    def to_json(self) -> str:
        """Return all of it but what ledger and store know."""
        written = {
            "version": _VERSION,
            "asking": self.asking.to_json(),
            "brought": list(self.brought.items()),
            "fingerprint": self.before.page_fingerprint,
            "known": {name: sorted(getattr(self.before, name)) for name in _KEPT},
            "confirmation": self.confirmation.to_json(),
            "missing": self.missing,
            "met": self.met,
            "new_to_site": self.new_to_site,
        }
        return json.dumps(written, ensure_ascii=False)


def earlier_of(known: StoredForm) -> EarlierAnswers:
    """Return what was learnt of the answers of a form, for who reads them again: none of them repeats another then."""
    written = json.loads(known.chooser) if known.chooser else None
    if not isinstance(written, dict) or written.get("version") != _VERSION:
        return EarlierAnswers()
    sets = {name: frozenset(written["known"].get(name, ())) for name in _KEPT}
    return EarlierAnswers(page_fingerprint=written["fingerprint"], **sets)


class FormKnowledgeBase:
    """Knows all forms that are asked."""

    def __init__(
        self, state: Store, values: LabelledValueSet, *, policy: str, least_new: float, seed: int
    ) -> None:
        self._state = state
        self._values = values
        self._policy = policy
        self._least_new = least_new
        self._seed = seed
        self._held: OrderedDict[int, LearnedAboutForm] = OrderedDict()
        self._good_words: list[str] = []
        self._looked_up = 0

    def begin(self, known: StoredForm, page: Page) -> LearnedAboutForm:
        """Return what is known of a form before its first question, from the page it stands on."""
        starting = None
        if known.verdict.query_box is not None:
            starting = SeedWords(page.language, repository=self._repository())
            starting.learn(page.text)
        planned = self.planned(known)
        asking = self._asking(known, planned, page.language, starting)
        asking.restore(
            None, self._records(known, asking.language), self._ledger(known, planned, asking.language)
        )
        return self._hold(known.id, LearnedAboutForm(asking, earlier(page), DecoyTest(nonsense(known.id))))

    def of(self, known: StoredForm) -> LearnedAboutForm | None:
        """Return what is known of a form that was asked; None if its page has to be read for that."""
        held = self._held.get(known.id)
        if held is not None:
            self._held.move_to_end(known.id)
            return held
        read = self._read(known)
        return self._hold(known.id, read) if read is not None else None

    def planned(self, known: StoredForm) -> QueryPlan:
        """Return what each control of a form is given, by all that is known of it."""
        held = self._held.get(known.id)
        insists = held is not None and held.confirmation.insists
        return plan(known.form, known.verdict.query_box, self._values, insists=insists)

    def plan_again(self, known: StoredForm) -> None:
        """Go on with other controls: the form has shown that it insists on more than it says."""
        knowledge = self._held[known.id]
        knowledge.asking = self._restored(known, knowledge.asking.to_json(), knowledge.confirmation)

    def asked(
        self, known: StoredForm, keyword: str, values: Iterable[tuple[str, str]]
    ) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
        """Return the words and the choices of a question, as policies know them."""
        knowledge = self._held[known.id]
        return _words_and_choices(
            known, self.planned(known), keyword, tuple(values), knowledge.asking.language
        )

    def _read(self, known: StoredForm) -> LearnedAboutForm | None:
        written = json.loads(known.chooser) if known.chooser else None
        if not isinstance(written, dict) or written.get("version") != _VERSION:
            return None
        confirmation = DecoyTest.from_json(written["confirmation"])
        asking = self._restored(known, written["asking"], confirmation)
        brought = dict(written["brought"])
        sets = {name: frozenset(written["known"].get(name, ())) for name in _KEPT}
        before = EarlierAnswers(answers=frozenset(brought), page_fingerprint=written["fingerprint"], **sets)
        return LearnedAboutForm(
            asking, before, confirmation, brought,
            written["missing"], written["met"], written["new_to_site"],
        )  # fmt: skip

    def _restored(self, known: StoredForm, written: list[Any], confirmation: DecoyTest) -> QueryStrategy:
        of_page = written[1]
        starting = None
        if of_page is not None:
            starting = SeedWords.from_json(of_page, repository=self._repository())
        language = starting.language if starting is not None else known.form.language
        planned = plan(known.form, known.verdict.query_box, self._values, insists=confirmation.insists)
        asking = self._asking(known, planned, language, starting)
        asking.restore(written, self._records(known, language), self._ledger(known, planned, language))
        return asking

    def _asking(
        self, known: StoredForm, planned: QueryPlan, language: str, starting: SeedWords | None
    ) -> QueryStrategy:
        seed = f"{self._seed} {known.id}"
        has_box = known.verdict.query_box is not None
        policy = policy_for(self._policy, language, seed, controls_of(planned), has_box=has_box)
        box = known.verdict.query_box
        is_default = box is not None and self._policy == DEFAULT
        wide = wide_queries(known.form.fields[box], language) if box is not None and is_default else ()
        return QueryStrategy(policy, starting, language=language, least_new=self._least_new, wide=wide)

    def _records(self, known: StoredForm, language: str) -> Iterator[tuple[int, RecordWords, int]]:
        for record in self._state.records.load_form(known.id):
            words = RecordWords(record.title, record.text, record.attributes, language=language)
            yield record.number, words, record.times

    def _ledger(self, known: StoredForm, planned: QueryPlan, language: str) -> Iterator[LedgerEntry]:
        for line in self._state.submissions.load_lines(known.id):
            if not is_nonsense(line.keyword):
                asked = _words_and_choices(known, planned, line.keyword, line.values, language)
                yield LedgerEntry(*asked, line.found, line.new, line.total, line.left, line.answered)

    def _hold(self, form: int, knowledge: LearnedAboutForm) -> LearnedAboutForm:
        self._held[form] = knowledge
        self._held.move_to_end(form)
        while len(self._held) > 1 and (
            len(self._held) > HELD or sum(each.met for each in self._held.values()) > HELD_RECORDS
        ):
            self._held.popitem(last=False)
        return knowledge

    def _repository(self) -> list[str]:
        """Return words that brought records elsewhere; they are looked up once in a while."""
        if self._looked_up % LOOK_UP_EVERY == 0:
            self._good_words = [
                word for word in self._state.submissions.find_good_keywords() if not is_nonsense(word)
            ]
        self._looked_up += 1
        return self._good_words


def _words_and_choices(
    known: StoredForm, planned: QueryPlan, keyword: str, values: tuple[tuple[str, str], ...], language: str
) -> tuple[tuple[str, ...], tuple[Choice, ...]]:
    """Return a line of the ledger as policies know it; the keyword of choices alone is what people read there."""
    terms = (
        tuple(words_to_ask(keyword, language))
        if asks_for_words(known.form, known.verdict.query_box, values)
        else ()
    )
    return terms, choices_in(planned, values)
