"""What the changes of one answer mean for its site."""

from __future__ import annotations

from memory_answers import HOME, MemoryAnswers, PreparedPages, fetched, reading, record, stored

from hiddenweb.revisit.answer_news import AnswerJudge, AnswerNews
from hiddenweb.revisit.answer_walk import AnswerWalk, AnswerWalks
from hiddenweb.revisit.change import Change, ChangeKind
from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState
from hiddenweb.revisit.record_checks import RecordChecks
from hiddenweb.revisit.revisit import PageToRead, Revisit

BEFORE = ComparisonState(HOME, records=(record("a"), record("b"), record("c")), is_whole=True)
PAGES = PreparedPages()


def judge(store: MemoryAnswers, *now: str, why: str = "", can_check: bool = True) -> AnswerNews:
    """Return the news of an answer that had a, b and c, and shows these records now."""
    for each in BEFORE.records:
        store.records[each.key] = each
    read = reading(*now)
    old_keys = [each.key for each in BEFORE.records]
    changes = [change("record added", key) for key in now if key not in old_keys]
    changes += [change("record removed", key) for key in old_keys if key not in now]
    outcome = ComparisonOutcome("changed", BEFORE, tuple(changes))
    walk = AnswerWalk(fetched("x"), stored(BEFORE), PageToRead(HOME, None), first=read, why=why)
    walks = AnswerWalks(store, lambda: True, PAGES.read, 5)
    checks = RecordChecks(store, lambda: True, PAGES.read, walks)
    answer_judge = AnswerJudge(store, checks if can_check else None)
    news = answer_judge.judge(Revisit(outcome, read, BEFORE), walk, form=1)
    answer_judge.save(news, walk)
    return news


def change(kind: ChangeKind, key: str) -> Change:
    return Change(kind, HOME, 50.0, key=key)


def reported(news: AnswerNews) -> list[tuple[str, str]]:
    return [(each.kind, each.key) for each in news.revisit.outcome.changes]


def test_a_record_that_was_never_seen_is_new_and_one_that_no_answer_shows_is_gone() -> None:
    store = MemoryAnswers()

    news = judge(store, "b", "d", "e", can_check=False)

    assert reported(news) == [
        ("record added", "d"),
        ("record added", "e"),
        ("record removed", "a"),
        ("record removed", "c"),
    ]
    assert [each.key for each in news.new] == ["d", "e"]
    assert store.shown == ["b", "d", "e"]
    assert (
        store.saved_revisits[0].added,
        store.saved_revisits[0].removed,
        store.saved_revisits[0].whole,
    ) == (2, 2, True)


def test_a_record_that_another_answer_shows_is_not_gone() -> None:
    news = judge(MemoryAnswers(elsewhere=["a"]), "b", "c")

    assert reported(news) == []
    assert news.revisit.outcome.step == "only_noise"


def test_of_an_answer_that_was_read_in_part_nothing_is_gone_and_little_is_new() -> None:
    store = MemoryAnswers()

    news = judge(store, "d", "b", "e", why="the budget ended before its page 2")

    assert reported(news) == [("record added", "d")]  # e may have been on a page that was not read
    assert store.saved_revisits[0].not_seen == 2


def test_where_as_many_records_came_as_left_the_own_page_of_a_record_is_checked() -> None:
    store = MemoryAnswers()
    store.pages = {"a": "http://a.example/a"}

    news = judge(store, "b", "c", "d")

    assert reported(news) == [("record added", "d")]
    assert list(store.planned) == ["http://a.example/a"]
    assert store.gone == {}


def test_a_site_that_caps_its_answers_proves_nothing() -> None:
    news = judge(MemoryAnswers(cap=2), "b", "c")

    assert reported(news) == []
    assert news.summary.why == "the site shows no more of any answer"
