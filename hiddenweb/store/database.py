"""The store of a crawl in one SQLite file: frontier, pages, forms, submissions, records, outbox.

Each group of tables has a class of its own, and is an attribute here. All of them write through one file, so that
what belongs together is in one transaction: after a kill all of it is there, or none.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hiddenweb.store.forms import FormStore
from hiddenweb.store.frontier import FrontierStore
from hiddenweb.store.knowledge import KnowledgeStore
from hiddenweb.store.outbox import OutboxStore
from hiddenweb.store.pages import PageStore
from hiddenweb.store.records import RecordStore
from hiddenweb.store.runs import RunStore
from hiddenweb.store.sites import SiteStore
from hiddenweb.store.sqlite_file import SqliteFile
from hiddenweb.store.submissions import SubmissionStore
from hiddenweb.store.versions import VersionStore

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.store.record_attributes import RecordAttributes


class Store(SqliteFile):
    """An open store. `write=False` opens it for reading beside a running crawl."""

    def __init__(self, folder: Path, *, write: bool = True) -> None:
        super().__init__(folder, write=write)
        self.knowledge = KnowledgeStore(self)
        self.sites = SiteStore(self, self.knowledge)
        self.runs = RunStore(self, self.sites)
        self.frontier = FrontierStore(self, self.sites)
        self.versions = VersionStore(self.db)
        self.pages = PageStore(self, self.versions)
        self.forms = FormStore(self, self.sites)
        self.submissions = SubmissionStore(self, self.sites, self.frontier, self.forms)
        self.outbox = OutboxStore(self)
        self.records = RecordStore(self, self.outbox, self.forms, lambda: self.record_attributes)

    @cached_property
    def record_attributes(self) -> RecordAttributes:
        """The attributes of records; made when they are first needed, since commands that only count would pay for its imports."""
        from hiddenweb.store.record_attributes import RecordAttributes

        return RecordAttributes(self, self.knowledge, self.outbox)

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each table; of the frontier by state."""
        counted = dict.fromkeys(("pending", "leased", "done", "missed", "refused"), 0)
        names = tuple(counted)
        for state, number in self.db.execute("SELECT state, count(*) FROM links GROUP BY state"):
            counted[names[state]] = number
        for table in (
            "sites",
            "hosts",
            "pages",
            "versions",
            "forms",
            "submissions",
            "records",
            "documents",
            "outbox",
        ):
            counted[table] = self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return counted
