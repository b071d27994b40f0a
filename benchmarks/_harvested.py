"""What a harvest of simweb brought, compared with the truth and with another harvest.

The truth is a world in this process, equal to the one that was crawled. What a run was *told* is taken from simweb's
journal: the records shown on every answer that was sent to it. What it *has* is taken from its state. A record counts as
lost when the run was told it, does not have it, and reading is not to blame: either the uninterrupted run has every
record of that site that it was told, so such answers can be read, or it has this very record.

One thing may rightly be missing: the answer to a POST that was under way when the crawl was killed. The crawl cannot
know whether it was sent and must not send it twice; the ledger then says `unknown`. The same holds for further pages of an
answer that are asked for by POST.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from hiddenweb.index.location import current_folder, last_indexed
from hiddenweb.index.protocol import differences
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in
from hiddenweb.store.database import Store
from hiddenweb.store.frontier import MISSED
from hiddenweb.store.outbox import SqliteOutbox
from simweb.messages import Request
from simweb.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from simweb.world import World

Fact = tuple[str, int]
"""A record of the truth: its host and its number there."""


@dataclass(frozen=True, slots=True)
class Harvest:
    """What one run has, and what it was told."""

    pages: frozenset[str]  # addresses that stand for all spellings of one page
    has: frozenset[Fact]
    stored: int  # rows of records
    repeated: int  # rows of records that another row has already
    twice: frozenset[object]  # the records that have several rows
    told: frozenset[Fact]
    unfinished: int  # links that still wait, and forms that are still to be asked
    questions: Mapping[tuple[str, str], int]  # answered, by site and keyword: pages read
    unknown: int  # POSTs that were under way when the crawl died
    requests: int
    refetched: int  # GET requests for what had been asked before
    posts: int
    repeated_posts: int


class Judge:
    """Knows a world, and says what a run has of it."""

    def __init__(self, world: World, hosts: Iterable[str]) -> None:
        self._world = world
        self._truth = Truth(world)
        self._hosts = frozenset(hosts)
        self._titles_of: dict[str, list[tuple[int, str]]] = {}
        self._shown: dict[tuple[str, str, str, str], frozenset[Fact]] = {}

    def reachable(self, starts: Iterable[str]) -> frozenset[str]:
        """Return the pages that links alone reach without leaving the hosts."""
        waiting = deque(self._truth.identity(start) for start in starts)
        seen = set(waiting)
        while waiting:
            url = waiting.popleft()
            for link in self._truth.links(url):
                target = self._truth.identity(urljoin(url, link))
                if urlsplit(target).netloc in self._hosts and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return frozenset(seen)

    def pages(self, urls: Iterable[str]) -> frozenset[str]:
        """Return the addresses that stand for all spellings of these."""
        return frozenset(map(self._truth.identity, urls))

    def all_records(self) -> int:
        """Return how many records the databases hold."""
        return sum(self._truth.count(host) for host in self._hosts if self._truth.site(host).plan.database)

    def harvest(self, folder: Path, journal: Sequence[Mapping[str, Any]]) -> Harvest:
        """Return what a run has in its state, and what the journal shows that it was told."""
        with Store(folder, write=False) as state:
            pages = frozenset(
                self._truth.identity(str(url)) for (url,) in state.rows("SELECT url FROM pages")
            )
            records = state.rows(
                "SELECT p.url, r.url, r.text FROM records r LEFT JOIN pages p ON p.id = r.page"
            )
            answered = state.rows(
                "SELECT s.url, s.keyword, s.pages FROM submissions s WHERE s.state = 'answered'"
            )
            lost_posts = {
                (str(url), bytes(body).decode("utf-8", "replace"))  # type: ignore[call-overload]
                for url, body in state.rows(
                    "SELECT url, body FROM submissions WHERE state = 'unknown' UNION SELECT links.url, page_posts.body"
                    " FROM page_posts JOIN links ON links.id = page_posts.link WHERE sent IS NOT NULL AND links.state = ?",
                    (MISSED,),
                )
            }
            unfinished = state.rows(
                "SELECT (SELECT count(*) FROM links WHERE state IN (0, 1))"
                " + (SELECT count(*) FROM forms WHERE may_submit = 1 AND state IN ('found', 'querying'))"
            )
        facts = [self._facts(str(page), str(url or ""), str(text)) for page, url, text in records]
        rows = Counter(key for key, _ in facts if key)
        posts = Counter(_post(row) for row in journal if row["method"] == "POST")
        gets = Counter((row["host"], row["target"]) for row in journal if row["method"] == "GET")
        told = (self._readable_records(row) for row in journal if _post(row) not in lost_posts)
        return Harvest(
            pages=pages,
            has=frozenset().union(*(found for _, found in facts)),
            stored=len(records),
            repeated=sum(count - 1 for count in rows.values()),
            twice=frozenset(key for key, count in rows.items() if count > 1),
            told=frozenset().union(*told),
            unfinished=int(str(unfinished[0][0])),
            questions={
                (urlsplit(str(url)).netloc, str(word)): int(str(read)) for url, word, read in answered
            },
            unknown=len(lost_posts),
            requests=len(journal),
            refetched=sum(count - 1 for count in gets.values()),
            posts=posts.total(),
            repeated_posts=sum(count - 1 for count in posts.values()),
        )

    def _readable_records(self, row: Mapping[str, Any]) -> frozenset[Fact]:
        """Return the records that an answer showed and that can be read out of it, by themselves.

        An answer of a single record has no like parts, and what it is depends on what was learnt before; whether
        it was understood says nothing about losses.
        """
        if row["status"] != 200 or not row["kind"].startswith("answer"):
            return frozenset()
        key = (row["host"], row["method"], row["target"], row["body"])
        if key not in self._shown:
            path, _, query = row["target"].partition("?")
            asked = Request(row["method"], row["host"], path, query, body=row["body"].encode())
            response = self._truth.site(row["host"]).respond(asked)
            shown = frozenset((row["host"], number) for number in response.records)
            self._shown[key] = shown & self._readable(f"http://{row['host']}{row['target']}", response.body)
        return self._shown[key]

    def _readable(self, url: str, body: bytes) -> frozenset[Fact]:
        found = records_in(read_page_with_items(bytes(body), url))
        return frozenset().union(*(self._facts(url, record.url or "", record.text)[1] for record in found))

    def _facts(self, page: str, url: str, text: str) -> tuple[object, frozenset[Fact]]:
        """Return what tells a stored record from all others, and which record of the truth it is.

        A record with a page of its own is known by its address. Others are known by what they say, which may fit
        several of one title. What is no record of the truth is told by nothing and is nothing.
        """
        host = urlsplit(page).netloc
        site = self._world.site_at(host)
        if site is None or site.plan.database is None:
            return None, frozenset()
        if not site.plan.database.has_details:
            said = _words(text)
            found = frozenset((host, number) for number, title in self._titles(host) if title in said)
            return (host, said) if found else None, found
        parts = urlsplit(self._truth.identity(url))
        number = site.record_at(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        fact = (host, number) if number is not None and parts.netloc == host else None
        return fact, frozenset([fact] if fact else [])

    def _titles(self, host: str) -> list[tuple[int, str]]:
        if host not in self._titles_of:
            records = self._truth.records(host)
            self._titles_of[host] = [(each.record.number, _words(each.record.title)) for each in records]
        return self._titles_of[host]


def lost_pages(reachable: frozenset[str], whole: Harvest, killed: Harvest) -> frozenset[str]:
    """Return the pages that links reach, that the uninterrupted run has, and the killed one lacks."""
    return (reachable & whole.pages) - killed.pages


def lost_records(whole: Harvest, killed: Harvest) -> frozenset[Fact]:
    """Return the records that the killed run was told and does not have, where reading is not to blame."""
    unread = {host for host, _ in whole.told - whole.has}
    missing = killed.told - killed.has
    return frozenset(each for each in missing if each[0] not in unread or each in whole.has)


def index_equals_store(folder: Path) -> bool:
    """Say whether the index holds exactly what the store says, and has taken in the whole outbox."""
    index, outbox = WhooshIndex(current_folder(folder)), SqliteOutbox(folder)
    try:
        return not differences(index, outbox.documents()) and last_indexed(folder) == outbox.last()
    finally:
        index.close()
        outbox.close()


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _post(row: Mapping[str, Any]) -> tuple[str, str]:
    return f"http://{row['host']}{row['target']}", row["body"]
