"""The revisit of an answer, page by page."""

from __future__ import annotations

import asyncio

import pytest
from memory_answers import HOME, MemoryAnswers, PreparedPages, fetched, reading, stored

from hiddenweb.revisit.answer_walk import AnswerWalk, AnswerWalks
from hiddenweb.revisit.comparison import ComparisonState, raw_hash
from hiddenweb.revisit.revisit import PageToRead

SECOND = f"{HOME}&page=2"
PAGES = PreparedPages(
    one=reading("a", "b", following=SECOND),
    two=reading("c"),
    same=reading("a", "b"),
    part=reading("a", is_part=True),
    quiet=reading("a", following=SECOND, is_nofollow=True),
    away=reading("a", following="http://b.example/2"),
)


def walk(
    *bodies: str, budget: int = 9, max_pages: int = 5, known: ComparisonState | None = None
) -> AnswerWalk:
    """Revisit an answer whose pages have these bodies."""
    left = budget

    def draw() -> bool:
        nonlocal left
        left -= 1
        return left >= 0

    async def run() -> AnswerWalk:
        store = MemoryAnswers()
        walks = AnswerWalks(store, draw, PAGES.read, max_pages)
        answer_walk = AnswerWalk(fetched(bodies[0]), stored(known), PageToRead(HOME, None))
        has_next = await walks.begin(answer_walk)
        for body in bodies[1:]:
            assert has_next
            (link,) = store.planned.values()
            assert walks.is_awaited(link)
            awaited = walks.pop(link)
            assert awaited is answer_walk
            has_next = await walks.step(answer_walk, fetched(body, link, url=SECOND))
        assert not has_next
        return answer_walk

    return asyncio.run(run())


def test_all_pages_of_an_answer_are_read_one_after_the_other() -> None:
    ended = walk("one", "two")

    assert [record.key for record in ended.records()] == ["a", "b", "c"]
    assert (ended.pages, ended.why) == (2, "")


def test_a_site_that_shows_its_last_page_again_has_no_more() -> None:
    ended = walk("one", "same")

    assert (ended.pages, ended.why) == (1, "")


@pytest.mark.parametrize(
    ("bodies", "limits", "why"),
    [
        (("one",), {"budget": 0}, "the budget ended before its page 2"),
        (("one",), {"max_pages": 1}, "only its first page is read"),
        (("part",), {}, "the site shows no more of it, or only by POST"),
        (("quiet",), {}, "its pages say nofollow"),
        (("away",), {}, "it continues at another site"),
        (("one", "nothing"), {}, "page 2 could not be read"),
    ],
)
def test_the_reason_why_a_page_was_not_read_is_given(
    bodies: tuple[str, ...], limits: dict[str, int], why: str
) -> None:
    assert walk(*bodies, **limits).why == why  # type: ignore[arg-type]


def test_an_answer_of_one_page_with_the_same_bytes_is_not_read() -> None:
    ended = walk("one", known=ComparisonState(HOME, raw=raw_hash(b"one"), pages=1))

    assert ended.is_unchanged
    assert ended.first is None
