"""Judging the forms of pages, and keeping them with the verdicts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conversation_parts import FORM, HOME, NOW, OTHER_FORM, Parts

from hiddenweb.forms.multi_step import ENOUGH, ENOUGH_SIMILAR, MOST_FRUITLESS, MOST_FRUITLESS_SIMILAR
from hiddenweb.forms.verdict import NOFOLLOW
from hiddenweb.model import CrawlTask, Fetched, Field, Form, Page
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.conversation_store import FormTopic

PAGE = Page(HOME)
UNFOLLOWED = replace(PAGE, nofollow=True)
STRICT = ConversationSettings(obeys_nofollow=True)
LOGIN = Form(
    HOME, f"{HOME}login", "POST", (Field("user", "text", "User name"), Field("pass", "password", "Password"))
)  # fmt: skip
FETCHED = Fetched(CrawlTask(1, 1, 1, HOME), HOME, 200, NOW)


def is_about_books(form: Form, page: Page | None) -> tuple[float, bool]:
    del page
    return (0.9, True) if "books" in form.text.lower() else (0.1, False)


BOOKS = FormTopic("books", is_about_books)


def with_name(name: str) -> Form:
    """A form that looks like no other."""
    return replace(FORM, action=f"{HOME}{name}", fields=(Field(name, "search", label=f"Search {name}"),))


# Judging


def test_a_form_is_judged_and_counted_when_it_is_first_found() -> None:
    parts = Parts()

    first, again = (parts.registry.register(parts.site, FORM, PAGE) for _ in range(2))
    left = parts.registry.register(parts.site, LOGIN, PAGE)

    assert first == again
    assert (first.verdict.may_submit, left.verdict.may_submit, left.state) == (True, False, "left")
    assert parts.stats.values == {
        "hiddenweb/forms/found": 2, "hiddenweb/forms/submittable": 1, "hiddenweb/forms/left_alone": 1,
        "hiddenweb/forms/kind/search": 1, "hiddenweb/forms/kind/login": 1,
    }  # fmt: skip


def test_a_form_teaches_the_values_of_its_lists() -> None:
    parts = Parts()
    box = Field("genre", "text", "Genre", suggestions=("Drama", "Comedy"))

    parts.registry.register(parts.site, replace(FORM, fields=(*FORM.fields, box)), PAGE)

    assert "Genre" in parts.values
    assert parts.store.list_knowledge("values")


def test_nofollow_keeps_only_a_strict_crawl_from_forms_until_another_page_allows_them() -> None:
    free, strict = Parts(), Parts(STRICT)

    assert free.registry.register(free.site, FORM, UNFOLLOWED).verdict.may_submit
    stored = strict.registry.register(strict.site, FORM, UNFOLLOWED)
    assert (stored.verdict.refusals, strict.registry.obeys_nofollow_of(UNFOLLOWED)) == ((NOFOLLOW,), True)

    assert strict.registry.reconsider(stored, FORM).verdict.may_submit
    login = strict.registry.register(strict.site, LOGIN, PAGE)
    assert strict.registry.reconsider(login, LOGIN) == login


def test_forms_are_judged_again_when_the_user_allows_more() -> None:
    parts = Parts()
    post = replace(FORM, method="POST")
    assert not parts.registry.register(parts.site, post, PAGE).verdict.may_submit

    allowing = Parts(ConversationSettings(post_hosts=frozenset({"books.example"})))
    allowing.registry._store = parts.store
    allowing.registry.judge_again()

    assert [stored.verdict.may_submit for stored in parts.store.list_forms(parts.site)] == [True]


def test_the_decision_of_a_person_stays_when_a_form_is_judged_again() -> None:
    parts = Parts()
    stored = parts.registry.register(parts.site, FORM, PAGE)
    parts.store.save_form(parts.site, FORM, replace(stored.verdict, by_hand="never"), NOW)

    assert not parts.registry.judge(parts.site, FORM).verdict.may_submit


def test_a_form_that_is_refused_is_left_with_the_reason() -> None:
    parts = Parts()

    parts.registry.refuse(parts.save_form(), "it shows what others show", NOW)

    [stored] = parts.store.list_forms(parts.site)
    assert (stored.verdict.may_submit, stored.state, stored.why) == (
        False,
        "left",
        "it shows what others show",
    )


# Forms like others


def test_a_search_that_a_page_declares_and_has_as_a_form_too_is_left() -> None:
    parts = Parts()
    parts.registry.register(parts.site, FORM, PAGE)
    declared = replace(FORM, source="schema.org", template=f"{HOME}find?q={{q}}")

    stored = parts.registry.register(parts.site, declared, PAGE)

    assert stored.verdict.refusals == (f"the form on {HOME} sends the same query",)


def end_barren(parts: Parts, form: Form) -> None:
    """Let a form be done that brought nothing."""
    parts.store.end_form(parts.save_form(form).id, "no query is left")


def test_a_form_similar_to_those_that_brought_nothing_is_skipped() -> None:
    parts = Parts()
    late = parts.save_form(replace(FORM, action=f"{HOME}late"))
    for number in range(MOST_FRUITLESS_SIMILAR - 1):
        end_barren(parts, replace(FORM, action=f"{HOME}{number}"))
    assert not parts.registry.is_obsolete(late)

    end_barren(parts, OTHER_FORM)

    assert parts.registry.is_obsolete(late)
    assert parts.load_form(late).verdict.refusals == (ENOUGH_SIMILAR,)
    assert parts.registry.register(parts.site, with_name("poems"), PAGE).verdict.may_submit


def test_variants_of_a_step_that_brought_nothing_are_enough() -> None:
    parts = Parts()
    steps = [
        replace(FORM, step=2, fields=(*FORM.fields, Field("area", "hidden", value=str(number))))
        for number in range(MOST_FRUITLESS + 1)
    ]
    assert not parts.registry.has_enough_variants(parts.site, steps[0])
    for step in steps[:-1]:
        end_barren(parts, step)

    stored = parts.registry.register(parts.site, steps[-1], PAGE)

    assert stored.verdict.refusals == (ENOUGH,)
    assert parts.registry.has_enough_variants(parts.site, steps[0])


# What a crawl is about


def test_a_crawl_without_a_topic_wants_every_form() -> None:
    parts = Parts()

    assert not parts.registry.is_selective
    assert parts.registry.is_wanted(parts.save_form(), PAGE)
    assert parts.registry.is_eligible(parts.save_form())
    assert parts.registry.credit_page(FETCHED, [FORM]) is FETCHED


def test_a_crawl_of_chosen_forms_wants_these_only() -> None:
    parts = Parts(chosen=frozenset({1}))
    first, second = parts.save_form(), parts.save_form(OTHER_FORM)

    assert parts.registry.is_selective
    assert [parts.registry.is_wanted(stored, PAGE) for stored in (first, second)] == [True, False]
    assert [parts.registry.is_eligible(stored) for stored in (first, second)] == [True, False]


def test_a_crawl_on_a_topic_wants_searches_on_it_and_remembers_which_these_are() -> None:
    parts = Parts(topic=BOOKS)
    cars = replace(with_name("cars"), text="Search cars")
    forms = [parts.save_form(form) for form in (FORM, cars, LOGIN)]
    assert not parts.registry.is_eligible(forms[0])

    assert [parts.registry.is_wanted(stored, PAGE) for stored in forms] == [True, False, False]

    assert [parts.registry.is_eligible(stored) for stored in forms] == [True, False, False]


@pytest.mark.parametrize(("url", "given", "on_topic"), [(HOME, 2, 1), (f"{HOME}new", 0, 0)])
def test_a_page_is_credited_with_the_searches_it_was_the_first_to_have(
    url: str, given: int, on_topic: int
) -> None:
    parts = Parts(topic=BOOKS)
    forms = [FORM, replace(with_name("cars"), text="Search cars"), LOGIN]
    for form in forms:
        parts.registry.is_wanted(parts.save_form(form), PAGE)

    credited = parts.registry.credit_page(
        FETCHED, [replace(form, page_url=url) for form in (*forms, with_name("x"))]
    )

    assert (credited.new_forms, credited.forms_on_topic) == (given, on_topic)
