from __future__ import annotations

import pytest

from hiddenweb.records.attribute_names import LONGEST_NAME, clean, from_class, from_property


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("• Author :", "author"),
        ("Preis\n (EUR)", "preis (eur)"),
        ("Width [cm]:", "width [cm]"),
        ("Discount %", "discount %"),
        ("İSBN", "isbn"),  # lower case of a Turkish capital has a dot of its own
        ("Qualite\u0301 :", "qualit\u00e9"),  # however the accent is written
        ("ปี:", "ปี"),  # a vowel above its letter
        ("श्रेणी ▼\ufe0f", "श्रेणी"),
        ("出版年：", "出版年"),
        ("---", ""),
        ("", ""),
    ],
)
def test_names_are_compared_in_lower_case_and_without_what_surrounds_them(text: str, name: str) -> None:
    assert clean(text) == name


def test_a_name_is_short() -> None:
    assert clean("word " * 100) == ("word " * 12).strip()
    assert len(clean("x" * 10_000)) == LONGEST_NAME


@pytest.mark.parametrize(
    ("names", "name"),
    [
        ("author creator", "author"),
        ("https://schema.org/ISBN", "isbn"),
        ("http://a.example/terms#numberOfPages", "number of pages"),
        ("og:price_amount", "price amount"),
        (" ", ""),
        (None, ""),
    ],
)
def test_a_property_is_called_by_the_last_part_of_the_first(names: str | None, name: str) -> None:
    assert from_property(names) == name


@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("author", "author"),
        ("bookAuthor", "book author"),
        ("card__author--big", "author"),  # as BEM writes it
        ("product-price", "price"),  # everything is a product
        ("item mt-2 release_date", "release date"),  # the first that says something
        ("価格", "価格"),
        ("col-md-3 text-muted d-flex", ""),
        ("item wrapper value", ""),
        ("text-author", ""),  # a colour, as frameworks write it
        ("css-1x2y sc-bdVaJa", ""),  # made up by programs
        ("author-2", ""),
        ("hdr", ""),  # no word has no vowel
        ("ab", ""),
        ("a " * 8 + "author", ""),  # so many classes are not read
        ("x" * 61, ""),
        ("", ""),
    ],
)
def test_a_class_is_a_name_if_it_is_words(style: str, name: str) -> None:
    assert from_class(style) == name


def test_words_that_most_classes_of_a_page_begin_with_say_nothing() -> None:
    assert from_class("shop-price", {"shop"}) == "price"
    assert from_class("shop", {"shop"}) == ""
