"""One host of the small web: where its pages are, what is on them, and what it answers to a request.

A site is made from its plan when it is first asked and can be thrown away at any time: all it knows follows from the
plan, the clock and the hand laid on it. Only its database keeps a file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property, lru_cache
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from xxhash import xxh3_64_hexdigest

from simweb import answers, booby_traps, chance, traps
from simweb.catalogue import Catalogue
from simweb.compression import compress_body
from simweb.escaping import escape
from simweb.forms import FormMaker
from simweb.guards import COOKIE
from simweb.languages import language
from simweb.leave_alone import FOLDERS, PHRASES, make_form
from simweb.life import DAY, NEVER, Hand, PageLife, RecordLife
from simweb.look import REDESIGNS, Skin
from simweb.messages import Response, split_parameters
from simweb.pages import RUN, Sheet, date_of, http_date, write_article, write_record
from simweb.plan import section_path
from simweb.robots import robots_text
from simweb.structure import Structure
from simweb.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.catalogue import Record
    from simweb.database import Database
    from simweb.forms import Form
    from simweb.languages import Language
    from simweb.messages import Parameters, Request
    from simweb.plan import SitePlan
    from simweb.world import World

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_NUMBER = re.compile(r"-([0-9a-z]{1,8})(?:\.\w+|/)?$")
_SESSION = re.compile(r";jsessionid=\w*|(?:(?<=[?&])|^)sid=\w*&?")
_RELATED = 3
_KEPT_RECORDS = 128
_SEARCH_TITLES = ("search", "advanced_search", "search_catalogue", "find")


class Site:
    """A host that answers."""

    def __init__(self, world: World, plan: SitePlan, hand: Hand) -> None:
        self.world = world
        self.plan = plan
        self.hand = hand
        self.language: Language = language(plan.language)
        self.voice = Voice(self.language, plan.number)
        self._said: dict[str, str] = {}
        self._runs: dict[tuple[int, int], tuple[list[str], str]] = {}
        self.structure = Structure(
            plan.pages, len(plan.sections), chance.rng(world.seed, plan.number, "tree")
        )
        self.key = chance.draw(world.seed, plan.number, "site")
        self._paths: list[str | None] = [None] * plan.pages
        self._anchors: list[tuple[str, str] | None] = [None] * plan.pages
        self._sentences = world.sentences(plan.language, plan.topic)
        self._passages = world.passages(plan.language, plan.topic)
        self._other_passages = world.passages(plan.language, plan.other_topic)
        self._joiner = "" if plan.language in ("zh", "ja") else " "
        self._titles = world.titles(plan.language, plan.topic)
        self._pages_life = PageLife(world.seed, plan.number)
        self._skins: dict[tuple[int, int], Skin] = {}
        self._navigation: dict[int, tuple[str, list[str]]] = {}

    @cached_property
    def life(self) -> RecordLife:
        """Return the schedule of the site's records."""
        plan = self.plan
        most = self.catalogue.available or NEVER
        rates = (plan.arrivals_per_day, plan.leaving_share, plan.changing_share)
        return RecordLife(self.world.seed, plan.number, self.catalogue.size, most, *rates)

    # What the site is called and says

    @cached_property
    def name(self) -> str:
        """Return the name the site gives itself."""
        bare = self.plan.host.removeprefix("www.").partition(".example")[0]
        return bare.replace("-", " ").replace(".", " ").title()

    @cached_property
    def meta_charset(self) -> str:
        """Return the <meta> element that names the encoding; old sites write it the old way."""
        if self.plan.look.doctype == "<!DOCTYPE html>":
            return f'<meta charset="{self.plan.charset}">'
        return f'<meta http-equiv="Content-Type" content="text/html; charset={self.plan.charset}">'

    @cached_property
    def base(self) -> str:
        """Return the <base> element, where the site has one."""
        return f'<base href="http://{self.plan.host}/">' if self.plan.links == "base" else ""

    def say(self, phrase: str, **values: object) -> str:
        """Return a phrase in the site's language and wording."""
        if values:
            return self.voice.say(phrase, **values)
        known = self._said.get(phrase)
        if known is None:
            known = self._said[phrase] = self.voice.say(phrase)
        return known

    def sentence(self, *names: object) -> str:
        """Return a sentence on the site's topic, escaped, the same for the same names."""
        return self._sentences[chance.draw(self.key, *names) % len(self._sentences)]

    def teaser(self, page: int) -> str:
        """Return the sentence beside links to a page."""
        return self._sentences[chance.mix(self.key * 3 + page) % len(self._sentences)]

    # The public tree

    def title(self, page: int) -> str:
        """Return the title of a page of the tree."""
        if page == 0:
            return self.name
        if page <= len(self.plan.sections):
            return self.say(f"section.{self.plan.sections[page - 1]}")
        if page in self._announcements:
            return self.say(self._announcements[page])
        return self._draw_title(page)[0]

    def path(self, page: int) -> str:
        """Return the path of a page of the tree."""
        known = self._paths[page]
        if known is None:
            known = self._paths[page] = self._path(page)
        return known

    def anchor(self, page: int) -> tuple[str, str]:
        """Return the path of a page of the tree and a link to it, written."""
        known = self._anchors[page]
        if known is None:
            path = self.path(page)
            written = f'<a href="{escape(self.href(path))}">{escape(self.title(page))}</a>'
            known = self._anchors[page] = path, written
        return known

    def pages_of_run(self, run: int) -> range:
        """Return the pages of one run of neighbours."""
        return range(run * RUN, min((run + 1) * RUN, self.plan.pages))

    def run(self, run: int, skin: Skin) -> tuple[list[str], str]:
        """Return the paths of a run of neighbours and a list of links to them, written and kept."""
        key = id(skin), run
        if key not in self._runs:
            anchors = [self.anchor(page) for page in self.pages_of_run(run)]
            items = (skin.open("item") + written + skin.close("item") for _, written in anchors)
            self._runs[key] = [path for path, _ in anchors], "".join(items)
        return self._runs[key]

    def href(self, path: str) -> str:
        """Return a path as this webmaster writes it in links: as it is, with the host, or below a <base>."""
        match self.plan.links:
            case "full":
                return f"http://{self.plan.host}{path}"
            case "base":
                return path.removeprefix("/") or "./"
            case _:
                return path

    def page_at(self, path: str) -> int | None:
        """Return the page of the tree that has a path."""
        if path == "/":
            return 0
        if found := _NUMBER.search(path[-40:]):
            page = int(found[1], 36)
            return page if 0 <= page < self.plan.pages and self.path(page) == path else None
        return next((page for page in self.structure.children(0) if self.path(page) == path), None)

    def article_text(self, page: int, day: int) -> list[str]:
        """Return the paragraphs of a page, escaped; a rewritten page has one new paragraph for each time."""
        revision = self._pages_life.revision(page, day, self.hand)
        # Each rewriting touches one of the first three paragraphs.
        versions = (revision // 3, (revision + 2) // 3, (revision + 1) // 3)
        budget = self.world.text_bytes
        own, other, joiner, focus = self._passages, self._other_passages, self._joiner, self.plan.focus
        start = self.key + (page << 20)
        texts: list[str] = []
        while budget > 0:
            turn = len(texts)
            state = chance.mix(start + (turn << 10) + (versions[turn] if turn < len(versions) else 0))
            stock = own if (state >> 40) % 100 < focus else other
            text = stock[state % len(stock)] + joiner + stock[(state >> 20) % len(stock)]
            budget -= len(text)
            texts.append(text)
        return texts

    def is_rewritten(self, page: int, first: int, last: int) -> bool:
        """Say whether the schedule rewrites a page between two days."""
        nobody = Hand()
        return self._pages_life.revision(page, first, nobody) != self._pages_life.revision(page, last, nobody)

    def outward_links(self, page: int) -> list[tuple[str, str, str]]:
        """Return links to other sites: address, anchor, words around."""
        state = chance.mix(self.key ^ page)
        share = 0.04 + 0.07 * ((state & 0xFFFF) / 0x10000)
        count = int(share * 42 + ((state >> 16) & 0xFF) / 256)
        if self.plan.is_hub:
            count += 8 + (state >> 24) % 16
        return [self._outward(page, turn) for turn in range(count)]

    def forms_on(self, page: int) -> list[Form]:
        """Return the forms of a page of the tree."""
        forms = list(self._form_places.get(page, ())) if page in self._pages_with_forms else []
        if self.plan.database is not None and self.plan.database.everywhere and not forms:
            forms.append(self.search_form)
        return forms

    def navigation(self, sheet: Sheet) -> tuple[str, list[str]]:
        """Return the links every page has, written, and their addresses."""
        key = id(sheet.skin)
        if sheet.session or key not in self._navigation:
            pages = [0, *self.structure.children(0)]
            links = [sheet.address(self.path(page)) for page in pages]
            texts = [self.say("home"), *(self.title(page) for page in pages[1:])]
            written = " | ".join(
                sheet.skin.link(self.href(link), text) for link, text in zip(links, texts, strict=True)
            )
            made = sheet.skin.wrap("nav", written), links
            if sheet.session:
                return made
            self._navigation[key] = made
        return self._navigation[key]

    # Forms and records

    @cached_property
    def catalogue(self) -> Catalogue:
        """Return the records the site's database draws from."""
        assert self.plan.database is not None, f"{self.plan.host} has no database"
        size = self.plan.database.size
        seed = chance.draw(self.world.seed, self.plan.number, "catalogue")
        return Catalogue(self.plan.topic, self.plan.language, seed, size, self.world.data)

    @cached_property
    def form_maker(self) -> FormMaker:
        """Return what plans the search forms of this site."""
        return FormMaker(self.catalogue, self.voice, self.search_action)

    @cached_property
    def search_form(self) -> Form:
        """Return the site's main search form."""
        assert self.plan.database is not None
        return self.form_maker.make(
            self.plan.database.style, chance.rng(self.world.seed, self.plan.number, "form")
        )

    @cached_property
    def search_action(self) -> str:
        """Return the path a search is sent to: one of its own, or that of the page with the form."""
        assert self.plan.database is not None
        return (
            self.path(self._search_pages[0])
            if self.plan.database.same_page
            else self.plan.database.search_path
        )

    @cached_property
    def record_forms(self) -> list[Form]:
        """Return the forms that stand on every record's page and must be left alone."""
        assert self.plan.database is not None
        forms = [
            self._harmful_form(purpose, f"record-{purpose}") for purpose in self.plan.database.record_forms
        ]
        return forms + self._traps_at("record")

    @cached_property
    def harmful_forms(self) -> dict[str, Form]:
        """Return the forms that must be left alone, by the path they are sent to."""
        forms = [form for placed in self._form_places.values() for form in placed if not form.is_search]
        if self.plan.database is not None:
            forms += self.record_forms
        return {form.action: form for form in forms}

    @cached_property
    def form_pages(self) -> dict[int, list[Form]]:
        """Return every page of the tree that holds a form of its own."""
        return self._form_places

    def database(self, day: int) -> Database:
        """Return the database as it is on a day."""
        database = self.world.database_of(self)
        database.sync(day)
        return database

    def record(self, number: int, day: int) -> Record | None:
        """Return a record as it is on a day, or None when it is not there."""
        if not self.life.is_alive(number, day, self.hand):
            return None
        return self._record_cache(number, self.life.revision(number, day, self.hand))

    @cached_property
    def _record_cache(self) -> Callable[[int, int], Record]:
        """The catalogue's records, the last ones kept: pages, answers and whoever wants the truth ask for the same again and again."""
        return lru_cache(maxsize=_KEPT_RECORDS)(self.catalogue.record)

    def claimed_count(self, day: int) -> int:
        """Return about how many records there are, as the site itself would say."""
        return self.life.newest(day, self.hand)

    def record_path(self, record: Record, query: str = "", back: str = "", op: str = "") -> str:
        """Return the path of a record's page; where the site does so, it carries the query that found it, the way back, what to do."""
        assert self.plan.database is not None
        pattern = self.plan.database.record_path
        words = (slug(record.title) or "entry") if "{slug}" in pattern else ""
        path = pattern.format(n=record.number, topic=self.plan.topic, slug=words)
        given = {"from": query, "back": back, "op": op}
        if carried := {name: given[name] for name in self.session_names if given[name]}:
            path += ("&" if "?" in path else "?") + urlencode(carried)
        return path

    @cached_property
    def session_names(self) -> tuple[str, ...]:
        """Return the parameters of records' addresses that make no difference to what is there."""
        plan = self.plan.database
        assert plan is not None
        carried = {"from": plan.carries_query, "back": plan.carries_back, "op": plan.two_addresses}
        return tuple(name for name, is_carried in carried.items() if is_carried)

    def record_at(self, target: str) -> int | None:
        """Return the number of the record whose page has a target."""
        if self.plan.database is None or not self.plan.database.has_details:
            return None
        found = self._record_pattern.fullmatch(target)
        return int(found["n"]) if found else None

    def homepage_records(self, day: int) -> list[Record]:
        """Return the records the homepage links to."""
        if self.plan.database is None or not self.plan.database.has_details:
            return []
        records = (self.record(number, day) for number in range(1, self.plan.database.featured + 1))
        return [record for record in records if record]

    def similar_records(self, number: int, day: int) -> list[Record]:
        """Return records that a record's page links to."""
        newest = self.life.newest(day, self.hand)
        others = {chance.draw(self.key, "also", number, turn) % newest + 1 for turn in range(_RELATED)}
        records = (self.record(other, day) for other in sorted(others - {number}))
        return [record for record in records if record]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Return what the attributes of the site's records are called."""
        return tuple(self.say(f"field.{attribute.name}") for attribute in self.catalogue.topic.attributes)

    def label_values(self, record: Record) -> list[tuple[str, str]]:
        """Return the attributes of a record with their labels, missing ones left out."""
        return [(label, value) for label, value in zip(self.labels, record.values, strict=True) if value]

    def popular_searches(self) -> list[tuple[str, str]]:
        """Return searches the homepage links to: the words and the address."""
        database = self.plan.database
        if database is None or not database.popular_searches:
            return []
        box = self.search_form.field_meaning("keywords")
        assert box is not None
        words = [max(self._record_cache(number, 0).title.split(), key=len) for number in (2, 3, 5)]
        return [(word, f"{self.search_action}?{quote(box.name)}={self.quote(word)}") for word in words]

    def quote(self, text: str) -> str:
        """Return a text as a browser puts it into a query string of this site."""
        return quote(text.encode(self.query_charset, "xmlcharrefreplace"), safe="")

    # Answering

    def respond(self, request: Request) -> Response:
        """Answer a request."""
        if self.plan.session_ids:
            path, query = self.strip_session(request.path, request.query)
            request = replace(request, path=path, query=query)
        response = self._dispatch(request)
        if response.stream is None and response.status == 200 and request.method in ("GET", "HEAD"):
            response = self._validate(request, response)
        return self._compress(request, response)

    def session_of(self, request: Request) -> str:
        """Return the session id the links of this answer carry: a new one every time, where the site has them."""
        if not self.plan.session_ids:
            return ""
        return f"{chance.draw(self.key, 'session', request.count):016x}"

    def add_session(self, path: str, session: str) -> str:
        """Return a path with the session id in it."""
        if self.plan.session_ids == "path":
            bare, mark, query = path.partition("?")
            return f"{bare};jsessionid={session}{mark}{query}"
        return f"{path}{'&' if '?' in path else '?'}sid={session}"

    def strip_session(self, path: str, query: str) -> tuple[str, str]:
        """Return path and query without a session id."""
        return _SESSION.sub("", path), _SESSION.sub("", query).rstrip("&")

    def page(self, sheet: Sheet, status: int = 200, kind: str = "page") -> Response:
        """Return a written sheet as an answer in the site's encoding."""
        if kind == "answer:results" and sheet.form_round_page is None:
            for form in self._traps_at("search"):
                sheet.form(form)
        body = sheet.html().encode(self.plan.codec, "xmlcharrefreplace")
        named = "" if self.plan.look.stray_ends else f"; charset={self.plan.charset}"
        headers = [("Content-Type", f"text/html{named}")]
        if sheet.cookie:
            headers.append(("Set-Cookie", f"{COOKIE}={sheet.cookie}; Path=/; HttpOnly"))
        return Response(status, body, headers, kind, links=tuple(sheet.links), records=sheet.records)

    def redirect(self, path: str, status: int = 302, kind: str = "redirect") -> Response:
        """Return a redirect to a path of the site."""
        location = path if path.startswith("http") else f"http://{self.plan.host}{path}"
        return Response(
            status, b"", [("Location", location), ("Content-Type", "text/html")], kind, links=(location,)
        )

    def not_found(self, request: Request) -> Response:
        """Return the page for what is not there; some sites call it a success."""
        sheet = Sheet(self, request)
        sheet.heading(self.say("not_found_title"))
        sheet.paragraph(self.say("not_found"))
        return self.page(sheet, 200 if self.plan.soft_404 else 404, "not_found")

    def parameters(self, request: Request) -> Parameters:
        """Return what was sent with a request, from the address and from the body."""
        charset = self.query_charset
        pairs = split_parameters(request.query, charset)
        if request.method == "POST":
            pairs += split_parameters(request.body.decode("latin-1"), charset)
        if charset == "utf-8":
            return pairs
        return [
            (name, unescape(value)) for name, value in pairs
        ]  # browsers write &#8212; for what does not fit

    def skin(self, day: int) -> Skin:
        """Return the template of the site as it is on a day."""
        key = day // (self.plan.redesign_every or NEVER), len(self.hand.redesigns)
        if key not in self._skins:
            self._skins[key] = Skin(self.plan.look, self.redesigns(day))
        return self._skins[key]

    def redesigns(self, day: int) -> tuple[str, ...]:
        """Return the redesigns the site has had: by schedule, then by hand."""
        every = self.plan.redesign_every
        scheduled = day // every if every else 0
        names = (chance.pick(REDESIGNS, self.plan.number, "redesign", turn) for turn in range(scheduled))
        return (*names, *self.hand.redesigns)

    def write_trap_doors(self, sheet: Sheet) -> None:
        """Write the links that lead into the site's traps."""
        traps.write_doors(sheet)

    def _dispatch(self, request: Request) -> Response:
        path = request.path
        if path == "/robots.txt":
            return robots_text(self.plan)
        if path == "/sitemap.xml" and self.plan.has_sitemap:
            return self._sitemap(request.day)
        if self.plan.booby_traps and (trap := self._sprung_trap(request)):
            return self._effect(trap, request)
        if (
            path.startswith(FOLDERS)
            and (form := self.harmful_forms.get(path))
            and self._is_submission(form, request)
        ):
            return self._effect(form, request)
        if self.plan.database is not None:
            if path == self.search_action and (self._is_asked(request) or not self.plan.database.same_page):
                return answers.answer(self, request)
            if (number := self.record_at(request.target)) is not None:
                return self._record_page(number, request)
        if self.plan.traps and (response := traps.respond(self, request)):
            return response
        page = self.page_at(path)
        if page is None or request.method == "POST":
            return self.not_found(request)
        sheet = Sheet(self, request)
        sheet.name_canonical(self.path(page))
        write_article(sheet, page)
        return self.page(sheet, self._write_manners(sheet, page))

    def _write_manners(self, sheet: Sheet, page: int) -> int:
        """Write what the page of a search form says to crawlers; return its status."""
        plan = self.plan.database
        if plan is None or not any(form.is_search for form in self.forms_on(page)):
            return 200
        sheet.ask_nofollow()
        return plan.bare_status

    def _record_page(self, number: int, request: Request) -> Response:
        record = self.record(number, request.day)
        if record is None:
            return self.not_found(request)
        sheet = Sheet(self, request)
        sheet.name_canonical(self.record_path(record))
        write_record(sheet, record)
        return self.page(sheet, kind="record")

    def _is_asked(self, request: Request) -> bool:
        return answers.is_asked(self, self.parameters(request))

    def _is_submission(self, form: Form, request: Request) -> bool:
        if request.method.lower() != form.method:
            return False
        if form.multipart:
            return bool(request.body)
        sent = {name for name, _ in self.parameters(request)}
        return any(field.name in sent for field in form.fields) or request.method == "POST"

    def _effect(self, form: Form, request: Request) -> Response:
        sent = [] if form.multipart else self.parameters(request)
        self.world.count_effect(self.plan.host, form, sent, request.time)
        sheet = Sheet(self, request)
        sheet.heading(form.button)
        sheet.paragraph("OK")
        return self.page(sheet, kind="effect")

    def _sitemap(self, day: int) -> Response:
        entries = "".join(
            f"<url><loc>{escape(f'http://{self.plan.host}{self.path(page)}')}</loc>"
            f"<lastmod>{self._sitemap_date(page, day)}</lastmod></url>"
            for page in range(self.plan.pages)
        )
        text = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
        return Response(200, text.encode(), [("Content-Type", "application/xml")], "sitemap")

    def _sitemap_date(self, page: int, day: int) -> str:
        if self.plan.validators == "stuck":
            return date_of(0)
        return date_of(max(self._pages_life.last_written(page, day) * DAY, self.hand.last_touched(page)))

    def _validate(self, request: Request, response: Response) -> Response:
        """Add ETag and Last-Modified, honest or not, and answer 304 where the visitor has this version."""
        if self.plan.validators == "missing":
            return response
        page = self.page_at(request.path) if response.kind == "page" else None
        tag = self._tag(request, response, page)
        response.headers.append(("ETag", tag))
        written = self._last_written(request, page) if page is not None else None
        if written is not None:
            response.headers.append(("Last-Modified", http_date(written)))
        known = {
            known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")
        }
        since = request.headers.get("if-modified-since")
        is_known = bool(known & {tag, "*"}) or (
            known == {""} and written is not None and since == http_date(written)
        )
        return Response(304, b"", [("ETag", tag)], response.kind) if is_known else response

    def _tag(self, request: Request, response: Response, page: int | None) -> str:
        match self.plan.validators:
            case "stuck":
                return f'"{xxh3_64_hexdigest(request.target.encode())}"'
            case "restless":
                return f'"{request.count:x}"'
            case _ if (
                page is not None and self.plan.number % 2
            ):  # honest about the content, whatever stands around it
                revision = self._pages_life.revision(page, request.day, self.hand)
                return f'"{chance.draw(self.key, page, revision, *self.redesigns(request.day)):x}"'
            case _:
                return f'"{xxh3_64_hexdigest(response.body)}"'

    def _last_written(self, request: Request, page: int) -> float | None:
        """When a page was last changed, as far as the site says so."""
        if self.plan.validators == "stuck":
            return 0.0
        if self.plan.validators != "honest" or (self._is_restless and self.plan.number % 2 == 0):
            return None
        every = self.plan.redesign_every
        redesigned = request.day // every * every if every else 0
        scheduled = max(redesigned, self._pages_life.last_written(page, request.day)) * DAY
        return max(float(scheduled), self.hand.last_touched(page))

    def _compress(self, request: Request, response: Response) -> Response:
        wanted = self.plan.compression
        if not wanted or not response.body or wanted not in request.headers.get("accept-encoding", ""):
            return response
        response.body = compress_body(response.body, wanted)
        response.headers.append(("Content-Encoding", wanted))
        return response

    @property
    def _is_restless(self) -> bool:
        plan = self.plan
        return plan.counts_views or plan.shows_date or plan.rotates_ads or plan.shuffles

    @cached_property
    def query_charset(self) -> str:
        """Return the encoding of what visitors send: the page's, unless the form or its script says otherwise."""
        style = self.plan.database.style if self.plan.database else ""
        return "utf-8" if style in ("accept_charset", "formless") else self.plan.codec

    @cached_property
    def _search_pages(self) -> list[int]:
        assert self.plan.database is not None
        draw = chance.rng(self.world.seed, self.plan.number, "places")
        pages = [self.structure.page_at_depth(depth, draw) for depth in self.plan.database.form_depths]
        return list(dict.fromkeys(pages))

    @cached_property
    def _harmful_form_pages(self) -> list[tuple[int, str]]:
        """The pages that hold a form to be left alone, with its purpose; never inside another form."""
        draw = chance.rng(self.world.seed, self.plan.number, "left alone")
        places = [(draw.randrange(self.plan.pages), purpose) for purpose in self.plan.left_alone]
        if self.plan.database is None or self.plan.database.style != "aspnet":
            return places
        return [(page, purpose) for page, purpose in places if page not in self._search_pages]

    @cached_property
    def booby_traps(self) -> dict[str, Form]:
        """Return the booby-trapped forms of the site by the names of the traps."""
        wordings: booby_traps.Wordings = "held out" if self.world.booby_traps == "held out" else "tuned"
        return {
            name: booby_traps.trap_form(name, self.voice, self.search_form, wordings)
            for name in self.plan.booby_traps
        }

    @cached_property
    def _trap_pages(self) -> list[tuple[int, str]]:
        """The pages that hold a booby trap, with its name; never inside another form."""
        if not self.plan.booby_traps:
            return []
        draw = chance.rng(self.world.seed, self.plan.number, "booby traps")
        assert self.plan.database is not None
        is_round_page = self.plan.database.style == "aspnet"
        free = [page for page in range(self.plan.pages) if page not in self._search_pages]
        pages = free or ([] if is_round_page else self._search_pages)
        beside = pages if is_round_page else self._search_pages
        on_records, beside_searches = self._trap_names_at("record"), self._trap_names_at("search")
        return [
            (draw.choice(beside if name in beside_searches else pages), name)
            for name in self.plan.booby_traps
            if name not in on_records and pages
        ]

    def _traps_at(self, place: str) -> list[Form]:
        """Return the booby traps that stand on pages of records, or beside the search and its answers."""
        return [self.booby_traps[name] for name in self._trap_names_at(place)]

    def _trap_names_at(self, place: str) -> list[str]:
        """Return which they are, told without making them: that takes the addresses of pages."""
        if self.plan.database is None or (place == "record" and not self.plan.database.has_details):
            return []
        return [name for name in self.plan.booby_traps if booby_traps.booby_trap(name).place == place]

    def _sprung_trap(self, request: Request) -> Form | None:
        sent = self.parameters(request)
        forms = self.booby_traps.values()
        return next((form for form in forms if booby_traps.is_sprung(form, request.path, sent)), None)

    @cached_property
    def _pages_with_forms(self) -> frozenset[int]:
        """Where forms stand, told without making them: most pages have none."""
        searches = self._search_pages if self.plan.database is not None else []
        return frozenset(searches).union(page for page, _ in (*self._harmful_form_pages, *self._trap_pages))

    @cached_property
    def _form_places(self) -> dict[int, list[Form]]:
        places: dict[int, list[Form]] = {}
        if self.plan.database is not None:
            for turn, page in enumerate(self._search_pages):
                places.setdefault(page, []).append(self.search_form if turn % 2 == 0 else self.second_form)
        for turn, (page, purpose) in enumerate(self._harmful_form_pages):
            places.setdefault(page, []).append(self._harmful_form(purpose, f"{purpose}-{turn}"))
        for page, name in self._trap_pages:
            places.setdefault(page, []).append(self.booby_traps[name])
        return places

    @cached_property
    def _announcements(self) -> dict[int, str]:
        """The phrase that names a page by its form, for most pages with one: links to forms often say so."""
        named = {page: chance.pick(_SEARCH_TITLES, self.plan.number, page) for page, _ in self._trap_pages}
        named |= {page: PHRASES[purpose] for page, purpose in self._harmful_form_pages}
        if self.plan.database is not None:
            named |= {
                page: chance.pick(_SEARCH_TITLES, self.plan.number, page) for page in self._search_pages
            }
        first_free = len(self.plan.sections) + 1
        return {
            page: phrase
            for page, phrase in named.items()
            if page >= first_free and chance.share(self.plan.number, "announced", page) < 0.7
        }

    @cached_property
    def second_form(self) -> Form:
        """Return the form on every other search page: the box alone, where the main form has more than that."""
        form = self.search_form
        box = form.field_meaning("keywords")
        if box is None or form.style in ("required", "aspnet", "formless") or len(form.fields) == 1:
            return form
        return self.form_maker.only(form, box)

    def _harmful_form(self, purpose: str, key: str) -> Form:
        return make_form(purpose, self.voice, chance.rng(self.world.seed, self.plan.number, key), key)

    @cached_property
    def _record_pattern(self) -> re.Pattern[str]:
        assert self.plan.database is not None
        pattern = re.escape(self.plan.database.record_path)
        pattern = pattern.replace(r"\{n\}", r"(?P<n>\d{1,9})").replace(r"\{topic\}", self.plan.topic)
        pattern = pattern.replace(r"\{slug\}", r"[^/?]*")
        names = "|".join(self.session_names or ("from",))
        return re.compile(pattern + rf"(?:[?&](?:{names})=[^&]*){{0,{max(1, len(self.session_names))}}}")

    def _draw_title(self, page: int) -> tuple[str, str]:
        return self._titles[chance.mix(self.key + page) % len(self._titles)]

    def _path(self, page: int) -> str:
        if page == 0:
            return "/"
        parent = self.structure.parent[page]
        if parent == 0:
            return section_path(self.plan.sections[page - 1])
        folder = self.path(self._folder(page))
        words = (
            self._announcements[page].replace("_", "-")
            if page in self._announcements
            else self._draw_title(page)[1]
        )
        return f"{folder.removesuffix('.html').removesuffix('/')}/{words}-{_base36(page)}{self._ending(page)}"

    def _folder(self, page: int) -> int:
        """Return the page whose path a page's path continues: its section, or the page at depth 2 below that."""
        above = self.structure.ancestors(page)
        return above[min(2, len(above) - 1)]

    def _ending(self, page: int) -> str:
        if self.structure.depth[page] == 2 and self.structure.children_of[page]:
            return "/"
        return self.plan.extension

    def _outward(self, page: int, turn: int) -> tuple[str, str, str]:
        state = chance.mix(self.key + (page << 16) + turn)
        target = self.world.link_target(self.plan, page, state)
        words = self._sentences[(state >> 8) % len(self._sentences)]
        return self.world.entry_url(target, state), self.world.anchor(target, state), words


def slug(text: str) -> str:
    """Return the words of a title as an address has them; nothing where they are not Latin letters."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return "-".join(words[:5])


def native_slug(text: str) -> str:
    """Return the first words of a title percent-encoded, as sites do that keep their own script in addresses."""
    return quote("-".join(re.findall(r"\w+", text)[:3])[:24])


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits
