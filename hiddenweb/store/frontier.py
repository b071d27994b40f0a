"""The frontier: links that wait, are under way, or have ended.

**Nothing is lost.** Links wait as *pending*, are *leased* while they are under way, and end as *done*, *failure* or
*refused*. The links of a page and its own "done" are written in one transaction, so a crawl that is killed at any
point finds the page either finished with all its links or still to be fetched.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from hiddenweb.forms.stored_form import PagePost
from hiddenweb.frontier.scope import LAST
from hiddenweb.model import CrawlTask, TaskSeed
from hiddenweb.store.sqlite_file import LONGEST_REASON
from hiddenweb.urls import canonical_url, text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.model import FetchFailure, PostSeed
    from hiddenweb.store.sites import SiteStore
    from hiddenweb.store.sqlite_file import SqliteFile

PENDING, LEASED, DONE, MISSED, REFUSED = range(5)

ANSWERS = ("answer", "paging")
"""Kinds of links that come before all others: queries, and the further pages of their answers."""

SKIPPED = "answers say enough of its record (HIDDENWEB_DETAIL_PAGES)"
"""Why the page of a record is not fetched."""

_LINK_COLUMNS = "hash, host, url, bucket, kind, hops, redirects, parent, submission, page_number, anchor, around, tag_path"

_INSERT_LINK = f"INSERT OR IGNORE INTO links ({_LINK_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

_INSERT_FOLLOWED = (
    f"{_INSERT_LINK.replace(' OR IGNORE', '')} ON CONFLICT (hash) DO UPDATE SET kind = 'page', why = NULL,"
    f" state = CASE state WHEN {LEASED} THEN {LEASED} ELSE {PENDING} END"
    f" WHERE kind = 'record' AND (state IN ({PENDING}, {LEASED}) OR (state = {REFUSED} AND why = '{SKIPPED}'))"
)

_INSERT_PAGING = (
    f"{_INSERT_LINK.replace(' OR IGNORE', '')} ON CONFLICT (hash) DO UPDATE SET kind = 'paging', bucket = excluded.bucket,"
    " parent = excluded.parent, submission = excluded.submission, page_number = excluded.page_number, attempts = 0, not_before = 0,"
    f" why = NULL, state = CASE state WHEN {LEASED} THEN {LEASED} ELSE {PENDING} END WHERE kind = 'page'"
)

SELECT_TASK = (
    "SELECT links.id, hosts.site, links.host, url, kind, hops, redirects, attempts, submission, page_number"
    " FROM links JOIN hosts ON hosts.id = links.host"
)

_IS_CHOSEN = "(kind <> 'sitemap' AND (bucket = 0 OR attempts > 0 OR not_before > 0 OR redirects > 0 OR kind <> 'page'))"

_SELECT_CHOSEN = (
    f"{SELECT_TASK} WHERE links.host = ? AND state = 0 AND not_before <= ? AND (kind IN ('page', 'record') OR ?)"
    f" AND {_IS_CHOSEN} AND (kind <> 'page' OR ?) ORDER BY bucket, links.id LIMIT ?"
)

_OF_KINDS = "CASE kind WHEN 'page' THEN ?3 WHEN 'sitemap' THEN ?3 WHEN 'record' THEN ?4 ELSE ?2 END"

_SELECT_PENDING = (
    f"{SELECT_TASK} WHERE links.host = ?1 AND state = 0 AND not_before <= ?5 AND bucket < ?7 AND {_OF_KINDS}"
    " ORDER BY bucket, links.id LIMIT ?6"
)


@dataclass(frozen=True, slots=True)
class AddedLinks:
    """The outcome of adding links to the frontier."""

    new: int = 0
    known: int = 0
    outside: int = 0  # of sites that are not explored
    links: tuple[TaskSeed, ...] = ()  # those that are new


class FrontierStore:
    """The frontier of a store."""

    def __init__(self, file: SqliteFile, sites: SiteStore) -> None:
        self._file = file
        self._db = file.db
        self._sites = sites

    def is_remembered(self, url: str) -> bool:
        """Say whether an address was found a moment ago, without reading the database."""
        return self._sites.recent_urls.get(url) is not None

    def leave_out_remembered(self, urls: Iterable[str]) -> list[str]:
        """Return the addresses that were not found a moment ago: one call for all links of a page."""
        return self._sites.recent_urls.missing(urls)

    def remember(self, url: str) -> None:
        """Remember an address that will never be followed."""
        self._sites.recent_urls.add(url, 1)

    def add(self, links: Iterable[TaskSeed], *, followed: bool = False) -> AddedLinks:
        """Put links into the frontier that are not known yet.

        If they are `followed`, because pages have them, they are no longer only the addresses of records. A further page of an answer that was
        already explored is read once more.
        """
        rows, outside = [], 0
        for link in links:
            if link.kind != "record":
                self._sites.recent_urls.add(link.url, 1)
            host = self._sites.find_host(link.url)
            if host is None:
                outside += 1
            else:
                rows.append((link, _link_row(link, self.link_hash(link), host)))
        insert = _INSERT_FOLLOWED if followed else _INSERT_LINK
        new = tuple(
            link
            for link, row in rows
            if self._insert(row, _INSERT_PAGING if link.kind == "paging" else insert)
        )
        return AddedLinks(len(new), len(rows) - len(new), outside, new)

    def link_hash(self, link: TaskSeed) -> int:
        """Return the hash that identifies a link.

        An answer is a link of its own, even if another query led to the same address, if the address does not say all: the query was sent by POST,
        or the address differs in what looks like the id of a session, which may be that of the answer.
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
        row = self._db.execute("SELECT method FROM submissions WHERE id = ?", (submission,)).fetchone()
        return row is not None and row[0] != "GET"

    def add_query(self, seed: TaskSeed, identity: int, not_before: float = 0.0) -> None:
        """Put the request of a query into the frontier; an existing link to the same address becomes the answer."""
        db, host = self._file.begin(), self._sites.find_host(seed.url)
        assert host is not None, "only links inside known sites can be planned"
        if not self._insert(_link_row(seed, identity, host), _INSERT_LINK):
            db.execute(
                "UPDATE links SET kind = 'answer', submission = ?, bucket = ?, attempts = 0, not_before = 0,"
                " state = CASE state WHEN ? THEN state ELSE ? END WHERE hash = ?",
                (seed.submission, seed.bucket, LEASED, PENDING, identity),
            )
            self._sites.woken_hosts.add(host)
        if not_before:
            db.execute("UPDATE links SET not_before = ? WHERE hash = ?", (not_before, identity))

    def _insert(self, row: tuple[object, ...], insert: str) -> bool:
        added = self._file.begin().execute(insert, row).rowcount > 0
        if added:
            host, kind = cast("int", row[1]), row[4]
            self._sites.woken_hosts.add(host)
            if kind in ANSWERS:
                self._sites.urgent_hosts.add(host)
        return added

    def retry(self, url: str) -> bool:
        """Let a failed or refused address wait again; say whether it did fail."""
        row = (
            self._file.begin()
            .execute(
                "UPDATE links SET state = 0, attempts = 0, not_before = 0 WHERE hash = ? AND state IN (3, 4) RETURNING host",
                (url_hash(url),),
            )
            .fetchone()
        )
        if row is not None:
            self._sites.woken_hosts.add(row[0])
        return row is not None

    def bring_forward(self, hashes: Iterable[int], bucket: int) -> int:
        """Move waiting links, by the hashes of their addresses, to an earlier bucket; return how many were moved."""
        return sum(
            self._file.write(
                "UPDATE links SET bucket = ?1 WHERE hash = ?2 AND state = 0 AND bucket > ?1", (bucket, number)
            )
            for number in hashes
        )

    def explore_next(self, site: int, before: int) -> None:
        """Let the first waiting page or sitemap of a site go before everything else, unless it is a deferred one."""
        self._file.begin().execute(
            "UPDATE links SET bucket = 0 WHERE id = (SELECT links.id FROM links JOIN hosts ON hosts.id = host"
            " WHERE site = ? AND state = 0 AND kind IN ('page', 'sitemap') AND not_before = 0 AND bucket BETWEEN 1 AND ?"
            " ORDER BY bucket, links.id LIMIT 1)",
            (site, before - 1),
        )

    def postpone(self, site: int, bucket: int, most: int, is_deferred: Callable[[str], bool]) -> int:
        """Move those of the first waiting links of a site that are to be deferred to a later bucket; return how many were moved."""
        rows = self._db.execute(
            "SELECT links.id, url FROM links JOIN hosts ON hosts.id = links.host WHERE hosts.site = ? AND state = 0 AND kind = 'page'"
            " AND hops > 0 AND bucket BETWEEN 1 AND ? LIMIT ?",
            (site, bucket - 1, most),
        ).fetchall()
        deferred = [(bucket, number) for number, url in rows if is_deferred(url)]
        self._file.begin().executemany("UPDATE links SET bucket = ? WHERE id = ?", deferred)
        return len(deferred)

    def is_known(self, url: str) -> bool:
        """Say whether an address is in the frontier, in whatever state."""
        found = self._db.execute("SELECT 1 FROM links WHERE hash = ?", (url_hash(url),)).fetchone()
        return found is not None

    def can_continue_answer(self, url: str, submission: int | None = None) -> bool:
        """Say whether an address can be a further page of an answer: it is new, or was a mere page so far."""
        number = self.link_hash(TaskSeed(url, "paging", submission=submission))
        link = self._db.execute("SELECT kind FROM links WHERE hash = ?", (number,)).fetchone()
        return link is None or link[0] == "page"

    def can_become_answer(self, url: str, submission: int) -> bool:
        """Say whether the target of a redirect of a query is still to be read as its answer."""
        number = self.link_hash(TaskSeed(url, "answer", submission=submission))
        return self._db.execute("SELECT 1 FROM links WHERE hash = ?", (number,)).fetchone() is None

    def find_waiting_host(self, after: int) -> int | None:
        """Return the first host with a higher number that has waiting links, also of sites that were left."""
        found = self._db.execute(
            "SELECT host FROM links WHERE state = 0 AND host > ? ORDER BY host LIMIT 1", (after,)
        ).fetchone()
        return int(found[0]) if found else None

    def lease(
        self, host: int, count: int, now: float, *, with_queries: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the best waiting links of a host, queries only if `with_queries`; if none may go now, return when the next one may."""
        stopped = self._sites.kinds_on_hold(host)
        kinds = (with_queries, "page" not in stopped, "record" not in stopped)
        rows = self._db.execute(_SELECT_PENDING, (host, *kinds, now, count, LAST)).fetchall()
        if not rows:  # deferred links go one by one: any page may lead to better ones
            rows = self._db.execute(_SELECT_PENDING, (host, *kinds, now, 1, LAST + 1)).fetchall()
        if not rows:
            later = self._db.execute(
                f"SELECT min(not_before) FROM links WHERE host = ?1 AND state = 0 AND {_OF_KINDS}",
                (host, *kinds),
            ).fetchone()[0]
            return [], later
        tasks = _answers_first([CrawlTask(*row) for row in rows])
        self._file.begin().executemany(
            "UPDATE links SET state = 1 WHERE id = ?", [(task.link,) for task in tasks]
        )
        return tasks, None

    def lease_chosen(
        self, host: int, count: int, now: float, *, with_queries: bool = True, pages: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the waiting links of a host that no stage has to choose: queries and records, and chosen `pages`."""
        rows = self._db.execute(_SELECT_CHOSEN, (host, now, with_queries, pages, count)).fetchall()
        if not rows:
            later = self._db.execute(
                "SELECT min(not_before) FROM links WHERE host = ? AND state = 0 AND (kind IN ('page', 'record') OR ?)"
                f" AND {_IS_CHOSEN} AND (kind <> 'page' OR ?)",
                (host, with_queries, pages),
            ).fetchone()[0]
            return [], later
        tasks = _answers_first([CrawlTask(*row) for row in rows])
        self._file.begin().executemany(
            "UPDATE links SET state = 1 WHERE id = ?", [(task.link,) for task in tasks]
        )
        return tasks, None

    def lease_url(self, url: str) -> CrawlTask | None:
        """Take the link of an address; None if it does not wait."""
        row = self._db.execute(
            f"{SELECT_TASK} WHERE links.hash = ? AND state = 0", (url_hash(url),)
        ).fetchone()
        if row is None:
            return None
        self._file.begin().execute("UPDATE links SET state = 1 WHERE id = ?", (row[0],))
        return CrawlTask(*row)

    def find_task(self, url: str) -> CrawlTask | None:
        """Return the link of an address as a task, in whatever state it is."""
        row = self._db.execute(f"{SELECT_TASK} WHERE links.hash = ?", (url_hash(url),)).fetchone()
        return CrawlTask(*row) if row else None

    def choose(self, task: CrawlTask) -> None:
        """Give back a chosen link, as the next one of its host."""
        self._file.begin().execute("UPDATE links SET state = 0, bucket = 0 WHERE id = ?", (task.link,))
        self._sites.woken_hosts.add(task.host)

    def reset_site(self, site: int) -> None:
        """Let all pages of a site wait again that were read or failed: they are needed for another topic."""
        self._file.begin().execute(
            "UPDATE links SET state = ?, attempts = 0, not_before = 0, bucket = max(bucket, 1) WHERE state IN (?, ?)"
            " AND kind = 'page' AND submission IS NULL AND host IN (SELECT id FROM hosts WHERE site = ?)",
            (PENDING, DONE, MISSED, site),
        )

    def find_hosts_with_chosen(self) -> set[int]:
        """Return the hosts with waiting links that no stage has to choose."""
        rows = self._db.execute(f"SELECT DISTINCT host FROM links WHERE state = 0 AND {_IS_CHOSEN}")
        return {row[0] for row in rows}

    def find_parent(self, link: int) -> int | None:
        """Return the link of the page that had a link, or that redirected to it."""
        row = self._db.execute("SELECT parent FROM links WHERE id = ?", (link,)).fetchone()
        return row[0] if row else None

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        """Give back links that were leased and not requested."""
        rows = [(task.link,) for task in tasks]
        if rows:
            self._file.begin().executemany("UPDATE links SET state = 0 WHERE id = ? AND state = 1", rows)

    def refuse(self, task: CrawlTask, why: str) -> None:
        """End a task that our own rules forbid."""
        self._end(task, REFUSED, why)

    def finish(self, task: CrawlTask, why: str | None = None) -> None:
        """End a task that was answered. If its address has become a query meanwhile, that waits now."""
        self._end(task, DONE, why)

    def _end(self, task: CrawlTask, state: int, why: str | None) -> None:
        ended = self._file.begin().execute(
            "UPDATE links SET state = CASE WHEN submission IS ? THEN ? ELSE ? END, why = ? WHERE id = ?"
            " RETURNING state",
            (task.submission, state, PENDING, why[:LONGEST_REASON] if why else why, task.link),
        )
        if ended.fetchone() == (PENDING,):
            self._sites.woken_hosts.add(task.host)

    def fail(self, failure: FetchFailure) -> None:
        """End a task that was not answered, or put it back for later."""
        if failure.retry_in is None:
            self._end(failure.task, MISSED, failure.why)
            return
        self._sites.woken_hosts.add(failure.task.host)
        self._file.begin().execute(
            "UPDATE links SET state = 0, why = ?, attempts = attempts + ?, not_before = ? WHERE id = ?",
            (
                failure.why[:LONGEST_REASON],
                failure.counts,
                failure.at + failure.retry_in,
                failure.task.link,
            ),
        )

    def add_post(self, post: PostSeed) -> bool:
        """Put a further page of an answer that is fetched by POST into the frontier; False if it is there already."""
        link = post.link
        host = self._sites.find_host(link.url)
        assert host is not None, "only links inside known sites can be planned"
        identity = text_hash(f"POST {link.url} {post.body.hex()} of {link.submission}")
        if not self._insert(_link_row(link, identity, host), _INSERT_LINK):
            return False
        self._file.begin().execute(
            "INSERT INTO page_posts (link, body, content_type) SELECT id, ?, ? FROM links WHERE hash = ?",
            (post.body, post.content_type, identity),
        )
        return True

    def load_post(self, task: CrawlTask) -> PagePost | None:
        """Return what is sent by POST for a further page of an answer; None if it is fetched by GET."""
        if task.kind != "paging" or task.redirects:
            return None
        row = self._db.execute(
            "SELECT body, content_type, sent FROM page_posts WHERE link = ?", (task.link,)
        ).fetchone()
        return PagePost(*row) if row else None

    def mark_post_sent(self, task: CrawlTask, at: float) -> None:
        """Write down that the POST for a further page is sent, just before it is."""
        self._file.write_durably("UPDATE page_posts SET sent = ? WHERE link = ?", (at, task.link))


def _answers_first(tasks: list[CrawlTask]) -> list[CrawlTask]:
    """Return only the queries and pages of answers at the beginning of a list, if there are any: what follows from them precedes the rest."""
    answers = list(takewhile(lambda task: task.kind in ANSWERS, tasks))
    return answers or tasks


def _link_row(link: TaskSeed, identity: int, host: int) -> tuple[object, ...]:
    return (
        identity, host, link.url, link.bucket, link.kind, link.hops, link.redirects, link.parent, link.submission,
        link.page_number, link.anchor, link.around, link.tag_path,
    )  # fmt: skip
