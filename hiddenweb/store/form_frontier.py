"""The frontier of a crawl that submits known forms and explores nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.store.breadth_first import UNLIMITED, BreadthFirstFrontier

if TYPE_CHECKING:
    from hiddenweb.frontier.stopping import SiteBudget
    from hiddenweb.model import CrawlTask
    from hiddenweb.store.chosen_forms import ChosenForms
    from hiddenweb.store.database import Store
    from hiddenweb.store.detail_pages import DetailPages


class FormFrontier(BreadthFirstFrontier):
    """The queries of chosen forms, the further pages of their answers, and the pages of the records that these brought."""

    def __init__(
        self,
        store: Store,
        forms: ChosenForms,
        budget: SiteBudget = UNLIMITED,
        detail_pages: DetailPages | None = None,
        *,
        submits: bool = True,
    ) -> None:
        super().__init__(store, budget, detail_pages, submits=submits)
        self._forms = forms

    def open(self, command: str, now: float) -> None:
        super().open(command, now)
        for site in self._forms.resume():
            self._check_budget(site)

    def _leave_sites(self) -> None:
        super()._leave_sites()
        self._forms.leave()

    def postpone_host(self, host: int) -> None:
        self._store.sites.woken_hosts.add(host)

    def find_waiting_host(self, after: int) -> int | None:  # noqa: ARG002
        return None  # the forms say which hosts are opened

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        tasks, later = self._forms.lease(host, count, now, with_queries=self._submits)
        return self._store.submissions.attach(tasks), later
