"""Forty booby-trapped forms on simweb: how many would be asked, how many are sprung, and what that caution costs.

Two measurements on one world, whose sites with a database all have ten traps each beside their real search.

Verdicts: every page with a form is read in this process and every form on it judged, with POST allowed, which is the
hardest case. What would be asked is filled in as in a crawl and really sent, to a world in memory that counts effects: so a
search with one harmful button counts as a trap only if that button is pressed. Recall is the share of the real search forms of the same
sites that would be asked, of those that can be sent without a browser. Searches with a harmful way are counted apart: one that
is left alone is a loss, but nobody is blamed for it. Boxes without a form count as found if the reader says that
they need a browser.

A crawl: `scrapy crawl harvest` over loopback, POST allowed on all hosts, and simweb counts. Sites whose robots.txt asks for
a delay are left out; that would only take time.

Beside it stands what a crawler does that asks every form with one text box and presses Enter.

The rules were written with the words of these traps at hand. So the verdicts are measured a second time, on worlds of other seeds whose
traps say the same in held-out wordings; only verdicts, no crawl.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.data import ROOT
from benchmarks.report import table
from hiddenweb.forms.submission import UnreadableForm, build_submission
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.querying.fillings import fillings, fillings_without_box
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan
from simweb.booby_traps import TRAPS
from simweb.messages import Request
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks import Options
    from hiddenweb.model import Form, HttpQuery, Page
    from simweb.plan import SitePlan
    from simweb.site import Site
    from simweb.truth import FormTruth

WORD = "water"
QUESTIONS = 3
HELD_OUT = 1000  # how far the seeds of the worlds in held-out wordings are from the others
VALUES = LabelledValueSet(date(2026, 1, 1))
"""What is known before anything was learnt; the day is the first of the world."""

LONGEST_CRAWL = 900.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How much there is to judge and to crawl; half of the sites have a database, or 40 of many."""

    worlds: int  # to judge; the first is crawled
    sites: int
    pages_per_site: int
    crawled: int
    queries: int

    @property
    def world(self) -> dict[str, Any]:
        """What makes the world, in this process and in simweb's."""
        return {
            "sites": self.sites,
            "pages_per_site": self.pages_per_site,
            "direct": 0,
            "largest_database": 120,
            "text_bytes": 800,
            "booby_traps": True,
        }


QUICK = Scale(worlds=1, sites=64, pages_per_site=12, crawled=8, queries=1)
FULL = Scale(worlds=3, sites=96, pages_per_site=40, crawled=40, queries=3)


@dataclass(slots=True)
class Verdicts:
    """What was judged: traps by name and language, searches by style and language."""

    traps: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    trap_forms: int = 0
    unseen: list[str] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(
        default_factory=list
    )  # traps that would be sprung, and what they say
    by_enter: int = 0  # traps that are sprung by whoever asks all forms with one text box
    searches: Counter[tuple[str, str]] = field(default_factory=Counter)  # style and language
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    mixed: int = 0
    mixed_asked: int = 0
    formless: int = 0
    formless_found: int = 0
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)  # style and why


def run(options: Options) -> dict[str, object]:
    """Judge, crawl meanwhile, and print both."""
    scale = QUICK if options.quick else FULL
    verdicts = Verdicts()
    with ThreadPoolExecutor(1) as aside, closing(World(options.seed, **scale.world)) as world:
        sites = sites_to_crawl(world, scale)
        crawl = aside.submit(harvest_traps, options.seed, scale, [site.plan for site in sites])
        judge_all(world, verdicts)
        for seed in range(options.seed + 1, options.seed + scale.worlds):
            with closing(World(seed, **scale.world)) as another:
                judge_all(another, verdicts)
        show(verdicts)
        held_out = judge_held_out(options.seed + HELD_OUT, scale)
        print("\nIn held-out wordings:")
        show_mistakes(held_out)
        figures = figures_of(crawl.result(), Truth(world), sites)
    return {**figures_of_verdicts(verdicts), **figures_held_out(held_out), **figures}


def judge_held_out(seed: int, scale: Scale) -> Verdicts:
    """Judge worlds whose traps speak in words that no rule was written against."""
    verdicts = Verdicts()
    for each in range(seed, seed + scale.worlds):
        with closing(World(each, **{**scale.world, "booby_traps": "held out"})) as world:
            judge_all(world, verdicts)
    return verdicts


def figures_held_out(verdicts: Verdicts) -> dict[str, object]:
    """Return the figures of what was judged in held-out wordings: forms sprung, and how many of the forty traps they are."""
    return {
        "booby_trap_forms_held_out": verdicts.trap_forms,
        "booby_traps_unseen_held_out": len(verdicts.unseen),
        "booby_traps_asked_held_out": len(verdicts.asked),
        "booby_trap_names_asked_held_out": len({name for name, _ in verdicts.asked}),
        "search_forms_held_out": verdicts.searches.total(),
        "search_form_recall_held_out": round(verdicts.found.total() / verdicts.searches.total(), 4),
    }


def figures_of_verdicts(verdicts: Verdicts) -> dict[str, object]:
    """Return the figures of what was judged."""
    searches = verdicts.searches.total()
    return {
        "booby_traps": len(verdicts.traps),
        "booby_trap_languages": min(map(len, verdicts.traps.values())),
        "booby_trap_forms": verdicts.trap_forms,
        "booby_traps_unseen": len(verdicts.unseen),
        "booby_traps_asked": len(verdicts.asked),
        "booby_traps_asked_by_any_text_box": verdicts.by_enter,
        "search_forms": searches,
        "search_form_recall": round(verdicts.found.total() / searches, 4),
        "search_form_recall_with_harmful_ways": round(
            (verdicts.found.total() + verdicts.mixed_asked) / (searches + verdicts.mixed), 4
        ),
        "search_form_recall_by_style": recall_by(verdicts, 0),
        "search_form_recall_by_language": recall_by(verdicts, 1),
        "searches_with_a_harmful_way": verdicts.mixed,
        "searches_with_a_harmful_way_asked": verdicts.mixed_asked,
        "formless_searches": verdicts.formless,
        "formless_searches_found": verdicts.formless_found,
    }


def recall_by(verdicts: Verdicts, part: int) -> dict[str, float]:
    """Return recall by style (part 0) or by language (part 1)."""
    there: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for key, count in verdicts.searches.items():
        there[key[part]] += count
        asked[key[part]] += verdicts.found[key]
    return {name: round(asked[name] / there[name], 3) for name in sorted(there)}


def show(verdicts: Verdicts) -> None:
    """Print what was judged wrongly, and recall by style and language."""
    print(table(["style", "recall"], list(recall_by(verdicts, 0).items())))
    print()
    print(table(["language", "recall"], list(recall_by(verdicts, 1).items())))
    show_mistakes(verdicts)


def show_mistakes(verdicts: Verdicts) -> None:
    """Print which searches would be left alone, which traps sprung, and in which words."""
    for (style, why), count in verdicts.missed.most_common(12):
        print(f"not asked: {count} x {style}: {why}")
    for name, says in sorted(verdicts.asked):
        print(f"sprung: {name}, {says}")
    for name in verdicts.unseen:
        print(f"not seen: {name}")


# Verdicts


def judge_all(world: World, verdicts: Verdicts) -> None:
    """Judge every form of every site that has traps."""
    truth = Truth(world)
    for site in truth.sites(databases=True):
        placed: dict[str, list[FormTruth]] = defaultdict(list)
        for form in truth.forms(site.plan.host):
            placed[form.page].append(form)
        for url, forms in placed.items():
            page = _read(world, url)
            for known in forms:
                _judge_one(world, site, page, known, verdicts)


def _judge_one(world: World, site: Site, page: Page, known: FormTruth, verdicts: Verdicts) -> None:
    seen = [form for form in page.forms if _is(form, known)]
    if known.form.booby_trap:
        _judge_trap(world, site, seen, known, verdicts)
    elif known.form.needs_browser:
        verdicts.formless += 1
        verdicts.formless_found += any(form.needs_browser for form in page.forms)
    elif known.form.is_search:
        key = (known.form.style, site.plan.language)
        asked = any(True for form in seen for _ in _first_queries(form))
        verdicts.searches[key] += 1
        verdicts.found[key] += asked
        if not asked:
            why = _why_not(seen[0]) if seen else "not seen"
            verdicts.missed[known.form.style, f"{site.plan.language}: {why}"] += 1


def _judge_trap(world: World, site: Site, seen: list[Form], known: FormTruth, verdicts: Verdicts) -> None:
    name = known.form.booby_trap
    verdicts.traps[name].add(site.plan.language)
    verdicts.trap_forms += 1
    if not seen:
        verdicts.unseen.append(f"{name} on {known.page}")
    asked = [query for form in seen for query in _first_queries(form)]
    if any(_is_sprung_by(world, query) for query in asked):
        verdicts.asked.append((name, f"{site.plan.language}: {_words_of(seen[0])} {known.page}"))
    verdicts.by_enter += any(
        _is_sprung_by(world, query) for form in seen for query in _submissions_by_enter(form)
    )
    verdicts.mixed += known.form.is_search
    verdicts.mixed_asked += known.form.is_search and bool(asked)


def _words_of(form: Form) -> str:
    """Return what a form says to people: its text, and what only its controls say."""
    said = [form.text[:80], *(text for each in form.fields for text in (each.label, each.placeholder))]
    return " | ".join(dict.fromkeys(text for text in said if text))


def _first_queries(form: Form) -> Iterator[HttpQuery]:
    """Yield the first questions that a crawl would ask a form, if it would."""
    verdict = judge_form(form, allow_post=True)
    if verdict.may_submit:
        planned = plan(form, verdict.query_box, VALUES)
        ways = fillings(planned, WORD) if verdict.query_box is not None else fillings_without_box(planned)
        button = form.fields[verdict.button] if verdict.button is not None else None
        try:
            for filled in islice(ways, QUESTIONS):
                yield build_submission(form, filled, submitter=button)
        except UnreadableForm:
            return


def _submissions_by_enter(form: Form) -> Iterator[HttpQuery]:
    """Yield what somebody sends who types into the only text box of a form and presses Enter."""
    boxes = [each for each in form.fields if each.kind in ("text", "search") and not each.disabled]
    button = next((each for each in form.fields if each.kind in ("submit", "image")), None)
    if len(boxes) == 1:
        try:
            yield build_submission(form, {boxes[0].name: WORD}, submitter=button)
        except UnreadableForm:
            return


def _why_not(form: Form) -> str:
    verdict = judge_form(form, allow_post=True)
    obstacles = plan(form, verdict.query_box, VALUES).obstacles
    return "; ".join(obstacles) if verdict.may_submit else verdict.summary


def _is_sprung_by(world: World, query: HttpQuery) -> bool:
    """Send what was asked, and say whether that had an effect."""
    world.journal.clear()
    parts = urlsplit(query.url)
    body = query.body or b""
    request = Request(query.method, parts.netloc, parts.path or "/", parts.query, body=body)
    world.respond(request)
    return bool(world.journal.effects())


def _is(form: Form, known: FormTruth) -> bool:
    """Say whether a form that was read is one that is known to stand there."""
    names = {field.name for field in form.fields}
    wanted = {field.name for field in known.form.fields if field.control != "hidden"}
    built_around = {trap.name for trap in TRAPS if trap.is_search and trap.controls <= names}
    same = urlsplit(form.action).path == known.form.action and wanted <= names
    return same and (known.form.booby_trap in built_around or not (built_around and known.form.is_search))


def _read(world: World, url: str) -> Page:
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    assert response is not None, url
    headers = {name.lower(): value for name, value in response.headers}
    return read_page(response.body, url, content_type=headers.get("content-type", ""))


# The crawl


@dataclass(frozen=True, slots=True)
class Crawled:
    """What simweb says about a crawl."""

    effects: list[dict[str, Any]]
    requests: list[dict[str, Any]]


def sites_to_crawl(world: World, scale: Scale) -> list[Site]:
    """Return sites with traps, the smallest first, without those that ask for a delay."""
    sites = [site for site in Truth(world).sites(databases=True) if site.plan.robots.crawl_delay is None]
    return sorted(sites, key=lambda site: site.plan.pages)[: scale.crawled]


def harvest_traps(seed: int, scale: Scale, sites: list[SitePlan]) -> Crawled:
    """Harvest sites with traps for real."""
    with (
        tempfile.TemporaryDirectory(prefix="hiddenweb-traps-") as folder,
        Simweb.start(seed=seed, **scale.world) as web,
    ):
        _harvest(Path(folder), web, sites, scale)
        return Crawled(web.effects(), web.get("requests", most=10**7))


def figures_of(crawl: Crawled, truth: Truth, sites: list[Site]) -> dict[str, object]:
    """Return the figures of a crawl; how many traps it met says what its effects are worth."""
    for effect in crawl.effects:
        print(f"effect: {effect}")
    served = {f"http://{row['host']}{row['target']}" for row in crawl.requests if row["status"] == 200}
    known = [form for site in sites for form in truth.forms(site.plan.host) if form.form.booby_trap]
    return {
        "booby_trap_effects": len(crawl.effects),
        "booby_trap_sites_crawled": len(sites),
        "booby_trap_forms_met": sum(form.page in served for form in known),
        "answers_read": sum(row["kind"].startswith("answer:") for row in crawl.requests),
    }


def _harvest(folder: Path, web: Simweb, sites: list[SitePlan], scale: Scale) -> None:
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(site.url for site in sites), encoding="utf-8")
    settings: Mapping[str, object] = {
        "HIDDENWEB_STATE": folder / "state",
        "HIDDENWEB_PROXY": web.proxy,
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_INDEX": False,
        "HIDDENWEB_QUERIES_PER_FORM": scale.queries,
        "HIDDENWEB_PAGES_PER_ANSWER": 1,
        "HIDDENWEB_ALLOW_POST": ",".join(site.host for site in sites),
        "HIDDENWEB_PROGRESS_SECONDS": 0,
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "harvest", "-a", f"sites={seeds}"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=LONGEST_CRAWL, stdin=subprocess.DEVNULL)
