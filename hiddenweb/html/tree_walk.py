"""One way through the tree of a page, and what is picked up on it."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import chain, islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser, SelectolaxError
from xxhash import xxh3_64_intdigest

from hiddenweb import urls
from hiddenweb.html.document import Document
from hiddenweb.html.hardening import ONE_CHOICE, harden
from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, DATALIST, INLINE, NAMES, NUMBERS, TEXT, numbers_of
from hiddenweb.language.tokens import UNSPACED
from hiddenweb.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    Attributes = dict[str, str | None]
    Leave = Callable[[], None]

_NOT_ENTERED = numbers_of("script style template title textarea select iframe noembed noframes xmp")
_BACK_TO_HTML = numbers_of("foreignobject desc annotation-xml")
_ENDS = numbers_of("header footer")  # of a page; of an article they belong to it
_ASIDE_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "search"}
)
_LOOKED_AT_AGAIN = numbers_of("a tr")
_TITLES = numbers_of("h1 h2 h3 h4 h5 h6 a dt b strong")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOUGHT = r":\s*+0*+\.?0*+(?:px|r?em|%)?\s*(?:[;!]|$)"
CONCEALING = re.compile(
    rf"{_HIDING.pattern}|opacity\s*{_NOUGHT}|(?<![\w-])(?:max-)?(?:height|width)\s*{_NOUGHT}"
    r"|(?:left|top|right|bottom|margin)\s*:\s*-(?:\d{3}|\d\d(?:r?em|v[wh]|%))|scale\(\s*0\s*[,)]",
    re.IGNORECASE,
)
"""Inline styles by which nobody sees an element: hidden, transparent, without size, or far outside of the page."""
_ANCHORS_OF_A_LINK = 4  # that lead to the same address, on a page with very many
_WORDLESS = numbers_of("mi mo mn ms mtext datalist audio video canvas")
_OF_FORMS = numbers_of("form input select textarea button fieldset legend label svg math")
_FOREIGN = numbers_of("svg math")
_ANCHOR, _SVG = NUMBERS["a"], NUMBERS["svg"]
_TURNING = frozenset({"next", "prev", "previous"})
_PAGE_TYPES = ("text/html", "application/xhtml")
_MOST_NODES_OF_DRAWN = 50  # that are read for the words of a link in a drawing
_ODD_IN_SELECT = "form, fieldset, button, textarea, input"
_TEXT_OF_FORMULAS = numbers_of("mi mo mn ms mtext")
_STILL_READ = _BACK_TO_HTML | _WORDLESS
_NOSCRIPT = re.compile(rb"<noscript[\s>](.*?)</noscript", re.IGNORECASE | re.DOTALL)
_FORM = re.compile(rb"<form[\s>]", re.IGNORECASE)
_LONGEST_HEAD = 20_000  # bytes
NUMBER = re.compile(r"\d+")
_DEEPEST_PATH = 24  # steps of a tag path
_CLOCK_EVERY = 512  # nodes

_LINE, _COLUMN = 1, 2  # what separates an element from its neighbours; 0: nothing


SEARCH_PROPERTIES = frozenset({"target", "urlTemplate", "template", "query-input"})
_DESCRIPTION = "application/opensearchdescription+xml"
_MOST_PROPERTIES = 50
_MOST_RELATED = 10
_LONGEST_WORDS = 1_000  # characters of a link
_REACH = 140  # characters in which the ten words on one side of a link are looked for


class ElementPath(NamedTuple):
    """What is the same for all elements of one tag and class below one path."""

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
    unseen: bool = False  # in a part that nobody sees


class RawForm(NamedTuple):
    """A form, before its controls are known."""

    attributes: Attributes
    span: TextSpan
    node: LexborNode | None = None  # None: gathered from controls that no <form> holds
    is_nested: bool = False  # in another form, which a repaired page may have
    in_noscript: bool = False


class Element(NamedTuple):
    """An element as it is remembered for finding repeated parts."""

    parent: int
    tag: int
    style: str
    span: TextSpan
    aside: bool
    number: int  # the parser's number of its node


class MarkedProperty(NamedTuple):
    """An element that says in its source what it tells: itemprop of microdata, property of RDFa."""

    parent: int  # the place of the element around it
    place: int  # its own among the elements; -1: it is empty
    attributes: Attributes


class TreeWalk:
    """One way through a page, and what is picked up on it."""

    def __init__(  # noqa: PLR0915
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
        self.base = url
        self.has_base = False
        self.title = self.language = ""
        self.canonical: str | None = None
        self.refresh: str | None = None
        self.refresh_after = 0.0
        self.robots: set[str] = set()
        self.pieces: list[str] = []
        self.length = 0
        self.spaced = True  # the text so far ends with white space
        self.asides: list[TextSpan] = []
        self.hidden: list[TextSpan] = []
        self.anchors: list[RawLink] = []
        self.related: list[RawLink] = []  # links that the head names, which nobody sees
        self.in_anchor = False
        self.headings: list[TextSpan] = []
        self.heading_nodes: list[LexborNode] = []  # of the same
        self.descriptions: list[str] = []  # addresses of OpenSearch descriptions
        self.linked_data: list[LexborNode] = []  # scripts with JSON-LD
        self.properties: list[LexborNode] = []  # microdata of searches
        self.forms: list[RawForm] = []
        self.form = -1
        self.controls: list[RawControl] = []
        self.options = 0
        self.labels: list[TextSpan] = []
        self.label: TextSpan | None = None
        self.disabled = 0  # disabled fieldsets around here
        self.fieldsets = 0
        self.legend: TextSpan | None = None  # of the fieldset around here
        self.unseen = 0  # parts around here that nobody sees
        self.noscripts = 0
        self.noscripts_in_head: Iterator[re.Match[bytes]] | None = None
        self.moved_forms = 0  # out of a noscript
        self.datalists: dict[str, LexborNode] = {}
        self.ties: dict[int, int] | None = (
            None  # forms of misnested controls, by the parser's number of a node
        )
        self._nodes_by_id: dict[str, LexborNode] | None = None
        self._lowercase: bytes | None = None
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
        ] = {}  # of elements that are looked at again; keeping all costs much time
        self.told: list[MarkedProperty] = []
        self.items: dict[str, list[tuple[str, str]]] | None = (
            None  # what JSON-LD says of things, once it was read
        )
        self._titles: list[TextSpan] | None = None
        self.root: LexborNode | None = None
        self.resolve: Callable[[str], str | None] = urls.normalise_url

    def visit(self, root: LexborNode) -> None:  # noqa: C901, PLR0912, PLR0915 (a loop over every node: calls cost)
        """Visit every node once, in the order of the document."""
        self.root = node = root
        path = ""
        place = -1
        countdown = _CLOCK_EVERY
        elements, known_step, say, separate = self.elements, self.steps.get, self.say, self.separate
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
                if (
                    tag in _READERS
                    or "hidden" in attributes
                    or "role" in attributes
                    or ("style" in attributes and _might_hide(attributes["style"]))
                ):
                    leave = self.enter(node, tag, attributes, longer)
                else:
                    leave = None
                if is_entered:
                    child = node.first_child
                if child is not None:
                    around.append((node, path, kind, leave, place))
                    if elements is not None:
                        place = self.remember(place, tag, style, node, attributes)
                    path = longer
                else:
                    if elements is not None and ("itemprop" in attributes or "property" in attributes):
                        self.told.append(MarkedProperty(place, -1, attributes))
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
        for _, _, kind, leave, _ in reversed(around):
            self.go_out(kind, leave)

    def is_late(self) -> bool:
        """Return whether the time for this page is over."""
        if self.limits.clock() <= self.deadline:
            return False
        self.mark("slow")
        return True

    def mark(self, mark: str) -> None:
        """Note once what was cut or wrong."""
        if mark not in self.marks:
            self.marks.append(mark)

    # Text

    def say(self, text: str) -> None:
        """Write down a text, with white space as a browser shows it."""
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
            self.controls and self.controls[-1].span.start == self.length
        ):
            if kind == _LINE:
                self.pieces[-1] = "\n"
            return
        self.pieces.append("\n" if kind == _LINE else "\t")
        self.length += 1
        self.spaced = True

    def go_out(self, kind: int, leave: Leave | None) -> None:
        """Leave an element."""
        if leave is not None:
            leave()
        if kind:
            self.separate(kind)

    def step(self, path: str, tag: int, style: str | None, node: LexborNode) -> ElementPath:
        """Return what holds for all elements of this kind in this place, and remember it."""
        name = NAMES.get(tag) or node.tag or "-"
        classes = NUMBER.sub("", style).split() if style else ()
        here = ".".join((name, *classes[:1]))
        if not path:
            longer = here
        elif path.count("/") < _DEEPEST_PATH:
            longer = f"{path}/{here}"
        else:
            longer = path
        kind = _LINE if tag in BLOCKS else _COLUMN if tag in CELLS else 0
        step = self.steps[path, tag, style] = ElementPath(longer, kind, tag not in _NOT_ENTERED)
        return step

    def remember(
        self, parent: int, tag: int, style: str | None, node: LexborNode, attributes: Attributes
    ) -> int:
        """Keep an element for finding repeated parts; return its place."""
        assert self.elements is not None
        place = len(self.elements)
        self.elements.append(
            Element(parent, tag, style or "", TextSpan("", self.length), bool(self.quiet), node.mem_id)
        )
        if "itemprop" in attributes or "property" in attributes:
            self.told.append(MarkedProperty(parent, place, attributes))
        if tag in _LOOKED_AT_AGAIN or tag not in NAMES or any(key.startswith("data-") for key in attributes):
            self.nodes[place] = node
        return place

    # Elements

    def enter(self, node: LexborNode, tag: int, attributes: Attributes, path: str) -> Leave | None:
        """Take from an element what it has to say; return what is to be done at its end."""
        reader = _READERS.get(tag)
        if self.is_foreign and tag not in _STILL_READ and not (self.wordless and tag in _OF_FORMS):
            if tag == _ANCHOR and self.is_drawn:
                self.enter_drawn_anchor(node, attributes, path)
            return None
        leave = reader(self, node, attributes, path) if reader is not None else None
        if attributes and (
            "hidden" in attributes
            or ("style" in attributes and _HIDING.search(attributes["style"] or ""))
            or attributes.get("role") in _ASIDE_ROLES
        ):
            return self.enter_apart(attributes, leave)
        if "style" in attributes and CONCEALING.search(attributes["style"] or ""):
            return self.enter_concealed(leave)
        return leave

    def enter_concealed(self, leave: Leave | None) -> Leave:
        """Begin a part whose text counts, though nobody sees it."""
        self.unseen += 1

        def done() -> None:
            self.unseen -= 1
            if leave is not None:
                leave()

        return done

    def enter_apart(self, attributes: Attributes, leave: Leave | None) -> Leave:
        """Begin a part that is hidden, or beside the matter by its role."""
        span = TextSpan("", self.length)
        is_hidden = "hidden" in attributes or bool(_HIDING.search(attributes.get("style") or ""))
        (self.hidden if is_hidden else self.asides).append(span)
        self.quiet += 1
        self.unseen += is_hidden

        def done() -> None:
            span.end = self.length
            self.quiet -= 1
            self.unseen -= is_hidden
            if leave is not None:
                leave()

        return done

    def enter_aside(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave | None:
        """Begin navigation, or the head or foot of a page."""
        if self.articles and node.tag_id in _ENDS:
            return None
        return self.enter_apart({}, None)

    def enter_article(self, _node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a part with a head and foot of its own."""
        self.articles += 1

        def done() -> None:
            self.articles -= 1

        return done

    def enter_foreign(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a drawing or formula, whose text is not that of the page, or HTML inside of one."""
        outer, wordless, drawn = self.is_foreign, self.wordless, self.is_drawn
        self.is_foreign = node.tag_id not in _BACK_TO_HTML
        self.wordless = 0
        self.is_drawn = node.tag_id == _SVG

        def done() -> None:
            self.is_foreign, self.wordless, self.is_drawn = outer, wordless, drawn

        return done

    def enter_html(self, _node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Take the language a page declares."""
        self.language = attributes.get("lang") or attributes.get("xml:lang") or ""

    def enter_title(self, node: LexborNode, _attributes: Attributes, _path: str) -> None:
        """Take the title of a page."""
        if not self.title:
            self.title = " ".join(node.text().split())

    def enter_base(self, _node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Take the address others are relative to; the first counts."""
        href = attributes.get("href")
        if href is not None and not self.has_base:
            self.has_base = True
            self.base = urls.normalise_url(href, self.url) or self.url

    def enter_link(self, node: LexborNode, attributes: Attributes, path: str) -> None:
        """Take the canonical address, the pages before and after, and where the page's search is described."""
        rel = (attributes.get("rel") or "").lower().split()
        if self.canonical is None and "canonical" in rel:
            self.canonical = attributes.get("href")
        elif "search" in rel and _DESCRIPTION in (attributes.get("type") or "").lower():
            self.descriptions.append(attributes.get("href") or "")
        elif attributes.get("href") and not _TURNING.isdisjoint(rel) and len(self.related) < _MOST_RELATED:
            self.related.append(RawLink(attributes["href"] or "", TextSpan("", 0), path, " ".join(rel), ""))
        if "itemprop" in attributes:
            self.add_property(node, attributes)

    def enter_script(self, node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Keep what a page says of itself in JSON-LD."""
        if "ld+json" in (attributes.get("type") or "").lower():
            self.linked_data.append(node)

    def add_property(self, node: LexborNode, attributes: Attributes) -> None:
        """Keep microdata that may tell of a search."""
        if len(self.properties) < _MOST_PROPERTIES and SEARCH_PROPERTIES.intersection(
            (attributes["itemprop"] or "").split()
        ):
            self.properties.append(node)

    def enter_meta(self, node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Take what is said to robots, and where visitors are sent on."""
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").lower() == "robots":
            self.robots.update(re.split(r"[\s,]+", content.lower()))
        elif (attributes.get("http-equiv") or "").lower() == "refresh" and self.refresh is None:
            self.refresh = refresh_target(content)
            self.refresh_after = refresh_seconds(content)
        elif "itemprop" in attributes:
            self.add_property(node, attributes)

    def enter_heading(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a heading."""
        span = TextSpan("", self.length)

        def done() -> None:
            span.end = self.length
            self.headings.append(span)
            self.heading_nodes.append(node)

        return done

    def enter_preformatted(self, _node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a part whose lines are lines."""
        self.preformatted += 1

        def done() -> None:
            self.preformatted -= 1

        return done

    def enter_image(self, _node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Read an image in a link by its text."""
        if self.in_anchor and attributes.get("alt"):
            self.say(f" {attributes['alt']} ")

    def enter_anchor(self, _node: LexborNode, attributes: Attributes, path: str) -> Leave | None:
        """Begin a link."""
        if "href" not in attributes:
            return None
        span = self.add_anchor(attributes.get("href") or "", attributes, path)
        self.in_anchor = True

        def done() -> None:
            span.end = self.length
            self.in_anchor = False

        return done

    def enter_area(self, _node: LexborNode, attributes: Attributes, path: str) -> None:
        """Take the link of an image map."""
        if "href" in attributes:
            self.add_anchor(attributes.get("href") or "", attributes, path)

    def enter_frame(self, _node: LexborNode, attributes: Attributes, path: str) -> None:
        """Take a page within the page as a link; of one that is written into the attribute, its links."""
        if attributes.get("srcdoc"):
            self.enter_written_page(attributes["srcdoc"] or "", path)
        elif attributes.get("src"):
            self.add_anchor(attributes["src"] or "", attributes, path)

    def enter_written_page(self, source: str, path: str) -> None:
        """Take the links of a page that an attribute holds, with their words. Pages within that one are not read."""
        if self.is_written:
            return
        written = harden(source.encode("utf-8", "replace"), self.limits, [])
        try:
            tree = LexborHTMLParser(written)
        except SelectolaxError:
            return
        document = Document(tree, written, self.charset, limits=self.limits)
        inner = TreeWalk(document, self.base, self.deadline)
        inner.is_written = True
        if document.root is not None:
            inner.visit(document.root)
        flat = "".join(inner.pieces)
        for found in inner.anchors:
            href = urls.normalise_url(found.href, inner.base) if inner.has_base else found.href
            words = " ".join(flat[found.span.start : found.span.end][:_LONGEST_WORDS].split())
            self.add_anchor(href or "", {"rel": found.rel, "title": words or found.title}, path)

    def enter_embedded(self, _node: LexborNode, attributes: Attributes, path: str) -> None:
        """Take what is shown within the page as a link, unless it says that it is no page."""
        kind = (attributes.get("type") or "text/html").strip().lower()
        address = attributes.get("data") or attributes.get("src")
        if address and kind.startswith(_PAGE_TYPES):
            self.add_anchor(address, attributes, path)

    def enter_drawn_anchor(self, node: LexborNode, attributes: Attributes, path: str) -> None:
        """Take a link in a drawing, with the words that are drawn in it."""
        href = attributes.get("href", attributes.get("xlink:href"))
        if href is None:
            return
        parts = islice(node.traverse(include_text=True), _MOST_NODES_OF_DRAWN)
        words = " ".join((part.text_content or "")[:_LONGEST_WORDS] for part in parts if part.tag_id == TEXT)
        title = " ".join(words.split()) or attributes.get("xlink:title") or attributes.get("aria-label") or ""
        self.add_anchor(href, {"rel": attributes.get("rel"), "title": title[:_LONGEST_WORDS]}, path)

    def add_anchor(self, href: str, attributes: Attributes, path: str) -> TextSpan:
        """Keep a link for later, when the text around it is known."""
        span = TextSpan("", self.length)
        if len(self.anchors) >= _ANCHORS_OF_A_LINK * self.limits.links:
            self.mark("many_links")
            return span
        rel = attributes.get("rel")
        title = attributes.get("alt") or attributes.get("title") or attributes.get("aria-label") or ""
        self.anchors.append(RawLink(href, span, path, " ".join(rel.lower().split()) if rel else "", title))
        return span

    # Forms

    def enter_form(self, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
        """Begin a form."""
        if len(self.forms) >= self.limits.forms:
            self.mark("many_forms")
            return None
        outer = self.form
        self.form = len(self.forms)
        span = TextSpan("", self.length)
        in_noscript = self.noscripts > 0 or self.moved_forms > 0
        self.moved_forms = max(self.moved_forms - 1, 0)
        self.forms.append(RawForm(attributes, span, node, is_nested=outer >= 0, in_noscript=in_noscript))

        def done() -> None:
            span.end = self.length
            self.form = outer

        return done

    def enter_fieldset(self, _node: LexborNode, attributes: Attributes, _path: str) -> Leave:
        """Begin a group of controls, which may have a name and be disabled together."""
        is_disabled = "disabled" in attributes
        legend = self.legend
        self.disabled += is_disabled
        self.fieldsets += 1

        def done() -> None:
            self.disabled -= is_disabled
            self.fieldsets -= 1
            self.legend = legend

        return done

    def enter_legend(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave | None:
        """Begin the name of a fieldset: in the first legend of a disabled one controls work."""
        if not self.fieldsets:
            return None
        span = self.legend = TextSpan("", self.length)
        is_spared = self.disabled > 0 and _spares_controls(node)
        self.disabled -= is_spared

        def done() -> None:
            span.end = self.length
            self.disabled += is_spared

        return done

    def enter_noscript(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a part for browsers without scripts; from the head of a page the parser moves its forms into the body."""
        self.noscripts += 1
        if node.parent is not None and node.parent.tag == "head":
            if self.noscripts_in_head is None:
                self.noscripts_in_head = _NOSCRIPT.finditer(self.source[:_LONGEST_HEAD])
            part = next(self.noscripts_in_head, None)
            self.moved_forms += len(_FORM.findall(part[1])) if part else 0

        def done() -> None:
            self.noscripts -= 1

        return done

    def enter_wordless(self, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
        """Begin a part whose text does not count, while its controls do: suggestions, formulas, what replaces a video."""
        outer = self.is_foreign
        if outer and not self.wordless and node.tag_id not in _TEXT_OF_FORMULAS:
            return None
        if node.tag_id == DATALIST:
            self.datalists.setdefault(attributes.get("id") or "", node)
        self.is_foreign = True
        self.wordless += 1

        def done() -> None:
            self.is_foreign = outer
            self.wordless -= 1

        return done

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

    def enter_label(self, _node: LexborNode, attributes: Attributes, _path: str) -> Leave:
        """Begin a label."""
        outer = self.label
        span = self.label = TextSpan(attributes.get("for") or "", self.length)
        self.labels.append(span)

        def done() -> None:
            span.end = self.length
            self.label = outer

        return done

    def enter_control(self, node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
        """Take a control; buttons have text of their own."""
        if len(self.controls) >= self.limits.fields:
            self.mark("many_fields")
            return None
        if self.noscripts and not (self.form >= 0 and self.forms[self.form].in_noscript):
            return None  # a form that works with scripts has no such control
        span = TextSpan("", self.length)
        tag = NAMES[node.tag_id]
        if ONE_CHOICE in attributes:
            attributes.pop("multiple", None)
        self.controls.append(
            RawControl(
                tag,
                attributes,
                node,
                span,
                self.form,
                self.label,
                self.disabled > 0,
                self.legend,
                self.unseen > 0,
            )
        )
        if tag == "select" and node.css_first(_ODD_IN_SELECT) is not None:
            self.enter_select(node)
        if tag != "button":
            return None

        def done() -> None:
            span.end = self.length

        return done

    def enter_select(self, select: LexborNode) -> None:
        """Take the forms and controls among the options of a select: one that is not closed may hold half of a page."""
        around: list[tuple[LexborNode, Leave | None]] = []
        node = select.first_child
        while node is not None and not self.is_late():
            tag = node.tag_id
            is_read = tag in _OF_FORMS and tag not in _FOREIGN
            leave = _READERS[tag](self, node, node.attributes, "") if is_read else None
            child = node.first_child if tag not in _NOT_ENTERED and tag not in _FOREIGN else None
            around.append((node, leave))
            while child is None and around:
                node, leave = around.pop()
                if leave is not None:
                    leave()
                child = node.next
            node = child
        for _, leave in reversed(around):
            if leave is not None:
                leave()

    # The result

    def main_text(self, flat: str) -> str:
        """Return the text without what stands beside the matter; all that is visible if that is nothing."""
        main = cut_spans(flat, [*self.asides, *self.hidden])
        return main or cut_spans(flat, self.hidden)

    def links(self, flat: str, resolve: Callable[[str], str | None], language: str) -> Iterator[Link]:
        """Return every address once, with the words of its first link."""
        reach = 20 if language in UNSPACED else _REACH
        followed: dict[str, bool] = {}
        first: dict[str, RawLink] = {}
        for found in chain(self.anchors, self.related):
            url = resolve(found.href)
            if url is None:
                continue
            if url not in first:
                if len(first) >= self.limits.links:
                    self.mark("many_links")
                    break
                first[url] = found
            if "nofollow" not in found.rel:
                followed[url] = True
        for url, (_, span, path, rel, title) in first.items():
            start, end = span.start, span.end
            before = flat[max(start - reach, 0) : start].rsplit(None, 10)[-10:]
            after = flat[end : end + reach].split(None, 10)[:10]
            anchor = flat[start : min(end, start + 1000)]
            words = " ".join(anchor.split()) if "\n" in anchor or "\t" in anchor else anchor.strip()
            yield Link(url, words or title, " ".join(before + after), path, url not in followed, rel)

    def end_of_links(self) -> int | None:
        """Return where the links end that were kept, if there were more; behind that, parts seem to have none."""
        if len(self.anchors) < _ANCHORS_OF_A_LINK * self.limits.links:
            return None
        return self.anchors[-1].span.end

    def first_anchor(self, start: int, end: int) -> RawLink | None:
        """Return the first link within a part of the text."""
        return next(iter(self.anchors_in(start, end)), None)

    def anchors_in(self, start: int, end: int) -> list[RawLink]:
        """Return the links that begin within a part of the text."""
        first = bisect_left(self.anchors, start, key=_start_of_anchor)
        return self.anchors[first : bisect_left(self.anchors, end, lo=first, key=_start_of_anchor)]

    def first_title(self, flat: str, start: int, end: int) -> str:
        """Return the first heading, or text set apart like one, within a part of the text."""
        if self._titles is None:
            self._titles = [element.span for element in self.elements or () if element.tag in _TITLES]
        first = bisect_left(self._titles, start, key=_start)
        inside = takewhile(
            lambda span: span.start < end or span.start == start, islice(self._titles, first, None)
        )
        return next((flat[span.start : span.end] for span in inside if span.end <= end), "")

    def structure(self) -> int:
        """Return a hash of the kinds of elements there are, and where."""
        paths = {step.path for (_, tag, _), step in self.steps.items() if tag not in INLINE}
        digest = xxh3_64_intdigest("\n".join(sorted(paths)).encode("utf-8", "replace"))
        return digest - (1 << 64) if digest >> 63 else digest


_SECONDS = re.compile(r"\s*(\d{1,9}(?:\.\d*)?|\.\d+)")
_REFRESH = re.compile(
    r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.DOTALL
)
_READERS: dict[int, Callable[[TreeWalk, LexborNode, Attributes, str], Leave | None]] = {
    NUMBERS[name]: reader
    for names, reader in (
        ("a", TreeWalk.enter_anchor),
        ("area", TreeWalk.enter_area),
        ("frame iframe", TreeWalk.enter_frame),
        ("object embed", TreeWalk.enter_embedded),
        ("img", TreeWalk.enter_image),
        ("svg math foreignobject desc annotation-xml", TreeWalk.enter_foreign),
        ("html", TreeWalk.enter_html),
        ("title", TreeWalk.enter_title),
        ("base", TreeWalk.enter_base),
        ("link", TreeWalk.enter_link),
        ("meta", TreeWalk.enter_meta),
        ("script", TreeWalk.enter_script),
        ("h1 h2 h3 h4 h5 h6", TreeWalk.enter_heading),
        ("pre", TreeWalk.enter_preformatted),
        ("nav aside header footer", TreeWalk.enter_aside),
        ("article main section", TreeWalk.enter_article),
        ("form", TreeWalk.enter_form),
        ("fieldset", TreeWalk.enter_fieldset),
        ("legend", TreeWalk.enter_legend),
        ("label", TreeWalk.enter_label),
        ("noscript", TreeWalk.enter_noscript),
        ("mi mo mn ms mtext datalist audio video canvas", TreeWalk.enter_wordless),
        ("input select textarea button", TreeWalk.enter_control),
    )
    for name in names.split()
}


def refresh_target(content: str) -> str | None:
    """Return where a Refresh header, or the meta element in its place, sends visitors.

    >>> refresh_target("0; url=/new"), refresh_target("5")
    ('/new', None)
    """
    found = _REFRESH.match(content)
    return (found[1] or found[2] or found[3] or "").strip() if found else None


def refresh_seconds(content: str) -> float:
    """Return after how many seconds a Refresh header, or the meta element in its place, sends visitors on.

    >>> refresh_seconds("2;URL=results?id=5"), refresh_seconds(" .5, /x"), refresh_seconds("soon")
    (2.0, 0.5, 0.0)
    """
    found = _SECONDS.match(content)
    return float(found[1]) if found else 0.0


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


def _spares_controls(legend: LexborNode) -> bool:
    """Say whether a legend is the first of its own, disabled fieldset."""
    parent = legend.parent
    return (
        parent is not None
        and parent.tag == "fieldset"
        and "disabled" in parent.attributes
        and not any(child.tag == "legend" for child in _previous_siblings(legend))
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


def _previous_siblings(node: LexborNode) -> Iterator[LexborNode]:
    earlier = node.prev
    while earlier is not None:
        yield earlier
        earlier = earlier.prev


def _start_of_anchor(anchor: RawLink) -> int:
    return anchor.span.start
