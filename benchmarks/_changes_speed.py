"""What a look at a page costs that has not changed: the paper's three configurations, ours, and urlwatch, on one slow site.

Ours is `scrapy crawl revisit` in a process of its own, after `scrapy crawl explore` has read the site and a first revisit has taken in what its pages say; both of these are
not measured, and the site answers them without delay. Its seconds are those from the opening of the spider to its end, by Scrapy's own clock: planning and imports are not in it, while
`ms_per_page_with_start_up` has the whole process. Its CPU is user and system time of the whole process with its children, less that of a revisit with a budget of one page.
Those of the threads are from the start of the first thread to the end of the last, and the one thread is measured on some of the pages.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks._changes_processes import Failed, crawl_command, run
from benchmarks._changes_site import DELAY, html
from benchmarks._changes_threads import Texts, one_thread, text_of, three_sections, two_sections
from benchmarks._changes_urlwatch import Watched, command, watch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from benchmarks._changes_processes import Ran
    from benchmarks._changes_site import Site

PAPER_N = 78
OURS_N = 128
FILLING_N = 32


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    pages: int
    alone: int  # pages for one thread
    over_n: Mapping[int, int]  # pages for so many requests at a time
    watched: int  # pages for urlwatch


QUICK = Scale(600, 10, {PAPER_N: 390, OURS_N: 600}, 100)
FULL = Scale(6_540, 60, {8: 400, 32: 1_600, PAPER_N: 6_540, OURS_N: 6_540}, 6_540)


@dataclass(slots=True)
class Speed:
    """Milliseconds of a page, by configuration and requests at a time, and what ours and urlwatch take."""

    alone: float
    three_sections: dict[int, float] = field(default_factory=dict)
    two_sections: dict[int, float] = field(default_factory=dict)
    ours: dict[int, float] = field(default_factory=dict)
    with_start_up: float = 0.0
    cpu_ms: float = 0.0
    rss_mb: float = 0.0
    watched: Watched | None = None


def measure(site: Site, seed: int, scale: Scale, folder: Path) -> Speed:
    """Measure all configurations, one after the other, on a state and a store that are left in the folder."""
    fill(site, folder)
    with closing(Texts(folder / "texts.sqlite")) as texts:
        numbered = enumerate(site.urls())
        texts.keep((url, text_of(html(seed, number, site.pages).encode(), url)) for number, url in numbered)
        speed = Speed(1000 * one_thread(site.urls(scale.alone), texts) / scale.alone)
        for at_once, pages in scale.over_n.items():
            urls = site.urls(pages)
            speed.three_sections[at_once] = 1000 * three_sections(urls, texts, at_once) / pages
            speed.two_sections[at_once] = 1000 * two_sections(urls, texts, at_once) / pages
            ran = revisit(site, folder, at_once, pages)
            speed.ours[at_once] = 1000 * ran.elapsed / pages
    one = revisit(site, folder, at_once, 1)
    speed.with_start_up = 1000 * ran.wall / pages
    speed.cpu_ms = 1000 * (ran.cpu - one.cpu) / (pages - 1)
    speed.rss_mb = ran.rss_mb
    if urlwatch := command():
        speed.watched = watch(urlwatch, site, scale.watched, folder / "urlwatch")
    return speed


def fill(site: Site, folder: Path) -> None:
    """Read the site, and take in what its pages say."""
    site.take(0.0)
    run(crawl_command("explore", folder / "state", site, FILLING_N, sites=site.url), folder / "explore.log")
    site.take_counts()
    revisit(site, folder, FILLING_N, site.pages)
    site.take(DELAY)


def revisit(site: Site, folder: Path, at_once: int, pages: int) -> Ran:
    """Look at pages again; raises Failed unless so many were asked for, each once, and all were found as they were."""
    site.take_counts()
    ran = run(crawl_command("revisit", folder / "state", site, at_once, budget=pages), folder / "revisit.log")
    if site.take_counts() != (pages, pages) or ran.count("revisits/same_bytes") != pages:
        raise Failed(
            f"not all of {pages} pages were looked at once and found unchanged:\n{ran.output[-2000:]}"
        )
    return ran


def figures_of(speed: Speed, scale: Scale) -> dict[str, object]:
    """Return what is asked for, and what each configuration takes."""
    watched = speed.watched
    ours = speed.ours[OURS_N]
    return {
        "pages": scale.pages,
        "reduction_vs_single": round(1 - ours / speed.alone, 4),
        "reduction_vs_single_with_start_up": round(1 - speed.with_start_up / speed.alone, 4),
        "reduction_of_configuration_2": round(1 - speed.three_sections[PAPER_N] / speed.alone, 4),
        "reduction_of_configuration_3": round(1 - speed.two_sections[PAPER_N] / speed.alone, 4),
        "ms_per_page": {
            "configuration_1": round(speed.alone, 2),
            "configuration_2": round(speed.three_sections[PAPER_N], 2),
            "configuration_3": round(speed.two_sections[PAPER_N], 2),
            "ours_78": round(speed.ours[PAPER_N], 2),
            "ours": round(ours, 2),
            "ours_with_start_up": round(speed.with_start_up, 2),
            "urlwatch": round(watched.ms, 2) if watched else None,
        },
        "ms_per_page_over_n": {
            str(n): {
                "configuration_2": round(speed.three_sections[n], 2),
                "configuration_3": round(speed.two_sections[n], 2),
                "ours": round(speed.ours[n], 2),
            }
            for n in speed.ours
        },
        "cpu_ms_per_unchanged_page": round(speed.cpu_ms, 3),
        "rss_mb": round(speed.rss_mb, 1),
        "urlwatch_version": watched.version if watched else None,
        "urlwatch_pages": watched.pages if watched else None,
        "urlwatch_cpu_ms_per_unchanged_page": round(watched.cpu_ms, 3) if watched else None,
        "urlwatch_rss_mb": round(watched.rss_mb, 1) if watched else None,
        "cpu_vs_urlwatch": round(speed.cpu_ms / watched.cpu_ms, 3) if watched else None,
    }
