"""Changes as a terminal shows them, and as data.

Removed words are red and struck through, added words green and underlined, so that both can be distinguished without colours, too. Control
characters in foreign texts are removed: they could move the cursor, or rewrite the screen.
"""

from __future__ import annotations

import unicodedata
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hiddenweb.language.shortening import shorten
from hiddenweb.revisit.diff import align_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.diff import RecordChange
    from hiddenweb.revisit.versions import VersionDiff

_REMOVED, _ADDED, _HEAD, _PLAIN = "\x1b[31;9m", "\x1b[32;4m", "\x1b[1m", "\x1b[0m"
_SIGNS = {
    "new": "*", "content": "~", "record added": "+", "record removed": "-", "record changed": "~", "template": "#", "gone": "-", "back": "+",
}  # fmt: skip
_MAX_SIDE = 300  # characters of either side of an edit; a limit of taste
MAX_WHOLE = 10_000  # characters of an edit that is shown completely; a limit of taste
_CONTEXT_CHARACTERS = 60  # characters before and behind an edit; a limit of taste


def describe_change(change: Change, *, in_colour: bool = True, longest: int = _MAX_SIDE) -> str:
    """Return a change as lines for a terminal: its kind and place, then a line for every edit."""
    return "\n".join(_lines(change, in_colour, longest))


def change_facts(change: Change) -> dict[str, object]:
    """Return a change as values for JSON, without empty ones."""
    facts = {name: value for name, value in asdict(change).items() if value not in ("", (), [], None, 0)}
    return {**facts, "at": change.at, "edits": [asdict(edit) for edit in change.edits]}


def comparison_lines(comparison: VersionDiff, *, in_colour: bool = True) -> list[str]:
    """Return the differences between two versions as lines for a terminal: parts with removed and added words, then records."""
    parts = [f"    {_side_by_side(part.before, part.after, in_colour)}" for part in comparison.parts]
    return [*parts, *(line for each in comparison.records for line in _record_lines(each, in_colour))]


def comparison_facts(comparison: VersionDiff) -> dict[str, object]:
    """Return the differences between two versions as values for JSON."""
    records = [
        {
            "kind": each.kind, "key": each.record.key, "title": each.record.title, "attribute": each.attribute,
            "before": each.before, "after": each.after,
        }
        for each in comparison.records
    ]  # fmt: skip
    return {
        "edits": [asdict(edit) for edit in comparison.edits],
        "parts": [asdict(part) for part in comparison.parts],
        "records": [{name: value for name, value in each.items() if value} for each in records],
    }


def utc_time(at: float) -> str:
    """Return a time in UTC as lists of changes print it."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _record_lines(change: RecordChange, in_colour: bool) -> Iterator[str]:
    yield f"    {_SIGNS[change.kind]} {change.kind}  {safe(change.record.title or change.record.key)}"
    label = f"{safe(change.attribute)}: " if change.attribute else ""
    yield f"        {label}{_side_by_side(change.before, change.after, in_colour)}"


def _side_by_side(before: str, after: str, in_colour: bool) -> str:
    """Return a text with removed and added words in place; of the unchanged text only what is near to them."""
    pieces = align_texts(before, after)
    pieces_text = []
    for place, piece in enumerate(pieces):
        if piece.before != piece.after:
            words = _edit(piece.before, piece.after, in_colour, MAX_WHOLE, "")
            edited = piece.before + piece.after
            pieces_text.append(" " * edited[:1].isspace() + words + " " * edited[-1:].isspace())
        else:
            pieces_text.append(
                _near(safe(piece.before), is_first=place == 0, is_last=place == len(pieces) - 1)
            )
    return "".join(pieces_text).strip()


def _near(text: str, *, is_first: bool, is_last: bool) -> str:
    begin = "" if is_first else text[:_CONTEXT_CHARACTERS]
    end = "" if is_last else text[-_CONTEXT_CHARACTERS:]
    return text if len(text) <= len(begin) + len(end) else f"{begin}…{end}"


def _lines(change: Change, in_colour: bool, longest: int) -> Iterator[str]:
    when = utc_time(change.at)
    number = f"{change.number}  " if change.number else ""
    head = f"{number}{when}  {_SIGNS[change.kind]} {change.kind}"
    yield f"{_HEAD}{head}{_PLAIN}  {safe(change.url)}" if in_colour else f"{head}  {safe(change.url)}"
    record = change.key if change.key.startswith(("http://", "https://")) and change.key != change.url else ""
    for name, value in (("record", record), ("title", change.title), ("query", change.query)):
        if value:
            yield f"    {name}: {safe(shorten(value, longest))}"
    label = f"{safe(change.attribute)}: " if change.attribute else ""
    if change.edits:
        for edit in change.edits:
            yield f"    {_edit(edit.before, edit.after, in_colour, longest)}"
    elif change.before or change.after:
        yield f"    {label}{_edit(change.before, change.after, in_colour, longest)}"


def _edit(before: str, after: str, in_colour: bool, longest: int, between: str = " ") -> str:
    removed, added = (safe(shorten(text, longest)) for text in (before, after))
    if in_colour:
        parts = [
            f"{_REMOVED}{removed}{_PLAIN}" if removed else "",
            f"{_ADDED}{added}{_PLAIN}" if added else "",
        ]
    else:
        parts = [f"[-{removed}-]" if removed else "", f"{{+{added}+}}" if added else ""]
    return between.join(filter(None, parts))


def safe(text: str) -> str:
    """Return a text without what could move the cursor or rewrite the screen."""
    return "".join(
        letter
        for letter in text
        if unicodedata.category(letter) not in ("Cc", "Cf") or letter in "\u200c\u200d"
    )
