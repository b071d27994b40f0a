"""Records as CSV.

The first line fixes the columns before the attributes of later records are known. So the columns are those that every record
has, and one with all attributes as JSON: nothing is lost. If fields are named, these are the columns, each with the attribute of that name.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from scrapy.exporters import CsvItemExporter

from hiddenweb.signals import ATTRIBUTES, RECORD_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from io import BytesIO


class RecordCsvExporter(CsvItemExporter):
    """Writes a line for each record; a file that is appended to gets no second head."""

    def __init__(
        self,
        file: BytesIO,
        include_headers_line: bool = True,
        join_multivalued: str = "; ",
        *,
        fields_to_export: Mapping[str, str] | Iterable[str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            file,
            include_headers_line and not _has_content(file),
            join_multivalued,
            fields_to_export=fields_to_export or (*RECORD_COLUMNS, ATTRIBUTES),
            **options,
        )

    def export_item(self, item: dict[str, Any]) -> None:
        further = {name: value for name, value in item.items() if name not in RECORD_COLUMNS}
        text = json.dumps(further, ensure_ascii=False) if further else ""
        super().export_item(item | {ATTRIBUTES: text})


def _has_content(file: Any) -> bool:
    """Return whether a file on disk is appended to and has content already; a compressor has not written to it yet."""
    on_disk = getattr(file, "file", file)
    return getattr(on_disk, "mode", "") == "ab" and os.fstat(on_disk.fileno()).st_size > 0
