from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from stores import FORM, NOW

from hiddenweb.model import (
    Field,
    Form,
    HttpQuery,
    Verdict,
)

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_form_comes_back_as_it_was(store: Store) -> None:
    site = store.sites.want("https://a.example/")

    number = store.forms.save(site, FORM, Verdict(True, "search", why=("it says so",)), NOW)

    stored = store.forms.load(number)
    assert stored is not None
    assert stored.form == FORM
    assert stored.verdict == Verdict(True, "search", why=("it says so",))
    assert stored.domain == "a.example"
    assert store.forms.find(site, replace(FORM, page_url="https://a.example/other")) == stored


def test_form_at_its_limit_of_queries_is_resumed_when_more_are_allowed(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    store.submissions.plan(form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW)
    store.forms.end(form, "asked 1 times", for_now=True)

    assert list(store.forms.find_open(1)) == []
    assert [stored.id for stored in store.forms.find_open(2)] == [form]


def test_refused_form_is_queried_after_another_verdict(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    posted = replace(FORM, method="POST", action="https://a.example/find")
    form = store.forms.save(
        site, posted, Verdict(False, "search", why=("it searches",), refusals=("POST",)), NOW
    )
    assert [stored.id for stored in store.forms.find_to_judge_again({"a.example"})] == [form]
    assert store.forms.find_to_judge_again({"b.example"}) == store.forms.find_to_judge_again(()) == []

    store.forms.save(site, posted, Verdict(True, "search"), NOW)

    assert [stored.state for stored in store.forms.find_open(10)] == ["found"]


@pytest.mark.parametrize(
    ("form", "hosts", "again"),
    [
        (Form("https://a.example/", "https://a.example/find", "POST"), ["a.example"], False),
        (Form("https://a.example/", "https://a.example/find", "POST"), [], True),
        (Form("https://a.example/", "https://a.example/find", "POST"), ["b.a.example"], True),
        (Form("https://a.example/", "https://a.example/find", "GET"), [], False),
        (  # the button goes before the form
            Form(
                "https://a.example/", "https://a.example/find", "GET",
                (Field("", "submit", form_action="https://b.a.example/find", form_method="POST"),),
            ),
            ["a.example"],
            True,
        ),
    ],
    ids=["still allowed", "no longer allowed", "another host is allowed", "by GET", "by its button"],
)  # fmt: skip
def test_submitted_form_is_judged_again_when_its_host_no_longer_allows_post(
    store: Store, form: Form, hosts: list[str], again: bool
) -> None:
    site = store.sites.want("https://a.example/")
    button = 0 if form.fields else None
    number = store.forms.save(site, form, Verdict(True, "search", button=button, why=("so",)), NOW)

    assert [stored.id for stored in store.forms.find_to_judge_again(hosts)] == ([number] if again else [])
