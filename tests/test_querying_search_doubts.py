"""Whether a form searches at all, by its answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from conversation_parts import FORM, Parts

from hiddenweb.answers.answer_verdict import AnswerVerdict, Case
from hiddenweb.model import Field, Option, Record
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.policies.options.policy import OptionsPolicy

RECORDS = tuple(Record(f"{n}", f"Novel {n}", f"Novel {n} of the sea") for n in range(4))
OTHERS = tuple(Record(f"o{n}", f"Poem {n}", f"Poem {n} of the moon") for n in range(4))


def found(*records: Record, case: Case = "all", holding: float = 1.0, **more: object) -> AnswerVerdict:
    return AnswerVerdict(case, "", records, holding=holding, **more)  # type: ignore[arg-type]


def test_records_that_hold_the_word_confirm_a_form() -> None:
    parts = Parts()
    stored = parts.save_form()

    parts.doubts.learn(stored, "sea", found(*RECORDS))
    parts.doubts.learn(stored, "moon", found(*OTHERS))

    assert parts.states.load(stored).decoy_test.stage == "confirmed"
    assert parts.stats.values == {"hiddenweb/forms/confirmed": 1}


def test_a_form_that_is_confirmed_twice_counts_once() -> None:
    parts = Parts()
    stored = parts.save_form()
    for word in ("sea", "moon", "road", "winter", "cities"):
        parts.doubts.learn(stored, word, found(*RECORDS, signature=hash(word)))
    probe = parts.states.load(stored).decoy_test.next_probe
    assert probe  # so many answers, and none to a word that does not exist

    parts.doubts.learn(stored, probe, found(case="nothing_found"))

    assert parts.states.load(stored).decoy_test.stage == "confirmed"
    assert parts.stats.values == {"hiddenweb/forms/confirmed": 1}


def test_a_doubt_is_settled_by_a_word_that_does_not_exist() -> None:
    parts = Parts()
    stored = parts.save_form()
    parts.doubts.learn(stored, "sea", found(*RECORDS, holding=0.0))
    probe = parts.states.load(stored).decoy_test.next_probe
    assert probe

    parts.doubts.learn(stored, probe, found(case="nothing_found"))

    assert parts.states.load(stored).decoy_test.stage == "confirmed"
    assert parts.stats.values == {"hiddenweb/forms/confirmed": 1}


def test_a_form_that_brings_the_same_for_every_query_is_a_decoy() -> None:
    parts = Parts()
    stored = parts.save_form()
    parts.doubts.learn(stored, "sea", found(*RECORDS, holding=0.0))

    parts.doubts.learn(stored, parts.states.load(stored).decoy_test.next_probe, found(*RECORDS, holding=0.0))

    assert parts.states.load(stored).decoy_test.stage == "decoy"
    assert parts.stats.values == {"hiddenweb/forms/decoy": 1}


@pytest.mark.parametrize(
    ("more", "silent"),
    [({}, 1), ({"total": 4_000}, 0), ({"too_many": True}, 0)],
    ids=["plain", "total", "too many"],
)
def test_a_form_that_comes_again_for_finding_too_much_searches(more: dict[str, Any], silent: int) -> None:
    parts = Parts()
    stored = parts.save_form()

    parts.doubts.learn(stored, "sea", found(case="form_again", **more))

    test = parts.states.load(stored).decoy_test
    assert (test.unanswered, test.insists) == (silent, bool(silent))


def test_a_first_step_has_no_records_but_searches() -> None:
    parts = Parts()
    stored = parts.save_form()

    for word in ("sea", "moon", "road"):
        parts.doubts.learn(stored, word, found(case="another_form", form=FORM))

    assert parts.states.load(stored).decoy_test.stage == "open"


@pytest.mark.parametrize("policy", ["benefit", "frequency"])
def test_a_form_that_insists_on_more_than_words_has_its_controls_tried(policy: str) -> None:
    select = Field("genre", "select", "Genre", options=(Option("", "Choose"), Option("1", "Novels")))
    parts = Parts(ConversationSettings(policy=policy))
    stored = parts.save_form(replace(FORM, fields=(*FORM.fields, select)))
    state = parts.states.load(stored)
    assert not isinstance(state.strategy.policy, OptionsPolicy)

    parts.doubts.learn(stored, "moon", found(case="form_again"))

    assert state.decoy_test.insists
    assert isinstance(state.strategy.policy, OptionsPolicy)
    assert state.strategy.next() is not None


def test_choices_that_bring_different_records_confirm_a_form_without_words() -> None:
    select = Field("genre", "select", "Genre", options=tuple(Option(str(n), f"Genre {n}") for n in range(5)))
    parts = Parts()
    stored = parts.save_form(replace(FORM, fields=(select,)))
    assert stored.verdict.query_box is None

    parts.doubts.learn(stored, "Genre 1", found(*RECORDS))
    parts.doubts.learn(stored, "Genre 2", found(*OTHERS))

    assert parts.states.load(stored).decoy_test.stage == "confirmed"
    assert parts.stats.values == {"hiddenweb/forms/confirmed": 1}


def test_silence_settles_a_doubt_after_two_words_that_do_not_exist() -> None:
    parts = Parts()
    stored = parts.save_form()
    parts.doubts.learn_silence(stored, "sea")
    assert parts.states.load(stored).decoy_test.stage == "open"
    parts.doubts.learn(stored, "sea", found(*RECORDS, holding=0.0))

    test = parts.states.load(stored).decoy_test
    words = []
    for word in ("moon", "road"):
        words.append(test.word)
        parts.doubts.learn_silence(stored, test.word)
        parts.doubts.learn(stored, word, found(*OTHERS, holding=0.0))

    assert words[0] != words[1]
    assert test.stage == "confirmed"
    assert parts.stats.values == {"hiddenweb/forms/confirmed": 1}
