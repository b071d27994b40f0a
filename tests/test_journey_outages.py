"""Sites that fail for a while in the middle of an answer, read by real crawls: what is left of the answer comes later, and nothing false is learnt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from crawling import Answer, Ran, SmallSite, crawl
from guarded_sites import Reply, SiteRequest, harvested
from test_journey_paging import by_button

from hiddenweb.reports.ledger import ledger_lines, load_ledger
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

ON_A_PAGE = 5
ROOMS = ("kitchen", "cellar", "attic")
TEXTS = {
    n: f"A lamp of brass number {n * 7919} from the {ROOMS[n % 3]}, made by hand in the year {1700 + n}."
    for n in range(1, 91)
}
NO_CAP = (None, len(TEXTS))  # several answers that have everything end at the same number
BOX = "<form action=/find role=search><input type=search name=q aria-label=Search><button>Search</button></form>"
DOWN = {
    "says so": lambda: Answer(
        b"<html><p>We will be back soon.</p></html>", 503, {"Content-Type": "text/html"}
    ),
    "breaks off": lambda: Answer(b"<html><p>A lamp", breaks_off=True, headers={"Content-Type": "text/html"}),
}


def words_of(number: int) -> list[str]:
    return TEXTS[number].lower().replace(",", "").replace(".", "").split()


class Lamps:
    """A search over lamps that fails, from a page of an answer on, for so many requests of any kind."""

    def __init__(
        self,
        *,
        from_page: int = 0,
        requests: int = 0,
        how: str = "says so",
        says_total: bool = True,
        lists_all: bool = False,
    ) -> None:
        self.from_page = from_page  # 0: it never fails
        self.requests = requests
        self.is_down = False
        self.failed: list[str] = []
        self.how = how
        self.says_total = says_total
        self.lists_all = lists_all  # to who asks for nothing
        self.whole: set[tuple[str, int]] = set()  # words and pages that were shown

    def answer(self, path: str) -> Answer | str | None:
        if path == "/robots.txt":
            return None
        query = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        word, page = query.get("q", ""), int(query.get("page", 1))
        if (
            path.startswith("/find")
            and page == self.from_page
            and word not in {w for w, p in self.whole if p == page}
        ):
            self.is_down = True
        if self.is_down and self.requests > 0:
            self.requests -= 1
            self.failed.append(path)
            return DOWN[self.how]()
        if path == "/":
            return self._page("Lamps", f"<p>Lamps of brass from the kitchen, the cellar, the attic.</p>{BOX}")
        return self._found(word, page) if path.startswith("/find") else None

    def _found(self, word: str, page: int) -> str:
        weight = sum(map(ord, word.lower()))  # every word has an order of its own
        found = sorted(
            (n for n in TEXTS if word.lower() in words_of(n) or (self.lists_all and not word)),
            key=lambda n: n * weight % 97,
        )
        if not found:
            return self._page("Search", "<p>Nothing was found.</p>")
        self.whole.add((word, page))
        first = ON_A_PAGE * (page - 1)
        rows = "".join(
            f"<li><b>Lamp {n}</b> <p>{TEXTS[n]}</p></li>" for n in found[first : first + ON_A_PAGE]
        )
        more = f"<p><a rel=next href='/find?q={word}&amp;page={page + 1}'>Next</a></p>"
        total_line = f"<p>{len(found)} results for {word}</p>" if self.says_total else ""
        return self._page(
            "Search", f"{total_line}<ol>{rows}</ol>{more if first + ON_A_PAGE < len(found) else ''}"
        )

    @staticmethod
    def _page(title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><main>{body}</main></html>"
        )


def ran_on(folder: Path, served: SmallSite, **settings: object) -> Ran:
    usual = {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
        "HIDDENWEB_RETRIES": 1,
        "HIDDENWEB_RETRY_DELAY": 0.01,
        "STATS_DUMP": 1,
    }
    ran = crawl(folder, [served.url], usual | settings)
    assert ran.code == 0, ran.output
    assert "Traceback" not in ran.output
    return ran


def reach_of(ran: Ran) -> dict[str, int | None]:
    """Return what was learnt of how far answers reach."""
    [(chooser,)] = ran.rows("SELECT conversation_state FROM forms WHERE may_submit = 1")
    policy = json.loads(chooser)["asking"][0]
    return dict(((policy.get("words") and json.loads(policy["words"])) or policy)["reach"])


@pytest.mark.parametrize("from_page", [1, 3])
@pytest.mark.parametrize("requests", [1, 3, 5])
@pytest.mark.parametrize("how", [*DOWN])
def test_an_answer_goes_on_where_an_outage_interrupted_it(
    tmp_path: Path, how: str, requests: int, from_page: int
) -> None:
    lamps = Lamps(from_page=from_page, requests=requests, how=how)
    with SmallSite(lamps.answer) as served:
        ran = ran_on(tmp_path, served)

    assert len(lamps.failed) == requests
    assert ran.rows("SELECT count(*) FROM records") == [(len(TEXTS),)]
    assert reach_of(ran)["most"] in NO_CAP
    assert ran.rows("SELECT count(*) FROM links WHERE kind IN ('answer', 'paging') AND state <> 2") == [(0,)]
    assert {state for (state,) in ran.rows("SELECT state FROM submissions")} == {"answered"}
    [(state, why)] = ran.rows("SELECT state, why FROM forms WHERE may_submit = 1")
    assert (state, "did not come" in why) == ("done", False)
    assert "did not come" not in ran.output
    [(coverage,)] = ran.rows("SELECT coverage FROM forms WHERE may_submit = 1")
    assert json.loads(coverage)[0] == len(TEXTS)


@pytest.mark.parametrize("says_total", [True, False])
def test_the_next_crawl_reads_what_an_outage_left_of_an_answer(tmp_path: Path, says_total: bool) -> None:
    lamps = Lamps(from_page=3, requests=10_000, says_total=says_total)
    with SmallSite(lamps.answer) as served:
        ran = ran_on(tmp_path, served, HIDDENWEB_QUERIES_PER_FORM=4)
        assert reach_of(ran)["most"] in NO_CAP
        assert "of answers did not come, and the same command requests them again" in ran.output
        [(state, why)] = ran.rows("SELECT state, why FROM forms WHERE may_submit = 1")
        assert state == "queried"
        assert "of its answers did not come" in why
        lamps.requests = 0
        ran = ran_on(tmp_path, served)

    assert ran.rows("SELECT count(*) FROM records") == [(len(TEXTS),)]
    assert reach_of(ran)["most"] in NO_CAP
    assert {state for (state,) in ran.rows("SELECT state FROM submissions")} == {"answered"}
    assert "did not come" not in ran.output
    assert ran.rows("SELECT state FROM forms WHERE may_submit = 1") == [("done",)]


def test_a_listing_of_everything_is_complete_though_an_outage_interrupted_it(tmp_path: Path) -> None:
    lamps = Lamps(from_page=3, requests=4, lists_all=True)
    with SmallSite(lamps.answer) as served:
        ran = ran_on(tmp_path, served)

    assert len(lamps.failed) == 4
    assert "/find?q=&page=3" in lamps.failed
    [(state, why)] = ran.rows("SELECT state, why FROM forms WHERE may_submit = 1")
    assert (state, why) == ("done", "a listing of all 90 records; 3 words found no others")


def test_the_ledger_says_which_page_did_not_come(tmp_path: Path) -> None:
    lamps = Lamps(from_page=3, requests=10_000)
    with SmallSite(lamps.answer) as served:
        ran = ran_on(tmp_path, served, HIDDENWEB_QUERIES_PER_FORM=4)

    with Store(ran.state, write=False) as state:
        reasons = [entry.not_come for entry in load_ledger(state) if entry.state == "answered"]
        lines = list(ledger_lines(load_ledger(state)))
    assert "page 3 did not come: status 503" in reasons
    assert any(line.endswith("page 3 did not come: status 503") for line in lines)


def test_a_page_that_never_comes_is_given_up_for_this_crawl_and_the_form_is_asked_on(tmp_path: Path) -> None:
    lamps = Lamps()

    def answer(path: str) -> Answer | str | None:
        return DOWN["says so"]() if path.endswith("page=4") and "q=lamp&" in path else lamps.answer(path)

    with SmallSite(answer) as served:
        ran = ran_on(tmp_path, served)
        tries = sum(path.endswith("page=4") and "q=lamp&" in path for path in served.requested)

    assert ran.rows("SELECT count(*) FROM records") == [(len(TEXTS),)]
    assert reach_of(ran)["most"] in NO_CAP
    assert 0 < tries <= 4
    assert "1 page of answers did not come" in ran.output


def test_a_page_that_was_posted_for_is_lost_but_no_cap(tmp_path: Path) -> None:
    failed: list[SiteRequest] = []

    def reply(request: SiteRequest) -> Reply | str | None:
        if request.sent.get("page") == "2" and len(failed) < 2:
            failed.append(request)
            return Reply("busy", 503)
        return by_button(request)

    ran, site = harvested(tmp_path, reply, HIDDENWEB_RETRY_DELAY=0.01)

    posts = [tuple(request.sent.items()) for request in site.received if request.method == "POST"]
    assert len(failed) == 2
    assert len(posts) == len(set(posts))
    assert reach_of(ran)["most"] in NO_CAP
    assert "2 pages of answers lost that were sent by POST" in ran.output
