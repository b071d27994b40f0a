"""The policies by their names in `HIDDENWEB_POLICY`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hiddenweb.querying.policies.automata import AutomataPolicy
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.published import (
    AdaptivePolicy,
    FrequencyPolicy,
    RandomPolicy,
    TopKPolicy,
    WordListPolicy,
)
from hiddenweb.querying.seed_words import dictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hiddenweb.querying.policies.protocol import QueryPolicy, WordPolicy
    from hiddenweb.querying.query_control import QueryControl

DEFAULT = "benefit"

POLICIES: Mapping[str, Callable[[str, str], WordPolicy]] = {
    "benefit": lambda language, _: BenefitPolicy(language),
    "frequency": lambda language, _: FrequencyPolicy(language),
    "random": lambda language, seed: RandomPolicy(Random(seed), language),
    "dictionary": lambda language, _: WordListPolicy(dictionary(language), language),
    "adaptive": lambda language, _: AdaptivePolicy(language),
    "top_k": lambda language, _: TopKPolicy(language),
    "automata": lambda language, seed: AutomataPolicy(Random(seed), language),
}
"""Builds each policy for a language and a random seed."""


def known_policy(name: object) -> str:
    """Return the name of a policy; raises ValueError for any other name."""
    if name not in POLICIES:
        raise ValueError(f"{name!r} is no policy; there are {', '.join(POLICIES)}")
    return str(name)


def policy_named(name: str, language: str, seed: str) -> WordPolicy:
    """Return a new policy by its name."""
    return POLICIES[name](language, seed)


def policy_for(
    name: str, language: str, seed: str, controls: Sequence[QueryControl], *, has_box: bool = True
) -> QueryPolicy:
    """Return a new policy by its name, for a form with controls beside its box for words, or instead of one.

    Published policies submit words only, so they get only the required controls.
    """
    if has_box and name != DEFAULT:
        controls = [control for control in controls if control.must]
    if has_box and not controls:
        return policy_named(name, language, seed)
    return OptionsPolicy(policy_named(name, language, seed) if has_box else None, controls, language=language)
