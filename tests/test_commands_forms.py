"""`scrapy forms`: reports on the forms of a state, of any page and of a file."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from typing import TYPE_CHECKING

import pytest
from commanding import run
from crawling import Answer, SmallSite, crawl
from forking import run_forked
from scrapy.exceptions import UsageError
from scrapy.utils.conf import arglist_to_dict
from scrapy.utils.project import get_project_settings

from hiddenweb.commands.forms import FormsCommand
from hiddenweb.model import Field, Form, HttpQuery, Record, Verdict
from hiddenweb.querying.form_refresh import RefreshRule
from hiddenweb.querying.session import FormSession, FormSessions
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000.0
PAGE = """<html lang=en><title>Town library</title><h2>Find books</h2>
<form action=/find role=search><label>Title or author <input name=q></label>
<label>Language <select name=lang><option value="">Any<option>English<option>German</select></label><button>Search</button></form>
<form action=/login method=post><h3>Log in</h3><label>User name <input name=user></label>
<label>Password <input type=password name=pass></label><button>Log in</button></form></html>"""
DESCRIPTION = (
    "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'><ShortName>Books</ShortName>"
    "<Url type='text/html' template='http://lib.example/find?q={searchTerms}'/></OpenSearchDescription>"
)


def forms_in_a_process(*arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    """Run the real command."""
    settings = ["-s", f"HIDDENWEB_STATE={state}", "-s", "HIDDENWEB_PROXY="]
    return run_forked([sys.executable, "-m", "scrapy", "forms", *arguments, *settings])


def forms(*arguments: str, state: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as Scrapy does, but in this process: another one takes seconds to start."""
    command, parser = FormsCommand(), argparse.ArgumentParser(conflict_handler="resolve")
    command.settings = get_project_settings().copy()
    command.add_options(parser)
    opts, rest = parser.parse_known_args(arguments)
    command.settings.setdict(arglist_to_dict(opts.set), priority="cmdline")
    command.settings.setdict({"HIDDENWEB_STATE": str(state), "HIDDENWEB_PROXY": ""}, priority="cmdline")
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(err):
        patched.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin.encode())))
        try:
            command.run(rest, opts)
        except UsageError as error:
            command.exitcode = 2
            print(error, file=sys.stderr)
    return subprocess.CompletedProcess(arguments, command.exitcode, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state of a crawl that found two forms and submitted none."""
    folder = tmp_path_factory.mktemp("explored")
    with SmallSite(lambda path: PAGE if path == "/" else None) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        return crawl(folder, [site.url], allowed, spider="explore").state


def test_known_forms_are_listed_with_kind_probability_controls_and_state(explored: Path) -> None:
    done = forms_in_a_process(state=explored)

    assert done.returncode == 0, done.stderr
    assert "#1: search, searches with 0.9" in done.stdout
    assert "'Title or author': keyword box" in done.stdout
    assert "to be submitted" in done.stdout
    assert "#2: login" in done.stdout
    assert "left alone" in done.stdout
    assert "2 forms (1 search, 1 login); 1 may be submitted" in done.stdout


def test_why_explains_the_verdict_and_why_a_form_is_not_submitted(explored: Path) -> None:
    done = forms("--why", state=explored)

    assert "because" in done.stdout
    assert "would be submitted by its button 'Search'" in done.stdout
    assert "not submitted: it asks for a password" in done.stdout
    assert "not submitted: it is sent by POST, which is not allowed for its site" in done.stdout


def test_programs_get_one_object_a_line(explored: Path) -> None:
    lines = forms("--json", "--topic", "books", state=explored).stdout.splitlines()
    search, login = map(json.loads, lines)

    assert (search["form"], search["kind"], search["searchable"], search["may_submit"], search["state"]) == (
        1, "search", True, True, "found",
    )  # fmt: skip
    assert (search["query_box"], search["button"], search["refusals"]) == ("q", "Search", [])
    assert search["topic"] > 0
    box, choice, *_ = search["fields"]
    assert (box["label"], box["plan"]["role"]) == ("Title or author", "keyword box")
    assert {"where": "label", "text": "Title or author"} in box["hints"]
    assert choice["options"] == ["Any", "English", "German"]
    assert (login["kind"], login["searchable"], login["may_submit"]) == ("login", False, False)
    assert login["refusals"]


@pytest.mark.parametrize(
    ("arguments", "names", "code"),
    [
        (("1",), ["#1"], 0),
        (("#2", "1"), ["#1", "#2"], 0),
        (("--kind", "login"), ["#2"], 0),
        (("--kind", "order"), [], 1),
        (("--site", "elsewhere.example"), [], 1),
        (("99",), [], 1),
    ],
)
def test_single_forms_can_be_named(
    explored: Path, arguments: tuple[str, ...], names: list[str], code: int
) -> None:
    done = forms(*arguments, state=explored)

    assert done.returncode == code
    assert [name for name in ("#1", "#2") if f"{name}:" in done.stdout] == names
    if "99" in arguments:
        assert "there is no form 99" in done.stderr


def test_a_saved_page_is_judged_without_a_state(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")

    done = forms(
        "--file", str(tmp_path / "page.html"), "--at", "http://lib.example/", state=tmp_path / "none"
    )

    assert done.returncode == 0, done.stderr
    assert "form 1: search" in done.stdout
    assert "would be submitted" in done.stdout
    assert not (tmp_path / "none").exists()


def test_a_page_can_come_from_the_input_and_nofollow_is_reported(tmp_path: Path) -> None:
    page = PAGE.replace("<title>", "<meta name=robots content=nofollow><title>")

    strict = ("-s", "HIDDENWEB_NOFOLLOW=strict")
    done = forms("--file", "-", "--why", *strict, state=tmp_path / "none", stdin=page)
    named = forms("--file", "-", "--why", state=tmp_path / "none", stdin=page)

    assert "its page says nofollow" in done.stdout
    assert "0 may be submitted" in done.stdout
    assert "1 may be submitted" in named.stdout


def test_nofollow_in_the_headers_of_a_response_is_reported_too(tmp_path: Path) -> None:
    page = Answer(PAGE.encode(), headers={"Content-Type": "text/html", "X-Robots-Tag": "nofollow"})
    with SmallSite({"/": page}.get) as site:
        allowed = (
            "-s",
            f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{site.port}",
            "-s",
            "HIDDENWEB_NOFOLLOW=strict",
        )
        done = forms("--url", site.url, *allowed, state=tmp_path / "none")

    assert "left alone: its page says nofollow" in done.stdout


def test_an_opensearch_description_is_judged_too(tmp_path: Path) -> None:
    (tmp_path / "search.xml").write_text(DESCRIPTION, encoding="utf-8")

    done = forms(
        "--file", str(tmp_path / "search.xml"), "--at", "http://lib.example/s.xml", state=tmp_path / "none"
    )

    assert "(by opensearch): search" in done.stdout
    assert "would be submitted" in done.stdout


def test_a_page_of_the_web_is_fetched_by_the_rules_and_nothing_is_submitted(tmp_path: Path) -> None:
    with SmallSite(lambda path: PAGE if path == "/" else None) as site:
        allowed = ("-s", f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{site.port}")
        done = forms("--url", site.url, *allowed, state=tmp_path / "none")

    assert done.returncode == 0, done.stderr
    assert "form 1: search" in done.stdout
    assert site.requested == ["/robots.txt", "/"]


@pytest.mark.parametrize("rule", ["/find", "/*?q=", "/*lang="], ids=["the path", "a parameter", "a choice"])
def test_a_form_whose_address_robots_txt_forbids_would_not_be_submitted(tmp_path: Path, rule: str) -> None:
    robots = f"User-agent: *\nDisallow: {rule}\n"
    with SmallSite({"/": PAGE, "/robots.txt": robots}.get) as site:
        allowed = ("-s", f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{site.port}")
        done = forms("--url", site.url, "--why", *allowed, state=tmp_path / "none")
        search, _ = map(
            json.loads,
            forms("--url", site.url, "--json", *allowed, state=tmp_path / "none").stdout.splitlines(),
        )

    assert "left alone: robots.txt forbids its address" in done.stdout
    assert "not submitted: robots.txt forbids its address" in done.stdout
    assert "would be" not in done.stdout
    assert "0 may be submitted" in done.stdout
    assert (search["may_submit"], search["refusals"]) == (False, ["robots.txt forbids its address"])
    assert site.requested == ["/robots.txt", "/"] * 2


@pytest.mark.parametrize(
    ("robots", "message"),
    [
        (Answer(b"User-agent: *\nDisallow: /find"), "left alone: robots.txt forbids its address"),
        (Answer(b"", 503), "/robots.txt is not available"),
        (Answer(b"", 404), "would be submitted"),
    ],
    ids=["forbidden", "unknown", "allowed"],
)
def test_the_rules_of_another_host_of_the_site_are_requested(
    tmp_path: Path, robots: Answer, message: str
) -> None:
    with (
        SmallSite({"/robots.txt": robots}.get) as other,
        SmallSite({"/": PAGE.replace("/find", f"{other.url}find")}.get) as site,
    ):
        both = f"127.0.0.1:{site.port},127.0.0.1:{other.port}"
        done = forms("--url", site.url, "-s", f"HIDDENWEB_ALLOW_ADDRESSES={both}", state=tmp_path / "none")
        guarded = forms(
            "--url",
            site.url,
            "-s",
            f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{site.port}",
            state=tmp_path / "none",
        )

    assert message in done.stdout
    assert other.requested == ["/robots.txt"]
    assert "this machine" in guarded.stdout


@pytest.mark.parametrize(
    ("page", "robots", "why"),
    [
        (PAGE, "User-agent: *\nDisallow: /find", "robots.txt forbids its address"),
        (
            PAGE.replace("<title>", "<meta name=robots content=nofollow><title>"),
            None,
            "its page says nofollow",
        ),
    ],
    ids=["robots.txt", "nofollow"],
)
def test_a_stored_form_that_must_not_be_submitted_is_not_announced(
    tmp_path: Path, page: str, robots: str | None, why: str
) -> None:
    with SmallSite({"/": page, "/robots.txt": robots}.get) as site:
        allowed = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_NOFOLLOW": "strict"
        }  # fmt: skip
        state = crawl(tmp_path, [site.url], allowed, spider="explore").state

    done = forms("1", state=state)

    assert f"left alone: {why}" in done.stdout
    assert "0 may be submitted" in done.stdout


def test_the_address_and_method_are_those_of_the_button(tmp_path: Path) -> None:
    page = PAGE.replace("<button>Search", "<button formaction=/seek formmethod=post>Search")

    done = forms("--file", "-", "--at", "http://lib.example/", state=tmp_path / "none", stdin=page)

    assert "POST http://lib.example/seek" in done.stdout
    assert "left alone: it is sent by POST" in done.stdout


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            lambda path: Answer(b"User-agent: *\nDisallow: /") if path == "/robots.txt" else PAGE,
            "robots.txt forbids",
        ),
        (lambda path: Answer(b"", 500) if path == "/" else None, "status 500"),
    ],
    ids=["forbidden", "broken"],
)
def test_the_error_says_why_a_page_cannot_be_fetched(tmp_path: Path, answer: object, why: str) -> None:
    with SmallSite(answer) as site:  # type: ignore[arg-type]
        allowed = ("-s", f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{site.port}")
        done = forms("--url", site.url, *allowed, state=tmp_path / "none")

    assert done.returncode == 4
    assert why in done.stderr


def test_an_address_of_this_machine_is_refused(tmp_path: Path) -> None:
    done = forms("--url", "http://127.0.0.1:8999/", state=tmp_path / "none")

    assert done.returncode == 4
    assert "this machine" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("everything",), "'everything' is neither a number of a form nor an option"),
        (("9" * 5000,), "is neither a number of a form nor an option"),
        (("--kind", "serch"), "the kinds are search, login"),
        (("--file", "x", "7"), "name forms of the state"),
        (("--file", "x", "--site", "a.example"), "name forms of the state"),
        (("--values", "--file", "x"), "--values shows values"),
        (("--url", "http://a.example/", "--file", "x"), "exclude each other"),
        (("--at", "http://a.example/"), "--at is the address"),
        (("--url", "ftp://a.example/"), "is no address of a page"),
    ],
)
def test_wrong_arguments_are_refused(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    done = forms(*arguments, state=tmp_path / "none")

    assert done.returncode == 2
    assert why in done.stderr


def test_without_a_state_it_says_how_to_get_one(tmp_path: Path) -> None:
    done = forms(state=tmp_path / "none")

    assert done.returncode == 3
    assert "scrapy crawl explore" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("--values",), ("--file", "-")])
def test_a_state_that_cannot_be_read_is_reported(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "state.sqlite").write_bytes(
        b"no database at all, but long enough to look like something" * 20
    )

    done = forms(*arguments, state=tmp_path, stdin=PAGE)

    assert done.returncode == 3
    assert "is not a readable SQLite file" in done.stderr
    assert done.stdout == ""


def test_values_are_shown_built_in_learnt_and_your_own(explored: Path, tmp_path: Path) -> None:
    mine = tmp_path / "values.toml"
    mine.write_text('[quarry]\nvalues = ["Blackstone"]\n', encoding="utf-8")

    done = forms("--values", "-s", f"HIDDENWEB_VALUES={mine}", state=explored)
    listed = {
        row["label"]: row
        for row in map(json.loads, forms("--values", "--json", state=explored).stdout.splitlines())
    }

    assert "quarry: Blackstone (1.00); your file" in done.stdout
    assert "country: " in done.stdout
    assert {value["text"] for value in listed["Language"]["values"]} == {"English", "German"}
    assert "from the select 'Language' of 127.0.0.1" in listed["Language"]["values"][0]["source"]


def test_a_bad_file_of_values_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "values.toml"
    bad.write_text("[quarry]\nvalues = 7\n", encoding="utf-8")

    done = forms("--values", "-s", f"HIDDENWEB_VALUES={bad}", state=tmp_path / "none")

    assert done.returncode == 2
    assert "values.toml" in done.stderr
    assert "quarry" in done.stderr


def test_a_page_that_was_cut_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<title>Long</title>" + b"<p>words</p>" * 2_000_000 + PAGE.encode())

    done = forms("--file", str(page), state=tmp_path / "none")

    assert done.returncode == 1
    assert "not all of the page could be read: " in done.stderr


def test_programs_get_no_control_characters(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<form><label>Se\u202earch\u009b <input name=q></label></form>", encoding="utf-8")

    done = forms("--file", str(page), "--json", state=tmp_path / "none")

    assert "\u202e" not in done.stdout
    assert json.loads(done.stdout)["fields"][0]["label"].startswith("Se\u202earch")


def test_options_of_a_form_are_shown_by_their_texts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<form action=/find><label>Genre <select name=g><option value=''>Any<option value=1>Jazz<option value=2>Blues"
        "</select></label><button>Search</button></form>",
        encoding="utf-8",
    )

    done = forms("--file", str(page), state=tmp_path / "none")

    assert "select g 'Genre': fixed, of 'Jazz', 'Blues'" in done.stdout


# The ledger


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state with queries to two forms of two sites: answered, failed, and waiting."""
    path = tmp_path_factory.mktemp("ledger") / "state"
    with Store(path) as state:
        submissions: dict[tuple[str, str], int | None] = {}
        for host in ("a.example", "b.example"):
            url = f"http://{host}/"
            form = Form(url, f"{url}find", "GET", (Field("q", "search"), Field("shelf", "select")))
            number = state.forms.save(state.sites.want(url), form, Verdict(True, "search"), NOW)
            for word in ("amber", "beetle"):
                values = (("q", word), ("shelf", "maps"))
                query = HttpQuery(values, word, url=f"{url}find?q={word}&shelf=maps")
                submissions[host, word] = state.submissions.plan(number, query, "", NOW + len(submissions))
        first = submissions["a.example", "amber"]
        assert first is not None
        state.submissions.mark_answered(first, "paged", "there is a next page\x1b[2J", NOW + 9, total=1234)
        state.submissions.mark_answered(first, "part", "", NOW + 10)
        records = [Record(str(number), "a", "b") for number in range(3)]
        state.records.save(1, records, submission=first, page=None, at=NOW)
        failed = submissions["a.example", "beetle"]
        assert failed is not None
        state.submissions.mark_failed(failed, "status 500")
    return path


def test_the_ledger_has_every_query_in_order_with_its_outcome(ledger: Path) -> None:
    rows = [json.loads(line) for line in forms("--ledger", "--json", state=ledger).stdout.splitlines()]

    assert [(row["form"], row["keyword"], row["state"]) for row in rows] == [
        (1, "amber", "answered"), (1, "beetle", "failed"), (2, "amber", "planned"), (2, "beetle", "planned"),
    ]  # fmt: skip
    assert rows[0] == {
        "query": 1, "form": 1, "site": "a.example", "keyword": "amber", "filled": [["q", "amber"], ["shelf", "maps"]],
        "method": "GET", "url": "http://a.example/find?q=amber&shelf=maps", "body": "", "state": "answered", "planned": NOW,
        "sent": None, "answered": NOW + 9, "outcome": "paged", "why": "there is a next page\x1b[2J", "total": 1234, "pages": 2,
        "new_records": 3, "seen_records": 0, "reason": "", "not_come": "", "form_allowed_by_hand": False,
    }  # fmt: skip
    assert rows[1]["why"] == "status 500"


def test_people_read_the_ledger_while_a_crawl_writes_it(ledger: Path) -> None:
    with Store(ledger) as writer:
        writer.sites.want("http://c.example/")  # within a transaction
        done = forms("--ledger", state=ledger)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("  #1 of a.example, GET: 'amber' with shelf=maps")
    assert lines[1] == (
        "    answered, paged (there is a next page [2J); 1,234 found as it says; 2 pages read; 3 new and 0 seen records"
    )
    assert lines[3] == "    failed (status 500)"
    assert lines[-1] == "4 queries to 2 forms (1 answered, 1 failed, 2 planned); 3 new records."


@pytest.mark.parametrize(
    ("arguments", "queries", "code"),
    [
        (("2",), [3, 4], 0),
        (("--site", "http://a.example/find"), [1, 2], 0),
        (("1", "--site", "b.example"), [], 1),
        (("99",), [], 1),
        (("99", "1"), [1, 2], 0),
        (("--site", "elsewhere.example"), [], 1),
    ],
)
def test_the_ledger_of_single_forms_and_sites(
    ledger: Path, arguments: tuple[str, ...], queries: list[int], code: int
) -> None:
    done = forms("--ledger", "--json", *arguments, state=ledger)

    assert done.returncode == code
    assert [json.loads(line)["query"] for line in done.stdout.splitlines()] == queries
    assert ("there is no form 99" in done.stderr) == ("99" in arguments)


@pytest.mark.parametrize("option", [("--values",), ("--why",), ("--kind", "search"), ("--file", "-")])
def test_options_for_forms_do_not_go_with_the_ledger(ledger: Path, option: tuple[str, ...]) -> None:
    done = forms("--ledger", *option, state=ledger)

    assert done.returncode == 2
    assert "--ledger shows queries" in done.stderr


def test_a_ledger_needs_a_state(tmp_path: Path) -> None:
    assert forms("--ledger", state=tmp_path / "none").returncode == 3


def test_a_step_and_a_session_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    box = Field("q", "search", label="Search")
    step = Form(
        "http://lib.example/find",
        "http://lib.example/more",
        "GET",
        (box,),
        step=2,
        chosen=(("part", "maps"),),
        asked_by=4,
    )
    with Store(tmp_path) as state:
        site = state.sites.want("http://lib.example/")
        stored = state.forms.load(state.forms.save(site, step, Verdict(True, "search", query_box=0), 1.0))
        assert stored is not None
        freshness = RefreshRule("suspected").note_fetch(1.0, differs=True, has_cookies=False)
        FormSessions(StoredConversations(state)).keep(stored, FormSession(freshness))

    output = run(FormsCommand(), state=tmp_path, capsys=capsys).output
    facts = json.loads(run(FormsCommand(), "--json", state=tmp_path, capsys=capsys).output)

    assert "step 2 of a search, after part = 'maps' (query 4)" in output
    assert (
        "submitted with fresh hidden values, and its cookies if it sets any: its hidden values change"
        in output
    )
    assert (facts["step"], facts["chosen"], facts["asked_by"]) == (2, [["part", "maps"]], 4)
    assert facts["session"] == "its hidden values change"


# What the user overrules

ODD_PAGE = """<html lang=en><title>Stacks</title><p>maple birch cedar
<form action=/stacks><input name=q><button>Frobnicate</button></form>
<form action=/search role=search><input type=search name=words placeholder=Search><button>Search</button></form></html>"""


def _stacks(path: str) -> str | None:
    if path == "/":
        return ODD_PAGE
    if path.startswith(("/stacks?", "/search?")):
        word = path.rpartition("=")[2]
        items = "".join(f"<li><a href=/item/{word}{n}>{word} number {n}</a> about {word}" for n in range(3))
        return f"<title>Found</title><h1>3 results</h1><ul>{items}</ul>"
    return None


def test_a_verdict_is_overruled_by_hand_for_good_loudly_and_taken_back(tmp_path: Path) -> None:
    with SmallSite(_stacks) as site:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_QUERIES_PER_FORM": 1}
        state = crawl(tmp_path, [site.url], settings, spider="explore").state
        odd, plain = _number_of("/stacks", state), _number_of("/search", state)

        overruling = forms("--allow", str(odd), "--never", str(plain), state=state)
        harvested = crawl(tmp_path, [site.url], settings | {"STATS_DUMP": 1})
        submitted = {
            json.loads(line)["form"] for line in forms("--ledger", "--json", state=state).stdout.splitlines()
        }
        ledger, shown = forms("--ledger", state=state).stdout, forms(state=state).stdout
        facts = json.loads(forms("--json", str(odd), state=state).stdout)
        forgotten = forms("--forget", str(odd), "--forget", str(plain), state=state)

    assert overruling.returncode == 0
    assert "OVERRULED BY HAND: its button says 'Frobnicate'" in overruling.stdout
    assert "WILL BE SUBMITTED" in overruling.stdout
    assert "not submitted: the user said never" in overruling.stdout
    assert harvested.code == 0, harvested.output
    assert submitted == {odd}
    assert "allowed by hand, although its button says 'Frobnicate'" in harvested.output
    assert "'hiddenweb/forms/allowed_by_hand': 1" in harvested.output
    assert "of a form that the user allowed by hand" in ledger
    assert "BY HAND: never submitted" in shown
    assert (facts["by_hand"], facts["may_submit"]) == ("allow", True)
    assert forgotten.returncode == 0
    assert "BY HAND" not in forms(state=state).stdout
    assert [
        json.loads(line)["may_submit"]
        for line in forms("--json", str(odd), str(plain), state=state).stdout.splitlines()
    ] == [number == plain for number in sorted((odd, plain))]


def test_post_stays_forbidden_whatever_the_user_allows_by_hand(explored: Path) -> None:
    login = _number_of("/login", explored)

    overruling = forms("--allow", str(login), state=explored)
    forms("--forget", str(login), state=explored)

    assert "not submitted: it is sent by POST, which is not allowed for its site" in overruling.stdout
    assert "will not be submitted" in overruling.stdout


def test_overruling_wants_a_form_that_is_known_and_one_wish_for_it(explored: Path) -> None:
    assert forms("--allow", "999", state=explored).returncode == 1
    assert "exclude each other" in forms("--allow", "1", "--never", "1", state=explored).stderr
    assert "nothing else" in forms("--allow", "1", "--ledger", state=explored).stderr


def _number_of(path: str, state: Path) -> int:
    shown = map(json.loads, forms("--json", state=state).stdout.splitlines())
    return next(int(each["form"]) for each in shown if each["action"].endswith(path))
