"""The labels of the controls of a page, and the places where they were found.

The label of a control is the text that is meant as its name (label, ARIA attributes, the words on a button, placeholder, title), else
the text at the places where readers expect a name: after a checkbox, before any other control on its line, in the cell to the left or
the line above, at the head of its column; else its own name in the page's source, cut into words; else that of the group it is in. The
title of the page, repeated before a box, is no label. All these texts are stored as hints, the best first, in this order:

label, aria, button, placeholder, title, after, before, cell before, line above, cell above, name, group, legend, description.

The text of the page is one string, and a control a place in it (see `hiddenweb.html.reader`), so a neighbouring text is a slice. No hint
reads more than a few hundred characters or a few dozen nodes on any page, so two thousand controls stay cheap.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from hiddenweb.language.folding import fold_line
from hiddenweb.language.identifiers import identifier_parts
from hiddenweb.language.shortening import shorten
from hiddenweb.model import LabelHint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import RawControl
    from hiddenweb.html.tree_walk import TreeWalk

LONGEST_LABEL = 120  # characters; a limit of taste
MOST_HINTS = 8  # hints of a control; a limit of taste

_REACH = 4 * LONGEST_LABEL  # characters that are searched for a label
_BUTTONS = frozenset({"submit", "reset", "button", "image"})
_MAGNIFIERS = frozenset({"search", "magnifier", "magnifying", "magnify", "loupe", "lupe", "lupa"})
_NOT_DRAWN = frozenset(
    {"close", "clear", "reset", "cancel", "remove", "delete", "times", "plus", "add", "save", "minus", "off"}
)
_TICKED = frozenset({"radio", "checkbox"})
_CONTROLS = frozenset({"input", "select", "textarea", "button"})
_CELLS = frozenset({"td", "th"})
_UNSPOKEN = frozenset({"script", "style", "template", "option", "optgroup"})
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_LEVELS = 6  # between a control and its cell; a limit of taste
_COLUMNS = 30
_MOST_NODES = 60  # of an element that is read as a label; a limit of taste

_PART = re.compile(r"[$.:\[\]/|]+")
# Prefixes of names by frameworks and habit, and words that only say that it is a control.
_PREFIXES = frozenset({
    "txt", "tb", "tbx", "ddl", "dd", "cb", "cbx", "chk", "chb", "rb", "rbl", "rdo", "lst", "lb", "lbl",
    "btn", "inp", "ctl", "ctrl", "frm", "hdn", "sel", "cmb", "cbo", "opt", "num", "fld", "form", "edit",
    "views", "exposed",
})  # fmt: skip
_NO_NAMES = frozenset({
    "input", "field", "text", "textbox", "box", "textfield", "textarea", "select", "dropdown", "combo",
    "combobox", "control", "element", "item", "value", "data", "params", "param", "form", "main", "content",
    "placeholder", "page", "body", "default", "id", "name",
})  # fmt: skip
_MOST_WORDS = 5  # words of a label; a limit of taste
_SHORT_TITLE = 3  # words: a shorter text may also be a label, "Your e-mail address"; a limit of taste
_PICTURES = frozenset({"So", "Co", "Mn"})  # symbols, icon fonts, and variation selectors


class FieldLabels:
    """The labels of the fields of a page."""

    def __init__(self, walk: TreeWalk, flat: str) -> None:
        self.walk = walk
        self.flat = flat
        self.has_cells = "\t" in flat
        self.title = fold_line(walk.head.title)
        self.starts = sorted(control.span.start for control in walk.form_parts.controls)
        self.ends = sorted(control.span.end for control in walk.form_parts.controls)
        self.ticked = {
            control.span.end
            for control in walk.form_parts.controls
            if (control.attributes.get("type") or "").lower() in _TICKED
        }  # the text that follows is theirs
        self.groups: dict[tuple[int, str], str] = {}
        self.rows: dict[int, list[str]] = {}
        self.beginnings: dict[str, str] = {}
        self.by_id: dict[str, str] = {}
        for label in walk.form_parts.labels:
            if label.value and (words := self.words(label.start, label.end)):
                self.by_id.setdefault(label.value, words)

    def words(self, start: int, end: int) -> str:
        """Return the beginning of a part of the page's text in one line."""
        return " ".join(self.flat[start : min(end, start + _REACH)].split())

    def hints(self, control: RawControl, kind: str) -> tuple[LabelHint, ...]:
        """Return all texts about a control, the best first; none for a hidden control."""
        if kind == "hidden":
            return ()
        found: dict[str, LabelHint] = {}
        for where, words in self.all_texts(control, kind):
            if words and not _is_picture(words):
                text = words if len(words) <= LONGEST_LABEL else shorten(words, LONGEST_LABEL)
                found.setdefault(text.casefold(), LabelHint(where, text))
        return tuple(found.values())[:MOST_HINTS]

    def all_texts(self, control: RawControl, kind: str) -> Iterator[tuple[str, str]]:
        """Yield the places where a control may be named, and their texts."""
        attributes = control.attributes
        label = control.label
        if self.by_id and attributes.get("id"):
            yield "label", self.by_id.get(attributes["id"] or "", "")
        if label is not None and not label.value:
            yield "label", self.words(label.start, label.end)
        if attributes.get("aria-labelledby"):
            yield "aria", self.text_of_ids(attributes["aria-labelledby"] or "")
        yield "aria", one_line(attributes.get("aria-label"))
        if kind in _BUTTONS:
            yield "button", self.own_words(control, kind)
        yield "placeholder", one_line(attributes.get("placeholder"))
        yield "title", one_line(attributes.get("title"))
        if kind not in _BUTTONS:
            yield from self.nearby(control, kind)
            yield (
                "name",
                words_of_name(attributes.get("name") or "") or words_of_name(attributes.get("id") or ""),
            )
            if kind in _TICKED:
                yield "group", self.group(control)
            if control.legend is not None:
                yield "legend", self.words(control.legend.start, control.legend.end)
        if attributes.get("aria-describedby"):
            yield "description", self.text_of_ids(attributes["aria-describedby"] or "")

    def own_words(self, control: RawControl, kind: str) -> str:
        """Return the text on a button, or the text for the picture on it."""
        attribute = control.attributes.get
        if control.tag == "button":
            return (
                self.words(control.span.start, control.span.end)
                or one_line(attribute("value"))
                or _picture(control.node)
            )
        return one_line(attribute("alt")) if kind == "image" else one_line(attribute("value"))

    def text_of_ids(self, ids: str) -> str:
        """Return the texts of other elements."""
        nodes = self.walk.nodes_by_id()
        wanted = [name for name in ids[:_REACH].split()[:10] if name in nodes]
        for name in wanted:
            if name not in self.beginnings:
                self.beginnings[name] = _beginning(nodes[name])
        return shorten(" ".join(filter(None, map(self.beginnings.__getitem__, wanted))), LONGEST_LABEL)

    def nearby(self, control: RawControl, kind: str) -> Iterator[tuple[str, str]]:
        """Yield the text after a checkbox, or the text before any other control: on its line or in the cell before."""
        after = self.text_after(control) if kind in _TICKED else ""
        if after:
            yield "after", after
        else:
            yield self.text_before(control)
        if self.has_cells:
            yield "cell above", self.cell_above(control)

    def text_before(self, control: RawControl) -> tuple[str, str]:
        """Return the text between the control before and this one on its line; if none, that of the cell or line before."""
        end = control.span.start
        begin = self.begin_of_form(control)
        start = max(self.start_of_cell(end), begin)
        earlier = bisect_left(self.ends, end)
        start_of_words = max([start, *self.ends[earlier - 1 : earlier]])
        where, words = "before", self.words(start_of_words, end)
        if words and self.links_in(start_of_words, end) > 1:
            return where, ""  # a menu
        if not words and start > begin:
            end = start - 1
            where = "cell before" if self.flat[end] == "\t" else "line above"
            earlier = bisect_right(self.ends, end)
            start = max([self.start_of_cell(end), begin, *self.ends[earlier - 1 : earlier]])
            is_of_other = start in self.ticked or self.links_in(start, end)
            words = "" if is_of_other else self.words(start, end)
        return where, "" if len(words) > LONGEST_LABEL or self.names_the_page(words) else words

    def names_the_page(self, words: str) -> bool:
        """Say whether a text is the title of the page: the name of a site in front of its search box is no name of the box."""
        return len(words.split()) > _SHORT_TITLE and words.casefold() == self.title

    def begin_of_form(self, control: RawControl) -> int:
        """Return where the form around a control begins: text before it, such as a menu, names none of its controls."""
        if control.form < 0:
            return 0
        span = self.walk.form_parts.forms[control.form].span
        return span.start if span.start <= control.span.start <= span.end else 0

    def links_in(self, start: int, end: int) -> int:
        """Return how many links a part of the text consists of; 0 if it has other text, too."""
        links = self.walk.links.anchors_in(start, min(end, start + _REACH))
        letters = sum(map(str.isalnum, self.flat[start : min(end, start + _REACH)]))
        of_links = sum(sum(map(str.isalnum, self.flat[a.span.start : a.span.end])) for a in links)
        return len(links) if of_links >= letters else 0

    def start_of_cell(self, end: int) -> int:
        """Return the start of the line or cell that ends at a place, or a place that is too far away for a label."""
        far = max(end - _REACH, 0)
        start = max(self.flat.rfind("\n", far, end), self.flat.rfind("\t", far, end)) + 1
        return start or far

    def text_after(self, control: RawControl) -> str:
        """Return the text between a control and the next one on its line."""
        at = control.span.end
        far = at + _REACH
        ends = [self.flat.find(mark, at + 1, far) for mark in "\n\t"]
        following = bisect_right(self.starts, at)
        end = min([e for e in (*ends, *self.starts[following : following + 1]) if e >= 0], default=far)
        words = self.words(at, end) if self.flat[at : at + 1] != "\n" else ""
        return words if len(words) <= LONGEST_LABEL else ""

    def group(self, control: RawControl) -> str:
        """Return the text before the first of several boxes of one name: the question that they answer."""
        key = (control.form, control.attributes.get("name") or "")
        if key not in self.groups:
            self.groups[key] = self.text_before(control)[1]
        return self.groups[key]

    # Tables

    def cell_above(self, control: RawControl) -> str:
        """Return the text above a control in a table: in the row before, or at the head of its column."""
        cell = control.node.parent
        for _ in range(_LEVELS):
            if cell is None or cell.tag in _CELLS:
                break
            cell = cell.parent
        row = cell.parent if cell is not None and cell.tag in _CELLS else None
        if cell is None or row is None:
            return ""
        column = _column(cell)
        if column < 0:
            return ""
        return self.cell_text(_row_before(row), column) or self.cell_text(_first_row(row), column)

    def cell_text(self, row: LexborNode | None, column: int) -> str:
        """Return the text of a cell; "" if there is no cell or if it has a control."""
        if row is None:
            return ""
        texts = self.rows.get(row.mem_id)
        if texts is None:
            texts = self.rows[row.mem_id] = list(_texts_of_cells(row))[:_COLUMNS]
        return texts[column] if column < len(texts) else ""


def _is_picture(text: str) -> bool:
    """Say whether a text is a symbol that stands for a picture, such as a magnifying glass, and so names nothing.

    >>> _is_picture("\N{LEFT-POINTING MAGNIFYING GLASS}"), _is_picture("\uf002"), _is_picture("–"), _is_picture("€")
    (True, True, False, False)
    """
    return not text.isascii() and all(
        unicodedata.category(each) in _PICTURES or each.isspace() for each in text
    )


def words_of_name(name: str) -> str:
    """Return the words in the name of a control, without those that only programmers use.

    >>> words_of_name("ctl00$Main$txtSearch"), words_of_name("filter[authorName][]"), words_of_name("q")
    ('search', 'filter author name', '')
    """
    if len(name) < 2:
        return ""
    parts = [part for part in _PART.split(name[:LONGEST_LABEL]) if part]
    if "$" in name or ":" in name:
        parts = parts[-1:]
    words = [word.lower() for part in parts[-3:] for word in identifier_parts(part) if not word.isdecimal()]
    words = [word for word in words if len(word) > 1 or not word.isascii()]
    while words and words[0] in _PREFIXES:
        words = words[1:]
    if all(word in _NO_NAMES for word in words) and words != ["name"]:
        return ""
    return " ".join(words[:_MOST_WORDS])


def one_line(text: str | None) -> str:
    """Return the beginning of a text without line breaks and double spaces."""
    return " ".join(text[:_REACH].split()) if text else ""


def _beginning(node: LexborNode) -> str:
    """Return the first words of an element."""
    pieces: list[str] = []
    length = 0
    for count, each in enumerate(node.traverse(include_text=True)):
        if count > _MOST_NODES or length > _REACH:
            break
        if each.is_text_node and (each.parent is None or each.parent.tag not in _UNSPOKEN):
            pieces.append((each.text_content or "")[:_REACH])
            length += len(pieces[-1])
    return " ".join(" ".join(pieces).split())


def _picture(button: LexborNode) -> str:
    """Return the text for a picture on a button."""
    for count, node in enumerate(button.traverse()):
        if count > _MOST_NODES // 2:
            break
        attributes = node.attributes if count else {}
        if words := one_line(
            attributes.get("alt") or attributes.get("aria-label") or attributes.get("title")
        ):
            return words
        if count and node.tag == "title":
            return one_line(node.text())
        if count and _is_magnifier(node):
            return "search"
    return ""


def _is_magnifier(node: LexborNode) -> bool:
    """Say whether an empty element is drawn as a magnifier: it has a class or a drawing named search, with at most one other word."""
    if node.text(strip=True):
        return False
    attributes = node.attributes
    named = " ".join(
        filter(None, (attributes.get("class"), attributes.get("href"), attributes.get("xlink:href")))
    )
    parts = (
        {part for part in identifier_parts(each.lower()) if not part.isdecimal()}
        for each in named[:_REACH].split()
    )
    return any(
        each & _MAGNIFIERS and len(each - _MAGNIFIERS) <= 1 and not each & _NOT_DRAWN for each in parts
    )


def _column(cell: LexborNode) -> int:
    """Return the number of a cell in its row; -1 for a row that is too long to be read."""
    column = 0
    earlier = cell.prev
    for _ in range(2 * _COLUMNS):
        if earlier is None:
            return column
        if earlier.tag in _CELLS:
            column += _span(earlier)
        earlier = earlier.prev
    return -1


def _span(cell: LexborNode) -> int:
    written = cell.attributes.get("colspan") or "1"
    return int(written) if written in ("1", "2", "3", "4", "5", "6", "7", "8", "9") else 1


def _row_before(row: LexborNode) -> LexborNode | None:
    earlier = row.prev
    for _ in range(3):
        if earlier is None or earlier.tag == "tr":
            return earlier
        earlier = earlier.prev
    return None


def _first_row(row: LexborNode) -> LexborNode | None:
    """Return the head of the table that a row is in; None if that is the row itself."""
    table = row.parent
    if table is not None and table.tag in _SECTIONS:
        table = table.parent
    first = _first_child(table, _SECTIONS | {"tr"})
    if first is not None and first.tag in _SECTIONS:
        first = _first_child(first, {"tr"})
    return first if first is not None and first.mem_id != row.mem_id else None


def _first_child(node: LexborNode | None, tags: AbstractSet[str]) -> LexborNode | None:
    child = node.first_child if node is not None else None
    for _ in range(_MOST_NODES):
        if child is None or child.tag in tags:
            return child
        child = child.next
    return None


def _texts_of_cells(row: LexborNode) -> Iterator[str]:
    """Yield the text in each column of a row; "" for cells with controls, or too long for a label."""
    cell = row.first_child
    for _ in range(2 * _COLUMNS):
        if cell is None:
            return
        if cell.tag in _CELLS:
            yield from [_text_of_cell(cell)] * _span(cell)
        cell = cell.next


def _text_of_cell(cell: LexborNode) -> str:
    pieces: list[str] = []
    length = 0
    for count, node in enumerate(cell.traverse(include_text=True)):
        if count > _MOST_NODES or length > LONGEST_LABEL or node.tag in _CONTROLS:
            return ""
        if node.is_text_node:
            pieces.append((node.text_content or "")[:_REACH])
            length += len(pieces[-1].strip())
    return " ".join(" ".join(pieces).split())
