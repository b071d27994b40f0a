"""The control port: the truth over HTTP, a hand on the clock, faults on command. JSON in the answers.

`GET /` lists every call with what it does. Arguments are parameters of the address, for GET and POST alike.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from simweb.faults import KINDS, Fault
from simweb.look import REDESIGNS
from simweb.messages import Response, host_name, split_parameters
from simweb.search import Query
from simweb.truth import Truth, describe_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.messages import Request
    from simweb.site import Site
    from simweb.world import World

_LARGEST = 10**9
_LATEST = 36_525 * 86_400  # a hundred years; dates end a little later
_ANYTHING = "*"


class BadCall(ValueError):
    """A call of the control port that cannot be carried out; the text says why."""


class Arguments:
    """The parameters of a call, with clear errors."""

    def __init__(self, query: str) -> None:
        self.pairs = split_parameters(query, "utf-8")
        self._values = dict(self.pairs)

    def text(self, name: str, default: str | None = None) -> str:
        """Return an argument; without a default it has to be there."""
        value = self._values.get(name, default)
        if value is None:
            raise BadCall(f"the argument {name!r} is missing")
        return value

    def number(self, name: str, default: float | None = None, least: float = -math.inf) -> float:
        """Return an argument that is a finite number."""
        text = self.text(name, None if default is None else str(default))
        value = _finite(name, text)
        _check_least(name, value, least)
        return value

    def whole(self, name: str, default: int | None = None, least: int = 0) -> int:
        """Return an argument that is a whole number."""
        text = self.text(name, None if default is None else str(default))
        try:
            value = int(text)
        except ValueError:
            raise BadCall(f"{name}={text!r} is not a whole number") from None
        if value > _LARGEST:
            raise BadCall(f"{name}={text} is more than {_LARGEST}")
        _check_least(name, value, least)
        return value

    def flag(self, name: str) -> bool | None:
        """Return an argument that is 1 or 0, or None where it is not given."""
        text = self.text(name, "")
        if text not in ("", "0", "1"):
            raise BadCall(f"{name}={text!r} is neither 0 nor 1")
        return text == "1" if text else None

    def url(self, name: str) -> str:
        """Return an argument that is an address."""
        return _address(name, self.text(name))

    def check(self, names: str) -> None:
        """Refuse arguments a call does not have."""
        unknown = [name for name in self._values if name not in names.split()]
        if unknown and names != _ANYTHING:
            raise BadCall(f"no argument {', '.join(map(repr, unknown))}; there are {names or 'none'}")


class Control:
    """Answers on the control port."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.truth = Truth(world)
        self.calls: dict[tuple[str, str], tuple[Callable[[Arguments], Any], str]] = {
            ("GET", "/"): (self.help, ""),
            ("GET", "/world"): (self.summary, ""),
            ("GET", "/sites"): (self.sites, "topic databases"),
            ("GET", "/site"): (self.site, "host"),
            ("GET", "/pages"): (self.pages, "host"),
            ("GET", "/forms"): (self.forms, "host"),
            ("GET", "/records"): (self.records, "host first most"),
            ("GET", "/words"): (self.words, "host number"),
            ("GET", "/queries"): (self.queries, "host number"),
            ("GET", "/matching"): (self.matching, "host words"),
            ("GET", "/answer"): (self.answer, _ANYTHING),
            ("GET", "/links"): (self.links, "url"),
            ("GET", "/reachable"): (self.reachable, "start"),
            ("GET", "/linking"): (self.linking, "host"),
            ("GET", "/changes"): (self.changes, "host since"),
            ("GET", "/oracle"): (self.oracle, "host queries pairs"),
            ("GET", "/requests"): (self.requests, "host since most"),
            ("GET", "/counts"): (self.counts, ""),
            ("GET", "/effects"): (self.effects, ""),
            ("GET", "/violations"): (self.violations, ""),
            ("POST", "/clock"): (self.clock, "advance to"),
            ("POST", "/change"): (self.change, "host number"),
            ("POST", "/remove"): (self.remove, "host number"),
            ("POST", "/add"): (self.add, "host count"),
            ("POST", "/rewrite"): (self.rewrite, "url"),
            ("POST", "/redesign"): (self.redesign, "host name"),
            ("GET", "/faults"): (self.faults, ""),
            ("POST", "/fault"): (self.fault, "kind host rate retry_after seconds path times after"),
            ("POST", "/clear-faults"): (self.clear_faults, "host"),
            ("POST", "/clear-journal"): (self.clear_journal, ""),
        }

    def __call__(self, request: Request) -> Response:
        """Carry out a call; a bad one gets a 400 that says what is wrong."""
        known = self.calls.get((request.method, request.path))
        if known is None:
            return _json(404, {"error": f"no call {request.method} {request.path}; GET / lists them"})
        call, names = known
        arguments = Arguments(request.query)
        try:
            arguments.check(names)
            return _json(200, call(arguments))
        except BadCall as error:
            return _json(400, {"error": str(error)})

    def help(self, _: Arguments) -> Any:
        """List the calls."""
        return {f"{method} {path}": call.__doc__ for (method, path), (call, _) in self.calls.items()}

    def summary(self, _: Arguments) -> Any:
        """Describe the world in a few numbers."""
        return self.truth.summary()

    def sites(self, arguments: Arguments) -> Any:
        """List sites. Arguments: topic, databases (1 or 0)."""
        topic = arguments.text("topic", "") or None
        databases = arguments.flag("databases")
        plans = (self.world.plan(number) for number in self.world.numbers)
        return [
            {"host": p.host, "url": p.url, "topic": p.topic, "language": p.language, "pages": p.pages,
             "style": p.database.style if p.database else None, "traps": p.traps}
            for p in plans
            if topic in (None, p.topic) and databases in (None, p.database is not None)
        ]  # fmt: skip

    def site(self, arguments: Arguments) -> Any:
        """Show the whole plan of a site. Argument: host."""
        return asdict(self._site(arguments).plan)

    def pages(self, arguments: Arguments) -> Any:
        """List the public pages of a site. Argument: host."""
        return list(self.truth.pages(self._site(arguments).plan.host))

    def forms(self, arguments: Arguments) -> Any:
        """List the forms of a site with their meaning. Argument: host."""
        return [describe_form(form) for form in self.truth.forms(self._site(arguments).plan.host)]

    def records(self, arguments: Arguments) -> Any:
        """List the records of a site. Arguments: host, first (1), most (1000)."""
        site = self._database_site(arguments)
        first, most = arguments.whole("first", 1), arguments.whole("most", 1000, least=1)
        wanted = (t for t in self.truth.records(site.plan.host) if t.record.number >= first)
        return [
            {"number": t.record.number, "title": t.record.title, "page": t.page, "text": t.record.text,
             "values": {a.name: v for a, v in zip(site.catalogue.topic.attributes, t.record.values, strict=True)}}
            for t, _ in zip(wanted, range(most), strict=False)
        ]  # fmt: skip

    def words(self, arguments: Arguments) -> Any:
        """List the single words that would return a record. Arguments: host, number."""
        host = self._database_site(arguments).plan.host
        return self.truth.words_returning(host, arguments.whole("number", least=1))

    def queries(self, arguments: Arguments) -> Any:
        """List submissions of the search form that lead to a record. Arguments: host, number."""
        host = self._database_site(arguments).plan.host
        return self.truth.queries_returning(host, arguments.whole("number", least=1))

    def matching(self, arguments: Arguments) -> Any:
        """List the records that hold the words, found by reading all of them. Arguments: host, words."""
        host = self._database_site(arguments).plan.host
        return sorted(self.truth.matching(host, Query(arguments.text("words"))))

    def answer(self, arguments: Arguments) -> Any:
        """Predict the answer to a submission. Arguments: host, and the form's own parameters."""
        site = self._database_site(arguments)
        sent = [(name, value) for name, value in arguments.pairs if name != "host"]
        result = self.truth.answer(site.plan.host, sent)
        return {"kind": result.kind, "found": result.found, "shown": result.shown, "page": result.page,
                "pages": result.pages, "message": result.message, "suggestion": result.suggestion}  # fmt: skip

    def links(self, arguments: Arguments) -> Any:
        """List the links of a page. Argument: url."""
        return self.truth.links(arguments.url("url"))

    def reachable(self, arguments: Arguments) -> Any:
        """Show what links alone reach: pages, records. Argument: start (repeated; default: all homepages)."""
        starts = [_address(name, value) for name, value in arguments.pairs]
        starts = starts or [self.world.plan(number).url for number in self.world.numbers]
        reach = self.truth.reachable(starts)
        return {"pages": sorted(reach.pages), "records": sorted(reach.records)}

    def linking(self, arguments: Arguments) -> Any:
        """List the hosts that link to a host; the first time it reads every page. Argument: host."""
        return self.truth.linking_hosts(self._site(arguments).plan.host)

    def changes(self, arguments: Arguments) -> Any:
        """Say what changed at a site since a time of the clock. Arguments: host, since (0)."""
        return asdict(self.truth.changes(self._site(arguments).plan.host, arguments.number("since", 0)))

    def oracle(self, arguments: Arguments) -> Any:
        """Show the best queries of somebody who knows the database. Arguments: host, queries (100), pairs (0 or 1)."""
        host, queries = self._database_site(arguments).plan.host, arguments.whole("queries", 100, least=1)
        steps = self.truth.oracle(host, queries, bool(arguments.flag("pairs")))
        return [
            {
                "parameters": s.parameters,
                "words": s.query.words,
                "equals": s.query.equals,
                "new": s.new,
                "covered": s.covered,
            }
            for s in steps
        ]

    def requests(self, arguments: Arguments) -> Any:
        """List requests served. Arguments: host, since (a number), most (10000)."""
        since, most = arguments.whole("since", 0), arguments.whole("most", 10_000, least=1)
        rows = self.world.journal.requests(self._host(arguments), since, most)
        return [{"number": number, **asdict(served)} for number, served in rows]

    def counts(self, _: Arguments) -> Any:
        """Count requests by host."""
        return self.world.journal.counts()

    def effects(self, _: Arguments) -> Any:
        """List the effects of forms that should have been left alone."""
        return [asdict(effect) for effect in self.world.journal.effects()]

    def violations(self, _: Arguments) -> Any:
        """List requests that broke robots rules, a crawl delay or a Retry-After."""
        return [asdict(violation) for violation in self.truth.violations()]

    def clock(self, arguments: Arguments) -> Any:
        """Move the clock. Argument: advance (seconds, or days with a d behind: 30d) or to (seconds)."""
        to = self.world.now
        if text := arguments.text("advance", ""):
            to += _finite("advance", text.removesuffix("d")) * (86_400 if text.endswith("d") else 1)
        elif arguments.text("to", ""):
            to = arguments.number("to")
        if to < self.world.now:
            raise BadCall(f"the clock does not go back: it shows {self.world.now:g}, not {to:g}")
        if to > _LATEST:
            raise BadCall(f"the clock ends at {_LATEST} seconds, before {to:g}")
        self.world.now = to
        return {"clock": self.world.now}

    def change(self, arguments: Arguments) -> Any:
        """Change a record now. Arguments: host, number."""
        site, number = self._record(arguments)
        site.hand.change(number, self.world.now)
        return self._touch(site)

    def remove(self, arguments: Arguments) -> Any:
        """Remove a record now. Arguments: host, number."""
        site, number = self._record(arguments)
        site.hand.remove(number, self.world.now)
        return self._touch(site)

    def add(self, arguments: Arguments) -> Any:
        """Add records now. Arguments: host, count (1)."""
        site = self._database_site(arguments)
        site.hand.add(arguments.whole("count", 1, least=1), self.world.now)
        return self._touch(site)

    def rewrite(self, arguments: Arguments) -> Any:
        """Rewrite a paragraph of a public page now. Argument: url."""
        url = arguments.url("url")
        host, _, path = url.removeprefix("http://").partition("/")
        site = self._site_at(host)
        page = site.page_at(f"/{path}")
        if page is None:
            raise BadCall(f"{url} is not a public page")
        site.hand.rewrite(page, self.world.now)
        return {"url": url}

    def redesign(self, arguments: Arguments) -> Any:
        """Change the template of a site now. Arguments: host, name (see the error for the names)."""
        site, name = self._site(arguments), arguments.text("name", "whole-page")
        if name not in REDESIGNS:
            raise BadCall(f"no redesign {name!r}; there are {', '.join(REDESIGNS)}")
        site.hand.redesign(name, self.world.now)
        return {"host": site.plan.host, "redesigns": site.redesigns(int(self.world.now // 86_400))}

    def faults(self, _: Arguments) -> Any:
        """List the kinds of faults and those in force."""
        return {"kinds": KINDS, "active": [asdict(fault) for fault in self.world.faults.active]}

    def fault(self, arguments: Arguments) -> Any:
        """Let something go wrong. Arguments: kind, host (*), rate (1), retry_after (1), seconds (0.5), path, times, after (0)."""
        host = arguments.text("host", "*")
        if host != "*":
            host = self._site_at(host).plan.host
        patience = math.ceil(arguments.number("retry_after", 1))  # the header has whole seconds only
        times = arguments.whole("times", least=1) if arguments.text("times", "") else None
        fault = Fault(
            arguments.text("kind"), host, arguments.number("rate", 1), patience,
            arguments.number("seconds", 0.5, least=0), arguments.text("path", ""), times,
            arguments.whole("after", 0),
        )  # fmt: skip
        try:
            self.world.faults.add(fault)
        except ValueError as error:
            raise BadCall(str(error)) from None
        return asdict(fault)

    def clear_faults(self, arguments: Arguments) -> Any:
        """Take back faults. Argument: host (all)."""
        self.world.faults.clear(self._host(arguments))
        return {"active": len(self.world.faults.active)}

    def clear_journal(self, _: Arguments) -> Any:
        """Forget requests and effects, and how many requests each host had."""
        self.world.journal.clear()
        return {}

    def _host(self, arguments: Arguments) -> str | None:
        """Return a host as requests carry it, known or not; None without the argument."""
        return host_name(arguments.text("host", ""), self.world.port) or None

    def _site(self, arguments: Arguments) -> Site:
        return self._site_at(arguments.text("host"))

    def _site_at(self, host: str) -> Site:
        site = self.world.site_at(host_name(host, self.world.port))
        if site is None:
            raise BadCall(f"no host {host!r} in this world")
        return site

    def _database_site(self, arguments: Arguments) -> Site:
        site = self._site(arguments)
        if site.plan.database is None:
            raise BadCall(f"{site.plan.host} has no database")
        return site

    def _record(self, arguments: Arguments) -> tuple[Site, int]:
        site, number = self._database_site(arguments), arguments.whole("number", least=1)
        if site.record(number, int(self.world.now // 86_400)) is None:
            raise BadCall(f"{site.plan.host} has no record {number}")
        return site, number

    def _touch(self, site: Site) -> Any:
        self.world.database_of(site).touch()
        return {"host": site.plan.host, "records": self.truth.count(site.plan.host)}


def _finite(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadCall(f"{name}={text!r} is not a number")
    return value


def _check_least(name: str, value: float, least: float) -> None:
    if value < least:
        raise BadCall(f"{name}={value:g} is less than {least:g}")


def _address(name: str, url: str) -> str:
    try:
        urlsplit(url)
    except ValueError as error:
        raise BadCall(f"{name}={url!r} is not an address: {error}") from None
    return url


def _json(status: int, value: Any) -> Response:
    body = json.dumps(value, ensure_ascii=False).encode()
    return Response(status, body, [("Content-Type", "application/json; charset=utf-8")], "control")
