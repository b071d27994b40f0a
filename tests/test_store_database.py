from __future__ import annotations

import json
import os
import random
import sqlite3
import stat
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.stored_form import form_as_json, form_from_json
from hiddenweb.model import (
    CrawlTask,
    Fetched,
    FetchFailure,
    Field,
    Form,
    HttpQuery,
    LabelHint,
    Option,
    Page,
    PostSeed,
    Record,
    TaskKind,
    TaskSeed,
    Verdict,
)
from hiddenweb.near_duplicates.sketch import sketch, text_fingerprint
from hiddenweb.store import frontier, migration
from hiddenweb.store.database import Store
from hiddenweb.store.errors import ForeignState, StateError, StateInUse
from hiddenweb.store.migration import migrate
from hiddenweb.store.outbox import open_outbox
from hiddenweb.store.sqlite_file import FILE
from hiddenweb.store.versions import PageSource

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = 1_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        store.runs.begin("test", NOW)
        yield store


def errands(store: Store, count: int = 100, now: float = NOW) -> list[CrawlTask]:
    """Lease everything that waits on all hosts."""
    found, host = [], 0
    while (host := store.frontier.find_waiting_host(host) or 0) > 0:
        found += store.frontier.lease(host, count, now)[0]
    return found


def seeded(store: Store, *urls: str) -> list[CrawlTask]:
    for url in urls:
        store.sites.want(url)
        store.frontier.add([TaskSeed(url)])
    return errands(store)


def visit(errand: CrawlTask, text: str = "some text", **more: object) -> Fetched:
    words = Page(errand.url, "title", text, fingerprint=text_fingerprint(text), sketch=sketch(text))
    return replace(Fetched(errand, errand.url, 200, NOW, b"<p>" + text.encode(), page=words), **more)  # type: ignore[arg-type]


def keep(store: Store, seen: Fetched) -> int:
    assert seen.page is not None
    return store.pages.save(seen, seen.page)


FORM = Form(
    "https://a.example/",
    "https://a.example/find",
    "GET",
    (
        Field("q", "text", "Words", required=True),
        Field("genre", "select", options=(Option("1", "All", selected=True), Option("2", "Novels"))),
    ),
)


# The frontier


def test_link_is_handed_out_once(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://a.example/1"), TaskSeed("https://a.example/1")])

    assert [errand.url for errand in errands(store)] == ["https://a.example/1"]
    assert errands(store) == []


def test_spellings_of_one_address_are_one_link(store: Store) -> None:
    store.sites.want("https://a.example/")

    added = store.frontier.add(
        [TaskSeed("https://a.example/list?b=2&a=1"), TaskSeed("https://a.example/list?a=1&b=2")]
    )

    assert (added.new, added.known) == (1, 1)


def test_links_of_other_sites_are_counted_and_not_kept(store: Store) -> None:
    store.sites.want("https://a.example/")

    added = store.frontier.add([TaskSeed("https://b.example/"), TaskSeed("https://www.a.example/x")])

    assert added.outside >= 1
    assert not store.frontier.is_known("https://b.example/")


def test_site_wanted_later_is_no_longer_outside(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://b.example/")])

    store.sites.want("https://b.example/")

    assert store.frontier.add([TaskSeed("https://b.example/")]).new == 1


def test_best_bucket_goes_first_and_equals_in_their_order(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add(
        [TaskSeed(f"https://a.example/{n}", bucket=bucket) for n, bucket in enumerate((5, 1, 5, 0, 1))]
    )

    assert [errand.url[-1] for errand in errands(store)] == ["3", "1", "4", "0", "2"]


def test_link_put_off_waits_for_its_time(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")
    store.frontier.fail(FetchFailure(errand, "status 503", NOW, retry_in=60))

    assert store.frontier.lease(errand.host, 10, NOW + 59) == ([], NOW + 60)
    again = store.frontier.lease(errand.host, 10, NOW + 60)[0]
    assert [(each.url, each.attempts) for each in again] == [("https://a.example/", 1)]


def test_waiting_for_its_turn_is_no_attempt(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")

    store.frontier.fail(FetchFailure(errand, "robots.txt first", NOW, retry_in=1, counts=False))

    assert store.frontier.lease(errand.host, 10, NOW + 1)[0][0].attempts == 0


def test_released_link_waits_again(store: Store) -> None:
    leased = seeded(store, "https://a.example/")

    store.frontier.release(leased)

    assert errands(store) == leased


@pytest.mark.parametrize(
    ("end", "number"), [("finish", frontier.DONE), ("refuse", frontier.REFUSED), ("fail", frontier.MISSED)]
)
def test_ended_errand_is_never_handed_out_again(store: Store, end: str, number: int) -> None:
    (errand,) = seeded(store, "https://a.example/")
    if end == "fail":
        store.frontier.fail(FetchFailure(errand, "gone", NOW))
    else:
        getattr(store.frontier, end)(errand, "because")
    store.frontier.add([TaskSeed("https://a.example/")])

    assert errands(store) == []
    assert store.rows("SELECT state FROM links") == [(number,)]


def test_sites_not_named_in_a_run_are_left_in_peace(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        seeded(store, "https://a.example/", "https://b.example/")
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        a, b = store.sites.find_site("https://a.example/"), store.sites.want("https://b.example/")

        assert a is not None
        assert (store.sites.is_left(a), store.sites.is_left(b)) == (True, False)


def test_site_a_seed_redirected_to_comes_back_with_its_seed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        old = store.sites.want("https://old.example/")
        new = store.sites.want("https://new.example/", via=old)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        store.sites.want("https://old.example/")

        assert not store.sites.is_left(new)


def test_frontier_behaves_like_a_plain_model(tmp_path: Path) -> None:
    """Random links, leases, ends and restarts: every link is handed out until it ends, and never after."""
    rng = random.Random(3)
    model: dict[str, str] = {}
    leased: list[CrawlTask] = []
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    store.sites.want("https://a.example/")
    for _ in range(1500):
        act = rng.random()
        if act < 0.5:
            urls = [f"https://a.example/{rng.randrange(400)}" for _ in range(rng.randrange(6))]
            store.frontier.add(map(TaskSeed, urls))
            for url in urls:
                model.setdefault(url, "pending")
        elif act < 0.75:
            leased += errands(store, rng.randrange(1, 5))
        elif act < 0.98 and leased:
            errand = leased.pop(rng.randrange(len(leased)))
            assert model[errand.url] == "pending"
            model[errand.url] = "done"
            store.frontier.finish(errand)
        else:  # killed after a commit, and begun again
            store.commit()
            store.close()
            store, leased = Store(tmp_path), []
            store.runs.begin("test", NOW)
            store.sites.want("https://a.example/")
    store.frontier.release(leased)

    assert {errand.url for errand in errands(store, 1000)} == {u for u, s in model.items() if s == "pending"}
    store.close()


# A kill


def test_what_was_not_committed_is_fetched_again_with_all_its_links(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    (errand,) = seeded(store, "https://a.example/")
    store.commit()
    store.frontier.add([TaskSeed("https://a.example/new")])
    store.frontier.finish(errand)
    store.db.close()  # as a kill would
    store._unlock()

    with Store(tmp_path) as after:
        after.runs.begin("test", NOW)
        after.sites.want("https://a.example/")

        assert [each.url for each in errands(after)] == ["https://a.example/"]
        assert after.frontier.add([TaskSeed("https://a.example/new")]).new == 1


def test_killed_run_is_called_killed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
    with Store(tmp_path) as store:
        run = store.runs.begin("second", NOW + 5)
        store.runs.end(run, "finished", NOW + 9)

        assert store.rows("SELECT reason FROM runs ORDER BY id") == [("killed",), ("finished",)]


def test_post_that_may_have_been_sent_is_not_sent_again(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        number = store.submissions.plan(form, query, "{}", NOW)
        assert number is not None
        assert errands(store)[0].submission == number
        store.submissions.mark_sent(number, NOW)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert errands(store) == []
        assert store.rows("SELECT state FROM submissions") == [("unknown",)]


def test_ledger_is_synced_to_disk_before_a_post_goes_out(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "x", "POST", "https://a.example/find", b"q=x"), "{}", NOW
    )
    assert number is not None
    said: list[str] = []
    store.db.set_trace_callback(said.append)

    store.submissions.mark_sent(number, NOW)

    steps = [line.split("=")[-1].split()[0] for line in said if line.startswith(("PRAGMA", "COMMIT"))]
    assert steps == ["COMMIT", "FULL", "COMMIT", "NORMAL"]


def test_get_that_was_under_way_is_sent_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, HttpQuery((), "x", url="https://a.example/find?q=x"), "{}", NOW)
        errands(store)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [errand.kind for errand in errands(store)] == ["answer"]


# Pages


def test_same_text_at_another_address_is_an_exact_duplicate(store: Store) -> None:
    first, second = seeded(store, "https://a.example/1", "https://a.example/2")
    number = keep(store, visit(first, "one and the same"))
    page = visit(second, "one and  the\nsame").page
    assert page is not None

    found = store.pages.find_duplicate(second.site, second.link, page)
    assert found is not None
    assert (found.page, found.exact) == (number, True)
    assert store.pages.find_duplicate(first.site, first.link, page) is None


def test_nearly_the_same_text_is_a_near_duplicate_and_another_one_is_not(store: Store) -> None:
    words = [f"word{n}" for n in range(400)]
    first, second = seeded(store, "https://a.example/1", "https://a.example/2")
    number = keep(store, visit(first, " ".join(words)))
    near = visit(second, " ".join([*words[:200], "other", *words[201:]])).page
    far = visit(second, " ".join([*words[:200], *(f"else{n}" for n in range(200))])).page
    assert near is not None
    assert far is not None

    found = store.pages.find_duplicate(second.site, second.link, near)
    assert found is not None
    assert (found.page, found.exact) == (number, False)
    assert store.pages.find_duplicate(second.site, second.link, far) is None


def test_pages_of_other_sites_are_no_duplicates(store: Store) -> None:
    first, second = seeded(store, "https://a.example/", "https://b.example/")
    keep(store, visit(first, "one and the same text of some length"))
    page = visit(second, "one and the same text of some length").page
    assert page is not None

    assert store.pages.find_duplicate(second.site, second.link, page) is None


def test_page_seen_again_keeps_a_version_only_if_it_changed(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")

    numbers = {keep(store, visit(errand, text)) for text in ("old", "old", "new")}

    assert len(numbers) == 1
    assert store.rows("SELECT count(*) FROM versions") == [(2,)]
    assert store.pages.load_source("https://a.example/") == PageSource(b"<p>new")


def test_source_of_a_page_comes_back_with_what_the_server_said_about_it(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")

    keep(store, visit(errand, "text", content_type="text/html; charset=iso-8859-7"))

    assert store.pages.load_source("https://a.example/") == PageSource(
        b"<p>text", "text/html; charset=iso-8859-7"
    )
    assert store.pages.load_source("https://a.example/other") is None


def test_duplicate_has_a_row_and_no_content(store: Store) -> None:
    first, second = seeded(store, "https://a.example/1", "https://a.example/2")
    number = keep(store, visit(first, "text"))

    keep(store, visit(second, "text", duplicate_of=number))

    assert store.rows("SELECT duplicate_of FROM pages ORDER BY id") == [(None,), (number,)]
    assert store.rows("SELECT count(*) FROM versions") == [(1,)]


# Forms, questions, records


def test_form_comes_back_as_it_was(store: Store) -> None:
    site = store.sites.want("https://a.example/")

    number = store.forms.save(site, FORM, Verdict(True, "search", why=("it says so",)), NOW)

    known = store.forms.load(number)
    assert known is not None
    assert known.form == FORM
    assert known.verdict == Verdict(True, "search", why=("it says so",))
    assert known.domain == "a.example"
    assert store.forms.find(site, replace(FORM, page_url="https://a.example/other")) == known


def test_a_form_is_kept_without_what_every_form_has() -> None:
    options = (Option("1", "One"), Option("", "Any", True))
    field = Field(
        "in", "select", label="In", options=options, hints=(LabelHint("before", "In"),), suggestions=("a",)
    )
    form = Form("http://a.example/", "http://a.example/s", "GET", (field, Field("q", "text")))

    kept = form_as_json(form)

    assert form_from_json(kept) == form
    assert json.loads(kept)["fields"][1] == {"name": "q", "kind": "text"}
    assert form_from_json(json.dumps(asdict(form))) == form


def test_form_from_json_needs_no_pickle() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        form_from_json("cos\nsystem\n")


def test_an_answer_is_one_step_farther_than_the_page_of_its_form_and_waits_where_it_is_put(
    store: Store,
) -> None:
    seeded(store, "https://a.example/")
    page = "https://a.example/search"
    store.frontier.add([TaskSeed(page, hops=3)])
    site = store.sites.find_site(page)
    assert site is not None
    form = store.forms.save(
        site, Form(page, page, "GET", (Field("q", "text"),)), Verdict(True, "search"), NOW
    )

    store.submissions.plan(form, HttpQuery((), "x", url=f"{page}?q=x"), "{}", NOW, bucket=9)

    assert store.rows("SELECT hops, bucket FROM links WHERE kind = 'answer'") == [(4, 9)]


def test_question_is_asked_once(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    query = HttpQuery((("q", "wine"),), "wine", url="https://a.example/find?q=wine")

    first, second = (
        store.submissions.plan(form, query, "{}", NOW),
        store.submissions.plan(form, query, "{}", NOW),
    )

    assert first is not None
    assert second is None
    known = store.submissions.load(first)
    assert known is not None
    assert known.query == query


def test_form_is_being_asked_until_the_last_page_of_its_answer(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW
    )
    (errand,) = errands(store)
    assert store.submissions.has_open(form)
    assert not store.submissions.has_open(form, but=errand)
    assert number is not None
    store.frontier.add(
        [TaskSeed("https://a.example/find?q=wine&p=2", "paging", submission=number, page_number=2)]
    )
    store.submissions.mark_answered(number, "paged", "", NOW)
    store.frontier.finish(errand)
    assert store.submissions.has_open(form)

    store.frontier.finish(errands(store)[0])

    assert not store.submissions.has_open(form)


def test_record_is_kept_once_whatever_brought_it(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    record = Record("key", "title", "text", "https://a.example/5")

    first = store.records.save(site, [record, record], submission=None, page=None, at=NOW)
    second = store.records.save(site, [record], submission=None, page=None, at=NOW + 1)

    assert [kept for _, kept in first] == [record]
    assert second == []
    assert store.rows("SELECT times, last_seen FROM records") == [(3, NOW + 1)]
    assert store.records.find_known(site, ["key", "other"]) == {"key"}


# The outbox


def test_outbox_tells_what_is_new_and_in_order(store: Store) -> None:
    first, second = seeded(store, "https://a.example/1", "https://a.example/2")
    for errand, text in ((first, "one"), (second, "two")):
        number = keep(store, visit(errand, text))
        assert store.outbox.save_page(number, errand.url, text, behind_form=False)
    store.commit()
    outbox = open_outbox(store.folder)

    told = outbox.after(0, 10)

    assert [(position, document.text) for position, document in told if not isinstance(document, str)] == [
        (1, "one"),
        (2, "two"),
    ]
    assert outbox.after(1, 10) == told[1:]
    assert [document.key for document in outbox.documents()] == [first.url, second.url]
    outbox.close()


def test_document_that_did_not_change_is_not_told_again(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")
    number = keep(store, visit(errand))

    told = [store.outbox.save_page(number, errand.url, digest, behind_form=False) for digest in "aab"]

    assert told == [True, False, True]


def test_record_gives_way_to_its_own_page_and_not_the_other_way_round(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/5")
    record = Record("https://a.example/5", "short", "in a list", "https://a.example/5")
    ((number, _),) = store.records.save(errand.site, [record], submission=None, page=None, at=NOW)
    assert store.outbox.save_record(number, record.key, "r")
    page = keep(store, visit(errand, "the whole text"))
    assert store.outbox.save_page(page, errand.url, "p", behind_form=True)

    assert not store.outbox.save_record(number, record.key, "r2")

    store.commit()
    outbox = open_outbox(store.folder)
    assert [(document.kind, document.text) for document in outbox.documents()] == [
        ("record", "the whole text")
    ]
    outbox.close()


def test_numbers_of_the_outbox_go_on_after_it_was_trimmed(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/")
    number = keep(store, visit(errand))
    store.outbox.save_page(number, errand.url, "a", behind_form=False)
    store.outbox.trim(1)
    store.outbox.save_page(number, errand.url, "b", behind_form=False)
    store.commit()
    outbox = open_outbox(store.folder)

    assert [position for position, _ in outbox.after(0, 10)] == [2]
    assert outbox.last() == 2
    outbox.close()


# Files


def test_state_is_for_its_owner_only(store: Store) -> None:
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_second_crawl_is_refused_and_told_who_is_there(store: Store) -> None:
    with pytest.raises(StateInUse, match=f"process {os.getpid()}.*HIDDENWEB_STATE"):
        Store(store.folder)


def test_state_can_be_read_beside_a_crawl(store: Store) -> None:
    seeded(store, "https://a.example/")
    store.commit()

    with Store(store.folder, write=False) as beside:
        assert beside.counts()["leased"] == 1


def test_lock_ends_with_the_process_however_it_ends(tmp_path: Path, root: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from hiddenweb.store.database import Store;"
        "store = Store(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=root, check=False)

    with Store(tmp_path) as store:
        assert store.counts()["pending"] == 0


def test_missing_state_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="scrapy crawl"):
        Store(tmp_path / "none", write=False)


def test_file_that_is_no_database_stays_untouched(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"my thesis " * 1000)

    with pytest.raises(ForeignState, match="not a readable SQLite file"):
        Store(tmp_path)

    assert (tmp_path / FILE).read_bytes() == b"my thesis " * 1000


def test_database_of_something_else_stays_untouched(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    db.close()
    before = (tmp_path / FILE).read_bytes()

    with pytest.raises(ForeignState, match="of something else"):
        Store(tmp_path)

    assert (tmp_path / FILE).read_bytes() == before


def test_state_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()

    with pytest.raises(ForeignState, match="newer hiddenweb"):
        Store(tmp_path)


def test_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StateError, match="cannot be used for the state"):
        Store(tmp_path / "file" / "state")


def test_a_state_of_version_1_is_brought_up_to_date_by_whoever_opens_it(tmp_path: Path) -> None:
    with Store(tmp_path / "new"):
        pass
    (tmp_path / "old").mkdir()
    db = sqlite3.connect(tmp_path / "old" / FILE)
    db.executescript(migration.load_migrations()[1])
    db.executescript((Path(__file__).parent / "states" / "version-1.sql").read_text(encoding="utf-8"))
    db.execute(f"PRAGMA application_id = {migration.APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()

    with Store(tmp_path / "old", write=False) as store:
        (known,) = store.forms.load_all()
        asked = store.submissions.load(3)

    assert (known.id, known.verdict, known.state, known.why) == (
        7, Verdict(True, "search"), "querying", "it has one text box",
    )  # fmt: skip
    assert asked is not None
    assert asked.query.keyword == "wine"
    assert described(tmp_path / "old" / FILE) == described(tmp_path / "new" / FILE)


def described(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the columns and the indexes of every table."""
    db = sqlite3.connect(path)
    tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {
        name: sorted(row[1:5] for row in db.execute(f"PRAGMA table_info({name})"))
        + [tuple(row[2:4]) for row in db.execute(f"PRAGMA index_list({name})")]
        for name in tables
    }
    found["version"] = db.execute("PRAGMA user_version").fetchall()
    db.close()
    return found


def test_migrations_run_in_order_and_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA user_version = 1")

    migrate(
        db, path, {2: "CREATE TABLE a (x);", 3: "ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2);"}
    )
    with pytest.raises(StateError, match="from version 3 to 4"):
        migrate(db, path, {2: "", 3: "", 4: "INSERT INTO a VALUES (3, 4); INSERT INTO nowhere VALUES (1);"})

    assert db.execute("SELECT * FROM a").fetchall() == [(1, 2)]
    assert db.execute("PRAGMA user_version").fetchone() == (3,)
    db.close()


def test_form_asked_enough_is_taken_up_when_more_is_allowed(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    store.submissions.plan(form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW)
    store.forms.end(form, "asked 1 times", for_now=True)

    assert list(store.forms.find_open(1)) == []
    assert [known.id for known in store.forms.find_open(2)] == [form]


def test_form_left_alone_is_asked_when_it_is_judged_otherwise_later(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    posted = replace(FORM, method="POST", action="https://a.example/find")
    form = store.forms.save(
        site, posted, Verdict(False, "search", why=("it searches",), refusals=("POST",)), NOW
    )
    assert [known.id for known in store.forms.find_to_judge_again({"a.example"})] == [form]
    assert store.forms.find_to_judge_again({"b.example"}) == store.forms.find_to_judge_again(()) == []

    store.forms.save(site, posted, Verdict(True, "search"), NOW)

    assert [known.state for known in store.forms.find_open(10)] == ["found"]


@pytest.mark.parametrize(
    ("form", "hosts", "again"),
    [
        (Form("https://a.example/", "https://a.example/find", "POST"), ["a.example"], False),
        (Form("https://a.example/", "https://a.example/find", "POST"), [], True),
        (Form("https://a.example/", "https://a.example/find", "POST"), ["b.a.example"], True),
        (Form("https://a.example/", "https://a.example/find", "GET"), [], False),
        (  # the button goes before the form
            Form(
                "https://a.example/", "https://a.example/find", "GET",
                (Field("", "submit", form_action="https://b.a.example/find", form_method="POST"),),
            ),
            ["a.example"],
            True,
        ),
    ],
    ids=["still allowed", "no longer allowed", "another host is allowed", "by GET", "by its button"],
)  # fmt: skip
def test_form_that_is_asked_is_judged_again_when_its_host_no_longer_allows_post(
    store: Store, form: Form, hosts: list[str], again: bool
) -> None:
    site = store.sites.want("https://a.example/")
    button = 0 if form.fields else None
    number = store.forms.save(site, form, Verdict(True, "search", button=button, why=("so",)), NOW)

    assert [known.id for known in store.forms.find_to_judge_again(hosts)] == ([number] if again else [])


def test_knowledge_that_was_forgotten_leaves_nothing_behind(store: Store) -> None:
    store.knowledge.put("values", "colour", "red")
    store.knowledge.put("values", "size", "large")
    store.knowledge.put("values", "colour", "")
    store.knowledge.put("values", "never known", "")

    assert store.knowledge.load_all("values") == [("size", "large")]
    assert store.knowledge.get("values", "colour") is None


def test_second_crawl_in_one_process_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = store.runs.begin("first", NOW)
        with pytest.raises(StateInUse, match="another crawl of this process"):
            store.runs.begin("second", NOW)

        store.runs.end(run, "finished", NOW)
        store.runs.begin("third", NOW)


def test_missed_links_are_tried_again_by_the_next_run_and_a_post_is_not(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        (page,) = seeded(store, "https://a.example/")
        form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, query, "{}", NOW)
        (posted,) = errands(store)
        for errand in (page, posted):
            store.frontier.fail(FetchFailure(errand, "no connection", NOW))
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [errand.url for errand in errands(store)] == ["https://a.example/"]


def test_redirect_of_a_post_is_followed_after_a_kill(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        number = store.submissions.plan(form, query, "{}", NOW)
        assert number is not None
        (posted,) = errands(store)
        store.submissions.mark_sent(number, NOW)
        store.frontier.add([TaskSeed("https://a.example/found/7", "answer", redirects=1, submission=number)])
        store.frontier.finish(posted)
        errands(store)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [errand.url for errand in errands(store)] == ["https://a.example/found/7"]


def next_by_post(submission: int | None, body: bytes = b"q=x&page=2") -> PostSeed:
    link = TaskSeed("https://a.example/find", "paging", submission=submission, page_number=2)
    return PostSeed(link, body, "application/x-www-form-urlencoded")


def asked_once(store: Store) -> int:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "x", "POST", "https://a.example/find", b"q=x"), "{}", NOW
    )
    assert number is not None
    store.submissions.mark_answered(number, "paged", "", NOW)
    store.frontier.finish(errands(store)[0])
    return number


def test_further_pages_by_post_are_told_apart_by_what_is_sent_and_by_their_question(store: Store) -> None:
    number = asked_once(store)

    added = [
        store.frontier.add_post(next_by_post(number)),
        store.frontier.add_post(next_by_post(number)),
        store.frontier.add_post(next_by_post(number, b"q=x&page=3")),
        store.frontier.add_post(next_by_post(number + 1)),
    ]

    assert added == [True, False, True, True]
    posts = [post for errand in errands(store) if (post := store.frontier.load_post(errand))]
    assert [post.body for post in posts] == [b"q=x&page=2", b"q=x&page=3", b"q=x&page=2"]


@pytest.mark.parametrize("is_sent", [True, False], ids=["which may have been sent", "which was not sent yet"])
def test_after_a_kill_a_further_page_by_post(tmp_path: Path, is_sent: bool) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        store.frontier.add_post(next_by_post(asked_once(store)))
        (errand,) = errands(store)
        if is_sent:
            store.frontier.mark_post_sent(errand, NOW)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert len(errands(store)) == (0 if is_sent else 1)
    with Store(tmp_path) as store:
        store.runs.begin("third", NOW)
        store.sites.want("https://a.example/")

        assert len(errands(store)) == (0 if is_sent else 1)


def test_question_goes_out_with_other_hidden_values_and_stays_the_same_question(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    query = HttpQuery((("q", "x"),), "x", url="https://a.example/find?q=x&csrf=1")
    number = store.submissions.plan(form, query, "{}", NOW)
    assert number is not None
    (errand,) = errands(store)

    store.submissions.update_request(errand, number, replace(query, url="https://a.example/find?q=x&csrf=2"))
    store.frontier.release([errand])

    assert [again.url for again in errands(store)] == ["https://a.example/find?q=x&csrf=2"]
    renewed = store.submissions.load(number)
    assert renewed is not None
    assert renewed.query.url == "https://a.example/find?q=x&csrf=2"
    assert not store.submissions.can_plan(query)


def test_question_whose_request_is_gone_does_not_hold_its_form(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW)
        store.frontier.refuse(errands(store)[0], "robots.txt forbids it")
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        assert not store.submissions.has_open(form)


def test_page_under_way_that_becomes_a_question_is_asked_however_it_ends(store: Store) -> None:
    query = HttpQuery((), "wine", url="https://a.example/find?q=wine")
    (page,) = seeded(store, query.url)
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(form, query, "{}", NOW)

    store.frontier.fail(FetchFailure(page, "no connection", NOW))

    assert [(errand.kind, errand.submission) for errand in errands(store)] == [("answer", number)]


@pytest.mark.parametrize("is_done", [False, True])
def test_page_that_becomes_a_further_page_of_an_answer_is_read_as_that(store: Store, is_done: bool) -> None:
    (page,) = seeded(store, "https://a.example/list?page=2")
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(form, HttpQuery((), "", url="https://a.example/list?q="), "{}", NOW)
    (asked,) = errands(store)
    further = TaskSeed(page.url, "paging", submission=number, page_number=2)
    if is_done:
        store.frontier.finish(page)

    assert store.frontier.can_continue_answer(further.url)
    assert store.frontier.add([further]).new
    if not is_done:
        store.frontier.finish(page)

    assert [(each.kind, each.page_number, each.submission) for each in errands(store)] == [
        ("paging", 2, number)
    ]
    assert not store.frontier.can_continue_answer(further.url)
    assert not store.frontier.can_continue_answer(asked.url)
    assert not store.frontier.add([further]).new  # an answer that leads back to its own pages ends


def test_sites_reached_through_several_redirects_come_back_with_the_seed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        first = store.sites.want("https://a.example/")
        second = store.sites.want("https://b.example/", via=first)
        third = store.sites.want("https://c.example/", via=second)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        store.sites.want("https://a.example/")

        assert not store.sites.is_left(second)
        assert not store.sites.is_left(third)


def test_attributes_of_a_record_are_told_to_the_index_and_sources_have_the_first_word(store: Store) -> None:
    (errand,) = seeded(store, "https://a.example/item/1")
    said = (("author", "Jane"), ("author", "Joe"), ("price", "12"))
    record = Record(
        "https://a.example/item/1", "River", "River Jane", "https://a.example/item/1", attributes=said
    )
    ((number, _),) = store.records.save(errand.site, [record], submission=None, page=None, at=NOW)
    page = keep(store, visit(errand, "River by Jane"))
    store.outbox.save_page(page, errand.url, "digest", behind_form=True, record=number)
    store.write(
        "INSERT INTO extractions (extractor, page, place, at, deviates, attributes) VALUES (1, ?, 0, ?, 0, ?)",
        (page, NOW, json.dumps({"price": ["12.50"]})),
    )
    store.commit()

    (document,) = open_outbox(store.folder).documents()

    assert document.attributes == (("price", "12.50"), ("author", "Jane"), ("author", "Joe"))


# What a site may cost, by kind


def test_queries_are_leased_alone_so_that_what_follows_from_them_comes_next(store: Store) -> None:
    store.sites.want("https://a.example/")
    page, record = TaskSeed("https://a.example/1", "page", 1), TaskSeed("https://a.example/2", "record", 4)
    asked = TaskSeed("https://a.example/find?q=sea", "paging", 0)
    store.frontier.add([page, record, asked])
    host = store.sites.find_host(page.url) or 0

    first, _ = store.frontier.lease(host, 10, NOW)
    then, _ = store.frontier.lease(host, 10, NOW)

    assert [errand.url for errand in first] == [asked.url]
    assert [errand.url for errand in then] == [page.url, record.url]


def test_a_kind_of_links_whose_budget_is_spent_waits_while_others_are_leased(store: Store) -> None:
    store.sites.want("https://a.example/")
    kinds: tuple[TaskKind, ...] = ("page", "record", "answer")
    links = [TaskSeed(f"https://a.example/{kind}", kind, int(kind != "answer")) for kind in kinds]
    store.frontier.add(links)
    host, site = store.sites.find_host(links[0].url) or 0, store.sites.find_site(links[0].url) or 0

    store.sites.stop(site, "page", "its budget is spent")
    leased = store.frontier.lease(host, 10, NOW)[0] + store.frontier.lease(host, 10, NOW)[0]
    store.sites.leave_stopped()

    assert {errand.kind for errand in leased} == {"record", "answer"}
    assert store.rows("SELECT left FROM sites WHERE id = ?", (site,)) == [("its budget is spent",)]


def test_pages_are_counted_by_kind_and_only_explored_ones_can_bring_nothing_new(store: Store) -> None:
    site = store.sites.want("https://a.example/")

    store.sites.count_page(site, new=False)
    store.sites.count_page(site, new=False, kind="answer")
    progress = store.sites.count_page(site, new=True, kind="record")

    assert (progress.pages, progress.explored, progress.record_pages, progress.nothing_new) == (3, 1, 1, 1)
    assert store.sites.load_progress(site) == progress


@pytest.mark.parametrize(
    ("method", "first", "second", "is_own"),
    [
        ("GET", "https://a.example/found", "https://a.example/found", False),
        ("POST", "https://a.example/found", "https://a.example/found", True),
        ("GET", f"https://a.example/found?sid={'a' * 32}", f"https://a.example/found?sid={'b' * 32}", True),
    ],
    ids=["all is in the address", "nothing is in the address", "what looks like a session"],
)
def test_an_address_is_the_answer_of_another_question_if_it_does_not_say_what_was_asked(
    store: Store, method: str, first: str, second: str, *, is_own: bool
) -> None:
    (page,) = seeded(store, "https://a.example/")
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    asked = [
        store.submissions.plan(
            form, HttpQuery((("q", word),), word, method, f"https://a.example/find?q={word}"), "{}", NOW
        )
        for word in ("wine", "beer")
    ]
    assert asked[0] is not None
    assert asked[1] is not None
    store.frontier.add([TaskSeed(first, "answer", redirects=1, submission=asked[0])])

    assert store.frontier.can_become_answer(second, asked[1]) is is_own
    assert (
        bool(store.frontier.add([TaskSeed(second, "answer", redirects=1, submission=asked[1])]).new) is is_own
    )
    assert not store.frontier.can_become_answer(second, asked[1])
    assert not store.frontier.can_continue_answer(second, asked[1])
