"""The search for a listing of everything: wide queries are tried, and a listing that seems complete is checked with words.

Once a word has shown that the form searches, a few queries are tried that may list everything (`hiddenweb.querying.wide_queries`). The answer to
that word waits for the first of them, and is resumed if that lists no more. After a complete listing a few words are submitted, to check
that it has everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.querying.coverage import Estimate
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.query_patience import LAST_WORDS, MORE_WORDS
from hiddenweb.querying.wide_queries import WideQueries, has_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiddenweb.querying.answer_progress import AnswerProgress
    from hiddenweb.querying.query_patience import QueryPatience


class ListingSearch:
    """Wide queries, the answer that waits for them, and the listing that one of them brought."""

    def __init__(self, wide: Sequence[str]) -> None:
        self.queries = WideQueries(tuple(wide))
        self._waiting_answer: QueryProposal | None = None  # the first answer, while wide queries are tried

    @property
    def is_complete(self) -> bool:
        """Whether a listing seems to have all records."""
        return self.queries.listed is not None

    def propose(self, patience: QueryPatience) -> QueryProposal | None:
        """Return a query that may list everything, once a word has found something, or several have found nothing."""
        if patience.found < self.queries.due_after and not patience.is_low:
            return None
        word = self.queries.take()
        if word is None:
            return None
        return QueryProposal((word,) if word else (), 0.0, "it may list everything there is")

    def set_aside(self, first: QueryProposal | None, progress: AnswerProgress) -> bool:
        """Let the first answer wait for the wide queries, if they are still to come; say whether it waits."""
        is_first = self.queries.left and not self.queries.tried and progress.wide is None
        if not is_first or not progress.shown:
            return False
        self._waiting_answer = first
        return True

    def resume_first(self) -> QueryProposal | None:
        """Return the first answer, to resume it, if the first wide query has not listed more."""
        if self._waiting_answer is None or not self.queries.tried:
            return None
        first, self._waiting_answer = self._waiting_answer, None
        if self.queries.lists:
            return None
        why = "nothing lists more; its pages were set aside"
        return QueryProposal(first.words, 0.0, why, first.choices, continues=True)

    def explain_end(self, patience: QueryPatience) -> str:
        """Return why a complete listing needs no more checks; empty while it needs some."""
        if patience.fruitless < LAST_WORDS and self.queries.ignored_words < MORE_WORDS:
            return ""
        words = self.count_checks(patience)
        return f"a listing of all {self.queries.listed:,} records; {words} words found no others"

    def count_checks(self, patience: QueryPatience) -> int:
        """Return how many words in a row found nothing that the listing lacks."""
        return patience.fruitless + self.queries.ignored_words

    def learn_wide(self, progress: AnswerProgress, known: int, *, to_the_end: bool) -> None:
        """Learn from the answer to a wide query."""
        self.queries.learn_answer(
            found=min(progress.shown, known),  # growing pages repeat the records of earlier ones
            new=progress.new,
            known=progress.known_before,
            total=progress.total,
            to_the_end=to_the_end,
            is_word=any(has_words(word) for word in progress.wide or ()),
        )

    def learn_words(self, progress: AnswerProgress) -> None:
        """Learn from the answer to words whether a listing has everything."""
        if progress.new and self.queries.lists:
            self.queries.count_others(progress.new)
        elif progress.shown:
            self.queries.confirm(progress.shown)

    def estimate(self, known: int, otherwise: Callable[[], Estimate | None]) -> Estimate | None:
        """Return how many records there are: those of a complete listing, if there is one, else the given estimate."""
        if self.is_complete:
            return Estimate(known, *(float(known),) * 3).scale_to_share(0.0, self.queries.missing_at_most)
        total = self.queries.total
        return Estimate(known, total, total, total) if total and known <= total else otherwise()

    def to_json(self, progress: AnswerProgress) -> list[Any]:
        """Return the state to save, with the wide query under way."""
        return [self.queries.to_json(), progress.wide, self._waiting_answer]

    def restore(self, wide: Sequence[Any], waiting: Sequence[Any] | None) -> None:
        """Restore the saved state."""
        self.queries = WideQueries.from_json(wide)
        if waiting is not None:
            words, expected, why, choices, continues = waiting
            pairs = tuple((name, value) for name, value in choices)
            self._waiting_answer = QueryProposal(tuple(words), expected, why, pairs, continues)
