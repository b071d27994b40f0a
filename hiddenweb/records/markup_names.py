"""Names of attributes in the source of a page: microdata, RDFa, and names that are there for scripts and style sheets."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.records.attribute_names import clean, from_class, from_property
from hiddenweb.records.cells import subtree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddenweb.html.page_parts import MarkedProperty
    from hiddenweb.records.cells import CellText

    Kind = tuple[int, ...]
    Pairs = tuple[tuple[str, str], ...]

    from hiddenweb.records.attributes import RecordPieces

MOST_ATTRIBUTES = 60
"""Most attributes of a record; a limit of taste."""

LONGEST_VALUE = 5_000
"""Characters of a value that are kept; a limit of taste: an abstract is shorter."""

_NEARLY, _MOST = 0.9, 0.8  # of the records
_DATA_LABELS = frozenset({"data-label", "data-title", "data-th", "data-column", "data-header", "data-name"})
_DATA_NAMES = frozenset({"data-field", "data-attribute", "data-testid", "data-test", "data-qa", "data-role"})
_SAMPLE_SIZE = 10  # pieces of one kind; a limit of taste
_VALUE_ATTRIBUTES = ("content", "datetime", "value")


def name_by_source(page: RecordPieces) -> None:
    """Name pieces by microdata, RDFa and names that are there for scripts and style sheets."""
    marked: dict[int, MarkedProperty] = {
        each.place: each for each in page.walk.marked_properties if each.place >= 0
    }
    if page.walk.marked_properties:
        _read_empty_elements(page)
        for piece in page.pieces:
            if not piece.name and not piece.is_label:
                piece.name = _read_declared_name(page, piece, marked)
                piece.is_declared = bool(piece.name)
    for pieces in page.group_unnamed().values():
        names = Counter(_data_name(page, piece) for piece in pieces[:_SAMPLE_SIZE])
        name, times = names.most_common(1)[0]
        if name and times >= _MOST * names.total():
            for piece in pieces:
                piece.name, piece.is_declared = name, True


def _read_empty_elements(page: RecordPieces) -> None:
    """Read the values of elements without text from their attributes: `<meta itemprop="sku" content="17">`."""
    parts = [(root, number) for number, member in enumerate(page.members) for root in member.roots]
    ends = [max(subtree(page.elements, root)) for root, _ in parts]
    for each in page.walk.marked_properties:
        at = bisect_right(parts, (each.parent, len(parts))) - 1
        if each.place >= 0 or at < 0 or each.parent > ends[at]:
            continue
        value = next((each.attributes[key] for key in _VALUE_ATTRIBUTES if each.attributes.get(key)), None)
        pairs = page.empty[parts[at][1]]
        if value and len(pairs) < MOST_ATTRIBUTES:
            name = from_property(each.attributes.get("itemprop") or each.attributes.get("property"))
            pairs.append((name, " ".join(value[:LONGEST_VALUE].split())))


def _read_declared_name(page: RecordPieces, piece: CellText, marked: Mapping[int, MarkedProperty]) -> str:
    inner = ""
    for place in page.places_around(piece):
        if place in marked:
            attributes = marked[place].attributes
            name = from_property(attributes.get("itemprop") or attributes.get("property"))
            if inner and inner != "name":
                return inner
            if "itemscope" not in attributes and "typeof" not in attributes:
                inner = name
            elif inner:
                return name  # the name of an author is the author
    return inner


def _data_name(page: RecordPieces, piece: CellText) -> str:
    if piece.place < 0:
        return ""
    for place in (piece.place, page.top_of(piece)):
        node = page.walk.nodes.get(place)
        attributes = node.attributes if node is not None else {}
        for key in attributes:
            if key in _DATA_LABELS:
                return clean(attributes[key] or "")
            if key in _DATA_NAMES and (name := from_class(attributes[key] or "")):
                return name
    return ""
