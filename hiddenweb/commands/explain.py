"""`scrapy explain URL`: why a site or a link was visited, waits, or was left, also while a crawl is going on.

For a site (its homepage, its bare name, any address of it): where it stands, what it scores and why, who links to it, what its
pages gave, what the classifier says of it, its forms. For a link that was met: its state, where it stands, what it scores, and what
keeps it from being visited. With --json the same for programs. Exit codes: 0; 1 if nobody has heard of it; 2 for a wrong command;
3 if there is no state, or none that can be read.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.commands.status import as_json, clean, say
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.site_ranker import SEEDS_FIRST
from hiddenweb.focused.topic import BadTopic, built_in_topics, read_topic
from hiddenweb.focused.topic_crawl import plan_of
from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from hiddenweb.frontier.stopping import ExplorationProgress
from hiddenweb.reports.explain import (
    at_one_moment,
    has_run_under_way,
    link_at,
    sightings,
    site_named,
    sources_of,
    topic_fits,
    topics_in,
    visited_links,
)
from hiddenweb.reports.scores import learners, rank_of_link, rank_of_site, value_of_link, value_of_site
from hiddenweb.reports.summary import NOT_NAMED
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.focused import NOT_DONE, learnt_rows
from hiddenweb.urls import end_of_host, normalise_url, registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Iterator

    from hiddenweb.focused.smartcrawler import AdaptiveCrawler, FocusedLimits
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.reports.explain import KnownLink, KnownSite, LinkingSite, Sighting, TopicFit, VisitedSite
    from hiddenweb.reports.scores import RankReport, ScoreReason, ValueReport

NOT_HEARD_OF, NO_STATE = 1, 3
SHOWN = 8
"""Reasons, sources and forms that are named."""

_MOST_SOURCES = 100
_CRITERIA = {
    "SC1": ("how deep a site is explored", "HIDDENWEB_MAX_SITE_DEPTH"),
    "SC2": ("how many pages of one depth are read", "HIDDENWEB_PAGES_PER_DEPTH"),
    "SC3": ("how many forms of one depth are enough", "HIDDENWEB_FORMS_PER_DEPTH"),
    "SC4": ("how many pages of one depth may give nothing", "HIDDENWEB_FORMLESS_PAGES_PER_DEPTH"),
    "SC5": ("how many pages of a site may give nothing", "HIDDENWEB_FORMLESS_PAGES_PER_SITE"),
}
_SITE_KINDS = ("off topic", "on topic", "with search forms on the topic")
_PAGE_KINDS = {"centre": "a page that may name good sites", "engine": "an answer of a search engine"}
_LINK_KINDS = {"answer": "an answer of a form", "paging": "a further page of an answer", "record": "a result"}
_IGNORED = {
    "file": "it ends like a file that is not read",
    "action": "it would do something, such as log out or add to a cart",
    "too_long": "it is too long",
    "behind": "it leads behind a page: to its editor, its history or two of its versions",
    "repeats": "its path repeats itself, as those of traps do",
}


class UnknownAddress(LookupError):
    """Nothing is known of what was asked for; the message says so."""


@dataclass(frozen=True, slots=True)
class DepthSummary:
    """What the pages of one depth of a site gave, and the criterion that ended it."""

    depth: int
    pages: int
    forms: int
    barren: int
    ended: str | None


@dataclass(frozen=True, slots=True)
class ExplainedForm:
    """A form of the site, and how far it is on the topic."""

    number: int
    kind: str
    probability: float
    page: str
    state: str
    why: str
    fit: TopicFit | None = None


@dataclass(frozen=True, slots=True)
class TopicLink:
    """What a link scores in the crawls on a topic."""

    rank: RankReport
    value: ValueReport | None  # none before its site was opened


@dataclass(frozen=True, slots=True)
class TopicExplanation:
    """What the crawls on a topic know of a site, or of a page that may name some."""

    topic: str
    words_of_name_only: bool  # a file may describe the topic: its words are not in the state
    standing: str
    sighting: Sighting
    rank: RankReport
    value: ValueReport
    depths: list[DepthSummary]
    sources: list[LinkingSite]
    forms: list[ExplainedForm]
    link: TopicLink | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is known of what was asked for."""

    asked: str
    about: str  # link, site, or page: one that may name sites
    domain: str
    standing: str  # of the link
    kept_by: list[str]  # what keeps the link from being visited
    site_standing: str  # without a topic
    site: KnownSite | None
    linked_from: int  # sites
    link: KnownLink | None
    first_page: KnownLink | None  # of the site
    forms: list[ExplainedForm]
    topics: list[TopicExplanation]


class ExplainCommand(ScrapyCommand):
    """Explains what became of a site or a link."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options] URL"

    def short_desc(self) -> str:
        return "Explain why a site or a link was visited, waits or was left"

    def long_desc(self) -> str:
        return (
            "Explain what became of a site, named by its homepage, its bare name or any address of it, or of a link that was met:"
            " where it stands, what it scores and what adds to that, who links to it, and what keeps it from being visited."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--topic",
            default="",
            metavar="NAME",
            help="only what crawls on this topic know; a topic file too",
        )
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("scrapy explain takes one address or name of a site", print_help=False)
        assert self.settings is not None
        try:
            plan = plan_of(self.settings)
        except ValueError as error:
            raise UsageError(
                f"a setting of the two stages cannot be used: {error}", print_help=False
            ) from None
        now = time.time()
        try:
            with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
                at_one_moment(state)
                found = explained(state, args[0], opts.topic, plan, now)
        except StateError as error:
            self._fail(NO_STATE, error)
        except UnknownAddress as error:
            self._fail(NOT_HEARD_OF, error)
        except BadTopic as error:
            raise UsageError(clean(str(error)), print_help=False) from None
        else:
            if opts.json:
                say(as_json(asdict(found)))
            else:
                say("\n".join(clean(line) for line in lines(found, now)))

    def _fail(self, code: int, error: Exception) -> None:
        print(f"scrapy explain: {clean(str(error))}", file=sys.stderr)
        self.exitcode = code


# Finding out


def explained(state: Store, asked: str, topic: str, plan: FocusedLimits, now: float) -> Explanation:
    """Return all that is known of an address or a name; raises NotHeardOf, BadTopic for a topic that is not there, UsageError."""
    addresses = _addresses(asked)
    domain = registered_domain(addresses[0])
    chosen = _topic_named(state, topic) if topic else None
    known = [each for address in addresses for each in sightings(state, address)] or sightings(state, domain)
    wanted = [each for each in known if chosen in (None, each.topic)]
    about_page = any("://" in each.candidate.key for each in wanted)
    link = None if about_page or _is_homepage(addresses[0]) else _first_link(state, addresses)
    site = site_named(state, domain, now)
    linked_from, _ = sources_of(state, domain, None, 0)
    if not (wanted or (chosen is None and (site or linked_from))):
        raise UnknownAddress(_not_heard_of(asked, chosen, known))
    running = has_run_under_way(state)
    forms = list(state.forms.load_all(site=domain)) if site is not None else []
    explaining = _Explaining(state, plan, site, forms, link, running=running)
    return Explanation(
        asked, "page" if about_page else "site" if link is None else "link", domain,
        _standing_of_link(link, now, running=running) if link else "",
        _kept_by(link, site, wanted, plan, now) if link else [],
        _standing_of_site(site, running=running), site, linked_from, link, link_at(state, _beginning(site, wanted)),
        [_form(form) for form in forms],
        [explaining.on_topic(each, topic) for each in wanted],
    )  # fmt: skip


class _Explaining:
    """Explains what crawls on single topics know of one site and one link."""

    def __init__(
        self,
        state: Store,
        plan: FocusedLimits,
        site: KnownSite | None,
        forms: list[StoredForm],
        link: KnownLink | None,
        *,
        running: bool,
    ) -> None:
        self._state = state
        self._plan = plan
        self._site = site
        self._forms = forms
        self._link = link
        self._running = running

    def on_topic(self, sighting: Sighting, argument: str) -> TopicExplanation:
        """Return what the crawls on a topic know; `argument` names the topic or its file, if somebody did."""
        terms, of_name_only = _terms_of(argument or sighting.topic)
        learnt, candidate = learnt_rows(self._state, sighting.topic), sighting.candidate
        visited = visited_links(self._state, sighting) if self._link is not None else ()
        stages = learners(terms, self._plan, learnt, sighting, visited)
        fits = topic_fits(self._state, sighting.topic, self._site.number) if self._site else {}
        return TopicExplanation(
            sighting.topic, of_name_only, _standing_on_topic(sighting, self._site, running=self._running), sighting,
            rank_of_site(stages, candidate), value_of_site(stages, candidate),
            _depths(sighting.visited, self._plan),
            sources_of(self._state, candidate.key, sighting.topic, _MOST_SOURCES)[1],
            [_form(form, fits.get(form.id)) for form in self._forms],
            self._scores_of_link(sighting, stages) if self._link is not None else None,
        )  # fmt: skip

    def _scores_of_link(self, sighting: Sighting, stages: AdaptiveCrawler) -> TopicLink:
        assert self._link is not None
        link, visited = self._link, sighting.visited
        lead = LinkCandidate(
            link.url, link.depth, link.anchor, link.around, link.tag_path, visited.language if visited else "",
            parent=link.parent,
        )  # fmt: skip
        value = value_of_link(stages, sighting.candidate.key, lead) if visited else None
        return TopicLink(rank_of_link(stages, lead), value)


def _addresses(asked: str) -> list[str]:
    """Return the addresses that somebody may mean; a bare name may be one of two."""
    spelt = [asked] if "://" in asked else [f"https://{asked}", f"http://{asked}"]
    found = [address for address in map(normalise_url, spelt) if address is not None]
    if not found:
        raise UsageError(
            f"{clean(asked[:100])!r} is neither an address of the web nor the name of a site",
            print_help=False,
        )
    return found


def _is_homepage(url: str) -> bool:
    return url[end_of_host(url) :] in ("", "/")


def _first_link(state: Store, addresses: Iterable[str]) -> KnownLink | None:
    return next((link for address in addresses if (link := link_at(state, address)) is not None), None)


def _beginning(site: KnownSite | None, wanted: Iterable[Sighting]) -> str:
    for sighting in wanted:
        return sighting.candidate.url
    return site.seed if site is not None else ""


def _topic_named(state: Store, argument: str) -> str:
    """Return the topic of the state that somebody named, itself or by its file; raises BadTopic."""
    known = topics_in(state)
    name = argument if argument in known else read_topic(argument).name
    if name not in known:
        there_are = f"there are {', '.join(known)}" if known else "no crawl had a topic"
        raise BadTopic(f"the state has no topic {name!r}; {there_are}")
    return name


def _terms_of(argument: str) -> tuple[Collection[str], bool]:
    """Return the terms of a topic, and whether they are those of its name only."""
    try:
        topic = read_topic(argument)
    except BadTopic:
        return (), True
    is_bare = topic.name not in built_in_topics() and topic.words == tuple(topic.name.split())
    return frozenset(topic.vector()), is_bare


def _not_heard_of(asked: str, chosen: str | None, known: list[Sighting]) -> str:
    if chosen is None:
        return f"{asked}: nobody has heard of it; no page that was read links there"
    others = ", ".join(sighting.topic for sighting in known)
    hint = f"; crawls on {others} have" if others else ""
    return f"{asked}: no crawl on {chosen} has heard of it{hint}"


def _depths(visited: VisitedSite | None, plan: FocusedLimits) -> list[DepthSummary]:
    if visited is None:
        return []
    progress = ExplorationProgress.from_json(plan.criteria, visited.progress)
    return [
        DepthSummary(depth, pages, forms, barren, progress.reason_to_skip(depth))
        for depth, pages, forms, barren in visited.progress
    ]


def _form(form: StoredForm, fit: TopicFit | None = None) -> ExplainedForm:
    verdict = form.verdict
    return ExplainedForm(
        form.id, verdict.kind, round(verdict.probability, 4), form.form.page_url, form.state, form.why, fit
    )


# Where it stands


def _standing_on_topic(sighting: Sighting, site: KnownSite | None, *, running: bool) -> str:
    waiting, visited, candidate = sighting.waiting, sighting.visited, sighting.candidate
    if waiting is not None:
        place = f"at place {waiting.place:,} of {waiting.of:,} "
        place += "of those that rest" if waiting.queue == "rested" else f"in the {waiting.queue} queue"
        if waiting.queue == "low":
            place += ", which comes when the high one is empty"
        if candidate.rested is None:
            return f"waits {place}{', as a seed before all others' if candidate.seed else ''}"
        if candidate.rested == NOT_DONE:
            return f"was being explored when a crawl ended, and waits to be taken up {place}"
        return f"was explored and rests, because other sites promise more than the best of its links, {place}"
    assert visited is not None  # there is no sighting otherwise
    if visited.ended is not None:
        return f"ended: {_criterion(visited.ended)}"
    if site is not None and site.left not in (None, NOT_NAMED):
        return f"was left: {site.left}; the next crawl on the topic takes it up if it may"
    if running:
        return "is being explored"
    return "was being explored when the last crawl ended; the next one on the topic takes it up"


def _standing_of_site(site: KnownSite | None, *, running: bool) -> str:
    """Return where a site stands that was explored without a topic."""
    if site is None:
        return "was never visited; pages that were read link to it"
    waiting = site.links["pending"] + site.links["leased"]
    left = f"{waiting:,} of its links wait" if waiting else "all its links were followed"
    if site.left == NOT_NAMED:
        return f"was not named by the last crawl; {left}"
    if site.left is not None:
        return f"was left: {site.left}; {left}"
    return f"{'is being explored' if running else 'was explored'}; {left}"


def _standing_of_link(link: KnownLink, now: float, *, running: bool) -> str:
    match link.state:
        case "pending" if link.not_before > now:
            return f"waits to be tried again at {_date(link.not_before)}: {link.why}"
        case "pending":
            return "waits" + (f"; when it was its turn: {link.why}" if link.why else "")
        case "leased":
            return (
                "is under way" if running else "was under way when the crawl ended, and will be fetched again"
            )
        case "done" if link.page is None:
            return f"was answered, but there is no page: {link.why or 'no reason was noted'}"
        case "done":
            return f"was read on {_date(link.page.first_seen)}" if link.page else "was read"
        case "missed":
            return f"was missed: {link.why or 'no reason was noted'}"
    return f"was refused: {link.why or 'no reason was noted'}"


def _kept_by(
    link: KnownLink, site: KnownSite | None, wanted: Iterable[Sighting], plan: FocusedLimits, now: float
) -> list[str]:
    """Return what keeps a link from being visited that waits."""
    if link.state != "pending":
        return []
    reasons = [_of_topic(sighting, link.depth, plan) for sighting in wanted]
    if site is not None and site.left is not None:
        reasons.append(f"its site was left: {site.left}")
    if link.shape:
        reasons.append(f"pages like it brought nothing new: {link.shape} is not followed any more")
    reasons += [
        f"its host is paused for {pause.until - now:,.0f} s: {pause.why}"
        for pause in (site.pauses if site is not None else ())
        if link.url.startswith(f"{pause.origin}/")
    ]
    return [reason for reason in reasons if reason]


def _of_topic(sighting: Sighting, depth: int, plan: FocusedLimits) -> str:
    """Return what the second stage of a topic has against a link of a site; nothing if it may be visited."""
    visited = sighting.visited
    if visited is None:
        return f"its site was not opened yet ({sighting.topic})"
    progress = ExplorationProgress.from_json(plan.criteria, visited.progress)
    why = visited.ended or progress.reason_to_leave() or progress.reason_to_skip(depth)
    if why is not None:
        return f"{_criterion(why)} ({sighting.topic})"
    return f"its site rests: others promise more ({sighting.topic})" if sighting.waiting is not None else ""


def _criterion(why: str) -> str:
    """Return a reason to stop with what its criterion is about.

    >>> _criterion("all its links were visited")
    'all its links were visited'
    """
    name, colon, what = why.partition(": ")
    if not colon or name not in _CRITERIA:
        return why
    about, setting = _CRITERIA[name]
    return f"{what} ({name}, {about}: {setting})"


# In words


def lines(found: Explanation, now: float) -> Iterator[str]:
    """Yield an explanation, for people."""
    if found.link is not None:
        yield from _of_link(found, found.link)
    else:
        yield from _of_site(found)
    for pause in found.site.pauses if found.site is not None else ():
        yield f"{pause.origin} is paused for {pause.until - now:,.0f} s: {pause.why}"
    if len(found.topics) > 1:
        yield ""
        yield f"Topics: {', '.join(each.topic for each in found.topics)}; --topic NAME shows one."
    for each in found.topics:
        yield ""
        yield from _of_topic_in_words(each, found)
    if not found.topics:
        yield from _part(f"Forms ({len(found.forms)})", map(_form_in_words, found.forms))


def _of_site(found: Explanation) -> Iterator[str]:
    yield f"{found.domain}: a site" if found.about == "site" else f"{found.asked}: a single page"
    asked = normalise_url(found.asked)
    if found.about == "site" and "://" in found.asked and asked is not None and not _is_homepage(asked):
        why = reason_to_ignore(asked, FrontierScope())
        never = f", and is never followed: {_IGNORED.get(why, why)}" if why else ""
        yield f"The address {found.asked} itself was never met as a link{never}. This is about its site."
    if found.site is not None:
        yield _counts(found.site)
        if found.site.via:
            yield f"{found.site.via} redirects to it"
    if found.first_page is not None and (found.first_page.state != "done" or found.first_page.page is None):
        yield f"Its first page, {found.first_page.url}: {found.first_page.why or found.first_page.state}"
    if not found.topics:
        if found.site is not None:
            yield "No crawl on a topic: its links were followed breadth first."
        yield f"It {found.site_standing}."
        if found.linked_from:
            yield f"{_count(found.linked_from, 'site')} {'links' if found.linked_from == 1 else 'link'} to it."


def _counts(site: KnownSite) -> str:
    links = ", ".join(f"{number:,} {state}" for state, number in site.links.items())
    return f"{_count(site.pages, 'page')} read; links: {links}"


def _of_link(found: Explanation, link: KnownLink) -> Iterator[str]:
    yield f"{link.url}: {_LINK_KINDS.get(link.kind, 'a link')} of {link.domain}"
    yield f"It {found.standing}."
    if link.state == "pending":
        yield from (f"It is not visited now: {reason}." for reason in found.kept_by)
        if not found.kept_by:
            yield "Nothing keeps it from being visited but others that come first."
    if link.page is not None:
        yield f"Page: {link.page.title!r}, status {link.page.status}"
        if link.page.duplicate_of:
            why = f": {link.page.duplicate_why}" if link.page.duplicate_why else ""
            yield f"It repeats {link.page.duplicate_of}{why}"
    failed = f", failed {_count(link.attempts, 'time')}" if link.attempts else ""
    redirected = f", after {_count(link.redirects, 'redirect')}" if link.redirects else ""
    yield f"Depth {link.depth}, bucket {link.bucket}{failed}{redirected}"
    if link.parent:
        yield f"Found on {link.parent}"
    if link.keyword:
        yield f"It belongs to the question {link.keyword!r}"
    if link.anchor or link.around:
        yield f"Anchor: {link.anchor!r}; around it: {link.around!r}"
        yield f"Its place in the page: {link.tag_path}"
    if link.state != "pending" and link.shape:
        yield f"Pages like it brought nothing new: {link.shape} is not followed any more."
    if not found.topics:
        yield "No crawl on a topic: the links of its site were followed breadth first."
        if found.site is not None:
            yield f"Its site {found.site_standing}."
    forms = [form for form in found.forms if form.page == link.url]
    yield from _part(f"Forms first met there ({len(forms)})", map(_form_in_words, forms))


def _of_topic_in_words(each: TopicExplanation, found: Explanation) -> Iterator[str]:
    yield f"Topic {each.topic}: {'its site' if each.link is not None else 'it'} {each.standing}."
    if each.words_of_name_only:
        yield "  (The words of the topic are taken from its name; if a file describes it: --topic FILE.)"
    if each.link is not None:
        yield from _indented(_rank(each.link.rank, "Rank of the link by SmartCrawler"))
        if each.link.value is not None:
            yield from _indented(_value(each.link.value, "Value of the link"))
        yield f"  scrapy explain {found.domain} says more about its site."
        return
    yield from _indented(_met(each))
    yield from _indented(_value(each.value, "Value before a visit"))
    yield from _indented(_rank(each.rank, "Rank by SmartCrawler"))
    if found.about == "site":
        title = f"Sites that link to it ({found.linked_from:,})"
        yield from _indented(_part(title, _sources(each, found)))
    yield from _indented(_part("Pages by depth", _progress(each)))
    if each.sighting.visited is not None and each.sighting.visited.verdict:
        yield from _indented(_verdict(each.sighting.visited.verdict))
    yield from _indented(_part(f"Forms ({len(each.forms)})", map(_form_in_words, each.forms)))


def _met(each: TopicExplanation) -> Iterator[str]:
    candidate, waiting, visited = each.sighting.candidate, each.sighting.waiting, each.sighting.visited
    if candidate.kind != "site":
        yield _PAGE_KINDS[candidate.kind]
    if waiting is not None:
        rank = _rank_without_seed(waiting.rank)
        others = "of them promise more" if waiting.queue == "rested" else "come before it"
        yield f"had rank {rank} when it was last ranked; {waiting.before:,} {others}"
    if candidate.seed or (visited is not None and visited.seed):
        yield "a seed: somebody named it"
    if visited is not None and (visited.progress or visited.kind):
        yield f"{_SITE_KINDS[visited.kind]}; opened on {_date(visited.opened)}"
    yield f"visits begin at {candidate.url}" + (f", first met on {candidate.via}" if candidate.via else "")


def _rank_without_seed(rank: float) -> str:
    return (
        f"{rank - SEEDS_FIRST:.2f} and {SEEDS_FIRST:,.0f} as a seed"
        if rank > SEEDS_FIRST / 2
        else f"{rank:.2f}"
    )


def _value(value: ValueReport, title: str) -> Iterator[str]:
    chance = f"a chance of {_percent(value.probability)} that it leads to a form on the topic"
    yield f"{title}: {chance} (log-odds {value.log_odds:+.2f}); what it is made of:"
    yield f"  {value.start:+.2f} to begin with"
    yield from _reasons(value.reasons)


def _rank(rank: RankReport, title: str) -> Iterator[str]:
    similar = " + ".join(f"{similarity:.2f} {context}" for context, similarity in rank.similarity.items())
    if rank.alpha is None or rank.deep_links is None:
        yield f"{title}: {rank.total:.2f} = {similar}"
    else:
        linked = f"{1 - rank.alpha:.1f} x ln(1 + {_count(rank.deep_links, 'site')} with forms)"
        first = f" + {SEEDS_FIRST:,.0f} as a seed" if rank.total > SEEDS_FIRST / 2 else ""
        yield f"{title}: {rank.total:.2f} = {rank.alpha:.1f} x ({similar}) + {linked}{first}"
        if rank.deep_links:
            linking = f"links to it from {_count(rank.deep_links, 'site')} with forms on the topic"
            yield f"  {(1 - rank.alpha) * log(1 + rank.deep_links):+.2f} {linking}"
    if not rank.known:
        good = "link led to a form" if rank.alpha is None else "site with forms"
        yield f"  nothing to compare it with: no {good} on the topic yet"
    yield from _reasons(rank.terms)


def _reasons(reasons: list[ScoreReason]) -> Iterator[str]:
    yield from (f"  {reason.adds:+.2f} {reason.what}" for reason in reasons[:SHOWN])
    if rest := reasons[SHOWN:]:
        yield f"  {sum(reason.adds for reason in rest):+.2f} {len(rest)} other reasons"


def _sources(each: TopicExplanation, found: Explanation) -> Iterator[str]:
    for source in each.sources[:SHOWN]:
        kind = f" ({_SITE_KINDS[source.kind]})" if source.kind is not None else ""
        yield f"{source.page}{kind}"
    if found.linked_from > SHOWN:
        yield f"and {found.linked_from - SHOWN:,} more"


def _progress(each: TopicExplanation) -> Iterator[str]:
    for depth in each.depths:
        ended = f"; no more of them: {_criterion(depth.ended)}" if depth.ended else ""
        yield (
            f"depth {depth.depth}: {_count(depth.pages, 'page')} gave {_count(depth.forms, 'search form')},"
            f" {depth.barren:,} of them none{ended}"
        )
    if each.sighting.visited is not None and each.depths:
        visited = each.sighting.visited
        yield f"on the topic: {_count(visited.forms, 'form')}; since the last: {_count(visited.barren, 'page')}"


def _verdict(verdict: dict[str, Any]) -> Iterator[str]:
    yield (
        f"The classifier: {'on' if verdict.get('on_topic') else 'off'} topic,"
        f" with a chance of {_percent(verdict.get('probability', 0.0))} that it is on topic"
    )
    why = [(str(term), float(adds)) for term, adds in verdict.get("why", ())]
    for title, wanted in (("for it", 1), ("against it", -1)):
        named = ", ".join(f"{term} {adds:+.2f}" for term, adds in why if adds * wanted > 0)
        if named:
            yield f"  {title}: {named}"
    yield from (f"  {term}" for term, adds in why if not adds)


def _form_in_words(form: ExplainedForm) -> str:
    fit = ""
    if form.fit is not None:
        fit = f", {'on' if form.fit.relevant else 'off'} topic (near it with {form.fit.relevance:.3f})"
    return f"#{form.number} {form.kind}, searches with {form.probability:.3f}{fit}; {form.state} on {form.page}: {form.why}"


def _part(title: str, entries: Iterable[str]) -> Iterator[str]:
    found = list(entries)
    if found:
        yield f"{title}:"
        yield from (f"  {entry}" for entry in found)


def _indented(entries: Iterable[str]) -> Iterator[str]:
    yield from (f"  {entry}" for entry in entries)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _percent(chance: float) -> str:
    """Return a chance for people.

    >>> _percent(0.5), _percent(0.0034), _percent(0.00001)
    ('50 %', '0.34 %', 'less than 0.01 %')
    """
    if chance < 0.0001:
        return "less than 0.01 %"
    return f"{100 * chance:.2g} %" if chance < 0.1 else f"{100 * chance:.0f} %"


def _date(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
