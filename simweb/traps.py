"""Places a crawler can get lost in, or be hurt by.

Each trap hangs on one link of a homepage. Calendars, facets and lists without end multiply addresses; session ids give
one page a thousand names; relative links repeat a path for ever; redirects lead on and on; some links exist only for
a script; and some pages are written to break whoever reads them. What is real on such a site is reachable without
entering any of them.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

from simweb.escaping import escape
from simweb.messages import Response
from simweb.pages import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from simweb.messages import Request
    from simweb.site import Site

PREFIXES = (
    "/calendar/",
    "/browse",
    "/all-entries",
    "/loop/",
    "/go/",
    "/forever/",
    "/ring/",
    "/script/",
    "/hostile/",
)
SCRIPT_PAGES = 6

_FACETS = {"colour": ("red", "green", "blue", "black"), "size": ("s", "m", "l", "xl"), "brand": ("a", "b", "c", "d", "e"),
           "sort": ("price", "name", "date"), "view": ("list", "grid")}  # fmt: skip
_CHAIN = 12
_MEGABYTE = 1 << 20
HOSTILE = (
    "attributes", "nested", "long-attribute", "endless", "bomb", "wrong-charset", "broken-utf8", "utf7", "null-bytes",
    "unclosed", "many-links", "entities",
)  # fmt: skip


def is_trap(path: str) -> bool:
    """Say whether a path lies inside a trap."""
    return path.startswith(PREFIXES)


def write_doors(sheet: Sheet) -> None:
    """Write the links that lead into the traps of a site."""
    site = sheet.site
    doors: list[str] = []
    for trap in site.plan.traps:
        doors += _DOORS[trap](sheet)
    if doors:
        sheet.listing(doors)


def respond(site: Site, request: Request) -> Response | None:
    """Answer a request inside a trap, or None where it is not inside one."""
    path = request.path
    for trap in site.plan.traps:
        if (room := _ROOMS.get(trap)) and (response := room(site, request, path)):
            return response
    return None


def _calendar(site: Site, request: Request, path: str) -> Response | None:
    found = re.fullmatch(r"/calendar/(\d{4})/(\d\d)/(?:(\d\d)/)?", path)
    if not found:
        return None
    year, month = int(found[1]), int(found[2])
    sheet = Sheet(site, request)
    sheet.heading(f"{site.say('calendar')} {year}-{month:02}")
    days = [sheet.inside(f"/calendar/{year}/{month:02}/{day:02}/", str(day)) for day in range(1, 29)]
    later, earlier = divmod(year * 12 + month, 12), divmod(year * 12 + month - 2, 12)
    turns = [
        sheet.inside(f"/calendar/{y:04}/{m + 1:02}/", site.say(word))
        for (y, m), word in ((earlier, "previous"), (later, "next"))
    ]
    sheet.listing([*turns, *days])
    return site.page(sheet, kind="trap")


def _facets(site: Site, request: Request, path: str) -> Response | None:
    if path != "/browse":
        return None
    chosen = dict(site.parameters(request))
    sheet = Sheet(site, request)
    sheet.heading(site.say("filter_by"))
    for name, values in _FACETS.items():
        links = []
        for value in values:
            query = "&".join(f"{n}={v}" for n, v in {**chosen, name: value}.items())
            links.append(sheet.inside(f"/browse?{query}", f"{name}: {value}"))
        sheet.listing(links)
    _write_real(sheet)
    return site.page(sheet, kind="trap")


def _endless_paging(site: Site, request: Request, path: str) -> Response | None:
    if path != "/all-entries":
        return None
    asked = dict(site.parameters(request)).get("page", "1")
    page = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1
    sheet = Sheet(site, request)
    sheet.heading(site.say("page_number", n=page))
    _write_real(sheet)
    sheet.listing([sheet.inside(f"/all-entries?page={page + 1}", site.say("next"))])
    return site.page(sheet, kind="trap")


def _path_repetition(site: Site, request: Request, path: str) -> Response | None:
    if not path.startswith("/loop/") or not path.endswith("/"):
        return None
    sheet = Sheet(site, request)
    sheet.heading(site.title(0))
    sheet.paragraph(site.say("welcome", name=site.name))
    sheet.listing([sheet.link("more/", site.say("read_more")), sheet.link("archive/", site.say("archive"))])
    return site.page(sheet, kind="trap")


def _redirects(site: Site, _: Request, path: str) -> Response | None:
    found = re.fullmatch(r"/(go|forever|ring)/(\d{1,9})", path)
    if not found:
        return None
    step = int(found[2])
    match found[1]:
        case "go" if step >= _CHAIN:
            return site.redirect(site.path(site.plan.pages - 1), 301)
        case "ring":
            return site.redirect(f"/ring/{(step + 1) % 3}", 302, "trap")
        case folder:
            return site.redirect(f"/{folder}/{step + 1}", (301, 302, 303, 307, 308)[step % 5], "trap")


def _script_page(site: Site, request: Request, path: str) -> Response | None:
    found = re.fullmatch(r"/script/(\d)", path)
    if not found or int(found[1]) >= SCRIPT_PAGES:
        return None
    sheet = Sheet(site, request)
    sheet.heading(f"{site.say('archive')} {found[1]}")
    sheet.paragraph(site.say("welcome", name=site.name))
    return site.page(sheet, kind="script_only")


def _hostile(site: Site, _: Request, path: str) -> Response | None:
    name = path.removeprefix("/hostile/")
    if not path.startswith("/hostile/") or name not in HOSTILE:
        return None
    headers = [("Content-Type", f"text/html; charset={'utf-7' if name == 'utf7' else 'utf-8'}")]
    match name:
        case "long-attribute":
            return Response(200, b"", headers, "trap", stream=_long_attribute())
        case "endless":
            return Response(200, b"", headers, "trap", stream=_endless(site.sentence("endless")))
        case "bomb":
            return Response(200, _bomb(), [*headers, ("Content-Encoding", "gzip")], "trap")
        case _:
            return Response(200, _hostile_page(name), headers, "trap")


@lru_cache(maxsize=len(HOSTILE))
def _hostile_page(name: str) -> bytes:
    links = (b'<a href="/none/%d">%d</a>' % (n, n) for n in range(100_000))
    attributes = (b'a%d="v" ' % n for n in range(40_000))
    makers: dict[str, Callable[[], bytes]] = {
        "attributes": lambda: b"<div " + b"".join(attributes) + b">x</div>",
        "nested": lambda: b"<div>" * 200_000 + b"deep" + b"</div>" * 200_000,
        "wrong-charset": lambda: "Gr\u00f6\u00dfe und \u00dcberma\u00df".encode("latin-1"),
        "broken-utf8": lambda: b"\xff\xfe\xc3\x28 \xe2\x82 \xf0\x9f text",
        "utf7": lambda: b"+ADw-script+AD4-",
        "null-bytes": lambda: b"a\x00b<\x00p>" * 2000,
        "unclosed": lambda: b"<table><tr><td><a href='/x" + b"<b><i><table>" * 20_000,
        "many-links": lambda: b"".join(links),
        "entities": lambda: b"&amp;lt;&#x110000;&#0;&#xD800;&nosuch;" * 20_000,
    }
    return _page_with(makers[name]())


def _page_with(inner: bytes) -> bytes:
    return (
        b"<!DOCTYPE html><html><head><title>hostile</title></head><body>"
        + inner
        + b'<a href="/">home</a></body></html>'
    )


def _long_attribute() -> Iterator[bytes]:
    yield b'<!DOCTYPE html><html><head><title>hostile</title></head><body><div title="'
    for _ in range(20):
        yield b"x" * _MEGABYTE
    yield b'">x</div><a href="/">home</a></body></html>'


def _endless(sentence: str) -> Iterator[bytes]:
    """Go on for as long as anybody reads, up to four gigabytes."""
    yield b"<!DOCTYPE html><html><head><title>endless</title></head><body>"
    block = f"<p>{sentence}</p>".encode() * 500
    for _ in range((1 << 32) // len(block)):
        yield block


@lru_cache(maxsize=1)
def _bomb() -> bytes:
    """Return about a megabyte that unpacks to a gigabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = b" " * _MEGABYTE
    return b"".join(packer.compress(zeros) for _ in range(1024)) + packer.flush()


def _write_real(sheet: Sheet) -> None:
    """Write links to real records, which are linked from the homepage too."""
    site = sheet.site
    records = site.homepage_records(sheet.request.day)
    sheet.listing([sheet.inside(site.record_path(record), record.title) for record in records])


def _door(sheet: Sheet, path: str, text: str) -> str:
    """Write a way into a trap; every other webmaster asks crawlers not to follow it."""
    return sheet.inside(path, text, ' rel="nofollow"' if sheet.site.plan.number % 2 else "")


def _one_door(path: str, phrase: str) -> Callable[[Sheet], list[str]]:
    return lambda sheet: [_door(sheet, path, sheet.site.say(phrase))]


def _redirect_doors(sheet: Sheet) -> list[str]:
    return [_door(sheet, path, sheet.site.say("read_more")) for path in ("/go/1", "/forever/1", "/ring/0")]


def _script_doors(sheet: Sheet) -> list[str]:
    """Write links no parser finds: the addresses are put together by scripts, or are no <a> at all."""
    say = escape(sheet.site.say("archive"))
    return [
        f"<a href=\"#\" onclick=\"location.href='/scr'+'ipt/0';return false\">{say} 0</a>",
        f"<a href=\"javascript:void(location.href='/scr'+'ipt/1')\">{say} 1</a>",
        "<script>document.write('<a hr'+'ef=\"/scr'+'ipt/2\">2</a>')</script>",
        f"<span data-go=\"3\" onclick=\"location.href='/scr'+'ipt/'+this.dataset.go\">{say} 3</span>",
        f"<button type=\"button\" onclick=\"location.href='/scr'+'ipt/4'\">{say} 4</button>",
        f'<div role="link" tabindex="0" onclick="location.href=\'/scr\'+\'ipt/5\'">{say} 5</div>',
    ]


def _hostile_doors(sheet: Sheet) -> list[str]:
    return [_door(sheet, f"/hostile/{name}", f"{sheet.site.say('archive')} {name}") for name in HOSTILE]


_DOORS: dict[str, Callable[[Sheet], list[str]]] = {
    "calendar": _one_door("/calendar/2026/01/", "calendar"),
    "facets": _one_door("/browse", "filter_by"),
    "endless_paging": _one_door("/all-entries?page=1", "archive"),
    "session_ids": lambda _sheet: [],
    "path_repetition": _one_door("/loop/", "read_more"),
    "redirect_chains": _redirect_doors,
    "script_links": _script_doors,
    "hostile_html": _hostile_doors,
}
_ROOMS: dict[str, Callable[[Site, Request, str], Response | None]] = {
    "calendar": _calendar,
    "facets": _facets,
    "endless_paging": _endless_paging,
    "path_repetition": _path_repetition,
    "redirect_chains": _redirects,
    "script_links": _script_page,
    "hostile_html": _hostile,
}
