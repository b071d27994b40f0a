"""Whether a search shows again what another of its site has shown, under other addresses."""

from __future__ import annotations

import pytest

from hiddenweb.model import Record
from hiddenweb.querying.mirrors import FEWEST_RECORDS, shows_again, titles_to_compare

RECORDS = [
    Record(
        f"http://a.example/{n}", f"Bridge {n}", f"Bridge {n}: an old stone bridge over the river number {n}"
    )
    for n in range(20)
]
KNOWN = [(record.title, f"{record.text} in the north") for record in RECORDS]


def test_an_answer_with_few_different_titles_proves_nothing() -> None:
    same_title = [Record(record.key, "Bridge", record.text) for record in RECORDS]
    untitled = [Record(record.key, "", record.text) for record in RECORDS]

    assert titles_to_compare(RECORDS[: FEWEST_RECORDS - 1]) == []
    assert titles_to_compare([*RECORDS, *same_title]) == []
    assert titles_to_compare(untitled) == []
    assert titles_to_compare(RECORDS) == [record.title for record in RECORDS]


@pytest.mark.parametrize(("known", "again"), [(20, True), (18, True), (17, False), (0, False)])
def test_nearly_all_records_of_a_mirror_are_known(known: int, again: bool) -> None:
    assert shows_again(RECORDS, KNOWN[:known]) is again


def test_a_known_record_has_the_title_and_nearly_all_words() -> None:
    other_titles = [(f"Old {title}", text) for title, text in KNOWN]
    few_words = [(title, " ".join(text.split()[:6])) for title, text in KNOWN]

    assert not shows_again(RECORDS, other_titles)
    assert not shows_again(RECORDS, few_words)
    assert shows_again(RECORDS, [*few_words, *KNOWN])  # one of several with the title is enough


def test_records_of_few_words_are_not_recognised() -> None:
    short = [Record(str(n), f"B{n}", f"B{n} in stone") for n in range(20)]

    assert not shows_again(short, [(record.title, record.text) for record in short])
