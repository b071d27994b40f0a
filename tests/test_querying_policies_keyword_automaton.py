"""How an automaton chooses keywords, and is saved and restored."""

from __future__ import annotations

import json
from random import Random

import pytest

from hiddenweb.learning.automaton import UnknownAction
from hiddenweb.querying.policies.keyword_automaton import KeywordAutomaton


def take_words(automata: KeywordAutomaton, count: int) -> list[str | None]:
    return [automata.next() for _ in range(count)]


def test_words_of_records_are_submitted_once_each() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["red", "wine"])
    automata.add(["red", "cheese"])

    words = take_words(automata, 4)

    assert set(words[:3]) == {"red", "wine", "cheese"}
    assert words[3] is None
    assert automata.submitted == tuple(words[:3])


def test_without_records_there_is_no_query() -> None:
    assert KeywordAutomaton(Random(1)).next() is None


def test_choice_is_between_the_words_that_most_records_hold() -> None:
    automata = KeywordAutomaton(Random(1), most_words=2)
    for record in (
        ["red", "wine", "wine", "wine"],
        ["red", "cheese"],
        ["red", "cheese"],
        ["cheese", "bread"],
    ):
        automata.add(record)

    automata.next()

    assert set(automata.probabilities()) == {"red", "cheese"}
    assert "wine" not in take_words(automata, 1)


def test_word_that_others_overtook_is_dropped() -> None:
    automata = KeywordAutomaton(Random(1), most_words=2)
    automata.add(["apple", "berry", "cherry"])
    first = str(automata.next())
    left = {"apple": "berry", "berry": "apple"}[first]

    for _ in range(2):
        automata.add(["wine", "bread", first])
    automata.next()

    assert set(automata.probabilities()) == {first, "wine", "bread"}  # the first one waits for its answer
    assert left not in automata.submitted


@pytest.mark.parametrize(
    ("new", "seen", "rewarded"),
    [
        (5, 0, True),
        (1, 0, True),
        (1, 4, True),  # a fifth
        (1, 5, False),
        (0, 5, False),
        (0, 0, False),  # no answer
    ],
)
def test_answer_is_rewarded_for_its_share_of_new_records(new: int, seen: int, rewarded: bool) -> None:
    automata = KeywordAutomaton(Random(1), least_new=0.2)
    automata.add(["wine"])
    automata.next()

    assert automata.learn_answer("wine", new, seen) is rewarded

    assert (automata.rewards, automata.penalties) == ((1, 0) if rewarded else (0, 1))


def test_even_without_a_share_something_must_be_new() -> None:
    automata = KeywordAutomaton(Random(1), least_new=0.0)
    automata.add(["wine"])
    automata.next()

    assert automata.learn_answer("wine", 0, 3) is False


def test_heirs_of_a_rewarded_word_get_its_probability() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["a", "b", "c", "d"])
    word = str(automata.next())
    heir, *others = sorted({"a", "b", "c", "d"} - {word})

    automata.learn_answer(word, 1, 0, heirs=[heir])

    # All had 1/4. E = 0.5623351 and a = 0.3599325 as above: the word gets 0.5199494, all others 0.6400675 / 4 = 0.1600169.
    expected = {heir: 0.1600169 + 0.5199494} | dict.fromkeys(others, 0.1600169)
    assert automata.probabilities() == pytest.approx(expected, abs=1e-7)


def test_word_of_the_records_it_found_can_be_its_heir() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["a", "b"])
    word = str(automata.next())
    automata.add([word, "new"])

    automata.learn_answer(word, 1, 0, heirs=[word, "new"])

    assert automata.probabilities()["new"] > 0.5


@pytest.mark.parametrize(("new", "heirs"), [(1, ()), (0, ("b", "c"))])
def test_without_reward_or_heirs_words_stay_equal(new: int, heirs: tuple[str, ...]) -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["a", "b", "c", "d"])
    word = str(automata.next())

    automata.learn_answer(word, new, 0, heirs=heirs)

    assert automata.probabilities() == pytest.approx(dict.fromkeys({"a", "b", "c", "d"} - {word}, 1 / 3))


def test_penalty_moves_the_other_words_towards_equality() -> None:
    automata = KeywordAutomaton(Random(1), penalty=0.1)
    automata.add(["a", "b", "c", "d"])
    first = str(automata.next())
    heir, low, lower = sorted({"a", "b", "c", "d"} - {first})
    automata.learn_answer(first, 1, 0, heirs=[heir])
    automata.note_query(lower)

    automata.learn_answer(lower, 0, 0)

    # 0.6799662, 0.1600169, 0.1600169. The last is penalised: 0.05 + 0.9 * 0.6799662 = 0.6619696 and 0.05 + 0.9 * 0.1600169
    # = 0.1940152 stay, divided by their sum 0.8559848. Without the penalty it would be 0.6799662 / 0.8399831 = 0.8095.
    assert automata.probabilities() == pytest.approx({heir: 0.7733428, low: 0.2266572}, abs=1e-6)


def test_word_that_waits_for_its_answer_is_no_heir_and_not_resubmitted() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["a", "b", "c"])
    one, other = str(automata.next()), str(automata.next())
    (left,) = {"a", "b", "c"} - {one, other}
    before = automata.probabilities()[other]

    automata.learn_answer(one, 1, 0, heirs=[other, left])

    assert automata.probabilities()[other] < before
    assert take_words(automata, 2) == [left, None]


def test_word_chosen_elsewhere_is_not_chosen_again_and_can_be_answered() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["a", "b"])

    automata.note_query("a")
    automata.note_query("dictionary")

    assert take_words(automata, 2) == ["b", None]
    assert automata.learn_answer("dictionary", 3, 0) is True
    automata.add(["dictionary", "a"])
    assert automata.next() is None


@pytest.mark.parametrize("word", ["wine", "red"])
def test_answer_to_a_word_that_was_not_asked_is_refused_by_name(word: str) -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["red"])

    with pytest.raises(UnknownAction, match=f"'{word}' was not submitted"):
        automata.learn_answer(word, 1, 0)


def test_answer_is_taken_once() -> None:
    automata = KeywordAutomaton(Random(1))
    automata.add(["red", "wine"])
    automata.note_query("red")
    automata.learn_answer("red", 1, 0)

    with pytest.raises(UnknownAction, match="'red'"):
        automata.learn_answer("red", 1, 0)

    assert automata.rewards == 1


@pytest.mark.parametrize(("new", "seen"), [(-1, 0), (0, -1)])
def test_numbers_below_nothing_are_refused(new: int, seen: int) -> None:
    automata = KeywordAutomaton(Random(1))
    automata.note_query("red")

    with pytest.raises(ValueError, match="'red' found"):
        automata.learn_answer("red", new, seen)


@pytest.mark.parametrize("wrong", [{"least_new": 1.1}, {"least_new": float("nan")}, {"most_words": 0}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))):
        KeywordAutomaton(Random(1), **wrong)  # type: ignore[arg-type]


def harvest(automata: KeywordAutomaton, queries: int) -> list[str | None]:
    """Query a database of 200 records; return the queries."""
    records = [
        {f"w{number % 7}", f"x{number % 31}", f"y{number % 53}", f"z{number}"} for number in range(200)
    ]
    known: set[int] = set()
    words = []
    for _ in range(queries):
        words.append(word := automata.next())
        if word is None:
            break
        found = [number for number, record in enumerate(records) if word in record][:10]
        new = [number for number in found if number not in known]
        known.update(new)
        for number in new:
            automata.add(records[number])
        heirs = sorted(set[str]().union(*(records[number] for number in new)))
        automata.learn_answer(word, len(new), len(found) - len(new), heirs=heirs)
    return words


def test_queries_lead_to_further_queries() -> None:
    automata = KeywordAutomaton(Random(4))
    automata.add(["w3"])

    words = harvest(automata, 60)

    assert words[0] == "w3"
    assert len(set(words)) == 60
    assert automata.rewards + automata.penalties == 60
    assert automata.rewards > 10


@pytest.mark.parametrize("queries", [0, 1, 25])
def test_restored_automata_continue_as_before(queries: int) -> None:
    chance = Random(6)
    automata = KeywordAutomaton(chance, most_words=20, penalty=0.1)
    automata.add(["w1", "w2", "w3", "ночь", "\ud800"])
    harvest(automata, queries)
    waiting = str(automata.next())
    again = Random()
    again.setstate(chance.getstate())

    other = KeywordAutomaton(again, most_words=20, penalty=0.1)
    for word in automata.submitted:
        other.note_past_query(word)
    other.restore(json.loads(json.dumps(automata.to_rows())))
    other._records = automata._records.copy()

    assert other.probabilities() == automata.probabilities()
    assert other.learn_answer(waiting, 1, 0) == automata.learn_answer(waiting, 1, 0)
    assert harvest(other, 40) == harvest(automata, 40)
    assert other.to_rows() == automata.to_rows()


def test_same_chance_submits_the_same_and_another_differently() -> None:
    def queries_of(seed: int) -> list[str | None]:
        automata = KeywordAutomaton(Random(seed))
        automata.add(["w1", "w2", "w3"])
        return harvest(automata, 40)

    assert queries_of(1) == queries_of(1) != queries_of(2)


def test_looking_at_probabilities_changes_nothing() -> None:
    watched, alone = KeywordAutomaton(Random(1), most_words=5), KeywordAutomaton(Random(1), most_words=5)
    for automata in (watched, alone):
        for number in range(40):
            automata.add([f"w{number % 9}", f"x{number % 7}"])
            if automata is watched:
                automata.probabilities()

    assert take_words(watched, 10) == take_words(alone, 10)


def test_the_number_of_counted_words_is_limited() -> None:
    automata = KeywordAutomaton(Random(1), most_words=3)

    for number in range(1_000):
        automata.add(["frequent", f"rare{number}", "x" * 101, ""])

    assert len(automata._records) <= 60
    assert automata.count_records("frequent") == 1_000
    assert automata.count_records("") == automata.count_records("x" * 101) == 0
    automata.next()
    assert len(automata.probabilities()) == 3


def test_automata_that_cannot_be_read_are_refused() -> None:
    actions, rewards, penalties, _ = KeywordAutomaton(Random(1)).to_rows()

    with pytest.raises(ValueError, match="waits"):
        KeywordAutomaton(Random(1)).restore([actions, rewards, penalties, ["gone"]])
