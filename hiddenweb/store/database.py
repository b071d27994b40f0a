"""The state of a crawl in one SQLite file: frontier, pages, forms, questions, records, outbox.

**Nothing is lost.** Links wait as *pending*, are *leased* while they are under way, and end as *done*, *missed* or
*refused*. The links of a page and its own "done" are written in one transaction, so a crawl that is killed at any
point finds the page either finished with all its links or still to be fetched. On opening, leases of a dead crawl
become pending again; only a POST that may have been sent does not.

**It is fast** because many pages share one transaction (`commit` is called a few times a second), because rows are
only appended, and because addresses met a moment ago are remembered in memory and do not reach the database at all.

**One writer.** A lock file belongs to the crawl; the indexing process and all commands read only. WAL lets them.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import struct
from dataclasses import asdict, dataclass, fields, is_dataclass
from importlib import resources
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, cast

import zstandard

from hiddenweb.forms.stored_form import (
    PagePost,
    StoredForm,
    Submission,
    filled_as_json,
    form_hash,
    query_hash,
)
from hiddenweb.forms.verdict import NOFOLLOW
from hiddenweb.frontier.scope import LAST
from hiddenweb.model import (
    CrawlTask,
    Field,
    Form,
    HttpQuery,
    IndexDocument,
    LabelHint,
    Option,
    TaskSeed,
    Verdict,
)
from hiddenweb.near_duplicates.compare import compare_texts
from hiddenweb.near_duplicates.sketch import NEAR, NEAR_IF_SHORT, SHORT, pack_sketch, sketch
from hiddenweb.revisit.versions import ALL
from hiddenweb.store import near_duplicates
from hiddenweb.store.near_duplicates import MOST_IN_BAND, NearDuplicateIndex
from hiddenweb.store.versions import (
    PageSource,
    VersionStore,
    hash_of_content,
    newest_content,
    text_of_content,
    unpacked_content,
)
from hiddenweb.urls import canonical_url, origin, registered_domain, text_hash, url_hash
from hiddenweb.urls import host as host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from hiddenweb.model import Fetched, FetchFailure, Page, PostSeed, Record, TaskKind
    from hiddenweb.revisit.versions import HistoryLimits
    from hiddenweb.store.near_duplicates import NearPageCandidate

ANSWERS = ("answer", "paging")
"""Kinds of links that come before all others: queries, and the further pages of their answers."""

FILE = "state.sqlite"
LOCK = "crawl.lock"
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

PENDING, LEASED, DONE, MISSED, REFUSED = range(5)

SPARED = "answers tell enough of its record (HIDDENWEB_DETAIL_PAGES)"
"""Why the page of a record is not fetched."""

REMEMBERED = 30_000
"""Addresses kept in memory as just met, twice this number at most."""

COMPARED = 4
"""Texts with which a new one is compared at most."""

SIBLINGS = 2
"""Pages with other titles that show what the template of two pages with one title is."""

LONGEST_REASON = 500
"""Letters of a reason that are kept: servers may say anything."""

_OUTSIDE = 0
_SCHEMA = resources.files("hiddenweb.store") / "schema.sql"


class StateError(RuntimeError):
    """The state cannot be used; the message says why and what to do."""


class NoState(StateError):
    """There is no state yet."""


class StateInUse(StateError):
    """Another crawl is writing this state."""


class ForeignState(StateError):
    """The file is not ours, or not readable by this version."""


@dataclass(frozen=True, slots=True)
class AddedLinks:
    """What became of links that were put into the frontier."""

    new: int = 0
    known: int = 0
    outside: int = 0  # of sites that are not explored
    links: tuple[TaskSeed, ...] = ()  # those that are new


@dataclass(frozen=True, slots=True)
class SiteProgress:
    """How many pages of a site were read, by all crawls."""

    pages: int  # of all kinds
    nothing_new: int  # in a row, of those that links led to
    explored: int  # that links led to
    record_pages: int


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host with links that wait."""

    id: int
    origin: str
    site: int
    paused_until: float
    paused_why: str


@dataclass(frozen=True, slots=True)
class DuplicatePage:
    """A page that says what another says."""

    page: int  # the other, which was there before
    exact: bool
    why: str


class Store:
    """An open state. `write=False` opens it for reading beside a running crawl."""

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        self.folder = folder
        self.path = folder / FILE
        if not write:
            _bring_up_to_date(folder)
        self._lock = _locked(folder) if write else None
        try:
            self._db = _connected(self.path, write=write)
        except BaseException:
            self._unlock()
            raise
        self._is_running = False
        self._near = NearDuplicateIndex(self._db)
        self._hosts = _Memo(REMEMBERED)
        self._met = _Memo(REMEMBERED)
        self._sites: dict[str, int] = {
            domain: number for number, domain in self._db.execute("SELECT id, domain FROM sites")
        }
        self._left = {row[0] for row in self._db.execute("SELECT id FROM sites WHERE left IS NOT NULL")}
        self._closed: dict[int, set[str]] = {
            int(site): set(json.loads(shapes))
            for site, shapes in self._db.execute(
                "SELECT subject, value FROM knowledge WHERE part = 'closed shapes'"
            )
        }
        self.versions = VersionStore(self._db)
        self._stopped: dict[
            int, dict[TaskKind, str]
        ] = {}  # by site: kinds of links that are not leased, and why
        self._sites_of_hosts: dict[int, int] = {}
        self.woken: set[int] = set()  # hosts that got new links since somebody last looked
        self.hurried: set[int] = set()  # of those, the ones that got queries or further pages of answers
        self.before_commit: list[Callable[[], None]] = []  # who writes what it learnt only now and then
        self.before_close: list[Callable[[], object]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def commit(self) -> None:
        """Make all that was written since the last commit lasting, in one go, with what others hold back until then."""
        for write in self.before_commit:
            write()
        if self._db.in_transaction:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                raise StateError(f"{self.path}: cannot be written: {error}") from error

    def close(self) -> None:
        """Commit and let go of the file."""
        self.commit()
        for end in self.before_close:
            end()
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _begin(self) -> sqlite3.Connection:
        if not self._db.in_transaction:
            self._db.execute("BEGIN IMMEDIATE")
        return self._db

    # Runs

    def begin_run(self, command: str, at: float) -> int:
        """Note that a crawl begins, and take back what a dead one left under way; sites wait to be wanted."""
        if self._is_running:
            raise StateInUse(f"{self.folder}: another crawl of this process is using this state")
        self._is_running = True
        db = self._begin()
        db.execute("UPDATE runs SET ended = ?, reason = 'killed' WHERE ended IS NULL", (at,))
        row = db.execute(
            "INSERT INTO runs (command, pid, started) VALUES (?, ?, ?)", (command, os.getpid(), at)
        )
        db.execute(
            "UPDATE submissions SET state = 'unknown', why = 'the crawl ended while the question was under way'"
            " WHERE state = 'sent'"
        )
        db.execute(
            "UPDATE links SET state = ?, why = 'a POST is sent at most once' WHERE state = ? AND submission IN"
            " (SELECT id FROM submissions WHERE state = 'unknown') AND kind = 'answer' AND redirects = 0",
            (MISSED, LEASED),
        )
        db.execute(
            "UPDATE links SET state = ?, why = 'a POST is sent at most once' WHERE state = ? AND redirects = 0 AND id IN"
            " (SELECT link FROM page_posts WHERE sent IS NOT NULL)",
            (MISSED, LEASED),
        )
        db.execute("UPDATE links SET state = ? WHERE state = ?", (PENDING, LEASED))
        db.execute(  # what did not answer then may answer now; pages of answers are asked for again one by one
            "UPDATE links SET state = CASE WHEN kind IN ('answer', 'paging') THEN state ELSE ? END,"
            " attempts = 0, not_before = 0 WHERE state = ?",
            (PENDING, MISSED),
        )
        db.execute(
            "UPDATE submissions SET state = 'failed', why = 'its request is gone' WHERE state = 'planned' AND"
            " NOT EXISTS (SELECT 1 FROM links WHERE links.submission = submissions.id AND links.state = ?)",
            (PENDING,),
        )
        db.execute("UPDATE sites SET left = 'not named this time' WHERE left IS NULL")
        self._left = {row[0] for row in db.execute("SELECT id FROM sites")}
        self.commit()
        return int(row.lastrowid or 0)

    def end_run(self, run: int, reason: str, at: float) -> None:
        """Note why a crawl ended."""
        self._is_running = False
        self._begin().execute("UPDATE runs SET ended = ?, reason = ? WHERE id = ?", (at, reason, run))

    # Sites and hosts

    def want_site(self, url: str, via: int | None = None) -> int:
        """Return the number of the site of an address, which from now on is explored."""
        domain = registered_domain(url)
        number = self._sites.get(domain)
        if number is None:
            row = self._begin().execute(
                "INSERT INTO sites (domain, seed, via) VALUES (?, ?, ?)", (domain, url, via)
            )
            number = self._sites[domain] = int(row.lastrowid or 0)
            self._hosts = _Memo(REMEMBERED)
            self._met = _Memo(REMEMBERED)
            return number
        if via is not None and via != number:
            self._begin().execute("UPDATE sites SET via = coalesce(via, ?) WHERE id = ?", (via, number))
        if number in self._left:
            self._return_to(number)
        return number

    def _return_to(self, site: int) -> None:
        rows = self._begin().execute(
            "WITH RECURSIVE reached (id) AS (SELECT ? UNION SELECT sites.id FROM sites JOIN reached ON via = reached.id)"
            " UPDATE sites SET left = NULL, nothing_new = 0 WHERE id IN (SELECT id FROM reached) RETURNING id",
            (site,),
        )
        for (number,) in rows.fetchall():
            self._left.discard(number)
            self.woken.update(
                row[0] for row in self._db.execute("SELECT id FROM hosts WHERE site = ?", (number,))
            )

    def site_of(self, url: str) -> int | None:
        """Return the site that an address belongs to, if it is one we explore."""
        return self._sites.get(registered_domain(url))

    def host_of(self, url: str) -> int | None:
        """Return the number of an address's host; None when it is of no site that we explore."""
        name = origin(url)
        number = self._hosts.get(name)
        if number is None:
            site = self.site_of(url)
            number = self._host_row(name, site) if site is not None else _OUTSIDE
            self._hosts.add(name, number)
        return None if number == _OUTSIDE else number

    def host(self, number: int) -> WaitingHost:
        """Return what is known of a host."""
        row = self._db.execute(
            "SELECT id, origin, site, paused_until, coalesce(paused_why, '') FROM hosts WHERE id = ?",
            (number,),
        ).fetchone()
        return WaitingHost(*row)

    def _host_row(self, name: str, site: int) -> int:
        found = self._db.execute("SELECT id FROM hosts WHERE origin = ?", (name,)).fetchone()
        if found:
            return int(found[0])
        row = self._begin().execute("INSERT INTO hosts (origin, site) VALUES (?, ?)", (name, site))
        return int(row.lastrowid or 0)

    def robots(self, host_origin: str) -> str | None:
        """Return the robots rules of a host as they were kept."""
        found = self._db.execute("SELECT robots FROM hosts WHERE origin = ?", (host_origin,)).fetchone()
        return found[0] if found else None

    def keep_robots(self, host_origin: str, rules: str) -> None:
        """Keep the robots rules of a host."""
        self._begin().execute("UPDATE hosts SET robots = ? WHERE origin = ?", (rules, host_origin))

    def pause_host(self, host: int, until: float, why: str) -> None:
        """Leave a host in peace for a while, also after a restart."""
        self._begin().execute(
            "UPDATE hosts SET paused_until = ?, paused_why = ? WHERE id = ? AND paused_until < ?",
            (until, why, host, until),
        )

    def close_shape(self, site: int, shape: str) -> None:
        """Follow addresses of this shape no more."""
        self._closed.setdefault(site, set()).add(shape)
        self.learn("closed shapes", str(site), json.dumps(sorted(self._closed[site])))

    def has_closed_shapes(self, site: int) -> bool:
        """Say whether some shape of a site's addresses is not followed."""
        return site in self._closed

    def is_shape_closed(self, site: int, shape: str) -> bool:
        """Say whether addresses of this shape are not followed."""
        return shape in self._closed.get(site, ())

    def leave_site(self, site: int, why: str) -> None:
        """Stop exploring a site; what waits there stays where it is."""
        self._left.add(site)
        self._begin().execute("UPDATE sites SET left = ? WHERE id = ? AND left IS NULL", (why, site))

    def stop(self, site: int, kind: TaskKind, why: str) -> None:
        """Lease no more links of a kind on a site: pages that would be explored, or own pages of records."""
        self._stopped.setdefault(site, {})[kind] = why

    def is_stopped(self, site: int, kind: TaskKind) -> bool:
        """Say whether links of a kind are not leased on a site any more."""
        return kind in self._stopped.get(site, ())

    def leave_stopped(self) -> None:
        """Leave the sites where something waits that is not leased any more; a crawl that names them returns to them."""
        for site, reasons in self._stopped.items():
            self.leave_site(site, next(iter(reasons.values())))

    def progress_of(self, site: int) -> SiteProgress:
        """Return how many pages of each kind were read on a site, by all crawls."""
        row = self._db.execute(
            "SELECT pages, nothing_new, explored, record_pages FROM sites WHERE id = ?", (site,)
        ).fetchone()
        return SiteProgress(*row)

    def is_left(self, site: int) -> bool:
        """Say whether a site is explored no more."""
        return site in self._left

    # The frontier

    def is_remembered(self, url: str) -> bool:
        """Say whether an address was met a moment ago, without asking the database."""
        return self._met.get(url) is not None

    def remember(self, url: str) -> None:
        """Let an address count as met, because it will never be followed."""
        self._met.add(url, 1)

    def add_links(self, links: Iterable[TaskSeed], *, followed: bool = False) -> AddedLinks:
        """Put links into the frontier that are not known yet.

        If they are `followed`, because pages have them, they are no longer only the addresses of records. A further page of an answer that
        exploring knows is read once more, as that.
        """
        rows, outside = [], 0
        for link in links:
            if link.kind != "record":
                self._met.add(link.url, 1)
            host = self.host_of(link.url)
            if host is None:
                outside += 1
            else:
                rows.append((link, _link_row(link, self._hash_of(link), host)))
        insert = _INSERT_FOLLOWED if followed else _INSERT_LINK
        new = tuple(
            link
            for link, row in rows
            if self._add_row(row, _INSERT_PAGING if link.kind == "paging" else insert)
        )
        return AddedLinks(len(new), len(rows) - len(new), outside, new)

    def _hash_of(self, link: TaskSeed) -> int:
        """Return the number a link is known by.

        One that answers a question is a link of its own, though another question was led there, if the address does not tell all: it was asked by POST,
        or what looks like the id of a session, and is no part of an address, is another one: it may be that of the answer.
        """
        number = url_hash(link.url)
        if link.kind not in ANSWERS or link.submission is None:
            return number
        other = self._db.execute(
            "SELECT url FROM links WHERE hash = ? AND kind IN (?, ?) AND submission <> ?",
            (number, *ANSWERS, link.submission),
        ).fetchone()
        if other is None or (other[0] == link.url and not self._was_posted(link.submission)):
            return number
        return text_hash(f"{canonical_url(link.url)} {link.submission}")

    def _was_posted(self, submission: int) -> bool:
        asked = self._db.execute("SELECT method FROM submissions WHERE id = ?", (submission,)).fetchone()
        return asked is not None and asked[0] != "GET"

    def _add_row(self, row: tuple[object, ...], insert: str) -> bool:
        added = self._begin().execute(insert, row).rowcount > 0
        if added:
            host, kind = cast("int", row[1]), row[4]
            self.woken.add(host)
            if kind in ANSWERS:
                self.hurried.add(host)
        return added

    def try_again(self, url: str) -> bool:
        """Let an address wait again that was missed or refused; say whether it was."""
        row = (
            self._begin()
            .execute(
                "UPDATE links SET state = 0, attempts = 0, not_before = 0 WHERE hash = ? AND state IN (3, 4) RETURNING host",
                (url_hash(url),),
            )
            .fetchone()
        )
        if row is not None:
            self.woken.add(row[0])
        return row is not None

    def bring_forward(self, hashes: Iterable[int], bucket: int) -> int:
        """Move links that wait, by the hashes of their addresses, to an earlier bucket; return how many were."""
        return sum(
            self.write(
                "UPDATE links SET bucket = ?1 WHERE hash = ?2 AND state = 0 AND bucket > ?1", (bucket, number)
            )
            for number in hashes
        )

    def explore_next(self, site: int, before: int) -> None:
        """Let the first page of a site that waits to be explored go before everything else, if it is not one of those that come last."""
        self._begin().execute(
            "UPDATE links SET bucket = 0 WHERE id = (SELECT links.id FROM links JOIN hosts ON hosts.id = host"
            " WHERE site = ? AND state = 0 AND kind = 'page' AND not_before = 0 AND bucket BETWEEN 1 AND ?"
            " ORDER BY bucket, links.id LIMIT 1)",
            (site, before - 1),
        )

    def put_off(self, site: int, bucket: int, most: int, is_meant: Callable[[str], bool]) -> int:
        """Move the links of a site that are meant and wait to be explored to a later bucket, of the first so many; return how many were."""
        rows = self._db.execute(
            "SELECT links.id, url FROM links JOIN hosts ON hosts.id = links.host WHERE hosts.site = ? AND state = 0 AND kind = 'page'"
            " AND hops > 0 AND bucket BETWEEN 1 AND ? LIMIT ?",
            (site, bucket - 1, most),
        ).fetchall()
        meant = [(bucket, number) for number, url in rows if is_meant(url)]
        self._begin().executemany("UPDATE links SET bucket = ? WHERE id = ?", meant)
        return len(meant)

    def is_known(self, url: str) -> bool:
        """Say whether an address is in the frontier, in whatever state."""
        found = self._db.execute("SELECT 1 FROM links WHERE hash = ?", (url_hash(url),)).fetchone()
        return found is not None

    def can_be_read_on(self, url: str, submission: int | None = None) -> bool:
        """Say whether an address can be a further page of an answer: no answer had it before, or none that it can be taken for."""
        number = self._hash_of(TaskSeed(url, "paging", submission=submission))
        known = self._db.execute("SELECT kind FROM links WHERE hash = ?", (number,)).fetchone()
        return known is None or known[0] == "page"

    def can_be_sent_to(self, url: str, submission: int) -> bool:
        """Say whether an address to which a site leads from a question is still to be read as its answer."""
        number = self._hash_of(TaskSeed(url, "answer", submission=submission))
        return self._db.execute("SELECT 1 FROM links WHERE hash = ?", (number,)).fetchone() is None

    def next_waiting_host(self, after: int) -> int | None:
        """Return the first host behind a number that has links waiting; sites that were left count too."""
        found = self._db.execute(
            "SELECT host FROM links WHERE state = 0 AND host > ? ORDER BY host LIMIT 1", (after,)
        ).fetchone()
        return int(found[0]) if found else None

    def lease(
        self, host: int, count: int, now: float, *, asking: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the best waiting links of a host, questions only when `asking`; if none may go now, say when the next one may."""
        stopped = self._stopped.get(self._site_of_host(host), {}) if self._stopped else {}
        kinds = (asking, "page" not in stopped, "record" not in stopped)
        rows = self._db.execute(_SELECT_PENDING, (host, *kinds, now, count, LAST)).fetchall()
        if not rows:  # what can wait goes one by one: any page may bring something better
            rows = self._db.execute(_SELECT_PENDING, (host, *kinds, now, 1, LAST + 1)).fetchall()
        if not rows:
            later = self._db.execute(
                f"SELECT min(not_before) FROM links WHERE host = ?1 AND state = 0 AND {_OF_KINDS}",
                (host, *kinds),
            ).fetchone()[0]
            return [], later
        errands = _answers_alone([CrawlTask(*row) for row in rows])
        self._begin().executemany(
            "UPDATE links SET state = 1 WHERE id = ?", [(errand.link,) for errand in errands]
        )
        return errands, None

    def _site_of_host(self, host: int) -> int:
        site = self._sites_of_hosts.get(host)
        if site is None:
            site = self._sites_of_hosts[host] = self.host(host).site
        return site

    def lease_chosen(
        self, host: int, count: int, now: float, *, asking: bool = True, pages: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take what waits for a host and nobody has to choose: questions and records, and `pages` that were chosen."""
        rows = self._db.execute(_SELECT_CHOSEN, (host, now, asking, pages, count)).fetchall()
        if not rows:
            later = self._db.execute(
                "SELECT min(not_before) FROM links WHERE host = ? AND state = 0 AND (kind IN ('page', 'record') OR ?)"
                f" AND {_IS_CHOSEN} AND (kind <> 'page' OR ?)",
                (host, asking, pages),
            ).fetchone()[0]
            return [], later
        errands = _answers_alone([CrawlTask(*row) for row in rows])
        self._begin().executemany(
            "UPDATE links SET state = 1 WHERE id = ?", [(errand.link,) for errand in errands]
        )
        return errands, None

    def lease_url(self, url: str) -> CrawlTask | None:
        """Take the link of an address; None if it does not wait."""
        row = self._db.execute(
            f"{SELECT_ERRAND} WHERE links.hash = ? AND state = 0", (url_hash(url),)
        ).fetchone()
        if row is None:
            return None
        self._begin().execute("UPDATE links SET state = 1 WHERE id = ?", (row[0],))
        return CrawlTask(*row)

    def choose(self, errand: CrawlTask) -> None:
        """Give a link back that is chosen: the next one that its host takes."""
        self._begin().execute("UPDATE links SET state = 0, bucket = 0 WHERE id = ?", (errand.link,))
        self.woken.add(errand.host)

    def read_again(self, site: int) -> None:
        """Let all pages of a site wait that were read, or could not be: somebody else wants to know about them."""
        self._begin().execute(
            "UPDATE links SET state = ?, attempts = 0, not_before = 0, bucket = max(bucket, 1) WHERE state IN (?, ?)"
            " AND kind = 'page' AND submission IS NULL AND host IN (SELECT id FROM hosts WHERE site = ?)",
            (PENDING, DONE, MISSED, site),
        )

    def wake_site(self, site: int) -> None:
        """Have somebody look at the hosts of a site."""
        self.woken.update(row[0] for row in self._db.execute("SELECT id FROM hosts WHERE site = ?", (site,)))

    def hosts_with_chosen(self) -> set[int]:
        """Return the hosts for which something waits that nobody has to choose."""
        rows = self._db.execute(f"SELECT DISTINCT host FROM links WHERE state = 0 AND {_IS_CHOSEN}")
        return {row[0] for row in rows}

    def parent_of(self, link: int) -> int | None:
        """Return the link whose page had a link, or that redirected to it."""
        row = self._db.execute("SELECT parent FROM links WHERE id = ?", (link,)).fetchone()
        return row[0] if row else None

    def release(self, errands: Iterable[CrawlTask]) -> None:
        """Give back links that were leased and not asked for."""
        rows = [(errand.link,) for errand in errands]
        if rows:
            self._begin().executemany("UPDATE links SET state = 0 WHERE id = ? AND state = 1", rows)

    def refuse(self, errand: CrawlTask, why: str) -> None:
        """End an errand that our own rules forbid."""
        self._end(errand, REFUSED, why)

    def finish(self, errand: CrawlTask, why: str | None = None) -> None:
        """End an errand that was answered. Should its address have become a question meanwhile, that waits now."""
        self._end(errand, DONE, why)

    def _end(self, errand: CrawlTask, state: int, why: str | None) -> None:
        ended = self._begin().execute(
            "UPDATE links SET state = CASE WHEN submission IS ? THEN ? ELSE ? END, why = ? WHERE id = ?"
            " RETURNING state",
            (errand.submission, state, PENDING, why[:LONGEST_REASON] if why else why, errand.link),
        )
        if ended.fetchone() == (PENDING,):
            self.woken.add(errand.host)

    def miss(self, missed: FetchFailure) -> None:
        """End an errand that was not answered, or put it back for later."""
        if missed.retry_in is None:
            self._end(missed.errand, MISSED, missed.why)
            return
        self.woken.add(missed.errand.host)
        self._begin().execute(
            "UPDATE links SET state = 0, why = ?, attempts = attempts + ?, not_before = ? WHERE id = ?",
            (missed.why[:LONGEST_REASON], missed.counts, missed.at + missed.retry_in, missed.errand.link),
        )

    # Pages

    def find_duplicate(self, site: int, link: int, page: Page) -> tuple[int, bool] | None:
        """Return the page of the site that says the same, and whether it says exactly the same."""
        found = self.duplicate_of(site, link, page)
        return (found.page, found.exact) if found else None

    def duplicate_of(self, site: int, link: int, page: Page) -> DuplicatePage | None:
        """Return the page of the site that says the same, exactly or nearly, with the reason."""
        exact = self._db.execute(
            "SELECT id FROM pages WHERE fingerprint = ? AND site = ? AND link <> ? AND duplicate_of IS NULL"
            " AND kind IN ('page', 'record')",
            (page.fingerprint, site, link),
        ).fetchone()
        if exact:
            return DuplicatePage(int(exact[0]), True, "they say exactly the same")
        return self._near_duplicate_of(site, link, page) if page.sketch else None

    def _near_duplicate_of(self, site: int, link: int, page: Page) -> DuplicatePage | None:
        met = self._near.met(site, link, page.sketch)
        if not met:
            return None
        title = page.title.split()
        same_title = [other for other in met if other.title.split() == title]
        least = NEAR_IF_SHORT if len(page.text) < SHORT else NEAR
        alike = (other for other in same_title if self._near.agreement(other.page, page.sketch) >= least)
        for other in islice(alike, COMPARED):
            siblings = _siblings(met, other, page.structure) if len(same_title) == 1 else []
            elsewhere = map(self.versions.text_of, siblings)  # read only if it comes to that
            judged = compare_texts(page.text, self.versions.text_of(other.page), elsewhere=elsewhere)
            if judged.same:
                return DuplicatePage(other.page, False, judged.why)
        return None

    def keep_page(
        self, visit: Fetched, page: Page, limits: HistoryLimits = ALL, *, is_changed: bool = False
    ) -> int:
        """Keep what an address says now, and of what it said as much as the limits allow; return the number of the page.

        A version is kept if its title or text differs from the last, or if somebody knows that it changed.
        """
        number, known = self._page_row(visit, page)
        if visit.duplicate_of is None and (is_changed or known != (page.fingerprint, page.title)):
            self.versions.add(number, visit, page, limits, is_first=known is None)
            if visit.errand.kind in ("page", "record"):
                if known is not None:
                    self._near.forget(visit.errand.site, number)
                if page.sketch:
                    self._near.add(visit.errand.site, number, page.sketch)
        return number

    def _page_row(self, visit: Fetched, page: Page) -> tuple[int, tuple[int, str] | None]:
        """Write the row of a page; return its number, and the fingerprint and the title that it had."""
        errand, db = visit.errand, self._begin()
        values = (
            visit.url, visit.status, visit.at, page.title, page.language, page.structure, page.fingerprint,
            visit.duplicate_of, visit.duplicate_why, visit.etag, visit.last_modified, " ".join(page.marks),
        )  # fmt: skip
        known = db.execute(
            "SELECT id, fingerprint, title FROM pages WHERE link = ?", (errand.link,)
        ).fetchone()
        if known:
            db.execute(_UPDATE_PAGE, (*values, known[0]))
            return int(known[0]), (int(known[1]), str(known[2]))
        row = db.execute(_INSERT_PAGE, (errand.link, errand.site, errand.kind, visit.at, *values))
        return int(row.lastrowid or 0), None

    def note_progress(self, site: int, *, new: bool, kind: TaskKind = "page") -> SiteProgress:
        """Count a page of a site; return how many it has, and how many in a row that links led to were known already."""
        row = self._begin().execute(
            "UPDATE sites SET pages = pages + 1, explored = explored + (?2 = 'page'),"
            " record_pages = record_pages + (?2 = 'record'),"
            " nothing_new = CASE WHEN ?2 <> 'page' THEN nothing_new WHEN ?1 THEN 0 ELSE nothing_new + 1 END"
            " WHERE id = ?3 RETURNING pages, nothing_new, explored, record_pages",
            (new, kind, site),
        )
        return SiteProgress(*row.fetchone())

    def source_of(self, url: str) -> PageSource | None:
        """Return the newest kept source of an address."""
        found = self._db.execute(
            f"{_SELECT_SOURCE} JOIN pages ON pages.id = versions.page"
            " JOIN links ON links.id = pages.link WHERE links.hash = ? ORDER BY versions.id DESC LIMIT 1",
            (url_hash(url),),
        ).fetchone()
        return PageSource(unpacked_content(found[0])[1], found[1]) if found else None

    def source_of_answer(self, submission: int) -> PageSource | None:
        """Return the newest kept source of the first page of an answer."""
        found = self._db.execute(
            f"{_SELECT_SOURCE} JOIN pages ON pages.id = versions.page"
            " JOIN links ON links.id = pages.link WHERE links.submission = ? AND links.kind = 'answer'"
            " ORDER BY versions.id DESC LIMIT 1",
            (submission,),
        ).fetchone()
        return PageSource(unpacked_content(found[0])[1], found[1]) if found else None

    # Forms and questions

    def form(self, number: int) -> StoredForm | None:
        """Return a form by its number."""
        rows = self._db.execute(f"SELECT {_FORM} WHERE forms.id = ?", (number,))
        return next(map(_known_form, rows), None)

    def form_count(self) -> int:
        """Return how many forms are known."""
        return int(self._db.execute("SELECT count(*) FROM forms").fetchone()[0])

    def find_form(self, site: int, form: Form) -> StoredForm | None:
        """Return what is known of a form, wherever on the site it was met."""
        rows = self._db.execute(f"SELECT {_FORM} WHERE site = ? AND hash = ?", (site, form_hash(form)))
        return next(map(_known_form, rows), None)

    def open_forms(self, queries: int, site: int | None = None) -> Iterator[StoredForm]:
        """Yield the forms of one site, or of all explored now, that are to be asked and have had fewer questions than allowed.

        Those that are being asked come first.
        """
        rows = self._db.execute(
            f"SELECT {_FORM} WHERE ask = 1 AND (?1 IS NULL OR site = ?1)"
            " AND (state IN ('found', 'asking') OR (state = 'asked' AND queries < ?2))"
            " ORDER BY state = 'asking' DESC, forms.id",
            (site, queries),
        ).fetchall()
        yield from (form for form in map(_known_form, rows) if form.site not in self._left)

    def forms(self, *, site: str = "", kind: str = "") -> Iterator[StoredForm]:
        """Yield every known form, of one site or of one kind where these are named."""
        yield from map(
            _known_form,
            self._db.execute(
                f"SELECT {_FORM} WHERE ?1 IN ('', sites.domain) AND ?2 IN ('', kind) ORDER BY sites.domain, forms.id",
                (site, kind),
            ),
        )

    def forms_of_site(self, site: int) -> list[StoredForm]:
        """Return every known form of a site."""
        rows = self._db.execute(f"SELECT {_FORM} WHERE site = ? ORDER BY forms.id", (site,))
        return list(map(_known_form, rows))

    def asked_fillings(self, form: int) -> set[str]:
        """Return what a form was filled in with so far, each as the ledger writes it."""
        rows = self._db.execute("SELECT filled FROM submissions WHERE form = ?", (form,))
        return {row[0] for row in rows}

    def forms_to_judge_again(
        self, post_hosts: Collection[str], *, nofollow: bool = False
    ) -> list[StoredForm]:
        """Return the forms of sites explored now on which the verdict may be another by now.

        These are forms that an earlier version judged, those left alone for being sent by POST to a host that allows it now,
        and those that are asked by POST though their host is no longer allowed; with `nofollow` also those that were left alone
        because their page says so.
        """
        rows = self._db.execute(
            f"SELECT {_FORM} WHERE verdict = '' OR ask OR ?1 OR (?2 AND NOT ask) ORDER BY forms.id",
            (bool(post_hosts), nofollow),
        ).fetchall()
        known = [form for form in map(_known_form, rows) if form.site not in self._left]
        return [
            form
            for form in known
            if not form.verdict.why
            or (nofollow and NOFOLLOW in form.verdict.refusals)
            or (
                form.as_sent.method == "POST"
                and form.verdict.ask != (host_of(form.as_sent.action) in post_hosts)
            )
        ]

    def keep_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:
        """Keep how far a form is on a topic."""
        self._begin().execute(
            "INSERT OR REPLACE INTO form_topics VALUES (?, ?, ?, ?)", (form, topic, near, relevant)
        )

    def relevances(self, topic: str) -> dict[int, bool]:
        """Return the forms that were compared with a topic, and whether they are on it."""
        rows = self._db.execute("SELECT form, relevant FROM form_topics WHERE topic = ?", (topic,))
        return {form: bool(relevant) for form, relevant in rows}

    def is_relevant(self, form: int, topic: str) -> bool:
        """Say whether a form was found to be on a topic."""
        found = self._db.execute(
            "SELECT relevant FROM form_topics WHERE form = ? AND topic = ?", (form, topic)
        ).fetchone()
        return bool(found and found[0])

    def sites_to_ask(self, topic: str) -> list[str]:
        """Return where the sites begin whose forms on a topic are to be asked, or are being asked."""
        rows = self._db.execute(
            "SELECT DISTINCT sites.seed FROM forms JOIN sites ON sites.id = forms.site JOIN form_topics t ON t.form = forms.id"
            " WHERE t.topic = ? AND t.relevant AND ask = 1 AND state IN ('found', 'asking', 'asked')",
            (topic,),
        )
        return [row[0] for row in rows]

    def keep_form(self, site: int, form: Form, verdict: Verdict, at: float) -> int:
        """Remember a form, where it was met, and the verdict on it; return its number."""
        db = self._begin()
        row = db.execute(
            "INSERT INTO forms (site, hash, page_url, form, ask, kind, probability, verdict, why, state, found)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (site, hash) DO UPDATE SET"
            " page_url = excluded.page_url, form = excluded.form, ask = excluded.ask, kind = excluded.kind, probability = excluded.probability,"
            " verdict = excluded.verdict, why = excluded.why, state = CASE"
            " WHEN state = 'left' AND excluded.ask THEN 'found' WHEN NOT excluded.ask THEN 'left' ELSE state END"
            " RETURNING id",
            (
                site, form_hash(form), form.page_url, form_as_json(form), verdict.ask,
                verdict.kind, verdict.probability, json.dumps(asdict(verdict), ensure_ascii=False),
                verdict.summary[:LONGEST_REASON], "found" if verdict.ask else "left", at,
            ),
        )  # fmt: skip
        return int(row.fetchone()[0])

    def renew_form(self, number: int, form: Form) -> None:
        """Keep a form as it was fetched anew: with other hidden values."""
        self._begin().execute("UPDATE forms SET form = ? WHERE id = ?", (form_as_json(form), number))

    def end_form(self, number: int, why: str, *, for_now: bool = False) -> None:
        """Ask a form no more, or no more unless more questions are allowed."""
        state = "asked" if for_now else "done"
        self._begin().execute("UPDATE forms SET state = ?, why = ? WHERE id = ?", (state, why, number))

    def is_being_asked(self, form: int, but: CrawlTask | None = None) -> bool:
        """Say whether a question to the form, or a further page of an answer, waits or is under way; one errand aside."""
        submission, link = (but.submission, but.link) if but else (None, None)
        found = self._db.execute(
            "SELECT 1 FROM submissions WHERE form = ?1 AND state IN ('planned', 'sent') AND id IS NOT ?2"
            " UNION ALL SELECT 1 FROM links JOIN submissions s ON s.id = links.submission"
            " WHERE s.form = ?1 AND links.state IN (0, 1) AND links.id IS NOT ?3 AND links.kind IN ('answer', 'paging')",
            (form, submission, link),
        ).fetchone()
        return found is not None

    def keep_chooser(self, form: int, chooser: str) -> None:
        """Keep what was learnt about what to ask a form."""
        self._begin().execute("UPDATE forms SET chooser = ? WHERE id = ?", (chooser, form))

    def good_keywords(self, limit: int = 50) -> list[str]:
        """Return the keywords that brought most records so far, wherever they were asked."""
        rows = self._db.execute(
            "SELECT keyword FROM submissions WHERE new_records > 0 GROUP BY keyword"
            " ORDER BY sum(new_records) DESC, keyword LIMIT ?",
            (limit,),
        )
        return [row[0] for row in rows]

    def plan(
        self,
        form: int,
        query: HttpQuery,
        chooser: str,
        at: float,
        *,
        bucket: int = 0,
        reason: str = "",
        not_before: float = 0.0,
    ) -> int | None:
        """Write a question into the ledger and its request, which may have to wait, into the frontier; None if it was asked before."""
        db = self._begin()
        row = db.execute(
            "INSERT OR IGNORE INTO submissions"
            " (form, keyword, filled, method, url, body, content_type, state, planned, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'planned', ?, ?)",
            (
                form, query.keyword, filled_as_json(query.values), query.method, query.url,
                query.body, query.content_type, at, reason[:LONGEST_REASON],
            ),
        )  # fmt: skip
        if row.rowcount < 1:
            return None
        number = int(row.lastrowid or 0)
        db.execute(
            "UPDATE forms SET state = 'asking', queries = queries + 1, chooser = ? WHERE id = ?",
            (chooser, form),
        )
        host = self.host_of(query.url)
        assert host is not None, "asked for what can be asked only"
        identity = query_hash(query)
        link = TaskSeed(query.url, "answer", bucket, self._hops_to_form(form) + 1, submission=number)
        if not self._add_row(_link_row(link, identity, host), _INSERT_LINK):
            db.execute(  # a link leads to the same address; now it is read as an answer
                "UPDATE links SET kind = 'answer', submission = ?, bucket = ?, attempts = 0, not_before = 0,"
                " state = CASE state WHEN ? THEN state ELSE ? END WHERE hash = ?",
                (number, bucket, LEASED, PENDING, identity),
            )
            self.woken.add(host)
        if not_before:
            db.execute("UPDATE links SET not_before = ? WHERE hash = ?", (not_before, identity))
        return number

    def renew_question(self, errand: CrawlTask, submission: int, query: HttpQuery) -> None:
        """Let a question that was not sent yet go out with other hidden values; what it asks stays the same."""
        db = self._begin()
        db.execute(
            "UPDATE submissions SET url = ?, body = ? WHERE id = ? AND state = 'planned'",
            (query.url, query.body, submission),
        )
        db.execute("UPDATE links SET url = ? WHERE id = ?", (query.url, errand.link))

    def _hops_to_form(self, form: int) -> int:
        """Return how far from a seed the page of a form is."""
        [(url,)] = self._db.execute("SELECT page_url FROM forms WHERE id = ?", (form,)).fetchall()
        known = self._db.execute("SELECT hops FROM links WHERE hash = ?", (url_hash(url),)).fetchone()
        return int(known[0]) if known else 0

    def can_be_asked(self, query: HttpQuery) -> bool:
        """Say whether the request of a question can go into the frontier: within the site, not refused or missed."""
        if self.host_of(query.url) is None:
            return False
        known = self._db.execute(
            "SELECT state, kind IN ('page', 'record') FROM links WHERE hash = ?",
            (query_hash(query),),
        ).fetchone()
        return known is None or (known[0] in (PENDING, LEASED, DONE) and bool(known[1]))

    def submission(self, number: int) -> Submission | None:
        """Return a question by its number."""
        row = self._db.execute(
            "SELECT id, form, filled, keyword, method, url, body, content_type, state"
            " FROM submissions WHERE id = ?",
            (number,),
        ).fetchone()
        if row is None:
            return None
        number, form, filled, keyword, method, url, body, content_type, state = row
        values = tuple((name, value) for name, value in json.loads(filled))
        return Submission(number, form, HttpQuery(values, keyword, method, url, body, content_type), state)

    def note_sending(self, submission: int, at: float) -> None:
        """Write into the ledger that a POST goes out now, before it does."""
        self._write_for_sure("UPDATE submissions SET state = 'sent', sent = ? WHERE id = ?", (at, submission))

    def _write_for_sure(self, sql: str, values: Sequence[object]) -> None:
        """Write what not even a power cut may make us forget."""
        self.commit()
        self._db.execute("PRAGMA synchronous = FULL")
        self._begin().execute(sql, values)
        self.commit()
        self._db.execute("PRAGMA synchronous = NORMAL")

    def add_post(self, post: PostSeed) -> bool:
        """Put a further page of an answer that is asked for by POST into the frontier; False if it is there."""
        link = post.link
        host = self.host_of(link.url)
        assert host is not None, "asked for what can be asked only"
        identity = text_hash(f"POST {link.url} {post.body.hex()} of {link.submission}")
        if not self._add_row(_link_row(link, identity, host), _INSERT_LINK):
            return False
        self._begin().execute(
            "INSERT INTO page_posts (link, body, content_type) SELECT id, ?, ? FROM links WHERE hash = ?",
            (post.body, post.content_type, identity),
        )
        return True

    def page_post(self, errand: CrawlTask) -> PagePost | None:
        """Return what is sent by POST for a further page of an answer; None if it is asked for by GET."""
        if errand.kind != "paging" or errand.redirects:
            return None
        row = self._db.execute(
            "SELECT body, content_type, sent FROM page_posts WHERE link = ?", (errand.link,)
        ).fetchone()
        return PagePost(*row) if row else None

    def note_sending_page(self, errand: CrawlTask, at: float) -> None:
        """Write down that the POST for a further page goes out now, before it does."""
        self._write_for_sure("UPDATE page_posts SET sent = ? WHERE link = ?", (at, errand.link))

    def answered(
        self,
        submission: int,
        outcome: str,
        why: str,
        at: float,
        *,
        total: int | None = None,
    ) -> None:
        """Note how a question was answered; the first page of an answer decides, later ones only count."""
        self._begin().execute(
            "UPDATE submissions SET pages = pages + 1, answered = coalesce(answered, ?),"
            " outcome = CASE outcome WHEN '' THEN ? ELSE outcome END, why = CASE why WHEN '' THEN ? ELSE why END,"
            " total = coalesce(total, ?), state = 'answered' WHERE id = ?",
            (at, outcome, why, total, submission),
        )

    def question_failed(self, submission: int, why: str) -> None:
        """Note that a question got no answer."""
        self._begin().execute(
            "UPDATE submissions SET state = 'failed', why = ? WHERE id = ? AND state IN ('planned', 'sent')",
            (why, submission),
        )

    # Records

    def known_records(self, site: int, keys: Sequence[str]) -> set[str]:
        """Return those of the keys that are records of the site already."""
        hashes = {text_hash(key): key for key in keys}
        marks = ",".join("?" * len(hashes))
        rows = self._db.execute(
            f"SELECT hash FROM records WHERE site = ? AND hash IN ({marks})", (site, *hashes)
        )
        return {hashes[row[0]] for row in rows}

    def keep_records(
        self, site: int, records: Iterable[Record], *, submission: int | None, page: int | None, at: float
    ) -> list[tuple[int, Record]]:
        """Keep records, each once; return the numbers of those that are new."""
        db, new, count = self._begin(), [], 0
        records = tuple(records)
        without_attributes = self._without_attributes(site, [text_hash(record.key) for record in records])
        for record in records:
            count += 1
            row = db.execute(
                "INSERT INTO records (site, hash, key, title, text, url, submission, page, first_seen, last_seen, link, attributes)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (site, hash) DO UPDATE SET last_seen = excluded.last_seen, times = times + 1,"
                " attributes = CASE attributes WHEN '[]' THEN excluded.attributes ELSE attributes END"
                " RETURNING id, times",
                (
                    site, text_hash(record.key), record.key, record.title, record.text, record.url, submission, page,
                    at, at, self._link_of(record), json.dumps([*record.attributes], ensure_ascii=False),
                ),
            )  # fmt: skip
            number, times = row.fetchone()
            if times == 1:
                new.append((int(number), record))
            elif record.attributes and number in without_attributes:
                self.announce_record(number)
            if submission is not None:
                db.execute(
                    "INSERT OR IGNORE INTO shown (record, submission) VALUES (?, ?)", (number, submission)
                )
        if submission is not None and count:
            seen = count - len(new)
            db.execute(
                "UPDATE submissions SET new_records = new_records + ?, seen_records = seen_records + ? WHERE id = ?",
                (len(new), seen, submission),
            )
            db.execute(
                "UPDATE forms SET records = records + ? WHERE id = (SELECT form FROM submissions WHERE id = ?)",
                (len(new), submission),
            )
        return new

    def _without_attributes(self, site: int, hashes: Sequence[int]) -> set[int]:
        """Return those of some records that are known, but nothing of what they consist of."""
        marks = ",".join("?" * len(hashes))
        rows = self._db.execute(
            f"SELECT id FROM records WHERE site = ? AND hash IN ({marks}) AND attributes = '[]'",
            (site, *hashes),
        )
        return {row[0] for row in rows}

    def _link_of(self, record: Record) -> int | None:
        """Return the link to the own page of a record, if somebody follows it: by its bare address, or by that of the answer."""
        if record.url is None:
            return None
        bare = record.key if record.key.startswith("http") else record.url
        row = self._db.execute(
            "SELECT id FROM links WHERE hash IN (?1, ?2) AND kind IN ('page', 'record') ORDER BY hash <> ?1 LIMIT 1",
            (url_hash(bare), url_hash(record.url)),
        ).fetchone()
        return row[0] if row else None

    # Documents and the outbox

    def keep_page_document(
        self, page: int, url: str, digest: str, *, behind_form: bool, record: int | None = None
    ) -> bool:
        """Let the index know what a page says; False if it knows already. A record's own page takes the place of the record."""
        key = url
        if record is not None:
            ((own,),) = self._db.execute("SELECT key FROM records WHERE id = ?", (record,))
            key = self._known_document(document_key(own), url) or document_key(own)
        return self._keep_document(key, page=page, record=record, digest=digest, behind_form=behind_form)

    def keep_record_document(self, record: int, key: str, digest: str) -> bool:
        """Let the index know a record; False if its own page is there already, which then stands for both."""
        own = self._db.execute(
            "SELECT pages.url FROM records r JOIN pages ON pages.link = r.link WHERE r.id = ?"
            " AND NOT EXISTS (SELECT 1 FROM records o WHERE o.link = r.link AND o.id <> r.id)",
            (record,),
        ).fetchone()
        known = self._known_document(key, *(canonical_url(url) for url in own or ()))
        if known is not None and (page := self._page_of_document(known)) is not None:
            db = self._begin()
            number = db.execute(
                "UPDATE documents SET record = ? WHERE hash = ? AND page = ? AND record IS NULL RETURNING id",
                (record, text_hash(known), page),
            ).fetchone()
            if number is not None:
                db.execute("INSERT INTO outbox (document) VALUES (?)", number)
            return False
        return self._keep_document(key, page=None, record=record, digest=digest, behind_form=True)

    def _known_document(self, *keys: str) -> str | None:
        """Return the first of some keys under which the index knows a document."""
        hashes = {text_hash(key): key for key in reversed(keys)}
        rows = self._db.execute(
            f"SELECT hash FROM documents WHERE hash IN ({','.join('?' * len(hashes))})", tuple(hashes)
        )
        found = {hashes[row[0]] for row in rows}
        return next((key for key in keys if key in found), None)

    def _page_of_document(self, key: str) -> int | None:
        row = self._db.execute("SELECT page FROM documents WHERE hash = ?", (text_hash(key),)).fetchone()
        return row[0] if row else None

    def _keep_document(
        self, key: str, *, page: int | None, record: int | None, digest: str, behind_form: bool
    ) -> bool:
        db = self._begin()
        row = db.execute(
            "INSERT INTO documents (hash, key, page, record, digest, behind_form) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (hash) DO UPDATE SET page = excluded.page, record = coalesce(excluded.record, record),"
            " digest = excluded.digest, behind_form = min(behind_form, excluded.behind_form)"
            " WHERE digest <> excluded.digest OR page IS NOT excluded.page OR (record IS NULL AND excluded.record IS NOT NULL)"
            " OR (behind_form AND NOT excluded.behind_form) RETURNING id",
            (text_hash(key), key, page, record, digest, behind_form),
        ).fetchone()
        if row is None:
            return False
        db.execute("INSERT INTO outbox (document) VALUES (?)", row)
        return True

    def announce(self, page: int) -> None:
        """Let the index take in a page once more: what is known of it has changed, though it says what it said."""
        self._begin().execute(
            "INSERT INTO outbox (document) SELECT id FROM documents WHERE page = ?", (page,)
        )

    def announce_record(self, record: int) -> None:
        """Let the index take in a record once more: its attributes have changed."""
        self._begin().execute(
            "INSERT INTO outbox (document) SELECT id FROM documents WHERE record = ?", (record,)
        )

    def trim_outbox(self, acknowledged: int) -> None:
        """Forget what the index has taken in."""
        self._begin().execute("DELETE FROM outbox WHERE id <= ?", (acknowledged,))

    # Knowledge

    def known(self, part: str, subject: str) -> str | None:
        """Return what a part learnt about a subject."""
        found = self._db.execute(
            "SELECT value FROM knowledge WHERE part = ? AND subject = ?", (part, subject)
        ).fetchone()
        return found[0] if found else None

    def all_known(self, part: str) -> list[tuple[str, str]]:
        """Return all that a part learnt: subjects and what is known about them."""
        return self._db.execute(
            "SELECT subject, value FROM knowledge WHERE part = ? ORDER BY subject", (part,)
        ).fetchall()

    def learn(self, part: str, subject: str, value: str) -> None:
        """Keep what a part learnt about a subject; nothing is kept of what is empty."""
        db = self._begin()
        if value:
            db.execute("INSERT OR REPLACE INTO knowledge VALUES (?, ?, ?)", (part, subject, value))
        else:
            db.execute("DELETE FROM knowledge WHERE part = ? AND subject = ?", (part, subject))

    # Looking in, and what other modules of this package write

    def write(self, sql: str, values: Sequence[object] = ()) -> int:
        """Write with SQL of another module of storage; return how many rows it changed."""
        return self._begin().execute(sql, values).rowcount

    def write_returning(self, sql: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        """Write with SQL that returns the rows it changed."""
        return self._begin().execute(sql, values).fetchall()

    def write_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Write many rows with one statement."""
        self._begin().executemany(sql, rows)

    def rows(
        self, sql: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> list[tuple[object, ...]]:
        """Return what a query finds; for status, benchmarks and tests."""
        return self._db.execute(sql, values).fetchall()

    def counts(self) -> dict[str, int]:
        """Return how much of everything there is; the frontier by state."""
        counted = dict.fromkeys(("pending", "leased", "done", "missed", "refused"), 0)
        names = tuple(counted)
        for state, number in self._db.execute("SELECT state, count(*) FROM links GROUP BY state"):
            counted[names[state]] = number
        for table in (
            "sites",
            "hosts",
            "pages",
            "versions",
            "forms",
            "submissions",
            "records",
            "documents",
            "outbox",
        ):
            counted[table] = self._db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return counted


class _Memo:
    """Remembers the last so many keys, in two generations."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[str, int] = {}
        self._old: dict[str, int] = {}

    def get(self, key: str) -> int | None:
        value = self._young.get(key)
        return self._old.get(key) if value is None else value

    def add(self, key: str, value: int) -> None:
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value


class SqliteOutbox:
    """What the search index has to take in, read beside a running crawl."""

    def __init__(self, folder: Path) -> None:
        self._db = _connected(folder / FILE, write=False)

    def after(self, position: int, limit: int) -> list[tuple[int, IndexDocument | str]]:
        """Return what was put into the outbox after a position, in order: what to index, or the key of what to delete."""
        rows = self._db.execute(
            f"SELECT outbox.id, {_DOCUMENT} FROM outbox JOIN documents d ON d.id = outbox.document {_SOURCES}"
            " WHERE outbox.id > ? ORDER BY outbox.id LIMIT ?",
            (position, limit),
        ).fetchall()
        return [(row[0], _document(row[1:])) for row in rows]

    def last(self) -> int:
        """Return the last number given out, also when its row is gone."""
        found = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").fetchone()
        return int(found[0]) if found else 0

    def documents(self) -> Iterator[IndexDocument]:
        """Yield every document that belongs into the index."""
        position = 0
        while rows := self._db.execute(
            f"SELECT d.id, {_DOCUMENT} FROM documents d {_SOURCES} WHERE d.id > ? ORDER BY d.id LIMIT 500",
            (position,),
        ).fetchall():
            yield from (_document(row[1:]) for row in rows)
            position = rows[-1][0]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def open_outbox(folder: Path) -> SqliteOutbox:
    """Open the outbox of a state for reading."""
    return SqliteOutbox(folder)


_shared: dict[Path, tuple[Store, int]] = {}


def share(folder: Path) -> Store:
    """Open a state for writing, or return the one that this process has open; each share ends with `give_back`."""
    path = folder.resolve()
    state, users = _shared.get(path, (None, 0))
    if state is None:
        state = Store(path)
    _shared[path] = (state, users + 1)
    return state


def give_back(state: Store) -> None:
    """End a share; the last one closes the state."""
    known, users = _shared[state.folder]
    if users > 1:
        _shared[state.folder] = (known, users - 1)
    else:
        del _shared[state.folder]
        state.close()


def document_key(record_key: str) -> str:
    """Return the key under which a record is found: its address, or a name for one that has none."""
    return record_key if record_key.startswith("http") else f"record:{record_key}"


def form_as_json(form: Form) -> str:
    """Return a form as it is kept: without what every form and every control has anyway."""
    return json.dumps(_but_defaults(form), ensure_ascii=False)


def _but_defaults(value: object) -> object:
    if isinstance(value, tuple):
        return [_but_defaults(each) for each in value]
    if not is_dataclass(value):
        return value
    return {
        each.name: _but_defaults(own)
        for each in fields(value)
        if (own := getattr(value, each.name)) != each.default
    }


def form_from_json(text: str) -> Form:
    """Return the form that `keep_form` wrote."""
    values = json.loads(text)
    chosen = tuple((name, value) for name, value in values.get("chosen", ()))
    return Form(**{**values, "fields": tuple(map(_field, values.get("fields", ()))), "chosen": chosen})


def _field(values: dict[str, Any]) -> Field:
    options = tuple(Option(**option) for option in values.get("options", ()))
    hints = tuple(LabelHint(**hint) for hint in values.get("hints", ()))
    suggestions = tuple(values.get("suggestions", ()))
    return Field(**{**values, "options": options, "hints": hints, "suggestions": suggestions})


def _answers_alone(errands: list[CrawlTask]) -> list[CrawlTask]:
    """Return the queries and pages of answers that lead a list, if any do: what follows from them comes before the rest."""
    answers = list(takewhile(lambda errand: errand.kind in ANSWERS, errands))
    return answers or errands


def _siblings(met: Iterable[NearPageCandidate], other: NearPageCandidate, structure: int) -> list[int]:
    """Return pages of the same template as two that have one title, with other titles: so titles tell pages apart there."""
    structures = {structure, other.structure} - {0}
    return [each.page for each in met if each.title != other.title and each.structure in structures][
        :SIBLINGS
    ]


_LINK_COLUMNS = "hash, host, url, bucket, kind, hops, redirects, parent, submission, page_number, anchor, around, tag_path"
_INSERT_LINK = f"INSERT OR IGNORE INTO links ({_LINK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_FOLLOWED = (
    f"{_INSERT_LINK.replace(' OR IGNORE', '')} ON CONFLICT (hash) DO UPDATE SET kind = 'page', why = NULL,"
    f" state = CASE state WHEN {LEASED} THEN {LEASED} ELSE {PENDING} END"
    f" WHERE kind = 'record' AND (state IN ({PENDING}, {LEASED}) OR (state = {REFUSED} AND why = '{SPARED}'))"
)
_INSERT_PAGING = (
    f"{_INSERT_LINK.replace(' OR IGNORE', '')} ON CONFLICT (hash) DO UPDATE SET kind = 'paging', bucket = excluded.bucket,"
    " parent = excluded.parent, submission = excluded.submission, page_number = excluded.page_number, attempts = 0, not_before = 0,"
    f" why = NULL, state = CASE state WHEN {LEASED} THEN {LEASED} ELSE {PENDING} END WHERE kind = 'page'"
)
SELECT_ERRAND = (
    "SELECT links.id, hosts.site, links.host, url, kind, hops, redirects, attempts, submission, page_number"
    " FROM links JOIN hosts ON hosts.id = links.host"
)
_IS_CHOSEN = "(bucket = 0 OR attempts > 0 OR not_before > 0 OR redirects > 0 OR kind <> 'page')"
_SELECT_CHOSEN = (
    f"{SELECT_ERRAND} WHERE links.host = ? AND state = 0 AND not_before <= ? AND (kind IN ('page', 'record') OR ?)"
    f" AND {_IS_CHOSEN} AND (kind <> 'page' OR ?) ORDER BY bucket, links.id LIMIT ?"
)
_OF_KINDS = "CASE kind WHEN 'page' THEN ?3 WHEN 'record' THEN ?4 ELSE ?2 END"
_SELECT_PENDING = (
    f"{SELECT_ERRAND} WHERE links.host = ?1 AND state = 0 AND not_before <= ?5 AND bucket < ?7 AND {_OF_KINDS}"
    " ORDER BY bucket, links.id LIMIT ?6"
)
_UPDATE_PAGE = (
    "UPDATE pages SET url = ?, status = ?, last_seen = ?, title = ?, language = ?, structure = ?, fingerprint = ?,"
    " duplicate_of = ?, duplicate_why = ?, etag = ?, last_modified = ?, marks = ? WHERE id = ?"
)
_INSERT_PAGE = (
    "INSERT INTO pages (link, site, kind, first_seen, url, status, last_seen, title, language, structure,"
    " fingerprint, duplicate_of, duplicate_why, etag, last_modified, marks)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SELECT_SOURCE = (
    "SELECT contents.content, content_type FROM versions JOIN contents ON contents.id = versions.content"
)
_FORM = (
    "forms.id, site, form, ask, kind, verdict, state, why, queries, records, chooser, domain, found, coverage"
    " FROM forms JOIN sites ON sites.id = forms.site"
)
_DOCUMENT = (
    "d.key, d.page, d.behind_form, d.digest, p.url, p.title, p.language, p.last_seen, r.url, r.title, r.text,"
    " r.first_seen, s.domain,"
    f" {newest_content('d.page')},"
    " (SELECT url FROM pages WHERE pages.id = r.page), d.record, r.attributes,"
    " (SELECT json_group_array(json(attributes)) FROM (SELECT attributes FROM extracted WHERE extracted.page = d.page"
    " AND (place = 0 OR 'crawl' IS NOT (SELECT made_by FROM sources WHERE sources.id = extracted.source))"
    " AND at = (SELECT max(at) FROM extracted newer WHERE newer.page = d.page AND newer.source = extracted.source) ORDER BY source, place))"
)
_SOURCES = (
    "LEFT JOIN pages p ON p.id = d.page LEFT JOIN records r ON r.id = d.record"
    " LEFT JOIN sites s ON s.id = coalesce(p.site, r.site)"
)


def _document(row: tuple[Any, ...]) -> IndexDocument:
    (key, page, behind_form, digest, url, title, language, at, record_url, record_title, record_text, record_at,
     domain, content, answer_url, record, own, extracted) = row  # fmt: skip
    attributes = _attributes(own, extracted)
    if page is not None:
        text = unpacked_content(content)[0] if content else ""
        kind = "page" if record is None else "record"
        return IndexDocument(
            key, url, domain, title, text, language, kind, bool(behind_form), at, digest, attributes
        )
    where = record_url or answer_url or key
    return IndexDocument(
        key, where, domain, record_title, record_text, "", "record", True, record_at, digest, attributes
    )


def _attributes(own: str | None, extracted: str) -> tuple[tuple[str, str], ...]:
    """Return what sources took from a page; of what its answer said of the record, whatever they have no name for."""
    taken = [
        (name, value) for entry in json.loads(extracted) for name, values in entry.items() for value in values
    ]
    names = {name for name, _ in taken}
    rest = [(name, value) for name, value in json.loads(own or "[]") if name not in names]
    return tuple(dict.fromkeys((*taken, *rest)))


def _known_form(row: tuple[Any, ...]) -> StoredForm:
    number, site, form, ask, kind, verdict, *rest = row
    try:
        judged = _verdict(verdict) if verdict else Verdict(bool(ask), kind)
        return StoredForm(number, site, form_from_json(form), judged, *rest)
    except (ValueError, TypeError, KeyError) as error:
        raise StateError(f"the form {number} in the state cannot be read: {error}") from error


def _verdict(text: str) -> Verdict:
    values = json.loads(text)
    several = {name: tuple(values.get(name, ())) for name in ("why", "refusals", "overruled")}
    return Verdict(**{**values, **several})


def _link_row(link: TaskSeed, identity: int, host: int) -> tuple[object, ...]:
    return (
        identity, host, link.url, link.bucket, link.kind, link.hops, link.redirects, link.parent, link.submission,
        link.page_number, link.anchor, link.around, link.tag_path,
    )  # fmt: skip


def _locked(folder: Path) -> int:
    """Take the lock of a state, making the folder; the lock ends with the process, however that ends."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StateError(f"{folder}: cannot be used for the state: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.pread(handle, 100, 0).decode(errors="replace").strip() or "unknown"
        os.close(handle)
        raise StateInUse(
            f"{folder}: another crawl (process {owner}) is using this state; wait for it, or choose another folder"
            " with -s HIDDENWEB_STATE=FOLDER"
        ) from None
    os.ftruncate(handle, 0)
    os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
    return handle


def _connected(path: Path, *, write: bool) -> sqlite3.Connection:
    if not write and not path.exists():
        raise NoState(f"{path}: there is no state yet; a crawl makes it: scrapy crawl explore -a sites=URL")
    new = not path.exists()
    try:
        if new:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        mode = "rw" if write else "ro"
        db = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=30
        )
    except (OSError, sqlite3.OperationalError) as error:
        raise StateError(f"{path}: cannot be opened: {error}") from error
    try:
        _prepared(db, path, new=new or path.stat().st_size == 0, write=write)
    except sqlite3.DatabaseError as error:
        db.close()
        raise ForeignState(f"{path}: is not a readable SQLite file: {error}") from error
    except BaseException:
        db.close()
        raise
    return db


def _prepared(db: sqlite3.Connection, path: Path, *, new: bool, write: bool) -> None:
    if write:
        if new:
            db.execute("PRAGMA page_size = 8192")
        else:
            _check_ours(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 4000")
        db.execute("PRAGMA cache_size = -64000")
        if new:
            _created(db)
        else:
            migrate(db, path, MIGRATIONS)
    else:
        _check_ours(db, path)
    db.execute("PRAGMA trusted_schema = OFF")


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA application_id").fetchone()[0]
    if found != APPLICATION_ID:
        raise ForeignState(
            f"{path}: is an SQLite file of something else (application id {found}); it stays untouched"
        )
    version, ours = db.execute("PRAGMA user_version").fetchone()[0], _version(MIGRATIONS)
    if version > ours:
        raise ForeignState(
            f"{path}: was written by a newer hiddenweb (version {version} of the state, this one knows {ours})"
        )


def _bring_up_to_date(folder: Path) -> None:
    """Bring a state that an earlier version wrote up to date, so that readers find what they look for."""
    path = folder / FILE
    if not path.exists():
        return
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    except sqlite3.Error:
        return  # whoever opens it next says what is wrong with it
    finally:
        db.close()
    if ours and version < _version(MIGRATIONS):
        Store(folder).close()


def _version(migrations: Mapping[int, str]) -> int:
    return max(migrations, default=0) + 1


def _created(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for statement in _statements(_SCHEMA.read_text(encoding="utf-8")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {_version(MIGRATIONS)}")
    db.execute("COMMIT")


def migrate(db: sqlite3.Connection, path: Path, migrations: Mapping[int, str]) -> None:
    """Bring a file up to date, one version and one transaction at a time."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    db.create_function("sketch_of_content", 1, _sketch_of_content, deterministic=True)
    db.create_function("hash_of_content", 1, hash_of_content, deterministic=True)
    db.create_function("band_keys", 2, near_duplicates.as_json, deterministic=True)
    for step in range(version, _version(migrations)):
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
