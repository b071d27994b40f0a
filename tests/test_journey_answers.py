"""Revisiting answers of several pages, with real crawls: records that come, go, move and change are told as records, once each."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from crawling import Answer, SmallSite, crawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawling import Ran

ON_A_PAGE = 5
ROOMS = ("kitchen", "cellar", "attic")


class Lamps:
    """A search over lamps that shows five on a page with their ranks, how many there are, and at most `cap` of them."""

    def __init__(self) -> None:
        self.texts = {n: self.text(n) for n in range(1, 25)}
        self.failing: set[int] = set()  # pages of answers
        self.cap = 1_000
        self.tells_total = True
        self.says_none = False  # where a record is gone, its page says so with status 200
        self.ages: dict[int, str] = {}

    @staticmethod
    def text(number: int) -> str:
        return f"A lamp of brass number {number * 7919} from the {ROOMS[number % 3]}, made by hand in the year {1800 + number}."

    def answer(self, path: str) -> Answer | str | None:
        if path == "/":
            box = "<form action=/find role=search><input type=search name=q aria-label=Search><button>Search</button></form>"
            return self._page(
                "A house of lamps", f"<p>Lamps of brass from the kitchen, the cellar, the attic.</p>{box}"
            )
        if path.startswith("/find?"):
            return self._found(path)
        if not path.startswith("/item/"):
            return None
        number = int(path.rpartition("/")[2])
        if number in self.texts:
            return self._page(f"Lamp {number}", f"<p>{self.texts[number]}</p>")
        return self._page("Query", "<p>0 results</p>") if self.says_none else None

    def _found(self, path: str) -> Answer | str:
        query = dict(pair.split("=") for pair in path.partition("?")[2].split("&"))
        word, page = query["q"].lower(), int(query.get("page", 1))
        if page in self.failing:
            return Answer(b"busy", 503)
        found = [
            n
            for n, text in sorted(self.texts.items())
            if word in text.lower().replace(",", "").replace(".", "").split()
        ]
        if not found:
            return self._page("Search", "<p>Nothing was found.</p>")
        total, found = len(found), found[: self.cap]
        first = ON_A_PAGE * (page - 1)
        rows = "".join(
            f"<li>{first + rank}. <a href=/item/{n}>Lamp {n}</a> {self.ages.get(n, '')} <p>{self.texts[n]}</p></li>"
            for rank, n in enumerate(found[first : first + ON_A_PAGE], 1)
        )
        more = (
            f"<p><a rel=next href='/find?q={word}&amp;page={page + 1}'>Next</a></p>"
            if first + ON_A_PAGE < len(found)
            else ""
        )
        total_line = f"<p>{total} results for {word}</p>" if self.tells_total else ""
        return self._page("Search", f"{total_line}<ol>{rows}</ol>{more}")

    @staticmethod
    def _page(title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><main>{body}</main></html>"
        )


@pytest.fixture
def site() -> Iterator[tuple[Lamps, SmallSite]]:
    lamps = Lamps()
    with SmallSite(lamps.answer) as served:
        yield lamps, served


def ran_on(
    folder: Path, served: SmallSite, spider: str = "revisit", *, details: str = "never", budget: int = 1_000
) -> Ran:
    settings = {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
        "HIDDENWEB_RETRIES": 0,
        "HIDDENWEB_DETAIL_PAGES": details,
        "HIDDENWEB_QUERIES_PER_FORM": 8,
        "HIDDENWEB_COMPARISON_PROCESSES": 1,
        "STATS_DUMP": 1,
    }
    if spider == "harvest":
        ran = crawl(folder, [served.url], settings, spider=spider)
    else:
        ran = crawl(folder, [], settings, spider=spider, budget=budget)
    assert ran.code == 0, ran.output
    assert "Traceback" not in ran.output
    return ran


def reported(ran: Ran) -> list[tuple[str, str]]:
    rows = ran.rows("SELECT kind, change FROM changes ORDER BY kind, id")
    return [(kind, json.loads(change).get("key", "").rpartition("/")[2]) for kind, change in rows]


def test_records_that_come_go_and_change_on_any_page_are_told_once_and_ranks_are_not(
    tmp_path: Path, site: tuple[Lamps, SmallSite]
) -> None:
    lamps, served = site
    ran = ran_on(tmp_path, served, "harvest")
    assert ran.rows("SELECT count(*) FROM records") == [(24,)]
    assert reported(ran_on(tmp_path, served)) == []

    lamps.texts[0] = Lamps.text(50)  # pushes every record of all answers
    lamps.texts[30] = Lamps.text(30)  # on the last page
    del lamps.texts[13]
    lamps.texts[9] = lamps.texts[9].replace("brass", "silver brass")
    ran = ran_on(tmp_path, served)
    expected = [
        ("record added", "0"),
        ("record added", "30"),
        ("record changed", "9"),
        ("record removed", "13"),
    ]
    assert sorted(reported(ran)) == expected
    assert "records: 2 new, 1 gone, 1 changed" in ran.output
    assert sorted(reported(ran_on(tmp_path, served))) == expected


def test_what_was_not_seen_in_an_outage_is_not_gone(tmp_path: Path, site: tuple[Lamps, SmallSite]) -> None:
    lamps, served = site
    ran_on(tmp_path, served, "harvest")
    lamps.failing = {2}
    del lamps.texts[2]
    lamps.texts[0] = Lamps.text(51)
    ran = ran_on(tmp_path, served)
    assert reported(ran) == [("record added", "0")]
    assert (
        ran.rows("SELECT count(*) FROM answer_revisits WHERE whole = 0 AND why LIKE 'page 2 did not come%'")[
            0
        ][0]
        > 0
    )

    lamps.failing = set()
    ran_on(tmp_path, served)  # what the outage left of the plan
    assert sorted(reported(ran_on(tmp_path, served))) == [("record added", "0"), ("record removed", "2")]


@pytest.mark.parametrize("tells_total", [True, False])
def test_what_is_pushed_out_of_a_capped_answer_is_not_gone(
    tmp_path: Path, site: tuple[Lamps, SmallSite], tells_total: bool
) -> None:
    lamps, served = site
    lamps.cap, lamps.tells_total = 5, tells_total
    lamps.texts = {n: text.replace(f"number {n * 7919}", "old") for n, text in lamps.texts.items()}
    ran_on(tmp_path, served, "harvest")
    lamps.texts[0] = Lamps.text(50)
    ran = ran_on(tmp_path, served)
    assert reported(ran) == [("record added", "0")]
    assert ran.rows("SELECT sum(removed), sum(not_seen) > 0 FROM answer_revisits") == [(0, 1)]


@pytest.mark.parametrize("says_none", [True, False])
def test_a_record_that_capped_answers_lost_is_gone_if_its_own_page_is(
    tmp_path: Path, site: tuple[Lamps, SmallSite], says_none: bool
) -> None:
    """What is pushed out has its page still; an edit that no answer shows any more does not make a record gone."""
    lamps, served = site
    lamps.cap, lamps.tells_total, lamps.says_none = 5, False, says_none
    lamps.texts = {n: text.replace(f"number {n * 7919}", "old") for n, text in lamps.texts.items()}
    ran_on(tmp_path, served, "harvest", details="auto")
    known = {
        key.rpartition("/")[2]
        for (key,) in ran_on(tmp_path, served, details="auto").rows("SELECT key FROM records")
    }
    del lamps.texts[2]
    lamps.texts[0] = Lamps.text(50)
    ran = ran_on(tmp_path, served, details="auto")
    removed = [key for kind, key in reported(ran) if kind == "record removed"]
    assert "2" in known
    assert removed == ["2"]
    assert not [change for change in reported(ran) if change[0] in ("content", "gone") and change[1]]
    assert reported(ran_on(tmp_path, served, details="auto")).count(("record removed", "2")) == 1


@pytest.mark.parametrize("budget", [6, 10])
def test_a_budget_that_is_too_small_is_kept_and_what_was_not_looked_at_is_said(
    tmp_path: Path, site: tuple[Lamps, SmallSite], budget: int
) -> None:
    lamps, served = site
    pages = ran_on(tmp_path, served, "harvest").rows("SELECT count(*) FROM pages")[0][0]
    lamps.texts[0] = Lamps.text(50)
    del lamps.texts[24]  # on the last page of the answers
    served.requested.clear()
    ran = ran_on(tmp_path, served, budget=budget)
    requested = [path for path in served.requested if path != "/robots.txt"]
    assert len(requested) <= budget < pages
    in_part = ran.rows(
        "SELECT count(*) FROM answer_revisits WHERE why LIKE 'the budget ended before its page %'"
    )
    planned = re.search(r"(\d+) of 9 pages are revisited", ran.output)
    assert planned is not None
    assert int(planned[1]) < 9 or in_part[0][0]
    assert not in_part[0][0] or "revisited in part (scrapy changes --answers)" in ran.output
    assert set(reported(ran)) <= {("record added", "0"), ("record removed", "24")}  # both are true


def test_time_that_passed_is_not_told_and_a_younger_age_is(
    tmp_path: Path, site: tuple[Lamps, SmallSite]
) -> None:
    lamps, served = site
    lamps.ages = dict.fromkeys(lamps.texts, "3 days ago") | {3: "2 months ago", 4: "about 1 year ago"}
    ran_on(tmp_path, served, "harvest")
    lamps.ages = dict.fromkeys(lamps.texts, "4 days ago") | {
        3: "just now",
        4: "over 1 year ago",
        7: "1 week ago",
    }
    assert reported(ran_on(tmp_path, served)) == [("record changed", "3")]
