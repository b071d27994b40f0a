"""How names made for machines are read."""

from __future__ import annotations

from hiddenweb.language.identifiers import identifier_parts, split_identifier


def test_names_made_for_machines_are_cut_into_words() -> None:
    assert split_identifier("edit-searchBox_2") == "edit search Box"


def test_abbreviations_and_numbers_are_parts_of_their_own() -> None:
    assert identifier_parts("HTTPServer2-größeA_b") == ["HTTP", "Server", "2", "größe", "A", "b"]
