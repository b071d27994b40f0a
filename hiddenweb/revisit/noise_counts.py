"""Counts of the places of pages: how often each changed, and how often it did not.

Places are counted for all pages of a template, for all of a site, and for single pages. The counts decide which places have noise; what that means for a
difference is decided in `hiddenweb.revisit.noise`, which explains the limits.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from xxhash import xxh3_64_intdigest

from hiddenweb.revisit.noise_place import TURNS, NoisePlace
from hiddenweb.revisit.parts import (
    shape,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from hiddenweb.revisit.part_differences import Difference


_NUMBERS = frozenset({"number", "in records"})
_MAX_PLACES = 300  # places of a template; a limit of taste
_MAX_TEXTS = 2_000  # texts of a template, by their hashes; a limit of taste
_MAX_OWN_PLACES = 24  # places of one page; a limit of taste
MOST_REMEMBERED = 8  # pages, and values, of a place that are remembered: no rule asks for more than five
_FORGET_AFTER = 400  # revisits, after which older ones count half; a limit of taste
FEW_WORDS = 2  # parts of a page whose words changed at once; a limit of taste
_MAX_REVISITS_PER_CHANGE = 8
"""Revisits for each change of a place on one page, after which it is no longer watched; a limit of taste."""

_MIN_REVISITS = 4  # revisits at a place, before it is called calm; a limit of taste


# From which share of revisits on a place is noise, or is not. Set by hand; `python -m benchmarks changes` says how many changes
# they hide and how many false alarms they leave.
_MIN_NUMBER_RATE = 0.4  # of numbers: below it a number is calm
_MIN_TEXT_RATE = 0.5  # of texts and paths
_HIGH_RATE = 0.8  # where fewer things speak for noise
_VERY_HIGH_RATE = 0.9  # where only many pages and values do
_STILL_RATE = 0.15  # below it a mask is lifted
_FEW_PAGES, _SOME_PAGES, _MANY_PAGES, _MOST_PAGES = 2, 3, 4, 5  # pages on which a place changed
_SOME_VALUES, _MANY_VALUES = 3, 4  # different values at a place
_MIN_LATER_REVISITS = 3  # in later intervals than the first, to judge by them alone
_MIN_STILL_REVISITS = 8  # the same, to call a place still
_RETURNS_ONE_IN = 3
"""Changes, of which one at least brings back what was there before, where words take turns."""

_RETURNS_OFTEN_ONE_IN = 2  # the same, where a place never changed in a later interval


class OwnCount(NamedTuple):
    """How often a place changed on one page."""

    place: NoisePlace
    changed: int
    revisits: int  # since its first change
    unchanged: int = 0  # revisits in a row since its last change


@dataclass(slots=True)
class PlaceCounts:
    """How often a place changed, and how often it did not."""

    first: float  # when a change was first seen
    changed: int = 0
    unchanged: int = 0
    again: int = 0  # of the changes, those in a later interval than the first
    unchanged_later: int = 0
    returned: int = 0  # changes to something seen before
    pages: set[int] = field(default_factory=set)
    values: set[int] = field(default_factory=set)
    fresh: set[int] = field(default_factory=set)  # pages with something never seen before

    @property
    def rate(self) -> float:
        """The share of revisits at which it changed: in later intervals only, once there are enough of them."""
        later = self.again + self.unchanged_later
        overall = self.changed / max(self.changed + self.unchanged, 1)
        return min(overall, self.again / later) if later >= _MIN_LATER_REVISITS else overall

    @property
    def revisits(self) -> int:
        """How many revisits saw the place."""
        return self.changed + self.unchanged

    def count_change(self, page: int, value: int, *, is_later: bool, is_return: bool) -> None:
        """Count a change."""
        self.changed += 1
        self.again += is_later
        self.returned += is_return
        for numbers, number in ((self.pages, page), (self.values, value)):
            if len(numbers) < MOST_REMEMBERED:
                numbers.add(number)
        if not is_return and len(self.fresh) < MOST_REMEMBERED:
            self.fresh.add(page)
        self._forget()

    def count_unchanged(self, *, is_later: bool) -> None:
        """Count a revisit at which nothing changed."""
        self.unchanged += 1
        self.unchanged_later += is_later
        self._forget()

    def _forget(self) -> None:
        if self.revisits > _FORGET_AFTER:
            for name in ("changed", "unchanged", "again", "unchanged_later", "returned"):
                setattr(self, name, (getattr(self, name) + 1) // 2)

    def is_noise(self, place: NoisePlace) -> bool:
        """Return whether the counts show that the place has noise."""
        pages, values, kind = len(self.pages), len(self.values), place.kind
        if kind == "money":
            return False
        if kind in _NUMBERS:
            if self.rate < _MIN_NUMBER_RATE:
                return False
            is_repeated = pages >= _FEW_PAGES and self.again >= 1
            return is_repeated or (
                pages >= _MANY_PAGES and values >= _MANY_VALUES and self.rate >= _VERY_HIGH_RATE
            )
        if place.is_aside and pages >= _SOME_PAGES and values >= _SOME_VALUES and self.rate >= _HIGH_RATE:
            return True
        if kind == "text" or place.is_aside:
            return self.rate >= _MIN_TEXT_RATE and pages >= _FEW_PAGES and self.again >= 1
        if self.rate < _MIN_TEXT_RATE or pages < _SOME_PAGES:
            return False
        if _RETURNS_ONE_IN * self.returned < self.changed:
            return place.is_suspect and self.again >= 2
        return self.again >= 1 or (
            pages >= _MOST_PAGES
            and values >= _SOME_VALUES
            and self.rate >= _HIGH_RATE
            and _RETURNS_OFTEN_ONE_IN * self.returned >= self.changed
        )

    def is_calm(self) -> bool:
        """Return whether the place changes too rarely for noise."""
        return self.revisits >= _MIN_REVISITS and self.rate < _MIN_NUMBER_RATE

    def is_calm_without(self, own: OwnCount) -> bool:
        """Return whether the place is calm on the other pages, without the counts of one page."""
        changed, revisits = self.changed - own.changed, self.revisits - own.revisits
        return revisits >= _MIN_REVISITS and changed < _MIN_NUMBER_RATE * revisits

    def is_still(self) -> bool:
        """Return whether the place hardly ever changes: a reason to lift a mask."""
        return self.again + self.unchanged_later >= _MIN_STILL_REVISITS and self.rate < _STILL_RATE


@dataclass(slots=True)
class TemplateNoise:
    """What is known of the places of similar pages."""

    places: dict[NoisePlace, PlaceCounts] = field(default_factory=dict)
    signs: dict[int, list[NoisePlace]] = field(default_factory=dict)
    texts: OrderedDict[int, None] = field(default_factory=OrderedDict)  # that appeared or disappeared

    def counts(self, place: NoisePlace, now: float) -> PlaceCounts:
        """Return the counts of a place; they begin now if it is new."""
        found = self.places.get(place)
        if found is None:
            if len(self.places) >= _MAX_PLACES:
                self._make_room()
            found = self.add(place, PlaceCounts(now))
        found.first = min(found.first, now)  # clocks may be set back
        return found

    def add(self, place: NoisePlace, counts: PlaceCounts) -> PlaceCounts:
        """Add a place with its counts."""
        self.places[place] = counts
        self.signs.setdefault(place.sign, []).append(place)
        return counts

    def _make_room(self) -> None:
        """Forget the less useful half of the places: those seen on few pages, long ago."""
        least_useful_first = sorted(
            self.places, key=lambda each: (len(self.places[each].pages), self.places[each].first)
        )
        for place in least_useful_first[: _MAX_PLACES // 2]:
            del self.places[place]
        self.signs.clear()
        for place in self.places:
            self.signs.setdefault(place.sign, []).append(place)

    def remember(self, texts: Iterable[int]) -> None:
        """Remember the hashes of texts that appeared or disappeared."""
        for text in texts:
            self.texts[text] = None
            self.texts.move_to_end(text)
        while len(self.texts) > _MAX_TEXTS:
            self.texts.popitem(last=False)


def learn_differences(
    level: TemplateNoise,
    found: Sequence[Difference],
    returns: Sequence[bool],
    url: str,
    signs: Sequence[int],
    seen_at: float,
    now: float,
    *,
    is_site: bool,
) -> None:
    """Count the places of a page that changed, and those that did not."""
    changed: dict[NoisePlace, tuple[int, bool]] = {}
    for difference, is_return in zip(found, returns, strict=True):
        # Words that are added to all pages are one value, whatever number each page has in them.
        value = text_number(difference.after if difference.numbers else shape(difference.after))
        for place in difference.places:
            if place.is_general or not is_site:
                changed.setdefault(place, (value, is_return))
    for place, (value, is_return) in changed.items():
        counts = level.counts(place, now)
        counts.count_change(text_number(url), value, is_later=seen_at >= counts.first, is_return=is_return)
    changed_places = {place for each in found for place in (*each.numbers, *each.others, *each.texts)}
    count_unchanged_places(level, signs, changed_places, seen_at)
    level.remember(text_number(shape(text)) for each in found for text in (each.before, each.after) if text)


def is_noise_of_page(own: OwnCount, in_a_row: int) -> bool:
    """Return whether the changes on a single page show that a place has noise."""
    if own.place.kind == "money" or own.changed < 2:
        return False
    is_in_a_row = own.changed >= in_a_row and (own.changed == own.revisits or own.changed > in_a_row)
    return 2 * own.changed >= own.revisits and (
        own.place.kind == "number" or own.place.is_suspect or is_in_a_row
    )


def update_own_counts(
    own: Sequence[OwnCount], found: Sequence[Difference], *, is_turn: bool = False
) -> tuple[OwnCount, ...]:
    """Return the counts of the places of a page after one more revisit.

    Many words that change at once, as on the front page of a newspaper, say nothing about their places.
    """
    of_numbers = {place for each in found for place in each.numbers}
    of_numbers |= {place for each in found if each.is_bare for place in each.others if place.kind == "path"}
    aside_places = {place for each in found for place in each.others if place.is_aside}
    word_differences = [each for each in found if not each.numbers and aside_places.isdisjoint(each.others)]
    of_words = (
        {place for each in word_differences for place in each.places}
        if len(word_differences) <= FEW_WORDS
        else set()
    )
    counts = {
        each.place: each._replace(revisits=each.revisits + 1, unchanged=each.unchanged + 1) for each in own
    }
    of_numbers |= {place for each in found if each.numbers for place in each.others if place in counts}
    for place in of_numbers | of_words | aside_places | ({TURNS} if is_turn else set()):
        before = counts.get(place) or OwnCount(place, 0, 1)
        counts[place] = before._replace(changed=before.changed + 1, unchanged=0)
    watched = [each for each in counts.values() if _MAX_REVISITS_PER_CHANGE * each.changed >= each.revisits]
    return tuple(
        sorted(watched, key=lambda each: (-each.changed, each.revisits, each.place))[:_MAX_OWN_PLACES]
    )


def count_unchanged_places(
    template: TemplateNoise, signs: Iterable[int], changed: Iterable[NoisePlace], seen_at: float
) -> None:
    """Count as unchanged all places of a version except those that changed."""
    excluded = frozenset(changed)
    places, by_sign = template.places, template.signs
    if not by_sign:
        return
    for each in by_sign.keys() & signs:
        for place in by_sign[each]:
            if place not in excluded and place.kind != "in records":
                counts = places[place]
                counts.count_unchanged(is_later=seen_at >= counts.first)


def text_number(text: str) -> int:
    """Return 48 bits of the hash of a text."""
    return xxh3_64_intdigest(text.encode("utf-8", "replace")) >> 16


def counts_from_json(numbers: Sequence[Any]) -> PlaceCounts:
    """Return the counts that `counts_to_json` returned."""
    first, changed, unchanged, again, unchanged_later, returned, pages, values, fresh = numbers
    return PlaceCounts(
        first, changed, unchanged, again, unchanged_later, returned, set(pages), set(values), set(fresh)
    )


def counts_to_json(counts: PlaceCounts) -> list[object]:
    """Return counts as values for JSON."""
    return [
        counts.first, counts.changed, counts.unchanged, counts.again, counts.unchanged_later, counts.returned,
        sorted(counts.pages), sorted(counts.values), sorted(counts.fresh),
    ]  # fmt: skip
