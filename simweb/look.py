"""How a site's pages look in HTML: its dialect, its bad habits, and its redesigns.

A `Look` says what one webmaster does: tables or divs, which classes, upper-case tags, missing quotes, end tags left
out. A `Skin` is the look made ready to write with: opening and closing strings by role ("result", "title"...). A
redesign is a name from `REDESIGNS`; a skin made with more redesigns is a later version of the template.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from simweb.chance import draw, pick, rng
from simweb.escaping import escape

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
        "result_text": "p", "pager": "nav", "notice": "p", "block": "section", "ad": "aside", "record": "article",
        "row": "p", "crumbs": "nav",
    },
    "divs": {
        "nav": "div", "main": "div", "side": "div", "foot": "div", "heading": "h1", "subheading": "h2", "text": "p",
        "list": "ul", "item": "li", "results": "div", "result": "div", "result_title": "h3", "result_text": "div",
        "pager": "div", "notice": "div", "block": "div", "ad": "div", "record": "div", "row": "div", "crumbs": "div",
    },
    "tables": {
        "nav": "center", "main": "td", "side": "td", "foot": "td", "heading": "h2", "subheading": "h3", "text": "p",
        "list": "ul", "item": "li", "results": "div", "result": "div", "result_title": "b", "result_text": "span",
        "pager": "center", "notice": "font", "block": "div", "ad": "center", "record": "div", "row": "div",
        "crumbs": "small",
    },
}  # fmt: skip
_RENAMED = {
    "div": "section", "section": "div", "ul": "ol", "h1": "h2", "h2": "h3", "h3": "h4", "p": "div", "article": "div",
    "nav": "div", "aside": "div", "main": "div", "footer": "div", "b": "strong", "span": "em", "center": "div",
    "li": "li", "td": "td", "font": "span", "small": "div",
}  # fmt: skip
_CLASS_STYLES = (
    "{prefix}-{role}",
    "{prefix}{Role}",
    "{role}",
    "{prefix}_{role}",
    "c{code}",
    "{role} {prefix}",
)
_OPTIONAL_ENDS = frozenset({"li", "p", "td", "tr", "dt", "dd"})


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


class Skin:
    """A look in one version of its template, ready to write with."""

    def __init__(self, look: Look, redesigns: tuple[str, ...] = ()) -> None:
        self.look = look
        self.redesigns = redesigns
        self._renames_tags = _odd(redesigns, "rename-tags") or "whole-page" in redesigns
        self._class_version = sum(name in ("rename-classes", "whole-page") for name in redesigns)
        self._moved = sum(name in ("move", "swap", "whole-page") for name in redesigns) % 2 == 1
        self._open: dict[str, str] = {}
        self._close: dict[str, str] = {}
        for role, tag in _TAGS[look.layout].items():
            name = _RENAMED[tag] if self._renames_tags else tag
            self._open[role] = self.tag(name, f" class={self.attribute(self.class_of(role))}")
            self._close[role] = self.end(name)

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
        prefix = self.look.prefix + ("" if not self._class_version else f"v{self._class_version + 1}")
        role_name = role.replace("_", "-")
        return self.look.class_style.format(
            prefix=prefix,
            role=role_name if not self._class_version else f"{role_name}-{self._class_version + 1}",
            Role=role_name.title().replace("-", ""),
            code=draw(prefix, role) % 10_000,
        )

    def link(self, href: str, text: str, extra: str = "") -> str:
        """Return an <a> element; the text is escaped, the address too."""
        return f'<a href="{escape(href)}"{extra}>{escape(text)}</a>'

    def body(self, nav: str, main: str, side: str, foot: str, banner: str) -> str:
        """Arrange the parts of a page by the look and its redesigns."""
        main = self._redesigned(main, banner)
        side_first = self.look.side_first != self._moved
        if self.look.layout == "tables":
            return self._table_body(nav, main, side, foot, side_first)
        middle = (side, main) if side_first else (main, side)
        order = (nav, *middle, foot) if not self._moved else (*middle, nav, foot)
        stray = "</font></center>" if self.look.stray_ends else ""
        return stray.join(order)

    def _table_body(self, nav: str, main: str, side: str, foot: str, side_first: bool) -> str:
        cells = (side, main) if side_first else (main, side)
        row, end_row = self.tag("tr"), self.end("tr")
        table = self.tag("table", ' width="100%" border=0 cellpadding=4')
        rows = row + "".join(cells) + end_row + row + foot + end_row
        return nav + table + rows + self.end("table")

    def _redesigned(self, main: str, banner: str) -> str:
        if not self.redesigns:
            return main
        block = f'<div class="{self.look.prefix}-new">{banner}</div>'
        inside = main.removeprefix(self._open["main"]).removesuffix(self._close["main"])
        for name in self.redesigns:
            match name:
                case "wrap":
                    inside = f'<div class="outer"><div class="inner">{inside}</div></div>'
                case "insert-before":
                    inside = block + inside
                case "insert-both":
                    inside = block + inside + block
        return self._open["main"] + inside + self._close["main"]

    @property
    def drops_crumbs(self) -> bool:
        """Say whether a redesign removed the block before the content."""
        return _odd(self.redesigns, "remove-block") or "whole-page" in self.redesigns


def random_id(skin: Skin, stem: str, *names: object) -> str:
    """Return an element id: stable, or new with every request where the site does that."""
    if not skin.look.random_ids:
        return stem
    return f"{pick(('x', 'id_', 'el-', 'f'), stem)}{draw(*names, stem) % 16**8:08x}"


def _odd(names: tuple[str, ...], name: str) -> bool:
    return names.count(name) % 2 == 1
