"""A crawl on a topic: what the middleware for forms and the last pipeline share, and the limits that settings give it.

A crawl has a topic if HIDDENWEB_TOPIC is set; else it follows all links of its seeds' sites.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

from hiddenweb.focused.form_relevance import has_few_words, relevance
from hiddenweb.focused.locating.reverse_search import HostGraph, SearchEngine
from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.frontier.stopping import StopCriteria

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from hiddenweb.focused.locating.site_classifier import SiteClassifier, SiteVerdict
    from hiddenweb.focused.topic import Topic
    from hiddenweb.model import CrawlTask, Fetched, Form, Link, Page, TaskSeed

logger = logging.getLogger(__name__)

MOST_LINKING = 10
"""Pages that reverse search reads for one good site: as many as a search engine lists at once."""


STRATEGIES = ("adaptive", "smartcrawler")


class FocusedSettings(Protocol):
    """What is used of Scrapy's settings."""

    def get(self, name: str) -> object: ...
    def getint(self, name: str) -> int: ...
    def getfloat(self, name: str) -> float: ...
    def getbool(self, name: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class HomepageVerdict:
    """What the classifier says about a homepage."""

    on_topic: bool
    verdict: str = ""  # JSON, which scrapy explain shows


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """What the stages learn from a page that they chose."""

    url: str
    links: Iterable[TaskSeed]  # to pages of its site
    outward: Iterable[Link]  # to other sites
    language: str
    forms: int  # search forms that no earlier page of the site had
    rewards: int  # of these, those on the topic
    homepage: HomepageVerdict


class FocusedStages(Protocol):
    """The two stages of a crawl on a topic, as the parts that read pages use them."""

    @property
    def deepest(self) -> int:
        """To which distance from its homepage, in links, a site is explored."""

    def is_chosen(self, task: CrawlTask) -> bool:
        """Say whether a stage chose a link."""

    def is_engine(self, task: CrawlTask) -> bool:
        """Say whether a link is a query to a search engine."""

    def read(self, task: CrawlTask, page: VisitedPage) -> None:
        """Learn from a page that a stage chose."""

    def note_engine_answer(self, task: CrawlTask, urls: Iterable[str]) -> None:
        """Note which pages a search engine named."""

    def move_site(self, task: CrawlTask, target: str) -> bool:
        """Say whether a link redirects to another site, which then is added as a candidate."""

    def note_missing(self, task: CrawlTask) -> None:
        """Note that there is nothing to read: no answer, or no page."""

    def note_skipped(self, task: CrawlTask) -> None:
        """Note that a link was not visited after all."""


class Relevance:
    """Says whether forms are on a topic."""

    def __init__(self, topic: Topic, classifier: SiteClassifier, relevant: float) -> None:
        self._topic = topic
        self._classifier = classifier
        self._relevant = relevant
        self._last: tuple[Page, SiteVerdict] | None = None  # the page that was judged last

    def judge_form(self, form: Form, page: Page | None) -> tuple[float, bool]:
        """Return the relevance of a form to the topic, and whether that is enough.

        Many forms are a single box with "Search" on it: then the page, if it is known, says what they search.
        """
        cosine = relevance(form, self._topic.vector(form.language))
        if cosine >= self._relevant:
            return cosine, True
        if page is None or not has_few_words(form):
            return cosine, False
        return cosine, self.judge_page(page).on_topic

    def judge_page(self, page: Page) -> SiteVerdict:
        """Return the verdict on a page; it is computed once for all forms of the page and for its site."""
        if self._last is None or self._last[0] is not page:
            self._last = page, self._classifier.judge(page.text, page.title, page.language)
        return self._last[1]


class TopicCrawl:
    """The topic of a crawl, its two stages, and the classifiers of pages and forms."""

    def __init__(
        self,
        topic: Topic,
        stages: FocusedStages,
        classifier: SiteClassifier,
        relevant: float,
        engine: SearchEngine | None = None,
    ) -> None:
        self.topic = topic
        self.stages = stages
        self.classifier = classifier
        self._relevance = Relevance(topic, classifier, relevant)
        self.relevance = self._relevance.judge_form
        self._engine = engine

    def judge_homepage(self, page: Page) -> HomepageVerdict:
        """Return whether the site of a homepage is on topic, and why."""
        verdict = self._relevance.judge_page(page)
        return HomepageVerdict(verdict.on_topic, json.dumps(asdict(verdict), ensure_ascii=False))

    def read(self, fetched: Fetched, page: Page, links: Iterable[TaskSeed], outward: Iterable[Link]) -> None:
        """Pass a page to the stages."""
        is_home = fetched.task.hops == 0
        self.stages.read(
            fetched.task,
            VisitedPage(
                fetched.url,
                links,
                outward,
                page.language,
                forms=fetched.new_forms,
                rewards=fetched.forms_on_topic,
                homepage=self.judge_homepage(page) if is_home else HomepageVerdict(on_topic=True),
            ),
        )

    def read_answer(self, fetched: Fetched) -> list[str]:
        """Return the pages that a search engine lists; raises ValueError if its answer cannot be read."""
        assert self._engine is not None
        return self._engine.read_answer(fetched.body, fetched.content_type, fetched.url)


class ReverseLinks:
    """Who links to a site, by a host graph and a search engine.

    The graph is read in a thread, which may take minutes: its results arrive later. The search engine is fetched as any page is.
    """

    def __init__(self, graph: HostGraph | None, engine: SearchEngine | None) -> None:
        self._graph = graph
        self._engine = engine
        self._threads = ThreadPoolExecutor(1, "host-graph") if graph is not None else None
        self._found: deque[str] = deque()
        self._wanted: deque[str] = deque()
        self.query_engine: Callable[[str], None] = lambda _: None

    def linking(self, site: str) -> Iterable[str]:
        """Begin to search for the pages that link to a site; they arrive later."""
        target = f"https://{site}/"
        if self._engine is not None:
            self.query_engine(self._engine.request_for(target))
        if self._threads is not None:
            self._wanted.append(target)
            self._threads.submit(self._look_up)
        return ()

    def _look_up(self) -> None:
        """Look up all sites wanted by now in one pass."""
        assert self._graph is not None
        targets = [self._wanted.popleft() for _ in range(len(self._wanted))]
        try:
            if targets:
                self._graph.look_up(targets)
            for target in targets:
                self._found.extend(self._graph.linking(target, MOST_LINKING))
        except (OSError, ValueError) as error:
            logger.warning("The host graph cannot be read: %s", error)

    def take_found(self) -> Iterator[str]:
        """Yield what was found since the last call."""
        for _ in range(len(self._found)):
            yield self._found.popleft()

    def close(self) -> None:
        """Stop searching."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)


def read_graph(settings: FocusedSettings, rng: Random) -> HostGraph | None:
    """Return the host graph that a setting names; raises BadGraph."""
    files = settings.get("HIDDENWEB_HOST_GRAPH")
    return HostGraph.from_setting(str(files), rng) if files else None


def read_engine(settings: FocusedSettings) -> SearchEngine | None:
    """Return the search engine that a setting names; raises BadTemplate."""
    template = settings.get("HIDDENWEB_SEARCH_ENGINE")
    return SearchEngine(str(template)) if template else None


def read_limits(settings: FocusedSettings) -> FocusedLimits:
    """Return the limits of the two stages."""
    number = settings.getint
    return FocusedLimits(
        criteria=StopCriteria(
            depth=number("HIDDENWEB_MAX_SITE_DEPTH"),
            pages=number("HIDDENWEB_PAGES_PER_DEPTH"),
            forms=number("HIDDENWEB_FORMS_PER_DEPTH"),
            formless=number("HIDDENWEB_FORMLESS_PAGES_PER_DEPTH"),
            formless_in_all=number("HIDDENWEB_FORMLESS_PAGES_PER_SITE"),
        ),
        alpha=settings.getfloat("HIDDENWEB_SITE_ALPHA"),
        visits=number("HIDDENWEB_LINKS_PER_DEPTH"),
        deep_sites=number("HIDDENWEB_RERANK_AFTER_SITES"),
        forms=number("HIDDENWEB_RERANK_AFTER_FORMS"),
        few=number("HIDDENWEB_MIN_WAITING_SITES"),
        hub=number("HIDDENWEB_HUB_LINKS"),
    )


def read_strategy(settings: FocusedSettings) -> str:
    """Return how sites and links are chosen; raises ValueError for an unknown strategy."""
    strategy = str(settings.get("HIDDENWEB_STRATEGY"))
    if strategy not in STRATEGIES:
        raise ValueError(f"{strategy!r} is no strategy; there are {', '.join(STRATEGIES)}")
    return strategy
