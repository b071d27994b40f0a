"""The verdict on an answer, and what is known from earlier answers: the values that the modules of this folder exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiddenweb.answers.notices import RequestedPause
    from hiddenweb.answers.pagination import NextPagePost
    from hiddenweb.model import Form, Link, Record

Case = Literal[
    "all", "paged", "part", "with_form", "another_form", "error", "form_again", "duplicate", "nothing_found", "blocked"
]  # fmt: skip
"""The eight cases in the paper's order, the answer without records, and the site that keeps us out."""


WITH_RECORDS: frozenset[Case] = frozenset({"all", "paged", "part", "with_form"})


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """What is known of a form when an answer comes: all that is needed to distinguish old from new."""

    answers: frozenset[int] = frozenset()  # signatures of earlier answers
    of_this_answer: frozenset[int] | None = None  # signatures of its pages that were read; None: not known
    page_fingerprint: int = 0  # of the form's own page
    page_blocks: frozenset[str] = frozenset()  # keys of blocks and lines that belong to the template
    page_forms: frozenset[int] = frozenset()  # signatures of the forms on the form's page
    page_links: frozenset[str] = frozenset()  # canonical addresses the form's page links to
    shapes: frozenset[str] = frozenset()  # of the addresses of records: `hiddenweb.records.records.shapes_of`
    empty: frozenset[int] = frozenset()  # structures and wordings of answers that said that nothing was found
    keys: frozenset[str] = frozenset()  # of all records found
    kinds: frozenset[str] = frozenset()  # of the repeated items that were records: `RepeatedItem.kind`
    hideable: frozenset[str] = (
        frozenset()
    )  # of the addresses that the form's page links to, those that an empty answer lacked
    lists: frozenset[str] = frozenset()  # columns of records that are lists: `hiddenweb.records.known_lists`


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What came of a query."""

    case: Case
    why: str
    records: tuple[Record, ...] = ()
    next: Link | None = None
    total: int | None = None  # how many records the site says it found
    form: Form | None = None  # another form, which wants the rest of the query
    signature: int = 0
    holding: float = 0.0  # the share of the records on its page, new or not, that hold the keyword
    suggestion: str = ""  # the words that the site suggests instead: "did you mean"
    too_many: bool = False  # the site shows no records because there are too many
    missing: bool = False  # an error which says that there is no such page, with any status
    wording: int = 0  # of a page that says in words that nothing was found
    wait: RequestedPause | None = None  # how long the site wants us to wait before it answers
    next_post: NextPagePost | None = None  # the form that leads to the next page, if no link does

    @property
    def has_records(self) -> bool:
        """Say whether its case is one with records, new or not; a duplicate repeats an earlier answer, and is none."""
        return self.case in WITH_RECORDS
