"""Sites with many views of few things, explored by real crawls: the search is found, and its records read, before the views are."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from crawling import Ran, SmallSite, crawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = ("amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow")
BOX = "<form action=/find role=search>Search <input type=search name=q><button>Search</button></form>"


def page(title: str, *links: str, more: str = "") -> str:
    listed = " ".join(f"<a href='{link}'>{link.rpartition('/')[2]}</a>" for link in links)
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>{listed}</p>{more}</html>"


def commit(number: int) -> str:
    return (
        f"{WORDS[number % 8]} {WORDS[number * 3 % 8]} change {number * 7919}, for the {WORDS[number * 5 % 8]}"
    )


def found(path: str, size: int) -> str:
    word = parse_qs(urlsplit(path).query).get("q", [""])[0].lower()
    numbers = [n for n in range(size) if word and word in commit(n).replace(",", "").split()]
    rows = "".join(f"<li><b>Commit {n}</b> <p>{commit(n)}</p></li>" for n in numbers)
    return page(
        "Found", more=f"<p>{len(numbers)} results</p><ol>{rows}</ol>" if rows else "<p>No results found</p>"
    )


def git_browser(path: str) -> str | None:
    """Projects with trees, files and differences; the search over all commits is on the last page of the help."""
    parts = [part for part in path.partition("?")[0].split("/") if part]
    match parts:
        case []:
            return page("Projects", *(f"/p{n}" for n in range(6)), "/help")
        case ["find"]:
            return found(path, 60)
        case ["help"]:
            return page("Help", "/help/browsing")
        case ["help", "browsing"]:
            return page("Browsing", "/help/browsing/finding")
        case ["help", "browsing", "finding"]:
            return page("Finding", more=f"<p>{' '.join(WORDS)}</p>{BOX}")
        case [project] if project.startswith("p"):
            views = [
                f"/{project}/{view}/c{n}" for n in range(15) for view in ("diff", "snapshot", "raw", "blame")
            ]
            return page(f"Project {project}", f"/{project}/tree", *views)
        case [project, "tree"]:
            return page(
                f"Files of {project}",
                *(f"/{project}/src/file{n}.c" for n in range(20)),
                f"/{project}?sort=age",
            )
        case [project, view, *_] if project.startswith("p"):
            return page(f"{view} of {project}", f"/{project}")
    return None


def wiki(path: str) -> str | None:
    """Pages, each with its own months, orders and print version; a page far down has the search."""
    parts, query = urlsplit(path), parse_qs(urlsplit(path).query)
    if parts.path == "/find":
        return found(path, 60)
    if parts.path != "/wiki":
        return page("Wiki", "/wiki?id=start") if path == "/" else None
    name = query["id"][0]
    if len(query) > 1:  # a view of the page says what the page says
        month = int(query.get("month", ["0"])[0])
        following = [f"/wiki?id={name}&month={month + 1}"] if "month" in query else []
        return page(f"Page {name}", f"/wiki?id={name}", *following)
    views = [f"/wiki?id={name}&month={n}" for n in range(12)]
    views += [f"/wiki?id={name}&sort={order}" for order in ("age", "name", "size")]
    views += [f"/wiki?id={name}&print=1", f"/wiki?id={name}&lang=de"]
    if name == "start":
        return page("Page start", *views, *(f"/wiki?id=page{n}" for n in range(12)))
    if name == "page11":
        return page(f"Page {name}", *views, "/wiki?id=indexes")
    if name == "indexes":
        return page(f"Page {name}", *views, "/wiki?id=finding")
    more = f"<p>{' '.join(WORDS)}</p>{BOX}" if name == "finding" else f"<p>{commit(len(name) * 31)}</p>"
    return page(f"Page {name}", *views, more=more)


def explored(folder: Path, answer: Callable[[str], str | None]) -> tuple[Ran, list[str]]:
    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "STATS_DUMP": 1}
        ran = crawl(folder, [site.url], allowed | {"HIDDENWEB_QUERIES_PER_FORM": 30})
    assert ran.code == 0, ran.output
    return ran, site.requested


def until(requested: list[str], beginning: str) -> int:
    """Return how many requests there were before the last one for what begins so."""
    return max(at for at, path in enumerate(requested) if path.startswith(beginning))


def test_the_search_of_a_git_browser_is_asked_before_files_and_differences_are_read(tmp_path: Path) -> None:
    ran, requested = explored(tmp_path, git_browser)

    assert ran.rows("SELECT count(*) FROM records") == [(60,)]
    assert requested.index("/help/browsing/finding") < 40
    assert until(requested, "/find") < 60
    views = [
        path
        for path in requested
        if path.count("/") > 1 and "/help" not in path and not path.endswith("/tree")
    ]
    assert len(set(views)) > 400  # they are read all the same, at the end
    assert min(requested.index(path) for path in views) > until(requested, "/find")


def test_the_search_of_a_wiki_is_asked_before_its_calendars_and_orders_are_read(tmp_path: Path) -> None:
    ran, requested = explored(tmp_path, wiki)

    assert ran.rows("SELECT count(*) FROM records") == [(60,)]
    assert requested.index("/wiki?id=finding") < 60
    assert sum("month=" in path for path in requested[: until(requested, "/find")]) <= 30
    assert sum("sort=" in path or "print=" in path for path in requested[: until(requested, "/find")]) == 0
    assert sum("sort=" in path for path in requested) == 3 * 15  # in the end all are read
