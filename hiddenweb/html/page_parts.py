"""The parts of a page that a walk collects, before it is known what they belong to: spans of its text, links, controls, forms, elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Attributes = dict[str, str | None]
Leave = Callable[[], None]
"""A function to call at the end of an element."""


class ElementPath(NamedTuple):
    """What all elements of one tag and class below one path have in common."""

    path: str
    kind: int  # how it is separated from its neighbours
    is_entered: bool


class TextSpan:
    """A part of the text that something names: from `start` to `end`."""

    __slots__ = ("end", "start", "value")

    def __init__(self, value: str, start: int) -> None:
        self.value = value
        self.start = start
        self.end = start


class RawLink(NamedTuple):
    """A link, before its words are known."""

    href: str
    span: TextSpan
    path: str
    rel: str
    title: str


class RawControl(NamedTuple):
    """A control, before it is known to which form it belongs."""

    tag: str
    attributes: Attributes
    node: LexborNode
    span: TextSpan
    form: int  # the place of the form around it, or -1
    label: TextSpan | None  # the label around it
    disabled: bool  # by a fieldset
    legend: TextSpan | None = None  # of the fieldset around it
    unseen: bool = False  # in an invisible part


class RawForm(NamedTuple):
    """A form, before its controls are known."""

    attributes: Attributes
    span: TextSpan
    node: LexborNode | None = None  # None: gathered from controls that no <form> holds
    is_nested: bool = False  # in another form, which a repaired page may have
    in_noscript: bool = False


class Element(NamedTuple):
    """An element, stored to find repeated items."""

    parent: int
    tag: int
    style: str
    span: TextSpan
    aside: bool
    number: int  # the parser's number of its node


class MarkedProperty(NamedTuple):
    """An element whose source names its value: itemprop of microdata, property of RDFa."""

    parent: int  # the place of the element around it
    place: int  # its own among the elements; -1: it is empty
    attributes: Attributes
