"""The policies by their names."""

from __future__ import annotations

import pytest

from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.registry import DEFAULT, POLICIES, known_policy, policy_for, policy_named
from hiddenweb.querying.query_control import ControlOption, QueryControl

GENRE = QueryControl("genre", "select", (ControlOption("1", "Novels"), ControlOption("2", "Poems")), "Genre")
MUST = QueryControl("kind", "select", (ControlOption("a", "Books"),), "Kind", must=True)


def test_a_name_that_is_no_policy_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'best' is no policy; there are benefit, .*automata"):
        known_policy("best")

    assert [known_policy(name) for name in POLICIES] == list(POLICIES)


def test_each_name_stands_for_a_policy_of_its_own() -> None:
    assert DEFAULT in POLICIES
    assert len({type(policy_named(name, "en", "1")) for name in POLICIES}) == len(POLICIES)


@pytest.mark.parametrize(
    ("name", "controls", "has_box", "with_options"),
    [
        (DEFAULT, [], True, False),
        (DEFAULT, [GENRE], True, True),
        ("frequency", [GENRE], True, False),  # what is published submits words only
        ("frequency", [GENRE, MUST], True, True),  # unless a control must have a value
        ("frequency", [GENRE], False, True),
        (DEFAULT, [], False, True),
    ],
)
def test_a_form_with_controls_gets_a_policy_for_them(
    name: str, controls: list[QueryControl], has_box: bool, with_options: bool
) -> None:
    policy = policy_for(name, "en", "1", controls, has_box=has_box)

    assert isinstance(policy, OptionsPolicy) is with_options
    if not with_options:
        assert type(policy) is type(policy_named(name, "en", "1"))
