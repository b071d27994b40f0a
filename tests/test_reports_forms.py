"""Forms with their verdicts and plans, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

from hiddenweb.forms.verdict import judge_form
from hiddenweb.model import Field, Form
from hiddenweb.querying import plan
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.reports.forms import FormReport, field_at, form_facts, form_lines

HOME = "https://a.example/"
SEARCH = Form(
    HOME, f"{HOME}find", "GET", (Field("q", "search", label="Search books"), Field("go", "submit", value="Search")),
    text="Search books", language="en",
)  # fmt: skip
LOGIN = Form(
    HOME, f"{HOME}login", "POST", (Field("user", "text", label="User name"), Field("password", "password")),
    text="Log in", language="en",
)  # fmt: skip


def report(form: Form, **what: object) -> FormReport:
    """Return the report on a form as it is on a page."""
    verdict = judge_form(form)
    planned = plan.plan(form, verdict.query_box, LabelledValueSet(date(2026, 1, 1)))
    return replace(FormReport(form, verdict, planned, site="a.example"), **what)  # type: ignore[arg-type]


def test_facts_say_what_a_form_is_taken_for_and_can_be_written_as_json() -> None:
    facts = json.loads(json.dumps(form_facts(report(SEARCH, number=3))))

    assert (facts["form"], facts["kind"], facts["may_submit"]) == (3, "search", True)
    assert (facts["query_box"], facts["method"], facts["action"]) == ("q", "GET", f"{HOME}find")
    assert [field["name"] for field in facts["fields"]] == ["q", "go"]
    assert facts["refusals"] == []


def test_facts_of_a_form_that_is_not_submitted_say_why() -> None:
    facts = form_facts(report(LOGIN))

    assert not facts["may_submit"]
    assert facts["refusals"]


def test_lines_name_a_site_once_and_count_kinds() -> None:
    lines = list(form_lines([report(SEARCH, number=1), report(LOGIN, number=2)], why=False))

    assert lines.count("a.example:") == 1
    assert any(line.startswith("  #1: search, searches with") for line in lines)
    assert "would be submitted" in "\n".join(lines)
    assert "left alone:" in "\n".join(lines)
    assert lines[-1].startswith("2 forms (1 search, 1 login); 1 may be submitted.")
    assert lines[-1].endswith("--why says why.")


def test_reasons_are_given_when_they_are_wanted() -> None:
    form = report(LOGIN, number=2)

    lines = list(form_lines([form], why=True))

    assert [f"      not submitted: {why}" for why in form.verdict.refusals] == [
        line for line in lines if "not submitted:" in line
    ]
    assert any(line.strip().startswith("because") for line in lines)


def test_a_queried_form_is_shown_with_its_results() -> None:
    queried = report(SEARCH, number=1, state="queried", state_why="queried 5 times", queries=5, records=1)

    assert "    queried: queried 5 times; 5 queries, 1 record" in [
        line.removeprefix("  ") for line in form_lines([queried], why=False)
    ]


def test_one_more_refusal_forbids_to_submit() -> None:
    refused = report(SEARCH).refuse("robots.txt forbids it")

    assert not refused.verdict.may_submit
    assert refused.verdict.refusals[-1] == "robots.txt forbids it"


def test_no_forms_are_said_to_be_none() -> None:
    assert list(form_lines([], why=True)) == ["No forms."]


def test_a_field_is_found_by_its_place_only() -> None:
    assert field_at(SEARCH, 1) == SEARCH.fields[1]
    assert field_at(SEARCH, 2) is None
    assert field_at(SEARCH, None) is None
