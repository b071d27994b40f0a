"""crawl: what a page costs on the full journey, against a bare Scrapy spider that follows links and keeps nothing.

Both sides crawl the same sites of one simweb from the same seeds, to the end, by following links: sites without databases
whose robots.txt allows everything, without traps (`benchmarks._plain_sites`). Nothing is handed to either side but the
homepages. simweb's own journal then has to show that both asked for exactly the same pages, each once, and that all were
there; otherwise there is no figure. Our side does everything: robots.txt, politeness with a delay of zero, the error
paths, forms judged, signatures, near-duplicates, store, outbox, the indexing process. Both have 32 requests at a time. A
pair is one crawl of each side; pairs follow each other, and who begins takes turns. Ratios are medians over pairs.

- `pages_ratio`, `pages_ratio_80k`: CPU seconds of the bare crawl by those of our crawl process, between spider_opened and
  spider_closed, for pages of about 11 KB with about 50 links, and of about 80 KB. The large ones are made up as real pages
  of their size are: 62 pages of SWDE between 60 and 100 KB have on average 140 anchors to 114 addresses, 970 elements with
  1,150 attributes, 14 KB of scripts and 6 KB of comments (simweb's: 146, 109, 950, 1,510, 15 KB, 4 KB).
- `pages_ratio_80k_text` (not in `--quick`): the same for pages of 80 KB that are nearly all text, with no more links than
  the small ones. What bare Scrapy pays goes with links and elements, what we pay with text as well, since we keep, compare and
  sign it: this is the page that suits us least.
- `end_to_end_ratio`: the same with the CPU of the indexing process until the index is complete. Its start-up and imports,
  measured apart on an index that is complete, are not in it, as they are in nobody's figures.
- `wall_ratio`: wall seconds, 11 KB; ours end when the index is complete.
- `rss_mb`: the largest resident memory of our crawl process in the 11 KB crawls.
- `rss_growth_mb_per_100k_urls`: a crawl of a web in which every page has 200 new links (`benchmarks._growing_web`), fetched,
  read and handed to the frontier as always, until 300,000 addresses are known (`--quick`: 100,000). The resident
  memory of the crawl process is noted ten times a second; the figure is the slope of the straight line through all samples
  from 70,000 addresses on, when what is remembered in memory has reached its limits.

`python -m benchmarks.crawl` prints where the CPU time of our crawl process goes, by part, sampled every two
milliseconds of CPU in crawls of their own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from statistics import linear_regression, mean, median
from typing import TYPE_CHECKING, Any

from benchmarks import Options
from benchmarks._crawls import Crawls, Job
from benchmarks._growing_web import growing_web, seeds
from benchmarks._measuring import PROFILE, UNTIL
from benchmarks._plain_sites import enough, page_bytes, plain_sites
from benchmarks.data import ROOT
from benchmarks.report import table
from simweb.running import Simweb
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks._crawls import Side, Taken
    from benchmarks._plain_sites import PlainSite

TARGETS = {"pages_ratio": 3.0, "pages_ratio_80k": 4.0, "end_to_end_ratio": 1.2}
MOST_GROWTH = 30.0
PAIRS = 3
SIDES: tuple[Side, Side] = ("bare", "ours")
WARMED_UP = 70_000
"""Known addresses from which on memory is looked at: the frontier remembers 60,000 of them."""


class DifferentPages(AssertionError):
    """The two sides did not ask for the same pages: their figures cannot be compared."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The kind of pages of a comparison."""

    name: str
    text_bytes: int
    cards: int
    least_bytes: int  # of a page, on average over a site
    most_bytes: int


SMALL = Pages("11 KB", 3500, 0, 9_000, 13_500)
LARGE = Pages("80 KB", 3500, 75, 70_000, 92_000)
TEXT = Pages("80 KB of text", 70_000, 0, 70_000, 92_000)


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    sites: int  # of a world
    pages_per_site: int  # on average
    wanted: Mapping[str, int]  # pages of a crawl, at least, by their kind
    known: int  # addresses in the frontier whose memory is measured


QUICK = Scale(sites=200, pages_per_site=300, wanted={SMALL.name: 200, LARGE.name: 100}, known=100_000)
FULL = Scale(
    sites=300, pages_per_site=400, wanted={SMALL.name: 2000, LARGE.name: 1000, TEXT.name: 500}, known=300_000
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a crawl asked for, as simweb's journal has it."""

    pages: Counter[str]
    faults: int  # answers other than 200
    body_bytes: int


@dataclass(frozen=True, slots=True)
class Crawl:
    """One crawl of one side."""

    asked: Asked
    taken: Taken

    @property
    def pages(self) -> int:
        """How many pages it asked for."""
        return self.asked.pages.total()


@dataclass(frozen=True, slots=True)
class Pair:
    """A crawl of each side, over the same pages."""

    bare: Crawl
    ours: Crawl
    indexing: float  # CPU seconds of our indexing process, without its start-up

    @property
    def cpu_ratio(self) -> float:
        """How many times as much CPU the bare crawl took."""
        return self.bare.taken.cpu / self.ours.taken.cpu

    @property
    def end_to_end_ratio(self) -> float:
        """The same with the indexing process."""
        return self.bare.taken.cpu / (self.ours.taken.cpu + self.indexing)

    @property
    def wall_ratio(self) -> float:
        """The same for wall time."""
        return self.bare.taken.wall / self.ours.taken.wall


def run(options: Options) -> Mapping[str, object]:
    """Measure everything and print it."""
    scale = QUICK if options.quick else FULL
    with Bench(options.seed, scale) as bench:
        pairs = {pages.name: bench.pairs(pages) for pages in bench.kinds}
        samples = bench.growth()
    figures = figures_of(pairs, samples)
    show(pairs, samples)
    for name, target in TARGETS.items():
        if float(str(figures[name])) < target:
            print(f"MISSED: {name} is {figures[name]}, wanted is at least {target}")
    if float(str(figures["rss_growth_mb_per_100k_urls"])) > MOST_GROWTH:
        print(f"MISSED: memory grows by more than {MOST_GROWTH} MB for 100,000 addresses")
    return figures


class Bench:
    """Both sides and all worlds, ready to crawl."""

    def __init__(self, seed: int, scale: Scale) -> None:
        self.kinds = [pages for pages in (SMALL, LARGE, TEXT) if pages.name in scale.wanted]
        self._seed = seed
        self._scale = scale
        self._numbers = count()
        self._start_up: float | None = None

    def __enter__(self) -> Bench:
        with ExitStack() as stack:
            self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hiddenweb-crawl-")))
            self._sides = {side: stack.enter_context(Crawls(side)) for side in SIDES}
            self._webs, self._chosen = {}, {}
            for pages in self.kinds:
                shape: dict[str, Any] = {
                    "sites": self._scale.sites,
                    "pages_per_site": self._scale.pages_per_site,
                    "text_bytes": pages.text_bytes,
                    "cards": pages.cards,
                }
                web = stack.enter_context(Simweb.start(seed=self._seed, **shape))
                wanted = self._scale.wanted[pages.name]
                with closing(World(self._seed, **shape)) as world:
                    found = suitable_sites(world, web, pages, wanted, Random(self._seed))
                    self._webs[pages.name], self._chosen[pages.name] = web, enough(found, wanted)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def pairs(self, pages: Pages) -> list[Pair]:
        """Crawl with both sides in turn; DifferentPages unless both asked for the same pages."""
        return [self._pair(pages, SIDES if turn % 2 == 0 else SIDES[::-1]) for turn in range(PAIRS)]

    def _pair(self, pages: Pages, order: tuple[Side, Side]) -> Pair:
        crawls = {side: self.crawl(side, pages) for side in order}
        bare, ours = crawls["bare"][0], crawls["ours"][0]
        check_same_pages(bare.asked, ours.asked)
        if self._start_up is None:
            self._start_up = start_up_of_indexing(crawls["ours"][1] / "state")
        return Pair(bare, ours, max(0.0, ours.taken.others_cpu - self._start_up))

    def crawl(self, side: Side, pages: Pages, *, profile: bool = False) -> tuple[Crawl, Path]:
        """Run one crawl of one side in a folder of its own."""
        web, folder = self._webs[pages.name], self._folder / f"{side}-{next(self._numbers)}"
        begin = tuple(site.url for site in self._chosen[pages.name])
        web.post("clear-journal")
        taken = self._sides[side].crawl(Job(str(folder), web.proxy, begin, {PROFILE: profile}))
        return Crawl(read_journal(web.get("requests", most=10**6)), taken), folder

    def growth(self) -> list[tuple[int, float]]:
        """Crawl a web that never ends; return known addresses and resident megabytes, many times."""
        folder = self._folder / "growth"
        with growing_web() as proxy:
            self._sides["ours"].crawl(Job(str(folder), proxy, seeds(), {UNTIL: self._scale.known}))
        return [(known, mb) for known, mb in json.loads((folder / "growth.json").read_text())]


def suitable_sites(world: World, web: Simweb, pages: Pages, wanted: int, draw: Random) -> Iterator[PlainSite]:
    """Yield plain sites without a database that are not too large for the crawl, with pages of the wanted size."""
    numbers = [
        number
        for number in world.numbers
        if world.plan(number).database is None and world.plan(number).pages <= 1.2 * wanted
    ]
    draw.shuffle(numbers)
    for site in plain_sites(world, numbers):
        if pages.least_bytes <= page_bytes(web, site) <= pages.most_bytes:
            yield site


def read_journal(requests: Sequence[Mapping[str, object]]) -> Asked:
    """Return what a journal shows, robots.txt aside."""
    pages = [request for request in requests if request["target"] != "/robots.txt"]
    return Asked(
        Counter(f"http://{request['host']}{request['target']}" for request in pages),
        sum(request["status"] != 200 for request in pages),
        sum(int(str(request["bytes"])) for request in pages),
    )


def check_same_pages(bare: Asked, ours: Asked) -> None:
    """Raise DifferentPages unless both sides asked for the same pages, each once, and got them."""
    if bare.pages != ours.pages:
        only_bare, only_ours = bare.pages - ours.pages, ours.pages - bare.pages
        raise DifferentPages(
            f"{only_bare.total()} requests by the bare spider only, {only_ours.total()} by ours only:"
            f" {sorted(only_bare)[:5]} {sorted(only_ours)[:5]}"
        )
    if max(bare.pages.values(), default=0) != 1 or bare.faults or ours.faults:
        raise DifferentPages(
            f"not every page once and well: {bare.faults} and {ours.faults} answers were not 200"
        )


def start_up_of_indexing(state: Path) -> float:
    """Return the CPU seconds that the indexing process takes to find that there is nothing to do."""
    command = [sys.executable, "-m", "hiddenweb.index.process", "--state", str(state), "--once"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def slope(samples: Sequence[tuple[int, float]], since: int = WARMED_UP) -> float:
    """Return by how many megabytes memory grows for 100,000 addresses, by the samples after the warm-up.

    >>> round(slope([(0, 50.0), (100_000, 90.0), (200_000, 94.0), (300_000, 98.0)]), 6)
    4.0
    """
    late = [(known / 100_000, mb) for known, mb in samples if known >= since]
    return linear_regression(*zip(*late, strict=True)).slope


def figures_of(
    pairs: Mapping[str, Sequence[Pair]], samples: Sequence[tuple[int, float]]
) -> dict[str, object]:
    """Return what is asked for, and what a page costs on both sides."""
    small, large, text = (pairs.get(pages.name, ()) for pages in (SMALL, LARGE, TEXT))
    figures: dict[str, object] = {
        "pages_ratio": round(median(pair.cpu_ratio for pair in small), 2),
        "pages_ratio_80k": round(median(pair.cpu_ratio for pair in large), 2),
        "end_to_end_ratio": round(median(pair.end_to_end_ratio for pair in small), 2),
        "wall_ratio": round(median(pair.wall_ratio for pair in small), 2),
        "rss_mb": round(max(pair.ours.taken.rss_mb for pair in small), 1),
        "rss_growth_mb_per_100k_urls": round(slope(samples), 2),
        "urls": samples[-1][0],
        **costs(small, ""),
        **costs(large, "_80k"),
        "end_to_end_ratio_80k": round(median(pair.end_to_end_ratio for pair in large), 2),
        "pairs": len(small),
    }
    if text:
        figures |= {"pages_ratio_80k_text": round(median(pair.cpu_ratio for pair in text), 2)}
        figures |= costs(text, "_80k_text")
    return figures


def costs(pairs: Sequence[Pair], kind: str) -> dict[str, object]:
    """Return the pages of a crawl and what one costs, in CPU milliseconds."""
    return {
        f"pages{kind}": pairs[0].ours.pages,
        f"bare_ms{kind}": round(median(milliseconds(pair.bare) for pair in pairs), 2),
        f"ours_ms{kind}": round(median(milliseconds(pair.ours) for pair in pairs), 2),
        f"indexing_ms{kind}": round(median(1000 * pair.indexing / pair.ours.pages for pair in pairs), 2),
    }


def milliseconds(crawl: Crawl) -> float:
    """Return the CPU milliseconds of a page."""
    return 1000 * crawl.taken.cpu / crawl.pages


def show(pairs: Mapping[str, Sequence[Pair]], samples: Sequence[tuple[int, float]]) -> None:
    """Print every pair, and memory as the frontier grew."""
    rows = [
        (
            name, pair.ours.pages, pair.ours.asked.body_bytes / pair.ours.pages / 1000, milliseconds(pair.bare),
            milliseconds(pair.ours), 1000 * pair.indexing / pair.ours.pages, pair.cpu_ratio, pair.end_to_end_ratio,
            pair.wall_ratio, pair.ours.taken.rss_mb,
        )
        for name, crawled in pairs.items()
        for pair in crawled
    ]  # fmt: skip
    header = (
        "pages of", "crawled", "KB", "bare ms", "ours ms", "indexing ms", "ratio", "end to end", "wall", "RSS MB",
    )  # fmt: skip
    print(f"\nCPU milliseconds a page; every pair of crawls\n{table(header, rows)}")
    step = max(1, len(samples) // 10)
    shown = [*samples[::step], samples[-1]]
    print(f"\nMemory of the crawl process\n{table(('addresses known', 'RSS MB'), shown)}")
    print(f"mean RSS after the warm-up: {mean(mb for known, mb in samples if known >= WARMED_UP):.0f} MB")


def profile(options: Options) -> None:
    """Print where the CPU time of our crawl process goes."""
    with Bench(options.seed, QUICK if options.quick else FULL) as bench:
        for pages in bench.kinds:
            crawl, folder = bench.crawl("ours", pages, profile=True)
            written = json.loads((folder / "profile.json").read_text())
            total = sum(written["parts"].values())
            each = milliseconds(crawl) / total
            for kind, most in (("parts", 20), ("functions", 30)):
                rows = [
                    (name, f"{samples / total:.1%}", samples * each)
                    for name, samples in Counter(written[kind]).most_common(most)
                ]
                print(f"\n{crawl.pages} pages of {pages.name}\n{table((kind, 'share', 'ms a page'), rows)}")


if __name__ == "__main__":
    profile(Options(quick="--quick" in sys.argv, seed=7, data=None))
