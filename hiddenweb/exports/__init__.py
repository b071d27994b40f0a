"""Stored records as files of other programs: CSV, JSON, spreadsheets, Parquet, SQLite; and the pages as WARC.

`export_records` in `hiddenweb.exports.export` is all that callers need. Each format has a module, which alone imports what it needs;
a format whose packages are missing says which extra brings them.
"""
