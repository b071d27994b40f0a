"""real: what a harvest reaches of real applications whose databases are known, beside a home-made script with the same requests.

The applications are third-party software on loopback, filled with data whose records are known. `HIDDENWEB_REALSITES` names
their folder (else `../shared/realsites`); without it there is nothing to measure. Each is harvested from its start page with defaults,
delay 0 because it is loopback, and POST allowed where its form is sent by POST. A proxy between crawler and site counts from outside
which records were shown. Then the script of an hour's work crawls the same site, from the very page of its form, through a
proxy of its own, with as many requests. What is measured is described in `docs/benchmarks.md`.
"""

from __future__ import annotations

import argparse
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks import Options, Skipped
from benchmarks._real_changes import CHURNED, changes_of
from benchmarks._real_judging import (
    LEAST_REQUESTS,
    Estimate,
    Stored,
    comparison_points,
    count_seen,
    curve,
    estimate_of,
    forbidden,
    last_useful_request,
    page_size,
    posts,
    times_the_best,
    versus,
)
from benchmarks._real_sites import find_sites, harvest, home_made
from benchmarks.report import table
from hiddenweb import __version__
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks._real_judging import Truth
    from benchmarks._real_sites import Crawled, Site, Sites

HALVES = {
    "development": ("datasette", "dokuwiki", "wordpress", "namazu", "sks", "gitweb", "omega"),
    "held-out": ("datasette_fr", "roundup", "mediawiki", "htdig", "oscar", "redmine", "pagefind"),
}
"""Rules are derived on one half, and have to hold on the other."""

ENOUGH = 0.95
ENOUGH_OF_ORACLE = 0.9
"""Of what a greedy choice of as many words reaches, where a cap keeps even that from nearly all records."""

WANTED: Mapping[str, tuple[float, float]] = {
    "vs_homemade_min": (1.0, inf),
    "vs_homemade_median": (1.5, inf),
    "requests_vs_best_median": (0.0, 2.0),
    "record_precision_min": (0.98, 1.0),
    "estimate_error_median": (0.0, 0.1),
    "estimates_false": (0, 1),
    "harm": (0, 0),
    "changes_found": (0.95, 1.0),
    "changes_false": (0, 0),
}


@dataclass(frozen=True, slots=True)
class Kept:
    """What the state of a harvest says."""

    queries: int
    stored: Stored
    estimate: Estimate | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a site went."""

    name: str
    records: int
    page_size: int
    ours: Crawled
    theirs: Crawled | None
    kept: Kept
    posts: int  # not allowed
    forbidden: int  # by robots.txt
    oracle: float | None  # where a cap keeps a greedy choice of as many words from nearly all records

    @property
    def seen(self) -> int:
        """Records that the tap saw."""
        return curve(self.ours.requests)[-1] if self.ours.requests else 0

    @property
    def coverage(self) -> float:
        """Of all records, the share that the tap saw."""
        return self.seen / self.records

    @property
    def is_reached(self) -> bool:
        """Whether it counts as reached."""
        wanted = ENOUGH if self.oracle is None else min(ENOUGH, ENOUGH_OF_ORACLE * self.oracle)
        return self.seen > 0 and self.coverage >= wanted

    @property
    def needed(self) -> int:
        """Requests until the last new record; all where there was none."""
        return last_useful_request(curve(self.ours.requests)) or len(self.ours.requests)

    @property
    def times_the_best(self) -> float:
        """Requests for a record, by those of the best possible."""
        return times_the_best(self.needed, self.seen, self.records, self.page_size, self.kept.queries)

    @property
    def harm(self) -> int:
        """Requests that should not have been made."""
        return self.posts + self.ours.strangers + self.forbidden

    def versus(self, at: int) -> float | None:
        """Return our records by those of the script after so many requests; None where it found nothing."""
        if self.theirs is None:
            return None
        ours, theirs = curve(self.ours.requests), curve(self.theirs.requests)
        return versus(ours, theirs, at, they_ended=self.theirs.ended)

    @property
    def versus_script(self) -> float | None:
        """The same after the requests that we needed for what we saw."""
        return self.versus(comparison_points(curve(self.ours.requests)))

    @property
    def versus_script_at_end(self) -> float | None:
        """The same after all our requests, own pages of records included."""
        return self.versus(max(len(self.ours.requests), LEAST_REQUESTS))


def parser() -> argparse.ArgumentParser:
    """The options of this benchmark."""
    result = argparse.ArgumentParser(prog="python -m benchmarks real", allow_abbrev=False)
    result.add_argument("--sites", default="", help="names of sites, with commas between them")
    result.add_argument("--half", choices=[*HALVES, "all"], default="all", help="which sites (%(default)s)")
    result.add_argument("--minutes", type=float, default=10.0, help="of a harvest, at most (%(default)s)")
    result.add_argument(
        "--home-made-minutes",
        type=float,
        default=10.0,
        help="of the script, at most; 0: not run (%(default)s)",
    )
    result.add_argument("--keep", type=Path, help="a folder that keeps states, logs and what the taps wrote")
    result.add_argument("--jobs", type=int, default=1, help="sites at a time (%(default)s)")
    result.add_argument(
        "--changes",
        action="store_true",
        help="instead, change the databases and revisit; states that --keep has are used",
    )
    return result


def result_name(options: Options) -> str:
    """Return the name under which the figures are kept: changes are measured apart."""
    return "real_changes" if parser().parse_args(options.further).changes else "real"


def is_full(options: Options) -> bool:
    """Say whether all sites are measured, and as long as by default."""
    asked = parser().parse_args(options.further)
    return all(
        getattr(asked, name) == parser().get_default(name) for name in ("sites", "half", "minutes")
    ) and (asked.changes or asked.home_made_minutes > 0)


def run(options: Options) -> Mapping[str, object]:
    """Measure the sites that were asked for."""
    asked = parser().parse_args(options.further)
    if options.quick:
        raise Skipped("it has no quick run: a site takes minutes")
    sites = find_sites()
    names = choose_sites(asked.sites, asked.half, CHURNED if asked.changes else sum(HALVES.values(), ()))
    with ExitStack() as stack:
        keep = asked.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hiddenweb-real-")))
        if asked.changes:
            figures = changes_of(sites, names, keep.resolve(), asked.minutes, options.seed, asked.jobs)
        else:
            figures = harvests_of(sites, names, keep.resolve(), asked)
    for name, (least, most) in WANTED.items():
        value = figures.get(name)
        if isinstance(value, int | float) and not least <= value <= most:
            print(f"MISSED: {name} is {value}, wanted is {least:g} to {most:g}")
    return figures


def choose_sites(named: str, half: str, known: Sequence[str]) -> list[str]:
    """Return the names of the sites that are measured: those that were named, else those of a half."""
    if named:
        return [name.strip() for name in named.split(",") if name.strip()]
    return [name for name in known if half == "all" or name in HALVES[half]]


def harvests_of(
    sites: Sites, names: Sequence[str], keep: Path, asked: argparse.Namespace
) -> dict[str, object]:
    """Harvest every site, run the script beside it, print a table; return the figures."""
    print(
        f"hiddenweb {__version__}, at most {asked.minutes:g} minutes a site: {', '.join(names)}", flush=True
    )

    def one(name: str) -> Outcome:
        outcome = measure(sites, sites.open(name), keep / name, asked.minutes, asked.home_made_minutes)
        print(summarise(outcome), flush=True)
        return outcome

    with ThreadPoolExecutor(asked.jobs) as pool:
        outcomes = list(pool.map(one, names))
    print(table(HEADER, [row(outcome) for outcome in outcomes]))
    return figures_of(outcomes)


def measure(sites: Sites, site: Site, folder: Path, minutes: float, script_minutes: float) -> Outcome:
    """Harvest a site and run the script on it."""
    truth, robots = site.truth(), site.robots()
    ours = harvest(sites, site, folder, minutes)
    script_requests = max(len(ours.requests), LEAST_REQUESTS)
    theirs = home_made(sites, site, folder, script_minutes, script_requests) if script_minutes else None
    kept = read_harvest(folder / "state", truth)
    oracle = sites.oracle(site.name, kept.queries) if site.meta.get("cap") else None
    return Outcome(
        site.name, len(truth.ids), page_size(site.meta.get("page_size"), ours.requests), ours, theirs, kept,
        posts=0 if site.is_posted else posts(ours.requests),
        forbidden=forbidden(robots, f"hiddenweb/{__version__}", (sent.url for sent in ours.requests)).total(),
        oracle=oracle,
    )  # fmt: skip


def read_harvest(folder: Path, truth: Truth) -> Kept:
    """Return what a state says of its harvest."""
    with Store(folder, write=False) as state:
        urls = [None if url is None else str(url) for (url,) in state.rows("SELECT url FROM records")]
        queries = sum(int(str(number)) for (number,) in state.rows("SELECT queries FROM forms"))
        coverages = [str(text) for (text,) in state.rows("SELECT coverage FROM forms")]
    return Kept(queries, truth.judge(urls), estimate_of(coverages))


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return what is asked for, and the figures of every site."""
    versus_script = [ratio for each in outcomes if (ratio := each.versus_script) is not None]
    estimates = [(each, each.kept.estimate) for each in outcomes if each.kept.estimate]
    errors = [error for each, estimate in estimates if (error := estimate.error(each.records)) is not None]
    precisions = [each.kept.stored.precision for each in outcomes]
    return {
        "sites_at_95": sum(each.is_reached for each in outcomes),
        "sites_at_0": sum(each.seen == 0 for each in outcomes),
        "median_coverage": round_figure(middle(each.coverage for each in outcomes)),
        "vs_homemade_min": round_figure(min(versus_script, default=None)),
        "vs_homemade_median": round_figure(middle(versus_script)),
        "requests_vs_best_median": round_figure(middle(each.times_the_best for each in outcomes)),
        "record_precision_min": round_figure(
            min((each for each in precisions if each is not None), default=None)
        ),
        "estimate_error_median": round_figure(middle(errors)),
        "estimates_false": sum(estimate.is_false(each.records) for each, estimate in estimates),
        "harm": sum(each.harm for each in outcomes),
        "sites": {each.name: figures_of_site(each) for each in outcomes},
    }


def figures_of_site(outcome: Outcome) -> dict[str, object]:
    """Return all that was measured on a site."""
    stored, estimate = outcome.kept.stored, outcome.kept.estimate
    theirs = outcome.theirs
    return {
        "records": outcome.records,
        "seen": outcome.seen,
        "coverage": round_figure(outcome.coverage),
        "oracle": round_figure(outcome.oracle),
        "reached": outcome.is_reached,
        "requests": len(outcome.ours.requests),
        "requests_needed": outcome.needed,
        "requests_vs_best": round_figure(outcome.times_the_best),
        "page_size": outcome.page_size,
        "queries": outcome.kept.queries,
        "stored": stored.records,
        "precision": round_figure(stored.precision),
        "duplicates": stored.duplicates,
        "estimate": None if estimate is None else [estimate.size, estimate.low, estimate.high],
        "estimate_false": None if estimate is None else estimate.is_false(outcome.records),
        "minutes": round_figure(outcome.ours.minutes),
        "homemade_requests": len(theirs.requests) if theirs else None,
        "homemade_seen": count_seen(curve(theirs.requests), len(theirs.requests)) if theirs else None,
        "vs_homemade": round_figure(outcome.versus_script),
        "vs_homemade_at_end": round_figure(outcome.versus_script_at_end),
        "posts": outcome.posts,
        "strangers": outcome.ours.strangers,
        "forbidden": outcome.forbidden,
    }


HEADER = (
    "site", "seen", "records", "coverage", "requests", "needed", "x best", "queries", "stored", "precision", "duplicates",
    "estimate", "script", "vs script", "at end", "harm", "min",
)  # fmt: skip


def row(outcome: Outcome) -> tuple[object, ...]:
    """Return a line of the table."""
    figures, estimate, theirs = figures_of_site(outcome), outcome.kept.estimate, outcome.theirs
    script = f"{figures['homemade_seen']} in {figures['homemade_requests']}" if theirs else "-"
    cells = (
        outcome.name, outcome.seen, outcome.records, figures["coverage"], figures["requests"], outcome.needed,
        figures["requests_vs_best"], outcome.kept.queries, outcome.kept.stored.records, figures["precision"],
        outcome.kept.stored.duplicates, estimate.in_words if estimate else None, script, figures["vs_homemade"],
        figures["vs_homemade_at_end"], outcome.harm, figures["minutes"],
    )  # fmt: skip
    return tuple("-" if cell is None else cell for cell in cells)


def summarise(outcome: Outcome) -> str:
    """Return how a site went, as soon as it is known."""
    return f"{outcome.name:14}" + "  ".join(
        f"{name} {value}"
        for name, value in zip(HEADER[1:], row(outcome)[1:], strict=True)
        if name not in ("records", "needed", "at end")
    )


def middle(values: Iterable[float]) -> float | None:
    """Return the median; None of nothing."""
    found = list(values)
    return median(found) if found else None


def round_figure(value: float | None) -> float | None:
    """Return a figure with as many digits as mean something."""
    return None if value is None else round(value, 4)
