"""Which words are asked before answers say more, and that this goes on where it was written down."""

from __future__ import annotations

import json

from hiddenweb.querying.seed_words import MOST_SUGGESTED, MOST_WORDS, SeedWords, dictionary


def asked(words: SeedWords, count: int) -> list[str | None]:
    return [words.next() for _ in range(count)]


def test_the_most_frequent_word_of_the_forms_page_comes_first_and_stop_words_never() -> None:
    starting = SeedWords("en")

    starting.learn("The old wine. The red wine and the cheese. The wine of the valley, and cheese.")

    assert asked(starting, 2) == ["wine", "cheese"]
    assert "the" not in {word.lower() for word in asked(starting, 30) if word}


def test_equal_words_come_in_a_fixed_order() -> None:
    first, second = SeedWords("xx"), SeedWords("xx")
    first.learn("pear apple\nplum")
    second.learn("plum\napple pear")

    assert asked(first, 4) == asked(second, 4) == ["apple", "pear", "plum", None]


def test_one_long_passage_does_not_decide_alone() -> None:
    starting = SeedWords("xx")

    starting.learn("spam spam spam spam spam\nwine here\nwine there")

    assert starting.next() == "wine"


def test_only_one_form_of_a_word_is_submitted() -> None:
    starting = SeedWords("en")

    starting.learn("Gardens, garden.\nGardens, garden.\nA roof.")

    assert asked(starting, 2) == ["gardens", "roof"]


def test_a_word_has_its_most_frequent_spelling() -> None:
    starting = SeedWords("tr")

    starting.learn("Bu İstanbul güzel\nHep İstanbul\nve istanbul")

    assert starting.next() == "İstanbul"


def test_names_and_words_from_elsewhere_take_turns_when_the_first_words_of_the_page_find_nothing() -> None:
    starting = SeedWords("en", repository=("wine", "cheese"))
    starting.learn("Rivers and maps. Rivers and maps. Rivers of the Riffian coast. Mountains near Gaborone.")
    for _ in asked(starting, 2):
        starting.learn_result(anything=False)

    assert set(map(str, asked(starting, 6))) == {
        "Gaborone",
        "Riffian",
        "mountains",
        "coast",
        "wine",
        "cheese",
    }


def test_numbers_and_short_words_are_never_submitted() -> None:
    starting = SeedWords("xx")

    starting.learn("1984 ox brazil")

    assert asked(starting, 2) == ["brazil", None]


def test_scripts_without_spaces_are_submitted_in_their_own_units() -> None:
    starting = SeedWords("zh")

    starting.learn("红楼梦\n红楼")

    assert starting.next() == "红楼"


def test_a_page_without_words_falls_back_to_earlier_words_and_then_to_the_dictionary() -> None:
    starting = SeedWords("de", repository=("wein", "käse"))

    assert asked(starting, 3) == ["wein", "käse", dictionary("de")[0]]


def test_suggestions_of_the_site_come_first() -> None:
    starting = SeedWords("en")
    starting.learn("Wine and cheese.")

    starting.suggest("bread")

    assert asked(starting, 2) == ["bread", "cheese"]


def test_words_submitted_elsewhere_are_not_resubmitted_in_another_case() -> None:
    starting = SeedWords("en", repository=("Wine", "cheese"))

    starting.note_query("WINE")

    assert starting.next() == "cheese"


def test_restored_words_continue_as_before() -> None:
    starting = SeedWords("en", repository=("last",))
    starting.learn("Some page about rivers. Some words about Gaborone and Riffian hills.")
    starting.suggest("harbour")
    asked(starting, 2)
    starting.learn_result(anything=False)
    starting.learn_result(anything=False)

    written = json.loads(json.dumps(starting.to_json()))
    other = SeedWords.from_json(written, repository=("last",))

    assert asked(other, 30) == asked(starting, 30)


def test_the_saved_state_is_limited() -> None:
    starting = SeedWords("en")
    starting.learn("\n".join(f"frequent word{'abcdefghij'[n % 10]}{n}q other" for n in range(3 * MOST_WORDS)))
    starting.learn(
        "\n".join(f"{chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}" for n in range(5_000))
    )
    for n in range(100):
        starting.suggest(f"suggested{n}")
        starting.note_query(f"anything{n}")

    _, of_page, suggested, asked_before, *_ = starting.to_json()

    assert len(of_page) <= 2 * MOST_WORDS
    assert len(suggested) == MOST_SUGGESTED
    assert asked_before == []


def test_words_of_other_languages_come_after_those_of_the_page_found_nothing() -> None:
    starting = SeedWords("en")
    starting.learn("Welcome here. Suchen")
    found: list[str | None] = []
    for _ in range(9):
        found.append(starting.next())
        starting.learn_result(anything=False)

    assert not {"der", "de", "и"} & set(found[:6])
    assert found[6:] == ["der", "history", "de"]

    starting.learn_result(anything=True)
    for _ in range(7):
        starting.learn_result(anything=False)
    again = SeedWords.from_json(json.loads(json.dumps(starting.to_json())))

    assert starting.next() == again.next() in dictionary("en")
