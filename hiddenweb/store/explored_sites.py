"""The sites that a crawl on a topic opened, and their outcomes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.stages import SiteMemory
from hiddenweb.store.candidates import candidate_from_json, candidate_to_json
from hiddenweb.store.frontier import DONE, LEASED, PENDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
    from hiddenweb.focused.exploring.value_explorer import ValueExplorer
    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.focused.stages import OpenSite
    from hiddenweb.store.database import Store

_MAX_VISITED = 2_000  # links of one site that are read again; a limit of taste


class ExploredSiteStore:
    """The sites of one topic that were opened."""

    def __init__(self, store: Store, topic: str) -> None:
        self._store = store
        self._topic = topic

    def load_all(self) -> list[tuple[str, int, int, str | None]]:
        """Return the key of each site, its kind, whether people named it, and why its exploration ended, the oldest first."""
        rows = self._store.rows(
            "SELECT key, kind, seed, ended FROM explored_sites WHERE topic = ? ORDER BY opened, key",
            (self._topic,),
        )
        return cast("list[tuple[str, int, int, str | None]]", rows)

    def find_open(self, key: str) -> SiteCandidate | None:
        """Return what was known of a site that was opened and has not ended."""
        rows = self._store.rows(
            "SELECT candidate FROM explored_sites WHERE topic = ? AND key = ? AND ended IS NULL",
            (self._topic, key),
        )
        return candidate_from_json(key, cast("str", rows[0][0])) if rows else None

    def add(self, candidate: SiteCandidate, at: float) -> bool:
        """Note that a site is opened; say whether it never was before."""
        return bool(
            self._store.write(
                "INSERT OR IGNORE INTO explored_sites (topic, key, kind, seed, candidate, opened) VALUES (?, ?, 0, ?, ?, ?)",
                (self._topic, candidate.key, candidate.seed, candidate_to_json(candidate), at),
            )
        )

    def mark_seeds(self, keys: Iterable[str]) -> None:
        """Note which sites people named."""
        self._store.write(
            "UPDATE explored_sites SET seed = 1 WHERE topic = ? AND key IN (SELECT value FROM json_each(?))",
            (self._topic, json.dumps(list(keys))),
        )

    def end(self, key: str, why: str) -> None:
        """Note why the exploration of a site ended."""
        self._store.write(
            "UPDATE explored_sites SET ended = ? WHERE topic = ? AND key = ?", (why, self._topic, key)
        )

    def save(
        self,
        opened: OpenSite[ValueExplorer] | OpenSite[DepthExplorer],
        kind: int,
        language: str = "",
        verdict: str = "",
    ) -> None:
        """Write how far the exploration of a site has come."""
        explorer = opened.explorer
        self._store.write(
            "UPDATE explored_sites SET kind = ?, progress = ?, barren = ?, features = ?, forms = ?, ended = ?,"
            " language = CASE ? WHEN '' THEN language ELSE ? END, verdict = CASE ? WHEN '' THEN verdict ELSE ? END"
            " WHERE topic = ? AND key = ?",
            (
                kind, json.dumps(explorer.progress.to_json()), explorer.fruitless, json.dumps(explorer.site), opened.forms,
                explorer.ended, language, language, verdict, verdict, self._topic, opened.candidate.key,
            ),
        )  # fmt: skip

    def load_memory(self, key: str) -> SiteMemory:
        """Return all that is known of a site that was visited before."""
        rows = self._store.rows(
            "SELECT progress, barren, features, forms, language, candidate FROM explored_sites WHERE topic = ? AND key = ?",
            (self._topic, key),
        )
        progress, fruitless, features, forms, language, candidate = cast(
            "tuple[str, int, str, int, str, str]", rows[0]
        )
        waiting, visited = [], []
        for lead, state, is_rewarded in self._load_links(key, language, candidate):
            if state in (PENDING, LEASED):
                waiting.append(lead)
            elif state == DONE:
                visited.append((lead, is_rewarded))
        return SiteMemory(json.loads(progress), fruitless, json.loads(features), forms, waiting, visited)

    def _load_links(
        self, key: str, language: str, candidate_json: str
    ) -> Iterator[tuple[LinkCandidate, int, bool]]:
        """Yield the links of a site, their states, and whether their pages gave a form on the topic."""
        candidate = candidate_from_json(key, candidate_json)
        where, values = (
            ("links.url = ?", (candidate.url,))
            if candidate.kind != "site"
            else (
                "host IN (SELECT hosts.id FROM hosts JOIN sites ON sites.id = hosts.site WHERE domain = ?)",
                (key,),
            )
        )
        rows = self._store.rows(
            "SELECT links.url, hops, anchor, around, tag_path, state,"
            " (SELECT parents.url FROM links parents WHERE parents.id = links.parent),"
            " EXISTS (SELECT 1 FROM forms JOIN form_topics t ON t.form = forms.id AND t.topic = ? AND t.relevant"
            " WHERE forms.page_url = links.url AND forms.site = (SELECT hosts.site FROM hosts WHERE hosts.id = links.host))"
            f" FROM links WHERE {where} AND kind = 'page' AND submission IS NULL AND redirects = 0"
            " ORDER BY links.id LIMIT ?",
            (self._topic, *values, _MAX_VISITED),
        )
        for url, depth, anchor, around, tag_path, state, parent, is_rewarded in cast(
            "list[tuple[Any, ...]]", rows
        ):
            yield (
                LinkCandidate(url, depth, anchor, around, tag_path, language, parent=parent or ""),
                state,
                bool(is_rewarded),
            )
