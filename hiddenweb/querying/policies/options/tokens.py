"""Options written as words that no text holds, so that the policy for words can combine them with words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.query import Choice


class OptionTokens:
    """The tokens that stand for options, and the options they stand for.

    >>> tokens = OptionTokens(lambda choice: choice[1].title())
    >>> tokens.token_of(("genre", "drama"))
    'genre = drama'
    >>> tokens.split(["genre = drama", "film"])
    (('film',), frozenset({('genre', 'drama')}))
    >>> tokens.explain("5 records hold 'genre = drama'")
    "5 records hold 'Drama'"
    """

    def __init__(self, describe_choice: Callable[[Choice], str]) -> None:
        self._describe_choice = describe_choice
        self._choices: dict[str, Choice] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def token_of(self, choice: Choice) -> str:
        """Return the word for an option; it has a space in it, so no text holds it."""
        token = f"{choice[0]} = {choice[1]}"
        self._choices[token] = choice
        return token

    def split(self, words: Iterable[str]) -> tuple[tuple[str, ...], Choices]:
        """Return words without tokens, and the options of the tokens."""
        pairs = [(word, self._choices.get(word)) for word in words]
        plain = tuple(word for word, choice in pairs if choice is None)
        return plain, frozenset(choice for _, choice in pairs if choice is not None)

    def explain(self, why: str) -> str:
        """Return a reason of the policy for words, with options as people read them."""
        for token, choice in self._choices.items():
            if repr(token) in why:
                why = why.replace(repr(token), repr(self._describe_choice(choice)))
        return why
