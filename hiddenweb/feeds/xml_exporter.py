"""Records as XML.

Names of attributes are not always valid names of elements (`Date of birth`, `2nd author`). So the common columns are elements of their names, and
each value of an attribute is `<attribute name="author">Jane Smith</attribute>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.sax.xmlreader import AttributesImpl

from scrapy.exporters import XmlItemExporter

from hiddenweb.signals import RECORD_COLUMNS, TYPED

if TYPE_CHECKING:
    from collections.abc import Iterable

_not_in_xml = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]").sub


class RecordXmlExporter(XmlItemExporter):
    """Writes an element for each record, without characters that XML does not allow."""

    def get_serialized_fields(self, item: Any, *args: Any, **options: Any) -> Iterable[tuple[str, Any]]:
        for name, value in super().get_serialized_fields(item, *args, **options):
            if name == TYPED:
                continue
            yield _clean(name), [_clean(each) for each in value] if isinstance(value, list) else _clean(value)

    def _export_xml_field(self, name: str, serialized_value: Any, depth: int) -> None:
        values = serialized_value if isinstance(serialized_value, list) else [serialized_value]
        element, attributes = ("attribute", {"name": name}) if name not in RECORD_COLUMNS else (name, {})
        for value in values:
            self._beautify_indent(depth=depth)
            self.xg.startElement(element, AttributesImpl(attributes))
            self.xg.characters(value)
            self.xg.endElement(element)
            self._beautify_newline()


def _clean(text: str) -> str:
    return _not_in_xml(" ", text)
