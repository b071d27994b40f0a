"""`scrapy status`: what is in the state, for people and for programs, also while a crawl is writing it."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree as ET

import pytest
from commanding import run
from forking import run_forked

from hiddenweb.commands.status import StatusCommand
from hiddenweb.model import Fetched, FetchFailure, Field, Form, HttpQuery, Page, Record, TaskSeed, Verdict
from hiddenweb.reports.hidden_pages import HiddenCount, HiddenPages, hidden_svg
from hiddenweb.reports.plots import harvest_lines, harvest_svg, rates
from hiddenweb.reports.status_text import status_lines
from hiddenweb.reports.summary import (
    harvest,
    load_coverage,
    reason_to_wait,
    sites_of_last_crawl,
    summary,
    waiting,
)
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
NOW = time.time()
A, B = "https://a.example/", "https://b.example/"


def status(*arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    return run_forked(
        [sys.executable, "-m", "scrapy", "status", *arguments, "-s", f"HIDDENWEB_STATE={state}"]
    )


def fill(state: Store) -> None:
    """Two sites: a page with a form that was submitted, a duplicate of it, links that ended in every way."""
    run = state.runs.begin("explore", NOW - 7_200)
    state.runs.end(run, "finished", NOW - 7_100)
    state.runs.begin("harvest", NOW - 60)
    site = state.sites.want(A)
    state.sites.want(B)
    state.frontier.add([TaskSeed(f"{A}{number}") for number in range(8)])
    state.frontier.add([TaskSeed(f"{B}{number}") for number in range(3)])
    host = state.sites.find_host(A)
    assert host is not None
    tasks, _ = state.frontier.lease(host, 8, NOW)
    page = Page(tasks[0].url, "Books", "All our books", fingerprint=1)
    number = state.pages.save(Fetched(tasks[0], tasks[0].url, 200, NOW, b"<p>", page=page), page)
    state.pages.save(Fetched(tasks[1], tasks[1].url, 200, NOW, b"<p>", page=page, duplicate_of=number), page)
    state.frontier.finish(tasks[0])
    state.frontier.finish(tasks[1], f"redirects to {B}")
    state.frontier.finish(tasks[2], "status 404")
    state.frontier.fail(FetchFailure(tasks[3], "status 500\x1b[2J", NOW))
    state.frontier.fail(FetchFailure(tasks[4], "status 500\x1b[2J", NOW))
    state.frontier.refuse(tasks[5], "robots.txt forbids it")
    state.frontier.fail(
        FetchFailure(tasks[6], "status 503, asks to wait 120 s", NOW, retry_in=120.0, host_pause=120.0)
    )
    state.sites.pause_host(
        host, NOW + 90_000, "status 503, asks to wait 90000 s"
    )  # longer than all tests take
    state.sites.count_page(site, new=True)
    form = state.forms.save(site, Form(A, A, "GET", (Field("q", "text"),)), Verdict(True, "search"), NOW)
    state.forms.save(site, Form(A, A, "POST", (Field("p", "password"),)), Verdict(False, "login"), NOW)
    submission = state.submissions.plan(form, HttpQuery((("q", "tide"),), "tide", url=f"{A}?q=tide"), "", NOW)
    assert submission is not None
    state.submissions.mark_answered(submission, "results", "", NOW)
    record = Record("1", "Tides", "A book on tides")
    [(record_number, _)] = state.records.save(site, [record], submission=submission, page=number, at=NOW)
    state.outbox.save_page(number, A, "d1", behind_form=False)
    state.outbox.save_record(record_number, "record:1", "d2")
    state.sites.leave(state.sites.want(B), "200 pages in a row were known already")
    state.commit()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("status") / "state"
    with Store(path) as state:
        fill(state)
    return path


def test_the_summary_counts_everything(folder: Path) -> None:
    with Store(folder, write=False) as state:
        found = summary(state, NOW)

    assert found.waiting == 3
    assert found.links == {"pending": 5, "leased": 1, "done": 3, "missed": 2, "refused": 1}
    assert (found.pages, found.duplicates, found.records, found.documents, found.last_document) == (
        2,
        1,
        1,
        2,
        2,
    )
    assert found.forms == {"submittable": 1, "left alone": 1}
    assert found.queries == {"answered": 1}
    assert [(run.command, run.reason) for run in found.runs] == [("harvest", None), ("explore", "finished")]
    assert [(pause.origin, pause.until - NOW) for pause in found.pauses] == [("https://a.example", 90_000)]
    assert [(reason.ended, reason.links) for reason in found.reasons] == [
        ("missed", 2), ("refused", 1), ("no page", 1),
    ]  # fmt: skip


def test_the_summary_counts_by_site(folder: Path) -> None:
    with Store(folder, write=False) as state:
        first, second = summary(state, NOW).sites

    assert (first.domain, first.pages, first.forms, first.submittable, first.queries, first.records) == (
        "a.example", 1, 2, 1, 1, 1,
    )  # fmt: skip
    assert (first.pending, first.done, first.missed, first.refused, first.left) == (3, 3, 2, 1, None)
    assert (second.domain, second.pending, second.left) == (
        "b.example",
        3,
        "200 pages in a row were known already",
    )


def test_the_coverage_of_a_database_is_shown_with_its_queries(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        fill(state)
        [form] = [known.id for known in state.forms.load_all() if known.verdict.may_submit]
        state.forms.save_coverage(form, "[8100, 8400, 8200, 9000]")
        found = summary(state, NOW)
        state.forms.end(form, "asked 1 times", for_now=True)
        ended = summary(state, NOW)
        asked_now = load_coverage(state, 3, queried_now=True)
    facts = {"folder": "f", "bytes": 0, "unindexed": 0, "index": ""}

    text = "\n".join(status_lines(found, facts, NOW))
    assert "  a.example, form 1: about 8,100 of 8,400 (8,200-9,000), 1 query\n" in text
    assert "1 query; queried: asked 1 times" in "\n".join(status_lines(ended, facts, NOW))
    assert asked_now == []


def test_a_database_of_unknown_size_is_shown_with_what_it_holds_at_least(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        fill(state)
        [form] = [known.id for known in state.forms.load_all() if known.verdict.may_submit]
        state.forms.save_coverage(form, "[3018, 3300, 3100, null]")
        found = summary(state, NOW)

    text = "\n".join(status_lines(found, {"folder": "f", "bytes": 0, "unindexed": 0, "index": ""}, NOW))
    assert "form 1: 3,018 of at least 3,100, how many is unknown, 1 query\n" in text


def test_links_of_sites_that_were_left_are_no_reason_to_go_on(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        state.runs.end(state.runs.begin("explore", NOW - 60), "finished", NOW)
        site = state.sites.want(A)
        state.frontier.add([TaskSeed(A)])
        state.commit()
        going_on = status(state=tmp_path)
        state.sites.leave(site, "200 pages in a row were known already")
        state.commit()
        ended = status(state=tmp_path)

    assert "Links are waiting" in going_on.stdout
    assert "Links are waiting" not in ended.stdout
    assert "Next: scrapy search" in ended.stdout


def test_only_links_of_sites_explored_now_count_as_waiting(folder: Path) -> None:
    with Store(folder, write=False) as state:
        assert waiting(state) == 3  # one postponed, one under way, one query
        assert [domain for domain, _, _ in sites_of_last_crawl(state)] == ["a.example", "b.example"]


def test_the_reason_of_a_link_that_waits_is_known(folder: Path) -> None:
    with Store(folder, write=False) as state:
        assert reason_to_wait(state, "https://a.example") == "status 503, asks to wait 120 s"
        assert reason_to_wait(state, "https://b.example") == ""


class Plans:
    """Asks a state, and keeps how SQLite went about it."""

    def __init__(self, state: Store) -> None:
        self.state = state
        self.plans: list[str] = []

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        self.plans += [str(row[3]) for row in self.state.rows(f"EXPLAIN QUERY PLAN {sql}", values)]
        return self.state.rows(sql, values)


def test_counting_what_waits_reads_only_what_waits(folder: Path) -> None:
    with Store(folder, write=False) as state:
        spied = Plans(state)
        waiting(cast("Store", spied))
        reason_to_wait(cast("Store", spied), "https://a.example")

    plans = [plan for plan in spied.plans if " links" in plan]
    assert len(plans) == 3
    assert all("INDEX links_pending" in plan or "INDEX links_leased" in plan for plan in plans), plans


def test_people_get_lines(folder: Path) -> None:
    done = status(state=folder)

    assert done.returncode == 0, done.stderr
    assert "2 sites, 2 pages (1 of them duplicates), 1 record (0 with their own page read)" in done.stdout
    assert "links: 5 pending, 1 under way, 3 done, 2 missed, 1 refused" in done.stdout
    assert "index: 2 documents, 2 changes not indexed yet" in done.stdout
    assert ": finished after 100 s" in done.stdout
    assert (
        "links 3 pending, 0 done, 0 missed, 0 refused; left: 200 pages in a row were known already"
        in done.stdout
    )
    assert "s left: status 503, asks to wait 90000 s" in done.stdout
    assert "2 missed: status 500 [2J (for example https://a.example/3)" in done.stdout
    assert "\x1b" not in done.stdout


def test_programs_get_json(folder: Path) -> None:
    done = status("--json", "--sites", "1", state=folder)
    found = json.loads(done.stdout)

    assert found["links"]["pending"] == 5
    assert found["unindexed"] == 2
    assert found["bytes"] >= (folder / FILE).stat().st_size
    assert [site["domain"] for site in found["sites"]] == ["a.example"]
    assert found["site_count"] == 2


def test_a_state_that_is_being_written_can_be_looked_at(tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        fill(state)
        state.frontier.add([TaskSeed(f"{A}more")])  # and no commit
        done = status("--json", state=tmp_path / "state")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["links"]["pending"] == 5


def test_without_a_state_it_says_how_to_get_one_and_makes_none(tmp_path: Path) -> None:
    done = status(state=tmp_path / "state")

    assert done.returncode == 3
    assert "there is no state yet; a crawl makes it" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"not a database, whatever its name may say" * 50, "is not a readable SQLite file"), (b"", "")],
    ids=["rubbish", "empty"],
)
def test_what_is_no_state_is_refused(content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)

    done = status(state=tmp_path)

    assert done.returncode == 3
    assert done.stderr.startswith("scrapy status: ")
    assert complaint in done.stderr


def test_strange_arguments_are_refused(folder: Path) -> None:
    done = status("everything", state=folder)

    assert done.returncode == 2
    assert "scrapy status takes no arguments" in done.stderr


# The harvest


def harvested(folder: Path, pages: int, every: int, *, on_topic: int = 0) -> Path:
    """A state with a search form on every so many pages, every so many of which are on a topic."""
    with Store(folder) as state:
        site = state.sites.want(A)
        state.frontier.add([TaskSeed(f"{A}{number}") for number in range(pages)])
        host = state.sites.find_host(A)
        assert host is not None
        tasks, _ = state.frontier.lease(host, pages, NOW)
        for number, task in enumerate(tasks, 1):
            page = Page(task.url, "Books", f"Page {number}", fingerprint=number)
            state.pages.save(Fetched(task, task.url, 200, NOW + number, b"<p>", page=page), page)
            if number % every == 0:
                form = Form(task.url, task.url, "GET", (Field("q", "text"),))
                found = state.forms.save(site, form, Verdict(True, "search"), NOW + number)
                if on_topic:
                    state.forms.save_relevance(found, "books", 0.1, relevant=number // every % on_topic == 0)
        state.forms.save(site, Form(A, A, "POST", (Field("p", "password"),)), Verdict(False, "login"), NOW)
    return folder


def test_the_harvest_is_counted_page_by_page(tmp_path: Path) -> None:
    with Store(harvested(tmp_path, 10, every=4), write=False) as state:
        series = harvest(state)

    assert [(point.pages, point.search_forms, point.forms_on_topic) for point in series] == [
        (number, number // 4, None) for number in range(1, 11)
    ]
    assert series[-1].at == NOW + 10


def test_the_harvest_has_a_hundred_points_at_most_and_ends_with_all(tmp_path: Path) -> None:
    with Store(harvested(tmp_path, 250, every=10, on_topic=5), write=False) as state:
        series = harvest(state)

    assert len(series) == 100
    assert series[-1][1:] == (250, 25, 5)
    assert series == sorted(series)


def test_the_harvest_reads_single_pages(tmp_path: Path) -> None:
    with Store(harvested(tmp_path, 10, every=4), write=False) as state:
        spied = Plans(state)
        harvest(cast("Store", spied))

    assert [plan for plan in spied.plans if "SCAN pages" in plan] == []


def test_rates_are_those_of_the_last_tenth() -> None:
    pages = list(range(10, 210, 10))
    forms = [0] * 10 + list(range(1, 11))

    assert rates(pages, forms) == [0.0] * 10 + [50.0] + [100.0] * 9
    assert rates([7, 15, 77, 85, 777], [1, 1, 1, 1, 1])[:4] == [1000 / 85] * 4  # the first tenth ends there


def test_people_see_a_small_plot_and_programs_the_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = harvested(tmp_path / "state", 100, every=10, on_topic=2)

    seen = run(StatusCommand(), state=state, capsys=capsys).output
    points = json.loads(run(StatusCommand(), "--json", state=state, capsys=capsys).output)["harvest"]

    assert "Harvest (10 search forms, 5 on topic; 100.0 per 1,000 pages):" in seen
    assert "forms per 1,000 pages: ░ search forms, █ on topic" in seen
    assert "  100 |" in seen
    assert "100 pages" in seen
    plot = seen.partition("Harvest (")[2].partition("\n\n")[0].splitlines()[1:]
    assert len(plot) == 8
    assert max(map(len, plot)) <= 60
    assert (len(points), points[-1]) == (100, [NOW + 100, 100, 10, 5])


def test_there_is_no_plot_of_a_single_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = run(StatusCommand(), state=harvested(tmp_path, 1, every=1), capsys=capsys).output

    assert "forms per 1,000 pages" not in seen


def test_a_terminal_without_blocks_gets_letters(tmp_path: Path) -> None:
    with Store(harvested(tmp_path, 20, every=2), write=False) as state:
        plot = harvest_lines(harvest(state), blocks=False)

    assert all(line.isascii() for line in plot)
    assert any("#" in line for line in plot)


def test_a_plot_can_be_drawn_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, file = harvested(tmp_path / "state", 50, every=5, on_topic=2), tmp_path / "plot.svg"

    done = run(StatusCommand(), "--plot", str(file), state=state, capsys=capsys)

    assert done.code == 0, done.errors
    drawn = ET.fromstring(file.read_text(encoding="utf-8"))
    texts = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert {"pages read", "forms found", "forms per 1,000 pages", "those on topic"} <= set(texts)
    lines = [element.get("class") for element in drawn.iter() if element.tag.endswith("path")]
    assert {"found", "on", "rate", "axis", "grid"} <= set(lines)


def test_an_empty_state_is_an_empty_plot(tmp_path: Path) -> None:
    ET.fromstring(harvest_svg([]))
    with Store(tmp_path / "state") as state:
        assert harvest(state) == []


@pytest.mark.parametrize("name", ["no/such/folder/plot.svg", "\0"])
def test_a_plot_that_cannot_be_written_is_an_error(
    folder: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(StatusCommand(), "--plot", name, state=folder, capsys=capsys)

    assert (done.code, done.output) == (2, "")
    assert "cannot be written" in done.errors


# Hidden pages


def test_hidden_pages_can_be_drawn_from_any_state(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "state") as state:
        fill(state)
    file = tmp_path / "plot.svg"

    done = run(
        StatusCommand(), "--plot", str(file), "--plot-kind", "hidden", state=tmp_path / "state", capsys=capsys
    )

    assert done.code == 0, done.errors
    drawn = ET.fromstring(file.read_text(encoding="utf-8"))
    texts = [element.text or "" for element in drawn.iter() if element.tag.endswith("text")]
    assert {"Hidden pages by other pages", "Hidden pages by depth", "recall"} <= set(texts)
    assert any("Recall is relative to the hidden pages that this crawl found" in text for text in texts)


def test_the_plots_of_hidden_pages_show_what_was_found() -> None:
    found = HiddenPages(4, 2, [HiddenCount(2, 1), HiddenCount(4, 2)], [(0.5, 0.5), (1.0, 0.5)], {1: 1, 3: 1})

    drawn = ET.fromstring(hidden_svg(found))

    assert [element.text for element in drawn if element.tag.endswith("title")] == [
        "Hidden pages: 2 of 4 pages read"
    ]
    bars = [element for element in drawn.iter() if element.get("class") == "bar"]
    assert [float(bar.get("height", "")) > 0 for bar in bars] == [False, True, False, True]
    lines = [element for element in drawn.iter() if element.get("class") == "found"]
    assert len(lines) == 2


def test_without_hidden_pages_the_plots_are_empty() -> None:
    drawn = ET.fromstring(hidden_svg(HiddenPages()))

    bars = [element for element in drawn.iter() if element.get("class") == "bar"]
    assert all(float(bar.get("height", "")) == 0 for bar in bars)
    assert not [element for element in drawn.iter() if element.get("class") == "found"]


def test_plots_of_another_kind_are_refused(folder: Path) -> None:
    done = status("--plot", "x.svg", "--plot-kind", "pie", state=folder)

    assert done.returncode == 2
    assert "pie" in done.stderr
