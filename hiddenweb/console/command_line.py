"""`hiddenweb URL`, and all other commands under one name; works without a Scrapy project.

A word that is the name of a command is passed on to Scrapy with the settings of this package; anything else is the address of a
site to harvest (`hiddenweb.console.site_harvest`). Nothing heavy is imported before that is known: --help answers at once.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SETTINGS = "hiddenweb.settings"
PREFIX = "hiddenweb-"
"""How the state folders in the current folder begin; the name of the site follows."""

STATE_FILE = "state.sqlite"
"""The file by which a folder is known to be a state (`hiddenweb.store.sqlite_file`)."""

WRONG, INTERRUPTED = 2, 130
"""Exit codes: a wrong command, and after Ctrl-C."""

WITHOUT_STATE = frozenset({"demo", "shell", "fetch", "view", "settings", "version", "list", "check", "bench"})
"""Commands that read no state, or have an option of their own for it."""

SCRAPYS = frozenset({"bench", "check", "fetch", "list", "settings", "shell", "version", "view"})
"""Scrapy's own commands that make sense here."""

_UNSAFE = re.compile(r"[^\w.-]+")

_EPILOG = """\
what it does:
  It looks at the site, says which search forms it found and what querying them will cost, and asks before it
  submits anything. Then it submits them at one request a second, and writes the records it found into FILE.
  Stop it with Ctrl-C; the same command goes on where it was stopped.

examples:
  hiddenweb https://books.example/ -o records.csv
  hiddenweb https://books.example/ -o records.xlsx --exclude /blog --queries 200 --yes
  hiddenweb http://127.0.0.1:8001/ --allow 127.0.0.1:8001

afterwards:
  hiddenweb search WORDS            searches what was found
  hiddenweb status                  what is in the state, and how the last crawls ended
  hiddenweb forms --why             the forms, and why they were submitted or not
  hiddenweb COMMAND --help          also: changes, crawl, demo, explain, extract, reindex, templates, topics
  They use the state folder that is here; --state FOLDER names another.

exit codes: 0 done; 1 nothing could be read or found; 2 wrong command; 3 the state cannot be used; 4 not confirmed;
130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in command_names():
            return _pass_on(words)
        options = read_options(words)
        from hiddenweb.console.site_harvest import harvest_site

        return harvest_site(options)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED


def command_names() -> frozenset[str]:
    """Return the names of all commands: ours, and those of Scrapy that make sense here."""
    folder = Path(__file__).resolve().parent.parent / "commands"
    return SCRAPYS | {path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")}


def read_options(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a harvest; exits with a message if they cannot be used."""
    parser = argparse.ArgumentParser(
        prog="hiddenweb", usage="hiddenweb URL [-o FILE] [options]\n       hiddenweb COMMAND ...",
        description="Get the records behind the search forms of a site.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    add = parser.add_argument
    add("sites", nargs="*", metavar="URL", help="the site; several are possible")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write the records there: .csv, .xlsx, .jsonl, .parquet, .db ...",
    )
    add("-y", "--yes", action="store_true", help="submit the forms without asking")
    add("--state", metavar="FOLDER", help=f"where everything is kept (./{PREFIX}SITE)")
    add("--queries", metavar="N", help="queries to each form at most")
    add("--pages", metavar="N", help="pages of each site at most")
    add("--time", metavar="TIME", help="how long it may take: 30m, 2h")
    add("--include", metavar="PATTERNS", help="only these addresses: /books, a.example/books ...")
    add("--exclude", metavar="PATTERNS", help="not these addresses")
    add("--contact", metavar="ADDRESS", help="your e-mail address or page, for the owners of sites")
    add(
        "--allow",
        metavar="HOST:PORT",
        action="append",
        default=[],
        help="a server of your own that is not public",
    )
    add("--cookies", metavar="FILE", help="a cookies.txt of your own, for a site of your own")
    add("--headers", metavar="FILE", help="headers of your own (TOML), for a site of your own")
    add("-s", dest="settings", metavar="NAME=VALUE", action="append", default=[], help="any other setting")
    options = parser.parse_args(words)
    if not options.sites:
        if words:
            parser.error("no address of a site is given")
        parser.print_help()
        sys.exit(WRONG)
    _refuse_words(parser, options.sites)
    if bad := [setting for setting in options.settings if "=" not in setting]:
        parser.error(f"-s {bad[0]}: wanted NAME=VALUE")
    return options


def _refuse_words(parser: argparse.ArgumentParser, sites: Sequence[str]) -> None:
    """Exit with a message if a word is neither a command nor like an address."""
    for site in sites:
        if not re.search(r"[.:/]", site):
            import difflib

            near = difflib.get_close_matches(site, command_names(), 1)
            hint = f"do you mean hiddenweb {near[0]}?" if near else "hiddenweb --help shows what there is"
            parser.error(f"{site!r} is neither the address of a site nor a command; {hint}")


def state_folder(sites: Sequence[str]) -> Path:
    """Return where everything about a site is kept: a folder of its own in the current one.

    >>> str(state_folder(["https://www.books.example/search?q=1"])), str(state_folder(["http://127.0.0.1:8001/"]))
    ('hiddenweb-www.books.example', 'hiddenweb-127.0.0.1-8001')
    """
    place = sites[0].partition("://")[2] or sites[0]
    name = re.split(r"[/?#]", place, maxsplit=1)[0].lower()
    return Path(PREFIX + (_UNSAFE.sub("-", name).strip("-.") or "site"))


def _pass_on(words: list[str]) -> int:
    """Run a command of Scrapy, or ours, with our settings and the state that is here."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = SETTINGS
    command, *rest = words
    if command not in WITHOUT_STATE and not {"-h", "--help"} & set(rest):
        rest = _with_state(rest)
    if command not in SCRAPYS:
        rest += ["-s", "HIDDENWEB_PROGRAM=hiddenweb"]
    from scrapy.cmdline import execute

    try:
        execute(["hiddenweb", command, *rest])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else WRONG if end.code else 0
    return 0


def _with_state(words: list[str]) -> list[str]:
    """Return the words of a command with the state folder as a setting, unless one of them is that already."""
    rest, folder, at = [], "", 0
    while at < len(words):
        word = words[at]
        if word == "--state" and at + 1 < len(words):
            folder, at = words[at + 1], at + 1
        elif word.startswith("--state="):
            folder = word.partition("=")[2]
        else:
            rest.append(word)
        at += 1
    if not folder and any("HIDDENWEB_STATE=" in word for word in rest):
        return rest
    return [*rest, "-s", f"HIDDENWEB_STATE={folder or _folder_here()}"]


def _folder_here() -> str:
    """Return the state folder in the current folder, if there is exactly one; exits with a message if there are several."""
    found = sorted(str(path.parent) for path in Path().glob(f"{PREFIX}*/{STATE_FILE}"))
    if len(found) > 1:
        print(f"hiddenweb: which of {', '.join(found)}? --state FOLDER says it", file=sys.stderr)
        sys.exit(WRONG)
    return found[0] if found else "data"


if __name__ == "__main__":
    sys.exit(main())
