"""The attributes of records in a state: what answers and own pages say, merged, and what they disagree about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from hiddenweb.model import Field, Form, HttpQuery, Record, Verdict
from hiddenweb.records.own_page import Statement
from hiddenweb.store.database import Store
from hiddenweb.store.outbox import open_outbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

HOME = "https://a.example/"
NOW = 1_700_000_000.0
SHOWN = ["title", "year"]


class Desk:
    """A site with one form and one submitted query."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.site = store.sites.want(HOME)
        form = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))
        self.form = store.forms.save(self.site, form, Verdict(True, "search"), NOW)
        query = HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x")
        self.submission = store.submissions.plan(self.form, query, "", NOW)

    def list_record(self, at: int, year: str = "1999", shown: Sequence[str] = SHOWN, **more: str) -> int:
        """Let an answer list a record; return its number."""
        attributes = (("title", f"Item {at}"), ("year", year), *more.items())
        record = Record(
            f"{HOME}item/{at}", f"Item {at}", "text", attributes=attributes, shown=(*shown, *more)
        )
        self.store.records.save(self.site, [record], submission=self.submission, page=None, at=NOW)
        ((number,),) = self.store.rows("SELECT id FROM records WHERE key = ?", (record.key,))
        return int(str(number))

    def state(self, number: int, *said: tuple[str, str], is_sure: bool = True) -> None:
        """Let the own page of a record state something."""
        statements = [Statement(name, value, is_sure) for name, value in said]
        self.store.record_attributes.add_page(number, self.form, statements)

    def attributes(self, number: int) -> dict[str, str]:
        return dict(self.store.record_attributes.load_record(number)[2])

    def conflicts(self, number: int) -> list[Any]:
        ((text,),) = self.store.rows("SELECT conflicts FROM records WHERE id = ?", (number,))
        return list(json.loads(str(text) or "[]"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        yield Desk(store)


def test_what_own_pages_state_completes_records_as_soon_as_it_is_known_to_be_a_label(desk: Desk) -> None:
    first, second = desk.list_record(1), desk.list_record(2)

    desk.state(first, ("pages", "320"))
    before = desk.attributes(first)
    desk.state(second, ("pages", "99"))

    assert before == {"title": "Item 1", "year": "1999"}
    assert desk.attributes(first) == {"title": "Item 1", "year": "1999", "pages": "320"}
    assert desk.attributes(second)["pages"] == "99"


def test_a_value_of_the_own_page_overwrites_none_that_the_answer_shows_and_is_kept_beside_it(
    desk: Desk,
) -> None:
    for at in (1, 2):
        desk.state(desk.list_record(at), ("year", f"200{at}"))

    number = desk.list_record(1)
    assert desk.attributes(number)["year"] == "1999"
    assert desk.conflicts(number) == [["year", "1999", "2001", "page"]]


def test_a_page_that_says_otherwise_later_is_merged_again(desk: Desk) -> None:
    numbers = [desk.list_record(at) for at in (1, 2)]
    for number in numbers:
        desk.state(number, ("year", "2001"), ("pages", "320"))

    desk.state(numbers[0], ("year", "1999"))

    assert desk.attributes(numbers[0]) == {"title": "Item 1", "year": "1999"}
    assert desk.conflicts(numbers[0]) == []


def test_a_better_answer_replaces_guesses_and_keeps_what_the_page_states(desk: Desk) -> None:
    numbers = [desk.list_record(at, shown=()) for at in (1, 2)]
    for number in numbers:
        desk.state(number, ("pages", "320"))

    desk.list_record(1, year="2005")

    assert desk.attributes(numbers[0]) == {"title": "Item 1", "year": "2005", "pages": "320"}


def test_a_worse_answer_changes_nothing_and_another_one_adds_its_columns(desk: Desk) -> None:
    number = desk.list_record(1)

    desk.list_record(1, year="1950", shown=())
    assert desk.attributes(number) == {"title": "Item 1", "year": "1999"}
    desk.list_record(1, shown=["title"], author="Jane")
    assert desk.attributes(number) == {"title": "Item 1", "year": "1999", "author": "Jane"}


def test_the_title_of_a_page_gives_way_to_what_an_answer_calls_the_record(desk: Desk) -> None:
    page_title = Record(f"{HOME}item/1", "Item 1 - Books of A", "text")
    desk.store.records.save(desk.site, [page_title], submission=desk.submission, page=None, at=NOW)

    number = desk.list_record(1)

    assert desk.store.record_attributes.load_record(number)[0] == "Item 1"


def test_a_revisit_replaces_what_answers_said(desk: Desk) -> None:
    number = desk.list_record(1)
    now = Record(f"{HOME}item/1", "Item 1", "text", attributes=(("year", "2006"),), shown=("year",))

    desk.store.record_attributes.replace_answer(number, now)

    assert desk.attributes(number) == {"year": "2006"}


def test_names_of_a_person_outlast_further_answers_and_pages(desk: Desk) -> None:
    number, other = desk.list_record(1, shown=()), desk.list_record(2)

    desk.store.record_attributes.name_values(number, {"published": ["1999"]})
    desk.state(number, ("published", "2001"), ("pages", "320"))
    desk.state(other, ("published", "2001"), ("pages", "99"))

    assert desk.attributes(number) == {"published": "1999", "title": "Item 1", "pages": "320"}


def test_labels_are_known_after_a_restart_and_changed_records_are_indexed_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        desk = Desk(store)
        numbers = [desk.list_record(at) for at in (1, 2, 3)]
        for number in numbers:
            store.outbox.save_record(number, f"{HOME}item/{number}", "x")
        for number in numbers[:2]:
            desk.state(number, ("pages", "320"))
    with Store(tmp_path) as store:
        store.record_attributes.add_page(numbers[2], desk.form, [Statement("pages", "99")])
        assert dict(store.record_attributes.load_record(numbers[2])[2])["pages"] == "99"

    last = open_outbox(tmp_path).read_after(0, 100)[-1][1]
    assert not isinstance(last, str)
    assert ("pages", "99") in last.attributes


def test_an_attribute_that_only_repeats_the_query_is_dropped_from_all_records(desk: Desk) -> None:
    def ask(word: str, *numbers: int) -> list[int]:
        query = HttpQuery((("q", word),), word, url=f"{HOME}find?q={word}")
        desk.submission = desk.store.submissions.plan(desk.form, query, "", NOW)
        return [desk.list_record(at, matching=word) for at in numbers]

    first = ask("of", 1, 2, 3)
    assert desk.attributes(first[0])["matching"] == "of"

    ask("river", 1, 2)
    later = ask("sea", 4)

    for number in (*first, *later):
        assert "matching" not in desk.attributes(number)
        assert desk.attributes(number)["year"] == "1999"


def test_an_answer_that_lists_a_record_completes_what_was_met_as_a_link(desk: Desk) -> None:
    link = Record(f"{HOME}item/1", "Item 1", "Item 1", attributes=(("title", "Item 1"),))
    desk.store.records.save(desk.site, [link], submission=desk.submission, page=None, at=NOW)

    number = desk.list_record(1, shown=())

    assert desk.attributes(number) == {"title": "Item 1", "year": "1999"}
