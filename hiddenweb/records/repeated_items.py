"""The repeated parts of a page: results, rows, cards."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.html.field_labels import one_line
from hiddenweb.html.lazy import LazySequence
from hiddenweb.html.tags import CELLS, INLINE, NAMES, NUMBERS, numbers_of
from hiddenweb.html.tree_walk import NUMBER
from hiddenweb.model import RepeatedItem
from hiddenweb.records.attributes import attributes_of
from hiddenweb.records.cells import CellMember
from hiddenweb.urls import end_of_host, kind_of_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hiddenweb.html.page_parts import Element, RawLink, TextSpan
    from hiddenweb.html.tree_walk import TreeWalk

_PAIR = numbers_of("dt dd")
_NOT_REPEATED = INLINE | CELLS | numbers_of("h1 h2 h3 h4 h5 h6 option label br hr head body thead th button")
_PIECE = re.compile(r"[\t\n]|\s[|•·]\s")
_MOST_PAIRS, _LONGEST_NAME, _LONGEST_VALUE = 30, 30, 100
_HEADINGS = numbers_of("h1 h2 h3 h4 h5 h6")
_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_a-zA-Z]")
_LONGEST_NUMBER = 10  # characters before the first word of a line
_MOST_LINKS = 12  # of a result, that are looked at
_MOST_LINKS_OF_RESULT = 5
_MUCH_MORE = 2  # times as many characters
_MOST_STYLES = 50  # of the elements below one other, that are compared
_MOST_ROWS = 30  # of a table, that are compared with its heads
_MOST_INSIDE = 200  # elements that are looked at to compare two results
_LEVELS_AROUND = 2  # elements around a member that tell its kind
_SHORTEST_RESULT = 12  # characters, or it is a menu
_MARKING_ONE = frozenset({"first", "last", "active", "current", "selected"})

Group = list[int]  # places of elements


def repeated_items(walk: TreeWalk, flat: str) -> list[RepeatedItem]:
    """Return the members of the group of like siblings that holds the most text, after Liu's mining of data records.

    Like are siblings of one tag and class; a term and its descriptions are one member. What stands in navigation, the head
    of a table and plain paragraphs are no results. The text of a group is counted as its size times the
    length of its median member, so that two columns of a layout do not pass for two results. If all members are rows
    of further like members that have a structure of their own, it is a grid, and these are the results; a row of it that is the
    largest group brings the other rows. A heading right before each member belongs to it.

    Where results are no elements but lines, preformatted or with breaks between them, those that begin with a link are the members, each
    with the lines that follow it. The same goes for headings with a link each, and what follows them, paragraphs or text.
    """
    elements = walk.elements or []
    linked = sorted(anchor.span.start for anchor in walk.links.anchors)
    groups = {key: _drop_empty(elements, group, flat) for key, group in _groups(elements).items()}
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
    """Return members without those that only keep others apart, such as an empty term between two results."""
    spans = (_span_of_member(elements, place) for place in group)
    return [
        place
        for place, (start, end) in zip(group, spans, strict=True)
        if end > start and not flat[start:end].isspace()
    ]


def items_of_kinds(walk: TreeWalk, flat: str, kinds: Collection[str]) -> list[RepeatedItem]:
    """Return the parts of a page that are made as parts of some kinds are, which other pages of the site showed. One is enough; if they lie in each other, none are meant."""
    elements = walk.elements or []
    heads = _places_of_heads(elements)
    firsts = {re.split(r" [<+] ", kind, maxsplit=1)[0] for kind in kinds}
    members = []
    for place, element in enumerate(elements):
        if _tag_and_style(element) in firsts and not element.aside and place not in heads:
            like = [each for each in _beginning_at(elements, place) if _kind(elements, each.roots) in kinds]
            members += like[-1:]  # the longest
    if any(after.start < before.end for before, after in pairwise(members)):
        return []
    rows = [member.roots[0] for member in members if elements[member.roots[0]].tag == NUMBERS["tr"]]
    if rows and names_columns(elements, rows, flat):
        members = [member for member in members if member.roots[0] != rows[0]]
    return make_items(walk, flat, members[: walk.limits.blocks])


def _beginning_at(elements: list[Element], place: int) -> Iterator[CellMember]:
    """Yield the members that may begin with an element: it alone, or a term with its descriptions; and with what follows a heading."""
    alone = _member(elements, place)
    yield alone
    if elements[place].tag in _HEADINGS:
        yield from _growing_runs(elements, place)
        return
    following = _sibling_behind(elements, place) if len(alone.roots) == 1 else None
    if following is not None and _tag_and_style(elements[following]) != _tag_and_style(elements[place]):
        whole = _member(elements, following)
        yield CellMember((place, *whole.roots), alone.start, whole.end)


def _sibling_behind(elements: list[Element], place: int) -> int | None:
    """Return the place of the element right behind another, if not many are in that."""
    parent = elements[place].parent
    for at in range(place + 1, min(len(elements), place + _MOST_INSIDE)):
        if elements[at].parent <= parent:
            return at if elements[at].parent == parent else None
    return None


def _kind(elements: list[Element], roots: tuple[int, ...]) -> str:
    """Return how a member is made: tags and classes of what it consists of, and of what is around it."""
    if not roots:
        return ""
    inside = dict.fromkeys(_tag_and_style(elements[root]) for root in roots)
    place, around = elements[roots[0]].parent, list[str]()
    while place >= 0 and len(around) < _LEVELS_AROUND:
        around.append(_tag_and_style(elements[place]))
        place = elements[place].parent
    return " < ".join((" + ".join(inside), *around))


def _tag_and_style(element: Element) -> str:
    return _cached_tag_and_style(element.tag, element.style)


@lru_cache(maxsize=4096)
def _cached_tag_and_style(tag: int, style: str) -> str:
    return ".".join((NAMES.get(tag, "?"), *_cached_style(style).split()))


_NAME = re.compile(
    r"\s*(?!https?:|javascript:|mailto:|tel:|sms:|data:|about:|blob:)[a-z][a-z0-9+.-]+:", re.IGNORECASE
)


def make_items(walk: TreeWalk, flat: str, members: list[CellMember]) -> list[RepeatedItem]:
    """Return like parts of a page with all they say, which is read when somebody asks for it; those without text are left out."""
    members = [member for member in members if flat[member.start : member.end].strip()]
    anchors = [walk.links.anchors_in(start, end)[:_MOST_LINKS] for _, start, end in members]
    kinds = [_first_of_kinds(walk, each) for each in anchors]
    links = _links_of(walk, anchors, kinds)
    words = Counter(_words_of(link, flat) for link in links if link)
    no_titles = frozenset(said for said, times in words.items() if times > 2 and 2 * times > len(members))
    titles = [_title(walk, flat, each, link, no_titles) for each, link in zip(members, links, strict=True)]
    same = frozenset(
        said
        for said, times in Counter(titles).items()
        if said and times > 1 and (times == len(members) or (times > 2 and 2 * times > len(members)))
    )
    if same:
        no_titles |= same
        titles = [
            _title(walk, flat, each, link, no_titles) for each, link in zip(members, links, strict=True)
        ]
    addresses = [walk.resolve(link.href) if link else None for link in links]
    said = LazySequence(partial(attributes_of, walk, flat, members, titles, addresses))
    return [
        RepeatedItem(
            " ".join(flat[member.start : member.end].split()),
            title,
            address,
            tuple(_pairs(flat[member.start : member.end]))[:_MOST_PAIRS],
            LazySequence(partial(said.__getitem__, number)),
            _number_of_node(walk, member),
            _kind(walk.elements or [], member.roots),
            tuple(_addresses_besides(walk, kinds[number], links[number])),
            tuple(dict.fromkeys(link.href.strip() for link in anchors[number] if _NAME.match(link.href))),
        )
        for number, (member, title, address) in enumerate(zip(members, titles, addresses, strict=True))
    ]


def _number_of_node(walk: TreeWalk, member: CellMember) -> int:
    """Return the parser's number of the element that a member is; 0 if it is several, or none."""
    return walk.elements[member.roots[0]].number if walk.elements and len(member.roots) == 1 else 0


def _words_of(link: RawLink, flat: str) -> str:
    return one_line(flat[link.span.start : link.span.end])


def _addresses_besides(walk: TreeWalk, kinds: dict[str, RawLink], link: RawLink | None) -> Iterator[str]:
    """Yield where the links of every kind lead but for one."""
    for anchor in kinds.values():
        address = walk.resolve(anchor.href) if anchor is not link else None
        if address is not None:
            yield address


def _links_of(
    walk: TreeWalk, anchors: list[list[RawLink]], kinds: list[dict[str, RawLink]]
) -> list[RawLink | None]:
    """Return the link of each part that leads to what the part is about, or None where it has none.

    That is the link of its heading. Without headings it is one of the kind that differs most from part to part: authors, tags and sections
    come again, and what is the same in all parts leads to none of them. Of several such kinds it is the first on the site itself, unless another
    says much more. The first of a kind counts. Where records are filed in several folders, their place tells them.
    """
    headings = [element.span for element in walk.elements or () if element.tag in _HEADINGS]
    of_headings = [_link_in_heading(each, headings) for each in anchors]
    if len(anchors) > 1 and all(of_headings):
        return of_headings
    targets: dict[str, set[str]] = {}
    lengths: Counter[str] = Counter()
    for each in kinds:
        for kind, anchor in each.items():
            targets.setdefault(kind, set()).add(anchor.href)
            lengths[kind] += anchor.span.end - anchor.span.start
    most = max(map(len, targets.values()), default=0)
    equal = [kind for kind in targets if len(targets[kind]) == most]
    site = _site_of(walk.url)
    longest = max((lengths[kind] for kind in equal), default=0)
    telling = [kind for kind in equal if _MUCH_MORE * lengths[kind] >= longest]
    best = next((kind for kind in telling if kind.startswith(f"{site}/")), next(iter(telling), ""))
    links = [each.get(best) or next(iter(each.values()), None) for each in kinds]
    return _links_of_many_folders(walk, anchors, links) or links


def _links_of_many_folders(
    walk: TreeWalk, anchors: list[list[RawLink]], others: list[RawLink | None]
) -> list[RawLink | None]:
    """Return the links that stand in one place of every part and lead to pages of their own in several folders of the site; none if others stand before them or say as much.

    Records that are filed by subject or day have no kind of address in common (`/music/old-songs`, `/films/the-bridge`), while their authors do.
    """
    places: dict[str, list[RawLink]] = {}
    for each in anchors:
        for path, anchor in {anchor.path: anchor for anchor in reversed(each)}.items():
            places.setdefault(path, []).append(anchor)
    said = sum(link.span.end - link.span.start for link in others if link)
    for links in places.values():
        addresses = {address for link in links if (address := walk.resolve(link.href))}
        are_records = len(addresses) == len(links) == len(anchors) > 1
        if not are_records or len(set(map(kind_of_address, addresses))) == 1:
            continue
        if any(_site_of(address) != _site_of(walk.url) for address in addresses):
            continue
        length = sum(link.span.end - link.span.start for link in links)
        stand_before = all(
            other is None or link.span.start <= other.span.start
            for link, other in zip(links, others, strict=True)
        )
        if length > _MUCH_MORE * said or (stand_before and _MUCH_MORE * length >= said):
            return list(links)
    return []


def _site_of(address: str) -> str:
    return address[: end_of_host(address)]


def _link_in_heading(anchors: list[RawLink], headings: list[TextSpan]) -> RawLink | None:
    """Return the first of some links that stands in a heading, or around one."""
    starts = [span.start for span in headings]
    for anchor in anchors:
        at = bisect_right(starts, anchor.span.start) - 1
        if at >= 0 and anchor.span.end <= headings[at].end:
            return anchor
        if at + 1 < len(headings) and headings[at + 1].end <= anchor.span.end:
            return anchor
    return None


def _first_of_kinds(walk: TreeWalk, anchors: list[RawLink]) -> dict[str, RawLink]:
    """Return the first link of every kind of address."""
    first: dict[str, RawLink] = {}
    for anchor in anchors:
        address = walk.resolve(anchor.href)
        first.setdefault(kind_of_address(address) if address else "", anchor)
    return first


def _lines_of_links(elements: list[Element], flat: str) -> list[list[tuple[int, int]]]:
    """Return where lines that begin with a link, and those behind them, begin and end: for all parts that hold some and nothing but text."""
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
    """Return like headings below one element, each with a link and with what follows it, unless that is a list itself."""
    elements = walk.elements or []
    groups: dict[tuple[int, int, str], Group] = {}
    for place, element in enumerate(elements):
        if element.tag in _HEADINGS and not element.aside:
            groups.setdefault((element.parent, element.tag, _style(element)), []).append(place)
    groups = {key: group for key, group in groups.items() if len(group) > 1 and _lead_elsewhere(walk, group)}
    parents = {parent for parent, _, _ in groups}
    below: dict[int, list[int]] = {}
    for place, element in enumerate(elements):
        if element.parent in parents:
            below.setdefault(element.parent, []).append(place)
    found = [_runs(elements, group, below[parent]) for (parent, _, _), group in groups.items()]
    return [runs for runs in found if _has_few_links(walk, runs)]


def _lead_elsewhere(walk: TreeWalk, group: Group) -> bool:
    """Return whether each of some headings has a link to another page, nearly all to one of its own."""
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
    """Return headings with the siblings up to the next; the last ends where something follows that stands behind no other."""
    wanted = set(heads)
    runs: list[list[int]] = []
    seen: set[tuple[int, str]] = set()
    end = elements[elements[heads[0]].parent].span.end if elements[heads[0]].parent >= 0 else 0
    for place in siblings[siblings.index(heads[0]) :]:
        if place in wanted:
            runs.append([place])
        elif place > heads[-1] and (elements[place].tag, _style(elements[place])) not in seen:
            end = elements[place].span.start
            break
        else:
            runs[-1].append(place)
            seen.add((elements[place].tag, _style(elements[place])))
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
    """Yield a heading with the next sibling, the next two, and so on until a heading like it comes."""
    parent, made = elements[place].parent, _tag_and_style(elements[place])
    roots = [place]
    for at in range(place + 1, min(len(elements), place + _MOST_INSIDE)):
        element = elements[at]
        if element.parent < parent or _tag_and_style(element) == made:
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
    """Return the place of the part that an element stands in, and by which tags."""
    path, place = "", element.parent
    while place >= 0 and elements[place].tag in INLINE:
        path, place = f"{elements[place].tag} {path}", elements[place].parent
    return place, path


def _start_of_line(flat: str, element: Element) -> int | None:
    """Return where the line begins that an element is the first of, but for a number; None if it is not."""
    start = max(flat.rfind(mark, 0, element.span.start) for mark in "\n\t") + 1
    before = flat[start : element.span.start]
    return start if len(before) <= _LONGEST_NUMBER and not _WORD.search(before) else None


def _starts_before_column(flat: str, links: list[Element]) -> list[int]:
    """Return where the lines of links begin that stand in one column, behind a short code: the links of a listing may follow flags or a state."""
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
    """Return the rows of a table without the first, if that is the only one without a link, or if none has one and it names columns.

    Of other parts it is left out if it is the only one without a link, of three at least, and short.
    """
    spans = [_span_of_member(elements, place) for place in group]
    with_link = [_has_link(linked, start, end) for start, end in spans]
    is_odd = not with_link[0] and all(with_link[1:])
    if elements[group[0]].tag != NUMBERS["tr"]:
        said = one_line(flat[spans[0][0] : spans[0][1]])
        return group[1:] if is_odd and len(group) > 2 and len(said) <= _LONGEST_VALUE else group
    if is_odd if any(with_link) else names_columns(elements, group, flat):
        return group[1:]
    return group


def names_columns(elements: list[Element], rows: Group, flat: str) -> bool:
    """Return whether the first row of a table says what the others hold: it has short words, each once, where all others have numbers or much more to say."""
    wanted = set(rows[:_MOST_ROWS])
    cells: dict[int, list[Element]] = {place: [] for place in rows[:_MOST_ROWS]}
    for element in elements[rows[0] : rows[min(len(rows), _MOST_ROWS) - 1] + _MOST_INSIDE]:
        if element.parent in wanted and element.tag in CELLS:
            cells[element.parent].append(element)
    heads, *others = [[_text_of(cell, flat) for cell in row] for row in cells.values()]
    if not others or len(heads) < 2 or len(set(heads)) < len(heads):
        return False
    if not all(
        _WORD.search(head) and not NUMBER.search(head) and len(head) <= _LONGEST_NAME for head in heads
    ):
        return False
    styles = [{cell.style for cell in row} for row in cells.values()]
    is_made_so = all(styles[0].isdisjoint(style) for style in styles[1:]) or all(
        len(row) > len(heads) for row in others
    )
    telling = sum(
        all(NUMBER.search(said) or len(said) > 3 * _LONGEST_NAME for said in column if said)
        for column in zip(*others, strict=False)
        if any(column)
    )
    return telling + 2 * is_made_so > 1 or (telling > 0 and len(others) > 1)


def _text_of(element: Element, flat: str) -> str:
    return one_line(flat[element.span.start : element.span.end])


def _drop_lines_between(elements: list[Element], group: Group) -> Group:
    """Return the rows of a table without those of one cell, where the others have several: they are headings in between."""
    if elements[group[0]].tag != NUMBERS["tr"]:
        return group
    cells = Counter(element.parent for element in elements if element.tag in CELLS)
    several = [place for place in group if cells[place] > 1]
    return several if 2 * len(several) > len(group) else group


def _add_other_rows(
    elements: list[Element], groups: dict[tuple[int, int, str], Group], cells: Group
) -> Group:
    """Return also the like members below the other rows, if what holds a group is one row of several."""
    row = elements[cells[0]].parent
    if row < 0:
        return cells
    rows = next((group for group in groups.values() if row in group), [])
    kinds = {(elements[place].tag, _style(elements[place])) for place in cells}
    wanted, members = set(rows), {place for group in groups.values() for place in group}
    others = [
        place
        for place, element in enumerate(elements)
        if element.parent in wanted and place in members and (element.tag, _style(element)) in kinds
    ]
    return others if row in wanted and len(others) > len(cells) else cells


def _cells_of_grid(elements: list[Element], rows: Group, linked: list[int]) -> Group:
    """Return the cells of rows if every cell is a result of its own: it holds two elements or more, and a link if others do."""
    inside = Counter(element.parent for element in elements)
    wanted = set(rows)
    cells = [place for place, element in enumerate(elements) if element.parent in wanted]
    kinds = {(elements[place].tag, _style(elements[place])) for place in cells}
    if len(kinds) != 1 or len(cells) < 2 * len(rows) - 1 or elements[cells[0]].tag in _PAIR | INLINE:
        return []
    structured = sum(
        inside[place] >= 2 or _has_only_child_with_two(elements, place, inside) for place in cells
    )
    spans = [elements[place].span for place in cells]
    with_link = sum(_has_link(linked, span.start, span.end) for span in spans)
    are_alike = not with_link or with_link >= 0.8 * len(cells)
    return cells if are_alike and structured >= 0.8 * len(cells) else []


def _has_only_child_with_two(elements: list[Element], place: int, inside: Counter[int]) -> bool:
    following = elements[place + 1 : place + 2]
    return inside[place] == 1 and bool(following) and inside[place + 1] >= 2


def _span_of_member(elements: list[Element], place: int) -> tuple[int, int]:
    """Return where a member begins and ends; a term goes on to the end of its last description."""
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
    """Return members; with what stands before each, if that is its heading, or has the only link, or is its name, on a line of its own."""
    members = [_member(elements, place) for place in group]
    if len(group) == 1:  # a row below the names of its columns
        return members
    before = [at for place in group if (at := _sibling_before(elements, place)) is not None]
    kinds = {(elements[at].tag, _style(elements[at])) for at in before}
    if len(before) < len(group) or len(kinds) != 1 or set(before) & set(group):
        return members
    whole = [
        CellMember((at, *member.roots), elements[at].span.start, member.end)
        for at, member in zip(before, members, strict=True)
    ]
    if elements[before[0]].tag in _HEADINGS:
        return whole
    if any(_has_link(linked, start, end) for _, start, end in members):
        return members
    is_linked = all(_has_link(linked, start, end) for _, start, end in whole)
    return whole if is_linked or _are_names([_text_of(elements[at], flat) for at in before]) else members


def _are_names(texts: list[str]) -> bool:
    """Return whether short texts are different for all members."""
    return all(_WORD.search(text) and len(text) <= _LONGEST_VALUE for text in texts) and len(
        set(texts)
    ) == len(texts)


def _has_link(linked: list[int], start: int, end: int) -> bool:
    return bisect_left(linked, end) > bisect_left(linked, start)


def _sibling_before(elements: list[Element], place: int) -> int | None:
    """Return the place of the element right before another, below the same parent."""
    parent = elements[place].parent
    return next((at for at in range(place - 1, parent, -1) if elements[at].parent == parent), None)


def _style(element: Element) -> str:
    return _cached_style(element.style)


@lru_cache(maxsize=4096)
def _cached_style(style: str) -> str:
    return " ".join(sorted(set(NUMBER.sub("", style).lower().split()) - _MARKING_ONE))


def _groups(elements: list[Element]) -> dict[tuple[int, int, str], Group]:
    groups: dict[tuple[int, int, str], Group] = {}
    heads = _places_of_heads(elements)
    for place, element in enumerate(elements):
        if not (
            element.aside or element.tag in _NOT_REPEATED or place in heads or element.tag == NUMBERS["dd"]
        ):
            groups.setdefault((element.parent, element.tag, _style(element)), []).append(place)
    return _join_alternating(elements, _join_similar(groups))


def _join_similar(groups: dict[tuple[int, int, str], Group]) -> dict[tuple[int, int, str], Group]:
    """Make one group of those that share most of their classes: many applications write what a result is about into them."""
    joined: dict[tuple[int, int, str], Group] = {}
    styles: dict[tuple[int, int], list[set[str]]] = {}
    for (parent, tag, style), group in groups.items():
        classes = set(style.split())
        known = styles.setdefault((parent, tag), [])
        like = next((other for other in known if _are_similar(classes, other)), classes)
        if like is classes and len(known) < _MOST_STYLES:
            known.append(classes)
        key = parent, tag, " ".join(sorted(like))
        joined[key] = sorted([*joined.get(key, []), *group])
    return joined


def _are_similar(one: set[str], other: set[str]) -> bool:
    shared = len(one & other)
    return shared > 1 and 2 * shared >= len(one | other)


def _join_alternating(
    elements: list[Element], groups: dict[tuple[int, int, str], Group]
) -> dict[tuple[int, int, str], Group]:
    """Make one group of two whose members take turns, such as odd and even rows."""
    joined: dict[tuple[int, int, str], Group] = {}
    previous: dict[tuple[int, int], tuple[int, int, str]] = {}
    for key, group in groups.items():
        other = previous.get(key[:2])
        if other and (merged := _taking_turns(elements, joined[other], group)):
            joined[other] = merged
        else:
            joined[key] = group
            previous[key[:2]] = key
    return joined


def _taking_turns(elements: list[Element], first: Group, second: Group) -> Group:
    """Return the members of two groups in their order, if they take turns; two alone have to be made alike.

    Cells of a row may be empty, and are not there then.
    """
    merged = sorted(first + second)
    if merged[::2] != first or merged[1::2] != second:
        return []
    if len(merged) > 2:
        return merged
    one, other = (_kinds_inside(elements, place) for place in (first[0], second[0]))
    are_alike = set(one) == set(other) if elements[first[0]].tag == NUMBERS["tr"] else one == other
    return merged if one and are_alike else []


def _kinds_inside(elements: list[Element], place: int) -> list[tuple[int, str]]:
    """Return the tags and styles of the elements right below another."""
    found: list[tuple[int, str]] = []
    for at in range(place + 1, min(len(elements), place + _MOST_INSIDE)):
        element = elements[at]
        if element.parent < place:
            break
        if element.parent == place:
            found.append((element.tag, _style(element)))
    return found


def _places_of_heads(elements: list[Element]) -> set[int]:
    """Return the table rows that have head cells and no others."""
    cells: dict[int, set[int]] = {}
    for element in elements:
        if element.tag in CELLS:
            cells.setdefault(element.parent, set()).add(element.tag)
    return {row for row, kinds in cells.items() if kinds == {NUMBERS["th"]}}


def _title(
    walk: TreeWalk, flat: str, member: CellMember, link: RawLink | None, no_titles: frozenset[str]
) -> str:
    """Return what a part is called: its link, if that says more than a number or than all others, its heading, or its first line."""
    _, start, end = member
    same = [anchor for anchor in walk.links.anchors_in(start, end) if link and anchor.href == link.href]
    of_links = [_heading_of(walk, anchor, flat) or _words_of(anchor, flat) for anchor in same]
    pieces = [one_line(piece) for piece in re.split(r"[\t\n]", flat[start:end].strip(), maxsplit=5)]
    titles = [*of_links, one_line(walk.first_title(flat, start, end)), *pieces]
    in_words = (
        title
        for title in titles
        if _WORD.search(title) and title not in no_titles and not title.endswith((":", "："))
    )
    return next(in_words, "") or next(filter(None, titles), "")


def _heading_of(walk: TreeWalk, link: RawLink, flat: str) -> str:
    """Return the heading within a link of several lines, such as a card that leads on as a whole."""
    start, end = link.span.start, link.span.end
    if "\n" not in flat[start:end].strip():
        return ""
    at = bisect_left(walk.headings, start, key=_start)
    inside = walk.headings[at : at + 1]
    return one_line(flat[inside[0].start : inside[0].end]) if inside and inside[0].end <= end else ""


def _start(span: TextSpan) -> int:
    return span.start


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield what is labelled in a part of the text: "Author: Jane Smith", be it on one line, in two cells or in two lines."""
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
