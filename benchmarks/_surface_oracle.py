"""Who knows the whole database: the greedy cover of it by single words, which no policy can know and few can pass.

At every step the word is asked that shows the most records not seen before, or the most for a page. What a word shows of them only ever
shrinks, so a word whose old value is less than the new value of another need not be looked at again (Minoux 1978). Where a form takes other
questions, too, these are handed in.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from benchmarks._surface_site import PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks._surface_site import Site

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
