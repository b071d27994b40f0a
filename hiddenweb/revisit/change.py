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
    """Words that took the place of others: `before` is empty where words came, `after` where they went."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """What became different at one address between two revisits of it."""

    kind: ChangeKind
    url: str
    at: float  # when it was seen
    site: str = ""  # host
    title: str = ""  # of the page, or of the record
    key: str = ""  # of the record that came, went or changed
    attribute: str = ""  # of the record that changed
    before: str = ""  # of a record that changed: the old value; of one that went: its text
    after: str = ""
    edits: tuple[Edit, ...] = ()  # of content that changed, in the order of the page
    query: str = ""  # the query whose answer it is, for people
    number: int = 0  # in the store; 0: not kept yet
    old: int | None = None  # the numbers of both versions
    new: int | None = None
