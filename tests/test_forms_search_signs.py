"""What shows that a form searches."""

from __future__ import annotations

from hiddenweb.forms.search_signs import count_search_signs, has_other_sentence, is_made_for_searching
from hiddenweb.model import Field, Form

BOX, BUTTON = Field("q", "text", label="Keywords"), Field("", "submit", label="Search")


def form(*fields: Field, action: str = "http://a.example/find", text: str = "") -> Form:
    return Form("http://a.example/", action, "GET", fields, text=text)


def test_every_place_that_says_search_counts_once() -> None:
    assert count_search_signs(form(BOX, BUTTON), BUTTON) == 3  # its label, the button, the address
    assert count_search_signs(form(Field("x", "text"), action="http://a.example/go"), None) == 0


def test_a_usual_name_needs_an_address_that_says_search() -> None:
    box = Field("q", "text")

    assert is_made_for_searching(form(box), None, box)
    assert not is_made_for_searching(form(box, action="http://a.example/go"), None, box)
    assert is_made_for_searching(form(Field("q", "search")), None, Field("q", "search"))


def test_a_sentence_that_does_not_speak_of_searching_is_a_promise() -> None:
    assert has_other_sentence(
        form(BOX, BUTTON, text="Keywords | You agree to get our weekly letter | Search"), BUTTON
    )
    assert has_other_sentence(form(BOX, BUTTON, text="Keywords | ທ່ານຕົກລົງຮັບຈົດໝາຍຂອງພວກເຮົາ | Search"), BUTTON)
    assert not has_other_sentence(form(BOX, BUTTON, text="Keywords | Search"), BUTTON)
