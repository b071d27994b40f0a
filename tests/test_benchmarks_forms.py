"""The forms benchmark reads labelled forms as pages, learns without peeking, and counts rightly."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from benchmarks._form_data import LabelledForm, generate_forms, read_labelled_form, read_labelled_forms
from benchmarks._form_training import Described, model_json, train
from benchmarks.forms import Judged, calibration_error, cross_validated, figures_of, says_rule, scores
from hiddenweb.forms.classifier import classify, model_from
from hiddenweb.model import Field, Form

if TYPE_CHECKING:
    from pathlib import Path

ROW = {
    "id": "1-0",
    "domain": "a",
    "url": "http://a.example/start",
    "form_html": '<form id=f action="/find"><input name=q><input name=author><button>Search</button></form>',
    "label": "search",
    "searchable": True,
    "fields": [{"name": "q", "label": "search query"}, {"name": "author", "label": "other"}],
    "ancestors": [
        {"tag": "div", "id": "inner", "class": "box wide", "role": None},
        {"tag": "td", "id": None, "class": "cell", "role": None},
        {"tag": "tr", "id": None, "class": None, "role": "search"},
    ],
    "page_title": "A <title> & more",
}


@pytest.fixture(scope="module")
def generated() -> list[LabelledForm]:
    return generate_forms(5, sites=60)


def test_a_line_of_data_is_read_as_a_page_with_the_form_where_it_stood() -> None:
    labelled = read_labelled_form(ROW)

    assert labelled.form.action == "http://a.example/find"
    assert labelled.form.page_title == "A <title> & more"
    assert labelled.form.around.split()[:2] == ["div#inner.box.wide", "td.cell"]
    assert [field.name for field in labelled.form.fields] == ["q", "author", ""]
    assert (labelled.kind, labelled.searchable) == ("search", True)
    assert labelled.query_names == {"q"}


@pytest.mark.parametrize(
    ("label", "searchable", "kind"),
    [
        ("search", False, "other"),  # only sorts
        ("join mailing list", False, "newsletter"),
        ("password/login recovery", False, "recovery"),
        ("contact/comment", False, "contact"),
        ("order/add to cart", False, "order"),
        ("poll", False, "other"),
    ],
)
def test_labels_of_the_data_become_our_kinds(label: str, searchable: bool, kind: str) -> None:
    assert read_labelled_form(ROW | {"label": label, "searchable": searchable}).kind == kind


def test_a_file_of_lines_is_read(tmp_path: Path) -> None:
    file = tmp_path / "forms.jsonl"
    file.write_text(f"{json.dumps(ROW)}\n\n{json.dumps(ROW | {'id': '2'})}\n", encoding="utf-8")

    assert [labelled.name for labelled in read_labelled_forms(file)] == ["1-0", "2"]


def test_generated_forms_are_of_many_kinds_and_their_truth_is_simwebs(generated: list[LabelledForm]) -> None:
    kinds = {labelled.kind for labelled in generated}

    assert {"search", "other"} <= kinds
    assert len(kinds) >= 4
    assert all(labelled.searchable == (labelled.kind == "search") for labelled in generated)
    assert any(labelled.query_names for labelled in generated)


def test_all_forms_of_a_site_are_judged_together_by_weights_of_other_sites(
    generated: list[LabelledForm],
) -> None:
    described = Described(generated)

    folds = described.folds(5, seed=3)

    assert sorted(at for _, judge in folds for at in judge) == list(range(len(generated)))
    for learn, judge in folds:
        assert not {generated[at].domain for at in learn} & {generated[at].domain for at in judge}


def test_training_gives_the_same_weights_twice_and_they_are_read_back_as_written(
    generated: list[LabelledForm],
) -> None:
    first, second = train(Described(generated)), train(Described(generated))

    assert model_json(first) == model_json(second)
    assert model_from(model_json(first)) == first


def test_weights_learnt_from_labels_turned_round_judge_the_other_way_round(
    generated: list[LabelledForm],
) -> None:
    turned = [
        replace(
            labelled,
            kind=("other", "login")[at % 2] if labelled.searchable else "search",
            searchable=not labelled.searchable,
        )
        for at, labelled in enumerate(generated)
    ]

    honest = figures_of(cross_validated(Described(generated), Described([]), seed=1))
    wrong = figures_of(
        [
            Judged(labelled, judged.said)
            for labelled, judged in zip(
                sorted(generated, key=lambda each: each.name),
                sorted(
                    cross_validated(Described(turned), Described([]), 1), key=lambda each: each.truth.name
                ),
                strict=True,
            )
        ]
    )

    assert float(str(honest["searchable_f1"])) > 0.9
    assert float(str(honest["asked_recall"])) > float(str(honest["asked_recall_by_default"])) > 0.5
    assert honest["others_asked"] == 0
    assert float(str(wrong["searchable_f1"])) < 0.5  # what says twice that it searches does so by any weights


def test_precision_recall_and_f1_are_counted() -> None:
    said_and_truth = [(True, True)] * 3 + [(True, False)] + [(False, True)] * 2 + [(False, False)] * 9

    assert scores(said_and_truth) == {"precision": 0.75, "recall": 0.6, "f1": 0.6667}
    assert scores([]) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_honest_probabilities_have_no_calibration_error_and_boasting_ones_have() -> None:
    honest = [(0.75, True)] * 3 + [(0.75, False)]

    assert calibration_error(honest) == pytest.approx(0)
    assert calibration_error([(0.95, truth) for _, truth in honest]) == pytest.approx(0.2)


def test_the_query_box_counts_where_people_saw_one() -> None:
    labelled = read_labelled_form(ROW)
    said = classify(labelled.form)

    right = figures_of([Judged(labelled, said)])
    wrong = figures_of(
        [Judged(labelled, replace(said, query_box=1)), Judged(labelled, replace(said, query_box=None))]
    )
    unseen = figures_of([Judged(replace(labelled, query_names=frozenset()), replace(said, query_box=None))])

    assert (right["query_box_exact"], wrong["query_box_exact"]) == (1, 0)
    assert (unseen["query_box_exact"], unseen["query_box_none"]) == (1, 1)


@pytest.mark.parametrize(
    ("fields", "action", "is_search"),
    [
        ((Field("q", "text"),), "/x", True),
        ((Field("t", "search"),), "/x", True),
        ((Field("t", "text"),), "/search", True),
        ((Field("t", "text"), Field("", "submit", label="Find")), "/x", True),
        ((Field("t", "text"),), "/x", False),
        ((Field("q", "text"), Field("p", "password")), "/search", False),
    ],
)
def test_the_plain_rule_is_a_fair_one(fields: tuple[Field, ...], action: str, is_search: bool) -> None:
    assert says_rule(Form("http://a.example/", f"http://a.example{action}", "GET", fields)) is is_search
