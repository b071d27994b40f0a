"""Asking from end to end, on worlds whose truth is known: which forms are asked, and how much comes of ten questions.

Vocabularies and choices were tuned on seed 7; what is checked here is seed 11.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest

from hiddenweb.answers import earlier_answers
from hiddenweb.answers.cases import judge_answer
from hiddenweb.forms.submission import build_submission, text_box
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.language.tokens import words_to_query
from hiddenweb.querying.policies.registry import DEFAULT, policy_named
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.records.page import read_page_with_items
from hiddenweb.urls import text_hash
from simweb.messages import Request
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.model import Form, Page
    from simweb.messages import Response
    from simweb.site import Site

SEED, SITES, PAGES, RECORDS = 11, 100, 40, 250
QUERIES, ANSWER_PAGES = 10, 10
ONE_BOX = ("box", "box_selects", "radios", "outside", "semicolon", "charset", "accept_charset")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(SEED, SITES, pages_per_site=PAGES, largest_database=RECORDS, text_bytes=1500)
    yield world
    world.close()


@pytest.fixture(scope="module")
def truth(world: World) -> Truth:
    return Truth(world)


# Which forms are asked


def test_no_form_that_must_be_left_alone_is_asked_and_nearly_every_search_is(truth: Truth) -> None:
    wrong, missed, searches = [], [], 0
    for host, page in _pages_with_forms(truth):
        for placed in (form for form in truth.forms(host) if form.page == page.url):
            verdicts = [
                judge_form(form, allow_post=True) for form in page.forms if _path(form) == placed.form.action
            ]
            is_asked = any(verdict.may_submit for verdict in verdicts)
            if not placed.form.is_search and is_asked:
                wrong.append((placed.form.purpose, placed.page, verdicts))
            if placed.form.is_search and not placed.form.needs_browser:
                searches += 1
                if not is_asked:
                    missed.append((placed.form.style, placed.page, verdicts))

    assert wrong == []
    assert searches >= 40
    assert len(missed) <= 0.03 * searches, missed


# What comes of asking


@dataclass(frozen=True, slots=True)
class Harvest:
    """What ten questions brought: records, answers by case, and how often a case was told rightly."""

    records: frozenset[int]
    cases: Counter[str]
    right: int
    questions: int


def test_ten_questions_bring_most_hidden_records_of_one_box_sites_without_a_cap(
    world: World, truth: Truth
) -> None:
    hidden = brought = answered = right = 0
    cases: Counter[str] = Counter()
    for site in _simple_sites(truth):
        behind = {known.record.number for known in truth.records(site.plan.host)} - _linked_records(
            truth, site
        )
        found = _harvest(world, truth, site)
        hidden += len(behind)
        brought += len(behind & found.records)
        answered += found.cases.total()
        right += found.right
        cases += found.cases

    assert hidden >= 500
    assert brought >= 0.7 * hidden
    assert right >= 0.9 * answered
    assert {"paged", "nothing_found", "with_form", "all"} <= cases.keys()
    assert world.journal.effects() == []


def _harvest(world: World, truth: Truth, site: Site, most: int = QUERIES) -> Harvest:
    """Ask the first form of a site that may be asked, as a crawl would."""
    found = _form_to_ask(truth, site)
    if found is None:
        return Harvest(frozenset(), Counter(), 0, 0)
    form, page = found
    box = text_box(form)
    assert box is not None
    starting = SeedWords(page.language)
    starting.learn(page.text)
    asking = QueryStrategy(policy_named(DEFAULT, page.language, "7"), starting)
    known = earlier_answers.begin_with_page(page)
    records: set[int] = set()
    cases: Counter[str] = Counter()
    right = questions = 0
    while questions < most and (wanted := asking.next()) is not None:
        questions += 1
        asking.note_query(wanted)
        query = build_submission(form, {box.name: " ".join(wanted.words)})
        query = replace(query, keyword=" ".join(wanted.words))
        url: str | None = query.url
        for number in range(1, ANSWER_PAGES + 1):
            assert url is not None
            answer_page, response = _read(world, url)
            answer = judge_answer(
                answer_page, response.status, form=form, query=query, earlier=known, number=number
            )
            known = earlier_answers.learn_from_answer(known, answer_page, answer)
            shown = [
                (text_hash(r.key), words_to_query(f"{r.title} {r.text}", page.language))
                for r in answer.records
            ]
            asking.read(shown, answer.total)
            records.update(response.records)
            cases[answer.case] += 1
            right += _is_right(answer, response)
            url = answer.next.url if answer.next else None
            if url is None or not asking.is_worth_turning():
                break
        asking.end_answer(had_more=url is not None, cut=answer.case in ("part", "form_again"))
    return Harvest(frozenset(records), cases, right, questions)


def _is_right(answer: AnswerVerdict, response: Response) -> bool:
    match response.kind:
        case "answer:results":
            return answer.case == "duplicate" or len(answer.records) == len(response.records)
        case "answer:no_results" | "answer:did_you_mean":
            return answer.case == "nothing_found"
        case "answer:form_again":
            return answer.case == "form_again"
        case "record":
            return len(answer.records) == 1
        case _:
            return not answer.has_records


def _simple_sites(truth: Truth) -> Iterator[Site]:
    for site in truth.sites(databases=True):
        database = site.plan.database
        assert database is not None
        if (
            database.style in ONE_BOX
            and database.behaviour.cap is None
            and database.behaviour.too_many is None
        ):
            yield site


def _form_to_ask(truth: Truth, site: Site) -> tuple[Form, Page] | None:
    for placed in truth.forms(site.plan.host):
        if placed.form.is_search and placed.page:
            page, _ = _read(truth.world, placed.page)
            for form in page.forms:
                if _path(form) == placed.form.action and judge_form(form).may_submit:
                    return form, page
    return None


def _pages_with_forms(truth: Truth) -> Iterator[tuple[str, Page]]:
    for site in truth.sites():
        host = site.plan.host
        for url in dict.fromkeys(placed.page for placed in truth.forms(host) if placed.page):
            yield host, _read(truth.world, url)[0]


def _linked_records(truth: Truth, site: Site) -> set[int]:
    """Return the records that links of their own site lead to; other sites link to its entrances only."""
    waiting = deque([truth.identity(site.plan.url)])
    seen = set(waiting)
    records: set[int] = set()
    while waiting:
        page, response = _read(truth.world, waiting.popleft(), read=False)
        records.update(response.records)
        for link in response.links:
            target = truth.identity(urljoin(page.url, link))
            inside = urlsplit(target).netloc == site.plan.host and not truth.is_trap(target)
            if inside and target not in seen:
                seen.add(target)
                waiting.append(target)
    return records


def _read(world: World, url: str, *, read: bool = True) -> tuple[Page, Response]:
    """Return the page at an address, redirects followed, and the response it came in."""
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    assert response is not None, url
    headers = {name.lower(): value for name, value in response.headers}
    if read and response.status in (301, 302, 303, 307, 308):
        return _read(world, urljoin(url, headers["location"]))
    body = response.body if read else b""
    read_body = read_page_with_items if read else read_page
    return read_body(body, url, content_type=headers.get("content-type", "")), response


def _path(form: Form) -> str:
    return urlsplit(form.action).path
