"""A change, as it is reported to people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ChangeKind = Literal[
    "new", "content", "record added", "record removed", "record changed", "template", "gone", "back"
]
KINDS: tuple[ChangeKind, ...] = (
    "new", "content", "record added", "record removed", "record changed", "template", "gone", "back",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """Words that replaced others: `before` is empty where words were added, `after` where they were removed."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """A difference between two revisits of one address."""

    kind: ChangeKind
    url: str
    at: float  # when it was seen
    site: str = ""  # host
    title: str = ""  # of the page, or of the record
    key: str = ""  # of the record that was added, removed or changed
    attribute: str = ""  # of the record that changed
    before: str = ""  # of a changed record: the old value; of a removed one: its text
    after: str = ""
    edits: tuple[Edit, ...] = ()  # of changed content, in the order of the page
    query: str = ""  # the query that the page answers, for people
    number: int = 0  # in the store; 0: not saved yet
    old: int | None = None  # the numbers of both versions
    new: int | None = None
