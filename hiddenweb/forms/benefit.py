"""Choosing the question that is expected to bring the most new records.

What a word would find is guessed from the records that hold it: l of them were met, the share of matches that is new in the last
answers says how many were not, so about l (1 + o) records hold it, o being the odds that a match is new. Of these a site
shows no more than it shows of any answer. How far such guesses are off is learnt from every answer (`Correction`), by what tells
words apart: how many of their records were met only once, how long they are, how many more there are than can be shown, and what the
numbers that the site said make of them (`StandIns`).

An answer that was cut is asked again with one more word, up to three: of the hidden records that hold the first words, as many
hold the next one as among those that were met. Pairs promise more than they bring; that, too, is learnt.

What counts is new records for what they cost: a question, and each page of its answer. A page of an answer is turned while the
last ones brought more than another question would.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import nlargest
from math import erf, exp, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from hiddenweb.forms.asked import Wanted
from hiddenweb.forms.coverage import around
from hiddenweb.forms.prediction import Correction
from hiddenweb.forms.reading import Reading
from hiddenweb.forms.search_habits import Habits
from hiddenweb.forms.stand_ins import StandIns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.forms.asked import Asked, Choice, UnderWay
    from hiddenweb.forms.coverage import Estimate
    from hiddenweb.forms.seen_words import Numbers, Sums

QUESTION_COST = 5.0
"""What a question costs besides its pages, in pages: searching is more work for a site than showing the next page."""

MOST_WORDS = 3
"""Asked at once."""

_CANDIDATES = 3_000
_PROMISING = 200  # of these, until they are looked at again
_REFRESHED = 10  # questions between two looks at which words are frequent
_CUT_ANSWERS = 60  # that are looked at to be asked again with one more word
_REFINEMENTS = 200  # of each
_PAIRS_TRIED = 40
_READ_OF_CUT = 2_000  # records in which the next word is looked for
_BY_CHANCE = 1.0  # of the records that hold a word: rare words are many, and those of them that were met are the lucky ones
_VARIETY = 0.1  # by which words differ from each other besides: the square of the spread of its logarithm
_TELLING = 3  # records that must hold a pair
_NOT_TELLING = 0.7  # the share of the records of an answer from which a further word tells nothing
_GROWN = 1.15  # times the records that hold the words, after which the next word is looked for again
_FEW_HIDDEN = 20.0
_SAID = 0.5  # how far the odds are believed that follow from what the site says of its numbers, beside those of the last answers
_FAR = 2.0  # the logarithm of what the odds of a word may differ by from those of all

_FOUND = (0.0, -0.3, 0.2, 0.0, 0.15, 0.1, -0.1, -0.1, 0.5)
_UNSEEN = (0.0, 0.0, 0.2, 0.0, 0.1, 0.1, -0.2, 0.0, 0.0, -0.2)
"""The corrections before anything was asked: words whose records were met only once, and are long or of various lengths, find more."""


class Expected(NamedTuple):
    """What is expected of some words."""

    rate: float  # new records for what it costs
    words: Numbers
    new: float
    found: float
    unseen: float  # the share of new ones among those shown
    features: tuple[float, ...]
    order: tuple[float, ...]  # features of what is shown first
    of_found: float  # corrections that are in it
    of_unseen: float


@dataclass(slots=True)
class Cut:
    """An answer that has more records than can be had."""

    words: Numbers
    total: int | None
    known_at: int = 0  # records when the refinements were looked for
    refinements: list[tuple[int, float, float]] = field(default_factory=list)  # a word, met records, odds


class Benefit(Reading):
    """Knows the records of one form's site, and what to ask next."""

    def __init__(
        self, language: str = "", *, question_cost: float = QUESTION_COST, most_words: int = MOST_WORDS
    ) -> None:
        super().__init__(language)
        self.habits = Habits(language)
        self.stand_ins = StandIns(self.seen)
        self._question_cost = question_cost
        self._most_words = most_words
        self._of_found = Correction(_FOUND)
        self._of_unseen = Correction(_UNSEEN)
        self._asked: dict[Numbers, int | None] = {}  # how many records hold the words, if that is known
        self._cut: dict[Numbers, Cut] = {}
        self._promising: list[int] = []
        self._pairs: list[Numbers] = []
        self._refreshed = 0
        self._expected: Expected | None = None  # of what is asked now, or was chosen to be asked
        self._held_before = 0  # known records that hold the words, when they were asked
        self._share_before = 0.0
        self._base = _Base(0.0, 0.0, 0.0, 0.0, 0.0)
        self._odds = 1.0

    def next(self) -> Wanted | None:
        """Return the best question, or None when nothing that was met can be asked."""
        self._look()
        if self._refreshed <= 0:
            self._refresh()
        self._refreshed -= 1
        best = self._best_word()
        if self._most_words > 1 and not self.habits.finds_any:
            best = self._best_of_several(best)
        self._expected = best
        if best is None:
            return None
        return Wanted(tuple(self.seen.words[word] for word in best.words), best.new, self._why(best))

    def asks(self, words: Sequence[str], choices: Sequence[Choice] = (), *, goes_on: bool = False) -> None:
        super().asks(words, choices, goes_on=goes_on)
        if choices:
            self._expected = None
            return
        asked = self._numbers(words)
        self._asked.setdefault(asked, None)
        places = self.seen.places(asked) if asked else ()
        self._held_before = len(places)
        self._share_before = len(places) / max(len(self.seen), 1)
        if not places:
            self._expected = None
        elif self._expected is None or self._expected.words != asked:
            self._look()
            self._expected = self._expect(asked, self.seen.sums_over(places), self._hidden_odds(places))

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        new = super().read(records, total)
        self.stand_ins.add(1.0 + self.latest.odds)
        return new

    def worth_turning(self) -> bool:
        answer = self.under_way
        if self._expected is None or answer.pages < _PAGES_BEFORE_DOUBT:
            return True
        here = sum(new for _, new in answer.latest) / _PAGES_BEFORE_DOUBT
        elsewhere = self._expected.new / (self._question_cost + self.reach.pages(self._expected.found))
        return any(found for found, _ in answer.latest) and here >= elsewhere * _LEAVE_BELOW

    def ended(self, *, had_more: bool = False) -> None:
        answer = self.under_way
        super().ended(had_more=had_more)
        if not answer.choices and answer.words:
            self._learn_from(answer, had_more=had_more)
        self._expected = None
        self.stand_ins.settle()

    def failed(self) -> None:
        super().failed()
        self._expected = None

    def estimate(self) -> Estimate | None:
        if not len(self.stand_ins):
            return super().estimate()
        return around(len(self.seen), self.stand_ins.total - len(self.seen), 0.2 * self.stand_ins.total)

    def small_state(self) -> dict[str, object]:
        expected = self._expected if self._under_way is not None else None
        return super().small_state() | {
            "habits": self.habits.to_json(),
            "of_found": self._of_found.to_json(),
            "of_unseen": self._of_unseen.to_json(),
            "held_before": self._held_before,
            "share_before": self._share_before,
            "expected": None if expected is None else expected._asdict(),
        }

    def restore_small_state(self, state: dict[str, Any]) -> None:
        super().restore_small_state(state)
        self.habits = Habits.from_json(self.language, state["habits"])
        self._of_found.restore(state["of_found"])
        self._of_unseen.restore(state["of_unseen"])
        self._held_before = state["held_before"]
        self._share_before = state["share_before"]
        if self._under_way is None or self._under_way.choices:
            return
        asked = self._numbers(self._under_way.words)
        self._asked.setdefault(asked, None)
        if state["expected"] is not None:
            known = Expected(**state["expected"])
            self._expected = known._replace(words=asked)

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[Asked]
    ) -> None:
        super().restore(written, records, ledger)
        for _ in range(_SETTLED):
            self.stand_ins.settle()

    def restore_line(self, line: Asked) -> None:
        self.stand_ins.add(1.0 + self.latest.odds)
        if line.words and not line.choices:
            self._take_in(self._numbers(line.words), line.found, line.total, had_more=line.left)

    def _look(self) -> None:
        """See what words are compared with, which changes with every answer."""
        self._base = _base(self.seen.sums_of_all()) if len(self.seen) else self._base
        self._odds = self.latest.odds

    def _learn_from(self, answer: UnderWay, *, had_more: bool) -> None:
        asked = self._numbers(answer.words)
        found = max(answer.shown, answer.total or 0)
        if len(asked) == 1 and (found or not had_more):
            self.habits.found(
                answer.words[0], held_by=self._held_before, share=self._share_before, found=found
            )
        if self._expected is not None:
            self._learn(self._expected, answer, had_more=had_more)
        self._take_in(asked, answer.shown, answer.total, had_more=had_more)

    def _learn(self, expected: Expected, answer: UnderWay, *, had_more: bool) -> None:
        """Learn by how much the guesses were off: of what is found, and of what is new in what is shown."""
        shown = answer.shown
        is_whole = not had_more and (self.reach.most is None or shown < self.reach.most)
        found = answer.total if answer.total is not None else shown if is_whole else None
        if found is not None:
            self._of_found.learn(
                expected.features, log((found + 1) / (expected.found + 1)) + expected.of_found
            )
        if answer.found:
            odds = (answer.new + 0.5) / (answer.found - answer.new + 0.5)
            guessed = (expected.unseen + 0.01) / (1.01 - expected.unseen)
            self._of_unseen.learn(expected.order, log(odds / guessed) + expected.of_unseen)

    def _take_in(self, asked: Numbers, shown: int, total: int | None, *, had_more: bool) -> None:
        if not self.reach.is_cut(shown, total, had_more=had_more):
            self._asked[asked] = shown
            return
        self._asked[asked] = total
        if total is not None:
            self.stand_ins.told(asked, total)
            if len(asked) > 1:
                self._learn_habits(asked, total)
        if len(asked) < self._most_words:
            self._cut[asked] = Cut(asked, total)

    def _learn_habits(self, asked: Numbers, total: int) -> None:
        """See what several words do together, by what they found with one word less."""
        for word in asked:
            without = self._asked.get(tuple(other for other in asked if other != word))
            if without == total:
                self.habits.ignores(self.seen.words[word])
            elif without is not None:
                self.habits.found_together(total, without)

    def _numbers(self, words: Iterable[str]) -> Numbers:
        return tuple(sorted({self.seen.number(word) for word in words}))

    # One word

    def _best_word(self) -> Expected | None:
        """Return the best of the single words that promised most when all of them were looked at."""
        known = (self._expect_word(word) for word in self._promising if (word,) not in self._asked)
        return max(known, key=lambda expected: expected.rate, default=None)

    def _expect_word(self, word: int) -> Expected:
        hidden = self._hidden_odds(self.seen.holding[word])
        return self._expect((word,), self.seen.sums(word), hidden)

    def _hidden_odds(self, places: Collection[int]) -> float:
        """Return the odds that a record like those at some places is hidden, by what the site says of its numbers."""
        if not len(self.stand_ins):
            return self._odds
        return (self.stand_ins.hidden_at(places) + 0.1) / len(places)

    def _promising_words(self) -> list[int]:
        """Return the words that promise most, of those that most records hold."""
        total = len(self.seen)
        known = (
            self._expect_word(word)
            for word in self.seen.most_frequent(_CANDIDATES + len(self._asked))
            if (word,) not in self._asked
            and self.seen.count[word]
            and self.habits.can_find(self.seen.words[word], self.seen.count[word] / total)
        )
        return [each.words[0] for each in nlargest(_PROMISING, known, key=lambda each: each.rate)]

    def _guess(self, met: float, odds: float) -> tuple[float, float]:
        """Return how many records are found, and how many new ones can be had, where so many were met and the odds are known."""
        found = max(met - _BY_CHANCE, 0.2) * (1 + odds)
        return found, self._shown(met, found) * odds / (1 + odds)

    def _shown(self, met: float, found: float) -> float:
        """Return how many records of an answer are shown, if about so many are found."""
        spread = sqrt(1 / met + _VARIETY)
        if self.reach.refused is not None:
            return _expected_below(self.reach.refused, found, spread)
        if self.reach.most is not None:
            return _expected_within(self.reach.most, found, spread)
        return found

    def _expect(self, words: Numbers, sums: Sums, hidden: float) -> Expected:
        met = sums.records
        features = self._features(len(words), sums, hidden)
        of_found = self._of_found.offset(features)
        found = max(max(met - _BY_CHANCE, 0.2) * (1 + self._odds) * exp(of_found), met + 0.1)
        shown = self._shown(met, found)
        over = min(max(log(found / self.reach.most), 0.0), 4.0) / 4 if self.reach.most else 0.0
        order = (*features, over)
        of_unseen = self._of_unseen.offset(order)
        odds = (found - met) / met * exp(of_unseen)
        unseen = odds / (1 + odds)
        new = shown * unseen
        rate = new / (self._question_cost + self.reach.pages(found))
        return Expected(rate, words, new, found, unseen, features, order, of_found, of_unseen)

    def _features(self, size: int, sums: Sums, hidden: float) -> tuple[float, ...]:
        count, base = sums.records, self._base
        odds = log((1 + hidden) / (1 + self._odds))
        return (
            1.0,
            1 / sqrt(count),
            log((sums.once + 0.5) / (count + 1)) - base.once,
            log((sums.twice + 0.5) / (count + 1)) - base.twice,
            sums.mean_length - base.length,
            sums.spread_of_length - base.spread,
            sums.times / count - base.times,
            float(size > 1),
            min(max(odds, -_FAR), _FAR),
        )

    # Several words

    def _best_of_several(self, best: Expected | None) -> Expected | None:
        """Return the best of what was given and the most promising pairs and triples."""
        for words in self._pairs:
            if words in self._asked or not self._can_find(words):
                continue
            places = self.seen.places(words)
            if len(places) < _TELLING:
                continue
            expected = self._expect(words, self.seen.sums_over(places), self._hidden_odds(places))
            if best is None or expected.rate > best.rate:
                best = expected
        return best

    def _can_find(self, words: Numbers) -> bool:
        total = max(len(self.seen), 1)
        return all(
            self.habits.can_find(self.seen.words[word], self.seen.count[word] / total) for word in words
        )

    def _refresh(self) -> None:
        """Look again which words are frequent, and which cut answers are worth another word."""
        self._refreshed = min(_REFRESHED, 1 + len(self._asked) // 20)
        self._promising = self._promising_words()
        if self._most_words < 2 or self.habits.finds_any:
            return
        odds = self._odds
        hidden = []
        for cut in self._cut.values():
            met = len(self.seen.places(cut.words))
            left = cut.total - met if cut.total is not None else met * odds
            if left > _FEW_HIDDEN and self._can_find(cut.words):
                hidden.append((left, met, cut))
        promising = nlargest(_CUT_ANSWERS, hidden, key=lambda each: each[0])
        found = (
            (self._guess(met, odds ** (1 - _SAID) * of_pair**_SAID)[1], tuple(sorted((*cut.words, word))))
            for _, count, cut in promising
            for word, met, of_pair in self._refined(cut, count)
        )
        best: dict[Numbers, float] = {}
        for guess, words in found:
            if words not in self._asked:
                best[words] = max(guess, best.get(words, 0.0))
        self._pairs = nlargest(_PAIRS_TRIED, best, key=best.__getitem__)

    def _refined(self, cut: Cut, met: int) -> list[tuple[int, float, float]]:
        """Return words that the records of a cut answer hold, how many of these were met, and the odds that others were not."""
        if met < cut.known_at * _GROWN + 5:
            return cut.refinements
        places = list(self.seen.places(cut.words))
        step = max(len(places) / _READ_OF_CUT, 1.0)
        read = [places[int(at * step)] for at in range(int(len(places) / step))]
        counts: Counter[int] = Counter()
        for place in read:
            counts.update(self.seen.held_by(place))
        total = len(self.seen)
        words = [
            word
            for word, count in counts.most_common(2 * _REFINEMENTS)
            if _TELLING <= count < _NOT_TELLING * len(read)
            and word not in cut.words
            and ((word,) not in self._asked or count * step < _NOT_TELLING * self.seen.count[word])
            and self.habits.can_find(self.seen.words[word], self.seen.count[word] / total)
        ]
        weights = self.stand_ins.weights_of(read, words[:_REFINEMENTS])
        cut.refinements = [
            (word, counts[word] * step, max(weights[word] / counts[word] - 1.0, 0.01)) for word in weights
        ]
        cut.known_at = met
        return cut.refinements

    def _why(self, best: Expected) -> str:
        met = len(self.seen.places(best.words))
        several = " and ".join(repr(self.seen.words[word]) for word in best.words)
        return f"{met:,} records hold {several}, about {best.found:,.0f} in all; {best.new:,.0f} new ones are expected"


def _expected_within(limit: float, mean: float, spread: float) -> float:
    """Return the mean of what is left below a limit of something that is log-normal, with this mean and this spread of its logarithm."""
    above = 1 - _normal(log(limit / mean) / spread + spread / 2)
    return _expected_below(limit, mean, spread) + limit * above


def _expected_below(limit: float, mean: float, spread: float) -> float:
    """Return the same if nothing is left of what exceeds the limit."""
    return mean * _normal(log(limit / mean) / spread - spread / 2)


def _normal(deviation: float) -> float:
    return (1 + erf(deviation / sqrt(2))) / 2


class _Base(NamedTuple):
    """What the features of words are compared with: the same over all records."""

    once: float
    twice: float
    length: float
    spread: float
    times: float


def _base(sums: Sums) -> _Base:
    count = sums.records
    return _Base(
        log((sums.once + 0.5) / (count + 1)), log((sums.twice + 0.5) / (count + 1)),
        sums.mean_length, sums.spread_of_length, sums.times / count,
    )  # fmt: skip


_SETTLED = 10  # steps by which the weights of records that come from the store are found again
_PAGES_BEFORE_DOUBT = 2
_LEAVE_BELOW = 0.5
