from __future__ import annotations

from feed_rows import stored

from hiddenweb.feeds.rows import row_of
from hiddenweb.signals import ATTRIBUTES, RECORD_COLUMNS, TYPED


def test_no_attribute_takes_the_name_of_a_column() -> None:
    columns = (*RECORD_COLUMNS, ATTRIBUTES, TYPED)
    others = [name for name in columns if name != "title"]  # an attribute of that name is the title

    row = row_of(stored("a.example", "One", [(name, "x") for name in others]))

    assert len(set(columns)) == len(columns)
    assert [name for name, value in row.items() if value == "x"] == [f"{name}_" for name in others]
