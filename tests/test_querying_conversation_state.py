"""The state of a form is saved, restored in another process, and stays small."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from hiddenweb.answers.answer_verdict import EarlierAnswers
from hiddenweb.model import Field, Form, HttpQuery, Page, Record, Verdict
from hiddenweb.querying.conversation_state import (
    FEWEST_SHOWN,
    MOST_ANSWERS,
    ConversationState,
    ConversationStates,
)
from hiddenweb.querying.decoy_test import DecoyTest
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.policies.registry import POLICIES, policy_named
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.forms.stored_form import StoredForm

HOME = "http://books.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search", label="Search"),), language="en")
TEXTS = [
    f"novel number{n} about {('sea', 'road', 'moon', 'winter')[n % 4]} and book{n * n % 7}" for n in range(40)
]


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        opened.runs.begin("harvest", 1.0)
        opened.sites.want(HOME)
        yield opened


def knowing(state: Store, policy: str = "benefit") -> ConversationStates:
    values = LabelledValueSet(date(2026, 1, 1))
    return ConversationStates(StoredConversations(state), values, policy=policy, least_new=0.5, seed=1)


def save_form(state: Store) -> StoredForm:
    site = state.sites.find_site(HOME)
    assert site is not None
    number = state.forms.save(site, FORM, Verdict(True, "search", query_box=0), 1.0)
    stored = state.forms.load(number)
    assert stored is not None
    return stored


def submit_next(
    state: Store, stored: StoredForm, knowledge: ConversationState, texts: list[str], total: int | None = None
) -> str:
    """Submit the next query, let it find some texts, and return its word."""
    proposal = knowledge.strategy.next()
    assert proposal is not None
    knowledge.strategy.note_query(proposal)
    keyword = " ".join(proposal.words)
    query = HttpQuery((("q", keyword),), keyword, url=f"{HOME}find?q={keyword}")
    number = state.submissions.plan(stored.id, query, knowledge.to_json(), 2.0)
    assert number is not None
    knowledge.strategy.read([(text_hash(text), text.split()) for text in texts], total)
    knowledge.strategy.end_answer()
    state.submissions.mark_answered(number, "all", "", 3.0, total=total)
    state.records.save(
        stored.site, [Record(text, text, text) for text in texts], submission=number, page=None, at=3.0
    )
    state.forms.save_conversation_state(stored.id, knowledge.to_json())
    return keyword


def test_all_knowledge_of_a_form_is_saved(state: Store) -> None:
    values: dict[str, Any] = {
        "answers": frozenset({1, 2}),
        "page_fingerprint": 7,
        "page_blocks": frozenset({"a"}),
        "page_forms": frozenset({3}),
        "page_links": frozenset({"http://a.example/"}),
        "shapes": frozenset({"http://a.example/*"}),
        "empty": frozenset({4}),
        "keys": frozenset(),  # of records: they are in the store
        "kinds": frozenset({"li.hit < ul"}),
        "hideable": frozenset({"http://a.example/1"}),
        "lists": frozenset({"1 1 facts"}),
    }
    assert {field.name for field in fields(EarlierAnswers)} == set(values)
    doubtful = DecoyTest("xqzbdfgkl", "doubtful", "so", frozenset({"a"}), 1, last_word="wine")
    strategy = QueryStrategy(policy_named("benefit", "en", "1"), SeedWords("en"), language="en")
    knowledge = ConversationState(strategy, EarlierAnswers(**values), doubtful, {1: 10, 2: 11}, 1, 50, 49)
    stored = save_form(state)
    state.forms.save_conversation_state(stored.id, knowledge.to_json())

    read = knowing(state).find(replace(stored, conversation_state=knowledge.to_json()))

    assert read is not None
    assert (read.earlier, read.links, read.decoy_test) == (knowledge.earlier, knowledge.links, doubtful)
    assert (read.missing, read.records_shown, read.new_to_site) == (1, 50, 49)


def test_a_state_from_before_lists_were_known_is_read(state: Store) -> None:
    stored = save_form(state)
    written = json.loads(knowing(state).begin(stored, Page(HOME, text="Novels.", language="en")).to_json())
    del written["known"]["lists"]

    read = knowing(state).find(replace(stored, conversation_state=json.dumps(written)))

    assert read is not None
    assert read.earlier.lists == frozenset()


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_another_process_submits_what_this_one_would_have_submitted(state: Store, policy: str) -> None:
    stored = save_form(state)
    page = Page(HOME, text="Novels of the sea. Novels and poems of the sea, and maps.", language="en")
    knowledge = knowing(state, policy).begin(stored, page)
    submitted = [
        submit_next(state, stored, knowledge, TEXTS[at * 6 : at * 6 + 8], total=20) for at in range(4)
    ]

    resumed = state.forms.load(stored.id)
    assert resumed is not None
    again = knowing(state, policy).find(resumed)

    assert again is not None
    here, there = knowledge.strategy.next(), again.strategy.next()
    assert there is not None
    assert there.words[0] not in submitted
    if policy not in ("random", "automata"):  # these draw again
        assert here is not None
        assert there.words == here.words
    assert [n and n.known for n in (again.strategy.estimate(), knowledge.strategy.estimate())] == [26, 26]


def test_the_state_of_an_earlier_version_is_rebuilt_from_page_ledger_and_records(state: Store) -> None:
    stored = save_form(state)
    page = Page(HOME, text="Novels of the sea.", language="en")
    first = knowing(state).begin(stored, page)
    keyword = submit_next(state, stored, first, TEXTS[:8])
    state.forms.save_conversation_state(stored.id, json.dumps(["a chooser", [], 0, {}]))
    old = state.forms.load(stored.id)
    assert old is not None

    knowledge = knowing(state)
    assert knowledge.find(old) is None
    again = knowledge.begin(old, page)

    estimate, proposal = again.strategy.estimate(), again.strategy.next()
    assert estimate is not None
    assert estimate.known == 8
    assert proposal is not None
    assert proposal.words != (keyword,)


def test_an_unfinished_answer_can_be_resumed(state: Store) -> None:
    stored = save_form(state)
    knowledge = knowing(state).begin(stored, Page(HOME, text="Novels of the sea.", language="en"))
    submit_next(state, stored, knowledge, TEXTS[:8], total=40)
    state.submissions.save_unfinished(1, (f"{HOME}find?q=novels&page=2", 2))

    [(url, page)] = state.rows("SELECT next_url, next_page FROM submissions")

    assert (url, page) == (f"{HOME}find?q=novels&page=2", 2)


@pytest.mark.parametrize(("link", "answers"), [(10, {2}), (11, {1}), (12, {1, 2})])
def test_the_answers_before_a_page_do_not_contain_its_own(link: int, answers: set[int]) -> None:
    strategy = QueryStrategy(policy_named("benefit", "en", "1"))
    stored = ConversationState(
        strategy, EarlierAnswers(answers=frozenset({1, 2})), DecoyTest("x"), {1: 10, 2: 11}
    )

    assert stored.earlier_without(link).answers == answers


def test_the_saved_state_does_not_grow_with_the_queries(state: Store) -> None:
    stored = save_form(state)
    knowledge = knowing(state).begin(stored, Page(HOME, text="Novels of the sea.", language="en"))
    for n in range(3 * MOST_ANSWERS):
        knowledge.remember_answer(n, n)
    knowledge.strategy.note_query(knowledge.strategy.next() or pytest.fail("there is a word to begin with"))
    knowledge.strategy.read([(n, [f"word{n}", f"other{n}"]) for n in range(2_000)])
    knowledge.strategy.end_answer()

    assert len(knowledge.links) == len(knowledge.earlier.answers) == MOST_ANSWERS
    assert len(knowledge.to_json()) < 40_000


@pytest.mark.parametrize(
    ("shown", "new", "is_superfluous"),
    [(FEWEST_SHOWN, 0, True), (FEWEST_SHOWN - 1, 0, False), (FEWEST_SHOWN, 5, False)],
)
def test_a_form_that_shows_what_others_showed_is_superfluous(
    shown: int, new: int, is_superfluous: bool
) -> None:
    strategy = QueryStrategy(policy_named("benefit", "en", "1"))

    knowledge = ConversationState(
        strategy, EarlierAnswers(), DecoyTest("x"), records_shown=shown, new_to_site=new
    )

    assert knowledge.is_superfluous is is_superfluous
