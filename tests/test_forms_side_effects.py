"""What a form makes its server do, by its address and by the values it sends by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.side_effects import find_side_effects
from hiddenweb.model import Field, Form, Option

BOX = Field("q", "text")


def form(*fields: Field, action: str = "http://a.example/find", method: str = "GET") -> Form:
    return Form("http://a.example/", action, method, (BOX, *fields))


def hidden(name: str, value: str) -> Field:
    return Field(name, "hidden", value=value)


HARMLESS = {
    "nothing but a box": form(),
    "a command that searches": form(hidden("action", "search")),
    "a command of a theme": form(hidden("form_id", "search_block_form")),
    "a command that says little": form(hidden("do", "process")),
    "how words are joined": form(Field("op", "radio", value="and", checked=True)),
    "sorting": form(hidden("order", "asc"), hidden("sort", "price")),
    "a setting with the name of an action": form(hidden("currency", "EUR"), hidden("update_layout", "1")),
    "a text": form(hidden("title", "How to delete a file without any trouble at all")),
    "a choice that is not made": form(Field("action", "radio", value="delete")),
    "a choice among others": form(
        Field("kind", "select", options=(Option("1", "Remote"), Option("2", "Deleted scenes")))
    ),
    "a register to search in": form(action="http://a.example/register/search"),
    "its own page": replace(form(action="http://a.example/contact"), page_url="http://a.example/contact"),
    "disabled": form(replace(hidden("action", "delete"), disabled=True)),
    "an address with a setting with the name of an action": form(
        action="http://a.example/list?flag=all&currency=EUR"
    ),
    "a name with the name of an action, of a search": form(hidden("rm", "search")),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_searches_does_nothing_else(case: str) -> None:
    assert list(find_side_effects(HARMLESS[case], None)) == []


HARMFUL = {
    "an address": form(action="http://a.example/items/delete"),
    "an address in German": form(action="http://a.example/warenkorb"),
    "an address in French": form(action="http://a.example/supprimer.php"),
    "an address with a setting that is switched on": form(action="http://a.example/list?flag=1"),
    "words run together": form(action="http://a.example/newslettersuche"),
    "its own page, at the worst": replace(form(action="http://a.example/user/delete"), page_url="http://a.example/user/delete"),
    "its own page by POST": replace(form(action="http://a.example/contact", method="POST"), page_url="http://a.example/contact"),
    "a template": replace(form(), source="schema.org", template="http://a.example/i.php?action=delete&id={q}"),
    "a hidden command": form(hidden("operation", "delete")),
    "a hidden command that we do not know": form(hidden("action", "rebuild")),
    "a hidden page": form(hidden("page", "unsubscribe")),
    "a hidden route": form(hidden("route", "checkout/cart")),
    "a hidden value of any name": form(hidden("x", "subscribe")),
    "a hidden name": form(hidden("save_search", "1")),
    "a list with an action selected": form(Field("action", "select", options=(Option("delete", "D", selected=True),))),
    "a choice that is made": form(Field("action", "radio", value="delete", checked=True)),
    "a choice to ask by": form(Field("what", "select", options=(Option("1", "View"), Option("2", "Löschen")))),
}  # fmt: skip


def test_a_search_that_is_trusted_may_say_that_it_was_sent() -> None:
    sent = form(hidden("send", "1"))

    assert list(find_side_effects(sent, None)) == ["it also sends 'send', which says 'send'"]
    assert list(find_side_effects(sent, None, trusted=True)) == []


@pytest.mark.parametrize("case", HARMFUL)
def test_an_action_is_named(case: str) -> None:
    assert [why for why in find_side_effects(HARMFUL[case], None) if "'" in why]


@pytest.mark.parametrize(
    "button",
    [
        Field("delete", "submit", label="Search", value="1"),
        Field("btn", "submit", label="Search", value="delete"),
        Field("", "submit", label="Search", form_action="http://a.example/cart/add"),
    ],
)
def test_what_a_button_sends_counts_if_it_is_pressed(button: Field) -> None:
    assert list(find_side_effects(form(button), button))
    assert list(find_side_effects(form(button), None)) == []
