"""The changes that revisits found, and what is known to be noise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from hiddenweb.revisit.comparison_state import change_from_json, change_to_json
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from hiddenweb.revisit.change import Change
    from hiddenweb.store.database import Store

MASKS = "masks"
"""The part of the knowledge that says what is noise."""

_MAX_CHANGES = 50_000  # changes that are read at once, unless fewer are wanted; a limit of taste


def _is_below(host: str, site: str) -> str:
    """Return SQL that says whether a host is a site, or below it."""
    return f"substr('.' || {host}, -length({site}) - 1) = '.' || {site}"


_HOST = "coalesce(json_extract(change, '$.site'), :site)"
_SITES = f"SELECT id FROM sites WHERE {_is_below('domain', ':site')} OR {_is_below(':site', 'domain')}"


class ChangeStore:
    """The changes of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, page: int, site: int, change: Change, *, old: int | None = None, new: int | None = None
    ) -> Change:
        """Store a change of a page; return it with its number."""
        number = self._store.write_returning(
            "INSERT INTO changes (page, site, kind, at, old, new, change, record, submission) VALUES (?, ?, ?, ?, ?, ?, ?,"
            " (SELECT id FROM records WHERE site = ? AND hash = ?),"
            " (SELECT submission FROM links JOIN pages ON pages.link = links.id WHERE pages.id = ? AND links.kind = 'answer'))"
            " RETURNING id",
            (
                page, site, change.kind, change.at, old, new, change_to_json(change), site,
                text_hash(change.key) if change.key else None, page,
            ),
        )[0][0]  # fmt: skip
        return replace(change, number=cast("int", number), old=old, new=new)

    def load_all(
        self,
        *,
        site: str = "",
        kind: str = "",
        since: float = 0.0,
        noise: bool = False,
        limit: int = _MAX_CHANGES,
    ) -> list[Change]:
        """Return changes, the latest first; those of a host and the hosts below it, if one is named."""
        rows = self._store.rows(
            "SELECT changes.id, kind, at, old, new, change FROM changes"
            f" WHERE (:site = '' OR changes.site IN ({_SITES}) AND {_is_below(_HOST, ':site')})"
            " AND (:kind = '' OR kind = :kind) AND at >= :since AND (:noise OR noise = '')"
            " ORDER BY at DESC, changes.id DESC LIMIT :limit",
            {"site": site, "kind": kind, "since": since, "noise": noise, "limit": limit},
        )
        return [_change(*cast("tuple[int, str, float, int | None, int | None, str]", row)) for row in rows]

    def load(self, number: int) -> Change | None:
        """Return a change by its number."""
        rows = self._store.rows("SELECT id, kind, at, old, new, change FROM changes WHERE id = ?", (number,))
        return (
            _change(*cast("tuple[int, str, float, int | None, int | None, str]", rows[0])) if rows else None
        )

    def has_site(self, site: str) -> bool:
        """Say whether a host belongs to a site, or has one below it."""
        return bool(self._store.rows(_SITES, {"site": site}))

    def mark_noise(self, number: int, why: str) -> None:
        """Note that a person calls a change noise."""
        self._store.write("UPDATE changes SET noise = ? WHERE id = ?", (why, number))

    def load_masks(self) -> NoiseMasks:
        """Return what is known to be noise."""
        written = self._store.knowledge.get(MASKS, "")
        return NoiseMasks.restore(written) if written else NoiseMasks()

    def save_masks(self, masks: NoiseMasks) -> None:
        """Store what is known to be noise."""
        self._store.knowledge.put(MASKS, "", masks.to_json())


def _change(number: int, kind: str, at: float, old: int | None, new: int | None, change: str) -> Change:
    return change_from_json(change, number=number, kind=kind, at=at, old=old, new=new)
