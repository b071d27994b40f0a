"""The only record of an answer: a link or some lines that no other page has, or the page to which a search redirects."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hiddenweb.answers.empty_pages import says_no_records
from hiddenweb.answers.page_parts import (
    LONG_LINE,
    drop_blocks,
    holds_keyword,
    new_lines,
    new_links,
    quotes_keyword,
)
from hiddenweb.answers.totals import (
    read_range,
    read_total,
    says_one,
)
from hiddenweb.html.document import document_of
from hiddenweb.language.folding import fold_line
from hiddenweb.model import Record
from hiddenweb.records.own_page import read_heading
from hiddenweb.records.records import (
    constant_parameters,
    kinds_in,
    query_values,
    repeats_query,
    strip_query_values,
    text_key,
)
from hiddenweb.urls import canonical_url, kind_of_address

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import EarlierAnswers
    from hiddenweb.model import HttpQuery, Link, Page

TITLES_END = re.compile(r"\s[-|–—:·»]\s")


_SHORT_TITLE = 12  # characters: "more", "advanced" and the like are no records; a limit of taste


MOST_COLUMNS = 4  # of a layout; a limit of taste


def find_only_record(
    page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int
) -> tuple[Record, ...]:
    """Return the only record of an answer: the page that only this page links to, or the lines that only this page has.

    Either the page says that it found one, or it has a long text about it and does not say that nothing was found.
    """
    shown_range = read_range(page, query, number)
    is_one = shown_range.shown == 1 if shown_range else number == 1 and says_one(page, query)
    if not is_one and (shown_range or says_no_records(page, query, earlier)):
        return ()
    links = [link for link in new_links(page, query, earlier).values() if not _leads_to_search(link, query)]
    if not is_one and not _has_long_text(page, query, earlier, links):
        return ()
    holding = [link for link in links if holds_keyword(f"{link.anchor} {link.around}", query)]
    if len(links) == 1 or (is_one and holding):
        link = (holding or links)[0]
        key = canonical_url(
            strip_query_values(link.url, query_values(query), constant=constant_parameters(earlier.shapes))
        )
        return (Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url),)
    return () if links or earlier.shapes else _record_of_lines(page, query, earlier)


def _leads_to_search(link: Link, query: HttpQuery) -> bool:
    """Say whether a link carries the whole query on and does not name what was found: to sort it, to edit it, to have it in another format."""
    if holds_keyword(f"{link.anchor} {link.around}", query):
        return False
    submitted = {(name, value) for name, value in query.values if value.strip()}
    return bool(submitted) and submitted <= set(parse_qsl(urlsplit(link.url).query))


def _has_long_text(page: Page, query: HttpQuery, earlier: EarlierAnswers, links: list[Link]) -> bool:
    """Say whether lines that only this page has are too long for headings, and hold the keyword or come with one new link."""
    long = [line for line in new_lines(page, earlier) if len(line) > LONG_LINE]
    if any(holds_keyword(line, query) for line in long):
        return True
    titles = [" ".join(link.anchor.split()) for link in links]
    return len(titles) == 1 and len(titles[0]) > _SHORT_TITLE and bool(long)


def _record_of_lines(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return a record without an address: the lines of the page behind those that say how much was found."""
    lines = new_lines(page, earlier)
    start = max((at + 1 for at, line in enumerate(lines[:3]) if _is_heading(page, line, query)), default=0)
    text = " ".join(lines[start:])
    return (Record(text_key(text, page.url), lines[start], text),) if len(text) > LONG_LINE else ()


def _is_heading(page: Page, line: str, query: HttpQuery) -> bool:
    """Say whether a line is a heading of the answer: it is the title, quotes the keyword, or has a total."""
    if line == TITLES_END.split(page.title)[0].strip() or (
        query.keyword and quotes_keyword(line, query.keyword)
    ):
        return True
    return len(line) <= LONG_LINE and read_total(replace(page, text=line), query, 1) is not None


def page_as_record(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> Record | None:
    """Return the page itself as a record, if the site redirected us to the only match."""
    requested, final = urlsplit(query.url), urlsplit(page.url)
    if (
        not query.url
        or (requested.netloc, requested.path) == (final.netloc, final.path)
        or final.path in ("", "/")
    ):
        return None
    if page.fingerprint == earlier.page_fingerprint or not query.keyword:
        return None
    if not holds_keyword(f"{page.title} {page.text}", query):
        return None
    key = canonical_url(page.canonical or page.url)
    bare = canonical_url(
        strip_query_values(key, query_values(query), constant=constant_parameters(earlier.shapes))
    )
    is_known = kind_of_address(bare) in kinds_in(earlier.shapes)
    return Record(bare if is_known else key, _title_of(page), page.text, page.url)


def _title_of(page: Page) -> str:
    """Return what a page calls its subject: the heading that its title has, without the name of the site."""
    document = document_of(page)
    heading = read_heading(document.nodes) if document is not None else ""
    return heading if heading and fold_line(heading) in fold_line(page.title) else page.title


def is_record_page(
    match: Record, found: tuple[Record, ...], page: Page, query: HttpQuery, earlier: EarlierAnswers
) -> bool:
    """Say whether the page we were redirected to is a record itself, and not a list of some records, or of none.

    It is one if its address looks like those of records. A page with the same records as other answers is a list. So is one whose address
    repeats the query, if it says how much was found, or shows more links than a record has.
    """
    kinds = kinds_in(earlier.shapes)
    if kind_of_address(match.key) in kinds:
        return True
    leading = [each for each in found if each.key.startswith("http")]
    if repeats_query(page.url, query):
        if len(leading) > MOST_COLUMNS or any(kind_of_address(each.key) in kinds for each in leading):
            return False
        if (
            says_no_records(page, query, earlier)
            or read_total(drop_blocks(page), query, len(found)) is not None
        ):
            return False
    if says_one(page, query) and any(
        kind_of_address(canonical_url(link.url)) in kinds for link in page.links
    ):
        return False
    has_long_line = any(len(line) > LONG_LINE for line in new_lines(page, earlier))
    if not has_long_line and says_no_records(page, query, earlier):
        return False
    listed = [
        each for each in leading if kind_of_address(each.key) in kinds or holds_keyword(each.text, query)
    ]
    return len(listed) < max(2, len(found) / 2)
