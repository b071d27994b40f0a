"""`scrapy demo`: a small hidden web, started and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from simweb.running import Simweb

if TYPE_CHECKING:
    import argparse


class Command(ScrapyCommand):
    """Shows what a hidden web is, on one that runs here."""

    requires_project = True
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Start a small hidden web and show what it hides"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--seed", type=int, default=7, help="what the small web follows from (7)")
        parser.add_argument("--sites", type=int, default=40, help="how many sites it has (40)")
        parser.add_argument("--keep", action="store_true", help="let it run until Ctrl-C, to look around")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy demo takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 1:
            raise UsageError(f"--sites must be at least 1, not {opts.sites}", print_help=False)
        console = Console(highlight=False)
        console.print(f"Starting a small web of {opts.sites} sites on this machine ...")
        with Simweb.start(seed=opts.seed, sites=opts.sites, pages_per_site=25, largest_database=400) as web:
            show(web, console)
            if opts.keep:
                wait(web, console)


def show(web: Simweb, console: Console) -> None:
    """Print what links reach and what they do not."""
    world = web.get("world")
    console.print(
        f"It has {world['pages']:,} public pages in {len(world['languages'])} languages on "
        f"{len(world['topics'])} topics, and {world['databases']} databases with {world['records']:,} records "
        "behind search forms.\n"
    )
    reach = web.get("reachable")
    by_links: dict[str, int] = {}
    for host, _ in reach["records"]:
        by_links[host] = by_links.get(host, 0) + 1
    sites = web.sites(databases=1)
    console.print(_table(web, sites, by_links))
    hidden = world["records"] - len(reach["records"])
    console.print(
        f"A crawler that follows every link finds {len(reach['pages']):,} pages and {len(reach['records']):,} "
        f"records. The other {hidden:,} records ({hidden / world['records']:.0%}) are shown only to those who ask."
    )
    console.print(_example(web, sites))
    console.print("\nTo come: a crawler that finds these forms, asks them, and keeps what they answer.")


def wait(web: Simweb, console: Console) -> None:
    """Keep the small web running until it is stopped."""
    console.print(f"\nProxy: {web.proxy}   truth and control: {web.control}   stop with Ctrl-C")
    try:
        web.process.wait()
    except KeyboardInterrupt:
        console.print("Stopped.")


def _table(web: Simweb, sites: list[dict[str, Any]], by_links: dict[str, int]) -> Table:
    table = Table(title="What is hidden in it", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("site", "topic", "language", "form"):
        table.add_column(name)
    table.add_column("records", justify="right")
    table.add_column("by links", justify="right")
    for site in sites[:12]:
        count = len(web.get("records", host=site["host"], most=100_000))
        row = (site["host"], site["topic"], site["language"], site["style"], f"{count:,}")
        table.add_row(*row, f"{by_links.get(site['host'], 0):,}")
    if len(sites) > 12:
        table.add_row(f"... and {len(sites) - 12} more")
    return table


def _example(web: Simweb, sites: list[dict[str, Any]]) -> str:
    """Return one question and its answer, in words."""
    boxes = [
        site for site in sites if site["style"] in ("box", "box_selects", "radios", "outside", "semicolon")
    ]
    if not boxes:
        return ""
    site = next((site for site in boxes if site["language"] == "en"), boxes[0])
    form = next(form for form in web.get("forms", host=site["host"]) if form["searchable"])
    best = web.get("oracle", host=site["host"], queries=10)
    asked = ", ".join(
        step["words"] or " + ".join(v for _, values in step["equals"] for v in values) for step in best
    )
    return (
        f"\nFor example, {form['page']} has a box called {form['fields'][0]['label']!r}. Whoever knows the "
        f"database well gets {best[-1]['covered']} of its records with {len(best)} questions: {asked}."
    )
