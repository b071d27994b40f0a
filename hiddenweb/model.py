"""What travels through a crawl: values that never change once they are made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

TaskKind = Literal["page", "answer", "paging", "record", "sitemap", "robots"]
"""What a task fetches: a linked page, the answer to a query, a further page of an answer, a record's own page, a sitemap, or the
robots.txt of a host. A robots task is in no frontier: it comes before the tasks of a host whose rules are not known."""


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink, as a reader of the page sees it."""

    url: str  # absolute and written as the URL standard writes it, without fragment
    anchor: str = ""
    around: str = ""  # up to ten words on each side of the anchor
    tag_path: str = ""  # html/body/div.main/ul/li/a
    nofollow: bool = False
    rel: str = ""  # the link's own rel, in lower case: "next", "prev nofollow"


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a select."""

    value: str
    text: str
    selected: bool = False
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class LabelHint:
    """A text about a control; `where` is its place: label, aria, placeholder, cell before ..."""

    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A control of a form. `kind` is the type of an input, or select, textarea or button.

    `value` is the value in the page; `forms.entry_list` turns it into what a browser sends.
    """

    name: str
    kind: str
    label: str = ""
    value: str = ""
    options: tuple[Option, ...] = ()
    placeholder: str = ""
    autocomplete: str = ""
    element_id: str = ""
    required: bool = False
    disabled: bool = False
    readonly: bool = False
    multiple: bool = False
    checked: bool = False
    max_length: int | None = None
    minimum: str = ""
    maximum: str = ""
    step: str = ""
    pattern: str = ""
    dirname: str | None = None  # the name under which the writing direction is sent; None: it is not sent
    direction: str = "ltr"  # ltr, rtl or auto: the writing direction that `dirname` reports
    form_action: str | None = None  # of a button, absolute; None: the form's own
    form_method: str | None = None
    form_enctype: str | None = None
    suggestions: tuple[str, ...] = ()  # of the datalist of a text box
    unseen: bool = False  # visitors of the page do not see it
    hints: tuple[LabelHint, ...] = ()  # all texts about it; `label` is the best of them
    size: int = 0  # as the page says: lines of a select, characters of a box; 0: it does not say
    wrap: int = 0  # of a textarea that is sent with its lines broken: characters of a line


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page: what it sends where, and all texts about it.

    `source` is the way in which the page declares it: as a <form>, as a box that a script reads ("script"), as a schema.org SearchAction
    or in an OpenSearch description. The latter two have a `template` of an address, with {name} for a value.
    """

    page_url: str
    action: str  # absolute
    method: str  # GET, POST or DIALOG
    fields: tuple[Field, ...] = ()
    enctype: str = "application/x-www-form-urlencoded"
    charset: str = "utf-8"  # of the values that are sent
    text: str = ""  # all visible words inside it
    heading: str = ""  # the headings right before it
    aside: str = ""  # headings of parts of the page that end before the form begins
    before: str = ""  # the sentence right before it, if there is one
    names: str = ""  # its id, name, class, role and aria-label
    place: int = 0  # the first form of a page is 0
    element_id: str = ""
    rel: str = ""  # nofollow, search ...
    around: str = ""  # tag, id, class and role of the three elements around it, the nearest first
    page_title: str = ""
    language: str = ""  # of the page: ISO 639-1; empty if it is unknown
    source: str = "form"  # form, noscript, script, schema.org or opensearch
    template: str = ""
    needs_browser: bool = False  # only a script can submit it
    captcha: bool = False  # it checks whether a person submits it
    step: int = 1  # of a search over several pages; the second form came in the answer to the first
    chosen: tuple[tuple[str, str], ...] = ()  # names and values of the steps before
    asked_by: int | None = None  # the submission whose answer has it
    in_session: bool = False  # only the session knows what was chosen before; the form does not say it


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a form is for, whether it may be submitted, and the reasons, for people to read."""

    may_submit: bool
    kind: str  # search, login, registration, recovery, newsletter, contact, comment, order, other
    searchable: bool = False  # more likely than not, it searches
    probability: float = 0.0  # that it searches
    query_box: int | None = None  # the place of the control that takes free words
    button: int | None = None  # the place of the button that is pressed
    why: tuple[str, ...] = ()  # the reasons for and against a search
    refusals: tuple[str, ...] = ()  # why it is not submitted
    by_hand: str = ""  # "allow" or "never" where the user has overruled the verdict
    overruled: tuple[str, ...] = ()  # the reasons against it before the user allowed it

    @property
    def summary(self) -> str:
        """The reasons that decided, in one line."""
        if self.by_hand == "allow" and self.may_submit:
            return f"allowed by hand, although {'; '.join(self.overruled) or 'nothing spoke against it'}"
        return "; ".join(self.refusals or self.why)


@dataclass(frozen=True, slots=True)
class RepeatedItem:
    """One of several similar parts of a page: a result in a list, a row, a card."""

    text: str
    title: str = ""
    url: str | None = None  # the target of the link that is about it
    pairs: tuple[tuple[str, str], ...] = ()  # visible labels and values: ("Author", "Jane Smith")
    attributes: Sequence[tuple[str, str]] = ()  # every value in a place of its own: ("author", "Jane Smith")
    element: int = 0  # the number of its node in the document; 0: it is not one element
    kind: str = ""  # its tags and classes: equal for items of the same kind on other pages of the site
    others: tuple[str, ...] = ()  # the targets of its other links, the first of each kind
    names: tuple[str, ...] = ()  # targets of links that are not web addresses: files, magnet links
    shown: Sequence[
        str
    ] = ()  # the names among its attributes that the page itself gives; the others are guessed


def no_items_of_kind(kinds: Collection[str]) -> Sequence[RepeatedItem]:  # noqa: ARG001
    """Return no items: the page was not read for repeated items."""
    return ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page, read once."""

    url: str
    title: str = ""
    text: str = ""  # the main text, without navigation, headers and footers
    language: str = ""  # ISO 639-1; empty if it is unknown
    charset: str = "utf-8"
    links: Sequence[Link] = ()
    forms: tuple[Form, ...] = ()
    blocks: tuple[RepeatedItem, ...] = ()
    single_items: Sequence[RepeatedItem] = ()  # items of lists that have one item only
    items_of_kind: Callable[[Collection[str]], Sequence[RepeatedItem]] = field(
        default=no_items_of_kind, repr=False, compare=False
    )  # its items of some kinds, repeated or not
    canonical: str | None = None  # the address that the page declares as its own
    refresh: str | None = None  # where the page forwards its visitors
    refresh_after: float = 0.0  # seconds before it does so
    nofollow: bool = False
    noindex: bool = False
    structure: int = 0  # equal for pages of one template
    fingerprint: int = 0  # equal for equal texts
    sketch: tuple[int, ...] = ()  # near duplicates agree in most of these numbers
    marks: tuple[str, ...] = ()  # truncated, too_deep ...: what was cut off, or is wrong
    descriptions: tuple[str, ...] = ()  # absolute addresses of OpenSearch descriptions
    paging_links: tuple[
        Link, ...
    ] = ()  # of an answer: ways to its next page that are no links, such as what a button would load
    document: object = field(
        default=None, repr=False, compare=False
    )  # the parsed Document, if it is kept for further views


@dataclass(frozen=True, slots=True)
class TaskSeed:
    """A link on its way into the frontier."""

    url: str
    kind: TaskKind = "page"
    bucket: int = 0  # 0 is fetched first
    hops: int = 0
    redirects: int = 0
    parent: int | None = None  # the link whose page has it
    submission: int | None = None
    page_number: int = 1
    anchor: str = ""  # this and the next two only if links are ranked
    around: str = ""
    tag_path: str = ""


@dataclass(frozen=True, slots=True)
class PostSeed:
    """A further page of an answer that is fetched by POST, on its way into the frontier and the ledger."""

    link: TaskSeed
    body: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class CrawlTask:
    """The unit that a frontier leases: an address, and what it is fetched for. Travels in `request.meta["hiddenweb"]`."""

    link: int  # its number in the frontier
    site: int
    host: int
    url: str
    kind: TaskKind = "page"
    hops: int = 0  # links from a seed
    redirects: int = 0
    attempts: int = 0
    submission: int | None = None  # the submission that led here
    page_number: int = 1  # of an answer
    is_revisit: bool = False  # it was fetched before, and may have changed
    form: int | None = (
        None  # the form of that submission; this and the next two are read when the task is leased
    )
    query: HttpQuery | None = None  # of that submission: what is sent for an answer and its further pages
    was_sent: bool = False  # by POST, which is sent at most once

    @property
    def answered_submission(self) -> int | None:
        """The submission of whose answer this is a page; a record's own page is no page of an answer."""
        return self.submission if self.kind in ("answer", "paging") else None

    @property
    def post_query(self) -> HttpQuery | None:
        """The query that is sent by POST; None if the task is fetched by GET, as every target of a redirect is."""
        if (
            self.query is None
            or self.query.method == "GET"
            or self.answered_submission is None
            or self.redirects
        ):
            return None
        return self.query


@dataclass(frozen=True, slots=True)
class FailedTask:
    """A task whose request failed. Takes the place of the task in `request.meta["hiddenweb"]`."""

    task: CrawlTask
    error: Exception


@dataclass(frozen=True, slots=True)
class PageList:
    """The addresses in a sitemap: pages, or further sitemaps."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """The response to a task, and what was found in it."""

    task: CrawlTask
    url: str
    status: int
    at: float
    body: bytes = field(default=b"", repr=False)
    etag: str = ""
    last_modified: str = ""
    content_type: str = ""
    page: Page | None = None  # None: the response is no page, or an error page
    redirect: str | None = None
    why: str = ""  # why there is no page
    latency: float = 0.0
    duplicate_of: int | None = None  # the page with the same text, or nearly
    exact: bool = False  # it has exactly the same text
    duplicate_why: str = ""  # the reason for that verdict
    stored_page: int | None = None  # the page's number in the store
    record: int | None = None  # the record whose own page this is
    outcome: str = ""  # of a query: one of the cases of an answer
    outcome_why: str = ""
    records: tuple[Record, ...] = ()
    total: int | None = None  # of records, as the site says
    behind_form: bool = False
    new_forms: int = 0  # search forms that no earlier page of the site had
    forms_on_topic: int = 0  # of these, those on the topic of the crawl
    marks: tuple[str, ...] = ()  # of a revisit: what was cut off or wrong when it was fetched
    attributes: tuple[tuple[str, str], ...] = ()  # found by extractors, if the page is about one record
    form_page: Page | None = None  # an error page, or a sitemap for people, that has forms
    page_list: PageList | None = None  # of a sitemap, which is no page


UNREQUESTED_304 = "not modified, though the request was not conditional"
"""Why there is no page if a server answers 304 to a request without conditions."""


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """A task that got no response, or was refused."""

    task: CrawlTask
    why: str
    at: float
    retry_in: float | None = None  # seconds; None: never
    counts: bool = True  # it counts as an attempt
    host_pause: float | None = None  # seconds for which the whole host is paused
    refused: bool = False  # by robots.txt, the address guard or our own rules
    status: int | None = None
    may_be_temporary: bool = False  # a later try may succeed
    remedy: str = ""  # what the user can do about it


@dataclass(frozen=True, slots=True)
class RetriedTask:
    """A page of an answer that could not be fetched, on its way back into the frontier."""

    link: int  # its number in the frontier


@dataclass(frozen=True, slots=True)
class HttpQuery:
    """A query to a form: the values of its controls, and the request that sends them."""

    values: tuple[tuple[str, str], ...]  # what is filled in, for people and for the ledger
    keyword: str = ""
    method: str = "GET"
    url: str = ""  # the address of the request, with the values for GET
    body: bytes = b""
    content_type: str = ""
    session_values: tuple[
        tuple[str, str], ...
    ] = ()  # values that were sent in the session before; without them the same request is another query


@dataclass(frozen=True, slots=True)
class PlannedQuery:
    """A query to a known form, on its way into the ledger."""

    form: int
    query: HttpQuery
    reason: str = ""  # why it is submitted, for people
    not_before: float = 0.0  # when it may go out


FollowUp = TaskSeed | PostSeed | PlannedQuery | RetriedTask
"""What follows from a page, on its way into the frontier."""


@dataclass(frozen=True, slots=True)
class Record:
    """One result in an answer."""

    key: str  # equal for the same record, whichever query found it
    title: str
    text: str
    url: str | None = None
    pairs: tuple[tuple[str, str], ...] = ()  # visible labels and values
    attributes: Sequence[
        tuple[str, str]
    ] = ()  # names and values; a name with several values is in several pairs
    shown: Sequence[str] = ()  # the names among these that the answer itself gives; the others are guessed


@dataclass(frozen=True, slots=True)
class IndexDocument:
    """What the search index stores of a page or a record."""

    key: str  # unique: the address of a page, or of a record, or the key of a record without address
    url: str  # where a reader finds it
    site: str
    title: str
    text: str
    language: str
    kind: str  # page, or record (with the text of its own page, if that was read)
    behind_form: bool  # found by a query, not by a link
    fetched_at: float
    hash: str  # equal for documents with the same content
    attributes: tuple[tuple[str, str], ...] = ()  # names and values, if it is a record


def values_by_name(attributes: Iterable[tuple[str, str]]) -> dict[str, str | list[str]]:
    """Return attributes for programs: the value of each name, or the list of its values if it has several.

    >>> values_by_name((("author", "Jane Smith"), ("price", "12.50"), ("author", "John Doe")))
    {'author': ['Jane Smith', 'John Doe'], 'price': '12.50'}
    """
    found: dict[str, list[str]] = {}
    for name, value in attributes:
        found.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}
