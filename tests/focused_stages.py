"""Both ways of crawling on a topic, on webs that are made by hand, page by page."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import FocusedLimits, PageFindings
from hiddenweb.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Stages = SmartCrawler | AdaptiveCrawler


def smart(*seeds: str, plan: FocusedLimits | None = None, **options: Any) -> SmartCrawler:
    stages = SmartCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), Random(1), plan or FocusedLimits(), **options
    )
    stages.start(homepage(seed) for seed in seeds)
    return stages


def adaptive(*seeds: str, plan: FocusedLimits | None = None, **options: Any) -> AdaptiveCrawler:
    stages = AdaptiveCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), Random(1), plan or FocusedLimits(), **options
    )
    stages.start(homepage(seed) for seed in seeds)
    return stages


def homepage(name: str) -> str:
    return f"https://{name}.example/"


def key(name: str) -> str:
    return f"{name}.example"


def links(*names: str, anchor: str = "", around: str = "") -> list[Link]:
    return [Link(homepage(name), anchor, around) for name in names]


def inner_links(site: str, *names: str, depth: int = 1) -> list[LinkCandidate]:
    return [
        LinkCandidate(f"{homepage(site)}{name}", depth, name, language="en", parent=homepage(site))
        for name in names
    ]


def read_home(stages: Stages, **had: Any) -> str:
    """Open the next site and read its homepage; say what it is called."""
    candidate = stages.next_site()
    assert candidate is not None
    lead = stages.next_link(candidate.key)
    assert lead is not None
    stages.read(candidate.key, lead, PageFindings(language="en", **had))
    return candidate.key.removesuffix(".example")


def read_next(stages: Stages, site: str, **had: Any) -> str:
    """Read the next page of an open site; say what its link is called."""
    lead = stages.next_link(key(site))
    assert lead is not None
    stages.read(key(site), lead, PageFindings(language="en", **had))
    return lead.anchor


def waiting(stages: Stages) -> list[str]:
    """Open the sites that wait until there is none; say in which order they came."""
    names = []
    while candidate := stages.next_site():
        names.append(candidate.key.removesuffix(".example"))
    return names


def is_high(stages: Stages, name: str) -> bool:
    high = [candidate.key for candidate, _ in stages.frontier._waiting.best(1000)]
    assert stages.frontier.get(key(name)) is not None
    return key(name) in high


def read_all(stages: Stages, had: Callable[[str], PageFindings]) -> list[str]:
    """Open the sites that wait until there is none, and read their homepages; say in which order they came."""
    names = []
    while candidate := stages.next_site():
        lead = stages.next_link(candidate.key)
        if lead is not None:
            names.append(candidate.key.removesuffix(".example"))
            stages.read(candidate.key, lead, had(names[-1]))
    return names


class Search:
    """A reverse search that answers with pages of a directory, and remembers what it was asked."""

    def __init__(self, pages: int = 1) -> None:
        self.targets: list[str] = []
        self._pages = pages

    def __call__(self, site: str) -> Iterable[str]:
        self.targets.append(site)
        return [f"https://directory.example/{site}/{number}" for number in range(self._pages)]


def a_web(rng: Random) -> dict[str, PageFindings]:
    """A web of sites that link to each other; every address that is linked to has a page."""
    names = [f"s{n}" for n in range(12)]
    web: dict[str, PageFindings] = {}
    for name in names:
        level = [homepage(name)]
        for depth in range(1, 5):
            below: list[str] = []
            for page in level:
                inside = [f"{len(web)}-{number}" for number in range(rng.randrange(1, 4) if depth < 4 else 0)]
                found = inner_links(name, *inside, depth=depth)
                below += [lead.url for lead in found]
                gave = int(rng.random() < 0.2)
                web[page] = PageFindings(
                    found,
                    links(*rng.sample(names, 2)),
                    forms=gave,
                    rewards=gave,
                    on_topic=rng.random() < 0.9,
                )
            level = below
    return web


def crawl_all(stages: Stages, web: dict[str, PageFindings]) -> list[str]:
    """Read page by page until nothing is left, as a simulation does."""
    urls: list[str] = []
    while candidate := stages.next_site():
        while candidate.key in stages.open_sites:
            lead = stages.next_link(candidate.key)
            if lead is not None:
                assert len(urls) < 10_000
                urls.append(lead.url)
                stages.read(candidate.key, lead, web.get(lead.url, PageFindings()))
    return urls
