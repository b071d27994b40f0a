"""What a decision costs when very much waits: a hundred thousand sites, a million links.

The state of such a crawl is written to disk, and `FocusedStore` crawls on from there without a network: it opens sites, chooses links, and
is told what made-up pages had, one page in forty a form on the topic, so that it learns and ranks again as in a crawl. A *decision* is
all that the scheduler asks for one page: the link to visit next, with the opening of another site whenever one rests or ends.
What it costs to take in a page, its links and what they teach, is measured apart.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, quantiles
from time import perf_counter
from typing import TYPE_CHECKING

from hiddenweb.focused.locating.candidates import candidate_site
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.focused.topic_crawl import HomepageVerdict, VisitedPage
from hiddenweb.model import Link, TaskSeed
from hiddenweb.store.candidates import candidate_to_json
from hiddenweb.store.database import Store
from hiddenweb.store.focused import FocusedStore
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import CrawlTask

TOPIC = "books"
TERMS = ("book", "author", "isbn", "publish", "edit")
WORDS = [
    "book",
    "author",
    "isbn",
    "publisher",
    "edition",
    "novel",
    "search",
    "find",
    "catalogue",
    "advanced",
    "history",
    "garden",
    "travel",
    "music",
    "sport",
    "news",
    "health",
    "school",
    "house",
    "city",
    "river",
    "market",
    "science",
    "letter",
    "paper",
    "window",
    "summer",
    "winter",
    "bridge",
    "island",
    "engine",
]
AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Cost:
    """What decisions and pages cost, in milliseconds."""

    sites: int
    links: int
    decision: float
    decision_95: float  # nineteen in twenty cost less
    page: float
    ranking_share: float  # of the time of decisions: ranking sites again


def cost(seed: int, sites: int, links: int, pages: int) -> Cost:
    """Measure decisions with so many sites and links waiting, over so many pages."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as state:
        rng = Random(seed)
        _fill(state, rng, sites, links)
        state.runs.begin("benchmark", 0.0)
        stages = FocusedStore(state, TOPIC, TERMS, rng, FocusedLimits())
        return _measure(state, stages, rng, sites, links, pages)


def _fill(state: Store, rng: Random, sites: int, links: int) -> None:
    """Write sites that wait, and sites with links that wait."""
    state.write_many(
        "INSERT INTO candidates (topic, key, queue, rank, candidate) VALUES (?, ?, 1, ?, ?)",
        ((TOPIC, key, rng.gauss(-4, 1), text) for key, text in _candidates(rng, sites)),
    )
    hosts = max(1, links // 100)
    state.write_many(
        "INSERT INTO sites (id, domain, seed) VALUES (?, ?, ?)",
        ((n, f"known{n}.example", f"https://known{n}.example/") for n in range(1, hosts + 1)),
    )
    state.write_many(
        "INSERT INTO hosts (id, origin, site) VALUES (?, ?, ?)",
        ((n, f"https://known{n}.example", n) for n in range(1, hosts + 1)),
    )
    state.write_many(
        "INSERT INTO links (hash, host, url, bucket, hops, anchor, around) VALUES (?, ?, ?, 2, 1, ?, ?)",
        (
            (url_hash(url), 1 + n % hosts, url, _describe(rng, 3), _describe(rng, 12))
            for n in range(links)
            for url in (f"https://known{1 + n % hosts}.example/{n}",)
        ),
    )
    state.commit()


def _candidates(rng: Random, sites: int) -> Iterator[tuple[str, str]]:
    for number in range(sites):
        candidate = candidate_site(f"https://{rng.choice(WORDS)}-{number}.example/")
        for _ in range(1 + int(rng.expovariate(1))):
            candidate.add_link(_describe(rng, 3), _describe(rng, 20), "en")
        yield candidate.key, candidate_to_json(candidate)


def _measure(state: Store, stages: FocusedStore, rng: Random, sites: int, links: int, pages: int) -> Cost:
    deciding: list[float] = []
    reading: list[float] = []
    while len(deciding) < pages:
        begun = perf_counter()
        task = _decide(state, stages, float(len(deciding)))
        deciding.append(perf_counter() - begun)
        begun = perf_counter()
        _read(state, stages, task, rng)
        reading.append(perf_counter() - begun)
        if len(deciding) % 50 == 0:
            state.commit()
    return Cost(
        sites,
        links,
        decision=1000 * fmean(deciding),
        decision_95=1000 * quantiles(deciding, n=20)[-1],
        page=1000 * fmean(reading),
        ranking_share=stages.stages.frontier.seconds / sum(deciding),
    )


def _decide(state: Store, stages: FocusedStore, now: float) -> CrawlTask:
    """Return the link to visit next, as the scheduler asks for it."""
    while True:
        while stages.open_sites < AT_ONCE:
            stages.open_site(now)
        for host in list(state.sites.woken_hosts):
            tasks, _ = stages.lease(host, 1, now)
            if tasks:
                return tasks[0]
            state.sites.woken_hosts.discard(host)


def _read(state: Store, stages: FocusedStore, task: CrawlTask, rng: Random) -> None:
    """Tell the stages what a made-up page had."""
    start = "/".join(task.url.split("/")[:3])
    leads = [
        TaskSeed(
            f"{start}/{rng.choice(WORDS)}/{rng.randrange(10_000)}", "page", 2, task.hops + 1, parent=task.link,
            anchor=_describe(rng, 3), around=_describe(rng, 12), tag_path=rng.choice(("html/body/nav/a", "html/body/ul/li/a")),
        )
        for _ in range(20)
    ]  # fmt: skip
    outward = [
        Link(f"https://new{rng.randrange(10**9)}.example/", _describe(rng, 3), _describe(rng, 20))
        for _ in range(2)
    ]
    forms = int(rng.random() < 1 / 40)
    state.frontier.add(leads)
    stages.read(
        task,
        VisitedPage(
            task.url, leads, outward, "en", forms, forms,
            HomepageVerdict(on_topic=rng.random() < 0.5, verdict=json.dumps({})),
        ),
    )  # fmt: skip
    state.frontier.finish(task)
    state.sites.woken_hosts.add(task.host)


def _describe(rng: Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))
