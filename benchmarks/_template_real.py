"""Template changes on real sites: learnt from ten pages of one, of which the texts of one were pasted; batches of ten vote.

Of each site (32 of SWDE with 30 pages each; without the data, generated ones of the same shape) the first ten pages are learnt from. The attributes are located by their texts on
the first page only; on all others by what hiddenweb learnt from there. The two further batches of ten must raise no alarm after any page; each, changed in every one of nine ways, must.

The target of a single change is an element on the path to the deepest element that holds at least half of the attributes, at a depth below `body` that is drawn by chance from those at
which the change can be done on eight pages of the batch at the least, the others staying as they are; what cannot be done on a site at all (there is no class to rename) is not counted. Which element that is on a page is found
before it is changed.
"""

from __future__ import annotations

import json
import lzma
import time
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from benchmarks._template_pages import REDESIGNS, SINGLE, Node, redesign, rewritten, tree_of, write_tree
from hiddenweb.extraction.bartree import bar_tree
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.template_watch import VOTES, TemplateWatch
from hiddenweb.html.document import Document
from hiddenweb.html.skeleton import FORMATTING, UNSEEN, skeleton_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from hiddenweb.extraction.extractor import Extraction, Extractor
    from hiddenweb.extraction.path_patterns import TargetPaths
    from hiddenweb.html.layout import PageLayout

BATCH = 10
MOST_OF_THEM = 0.8  # pages of a batch at the least on which a change can be done
REPEATS = 3  # of which the fastest counts: others work on the machine as well
TEMPLATE_SHARE = 0.3  # a text on so many pages is one of the template
LONGEST_LABEL = 60  # characters
KINDS = (*SINGLE, *REDESIGNS)


@dataclass(frozen=True, slots=True)
class Site:
    """Pages of one template, and the texts that a person would paste of the first."""

    name: str
    pages: tuple[str, ...]
    texts: Mapping[str, str]


@dataclass(slots=True)
class Seen:
    """What became of the batches of one site."""

    site: str
    detected: dict[str, list[bool]] = field(default_factory=dict)  # by kind of change, for each batch
    alarms: list[str] = field(default_factory=list)  # of unchanged batches
    batches: int = 0
    deviating: int = 0  # unchanged pages
    pages: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)
    paper_detected: dict[str, list[bool]] = field(default_factory=dict)  # by the paper's variables alone
    paper_alarms: int = 0
    votes_unchanged: list[int] = field(default_factory=list)  # pages of a batch that deviate
    votes_changed: list[int] = field(default_factory=list)


class Paper:
    """The paper's variables on the path to the region, Delta included, and nothing else; the same vote."""

    def __init__(self, pages: Sequence[TargetPaths]) -> None:
        self.known = {_variables(page) for page in pages}

    def alarms(self, pages: Sequence[TargetPaths]) -> bool:
        """Return whether enough pages have variables that no page of learning had."""
        return sum(_variables(page) not in self.known for page in pages) >= VOTES * len(pages)


def _variables(page: TargetPaths) -> tuple[object, ...] | None:
    if page.region is None:
        return None
    bars = bar_tree(page.skeleton, page.region)
    return *bars.full, bars.upper.sigma, bars.lower.sigma, bars.delta


def swde_sites(folder: Path) -> Iterator[Site]:
    """Yield the sites of SWDE."""
    for file in sorted((folder / "swde").glob("*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            pages = [json.loads(line) for line in lines]
        texts = {name: unescape(values[0]) for name, values in pages[0]["truth"].items() if values}
        yield Site(file.name.partition(".")[0], tuple(page["html"] for page in pages), texts)


def run_watch(site: Site, seed: int, most_batches: int) -> Seen:
    """Return what a watch says of the batches of a site, unchanged and changed."""
    sources = [rewritten(page) for page in site.pages]
    layouts = [Document(LexborHTMLParser(source)).layout for source in sources]
    source = learn_source(site, layouts[:BATCH])
    readings = [source.read(layout) for layout in layouts]
    paths = [reading.paths for reading in readings]
    learnt = source.watch.to_json()
    paper = Paper(paths[:BATCH])
    labels = template_texts(layouts[:BATCH])
    seen = Seen(site.name)
    batches = [range(start, start + BATCH) for start in range(BATCH, len(sources) - BATCH + 1, BATCH)]
    for number, batch in enumerate(batches[:most_batches]):
        _keep_unchanged(seen, learnt, sources, readings, batch)
        seen.paper_alarms += paper.alarms([paths[page] for page in batch])
        for kind in KINDS:
            draw = Random(f"{seed} {site.name} {number} {kind}")
            changed = change_pages(kind, sources, paths, batch, draw, labels)
            if changed is not None:
                watch = TemplateWatch.from_json(learnt)
                found = [source.read(Document(LexborHTMLParser(page)).layout) for page in changed]
                for reading in found:
                    watch.see(reading.paths, reading.filled)
                seen.paper_detected.setdefault(kind, []).append(
                    paper.alarms([reading.paths for reading in found])
                )
                seen.detected.setdefault(kind, []).append(bool(watch.alarms))
                seen.votes_changed.append(_votes(watch))
                if not watch.alarms:
                    seen.missed.append(f"{site.name}, batch {number + 1}: {kind}")
    return seen


def learn_source(site: Site, layouts: Sequence[PageLayout]) -> Extractor:
    """Return what hiddenweb learns from the texts of the first page, and nine pages of which it is told nothing; all ten are watched."""
    region = Example(
        site.name,
        "",
        tuple((name, (text,)) for name, text in site.texts.items()),
        "http://a.example/0",
        site.name,
        kind="page",
    )
    others = [(f"http://a.example/{number}", layout) for number, layout in enumerate(layouts[1:], start=1)]
    source = learn_extractor(region, layouts[0], others)
    readings = [source.read(layout) for layout in layouts]
    source.watch.learn([reading.paths for reading in readings], [reading.filled for reading in readings])
    return source


def template_texts(layouts: Sequence[PageLayout]) -> set[str]:
    """Return the short texts that stand on many pages, as redesigns rename them."""
    counts = Counter(
        text for layout in layouts for text in {"".join(piece.text.split()) for piece in layout.texts.pieces}
    )
    return {
        text
        for text, count in counts.items()
        if count >= TEMPLATE_SHARE * len(layouts) and len(text) <= LONGEST_LABEL
    }


def _keep_unchanged(
    seen: Seen,
    learnt: Mapping[str, object],
    sources: Sequence[str],
    readings: Sequence[Extraction],
    batch: range,
) -> None:
    watch = TemplateWatch.from_json(learnt)
    alarm = None
    for number in batch:
        tree = LexborHTMLParser(sources[number])
        reading = readings[number]
        deviation = watch.see(reading.paths, reading.filled)
        alarm = alarm or watch.alarm
        seen.seconds += min(_seconds(tree, watch, reading.paths) for _ in range(REPEATS))
        seen.pages += 1
        seen.deviating += deviation is not None
    seen.batches += 1
    seen.votes_unchanged.append(_votes(watch))
    if alarm:
        seen.alarms.append(f"{seen.site}, pages {batch.start} to {batch.stop - 1}: {alarm}")


def _seconds(tree: LexborHTMLParser, watch: TemplateWatch, paths: TargetPaths) -> float:
    """Return the time from a parsed page to its deviation; whoever finds the attributes is not counted."""
    started = time.process_time()
    skeleton_of(tree)
    watch.deviation(paths)
    return time.process_time() - started


def _votes(watch: TemplateWatch) -> int:
    return sum(seen.deviation is not None for seen in watch.last)


def change_pages(
    kind: str,
    sources: Sequence[str],
    paths: Sequence[TargetPaths],
    batch: range,
    draw: Random,
    labels: Collection[str],
) -> list[str] | None:
    """Return the pages of a batch with a change of the template; None if it cannot be done on this site."""
    if kind in REDESIGNS:
        renamed = labels if kind == REDESIGNS[1] else ()
        changed = []
        for number in batch:
            top = tree_of(sources[number])
            redesign(top, renamed)
            changed.append(write_tree(top))
        return changed
    change = SINGLE[kind]
    names, deepest = anchor(paths[0])
    depths = list(range(2, paths[0].skeleton.depths[deepest] + 1))
    draw.shuffle(depths)
    for depth in depths:
        if change(target(sources[0], paths[0], names, depth)[1]):
            trees = [target(sources[number], paths[number], names, depth) for number in batch]
            done = [change(node) for _, node in trees]
            if sum(done) >= MOST_OF_THEM * len(batch):
                return [write_tree(top) for top, _ in trees]
    return None


def anchor(paths: TargetPaths) -> tuple[list[str], int]:
    """Return the deepest node that holds at least half of the attributes that were found, and which it holds."""
    skeleton = paths.skeleton
    found = {name: node for name, node in paths.attributes.items() if node is not None}
    best: tuple[list[str], int] = list(found), 0
    for node in found.values():
        for each in skeleton.path(node):
            held = [name for name, other in found.items() if each <= other < skeleton.ends[each]]
            if 2 * len(held) >= len(found) and skeleton.depths[each] > skeleton.depths[best[1]]:
                best = held, each
    return best


def target(source: str, paths: TargetPaths, names: Sequence[str], depth: int) -> tuple[Node, Node]:
    """Return the tree of a page and the element of it at a depth of the path to some attributes, or the deepest there is."""
    top = tree_of(source)
    nodes = [found for name in names if (found := paths.attributes.get(name)) is not None]
    path = paths.skeleton.path(max(0, paths.skeleton.common(nodes)))
    wanted = path[min(depth, len(path) - 1)]
    count = -1
    waiting = [top]
    while waiting:
        node = waiting.pop()
        if node.tag in UNSEEN:
            continue
        if node.tag not in FORMATTING:
            count += 1
            if count == wanted:
                return top, node
        waiting.extend(child for child in reversed(node.children) if isinstance(child, Node))
    raise AssertionError(f"no node {wanted}")
