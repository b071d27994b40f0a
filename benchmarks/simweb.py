"""simweb: how many bare Scrapy spiders one core of it feeds, its memory, how like the web it is.

Speed. A fresh simweb and a bare Scrapy (`benchmarks._bare_scrapy`), each in its own process, over lists of addresses
chosen beforehand through the control port of another simweb with the same seed, so that nothing is warm that a crawl
would find cold. No address is asked twice: every crawl has pages never asked before, most of them of new sites, or
words never asked before. A ratio is what one core does in a second: pages simweb serves at full load against pages that
Scrapy takes in at full load, both by the CPU they use. Beside it stands the CPU of both sides over one and the same crawl,
which is harder on simweb: it waits most of the time there, and waking up for a single request costs as much as answering it.

Memory. A simweb of ten thousand hosts, after its start and after pages of thousands of hosts and answers of hundreds
of databases. Calibration: see `benchmarks._simweb_calibration`.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, zip_longest
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import psutil

from benchmarks._bare_scrapy import BareScrapy, Job
from benchmarks._load import load
from benchmarks._simweb_calibration import Sample, calibration
from benchmarks.report import table
from simweb.running import Simweb

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks import Options
    from benchmarks._bare_scrapy import SpiderName
    from benchmarks._simweb_calibration import Figure

Kind = Literal["static", "answers"]

KINDS: tuple[Kind, ...] = ("static", "answers")
SPIDERS: tuple[SpiderName, ...] = ("fetch", "follow")
TARGETS = {"static_vs_scrapy": 8, "answers_vs_scrapy": 3}

# Forms with one text box and nothing else, sent by GET.
ONE_BOX = frozenset({"box", "semicolon", "charset", "accept_charset", "outside"})
# Words by how many records hold them; a list takes from each group in turn, as long as there are any.
HIT_GROUPS = {"1": 1, "2 to 9": 9, "10 to 99": 99, "100 and more": 10**9}

_MOST_PAGES_OF_A_SITE = 300
_PAGES_MIXED = 1000
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = frozenset({"zh", "ja", "th"})


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    sites: int
    repetitions: int
    fetched: int  # addresses of one crawl that only fetches
    followed: int  # addresses of one crawl that extracts links too
    databases: int  # one-box databases that are asked
    loaded_pages: int  # pages asked of simweb alone, per repetition
    loaded_answers: int  # questions asked of it alone
    crowd: int  # hosts of the world whose memory is measured
    crowd_hosts: int  # how many of them are asked
    crowd_pages: int  # for how many pages in all
    crowd_databases: int  # how many databases are asked a question
    sample: Sample


QUICK = Scale(
    sites=2000,
    repetitions=3,
    fetched=320,
    followed=60,
    databases=24,
    loaded_pages=2500,
    loaded_answers=800,
    crowd=10_000,
    crowd_hosts=800,
    crowd_pages=2000,
    crowd_databases=40,
    sample=Sample(sites=3000, sampled=500, databases=150, pages=300, linking_pages=6_000),
)
FULL = Scale(
    sites=8000,
    repetitions=5,
    fetched=2500,
    followed=800,
    databases=120,
    loaded_pages=5000,
    loaded_answers=2500,
    crowd=10_000,
    crowd_hosts=5000,
    crowd_pages=20_000,
    crowd_databases=300,
    sample=Sample(sites=10_000, sampled=3000, databases=800, pages=4000, linking_pages=150_000),
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """What to ask: lists for the crawls, and what to ask before them."""

    static: list[str]
    answers: list[str]
    hits: Counter[str]  # how many records the words of the questions stand in
    warm_up: list[str]  # a page for each topic and language, a question for each topic, all of other sites
    openers: list[str]  # one question for each database


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl: CPU seconds of both sides for so many pages."""

    kind: Kind
    spider: SpiderName
    pages: int
    body_bytes: int
    scrapy: float
    simweb: float

    @property
    def ratio(self) -> float:
        return self.scrapy / self.simweb


@dataclass(frozen=True, slots=True)
class FullLoad:
    """simweb with more to do than it can: pages a second of wall time, CPU seconds a page."""

    rate: float
    cpu: float


def run(options: Options) -> Mapping[str, object]:
    """Measure everything and print it; what does not mind company goes first, all at once."""
    scale = QUICK if options.quick else FULL
    with ThreadPoolExecutor(2) as aside:
        choosing = aside.submit(choose_addresses, scale, options.seed)
        filling = aside.submit(memory, scale, options.seed)
        shape = calibration(options.seed, scale.sample)
        addresses, filled = choosing.result(), filling.result()
    figures = speed(scale, options.seed, addresses)
    print(f"\nMemory of simweb with {scale.crowd} hosts\n{table(('when', 'RSS MB'), filled)}")
    figures |= {"rss_mb": round(max(mb for _, mb in filled)), "rss_start_mb": round(filled[0][1])}
    print_calibration(shape)
    figures |= {figure.key: round(figure.value, 4) for figure in shape}
    for name, target in TARGETS.items():
        if float(str(figures[name])) < target:
            print(f"MISSED: {name} is {figures[name]}, wanted is at least {target}")
    return figures


def speed(scale: Scale, seed: int, addresses: Addresses) -> dict[str, object]:
    """Crawl with bare Scrapy, static pages and answers, and count the CPU of both sides."""
    runs: list[Run] = []
    alone: dict[Kind, list[FullLoad]] = {kind: [] for kind in KINDS}
    with Simweb.start(seed=seed, sites=scale.sites) as web, BareScrapy() as scrapy:
        with cpu_of(web) as warming:
            load(web.proxy, addresses.warm_up)
        with cpu_of(web) as opening:
            load(web.proxy, addresses.openers)
        left = {"static": iter(addresses.static), "answers": iter(addresses.answers)}
        for _ in range(scale.repetitions):
            for kind in KINDS:
                for spider in SPIDERS:
                    count = scale.fetched if spider == "fetch" else scale.followed
                    runs.append(crawl(web, scrapy, kind, spider, take(left[kind], count)))
                count = scale.loaded_pages if kind == "static" else scale.loaded_answers
                alone[kind].append(full_load(web, take(left[kind], count)))
    first_contact = {
        "warm_up_seconds": round(warming[0], 2),
        "database_open_ms": round(1000 * opening[0] / len(addresses.openers), 2),
    }
    shares = ", ".join(
        f"{hits} {count / addresses.hits.total():.0%}" for hits, count in addresses.hits.items()
    )
    print(f"\nRecords that hold the words asked for: {shares}")
    print(
        f"First contact, not in the table: {first_contact['warm_up_seconds']} CPU seconds for one page of every topic and"
        f" language, {first_contact['database_open_ms']} CPU milliseconds to open a database"
    )
    return {**summary_of(runs, alone), **first_contact}


def crawl(web: Simweb, scrapy: BareScrapy, kind: Kind, spider: SpiderName, urls: list[str]) -> Run:
    """Let Scrapy take in a list while counting what simweb spends on it."""
    with cpu_of(web) as spent:
        crawled = scrapy.crawl(Job(spider, web.proxy, tuple(urls)))
    return Run(kind, spider, crawled.pages, crawled.body_bytes, crawled.cpu, spent[0])


def full_load(web: Simweb, urls: list[str]) -> FullLoad:
    """Let a small load generator ask as fast as it can."""
    with cpu_of(web) as spent:
        loaded = load(web.proxy, urls)
    if loaded.failed or loaded.pages != len(urls):
        raise RuntimeError(f"{len(urls)} addresses, {loaded.pages} answers, {loaded.failed} of them errors")
    return FullLoad(loaded.pages / loaded.wall, spent[0] / loaded.pages)


@contextmanager
def cpu_of(web: Simweb) -> Iterator[list[float]]:
    """Count the CPU seconds of simweb, user and system; they are in the list afterwards."""
    # The CPU clock of a process, by the number clock_getcpuclockid(3) gives it: psutil's is in hundredths of a second.
    clock = ~web.process.pid << 3 | 2
    before, spent = time.clock_gettime(clock), [0.0]
    yield spent
    spent[0] = time.clock_gettime(clock) - before


def summary_of(runs: Sequence[Run], alone: Mapping[Kind, list[FullLoad]]) -> dict[str, object]:
    """Print the medians and return them as figures."""
    figures: dict[str, object] = {}
    loads: list[tuple[object, ...]] = []
    crawls: list[tuple[object, ...]] = []
    for kind in KINDS:
        serving = 1000 * median(load.cpu for load in alone[kind])
        for spider in SPIDERS:
            own = [run for run in runs if (run.kind, run.spider) == (kind, spider)]
            ours, theirs = (
                1000 * median(getattr(run, side) / run.pages for run in own) for side in ("simweb", "scrapy")
            )
            each = [run.scrapy / run.pages / load.cpu for run, load in zip(own, alone[kind], strict=True)]
            size = sum(run.body_bytes for run in own) / sum(run.pages for run in own) / 1000
            loads.append((kind, spider, theirs, serving, median(each), spread(each)))
            in_crawl = [run.ratio for run in own]
            crawls.append((kind, spider, own[0].pages, size, ours, median(in_crawl), spread(in_crawl)))
            baseline = "scrapy" if spider == "follow" else "fetching"
            figures[f"{kind}_vs_{baseline}"] = round(median(each), 2)
            figures[f"{kind}_vs_{baseline}_in_crawl"] = round(median(in_crawl), 2)
            if spider == "follow":
                figures |= {f"{kind}_simweb_ms": round(serving, 4), f"{kind}_scrapy_ms": round(theirs, 4)}
    repetitions = f"medians of {len(alone['static'])} repetitions"
    at_load = ("pages", "spider", "Scrapy ms/page", "simweb ms/page", "ratio", "all ratios")
    print(f"\nCPU at full load, {repetitions}\n{table(at_load, loads)}")
    of_crawls = ("pages", "spider", "a crawl", "KB", "simweb ms/page", "ratio", "all ratios")
    print(f"\nCPU of both over one crawl, {repetitions}\n{table(of_crawls, crawls)}")
    figures["pages_per_second"] = round(median(load.rate for load in alone["static"]))
    figures["answers_per_second"] = round(median(load.rate for load in alone["answers"]))
    print(
        f"\nsimweb alone: {figures['pages_per_second']} pages, {figures['answers_per_second']} answers a second"
    )
    return figures


def spread(ratios: Sequence[float]) -> str:
    return " ".join(f"{ratio:.1f}" for ratio in ratios)


# Choosing what to ask


def choose_addresses(scale: Scale, seed: int) -> Addresses:
    """Ask a simweb of its own what there is; none of it is warm when the measurement starts another."""
    draw = Random(seed)
    crawled = scale.fetched + scale.followed
    pages_asked = scale.repetitions * (crawled + scale.loaded_pages)
    answers_asked = scale.repetitions * (crawled + scale.loaded_answers)
    with Simweb.start(seed=seed, sites=scale.sites) as web:
        sites = [site for site in web.sites() if not site["traps"] and not site["host"].startswith("127.")]
        draw.shuffle(sites)
        pages = {(site["language"], site["topic"]): site for site in sites}
        asked = {site["topic"]: site for site in sites if site["style"]}
        warm_up = [site["url"] for site in pages.values()]
        warm_up += [question(web, site["host"]) for site in asked.values()]
        used = {site["host"] for site in (*pages.values(), *asked.values())}
        plans = [site for site in sites if site["host"] not in used]
        static = page_list(web, plans, pages_asked, draw)
        openers, answers, hits = question_list(web, plans, scale.databases, answers_asked, draw)
    return Addresses(static, answers, hits, warm_up, openers)


def plain_plan(web: Simweb, site: Mapping[str, Any]) -> dict[str, Any] | None:
    """The plan of a site, or None where session ids or compression would be measured too."""
    plan: dict[str, Any] = web.get("site", host=site["host"])
    return None if plan["session_ids"] or plan["compression"] else plan


def page_list(web: Simweb, sites: Sequence[Mapping[str, Any]], count: int, draw: Random) -> list[str]:
    """Pages of whole sites, or of the top of large ones, mixed as a crawl of many hosts mixes them."""
    pages: list[str] = []
    waiting: list[str] = []
    for site in sites:
        if plain_plan(web, site):
            waiting += web.get("pages", host=site["host"])[:_MOST_PAGES_OF_A_SITE]
        if len(waiting) >= min(_PAGES_MIXED, count):
            draw.shuffle(waiting)
            pages += waiting
            waiting = []
        if len(pages) >= count:
            return pages
    raise RuntimeError(f"only {len(pages)} plain pages, {count} are needed")


def question_list(
    web: Simweb, sites: Sequence[Mapping[str, Any]], databases: int, count: int, draw: Random
) -> tuple[list[str], list[str], Counter[str]]:
    """One question for every one-box database, to open it, and a list of others, mixed, none twice."""
    openers: list[tuple[str, str]] = []
    by_database: list[list[tuple[str, str]]] = []
    for site in sites:
        if site["style"] in ONE_BOX and (plan := plain_plan(web, site)) and plan["charset"] == "utf-8":
            first, *others = questions(web, plan, draw)
            openers.append(first)
            by_database.append(others)
        if len(openers) == databases:
            break
    mixed = [asked for turn in zip_longest(*by_database) for asked in turn if asked]
    if len(mixed) < count:
        raise RuntimeError(f"only {len(mixed)} questions, {count} are needed")
    wanted = mixed[:count]
    draw.shuffle(wanted)
    found = Counter(hits for _, hits in wanted)
    in_order = Counter({label: found[label] for label in HIT_GROUPS})
    return [url for url, _ in openers], [url for url, _ in wanted], in_order


def questions(web: Simweb, plan: Mapping[str, Any], draw: Random) -> list[tuple[str, str]]:
    """Addresses that ask a database for one word of its records: rare, less rare and common words in turn."""
    form = next(form for form in web.get("forms", host=plan["host"]) if form["searchable"])
    name = quote(form["fields"][0]["name"])
    groups: dict[str, list[tuple[str, str]]] = {label: [] for label in HIT_GROUPS}
    for word, hits in words_of(web, plan).items():
        if hits > 1 or not plan["database"]["behaviour"]["redirects_exact"]:
            label = next(label for label, most in HIT_GROUPS.items() if hits <= most)
            groups[label].append((f"{form['action']}?{name}={quote(word)}", label))
    for group in groups.values():
        draw.shuffle(group)
    return [asked for turn in zip_longest(*groups.values()) for asked in turn if asked]


def words_of(web: Simweb, plan: Mapping[str, Any]) -> dict[str, int]:
    """The words of a database with how many records hold them; in unspaced scripts, pairs of characters."""
    held: Counter[str] = Counter()
    spelt: dict[str, str] = {}
    for record in web.get("records", host=plan["host"], most=5000):
        found = _WORD.findall(f"{record['title']} {record['text']}")
        if plan["language"] in _UNSPACED:
            found = [run[at : at + 2] for run in found for at in range(0, len(run) - 1, 2)]
        spellings = {word.lower(): word for word in found}
        held.update(spellings.keys())
        spelt = spellings | spelt
    return {spelt[word]: hits for word, hits in held.items()}


def take(urls: Iterator[str], count: int) -> list[str]:
    return list(islice(urls, count))


# Memory


def memory(scale: Scale, seed: int) -> list[tuple[str, float]]:
    """Resident memory of a large world: after its start, after many pages of many hosts, after many databases."""
    draw = Random(seed)
    with Simweb.start(seed=seed, sites=scale.crowd) as web:
        steps = [("after its start", rss_mb(web))]
        sites = [site for site in web.sites() if not site["traps"] and not site["host"].startswith("127.")]
        hosts = [site["host"] for site in draw.sample(sites, scale.crowd_hosts)]
        tops = [top_pages(web, host) for host in hosts]
        pages = [url for turn in zip_longest(*tops) for url in turn if url][: scale.crowd_pages]
        load(web.proxy, pages)
        steps.append((f"after {len(pages)} pages of {len(hosts)} hosts", rss_mb(web)))
        hosting = [site["host"] for site in sites if site["style"]]
        asked = [question(web, host) for host in draw.sample(hosting, scale.crowd_databases)]
        load(web.proxy, asked)
        steps.append((f"after asking {len(asked)} databases", rss_mb(web)))
    return steps


def top_pages(web: Simweb, host: str) -> list[str]:
    """The homepage and the sections of a site, which take no page of it to know."""
    sections = web.get("site", host=host)["sections"]
    return [f"http://{host}/", *(f"http://{host}/{section}/" for section in sections)]


def question(web: Simweb, host: str) -> str:
    """An address that makes a site look into its database, whatever its form is like."""
    form = next(form for form in web.get("forms", host=host) if form["searchable"])
    field = next((f for f in form["fields"] if f["meaning"] == "keywords"), form["fields"][-1])
    option = field["options"][-1]["value"] if field["options"] else "a"
    return f"{form['action']}?{quote(field['name'])}={quote(option)}"


def rss_mb(web: Simweb) -> float:
    return float(psutil.Process(web.process.pid).memory_info().rss) / 1e6


def print_calibration(figures: Sequence[Figure]) -> None:
    """Print the calibration table."""
    rows = [(f.meaning, f.value, f.published, f.source) for f in figures]
    print(f"\nCalibration\n{table(('measure', 'simweb', 'published', 'source'), rows)}")
