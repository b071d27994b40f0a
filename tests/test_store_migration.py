from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from hiddenweb.forms.multi_step import ENOUGH
from hiddenweb.forms.stored_form import form_as_json, form_hash
from hiddenweb.model import Field, Form, Verdict
from hiddenweb.spiders.revisit import RevisitBudget
from hiddenweb.store import migration
from hiddenweb.store.chosen_forms import ONLY_QUERIED
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.frontier import SKIPPED
from hiddenweb.store.migration import migrate
from hiddenweb.store.sqlite_file import FILE


def test_a_state_of_version_1_is_migrated_when_it_is_opened(tmp_path: Path) -> None:
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
        (form,) = store.forms.load_all()
        submission = store.submissions.load(3)

    assert (form.id, form.verdict, form.state, form.why) == (
        7, Verdict(True, "search"), "querying", "it has one text box",
    )  # fmt: skip
    assert submission is not None
    assert submission.query.keyword == "wine"
    assert described(tmp_path / "old" / FILE) == described(tmp_path / "new" / FILE)


def test_a_verdict_of_version_11_says_whether_the_form_may_be_submitted() -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute("CREATE TABLE forms (id INTEGER PRIMARY KEY, ask INTEGER NOT NULL, verdict TEXT NOT NULL)")
    for verdict in ('{"ask": true, "kind": "search"}', '{"ask": false, "kind": "login"}', ""):
        db.execute("INSERT INTO forms (ask, verdict) VALUES (?, ?)", ("true" in verdict, verdict))
    db.execute("PRAGMA user_version = 11")

    migrate(db, Path("old.sqlite"), {12: migration.load_migrations()[12]})

    rows = db.execute("SELECT may_submit, verdict FROM forms ORDER BY id").fetchall()
    assert [(may_submit, json.loads(verdict or "{}")) for may_submit, verdict in rows] == [
        (1, {"kind": "search", "may_submit": True}),
        (0, {"kind": "login", "may_submit": False}),
        (0, {}),
    ]


def test_what_code_compares_with_a_state_of_version_12_has_the_words_of_today() -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(
        "CREATE TABLE links (why TEXT); CREATE TABLE sites (left TEXT); CREATE TABLE forms (verdict TEXT, why TEXT);"
        " CREATE TABLE knowledge (part TEXT, value TEXT); CREATE TABLE extractors (why TEXT);"
        " CREATE TABLE template_events (summary TEXT); PRAGMA user_version = 12;"
    )
    db.execute(
        "INSERT INTO links VALUES ('answers tell enough of its record (HIDDENWEB_DETAILS)'), ('status 404')"
    )
    db.execute("INSERT INTO sites VALUES ('only forms of it were asked'), (NULL)")
    enough = "the question before it leads to many such forms, and no more are followed"
    db.execute("INSERT INTO forms VALUES (?, ?)", (json.dumps({"refusals": ["it is long", enough]}), enough))
    plans = ("Budget(requests=500, by_day=False) []", "Budget(requests=7, by_day=True) ['a.example']", "")
    db.executemany(
        "INSERT INTO knowledge VALUES ('plan', ?)", [(json.dumps({"wanted": plan}),) for plan in plans]
    )
    advice = "on none of 9 new pages: choose a new region (scrapy regions add)"
    db.execute("INSERT INTO extractors VALUES (?)", (advice,))
    db.execute("INSERT INTO template_events VALUES (?)", (advice,))

    migrate(db, Path("old.sqlite"), {13: migration.load_migrations()[13]})

    assert db.execute("SELECT why FROM links").fetchall() == [(SKIPPED,), ("status 404",)]
    assert db.execute("SELECT left FROM sites").fetchall() == [(ONLY_QUERIED,), (None,)]
    [(verdict, why)] = db.execute("SELECT verdict, why FROM forms").fetchall()
    assert (json.loads(verdict)["refusals"], why) == (["it is long", ENOUGH], ENOUGH)
    assert [json.loads(row[0])["wanted"] for row in db.execute("SELECT value FROM knowledge")] == [
        f"{RevisitBudget(500)} []", f"{RevisitBudget(7, by_day=True)} ['a.example']", "",
    ]  # fmt: skip
    shown = [
        row[0]
        for row in db.execute("SELECT why FROM extractors UNION ALL SELECT summary FROM template_events")
    ]
    assert shown == ["on none of 9 new pages: show the attributes again (scrapy extract add)"] * 2


def test_forms_of_a_state_of_version_13_are_known_again_and_records_keep_what_they_say() -> None:
    home = "http://a.example/list"
    field = Field("q", "search")
    first = Form(home, home, "GET", (field,))
    again = Form(f"{home}?sort=year", home, "GET", (field, Field("sort", "hidden", value="year")))
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(
        "CREATE TABLE forms (id INTEGER PRIMARY KEY, hash INTEGER, form TEXT, UNIQUE (hash));"
        'CREATE TABLE records (attributes TEXT); INSERT INTO records VALUES (\'[["year", "1999"]]\'); PRAGMA user_version = 13;'
    )
    more = replace(again, page_url=f"{home}?sort=title")
    for number, form in enumerate((*map(form_as_json, (first, again)), "not JSON", form_as_json(more)), 1):
        db.execute("INSERT INTO forms VALUES (?, ?, ?)", (number, number, form))

    migrate(db, Path("old.sqlite"), {14: migration.load_migrations()[14]})

    assert db.execute("SELECT id, hash FROM forms ORDER BY id").fetchall() == [
        (1, form_hash(first)), (2, form_hash(again)), (3, 3), (4, 4),
    ]  # fmt: skip
    assert db.execute("SELECT attributes, shown, listed, stated, conflicts FROM records").fetchall() == [
        ('[["year", "1999"]]', "[]", "", "", "")
    ]


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
