"""The cases of the benchmark `surface` with selects: everybody asks the same form, and the oracle all of its questions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks._surface_choices import ChoicesAsWords, Form, ours, questions_of, reachable
from benchmarks._surface_oracle import greedy
from benchmarks._surface_site import Database, Manner, Shown, Site, put
from benchmarks.surface import POLICIES, Case, Job, done, generate_records
from hiddenweb.querying.policies.published import FrequencyPolicy

SELECTS, BOTH = Form(box=False, selects=True), Form(selects=True)


@pytest.fixture
def small() -> Database:
    rows = [("red", "1920s"), ("red", "1930s"), ("blue", "1920s"), ("red", "1920s"), ("blue", "1940s")]
    return Database(
        "small", [Shown(f"thing {at}", {"colour": a, "decade": b}) for at, (a, b) in enumerate(rows)]
    )


def test_the_oracle_may_ask_what_the_form_takes(small: Database) -> None:
    site = Site(small, Manner())

    selects, both = list(questions_of(site, SELECTS)), list(questions_of(site, BOTH))

    assert len(selects) == 1 + 5 + 2 * 3
    assert ((), (("colour", "red"), ("decade", "1920s"))) in selects
    assert len(both) == 6 + 5
    assert (("thing",), ()) in both


def test_what_a_form_without_a_box_can_reach_is_counted(small: Database) -> None:
    assert reachable(Site(small, Manner()), SELECTS) == 5
    assert reachable(Site(small, Manner(cap=1)), SELECTS) == 4  # of two red ones of the twenties one
    assert reachable(Site(small, Manner(cap=1)), BOTH) == 5


def test_the_oracle_takes_choices_where_these_show_the_most(small: Database) -> None:
    site = Site(small, Manner(cap=3))

    steps = list(greedy(site, questions=questions_of(site, SELECTS)))

    assert [known for known, _ in steps][:: len(steps) - 1] == [3, 5]
    assert all(after > before for (before, _), (after, _) in pairwise(steps))


def test_options_are_words_to_policies_that_know_only_words(small: Database) -> None:
    site = Site(small, Manner(cap=2))
    policy = ChoicesAsWords(FrequencyPolicy("en"), small, SELECTS, 1)
    asked = []
    while wanted := policy.next():
        asked.append((wanted.words, wanted.choices))
        put(wanted, policy, site)
        assert len(asked) < 20

    assert len(asked) == len(set(asked)) == 5 + 6
    assert not any(words for words, _ in asked)


def test_ours_needs_no_words_where_there_is_no_box(small: Database) -> None:
    site = Site(small, Manner(cap=2))
    policy = ours(small, SELECTS, 1)
    known = 0
    while wanted := policy.next():
        assert not wanted.words
        known += put(wanted, policy, site)

    assert known == 5


@pytest.mark.parametrize("form", [SELECTS, BOTH], ids=["selects", "box and selects"])
@pytest.mark.parametrize("policy", [*POLICIES, "oracle"])
def test_every_policy_gets_somewhere_with_selects(policy: str, form: Form) -> None:
    case = Case("small", Manner(cap=50), 30, 30, form)

    run = done(Job("books", case, policy, 1, None))

    assert 0 < len(run.known) <= 30
    assert run.known == sorted(run.known)
    assert run.known[-1] > 300


def test_generated_records_have_choices() -> None:
    assert len({name for name, _ in generate_records("a", 50).choices}) == 2
