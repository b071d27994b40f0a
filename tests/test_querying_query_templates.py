"""Templates are informative if their answers differ; what changes nothing is left, and nothing is built on it."""

from __future__ import annotations

import json

import pytest

from hiddenweb.querying.query_templates import MOST_TEMPLATES, WORDS, QueryTemplates, sign_records


def test_a_control_whose_answers_differ_is_informative_after_five_of_them() -> None:
    templates = QueryTemplates()
    for signature in range(4):
        templates.learn_answer(["genre"], signature)
    assert templates.judge(["genre"]) == (4, 4, None)

    templates.learn_answer(["genre"], 4)

    assert templates.judge(["genre"]) == (5, 5, True)


def test_a_control_that_changes_nothing_is_left() -> None:
    templates = QueryTemplates()
    for _ in range(5):
        templates.learn_answer(["sort"], 77)

    assert templates.judge(["sort"]) == (5, 1, False)
    assert not templates.may_be_submitted(["sort"])
    assert not templates.may_be_submitted(["sort", "genre"])


@pytest.mark.parametrize(
    ("different", "informative"),
    [(20, True), (5, True), (4, True), (3, False), (1, False)],
)
def test_one_different_answer_in_five_is_enough(different: int, informative: bool) -> None:
    templates = QueryTemplates()
    for query in range(20):
        templates.learn_answer(["view"], query % different)

    assert templates.judge(["view"]).informative is informative


def test_the_share_of_different_answers_that_is_wanted_can_be_set() -> None:
    strict, lenient = QueryTemplates(informative=0.9), QueryTemplates(informative=0.1)
    for templates in (strict, lenient):
        for query in range(10):
            templates.learn_answer(["view"], query % 5)

    assert strict.judge(["view"]).informative is False
    assert lenient.judge(["view"]).informative is True


def test_a_control_with_few_values_is_judged_when_all_were_submitted() -> None:
    templates = QueryTemplates()
    templates.learn_answer(["used"], 1, possible=2)
    assert templates.is_undecided(["used"])

    templates.learn_answer(["used"], 2, possible=2)

    assert templates.judge(["used"]).informative is True


def test_with_words_an_answer_must_differ_from_that_of_the_words_alone() -> None:
    templates = QueryTemplates()
    for word in range(5):
        templates.learn_answer([WORDS], 100 + word)
        templates.learn_answer([WORDS, "sort"], 100 + word, with_less={100 + word})
        templates.learn_answer([WORDS, "genre"], 200 + word, with_less={100 + word})

    assert templates.judge([WORDS, "sort"]) == (5, 0, False)
    assert templates.judge([WORDS, "genre"]) == (5, 5, True)


def test_templates_grow_from_informative_ones_up_to_three_controls() -> None:
    templates = QueryTemplates()
    assert templates.may_be_submitted(["a"])
    assert not templates.may_be_submitted(["a", "b"])  # nothing is known of either
    for signature in range(5):
        templates.learn_answer(["a"], signature)
    assert not templates.may_be_submitted(["a", "b"])
    assert not templates.may_be_submitted([WORDS, "b"])
    assert templates.may_be_submitted([WORDS, "a"])
    for name in "bcd":
        for signature in range(5):
            templates.learn_answer([name], signature)
    assert templates.may_be_submitted(["a", "b"])
    assert not templates.may_be_submitted(["a", "b", "c"])
    for pair in ("ab", "ac", "bc", "ad", "bd", "cd"):
        for signature in range(5):
            templates.learn_answer(pair, signature)
    assert templates.may_be_submitted(["a", "b", "c"])
    for three in ("abc", "abd", "acd", "bcd"):
        for signature in range(5):
            templates.learn_answer(three, signature)
    assert not templates.may_be_submitted(["a", "b", "c", "d"])


def test_required_controls_say_nothing_about_a_template() -> None:
    templates = QueryTemplates()

    assert templates.may_be_submitted([WORDS, "region"], always=["region"])
    assert templates.may_be_submitted(["region", "type"], always=["region"])
    assert not templates.may_be_submitted(["region", "type", WORDS], always=["region"])


def test_every_template_is_explained_in_a_sentence() -> None:
    templates = QueryTemplates()
    for signature in range(5):
        templates.learn_answer(["genre"], signature)
        templates.learn_answer(["sort"], 1)
    templates.learn_answer([WORDS, "genre"], 1)

    assert list(templates.describe(["genre", "sort"])) == [
        "'genre': 5 different answers to 5 queries; it is informative",
        "'sort': 1 different answer to 5 queries; it is left",
        "words with 'genre': 1 different answer to 1 query; not decided yet",
    ]


def test_the_templates_are_saved_in_bounded_size_and_restored() -> None:
    templates = QueryTemplates()
    for number in range(3 * MOST_TEMPLATES):
        for signature in range(40):
            templates.learn_answer([f"control {number}"], signature)

    saved = json.dumps(templates.to_json())
    restored = QueryTemplates()
    restored.restore(json.loads(saved))

    assert len(saved) < 400 * MOST_TEMPLATES
    assert list(restored.describe()) == list(templates.describe())
    restored.learn_answer(["control 1"], 39)
    assert restored.judge(["control 1"]) == (41, 40, True)


def test_the_signature_of_an_answer_depends_on_its_records_and_not_on_their_order() -> None:
    assert sign_records([3, 1, 2]) == sign_records([2], sign_records([1, 3]))
    assert (
        len(
            {
                sign_records([1]),
                sign_records([2]),
                sign_records([1, 2]),
                sign_records([]),
                sign_records([1, 1]),
            }
        )
        == 5
    )
