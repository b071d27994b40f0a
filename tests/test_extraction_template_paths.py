"""What is known of the paths of a template."""

from __future__ import annotations

import json

from watched_pages import alarms, learnt, page, paths, show_pages

from hiddenweb.extraction.bartree import BarTreeDecision
from hiddenweb.extraction.template_watch import TemplateWatch


def test_the_alarm_has_both_bar_trees_and_the_decision() -> None:
    alarm = show_pages(learnt(), lambda n: page(n, banner="<div>ad</div>")).alarm

    assert alarm is not None
    assert alarm.decision is BarTreeDecision.UPPER
    assert alarm.old is not None
    assert alarm.new is not None
    assert (alarm.old.parallel[2], alarm.new.parallel[2]) == (3, 4)
    assert "depth 2" in str(alarm)
    assert "upper" in str(alarm)


def test_page_variants_are_both_known() -> None:
    def make(number: int) -> str:
        return page(number, tag="section", banner="<div>ad</div>") if number % 2 else page(number)

    watch = learnt(make)

    assert show_pages(watch, make).alarm is None
    assert (
        show_pages(watch, lambda n: page(n, tag="section")).alarm is not None
    )  # the other variant has a banner


def test_what_varied_in_learning_is_not_compared() -> None:
    watch = learnt(lambda n: page(n, banner="<div>ad</div>" * n))

    assert show_pages(watch, lambda n: page(n, banner="<div>ad</div>" * 20)).alarm is None
    assert show_pages(watch, lambda n: page(n, main="content")).alarm is not None


def test_the_state_survives_json() -> None:
    watch = show_pages(learnt(lambda n: page(n, related=n)), lambda n: page(n, tag="section"), 6)

    again = TemplateWatch.from_json(json.loads(json.dumps(watch.to_json())))

    assert again.to_json() == watch.to_json()
    assert again.alarms == watch.alarms
    assert again.alarm is not None
    new = paths(page(3, main="content"))
    assert again.see(new) == watch.see(new)
    assert len(json.dumps(watch.to_json())) < 200_000


def test_variants_of_few_pages_are_held_against_what_all_have_in_common() -> None:
    def variant(number: int, banner: str = "") -> str:
        return page(number, main=("north", "east", "south", "west")[number % 4], banner=banner)

    unchanged = show_pages(learnt(variant), variant)
    changed = show_pages(
        TemplateWatch.from_json(json.loads(json.dumps(learnt(variant).to_json()))),
        lambda number: variant(number, "<div>ad</div>"),
    )

    assert alarms(unchanged) == []
    assert len(alarms(changed)) == 1
