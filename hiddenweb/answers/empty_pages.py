"""What pages without records say: that nothing was found, that we are blocked, that we must wait.

A page that does not say so in words that we know may have the wording of an earlier answer that found nothing, or repeat the keyword.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

from hiddenweb.answers.notices import (
    drop_words,
    find_requested_pause,
    says_blocked,
    says_failed,
    says_missing,
    says_nothing_found,
)
from hiddenweb.answers.page_parts import (
    DIGITS,
    SHORT_WORD,
    addresses_on_form_page,
    form_signature,
    new_lines,
    quotes_keyword,
    text_outside_forms,
)
from hiddenweb.answers.totals import (
    says_zero,
)
from hiddenweb.records.records import (
    has_shape,
)
from hiddenweb.urls import canonical_url

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import EarlierAnswers
    from hiddenweb.answers.notices import RequestedPause
    from hiddenweb.model import HttpQuery, Page, Record

SEVERAL = 2
"""A list of up to so many records may be one that every page shows, such as recommendations; a choice of taste."""


_LONGEST_NOTICE = 500  # characters of a text that may be no record; a limit of taste


def find_pause_of_page(
    page: Page, records: tuple[Record, ...], query: HttpQuery, earlier: EarlierAnswers
) -> RequestedPause | None:
    """Return how long a page without records wants us to wait. One record that may be something else does not count."""
    if len(records) > 1 or any(has_shape(record.key, earlier.shapes) for record in records):
        return None
    record_text = " ".join(
        record.text for record in records if record.url or len(record.text) > _LONGEST_NOTICE
    )
    wait = find_requested_pause((line for line in new_lines(page, earlier) if line not in record_text), query)
    return wait if wait and not says_nothing_found(text_outside_forms(page)) else None


def reason_nothing_found(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> str:
    """Return why a page is an answer that found nothing though it does not say so, or ""."""
    if wording_of(page, query) in earlier.empty:
        return "it has the wording of an answer that found nothing"
    if page.structure in earlier.empty and not page.forms:
        return "it resembles an answer that found nothing"
    listed = addresses_on_form_page(earlier)
    if len(listed) > SEVERAL and listed.isdisjoint(canonical_url(link.url) for link in page.links):
        return "the list that stands on the form's page is gone"
    if query.keyword and any(_repeats_keyword(line, query) for line in new_lines(page, earlier)):
        return "it repeats the keyword and shows no records"
    return ""


def _repeats_keyword(line: str, query: HttpQuery) -> bool:
    """Say whether a line has the keyword in it, as a word; a short one in quotation marks."""
    if not query.keyword.isascii():
        return query.keyword.casefold() in line.casefold()
    if len(query.keyword) <= SHORT_WORD:
        return quotes_keyword(line, query.keyword)
    return bool(re.search(rf"\b{re.escape(query.keyword)}\b", line, re.IGNORECASE))


def says_no_records(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> bool:
    """Say whether a page says that it has no records: there are none, it is missing, it failed, or it blocks us."""
    if words_for_nothing_found(page, query) or says_missing(page, query):
        return True
    return bool(reason_blocked(page, query, earlier) or says_failed(page, query))


def words_for_nothing_found(page: Page, query: HttpQuery) -> str:
    """Return the words outside its forms with which a page says that nothing was found, or its number 0; or ""."""
    outside = text_outside_forms(page)
    return says_nothing_found(outside) or ("0" if says_zero(replace(page, text=outside), query) else "")


def reason_blocked(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> str:
    """Return how a page blocks us: with words, or with a captcha that the form's page had not."""
    if any(form.captcha and form_signature(form) not in earlier.page_forms for form in page.forms):
        return "captcha"
    return says_blocked(page, query)


def wording_of(page: Page, query: HttpQuery) -> int:
    """Return a number that is equal for pages with the same text, apart from numbers and the keyword."""
    text = DIGITS.sub("", drop_words(page.text, query.keyword).casefold())
    return xxh3_64_intdigest(" ".join(text.split()).encode("utf-8", "replace"))
