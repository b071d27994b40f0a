"""What JSON-LD (`hiddenweb.html.json_ld`) says of the items on a page, by their addresses and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.html.json_ld import read_json_ld
from hiddenweb.language.folding import fold_line
from hiddenweb.records.attribute_names import from_property

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hiddenweb.html.tree_walk import TreeWalk

    Pair = tuple[str, str]

_MOST_ITEMS = 1_000  # items of a page; a limit of taste
_MOST_NODES = 50_000
"""Values of a script that are looked at, at most; a limit of taste that keeps a page within seconds."""

_NO_ATTRIBUTES = frozenset(
    {
        "url",
        "position",
        "image",
        "potentialaction",
        "mainentityofpage",
        "logo",
        "thumbnailurl",
        "itemlistelement",
        "identifier",
    }
)
_SAYING = ("name", "price", "ratingValue", "value", "@value")  # of something that is said by another thing


def items_in(walk: TreeWalk) -> Mapping[str, list[Pair]]:
    """Return what is said of each item of the page: by its address, or by its name."""
    if walk.items is not None:
        return walk.items
    items: dict[str, list[Pair]] = {}
    walk.items = items
    for data in read_json_ld(walk):
        for item in _things(data):
            if len(items) < _MOST_ITEMS:
                _add(items, item, walk)
    return items


def statements_about(items: Mapping[str, list[Pair]], title: str, address: str | None) -> list[Pair]:
    """Return what is said of a record, by its address or else by its name."""
    return items.get(address or "") or items.get(title.casefold()) or []


def _add(items: dict[str, list[Pair]], item: dict[str, object], walk: TreeWalk) -> None:
    said = [
        (name, text)
        for key, value in list(item.items())[:40]
        if not key.startswith("@") and key.lower() not in _NO_ATTRIBUTES and (name := from_property(key))
        for text in _texts(value)
    ]
    address, called = item.get("url") or item.get("@id"), item.get("name")
    if said and isinstance(address, str) and (resolved := walk.resolve(address)):
        items.setdefault(resolved, said)
    if said and isinstance(called, str) and called.strip():
        items.setdefault(fold_line(called), said)


def _things(data: object) -> Iterator[dict[str, object]]:
    """Yield what lists hold: the values of arrays, and of the elements of item lists; of a single thing nobody knows which record it is."""
    waiting, seen = [(data, False)], 0
    while waiting and seen < _MOST_NODES:
        value, listed = waiting.pop()
        seen += 1
        if isinstance(value, list):
            waiting += [(each, True) for each in reversed(value) if isinstance(each, dict | list)]
        elif isinstance(value, dict):
            item = value.get("item")
            if isinstance(item, dict):
                waiting.append(({"url": value.get("url"), **item}, True))
                continue
            if listed and (value.get("name") or value.get("url")):
                yield value
            inner = (
                each
                for key, each in value.items()
                if key in ("itemListElement", "@graph", "mainEntity", "hasPart")
            )
            waiting += [(each, False) for each in inner if isinstance(each, dict | list)]


def _texts(value: object) -> Iterator[str]:
    values = value if isinstance(value, list) else [value]
    for one in values[:20]:
        each: object = one
        if isinstance(one, dict):
            each = next((one[key] for key in _SAYING if isinstance(one.get(key), str | int | float)), None)
        if isinstance(each, str | int | float) and not isinstance(each, bool):
            text = " ".join(str(each).split())
            if text and not text.startswith(("http://schema.org", "https://schema.org")):
                yield text
