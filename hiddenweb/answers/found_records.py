"""The records of an answer: which blocks of a page, or which of its links, were found by the query."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from hiddenweb.answers.empty_pages import SEVERAL, says_no_records
from hiddenweb.answers.link_lists import find_record_links
from hiddenweb.answers.only_record import MOST_COLUMNS, TITLES_END, find_only_record
from hiddenweb.answers.page_parts import (
    LONG_LINE,
    MOST_OF_PAGE,
    SHORT_WORD,
    addresses_on_form_page,
    answer_links,
    belongs_to_form,
    drop_blocks,
    form_texts,
    holds_keyword,
    new_lines,
)
from hiddenweb.answers.pagination import find_next_page
from hiddenweb.answers.totals import (
    has_range,
    read_range,
    read_total,
    says_count,
    says_one,
)
from hiddenweb.model import Record
from hiddenweb.records.records import (
    are_numbered_by_place,
    constant_parameters,
    has_shape,
    kinds_in,
    query_values,
    records_in,
    repeats_query,
    strip_page_place,
    strip_query_values,
)
from hiddenweb.urls import canonical_url, kind_of_address

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import EarlierAnswers
    from hiddenweb.model import HttpQuery, Page

_HEAD = 120  # characters at the start of a column in which its heading is


def find_blocks(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the blocks of a page that can be records."""
    forms = form_texts(page)
    read = records_in(page, query, earlier.shapes, number, earlier.keys)
    at_places = are_numbered_by_place(read, page.url)
    have_addresses = bool(earlier.shapes) and not at_places  # if records have addresses, layout has none
    possible = tuple(
        record
        for record in read
        if (record.key.startswith("http") or not have_addresses)
        and not belongs_to_form(record.text, forms)
        and (at_places or not repeats_query(record.url, query))
    )
    shown_range = read_range(page, query, number)
    found = _drop_template(possible, page.url, query, earlier, shown=shown_range.shown if shown_range else 0)
    if found and shown_range is not None and shown_range.shown == len(found):
        return found
    if (
        len(found) > 1
        and shown_range is None
        and read_total(drop_blocks(page), query, len(found), number) == len(found)
    ):
        return found
    is_known = bool(earlier.kinds) and earlier.kinds.issuperset(block.kind for block in page.blocks)
    if not found or (not is_known and _is_layout(page, query, number)):
        return ()
    if (
        shown_range is not None
        and shown_range.shown == 1 < len(found)
        and _has_range_outside(page, query, number, found)
    ):
        return ()
    lead_somewhere = all(record.key.startswith("http") for record in found)
    notice = drop_blocks(page) if is_known else page  # a record may contain "robot" or "not found"
    if len(found) <= MOST_COLUMNS and not lead_somewhere and says_no_records(notice, query, earlier):
        return ()
    if any(holds_keyword(record.text, query) for record in found):
        return found
    is_list = len(found) > MOST_COLUMNS and sum(len(record.text) for record in found) > len(found) * LONG_LINE
    if page.structure in earlier.empty or not (lead_somewhere or is_list):
        return ()
    return () if says_no_records(drop_blocks(page), query, earlier) else found


def _has_range_outside(page: Page, query: HttpQuery, number: int, found: tuple[Record, ...]) -> bool:
    """Say whether a page has its range outside its records; in one of many records it is a text like any other."""
    return len(found) <= MOST_COLUMNS or read_range(drop_blocks(page), query, number) is not None


def find_part_like_earlier(
    page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int, found: tuple[Record, ...]
) -> tuple[Record, ...]:
    """Return the only item of a page that has the kind of earlier records, unless the records found lie neither in it nor around it."""
    if not earlier.kinds:
        return ()
    block_kinds = [block.kind for block in page.blocks if block.url or not earlier.shapes]
    if len(block_kinds) > 1 and not earlier.kinds.isdisjoint(block_kinds):
        return ()
    of_kind = tuple(page.items_of_kind(earlier.kinds))
    items = tuple(block for block in of_kind if block.url or not earlier.shapes)
    if len(items) != 1:
        return ()
    lie_in_it = all(record.text in items[0].text for record in found)
    if not lie_in_it and not any(items[0].text in record.text for record in found):
        return ()
    records = find_blocks(replace(page, blocks=items), query, earlier, number)
    if len(of_kind) > 1 and not all(has_shape(record.key, earlier.shapes) for record in records):
        return ()
    return records


def find_part_by_address(
    page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int, found: tuple[Record, ...]
) -> tuple[Record, ...]:
    """Return the only block that was found with the key of what it leads to, if that is the only record.

    In a later answer it may stand among others, and then it has that key.
    """
    if len(found) != 1 or found[0].key.startswith("http") or not found[0].url:
        return ()
    alone = find_only_record(page, query, earlier, number)
    return tuple(replace(found[0], key=record.key) for record in alone if record.url == found[0].url)


def _drop_template(
    records: tuple[Record, ...], page_url: str, query: HttpQuery, earlier: EarlierAnswers, *, shown: int
) -> tuple[Record, ...]:
    """Return the records without those on the form's own page, unless that page lists records itself.

    It does if some of them stand beside new ones with addresses of the same kind. If all were on the form's page, their texts decide: a
    search leaves fewer, and these hold the keyword, or are as many as the page says it shows. An empty query shows that list whole; it
    is a list of records if words have found addresses of the same kind, or if an answer that found nothing did not have it.
    """
    new = tuple(record for record in records if record.key not in earlier.page_blocks)
    if len(new) == len(records):
        return () if _are_navigation(records, page_url, query, earlier, shown=shown) else new
    if new:
        kinds = {kind_of_address(record.key) for record in new if record.key.startswith("http")}
        return tuple(
            record
            for record in records
            if record.key not in earlier.page_blocks or kind_of_address(record.key) in kinds
        )
    if not any(character.isalnum() for character in query.keyword):
        return tuple(
            record
            for record in records
            if kind_of_address(record.key) in earlier.shapes or record.key in earlier.hideable
        )
    listed = addresses_on_form_page(earlier)
    if len(records) >= len(listed) or not all(record.key in listed for record in records):
        return ()
    holding = sum(holds_keyword(record.text, query) for record in records)
    return records if 2 * holding >= len(records) or shown == len(records) else ()


def _are_navigation(
    records: tuple[Record, ...], page_url: str, query: HttpQuery, earlier: EarlierAnswers, *, shown: int
) -> bool:
    """Say whether records are links that the form's own page has, too, or short ones that narrow the answer, and that no query finds.

    Few of them hold the words of the query then.
    """
    if len(records) < SEVERAL or not any(character.isalnum() for character in query.keyword):
        return False
    narrow = all(len(record.text) <= LONG_LINE and _narrows(record.url, page_url) for record in records)
    if not narrow and (
        shown == len(records) or not all(record.key in earlier.page_links for record in records)
    ):
        return False
    if any(kind_of_address(record.key) in kinds_in(earlier.shapes) for record in records):
        return False
    holding = sum(holds_keyword(f"{record.title} {record.text}", query) for record in records)
    return 2 * holding < len(records)


def _narrows(url: str | None, page_url: str) -> bool:
    """Say whether an address is that of the page with more parameters, as filters of an answer have.

    >>> _narrows("http://a.example/?q=wine&kind=red", "http://a.example/?q=wine"), _narrows("http://a.example/?id=5", "http://a.example/?q=wine")
    (True, False)
    """
    there, here = urlsplit(url or ""), urlsplit(page_url)
    asked = set(parse_qsl(here.query))
    same_page = (there.netloc, there.path) == (here.netloc, here.path)
    return same_page and bool(asked) and asked < set(parse_qsl(there.query))


def _is_layout(page: Page, query: HttpQuery, number: int) -> bool:
    """Say whether the blocks of a page are its columns: they are few, and one is most of the page, or has its title or its range."""
    if not 1 < len(page.blocks) <= MOST_COLUMNS:
        return False
    *_, second, longest = sorted((block.text for block in page.blocks), key=len)
    if len(longest) > MOST_OF_PAGE * len(page.text) and len(second) < len(longest) / 3:
        return True
    heading = TITLES_END.split(page.title)[0].strip()
    if len(heading) > SHORT_WORD and heading in longest[:_HEAD]:
        return True
    return any(has_range(block.text, page, query, number) for block in page.blocks)


def find_links_by_shape(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return the links of a page whose addresses look like those of records: a single record is no repeated item."""
    if not earlier.shapes:
        return ()
    submitted = query_values(query)
    found: dict[str, Record] = {}
    kinds, constant = kinds_in(earlier.shapes), constant_parameters(earlier.shapes)
    for link in page.links:
        key = strip_page_place(
            canonical_url(strip_query_values(link.url, submitted, constant=constant)), page.url, kinds
        )
        if kind_of_address(key) in kinds and not {key, canonical_url(link.url)} & earlier.page_links:
            found.setdefault(key, Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url))
    new = tuple(record for key, record in found.items() if key not in earlier.page_blocks)
    records = tuple(record for record in new if has_shape(record.key, earlier.shapes)) or new
    shown_range = read_range(page, query) if records else None
    if shown_range is not None and shown_range.shown == len(records):
        return records
    return () if says_no_records(page, query, earlier) else records


def find_link_list(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the records of a list of links that are names."""
    if not query.keyword or page.structure in earlier.empty or says_no_records(page, query, earlier):
        return ()
    shown_range = read_range(page, query, number)

    def is_counted(count: int) -> bool | None:
        if shown_range is not None:
            return shown_range.shown == count
        return says_count(page, query, count) or None

    return find_record_links(
        answer_links(page, query),
        listed_before=earlier.page_links | earlier.page_blocks,
        is_counted=is_counted,
        new_lines=new_lines(page, earlier),
        holds_keyword=lambda text: holds_keyword(text, query),
    )


def find_rest_of_list(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return what a search left of the list on the form's own page: some of its records, of which at least one holds the keyword."""
    listed = addresses_on_form_page(earlier)
    submitted = query_values(query)
    found: dict[str, Record] = {}
    for link in page.links:
        key = canonical_url(strip_query_values(link.url, submitted))
        if key in listed:
            found.setdefault(key, Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url))
    records = tuple(found.values())
    is_left = len(listed) > SEVERAL and 0 < 2 * len(records) <= len(listed)
    if not is_left:
        return ()
    are_counted = says_one(page, query) if len(records) == 1 else False
    if not are_counted and not any(holds_keyword(record.text, query) for record in records):
        return ()
    return () if says_no_records(page, query, earlier) else records


def find_links_with_keyword(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return the links with the keyword that the form's own page has, too, but an answer that found nothing had not.

    Then the form's page shows a short list, and all of it was found. The page has to be an answer, with the keyword in its box. Where some lead
    to addresses like those of known records, the others belong to these, as the authors of books do.
    """
    keyword = query.keyword.casefold()
    if page.structure in earlier.empty or not (earlier.hideable and keyword):
        return ()
    if not any(field.value.casefold() == keyword for form in page.forms for field in form.fields):
        return ()
    found: dict[str, Record] = {}
    for link in page.links:
        key = canonical_url(link.url)
        if key in earlier.hideable and key not in found and holds_keyword(link.anchor, query):
            found[key] = Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url)
    kinds = kinds_in(earlier.shapes)
    of_known_kind = tuple(record for key, record in found.items() if kind_of_address(key) in kinds)
    return () if says_no_records(page, query, earlier) else of_known_kind or tuple(found.values())


def find_whole_list(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the list on the form's own page if it is the answer to an empty box: its next page has the box in its address."""
    if query.keyword.strip() or not query.values:
        return ()
    records = records_in(page, query, earlier.shapes)
    if len(records) <= SEVERAL or not all(
        record.key in addresses_on_form_page(earlier) for record in records
    ):
        return ()
    following = find_next_page(page, page_url=page.url or query.url, number=number, rows=(len(records),), query=query)  # fmt: skip
    parameters = urlsplit(following.url).query if following else ""
    names = {unquote_plus(each.partition("=")[0]) for each in re.split("[&;]", parameters)}
    return records if names.issuperset(name for name, _ in query.values) else ()
