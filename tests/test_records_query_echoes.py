"""Which attributes only repeat what was asked."""

from __future__ import annotations

from hiddenweb.records.query_echoes import QueryEchoes


def answer(
    query: str, *earlier: str, author: str = "Jane Smith"
) -> tuple[str, list[tuple[list[tuple[str, str]], list[tuple[str, str]]]]]:
    """Return an answer whose records say which words matched; earlier answers said others."""
    found = [
        ([("title", query), ("matching", query), ("author", author)], [("matching", word), ("title", word)])
        for word in earlier
    ]
    return query, found


def test_an_attribute_that_follows_the_query_is_an_echo_and_one_that_stays_is_none() -> None:
    echoes = QueryEchoes()

    assert echoes.learn(*answer("of", "of", "of")) == frozenset()
    assert echoes.learn(*answer("the Sea", "of")) == frozenset()
    assert echoes.learn(*answer("river", "the Sea", "of")) == {"matching"}
    assert echoes.names == {"matching"}


def test_what_records_are_found_by_is_no_echo_though_all_answers_repeat_it() -> None:
    echoes = QueryEchoes()

    for year in ("1999", "2004", "2011", "2020"):
        echoes.learn(year, [([("year", year)], [("year", year)])] * 3)

    assert echoes.names == frozenset()


def test_a_value_that_is_no_word_of_the_query_shows_that_an_attribute_is_none() -> None:
    echoes = QueryEchoes()
    echoes.learn(*answer("river", "of", "the"))

    assert echoes.learn("sea", [([("matching", "a boat")], [])]) == {"matching"}
    echoes.learn(*answer("river", "of", "the"))
    assert echoes.names == frozenset()


def test_an_empty_query_has_no_echo() -> None:
    echoes = QueryEchoes()
    echoes.learn("", [([("matching", "*")], [("matching", "of")])] * 3)

    assert echoes.names == frozenset()
