"""changes: what looking at pages again costs, and whether exactly what changed is told, at the right time, whatever dies.

Five parts, of which each is described where it is made:

- speed (`benchmarks._changes_speed`): a site of 6,540 pages (`--quick`: 600) that answers each after 200 ms and has not changed. The paper's configurations 1, 2 and 3
  with threads, ours over the number of requests at a time, and urlwatch. `reduction_vs_single`, `cpu_ms_per_unchanged_page`, `rss_mb`, `cpu_vs_urlwatch`. Without
  urlwatch (`HIDDENWEB_URLWATCH` names the command, else that beside this Python or on the path) its figures are null, and the output says so.
- correctness (`benchmarks._changes_correctness`): a thousand pages over six rounds (`--quick`: 300). `missed`, `count_missed` (of paragraphs that change at every look, `benchmarks._changes_again`), `wrong_words`, `false_alarms` from the third round on,
  `false_alarms_by_round` from the second on; beside it `false_alarms_plain`: what any comparison of visible texts would have raised, and, in a full run,
  `false_alarms_urlwatch`: what urlwatch did (`benchmarks._changes_plain`).
- freshness (`benchmarks._changes_freshness`): `freshness_vs_optimum` at three budgets.
- sameness (`benchmarks._changes_sameness`): `fingerprints`, their memory, `us_per_lookup`, `recall`, `merges`.
- killed workers (`benchmarks._changes_kills`): `lost_after_kills`, `told_twice_after_kills`, `longest_stall_s`.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks import _changes_freshness, _changes_speed
from benchmarks._changes_again import count_missed
from benchmarks._changes_correctness import PAGES, simulate
from benchmarks._changes_kills import revisit_killed
from benchmarks._changes_plain import plain_alarms, urlwatch_alarms
from benchmarks._changes_sameness import sameness
from benchmarks._changes_site import slow_site
from benchmarks._changes_urlwatch import command
from benchmarks._harvest_plot import Curve, plot
from benchmarks.report import RESULTS, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks import Options
    from benchmarks._changes_kills import Killed
    from benchmarks._changes_plain import Plain
    from benchmarks._changes_speed import Speed

AT_LEAST = {
    "reduction_vs_single": 0.98,
    "lowest_freshness_vs_optimum": 0.97,
    "lowest_recall": 0.95,
    "worker_kills": 1,
}
AT_MOST = {
    "cpu_ms_per_unchanged_page": 2.0, "cpu_vs_urlwatch": 1.0, "missed": 0, "missed_again": 0, "wrong_words": 0, "false_alarms": 0, "fingerprints_rss_mb": 200,
    "merges": 0, "lost_after_kills": 0, "told_twice_after_kills": 0, "longest_stall_s": 5.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is done."""

    speed: _changes_speed.Scale
    watched: int  # pages of the simulation of correctness
    read_while_killed: int
    kills: int


QUICK = Scale(_changes_speed.QUICK, 300, 120, 3)
FULL = Scale(_changes_speed.FULL, PAGES, 6_540, 60)
KILLED_N = 32


def run(options: Options) -> Mapping[str, object]:
    """Measure everything and print it."""
    scale = QUICK if options.quick else FULL
    figures: dict[str, object] = {}
    with (
        tempfile.TemporaryDirectory(prefix="hiddenweb-changes-") as folder,
        slow_site(options.seed, scale.speed.pages) as site,
    ):
        speed = _changes_speed.measure(site, options.seed, scale.speed, Path(folder))
        figures |= _changes_speed.figures_of(speed, scale.speed)
        show_speed(speed, scale.speed)
        if not options.quick:
            save_plot(speed)
        draw = Random(options.seed)
        state = Path(folder) / "state"
        killed = revisit_killed(site, state, KILLED_N, scale.read_while_killed, scale.kills, draw)
        figures |= figures_of_kills(killed)
    figures |= run_simulations(options, scale)
    for line in list_missed_targets(figures):
        print(line)
    return figures


def show_speed(speed: Speed, scale: _changes_speed.Scale) -> None:
    """Print what each configuration takes for a page, over the number of requests at a time."""
    print(f"Milliseconds of an unchanged page; one thread: {speed.alone:.1f}, by {scale.alone} pages.\n")
    rows = [
        (n, scale.over_n[n], speed.three_sections[n], speed.two_sections[n], speed.ours[n])
        for n in speed.ours
    ]
    print(table(("N", "pages", "configuration 2", "configuration 3", "ours"), rows))
    print(f"\nCPU of ours: {speed.cpu_ms:.2f} ms a page, {speed.rss_mb:.0f} MB resident.")
    if speed.watched is None:
        print("urlwatch is not installed: there are no figures of it. pip install urlwatch")
    else:
        seen = speed.watched
        print(
            f"urlwatch {seen.version} on {seen.pages} pages: CPU {seen.cpu_ms:.2f} ms a page, {seen.ms:.1f} ms on the clock\n"
        )


def save_plot(speed: Speed) -> None:
    """Draw milliseconds of a page over the number of requests at a time."""
    curves = [
        Curve(name, tuple(sorted((float(n), ms) for n, ms in measured.items())), dashed=name != "ours")
        for name, measured in (
            ("ours", speed.ours),
            ("configuration 3", speed.two_sections),
            ("configuration 2", speed.three_sections),
        )
    ]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "changes.svg").write_text(
        plot("Looking at an unchanged page", "requests at a time (N)", "ms of a page", curves),
        encoding="utf-8",
    )


def figures_of_kills(killed: Killed) -> dict[str, object]:
    """Return what became of a crawl whose workers were killed, and print it."""
    print(
        f"\n{killed.kills} kills of workers in {killed.seconds:.0f} s while {killed.pages} changed pages were read: {killed.lost} lost,"
        f" {killed.told_twice} told twice, longest stall {killed.longest_stall:.2f} s\n"
    )
    return {
        "worker_kills": killed.kills,
        "pages_while_killed": killed.pages,
        "lost_after_kills": killed.lost,
        "told_twice_after_kills": killed.told_twice,
        "longest_stall_s": round(killed.longest_stall, 2),
    }


def run_simulations(options: Options, scale: Scale) -> dict[str, object]:
    """Return the figures of the parts that need no site; in two processes, and the memory of fingerprints is that of one of them."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        same = pool.submit(sameness, quick=options.quick, seed=options.seed)
        others = pool.submit(_correct_and_fresh, options.seed, scale.watched, options.quick)
        return {**others.result(), **figures_of_sameness(same.result())}


def _correct_and_fresh(seed: int, pages: int, quick: bool) -> dict[str, object]:
    return correctness(seed, pages, None if quick else command()) | freshness(seed, quick=quick)


def correctness(seed: int, pages: int, urlwatch: str | None) -> dict[str, object]:
    """Return what was told of pages that changed and of pages that did not, and what others would have told of them."""
    ours = simulate(Random(seed), pages=pages)
    plain = plain_alarms(Random(seed), pages=pages)
    watched = _run_urlwatch(seed, pages, urlwatch) if urlwatch else None
    again, missed_of_them = count_missed(seed, pages=pages // 5)
    print(
        f"{pages} pages, six rounds: {ours.found} changes found, {len(ours.missed)} missed, {len(ours.wrong_words)} with wrong words. False alarms in rounds 2 to 6:"
        f" ours {ours.false_alarms}, any comparison of texts {plain.false_alarms}\n",
        f"Of {again} changes of paragraphs that change at every look, {missed_of_them} were missed.\n",
        *([f"urlwatch {watched.false_alarms}, {watched.missed} missed\n"] if watched else []),
        *(f"{line[:300]}\n" for line in (*ours.missed, *ours.wrong_words, *ours.alarms)),
    )
    return {
        "pages_watched": pages,
        "found": ours.found,
        "missed": len(ours.missed),
        "wrong_words": len(ours.wrong_words),
        "changed_again": again,
        "missed_again": missed_of_them,
        "false_alarms": ours.late_alarms,
        "false_alarms_by_round": list(ours.false_alarms),
        "found_plain": plain.found,
        "missed_plain": plain.missed,
        "false_alarms_plain": sum(plain.false_alarms[1:]),
        "false_alarms_plain_by_round": list(plain.false_alarms),
        "missed_urlwatch": watched.missed if watched else None,
        "false_alarms_urlwatch": sum(watched.false_alarms[1:]) if watched else None,
        "false_alarms_urlwatch_by_round": list(watched.false_alarms) if watched else None,
    }


def _run_urlwatch(seed: int, pages: int, urlwatch: str) -> Plain:
    with tempfile.TemporaryDirectory(prefix="hiddenweb-urlwatch-") as folder:
        return urlwatch_alarms(urlwatch, Random(seed), Path(folder) / "urlwatch", pages=pages)


def freshness(seed: int, *, quick: bool) -> dict[str, object]:
    """Return how fresh pages are kept, by looks a page and day."""
    kept: Mapping[str, Any] = _changes_freshness.run(seed, quick=quick)
    budgets: Mapping[str, Mapping[str, float]] = kept["budgets"]
    return {
        "freshness_pages": kept["pages"],
        **{
            name: {budget: round(each[key], 4) for budget, each in budgets.items()}
            for name, key in (
                ("freshness_vs_optimum", "freshness_vs_optimum"),
                ("freshness", "ours"),
                ("freshness_optimum", "optimum"),
                ("freshness_uniform", "uniform"),
                ("freshness_proportional", "proportional"),
            )
        },
        "lowest_freshness_vs_optimum": round(kept["freshness_vs_optimum"], 4),
        "longest_wait_in_mean_intervals": kept["longest_wait"],
    }


def figures_of_sameness(found: Mapping[str, Any]) -> dict[str, object]:
    """Return how well pages are told apart, under names that say of what."""
    recall = found["recall_at_3_percent"]
    return {
        "fingerprints": found["fingerprints"],
        "fingerprints_rss_mb": found["rss_mb"],
        "us_per_lookup": found["us_per_lookup"],
        "cpu_us_per_lookup": found["cpu_us_per_lookup"],
        "recall": recall,
        "lowest_recall": min(recall.values()),
        "recall_swde": found.get("recall_at_3_percent_on_swde"),
        "merges": found["merges_template"] + found.get("merges_swde", 0),
        "merges_swde": found.get("merges_swde"),
        "pairs_swde": found["pairs_swde"],
    }


def list_missed_targets(figures: Mapping[str, object]) -> list[str]:
    """Return a line for each figure that is not as wanted; those that were not measured are passed over.

    >>> list_missed_targets({"missed": 0, "reduction_vs_single": 0.97, "cpu_vs_urlwatch": None})
    ['MISSED: reduction_vs_single is 0.97, wanted is at least 0.98']
    """
    known = {
        name: float(str(value))
        for name, value in figures.items()
        if name in AT_LEAST | AT_MOST and value is not None
    }
    low = [(name, "least", wanted) for name, wanted in AT_LEAST.items() if known.get(name, wanted) < wanted]
    high = [(name, "most", wanted) for name, wanted in AT_MOST.items() if known.get(name, wanted) > wanted]
    return [
        f"MISSED: {name} is {figures[name]}, wanted is at {side} {wanted}"
        for name, side, wanted in low + high
    ]
