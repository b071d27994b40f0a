"""One walk through the tree of a page, and what it collects."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, SelectolaxError
from xxhash import xxh3_64_intdigest

from hiddenweb.html.document import Document
from hiddenweb.html.form_parts import (
    OF_FORMS,
    FormParts,
    enter_control,
    enter_fieldset,
    enter_form,
    enter_label,
    enter_legend,
    enter_noscript,
    enter_wordless,
)
from hiddenweb.html.hardening import harden
from hiddenweb.html.link_parts import (
    PageAnchors,
    enter_anchor,
    enter_area,
    enter_drawn_anchor,
    enter_embedded,
    enter_frame,
    enter_image,
)
from hiddenweb.html.page_head import (
    PageHead,
    enter_base,
    enter_html,
    enter_link,
    enter_meta,
    enter_script,
    enter_title,
)
from hiddenweb.html.page_parts import Element, ElementPath, MarkedProperty, TextSpan
from hiddenweb.html.page_regions import (
    BACK_TO_HTML,
    CONCEALING,
    HIDING,
    enter_apart,
    enter_article,
    enter_aside,
    enter_concealed,
    enter_foreign,
    enter_heading,
    enter_preformatted,
)
from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, INLINE, NAMES, NUMBERS, TEXT, UNREAD, numbers_of
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, Leave

_ASIDE_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "search"}
)
_BOX = "searchbox"
_LOOKED_AT_AGAIN = numbers_of("a tr")
_TITLES = numbers_of("h1 h2 h3 h4 h5 h6 a dt b strong")
_WORDLESS = numbers_of("mi mo mn ms mtext datalist audio video canvas")
_ANCHOR = NUMBERS["a"]
_STILL_READ = BACK_TO_HTML | _WORDLESS
NUMBER = re.compile(r"\d+")
_DEEPEST_PATH = 24  # steps of a tag path; a limit of taste
_LONGEST_CLASSES = (
    200  # characters of a class attribute whose path is remembered from page to page; a limit of taste
)
_CLOCK_EVERY = 512  # nodes

_LINE, _COLUMN = 1, 2  # what separates an element from its neighbours; 0: nothing


class TreeWalk:
    """One walk through a page, and what it collects."""

    def __init__(
        self,
        document: Document,
        url: str,
        deadline: float,
        *,
        keep_elements: bool = False,
        marks: list[str] | None = None,
    ) -> None:
        self.document = document
        self.url = url
        self.source = document.source
        self.charset = document.charset
        self.limits = document.limits
        self.deadline = deadline
        self.marks = list(document.marks) if marks is None else marks
        self.is_written = False  # into an attribute of another page
        self.head = PageHead(url)
        self.links = PageAnchors()
        self.form_parts = FormParts()
        self.pieces: list[str] = []
        self.length = 0
        self.spaced = True  # the text so far ends with white space
        self.asides: list[TextSpan] = []
        self.hidden: list[TextSpan] = []
        self.headings: list[TextSpan] = []
        self.heading_nodes: list[LexborNode] = []  # of the same
        self.unseen = 0  # invisible parts around the current node
        self._nodes_by_id: dict[str, LexborNode] | None = None
        self._lowercase: bytes | None = None
        self.has_box_by_role = False  # a part that calls itself a search box was met
        self.articles = 0
        self.quiet = 0  # asides around here
        self.is_foreign = False  # inside a drawing or formula
        self.is_drawn = False  # inside a drawing
        self.wordless = 0  # parts around here that are read only for their controls
        self.preformatted = 0  # parts around here in which lines are lines
        self.steps: dict[tuple[str, int, str | None], ElementPath] = {}
        self.elements: list[Element] | None = [] if keep_elements else None
        self.nodes: dict[
            int, LexborNode
        ] = {}  # of elements that are read again; storing all would cost much time
        self.marked_properties: list[MarkedProperty] = []
        self.items: dict[str, list[tuple[str, str]]] | None = (
            None  # what JSON-LD says of things, once it was read
        )
        self._titles: list[TextSpan] | None = None
        self.root: LexborNode | None = None
        self.resolve: Callable[[str], str | None] = normalise_url

    def visit(self, root: LexborNode) -> None:  # noqa: C901, PLR0912, PLR0915 (a loop over every node: calls cost)
        """Visit every node once, in the order of the document."""
        self.root = node = root
        path = ""
        place = -1
        countdown = _CLOCK_EVERY
        elements, known_step, say, separate = self.elements, self.steps.get, self.say, self.separate
        might_hide = cache(_might_hide)  # a page has few styles, each many times
        around: list[tuple[LexborNode, str, int, Leave | None, int]] = []
        while True:
            child = None
            tag = node.tag_id
            if tag == TEXT:
                if not self.is_foreign:
                    say(node.text_content or "")
            elif tag != COMMENT:
                attributes = node.attributes
                style = attributes.get("class")
                longer, kind, is_entered = known_step((path, tag, style)) or self.step(path, tag, style, node)
                if kind:
                    separate(kind)
                reader = _READERS.get(tag)
                if attributes and (
                    "hidden" in attributes
                    or "role" in attributes
                    or ("style" in attributes and (reader is not None or might_hide(attributes["style"])))
                ):
                    leave = self.enter(node, tag, attributes, longer)
                elif reader is None:
                    leave = None
                elif self.is_foreign:
                    leave = self.enter(node, tag, attributes, longer)
                else:
                    leave = reader(self, node, attributes, longer)
                if is_entered:
                    child = node.first_child
                if child is not None:
                    around.append((node, path, kind, leave, place))
                    if elements is not None:
                        place = self.remember(place, tag, style, node, attributes)
                    path = longer
                else:
                    if elements is not None and ("itemprop" in attributes or "property" in attributes):
                        self.marked_properties.append(MarkedProperty(place, -1, attributes))
                    if leave is not None:
                        leave()
                    if kind:
                        separate(kind)
            countdown -= 1
            if not countdown:
                countdown = _CLOCK_EVERY
                if self.is_late():
                    break
            if child is not None:
                node = child
                continue
            while (following := node.next) is None and around:
                node, path, kind, leave, outer = around.pop()
                if elements is not None:
                    elements[place].span.end = self.length
                    place = outer
                if leave is not None:
                    leave()
                if kind:
                    separate(kind)
            if following is None or not around:
                break
            node = following
        self.leave_all(around)

    def is_late(self) -> bool:
        """Return whether the time for this page is over."""
        if self.limits.clock() <= self.deadline:
            return False
        self.mark("slow")
        return True

    def mark(self, mark: str) -> None:
        """Note once what was cut or is wrong."""
        if mark not in self.marks:
            self.marks.append(mark)

    # Text

    def say(self, text: str) -> None:
        """Add a text, with white space as a browser shows it."""
        if self.preformatted and "\n" in text:
            for number, line in enumerate(text.split("\n")):
                if number:
                    self.separate(_LINE)
                self.say(line)
            return
        if text.isspace():
            text = " "
        elif "\n" in text or "  " in text or "\t" in text or "\xa0" in text:
            text = _collapse_spaces(text)
        if self.spaced:
            text = text.removeprefix(" ")
        if text:
            self.pieces.append(text)
            self.length += len(text)
            self.spaced = text[-1] == " "

    def separate(self, kind: int) -> None:
        """Start a new line, or a new column."""
        if not self.pieces:
            return
        if self.pieces[-1] in ("\n", "\t") and not (
            self.form_parts.controls and self.form_parts.controls[-1].span.start == self.length
        ):
            if kind == _LINE:
                self.pieces[-1] = "\n"
            return
        self.pieces.append("\n" if kind == _LINE else "\t")
        self.length += 1
        self.spaced = True

    def leave_all(self, around: Sequence[tuple[LexborNode, str, int, Leave | None, int]]) -> None:
        """Leave the elements around the last node, the innermost first."""
        for _, _, kind, leave, _ in reversed(around):
            if leave is not None:
                leave()
            if kind:
                self.separate(kind)

    def step(self, path: str, tag: int, style: str | None, node: LexborNode) -> ElementPath:
        """Return what holds for all elements of this kind in this place, and remember it."""
        name = NAMES.get(tag)
        if name is not None and len(style or "") <= _LONGEST_CLASSES:
            step = _cached_step(path, tag, name, style)
        else:
            step = _step(path, tag, name or node.tag or "-", style)
        self.steps[path, tag, style] = step
        return step

    def remember(
        self, parent: int, tag: int, style: str | None, node: LexborNode, attributes: Attributes
    ) -> int:
        """Store an element to find repeated items; return its place."""
        assert self.elements is not None
        place = len(self.elements)
        self.elements.append(
            Element(parent, tag, style or "", TextSpan("", self.length), bool(self.quiet), node.mem_id)
        )
        if "itemprop" in attributes or "property" in attributes:
            self.marked_properties.append(MarkedProperty(parent, place, attributes))
        if tag in _LOOKED_AT_AGAIN or tag not in NAMES or any(key.startswith("data-") for key in attributes):
            self.nodes[place] = node
        return place

    # Elements

    def enter(self, node: LexborNode, tag: int, attributes: Attributes, path: str) -> Leave | None:
        """Read an element; return a function to call at its end."""
        reader = _READERS.get(tag)
        if self.is_foreign and tag not in _STILL_READ and not (self.wordless and tag in OF_FORMS):
            if tag == _ANCHOR and self.is_drawn:
                enter_drawn_anchor(self, node, attributes, path)
            return None
        leave = reader(self, node, attributes, path) if reader is not None else None
        role = attributes.get("role")
        if role and _BOX in role.lower():
            self.has_box_by_role = True
        if (
            "hidden" in attributes
            or ("style" in attributes and HIDING.search(attributes["style"] or ""))
            or role in _ASIDE_ROLES
        ):
            return enter_apart(self, attributes, leave)
        if "style" in attributes and CONCEALING.search(attributes["style"] or ""):
            return enter_concealed(self, leave)
        return leave

    def visit_written(self, source: str) -> TreeWalk | None:
        """Go through a page that an attribute of this one holds; pages within that one are not read, nor what cannot be parsed."""
        if self.is_written:
            return None
        written = harden(source.encode("utf-8", "replace"), self.limits, [])
        try:
            tree = LexborHTMLParser(written)
        except SelectolaxError:
            return None
        document = Document(tree, written, self.charset, limits=self.limits)
        inner = TreeWalk(document, self.head.base, self.deadline)
        inner.is_written = True
        if document.root is not None:
            inner.visit(document.root)
        return inner

    def enter_alone(self, node: LexborNode, tag: int) -> Leave | None:
        """Take from an element what one of its kind has to say, wherever it stands."""
        return _READERS[tag](self, node, node.attributes, "")

    def lowercase_source(self) -> bytes:
        """Return the source of the page in lower case."""
        if self._lowercase is None:
            self._lowercase = self.source.lower()
        return self._lowercase

    def nodes_by_id(self) -> dict[str, LexborNode]:
        """Return the first element of each id."""
        if self._nodes_by_id is None:
            self._nodes_by_id = {}
            for node in self.root.traverse() if self.root is not None else ():
                if name := node.attributes.get("id"):
                    self._nodes_by_id.setdefault(name, node)
        return self._nodes_by_id

    # The result

    def main_text(self, flat: str) -> str:
        """Return the text without boilerplate; all visible text if that is empty."""
        main = cut_spans(flat, [*self.asides, *self.hidden])
        return main or cut_spans(flat, self.hidden)

    def first_title(self, flat: str, start: int, end: int) -> str:
        """Return the first heading, or text that is emphasised like one, within a part of the text."""
        if self._titles is None:
            self._titles = [element.span for element in self.elements or () if element.tag in _TITLES]
        first = bisect_left(self._titles, start, key=_start)
        inside = takewhile(
            lambda span: span.start < end or span.start == start, islice(self._titles, first, None)
        )
        return next((flat[span.start : span.end] for span in inside if span.end <= end), "")

    def structure(self) -> int:
        """Return a hash of the kinds of elements and their paths."""
        paths = {step.path for (_, tag, _), step in self.steps.items() if tag not in INLINE}
        digest = xxh3_64_intdigest("\n".join(sorted(paths)).encode("utf-8", "replace"))
        return digest - (1 << 64) if digest >> 63 else digest


_READERS: dict[int, Callable[[TreeWalk, LexborNode, Attributes, str], Leave | None]] = {
    NUMBERS[name]: reader
    for names, reader in (
        ("a", enter_anchor),
        ("area", enter_area),
        ("frame iframe", enter_frame),
        ("object embed", enter_embedded),
        ("img", enter_image),
        ("svg math foreignobject desc annotation-xml", enter_foreign),
        ("html", enter_html),
        ("title", enter_title),
        ("base", enter_base),
        ("link", enter_link),
        ("meta", enter_meta),
        ("script", enter_script),
        ("h1 h2 h3 h4 h5 h6", enter_heading),
        ("pre", enter_preformatted),
        ("nav aside header footer", enter_aside),
        ("article main section", enter_article),
        ("form", enter_form),
        ("fieldset", enter_fieldset),
        ("legend", enter_legend),
        ("label", enter_label),
        ("noscript", enter_noscript),
        ("mi mo mn ms mtext datalist audio video canvas", enter_wordless),
        ("input select textarea button", enter_control),
    )
    for name in names.split()
}


def _step(path: str, tag: int, name: str, style: str | None) -> ElementPath:
    classes = NUMBER.sub("", style).split() if style else ()
    here = ".".join((name, *classes[:1]))
    if not path:
        longer = here
    elif path.count("/") < _DEEPEST_PATH:
        longer = f"{path}/{here}"
    else:
        longer = path
    kind = _LINE if tag in BLOCKS else _COLUMN if tag in CELLS else 0
    return ElementPath(longer, kind, tag not in UNREAD)


_cached_step = lru_cache(maxsize=4_096)(_step)  # the next page of a site has most of them, too


def _might_hide(style: str | None) -> bool:
    return style is not None and (
        "none" in style
        or "hidden" in style
        or ":0" in style
        or ": 0" in style
        or ":-" in style
        or ": -" in style
        or "(0" in style
        or not style.islower()
    )


_EMPTY_LINES = re.compile(r"\n\s+")


def _collapse_spaces(text: str) -> str:
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{' '.join(text.split())}{after}"


def cut_spans(flat: str, spans: list[TextSpan]) -> str:
    """Return a text without some of its parts."""
    kept, at = [], 0
    for span in sorted(spans, key=_start):
        if span.start >= at:
            kept.append(flat[at : span.start])
        at = max(at, span.end)
    kept.append(flat[at:])
    text = "".join(kept).replace("\t", " ").replace(" \n", "\n").strip()
    return _EMPTY_LINES.sub("\n", text) if "\n\n" in text else text


def _start(span: TextSpan) -> int:
    return span.start
