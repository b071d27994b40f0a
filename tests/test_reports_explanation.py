"""What became of a site or a link: where it stands, and what keeps it from being visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from topic_states import NOW, A, B, read_one_site

from hiddenweb.focused.locating.candidates import candidate_site
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.focused.topic import BadTopic
from hiddenweb.reports.explanation import (
    BadAddress,
    UnknownAddress,
    criterion_in_words,
    explain_address,
    is_homepage,
)
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.reports.explanation import Explanation


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        read_one_site(store)
        yield store


def explain(store: Store, what: str, topic: str = "") -> Explanation:
    """Explain an address or a name."""
    return explain_address(store, what, topic, FocusedLimits(), NOW)


@pytest.mark.parametrize("what", ["a.example", "A.EXAMPLE", "http://a.example", A])
def test_a_site_is_explained_by_its_name_in_any_spelling(store: Store, what: str) -> None:
    found = explain(store, what)

    assert (found.about, found.domain, found.name) == ("site", "a.example", what)
    assert found.site is not None
    assert [form.kind for form in found.forms] == ["search"]
    [topic] = found.topics
    assert topic.topic == "books"
    assert topic.standing.startswith("is being explored")
    assert [(depth.depth, depth.pages, depth.forms) for depth in topic.depths] == [(0, 1, 1)]
    assert topic.forms[0].fit is not None


def test_a_candidate_is_explained_by_its_place_in_the_queue(store: Store) -> None:
    found = explain(store, B)

    assert (found.about, found.site, found.linked_from) == ("site", None, 1)
    assert found.site_standing == "was never visited; pages that were read link to it"
    [topic] = found.topics
    assert topic.standing == "waits at place 1 of 1 in the high queue"
    assert [source.page for source in topic.sources] == [A]


def test_a_link_is_explained_with_its_score(store: Store) -> None:
    found = explain(store, f"{A}find/7")

    assert (found.about, found.standing) == ("link", "waits")
    assert found.link is not None
    [topic] = found.topics
    assert topic.link is not None
    assert topic.link.value is not None


def test_a_link_of_a_site_that_was_left_has_that_reason_to_wait(store: Store) -> None:
    store.write("UPDATE sites SET left = 'it has enough pages' WHERE domain = 'a.example'")
    store.commit()

    found = explain(store, f"{A}find/7")

    assert "its site was left: it has enough pages" in found.kept_by


def test_a_crawl_that_ended_is_said_to_be_resumed(store: Store) -> None:
    [run] = store.rows("SELECT max(id) FROM runs")
    store.runs.end(int(str(run[0])), "finished", NOW + 1)
    store.commit()

    assert explain(store, A).topics[0].standing.startswith("was being explored when the last crawl ended")


def test_an_address_that_nobody_knows_is_an_error(store: Store) -> None:
    with pytest.raises(UnknownAddress, match="it is unknown; no page that was read links there"):
        explain(store, "nobody.example")


@pytest.mark.parametrize("what", ["", "mailto:somebody@example.com", "http://", "a b"])
def test_what_is_no_address_is_an_error(store: Store, what: str) -> None:
    with pytest.raises((BadAddress, UnknownAddress)):
        explain(store, what)


def test_a_topic_of_no_crawl_is_an_error_that_names_those_there_are(store: Store) -> None:
    with pytest.raises(BadTopic, match="there are books"):
        explain(store, A, topic="hotels")


def test_a_topic_whose_crawls_do_not_know_a_site_names_those_that_do(store: Store) -> None:
    SqliteCandidates(store, "films").put(candidate_site("https://films.example/"), 0.5, high=True)
    store.commit()

    with pytest.raises(UnknownAddress, match="no crawl on films knows it; crawls on books do"):
        explain(store, A, topic="films")


@pytest.mark.parametrize(
    ("url", "expected"), [(A, True), ("https://a.example", True), (f"{A}x", False), (f"{A}?q=1", False)]
)
def test_a_homepage_is_a_host_alone(url: str, expected: bool) -> None:
    assert is_homepage(url) is expected


def test_a_criterion_is_said_with_its_setting() -> None:
    assert criterion_in_words("SC4: 100 pages gave nothing") == (
        "100 pages gave nothing (SC4, how many pages of one depth may give nothing: HIDDENWEB_FORMLESS_PAGES_PER_DEPTH)"
    )
    assert criterion_in_words("SC9: what is that") == "SC9: what is that"
