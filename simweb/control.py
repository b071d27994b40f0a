"""The control port: the truth over HTTP, a hand on the clock, faults on command. JSON in the answers.

`GET /` lists every call with what it does. Arguments are parameters of the address, for GET and POST alike.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from simweb.faults import KINDS, Fault
from simweb.look import REDESIGNS
from simweb.messages import Response, split_parameters
from simweb.truth import Truth, described

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.messages import Request
    from simweb.site import Site
    from simweb.world import World

_ARGUMENTS_OF_ANSWER = ("host",)


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

    def number(self, name: str, default: float | None = None) -> float:
        """Return an argument that is a number."""
        text = self.text(name, None if default is None else str(default))
        try:
            return float(text)
        except ValueError:
            raise BadCall(f"{name}={text!r} is not a number") from None

    def whole(self, name: str, default: int | None = None) -> int:
        """Return an argument that is a whole number."""
        return int(self.number(name, default))


class Control:
    """Answers on the control port."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.truth = Truth(world)
        self.calls: dict[tuple[str, str], Callable[[Arguments], Any]] = {
            ("GET", "/"): self.help,
            ("GET", "/world"): self.summary,
            ("GET", "/sites"): self.sites,
            ("GET", "/site"): self.site,
            ("GET", "/pages"): self.pages,
            ("GET", "/forms"): self.forms,
            ("GET", "/records"): self.records,
            ("GET", "/words"): self.words,
            ("GET", "/answer"): self.answer,
            ("GET", "/links"): self.links,
            ("GET", "/reachable"): self.reachable,
            ("GET", "/oracle"): self.oracle,
            ("GET", "/requests"): self.requests,
            ("GET", "/counts"): self.counts,
            ("GET", "/effects"): self.effects,
            ("GET", "/violations"): self.violations,
            ("POST", "/clock"): self.clock,
            ("POST", "/change"): self.change,
            ("POST", "/remove"): self.remove,
            ("POST", "/add"): self.add,
            ("POST", "/rewrite"): self.rewrite,
            ("POST", "/redesign"): self.redesign,
            ("GET", "/faults"): self.faults,
            ("POST", "/fault"): self.fault,
            ("POST", "/clear-faults"): self.clear_faults,
            ("POST", "/clear-journal"): self.clear_journal,
        }

    def __call__(self, request: Request) -> Response:
        """Carry out a call; a bad one gets a 400 that says what is wrong."""
        call = self.calls.get((request.method, request.path))
        if call is None:
            return _json(404, {"error": f"no call {request.method} {request.path}; GET / lists them"})
        try:
            return _json(200, call(Arguments(request.query)))
        except (BadCall, KeyError) as error:
            return _json(400, {"error": str(error.args[0])})

    def help(self, _: Arguments) -> Any:
        """List the calls."""
        return {
            f"{method} {path}": (call.__doc__ or "").strip() for (method, path), call in self.calls.items()
        }

    def summary(self, _: Arguments) -> Any:
        """Describe the world in a few numbers."""
        return self.truth.summary()

    def sites(self, arguments: Arguments) -> Any:
        """List sites. Arguments: topic, databases (1 or 0)."""
        topic = arguments.text("topic", "") or None
        wanted = arguments.text("databases", "")
        databases = wanted == "1" if wanted else None
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
        return [described(form) for form in self.truth.forms(self._site(arguments).plan.host)]

    def records(self, arguments: Arguments) -> Any:
        """List the records of a site. Arguments: host, first (1), most (1000)."""
        site = self._site(arguments)
        first, most = arguments.whole("first", 1), arguments.whole("most", 1000)
        wanted = (t for t in self.truth.records(site.plan.host) if t.record.number >= first)
        return [
            {"number": t.record.number, "title": t.record.title, "page": t.page, "text": t.record.text,
             "values": {a.name: v for a, v in zip(site.catalogue.topic.attributes, t.record.values, strict=True)}}
            for t, _ in zip(wanted, range(most), strict=False)
        ]  # fmt: skip

    def words(self, arguments: Arguments) -> Any:
        """List the single words that would return a record. Arguments: host, number."""
        return self.truth.words_returning(self._site(arguments).plan.host, arguments.whole("number"))

    def answer(self, arguments: Arguments) -> Any:
        """Predict the answer to a submission. Arguments: host, and the form's own parameters."""
        site = self._site(arguments)
        sent = [(name, value) for name, value in arguments.pairs if name not in _ARGUMENTS_OF_ANSWER]
        result = self.truth.answer(site.plan.host, sent)
        return {"kind": result.kind, "found": result.found, "shown": result.shown, "page": result.page,
                "pages": result.pages, "message": result.message, "suggestion": result.suggestion}  # fmt: skip

    def links(self, arguments: Arguments) -> Any:
        """List the links of a page. Argument: url."""
        return self.truth.links(arguments.text("url"))

    def reachable(self, arguments: Arguments) -> Any:
        """Show what links alone reach: pages, records. Argument: start (repeated; default: all homepages)."""
        starts = [value for name, value in arguments.pairs if name == "start"]
        starts = starts or [self.world.plan(number).url for number in self.world.numbers]
        reach = self.truth.reachable(starts)
        return {"pages": sorted(reach.pages), "records": sorted(reach.records)}

    def oracle(self, arguments: Arguments) -> Any:
        """Show the best queries of somebody who knows the database. Arguments: host, queries (100), pairs (0 or 1)."""
        host = self._site(arguments).plan.host
        steps = self.truth.oracle(host, arguments.whole("queries", 100), arguments.text("pairs", "0") == "1")
        return [
            {"words": s.query.words, "equals": s.query.equals, "new": s.new, "covered": s.covered}
            for s in steps
        ]

    def requests(self, arguments: Arguments) -> Any:
        """List requests served. Arguments: host, since (a number), most (10000)."""
        host = arguments.text("host", "") or None
        rows = self.world.journal.requests(host, arguments.whole("since", 0), arguments.whole("most", 10_000))
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
        if text := arguments.text("advance", ""):
            by = (
                float(text[:-1]) * 86_400
                if text.endswith("d")
                else Arguments(f"advance={text}").number("advance")
            )
            if by < 0:
                raise BadCall(f"the clock does not go back: advance={text}")
            self.world.now += by
        elif arguments.text("to", ""):
            to = arguments.number("to")
            if to < self.world.now:
                raise BadCall(f"the clock does not go back: it shows {self.world.now:g}, not {to:g}")
            self.world.now = to
        return {"clock": self.world.now}

    def change(self, arguments: Arguments) -> Any:
        """Change a record now. Arguments: host, number."""
        site, number = self._site(arguments), self._record(arguments)
        site.hand.revisions[number] = site.hand.revisions.get(number, 0) + 1
        return self._touched(site)

    def remove(self, arguments: Arguments) -> Any:
        """Remove a record now. Arguments: host, number."""
        site, number = self._site(arguments), self._record(arguments)
        site.hand.removed.add(number)
        return self._touched(site)

    def add(self, arguments: Arguments) -> Any:
        """Add records now. Arguments: host, count (1)."""
        site = self._site(arguments)
        site.hand.added += arguments.whole("count", 1)
        return self._touched(site)

    def rewrite(self, arguments: Arguments) -> Any:
        """Rewrite a paragraph of a public page now. Argument: url."""
        url = arguments.text("url")
        host, _, path = url.removeprefix("http://").partition("/")
        site = self.truth.site(host)
        page = site.page_at(f"/{path}")
        if page is None:
            raise BadCall(f"{url} is not a public page")
        site.hand.rewritten[page] = site.hand.rewritten.get(page, 0) + 1
        return {"url": url}

    def redesign(self, arguments: Arguments) -> Any:
        """Change the template of a site now. Arguments: host, name (see the error for the names)."""
        site, name = self._site(arguments), arguments.text("name", "whole-page")
        if name not in REDESIGNS:
            raise BadCall(f"no redesign {name!r}; there are {', '.join(REDESIGNS)}")
        site.hand.redesigns.append(name)
        return {"host": site.plan.host, "redesigns": site.redesigns(int(self.world.now // 86_400))}

    def faults(self, _: Arguments) -> Any:
        """List the kinds of faults and those in force."""
        return {"kinds": KINDS, "active": [asdict(fault) for fault in self.world.faults.active]}

    def fault(self, arguments: Arguments) -> Any:
        """Let something go wrong. Arguments: kind, host (*), rate (1), retry_after (1), seconds (0.5), path, times."""
        host = arguments.text("host", "*")
        if host != "*":
            self.truth.site(host)
        times = arguments.text("times", "")
        fault = Fault(
            arguments.text("kind"), host, arguments.number("rate", 1), arguments.number("retry_after", 1),
            arguments.number("seconds", 0.5), arguments.text("path", ""), int(times) if times.isdigit() else None,
        )  # fmt: skip
        try:
            self.world.faults.add(fault)
        except ValueError as error:
            raise BadCall(str(error)) from None
        return asdict(fault)

    def clear_faults(self, arguments: Arguments) -> Any:
        """Take back faults. Argument: host (all)."""
        self.world.faults.clear(arguments.text("host", "") or None)
        return {"active": len(self.world.faults.active)}

    def clear_journal(self, _: Arguments) -> Any:
        """Forget requests and effects."""
        self.world.journal.clear()
        return {}

    def _site(self, arguments: Arguments) -> Site:
        return self.truth.site(arguments.text("host"))

    def _record(self, arguments: Arguments) -> int:
        site, number = self._site(arguments), arguments.whole("number")
        if site.plan.database is None or site.record(number, int(self.world.now // 86_400)) is None:
            raise BadCall(f"{site.plan.host} has no record {number}")
        return number

    def _touched(self, site: Site) -> Any:
        self.world.database_of(site).touch()
        return {"host": site.plan.host, "records": site.record_count(int(self.world.now // 86_400))}


def _json(status: int, value: Any) -> Response:
    body = json.dumps(value, ensure_ascii=False).encode()
    return Response(status, body, [("Content-Type", "application/json; charset=utf-8")], "control")
