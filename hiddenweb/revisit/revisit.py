"""Revisiting a page: when it has to be read, and what the comparison says.

Most pages have not changed; their bytes or their server say so. Only the others are read, by the workers of
`hiddenweb.revisit.worker_pool`: reading is nearly all the work for a changed page. The crawl that found a page did not read it for
comparison, so at the first revisit its stored body is read too.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.answers.answer_verdict import AnswerVerdict, EarlierAnswers
from hiddenweb.answers.cases import judge_answer
from hiddenweb.answers.notices import says_blocked, says_missing, says_nothing_found
from hiddenweb.html.document import ParseCount, document_of
from hiddenweb.html.reader import read_page
from hiddenweb.language.folding import fold_line
from hiddenweb.model import UNREQUESTED_304, Fetched, HttpQuery, Page, no_items_of_kind
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in
from hiddenweb.revisit.answer_changes import add_unseen, join_records, keep_record_changes
from hiddenweb.revisit.comparison import (
    PATIENCE,
    SeenPage,
    compare_page,
    is_closed,
    observe_page,
    raw_hash,
    try_cheap_steps,
)
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.parts import version_of
from hiddenweb.revisit.surroundings import surroundings_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from hiddenweb.html.layout import PageLayout
    from hiddenweb.model import FetchFailure, Form, Link, Record
    from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState, GonePolicy, SoftNotFoundTexts
    from hiddenweb.revisit.parts import PageVersion

_GOOD_STATUS = 200  # the HTTP status of a page
_MIN_PARTS_LEFT = 0.7  # share of the parts of a page that is still the same page; a limit of taste
_LONG_COMPARISON = 4_000
"""Parts of both versions of a page, from which on a thread compares them: it takes up to a tenth of a second."""

_MAX_CONTENT_TYPE = 80  # characters of a Content-Type that are reported; a limit of taste
_MAX_LENGTH_LEFT = 0.5  # share of the characters of a page that became much shorter; a limit of taste
_MAX_SHORT_WORD = 3  # letters of a word that is too short to identify a record; a limit of taste
_MAX_WORDS_LEFT = 0.3
"""Share of the words of a record, on a page that is no longer about it; a limit of taste."""

_UNCHANGED_PAGE = Page("")
_NOTHING_LEARNT = EarlierAnswers()


@dataclass(frozen=True, slots=True)
class FetchedBody:
    """What a server sent for a page."""

    body: bytes
    content_type: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredBody:
    """What a server sent when a page was last read, and when."""

    body: FetchedBody
    at: float
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class PageToRead:
    """A page that has to be read, with its stored body if that was never read for comparison."""

    url: str
    now: FetchedBody | None
    before: FetchedBody | None = None
    query: HttpQuery | None = None  # that it answers
    form: Form | None = None  # to which the query was submitted, to read the answer as the crawl did
    earlier: EarlierAnswers = _NOTHING_LEARNT  # what that crawl had learnt about the answers of the form
    number: int = 1  # of the page in its answer
    want_layout: bool = False  # of the page as it is now, for extractors


@dataclass(frozen=True, slots=True)
class PageReading:
    """What a page says, without its links and forms."""

    page: Page
    version: PageVersion
    records: tuple[Record, ...] = ()
    failed: str = ""  # why it is no page, though it looks like one
    is_missing: bool = False
    next: Link | None = None  # of an answer: the next page
    is_nofollow: bool = False  # its robots meta tag
    is_part: bool = False  # the answer has more, but no link to it that we follow
    total: int | None = None  # records, as the site says
    layout: PageLayout | None = None  # if it was requested


@dataclass(frozen=True, slots=True)
class AnswerPages:
    """The further pages of an answer: their records, and those of their stored bodies if these were never compared."""

    now: tuple[Record, ...] = ()
    before: tuple[Record, ...] = ()
    pages: int = 1  # of the answer, the first one included
    is_whole: bool = True  # the answer was read to its end
    was_whole: bool = True  # the stored bodies reach its end


@dataclass(frozen=True, slots=True)
class PageReadings:
    """What a page says now, and what its stored body says."""

    now: PageReading | None
    before: PageReading | None
    parsed: int = 0  # pages


def read_versions(wanted: PageToRead) -> PageReadings:
    """Read a page and its stored body; only once if they are equal."""
    parses = ParseCount()
    if wanted.now is not None and wanted.now == wanted.before:
        both = _read(wanted, wanted.now, parses)
        return PageReadings(both, both, parses.pages)
    now = None if wanted.now is None else _read(wanted, wanted.now, parses)
    before = (
        None if wanted.before is None else _read(replace(wanted, want_layout=False), wanted.before, parses)
    )
    return PageReadings(now, before, parses.pages)


async def read_around(
    page: Page, wanted: PageToRead, read: Callable[[PageToRead], Awaitable[PageReadings]]
) -> PageReadings:
    """Return what a page says that is parsed already; only its stored body, if that differs, is read."""
    assert wanted.now is not None
    now = _observe_reading(page, wanted, wanted.now)
    if wanted.before is None or wanted.before == wanted.now:
        return PageReadings(now, None if wanted.before is None else now)
    before = await read(replace(wanted, now=None, want_layout=False))
    return PageReadings(now, before.before, before.parsed)


def _read(wanted: PageToRead, body: FetchedBody, parses: ParseCount) -> PageReading:
    read = read_page if wanted.query is None else read_page_with_items
    page = read(body.body, wanted.url, content_type=body.content_type, keep_document=True, on_parse=parses)
    return _observe_reading(page, wanted, body)


def _observe_reading(page: Page, wanted: PageToRead, body: FetchedBody) -> PageReading:
    """Return what a page says that was parsed from a body, and still has its document."""
    query = wanted.query
    document = document_of(page)
    surroundings = surroundings_of(document.nodes) if document is not None else {}
    layout = document.layout if document is not None and wanted.want_layout else None
    page = replace(page, marks=(*page.marks, *body.marks))
    answer = _answer(page, wanted, query) if query is not None else None
    records = answer.records if answer is not None else ()
    page_query = query or HttpQuery(())
    missing = says_missing(page, page_query)
    return PageReading(
        replace(
            page,
            links=(),
            forms=(),
            blocks=(),
            single_items=(),
            items_of_kind=no_items_of_kind,
            paging_links=(),
            document=None,
        ),
        version_of(page, records, surroundings),
        records,
        missing or says_blocked(page, page_query),
        is_missing=bool(missing),
        next=answer.next if answer is not None else None,
        is_nofollow=page.nofollow,
        is_part=answer is not None and (answer.case == "part" or answer.next_post is not None),
        total=answer.total if answer is not None else None,
        layout=layout,
    )


def _answer(page: Page, wanted: PageToRead, query: HttpQuery) -> AnswerVerdict:
    """Return the verdict on a page of an answer, as when the query was submitted; without the form, repeated items are the records."""
    if wanted.form is None:
        return AnswerVerdict("all", "", records_in(page, query))
    return judge_answer(
        page, _GOOD_STATUS, form=wanted.form, query=query, earlier=wanted.earlier, number=wanted.number
    )


@dataclass(frozen=True, slots=True)
class Revisit:
    """The outcome of a revisit, and the page if it was read."""

    outcome: ComparisonOutcome
    read: PageReading | None = None  # with the records of all pages, if it is an answer
    before: ComparisonState | None = None  # what was known when it began


async def revisit_page(
    known: ComparisonState | None,
    stored: StoredBody | None,
    item: Fetched | FetchFailure,
    *,
    read: Callable[[PageToRead], Awaitable[PageReadings]],
    masks: NoiseMasks,
    soft_not_found: SoftNotFoundTexts,
    masks_lock: asyncio.Lock,
    patience: GonePolicy = PATIENCE,
    query: HttpQuery | None = None,
    further: AnswerPages | None = None,
) -> Revisit:
    """Compare a fetched page with what is known of it, or with its stored body if it was never compared.

    Of an answer this is the first page, and all its pages are compared: `further` has the records of the others.

    Masks learn from each revisit, so only the holder of the lock may use them. Very long pages are compared in a thread, while
    fetching continues.
    """
    seen, body = _observe(item, query), body_of(item)
    if known is not None and body is not None and _has_equal_bytes(known, seen, further):
        async with masks_lock:
            early = try_cheap_steps(known, replace(seen, page=_UNCHANGED_PAGE), masks, patience)
        assert early is not None
        if not early.changes:
            return Revisit(early)
        late = await read(PageToRead(item.task.url, body, None, query))
        return Revisit(early, late.now)
    before = stored if known is None else None
    now: PageReading | None = None
    if body is not None or before is not None:
        both = await read(PageToRead(item.task.url, body, None if before is None else before.body, query))
        now = both.now
        if before is not None and both.before is not None:
            known = _restore_known(item.task.url, before, both.before, further)
    if now is not None:
        now = replace(now, records=_all_now(known, now, further))
        seen = _complete_observation(
            seen, known, now, is_answer=query is not None, has_further=further is not None
        )
    async with masks_lock:
        if _length(known) + _length(now) > _LONG_COMPARISON:
            outcome = await asyncio.to_thread(compare_page, known, seen, masks, soft_not_found, patience)
        else:
            outcome = compare_page(known, seen, masks, soft_not_found, patience)
    if query is not None:
        outcome = keep_record_changes(outcome, known.records if known is not None else (), seen.records)
    if further is not None and outcome.step not in ("failed", "doubted"):
        outcome = replace(outcome, known=_note_length_of_answer(outcome.known, known, further))
    return Revisit(outcome, now, known)


def _has_equal_bytes(known: ComparisonState, seen: SeenPage, further: AnswerPages | None) -> bool:
    """Return whether the server sent the same bytes again; an answer must be a single page."""
    is_one_page = further is None or further.pages == known.pages == 1
    return bool(is_one_page and seen.raw and seen.raw == known.raw)


def _complete_observation(
    seen: SeenPage, known: ComparisonState | None, now: PageReading, *, is_answer: bool, has_further: bool
) -> SeenPage:
    """Return an observation completed with what was read of the page."""
    failed = "" if known is not None and _is_same_page(known, now) else now.failed
    denial = _find_new_denial(known, now) if known is not None and not is_answer else ""
    return replace(
        seen, page=now.page, version=now.version, records=now.records, has_further=has_further, failed=failed or denial,
        is_missing=bool(denial) or (bool(failed) and now.is_missing),
    )  # fmt: skip


def _note_length_of_answer(
    state: ComparisonState, known: ComparisonState | None, further: AnswerPages
) -> ComparisonState:
    """Return the state of an answer with its number of pages and whether its end was ever read."""
    return replace(
        state,
        pages=further.pages if further.is_whole else 0,
        is_whole=further.is_whole or (known is not None and known.is_whole),
    )


def _all_now(
    known: ComparisonState | None, now: PageReading, further: AnswerPages | None
) -> tuple[Record, ...]:
    """Return the records of all pages of an answer; if it was not read to its end, with the known ones."""
    if further is None:
        return now.records
    seen = join_records((now.records, further.now))
    if further.is_whole or known is None or not known.is_whole:
        return seen
    return add_unseen(known.records, seen)


def _length(page: ComparisonState | PageReading | None) -> int:
    """Return how many parts a page has, including those of its records."""
    if page is None or page.version is None:
        return 0
    return len(page.version.parts) + 4 * len(page.records)


def _is_same_page(known: ComparisonState, now: PageReading) -> bool:
    """Return whether a page that looks missing or blocked is still the same: it had the phrase before, or most of it is left."""
    if known.version is None or not now.failed:
        return True
    phrase = now.failed.casefold()
    if phrase in fold_line(" ".join(known.version.all_parts)):
        return True
    parts = now.version.parts
    left = set(known.version.parts).intersection(parts)
    return (
        phrase not in now.version.title.casefold()
        and len(left) >= _MIN_PARTS_LEFT * len(set(known.version.parts)) > 0
    )


def _find_new_denial(known: ComparisonState, now: PageReading) -> str:
    """Return the words with which a page says that nothing was found, if they are new and the page lost half of its text.

    Many sites show a deleted record like this.
    """
    phrase = says_nothing_found(now.page.text)
    if not phrase or known.version is None:
        return ""
    before = fold_line(" ".join(known.version.all_parts))
    is_new = fold_line(phrase) not in before
    shorter = sum(map(len, now.version.parts)) <= _MAX_LENGTH_LEFT * sum(map(len, known.version.parts))
    return phrase if is_new and shorter else ""


def denies_record(read: PageReading, title: str, text: str) -> bool:
    """Return whether the own page of a record says that nothing is there, and shows hardly anything of the record."""
    if shows_record(read, title, text):
        return False
    return read.is_missing or bool(says_nothing_found(read.page.text))


def shows_record(read: PageReading, title: str, text: str) -> bool:
    """Return whether a page has the title of a record, or many of its words."""
    page_text = " ".join(f"{read.page.title} {read.page.text}".casefold().split())
    words = {word for word in text.casefold().split() if len(word) > _MAX_SHORT_WORD}
    words_left = sum(word in page_text for word in words)
    return bool(title and fold_line(title) in page_text) or words_left > _MAX_WORDS_LEFT * len(words)


def body_of(item: Fetched | FetchFailure) -> FetchedBody | None:
    """Return the body of a response that may be a page."""
    if not isinstance(item, Fetched) or item.status != _GOOD_STATUS or item.why or item.redirect is not None:
        return None
    return FetchedBody(item.body, item.content_type, item.marks)


def _observe(item: Fetched | FetchFailure, query: HttpQuery | None) -> SeenPage:
    seen = observe_page(item)
    query_text = " ".join(value for _, value in query.values) if query is not None else ""
    if isinstance(item, Fetched) and item.why == UNREQUESTED_304:
        seen = replace(seen, failed=item.why)
    is_empty = isinstance(item, Fetched) and not item.body
    return replace(seen, query=query_text, raw=0 if is_empty else seen.raw, became=_became(item))


def _became(item: Fetched | FetchFailure) -> str:
    """Return the content type of a response that is no page."""
    if not isinstance(item, Fetched) or item.status != _GOOD_STATUS or not item.why or not item.body:
        return ""
    return item.content_type.partition(";")[0].strip().lower()[:_MAX_CONTENT_TYPE]


def _restore_known(
    url: str, stored: StoredBody, read: PageReading, further: AnswerPages | None
) -> ComparisonState:
    """Return the state of a page from its stored body."""
    records = read.records if further is None else join_records((read.records, further.before))
    seen = SeenPage(
        url, stored.at, page=read.page, version=read.version, records=records, raw=raw_hash(stored.body.body),
        etag=stored.etag, last_modified=stored.last_modified, is_closed=is_closed(stored.body.body),
    )  # fmt: skip
    known = compare_page(None, seen, NoiseMasks()).known
    return known if further is None else replace(known, is_whole=further.was_whole)
