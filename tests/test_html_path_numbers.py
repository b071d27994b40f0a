from __future__ import annotations

from hiddenweb.html.path_numbers import class_names, stable_hash, step_number


def test_numbers_are_the_same_in_every_process_for_they_are_stored() -> None:
    assert stable_hash("") == 0x2D06800538D394C2
    assert step_number(5, "row-7 odd") == stable_hash("5.odd row-0")


def test_a_broken_character_has_a_number_too() -> None:
    assert stable_hash("\ud800") != stable_hash("")


def test_order_case_digits_and_doubles_make_no_difference_to_classes() -> None:
    assert class_names("B a item-12") == class_names("item-3 a b A") == ("a", "b", "item-0")
    assert class_names(" ") == ()


def test_tags_and_classes_make_a_difference_to_a_step() -> None:
    assert len({step_number(1, ""), step_number(2, ""), step_number(1, "a"), step_number(1, "b")}) == 4
