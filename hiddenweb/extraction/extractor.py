"""Extractors: which attributes are extracted from pages of one kind, how they are found, and whether the template has changed.

An extractor begins with an example: texts that a person pasted from one page, or that were read from it automatically. That page and others of its kind
teach where the attributes stand (`hiddenweb.extraction.induction`; `hiddenweb.extraction.list_induction` if the page has many records), the addresses of such pages
(`hiddenweb.extraction.page_groups`) and their template along the paths to the attributes (`hiddenweb.extraction.template_watch`).

From then on every page of the extractor gives entries: values by attribute, one entry a page or one for each member of a list. A page is a *member* of the extractor if it
has at least half of the attributes that nearly all pages of learning had. Addresses may be shared with pages of another kind: if fewer than four in five of the available pages
were members, a page that is no member counts for the watch only if it was a member before.

When the watch raises an alarm, the template has changed, and the old places have no values or wrong ones. The known values of records are then searched in
their new pages, and a new pattern is learnt from there (`hiddenweb.extraction.repair`). It is used if it finds clearly more known values than the
old one, and most of them (`is_convincing`). If the old one still finds nearly all of them, only the template is learnt again (`still_holds`). If hardly any known value is found on the new pages, the attributes are gone; the extractor is suspended, and a person has to choose again. This
follows the paper.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import Example, example_from_json, example_to_json, find_example, places_of
from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.list_induction import ListPattern, learn_list
from hiddenweb.extraction.page_groups import SAME_TEMPLATE, dom_paths, jaccard
from hiddenweb.extraction.path_patterns import TargetPaths
from hiddenweb.extraction.pattern import AttributePattern, UnreadablePattern
from hiddenweb.extraction.repair import repair, repair_list
from hiddenweb.extraction.template_watch import LEAST_PAGES, TemplateWatch
from hiddenweb.records import typed_values
from hiddenweb.urls import UrlPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hiddenweb.extraction.examples import Kind
    from hiddenweb.extraction.repair import Repair
    from hiddenweb.extraction.template_paths import Deviation
    from hiddenweb.extraction.template_watch import TemplateAlarm
    from hiddenweb.html.layout import PageLayout

    Values = Mapping[str, Sequence[str]]

MOST_LEARNT = 30
"""The most pages to learn from."""

LEAST_KNOWN = 3
"""The fewest pages with known values for a repair."""

CONVINCING = 0.6
"""The share of known values that a new pattern must find to be used."""

HOLDS = 0.9
"""The share of known values that the old pattern must still find to be kept with a new template."""

GONE = 0.1
"""If a smaller share of the known values is anywhere on the new pages, the extractor is suspended."""

_USUAL = 0.8  # the share of pages of learning that has a usual attribute
_LEAST_USUAL = 0.5  # the share of the usual attributes that a member has
_PURE = 0.8  # the share of members among the pages at its addresses
_FEW = 10  # pages of a kind that are enough without less similar ones
# The least share of places that a page at a similar address has in common; a limit of taste
_LESS_SIMILAR = 0.2
_VERSION = 1  # of the JSON; extractors of another version are learnt again


class CannotLearn(ValueError):
    """Nothing can be learnt from an example; the message says why."""


class UnreadableExtractor(ValueError):
    """A text is no extractor."""


@dataclass(frozen=True, slots=True)
class ExtractedEntry:
    """One record of a page: values by attribute, and the nodes of the skeleton in which they stand."""

    values: Values
    nodes: Mapping[str, int]
    node: int = -1  # of the member of a list

    def __bool__(self) -> bool:
        return any(self.values.values())


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor finds on a page."""

    entries: tuple[ExtractedEntry, ...]
    paths: TargetPaths
    is_member: bool

    @property
    def filled(self) -> frozenset[str]:
        """The attributes with a value on this page."""
        return frozenset(name for entry in self.entries for name, values in entry.values.items() if values)


@dataclass(frozen=True, slots=True)
class RepairProof:
    """How well a new pattern finds known values on new pages."""

    pages: int
    known: int  # values
    found_by_old: int
    found_by_new: int
    standing: int  # values that are anywhere on the pages
    by_attribute: tuple[tuple[str, int, int, int], ...] = ()  # name, known, found by the old, by the new

    @property
    def is_convincing(self) -> bool:
        """Whether the new pattern can be used without a confirmation."""
        return (
            self.pages >= LEAST_KNOWN
            and self.found_by_new > self.found_by_old
            and self.found_by_new >= CONVINCING * self.known
        )

    @property
    def still_holds(self) -> bool:
        """Whether the old pattern still finds nearly all known values, so that only the template has changed."""
        return (
            self.pages >= LEAST_KNOWN
            and not self.is_convincing
            and self.found_by_old >= HOLDS * self.known > 0
            and all(old >= CONVINCING * known for _, known, old, _ in self.by_attribute)
        )

    @property
    def is_gone(self) -> bool:
        """Whether hardly any known value is on the new pages."""
        return self.pages >= LEAST_KNOWN and self.standing < GONE * self.known

    def __str__(self) -> str:
        if self.still_holds:
            return f"on {self.pages} pages the pattern finds {self.found_by_old} of {self.known} known values as before"
        return (
            f"on {self.pages} pages the new pattern finds {self.found_by_new} of {self.known} known values,"
            f" the old one {self.found_by_old}"
        )


@dataclass(slots=True)
class Extractor:
    """Extracts attributes from pages of one kind. It changes during a crawl: the watch remembers the last pages."""

    example: Example
    kind: Kind
    pattern: AttributePattern | ListPattern
    addresses: UrlPatterns
    usual: frozenset[str] = frozenset()  # attributes that nearly every page has
    types: Mapping[str, str] = field(
        default_factory=dict
    )  # the kind of value of each attribute: price, date, text ...
    written: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # how: decimal mark, order of dates
    is_pure: bool = True  # nearly all pages at its addresses are members
    learnt_from: int = 1  # pages
    repairs: int = 0  # how often its pattern was learnt again from known values
    watch: TemplateWatch = field(default_factory=TemplateWatch)

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of its attributes."""
        return self.pattern.attributes

    @property
    def is_watched(self) -> bool:
        """Whether there were enough pages to learn the template."""
        return bool(self.watch.watched)

    def wants(self, url: str) -> bool:
        """Return whether a page at this address may belong to the extractor."""
        return self.addresses.has(url)

    def read(self, layout: PageLayout) -> Extraction:
        """Return what the extractor finds on a page."""
        entries = _entries(self.pattern, layout)
        return Extraction(entries, _paths(layout, entries, self.attributes), self._is_member(entries))

    def judge_again(self, reading: Extraction) -> Extraction:
        """Return an earlier extraction by the same pattern, with membership judged by the usual attributes known now."""
        return replace(reading, is_member=self._is_member(reading.entries))

    def _is_member(self, entries: Sequence[ExtractedEntry]) -> bool:
        filled = {name for entry in entries for name, values in entry.values.items() if values}
        usual = self.usual or frozenset(self.attributes)
        return bool(filled) and len(filled & usual) >= _LEAST_USUAL * len(usual)

    def see(
        self, reading: Extraction, *, was_member: bool = False, only_if_lost: bool = False
    ) -> Deviation | None:
        """Pass a page to the watch; return how it deviates, if it counts and deviates.

        With `only_if_lost` a page on which the attributes are found does not deviate, whatever its layout.
        """
        if not self.is_watched or not (reading.is_member or self.is_pure or was_member):
            return None
        if only_if_lost and reading.is_member:
            self.watch.pass_by(self.attributes)
            return None
        return self.watch.see(reading.paths, reading.filled)

    def alarm(self) -> TemplateAlarm | None:
        """Return the alarm that the last pages raise together."""
        return self.watch.alarm if self.is_watched else None

    def parse_value(self, name: str, raw: str) -> typed_values.TypedValue | None:
        """Return the typed value of a text, if its attribute has a type and the text can be read."""
        kind = self.types.get(name, "text")
        return (
            typed_values.parse_value(raw, kind, typed_values.WrittenAs(*self.written.get(name, ("", ""))))
            if kind != "text"
            else None
        )

    def to_json(self) -> str:
        """Return the extractor as JSON."""
        return json.dumps(
            {
                "version": _VERSION,
                "region": example_to_json(self.example),
                "kind": self.kind,
                "pattern": self.pattern.to_json(),
                "addresses": self.addresses.to_json(),
                "usual": sorted(self.usual),
                "types": dict(self.types),
                "written": {name: list(how) for name, how in self.written.items()},
                "is_pure": self.is_pure,
                "learnt_from": self.learnt_from,
                "repairs": self.repairs,
                "watch": self.watch.to_json() if self.is_watched else None,
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Extractor:
        """Return the extractor that `to_json` returned; raises UnreadableExtractor."""
        try:
            read = json.loads(text)
            if read["version"] != _VERSION:
                raise UnreadableExtractor(
                    f"the extractor was learnt by another version ({read['version']}): learn it again"
                )
            return cls(
                example_from_json(read["region"]),
                "list" if read["kind"] == "list" else "page",
                (ListPattern if read["kind"] == "list" else AttributePattern).from_json(read["pattern"]),
                UrlPatterns.from_json(read["addresses"]),
                frozenset(read["usual"]),
                dict(read["types"]),
                {name: (str(decimal), str(order)) for name, (decimal, order) in read["written"].items()},
                bool(read["is_pure"]),
                int(read["learnt_from"]),
                int(read["repairs"]),
                TemplateWatch.from_json(read["watch"]) if read["watch"] else TemplateWatch(),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, UnreadableExtractor | UnreadablePattern):
                raise UnreadableExtractor(str(error)) from error
            raise UnreadableExtractor(f"not an extractor: {error!r}") from error


def learn_extractor(
    example: Example, layout: PageLayout, others: Sequence[tuple[str, PageLayout]]
) -> Extractor:
    """Return an extractor learnt from an example on one page, and from other pages of the site.

    `others` are pages with their addresses; pages of the same kind are chosen from them. Whether the page is about one record or lists
    many is detected, unless the example says it. Raises CannotLearn.
    """
    problems = _problems(example, layout)
    if problems:
        raise CannotLearn("; ".join(problems))
    similar = find_page_group(example.page, layout, others)
    layouts = [other for _, other in similar]
    list_pattern = learn_list(layout, example, layouts) if example.kind != "page" else None
    if list_pattern is None and example.kind == "list":
        raise CannotLearn("the texts are not those of one of several like parts of the page")
    pattern = (
        list_pattern
        if list_pattern is not None
        else learn(layout.texts, example, [each.texts for each in layouts])
    )
    if not pattern.attributes:
        raise CannotLearn("none of the texts could be found again")
    near = UrlPatterns.from_urls([example.page] if example.page else [])
    extractor = Extractor(example, "page" if list_pattern is None else "list", pattern, near)
    similar = [each for each in similar if near.has(each[0]) or extractor.read(each[1]).is_member]
    urls = [url for url in (example.page, *(url for url, _ in similar)) if url]
    extractor = replace(extractor, addresses=UrlPatterns.from_urls(urls))
    return fit_extractor(extractor, [(example.page, layout), *similar], available=others)


def fit_extractor(
    extractor: Extractor,
    pages: Sequence[tuple[str, PageLayout]],
    available: Sequence[tuple[str, PageLayout]] = (),
) -> Extractor:
    """Return an extractor fitted to its pages: with its usual attributes, their types, and the template if there are enough pages."""
    readings = [extractor.read(layout) for _, layout in pages]
    counts = {name: sum(name in reading.filled for reading in readings) for name in extractor.attributes}
    usual = frozenset(name for name, count in counts.items() if count >= _USUAL * len(readings))
    values_by_name = _values_by_attribute(extractor, readings)
    fitted = replace(
        extractor,
        usual=usual,
        types={name: typed_values.kind_of(values, name) for name, values in values_by_name.items()},
        written={
            name: (how.decimal, how.order)
            for name, values in values_by_name.items()
            for how in [typed_values.source_of(values)]
        },
        learnt_from=len(pages),
    )
    judged = [fitted.judge_again(reading) for reading in readings]
    members = [reading for reading in judged if reading.is_member]
    watch = TemplateWatch()
    if len(members) >= LEAST_PAGES:
        watch.learn([reading.paths for reading in members], [reading.filled for reading in members])
    read = {id(layout): reading for (_, layout), reading in zip(pages, judged, strict=True)}
    is_pure = is_pure_among(fitted, available, read) if available else extractor.is_pure
    return replace(fitted, watch=watch, is_pure=is_pure)


def is_pure_among(
    extractor: Extractor,
    available: Sequence[tuple[str, PageLayout]],
    read: Mapping[int, Extraction] | None = None,
) -> bool:
    """Return whether nearly all pages at the addresses of an extractor are its members; `read` has extractions by the id of the layout."""
    extractions = read or {}
    sharing = [layout for url, layout in available if extractor.wants(url)]
    members = sum((extractions.get(id(layout)) or extractor.read(layout)).is_member for layout in sharing)
    return members >= _PURE * len(sharing)


def find_page_group(
    url: str, example: PageLayout, others: Sequence[tuple[str, PageLayout]], most: int = MOST_LEARNT
) -> list[tuple[str, PageLayout]]:
    """Return the pages most similar to an example page, those at similar addresses first; not that page itself."""
    places = dom_paths(example.skeleton)
    near = UrlPatterns.from_urls([url]) if url else UrlPatterns()
    ranked = sorted(
        (
            (near.has(address), jaccard(places, dom_paths(layout.skeleton)), number)
            for number, (address, layout) in enumerate(others)
            if address != url
        ),
        key=lambda each: (-each[0], -each[1], each[2]),
    )
    similar = [number for _, similarity, number in ranked if similarity >= SAME_TEMPLATE]
    if len(similar) < _FEW:
        similar += [
            number
            for is_near, similarity, number in ranked
            if is_near and _LESS_SIMILAR <= similarity < SAME_TEMPLATE
        ]
    return [others[number] for number in similar[:most]]


def repair_extractor(
    extractor: Extractor,
    known: Sequence[tuple[PageLayout, Sequence[Values]]],
    pages: Sequence[tuple[str, PageLayout]],
) -> tuple[Extractor, RepairProof]:
    """Return the extractor learnt again from pages whose records are known, and the proof that it is better.

    `known` are new pages with the known values of their records, `pages` all new pages. If nothing better is found, the pattern does not change.
    """
    filled = [(layout, [entry for entry in entries if any(entry.values())]) for layout, entries in known]
    filled = [(layout, entries) for layout, entries in filled if entries]
    standing = sum(_count_present(layout, entry) for layout, entries in filled for entry in entries)
    found: Repair[AttributePattern] | Repair[ListPattern]
    if isinstance(extractor.pattern, ListPattern):
        found = repair_list(extractor.pattern, filled)
    else:
        records = [(layout.texts, entries[0]) for layout, entries in filled]
        found = repair(extractor.pattern, records, [layout.texts for _, layout in pages])
    proof = RepairProof(
        len(filled), found.known, found.found_by_old, found.found_by_new, standing, found.by_attribute
    )
    if not found.is_new:
        return extractor, proof
    return fit_extractor(
        replace(extractor, pattern=found.pattern, repairs=extractor.repairs + 1), pages
    ), proof


def _entries(pattern: AttributePattern | ListPattern, layout: PageLayout) -> tuple[ExtractedEntry, ...]:
    if isinstance(pattern, ListPattern):
        return tuple(
            ExtractedEntry(entry.values, entry.nodes, entry.node)
            for entry in pattern.records(layout)
            if any(entry.values.values())
        )
    found = pattern.find(layout.texts)
    entry = ExtractedEntry(
        {name: [each.value for each in values] for name, values in found.items()},
        {name: values[0].node for name, values in found.items() if values},
    )
    return (entry,) if entry else ()


def _paths(layout: PageLayout, entries: Sequence[ExtractedEntry], names: Sequence[str]) -> TargetPaths:
    """Return where the attributes stand: in a list, those of the fullest member; the region holds all members."""
    fullest = max(entries, key=lambda entry: len(entry.nodes), default=None)
    nodes: dict[str, int | None] = {name: fullest.nodes.get(name) if fullest else None for name in names}
    within = [entry.node for entry in entries if entry.node >= 0] or [
        node for node in nodes.values() if node is not None
    ]
    region = layout.skeleton.common(within)
    return TargetPaths(layout.skeleton, region if region >= 0 else None, nodes)


def _values_by_attribute(extractor: Extractor, readings: Sequence[Extraction]) -> dict[str, list[str]]:
    """Return all values of each attribute that has any."""
    values: dict[str, list[str]] = {name: [] for name in extractor.attributes}
    for reading in readings:
        for entry in reading.entries:
            for name, found in entry.values.items():
                values[name] += found
    return {name: found for name, found in values.items() if found}


def _problems(example: Example, layout: PageLayout) -> list[str]:
    """Return what makes learning impossible: texts that are not on the page."""
    found = find_example(layout.texts, example)
    missing = tuple(text for text in found.texts if text.is_missing)
    return replace(found, texts=missing).problems()


def _count_present(layout: PageLayout, entry: Values) -> int:
    """Return how many attributes have all their values somewhere on a page."""
    return sum(
        bool(texts) and all(places_of(text, layout.texts) for text in texts) for texts in entry.values()
    )
