"""extraction: attributes of records from one pasted page a site, on pages with and without them, and after redesigns.

A person shows each attribute on ONE page of a site, by its text, never by its place; nine other pages of the site are there without their truth. It is learnt from
these ten, the first of the site, and tried on all later ones, of which nothing was known. Which page is shown matters: the figures are means over several, drawn by chance among those of the ten that have most attributes.

- `attribute_recall`: of the pages that have the attribute, on how many a true value was found. `over_extraction`: which share of all values found is not true.
- `absent_precision`: pages from which all true values of an attribute were taken away, every second time with their label: on how many none was found.
- `multi_f1`: all values of an attribute with several were shown, and all are wanted: mean F1 of a later page.
- `recall_after_repair`: seven single changes around a value (`benchmarks._page_mutations`). What the old pattern found on half of the later pages before is looked for in
  their new form, and a new pattern learnt; recall on the other half, as a share of that before. `recall_after_redesign`: two redesigns, the same way, not as a share. `recall_unrepaired` and
  `recall_redesigned_unrepaired`: what the old pattern finds.
- `list_f1`: pages that list many records, generated in many layouts and answers of simweb (`benchmarks._extraction_lists`). ONE record is shown; F1 of the values of all
  others, on all pages, each held against the record it belongs to. `lists_told_wrongly`: pages about one record that were taken for a list, shown the title and all else.
- `ms_per_page`: from the parsed page to the values.
- `record_f1` and what goes with it: records and attributes of answer pages without a person (`benchmarks._extraction_records`).

Sites are divided: every second one was looked at while the method was made (`..._made_with`), the others only to check it (`..._checked`).
Values that nobody can see on their page (`doubtful`) are left out. With autoscraper installed, its figures are beside ours: shown the same page, and a second one.
"""

from __future__ import annotations

import importlib
import multiprocessing
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from random import Random
from typing import TYPE_CHECKING, Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks._extraction_lists import LAYOUTS, Tally, measure_list, measure_simweb
from benchmarks._extraction_records import WANTED, automatic_records
from benchmarks._extraction_sites import TruePage, read_site, site_names
from benchmarks._page_mutations import KINDS, mutate, redesign, remove_values, texts_of
from benchmarks.report import table
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.list_induction import learn_list
from hiddenweb.extraction.repair import repair
from hiddenweb.html.document import Document, read_layout, read_texts
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from benchmarks import Options
    from benchmarks._extraction_sites import TrueSite
    from hiddenweb.extraction.pattern import AttributePattern
    from hiddenweb.html.texts import PageTexts

AT_LEAST = {
    "attribute_recall": 0.99, "absent_precision": 0.97, "multi_f1": 0.95, "recall_after_repair": 0.99, "recall_after_redesign": 0.97,
    "list_f1": 0.97, "record_f1_simweb": WANTED, "record_f1_datasette": WANTED,
}  # fmt: skip
AT_MOST = {"over_extraction": 0.01, "ms_per_page": 10.0, "lists_told_wrongly": 0.01}
REDESIGNS = ("redesign", "redesign with other labels")
LEARNT = 10  # the first pages of a site, from which is learnt


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done."""

    pages: int  # of a site
    timed: int  # of which the time is measured
    shown: int  # pages of a site that are shown, one after the other
    absent: int  # pages from which values are taken away
    changed: int  # pages of a site that are made anew
    attributes: int  # around which a page is changed, for each kind of change
    kinds: int  # of changes of one site; sites take turns
    compare: bool
    listed: int = 0  # pages of a site that are looked at for lists
    worlds: int = 0  # of simweb that are asked for lists
    world: int = 0  # sites of one
    generated: int = 3  # pages of a layout of lists


QUICK = Scale(20, 4, 1, 4, 8, 1, 3, False, 3, 1, 24)
FULL = Scale(30, 29, 4, 8, 16, 2, len((*KINDS, *REDESIGNS)), True, 12, 3, 320, 8)


@dataclass(slots=True)
class Counts:
    """What was found on the pages of one site."""

    name: str
    wanted: Counter[str] = field(default_factory=Counter)  # by attribute
    hits: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    taken_away: int = 0
    abstained: int = 0
    f1: list[float] = field(default_factory=list)
    before: Counter[str] = field(default_factory=Counter)  # by kind of change, found before
    frozen: Counter[str] = field(default_factory=Counter)  # found after it by the old pattern
    repaired: Counter[str] = field(default_factory=Counter)  # by the new one
    tried: Counter[str] = field(default_factory=Counter)  # all there were
    seconds: float = 0.0
    pages: int = 0
    learning: float = 0.0
    learnt: int = 0
    bytes: int = 0
    doubtful: int = 0
    theirs: Counter[str] = field(default_factory=Counter)
    asked_for_list: int = 0
    told_list: int = 0


def run(options: Options) -> Mapping[str, object]:
    """Measure everything and print it."""
    scale = QUICK if options.quick else FULL
    names = site_names(options.data)
    print(
        f"{len(names)} sites, {'real' if names and not names[0].startswith('generated') else 'generated'}\n"
    )
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        waiting = [
            pool.submit(measure, options.data, name, options.seed, scale, turn)
            for turn, name in enumerate(names)
        ]
        asked = [
            pool.submit(measure_simweb, options.seed + turn, scale.world) for turn in range(scale.worlds)
        ]
        asked += [pool.submit(measure_list, name, options.seed, scale.generated) for name in LAYOUTS]
        counted = [each.result() for each in waiting]
        lists = [each.result() for each in asked]
    show(counted)
    show_lists(lists)
    figures = {**figures_of(counted, lists), **automatic_records(options.seed, quick=options.quick)}
    for line in list_missed_targets(figures):
        print(line)
    return figures


def measure(data: Path | None, name: str, seed: int, scale: Scale, turn: int) -> Counts:
    """Return what is found on the pages of one site."""
    site = read_site(data, name, scale.pages)
    counts = Counts(name, doubtful=site.doubtful)
    draw = Random(f"{seed} {name}")
    earlier = site.pages[:LEARNT]
    most = max(map(count_filled, earlier))
    showing = draw.sample(range(len(earlier)), len(earlier))
    showing = [number for number in showing if count_filled(earlier[number]) == most][: scale.shown]
    for shown in showing:
        find_attributes(site, shown, counts, scale)
    find_all_values(site, draw, counts, scale)
    change_pages(site, showing[0], counts, scale, draw, turn)
    take_for_list(site, showing, counts, scale)
    return counts


def count_filled(page: TruePage) -> int:
    return sum(map(bool, page.truth.values()))


def example_region(site: TrueSite, shown: int) -> Example:
    """Return what a person pastes from a page: the first true value of each attribute."""
    truth = site.pages[shown].truth
    return Example(site.name, "", tuple((name, (values[0],)) for name, values in truth.items() if values))


def learning_pages(site: TrueSite, shown: int) -> list[TruePage]:
    """Return the other pages that are known when it is learnt; their truth is not."""
    return [page for number, page in enumerate(site.pages[:LEARNT]) if number != shown]


def learn_from_example(site: TrueSite, shown: int, region: Example) -> AttributePattern:
    """Return what is learnt from what was shown on one page, and from its earlier neighbours."""
    return learn(site.pages[shown].texts, region, [page.texts for page in learning_pages(site, shown)])


def find_attributes(site: TrueSite, shown: int, counts: Counts, scale: Scale) -> None:
    """Count what is found on the later pages, and on such pages when they lack it."""
    region, later = example_region(site, shown), site.pages[LEARNT:]
    started = time.process_time()
    pattern = learn_from_example(site, shown, region)
    counts.learning += time.process_time() - started
    counts.learnt += 1
    counts.bytes += len(pattern.to_json())
    known = learning_pages(site, shown)
    second = next((page for page in known if count_filled(page) == len(region.attributes)), known[0])
    theirs = autoscraper([site.pages[shown], second], region) if scale.compare else None
    for number, page in enumerate(later):
        found = extract_timed(pattern, page, counts) if number < scale.timed else pattern.values(page.texts)
        count_found(page, region, found, counts)
        if theirs:
            count_theirs(page, region, theirs(page.source), counts)
    take_away(region, pattern, later[: scale.absent], counts)


def extract_timed(pattern: AttributePattern, page: TruePage, counts: Counts) -> dict[str, list[str]]:
    """Return what is found on a page, and note how long it took from the parsed page."""
    document = Document(LexborHTMLParser(page.source))
    started = time.process_time()
    found = pattern.values(document.layout.texts)
    counts.seconds += time.process_time() - started
    counts.pages += 1
    return found


def count_found(page: TruePage, region: Example, found: Mapping[str, list[str]], counts: Counts) -> None:
    for name, _ in region.attributes:
        if name not in page.truth:
            continue
        true = set(map(fold_text, page.truth[name]))
        values = [fold_text(value) for value in found.get(name, ())]
        counts.wanted[name] += bool(true)
        counts.hits[name] += not true.isdisjoint(values)
        counts.given[name] += len(values)
        counts.wrong[name] += sum(value not in true for value in values)


def count_theirs(page: TruePage, region: Example, found: Mapping[str, list[str]], counts: Counts) -> None:
    for name, _ in region.attributes:
        true = set(map(fold_text, page.truth.get(name, ())))
        values = {fold_text(value) for value in found.get(name, ())}
        if name in page.truth:
            counts.theirs["wanted"] += bool(true)
            counts.theirs["hits"] += not true.isdisjoint(values)
            counts.theirs["given"] += len(values)
            counts.theirs["wrong"] += len(values - true)


def take_away(region: Example, pattern: AttributePattern, pages: list[TruePage], counts: Counts) -> None:
    """Take the values of each attribute from pages, and count where none is found then."""
    for number, page in enumerate(pages):
        for name, _ in region.attributes:
            true = page.truth.get(name)
            if not true:
                continue
            left = remove_values(page.source, true, with_label=bool(number % 2))
            counts.taken_away += 1
            counts.abstained += not pattern.values(read_texts(left.encode("utf-8", "replace"))).get(name)


def find_all_values(site: TrueSite, draw: Random, counts: Counts, scale: Scale) -> None:
    """Show all values of attributes that have several, and measure how well all are found."""
    names = {name for page in site.pages for name in page.truth}
    for name in sorted(names):
        sizes = [len(set(map(fold_text, page.truth.get(name, ())))) for page in site.pages]
        if sum(size > 1 for size in sizes) < 3:
            continue
        with_many = [number for number, size in enumerate(sizes[:LEARNT]) if size > 1]
        usual = sorted(sizes[number] for number in with_many)[len(with_many) // 2] if with_many else 0
        with_many = [number for number in with_many if sizes[number] >= usual]
        for shown in draw.sample(with_many, min(scale.shown, len(with_many))):
            values = tuple(site.pages[shown].truth[name])
            pattern = learn_from_example(site, shown, Example(site.name, "", ((name, values),)))
            counts.f1 += [
                f1(pattern.values(page.texts).get(name, []), page.truth[name])
                for page in site.pages[LEARNT:]
                if page.truth.get(name)
            ]


def f1(found: Iterable[str], true: Iterable[str]) -> float:
    given, wanted = set(map(fold_text, found)), set(map(fold_text, true))
    return 2 * len(given & wanted) / (len(given) + len(wanted))


def change_pages(site: TrueSite, shown: int, counts: Counts, scale: Scale, draw: Random, turn: int) -> None:
    """Change the pages of a site, repair the pattern by what is known, and count what is found before and after."""
    region = example_region(site, shown)
    later = site.pages[LEARNT:][: scale.changed]
    pattern = learn_from_example(site, shown, region)
    before = [pattern.values(page.texts) for page in later]
    names = [name for name, _ in region.attributes]
    kinds = (*KINDS, *REDESIGNS)
    for kind in [kinds[(turn * scale.kinds + at) % len(kinds)] for at in range(scale.kinds)]:
        if kind in REDESIGNS:
            renamed = common_texts(site) if kind == REDESIGNS[1] else set()
            count_changed(pattern, later, before, kind, redesigner(renamed), counts)
            continue
        for name in (
            [""] if kind == "rename classes" else draw.sample(names, min(scale.attributes, len(names)))
        ):
            count_changed(pattern, later, before, kind, changer(kind, name), counts)


def redesigner(labels: set[str]) -> Callable[[TruePage], str | None]:
    return lambda page: redesign(page.source, labels)


def changer(kind: str, name: str) -> Callable[[TruePage], str | None]:
    """Return how pages are changed around an attribute; its value may be missing, and then the page stays as it is."""

    def change(page: TruePage) -> str | None:
        values = page.truth.get(name) or [""]
        kept = [value for each in page.truth.values() for value in each]
        return mutate(page.source, kind, values[0], kept)

    return change


def common_texts(site: TrueSite) -> set[str]:
    """Return the labels of a site: what stands on a third of its pages and is nowhere a value."""
    texts = Counter(text for page in site.pages for text in texts_of(page.source))
    values = {fold_text(value) for page in site.pages for said in page.truth.values() for value in said}
    return {text for text, count in texts.items() if count >= 0.3 * len(site.pages)} - values


def count_changed(
    pattern: AttributePattern,
    pages: list[TruePage],
    before: list[dict[str, list[str]]],
    kind: str,
    change: Callable[[TruePage], str | None],
    counts: Counts,
) -> None:
    changed = [(number, source) for number, page in enumerate(pages) if (source := change(page))]
    if len(changed) < 6:
        return
    new: dict[int, PageTexts] = {
        number: read_texts(source.encode("utf-8", "replace")) for number, source in changed
    }
    known, tested = list(new)[::2], list(new)[1::2]
    repaired = repair(pattern, [(new[number], before[number]) for number in known]).pattern
    for number in tested:
        after, frozen = repaired.values(new[number]), pattern.values(new[number])
        for name in pattern.attributes:
            true = set(map(fold_text, pages[number].truth.get(name, ())))
            if true:
                counts.tried[kind] += 1
                counts.before[kind] += not true.isdisjoint(map(fold_text, before[number][name]))
                counts.frozen[kind] += not true.isdisjoint(map(fold_text, frozen[name]))
                counts.repaired[kind] += not true.isdisjoint(map(fold_text, after[name]))


def take_for_list(site: TrueSite, showing: list[int], counts: Counts, scale: Scale) -> None:
    """Count on how many pages about one record the values are taken for those of one of many."""
    layouts = [read_layout(page.source.encode("utf-8", "replace")) for page in site.pages[: scale.listed]]
    for shown in showing:
        if scale.listed:
            page = read_layout(site.pages[shown].source.encode("utf-8", "replace"))
            counts.asked_for_list += 1
            counts.told_list += learn_list(page, example_region(site, shown), layouts) is not None


def autoscraper(pages: Sequence[TruePage], region: Example) -> Callable[[str], dict[str, list[str]]] | None:
    """Return what autoscraper finds on a page after it was shown the values of each of these; None if it is not installed, or cannot work.

    With beautifulsoup4 4.13 and later it takes whole pages for values, without an error.
    """
    try:
        module: Any = importlib.import_module("autoscraper")
    except ImportError:
        return None
    if tuple(map(int, version("beautifulsoup4").split(".")[:2])) >= (4, 13):
        return None
    scraper = module.AutoScraper()
    for page in pages:
        wanted = {
            name: [" ".join(page.truth[name][0].split())]
            for name, _ in region.attributes
            if page.truth.get(name)
        }
        scraper.build(html=page.source, wanted_dict=wanted, update=True)
    return lambda source: scraper.get_result_exact(html=source, group_by_alias=True) or {}


# Figures


def show(counted: list[Counts]) -> None:
    """Print a line for every site with a fault, and one for every kind of change."""
    rows = [
        (each.name, name, each.hits[name] / each.wanted[name], each.wrong[name] / max(each.given[name], 1))
        for each in counted
        for name in each.wanted
        if each.wanted[name] and (each.hits[name] < each.wanted[name] or each.wrong[name])
    ]
    if rows:
        print(table(("site", "attribute", "recall", "not true"), rows), "\n")
    changed = [
        (kind, *(share(sum(getattr(each, what)[kind] for each in counted), sum(each.tried[kind] for each in counted)) for what in ("before", "frozen", "repaired")))
        for kind in (*KINDS, *REDESIGNS)
    ]  # fmt: skip
    print(table(("change", "recall before", "after, old pattern", "after repair"), changed), "\n")


def show_lists(lists: list[dict[str, Tally]]) -> None:
    """Print a line for every layout of lists."""
    by_layout = sum_by_layout(lists)
    rows = [
        (name, each.right, each.wrong, each.missed, round(each.f1, 4)) for name, each in by_layout.items()
    ]
    print(table(("lists", "right", "wrong", "missed", "F1"), rows), "\n")


def sum_by_layout(lists: Iterable[dict[str, Tally]]) -> dict[str, Tally]:
    """Return what was found by layout."""
    found: dict[str, Tally] = {}
    for counted in lists:
        for name, each in counted.items():
            found.setdefault(name, Tally()).add(each)
    return found


def list_f1(lists: Iterable[dict[str, Tally]]) -> float:
    """Return the F1 of all values of all lists."""
    total = Tally()
    for each in sum_by_layout(lists).values():
        total.add(each)
    return round(total.f1, 4)


def share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def figures_of(counted: list[Counts], lists: Sequence[dict[str, Tally]] = ()) -> dict[str, object]:
    """Return the figures of all sites, of both halves, and of lists."""
    theirs: Counter[str] = sum((each.theirs for each in counted), Counter())
    return {
        "sites": len(counted),
        "doubtful": sum(each.doubtful for each in counted),
        **summarise_found(counted),
        **{f"{name}_made_with": value for name, value in summarise_found(counted[::2]).items()},
        **{f"{name}_checked": value for name, value in summarise_found(counted[1::2]).items()},
        "recall_unrepaired": share_of_changed(counted, KINDS, "frozen", "before"),
        "recall_redesigned_unrepaired": share_of_changed(counted, REDESIGNS, "frozen", "tried"),
        "list_f1": list_f1(lists),
        "list_f1_generated": list_f1([{name: each for name, each in counted.items() if name in LAYOUTS} for counted in lists]),
        "list_f1_simweb": list_f1([{name: each for name, each in counted.items() if name not in LAYOUTS} for counted in lists]),
        "list_f1_worst": min((round(each.f1, 4) for each in sum_by_layout(lists).values()), default=0.0),
        "lists_told_wrongly": share(sum(each.told_list for each in counted), sum(each.asked_for_list for each in counted)),
        "ms_per_page": round(1000 * sum(each.seconds for each in counted) / sum(each.pages for each in counted), 2),
        "seconds_to_learn": share(sum(each.learning for each in counted), sum(each.learnt for each in counted)),
        "bytes_of_pattern": sum(each.bytes for each in counted) // sum(each.learnt for each in counted),
        "attribute_recall_autoscraper": share(theirs["hits"], theirs["wanted"]) if theirs else None,
        "over_extraction_autoscraper": share(theirs["wrong"], theirs["given"]) if theirs else None,
    }  # fmt: skip


def summarise_found(counted: list[Counts]) -> dict[str, object]:
    f1s = [value for each in counted for value in each.f1]
    return {
        "attribute_recall": share(*(sum(getattr(each, what).total() for each in counted) for what in ("hits", "wanted"))),
        "over_extraction": share(*(sum(getattr(each, what).total() for each in counted) for what in ("wrong", "given"))),
        "absent_precision": share(sum(each.abstained for each in counted), sum(each.taken_away for each in counted)),
        "multi_f1": share(sum(f1s), len(f1s)),
        "recall_after_repair": share_of_changed(counted, KINDS, "repaired", "before"),
        "recall_after_redesign": share_of_changed(counted, REDESIGNS, "repaired", "tried"),
    }  # fmt: skip


def share_of_changed(counted: list[Counts], kinds: tuple[str, ...], part: str, whole: str) -> float:
    return share(
        *(sum(getattr(each, what)[kind] for each in counted for kind in kinds) for what in (part, whole))
    )


def list_missed_targets(figures: Mapping[str, Any]) -> list[str]:
    """Return a line for every figure that is not as good as it should be."""
    low = [
        f"{name} is {figures[name]}, below {least}"
        for name, least in AT_LEAST.items()
        if name in figures and figures[name] < least
    ]
    return low + [
        f"{name} is {figures[name]}, above {most}" for name, most in AT_MOST.items() if figures[name] > most
    ]
