"""Which options a record has: those it was found by, and those its words indicate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.querying.option_words import OptionWords
from hiddenweb.querying.record_words import TEXT, HasParts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hiddenweb.querying.option_counts import Choices, OptionCounts
    from hiddenweb.querying.policies.options.tokens import OptionTokens
    from hiddenweb.querying.query_control import QueryControl

_OFTEN = 0.3
"""The share of records whose option can be guessed, from which the policy for words pairs it by itself; a limit of taste."""

_RIGHT = 0.9
"""The share of records whose option is guessed right, from which guesses are counted; a limit of taste."""

_OPTION = "choice"
"""The part of a record for its options, as the stored state names it."""


class RecordOptions:
    """Learns which words of records indicate an option, and guesses the options of records that were found without one."""

    def __init__(
        self, controls: Iterable[QueryControl], counts: OptionCounts, tokens: OptionTokens, *,
        has_box: bool, language: str,
    ) -> None:  # fmt: skip
        self._counts, self._tokens, self._has_box = counts, tokens, has_box
        self._words_of = {
            control.name: OptionWords({option.value: option.text for option in control.options}, language)
            for control in controls
            if control.kind != "range"
        }
        for name, option_words in self._words_of.items():
            counts.note_names(name, option_words.named)

    def read(self, words: Iterable[str], choices: Choices) -> RecordWithOptions:
        """Return the words of a record with its options; nothing is learnt before they are read."""
        return RecordWithOptions(self, words, choices)

    def list_words(self, words: Iterable[str], choices: Choices) -> Iterator[str]:
        """Yield the words of a new record, and the tokens of its options as far as they are known."""
        record_words = tuple(words)
        yield from record_words if self._has_box else ()
        chosen = dict(choices)
        for name, option_words in self._words_of.items():
            if name in chosen:
                option_words.learn(record_words, chosen[name])
                continue
            guess = option_words.guess(record_words)
            self._counts.count_guess(name, option_words.find_named(record_words))
            if guess is not None:
                yield self._tokens.token_of((name, guess))
        for choice in sorted(choices):
            yield self._tokens.token_of(choice)

    def is_guessed_often(self, name: str) -> bool:
        """Say whether the options of a control can often be guessed from words."""
        return name in self._words_of and self._words_of[name].guessed_share >= _OFTEN

    def is_guessed_right(self, name: str) -> bool:
        """Say whether guesses of the options of a control are mostly right."""
        return name in self._words_of and self._words_of[name].right_share >= _RIGHT

    def to_json(self) -> dict[str, list[object]]:
        """Return the most informative words of every control."""
        return {name: option_words.to_json() for name, option_words in self._words_of.items()}

    def restore(self, saved: Mapping[str, list[object]]) -> None:
        """Restore the saved state; controls that the form no longer has are left out."""
        for name, words in saved.items():
            if name in self._words_of:
                self._words_of[name].restore(words)


class RecordWithOptions:
    """The words of a record with its options, and the parts in which the words stand; options are a part of their own."""

    def __init__(self, reader: RecordOptions, words: Iterable[str], choices: Choices) -> None:
        self._reader, self._words, self._choices = reader, words, choices
        self._found: tuple[str, ...] | None = None

    def __iter__(self) -> Iterator[str]:
        if self._found is None:  # a record that is read twice must not be learnt twice
            self._found = tuple(self._reader.list_words(self._words, self._choices))
        return iter(self._found)

    def parts(self) -> Mapping[str, str]:
        """Return the part of each word, options included."""
        words = self._words
        plain = words.parts() if isinstance(words, HasParts) else dict.fromkeys(words, TEXT)
        return dict.fromkeys(self, _OPTION) | dict(plain)
