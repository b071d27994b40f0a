"""The kill benchmark kills what works, and sees what is lost."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest

from benchmarks._harvested import Harvest, Judge, index_equals_store, lost_pages, lost_records
from benchmarks._killing import Killings, Work, run_killed
from benchmarks.kill import (
    Run,
    Scale,
    Unkilled,
    check_killed,
    choose_sites,
    figures_of,
    jobdir_figures,
    pages_of_jobdir,
)
from hiddenweb.html.reader import read_page
from hiddenweb.index.process import rebuild
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.model import CrawlTask, Fetched, Form, HttpQuery, PostSeed, Record, TaskSeed, Verdict
from hiddenweb.store.database import Store
from hiddenweb.store.outbox import open_outbox
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from simweb.site import Site

WORKER = """
import pathlib, sys, time
file, total, kills = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
runs = file.with_suffix(".runs")
runs.open("a").write("x")
run = len(runs.read_text())
end = total if run > kills else total * run // (kills + 1)
while len(file.read_text()) < end:
    file.open("a").write("x")
    time.sleep(0.002)
while run <= kills:
    time.sleep(1)
"""
"""Does some of the work and waits to be killed, so often; then it does the rest."""


# Killing


def worker(file: Path, total: int, kills: int = 0) -> tuple[list[str], Work]:
    file.write_text("")
    command = [sys.executable, "-c", WORKER, str(file), str(total), str(kills)]
    return command, Work(file, lambda: file.stat().st_size)


def test_a_command_is_killed_so_often_and_then_ends_by_itself(tmp_path: Path) -> None:
    command, work = worker(tmp_path / "work", 400, kills=3)

    killings = run_killed(command, tmp_path / "log", work, 3, 10, Random(1), starting=0.0)

    assert (killings.kills, killings.at_work, killings.exit_code) == (3, 3, 0)
    assert all(0 < done < 400 for done in killings.work)
    assert (tmp_path / "work").stat().st_size == 400


def test_a_command_that_ends_early_is_not_started_again(tmp_path: Path) -> None:
    command, work = worker(tmp_path / "work", 1)

    killings = run_killed(command, tmp_path / "log", work, 3, 1000, Random(1), starting=0.0)

    assert (killings.kills, killings.exit_code) == (0, 0)


def test_a_command_that_fails_is_said_to(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit(7)"]

    killings = run_killed(command, tmp_path / "log", Work(tmp_path / "none", lambda: 0), 0, 1, Random(1))

    assert killings.exit_code == 7


@pytest.mark.parametrize(("kills", "at_work"), [(8, 0), (8, 3)])
def test_kills_that_meet_no_work_prove_nothing(kills: int, at_work: int, tmp_path: Path) -> None:
    with pytest.raises(Unkilled, match=f"only {at_work} of {kills}"):
        check_killed([Run("killed", Killings(kills=kills, at_work=at_work), tmp_path)])


def test_kills_that_meet_work_are_good(tmp_path: Path) -> None:
    check_killed([Run("killed", Killings(kills=8, at_work=4), tmp_path)])


def test_work_is_not_looked_at_between_a_kill_and_the_next_write(tmp_path: Path) -> None:
    looks: list[int] = []
    file = tmp_path / "work"
    work = Work(file, lambda: looks.append(1) or len(looks))  # type: ignore[func-returns-value]

    work.look()
    file.write_text("a")
    work.look()
    work.look()
    file.write_text("ab")
    work.settle()
    work.look()

    assert len(looks) == 1


# Comparing


NOTHING = Harvest(
    pages=frozenset(), has=frozenset(), stored=0, repeated=0, twice=frozenset(), told=frozenset(), unfinished=0, questions={}, unknown=0,
    requests=0, refetched=0, posts=0, repeated_posts=0,
)  # fmt: skip


def test_a_page_that_only_the_uninterrupted_run_has_is_lost() -> None:
    whole = replace(NOTHING, pages=frozenset({"/a", "/b", "/answer"}))
    killed = replace(NOTHING, pages=frozenset({"/a", "/c"}))

    assert lost_pages(frozenset({"/a", "/b", "/never"}), whole, killed) == {"/b"}


A1, A2, B1, B2 = ("a", 1), ("a", 2), ("b", 1), ("b", 2)


@pytest.mark.parametrize(
    ("has", "lost"),
    [
        pytest.param({A1, A2, B1}, set(), id="all that was told and can be read"),
        pytest.param({A1, B1}, {A2}, id="one is missing of a site that can be read"),
        pytest.param({A1, A2}, {B1}, id="one is missing that the other run could read"),
        pytest.param({A1, A2, B1, B2}, set(), id="more than the other run"),
    ],
)
def test_what_was_told_and_is_missing_is_lost_unless_it_cannot_be_read(
    has: set[tuple[str, int]], lost: set[tuple[str, int]]
) -> None:
    told = frozenset({A1, A2, B1, B2})
    whole = replace(NOTHING, told=told, has=frozenset({A1, A2, B1}))

    assert lost_records(whole, replace(NOTHING, told=told, has=frozenset(has))) == lost


def test_figures_sum_up_all_killed_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [Run(f"killed-{n}", Killings(kills=n, at_work=n), tmp_path) for n in (1, 2)]
    whole = replace(NOTHING, pages=frozenset({"/a", "/b"}), has=frozenset({A1}), told=frozenset({A1}))
    killed = replace(
        NOTHING,
        pages=frozenset({"/a"}),
        told=frozenset({A1}),
        unfinished=3,
        repeated=1,
        posts=5,
        repeated_posts=2,
    )

    figures = figures_of(runs, [whole, killed, killed], whole.pages, index_equals=False)

    wanted = {"kills": 3, "lost_pages": 8, "lost_records": 2, "duplicate_records": 2, "repeated_posts": 4}
    assert wanted.items() <= figures.items()
    assert figures["index_equals_store"] is False
    assert "LOST page: /b" in capsys.readouterr().out


def test_a_page_that_jobdir_did_not_finish_is_lost(tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("/a\n/b\n/half")
    run = Run("jobdir-1", Killings(kills=1), tmp_path)

    figures = jobdir_figures([(run, frozenset(pages_of_jobdir(tmp_path)))], frozenset({"/a", "/half"}))

    assert (figures["jobdir_lost_pages"], figures["jobdir_lost_share"]) == (1, 0.5)
    assert pages_of_jobdir(tmp_path / "never") == []


# Against the truth


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(7, 80, pages_per_site=15, largest_database=60)
    yield world
    world.close()


def test_sites_are_chosen_by_their_forms_and_number_of_pages(world: World) -> None:
    scale = Scale(80, 2, 1, 120, kills=1, most_work=1, jobdir_kills=1, jobdir_work=1)

    sites = choose_sites(world, scale, Random(3))

    assert sum(len(site.pages) for site in sites) >= 120
    assert sum(site.style == "post" for site in sites) <= 1
    assert sum(site.style not in ("post", None) for site in sites) <= 2
    assert len({site.host for site in sites}) == len(sites)


@pytest.fixture(scope="module")
def site(world: World) -> Site:
    """A site whose records have pages of their own, and a form that is sent by GET."""
    plans = (world.plan(number) for number in world.numbers)
    return next(
        world.site(plan.number)
        for plan in plans
        if plan.database and plan.database.has_details and plan.database.style == "box" and not plan.traps
    )


def stored(folder: Path, site: Site, numbers: list[int], *, done: bool = True) -> None:
    """Write a state that has some records of a site, read on its homepage."""
    with Store(folder) as state:
        number = state.sites.want(site.plan.url)
        state.frontier.add([TaskSeed(site.plan.url)])
        [task], _ = state.frontier.lease(state.sites.find_host(site.plan.url) or 0, 1, 1.0)
        page = state.pages.save(visit_of(task, site.plan.url), read_page(b"<p>Welcome", site.plan.url))
        records = [record_of(site, each) for each in numbers]
        for row, record in state.records.save(number, records, submission=None, page=page, at=1.0):
            state.outbox.save_record(row, record.key, "00")
        if done:
            state.frontier.finish(task)


def visit_of(task: CrawlTask, url: str) -> Fetched:
    return Fetched(task, url, 200, 1.0)


def record_of(site: Site, number: int) -> Record:
    record = site.record(number, 0)
    assert record is not None
    url = f"http://{site.plan.host}{site.record_path(record)}"
    return Record(url, record.title, record.title, url)


def answer_row(site: Site, word: str, **changes: Any) -> dict[str, Any]:
    box = site.search_form.field_meaning("keywords")
    assert box is not None
    target = f"{urlsplit(site.search_form.action).path}?{box.name}={quote(word)}"
    row = {
        "host": site.plan.host,
        "method": "GET",
        "target": target,
        "body": "",
        "status": 200,
        "kind": "answer:results",
    }
    return {**row, **changes}


def told_by(judge: Judge, folder: Path, site: Site, word: str) -> Harvest:
    return judge.harvest(folder, [answer_row(site, word)])


def word_with_records(judge: Judge, folder: Path, site: Site) -> tuple[str, list[int]]:
    record = site.record(1, 0)
    assert record is not None
    for word in f"{record.title} {record.text}".split():
        told = sorted(number for _, number in told_by(judge, folder, site, word).told)
        if word.isalpha() and len(told) > 1:
            return word, told
    raise AssertionError("no word finds two records")


def test_a_planted_loss_is_seen(tmp_path: Path, world: World, site: Site) -> None:
    judge = Judge(world, [site.plan.host])
    stored(tmp_path / "none", site, [])
    word, numbers = word_with_records(judge, tmp_path / "none", site)
    stored(tmp_path / "whole", site, numbers)
    stored(tmp_path / "killed", site, numbers[1:])

    whole, killed = (told_by(judge, tmp_path / name, site, word) for name in ("whole", "killed"))

    assert lost_records(whole, whole) == frozenset()
    assert lost_records(whole, killed) == {(site.plan.host, numbers[0])}


def test_links_that_still_wait_are_unfinished(tmp_path: Path, world: World, site: Site) -> None:
    judge = Judge(world, [site.plan.host])
    stored(tmp_path / "done", site, [])
    stored(tmp_path / "waiting", site, [], done=False)

    assert [judge.harvest(tmp_path / name, []).unfinished for name in ("done", "waiting")] == [0, 1]


def test_requests_made_again_are_counted_by_method(tmp_path: Path, world: World, site: Site) -> None:
    judge = Judge(world, [site.plan.host])
    stored(tmp_path, site, [])
    rows = [
        {"kind": "page"},
        {"kind": "page"},
        {"method": "POST", "body": "q=a"},
        {"method": "POST", "body": "q=b"},
    ]
    journal = [answer_row(site, "x", **changes) for changes in (*rows, {"method": "POST", "body": "q=a"})]

    found = judge.harvest(tmp_path, journal)

    assert (found.refetched, found.posts, found.repeated_posts) == (1, 3, 1)


def test_a_record_under_two_keys_is_a_duplicate(tmp_path: Path, world: World, site: Site) -> None:
    stored(tmp_path, site, [1, 2])
    with Store(tmp_path) as state:
        again = replace(record_of(site, 1), key="another key")
        state.records.save(1, [again], submission=None, page=1, at=2.0)

    found = Judge(world, [site.plan.host]).harvest(tmp_path, [])

    assert (found.stored, found.repeated, len(found.has)) == (3, 1, 2)
    assert found.twice == {(site.plan.host, 1)}


def test_the_answer_to_a_post_of_unknown_fate_need_not_be_there(
    tmp_path: Path, world: World, site: Site
) -> None:
    judge = Judge(world, [site.plan.host])
    stored(tmp_path, site, [])
    word, _ = word_with_records(judge, tmp_path, site)
    path, _, sent = answer_row(site, word)["target"].partition("?")
    posted = answer_row(site, word, method="POST", target=path, body=sent)
    assert judge.harvest(tmp_path, [posted]).told

    with Store(tmp_path) as state:
        form = state.forms.save(1, Form(site.plan.url, site.plan.url, "POST"), Verdict(True, "search"), 1.0)
        url = f"http://{site.plan.host}{path}"
        question = state.submissions.plan(
            form, HttpQuery((), word, "POST", url, sent.encode(), "text/plain"), "", 1.0
        )
        assert question is not None
        state.submissions.mark_sent(question, 1.0)
        state.runs.begin("harvest", 2.0)

    found = judge.harvest(tmp_path, [posted])
    assert (found.told, found.unknown) == (frozenset(), 1)


def test_a_further_page_by_post_of_unknown_fate_need_not_be_there(
    tmp_path: Path, world: World, site: Site
) -> None:
    judge = Judge(world, [site.plan.host])
    stored(tmp_path, site, [])
    word, _ = word_with_records(judge, tmp_path, site)
    path, _, sent = answer_row(site, word)["target"].partition("?")
    posted = answer_row(site, word, method="POST", target=path, body=sent)

    with Store(tmp_path) as state:
        url = f"http://{site.plan.host}{path}"
        form = state.forms.save(1, Form(site.plan.url, url, "GET"), Verdict(True, "search"), 1.0)
        asked = state.submissions.plan(form, HttpQuery((), word, "GET", f"{url}?q=x"), "", 1.0)
        state.frontier.add_post(
            PostSeed(TaskSeed(url, "paging", submission=asked), sent.encode(), "text/plain")
        )
        waiting, _ = state.frontier.lease(state.sites.find_host(url) or 0, 9, 1.0)
        assert judge.harvest(tmp_path, [posted]).told  # it was not sent so far
        state.frontier.mark_post_sent(next(each for each in waiting if each.kind == "paging"), 1.0)
        state.runs.begin("harvest", 2.0)

    found = judge.harvest(tmp_path, [posted])
    assert (found.told, found.unknown) == (frozenset(), 1)


def test_an_index_that_lacks_a_document_is_not_equal(tmp_path: Path, site: Site) -> None:
    stored(tmp_path, site, [1, 2])
    outbox = open_outbox(tmp_path)
    rebuild(tmp_path, outbox, WhooshIndex)
    outbox.close()
    assert index_equals_store(tmp_path)

    with Store(tmp_path) as state:
        [(row, record)] = state.records.save(1, [record_of(site, 3)], submission=None, page=1, at=2.0)
        state.outbox.save_record(row, record.key, "00")

    assert not index_equals_store(tmp_path)
