"""Listing changes, versions, answers and masks, and marking a change as noise."""

from __future__ import annotations

import re
import sys
import time
from argparse import ArgumentTypeError
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, Action
from hiddenweb.actions.terminal import say
from hiddenweb.frontier.stopping import parse_seconds
from hiddenweb.language.shortening import shorten
from hiddenweb.reports.changes import (
    MAX_WHOLE,
    change_facts,
    comparison_facts,
    comparison_lines,
    describe_change,
    safe,
    utc_time,
)
from hiddenweb.reports.printable import json_text
from hiddenweb.revisit.answer_changes import count_in_words
from hiddenweb.revisit.change import KINDS
from hiddenweb.revisit.noise import would_hide
from hiddenweb.revisit.revisit import FetchedBody, PageToRead, read_versions
from hiddenweb.revisit.versions import compare_versions
from hiddenweb.store.answers import AnswerStore
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.urls import host

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.noise import Mask
    from hiddenweb.revisit.parts import PageVersion
    from hiddenweb.revisit.revisit import PageReading
    from hiddenweb.revisit.revisit_store import AnswerRevisit
    from hiddenweb.store.versions import StoredVersion

NO_CHANGE = 1  # exit code for an unknown number or id
DEFAULT_LIMIT = 50
"""Changes that are listed by default. A limit of taste."""

MAX_LIMIT = 10**9
"""More than any state holds."""

_MAX_COMPARED = 500  # earlier changes to which a new mask is applied; a limit of taste
_NUMBER = re.compile(r"\d{1,18}", re.ASCII)
_DAYS = re.compile(r"\d{1,6}(?:\.\d{1,6})?d", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?", re.ASCII)
_MAX_SIDE = 100  # characters of either side of an edit, in a list; a limit of taste


class ChangesAction(Action):
    """Lists changes, and marks changes as noise."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        numbers = _numbers(args)
        if opts.kind and opts.kind not in KINDS:
            raise UsageError(f"--kind: {opts.kind!r} is none of {', '.join(KINDS)}", print_help=False)
        if not 0 < opts.most < MAX_LIMIT:
            raise UsageError(f"--most: {opts.most} cannot be used; wanted 1 or more", print_help=False)
        since = _since(opts.since, time.time())
        site = _site(opts.site)
        try:
            with Store(
                Path(self.settings["HIDDENWEB_STATE"]), write=opts.noise is not None or bool(opts.unmask)
            ) as state:
                revisits = RevisitStore(state)
                if opts.noise is not None:
                    self._mark_noise(state, revisits, opts.noise)
                elif opts.unmask:
                    self._unmask(revisits, opts.unmask)
                elif opts.masks:
                    self._masks(revisits, site, as_json=opts.json)
                elif opts.answers:
                    self._list_answers(revisits, AnswerStore(state), site, since, opts)
                elif opts.versions is not None:
                    self._list_versions(state, opts.versions, as_json=opts.json)
                elif opts.compare:
                    self._compare(state, *opts.compare, as_json=opts.json)
                elif numbers:
                    self._show(state, revisits, numbers, as_json=opts.json)
                else:
                    self._list(revisits, site, since, opts)
        except StateError as error:
            print(error, file=sys.stderr)
            self.exit_code = NO_STATE

    def _list(self, revisits: RevisitStore, site: str, since: float, opts: argparse.Namespace) -> None:
        if site and not revisits.changes.has_site(site):
            self._fail(f"nothing is known of a site {safe(site)!r}; scrapy status lists all")
            return
        found = revisits.changes.load_all(
            site=site, kind=opts.kind, since=since, noise=opts.all, limit=opts.most
        )
        _say(_change_lines(found, as_json=opts.json), "" if opts.json else "No change is known.")

    def _list_answers(
        self, revisits: RevisitStore, answers: AnswerStore, site: str, since: float, opts: argparse.Namespace
    ) -> None:
        if site and not revisits.changes.has_site(site):
            self._fail(f"nothing is known of a site {safe(site)!r}; scrapy status lists all")
            return
        found = answers.load_revisits(site=site, since=since)[: opts.most]
        if opts.json:
            _say(
                _json_line({"site": domain, "form": form, "query": query} | asdict(revisit))
                for domain, form, query, revisit in found
            )
            return
        _say(_answer_lines(found), "No answer was revisited.")
        if unseen := answers.count_without_revisits():
            say(
                f"{unseen:,} {'answer is' if unseen == 1 else 'answers are'} never revisited: their forms are sent by POST."
            )

    def _show(self, state: Store, revisits: RevisitStore, numbers: Sequence[int], *, as_json: bool) -> None:
        found = {number: revisits.changes.load(number) for number in numbers}
        if unknown := [number for number, change in found.items() if change is None]:
            self._fail(f"there is no change {unknown[0]}; scrapy changes lists all")
        for change in filter(None, found.values()):
            missing = _missing_versions(state, change)
            if as_json:
                say(_json_line(change_facts(change) | ({"not_kept": missing} if missing else {})))
            else:
                say(describe_change(change, in_colour=_is_colour_terminal(), longest=MAX_WHOLE))
                _say(_about_versions(change, missing))

    def _list_versions(self, state: Store, url: str, *, as_json: bool) -> None:
        versions = state.versions.load_all(url)
        if not versions:
            other = state.versions.find_original(url)
            why = f"it says what {safe(other)} says" if other else "scrapy explain says whether it is known"
            self._fail(f"nothing is kept of {safe(url)!r}: {why}")
            return
        _say(_version_lines(state, versions, as_json=as_json))

    def _compare(self, state: Store, first: int, second: int, *, as_json: bool) -> None:
        old, new = (_read_version(state, number) for number in (first, second))
        if old is None or new is None:
            self._fail(
                f"version {first if old is None else second} is not kept; scrapy changes --versions URL lists those of a page"
            )
            return
        found = compare_versions(old.read.version, new.read.version, old.read.records, new.read.records)
        if as_json:
            facts = {"old": _facts(old.stored), "new": _facts(new.stored)}
            say(_json_line(facts | comparison_facts(found)))
            return
        for each in (old.stored, new.stored):
            say(f"version {each.number}  {utc_time(each.at)}  {safe(each.url)}")
        _say(comparison_lines(found, in_colour=_is_colour_terminal()), "    No word differs.")

    def _masks(self, revisits: RevisitStore, site: str, *, as_json: bool) -> None:
        masks = revisits.changes.load_masks()
        found = [*masks.masks(site), *revisits.load_page_masks(masks, site)]
        if as_json:
            _say(_json_line(asdict(mask) | {"place": str(mask.place)}) for mask in found)
        else:
            _say((safe(str(mask)) for mask in found), "Nothing counts as noise.")

    def _mark_noise(self, state: Store, revisits: RevisitStore, number: int) -> None:
        change = revisits.changes.load(number)
        if change is None:
            self._fail(f"there is no change {number}; scrapy changes lists all")
            return
        versions = _versions(state, change)
        if versions is None:
            missing = _missing_versions(state, change)
            self._fail(
                f"version {missing[0]} is no longer kept: change {number} cannot be called noise"
                if missing
                else f"change {number} is none of words: {change.kind} cannot be noise"
            )
            return
        masks = revisits.changes.load_masks()
        marked = masks.mark(change.url, *versions, why=f"change {number} was called noise")
        revisits.changes.save_masks(masks)
        revisits.changes.mark_noise(number, "called noise")
        _say(_consequences(state, revisits, change, marked))

    def _unmask(self, revisits: RevisitStore, mask: str) -> None:
        masks = revisits.changes.load_masks()
        if not masks.unmark(mask):
            self._fail(f"nobody called {mask!r} noise; scrapy changes --masks shows what is")
            return
        revisits.changes.save_masks(masks)
        say(f"{mask} is no noise any more.")

    def _fail(self, why: str) -> None:
        print(why, file=sys.stderr)
        self.exit_code = NO_CHANGE


def _change_lines(changes: Sequence[Change], *, as_json: bool) -> Iterator[str]:
    for change in changes:
        if as_json:
            yield _json_line(change_facts(change))
        else:
            yield describe_change(change, in_colour=_is_colour_terminal(), longest=_MAX_SIDE)


def _answer_lines(found: Iterable[tuple[str, int, str, AnswerRevisit]]) -> Iterator[str]:
    for domain, form, query, revisit in found:
        pages = f"{revisit.pages:,} {'page' if revisit.pages == 1 else 'pages'}"
        counts = count_in_words(revisit.added, revisit.removed, revisit.changed)
        lost = f", {revisit.not_seen:,} not shown any more" if revisit.not_seen else ""
        part = f"; in part: {safe(revisit.why)}" if not revisit.whole else ""
        yield f"{utc_time(revisit.at)}  {safe(domain)}, form {form}, query {safe(shorten(query, _MAX_SIDE))!r}: {pages}; {counts}{lost}{part}"


def _version_lines(state: Store, versions: Sequence[StoredVersion], *, as_json: bool) -> Iterator[str]:
    if not as_json:
        yield f"{safe(versions[0].url)}: {len(versions):,} {'version' if len(versions) == 1 else 'versions'}"
    first: dict[int, int] = {}
    for each in versions:
        source = state.versions.load_source(each.number)
        size = len(source.body) if source is not None else 0
        original = first.setdefault(each.content, each.number)
        same = original if original != each.number else None
        if as_json:
            facts = _facts(each) | {"bytes": size, "changes": list(each.changes)}
            yield _json_line(facts | ({"same_as": same} if same else {}))
            continue
        about = [f"change {', '.join(map(str, each.changes))}"] if each.changes else []
        about += [f"the same as {same}"] if same else []
        columns = (safe(shorten(each.title, _MAX_SIDE)), f"({'; '.join(about)})" if about else "")
        yield "  ".join((f"{each.number:>7}", utc_time(each.at), f"{size:>9,} bytes", *filter(None, columns)))


def _facts(version: StoredVersion) -> dict[str, object]:
    return {"number": version.number, "url": version.url, "at": version.at, "title": version.title}


def _missing_versions(state: Store, change: Change) -> list[int]:
    """Return the versions of a change that are no longer kept."""
    numbers = dict.fromkeys(number for number in (change.old, change.new) if number is not None)
    return [number for number in numbers if not state.versions.has(number)]


def _about_versions(change: Change, missing: Sequence[int]) -> Iterator[str]:
    """Yield how to compare both versions of a change, or why that is not possible."""
    if change.old is None or change.new is None or change.old == change.new:
        return
    if missing:
        yield from (f"    version {number} is no longer kept" for number in missing)
    else:
        yield f"    all that differs: scrapy changes --compare {change.old} {change.new}"


def _consequences(
    state: Store, revisits: RevisitStore, change: Change, marked: Sequence[Mask]
) -> Iterator[str]:
    """Yield what is masked now, and which earlier changes of the site that would have hidden."""
    yield "From now on revisits ignore:"
    yield from (f"    {safe(str(mask))}" for mask in marked)
    site = host(change.url)
    hidden = [
        earlier
        for earlier in revisits.changes.load_all(limit=_MAX_COMPARED)
        if earlier.number != change.number
        and host(earlier.url) == site
        and (versions := _versions(state, earlier)) is not None
        and would_hide(marked, *versions)
    ]
    if not hidden:
        yield "All earlier changes of the site would have been reported all the same."
        return
    yield f"{len(hidden):,} of the earlier changes of the site would not have been reported, in whole or in part:"
    yield from (
        describe_change(earlier, in_colour=_is_colour_terminal(), longest=_MAX_SIDE) for earlier in hidden
    )


def _versions(state: Store, change: Change) -> tuple[PageVersion, PageVersion] | None:
    """Return both versions of a change of words, read from their sources."""
    if change.kind != "content" or change.old is None or change.new is None:
        return None
    old, new = _read_version(state, change.old), _read_version(state, change.new)
    return (old.read.version, new.read.version) if old is not None and new is not None else None


@dataclass(frozen=True, slots=True)
class _ReadVersion:
    stored: StoredVersion
    read: PageReading


def _read_version(state: Store, number: int) -> _ReadVersion | None:
    """Return a version, read from its source; an answer with its records."""
    stored, source = state.versions.load(number), state.versions.load_source(number)
    if stored is None or source is None:
        return None
    submission = state.submissions.load(stored.submission) if stored.submission is not None else None
    query = submission.query if submission is not None else None
    readings = read_versions(
        PageToRead(stored.url, FetchedBody(source.body, source.content_type), query=query)
    )
    assert readings.now is not None
    return _ReadVersion(stored, readings.now)


def _numbers(args: Sequence[str]) -> list[int]:
    try:
        return list(map(change_number, args))
    except ArgumentTypeError as error:
        raise UsageError(f"{error} of a change", print_help=False) from error


def change_number(word: str) -> int:
    """Return the number of a change from an argument; raises ArgumentTypeError."""
    if not _NUMBER.fullmatch(word):
        raise ArgumentTypeError(f"{word!r} is no number")
    return int(word)


def _since(argument: str, now: float) -> float:
    """Return the time of a date or an age."""
    if not argument:
        return 0.0
    try:
        if _DATE.fullmatch(argument):
            since = datetime.fromisoformat(argument).replace(tzinfo=UTC).timestamp()
        elif _DAYS.fullmatch(argument):
            since = now - 86_400.0 * float(argument[:-1])
        else:
            since = now - parse_seconds(argument)
    except ValueError as error:
        raise UsageError(
            f"--since: {argument!r} is neither a date such as 2026-11-01 nor a time such as 12h",
            print_help=False,
        ) from error
    if since > now:
        raise UsageError(f"--since: {argument!r} is still to come", print_help=False)
    return since


def _site(argument: str) -> str:
    """Return the host of a name or an address."""
    if not argument:
        return ""
    name = host(argument if "://" in argument else f"http://{argument.strip().strip('/')}/")
    if not name or any(map(str.isspace, name)):
        raise UsageError(f"--site: {argument!r} is no host such as example.org", print_help=False)
    return name


def _json_line(facts: object) -> str:
    """Return facts as one line of JSON."""
    return json_text(facts, indent=None)


def _say(lines: Iterable[str], otherwise: str = "") -> None:
    if text := "\n".join(lines) or otherwise:
        say(text)


def _is_colour_terminal() -> bool:
    return sys.stdout.isatty()
