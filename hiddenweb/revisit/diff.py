"""Which words changed, and which records.

Words are compared within the parts of a page that differ, not over the whole page, so that a long page costs no more than its
changes. Common beginnings and ends of two parts are removed first; if the rest is too long to be compared word by word, it is reported as one edit.
Scripts without spaces are compared by character, each with its marks.

Records are compared by key, never by position. A record without an address has a key made of its words, so when one is removed and
another of the same title is added, it is the same record with other words. Whether a record is gone can only be said of a complete answer: on one
page of several it may have moved to the next.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from hiddenweb.language.folding import fold_line
from hiddenweb.revisit.change import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.model import Record
    from hiddenweb.revisit.change import ChangeKind

_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    rf"\s+|\d+(?:[.,:/]\d+)*|[{_UNSPACED}][{_MARKS}]*|(?:[^\W\d_{_UNSPACED}]|[{_MARKS}])+|.",
    re.DOTALL,
)
_MAX_PAIRS = 160_000  # pairs of tokens that are compared, which bounds the time; a limit of taste
_MAX_EDIT = 2_000  # characters of either side of an edit; a limit of taste
_SHORT_GAP = 3  # characters between two edits that are reported as one; a limit of taste


@dataclass(frozen=True, slots=True)
class RecordChange:
    """What became of a record."""

    kind: ChangeKind
    record: Record  # the new one, or the removed one
    attribute: str = ""  # that changed; empty: the other words
    before: str = ""
    after: str = ""
    old: Record | None = None  # of one that changed


def word_edits(before: str, after: str) -> tuple[Edit, ...]:
    """Return which words of a text replaced which others.

    >>> word_edits("The red house", "The old red barn")
    (Edit(before='', after='old'), Edit(before='house', after='barn'))
    """
    return tuple(_edits((each.before, each.after) for each in align_texts(before, after)))


def align_texts(before: str, after: str) -> tuple[Edit, ...]:
    """Return two texts side by side: common words and replaced words, in turn.

    >>> [(each.before, each.after) for each in align_texts("The red house", "The old red barn")]
    [('The ', 'The '), ('', 'old '), ('red ', 'red '), ('house', 'barn')]
    """
    if before == after:
        return (Edit(before, after),) if before else ()
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    first = _common(old, new)
    last = _common(old[first:][::-1], new[first:][::-1])
    begin, end = "".join(old[:first]), "".join(old[len(old) - last :])
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    if len(old) * len(new) > _MAX_PAIRS:
        blocks = [("replace", "".join(old), "".join(new))]
    else:
        found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        blocks = [(tag, "".join(old[a:b]), "".join(new[c:d])) for tag, a, b, c, d in found]
    whole = (("equal", begin, begin), *blocks, ("equal", end, end))
    return tuple(Edit(*pair) for pair in _join_blocks(whole) if any(pair))


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many tokens two texts have in common at their beginning."""
    shorter = min(len(old), len(new))
    return next((at for at in range(shorter) if old[at] != new[at]), shorter)


def _join_blocks(blocks: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield common and replaced text in turn; edits that only a few characters separate are joined."""
    old = new = between = ""
    for tag, before, after in blocks:
        if tag != "equal":
            old, new, between = old + between + before, new + between + after, ""
        elif (old or new) and len(before) < _SHORT_GAP:
            between = before
        else:
            yield old, new
            yield before, after
            old = new = between = ""
    yield old, new
    yield between, between


def _edits(pairs: Iterable[tuple[str, str]]) -> Iterator[Edit]:
    for old, new in pairs:
        before, after = old.strip(), new.strip()
        if before != after:
            yield Edit(_cut(before), _cut(after))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_EDIT else f"{text[: _MAX_EDIT - 1]}…"


# Records


def record_changes(
    before: Iterable[Record],
    after: Iterable[Record],
    *,
    is_whole: bool = True,
    elsewhere: frozenset[str] = frozenset(),
) -> tuple[RecordChange, ...]:
    """Return the changes of records: added, changed, removed.

    Unless the whole answer was read both times, no record counts as removed. `elsewhere` are the keys of records known
    from other pages of the answer: they moved, they are not new.
    """
    old = {record.key: record for record in before}
    new = {record.key: record for record in after}
    added = [record for key, record in new.items() if key not in old and key not in elsewhere]
    removed = [record for key, record in old.items() if key not in new and key not in elsewhere]
    common = [(old[key], record) for key, record in new.items() if key in old]
    renamed = _pair_by_title(removed, added)
    rewritten = {record.key for pair in renamed for record in pair}
    changes = [change for pair in (*common, *renamed) for change in _find_changes(*pair)]
    changes += [
        RecordChange("record added", each, after=each.text) for each in added if each.key not in rewritten
    ]
    if is_whole:
        changes += [
            RecordChange("record removed", each, before=each.text)
            for each in removed
            if each.key not in rewritten
        ]
    return tuple(changes)


def _pair_by_title(removed: Iterable[Record], added: Iterable[Record]) -> list[tuple[Record, Record]]:
    """Return the records that were removed and added again with other words: those whose title is unique on both sides."""
    pairs: list[tuple[Record, Record]] = []
    old_by_name, new_by_name = _group_by_name(removed), _group_by_name(added)
    for name, old in old_by_name.items():
        new = new_by_name.get(name, [])
        if len(old) == len(new) == 1 and not (_has_own_address(old[0]) and _has_own_address(new[0])):
            pairs.append((old[0], new[0]))
    return pairs


def _has_own_address(record: Record) -> bool:
    return "#" not in record.key and record.key.startswith(("http://", "https://"))


def _group_by_name(records: Iterable[Record]) -> dict[str, list[Record]]:
    found: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if name := fold_line(record.title):
            found[name].append(record)
    return found


def _find_changes(old: Record, new: Record) -> Iterator[RecordChange]:
    """Yield the changed attributes of a record, and its other words if they changed too."""
    was, is_now = _attributes(old), _attributes(new)
    for name in dict.fromkeys((*was, *is_now)):
        before, after = was.get(name, ""), is_now.get(name, "")
        if before != after:
            yield RecordChange("record changed", new, name, before, after, old)
    if (before := strip_labelled_values(old)) != (after := strip_labelled_values(new)):
        yield RecordChange("record changed", new, "", before, after, old)


def strip_labelled_values(record: Record) -> str:
    """Return the words of a record without its labelled values."""
    text = record.text
    for name, value in record.pairs:
        text = text.replace(value, " ", 1).replace(name, " ", 1)
    return " ".join(text.split())


def _attributes(record: Record) -> dict[str, str]:
    """Return the labelled values of a record; the values of a repeated label are joined in alphabetical order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in record.pairs:
        found[name].append(value)
    return {name: "; ".join(sorted(values)) for name, values in found.items()}
