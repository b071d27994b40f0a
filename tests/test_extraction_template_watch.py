"""The watch over a template: what raises an alarm, what does not, and what the alarm says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from watched_pages import alarms, learnt, page, paths, show_pages

from hiddenweb.extraction.template_watch import LEAST_VOTES, TemplateWatch, TooFewPages

if TYPE_CHECKING:
    from collections.abc import Callable


def test_pages_of_the_same_template_raise_no_alarm() -> None:
    watch = show_pages(learnt(lambda n: page(n, related=n)), lambda n: page(n, related=n % 7))

    assert watch.alarm is None
    assert all(seen.deviation is None for seen in watch.last)


@pytest.mark.parametrize(
    ("changed", "what", "depth", "part"),
    [
        pytest.param(
            lambda n: page(n, banner="<div>ad</div>"), "the number of siblings", 2, "upper", id="banner"
        ),
        pytest.param(lambda n: page(n, tag="section"), "the element", 2, "path", id="tag"),
        pytest.param(lambda n: page(n, main="content"), "the class", 2, "path", id="class"),
        pytest.param(lambda n: page(n, row="line"), "the class", 4, "path", id="class of attributes"),
        pytest.param(
            lambda n: page(n).replace("<h1>x</h1>", "").replace("</title>", "</title><hr>"),
            "the number of siblings",
            2,
            "upper",  # one gone and one come in the same part: Sigma does not see it
            id="moved",
        ),
    ],
)
def test_an_alarm_says_what_changed_and_where(
    changed: Callable[[int], str], what: str, depth: int, part: str
) -> None:
    watch = show_pages(learnt(), changed)

    alarm = watch.alarm
    assert alarm is not None
    assert alarm.finding is not None
    assert (alarm.kind, alarm.pages, alarm.of) == ("template", 10, 10)
    assert alarm.finding.what == what
    assert alarm.finding.depth == depth
    assert alarm.finding.part == part
    assert alarm.old is not None
    assert alarm.new is not None


def test_one_page_never_raises_an_alarm_nor_do_few_of_ten() -> None:
    watch = learnt()
    watch.see(paths(page(1, tag="section")))

    assert watch.last[0].deviation is not None
    assert alarms(watch) == []

    for number in range(9):
        watch.see(paths(page(number, tag="section" if number < 4 else "div")))
    assert alarms(watch) == []


def test_a_change_is_reported_after_a_few_pages_and_old_pages_leave_the_vote() -> None:
    watch = show_pages(learnt(), lambda n: page(n, tag="section"), LEAST_VOTES - 1)
    assert alarms(watch) == []

    show_pages(watch, lambda n: page(n, tag="section"), 1)
    assert alarms(watch) == ["template"]

    show_pages(watch, page, 10)
    assert alarms(watch) == []


def test_below_the_region_a_change_at_half_of_the_attributes_counts() -> None:
    def renamed(names: tuple[str, ...]) -> Callable[[int], str]:
        def make(number: int) -> str:
            html = page(number)
            for name in names:
                html = html.replace(f"<span id={name}", f"<u class=x></u><a><i></i></a><span id={name}")
            return html

        return make

    assert show_pages(learnt(), renamed(("title",))).alarm is None
    assert show_pages(learnt(), renamed(("title", "price"))).alarm is not None


def restless_page(number: int) -> str:
    html = page(number, banner="<hr>" if number == 0 else "")
    html = html.replace("</ul>", "</ul><hr>") if number == 1 else html
    return html.replace("</div></div></", "</div></div><hr></") if number == 2 else html


def is_noticed(watch: TemplateWatch, tags: list[str]) -> bool:
    """Say whether there is an alarm after ten pages, of which some have another tag."""
    for number in range(10):
        watch.see(paths(page(number, tag=tags[number] if number < len(tags) else "div")))
    return watch.alarm is not None


def test_an_extractor_whose_pages_often_deviate_needs_more_votes() -> None:
    calm, restless = learnt(), learnt(restless_page)
    tags = ["section", "article", "main", "aside", "nav", "form", "center", "header"]

    assert (calm.restless, restless.restless) == (1 / 12, 4 / 12)
    assert (is_noticed(calm, tags[:6]), is_noticed(calm, tags[:7])) == (False, True)
    assert (is_noticed(restless, tags[:7]), is_noticed(restless, tags)) == (False, True)


@pytest.mark.parametrize("make", [page, restless_page])
def test_fewer_votes_are_enough_if_all_say_the_same(make: Callable[[int], str]) -> None:
    assert not is_noticed(learnt(make), ["section"] * 5)
    assert is_noticed(learnt(make), ["section"] * 6)


def test_the_same_new_thing_on_six_pages_is_no_alarm_where_there_were_many_different_ones() -> None:
    def with_banners(count: int) -> str:
        return page(0, banner="<p>ad</p>" * count)

    def votes(counts: list[int]) -> bool:
        watch = learnt(lambda number: with_banners(counts[number]))
        for number in range(10):
            watch.see(paths(with_banners(7 if number < 6 else counts[0])))
        return watch.alarm is not None

    assert votes([0] * 10)
    assert not votes([0, 0, 1, 1, 2, 2, 3, 3, 4, 4])


def test_another_tag_is_noticed_where_paths_differ_further_down() -> None:
    def make(number: int, tag: str = "div") -> str:
        boxes = [
            "article",
            "aside",
            "blockquote",
            "center",
            "dl",
            "fieldset",
            "figure",
            "nav",
            "ol",
            "section",
        ]
        box = boxes[number % len(boxes)]
        return (
            page(number, tag=tag)
            .replace("<div class='record", f"<{box}><div class='record")
            .replace(f"</div></{tag}>", f"</div></{box}></{tag}>")
        )

    assert show_pages(learnt(make), make).alarm is None
    alarm = show_pages(learnt(make), lambda number: make(number, "main")).alarm
    assert alarm is not None
    assert alarm.finding is not None
    assert (alarm.finding.what, alarm.finding.depth) == ("the element", 2)
    assert (alarm.finding.was, alarm.finding.now) == ("div.main", "main.main")


def test_an_attribute_that_is_filled_no_longer_raises_its_own_alarm() -> None:
    watch = learnt()
    for number in range(10):
        watch.see(paths(page(number)), filled={"title", "author"})

    assert [(alarm.kind, alarm.attribute, alarm.pages) for alarm in watch.alarms] == [("fill", "price", 0)]
    assert "'price'" in str(watch.alarm)


def test_an_attribute_that_was_seldom_filled_may_stay_away() -> None:
    watch = TemplateWatch()
    pages = [paths(page(number, missing="" if number < 3 else "price")) for number in range(10)]
    watch.learn(pages)

    assert show_pages(watch, lambda n: page(n, missing="price")).alarms == ()


def test_a_region_that_is_gone_deviates() -> None:
    watch = show_pages(learnt(), lambda _: "<p>Sorry</p>")

    assert watch.alarm is not None
    assert watch.alarm.new is None
    assert {alarm.kind for alarm in watch.alarms} == {"template", "fill"}


def test_fewer_than_ten_pages_teach_nothing() -> None:
    with pytest.raises(TooFewPages, match="9 pages, wanted 10"):
        learnt(count=9)


def test_learning_again_takes_over_the_new_template() -> None:
    watch = show_pages(learnt(), lambda n: page(n, tag="section"))
    assert watch.alarm is not None

    watch.learn([paths(page(number, tag="section")) for number in range(10)])

    assert show_pages(watch, lambda n: page(n, tag="section")).alarm is None


@pytest.mark.parametrize(
    ("before", "after"), [("<div>" * 150, "</div>" * 150), ("<p class=q>x</p>" * 400, "")]
)
def test_very_deep_and_very_wide_pages_are_watched_in_little_space(before: str, after: str) -> None:
    def make(number: int, main: str = "main") -> str:
        return f"{before}{page(number, main=main)}{after}"

    watch = show_pages(learnt(make), make)

    assert watch.alarm is None
    assert len(json.dumps(watch.to_json())) < 1_000_000
    assert show_pages(watch, lambda number: make(number, "other")).alarm is not None


def test_pages_that_deviate_each_in_its_own_way_raise_no_alarm() -> None:
    ways: tuple[Callable[[int], str], ...] = (
        lambda n: page(n, banner="<div>ad</div>"),
        lambda n: page(n, tag="section"),
        lambda n: page(n, row="line"),
        lambda n: page(n).replace("class='record", "class='entry"),
        lambda n: page(n).replace("<h1>x</h1>", ""),
    )

    watch = show_pages(learnt(), lambda n: ways[n % 5](n))

    assert all(seen.deviation is not None for seen in watch.last)
    assert alarms(watch) == []
