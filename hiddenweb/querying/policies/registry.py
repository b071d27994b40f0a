"""The policies by their names, as `HIDDENWEB_POLICY` says them."""

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
"""What each is for a language and the seed of its chance."""


def known_policy(name: object) -> str:
    """Return the name of a policy, or raise ValueError for one that is none."""
    if name not in POLICIES:
        raise ValueError(f"{name!r} is no policy; there are {', '.join(POLICIES)}")
    return str(name)


def policy_named(name: str, language: str, seed: str) -> WordPolicy:
    """Return the policy of a name, which knows nothing yet."""
    return POLICIES[name](language, seed)


def policy_for(
    name: str, language: str, seed: str, controls: Sequence[QueryControl], *, has_box: bool = True
) -> QueryPolicy:
    """Return the policy of a name for a form with controls beside its box for words, or instead of one.

    What is published asks words only; so it gets no more controls than have to have a value.
    """
    if has_box and name != DEFAULT:
        controls = [control for control in controls if control.must]
    if has_box and not controls:
        return policy_named(name, language, seed)
    return OptionsPolicy(policy_named(name, language, seed) if has_box else None, controls, language=language)
