"""Lists among columns that earlier answers showed."""

from __future__ import annotations

import pytest

from hiddenweb.model import Record
from hiddenweb.records.known_lists import extend_known_lists, join_known_lists


def film(*facts: str, title: str = "The River") -> Record:
    said = (("title", title), *(("facts", fact) for fact in dict.fromkeys(facts)), ("text", "A story."))
    return Record("a", title, f"{title} {', '.join(facts)} A story.", attributes=said)


SHOWN = (film("Ann Lee", "Bo Ray, Cy Fox", "1999"), film("Di Orr", "Ed Poe, Flo Kay, Gus May", "2003"))
KNOWN = frozenset({"1 1 facts"})


def test_an_answer_shows_where_the_list_is() -> None:
    assert extend_known_lists(frozenset(), SHOWN) == KNOWN


def test_a_newer_answer_is_right_and_what_others_showed_stays() -> None:
    assert extend_known_lists(frozenset({"2 0 facts", "1 1 tags of it"}), SHOWN) == KNOWN | {"1 1 tags of it"}
    assert extend_known_lists(KNOWN, [film("Ann Lee", "drama", "1999")]) == KNOWN


@pytest.mark.parametrize(
    "records",
    [
        pytest.param(SHOWN[:1], id="one record"),
        pytest.param((SHOWN[0], film("Ed Poe, Flo Kay", "2003")), id="not at one place"),
        pytest.param((film("Lee, Ann", "Ray, Bo"), film("Fox, Cy", "Orr, Di")), id="several with commas"),
        pytest.param((film("Lee, Ann"), film("Fox, Cy")), id="no other values"),
    ],
)
def test_other_commas_show_no_list(records: tuple[Record, ...]) -> None:
    assert extend_known_lists(frozenset(), records) == frozenset()


def test_a_single_result_is_read_as_earlier_ones_were() -> None:
    single = film("Hal Roe", "Ida Nye", "Ida Nye", "Jo Ash", "1987")

    (found,) = join_known_lists((single,), KNOWN)

    assert found.attributes == film("Hal Roe", "Ida Nye, Ida Nye, Jo Ash", "1987").attributes


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(film("Hal Roe", "Ida Nye", "1987"), id="a list of one"),
        pytest.param(SHOWN[0], id="read on its page"),
        pytest.param(film("Hal Roe"), id="one value"),
        pytest.param(
            Record("a", "b", "c", attributes=(("facts", "x"), ("facts", "y"), ("facts", "z"))), id="no line"
        ),
        pytest.param(Record("a", "b", "c"), id="nothing said"),
    ],
)
def test_what_has_no_list_apart_stays_as_it_is(record: Record) -> None:
    assert join_known_lists((record,), KNOWN) == (record,)
