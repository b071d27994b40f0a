"""The policies by their names, as `HIDDENWEB_POLICY` says them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hiddenweb.querying.policies.automata import ByAutomata
from hiddenweb.querying.policies.benefit import Benefit
from hiddenweb.querying.policies.published import Adaptive, AtRandom, Frequency, Listed, TopK
from hiddenweb.querying.policies.with_options import WithChoices
from hiddenweb.querying.seed_words import DICTIONARY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hiddenweb.querying.policies.published import Policy
    from hiddenweb.querying.policies.with_options import Control, WordPolicy

DEFAULT = "benefit"

POLICIES: Mapping[str, Callable[[str, str], WordPolicy]] = {
    "benefit": lambda language, _: Benefit(language),
    "frequency": lambda language, _: Frequency(language),
    "random": lambda language, seed: AtRandom(Random(seed), language),
    "dictionary": lambda language, _: Listed(DICTIONARY.get(language, ()), language),
    "adaptive": lambda language, _: Adaptive(language),
    "top_k": lambda language, _: TopK(language),
    "automata": lambda language, seed: ByAutomata(Random(seed), language),
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
    name: str, language: str, seed: str, controls: Sequence[Control], *, has_box: bool = True
) -> Policy:
    """Return the policy of a name for a form with controls beside its box for words, or instead of one.

    What is published asks words only; so it gets no more controls than have to have a value.
    """
    if has_box and name != DEFAULT:
        controls = [control for control in controls if control.must]
    if has_box and not controls:
        return policy_named(name, language, seed)
    return WithChoices(policy_named(name, language, seed) if has_box else None, controls, language=language)
