"""records: what a harvest keeps of databases whose rows are known: each row once, and its values in their columns.

Sites of simweb, and real applications as they come (`benchmarks._record_sites`): Datasette, Django's admin pages, Roundup, the tickets of Fossil.
Each is harvested by `scrapy crawl harvest` from the page of its search, delay 0 because it is loopback. Then the records in its state are held
against the rows of its database (`benchmarks._record_judging`).

- `record_precision`: of the stored records, how many are rows. `record_recall`: of the rows, how many are stored.
- `duplicate_keys`: stored records that are a row another stored record is, too.
- `attribute_accuracy`: a cell is a row that is stored and one of its columns, if any page that was read shows the value, or if a value is stored where the row has none.
  It is right if what is stored under the name of the column is the value of the row, and nothing else. A column is called as pages label it;
  columns without label by the one name that most of its values have.
- `overwritten_worse`: cells with another value though the answer, or the record's own page, was read rightly.

simweb's worlds were out of sight while the rules were made, and so was Fossil but for one look; `..._made_with` are the figures of the other applications.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from benchmarks._record_judging import StoredRecord, Tally, judge_records
from benchmarks._record_simweb import keep_shown, serve_simweb
from benchmarks._record_sites import choose_applications
from benchmarks.data import ROOT
from benchmarks.report import table
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from benchmarks import Options
    from benchmarks._record_sites import RecordSite

MADE_WITH = ("Datasette", "Django", "Roundup")
"""Applications that were looked at while the rules were made."""

LEAST = {"record_precision": 0.99, "record_recall": 0.98, "attribute_accuracy": 0.97}
MOST = {"duplicate_keys": 0, "overwritten_worse": 0}
"""What is wanted."""

SHOWN = 25
"""Faults that are printed for a site."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is harvested."""

    rows: int  # of an application
    seconds: int  # of a crawl, at most
    worlds: int
    hosts: int  # of a world
    sites: int  # of a world that are harvested
    applications: tuple[str, ...] = ()  # all if empty


UNSEEN = 101
"""Is added to the seed: rules were made with the worlds of seeds 1 and 2, and that of 107 was looked at."""

WORLD_SECONDS = 300
"""Seconds for the sites of a world."""

FULL = Scale(400, 150, 2, 300, 16)
QUICK = Scale(60, 30, 0, 0, 0, ("Datasette",))


def run(options: Options) -> Mapping[str, object]:
    """Harvest everything, print what is wrong, and return the figures."""
    scale, seed = (QUICK if options.quick else FULL), options.seed + UNSEEN
    tallies: dict[str, Tally] = {}
    for world in range(seed, seed + scale.worlds):
        with TemporaryDirectory(prefix="hiddenweb-records-") as folder:
            tallies[f"simweb {world}"] = harvest_simweb(Path(folder), world, scale)
    for name, serve in choose_applications().items():
        if not scale.applications or name in scale.applications:
            with TemporaryDirectory(prefix="hiddenweb-records-") as folder:
                (Path(folder) / "application").mkdir()
                with serve(Path(folder) / "application", seed, scale.rows) as site:
                    tallies[name] = harvest_application(Path(folder), site, scale)
    for name, tally in tallies.items():
        show_faults(name, tally)
    print(
        table(("site", "rows", "stored", *LEAST, *MOST), [_row(name, each) for name, each in tallies.items()])
    )
    total = add_up(tallies.values())
    made_with = add_up(each for name, each in tallies.items() if name in MADE_WITH)
    figures: dict[str, object] = {
        "sites": {
            name: {"rows": each.rows, "stored": each.stored, **each.figures} for name, each in tallies.items()
        },
        **total.figures,
        **{f"{name}_made_with": value for name, value in made_with.figures.items()},
    }
    for missed in list_missed(tallies):
        print(f"MISSED: {missed}")
    return figures


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Return the sum."""
    total = Tally()
    for each in tallies:
        total.add(each)
    return total


def list_missed(tallies: Mapping[str, Tally]) -> list[str]:
    """Return a line for every figure of a site that is not as good as it should be."""
    return [
        f"{name} of {site} is {value}"
        for site, tally in tallies.items()
        for name, value in tally.figures.items()
        if value < LEAST.get(name, 0) or value > MOST.get(name, 1)
    ]


def harvest_application(folder: Path, site: RecordSite, scale: Scale) -> Tally:
    """Harvest an application and judge what is stored."""
    crawl(
        folder,
        [site.start],
        scale.seconds,
        HIDDENWEB_ALLOW_ADDRESSES=urlsplit(site.start).netloc,
        HIDDENWEB_PROXY="",
    )
    records = read_records(folder / "state", lambda url, _: site.find_id(url))
    return judge_records(site.rows, records, site.labels)


def harvest_simweb(folder: Path, seed: int, scale: Scale) -> Tally:
    """Harvest sites of a world, all in one crawl, and judge each."""
    total = Tally()
    with serve_simweb(seed, scale.hosts, scale.sites) as (web, sites):
        crawl(
            folder, [each.url for each in sites], WORLD_SECONDS, HIDDENWEB_PROXY=web.proxy,
            HIDDENWEB_ALLOW_POST=",".join(each.host for each in sites),
        )  # fmt: skip
        for each in keep_shown(sites, web.get("requests", most=10**7)):
            records = read_records(folder / "state", each.find_id, host=each.host)
            total.add(judge_records(each.rows, records, each.labels))
    return total


def crawl(folder: Path, seeds: list[str], seconds: int, **settings: object) -> None:
    """Run `scrapy crawl harvest` until it ends or its time is over."""
    (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
    given = {
        "HIDDENWEB_STATE": folder / "state",
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_INDEX": False,
        "LOG_LEVEL": "ERROR",
        **settings,
    }
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "harvest",
        "-a",
        f"sites={folder / 'seeds.txt'}",
        "-a",
        f"time={seconds}s",
    ]
    command += [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    ran = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(
            f"the crawl of {', '.join(seeds)} ended with code {ran.returncode}:\n{ran.stderr[-2000:]}"
        )


def read_records(
    folder: Path, find_id: Callable[[str, str], str | None], *, host: str = ""
) -> list[StoredRecord]:
    """Return the records of a state, of one host if it is named."""
    with closing(Store(folder, write=False)) as state:
        rows = cast(
            "list[tuple[Any, ...]]",
            state.rows(
                "SELECT coalesce(records.url, ''), records.title, records.text, coalesce(detail, ''), attributes, listed, stated,"
                " coalesce(pages.url, '') FROM records LEFT JOIN pages ON pages.id = records.page"
            ),
        )
    return [
        StoredRecord(
            find_id(url, text), url, _pairs(attributes), f"{title}\n{text}\n{detail}",
            (_pairs(listed or attributes), _pairs(stated or "[]")),
        )
        for url, title, text, detail, attributes, listed, stated, page in rows
        if not host or urlsplit(page).netloc == host
    ]  # fmt: skip


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(each[0], each[1]) for each in json.loads(text)]


def show_faults(name: str, tally: Tally) -> None:
    """Print what is wrong with the records of a site, the most frequent first."""
    print(f"\n{name}: {tally.cells} cells, {tally.unread} values that no page read shows")
    for fault, times in tally.faults.most_common(SHOWN):
        print(f"  {times:6} {fault}: {tally.examples[fault][0][:300]}")


def _row(name: str, tally: Tally) -> tuple[object, ...]:
    return name, tally.rows, tally.stored, *(tally.figures[figure] for figure in (*LEAST, *MOST))
