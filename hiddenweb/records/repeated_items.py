"""The repeated parts of a page: results, rows, cards."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.html.field_labels import one_line
from hiddenweb.html.lazy import LazySequence
from hiddenweb.html.tags import CELLS, HEADINGS, INLINE, NAMES, NUMBERS, numbers_of
from hiddenweb.html.tree_walk import NUMBER
from hiddenweb.model import RepeatedItem
from hiddenweb.records.attributes import attributes_of
from hiddenweb.records.cells import CellMember, has_words
from hiddenweb.records.item_links import (
    _MOST_LINKS_OF_RESULT,
    choose_links,
    first_of_kinds,
    item_title,
    link_words,
    other_addresses,
)
from hiddenweb.records.sibling_groups import (
    MOST_INSIDE,
    Group,
    group_siblings,
    head_rows,
    sibling_classes,
    style_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hiddenweb.html.page_parts import Element
    from hiddenweb.html.tree_walk import TreeWalk
    from hiddenweb.records.attributes import NamedValues

_PAIR = numbers_of("dt dd")
_PIECE = re.compile(r"[\t\n]|\s[|•·]\s")
_MOST_PAIRS, _LONGEST_NAME, _LONGEST_VALUE = (
    30,
    30,
    100,
)  # pairs of an item, characters of names and values; limits of taste
_LONGEST_NUMBER = 10  # characters before the first word of a line; a limit of taste
_MOST_LINKS = 12  # of a result, that are read; a limit of taste
_MOST_ROWS = 30  # of a table, that are compared with its heads; a limit of taste
_LEVELS_AROUND = 2  # elements around a member that are part of its kind; a limit of taste
_SHORTEST_RESULT = 12  # characters, or it is a menu; a limit of taste


def find_repeated_items(walk: TreeWalk, flat: str) -> list[RepeatedItem]:
    """Return the members of the group of similar siblings that holds the most text, after Liu's mining of data records.

    Siblings are similar if they have the same tag and classes; a term and its descriptions are one member. Navigation, the heads
    of tables and plain paragraphs are no results. The text of a group is counted as its size times the length of its median
    member, so that two columns of a layout are not taken for two results. If all members are rows of similar cells that have a
    structure of their own, the group is a grid, and the cells are the results; if the largest group is one row of a grid, the
    other rows are added. A heading right before each member belongs to it.

    Results may be lines, preformatted or with breaks between them. Then each line that begins with a link is a member, with the lines
    that follow it. In the same way headings with a link each are members, with the paragraphs or the text that follows.
    """
    elements = walk.elements or []
    linked = sorted(anchor.span.start for anchor in walk.links.anchors)
    groups = {key: _drop_empty(elements, group, flat) for key, group in group_siblings(elements).items()}
    if (end := walk.links.end(walk.limits.links)) is not None:
        groups = {
            key: [place for place in group if elements[place].span.start < end]
            for key, group in groups.items()
        }

    def weight(group: Group) -> int:
        if len(group) < 2:
            return 0
        spans = (_span_of_member(elements, place) for place in group)
        lengths = sorted(end - start for start, end in spans)
        median = lengths[(len(lengths) - 1) // 2]
        if median < _SHORTEST_RESULT:
            return 0
        return 0 if _is_plain(elements, group, linked) else len(group) * median

    best = max(groups.values(), key=weight, default=[])
    lines = max(_lines_of_links(elements, flat), key=_weight_of_lines, default=[])
    runs = max(_runs_of_headings(walk), key=_weight_of_members, default=[])
    if max(weight(best), _weight_of_lines(lines), _weight_of_members(runs)) == 0:
        return []
    if _weight_of_members(runs) > max(weight(best), _weight_of_lines(lines)):
        members = runs
    elif _weight_of_lines(lines) > weight(best):
        members = [CellMember((), start, end) for start, end in lines]
    else:
        best = _add_other_rows(elements, groups, best)
        best = _cells_of_grid(elements, best, linked) or _drop_head(
            elements, _drop_lines_between(elements, best), linked, flat
        )
        members = _add_headings(elements, best, linked, flat)
    if len(members) > walk.limits.blocks:
        walk.mark("many_blocks")
    return make_items(walk, flat, members[: walk.limits.blocks])


def _drop_empty(elements: list[Element], group: Group, flat: str) -> Group:
    """Return members without the empty ones that only separate others, such as an empty term between two results."""
    spans = (_span_of_member(elements, place) for place in group)
    return [
        place
        for place, (start, end) in zip(group, spans, strict=True)
        if end > start and not flat[start:end].isspace()
    ]


def items_of_kinds(walk: TreeWalk, flat: str, kinds: Collection[str]) -> list[RepeatedItem]:
    """Return the items of a page that are of some kinds, known from other pages of the site.

    A single one is enough. If one lies in another, none is returned.
    """
    elements = walk.elements or []
    heads = head_rows(elements)
    firsts = {re.split(r" [<+] ", kind, maxsplit=1)[0] for kind in kinds}
    members = []
    for place, element in enumerate(elements):
        if _kind_of_element(element) in firsts and not element.aside and place not in heads:
            matching = [each for each in _members_at(elements, place) if _kind(elements, each.roots) in kinds]
            members += matching[-1:]  # the longest
    if any(after.start < before.end for before, after in pairwise(members)):
        return []
    rows = [member.roots[0] for member in members if elements[member.roots[0]].tag == NUMBERS["tr"]]
    if rows and names_columns(elements, rows, flat):
        members = [member for member in members if member.roots[0] != rows[0]]
    return make_items(walk, flat, members[: walk.limits.blocks])


def _members_at(elements: list[Element], place: int) -> Iterator[CellMember]:
    """Yield the members that may begin with an element: the element, a term with its descriptions, a heading with what follows."""
    alone = _member(elements, place)
    yield alone
    if elements[place].tag in HEADINGS:
        yield from _growing_runs(elements, place)
        return
    following = _sibling_behind(elements, place) if len(alone.roots) == 1 else None
    if following is not None and _kind_of_element(elements[following]) != _kind_of_element(elements[place]):
        whole = _member(elements, following)
        yield CellMember((place, *whole.roots), alone.start, whole.end)


def _sibling_behind(elements: list[Element], place: int) -> int | None:
    """Return the place of the element right behind another, unless that one holds too many elements."""
    parent = elements[place].parent
    for at in range(place + 1, min(len(elements), place + MOST_INSIDE)):
        if elements[at].parent <= parent:
            return at if elements[at].parent == parent else None
    return None


def _kind(elements: list[Element], roots: tuple[int, ...]) -> str:
    """Return the kind of a member: the tags and classes of its elements, and of those around it."""
    if not roots:
        return ""
    inside = dict.fromkeys(_kind_of_element(elements[root]) for root in roots)
    place, around = elements[roots[0]].parent, list[str]()
    while place >= 0 and len(around) < _LEVELS_AROUND:
        around.append(_kind_of_element(elements[place]))
        place = elements[place].parent
    return " < ".join((" + ".join(inside), *around))


def _kind_of_element(element: Element) -> str:
    return _kind_of_tag(element.tag, element.style)


@lru_cache(maxsize=4096)
def _kind_of_tag(tag: int, style: str) -> str:
    return ".".join((NAMES.get(tag, "?"), *sibling_classes(style).split()))


_NAME = re.compile(
    r"\s*(?!https?:|javascript:|mailto:|tel:|sms:|data:|about:|blob:)[a-z][a-z0-9+.-]+:", re.IGNORECASE
)


def make_items(walk: TreeWalk, flat: str, members: list[CellMember]) -> list[RepeatedItem]:
    """Return the items for the members of a page that have text. Their attributes are read when they are first used."""
    members = [member for member in members if flat[member.start : member.end].strip()]
    anchors = [walk.links.anchors_in(start, end)[:_MOST_LINKS] for _, start, end in members]
    kinds = [first_of_kinds(walk, each) for each in anchors]
    links = choose_links(walk, anchors, kinds)
    words = Counter(link_words(link, flat) for link in links if link)
    no_titles = frozenset(text for text, times in words.items() if _is_of_most(times, len(members)))
    titles = [
        item_title(walk, flat, each, link, no_titles) for each, link in zip(members, links, strict=True)
    ]
    same = frozenset(
        title for title, times in Counter(titles).items() if title and _is_of_most(times, len(members))
    )
    if same:
        no_titles |= same
        titles = [
            item_title(walk, flat, each, link, no_titles) for each, link in zip(members, links, strict=True)
        ]
    addresses = [walk.resolve(link.href) if link else None for link in links]
    attributes = LazySequence(partial(attributes_of, walk, flat, members, titles, addresses))
    return [
        RepeatedItem(
            " ".join(flat[member.start : member.end].split()),
            title,
            address,
            tuple(_pairs(flat[member.start : member.end]))[:_MOST_PAIRS],
            LazySequence(partial(_pairs_of, attributes, number)),
            _number_of_node(walk, member),
            _kind(walk.elements or [], member.roots),
            tuple(other_addresses(walk, kinds[number], links[number])),
            tuple(dict.fromkeys(link.href.strip() for link in anchors[number] if _NAME.match(link.href))),
            LazySequence(partial(_shown_of, attributes, number)),
        )
        for number, (member, title, address) in enumerate(zip(members, titles, addresses, strict=True))
    ]


def _is_of_most(times: int, members: int) -> bool:
    """Say whether what so many members have is no title: all have it, or most."""
    return times > 1 and (times == members or (times > 2 and 2 * times > members))


def _pairs_of(attributes: Sequence[NamedValues], number: int) -> Sequence[tuple[str, str]]:
    return attributes[number].pairs


def _shown_of(attributes: Sequence[NamedValues], number: int) -> Sequence[str]:
    return attributes[number].shown


def _number_of_node(walk: TreeWalk, member: CellMember) -> int:
    """Return the parser's number of a member that is one element; else 0."""
    return walk.elements[member.roots[0]].number if walk.elements and len(member.roots) == 1 else 0


def _lines_of_links(elements: list[Element], flat: str) -> list[list[tuple[int, int]]]:
    """Return the spans of lines that begin with a link, each with the lines behind it: one list for every element that holds such lines."""
    holders: dict[tuple[int, str], list[Element]] = {}
    for element in elements:
        if element.tag == NUMBERS["a"] and not element.aside:
            holder, path = _holder(elements, element)
            holders.setdefault((holder, path), []).append(element)
    found = []
    for (holder, _), links in holders.items():
        starts = [start for link in links if (start := _start_of_line(flat, link)) is not None]
        if not starts:
            starts = _starts_before_column(flat, links)
        if holder >= 0 and len(starts) > 2 and len(starts) == len(set(starts)):
            found.append(list(zip(starts, [*starts[1:], elements[holder].span.end], strict=True)))
    return found


def _runs_of_headings(walk: TreeWalk) -> list[list[CellMember]]:
    """Return similar headings below one element, each with a link and with what follows it, unless that is a list itself."""
    elements = walk.elements or []
    groups: dict[tuple[int, int, str], Group] = {}
    for place, element in enumerate(elements):
        if element.tag in HEADINGS and not element.aside:
            groups.setdefault((element.parent, element.tag, style_of(element)), []).append(place)
    groups = {
        key: group for key, group in groups.items() if len(group) > 1 and _have_own_targets(walk, group)
    }
    parents = {parent for parent, _, _ in groups}
    below: dict[int, list[int]] = {}
    for place, element in enumerate(elements):
        if element.parent in parents:
            below.setdefault(element.parent, []).append(place)
    found = [_runs(elements, group, below[parent]) for (parent, _, _), group in groups.items()]
    return [runs for runs in found if _has_few_links(walk, runs)]


def _have_own_targets(walk: TreeWalk, group: Group) -> bool:
    """Return whether every heading has a link to another page, and nearly all of these pages are different."""
    elements = walk.elements or []
    targets = set()
    for place in group:
        span = elements[place].span
        links = [anchor for anchor in walk.links.anchors_in(span.start, span.end) if anchor.href[:1] != "#"]
        if not links:
            return False
        targets.add(links[0].href)
    return 5 * len(targets) > 4 * len(group)


def _runs(elements: list[Element], heads: Group, siblings: list[int]) -> list[CellMember]:
    """Return headings with the siblings up to the next; the last ends before a sibling of a kind that follows no other heading."""
    head_places = set(heads)
    runs: list[list[int]] = []
    seen_kinds: set[tuple[int, str]] = set()
    end = elements[elements[heads[0]].parent].span.end if elements[heads[0]].parent >= 0 else 0
    for place in siblings[siblings.index(heads[0]) :]:
        if place in head_places:
            runs.append([place])
        elif place > heads[-1] and (elements[place].tag, style_of(elements[place])) not in seen_kinds:
            end = elements[place].span.start
            break
        else:
            runs[-1].append(place)
            seen_kinds.add((elements[place].tag, style_of(elements[place])))
    starts = [elements[run[0]].span.start for run in runs]
    end = max(end, elements[runs[-1][-1]].span.end)
    return [
        CellMember(tuple(run), start, until)
        for run, start, until in zip(runs, starts, [*starts[1:], end], strict=True)
    ]


def _has_few_links(walk: TreeWalk, runs: list[CellMember]) -> bool:
    """Return whether most parts have few links, as results have; sections of a page list many."""
    links = sorted(len(walk.links.anchors_in(start, end)) for _, start, end in runs)
    return links[len(links) // 2] <= _MOST_LINKS_OF_RESULT


def _growing_runs(elements: list[Element], place: int) -> Iterator[CellMember]:
    """Yield a heading with the next sibling, then with the next two, and so on, up to the next heading of its kind."""
    parent, kind = elements[place].parent, _kind_of_element(elements[place])
    roots = [place]
    for at in range(place + 1, min(len(elements), place + MOST_INSIDE)):
        element = elements[at]
        if element.parent < parent or _kind_of_element(element) == kind:
            return
        if element.parent == parent:
            roots.append(at)
            yield CellMember(tuple(roots), elements[place].span.start, element.span.end)


def _weight_of_members(members: list[CellMember]) -> int:
    return _weight_of_lines([(start, end) for _, start, end in members])


def _weight_of_lines(spans: list[tuple[int, int]]) -> int:
    lengths = sorted(end - start for start, end in spans)
    median = lengths[(len(lengths) - 1) // 2] if lengths else 0
    return len(lengths) * median if median >= _SHORTEST_RESULT else 0


def _holder(elements: list[Element], element: Element) -> tuple[int, str]:
    """Return the place of the block around an element, and the tags between the two."""
    path, place = "", element.parent
    while place >= 0 and elements[place].tag in INLINE:
        path, place = f"{elements[place].tag} {path}", elements[place].parent
    return place, path


def _start_of_line(flat: str, element: Element) -> int | None:
    """Return the start of the line that an element begins, perhaps behind a number; None if the element is not the first."""
    start = max(flat.rfind(mark, 0, element.span.start) for mark in "\n\t") + 1
    before = flat[start : element.span.start]
    return start if len(before) <= _LONGEST_NUMBER and not has_words(before) else None


def _starts_before_column(flat: str, links: list[Element]) -> list[int]:
    """Return the starts of lines whose links stand in one column behind a short code, such as the flags or the state in a listing."""
    starts = [max(flat.rfind(mark, 0, link.span.start) for mark in "\n\t") + 1 for link in links]
    columns = {link.span.start - start for link, start in zip(links, starts, strict=True)}
    return starts if len(columns) == 1 and max(columns) <= _LONGEST_NUMBER else []


def _is_plain(elements: list[Element], group: Group, linked: list[int]) -> bool:
    """Return whether a group is made of paragraphs, of which fewer than half have a link."""
    if elements[group[0]].tag != NUMBERS["p"]:
        return False
    spans = [elements[place].span for place in group]
    return 2 * sum(bisect_left(linked, s.end) > bisect_left(linked, s.start) for s in spans) < len(group)


def _drop_head(elements: list[Element], group: Group, linked: list[int], flat: str) -> Group:
    """Return the rows of a table without the first if it is a head: the only row without a link, or, if no row has one, a row that names columns.

    Of other elements the first is dropped if it is short and the only one without a link, of three at least.
    """
    spans = [_span_of_member(elements, place) for place in group]
    with_link = [_has_link(linked, start, end) for start, end in spans]
    is_odd = not with_link[0] and all(with_link[1:])
    if elements[group[0]].tag != NUMBERS["tr"]:
        text = one_line(flat[spans[0][0] : spans[0][1]])
        return group[1:] if is_odd and len(group) > 2 and len(text) <= _LONGEST_VALUE else group
    if is_odd if any(with_link) else names_columns(elements, group, flat):
        return group[1:]
    return group


def names_columns(elements: list[Element], rows: Group, flat: str) -> bool:
    """Return whether the first row of a table names its columns: it has short and different words, where all others have numbers or long texts."""
    row_places = set(rows[:_MOST_ROWS])
    cells: dict[int, list[Element]] = {place: [] for place in rows[:_MOST_ROWS]}
    for element in elements[rows[0] : rows[min(len(rows), _MOST_ROWS) - 1] + MOST_INSIDE]:
        if element.parent in row_places and element.tag in CELLS:
            cells[element.parent].append(element)
    heads, *others = [[_text_of(cell, flat) for cell in row] for row in cells.values()]
    if not others or len(heads) < 2 or len(set(heads)) < len(heads):
        return False
    if not all(has_words(head) and not NUMBER.search(head) and len(head) <= _LONGEST_NAME for head in heads):
        return False
    styles = [{cell.style for cell in row} for row in cells.values()]
    looks_different = all(styles[0].isdisjoint(style) for style in styles[1:]) or all(
        len(row) > len(heads) for row in others
    )
    value_columns = sum(
        all(NUMBER.search(text) or len(text) > 3 * _LONGEST_NAME for text in column if text)
        for column in zip(*others, strict=False)
        if any(column)
    )
    return value_columns + 2 * looks_different > 1 or (value_columns > 0 and len(others) > 1)


def _text_of(element: Element, flat: str) -> str:
    return one_line(flat[element.span.start : element.span.end])


def _drop_lines_between(elements: list[Element], group: Group) -> Group:
    """Return the rows of a table without headings in between: rows of one cell where most have several."""
    if elements[group[0]].tag != NUMBERS["tr"]:
        return group
    cells = Counter(element.parent for element in elements if element.tag in CELLS)
    several = [place for place in group if cells[place] > 1]
    return several if 2 * len(several) > len(group) else group


def _add_other_rows(
    elements: list[Element], groups: dict[tuple[int, int, str], Group], cells: Group
) -> Group:
    """Return the cells of a row with the similar cells of the other rows, if there are other rows."""
    row = elements[cells[0]].parent
    if row < 0:
        return cells
    rows = next((group for group in groups.values() if row in group), [])
    kinds = {(elements[place].tag, style_of(elements[place])) for place in cells}
    row_places, members = set(rows), {place for group in groups.values() for place in group}
    others = [
        place
        for place, element in enumerate(elements)
        if element.parent in row_places and place in members and (element.tag, style_of(element)) in kinds
    ]
    return others if row in row_places and len(others) > len(cells) else cells


def _cells_of_grid(elements: list[Element], rows: Group, linked: list[int]) -> Group:
    """Return the cells of rows if every cell is a result of its own: it holds two elements or more, and a link if others do."""
    inside = Counter(element.parent for element in elements)
    row_places = set(rows)
    cells = [place for place, element in enumerate(elements) if element.parent in row_places]
    kinds = {(elements[place].tag, style_of(elements[place])) for place in cells}
    if len(kinds) != 1 or len(cells) < 2 * len(rows) - 1 or elements[cells[0]].tag in _PAIR | INLINE:
        return []
    structured = sum(
        inside[place] >= 2 or _has_only_child_with_two(elements, place, inside) for place in cells
    )
    spans = [elements[place].span for place in cells]
    with_link = sum(_has_link(linked, span.start, span.end) for span in spans)
    agree_on_links = not with_link or with_link >= 0.8 * len(cells)
    return cells if agree_on_links and structured >= 0.8 * len(cells) else []


def _has_only_child_with_two(elements: list[Element], place: int, inside: Counter[int]) -> bool:
    following = elements[place + 1 : place + 2]
    return inside[place] == 1 and bool(following) and inside[place + 1] >= 2


def _span_of_member(elements: list[Element], place: int) -> tuple[int, int]:
    """Return where a member begins and ends; a term ends with its last description."""
    _, start, end = _member(elements, place)
    return start, end


def _member(elements: list[Element], place: int) -> CellMember:
    """Return a member: a term has its descriptions."""
    parent, tag, _, span, _, _ = elements[place]
    roots, end = [place], span.end
    if tag != NUMBERS["dt"]:
        return CellMember((place,), span.start, end)
    for at in range(place + 1, len(elements)):
        following = elements[at]
        if following.parent == parent:
            if following.tag != NUMBERS["dd"]:
                break
            roots.append(at)
            end = following.span.end
        elif following.span.start >= end and following.parent < parent:
            break
    return CellMember(tuple(roots), span.start, end)


def _add_headings(elements: list[Element], group: Group, linked: list[int], flat: str) -> list[CellMember]:
    """Return members, each with the element before it if that is a heading, has the only link, or is a name on a line of its own."""
    members = [_member(elements, place) for place in group]
    if len(group) == 1:  # a row below the names of its columns
        return members
    before = [at for place in group if (at := _sibling_before(elements, place)) is not None]
    kinds = {(elements[at].tag, style_of(elements[at])) for at in before}
    if len(before) < len(group) or len(kinds) != 1 or set(before) & set(group):
        return members
    whole = [
        CellMember((at, *member.roots), elements[at].span.start, member.end)
        for at, member in zip(before, members, strict=True)
    ]
    if elements[before[0]].tag in HEADINGS:
        return whole
    if any(_has_link(linked, start, end) for _, start, end in members):
        return members
    is_linked = all(_has_link(linked, start, end) for _, start, end in whole)
    return whole if is_linked or _are_names([_text_of(elements[at], flat) for at in before]) else members


def _are_names(texts: list[str]) -> bool:
    """Return whether texts are short and all different."""
    return all(has_words(text) and len(text) <= _LONGEST_VALUE for text in texts) and len(set(texts)) == len(
        texts
    )


def _has_link(linked: list[int], start: int, end: int) -> bool:
    return bisect_left(linked, end) > bisect_left(linked, start)


def _sibling_before(elements: list[Element], place: int) -> int | None:
    """Return the place of the element right before another, below the same parent."""
    parent = elements[place].parent
    return next((at for at in range(place - 1, parent, -1) if elements[at].parent == parent), None)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield labels with their values: "Author: Jane Smith", on one line, in two cells or in two lines."""
    if ":" not in text:
        return
    pieces = [piece for piece in _PIECE.split(text) if not piece.isspace() and piece]
    for piece, following in zip(pieces, [*pieces, ""][1:], strict=True):
        label, colon, value = piece.partition(":")
        label, value = label.strip(), value.strip() or following.strip()
        if (
            colon
            and 1 < len(label) <= _LONGEST_NAME
            and 0 < len(value) <= _LONGEST_VALUE
            and ":" not in value
        ):
            yield label, one_line(value)
