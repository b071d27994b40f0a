"""What became of a site or a link: its state, its scores and their reasons, who links to it, and what keeps it from being visited.

These are the facts, for people and for programs; `explanation_text` describes them in words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.topic import BadTopic, list_built_in_topics, read_topic
from hiddenweb.frontier.stopping import ExplorationProgress
from hiddenweb.reports.conflicts import find_record_at, list_conflicting
from hiddenweb.reports.known_sites import (
    find_link,
    find_linking_sites,
    find_sightings,
    find_site,
    has_run_under_way,
    load_topic_fits,
    load_visited_links,
)
from hiddenweb.reports.printable import clean_text, time_text
from hiddenweb.reports.scores import learners, rank_of_link, rank_of_site, value_of_link, value_of_site
from hiddenweb.reports.summary import NOT_NAMED
from hiddenweb.reports.topics import list_topics
from hiddenweb.store.focused import NOT_DONE
from hiddenweb.store.topic_knowledge import load_terms
from hiddenweb.urls import end_of_host, normalise_url, registered_domain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.focused.adaptive import AdaptiveCrawler
    from hiddenweb.focused.stages import FocusedLimits
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.reports.conflicts import ExplainedRecord
    from hiddenweb.reports.known_sites import (
        KnownLink,
        KnownSite,
        LinkingSite,
        Sighting,
        TopicFit,
        VisitedSite,
    )
    from hiddenweb.reports.scores import RankReport, ValueReport
    from hiddenweb.store.database import Store

LONGEST_NAME = 100
"""Characters of an argument that an error repeats. A limit of taste."""

MAX_SOURCES = 100
"""Linking pages that are named. A limit of taste."""

_CRITERIA = {
    "SC1": ("how deep a site is explored", "HIDDENWEB_MAX_SITE_DEPTH"),
    "SC2": ("how many pages of one depth are read", "HIDDENWEB_PAGES_PER_DEPTH"),
    "SC3": ("how many forms of one depth are enough", "HIDDENWEB_FORMS_PER_DEPTH"),
    "SC4": ("how many pages of one depth may give nothing", "HIDDENWEB_FORMLESS_PAGES_PER_DEPTH"),
    "SC5": ("how many pages of a site may give nothing", "HIDDENWEB_FORMLESS_PAGES_PER_SITE"),
}


class BadAddress(ValueError):
    """An argument is no address; the message says so."""


class UnknownAddress(LookupError):
    """Nothing is known of an address or a name; the message says so."""


@dataclass(frozen=True, slots=True)
class DepthSummary:
    """The results of the pages of one depth of a site, and the criterion that ended it."""

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
    """The scores of a link in the crawls on a topic."""

    rank: RankReport
    value: ValueReport | None  # none before its site was opened


@dataclass(frozen=True, slots=True)
class TopicExplanation:
    """What the crawls on a topic know of a site, or of a page that may name sites."""

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
    """All that is known of an address or a name."""

    name: str  # as it was typed
    about: str  # link, site, or page (one that may name sites)
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
    record: ExplainedRecord | None = None  # whose own page the link is
    conflicting: Sequence[ExplainedRecord] = ()  # records of the site about which pages disagree


def explain_address(store: Store, name: str, topic: str, plan: FocusedLimits, now: float) -> Explanation:
    """Return all that is known of an address or a name; raises UnknownAddress, BadAddress, or BadTopic for an unknown topic."""
    addresses = _addresses(name)
    domain = registered_domain(addresses[0])
    chosen = _find_topic(store, topic) if topic else None
    sightings = [each for address in addresses for each in find_sightings(store, address)] or find_sightings(
        store, domain
    )
    selected = [each for each in sightings if chosen in (None, each.topic)]
    about_page = any("://" in each.candidate.key for each in selected)
    link = None if about_page or is_homepage(addresses[0]) else _find_link(store, addresses)
    site = find_site(store, domain, now)
    linked_from, _ = find_linking_sites(store, domain, None, 0)
    if not (selected or (chosen is None and (site or linked_from))):
        raise UnknownAddress(_unknown_message(name, chosen, sightings))
    running = has_run_under_way(store)
    forms = list(store.forms.load_all(site=domain)) if site is not None else []
    explainer = _TopicExplainer(store, plan, site, forms, link, running=running)
    return Explanation(
        name, "page" if about_page else "site" if link is None else "link", domain,
        _state_of_link(link, now, running=running) if link else "",
        _reasons_to_wait(link, site, selected, plan, now) if link else [],
        _state_of_site(site, running=running), site, linked_from, link, find_link(store, _first_address(site, selected)),
        [_explain_form(form) for form in forms],
        [explainer.explain(each, topic) for each in selected],
        find_record_at(store, link.url) if link is not None else None, list_conflicting(store, domain),
    )  # fmt: skip


class _TopicExplainer:
    """Explains what the crawls on single topics know of one site and one link."""

    def __init__(
        self,
        store: Store,
        plan: FocusedLimits,
        site: KnownSite | None,
        forms: list[StoredForm],
        link: KnownLink | None,
        *,
        running: bool,
    ) -> None:
        self._store = store
        self._plan = plan
        self._site = site
        self._forms = forms
        self._link = link
        self._running = running

    def explain(self, sighting: Sighting, argument: str) -> TopicExplanation:
        """Return what the crawls on a topic know; `argument` names the topic or its file, if given."""
        terms, of_name_only = _terms_of_topic(argument or sighting.topic)
        learnt, candidate = load_terms(self._store, sighting.topic), sighting.candidate
        visited = load_visited_links(self._store, sighting) if self._link is not None else ()
        stages = learners(terms, self._plan, learnt, sighting, visited)
        fits = load_topic_fits(self._store, sighting.topic, self._site.number) if self._site else {}
        return TopicExplanation(
            sighting.topic, of_name_only, _state_on_topic(sighting, self._site, running=self._running), sighting,
            rank_of_site(stages, candidate), value_of_site(stages, candidate),
            _depth_summaries(sighting.visited, self._plan),
            find_linking_sites(self._store, candidate.key, sighting.topic, MAX_SOURCES)[1],
            [_explain_form(form, fits.get(form.id)) for form in self._forms],
            self._link_scores(sighting, stages) if self._link is not None else None,
        )  # fmt: skip

    def _link_scores(self, sighting: Sighting, stages: AdaptiveCrawler) -> TopicLink:
        assert self._link is not None
        link, visited = self._link, sighting.visited
        lead = LinkCandidate(
            link.url, link.depth, link.anchor, link.around, link.tag_path, visited.language if visited else "",
            parent=link.parent,
        )  # fmt: skip
        value = value_of_link(stages, sighting.candidate.key, lead) if visited else None
        return TopicLink(rank_of_link(stages, lead), value)


def _addresses(name: str) -> list[str]:
    """Return the addresses that a name may mean; without a scheme there are two."""
    spellings = [name] if "://" in name else [f"https://{name}", f"http://{name}"]
    found = [address for address in map(normalise_url, spellings) if address is not None]
    if not found:
        raise BadAddress(
            f"{clean_text(name[:LONGEST_NAME])!r} is neither an address of the web nor the name of a site"
        )
    return found


def is_homepage(url: str) -> bool:
    """Return whether an address is only a host."""
    return url[end_of_host(url) :] in ("", "/")


def _find_link(store: Store, addresses: Iterable[str]) -> KnownLink | None:
    return next((link for address in addresses if (link := find_link(store, address)) is not None), None)


def _first_address(site: KnownSite | None, wanted: Iterable[Sighting]) -> str:
    for sighting in wanted:
        return sighting.candidate.url
    return site.seed if site is not None else ""


def _find_topic(store: Store, argument: str) -> str:
    """Return the topic of the state with this name or from this topic file; raises BadTopic."""
    known = list_topics(store)
    name = argument if argument in known else read_topic(argument).name
    if name not in known:
        known_topics = f"there are {', '.join(known)}" if known else "no crawl had a topic"
        raise BadTopic(f"the state has no topic {name!r}; {known_topics}")
    return name


def _terms_of_topic(argument: str) -> tuple[Collection[str], bool]:
    """Return the terms of a topic, and whether they come only from its name."""
    try:
        topic = read_topic(argument)
    except BadTopic:
        return (), True
    is_bare = topic.name not in list_built_in_topics() and topic.words == tuple(topic.name.split())
    return frozenset(topic.vector()), is_bare


def _unknown_message(name: str, chosen: str | None, sightings: list[Sighting]) -> str:
    if chosen is None:
        return f"{name}: it is unknown; no page that was read links there"
    others = ", ".join(sighting.topic for sighting in sightings)
    hint = f"; crawls on {others} do" if others else ""
    return f"{name}: no crawl on {chosen} knows it{hint}"


def _depth_summaries(visited: VisitedSite | None, plan: FocusedLimits) -> list[DepthSummary]:
    if visited is None:
        return []
    progress = ExplorationProgress.from_json(plan.criteria, visited.progress)
    return [
        DepthSummary(depth, pages, forms, without_forms, progress.reason_to_skip(depth))
        for depth, pages, forms, without_forms in visited.progress
    ]


def _explain_form(form: StoredForm, fit: TopicFit | None = None) -> ExplainedForm:
    verdict = form.verdict
    return ExplainedForm(
        form.id, verdict.kind, round(verdict.probability, 4), form.form.page_url, form.state, form.why, fit
    )


# States


def _state_on_topic(sighting: Sighting, site: KnownSite | None, *, running: bool) -> str:
    waiting, visited, candidate = sighting.waiting, sighting.visited, sighting.candidate
    if waiting is not None:
        place = f"at place {waiting.place:,} of {waiting.of:,} "
        place += "of those that rest" if waiting.queue == "rested" else f"in the {waiting.queue} queue"
        if waiting.queue == "low":
            place += ", which comes when the high one is empty"
        if candidate.rested is None:
            return f"waits {place}{', as a seed before all others' if candidate.seed else ''}"
        if candidate.rested == NOT_DONE:
            return f"was being explored when a crawl ended, and waits to be resumed {place}"
        return f"was explored and rests, because other sites promise more than the best of its links, {place}"
    assert visited is not None  # there is no sighting otherwise
    if visited.ended is not None:
        return f"ended: {criterion_in_words(visited.ended)}"
    if site is not None and site.left not in (None, NOT_NAMED):
        return f"was left: {site.left}; the next crawl on the topic resumes it if it may"
    if running:
        return "is being explored"
    return "was being explored when the last crawl ended; the next one on the topic resumes it"


def _state_of_site(site: KnownSite | None, *, running: bool) -> str:
    """Return the state of a site that was explored without a topic."""
    if site is None:
        return "was never visited; pages that were read link to it"
    waiting = site.links["pending"] + site.links["leased"]
    remaining = f"{waiting:,} of its links wait" if waiting else "all its links were followed"
    if site.left == NOT_NAMED:
        return f"was not named by the last crawl; {remaining}"
    if site.left is not None:
        return f"was left: {site.left}; {remaining}"
    return f"{'is being explored' if running else 'was explored'}; {remaining}"


def _state_of_link(link: KnownLink, now: float, *, running: bool) -> str:
    match link.state:
        case "pending" if link.not_before > now:
            return f"waits to be tried again at {time_text(link.not_before)}: {link.why}"
        case "pending":
            return "waits" + (f"; when it was its turn: {link.why}" if link.why else "")
        case "leased":
            return (
                "is under way" if running else "was under way when the crawl ended, and will be fetched again"
            )
        case "done" if link.page is None:
            return f"was answered, but there is no page: {link.why or 'no reason was noted'}"
        case "done":
            return f"was read on {time_text(link.page.first_seen)}" if link.page else "was read"
        case "missed":
            return f"was missed: {link.why or 'no reason was noted'}"
    return f"was refused: {link.why or 'no reason was noted'}"


def _reasons_to_wait(
    link: KnownLink, site: KnownSite | None, sightings: Iterable[Sighting], plan: FocusedLimits, now: float
) -> list[str]:
    """Return the reasons why a waiting link is not visited now."""
    if link.state != "pending":
        return []
    reasons = [_topic_reason(sighting, link.depth, plan) for sighting in sightings]
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


def _topic_reason(sighting: Sighting, depth: int, plan: FocusedLimits) -> str:
    """Return why the second stage of a topic does not visit a link; nothing if it may be visited."""
    visited = sighting.visited
    if visited is None:
        return f"its site was not opened yet ({sighting.topic})"
    progress = ExplorationProgress.from_json(plan.criteria, visited.progress)
    why = visited.ended or progress.reason_to_leave() or progress.reason_to_skip(depth)
    if why is not None:
        return f"{criterion_in_words(why)} ({sighting.topic})"
    return f"its site rests: others promise more ({sighting.topic})" if sighting.waiting is not None else ""


def criterion_in_words(why: str) -> str:
    """Return a reason to stop with the explanation of its criterion.

    >>> criterion_in_words("all its links were visited")
    'all its links were visited'
    """
    name, colon, what = why.partition(": ")
    if not colon or name not in _CRITERIA:
        return why
    about, setting = _CRITERIA[name]
    return f"{what} ({name}, {about}: {setting})"
