"""Words and choices together reach what a form can reach, and no question is asked for nothing."""

from __future__ import annotations

import json
import os
import sys
from itertools import product
from pathlib import Path
from random import Random
from subprocess import run
from typing import TYPE_CHECKING, NamedTuple

import pytest

from hiddenweb.querying.policies.benefit import BenefitPolicy
from hiddenweb.querying.policies.with_options import ControlOption, OptionsPolicy, QueryControl
from hiddenweb.querying.query import LedgerEntry, QueryProposal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiddenweb.querying.policies.published import QueryPolicy
    from hiddenweb.querying.query import Choice

PAGE = 10


class Record(NamedTuple):
    """A record of a small database."""

    words: tuple[str, ...]
    choices: dict[str, str]
    year: int = 0


class Shop:
    """A site with a form: it shows no more than its cap, nothing above a limit, or all."""

    def __init__(
        self, records: Sequence[Record], *, cap: int | None = None, refuses_above: int | None = None,
        says_total: bool = True, without_choice: bool = True, ignores: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.records = records
        self.cap = cap
        self.refuses_above = refuses_above
        self.says_total = says_total
        self.without_choice = without_choice
        self.ignores = ignores
        self.asked: list[tuple[tuple[str, ...], tuple[Choice, ...]]] = []
        self.ledger: list[LedgerEntry] = []
        self.met: dict[int, int] = {}

    def found(self, words: Sequence[str], choices: Sequence[Choice]) -> list[int]:
        if not (words or choices or self.without_choice):
            return []
        return [
            number
            for number, record in enumerate(self.records)
            if set(words) <= set(record.words) and all(self._has(record, choice) for choice in choices)
        ]

    def _has(self, record: Record, choice: Choice) -> bool:
        name, value = choice
        if name in self.ignores:
            return True
        if ".." in value:
            low, high = value.split("..")
            return int(low) <= record.year <= int(high)
        return record.choices.get(name) == value

    def answer(self, policy: QueryPolicy, wanted: QueryProposal, pages: int = 1_000) -> bool:
        """Ask what is wanted; after some pages the crawl is killed, and this is False."""
        question = (wanted.words, wanted.choices)
        assert wanted.goes_on or question not in self.asked, f"{question} was asked before"
        self.asked.append(question)
        policy.note_query(*question, goes_on=wanted.goes_on)
        return self.go_on(policy, *question, pages=pages, at=self._read(question) if wanted.goes_on else 0)

    def go_on(
        self,
        policy: QueryPolicy,
        words: tuple[str, ...],
        choices: tuple[Choice, ...],
        *,
        pages: int = 1_000,
        at: int = 0,
    ) -> bool:
        found = self.found(words, choices)
        total = len(found) if self.says_total else None
        shown = found[: self.cap]
        if self.refuses_above is not None and len(found) > self.refuses_above:
            shown = []
        new = read = 0
        has_next = False
        for start in range(at, max(len(shown), at + 1), PAGE):
            if not pages:
                return False
            pages -= 1
            page = shown[start : start + PAGE]
            new += policy.read([(number, self.records[number].words) for number in page], total)
            for number in page:
                self.met[number] = self.met.get(number, 0) + 1
            read += len(page)
            has_next = len(shown) > start + PAGE
            if has_next and not policy.is_worth_turning():
                break
        refused = total is not None and total > 0 and not shown
        policy.end_answer(had_more=has_next or refused)
        self.ledger.append(LedgerEntry(words, choices, at + read, new, total, has_next))
        return True

    def _read(self, question: tuple[tuple[str, ...], tuple[Choice, ...]]) -> int:
        return next(line.found for line in reversed(self.ledger) if (line.words, line.choices) == question)

    def surface(self, policy: QueryPolicy, most: int = 500) -> int:
        """Ask until nothing is left to ask, and return how many questions that took."""
        for questions in range(most):
            wanted = policy.next()
            if wanted is None:
                return questions
            assert wanted.why
            assert wanted.expected > 0
            self.answer(policy, wanted)
        return most


GENRES, DECADES = ("drama", "comedy", "western", "noir"), ("1920s", "1930s", "1940s", "1950s", "1960s")


def films(number: int = 600, *, shown: bool = True, seed: int = 1) -> list[Record]:
    """Return films that say what their genre is, or not."""
    chance = Random(seed)
    made = []
    for at in range(number):
        genre = chance.choices(GENRES, (8, 4, 2, 1))[0]
        decade = chance.choices(DECADES, (5, 4, 3, 2, 1))[0]
        words = ("film", f"w{chance.randrange(40)}", f"n{at}", *((genre, decade) if shown else ()))
        made.append(Record(words, {"genre": genre, "decade": decade}))
    return made


def select(name: str, values: Sequence[str], **more: object) -> QueryControl:
    return QueryControl(name, "select", tuple(ControlOption(value, value) for value in values), name, **more)  # type: ignore[arg-type]


SELECTS = (select("genre", GENRES), select("decade", DECADES))


def reachable(shop: Shop) -> set[int]:
    """Return what the two selects can reach."""
    reached: set[int] = set()
    for genre, decade in product((None, *GENRES), (None, *DECADES)):
        choices = [
            (name, value) for name, value in (("genre", genre), ("decade", decade)) if value is not None
        ]
        reached.update(shop.found((), choices)[: shop.cap])
    return reached


# Forms without a box


def test_a_form_that_shows_everything_to_who_chooses_nothing_is_asked_once() -> None:
    shop = Shop(films())

    assert shop.surface(OptionsPolicy(None, SELECTS)) == 1
    assert len(shop.met) == 600


@pytest.mark.parametrize("says_total", [True, False])
@pytest.mark.parametrize("cap", [30, 100, 200])
def test_all_that_selects_can_reach_is_reached(cap: int, says_total: bool) -> None:
    shop = Shop(films(), cap=cap, says_total=says_total)
    policy = OptionsPolicy(None, SELECTS)

    questions = shop.surface(policy)

    assert set(shop.met) == reachable(shop)
    assert len(set(shop.asked)) <= 1 + 9 + 20
    assert questions < 200


def test_pairs_are_asked_only_where_answers_were_cut() -> None:
    shop = Shop(films(), cap=130)
    shop.surface(OptionsPolicy(None, SELECTS))

    sizes = {genre: len(shop.found((), [("genre", genre)])) for genre in GENRES}
    assert sizes["drama"] > 130 > sizes["western"]
    asked_together = {dict(choices)["genre"] for _, choices in shop.asked if len(choices) == 2}
    assert "drama" in asked_together
    assert "western" not in asked_together
    assert "noir" not in asked_together


def test_one_select_is_enough_where_none_of_its_answers_is_cut() -> None:
    shop = Shop(films(), cap=350)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.met) == 600
    assert len(shop.asked) <= 1 + 4 + 3


def test_nothing_shown_without_a_choice_means_nothing() -> None:
    shop = Shop(films(), without_choice=False)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.met) == 600
    assert all(len(choices) < 2 for _, choices in shop.asked)


def test_an_answer_that_is_refused_for_being_too_long_is_refined() -> None:
    shop = Shop(films(), refuses_above=150)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.met) == 600


def test_a_select_that_changes_nothing_is_left_after_five_questions() -> None:
    shop = Shop(films(), cap=100, ignores=["sort"])
    policy = OptionsPolicy(None, (select("sort", "abcdefghij"), *SELECTS))

    shop.surface(policy)

    assert sum("sort" in dict(choices) for _, choices in shop.asked) <= 5
    assert not any("sort" in dict(choices) and len(choices) > 1 for _, choices in shop.asked)
    assert set(shop.met) == reachable(shop)
    assert any(sentence.startswith("'sort': 0 different") for sentence in policy.describe())


def test_a_window_whose_answer_is_cut_is_split_in_two() -> None:
    def halves(window: str) -> tuple[str, str] | None:
        low, high = map(int, window.split(".."))
        middle = (low + high) // 2
        return (f"{low}..{middle}", f"{middle + 1}..{high}") if low < high else None

    chance = Random(4)
    records = [Record((f"n{at}",), {}, int(2000 - chance.expovariate(0.1))) for at in range(500)]
    windows = tuple(ControlOption(window) for window in ("1991..2000", "1971..1990", "1900..1970"))
    shop = Shop(records, cap=60)
    shop.surface(OptionsPolicy(None, [QueryControl("year", "range", windows, "Year", split=halves)]))

    by_year = {
        year: [at for at, record in enumerate(records) if record.year == year] for year in range(1900, 2001)
    }
    assert {at for numbers in by_year.values() for at in numbers[:60]} == set(shop.met)
    assert len(set(shop.asked)) < 30


def test_every_question_has_a_value_of_what_must_have_one() -> None:
    shop = Shop(films(), cap=60)
    shop.surface(OptionsPolicy(None, (select("genre", GENRES, must=True), SELECTS[1])))

    assert all("genre" in dict(choices) for _, choices in shop.asked)
    assert set(shop.met) >= {
        number
        for genre, decade in product(GENRES, DECADES)
        for number in shop.found((), [("genre", genre), ("decade", decade)])[:60]
    }


def test_what_a_control_offers_once_another_was_chosen_is_asked_with_it() -> None:
    cities = {"fr": ("paris", "lyon"), "it": ("rome", "milan", "turin")}
    records = [
        Record((f"n{at}",), {"country": country, "city": city})
        for at, (country, city) in enumerate(
            (country, city) for country, of in cities.items() for city in of for _ in range(40)
        )
    ]
    shop = Shop(records, cap=45)
    policy = OptionsPolicy(None, (select("country", ("fr", "it")), select("city", ())))
    while wanted := policy.next():
        shop.answer(policy, wanted)
        for country, of in cities.items():
            if wanted.choices == (("country", country),):
                policy.offers(
                    "city", [ControlOption(city, city.title()) for city in of], given=wanted.choices
                )

    assert len(shop.met) == len(records)
    together = {choices for _, choices in shop.asked if len(choices) == 2}
    assert all(dict(choices)["city"] in cities[dict(choices)["country"]] for choices in together)
    assert not any(dict(choices).keys() == {"city"} for _, choices in shop.asked)


def test_a_question_without_an_answer_is_not_asked_again() -> None:
    policy = OptionsPolicy(None, SELECTS)
    asked: list[tuple[Choice, ...]] = []
    while (wanted := policy.next()) and len(asked) < 100:
        asked.append(wanted.choices)
        policy.note_query(wanted.words, wanted.choices)
        policy.failed()

    assert len(asked) == len(set(asked)) == 1 + 9


def test_the_size_is_what_the_site_says_of_everything() -> None:
    shop = Shop(films(), cap=50)
    policy = OptionsPolicy(None, SELECTS)
    for _ in range(3):
        wanted = policy.next()
        assert wanted is not None
        shop.answer(policy, wanted)

    estimate = policy.estimate()

    assert estimate is not None
    assert estimate.size == 600
    assert estimate.known == len(shop.met)


# Forms with a box


def begun(shop: Shop, policy: QueryPolicy, *words: str) -> None:
    for word in words:
        policy.note_query((word,))
        shop.asked.append(((word,), ()))
        shop.go_on(policy, (word,), ())


def alike(number: int = 400) -> list[Record]:
    """Return records that words cannot tell apart: all hold the same ones."""
    return [
        Record(("film", "reel"), {"genre": GENRES[at % 4], "decade": DECADES[at // 4 % 5]})
        for at in range(number)
    ]


def test_choices_reach_what_words_cannot_tell_apart() -> None:
    alone, shop = Shop(alike(), cap=20), Shop(alike(), cap=20)
    words, policy = BenefitPolicy("en"), OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(alone, words, "film")
    begun(shop, policy, "film")

    alone.surface(words)
    shop.surface(policy)

    assert len(alone.met) == 20
    assert len(shop.met) == 400


@pytest.mark.parametrize(
    "shown", [True, False], ids=["records show their choices", "records do not show them"]
)
def test_words_and_choices_refine_each_other(shown: bool) -> None:
    shop = Shop(films(2_000, shown=shown), cap=40)
    policy = OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film", "w1")

    shop.surface(policy, 120)

    kinds = {(bool(words), len(choices)) for words, choices in shop.asked}
    assert {(True, 0), (True, 1), (False, 1)} <= kinds
    assert len(shop.met) > 1_200


class WordsOnly(Shop):
    """A site that shows nothing to somebody who leaves the box empty."""

    def found(self, words: Sequence[str], choices: Sequence[Choice]) -> list[int]:
        return super().found(words, choices) if words else []


def test_choices_are_asked_together_with_words_where_an_empty_box_finds_nothing() -> None:
    shop, policy = WordsOnly(alike(), cap=20), OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film")

    shop.surface(policy)

    assert sum(not words for words, _ in shop.asked) <= 2
    assert len(shop.met) == 400


def test_words_go_on_where_no_choice_promises_anything() -> None:
    shop = Shop([film._replace(choices={"format": "long"}) for film in films(600)], cap=20)
    policy = OptionsPolicy(BenefitPolicy("en"), [select("format", ("long", "short"))], language="en")
    begun(shop, policy, "film", "w1")
    shop.answer(policy, QueryProposal((), 0.0, "everything"))
    shop.answer(policy, QueryProposal((), 0.0, "nothing", (("format", "short"),)))

    for _ in range(60):
        wanted = policy.next()
        assert wanted is not None
        assert wanted.words or wanted.expected >= 1
        shop.answer(policy, wanted)

    assert len(shop.met) > 500


def test_a_setting_beside_a_box_costs_a_few_questions() -> None:
    shop = Shop(films(1_000), cap=40, ignores=["sort"])
    policy = OptionsPolicy(BenefitPolicy("en"), (select("sort", "abcdefghij"), *SELECTS), language="en")
    begun(shop, policy, "film")

    shop.surface(policy, 100)

    assert sum(any(name == "sort" for name, _ in choices) for _, choices in shop.asked) <= 5


def test_a_choice_that_must_be_made_takes_turns_beside_words() -> None:
    shop = Shop(films(800), cap=30)
    policy = OptionsPolicy(BenefitPolicy("en"), [select("genre", GENRES, must=True)], language="en")

    shop.surface(policy, 150)

    assert all("genre" in dict(choices) for _, choices in shop.asked)
    assert {dict(choices)["genre"] for words, choices in shop.asked if words} == set(GENRES)
    assert len(shop.met) > 600


def test_a_question_is_explained_with_the_texts_of_its_choices() -> None:
    shop = Shop(
        [record._replace(choices={"g": str(GENRES.index(record.choices["genre"]))}) for record in films()],
        cap=20,
    )
    genres = QueryControl(
        "g", "select", tuple(ControlOption(str(at), text) for at, text in enumerate(GENRES)), "Genre"
    )
    policy = OptionsPolicy(BenefitPolicy("en"), [genres], language="en")
    begun(shop, policy, "film")
    whys = []
    for _ in range(40):
        wanted = policy.next()
        assert wanted is not None
        whys.append((wanted.choices, wanted.why))
        shop.answer(policy, wanted)

    asked = [(dict(choices)["g"], why) for choices, why in whys if choices]
    assert len(asked) >= len(GENRES)
    assert all(f"Genre = {GENRES[int(value)]}" in why for value, why in asked)


# Going on in another process

MAKERS: dict[str, Callable[[], OptionsPolicy]] = {
    "selects": lambda: OptionsPolicy(None, SELECTS),
    "box and selects": lambda: OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en"),
}


def restored(name: str, written: str, shop: Shop) -> OptionsPolicy:
    policy = MAKERS[name]()
    records = [(number, shop.records[number].words, times) for number, times in shop.met.items()]
    lines: dict[object, LedgerEntry] = {}
    for line in shop.ledger:  # what is read when a question is taken up again counts in the same line
        before = lines.get((line.words, line.choices))
        new = line.new + (before.new if before else 0)
        lines[line.words, line.choices] = line._replace(new=new)
    policy.restore(written, records, lines.values())
    return policy


@pytest.mark.parametrize("name", MAKERS)
def test_a_crawl_that_is_killed_between_questions_goes_on_as_if_it_was_not(name: str) -> None:
    shop, plain = Shop(films(), cap=30), Shop(films(), cap=30)
    policy, whole = MAKERS[name](), MAKERS[name]()
    for each, site in ((policy, shop), (whole, plain)):
        begun(site, each, *(("film", "w1") if name != "selects" else ()))
    questions = 40 if name != "selects" else 30
    for number in range(questions):
        if number % 5 == 0:
            policy = restored(name, policy.to_json(), shop)
        wanted = policy.next()
        if wanted is None:
            break
        shop.answer(policy, wanted)

    plain.surface(whole, questions)

    assert len(shop.met) >= 0.9 * len(plain.met)


@pytest.mark.parametrize("name", MAKERS)
def test_a_crawl_that_is_killed_between_two_pages_goes_on_with_the_next(name: str) -> None:
    shop = Shop(films(), cap=50)
    policy = MAKERS[name]()
    begun(shop, policy, *(("w1",) if name != "selects" else ()))
    wanted = policy.next()
    assert wanted is not None
    assert not shop.answer(policy, wanted, pages=1)
    known = len(shop.met)

    policy = restored(name, policy.to_json(), shop)
    shop.go_on(policy, wanted.words, wanted.choices, at=PAGE)

    assert len(shop.met) > known
    following = policy.next()
    assert following is not None
    assert (following.words, following.choices) != (wanted.words, wanted.choices) or following.goes_on


def test_what_is_written_down_does_not_grow_with_what_was_asked() -> None:
    shop = Shop(films(2_000), cap=40)
    policy = OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film")
    shop.surface(policy, 40)
    early = len(policy.to_json())

    shop.surface(policy, 80)

    assert len(policy.to_json()) < 2 * early < 40_000


def test_a_control_that_a_form_has_no_more_is_not_asked_by() -> None:
    shop = Shop(films(), cap=30)
    shop.surface(MAKERS["selects"](), 20)
    policy = OptionsPolicy(None, SELECTS[:1])
    policy.restore("", [(number, (), 1) for number in shop.met], shop.ledger)

    while wanted := policy.next():
        assert dict(wanted.choices).keys() <= {"genre"}
        shop.asked.clear()
        shop.answer(policy, wanted)


def test_asking_for_the_next_question_twice_changes_nothing() -> None:
    shop = Shop(films(), cap=30)
    policy = MAKERS["box and selects"]()
    begun(shop, policy, "w1", "w2")
    for _ in range(25):
        first, second = policy.next(), policy.next()
        assert first is not None
        assert first == second
        shop.answer(policy, first)


_ASKED = """
from test_querying_policies_with_options import MAKERS, Shop, begun, films
shop, policy = Shop(films(), cap=30), MAKERS["box and selects"]()
begun(shop, policy, "w1", "w2")
for _ in range(60):
    wanted = policy.next()
    print(wanted)
    shop.answer(policy, wanted)
"""


def test_every_process_asks_the_same() -> None:
    """Sets have another order in each process: nothing may depend on it."""
    asked = {
        run(
            [sys.executable, "-c", _ASKED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(asked) == 1
    assert asked != {b""}


def test_a_page_without_a_question_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing is asked"):
        OptionsPolicy(None, SELECTS).read([])


@pytest.mark.parametrize("with_box", [True, False], ids=["words and choices", "choices alone"])
@pytest.mark.parametrize("says_total", [True, False])
def test_outages_cost_no_record_and_are_no_cap(with_box: bool, says_total: bool) -> None:
    shop = Shop(films(300), says_total=says_total)
    undisturbed = Shop(films(300), says_total=says_total)
    policy = OptionsPolicy(BenefitPolicy("en") if with_box else None, SELECTS, language="en")
    undisturbed.surface(OptionsPolicy(BenefitPolicy("en") if with_box else None, SELECTS, language="en"))
    interrupted: list[tuple[tuple[str, ...], tuple[Choice, ...]]] = []
    if with_box:
        policy.note_query(("film",))
        page = shop.found(("film",), ())[: 2 * PAGE]
        policy.read([(number, shop.records[number].words) for number in page], 300 if says_total else None)
        policy.interrupt_answer()
        interrupted.append((("film",), ()))
    for turn in range(60):
        wanted = policy.next()
        if wanted is None:
            break
        question = (wanted.words, wanted.choices)
        if turn % 3 or wanted.goes_on or len(shop.found(*question)) <= 2 * PAGE:
            shop.answer(policy, wanted)
        else:
            policy.note_query(*question)
            for start in (0, PAGE):
                page = shop.found(*question)[start : start + PAGE]
                total = len(shop.found(*question)) if says_total else None
                policy.read([(number, shop.records[number].words) for number in page], total)
                shop.met.update(dict.fromkeys(page, 1))
            policy.interrupt_answer()
            assert policy._words.reach.most is None
            interrupted.append(question)
        if turn % 3 == 1 and interrupted:
            question = interrupted.pop()
            policy.note_query(*question, goes_on=True)
            shop.go_on(policy, *question, at=2 * PAGE)

    assert len(shop.met) >= len(undisturbed.met) == 300


# What stands in front


def pages_turned(policy: OptionsPolicy, genre: str, numbers: Sequence[int]) -> int:
    """Choose a genre, which has these records in this order; return how many pages are turned."""
    policy.note_query((), (("genre", genre),))
    for at in range(0, len(numbers), PAGE):
        policy.read([(number, (genre,)) for number in numbers[at : at + PAGE]], 200)
        if not policy.is_worth_turning():
            break
    policy.end_answer(had_more=True)
    return at // PAGE


@pytest.mark.parametrize("new_behind", [False, True])
def test_pages_are_turned_for_what_stands_behind_known_records_until_that_was_in_vain(
    new_behind: bool,
) -> None:
    policy = OptionsPolicy(None, [select("genre", tuple("abcde"))])
    policy.note_query((), ())
    for at in range(0, 100, PAGE):
        policy.read([(number, ("film",)) for number in range(at, at + PAGE)], 400)
    policy.end_answer(had_more=True)

    turned = []
    for at, genre in enumerate("abcd"):
        behind = range(1_000 + 100 * at, 1_050 + 100 * at) if new_behind else range(50, 100)
        turned.append(pages_turned(policy, genre, [*range(50), *behind]))
        restored = OptionsPolicy(None, [select("genre", tuple("abcde"))])
        restored.restore(policy.to_json(), [], [])
        assert json.loads(restored.to_json())["fronts"] == json.loads(policy.to_json())["fronts"]

    assert turned[0] >= 5
    assert (turned[3] >= 5) is new_behind
