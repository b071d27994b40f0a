"""The sites of the benchmark `surface` as pages: a conversation finds the form, reads what they show, and gets about as far as by rows."""

from __future__ import annotations

import re
from random import Random

import pytest

from benchmarks import surface
from benchmarks._conversations import MemoryConversation
from benchmarks._surface_pages import HOME, PagedRun, SearchPages
from benchmarks._surface_site import Database, Manner, Shown, Site
from benchmarks.surface import CONVERSATION, Case, Job, done
from hiddenweb.model import CrawlTask
from hiddenweb.querying.conversation_settings import ConversationSettings

WORDS = [f"{start}{middle}{end}" for start in "bdfgl" for middle in ("ara", "eno", "iri") for end in "kmst"]


@pytest.fixture(scope="module")
def database() -> Database:
    chance = Random(3)
    texts = [
        f"{' '.join(chance.sample(WORDS, 3)).title()}\n{' '.join(chance.sample(WORDS, 6))} & more"
        for _ in range(400)
    ]
    return Database("plays", [Shown(text, {}) for text in texts])


def get(pages: SearchPages, url: str) -> str:
    return pages.fetch(CrawlTask(1, 1, 1, url)).body.decode()


def test_an_answer_is_shown_as_the_site_answers(database: Database) -> None:
    pages = SearchPages(Site(database, Manner(cap=30)), ())
    found = database.find(("barak",), (), "bm25")
    assert len(found) > 30

    first, second = (get(pages, f"{HOME}search?q=barak{more}") for more in ("", "&page=2"))

    numbers = [list(map(int, re.findall(r"/record/(\d+)", page))) for page in (first, second)]
    assert numbers == [found[:20], found[20:30]]
    assert f"<p>{len(found)} records found</p>" in first
    assert ('rel="next" href="/search?q=barak&amp;page=2"' in first, 'rel="next"' in second) == (True, False)
    assert "&amp; more" in first
    assert (pages.queries, pages.pages, pages.shown) == (1, 2, set(found[:30]))


def test_a_silent_site_says_no_totals_and_a_barren_one_that_nothing_was_found(database: Database) -> None:
    pages = SearchPages(Site(database, Manner(says_total=False, shortest=6)), ())

    assert "records found" not in get(pages, f"{HOME}search?q=")
    assert "Nothing was found" in get(pages, f"{HOME}search?q=barak")


def test_the_page_of_the_form_names_the_words_to_begin_with_most_often(database: Database) -> None:
    pages = SearchPages(Site(database, Manner()), ("barak", "leritomat"))
    conversation = MemoryConversation(HOME, ConversationSettings(queries=3, seed=1))

    for _ in conversation.visits(pages.fetch):
        pass

    (form,) = conversation.store.list_forms(1)
    assert form.verdict.may_submit
    assert conversation.store.list_submissions(1)[0].keyword in ("barak", "leritomat")


def test_a_conversation_reads_all_that_is_shown_to_its_queries(database: Database) -> None:
    pages = SearchPages(Site(database, Manner(cap=30)), ("barak", "lenot", "firis"))
    run = PagedRun(pages, 12, seed=1)

    known = list(run.known_after_pages())

    assert known == sorted(known)
    assert len(known) == pages.pages
    assert pages.queries == 12
    assert run.known == pages.shown
    assert known[-1] > 100
    assert run.seconds > 0


def test_a_conversation_gets_about_as_far_as_the_policy_that_is_given_rows(
    monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    monkeypatch.setattr(surface, "_database", lambda *_: database)
    case = Case("small", Manner(cap=30), 15, 15, through_pages=True, is_variant=True)

    by_pages, by_rows = (done(Job("plays", case, policy, 1, None)) for policy in (CONVERSATION, "ours"))

    assert len(by_pages.known) == len(by_rows.known) == 15
    assert by_pages.shown == by_pages.known[-1]
    assert by_pages.known[-1] > 0.8 * by_rows.known[-1]
    assert len(by_pages.pages) == 15


def test_figures_of_conversations_are_means_over_the_cases_that_have_some() -> None:
    names = ("through_pages_vs_rows", "through_pages_requests", "records_read", "ms_per_answer_page")
    cases = {"a": dict.fromkeys(names, 1.0), "b": {"ahead": 0.0}, "c": dict.fromkeys(names, 0.5)}

    assert surface._figures_through_pages(cases) == dict.fromkeys(names, 0.75)
    assert surface._figures_through_pages({"b": cases["b"]}) == {}
