"""What a form is for: a search, a login, a newsletter ...

SmartCrawler judges forms in two steps: first the structure (is it searchable?), then the topic (`focused.form_relevance`). This module is
the first step. A form is described by features (`forms.features`): flags that hold or not. Each kind has a weight for each feature,
and its score is the sum of the weights that hold; the scores become probabilities by

    P(kind) = exp(score_kind) / sum over all kinds of exp(score)

which is multinomial logistic regression. Small weights move such probabilities to the middle, so the probability of
"search" is stretched by Platt's rule,

    P(search) = 1 / (1 + exp(-(a l + b))),   l = ln(p / (1 - p))

with a and b fitted on forms that were not used to fit the weights. The weights are in weights.json, made by scripts/train-forms.

The reasons come from the model: a feature is a reason for a kind by the difference between its weight for that kind and its mean weight
for the others, weighted by their probabilities.

A search that a page declares to machines (schema.org, OpenSearch) is a search by declaration, and is not classified.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from operator import mul
from typing import TYPE_CHECKING

from hiddenweb.forms.explanations import explain_feature
from hiddenweb.forms.features import OTHER_THAN_SEARCH, describe_form
from hiddenweb.forms.query_box import find_query_box

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiddenweb.forms.features import FormFeatures
    from hiddenweb.model import Form

SEARCHABLE = 0.5  # the probability from which a form counts as a search: more likely than not
_DECLARED = {
    "schema.org": "the page declares it as a SearchAction",
    "opensearch": "the site describes it as its search",
}
_DECLARED_PROBABILITY = 0.99
"""The probability of a search that a page declares: almost sure; a limit of taste."""

_MIN_CLEAR_PROBABILITY = 0.85
"""The least probability of a form whose words are clear: enough to submit it, with room for doubt; a limit of taste."""

_BUTTON_KINDS = {
    "cart": "order",
    "order": "order",
    "payment": "order",
    "forgotten": "recovery",
    "registration": "registration",
    "login": "login",
    "newsletter": "newsletter",
}
_SHAPES = frozenset({"shape: one box", "shape: one box and selects", "shape: boxes"})
_MOST_REASONS_FOR = 6  # reasons for a kind that are named; a limit of taste
_MOST_REASONS_AGAINST = 3  # reasons against it that are named; a limit of taste
_LEAST_CHANCE = 1e-9  # a lower probability counts as this one, so that its logarithm stays finite
_MIN_WEIGHT = 0.1  # log odds of a reason that is named; a limit of taste


@dataclass(frozen=True, slots=True)
class Classification:
    """What a form is for, how sure that is, and why."""

    kind: str  # search, login, registration, recovery, newsletter, contact, comment, order or other
    probability: float  # that it searches the content of the site
    kinds: tuple[tuple[str, float], ...]  # all kinds with their probabilities, likeliest first
    searchable: bool
    query_box: int | None  # place of the control for free words in form.fields, if there is one
    why: tuple[str, ...]  # reasons in words, strongest first, then those against it


@dataclass(frozen=True, slots=True)
class FormModel:
    """The weights of all kinds, and the numbers of Platt's rule."""

    kinds: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]  # of a feature, one for each kind
    stretch: float
    shift: float


def classify(form: Form, model: FormModel | None = None) -> Classification:
    """Say what a form is for, by the weights of the package or of `model`."""
    if form.source in _DECLARED:
        return _classify_declared(form)
    model = model or load_shipped_model()
    found = describe_form(form)
    chances = _weigh_words(_weigh_button(probabilities(found, model), found), found)
    searchable = chances["search"] >= SEARCHABLE
    kinds = _split_comments(chances, found)
    kind = "search" if searchable else next(name for name, _ in kinds if name != "search")
    return Classification(
        kind=kind,
        probability=chances["search"],
        kinds=kinds,
        searchable=searchable,
        query_box=find_query_box(form, sure=searchable),
        why=_reasons(found, model, "contact" if kind == "comment" else kind, chances),
    )


def probabilities(found: FormFeatures, model: FormModel) -> dict[str, float]:
    """Return how likely each kind is; comments are counted as contacts."""
    rows = [model.bias, *(weights for name in found if (weights := model.weights.get(name)))]
    scores = list(map(sum, zip(*rows, strict=True)))
    most = max(scores)
    shares = [exp(score - most) for score in scores]
    total = sum(shares)
    return _stretch_search(
        {kind: share / total for kind, share in zip(model.kinds, shares, strict=True)}, model
    )


def log_odds(probability: float) -> float:
    """Return ln(p / (1 - p)), kept finite."""
    probability = min(max(probability, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return log(probability / (1 - probability))


@cache
def load_shipped_model() -> FormModel:
    """Return the weights that come with the package."""
    return model_from((files("hiddenweb.forms") / "weights.json").read_text(encoding="utf-8"))


def model_from(text: str) -> FormModel:
    """Return the model in a file of weights."""
    read = json.loads(text)
    return FormModel(
        kinds=tuple(read["kinds"]),
        bias=tuple(read["bias"]),
        weights={name: tuple(weights) for name, weights in read["weights"].items()},
        stretch=read["stretch"],
        shift=read["shift"],
    )


def _stretch_search(chances: dict[str, float], model: FormModel) -> dict[str, float]:
    """Return the probabilities with that of a search changed by Platt's rule, and the others in proportion."""
    before = chances["search"]
    after = 1 / (1 + exp(-(model.stretch * log_odds(before) + model.shift)))
    rest = (1 - after) / max(1 - before, _LEAST_CHANCE)
    return {kind: after if kind == "search" else chance * rest for kind, chance in chances.items()}


def _weigh_button(chances: dict[str, float], found: FormFeatures) -> dict[str, float]:
    """Return the probabilities, corrected if a form is nothing but a button that names a kind: then "other" counts as that kind.

    There are too few such forms among the labelled ones to learn weights from.
    """
    kinds_of_button = (kind for meaning, kind in _BUTTON_KINDS.items() if f"button: {meaning}" in found)
    kind = next(kinds_of_button, "") if "shape: buttons" in found else ""
    return {**chances, "other": 0.0, kind: chances[kind] + chances["other"]} if kind else chances


def _weigh_words(chances: dict[str, float], found: FormFeatures) -> dict[str, float]:
    """Return the probabilities, corrected if the words of a form clearly say that it searches.

    They do if the button and another place say so, and no place says anything else. Then the form most likely searches, even if its shape
    is unusual: there are too few labelled forms with only checkboxes. The same holds for a form that has only selects, and a button that
    searches or shows what was chosen.
    """
    says_twice = any(f"places that say search: {count}" in found for count in ("2", "3+"))
    says_once = "button: search" in found or "button: display" in found
    is_menu = "button: search" not in found and "select: 1" in found and "sent by POST" in found
    is_finder = "shape: selects" in found and says_once and not is_menu and not _chooses_something_else(found)
    is_labelled = (
        "button: search" in found
        and "places that say search: 0" not in found
        and not found.keys().isdisjoint(_SHAPES)
    )
    is_clear = ((says_twice and "button: search" in found) or is_finder or is_labelled) and (
        "places that say something else: 0" in found
    )
    is_personal = "shape: personal" in found or "shape: e-mail" in found
    before = chances["search"]
    if not is_clear or is_personal or before >= _MIN_CLEAR_PROBABILITY:
        return chances
    rest = (1 - _MIN_CLEAR_PROBABILITY) / (1 - before)
    return {
        kind: _MIN_CLEAR_PROBABILITY if kind == "search" else chance * rest
        for kind, chance in chances.items()
    }


def _chooses_something_else(found: FormFeatures) -> bool:
    """Say whether a select is about something that is set, ordered or saved, not found: a currency, a day to book."""
    return any(f"select: {purpose}" in found for purpose in OTHER_THAN_SEARCH)


def _split_comments(chances: Mapping[str, float], found: FormFeatures) -> tuple[tuple[str, float], ...]:
    """Return all kinds, likeliest first. Words separate comments from contacts, since the training forms do not."""
    comment = sum(name.endswith(": comment") for name in found)
    contact = sum(name.endswith((": contact", ": writing", ": calling")) for name in found)
    share = (comment + 0.5) / (comment + contact + 1)
    either = chances.get("contact", 0.0)
    split = {**chances, "comment": either * share, "contact": either * (1 - share)}
    return tuple(sorted(split.items(), key=lambda item: (-item[1], item[0])))


def _reasons(
    found: FormFeatures, model: FormModel, kind: str, chances: Mapping[str, float]
) -> tuple[str, ...]:
    """Return the reasons for a kind, strongest first, then those against it."""
    own = model.kinds.index(kind)
    others = max(1 - chances[kind], _LEAST_CHANCE)
    shares = [0.0 if name == kind else chances[name] / others for name in model.kinds]
    weighed = sorted(
        (
            (weights[own] - sum(map(mul, weights, shares)), name)
            for name in found
            if (weights := model.weights.get(name))
        ),
        reverse=True,
    )
    reasons_for = [name for weight, name in weighed if weight >= _MIN_WEIGHT]
    against = [name for weight, name in reversed(weighed) if weight <= -_MIN_WEIGHT]
    return (
        *_explain_features(reasons_for, found, _MOST_REASONS_FOR),
        *(f"against that: {reason}" for reason in _explain_features(against, found, _MOST_REASONS_AGAINST)),
        f"in all, the chance that it is a search is {chances['search']:.2f}",
    )


def _explain_features(names: Iterable[str], found: FormFeatures, most: int) -> Iterable[str]:
    """Return the first few features in words, each text once."""
    reasons: dict[str, None] = {}
    for name in names:
        reasons[explain_feature(name, found[name])] = None
        if len(reasons) == most:
            break
    return reasons


def _classify_declared(form: Form) -> Classification:
    return Classification(
        kind="search",
        probability=_DECLARED_PROBABILITY,
        kinds=(("search", _DECLARED_PROBABILITY), ("other", 1 - _DECLARED_PROBABILITY)),
        searchable=True,
        query_box=find_query_box(form, sure=True),
        why=(_DECLARED[form.source],),
    )
