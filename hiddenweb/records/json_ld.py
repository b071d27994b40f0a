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
"""Most values of a script that are read; a limit of taste that keeps a page within seconds."""

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
_VALUE_KEYS = (
    "name",
    "price",
    "ratingValue",
    "value",
    "@value",
)  # of a thing that is the value of a property


def items_in(walk: TreeWalk) -> Mapping[str, list[Pair]]:
    """Return the attributes of each item of the page, by its address and by its name."""
    if walk.items is not None:
        return walk.items
    items: dict[str, list[Pair]] = {}
    walk.items = items
    for data in read_json_ld(walk):
        for item in _listed_items(data):
            if len(items) < _MOST_ITEMS:
                _add(items, item, walk)
    return items


def statements_about(items: Mapping[str, list[Pair]], title: str, address: str | None) -> list[Pair]:
    """Return the attributes of a record, found by its address or else by its name."""
    return items.get(address or "") or items.get(title.casefold()) or []


def _add(items: dict[str, list[Pair]], item: dict[str, object], walk: TreeWalk) -> None:
    pairs = [
        (name, text)
        for key, value in list(item.items())[:40]
        if not key.startswith("@") and key.lower() not in _NO_ATTRIBUTES and (name := from_property(key))
        for text in _texts(value)
    ]
    address, title = item.get("url") or item.get("@id"), item.get("name")
    if pairs and isinstance(address, str) and (resolved := walk.resolve(address)):
        items.setdefault(resolved, pairs)
    if pairs and isinstance(title, str) and title.strip():
        items.setdefault(fold_line(title), pairs)


def _listed_items(data: object) -> Iterator[dict[str, object]]:
    """Yield the things in arrays and item lists. A thing that is in no list is left out: it could be any record."""
    waiting, count = [(data, False)], 0
    while waiting and count < _MOST_NODES:
        value, listed = waiting.pop()
        count += 1
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
            each = next(
                (one[key] for key in _VALUE_KEYS if isinstance(one.get(key), str | int | float)), None
            )
        if isinstance(each, str | int | float) and not isinstance(each, bool):
            text = " ".join(str(each).split())
            if text and not text.startswith(("http://schema.org", "https://schema.org")):
                yield text
