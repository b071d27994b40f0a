"""What an answer is: the eight cases, told apart without knowing the language of the site.

The paper (dynamic indexing) names eight ways in which a form can answer: (1) all data at once, (2) data with next pages,
(3) part of the data, (4) data and the form again, (5) another form, (6) an error, (7) the same form again, asking for another
value, (8) an answer like an earlier one. We add a ninth that the paper counts among the errors: nothing was found. That is
a good answer to a bad keyword. And a tenth: the site keeps us out, so what it says tells nothing about the form.

What decides is structure. Records are the blocks of the page, less those that stand on the form's own page, inside a form, or
on answers without records: a template repeats itself, answers do not. Blocks that lead nowhere could be anything, so one of
them has to hold the keyword, or the page tells how many there are ("1-20 of 8,412") and is right. A single record is no repeated part: it is
recognised by how it is made, if earlier answers showed that, or by its address, which looks like those of records seen before; or the page says that it found one, or tells of the keyword
at length, and has one link, or a few lines, that no other page has. A redirect to the only match is a record by itself.

Without records, the page is the form again, or says that nothing was found, or went wrong. Nothing was found if it says one of
the usual words (`hiddenweb.answers.notices`), says what an earlier answer said that did, or repeats the keyword; the form asks again
if it is there and the page says nothing of the kind.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote_plus, urlsplit

from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from hiddenweb.answers.link_lists import records_in_link_list
from hiddenweb.answers.notices import (
    asked_to_wait,
    says_blocked,
    says_failed,
    says_missing,
    says_nothing_found,
    says_script_is_needed,
    says_too_many,
    suggestion,
    without_words,
)
from hiddenweb.answers.pagination import leads_on, next_by_post, next_page
from hiddenweb.answers.totals import (
    at_least,
    counts_none,
    counts_one,
    shows_so_many,
    tells_range,
    told_range,
    total_of,
)
from hiddenweb.model import Record
from hiddenweb.records.known_lists import extend_known_lists, join_known_lists
from hiddenweb.records.records import (
    add_attributes,
    asks_again,
    constant_parameters,
    has_shape,
    kinds_in,
    query_values,
    records_in,
    shapes_of,
    stand_at_places,
    strip_page_place,
    strip_query_values,
    text_key,
)
from hiddenweb.urls import canonical_url, kind_of_address

if TYPE_CHECKING:
    from hiddenweb.answers.notices import RequestedPause
    from hiddenweb.answers.pagination import NextPagePost
    from hiddenweb.model import Form, HttpQuery, Link, Page

Case = Literal[
    "all", "paged", "part", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found", "blocked"
]  # fmt: skip
"""The eight cases in the paper's order, the answer without records, and the site that keeps us out."""

WITH_RECORDS: frozenset[Case] = frozenset({"all", "paged", "part", "with_form"})

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_TITLES_END = re.compile(r"\s[-|–—:·»]\s")
_EDITS = re.compile(
    r"[/?&;=](?:edit|create)(?=$|[/?&;=])", re.IGNORECASE
)  # an invitation to write what was not found
_QUOTES = "\"'“”„«»‘’「」『』‹›"
_SEVERAL = 2
_HTTP_ERROR = 400
_CUT = frozenset({"truncated", "many_tags", "slow", "many_blocks"})
_REFUSED = frozenset({403, 429})
_GONE = frozenset({404, 410})
NOTHING_BY_STATUS = frozenset({400, 404, 410, 422})
"""Errors that may say of a question that nothing was found."""

_FIRST_WORDS = 10_000  # characters in which a page says whether it found anything
_MOST_TEXT = 200_000  # characters that are compared line by line
_LONG_LINE = 60  # characters: longer lines are no headings
_SHORT_TITLE = 12  # characters: "more", "advanced" and the like are no records
_MOST_LINES = 400  # of the template, remembered
_WORDS_OF_FORM = 4  # fewer may stand in a record as well
_SHORT_WORD = 3  # characters: it may be a part of any other
_HEAD = 120  # characters of a column, in which its heading is
_MOST_COLUMNS = 4  # of a layout
_MOST_KINDS = 6  # of records of one form
_MOST_OF_IT = 0.6  # of the text of a page
_LONGEST_NOTICE = 500  # characters of a text that may be no record
_SOON = 10.0  # seconds that a page may be shown on the way to another


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """What is known of a form when an answer comes: all it needs to tell old from new."""

    answers: frozenset[int] = frozenset()  # signatures of earlier answers
    page_fingerprint: int = 0  # of the form's own page
    page_blocks: frozenset[str] = frozenset()  # keys of blocks and lines that belong to the template
    page_forms: frozenset[int] = frozenset()  # signatures of the forms on the form's page
    page_links: frozenset[str] = frozenset()  # canonical addresses the form's page links to
    shapes: frozenset[str] = frozenset()  # what addresses of records look like here
    empty: frozenset[int] = frozenset()  # structures and wordings of answers that said that nothing was found
    keys: frozenset[str] = frozenset()  # of all records seen
    kinds: frozenset[str] = frozenset()  # how the parts of pages are made that were records
    hideable: frozenset[str] = (
        frozenset()
    )  # of the addresses that the form's page links to, those that an empty answer lacked
    lists: frozenset[str] = frozenset()  # columns of records that are lists: `hiddenweb.records.known_lists`


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What came of a question."""

    case: Case
    why: str
    records: tuple[Record, ...] = ()
    next: Link | None = None
    total: int | None = None  # how many records the site says it found
    form: Form | None = None  # another form, which asks for the rest
    signature: int = 0
    holding: float = 0.0  # the share of the records on its page, new or not, that hold the word asked for
    suggestion: str = ""  # the words that the site would rather be asked: "did you mean"
    too_many: bool = False  # nothing is shown of it, since it is too much
    missing: bool = False  # an error which says that there is no such page, whatever the status says
    wording: int = 0  # of a page that says in words that nothing was found
    wait: RequestedPause | None = None  # how long the site wants to be left in peace before it answers
    posting: NextPagePost | None = None  # what asks for the next page by POST, where no link does

    @property
    def has_records(self) -> bool:
        """Say whether it brought records, seen before or not."""
        return self.case in WITH_RECORDS


def earlier(page: Page) -> EarlierAnswers:
    """Return what is known before the first question: the page the form stands on."""
    return EarlierAnswers(
        page_fingerprint=page.fingerprint,
        page_blocks=frozenset(record.key for record in records_in(page)) | _line_keys(page),
        page_forms=frozenset(_form_signature(form) for form in page.forms),
        page_links=frozenset(canonical_url(link.url) for link in page.links),
    )


def after(known: EarlierAnswers, page: Page, answer: AnswerVerdict) -> EarlierAnswers:
    """Return what is known after an answer; blocks of a page without records belong to the template."""
    if answer.has_records:
        return replace(
            known,
            answers=known.answers | {answer.signature},
            keys=known.keys | {record.key for record in answer.records},
            shapes=known.shapes | shapes_of((record.key for record in answer.records), known.shapes),
            empty=known.empty - {page.structure},
            lists=extend_known_lists(known.lists, answer.records),
            kinds=known.kinds | _kinds_of(page, answer) if len(known.kinds) < _MOST_KINDS else known.kinds,
        )
    if answer.case in ("nothing_found", "form_again"):
        blocks = {record.key for record in records_in(page)} - known.keys
        lines = _line_keys(page) if len(known.page_blocks) < _MOST_LINES else frozenset()
        empty = known.empty | {page.structure, answer.wording} if answer.wording else known.empty
        hideable = known.hideable
        if answer.case == "nothing_found" and not hideable:
            hideable = known.page_links - {canonical_url(link.url) for link in page.links}
        return replace(known, page_blocks=known.page_blocks | blocks | lines, empty=empty, hideable=hideable)
    return known


def judge_answer(
    page: Page,
    status: int,
    *,
    form: Form,
    query: HttpQuery,
    earlier: EarlierAnswers,
    number: int = 1,
    made_up: bool = False,
) -> AnswerVerdict:
    """Say what page `number` of an answer is, and return what it brought.

    A word that was made up finds nothing: the page that answers it without records shows how the site says so.
    """
    if status >= _HTTP_ERROR:
        return _judge_status(page, status, query, earlier)
    found = _records(page, query, earlier, number)
    found = _single_like(page, query, earlier, number, found) or found
    found = _single_by_address(page, query, earlier, number, found) or found
    match = None if made_up else _only_match(page, query, earlier)
    if match and _is_one(match, found, page, query, earlier):
        return AnswerVerdict(
            "all", "it leads to the page of the only match", (match,), signature=_signature((match,))
        )
    records = (
        found
        or _records_by_shape(page, query, earlier)
        or _left_of_list(page, query, earlier)
        or _whole_list(page, query, earlier, number)
        or _shown_again(page, query, earlier)
        or _single(page, query, earlier, number)
        or _link_list(page, query, earlier, number)
    )
    if wait := _wanted_wait(page, records, query, earlier):
        return AnswerVerdict("error", f"it asks to wait {wait.seconds:.0f} s", wait=wait)
    if records:
        records = join_known_lists(add_attributes(records, page), earlier.lists)
        return _judge_records(page, records, form, query, earlier, number)
    answer = _judge_no_records(page, form, query, earlier)
    if made_up and answer.case == "form_again" and _new_lines(page, earlier):
        why = "it says something new of a word that does not exist"
        return AnswerVerdict("nothing_found", why, wording=_wording(page, query))
    return answer


def _judge_status(page: Page, status: int, query: HttpQuery, earlier: EarlierAnswers) -> AnswerVerdict:
    """Say what an answer with an error is: some sites say by status that they found nothing, or too much."""
    why = f"the server answered {status}"
    if status in _REFUSED:
        return AnswerVerdict("blocked", why)
    if said := says_blocked(page, query):
        return AnswerVerdict("blocked", f"{why} and says {said!r}")
    if said := says_too_many(page, query):
        return AnswerVerdict("form_again", f"{why} and says {said!r}", too_many=True)
    if status not in NOTHING_BY_STATUS:
        return AnswerVerdict("error", why)
    if (said := says_nothing_found(_outside_forms(page))) and not says_missing(page, query):
        return AnswerVerdict("nothing_found", f"{why} and says {said!r}", wording=_wording(page, query))
    if _wording(page, query) in earlier.empty:
        return AnswerVerdict("nothing_found", f"{why} and says what an answer said that found nothing")
    if earlier.answers:  # the search is there: others of its answers had records
        return AnswerVerdict("nothing_found", f"{why}, as it does where there are no records")
    return AnswerVerdict("error", why, missing=status in _GONE)


def sent_on(page: Page, answer: AnswerVerdict) -> str | None:
    """Return where a page sends its visitors on that shows none of what was found: "your search was sent, the results come in 2 seconds".

    A page that leaves them much time is there to be read, and so is one that says that nothing was found.
    """
    if page.refresh is None or page.refresh_after > _SOON or answer.wording or answer.case == "blocked":
        return None
    target = canonical_url(page.refresh)
    leads_there = all(
        record.url is not None and canonical_url(record.url) == target for record in answer.records
    )
    return page.refresh if leads_there and canonical_url(page.url) != target else None


# Records


def _records(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the blocks of a page that can be records."""
    forms = _texts_of_forms(page)
    read = records_in(page, query, earlier.shapes, number)
    at_places = stand_at_places(read, page.url)
    have_addresses = bool(earlier.shapes) and not at_places  # where records have addresses, layout has none
    possible = tuple(
        record
        for record in read
        if (record.key.startswith("http") or not have_addresses)
        and not _is_of_a_form(record.text, forms)
        and (at_places or not asks_again(record.url, query))
    )
    told = told_range(page, query, number)
    found = _not_of_template(possible, query, earlier, shown=told.shown if told else 0)
    if found and told is not None and told.shown == len(found):
        return found
    if len(found) > 1 and told is None and total_of(_around(page), query, len(found), number) == len(found):
        return found
    is_known = bool(earlier.kinds) and earlier.kinds.issuperset(block.kind for block in page.blocks)
    if not found or (not is_known and _is_layout(page, query, number)):
        return ()
    if told is not None and told.shown == 1 < len(found) and _tells_beside(page, query, number, found):
        return ()
    lead_somewhere = all(record.key.startswith("http") for record in found)
    notice = _around(page) if is_known else page  # records may tell of robots, and of what is not found
    if len(found) <= _MOST_COLUMNS and not lead_somewhere and _says_none(notice, query, earlier):
        return ()
    if any(_holds_keyword(record.text, query) for record in found):
        return found
    is_list = (
        len(found) > _MOST_COLUMNS and sum(len(record.text) for record in found) > len(found) * _LONG_LINE
    )
    if page.structure in earlier.empty or not (lead_somewhere or is_list):
        return ()
    return () if _says_none(_around(page), query, earlier) else found


def _tells_beside(page: Page, query: HttpQuery, number: int, found: tuple[Record, ...]) -> bool:
    """Say whether a page tells what it shows beside its many records; in one of them it is a text like any other."""
    return len(found) <= _MOST_COLUMNS or told_range(_around(page), query, number) is not None


def _single_like(
    page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int, found: tuple[Record, ...]
) -> tuple[Record, ...]:
    """Return the only part of a page that is made as records of earlier answers were, unless records were found that do not lie in it, or around it."""
    if not earlier.kinds:
        return ()
    leading = [block.kind for block in page.blocks if block.url or not earlier.shapes]
    if len(leading) > 1 and not earlier.kinds.isdisjoint(leading):
        return ()
    alike = tuple(page.like(earlier.kinds))
    like = tuple(block for block in alike if block.url or not earlier.shapes)
    if len(like) != 1:
        return ()
    lie_in_it = all(record.text in like[0].text for record in found)
    if not lie_in_it and not any(like[0].text in record.text for record in found):
        return ()
    records = _records(replace(page, blocks=like), query, earlier, number)
    if len(alike) > 1 and not all(has_shape(record.key, earlier.shapes) for record in records):
        return ()
    return records


def _single_by_address(
    page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int, found: tuple[Record, ...]
) -> tuple[Record, ...]:
    """Return the only part of a page that was found as what it leads to, if that is the only record: next time it may stand among others."""
    if len(found) != 1 or found[0].key.startswith("http") or not found[0].url:
        return ()
    alone = _single(page, query, earlier, number)
    return tuple(replace(found[0], key=record.key) for record in alone if record.url == found[0].url)


def _kinds_of(page: Page, answer: AnswerVerdict) -> frozenset[str]:
    """Return how the records of an answer are made, if they are parts of its page that are alike, and no columns of it."""
    if not _MOST_COLUMNS <= len(answer.records) <= len(page.blocks):
        return frozenset()
    kinds = Counter(block.kind for block in page.blocks if block.kind)
    return frozenset(kind for kind, times in kinds.items() if 3 * times >= len(page.blocks))


def _not_of_template(
    records: tuple[Record, ...], query: HttpQuery, earlier: EarlierAnswers, *, shown: int
) -> tuple[Record, ...]:
    """Return the records without those that stand on the form's own page, unless that lists records itself.

    It does if some stand beside new ones that have addresses of the same kind. If all were there, what they say decides: a search leaves
    fewer, and those hold the keyword, or are as many as the page says it shows. Who asks for nothing is shown that list whole, which is
    one of records if words have found addresses of the same kind, or an answer that found nothing had it not.
    """
    new = tuple(record for record in records if record.key not in earlier.page_blocks)
    if len(new) == len(records):
        return new
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
    listed = _listed(earlier)
    if len(records) >= len(listed) or not all(record.key in listed for record in records):
        return ()
    holding = sum(_holds_keyword(record.text, query) for record in records)
    return records if 2 * holding >= len(records) or shown == len(records) else ()


def _is_layout(page: Page, query: HttpQuery, number: int) -> bool:
    """Say whether the blocks of a page are its columns: they are few, and one is most of the page, has its title, or tells how much was found."""
    if not 1 < len(page.blocks) <= _MOST_COLUMNS:
        return False
    *_, second, longest = sorted((block.text for block in page.blocks), key=len)
    if len(longest) > _MOST_OF_IT * len(page.text) and len(second) < len(longest) / 3:
        return True
    heading = _TITLES_END.split(page.title)[0].strip()
    if len(heading) > _SHORT_WORD and heading in longest[:_HEAD]:
        return True
    return any(tells_range(block.text, page, query, number) for block in page.blocks)


def _records_by_shape(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return what the page links to and what looks like the addresses of records: a single record is no repeated part."""
    if not earlier.shapes:
        return ()
    asked = query_values(query)
    found: dict[str, Record] = {}
    kinds, kept = kinds_in(earlier.shapes), constant_parameters(earlier.shapes)
    for link in page.links:
        key = strip_page_place(canonical_url(strip_query_values(link.url, asked, kept=kept)), page.url, kinds)
        if kind_of_address(key) in kinds and not {key, canonical_url(link.url)} & earlier.page_links:
            found.setdefault(key, Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url))
    new = tuple(record for key, record in found.items() if key not in earlier.page_blocks)
    records = tuple(record for record in new if has_shape(record.key, earlier.shapes)) or new
    told = told_range(page, query) if records else None
    if told is not None and told.shown == len(records):
        return records
    return () if _says_none(page, query, earlier) else records


def _link_list(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return a list of links that are names."""
    if not query.keyword or page.structure in earlier.empty or _says_none(page, query, earlier):
        return ()
    told = told_range(page, query, number)

    def is_counted(count: int) -> bool | None:
        if told is not None:
            return told.shown == count
        return shows_so_many(page, query, count) or None

    return records_in_link_list(
        _links_of_answer(page, query),
        listed_before=earlier.page_links | earlier.page_blocks,
        is_counted=is_counted,
        new_lines=_new_lines(page, earlier),
        holds_keyword=lambda text: _holds_keyword(text, query),
    )


def _left_of_list(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return what a search left of the list on the form's own page: a few of its records, one of which holds the keyword at least."""
    listed = _listed(earlier)
    asked = query_values(query)
    found: dict[str, Record] = {}
    for link in page.links:
        key = canonical_url(strip_query_values(link.url, asked))
        if key in listed:
            found.setdefault(key, Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url))
    records = tuple(found.values())
    is_left = len(listed) > _SEVERAL and 0 < 2 * len(records) <= len(listed)
    if not is_left:
        return ()
    are_counted = counts_one(page, query) if len(records) == 1 else False
    if not are_counted and not any(_holds_keyword(record.text, query) for record in records):
        return ()
    return () if _says_none(page, query, earlier) else records


def _shown_again(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return what the form's own page links to by the keyword, and an answer did not that found nothing: a short list, all of which was found.

    The page has to be an answer, in whose box the keyword stands, and not the first page of the site.
    """
    asked = query.keyword.casefold()
    if page.structure in earlier.empty or not (earlier.hideable and asked):
        return ()
    if not any(field.value.casefold() == asked for form in page.forms for field in form.fields):
        return ()
    found: dict[str, Record] = {}
    for link in page.links:
        key = canonical_url(link.url)
        if key in earlier.hideable and key not in found and _holds_keyword(link.anchor, query):
            found[key] = Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url)
    return () if _says_none(page, query, earlier) else tuple(found.values())


def _whole_list(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the list on the form's own page where that is the answer to an empty box: it goes on at an address that has the box in it."""
    if query.keyword.strip() or not query.values:
        return ()
    records = records_in(page, query, earlier.shapes)
    if len(records) <= _SEVERAL or not all(record.key in _listed(earlier) for record in records):
        return ()
    following = next_page(page, asked_url=page.url or query.url, number=number, rows=(len(records),), query=query)  # fmt: skip
    parameters = urlsplit(following.url).query if following else ""
    asked = {unquote_plus(each.partition("=")[0]) for each in re.split("[&;]", parameters)}
    return records if asked.issuperset(name for name, _ in query.values) else ()


def _listed(earlier: EarlierAnswers) -> frozenset[str]:
    """Return the addresses of the list on the form's own page."""
    return frozenset(key for key in earlier.page_blocks if key.startswith("http"))


def _single(page: Page, query: HttpQuery, earlier: EarlierAnswers, number: int) -> tuple[Record, ...]:
    """Return the only record of an answer: the page that only this page links to, or the lines that only this page has.

    Either the page says that it found one, or it tells of it at length and does not say that nothing was found.
    """
    told = told_range(page, query, number)
    is_one = told.shown == 1 if told else number == 1 and counts_one(page, query)
    if not is_one and (told or _says_none(page, query, earlier)):
        return ()
    links = list(_new_links(page, query, earlier).values())
    if not is_one and not _tells_at_length(page, query, earlier, links):
        return ()
    holding = [link for link in links if _holds_keyword(f"{link.anchor} {link.around}", query)]
    if len(links) == 1 or (is_one and holding):
        link = (holding or links)[0]
        key = canonical_url(
            strip_query_values(link.url, query_values(query), kept=constant_parameters(earlier.shapes))
        )
        return (Record(key, link.anchor, f"{link.anchor} {link.around}".strip(), link.url),)
    return () if links or earlier.shapes else _single_text(page, query, earlier)


def _tells_at_length(page: Page, query: HttpQuery, earlier: EarlierAnswers, links: list[Link]) -> bool:
    """Say whether lines that only this page has are too long for headings, and tell of the keyword, or of the only new link."""
    long = [line for line in _new_lines(page, earlier) if len(line) > _LONG_LINE]
    if any(_holds_keyword(line, query) for line in long):
        return True
    titles = [" ".join(link.anchor.split()) for link in links]
    return len(titles) == 1 and len(titles[0]) > _SHORT_TITLE and bool(long)


def _new_links(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> dict[str, Link]:
    """Return where a page leads to on its site, besides to the search itself, that the form's page did not."""
    return {
        key: link
        for key, link in _links_of_answer(page, query).items()
        if not {key, canonical_url(link.url)} & earlier.page_links and key not in earlier.page_blocks
    }


def _links_of_answer(page: Page, query: HttpQuery) -> dict[str, Link]:
    """Return where a page leads to on its site, besides to the search itself, by the keys that records there have."""
    asked, came = query_values(query), urlsplit(page.url)
    searches = {came.path, urlsplit(query.url).path, "/"}
    boxes = {name for name, value in query.values if value == query.keyword}
    found: dict[str, Link] = {}
    for link in page.links:
        parts, key = urlsplit(link.url), canonical_url(strip_query_values(link.url, asked))
        is_of_search = parts.path in searches and not _asks_nothing(parts.query, boxes)
        if is_of_search or _EDITS.search(link.url):
            continue
        if parts.netloc == came.netloc and link.anchor:
            found.setdefault(key, link)
    return found


def _asks_nothing(parameters: str, boxes: set[str]) -> bool:
    """Say whether an address at the place of the search has parameters, and none that holds the words of a question."""
    names = {unquote_plus(each.partition("=")[0]) for each in re.split("[&;]", parameters) if each}
    return bool(names and boxes) and names.isdisjoint(boxes)


def _single_text(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> tuple[Record, ...]:
    """Return a record without an address: the lines of the page behind those that tell how much was found."""
    lines = _new_lines(page, earlier)
    start = max((at + 1 for at, line in enumerate(lines[:3]) if _is_heading(page, line, query)), default=0)
    text = " ".join(lines[start:])
    return (Record(text_key(text, page.url), lines[start], text),) if len(text) > _LONG_LINE else ()


def _is_heading(page: Page, line: str, query: HttpQuery) -> bool:
    """Say whether a line tells what was asked and how much was found: it is the title, quotes the keyword, or has a total."""
    if line == _TITLES_END.split(page.title)[0].strip() or (query.keyword and _quotes(line, query.keyword)):
        return True
    return len(line) <= _LONG_LINE and total_of(replace(page, text=line), query, 1) is not None


def _quotes(line: str, keyword: str) -> bool:
    return bool(re.search(f"[{_QUOTES}]{re.escape(keyword)}[{_QUOTES}]", line, re.IGNORECASE))


def _lines(page: Page) -> list[str]:
    return [line for raw in page.text[:_MOST_TEXT].splitlines() if (line := " ".join(raw.split()))]


def _line_key(line: str) -> str:
    """Return a key for a line of the template, in which numbers may change."""
    return f"line {xxh3_64_hexdigest(_DIGITS.sub('', line).encode('utf-8', 'replace'))}"


def _line_keys(page: Page) -> frozenset[str]:
    return frozenset(map(_line_key, _lines(page)[:_MOST_LINES]))


def _new_lines(page: Page, earlier: EarlierAnswers) -> list[str]:
    """Return the lines of a page that are not those of the template, or of its forms."""
    of_forms = "\n".join(" ".join(text.split()) for text in _texts_of_forms(page))
    return [
        line for line in _lines(page) if _line_key(line) not in earlier.page_blocks and line not in of_forms
    ]


def _texts_of_forms(page: Page) -> list[str]:
    """Return what stands in the forms of a page; one form around the whole page is no part of it."""
    most = max(_LONG_LINE, _MOST_OF_IT * len(page.text))
    return [form.text for form in page.forms if form.text and len(form.text) < most]


def _is_of_a_form(text: str, forms: list[str]) -> bool:
    """Say whether a block lies in a form, or around one: it holds all the words of it."""
    words = set(_WORD.findall(text.casefold()))
    for form in forms:
        of_form = set(_WORD.findall(form.casefold()))
        if of_form and (words <= of_form or (len(of_form) >= _WORDS_OF_FORM and of_form <= words)):
            return True
    return False


def _holds_keyword(text: str, query: HttpQuery) -> bool:
    """Say whether a text holds what was asked, or one of several choices, endings aside: many sites search by stems."""
    folded = text.casefold()
    asked = query.keyword.casefold()
    choices = asked.split(", ") if len(query.values) > 1 else []
    if any(word and _has_word(folded, word) for word in (asked, *choices)):
        return True
    several = asked.split()
    return len(several) > 1 and all(_has_word(folded, word) for word in several)


def _has_word(text: str, word: str) -> bool:
    stem = word[: max(_SHORT_WORD, len(word) - 2)]
    if len(word) > _SHORT_WORD or not word.isascii():
        return stem in text
    return bool(re.search(rf"\b{re.escape(stem)}", text))


def _around(page: Page) -> Page:
    """Return a page without its blocks, and without the lines in them."""
    of_blocks = "\n".join(block.text for block in page.blocks)
    lines = (line for line in _lines(page) if line not in of_blocks)
    return replace(page, text="\n".join(lines), blocks=())


def _without(records: tuple[Record, ...], page: Page) -> Page:
    """Return a page without the lines of its records."""
    said = "\n".join(" ".join(record.text.split()) for record in records)
    lines = (line for line in _lines(page) if line[:_LONG_LINE] not in said)
    return replace(page, text="\n".join(lines))


def _judge_records(
    page: Page,
    records: tuple[Record, ...],
    form: Form,
    query: HttpQuery,
    earlier: EarlierAnswers,
    number: int,
) -> AnswerVerdict:
    signature = _signature(records)
    holding = sum(_holds_keyword(record.text, query) for record in records) / len(records)
    is_again = signature in earlier.answers
    repeated = "an earlier answer brought the same records"
    if is_again and number > 1:  # a site that knows no further page shows the first one again
        return AnswerVerdict("duplicate", repeated, signature=signature, holding=holding)
    told = told_range(page, query, number)
    rows = (len(records), len(page.blocks), told.shown if told else 0)
    following = next_page(
        page, asked_url=page.url or query.url, number=number, keyword=query.keyword, rows=rows, query=query
    )
    around = _around(page) if len(page.blocks) >= len(records) > 1 else _without(records, page)
    total = total_of(around, query, len(records), number)
    are_all = number == 1 and total == len(page.blocks) >= len(records)  # some stand on the form's page, too
    case, why = _not_paged(page, around, form, query, len(records), None if are_all else total, number)
    if total is None and not _CUT.isdisjoint(page.marks):
        case, why = "part", f"{len(records)} records, and the page is too long to be read whole"
    if following is not None:
        case, why = "paged", f"{len(records)} records, and more on the next page"
    if is_again:
        case, why = "duplicate", repeated
    posting = next_by_post(page, query, number) if following is None else None
    return AnswerVerdict(
        case, why, records, following, total, signature=signature, holding=holding, posting=posting
    )


def _not_paged(
    page: Page, around: Page, form: Form, query: HttpQuery, count: int, total: int | None, number: int
) -> tuple[Case, str]:
    """Say what an answer is that no link continues: a part if it says so, or has a way on that we do not follow."""
    told = told_range(around, query, number)
    last = told.last if told and told.shown == count else count if number == 1 else None
    if total is not None and last is not None and total > last:
        return "part", f"{count} of {total} records, and no way to the others"
    if total is None and last is not None and (least := at_least(around, query, last)):
        return "part", f"{count} records, and it says that there are more than {least:,}"
    if leads_on(page, number):
        return "part", f"{count} records, and no way to the next page that we follow"
    if _has_form(page, form):
        return "with_form", f"{count} records and the form again"
    return "all", f"{count} records"


# No records


def _wanted_wait(
    page: Page, records: tuple[Record, ...], query: HttpQuery, earlier: EarlierAnswers
) -> RequestedPause | None:
    """Return how long a page wants us to wait that has no records: none but one that may be anything else, and does not say so itself."""
    if len(records) > 1 or any(has_shape(record.key, earlier.shapes) for record in records):
        return None
    said = " ".join(record.text for record in records if record.url or len(record.text) > _LONGEST_NOTICE)
    wait = asked_to_wait((line for line in _new_lines(page, earlier) if line not in said), query)
    return wait if wait and not says_nothing_found(_outside_forms(page)) else None


def _judge_no_records(page: Page, form: Form, query: HttpQuery, earlier: EarlierAnswers) -> AnswerVerdict:
    if page.fingerprint and page.fingerprint == earlier.page_fingerprint:
        return AnswerVerdict("form_again", "it is the page of the form again")
    if said := _kept_out(page, query, earlier):
        return AnswerVerdict("blocked", f"it says {said!r}")
    if said := says_missing(page, query):
        return AnswerVerdict("error", f"there is no such page: {said!r}", missing=True)
    if said := _told_nothing(page, query):
        answer = AnswerVerdict("nothing_found", f"it says {said!r}", wording=_wording(page, query))
        return replace(answer, suggestion=suggestion(page, query))
    if said := says_failed(page, query):
        return AnswerVerdict("error", f"it says {said!r}")
    if other := _another_form(page, earlier, carrying=query):
        return AnswerVerdict(
            "another_form", "another form asks for the rest, and carries what was asked", form=other
        )
    if why := _nothing_found(page, query, earlier):
        return AnswerVerdict("nothing_found", why, suggestion=suggestion(page, query))
    if _has_form(page, form):
        said_now = replace(page, text="\n".join(_new_lines(page, earlier)))
        if total := total_of(said_now, query, _SEVERAL):
            return AnswerVerdict(
                "form_again", f"the form is there again: {total:,} records are too many", total=total
            )
        if said := says_script_is_needed(page, query):
            return AnswerVerdict("form_again", f"only a script in a browser shows records: it says {said!r}")
        return AnswerVerdict("form_again", "the form is there again, and no records")
    if other := _another_form(page, earlier):
        return AnswerVerdict("another_form", "another form asks for more", form=other)
    return AnswerVerdict("error", "neither records nor a form")


def _nothing_found(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> str:
    """Return why a page is an answer to a question that finds nothing though it does not say so, or nothing."""
    if _wording(page, query) in earlier.empty:
        return "it says what an answer said that found nothing"
    if page.structure in earlier.empty and not page.forms:
        return "it looks like an answer that found nothing"
    listed = _listed(earlier)
    if len(listed) > _SEVERAL and listed.isdisjoint(canonical_url(link.url) for link in page.links):
        return "the list that stands on the form's page is gone"
    if query.keyword and any(_repeats(line, query) for line in _new_lines(page, earlier)):
        return "it repeats the keyword and shows no records"
    return ""


def _repeats(line: str, query: HttpQuery) -> bool:
    """Say whether a line has the keyword in it, as a word; a short one in quotation marks."""
    if not query.keyword.isascii():
        return query.keyword.casefold() in line.casefold()
    if len(query.keyword) <= _SHORT_WORD:
        return _quotes(line, query.keyword)
    return bool(re.search(rf"\b{re.escape(query.keyword)}\b", line, re.IGNORECASE))


def _outside_forms(page: Page) -> str:
    """Return title and text of a page without what stands in its forms."""
    text = f"{page.title}\n{page.text[:_FIRST_WORDS]}"
    for of_form in _texts_of_forms(page):
        text = text.replace(of_form, " ", 1)
    return text


def _says_none(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> bool:
    """Say whether a page says that it has no records: there are none, it is missing, it failed, or it keeps us out."""
    if _told_nothing(page, query) or says_missing(page, query):
        return True
    return bool(_kept_out(page, query, earlier) or says_failed(page, query))


def _told_nothing(page: Page, query: HttpQuery) -> str:
    """Return the words with which a page says that nothing was found, or the 0 it tells, outside its forms; or nothing."""
    outside = _outside_forms(page)
    return says_nothing_found(outside) or ("0" if counts_none(replace(page, text=outside), query) else "")


def _kept_out(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> str:
    """Return how a page keeps us out: in words, or with a question whether we are human, which the form's page had not."""
    if any(form.captcha and _form_signature(form) not in earlier.page_forms for form in page.forms):
        return "captcha"
    return says_blocked(page, query)


def _wording(page: Page, query: HttpQuery) -> int:
    """Return a number that is equal for pages that say the same but for numbers and the keyword."""
    said = _DIGITS.sub("", without_words(page.text, query.keyword).casefold())
    return xxh3_64_intdigest(" ".join(said.split()).encode("utf-8", "replace"))


def _only_match(page: Page, query: HttpQuery, earlier: EarlierAnswers) -> Record | None:
    """Return the page itself as a record, where the site sent us on to the only match."""
    asked, came = urlsplit(query.url), urlsplit(page.url)
    if not query.url or (asked.netloc, asked.path) == (came.netloc, came.path) or came.path in ("", "/"):
        return None
    if page.fingerprint == earlier.page_fingerprint or not query.keyword:
        return None
    if not _holds_keyword(f"{page.title} {page.text}", query):
        return None
    key = canonical_url(page.canonical or page.url)
    bare = canonical_url(
        strip_query_values(key, query_values(query), kept=constant_parameters(earlier.shapes))
    )
    is_known = kind_of_address(bare) in kinds_in(earlier.shapes)
    return Record(bare if is_known else key, page.title, page.text, page.url)


def _is_one(
    match: Record, found: tuple[Record, ...], page: Page, query: HttpQuery, earlier: EarlierAnswers
) -> bool:
    """Say whether the page that we were sent on to is a record itself, and not a list of some, or of none.

    It is one if it stands where records do. A page that shows what other answers showed is a list, and so is one whose address repeats the
    question and which tells how much was found, or shows more than a record has beside it.
    """
    kinds = kinds_in(earlier.shapes)
    if kind_of_address(match.key) in kinds:
        return True
    leading = [each for each in found if each.key.startswith("http")]
    if asks_again(page.url, query):
        if len(leading) > _MOST_COLUMNS or any(kind_of_address(each.key) in kinds for each in leading):
            return False
        if _says_none(page, query, earlier) or total_of(_around(page), query, len(found)) is not None:
            return False
    if counts_one(page, query) and any(
        kind_of_address(canonical_url(link.url)) in kinds for link in page.links
    ):
        return False
    is_told_of = any(len(line) > _LONG_LINE for line in _new_lines(page, earlier))
    if not is_told_of and _says_none(page, query, earlier):
        return False
    listed = [
        each for each in leading if kind_of_address(each.key) in kinds or _holds_keyword(each.text, query)
    ]
    return len(listed) < max(2, len(found) / 2)


def _has_form(page: Page, form: Form) -> bool:
    return any(_form_signature(other) == _form_signature(form) for other in page.forms)


def _another_form(page: Page, earlier: EarlierAnswers, carrying: HttpQuery | None = None) -> Form | None:
    """Return the first form that was not on the form's page and has something to fill in; one that hides what was asked if wanted."""
    for other in page.forms:
        fillable = any(f.kind not in ("hidden", "submit", "image", "button", "reset") for f in other.fields)
        if carrying is not None and not _carries(other, carrying):
            continue
        if fillable and not other.needs_browser and _form_signature(other) not in earlier.page_forms:
            return other
    return None


def _carries(form: Form, query: HttpQuery) -> bool:
    """Say whether a form sends along what was asked before, in a control that nobody sees."""
    asked = {(name, value) for name, value in query.values if value}
    return any(field.kind == "hidden" and (field.name, field.value) in asked for field in form.fields)


def _form_signature(form: Form) -> int:
    """Return a number that is equal for a form and the same form filled in; what a script sends has no address."""
    parts = urlsplit("" if form.needs_browser else form.action)
    names = sorted(
        {f"{f.kind}:{f.name}" for f in form.fields if f.name and f.kind not in ("hidden", "submit")}
    )
    return xxh3_64_intdigest(
        "|".join((form.method, parts.netloc, parts.path, *names)).encode("utf-8", "replace")
    )


def _signature(records: tuple[Record, ...]) -> int:
    keys = "\n".join(sorted(record.key for record in records))
    return xxh3_64_intdigest(keys.encode("utf-8", "replace"))
