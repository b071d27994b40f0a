"""The differences between two versions of a page."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from timing import within

from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.part_differences import find_differences
from hiddenweb.revisit.parts import PageVersion, parts_of, signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def version(*lines: str, structure: int = 1, paths: Mapping[str, str] | None = None) -> PageVersion:
    parts, where = tuple(parts_of(lines)), paths or {}
    signs = signs_of(("A page", *parts), paths=where.values())
    return PageVersion("A page", parts, structure, signs, paths=tuple(where.items()))


@given(st.permutations(["One apple.", "Two pears.", "Two pears.", "梨。", "تفاح"]))
def test_order_of_parts_does_not_count(order: list[str]) -> None:
    assert (
        find_differences(version("One apple.", "Two pears.", "Two pears.", "梨。", "تفاح"), version(*order))
        == []
    )


@given(st.lists(st.sampled_from("abcdefg"), max_size=12), st.lists(st.sampled_from("abcdefg"), max_size=12))
def test_differences_are_exactly_what_only_one_version_has(old: list[str], new: list[str]) -> None:
    found = find_differences(version(*old), version(*new))

    only_old, only_new = list(old), list(new)
    for part in old:
        if part in only_new:
            only_new.remove(part)
            only_old.remove(part)
    assert sorted(each.before for each in found if each.before) == sorted(only_old)
    assert sorted(each.after for each in found if each.after) == sorted(only_new)


def test_empty_pages_are_compared() -> None:
    assert find_differences(version(), version()) == []
    assert [(each.before, each.after) for each in find_differences(version(), version("Hello"))] == [
        ("", "Hello")
    ]


def test_long_pages_are_compared_in_time_that_grows_with_their_length() -> None:
    rng = Random(1)
    old = version(*(f"Row {rng.random()}" for _ in range(5_000)))
    new = version(*(f"Row {rng.random()}" for _ in range(5_000)))

    within(5, lambda: NoiseMasks().judge("http://a.example/", old, new, seen_at=0, now=1))
