"""The policies by their names, as `HIDDENWEB_POLICY` says them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hiddenweb.forms.benefit import Benefit
from hiddenweb.forms.policies import Adaptive, AtRandom, Frequency, Listed, TopK
from hiddenweb.forms.starting_words import DICTIONARY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hiddenweb.forms.policies import Policy

DEFAULT = "benefit"

POLICIES: Mapping[str, Callable[[str, str], Policy]] = {
    "benefit": lambda language, _: Benefit(language),
    "frequency": lambda language, _: Frequency(language),
    "random": lambda language, seed: AtRandom(Random(seed), language),
    "dictionary": lambda language, _: Listed(DICTIONARY.get(language, ()), language),
    "adaptive": lambda language, _: Adaptive(language),
    "top_k": lambda language, _: TopK(language),
}
"""What each is for a language and the seed of its chance."""


def policy_named(name: str, language: str, seed: str) -> Policy:
    """Return the policy of a name, which knows nothing yet."""
    return POLICIES[name](language, seed)
