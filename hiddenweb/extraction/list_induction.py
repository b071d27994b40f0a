"""Pages that list many records: a person pastes the attributes of one, and all come out, here and on other pages like it.

The nodes in which the pasted values stand belong to an item of some pattern of repeated items, or of several, one inside the other; `hiddenweb.extraction.item_proposals` proposes
them. By each pattern the page is cut into its items, and each item is taken as if it were a page about one record: `hiddenweb.extraction.induction` learns from the
item that was shown and from the others what tells the attributes. The pattern is chosen of which most items have most of the attributes. Then it is learnt once
more, from the items of all pages at hand that turned out to be records.

An item is a record if it has at least half of what records have, where each attribute counts by the share of records that have it. So an advertisement
between records is none, nor is the row with the names of the columns, and a record may lack what others lack as well.

A page about one record has repeated items, too: rows with a label and a value each, links to others. It is no list if the other items have
nothing in the places of the values, or values of another kind, or if what tells its items apart stands on the other pages in the same order, as labels do.
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

    Places = Mapping[tuple[str, str], list[PageText]]  # the texts in which each value of an attribute stands

_VERSION = 1  # of what is written
_MOST_TRIED = 10  # patterns; a limit of taste
_MOST_LEARNT_AGAIN = 3  # of these, the most promising ones; a limit of taste
_MOST_LEARNT = 40  # items that are learnt from; a limit of taste
_MOST_PAGES = 12  # that items are taken from; a limit of taste
_ENOUGH_SIBLINGS = 4  # items of a page that are enough to learn from them alone; a limit of taste
_COMPLETE, _COMPLETE_IF_UNSURE = 0.5, 0.6  # the share of the usual attributes that a record has
_LEAST_SHARE = 0.35  # of the items that must be records
_ALIKE = _HALF = 0.5  # shares of attributes, and of items
_USUAL_LABEL, _FIRM_LABEL = 0.3, 0.8  # the shares of items that have a label
_ALONE = 0.6  # of the texts in a place that are one label
_USUAL = 0.6  # of the values of an attribute that are of one kind
_TOLD_KINDS = frozenset({"price", "isbn", "phone", "date", "year", "percent", "number", "mail", "address of a page"})  # fmt: skip
_PRIORS = {**PRIORS, "left cell": 0.5, "text before": 0.5, "text after": 0.5}
"""Of lists: what stands before a value is most often another value, and not a label."""


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A record of a list: its values, the node of the skeleton it begins with, and the node in which each attribute stands."""

    values: dict[str, list[str]]
    node: int
    nodes: dict[str, int]


@dataclass(frozen=True, slots=True)
class ListPattern:
    """How the records of a page that lists many are found, and their attributes."""

    item_pattern: ItemPattern
    pattern: AttributePattern  # for an item, as if it were a page
    shares: tuple[float, ...]  # of the records that have each attribute
    kinds: tuple[
        str, ...
    ]  # of value that each attribute has: that of the shown one, and "" if others have another
    heads: tuple[int, ...] = ()  # what stands at the head of its columns on most pages, if it is a table

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of what it finds, in their order."""
        return self.pattern.attributes

    def records(self, layout: PageLayout) -> list[ListEntry]:
        """Return the records of a page in their order; none if it does not list any."""
        return [_entry(each) for each in self._choose(layout)]

    def _choose(self, layout: PageLayout) -> list[_Read]:
        for items in find_spans(layout, self.item_pattern):
            read = [each for each in self._read(layout, items) if self.is_record(each)]
            if read:
                return _drop_heads(_choose_full_groups(self, _choose_below_heads(read, self.heads)))
        return []

    def _read(self, layout: PageLayout, items: Sequence[ItemSpan]) -> list[_Read]:
        items = [item for item in items if item.last > item.first]
        cut = texts_of_spans(layout, items, is_run=self.item_pattern.is_run)
        return [
            _Read(item, texts, self._drop_wrong_kinds(self.pattern.find(texts)))
            for item, texts in zip(items, cut, strict=True)
        ]

    def _drop_wrong_kinds(self, found: dict[str, list[FoundValue]]) -> dict[str, list[FoundValue]]:
        """Return what was found without values that are surely another attribute's: numbers where prices are, or what two attributes claim."""
        claimed = Counter((each.index, each.value) for values in found.values() for each in values)
        kept = {}
        for name, kind in zip(self.attributes, self.kinds, strict=True):
            kept[name] = [
                each
                for each in found[name]
                if not kind
                or _may_be(_kind(each.value), kind, is_claimed=claimed[each.index, each.value] > 1)
            ]
        return kept

    def is_record(self, read: _Read) -> bool:
        """Say whether an item has enough of what records have."""
        return self.completeness(read) >= (_COMPLETE if read.item.is_sure else _COMPLETE_IF_UNSURE)

    def completeness(self, read: _Read) -> float:
        """Return how much of what records have an item has."""
        has = sum(share for name, share in zip(self.attributes, self.shares, strict=True) if read.found[name])
        return has / max(sum(self.shares), 1e-9)

    def to_json(self) -> str:
        """Return the pattern as text."""
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
        """Return the pattern that a text describes; UnreadablePattern if it describes none."""
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
class _Read:
    """An item, its texts, and what was found in it."""

    item: ItemSpan
    texts: PageTexts
    found: dict[str, list[FoundValue]]


def learn_list(shown: PageLayout, example: Example, others: Sequence[PageLayout]) -> ListPattern | None:
    """Return how the records of a list are found of which one was shown; None if the page does not list others like it."""
    others = _distinct(shown, others)
    for first, places in _promising(shown, example)[:_MOST_LEARNT_AGAIN]:
        pattern = _learn_again(first, shown, example, places, others)
        if pattern and _is_convincing(pattern, shown, places) and not _is_of_labels(pattern, shown, others):
            return pattern
    return None


def _promising(shown: PageLayout, example: Example) -> list[tuple[ListPattern, Places]]:
    """Return what the shown page teaches of each pattern that the values may stand in, and where they stand, the best first."""
    strict, loose = (_places(shown, example, is_strict=is_strict) for is_strict in (True, False))
    found: dict[ItemPattern, tuple[float, ListPattern, Places]] = {}
    for places in [strict] if strict == loose else [strict, loose]:
        patterns = propose_patterns(shown, list(places.values()))[:_MOST_TRIED] if places else []
        for item_pattern in patterns:
            if item_pattern not in found and (tried := _try_pattern(shown, example, places, item_pattern)):
                found[item_pattern] = (*tried, places)
    ranked = sorted(found.values(), key=lambda each: -each[0])
    return [(first, places) for _, first, places in ranked]


def _places(shown: PageLayout, example: Example, *, is_strict: bool) -> Places:
    """Return the texts in which each value stands: in the region if there are such; if strict, those that say nothing else, if there are such."""
    span = span_of(example.text, shown.texts) if example.text else None
    texts = shown.texts.all()
    found = {}
    for name, values in example.attributes:
        for value in values:
            places = places_of(value, shown.texts)
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


def _distinct(shown: PageLayout, others: Sequence[PageLayout]) -> list[PageLayout]:
    """Return other pages that do not say the very same."""
    said = {tuple(piece.folded for piece in shown.texts.pieces)}
    found = []
    for other in others:
        words = tuple(piece.folded for piece in other.texts.pieces)
        if words not in said:
            said.add(words)
            found.append(other)
    return found[:_MOST_PAGES]


def _try_pattern(
    shown: PageLayout, example: Example, places: Places, item_pattern: ItemPattern
) -> tuple[float, ListPattern] | None:
    """Return what a pattern of items is worth, and what is learnt from it on the shown page alone; None if it is worth nothing."""
    for items in find_spans(shown, item_pattern):
        own = _own(items, places)
        if own is None:
            continue
        sure = [item for item in items if item.last > item.first and item.is_sure]
        near = [item for item in sure if item.parent == own.parent]
        near = near if len(near) >= _ENOUGH_SIBLINGS else sure
        if len(near) < 2:
            return None
        cut = texts_of_spans(shown, [own, *_some(near, own)], is_run=item_pattern.is_run)
        learnt = _learn_from_items(item_pattern, example, cut)
        if not learnt.attributes:
            return None
        read = learnt._read(shown, near)
        model = next((each for each in read if each.item == own), None)
        if model is None:
            return None
        good = [
            each
            for each in read
            if each.item != own and learnt.is_record(each) and _is_like(learnt, model, each)
        ]
        share = len(good) / (len(near) - 1)
        if not good or share < _LEAST_SHARE:
            return None
        return sum(map(learnt.completeness, learnt._choose(shown))) * share, learnt
    return None


def _own(items: Sequence[ItemSpan], places: Places) -> ItemSpan | None:
    """Return the first item in which all values stand."""
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


def _some(items: Sequence[ItemSpan], own: ItemSpan) -> list[ItemSpan]:
    """Return items to learn from beside the shown one: not too many, from all of the page."""
    left = [item for item in items if item != own]
    step = max(1, -(-len(left) // _MOST_LEARNT))
    return left[::step]


def _learn_from_items(item_pattern: ItemPattern, example: Example, cut: Sequence[PageTexts]) -> ListPattern:
    """Return what the items of a pattern teach, of which the first is the one that was shown."""
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
    """Return the texts that stand in many items: with a colon, or in a place where hardly any other text stands.

    A value that many records share, such as a language, has others in its place.
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
    """Return what was found without what two attributes claim."""
    claimed = Counter((each.index, each.value) for values in found.values() for each in values)
    return {
        name: [each for each in values if claimed[each.index, each.value] == 1]
        for name, values in found.items()
    }


def _usual_kind(found: Sequence[list[FoundValue]]) -> str:
    """Return the kind of the shown value, if most others are of it, and "" if not."""
    kinds = [_kind(values[0].value) for values in found if values]
    is_usual = bool(found[0]) and kinds.count(kinds[0]) >= _USUAL * len(kinds)
    return kinds[0] if is_usual else ""


def _kind(value: str) -> str:
    """Return the kind of a value; of words it does not matter how many there are."""
    kind = type_and_shape(value[:80])[0]
    return "words" if kind.endswith(" words") else kind


def _may_be(kind: str, usual: str, *, is_claimed: bool) -> bool:
    return kind == usual or not (is_claimed or (kind in _TOLD_KINDS and usual in _TOLD_KINDS))


def _is_like(learnt: ListPattern, model: _Read, read: _Read) -> bool:
    """Say whether most values of an item stand in like places as those of the shown one, and are of like kinds."""
    wanted = like = 0.0
    for name, share in zip(learnt.attributes, learnt.shares, strict=True):
        if not (model.found[name] and read.found[name]):
            continue
        one, other = model.found[name][0], read.found[name][0]
        wanted += share
        is_path = model.texts.all()[one.index].tags == read.texts.all()[other.index].tags
        kind = _kind(one.value)
        is_kind = kind not in _TOLD_KINDS or _kind(other.value) == kind
        like += share * (is_path and is_kind)
    return like >= _ALIKE * sum(learnt.shares) and like > 0


def _learn_again(
    first: ListPattern,
    shown: PageLayout,
    example: Example,
    places: Places,
    others: Sequence[PageLayout],
) -> ListPattern | None:
    """Return what the records of all pages teach; None if these have none beside the shown one."""
    first = replace(first, item_pattern=widen_pattern(first.item_pattern, others))
    on_shown = first._choose(shown)
    own = next((each for each in on_shown if _own([each.item], places)), None)
    if own is None or len(on_shown) < 2:
        return None
    pages = [on_shown, *(first._choose(other) for other in others)]
    heads = _heads_on(own, [read for read in pages[1:] if read])
    records = [each for read in pages for each in _choose_below_heads(read, heads) if each is not own]
    step = max(1, -(-len(records) // _MOST_LEARNT))
    cut = [own.texts, *(each.texts for each in records[::step])]
    return replace(_learn_from_items(first.item_pattern, example, cut), heads=heads)


def _heads_on(own: _Read, pages: Sequence[list[_Read]]) -> tuple[int, ...]:
    """Return what stands above the values of a record and above those of others on most pages: heads of columns, and not the first row."""
    texts = own.texts.all()
    above = {texts[each.index].above for values in own.found.values() for each in values} - {0}
    said = [{text.above for each in read for text in each.texts.pieces} for read in pages]
    return tuple(sorted(key for key in above if 2 * sum(key in keys for keys in said) > len(said)))


def _choose_below_heads(read: list[_Read], heads: tuple[int, ...]) -> list[_Read]:
    """Return the records of tables with some of these heads; all, if there are none of them."""
    if not heads:
        return read
    groups = {each.item.parent for each in read for text in each.texts.pieces if text.above in heads}
    return [each for each in read if each.item.parent in groups] if groups else read


def _is_convincing(pattern: ListPattern, shown: PageLayout, places: Places) -> bool:
    """Say whether the shown record is found as one of several that have most of what it has."""
    read = pattern._choose(shown)
    own = next((each for each in read if _own([each.item], places)), None)
    good = [each for each in read if own and each is not own and _is_like(pattern, own, each)]
    has = [sum(map(bool, each.found.values())) / len(pattern.attributes) for each in good]
    return bool(has) and len(good) >= _LEAST_SHARE * (len(read) - 1) and sum(has) >= _HALF * len(has)


def _choose_full_groups(pattern: ListPattern, read: list[_Read]) -> list[_Read]:
    """Return the records without those of groups that have much less than the best group."""
    groups: dict[int, list[float]] = {}
    for each in read:
        groups.setdefault(each.item.parent, []).append(pattern.completeness(each))
    means = {parent: sum(values) / len(values) for parent, values in groups.items()}
    best = max(means.values())
    return [each for each in read if means[each.item.parent] >= 0.6 * best]


def _drop_heads(read: list[_Read]) -> list[_Read]:
    """Return the records without rows that say what stands at the head of the columns."""
    heads = {text.above for each in read for text in each.texts.pieces if text.above}
    if not heads:
        return read
    return [
        each
        for each in read
        if not all(
            each.texts.all()[one.index].key in heads for values in each.found.values() for one in values[:1]
        )
    ]


def _is_of_labels(pattern: ListPattern, shown: PageLayout, others: Sequence[PageLayout]) -> bool:
    """Say whether most items have texts of their own that stand on most other pages in the same order, where their values do not."""
    if len(others) < 2:
        return False
    read = pattern._choose(shown)
    counts = Counter(said for each in read for said in {piece.folded for piece in each.texts.pieces})
    values = [{fold_text(one.value) for found in each.found.values() for one in found} for each in read]
    own = [
        [
            piece.folded
            for piece in each.texts.pieces
            if counts[piece.folded] == 1 and piece.folded not in said
        ]
        for each, said in zip(read, values, strict=True)
    ]
    votes = 0
    for other in others:
        places: dict[str, int] = {}
        for at, piece in enumerate(other.texts.pieces):
            places.setdefault(piece.folded, at)
        again = [
            places[label]
            for labels, said in zip(own, values, strict=True)
            for label in [label for label in labels if label in places][:1]
            if sum(value in places for value in said) <= len(said) / 2
        ]
        ordered = sum(one < two for one, two in pairwise(again))
        votes += len(again) >= max(2, len(read) / 2) and ordered >= 0.8 * (len(again) - 1)
    return votes > len(others) / 2


def _entry(read: _Read) -> ListEntry:
    return ListEntry(
        {name: [each.value for each in values] for name, values in read.found.items()},
        read.item.start,
        {name: values[0].node for name, values in read.found.items() if values},
    )
