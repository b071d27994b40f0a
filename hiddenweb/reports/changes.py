"""Changes as a terminal shows them, and as data.

What went is red and struck through, what came is green and underlined, so that both can be told apart without colours, too. Control
characters in the texts of strangers are taken out: they could move the cursor, or rewrite what stands on the screen.
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

_WENT, _CAME, _HEAD, _PLAIN = "\x1b[31;9m", "\x1b[32;4m", "\x1b[1m", "\x1b[0m"
_SIGNS = {
    "new": "*", "content": "~", "record added": "+", "record removed": "-", "record changed": "~", "template": "#", "gone": "-", "back": "+",
}  # fmt: skip
_MAX_SIDE = 300  # characters of either side of an edit; a limit of taste
MAX_WHOLE = 10_000  # characters of an edit that is shown as a whole; a limit of taste
_CONTEXT_CHARACTERS = 60  # characters before and behind an edit; a limit of taste


def describe_change(change: Change, *, in_colour: bool = True, longest: int = _MAX_SIDE) -> str:
    """Return a change as lines for a terminal: what kind and where, then every edit on a line of its own."""
    return "\n".join(_lines(change, in_colour, longest))


def change_facts(change: Change) -> dict[str, object]:
    """Return a change as values that JSON can hold, without what it does not say."""
    told = {name: value for name, value in asdict(change).items() if value not in ("", (), [], None, 0)}
    return {**told, "at": change.at, "edits": [asdict(edit) for edit in change.edits]}


def comparison_shown(comparison: VersionDiff, *, in_colour: bool = True) -> list[str]:
    """Return what differs between two versions as lines for a terminal: every part with its words that went and came, then the records."""
    parts = [f"    {_side_by_side(part.before, part.after, in_colour)}" for part in comparison.parts]
    return [*parts, *(line for each in comparison.records for line in _record_lines(each, in_colour))]


def comparison_as_data(comparison: VersionDiff) -> dict[str, object]:
    """Return what differs between two versions as values that JSON can hold."""
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


def time_shown(at: float) -> str:
    """Return a time as it is shown everywhere here."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _record_lines(change: RecordChange, in_colour: bool) -> Iterator[str]:
    yield f"    {_SIGNS[change.kind]} {change.kind}  {safe(change.record.title or change.record.key)}"
    label = f"{safe(change.attribute)}: " if change.attribute else ""
    yield f"        {label}{_side_by_side(change.before, change.after, in_colour)}"


def _side_by_side(before: str, after: str, in_colour: bool) -> str:
    """Return a text with what went and came in its place; of what stood, what is near to that."""
    pieces = align_texts(before, after)
    shown = []
    for place, piece in enumerate(pieces):
        if piece.before != piece.after:
            words = _edit(piece.before, piece.after, in_colour, MAX_WHOLE, "")
            both = piece.before + piece.after
            shown.append(" " * both[:1].isspace() + words + " " * both[-1:].isspace())
        else:
            shown.append(_near(safe(piece.before), is_first=place == 0, is_last=place == len(pieces) - 1))
    return "".join(shown).strip()


def _near(text: str, *, is_first: bool, is_last: bool) -> str:
    begin = "" if is_first else text[:_CONTEXT_CHARACTERS]
    end = "" if is_last else text[-_CONTEXT_CHARACTERS:]
    return text if len(text) <= len(begin) + len(end) else f"{begin}…{end}"


def _lines(change: Change, in_colour: bool, longest: int) -> Iterator[str]:
    when = time_shown(change.at)
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
    went, came = (safe(shorten(text, longest)) for text in (before, after))
    if in_colour:
        parts = [f"{_WENT}{went}{_PLAIN}" if went else "", f"{_CAME}{came}{_PLAIN}" if came else ""]
    else:
        parts = [f"[-{went}-]" if went else "", f"{{+{came}+}}" if came else ""]
    return between.join(filter(None, parts))


def safe(text: str) -> str:
    """Return a text without what could move the cursor or rewrite the screen."""
    return "".join(
        letter
        for letter in text
        if unicodedata.category(letter) not in ("Cc", "Cf") or letter in "\u200c\u200d"
    )
