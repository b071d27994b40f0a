"""The watch over a template: what raises an alarm, what does not, and what the alarm says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from hiddenweb.extraction.bartree import BarTreeDecision
from hiddenweb.extraction.path_patterns import TargetPaths, mask_class
from hiddenweb.extraction.template_watch import LEAST_VOTES, TemplateWatch, TooFewPages
from hiddenweb.html.skeleton import skeleton_and_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("title", "author", "price")


def page(
    number: int,
    *,
    banner: str = "",
    main: str = "main",
    related: int = 2,
    tag: str = "div",
    missing: str = "",
    row: str = "row",
) -> str:
    """Return a page of a book; the number of related books is noise below the record."""
    rows = "".join(
        f"<div class='{row}'><b>{name}</b><span id={name} class='value v{number}'>{name} {number}</span></div>"
        for name in NAMES
        if name != missing
    )
    others = "".join(f"<li>{n}</li>" for n in range(related))
    return (
        f"<title>Wonderful{number} book</title><div class=top>Shop</div>{banner}"
        f"<{tag} class='{main}'><h1>x</h1><div class='record wonderful{number}'>{rows}</div></{tag}><ul>{others}</ul>"
    )


def paths(html: str) -> TargetPaths:
    tree = LexborHTMLParser(html)
    skeleton, numbers = skeleton_and_nodes(tree)
    places = {element.attributes["id"]: numbers[element.mem_id] for element in tree.css("[id]")}
    nodes = {name: places.get(name) for name in NAMES}
    found = [node for node in nodes.values() if node is not None]
    return TargetPaths(skeleton, skeleton.common(found) if found else None, nodes)


def learnt(make: Callable[[int], str] = page, count: int = 10) -> TemplateWatch:
    watch = TemplateWatch()
    watch.learn([paths(make(number)) for number in range(count)])
    return watch


def shown(watch: TemplateWatch, make: Callable[[int], str], count: int = 10) -> TemplateWatch:
    for number in range(100, 100 + count):
        watch.see(paths(make(number)))
    return watch


def test_pages_of_the_same_template_raise_no_alarm() -> None:
    watch = shown(learnt(lambda n: page(n, related=n)), lambda n: page(n, related=n % 7))

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
    watch = shown(learnt(), changed)

    alarm = watch.alarm
    assert alarm is not None
    assert alarm.finding is not None
    assert (alarm.kind, alarm.pages, alarm.of) == ("template", 10, 10)
    assert alarm.finding.what == what
    assert alarm.finding.depth == depth
    assert alarm.finding.part == part
    assert alarm.old is not None
    assert alarm.new is not None


def test_the_alarm_has_both_bar_trees_and_the_decision() -> None:
    alarm = shown(learnt(), lambda n: page(n, banner="<div>ad</div>")).alarm

    assert alarm is not None
    assert alarm.decision is BarTreeDecision.UPPER
    assert alarm.old is not None
    assert alarm.new is not None
    assert (alarm.old.parallel[2], alarm.new.parallel[2]) == (3, 4)
    assert "depth 2" in str(alarm)
    assert "upper" in str(alarm)


def alarms(watch: TemplateWatch) -> list[str]:
    return [alarm.kind for alarm in watch.alarms]


def test_one_page_never_raises_an_alarm_nor_do_few_of_ten() -> None:
    watch = learnt()
    watch.see(paths(page(1, tag="section")))

    assert watch.last[0].deviation is not None
    assert alarms(watch) == []

    for number in range(9):
        watch.see(paths(page(number, tag="section" if number < 4 else "div")))
    assert alarms(watch) == []


def test_a_change_is_told_after_a_few_pages_and_old_pages_leave_the_vote() -> None:
    watch = shown(learnt(), lambda n: page(n, tag="section"), LEAST_VOTES - 1)
    assert alarms(watch) == []

    shown(watch, lambda n: page(n, tag="section"), 1)
    assert alarms(watch) == ["template"]

    shown(watch, page, 10)
    assert alarms(watch) == []


def test_below_the_region_a_change_at_half_of_the_attributes_counts() -> None:
    def renamed(names: tuple[str, ...]) -> Callable[[int], str]:
        def make(number: int) -> str:
            html = page(number)
            for name in names:
                html = html.replace(f"<span id={name}", f"<u class=x></u><a><i></i></a><span id={name}")
            return html

        return make

    assert shown(learnt(), renamed(("title",))).alarm is None
    assert shown(learnt(), renamed(("title", "price"))).alarm is not None


def test_page_variants_are_both_known() -> None:
    def make(number: int) -> str:
        return page(number, tag="section", banner="<div>ad</div>") if number % 2 else page(number)

    watch = learnt(make)

    assert shown(watch, make).alarm is None
    assert shown(watch, lambda n: page(n, tag="section")).alarm is not None  # the other variant has a banner


def test_what_varied_in_learning_is_not_compared() -> None:
    watch = learnt(lambda n: page(n, banner="<div>ad</div>" * n))

    assert shown(watch, lambda n: page(n, banner="<div>ad</div>" * 20)).alarm is None
    assert shown(watch, lambda n: page(n, main="content")).alarm is not None


def restless_page(number: int) -> str:
    html = page(number, banner="<hr>" if number == 0 else "")
    html = html.replace("</ul>", "</ul><hr>") if number == 1 else html
    return html.replace("</div></div></", "</div></div><hr></") if number == 2 else html


def is_noticed(watch: TemplateWatch, tags: list[str]) -> bool:
    """Say whether there is an alarm after ten pages, of which some have another tag."""
    for number in range(10):
        watch.see(paths(page(number, tag=tags[number] if number < len(tags) else "div")))
    return watch.alarm is not None


def test_a_source_whose_pages_deviate_anyway_needs_more_votes() -> None:
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

    assert shown(learnt(make), make).alarm is None
    alarm = shown(learnt(make), lambda number: make(number, "main")).alarm
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

    assert shown(watch, lambda n: page(n, missing="price")).alarms == ()


def test_a_region_that_is_gone_deviates() -> None:
    watch = shown(learnt(), lambda _: "<p>Sorry</p>")

    assert watch.alarm is not None
    assert watch.alarm.new is None
    assert {alarm.kind for alarm in watch.alarms} == {"template", "fill"}


def test_classes_with_digits_or_the_name_of_the_page_are_masked() -> None:
    assert mask_class("value-v17", set(), set()) == "value-*"
    assert mask_class("film-casablanca", {"casablanca"}, set()) == "*"
    assert mask_class("film-casablanca", {"casablanca"}, {"film-casablanca"}) == "film-casablanca"
    assert mask_class("plain", {"casablanca"}, set()) == "plain"

    named = [
        paths(page(number).replace(f"wonderful{number}", f"a-{word}").replace("book", f"of {word}"))
        for number, word in enumerate(WORDS)
    ]
    watch = TemplateWatch()
    watch.learn(named[:10])
    assert [watch.deviation(each) for each in named[10:]] == [None] * 4


WORDS = [
    "amber",
    "basin",
    "candle",
    "delta",
    "ember",
    "forest",
    "garden",
    "harbour",
    "island",
    "jasmine",
    "kettle",
    "lantern",
    "meadow",
    "nectar",
]


def test_fewer_than_ten_pages_teach_nothing() -> None:
    with pytest.raises(TooFewPages, match="9 pages, wanted 10"):
        learnt(count=9)


def test_learning_again_takes_over_the_new_template() -> None:
    watch = shown(learnt(), lambda n: page(n, tag="section"))
    assert watch.alarm is not None

    watch.learn([paths(page(number, tag="section")) for number in range(10)])

    assert shown(watch, lambda n: page(n, tag="section")).alarm is None


def test_the_state_survives_json() -> None:
    watch = shown(learnt(lambda n: page(n, related=n)), lambda n: page(n, tag="section"), 6)

    again = TemplateWatch.from_json(json.loads(json.dumps(watch.to_json())))

    assert again.to_json() == watch.to_json()
    assert again.alarms == watch.alarms
    assert again.alarm is not None
    new = paths(page(3, main="content"))
    assert again.see(new) == watch.see(new)
    assert len(json.dumps(watch.to_json())) < 200_000


@pytest.mark.parametrize(
    ("before", "after"), [("<div>" * 150, "</div>" * 150), ("<p class=q>x</p>" * 400, "")]
)
def test_very_deep_and_very_wide_pages_are_watched_in_little_space(before: str, after: str) -> None:
    def make(number: int, main: str = "main") -> str:
        return f"{before}{page(number, main=main)}{after}"

    watch = shown(learnt(make), make)

    assert watch.alarm is None
    assert len(json.dumps(watch.to_json())) < 1_000_000
    assert shown(watch, lambda number: make(number, "other")).alarm is not None


def test_pages_that_deviate_each_in_its_own_way_raise_no_alarm() -> None:
    ways: tuple[Callable[[int], str], ...] = (
        lambda n: page(n, banner="<div>ad</div>"),
        lambda n: page(n, tag="section"),
        lambda n: page(n, row="line"),
        lambda n: page(n).replace("class='record", "class='entry"),
        lambda n: page(n).replace("<h1>x</h1>", ""),
    )

    watch = shown(learnt(), lambda n: ways[n % 5](n))

    assert all(seen.deviation is not None for seen in watch.last)
    assert alarms(watch) == []


def test_variants_of_few_pages_are_held_against_what_all_have_in_common() -> None:
    def variant(number: int, banner: str = "") -> str:
        return page(number, main=("north", "east", "south", "west")[number % 4], banner=banner)

    unchanged = shown(learnt(variant), variant)
    changed = shown(
        TemplateWatch.from_json(json.loads(json.dumps(learnt(variant).to_json()))),
        lambda number: variant(number, "<div>ad</div>"),
    )

    assert alarms(unchanged) == []
    assert len(alarms(changed)) == 1
