"""A crawl on a topic: what the scheduler, the middleware for forms and the last pipeline share of it.

Each of them asks for `topic_crawl`, which is made once for a state, from the settings: there is none if HIDDENWEB_TOPIC is not set,
and then a crawl follows all links of the sites that it was given.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from hiddenweb.exploring.stopping import Criteria
from hiddenweb.forms.topic import relevance, says_little
from hiddenweb.locating.classifier import SiteClassifier
from hiddenweb.locating.topic import read_topic
from hiddenweb.storage.stages import STRATEGIES, Judged, KeptStages
from hiddenweb.two_stages import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.items import Form, Link, NewLink, Page, Visit
    from hiddenweb.locating.topic import Topic
    from hiddenweb.storage.sqlite import State

MOST_LINKING = 10
"""Pages that reverse search has read for one good site: as many as a search engine shows at once."""


class Settings(Protocol):
    """What is asked of Scrapy's settings."""

    def get(self, name: str) -> object: ...
    def getint(self, name: str) -> int: ...
    def getfloat(self, name: str) -> float: ...
    def getbool(self, name: str) -> bool: ...


class TopicCrawl:
    """The topic of a crawl, the stages that look for it, and what says whether a page or a form is about it."""

    def __init__(self, topic: Topic, stages: KeptStages, classifier: SiteClassifier, relevant: float) -> None:
        self.topic = topic
        self.stages = stages
        self.classifier = classifier
        self._relevant = relevant

    def judged(self, page: Page) -> Judged:
        """Return whether the site of a homepage is on topic, and why."""
        verdict = self.classifier.judge(page.text, page.title, page.language)
        return Judged(verdict.on_topic, json.dumps(asdict(verdict), ensure_ascii=False))

    def read(self, visit: Visit, page: Page, links: Iterable[NewLink], outward: Iterable[Link]) -> None:
        """Tell the stages what a page had, and let the classifier learn from a site that has forms on topic."""
        is_home = visit.errand.hops == 0
        given = self.stages.read(
            visit.errand,
            visit.url,
            links,
            outward,
            language=page.language,
            forms=visit.forms_given,
            rewards=visit.forms_on_topic,
            judged=self.judged(page) if is_home else Judged(on_topic=True),
        )
        if given is not None:
            text = page.text if is_home else self.stages.homepage_text(given)
            self.classifier.learn(text, on_topic=True, language=page.language)

    def relevance(self, form: Form, page: Page) -> tuple[float, bool]:
        """Return how near a form is to the topic, and whether that is enough.

        Many a form is one box with "Search" on it: what it searches is said by the page it stands on.
        """
        near = relevance(form, self.topic.vector(form.language))
        if near >= self._relevant:
            return near, True
        if not says_little(form):
            return near, False
        return near, self.classifier.judge(page.text, page.title, page.language).on_topic


_crawls: WeakKeyDictionary[State, TopicCrawl] = WeakKeyDictionary()


def topic_crawl(state: State, settings: Settings) -> TopicCrawl | None:
    """Return what the parts of a crawl on a topic share; None if the crawl has no topic."""
    name = settings.get("HIDDENWEB_TOPIC")
    if not name:
        return None
    if state not in _crawls:
        _crawls[state] = _made(state, read_topic(str(name)), settings)
    return _crawls[state]


def _made(state: State, topic: Topic, settings: Settings) -> TopicCrawl:
    stages = KeptStages(
        state,
        topic.name,
        topic.vector(),
        Random(settings.getint("HIDDENWEB_RANDOM_SEED")),
        plan_of(settings),
        strategy=strategy_of(settings),
        wander=settings.getbool("HIDDENWEB_WANDER"),
    )
    return TopicCrawl(topic, stages, SiteClassifier(topic), settings.getfloat("HIDDENWEB_RELEVANCE"))


def plan_of(settings: Settings) -> Plan:
    """Return the numbers of the two stages."""
    number = settings.getint
    return Plan(
        criteria=Criteria(
            depth=number("HIDDENWEB_SITE_DEPTH"),
            pages=number("HIDDENWEB_PAGES_PER_DEPTH"),
            forms=number("HIDDENWEB_FORMS_PER_DEPTH"),
            barren=number("HIDDENWEB_BARREN_PER_DEPTH"),
            barren_in_all=number("HIDDENWEB_BARREN_PAGES"),
        ),
        alpha=settings.getfloat("HIDDENWEB_SITE_ALPHA"),
        visits=number("HIDDENWEB_LINKS_PER_DEPTH"),
        deep_sites=number("HIDDENWEB_LEARN_SITES"),
        forms=number("HIDDENWEB_LEARN_FORMS"),
        few=number("HIDDENWEB_FEW_SITES"),
        hub=number("HIDDENWEB_HUB_LINKS"),
    )


def strategy_of(settings: Settings) -> str:
    """Return how sites and links are chosen; raises ValueError for a way that there is not."""
    strategy = str(settings.get("HIDDENWEB_STRATEGY"))
    if strategy not in STRATEGIES:
        raise ValueError(f"{strategy!r} is no strategy; there are {', '.join(STRATEGIES)}")
    return strategy
