"""A crawl that queries known forms and explores nothing: only the tasks of these forms are leased.

The tasks of a form are its queries, the further pages of its answers, and the pages of the records in these. All of them
have the number of their query and one of two buckets, so that those of a host are found without reading all that waits there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

from hiddenweb.frontier.scope import QUERIES, RECORDS
from hiddenweb.model import CrawlTask
from hiddenweb.store.frontier import SELECT_TASK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from hiddenweb.store.database import Store

ONLY_QUERIED = "only its forms were queried"
"""Why sites are left when such a crawl has ended: their links are not followed."""

_NUMBER = re.compile(r"#?\d{1,18}", re.ASCII)
_OF_THEM = (
    f"bucket IN ({QUERIES}, {RECORDS}) AND EXISTS (SELECT 1 FROM submissions s WHERE s.id = links.submission"
    " AND s.form IN (SELECT value FROM json_each(?)))"
)
_OF_HOST = f"links.host = ? AND links.state = 0 AND {_OF_THEM}"


def parse_form_numbers(numbers: str | Iterable[object]) -> list[int]:
    """Return the numbers of forms that a list names, each once; raises ValueError for anything else.

    >>> parse_form_numbers("12, #15 12")
    [12, 15]
    """
    words = (
        re.split(r"[\s,]+", numbers.strip(" \t\r\n,"))
        if isinstance(numbers, str)
        else list(map(str, numbers))
    )
    if bad := [word for word in words if not _NUMBER.fullmatch(word)]:
        raise ValueError(
            f"forms: {bad[0][:100]!r} is not the number of a form; scrapy forms shows the numbers"
        )
    return list(dict.fromkeys(int(word.lstrip("#")) for word in words))


class ChosenForms:
    """The forms that a crawl queries."""

    def __init__(self, store: Store, forms: Collection[int]) -> None:
        self._store = store
        self.numbers = frozenset(forms)
        self._json_numbers = json.dumps(sorted(self.numbers))

    def add(self, forms: Iterable[int]) -> None:
        """Query these forms too."""
        self.numbers |= frozenset(forms)
        self._json_numbers = json.dumps(sorted(self.numbers))

    def resume(self) -> list[int]:
        """Want the sites of the forms, and wake the hosts with waiting tasks of them; return the sites."""
        sites = [self._store.sites.want(seed) for _, seed in self._load_sites()]
        self._store.sites.woken_hosts.update(
            cast("int", row[0]) for row in self._select_waiting("DISTINCT host")
        )
        return sites

    def _load_sites(self) -> list[tuple[int, str]]:
        rows = self._store.rows(
            "SELECT DISTINCT sites.id, seed FROM sites JOIN forms ON forms.site = sites.id"
            " WHERE forms.id IN (SELECT value FROM json_each(?)) ORDER BY sites.id",
            (self._json_numbers,),
        )
        return cast("list[tuple[int, str]]", rows)

    def lease(
        self, host: int, count: int, now: float, *, with_queries: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the tasks of the forms that wait for a host; if none may go now, return when the next one may."""
        if not with_queries:
            return [], None
        rows = self._store.rows(
            f"{SELECT_TASK} WHERE {_OF_HOST} AND not_before <= ? ORDER BY bucket, links.id LIMIT ?",
            (host, self._json_numbers, now, count),
        )
        if not rows:
            later = self._store.rows(
                f"SELECT min(not_before) FROM links WHERE {_OF_HOST}", (host, self._json_numbers)
            )
            return [], cast("float | None", later[0][0])
        self._store.write_many("UPDATE links SET state = 1 WHERE id = ?", [(row[0],) for row in rows])
        return [CrawlTask(*row) for row in cast("list[tuple[int, int, int, str]]", rows)], None

    def count_waiting(self) -> int:
        """Return how many links of the forms wait or are under way."""
        return cast("int", self._select_waiting("count(*)")[0][0])

    def _select_waiting(self, what: str) -> list[tuple[object, ...]]:
        return self._store.rows(
            f"SELECT {what} FROM links WHERE state IN (0, 1) AND {_OF_THEM}", (self._json_numbers,)
        )

    def leave(self) -> None:
        """Leave the sites of the forms, if no task of the forms waits any more."""
        if not self.count_waiting():
            for site, _ in self._load_sites():
                self._store.sites.leave(site, ONLY_QUERIED)

    def load_reasons(self) -> list[tuple[int, str]]:
        """Return the forms, and why each is in its state."""
        rows = self._store.rows(
            "SELECT id, CASE state WHEN 'querying' THEN 'it is being queried' ELSE why END FROM forms"
            " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
            (self._json_numbers,),
        )
        return cast("list[tuple[int, str]]", rows)
