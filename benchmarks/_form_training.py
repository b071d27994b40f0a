"""Training the form classifier: from labelled forms to hiddenweb/forms/weights.json.

Features (`hiddenweb.forms.features`) that fewer than four sites show are left out: they would be learnt by heart. The weights
are those of a multinomial logistic regression with an L2 penalty (C = 0.2, chosen by cross-validation by sites on a flat
optimum: 0.1 to 0.4 differ by one or two thousandths of F1). How far the probability of a search is stretched is fitted on forms of sites that
the weights had not seen: three times a third of the sites is left out and judged by weights of the rest. Generated forms of
simweb are learnt beside them, each counting a quarter: they bring twelve languages, and forms that look like searches and are none.

Nothing is left to chance: sites are dealt into groups by a seeded shuffle of their sorted names, and weights are rounded
to three digits, far coarser than what the order of additions in a numerical library may change.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from hiddenweb.forms.classifier import FormModel, log_odds, probabilities
from hiddenweb.forms.features import describe_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks._form_data import LabelledForm
    from hiddenweb.forms.features import FormFeatures

FEWEST_SITES = 4  # that must show a feature
PENALTY = 0.2  # scikit-learn's C: smaller holds weights smaller
INNER_FOLDS = 3
COUNT_OF_GENERATED = 0.25  # of a real form
_SEED = 1
_DIGITS = 3
_ROUGHLY, _EXACTLY = 1e-4, 1e-8  # when the search for the best weights ends


class Described:
    """Labelled forms with their features, described once for any number of trainings."""

    def __init__(self, forms: Sequence[LabelledForm]) -> None:
        self.forms = list(forms)
        self.features: list[FormFeatures] = [describe_form(labelled.form) for labelled in forms]

    def folds(self, count: int, seed: int) -> list[tuple[list[int], list[int]]]:
        """Return places of forms to learn from and to judge, so many times; all forms of a site stay together."""
        sites = sorted({labelled.domain for labelled in self.forms})
        Random(seed).shuffle(sites)
        group = {site: at % count for at, site in enumerate(sites)}
        groups = [group[labelled.domain] for labelled in self.forms]
        return [
            (
                [at for at, own in enumerate(groups) if own != fold],
                [at for at, own in enumerate(groups) if own == fold],
            )
            for fold in range(count)
        ]

    def only(self, places: Sequence[int]) -> Described:
        """Return some of the forms."""
        chosen = Described([])
        chosen.forms = [self.forms[at] for at in places]
        chosen.features = [self.features[at] for at in places]
        return chosen


def train(described: Described, beside: Described | None = None, *, exactly: bool = True) -> FormModel:
    """Return weights for all kinds, and the stretch that makes the probability of a search honest."""
    beside = beside or Described([])
    with threadpool_limits(1):
        seen: list[tuple[float, bool]] = []
        for learn, judge in described.folds(INNER_FOLDS, _SEED):
            model = _fit_model(described.only(learn), beside, _ROUGHLY)
            for at in judge:
                chance = probabilities(described.features[at], model)["search"]
                seen.append((log_odds(chance), described.forms[at].searchable))
        stretch, shift = _stretch(seen)
        model = _fit_model(described, beside, _EXACTLY if exactly else _ROUGHLY)
    return FormModel(model.kinds, model.bias, model.weights, stretch, shift)


def model_json(model: FormModel) -> str:
    """Return a file of weights, one feature a line."""
    head = {"kinds": model.kinds, "bias": model.bias, "stretch": model.stretch, "shift": model.shift}
    lines = [
        f"  {json.dumps(name)}: {json.dumps(weights)}" for name, weights in sorted(model.weights.items())
    ]
    written = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    return f'{{\n{written},\n "weights": {{\n' + ",\n".join(lines) + "\n }\n}\n"


def _fit_model(described: Described, beside: Described, tolerance: float) -> FormModel:
    forms, found = described.forms + beside.forms, described.features + beside.features
    names = _features_of_several_sites(forms, found)
    column = {name: at for at, name in enumerate(names)}
    cells = [(row, column[name]) for row, own in enumerate(found) for name in sorted(own) if name in column]
    matrix = csr_matrix(([1.0] * len(cells), tuple(zip(*cells, strict=True))), shape=(len(forms), len(names)))
    kinds = [labelled.kind for labelled in forms]
    counts = [1.0] * len(described.forms) + [COUNT_OF_GENERATED] * len(beside.forms)
    fitted = LogisticRegression(C=PENALTY, max_iter=5000, tol=tolerance).fit(matrix, kinds, counts)
    weights = {name: tuple(_round(w) for w in fitted.coef_[:, at]) for at, name in enumerate(names)}
    return FormModel(
        kinds=tuple(str(kind) for kind in fitted.classes_),
        bias=tuple(_round(b) for b in fitted.intercept_),
        weights={name: own for name, own in weights.items() if any(own)},
        stretch=1.0,
        shift=0.0,
    )


def _features_of_several_sites(forms: Sequence[LabelledForm], found: Sequence[FormFeatures]) -> list[str]:
    sites: dict[str, set[str]] = {}
    for labelled, own in zip(forms, found, strict=True):
        for name in own:
            sites.setdefault(name, set()).add(labelled.domain)
    return sorted(name for name, own in sites.items() if len(own) >= FEWEST_SITES)


def _stretch(seen: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Return Platt's a and b."""
    fitted = LogisticRegression(C=1.0, tol=1e-7).fit(
        [[odds] for odds, _ in seen], [truth for _, truth in seen]
    )
    return _round(fitted.coef_[0, 0]), _round(fitted.intercept_[0])


def _round(number: float) -> float:
    return round(float(number), _DIGITS) + 0.0  # no -0.0
