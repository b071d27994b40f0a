"""The search for a listing of everything: wide queries are tried, and a listing that seems complete is checked with words.

Once a word has shown that the form searches, a few queries are tried that may list everything (`hiddenweb.querying.wide_queries`). The answer to
that word is set aside for the first of them, and resumed if that lists no more. After a complete listing a handful of words is submitted, to see
whether it had everything.
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
        self._set_aside: QueryProposal | None = None  # the first answer, while wide queries are tried

    @property
    def is_complete(self) -> bool:
        """Whether a listing seems to have all records."""
        return self.queries.listed is not None

    def propose(self, patience: QueryPatience) -> QueryProposal | None:
        """Return a query that may list everything, once a word has found something, or several have not."""
        if patience.found < self.queries.due_after and not patience.is_low:
            return None
        word = self.queries.take()
        if word is None:
            return None
        return QueryProposal((word,) if word else (), 0.0, "it may list everything there is")

    def set_aside(self, first: QueryProposal | None, progress: AnswerProgress) -> bool:
        """Let the first answer wait for the wide queries; say whether it does."""
        is_before = self.queries.left and not self.queries.tried and progress.wide is None
        if not is_before or not progress.shown:
            return False
        self._set_aside = first
        return True

    def resume_first(self) -> QueryProposal | None:
        """Return the first answer, to be read on, if the first wide query has not listed more."""
        if self._set_aside is None or not self.queries.tried:
            return None
        aside, self._set_aside = self._set_aside, None
        if self.queries.lists:
            return None
        why = "nothing lists more; its pages were set aside"
        return QueryProposal(aside.words, 0.0, why, aside.choices, goes_on=True)

    def explain_end(self, patience: QueryPatience) -> str:
        """Return why a complete listing needs no more words; empty while it does."""
        if patience.fruitless < LAST_WORDS and self.queries.blank < MORE_WORDS:
            return ""
        words = self.count_checks(patience)
        return f"a listing of all {self.queries.listed:,} records; {words} words found no others"

    def count_checks(self, patience: QueryPatience) -> int:
        """Return how many words in a row have found nothing that the listing had not."""
        return patience.fruitless + self.queries.blank

    def learn_wide(self, progress: AnswerProgress, known: int, *, to_the_end: bool) -> None:
        """Learn from the answer to a wide query."""
        self.queries.learn_answer(
            found=min(progress.shown, known),  # pages that grow show again what the ones before had
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

    def estimate(self, known: int, elsewhere: Callable[[], Estimate | None]) -> Estimate | None:
        """Return how many records there are: as many as a listing of all has, if there is one, else as estimated elsewhere."""
        if self.is_complete:
            return Estimate(known, *(float(known),) * 3).scale_to_share(0.0, self.queries.missing_at_most)
        said = self.queries.total
        return Estimate(known, said, said, said) if said and known <= said else elsewhere()

    def to_json(self, progress: AnswerProgress) -> list[Any]:
        """Return what is known of it, with what the answer under way is for."""
        return [self.queries.to_json(), progress.wide, self._set_aside]

    def restore(self, wide: Sequence[Any], aside: Sequence[Any] | None) -> None:
        """Resume from what was written down."""
        self.queries = WideQueries.from_json(wide)
        if aside is not None:
            words, expected, why, choices, goes_on = aside
            pairs = tuple((name, value) for name, value in choices)
            self._set_aside = QueryProposal(tuple(words), expected, why, pairs, goes_on)
