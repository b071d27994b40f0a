"""Records as CSV.

The first line fixes the columns, and nobody knows then which attributes later records have. So the columns are those that every record
has, and one with all attributes as JSON: nothing is lost. Who names fields gets these, an attribute of that name in each.
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
    """Writes a line for each record; a file that is gone on with keeps its first line."""

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
            include_headers_line and not _goes_on(file),
            join_multivalued,
            fields_to_export=fields_to_export or (*RECORD_COLUMNS, ATTRIBUTES),
            **options,
        )

    def export_item(self, item: dict[str, Any]) -> None:
        further = {name: value for name, value in item.items() if name not in RECORD_COLUMNS}
        said = json.dumps(further, ensure_ascii=False) if further else ""
        super().export_item(item | {ATTRIBUTES: said})


def _goes_on(file: Any) -> bool:
    """Say whether a file on disk is appended to and has something already; what compresses has begun, but written nothing."""
    on_disk = getattr(file, "file", file)
    return getattr(on_disk, "mode", "") == "ab" and os.fstat(on_disk.fileno()).st_size > 0
