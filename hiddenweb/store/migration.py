"""How a store comes to its tables: a new one from schema.sql, one of an earlier version step by step."""

from __future__ import annotations

import sqlite3
import struct
from importlib import resources
from typing import TYPE_CHECKING

import zstandard

from hiddenweb.near_duplicates.sketch import pack_sketch, sketch
from hiddenweb.store import near_duplicates
from hiddenweb.store.errors import ForeignState, StateError
from hiddenweb.store.near_duplicates import MOST_IN_BAND
from hiddenweb.store.versions import hash_of_content, text_of_content

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

APPLICATION_ID = 0x68776562  # "hweb"

MIGRATIONS: dict[int, str] = {
    # What a form is taken for gets a probability and reasons; a question is told from another by all that is filled in; a page
    # that is read again needs what the server said about its charset.
    1: """
ALTER TABLE versions ADD COLUMN content_type TEXT NOT NULL DEFAULT '';
ALTER TABLE forms RENAME COLUMN purpose TO kind;
ALTER TABLE forms ADD COLUMN probability REAL NOT NULL DEFAULT 0;
ALTER TABLE forms ADD COLUMN verdict TEXT NOT NULL DEFAULT '';
CREATE TABLE submissions_of_2 (
    id INTEGER PRIMARY KEY,
    form INTEGER NOT NULL REFERENCES forms (id),
    keyword TEXT NOT NULL,
    filled TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    state TEXT NOT NULL,
    planned REAL NOT NULL,
    sent REAL,
    answered REAL,
    outcome TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',
    total INTEGER,
    pages INTEGER NOT NULL DEFAULT 0,
    new_records INTEGER NOT NULL DEFAULT 0,
    seen_records INTEGER NOT NULL DEFAULT 0,
    UNIQUE (form, keyword, filled)
);
INSERT INTO submissions_of_2
    SELECT id, form, keyword, filled, method, url, body, content_type, state, planned, sent, answered, outcome, why, total, pages,
        new_records, seen_records FROM submissions;
DROP TABLE submissions;
ALTER TABLE submissions_of_2 RENAME TO submissions;
""",
    # Links keep what they say, for ranking; two stages keep their candidates, what became of sites, and what they learnt.
    2: """
ALTER TABLE links ADD COLUMN anchor TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN around TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN tag_path TEXT NOT NULL DEFAULT '';
CREATE INDEX links_of_host ON links (host);
CREATE INDEX sites_via ON sites (via) WHERE via IS NOT NULL;
CREATE TABLE candidates (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    queue INTEGER NOT NULL,
    rank REAL NOT NULL,
    candidate TEXT NOT NULL,
    UNIQUE (topic, key)
);
CREATE INDEX candidates_by_rank ON candidates (topic, queue, rank DESC, key);
CREATE TABLE explored (
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    kind INTEGER NOT NULL,
    seed INTEGER NOT NULL DEFAULT 0,
    candidate TEXT NOT NULL,
    progress TEXT NOT NULL DEFAULT '[]',
    barren INTEGER NOT NULL DEFAULT 0,
    features TEXT NOT NULL DEFAULT '[]',
    forms INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',
    opened REAL NOT NULL,
    ended TEXT,
    PRIMARY KEY (topic, key)
) WITHOUT ROWID;
CREATE TABLE site_links (
    topic TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY (topic, source, target)
) WITHOUT ROWID;
CREATE INDEX site_links_to ON site_links (target);
CREATE TABLE form_topics (
    form INTEGER NOT NULL REFERENCES forms (id),
    topic TEXT NOT NULL,
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    PRIMARY KEY (form, topic)
) WITHOUT ROWID;
CREATE TABLE learnt (
    topic TEXT NOT NULL,
    part TEXT NOT NULL,
    term TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (topic, part, term)
) WITHOUT ROWID;
""",
    # Answers can be gone on with; forms say how much of their database is known, and their records are found. Records know
    # their own pages, and links to those the question that brought them. Further pages of answers are asked for by POST, each at most once.
    3: """
ALTER TABLE forms ADD COLUMN coverage TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN next_url TEXT;
ALTER TABLE submissions ADD COLUMN next_page INTEGER;
ALTER TABLE submissions ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX records_of_submission ON records (submission);
ALTER TABLE records ADD COLUMN link INTEGER;
ALTER TABLE records ADD COLUMN detail TEXT;
CREATE INDEX records_by_link ON records (link) WHERE link IS NOT NULL;
UPDATE links SET submission = (SELECT p.submission FROM links p WHERE p.id = links.parent) WHERE kind = 'record';
CREATE TABLE page_posts (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    sent REAL
);
""",
    # Near-duplicates meet in sixteen short bands instead of eight long ones, a template no longer fills them, and it is said why a page repeats another.
    4: f"""
DELETE FROM bands;
DELETE FROM sketches;
INSERT OR IGNORE INTO sketches
    SELECT page, sketch_of_content(content) FROM versions WHERE id IN (SELECT max(id) FROM versions GROUP BY page)
        AND page IN (SELECT id FROM pages WHERE kind IN ('page', 'record'));
INSERT INTO bands
    SELECT band, page FROM (
        SELECT value AS band, page, row_number() OVER (PARTITION BY value ORDER BY page) AS place
        FROM sketches JOIN pages ON pages.id = sketches.page, json_each(band_keys(site, sketch))
    ) WHERE place <= {MOST_IN_BAND};
ALTER TABLE pages ADD COLUMN duplicate_why TEXT NOT NULL DEFAULT '';
""",
    # Pages are looked at again: what is known for that, what is planned, and what changed.
    5: """
CREATE TABLE looks (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    at REAL NOT NULL,
    looks INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    step TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    known TEXT NOT NULL,
    version BLOB NOT NULL,
    odds BLOB NOT NULL
);

CREATE TABLE due (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    host INTEGER NOT NULL,
    not_before REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    expected REAL NOT NULL
);
CREATE INDEX due_of_host ON due (host, leased, not_before);

CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    site INTEGER NOT NULL REFERENCES sites (id),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    old INTEGER,
    new INTEGER,
    noise TEXT NOT NULL DEFAULT '',
    change TEXT NOT NULL
);
CREATE INDEX changes_by_time ON changes (at);
CREATE INDEX changes_of_site ON changes (site, at);
""",
    # Each content is kept once, whatever pages and times have it; versions have titles.
    6: """
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    content BLOB NOT NULL
);
CREATE TEMP TABLE hashed AS SELECT id, hash_of_content(content) AS hash FROM versions;
INSERT INTO contents (id, hash, content)
    SELECT versions.id, hash, content FROM (SELECT min(id) AS id, hash FROM hashed GROUP BY hash) JOIN versions USING (id) ORDER BY id;
CREATE TABLE versions_of_7 (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content INTEGER NOT NULL REFERENCES contents (id),
    content_type TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT ''
);
INSERT INTO versions_of_7
    SELECT versions.id, page, at, versions.fingerprint, contents.id, content_type, CASE WHEN versions.id =
        (SELECT max(id) FROM versions newest WHERE newest.page = versions.page) THEN coalesce(pages.title, '') ELSE '' END
    FROM versions JOIN hashed ON hashed.id = versions.id JOIN contents USING (hash) LEFT JOIN pages ON pages.id = versions.page
    ORDER BY versions.id;
DROP TABLE temp.hashed;
DROP TABLE versions;
ALTER TABLE versions_of_7 RENAME TO versions;
CREATE INDEX versions_of_page ON versions (page, id);
CREATE INDEX versions_of_content ON versions (content);
""",
    # A plan keeps what each look was to gain, and what a sitemap had said; sitemaps keep what they say of known pages; requests are counted by the minute.
    7: """
ALTER TABLE due ADD COLUMN gain REAL NOT NULL DEFAULT 0;
ALTER TABLE due ADD COLUMN said INTEGER NOT NULL DEFAULT 0;
CREATE TABLE sitemaps (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    asked REAL NOT NULL,
    read REAL,
    parts TEXT NOT NULL DEFAULT '[]',
    why TEXT NOT NULL DEFAULT '',
    UNIQUE (host, url)
);
CREATE TABLE sitemap_dates (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    sitemap INTEGER NOT NULL REFERENCES sitemaps (id),
    modified REAL NOT NULL
);
CREATE INDEX dates_of_sitemap ON sitemap_dates (sitemap);
CREATE TABLE spent (
    minute INTEGER PRIMARY KEY,
    requests INTEGER NOT NULL
);
""",
    # Records have attributes; what is taken from pages of one kind, what they said, and what happened to their templates.
    8: """
ALTER TABLE records ADD COLUMN attributes TEXT NOT NULL DEFAULT '[]';
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    made_by TEXT NOT NULL,
    form INTEGER,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    added REAL NOT NULL,
    region TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    pages TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sources_of_domain ON sources (domain);
CREATE TABLE extracted (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    page INTEGER NOT NULL REFERENCES pages (id),
    place INTEGER NOT NULL,
    at REAL NOT NULL,
    deviates INTEGER NOT NULL,
    record INTEGER,
    attributes TEXT NOT NULL
);
CREATE INDEX extracted_of_page ON extracted (page, source, place);
CREATE INDEX extracted_of_source ON extracted (source, id);
CREATE TABLE template_events (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    told TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX events_of_source ON template_events (source, id);
""",
    # Pages that links lead to and own pages of records have budgets of their own. Records are known with all answers that show
    # them, and what became of the records of an answer is kept for each look.
    9: """
ALTER TABLE sites ADD COLUMN explored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sites ADD COLUMN record_pages INTEGER NOT NULL DEFAULT 0;
UPDATE sites SET explored = pages;
ALTER TABLE records ADD COLUMN gone REAL;
CREATE TABLE shown (
    record INTEGER NOT NULL,
    submission INTEGER NOT NULL,
    missing REAL,
    proof INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (record, submission)
) WITHOUT ROWID;
INSERT INTO shown (record, submission) SELECT id, submission FROM records WHERE submission IS NOT NULL;
CREATE INDEX shown_in_answer ON shown (submission);
ALTER TABLE due ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
ALTER TABLE changes ADD COLUMN record INTEGER;
ALTER TABLE changes ADD COLUMN submission INTEGER;
CREATE INDEX changes_of_record ON changes (record) WHERE record IS NOT NULL;
CREATE TABLE answer_looks (
    submission INTEGER NOT NULL REFERENCES submissions (id),
    at REAL NOT NULL,
    pages INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    not_seen INTEGER NOT NULL,
    PRIMARY KEY (submission, at)
) WITHOUT ROWID;
""",
}
"""SQL that takes a file from the version it names to the next one; schema.sql always has the newest."""

_SCHEMA = resources.files("hiddenweb.store") / "schema.sql"


def check_ours(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of something else, or of a newer version."""
    found = db.execute("PRAGMA application_id").fetchone()[0]
    if found != APPLICATION_ID:
        raise ForeignState(
            f"{path}: is an SQLite file of something else (application id {found}); it stays untouched"
        )
    version, ours = db.execute("PRAGMA user_version").fetchone()[0], last_version(MIGRATIONS)
    if version > ours:
        raise ForeignState(
            f"{path}: was written by a newer hiddenweb (version {version} of the state, this one knows {ours})"
        )


def last_version(migrations: Mapping[int, str]) -> int:
    """Return the version that a file has after all steps."""
    return max(migrations, default=0) + 1


def create(db: sqlite3.Connection) -> None:
    """Give a new file its tables."""
    db.execute("BEGIN IMMEDIATE")
    for statement in _statements(_SCHEMA.read_text(encoding="utf-8")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {last_version(MIGRATIONS)}")
    db.execute("COMMIT")


def migrate(db: sqlite3.Connection, path: Path, migrations: Mapping[int, str]) -> None:
    """Bring a file up to date, one version and one transaction at a time."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    db.create_function("sketch_of_content", 1, _sketch_of_content, deterministic=True)
    db.create_function("hash_of_content", 1, hash_of_content, deterministic=True)
    db.create_function("band_keys", 2, near_duplicates.as_json, deterministic=True)
    for step in range(version, last_version(migrations)):
        if step not in migrations:
            raise ForeignState(f"{path}: there is no way from version {step} of the state to {step + 1}")
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in _statements(migrations[step]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {step + 1}")
        except sqlite3.Error as error:
            db.execute("ROLLBACK")
            raise StateError(
                f"{path}: cannot be brought from version {step} to {step + 1}: {error}"
            ) from error
        db.execute("COMMIT")


def _sketch_of_content(content: bytes) -> bytes | None:
    """Return the sketch of a kept text; None if it has no words, or is damaged."""
    try:
        return pack_sketch(sketch(text_of_content(content))) or None
    except (zstandard.ZstdError, struct.error, UnicodeDecodeError):
        return None


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for part in script.split(";")[:-1]:
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
