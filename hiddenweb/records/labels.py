"""Labels that a page shows: in elements of their own before the values, alternating with the values, or before a colon."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from hiddenweb.html.tags import NUMBERS, numbers_of
from hiddenweb.records.attribute_names import clean, from_class
from hiddenweb.records.cells import has_content, has_words
from hiddenweb.records.delimited import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.records.cells import CellText

    Kind = tuple[int, ...]
    Pairs = tuple[tuple[str, str], ...]

    from hiddenweb.records.attributes import RecordPieces

_LONGEST_LABEL, _MOST_WORDS = 40, 6  # characters and words of a label; limits of taste
_NEARLY, _MOST = 0.9, 0.8  # of the records
_DT, _DD, _TR, _TH, _A, _BUTTON = (NUMBERS[name] for name in ("dt", "dd", "tr", "th", "a", "button"))
_LABELLING = numbers_of("dt th label")
_EMPHASISED = numbers_of("b strong em i h3 h4 h5 h6 small label legend")
LABEL_CLASS = re.compile(
    r"label|(?:^|[\s_-])(?:lbl|key|term|attr(?:ibute)?|caption|fname|field-?name)(?:$|[\s_-])|Label|Key$",
    re.IGNORECASE,
)
_COLONS = (":", "：")
_BRACKETS = ("(", "[", "（")
_INNER_LABEL = re.compile(
    r"(?:^|(?<=[,;|.•·)])\s+|\s\s)([^\W\d_][^:：,;|.•·()\[\]]{0,29}?)\s?(?::(?=\s)|：)\s*"
)
_MOST_VALUES = 40  # of one label; a limit of taste


def name_by_labels(page: RecordPieces) -> None:
    """Find labels, and name the pieces behind them."""
    candidates = {
        id(piece): _value_candidates(page, pieces, at)
        for pieces in page.records
        for at, piece in enumerate(pieces)
    }
    kinds: dict[Kind, list[CellText]] = {}
    for piece in page.pieces:
        if not piece.is_word:
            kinds.setdefault(piece.kind, []).append(piece)
    others = []
    for pieces in kinds.values():
        if _are_labels(page, pieces, candidates):
            for piece in pieces:
                piece.is_label = bool(candidates[id(piece)]) and _could_be_label(piece.text)
        else:
            others.append(pieces)
    for pieces in page.records:
        for piece in pieces:
            if piece.is_label:
                _name_values_of_label(page, piece, candidates[id(piece)])
    for pieces in others:
        _name_alternating(page, [piece for piece in pieces if not piece.name])
    _name_within(page)


def _name_values_of_label(page: RecordPieces, label: CellText, candidates: Sequence[CellText]) -> None:
    """Name the values of a label; without values it is no label."""
    values = [
        piece for piece in takewhile(lambda candidate: not candidate.is_label, candidates) if not piece.name
    ]
    if not values:
        label.is_label = bool(candidates) and label.text.endswith(_COLONS)
        return
    name_values(values, clean(label.text), page.flat)


def _are_labels(page: RecordPieces, pieces: list[CellText], candidates: Mapping[int, list[CellText]]) -> bool:
    with_candidates = [piece for piece in pieces if candidates[id(piece)]]
    could = [piece for piece in with_candidates if _could_be_label(piece.text)]
    if not could or len(could) < _MOST * len(pieces) or any(id(piece) in page.titles for piece in pieces):
        return False
    if sum(piece.text.endswith(_COLONS) for piece in could) >= _MOST * len(could):
        return True
    element = page.elements[page.top_of(could[0])] if could[0].place >= 0 else None
    if element is None or (page.rows and element.parent == page.members[could[0].record].roots[0]):
        return element is not None and element.tag == _TH and recur_across_records(could)
    if element.tag in _LABELLING:
        return True
    values = [candidate for piece in could for candidate in candidates[id(piece)][:1]]
    if len(page.records) == 1:
        return _are_labels_of_only_record(page, could, values)
    if not recur_across_records(could) or any(id(value) in page.titles for value in values):
        return False
    if LABEL_CLASS.search(element.style):
        return True
    texts = {piece.text for piece in could}
    if _are_linked_values(page, could, values):
        return False
    records = len({piece.record for piece in could})
    if len({value.text for value in values}) <= len(texts) or not _are_distinct(could):
        return False
    if len(could) >= 1.5 * records:
        return True
    in_line = sum(candidates[id(piece)][0].line == piece.line for piece in could) >= _MOST * len(could)
    is_one = len(texts) == 1 and records >= max(3, len(page.records) / 2)
    in_pairs = _stand_in_pairs(page, could) and not from_class(element.style)
    return is_one and (element.tag in _EMPHASISED or in_line or in_pairs)


def _are_labels_of_only_record(page: RecordPieces, pieces: list[CellText], values: list[CellText]) -> bool:
    """Return whether pieces of the only record are labels: their class says so, or each has a value, and all values are of one other kind."""
    if LABEL_CLASS.search(page.elements[page.top_of(pieces[0])].style):
        return True
    kinds = {value.kind for value in values}
    others = sum(piece.kind in kinds for piece in page.pieces)
    has_digits = any(char.isdigit() for piece in pieces for char in piece.text)
    return (
        len(pieces) > 1
        and len(kinds) == 1
        and pieces[0].kind not in kinds
        and others == len(pieces)
        and not has_digits
    )


def _stand_in_pairs(page: RecordPieces, pieces: list[CellText]) -> bool:
    """Return whether labels stand in elements that hold them and their values, and nothing else."""
    return all(
        _children(page, page.elements[page.top_of(piece)].parent) == 2
        for piece in pieces[:10]
        if piece.place >= 0
    )


def _children(page: RecordPieces, place: int) -> int:
    """Return how many children an element has, three at most."""
    found, at = 0, place + 1
    while place >= 0 and found < 3 and at < len(page.elements) and page.elements[at].parent >= place:
        found += page.elements[at].parent == place
        at += 1
    return found


def _name_alternating(page: RecordPieces, pieces: list[CellText]) -> None:
    """Find labels that look like their values: of every two pieces the first is repeated in other records, and the second is no label."""
    holders: dict[int, list[CellText]] = {}
    for piece in pieces:
        if piece.place >= 0 and id(piece) not in page.titles:
            holders.setdefault(page.elements[page.top_of(piece)].parent, []).append(piece)
    if page.rows and any(member.roots[0] in holders for member in page.members):
        return
    groups = [group for group in holders.values() if len(group) > 1]
    first = [piece for group in groups for piece in group[::2]]
    second = [piece for group in groups for piece in group[1::2]]
    if (
        not first
        or len(first) != len(second)
        or not recur_across_records(first)
        or not all(_could_be_label(piece.text) for piece in first)
    ):
        return
    labels = {piece.text for piece in first}
    if any(piece.text in labels for piece in second) or _are_linked_values(page, first, second):
        return
    if len({piece.text for piece in second}) <= len(labels):
        return
    name = {id(value): label for label, value in zip(first, second, strict=True)}
    for value in second:
        if not value.name:
            name_values([value], clean(name[id(value)].text), page.flat)
            name[id(value)].is_label = True


def _are_linked_values(page: RecordPieces, pieces: Sequence[CellText], behind: Sequence[CellText]) -> bool:
    """Say whether pieces are values though another text follows each: links, of which each record has one, such as the series of a book.

    There are several of them, or the only one leads to one place, and what follows stands in brackets.
    """
    each = Counter(piece.record for piece in pieces)
    if max(each.values()) > 1 or not all(page.elements[page.top_of(piece)].tag == _A for piece in pieces):
        return False
    if len({piece.text for piece in pieces}) > 1:
        return True
    in_brackets = all(value.text.startswith(_BRACKETS) for value in behind)
    return in_brackets and len({page.target_of(piece) for piece in pieces}) == 1


def _value_candidates(page: RecordPieces, pieces: Sequence[CellText], at: int) -> list[CellText]:
    """Return the values that a piece would be the label of: the pieces behind it on its line, in the next element, or on the next line."""
    piece = pieces[at]
    if at + 1 >= len(pieces) or piece.place < 0:
        return []
    if pieces[at + 1].line == piece.line:
        return _first_few(pieces, at, lambda other: other.line == piece.line)
    top = page.top_of(piece)
    element = page.elements[top]
    following = pieces[at + 1]
    if following.place == element.parent:
        return _first_few(pieces, at, lambda other: other.line == following.line)
    behind = page.place_behind(top)
    if behind is None:
        return []
    end = _end_of_descriptions(page, behind) if element.tag == _DT else page.elements[behind].span.end
    if element.tag == _DT and page.elements[behind].tag != _DD:
        return []
    return _first_few(pieces, at, lambda other: other.start < end)


def _end_of_descriptions(page: RecordPieces, place: int) -> int:
    end, at = page.elements[place].span.end, page.place_behind(place)
    while at is not None and page.elements[at].tag == _DD:
        end, at = page.elements[at].span.end, page.place_behind(at)
    return end


def _name_within(page: RecordPieces) -> None:
    """Divide pieces that hold labels and values: "Author: Jane Smith, Year: 1999"."""
    found: Counter[str] = Counter()
    inner = {
        id(piece): list(_INNER_LABEL.finditer(piece.text))
        for piece in page.pieces
        if not piece.name
        and not piece.is_label
        and id(piece) not in page.titles
        and (":" in piece.text or "：" in piece.text)
    }
    for pieces in page.records:
        found.update(
            {match[1] for piece in pieces for match in inner.get(id(piece), ()) if _could_be_label(match[1])}
        )
    least = 2 if len(page.records) > 1 else 1
    for number, pieces in enumerate(page.records):
        parts: list[CellText] = []
        for piece in pieces:
            labels = [match for match in inner.get(id(piece), ()) if found[match[1]] >= least]
            parts += _split_by_labels(piece, labels) if labels and not labels[0].start() else [piece]
        page.records[number] = parts
    page.pieces = [piece for pieces in page.records for piece in pieces]


def _could_be_label(text: str) -> bool:
    return (
        len(text) <= _LONGEST_LABEL
        and has_words(text)
        and text.count(" ") < _MOST_WORDS
        and not PARTS.search(text)
    )


def recur_across_records(pieces: Sequence[CellText]) -> bool:
    """Return whether nearly all texts are in other records, too."""
    records: dict[str, set[int]] = {}
    for piece in pieces:
        records.setdefault(piece.text, set()).add(piece.record)
    return sum(len(records[piece.text]) > 1 for piece in pieces) >= _NEARLY * len(pieces)


def _are_distinct(pieces: Sequence[CellText]) -> bool:
    """Return whether no record has a text twice."""
    return len({(piece.record, piece.text) for piece in pieces}) == len(pieces)


def _first_few(pieces: Sequence[CellText], at: int, belongs: Callable[[CellText], bool]) -> list[CellText]:
    found: list[CellText] = []
    for piece in pieces[at + 1 : at + 1 + _MOST_VALUES]:
        if not belongs(piece):
            break
        found.append(piece)
    return found


def name_values(values: Sequence[CellText], name: str, flat: str) -> None:
    """Give values the name that the page shows. A text over several lines is one value."""
    for piece in values:
        piece.name, piece.is_shown = name, True
    lines: dict[int, list[CellText]] = {}
    for piece in values:
        lines.setdefault(piece.line, []).append(piece)
    firsts = []
    for line in lines.values():
        if any(piece.is_text for piece in line):
            line[0].text = " ".join(flat[line[0].start : line[-1].end].split())
            line[0].end = line[-1].end
            leave_out(line[1:])
            firsts.append(line[0])
        else:
            firsts += [piece for piece in line if not piece.is_word]
            leave_out([piece for piece in line if piece.is_word])
    if len(firsts) > 1 and len({piece.place for piece in firsts}) == 1:
        firsts[0].text = " ".join(piece.text for piece in firsts)
        leave_out(firsts[1:])


def _split_by_labels(piece: CellText, labels: Sequence[re.Match[str]]) -> Iterator[CellText]:
    """Yield the values of the labels in a piece."""
    ends = [*(label.start() for label in labels[1:]), len(piece.text)]
    for label, end in zip(labels, ends, strict=True):
        value = piece.text[label.end() : end].strip()
        value = value.rstrip(" ,;|") if end < len(piece.text) else value
        if has_content(value):
            yield replace(piece, text=value, name=clean(label[1]), is_shown=True)


def leave_out(pieces: Iterable[CellText]) -> None:
    """Exclude pieces from the attributes of their record."""
    for piece in pieces:
        piece.is_left_out = True
