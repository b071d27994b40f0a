"""`scrapy forms`: which forms are known, what they are taken for, what they would be asked, and why.

Without arguments all forms of the state, also while a crawl is writing it; numbers name single ones. With --allow, --never and
--forget the user overrules the verdict on a form by hand, or takes that back. With --ledger every question that
they were asked, and what came of it. With --url or --file the forms of any page are judged, fetched by all the rules or read from a
file; nothing is submitted and nothing is kept.
Exit codes: 0; 1 if there are no such forms; 2 for a wrong command; 3 if there is no state, or none that can be read; 4 if the
page cannot be had.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.commands._one_page import page_fetcher
from hiddenweb.commands.status import clean, say
from hiddenweb.fetch.errors import Disallowed, FetchError, Refused
from hiddenweb.fetch.reading import is_description
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.fetch.single_page import SinglePage
from hiddenweb.focused.form_relevance import relevance
from hiddenweb.forms.opensearch import UnreadableDescription, read_description
from hiddenweb.forms.submission import UnreadableForm, as_sent, submission
from hiddenweb.forms.verdict import NOFOLLOW, judge, overruled
from hiddenweb.frontier.scope import STRICT
from hiddenweb.html.reader import read_page
from hiddenweb.language.terms import terms, weights
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import fillings, plan, planned_of, questions
from hiddenweb.querying.session import FormSessions
from hiddenweb.querying.user_values import BadValueFile
from hiddenweb.reports.ledger import entries
from hiddenweb.reports.ledger_text import described_question, question_lines
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState, StateError
from hiddenweb.urls import host, normalise_url, origin, registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.fetch.single_page import SinglePageFetcher
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Field, Form, Verdict
    from hiddenweb.querying.plan import PlannedControl, QueryPlan

NO_FORMS, NO_STATE, NO_PAGE = 1, 3, 4
NOWHERE = "http://page.invalid/"
"""Where a page from a file stands, unless --at says so."""

KINDS = ("search", "login", "registration", "recovery", "newsletter", "contact", "comment", "order", "other")
SHOWN_VALUES = 5
_MOST_DIGITS = 18
_UNPRINTABLE = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORBIDDEN = "robots.txt forbids its address"
_BY_HAND = {
    "allow": "overrule the verdict on this form: ask it; POST still needs HIDDENWEB_ALLOW_POST",
    "never": "overrule the verdict on this form: never ask it",
    "forget": "forget what --allow or --never said of this form",
}


@dataclass(frozen=True, slots=True)
class FormReport:
    """A form with all that is said about it; the numbers are those of the state, if it is known there."""

    form: Form
    verdict: Verdict
    plan: QueryPlan
    number: int | None = None
    site: str = ""
    state: str = ""
    state_why: str = ""
    queries: int = 0
    records: int = 0
    topic: float | None = None
    session: str = ""  # why it is asked with fresh hidden values and cookies

    @property
    def button(self) -> Field | None:
        """The button that would be pressed."""
        return _at(self.form, self.verdict.button)

    def refused(self, why: str) -> FormReport:
        """Return it with one more reason why the form is not asked."""
        verdict = replace(self.verdict, ask=False, refusals=(*self.verdict.refusals, why))
        return replace(self, verdict=verdict)


class FormsCommand(ScrapyCommand):
    """Shows forms, verdicts, plans and values."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options] [NUMBER ...]"

    def short_desc(self) -> str:
        return "Show forms: what they are, what they would be asked, and why"

    def long_desc(self) -> str:
        return (
            "Show the forms that crawls have met: what each is taken for and how surely, its controls with what they are called and "
            "what they would be given, and how far it has been asked. Numbers name single forms. --ledger shows every question that was "
            "asked instead, and what came of it. --url and --file judge the forms of any page, without submitting or keeping anything."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--url", metavar="URL", help="judge the forms of this page; robots.txt is obeyed")
        parser.add_argument(
            "--file", metavar="PAGE", help="judge the forms of a saved page; - reads it from the input"
        )
        parser.add_argument("--at", metavar="URL", help=f"the address of the page in --file ({NOWHERE})")
        parser.add_argument(
            "--ledger", action="store_true", help="show every question that was asked, and what came of it"
        )
        for hand, what in _BY_HAND.items():
            parser.add_argument(
                f"--{hand}", type=int, action="append", default=[], metavar="NUMBER", help=what
            )
        parser.add_argument("--site", default="", metavar="DOMAIN", help="only forms of this site")
        parser.add_argument(
            "--kind", default="", metavar="KIND", help="only forms of a kind: search, login, newsletter ..."
        )
        parser.add_argument(
            "--topic", default="", metavar="WORDS", help="say how well each form fits these words"
        )
        parser.add_argument("--why", action="store_true", help="explain every verdict and every value")
        parser.add_argument("--values", action="store_true", help="show the labelled values instead of forms")
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object per line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        numbers = _numbers(args)
        if why := _contradiction(opts, numbers):
            raise UsageError(why, print_help=False)
        assert self.settings is not None
        try:
            if opts.ledger:
                self._show_ledger(numbers, opts)
                return
            if opts.allow or opts.never or opts.forget:
                self._overrule(opts)
                return
            values = self._values()
            if opts.values:
                self.exitcode = _show_values(values, as_json=opts.json)
                return
            if opts.url is not None or opts.file is not None:
                shown = self._of_page(opts, values)
            else:
                shown = self._of_state(numbers, opts, values)
        except StateError as error:
            self._fail(NO_STATE, error)
        except (FetchError, Disallowed, UnreadableDescription, OSError) as error:
            self._fail(NO_PAGE, error)
        except BadValueFile as error:
            raise UsageError(str(error), print_help=False) from None
        else:
            self._show(shown, opts)

    def _fail(self, code: int, error: Exception) -> None:
        print(f"scrapy forms: {error}", file=sys.stderr)
        self.exitcode = code

    def _show(self, shown: Sequence[FormReport], opts: argparse.Namespace) -> None:
        if opts.json:
            for each in shown:
                say(_as_json(described(each)))
        else:
            say("\n".join(clean(line, longest=2000) for line in lines(shown, why=opts.why)))
        self.exitcode = 0 if shown else NO_FORMS

    def _show_ledger(self, numbers: Sequence[int], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
            if missing := [number for number in numbers if state.forms.load(number) is None]:
                _say_missing(missing)
            found = set(numbers) - set(missing)
            asked = entries(state, forms=found, site=_site(opts.site)) if found or not numbers else iter(())
            first = next(asked, None)
            self.exitcode = NO_FORMS if first is None else 0
            listed = chain([first] if first is not None else [], asked)
            by_hand = {form.id for form in state.forms.load_all() if form.verdict.by_hand == "allow"}
            told: Iterable[str] = (
                (_as_json(described_question(entry, by_hand)) for entry in listed)
                if opts.json
                else (clean(line, longest=2000) for line in question_lines(listed, by_hand))
            )
            for line in told:
                say(line)

    # What the user overrules

    def _overrule(self, opts: argparse.Namespace) -> None:
        """Overrule the verdicts on forms by hand, and say loudly what that means."""
        assert self.settings is not None
        post_hosts = self.settings.getlist("HIDDENWEB_ALLOW_POST")
        wishes = {number: hand for hand in _BY_HAND for number in getattr(opts, hand)}
        with Store(Path(self.settings["HIDDENWEB_STATE"])) as state:
            known = {number: form for number in wishes if (form := state.forms.load(number)) is not None}
            for number, form in known.items():
                verdict = judged_by_hand(
                    form, "" if wishes[number] == "forget" else wishes[number], post_hosts
                )
                state.forms.save(form.site, form.form, verdict, form.found)
                say("\n".join(clean(line, longest=2000) for line in _told_of(form, verdict)))
        if missing := sorted(set(wishes) - known.keys()):
            _say_missing(missing)
        self.exitcode = NO_FORMS if missing else 0

    # Where forms come from

    def _of_state(
        self, numbers: Sequence[int], opts: argparse.Namespace, values: LabelledValueSet
    ) -> list[FormReport]:
        assert self.settings is not None
        with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
            shown = [
                _unless_known_as_forbidden(
                    _with_session(_known(form, opts, values), form, state), state, self.settings["USER_AGENT"]
                )
                for form in state.forms.load_all(site=_site(opts.site), kind=opts.kind)
                if not numbers or form.id in numbers
            ]
        if missing := sorted(set(numbers) - {each.number for each in shown}):
            _say_missing(missing)
        return shown

    def _of_page(self, opts: argparse.Namespace, values: LabelledValueSet) -> list[FormReport]:
        if opts.file is not None:
            return self._judged(_from_file(opts.file, opts.at or NOWHERE), opts, values)
        return asyncio.run(self._of_web(_address(opts.url), opts, values))

    async def _of_web(self, url: str, opts: argparse.Namespace, values: LabelledValueSet) -> list[FormReport]:
        assert self.settings is not None
        agent = self.settings["USER_AGENT"]
        async with page_fetcher(self.settings) as fetcher:
            fetched = await fetcher.fetch_page(url)
            return [
                await _unless_forbidden(each, fetcher, agent) for each in self._judged(fetched, opts, values)
            ]

    def _judged(
        self, fetched: SinglePage, opts: argparse.Namespace, values: LabelledValueSet
    ) -> list[FormReport]:
        assert self.settings is not None
        post_hosts = self.settings.getlist("HIDDENWEB_ALLOW_POST")
        forms, nofollow, marks = _forms_in(fetched)
        nofollow = nofollow and self.settings["HIDDENWEB_NOFOLLOW"] == STRICT
        if marks:
            print(f"scrapy forms: not all of the page could be read: {', '.join(marks)}", file=sys.stderr)
        judged = [(form, judge(form, post_hosts=post_hosts, nofollow=nofollow)) for form in forms]
        return [
            FormReport(
                form, verdict, plan(form, verdict.query_box, values), site=host(form.page_url),
                topic=_fit(form, opts.topic),
            )
            for form, verdict in judged
            if opts.kind in ("", verdict.kind)
        ]  # fmt: skip

    def _values(self) -> LabelledValueSet:
        """Return the labelled values: built in, learnt by crawls, and the user's own."""
        assert self.settings is not None
        folder = Path(self.settings["HIDDENWEB_STATE"])
        try:
            with Store(folder, write=False) as state:
                rows = state.knowledge.load_all("values")
        except NoState:
            rows = []  # nothing learnt yet
        values = LabelledValueSet.from_rows(rows, datetime.now(UTC).date())
        if path := self.settings.get("HIDDENWEB_VALUES"):
            values.load_user_file(Path(path))
        return values


def judged_by_hand(known: StoredForm, by_hand: str, post_hosts: Sequence[str]) -> Verdict:
    """Return the verdict on a known form, judged anew and as the user overrules it."""
    nofollow = NOFOLLOW in known.verdict.refusals
    verdict = judge(known.form, post_hosts=post_hosts, nofollow=nofollow)
    return overruled(verdict, known.form, by_hand, post_hosts=post_hosts)


def _told_of(known: StoredForm, verdict: Verdict) -> Iterator[str]:
    """Yield what the user has overruled, and what will happen."""
    sent = known.as_sent
    yield f"#{known.id}: {verdict.kind}, searches with {verdict.probability:.3f}; {sent.method} {sent.template or sent.action}"
    if verdict.by_hand == "allow":
        yield from (f"    OVERRULED BY HAND: {why}" for why in verdict.overruled)
        if not verdict.overruled:
            yield "    nothing is overruled: what the form is taken for spoke against nothing"
    yield from (f"    not submitted: {why}" for why in verdict.refusals)
    if verdict.ask:
        box = _at(known.form, verdict.query_box)
        where = f"words in its box {box.name!r}" if box is not None else "what it lets people choose"
        yield f"    WILL BE SUBMITTED by the next harvest of its site, with {where}; passwords and files are never filled in"
    else:
        yield "    will not be submitted"
    if verdict.by_hand:
        yield f"    scrapy forms --forget {known.id} takes that back"


def _say_missing(numbers: Sequence[int]) -> None:
    print(f"scrapy forms: there is no form {', '.join(map(str, numbers))}", file=sys.stderr)


def described(shown: FormReport) -> dict[str, Any]:
    """Return all that is said about a form, for programs."""
    form, verdict = as_sent(shown.form, shown.button), shown.verdict
    box, button = _at(form, verdict.query_box), shown.button
    facts: dict[str, Any] = {
        "form": shown.number, "site": shown.site, "page": form.page_url, "place": form.place, "source": form.source,
        "action": form.action, "method": form.method, "enctype": form.enctype, "template": form.template or None,
        "kind": verdict.kind, "probability": round(verdict.probability, 4), "searchable": verdict.searchable,
        "ask": verdict.ask, "why": list(verdict.why), "refusals": list(verdict.refusals),
        "query_box": box.name if box else None, "button": (button.name or button.label) if button else None,
        "needs_browser": form.needs_browser, "topic": shown.topic, "state": shown.state or None,
        "state_why": shown.state_why or None, "queries": shown.queries, "records": shown.records,
        "step": form.step, "chosen": [list(pair) for pair in form.chosen], "asked_by": form.asked_by,
        "session": shown.session or None, "by_hand": verdict.by_hand or None, "overruled": list(verdict.overruled),
    }  # fmt: skip
    facts["fields"] = [
        _described_field(field, planned_of(shown.plan, at)) for at, field in enumerate(form.fields)
    ]
    return facts


def _described_field(field: Field, planned: PlannedControl | None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": field.name, "kind": field.kind, "label": field.label, "required": field.required, "value": field.value,
        "unseen": field.unseen, "hints": [asdict(hint) for hint in field.hints],
        "options": [option.text for option in field.options],
    }  # fmt: skip
    if planned is not None:
        facts["plan"] = {
            "role": planned.role, "value": planned.value, "why": planned.why,
            "values": [asdict(value) for value in planned.values[:SHOWN_VALUES]],
        }  # fmt: skip
    return facts


def lines(shown: Sequence[FormReport], *, why: bool) -> Iterator[str]:
    """Yield what is said about forms, for people."""
    if not shown:
        yield "No forms."
        return
    site = None
    for each in shown:
        if each.site != site:
            site = each.site
            yield f"{site or 'a page'}:"
        yield from (f"  {line}" for line in _of_one(each, why))
    yield ""
    yield _totals(shown) + ("" if why else " --why says why.")


def _of_one(shown: FormReport, why: bool) -> Iterator[str]:
    form, verdict = as_sent(shown.form, shown.button), shown.verdict
    name = f"#{shown.number}" if shown.number is not None else f"form {form.place + 1}"
    declared = "" if form.source == "form" else f" (by {form.source})"
    yield f"{name}{declared}: {verdict.kind}, searches with {verdict.probability:.3f}; {form.method} {form.template or form.action}"
    yield f"    on {form.page_url}"
    if form.step > 1:
        chosen = ", ".join(f"{name} = {value!r}" for name, value in form.chosen)
        yield f"    step {form.step} of a search, after {chosen or 'nothing that was chosen'} (question {form.asked_by})"
    yield f"    {_state(shown)}"
    if verdict.by_hand:
        yield f"    BY HAND: {'never asked' if verdict.by_hand == 'never' else verdict.summary}"
    if shown.session:
        yield f"    asked with fresh hidden values, and its cookies if it sets any: {shown.session}"
    if shown.topic is not None:
        yield f"    fits the topic with {shown.topic:.2f}"
    for control in shown.plan.controls:
        if control.role != "fixed" or control.informative or why:
            yield f"    {_control(form, control, why)}"
    yield from (f"    cannot be filled in: {obstacle}" for obstacle in shown.plan.obstacles)
    if why:
        yield from (f"    {_reason(reason)}" for reason in verdict.why)
        yield from (f"    not submitted: {reason}" for reason in verdict.refusals)
        if verdict.ask and (button := shown.button):
            yield f"    would be submitted by its button {button.label or button.name or button.value!r}"
        for field in form.fields:
            also = [f"{hint.text!r} ({hint.where})" for hint in field.hints if hint.text != field.label]
            if also and field.kind not in ("hidden", "submit", "button", "image", "reset"):
                yield f"    {field.name or field.kind} is also called {', '.join(also)}"


def _reason(reason: str) -> str:
    against = reason.removeprefix("against that: ")
    return f"although {against}" if against != reason else f"because {reason}"


def _state(shown: FormReport) -> str:
    if shown.state in ("asking", "asked", "done"):
        reason = f": {shown.state_why}" if shown.state != "asking" and shown.state_why else ""
        return f"{shown.state}{reason}; {shown.queries:,} questions, {shown.records:,} records"
    if refusals := shown.verdict.refusals:
        return f"left alone: {refusals[0]}" + (
            f" (and {len(refusals) - 1} more reasons)" if refusals[1:] else ""
        )
    return "to be asked" if shown.state else "would be asked"


def _control(form: Form, control: PlannedControl, why: bool) -> str:
    first = form.fields[control.places[0]]
    kind, texts = first.kind, {option.value: option.text for option in first.options}
    called = f" {control.label!r}" if control.label else ""
    given = f" {control.value!r}" if control.value is not None else ""
    values = ", ".join(repr(texts.get(value.text) or value.text) for value in control.values[:SHOWN_VALUES])
    more = f" and {len(control.values) - SHOWN_VALUES} more" if len(control.values) > SHOWN_VALUES else ""
    could = f", of {values}{more}" if values else ""
    reason = f" ({control.why})" if why and control.why else ""
    return f"{kind} {control.name or '(no name)'}{called}: {control.role}{given}{could}{reason}"


def _totals(shown: Sequence[FormReport]) -> str:
    kinds: dict[str, int] = {}
    for each in shown:
        kinds[each.verdict.kind] = kinds.get(each.verdict.kind, 0) + 1
    counted = ", ".join(
        f"{number} {kind}" for kind, number in sorted(kinds.items(), key=lambda item: -item[1])
    )
    asked = sum(each.verdict.ask for each in shown)
    return f"{len(shown)} form{'s' if len(shown) != 1 else ''} ({counted}); {asked} may be asked."


def _show_values(values: LabelledValueSet, *, as_json: bool) -> int:
    """Print every label with its values: what is learnt and the user's own, then what is built in."""
    for label, found in values.listing("en"):
        if as_json:
            say(_as_json({"label": label, "values": [asdict(value) for value in found]}))
        else:
            shown = ", ".join(f"{value.text} ({value.weight:.2f})" for value in found[:SHOWN_VALUES])
            more = f" and {len(found) - SHOWN_VALUES:,} more" if len(found) > SHOWN_VALUES else ""
            sources = sorted({value.source for value in found})
            say(
                clean(
                    f"{label}: {shown}{more}; {', '.join(sources[:2])}{' ...' if sources[2:] else ''}",
                    longest=2000,
                )
            )
    return 0


def _known(known: StoredForm, opts: argparse.Namespace, values: LabelledValueSet) -> FormReport:
    form, verdict = known.form, known.verdict
    return FormReport(
        form, verdict, plan(form, verdict.query_box, values), known.id, known.domain, known.state, known.why,
        known.queries, known.records, _fit(form, opts.topic),
    )  # fmt: skip


def _with_session(shown: FormReport, known: StoredForm, state: Store) -> FormReport:
    """Return a form with the reason why it is fetched anew before it is asked, if it is."""
    freshness = FormSessions(state).of(known).freshness
    return replace(shown, session=freshness.why) if freshness.is_used and known.verdict.ask else shown


def _fit(form: Form, topic: str) -> float | None:
    return round(relevance(form, weights(terms([topic], form.language))), 4) if topic else None


def _forms_in(fetched: SinglePage) -> tuple[tuple[Form, ...], bool, tuple[str, ...]]:
    """Return the forms of a page or an OpenSearch description, whether nobody shall follow them, and what was cut."""
    if is_description(fetched.body, fetched.content_type):
        return read_description(fetched.body, fetched.url), fetched.nofollow, ()
    page = read_page(fetched.body, fetched.url, content_type=fetched.content_type)
    return page.forms, page.nofollow or fetched.nofollow, page.marks


def _as_json(facts: dict[str, Any]) -> str:
    """Return facts in one line that moves no cursor and turns no text around."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(facts, ensure_ascii=False))


def _from_file(name: str, url: str) -> SinglePage:
    body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return SinglePage(_address(url), body, "")


# What robots.txt says


async def _unless_forbidden(shown: FormReport, fetcher: SinglePageFetcher, agent: str) -> FormReport:
    """Return a form of the web with one more reason if what it would ask for must not be; its host is asked for its rules."""
    if not shown.verdict.ask:
        return shown
    address = _asked_for(shown)
    place = origin(address)
    try:
        rules = await fetcher.load_rules(place)
    except Refused as error:
        return shown.refused(str(error))
    if rules.kind == "deny":
        return shown.refused(f"{place}/robots.txt cannot be had")
    return shown if rules.allowed(address, agent) else shown.refused(FORBIDDEN)


def _unless_known_as_forbidden(shown: FormReport, state: Store, agent: str) -> FormReport:
    """Return a known form with one more reason if the rules that its host had last forbid what it would ask for."""
    if not shown.verdict.ask:
        return shown
    address = _asked_for(shown)
    stored = state.sites.load_robots(origin(address))
    rules = RobotsRules.from_json(stored) if stored is not None else None
    if rules is None or rules.kind == "deny" or rules.allowed(address, agent):
        return shown
    return shown.refused(FORBIDDEN)


def _asked_for(shown: FormReport) -> str:
    """Return an address that a question to a form would ask for: rules may be about its query."""
    for filled in islice(chain(fillings(shown.plan, "word"), questions(shown.plan)), 1):
        try:
            return submission(shown.form, filled, submitter=shown.button).url
        except UnreadableForm:
            break
    return as_sent(shown.form, shown.button).action


def _contradiction(opts: argparse.Namespace, numbers: Sequence[int]) -> str:
    """Return what in a command excludes each other, or nothing."""
    of_page = opts.url is not None or opts.file is not None
    if opts.url is not None and opts.file is not None:
        return "--url and --file exclude each other"
    if opts.at and opts.file is None:
        return "--at is the address of the page in --file"
    if of_page and (numbers or opts.site):
        return "numbers and --site name forms of the state, not of a page"
    if opts.values and (of_page or numbers):
        return "--values shows values, not forms"
    wishes = [*opts.allow, *opts.never, *opts.forget]
    if len(wishes) != len(set(wishes)):
        return "--allow, --never and --forget exclude each other for one form"
    if wishes and (of_page or opts.values or opts.ledger or numbers):
        return "--allow, --never and --forget go with nothing else"
    if opts.ledger and (of_page or opts.values or opts.kind or opts.topic or opts.why):
        return "--ledger shows questions: of all forms, of those whose numbers are given, or of one --site"
    if opts.kind not in ("", *KINDS):
        return f"--kind {opts.kind!r}: the kinds are {', '.join(KINDS)}"
    return ""


def _site(name: str) -> str:
    """Return the site that a name of a host or an address belongs to."""
    if not name:
        return ""
    url = normalise_url(name if "://" in name else f"http://{name}/")
    return registered_domain(url) if url else name


def _address(url: str) -> str:
    found = normalise_url(url)
    if found is None or not found.startswith(("http://", "https://")):
        raise UsageError(
            f"{url!r} is no address of a page: http://... or https://... is wanted", print_help=False
        )
    return found


def _numbers(args: Sequence[str]) -> list[int]:
    wrong = [
        arg for arg in args if not arg.isascii() or not arg.lstrip("#").isdigit() or len(arg) > _MOST_DIGITS
    ]
    if wrong:
        raise UsageError(
            f"{wrong[0][:100]!r} is neither a number of a form nor an option. To judge a page use --url or --file.",
            print_help=False,
        )
    return [int(arg.lstrip("#")) for arg in args]


def _at(form: Form, place: int | None) -> Field | None:
    return form.fields[place] if place is not None and place < len(form.fields) else None
