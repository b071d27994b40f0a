"""Who knows the whole database: the greedy cover of it by single words, which no policy can know and few can pass.

At every step the word is asked that shows the most records not seen before, or the most for a page. What a word shows of them only ever
shrinks, so a word whose old value is less than the new value of another need not be looked at again (Minoux 1978). Where a form takes other
questions, too, these are handed in.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks._surface_site import PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks._surface_site import Database, Site

_REFINED, _LOOKED_AT, _PAIRS = 8, 300, 4  # words, records of each, words that these hold, too

Question = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""Words and choices."""


def greedy(
    site: Site, *, by_page: bool = False, questions: Iterable[Question] | None = None
) -> Iterator[tuple[int, int]]:
    """Yield after each question how many records were seen, and how many pages were read for them."""
    database, manner = site.database, site.manner
    limit = manner.cap or len(database)

    def shown(question: Question) -> list[int]:
        return database.find(*question, manner.order)[:limit]

    def size(question: Question) -> int:
        words, choices = question
        found = database.frequency(words[0]) if words and not choices else len(shown(question))
        return min(found, limit)

    def cost(records: int) -> int:
        return max(-(-records // PAGE_SIZE), 1) if by_page else 1

    seen = bytearray(len(database))
    known, pages = 0, 0
    if questions is None:
        questions = (((word,), ()) for word in database.vocabulary if len(word) >= manner.shortest)
    sizes = {question: size(question) for question in questions}
    waiting = [(-size / cost(size), question) for question, size in sizes.items()]
    heapq.heapify(waiting)
    while waiting:
        _, question = heapq.heappop(waiting)
        records = shown(question)
        new = sum(not seen[record] for record in records)
        value = new / cost(len(records))
        if waiting and value < -waiting[0][0]:
            if new:
                heapq.heappush(waiting, (-value, question))
            continue
        if not new:
            return
        for record in records:
            seen[record] = 1
        known += new
        pages += max(-(-len(records) // PAGE_SIZE), 1)
        yield known, pages


def greedy_with_pairs(site: Site) -> Iterator[tuple[int, int]]:
    """Yield the same for somebody who may ask two words at once.

    There are too many pairs to look at all of them: before every question those are looked at that refine the words which most records hold that
    were not seen, by the words that most of these hold, too. So a better order may exist, and this is no more than nearly what pairs can do.
    """
    database, manner = site.database, site.manner
    limit = manner.cap or len(database)
    seen = bytearray(len(database))
    hidden = Counter(
        {word: database.frequency(word) for word in database.vocabulary if len(word) >= manner.shortest}
    )
    waiting: list[tuple[int, tuple[str, ...]]] = [
        (-min(count, limit), (word,)) for word, count in hidden.items()
    ]
    heapq.heapify(waiting)
    asked: set[tuple[str, ...]] = set()
    at_most: dict[tuple[str, ...], int] = {}  # what a pair showed when it was last looked at
    known, pages = 0, 0
    while True:
        words, records, new = _best_single(database, manner.order, limit, waiting, seen)
        if new < limit:
            for pair in _promising_pairs(database, hidden, seen, asked):
                if at_most.get(pair, limit) <= new:
                    continue
                found = database.find(pair, (), manner.order)[:limit]
                at_most[pair] = value = sum(not seen[record] for record in found)
                if value > new:
                    heapq.heappush(waiting, (-new, words))
                    words, records, new = pair, found, value
        if not new:
            return
        asked.add(words)
        for record in records:
            if not seen[record]:
                seen[record] = 1
                hidden.subtract(word for word in database.words[record] if word in hidden)
        known += new
        pages += max(-(-len(records) // PAGE_SIZE), 1)
        yield known, pages


def _best_single(
    database: Database, order: str, limit: int, waiting: list[tuple[int, tuple[str, ...]]], seen: bytearray
) -> tuple[tuple[str, ...], list[int], int]:
    while waiting:
        _, words = heapq.heappop(waiting)
        records = database.find(words, (), order)[:limit]
        new = sum(not seen[record] for record in records)
        if not waiting or new >= -waiting[0][0]:
            return words, records, new
        if new:
            heapq.heappush(waiting, (-new, words))
    return (), [], 0


def _promising_pairs(
    database: Database, hidden: Counter[str], seen: bytearray, asked: set[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    for word, _ in hidden.most_common(_REFINED):
        left = [record for record in database.numbers(word) if not seen[record]][:_LOOKED_AT]
        others = Counter(other for record in left for other in database.words[record] if other in hidden)
        del others[word]
        for other, _ in others.most_common(_PAIRS):
            pair = tuple(sorted((word, other)))
            if pair not in asked:
                yield pair
