"""The differences between two versions of a page, part by part; order does not count.

Two parts are paired if only their numbers differ, else if they begin with the same words, else if they stand at the same place between parts that both versions have.
Each difference lists its places (`hiddenweb.revisit.noise_place`), so that noise can be counted and masked there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.language.tokens import words
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import (
    ASIDE,
    END,
    LABELLED,
    START,
    numbers_in,
    shape,
    starts_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.revisit.parts import PageVersion

_MIN_SHARE_LEFT = 0.9  # share of the words of a part that a longer version still has; a limit of taste
_LABEL = re.compile(r"[^:：]{1,40}[:：]")


class Difference(NamedTuple):
    """A part of a page that replaced another, was added or was removed, with its places."""

    before: str
    after: str
    numbers: tuple[NoisePlace, ...] = ()  # of the numbers that differ, if nothing else does
    others: tuple[NoisePlace, ...] = ()  # a mask of any of them is enough
    texts: tuple[NoisePlace, ...] = ()  # masks of all of them are needed
    is_clear: bool = True  # it is clear which part replaced which
    is_labelled: bool = False  # it is the value of a label

    @property
    def has_grown(self) -> bool:
        """Whether a part was added or extended: an advertisement or a clock would have other words."""
        old, new = set(words(self.before)), set(words(self.after))
        return len(new) > len(old) and len(old & new) >= _MIN_SHARE_LEFT * len(old)

    @property
    def is_bare(self) -> bool:
        """Whether it is a number without words, which only the text before it identifies, and that may change."""
        return bool(self.numbers) and not any(map(str.isalpha, shape(self.before)))

    @property
    def places(self) -> tuple[NoisePlace, ...]:
        """The places that this difference counts as changed: not the position of numbers with words, nor a text that was added."""
        if self.numbers:
            kinds = ("start", "path") if self.is_bare else ("start",)
            return (*self.numbers, *(place for place in self.others if place.kind in kinds))
        return (*self.others, *(self.texts[:1] if self.before else ()))


class _Part(NamedTuple):
    text: str
    shape: str
    label: str  # the part before it
    path: str  # of its link, if it is nothing else
    where: str  # path of its position, if few parts share it
    is_labelled: bool
    after: str  # its distance from the last unchanged part before it, and the shape of that
    before: str  # the same for the next unchanged part
    run: int  # length of the run of changed parts


_Key = Callable[[_Part], Iterable[object]]


def find_differences(
    old: PageVersion,
    new: PageVersion,
    is_noise: Callable[[NoisePlace], bool] = lambda _: False,
    was_seen: Callable[[str], bool] = lambda _: False,
) -> list[Difference]:
    """Return the parts of a page that were added, removed or replaced; their order does not count.

    Two parts are paired if only their numbers differ, else if they begin with the same words, else if they are at the same
    place between others; there, places of noise and texts that appeared before come first. Time is linear in the length of the page.
    """
    title = [] if old.title == new.title else [_title_difference(old.title, new.title)]
    removed = _only_in(old, new)
    added = _only_in(new, old)
    found: list[Difference] = title

    def noisy(part: _Part) -> list[NoisePlace]:
        return [place for place in _slots(part) if is_noise(place)]

    keys: list[tuple[_Key, _Key]] = [
        (_shape_keys, _shape_keys),
        (_two_word_keys, _two_word_keys),
        (_word_and_slot_keys, _word_and_slot_keys),
        (_link_keys, _link_keys),
        (_path_keys, _path_keys),
        (noisy, lambda part: noisy(part) if was_seen(part.text) else ()),
        (noisy, noisy),
        (_slots, _slots),
    ]
    for key, other_key in keys:
        pairs, removed, added = _pair_parts(removed, added, key, other_key)
        found += [_replacement(old_part, new_part) for old_part, new_part in pairs]
    found += [_single_difference(part, is_new=False) for part in removed]
    found += [_single_difference(part, is_new=True) for part in added]
    return found


def _only_in(version: PageVersion, other: PageVersion) -> list[_Part]:
    """Return the parts that another version does not have, each with its position between those that both have."""
    parts, unmatched = version.parts, Counter(other.parts)
    differs = []
    for part in parts:
        unmatched[part] -= 1
        differs.append(unmatched[part] < 0)
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
        following = shape(parts[end]) if end < len(parts) else END
        for place in range(at, end):
            label = parts[place - 1] if place else START
            after, ahead = f"{place - at + 1} {before}", f"{end - place} {following}"
            text = parts[place]
            position = where.get(text, "")
            is_labelled = position.endswith(LABELLED) or _LABEL.match(text) is not None
            if position.endswith(LABELLED):
                position = ""
            found.append(
                _Part(
                    text,
                    shape(text),
                    label,
                    paths.get(text, ""),
                    position,
                    is_labelled,
                    after,
                    ahead,
                    end - at,
                )
            )
        at = end + 1
    return found


def _pair_parts(
    removed: Sequence[_Part], added: Sequence[_Part], key: _Key, other_key: _Key
) -> tuple[list[tuple[_Part, _Part]], list[_Part], list[_Part]]:
    """Return the pairs of parts with a common key, and the parts that are left over."""
    if not removed or not added:
        return [], list(removed), list(added)
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for number in range(len(added) - 1, -1, -1):
        for each in other_key(added[number]):
            waiting[each].append(number)
    paired: set[int] = set()
    pairs, unpaired = [], []
    for part in removed:
        partner = next((number for each in key(part) if (number := _pop(waiting.get(each), paired)) >= 0), -1)
        if partner < 0:
            unpaired.append(part)
        else:
            paired.add(partner)
            pairs.append((part, added[partner]))
    return pairs, unpaired, [part for number, part in enumerate(added) if number not in paired]


def _pop(waiting: list[int] | None, paired: set[int]) -> int:
    while waiting:
        if (number := waiting.pop()) not in paired:
            return number
    return -1


def _shape_keys(part: _Part) -> tuple[str]:
    return (part.shape,)


def _two_word_keys(part: _Part) -> tuple[str, ...]:
    return starts_of(part.text)[:-1]


def _word_and_slot_keys(part: _Part) -> tuple[tuple[str, str], ...]:
    return tuple((start, where) for start in starts_of(part.text)[-1:] for where in (part.after, part.before))


def _link_keys(part: _Part) -> tuple[str, ...]:
    return (part.path,) if part.path else ()


def _path_keys(part: _Part) -> tuple[str, ...]:
    return (part.where,) if part.where else ()


def _slots(part: _Part) -> tuple[NoisePlace, NoisePlace]:
    return NoisePlace("after", part.after), NoisePlace("before", part.before)


def _title_difference(old: str, new: str) -> Difference:
    numbers = find_changed_numbers(old, START, new, START)
    return Difference(old, new, numbers, (NoisePlace("title", ""),))


def _replacement(old: _Part, new: _Part) -> Difference:
    """Return the difference between two parts; if a price changed, only the price counts."""
    numbers = _differing_numbers(old.text, old.label, new.text, new.label) if old.shape == new.shape else ()
    if any(place.kind == "money" for place in numbers):
        return Difference(old.text, new.text, numbers)
    starts = set(starts_of(new.text))
    others = [NoisePlace("start", start) for start in starts_of(old.text) if start in starts]
    others += [NoisePlace("link", old.path)] if old.path and old.path == new.path else []
    others += [NoisePlace("path", old.where)] if old.where and old.where == new.where else []
    others += [slot for slot, new_slot in zip(_slots(old), _slots(new), strict=True) if slot == new_slot]
    texts = () if numbers else (NoisePlace("text", old.shape), NoisePlace("text", new.shape))
    is_labelled = old.is_labelled and new.is_labelled
    return Difference(old.text, new.text, numbers, tuple(others), texts, old.run == new.run, is_labelled)


def _single_difference(part: _Part, *, is_new: bool) -> Difference:
    others = [NoisePlace("after, alone", part.after), NoisePlace("before, alone", part.before)]
    others += [NoisePlace("path", part.where)] if part.where.endswith(ASIDE) else []
    texts = (NoisePlace("text", part.shape),)
    return Difference("" if is_new else part.text, part.text if is_new else "", (), tuple(others), texts)


def find_changed_numbers(old: str, old_label: str, new: str, new_label: str) -> tuple[NoisePlace, ...]:
    """Return the places of the numbers in which two texts differ; none if they differ in other words too."""
    return _differing_numbers(old, old_label, new, new_label) if shape(old) == shape(new) else ()


def _differing_numbers(old: str, old_label: str, new: str, new_label: str) -> tuple[NoisePlace, ...]:
    """Return the places of the numbers that differ between two parts of one shape."""
    pairs = zip(numbers_in(old, old_label), numbers_in(new, new_label), strict=False)
    return tuple(
        dict.fromkeys(
            NoisePlace("money" if was.is_money else "number", was.place)
            for was, now in pairs
            if was.value != now.value
        )
    )
