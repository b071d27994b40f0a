"""What an answer of a server means for the crawl: a page, a redirect, something to try again, or nothing.

An answer that says "not now" (429, 503, other errors of the server) is tried again later; Retry-After is obeyed for the
whole host. All other answers end the errand. Only HTML that came whole is read as a page, and an OpenSearch description as one
that has nothing but forms. A sitemap is no page, but names some. An error page is no page, but it may have a form: many searches answer 400 or 404 as long as nobody asks for
anything. The answer to a question is read with some errors, too: there are sites that say by 404 that they found nothing, and by 500
that they found too much.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.answers.cases import NOTHING_BY_STATUS
from hiddenweb.answers.notices import says_too_many
from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.sitemaps import may_be_sitemap, read_sitemap
from hiddenweb.forms.opensearch import UnreadableDescription, read_description
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.html.load_more import next_in_header
from hiddenweb.html.reader import read_page
from hiddenweb.html.tree_walk import refresh_seconds, refresh_target
from hiddenweb.model import Fetched, FetchFailure, HttpQuery, Page, PageList
from hiddenweb.near_duplicates.sketch import fingerprint_and_sketch
from hiddenweb.records.page import read_page_with_items
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.fetch.refusals import Postponed
    from hiddenweb.model import CrawlTask

HTML = ("text/html", "application/xhtml+xml")
DESCRIPTION = "application/opensearchdescription+xml"
REDIRECTS = frozenset((301, 302, 303, 307, 308))
_NOT_MODIFIED = 304
LATER = frozenset((408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524))
MAY_HAVE_FORMS = frozenset((400, 404, 405, 406, 410, 422))
"""Errors that speak of this request only. Whoever is not let in (401, 403) finds no form that is meant for them."""

UNASKED = "not modified, though nobody asked whether it was"
"""Why there is no page if a server answers 304 to everybody."""

TOO_MANY_BY_STATUS = frozenset((413, 500))
"""Errors that may say of a question that it found too much."""

ITS_OWN_ERROR = 500
"""The error of a program on one request, most often; others of the server speak of its state."""

ALL_OF_IT = frozenset((429, 503))
"""Answers that speak for the whole host."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how long an errand is tried again."""

    times: int = 2
    delay: float = 10.0  # seconds before the first; each further one waits twice as long
    longest: float = 3600.0


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """What a server sent."""

    url: str
    status: int
    body: bytes
    content_type: str = ""
    location: str = ""
    retry_after: str = ""
    etag: str = ""
    last_modified: str = ""
    link: str = ""
    refresh: str = ""
    latency: float = 0.0
    marks: Sequence[str] = ()
    robots: frozenset[str] = frozenset()  # what its X-Robots-Tag asks of us
    is_conditional: bool = False  # it was asked for only if it was modified


def outcome(
    errand: CrawlTask, answered: ServerAnswer, at: float, retries: RetryPolicy
) -> Fetched | FetchFailure:
    """Return what an answer means."""
    page, redirect, why, form_page, named = None, None, "", None, None
    if errand.kind in ("answer", "paging") and _may_tell(answered):
        page = _read(errand, answered)
    if answered.status in LATER and (page is None or not says_too_many(page, HttpQuery(()))):
        return _try_later(errand, answered, at, retries)
    if answered.status in REDIRECTS:
        redirect = normalise_url(answered.location, answered.url) if answered.location else None
        why = "" if redirect else "redirects to nowhere"
    elif answered.status == _NOT_MODIFIED and not answered.is_conditional:
        why = UNASKED
    elif not 200 <= answered.status < 300:
        why = f"status {answered.status}"
        form_page = _page_with_forms(errand, answered)
    elif is_description(answered.body, answered.content_type):
        page, why = _described(answered)
    elif errand.kind == "page" and not errand.look and may_be_sitemap(answered.body):
        named, why = _named(answered)
    elif not _is_html(answered):
        why = f"{answered.content_type or 'unknown type'} is not a page"
    elif not errand.look:  # most looks need no reading: the bytes are those of the last one
        page = _read(errand, answered)
    return Fetched(
        errand, answered.url, answered.status, at, answered.body, answered.etag, answered.last_modified,
        answered.content_type, page, redirect, why, answered.latency, behind_form=errand.kind != "page",
        marks=tuple(answered.marks) if errand.look else (), form_page=form_page,
        named=named,
    )  # fmt: skip


def _page_with_forms(errand: CrawlTask, answered: ServerAnswer) -> Page | None:
    """Return an error page if it has forms."""
    if (
        errand.kind != "page"
        or errand.look
        or answered.status not in MAY_HAVE_FORMS
        or not _is_html(answered)
    ):
        return None
    page = _read(errand, answered)
    return page if page.forms else None


def _may_tell(answered: ServerAnswer) -> bool:
    """Say whether an answer with an error may say of a question that it found nothing, or too much."""
    return answered.status in (*NOTHING_BY_STATUS, *TOO_MANY_BY_STATUS) and _is_html(answered)


def _read(errand: CrawlTask, answered: ServerAnswer) -> Page:
    read = read_page_with_items if errand.kind in ("answer", "paging") else read_page
    page = read(answered.body, answered.url, content_type=answered.content_type, keep_document=True)
    if answered.link and errand.kind in ("answer", "paging"):
        page = replace(page, turns=(*page.turns, *next_in_header(answered.link, answered.url)))
    named = refresh_target(answered.refresh) if answered.refresh else None
    sent_on = normalise_url(named, answered.url) if named else None
    return replace(
        page,
        refresh=sent_on or page.refresh,
        refresh_after=refresh_seconds(answered.refresh) if sent_on else page.refresh_after,
        marks=(*page.marks, *answered.marks),
        nofollow=page.nofollow or not answered.robots.isdisjoint(("nofollow", "none")),
        noindex=page.noindex or not answered.robots.isdisjoint(("noindex", "none")),
    )


def failure(errand: CrawlTask, error: FetchError, at: float, retries: RetryPolicy) -> FetchFailure:
    """Return what a failed fetch means."""
    why = str(error)
    if isinstance(error, Refused):
        return FetchFailure(errand, why, at, refused=True)
    wait = _wait(errand, retries) if error.temporary else None
    return FetchFailure(errand, why, at, wait, may_pass=error.temporary)


def postponed(errand: CrawlTask, not_yet: Postponed, at: float, retries: RetryPolicy) -> FetchFailure:
    """Return what it means that a request has to wait; a host that never says whether it may be asked is given up."""
    wait: float | None = not_yet.seconds
    if not_yet.whole_host and errand.attempts >= retries.times:
        wait = None
    pause = not_yet.seconds if not_yet.whole_host else None
    return FetchFailure(
        errand, str(not_yet), at, wait, counts=not_yet.whole_host, host_pause=pause, may_pass=True
    )


def _try_later(errand: CrawlTask, answered: ServerAnswer, at: float, retries: RetryPolicy) -> FetchFailure:
    asked_for = retry_after(answered.retry_after, at) if answered.retry_after else None
    wait = _wait(errand, retries)
    if wait is not None and asked_for is not None:
        wait = max(wait, asked_for)
    why = f"status {answered.status}"
    if asked_for is not None:
        why += f", asks to wait {asked_for:.0f} s"
    pause = asked_for if answered.status in ALL_OF_IT or asked_for is not None else None
    may_pass = answered.status != ITS_OWN_ERROR
    return FetchFailure(errand, why, at, wait, host_pause=pause, status=answered.status, may_pass=may_pass)


def _wait(errand: CrawlTask, retries: RetryPolicy) -> float | None:
    if errand.attempts >= retries.times:
        return None
    return min(retries.longest, retries.delay * 2.0**errand.attempts)


def is_description(body: bytes, content_type: str) -> bool:
    """Say whether an answer is an OpenSearch description."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == DESCRIPTION:
        return True
    return (
        kind in ("", "text/xml", "application/xml", "text/plain") and b"<OpenSearchDescription" in body[:4096]
    )


def _named(answered: ServerAnswer) -> tuple[PageList | None, str]:
    """Return what a sitemap names, or why it is none."""
    read = read_sitemap(answered.body, answered.url)
    pages = tuple(entry.url for entry in read.pages)
    sitemaps = tuple(entry.url for entry in read.parts)
    if not pages and not sitemaps:
        return (
            None,
            f"a sitemap that names nothing: {read.why}" if read.why else "a sitemap that names nothing",
        )
    return PageList(pages, sitemaps), "it is a sitemap"


def _described(answered: ServerAnswer) -> tuple[Page | None, str]:
    """Return a description of searches as a page that nobody is shown, with their forms; or why it is none."""
    try:
        forms = read_description(answered.body, answered.url)
    except UnreadableDescription as error:
        return None, str(error)
    text = "\n".join(form.text for form in forms)
    fingerprint, sketch = fingerprint_and_sketch(text)
    page = Page(
        answered.url, forms[0].heading if forms else "", text, forms=forms, noindex=True, fingerprint=fingerprint,
        sketch=sketch, marks=tuple(answered.marks),
    )  # fmt: skip
    return page, ""


def _is_html(answered: ServerAnswer) -> bool:
    kind = answered.content_type.partition(";")[0].strip().lower()
    if kind:
        return kind in HTML
    start = answered.body[:512].lstrip().lower()
    return start.startswith((b"<!doctype", b"<html", b"<head", b"<body", b"<title"))
