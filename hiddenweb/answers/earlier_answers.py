"""What is learnt from the answers of a form, to judge the next one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.answers.answer_verdict import AnswerVerdict, EarlierAnswers
from hiddenweb.answers.only_record import MOST_COLUMNS
from hiddenweb.answers.page_parts import MOST_LINES, form_signature, line_keys
from hiddenweb.records.known_lists import extend_known_lists
from hiddenweb.records.records import (
    records_in,
    shapes_of,
)
from hiddenweb.urls import canonical_url

if TYPE_CHECKING:
    from hiddenweb.model import Page

_MOST_KINDS = 6  # of records of one form; a limit of taste


def begin_with_page(page: Page) -> EarlierAnswers:
    """Return what is known before the first query: the page that has the form."""
    return EarlierAnswers(
        page_fingerprint=page.fingerprint,
        page_blocks=frozenset(record.key for record in records_in(page)) | line_keys(page),
        page_forms=frozenset(form_signature(form) for form in page.forms),
        page_links=frozenset(canonical_url(link.url) for link in page.links),
    )


def learn_from_answer(earlier: EarlierAnswers, page: Page, answer: AnswerVerdict) -> EarlierAnswers:
    """Return what is known after an answer; blocks of a page without records belong to the template."""
    if answer.has_records:
        return replace(
            earlier,
            answers=earlier.answers | {answer.signature},
            keys=earlier.keys | {record.key for record in answer.records},
            shapes=earlier.shapes | shapes_of((record.key for record in answer.records), earlier.shapes),
            empty=earlier.empty - {page.structure},
            lists=extend_known_lists(earlier.lists, answer.records),
            kinds=earlier.kinds | _kinds_of(page, answer)
            if len(earlier.kinds) < _MOST_KINDS
            else earlier.kinds,
        )
    if answer.case in ("nothing_found", "form_again"):
        blocks = {record.key for record in records_in(page)} - earlier.keys
        lines = line_keys(page) if len(earlier.page_blocks) < MOST_LINES else frozenset()
        empty = earlier.empty | {page.structure, answer.wording} if answer.wording else earlier.empty
        hideable = earlier.hideable
        if answer.case == "nothing_found" and not hideable:
            hideable = earlier.page_links - {canonical_url(link.url) for link in page.links}
        return replace(
            earlier, page_blocks=earlier.page_blocks | blocks | lines, empty=empty, hideable=hideable
        )
    return earlier


def _kinds_of(page: Page, answer: AnswerVerdict) -> frozenset[str]:
    """Return the kinds of the records of an answer, if they are repeated items of its page and not its columns."""
    if not MOST_COLUMNS <= len(answer.records) <= len(page.blocks):
        return frozenset()
    kinds = Counter(block.kind for block in page.blocks if block.kind)
    return frozenset(kind for kind, times in kinds.items() if 3 * times >= len(page.blocks))
