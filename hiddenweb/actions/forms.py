"""Showing forms, verdicts, plans and values, of the state or of any page, and overruling verdicts by hand."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from hiddenweb.actions.dispatch import NO_STATE, Action
from hiddenweb.actions.one_page import page_fetcher
from hiddenweb.actions.terminal import say
from hiddenweb.fetch.errors import Disallowed, FetchError, Refused
from hiddenweb.fetch.reading import is_description
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.fetch.single_page import SinglePage
from hiddenweb.focused.form_relevance import relevance
from hiddenweb.forms.opensearch import UnreadableDescription, read_description
from hiddenweb.forms.submission import UnreadableForm, build_submission, resolve_button
from hiddenweb.forms.verdict import NOFOLLOW, judge_form, overrule
from hiddenweb.frontier.scope import STRICT
from hiddenweb.html.reader import read_page
from hiddenweb.language.terms import terms, weights
from hiddenweb.querying.fillings import fillings, fillings_without_box
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan
from hiddenweb.querying.session import FormSessions
from hiddenweb.querying.user_values import BadValueFile
from hiddenweb.reports.forms import SHOWN_VALUES, FormReport, field_at, form_facts, form_lines
from hiddenweb.reports.ledger import ledger_facts, ledger_lines, load_ledger
from hiddenweb.reports.printable import clean_text
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState, StateError
from hiddenweb.urls import host, normalise_url, origin, registered_domain

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.fetch.single_page import SinglePageFetcher
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import Form, Verdict

NO_FORMS, NO_PAGE = 1, 4
"""Exit codes for no forms, and for a page that cannot be read."""

NOWHERE = "http://page.invalid/"
"""The address of a page from a file without --at."""

KINDS = ("search", "login", "registration", "recovery", "newsletter", "contact", "comment", "order", "other")
MAX_DIGITS = 18
"""Of the number of a form: SQLite's integers have no more."""

_UNPRINTABLE = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORBIDDEN = "robots.txt forbids its address"
OVERRULINGS = {
    "allow": "overrule the verdict on this form: submit it; POST still needs HIDDENWEB_ALLOW_POST",
    "never": "overrule the verdict on this form: never submit it",
    "forget": "forget what --allow or --never said of this form",
}


class FormsAction(Action):
    """Shows forms, verdicts, plans and values."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        numbers = _numbers(args)
        if why := _contradiction(opts, numbers):
            raise UsageError(why, print_help=False)
        try:
            if opts.ledger:
                self._show_ledger(numbers, opts)
                return
            if opts.allow or opts.never or opts.forget:
                self._overrule(opts)
                return
            values = self._load_values()
            if opts.values:
                self.exit_code = _show_values(values, as_json=opts.json)
                return
            if opts.url is not None or opts.file is not None:
                reports = self._reports_of_page(opts, values)
            else:
                reports = self._reports_of_state(numbers, opts, values)
        except StateError as error:
            self._fail(NO_STATE, error)
        except (FetchError, Disallowed, UnreadableDescription, OSError) as error:
            self._fail(NO_PAGE, error)
        except BadValueFile as error:
            raise UsageError(str(error), print_help=False) from None
        else:
            self._show(reports, opts)

    def _fail(self, code: int, error: Exception) -> None:
        print(f"scrapy forms: {error}", file=sys.stderr)
        self.exit_code = code

    def _show(self, reports: Sequence[FormReport], opts: argparse.Namespace) -> None:
        if opts.json:
            for each in reports:
                say(_json_line(form_facts(each)))
        else:
            say("\n".join(clean_text(line, longest=2000) for line in form_lines(reports, why=opts.why)))
        self.exit_code = 0 if reports else NO_FORMS

    def _show_ledger(self, numbers: Sequence[int], opts: argparse.Namespace) -> None:
        with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
            if missing := [number for number in numbers if state.forms.load(number) is None]:
                _report_missing(missing)
            known = set(numbers) - set(missing)
            rows = (
                load_ledger(state, forms=known, site=_site(opts.site)) if known or not numbers else iter(())
            )
            first = next(rows, None)
            self.exit_code = NO_FORMS if first is None else 0
            entries = chain([first] if first is not None else [], rows)
            by_hand = {form.id for form in state.forms.load_all() if form.verdict.by_hand == "allow"}
            lines: Iterable[str] = (
                (_json_line(ledger_facts(entry, by_hand)) for entry in entries)
                if opts.json
                else (clean_text(line, longest=2000) for line in ledger_lines(entries, by_hand))
            )
            for line in lines:
                say(line)

    # What the user overrules

    def _overrule(self, opts: argparse.Namespace) -> None:
        """Overrule the verdicts on forms by hand, and say clearly what that means."""
        post_hosts = self.settings.getlist("HIDDENWEB_ALLOW_POST")
        wishes = {number: hand for hand in OVERRULINGS for number in getattr(opts, hand)}
        with Store(Path(self.settings["HIDDENWEB_STATE"])) as state:
            found = {number: form for number in wishes if (form := state.forms.load(number)) is not None}
            for number, form in found.items():
                verdict = judge_by_hand(
                    form, "" if wishes[number] == "forget" else wishes[number], post_hosts
                )
                state.forms.save(form.site, form.form, verdict, form.found)
                say("\n".join(clean_text(line, longest=2000) for line in _overruling_lines(form, verdict)))
        if missing := sorted(set(wishes) - found.keys()):
            _report_missing(missing)
        self.exit_code = NO_FORMS if missing else 0

    # Where forms come from

    def _reports_of_state(
        self, numbers: Sequence[int], opts: argparse.Namespace, values: LabelledValueSet
    ) -> list[FormReport]:
        with Store(Path(self.settings["HIDDENWEB_STATE"]), write=False) as state:
            reports = [
                _refuse_if_stored_rules_forbid(
                    _add_session(_report_of(form, opts, values), form, state),
                    state,
                    self.settings["USER_AGENT"],
                )
                for form in state.forms.load_all(site=_site(opts.site), kind=opts.kind)
                if not numbers or form.id in numbers
            ]
        if missing := sorted(set(numbers) - {each.number for each in reports}):
            _report_missing(missing)
        return reports

    def _reports_of_page(self, opts: argparse.Namespace, values: LabelledValueSet) -> list[FormReport]:
        if opts.file is not None:
            return self._judge_page(_read_file(opts.file, opts.at or NOWHERE), opts, values)
        return asyncio.run(self._reports_of_web(_address(opts.url), opts, values))

    async def _reports_of_web(
        self, url: str, opts: argparse.Namespace, values: LabelledValueSet
    ) -> list[FormReport]:
        agent = self.settings["USER_AGENT"]
        async with page_fetcher(self.settings, url) as fetcher:
            fetched = await fetcher.fetch_page(url)
            return [
                await _refuse_if_forbidden(each, fetcher, agent)
                for each in self._judge_page(fetched, opts, values)
            ]

    def _judge_page(
        self, fetched: SinglePage, opts: argparse.Namespace, values: LabelledValueSet
    ) -> list[FormReport]:
        post_hosts = self.settings.getlist("HIDDENWEB_ALLOW_POST")
        forms, nofollow, marks = _read_forms(fetched)
        nofollow = nofollow and self.settings["HIDDENWEB_NOFOLLOW"] == STRICT
        if marks:
            print(f"scrapy forms: not all of the page could be read: {', '.join(marks)}", file=sys.stderr)
        judged = [(form, judge_form(form, post_hosts=post_hosts, nofollow=nofollow)) for form in forms]
        return [
            FormReport(
                form, verdict, plan(form, verdict.query_box, values), site=host(form.page_url),
                topic=_topic_fit(form, opts.topic),
            )
            for form, verdict in judged
            if opts.kind in ("", verdict.kind)
        ]  # fmt: skip

    def _load_values(self) -> LabelledValueSet:
        """Return the labelled values: built in, learnt by crawls, and the user's own."""
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


def judge_by_hand(stored: StoredForm, by_hand: str, post_hosts: Sequence[str]) -> Verdict:
    """Return the verdict on a stored form, judged again and overruled by the user."""
    nofollow = NOFOLLOW in stored.verdict.refusals
    verdict = judge_form(stored.form, post_hosts=post_hosts, nofollow=nofollow)
    return overrule(verdict, stored.form, by_hand, post_hosts=post_hosts)


def _overruling_lines(stored: StoredForm, verdict: Verdict) -> Iterator[str]:
    """Yield what the user has overruled, and what will happen."""
    sent = stored.as_sent
    yield f"#{stored.id}: {verdict.kind}, searches with {verdict.probability:.3f}; {sent.method} {sent.template or sent.action}"
    if verdict.by_hand == "allow":
        yield from (f"    OVERRULED BY HAND: {why}" for why in verdict.overruled)
        if not verdict.overruled:
            yield "    nothing is overruled: there was no reason against the form"
    yield from (f"    not submitted: {why}" for why in verdict.refusals)
    if verdict.may_submit:
        box = field_at(stored.form, verdict.query_box)
        where = f"words in its box {box.name!r}" if box is not None else "its options"
        yield f"    WILL BE SUBMITTED by the next harvest of its site, with {where}; passwords and files are never filled in"
    else:
        yield "    will not be submitted"
    if verdict.by_hand:
        yield f"    scrapy forms --forget {stored.id} takes that back"


def _report_missing(numbers: Sequence[int]) -> None:
    print(f"scrapy forms: there is no form {', '.join(map(str, numbers))}", file=sys.stderr)


def _show_values(values: LabelledValueSet, *, as_json: bool) -> int:
    """Print every label with its values: learnt ones and the user's own, then built-in ones."""
    for label, found in values.listing("en"):
        if as_json:
            say(_json_line({"label": label, "values": [asdict(value) for value in found]}))
        else:
            texts = ", ".join(f"{value.text} ({value.weight:.2f})" for value in found[:SHOWN_VALUES])
            more = f" and {len(found) - SHOWN_VALUES:,} more" if len(found) > SHOWN_VALUES else ""
            sources = sorted({value.source for value in found})
            say(
                clean_text(
                    f"{label}: {texts}{more}; {', '.join(sources[:2])}{' ...' if sources[2:] else ''}",
                    longest=2000,
                )
            )
    return 0


def _report_of(stored: StoredForm, opts: argparse.Namespace, values: LabelledValueSet) -> FormReport:
    form, verdict = stored.form, stored.verdict
    return FormReport(
        form, verdict, plan(form, verdict.query_box, values), stored.id, stored.domain, stored.state, stored.why,
        stored.queries, stored.records, _topic_fit(form, opts.topic),
    )  # fmt: skip


def _add_session(report: FormReport, stored: StoredForm, state: Store) -> FormReport:
    """Return a report with the reason why the form is fetched again before each submission, if it is."""
    freshness = FormSessions(StoredConversations(state)).of(stored).freshness
    return (
        replace(report, session=freshness.why) if freshness.is_used and stored.verdict.may_submit else report
    )


def _topic_fit(form: Form, topic: str) -> float | None:
    return round(relevance(form, weights(terms([topic], form.language))), 4) if topic else None


def _read_forms(fetched: SinglePage) -> tuple[tuple[Form, ...], bool, tuple[str, ...]]:
    """Return the forms of a page or an OpenSearch description, whether they are nofollow, and what was cut."""
    if is_description(fetched.body, fetched.content_type):
        return read_description(fetched.body, fetched.url), fetched.nofollow, ()
    page = read_page(fetched.body, fetched.url, content_type=fetched.content_type)
    return page.forms, page.nofollow or fetched.nofollow, page.marks


def _json_line(facts: dict[str, Any]) -> str:
    """Return facts as one line of JSON without control or direction characters."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(facts, ensure_ascii=False))


def _read_file(name: str, url: str) -> SinglePage:
    body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return SinglePage(_address(url), body, "")


# What robots.txt says


async def _refuse_if_forbidden(report: FormReport, fetcher: SinglePageFetcher, agent: str) -> FormReport:
    """Return a report with one more reason if the robots.txt of the host forbids the address of the query; the rules are requested."""
    if not report.verdict.may_submit:
        return report
    address = _address_of_query(report)
    site_origin = origin(address)
    try:
        rules = await fetcher.load_rules(site_origin)
    except Refused as error:
        return report.refuse(str(error))
    if rules.kind == "deny":
        return report.refuse(f"{site_origin}/robots.txt is not available")
    return report if rules.allows(address, agent) else report.refuse(FORBIDDEN)


def _refuse_if_stored_rules_forbid(report: FormReport, state: Store, agent: str) -> FormReport:
    """Return a report with one more reason if the stored robots.txt of the host forbids the address of the query."""
    if not report.verdict.may_submit:
        return report
    address = _address_of_query(report)
    stored = state.sites.load_robots(origin(address))
    rules = RobotsRules.from_json(stored) if stored is not None else None
    if rules is None or rules.kind == "deny" or rules.allows(address, agent):
        return report
    return report.refuse(FORBIDDEN)


def _address_of_query(report: FormReport) -> str:
    """Return the address of a query to a form: rules of robots.txt may name its parameters."""
    for filled in islice(chain(fillings(report.plan, "word"), fillings_without_box(report.plan)), 1):
        try:
            return build_submission(report.form, filled, submitter=report.button).url
        except UnreadableForm:
            break
    return resolve_button(report.form, report.button).action


def _contradiction(opts: argparse.Namespace, numbers: Sequence[int]) -> str:
    """Return which arguments exclude each other, or nothing."""
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
        return "--ledger shows queries: of all forms, of those whose numbers are given, or of one --site"
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
            f"{url!r} is no address of a page: wanted http://... or https://...", print_help=False
        )
    return found


def _numbers(args: Sequence[str]) -> list[int]:
    wrong = [
        arg for arg in args if not arg.isascii() or not arg.lstrip("#").isdigit() or len(arg) > MAX_DIGITS
    ]
    if wrong:
        raise UsageError(
            f"{wrong[0][:100]!r} is neither a number of a form nor an option. To judge a page use --url or --file.",
            print_help=False,
        )
    return [int(arg.lstrip("#")) for arg in args]
