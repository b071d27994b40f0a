"""A site with a search form over a small database, queried by a policy until nothing is left; used by the tests of policies with options."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.querying.query import LedgerEntry, QueryProposal
from hiddenweb.querying.query_control import ControlOption, QueryControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.policies.protocol import QueryPolicy
    from hiddenweb.querying.query import Choice


PAGE = 10


class Record(NamedTuple):
    """A record of a small database."""

    words: tuple[str, ...]
    choices: dict[str, str]
    year: int = 0


class Shop:
    """A site with a form: it shows no more than its cap, nothing above a limit, or all."""

    def __init__(
        self, records: Sequence[Record], *, cap: int | None = None, refuses_above: int | None = None,
        says_total: bool = True, without_choice: bool = True, ignores: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.records = records
        self.cap = cap
        self.refuses_above = refuses_above
        self.says_total = says_total
        self.without_choice = without_choice
        self.ignores = ignores
        self.submitted: list[tuple[tuple[str, ...], tuple[Choice, ...]]] = []
        self.ledger: list[LedgerEntry] = []
        self.found_records: dict[int, int] = {}

    def found(self, words: Sequence[str], choices: Sequence[Choice]) -> list[int]:
        if not (words or choices or self.without_choice):
            return []
        return [
            number
            for number, record in enumerate(self.records)
            if set(words) <= set(record.words) and all(self._has(record, choice) for choice in choices)
        ]

    def _has(self, record: Record, choice: Choice) -> bool:
        name, value = choice
        if name in self.ignores:
            return True
        if ".." in value:
            low, high = value.split("..")
            return int(low) <= record.year <= int(high)
        return record.choices.get(name) == value

    def answer(self, policy: QueryPolicy, proposal: QueryProposal, pages: int = 1_000) -> bool:
        """Submit a proposal; after some pages the crawl is killed, and this is False."""
        query = (proposal.words, proposal.choices)
        assert proposal.continues or query not in self.submitted, f"{query} was submitted before"
        self.submitted.append(query)
        policy.note_query(*query, continues=proposal.continues)
        return self.read_pages(policy, *query, pages=pages, at=self._read(query) if proposal.continues else 0)

    def read_pages(
        self,
        policy: QueryPolicy,
        words: tuple[str, ...],
        choices: tuple[Choice, ...],
        *,
        pages: int = 1_000,
        at: int = 0,
    ) -> bool:
        found = self.found(words, choices)
        total = len(found) if self.says_total else None
        shown = found[: self.cap]
        if self.refuses_above is not None and len(found) > self.refuses_above:
            shown = []
        new = read = 0
        has_next = False
        for start in range(at, max(len(shown), at + 1), PAGE):
            if not pages:
                return False
            pages -= 1
            page = shown[start : start + PAGE]
            new += policy.read([(number, self.records[number].words) for number in page], total)
            for number in page:
                self.found_records[number] = self.found_records.get(number, 0) + 1
            read += len(page)
            has_next = len(shown) > start + PAGE
            if has_next and not policy.is_worth_turning():
                break
        refused = total is not None and total > 0 and not shown
        policy.end_answer(had_more=has_next or refused)
        self.ledger.append(LedgerEntry(words, choices, at + read, new, total, has_next))
        return True

    def _read(self, query: tuple[tuple[str, ...], tuple[Choice, ...]]) -> int:
        return next(line.found for line in reversed(self.ledger) if (line.words, line.choices) == query)

    def surface(self, policy: QueryPolicy, most: int = 500) -> int:
        """Submit queries until none is left, and return their number."""
        for queries in range(most):
            proposal = policy.next()
            if proposal is None:
                return queries
            assert proposal.why
            assert proposal.expected > 0
            self.answer(policy, proposal)
        return most


class WordsOnly(Shop):
    """A site that shows nothing if the box is empty."""

    def found(self, words: Sequence[str], choices: Sequence[Choice]) -> list[int]:
        return super().found(words, choices) if words else []


GENRES, DECADES = ("drama", "comedy", "western", "noir"), ("1920s", "1930s", "1940s", "1950s", "1960s")


def films(number: int = 600, *, shown: bool = True, seed: int = 1) -> list[Record]:
    """Return films that say what their genre is, or not."""
    chance = Random(seed)
    records = []
    for at in range(number):
        genre = chance.choices(GENRES, (8, 4, 2, 1))[0]
        decade = chance.choices(DECADES, (5, 4, 3, 2, 1))[0]
        words = ("film", f"w{chance.randrange(40)}", f"n{at}", *((genre, decade) if shown else ()))
        records.append(Record(words, {"genre": genre, "decade": decade}))
    return records


def alike(number: int = 400) -> list[Record]:
    """Return records that words cannot tell apart: all hold the same ones."""
    return [
        Record(("film", "reel"), {"genre": GENRES[at % 4], "decade": DECADES[at // 4 % 5]})
        for at in range(number)
    ]


def select(name: str, values: Sequence[str], **more: object) -> QueryControl:
    return QueryControl(name, "select", tuple(ControlOption(value, value) for value in values), name, **more)  # type: ignore[arg-type]


SELECTS = (select("genre", GENRES), select("decade", DECADES))


def reachable(shop: Shop) -> set[int]:
    """Return what the two selects can reach."""
    reached: set[int] = set()
    for genre, decade in product((None, *GENRES), (None, *DECADES)):
        choices = [
            (name, value) for name, value in (("genre", genre), ("decade", decade)) if value is not None
        ]
        reached.update(shop.found((), choices)[: shop.cap])
    return reached


def begun(shop: Shop, policy: QueryPolicy, *words: str) -> None:
    for word in words:
        policy.note_query((word,))
        shop.submitted.append(((word,), ()))
        shop.read_pages(policy, (word,), ())
