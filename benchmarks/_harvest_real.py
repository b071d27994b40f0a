"""A crawl of simweb by `scrapy crawl locate`, killed on its way, beside the same decisions in memory, page by page.

Is what a simulation says about a way of crawling true of a crawl? A crawl has many sites open at once, reads its frontier from a
disk, learns from answers in the order in which they come, is killed and goes on. Here it meets a simulation on one and the same web:
`scrapy crawl locate` on a simweb that is served, and the stages of `hiddenweb.focused.smartcrawler` on the same world in this process. Both
begin with the same seeds of a topic and read the same number of pages with the same eyes: `read_page`, the judge of forms, the site
classifier, the rule that takes a form for relevant. Both obey robots.txt.

What counts are databases of the topic: a site of simweb that has one counts as soon as a form that is sent to its search was taken
for a search on the topic.

The crawl is killed with SIGKILL at random moments, when it has read new pages since it was started, and started again by the same
command. Just before each kill, somebody reads beside the crawl what is committed. All of it must be there in the end: sites, with
what they turned out to be (`lost_sites`), forms, with how far they are on topic (`lost_forms`). `refetched` are pages that were done
at a kill and were asked for again later, by simweb's journal.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from benchmarks._harvest_two_stages import TwoStagePolicy
from benchmarks._killing import BETWEEN_COMMITS, Hanging, run_killable
from benchmarks.report import table
from hiddenweb.fetch.reading import HTML
from hiddenweb.fetch.redirects import REDIRECTS
from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.locating.site_classifier import SiteClassifier
from hiddenweb.focused.stages import DEEP, FocusedLimits
from hiddenweb.focused.topic import RELEVANT, list_built_in_topics, read_topic
from hiddenweb.focused.topic_crawl import TopicCrawl
from hiddenweb.forms.stored_form import form_from_json, form_hash
from hiddenweb.forms.verdict import judge_form
from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from hiddenweb.html.reader import read_page
from hiddenweb.pipelines.frontier import ENOUGH_TEXT
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.urls import normalise_url, registered_domain, url_hash
from simweb.messages import Request
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from benchmarks._harvest_web import Answer, GraphWeb
    from hiddenweb.model import Form, Link, Page
    from hiddenweb.store.focused import FocusedStore
    from simweb.messages import Response

MOST_SEEDS = 100
MOST_REDIRECTS = 10
LONGEST_SILENCE = 120.0
"""Seconds without a new page after which a crawl counts as hanging."""

NEARLY_ALL = 0.99
"""The share of the wanted pages that is enough: to read the last few would take one more start, and one more."""

_LOOK_EVERY = 0.25


@dataclass(frozen=True, slots=True)
class Harvested:
    """What was found on so many pages."""

    pages: int
    sites: int  # that were opened
    deep_sites: int  # with forms that were taken for searches on the topic
    databases: int  # of the topic whose search form is among them

    @property
    def per_1000(self) -> float:
        """Return how many databases were found on 1,000 pages."""
        return 1000 * self.databases / max(1, self.pages)


@dataclass(frozen=True, slots=True)
class RealCrawl:
    """A crawl, what it lost by being killed, and the simulation beside it."""

    topic: str
    hosts: int
    seeds: int
    databases: int  # of the topic, in the whole web
    crawled: Harvested
    simulated: Harvested
    kills: int
    starts: int
    lost_sites: int
    lost_forms: int
    refetched: int
    violations: int  # requests that broke robots rules or manners, and effects of forms
    seconds: float  # of the crawl

    @property
    def real_vs_simulated(self) -> float:
        """Return how many times as many databases a page of the crawl led to."""
        return self.crawled.per_1000 / (self.simulated.per_1000 or 1.0)


@dataclass(frozen=True, slots=True)
class Committed:
    """What is safe on disk at one moment."""

    sites: Mapping[str, int]  # what each turned out to be
    forms: Mapping[tuple[str, int], int]  # by site and hash: 1 on topic, 0 off topic, -1 not judged
    pages: frozenset[str]  # addresses that are done


def topic_with_most_databases(seed: int, hosts: int) -> str:
    """Return the topic that is built in and has most databases in a world."""
    with closing(World(seed, hosts, direct=0)) as world:
        counted = Counter(plan.topic for plan in map(world.plan, world.numbers) if plan.database is not None)
    return max(sorted(counted.keys() & set(list_built_in_topics())), key=counted.__getitem__)


def real_crawl(seed: int, hosts: int, pages: int, kills: int, topic: str, folder: Path) -> RealCrawl:
    """Crawl so many pages of a simweb on a topic, killing the crawl so many times, then do the same in memory."""
    with (
        closing(World(seed, hosts, direct=0)) as world,
        Simweb.start(seed=seed, sites=hosts, direct=0) as web,
    ):
        on_topic = [site["url"] for site in web.sites(topic=topic)]
        draw = Random(f"{seed}/{topic}")
        seeds = draw.sample(on_topic, min(MOST_SEEDS, len(on_topic)))
        crawl = KilledCrawl(folder, web.proxy, topic, seeds, draw)
        began = time.monotonic()
        crawl.run(pages, kills)
        seconds = time.monotonic() - began
        crawled = read_harvest(world, crawl.state, topic)
        lost_sites, lost_forms = losses(crawl.before_kills.values(), read_committed(crawl.state, topic))
        return RealCrawl(
            topic,
            hosts,
            len(seeds),
            databases=sum(1 for _ in Truth(world).sites(topic=topic, databases=True)),
            crawled=crawled,
            simulated=simulate(world, topic, seeds, crawled.pages, seed),
            kills=len(crawl.before_kills),
            starts=crawl.starts,
            lost_sites=lost_sites,
            lost_forms=lost_forms,
            refetched=count_repeated(crawl.before_kills, web.get("requests", most=10**7)),
            violations=len(web.get("violations")) + len(web.effects()),
            seconds=seconds,
        )


def show(crawl: RealCrawl) -> None:
    """Print what crawl and simulation found, and what the kills cost."""
    rows = [
        (name, each.pages, each.sites, each.deep_sites, each.databases, each.per_1000)
        for name, each in (("scrapy crawl locate", crawl.crawled), ("simulation", crawl.simulated))
    ]
    header = ("", "pages", "sites", "with forms on topic", "databases", "on 1,000 pages")
    print(
        f"\nA crawl of a simweb with {crawl.hosts:,} hosts, {crawl.databases} of them with databases of {crawl.topic},"
        f" from {crawl.seeds} seeds\n\n{table(header, rows)}\n"
    )
    print(
        f"The crawl took {crawl.seconds:.0f} s, was started {crawl.starts} times and killed {crawl.kills} times."
        f" Lost: {crawl.lost_sites} sites, {crawl.lost_forms} forms. Pages asked for again though they were done:"
        f" {crawl.refetched}. Requests that broke rules: {crawl.violations}."
    )


def figures_of(crawl: RealCrawl) -> dict[str, object]:
    """Return the figures of a crawl and of the simulation beside it."""
    return {
        "real_topic": crawl.topic,
        "real_pages": crawl.crawled.pages,
        "real_sites": crawl.crawled.sites,
        "real_forms_per_1000": round(crawl.crawled.per_1000, 2),
        "simulated_forms_per_1000": round(crawl.simulated.per_1000, 2),
        "real_vs_simulated": round(crawl.real_vs_simulated, 3),
        "real_kills": crawl.kills,
        "real_lost_sites": crawl.lost_sites,
        "real_lost_forms": crawl.lost_forms,
        "real_refetched": crawl.refetched,
    }


# The crawl


class KilledCrawl:
    """`scrapy crawl locate`, started again and again."""

    def __init__(self, folder: Path, proxy: str, topic: str, seeds: Sequence[str], draw: Random) -> None:
        self.state = folder / "state"
        self.before_kills: dict[int, Committed] = {}  # by the start that was killed
        self.starts = 0
        self._log = folder / "log"
        self._proxy = proxy
        self._topic = topic
        self._draw = draw
        self._seeds = folder / "seeds.txt"
        self._seeds.write_text("\n".join(seeds), encoding="utf-8")

    def run(self, pages: int, kills: int) -> None:
        """Crawl until so many pages were read or nothing is left, and be killed on the way."""
        moments = sorted(self._draw.sample(range(pages // 20, 9 * pages // 10), kills))
        while (read := pages_read(self.state)) < NEARLY_ALL * pages:
            moment = max(moments[0], read + 1) if moments else None
            if not self._run_until_killed(pages - read, moment):
                moments.pop(0)
            elif last_reason(self.state) == "finished":
                return

    def _run_until_killed(self, pages: int, moment: int | None) -> bool:
        """Start the crawl once; say whether it ended before it was killed."""
        self.starts += 1
        with run_killable(self._command(pages), self._log) as process:
            if self._wait_for(process, moment):
                self.before_kills[self.starts] = read_committed(self.state, self._topic)
                return False
        if process.returncode:
            log = self._log.read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"the crawl ended with code {process.returncode}:\n{log[-2000:]}")
        return True

    def _wait_for(self, process: subprocess.Popen[bytes], moment: int | None) -> bool:
        """Wait until so many pages were read and a part of a second more; False if the crawl ended before."""
        read, changed = -1, time.monotonic()
        while process.poll() is None:
            now = pages_read(self.state)
            if moment is not None and now >= moment:
                time.sleep(self._draw.uniform(0.0, BETWEEN_COMMITS))
                return process.poll() is None
            if now != read:
                read, changed = now, time.monotonic()
            elif time.monotonic() > changed + LONGEST_SILENCE:
                raise Hanging(f"{process.args!r} reads no more pages")
            time.sleep(_LOOK_EVERY)
        return False

    def _command(self, pages: int) -> list[str]:
        settings = {
            "HIDDENWEB_STATE": self.state,
            "HIDDENWEB_PROXY": self._proxy,
            "HIDDENWEB_DELAY": 0,
            "HIDDENWEB_INDEX": 0,
            "HIDDENWEB_RETRY_DELAY": 0.2,
            "CLOSESPIDER_ITEMCOUNT": pages,  # CLOSESPIDER_PAGECOUNT counts every robots.txt too
            "USER_AGENT": agent(self.starts),
        }
        told = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
        arguments = ["-a", f"topic={self._topic}", "-a", f"seeds={self._seeds}"]
        return [sys.executable, "-m", "scrapy", "crawl", "locate", *arguments, *told]


def agent(start: int) -> str:
    """Return the User-Agent of the crawl that was started as the first, second ... one: in this order."""
    return f"start-{start:04}"


def pages_read(state: Path) -> int:
    """Return how many pages a crawl has read, as far as that is committed."""
    try:
        return int(_read(state, "SELECT count(*) FROM pages")[0][0])
    except StateError:  # it is just being made
        return 0


def last_reason(state: Path) -> str:
    """Return why the last crawl ended."""
    return str(_read(state, "SELECT reason FROM runs ORDER BY id DESC LIMIT 1")[0][0])


def read_committed(state: Path, topic: str) -> Committed:
    """Return what a crawl on a topic has committed, running or not."""
    sites = _read(state, "SELECT key, kind FROM explored_sites WHERE topic = ?", topic)
    forms = _read(
        state,
        "SELECT sites.domain, forms.hash, coalesce(t.relevant, -1) FROM forms JOIN sites ON sites.id = forms.site"
        " LEFT JOIN form_topics t ON t.form = forms.id AND t.topic = ?",
        topic,
    )
    pages = _read(state, "SELECT url FROM links WHERE state = 2")
    return Committed(
        dict(cast("list[tuple[str, int]]", sites)),
        {(domain, number): known for domain, number, known in forms},
        frozenset(url for (url,) in pages),
    )


def losses(before: Iterable[Committed], after: Committed) -> tuple[int, int]:
    """Return how many sites and forms that were committed once are gone, or count for less."""
    sites = {key for each in before for key, kind in each.sites.items() if after.sites.get(key, -1) < kind}
    forms = {key for each in before for key, known in each.forms.items() if after.forms.get(key, -2) < known}
    return len(sites), len(forms)


def count_repeated(before_kills: Mapping[int, Committed], journal: Iterable[Mapping[str, Any]]) -> int:
    """Return how many requests were for pages that were done when an earlier start was killed."""
    again = 0
    for row in journal:
        killed = [start for start in before_kills if agent(start) < row["agent"]]
        done = before_kills[max(killed)].pages if killed else ()
        again += f"http://{row['host']}{row['target']}" in done
    return again


def read_harvest(world: World, state: Path, topic: str) -> Harvested:
    """Return what a crawl on a topic found, by its state."""
    opened = _read(
        state,
        "SELECT count(*), total(kind = ?) FROM explored_sites WHERE topic = ? AND instr(key, '/') = 0",
        DEEP,
        topic,
    )
    forms = _read(
        state,
        "SELECT forms.form FROM forms JOIN form_topics t ON t.form = forms.id WHERE topic = ? AND relevant",
        topic,
    )
    found = {database_of(world, topic, form_from_json(form)) for (form,) in forms}
    sites, deep = opened[0]
    return Harvested(pages_read(state), sites, int(deep), len(found - {None}))


def _read(state: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with Store(state, write=False) as opened:
        return opened.rows(sql, values)


def database_of(world: World, topic: str, form: Form) -> str | None:
    """Return the host whose database on a topic a form truly searches; None if it does not."""
    sent_to = urlsplit(form.action)
    site = world.site_at(sent_to.netloc)
    if site is None or site.plan.topic != topic or site.plan.database is None:
        return None
    return sent_to.netloc if sent_to.path == site.search_action else None


# The simulation


def simulate(world: World, topic: str, seeds: Sequence[str], pages: int, seed: int) -> Harvested:
    """Return what the same decisions find on so many pages, one at a time."""
    web = SimwebInMemory(world, topic, seeds)
    stages = AdaptiveCrawler(
        MemorySiteCandidates(),
        MemoryLinkIndex(),
        Random(seed),
        FocusedLimits(),
        topic=frozenset(read_topic(topic).vector()),
    )
    policy = MemoryCrawl(stages, web)
    read, databases = 0, set[str]()
    while read < pages and (url := policy.next()) is not None:
        answer = web.read(url)
        policy.note(url, cast("Answer | None", answer))
        if answer is not None:
            read += 1
            databases.update(form.database for form in answer.forms if form.on_topic and form.database)
    kinds = [kind for key, kind in stages.sites.items() if "/" not in key]
    return Harvested(read, len(kinds), kinds.count(DEEP), len(databases))


@dataclass(frozen=True, slots=True)
class MetForm:
    """A form on a page, as a crawl takes it, and the truth about it."""

    id: int
    taken_for_search: bool
    on_topic: bool  # as the crawl takes it
    database: str | None  # the host whose database on the topic it truly searches

    def is_taken_for_relevant(self, topic: str) -> bool:
        """Say whether it counts as a search on the topic."""
        del topic  # the web knows of one only
        return self.taken_for_search and self.on_topic


@dataclass(frozen=True, slots=True)
class MetPage:
    """What came of reading an address: the page with those links only that a crawl follows, and its forms."""

    page: Page
    forms: tuple[MetForm, ...]


class SimwebInMemory:
    """A simweb of this process for one topic, read as a crawl reads it."""

    def __init__(self, world: World, topic: str, seeds: Sequence[str]) -> None:
        self._world = world
        self._truth = Truth(world)
        self._topic = topic
        self._seeds = tuple(seeds)
        described = read_topic(topic)
        no_stages = cast("FocusedStore", None)  # those are in memory; of the rest only the rules are asked
        self._rules = TopicCrawl(described, no_stages, SiteClassifier(described), RELEVANT)
        self._spelling: dict[int, str] = {}  # of addresses: the first one that was met
        self._texts: set[tuple[str, int]] = set()
        self._last: Page | None = None

    def seeds(self, topic: str) -> tuple[str, ...]:
        """Return where the crawl begins."""
        del topic
        return self._seeds

    def is_allowed(self, url: str) -> bool:
        """Say whether robots.txt lets a crawl read an address of this world."""
        return self._world.site_at(urlsplit(url).netloc) is not None and self._truth.is_allowed(url)

    def read(self, url: str) -> MetPage | None:
        """Return what is at an address; None if that is no page."""
        response = self._fetch(url)
        if response is None:
            return None
        kind = dict(response.headers).get("Content-Type", "")
        page = self._last = read_page(bytes(response.body), url, content_type=kind)
        forms = tuple(self._meet(form, page) for form in page.forms)
        return MetPage(replace(page, links=tuple(self._follow(page))), forms)

    def is_taken_for_on_topic(self, url: str, topic: str) -> bool:
        """Say whether the homepage that was read last is taken for one on the topic."""
        del url, topic
        assert self._last is not None
        return self._rules.judge_homepage(self._last).on_topic

    def _fetch(self, url: str) -> Response | None:
        site = registered_domain(url)
        for _ in range(MOST_REDIRECTS):
            parts = urlsplit(url)
            response = self._world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
            if response is None or response.stream is not None:
                return None
            headers = dict(response.headers)
            if response.status not in REDIRECTS:
                is_page = response.status == 200 and headers.get("Content-Type", "").startswith(HTML)
                return response if is_page else None
            url = normalise_url(headers.get("Location", ""), url) or ""
            if registered_domain(url) != site:
                return None
        return None

    def _meet(self, form: Form, page: Page) -> MetForm:
        searches = judge_form(form, nofollow=page.nofollow).searchable
        on_topic = searches and self._rules.relevance(form, page)[1]
        return MetForm(form_hash(form), searches, on_topic, database_of(self._world, self._topic, form))

    def _follow(self, page: Page) -> Iterable[Link]:
        text = (registered_domain(page.url), page.fingerprint)
        repeats = text in self._texts and len(page.text) >= ENOUGH_TEXT
        self._texts.add(text)
        if repeats or page.nofollow:
            return
        for link in page.links:
            if not link.nofollow and reason_to_ignore(link.url, FrontierScope()) is None:
                yield replace(link, url=self._spelling.setdefault(url_hash(link.url), link.url))


class MemoryCrawl(TwoStagePolicy):
    """The stages on such a web, page by page: what robots.txt forbids is skipped."""

    def __init__(self, stages: AdaptiveCrawler, web: SimwebInMemory) -> None:
        self._simweb = web
        super().__init__(stages, cast("GraphWeb", web), "")

    def next(self) -> str | None:
        while (url := super().next()) is not None and not self._simweb.is_allowed(url):
            assert self._site is not None
            self._stages.skip(self._site, self._lead)
        return url
