"""The parts of a page that belong to an answer: its lines and blocks without those of the template and of its forms."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlsplit

from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from hiddenweb.answers.notices import FIRST_WORDS
from hiddenweb.language.tokens import word_runs
from hiddenweb.records.records import (
    query_values,
    strip_query_values,
)
from hiddenweb.urls import canonical_url

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import EarlierAnswers
    from hiddenweb.model import Form, HttpQuery, Link, Page, Record


DIGITS = re.compile(r"\d+")


_EDITS = re.compile(
    r"[/?&;=](?:edit|create)(?=$|[/?&;=])", re.IGNORECASE
)  # an invitation to write the page that was not found


_QUOTES = "\"'“”„«»‘’「」『』‹›"


MOST_TEXT = 200_000  # characters that are compared line by line; a limit of taste


LONG_LINE = 60  # characters: longer lines are no headings; a limit of taste


MOST_LINES = 400  # of the template, remembered; a limit of taste


_WORDS_OF_FORM = 4  # fewer may stand in a record, too


SHORT_WORD = 3  # characters: it may be a part of any other; a limit of taste


MOST_OF_PAGE = 0.6  # of the text of a page


def addresses_on_form_page(earlier: EarlierAnswers) -> frozenset[str]:
    """Return the addresses of the list on the form's own page."""
    return frozenset(key for key in earlier.page_blocks if key.startswith("http"))


def new_links(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> dict[str, Link]:
    """Return the links of a page to its site, without those to the search itself, that the form's page did not have."""
    return {
        key: link
        for key, link in answer_links(page, query).items()
        if not {key, canonical_url(link.url)} & earlier.page_links and key not in earlier.page_blocks
    }


def answer_links(page: Page, query: HttpQuery) -> dict[str, Link]:
    """Return the links of a page to its site, without those to the search itself, by the keys that records there have."""
    submitted, page_address = query_values(query), urlsplit(page.url)
    searches = {page_address.path, urlsplit(query.url).path, "/"}
    boxes = {name for name, value in query.values if value == query.keyword}
    found: dict[str, Link] = {}
    for link in page.links:
        parts, key = urlsplit(link.url), canonical_url(strip_query_values(link.url, submitted))
        is_of_search = parts.path in searches and not _is_without_query(parts.query, boxes)
        if is_of_search or _EDITS.search(link.url):
            continue
        if parts.netloc == page_address.netloc and link.anchor:
            found.setdefault(key, link)
    return found


def _is_without_query(parameters: str, boxes: set[str]) -> bool:
    """Say whether an address of the search has parameters, but none that holds the words of a query."""
    names = {unquote_plus(each.partition("=")[0]) for each in re.split("[&;]", parameters) if each}
    return bool(names and boxes) and names.isdisjoint(boxes)


def quotes_keyword(line: str, keyword: str) -> bool:
    """Say whether a line has a keyword in quotation marks."""
    return bool(re.search(f"[{_QUOTES}]{re.escape(keyword)}[{_QUOTES}]", line, re.IGNORECASE))


def page_lines(page: Page) -> list[str]:
    """Return the lines of a page that are not empty."""
    return [line for raw in page.text[:MOST_TEXT].splitlines() if (line := " ".join(raw.split()))]


def _line_key(line: str) -> str:
    """Return a key for a line of the template, in which numbers may change."""
    return f"line {xxh3_64_hexdigest(DIGITS.sub('', line).encode('utf-8', 'replace'))}"


def line_keys(page: Page) -> frozenset[str]:
    """Return the keys of the first lines of a page."""
    return frozenset(map(_line_key, page_lines(page)[:MOST_LINES]))


def new_lines(page: Page, earlier: EarlierAnswers) -> list[str]:
    """Return the lines of a page that are not those of the template, or of its forms."""
    of_forms = "\n".join(" ".join(text.split()) for text in form_texts(page))
    return [
        line
        for line in page_lines(page)
        if _line_key(line) not in earlier.page_blocks and line not in of_forms
    ]


def form_texts(page: Page) -> list[str]:
    """Return the texts of the forms of a page, without a form around the whole page."""
    most = max(LONG_LINE, MOST_OF_PAGE * len(page.text))
    return [form.text for form in page.forms if form.text and len(form.text) < most]


def belongs_to_form(text: str, forms: list[str]) -> bool:
    """Say whether a block lies in a form, or around one: one has all the words of the other."""
    words = set(word_runs(text.casefold()))
    for form in forms:
        of_form = set(word_runs(form.casefold()))
        if of_form and (words <= of_form or (len(of_form) >= _WORDS_OF_FORM and of_form <= words)):
            return True
    return False


def holds_keyword(text: str, query: HttpQuery) -> bool:
    """Say whether a text holds the keyword, or one of several choices. Endings are ignored: many sites search by stems."""
    folded = text.casefold()
    keyword = query.keyword.casefold()
    choices = keyword.split(", ") if len(query.values) > 1 else []
    if any(word and _has_word(folded, word) for word in (keyword, *choices)):
        return True
    words = keyword.split()
    return len(words) > 1 and all(_has_word(folded, word) for word in words)


def _has_word(text: str, word: str) -> bool:
    stem = word[: max(SHORT_WORD, len(word) - 2)]
    if len(word) > SHORT_WORD or not word.isascii():
        return stem in text
    return bool(re.search(rf"\b{re.escape(stem)}", text))


def drop_blocks(page: Page) -> Page:
    """Return a page without its blocks, and without the lines in them."""
    of_blocks = "\n".join(block.text for block in page.blocks)
    lines = (line for line in page_lines(page) if line not in of_blocks)
    return replace(page, text="\n".join(lines), blocks=())


def drop_records(records: tuple[Record, ...], page: Page) -> Page:
    """Return a page without the lines of its records."""
    record_text = "\n".join(" ".join(record.text.split()) for record in records)
    lines = (line for line in page_lines(page) if line[:LONG_LINE] not in record_text)
    return replace(page, text="\n".join(lines))


def text_outside_forms(page: Page) -> str:
    """Return title and text of a page without the texts of its forms."""
    text = f"{page.title}\n{page.text[:FIRST_WORDS]}"
    for of_form in form_texts(page):
        text = text.replace(of_form, " ", 1)
    return text


def has_form(page: Page, form: Form) -> bool:
    """Say whether a page has a form, whatever is filled in."""
    return any(form_signature(other) == form_signature(form) for other in page.forms)


def find_other_form(page: Page, earlier: EarlierAnswers, carrying: HttpQuery | None = None) -> Form | None:
    """Return the first form that was not on the form's page and has something to fill in; with `carrying`, one that carries that query."""
    for other in page.forms:
        fillable = any(f.kind not in ("hidden", "submit", "image", "button", "reset") for f in other.fields)
        if carrying is not None and not _carries(other, carrying):
            continue
        if fillable and not other.needs_browser and form_signature(other) not in earlier.page_forms:
            return other
    return None


def _carries(form: Form, query: HttpQuery) -> bool:
    """Say whether a form sends a submitted value again, in a hidden control."""
    submitted = {(name, value) for name, value in query.values if value}
    return any(field.kind == "hidden" and (field.name, field.value) in submitted for field in form.fields)


def form_signature(form: Form) -> int:
    """Return a number that is equal for a form and the same form filled in. The address of a form that a script sends does not count."""
    parts = urlsplit("" if form.needs_browser else form.action)
    names = sorted(
        {f"{f.kind}:{f.name}" for f in form.fields if f.name and f.kind not in ("hidden", "submit")}
    )
    return xxh3_64_intdigest(
        "|".join((form.method, parts.netloc, parts.path, *names)).encode("utf-8", "replace")
    )


def answer_signature(records: tuple[Record, ...]) -> int:
    """Return a number that is equal for answers with the same records."""
    keys = "\n".join(sorted(record.key for record in records))
    return xxh3_64_intdigest(keys.encode("utf-8", "replace"))
