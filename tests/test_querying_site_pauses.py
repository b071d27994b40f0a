"""How long sites want to be left in peace between two queries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.answers.notices import RequestedPause
from hiddenweb.model import CrawlTask, Fetched
from hiddenweb.querying.memory_store import CountedStats
from hiddenweb.querying.site_pauses import BLOCKED_PAUSE, LONGEST_WAIT, MOST_IN_VAIN, MOST_WAITS, SitePauses

SITE, NOW = 7, 1_000.0
BLOCKED = AnswerVerdict("blocked", "it asks whether we are human")


@pytest.fixture
def stats() -> CountedStats:
    return CountedStats()


@pytest.fixture
def pauses(stats: CountedStats) -> SitePauses:
    return SitePauses(stats)


def hasty(seconds: float = 30.0, interval: float = 30.0) -> AnswerVerdict:
    return AnswerVerdict("error", "it wants us to wait", wait=RequestedPause(seconds, interval))


def fetched(attempts: int = 0) -> Fetched:
    task = CrawlTask(1, SITE, 1, "http://a.example/find?q=x", "answer", attempts=attempts, submission=1)
    return Fetched(task, task.url, 200, NOW)


def test_a_site_that_wants_no_time_gets_its_next_query_at_once(pauses: SitePauses) -> None:
    pauses.note_query(SITE, NOW)

    assert pauses.next_query_at(SITE) == 0.0
    assert pauses.postpone(fetched(), AnswerVerdict("all", "records")) is None


def test_a_query_that_came_too_soon_is_resubmitted_and_later_ones_keep_the_interval(
    pauses: SitePauses, stats: CountedStats
) -> None:
    pauses.note_query(SITE, NOW)

    later = pauses.postpone(fetched(), hasty(12.0, 30.0))

    assert later is not None
    assert (later.why, later.retry_in, later.host_pause) == ("it wants us to wait", 13.0, None)
    assert pauses.next_query_at(SITE) == NOW + 31.0
    assert pauses.next_query_at(SITE + 1) == 0.0
    assert stats.values == {"hiddenweb/answers/too_soon": 1}


def test_a_site_that_wants_too_long_a_pause_does_not_get_it(pauses: SitePauses) -> None:
    assert pauses.postpone(fetched(), hasty(LONGEST_WAIT + 1)) is None
    assert pauses.next_query_at(SITE) == 0.0

    assert pauses.postpone(fetched(), hasty(10.0, interval=3_600.0)) is not None
    assert pauses.next_query_at(SITE) == LONGEST_WAIT + 1


def test_a_site_for_which_waiting_never_helps_gets_queries_as_any_other(pauses: SitePauses) -> None:
    tired = fetched(attempts=MOST_WAITS)
    for _ in range(MOST_IN_VAIN - 1):
        given_up = pauses.postpone(tired, hasty())
        assert given_up is not None
        assert given_up.retry_in is None

    assert pauses.postpone(tired, hasty()) is None
    assert pauses.next_query_at(SITE) == 0.0
    assert pauses.postpone(fetched(), hasty()) is None
    assert pauses.postpone(replace(fetched(), task=replace(fetched().task, site=8)), hasty()) is not None


@pytest.mark.parametrize(("attempts", "retry_in"), [(0, BLOCKED_PAUSE), (1, None)])
def test_a_host_that_blocks_us_is_paused_and_tried_once_more(
    pauses: SitePauses, attempts: int, retry_in: float | None
) -> None:
    later = pauses.postpone(fetched(attempts), BLOCKED)

    assert later is not None
    assert (later.retry_in, later.host_pause, later.status) == (retry_in, BLOCKED_PAUSE, 200)
    assert pauses.next_query_at(SITE) == 0.0
