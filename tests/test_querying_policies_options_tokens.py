"""Options travel through the policy for words as words that no text holds."""

from __future__ import annotations

from hiddenweb.querying.policies.options.tokens import OptionTokens


def test_tokens_come_back_as_options_and_words_stay_words() -> None:
    tokens = OptionTokens(lambda choice: choice[1].upper())
    token = tokens.token_of(("genre", "noir"))

    assert tokens.split(["film", token, "genre = drama"]) == (
        ("film", "genre = drama"),
        frozenset([("genre", "noir")]),
    )
    assert list(tokens) == [token]


def test_people_read_the_names_of_options() -> None:
    tokens = OptionTokens(lambda choice: f"Genre = {choice[1].title()}")
    token = tokens.token_of(("g", "noir"))

    assert (
        tokens.explain(f"3 records hold 'film' and {token!r}") == "3 records hold 'film' and 'Genre = Noir'"
    )
