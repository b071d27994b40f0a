"""XML can be read, whatever names and values records have."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import pytest
from feed_rows import PLAIN, RIVER, STONE, export_rows

from hiddenweb.feeds.xml_exporter import RecordXmlExporter


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_xml_can_be_read_whatever_names_and_values_are(indent: int | None) -> None:
    file = io.BytesIO()
    export_rows(RecordXmlExporter(file, indent=indent), [RIVER, STONE, PLAIN])

    river, stone, plain = ET.fromstring(file.getvalue().decode())
    assert river.findtext("title") == 'The River, or: "Home"'
    assert [(part.get("name"), part.text) for part in river.iter("attribute")] == [
        ("author", "Jane Smith"),
        ("author", "John Doe"),
        ("Date of birth", "1950"),
    ]
    assert [(part.get("name"), part.text) for part in stone.iter("attribute")] == [
        ("2nd <price>", "12.50 & more ")
    ]
    assert [part.tag for part in plain] == ["site", "url", "title", "extractor", "found_at", "kind"]
