"""What an answer page is: one of ten cases, found without knowing the language of the site.

The paper on dynamic indexing of hidden-web databases names eight ways in which a form can answer: (1) all data at once, (2) data with
next pages, (3) part of the data, (4) data and the form again, (5) another form, (6) an error, (7) the same form again, which wants
another value, (8) an answer like an earlier one. We add a ninth that the paper counts among the errors: nothing was found. That is a
good answer to a bad keyword. And a tenth: the site blocks us, so the page says nothing about the form.

Structure decides. Records are the blocks of the page, except those that also stand on the form's own page, inside a form, or on
answers without records: a template repeats itself, answers do not. Blocks without links could be anything. So one of them has to hold
the keyword, or the page has to say how many there are ("1-20 of 8,412") and be right. A single record is no repeated item. It is
recognised by its kind or by the shape of its address, if earlier answers showed these. Else the page has to say that it found one
record, or to have a long text about the keyword, together with one link or a few lines that no other page has. A redirect to the
only match is a record by itself.

Without records, the page is the form again, or says that nothing was found, or is an error. Nothing was found if it says one of the usual
phrases (`hiddenweb.answers.notices`), has the wording of an earlier answer that found nothing, or repeats the keyword. It is the form
again if the form is there and the page says nothing of that kind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.answers.answer_verdict import AnswerVerdict, Case, EarlierAnswers
from hiddenweb.answers.empty_pages import (
    SEVERAL,
    find_pause_of_page,
    reason_blocked,
    reason_nothing_found,
    wording_of,
    words_for_nothing_found,
)
from hiddenweb.answers.found_records import (
    find_blocks,
    find_link_list,
    find_links_by_shape,
    find_links_with_keyword,
    find_part_by_address,
    find_part_like_earlier,
    find_rest_of_list,
    find_whole_list,
)
from hiddenweb.answers.notices import (
    find_suggestion,
    says_blocked,
    says_failed,
    says_missing,
    says_nothing_found,
    says_script_is_needed,
    says_too_many,
)
from hiddenweb.answers.only_record import find_only_record, is_record_page, page_as_record
from hiddenweb.answers.page_parts import (
    answer_signature,
    drop_blocks,
    drop_records,
    find_other_form,
    has_form,
    holds_keyword,
    new_lines,
    text_outside_forms,
)
from hiddenweb.answers.pagination import find_next_page, find_next_post, has_further_page
from hiddenweb.answers.totals import (
    read_lower_bound,
    read_range,
    read_total,
)
from hiddenweb.records.known_lists import join_known_lists
from hiddenweb.records.records import (
    add_attributes,
)
from hiddenweb.urls import canonical_url

if TYPE_CHECKING:
    from hiddenweb.model import Form, HttpQuery, Page, Record

_HTTP_ERROR = 400
"""The status from which on an answer is an error (RFC 9110, 15.5)."""


_INCOMPLETE = frozenset({"truncated", "many_tags", "slow", "many_blocks"})


_REFUSED = frozenset({403, 429})


_GONE = frozenset({404, 410})


NOTHING_BY_STATUS = frozenset({400, 404, 410, 422})
"""Errors that may mean that a query found nothing."""


_SOON = 10.0  # seconds that a page may be shown on the way to another


def judge_answer(
    page: Page,
    status: int,
    *,
    form: Form,
    query: HttpQuery,
    earlier: EarlierAnswers,
    number: int = 1,
    is_decoy: bool = False,
) -> AnswerVerdict:
    """Say what page `number` of an answer is, and return what it brought.

    A word of the decoy test finds nothing: the page that answers it without records shows how the site says so.
    """
    if status >= _HTTP_ERROR:
        return _judge_status(page, status, query, earlier)
    found = find_blocks(page, query, earlier, number)
    found = find_part_like_earlier(page, query, earlier, number, found) or found
    found = find_part_by_address(page, query, earlier, number, found) or found
    match = None if is_decoy else page_as_record(page, query, earlier)
    if match and is_record_page(match, found, page, query, earlier):
        return AnswerVerdict(
            "all", "it leads to the page of the only match", (match,), signature=answer_signature((match,))
        )
    records = (
        found
        or find_links_by_shape(page, query, earlier)
        or find_rest_of_list(page, query, earlier)
        or find_whole_list(page, query, earlier, number)
        or find_links_with_keyword(page, query, earlier)
        or find_only_record(page, query, earlier, number)
        or find_link_list(page, query, earlier, number)
    )
    if wait := find_pause_of_page(page, records, query, earlier):
        return AnswerVerdict("error", f"it asks to wait {wait.seconds:.0f} s", wait=wait)
    if records:
        records = join_known_lists(add_attributes(records, page), earlier.lists)
        return _judge_records(page, records, form, query, earlier, number)
    answer = _judge_no_records(page, form, query, earlier)
    if is_decoy and answer.case == "form_again" and new_lines(page, earlier):
        why = "it says something new about a word that does not exist"
        return AnswerVerdict("nothing_found", why, wording=wording_of(page, query))
    return answer


def _judge_status(page: Page, status: int, query: HttpQuery, earlier: EarlierAnswers) -> AnswerVerdict:
    """Say what an answer with an error status is: some sites use such a status if they found nothing, or too much."""
    why = f"the server answered {status}"
    if status in _REFUSED:
        return AnswerVerdict("blocked", why)
    if said := says_blocked(page, query):
        return AnswerVerdict("blocked", f"{why} and says {said!r}")
    if said := says_too_many(page, query):
        return AnswerVerdict("form_again", f"{why} and says {said!r}", too_many=True)
    if status not in NOTHING_BY_STATUS:
        return AnswerVerdict("error", why)
    if (said := says_nothing_found(text_outside_forms(page))) and not says_missing(page, query):
        return AnswerVerdict("nothing_found", f"{why} and says {said!r}", wording=wording_of(page, query))
    if wording_of(page, query) in earlier.empty:
        return AnswerVerdict("nothing_found", f"{why} with the wording of an answer that found nothing")
    if earlier.answers:  # the search is there: others of its answers had records
        return AnswerVerdict("nothing_found", f"{why}, as it does where there are no records")
    return AnswerVerdict("error", why, missing=status in _GONE)


def find_forwarding(page: Page, answer: AnswerVerdict) -> str | None:
    """Return where a page forwards its visitors that shows no results yet: "your search was sent, the results come in 2 seconds".

    A page that is shown for a long time is there to be read, and so is one that says that nothing was found.
    """
    if page.refresh is None or page.refresh_after > _SOON or answer.wording or answer.case == "blocked":
        return None
    target = canonical_url(page.refresh)
    leads_there = all(
        record.url is not None and canonical_url(record.url) == target for record in answer.records
    )
    return page.refresh if leads_there and canonical_url(page.url) != target else None


def _judge_records(
    page: Page,
    records: tuple[Record, ...],
    form: Form,
    query: HttpQuery,
    earlier: EarlierAnswers,
    number: int,
) -> AnswerVerdict:
    signature = answer_signature(records)
    holding = sum(holds_keyword(record.text, query) for record in records) / len(records)
    is_again = signature in earlier.answers
    repeated = "an earlier answer brought the same records"
    if is_again and number > 1:  # a site that knows no further page shows the first one again
        return AnswerVerdict("duplicate", repeated, signature=signature, holding=holding)
    shown_range = read_range(page, query, number)
    rows = (len(records), len(page.blocks), shown_range.shown if shown_range else 0)
    following = find_next_page(
        page, page_url=page.url or query.url, number=number, keyword=query.keyword, rows=rows, query=query
    )
    around = drop_blocks(page) if len(page.blocks) >= len(records) > 1 else drop_records(records, page)
    total = read_total(around, query, len(records), number)
    are_all = number == 1 and total == len(page.blocks) >= len(records)  # some stand on the form's page, too
    case, why = _case_of_last_page(
        page, around, form, query, len(records), None if are_all else total, number
    )
    if total is None and not _INCOMPLETE.isdisjoint(page.marks):
        case, why = "part", f"{len(records)} records, and the page is too long to be read whole"
    if following is not None:
        case, why = "paged", f"{len(records)} records, and more on the next page"
    if is_again:
        case, why = "duplicate", repeated
    posting = find_next_post(page, query, number) if following is None else None
    return AnswerVerdict(
        case, why, records, following, total, signature=signature, holding=holding, next_post=posting
    )


def _case_of_last_page(
    page: Page, around: Page, form: Form, query: HttpQuery, count: int, total: int | None, number: int
) -> tuple[Case, str]:
    """Say what an answer without a next link is: a part if it says so, or has a way to the next page that we do not follow."""
    shown_range = read_range(around, query, number)
    last = shown_range.last if shown_range and shown_range.shown == count else count if number == 1 else None
    if total is not None and last is not None and total > last:
        return "part", f"{count} of {total} records, and no way to the others"
    if total is None and last is not None and (least := read_lower_bound(around, query, last)):
        return "part", f"{count} records, and it says that there are more than {least:,}"
    if has_further_page(page, number):
        return "part", f"{count} records, and no way to the next page that we follow"
    if has_form(page, form):
        return "with_form", f"{count} records and the form again"
    return "all", f"{count} records"


def _judge_no_records(page: Page, form: Form, query: HttpQuery, earlier: EarlierAnswers) -> AnswerVerdict:
    if page.fingerprint and page.fingerprint == earlier.page_fingerprint:
        return AnswerVerdict("form_again", "it is the page of the form again")
    if said := reason_blocked(page, query, earlier):
        return AnswerVerdict("blocked", f"it says {said!r}")
    if said := says_missing(page, query):
        return AnswerVerdict("error", f"there is no such page: {said!r}", missing=True)
    if said := words_for_nothing_found(page, query):
        answer = AnswerVerdict("nothing_found", f"it says {said!r}", wording=wording_of(page, query))
        return replace(answer, suggestion=find_suggestion(page, query))
    if said := says_failed(page, query):
        return AnswerVerdict("error", f"it says {said!r}")
    if other := find_other_form(page, earlier, carrying=query):
        return AnswerVerdict(
            "another_form", "another form asks for the rest, and carries the query", form=other
        )
    if why := reason_nothing_found(page, query, earlier):
        return AnswerVerdict("nothing_found", why, suggestion=find_suggestion(page, query))
    if has_form(page, form):
        new_text = replace(page, text="\n".join(new_lines(page, earlier)))
        if total := read_total(new_text, query, SEVERAL):
            return AnswerVerdict(
                "form_again", f"the form is there again: {total:,} records are too many", total=total
            )
        if said := says_script_is_needed(page, query):
            return AnswerVerdict("form_again", f"only a script in a browser shows records: it says {said!r}")
        return AnswerVerdict("form_again", "the form is there again, and no records")
    if other := find_other_form(page, earlier):
        return AnswerVerdict("another_form", "another form asks for more", form=other)
    return AnswerVerdict("error", "neither records nor a form")
