"""Learning pages that list many records: a person pastes the attributes of one, and all are extracted, here and from similar pages.

The nodes of the pasted values belong to an item of one pattern of repeated items, or of several nested ones; `hiddenweb.extraction.item_proposals` proposes
them. Each pattern divides the page into items, and each item is treated like a page about one record: `hiddenweb.extraction.induction` learns from the
example item and from the others how to find the attributes. The pattern whose items have most of the attributes is chosen. Then it is learnt
again, from the items of all available pages that proved to be records.

An item is a record if it has at least half of what records have, where each attribute counts by the share of records that have it. So an advertisement
between records is no record, nor is the row with the names of the columns, and a record may lack what others lack as well.

A page about one record has repeated items, too: rows with a label and a value each, links to others. It is no list if the other items have
nothing in the places of the values, or values of another kind, or if the texts that distinguish its items are on the other pages in the same order, as labels are.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import Example, places_of, span_of
from hiddenweb.extraction.features import PRIORS, type_and_shape
from hiddenweb.extraction.induction import TemplateSite, slots_for
from hiddenweb.extraction.item_pattern import ItemPattern
from hiddenweb.extraction.item_proposals import propose_patterns, widen_pattern
from hiddenweb.extraction.item_spans import find_spans
from hiddenweb.extraction.item_texts import texts_of_spans
from hiddenweb.extraction.pattern import AttributePattern, TemplateTexts, UnreadablePattern
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.extraction.item_pattern import ItemSpan
    from hiddenweb.extraction.pattern import FoundValue, Slot
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.texts import PageText, PageTexts

    Places = Mapping[tuple[str, str], list[PageText]]  # the texts that hold each value of an attribute

_VERSION = 1  # of the JSON
_MOST_TRIED = 10  # patterns; a limit of taste
_MOST_LEARNT_AGAIN = 3  # of these, the most promising ones; a limit of taste
_MOST_LEARNT = 40  # items that are learnt from; a limit of taste
_MOST_PAGES = 12  # that items are taken from; a limit of taste
_ENOUGH_SIBLINGS = 4  # items of a page that are enough to learn from them alone; a limit of taste
_COMPLETE, _COMPLETE_IF_UNSURE = 0.5, 0.6  # the share of the usual attributes that a record has
_LEAST_SHARE = 0.35  # of the items that must be records
_LEAST_SIMILARITY = _HALF = 0.5  # shares of attributes, and of items
_USUAL_LABEL, _FIRM_LABEL = 0.3, 0.8  # the shares of items that have a label
_ALONE = 0.6  # the share of the texts in a place that a label has
_USUAL = 0.6  # the share of the values of an attribute that a usual kind has
_CLEAR_KINDS = frozenset({"price", "isbn", "phone", "date", "year", "percent", "number", "mail", "address of a page"})  # fmt: skip
_PRIORS = {**PRIORS, "left cell": 0.5, "text before": 0.5, "text after": 0.5}
"""For lists: the text before a value is most often another value, and not a label."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A record of a list: its values, its first node in the skeleton, and the node of each attribute."""

    values: dict[str, list[str]]
    node: int
    nodes: dict[str, int]


@dataclass(frozen=True, slots=True)
class ListPattern:
    """How the records of a list and their attributes are found."""

    item_pattern: ItemPattern
    pattern: AttributePattern  # for an item, as if it were a page
    shares: tuple[float, ...]  # of records that have each attribute
    kinds: tuple[str, ...]  # of values of each attribute: that of the example, and "" if others differ
    heads: tuple[int, ...] = ()  # the heads of its columns on most pages, if it is a table

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of its attributes, in their order."""
        return self.pattern.attributes

    def records(self, layout: PageLayout) -> list[ListEntry]:
        """Return the records of a page in their order; none if it is no list."""
        return [_entry(each) for each in self._choose(layout)]

    def _choose(self, layout: PageLayout) -> list[_ReadItem]:
        for items in find_spans(layout, self.item_pattern):
            read = [each for each in self._read(layout, items) if self.is_record(each)]
            if read:
                return _drop_heads(_choose_full_groups(self, _choose_below_heads(read, self.heads)))
        return []

    def _read(self, layout: PageLayout, items: Sequence[ItemSpan]) -> list[_ReadItem]:
        items = [item for item in items if item.last > item.first]
        cut = texts_of_spans(layout, items, is_run=self.item_pattern.is_run)
        return [
            _ReadItem(item, texts, self._drop_wrong_kinds(self.pattern.find(texts)))
            for item, texts in zip(items, cut, strict=True)
        ]

    def _drop_wrong_kinds(self, found: dict[str, list[FoundValue]]) -> dict[str, list[FoundValue]]:
        """Return the found values without those of another attribute: numbers instead of prices, or values that two attributes claim."""
        claimed = Counter((each.index, each.value) for values in found.values() for each in values)
        accepted = {}
        for name, kind in zip(self.attributes, self.kinds, strict=True):
            accepted[name] = [
                each
                for each in found[name]
                if not kind
                or _may_be(_kind(each.value), kind, is_claimed=claimed[each.index, each.value] > 1)
            ]
        return accepted

    def is_record(self, read: _ReadItem) -> bool:
        """Return whether an item has enough of what records have."""
        return self.completeness(read) >= (_COMPLETE if read.item.is_sure else _COMPLETE_IF_UNSURE)

    def completeness(self, read: _ReadItem) -> float:
        """Return the share of an item in what records have."""
        present = sum(
            share for name, share in zip(self.attributes, self.shares, strict=True) if read.found[name]
        )
        return present / max(sum(self.shares), 1e-9)

    def to_json(self) -> str:
        """Return the pattern as JSON."""
        return json.dumps(
            {
                "version": _VERSION,
                **self.item_pattern.to_json(),
                "shares": list(self.shares),
                "kinds": list(self.kinds),
                "heads": [str(key) for key in self.heads],
                "pattern": json.loads(self.pattern.to_json()),
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> ListPattern:
        """Return the pattern that `to_json` returned; raises UnreadablePattern."""
        try:
            read = json.loads(text)
            if read["version"] != _VERSION:
                raise UnreadablePattern("the pattern was learnt by another version: learn it again")
            pattern = AttributePattern.from_json(json.dumps(read["pattern"]))
            shares = tuple(float(share) for share in read["shares"])
            kinds = tuple(map(str, read["kinds"]))
            if not len(shares) == len(kinds) == len(pattern.attributes):
                raise UnreadablePattern(f"{len(pattern.attributes)} shares and kinds were expected")
            return cls(ItemPattern.from_json(read), pattern, shares, kinds, tuple(map(int, read["heads"])))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            if isinstance(error, UnreadablePattern):
                raise
            raise UnreadablePattern(f"not a pattern of a list: {error!r}") from error


@dataclass(frozen=True, slots=True)
class _ReadItem:
    """An item, its texts, and the values found in it."""

    item: ItemSpan
    texts: PageTexts
    found: dict[str, list[FoundValue]]


def learn_list(layout: PageLayout, example: Example, others: Sequence[PageLayout]) -> ListPattern | None:
    """Return the pattern of a list from one example record; None if the page does not list similar records."""
    others = _distinct(layout, others)
    for first, places in _rank_patterns(layout, example)[:_MOST_LEARNT_AGAIN]:
        pattern = _learn_again(first, layout, example, places, others)
        if pattern and _is_convincing(pattern, layout, places) and not _is_of_labels(pattern, layout, others):
            return pattern
    return None


def _rank_patterns(layout: PageLayout, example: Example) -> list[tuple[ListPattern, Places]]:
    """Return what the example page teaches about each possible pattern, with the places of the values, the best first."""
    strict, loose = (_places(layout, example, is_strict=is_strict) for is_strict in (True, False))
    found: dict[ItemPattern, tuple[float, ListPattern, Places]] = {}
    for places in [strict] if strict == loose else [strict, loose]:
        patterns = propose_patterns(layout, list(places.values()))[:_MOST_TRIED] if places else []
        for item_pattern in patterns:
            if item_pattern not in found and (tried := _try_pattern(layout, example, places, item_pattern)):
                found[item_pattern] = (*tried, places)
    ranked = sorted(found.values(), key=lambda each: -each[0])
    return [(first, places) for _, first, places in ranked]


def _places(layout: PageLayout, example: Example, *, is_strict: bool) -> Places:
    """Return the texts that hold each value: those in the region, if any; if strict, those with nothing else, if any."""
    span = span_of(example.text, layout.texts) if example.text else None
    texts = layout.texts.all()
    found = {}
    for name, values in example.attributes:
        for value in values:
            places = places_of(value, layout.texts)
            if span:
                places = [
                    place
                    for place in places
                    if span[0] <= texts[place.index].first and texts[place.index].last <= span[1]
                ] or places
            if is_strict:
                places = [place for place in places if place.is_all] or places
            if places:
                found[name, value] = [texts[place.index] for place in places]
    return found


def _distinct(layout: PageLayout, others: Sequence[PageLayout]) -> list[PageLayout]:
    """Return other pages without those that repeat a text."""
    known_texts = {tuple(piece.folded for piece in layout.texts.pieces)}
    found = []
    for other in others:
        text = tuple(piece.folded for piece in other.texts.pieces)
        if text not in known_texts:
            known_texts.add(text)
            found.append(other)
    return found[:_MOST_PAGES]


def _try_pattern(
    layout: PageLayout, example: Example, places: Places, item_pattern: ItemPattern
) -> tuple[float, ListPattern] | None:
    """Return the score of a pattern of items, and the pattern learnt on the example page alone; None if it is useless."""
    for items in find_spans(layout, item_pattern):
        own_item = _find_own_item(items, places)
        if own_item is None:
            continue
        sure = [item for item in items if item.last > item.first and item.is_sure]
        near = [item for item in sure if item.parent == own_item.parent]
        near = near if len(near) >= _ENOUGH_SIBLINGS else sure
        if len(near) < 2:
            return None
        cut = texts_of_spans(layout, [own_item, *_sample(near, own_item)], is_run=item_pattern.is_run)
        learnt = _learn_from_items(item_pattern, example, cut)
        if not learnt.attributes:
            return None
        read = learnt._read(layout, near)
        model = next((each for each in read if each.item == own_item), None)
        if model is None:
            return None
        good = [
            each
            for each in read
            if each.item != own_item and learnt.is_record(each) and _is_similar(learnt, model, each)
        ]
        share = len(good) / (len(near) - 1)
        if not good or share < _LEAST_SHARE:
            return None
        return sum(map(learnt.completeness, learnt._choose(layout))) * share, learnt
    return None


def _find_own_item(items: Sequence[ItemSpan], places: Places) -> ItemSpan | None:
    """Return the first item that holds all values."""
    return next(
        (
            item
            for item in items
            if all(
                any(item.first <= text.first and text.last < item.last for text in texts)
                for texts in places.values()
            )
        ),
        None,
    )


def _sample(items: Sequence[ItemSpan], own: ItemSpan) -> list[ItemSpan]:
    """Return further items to learn from, besides the example: not too many, from all over the page."""
    others = [item for item in items if item != own]
    step = max(1, -(-len(others) // _MOST_LEARNT))
    return others[::step]


def _learn_from_items(item_pattern: ItemPattern, example: Example, cut: Sequence[PageTexts]) -> ListPattern:
    """Return the pattern learnt from items, of which the first is the example."""
    site = TemplateSite(cut, _labels_of(cut), _PRIORS)
    names = [name for name, _ in example.attributes]
    slots: list[Slot] = [
        slot for name, values in example.attributes for slot in slots_for(site, 0, name, values, names=names)
    ]
    pattern = AttributePattern(example.site, site.labels, tuple(slots))
    found = [pattern.find_among(site.tables[at].texts, site.rows_of(at)) for at in range(len(cut))]
    shares = tuple(
        round(sum(1 for each in found if each[name]) / len(found), 3) for name in pattern.attributes
    )
    alone = [_drop_claimed(each) for each in found]
    kinds = tuple(_usual_kind([each[name] for each in alone]) for name in pattern.attributes)
    return ListPattern(item_pattern, pattern, shares, kinds)


def _labels_of(cut: Sequence[PageTexts]) -> TemplateTexts:
    """Return the texts that are in many items: with a colon, or in a place with hardly any other text.

    A value that many records share, such as a language, has other values in its place.
    """
    items: Counter[int] = Counter()
    places: Counter[tuple[int, int]] = Counter()
    filled: Counter[int] = Counter()
    with_colon: set[int] = set()
    for texts in cut:
        items.update({piece.key for piece in texts.pieces if any(map(str.isalpha, piece.text))})
        places.update((piece.exact, piece.key) for piece in texts.pieces)
        filled.update(piece.exact for piece in texts.pieces)
        with_colon |= {piece.key for piece in texts.pieces if piece.text.rstrip().endswith((":", "："))}
    alone = {key for (place, key), count in places.items() if count >= max(2, _ALONE * filled[place])}
    labels = {key: count for key, count in items.items() if key in alone or key in with_colon}
    usual, firm = (
        tuple(sorted({key >> 32 for key, count in labels.items() if count >= max(2, share * len(cut))}))
        for share in (_USUAL_LABEL, _FIRM_LABEL)
    )
    return TemplateTexts(usual, firm)


def _drop_claimed(found: Mapping[str, list[FoundValue]]) -> dict[str, list[FoundValue]]:
    """Return the found values without those that two attributes claim."""
    claimed = Counter((each.index, each.value) for values in found.values() for each in values)
    return {
        name: [each for each in values if claimed[each.index, each.value] == 1]
        for name, values in found.items()
    }


def _usual_kind(found: Sequence[list[FoundValue]]) -> str:
    """Return the kind of the value of the example if most others are of this kind, otherwise ""."""
    kinds = [_kind(values[0].value) for values in found if values]
    is_usual = bool(found[0]) and kinds.count(kinds[0]) >= _USUAL * len(kinds)
    return kinds[0] if is_usual else ""


def _kind(value: str) -> str:
    """Return the kind of a value; the number of words does not matter."""
    kind = type_and_shape(value[:80])[0]
    return "words" if kind.endswith(" words") else kind


def _may_be(kind: str, usual: str, *, is_claimed: bool) -> bool:
    return kind == usual or not (is_claimed or (kind in _CLEAR_KINDS and usual in _CLEAR_KINDS))


def _is_similar(learnt: ListPattern, model: _ReadItem, read: _ReadItem) -> bool:
    """Return whether most values of an item have places and kinds similar to those of the example."""
    shared = similar = 0.0
    for name, share in zip(learnt.attributes, learnt.shares, strict=True):
        if not (model.found[name] and read.found[name]):
            continue
        value, other = model.found[name][0], read.found[name][0]
        shared += share
        is_path = model.texts.all()[value.index].tags == read.texts.all()[other.index].tags
        kind = _kind(value.value)
        is_kind = kind not in _CLEAR_KINDS or _kind(other.value) == kind
        similar += share * (is_path and is_kind)
    return similar >= _LEAST_SIMILARITY * sum(learnt.shares) and similar > 0


def _learn_again(
    first: ListPattern,
    layout: PageLayout,
    example: Example,
    places: Places,
    others: Sequence[PageLayout],
) -> ListPattern | None:
    """Return the pattern learnt from the records of all pages; None if there are none besides the example."""
    first = replace(first, item_pattern=widen_pattern(first.item_pattern, others))
    on_example_page = first._choose(layout)
    own_item = next((each for each in on_example_page if _find_own_item([each.item], places)), None)
    if own_item is None or len(on_example_page) < 2:
        return None
    pages = [on_example_page, *(first._choose(other) for other in others)]
    heads = _heads_on(own_item, [read for read in pages[1:] if read])
    records = [each for read in pages for each in _choose_below_heads(read, heads) if each is not own_item]
    step = max(1, -(-len(records) // _MOST_LEARNT))
    cut = [own_item.texts, *(each.texts for each in records[::step])]
    return replace(_learn_from_items(first.item_pattern, example, cut), heads=heads)


def _heads_on(own_item: _ReadItem, pages: Sequence[list[_ReadItem]]) -> tuple[int, ...]:
    """Return the texts above the values of a record and above those of others on most pages: heads of columns, and not the first row."""
    texts = own_item.texts.all()
    above = {texts[each.index].above for values in own_item.found.values() for each in values} - {0}
    texts_above = [{text.above for each in read for text in each.texts.pieces} for read in pages]
    return tuple(
        sorted(key for key in above if 2 * sum(key in keys for keys in texts_above) > len(texts_above))
    )


def _choose_below_heads(read: list[_ReadItem], heads: tuple[int, ...]) -> list[_ReadItem]:
    """Return the records of tables with any of these heads; all if there are no such tables."""
    if not heads:
        return read
    groups = {each.item.parent for each in read for text in each.texts.pieces if text.above in heads}
    return [each for each in read if each.item.parent in groups] if groups else read


def _is_convincing(pattern: ListPattern, layout: PageLayout, places: Places) -> bool:
    """Return whether the example record is found among several that have most of its attributes."""
    read = pattern._choose(layout)
    own_item = next((each for each in read if _find_own_item([each.item], places)), None)
    good = [
        each for each in read if own_item and each is not own_item and _is_similar(pattern, own_item, each)
    ]
    filled_shares = [sum(map(bool, each.found.values())) / len(pattern.attributes) for each in good]
    return (
        bool(filled_shares)
        and len(good) >= _LEAST_SHARE * (len(read) - 1)
        and sum(filled_shares) >= _HALF * len(filled_shares)
    )


def _choose_full_groups(pattern: ListPattern, read: list[_ReadItem]) -> list[_ReadItem]:
    """Return the records without groups that are much less complete than the best group."""
    groups: dict[int, list[float]] = {}
    for each in read:
        groups.setdefault(each.item.parent, []).append(pattern.completeness(each))
    means = {parent: sum(values) / len(values) for parent, values in groups.items()}
    best = max(means.values())
    return [each for each in read if means[each.item.parent] >= 0.6 * best]


def _drop_heads(read: list[_ReadItem]) -> list[_ReadItem]:
    """Return the records without rows that repeat the heads of the columns."""
    heads = {text.above for each in read for text in each.texts.pieces if text.above}
    if not heads:
        return read
    return [
        each
        for each in read
        if not all(
            each.texts.all()[value.index].key in heads
            for values in each.found.values()
            for value in values[:1]
        )
    ]


def _is_of_labels(pattern: ListPattern, layout: PageLayout, others: Sequence[PageLayout]) -> bool:
    """Return whether most items have own texts that are on most other pages in the same order, without their values."""
    if len(others) < 2:
        return False
    read = pattern._choose(layout)
    counts = Counter(text for each in read for text in {piece.folded for piece in each.texts.pieces})
    values_of_items = [
        {fold_text(value.value) for found in each.found.values() for value in found} for each in read
    ]
    own_texts = [
        [
            piece.folded
            for piece in each.texts.pieces
            if counts[piece.folded] == 1 and piece.folded not in values
        ]
        for each, values in zip(read, values_of_items, strict=True)
    ]
    votes = 0
    for other in others:
        places: dict[str, int] = {}
        for at, piece in enumerate(other.texts.pieces):
            places.setdefault(piece.folded, at)
        found_places = [
            places[label]
            for labels, values in zip(own_texts, values_of_items, strict=True)
            for label in [label for label in labels if label in places][:1]
            if sum(value in places for value in values) <= len(values) / 2
        ]
        ordered = sum(place < following for place, following in pairwise(found_places))
        votes += len(found_places) >= max(2, len(read) / 2) and ordered >= 0.8 * (len(found_places) - 1)
    return votes > len(others) / 2


def _entry(read: _ReadItem) -> ListEntry:
    return ListEntry(
        {name: [each.value for each in values] for name, values in read.found.items()},
        read.item.start,
        {name: values[0].node for name, values in read.found.items() if values},
    )
