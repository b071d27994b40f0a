"""The weights before anything was learnt: the file names existing features only, and the worth of each."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from hiddenweb.focused import head_start
from hiddenweb.focused.head_start import initial_probit, worth_of_named_site
from hiddenweb.focused.locating.candidates import candidate_site
from hiddenweb.focused.locating.site_value import features

WEIGHTS = tomllib.loads(Path(head_start.__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("judged", ["site", "page", "link"])
def test_little_is_expected_of_unknown_candidates(judged: head_start.Judged) -> None:
    assert 0 < initial_probit(judged).probability(()) < 0.2
    assert 0 < worth_of_named_site() < 0.5


@pytest.mark.parametrize("judged", ["site", "link"])
def test_without_a_head_start_no_feature_has_a_weight(judged: head_start.Judged) -> None:
    bare = initial_probit(judged, head_start=False)

    assert {bare.weight(feature) for feature in WEIGHTS[judged]["features"]} == {0.0}
    assert bare.weight("") == WEIGHTS[judged]["base"]


def test_every_feature_of_a_site_that_has_a_weight_can_be_seen() -> None:
    topic = {"book", "author", "librari"}
    seen: set[str] = set()
    for words in ("book", "book author", "book author library"):
        candidate = candidate_site(f"https://{words.replace(' ', '-')}.example/")
        candidate.add_link(words, words, "en")
        for source in (1, 2):
            seen.update(features(replace(candidate, source=source, centre=True), topic))

    assert seen >= WEIGHTS["site"]["features"].keys()
