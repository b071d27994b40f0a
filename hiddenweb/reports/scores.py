"""The scores of a site or a link, part by part and in words.

Both scores are shown, whichever the crawl uses: the rank of SmartCrawler, term by term, and the value of `adaptive`,
feature by feature. Both are computed from everything learnt so far, so an older rank may differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.exploring.link_candidate import CONTEXTS as LINK_CONTEXTS
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import ANCHOR, URL, MemorySiteCandidates
from hiddenweb.focused.locating.candidates import CONTEXTS as SITE_CONTEXTS
from hiddenweb.focused.locating.site_ranker import cut_tokens
from hiddenweb.focused.stages import SiteMemory
from hiddenweb.language.stems import stem
from hiddenweb.language.tokens import letter_runs, words
from hiddenweb.reports.printable import plural
from hiddenweb.store.focused import NOT_DONE
from hiddenweb.store.topic_knowledge import restore_learners

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.focused.stages import FocusedLimits
    from hiddenweb.learning.feature_space import FeatureSpace
    from hiddenweb.learning.probit import BayesianProbit
    from hiddenweb.reports.known_sites import Sighting

LEAST = 0.0005
"""The smallest weight that is named. A limit of taste."""

_SITE_PLACES = {
    "url": "its name",
    "anchor": "the anchors of links to it",
    "around": "the text around links to it",
}
_SITE_WORDS = {"u": "in its name", "a": "in the anchors of links to it", "t": "around links to it"}
_SITE_COUNTS = {  # the number that includes all above it, what is counted, and the text
    "tu": (3, "word", "{} of the topic in its name"),
    "ta": (3, "word", "{} of the topic in the anchors of links to it"),
    "tt": (3, "word", "{} of the topic around links to it"),
    "links": (2, "link", "{} to it"),
    "names": (3, "good site", "reverse search found links from it to {}"),
    "page": (4, "good site", "reverse search gave it for {}"),
    "place": (2, "page", "{} stood above it in reverse search"),
}
_LINK_PLACES = {"path": "its path", "anchor": "its anchor", "around": "the text around it"}
_KINDS = {"0": "is off topic", "1": "is on topic", "2": "has forms on the topic"}


@dataclass(frozen=True, slots=True)
class ScoreReason:
    """A part of a score, positive or negative."""

    what: str
    adds: float


@dataclass(frozen=True, slots=True)
class RankReport:
    """A rank of SmartCrawler: similarities by context, and for a site the sites with forms that link to it."""

    similarity: dict[str, float]
    total: float
    terms: list[ScoreReason]  # that matter, the strongest first
    known: int  # terms of good examples that it is compared with
    alpha: float | None = None  # for sites only, like the next
    deep_links: int | None = None


@dataclass(frozen=True, slots=True)
class ValueReport:
    """The odds that a visit leads to a form on the topic, and the weights that make them."""

    log_odds: float
    probability: float
    start: float  # the weight that everything starts with
    reasons: list[ScoreReason]  # the strongest first


def learners(
    topic: Collection[str],
    plan: FocusedLimits,
    learnt: Iterable[tuple[str, str, Any]],
    sighting: Sighting,
    visited: Iterable[tuple[LinkCandidate, bool]],
) -> AdaptiveCrawler:
    """Return stages that have learnt what a state knows of a topic, with one site open if it was opened.

    `visited` are the visited links of the site, and whether they led to forms on the topic.
    """
    site = sighting.visited
    memory = (
        SiteMemory(site.progress, site.barren, site.features, site.forms, visited=list(visited))
        if site
        else SiteMemory()
    )
    stages = AdaptiveCrawler(
        MemorySiteCandidates(),
        MemoryLinkIndex(),
        Random(0),
        plan,
        topic=frozenset(topic),
        load_memory=lambda _: memory,
    )
    restore_learners(stages, learnt)
    if site is not None:
        stages.frontier.put(replace(sighting.candidate, rested=NOT_DONE), high=True)
        stages.next_site()
    return stages


def rank_of_site(stages: AdaptiveCrawler, candidate: SiteCandidate) -> RankReport:
    """Return the rank of a site."""
    learner = stages.site_learner
    score, space = learner.score(candidate), learner.space
    bags = {**candidate.bags, URL: cut_tokens(candidate.bags[URL], {*space.knows(URL), *space.knows(ANCHOR)})}
    terms = [
        ScoreReason(
            _describe_term(term, candidate.key if context == URL else "", "en")
            + f" in {_SITE_PLACES[context]}",
            score.alpha * share,
        )
        for context in SITE_CONTEXTS
        for term, share in space.shares(context, bags[context]).items()
    ]
    similarity = {"url": score.url, "anchor": score.anchor, "around": score.around}
    return RankReport(
        similarity, score.total, _strongest(terms), _count_known(space), score.alpha, score.deep_links
    )


def value_of_site(stages: AdaptiveCrawler, candidate: SiteCandidate) -> ValueReport:
    """Return the value of a site before a visit, or of a page that may name sites."""
    return _value(
        stages.probit_for(candidate),
        stages.features(candidate),
        lambda feature: site_feature_in_words(feature, candidate.key),
    )


def rank_of_link(stages: AdaptiveCrawler, lead: LinkCandidate) -> RankReport:
    """Return the rank of a link."""
    learner, bags = stages.link_learner, lead.bags()
    score, space = learner.score(lead), learner.space
    terms = [
        ScoreReason(
            _describe_term(term, _text_of(lead, context), _language(lead, context))
            + f" in {_LINK_PLACES[context]}",
            share,
        )
        for context in LINK_CONTEXTS
        for term, share in space.shares(context, bags[context]).items()
    ]
    similarity = {"path": score.path, "anchor": score.anchor, "around": score.around}
    return RankReport(similarity, score.total, _strongest(terms), _count_known(space))


def _count_known(space: FeatureSpace) -> int:
    return sum(len(space.knows(context)) for context in space.contexts)


def value_of_link(stages: AdaptiveCrawler, site: str, lead: LinkCandidate) -> ValueReport:
    """Return the value of a link of an open site."""
    return _value(
        stages.link_probit,
        stages.open_sites[site].explorer.features(lead),
        lambda feature: link_feature_in_words(feature, lead),
    )


def _value(odds: BayesianProbit, features: tuple[str, ...], in_words: Callable[[str], str]) -> ValueReport:
    reasons = [ScoreReason(in_words(feature), weight) for feature, weight in odds.reasons(features)]
    return ValueReport(
        odds.log_odds(features), odds.probability(features), odds.weight(""), _strongest(reasons)
    )


def _strongest(reasons: Iterable[ScoreReason]) -> list[ScoreReason]:
    """Return the reasons that matter, each once; equal reasons are added up."""
    added: dict[str, float] = {}
    for reason in reasons:
        added[reason.what] = added.get(reason.what, 0.0) + reason.adds
    ordered = sorted(added.items(), key=lambda part: (-abs(part[1]), part[0]))
    return [ScoreReason(what, adds) for what, adds in ordered if abs(adds) >= LEAST]


# Features in words


def site_feature_in_words(feature: str, name: str) -> str:
    """Return a feature of a site in words; an unknown one as it is.

    >>> site_feature_in_words("u:book", "rare-books.example"), site_feature_in_words("deep:0", "")
    ("the word 'books' in its name", 'no site with forms on the topic links to it')
    """
    what, _, value = feature.partition(":")
    if what in _SITE_WORDS:
        return f"{_describe_term(value, name if what == 'u' else '', 'en')} {_SITE_WORDS[what]}"
    if what in _SITE_COUNTS:
        least, noun, text = _SITE_COUNTS[what]
        return text.format(_quantity_of(value, least, noun))
    match what:
        case "deep":
            verb = "links" if value in ("0", "1") else "link"
            return f"{_quantity_of(value, 3, 'site')} with forms on the topic {verb} to it"
        case "from":
            return f"the best site that links to it {_KINDS.get(value, value)}"
        case "centre":
            return "a page that names several good sites names it"
    return feature


def link_feature_in_words(feature: str, lead: LinkCandidate) -> str:
    """Return a feature of a link in words; an unknown one as it is."""
    what, _, value = feature.partition(":")
    match what:
        case "p" | "a" | "t":
            context = {"p": "path", "a": "anchor", "t": "around"}[what]
            word = _describe_term(value, _text_of(lead, context), _language(lead, context))
            return f"{word} in {_LINK_PLACES[context]}"
        case "at":
            return f"its place in the page, {value}" if value else "its place in the page is not known"
        case "depth":
            return f"its depth, {value}"
        case "tried":
            tried = _quantity_of(value, 3, "link")
            return f"{tried} like it {'was' if value in ('0', '1') else 'were'} tried"
        case "gave":
            successes, _, tried = value.partition("/")
            return f"of {_quantity_of(tried, 3, 'link')} like it, {_quantity_of(successes, 2, '')} gave a form on the topic"
        case "on":
            return f"the homepage of its site is {'on' if value == '1' else 'off'} topic"
        case "forms":
            return f"its site has given {_quantity_of(value, 3, 'form')} on the topic"
        case "since":
            forms, _, pages = value.partition("/")
            ended = "since the last form on the topic" if forms != "0" else "and none had a form on the topic"
            return f"{_quantity_of(pages, 3, 'page')} of its site {ended}"
    return feature


def _quantity_of(value: str, largest: int, noun: str) -> str:
    """Return a number with its noun; the largest number stands for all above it, too.

    >>> _quantity_of("0", 3, "link"), _quantity_of("1", 3, "link"), _quantity_of("3", 3, "link"), _quantity_of("2", 3, "")
    ('no link', '1 link', '3 or more links', '2')
    """
    if not value.isdigit():
        return f"{value} {noun}".strip()
    number = int(value)
    if not number:
        return f"no {noun}" if noun else "none"
    more = " or more" if number >= largest else ""
    return f"{number}{more} {noun if number == 1 or not noun else plural(noun)}".strip()


def _describe_term(term: str, text: str, language: str) -> str:
    """Return the word of a text that a term is the stem of, or the term as it is."""
    for word in dict.fromkeys((*words(text, language), *letter_runs(text.lower()))):
        if stem(word, language) == term:
            return f"the word {word!r}"
    return f"the word {term!r}"


def _text_of(lead: LinkCandidate, context: str) -> str:
    return {"path": lead.url, "anchor": lead.anchor, "around": lead.around}[context]


def _language(lead: LinkCandidate, context: str) -> str:
    return "en" if context == "path" else lead.language
