"""Which labels on the own pages of records are labels."""

from __future__ import annotations

from hiddenweb.records.own_labels import LEAST_PAGES, MOST_LABELS, OwnLabels
from hiddenweb.records.own_page import Statement


def test_what_markup_calls_a_label_is_one_on_the_second_page() -> None:
    labels = OwnLabels()
    first, second = [Statement("author", "Jane")], [Statement("author", "John")]

    assert labels.learn(first) == set()
    assert labels.choose(first) == []
    assert labels.learn(second) == {"author"}
    assert labels.choose(first) == [("author", "Jane")]
    assert labels.learn(second) == set()


def test_a_text_before_a_colon_is_a_label_only_on_nearly_all_pages_and_with_different_values() -> None:
    labels = OwnLabels()
    found: list[set[str]] = []
    for number in range(2 * LEAST_PAGES):
        said = [
            Statement("year", f"{1990 + number}", is_sure=False),
            Statement("tel", "555 1234", is_sure=False),
        ]
        if number % 3 == 0:
            said.append(Statement("remark", f"sold {number} times", is_sure=False))
        found.append(labels.learn(said))

    assert found == [set()] * (LEAST_PAGES - 1) + [{"year"}] + [set()] * LEAST_PAGES


def test_what_alternates_with_values_beside_known_labels_is_one_if_two_pages_have_it() -> None:
    labels = OwnLabels()
    for number in range(LEAST_PAGES):
        labels.learn(
            [Statement(name, f"{name} {number}", is_sure=False, is_in_rows=True) for name in ("year", "by")]
        )
    seldom = Statement("isbn", "1", is_sure=False, is_in_rows=True)
    page = [Statement(name, name.upper(), is_sure=False, is_in_rows=True) for name in ("year", "by")]

    assert labels.learn([*page, seldom]) == set()
    assert labels.learn([*page, seldom, Statement("note", "sold", is_sure=False)]) == {"isbn"}


def test_labels_are_counted_up_to_a_limit() -> None:
    labels = OwnLabels()
    for number in range(MOST_LABELS + 50):
        labels.learn([Statement(f"label {number}", "1")])

    assert len(labels.labels) == MOST_LABELS
