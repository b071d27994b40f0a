"""Pages of one template, with paths to what is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.extraction.template_watch import TemplateWatch

if TYPE_CHECKING:
    from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser

from hiddenweb.extraction.path_patterns import TargetPaths
from hiddenweb.html.skeleton import skeleton_and_nodes

NAMES = ("title", "author", "price")


def page(
    number: int,
    *,
    banner: str = "",
    main: str = "main",
    related: int = 2,
    tag: str = "div",
    missing: str = "",
    row: str = "row",
) -> str:
    """Return a page of a book; the number of related books is noise below the record."""
    rows = "".join(
        f"<div class='{row}'><b>{name}</b><span id={name} class='value v{number}'>{name} {number}</span></div>"
        for name in NAMES
        if name != missing
    )
    others = "".join(f"<li>{n}</li>" for n in range(related))
    return (
        f"<title>Wonderful{number} book</title><div class=top>Shop</div>{banner}"
        f"<{tag} class='{main}'><h1>x</h1><div class='record wonderful{number}'>{rows}</div></{tag}><ul>{others}</ul>"
    )


def paths(html: str) -> TargetPaths:
    tree = LexborHTMLParser(html)
    skeleton, numbers = skeleton_and_nodes(tree)
    places = {element.attributes["id"]: numbers[element.mem_id] for element in tree.css("[id]")}
    nodes = {name: places.get(name) for name in NAMES}
    found = [node for node in nodes.values() if node is not None]
    return TargetPaths(skeleton, skeleton.common(found) if found else None, nodes)


def learnt(make: Callable[[int], str] = page, count: int = 10) -> TemplateWatch:
    watch = TemplateWatch()
    watch.learn([paths(make(number)) for number in range(count)])
    return watch


def show_pages(watch: TemplateWatch, make: Callable[[int], str], count: int = 10) -> TemplateWatch:
    for number in range(100, 100 + count):
        watch.see(paths(make(number)))
    return watch


def alarms(watch: TemplateWatch) -> list[str]:
    return [alarm.kind for alarm in watch.alarms]
