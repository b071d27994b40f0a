"""What is learnt from the answers of a form, for telling the next one."""

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
    """Return what is known before the first question: the page the form stands on."""
    return EarlierAnswers(
        page_fingerprint=page.fingerprint,
        page_blocks=frozenset(record.key for record in records_in(page)) | line_keys(page),
        page_forms=frozenset(form_signature(form) for form in page.forms),
        page_links=frozenset(canonical_url(link.url) for link in page.links),
    )


def learn_from_answer(known: EarlierAnswers, page: Page, answer: AnswerVerdict) -> EarlierAnswers:
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
        lines = line_keys(page) if len(known.page_blocks) < MOST_LINES else frozenset()
        empty = known.empty | {page.structure, answer.wording} if answer.wording else known.empty
        hideable = known.hideable
        if answer.case == "nothing_found" and not hideable:
            hideable = known.page_links - {canonical_url(link.url) for link in page.links}
        return replace(known, page_blocks=known.page_blocks | blocks | lines, empty=empty, hideable=hideable)
    return known


def _kinds_of(page: Page, answer: AnswerVerdict) -> frozenset[str]:
    """Return how the records of an answer are made, if they are parts of its page that are alike, and no columns of it."""
    if not MOST_COLUMNS <= len(answer.records) <= len(page.blocks):
        return frozenset()
    kinds = Counter(block.kind for block in page.blocks if block.kind)
    return frozenset(kind for kind, times in kinds.items() if 3 * times >= len(page.blocks))
