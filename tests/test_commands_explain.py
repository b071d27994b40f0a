"""`scrapy explain`: why a site or a link was visited, waits or was left."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from commanding import Done, run
from scrapy.cmdline import _get_commands_from_module
from topic_states import NOW, A, B, read_one_site

from hiddenweb.commands.explain import ExplainCommand
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.candidates import SiteCandidate, candidate_site
from hiddenweb.model import Fetched, FetchFailure, Field, Form, Page, TaskSeed, Verdict
from hiddenweb.reports.scores import link_feature_in_words, site_feature_in_words
from hiddenweb.reports.topics import import_terms
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store
from hiddenweb.store.focused import NOT_DONE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Explain = Callable[..., Done]

FIND = f"{A}find/7"


@pytest.fixture
def explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Explain:
    def explained(*arguments: str, **settings: object) -> Done:
        return run(ExplainCommand(), *arguments, state=tmp_path / "state", capsys=capsys, **settings)

    return explained


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The state of a crawl that read one homepage and was killed."""
    with Store(tmp_path / "state") as state:
        read_one_site(state)
    return tmp_path / "state"


def explore(folder: Path) -> None:
    """A crawl without a topic: one page read, one missed, one refused, one waiting, and a form."""
    with Store(folder) as state:
        run_number = state.runs.begin("explore", NOW)
        site = state.sites.want(A)
        state.frontier.add([TaskSeed(A, "page", 1)])
        host = state.sites.find_host(A)
        assert host is not None
        [home], _ = state.frontier.lease(host, 1, NOW)
        state.frontier.add(
            [TaskSeed(f"{A}{name}", "page", 2, 1, parent=home.link) for name in ("gone", "no", "more")]
        )
        page = Page(A, "Books\x1b[2J", "All our books")
        state.pages.save(Fetched(home, A, 200, NOW, b"<p>", page=page), page)
        state.frontier.finish(home)
        [gone, no], _ = state.frontier.lease(host, 2, NOW)
        state.frontier.fail(FetchFailure(gone, "status 500 \x1b[2J", NOW))
        state.frontier.refuse(no, "robots.txt forbids it")
        state.forms.save(
            site, Form(A, A, "GET", (Field("q", "text"),)), Verdict(True, "search", True, 0.9), NOW
        )
        state.sites.leave(site, "its budget of 1 pages is spent")
        state.runs.end(run_number, "finished", NOW + 1)


# Sites


@pytest.mark.usefixtures("folder")
def test_a_candidate_is_explained_with_its_place_its_scores_and_linking_sites(explain: Explain) -> None:
    done = explain("b.example")

    assert (done.code, done.errors) == (0, "")
    assert "Topic books: it waits at place 1 of 1 in the high queue." in done.output
    assert "Value before a visit: a chance of" in done.output
    assert (
        "Rank by SmartCrawler: 0.21 = 0.7 x (0.00 url + 0.00 anchor + 0.00 around) + 0.3 x ln(1 + 1"
        in done.output
    )
    assert "+0.21 links to it from 1 site with forms on the topic" in done.output
    assert "Sites that link to it (1):" in done.output
    assert f"{A} (with search forms on the topic)" in done.output


@pytest.mark.usefixtures("folder")
def test_an_opened_site_is_explained_with_its_results_and_its_verdict(explain: Explain) -> None:
    done = explain(A)

    assert "1 page read; links: 1 pending, 0 leased, 1 done, 0 missed, 0 refused" in done.output
    assert "Topic books: it is being explored." in done.output
    assert "a seed: somebody named it" in done.output
    assert "depth 0: 1 page gave 1 search form; 0 pages gave none" in done.output
    assert "The classifier: on topic, with a chance of 90 %" in done.output
    assert "for it: book +2.00" in done.output
    assert "against it: hotel -1.00" in done.output
    assert "#1 search, searches with 0.900, on topic (near it with 0.300)" in done.output


def test_the_terms_that_count_are_named_with_what_they_add(explain: Explain, tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        known = candidate_site("https://www.rare-books.example/")
        known.add_link("Antiquarian", "a large shop", "en")
        SqliteCandidates(state, "books").put(known, 0.5, high=True)
        import_terms(state, "books", [("sites", "url:book", 3), ("sites", "anchor:antiquarian", 2)])
        import_terms(state, "books", [("site odds", "a:antiquarian", [1.25, 0.1])])

    done = explain("www.rare-books.example")

    assert "+1.25 the word 'antiquarian' in the anchors of links to it" in done.output
    assert "(0.71 url + 1.00 anchor + 0.00 around)" in done.output
    assert "+0.49 the word 'books' in its name" in done.output
    assert "+0.70 the word 'antiquarian' in the anchors of links to it" in done.output


@pytest.mark.parametrize(
    ("ended", "message"),
    [
        (
            "SC5: 60 pages without a new search form",
            "ended: 60 pages without a new search form (SC5, how many pages of a site may give nothing: HIDDENWEB_FORMLESS_PAGES_PER_SITE)",
        ),
        ("all its links were visited", "ended: all its links were visited."),
        ("its homepage could not be read", "ended: its homepage could not be read."),
    ],
)
def test_the_criterion_that_ended_a_site_is_described_in_words(
    explain: Explain, folder: Path, ended: str, message: str
) -> None:
    with Store(folder) as state:
        state.write("UPDATE explored_sites SET ended = ?", (ended,))

    assert message in explain("a.example").output


@pytest.mark.parametrize(
    ("rested", "seed", "high", "message"),
    [
        (None, True, True, "waits at place 1 of 1 in the high queue, as a seed before all others"),
        (
            None,
            False,
            False,
            "waits at place 1 of 1 in the low queue, which comes when the high one is empty",
        ),
        (NOT_DONE, False, True, "was being explored when a crawl ended, and waits to be resumed at place 1"),
        (-3.5, False, True, "was explored and rests, because other sites promise more"),
    ],
    ids=["seed", "low", "taken up", "resting"],
)
def test_whatever_waits_says_why(
    explain: Explain, tmp_path: Path, rested: float | None, seed: bool, high: bool, message: str
) -> None:
    with Store(tmp_path / "state") as state:
        candidate = candidate_site(B, seed=seed)
        candidate.rested = rested
        SqliteCandidates(state, "books").put(candidate, rested or 1.0, high=high)

    assert message in explain("b.example").output


@pytest.mark.parametrize(
    ("rank", "seed", "message"),
    [
        (0.5, False, "had rank 0.50 when it was last ranked; 1 come before it"),
        (1000.5, True, "had rank 0.50 and 1,000 as a seed when it was last ranked; 0 come before it"),
        (-7.0, False, "had rank -7.00 when it was last ranked; 2 come before it"),
    ],
    ids=["a site", "a seed", "the last"],
)
def test_the_rank_is_the_last_one_computed(
    explain: Explain, tmp_path: Path, rank: float, seed: bool, message: str
) -> None:
    with Store(tmp_path / "state") as state:
        waiting = SqliteCandidates(state, "books")
        waiting.put(candidate_site(B, seed=seed), rank, high=True)
        waiting.put(candidate_site("https://c.example/"), 0.7, high=True)
        waiting.put(candidate_site("https://d.example/"), 0.2, high=True)
        waiting.put(candidate_site("https://e.example/"), 9.0, high=False)

    assert message in explain("b.example").output


def test_a_page_that_may_name_sites_is_explained_by_its_address(explain: Explain, tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        page = SiteCandidate(f"{B}links.html", f"{B}links.html", kind="centre", seed=True)
        SqliteCandidates(state, "books").put(page, 1.0, high=True)

    done = explain(f"{B}links.html")

    assert f"{B}links.html: a single page" in done.output
    assert "a page that may name good sites" in done.output
    assert explain("b.example").code == 1


def test_a_site_without_a_topic_says_that_links_were_followed_breadth_first(
    explain: Explain, tmp_path: Path
) -> None:
    explore(tmp_path / "state")

    done = explain("a.example")

    assert "No crawl on a topic: its links were followed breadth first." in done.output
    assert "It was left: its budget of 1 pages is spent; 1 of its links wait." in done.output
    assert "#1 search, searches with 0.900" in done.output


# Links


@pytest.mark.usefixtures("folder")
def test_a_link_is_explained_with_its_state_its_texts_and_its_scores(explain: Explain) -> None:
    done = explain(FIND)

    assert f"{FIND}: a link of a.example" in done.output
    assert "It waits." in done.output
    assert "Nothing keeps it from being visited but others that come first." in done.output
    assert "Depth 1, bucket 2" in done.output
    assert f"Found on {A}" in done.output
    assert "Anchor: 'Find books'; around it: 'our shop'" in done.output
    assert "Rank of the link by SmartCrawler: 0.00 = 0.00 path + 0.00 anchor + 0.00 around" in done.output
    assert "Value of the link: a chance of" in done.output


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"HIDDENWEB_MAX_SITE_DEPTH": 0},
            "deeper than 0 (SC1, how deep a site is explored: HIDDENWEB_MAX_SITE_DEPTH)",
        ),
        ({"HIDDENWEB_FORMLESS_PAGES_PER_SITE": 1}, "1 pages without a new search form (SC5"),
        ({"HIDDENWEB_PAGES_PER_DEPTH": 1}, "1 pages at depth 1 (SC2"),
        ({"HIDDENWEB_FORMLESS_PAGES_PER_DEPTH": 1}, "1 pages at depth 1 without a new search form (SC4"),
    ],
    ids=["SC1", "SC5", "SC2", "SC4"],
)
def test_the_criterion_that_keeps_a_link_from_being_visited_is_named(
    explain: Explain, folder: Path, settings: dict[str, int], message: str
) -> None:
    with Store(folder) as state:
        state.write("UPDATE explored_sites SET progress = '[[0,1,1,0],[1,1,0,1]]'")

    assert f"It is not visited now: {message}" in explain(FIND, **settings).output


def test_a_closed_shape_and_a_site_that_was_left_keep_a_link_from_being_visited(
    explain: Explain, folder: Path
) -> None:
    with Store(folder) as state:
        state.sites.close_shape(1, f"{A}find/0")
        state.sites.leave(1, "nothing new on the last 200 pages")

    done = explain(FIND)

    assert f"pages like it brought nothing new: {A}find/0 is not followed any more" in done.output
    assert "its site was left: nothing new on the last 200 pages" in done.output


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", "It was missed: status 500"),
        ("no", "It was refused: robots.txt forbids it."),
        ("more", "It is not visited now: its site was left: its budget of 1 pages is spent."),
    ],
)
def test_links_of_a_crawl_without_a_topic_say_what_became_of_them(
    explain: Explain, tmp_path: Path, name: str, message: str
) -> None:
    explore(tmp_path / "state")

    done = explain(f"{A}{name}")

    assert message in done.output
    assert "the links of its site were followed breadth first" in done.output
    assert "\x1b" not in done.output


def test_an_unknown_address_is_explained_by_its_site(explain: Explain, folder: Path) -> None:
    assert folder.exists()

    done = explain("https://a.example/account/logout")

    assert done.code == 0
    assert (
        "is not known as a link, and is never followed: it would do something, such as log out" in done.output
    )
    assert "a.example: a site" in done.output


def test_the_scheme_may_be_left_out(explain: Explain, folder: Path) -> None:
    assert folder.exists()

    assert f"{FIND}: a link of a.example" in explain("a.example/find/7").output


# Topics, programs, errors


def test_several_topics_are_distinguished_and_one_can_be_chosen(explain: Explain, folder: Path) -> None:
    with Store(folder) as state:
        SqliteCandidates(state, "cars").put(candidate_site(A), 1.0, high=True)

    both, cars = explain("a.example"), explain("a.example", "--topic", "car")

    assert "Topics: books, cars; --topic NAME shows one." in both.output
    assert "Topic books: it is being explored" in both.output
    assert "Topic cars: it waits at place 1 of 1" in both.output
    assert "Topic books" not in cars.output
    assert "Topic cars" in cars.output


def test_a_topic_file_brings_the_words_of_its_topic(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "casting.toml").write_text('name = "casting"\nwords = ["bronze"]', encoding="utf-8")
    with Store(tmp_path / "state") as state:
        SqliteCandidates(state, "casting").put(candidate_site("https://bronze.example/"), 1.0, high=True)

    without, with_file = (
        explain("bronze.example"),
        explain("bronze.example", "--topic", f"{tmp_path}/casting.toml"),
    )

    assert "if a file describes it: --topic FILE" in without.output
    assert "1 word of the topic in its name" not in without.output
    assert "if a file describes it" not in with_file.output
    assert "1 word of the topic in its name" in with_file.output


@pytest.mark.usefixtures("folder")
def test_programs_get_one_object(explain: Explain) -> None:
    site: dict[str, Any] = json.loads(explain("b.example", "--json").output)
    link: dict[str, Any] = json.loads(explain(FIND, "--json").output)

    [on_topic] = site["topics"]
    assert (site["about"], site["domain"], site["linked_from"]) == ("site", "b.example", 1)
    assert on_topic["sighting"]["waiting"]["place"] == 1
    assert on_topic["rank"]["deep_links"] == 1
    assert on_topic["value"]["reasons"][0].keys() == {"what", "adds"}
    assert (link["about"], link["link"]["state"], link["link"]["anchor"]) == ("link", "pending", "Find books")
    assert link["topics"][0]["link"]["value"]["probability"] < 1


def test_json_moves_no_cursor(explain: Explain, tmp_path: Path) -> None:
    explore(tmp_path / "state")
    with Store(tmp_path / "state") as state:
        state.write("UPDATE sites SET left = ?", ("\x1b[2J\x9b2J\u202e",))

    text = explain("a.example", "--json").output

    assert text.isprintable() or not any(not letter.isprintable() and letter != "\n" for letter in text)
    assert json.loads(text)["site"]["left"] == "\x1b[2J\x9b2J\u202e"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("nobody.example",), 1, "nobody.example: it is unknown"),
        (("b.example", "--topic", "cars"), 2, "the state has no topic 'cars'; there are books"),
        (("ftp://a.example/",), 2, "is neither an address of the web nor the name of a site"),
        ((), 2, "takes one address"),
        (("a.example", "b.example"), 2, "takes one address"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_errors_are_reported_in_one_line(
    explain: Explain, arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    done = explain(*arguments)

    assert (done.code, done.output) == (code, "")
    assert complaint in done.errors
    assert len(done.errors.splitlines()) == 1


def test_a_site_of_another_topic_is_unknown(explain: Explain, folder: Path) -> None:
    with Store(folder) as state:
        SqliteCandidates(state, "cars").put(candidate_site("https://c.example/"), 1.0, high=True)

    done = explain("c.example", "--topic", "books")

    assert done.code == 1
    assert "no crawl on books knows it; crawls on cars do" in done.errors


@pytest.mark.usefixtures("folder")
def test_a_setting_that_cannot_be_used_is_named(explain: Explain) -> None:
    done = explain("a.example", HIDDENWEB_MAX_SITE_DEPTH="deep")

    assert done.code == 2
    assert "cannot be used" in done.errors
    assert "'deep'" in done.errors


def test_without_a_state_it_says_how_to_get_one(explain: Explain) -> None:
    done = explain("a.example")

    assert done.code == 3
    assert "there is no state yet" in done.errors


def test_it_works_during_a_crawl_that_writes(explain: Explain, tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        read_one_site(state)
        state.frontier.add([TaskSeed(f"{A}uncommitted")])
        done = explain("a.example")

    assert done.code == 0, done.errors
    assert "links: 1 pending" in done.output


def test_scrapy_finds_the_commands_and_takes_nothing_else_for_one() -> None:
    names = _get_commands_from_module("hiddenweb.commands", inproject=True)

    assert {"explain", "topics", "status"} <= names.keys()
    assert not [name for name in names if name.startswith("_")]


# Features in words


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ("t:shop", "the word 'shop' around links to it"),
        ("tu:3", "3 or more words of the topic in its name"),
        ("ta:0", "no word of the topic in the anchors of links to it"),
        ("links:8", "8 or more links to it"),
        ("links:1", "1 link to it"),
        ("deep:3", "3 or more sites with forms on the topic link to it"),
        ("from:0", "the best site that links to it is off topic"),
        ("centre", "a page that names several good sites names it"),
        ("something:new", "something:new"),
    ],
)
def test_features_of_sites_are_described_in_words(feature: str, message: str) -> None:
    assert site_feature_in_words(feature, "shop.example") == message


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ("a:advanc", "the word 'advanced' in its anchor"),
        ("p:search", "the word 'searching' in its path"),
        ("t:elsewher", "the word 'elsewher' in the text around it"),
        ("at:ul/li/a", "its place in the page, ul/li/a"),
        ("depth:2", "its depth, 2"),
        ("tried:0", "no link like it was tried"),
        ("gave:2/6", "of 6 or more links like it, 2 or more gave a form on the topic"),
        ("on:0", "the homepage of its site is off topic"),
        ("forms:1", "its site has given 1 form on the topic"),
        ("since:1/3", "3 or more pages of its site since the last form on the topic"),
        ("since:0/1", "1 page of its site and none had a form on the topic"),
        ("something:new", "something:new"),
    ],
)
def test_features_of_links_are_described_in_words(feature: str, message: str) -> None:
    lead = LinkCandidate(f"{A}searching", 2, "Advanced", language="en")

    assert link_feature_in_words(feature, lead) == message
