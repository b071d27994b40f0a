"""Plans become controls of a policy, and its queries become fillings with the same meaning."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest
from test_querying_plan import ANY, QUERY, answered, box, planned, select

from hiddenweb.forms.submission import build_submission
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.language.tokens import words
from hiddenweb.model import Field, LabelHint, Option
from hiddenweb.querying.controls import choices_in, controls_of, filling_of
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from simweb.forms import STYLES, query_of
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Form
    from hiddenweb.querying.fillings import Filling
    from hiddenweb.querying.plan import QueryPlan
    from simweb.truth import FormTruth

TODAY = date(2026, 11, 16)


def in_pairs(filled: Filling) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, given in filled.items()
        for value in ((given,) if isinstance(given, str) else given)
    ]


def test_selects_beside_a_box_are_controls_and_settings_are_not() -> None:
    query_plan = planned(
        QUERY,
        select("Genre", ANY, "Drama", "Comedy"),
        select("Sort by", "Relevance", "Newest", name="sort"),
        select("Per page", "10", "20", name="limit"),
        box("Author", name="author"),
        query_box=0,
    )

    (genre,) = controls_of(query_plan)

    assert (genre.name, genre.kind, genre.must) == ("genre", "select", False)
    assert [tuple(option) for option in genre.options] == [("drama", "Drama"), ("comedy", "Comedy")]
    largest: Filling = {"limit": "20"}
    drama: Filling = {"q": "red wine", "genre": "drama"}
    assert filling_of(query_plan, ("red", "wine"), [("genre", "drama")]) == drama | largest
    assert filling_of(query_plan, ("wine",), []) == {"q": "wine"} | largest
    assert filling_of(query_plan, (), [("genre", "comedy")]) == {"genre": "comedy"} | largest
    assert choices_in(query_plan, in_pairs(drama | largest)) == (("genre", "drama"),)


def test_radio_buttons_and_checkboxes_of_one_name_are_one_control() -> None:
    legend = (LabelHint("Colour", "legend"),)
    query_plan = planned(
        *(
            Field("fuel", "radio", label, value)
            for label, value in (("Any", ""), ("Petrol", "p"), ("Diesel", "d"))
        ),
        *(Field("colour", "checkbox", label, label.lower(), hints=legend) for label in ("Red", "Blue")),
        Field("new", "checkbox", "New only", "1"),
    )

    fuel, colour = controls_of(query_plan)

    assert (fuel.kind, colour.kind) == ("radio", "checkboxes")
    assert [option.text for option in colour.options] == ["Red", "Blue"]
    assert filling_of(query_plan, (), [("fuel", "p"), ("colour", "blue")]) == {
        "fuel": "p",
        "colour": ("blue",),
    }


def test_required_choices_are_in_every_query() -> None:
    choose = Option("", "Please choose")
    query_plan = planned(QUERY, select("Region", choose, "North", "South", required=True), query_box=0)

    (region,) = controls_of(query_plan)

    assert region.must
    policy = OptionsPolicy(BenefitPolicy("en"), controls_of(query_plan))
    proposal = policy.next()
    assert proposal is not None
    assert proposal.choices in ((("region", "north"),), (("region", "south"),))


def test_a_choice_that_means_any_is_sent_where_one_must_be_made() -> None:
    query_plan = planned(
        QUERY, select("Genre", Option("all", "All"), "Drama", "Comedy", required=True), query_box=0
    )

    assert [control.must for control in controls_of(query_plan)] == [False]
    assert filling_of(query_plan, ("wine",), []) in ({"q": "wine"}, {"q": "wine", "genre": "all"})
    assert choices_in(query_plan, [("q", "wine"), ("genre", "all")]) == ()


def test_the_two_ends_of_a_range_are_one_control_with_windows() -> None:
    query_plan = planned(QUERY, box("Year from", name="y1"), box("Year to", name="y2"), query_box=0)

    (years,) = controls_of(query_plan)

    assert (years.name, years.kind) == ("y1..y2", "range")
    assert years.options[0].value == "2026..2026"
    assert filling_of(query_plan, ("wine",), [("y1..y2", "1990..1999")]) == {
        "q": "wine",
        "y1": "1990",
        "y2": "1999",
    }
    assert choices_in(query_plan, [("q", "wine"), ("y1", "1990"), ("y2", "1999")]) == (
        ("y1..y2", "1990..1999"),
    )
    assert years.split is not None
    assert years.split("1990..1999") == ("1990..1994", "1995..1999")
    assert years.split("1990..1990") is None


@pytest.mark.parametrize(
    ("low", "high", "window", "halves"),
    [
        (box("From", "date", name="a"), box("To", "date", name="b"), "2026-01-01..2026-12-31",
         ("2026-01-01..2026-07-02", "2026-07-03..2026-12-31")),
        (box("Date from", name="a", placeholder="dd/mm/yyyy"), box("Date to", name="b", placeholder="dd/mm/yyyy"),
         "01/01/2026..31/12/2026", ("01/01/2026..02/07/2026", "03/07/2026..31/12/2026")),
        (box("From", "month", name="a"), box("To", "month", name="b"), "2026-01..2026-02", ("2026-01..2026-01", "2026-02..2026-02")),
        (box("From", "month", name="a"), box("To", "month", name="b"), "2026-01..2026-01", None),
        (box("Price from", "number", name="a"), box("Price to", "number", name="b"), "11..100", ("11..55", "56..100")),
        (box("Price from", "number", name="a"), box("Price to", "number", name="b"), "x..100", None),
    ],
)  # fmt: skip
def test_windows_are_split_in_the_way_they_are_written(
    low: Field, high: Field, window: str, halves: tuple[str, str] | None
) -> None:
    (control,) = controls_of(planned(low, high))

    assert control.split is not None
    assert control.split(window) == halves


def test_further_boxes_are_queried_only_where_there_is_no_box_for_words() -> None:
    zip_code = box("ZIP code", name="zip")

    assert [control.name for control in controls_of(planned(zip_code))] == ["zip"]
    assert controls_of(planned(QUERY, zip_code, query_box=0)) == ()
    (must,) = controls_of(planned(QUERY, box("ZIP code", name="zip", required=True), query_box=0))
    assert (must.kind, must.must) == ("box", True)


def test_controls_that_share_a_name_are_distinguished() -> None:
    query_plan = planned(
        select("Genre", ANY, "Drama", "Noir", name="f"), select("Country", ANY, "France", "Italy", name="f")
    )

    first, second = controls_of(query_plan)

    assert first.name != second.name


def test_a_choice_that_a_form_does_not_have_is_a_clear_error() -> None:
    query_plan = planned(select("Genre", ANY, "Drama", "Noir"))

    with pytest.raises(ValueError, match="takes no words"):
        filling_of(query_plan, ("wine",), [])
    with pytest.raises(ValueError, match="no control 'city'"):
        filling_of(query_plan, (), [("city", "rome")])


# Forms of a small web


def forms_of(world: World, style: str) -> Iterator[tuple[str, FormTruth, Form, QueryPlan]]:
    """Yield the search forms of a style with what each of their controls would be given."""
    truth = Truth(world)
    for site in truth.sites(databases=True):
        if site.plan.database is None or site.plan.database.style != style:
            continue
        placed = next(one for one in truth.forms(site.plan.host) if one.form.is_search)
        page = read_page(answered(world, placed.page).body, placed.page)
        form = next((form for form in page.forms if urlsplit(form.action).path == placed.form.action), None)
        if form is None:
            continue
        verdict = judge_form(form, post_hosts=frozenset(["all"]))
        yield site.plan.host, placed, form, plan(form, verdict.query_box, LabelledValueSet(TODAY))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with closing(World(29, 120, pages_per_site=20, largest_database=150, text_bytes=500)) as query_plan:
        yield query_plan


ASKED_BY = {
    "box_selects": {"choice"}, "radios": {"choice"}, "advanced": {"choice", "from", "to"}, "finder": {"choice"},
    "dependent": {"choice"}, "steps": {"choice"}, "required": {"choice"}, "dates": {"from", "to"}, "aspnet": {"choice"},
}  # fmt: skip


@pytest.mark.parametrize("style", [style for style in STYLES if style != "formless"])
def test_controls_of_every_style_are_those_that_restrict_and_mean_what_was_chosen(
    world: World, style: str
) -> None:
    found_keys: set[str] = set()
    forms = 0
    for _, placed, form, query_plan in forms_of(world, style):
        forms += 1
        meanings = {field.name: field.meaning for field in placed.form.fields}
        for control in controls_of(query_plan):
            used = {meanings[name] for name in control.name.split("..")}
            found_keys |= used
            assert used <= {"choice", "from", "to", "contains"}
            for option in control.options[:3]:
                submitted = ((control.name, option.value),)
                filled = filling_of(
                    query_plan, ("wine",) if query_plan.query_box is not None else (), submitted
                )
                assert set(submitted) <= set(choices_in(query_plan, in_pairs(filled)))
                query = query_of(placed.form, _sent(form, filled))
                assert query.words == ("wine" if query_plan.query_box is not None else "")
                assert query.equals or query.at_least or query.contains

    assert forms >= 1
    assert found_keys == ASKED_BY.get(style, set())


def _sent(form: Form, filled: Filling) -> list[tuple[str, str]]:
    query = build_submission(form, filled, submitter=None)
    body = query.body.decode() if query.method == "POST" else urlsplit(query.url).query
    return parse_qsl(body.replace(";", "&"), keep_blank_values=True)


@pytest.mark.parametrize(
    "style", ["box_selects", "radios", "advanced", "finder", "dependent", "required", "dates"]
)
def test_words_and_choices_reach_most_of_a_small_database(world: World, style: str) -> None:
    truth = Truth(world)
    reached, there = 0, 0
    for host, _, form, query_plan in forms_of(world, style):
        texts = {one.record.number: one.record for one in truth.records(host)}
        held = {
            number: words(" ".join((record.title, *record.values, record.text)), form.language)
            for number, record in texts.items()
        }
        box = BenefitPolicy(form.language) if query_plan.query_box is not None else None
        policy = OptionsPolicy(box, controls_of(query_plan), language=form.language)
        if box is not None and style != "required":
            _put(policy, query_plan, form, truth, host, held, (next(iter(held.values()))[0],), ())
        for _ in range(60):
            proposal = policy.next()
            if proposal is None:
                break
            _put(policy, query_plan, form, truth, host, held, proposal.words, proposal.choices)
        estimate = policy.estimate()
        reached += estimate.known if estimate is not None else 0
        there += len(texts)

    assert there > 0
    assert reached >= 0.75 * there


def _put(
    policy: OptionsPolicy, query_plan: QueryPlan, form: Form, truth: Truth, host: str, held: dict[int, list[str]],
    words: tuple[str, ...], choices: tuple[tuple[str, str], ...],
) -> None:  # fmt: skip
    """Ask a site, and read its answer as if all that it shows stood on one page."""
    policy.note_query(words, choices)
    outcome = truth.answer(host, _sent(form, filling_of(query_plan, words, choices)))
    shown = [number for number in outcome.found if number in held]
    policy.read([(number, held[number]) for number in shown], len(shown))
    policy.end_answer()
