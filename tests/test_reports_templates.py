"""Templates and what happened to them, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from shop_state import BOOKS, fill_shop, rebuild

from hiddenweb.reports.extraction import load_extractor
from hiddenweb.reports.templates import (
    AlarmReport,
    alarm_facts,
    alarm_lines,
    alarms_of,
    bars_now,
    event_facts,
    event_lines,
    next_steps,
    template_facts,
    template_lines,
)
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        fill_shop(store)
        yield store


@pytest.fixture
def alarm(store: Store) -> AlarmReport:
    """The alarm of a shop whose pages were rebuilt."""
    rebuild(store, range(1, BOOKS), repairs="ask")
    extractors = ExtractorStore(store)
    [found] = alarms_of(extractors, load_extractor(extractors, "books"))
    return found


def test_a_template_that_is_watched_has_no_alarm(store: Store) -> None:
    extractors = ExtractorStore(store)
    stored = load_extractor(extractors, "books")

    facts = json.loads(json.dumps(template_facts(stored, None)))

    assert (facts["name"], facts["deviating"], facts["last_event"]) == ("books", 0, None)
    assert facts["is_watched"]
    assert alarms_of(extractors, stored) == []
    assert alarms_of(extractors, stored, with_closed=True) == []


def test_templates_are_a_table(store: Store) -> None:
    lines = list(template_lines([(load_extractor(ExtractorStore(store), "books"), None)]))

    assert len(lines) == 2
    assert lines[1].startswith("books")
    assert "16 pages" in lines[1]


def test_a_rebuilt_site_has_an_open_alarm_with_both_bar_trees(alarm: AlarmReport) -> None:
    assert alarm.is_open
    assert alarm.alarm is not None
    assert alarm.old is not None
    assert alarm.new is not None
    assert alarm.page.startswith("http://shop.example/item/")


def test_an_alarm_says_what_to_do_next(alarm: AlarmReport) -> None:
    steps = list(next_steps(alarm))

    assert steps
    assert any("scrapy templates accept books" in step for step in steps)
    assert list(next_steps(replace(alarm, is_open=False))) == []


def test_an_alarm_is_shown_with_when_it_was_noticed_and_what_changed(alarm: AlarmReport) -> None:
    lines = list(alarm_lines(alarm, blocks=False))

    assert lines[0].startswith("books (shop.example): its template has changed; noticed 2025-11-17")
    assert "    before:" in lines
    assert any(line.strip().startswith("now") for line in lines)
    assert any(line.startswith("    next: ") for line in lines)


def test_facts_of_an_alarm_can_be_written_as_json(alarm: AlarmReport) -> None:
    facts = json.loads(json.dumps(alarm_facts(alarm)))

    assert (facts["extractor"], facts["is_open"], facts["kind"]) == ("books", True, "template")
    assert facts["old"]["d_max"] > 0
    assert facts["next"] == list(next_steps(alarm))


def test_a_suspended_extractor_without_an_alarm_says_why(store: Store) -> None:
    stored = replace(load_extractor(ExtractorStore(store), "books"), state="put_off", why="its page is gone")

    lines = list(alarm_lines(AlarmReport(stored, None, (), True, None, None, ""), blocks=True))

    assert lines[0] == "books (shop.example): suspended"
    assert lines[1] == "    its page is gone"
    assert any("scrapy extract remove books" in line for line in lines)


def test_events_are_reported_without_the_pattern_of_a_proposal(store: Store) -> None:
    rebuild(store, range(1, BOOKS), repairs="ask")
    events = ExtractorStore(store).events()

    lines = list(event_lines([("books", event) for event in events]))

    assert len(lines) == len(events) + 1
    assert all("source" not in event_facts("books", event)["detail"] for event in events)


def test_the_bar_trees_of_now_are_those_of_the_open_alarm(store: Store) -> None:
    extractors = ExtractorStore(store)
    title, trees = bars_now(extractors, load_extractor(extractors, "books"))
    assert title == "books: the region on 16 pages"
    assert [name for name, _ in trees] == ["the region"]

    rebuild(store, range(1, BOOKS), repairs="ask")

    _, trees = bars_now(extractors, load_extractor(extractors, "books"))
    assert [name for name, _ in trees] == ["before", "now"]
