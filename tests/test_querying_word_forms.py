"""Searches that take the forms of a word for one word, and those that do not."""

from __future__ import annotations

import pytest

from benchmarks._surface_site import Database, Manner, Shown, Site, put
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.query import OpenAnswer, QueryProposal
from hiddenweb.querying.word_forms import WordForms

FIRST, OTHERS = 1, 2  # what answers begin with


def after(*answers: tuple[str, int | None]) -> WordForms:
    forms = WordForms("en")
    for word, records in answers:
        forms.note_query((word,))
        forms.learn_word(word, records)
    return forms


def test_nothing_is_assumed_of_a_search_without_evidence() -> None:
    forms = after(("game", FIRST))

    assert not forms.are_one
    assert not forms.are_found(("games",))


def test_forms_of_a_word_that_found_the_same_records_are_one() -> None:
    forms = after(("game", FIRST), ("games", FIRST), ("parser", OTHERS))

    assert forms.are_one
    assert forms.are_found(("parsers",))
    assert not forms.are_found(("house",))


def test_forms_of_a_word_that_found_others_are_not() -> None:
    assert not after(("game", FIRST), ("games", OTHERS)).are_one


def test_a_few_records_may_be_the_same_by_chance() -> None:
    answer = OpenAnswer(("game",))
    answer.note_beginning((1, 2))

    assert answer.begins is None
    assert not after(("game", answer.begins), ("games", answer.begins)).are_one


def test_one_word_may_be_submitted_twice_and_proves_nothing() -> None:
    assert not after(("game", FIRST), ("game", FIRST)).are_one


def test_several_words_are_found_if_other_forms_of_them_were_submitted_together() -> None:
    forms = after(("game", FIRST), ("games", FIRST))
    forms.note_query(("fast", "parsers"))

    assert forms.are_found(("parser", "fast"))
    assert not forms.are_found(("parser", "slow"))
    assert forms.are_found(("parser", "parsers")), "two forms of a word find together what one finds"
    assert not forms.are_found(("fast", "parsers")), "it may be this very query that is looked at"


def test_the_word_forms_are_saved_and_restored() -> None:
    restored = WordForms("en")
    restored.restore(after(("game", FIRST), ("games", FIRST)).to_json())
    restored.note_query(("house",))

    assert restored.are_found(("houses",))


@pytest.mark.parametrize(("stems", "wasted"), [(True, 1), (False, 0)])
def test_one_form_of_each_word_is_submitted_to_a_search_for_stems(stems: bool, wasted: int) -> None:
    nouns = ("boat", "garden", "window", "river", "forest", "teacher", "engine", "planet")
    texts = [
        f"{nouns[at % 8]}{'s' if at % 3 else ''} {nouns[(at // 8) % 8]}{'' if at % 5 else 's'} {at}x{at}"
        for at in range(400)
    ]
    site = Site(
        Database("nouns", [Shown(text, {}) for text in texts], stems=stems), Manner(cap=20, says_total=False)
    )
    policy, submitted = BenefitPolicy("en", most_words=1), ["boat"]
    put(QueryProposal(("boat",), 0.0, ""), policy, site)
    while len(submitted) < 24 and (proposal := policy.next()):
        put(proposal, policy, site)
        submitted.append(proposal.words[0])

    named = {word for word in submitted if word.rstrip("s") in nouns}
    twice = len(named) - len({word.rstrip("s") for word in named})
    assert twice == wasted if stems else twice > 1
