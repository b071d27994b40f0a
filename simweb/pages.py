"""Writes the pages of a site: articles, lists, records, errors, and the restless things around them.

A `Sheet` collects one page while it is written: HTML by part and, beside it, every address a link crawler can follow.
The truth reads the addresses, a crawler has to find them in the HTML.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from simweb import chance
from simweb.escaping import escape
from simweb.guards import GUARDED, guard_form, session_of
from simweb.markup import form_html, opens_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from simweb.catalogue import Record
    from simweb.forms import Form
    from simweb.messages import Request
    from simweb.site import Site

LINKS_PER_PAGE = 50
RUN = 8  # related pages are a few runs of neighbours in the tree
_EPOCH = 1_767_225_600  # 2026-01-01T00:00:00Z, the world's first day


class Sheet:
    """One page being written."""

    def __init__(self, site: Site, request: Request) -> None:
        self.site = site
        self.request = request
        self.skin = site.skin(request.day)
        self.title = ""
        self.main: list[str] = []
        self.links: list[str] = []
        self.records: tuple[int, ...] = ()
        self.session = site.session_of(request)
        self.form_round_page: Form | None = None
        self.head = ""
        self.cookie = ""

    def address(self, path: str) -> str:
        """Return an address inside the site as this visitor's links carry it."""
        return self.site.add_session(path, self.session) if self.session else path

    def link(self, href: str, text: str, extra: str = "") -> str:
        """Return an <a> to an address and remember it."""
        self.links.append(href)
        return f'<a href="{escape(href)}"{extra}>{escape(text)}</a>'

    def inside(self, path: str, text: str, extra: str = "") -> str:
        """Return an <a> to another page of the site."""
        address = self.address(path)
        self.links.append(address)
        return f'<a href="{escape(self.site.href(address))}"{extra}>{escape(text)}</a>'

    def name_canonical(self, path: str) -> None:
        """Write the one address of a page that has many, where the site does that."""
        if self.site.plan.names_canonical:
            self.head += f'<link rel="canonical" href="http://{self.site.plan.host}{escape(path)}">'

    def ask_nofollow(self) -> None:
        """Write that no link of the page be followed, where the site says so of its search."""
        if self.site.plan.database is not None and self.site.plan.database.asks_nofollow:
            self.head += '<meta name="robots" content="nofollow">'

    def to_page(self, page: int) -> str:
        """Return an <a> to a page of the public tree; the commonest link of all, so it is kept ready-made."""
        if self.session:
            return self.inside(self.site.path(page), self.site.title(page))
        href, written = self.site.anchor(page)
        self.links.append(href)
        return written

    def to_pages(self, pages: Iterable[int]) -> list[str]:
        """Return an <a> to each of some pages of the public tree."""
        if self.session:
            return [self.to_page(page) for page in pages]
        anchors = [self.site.anchor(page) for page in pages]
        if not anchors:
            return []
        hrefs, written = zip(*anchors, strict=True)
        self.links += hrefs
        return list(written)

    def heading(self, text: str) -> None:
        """Write the heading, which is also the title."""
        self.title = text
        self.main.append(self.skin.wrap("heading", escape(text)))

    def paragraph(self, text: str) -> None:
        """Write a paragraph of plain text."""
        self.main.append(self.skin.wrap("text", escape(text)))

    def notice(self, text: str) -> None:
        """Write a message to the visitor."""
        self.main.append(self.skin.wrap("notice", escape(text)))

    def form(self, form: Form, given: Mapping[str, str] | None = None) -> None:
        """Write a form, with what was typed into it before."""
        if form.style == "aspnet":
            self.form_round_page = form
        if form.style in GUARDED:
            self.cookie = session_of(self.site, self.request)
            form = guard_form(self.site, form, self.request, self.cookie)
        html = form_html(form, self.skin, given or {}, self.request.count)
        self.main.append(self.skin.wrap("block", html) if form.labelling != "broken" else html)

    def listing(self, items: list[str]) -> None:
        """Write a list of ready-made items."""
        if items:
            start, end = self.skin.open("item"), self.skin.close("item")
            self.main.append(self.skin.wrap("list", start + f"{end}{start}".join(items) + end))

    def html(self) -> str:
        """Return the whole page."""
        site, skin = self.site, self.skin
        nav, nav_links = site.navigation(self)
        self.links += nav_links
        side = self._side()
        main = skin.wrap("main", "".join(self.main))
        foot = skin.wrap("foot", escape(site.say("copyright", year=2026, name=site.name)) + self._restless())
        body = skin.body(nav, main, side, foot, banner=site.say("advertisement"))
        if self.form_round_page is not None:
            body = opens_page(self.form_round_page, skin) + body + "</form>"
        language = site.language
        direction = ' dir="rtl"' if language.direction == "rtl" else ""
        return (
            f'{skin.look.doctype}<html lang="{language.code}"{direction}><head>{site.meta_charset}{site.base}'
            f"<title>{escape(self.title)} - {escape(site.name)}</title>{self.head}</head><body>{body}</body></html>"
        )

    def _side(self) -> str:
        """Write the column beside the content: a short text and, where the site has them, advertisements."""
        site, skin = self.site, self.skin
        text = site.sentence(self.request.path, "side")
        if site.plan.rotates_ads:
            text += skin.wrap(
                "ad", escape(site.say("sponsored")) + ": " + site.sentence("ad", self.request.count)
            )
        return skin.wrap("side", text)

    def _restless(self) -> str:
        """Write what differs from request to request and means nothing."""
        site, plan, count = self.site, self.site.plan, self.request.count
        parts = []
        if plan.counts_views:
            views = 1000 + chance.draw(self.request.path) % 9000 + count
            online = 3 + chance.draw(site.key, count) % 80
            parts.append(f"{site.say('views', n=views)} {site.say('visitors_online', n=online)}")
        if plan.shows_date:
            parts.append(site.say("today_is", date=date_of(self.request.time)))
        return "".join(f" <span>{escape(part)}</span>" for part in parts)


def write_article(sheet: Sheet, page: int) -> None:
    """Write a page of the public tree: text, the pages below it, related ones, links to other sites, its forms."""
    site, skin, request = sheet.site, sheet.skin, sheet.request
    structure = site.structure
    main = sheet.main
    if page and not skin.drops_crumbs:
        crumbs = sheet.to_pages(structure.ancestors(page))
        main.append(skin.wrap("crumbs", " &gt; ".join(crumbs)))
    sheet.heading(site.title(page) if page else site.say("welcome", name=site.name))
    start, end = skin.open("text"), skin.close("text")
    main.append(start + f"{end}{start}".join(site.article_text(page, request.day)) + end)
    for form in site.forms_on(page):
        write_form_block(sheet, form)
    children = list(structure.children(page))
    if site.plan.shuffles:
        chance.rng(site.key, request.count).shuffle(children)
    sheet.listing([_teaser(sheet, child) for child in children])
    if page == 0:
        _write_front(sheet)
    outward = site.outward_links(page)
    _write_related(sheet, page, LINKS_PER_PAGE - len(children) - len(outward) - len(site.plan.sections) - 3)
    main.append(skin.wrap("subheading", escape(site.say("links"))))
    sheet.listing([f"{sheet.link(url, text)} {words}" for url, text, words in outward])
    if site.world.cards:
        _write_cards(sheet, page, site.world.cards)


def write_form_block(sheet: Sheet, form: Form) -> None:
    """Write a form with the words that stand above it."""
    site = sheet.site
    if form.is_search:
        sheet.main.append(sheet.skin.wrap("subheading", escape(site.say("search_catalogue"))))
        sheet.paragraph(site.say("database_intro", n=site.claimed_count(sheet.request.day)))
    sheet.form(form)


def write_record(sheet: Sheet, record: Record) -> None:
    """Write the page of one record."""
    site = sheet.site
    database = site.plan.database
    assert database is not None
    sheet.heading(record.title)
    sheet.records = (record.number,)
    sheet.main.append(fields_html(sheet, record))
    sheet.paragraph(record.text)
    for form in site.record_forms:
        sheet.form(form)
    if database.links_related:
        related = site.similar_records(record.number, sheet.request.day)
        sheet.main.append(sheet.skin.wrap("subheading", escape(site.say("related"))))
        sheet.listing([sheet.inside(site.record_path(other), other.title) for other in related])
    sheet.main.append(sheet.skin.wrap("row", sheet.inside("/", site.say("home"))))


def fields_html(sheet: Sheet, record: Record) -> str:
    """Return the attributes of a record as the site shows them."""
    return sheet.skin.pairs(
        [(escape(label), escape(value)) for label, value in sheet.site.label_values(record)]
    )


def date_of(clock: float) -> str:
    """Return the date of the world's clock."""
    return time.strftime("%Y-%m-%d", time.gmtime(_EPOCH + clock))


def http_date(clock: float) -> str:
    """Return a moment of the world's clock as HTTP writes it."""
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(_EPOCH + clock))


def _teaser(sheet: Sheet, page: int) -> str:
    return f"{sheet.to_page(page)} {sheet.site.teaser(page)}"


def _write_related(sheet: Sheet, page: int, count: int) -> None:
    site = sheet.site
    pages = site.structure.pages
    if pages < 3 or count <= 0:
        return
    state, runs = chance.mix(site.key - page), -(-pages // RUN)
    chosen = dict.fromkeys((state >> 11 * turn) % runs for turn in range(-(-count // RUN)))
    sheet.main.append(sheet.skin.wrap("subheading", escape(site.say("related"))))
    if sheet.session:
        sheet.listing([sheet.to_page(other) for run in chosen for other in site.pages_of_run(run)])
        return
    written = [site.run(run, sheet.skin) for run in chosen]
    for hrefs, _ in written:
        sheet.links += hrefs
    sheet.main.append(sheet.skin.wrap("list", "".join(items for _, items in written)))


def _write_cards(sheet: Sheet, page: int, count: int) -> None:
    """Write what makes real pages large: cards that lead to other pages of the site, a script, comments."""
    site = sheet.site
    first = chance.mix(site.key + 7 * page)
    step = 1 + first % 97
    pages = dict.fromkeys((first + step * turn) % site.structure.pages for turn in range(count))
    cards = []
    for turn, other in enumerate(pages):
        href, anchor = site.anchor(other)
        sheet.links.append(href)
        again = f'<div class="card-media">{anchor}</div>' if turn % 3 == 0 else ""
        if again:
            sheet.links.append(href)
        cards.append(
            f'<li class="card card-{turn % 4}" data-position="{turn}" data-page="{other}">{again}<!-- card {turn} of the '
            f'list, from the store of teasers --><div class="card-body"><h4 class="card-title">{anchor}</h4>'
            f'<span class="card-meta"><span class="icon icon-clock"></span><span class="card-count" title="views">'
            f'{other % 9973}</span></span><img class="card-image" src="/static/thumbs/{other}.jpg" alt="" width="120"></div>'
            f'<div class="card-actions" style="margin-top: 4px; padding: 2px 6px 2px 6px; border-top: 1px solid #dddddd">'
            f'<span class="button button-small" data-action="share" data-target="page-{other}"></span></div></li>'
        )
    sheet.main.append(f'<ul class="cards">{"".join(cards)}</ul>')
    sheet.head += _SCRIPT


_SCRIPT = "<script>" + "".join(
    f"function widget{n}(element, options) {{ return element.querySelectorAll('.w{n}').forEach(each => each.dataset.state = "
    f"options['w{n}'] || 'closed'); }}\n"
    for n in range(105)
) + "</script>"  # fmt: skip


def _write_front(sheet: Sheet) -> None:
    """Write what only a homepage has: new arrivals, popular searches, the ways into traps."""
    site = sheet.site
    featured = site.homepage_records(sheet.request.day)
    if featured:
        sheet.main.append(sheet.skin.wrap("subheading", escape(site.say("new_arrivals"))))
        sheet.listing([sheet.inside(site.record_path(record), record.title) for record in featured])
    searches = site.popular_searches()
    if searches:
        sheet.main.append(sheet.skin.wrap("subheading", escape(site.say("popular_searches"))))
        sheet.listing([sheet.inside(path, words) for words, path in searches])
    site.write_trap_doors(sheet)
