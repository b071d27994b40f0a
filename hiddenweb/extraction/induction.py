"""Learning the attributes of a site's records from one example page.

A person pastes texts, not places. Every place of a pasted text is tried. All texts of all available pages of the site are compared with it,
feature by feature (`hiddenweb.extraction.features`): agreement adds log(m/u), difference log((1-m)/(1-u)), as Fellegi and Sunter match records. u is how often any
text agrees; m, how often the right one does, is estimated from the best text of each page, in a few rounds: features that the right texts do not share,
such as the exact path on pages with more or fewer rows, lose weight, and labels gain it.

If the text stands in several places, the best one is chosen by these criteria: its counterparts on the other pages have high scores, are found on most pages, have many different
values and few siblings; it leads all other texts of its page clearly; the page labels it with the name of the attribute (`hiddenweb.extraction.attribute_labels`); and its case is that of
the pasted text. Places with the same text on all pages support each other, and are kept as spares for pages that lack the first.

Pages without the attribute must give no value: on each page the value is removed, once with and once without its label, and the threshold is set between the best remaining
score and the scores of the values. The value of a page is scored by what the other pages teach (leave-one-out), since a page always fits what was
learnt from itself. A text below the threshold is still a value if it leads every other text of its page by more than any text did on pages with the value removed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from hiddenweb.extraction.attribute_labels import score_name
from hiddenweb.extraction.examples import places_of, span_of
from hiddenweb.extraction.features import FEATURES, PRIORS, FeatureTable, are_labels, label_inside
from hiddenweb.extraction.pattern import (
    NEVER,
    AttributePattern,
    Slot,
    TemplateTexts,
    lead_of,
    list_rows,
    scores_of,
    to_numbers,
)
from hiddenweb.extraction.value_cut import WHOLE, ValueCut, cut_around, cut_between
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hiddenweb.extraction.examples import Example, PastedPlace
    from hiddenweb.extraction.features import Numbers
    from hiddenweb.html.texts import PageText, PageTexts

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]
    KnownValues = Mapping[int, frozenset[str]]  # known values, by the number of a page

# What follows was tuned on the sites of `python -m benchmarks extraction` that its figures call `made_with`, with its first seed.
_USUAL, _FIRM = 0.3, 0.8  # the shares of pages that have a label
_ROUNDS = 4  # of learning which features the right texts share
_PRIOR = 3.0  # pages that the prior counts as
_LEAST_M, _MOST_M = (
    0.03,
    0.98,
)  # the share of right texts that agree in a feature, within bounds: few pages prove little
_CLEARLY = 0.35  # of the usual score: less is hardly the attribute
_LEAST_LEAD = 20.0  # of a text that stands out although its score is low
_SAFE_LEAD = 1.25  # times the lead that another text had where the value was removed
_TRIED_WITHOUT = 14  # pages on which the value is removed
_MOST_PLACES = 24  # tried places of one value on the example page; a limit of taste
_MOST_SPARE = 2  # further places of an attribute, for pages that lack the first; a limit of taste
_SPARE_AGREES = 0.9  # the share of pages on which a further place has the text of the first
_SUPPORT = 6.0  # score of another place with the same text
# Score of a place with the same case as the pasted text
_AS_PASTED = 80.0
_LEADS, _MOST_LEAD = 0.2, 100.0  # score of the lead of a place over all others on its page
_VARYING = frozenset(
    FEATURES.index(name)
    for name in (
        "exact path", "position", "shape", "length", "label", "label and distance", "label and step",
        "firm label and distance", "is a label",
    )
)  # fmt: skip
"""Features in which the members of a list differ."""
_CLASS_PATH, _TAG_PATH, _LEFT, _PART = (
    FEATURES.index(name) for name in ("class path", "tag path", "left cell", "is a part")
)
_WEIGHTS = np.array([2.0 if name == "is a part" else 1.0 for name in FEATURES])
"""The weight of each feature: type, shape and length together speak for the first part of a value."""
_SHARED = tuple(FEATURES.index(name) for name in ("firm label", "text before", "text after"))
"""What the members of a list may share: one label for all, or one for each, before or after it."""


def learn(page: PageTexts, example: Example, others: Sequence[PageTexts]) -> AttributePattern:
    """Return the pattern that finds the attributes of an example on the pages of the site.

    An attribute whose texts are not on the page is left out (`hiddenweb.extraction.examples` reports that before).
    """
    site = TemplateSite([page, *others])
    span = span_of(example.text, page) if example.text else None
    names = [name for name, _ in example.attributes]
    slots = [
        slot
        for name, texts in example.attributes
        for slot in slots_for(site, 0, name, texts, names=names, span=span)
    ]
    return AttributePattern(example.site, site.labels, tuple(slots))


class TemplateSite:
    """Pages of one template, with the texts that are on many of them."""

    def __init__(
        self,
        pages: Sequence[PageTexts],
        labels: TemplateTexts | None = None,
        priors: Mapping[str, float] = PRIORS,
    ) -> None:
        self.pages = pages
        self.priors: Floats = np.array([priors[name] for name in FEATURES])
        self.tables = [FeatureTable(page) for page in pages]
        self.labels = labels or _labels(self.tables)
        self.usual, self.firm = to_numbers(self.labels.usual), to_numbers(self.labels.firm)
        parts = [table.rows(self.usual, self.firm) for table in self.tables]
        self.rows: Numbers = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        self.starts: list[int] = [0, *ends[:-1].tolist()]
        self.spans = {
            number: (start, end)
            for number, (start, end) in enumerate(zip(self.starts, ends.tolist(), strict=True))
            if end > start
        }

    def rows_of(self, number: int) -> Numbers:
        """Return the features of the texts of a page."""
        start, end = self.spans.get(number, (0, 0))
        return self.rows[start:end]

    def text(self, number: int, row: int) -> PageText:
        """Return the text of a page by its row."""
        return self.tables[number].texts[row - self.starts[number]]


def _labels(tables: Sequence[FeatureTable]) -> TemplateTexts:
    """Return the texts that are on many pages; of a single page, those that end with a colon."""
    if len(tables) == 1:
        with_colon = tuple(
            sorted({text.key >> 32 for text in tables[0].texts if text.text.rstrip().endswith((":", "："))})
        )
        return TemplateTexts(with_colon, with_colon)
    counts: dict[int, int] = {}
    for table in tables:
        for key in table.words:
            counts[key >> 32] = counts.get(key >> 32, 0) + 1
    usual, firm = (
        tuple(sorted(key for key, count in counts.items() if count >= max(2, share * len(tables))))
        for share in (_USUAL, _FIRM)
    )
    return TemplateTexts(usual, firm)


@dataclass(frozen=True, slots=True)
class SlotFit:
    """A place fitted on all pages: the slot, the best row of each page, and its score."""

    slot: Slot
    best: tuple[int, ...]
    scores: Floats
    unseen: Floats  # scores of the pages other than the example, each by what was learnt from the other pages
    numbers: tuple[int, ...]  # of the pages
    is_as_pasted: bool
    called: float = 0.0  # score of a label with the name of the attribute

    def is_found(self) -> Flags:
        """Return for each page whether its best text is clearly a value of the attribute."""
        found: Flags = self.scores >= _CLEARLY * max(_usual(self.scores), 0.0)
        return found


def slots_for(
    site: TemplateSite,
    number: int,
    name: str,
    texts: Sequence[str],
    *,
    names: Sequence[str] = (),
    span: tuple[int, int] | None = None,
    known_values: KnownValues | None = None,
) -> list[Slot]:
    """Return the places of an attribute from its texts on one page; `names` are those of all attributes of the example."""
    slots: list[Slot] = []
    for group, places in enumerate(_group_values(site, number, texts, span)):
        fits = [_fit(site, number, name, group, each) for each in places]
        if len(fits) > 1:
            fits = [
                replace(fit, called=score_name(site.pages[number], each.indexes[0], name, names))
                for fit, each in zip(fits, places, strict=True)
            ]
        slots += _best(site, fits, known_values or {})
    return slots


@dataclass(frozen=True, slots=True)
class _ExampleTexts:
    """Texts of the example page that have a value, several for a list, and how the value is cut out."""

    indexes: tuple[int, ...]
    cut: ValueCut = WHOLE
    is_as_pasted: bool = True  # capital and small letters, too


def _group_values(
    site: TemplateSite, number: int, texts: Sequence[str], span: tuple[int, int] | None
) -> list[list[_ExampleTexts]]:
    """Return where each value may stand: members of a list together, parts of one text together, others alone."""
    page = site.pages[number]
    places = {text: _inside(page, places_of(text, page), span) for text in dict.fromkeys(texts)}
    remaining = [text for text in places if places[text]]
    groups: list[list[_ExampleTexts]] = []
    if len(remaining) > 1 and (together := _find_whole_text(page, [places[text] for text in remaining])):
        return [together]
    while len(remaining) > 1 and (
        members := _find_list_rows(site, number, {text: places[text] for text in remaining})
    ):
        groups.append([_ExampleTexts(tuple(members.values()))])
        remaining = [text for text in remaining if text not in members]
    for text in remaining:
        exact = [place for place in places[text] if _is_alone(page, place)] or places[text]
        groups.append(
            [
                _ExampleTexts((place.index,), _cut_at(page, place), _is_as_pasted(page, place, text))
                for place in sorted(exact, key=lambda place: place.index)[:_MOST_PLACES]
            ]
        )
    return groups


def _inside(page: PageTexts, places: list[PastedPlace], span: tuple[int, int] | None) -> list[PastedPlace]:
    """Return the places in the region of interest; all if there are none."""
    if span is None:
        return places
    texts = page.all()
    return [
        place
        for place in places
        if span[0] <= texts[place.index].first and texts[place.index].last <= span[1]
    ] or places


def _is_alone(page: PageTexts, place: PastedPlace) -> bool:
    """Return whether a text has nothing else except a label before it."""
    text = page.all()[place.index].text
    return place.is_all or (place.end == len(text) and place.start == len(label_inside(text)))


def _cut_at(page: PageTexts, place: PastedPlace) -> ValueCut:
    return WHOLE if place.is_all else cut_around(page.all()[place.index].text, place.start, place.end)


def _is_as_pasted(page: PageTexts, place: PastedPlace, text: str) -> bool:
    return " ".join(text.split()) in page.all()[place.index].text


def _find_whole_text(page: PageTexts, places: Sequence[list[PastedPlace]]) -> list[_ExampleTexts]:
    """Return the texts that hold all values one after the other, if one of the values is nowhere else."""
    if all(any(place.is_all for place in each) for each in places):
        return []
    found = []
    shared = set.intersection(*({place.index for place in each} for each in places))
    for index in sorted(shared)[:_MOST_PLACES]:
        spans = sorted((place.start, place.end) for each in places for place in each if place.index == index)
        if all(end <= start for (_, end), (start, _) in pairwise(spans)):
            found.append(_ExampleTexts((index,), cut_between(page.all()[index].text, spans)))
    return found


def _find_list_rows(
    site: TemplateSite, number: int, places: Mapping[str, list[PastedPlace]]
) -> dict[str, int]:
    """Return the rows of the largest group of texts in similar places with similar labels; nothing for fewer than two."""
    start = site.starts[number]
    lists: dict[tuple[int, ...], dict[str, int]] = {}
    for text, each in places.items():
        for place in each:
            if place.is_all:
                row = site.rows[start + place.index]
                for shared in _SHARED:
                    kind = shared, *row[[_TAG_PATH, _LEFT, _PART, shared]].tolist()
                    lists.setdefault(kind, {}).setdefault(text, place.index)
    best = max(lists.values(), key=len, default={})
    return best if len(best) > 1 else {}


def _fit(site: TemplateSite, number: int, name: str, group: int, example: _ExampleTexts) -> SlotFit:
    """Return a place fitted to its counterparts on all pages."""
    members = site.rows[[site.starts[number] + index for index in example.indexes]]
    values = members[0]
    counted = (members == values).all(axis=0)
    if len(members) > 1:
        counted[list(_VARYING)] = False
    same = site.rows == values
    total = len(same)
    u = np.clip(same.mean(axis=0), 1.0 / total, 0.99)
    m = site.priors
    spans = list(site.spans.values())
    agree = differ = np.zeros(len(FEATURES))
    best: list[int] = []
    top = np.zeros(len(spans))
    for _ in range(_ROUNDS):
        m = np.clip(m, np.maximum(_LEAST_M, 0.5 * u), _MOST_M)
        agree = np.where(counted, _WEIGHTS * np.log(m / u), 0.0).round(3)
        differ = np.where(counted, _WEIGHTS * np.log((1 - m) / (1 - u)), 0.0).round(3)
        scores = same @ (agree - differ) + differ.sum()
        best = [start + int(scores[start:end].argmax()) for start, end in spans]
        top = scores[best]
        weight = (top > 0.0).astype(np.float64)
        m = (weight @ same[best] + _PRIOR * site.priors) / (weight.sum() + _PRIOR)
    unseen = _scores_unseen(site, same[best], weight, u, counted)
    others = [at for at, page in enumerate(site.spans) if page != number] or [0]
    slot = Slot(
        name, group, tuple(values.tolist()), tuple(agree.tolist()), tuple(differ.tolist()), 0.0, example.cut, len(members) > 1
    )  # fmt: skip
    return SlotFit(slot, tuple(best), top, unseen[others], tuple(site.spans), example.is_as_pasted)


def _scores_unseen(site: TemplateSite, same: Flags, weight: Floats, u: Floats, counted: Flags) -> Floats:
    """Return the score of the best text of each page by what is learnt from the best texts of all other pages."""
    others = weight @ same + _PRIOR * site.priors - weight[:, None] * same
    m = others / (weight.sum() + _PRIOR - weight)[:, None]
    m = np.clip(m, np.maximum(_LEAST_M, 0.5 * u), _MOST_M)
    worth = np.where(same, np.log(m / u), np.log((1 - m) / (1 - u)))
    scores: Floats = np.where(counted, _WEIGHTS * worth, 0.0).sum(axis=1)
    return scores


def _best(site: TemplateSite, fits: Sequence[SlotFit], known_values: KnownValues) -> list[Slot]:
    """Return the best place of a value, then its spares: places with the same text."""
    if not fits:
        return []
    if len(fits) == 1:
        return [_set_thresholds(site, fits[0])]
    worth = [
        _worth(site, fit, known_values) + _SUPPORT * min(_support(site, fit, fits), _MOST_SPARE)
        for fit in fits
    ]
    ranked = [fits[at] for at in sorted(range(len(fits)), key=lambda at: -worth[at])]
    first = ranked[0]
    spare = [fit for fit in ranked[1:] if _has_same_text(site, first, fit)][:_MOST_SPARE]
    return [_set_thresholds(site, fit) for fit in (first, *spare)]


def _worth(site: TemplateSite, fit: SlotFit, known_values: KnownValues) -> float:
    """Return a score for how likely a place is the right one."""
    found = fit.is_found()
    texts = _values_of_fit(site, fit)
    different = len({text for text, is_found in zip(texts, found, strict=True) if is_found})
    siblings = (site.rows[:, _CLASS_PATH] == fit.slot.values[_CLASS_PATH]).sum() / len(site.spans)
    worth = float(np.maximum(fit.scores, -20.0).mean()) - 40.0 * (1.0 - float(found.mean()))
    worth += 3.0 * float(np.log(max(different, 1))) - 2.0 * float(np.log1p(siblings))
    worth += _AS_PASTED * fit.is_as_pasted + _LEADS * _mean_lead(site, fit) + fit.called
    if different <= 1 and len(site.spans) >= 4:
        worth -= 60.0
    if known_values:
        agreed = [
            not known_values[number].isdisjoint(
                map(fold_text, fit.slot.cut.values_in(site.text(number, row).text))
            )
            for number, row in zip(fit.numbers, fit.best, strict=True)
            if number in known_values
        ]
        worth += 400.0 * sum(agreed) / max(len(agreed), 1)
    return worth


def _mean_lead(site: TemplateSite, fit: SlotFit) -> float:
    """Return by how much a place leads all others on average over the pages; one of many similar texts leads little."""
    leads = []
    for number, row in zip(fit.numbers, fit.best, strict=True):
        start, end = site.spans[number]
        scores = scores_of(fit.slot, site.rows[start:end])
        leads.append(min(lead_of(site.tables[number].texts, scores, row - start), _MOST_LEAD))
    return float(np.mean(leads))


def _support(site: TemplateSite, fit: SlotFit, fits: Sequence[SlotFit]) -> int:
    """Return how many other places have the same text on the other pages: a page repeats what it is about."""
    return sum(1 for other in fits if other is not fit and _has_same_text(site, fit, other))


def _values_of_fit(site: TemplateSite, fit: SlotFit) -> list[str]:
    return [site.text(number, row).folded for number, row in zip(fit.numbers, fit.best, strict=True)]


def _has_same_text(site: TemplateSite, first: SlotFit, other: SlotFit) -> bool:
    """Return whether another place has the text of the first on most pages where both are found, and not always the same text."""
    both = first.is_found() & other.is_found()
    pairs = [
        pair for pair, is_both in zip(zip(_values_of_fit(site, first), _values_of_fit(site, other), strict=True), both, strict=True) if is_both
    ]  # fmt: skip
    agreed = [text for text, other_text in pairs if text == other_text]
    return len(set(agreed)) >= 3 and len(agreed) >= _SPARE_AGREES * len(pairs)


def _set_thresholds(site: TemplateSite, fit: SlotFit) -> Slot:
    """Return a slot with the score that separates values from the best texts of pages without a value."""
    without = [
        pair
        for number, row in list(zip(fit.numbers, fit.best, strict=True))[:_TRIED_WITHOUT]
        for pair in _best_without(site, fit.slot, number, row)
    ]
    threshold = _divide(fit.unseen, np.array([score for score, _ in without] or [0.0]))
    if fit.slot.is_list:
        return replace(fit.slot, threshold=threshold)
    floor = round(_CLEARLY * max(_usual(fit.unseen), 0.0), 3)
    rivals = [lead for score, lead in without if score >= floor]
    lead = round(max(_LEAST_LEAD, _SAFE_LEAD * max(rivals, default=0.0)), 3)
    return replace(fit.slot, threshold=threshold, floor=floor, lead=lead)


def _usual(scores: Floats) -> float:
    """Return the score of pages that have the attribute: the median of the better half."""
    return float(np.median(np.sort(scores)[len(scores) // 2 :]))


def _divide(right: Floats, wrong: Floats) -> float:
    """Return the threshold between right and wrong scores: with the fewest on the wrong side, in the widest such gap.

    Scores far below the usual ones may be of pages without the attribute, and count for neither side.
    """
    usual = _usual(right)
    clear = right[right >= min(_CLEARLY * usual, usual)]
    steps = np.unique(np.concatenate((clear, wrong)))
    steps = np.concatenate(([steps[0] - 10.0], steps))
    lower, upper = steps[:-1], steps[1:]
    losses = 2.0 * (clear[:, None] < upper).mean(axis=0) + (wrong[:, None] >= upper).mean(axis=0)
    gaps = np.where(losses <= losses.min() + 1e-9, upper - lower, -1.0)
    at = int(gaps.argmax())
    return round(float(lower[at] + 0.35 * (upper[at] - lower[at])), 3)


def _best_without(site: TemplateSite, slot: Slot, number: int, row: int) -> list[tuple[float, float]]:
    """Return the best score of a page with the value removed, and its lead: with and without the label."""
    table, page = site.tables[number], site.pages[number]
    text = site.text(number, row)
    value_pieces = {at for at, piece in enumerate(page.pieces) if piece.folded == text.folded}
    value_pieces |= set(range(text.first, text.last + 1))
    if slot.is_list:
        start = site.starts[number]
        for index in list_rows(slot, site.rows_of(number), row - start):
            value_pieces |= set(range(table.texts[index].first, table.texts[index].last + 1))
    found = []
    for removed in (value_pieces, value_pieces | _label_before(page, site.usual, text.first)):
        remaining = np.array([text.first not in removed and text.last not in removed for text in table.texts])
        if remaining.any():
            scores = np.where(remaining, scores_of(slot, table.rows(site.usual, site.firm, removed)), -NEVER)
            best = int(scores.argmax())
            found.append((float(scores[best]), lead_of(table.texts, scores, best)))
    return found


def _label_before(page: PageTexts, labels: Numbers, first: int) -> set[int]:
    near = range(first - 1, max(first - 3, -1), -1)
    return {at for at in near if are_labels(to_numbers((page.pieces[at].key,)), labels)[0]}
