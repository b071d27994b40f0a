"""What some words would bring, guessed from the known records that hold them.

How many records hold a word: l of them are known; the share of matches that is new in the last answers says how many are hidden, about
l o, o being the odds that a match is new. How far such guesses are off is learnt from every answer (`CountCorrection`), by what
tells words apart: how many answers their records came in, how many of these were met only once, how long they are, and what the
numbers that the site said make of them (`RakingWeights`). The first tells most: of ten records that came in ten answers each one was met by chance,
and many more are hidden; ten that came in one were met because of its question, and may be all there are. With a weight of 1, answers
count instead of records. What is hidden is guessed, not what there is: near the end both numbers are nearly one, and only their difference counts.

How many of these are new and shown: all that are hidden, if the answer is shown as a whole; if it is cut, their share of what is
shown. What is hidden is log-normal around its guess, and every case counts by its chance. Who asks again with one more word what was
cut sees first what was shown first before. The share that is new is corrected by experience again, for sites show what they like first, and that may be known.
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
"""The square of the spread of the logarithm of what is hidden, for a word that one record holds; a limit of taste."""

_VARIETY = 0.25
"""What is added to that square for any word; a limit of taste."""

_LEAST = 0.02
"""What is added to shares before their logarithms are taken; a limit of taste, it keeps them finite."""

_LEAST_ODDS = 0.01
"""What is added to odds before their logarithms are taken; a limit of taste, it keeps them finite."""

_LEAST_HIDDEN = 0.05
"""Records that a word always finds besides the known ones; a limit of taste, nothing is ever quite known."""

_FAR = 3.0
"""The natural logarithm of the factor by which the odds of a word may differ from those of all, about 20; a limit of taste."""

_ALIKE = 10.0
"""Average records that are added to those which hold a word, since few records say little; a limit of taste."""

_FOUND = (0.0, -0.2, 0.6, -0.1, 0.6, 0.1, -0.4, 0.3, 0.1, -0.1, 0.15, -0.5, 0.6)
_FOUND_OF_ALL = (0.0, -0.8, *(0.0 for _ in _FOUND[2:]))
_UNSEEN = (*(0.0 for _ in _FOUND), -0.2)

_STIFFNESS = 20.0
"""The corrections before the first query, and how hard they are to change, in records; the last is a limit of taste.

The first line was fitted to what words found in films, books and works of art after 15 to 1,000 queries with caps of 50 and 100, then again to films
and works of art when answers were counted, too, and rounded.
"""

_DEVIATIONS, _CHANCES = np.polynomial.hermite_e.hermegauss(5)
_CHANCES /= _CHANCES.sum()

_ALL: Floats = np.array(1.0)


class WordFacts(NamedTuple):
    """What is known of the words of several questions."""

    sums: WordSums  # over the records that hold them
    digits: Floats  # whether there is a number among them
    letters: Floats  # of a word
    several: Floats  # whether there is more than one
    prior: Floats  # the odds that a record which holds them is hidden, before these records are looked at
    first: Floats  # the share of these records that is shown before all others
    findable: Floats = _ALL  # less than 1 where not even one of these records is likely to hold them where it is searched for


class ExpectedGain(NamedTuple):
    """What is expected of some words; of several questions at once, or of one."""

    new: Floats
    met: Floats  # known records that hold the words
    found: Floats
    shown: Floats
    unseen: Floats  # the share of new ones among those shown
    features: Floats
    order: Floats  # features of what is shown first
    of_found: Floats  # corrections that are in it
    of_unseen: Floats
    findable: Floats = _ALL

    def of(self, at: int) -> ExpectedGain:
        """Return what is expected of one of the questions."""
        return ExpectedGain(*(each[..., at] if np.ndim(each) else each for each in self))


class GainEstimator:
    """Guesses what words would bring, and learns from what they brought."""

    def __init__(self, seen: VocabularyIndex, reach: AnswerReach, latest: RecentNewness) -> None:
        self._seen, self._reach, self._latest = seen, reach, latest
        self.stand_ins = RakingWeights(seen)
        self._totals = (
            RecentNewness()
        )  # what the last answers found, if they say so, rather than what they showed
        self._of_found = CountCorrection(_FOUND, stiffness=_STIFFNESS)
        self._of_found_of_all = CountCorrection(_FOUND_OF_ALL, stiffness=_STIFFNESS)
        self._of_unseen = RidgeCorrection(_UNSEEN, stiffness=_STIFFNESS)

    def read(self) -> None:
        """Take note of the records that were met since the last time."""
        self.stand_ins.add(self.odds)

    @property
    def has_limit(self) -> bool:
        """Say whether answers are known to have an end before all that was found is shown."""
        return self._reach.most is not None or self._reach.refused is not None

    @property
    def odds(self) -> float:
        """Return the odds that a match is new: as in the last answers, or by what they say they found where these have no end, or are refused."""
        if self._reach.most is not None:
            return self._latest.odds
        return (self._totals if len(self._totals) else self._latest).odds_now(len(self._seen))

    def learn_total(self, total: int, held: int, known: int) -> None:
        """Take note that words which so many of the known records held find so many in all."""
        self._totals.add(max(total, held), max(total - held, 0), known)

    def expect(self, words: WordFacts, hidden: Floats) -> ExpectedGain:
        """Return what is expected of questions, by their words and for how many hidden records each one stands that holds these."""
        met, odds = words.sums.records, self.odds
        features = self._features(words, hidden)
        of_found = self._correction.offset(features)
        found = met + met * odds * np.exp(of_found) + _LEAST_HIDDEN
        shown, new, over = self._had(met, found, words.first)
        order = np.vstack((features, over))
        of_unseen = self._of_unseen.offset(order)
        share = np.clip(new / shown, 0.002, 0.998)
        odds_of_new = share / (1 - share) * np.exp(of_unseen)
        unseen = odds_of_new / (1 + odds_of_new)
        return ExpectedGain(
            shown * unseen, met, found, shown, unseen, features, order, of_found, of_unseen, words.findable
        )

    def hidden_at(self, places: Places) -> float:
        """Return for how many hidden records each of those at some places stands, by what the site says of its numbers."""
        return (self.stand_ins.hidden_at(places) + 0.1) / len(places)

    def learn(self, expected: ExpectedGain, *, found: int | None, shown: int, new: int) -> None:
        """Learn by how much guesses were off: of what is found, if that is known, and of what is new in what is shown."""
        if found is not None:
            self._correction.learn_count(
                expected.features,
                counted=max(found - float(expected.met), 0.0),
                guessed=float(expected.found - expected.met),
                offset=float(expected.of_found),
            )
        if shown:
            odds = (new + 0.5) / (shown - new + 0.5)
            guessed = (expected.unseen + 0.01) / (1.01 - expected.unseen)
            self._of_unseen.learn(expected.order, float(np.log(odds / guessed) + expected.of_unseen))

    @staticmethod
    def resume(expected: ExpectedGain) -> ExpectedGain | None:
        """Return what was expected before a kill; None if that was by other features, so that nothing can be learnt from it."""
        return expected if len(expected.features) == len(_FOUND) else None

    @property
    def _correction(self) -> CountCorrection:
        """Return that of what is found: where all of it is shown, the records that were met are like all others."""
        return self._of_found if self.has_limit else self._of_found_of_all

    def to_json(self) -> dict[str, Any]:
        """Return what was learnt."""
        return {
            "of_found": self._of_found.to_json(),
            "of_found_of_all": self._of_found_of_all.to_json(),
            "of_unseen": self._of_unseen.to_json(),
            "totals": self._totals.to_json(),
        }

    def restore(self, written: dict[str, Any]) -> None:
        """Go on from what was written down."""
        self._of_found.restore(written["of_found"])
        self._of_found_of_all.restore(written["of_found_of_all"])
        self._of_unseen.restore(written["of_unseen"])
        self._totals.restore(written["totals"])

    def _features(self, words: WordFacts, hidden: Floats) -> Floats:
        sums, everything = words.sums, self._seen.sums_of_all()
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

    def _had(self, met: Floats, found: Floats, first: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how many records are shown, how many of them are new, and how far what is found exceeds what is shown."""
        limit, refuses = self._reach.refused or self._reach.most, self._reach.refused is not None
        if limit is None:
            return found, found - met, np.zeros_like(met)
        spread = np.sqrt(_BY_CHANCE / met + _VARIETY)
        shown, new = np.zeros_like(met), np.zeros_like(met)
        for deviation, chance in zip(_DEVIATIONS, _CHANCES, strict=True):
            hidden = (found - met) * np.exp(spread * deviation)
            total = met + hidden
            had = np.where(total > limit, 0.0, total) if refuses else np.minimum(total, limit)
            known = np.minimum(met * first, had)
            shown += chance * had
            new += chance * (had - known) * hidden / (total - known)
        if refuses:
            return shown + 0.01, new, np.zeros_like(met)
        return shown, new, np.clip(np.log(found / limit), 0.0, 4.0) / 4
