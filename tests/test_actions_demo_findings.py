"""The report of the demo agrees with the truth about the small web and with the state of the crawl."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from stores import NOW, fetch, lease_all, lease_seeds, save_page

from hiddenweb.actions.demo_findings import (
    DemoForm,
    DemoHarvest,
    DemoSite,
    forms_left_alone,
    introduction,
    judge_site,
    read_harvest,
    site_rows,
    totals,
    words_worth_searching,
)
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.model import FetchFailure, Field, Form, HttpQuery, Verdict
from hiddenweb.urls import registered_domain
from simweb.search import searchable_text

if TYPE_CHECKING:
    from pathlib import Path

    from jsonlines_outbox import page

    from hiddenweb.index.protocol import IndexDocument
    from hiddenweb.store.database import Store
    from simweb.plan import SitePlan
    from simweb.truth import Reach, Truth
else:
    from tests.jsonlines_outbox import page

WORLD = {"seed": 147, "sites": 18, "pages_per_site": 6, "largest_database": 60, "direct": 0}
HOME = "https://a.example/"


@pytest.fixture(scope="module")
def reach(truth: Truth) -> Reach:
    return truth.reachable(truth.world.plan(number).url for number in truth.world.numbers)


def plan_of(truth: Truth, style: str) -> SitePlan:
    return next(
        site.plan
        for site in truth.sites(databases=True)
        if site.plan.database and site.plan.database.style == style
    )


def plans_of(truth: Truth) -> list[SitePlan]:
    return [site.plan for site in truth.sites()]


def form_at(
    url: str, action: str, *, why: str = "", queries: int = 0, trouble: str = "", kind: str = "search"
) -> DemoForm:
    return DemoForm(url, action, not why, kind, why, queries, trouble)


# What the crawl stored


def test_pages_forms_and_reasons_are_read_by_host(store: Store, tmp_path: Path) -> None:
    read, failed, refused = lease_seeds(store, HOME, "https://b.example/x", f"{HOME}gone")
    save_page(store, fetch(read))
    save_page(store, replace(fetch(failed), status=404))
    store.frontier.finish(read)
    for task, why in ((refused, "robots.txt forbids it"), (failed, "status 404")):
        store.frontier.fail(FetchFailure(task, why, NOW, None))
    for action, verdict in (
        ("find", Verdict(True, "search")),
        ("login", Verdict(False, "login", why=("a password",))),
    ):
        store.forms.save(read.site, Form(HOME, HOME + action, "GET", (Field("q", "text"),)), verdict, NOW)

    store.commit()
    crawled = read_harvest(tmp_path / "state")

    assert crawled.pages == {"a.example": [HOME]}
    assert crawled.refusals == {"b.example": "robots.txt forbids it", "a.example": "status 404"}
    assert crawled.forms == {
        "a.example": [
            DemoForm(HOME, f"{HOME}find", True, "search", "", 0, ""),
            DemoForm(HOME, f"{HOME}login", False, "login", "a password", 0, ""),
        ]
    }


def test_answered_queries_are_counted_and_trouble_is_named(store: Store, tmp_path: Path) -> None:
    site = store.sites.want(HOME)
    number = store.forms.save(
        site, Form(HOME, f"{HOME}find", "GET", (Field("q", "text"),)), Verdict(True, "search"), NOW
    )
    for word in ("bees", "wasps", "ants"):
        query = HttpQuery((("q", word),), word, "GET", f"{HOME}find?q={word}")
        store.submissions.plan(number, query, "{}", NOW)
    first, second, _ = sorted(lease_all(store), key=lambda task: task.link)
    assert first.submission is not None
    assert second.submission is not None
    store.submissions.mark_answered(first.submission, "all", "", NOW)
    store.submissions.mark_failed(second.submission, "status 500")

    store.commit()
    ((form,),) = read_harvest(tmp_path / "state").forms.values()

    assert (form.queries, form.trouble) == (1, "status 500")


# Judging it


def test_records_behind_a_form_are_those_on_stored_pages_that_links_do_not_reach(
    truth: Truth, reach: Reach
) -> None:
    plan = plan_of(truth, "box")
    form = next(form for form in truth.forms(plan.host) if form.form.is_search)
    box = form.form.fields[0].name
    words = truth.words_returning(plan.host, next(truth.records(plan.host)).record.number)
    word = max(words, key=lambda word: len(truth.answer(plan.host, [(box, word)]).shown))
    url = f"{form.action}?{box}={quote(word)}"
    crawled = DemoHarvest(
        {plan.host: [plan.url, url]}, {plan.host: [form_at(plan.url, form.action, queries=2)]}
    )

    site = judge_site(truth, reach, plan, crawled, plans_of(truth))

    linked = {number for host, number in reach.records if host == plan.host}
    response = truth._fetch(url)
    assert response is not None
    assert (site.records, site.by_links) == (truth.count(plan.host), len(linked))
    assert site.by_forms == set(response.records) - linked
    assert site.by_forms
    assert (site.queries, site.why, site.style) == (2, "", "box")


def test_a_site_without_answers_says_why(truth: Truth, reach: Reach) -> None:
    plan, slow = plan_of(truth, "post"), plan_of(truth, "steps")
    action = next(form.action for form in truth.forms(plan.host) if form.form.is_search)
    pages = {plan.host: [plan.url]}

    def why(crawled: DemoHarvest, site: SitePlan = plan) -> str:
        seeds = [each for each in plans_of(truth) if not each.robots.crawl_delay]
        return judge_site(truth, reach, site, crawled, seeds).why

    def forms(*found: DemoForm) -> DemoHarvest:
        return DemoHarvest(pages, {plan.host: list(found)})

    assert why(DemoHarvest(), slow) == "left out of this demo: its robots.txt wants 0.5 s between requests"
    assert why(DemoHarvest()) == "not read: no link leads there"
    assert why(DemoHarvest(refusals={plan.host: "status 503"})) == "not read: status 503"
    assert why(DemoHarvest(pages)) == "not submitted: no form was found on its pages"
    login = form_at(plan.url, f"{plan.url}login", why="a password")
    search = form_at(plan.url, action, why="it is sent by POST; it may change something")
    assert why(forms(login, search)) == "not submitted: it is sent by POST"
    assert why(forms(search, form_at(plan.url, action, trouble="status 500"))) == "not submitted: status 500"


# Printing it


def site_of(
    plan: SitePlan, records: int, by_links: int, by_forms: int, queries: int, why: str = ""
) -> DemoSite:
    return DemoSite(plan, records, by_links, frozenset(range(by_forms)), queries, why)


def test_the_introduction_counts_what_is_hidden(truth: Truth, reach: Reach) -> None:
    summary = truth.summary()
    hidden = summary["records"] - len(reach.records)

    text = introduction(truth, reach)

    assert f"{summary['databases']} databases with {summary['records']:,} records" in text
    assert f"the other {hidden:,} ({hidden / summary['records']:.0%}) are behind forms" in text


def test_rows_of_queried_sites_come_first_and_names_are_cut(truth: Truth) -> None:
    plans = [site.plan for site in truth.sites(databases=True)][:3]
    few, none, many = plans
    found = [
        site_of(few, 60, 5, 1, 1),
        site_of(none, 60, 5, 0, 0, "not read: status 503"),
        site_of(many, 1_260, 5, 9, 3),
    ]

    head, *rows = site_rows(found, 30)

    assert head.split() == ["site", "lang", "form", "records", "links", "behind", "queries"]
    assert [row[:19].rstrip("…") for row in rows[:3]] == [plan.host[:19] for plan in (many, few, none)]
    assert rows[0].split()[-4:] == ["1,260", "5", "9", "3"]
    assert rows[3] == "    not read: status 503"
    assert len({len(row) for row in (head, *rows[:3])}) == 1


def test_totals_are_sums_over_all_sites_and_over_those_queried(truth: Truth) -> None:
    first, second = (site.plan for site in list(truth.sites(databases=True))[:2])

    assert totals([site_of(first, 60, 10, 25, 4), site_of(second, 50, 0, 0, 0)]).strip() == (
        "100 records cannot be reached by links; we found 25 of them (25%, 50% of those at the queried sites)"
        " with 4 queries to 1 of 2 sites."
    )
    assert "(0%) with 0 queries to 0 of 1 site." in totals([site_of(first, 60, 10, 0, 0)])


def test_a_web_without_databases_has_nothing_to_show_and_that_is_no_error() -> None:
    assert len(list(site_rows([], 100))) == 1
    assert "found 0 of them (none) with 0 queries to 0 of 0 sites" in totals([])


def test_forms_that_are_left_alone_are_counted_by_purpose_and_by_reason() -> None:
    forms = [
        form_at(HOME, HOME, why="a password", kind="login"),
        form_at(HOME, HOME, why="by POST; it may order something"),
        form_at(HOME, HOME, why="by POST; it may write something"),
        form_at(HOME, HOME),
    ]

    assert forms_left_alone(DemoHarvest(forms={"a.example": forms})) == (
        "3 forms were left alone: 1 for their purpose, as far as we can tell (login: 1); 2 that may search (by POST: 2)."
    )
    assert forms_left_alone(DemoHarvest(forms={"a.example": forms[:1]})).startswith(
        "1 form was left alone: 1"
    )
    assert forms_left_alone(DemoHarvest()) == "0 forms were left alone."


# What to search for


def test_words_to_search_for_are_those_of_records_behind_forms_that_a_search_shows_first(
    truth: Truth, tmp_path: Path
) -> None:
    plans = [
        plan_of(truth, style) for style in ("box", "radios", "required")
    ]  # one French site, two English ones
    found = [DemoSite(plan, 60, 0, frozenset(range(1, 31)), 5, "") for plan in plans]
    records = [
        document_of(
            plan, searchable_text(each.record, truth.site(plan.host).catalogue.topic), each.record.number
        )
        for plan in plans
        for each in truth.records(plan.host)
        if each.record.number <= 30
    ]
    index = WhooshIndex.create(tmp_path)
    index.update(records)

    chosen = list(words_worth_searching(truth, found, index))

    assert [site.plan.language for site, _ in chosen][:2] == ["en", "fr"]
    assert {site.plan.host for site, _ in chosen} == {plan.host for plan in plans}
    assert len({(site.plan.host, word) for site, word in chosen}) == len(chosen)
    for site, word in chosen:
        holding = sum(word in record.text for record in records if site.plan.host in record.url)
        assert holding >= 3, word
    index.close()


def test_words_that_few_records_hold_are_not_worth_searching(truth: Truth, tmp_path: Path) -> None:
    plan = plan_of(truth, "box")
    topic = truth.site(plan.host).catalogue.topic
    index = WhooshIndex.create(tmp_path)
    index.update(
        [
            document_of(plan, searchable_text(each.record, topic), each.record.number)
            for each in truth.records(plan.host)
        ]
    )

    assert list(words_worth_searching(truth, [site_of(plan, 60, 0, 3, 5)], index)) == []
    index.close()


def test_words_that_a_search_does_not_find_are_not_shown(truth: Truth, tmp_path: Path) -> None:
    found = [DemoSite(plan_of(truth, "box"), 60, 0, frozenset(range(1, 31)), 5, "")]
    index = WhooshIndex.create(tmp_path)

    assert list(words_worth_searching(truth, found, index)) == []
    index.close()


def document_of(plan: SitePlan, text: str, number: int) -> IndexDocument:
    url = f"https://{plan.host}/{number}"
    domain = registered_domain(url)
    return page(url, text, language=plan.language, kind="record", behind_form=True, site=domain)
