"""What every policy keeps of answers."""

from __future__ import annotations

from hiddenweb.querying.policies.published import FrequencyPolicy


def test_pages_add_up_to_an_answer() -> None:
    policy = FrequencyPolicy("en")
    policy.note_query(("red",))
    assert policy.read([(1, ["red", "house"]), (2, ["red"])], 3) == 2
    assert policy.is_worth_turning()
    assert policy.read([(3, ["red"]), (1, ())]) == 1
    assert policy.under_way.shown == 4
    policy.end_answer()
    assert len(policy.vocabulary) == 3
    assert policy.latest.odds == (3 + 2) / (1 + 2)


def test_answers_with_choices_say_nothing_about_how_far_words_reach() -> None:
    policy = FrequencyPolicy("en")
    policy.note_query(("red",), (("kind", "old"),))
    policy.read([(at, ["red"]) for at in range(30)], 300)
    policy.end_answer()
    assert policy.reach.most is None


def test_an_empty_state_is_a_new_log() -> None:
    policy = FrequencyPolicy("en")
    policy.restore("", [(1, ["red"], 2)], [])
    assert len(policy.vocabulary) == 1
    assert policy.estimate() is not None
