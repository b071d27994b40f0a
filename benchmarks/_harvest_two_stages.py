"""The two-stage crawlers on a simulated web: SCDI, SmartCrawler as published, ours, and ours with one idea taken away.

They are the very objects that decide in a crawl (`hiddenweb.focused.smartcrawler`), read page by page.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hiddenweb.focused.adaptive import ALL_FEATURES, AdaptiveCrawler, AdaptiveFeatures
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import FocusedLimits, PageFindings
from hiddenweb.language.terms import terms
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from benchmarks._harvest_web import Answer, GraphWeb

MOST_LINKING = 10
"""Pages that reverse search reads for one good site: the first page of answers of a search engine."""

ALL = 1_000_000
"""Candidates whose ranks are never out of date: as published, all are ranked again. Ours holds as few as in a crawl."""


class TwoStagePolicy:
    """A two-stage crawler that reads one page at a time."""

    def __init__(self, stages: SmartCrawler | AdaptiveCrawler, web: GraphWeb, topic: str) -> None:
        self._stages = stages
        self._web = web
        self._topic = topic
        self._site: str | None = None
        self._fetched: set[str] = set()
        self._met: set[tuple[str, int]] = set()
        self._lead = LinkCandidate("", 0)
        stages.start(web.seeds(topic))

    def next(self) -> str | None:
        """Return the address to read next; None when nothing is left."""
        while True:
            if self._site is None or self._site not in self._stages.open_sites:
                candidate = self._stages.next_site()
                if candidate is None:
                    return None
                self._site = candidate.key
            lead = self._stages.next_link(self._site)
            if lead is None:
                continue
            if lead.url in self._fetched:
                self._stages.skip(self._site, lead)
                continue
            self._lead = lead
            self._fetched.add(lead.url)
            return lead.url

    def note(self, url: str, answer: Answer | None) -> None:
        """Learn what came of it."""
        assert self._site is not None
        self._stages.read(
            self._site, self._lead, self._findings(url, answer) if answer else PageFindings(is_missing=True)
        )

    def _findings(self, url: str, answer: Answer) -> PageFindings:
        site, page = registered_domain(url), answer.page
        inside, outward = [], []
        for link in page.links:
            if registered_domain(link.url) != site:
                outward.append(link)
            elif link.url not in self._fetched:
                inside.append(
                    LinkCandidate(
                        link.url, self._lead.depth + 1, link.anchor, link.around, link.tag_path, page.language,
                        parent=url,
                    )
                )  # fmt: skip
        new = [form for form in answer.forms if (site, form.id) not in self._met]
        self._met.update((site, form.id) for form in new)
        on_topic = self._lead.depth > 0 or self._web.is_taken_for_on_topic(url, self._topic)
        return PageFindings(
            inside,
            outward,
            page.language,
            forms=sum(form.taken_for_search for form in new),
            rewards=sum(form.is_taken_for_relevant(self._topic) for form in new),
            on_topic=on_topic,
        )


def make_scdi(web: GraphWeb, topic: str, rng: Random) -> TwoStagePolicy:
    """SCDI: sites by the same classifier and stop criteria, in the order they were found; no ranks, queues, reverse search."""
    stages = SmartCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), rng, FocusedLimits(), ranked=False, held=ALL
    )
    return TwoStagePolicy(stages, web, topic)


def make_smartcrawler(web: GraphWeb, topic: str, rng: Random) -> TwoStagePolicy:
    """SmartCrawler as published."""
    stages = SmartCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), rng, FocusedLimits(), linking=_linking(web), held=ALL
    )
    return TwoStagePolicy(stages, web, topic)


def make_ours(web: GraphWeb, topic: str, rng: Random) -> TwoStagePolicy:
    """Both stages on one scale."""
    return _adaptive(web, topic, rng)


def _adaptive(
    web: GraphWeb,
    topic: str,
    rng: Random,
    *,
    enabled: AdaptiveFeatures = ALL_FEATURES,
    reverse: bool = True,
    topical: bool = True,
) -> TwoStagePolicy:
    stages = AdaptiveCrawler(
        MemorySiteCandidates(),
        MemoryLinkIndex(),
        rng,
        FocusedLimits(),
        linking=_linking(web) if reverse else None,
        topic=frozenset(terms(web.words(topic), "en")) if topical else frozenset(),
        enabled=enabled,
    )
    return TwoStagePolicy(stages, web, topic)


ABLATIONS: Mapping[str, Callable[[GraphWeb, str, Random], TwoStagePolicy]] = {
    "without kin (the tag-path bandit)": partial(_adaptive, enabled=AdaptiveFeatures(groups=False)),
    "without delayed reward": partial(_adaptive, enabled=AdaptiveFeatures(delayed=False)),
    "without resting: a site is explored to its end": partial(
        _adaptive, enabled=AdaptiveFeatures(resting=False)
    ),
    "without a head start": partial(_adaptive, enabled=AdaptiveFeatures(head_start=False)),
    "without reverse search": partial(_adaptive, reverse=False),
    "without words of the topic": partial(_adaptive, topical=False),
}
"""Ours with one idea taken away."""


def _linking(web: GraphWeb) -> Callable[[str], tuple[str, ...]]:
    return lambda site: web.linking(f"https://{site}/")[:MOST_LINKING]
