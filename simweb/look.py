"""How a site's pages look in HTML: its dialect, its bad habits, and its redesigns.

A `Look` says what one webmaster does: tables or divs, which classes, upper-case tags, missing quotes, end tags left
out. A `Skin` is the look made ready to write with: opening and closing strings by role ("result", "title"...). A
redesign is a name from `REDESIGNS`; a skin made with more redesigns is a later version of the template.

Every redesign counts something up, every count shows in the HTML of every page, and none is ever taken back: so the
same redesign again makes another template and never an earlier one. What would grow without end (wrappers, inserted
blocks) stops growing after a while and changes its names instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from simweb.chance import draw, pick, rng
from simweb.escaping import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Layout = Literal["semantic", "divs", "tables"]

REDESIGNS = (
    "wrap",
    "insert-before",
    "insert-both",
    "rename-tags",
    "rename-classes",
    "remove-block",
    "swap",
    "move",
    "whole-page",
)

_TAGS: dict[Layout, dict[str, str]] = {
    "semantic": {
        "nav": "nav", "main": "main", "side": "aside", "foot": "footer", "heading": "h1", "subheading": "h2",
        "text": "p", "list": "ul", "item": "li", "results": "section", "result": "article", "result_title": "h3",
        "result_text": "p", "result_body": "div", "values": "span", "pager": "nav", "current": "b", "notice": "p",
        "block": "section", "ad": "aside", "record": "article", "row": "p", "crumbs": "nav", "banner": "aside",
        "content": "section", "tools": "div",
    },
    "divs": {
        "nav": "div", "main": "div", "side": "div", "foot": "div", "heading": "h1", "subheading": "h2", "text": "p",
        "list": "ul", "item": "li", "results": "div", "result": "div", "result_title": "h3", "result_text": "div",
        "result_body": "div", "values": "span", "pager": "div", "current": "span", "notice": "div", "block": "div",
        "ad": "div", "record": "div", "row": "div", "crumbs": "div", "banner": "div", "content": "div", "tools": "div",
    },
    "tables": {
        "nav": "center", "main": "td", "side": "td", "foot": "td", "heading": "h2", "subheading": "h3", "text": "p",
        "list": "ul", "item": "li", "results": "div", "result": "div", "result_title": "b", "result_text": "span",
        "result_body": "div", "values": "i", "pager": "center", "current": "b", "notice": "font", "block": "div",
        "ad": "center", "record": "div", "row": "div", "crumbs": "small", "banner": "center", "content": "div",
        "tools": "div",
    },
}  # fmt: skip
# What a tag is renamed to: the next of its kind. Headings move together, so each level keeps a tag of its own.
_HEADINGS = {
    "heading": ("h1", "h2", "h3"),
    "subheading": ("h2", "h3", "h4"),
    "result_title": ("h3", "h4", "h5"),
}
_KINDS_OF_TAG = (
    ("div", "section", "article", "center", "aside"),
    ("span", "em", "b", "strong", "i", "font", "small"),
    ("p", "div"),
    ("nav", "div", "section"),
    ("main", "div", "article"),
    ("footer", "div", "section"),
)
_LISTS = (("ul", "li"), ("ol", "li"), ("div", "div"))

# Ways to write the same thing with other tags; renaming tags goes on to the next.
_RESULT_LISTS = (("ol", "li"), ("ul", "li"), ("div", "div"), ("section", "article"))
_GRIDS = (("div", "div", "div"), ("section", "div", "article"), ("div", "ul", "li"))
_FLAT_GRIDS = (("ul", "li"), ("div", "div"), ("ol", "li"), ("section", "article"))
_TABLES = (("th", "td"), ("td", "td"), ("th", "th"), ("td", "th"))
_DEFINITIONS = (("dl", "dt", "dd"), ("div", "h5", "div"), ("section", "header", "div"))
_FLAT_PAIRS = (("dl", "dt", "dd"), ("div", "h6", "p"), ("section", "div", "div"))
_PAIRS = (
    ("table", "tr", "th", "td"),
    ("dl", "div", "dt", "dd"),
    ("div", "div", "span", "span"),
    ("ul", "li", "b", "span"),
    ("table", "tr", "td", "td"),
    ("section", "p", "strong", "em"),
)
_FAVOURITE_PAIRS: dict[Layout, tuple[int, ...]] = {"semantic": (1, 3, 5), "divs": (2, 3, 1), "tables": (0, 4)}
_INLINE = frozenset({"span", "b", "strong"})

_CLASS_STYLES = (
    "{prefix}-{role}",
    "{prefix}{Role}",
    "{role}",
    "{prefix}_{role}",
    "c{code}",
    "{role} {prefix}",
)
_WORDS = {
    "nav": ("nav", "menu", "topnav", "links", "navbar"),
    "main": ("main", "page", "center", "col1", "primary"),
    "side": ("side", "sidebar", "col2", "secondary", "rail"),
    "foot": ("foot", "footer", "bottom", "legal", "imprint"),
    "heading": ("heading", "title", "headline", "page-title", "top"),
    "text": ("text", "par", "copy", "body-text", "txt"),
    "results": ("results", "hits", "found", "entries", "search-results"),
    "result": ("result", "hit", "entry", "match", "card"),
    "result_title": ("result-title", "name", "hit-title", "caption", "t"),
    "result_text": ("result-text", "snippet", "info", "summary", "abstract"),
    "result_body": ("result-body", "full", "details", "data", "all"),
    "values": ("values", "meta", "facts", "byline", "props"),
    "record": ("record", "detail", "product", "sheet", "object"),
    "fields": ("fields", "attributes", "specs", "datasheet", "properties"),
    "label": ("label", "key", "attr", "fname", "th"),
    "value": ("value", "val", "data", "fvalue", "td"),
    "row": ("row", "line", "r", "group", "tr"),
    "cell": ("cell", "col", "box", "tile", "unit"),
    "item": ("item", "li", "el", "node", "one"),
    "list": ("list", "items", "ul", "index", "overview"),
    "table": ("table", "grid", "tbl", "listing", "matrix"),
    "pager": ("pager", "pages", "pagination", "turn", "browse"),
    "content": ("content", "inner", "article", "body", "text-area"),
    "banner": ("banner", "promo", "teaser-top", "billboard", "strip"),
    "tools": ("tools", "toolbar", "options", "size", "util"),
}
_STRIPES = (("odd", "even"), ("row0", "row1"), ("light", "dark"), ("a", "b"))
_OPTIONAL_ENDS = frozenset({"li", "p", "td", "tr", "dt", "dd"})
_TEXT_SIZES = "A- A A+"

# Three blocks in every order, each order one exchange of neighbours away from the one before, the first from the last.
_ORDERS = ((0, 1, 2), (0, 2, 1), (2, 0, 1), (2, 1, 0), (1, 2, 0), (1, 0, 2))
_MOST_WRAPS = 3
_MOST_INSERTED = 4
_GRID_WIDTH = 3


@dataclass(frozen=True, slots=True)
class Look:
    """What one webmaster does in HTML, good and bad."""

    layout: Layout
    prefix: str
    class_style: str
    upper_case: bool = False
    unquoted: bool = False
    leaves_ends_out: bool = False
    stray_ends: bool = False
    doctype: str = "<!DOCTYPE html>"
    side_first: bool = False
    random_ids: bool = False


def look_of(*names: object) -> Look:
    """Draw a look: two in three sites are tidy, the others are what the web is full of."""
    chance = rng(*names, "look")
    tidy = chance.random() < 0.66
    return Look(
        layout=chance.choices(("semantic", "divs", "tables"), (4, 5, 2))[0],
        prefix="".join(chance.choices("abcdefghiklmnoprstuvw", k=chance.randint(2, 4))),
        class_style=chance.choice(_CLASS_STYLES),
        upper_case=not tidy and chance.random() < 0.3,
        unquoted=not tidy and chance.random() < 0.5,
        leaves_ends_out=not tidy and chance.random() < 0.6,
        stray_ends=not tidy and chance.random() < 0.5,
        doctype="<!DOCTYPE html>" if tidy or chance.random() < 0.5 else chance.choice(
            ("", '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">')
        ),
        side_first=chance.random() < 0.4,
        random_ids=chance.random() < 0.25,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Redesigned:
    """How often each part of a template was redesigned."""

    wraps: int
    removals: int
    swaps: int
    moves: int
    tags: int
    classes: int
    pages: int
    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def by(cls, names: Sequence[str]) -> _Redesigned:
        """Count what redesigns, one after the other, leave behind."""
        pages = names.count("whole-page")
        before, after, removals = _find_insertions(names)
        return cls(
            wraps=names.count("wrap"),
            removals=removals,
            swaps=names.count("swap") + pages,
            moves=names.count("move") + pages,
            tags=names.count("rename-tags") + pages,
            classes=names.count("rename-classes") + pages,
            pages=pages,
            before=before,
            after=after,
        )


def _find_insertions(names: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the inserted blocks before and after the content by number, newest first, and how many were removed.

    The first block to be removed is the banner every site begins with, the next ones were once inserted.
    """
    before: list[int] = []
    after: list[int] = []
    removals = 0
    for turn, name in enumerate(names, 1):
        if name in ("insert-before", "insert-both"):
            before.insert(0, turn)
        if name == "insert-both":
            after.insert(0, turn)
        if name == "remove-block":
            removals += 1
            if removals > 1 and before:
                before.pop()
        del before[_MOST_INSERTED:], after[_MOST_INSERTED:]
    return tuple(before), tuple(after), removals


@dataclass(frozen=True, slots=True)
class _Repeat:
    """An element around any number of alike ones, ready to write."""

    start: str
    end: str
    odd: str
    even: str
    end_one: str

    def write(self, items: Iterable[str]) -> str:
        """Return the items, each in its element, inside the outer one."""
        starts = (self.odd, self.even)
        inner = "".join([f"{starts[at & 1]}{item}{self.end_one}" for at, item in enumerate(items)])
        return f"{self.start}{inner}{self.end}"


class Skin:
    """A look in one version of its template, ready to write with."""

    def __init__(self, look: Look, redesigns: tuple[str, ...] = ()) -> None:
        self.look = look
        self.redesigns = redesigns
        self._did = _Redesigned.by(redesigns)
        self._open: dict[str, str] = {}
        self._close: dict[str, str] = {}
        extra = self._extra_classes()
        for role, tag in _TAGS[look.layout].items():
            name = self._new_tag(role, tag)
            self._open[role] = self.tag(name, self._class(role, extra.get(role, "")))
            self._close[role] = self.end(name)
        self._swapped = _ORDERS[self._did.swaps % len(_ORDERS)]
        self._moved = _ORDERS[(self._did.moves + look.side_first) % len(_ORDERS)]
        self._glue = self._separators()
        self._banner: str | None = None
        self._before_main = self._after_main = ""
        self._tools = self.wrap("tools", _TEXT_SIZES)

    def open(self, role: str) -> str:
        """Return the start tag for a role."""
        return self._open[role]

    def close(self, role: str) -> str:
        """Return the end tag for a role, or nothing where the webmaster leaves it out."""
        return self._close[role]

    def wrap(self, role: str, inner: str) -> str:
        """Return HTML inside the element of a role."""
        return self._open[role] + inner + self._close[role]

    def tag(self, name: str, attributes: str = "") -> str:
        """Return a start tag as this webmaster writes it."""
        return f"<{name.upper() if self.look.upper_case else name}{attributes}>"

    def end(self, name: str) -> str:
        """Return an end tag as this webmaster writes it, or nothing where HTML lets him leave it out."""
        if self.look.leaves_ends_out and name in _OPTIONAL_ENDS:
            return ""
        return f"</{name.upper() if self.look.upper_case else name}>"

    def attribute(self, value: str) -> str:
        """Return an attribute value with the quotes this webmaster uses."""
        if (
            self.look.unquoted
            and value
            and value.isascii()
            and value.replace("-", "").replace("_", "").isalnum()
        ):
            return value
        return f'"{escape(value)}"'

    def class_of(self, role: str) -> str:
        """Return the class of a role in this version of the template."""
        version = self._did.classes
        prefix = self.look.prefix + (f"v{version + 1}" if version else "")
        word = pick(_WORDS.get(role, (role.replace("_", "-"),)), self.look.prefix, role, version)
        return self.look.class_style.format(
            prefix=prefix,
            role=f"{word}-{version + 1}" if version else word,
            Role=word.title().replace("-", ""),
            code=draw(prefix, role) % 10_000,
        )

    def link(self, href: str, text: str, extra: str = "") -> str:
        """Return an <a> element; the text is escaped, the address too."""
        return f'<a href="{escape(href)}"{extra}>{escape(text)}</a>'

    # What repeats

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return the attributes of a record, escaped labels and values, as this site shows them."""
        repeat, between, last = self._pairs
        return self.wrap("record", repeat.write([f"{label}{between}{value}{last}" for label, value in pairs]))

    def definitions(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Return results that are a term and what stands below it."""
        repeat, between, last = self._definitions
        return repeat.write([f"{term}{between}{text}{last}" for term, text in pairs])

    def listing(self, items: Iterable[str]) -> str:
        """Return results one below the other."""
        return self._listing.write(items)

    def grid(self, cells: Sequence[str]) -> str:
        """Return results side by side, in rows or left to flow."""
        rows, cell = self._grid
        if rows is None:
            return cell.write(cells)
        slices = (cells[at : at + _GRID_WIDTH] for at in range(0, len(cells), _GRID_WIDTH))
        return rows.write([cell.write(row) for row in slices])

    def table(self, names: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
        """Return results as the rows of a table below the names of its columns."""
        head, body, first, cells = self._table
        written = body.write([f"{first[0]}{row[0]}{first[1]}{cells.write(row[1:])}" for row in rows])
        return f"{self._table_start}{head.write(names)}{written}{self.end('table')}"

    @cached_property
    def _pairs(self) -> tuple[_Repeat, str, str]:
        if self.look.layout != "tables" and self._habit("flat pairs", 3) == 0:
            outer, label, value = self._way(_FLAT_PAIRS, "pairs")
            return self._pair("fields", outer, "", self._part(label, "label"), self._part(value, "value"))
        favourite = pick(_FAVOURITE_PAIRS[self.look.layout], self.look.prefix, "favourite pairs")
        outer, row, label, value = _PAIRS[(favourite + self._did.tags) % len(_PAIRS)]
        start, end = self._part(label, "label")
        colon = (
            ":" if _PAIRS[favourite][2] in _INLINE else ""
        )  # text, so it outlives the tags it was written for
        space = " " if label in _INLINE else ""
        return self._pair("fields", outer, row, (start, colon + end + space), self._part(value, "value"))

    @cached_property
    def _definitions(self) -> tuple[_Repeat, str, str]:
        outer, term, text = self._way(_DEFINITIONS, "definitions")
        row = "div" if self._habit("definitions in rows", 2) else ""
        return self._pair(
            "list", outer, row, self._part(term, "result_title"), self._part(text, "result_text")
        )

    def _pair(
        self, role: str, outer: str, row: str, first: tuple[str, str], second: tuple[str, str]
    ) -> tuple[_Repeat, str, str]:
        """Return pairs in rows or without: how they repeat, what stands between the two, what ends the second."""
        start = self.tag(outer, self._class(role))
        odd, even = self._rows(row, "row") if row else ("", "")
        repeat = _Repeat(
            start, self.end(outer), odd + first[0], even + first[0], self.end(row) if row else ""
        )
        return repeat, first[1] + second[0], second[1]

    @cached_property
    def _listing(self) -> _Repeat:
        outer, item = self._way(_RESULT_LISTS, "list")
        return self._repeat("list", outer, "item", item)

    @cached_property
    def _grid(self) -> tuple[_Repeat | None, _Repeat]:
        if self._habit("flowing grid", 2):
            outer, item = self._way(_FLAT_GRIDS, "grid")
            return None, self._repeat("table", outer, "cell", item)
        outer, row, item = self._way(_GRIDS, "grid")
        start, end = self._part(item, "cell")
        cell = _Repeat(self.tag(row, self._class("row")), self.end(row), start, start, end)
        return _Repeat(self.tag(outer, self._class("table")), self.end(outer), "", "", ""), cell

    @cached_property
    def _table_start(self) -> str:
        return self.tag("table", self._class("table") + (" border=1" if self.look.layout == "tables" else ""))

    @cached_property
    def _table(self) -> tuple[_Repeat, _Repeat, tuple[str, str], _Repeat]:
        """Return the row of names, the other rows, the first cell of each, and its other cells."""
        name, first = self._way(_TABLES, "table")
        scope = ' scope="col"' if name == "th" and self._habit("scope", 2) else ""
        has_parts = self._habit("thead", 2) == 1
        row, end_row = self.tag("tr"), self.end("tr")
        start, end = (self.tag("thead") + row, end_row + "</thead>") if has_parts else (row, end_row)
        head = self.tag(name, scope)
        odd, even = self._rows("tr", "row")
        body = ("<tbody>", "</tbody>") if has_parts else ("", "")
        cell, end_cell = self._part("td", "cell")
        return (
            _Repeat(start, end, head, head, self.end(name)),
            _Repeat(*body, odd, even, end_row),
            self._part(first, "result_title"),
            _Repeat("", "", cell, cell, end_cell),
        )

    def _repeat(self, outer_role: str, outer: str, role: str, item: str) -> _Repeat:
        odd, even = self._rows(item, role)
        return _Repeat(self.tag(outer, self._class(outer_role)), self.end(outer), odd, even, self.end(item))

    def _way(self, ways: Sequence[tuple[str, ...]], name: str) -> tuple[str, ...]:
        """Return the tags this site writes something with, others after each renaming."""
        return ways[(draw(self.look.prefix, name) + self._did.tags) % len(ways)]

    def _habit(self, name: str, count: int) -> int:
        """Return one of a few habits, which stays with the site."""
        return draw(self.look.prefix, self.look.class_style, name) % count

    def _rows(self, tag: str, role: str) -> tuple[str, str]:
        """Return the start tags of odd and even rows: with a class, striped, both, or bare."""
        odd, even = pick(_STRIPES, self.look.prefix, "stripes", self._did.classes)
        match self._habit("rows", 4):
            case 0:
                return self.tag(tag), self.tag(tag)
            case 1:
                return (
                    self.tag(tag, f" class={self.attribute(odd)}"),
                    self.tag(tag, f" class={self.attribute(even)}"),
                )
            case 2:
                return self.tag(tag, self._class(role, odd)), self.tag(tag, self._class(role, even))
            case _:
                return self.tag(tag, self._class(role)), self.tag(tag, self._class(role))

    def _part(self, tag: str, role: str) -> tuple[str, str]:
        """Return start and end tag of a part of a row, which has a class on some sites only."""
        return self.tag(tag, self._class(role) if self._habit("parts", 3) else ""), self.end(tag)

    # The whole page

    def body(self, nav: str, main: str, side: str, foot: str, banner: str) -> str:
        """Arrange the parts of a page by the look and its redesigns."""
        if banner != self._banner:
            self._prepare(banner)
        inside = main[len(self._open["main"]) : len(main) - len(self._close["main"])]
        end = self._close["heading"]
        cut = inside.find(end) + len(end)
        if cut < len(end):  # a page without a heading
            cut = 0
        blocks = inside[:cut], self._open["content"] + inside[cut:] + self._close["content"], self._tools
        first, second, third = self._swapped
        main = f"{self._before_main}{blocks[first]}{blocks[second]}{blocks[third]}{self._after_main}"
        parts = nav, main, side
        first, second, third = self._moved
        glue = self._glue
        return (
            f"{glue[0]}{parts[first]}{glue[1]}{parts[second]}{glue[2]}{parts[third]}{glue[3]}{foot}{glue[4]}"
        )

    @property
    def drops_crumbs(self) -> bool:
        """Say whether redesigns have removed a second block before the content, which is the way up on articles."""
        return self._did.removals > 1

    @property
    def pages_replaced(self) -> int:
        """Return how often the whole page was made anew, ids included."""
        return self._did.pages

    def _prepare(self, banner: str) -> None:
        """Write once what stands before and after the content of every page."""
        did, text = self._did, escape(banner)
        tag = self._new_tag("", "div")
        last = did.wraps
        names = [
            f"{place}{turn}"
            for turn in range(last, max(0, last - _MOST_WRAPS), -1)
            for place in ("outer", "inner")
        ]
        before = [f"{self.tag(tag, self._class(f'new{turn}'))}{text}{self.end(tag)}" for turn in did.before]
        after = [f"{self.tag(tag, self._class(f'new{turn}'))}{text}{self.end(tag)}" for turn in did.after]
        if not did.removals:
            before.append(self.wrap("banner", text))
        wrappers = "".join(self.tag(tag, self._class(name)) for name in names)
        self._before_main = self._open["main"] + wrappers + "".join(before)
        self._after_main = "".join(after) + self.end(tag) * len(names) + self._close["main"]
        self._banner = banner

    def _separators(self) -> tuple[str, str, str, str, str]:
        """Return what stands before, between and after navigation, content and side, in their order, and the foot."""
        if self.look.layout != "tables":
            stray = "</font></center>" if self.look.stray_ends else ""
            return "", stray, stray, stray, ""
        row, end_row, cell, end_cell = self.tag("tr"), self.end("tr"), self.tag("td"), self.end("td")
        table = self.tag("table", ' width="100%" border=0 cellpadding=4') + row
        next_row, end = end_row + row, end_row + self.end("table")
        match self._moved.index(0):
            case 0:
                return "", table, "", next_row, end
            case 1:
                return table, cell, end_cell, next_row, end
            case _:
                return table, "", next_row + cell, end_cell + next_row, end

    def _extra_classes(self) -> dict[str, str]:
        """Return the second classes that tell templates apart which would be alike: places come round again."""
        did, name = self._did, self.look.prefix
        extra = {}
        if did.removals > 1:
            extra["main"] = f"{name}-plain{did.removals}"
        if turn := did.swaps // len(_ORDERS):
            extra["content"] = f"{name}-order{turn}"
        if turn := did.moves // len(_ORDERS):
            extra["nav"] = extra["side"] = f"{name}-place{turn}"
        return extra

    def _class(self, role: str, second: str = "") -> str:
        name = self.class_of(role)
        return f" class={self.attribute(f'{name} {second}' if second else name)}"

    def _new_tag(self, role: str, tag: str) -> str:
        """Return the tag of a role after all renamings."""
        turn = self._did.tags
        if role in ("list", "item"):
            return _LISTS[turn % len(_LISTS)][role == "item"]
        kinds: list[tuple[str, ...]] = [_HEADINGS[role]] if role in _HEADINGS else []
        for kind in (*kinds, *_KINDS_OF_TAG) if turn else ():
            if tag in kind:
                return kind[(kind.index(tag) + turn) % len(kind)]
        return tag


def random_id(skin: Skin, stem: str, *names: object) -> str:
    """Return an element id: stable, or new with every request where the site does that."""
    if skin.pages_replaced:
        stem = f"{stem}_{skin.pages_replaced + 1}"
    if not skin.look.random_ids:
        return stem
    return f"{pick(('x', 'id_', 'el-', 'f'), stem)}{draw(*names, stem) % 16**8:08x}"
