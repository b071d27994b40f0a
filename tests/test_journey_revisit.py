"""Revisiting a small site that changes, with real crawls: only real changes are reported."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from commanding import run
from crawling import Answer, SmallSite, command_of, crawl
from forking import Forked, run_forked
from guarded_sites import GuardedSite, SiteRequest
from scrapy.settings import Settings

from hiddenweb.commands.changes import ChangesCommand
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.revisit.planner import RevisitPlan
from hiddenweb.spiders.explore import BadArguments
from hiddenweb.spiders.revisit import RevisitBudget, choose_revisits, plan_revisits
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_plan import DueRevisit, RevisitPage, StoredPlan
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from crawling import Ran

PAGES = 12
TEXTS = {
    number: f"Item {number} is a lamp of brass, made in the year {1900 + number} by hand. It stands in room {number % 4} of the house."
    for number in range(PAGES)
}


class ChangingSite:
    """A site whose pages a test sets; it counts its visitors."""

    def __init__(self) -> None:
        self.texts = dict(TEXTS)
        self.missing: set[int] = set()
        self.broken: set[int] = set()
        self.empty: set[int] = set()
        self.instead: dict[int, Answer] = {}
        self.visits = 0
        self.hold: Callable[[], object] = lambda: None
        self.has_counter = False
        self.etags = False

    def answer(self, path: str) -> Answer | str | None:
        self.visits += 1
        self.hold()
        if path == "/":
            links = " ".join(f"<a href=/item/{n}>Lamp {n}</a>" for n in TEXTS)
            return self._page(
                "All lamps", f"<p>These are all of the lamps that we have in the house.</p>{links}"
            )
        if not path.startswith("/item/"):
            return None
        number = int(path.rpartition("/")[2])
        if number in self.missing:
            return Answer(b"<title>gone</title>", 404)
        if number in self.instead:
            return self.instead[number]
        if number in self.empty:
            return Answer(b"", headers={"Content-Type": "text/html"})
        if number in self.broken:
            return Answer(b"oh no", 500)
        counter = f"<p>Viewed {1_000 + 17 * self.visits} times</p>" if self.has_counter else ""
        return self._page(f"Lamp {number}", f"<p>{self.texts[number]}</p>{counter}")

    @staticmethod
    def _page(title: str, body: str) -> str:
        return (
            f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><main>{body}</main></html>"
        )


@pytest.fixture
def site() -> Iterator[tuple[ChangingSite, SmallSite]]:
    changing = ChangingSite()
    with SmallSite(changing.answer) as served:
        yield changing, served


def run_crawl(folder: Path, served: SmallSite, spider: str = "revisit", **settings: object) -> Ran:
    defaults = {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
        "HIDDENWEB_RETRIES": 0,
        "HIDDENWEB_INDEX": False,
        "HIDDENWEB_GONE_MIN_INTERVAL": 0,
        "HIDDENWEB_COMPARISON_PROCESSES": 1,  # each takes a second to start
        "STATS_DUMP": 1,
    }
    ran = crawl(folder, [served.url] if spider == "explore" else [], defaults | settings, spider=spider)
    assert ran.code == 0, ran.output
    return ran


def reported(ran: Ran) -> list[tuple[str, str]]:
    rows = ran.rows("SELECT kind, json_extract(change, '$.url') FROM changes ORDER BY id")
    return [(kind, "/" + url.split("/", 3)[3]) for kind, url in rows]


def steps(ran: Ran) -> dict[str, int]:
    return dict(ran.rows("SELECT step, count(*) FROM revisits GROUP BY step"))


def test_only_what_changed_is_reported(tmp_path: Path, site: tuple[ChangingSite, SmallSite]) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    ran = run_crawl(tmp_path, served)
    assert reported(ran) == []
    assert steps(ran) == {"same_bytes": PAGES + 1}

    changing.texts[3] = TEXTS[3].replace("brass", "silver")
    ran = run_crawl(tmp_path, served)
    assert reported(ran) == [("content", "/item/3")]
    change = json.loads(ran.rows("SELECT change FROM changes")[0][0])
    assert change["edits"] == [{"before": "brass", "after": "silver"}]
    assert steps(ran) == {"same_bytes": PAGES, "changed": 1}
    assert ran.rows("SELECT count(*) FROM versions WHERE page = (SELECT page FROM changes)")[0][0] == 2

    ran = run_crawl(tmp_path, served)
    assert len(reported(ran)) == 1
    assert ran.rows("SELECT count(*) FROM revisit_queue")[0][0] == 0


def test_a_counter_is_learnt_and_a_change_next_to_it_is_not_hidden(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    changing, served = site
    changing.has_counter = True
    run_crawl(tmp_path, served, "explore")
    for _ in range(3):
        ran = run_crawl(tmp_path, served)
    before = len(reported(ran))
    changing.texts[5] = TEXTS[5].replace("brass", "copper")
    ran = run_crawl(tmp_path, served)
    assert reported(ran)[before:] == [("content", "/item/5")]
    assert steps(ran)["only_noise"] == PAGES - 1


def test_a_page_is_gone_after_three_revisits_and_comes_back(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    changing.missing.add(7)
    changing.broken.add(8)
    for _ in range(2):
        ran = run_crawl(tmp_path, served)
    assert reported(ran) == []
    ran = run_crawl(tmp_path, served)
    assert reported(ran) == [("gone", "/item/7")]
    changing.missing.clear()
    changing.broken.clear()
    ran = run_crawl(tmp_path, served)
    assert reported(ran) == [("gone", "/item/7"), ("back", "/item/7")]


def test_a_page_that_became_another_type_is_gone_and_other_failures_are_not_reported(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    packed = gzip.compress(changing._page("Lamp 2", f"<p>{TEXTS[2] * 40}</p>").encode())
    html = {"Content-Type": "text/html; charset=utf-8"}
    changing.instead = {
        1: Answer(b"%PDF-1.7 lamps", headers={"Content-Type": "application/pdf; name=lamps"}),
        2: Answer(packed[: len(packed) // 2], headers=html | {"Content-Encoding": "gzip"}),
        3: Answer(b"", 304, html | {"ETag": '"always"'}),
    }
    for _ in range(3):
        ran = run_crawl(tmp_path, served)
    assert reported(ran) == [("gone", "/item/1")]
    assert steps(ran)["failed"] == 2
    assert steps(ran)["same_bytes"] == PAGES + 1 - 3
    assert ran.rows("SELECT json_extract(change, '$.before') FROM changes") == [
        ("it is application/pdf now",)
    ]
    changing.instead.clear()
    ran = run_crawl(tmp_path, served)
    assert reported(ran)[1:] == [("back", "/item/1")]


def test_a_budget_of_a_day_is_kept_by_all_crawls(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    before = changing.visits
    usual = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}", "HIDDENWEB_INDEX": False}
    ran = crawl(tmp_path, [], usual, spider="revisit", budget="4/day")
    assert ran.code == 0, ran.output
    assert changing.visits - before <= 4 + 1  # and robots.txt
    assert "4 of 13 pages are revisited" in ran.output
    assert "Finished: all revisits were made. 4 revisits, 0 found a change" in ran.output

    before = changing.visits
    ran = crawl(tmp_path, [], usual, spider="revisit", budget="4/day")
    assert ran.code == 0, ran.output
    assert changing.visits == before
    assert "all revisits of the last 24 hours that the budget allows were made" in ran.output


def test_an_empty_page_affects_no_other_page(tmp_path: Path, site: tuple[ChangingSite, SmallSite]) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    changing.empty.add(4)
    for _ in range(4):  # doubted twice, reported, and then unchanged
        ran = run_crawl(tmp_path, served)
        assert ran.rows("SELECT count(*) FROM revisit_queue") == [(0,)]
        assert "Traceback" not in ran.output
    assert reported(ran) == [("content", "/item/4")]


def test_a_page_that_always_said_not_found_is_not_gone(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    """A few words mark a missing page, unless the page had them when it was first read."""
    changing, served = site
    changing.has_counter = True
    changing.texts[2] = (
        "This page lists the lamps that we no longer sell. Page not found in the book of 1902."
    )
    run_crawl(tmp_path, served, "explore")
    for _ in range(3):
        ran = run_crawl(tmp_path, served)
    assert ("gone", "/item/2") not in reported(ran)
    assert "failed" not in steps(ran)


def test_learnt_noise_survives_a_kill(tmp_path: Path, site: tuple[ChangingSite, SmallSite]) -> None:
    changing, served = site
    changing.has_counter = True
    run_crawl(tmp_path, served, "explore")
    settings = {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
        "HIDDENWEB_COMPARISON_PROCESSES": 1,
        "HIDDENWEB_INDEX": False,
    }
    command = command_of(tmp_path, [], settings, spider="revisit")
    command[command.index("scrapy")] = "keeping_often"

    def is_learnt() -> bool:
        with Store(tmp_path / "state", write=False) as state:
            return "viewed #" in str(state.rows("SELECT value FROM knowledge WHERE part = 'masks'"))

    def kill_once_learnt() -> None:
        for _ in range(40):  # the pages before this one are compared meanwhile
            if is_learnt():
                process.kill()
                return
            time.sleep(0.05)

    with Forked(command, stderr=subprocess.PIPE) as process:
        changing.hold = kill_once_learnt
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode == -signal.SIGKILL, (
        errors
    )  # before the end of the crawl, when everything is saved


def test_a_kill_in_the_middle_loses_no_change_and_reports_none_twice(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    changing, served = site
    run_crawl(tmp_path, served, "explore")
    changing.texts = {number: text.replace("brass", "silver") for number, text in TEXTS.items()}
    settings = {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
        "HIDDENWEB_DELAY": 0.2,
        "HIDDENWEB_COMPARISON_PROCESSES": 1,
        "HIDDENWEB_INDEX": False,
    }

    def count_changes() -> int:
        with Store(tmp_path / "state", write=False) as state:
            return int(str(state.rows("SELECT count(*) FROM changes")[0][0]))

    command = command_of(tmp_path, [], settings, spider="revisit")
    with Forked(command, stderr=subprocess.PIPE) as process:
        changing.hold = lambda: process.kill() if count_changes() >= 2 else None
        assert process.stderr is not None
        errors = process.stderr.read()
    assert process.returncode == -signal.SIGKILL, errors
    changing.hold = lambda: None

    ran = run_crawl(tmp_path, served)

    assert "revisits that were planned before" in ran.output
    assert sorted(reported(ran)) == sorted(("content", f"/item/{number}") for number in TEXTS)
    assert ran.rows("SELECT count(*) FROM revisit_queue") == [(0,)]


def test_a_plan_is_continued_only_by_the_same_command(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    _, served = site
    run_crawl(tmp_path, served, "explore")
    with Store(tmp_path / "state") as state:
        links = [row[0] for row in state.rows("SELECT link FROM pages")]
        host = state.rows("SELECT host FROM links")[0][0]
        due = [DueRevisit(cast("int", link), cast("int", host), 0.0, 0.5, 0.1, 0) for link in links]
        RevisitStore(state).plan.add(due, StoredPlan(len(due), len(due), 0.5, 1.0, wanted="others"))
    usual = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}", "HIDDENWEB_INDEX": False}
    ran = crawl(tmp_path, [], usual, spider="revisit", budget="2")
    assert ran.code == 0, ran.output
    assert "13 revisits are dropped that were planned for other arguments" in ran.output
    assert "2 revisits, 0 found a change" in ran.output

    ran = crawl(tmp_path, ["http://unknown.example/"], usual, spider="revisit")
    assert ran.code == 2
    assert "no page of unknown.example was read yet" in ran.output
    assert "Traceback" not in ran.output


def test_bad_arguments_are_named(tmp_path: Path) -> None:
    ran = crawl(tmp_path, [], {}, spider="revisit", budget="many")
    assert ran.code != 0
    assert "budget: 'many' is not a number of requests, such as 500, or 500/day" in ran.output


@pytest.mark.parametrize("argument", ["0", "0/day", "-4", "4/hour", "4 /day", "/day", "٤", "9" * 16])
def test_impossible_budgets_are_refused(argument: str) -> None:
    with pytest.raises(BadArguments, match="is not a number of requests"):
        RevisitBudget.parse(argument)


def test_a_plan_knows_the_crawl_delay_of_a_host(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        for host in ("slow.example", "fast.example"):
            state.sites.want(f"http://{host}/")
            urls = [f"http://{host}/{number}" for number in range(9)]
            state.frontier.add([TaskSeed(url) for url in urls])
            for url in urls:
                task = state.frontier.lease_url(url)
                assert task is not None
                page = read_page(url.encode(), url)
                state.pages.save(Fetched(task, url, 200, 100.0, url.encode(), page=page), page)
        rules = RobotsRules.from_answer(200, b"User-agent: *\nCrawl-delay: 50", 100.0)
        state.sites.save_robots("http://slow.example", rules.to_json())

        plan_revisits(
            state,
            100,
            (),
            Settings({"HIDDENWEB_DELAY": 1, "USER_AGENT": "hiddenweb"}),
            5_000.0,
            seconds=100.0,
        )

        rows = state.rows(
            "SELECT group_concat(not_before, ' ') FROM revisit_queue GROUP BY host ORDER BY count(*)"
        )
    slow, fast = (sorted(map(float, str(row[0]).split())) for row in rows)
    assert slow == [5_000.0, 5_050.0, 5_100.0]
    assert fast == [5_000.0 + turn for turn in range(9)]


def test_long_answers_get_the_budget_that_shorter_ones_leave() -> None:
    def chosen(requests: list[int], budget: int) -> tuple[list[int], list[int]]:
        count = len(requests)
        pages = [
            RevisitPage(n, 1, 1, "answer", 0.0, b"", requests=needed) for n, needed in enumerate(requests)
        ]
        zeros = np.zeros(count)
        return choose_revisits(
            RevisitPlan(np.arange(count), zeros, zeros, zeros, zeros, 0, 0, 0.0, 0.0), pages, budget
        )

    assert chosen([9, 1, 2, 1], 4) == ([1, 2, 3], [0])
    assert chosen([9, 1, 2, 1], 6) == ([1, 2, 3, 0], [])  # in part, with the two that are left
    assert chosen([9, 7], 5) == ([0], [1])
    assert chosen([2, 3], 5) == ([0, 1], [])


def test_a_budget_of_a_day_is_what_the_day_has_left() -> None:
    assert (
        RevisitBudget.parse("").requests,
        RevisitBudget.parse("500").remaining(400),
        RevisitBudget.parse("500").per_second,
    ) == (
        1_000,
        500,
        None,
    )
    assert (RevisitBudget.parse("500/day").remaining(400), RevisitBudget.parse("500/day").remaining(600)) == (
        100,
        0,
    )
    assert RevisitBudget.parse("864/day").per_second == pytest.approx(0.01)


def test_changes_are_listed_shown_and_marked_as_noise_and_versions_dropped(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite], capsys: pytest.CaptureFixture[str]
) -> None:
    def changes(*arguments: str) -> str:
        done = run(ChangesCommand(), *arguments, state=tmp_path / "state", capsys=capsys)
        assert done.code == 0, done.errors
        return done.output

    changing, served = site
    run_crawl(tmp_path, served, "explore")
    changing.texts[3] = TEXTS[3].replace("brass", "silver")
    run_crawl(tmp_path, served)

    listed = run_changes_command(tmp_path)
    assert "content" in listed
    assert "/item/3" in listed
    facts = json.loads(changes("--json"))
    assert facts["kind"] == "content"
    assert facts["edits"] == [{"before": "brass", "after": "silver"}]
    assert changes("--kind", "gone").strip() == "No change is known."
    number, old, new = (str(facts[name]) for name in ("number", "old", "new"))
    shown = changes(number)
    assert "brass" in shown
    assert "silver" in shown
    assert "2 versions" in changes("--versions", facts["url"])
    assert "a lamp of [-brass-]{+silver+}, made" in changes("--compare", old, new)
    assert "From now on revisits ignore" in changes("--noise", number)
    assert changes().strip() == "No change is known."

    changing.texts[3] = TEXTS[3] + " Somebody bought it."
    ran = run_crawl(tmp_path, served, HIDDENWEB_MAX_VERSIONS_PER_PAGE=2)
    versions = ran.rows("SELECT id FROM versions WHERE page = (SELECT page FROM changes LIMIT 1) ORDER BY id")
    assert len(versions) == 2
    assert str(versions[0][0]) == old
    assert versions[1][0] > int(new)
    assert ran.rows("SELECT count(*) FROM contents") == ran.rows("SELECT count(*) FROM versions")
    assert f"version {new} is no longer kept" in changes(number)


def run_changes_command(folder: Path, *arguments: str) -> str:
    """Run the command in a process; return its output."""
    command = [sys.executable, "-m", "scrapy", "changes", "-s", f"HIDDENWEB_STATE={folder / 'state'}"]
    ran = run_forked([*command, *arguments])
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


class SearchableSite(ChangingSite):
    """The same site behind a search form; links reach no item."""

    def answer(self, path: str) -> Answer | str | None:
        self.visits += 1
        if path == "/":
            box = "<form action=/find role=search><input type=search name=q aria-label=Search><button>Search</button></form>"
            return self._page("A house of lamps", f"<p>Lamps of brass, made by hand.</p>{box}")
        if path.startswith("/find?"):
            word = path.rpartition("q=")[2].lower()
            found = [n for n, text in self.texts.items() if word in text.lower().replace(",", "").split()]
            items = "".join(f"<li><a href=/item/{n}>Lamp {n}</a> <p>{self.texts[n]}</p></li>" for n in found)
            total = f"<p>{len(found)} results for {word}</p>"
            return self._page("Search", f"{total}<ol>{items}</ol>" if found else "<p>Nothing was found.</p>")
        self.visits -= 1
        return super().answer(path)


def test_queries_are_repeated_for_added_and_removed_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changing = SearchableSite()
    with SmallSite(changing.answer) as served:
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{served.port}",
            "HIDDENWEB_INDEX": False,
            "HIDDENWEB_QUERIES_PER_FORM": 6,
        }
        ran = crawl(tmp_path, [served.url], settings, spider="harvest")
        assert ran.code == 0, ran.output
        known = ran.rows("SELECT count(*) FROM records")[0][0]
        assert known == PAGES
        changing.texts[50] = (
            "Item 50 is a lamp of brass, made in the year 1950 by hand. It stands in room 2 of the house."
        )
        del changing.texts[4]
        changing.missing.add(4)
        ran = run_crawl(tmp_path, served)
    kinds = {kind for kind, _ in reported(ran)}
    added = ran.rows("SELECT json_extract(change, '$.key') FROM changes WHERE kind = 'record added'")
    removed = ran.rows("SELECT json_extract(change, '$.key') FROM changes WHERE kind = 'record removed'")
    assert {"record added", "record removed"} <= kinds
    assert all(key.endswith("/item/50") for (key,) in added)
    assert all(key.endswith("/item/4") for (key,) in removed)
    old, new = ran.rows("SELECT old, new FROM changes WHERE kind = 'record added'")[0]
    done = run(
        ChangesCommand(), "--json", "--compare", str(old), str(new), state=tmp_path / "state", capsys=capsys
    )
    compared = [(each["kind"], each["title"]) for each in json.loads(done.output)["records"]]
    assert ("record added", "Lamp 50") in compared
    assert ran.rows("SELECT count(*) FROM records")[0][0] == known + 1


def test_feeds_and_webhooks_are_reported(tmp_path: Path, site: tuple[ChangingSite, SmallSite]) -> None:
    changing, served = site
    posted: list[dict[str, object]] = []

    def hook(request: SiteRequest) -> str:
        posted.append(json.loads(request.body))
        return "thanks"

    with GuardedSite(hook) as receiver:
        rules = tmp_path / "rules.toml"
        rules.write_text(
            f'[everything]\natom = "changes.xml"\nwebhook = "{receiver.url}hook"\n', encoding="utf-8"
        )
        run_crawl(tmp_path, served, "explore")
        changing.texts[3] = TEXTS[3].replace("brass", "silver")
        allowed = f"127.0.0.1:{served.port},{receiver.place}"
        run_crawl(tmp_path, served, HIDDENWEB_NOTIFY=rules, HIDDENWEB_ALLOW_ADDRESSES=allowed)
    assert "silver" in (tmp_path / "changes.xml").read_text(encoding="utf-8")
    assert len(posted) == 1
    assert "silver" in json.dumps(posted[0])


def test_rules_that_cannot_be_used_are_named_at_the_start(
    tmp_path: Path, site: tuple[ChangingSite, SmallSite]
) -> None:
    _, served = site
    run_crawl(tmp_path, served, "explore")
    rules = tmp_path / "rules.toml"
    rules.write_text('[mine]\nkind = ["nonsense"]\natom = "a.xml"\n', encoding="utf-8")
    ran = crawl(tmp_path, [], {"HIDDENWEB_NOTIFY": rules}, spider="revisit")
    assert ran.code != 0
    assert "rules.toml" in ran.output
    assert "nonsense" in ran.output
