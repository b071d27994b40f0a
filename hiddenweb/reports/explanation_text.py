"""What became of a site or a link, in words."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from hiddenweb.focused.locating.site_ranker import SEEDS_FIRST
from hiddenweb.frontier.scope import FrontierScope, reason_to_ignore
from hiddenweb.reports.conflicts import describe_conflicts
from hiddenweb.reports.explanation import criterion_in_words, is_homepage
from hiddenweb.reports.printable import quantity, time_text
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.reports.explanation import ExplainedForm, Explanation, TopicExplanation
    from hiddenweb.reports.known_sites import KnownLink, KnownSite
    from hiddenweb.reports.scores import RankReport, ScoreReason, ValueReport

MAX_NAMED = 8
"""Reasons, sources and forms that are named. A limit of taste."""

_SMALLEST_CHANCE, _SMALL_CHANCE = 0.0001, 0.1
"""Below the first a chance is printed as less than it, below the second with two digits: limits of taste."""

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


def explanation_lines(found: Explanation, now: float) -> Iterator[str]:
    """Yield an explanation, for people."""
    if found.link is not None:
        yield from _link_lines(found, found.link)
    else:
        yield from _site_lines(found)
    for pause in found.site.pauses if found.site is not None else ():
        yield f"{pause.origin} is paused for {pause.until - now:,.0f} s: {pause.why}"
    if len(found.topics) > 1:
        yield ""
        yield f"Topics: {', '.join(each.topic for each in found.topics)}; --topic NAME shows one."
    yield from _record_lines(found)
    for each in found.topics:
        yield ""
        yield from _topic_lines(each, found)
    if not found.topics:
        yield from _section(f"Forms ({len(found.forms)})", map(_form_line, found.forms))


def _site_lines(found: Explanation) -> Iterator[str]:
    yield f"{found.domain}: a site" if found.about == "site" else f"{found.name}: a single page"
    address = normalise_url(found.name)
    if found.about == "site" and "://" in found.name and address is not None and not is_homepage(address):
        why = reason_to_ignore(address, FrontierScope())
        never = f", and is never followed: {_IGNORED.get(why, why)}" if why else ""
        yield f"The address {found.name} is not known as a link{never}. This is about its site."
    if found.site is not None:
        yield _link_counts(found.site)
        if found.site.via:
            yield f"{found.site.via} redirects to it"
    if found.first_page is not None and (found.first_page.state != "done" or found.first_page.page is None):
        yield f"Its first page, {found.first_page.url}: {found.first_page.why or found.first_page.state}"
    if not found.topics:
        if found.site is not None:
            yield "No crawl on a topic: its links were followed breadth first."
        yield f"It {found.site_standing}."
        if found.linked_from:
            yield f"{quantity(found.linked_from, 'site')} {'links' if found.linked_from == 1 else 'link'} to it."


def _link_counts(site: KnownSite) -> str:
    links = ", ".join(f"{number:,} {state}" for state, number in site.links.items())
    return f"{quantity(site.pages, 'page')} read; links: {links}"


def _link_lines(found: Explanation, link: KnownLink) -> Iterator[str]:
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
    failed = f", failed {quantity(link.attempts, 'time')}" if link.attempts else ""
    redirected = f", after {quantity(link.redirects, 'redirect')}" if link.redirects else ""
    yield f"Depth {link.depth}, bucket {link.bucket}{failed}{redirected}"
    if link.parent:
        yield f"Found on {link.parent}"
    if link.keyword:
        yield f"It belongs to the query {link.keyword!r}"
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
    yield from _section(f"Forms first found there ({len(forms)})", map(_form_line, forms))


def _record_lines(found: Explanation) -> Iterator[str]:
    """Yield what pages disagree about: of a record on its own page, else which records of the site are concerned."""
    if found.record is not None:
        yield f"It is the own page of the record {found.record.title!r}"
        yield from _section("Pages disagree about", describe_conflicts(found.record))
    elif found.link is None and found.conflicting:
        yield from _section(
            f"Records about which pages disagree ({len(found.conflicting)}; scrapy explain ADDRESS says about what)",
            (
                f"{each.url}: {', '.join(conflict.name for conflict in each.conflicts)}"
                for each in found.conflicting
            ),
        )


def _topic_lines(each: TopicExplanation, found: Explanation) -> Iterator[str]:
    yield f"Topic {each.topic}: {'its site' if each.link is not None else 'it'} {each.standing}."
    if each.words_of_name_only:
        yield "  (The words of the topic are those of its name; if a file describes it: --topic FILE.)"
    if each.link is not None:
        yield from _indent(_rank_lines(each.link.rank, "Rank of the link by SmartCrawler"))
        if each.link.value is not None:
            yield from _indent(_value_lines(each.link.value, "Value of the link"))
        yield f"  scrapy explain {found.domain} says more about its site."
        return
    yield from _indent(_beginning_lines(each))
    yield from _indent(_value_lines(each.value, "Value before a visit"))
    yield from _indent(_rank_lines(each.rank, "Rank by SmartCrawler"))
    if found.about == "site":
        title = f"Sites that link to it ({found.linked_from:,})"
        yield from _indent(_section(title, _source_lines(each, found)))
    yield from _indent(_section("Pages by depth", _depth_lines(each)))
    if each.sighting.visited is not None and each.sighting.visited.verdict:
        yield from _indent(_verdict_lines(each.sighting.visited.verdict))
    yield from _indent(_section(f"Forms ({len(each.forms)})", map(_form_line, each.forms)))


def _beginning_lines(each: TopicExplanation) -> Iterator[str]:
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
        yield f"{_SITE_KINDS[visited.kind]}; opened on {time_text(visited.opened)}"
    yield f"visits begin at {candidate.url}" + (f", first seen on {candidate.via}" if candidate.via else "")


def _rank_without_seed(rank: float) -> str:
    return (
        f"{rank - SEEDS_FIRST:.2f} and {SEEDS_FIRST:,.0f} as a seed"
        if rank > SEEDS_FIRST / 2
        else f"{rank:.2f}"
    )


def _value_lines(value: ValueReport, title: str) -> Iterator[str]:
    odds = f"a chance of {_percent(value.probability)} that it leads to a form on the topic"
    yield f"{title}: {odds} (log-odds {value.log_odds:+.2f}); what it is made of:"
    yield f"  {value.start:+.2f} to begin with"
    yield from _reason_lines(value.reasons)


def _rank_lines(rank: RankReport, title: str) -> Iterator[str]:
    similar = " + ".join(f"{similarity:.2f} {context}" for context, similarity in rank.similarity.items())
    if rank.alpha is None or rank.deep_links is None:
        yield f"{title}: {rank.total:.2f} = {similar}"
    else:
        linked = f"{1 - rank.alpha:.1f} x ln(1 + {quantity(rank.deep_links, 'site')} with forms)"
        first = f" + {SEEDS_FIRST:,.0f} as a seed" if rank.total > SEEDS_FIRST / 2 else ""
        yield f"{title}: {rank.total:.2f} = {rank.alpha:.1f} x ({similar}) + {linked}{first}"
        if rank.deep_links:
            linking = f"links to it from {quantity(rank.deep_links, 'site')} with forms on the topic"
            yield f"  {(1 - rank.alpha) * log(1 + rank.deep_links):+.2f} {linking}"
    if not rank.known:
        good = "link led to a form" if rank.alpha is None else "site with forms"
        yield f"  nothing to compare it with: no {good} on the topic yet"
    yield from _reason_lines(rank.terms)


def _reason_lines(reasons: list[ScoreReason]) -> Iterator[str]:
    yield from (f"  {reason.adds:+.2f} {reason.what}" for reason in reasons[:MAX_NAMED])
    if others := reasons[MAX_NAMED:]:
        yield f"  {sum(reason.adds for reason in others):+.2f} {quantity(len(others), 'other reason')}"


def _source_lines(each: TopicExplanation, found: Explanation) -> Iterator[str]:
    for source in each.sources[:MAX_NAMED]:
        kind = f" ({_SITE_KINDS[source.kind]})" if source.kind is not None else ""
        yield f"{source.page}{kind}"
    if found.linked_from > MAX_NAMED:
        yield f"and {found.linked_from - MAX_NAMED:,} more"


def _depth_lines(each: TopicExplanation) -> Iterator[str]:
    for depth in each.depths:
        ended = f"; no more of them: {criterion_in_words(depth.ended)}" if depth.ended else ""
        yield (
            f"depth {depth.depth}: {quantity(depth.pages, 'page')} gave {quantity(depth.forms, 'search form')};"
            f" {quantity(depth.barren, 'page')} gave none{ended}"
        )
    if each.sighting.visited is not None and each.depths:
        visited = each.sighting.visited
        yield f"on the topic: {quantity(visited.forms, 'form')}; since the last: {quantity(visited.barren, 'page')}"


def _verdict_lines(verdict: dict[str, Any]) -> Iterator[str]:
    yield (
        f"The classifier: {'on' if verdict.get('on_topic') else 'off'} topic,"
        f" with a chance of {_percent(verdict.get('probability', 0.0))} that it is on topic"
    )
    why = [(str(term), float(adds)) for term, adds in verdict.get("why", ())]
    for title, direction in (("for it", 1), ("against it", -1)):
        named = ", ".join(f"{term} {adds:+.2f}" for term, adds in why if adds * direction > 0)
        if named:
            yield f"  {title}: {named}"
    yield from (f"  {term}" for term, adds in why if not adds)


def _form_line(form: ExplainedForm) -> str:
    fit = ""
    if form.fit is not None:
        fit = f", {'on' if form.fit.relevant else 'off'} topic (near it with {form.fit.relevance:.3f})"
    return f"#{form.number} {form.kind}, searches with {form.probability:.3f}{fit}; {form.state} on {form.page}: {form.why}"


def _section(title: str, entries: Iterable[str]) -> Iterator[str]:
    lines = list(entries)
    if lines:
        yield f"{title}:"
        yield from (f"  {entry}" for entry in lines)


def _indent(entries: Iterable[str]) -> Iterator[str]:
    yield from (f"  {entry}" for entry in entries)


def _percent(chance: float) -> str:
    """Return a chance for people.

    >>> _percent(0.5), _percent(0.0034), _percent(0.00001)
    ('50 %', '0.34 %', 'less than 0.01 %')
    """
    if chance < _SMALLEST_CHANCE:
        return "less than 0.01 %"
    return f"{100 * chance:.2g} %" if chance < _SMALL_CHANCE else f"{100 * chance:.0f} %"
