"""Reasons of the classifier in words."""

from __future__ import annotations

from hiddenweb.forms.classifier import classify
from hiddenweb.forms.explanations import explain_feature
from hiddenweb.model import Field, Form


def test_a_feature_names_its_evidence() -> None:
    assert "'search'" in explain_feature("button: search", "search")


def test_every_reason_of_a_form_is_a_sentence_without_the_name_of_a_feature() -> None:
    form = Form(
        "http://a.example/", "http://a.example/find", "GET", (Field("q", "text", label="Keywords"), Field("", "submit", label="Search"))
    )  # fmt: skip

    why = classify(form).why

    assert why
    assert not any(reason.startswith(("button: ", "box: ", "shape: ")) for reason in why)
