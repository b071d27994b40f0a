"""Exploring a site as SmartCrawler does: breadth by depth, within a depth by quota and rank.

The links of one depth that are worth a visit are chosen all at once: if there are more than may be visited, the balanced link tree
shares the visits out; then the best come first. The stop criteria end a depth or the visit.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hiddenweb.focused.exploring.link_tree import choose_balanced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.frontier.stopping import ExplorationProgress


class DepthExplorer:
    """One site, explored depth by depth. `score` ranks links; without it they come in the order they were found."""

    def __init__(
        self,
        progress: ExplorationProgress,
        score: Callable[[LinkCandidate], float] | None,
        *,
        visits: int = 100,
    ) -> None:
        self.progress = progress
        self._score = score
        self._visits = visits
        self._depth = 0
        self._found: dict[int, dict[str, LinkCandidate]] = {}  # by depth: the candidate frontier
        self._chosen: deque[LinkCandidate] = deque()  # of this depth: the link frontier
        self.under_way = 0  # links that are being visited
        self._seen_urls: set[str] = set()
        self.site: tuple[str, ...] = ()  # features, which do not count here
        self.fruitless = 0  # nor do pages since the last form on topic
        self.ended: str | None = None  # why

    def add(self, links: Iterable[LinkCandidate]) -> None:
        """Take in links of the site that were found."""
        for link in links:
            url_path = link.url.partition("?")[0]
            if url_path not in self._seen_urls:
                self._seen_urls.add(url_path)
                self._found.setdefault(link.depth, {})[link.url] = link

    def next(self) -> LinkCandidate | None:
        """Return the link to visit next; None if there is none now, or for good if `ended` says why."""
        while self.ended is None:
            if why := self.progress.reason_to_leave():
                self.ended = why
            elif self.progress.reason_to_skip(self._depth):
                if not self._next_depth():
                    return None
            elif self._chosen:
                self.under_way += 1
                return self._chosen.popleft()
            elif self._found.get(self._depth):
                self._choose(self._found.pop(self._depth))
            elif not self._next_depth():
                return None
        return None

    def _next_depth(self) -> bool:
        """Go to the next depth; not while a page is under way that may link there."""
        if self.under_way:
            return False
        deepest = max(self._found, default=-1)
        if self._depth >= deepest:
            self.ended = self.progress.reason_to_skip(self._depth) or "all its links were visited"
            return True
        self._chosen.clear()
        self._depth += 1
        return True

    def _choose(self, found: dict[str, LinkCandidate]) -> None:
        if self._score is None:
            self._chosen.extend(found.values())
            return
        scores = {url: self._score(link) for url, link in found.items()}
        self._chosen.extend(found[url] for url in choose_balanced(scores, self._visits))

    def resume(
        self,
        visited: Iterable[tuple[LinkCandidate, bool]],
        waiting: Iterable[LinkCandidate],
        rewards: int,  # noqa: ARG002  counts for others
        fruitless: int,  # noqa: ARG002
        site: Sequence[str],  # noqa: ARG002
    ) -> None:
        """Resume a site that was visited before."""
        self._seen_urls.update(link.url.partition("?")[0] for link, _ in visited)
        self.add(waiting)

    def rerank(self) -> None:
        """Order the chosen links by what was learnt since."""
        if self._score is not None:
            ranked = sorted(self._chosen, key=lambda link: (-self._score(link), link.url))  # type: ignore[misc]
            self._chosen = deque(ranked)

    def note(self, link: LinkCandidate, forms: int) -> None:
        """Count the searchable forms of a page that were not found before."""
        self.under_way -= 1
        self.progress.note(link.depth, forms)

    def take(self, link: LinkCandidate) -> None:
        """Count a link that is under way already."""
        self.under_way += 1
        self._seen_urls.add(link.url.partition("?")[0])

    def skip(self, link: LinkCandidate) -> None:  # noqa: ARG002
        """Take back a link that was not visited after all."""
        self.under_way -= 1

    def close(self, link: LinkCandidate) -> None:
        """End after a single page that has been read."""
        self.skip(link)
        self.ended = "it was a single page"
