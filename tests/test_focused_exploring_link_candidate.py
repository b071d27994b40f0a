from __future__ import annotations

from hiddenweb.focused.exploring.link_candidate import ANCHOR, AROUND, PATH, LinkCandidate

LINK = LinkCandidate(
    "https://a.example/used-cars/search?q=1",
    1,
    anchor="Search cars",
    around="Cars with four wheels",
    language="en",
)


def test_each_context_says_something_of_its_own_about_a_link() -> None:
    assert "search" in LINK.terms(PATH)
    assert set(LINK.terms(ANCHOR)) == {"search", "car"}
    assert "wheel" in LINK.terms(AROUND)


def test_terms_are_counted_for_each_context() -> None:
    bags = LinkCandidate("https://a.example/", 1, anchor="cars, cars", language="en").bags()

    assert bags[ANCHOR] == {"car": 2}
    assert not bags[AROUND]
