from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from benchmarks._changes_correctness import simulate
from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, FetchFailure
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in
from hiddenweb.revisit.comparison import (
    ComparisonOutcome,
    ComparisonState,
    GonePolicy,
    SeenPage,
    SoftNotFoundTexts,
    compare_page,
    failure_of,
    is_closed,
    observe_page,
    raw_hash,
    try_cheap_steps,
)
from hiddenweb.revisit.comparison_state import content_to_json, state_from_json, state_to_json
from hiddenweb.revisit.noise import NoiseMasks

HOUR = 3600.0
URL = "http://a.example/tea"
TEXT = "<h1>Tea</h1><p>Green tea is grown in Uji. It is steamed.</p><p>Black tea is grown in Assam.</p><p>White tea is rare.</p>"
MISSING = "<h1>Oh dear</h1><p>Nothing lives here.</p>"


def seen(
    body: str = TEXT, at: float = 0.0, url: str = URL, *, with_records: bool = False, **more: object
) -> SeenPage:
    raw = f"<!doctype html><html><head><title>Tea</title></head><body><main>{body}</main></body></html>".encode()
    page = read_page_with_items(raw, url) if with_records else read_page(raw, url)
    records = records_in(page) if with_records else ()
    seen_page = SeenPage(url, at, 200, page, raw_hash(raw), records=records, is_closed=is_closed(raw))
    return replace(seen_page, **more)  # type: ignore[arg-type]


def known(body: str = TEXT, *, with_records: bool = False, **more: object) -> ComparisonState:
    return replace(compare_page(None, seen(body, with_records=with_records), NoiseMasks()).known, **more)  # type: ignore[arg-type]


def kinds(outcome: ComparisonOutcome) -> list[str]:
    return [change.kind for change in outcome.changes]


def page_in(language: str, visits: int) -> str:
    lines = {
        "en": (
            "Our tea",
            "Green tea is grown in Uji.",
            "Black tea is grown in Assam.",
            "White tea is rare.",
            "Seen",
        ),
        "de": (
            "Unser Tee",
            "Grüner Tee wächst in Uji.",
            "Schwarzer Tee wächst in Assam.",
            "Weißer Tee ist selten.",
            "Gesehen",
        ),
    }[language]
    return (
        f"<h1>{lines[0]}</h1>"
        + "".join(f"<p>{line}</p>" for line in lines[1:4])
        + f"<p>{lines[4]} {visits} {lines[0]}</p>"
    )


# Steps


def test_page_never_seen_is_new() -> None:
    outcome = compare_page(None, seen(at=5.0), NoiseMasks())

    assert (outcome.step, kinds(outcome)) == ("first", ["new"])
    assert outcome.changes[0].title == "Tea"
    assert outcome.known.version is not None


@pytest.mark.parametrize(
    ("seen_page", "step"),
    [
        (SeenPage(URL, 9.0, 304), "not_modified"),
        (seen(at=9.0), "same_bytes"),
        (seen('<input type=hidden name=csrf value="8f3a">' + TEXT, 9.0), "same_text"),
        (
            seen("<p>White tea is rare.</p>" + TEXT.replace("<p>White tea is rare.</p>", ""), 9.0),
            "same_parts",
        ),
    ],
)
def test_a_comparison_ends_at_the_first_step_that_decides(seen_page: SeenPage, step: str) -> None:
    outcome = compare_page(known(), seen_page, NoiseMasks())

    assert (outcome.step, outcome.changes) == (step, ())
    assert outcome.known.at == 9.0


def test_words_that_changed_are_reported() -> None:
    outcome = compare_page(known(), seen(TEXT.replace("Assam", "Nepal"), 9.0), NoiseMasks())

    assert outcome.step == "changed"
    (change,) = outcome.changes
    assert (change.kind, change.site, change.at) == ("content", "a.example", 9.0)
    assert [(edit.before, edit.after) for edit in change.edits] == [("Assam", "Nepal")]


def test_page_that_alternates_between_two_versions_is_reported_until_it_returns_twice() -> None:
    masks, state, reported = NoiseMasks(), known(page_in("en", 0)), []
    for day in range(1, 13):
        body = page_in("de" if day in (1, 3, 5, 11, 12) else "en", day)
        body = body.replace("selten", "teuer") if day == 12 else body
        outcome = compare_page(state, seen(body, day * 24 * HOUR), masks)
        state = state_from_json(state_to_json(outcome.known), content_to_json(outcome.known))
        reported += [(day, " ".join(edit.after for edit in change.edits)) for change in outcome.changes]

    assert [day for day, _ in reported] == [1, 2, 7, 12]
    assert reported[2][1] == "7"  # the counter, for the first time by itself
    assert "teuer" in reported[-1][1]


def test_page_that_settles_after_alternating_is_reported_as_it_is() -> None:
    masks, state, reported = NoiseMasks(), known(page_in("en", 0)), []
    for day in range(1, 10):
        body = page_in("en" if day in (2, 4) else "de", 0)
        outcome = compare_page(state, seen(body, day * 24 * HOUR), masks)
        state = outcome.known
        reported += [(day, " ".join(edit.after for edit in change.edits)) for change in outcome.changes]

    assert [day for day, _ in reported] == [1, 2, 8]
    assert "Grüner" in reported[-1][1]


def test_counter_is_only_noise_once_it_is_learnt() -> None:
    masks, state, steps = NoiseMasks(), None, []
    for day in range(5):
        outcome = compare_page(state, seen(f"{TEXT}<p>Viewed {day * 31} times</p>", day * 24 * HOUR), masks)
        state = outcome.known
        steps.append(outcome.step)

    assert steps == ["first", "changed", "only_noise", "only_noise", "only_noise"]
    assert [each.after for each in outcome.hidden] == ["Viewed 124 times"]


def test_noise_is_not_among_the_words_of_a_real_change() -> None:
    masks, state = NoiseMasks(), None
    for day in range(4):
        state = compare_page(
            state, seen(f"{TEXT}<p>Viewed {day * 31} times</p>", day * 24 * HOUR), masks
        ).known

    text = TEXT.replace("rare", "common")
    (change,) = compare_page(state, seen(f"{text}<p>Viewed 999 times</p>", 5 * 24 * HOUR), masks).changes

    assert [(edit.before, edit.after) for edit in change.edits] == [("rare", "common")]


def test_first_steps_need_the_signs_of_the_old_version_only() -> None:
    state = known()
    assert state.version is not None
    light = replace(state, version=replace(state.version, title="", parts=(), links=()))

    same = try_cheap_steps(light, seen(at=3.0), NoiseMasks())

    assert same is not None
    assert same.step == "same_bytes"
    assert try_cheap_steps(light, seen(TEXT + "<p>More.</p>"), NoiseMasks()) is None


def test_empty_page_can_get_content() -> None:
    state = compare_page(None, seen(""), NoiseMasks()).known

    outcome = compare_page(state, seen("<p>Hello there.</p>", 5.0), NoiseMasks())

    assert kinds(outcome) == ["content"]


# Failures


@pytest.mark.parametrize(
    ("seen_page", "failure"),
    [
        (SeenPage(URL, 1.0, None, failed="no such host"), "unreachable"),
        (SeenPage(URL, 1.0, None, failed="robots.txt forbids it", is_refused=True), "unfit"),
        (SeenPage(URL, 1.0, 503), "unreachable"),
        (SeenPage(URL, 1.0, 404), "missing"),
        (SeenPage(URL, 1.0, 410), "missing"),
        (SeenPage(URL, 1.0, 301, redirect="http://a.example/"), "missing"),
        (SeenPage(URL, 1.0, 302, redirect="http://a.example/login"), "unfit"),
        (SeenPage(URL, 1.0, 403), "unfit"),
        (SeenPage(URL, 1.0, 429), "unfit"),
        (seen(failed="are you a robot"), "unfit"),
        (seen(failed="page not found", is_missing=True), "missing"),
        (seen(page=None), "unfit"),
    ],
)
def test_failed_revisit_changes_nothing(seen_page: SeenPage, failure: str) -> None:
    state = known()

    outcome = compare_page(state, seen_page, NoiseMasks())

    assert failure_of(seen_page)[0] == failure
    assert (outcome.step, outcome.changes) == ("failed", ())
    assert outcome.why
    assert replace(outcome.known, missing=(), unreachable=()) == state


def test_cut_page_is_a_failed_revisit() -> None:
    cut = seen(TEXT[:40])
    assert cut.page is not None

    outcome = compare_page(known(), replace(cut, page=replace(cut.page, marks=("truncated",))), NoiseMasks())

    assert (outcome.step, outcome.changes) == ("failed", ())
    assert "truncated" in outcome.why


def test_page_without_its_end_tag_is_doubted_until_three_revisits_agree() -> None:
    half = seen(TEXT.partition("It is")[0], is_closed=False)

    state, steps = known(), []
    for _ in range(3):
        outcome = compare_page(state, half, NoiseMasks())
        state = outcome.known
        steps.append(outcome.step)

    assert steps == ["doubted", "doubted", "changed"]


def test_page_is_gone_after_several_failures_some_time_apart() -> None:
    state, reported = known(), []
    for hour in (1, 2, 3, 8, 9, 15, 30):
        outcome = compare_page(
            state,
            SeenPage(URL, hour * HOUR, 404),
            NoiseMasks(),
            patience=GonePolicy(missing_times=3, missing_apart=6 * HOUR),
        )
        state = outcome.known
        reported += [(hour, change.kind, change.before) for change in outcome.changes]

    assert reported == [(15, "gone", "status 404")]


def test_clock_that_is_set_back_does_not_delay_gone_for_years() -> None:
    state, reported = known(), []
    for hour in (90_000, 1, 7, 13):
        outcome = compare_page(
            state, SeenPage(URL, hour * HOUR, 404), NoiseMasks(), patience=GonePolicy(3, 6 * HOUR)
        )
        state = outcome.known
        reported += [(hour, change.kind) for change in outcome.changes]

    assert reported == [(13, "gone")]


def test_page_that_became_another_type_is_reported_once_and_again_when_it_is_back() -> None:
    state, reported = known(), []
    for hour in (0, 6, 12, 18, 24):
        seen_page = (
            SeenPage(URL, hour * HOUR, 200, became="application/pdf") if hour < 24 else seen(at=hour * HOUR)
        )
        outcome = compare_page(state, seen_page, NoiseMasks(), patience=GonePolicy(3, 6 * HOUR))
        state = outcome.known
        reported += [(hour, change.kind, change.before) for change in outcome.changes]

    assert reported == [(12, "gone", "it is application/pdf now"), (24, "back", "")]


def test_one_successful_revisit_restarts_the_count_of_failures() -> None:
    state = known()
    for hour, status in ((0, 404), (10, 404), (20, 200), (30, 404), (40, 404)):
        at = hour * HOUR
        outcome = compare_page(
            state, seen(at=at) if status == 200 else SeenPage(URL, at, status), NoiseMasks()
        )
        state = outcome.known
        assert outcome.changes == ()


def test_failing_server_does_not_make_a_page_gone_for_weeks() -> None:
    state = known()
    for day in range(18):
        outcome = compare_page(state, SeenPage(URL, day * 24 * HOUR, 503), NoiseMasks())
        state = outcome.known
        assert outcome.changes == ()
    assert kinds(compare_page(state, SeenPage(URL, 18 * 24 * HOUR, 503), NoiseMasks())) == ["gone"]


def test_page_that_answers_again_is_back_with_what_changed() -> None:
    state = known(gone=5.0, missing=(1.0, 2.0, 3.0))

    same = compare_page(state, seen(at=9.0), NoiseMasks())
    other = compare_page(state, seen(TEXT.replace("rare", "common"), 9.0), NoiseMasks())

    assert (kinds(same), kinds(other)) == (["back"], ["back", "content"])
    assert (same.known.gone, same.known.missing) == (None, ())


def test_address_that_never_brought_a_page_is_not_gone() -> None:
    state: ComparisonState | None = None
    for day in range(9):
        outcome = compare_page(state, SeenPage(URL, day * 24 * HOUR, 404), NoiseMasks())
        state = outcome.known
        assert outcome.changes == ()


def test_page_that_lost_nearly_all_is_doubted_and_reported_if_it_stays_so() -> None:
    first = compare_page(known(), seen(MISSING, 1.0), NoiseMasks())
    again = compare_page(first.known, seen(MISSING, 2.0), NoiseMasks())
    back = compare_page(first.known, seen(at=2.0), NoiseMasks())

    assert (first.step, first.changes) == ("doubted", ())
    assert kinds(again) == ["content"]
    assert (back.step, back.known.doubts) == ("same_bytes", 0)


def test_text_that_replaces_several_pages_is_a_soft_404() -> None:
    masks, soft_not_found = NoiseMasks(), SoftNotFoundTexts()
    addresses = [f"http://a.example/{number}" for number in range(4)]
    states = {url: compare_page(None, seen(TEXT, url=url), masks).known for url in addresses}

    reported = []
    for day in range(1, 5):
        for url in addresses:
            outcome = compare_page(states[url], seen(MISSING, day * 24 * HOUR, url), masks, soft_not_found)
            states[url] = outcome.known
            reported.append((outcome.step, kinds(outcome)))

    assert reported[:4] == [("doubted", []), ("doubted", []), ("failed", []), ("failed", [])]
    assert all(each == ("failed", []) for each in reported[4:8])
    assert {kind for _, kinds_ in reported for kind in kinds_} == {"gone"}


# Records


def rows(*prices: tuple[int, str]) -> str:
    cards = "".join(
        f"<li><h3><a href=/item/{number}>Tea number {number}</a></h3><p>Price: {price}</p></li>"
        for number, price in prices
    )
    return f"<p>All teas</p><ul>{cards}</ul>"


def test_records_are_compared_by_key_and_reported_by_attribute() -> None:
    state = known(rows((1, "5"), (2, "6"), (3, "7")), with_records=True)

    reordered = compare_page(state, seen(rows((3, "7"), (1, "5"), (2, "6")), with_records=True), NoiseMasks())
    changed = compare_page(
        state, seen(rows((3, "7"), (1, "9"), (4, "2")), 9.0, with_records=True), NoiseMasks()
    )

    assert (reordered.step, reordered.changes) == ("same_parts", ())
    assert [(each.kind, each.title, each.attribute, each.before, each.after) for each in changed.changes] == [
        ("record changed", "Tea number 1", "Price", "5", "9"),
        ("record added", "Tea number 4", "", "", "Tea number 4 Price: 2"),
        ("record removed", "Tea number 2", "", "Tea number 2 Price: 6", ""),
    ]


def test_on_one_page_of_several_nothing_is_removed() -> None:
    state = known(rows((1, "5"), (2, "6"), (3, "7")), with_records=True)
    part = seen(
        rows((9, "1"), (1, "5"), (2, "6")),
        with_records=True,
        is_part=True,
        elsewhere=frozenset({"http://a.example/item/3"}),
    )

    assert [(each.kind, each.key) for each in compare_page(state, part, NoiseMasks()).changes] == [
        ("record added", "http://a.example/item/9")
    ]


def test_labelled_attribute_is_reported_however_often_it_changes() -> None:
    masks = NoiseMasks()
    state = known(rows((1, "5"), (2, "6"), (3, "7")), with_records=True)
    for day in range(1, 7):
        body = rows((1, f"{50 + day}"), (2, f"{60 + day}"), (3, f"{70 + day}"))
        outcome = compare_page(state, seen(body, day * 24 * HOUR, with_records=True), masks)
        state = outcome.known
        assert kinds(outcome) == ["record changed"] * 3


def test_all_records_gone_at_once_is_doubted_first() -> None:
    state = known(rows((1, "5"), (2, "6"), (3, "7")), with_records=True)
    empty = seen("<p>All teas</p>", with_records=True)

    first = compare_page(state, empty, NoiseMasks())

    assert first.step == "doubted"
    assert kinds(compare_page(first.known, empty, NoiseMasks())) == ["record removed"] * 3


# What is stored


def test_what_is_known_goes_through_json() -> None:
    masks, state = NoiseMasks(), None
    for day in range(4):
        body = f"{TEXT}<p><a href='http://b.example/'>浏览一次</a></p><p>Viewed {day * 31} times</p>"
        state = compare_page(state, seen(body, day * 24 * HOUR), masks).known
    assert state is not None
    assert state.version is not None
    assert state.own
    assert state.held
    assert state.version.links

    assert state_from_json(state_to_json(state), content_to_json(state)) == state


# Items of a crawl


def test_items_of_a_crawl_can_be_compared() -> None:
    task = CrawlTask(1, 1, 1, URL)
    body = f"<html><body>{TEXT}</body></html>".encode()
    visit = Fetched(task, URL, 200, 5.0, body, etag='"a"', page=read_page(body, URL))

    outcome = compare_page(None, observe_page(visit), NoiseMasks())
    failed = compare_page(
        outcome.known, observe_page(FetchFailure(task, "status 503", 6.0, status=503)), NoiseMasks()
    )

    assert (outcome.step, outcome.known.etag, outcome.known.is_closed) == ("first", '"a"', True)
    assert (failed.step, failed.why) == ("failed", "status 503")


def test_simulated_pages_miss_nothing_and_grow_quiet() -> None:
    figures = simulate(Random(2), pages=300)

    assert (figures.missed, figures.wrong_words) == ((), ())
    assert figures.late_alarms <= 2
