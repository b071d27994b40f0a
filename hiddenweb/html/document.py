"""A page, parsed once.

`parse_document` decodes a body, shortens it (`hiddenweb.html.hardening`) and parses it. Everything that is read from the page later is a view
of this one document: what a crawl needs of every page (`hiddenweb.html.reader`: text, links, forms), its repeated items
(`hiddenweb.records.page`), its layout and the places of its sentences. Views that only some callers need are made at the first use and
cached. A document holds the parser's tree, so it stays within its process and is released when the page is no longer needed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from hiddenweb.html.charsets import convert_to_utf8
from hiddenweb.html.hardening import harden, shorten_body
from hiddenweb.html.layout import PageLayout, layout_of_table
from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.node_table import NodeTable, node_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.texts import PageTexts
    from hiddenweb.model import Page


PARSED = "hiddenweb/html/parsed"
"""The stat that counts pages parsed."""


class ParseCount:
    """Counts parsed pages in a process that has no stats."""

    def __init__(self) -> None:
        self.pages = 0

    def __call__(self) -> None:
        """Count one more."""
        self.pages += 1


class Document:
    """A page that was parsed, and its views."""

    def __init__(
        self,
        tree: LexborHTMLParser | None,
        source: bytes = b"",
        charset: str = "utf-8",
        marks: Sequence[str] = (),
        limits: PageLimits = LIMITS,
    ) -> None:
        self.root: LexborNode | None = tree.root if tree is not None else None
        self.source = source  # in UTF-8, as it was parsed
        self.charset = charset
        self.marks = tuple(marks) if self.root is not None else (*marks, "not_html")
        self.limits = limits
        self.is_released = False
        self._tree = tree  # which the root belongs to

    @cached_property
    def nodes(self) -> NodeTable:
        """The nodes of the page as a table."""
        return node_table(self.root)

    @cached_property
    def layout(self) -> PageLayout:
        """The texts of the page and its skeleton."""
        return layout_of_table(self.nodes, limits=self.limits, marks=self.marks)

    def release(self) -> None:
        """Release the tree, which takes up to a megabyte, and all views, which can then no longer be used."""
        self.is_released = True
        self.root = self._tree = None
        self.source = b""
        for view in ("nodes", "layout"):
            self.__dict__.pop(view, None)


def parse_document(
    body: bytes,
    *,
    content_type: str = "",
    limits: PageLimits = LIMITS,
    on_parse: Callable[[], object] | None = None,
) -> Document:
    """Parse a page as it was sent. Never raises; a page that cannot be parsed has no root, and what was cut or is wrong is in the marks.

    `on_parse` is called once in any case: with it a crawl checks that it parses no page twice.
    """
    if on_parse is not None:
        on_parse()
    marks: list[str] = []
    source, charset = convert_to_utf8(shorten_body(body, limits, marks), content_type, marks)
    source = harden(source, limits, marks)
    try:
        tree = LexborHTMLParser(source)
    except SelectolaxError:
        tree = None
    return Document(tree, source, charset, marks, limits)


def document_of(page: Page) -> Document | None:
    """Return the document of a page, if the page still has it."""
    document = page.document
    return document if isinstance(document, Document) and not document.is_released else None


def read_layout(
    body: bytes,
    *,
    content_type: str = "",
    limits: PageLimits = LIMITS,
    on_parse: Callable[[], object] | None = None,
) -> PageLayout:
    """Return only the layout of a page as it was sent; an empty one if it cannot be parsed. Never raises."""
    return parse_document(body, content_type=content_type, limits=limits, on_parse=on_parse).layout


def read_texts(body: bytes, *, content_type: str = "", limits: PageLimits = LIMITS) -> PageTexts:
    """Return the texts of a page as it was sent. Never raises; what was cut is in the marks."""
    return read_layout(body, content_type=content_type, limits=limits).texts
