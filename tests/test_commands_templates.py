"""`scrapy templates`: whether templates stand, what changed, and what became of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from bookshop import new_page, page
from commanding import run
from shop_state import NOW, REGION, keep_books, passes, url_of

from hiddenweb.commands.status import StatusCommand as Status
from hiddenweb.commands.templates import TemplatesCommand
from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from commanding import Done

BOOKS = 16


class Templates(Protocol):
    """Runs the command."""

    def __call__(self, *arguments: str) -> Done: ...


@pytest.fixture
def templates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Templates:
    return lambda *arguments: run(TemplatesCommand(), *arguments, state=tmp_path, capsys=capsys)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A state with sixteen books, and a source that took them."""
    with Store(tmp_path) as state:
        keep_books(state, range(1, BOOKS + 1))
        sources = ExtractorStore(state)
        shown = sources.layout_at(REGION.page)
        assert shown is not None
        source = learn_extractor(REGION, shown[1], sources.other_pages(REGION.page))
        ExtractorMaintenance(ExtractorStore(state)).add(REGION, source, NOW - 60)
    return tmp_path


def crawled(shop: Path, look: Callable[[int], str], numbers: Iterable[int] = range(1, 13)) -> None:
    """Let a crawl that asks before it repairs meet pages that look otherwise."""
    with Store(shop) as state:
        knowledge = ExtractorMaintenance(ExtractorStore(state), repairs="ask")
        for number in numbers:
            passes(knowledge, state, url_of(number), look(number))


def with_banner(number: int) -> str:
    return page(number).replace("<div class=main>", "<div class=ad>Buy</div><div class=main>")


def closed(number: int) -> str:
    return f"<html><body><p>This shop is closed, dear number {number}</p></body></html>"


def without_price(number: int) -> str:
    return (
        page(number)
        .replace("<tr><th>Price<td class=p>", "<tr hidden><td><!--")
        .replace("<tr><th>ISBN", "--><tr><th>ISBN")
    )


def lines(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.output.splitlines()]


@pytest.mark.usefixtures("shop")
def test_templates_are_listed_with_what_they_were_learnt_from(templates: Templates) -> None:
    head, row = templates().output.splitlines()

    assert head.split("  ")[0] == "extractor"
    assert row.split() == [
        "books",
        "watched",
        "16",
        "pages",
        "none",
        "since",
        "2025-11-17",
        "19:59",
        "learnt",
    ]
    (facts,) = lines(templates("--json"))
    assert (facts["state"], facts["learnt_from"], facts["of"], facts["last_event"]["kind"]) == (
        "watched", 16, 0, "learnt",
    )  # fmt: skip
    assert templates("alarms").output == "No alarm is open.\n"
    assert templates("alarms", "--all").output == "No alarm was ever raised.\n"


def test_without_sources_it_says_how_to_make_one(templates: Templates, tmp_path: Path) -> None:
    with Store(tmp_path):
        pass

    assert templates().output.startswith("There is no extractor yet: scrapy extract add URL")
    assert templates("history").output == "Nothing has happened yet.\n"


def test_an_alarm_says_what_changed_where_with_both_bar_trees_the_proof_and_what_to_do(
    templates: Templates, shop: Path
) -> None:
    crawled(shop, new_page)

    output = templates("alarms").output

    assert "books (shop.example): its template has changed; noticed 2025-11-17 20:00" in output
    assert "5 of the last 5 pages differ: the place of the region" in output
    assert "the bar-tree says: both parts changed differently" in output
    assert "such as http://shop.example/item/" in output
    assert output.count("d_max") == 2
    assert "before:" in output
    assert "now (> where it differs):" in output
    assert "proposed: on 5 pages the new pattern finds 20 of 20 known values, the old one 0" in output
    assert "price      5      0                 5" in output
    assert "next: scrapy templates accept books accepts the new pattern" in output
    assert "12 of 12" not in templates().output
    assert "10 of 10 deviate" in templates().output


def test_where_only_the_upper_part_changed_that_is_said(templates: Templates, shop: Path) -> None:
    crawled(shop, with_banner)

    (facts,) = lines(templates("alarms", "--json"))

    assert facts["decision"] == "only the upper part changed"
    assert facts["finding"] == {
        "path": None, "what": "the number of siblings", "depth": 2, "part": "upper",
        "was": "1 before, 1 after", "now": "2 before, 1 after",
    }  # fmt: skip
    assert (facts["old"]["parallel"], facts["new"]["parallel"]) == ([1, 2, 3], [1, 2, 4])
    assert facts["is_open"]
    assert facts["next"]


def test_what_is_gone_is_put_off_and_shown_with_what_to_do(templates: Templates, shop: Path) -> None:
    crawled(shop, closed)

    output = templates("alarms").output

    assert "books (shop.example): suspended" in output
    assert "now: it is not found any more" in output
    assert "scrapy extract add URL --name books" in output
    refused = templates("accept", "books")
    assert refused.code == 1
    assert "choose again" in refused.errors


def test_a_proposal_is_accepted_and_the_alarm_is_over(templates: Templates, shop: Path) -> None:
    crawled(shop, new_page)

    done = templates("accept", "books")

    assert done.output == (
        "books: the proposed pattern was accepted, with the template learnt from 12 pages. 12 pages read again.\n"
    )
    assert templates("alarms").output == "No alarm is open.\n"
    (over,) = lines(templates("alarms", "--all", "--json"))
    assert not over["is_open"]
    assert [event["kind"] for event in over["since"]] == ["proposed", "accepted"]
    assert over["next"] == []
    assert "over; noticed" in templates("alarms", "--all").output
    again = templates("accept", "books")
    assert again.code == 1
    assert "no page deviates from its template, so there is nothing to accept" in again.errors


def test_without_a_proposal_the_template_as_it_is_now_is_accepted(templates: Templates, shop: Path) -> None:
    crawled(shop, without_price)
    assert "proposed" not in templates("history").output

    (facts,) = lines(templates("accept", "books", "--json"))

    assert not facts["was_proposed"]
    assert facts["pages"] == 10
    assert "watched" in templates().output


def test_history_tells_all_that_happened_the_newest_first(templates: Templates, shop: Path) -> None:
    crawled(shop, new_page)

    _, *rows = templates("history", "books").output.splitlines()

    assert [row.split()[3] for row in rows] == ["proposed", "alarm", "learnt"]
    assert all("source" not in event["detail"] for event in lines(templates("history", "--json")))


def test_bar_trees_are_drawn_to_the_terminal_and_as_svg(templates: Templates, shop: Path) -> None:
    drawn = shop / "books.svg"
    assert templates("plot", "books").output.startswith("books: the region on 16 pages\nthe region:\n")
    crawled(shop, new_page)

    now = templates("plot", "books").output
    done = templates("plot", "books", "-o", str(drawn))

    assert "before:" in now
    assert "now:" in now
    assert done.output == f"The bar-tree of books is in {drawn}.\n"
    svg = drawn.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert svg.count("d_max") == 2


def test_a_template_that_is_not_known_yet_cannot_be_drawn(templates: Templates, tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        ExtractorStore(state).add(REGION, None, NOW)

    done = templates("plot", "books")

    assert (done.code, done.output) == (1, "")
    assert done.errors == "scrapy templates: books: its template is known when there are 10 pages\n"
    assert "nothing yet" in templates().output
    assert "nothing was learnt yet" in templates("accept", "books").errors


@pytest.mark.parametrize("arguments", [["history", "films"], ["accept", "films"], ["plot", "films"]])
@pytest.mark.usefixtures("shop")
def test_an_unknown_name_is_named(templates: Templates, arguments: list[str]) -> None:
    done = templates(*arguments)

    assert (done.code, done.output) == (1, "")
    assert done.errors == "scrapy templates: there is no extractor 'films'; there are books\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["accept"], "accept was given no argument, wanted 1"),
        (["plot", "books", "films"], "plot was given 2 arguments 'books films', wanted 1"),
        (["list", "--all"], "--all does not belong to list"),
        (["draw"], "'draw' is none of list, alarms, history, accept, plot"),
        (["plot", "books", "-o", "/nowhere/books.svg"], "--output /nowhere/books.svg: cannot be written"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_a_wrong_command_is_refused(templates: Templates, arguments: list[str], message: str) -> None:
    done = templates(*arguments)

    assert done.code == 2
    assert message in done.errors


def test_while_a_crawl_writes_the_state_it_is_shown_and_nothing_accepted(
    templates: Templates, shop: Path
) -> None:
    with Store(shop):
        assert templates().code == 0
        refused = templates("accept", "books")

    assert refused.code == 3
    assert "another crawl" in refused.errors


def test_without_a_state_it_says_how_to_make_one(templates: Templates) -> None:
    done = templates()

    assert done.code == 3
    assert "there is no state yet" in done.errors


def test_the_status_has_a_line_about_extractors(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 extractor: 1 watched\n" in run(Status(), state=shop, capsys=capsys).output
    crawled(shop, new_page)

    done = run(Status(), state=shop, capsys=capsys)

    assert "1 extractor: 1 with an alarm (scrapy templates alarms)\n" in done.output
    assert json.loads(run(Status(), "--json", state=shop, capsys=capsys).output)["extractors"] == {"alarm": 1}
