"""kill: a harvest that is killed again and again, against one that is not, against the truth, and against JOBDIR.

`scrapy crawl harvest` on plain sites of a simweb (`benchmarks._plain_sites`), some with one-box databases asked by GET and some
by POST, is killed with SIGKILL at seeded random moments (`benchmarks._killing`), each time started again by the same command,
and at last left to end by itself. If it ends before it was killed often enough, another crawl begins. Beside it runs the
same crawl uninterrupted. Then the two are compared (`benchmarks._harvested`).

What is comparable? Pages that links reach do not depend on what was asked, so both runs must have the same. What is asked
next depends on the order in which answers came, which a kill may change, so questions and coverage may differ a
little; they are printed for both. But whatever the killed run was told, by simweb's journal, it must have.

- `kills`; `kills_at_work`: those that met a run which had got something done. Fewer than half is a failure of the benchmark.
- `lost_pages`: pages that links reach, the uninterrupted run has, and a killed one lacks; and links or forms that still wait.
- `lost_records`: records that were shown to a killed run in answers from which they can be read (`benchmarks._harvested`), and
  that it does not have.
- `duplicate_records`: records stored twice, by the truth's identity of records.
- `repeated_posts`: POSTs of one body to one address beyond the first, by simweb's journal.
- `unknown_posts`: POSTs whose answer a kill cost: they are not sent again, so what they would have brought is not there.
  They are more than chance would have it: the crawl commits before it sends a POST, and kills follow commits.
- `index_equals_store`: the index of every killed run holds exactly what its store says.
- `records`, `records_killed`: records of the truth that the uninterrupted run has, and the poorest of the killed runs.
- `jobdir_…`: a bare Scrapy spider with a JOBDIR on the same sites: pages it never read, per crawl, of those that links reach.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks._harvested import Judge, index_equals_store, lost_pages, lost_records
from benchmarks._killing import Work, run_killed
from benchmarks._plain_sites import plain_sites
from benchmarks.report import table
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.sqlite_file import FILE
from simweb.running import Simweb
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks import Options
    from benchmarks._harvested import Harvest
    from benchmarks._killing import Killings
    from benchmarks._plain_sites import PlainSite

ONE_BOX = frozenset({"box", "semicolon", "charset", "accept_charset", "outside"})
LEAST_PAGES = 3000
WHOLE = "whole"
MOST_CRAWLS = 20


class Unkilled(RuntimeError):
    """Too few kills met a crawl at work for the figures to mean anything."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is crawled, and how often it is killed."""

    sites: int  # of the world
    databases: int  # asked by GET
    post_databases: int
    public_pages: int  # of all sites chosen
    kills: int
    most_work: int  # pages of a run until it is killed
    jobdir_kills: int
    jobdir_work: int


QUICK = Scale(1000, 6, 3, 600, kills=8, most_work=150, jobdir_kills=3, jobdir_work=150)
FULL = Scale(1500, 16, 4, 3000, kills=50, most_work=150, jobdir_kills=10, jobdir_work=400)


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl to its end, however often it was killed on the way."""

    name: str
    killings: Killings
    folder: Path


def run(options: Options) -> Mapping[str, object]:
    """Crawl, kill, compare, and print it."""
    scale = QUICK if options.quick else FULL
    shape: dict[str, Any] = {"sites": scale.sites, "pages_per_site": 60, "largest_database": 150}
    with (
        tempfile.TemporaryDirectory(prefix="hiddenweb-kill-") as folder,
        closing(World(options.seed, **shape)) as world,
        Simweb.start(seed=options.seed, **shape) as web,
        ThreadPoolExecutor(3) as aside,
    ):
        sites = choose_sites(world, scale, Random(options.seed))
        crawls = Crawls(Path(folder), web, sites, options.seed)
        whole = aside.submit(crawls.whole)
        killed = aside.submit(crawls.killed, scale.kills, scale.most_work)
        jobdir = aside.submit(crawls.jobdir, scale.jobdir_kills, scale.jobdir_work)
        judge = Judge(world, (site.host for site in sites))
        reachable = judge.reachable(site.url for site in sites)
        runs = [whole.result(), *killed.result()]
        journal = web.get("requests", most=10**7)
        harvests = [
            judge.harvest(each.folder / "state", [row for row in journal if row["agent"] == each.name])
            for each in runs
        ]
        same = [index_equals_store(each.folder / "state") for each in runs]
        show(runs, harvests, same, judge.all_records())
        return {
            **figures_of(runs[1:], harvests, reachable, index_equals=all(same[1:])),
            **jobdir_figures(
                [(each, judge.pages(pages_of_jobdir(each.folder))) for each in jobdir.result()],
                reachable & harvests[0].pages,
            ),
        }


def choose_sites(world: World, scale: Scale, draw: Random) -> list[PlainSite]:
    """Return plain sites: some with one box, some with one that is sent by POST, the rest without any database."""
    numbers = list(world.numbers)
    draw.shuffle(numbers)
    styles = {number: _style(world, number) for number in numbers}
    asked = plain_sites(world, (number for number in numbers if styles[number] in ONE_BOX))
    posted = plain_sites(world, (number for number in numbers if styles[number] == "post"))
    others = plain_sites(world, (number for number in numbers if styles[number] is None))
    sites = [site for site, _ in zip(asked, range(scale.databases), strict=False)]
    sites += [site for site, _ in zip(posted, range(scale.post_databases), strict=False)]
    pages = sum(len(site.pages) for site in sites)
    for site in others:
        if pages >= scale.public_pages:
            break
        sites.append(site)
        pages += len(site.pages)
    return sites


def _style(world: World, number: int) -> str | None:
    database = world.plan(number).database
    return database.style if database else None


class Crawls:
    """The crawls of one comparison, all on one simweb, told apart by their User-Agent."""

    def __init__(self, folder: Path, web: Simweb, sites: Sequence[PlainSite], seed: int) -> None:
        self._folder = folder
        self._web = web
        self._seed = seed
        self._post_hosts = ",".join(site.host for site in sites if site.style == "post")
        self._seeds = folder / "seeds.txt"
        self._seeds.write_text("\n".join(site.url for site in sites))

    def whole(self) -> Run:
        """Run the crawl that nobody kills."""
        return self._harvest(WHOLE, 0, 1)

    def killed(self, kills: int, most_work: int) -> list[Run]:
        """Run crawls until so many kills were made."""
        runs: list[Run] = []
        while (left := kills - sum(each.killings.kills for each in runs)) > 0 and len(runs) < MOST_CRAWLS:
            runs.append(self._harvest(f"killed-{len(runs) + 1}", left, most_work))
        check_killed(runs)
        return runs

    def _harvest(self, name: str, kills: int, most_work: int) -> Run:
        folder = self._new_folder(name)
        state = folder / "state"
        work = Work(state / f"{FILE}-wal", pages_done(state))
        killings = run_killed(
            self._command(name, state), folder / "log", work, kills, most_work, Random(f"{self._seed}/{name}")
        )
        if killings.exit_code:
            log = (folder / "log").read_text(errors="replace")
            raise RuntimeError(f"the crawl {name} ended with code {killings.exit_code}:\n{log[-2000:]}")
        return Run(name, killings, folder)

    def _command(self, name: str, state: Path) -> list[str]:
        settings = {
            "HIDDENWEB_STATE": state,
            "HIDDENWEB_PROXY": self._web.proxy,
            "HIDDENWEB_DELAY": 0,
            "HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST": 4,
            "HIDDENWEB_RETRY_DELAY": 0.2,
            "HIDDENWEB_ALLOW_POST": self._post_hosts,
            "USER_AGENT": name,
        }
        told = [part for key, value in settings.items() for part in ("-s", f"{key}={value}")]
        return [sys.executable, "-m", "scrapy", "crawl", "harvest", "-a", f"sites={self._seeds}", *told]

    def jobdir(self, kills: int, most_work: int) -> list[Run]:
        """Run crawls of Scrapy's own with a JOBDIR until so many kills were made."""
        runs: list[Run] = []
        while (left := kills - sum(each.killings.kills for each in runs)) > 0 and len(runs) < MOST_CRAWLS:
            name = f"jobdir-{len(runs) + 1}"
            folder = self._new_folder(name)
            command = [sys.executable, "-m", "benchmarks._jobdir_crawl"]
            command += [str(folder), self._web.proxy, str(self._seeds)]
            work = Work(folder / "pages", lambda folder=folder: len(pages_of_jobdir(folder)))  # type: ignore[misc]
            draw = Random(f"{self._seed}/{name}")
            killings = run_killed(command, folder / "log", work, left, most_work, draw, starting=0.0)
            runs.append(Run(name, killings, folder))
        return runs

    def _new_folder(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        return folder


def pages_done(state: Path) -> Callable[[], int]:
    """Return what counts the links of a state that are done; the file is open only while they are counted."""

    def count() -> int:
        try:
            with Store(state, write=False) as opened:
                return int(str(opened.rows("SELECT count(*) FROM links WHERE state = 2")[0][0]))
        except StateError:  # the crawl is just making it
            return 0

    return count


def pages_of_jobdir(folder: Path) -> list[str]:
    """Return the pages that a crawl with a JOBDIR has read; a last line without its end was never finished."""
    try:
        written = (folder / "pages").read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return written.split("\n")[:-1]


def check_killed(runs: Sequence[Run]) -> None:
    """Raise Unkilled unless most kills met a crawl that had got something done."""
    kills, at_work = (sum(getattr(each.killings, what) for each in runs) for what in ("kills", "at_work"))
    if 2 * at_work < kills:
        raise Unkilled(f"only {at_work} of {kills} kills met a crawl at work")


def figures_of(
    killed: Sequence[Run], harvests: Sequence[Harvest], reachable: frozenset[str], *, index_equals: bool
) -> dict[str, object]:
    """Return what the issue asks for: the uninterrupted harvest comes first, then one for each killed run."""
    whole, others = harvests[0], harvests[1:]
    pages = [lost_pages(reachable, whole, each) for each in others]
    records = [lost_records(whole, each) for each in others]
    twice = [each.twice for each in others]
    for what, found in (("LOST page", pages), ("LOST record", records), ("STORED TWICE", twice)):
        for each in sorted(frozenset[object]().union(*found), key=str)[:20]:
            print(f"{what}: {each}")
    if len(whole.pages) < LEAST_PAGES:
        print(f"The crawl has {len(whole.pages)} pages; that of a full run has more than {LEAST_PAGES}.")
    return {
        "kills": sum(each.killings.kills for each in killed),
        "kills_at_work": sum(each.killings.at_work for each in killed),
        "crawls": len(killed),
        "pages": len(whole.pages),
        "lost_pages": sum(map(len, pages)) + sum(each.unfinished for each in others),
        "lost_records": sum(map(len, records)),
        "duplicate_records": sum(each.repeated for each in others),
        "posts": sum(each.posts for each in others),
        "repeated_posts": sum(each.repeated_posts for each in others),
        "unknown_posts": sum(each.unknown for each in others),
        "index_equals_store": index_equals,
        "refetched": sum(each.refetched for each in others),
        "records": len(whole.has),
        "records_killed": min(len(each.has) for each in others),
    }


def jobdir_figures(runs: Sequence[tuple[Run, frozenset[str]]], wanted: frozenset[str]) -> dict[str, object]:
    """Return what Scrapy's own way to resume lost, on average over its crawls, each with the pages it has."""
    lost = [len(wanted - pages) for _, pages in runs]
    rows = [
        (each.name, each.killings.kills, len(wanted), missing)
        for (each, _), missing in zip(runs, lost, strict=True)
    ]
    print(f"\nScrapy with JOBDIR\n{table(('crawl', 'kills', 'pages', 'lost'), rows)}")
    return {
        "jobdir_kills": sum(each.killings.kills for each, _ in runs),
        "jobdir_crawls": len(runs),
        "jobdir_lost_pages": round(sum(lost) / len(lost)),
        "jobdir_lost_share": round(sum(lost) / len(lost) / len(wanted), 3),
    }


def show(runs: Sequence[Run], harvests: Sequence[Harvest], same: Sequence[bool], records: int) -> None:
    """Print what every run has, beside each other."""
    header = (
        "crawl", "kills", "at work", "seconds", "pages", "records", "coverage", "queries", "requests",
        "GETs again", "POSTs", "unknown", "known, not read", "index equal",
    )  # fmt: skip
    print(
        f"\nCrawls of {records} records behind forms\n{table(header, list(_rows(runs, harvests, same, records)))}"
    )
    for each in runs[1:]:
        ways = ", ".join(f"{count} {way}" for way, count in each.killings.ways.items())
        print(f"{each.name}: killed {ways}; pages done in each run until it was killed: {each.killings.work}")


def _rows(
    runs: Sequence[Run], harvests: Sequence[Harvest], same: Sequence[bool], records: int
) -> Iterator[tuple[object, ...]]:
    for each, harvest, equal in zip(runs, harvests, same, strict=True):
        yield (
            each.name, each.killings.kills, each.killings.at_work, each.killings.seconds, len(harvest.pages),
            harvest.stored, f"{len(harvest.has) / records:.1%}", len(harvest.questions), harvest.requests,
            harvest.refetched, harvest.posts, harvest.unknown, len(harvest.told - harvest.has), equal,
        )  # fmt: skip
