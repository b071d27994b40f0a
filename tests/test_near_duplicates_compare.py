from __future__ import annotations

import random
from functools import partial

import pytest
from copies import WORDS, change_words, lines, prose
from timing import within

from hiddenweb.model import Page
from hiddenweb.near_duplicates.compare import compare_texts
from hiddenweb.near_duplicates.sketch import bands, sketch, text_fingerprint

HAN = [chr(code) for code in range(0x4E00, 0x5600)]


def page(text: str, title: str) -> Page:
    return Page("https://a.example/", title, text, fingerprint=text_fingerprint(text))


@pytest.mark.parametrize(
    ("between", "instead"), [(" ", WORDS), ("", HAN)], ids=["with spaces", "without spaces"]
)
@pytest.mark.parametrize("count", [50, 300, 3_000])
def test_texts_with_three_words_in_a_hundred_changed_meet_and_are_one(
    count: int, between: str, instead: list[str]
) -> None:
    found = 0
    for seed in range(40):
        rng = random.Random(seed)
        parts = prose(count, rng) if between else rng.choices(HAN, k=count)
        text, copy = lines(parts, between), lines(change_words(parts, rng, instead), between)
        meet = not set(bands(sketch(text))).isdisjoint(bands(sketch(copy)))
        found += meet and compare_texts(copy, text).same

    assert found >= 39


PROSE = lines(prose(300, random.Random(1)))


@pytest.mark.parametrize(
    ("text", "other", "why"),
    [
        pytest.param("Colour\tred\n" + PROSE, "Colour\tblue\n" + PROSE, "a value differs: “red” and “blue”", id="cell"),
        pytest.param(f"Location: Providence\n{PROSE}", f"Location: Harrisburg\n{PROSE}", "a value differs", id="short line"),
        pytest.param(f"Price: $ 38,625\n{PROSE}", f"Price: $ 39,575\n{PROSE}", "a value differs", id="price"),
        pytest.param(
            f"Oslo is an old town by the sea, and many people live there.\n{PROSE}\nWhoever goes to Oslo should see it all in two or three days.",
            f"Bari is an old town by the sea, and many people live there.\n{PROSE}\nWhoever goes to Bari should see it all in two or three days.",
            "they are about different things: “Oslo” and “Bari”",
            id="name in sentences",
        ),
        pytest.param(
            f"The engine has 115 horses, weighs 210 pounds, is 42 inches long and costs little.\n{PROSE}",
            f"The engine has 230 horses, weighs 390 pounds, is 68 inches long and costs little.\n{PROSE}",
            "too many numbers differ: 3 of 3",
            id="numbers in a sentence",
        ),
        pytest.param(" ".join(WORDS[:80]), " ".join(WORDS[60:140]), "at least 60 of 80 words differ", id="other words"),
        pytest.param("".join(HAN[:80]), "".join(HAN[60:140]), "more than 5 of 80 words differ", id="other characters"),
        pytest.param("nothing was found", "something was found", "only 3 words", id="a few words"),
        pytest.param(
            f"Width\t10\nHeight\t20\n{PROSE}", f"Width\t20\nHeight\t10\n{PROSE}", "a value differs", id="exchanged values",
        ),
    ],
)  # fmt: skip
def test_different_records_of_a_template_are_not_one_page(text: str, other: str, why: str) -> None:
    for judged in (
        compare_texts(text, other),
        compare_texts(text, other, title="A shop", other_title="A shop"),
    ):
        assert not judged.same
        assert why in judged.why


@pytest.mark.parametrize(
    ("text", "other", "why"),
    [
        pytest.param(PROSE, PROSE.replace("\n", " \n "), "exactly the same", id="white space"),
        pytest.param(f"Visitors: 1,304\n{PROSE}", f"Visitors: 1,311\n{PROSE}", "nothing but numbers", id="counter"),
        pytest.param(f"17:04:55 17/11/2026\n{PROSE}", f"09:31:12 18/11/2026\n{PROSE}", "nothing but numbers", id="clock"),
        pytest.param(PROSE, PROSE.replace(PROSE.split()[100], "another", 1), "running text", id="a word"),
        pytest.param(PROSE, PROSE.replace(f" {PROSE.split()[100]} ", " ", 1), "running text", id="a word less"),
        pytest.param(PROSE, PROSE + " and so on", "running text", id="more at the end"),
    ],
)  # fmt: skip
def test_what_nobody_would_notice_leaves_one_page(text: str, other: str, why: str) -> None:
    for judged in (compare_texts(text, other), compare_texts(other, text)):
        assert judged.same
        assert why in judged.why


def test_titles_that_differ_mean_different_pages() -> None:
    judged = compare_texts(PROSE, PROSE, title="Jobs in Paramus", other_title="Jobs in Providence")

    assert not judged.same
    assert judged.why == "their titles differ: “Jobs in Paramus” and “Jobs in Providence”"


def test_a_changed_value_is_noise_once_other_pages_show_the_template() -> None:
    own = lines(prose(40, random.Random(5))).upper()
    one, other = f"{own}\nNews of today\n{PROSE}", f"{own}\nWords of wisdom\n{PROSE}"
    stranger = f"{lines(prose(40, random.Random(6))).title()}\nAll about birds\n{PROSE}"

    assert not compare_texts(one, other).same
    assert (
        compare_texts(one, other, elsewhere=[stranger]).why
        == "they share 41 of 43 words that other pages of the site have not"
    )


def test_records_are_not_one_page_though_the_template_is_known() -> None:
    one, other = (lines(prose(12, random.Random(seed))).upper().replace(" ", "\n") for seed in (5, 6))
    stranger = f"{lines(prose(12, random.Random(7))).title()}\n{PROSE}"

    assert not compare_texts(f"{one}\n{PROSE}", f"{other}\n{PROSE}", elsewhere=[stranger]).same


def test_judging_takes_no_time_worth_mentioning_whatever_the_texts() -> None:
    pairs = [
        ("a b " * 20_000, "b a " * 20_000 + "c"),
        ("x " * 50_000, "x " * 40_000 + "y " * 10_000),
        ("x y z " * 20_000, "x z y y " * 15_000),
        (" ".join(WORDS * 300), " ".join(WORDS[::-1] * 300)),
        ("".join(HAN * 20), "".join(HAN[::-1] * 20)),
    ]

    for one, other in pairs:
        within(1, partial(compare_texts, one, other))
