"""The spider `harvest`: which forms it submits, and which arguments it refuses before anything is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, Field, Form, TaskSeed, Verdict
from hiddenweb.spiders.explore import BadArguments, ExploreSpider
from hiddenweb.spiders.harvest import HarvestSpider
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://a.example/"
LIBRARY = b"<html lang=en><title>Town library</title><h1>Books to read</h1><p>Novels, fiction and poetry by many authors."


def settings(state: Path, **others: object) -> Settings:
    read = Settings()
    read.setmodule("hiddenweb.settings")
    read.setdict({"HIDDENWEB_STATE": str(state), **others}, priority="cmdline")
    return read


def form(action: str, label: str, method: str = "GET") -> Form:
    fields = (Field("q", "search", label), Field("", "submit", "Search"))
    return Form(HOME, f"{HOME}{action}", method, fields, text=label, language="en")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state with a form on books, one on stones, a login, a search by POST, and one that says only search."""
    folder = tmp_path / "state"
    good = Verdict(True, "search", True, 0.99, 0, 1, ("it has one box",))
    with Store(folder) as state:
        site = state.sites.want(HOME)
        state.frontier.add([TaskSeed(HOME)])
        [task], _ = state.frontier.lease(state.sites.find_host(HOME) or 0, 1, 1.0)
        save_page(state, task)
        state.forms.save(site, form("books", "Books by title, author, publisher, ISBN or novel"), good, 1.0)
        stones = "Gemstones by mineral, colour, weight, hardness, cut, mine or collector"
        state.forms.save(site, form("stones", stones), good, 1.0)
        login = Verdict(False, "login", why=("it has a password",), refusals=("it asks for a password",))
        state.forms.save(site, form("login", "Your name"), login, 1.0)
        by_post = Verdict(
            False, "search", True, 0.99, 0, 1, ("a box",), ("it is sent by POST, which is not allowed",)
        )
        state.forms.save(site, form("posted", "Search", "POST"), by_post, 1.0)
        state.forms.save(site, form("find", "Search"), good, 1.0)
    return folder


def save_page(state: Store, task: CrawlTask) -> None:
    page = read_page(LIBRARY, HOME)
    state.pages.save(Fetched(task, HOME, 200, 1.0, LIBRARY, content_type="text/html", page=page), page)


def chosen_forms(state: Path, allow_post: str = "", **arguments: str) -> list[int]:
    return HarvestSpider.check_state(settings(state, HIDDENWEB_ALLOW_POST=allow_post), **arguments)


def test_forms_are_named_by_their_numbers(state: Path) -> None:
    assert chosen_forms(state, forms="2, #1") == [2, 1]


def test_sites_are_explored_and_no_known_form_is_chosen(tmp_path: Path) -> None:
    assert chosen_forms(tmp_path / "none", sites="http://a.example/", topic="books") == []


def test_forms_on_a_topic_are_those_whose_words_or_page_are_on_it(state: Path) -> None:
    assert chosen_forms(state, topic="books") == [
        1,
        5,
    ]  # the last has no words of its own; its page is about books


def test_verdicts_of_a_crawl_on_the_topic_count(state: Path) -> None:
    with Store(state) as store:
        store.forms.save_relevance(1, "books", 0.0, relevant=False)
        store.forms.save_relevance(2, "books", 0.3, relevant=True)

    assert chosen_forms(state, topic="books") == [2, 5]


def test_a_form_sent_by_post_can_be_named_when_its_host_is_allowed(state: Path) -> None:
    with pytest.raises(BadArguments, match="forms: form 4 may not be submitted: it is sent by POST"):
        chosen_forms(state, forms="4")

    assert chosen_forms(state, forms="4", allow_post="a.example") == [4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"forms": "99"}, "forms: there is no form 99; scrapy forms shows all 5"),
        ({"forms": "1 3"}, "forms: form 3 may not be submitted: it asks for a password"),
        ({"topic": "flights"}, "topic: no known form is on the topic 'flights'; scrapy crawl locate -a topic=flights"),
    ],
)  # fmt: skip
def test_forms_that_cannot_be_submitted_are_named_with_the_reason(
    state: Path, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(BadArguments, match=message):
        chosen_forms(state, **arguments)


def test_topic_whose_forms_may_not_be_submitted_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        refused = Verdict(False, "search", True, why=("a box",), refusals=("its page says nofollow",))
        number = state.forms.save(state.sites.want(HOME), form("books", "Books"), refused, 1.0)
        state.forms.save_relevance(number, "books", 0.5, relevant=True)

    with pytest.raises(
        BadArguments,
        match=r"none of the 1 known forms .* may be submitted, such as form 1: its page says nofollow",
    ):
        chosen_forms(tmp_path, topic="books")


def test_problems_with_named_forms_are_listed_together_up_to_a_limit(state: Path) -> None:
    with pytest.raises(BadArguments) as raised:
        chosen_forms(state, forms=",".join(map(str, range(100, 130))))

    assert len(str(raised.value).splitlines()) == 11
    assert str(raised.value).endswith("... and 20 more")


def test_a_state_without_forms_has_none_to_submit(tmp_path: Path) -> None:
    with Store(tmp_path):
        pass

    with pytest.raises(
        BadArguments, match="no form is known yet; scrapy crawl explore -a sites=URL finds some"
    ):
        chosen_forms(tmp_path, topic="books")


def test_known_forms_need_a_state(tmp_path: Path) -> None:
    with pytest.raises(NoState):
        chosen_forms(tmp_path / "none", forms="1")

    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "harvest needs sites, forms or a topic: it takes -a sites="),
        ({"forms": "first"}, "forms: 'first' is not the number of a form"),
        ({"forms": "1", "sites": HOME}, "goes with neither sites nor topic"),
        ({"forms": "1", "topic": "books"}, "goes with neither sites nor topic"),
        ({"forms": "1", "sides": "x"}, "harvest has no argument sides; it takes"),
        ({"forms": "1", "queries": "-1"}, "queries: '-1' cannot be used; wanted a whole number, 0 or more"),
        ({"forms": "1", "queries": "²"}, "queries: '²' cannot be used"),
        ({"forms": "1", "pages": "0"}, "pages: '0' cannot be used; wanted a whole number, 1 or more"),
        ({"forms": "1", "time": "soon"}, "time: 'soon' cannot be used; wanted a time such as 90s, 30m"),
        ({"sites": "ftp://a.example/"}, "only http and https are crawled"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  the message is checked below
        HarvestSpider.check_arguments(**arguments)

    assert message in str(raised.value)


def test_all_bad_budgets_are_named_at_once() -> None:
    with pytest.raises(BadArguments) as raised:
        HarvestSpider.check_arguments(forms="1", queries="x", pages="y", time="0")

    assert [line.partition(":")[0] for line in str(raised.value).splitlines()] == ["queries", "pages", "time"]


def test_what_asks_nothing_has_no_budget_of_questions() -> None:
    with pytest.raises(BadArguments, match="explore has no argument queries"):
        ExploreSpider.check_arguments(sites=HOME, queries="3")
