"""Reading the body of a response: a page, an OpenSearch description, a sitemap, or nothing readable.

Complete HTML is read as a page, and an OpenSearch description as a page with only forms. A sitemap is no page, but lists pages. An
error page is no page, but it may have a form: many searches return 400 or 404 without a query. The answer to a query is read
with some errors, too: some sites say by 404 that they found nothing, and by 500 that they found too much.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.answers.cases import NOTHING_BY_STATUS
from hiddenweb.fetch.sitemaps import may_be_sitemap, read_sitemap
from hiddenweb.forms.opensearch import UnreadableDescription, read_description
from hiddenweb.html.load_more import next_in_header
from hiddenweb.html.page_head import refresh_seconds, refresh_target
from hiddenweb.html.reader import read_page
from hiddenweb.model import Page, PageList
from hiddenweb.near_duplicates.sketch import fingerprint_and_sketch
from hiddenweb.records.page import read_page_with_items
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiddenweb.model import CrawlTask

HTML = ("text/html", "application/xhtml+xml")
DESCRIPTION = "application/opensearchdescription+xml"
MAY_HAVE_FORMS = frozenset((400, 404, 405, 406, 410, 422))
"""Errors of a single request. Pages that deny access (401, 403) have no form for us."""

TOO_MANY_BY_STATUS = frozenset((413, 500))
"""Errors that may mean that a query found too much."""

_DESCRIPTION_START = 4_096  # bytes in which a description names itself: a limit of taste
_HTML_START = 512  # bytes by which HTML without a type is recognised: a limit of taste


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
    robots: frozenset[str] = frozenset()  # the directives of its X-Robots-Tag for us
    is_conditional: bool = False  # the request was conditional


@dataclass(frozen=True, slots=True)
class Reading:
    """What a body was read as."""

    page: Page | None = None
    form_page: Page | None = None  # an error page with forms, or a page instead of a sitemap
    page_list: PageList | None = None  # the entries of a sitemap
    why: str = ""  # why there is no page


def read_answer(
    task: CrawlTask, answer: ServerAnswer, on_parse: Callable[[], object] | None = None
) -> Reading:
    """Read a response without an error."""
    if task.kind == "sitemap":
        is_for_people = _is_html(answer) and not may_be_sitemap(answer.body)
        return _read_sitemap_page(task, answer, on_parse) if is_for_people else _read_sitemap(answer)
    if is_description(answer.body, answer.content_type):
        return _read_description(answer)
    if task.kind == "page" and not task.is_revisit and may_be_sitemap(answer.body):  # a seed, for example
        return _read_sitemap(answer)
    if not _is_html(answer):
        return Reading(why=f"{answer.content_type or 'unknown type'} is not a page")
    if task.is_revisit:  # most revisits need no reading: the bytes have not changed
        return Reading()
    return Reading(_read_page(task, answer, on_parse))


def read_error(
    task: CrawlTask, answer: ServerAnswer, on_parse: Callable[[], object] | None = None
) -> Reading:
    """Read a response with an error: the answer to a query if it may say what was found, another page if it has forms."""
    if not _is_html(answer):
        return Reading()
    if task.kind in ("answer", "paging"):
        is_readable = answer.status in NOTHING_BY_STATUS or answer.status in TOO_MANY_BY_STATUS
        return Reading(_read_page(task, answer, on_parse)) if is_readable else Reading()
    is_explored = task.kind in ("page", "sitemap") and not task.is_revisit
    if not is_explored or answer.status not in MAY_HAVE_FORMS:
        return Reading()
    page = _read_page(task, answer, on_parse)
    return Reading(form_page=page) if page.forms else Reading()


def is_description(body: bytes, content_type: str) -> bool:
    """Return whether a response is an OpenSearch description."""
    kind = _media_type(content_type)
    if kind == DESCRIPTION:
        return True
    could_be = kind in ("", "text/xml", "application/xml", "text/plain")
    return could_be and b"<OpenSearchDescription" in body[:_DESCRIPTION_START]


def _read_page(task: CrawlTask, answer: ServerAnswer, on_parse: Callable[[], object] | None) -> Page:
    is_answer = task.kind in ("answer", "paging")
    read = read_page_with_items if is_answer else read_page
    page = read(
        answer.body, answer.url, content_type=answer.content_type, keep_document=True, on_parse=on_parse
    )
    if answer.link and is_answer:
        page = replace(page, paging_links=(*page.paging_links, *next_in_header(answer.link, answer.url)))
    if not (answer.refresh or answer.marks or answer.robots):  # most headers say nothing of the page
        return page
    refresh = refresh_target(answer.refresh) if answer.refresh else None
    target = normalise_url(refresh, answer.url) if refresh else None
    return replace(
        page,
        refresh=target or page.refresh,
        refresh_after=refresh_seconds(answer.refresh) if target else page.refresh_after,
        marks=(*page.marks, *answer.marks),
        nofollow=page.nofollow or not answer.robots.isdisjoint(("nofollow", "none")),
        noindex=page.noindex or not answer.robots.isdisjoint(("noindex", "none")),
    )


def _read_sitemap(answer: ServerAnswer) -> Reading:
    """Return the entries of a sitemap, or why it is none."""
    sitemap = read_sitemap(answer.body, answer.url)
    pages = tuple(entry.url for entry in sitemap.pages)
    parts = tuple(entry.url for entry in sitemap.parts)
    if not pages and not parts:
        why = "a sitemap that names nothing"
        return Reading(why=f"{why}: {sitemap.why}" if sitemap.why else why)
    return Reading(page_list=PageList(pages, parts), why="it is a sitemap")


def _read_sitemap_page(
    task: CrawlTask, answer: ServerAnswer, on_parse: Callable[[], object] | None
) -> Reading:
    """Return the links of a page instead of a sitemap: some sites have sitemaps for people."""
    page = _read_page(task, answer, on_parse)
    links = () if page.nofollow else tuple(link.url for link in page.links if not link.nofollow)
    return Reading(
        form_page=page if page.forms else None,
        page_list=PageList(links) if links else None,
        why="a page in the place of a sitemap",
    )


def _read_description(answer: ServerAnswer) -> Reading:
    """Return an OpenSearch description as a page with forms, which is not indexed; or why it is none."""
    try:
        forms = read_description(answer.body, answer.url)
    except UnreadableDescription as error:
        return Reading(why=str(error))
    text = "\n".join(form.text for form in forms)
    fingerprint, sketch = fingerprint_and_sketch(text)
    page = Page(
        answer.url, forms[0].heading if forms else "", text, forms=forms, noindex=True, fingerprint=fingerprint,
        sketch=sketch, marks=tuple(answer.marks),
    )  # fmt: skip
    return Reading(page)


def _is_html(answer: ServerAnswer) -> bool:
    if kind := _media_type(answer.content_type):
        return kind in HTML
    start = answer.body[:_HTML_START].lstrip().lower()
    return start.startswith((b"<!doctype", b"<html", b"<head", b"<body", b"<title"))


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()
