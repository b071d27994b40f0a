"""What sites, pages and links are worth before anything was learnt. The weights, with their origin, are in head_start.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from hiddenweb.learning.probit import BayesianProbit

Judged = Literal["site", "page", "link"]


def initial_probit(judged: Judged, *, head_start: bool = True) -> BayesianProbit:
    """Return the probit of sites, pages or links before anything was learnt; without a head start it has no weights of features.

    >>> initial_probit("link").weight("search"), initial_probit("link", head_start=False).weight("search")
    (0.8, 0.0)
    """
    weights = _read_weights()[judged]
    features = weights.get("features", {}) if head_start else {}
    return BayesianProbit({"": weights["base"], **features})


def worth_of_named_site() -> float:
    """Return the probability that a site named by a centre page has forms on the topic, before any such site was visited."""
    worth: float = _read_weights()["page"]["named_site"]
    return worth


@cache
def _read_weights() -> dict[str, Any]:
    text = (files("hiddenweb.focused") / "head_start.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
