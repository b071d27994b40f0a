"""Distinguishing what a page says from what merely differs each time it is fetched.

View counts, clocks, advertisements and shuffled lists differ between any two fetches. Nobody wants to be notified of them, and no list of words would
find them in all languages, so they are learnt. A difference is located at places that a template has on all its pages: a number between
its words ("viewed # times"), a part that begins with some words ("last updated …"), a link or a part by its path of tags, the part after or before another one ("after
Advertisement"), a text that comes and goes. An age ("an hour ago", "yesterday") counts as a number. For every place we count the revisits in which it changed and those
in which it did not. A counter changes on nearly all pages that have it, between any two rounds; a price, the date of an event or a sentence on few.
Order does not count at all: parts are compared as a bag.

A place is masked when

- it changed in at least 4 of 10 revisits (5 of 10 for words), on two pages or more (three for words),
- and again in a later interval: on a page whose old version is younger than the first change that was seen at the place. So what
  changes once on all pages, such as a new telephone number, is reported and never masked. One interval is enough only for numbers that changed to different values on four pages;
- words must also return: a third of the new ones were seen in this template before. Advertisements come from a pool, news do not. This is not
  required of links that leave the site, nor of content outside the main content by the names of its elements or its label
  (`hiddenweb.revisit.surroundings`). For the latter two pages are enough, or one interval in which three pages got three different contents.

On a single page without similar ones, a number, a link that leaves the site (unless it is a heading) or content outside the main content is masked when it changed twice, in at least half of all
revisits. Other words count as noise when they changed twice in a row and few others changed with them; but then only words that return are hidden, and no value of a label: a headline that is new
each day is reported each day, two alternating wordings only once. A page that returns to its former text twice in a row alternates: until it settles, only prices and
records of it are reported. What is added, or continues an old text as lists and articles do, is reported. Places are counted per template (site and structure of the page) and per site; the counts of the
template decide, as long as they come from other pages. A mask is lifted as soon as its place is mostly unchanged, on the other pages or three times in a row on this one, and what it
hid until then is reported after all: a real change is reported late at worst.

Money is never masked by learning: somebody may wait for a price that changes every day. Labelled attributes of records, and added or removed records,
are never masked: they are not judged here. Only the numbers in the unlabelled words of records are ("posted 3 days ago"), counted per record.

Time that passed is never reported: "3 minutes ago" becomes "an hour ago" by itself (`hiddenweb.revisit.relative_times`).

A person can mark a change as noise; that masks its places for the whole site at once, money included, until the mark is removed.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from xxhash import xxh3_64_hexdigest

from hiddenweb.revisit.noise_counts import (
    FEW_WORDS,
    MOST_REMEMBERED,
    OwnCount,
    PlaceCounts,
    TemplateNoise,
    count_unchanged_places,
    counts_from_json,
    counts_to_json,
    is_noise_of_page,
    learn_differences,
    text_number,
    update_own_counts,
)
from hiddenweb.revisit.noise_place import TURNS, NoisePlace, PlaceKind
from hiddenweb.revisit.part_differences import Difference, find_changed_numbers, find_differences
from hiddenweb.revisit.parts import (
    START,
    numbers_in,
    shape,
)
from hiddenweb.revisit.relative_times import became_younger, only_time_passed
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self

    from hiddenweb.revisit.parts import PageVersion


_MAX_TEMPLATES = 1_000  # templates of which counts are kept; a limit of taste
_MAX_HIDDEN = 20  # hidden differences of one page that are stored; a limit of taste
_SETTLED_REVISITS = 3  # revisits in a row at which a place did not change; a limit of taste
_MIN_FRESH_PAGES = 3  # pages that got words never seen before; a limit of taste


class HeldDifference(NamedTuple):
    """A difference that masks hide until they are lifted."""

    before: str
    after: str
    by: tuple[NoisePlace, ...]  # any of them is enough; numbers and texts need all


@dataclass(frozen=True, slots=True)
class Mask:
    """A place whose changes are not reported, and why."""

    id: str
    template: str
    place: NoisePlace
    by: Literal["learnt", "a person"]
    why: str

    def __str__(self) -> str:
        """Return the mask for people."""
        return f"{self.id}  {self.template}: {self.place} ({self.why})"


class NoiseVerdict(NamedTuple):
    """The result of a comparison."""

    reported: tuple[Difference, ...]
    hidden: tuple[HeldDifference, ...]  # at this revisit
    own: tuple[OwnCount, ...]
    held: tuple[HeldDifference, ...]  # all that masks hid since the last report


class NoiseMasks:
    """What is noise, learnt from revisits of pages, or marked by a person.

    `in_a_row` is how many revisits in a row must change the words of a place before words that return are noise on a page without similar ones.
    """

    def __init__(self, *, in_a_row: int = 2) -> None:
        self._in_a_row = in_a_row
        self._templates: OrderedDict[str, TemplateNoise] = OrderedDict()
        self._marked: dict[str, dict[NoisePlace, str]] = {}  # by site, with the reason

    # Learning and judging

    def learn_unchanged(
        self,
        url: str,
        structure: int,
        signs: Sequence[int],
        *,
        seen_at: float,
        own: Sequence[OwnCount] = (),
        held: Sequence[HeldDifference] = (),
    ) -> NoiseVerdict:
        """Learn from a page that did not change since it was seen: none of its places changed. Hidden differences may be reported now."""
        for name in template_names(url, structure):
            if (template := self._templates.get(name)) is not None:
                count_unchanged_places(template, signs, (), seen_at)
        own = update_own_counts(own, ()) if own else ()
        late, still_held = self._noise(url, structure, own).lift_masks(held) if held else ([], [])
        return NoiseVerdict(tuple(late), (), own, tuple(still_held))

    def judge(
        self,
        url: str,
        old: PageVersion,
        new: PageVersion,
        *,
        seen_at: float,
        now: float,
        own: Sequence[OwnCount] = (),
        held: Sequence[HeldDifference] = (),
        is_turn: bool = False,
    ) -> NoiseVerdict:
        """Learn from two versions of a page, the old one seen at `seen_at`, and return which of their differences to report.

        With `is_turn` the page returned to what it said before the old version.
        """
        names = template_names(url, new.structure)
        levels = [self._template(name) for name in names]
        noise = self._noise(url, new.structure, own)
        found = find_differences(old, new, noise.is_at, noise.was_seen)
        returns = [noise.was_seen(each.after or each.before) for each in found]
        for level, name in zip(levels, names, strict=True):
            learn_differences(level, found, returns, url, old.signs, seen_at, now, is_site=" " not in name)
        own = update_own_counts(own, found, is_turn=is_turn)
        noise = self._noise(url, new.structure, own)
        alternates = is_turn and len(found) > FEW_WORDS and noise.is_at(TURNS)
        reported, hidden = [], []
        for difference, is_return in zip(found, returns, strict=True):
            if by := noise.hides(difference, is_return=is_return):
                hidden.append(HeldDifference(difference.before, difference.after, by))
            elif alternates and all(place.kind != "money" for place in difference.numbers):
                hidden.append(HeldDifference(difference.before, difference.after, (TURNS,)))
            else:
                reported.append(difference)
        late, still_held = noise.lift_masks(held)
        news = (each for each in (*reported, *late) if not only_time_passed(each.before, each.after))
        return NoiseVerdict(tuple(news), tuple(hidden), own, tuple(join_held(still_held, hidden)))

    def judge_records(
        self, url: str, structure: int, records: Iterable[tuple[str, str, str]], *, seen_at: float, now: float
    ) -> frozenset[str]:
        """Learn from the unlabelled words of records, as (key, before, after); return the keys of those that differ by noise only."""
        levels = [self._template(name) for name in template_names(url, structure)]
        known_words = {
            place.words for level in levels for place in level.places if place.kind == "in records"
        }
        found: dict[str, tuple[NoisePlace, ...]] = {}
        with_events: set[str] = set()  # keys of records in which something happened
        for key, before, after in records:
            if before != after:
                with_events |= {key} if _has_younger_age(before, after) else set()
                found[key] = places = record_number_places(before, after)
                for level in levels:
                    for place in places:
                        is_later = seen_at >= level.counts(place, now).first
                        level.counts(place, now).count_change(
                            text_number(key), text_number(after), is_later=is_later, is_return=False
                        )
            elif known_words:
                words_here = {number.place for number in numbers_in(before)} & known_words
                for level in levels:
                    for words in words_here:
                        place = NoisePlace("in records", words)
                        if (counts := level.places.get(place)) is not None:
                            counts.count_unchanged(is_later=seen_at >= counts.first)
        is_noise = self._noise(url, structure).is_at
        if 2 * len(with_events) > len(found):  # ages that keep changing, such as those of the last visitors
            with_events = set()
        return frozenset(
            key
            for key, places in found.items()
            if places and key not in with_events and all(map(is_noise, places))
        )

    def _noise(self, url: str, structure: int, own: Sequence[OwnCount] = ()) -> PageNoise:
        templates = [each for name in template_names(url, structure) if (each := self._templates.get(name))]
        marked = self._marked.get(host(url), {})
        return PageNoise(marked, templates, {each.place: each for each in own}, self._in_a_row)

    def _template(self, name: str) -> TemplateNoise:
        found = self._templates.setdefault(name, TemplateNoise())
        self._templates.move_to_end(name)
        while len(self._templates) > _MAX_TEMPLATES:
            self._templates.popitem(last=False)
        return found

    # People

    def masks(self, site: str = "") -> list[Mask]:
        """Return all masks, or those of a host and its subdomains."""
        found = [
            Mask(_mask_id(name, place), name, place, "a person", why)
            for name, places in self._marked.items()
            for place, why in places.items()
        ]
        for name, template in self._templates.items():
            for place, counts in template.places.items():
                if counts.is_noise(place):
                    found.append(Mask(_mask_id(name, place), name, place, "learnt", _why(counts)))
        return [
            mask for mask in found if not site or f".{mask.template.partition(' ')[0]}".endswith(f".{site}")
        ]

    def page_masks(self, url: str, structure: int, own: Sequence[OwnCount]) -> list[Mask]:
        """Return the masks of one page: of what changed repeatedly there, and not on others."""
        noise = self._noise(url, structure, own)
        return [
            Mask(_mask_id(url, each.place), url, each.place, "learnt", _why_of_page(each))
            for each in own
            if noise.is_at(each.place)
            and each.place not in noise.marked
            and not noise.is_of_template(each.place)
        ]

    def mark(self, url: str, old: PageVersion, new: PageVersion, why: str = "marked as noise") -> list[Mask]:
        """Mask the differences between two versions of a page for the whole site, because a person says that they are noise."""
        site = host(url)
        places = [place for each in find_differences(old, new) for place in places_to_mark(each)]
        self._marked.setdefault(site, {}).update(dict.fromkeys(places, why))
        return [Mask(_mask_id(site, place), site, place, "a person", why) for place in places]

    def unmark(self, mask: str) -> bool:
        """Remove a mask that a person made, by its id; return whether there was one."""
        for site, places in self._marked.items():
            for place in list(places):
                if _mask_id(site, place) == mask:
                    del places[place]
                    return True
        return False

    # Storing

    def to_json(self) -> str:
        """Return everything that was learnt and marked."""
        templates = {
            name: {
                "places": [[*place, *counts_to_json(counts)] for place, counts in template.places.items()],
                "texts": list(template.texts),
            }
            for name, template in self._templates.items()
        }
        marked = {
            site: [[*place, why] for place, why in places.items()] for site, places in self._marked.items()
        }
        return json.dumps({"templates": templates, "marked": marked}, ensure_ascii=False)

    @classmethod
    def restore(cls, text: str, *, in_a_row: int = 2) -> Self:
        """Return the masks that were stored as JSON."""
        masks = cls(in_a_row=in_a_row)
        read: dict[str, Any] = json.loads(text)
        for name, template in read["templates"].items():
            noise = masks._template(name)
            noise.remember(template["texts"])
            for kind, words, *numbers in template["places"]:
                if kind in get_args(PlaceKind):
                    noise.add(NoisePlace(kind, words), counts_from_json(numbers))
        for site, places in read["marked"].items():
            masks._marked[site] = {NoisePlace(kind, words): why for kind, words, why in places}
        return masks


def would_hide(masks: Iterable[Mask], old: PageVersion, new: PageVersion) -> list[Difference]:
    """Return the differences between two versions of a page that masks hide, or would have hidden."""
    places = {mask.place for mask in masks}
    return [
        each
        for each in find_differences(old, new, places.__contains__)
        if _find_hiding_places(each, places.__contains__)
    ]


# Differences


def record_number_places(before: str, after: str) -> tuple[NoisePlace, ...]:
    """Return the places of the numbers that differ between two texts of a record; none if other words or prices differ too."""
    places = find_changed_numbers(before, START, after, START)
    if any(place.kind == "money" for place in places):
        return ()
    return tuple(NoisePlace("in records", place.words) for place in places)


# Judging


def _has_younger_age(before: str, after: str) -> bool:
    """Return whether an age in a record became younger, so that something happened."""
    old, new = numbers_in(before), numbers_in(after)
    return len(old) == len(new) and any(
        was.value != now.value and became_younger(was.value, now.value)
        for was, now in zip(old, new, strict=True)
    )


class PageNoise(NamedTuple):
    """What is known about the noise on a page."""

    marked: Container[NoisePlace]
    templates: Sequence[TemplateNoise]  # the finest first
    own: Mapping[NoisePlace, OwnCount]
    in_a_row: int

    def is_at(self, place: NoisePlace) -> bool:
        """Return whether a place has noise."""
        if place in self.marked:
            return True
        if self.is_of_template(place):
            return True
        own_count = self.own.get(place)
        if own_count is None or not is_noise_of_page(own_count, self.in_a_row):
            return False
        if place == TURNS:
            return own_count.unchanged < _SETTLED_REVISITS
        return place.is_suspect or not any(
            counts.is_calm_without(own_count) for counts in self.find_counts(place)
        )

    def is_of_template(self, place: NoisePlace) -> bool:
        """Return whether the place has noise on other pages too; the counts of the template decide first."""
        for counts in self.find_counts(place):
            if counts.is_noise(place):
                return True
            if counts.is_calm():
                return False
        return False

    def hides(self, difference: Difference, *, is_return: bool) -> tuple[NoisePlace, ...]:
        """Return the places whose masks hide a difference; none if it should be reported."""

        def hides_words(place: NoisePlace) -> bool:
            if place in self.marked or place.is_aside:
                return True
            if is_return:
                return not difference.is_labelled or self.is_of_template(place)
            return difference.is_clear and self.gets_new_words(place, difference)

        return _find_hiding_places(difference, self.is_at, hides_words, self.disappears)

    def was_seen(self, text: str) -> bool:
        """Return whether a text appeared or disappeared before on similar pages."""
        number = text_number(shape(text))
        return any(number in template.texts for template in self.templates)

    def disappears(self, place: NoisePlace) -> bool:
        """Return whether a text disappeared from most pages that had it."""
        return any(counts.rate >= 0.5 for counts in islice(self.find_counts(place), 1))

    def gets_new_words(self, place: NoisePlace, difference: Difference) -> bool:
        """Return whether even words never seen before are noise: many pages get new words at the place.

        A place that changes repeatedly on this page and on others counts, too. On a page without similar ones this holds only for links that leave
        the site; and never for what grows, as articles and lists do.
        """
        own_count = self.own.get(place)
        if (
            own_count is not None
            and is_noise_of_page(own_count, self.in_a_row)
            and (place.is_suspect or self.is_of_template(place))
            and not difference.has_grown
        ):
            return True
        return any(len(counts.fresh) >= _MIN_FRESH_PAGES for counts in self.find_counts(place))

    def is_lifted(self, place: NoisePlace) -> bool:
        """Return whether a place that had noise hardly ever changes now, or has settled on this page."""
        all_counts = list(self.find_counts(place))
        if place in self.marked or any(counts.is_noise(place) for counts in all_counts):
            return False
        own_count = self.own.get(place)
        return any(counts.is_still() for counts in all_counts[:1]) or (
            own_count is not None and own_count.unchanged >= _SETTLED_REVISITS
        )

    def lift_masks(self, held: Sequence[HeldDifference]) -> tuple[list[Difference], list[HeldDifference]]:
        """Return the differences whose masks are lifted now, and those that stay hidden."""
        lifted = [
            each for each in held if any(map(self.is_lifted, each.by)) and not any(map(self.is_at, each.by))
        ]
        reported = [Difference(each.before, each.after, each.by) for each in lifted if not _is_undone(each)]
        return reported, [each for each in held if each not in lifted]

    def find_counts(self, place: NoisePlace) -> Iterator[PlaceCounts]:
        """Yield the counts of a place."""
        return (counts for each in self.templates if (counts := each.places.get(place)) is not None)


def _find_hiding_places(
    difference: Difference,
    is_noise: Callable[[NoisePlace], bool],
    hides_words: Callable[[NoisePlace], bool] = lambda _: True,
    disappears: Callable[[NoisePlace], bool] = lambda _: False,
) -> tuple[NoisePlace, ...]:
    numbers = difference.numbers if all(map(is_noise, difference.numbers)) else ()
    others = tuple(place for place in difference.others if is_noise(place) and hides_words(place))
    first, rest = difference.texts[:1], difference.texts[1:]
    texts = (
        first
        if all(map(is_noise, first)) and all(is_noise(each) or disappears(each) for each in rest)
        else ()
    )
    return (*numbers, *others, *texts)


def places_to_mark(difference: Difference) -> tuple[NoisePlace, ...]:
    """Return the places to mask when a person says that a difference is noise: the narrowest ones that are enough."""
    if difference.numbers:
        return difference.numbers
    starts = tuple(place for place in difference.others if place.kind == "start")
    return starts[:1] or tuple(place for place in difference.others if place.is_general) or difference.others


def _is_undone(held: HeldDifference) -> bool:
    """Return whether a hidden difference was undone since; numbers do not count where a page alternates."""
    if held.by != (TURNS,) or shape(held.before) != shape(held.after):
        return held.before == held.after
    return all(place.kind != "money" for place in find_changed_numbers(held.before, START, held.after, START))


def join_held(held: Iterable[HeldDifference], hidden: Iterable[HeldDifference]) -> Iterator[HeldDifference]:
    """Yield hidden differences, old and new: successive replacements at a place become one difference, additions and removals stay single."""
    joined: dict[object, HeldDifference] = {}
    for each in (*held, *hidden):
        if each.by == (TURNS,):
            before = joined.pop((TURNS, each.before), None)
            key: object = (TURNS, each.after or f"-{each.before}")
        else:
            is_replacement = bool(each.before and each.after)
            key = each.by[0] if is_replacement else each
            before = joined.pop(key, None) if is_replacement else None
        joined[key] = HeldDifference(before.before, each.after, each.by) if before else each
    yield from list(joined.values())[-_MAX_HIDDEN:]


def template_names(url: str, structure: int) -> tuple[str, str]:
    """Return the names under which the places of a page are counted: its template and its site."""
    site = host(url)
    return f"{site} {structure & 0xFFFFFFFFFFFFFFFF:016x}", site


def _mask_id(template: str, place: NoisePlace) -> str:
    return xxh3_64_hexdigest(f"{template}\n{place.kind}\n{place.words}".encode("utf-8", "replace"))[:10]


def _why(counts: PlaceCounts) -> str:
    plus = "+" if len(counts.pages) >= MOST_REMEMBERED else ""
    return f"changed at {counts.changed} of {counts.revisits} revisits, on {len(counts.pages)}{plus} pages"


def _why_of_page(own: OwnCount) -> str:
    what = "" if own.place.kind == "number" or own.place.is_suspect else ", hides what was there before"
    return f"changed at {own.changed} of {own.revisits} revisits of this page{what}"
