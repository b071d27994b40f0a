"""Which word is asked next, and that a chooser goes on where it was written down."""

from __future__ import annotations

import json

import pytest

from hiddenweb.forms.keywords import DICTIONARY, MOST_TERMS, KeywordChooser


def asked(chooser: KeywordChooser, count: int) -> list[str | None]:
    return [chooser.next() for _ in range(count)]


def test_the_most_frequent_word_of_the_forms_page_comes_first_and_stop_words_never() -> None:
    chooser = KeywordChooser("en")

    chooser.learn("The old wine. The red wine and the cheese. The wine of the valley, and cheese.")

    assert asked(chooser, 2) == ["wine", "cheese"]
    assert "the" not in {word.lower() for word in asked(chooser, 30) if word}


def test_words_of_records_come_before_words_of_the_page() -> None:
    chooser = KeywordChooser("en")
    chooser.learn("Museum. Museum. Museum.")

    chooser.learn_records(["a green lamp", "a green chair"])

    assert asked(chooser, 4) == ["green", "chair", "lamp", "museum"]


def test_equal_words_are_asked_in_an_order_that_never_changes() -> None:
    first, second = KeywordChooser("en"), KeywordChooser("en")
    first.learn_records(["pear apple", "plum"])
    second.learn_records(["plum", "apple pear"])

    assert asked(first, 3) == asked(second, 3) == ["apple", "pear", "plum"]


def test_what_stands_in_every_record_is_a_label_and_waits_for_all_others() -> None:
    chooser = KeywordChooser("en")

    chooser.learn_records(
        f"Author: {name} Price: low" for name in ("Smith", "Jones", "Miller", "Cook", "Baker")
    )

    assert sorted(str(word) for word in asked(chooser, 5)) == ["Baker", "Cook", "Jones", "Miller", "Smith"]
    remaining = asked(chooser, len(DICTIONARY["en"]) + 2)
    assert remaining[-2:] == ["Author", "Price"]


def test_a_common_word_that_found_nothing_makes_its_equals_wait() -> None:
    chooser = KeywordChooser("en")
    texts = ["shelf alpha beta"] * 6 + ["shelf gamma"] * 2 + ["delta"] * 2
    chooser.learn_records(texts)
    assert chooser.next() == "shelf"

    chooser.refused("shelf")

    assert asked(chooser, 2) == ["alpha", "beta"]  # less common than what was refused: still good


def test_of_the_forms_of_a_word_one_is_asked_while_there_are_others() -> None:
    chooser = KeywordChooser("en")

    chooser.learn_records(["garden gardens", "garden gardens", "roof"])

    assert asked(chooser, 2) == ["gardens", "roof"]


def test_a_word_is_asked_as_it_is_mostly_written() -> None:
    chooser = KeywordChooser("tr")

    chooser.learn_records(["İstanbul Boğazı", "İstanbul çayı", "istanbul"])

    assert chooser.next() == "İstanbul"


def test_names_come_next_when_the_first_words_of_the_page_find_nothing() -> None:
    chooser = KeywordChooser("en")
    chooser.learn("Rivers and maps. Rivers and maps. Rivers of the Riffian coast. Mountains near Gaborone.")
    for word in asked(chooser, 2):
        chooser.refused(str(word))

    assert asked(chooser, 2) == ["Gaborone", "Riffian"]


def test_numbers_are_asked_only_when_nothing_else_is_left() -> None:
    chooser = KeywordChooser("xx")
    chooser.learn_records(["1984 brazil", "1984"])

    assert asked(chooser, 3) == ["brazil", "1984", None]


def test_scripts_without_spaces_are_asked_in_their_own_units() -> None:
    chooser = KeywordChooser("zh")

    chooser.learn_records(["红楼梦", "红楼"])

    assert chooser.next() == "红楼"


def test_a_page_without_words_falls_back_to_earlier_words_and_then_to_the_dictionary() -> None:
    chooser = KeywordChooser("de", repository=("wein", "käse"))

    assert asked(chooser, 3) == ["wein", "käse", DICTIONARY["de"][0]]


def test_what_was_asked_is_not_asked_again_whatever_its_case() -> None:
    chooser = KeywordChooser("en", repository=("Wine", "cheese"))
    chooser.refused("wine")

    assert chooser.next() == "cheese"
    assert chooser.asked == ("wine", "cheese")


def test_a_chooser_that_was_written_down_goes_on_as_if_nothing_had_happened() -> None:
    texts = [f"common word{n % 7} rare{n} Şişli" for n in range(40)]
    chooser = KeywordChooser("en", repository=("last",))
    chooser.learn("Some page. Some words.")
    chooser.learn_records(texts)
    asked(chooser, 3)
    chooser.refused("common")

    other = KeywordChooser.from_json(chooser.to_json(), repository=("last",))

    assert asked(other, 60) == asked(chooser, 60)


def test_what_is_written_down_does_not_grow_without_end() -> None:
    chooser = KeywordChooser("en")
    chooser.learn_records(f"word{n} other{n}x frequent" for n in range(3 * MOST_TERMS))

    state = json.loads(chooser.to_json())

    assert len(state["records"]["terms"]) == MOST_TERMS
    assert state["records"]["terms"][0][0] == "frequent"


def test_a_state_of_another_version_is_refused() -> None:
    state = json.loads(KeywordChooser("en").to_json()) | {"version": 99}

    with pytest.raises(ValueError, match="99"):
        KeywordChooser.from_json(json.dumps(state))


def test_rare_words_are_forgotten_when_there_are_too_many() -> None:
    chooser = KeywordChooser("xx", most_terms=2)
    chooser.learn_records([f"frequent {'abcdefghij'[n // 10]}{'klmnopqrst'[n % 10]}x" for n in range(100)])

    words = asked(chooser, 100)

    assert "frequent" in words
    assert words.index(None) == 20
