"""Real Chromium against a running simweb: whatever the truth says of a form holds for a visitor with a browser.

The truth is asked in this process, in a world of its own with the same seed; the browser talks to the other one.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from math import ceil, floor
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import sync_playwright

from simweb.answers import parameters_for_page
from simweb.forms import LABELLINGS, STYLES
from simweb.leave_alone import PURPOSES
from simweb.plan import PAGINGS
from simweb.running import Simweb
from simweb.search import comparable, searchable_text
from simweb.traps import SCRIPT_PAGES
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from playwright.sync_api import Browser, ElementHandle, FilePayload, JSHandle, Page

    from simweb.answers import Outcome
    from simweb.catalogue import Record
    from simweb.forms import Field, Form
    from simweb.plan import SitePlan
    from simweb.site import Site
    from simweb.truth import FormTruth

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs a real browser: apt-get install chromium")

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-site-isolation-trials")  # fmt: skip
# Many small sites: every style, purpose, language and charset is there more than once.
SEED, SITES = 7, 3000
PAGES, RECORDS, TEXT = 12, 120, 400

Values = list[tuple["Field", str]]
Thing = TypeVar("Thing")


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(
        seed=SEED, sites=SITES, pages_per_site=PAGES, largest_database=RECORDS, text_bytes=TEXT
    ) as running:
        yield running


@pytest.fixture(scope="module")
def truth(web: Simweb) -> Iterator[Truth]:
    world = World(
        SEED,
        SITES,
        pages_per_site=PAGES,
        port=urlsplit(web.proxy).port or 0,
        largest_database=RECORDS,
        text_bytes=TEXT,
    )
    yield Truth(world)
    world.close()


@pytest.fixture(scope="module")
def chromium(web: Simweb) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=ARGUMENTS, proxy={"server": web.proxy}
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    page = chromium.new_page()
    page.set_default_timeout(120_000)
    return page


@pytest.fixture(scope="module")
def placed_forms(truth: Truth) -> list[FormTruth]:
    """Every form of so many sites that all purposes are among them, and of those whose pages are one large form."""
    sites = [*islice(truth.sites(), 400), *_database_sites(truth, lambda plan: _style(plan) == "aspnet")]
    return [placed for site in dict.fromkeys(sites) for placed in truth.forms(site.plan.host)]


# Searching


@pytest.mark.parametrize("style", STYLES)
def test_a_search_form_of_each_style_answers_with_the_records_the_truth_predicts(
    style: str, truth: Truth, page: Page
) -> None:
    depends = style in ("dependent", "steps")

    def fits(plan: SitePlan) -> bool:
        return _style(plan) == style and (not depends or _has_children(truth, plan))

    questions = list(islice(_questions(truth, fits), 2))
    assert len(questions) >= 2, f"fewer than two sites answer a {style} form"

    for question in questions:
        _ask(page, question)
        _assert_answered(page, question, question.outcome, truth)


def test_choosing_only_the_first_of_two_dependent_selects_leaves_the_second_open(
    truth: Truth, page: Page
) -> None:
    site = next(
        _database_sites(truth, lambda plan: _style(plan) == "dependent" and _has_children(truth, plan))
    )
    placed = _main_form(truth, site)
    parent = placed.form.fields[0]
    answers = ((o.value, truth.answer(site.plan.host, [(parent.name, o.value)])) for o in parent.options[1:])
    value, outcome = next((value, outcome) for value, outcome in answers if outcome.kind == "results")
    question = Question(site, placed, ((parent, value),), outcome)

    _ask(page, question)

    _assert_answered(page, question, outcome, truth)


@pytest.mark.parametrize("paging", PAGINGS)
def test_turning_pages_shows_every_record_of_an_answer_once(paging: str, truth: Truth, page: Page) -> None:
    questions = _broad_questions(
        truth, lambda plan: plan.database is not None and plan.database.paging == paging
    )
    chosen = _of_different_styles(questions, 2)
    assert chosen, f"no site with {paging} paging has an answer of several pages"

    for question in chosen:
        _ask(page, question)
        _assert_turns_to_the_end(page, question, truth)


def test_turning_pages_by_button_keeps_a_query_the_page_would_encode_otherwise(
    truth: Truth, page: Page
) -> None:
    # The form is sent as UTF-8 from a page in another charset, so the pager has to be as well.
    questions = _broad_questions(
        truth,
        lambda plan: (
            _style(plan) in ("accept_charset", "formless") and _is_legacy(plan) and _paging(plan) == "button"
        ),
        _is_foreign,
    )
    question = next(questions, None)
    assert question is not None, "no such site has an answer of several pages"

    _ask(page, question)
    _assert_turns_to_the_end(page, question, truth)


def test_the_only_match_leads_straight_to_its_page(truth: Truth, page: Page) -> None:
    questions = list(
        islice(_questions(truth, _redirects_exact, wanted=lambda outcome: outcome.kind == "redirect"), 2)
    )
    assert questions, "no site leads from the only match to its page"

    for question in questions:
        _ask(page, question)
        _assert_answered(page, question, question.outcome, truth)


def test_the_box_in_a_corner_asks_the_same_as_the_box_of_the_whole_form(truth: Truth, page: Page) -> None:
    placed = (
        form
        for site in _database_sites(
            truth, lambda plan: _style(plan) in ("box_selects", "radios", "advanced", "dates")
        )
        for form in truth.forms(site.plan.host)
        if form.form.key == "search-box"
    )
    corners = list(islice(placed, 2))
    assert len(corners) == 2, "no page has the box of a larger form alone"

    for corner in corners:
        question = next(_asked_of(truth, truth.site(corner.host), corner, _is_one_page, _anything))
        _ask(page, question)
        _assert_answered(page, question, question.outcome, truth)


@pytest.mark.parametrize(
    "fits",
    [
        pytest.param(lambda plan: plan.language == "ar", id="arabic"),
        pytest.param(lambda plan: plan.language == "zh", id="chinese"),
        pytest.param(lambda plan: plan.language == "ja", id="japanese"),
        pytest.param(lambda plan: plan.language == "th", id="thai"),
        pytest.param(lambda plan: plan.language == "ru", id="russian"),
        pytest.param(lambda plan: _style(plan) == "charset" and _is_legacy(plan), id="sent as the page is encoded"),
        pytest.param(lambda plan: _style(plan) == "accept_charset" and _is_legacy(plan), id="sent as accept-charset says"),
        pytest.param(lambda plan: "charset" not in _style(plan) and _is_legacy(plan), id="to a site that is old all over"),
    ],
)  # fmt: skip
def test_words_beyond_ascii_arrive(fits: Callable[[SitePlan], bool], truth: Truth, page: Page) -> None:
    chosen = _by(_questions(truth, fits, words=_is_foreign), lambda question: question.site.plan.charset, 2)
    assert chosen, "no site in this world can be asked so"

    for question in chosen:
        _ask(page, question)

        _assert_answered(page, question, question.outcome, truth)
        direction = page.evaluate("getComputedStyle(document.documentElement).direction")
        assert direction == question.site.language.direction, f"{question}: {page.url} is written {direction}"


# Leaving alone


@pytest.mark.parametrize("purpose", PURPOSES)
def test_submitting_a_form_to_leave_alone_counts_one_effect(
    purpose: str, placed_forms: list[FormTruth], web: Simweb, page: Page
) -> None:
    forms = [placed for placed in placed_forms if placed.form.purpose == purpose]
    chosen = _by(forms, lambda placed: (placed.form.method, placed.depth < 0), 4)
    assert chosen, f"no form for {purpose} in this world"

    for placed in chosen:
        before = len(web.effects())
        _visit(page, placed.page)
        form = _form_element(page, placed.form, f"{purpose} of {placed.host}")
        typed = [_fill_anything(page, form, field) for field in placed.form.fields]
        _submit(page, form)

        new = web.effects()[before:]
        where = f"{purpose} ({placed.form.method}) at {placed.page}"
        assert [(effect["purpose"], effect["host"]) for effect in new] == [(purpose, placed.host)], where
        if not placed.form.multipart:
            missing = set(typed) - {tuple(pair) for pair in new[0]["parameters"]}
            assert not missing, f"{where} did not get {missing}"


def test_looking_at_forms_to_leave_alone_and_opening_their_addresses_counts_no_effect(
    placed_forms: list[FormTruth], web: Simweb, page: Page
) -> None:
    before = web.effects()
    forms = [placed for placed in placed_forms if not placed.form.is_search]

    for placed in _by(forms, lambda placed: placed.form.purpose, len(PURPOSES)):
        _visit(page, placed.page)
        _visit(page, placed.action)

    assert web.effects() == before


# Reading


def test_links_made_by_scripts_lead_somewhere_only_with_a_browser(
    truth: Truth, web: Simweb, page: Page
) -> None:
    site = next(site for site in truth.sites() if "script_links" in site.plan.traps)
    home, archive = site.plan.url, site.say("archive")
    script_pages = [f"{home}script/{number}" for number in range(SCRIPT_PAGES)]

    arrived = []
    for number in range(SCRIPT_PAGES):
        _visit(page, home)
        text = "2" if number == 2 else f"{archive} {number}"
        with page.expect_navigation(url=re.compile("/script/")):
            page.get_by_text(text, exact=True).click()
        arrived.append(page.url)
        assert page.title().startswith(f"{archive} {number}"), (
            f"script link at {page.url} shows {page.title()!r}"
        )

    assert arrived == script_pages, f"script links of {home}"
    linked = {link for url in truth.pages(site.plan.host) for link in truth.links(url)}
    assert not linked & set(script_pages), f"the truth calls script links of {home} links"
    assert all(map(truth.is_trap, script_pages)), f"the truth would follow {script_pages}"
    with build_opener(ProxyHandler({"http": web.proxy})).open(home) as answer:
        assert b"/script/" not in answer.read(), f"{home} gives its script links away"


def test_a_browser_reads_the_forms_the_truth_has(
    truth: Truth, placed_forms: list[FormTruth], page: Page
) -> None:
    sampled = list(_pages_of_all_kinds(truth, placed_forms))
    kinds = {(truth.site(p[0].host).plan.look.layout, form.form.labelling) for p in sampled for form in p}
    assert kinds >= {
        (layout, labelling) for layout in ("semantic", "divs", "tables") for labelling in LABELLINGS
    }

    wrong = []
    for placed in sampled:
        _visit(page, placed[0].page)
        expected = [_expected(form.form) for form in placed if not form.form.needs_browser]
        styles = "+".join(form.form.style for form in placed)
        if (read := page.evaluate(_READ_FORMS)) != expected:
            wrong.append(f"{styles} at {placed[0].page}:\n  browser {read}\n  truth   {expected}")
        formless = sum(form.form.needs_browser for form in placed)
        if (boxes := page.locator("[role=search] input").count()) != formless:
            wrong.append(f"{styles} at {placed[0].page}: {boxes} boxes without a form, not {formless}")

    assert not wrong, "\n".join(wrong)


# What is asked


@dataclass(frozen=True, slots=True)
class Question:
    """What a visitor fills in, where, and how the truth says it ends."""

    site: Site
    placed: FormTruth
    values: tuple[tuple[Field, str], ...]
    outcome: Outcome

    def __str__(self) -> str:
        filled = {field.name: value for field, value in self.values}
        return f"{self.placed.form.style} of {self.site.plan.host} at {self.placed.page} with {filled}"

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """What a browser sends."""
        return _parameters(self.placed.form, list(self.values))


def _anything(_words: str) -> bool:
    return True


def _is_foreign(words: str) -> bool:
    return not words.isascii()


def _is_one_page(outcome: Outcome) -> bool:
    return outcome.kind == "redirect" or (outcome.kind == "results" and outcome.pages == 1)


def _is_several_pages(outcome: Outcome) -> bool:
    return outcome.kind == "results" and 2 <= outcome.pages <= 6


def _questions(
    truth: Truth,
    fits: Callable[[SitePlan], bool],
    *,
    wanted: Callable[[Outcome], bool] = _is_one_page,
    words: Callable[[str], bool] = _anything,
) -> Iterator[Question]:
    """Yield one question for each site: every control filled in from one of its records."""
    for site in _database_sites(truth, fits):
        placed = _main_form(truth, site)
        if words is not _anything and placed.form.field_meaning("keywords") is None:
            continue
        yield from islice(_asked_of(truth, site, placed, wanted, words), 1)


def _asked_of(
    truth: Truth,
    site: Site,
    placed: FormTruth,
    wanted: Callable[[Outcome], bool],
    words: Callable[[str], bool],
) -> Iterator[Question]:
    for known in islice(truth.records(site.plan.host), 2, 40):
        for values in _fillings(truth, site, placed.form, known.record, words):
            outcome = truth.answer(site.plan.host, _parameters(placed.form, values))
            if wanted(outcome) and known.record.number in outcome.found:
                assert set(outcome.found) == truth.matching(site.plan.host, outcome.query), (
                    f"{site.plan.host}: {values}"
                )
                yield Question(site, placed, tuple(values), outcome)


def _broad_questions(
    truth: Truth, fits: Callable[[SitePlan], bool], words: Callable[[str], bool] = _anything
) -> Iterator[Question]:
    """Yield one question for each site whose answer takes several pages: a common word, or as few choices as it takes."""
    for site in _database_sites(truth, fits):
        placed = _main_form(truth, site)
        for values in _broad_fillings(truth, site, placed.form, words):
            outcome = truth.answer(site.plan.host, _parameters(placed.form, values))
            if _is_several_pages(outcome):
                yield Question(site, placed, tuple(values), outcome)
                break


def _fillings(
    truth: Truth, site: Site, form: Form, record: Record, words: Callable[[str], bool]
) -> Iterator[Values]:
    """Yield ways to fill in a form so that a record should be found."""
    fields = form.fields
    if _is_two_steps(site, form):
        parent = site.catalogue.topic.value(record, fields[0].attribute)
        if not parent or parent not in {option.stands_for for option in fields[0].options}:
            return
        fields = (fields[0], site.form_maker.second_step(form, parent).fields[1])
    rest = [(field, value) for field in fields for value in _values_from(site, record, field)]
    box = form.field_meaning("keywords")
    if box is None:
        yield rest
        return
    for word in islice(filter(words, _words_of(truth, site, record)), 12):
        yield [(box, word), *rest]


def _values_from(site: Site, record: Record, field: Field) -> list[str]:
    """What to fill into a control so that the record still matches; nothing where it says nothing of it."""
    said = site.catalogue.topic.value(record, field.attribute) if field.attribute else ""
    match field.meaning:
        case "contains" if said:
            return [max(said.split(), key=len)]
        case "choice" if said:
            options = [option.value for option in field.options if option.stands_for == said]
            others = [option.value for option in field.options if option.stands_for not in ("", said)]
            return options + others[:1] if field.control == "checkboxes" and options else options
        case "from" | "to" if comparable(said) >= 0:
            if field.control == "date":
                return [said]
            return [str(floor(comparable(said)) if field.meaning == "from" else ceil(comparable(said)))]
        case "matching":
            return ["or"]
        case "order":
            return ["title"]
        case "page_size":
            return ["10"]
        case _:
            return []


def _words_of(truth: Truth, site: Site, record: Record) -> list[str]:
    """Words and parts of words that find a record, the most telling first."""
    held = truth.words_returning(site.plan.host, record.number)
    title = record.title.split()
    parts = [] if site.language.spaced else [word[:length] for word in title for length in (5, 3, 2)]
    return sorted(dict.fromkeys([*parts, *title, *held]), key=len, reverse=True)


def _broad_fillings(truth: Truth, site: Site, form: Form, words: Callable[[str], bool]) -> Iterator[Values]:
    box = form.field_meaning("keywords")
    selects = [
        field for field in form.fields if field.meaning == "choice" and (field.required or box is None)
    ]
    options: list[Values] = [
        [(field, option.value)] for field in selects for option in field.options if option.value
    ]
    if _is_two_steps(site, form):
        seconds = (
            (option, site.form_maker.second_step(form, option.stands_for))
            for option in form.fields[0].options[1:]
        )
        options = [
            [(form.fields[0], option.value), (second.fields[1], other.value)]
            for option, second in seconds
            for other in second.fields[1].options[1:]
        ]
    if box is None:
        yield from options
        return
    host = site.plan.host
    texts = (searchable_text(known.record, truth.site(host).catalogue.topic) for known in truth.records(host))
    # Whole words, and the single characters that are words where there are no blanks.
    parts = (word for text in texts for word in {*text.split(), *("" if site.language.spaced else text)})
    common = (word for word, _ in Counter(filter(str.isalpha, parts)).most_common() if words(word))
    for word in islice(common, 40):
        yield from ([(box, word), *chosen] for chosen in (options if selects else [[]]))


def _parameters(form: Form, values: Values) -> list[tuple[str, str]]:
    """What a browser sends: what was filled in, and what the form says by itself."""
    filled = {field.name for field, _ in values}
    untouched = [
        (field.name, field.value) for field in form.fields if field.value and field.name not in filled
    ]
    return untouched + [(field.name, value) for field, value in values]


def _database_sites(truth: Truth, fits: Callable[[SitePlan], bool]) -> Iterator[Site]:
    plans = (truth.world.plan(number) for number in reversed(truth.world.numbers))
    return (truth.site(plan.host) for plan in plans if plan.database is not None and fits(plan))


def _main_form(truth: Truth, site: Site) -> FormTruth:
    return next(placed for placed in truth.forms(site.plan.host) if placed.form == site.search_form)


def _style(plan: SitePlan) -> str:
    return plan.database.style if plan.database else ""


def _paging(plan: SitePlan) -> str:
    return plan.database.paging if plan.database else ""


def _is_legacy(plan: SitePlan) -> bool:
    return plan.charset != "utf-8"


def _redirects_exact(plan: SitePlan) -> bool:
    return plan.database is not None and plan.database.behaviour.redirects_exact and plan.database.has_details


def _has_children(truth: Truth, plan: SitePlan) -> bool:
    return truth.site(plan.host).form_maker.has_children


def _is_two_steps(site: Site, form: Form) -> bool:
    return form.style == "steps" and site.form_maker.has_children


def _record(site: Site, number: int) -> Record:
    record = site.record(number, day=0)
    assert record is not None
    return record


def _of_different_styles(questions: Iterable[Question], most: int) -> list[Question]:
    return _by(questions, lambda question: question.placed.form.style, most)


def _by(things: Iterable[Thing], key: Callable[[Thing], object], most: int) -> list[Thing]:
    """The first thing of each kind, until there are enough."""
    kept: dict[object, Thing] = {}
    for thing in things:
        kept.setdefault(key(thing), thing)
        if len(kept) == most:
            break
    return list(kept.values())


# What the browser does


def _visit(page: Page, url: str) -> None:
    page.goto(url, wait_until="domcontentloaded")


def _ask(page: Page, question: Question) -> None:
    """Fill in a form by hand and press its button."""
    _visit(page, question.placed.page)
    form, values = question.placed.form, question.values
    if form.needs_browser:
        page.locator("[role=search] input").fill(values[0][1])
        with page.expect_navigation(wait_until="domcontentloaded"):
            page.locator("[role=search] button").click()
        return
    steps = [[value] for value in values] if _is_two_steps(question.site, form) else [values]
    for step in steps:
        element = _form_element(page, form, str(question), [field.name for field, _ in step])
        for field, value in step:
            _fill(page, element, field, value)
        _submit(page, element)


def _form_element(page: Page, form: Form, what: str, names: Iterable[str] = ()) -> JSHandle:
    found = page.evaluate_handle(
        "([action, names]) => [...document.forms].find(form => form.getAttribute('action') === action"
        " && names.every(name => form.elements.namedItem(name)))",
        [form.action, list(names) or [field.name for field in form.fields]],
    )
    assert found.as_element() is not None, f"{what}: {page.url} has no such form"
    return found


def _control(page: Page, form: JSHandle, name: str, value: str | None = None) -> ElementHandle:
    found = page.evaluate_handle(
        "([form, name, value]) => [...form.elements].find("
        "control => control.name === name && (value === null || control.value === value))",
        [form, name, value],
    ).as_element()
    assert found is not None, f"{page.url}: no control {name!r} (value {value!r})"
    return found


def _fill(page: Page, form: JSHandle, field: Field, value: str) -> None:
    match field.control:
        case "select" | "multiple":
            # select_option(value=...) would take a label for a value.
            select = _control(page, form, field.name)
            index = select.evaluate(
                "(select, value) => [...select.options].findIndex(o => o.value === value)", value
            )
            assert index >= 0, f"{page.url}: {field.name} has no option {value!r}"
            select.select_option(index=index)
        case "radio" | "checkbox" | "checkboxes":
            _control(page, form, field.name, value).check()
        case _:
            _control(page, form, field.name).fill(value)


_FILLED_IN = {"email": "ada@example.org", "date": "2026-02-03", "number": "2", "tel": "+44 20 7946 0000"}


def _fill_anything(page: Page, form: JSHandle, field: Field) -> tuple[str, str]:
    """Fill in a control as anybody would, and say what it sends."""
    match field.control:
        case "hidden":
            return field.name, field.value
        case "file":
            letter: FilePayload = {"name": "letter.txt", "mimeType": "text/plain", "buffer": b"Dear Sir"}
            _control(page, form, field.name).set_input_files(letter)
            return field.name, "letter.txt"
        case "select" | "radio":
            value = field.options[-1].value
        case "checkbox":
            value = field.value
        case control:
            value = _FILLED_IN.get(control, "Ada")
    _fill(page, form, field, value)
    return field.name, value


def _submit(page: Page, form: JSHandle) -> None:
    button = page.evaluate_handle(
        "form => [...form.elements].find(control => control.type === 'submit')", form
    )
    element = button.as_element()
    assert element is not None, f"{page.url}: the form has no button"
    with page.expect_navigation(wait_until="domcontentloaded"):
        element.click()


# What the browser sees

_READ_FORMS = """() => [...document.forms].map(form => ({
    action: form.getAttribute('action'),
    method: (form.getAttribute('method') || 'get').toLowerCase(),
    controls: [...new Set([...form.elements].filter(e => e.type !== 'submit').map(e => e.name))].filter(n => n).sort(),
    sent: [...new Set([...new FormData(form).keys()])].sort(),
    options: [...form.elements].filter(e => e.options).map(e => [...e.options].map(o => o.value)),
}))"""


def _expected(form: Form) -> dict[str, Any]:
    return {
        "action": form.action,
        "method": form.method,
        "controls": sorted(field.name for field in form.fields),
        "sent": sorted(field.name for field in form.fields if _is_sent_untouched(field)),
        "options": [
            [option.value for option in field.options] for field in form.fields if field.control == "select"
        ],
    }


def _is_sent_untouched(field: Field) -> bool:
    match field.control:
        case "checkbox" | "checkboxes":
            return False
        case "radio":
            return any(option.value == field.value for option in field.options)
        case _:
            return True


def _pages_of_all_kinds(truth: Truth, placed_forms: Iterable[FormTruth]) -> Iterator[list[FormTruth]]:
    """Yield pages with their forms until every kind of form was seen in every kind of HTML."""
    pages: dict[str, list[FormTruth]] = {}
    for placed in placed_forms:
        pages.setdefault(placed.page, []).append(placed)
    seen: set[object] = set()
    for forms in pages.values():
        look = truth.site(forms[0].host).plan.look
        bad = [
            habit
            for habit in ("upper_case", "unquoted", "leaves_ends_out", "stray_ends")
            if getattr(look, habit)
        ]
        kinds: set[object] = {
            ("together", form.form.style) for form in forms if form.form.is_search and len(forms) > 1
        }
        for form in forms:
            kinds |= {(look.layout, form.form.labelling), form.form.style}
            kinds |= {(habit, form.form.labelling) for habit in bad}
        if kinds - seen:
            seen |= kinds
            yield forms


def _assert_answered(page: Page, question: Question, outcome: Outcome, truth: Truth) -> None:
    """The browser is where the truth says: on a record's page, or on an answer with the right records and no others."""
    what = f"{question}: {page.url}"
    if outcome.kind == "redirect":
        _assert_is_record_page(page, question.site, outcome.found[0], what)
    else:
        _assert_shows(page, question.site, outcome.shown, what)
        _assert_shows_no_others(page, outcome.shown, question.site, truth, what)


def _assert_is_record_page(page: Page, site: Site, number: int, what: str) -> None:
    assert site.record_at(_without_session(site, _target(page.url))) == number, (
        f"{what} is not the page of record {number}"
    )
    title = _flat(_record(site, number).title)
    assert title in _text(page), f"{what} does not show {title!r}"


def _assert_shows(page: Page, site: Site, numbers: Iterable[int], what: str) -> None:
    text, at = _text(page), 0
    for number in numbers:
        title = _flat(_record(site, number).title)
        found = text.find(title, at)
        assert found >= 0, f"{what} does not show {title!r} (record {number}) in its place:\n{text[:2000]}"
        at = found + len(title)
    assert site.plan.database is not None
    if site.plan.database.has_details:
        assert _linked_records(page, site) == list(numbers), f"{what} links to other records"


def _assert_shows_no_others(page: Page, shown: Iterable[int], site: Site, truth: Truth, what: str) -> None:
    known = {found.record.number: found.record for found in truth.records(site.plan.host)}
    text, told = (
        _text(page),
        _flat(" ".join(searchable_text(known[number], site.catalogue.topic) for number in shown)),
    )
    for chatter in page.locator(f'[class="{site.skin(0).class_of("side")}"]').all_inner_texts():
        text = text.replace(_flat(chatter), "")  # any words may stand there
    for number, record in known.items():
        title = _flat(record.title)
        if number not in shown and len(title) > 8 and title not in told:
            assert title not in text, f"{what} shows {title!r} (record {number}), which it should not"


def _assert_turns_to_the_end(page: Page, question: Question, truth: Truth) -> None:
    site, first = question.site, question.outcome
    database = site.plan.database
    assert database is not None
    seen: list[int] = []
    for number in range(1, first.pages + 1):
        parameters = (
            parameters_for_page(site, first, question.parameters, number)
            if number > 1
            else question.parameters
        )
        outcome = truth.answer(site.plan.host, parameters)
        assert outcome.page == number, f"{question}: the truth has no page {number}"
        _assert_answered(page, question, outcome, truth)
        seen += outcome.shown
        turn = _next_page(page, site, number + 1)
        assert (turn is not None) == (number < first.pages), (
            f"{question}: page {number} of {first.pages} at {page.url}"
        )
        if turn is not None:
            with page.expect_navigation(wait_until="domcontentloaded"):
                turn.click()
    assert seen == list(first.found[: database.behaviour.cap]), f"{question}: the pages together"


def _next_page(page: Page, site: Site, number: int) -> ElementHandle | None:
    words = {"numbered": str(number), "more": site.say("more")}.get(_paging(site.plan), site.say("next"))
    found = page.evaluate_handle(
        "words => [...document.querySelectorAll('a, form button')].find(e => e.textContent.trim() === words)",
        words,
    )
    return found.as_element()


def _linked_records(page: Page, site: Site) -> list[int]:
    targets = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.pathname + a.search)")
    numbers = (site.record_at(_without_session(site, target)) for target in targets)
    return [number for number in numbers if number is not None]


def _without_session(site: Site, target: str) -> str:
    path, _, query = target.partition("?")
    path, query = site.strip_session(path, query)
    return f"{path}?{query}" if query else path


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _text(page: Page) -> str:
    return _flat(page.inner_text("body"))


def _flat(text: str) -> str:
    return " ".join(text.split())
