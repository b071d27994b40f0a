"""The differences between any two versions of a page."""

from __future__ import annotations

from hiddenweb.model import Record
from hiddenweb.reports.changes import comparison_facts, comparison_lines
from hiddenweb.revisit.change import Edit
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.revisit.versions import VersionDiff, compare_versions

OLD = PageVersion(
    "Lamps", ("Made of brass in 1900 by hand.", "It stands in the hall.", "Ask for it.", "Closed on Monday.")
)
NEW = PageVersion(
    "Lamps and more",
    ("Made of silver in 1900 by hand.", "Ask for it.", "Open all week now.", "Closed on Monday."),
)


def test_any_two_versions_are_compared_word_by_word_in_the_order_of_the_page() -> None:
    found = compare_versions(OLD, NEW)

    assert found.parts[:2] == (
        Edit("Lamps", "Lamps and more"),
        Edit("Made of brass in 1900 by hand.", "Made of silver in 1900 by hand."),
    )
    assert found.edits[:2] == (Edit("", "and more"), Edit("brass", "silver"))
    assert [part.before or part.after for part in found.parts[2:]] == [
        "It stands in the hall.",
        "Open all week now.",
    ]
    assert compare_versions(NEW, NEW) == VersionDiff()
    assert {Edit(edit.after, edit.before) for edit in found.edits} == set(compare_versions(NEW, OLD).edits)


def test_a_comparison_shows_words_in_their_sentence() -> None:
    long = "It was found under the floor of an old house by the sea. " * 5
    found = compare_versions(
        PageVersion("", (f"{long}Made of brass.",)), PageVersion("", (f"{long}Made of silver\x1b[2J.",))
    )

    (plain,) = comparison_lines(found, in_colour=False)
    assert plain.endswith("by the sea. Made of [-brass-]{+silver[2J+}.")
    assert plain.startswith("    …")
    assert len(plain) < 120
    inserted = compare_versions(PageVersion("", ("The red house",)), PageVersion("", ("The old red house",)))
    assert comparison_lines(inserted, in_colour=False) == ["    The {+old+} red house"]
    (coloured,) = comparison_lines(found)
    assert "\x1b[31;9mbrass\x1b[0m\x1b[32;4msilver[2J\x1b[0m" in coloured


def test_records_are_compared_by_key() -> None:
    old = [
        Record("http://a.example/1", "One", "One 5", None, (("Price", "5"),)),
        Record("http://a.example/2", "Two", "Two"),
    ]
    new = [
        Record("http://a.example/3", "Three", "Three"),
        Record("http://a.example/1", "One", "One 6", None, (("Price", "6"),)),
    ]
    found = compare_versions(PageVersion(), PageVersion(), old, new)

    assert comparison_lines(found, in_colour=False) == [
        "    ~ record changed  One",
        "        Price: [-5-]{+6+}",
        "    + record added  Three",
        "        {+Three+}",
        "    - record removed  Two",
        "        [-Two-]",
    ]
    assert comparison_facts(found)["records"] == [
        {
            "kind": "record changed",
            "key": "http://a.example/1",
            "title": "One",
            "attribute": "Price",
            "before": "5",
            "after": "6",
        },
        {"kind": "record added", "key": "http://a.example/3", "title": "Three", "after": "Three"},
        {"kind": "record removed", "key": "http://a.example/2", "title": "Two", "before": "Two"},
    ]
