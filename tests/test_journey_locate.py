"""A crawl on a topic, end to end: real crawls of simweb and of small sites, held against the truth."""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest
from crawling import Answer, Ran, SmallSite
from forking import Forked, run_forked
from timing import delay_was_kept

from hiddenweb.forms.stored_form import form_from_json
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from simweb.running import Simweb
    from simweb.truth import Truth

WORLD: dict[str, Any] = {
    "seed": 15,
    "sites": 60,
    "pages_per_site": 12,
    "largest_database": 60,
    "direct": 0,
    "text_bytes": 1500,
}
TOPIC = "music"
TO_THE_KILL, IN_ALL = 40, 150  # pages
CRITERIA = ("SC", "all its links were visited")


def command(spider: str, arguments: Mapping[str, object], settings: Mapping[str, object]) -> list[str]:
    usual: dict[str, object] = {
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_RETRY_DELAY": 0.2,
        "HIDDENWEB_PROXY": "",
        "HIDDENWEB_INDEX": 0,
        "STATS_DUMP": True,
    }
    parts = [sys.executable, "-m", "scrapy", "crawl", spider]
    parts += [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
    return parts + [
        part for item in (usual | dict(settings)).items() for part in ("-s", "{}={}".format(*item))
    ]


def crawl(folder: Path, spider: str, arguments: Mapping[str, object], **settings: object) -> Ran:
    """Run a crawl until it ends."""
    with started(folder, spider, arguments, settings) as process:
        code = process.wait(540)
    output = (folder / "output.txt").read_text(encoding="utf-8", errors="replace")
    return Ran(code, output, folder / "state")


def killed_crawl(
    folder: Path, pages: int, spider: str, arguments: Mapping[str, object], **settings: object
) -> Kept:
    """Run a crawl until it has read so many pages, and kill it; return what was committed just before."""
    deadline = time.monotonic() + 540
    with started(folder, spider, arguments, settings) as process:
        while pages_of(folder / "state") < pages:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        kept = Kept.of(folder / "state")
        assert process.poll() is None
    return kept


@contextmanager
def started(
    folder: Path, spider: str, arguments: Mapping[str, object], settings: Mapping[str, object]
) -> Iterator[Forked]:
    """Start a crawl; it is killed when the block ends."""
    with (folder / "output.txt").open("wb") as output:
        process = Forked(
            command(spider, arguments, {"HIDDENWEB_STATE": folder / "state", **settings}),
            stdout=output,
            stderr=output,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def pages_of(state: Path) -> int:
    try:
        with Store(state, write=False) as opened:
            return int(str(opened.rows("SELECT count(*) FROM pages")[0][0]))
    except StateError:  # it is just being made
        return 0


@dataclass(frozen=True)
class Kept:
    """What a state holds of a crawl on a topic."""

    sites: dict[str, int]
    forms: dict[tuple[int, int], int | None]
    learnt: set[tuple[str, str]]
    done: set[str]

    @classmethod
    def of(cls, folder: Path) -> Kept:
        with Store(folder, write=False) as state:
            sites = state.rows("SELECT key, kind FROM explored_sites WHERE topic = ?", (TOPIC,))
            forms = state.rows(
                "SELECT site, hash, relevant FROM forms LEFT JOIN form_topics t ON t.form = forms.id AND topic = ?",
                (TOPIC,),
            )
            learnt = state.rows("SELECT part, term FROM topic_knowledge WHERE topic = ?", (TOPIC,))
            done = state.rows("SELECT url FROM links WHERE state = 2")
        return cls(
            dict(cast("list[tuple[str, int]]", sites)),
            cast("dict[tuple[int, int], int | None]", {(site, number): near for site, number, near in forms}),
            cast("set[tuple[str, str]]", set(learnt)),
            {str(url) for (url,) in done},
        )


@dataclass(frozen=True)
class Located:
    """A crawl that was killed once, and the world it was in."""

    before: Kept  # the kill
    ran: Ran
    seeds: tuple[str, ...]
    proxy: str
    requests: Sequence[Mapping[str, Any]]
    effects: Sequence[object]
    violations: Sequence[object]

    @property
    def seed_sites(self) -> set[str]:
        return set(map(registered_domain, self.seeds))


@pytest.fixture(scope="module")
def seeds(truth: Truth) -> tuple[str, ...]:
    """Three sites on the topic without a database that anybody may read."""
    plans = [site.plan for site in truth.sites(topic=TOPIC, databases=False)]
    good = [
        plan
        for plan in plans
        if not plan.robots.crawl_delay and truth.is_allowed(plan.url) and not plan.traps
    ]
    return tuple(plan.url for plan in good[:3])


@pytest.fixture(scope="module")
def located(web: Simweb, seeds: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory) -> Located:
    folder = tmp_path_factory.mktemp("locate")
    arguments = {"topic": TOPIC, "seeds": ",".join(seeds)}
    settings: dict[str, Any] = {"HIDDENWEB_PROXY": web.proxy, "CLOSESPIDER_ITEMCOUNT": IN_ALL - TO_THE_KILL}
    before = killed_crawl(folder, TO_THE_KILL, "locate", arguments, USER_AGENT="first", **settings)
    ran = crawl(folder, "locate", arguments, USER_AGENT="second", **settings)
    requests = web.get("requests", most=100_000)
    return Located(before, ran, seeds, web.proxy, requests, web.effects(), web.get("violations"))


# Locating


def test_sites_are_visited_that_nobody_named(located: Located, truth: Truth) -> None:
    hosts = {site.plan.host for site in truth.sites()}

    visited = {site for (site,) in located.ran.rows("SELECT key FROM explored_sites WHERE topic = ?", TOPIC)}

    assert located.ran.code == 0, located.ran.output[-3000:]
    assert located.seed_sites < visited <= hosts
    assert len(visited) > 10


def test_databases_of_the_topic_are_found_on_sites_that_nobody_named(located: Located, truth: Truth) -> None:
    rows = located.ran.rows(
        "SELECT forms.form FROM forms JOIN form_topics t ON t.form = forms.id WHERE topic = ? AND relevant",
        TOPIC,
    )

    sent_to = {
        (parts.netloc, parts.path) for (form,) in rows for parts in [urlsplit(form_from_json(form).action)]
    }

    searches = {(site.plan.host, site.search_action) for site in truth.sites(topic=TOPIC, databases=True)}
    found = {host for host, _ in sent_to & searches}
    assert len(found - located.seed_sites) >= 2


def test_links_to_other_sites_become_candidates(located: Located) -> None:
    waiting = located.ran.rows(
        "SELECT key, json_extract(candidate, '$.via') FROM candidates WHERE topic = ?", TOPIC
    )
    read = {url for (url,) in located.ran.rows("SELECT url FROM pages")}

    new = [(key, via) for key, via in waiting if via]

    assert new
    assert all(via in read and registered_domain(via) != key for key, via in new)
    linked = {target for (target,) in located.ran.rows("SELECT target FROM site_links")}
    assert {key for key, _ in new} <= linked


def test_what_was_decided_is_counted(located: Located) -> None:
    counted = located.ran.output.partition("Dumping Scrapy stats")[2]

    for stat in ("sites_opened", "sites_waiting", "forms_on_topic", "reranked", "slowest_choice_ms"):
        assert f"'hiddenweb/locating/{stat}': " in counted
    assert "'hiddenweb/links/outward': " in counted
    assert "'hiddenweb/frontier/crashed': " not in counted


def test_nobody_minds(located: Located) -> None:
    assert located.effects == []
    assert located.violations == []


# Being killed


def test_kill_costs_no_site_and_no_form(located: Located) -> None:
    before, after = located.before, Kept.of(located.ran.state)

    assert len(before.sites) > 3
    assert {key: kind for key, kind in before.sites.items() if after.sites.get(key, -1) < kind} == {}
    assert before.forms.keys() <= after.forms.keys()
    assert [
        form for form, relevant in before.forms.items() if (after.forms[form] or 0) < (relevant or 0)
    ] == []


def test_what_was_learnt_is_known_after_a_kill(located: Located) -> None:
    after = Kept.of(located.ran.state).learnt

    assert located.before.learnt
    assert located.before.learnt <= after


def test_pages_that_were_done_before_a_kill_are_not_asked_for_again(located: Located) -> None:
    later = {f"http://{row['host']}{row['target']}" for row in located.requests if row["agent"] == "second"}

    assert len(later) > 50
    assert later & located.before.done == set()


# Asking


@pytest.fixture(scope="module")
def submitting(located: Located, web: Simweb, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The same crawl resumes, and may submit forms."""
    folder = tmp_path_factory.mktemp("submitting")
    shutil.copytree(located.ran.state, folder / "state")
    return crawl(
        folder,
        "locate",
        {"topic": TOPIC, "seeds": ",".join(located.seeds)},
        HIDDENWEB_PROXY=web.proxy,
        HIDDENWEB_SUBMIT=True,
        HIDDENWEB_QUERIES_PER_FORM=2,
        HIDDENWEB_PAGES_PER_ANSWER=1,
        CLOSESPIDER_ITEMCOUNT=100,
    )


def test_forms_on_topic_are_asked_and_no_others(submitting: Ran, web: Simweb) -> None:
    rows = submitting.rows(
        "SELECT forms.id, coalesce(relevant, 0), (SELECT count(*) FROM submissions s WHERE s.form = forms.id)"
        " FROM forms LEFT JOIN form_topics t ON t.form = forms.id AND topic = ? WHERE may_submit",
        TOPIC,
    )

    assert submitting.code == 0, submitting.output[-3000:]
    assert [form for form, relevant, queries in rows if queries and not relevant] == []
    assert any(not relevant for _, relevant, _ in rows)
    assert any(queries for _, _, queries in rows)
    assert web.effects() == []


def test_records_of_the_topic_are_kept(submitting: Ran, truth: Truth) -> None:
    rows = submitting.rows("SELECT DISTINCT domain FROM records JOIN sites ON sites.id = records.site")

    assert TOPIC in {truth.site(host).plan.topic for (host,) in rows}


# Exploring


def test_explore_stays_on_the_given_sites_and_ends_each_by_a_criterion(
    web: Simweb, truth: Truth, tmp_path: Path
) -> None:
    plans = [site.plan for site in truth.sites() if not site.plan.robots.crawl_delay and not site.plan.traps]
    named = sorted((plan for plan in plans if truth.is_allowed(plan.url)), key=lambda plan: -plan.pages)[:3]

    ran = crawl(
        tmp_path,
        "explore",
        {"topic": TOPIC, "sites": ",".join(plan.url for plan in named)},
        HIDDENWEB_PROXY=web.proxy,
        HIDDENWEB_FORMLESS_PAGES_PER_SITE=12,
        USER_AGENT="explorer",
    )

    assert ran.code == 0, ran.output[-3000:]
    ended = dict(ran.rows("SELECT key, ended FROM explored_sites WHERE topic = ?", TOPIC))
    assert ended.keys() == {plan.host for plan in named}
    assert all(why.startswith(CRITERIA) for why in ended.values()), ended
    assert "SC5: 12 pages without a new search form" in ended.values()
    visited = {row["host"] for row in web.get("requests", most=100_000) if row["agent"] == "explorer"}
    assert visited == ended.keys()


# SmartCrawler


def test_smartcrawler_as_published_locates_too(web: Simweb, seeds: tuple[str, ...], tmp_path: Path) -> None:
    ran = crawl(
        tmp_path,
        "locate",
        {"topic": TOPIC, "seeds": ",".join(seeds)},
        HIDDENWEB_PROXY=web.proxy,
        HIDDENWEB_STRATEGY="smartcrawler",
        HIDDENWEB_FORMLESS_PAGES_PER_SITE=10,
        CLOSESPIDER_ITEMCOUNT=80,
    )

    assert ran.code == 0, ran.output[-3000:]
    sites = {site for (site,) in ran.rows("SELECT key FROM explored_sites WHERE topic = ?", TOPIC)}
    assert set(map(registered_domain, seeds)) < sites
    ended = {why for (why,) in ran.rows("SELECT DISTINCT ended FROM explored_sites WHERE ended IS NOT NULL")}
    assert ended
    assert all(why.startswith((*CRITERIA, "its homepage is off topic")) for why in ended), ended
    assert ran.rows("SELECT count(*) FROM topic_knowledge WHERE part LIKE '%odds'") == [(0,)]


# Manners


def test_delay_is_kept_on_every_site(tmp_path: Path) -> None:
    times: dict[str, list[float]] = {"127.0.0.1": [], "127.0.0.2": []}

    def answers(address: str, others: list[str]) -> Any:
        def answer(path: str) -> Answer | str | None:
            times[address].append(time.monotonic())
            links = "".join(f"<a href=/song-{number}>Song {number}</a> " for number in range(4))
            away = "".join(f"<a href={other}>More music</a> " for other in others)
            return (
                None
                if path == "/robots.txt"
                else f"<title>Music</title><p>Albums and songs of {path}</p>{links}{away}"
            )

        return answer

    with (
        SmallSite(answers("127.0.0.2", []), "127.0.0.2") as second,
        SmallSite(answers("127.0.0.1", [second.url])) as first,
    ):
        allowed = ",".join(urlsplit(site.url).netloc for site in (first, second))
        ran = crawl(
            tmp_path,
            "locate",
            {"topic": TOPIC, "seeds": first.url},
            HIDDENWEB_ALLOW_ADDRESSES=allowed,
            HIDDENWEB_DELAY=0.3,
        )

    assert ran.code == 0, ran.output[-3000:]
    for requested in times.values():
        assert len(requested) == 6
        assert delay_was_kept(requested, 0.3)


# What is wrong is said


@dataclass(frozen=True)
class Wrong:
    """Arguments that cannot be meant so, and what is said about them."""

    arguments: dict[str, str]
    complaint: str


WRONG = {
    "no topic": Wrong(
        {"seeds": "https://a.example/"}, "locate needs a topic: it takes -a topic=NAME or FILE"
    ),
    "a topic file with mistakes": Wrong(
        {"topic": "{folder}/topic.toml", "seeds": "https://a.example/"},
        "{folder}/topic.toml: wrods is not a key of a topic; did you mean words?",
    ),
    "no seeds": Wrong({"topic": "lost wax casting"}, "the topic 'lost wax casting' has no seeds"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_explained_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "topic.toml").write_text('wrods = ["lost", "wax"]\n')
    arguments = {key: value.format(folder=tmp_path) for key, value in WRONG[name].arguments.items()}

    done = run_forked(command("locate", arguments, {"HIDDENWEB_STATE": tmp_path / "state"}))

    assert done.returncode == 2
    assert not (tmp_path / "state").exists()
    [line] = [line for line in done.stderr.splitlines() if line.startswith("scrapy crawl: ")]
    assert WRONG[name].complaint.format(folder=tmp_path) in line
    assert "Traceback" not in done.stderr
