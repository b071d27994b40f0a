"""Sites of the shape of SWDE's, for where that data is not: 30 pages of a template each, with records of four attributes.

Each site draws its layout: a table, a list of terms or plain blocks for the record, menus and boxes around it. From page to page lists are longer or shorter, a box is there or not, an
attribute is missing now and then, and advertisements come and go, as on real pages.
"""

from __future__ import annotations

from html import escape
from random import Random
from typing import TYPE_CHECKING

from benchmarks._template_pages import new_name
from benchmarks._template_real import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

SITES, PAGES = 16, 30
ATTRIBUTES = ("title", "author", "publisher", "price")
WORDS = [
    "amber",
    "basin",
    "candle",
    "delta",
    "ember",
    "forest",
    "garden",
    "harbour",
    "island",
    "jasmine",
    "kettle",
    "lantern",
    "meadow",
    "nectar",
    "orchard",
    "prairie",
    "quartz",
    "river",
    "saddle",
    "timber",
    "umbra",
    "valley",
    "willow",
    "yonder",
    "zephyr",
]


def generate_sites(seed: int) -> Iterator[Site]:
    """Yield sites with their pages, always the same for a seed."""
    for number in range(SITES):
        layout = Layout(Random(f"{seed} site {number}"))
        draw = Random(f"{seed} pages {number}")
        records = [{name: value(name, draw) for name in ATTRIBUTES} for _ in range(PAGES)]
        pages = tuple(layout.page(record, draw, is_first=not at) for at, record in enumerate(records))
        yield Site(f"generated-{number:02}", pages, records[0])


def value(name: str, draw: Random) -> str:
    """Return a value of an attribute."""
    if name == "price":
        return f"${draw.randint(3, 400)}.{draw.randint(10, 99)}"
    return " ".join(word.title() for word in draw.sample(WORDS, 4 if name == "title" else 2))


class Layout:
    """The template of a site."""

    def __init__(self, draw: Random) -> None:
        self.kind = draw.choice(("table", "dl", "div"))
        self.names = {
            name: new_name(f"{draw.random()}") for name in ("box", "main", "row", "menu", "side", "ad")
        }
        self.wrappers = draw.randint(0, 5)
        self.boxes = draw.randint(1, 4)
        self.labels = {name: new_name(f"{draw.random()}").title() for name in ATTRIBUTES}
        self.menu = draw.randint(3, 9)

    def page(self, record: dict[str, str], draw: Random, *, is_first: bool) -> str:
        """Return a page with a record; the first has all attributes, others may lack one."""
        names = self.names
        shown = {
            name: text for name, text in record.items() if is_first or name == "title" or draw.random() > 0.04
        }
        menu = "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(self.menu))
        boxes = "".join(self._box(draw) for _ in range(self.boxes))
        advertisement = (
            f"<script>show()</script><div class='{names['ad']}'>Buy</div>" if draw.random() < 0.1 else ""
        )
        inside = (
            f"<h1>{escape(record['title'])}</h1><div class='{names['box']} item{draw.randint(1, 999)}'>{self._record(shown)}</div>"
            f"<p>{' '.join(draw.choices(WORDS, k=draw.randint(20, 60)))}</p>"
        )
        for depth in range(self.wrappers):
            inside = f"<div class='{new_name(names['main'] + str(depth))}'>{inside}</div>"
        return (
            f"<html><head><title>{escape(record['title'])} - Shop</title></head><body><div class='top'><ul class='{names['menu']}'>{menu}</ul></div>"
            f"<div class='{names['main']}'>{inside}</div>{boxes}{advertisement}<div class='foot'>About us</div></body></html>"
        )

    def _record(self, shown: dict[str, str]) -> str:
        rows = []
        for name, text in shown.items():
            if name == "title":
                continue
            label, said = self.labels[name], escape(text)
            if self.kind == "table":
                rows.append(f"<tr class='{self.names['row']}'><td>{label}:</td><td>{said}</td></tr>")
            elif self.kind == "dl":
                rows.append(f"<dt>{label}</dt><dd>{said}</dd>")
            else:
                rows.append(
                    f"<div class='{self.names['row']}'><b>{label}</b> <span class='{name}'>{said}</span></div>"
                )
        tag = self.kind
        return f"<{tag}>{''.join(rows)}</{tag}>"

    def _box(self, draw: Random) -> str:
        items = "".join(f"<li>{' '.join(draw.choices(WORDS, k=3))}</li>" for _ in range(draw.randint(2, 8)))
        return f"<div class='{self.names['side']}'><h3>See also</h3><ul>{items}</ul></div>"
