"""What a search does with words, learnt from what it found for them."""

from __future__ import annotations

import json

import pytest

from hiddenweb.querying.search_behaviour import LATEST, AnswerReach, RecentNewness, SearchBehaviour


def note_found(
    behaviour: SearchBehaviour, word: str, found: int, *, held_by: int = 10, share: float = 0.1
) -> None:
    behaviour.learn_word(word, held_by=held_by, share=share, found=found)


def test_at_first_every_word_may_find_something() -> None:
    assert all(SearchBehaviour("en").can_find(word, 0.9) for word in ("a", "the", "author", "1999"))


def test_short_words_are_left_out_when_one_found_nothing() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "of", 0, share=0.4)
    assert not behaviour.can_find("by", 0.1)
    assert behaviour.can_find("the", 0.4)  # it is not the stop words that were refused


def test_a_short_word_that_finds_something_clears_the_others() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "xy", 0)
    note_found(behaviour, "ab", 4)
    assert behaviour.can_find("cd", 0.1)


def test_stop_words_are_left_out_when_one_found_nothing() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "which", 0)
    assert not behaviour.can_find("with", 0.1)
    assert behaviour.can_find("wine", 0.1)


def test_numbers_are_left_out_if_they_find_other_records_than_those_with_them() -> None:
    behaviour = SearchBehaviour("en")
    for day in ("07", "03"):
        behaviour.learn_word(day, held_by=20, share=0.4, found=2)

    assert not behaviour.can_find("11", 0.4)

    behaviour.learn_word("1999", held_by=20, share=0.4, found=2, or_more=True)

    assert behaviour.can_find("11", 0.4)


def test_numbers_are_left_out_when_two_found_nothing_until_one_does() -> None:
    behaviour = SearchBehaviour("en")
    behaviour.learn_word("3", held_by=2, share=0.1, found=0)
    assert behaviour.can_find("1999", 0.1)
    behaviour.learn_word("4", held_by=1, share=0.1, found=0)
    assert not behaviour.can_find("1999", 0.1)
    assert behaviour.can_find("amber", 0.1)
    behaviour.learn_word("2001", held_by=1, share=0.1, found=3)
    assert behaviour.can_find("1999", 0.1)


def test_an_ignored_label_counts_for_words_that_are_as_common() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "author", 0, share=0.9)
    assert not behaviour.can_find("publisher", 0.95)
    assert behaviour.can_find("history", 0.5)


def test_a_word_in_hardly_any_record_proves_nothing() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "of", 0, held_by=2)
    assert behaviour.can_find("by", 0.1)


def test_a_long_rare_word_that_finds_nothing_proves_nothing_about_others() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "lighthouse", 0)
    assert behaviour.can_find("sea", 0.1)
    assert behaviour.can_find("with", 0.1)


def test_in_scripts_without_spaces_short_words_are_words() -> None:
    behaviour = SearchBehaviour("zh")
    note_found(behaviour, "音乐", 0)
    assert behaviour.can_find("历史", 0.1)


def test_a_search_that_finds_more_with_one_more_word_finds_any() -> None:
    behaviour = SearchBehaviour("en")
    behaviour.learn_together(40, without_one=60)
    assert not behaviour.finds_any
    behaviour.learn_together(70, without_one=60)
    assert behaviour.finds_any


def test_a_word_that_makes_no_difference_is_left_out() -> None:
    behaviour = SearchBehaviour("en")
    behaviour.note_ignored("the")
    assert not behaviour.can_find("the", 0.1)


def test_the_behaviour_is_saved_and_restored() -> None:
    behaviour = SearchBehaviour("en")
    note_found(behaviour, "of", 0)
    note_found(behaviour, "which", 0)
    note_found(behaviour, "houses", 3)
    again = SearchBehaviour("en")
    again.restore(json.loads(json.dumps(behaviour.to_json())))
    for word in ("by", "with", "house", "film", "sea", "the"):
        assert again.can_find(word, 0.1) == behaviour.can_find(word, 0.1)


# How far answers reach


def end_answer(reach: AnswerReach, shown: int, total: int | None, *, had_more: bool = False) -> bool:
    """Tell of an answer, and return whether it was cut."""
    reach.end_answer(shown, total, had_more=had_more)
    return reach.is_cut(shown, total, had_more=had_more)


def test_an_answer_is_cut_where_the_site_says_that_there_is_more() -> None:
    reach = AnswerReach()
    assert not end_answer(reach, 40, 40)
    assert reach.most is None
    assert end_answer(reach, 100, 2_688)
    assert reach.most == 100


def test_an_unfinished_answer_says_nothing_about_the_limit() -> None:
    reach = AnswerReach()
    assert end_answer(reach, 40, None, had_more=True)
    assert reach.most is None


def test_answers_that_end_at_the_same_number_again_were_cut() -> None:
    reach = AnswerReach()
    assert not end_answer(reach, 100, None)
    assert not end_answer(reach, 37, None)
    assert end_answer(reach, 100, None)
    assert reach.most == 100
    assert not end_answer(reach, 37, None)  # twice as well, but others showed more


def test_answers_that_show_the_same_records_end_at_the_same_number_for_no_limit() -> None:
    same, others = AnswerReach(), AnswerReach()
    for times in range(5):
        same.end_answer(100, None, had_more=False, begins=1)
        others.end_answer(100, None, had_more=False, begins=times)

    assert same.most is None
    assert others.most == 100


def test_unfinished_answers_with_the_same_total_were_cut_if_more_records_are_known() -> None:
    reach, honest = AnswerReach(), AnswerReach()
    for _ in range(3):
        reach.end_answer(20, 30, had_more=True, known=50)
        honest.end_answer(20, 30, had_more=True, known=30)  # that may be all there is
    assert (reach.most, honest.most) == (30, None)
    assert [reach.learn_total(30), reach.learn_total(12)] == [None, 12]
    reach.end_answer(20, 31, had_more=True, known=50)  # so many were found by chance, then
    assert reach.most is None


def test_small_answers_end_at_the_same_number_by_chance() -> None:
    reach = AnswerReach()
    assert not any(end_answer(reach, 3, None) for _ in range(5))


def test_slightly_wrong_totals_are_no_limit() -> None:
    reach = AnswerReach()
    assert not end_answer(reach, 37, 38)  # one record was deleted since they were counted
    assert not end_answer(reach, 1_187, 1_200)  # "about 1,200"
    assert reach.most is None
    assert end_answer(reach, 100, 2_000)
    assert end_answer(reach, 100, 101)  # now it is known where answers end


def test_a_longer_answer_disproves_a_limit() -> None:
    reach = AnswerReach()
    end_answer(reach, 40, 90)
    assert reach.most == 40
    assert not end_answer(reach, 80, 80)
    assert reach.most is None


def test_some_sites_show_nothing_of_too_long_answers() -> None:
    reach = AnswerReach()
    assert not end_answer(reach, 20, 20)
    assert end_answer(reach, 0, 620)
    assert end_answer(reach, 0, 62)
    assert (reach.most, reach.refused) == (None, 62)
    assert not end_answer(reach, 500, 500)  # the page with 62 was broken, then
    assert reach.refused is None


def test_a_site_that_finds_nothing_refuses_nothing() -> None:
    reach = AnswerReach()
    assert not end_answer(reach, 0, 0)
    assert not end_answer(reach, 0, None)
    assert (reach.most, reach.refused) == (None, None)


@pytest.mark.parametrize(("records", "pages"), [(5, 1), (20, 1), (60, 3), (1_000, 5)])
def test_pages_of_an_answer(records: int, pages: float) -> None:
    reach = AnswerReach()
    reach.add_page(20)
    end_answer(reach, 100, 200)
    assert reach.pages(records) == pages


def test_the_reach_is_saved_and_restored() -> None:
    reach = AnswerReach()
    reach.add_page(20)
    end_answer(reach, 0, 300)
    end_answer(reach, 100, None)
    again = AnswerReach()
    again.restore(json.loads(json.dumps(reach.to_json())))
    assert (again.page_size, again.refused) == (20, 300)
    assert end_answer(again, 100, None)


# How much is new


def test_the_odds_are_those_of_the_last_answers() -> None:
    latest = RecentNewness()
    assert latest.odds == 1.0
    latest.add(10, 8, 100)
    assert latest.odds == pytest.approx((8 + 2) / (2 + 2))
    for _ in range(LATEST):
        latest.add(10, 0, 100)
    assert latest.odds == pytest.approx(2 / (10 * LATEST + 2))


def test_the_last_answers_are_saved_and_restored() -> None:
    latest = RecentNewness()
    latest.add(10, 8, 100)
    again = RecentNewness()
    again.restore(json.loads(json.dumps(latest.to_json())))
    assert again.odds == latest.odds


def test_one_answer_may_bring_most_of_the_known_records() -> None:
    """Five of ten known records are among five hundred: there are about a thousand, and half of them are hidden now."""
    latest = RecentNewness()
    latest.add(500, 495, 10)
    assert latest.odds == pytest.approx(71, rel=0.01)
    assert latest.odds_now(505) == pytest.approx(500 * 10 / 6 / 505 - 1)
    assert latest.odds_now(2_000) == 0.02


def test_answers_that_say_they_are_whole_and_end_at_the_same_number_are_cut() -> None:
    reach = AnswerReach()
    for shown, total in ((50, 50), (12, 12), (50, 50)):
        reach.end_answer(shown, total, had_more=False)
    assert not reach.is_cut(50, 50, had_more=False)

    reach.end_answer(50, 50, had_more=False)

    assert reach.most == 50
    assert reach.is_cut(50, 50, had_more=False)
    assert not reach.is_cut(49, 49, had_more=False)
    assert (reach.learn_total(50), reach.learn_total(49)) == (None, 49)
    again = AnswerReach()
    again.restore(reach.to_json())
    assert again.is_cut(50, 50, had_more=False)
    reach.end_answer(60, 60, had_more=False)
    assert (reach.to_json()["most"], reach.learn_total(50)) == (None, 50)


def test_a_site_may_refuse_without_a_total() -> None:
    reach = AnswerReach()
    reach.end_answer(90, 90, had_more=False)

    reach.note_refusal(80.0)
    assert reach.to_json()["refused"] is None
    reach.note_refusal(700.0)
    reach.note_refusal(600.0)
    assert reach.refused == 600
