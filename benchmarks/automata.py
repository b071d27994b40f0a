"""automata: how many of the hidden pages of a site a crawler reaches, and how many other pages it fetches for them.

Four sites of about 15,000 pages each, half of them hidden behind forms, after the paper (Kumar and Bhatia: Hidden webpages detection
using distributed learning automata, 2018; `benchmarks._automata_sites`). Five crawlers start at the homepage of each and may fetch
15,000 pages, answers among them (`benchmarks._automata_crawlers`): learning automata, the same with the words of the default policy, the default, the plain
algorithm of the paper, and a random walk.

A hidden page is the page of a record that only answers lead to. The paper calls precision the hidden pages that were extracted by all pages that were, at a threshold
of probability, and recall the hidden pages by "all webpages extracted", which would never come near 1; we take them for what they are elsewhere,
and go along the crawl instead of the threshold. After any number of fetched pages:

    precision   hidden pages fetched / all pages fetched, public ones, hidden ones and pages of answers
    recall      hidden pages fetched / hidden pages of the site

So an answer counts against precision, though the paper takes it for a hidden page itself. With answers that showed something new taken for hidden pages, too, all figures would be higher.

- coverage: the share of the hidden pages that was reached when the budget was spent, mean of the sites; wanted is 0.97, the paper has 0.90.
- precision_min: the lowest precision when a recall of 0.1, 0.2, ... 0.9 was reached, of any site; 0 where one was not reached. Wanted is
  0.85, the paper has 0.62 (and 0.86 at best).
- value: V, the mean over walks of 100 fetched pages of the sum of 0.9^(t-1) r_t, r_t being 1 if the t-th page of the walk is a hidden one, else 0, until a
  recall of 0.9; at most 10.
- depth_2: the share of the hidden pages that were reached two clicks from the homepage, where the paper finds most.

All of these are of the automata; the same of the others end in _automata_benefit, _default, _hwdla, _random_walk. `sites` has them by site.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from benchmarks._automata_crawlers import CRAWLERS, run_crawler
from benchmarks._automata_sites import NAMES, make
from benchmarks._harvest_plot import Curve, plot
from benchmarks.report import RESULTS, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from benchmarks import Options
    from benchmarks._automata_crawlers import Fetched

BUDGET = 15_000
QUICK = 0.05
"""The size of the sites of a quick run, and of the budget."""

RECALLS = tuple(tenth / 10 for tenth in range(1, 10))
DISCOUNT, WALK = 0.9, 100
POINTS, DEEPEST = 200, 6  # of the curves
MAIN = "automata"


class Part(NamedTuple):
    """One crawler on one site."""

    site: str
    crawler: str


class Job(NamedTuple):
    """A part, and what it takes to do it."""

    part: Part
    seed: int
    share: float
    data: Path | None


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a job."""

    hidden: int  # pages of the site
    public: int
    fetched: tuple[Fetched, ...]

    @property
    def coverage(self) -> float:
        """Return the share of the hidden pages that was reached."""
        return self.reached[-1] / self.hidden

    @property
    def reached(self) -> list[int]:
        """Return after each page how many hidden pages were reached."""
        reached, so_far = 0, []
        for page in self.fetched:
            reached += page.what == "hidden"
            so_far.append(reached)
        return so_far

    def precision_at(self, recall: float) -> float:
        """Return the precision when a recall was reached; 0 if it was not."""
        wanted = recall * self.hidden
        return next((hidden / at for at, hidden in enumerate(self.reached, 1) if hidden >= wanted), 0.0)

    @property
    def precision_min(self) -> float:
        """Return the lowest precision at any recall."""
        return min(map(self.precision_at, RECALLS))

    @property
    def value(self) -> float:
        """Return V, the mean over walks until most hidden pages were reached."""
        wanted = RECALLS[-1] * self.hidden
        end = next((at for at, hidden in enumerate(self.reached, 1) if hidden >= wanted), len(self.fetched))
        walks = range(0, max(end - WALK, 0) + 1, WALK)
        return fmean(
            sum(
                DISCOUNT**step
                for step, page in enumerate(self.fetched[begin : begin + WALK])
                if page.what == "hidden"
            )
            for begin in walks
        )

    @property
    def by_depth(self) -> Counter[int]:
        """Return how many hidden pages were reached with so many clicks."""
        return Counter(page.depth for page in self.fetched if page.what == "hidden")


def run(options: Options) -> Mapping[str, object]:
    """Let all crawlers loose on all sites, print how far they get, and draw it."""
    share = QUICK if options.quick else 1.0
    parts = [Part(site, crawler) for crawler in CRAWLERS for site in NAMES]
    jobs = [Job(part, options.seed, share, options.data) for part in parts]
    runs: dict[Part, Run] = {}
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn")) as pool:
        for part, run in zip(parts, pool.map(done, jobs), strict=True):
            runs[part] = run
            print(f"{part.site}, {part.crawler}: {_figures([run])}", flush=True)
    print(_show(runs))
    if not options.quick:
        _draw(runs)
    figures: dict[str, object] = {}
    for crawler in CRAWLERS:
        of_crawler = [run for part, run in runs.items() if part.crawler == crawler]
        ending = "" if crawler == MAIN else "_" + crawler.replace(", ", "_").replace(" ", "_")
        figures |= {f"{name}{ending}": value for name, value in _figures(of_crawler).items()}
    sites = {
        site: {part.crawler: _figures([run]) for part, run in runs.items() if part.site == site}
        for site in NAMES
    }
    totals = {
        "pages": sum(run.hidden + run.public for part, run in runs.items() if part.crawler == MAIN),
        "hidden_pages": sum(run.hidden for part, run in runs.items() if part.crawler == MAIN),
        "budget": round(BUDGET * share),
        "material": "real" if options.data else "generated",
    }
    return figures | {"sites": sites} | totals


def done(job: Job) -> Run:
    """Do a job."""
    site = _site(job.part.site, job.seed, job.data, job.share)
    fetched = run_crawler(job.part.crawler, site, round(BUDGET * job.share), job.seed)
    return Run(len(site.hidden), site.public, tuple(fetched))


_site = lru_cache(maxsize=len(NAMES))(make)
"""A site is made once in every process: nothing that is asked of it changes it."""


# Figures


def _figures(runs: Sequence[Run]) -> dict[str, float]:
    by_depth = sum((run.by_depth for run in runs), Counter[int]())
    return {
        "coverage": round(fmean(run.coverage for run in runs), 3),
        "precision_min": round(min(run.precision_min for run in runs), 3),
        "value": round(fmean(run.value for run in runs), 2),
        "depth_2": round(by_depth[2] / max(by_depth.total(), 1), 3),
    }


def _show(runs: Mapping[Part, Run]) -> str:
    recalls = (0.1, 0.5, 0.9)
    header = ("site", "crawler", "coverage", *(f"precision at {recall}" for recall in recalls), "least", "V")
    rest = ("public", "hidden", "answers")
    rows = []
    for part, run in sorted(runs.items(), key=lambda each: NAMES.index(each[0].site)):
        counted = Counter(page.what for page in run.fetched)
        figures = (run.coverage, *map(run.precision_at, recalls), run.precision_min, run.value)
        rows.append(
            (part.site, part.crawler, *(round(each, 3) for each in figures),
             counted["public"], counted["hidden"], counted["answer"])
        )  # fmt: skip
    return table((*header, *rest), rows)


# Plots: the three of the paper


def _draw(runs: Mapping[Part, Run]) -> None:
    """Save the plots: of the automata for every site, of the other crawlers the mean of all sites."""
    for name, title, across, up, points in (
        ("precision", "Precision by recall", "recall", "precision", _recall_points),
        ("public", "Hidden pages by other pages", "public pages and pages of answers", "hidden pages", _other_points),
        ("depth", "Hidden pages by depth", "clicks from the homepage", "hidden pages", _depth_points),
    ):  # fmt: skip
        curves = [Curve(part.site, tuple(points(run))) for part, run in runs.items() if part.crawler == MAIN]
        for crawler in CRAWLERS:
            if crawler != MAIN:
                of_sites = [points(run) for part, run in runs.items() if part.crawler == crawler]
                curves.append(Curve(crawler, _mean(of_sites), dashed=True))
        drawn = plot(f"{title}: automata by site, other crawlers (dashed) on average", across, up, curves)
        (RESULTS / f"automata_{name}.svg").write_text(drawn, encoding="utf-8")


def _recall_points(run: Run) -> list[tuple[float, float]]:
    return [(recall, run.precision_at(recall)) for recall in RECALLS]


def _other_points(run: Run) -> list[tuple[float, float]]:
    """Return how many hidden pages were reached after so many other pages, at as many points of every run."""
    reached = [0, *run.reached]
    at = [len(run.fetched) * point // POINTS for point in range(POINTS + 1)]
    return [(float(each - reached[each]), float(reached[each])) for each in at]


def _depth_points(run: Run) -> list[tuple[float, float]]:
    return [(float(depth), float(run.by_depth[depth])) for depth in range(DEEPEST + 1)]


def _mean(lines: Sequence[Sequence[tuple[float, float]]]) -> tuple[tuple[float, float], ...]:
    """Return the mean of lines with as many points each, point by point."""
    return tuple((fmean(x for x, _ in at), fmean(y for _, y in at)) for at in zip(*lines, strict=True))
