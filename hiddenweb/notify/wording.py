"""Changes in words: a headline, lines with details, and a stable id."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.revisit.change import Change

_MAX_HEADLINE = 150  # characters; a limit of taste
_MAX_TEXT = 2_000  # characters of one value or edit; a limit of taste
_MAX_EDITS = 50  # edits of one change in a message; a limit of taste
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def change_id(change: Change) -> str:
    """Return a stable id of a change, made of what changed, how and when."""
    what = (change.kind, change.url, f"{change.at:.3f}", change.key, change.attribute, change.after)
    return uuid5(NAMESPACE_URL, "\n".join(printable(part) for part in what)).urn


def headline(change: Change) -> str:
    r"""Return a change in one line.

    >>> from hiddenweb.revisit.change import Change
    >>> headline(Change("record changed", "https://a.example/", 0.0, title="Dune", attribute="price", before="9", after="8"))
    'Dune: price is 8, was 9'
    >>> headline(Change("gone", "https://a.example/x", 0.0))
    'gone: https://a.example/x'
    """
    name = change.title or change.key or change.url
    if change.kind == "record changed" and change.attribute:
        text = f"{name}: {change.attribute} is {change.after or 'empty'}, was {change.before or 'empty'}"
    else:
        text = f"{change.kind}: {name}"
    return cut(" ".join(printable(text).split()), _MAX_HEADLINE)


def lines_of(change: Change) -> list[str]:
    """Return the details of a change, in lines; + was added, - was removed."""
    lines = [f"{change.kind} at {change.url}"]
    if change.query:
        lines.append(f"in the answer to: {change.query}")
    if change.attribute:
        lines.append(f"{change.attribute}:")
    lines += [f"- {cut(change.before, _MAX_TEXT)}"] if change.before else []
    lines += [f"+ {cut(change.after, _MAX_TEXT)}"] if change.after else []
    for edit in change.edits[:_MAX_EDITS]:
        lines += [f"- {cut(edit.before, _MAX_TEXT)}"] if edit.before else []
        lines += [f"+ {cut(edit.after, _MAX_TEXT)}"] if edit.after else []
    if len(change.edits) > _MAX_EDITS:
        lines.append(f"and {len(change.edits) - _MAX_EDITS} more")
    return [printable(line) for line in lines]


def digest(changes: Sequence[Change], beyond: Mapping[str, int], most: int) -> str:
    """Return many changes as one text: the number of each kind, a line for each of the first, and how many more."""
    kinds = Counter(change.kind for change in changes) + Counter(beyond)
    lines = [", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))]
    lines += [f"{headline(change)} {printable(change.url)}" for change in changes[:most]]
    if (more := kinds.total() - min(len(changes), most)) > 0:
        lines.append(f"and {more} more")
    return "\n".join(lines)


def printable(text: str) -> str:
    r"""Return a text without the characters that neither XML nor people can read.

    >>> printable("a\x00b\x1b[31m\ud800 \U0001f4a1\n")
    'ab[31m 💡\n'
    """
    return _NOT_IN_XML.sub("", text)


def cut(text: str, longest: int) -> str:
    """Return a text, or its beginning."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
