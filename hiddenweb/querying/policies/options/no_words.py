"""Replaces the policy for words if a form has no box for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.querying.answer_log import AnswerLog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.query import LedgerEntry, OpenAnswer, QueryProposal


class NoWordPolicy(AnswerLog):
    """Reads the answers to a form without a box for words."""

    def __init__(self, language: str = "") -> None:
        super().__init__(language)
        self.unfinished: dict[tuple[str, ...], int] = {}  # by answer: how many of its records were read

    def count_read_before(self, words: Sequence[str]) -> int:
        return self.unfinished.get(tuple(words), 0)

    def next(self) -> QueryProposal | None:
        return None

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        super().end_answer(had_more=had_more, cut=cut)
        self._note_unfinished(answer.words, answer.shown, is_left=had_more)

    def failed(self) -> None:
        self.unfinished.pop(self.under_way.words, None)
        super().failed()

    def set_aside(self, answer: OpenAnswer) -> None:
        super().set_aside(answer)
        self.unfinished.pop(answer.words, None)

    def restore_line(self, line: LedgerEntry) -> None:
        self._note_unfinished(line.words, line.found, is_left=line.left)

    def _note_unfinished(self, words: tuple[str, ...], shown: int, *, is_left: bool) -> None:
        self.unfinished.pop(words, None)
        if is_left:
            self.unfinished[words] = shown
