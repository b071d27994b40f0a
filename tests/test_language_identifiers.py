"""How names made for machines are read."""

from __future__ import annotations

from hiddenweb.language.identifiers import split_identifier


def test_names_made_for_machines_are_cut_into_words() -> None:
    assert split_identifier("edit-searchBox_2") == "edit search Box"
