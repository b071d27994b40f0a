"""Whether one revisit tells exactly what changed in the databases of real applications.

A site is harvested, or a harvest that was kept is used. Then its database is changed: records are added, edited and deleted. One
revisit, with a budget for every page that the harvest read, has to tell which. What it tells is held against the truth before and after.

What can be seen from outside is decided without our reading of pages. All answer pages that the harvest read are asked for once more,
directly, after the change, and the addresses on them tell which records they show:

- an added record can be seen if one of these pages shows it;
- a deleted one if the harvest had stored it, or had read its own page;
- an edited one if a line of its text that it did not have before stands on its own page, which the harvest had read, or on one of
  these answer pages that shows it.

What is told of a record that did not change that way is false. A record that was there before, but that no harvest had met, may be told as
added: nobody can know better from outside. Such are counted apart, and so is what is told of pages that are no record's own.
"""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from benchmarks import Skipped
from benchmarks._real_judging import Truth
from benchmarks._real_sites import fetch, harvest, revisit
from benchmarks.report import table
from hiddenweb.store.database import Store
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks._real_sites import Site, Sites
    from hiddenweb.revisit.change import Change

CHURNED = ("datasette", "wordpress", "omega", "redmine")
EACH = 5
"""Records that are added, that are edited and that are deleted."""

REVISIT_MINUTES = 60.0
"""Enough for every page: a look that was not made tells nothing."""

_AT_ONCE = 4
_LINK = re.compile(r"""(?:href|action|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))""", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_OF_RECORDS = {"record added": "add", "record removed": "delete", "record changed": "edit"}
_OF_PAGES = {"new": "add", "back": "add", "gone": "delete", "content": "edit"}

Texts = Mapping[str, tuple[str, str]]
"""Address and text of records, by id."""

Found = tuple[str, str]
"""What became of a record (add, edit, delete), and its id."""


@dataclass(frozen=True, slots=True)
class Harvested:
    """What a harvest had read."""

    stored: frozenset[str]  # ids of records
    own: frozenset[str]  # ids of records whose own pages were read
    answers: tuple[str, ...]  # addresses of answer pages, those that are asked for by GET
    pages: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as it is after the change."""

    ids: frozenset[str]
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a revisit told, judged."""

    visible: frozenset[Found]
    found: frozenset[Found]
    false: frozenset[Found]
    newly_met: int = 0
    other: int = 0  # changes of pages that are no record's own
    missed: frozenset[Found] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "missed", self.visible - self.found)


def changes_of(
    sites: Sites, names: Sequence[str], keep: Path, minutes: float, seed: int, jobs: int = 1
) -> dict[str, object]:
    """Change every site, revisit it and put it back; print a table, return the figures."""

    def one(name: str) -> Verdict:
        site = sites.open(name)
        if not (keep / name / "state").is_dir():
            harvest(sites, site, keep / name, minutes)
        try:
            verdict = _judge_change(sites, site, keep / name, seed)
        finally:
            site.reset()
        print(
            f"{name}: {len(verdict.found)} of {len(verdict.visible)} found; false {sorted(verdict.false)[:9]},"
            f" missed {sorted(verdict.missed)}",
            flush=True,
        )
        return verdict

    with ThreadPoolExecutor(jobs) as pool:
        verdicts = dict(zip(names, pool.map(one, names), strict=True))
    rows = [
        (name, len(each.visible), len(each.found), len(each.false), each.newly_met, each.other)
        for name, each in verdicts.items()
    ]
    print(table(("site", "can be seen", "found", "false", "newly met", "of other pages"), rows))
    return figures_of_changes(verdicts)


def figures_of_changes(verdicts: Mapping[str, Verdict]) -> dict[str, object]:
    """Return the share of all visible changes that were told, how many told ones are false, and the figures of each site."""
    visible = sum(len(each.visible) for each in verdicts.values())
    found = sum(len(each.found) for each in verdicts.values())
    return {
        "changes_found": round(found / visible, 4) if visible else None,
        "changes_false": sum(len(each.false) for each in verdicts.values()),
        "sites": {
            name: {
                "visible": len(each.visible), "found": len(each.found), "false": len(each.false),
                "newly_met": each.newly_met, "other": each.other,
                "missed": [f"{what} {record}" for what, record in sorted(each.missed)],
            }
            for name, each in verdicts.items()
        },
    }  # fmt: skip


def _judge_change(sites: Sites, site: Site, kept: Path, seed: int) -> Verdict:
    folder = kept.with_name(f"{kept.name}-changed")
    shutil.rmtree(folder, ignore_errors=True)
    # An index that was copied is not opened; the revisit makes its own.
    shutil.copytree(kept / "state", folder / "state", ignore=shutil.ignore_patterns("index"))
    before = site.texts()
    site.churn(seed, EACH)
    after = site.texts()
    truth = Truth({**before, **after}.keys(), site.meta["record_url"])
    with Store(folder / "state", write=False) as state:
        known, last = read_harvest(state, truth), _last_change(state)
    if not known.stored:
        raise Skipped(f"{site.name}: the harvest stored no record, so that nothing can be told of any")
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        shown = list(pool.map(lambda url: fetch_records(url, truth), known.answers))
    own = {
        record: fetch_records(after[record][0], truth).text
        for record in find_edited(before, after) & known.own
    }
    revisit(sites, site, folder, REVISIT_MINUTES, budget=known.pages + known.pages // 10 + 100)
    with Store(folder / "state", write=False) as state:
        told = [change for change in RevisitStore(state).changes.load_all(noise=True) if change.number > last]
    return judge(
        told, truth, before, after, known.stored | known.own, visible(before, after, known, shown, own)
    )


def read_harvest(state: Store, truth: Truth) -> Harvested:
    """Return what a state says that was read."""
    stored = ids_of(
        (str(url) for (url,) in state.rows("SELECT url FROM records WHERE url IS NOT NULL")), truth
    )
    pages = [(str(kind), str(url)) for kind, url in state.rows("SELECT kind, url FROM pages")]
    posted = {str(url) for (url,) in state.rows("SELECT url FROM submissions WHERE method <> 'GET'")}
    answers = [url for kind, url in pages if kind in ("answer", "paging") and url not in posted]
    return Harvested(
        stored, ids_of((url for kind, url in pages if kind in ("record", "page")), truth), tuple(answers), len(pages)
    )  # fmt: skip


def _last_change(state: Store) -> int:
    return max((change.number for change in RevisitStore(state).changes.load_all(noise=True)), default=0)


def ids_of(urls: Iterable[str], truth: Truth) -> frozenset[str]:
    """Return the records that some addresses lead to."""
    return frozenset(found for url in urls if (found := truth.id_at(url)))


def fetch_records(url: str, truth: Truth) -> Shown:
    """Ask for a page; return the records that it shows, and its words."""
    status, body = fetch(url)
    return read_page(url, body, truth) if status == 200 else Shown(frozenset(), "")


def read_page(url: str, body: str, truth: Truth) -> Shown:
    """Return the records that a page shows by their addresses, and its words."""
    links = [html.unescape(next(filter(None, groups), "")) for groups in _LINK.findall(body)]
    return Shown(ids_of((_join(url, link) for link in links), truth), one_line(_TAG.sub(" ", body)))


def _join(url: str, link: str) -> str:
    try:
        return urljoin(url, link)
    except ValueError:
        return link


def one_line(text: str) -> str:
    """Return a text with single spaces, and characters for entities.

    >>> one_line("A  &amp;\\nB")
    'A & B'
    """
    return " ".join(html.unescape(text).split())


def find_edited(before: Texts, after: Texts) -> set[str]:
    """Return the records that are there before and after, with other words."""
    return {record for record in before.keys() & after.keys() if before[record][1] != after[record][1]}


def visible(
    before: Texts, after: Texts, known: Harvested, shown: Collection[Shown], own: Mapping[str, str]
) -> frozenset[Found]:
    """Return what a look at the pages that a harvest had read can see, given these pages after the change."""
    added = {("add", record) for page in shown for record in page.ids - before.keys()}
    deleted = {("delete", record) for record in (known.stored | known.own) - after.keys()}
    changed = set()
    for record in find_edited(before, after) & (known.stored | known.own):
        texts = [page.text for page in shown if record in page.ids]
        texts += [own[record]] if record in own else []
        lines = new_lines(before[record][1], after[record][1])
        if any(line in text for text in texts for line in lines):
            changed.add(("edit", record))
    return frozenset(added | deleted | changed)


def new_lines(before: str, after: str) -> set[str]:
    """Return the lines that a text did not have before.

    >>> sorted(new_lines("a\\nb", "a\\nb\\nRevised  today."))
    ['Revised today.']
    """
    return {one_line(line) for line in set(after.splitlines()) - set(before.splitlines())} - {""}


def judge(
    told: Iterable[Change],
    truth: Truth,
    before: Texts,
    after: Texts,
    known: Collection[str],
    can_be_seen: frozenset[Found],
) -> Verdict:
    """Hold what a revisit told against what became of the records."""
    happened = {("add", record) for record in after.keys() - before.keys()}
    happened |= {("delete", record) for record in before.keys() - after.keys()}
    happened |= {("edit", record) for record in find_edited(before, after)}
    said, other = set(), 0
    for change in told:
        found = record_of_change(change, truth)
        other += found is None
        said |= {found} if found else set()
    wrong = said - happened
    newly_met = {each for each in wrong if each[0] == "add" and each[1] not in known}
    return Verdict(
        can_be_seen, frozenset(said & can_be_seen), frozenset(wrong - newly_met), len(newly_met), other
    )


def record_of_change(change: Change, truth: Truth) -> Found | None:
    """Return what a change says of which record; None if it is about none."""
    if change.kind in _OF_RECORDS:
        record = truth.id_at(change.key) or truth.id_at(change.url)
        return (_OF_RECORDS[change.kind], record) if record else None
    record = truth.id_at(change.url)
    return (_OF_PAGES[change.kind], record) if record and change.kind in _OF_PAGES else None
