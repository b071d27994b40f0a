"""Asking sites that search in their own ways: nothing may crash, repeat itself or go on for ever, and most of them are read all the same."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks._surface_site import Answered, Database, Manner, Page, Shown, Site, put
from hiddenweb.language.tokens import words as words_of
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.query import QueryProposal

if TYPE_CHECKING:
    from collections.abc import Sequence

CAP = 40


def database(records: int = 600, seed: int = 3) -> Database:
    chance = Random(seed)
    words = [f"{chance.choice('bcdfglmnprst')}{chance.choice('aeiou')}{at:03d}x" for at in range(400)]
    weights = [1 / (at + 3) for at in range(400)]
    texts = [" ".join(chance.choices(words, weights, k=chance.randrange(6, 20))) for _ in range(records)]
    return Database("generated", [Shown(f"{text} {2000 + at % 20}", {}) for at, text in enumerate(texts)])


class AnyWord(Site):
    """Finds records that hold any of the words."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:
        found = sorted(
            {number for word in words for number in self.database.find((word,), choices, "number")}
        )
        return Answered(found[:CAP], len(found), len(found))


class Prefix(Site):
    """Finds records that hold a word which begins like the submitted one."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:  # noqa: ARG002
        alike = {word: [each for each in self.database.vocabulary if each[:3] == word[:3]] for word in words}
        of_each = [{n for like in alike[word] for n in self.database.numbers(like)} for word in words]
        found = sorted(set.intersection(*of_each)) if of_each else []
        return Answered(found[:CAP], len(found), len(found))


class Deaf(Site):
    """Ignores half of all words: alone they find nothing, with others they change nothing."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:
        heard = [word for word in words if sum(map(ord, word)) % 2]
        return super().ask(heard, choices) if heard else Answered((), 0, 0)


class Stubborn(Site):
    """Shows the same records for every query."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:  # noqa: ARG002
        return Answered(range(CAP), len(self.database), len(self.database))


class About(Site):
    """Says how many it found with one digit, and never the same twice."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:
        answer = super().ask(words, choices)
        said = round(answer.found * Random(self.queries).uniform(0.8, 1.25), -len(str(answer.found)) + 1)
        return answer._replace(total=int(said))


class Snippets(Site):
    """Shows three words of each record."""

    def turn(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Page:
        page = super().turn(words, choices)
        return page._replace(records=[(number, held[:3]) for number, held in page.records])


class Empty(Site):
    """Finds nothing, and says it has a million."""

    def ask(self, words: Sequence[str], choices: Sequence[tuple[str, str]] = ()) -> Answered:  # noqa: ARG002
        return Answered((), 1_000_000, 0)


@pytest.mark.parametrize(
    ("kind", "share"),
    [
        (AnyWord, 0.8),
        (Prefix, 0.7),
        (Deaf, 0.7),
        (Stubborn, 0.0),
        (About, 0.8),
        (Snippets, 0.6),
        (Empty, 0.0),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_odd_sites_are_read_all_the_same(kind: type[Site], share: float) -> None:
    held = database()
    policy, site = BenefitPolicy("en"), kind(held, Manner(cap=CAP))
    for word in ("2001", "2007", "2013"):
        put(QueryProposal((word,), 0.0, "to begin with"), policy, site)
    submitted: list[tuple[tuple[str, ...], bool]] = []
    while len(submitted) < 80 and (wanted := policy.next()):
        assert wanted.expected >= 0
        put(wanted, policy, site)
        submitted.append((wanted.words, wanted.continues))
    fresh = [words for words, continues in submitted if not continues]
    assert len(set(fresh)) == len(fresh)
    assert len(policy.vocabulary) >= share * len(held)
    estimate = policy.estimate()
    assert estimate is None or 0 <= estimate.low <= estimate.size <= estimate.high


def test_a_language_without_spaces_is_queried_in_pairs_of_characters() -> None:
    chance = Random(5)
    characters = [chr(0x4E00 + at) for at in range(60)]
    texts = ["".join(chance.choices(characters, [1 / (at + 2) for at in range(60)], k=9)) for _ in range(400)]
    policy = BenefitPolicy("zh")
    held = [words_of(text, "zh") for text in texts]
    met: set[int] = set()

    def note(submitted: tuple[str, ...], continues: bool = False) -> None:
        found = [at for at, text in enumerate(texts) if all(word in text for word in submitted)]
        policy.note_query(submitted, continues=continues)
        policy.read([(at, held[at]) for at in found[:20]], len(found))
        met.update(found[:20])
        policy.end_answer()

    note((held[0][0],))
    for _ in range(100):
        wanted = policy.next()
        assert wanted is not None
        assert all(len(word) <= 2 for word in wanted.words)
        note(wanted.words, wanted.continues)
    assert len(met) > 300


def test_a_record_without_words_is_a_record() -> None:
    policy = BenefitPolicy("en")
    policy.note_query(("house",))
    assert policy.read([(1, ()), (2, ["house"])], 2) == 2
    policy.end_answer()
    assert policy.estimate() is not None
    wanted = policy.next()
    assert wanted is None
