"""Reading a page once.

`read_page` makes one walk through the tree of a page and collects on the way all that anybody asks of it later: title, text,
links with their surroundings, forms, the skeleton. The text is written down as one string in which a block starts a new
line and a table cell a new column; anchors, labels and headings are spans of that string. So nothing is read
twice: ten words around a link are a slice, the label of a field is what stands before it on its line or in
the cell to the left.

The parser is Lexbor (selectolax), not lxml. It repairs HTML as the standard says, and so as browsers do: misnested tables and
forms, stray and missing end tags give the links and controls that Chromium sees, where lxml differs and drops all below a
depth of 2,048. It is also faster: on pages of simweb of 10 KB parsing takes 0.06 ms against 0.15, at 80 KB 0.10 against 0.36,
and visiting a node costs 0.1 microseconds.

What Lexbor does not stand is hostile HTML: 40,000 attributes in a tag take it 5 s, 60,000 times `<a><div>` 10 s, and 50,000
differing `<font>` that are never closed all memory, as every paragraph repeats every one of them. C code cannot be
interrupted, so a page is cut down before it is parsed: bytes, attributes of one tag, open tags. Counting open tags takes a
tokenizer that agrees with the standard about quotes and comments, or a page could hide its depth; it runs only where there
are more than `Limits.depth` tags. In comments and raw text, where opinions about what is a tag could differ, a start tag counts
and an end tag does not. After parsing, numbers of links, forms and fields and a deadline bound the walk. Whatever was
cut is named in `Page.marks`:

truncated, tag_cut, too_deep, many_tags, slow, many_links, many_forms, many_fields, many_options, charset_guessed, bad_charset, not_html.

The time a page takes, in ms, is printed by

    python -m timeit -s "from hiddenweb.page import read_page; b = open('page.html', 'rb').read()" "read_page(b, 'http://a.example/')"
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from charset_normalizer import from_bytes
from selectolax.lexbor import LexborHTMLParser, SelectolaxError
from xxhash import xxh3_64_intdigest

from hiddenweb import identity
from hiddenweb.items import Block, Field, Form, Link, Option, Page
from hiddenweb.text import UNSPACED, guess_language, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    Attributes = dict[str, str | None]
    Leave = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a page is read at most."""

    bytes: int = 2_000_000
    tags: int = 100_000
    depth: int = 1_000  # open tags
    attributes: int = 100  # of one tag
    links: int = 5_000
    forms: int = 100
    fields: int = 2_000
    options: int = 5_000
    blocks: int = 500
    seconds: float = 0.75  # for the walk
    clock: Callable[[], float] = perf_counter


LIMITS = Limits()


def read_page(
    body: bytes, url: str, *, content_type: str = "", limits: Limits = LIMITS, want_blocks: bool = False
) -> Page:
    """Return everything a page says. Never raises, whatever the body; what was cut or wrong is in its marks."""
    deadline = limits.clock() + limits.seconds
    marks: list[str] = []
    source, charset = _source(_shortened(body, limits, marks), content_type, marks)
    source = _harmless(source, limits, marks)
    try:
        root = LexborHTMLParser(source).root
    except SelectolaxError:
        root = None
    if root is None:
        return Page(url, charset=charset, marks=(*marks, "not_html"))
    walk = _Walk(url, charset, source, limits, deadline, marks, want_blocks)
    walk.through(root)
    return walk.page()


# From bytes to harmless HTML

_LONG_VALUE = re.compile(rb"=\s*+(?:\"[^\"]{65536,}+\"|'[^']{65536,}+')")
_VALUE = rb"(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'>][^\s>]*+)?+"
_ATTRIBUTE = rb"[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+" + _VALUE + rb")?+"
_TOKEN = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*+)|<!\[CDATA\[(?:.*?\]\]>|.*+)|<[!?][^>]*+>?"
    rb"|<(/?)([a-zA-Z][^\s/>]*+)(?:" + _ATTRIBUTE + rb")*+[\s/]*+>?",
    re.DOTALL,
)
_OPENING = re.compile(
    rb"(<([a-zA-Z][^\s/>]*+)(?:" + _ATTRIBUTE + rb")*+)"
)  # from start to end: nothing is seen twice
_first, _second = itemgetter(0), itemgetter(1)
_START_TAG = re.compile(rb"<[a-zA-Z]")
_RAW_TEXT = {
    name: re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE)
    for name in (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")
}
# Tags that are never open for long: without content, or closed by the next of their kind.
_NOT_COUNTED = frozenset(
    b"area base br col embed hr img input link meta param source track wbr "
    b"p li dt dd td th tr tbody thead tfoot caption colgroup option optgroup".split()
)
_FORMATTING = re.compile(
    rb"</?(?:b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])(?:" + _ATTRIBUTE + rb")*+[\s/]*+>",
    re.IGNORECASE,
)
# With each option of a select that takes one choice Lexbor looks for the chosen one anew: 5,000 take it half a second.
_SELECT_OF_ONE = re.compile(rb"<select(?=[\s/>])(?![^>]*\smultiple[\s/>=])", re.IGNORECASE)
_ONE_CHOICE = "hiddenweb-one-choice"
_MANY_OPTIONS = 1_000
_ALWAYS_HARMLESS = 96_000  # bytes: even if it is all one tag, its 20,000 attributes take less than a second
_DOUBTFUL_TAGS = 3  # times the depth: so many start tags in comments and scripts


def _shortened(body: bytes, limits: Limits, marks: list[str]) -> bytes:
    if len(body) <= limits.bytes:
        return body
    body, cuts = _LONG_VALUE.subn(b'=""', body)
    if cuts:
        marks.append("tag_cut")
    if len(body) > limits.bytes:
        marks.append("truncated")
    return body[: limits.bytes]


def _harmless(source: bytes, limits: Limits, marks: list[str]) -> bytes:
    """Return HTML that Lexbor parses in time linear to its size."""
    tags = source.count(b"<")
    if tags > limits.tags:
        source = b"<".join(source.split(b"<", limits.tags)[:-1])
        marks.append("many_tags")
    is_shallow = tags <= limits.depth or len(_START_TAG.findall(source)) <= limits.depth
    if is_shallow and len(source) <= _ALWAYS_HARMLESS:
        return source
    openings = _OPENING.findall(source)
    if max(map(len, map(_first, openings)), default=0) > 2 * limits.attributes:
        source = _with_fewer_attributes(source, limits, marks)
    if len(openings) <= limits.depth:
        return source
    names = Counter(map(bytes.lower, map(_second, openings)))
    if names[b"option"] > _MANY_OPTIONS:
        source = _SELECT_OF_ONE.sub(rb"<select multiple %s " % _ONE_CHOICE.encode(), source)
    if len(openings) - sum(map(names.__getitem__, _NOT_COUNTED)) <= limits.depth:
        return source
    if len(_FORMATTING.findall(source)) > limits.depth:
        source = _FORMATTING.sub(b"", source)
    end = _end_of_shallow_part(source, limits.depth)
    if end < len(source):
        marks.append("too_deep")
    return source[:end]


def _with_fewer_attributes(source: bytes, limits: Limits, marks: list[str]) -> bytes:
    shorter = _attributes_beyond(limits.attributes).sub(rb"\1", source)
    if len(shorter) < len(source) and "tag_cut" not in marks:
        marks.append("tag_cut")
    return shorter


@lru_cache(maxsize=8)
def _attributes_beyond(most: int) -> re.Pattern[bytes]:
    # It matches every tag to its end, so that no part of the page is looked at twice.
    return re.compile(rb"(<[a-zA-Z](?:%s){0,%d}+)(?:%s)*+" % (_ATTRIBUTE, most, _ATTRIBUTE))


def _end_of_shallow_part(source: bytes, depth: int) -> int:
    """Return where the tag stands that opens one level too many, or the end."""
    still_open: Counter[bytes] = Counter()
    level = doubtful = at = 0
    while match := _TOKEN.search(source, at):
        at = match.end()
        closing, name = match.groups()
        if name is None:
            doubtful += len(_START_TAG.findall(match[0]))
        elif closing:
            name = name.lower()
            if still_open[name]:
                still_open[name] -= 1
                level -= 1
        elif (name := name.lower()) in _RAW_TEXT:
            end = _RAW_TEXT[name].search(source, at)
            doubtful += len(_START_TAG.findall(source[at : end.start() if end else len(source)]))
            at = end.start() if end else len(source)
        elif name not in _NOT_COUNTED:
            still_open[name] += 1
            level += 1
        if level > depth or doubtful > _DOUBTFUL_TAGS * depth:
            return match.start()
    return len(source)


# Charsets

_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_PRESCANNED = 4_096  # bytes searched for a declaration; the standard says 1,024, browsers look further
_GUESSED_FROM = 20_000  # bytes

# Python's name of a codec -> the standard's name, and the codec that decodes as browsers do.
_ENCODINGS = {
    "utf-8": ("utf-8", "utf-8"), "ascii": ("windows-1252", "cp1252"), "iso8859-1": ("windows-1252", "cp1252"),
    "iso8859-9": ("windows-1254", "cp1254"), "iso8859-11": ("windows-874", "cp874"), "tis-620": ("windows-874", "cp874"),
    "gb2312": ("gbk", "gb18030"), "gbk": ("gbk", "gb18030"), "gb18030": ("gb18030", "gb18030"),
    "big5": ("big5", "big5hkscs"), "big5hkscs": ("big5", "big5hkscs"), "shift_jis": ("shift_jis", "cp932"),
    "cp932": ("shift_jis", "cp932"), "euc_jp": ("euc-jp", "euc_jp"), "iso2022_jp": ("iso-2022-jp", "iso2022_jp"),
    "euc_kr": ("euc-kr", "cp949"), "cp949": ("euc-kr", "cp949"), "koi8-r": ("koi8-r", "koi8-r"),
    "koi8-u": ("koi8-u", "koi8-u"), "mac-roman": ("macintosh", "mac-roman"), "cp866": ("ibm866", "cp866"),
    "mac-cyrillic": ("x-mac-cyrillic", "mac-cyrillic"), "cp874": ("windows-874", "cp874"),
    "utf-16": ("utf-16le", "utf-16-le"), "utf-16-le": ("utf-16le", "utf-16-le"), "utf-16-be": ("utf-16be", "utf-16-be"),
    **{f"cp125{n}": (f"windows-125{n}", f"cp125{n}") for n in range(9)},
    **{f"iso8859-{n}": (f"iso-8859-{n}", f"iso8859-{n}") for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}  # fmt: skip
_LABELS = {
    "x-sjis": "shift_jis", "windows-31j": "cp932", "x-gbk": "gbk", "x-x-big5": "big5", "x-euc-jp": "euc_jp",
    "windows-949": "cp949", "dos-874": "cp874", "windows-874": "cp874", "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-roman": "mac-roman", "macintosh": "mac-roman", "logical": "iso8859-8", "visual": "iso8859-8",
    "koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u", "unicode": "utf-16-le", "unicodefffe": "utf-16-be",
    "x-unicode20utf8": "utf-8", "unicode-1-1-utf-8": "utf-8",
    **{f"x-cp125{n}": f"cp125{n}" for n in range(9)},
}  # fmt: skip


def _source(body: bytes, content_type: str, marks: list[str]) -> tuple[bytes, str]:
    """Return the page in UTF-8, and the charset it came in."""
    charset, codec, length = _charset_of_mark(body) or (*_declared_charset(body, content_type), 0)
    if not codec:
        charset, codec = _guessed_charset(body, marks)
    body = body[length:]
    try:
        text = body.decode(codec)
    except UnicodeDecodeError:
        text = body.decode(codec, "replace")
        if not _is_only_cut_short(body, text, marks):
            marks.append("bad_charset")
    else:
        if codec == "utf-8":
            return body, charset
    return text.encode("utf-8", "replace"), charset


def _charset_of_mark(body: bytes) -> tuple[str, str, int] | None:
    if body.startswith(codecs.BOM_UTF8):
        return "utf-8", "utf-8", 3
    if body.startswith(codecs.BOM_UTF16_LE):
        return "utf-16le", "utf-16-le", 2
    if body.startswith(codecs.BOM_UTF16_BE):
        return "utf-16be", "utf-16-be", 2
    return None


def _declared_charset(body: bytes, content_type: str) -> tuple[str, str]:
    header = _HEADER_CHARSET.search(content_type)
    if header and (known := _encoding(header[1])):
        return known
    head = body[:_PRESCANNED]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    declared = _META_CHARSET.search(head) or _XML_CHARSET.match(head)
    known = _encoding(declared[1].decode("latin-1")) if declared else None
    if known and known[0].startswith("utf-16"):
        return "utf-8", "utf-8"  # what reads as ASCII up to here is no UTF-16
    return known or ("", "")


@lru_cache(maxsize=256)
def _encoding(label: str) -> tuple[str, str] | None:
    label = label.strip().lower()
    try:
        return _ENCODINGS.get(codecs.lookup(_LABELS.get(label, label)).name)
    except (LookupError, ValueError):
        return None


def _guessed_charset(body: bytes, marks: list[str]) -> tuple[str, str]:
    if b"\0" in body[:200] and (wide := _wide_charset(body[:400])):
        marks.append("charset_guessed")
        return wide
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(body) - 3:
            return "utf-8", "utf-8"
    else:
        return "utf-8", "utf-8"
    marks.append("charset_guessed")
    sample = _telling_part(body)
    best = from_bytes(sample, steps=5, chunk_size=512).best()
    known = _encoding(best.encoding) if best else None
    if known is None or sample.decode(known[1], "replace") == sample.decode("cp1252", "replace"):
        return "windows-1252", "cp1252"  # what browsers take where others would do as well
    return known


def _wide_charset(start: bytes) -> tuple[str, str] | None:
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) < len(start) // 4:
        return None
    return ("utf-16le", "utf-16-le") if odd > even else ("utf-16be", "utf-16-be")


def _telling_part(body: bytes) -> bytes:
    """Return the lines with other than ASCII letters in them: markup says nothing about a charset."""
    runs = re.findall(rb"[^<>]*[\x80-\xff][^<>]*", body[: 10 * _GUESSED_FROM])
    return b"\n".join(runs)[:_GUESSED_FROM]


def _is_only_cut_short(body: bytes, text: str, marks: list[str]) -> bool:
    return "truncated" in marks and text.find("\ufffd") >= len(text) - 1 and not body.endswith(b"\xff")


# The walk


def _numbers_of(names: str) -> frozenset[int]:
    return frozenset(_NUMBERS[name] for name in names.split())


_BLOCK_NAMES = (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p pre search section summary "
    "table tbody tfoot thead tr ul caption br frameset frame noframes"
)
_INLINE_NAMES = "a abbr acronym b bdi bdo big cite code em font i img br wbr kbd mark q s small span strike strong sub sup tt u var"
_OTHER_NAMES = (
    "script style template svg title textarea select iframe noembed xmp object embed audio video canvas math area base "
    "meta link input button label td th option optgroup datalist noscript map foreignobject desc annotation-xml"
)
_TREE = LexborHTMLParser("")
_NUMBERS = {
    name: _TREE.create_node(name).tag_id for name in f"{_BLOCK_NAMES} {_INLINE_NAMES} {_OTHER_NAMES}".split()
}
_NAMES = {number: name for name, number in _NUMBERS.items()}
_TEXT, _COMMENT_NODE = 2, 4
_OPTION = _NUMBERS["option"]
_BLOCKS = _numbers_of(_BLOCK_NAMES)
_CELLS = _numbers_of("td th")
_INLINE = _numbers_of(_INLINE_NAMES)
_NOT_ENTERED = _numbers_of(
    "script style template title textarea select iframe noembed noframes xmp audio video canvas datalist"
)
_BACK_TO_HTML = _numbers_of("foreignobject desc annotation-xml")
_ENDS = _numbers_of("header footer")  # of a page; of an article they belong to it
_ASIDE_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "search"}
)
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DEEPEST_PATH = 24  # steps of a tag path
_CLOCK_EVERY = 512  # nodes

_LINE, _COLUMN = 1, 2  # what separates an element from its neighbours; 0: nothing


_REACH = 140  # characters in which the ten words on one side of a link are looked for


class _Step(NamedTuple):
    """What is the same for all elements of one tag and class below one path."""

    path: str
    kind: int  # how it is separated from its neighbours
    is_entered: bool


class _Span:
    """A part of the text that something names: from `start` to `end`."""

    __slots__ = ("end", "start", "value")

    def __init__(self, value: str, start: int) -> None:
        self.value = value
        self.start = start
        self.end = start


class _Anchor(NamedTuple):
    href: str
    span: _Span
    path: str
    rel: str
    title: str


class _Control(NamedTuple):
    tag: str
    attributes: Attributes
    node: LexborNode
    span: _Span
    form: int  # the place of the form around it, or -1
    label: _Span | None  # the label around it
    disabled: bool  # by a fieldset


class _OpenForm(NamedTuple):
    attributes: Attributes
    span: _Span
    heading: _Span | None


class _Element(NamedTuple):
    """An element as it is remembered for finding repeated parts."""

    parent: int
    tag: int
    style: str
    span: _Span
    aside: bool


class _Walk:
    """One way through a page, and what is picked up on it."""

    def __init__(
        self,
        url: str,
        charset: str,
        source: bytes,
        limits: Limits,
        deadline: float,
        marks: list[str],
        want_blocks: bool,
    ) -> None:
        self.url = url
        self.source = source
        self.charset = charset
        self.limits = limits
        self.deadline = deadline
        self.marks = marks
        self.base = url
        self.title = self.language = ""
        self.canonical: str | None = None
        self.refresh: str | None = None
        self.robots: set[str] = set()
        self.pieces: list[str] = []
        self.length = 0
        self.spaced = True  # the text so far ends with white space
        self.asides: list[_Span] = []
        self.hidden: list[_Span] = []
        self.anchors: list[_Anchor] = []
        self.in_anchor = False
        self.heading: _Span | None = None
        self.forms: list[_OpenForm] = []
        self.form = -1
        self.controls: list[_Control] = []
        self.options = 0
        self.labels: list[_Span] = []
        self.label: _Span | None = None
        self.disabled = 0  # disabled fieldsets around here
        self.articles = 0
        self.quiet = 0  # asides around here
        self.is_foreign = False  # inside a drawing or formula
        self.steps: dict[tuple[str, int, str | None], _Step] = {}
        self.elements: list[_Element] | None = [] if want_blocks else None
        self.root: LexborNode | None = None
        self.resolve: Callable[[str], str | None] = identity.normalised

    def through(self, root: LexborNode) -> None:  # noqa: C901, PLR0912, PLR0915 (a loop over every node: calls cost)
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
            if tag == _TEXT:
                if not self.is_foreign:
                    say(node.text_content or "")
            elif tag != _COMMENT_NODE:
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
                        place = self.remember(place, tag, style)
                    path = longer
                else:
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
        if text.isspace():
            text = " "
        elif "\n" in text or "  " in text or "\t" in text or "\xa0" in text:
            text = _collapsed(text)
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

    def step(self, path: str, tag: int, style: str | None, node: LexborNode) -> _Step:
        """Return what holds for all elements of this kind in this place, and remember it."""
        name = _NAMES.get(tag) or node.tag or "-"
        classes = _NUMBER.sub("", style).split() if style else ()
        here = ".".join((name, *classes[:1]))
        if not path:
            longer = here
        elif path.count("/") < _DEEPEST_PATH:
            longer = f"{path}/{here}"
        else:
            longer = path
        kind = _LINE if tag in _BLOCKS else _COLUMN if tag in _CELLS else 0
        step = self.steps[path, tag, style] = _Step(longer, kind, tag not in _NOT_ENTERED)
        return step

    def remember(self, parent: int, tag: int, style: str | None) -> int:
        """Keep an element for finding repeated parts; return its place."""
        assert self.elements is not None
        self.elements.append(_Element(parent, tag, style or "", _Span("", self.length), bool(self.quiet)))
        return len(self.elements) - 1

    # Elements

    def enter(self, node: LexborNode, tag: int, attributes: Attributes, path: str) -> Leave | None:
        """Take from an element what it has to say; return what is to be done at its end."""
        reader = _READERS.get(tag)
        if self.is_foreign and tag not in _BACK_TO_HTML:
            return None
        leave = reader(self, node, attributes, path) if reader is not None else None
        if attributes and (
            "hidden" in attributes
            or ("style" in attributes and _HIDING.search(attributes["style"] or ""))
            or attributes.get("role") in _ASIDE_ROLES
        ):
            return self.enter_apart(attributes, leave)
        return leave

    def enter_apart(self, attributes: Attributes, leave: Leave | None) -> Leave:
        """Begin a part that is hidden, or beside the matter by its role."""
        span = _Span("", self.length)
        is_hidden = "hidden" in attributes or bool(_HIDING.search(attributes.get("style") or ""))
        (self.hidden if is_hidden else self.asides).append(span)
        self.quiet += 1

        def done() -> None:
            span.end = self.length
            self.quiet -= 1
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
        """Begin a drawing or formula, whose links and text are not those of the page, or HTML inside of one."""
        outer = self.is_foreign
        self.is_foreign = node.tag_id not in _BACK_TO_HTML

        def done() -> None:
            self.is_foreign = outer

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
        if href is not None and self.base is self.url:
            self.base = identity.normalised(href, self.url) or self.url

    def enter_link(self, _node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Take the canonical address."""
        if self.canonical is None and "canonical" in (attributes.get("rel") or "").lower().split():
            self.canonical = attributes.get("href")

    def enter_meta(self, _node: LexborNode, attributes: Attributes, _path: str) -> None:
        """Take what is said to robots, and where visitors are sent on."""
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").lower() == "robots":
            self.robots.update(re.split(r"[\s,]+", content.lower()))
        elif (attributes.get("http-equiv") or "").lower() == "refresh" and self.refresh is None:
            found = _REFRESH.match(content)
            self.refresh = (found[1] or found[2] or found[3] or "").strip() if found else None

    def enter_heading(self, _node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
        """Begin a heading."""
        span = _Span("", self.length)

        def done() -> None:
            span.end = self.length
            self.heading = span

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
        """Take a page within the page as a link."""
        if attributes.get("src"):
            self.add_anchor(attributes["src"] or "", attributes, path)

    def add_anchor(self, href: str, attributes: Attributes, path: str) -> _Span:
        """Keep a link for later, when the text around it is known."""
        span = _Span("", self.length)
        if len(self.anchors) >= 2 * self.limits.links:
            self.mark("many_links")
            return span
        rel = attributes.get("rel")
        title = attributes.get("alt") or attributes.get("title") or attributes.get("aria-label") or ""
        self.anchors.append(_Anchor(href, span, path, " ".join(rel.lower().split()) if rel else "", title))
        return span

    # Forms

    def enter_form(self, _node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
        """Begin a form."""
        if len(self.forms) >= self.limits.forms:
            self.mark("many_forms")
            return None
        outer = self.form
        self.form = len(self.forms)
        span = _Span("", self.length)
        self.forms.append(_OpenForm(attributes, span, self.heading))

        def done() -> None:
            span.end = self.length
            self.form = outer

        return done

    def enter_fieldset(self, _node: LexborNode, attributes: Attributes, _path: str) -> Leave | None:
        """Begin a group of controls, which may be disabled together."""
        if "disabled" not in attributes:
            return None
        self.disabled += 1

        def done() -> None:
            self.disabled -= 1

        return done

    def enter_legend(self, node: LexborNode, _attributes: Attributes, _path: str) -> Leave | None:
        """Begin a legend: in the first of a disabled fieldset controls work."""
        parent = node.parent
        if not self.disabled or parent is None or "disabled" not in parent.attributes:
            return None
        if any(child.tag == "legend" for child in _before(node)):
            return None
        self.disabled -= 1

        def done() -> None:
            self.disabled += 1

        return done

    def enter_label(self, _node: LexborNode, attributes: Attributes, _path: str) -> Leave:
        """Begin a label."""
        outer = self.label
        span = self.label = _Span(attributes.get("for") or "", self.length)
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
        span = _Span("", self.length)
        tag = _NAMES[node.tag_id]
        if _ONE_CHOICE in attributes:
            attributes.pop("multiple", None)
        self.controls.append(_Control(tag, attributes, node, span, self.form, self.label, self.disabled > 0))
        if tag != "button":
            return None

        def done() -> None:
            span.end = self.length

        return done

    # The result

    def page(self) -> Page:
        """Put together what was picked up."""
        flat = "".join(self.pieces)
        text = self.main_text(flat)
        language = guess_language(text or self.title, self.language)
        resolve = self.resolve = _resolver(self.base, self.charset)
        fingerprint, sketch = identity.fingerprint_and_sketch(text)
        return Page(
            url=self.url,
            title=self.title,
            text=text,
            language=language,
            charset=self.charset,
            links=tuple(self.links(flat, resolve, language)),
            forms=tuple(_forms(self, flat)),
            blocks=tuple(_blocks(self, flat)) if self.elements else (),
            canonical=resolve(self.canonical) if self.canonical else None,
            refresh=resolve(self.refresh) if self.refresh else None,
            nofollow=not self.robots.isdisjoint(("nofollow", "none")),
            noindex=not self.robots.isdisjoint(("noindex", "none")),
            structure=self.structure(),
            fingerprint=fingerprint,
            sketch=sketch,
            marks=tuple(self.marks),
        )

    def main_text(self, flat: str) -> str:
        """Return the text without what stands beside the matter; all that is visible if that is nothing."""
        main = _without(flat, [*self.asides, *self.hidden])
        return main or _without(flat, self.hidden)

    def links(self, flat: str, resolve: Callable[[str], str | None], language: str) -> Iterator[Link]:
        """Return every address once, with the words of its first link."""
        reach = 20 if language in UNSPACED else _REACH
        followed: dict[str, bool] = {}
        first: dict[str, _Anchor] = {}
        for found in self.anchors:
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

    def first_anchor(self, start: int, end: int) -> _Anchor | None:
        """Return the first link within a part of the text."""
        place = bisect_left(self.anchors, start, key=_start_of_anchor)
        within = self.anchors[place : place + 1]
        return within[0] if within and within[0].span.start < end else None

    def first_title(self, flat: str, start: int, end: int) -> str:
        """Return the first heading, or text set apart like one, within a part of the text."""
        spans = (e.span for e in self.elements or () if e.tag in _TITLES)
        return next((flat[s.start : s.end] for s in spans if start <= s.start and s.end <= end), "")

    def structure(self) -> int:
        """Return a hash of the kinds of elements there are, and where."""
        paths = {step.path for (_, tag, _), step in self.steps.items() if tag not in _INLINE}
        digest = xxh3_64_intdigest("\n".join(sorted(paths)).encode("utf-8", "replace"))
        return digest - (1 << 64) if digest >> 63 else digest


_REFRESH = re.compile(
    r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.DOTALL
)
_READERS: dict[int, Callable[[_Walk, LexborNode, Attributes, str], Leave | None]] = {
    _NUMBERS[name]: reader
    for names, reader in (
        ("a", _Walk.enter_anchor),
        ("area", _Walk.enter_area),
        ("frame iframe", _Walk.enter_frame),
        ("img", _Walk.enter_image),
        ("svg math foreignobject desc annotation-xml", _Walk.enter_foreign),
        ("html", _Walk.enter_html),
        ("title", _Walk.enter_title),
        ("base", _Walk.enter_base),
        ("link", _Walk.enter_link),
        ("meta", _Walk.enter_meta),
        ("h1 h2 h3 h4 h5 h6", _Walk.enter_heading),
        ("nav aside header footer", _Walk.enter_aside),
        ("article main section", _Walk.enter_article),
        ("form", _Walk.enter_form),
        ("fieldset", _Walk.enter_fieldset),
        ("legend", _Walk.enter_legend),
        ("label", _Walk.enter_label),
        ("input select textarea button", _Walk.enter_control),
    )
    for name in names.split()
}


def _might_hide(style: str | None) -> bool:
    return style is not None and ("none" in style or "hidden" in style or not style.islower())


_EMPTY_LINES = re.compile(r"\n\s+")


def _collapsed(text: str) -> str:
    before = " " if text[0].isspace() else ""
    after = " " if text[-1].isspace() else ""
    return f"{before}{' '.join(text.split())}{after}"


def _without(flat: str, spans: list[_Span]) -> str:
    """Return a text without some of its parts."""
    kept, at = [], 0
    for span in sorted(spans, key=_start):
        if span.start >= at:
            kept.append(flat[at : span.start])
        at = max(at, span.end)
    kept.append(flat[at:])
    text = "".join(kept).replace("\t", " ").replace(" \n", "\n").strip()
    return _EMPTY_LINES.sub("\n", text) if "\n\n" in text else text


def _start(span: _Span) -> int:
    return span.start


def _before(node: LexborNode) -> Iterator[LexborNode]:
    earlier = node.prev
    while earlier is not None:
        yield earlier
        earlier = earlier.prev


def _start_of_anchor(anchor: _Anchor) -> int:
    return anchor.span.start


# Addresses


def _resolver(base: str, charset: str) -> Callable[[str], str | None]:
    """Return what makes the addresses of a page absolute.

    Most of them do not depend on the page but on its site or folder only, so they are remembered under these.
    """
    end = identity.end_of_host(base)
    site = base[:end] + "/"
    folder = base[: base.rfind("/", end, (base + "?").index("?")) + 1] or site
    codec = (_encoding(charset) or ("", "utf-8"))[1]
    codec = "utf-8" if codec.startswith("utf-16") else codec

    def resolve(href: str) -> str | None:
        href = href.strip(" \t\n\r\f")
        if not href.isascii() and codec != "utf-8":
            href = _query_in(codec, href)
        first = href[:1]
        if first in ("/", "\\"):
            return identity.normalised(href, site)
        if href[:7].lower() == "http://" or href[:8].lower() == "https://":
            return identity.normalised(href)
        if first and first not in "?#" and ":" not in href:
            return identity.normalised(href, folder)
        return identity.normalised(href, base)

    return resolve


def _query_in(codec: str, href: str) -> str:
    """Return an address whose query is encoded as the page is; browsers do so, paths are always UTF-8."""
    path, question, rest = href.partition("?")
    query, sharp, fragment = rest.partition("#")
    encoded = query.encode(codec, "xmlcharrefreplace")
    plain = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in encoded)
    return f"{path}{question}{plain}{sharp}{fragment}"


# Forms

_INPUT_TYPES = frozenset(
    [
        "button",
        "checkbox",
        "color",
        "date",
        "datetime-local",
        "email",
        "file",
        "hidden",
        "image",
        "month",
        "number",
        "password",
        "radio",
        "range",
        "reset",
        "search",
        "submit",
        "tel",
        "text",
        "time",
        "url",
        "week",
    ]
)
_ENCTYPES = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"})
_PARSED_AS_CONTROL = frozenset({b"input", b"select", b"textarea", b"button"})
_LONGEST_LABEL = 120  # characters


def _forms(walk: _Walk, flat: str) -> Iterator[Form]:
    """Return the forms of a page with their controls, whether these stand inside or are tied to them."""
    if not walk.forms:
        return
    owned = _controls_by_form(walk)
    labels = _Labels(walk, flat)
    for place, form in enumerate(walk.forms):
        yield _form(
            walk, flat, place, form, [labels.field(control) for control in owned[place]], owned[place]
        )


def _form(
    walk: _Walk, flat: str, place: int, form: _OpenForm, fields: list[Field], controls: list[_Control]
) -> Form:
    attributes, span, heading = form
    end = max([span.end, *(control.span.end for control in controls if span.start == span.end)])
    action = (attributes.get("action") or "").strip()
    method = (attributes.get("method") or "get").strip().upper()
    enctype = (attributes.get("enctype") or "").strip().lower()
    words = [flat[span.start : end], *(f.label for f in fields if f.kind in ("submit", "image") and f.label)]
    named = (attributes.get(name) for name in ("id", "name", "class", "role", "aria-label"))
    return Form(
        page_url=walk.url,
        action=(_resolver(walk.base, walk.charset)(action) or action)
        if action
        else identity.normalised(walk.url) or walk.url,
        method=method if method in ("POST", "DIALOG") else "GET",
        fields=tuple(fields),
        enctype=enctype if enctype in _ENCTYPES else "application/x-www-form-urlencoded",
        charset=_charset_of_form(attributes, walk.charset),
        text=" ".join(" ".join(words).split()),
        heading=" ".join(flat[heading.start : heading.end].split()) if heading else "",
        names=" ".join(name for name in named if name),
        place=place,
    )


def _charset_of_form(attributes: Attributes, charset: str) -> str:
    labels = re.split(r"[\s,]+", attributes.get("accept-charset") or "")
    known = next(filter(None, map(_encoding, filter(None, labels))), None)
    name = known[0] if known else charset
    return "utf-8" if name.startswith("utf-16") else name


def _controls_by_form(walk: _Walk) -> dict[int, list[_Control]]:
    """Return the controls of each form: by `form=`, by the form around them, or as the parser of a browser ties them."""
    by_id: dict[str, int] = {}
    for place, form in enumerate(walk.forms):
        by_id.setdefault(form.attributes.get("id") or "", place)
    by_id.pop("", None)
    owned: dict[int, list[_Control]] = {place: [] for place in range(len(walk.forms))}
    tied = _ties_of_parser(walk)
    for control in walk.controls:
        nearby = tied[key].pop(0) if tied and tied.get(key := _key(control)) else -1
        if "form" in control.attributes:
            owner = by_id.get(control.attributes["form"] or "", -1)
        else:
            owner = control.form if control.form >= 0 else nearby
        if owner in owned:
            owned[owner].append(control)
    return owned


def _ties_of_parser(walk: _Walk) -> dict[tuple[str, str, str], list[int]]:
    """Return the form that was open in the source at each control, if there are controls outside of forms.

    A form that is misnested (started in a table but outside of its cells, or closed with a tag around it) is an
    empty element in the tree. The parser still ties to it every control up to the end tag.
    """
    first = min(form.span.start for form in walk.forms)
    if all(c.form >= 0 or "form" in c.attributes or c.span.start < first for c in walk.controls):
        return {}
    ties: dict[tuple[str, str, str], list[int]] = {}
    current, forms, at = -1, 0, 0
    found = 0
    while found <= len(walk.controls) and (match := _TOKEN.search(walk.source, at)):
        at = match.end()
        closing, name = match.groups()
        name = (name or b"").lower()
        if name == b"form":
            if closing:
                current = -1
            elif current < 0:
                current, forms = forms, forms + 1
        elif closing:
            continue
        elif name in _PARSED_AS_CONTROL:
            found += 1
            node = LexborHTMLParser(match[0]).css_first(name.decode())
            if node is not None:
                ties.setdefault(_key_of(name.decode(), node.attributes), []).append(current)
        if name in _RAW_TEXT and (end := _RAW_TEXT[name].search(walk.source, at)):
            at = end.start()
    return ties


def _key(control: _Control) -> tuple[str, str, str]:
    return _key_of(control.tag, control.attributes)


def _key_of(tag: str, attributes: Attributes) -> tuple[str, str, str]:
    return tag, attributes.get("name") or "", attributes.get("value") or ""


class _Labels:
    """What the fields of a page are called."""

    def __init__(self, walk: _Walk, flat: str) -> None:
        self.walk = walk
        self.flat = flat
        self.starts = sorted(control.span.start for control in walk.controls)
        self.ends = sorted(control.span.end for control in walk.controls)
        self.nodes: dict[str, LexborNode] | None = None
        self.by_id: dict[str, str] = {}
        for label in walk.labels:
            if label.value and (words := self.words(label.start, label.end)):
                self.by_id.setdefault(label.value, words)

    def words(self, start: int, end: int) -> str:
        """Return a part of the page's text in one line."""
        return " ".join(self.flat[start:end].split())

    def field(self, control: _Control) -> Field:
        """Return a control as an item."""
        attributes = control.attributes
        kind = _kind_of(control)
        options = _options(control, self.walk) if kind == "select" else ()
        length = attributes.get("maxlength") or ""
        return Field(
            name=attributes.get("name") or "",
            kind=kind,
            label=self.label(control, kind),
            value=_value(control, kind, options),
            options=options,
            placeholder=attributes.get("placeholder") or "",
            autocomplete=attributes.get("autocomplete") or "",
            element_id=attributes.get("id") or "",
            required="required" in attributes,
            disabled=control.disabled or "disabled" in attributes,
            readonly="readonly" in attributes,
            multiple="multiple" in attributes,
            checked="checked" in attributes,
            max_length=int(length) if length.isascii() and length.isdigit() and len(length) < 10 else None,
        )

    def label(self, control: _Control, kind: str) -> str:
        """Return the best name the page gives a control."""
        attributes = control.attributes
        if kind == "hidden":
            return ""
        label = control.label
        return (
            self.by_id.get(attributes.get("id") or "", "")
            or (self.words(label.start, label.end) if label and not label.value else "")
            or self.named_by(attributes.get("aria-labelledby") or "")
            or _one_line(attributes.get("aria-label"))
            or self.own_words(control, kind)
            or _one_line(attributes.get("placeholder"))
            or _one_line(attributes.get("title"))
            or self.nearby(control, kind)
        )

    def own_words(self, control: _Control, kind: str) -> str:
        """Return what is written on a button."""
        if control.tag == "button":
            return self.words(control.span.start, control.span.end) or _one_line(
                control.attributes.get("value")
            )
        if kind in ("submit", "reset", "button"):
            return _one_line(control.attributes.get("value"))
        return _one_line(control.attributes.get("alt")) if kind == "image" else ""

    def named_by(self, ids: str) -> str:
        """Return the texts of other elements."""
        wanted = ids.split()[:10]
        if not wanted or self.walk.root is None:
            return ""
        if self.nodes is None:
            self.nodes = {}
            for node in self.walk.root.traverse():
                self.nodes.setdefault(node.attributes.get("id") or "", node)
        named = (self.nodes[name].text(separator=" ") for name in wanted if name in self.nodes)
        return shorten(" ".join(named), _LONGEST_LABEL)

    def nearby(self, control: _Control, kind: str) -> str:
        """Return the text after a box to tick, or the text before any other control: in its line or the cell before."""
        if kind in ("submit", "reset", "button", "image"):
            return ""
        if kind in ("radio", "checkbox") and (after := self.after(control)):
            return after
        end = control.span.start
        start = self.start_of_cell(end)
        earlier = bisect_left(self.ends, end)
        words = self.words(max([start, *self.ends[earlier - 1 : earlier]]), end)
        if not words and start > 0:
            end = start - 1
            earlier = bisect_right(self.ends, end)
            words = self.words(max([self.start_of_cell(end), *self.ends[earlier - 1 : earlier]]), end)
        return words if len(words) <= _LONGEST_LABEL else ""

    def start_of_cell(self, end: int) -> int:
        """Return where the line or cell begins that goes on to a place."""
        return max(self.flat.rfind("\n", 0, end), self.flat.rfind("\t", 0, end)) + 1

    def after(self, control: _Control) -> str:
        """Return the text between a control and the next one on its line."""
        at = control.span.end
        ends = [self.flat.find(mark, at + 1) for mark in "\n\t"]
        following = self.starts[bisect_right(self.starts, at) :][:1]
        end = min([e for e in (*ends, *following) if e >= 0], default=len(self.flat))
        words = self.words(at, end) if self.flat[at : at + 1] != "\n" else ""
        return words if len(words) <= _LONGEST_LABEL else ""


def _kind_of(control: _Control) -> str:
    kind = (control.attributes.get("type") or "").lower()
    if control.tag == "input":
        return kind if kind in _INPUT_TYPES else "text"
    if control.tag == "button":
        return kind if kind in ("reset", "button") else "submit"
    return control.tag


def _value(control: _Control, kind: str, options: tuple[Option, ...]) -> str:
    if kind == "textarea":
        return control.node.text()
    if kind == "select":
        return next((option.value for option in options if option.selected), "")
    if kind in ("checkbox", "radio") and "value" not in control.attributes:
        return "on"
    return control.attributes.get("value") or ""


def _options(control: _Control, walk: _Walk) -> tuple[Option, ...]:
    """Return the choices of a select; of those it shows one at a time exactly one is selected."""
    found: list[Option] = []
    for node in control.node.traverse():
        if node.tag_id != _OPTION:
            continue
        if walk.options >= walk.limits.options:
            walk.mark("many_options")
            break
        walk.options += 1
        attributes = node.attributes
        text = " ".join(node.text().split())
        value = (attributes["value"] or "") if "value" in attributes else text
        found.append(
            Option(value, attributes.get("label") or text, "selected" in attributes, _is_disabled(node))
        )
    if "multiple" in control.attributes or not found:
        return tuple(found)
    return _with_one_selected(found, (control.attributes.get("size") or "1").strip() in ("0", "1"))


def _with_one_selected(found: list[Option], is_menu: bool) -> tuple[Option, ...]:
    chosen = max((place for place, option in enumerate(found) if option.selected), default=-1)
    if chosen < 0 and is_menu:
        chosen = next((place for place, option in enumerate(found) if not option.disabled), -1)
    return tuple(
        option
        if option.selected is (place == chosen)
        else Option(option.value, option.text, place == chosen, option.disabled)
        for place, option in enumerate(found)
    )


def _is_disabled(option: LexborNode) -> bool:
    if "disabled" in option.attributes:
        return True
    parent = option.parent
    return parent is not None and parent.tag == "optgroup" and "disabled" in parent.attributes


def _one_line(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


# Repeated parts

_PAIR = _numbers_of("dt dd")
_TITLES = _numbers_of("h1 h2 h3 h4 h5 h6 a dt b strong")
_NOT_REPEATED = (
    _INLINE | _CELLS | _numbers_of("h1 h2 h3 h4 h5 h6 option label br hr head body thead th button")
)
_SHORTEST_RESULT = 12  # characters, or it is a menu
_MARKING_ONE = frozenset({"first", "last", "active", "current", "selected"})

Group = list[int]  # places of elements


def _blocks(walk: _Walk, flat: str) -> list[Block]:
    """Return the members of the group of like siblings that holds the most text, after Liu's mining of data records.

    Like are siblings of one tag and class; a term and its descriptions are one member. What stands in navigation, the head
    of a table and plain paragraphs are no results. The text of a group is counted as its size times the
    length of its median member, so that two columns of a layout do not pass for two results. If all members are rows
    of further like members that have a structure of their own, it is a grid, and these are the results.
    """
    elements = walk.elements or []
    linked = sorted(anchor.span.start for anchor in walk.anchors)
    groups = _groups(elements)

    def weight(group: Group) -> int:
        spans = (_span_of_member(elements, place) for place in group)
        lengths = sorted(end - start for start, end in spans)
        median = lengths[(len(lengths) - 1) // 2]
        if len(group) < 2 or median < _SHORTEST_RESULT:
            return 0
        return 0 if _is_plain(elements, group, linked) else len(group) * median

    best = max(groups.values(), key=weight, default=[])
    if not weight(best):
        return []
    best = _cells_of_grid(elements, best) or _without_head(elements, best, linked)
    spans = [_span_of_member(elements, place) for place in best[: walk.limits.blocks]]
    return [block for start, end in spans if (block := _block(walk, flat, start, end)).text]


def _is_plain(elements: list[_Element], group: Group, linked: list[int]) -> bool:
    """Return whether a group is made of paragraphs, of which fewer than half have a link."""
    if elements[group[0]].tag != _NUMBERS["p"]:
        return False
    spans = [elements[place].span for place in group]
    return 2 * sum(bisect_left(linked, s.end) > bisect_left(linked, s.start) for s in spans) < len(group)


def _without_head(elements: list[_Element], group: Group, linked: list[int]) -> Group:
    """Return the rows of a table without the first, if that is the only one without a link."""
    spans = [elements[place].span for place in group]
    with_link = [bisect_left(linked, span.end) > bisect_left(linked, span.start) for span in spans]
    is_head = elements[group[0]].tag == _NUMBERS["tr"] and not with_link[0] and all(with_link[1:])
    return group[1:] if is_head else group


def _cells_of_grid(elements: list[_Element], rows: Group) -> Group:
    """Return the cells of rows if every cell is a result of its own: it holds two elements or more."""
    inside = Counter(element.parent for element in elements)
    wanted = set(rows)
    cells = [place for place, element in enumerate(elements) if element.parent in wanted]
    kinds = {(elements[place].tag, _style(elements[place])) for place in cells}
    if len(kinds) != 1 or len(cells) < 2 * len(rows) - 1 or elements[cells[0]].tag in _PAIR | _INLINE:
        return []
    structured = sum(
        inside[place] >= 2 or _has_only_child_with_two(elements, place, inside) for place in cells
    )
    return cells if structured >= 0.8 * len(cells) else []


def _has_only_child_with_two(elements: list[_Element], place: int, inside: Counter[int]) -> bool:
    following = elements[place + 1 : place + 2]
    return inside[place] == 1 and bool(following) and inside[place + 1] >= 2


def _span_of_member(elements: list[_Element], place: int) -> tuple[int, int]:
    """Return where a member begins and ends; a term goes on to the end of its last description."""
    parent, tag, _, span, _ = elements[place]
    if tag != _NUMBERS["dt"]:
        return span.start, span.end
    end = span.end
    for following in elements[place + 1 :]:
        if following.parent == parent:
            if following.tag != _NUMBERS["dd"]:
                break
            end = following.span.end
        elif following.span.start >= end and following.parent < parent:
            break
    return span.start, end


def _style(element: _Element) -> str:
    return " ".join(sorted(set(_NUMBER.sub("", element.style).lower().split()) - _MARKING_ONE))


def _groups(elements: list[_Element]) -> dict[tuple[int, int, str], Group]:
    groups: dict[tuple[int, int, str], Group] = {}
    heads = _places_of_heads(elements)
    for place, element in enumerate(elements):
        if not (
            element.aside or element.tag in _NOT_REPEATED or place in heads or element.tag == _NUMBERS["dd"]
        ):
            groups.setdefault((element.parent, element.tag, _style(element)), []).append(place)
    return _with_alternating_joined(groups)


def _with_alternating_joined(groups: dict[tuple[int, int, str], Group]) -> dict[tuple[int, int, str], Group]:
    """Make one group of two whose members take turns, such as odd and even rows."""
    joined: dict[tuple[int, int, str], Group] = {}
    previous: dict[tuple[int, int], tuple[int, int, str]] = {}
    for key, group in groups.items():
        other = previous.get(key[:2])
        if other and (merged := _taking_turns(joined[other], group)):
            joined[other] = merged
        else:
            joined[key] = group
            previous[key[:2]] = key
    return joined


def _taking_turns(first: Group, second: Group) -> Group:
    merged = sorted(first + second)
    return merged if len(merged) > 2 and merged[::2] == first and merged[1::2] == second else []


def _places_of_heads(elements: list[_Element]) -> set[int]:
    """Return the table rows that have head cells and no others."""
    cells: dict[int, set[int]] = {}
    for element in elements:
        if element.tag in _CELLS:
            cells.setdefault(element.parent, set()).add(element.tag)
    return {row for row, kinds in cells.items() if kinds == {_NUMBERS["th"]}}


def _block(walk: _Walk, flat: str, start: int, end: int) -> Block:
    text = " ".join(flat[start:end].split())
    first = walk.first_anchor(start, end)
    title = _one_line(flat[first.span.start : first.span.end]) if first else ""
    if not title:
        title = _one_line(walk.first_title(flat, start, end)) or _one_line(
            re.split(r"[\t\n]", flat[start:end].strip(), maxsplit=1)[0]
        )
    return Block(text, title, walk.resolve(first.href) if first else None)
