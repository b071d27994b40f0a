"""Contracts of spiders that need no network: a callback reads a page that was saved in `tests/pages`.

    @page bookshop/home.html        gives the callback this page, found at https://bookshop.example/home.html
    @page bookshop/results.html answer      the same, as an answer to a query (or paging, or record)
    @links 5                        the page has at least 5 links
    @forms 2                        it has exactly 2 forms
    @submits 1                      exactly 1 of them would be submitted
    @records 3                      exactly 3 records can be read from it

`scrapy check` runs real crawls. While it does, the add-on keeps those of our spiders off the network (`extensions.offline_check`): requests wait
in memory instead of the state, saved pages replace downloads, and a contract that would need the network (`@url`)
fails. So nothing is fetched and nothing is written. Spiders that are not ours are checked as Scrapy does, and may have `@page` too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from scrapy.contracts import Contract
from scrapy.exceptions import ContractFail, IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.utils.conf import closest_scrapy_cfg

from hiddenweb.forms.verdict import judge_form
from hiddenweb.model import CrawlTask, Fetched, TaskKind
from hiddenweb.records.records import records_in

if TYPE_CHECKING:
    from scrapy import Request

    from hiddenweb.model import Page

SAVED = "hiddenweb_saved_page"
"""The key of a request's meta for the name of the saved page that answers it."""


class PageContract(Contract):
    """Gives the callback a saved page."""

    name = "page"

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        if len(self.args) not in (1, 2) or not self.args[0]:
            raise ValueError("@page wants the name of a saved page: @page bookshop/home.html")
        name, kind = (*self.args, "page")[:2]
        if kind not in get_args(TaskKind):
            raise ValueError(f"@page {name} {kind}: a page is one of {', '.join(get_args(TaskKind))}")
        source = find_saved_page(name)
        url = address_of(source.relative_to(pages_folder()))
        task = CrawlTask(1, 1, 1, url, kind, submission=1 if kind in ("answer", "paging") else None)
        return {**args, "url": url, "meta": {**(args.get("meta") or {}), "hiddenweb": task, SAVED: name}}


class _PageFact(Contract, ABC):
    """Compares a number of the page that a callback yields with the expected one."""

    def post_process(self, output: list[Any]) -> None:
        expected, found = self.read_number(), self.count(_page_of(output))
        if not self.is_fulfilled(found, expected):
            raise ContractFail(f"@{self.name} {expected}: the page has {found}")

    def read_number(self) -> int:
        if len(self.args) != 1 or not self.args[0].isdecimal():
            raise ContractFail(f"@{self.name} wants a number, not {' '.join(self.args)!r}")
        return int(self.args[0])

    def is_fulfilled(self, found: int, expected: int) -> bool:
        return found == expected

    @abstractmethod
    def count(self, page: Page) -> int:
        """Return the number of the page."""


class LinksContract(_PageFact):
    """The page has at least so many links."""

    name = "links"

    def count(self, page: Page) -> int:
        return len(page.links)

    def is_fulfilled(self, found: int, expected: int) -> bool:
        return found >= expected


class FormsContract(_PageFact):
    """The page has so many forms."""

    name = "forms"

    def count(self, page: Page) -> int:
        return len(page.forms)


class SubmitsContract(_PageFact):
    """So many forms of the page would be submitted."""

    name = "submits"

    def count(self, page: Page) -> int:
        return sum(judge_form(form, nofollow=page.nofollow).may_submit for form in page.forms)


class RecordsContract(_PageFact):
    """So many records can be read from the page."""

    name = "records"

    def count(self, page: Page) -> int:
        return len(records_in(page))


class SavedPagesMiddleware:
    """Answers requests of the `@page` contract with saved pages."""

    def process_request(self, request: Request) -> HtmlResponse | None:
        name = request.meta.get(SAVED)
        if name is None:
            return None
        return HtmlResponse(
            request.url,
            headers={"Content-Type": "text/html; charset=utf-8"},
            body=find_saved_page(name).read_bytes(),
            encoding="utf-8",
        )


class OfflineMiddleware(SavedPagesMiddleware):
    """Sends no other request, so that nothing of ours is fetched by a check."""

    def process_request(self, request: Request) -> HtmlResponse:
        saved = super().process_request(request)
        if saved is None:
            raise IgnoreRequest(
                f"{request.url}: contracts use no network; save the page and name it with @page"
            )
        return saved


def find_saved_page(name: str) -> Path:
    """Return the file of a saved page."""
    folder = pages_folder()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise ValueError(f"there is no saved page {name!r} in {folder}")
    return path


def address_of(name: Path) -> str:
    """Return the address of a saved page, by its path.

    >>> address_of(Path("bookshop/home.html"))
    'https://bookshop.example/home.html'
    """
    site, *rest = name.parts
    return f"https://{site}.example/{'/'.join(rest)}"


@cache
def pages_folder() -> Path:
    """Return the folder of saved pages: tests/pages beside scrapy.cfg."""
    configuration = closest_scrapy_cfg()
    if not configuration:
        raise ValueError("there is no scrapy.cfg here or above, so there are no saved pages")
    return Path(configuration).resolve().parent / "tests" / "pages"


def _page_of(output: list[Any]) -> Page:
    pages = [item.page for item in output if isinstance(item, Fetched) and item.page is not None]
    if len(pages) != 1:
        raise ContractFail(f"one visit with a page was wanted, the callback yielded {output!r:.200}")
    return pages[0]
