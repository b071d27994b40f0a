"""Telling what a page says from what merely differs each time it is fetched.

View counts, clocks, advertisements and shuffled lists differ between any two fetches. Nobody wants to be told, and no list of words would
find them in all languages, so they are learnt. What differs is seen in places that a template has on all its pages: a number between
its words ("viewed # times"), a part that begins with some words ("last updated …"), a link or a part by its path of tags, the part behind or before another one ("after
Advertisement"), a text that comes and goes. How long ago something was ("an hour ago", "yesterday") counts as a number. For every place we count in how many looks it changed and in how many it stood. A counter changes on
nearly all pages that have it, between any two rounds; a price, a date of an event, a sentence on few. Order does not count at all: parts are
compared as a bag.

A place is masked when

- it changed in at least 4 of 10 looks (5 of 10 for words), on two pages or more (three for words),
- and again in a later interval: on a page whose old version is younger than the first change that was seen there. So what
  changes once on all pages, such as a new telephone number, is told and never masked. Only if it is a number, and became another one on each of four pages, one interval is enough;
- words must also return: a third of the new ones were seen in this template before. Advertisements come from a pool, news do not. Links
  that leave the site need not, nor what stands beside the matter by the names of its elements or its label (`hiddenweb.revisit.surroundings`), for which two pages
  are enough, or one interval in which three pages got three different contents.

On a page without others like it a number, a link that leaves the site (but for headings), or what stands beside the matter is masked when it changed twice, in half of all looks at least. Other
words of the place count as noise when they changed twice in a row, and few others with them; but then only words are hidden that return, and no value of a label: a headline that is new each day
is told each day, two wordings that take turns once. Where a page as a whole comes back to what it said before, twice in a row, it takes turns: of that nothing but prices and records is told until
it stands. What comes or goes on with what it said, as lists and articles do, is told. Places are counted per template (site and structure of the page) and per site; a template that says otherwise
has the last word, as long as it is other pages that say so. A mask is lifted as soon as its place mostly stands, on the other pages or three times in a row on this one, and what it
hid until then is told after all: what is real comes late at worst.

Never masked by learning is money: a price that changes every day is what somebody waits for. Never masked at all are labelled attributes of
records, and records that come or go: they do not pass through here. Only the numbers in the unlabelled words of records do ("posted 3 days ago"), counted per record.

Never told at all is time that passed: "3 minutes ago" becomes "an hour ago" by itself (`hiddenweb.revisit.relative_times`).

A person can mark a change as noise; that masks its places for the site at once, money included, until it is taken back.
"""

from __future__ import annotations

import json
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from xxhash import xxh3_64_hexdigest, xxh3_64_intdigest

from hiddenweb.language.words import words
from hiddenweb.revisit.parts import (
    BESIDE,
    ELSEWHERE,
    END,
    LABELLED,
    START,
    numbers_in,
    shape,
    sign,
    starts_of,
)
from hiddenweb.revisit.relative_times import became_younger, only_time_passed
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from typing import Any, Self

    from hiddenweb.revisit.parts import PageVersion

Kind = Literal[
    "number",
    "money",
    "start",
    "link",
    "path",
    "after",
    "before",
    "after, alone",
    "before, alone",
    "text",
    "title",
    "in records",
    "turns",
]
"""How a place is known; alone: the part came or went, and none took its place."""

_NUMBERS = frozenset({"number", "in records"})
_SLOTS = frozenset({"after", "before", "after, alone", "before, alone"})
_MOST_PLACES = 300  # of a template
_MOST_TEMPLATES = 1_000
_MOST_TEXTS = 2_000  # of a template, by their hashes
_MOST_OWN = 24  # places of one page
_MOST_HELD = 20  # differences of one page that masks hid
_REMEMBERED = 8  # pages, and values, of a place
_FORGET_FROM = 400  # looks, after which older ones count half
_FEW_WORDS = 2  # parts of a page whose words changed at once
_FORGOTTEN = 8  # looks for each change of a place on one page, after which it is no longer watched
_SETTLED = 3  # looks in a row at which a place stood
_ALL_BUT_FEW = 0.9  # of the words of a part
_MANY_FRESH = 3  # pages on which words came that were never seen before
_TELLING = 4  # looks at a place
_MEANING = 3  # letters of a place that mean the same on all of a site
_HEADING = re.compile(r"(?:^|/)h[1-6](?![^./ ])")
_LABEL = re.compile(r"[^:：]{1,40}[:：]")


class NoisePlace(NamedTuple):
    """Where something may differ, in terms that hold for all pages of a template."""

    kind: Kind
    words: str

    @property
    def sign(self) -> int:
        """The hash by which a version tells that it has this place."""
        if self.kind in ("number", "money", "in records"):
            return sign("number", self.words)
        if self.kind in ("start", "link", "path"):
            return sign(self.kind, self.words)
        if self.kind in ("title", "turns"):
            return sign("part", START)
        return sign("part", self.words.partition(" ")[2] if self.kind in _SLOTS else self.words)

    @property
    def is_general(self) -> bool:
        """Whether it means the same on all templates of a site: its own words tell."""
        if self.kind == "path":
            return self.is_beside
        anchor = self.words.partition(" ")[2] if self.kind in _SLOTS else self.words
        return sum(map(str.isalpha, anchor)) >= _MEANING

    @property
    def leads_elsewhere(self) -> bool:
        """Whether it holds nothing but links to other sites."""
        return self.kind == "link" and self.words.endswith(ELSEWHERE)

    @property
    def is_beside(self) -> bool:
        """Whether it holds what stands beside the matter of a page, as advertisements do."""
        return self.kind == "path" and self.words.endswith(BESIDE)

    @property
    def is_suspect(self) -> bool:
        """Whether what changes there again and again is noise even if nothing of it returns; headlines are none, wherever they lead."""
        return self.is_beside or (self.leads_elsewhere and not _HEADING.search(self.words))

    def __str__(self) -> str:
        """Return the place as people are told of it."""
        number, _, anchor = self.words.partition(" ")
        where = {START: "the start", END: "the end"}.get(anchor, f'"{anchor}"')
        said: dict[str, str] = {
            "number": f'the number in "{self.words}"',
            "money": f'the price in "{self.words}"',
            "in records": f'the number in "{self.words}" of records',
            "start": f'parts that begin with "{self.words}"',
            "link": f'links at "{self.words}"',
            "path": f'words at "{self.words.removesuffix(BESIDE)}"',
            "text": f'"{self.words}", which comes and goes',
            "title": "the title",
            "turns": "the whole page, which takes turns with what it said before",
        }
        return said.get(self.kind) or f"part {number} {self.kind.partition(',')[0]} {where}"


TURNS = NoisePlace("turns", "")
"""Stands for a page as a whole, where it comes back to what it said before; it is counted for one page only."""


class Difference(NamedTuple):
    """A part of a page that took the place of another, came or went, and the places at which it is."""

    before: str
    after: str
    numbers: tuple[NoisePlace, ...] = ()  # that differ, and nothing else does
    others: tuple[NoisePlace, ...] = ()  # any of which would do
    texts: tuple[NoisePlace, ...] = ()  # both of which it takes
    is_clear: bool = True  # what took the place of what, by their numbers between parts that stood
    is_labelled: bool = False  # the value of a label

    @property
    def has_grown(self) -> bool:
        """Whether a part came, or goes on with what it said before: an advertisement or a clock would say something else."""
        old, new = set(words(self.before)), set(words(self.after))
        return len(new) > len(old) and len(old & new) >= _ALL_BUT_FEW * len(old)

    @property
    def is_bare(self) -> bool:
        """Whether it is a number without words, which is known by what stands before it, and that may change."""
        return bool(self.numbers) and not any(map(str.isalpha, shape(self.before)))

    @property
    def places(self) -> tuple[NoisePlace, ...]:
        """The places of which it says that they change: of numbers with words not where the part stands, nor yet of a text that came."""
        if self.numbers:
            kinds = ("start", "path") if self.is_bare else ("start",)
            return (*self.numbers, *(place for place in self.others if place.kind in kinds))
        return (*self.others, *(self.texts[:1] if self.before else ()))


class OwnCount(NamedTuple):
    """How often a place changed on one page."""

    place: NoisePlace
    changed: int
    looks: int  # since its first change
    stood: int = 0  # looks in a row, since its last change


class HeldDifference(NamedTuple):
    """A difference that masks hid, until they are lifted."""

    before: str
    after: str
    by: tuple[NoisePlace, ...]  # each of which would do, but for numbers and texts, which take all


@dataclass(frozen=True, slots=True)
class Mask:
    """A place whose changes are not told, and why."""

    id: str
    template: str
    place: NoisePlace
    by: Literal["learnt", "a person"]
    why: str

    def __str__(self) -> str:
        """Return it as people are told of it."""
        return f"{self.id}  {self.template}: {self.place} ({self.why})"


class NoiseVerdict(NamedTuple):
    """What a comparison came to."""

    told: tuple[Difference, ...]
    hidden: tuple[HeldDifference, ...]  # now
    own: tuple[OwnCount, ...]
    held: tuple[HeldDifference, ...]  # by masks, since it was last told


@dataclass(slots=True)
class PlaceCounts:
    """How often a place changed, and stood."""

    first: float  # when it was first seen to have changed
    changed: int = 0
    stood: int = 0
    again: int = 0  # of the changes, those in a later interval than the first
    stood_later: int = 0
    returned: int = 0  # changes to something seen before
    pages: set[int] = field(default_factory=set)
    values: set[int] = field(default_factory=set)
    fresh: set[int] = field(default_factory=set)  # pages with something never seen before

    @property
    def rate(self) -> float:
        """The share of looks at which it changed: in later intervals, once they are enough to tell."""
        later = self.again + self.stood_later
        overall = self.changed / max(self.changed + self.stood, 1)
        return min(overall, self.again / later) if later >= 3 else overall

    @property
    def looks(self) -> int:
        """At how many looks it was there."""
        return self.changed + self.stood

    def change(self, page: int, value: int, *, is_later: bool, is_return: bool) -> None:
        """Count a change."""
        self.changed += 1
        self.again += is_later
        self.returned += is_return
        for kept, number in ((self.pages, page), (self.values, value)):
            if len(kept) < _REMEMBERED:
                kept.add(number)
        if not is_return and len(self.fresh) < _REMEMBERED:
            self.fresh.add(page)
        self._forget()

    def stand(self, *, is_later: bool) -> None:
        """Count a look at which nothing changed."""
        self.stood += 1
        self.stood_later += is_later
        self._forget()

    def _forget(self) -> None:
        if self.looks > _FORGET_FROM:
            for name in ("changed", "stood", "again", "stood_later", "returned"):
                setattr(self, name, (getattr(self, name) + 1) // 2)

    def is_noise(self, place: NoisePlace) -> bool:
        """Say whether what is counted makes the place one of noise."""
        pages, values, kind = len(self.pages), len(self.values), place.kind
        if kind == "money":
            return False
        if kind in _NUMBERS:
            if self.rate < 0.4:
                return False
            return (pages >= 2 and self.again >= 1) or (pages >= 4 and values >= 4 and self.rate >= 0.9)
        if place.is_beside and pages >= 3 and values >= 3 and self.rate >= 0.8:
            return True
        if kind == "text" or place.is_beside:
            return self.rate >= 0.5 and pages >= 2 and self.again >= 1
        if self.rate < 0.5 or pages < 3:
            return False
        if 3 * self.returned < self.changed:
            return place.is_suspect and self.again >= 2
        return self.again >= 1 or (
            pages >= 5 and values >= 3 and self.rate >= 0.8 and 2 * self.returned >= self.changed
        )

    def is_calm(self) -> bool:
        """Say whether the place stands so often that it cannot be noise."""
        return self.looks >= _TELLING and self.rate < 0.4

    def is_calm_but_for(self, own: OwnCount) -> bool:
        """Say whether it is so on other pages than one: a page is no witness against itself."""
        changed, looks = self.changed - own.changed, self.looks - own.looks
        return looks >= _TELLING and changed < 0.4 * looks

    def is_still(self) -> bool:
        """Say whether the place hardly ever changes: reason to lift a mask."""
        return self.again + self.stood_later >= 8 and self.rate < 0.15


@dataclass(slots=True)
class TemplateNoise:
    """What is known of the places of like pages."""

    places: dict[NoisePlace, PlaceCounts] = field(default_factory=dict)
    signs: dict[int, list[NoisePlace]] = field(default_factory=dict)
    texts: OrderedDict[int, None] = field(default_factory=OrderedDict)  # what came or went

    def counts(self, place: NoisePlace, now: float) -> PlaceCounts:
        """Return what is counted of a place, from now on if it is new."""
        found = self.places.get(place)
        if found is None:
            if len(self.places) >= _MOST_PLACES:
                self._make_room()
            found = self.add(place, PlaceCounts(now))
        found.first = min(found.first, now)  # clocks may be set back
        return found

    def add(self, place: NoisePlace, counts: PlaceCounts) -> PlaceCounts:
        """Take a place with what is counted of it."""
        self.places[place] = counts
        self.signs.setdefault(place.sign, []).append(place)
        return counts

    def _make_room(self) -> None:
        """Forget the half of the places that say least: seen on one page, long ago."""
        worst = sorted(self.places, key=lambda each: (len(self.places[each].pages), self.places[each].first))
        for place in worst[: _MOST_PLACES // 2]:
            del self.places[place]
        self.signs.clear()
        for place in self.places:
            self.signs.setdefault(place.sign, []).append(place)

    def remember(self, texts: Iterable[int]) -> None:
        """Keep the hashes of texts that came or went."""
        for text in texts:
            self.texts[text] = None
            self.texts.move_to_end(text)
        while len(self.texts) > _MOST_TEXTS:
            self.texts.popitem(last=False)


class NoiseMasks:
    """What is noise, learnt from looks at pages, or told by a person.

    `in_a_row` is how often the words of one place must change, look after look, before words that return are noise on a page that has no others like it.
    """

    def __init__(self, *, in_a_row: int = 2) -> None:
        self._in_a_row = in_a_row
        self._templates: OrderedDict[str, TemplateNoise] = OrderedDict()
        self._marked: dict[str, dict[NoisePlace, str]] = {}  # by site, with the reason

    # Learning and judging

    def stood(
        self,
        url: str,
        structure: int,
        signs: Sequence[int],
        *,
        seen_at: float,
        own: Sequence[OwnCount] = (),
        held: Sequence[HeldDifference] = (),
    ) -> NoiseVerdict:
        """Learn from a page that is as it was when it was seen at some time: all its places stood. What masks hid may be told now."""
        for name in _levels(url, structure):
            if (template := self._templates.get(name)) is not None:
                _let_stand(template, signs, (), seen_at)
        own = _with_looks(own, ()) if own else ()
        late, still = self._noise(url, structure, own).lifted(held) if held else ([], [])
        return NoiseVerdict(tuple(late), (), own, tuple(still))

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
        """Learn from two versions of a page, the old one seen at some time, and return which of their differences to tell.

        It may be the turn of what the page said before the old version.
        """
        names = _levels(url, new.structure)
        levels = [self._template(name) for name in names]
        noise = self._noise(url, new.structure, own)
        found = differences(old, new, noise.is_at, noise.is_known)
        returns = [noise.is_known(each.after or each.before) for each in found]
        for level, name in zip(levels, names, strict=True):
            _learn(level, found, returns, url, old.signs, seen_at, now, is_site=" " not in name)
        own = _with_looks(own, found, is_turn=is_turn)
        noise = self._noise(url, new.structure, own)
        takes_turns = is_turn and len(found) > _FEW_WORDS and noise.is_at(TURNS)
        told, hidden = [], []
        for difference, is_return in zip(found, returns, strict=True):
            if by := noise.hides(difference, is_return=is_return):
                hidden.append(HeldDifference(difference.before, difference.after, by))
            elif takes_turns and all(place.kind != "money" for place in difference.numbers):
                hidden.append(HeldDifference(difference.before, difference.after, (TURNS,)))
            else:
                told.append(difference)
        late, still = noise.lifted(held)
        news = (each for each in (*told, *late) if not only_time_passed(each.before, each.after))
        return NoiseVerdict(tuple(news), tuple(hidden), own, tuple(_joined(still, hidden)))

    def judge_records(
        self, url: str, structure: int, records: Iterable[tuple[str, str, str]], *, seen_at: float, now: float
    ) -> frozenset[str]:
        """Learn from the unlabelled words of records, as (key, before, after); return the keys of those that differ by noise alone."""
        levels = [self._template(name) for name in _levels(url, structure)]
        known = {place.words for level in levels for place in level.places if place.kind == "in records"}
        found: dict[str, tuple[NoisePlace, ...]] = {}
        happened: set[str] = set()
        for key, before, after in records:
            if before != after:
                happened |= {key} if _has_younger_age(before, after) else set()
                found[key] = places = _numbers_of_record(before, after)
                for level in levels:
                    for place in places:
                        later = seen_at >= level.counts(place, now).first
                        level.counts(place, now).change(
                            _hash(key), _hash(after), is_later=later, is_return=False
                        )
            elif known:
                here = {number.place for number in numbers_in(before)} & known
                for level in levels:
                    for said in here:
                        place = NoisePlace("in records", said)
                        if (counts := level.places.get(place)) is not None:
                            counts.stand(is_later=seen_at >= counts.first)
        is_noise = self._noise(url, structure).is_at
        if 2 * len(happened) > len(found):  # ages that are young in turn, such as those of the last visitors
            happened = set()
        return frozenset(
            key
            for key, places in found.items()
            if places and key not in happened and all(map(is_noise, places))
        )

    def _noise(self, url: str, structure: int, own: Sequence[OwnCount] = ()) -> _Noise:
        templates = [each for name in _levels(url, structure) if (each := self._templates.get(name))]
        marked = self._marked.get(host(url), {})
        return _Noise(marked, templates, {each.place: each for each in own}, self._in_a_row)

    def _template(self, name: str) -> TemplateNoise:
        found = self._templates.setdefault(name, TemplateNoise())
        self._templates.move_to_end(name)
        while len(self._templates) > _MOST_TEMPLATES:
            self._templates.popitem(last=False)
        return found

    # People

    def masks(self, site: str = "") -> list[Mask]:
        """Return all masks there are, or those of a host and the hosts below it."""
        found = [
            Mask(_id(name, place), name, place, "a person", why)
            for name, places in self._marked.items()
            for place, why in places.items()
        ]
        for name, template in self._templates.items():
            for place, counts in template.places.items():
                if counts.is_noise(place):
                    found.append(Mask(_id(name, place), name, place, "learnt", _why(counts)))
        return [
            mask for mask in found if not site or f".{mask.template.partition(' ')[0]}".endswith(f".{site}")
        ]

    def of_page(self, url: str, structure: int, own: Sequence[OwnCount]) -> list[Mask]:
        """Return the masks of one page: what changed there again and again, and not on others."""
        noise = self._noise(url, structure, own)
        return [
            Mask(_id(url, each.place), url, each.place, "learnt", _why_of_page(each))
            for each in own
            if noise.is_at(each.place)
            and each.place not in noise.marked
            and not noise.is_of_template(each.place)
        ]

    def mark(self, url: str, old: PageVersion, new: PageVersion, why: str = "marked as noise") -> list[Mask]:
        """Mask for the whole site what differs between two versions of a page, because a person says that it is noise."""
        site = host(url)
        places = [place for each in differences(old, new) for place in _to_mark(each)]
        self._marked.setdefault(site, {}).update(dict.fromkeys(places, why))
        return [Mask(_id(site, place), site, place, "a person", why) for place in places]

    def unmark(self, mask: str) -> bool:
        """Take back what a person marked, by the mask's id; say whether there was such a mask."""
        for site, places in self._marked.items():
            for place in list(places):
                if _id(site, place) == mask:
                    del places[place]
                    return True
        return False

    # Keeping

    def to_json(self) -> str:
        """Return all that was learnt and marked."""
        templates = {
            name: {
                "places": [[*place, *_numbers(counts)] for place, counts in template.places.items()],
                "texts": list(template.texts),
            }
            for name, template in self._templates.items()
        }
        marked = {
            site: [[*place, why] for place, why in places.items()] for site, places in self._marked.items()
        }
        return json.dumps({"templates": templates, "marked": marked}, ensure_ascii=False)

    @classmethod
    def restore(cls, kept: str, *, in_a_row: int = 2) -> Self:
        """Return what was kept as JSON."""
        masks = cls(in_a_row=in_a_row)
        read: dict[str, Any] = json.loads(kept)
        for name, template in read["templates"].items():
            into = masks._template(name)
            into.remember(template["texts"])
            for kind, said, *numbers in template["places"]:
                if kind in get_args(Kind):
                    into.add(NoisePlace(kind, said), _counts(numbers))
        for site, places in read["marked"].items():
            masks._marked[site] = {NoisePlace(kind, words): why for kind, words, why in places}
        return masks


def memory_to_json(own: Iterable[OwnCount], held: Iterable[HeldDifference]) -> str:
    """Return what is remembered of one page."""
    return json.dumps([list(own), list(held)], ensure_ascii=False)


def memory_from_json(kept: str) -> tuple[tuple[OwnCount, ...], tuple[HeldDifference, ...]]:
    """Return what was kept of one page."""
    own, held = json.loads(kept)
    return (
        tuple(OwnCount(NoisePlace(*place), *numbers) for place, *numbers in own),
        tuple(
            HeldDifference(before, after, tuple(NoisePlace(*place) for place in by))
            for before, after, by in held
        ),
    )


def would_hide(masks: Iterable[Mask], old: PageVersion, new: PageVersion) -> list[Difference]:
    """Return what masks hide, or would have hidden, between two versions of a page."""
    places = {mask.place for mask in masks}
    return [
        each for each in differences(old, new, places.__contains__) if _hidden_by(each, places.__contains__)
    ]


# Differences


class _Part(NamedTuple):
    text: str
    shape: str
    label: str  # the part before it
    path: str  # of its link, if it is nothing else
    where: str  # it stands, if few parts do there
    is_labelled: bool
    after: str  # its number behind a part that stood, and the shape of that
    before: str
    run: int  # parts between those that stood


_Key = Callable[[_Part], Iterable[object]]


def differences(
    old: PageVersion,
    new: PageVersion,
    is_noise: Callable[[NoisePlace], bool] = lambda _: False,
    is_known: Callable[[str], bool] = lambda _: False,
) -> list[Difference]:
    """Return the parts of a page that came, went or took the place of others; their order does not count.

    Parts belong together if only their numbers differ, else if they begin with the same words, else if they are at the same
    place between others; there places of noise come first, and what was seen to come and go. The time it takes grows with the length of the page, not with its square.
    """
    title = [] if old.title == new.title else [_of_title(old.title, new.title)]
    removed = _only_in(old, new)
    added = _only_in(new, old)
    found: list[Difference] = title

    def noisy(part: _Part) -> list[NoisePlace]:
        return [place for place in _slots(part) if is_noise(place)]

    keys: list[tuple[_Key, _Key]] = [
        (_by_shape, _by_shape),
        (_by_two_words, _by_two_words),
        (_by_word_and_slot, _by_word_and_slot),
        (_by_path, _by_path),
        (_by_where, _by_where),
        (noisy, lambda part: noisy(part) if is_known(part.text) else ()),
        (noisy, noisy),
        (_slots, _slots),
    ]
    for key, other_key in keys:
        pairs, removed, added = _paired(removed, added, key, other_key)
        found += [_replaced(one, other) for one, other in pairs]
    found += [_alone(part, is_new=False) for part in removed]
    found += [_alone(part, is_new=True) for part in added]
    return found


def _only_in(version: PageVersion, other: PageVersion) -> list[_Part]:
    """Return the parts that another version does not have, each with where it stands between those that both have."""
    parts, spare = version.parts, Counter(other.parts)
    differs = []
    for part in parts:
        spare[part] -= 1
        differs.append(spare[part] < 0)
    if not any(differs):
        return []
    found: list[_Part] = []
    paths, where = dict(version.links), dict(version.paths)
    at = 0
    while at < len(parts):
        end = at
        while end < len(parts) and differs[end]:
            end += 1
        before = shape(parts[at - 1]) if at else START
        behind = shape(parts[end]) if end < len(parts) else END
        for place in range(at, end):
            label = parts[place - 1] if place else START
            after, ahead = f"{place - at + 1} {before}", f"{end - place} {behind}"
            text = parts[place]
            stands = where.get(text, "")
            is_labelled = stands.endswith(LABELLED) or _LABEL.match(text) is not None
            if stands.endswith(LABELLED):
                stands = ""
            found.append(
                _Part(
                    text, shape(text), label, paths.get(text, ""), stands, is_labelled, after, ahead, end - at
                )
            )
        at = end + 1
    return found


def _paired(
    removed: Sequence[_Part], added: Sequence[_Part], key: _Key, other_key: _Key
) -> tuple[list[tuple[_Part, _Part]], list[_Part], list[_Part]]:
    """Return the parts that belong together by a key, and the others."""
    if not removed or not added:
        return [], list(removed), list(added)
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for number in range(len(added) - 1, -1, -1):
        for each in other_key(added[number]):
            waiting[each].append(number)
    taken: set[int] = set()
    pairs, left = [], []
    for part in removed:
        partner = next((number for each in key(part) if (number := _pop(waiting.get(each), taken)) >= 0), -1)
        if partner < 0:
            left.append(part)
        else:
            taken.add(partner)
            pairs.append((part, added[partner]))
    return pairs, left, [part for number, part in enumerate(added) if number not in taken]


def _pop(waiting: list[int] | None, taken: set[int]) -> int:
    while waiting:
        if (number := waiting.pop()) not in taken:
            return number
    return -1


def _by_shape(part: _Part) -> tuple[str]:
    return (part.shape,)


def _by_two_words(part: _Part) -> tuple[str, ...]:
    return starts_of(part.text)[:-1]


def _by_word_and_slot(part: _Part) -> tuple[tuple[str, str], ...]:
    return tuple((start, where) for start in starts_of(part.text)[-1:] for where in (part.after, part.before))


def _by_path(part: _Part) -> tuple[str, ...]:
    return (part.path,) if part.path else ()


def _by_where(part: _Part) -> tuple[str, ...]:
    return (part.where,) if part.where else ()


def _slots(part: _Part) -> tuple[NoisePlace, NoisePlace]:
    return NoisePlace("after", part.after), NoisePlace("before", part.before)


def _of_title(old: str, new: str) -> Difference:
    numbers = _changed_numbers(old, START, new, START)
    return Difference(old, new, numbers, (NoisePlace("title", ""),))


def _replaced(old: _Part, new: _Part) -> Difference:
    """Return the difference between two parts; of one in which a price changed the price alone counts."""
    numbers = _other_numbers(old.text, old.label, new.text, new.label) if old.shape == new.shape else ()
    if any(place.kind == "money" for place in numbers):
        return Difference(old.text, new.text, numbers)
    starts = set(starts_of(new.text))
    others = [NoisePlace("start", start) for start in starts_of(old.text) if start in starts]
    others += [NoisePlace("link", old.path)] if old.path and old.path == new.path else []
    others += [NoisePlace("path", old.where)] if old.where and old.where == new.where else []
    others += [one for one, other in zip(_slots(old), _slots(new), strict=True) if one == other]
    texts = () if numbers else (NoisePlace("text", old.shape), NoisePlace("text", new.shape))
    is_labelled = old.is_labelled and new.is_labelled
    return Difference(old.text, new.text, numbers, tuple(others), texts, old.run == new.run, is_labelled)


def _alone(part: _Part, *, is_new: bool) -> Difference:
    others = [NoisePlace("after, alone", part.after), NoisePlace("before, alone", part.before)]
    others += [NoisePlace("path", part.where)] if part.where.endswith(BESIDE) else []
    texts = (NoisePlace("text", part.shape),)
    return Difference("" if is_new else part.text, part.text if is_new else "", (), tuple(others), texts)


def _changed_numbers(old: str, old_label: str, new: str, new_label: str) -> tuple[NoisePlace, ...]:
    return _other_numbers(old, old_label, new, new_label) if shape(old) == shape(new) else ()


def _other_numbers(old: str, old_label: str, new: str, new_label: str) -> tuple[NoisePlace, ...]:
    """Return the places of the numbers that differ between two parts of one shape."""
    pairs = zip(numbers_in(old, old_label), numbers_in(new, new_label), strict=False)
    return tuple(
        dict.fromkeys(
            NoisePlace("money" if one.is_money else "number", one.place)
            for one, other in pairs
            if one.value != other.value
        )
    )


def _numbers_of_record(before: str, after: str) -> tuple[NoisePlace, ...]:
    """Return the places of the numbers that differ between the words of a record; none if other words differ too, or prices."""
    places = _changed_numbers(before, START, after, START)
    if any(place.kind == "money" for place in places):
        return ()
    return tuple(NoisePlace("in records", place.words) for place in places)


# Judging


def _has_younger_age(before: str, after: str) -> bool:
    """Say whether something happened, by what a record says of how long ago that was."""
    old, new = numbers_in(before), numbers_in(after)
    return len(old) == len(new) and any(
        was.value != now.value and became_younger(was.value, now.value)
        for was, now in zip(old, new, strict=True)
    )


class _Noise(NamedTuple):
    """What is known of the noise on a page."""

    marked: Container[NoisePlace]
    templates: Sequence[TemplateNoise]  # the finest first
    own: Mapping[NoisePlace, OwnCount]
    in_a_row: int

    def is_at(self, place: NoisePlace) -> bool:
        """Say whether a place is one of noise."""
        if place in self.marked:
            return True
        if self.is_of_template(place):
            return True
        alone = self.own.get(place)
        if alone is None or not _is_noise_of_page(alone, self.in_a_row):
            return False
        if place == TURNS:
            return alone.stood < _SETTLED
        return place.is_suspect or not any(counts.is_calm_but_for(alone) for counts in self.counted(place))

    def is_of_template(self, place: NoisePlace) -> bool:
        """Say whether other pages, too, have noise there; those of its template have the last word."""
        for counts in self.counted(place):
            if counts.is_noise(place):
                return True
            if counts.is_calm():
                return False
        return False

    def hides(self, difference: Difference, *, is_return: bool) -> tuple[NoisePlace, ...]:
        """Return the places whose masks hide a difference; none if it is to be told."""

        def hides_words(place: NoisePlace) -> bool:
            if place in self.marked or place.is_beside:
                return True
            if is_return:
                return not difference.is_labelled or self.is_of_template(place)
            return difference.is_clear and self.gets_new_words(place, difference)

        return _hidden_by(difference, self.is_at, hides_words, self.goes)

    def is_known(self, text: str) -> bool:
        """Say whether a text has come or gone before on pages like this one."""
        number = _hash(shape(text))
        return any(number in template.texts for template in self.templates)

    def goes(self, place: NoisePlace) -> bool:
        """Say whether a text was seen to go, on most pages that had it."""
        return any(counts.rate >= 0.5 for counts in islice(self.counted(place), 1))

    def gets_new_words(self, place: NoisePlace, difference: Difference) -> bool:
        """Say whether words never seen before are noise, too: many pages get such there, not just the first of a list.

        What changes again and again on this page and on others is, too. On a page without others like it that holds for links that leave the
        site; and never for what grows, as articles and lists do.
        """
        alone = self.own.get(place)
        if (
            alone is not None
            and _is_noise_of_page(alone, self.in_a_row)
            and (place.is_suspect or self.is_of_template(place))
            and not difference.has_grown
        ):
            return True
        return any(len(counts.fresh) >= _MANY_FRESH for counts in self.counted(place))

    def is_lifted(self, place: NoisePlace) -> bool:
        """Say whether a place that was one of noise hardly ever changes now, or has settled on this page."""
        counted = list(self.counted(place))
        if place in self.marked or any(counts.is_noise(place) for counts in counted):
            return False
        alone = self.own.get(place)
        return any(counts.is_still() for counts in counted[:1]) or (
            alone is not None and alone.stood >= _SETTLED
        )

    def lifted(self, held: Sequence[HeldDifference]) -> tuple[list[Difference], list[HeldDifference]]:
        """Return what was hidden by masks that are lifted now, and what others hide still."""
        late = [
            each for each in held if any(map(self.is_lifted, each.by)) and not any(map(self.is_at, each.by))
        ]
        told = [Difference(each.before, each.after, each.by) for each in late if not _came_to_nothing(each)]
        return told, [each for each in held if each not in late]

    def counted(self, place: NoisePlace) -> Iterator[PlaceCounts]:
        """Yield what is counted of a place."""
        return (counts for each in self.templates if (counts := each.places.get(place)) is not None)


def _learn(
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
    """Count which places of a page changed, and that the others stood."""
    changed: dict[NoisePlace, tuple[int, bool]] = {}
    for difference, is_return in zip(found, returns, strict=True):
        # Words that come to all pages are one and the same, whatever number each page has in them.
        value = _hash(difference.after if difference.numbers else shape(difference.after))
        for place in difference.places:
            if place.is_general or not is_site:
                changed.setdefault(place, (value, is_return))
    for place, (value, is_return) in changed.items():
        counts = level.counts(place, now)
        counts.change(_hash(url), value, is_later=seen_at >= counts.first, is_return=is_return)
    touched = {place for each in found for place in (*each.numbers, *each.others, *each.texts)}
    _let_stand(level, signs, touched, seen_at)
    level.remember(_hash(shape(text)) for each in found for text in (each.before, each.after) if text)


def _hidden_by(
    difference: Difference,
    is_noise: Callable[[NoisePlace], bool],
    hides_words: Callable[[NoisePlace], bool] = lambda _: True,
    goes: Callable[[NoisePlace], bool] = lambda _: False,
) -> tuple[NoisePlace, ...]:
    numbers = difference.numbers if all(map(is_noise, difference.numbers)) else ()
    others = tuple(place for place in difference.others if is_noise(place) and hides_words(place))
    first, rest = difference.texts[:1], difference.texts[1:]
    texts = first if all(map(is_noise, first)) and all(is_noise(each) or goes(each) for each in rest) else ()
    return (*numbers, *others, *texts)


def _to_mark(difference: Difference) -> tuple[NoisePlace, ...]:
    """Return the places to mask when a person says that a difference is noise: the narrowest that will do."""
    if difference.numbers:
        return difference.numbers
    starts = tuple(place for place in difference.others if place.kind == "start")
    return starts[:1] or tuple(place for place in difference.others if place.is_general) or difference.others


def _is_noise_of_page(own: OwnCount, in_a_row: int) -> bool:
    """Say whether a place is one of noise by what happened on a single page."""
    if own.place.kind == "money" or own.changed < 2:
        return False
    is_in_a_row = own.changed >= in_a_row and (own.changed == own.looks or own.changed > in_a_row)
    return 2 * own.changed >= own.looks and (
        own.place.kind == "number" or own.place.is_suspect or is_in_a_row
    )


def _with_looks(
    own: Sequence[OwnCount], found: Sequence[Difference], *, is_turn: bool = False
) -> tuple[OwnCount, ...]:
    """Return how often places changed on a page, with one more look at it.

    Where many words change at once, as on the front page of a newspaper, that tells nothing of their places.
    """
    of_numbers = {place for each in found for place in each.numbers}
    of_numbers |= {place for each in found if each.is_bare for place in each.others if place.kind == "path"}
    beside = {place for each in found for place in each.others if place.is_beside}
    in_words = [each for each in found if not each.numbers and beside.isdisjoint(each.others)]
    of_words = {place for each in in_words for place in each.places} if len(in_words) <= _FEW_WORDS else set()
    kept = {each.place: each._replace(looks=each.looks + 1, stood=each.stood + 1) for each in own}
    of_numbers |= {place for each in found if each.numbers for place in each.others if place in kept}
    for place in of_numbers | of_words | beside | ({TURNS} if is_turn else set()):
        before = kept.get(place) or OwnCount(place, 0, 1)
        kept[place] = before._replace(changed=before.changed + 1, stood=0)
    alive = [each for each in kept.values() if _FORGOTTEN * each.changed >= each.looks]
    return tuple(sorted(alive, key=lambda each: (-each.changed, each.looks, each.place))[:_MOST_OWN])


def _came_to_nothing(held: HeldDifference) -> bool:
    """Say whether what was hidden is as it was; of a page that took turns, but for its numbers."""
    if held.by != (TURNS,) or shape(held.before) != shape(held.after):
        return held.before == held.after
    return all(place.kind != "money" for place in _changed_numbers(held.before, START, held.after, START))


def _joined(held: Iterable[HeldDifference], hidden: Iterable[HeldDifference]) -> Iterator[HeldDifference]:
    """Yield what masks hid before and hid now: what took the place of each other from the first to the last, what came or went one by one."""
    kept: dict[object, HeldDifference] = {}
    for each in (*held, *hidden):
        if each.by == (TURNS,):
            before = kept.pop((TURNS, each.before), None)
            key: object = (TURNS, each.after or f"-{each.before}")
        else:
            is_replacement = bool(each.before and each.after)
            key = each.by[0] if is_replacement else each
            before = kept.pop(key, None) if is_replacement else None
        kept[key] = HeldDifference(before.before, each.after, each.by) if before else each
    yield from list(kept.values())[-_MOST_HELD:]


def _let_stand(
    template: TemplateNoise, signs: Iterable[int], changed: Iterable[NoisePlace], seen_at: float
) -> None:
    """Count for all places a version has, but for some, that they stood."""
    but = frozenset(changed)
    places, by_sign = template.places, template.signs
    if not by_sign:
        return
    for each in by_sign.keys() & signs:
        for place in by_sign[each]:
            if place not in but and place.kind != "in records":
                counts = places[place]
                counts.stand(is_later=seen_at >= counts.first)


def _levels(url: str, structure: int) -> tuple[str, str]:
    """Return the names under which a page's places are counted: its template, and its site."""
    site = host(url)
    return f"{site} {structure & 0xFFFFFFFFFFFFFFFF:016x}", site


def _hash(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "replace")) >> 16


def _id(template: str, place: NoisePlace) -> str:
    return xxh3_64_hexdigest(f"{template}\n{place.kind}\n{place.words}".encode("utf-8", "replace"))[:10]


def _why(counts: PlaceCounts) -> str:
    many = "+" if len(counts.pages) >= _REMEMBERED else ""
    return f"changed at {counts.changed} of {counts.looks} looks, on {len(counts.pages)}{many} pages"


def _why_of_page(own: OwnCount) -> str:
    what = "" if own.place.kind == "number" or own.place.is_suspect else ", hides what was there before"
    return f"changed at {own.changed} of {own.looks} looks at this page{what}"


def _counts(numbers: Sequence[Any]) -> PlaceCounts:
    first, changed, stood, again, stood_later, returned, pages, values, fresh = numbers
    return PlaceCounts(
        first, changed, stood, again, stood_later, returned, set(pages), set(values), set(fresh)
    )


def _numbers(counts: PlaceCounts) -> list[object]:
    return [
        counts.first, counts.changed, counts.stood, counts.again, counts.stood_later, counts.returned,
        sorted(counts.pages), sorted(counts.values), sorted(counts.fresh),
    ]  # fmt: skip
