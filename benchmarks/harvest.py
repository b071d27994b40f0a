"""harvest: how many search forms on a topic a crawl finds for its pages, by the policy that orders it.

On a simulated web (`benchmarks._harvest_web`) every policy starts from the same 100 seeds of a topic, may fetch the same number of
pages, and obeys the same stop criteria. What counts are distinct forms that truly search a database of the topic, on pages that were
fetched; a page that does not answer costs as much as another. The policies:

- breadth first, best first: `benchmarks._harvest_policies`
- ache: `benchmarks._harvest_ache`
- scdi, smartcrawler, ours: `benchmarks._harvest_two_stages`

The web of seed 1 is for tuning, ours and theirs. Reported are webs that nothing was tuned on: `--seed 7`, the default, stands for
webs 2, 3 and 4; any other seed for three others.

- ours_vs_ache, ours_vs_scdi ...: forms found by one by forms found by the other, over all topics and webs.
- ours_vs_ache_min_topic: the smallest such ratio of a topic, over all webs.
- sites_ours_vs_ache: the same for sites that a relevant form was found on.
- fraction_of_oracle: forms that ours found by what somebody finds who knows where all forms are (`most_findable`).
- ours_per_1000_pages ...: forms found on 1,000 pages that were fetched.
- ms_per_decision: CPU milliseconds that ours takes for a page, to choose it and to take note of it.

The full run also takes ours apart (what is found without each of its ideas) and makes webs in which links to other sites keep
less or more to their topic. Curves are saved as `benchmarks/results/harvest.svg`.

- ms_per_decision_at_scale: what a decision costs with 100,000 sites and a million links waiting on disk (`benchmarks._harvest_scale`).

Last, the full run holds a crawl of a simweb by `scrapy crawl locate`, killed three times, against a simulation of the same
(`benchmarks._harvest_real`):

- real_forms_per_1000, simulated_forms_per_1000: databases of the topic found on 1,000 pages by each; real_vs_simulated: their ratio.
- real_lost_sites, real_lost_forms: what was committed before a kill and is not there in the end; real_refetched: pages asked for again.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from bisect import bisect_right
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks import _harvest_real, _harvest_scale
from benchmarks._harvest_ache import make_ache
from benchmarks._harvest_calibration import Sample, calibration
from benchmarks._harvest_plot import Curve, plot
from benchmarks._harvest_policies import make_best_first, make_breadth_first
from benchmarks._harvest_two_stages import ABLATIONS, make_ours, make_scdi, make_smartcrawler
from benchmarks._harvest_web import GraphWeb, Shape
from benchmarks.report import RESULTS, table
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from concurrent.futures import Executor

    from benchmarks import Options
    from benchmarks._harvest_calibration import Figure
    from benchmarks._harvest_policies import Make, Policy
    from benchmarks._harvest_web import Answer

TUNING_WEB = 1
DEFAULT_SEED = 7
POLICIES = ("breadth first", "best first", "ache", "scdi", "smartcrawler", "ours")
RATIOS = (
    ("ours", "ache"),
    ("ours", "smartcrawler"),
    ("ours", "scdi"),
    ("ours", "best first"),
    ("ours", "breadth first"),
    ("smartcrawler", "ache"),
    ("smartcrawler", "scdi"),
    ("scdi", "ache"),
)
SENSITIVE = ("ache", "smartcrawler", "ours")
LOCALITIES = (0.15, 0.5)  # besides the one that is calibrated
STEPS = 10
MAKERS: Mapping[str, Make] = {
    "breadth first": make_breadth_first,
    "best first": make_best_first,
    "ache": make_ache,
    "scdi": make_scdi,
    "smartcrawler": make_smartcrawler,
    "ours": make_ours,
    **ABLATIONS,
}


class AskedTwice(AssertionError):
    """A policy asked for an address again."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    topics: int
    webs: int
    budget: int  # pages of a topic
    sample: Sample  # of the first web, to see how like the real one it is
    apart_budget: int = 0  # the same where ours is taken apart, and on webs of other localities
    ablated_topics: int = 0
    sensitive_topics: int = 0
    waiting_sites: int = 0  # for what decisions cost; and ten times as many links
    real_hosts: int = 0  # of the simweb that is crawled
    real_pages: int = 0
    real_kills: int = 0


QUICK = Scale(topics=3, webs=1, budget=1200, sample=Sample(pages=500, sites=300, searched=50))
FULL = Scale(
    topics=12, webs=3, budget=20_000, sample=Sample(), apart_budget=6000, ablated_topics=6, sensitive_topics=4,
    waiting_sites=100_000, real_hosts=10_000, real_pages=20_000, real_kills=3,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """What a policy found on a topic of a web."""

    found: tuple[int, ...]  # after how many pages, for each form
    sites: int  # that had them
    pages: int  # fetched
    dry: bool  # nothing was left to fetch before the budget was spent
    seconds: float  # of CPU, for all decisions

    def count_after(self, pages: int) -> int:
        """Return how many forms had been found after so many pages."""
        return bisect_right(self.found, pages)


@dataclass(frozen=True, slots=True)
class Job:
    """Some policies on one topic of one web."""

    web: int
    topic: int
    budget: int
    policies: tuple[str, ...]
    locality: float | None = None
    data: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job."""

    job: Job
    topic: str
    runs: Mapping[str, Run]
    oracle: int
    material: str


def run(options: Options) -> Mapping[str, object]:
    """Let all policies harvest all topics, and print what they found."""
    scale = QUICK if options.quick else FULL
    webs = webs_of(options.seed)[: scale.webs]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        measured = pool.submit(measure_web, webs[0], options.data, scale.sample)
        done = all_done(jobs_of(scale, webs, options.data), pool)
        outcomes = [outcome for outcome in done if outcome.job.policies == POLICIES]
        show(outcomes)
        show_ablations(done)
        show_sensitivity(done)
        print(f"\nThe web of seed {webs[0]}\n")
        print(table(("measure", "here", "published, or wanted"), measured.result()))
    draw(outcomes)
    return figures_of(outcomes) | scale_figures(scale, options.seed) | real_figures(scale, options.seed)


def scale_figures(scale: Scale, seed: int) -> dict[str, object]:
    """Measure what decisions cost when very much waits."""
    if not scale.waiting_sites:
        return {}
    cost = _harvest_scale.cost(seed, scale.waiting_sites, 10 * scale.waiting_sites, pages=2000)
    print(
        f"\nWith {cost.sites:,} sites and {cost.links:,} links waiting on disk a decision takes {cost.decision:.1f} ms"
        f" (95 %: {cost.decision_95:.1f}; {cost.ranking_share:.0%} of it ranking sites again), taking in a page {cost.page:.1f} ms"
    )
    return {
        "ms_per_decision_at_scale": round(cost.decision, 2),
        "ms_per_decision_at_scale_95": round(cost.decision_95, 2),
        "ms_per_page_at_scale": round(cost.page, 2),
    }


def real_figures(scale: Scale, seed: int) -> dict[str, object]:
    """Hold a crawl against a simulation of it, where that is part of the run: it takes minutes."""
    if not scale.real_pages:
        print("\nNo crawl is held against its simulation: only the full run does that.")
        return {}
    topic = _harvest_real.topic_with_most_databases(seed, scale.real_hosts)
    with tempfile.TemporaryDirectory(prefix="hiddenweb-harvest-") as folder:
        crawl = _harvest_real.real_crawl(
            seed, scale.real_hosts, scale.real_pages, scale.real_kills, topic, Path(folder)
        )
    _harvest_real.show(crawl)
    return _harvest_real.figures_of(crawl)


def webs_of(seed: int) -> tuple[int, int, int]:
    """Return the seeds of the webs that a seed of the command line stands for; never the web for tuning.

    >>> webs_of(7), webs_of(8)
    ((2, 3, 4), (1024, 1025, 1026))
    """
    first = 2 if seed == DEFAULT_SEED else 1000 + 3 * abs(seed)
    return first, first + 1, first + 2


def jobs_of(scale: Scale, webs: Sequence[int], data: Path | None) -> list[Job]:
    """Return the jobs of the comparison, then those with ours taken apart, and those on webs of other locality."""
    jobs = [
        Job(web, topic, scale.budget, POLICIES, None, data) for web in webs for topic in spread(scale.topics)
    ]
    jobs += [
        Job(webs[0], topic, scale.apart_budget, tuple(ABLATIONS), None, data)
        for topic in spread(scale.ablated_topics)
    ]
    jobs += [
        Job(webs[0], topic, scale.apart_budget, SENSITIVE, locality, data)
        for locality in LOCALITIES
        for topic in spread(scale.sensitive_topics)
    ]
    return jobs


def spread(count: int) -> range:
    """Return the numbers of 1, 2, 3, 4, 6 or 12 topics, evenly among all; none for 0.

    >>> list(spread(3)), list(spread(0))
    ([0, 4, 8], [])
    """
    topics = len(GraphWeb.topics)
    return range(0, topics if count else 0, topics // max(count, 1))


def all_done(jobs: Sequence[Job], pool: Executor) -> list[Outcome]:
    """Do all jobs, in their order, as many at a time as the pool does; report each on stderr."""
    started = time.monotonic()
    waiting = [pool.submit(do, job) for job in jobs]
    for number, each in enumerate(as_completed(waiting), 1):
        report(each.result(), f"{number}/{len(jobs)}", time.monotonic() - started)
    return [each.result() for each in waiting]


def report(outcome: Outcome, number: str, seconds: float) -> None:
    """Write a line about a job that is done."""
    found = ", ".join(f"{name} {len(run.found)}" for name, run in outcome.runs.items())
    web = f"web {outcome.job.web}"
    if outcome.job.locality is not None:
        web += f" of locality {outcome.job.locality}"
    print(f"{number} after {seconds:.0f} s: {web}, {outcome.topic}: {found}", file=sys.stderr, flush=True)


def do(job: Job) -> Outcome:
    """Let the policies of a job harvest its web, one after the other."""
    web = web_of(job.web, job.locality, job.data)
    topic = web.topics[job.topic]
    runs = compare_policies(web, topic, job.budget, {name: MAKERS[name] for name in job.policies}, job.web)
    return Outcome(job, topic, runs, web.most_findable(topic, job.budget), web.material)


def measure_web(seed: int, data: Path | None, sample: Sample) -> list[Figure]:
    """Return how like the real web a web is."""
    return calibration(web_of(seed, None, data), sample)


@lru_cache(maxsize=1)  # jobs on one web follow each other
def web_of(seed: int, locality: float | None, data: Path | None) -> GraphWeb:
    """Return a web, of another locality if one is given."""
    shape = Shape() if locality is None else replace(Shape(), locality=locality)
    return GraphWeb(seed, shape, data)


def compare_policies(
    web: GraphWeb, topic: str, budget: int, made_by: Mapping[str, Make], seed: int
) -> dict[str, Run]:
    """Return what each policy finds, all with the same seed of chance."""
    return {
        name: harvest(make(web, topic, Random(f"{seed}/{topic}")), web, topic, budget)
        for name, make in made_by.items()
    }


def harvest(policy: Policy, web: GraphWeb, topic: str, budget: int) -> Run:
    """Fetch what a policy asks for until the budget is spent, and count the forms on it that are truly relevant."""
    timed = Timed(policy)
    asked: set[str] = set()
    forms: set[int] = set()
    sites: set[str] = set()
    found: list[int] = []
    while len(asked) < budget and (url := timed.next()) is not None:
        if url in asked:
            raise AskedTwice(f"{type(policy).__name__} asked for {url} again, after {len(asked)} pages")
        asked.add(url)
        answer = web.read(url)
        relevant = {form.id for form in answer.forms if form.is_relevant(topic)} if answer else set()
        if relevant:
            sites.add(registered_domain(url))
            found += [len(asked)] * len(relevant - forms)
            forms |= relevant
        timed.note(url, answer)
    return Run(tuple(found), len(sites), len(asked), len(asked) < budget, timed.seconds)


class Timed:
    """A policy, and the CPU seconds it took to decide."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.seconds = 0.0

    def next(self) -> str | None:
        started = time.process_time()
        url = self._policy.next()
        self.seconds += time.process_time() - started
        return url

    def note(self, url: str, answer: Answer | None) -> None:
        started = time.process_time()
        self._policy.note(url, answer)
        self.seconds += time.process_time() - started


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return all figures of the comparison."""
    figures: dict[str, object] = {}
    for first, second in RATIOS:
        name = f"{short(first)}_vs_{short(second)}"
        figures[name] = round(ratio(outcomes, first, second), 3)
        if second == "ache":
            figures[f"{name}_min_topic"] = round(min(ratios_by_topic(outcomes, first, second).values()), 3)
    ours = [outcome.runs["ours"] for outcome in outcomes]
    figures["sites_ours_vs_ache"] = round(
        quotient(sum(run.sites for run in ours), sum(outcome.runs["ache"].sites for outcome in outcomes)), 3
    )
    oracle = sum(outcome.oracle for outcome in outcomes)
    figures["fraction_of_oracle"] = round(quotient(total(outcomes, "ours"), oracle), 3)
    figures |= {f"{short(name)}_per_1000_pages": per_1000(outcomes, name) for name in POLICIES}
    milliseconds = 1000 * sum(run.seconds for run in ours)
    figures["ms_per_decision"] = round(quotient(milliseconds, sum(run.pages for run in ours)), 3)
    jobs = [outcome.job for outcome in outcomes]
    return figures | {
        "budget": jobs[0].budget,
        "topics": len({job.topic for job in jobs}),
        "seeds": sorted({job.web for job in jobs}),
        "material": f"a simulated web; {outcomes[0].material}",
    }


def short(name: str) -> str:
    """Return a policy's name as figures spell it."""
    return {"breadth first": "bfs", "best first": "best_first"}.get(name, name)


def total(outcomes: Iterable[Outcome], name: str) -> int:
    """Return the forms that a policy found in all."""
    return sum(len(outcome.runs[name].found) for outcome in outcomes)


def quotient(part: float, whole: float) -> float:
    """Return one number by another, which counts as 1 if it is 0, so that finding nothing is no error."""
    return part / (whole or 1)


def ratio(outcomes: Sequence[Outcome], first: str, second: str) -> float:
    """Return how many times as many forms the first policy found."""
    return quotient(total(outcomes, first), total(outcomes, second))


def ratios_by_topic(outcomes: Sequence[Outcome], first: str, second: str) -> dict[str, float]:
    """Return the same for every topic, over all webs."""
    return {topic: ratio(some, first, second) for topic, some in group_by_topic(outcomes).items()}


def group_by_topic(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Return outcomes by their topic."""
    result: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        result.setdefault(outcome.topic, []).append(outcome)
    return result


def per_1000(outcomes: Sequence[Outcome], name: str) -> float:
    """Return how many forms a policy found on 1,000 pages."""
    pages = sum(outcome.runs[name].pages for outcome in outcomes)
    return round(1000 * quotient(total(outcomes, name), pages), 1)


def show(outcomes: Sequence[Outcome]) -> None:
    """Print forms by topic, totals, ratios and curves."""
    rows = [
        (topic, *(total(some, name) for name in POLICIES), sum(outcome.oracle for outcome in some))
        for topic, some in group_by_topic(outcomes).items()
    ]
    rows.append(("all", *(sum(column) for column in zip(*(row[1:] for row in rows), strict=True))))
    webs = len({outcome.job.web for outcome in outcomes})
    budget = outcomes[0].job.budget
    print(f"Relevant forms found on {budget:,} pages of each topic, on {webs} web(s) together\n")
    print(table(("topic", *POLICIES, "oracle"), rows))
    print(f"\nIn all\n\n{totals(outcomes)}")
    print(f"\nHow many times as many forms\n\n{ratio_table(outcomes)}")
    shown = [(f"{pages:,}", *counts) for pages, *counts in curves(outcomes)]
    print(f"\nForms found as the crawl goes on\n\n{table(('pages', *POLICIES), shown)}")


def totals(outcomes: Sequence[Outcome]) -> str:
    """Return a table of what each policy found in all, and whether it ran dry."""
    oracle = sum(outcome.oracle for outcome in outcomes)
    rows = []
    for name in POLICIES:
        runs = [outcome.runs[name] for outcome in outcomes]
        forms, pages = total(outcomes, name), sum(run.pages for run in runs)
        milliseconds = 1000 * sum(run.seconds for run in runs)
        rows.append(
            (
                name, forms, per_1000(outcomes, name), sum(run.sites for run in runs), quotient(forms, oracle),
                quotient(milliseconds, pages), ran_dry(runs),
            )
        )  # fmt: skip
    header = ("policy", "forms", "on 1,000 pages", "sites", "of oracle", "ms a page", "ran dry at")
    return table(header, rows)


def ran_dry(runs: Sequence[Run]) -> str:
    """Return at which pages runs had nothing left to fetch.

    >>> ran_dry([Run((), 0, 70, True, 0.1), Run((), 0, 100, False, 0.1), Run((), 0, 90, True, 0.1)])
    'page 70 to 90, 2 of 3 runs'
    """
    pages = sorted(run.pages for run in runs if run.dry)
    if not pages:
        return "never"
    return f"page {pages[0]:,} to {pages[-1]:,}, {len(pages)} of {len(runs)} runs"


def ratio_table(outcomes: Sequence[Outcome]) -> str:
    """Return a table of ratios: in all, and by topic from the smallest to the largest."""
    rows = []
    for first, second in RATIOS:
        topics = ratios_by_topic(outcomes, first, second)
        worst, best = min(topics, key=topics.__getitem__), max(topics, key=topics.__getitem__)
        rows.append(
            (
                f"{first} : {second}", ratio(outcomes, first, second), topics[worst], worst, topics[best], best,
            )
        )  # fmt: skip
    return table(("policies", "all", "least", "on", "most", "on"), rows)


def curves(outcomes: Sequence[Outcome]) -> list[tuple[int, ...]]:
    """Return, for every tenth of the budget, the pages of a topic and what each policy had found in all."""
    budget = outcomes[0].job.budget
    return [
        (
            pages := budget * step // STEPS,
            *(sum(outcome.runs[name].count_after(pages) for outcome in outcomes) for name in POLICIES),
        )
        for step in range(1, STEPS + 1)
    ]


def show_ablations(outcomes: Sequence[Outcome]) -> None:
    """Print what ours finds without each of its ideas, where that was tried."""
    tried = [outcome for outcome in outcomes if outcome.job.policies == tuple(ABLATIONS)]
    if not tried:
        return
    ours = sum(whole(outcomes, outcome.job, "ours") for outcome in tried)
    rows = [
        ("ours", ours, 1.0),
        *((name, total(tried, name), quotient(total(tried, name), ours)) for name in ABLATIONS),
    ]
    topics = ", ".join(sorted(outcome.topic for outcome in tried))
    job = tried[0].job
    print(f"\nOurs taken apart, {job.budget:,} pages of web {job.web}; {topics}\n")
    print(table(("policy", "forms", "of ours"), rows))


def whole(outcomes: Iterable[Outcome], job: Job, name: str) -> int:
    """Return what a policy had found in the comparison, on the web and the topic of a job, when the job ended."""
    (run,) = (
        outcome.runs[name]
        for outcome in outcomes
        if outcome.job.policies == POLICIES and (outcome.job.web, outcome.job.topic) == (job.web, job.topic)
    )
    return run.count_after(job.budget)


def show_sensitivity(outcomes: Sequence[Outcome]) -> None:
    """Print what is found on webs whose links to other sites keep less or more to their topic, where that was tried."""
    by_locality: dict[float, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.job.locality is not None:
            by_locality.setdefault(outcome.job.locality, []).append(outcome)
    if not by_locality:
        return
    found = {locality: [total(some, name) for name in SENSITIVE] for locality, some in by_locality.items()}
    jobs = [outcome.job for outcome in next(iter(by_locality.values()))]
    found[Shape().locality] = [sum(whole(outcomes, job, name) for job in jobs) for name in SENSITIVE]
    rows = [
        (
            locality,
            ache,
            smartcrawler,
            ours,
            quotient(ours, ache),
            quotient(ours, smartcrawler),
            quotient(smartcrawler, ache),
        )
        for locality, (ache, smartcrawler, ours) in sorted(found.items())
    ]
    topics = ", ".join(sorted({outcome.topic for outcome in outcomes if outcome.job.locality is not None}))
    header = ("locality", *SENSITIVE, "ours : ache", "ours : smartcrawler", "smartcrawler : ache")
    print(f"\nIf more or fewer links to other sites keep to the topic, {jobs[0].budget:,} pages; {topics}\n")
    print(table(header, rows))


def draw(outcomes: Sequence[Outcome]) -> None:
    """Save the curves as a plot."""
    points = [(0, *(0 for _ in POLICIES)), *curves(outcomes)]
    lines = [
        Curve(name, tuple((row[0], row[column]) for row in points)) for column, name in enumerate(POLICIES, 1)
    ]
    title = f"Relevant forms found, {len(outcomes)} crawls together"
    RESULTS.mkdir(exist_ok=True)
    drawn = plot(title, "pages of each crawl", "forms", lines[::-1])
    (RESULTS / "harvest.svg").write_text(drawn, encoding="utf-8")
