"""Sites for the benchmark `surface` whose forms have selects: (d) a box for words and two selects, (e) two selects alone.

The selects are genre and decade of films, language and decade of books, classification and decade of works of art; the form says which
options there are. Ours takes them as what they are. The published policies know nothing but words, so an option is a word to them, which
the records hold that have it (they are told so of every record they reach, which is more than ours is told); where there is no box, a
pair of options is a word, too. When none of the words that they know is left, they ask any option that they have not
asked. The oracle is greedy over single words and options in (d), over options and pairs of them in (e).

With a cap of 100, no question of the form in (e) reaches more than 26 % of the books, 39 % of the films, 13 % of the works of art; with
one of 1,000 it is 74, 91 and 39 %. So (e) has a cap of 1,000, and its shares are of what the form can reach at all.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, combinations, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.query import LedgerEntry, QueryProposal
from hiddenweb.querying.query_control import ControlOption, QueryControl

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from benchmarks._surface_oracle import Question
    from benchmarks._surface_site import Database, Site
    from hiddenweb.querying.coverage import Estimate
    from hiddenweb.querying.policies.protocol import QueryPolicy
    from hiddenweb.querying.query import Choice


class Form(NamedTuple):
    """What a form has: a box for words, selects, or both."""

    box: bool = True
    selects: bool = False


BOX = Form()


def ours(database: Database, form: Form, seed: int) -> QueryPolicy:
    """Return our policy for a form with selects; where nothing else is drawn by chance, the order of the options is."""
    names = sorted({name for name, _ in database.choices})
    chance = Random(seed)
    controls = []
    for name in names:
        values = sorted(value for control, value in database.choices if control == name)
        if not form.box:
            chance.shuffle(values)
        controls.append(
            QueryControl(name, "select", tuple(ControlOption(value, value) for value in values), name)
        )
    return OptionsPolicy(BenefitPolicy("en") if form.box else None, controls, language="en")


def questions_of(site: Site, form: Form) -> Iterator[Question]:
    """Yield what the oracle may ask: one word or one option, or up to two options where there is no box."""
    database = site.database
    if form.box:
        yield from (((word,), ()) for word in database.vocabulary if len(word) >= site.manner.shortest)
    else:
        yield (), ()
        yield from (((), pair) for pair in _pairs(database))
    if form.selects:
        yield from (((), (choice,)) for choice in database.choices)


@lru_cache(maxsize=1)
def reachable(site: Site, form: Form) -> int:
    """Return how many records a form can reach; with a box that is taken to be all of them."""
    if form.box:
        return len(site.database)
    return len(set(chain.from_iterable(site.ask(*question).records for question in questions_of(site, form))))


def _pairs(database: Database) -> Iterator[tuple[Choice, Choice]]:
    names = sorted({name for name, _ in database.choices})
    for first, second in combinations(names, 2):
        yield from product(
            (choice for choice in database.choices if choice[0] == first),
            (choice for choice in database.choices if choice[0] == second),
        )


class ChoicesAsWords:
    """A policy that knows only words, to which choices are words."""

    def __init__(self, words: QueryPolicy, database: Database, form: Form, seed: int) -> None:
        self._words = words
        self._database = database
        self._form = form
        self._choices: dict[str, tuple[Choice, ...]] = {
            _token((choice,)): (choice,) for choice in database.choices
        }
        if not form.box:
            self._choices |= {_token(pair): pair for pair in _pairs(database)}
        self._left = sorted(self._choices)
        Random(seed).shuffle(self._left)
        self._asked: set[str] = set()

    def next(self) -> QueryProposal | None:
        wanted = self._words.next()
        if wanted is not None:
            token = wanted.words[0]
            return (
                wanted._replace(words=(), choices=self._choices[token]) if token in self._choices else wanted
            )
        while self._left:
            token = self._left.pop()
            if token not in self._asked:
                return QueryProposal((), 0.0, "it was not asked", self._choices[token])
        return None

    def note_query(
        self, words: Sequence[str], choices: Sequence[Choice] = (), *, continues: bool = False
    ) -> None:
        asked = (_token(choices),) if choices else tuple(words)
        self._asked.update(asked)
        self._words.note_query(asked, continues=continues)

    def read(self, records: Sequence[tuple[int, Iterable[str]]], total: int | None = None) -> int:
        return self._words.read([(key, self._option_words(key, words)) for key, words in records], total)

    def _option_words(self, key: int, words: Iterable[str]) -> Iterator[str]:
        choices = sorted(self._database.shown[key].choices.items())
        yield from (_token((choice,)) for choice in choices)
        if self._form.box:
            yield from words
        elif len(choices) > 1:
            yield _token(choices)

    def is_worth_turning(self) -> bool:
        return self._words.is_worth_turning()

    def end_answer(self, *, had_more: bool = False, cut: bool = False) -> None:
        self._words.end_answer(had_more=had_more, cut=cut)

    def failed(self) -> None:
        self._words.failed()

    def interrupt_answer(self) -> None:
        self._words.interrupt_answer()

    def estimate(self) -> Estimate | None:
        return self._words.estimate()

    def common(self, but: Collection[str]) -> str | None:
        return self._words.common(but)

    def example(self, words: Iterable[str]) -> int | None:
        return self._words.example(words)

    def to_json(self) -> str:
        return self._words.to_json()

    def restore(
        self, written: str, records: Iterable[tuple[int, Iterable[str], int]], ledger: Iterable[LedgerEntry]
    ) -> None:
        raise NotImplementedError("a benchmark is not taken up again")


def _token(choices: Sequence[Choice]) -> str:
    return " & ".join(f"{name} = {value}" for name, value in sorted(choices))
