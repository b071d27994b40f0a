"""What is known of an address between two revisits, as JSON.

The content of a page is stored separately from the rest: it is long, and most revisits do not change it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, get_args

from hiddenweb.model import Record
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.comparison import ComparisonState
from hiddenweb.revisit.noise import HeldDifference
from hiddenweb.revisit.noise_counts import OwnCount
from hiddenweb.revisit.noise_place import NoisePlace, PlaceKind
from hiddenweb.revisit.parts import PageVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_PLACES = frozenset(get_args(PlaceKind))
_CONTENT_FIELDS = ("version", "records")
_IN_COLUMNS = ("number", "old", "new", "kind", "at")


def content_to_json(known: ComparisonState) -> str:
    """Return the content of a page and its records."""
    version = known.version
    records = [(each.key, each.title, each.text, each.url, each.pairs) for each in known.records]
    content = version and (
        version.title, version.parts, version.structure, version.signs, version.links, version.paths,
    )  # fmt: skip
    return _dump((content, records))


def state_to_json(known: ComparisonState) -> str:
    """Return the state of an address without its content."""
    return _dump(
        {each.name: getattr(known, each.name) for each in fields(known) if each.name not in _CONTENT_FIELDS}
    )


def state_from_json(state: str, content: str) -> ComparisonState:
    """Return the state that was written as JSON."""
    read: dict[str, Any] = json.loads(state)
    version, records = json.loads(content)
    read |= {
        "own": tuple(OwnCount(place, *each[1:]) for each in read["own"] for place in _place(each[0])),
        "held": tuple(
            HeldDifference(before, after, tuple(place for each in by for place in _place(each)))
            for before, after, by in read["held"]
        ),
        "missing": tuple(read["missing"]),
        "unreachable": tuple(read["unreachable"]),
        "faces": tuple(read.get("faces", ())),
    }
    return ComparisonState(
        **read,
        version=PageVersion.from_lists(*version) if version else None,
        records=tuple(_records(records)),
    )


def change_to_json(change: Change) -> str:
    """Return a change without the fields that the store has in columns."""
    facts = {name: value for name, value in asdict(change).items() if name not in _IN_COLUMNS and value}
    return json.dumps(facts, ensure_ascii=False)


def change_from_json(text: str, **columns: Any) -> Change:
    """Return a change that was written as JSON, with the fields that the store has in columns."""
    read: dict[str, Any] = json.loads(text)
    edits = tuple(Edit(**edit) for edit in read.pop("edits", ()))
    return replace(Change(**columns, **read), edits=edits)


def _records(records: Iterable[Sequence[Any]]) -> Iterator[Record]:
    for key, title, text, url, pairs in records:
        yield Record(key, title, text, url, tuple((name, value) for name, value in pairs))


def _place(stored: Sequence[Any]) -> Iterator[NoisePlace]:
    """Yield a place, unless its kind no longer exists."""
    kind, words = stored
    if kind in _PLACES:
        yield NoisePlace(kind, words)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
