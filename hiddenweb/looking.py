"""Looking at a page again: what is read, and when it need not be.

Most pages are as they were, which their bytes tell, or their server. Only the others are read, by the consumers (`hiddenweb.changes.workers`): reading takes
nearly all the time that a changed page takes. A page that is looked at for the first time was read by the crawl that found it, but not for this,
so what was kept of it is read once more.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.changes.ladder import PATIENCE, Seen, first_steps, is_closed, look, raw_hash, seen_of
from hiddenweb.changes.noise import Masks
from hiddenweb.changes.segments import version_of
from hiddenweb.changes.surroundings import surroundings
from hiddenweb.fetching.outcomes import UNASKED
from hiddenweb.items import Page, Query, Visit, none_like
from hiddenweb.page import read_page
from hiddenweb.results.notices import says_blocked, says_missing
from hiddenweb.results.records import records_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiddenweb.changes.ladder import Known, Outcome, Patience, StandIns
    from hiddenweb.changes.segments import Version
    from hiddenweb.items import Missed, Record

_GOOD = 200
_MOST = 0.7  # of the parts of a page
_LONG = 4_000  # parts of both versions of a page: to compare them takes up to a tenth of a second
_LONGEST_TYPE = 80  # characters
_AS_IT_WAS = Page("")


@dataclass(frozen=True, slots=True)
class Body:
    """What a server sent for a page."""

    body: bytes
    content_type: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptBody:
    """What a server sent when a page was read last, and when that was."""

    body: Body
    at: float
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class ToRead:
    """A page that has to be read, and what was kept of it if that was never read for this."""

    url: str
    now: Body | None
    before: Body | None = None
    query: Query | None = None  # to which it is an answer


@dataclass(frozen=True, slots=True)
class Read:
    """What a page says; of its links and forms nothing is left."""

    page: Page
    version: Version
    records: tuple[Record, ...] = ()
    failed: str = ""  # why it is no page, though it looks like one
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class BothRead:
    """What a page says, and what it said."""

    now: Read | None
    before: Read | None


def read_both(wanted: ToRead) -> BothRead:
    """Read a page, and what was kept of it; once, if they are the same."""
    if wanted.now is not None and wanted.now == wanted.before:
        both = _read(wanted.url, wanted.now, wanted.query)
        return BothRead(both, both)
    now = None if wanted.now is None else _read(wanted.url, wanted.now, wanted.query)
    before = None if wanted.before is None else _read(wanted.url, wanted.before, wanted.query)
    return BothRead(now, before)


def _read(url: str, body: Body, query: Query | None) -> Read:
    page = read_page(body.body, url, content_type=body.content_type, want_blocks=query is not None)
    page = replace(page, marks=(*page.marks, *body.marks))
    records = records_in(page, query) if query is not None else ()
    asked = query or Query(())
    missing = says_missing(page, asked)
    return Read(
        replace(page, links=(), forms=(), blocks=(), alone=(), like=none_like, turns=()),
        version_of(page, records, surroundings(body.body, body.content_type)),
        records,
        missing or says_blocked(page, asked),
        is_missing=bool(missing),
    )


@dataclass(frozen=True, slots=True)
class Look:
    """What came of a look: where it ended, and the page if that was read."""

    outcome: Outcome
    read: Read | None = None


async def look_again(
    known: Known | None,
    kept: KeptBody | None,
    came: Visit | Missed,
    *,
    read: Callable[[ToRead], Awaitable[BothRead]],
    masks: Masks,
    stand_ins: StandIns,
    turn: asyncio.Lock,
    patience: Patience = PATIENCE,
    query: Query | None = None,
) -> Look:
    """Look at what came, and compare it with what is known, or with what was kept if nothing is known yet.

    Masks learn from each look, so these take turns: who uses the masks holds the lock. Very long pages are compared by a thread, and fetching goes on meanwhile.
    """
    seen = _seen(came, query)
    body = _body(came)
    if known is not None and body is not None and seen.raw and seen.raw == known.raw:
        async with turn:
            early = first_steps(known, replace(seen, page=_AS_IT_WAS), masks, patience)
        assert early is not None
        if not early.changes:
            return Look(early)
        return Look(early, (await read(ToRead(came.errand.url, body, None, query))).now)  # told late
    before = kept if known is None else None
    now: Read | None = None
    if body is not None or before is not None:
        both = await read(ToRead(came.errand.url, body, None if before is None else before.body, query))
        now = both.now
        if before is not None and both.before is not None:
            known = _known(came.errand.url, before, both.before)
    if now is not None:
        failed = "" if known is not None and _stands(known, now) else now.failed
        seen = replace(
            seen, page=now.page, version=now.version, records=now.records, failed=failed, is_missing=bool(failed) and now.is_missing
        )  # fmt: skip
    async with turn:
        if _length(known) + _length(now) > _LONG:
            outcome = await asyncio.to_thread(look, known, seen, masks, stand_ins, patience)
        else:
            outcome = look(known, seen, masks, stand_ins, patience)
    return Look(outcome, now)


def _length(said: Known | Read | None) -> int:
    """Return how many parts a page has, those of its records too."""
    if said is None or said.version is None:
        return 0
    return len(said.version.parts) + 4 * len(said.records)


def _stands(known: Known, now: Read) -> bool:
    """Say whether a page that says there is none, or keeps us out, is as much a page as it was: it said so before, or most of it is left."""
    if known.version is None or not now.failed:
        return True
    phrase = now.failed.casefold()
    if phrase in " ".join(" ".join(known.version.all_parts).split()).casefold():
        return True
    parts = now.version.parts
    left = set(known.version.parts).intersection(parts)
    return (
        phrase not in now.version.title.casefold() and len(left) >= _MOST * len(set(known.version.parts)) > 0
    )


def _body(came: Visit | Missed) -> Body | None:
    """Return what may be a page."""
    if not isinstance(came, Visit) or came.status != _GOOD or came.why or came.redirect is not None:
        return None
    return Body(came.body, came.content_type, came.marks)


def _seen(came: Visit | Missed, query: Query | None) -> Seen:
    seen = seen_of(came)
    asked = " ".join(value for _, value in query.values) if query is not None else ""
    if isinstance(came, Visit) and came.why == UNASKED:
        seen = replace(seen, failed=came.why)
    is_empty = isinstance(came, Visit) and not came.body
    return replace(seen, query=asked, raw=0 if is_empty else seen.raw, became=_became(came))


def _became(came: Visit | Missed) -> str:
    """Return the type of what is no page, if a server says it and sends something."""
    if not isinstance(came, Visit) or came.status != _GOOD or not came.why or not came.body:
        return ""
    return came.content_type.partition(";")[0].strip().lower()[:_LONGEST_TYPE]


def _known(url: str, kept: KeptBody, read: Read) -> Known:
    """Return what is known of a page that was read once."""
    seen = Seen(
        url, kept.at, page=read.page, version=read.version, records=read.records, raw=raw_hash(kept.body.body),
        etag=kept.etag, last_modified=kept.last_modified, is_closed=is_closed(kept.body.body),
    )  # fmt: skip
    return look(None, seen, Masks()).known
