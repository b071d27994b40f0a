"""Explanations in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from topic_states import NOW, A, B, read_one_site

from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.reports.explanation import explain_address
from hiddenweb.reports.explanation_text import MAX_NAMED, explanation_lines
from hiddenweb.reports.known_sites import KnownPause
from hiddenweb.reports.scores import ScoreReason
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


def explain(store: Store, what: str) -> Explanation:
    """Explain an address or a name."""
    return explain_address(store, what, "", FocusedLimits(), NOW)


def test_a_site_is_described_with_its_topic_its_scores_and_its_forms(store: Store) -> None:
    lines = list(explanation_lines(explain(store, A), NOW))

    assert lines[0] == "a.example: a site"
    assert any(line.startswith("Topic books: it is being explored") for line in lines)
    assert any("Value before a visit" in line for line in lines)
    assert any("Rank by SmartCrawler" in line for line in lines)
    assert any("#1 search, searches with 0.900, on topic" in line for line in lines)


def test_numbers_of_one_have_no_plural(store: Store) -> None:
    text = "\n".join(explanation_lines(explain(store, A), NOW))

    assert "1 page read; links: " in text
    assert "depth 0: 1 page gave 1 search form; 0 pages gave none" in text


def test_a_link_that_waits_says_what_keeps_it(store: Store) -> None:
    found = explain(store, f"{A}find/7")

    free = list(explanation_lines(replace(found, kept_by=[]), NOW))
    waiting = list(explanation_lines(replace(found, kept_by=["its host is paused"]), NOW))

    assert free[:2] == [f"{A}find/7: a link of a.example", "It waits."]
    assert "Nothing keeps it from being visited but others that come first." in free
    assert "It is not visited now: its host is paused." in waiting
    assert f"Found on {A}" in free
    assert any(line.endswith("says more about its site.") for line in free)


def test_a_candidate_names_the_sites_that_link_to_it(store: Store) -> None:
    lines = list(explanation_lines(explain(store, B), NOW))

    at = lines.index("  Sites that link to it (1):")
    assert lines[at + 1].strip().startswith(A)


def test_an_address_that_is_never_followed_says_why(store: Store) -> None:
    lines = list(explanation_lines(explain(store, f"{A}big.zip"), NOW))

    assert any(
        "is never followed: it ends like a file that is not read. This is about its site." in line
        for line in lines
    )


def test_a_paused_host_says_for_how_long(store: Store) -> None:
    found = explain(store, A)
    assert found.site is not None
    paused = replace(
        found, site=replace(found.site, pauses=[KnownPause("https://a.example", NOW + 90, "status 503")])
    )

    assert "https://a.example is paused for 90 s: status 503" in list(explanation_lines(paused, NOW))


def test_only_the_strongest_reasons_are_named_and_the_rest_summed_up(store: Store) -> None:
    found = explain(store, A)
    [topic] = found.topics
    reasons = [ScoreReason(f"reason {number}", 0.5) for number in range(MAX_NAMED + 3)]
    many = replace(found, topics=[replace(topic, value=replace(topic.value, reasons=reasons))])

    lines = [line.strip() for line in explanation_lines(many, NOW)]

    assert sum(line.startswith("+0.50 reason") for line in lines) == MAX_NAMED
    assert "+1.50 3 other reasons" in lines
