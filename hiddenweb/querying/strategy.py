"""Which question a form gets next, and when it has had enough.

A form is first asked words of its own page (`SeedWords`). As soon as records came, a policy says what else to ask. When it
expects too little of its best question, what it promised held against what the last questions brought, a few more words of the page are tried, for what links no record to another is found
by chance alone; if these bring nothing new either, the form has had enough. While only a few records are known, nobody can expect
anything, and while many are hidden by our estimate, it pays to insist: then frequent words of records and words of the page take turns.

Once a word has shown that the form searches, a few queries are tried that may list everything (`WideQueries`); the answer to that word is set aside
for the first of them, and taken up again if that lists no more. After a complete listing a handful of words is asked, to see whether it had everything; a page
of theirs that has nothing new is the last.

An answer that an outage of the site interrupted is not over: what was read of it is kept in mind, and counted when the rest has come.
"""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from hiddenweb.language.tokens import words_to_query
from hiddenweb.querying.coverage import Estimate, describe_coverage
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.wide_queries import WideQueries, has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.querying.policies.protocol import QueryPolicy
    from hiddenweb.querying.query import Choice, LedgerEntry
    from hiddenweb.querying.seed_words import SeedWords

LEAST_NEW = 0.5
"""New records that a question must be expected to bring."""

LAST_WORDS = 3
"""Words in a row that are tried for luck and bring nothing new, after which nothing more is expected of them."""

MORE_WORDS = 8
"""The same, while many records are hidden by our estimate."""

FIRST_WORDS = 20
"""The same, while nearly nothing is known."""

MOST_KNOWN = 0.9
"""The share of the records that there are by our estimate, from which not many are hidden."""

WINDOW = 20
"""Questions by which expectations are held to what came."""

LATEST = 8
"""Questions that must have brought next to nothing before expectations are doubted."""

TELLING = 20
"""Records that must be known before anything can be expected of a question."""

FEWEST_ANSWERS = 8
"""Answers that must have had records, likewise."""

_BENEFIT_OF_DOUBT = 2.0  # records, promised and kept before anything was asked


MOST_INTERRUPTED = 50
"""Answers that an outage interrupted and that are kept in mind."""


class _InterruptedAnswer(NamedTuple):
    """How far an answer had come when the site failed."""

    new: int
    shown: int
    total: int | None
    promised: float
    is_trying: bool
    chosen_wide: tuple[str, ...] | None
    known_before: int


class QueryStrategy:
    """Asks one form."""

    def __init__(
        self,
        policy: QueryPolicy,
        starting: SeedWords | None = None,
        *,
        language: str = "",
        least_new: float = LEAST_NEW,
        wide: Sequence[str] = (),
    ) -> None:
        self.policy = policy
        self.language = language  # in which the form is asked
        self.why_not = ""  # why nothing more is asked
        self._starting = starting
        self._least_new = least_new
        self._fruitless = 0  # words of the page in a row that brought nothing new
        self._is_trying = False  # a word of the page is under way
        self._new = 0  # records that the answer under way brought
        self._shown = 0
        self._total: int | None = None  # as the site says
        self._promised = 0.0  # of the question under way
        self._kept: deque[tuple[float, int]] = deque(maxlen=WINDOW)  # what was promised, and what came
        self._found = 0  # answers that had records
        self._asked: set[str] = set()  # words
        self._under_way: tuple[tuple[str, ...], tuple[Choice, ...]] | None = None
        self._wide = WideQueries(tuple(wide))
        self._chosen_wide: tuple[str, ...] | None = None  # the wide query that was chosen, or is under way
        self._set_aside: QueryProposal | None = None  # the first answer, while wide queries are tried
        self._asked_last: QueryProposal | None = None
        self._known_before = 0  # records, when the question under way was asked
        self._interrupted: dict[tuple[tuple[str, ...], tuple[Choice, ...]], _InterruptedAnswer] = {}

    def next(self) -> QueryProposal | None:
        """Return the next question; None when the form has had enough, and `why_not` says why."""
        self._chosen_wide = None
        if (first := self._taken_up() or self._wide_query()) is not None:
            self._is_trying = False
            return first
        if self._wide.listed is not None:
            return self._checking()
        wanted = self.policy.next() if self._can_choose else None
        self._is_trying = False
        if wanted is not None and wanted.expected >= self._least_new and self._is_worth_it(wanted):
            return wanted
        if self._fruitless >= self._patience:
            self.why_not = self._enough(wanted)
            return None
        self._is_trying = True
        is_open = self._patience > LAST_WORDS
        if is_open and self._fruitless % 2 == 0:
            common = self.policy.common(self._asked)
            if common is not None:
                return QueryProposal(
                    (common,), 0.0, f"many records hold {common!r}, though little is expected of it"
                )
            if wanted is not None:
                return wanted
        word = self._starting.next() if self._starting is not None else None
        if word is not None:
            return QueryProposal((word,), 0.0, f"{word!r} is a word of its page, or of a list")
        if wanted is None or not is_open:
            self.why_not = self._enough(wanted)
            return None
        return wanted

    def note_query(self, wanted: QueryProposal) -> None:
        """Take note that a question is asked."""
        self._new = self._shown = 0
        self._total = None
        self._promised = wanted.expected
        self._asked_last = wanted
        self._known_before = self._known
        terms = tuple(term for word in wanted.words for term in words_to_query(word, self.language))
        if self._starting is not None:
            for word in wanted.words:
                self._starting.note_query(word)
        self._asked.update(terms)
        self._under_way = terms, wanted.choices
        self.policy.note_query(terms, wanted.choices, goes_on=wanted.goes_on)
        if (before := self._interrupted.pop(self._under_way, None)) is not None:
            self._take_up(before)

    def begin_answer(
        self, terms: Sequence[str], choices: Sequence[Choice] = (), *, further_page: bool = False
    ) -> None:
        """Take note of the question whose answer comes now: it may be one that was read before a kill, or an outage."""
        answered = tuple(terms), tuple(choices)
        if self._under_way != answered:
            self.failed()
            self.note_query(QueryProposal(answered[0], 0.0, "", answered[1], goes_on=further_page))

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        """Take in a page of the answer; return how many of its records this form had not shown before."""
        new = self.policy.read(records, total)
        self._new += new
        self._shown += len(records)
        self._total = self._total if total is None else total
        self._wide.tell(total)
        return new

    def is_worth_turning(self, *, can_return: bool = False) -> bool:
        """Say whether the next page of the answer is worth a request; can_return: it can be read later as well."""
        if self._wide.listed is not None and not self._new:
            return False
        if can_return and self._shown and self._is_before_wide_queries:
            self._set_aside = self._asked_last
            return False
        return self.policy.is_worth_turning()

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        """Take note that no more pages are read; had_more: it can be gone on with later; cut: what is left cannot be had."""
        # a site that found too much may show nothing of it, and not say how much it is
        self.policy.end_answer(had_more=had_more or (cut and not self._shown), cut=cut)
        self._under_way = None
        if self._chosen_wide is None:
            self._tried()
        else:
            self._listed(to_the_end=not had_more and not cut)

    def failed(self) -> None:
        """Take note that the question got no answer."""
        if self._under_way is not None:
            self.policy.failed()
        self._under_way = None
        self._is_trying = False

    def interrupt_answer(self) -> None:
        """Take note that the site failed in the middle of the answer, or before its first page: nothing is concluded from that."""
        if self._under_way is None:
            return
        self._interrupted[self._under_way] = _InterruptedAnswer(
            self._new, self._shown, self._total, self._promised, self._is_trying, self._chosen_wide,
            self._known_before,
        )  # fmt: skip
        while len(self._interrupted) > MOST_INTERRUPTED:
            del self._interrupted[next(iter(self._interrupted))]
        self.policy.interrupt_answer()
        if self._chosen_wide is not None and self._shown:
            self._listed(to_the_end=False)
        self._under_way = None
        self._is_trying = False

    def _take_up(self, before: _InterruptedAnswer) -> None:
        """Go on with an answer as if the site had not failed."""
        self._new, self._shown, self._total = before.new, before.shown, before.total
        self._promised, self._is_trying = before.promised, before.is_trying
        self._chosen_wide, self._known_before = before.chosen_wide, before.known_before

    def suggest(self, word: str) -> None:
        """Take note of what the site would rather be asked."""
        if self._starting is not None:
            self._starting.suggest(word)
            self._fruitless = 0

    @property
    def is_barren(self) -> bool:
        """Whether its last words brought nothing new, so that other forms of its site may be tried first."""
        return self._fruitless >= LAST_WORDS

    def estimate(self) -> Estimate | None:
        """Return how many records the form has shown, and how many there are: as many as a listing of all has, if there is one."""
        said = self._wide.listed or self._wide.total
        known = self._known
        if not said or known > said:
            return self.policy.estimate() if self._wide.listed is None else self._all_listed(known)
        return self._all_listed(known) if self._wide.listed is not None else Estimate(known, said, said, said)

    def to_json(self) -> list[Any]:
        """Return what neither records nor ledger tell, of bounded size."""
        return [
            json.loads(self.policy.to_json()),
            self._starting.to_json() if self._starting is not None else None,
            self._fruitless, self._is_trying, self._new, self._under_way, self._promised, list(self._kept),
            self._wide.to_json(), self._chosen_wide, self._set_aside, self._known_before,
            [[*key, *before] for key, before in self._interrupted.items()],
        ]  # fmt: skip

    def restore(
        self,
        written: Sequence[Any] | None,
        records: Iterable[tuple[int, Iterable[str], int]],
        ledger: Iterable[LedgerEntry],
    ) -> None:
        """Go on where another process ended, or with what is known of the form's site; the words of the page are handed in at the beginning."""
        policy = ""
        if written is not None:
            known, _, self._fruitless, self._is_trying, self._new, under_way, self._promised, kept, *wide = (
                written
            )
            if wide:
                self._restore_wide(*wide)
            policy = json.dumps(known)
            self._kept.extend((promised, new) for promised, new in kept)
            if under_way is not None:
                self._under_way = tuple(under_way[0]), tuple((name, value) for name, value in under_way[1])
        asked = list(ledger)
        self._found = sum(line.found > 0 for line in asked)
        self._asked.update(word for line in asked for word in line.words)
        if self._starting is not None:
            for line in asked:
                for word in line.words:
                    self._starting.note_query(word)
        self.policy.restore(policy, records, asked)

    # Queries that may list everything

    def _wide_query(self) -> QueryProposal | None:
        """Return a query that may list everything, once a word has found something, or several have not."""
        if self._found < self._wide.due_after and self._fruitless < LAST_WORDS:
            return None
        word = self._wide.take()
        if word is None:
            return None
        self._chosen_wide = (word,) if word else ()
        return QueryProposal(self._chosen_wide, 0.0, "it may list everything there is")

    def _taken_up(self) -> QueryProposal | None:
        """Return the first answer, to be read on, if the first wide query has not listed more."""
        if self._set_aside is None or not self._wide.tried:
            return None
        aside, self._set_aside = self._set_aside, None
        if self._wide.lists:
            return None
        return QueryProposal(
            aside.words, 0.0, "nothing lists more; its pages were set aside", aside.choices, goes_on=True
        )

    def _checking(self) -> QueryProposal | None:
        """Return a word that may find what a complete listing had not; None when several have found nothing."""
        asked = self._fruitless + self._wide.blank
        if self._fruitless >= LAST_WORDS or self._wide.blank >= MORE_WORDS:
            self.why_not = f"a listing of all {self._wide.listed:,} records; {asked} words found no others"
            return None
        word = self._starting.next() if self._starting is not None and asked % 2 else None
        word = word or self.policy.common(self._asked)
        if word is None:
            self.why_not = f"a listing of all {self._wide.listed:,} records"
            return None
        self._is_trying = True
        return QueryProposal((word,), 0.0, f"to see whether the listing has all that hold {word!r}")

    @property
    def _is_before_wide_queries(self) -> bool:
        return bool(self._wide.left) and not self._wide.tried and self._chosen_wide is None

    def _listed(self, *, to_the_end: bool) -> None:
        """Learn from the answer to a wide query."""
        self._wide.learn_answer(
            found=min(self._shown, self._known),  # pages that grow show again what the ones before had
            new=self._new,
            known=self._known_before,
            total=self._total,
            to_the_end=to_the_end,
            is_word=any(has_words(word) for word in self._chosen_wide or ()),
        )
        self._chosen_wide = None
        if self._wide.lists:
            self._fruitless = 0

    def _restore_wide(
        self,
        wide: Sequence[Any],
        chosen: Sequence[str] | None,
        aside: Sequence[Any] | None,
        known: int,
        interrupted: Sequence[Any] = (),
    ) -> None:
        self._wide = WideQueries.from_json(wide)
        self._chosen_wide = None if chosen is None else tuple(chosen)
        if aside is not None:
            words, expected, why, choices, goes_on = aside
            self._set_aside = QueryProposal(
                tuple(words), expected, why, tuple((name, value) for name, value in choices), goes_on
            )
        self._known_before = known
        for words, choices, *before in interrupted:
            key = tuple(words), tuple((name, value) for name, value in choices)
            taken = _InterruptedAnswer(*before)
            listed = None if taken.chosen_wide is None else tuple(taken.chosen_wide)
            self._interrupted[key] = taken._replace(chosen_wide=listed)

    def _all_listed(self, known: int) -> Estimate:
        """Return how many records there are after a listing of all of them."""
        return Estimate(known, *(float(known),) * 3).scale_to_share(0.0, self._wide.missing_at_most)

    @property
    def _known(self) -> int:
        estimate = self.policy.estimate()
        return estimate.known if estimate is not None else 0

    def _tried(self) -> None:
        if self._new and self._wide.lists:
            self._wide.count_others(self._new)
        elif self._shown:
            self._wide.confirm(self._shown)
        self._found += self._shown > 0
        if self._promised:
            self._kept.append((self._promised, self._new))
        if self._is_trying and self._wide.listed is not None and not self._shown:
            self._wide.blank += 1
        elif self._is_trying:
            self._fruitless = 0 if self._new else self._fruitless + 1
        elif self._new:
            self._fruitless = 0
        if self._starting is not None:
            self._starting.found(anything=self._new > 0)
        self._is_trying = False

    @property
    def _can_choose(self) -> bool:
        """Say whether the policy is asked at all: a box gets some words of its page before anything else is tried."""
        if self._starting is None or self._fruitless >= LAST_WORDS:
            return True
        estimate = self.policy.estimate()
        return estimate is not None and estimate.known > 0

    @property
    def _patience(self) -> int:
        """Return how many words in a row may bring nothing new."""
        estimate = self.policy.estimate()
        if estimate is None or estimate.known < TELLING or self._found < FEWEST_ANSWERS:
            return FIRST_WORDS
        is_nearly_all = not estimate.is_bound and estimate.known >= MOST_KNOWN * estimate.size
        return LAST_WORDS if is_nearly_all else MORE_WORDS

    def _is_worth_it(self, wanted: QueryProposal) -> bool:
        """Say whether a promise can be believed, or questions bring enough whatever was promised."""
        latest = [new for _, new in self._kept][-LATEST:]
        if len(latest) < LATEST or sum(latest) >= self._least_new * LATEST:
            return True
        return wanted.expected * self._trust >= self._least_new

    @property
    def _trust(self) -> float:
        """Return how much of what the policy promises is to be believed, by what came of the last promises."""
        promised = sum(promised for promised, _ in self._kept)
        return min(
            (sum(new for _, new in self._kept) + _BENEFIT_OF_DOUBT) / (promised + _BENEFIT_OF_DOUBT), 1.0
        )

    def _enough(self, wanted: QueryProposal | None) -> str:
        estimate = self.policy.estimate()
        if estimate is None or not estimate.known:
            return f"{self._fruitless} words found nothing" if self._fruitless else "no query is left"
        shown = f"{describe_coverage(*estimate)} records"
        if wanted is None:
            return f"no query is left: {shown}"
        return f"{shown}; the best query would bring {wanted.expected * self._trust:.1f} more"
