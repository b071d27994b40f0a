from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.revisit.noise import HeldDifference, NoiseMasks, join_held, would_hide
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import PageVersion, parts_of, signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddenweb.revisit.noise_counts import OwnCount

DAY = 86_400.0


def version(*lines: str, structure: int = 1, paths: Mapping[str, str] | None = None) -> PageVersion:
    parts, where = tuple(parts_of(lines)), paths or {}
    signs = signs_of(("A page", *parts), paths=where.values())
    return PageVersion("A page", parts, structure, signs, paths=tuple(where.items()))


class Reader:
    """Revisits pages of one site day after day."""

    def __init__(self, masks: NoiseMasks | None = None) -> None:
        self.masks = masks or NoiseMasks()
        self.pages: dict[str, tuple[PageVersion, float]] = {}
        self.own: dict[str, tuple[OwnCount, ...]] = {}
        self.held: dict[str, tuple[HeldDifference, ...]] = {}

    def revisit(self, name: str, now: PageVersion, day: float) -> list[tuple[str, str]]:
        """Return what is reported of a page, as (before, after)."""
        url, at = f"http://a.example/{name}", day * DAY + len(self.pages) / 100
        before = self.pages.get(name)
        self.pages[name] = now, at
        if before is None:
            return []
        old, seen_at = before
        own, held = self.own.get(name, ()), self.held.get(name, ())
        if old == now:
            verdict = self.masks.learn_unchanged(
                url, now.structure, now.signs, seen_at=seen_at, own=own, held=held
            )
        else:
            verdict = self.masks.judge(url, old, now, seen_at=seen_at, now=at, own=own, held=held)
        self.own[name], self.held[name] = verdict.own, verdict.held
        return [(each.before, each.after) for each in verdict.reported]


@pytest.mark.parametrize(
    "counter",
    [
        "Viewed {} times",
        "浏览{}次",
        "เข้าชม {} ครั้ง",
        "شوهد {} مرة",
        "Просмотров: {}",
        "Besucher\n{}",
        "Generated 2026-01-02 10:{}",
    ],
)
def test_counter_of_a_template_is_masked_from_the_third_round_on(counter: str) -> None:
    reader, rng = Reader(), Random(1)

    reported = [
        reader.revisit(
            f"{page}",
            version(
                f"Page {page} is about tea.", *counter.format(rng.randint(10, 99) * 100 + day).split("\n")
            ),
            day,
        )
        for day in range(5)
        for page in range(6)
    ]

    assert any(reported[6:12])
    assert not any(reported[12:])


def test_price_that_changes_once_is_reported_next_to_a_masked_counter() -> None:
    reader = Reader()
    for day in range(4):
        for page in range(6):
            reader.revisit(
                f"{page}", version("Stock 12", "Price £5.00", f"Viewed {100 * day + page} times"), day
            )

    assert reader.revisit("3", version("Stock 12", "Price £6.00", "Viewed 999 times"), 5) == [
        ("Price £5.00", "Price £6.00")
    ]
    assert reader.revisit("4", version("Stock 11", "Price £5.00", "Viewed 998 times"), 5) == [
        ("Stock 12", "Stock 11")
    ]


def test_number_that_changes_on_one_page_but_not_on_others_is_reported_each_time() -> None:
    reader = Reader()
    reported = []
    for day in range(6):
        for page in range(8):
            height = 100 + day if page == 3 else 100
            reported += reader.revisit(f"{page}", version(f"Text {page}.", f"Height {height} metres"), day)

    assert reported == [(f"Height {100 + day} metres", f"Height {101 + day} metres") for day in range(5)]


def test_what_changes_once_on_all_pages_is_reported_for_all_and_never_masked() -> None:
    reader = Reader()
    reported = []
    for day in range(4):
        phone = "Call 555-1234 now" if day < 2 else "Call 555-9999 now"
        reported += [reader.revisit(f"{page}", version(f"Page {page}.", phone), day) for page in range(20)]

    assert [bool(each) for each in reported] == [False] * 40 + [True] * 20 + [False] * 20
    assert reader.masks.masks() == []


def test_words_that_change_once_on_all_pages_are_reported_whatever_numbers_are_among_them() -> None:
    reader = Reader()
    reported = []
    for day, metal in enumerate(("brass", "silver")):
        reported += [
            reader.revisit(
                f"{page}", version("Lamps", f"Item {page} is a lamp of {metal}, made in {1900 + page}."), day
            )
            for page in range(12)
        ]

    assert [bool(each) for each in reported] == [False] * 12 + [True] * 12


def test_money_is_never_masked_by_learning() -> None:
    reader = Reader()
    reported = [
        reader.revisit(f"{page}", version(f"Share {page}.", f"Price {10 * day + page},50 €"), day)
        for day in range(6)
        for page in range(6)
    ]

    assert all(reported[6:])


def test_counter_of_a_single_page_is_masked_at_its_second_change() -> None:
    reader = Reader()

    reported = [reader.revisit("home", version("Welcome.", f"Visitor {day * 7}"), day) for day in range(6)]

    assert [bool(each) for each in reported] == [False, True, False, False, False, False]


def test_own_counts_of_a_page_do_not_prevent_its_mask() -> None:
    reader = Reader()

    reported = [
        reader.revisit("home", version("Welcome.", f"Visitor {seen}"), day)
        for day, seen in enumerate((5, 6, 6, 6, 7, 9))
    ]

    assert [bool(each) for each in reported] == [False, True, False, False, False, False]


def test_date_without_words_is_identified_by_its_place_when_the_text_before_it_changes() -> None:
    reader, reported = Reader(), []
    for day, above in enumerate(("It rains.", "It rains.", "It rains.", "It snows.", "It snows.")):
        date = f"{day + 3} May 2026"
        reported += reader.revisit("home", version(above, date, paths={date: "main/p"}), day)

    assert reported == [("3 May 2026", "4 May 2026"), ("It rains.", "It snows.")]


def test_noise_is_learnt_although_the_clock_is_set_back() -> None:
    reader = Reader()
    for page in range(3):
        reader.revisit(f"{page}", version("Tea.", f"Viewed {page} times"), 900)
        reader.revisit(f"{page}", version("Tea.", f"Viewed {page + 50} times"), 901)

    reported = [
        reader.revisit(f"{page}", version("Tea.", f"Viewed {day * 70 + page} times"), day)
        for day in range(3, 6)
        for page in range(3)
    ]

    assert not any(reported[3:])


def test_front_page_that_changes_in_many_parts_at_every_revisit_is_always_reported() -> None:
    reader = Reader()

    rng = Random(2)

    reported = []
    for day in range(8):
        headlines = ["".join(rng.choices("abcdefgh", k=9)) + " in the news" for _ in range(4)]
        reported.append(reader.revisit("home", version("Latest news", *headlines), day))

    assert all(reported[1:])


def test_sentence_that_is_rewritten_at_every_revisit_is_reported_while_similar_pages_do_not_change() -> None:
    reader, rng = Reader(), Random(6)
    reported = []
    for day in range(7):
        for page in range(12):
            word = "".join(rng.choices("abcdefgh", k=9)) if page == 5 else "calm"
            found = reader.revisit(f"{page}", version(f"About page {chr(97 + page)}.", f"{word} it is"), day)
            if page == 5:
                reported.append(bool(found))

    assert reported == [False] + [True] * 6


def test_words_that_are_new_at_every_revisit_are_reported_on_a_page_without_similar_ones() -> None:
    reader, rng = Reader(), Random(4)

    results = [
        reader.revisit("home", version("Welcome.", "".join(rng.choices("abcdefgh", k=9)) + " wins"), day)
        for day in range(6)
    ]

    assert [day for day, each in enumerate(results) if each] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("in_a_row", "reported"), [(2, [1]), (4, [1, 2, 3])])
def test_words_that_alternate_at_every_revisit_are_masked_after_some(
    in_a_row: int, reported: list[int]
) -> None:
    reader = Reader(NoiseMasks(in_a_row=in_a_row))

    results = [
        reader.revisit("home", version("Welcome.", ("Buy it now", "Try it for free")[day % 2]), day)
        for day in range(6)
    ]

    assert [day for day, each in enumerate(results) if each] == reported


@pytest.mark.parametrize("path", ["div/dd =", ""], ids=["in a cell", "behind a colon"])
def test_labelled_value_that_changes_and_changes_back_is_reported_each_time(path: str) -> None:
    reader, reported = Reader(), []
    for day in range(5):
        text = f"{'' if path else 'Availability: '}{('In stock', 'Sold out')[day % 2]}"
        reported.append(reader.revisit("home", version("A lamp.", text, paths={text: path}), day))

    assert [bool(each) for each in reported] == [False, True, True, True, True]


ADS = ("Fly to Spain!", "Buy new shoes!", "Eat more cheese!", "Learn the violin!")


def with_ad(page: int, ad: str, last: str = "The end of it.") -> PageVersion:
    return version(f"About page {chr(97 + page)}.", last, "Advertisement", ad)


def test_advertisement_is_hidden_and_the_sentence_before_it_is_reported() -> None:
    reader, rng = Reader(), Random(3)
    reported = [
        reader.revisit(f"{page}", with_ad(page, rng.choice(ADS)), day)
        for day in range(5)
        for page in range(8)
    ]

    assert not any(reported[24:])
    assert reader.revisit("2", with_ad(2, "Play chess!", "Another end."), 6) == [
        ("The end of it.", "Another end.")
    ]


def test_sentence_added_before_an_advertisement_is_reported() -> None:
    reader, rng = Reader(), Random(3)
    for day in range(4):
        for page in range(8):
            reader.revisit(f"{page}", version(f"About {chr(97 + page)}.", rng.choice(ADS)), day)
    reader.revisit("5", version("About f.", ADS[0]), 5)

    assert reader.revisit("5", version("About f.", "It moved to Rome.", ADS[1]), 6) == [
        ("", "It moved to Rome.")
    ]


def test_memory_is_bounded_however_many_places_change() -> None:
    masks = NoiseMasks()
    for number in range(30):
        old = version(*(f"{chr(97 + number % 26)}{n}x word{n} {n}" for n in range(60)), structure=number % 3)
        new = version(
            *(f"{chr(98 + number % 26)}{n}y term{n} {n + number}" for n in range(60)), structure=number % 3
        )
        masks.judge(f"http://a.example/{number}", old, new, seen_at=number, now=number + 1)

    assert all(len(template.places) <= 300 for template in masks._templates.values())


# A mask that was wrong


def test_hidden_difference_is_reported_when_the_number_settles() -> None:
    reader = Reader()
    numbers = [1, 2, 3, 3, 3, 3, 3]

    reported = [
        reader.revisit("home", version("Welcome.", f"Chapter {number} is out"), day)
        for day, number in enumerate(numbers)
    ]

    assert reported == [
        [],
        [("Chapter 1 is out", "Chapter 2 is out")],
        [],
        [],
        [],
        [("Chapter 2 is out", "Chapter 3 is out")],
        [],
    ]


# People


def test_person_marks_noise_for_the_site_and_unmarks_it() -> None:
    masks = NoiseMasks()
    old, new = version("Price £5.00", "Tea."), version("Price £6.00", "Tea.")
    (mask,) = masks.mark("http://a.example/1", old, new)
    assert mask.place == NoisePlace("money", "price #")

    hidden = masks.judge(
        "http://a.example/2", version("Price £1.00"), version("Price £2.00"), seen_at=0, now=1
    )
    assert (hidden.reported, len(hidden.hidden)) == ((), 1)
    elsewhere = masks.judge(
        "http://b.example/2", version("Price £1.00"), version("Price £2.00"), seen_at=0, now=1
    )
    assert len(elsewhere.reported) == 1

    assert masks.unmark(mask.id)
    assert not masks.unmark(mask.id)
    again = masks.judge(
        "http://a.example/2", version("Price £1.00"), version("Price £2.00"), seen_at=0, now=1
    )
    assert len(again.reported) == 1


def test_rule_shows_what_it_would_have_hidden_before() -> None:
    masks = NoiseMasks()
    marked = masks.mark("http://a.example/1", version("Updated in April"), version("Updated in March"))

    hidden = would_hide(
        marked, version("Updated in May", "Red tea."), version("Updated in June", "Green tea.")
    )

    assert [(each.before, each.after) for each in hidden] == [("Updated in May", "Updated in June")]


def test_masks_say_what_they_hide_and_why() -> None:
    reader = Reader()
    for day in range(3):
        for page in range(5):
            reader.revisit(f"{page}", version(f"Page {page}.", f"Viewed {day * 50 + page} times"), day)

    lines = [str(mask) for mask in reader.masks.masks("a.example")]

    assert any(
        'the number in "viewed # times" (changed at 10 of 10 revisits, on 5 pages)' in line for line in lines
    )
    assert reader.masks.masks("b.example") == []


def test_masks_go_through_json_and_judge_as_before() -> None:
    reader, rng = Reader(), Random(5)
    for day in range(3):
        for page in range(6):
            reader.revisit(
                f"{page}", with_ad(page, rng.choice(ADS), f"Seen by {rng.randint(1, 999)} people."), day
            )
    reader.masks.mark("http://a.example/1", version("Hello"), version("Goodbye"))

    again = NoiseMasks.restore(reader.masks.to_json())

    assert again.masks() == reader.masks.masks()
    assert again.masks()
    assert again.to_json() == reader.masks.to_json()
    reader.masks = again
    assert reader.revisit("1", with_ad(1, "Fly to Spain!", "Seen by 5 people."), 4) == []


# Records


def test_number_in_the_words_of_most_records_is_noise_and_other_words_are_not() -> None:
    masks = NoiseMasks()
    url = "http://a.example/find"
    for day in range(3):
        words = [
            (f"{n}", f"Tea {n} posted {n + day} days ago", f"Tea {n} posted {n + day + 1} days ago")
            for n in range(5)
        ]
        noisy = masks.judge_records(url, 1, words, seen_at=day * DAY, now=(day + 1) * DAY)

    assert noisy == frozenset("01234")
    assert (
        masks.judge_records(
            url, 1, [("1", "Tea posted 3 days ago", "Tee posted 4 days ago")], seen_at=9e5, now=1e6
        )
        == frozenset()
    )


def test_additions_to_a_page_without_similar_ones_are_reported_each_day() -> None:
    """A list gets a new item on top, an article a new sentence: neither replaces anything."""
    reader = Reader()
    items = ["The bridge is closed until May"]
    article = "It began to rain in the morning"
    for day, word in enumerate(("river", "garden", "market", "winter", "harbour", "castle")):
        reported = reader.revisit("news", version("All news", *items, "Imprint", structure=2), day)
        grown = reader.revisit("story", version(article, "Imprint", structure=3), day)
        assert [after for _, after in reported] == items[:1] * (day > 0)
        assert [after for _, after in grown] == [article] * (day > 0)
        items.insert(0, f"Something new about the {word} was said")
        article = f"{article} and then the {word} was under water"


def test_hidden_additions_are_reported_one_by_one_when_the_mask_is_lifted() -> None:
    place = NoisePlace("start", "notice …")
    additions = [HeldDifference("", f"Notice {number}", (place,)) for number in range(3)]
    replaced = [HeldDifference("a", "b", (place,)), HeldDifference("b", "c", (place,))]
    assert list(join_held(additions[:2], additions[2:])) == additions
    assert list(join_held(replaced[:1], replaced[1:])) == [HeldDifference("a", "c", (place,))]
