"""Forty booby traps: all there, in the words of their sites, and every harmful way to send them counted."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import sync_playwright

from simweb.__main__ import main
from simweb.booby_traps import BOXED, NAMES, TRAPS, booby_trap, dealt, phrases, trap_form
from simweb.forms import STYLES, FormMaker
from simweb.languages import LANGUAGES, language
from simweb.messages import Request
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.voice import Voice
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from simweb.messages import Response
    from simweb.truth import FormTruth

SEED, SITES, PAGES, RECORDS, TEXT = 7, 90, 12, 80, 300
MIXED = tuple(trap.name for trap in TRAPS if trap.is_search)
PURE = tuple(trap.name for trap in TRAPS if not trap.is_search)
OTHER_SCRIPTS = {"ru", "ar", "zh", "ja", "th"}
CHROMIUM = shutil.which("chromium")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(
        SEED,
        SITES,
        pages_per_site=PAGES,
        direct=0,
        largest_database=RECORDS,
        text_bytes=TEXT,
        booby_traps=True,
    )
    yield world
    world.close()


@pytest.fixture(scope="module")
def truth(world: World) -> Truth:
    return Truth(world)


@pytest.fixture(scope="module")
def placed(truth: Truth) -> dict[str, list[FormTruth]]:
    """Every trap that stands anywhere, by name."""
    found: dict[str, list[FormTruth]] = defaultdict(list)
    for site in truth.sites():
        for form in truth.forms(site.plan.host):
            if form.form.booby_trap:
                found[form.form.booby_trap].append(form)
    return found


# The catalogue and its words


def test_there_are_forty_different_traps_and_each_says_why_it_is_nasty() -> None:
    assert len(TRAPS) == len(set(NAMES)) == 40
    assert len({trap.markup for trap in TRAPS}) == len({trap.why for trap in TRAPS}) == 40
    assert all(re.fullmatch(r"[A-Z].{30,}\.", trap.why) for trap in TRAPS)
    assert sum(trap.method == "get" for trap in TRAPS) >= 20
    assert len(MIXED) == 5


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words_of_its_own_for_every_trap(code: str) -> None:
    english, words = phrases("en"), phrases(code)

    assert list(words) == list(english)
    assert all(len(set(wordings)) == len(wordings) == 2 for wordings in words.values())
    assert all(wording.strip() == wording != "" for wordings in words.values() for wording in wordings)
    if code != "en":
        assert not {name for name in words if set(words[name]) & set(english[name])}


def test_every_phrase_is_said_by_some_trap() -> None:
    said = {name for trap in TRAPS for name in re.findall(r"\{(\w+)\}", trap.markup)}

    assert set(phrases("en")) <= said


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_trap_can_be_written_in_every_language(name: str, code: str, search: FormMaker) -> None:
    form = trap_form(name, Voice(language(code), 3), search.make("box", _draw()))

    assert "{" not in form.markup
    assert form.markup.count("<form") == 1
    assert {field.name for field in form.fields} <= booby_trap(name).controls | {
        field.name for field in search.make("box", _draw()).fields
    }


SAID_BY_SEARCHES = {"search", "find", "go", "keyword", "yes", "no"}
NO_PHRASES = {"to", "box", "away", "id"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_held_out_wordings_say_all_that_gives_a_trap_away(code: str) -> None:
    said = {name for trap in TRAPS for name in re.findall(r"\{(\w+)\}", trap.markup)}
    words = phrases(code, "held out")

    assert set(phrases(code)) < set(words) == said - SAID_BY_SEARCHES - NO_PHRASES
    assert list(words) == list(phrases("en", "held out"))
    assert all(len(set(wordings)) == len(wordings) == 2 for wordings in words.values())
    assert all(wording.strip() == wording != "" for wordings in words.values() for wording in wordings)


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_held_out_wording_is_one_that_rules_were_written_against(code: str) -> None:
    """Neither one of the traps, whatever it says there, nor one that any site of the language has for the same phrase."""
    known = {bare(wording) for wordings in phrases(code).values() for wording in wordings}

    for name, wordings in phrases(code, "held out").items():
        own = set() if name in phrases(code) else said_by_sites(code, name)
        assert not {bare(wording) for wording in wordings} & (known | own), name


def bare(wording: str) -> str:
    """Return a wording without case, spaces and punctuation."""
    return re.sub(r"[\W_]", "", wording.casefold())


def said_by_sites(code: str, name: str) -> set[str]:
    """Return all wordings that sites of a language have for a phrase."""
    return {bare(Voice(language(code), number).say(name)) for number in range(200)}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_trap_in_held_out_wordings_is_the_same_but_for_its_words(
    name: str, code: str, search: FormMaker
) -> None:
    box = search.make("box", _draw())
    tuned, held_out = (
        trap_form(name, Voice(language(code), 3), box, wordings) for wordings in ("tuned", "held out")
    )

    says_harm = set(re.findall(r"\{(\w+)\}", booby_trap(name).markup)) - SAID_BY_SEARCHES - NO_PHRASES
    assert (tuned.markup != held_out.markup) == bool(says_harm)
    assert re.findall(r"<[\w/]+", tuned.markup) == re.findall(r"<[\w/]+", held_out.markup)
    assert [field.name for field in tuned.fields] == [field.name for field in held_out.fields]
    assert (tuned.action, tuned.harmful_address) == (held_out.action, held_out.harmful_address)


def test_sites_of_one_language_word_a_trap_in_different_ways(search: FormMaker) -> None:
    form = search.make("box", _draw())
    written = {trap_form("auction_bid", Voice(language("fr"), number), form).markup for number in range(20)}

    assert len(written) >= 4


# Where they stand


def test_every_trap_stands_in_six_languages_and_two_other_scripts_on_sites_of_all_styles(
    truth: Truth, placed: dict[str, list[FormTruth]]
) -> None:
    languages = {
        name: {truth.site(form.host).plan.language for form in forms} for name, forms in placed.items()
    }
    plans = [truth.site(form.host).plan for forms in placed.values() for form in forms]

    assert set(languages) == set(NAMES)
    assert min(map(len, languages.values())) >= 6
    assert min(len(spoken & OTHER_SCRIPTS) for spoken in languages.values()) >= 2
    assert {plan.database.style for plan in plans if plan.database} == set(STYLES)


def test_every_site_with_traps_has_a_search_of_its_own(truth: Truth) -> None:
    for site in truth.sites(databases=True):
        forms = [form.form for form in truth.forms(site.plan.host)]
        assert {form.booby_trap for form in forms} - {""} == set(site.plan.booby_traps)
        assert any(form.is_search and not form.booby_trap for form in forms), site.plan.host


def test_a_trap_built_around_a_search_is_dealt_only_where_a_box_alone_can_be_asked() -> None:
    hands = dealt((number, "en", style) for number, style in enumerate(STYLES * 3))

    for number, style in enumerate(STYLES * 3):
        assert style in BOXED or not set(hands[number]) & set(MIXED)
    assert {name for names in hands.values() for name in names} == set(NAMES)


def test_what_the_truth_says_stands_on_the_page(world: World, placed: dict[str, list[FormTruth]]) -> None:
    for forms in placed.values():
        for form in forms:
            page = fetched(world, form.host, form.page.partition(form.host)[2])
            codec = world.plan(world.number_of(form.host) or 0).codec
            assert form.form.markup.encode(codec, "xmlcharrefreplace") in page.body, (
                form.page,
                form.form.booby_trap,
            )


def test_a_search_to_be_saved_stands_beside_the_answers_too(world: World, truth: Truth) -> None:
    sites = [site for site in truth.sites() if "save_this_search" in site.plan.booby_traps]
    beside = 0
    for site in sites:
        assert site.plan.database is not None
        box = site.search_form.field_meaning("keywords")
        if site.plan.database.style not in BOXED or box is None or site.search_form.method == "post":
            continue
        words = truth.words_returning(site.plan.host, 1)
        answer = fetched(world, site.plan.host, f"{site.search_action}?{urlencode({box.name: words[0]})}")
        beside += answer.kind == "answer:results" and b"search-tools" in answer.body

    assert beside >= 1


def test_a_world_without_the_option_has_none() -> None:
    world = World(SEED, SITES, pages_per_site=PAGES, direct=0, largest_database=RECORDS, text_bytes=TEXT)

    assert not any(world.plan(number).booby_traps for number in world.numbers)
    world.close()


def test_a_world_in_held_out_wordings_has_the_same_traps_in_other_words(truth: Truth) -> None:
    other = World(
        SEED,
        SITES,
        pages_per_site=PAGES,
        direct=0,
        largest_database=RECORDS,
        text_bytes=TEXT,
        booby_traps="held out",
    )
    tuned, held_out = (
        {
            (form.page, form.form.key): form.form
            for site in each.sites()
            for form in each.forms(site.plan.host)
        }
        for each in (truth, Truth(other))
    )

    assert set(tuned) == set(held_out)
    traps = {place for place, form in tuned.items() if form.booby_trap}
    reworded = {place for place, form in tuned.items() if held_out[place].markup != form.markup}
    assert reworded <= traps
    assert {tuned[place].booby_trap for place in traps - reworded} == SAYING_NOTHING_HARMFUL
    other.close()


SAYING_NOTHING_HARMFUL = {"hidden_command", "dialog_search"}


def test_a_world_is_told_plainly_that_there_are_no_such_wordings() -> None:
    with pytest.raises(ValueError, match="held-out"):
        World(SEED, SITES, booby_traps="held-out")  # type: ignore[arg-type]


def test_the_command_line_takes_held_out_wordings_and_refuses_unknown_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small: dict[str, Any] = {"pages_per_site": 4, "direct": 0, "largest_database": RECORDS}
    with Simweb.start(seed=SEED, sites=12, booby_traps="held-out", **small) as web:
        host = web.sites(databases=1)[0]["host"]
        served = {form["key"]: form["button"] for form in web.get("forms", host=host)}
    with (
        closing(World(SEED, 12, booby_traps=True, **small)) as tuned,
        closing(World(SEED, 12, booby_traps="held out", **small)) as held_out,
    ):
        in_tuned, in_held_out = (
            {form.form.key: form.form.button for form in Truth(each).forms(host)}
            for each in (tuned, held_out)
        )

    assert served == in_held_out != in_tuned
    assert main(["--booby-traps", "unknown"]) == 2
    assert "'unknown'" in capsys.readouterr().err


# What springs them


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", PURE)
def test_sending_a_trap_by_any_method_is_one_effect(
    name: str, method: str, world: World, placed: dict[str, list[FormTruth]]
) -> None:
    world.journal.clear()
    form = placed[name][0]

    sent = [(field.name, field.value or "water") for field in form.form.fields]
    response = fetched(world, form.host, form.form.action, sent, method)

    (effect,) = world.journal.effects()
    assert (effect.host, effect.purpose, effect.form) == (form.host, name, f"trap-{name}")
    assert response.kind == "effect"


@pytest.mark.parametrize("name", MIXED)
def test_the_harmless_way_of_a_mixed_trap_is_a_search(
    name: str, world: World, placed: dict[str, list[FormTruth]]
) -> None:
    for form in placed[name]:
        world.journal.clear()
        box = form.form.field_meaning("keywords")
        assert box is not None

        response = fetched(world, form.host, form.form.action, [(box.name, "a")], form.form.method.upper())

        assert response.kind.startswith(("answer:", "redirect")), form.page
        assert world.journal.effects() == []


@pytest.mark.parametrize(
    ("name", "harm"), [(name, control) for name in MIXED for control in booby_trap(name).harm]
)
def test_a_harmful_control_with_a_value_is_one_effect_and_without_one_none(
    name: str, harm: str, world: World, placed: dict[str, list[FormTruth]]
) -> None:
    form = placed[name][0]
    box = form.form.field_meaning("keywords")
    assert box is not None

    effects = []
    for value in ("", "1"):
        world.journal.clear()
        fetched(
            world, form.host, form.form.action, [(box.name, "a"), (harm, value)], form.form.method.upper()
        )
        effects.append([effect.form for effect in world.journal.effects()])

    assert effects == [[], [f"trap-{name}"]]


def test_a_button_with_an_address_of_its_own_does_harm_there(
    world: World, placed: dict[str, list[FormTruth]]
) -> None:
    world.journal.clear()
    form = placed["button_leads_away"][0]

    fetched(world, form.host, form.form.harmful_address, [("all", "1")])

    assert form.form.harmful_address != form.form.action
    assert [effect.form for effect in world.journal.effects()] == ["trap-button_leads_away"]


def test_reading_every_page_with_a_trap_springs_none(
    world: World, placed: dict[str, list[FormTruth]]
) -> None:
    world.journal.clear()

    for forms in placed.values():
        for form in forms:
            fetched(world, form.host, form.page.partition(form.host)[2])

    assert world.journal.effects() == []


# Over HTTP, with a real browser


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(
        seed=SEED,
        sites=SITES,
        pages_per_site=PAGES,
        direct=0,
        largest_database=RECORDS,
        text_bytes=TEXT,
        booby_traps=True,
    ) as running:
        yield running


@pytest.fixture(scope="module")
def page(web: Simweb) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=ARGUMENTS, proxy={"server": web.proxy}
        )
        yield browser.new_page()
        browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs a real browser: apt-get install chromium")
def test_a_visitor_who_presses_the_first_button_springs_all_but_those_that_take_more(
    web: Simweb, page: Page, placed: dict[str, list[FormTruth]]
) -> None:
    """A dialog is closed and never sent; one who does not see the honeypot leaves it empty."""
    sprung = set()
    for name in NAMES:
        web.post("clear-journal")
        form = placed[name][0]
        page.goto(form.page, wait_until="domcontentloaded")
        where = [form.form.action, min(booby_trap(name).controls)]
        assert page.evaluate(FIND, where), f"{name} is not on {form.page}"
        if booby_trap(name).method == "dialog":
            page.evaluate(PRESS_FIRST, where)
        else:
            with page.expect_navigation(wait_until="domcontentloaded"):
                page.evaluate(PRESS_FIRST, where)
        sprung |= {effect["form"].removeprefix("trap-") for effect in web.effects()}

    assert set(NAMES) - sprung == {"dialog_search", "honeypot"}


FIND = """([action, mark]) => [...document.forms].some(form =>
    new URL(form.getAttribute("action"), document.baseURI).pathname === action
    && [...form.elements].some(each => each.name === mark))"""
PRESS_FIRST = """([action, mark]) => {
    const form = [...document.forms].find(form =>
        new URL(form.getAttribute("action"), document.baseURI).pathname === action
        && [...form.elements].some(each => each.name === mark));
    for (const each of form.elements)
        if (["text", "search"].includes(each.type) && each.name !== "website") each.value = "a";
    [...form.elements].find(each => each.type === "submit").click();
}"""


@pytest.fixture(scope="module")
def search(world: World) -> FormMaker:
    site = next(iter(Truth(world).sites(databases=True)))
    return site.form_maker


def _draw() -> Random:
    return Random(1)


def fetched(
    world: World, host: str, target: str, sent: list[tuple[str, str]] | None = None, method: str = "GET"
) -> Response:
    """Return what a site answers to a page's address, or to something sent to it."""
    path, _, query = target.partition("?")
    encoded = urlencode(sent or [])
    by_get = method == "GET"
    request = Request(
        method,
        host,
        path,
        encoded if sent and by_get else query,
        body=b"" if by_get else encoded.encode(),
    )
    response = world.respond(request)
    assert response is not None, host
    return response
