"""Contracts of spiders that need no network: a callback reads a page that was saved in `tests/pages`.

    @page bookshop/home.html        gives the callback this page, found at https://bookshop.example/home.html
    @page bookshop/home.html https://books.example/     the same, found at this address
    @page bookshop/results.html answer      the same, as an answer to a query (or paging, or record), for spiders of ours
    @links 5                        the page has at least 5 links
    @forms 2                        it has exactly 2 forms
    @submits 1                      exactly 1 of them would be submitted
    @records 3                      exactly 3 records can be read from it

`scrapy check` runs real crawls. While it does, the add-on keeps those of our spiders off the network (`extensions.offline_check`): requests wait
in memory instead of the state, saved pages replace downloads, and a contract that would need the network (`@url`)
fails. So nothing is fetched and nothing is written. Spiders that are not ours are checked as Scrapy does, and may have these contracts too:
docs/contracts.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from scrapy.contracts import Contract
from scrapy.exceptions import ContractFail, IgnoreRequest
from scrapy.responsetypes import responsetypes
from scrapy.utils.conf import closest_scrapy_cfg

from hiddenweb.forms.verdict import judge_form
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskKind
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.http import Response

    from hiddenweb.model import Page

SAVED = "hiddenweb_saved_page"
"""The key of a request's meta for the name of the saved page that answers it."""


class PageContract(Contract):
    """Gives the callback a saved page."""

    name = "page"

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        name, *more = self.args
        if not name:
            raise ValueError("@page wants the name of a saved page: @page bookshop/home.html")
        source = find_saved_page(name)
        url = address_of(source.relative_to(pages_folder()))
        kind: TaskKind = "page"
        for word in more:
            if word.startswith(("http://", "https://")):
                url = word
            elif word in get_args(TaskKind):
                kind = cast("TaskKind", word)
            else:
                kinds = ", ".join(get_args(TaskKind))
                raise ValueError(
                    f"@page {name} {word}: a page is one of {kinds}; an address begins with http"
                )
        task = CrawlTask(1, 1, 1, url, kind, submission=1 if kind in ("answer", "paging") else None)
        return {**args, "url": url, "meta": {**(args.get("meta") or {}), "hiddenweb": task, SAVED: name}}


class _PageFact(Contract, ABC):
    """Compares a number of the page that a callback was given with the expected one."""

    def __init__(self, method: Callable[..., Any], *args: Any) -> None:
        super().__init__(method, *args)
        self._saved: tuple[str, str] | None = None  # name and address

    def adjust_request_args(self, args: dict[str, Any]) -> dict[str, Any]:
        if name := (args.get("meta") or {}).get(SAVED):
            self._saved = name, args["url"]
        return args

    def post_process(self, output: list[Any]) -> None:
        expected, found = self.read_number(), self.count(self._find_page(output))
        if not self.is_fulfilled(found, expected):
            raise ContractFail(f"@{self.name} {expected}: the page has {found}")

    def _find_page(self, output: list[Any]) -> Page:
        """Return the page that a callback of ours yields, or the one that another spider's was given."""
        ours = [item for item in output if isinstance(item, Fetched | FetchFailure)]
        pages = [item.page for item in ours if isinstance(item, Fetched) and item.page is not None]
        if len(pages) == 1:
            return pages[0]
        if ours:
            raise ContractFail(f"one visit with a page was wanted, the callback yielded {output!r:.200}")
        if self._saved is None:
            raise ContractFail(f"@{self.name} wants a saved page: name it with @page, in a line above")
        name, url = self._saved
        return read_page_with_items(find_saved_page(name).read_bytes(), url)

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

    def process_request(self, request: Request) -> Response | None:
        name = request.meta.get(SAVED)
        if name is None:
            return None
        kind = guess_type(name)[0] or "text/html"
        return responsetypes.from_mimetype(kind)(
            request.url,
            headers={"Content-Type": f"{kind}; charset=utf-8"},
            body=find_saved_page(name).read_bytes(),
        )


class OfflineMiddleware(SavedPagesMiddleware):
    """Sends no other request, so that nothing of ours is fetched by a check."""

    def process_request(self, request: Request) -> Response:
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
        raise ValueError(
            f"there is no saved page {name!r} in {folder}; scrapy fetch --nolog URL > FILE saves one"
        )
    return path


def address_of(name: Path) -> str:
    """Return the address of a saved page, by its path.

    >>> address_of(Path("bookshop/home.html"))
    'https://bookshop.example/home.html'
    >>> address_of(Path("home.html"))
    'https://saved.example/home.html'
    """
    site, *rest = name.parts if len(name.parts) > 1 else ("saved", *name.parts)
    return f"https://{site}.example/{'/'.join(rest)}"


@cache
def pages_folder() -> Path:
    """Return the folder of saved pages: tests/pages beside scrapy.cfg."""
    configuration = closest_scrapy_cfg()
    if not configuration:
        raise ValueError("there is no scrapy.cfg here or above, so there are no saved pages")
    return Path(configuration).resolve().parent / "tests" / "pages"
