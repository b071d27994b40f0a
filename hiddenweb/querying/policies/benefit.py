"""Choosing the question that is expected to bring the most new records for what it costs.

What a word would bring is guessed from the known records that hold it, and the guesses are corrected by experience
(`hiddenweb.querying.policies.expected_gain`). All words that many known records hold are looked at now and then, the most promising ones before every
question. An answer that was cut is asked again with one more word, up to three (`hiddenweb.querying.policies.refinement`). Where the forms of a word find the same, only one of
them is asked (`hiddenweb.querying.word_forms`).

A word counts only as far as the parts of records are searched in which it stands (`hiddenweb.querying.searched_parts`). A word that does not find
half of the known records that hold it tells nothing about those that are hidden.

What counts is new records for what they cost: a question, and each page of its answer. A page is turned while it promises more
than the best of the other questions. An answer that was left is a candidate like others: its next page costs no question, and how
many records it has left is often known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from hiddenweb.querying.answer_log import AnswerLog, is_plain
from hiddenweb.querying.coverage import estimate_by_numbers
from hiddenweb.querying.policies.expected_gain import ExpectedGain, GainEstimator, WordFacts
from hiddenweb.querying.policies.refinement import Refinements
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.search_behaviour import SearchBehaviour
from hiddenweb.querying.searched_parts import SearchedParts
from hiddenweb.querying.vocabulary_index import WordSums
from hiddenweb.querying.word_forms import WordForms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from numpy.typing import NDArray

    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.query import Choice, LedgerEntry, OpenAnswer
    from hiddenweb.querying.vocabulary_index import Floats, Numbers, Places

QUERY_COST = 20.0
"""What a question costs besides its pages, in pages: searching is more work for a site than showing the next page."""

MOST_WORDS = 3
"""Asked at once."""

MOST_BARREN = 10
"""Pages of an answer in a row that may have nothing new, where answers have no limit."""

_CANDIDATES = 30_000  # words, by how many known records hold them
_LOOKED_AT = 600  # of these, by what they promise when it is not known where their records are
_PROMISING = 200  # of these, until all are looked at again
_REFRESHED = 10  # questions between two such looks
_PAIRS_TRIED = 40
_TELLING = 3  # records that must hold a pair
_LEAVE_BELOW = 0.5  # of what another question brings for its cost: guesses are not that good
_PAGES_TO_TELL = 3  # of an answer, before what they brought counts more than what was expected
_LOOKED_UP = 200  # known records that are looked at to see which parts are searched
_CONTRADICTED = 0.5  # of the known records that hold a word, which it has to find again
_COMMON = 200  # frequent words that are looked at besides those that were asked
_BARREN_OF_LIMITED = 4  # pages in a row without anything new, where answers have a limit: what is best stands first, and is known
_BY_CHANCE = 4  # records that are added to those shown of an answer which was not read to its end
_SETTLED = 10  # steps by which the weights of records that come from the store are found again


class QueryCandidate(NamedTuple):
    """A question that could be asked."""

    rate: float  # new records for what it costs
    words: Numbers
    expected: ExpectedGain | None
    new: float
    goes_on: bool = False


class WordAdviser(Protocol):
    """Knows more about words than records tell: for a form with several controls, some words are choices."""

    def worth(self, words: Sequence[str]) -> float:
        """Return by what a promise of words is multiplied; 0: they cannot be asked."""

    def are_seen(self, words: Sequence[str]) -> bool:
        """Say whether every record is known to hold words that does: only then can known ones be counted against what the site says."""


class _NoAdviser:
    @staticmethod
    def worth(words: Sequence[str]) -> float:  # noqa: ARG004
        return 1.0

    @staticmethod
    def are_seen(words: Sequence[str]) -> bool:  # noqa: ARG004
        return True


_NOBODY = _NoAdviser()


class BenefitPolicy(AnswerLog):
    """Knows the records of one form's site, and what to ask next."""

    def __init__(
        self, language: str = "", *, query_cost: float = QUERY_COST, most_words: int = MOST_WORDS
    ) -> None:
        super().__init__(language)
        self.habits = SearchBehaviour(language)
        self.word_forms = WordForms(language)
        self._expecting = GainEstimator(self.seen, self.reach, self.latest)
        self.stand_ins = self._expecting.stand_ins
        self._refinements = Refinements(self.seen, self.stand_ins)
        self._query_cost = query_cost
        self._most_words = most_words
        self._asked: dict[Numbers, int | None] = {}  # how many records hold the words, if that is known
        self._whole: dict[Numbers, int] = {}  # how many records an answer showed that was not cut
        self._left: dict[Numbers, int] = {}  # records that were read of answers that have more
        self._new_at_end: dict[Numbers, float] = {}  # new records on the last pages that were read of them
        self._new_at_most: dict[Numbers, float] = {}  # on a further page of those whose last pages had none
        self._promising: Places = np.zeros(0, np.uint32)
        self._several: list[Numbers] = []
        self._refreshed = 0
        self.adviser: WordAdviser = _NOBODY
        self._chosen: QueryCandidate | None = None  # to be asked
        self._elsewhere = 0.0  # the rate of the best other question
        self._expected: ExpectedGain | None = None  # of the answer under way
        self._known_before = 0  # records, when it was asked
        self.parts = SearchedParts()
        self._met_again: set[int] | None = (
            set()
        )  # places of records that the answer under way showed again; None: a kill lost them

    def next(self) -> QueryProposal | None:
        if not len(self.seen):
            return None
        self._refreshed -= 1
        candidates = self._all_candidates() if self._refreshed >= 0 else []
        if not candidates:
            self._refresh()
            candidates = self._all_candidates()
        if not candidates:
            self._chosen = None
            return None
        best, *others = sorted(
            candidates, key=order_of_worth(candidates, has_limit=self._expecting.has_limit)
        )[:2]
        self._chosen = best
        self._elsewhere = others[0].rate if others else 0.0
        return QueryProposal(
            tuple(self.seen.words[word] for word in best.words),
            best.new,
            self._why(best),
            goes_on=best.goes_on,
        )

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False
    ) -> None:
        super().note_query(words, choices, goes_on=goes_on)
        self._known_before = len(self.seen)
        self._met_again = set()
        self._expected = None
        chosen, self._chosen = self._chosen, None
        if choices or not words:
            return
        asked = self.seen.numbers(words)
        self._asked.setdefault(asked, None)
        self.word_forms.submits(words)
        if goes_on:
            return
        if chosen is not None and chosen.words == asked:
            self._expected = chosen.expected
        else:
            self._elsewhere = 0.0
            guessed = self._expect([asked])
            self._expected = guessed.of(0) if guessed is not None else None

    def read_before(self, words: Sequence[str]) -> int:
        return self._left.get(self.seen.numbers(words), 0)

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        if self._met_again is not None:
            places = (self.seen.place_of(key) for key, _ in records)
            self._met_again.update(place for place in places if place is not None)
        new = super().read(records, total)
        self._expecting.read()
        return new

    def is_worth_turning(self) -> bool:
        answer = self.under_way
        if not any(found for found, _ in answer.latest):
            return False
        if answer.barren >= MOST_BARREN and not self._expecting.has_limit:
            return False
        if self._expecting.has_limit and answer.barren >= _BARREN_OF_LIMITED:
            return False
        if answer.choices or not answer.words or self._expecting.has_limit:
            return True
        total: float | None = answer.total
        if total is None and self._expected is not None and answer.pages < _PAGES_TO_TELL:
            total = float(self._expected.found)
        here = self._rate_of_rest(self.seen.numbers(answer.words), answer.shown, total)
        if here is None:
            here = self._new_lately(answer)
        elif (
            answer.pages >= _PAGES_TO_TELL
        ):  # lists show less than searches read: many a known record holds the words unseen
            here = min(here, max(self._new_lately(answer), self._new_so_far(answer)))
        return here >= _LEAVE_BELOW * self._elsewhere

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        answer = self.under_way
        super().end_answer(had_more=had_more, cut=cut)
        if not answer.choices and answer.words:
            self._learn_from(answer, had_more=had_more)
        self._expected = None
        self.stand_ins.settle()

    def failed(self) -> None:
        answer = self.under_way
        super().failed()
        if answer.words and not answer.choices:
            self._left.pop(self.seen.numbers(answer.words), None)

    def set_aside(self, answer: OpenAnswer) -> None:
        super().set_aside(answer)
        self._left.pop(self.seen.numbers(answer.words), None)

    def common(self, but: Collection[str]) -> str | None:
        if self.reach.refused is not None:  # what is frequent finds too much here
            return None
        frequent = self.seen.most_frequent(len(but) + _COMMON)
        found = self.seen.count[frequent] * self._findable(frequent)
        for number in frequent[np.argsort(-found, kind="stable")].tolist():
            word: str = self.seen.words[number]
            if word not in but and is_plain(word, self.language):
                return word
        return None

    def estimate(self) -> Estimate | None:
        known = len(self.seen)
        if not self._expecting.has_limit and known:
            estimate = estimate_by_numbers(known, self._expecting.odds * known, len(self._asked))
            return self.held_to_facts(estimate, estimate_by_overlap=False)
        if not len(self.stand_ins):
            return super().estimate()
        estimate = estimate_by_numbers(known, self.stand_ins.total - known, len(self._asked))
        return self.held_to_facts(estimate, estimate_by_overlap=False)

    # From one process to the next

    def small_state(self) -> dict[str, object]:
        expected = self._expected
        return super().small_state() | {
            "habits": self.habits.to_json(),
            "word_forms": self.word_forms.to_json(),
            "expecting": self._expecting.to_json(),
            "known_before": self._known_before,
            "parts": self.parts.to_json(),
            "elsewhere": self._elsewhere,
            "expected": None if expected is None else [np.asarray(each).tolist() for each in expected],
        }

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        self.habits.restore(state["habits"])
        self.word_forms.restore(state.get("word_forms", {}))
        self._expecting.restore(state["expecting"])
        self._known_before = state["known_before"]
        self.parts.restore(state.get("parts", {}))
        self._met_again = None
        self._elsewhere = state["elsewhere"]
        if self._under_way is not None and not self._under_way.choices:
            self._asked.setdefault(self.seen.numbers(self._under_way.words), None)
            if state["expected"] is not None:
                self._expected = self._expecting.resume(ExpectedGain(*map(np.array, state["expected"])))

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        super().restore(written, records, ledger)
        self._expecting.read()
        for _ in range(_SETTLED):
            self.stand_ins.settle()

    def restore_line(self, line: LedgerEntry) -> None:
        self._expecting.read()
        if not line.words or line.choices:
            return
        self.word_forms.submits(line.words)
        if line.answered:
            self._take_in(self.seen.numbers(line.words), line.found, line.total, had_more=line.left)
        else:
            self._asked.setdefault(self.seen.numbers(line.words), None)

    # Learning

    def _learn_from(self, answer: OpenAnswer, *, had_more: bool) -> None:
        asked = self.seen.numbers(answer.words)
        places = self.seen.places(asked)
        before = places[: np.searchsorted(places, self._known_before)]
        answer.total = self.reach.learn_total(answer.total)
        if had_more and not answer.shown and answer.total is None and len(places):
            self.reach.refuses(len(places) * (1 + self._expecting.odds))
        found = max(answer.shown, answer.total or 0)
        if len(asked) == 1 and not answer.before and (found or not had_more):
            share = len(before) / max(self._known_before, 1)
            searched = int(len(before) * float(self._findable(np.array(asked))[0]) + 0.5)
            is_cut = self.reach.is_cut(answer.shown, answer.total, had_more=had_more)
            self.habits.found(answer.words[0], held_by=searched, share=share, found=found, or_more=is_cut)
            self._learn_parts(asked[0], before, answer, had_more=had_more)
            self.word_forms.found(answer.words[0], answer.begins)
        if found < _CONTRADICTED * len(before) and not answer.before and not had_more:
            self._take_in(asked, answer.shown, answer.total, had_more=had_more)
            return
        if answer.total is not None and not answer.before and self.adviser.are_seen(answer.words):
            self._expecting.learn_total(answer.total, self._held(before, answer), self._known_before)
        is_cut = self.reach.is_cut(answer.shown, answer.total, had_more=had_more)
        total = answer.total if answer.total is not None else None if is_cut else answer.shown
        if self._expected is not None:
            expected = self._expected
            if len(self.seen.parts) > 1:
                held = self._held_in_searched_parts(before)
                hidden = expected.found - expected.met
                expected = expected._replace(met=np.array(float(held)), found=held + hidden)
            if (
                total is None and expected.found < answer.shown
            ):  # it found more than that, nobody knows how much
                total = answer.shown
            self._expecting.learn(expected, found=total, shown=answer.found, new=answer.new)
        self._new_at_end[asked] = self._new_lately(answer)
        if self._expecting.has_limit and answer.barren >= _BARREN_OF_LIMITED:
            so_far = self.reach.page_size * (answer.new + 0.5) / (answer.shown + 1)
            self._new_at_most[asked] = so_far
        self._take_in(asked, answer.shown, answer.total, had_more=had_more)

    def _held(self, before: Places, answer: OpenAnswer) -> int:
        """Return how many known records were among all that an answer found: those that hold the words, or more by what it showed.

        Lists show less of a record than searches read, so that a word may find known records which are not seen to hold it.
        """
        by_text = self._held_in_searched_parts(before)
        again, total = answer.found - answer.new, answer.total or answer.shown
        by_chance = 0 if answer.shown >= total else _BY_CHANCE
        return max(by_text, round(total * again / max(answer.found + by_chance, 1)))

    def _held_in_searched_parts(self, before: Places) -> int:
        """Return how many of the known records that hold what was asked were found again, where a search may read less than these show."""
        if len(self.seen.parts) == 1 or not self._met_again:
            return len(before)
        return sum(place in self._met_again for place in before.tolist())

    def _learn_parts(self, word: int, before: Places, answer: OpenAnswer, *, had_more: bool) -> None:
        """See which of the known records that hold a word were found by it, and in which of their parts these hold it."""
        is_cut = self.reach.is_cut(answer.shown, answer.total, had_more=had_more)
        if is_cut or self._met_again is None or not is_plain(answer.words[0], self.language):
            return
        by_part: dict[str, list[bool]] = {}
        for place in before[:_LOOKED_UP].tolist():
            by_part.setdefault(self.seen.part_at(place, word), []).append(place in self._met_again)
        for part, found in by_part.items():
            self.parts.learn(part, sum(found), len(found))

    def _take_in(self, asked: Numbers, shown: int, total: int | None, *, had_more: bool) -> None:
        self._left.pop(asked, None)
        if had_more and shown:
            self._left[asked] = shown
        else:
            self._new_at_end.pop(asked, None)
            self._new_at_most.pop(asked, None)
        if not self.reach.is_cut(shown, total, had_more=had_more):
            self._asked[asked] = self._whole[asked] = shown
            self._refinements.discard(asked)
            self.stand_ins.close(asked)
            return
        self._asked[asked] = total
        self._whole.pop(asked, None)
        if total is not None and self.adviser.are_seen([self.seen.words[word] for word in asked]):
            self.stand_ins.learn_total(asked, total)
            if len(asked) > 1:
                self._learn_habits(asked, total)
        if len(asked) < self._most_words and (not had_more or not shown):
            self._refinements.add(asked, total, shown)

    def _learn_habits(self, asked: Numbers, total: int) -> None:
        """See what several words do together, by what they found with one word less."""
        for word in asked:
            without = self._asked.get(tuple(other for other in asked if other != word))
            if without == total:
                self.habits.ignores(self.seen.words[word])
            elif without is not None:
                self.habits.learn_together(total, without)

    # Candidates

    def _all_candidates(self) -> list[QueryCandidate]:
        return [*self._single_words(), *self._several_words(), *self._left_answers()]

    def _refresh(self) -> None:
        """Look again which words promise most, and which cut answers are worth another word."""
        self._refreshed = min(_REFRESHED, 1 + len(self._asked) // 20)
        self._promising = self._promising_words()
        self._several = []
        if self._most_words > 1 and not self.habits.finds_any:
            most = self.reach.refused or self.reach.most or len(self.seen)
            self._several = self._refinements.best(
                _PAIRS_TRIED,
                self._asked,
                self._expecting.odds,
                most,
                self._can_refine,
                refuses=self.reach.refused is not None,
                worth=self._worth,
            )

    def _promising_words(self) -> Places:
        frequent = self.seen.most_frequent(_CANDIDATES)
        words = frequent[(self.seen.count[frequent] > 0) & ~self._asked_alone()[frequent]]
        words = self._best_of(2 * _LOOKED_AT, words, np.full(len(words), self._expecting.odds))
        words = np.array([word for word in words.tolist() if self._can_find((word,))], np.uint32)[:_LOOKED_AT]
        hidden = [self._expecting.hidden_at(self.seen.places((word,))) for word in words.tolist()]
        return self._best_of(_PROMISING, words, np.array(hidden))

    def _best_of(self, count: int, words: Places, hidden: Floats) -> Places:
        known = self._words(words)
        rates = self._rates(self._expecting.expect(known, hidden)) * known.findable
        return words[np.argsort(-rates, kind="stable")[:count]]

    def _asked_alone(self) -> NDArray[np.bool_]:
        asked = np.zeros(len(self.seen.words), np.bool_)
        asked[[words[0] for words in self._asked if len(words) == 1]] = True
        return asked

    def _single_words(self) -> list[QueryCandidate]:
        words = [
            (word,)
            for word in self._promising.tolist()
            if (word,) not in self._asked and not self.word_forms.are_found((self.seen.words[word],))
        ]
        return self._candidates(words)

    def _several_words(self) -> list[QueryCandidate]:
        if self.habits.finds_any:
            return []
        words = [words for words in self._several if words not in self._asked and self._can_refine(words)]
        return self._candidates(words)

    def _candidates(self, words: Sequence[Numbers]) -> list[QueryCandidate]:
        """Return the two best of some questions of as many words each: one to ask, and one to compare it with."""
        expected = self._expect(words)
        if expected is None:
            return []
        findable = expected.findable
        rates = self._rates(expected) * findable
        if self.adviser is not _NOBODY:
            rates = rates * np.array([self._worth(each) for each in words])
        return [
            QueryCandidate(
                float(rates[at]), words[at], expected.of(at), float(expected.new[at] * findable[at])
            )
            for at in np.argsort(-rates, kind="stable")[:2].tolist()
            if rates[at] > 0
        ]

    def _expect(self, words: Sequence[Numbers]) -> ExpectedGain | None:
        """Return what is expected of questions of as many words each."""
        places = [self.seen.places(each) for each in words]
        if not places or not all(map(len, places)):
            return None
        hidden = np.array([self._expecting.hidden_at(each) for each in places])
        if len(words[0]) == 1:
            known = self._words(np.array([word for (word,) in words], np.uint32))
        else:
            known = self._several_at(words, places)
        return self._expecting.expect(known, hidden)

    def _words(self, words: Places) -> WordFacts:
        digits, letters = self.seen.kinds_of(words)
        nothing = np.zeros_like(digits)
        odds = np.full_like(digits, self._expecting.odds)
        sums, share = self.seen.sums_of(words), self._findable(words)
        findable = np.minimum(share * sums.records, 1.0)
        return WordFacts(sums.scale_by(share), digits, letters, nothing, odds, nothing, findable)

    def _several_at(self, questions: Sequence[Numbers], places: Sequence[Places]) -> WordFacts:
        kinds = [self.seen.kinds_of(np.array(words)) for words in questions]
        sums = WordSums(*np.array([self.seen.sums_over(each) for each in places]).T)
        share = np.array([float(self._findable(np.array(words)).min()) for words in questions])
        prior, first = np.array([self._refinements.of(words, self._expecting.odds) for words in questions]).T
        return WordFacts(
            sums.scale_by(share),
            np.array([each[0].max() for each in kinds]),
            np.array([each[1].mean() for each in kinds]),
            np.ones(len(places)),
            prior,
            first,
            np.minimum(share * sums.records, 1.0),
        )

    def _left_answers(self) -> list[QueryCandidate]:
        known = ((self._rate_of_left(words, shown), words) for words, shown in self._left.items())
        size = self.reach.page_size
        return [
            QueryCandidate(rate, words, None, min(rate, size), goes_on=True) for rate, words in known if rate
        ]

    def _rate_of_left(self, words: Numbers, shown: int) -> float | None:
        """Return how many new records the next page of an answer has that was left: if nobody says how many are left, as many as the last ones had.

        Hardly any where the last pages had none: lists show less than searches read, and many a known record holds the words unseen.
        """
        total = self._asked[words]
        if total is None:
            return self._new_at_end.get(words)
        rate = self._rate_of_rest(words, shown, total)
        return rate if rate is None else min(rate, self._new_at_most.get(words, rate))

    def _rate_of_rest(self, words: Numbers, shown: int, total: float | None) -> float | None:
        """Return how many new records each further page of an answer has, if that can be told."""
        if total is None or total <= shown:
            return None
        rest = total - shown
        new = max(total - len(self.seen.places(words)), 0)
        return self.reach.page_size * new / rest

    @staticmethod
    def _new_lately(answer: OpenAnswer) -> float:
        return sum(new for _, new in answer.latest) / max(len(answer.latest), 1)

    def _new_so_far(self, answer: OpenAnswer) -> float:
        """Return how many new records a page of an answer has had, with one more for chance."""
        return self.reach.page_size * (answer.new + 1) / (answer.found + 2)

    def _rates(self, expected: ExpectedGain) -> Any:
        return expected.new / (self._query_cost + np.maximum(expected.shown / self.reach.page_size, 1.0))

    def _findable(self, words: Places) -> Floats:
        """Return how far words find the records that hold them, by the parts of these in which they stand."""
        if len(self.seen.parts) == 1 or not len(words):
            return np.ones(len(words))
        counts = self.seen.counts_by_part(words)
        weights = np.array(self.parts.weights(self.seen.parts))
        findable: Floats = (weights @ counts) / np.maximum(counts.sum(axis=0), 1.0)
        return findable

    def _worth(self, words: Numbers) -> float:
        return self.adviser.worth([self.seen.words[word] for word in words])

    def _can_find(self, words: Numbers) -> bool:
        total, count = len(self.seen), self.seen.count
        if self.word_forms.are_found([self.seen.words[word] for word in words]):
            return False
        return all(
            count[word] > 0 and self.habits.can_find(self.seen.words[word], count[word] / total)
            for word in words
        )

    def _can_refine(self, words: Numbers) -> bool:
        """Say whether words may find something together: not if all that one of them finds was shown."""
        most = self.reach.most
        return self._can_find(words) and not any(
            (word,) in self._whole and (most is None or self._whole[word,] < most) for word in words
        )

    def _why(self, best: QueryCandidate) -> str:
        met = len(self.seen.places(best.words))
        several = " and ".join(repr(self.seen.words[word]) for word in best.words)
        if best.expected is None:
            return f"{several} has pages left; {best.new:,.0f} new records are expected on the next one"
        searched = round(float(best.expected.met))
        where = f", {searched:,} of them where it is searched for" if searched < met else ""
        return (
            f"{met:,} records hold {several}{where}, about {float(best.expected.found):,.0f} in all; "
            f"{best.new:,.0f} new ones are expected"
        )


def order_of_worth(
    candidates: Sequence[QueryCandidate], *, has_limit: bool
) -> Callable[[QueryCandidate], tuple[bool, float]]:
    """Return the key that sorts candidates, best first: by what they bring for their cost.

    A page of a left answer costs so little that it may be the best though it promises hardly a record. Where answers have a limit, answers are left because
    their pages had nothing new. Such a page waits while a question promises a record: who asks would take it for a sign that nothing is left.
    """
    has_more = has_limit and any(not candidate.goes_on and candidate.new >= 1 for candidate in candidates)
    return lambda candidate: (has_more and candidate.goes_on and candidate.new < 1, -candidate.rate)
