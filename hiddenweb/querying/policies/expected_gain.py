"""How many records some words would bring, estimated from the known records that hold them.

How many records hold a word: l of them are known; the share of new matches in the last answers says how many are hidden, about
l o, where o are the odds that a match is new. How far such guesses are off is learnt from every answer (`CountCorrection`), by what
distinguishes words: how many answers their records came in, how many of these were found only once, their lengths, and their weights
from the totals of the site (`RakingWeights`). The first says most: ten records that came in ten answers were each found by chance,
and many more are hidden; ten that came in one answer were found because of its query, and may be all there are. With a weight of 1, answers
count instead of records. The hidden records are guessed, not all of them: near the end both totals are nearly equal, and only their difference counts.

How many of these are new and shown: all hidden ones, if the answer is shown whole; if it is cut, their share of the shown
ones. The number of hidden records is log-normal around its guess, and every case counts by its probability. A cut query that is submitted again
with one more word shows the same records first. The share of new records is corrected by experience again, since sites show their favourites first, and these may be known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hiddenweb.learning.ridge import CountCorrection, RidgeCorrection
from hiddenweb.querying.raking import RakingWeights
from hiddenweb.querying.search_behaviour import RecentNewness
from hiddenweb.querying.vocabulary_index import WordSums

if TYPE_CHECKING:
    from hiddenweb.querying.search_behaviour import AnswerReach
    from hiddenweb.querying.vocabulary_index import Floats, Places, VocabularyIndex

_BY_CHANCE = 2.0
"""The variance of the logarithm of the hidden records, for a word that one record holds; a limit of taste."""

_VARIETY = 0.25
"""What is added to that variance for any word; a limit of taste."""

_LEAST = 0.02
"""What is added to shares before their logarithms are taken; a limit of taste, it keeps them finite."""

_LEAST_ODDS = 0.01
"""What is added to odds before their logarithms are taken; a limit of taste, it keeps them finite."""

_LEAST_HIDDEN = 0.05
"""Hidden records that any word is assumed to find; a limit of taste, some record may always be hidden."""

_FAR = 3.0
"""The natural logarithm of the factor by which the odds of a word may differ from those of all, about 20; a limit of taste."""

_ALIKE = 10.0
"""Average records that are added to those with a word, since few records say little; a limit of taste."""

_FOUND = (0.0, -0.2, 0.6, -0.1, 0.6, 0.1, -0.4, 0.3, 0.1, -0.1, 0.15, -0.5, 0.6)
_FOUND_OF_ALL = (0.0, -0.8, *(0.0 for _ in _FOUND[2:]))
_NEWNESS = (*(0.0 for _ in _FOUND), -0.2)

_STIFFNESS = 20.0
"""The corrections before the first query, and how hard they are to change, in records; the last is a limit of taste.

The first line was fitted to the results of words in films, books and works of art after 15 to 1,000 queries with caps of 50 and 100, then again to films
and works of art when answers were counted, too, and rounded.
"""

_DEVIATIONS, _CHANCES = np.polynomial.hermite_e.hermegauss(5)
_CHANCES /= _CHANCES.sum()

_ALL: Floats = np.array(1.0)


class WordFacts(NamedTuple):
    """What is known of the words of several queries."""

    sums: WordSums  # over the records that hold the words
    digits: Floats  # whether there is a number among them
    letters: Floats  # of a word
    several: Floats  # whether there is more than one
    prior: Floats  # the odds that a record with the words is hidden, before these records are read
    first: Floats  # the share of these records that is shown before all others
    findable: Floats = _ALL  # less than 1 if hardly any of these records holds the words in a searched part


class ExpectedGain(NamedTuple):
    """What is expected of some words; for several queries at once, or for one."""

    new: Floats
    known: Floats  # known records that hold the words
    found: Floats
    shown: Floats
    new_share: Floats  # the share of new records among those shown
    features: Floats
    order: Floats  # features of the records shown first
    of_found: Floats  # the correction that it includes
    of_new_share: Floats
    findable: Floats = _ALL

    def of(self, at: int) -> ExpectedGain:
        """Return what is expected of one of the queries."""
        return ExpectedGain(*(each[..., at] if np.ndim(each) else each for each in self))


class GainEstimator:
    """Guesses what words would bring, and learns from their results."""

    def __init__(self, vocabulary: VocabularyIndex, reach: AnswerReach, latest: RecentNewness) -> None:
        self._vocabulary, self._reach, self._latest = vocabulary, reach, latest
        self.weights = RakingWeights(vocabulary)
        self._totals = RecentNewness()  # totals of the last answers, instead of the records shown
        self._of_found = CountCorrection(_FOUND, stiffness=_STIFFNESS)
        self._of_found_of_all = CountCorrection(_FOUND_OF_ALL, stiffness=_STIFFNESS)
        self._of_new_share = RidgeCorrection(_NEWNESS, stiffness=_STIFFNESS)

    def read(self) -> None:
        """Give weights to the records found since the last call."""
        self.weights.add(self.odds)

    @property
    def has_limit(self) -> bool:
        """Say whether answers are known to end before all found records are shown."""
        return self._reach.most is not None or self._reach.refused is not None

    @property
    def odds(self) -> float:
        """Return the odds that a match is new: by the last answers, or by their totals if they have no limit or are refused."""
        if self._reach.most is not None:
            return self._latest.odds
        return (self._totals if len(self._totals) else self._latest).odds_now(len(self._vocabulary))

    def learn_total(self, total: int, held: int, known: int) -> None:
        """Learn that words in so many known records find so many in all."""
        self._totals.add(max(total, held), max(total - held, 0), known)

    def expect(self, words: WordFacts, hidden: Floats) -> ExpectedGain:
        """Return what is expected of queries, by their words and by how many hidden records each known one represents."""
        known, odds = words.sums.records, self.odds
        features = self._features(words, hidden)
        of_found = self._correction.offset(features)
        found = known + known * odds * np.exp(of_found) + _LEAST_HIDDEN
        shown, new, over = self._guess_shown(known, found, words.first)
        order = np.vstack((features, over))
        of_new_share = self._of_new_share.offset(order)
        share = np.clip(new / shown, 0.002, 0.998)
        odds_of_new = share / (1 - share) * np.exp(of_new_share)
        new_share = odds_of_new / (1 + odds_of_new)
        return ExpectedGain(
            shown * new_share,
            known,
            found,
            shown,
            new_share,
            features,
            order,
            of_found,
            of_new_share,
            words.findable,
        )

    def hidden_at(self, places: Places) -> float:
        """Return how many hidden records each of those at some places represents, by the totals of the site."""
        return (self.weights.hidden_at(places) + 0.1) / len(places)

    def learn(self, expected: ExpectedGain, *, found: int | None, shown: int, new: int) -> None:
        """Learn by how much guesses were off: of the total, if it is known, and of the new records among those shown."""
        if found is not None:
            self._correction.learn_count(
                expected.features,
                counted=max(found - float(expected.known), 0.0),
                guessed=float(expected.found - expected.known),
                offset=float(expected.of_found),
            )
        if shown:
            odds = (new + 0.5) / (shown - new + 0.5)
            guessed = (expected.new_share + 0.01) / (1.01 - expected.new_share)
            self._of_new_share.learn(expected.order, float(np.log(odds / guessed) + expected.of_new_share))

    @staticmethod
    def resume(expected: ExpectedGain) -> ExpectedGain | None:
        """Return what was expected before a kill; None if that used other features, so nothing can be learnt from it."""
        return expected if len(expected.features) == len(_FOUND) else None

    @property
    def _correction(self) -> CountCorrection:
        """Return the correction of totals: if answers have no limit, known records are like all others."""
        return self._of_found if self.has_limit else self._of_found_of_all

    def to_json(self) -> dict[str, Any]:
        """Return the state to save."""
        return {
            "of_found": self._of_found.to_json(),
            "of_found_of_all": self._of_found_of_all.to_json(),
            "of_unseen": self._of_new_share.to_json(),
            "totals": self._totals.to_json(),
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Restore the saved state."""
        self._of_found.restore(saved["of_found"])
        self._of_found_of_all.restore(saved["of_found_of_all"])
        self._of_new_share.restore(saved["of_unseen"])
        self._totals.restore(saved["totals"])

    def _features(self, words: WordFacts, hidden: Floats) -> Floats:
        sums, everything = words.sums, self._vocabulary.sums_of_all()
        count, odds = sums.records, self.odds
        of_all = WordSums(*(each / everything.records for each in everything))
        alike = WordSums(
            *((each + _ALIKE * common) / (count + _ALIKE) for each, common in zip(sums, of_all, strict=True))
        )
        length = alike.lengths - of_all.lengths
        limit = self._reach.refused or self._reach.most
        hidden = (hidden * count + _ALIKE * words.prior) / (count + _ALIKE)
        return np.stack(
            (
                np.ones_like(count),
                1 / np.sqrt(count),
                np.log((alike.once + _LEAST) / (of_all.once + _LEAST)),
                np.log((alike.twice + _LEAST) / (of_all.twice + _LEAST)),
                length,
                alike.squares - of_all.squares - 2 * of_all.lengths * length,
                alike.times - of_all.times,
                np.clip(np.log((hidden + _LEAST_ODDS) / (odds + _LEAST_ODDS)), -_FAR, _FAR),
                words.digits,
                np.minimum(words.letters, 10) / 10,
                np.log(count * (1 + odds) / limit) if limit else np.zeros_like(count),
                words.several,
                np.log(sums.answers / count) if limit else np.zeros_like(count),
            )
        )

    def _guess_shown(self, known: Floats, found: Floats, first: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how many records are shown, how many of them are new, and how far the total exceeds the limit."""
        limit, refuses = self._reach.refused or self._reach.most, self._reach.refused is not None
        if limit is None:
            return found, found - known, np.zeros_like(known)
        spread = np.sqrt(_BY_CHANCE / known + _VARIETY)
        shown, new = np.zeros_like(known), np.zeros_like(known)
        for deviation, chance in zip(_DEVIATIONS, _CHANCES, strict=True):
            hidden = (found - known) * np.exp(spread * deviation)
            total = known + hidden
            possible = np.where(total > limit, 0.0, total) if refuses else np.minimum(total, limit)
            in_front = np.minimum(known * first, possible)
            shown += chance * possible
            new += chance * (possible - in_front) * hidden / (total - in_front)
        if refuses:
            return shown + 0.01, new, np.zeros_like(known)
        return shown, new, np.clip(np.log(found / limit), 0.0, 4.0) / 4
