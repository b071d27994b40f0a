"""Serves a small hidden web: `python -m simweb --seed 7 --sites 200 --port 0`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import signal
import sys
from pathlib import Path

import uvloop

from simweb.catalogue import UnreadableData
from simweb.control import Control
from simweb.manners import MANNERS
from simweb.server import LOOPBACK, Server
from simweb.world import World


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop."""
    options = _options(arguments)
    gc.set_threshold(
        50_000, 20, 100
    )  # millions of lasting strings and no cycles: looking for garbage costs a tenth
    try:
        world = World(
            options.seed,
            options.sites,
            pages_per_site=options.pages_per_site,
            direct=options.direct,
            data=options.data,
            largest_database=options.largest_database,
            text_bytes=options.text_bytes,
            cards=options.cards,
            booby_traps=options.booby_traps,
            styles=options.styles.split(",") if options.styles else (),
            manners=options.manners.split(",") if options.manners else (),
        )
    except (ValueError, UnreadableData) as error:
        print(f"simweb: {error}", file=sys.stderr)
        return 2
    try:
        return uvloop.run(_serve(world, options))
    finally:
        world.close()


async def _serve(world: World, options: argparse.Namespace) -> int:
    server = Server(world, Control(world))
    try:
        await server.start(options.port, options.control_port)
    except OSError as error:
        print(f"simweb: cannot listen on {LOOPBACK} port {options.port}: {error}", file=sys.stderr)
        return 1
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stopped.set)
    if options.until_parent_ends:
        _stop_with_parent(loop, stopped)
    _announce(world, server)
    await stopped.wait()
    await server.stop()
    return 0


def _announce(world: World, server: Server) -> None:
    """Say where everything is: a line for people, a line for programs."""
    proxy = f"http://{LOOPBACK}:{server.port}"
    control = f"http://{LOOPBACK}:{server.control_port}"
    direct = [world.plan(number).url for number in range(world.sites, world.sites + world.direct)]
    print(f"simweb: {world.sites} sites behind the proxy {proxy}, control at {control} (seed {world.seed})")
    print(json.dumps({"proxy": proxy, "control": control, "direct": direct, "pid": os.getpid()}), flush=True)


def _stop_with_parent(loop: asyncio.AbstractEventLoop, stopped: asyncio.Event) -> None:
    """Stop when standard input ends: a test that dies takes its web along."""

    def at_end() -> None:
        with contextlib.suppress(BlockingIOError):
            if not os.read(sys.stdin.fileno(), 1024):
                stopped.set()

    loop.add_reader(sys.stdin.fileno(), at_end)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="simweb", description="Serves a small hidden web on loopback.")
    add = parser.add_argument
    add("--seed", type=int, default=7, help="what everything follows from (7)")
    add("--sites", type=int, default=200, help="how many hosts behind the proxy (200)")
    add("--pages-per-site", type=int, default=100, help="public pages of a site, on average (100)")
    add("--direct", type=int, default=4, help="sites at 127.0.0.2, 127.0.0.3 ... without the proxy (4)")
    add("--port", type=int, default=0, help="port of the proxy; 0 takes a free one (0)")
    add("--control-port", type=int, default=0, help="port of the control interface; 0 takes a free one (0)")
    add("--largest-database", type=int, default=5000, help="most records of one database (5000)")
    add(
        "--text-bytes",
        type=int,
        default=3500,
        help="text of a public page; 3500 makes pages of about 11 KB (3500)",
    )
    add(
        "--cards",
        type=int,
        default=0,
        help="cards, a script and comments on public pages; 75 makes pages of about 80 KB, made up as real ones are (0)",
    )
    add(
        "--data",
        type=Path,
        nargs="?",
        const=Path(os.environ.get("HIDDENWEB_BENCH_DATA", "../shared/data")),
        help="real films, books and art: the folder of their files, or that of HIDDENWEB_BENCH_DATA (none)",
    )
    add(
        "--booby-traps",
        nargs="?",
        const=True,
        default=False,
        type=lambda wordings: wordings.replace("-", " "),
        metavar="held-out",
        help="booby-trapped forms on every site with a database; held-out: in other words than the usual ones (none)",
    )
    add(
        "--styles",
        default="",
        metavar="STYLE,...",
        help="which styles the search forms have, in turn; token, token_post and load_more are there when named only (the sixteen usual ones)",
    )
    add(
        "--manners",
        default="",
        metavar="MANNER,...",
        help=f"manners of real applications that the databases have, in turn, and nothing else that is special: {', '.join(MANNERS)} (none)",
    )
    add("--until-parent-ends", action="store_true", help="stop when standard input is closed")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
