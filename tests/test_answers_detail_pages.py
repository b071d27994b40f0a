"""Whether the pages of records say more than the answers that list them."""

from __future__ import annotations

import pytest

from hiddenweb.answers.detail_pages import TRIED, DetailPageOffer, compare, own_text

NAMES = ("amber", "beetle", "candle", "dragon", "ember")
TEMPLATE = "Our collection\nOpening hours: nine to five\nMaterial:"


def offers(extra: dict[int, str], answer: str = "The {name} of the north") -> list[DetailPageOffer]:
    """The texts about five records: the pages repeat the answer in a template, some with more."""
    return [
        DetailPageOffer(
            answer.format(name=name),
            f"{TEMPLATE}\nThe {name} of the north\n{extra.get(at, '')}\nYou are visitor {at * 7}",
        )
        for at, name in enumerate(NAMES)
    ]


def test_pages_that_repeat_the_answers_in_a_template_add_nothing() -> None:
    assert compare(offers({})).adding == 0


def test_pages_with_a_text_of_their_own_add_something() -> None:
    texts = {at: f"It was found in valley{at} long ago" for at in range(TRIED)}

    assert compare(offers(texts)).adding == TRIED


def test_answers_that_are_cut_leave_something_for_the_pages() -> None:
    assert compare(offers({}, answer="The {name} of …")).adding == 0  # north stands on every page
    texts = {at: f"seen by {name}son" for at, name in enumerate(NAMES)}
    assert compare(offers(texts, answer="The {name} of the north seen by …")).adding == TRIED


@pytest.mark.parametrize(
    ("extra", "adds"),
    [
        ("Seen 17 times at 12:45", False),  # a count and the time
        (
            "1,204 visitors",
            True,
        ),  # four digits, but for a comma: three and one; visitors is a word that one page has
        ("1897", True),  # a year
        ("19.95", True),  # an amount
        ("ISBN 3518188356", True),
        ("琥珀の博物館", True),  # no spaces, but words
        ("", False),
    ],
)
def test_one_page_that_adds_something_is_counted(extra: str, adds: bool) -> None:
    every = dict.fromkeys(range(TRIED), "Seen times at")  # labels
    assert compare(offers(every | {2: f"Seen times at {extra}"})).adding == int(adds)


def test_values_that_few_pages_share_are_no_template() -> None:
    genres = {at: "Kind: drama" if at < 2 else "Kind: comedy" for at in range(TRIED)}

    assert compare(offers(genres)).adding == 2  # more than half are comedies, which looks like a template


def test_text_of_a_record_goes_without_the_template() -> None:
    pages = offers({at: f"It was found in valley{at}" for at in range(TRIED)})
    template = compare(pages).template

    assert own_text(pages[3].page, template) == (
        "The dragon of the north\nIt was found in valley3\nYou are visitor 21"
    )
    assert own_text(" a \n\n b  c ") == "a\nb c"


def test_a_single_page_has_no_template() -> None:
    assert compare([DetailPageOffer("amber", "amber\nOpen all day")]).template == frozenset()


def test_pages_without_end_are_cut() -> None:
    endless = "word " * 1_000_000

    assert len(own_text(endless)) <= 20_000
    assert compare([DetailPageOffer("", endless)] * TRIED).adding == 0
