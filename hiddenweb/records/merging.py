"""One record from what several pages say about it.

An answer and the record's own page name their values with more or less evidence: by labels, heads of columns and names in the source, which the page
*shows*, or by classes and places, which are *guesses*. Of one name the values are those with better evidence. Where both are shown, the
answer's stay, which are of one kind for all records, unless they are cut off there. Two ways to write one value are no conflict; two values
are, and both are kept: the one that was chosen, and the other.

A guessed name gives way to a label that the other page has for the same value. What only one page says is added.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.language.folding import fold_line
from hiddenweb.records.own_page import LONG, weigh
from hiddenweb.records.typed_values import kind_of, parse_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    Pair = tuple[str, str]

TITLE = "title"
"""The name that the title of a record has if the page has no other; it is never given up."""

TEXT = "text"
"""The name of the longest text of a record, if the page has no other."""

MOST_ATTRIBUTES = 120
"""Attributes of a record, from all pages together; a limit of taste."""

_CUT_OFF = re.compile(r"\s*(?:\.\.\.|…|\[…\]|\[\.\.\.\])\s*$")
_LETTERS = re.compile(r"\w+")
_COMPARED = ("date", "number", "boolean", "price", "duration")


class Conflict(NamedTuple):
    """Two values of one attribute: the one that the record has, and the one that another page says."""

    name: str
    chosen: str
    other: str
    source: str  # of the other: "answer" or "page"


class MergedRecord(NamedTuple):
    """The attributes of a record, and what pages disagree about."""

    attributes: list[Pair]
    shown: list[str]
    conflicts: list[Conflict]


def merge_page(
    answer: Sequence[Pair], shown: Collection[str], page: Sequence[Pair], bodies: Sequence[str] = ()
) -> MergedRecord:
    """Merge what an answer says of a record with what its own page states, where all names are shown.

    `bodies` are the longest texts of the page without a label: the whole of what answers cut off, or what they leave out.
    """
    stated = _values_by_name(page)
    renamed = _find_labels_of_guesses(answer, shown, stated)
    attributes: list[Pair] = []
    conflicts: list[Conflict] = []
    for name, values in _values_by_name(answer).items():
        if name in renamed:
            continue
        others = stated.get(name)
        chosen = values
        if others is not None and not _say_the_same(values, others):
            is_shown = name in shown
            better, worse = (values, others) if is_shown else (others, values)
            chosen = worse if _extend(worse, better) else better
            if chosen is better and not _extend(better, worse) and not _contain(values, others):
                source = "page" if is_shown else "answer"
                conflicts.append(Conflict(name, "; ".join(better), "; ".join(worse), source))
        attributes += [(name, value) for value in chosen]
    known = {name for name, _ in attributes}
    attributes += [(name, value) for name, value in page if name not in known]
    if bodies:
        attributes = _add_body(attributes, bodies)
    names = dict.fromkeys([*(name for name in shown if name in known), *stated])
    return MergedRecord(list(dict.fromkeys(attributes))[:MOST_ATTRIBUTES], list(names), conflicts)


def _add_body(attributes: list[Pair], bodies: Sequence[str]) -> list[Pair]:
    """Return attributes with whole texts in place of those that are cut off; the longest is added if there is no other as long as half of it."""
    extended = [
        (name, next((body for body in bodies if _extend([body], [value])), value))
        for name, value in attributes
    ]
    longest = max(bodies, key=len)
    enough = max(LONG, weigh(longest) / 2)
    if weigh(longest) < LONG or any(name == TEXT or weigh(value) >= enough for name, value in extended):
        return extended
    return extended if extended != attributes else [*attributes, (TEXT, longest)]


def merge_answers(
    known: Sequence[Pair], known_shown: Collection[str], new: Sequence[Pair], new_shown: Collection[str]
) -> tuple[list[Pair], list[str]]:
    """Merge what two answers say of a record: attributes and the names that are shown.

    The answer that shows more names is the better one, and any is better than a link with nothing but a title. The other adds the names that only it shows, and values that are cut off in the better one.
    """
    if len(set(new_shown)) > len(set(known_shown)) or says_only_title(known):
        known, known_shown, new, new_shown = new, new_shown, known, known_shown
    added = _values_by_name(new)
    attributes: list[Pair] = []
    for name, values in _values_by_name(known).items():
        others = added.get(name, [])
        attributes += [(name, value) for value in (others if _extend(others, values) else values)]
    names = {name for name, _ in attributes}
    texts = {fold_line(value) for _, value in attributes}
    attributes += [
        (name, value)
        for name, value in new
        if name not in names and name in new_shown and (known_shown or fold_line(value) not in texts)
    ]
    shown = dict.fromkeys([*known_shown, *(name for name in new_shown if name not in names)])
    return attributes[:MOST_ATTRIBUTES], list(shown)


def says_only_title(attributes: Iterable[Sequence[str]]) -> bool:
    """Say whether an answer had nothing but the title of a record, as a link does."""
    return all(name == TITLE for name, _ in attributes)


def _values_by_name(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return values


def _find_labels_of_guesses(
    answer: Sequence[Pair], shown: Collection[str], stated: dict[str, list[str]]
) -> set[str]:
    """Return the guessed names of the answer for whose values the page has labels."""
    said = {_words(value) for name, values in stated.items() for value in values}
    guessed = {
        name: values
        for name, values in _values_by_name(answer).items()
        if name not in shown and name != TITLE
    }
    return {
        name
        for name, values in guessed.items()
        if name not in stated and all(_words(value) in said for value in values)
    }


def _say_the_same(values: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether two lists of values are the same but for spaces, case, signs, order, and how they are divided or written."""
    if sorted(_words(" ".join(values)).split()) == sorted(_words(" ".join(others)).split()):
        return True
    if len(values) != len(others):
        return False
    kind = kind_of([*values, *others])
    if kind not in _COMPARED:
        return False
    read = [[parse_value(value, kind) for value in some] for some in (values, others)]
    return None not in (*read[0], *read[1]) and [each.value for each in read[0] if each] == [
        each.value for each in read[1] if each
    ]


def _extend(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Say whether values are those of others that are cut off.

    >>> _extend(["The river rises in the hills"], ["The river rises ..."]), _extend(["The river"], ["The river rises ..."])
    (True, False)
    """
    if len(longer) != 1 or len(shorter) != 1 or not _CUT_OFF.search(shorter[0]):
        return False
    start = fold_line(_CUT_OFF.sub("", shorter[0]))
    return bool(start) and fold_line(longer[0]).startswith(start)


def _contain(values: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether the words of others are among those of values, such as a name with its number beside the number."""
    return set(_words(" ".join(others)).split()) <= set(_words(" ".join(values)).split())


def _words(text: str) -> str:
    return " ".join(_LETTERS.findall(text.casefold())) or fold_line(text)
