"""Paths of tags and classes."""

from __future__ import annotations

from watched_pages import page, paths

from hiddenweb.extraction.path_patterns import mask_class
from hiddenweb.extraction.template_watch import TemplateWatch


def test_classes_with_digits_or_the_name_of_the_page_are_masked() -> None:
    assert mask_class("value-v17", set(), set()) == "value-*"
    assert mask_class("film-casablanca", {"casablanca"}, set()) == "*"
    assert mask_class("film-casablanca", {"casablanca"}, {"film-casablanca"}) == "film-casablanca"
    assert mask_class("plain", {"casablanca"}, set()) == "plain"

    named = [
        paths(page(number).replace(f"wonderful{number}", f"a-{word}").replace("book", f"of {word}"))
        for number, word in enumerate(WORDS)
    ]
    watch = TemplateWatch()
    watch.learn(named[:10])
    assert [watch.deviation(each) for each in named[10:]] == [None] * 4


WORDS = [
    "amber",
    "basin",
    "candle",
    "delta",
    "ember",
    "forest",
    "garden",
    "harbour",
    "island",
    "jasmine",
    "kettle",
    "lantern",
    "meadow",
    "nectar",
]
