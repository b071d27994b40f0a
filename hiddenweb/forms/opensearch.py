"""OpenSearch descriptions, read as forms.

A page can link to a description of its search (`<link rel=search>`): a small XML document with a name, words about the search and, for
each kind of answer, a <Url> with a template (OpenSearch 1.1). We use those that answer with a page for people.

Each gap of a template becomes a control. `{searchTerms}` is the box for the words. The others are hidden and have the value a client
starts with: the first page or result (`pageOffset`, `indexOffset`), any language `*`, the encoding of the values. Optional gaps stay
empty. A <Url> with another gap that must be filled is left out, since its value is unknown. Parameters may also be written as elements
inside of <Url>. With GET they are put into the template; with POST they are the controls of an ordinary form.

The document comes from a stranger. It is read with expat in one pass, without a tree, and refused if it has a document type: without
one there are no entities to expand and no files to load. Names are compared without their prefix, since many descriptions do not
declare it. A description that forbids others to request its answers (SyndicationRight closed) gives no form.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote_plus
from xml.parsers import expat

from hiddenweb import urls
from hiddenweb.html.charsets import encoding
from hiddenweb.html.url_templates import (
    GAP,
    absolute_template,
    drop_repeats,
    gaps_of,
    needs_script,
    parameters_of,
    start_of,
)
from hiddenweb.model import Field, Form, LabelHint

_ROOT = "OpenSearchDescription"
_WORDS = frozenset(
    {"ShortName", "LongName", "Description", "Tags", "InputEncoding", "Language", "SyndicationRight"}
)
_PARAMETERS = frozenset({"Param", "Parameter"})
_FOR_PEOPLE = frozenset({"text/html", "application/xhtml+xml"})
_ENCTYPES = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"})
_WORDS_GAP = "searchTerms"
_RESULTS_PER_PAGE = "10"  # if a template requires a number
_MAX_BYTES = 256_000  # bytes of a description: icons are often written into it; a limit of taste
_MAX_ELEMENT = 1_000  # characters: the standard allows 1,024 for the longest element
_MAX_DEPTH = 20  # elements inside one another: the standard needs three; a limit of taste
_MAX_TAG = 50  # characters of an element in a message; a limit of taste
_MAX_URLS = 20  # addresses of one description: one for each kind of answer is usual; a limit of taste
_MAX_PARAMETERS = 50  # parameters of one address; a limit of taste


class UnreadableDescription(ValueError):
    """A document that is no description; the message says where and what was found."""


def read_description(body: bytes, url: str) -> tuple[Form, ...]:
    """Return a form for each search that an OpenSearch description offers to people.

    Raises UnreadableDescription for what is no XML, has a document type, is too long or describes something else.
    """
    if len(body) > _MAX_BYTES:
        raise UnreadableDescription(
            f"{url}: the description has {len(body)} bytes, wanted at most {_MAX_BYTES}"
        )
    found = _Description(url)
    found.read(body)
    if "closed" in (right.lower() for right in found.words["SyndicationRight"]):
        return ()
    forms = [form for each in found.urls if (form := _form(found, each, url)) is not None]
    return tuple(replace(form, place=place) for place, form in enumerate(drop_repeats(forms, ())))


class _Url:
    """A <Url> of a description: its attributes without prefixes, and the parameters inside it."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = {_local(name): value.strip() for name, value in attributes.items()}
        self.parameters: list[tuple[str, str]] = []

    def is_for_people(self) -> bool:
        kind = self.attributes.get("type", "").partition(";")[0].strip().lower()
        return kind in _FOR_PEOPLE and "results" in (self.attributes.get("rel") or "results").lower().split()

    @property
    def method(self) -> str:
        return (self.attributes.get("method") or "get").upper()


class _Description:
    """The contents of a description, read element by element."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.words: dict[str, list[str]] = {name: [] for name in _WORDS}
        self.urls: list[_Url] = []
        self.depth = 0
        self.text: list[str] | None = None  # of the current element, if it is one of `words`
        self.at: _Url | None = None

    def read(self, body: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self.refuse_document_type
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.add_text
        try:
            parser.Parse(body.lstrip(), True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            if isinstance(error, UnreadableDescription):
                raise
            raise UnreadableDescription(f"{self.url}: no XML: {error}") from error

    def refuse_document_type(self, name: str, *_: object) -> None:
        raise UnreadableDescription(f"{self.url}: found a document type {name!r}, wanted none")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        if self.depth == 0 and name != _ROOT:
            raise UnreadableDescription(f"{self.url}: found <{tag[:_MAX_TAG]}>, wanted <{_ROOT}>")
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise UnreadableDescription(f"{self.url}: more than {_MAX_DEPTH} elements inside one another")
        if self.depth == 2:
            self.start_part(name, attributes)
        elif self.at is not None and name in _PARAMETERS and len(self.at.parameters) < _MAX_PARAMETERS:
            self.at.parameters.append((attributes.get("name", ""), attributes.get("value", "").strip()))

    def start_part(self, name: str, attributes: dict[str, str]) -> None:
        self.at = None
        if name == "Url" and len(self.urls) < _MAX_URLS:
            self.at = _Url(attributes)
            self.urls.append(self.at)
        elif name in self.words:
            self.text = []
            self.words[name].append("")

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.depth == 1 and self.text is not None:
            self.words[_local(tag)][-1] = " ".join("".join(self.text).split())[:_MAX_ELEMENT]
            self.text = None

    def add_text(self, text: str) -> None:
        if self.text is not None:
            self.text.append(text)

    def first(self, name: str) -> str:
        return next(filter(None, self.words[name]), "")


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _form(found: _Description, each: _Url, url: str) -> Form | None:
    """Return the form for a <Url>; None if it is not for people, or cannot be filled."""
    if not each.is_for_people() or each.method not in ("GET", "POST"):
        return None
    charset = _charset(found.words["InputEncoding"])
    values = _first_values(each, charset)
    written = each.attributes.get("template", "")
    if each.method == "GET":
        template = absolute_template(_add_parameters(written, each.parameters), url) or ""
        action: str | None = start_of(template)
        fields = _fields(template, values)
    else:
        template = ""
        action = urls.normalise_url(written, url) if "{" not in written else None
        fields = _fields_of_post(each, values)
    if not action or not fields:
        return None
    return Form(
        page_url=url,
        action=action,
        method=each.method,
        fields=fields,
        enctype=_enctype(each),
        charset=charset,
        text=" ".join(filter(None, (found.first("Description"), found.first("Tags")))),
        heading=found.first("ShortName"),
        names=" ".join(filter(None, (_ROOT, found.first("LongName")))),
        rel="search",
        language=_language(found.words["Language"]),
        source="opensearch",
        template=template,
        needs_browser=needs_script(template),
    )


def _charset(named: list[str]) -> str:
    """Return the encoding in which values are sent: UTF-8 unless only others are named."""
    known = [found[0] for found in map(encoding, named) if found]
    return known[0] if known and "utf-8" not in known and not known[0].startswith("utf-16") else "utf-8"


def _first_values(each: _Url, charset: str) -> dict[str, str]:
    """Return what a client starts with, by the names of gaps."""
    return {
        "startPage": each.attributes.get("pageOffset") or "1",
        "startIndex": each.attributes.get("indexOffset") or "1",
        "language": "*",
        "inputEncoding": charset.upper(),
        "outputEncoding": "UTF-8",
    }


def _add_parameters(template: str, parameters: list[tuple[str, str]]) -> str:
    """Return a template with the parameters that were written as elements; gaps in their values stay gaps."""
    for name, value in parameters:
        if name:
            template += f"{'&' if '?' in template else '?'}{quote_plus(name)}={_escape(value)}"
    return template


def _escape(value: str) -> str:
    """Return a value escaped for a URL query, with its gaps.

    >>> _escape("all words: {searchTerms}")
    'all+words%3A+{searchTerms}'
    """
    parts, at = [], 0
    for gap in GAP.finditer(value):
        parts += [quote_plus(value[at : gap.start()]), gap[0]]
        at = gap.end()
    return "".join((*parts, quote_plus(value[at:])))


def _fields(template: str, values: dict[str, str]) -> tuple[Field, ...]:
    """Return a control for each gap; none at all if there is no gap for words, or one with an unknown value."""
    gaps = gaps_of(template)
    if _WORDS_GAP not in gaps:
        return ()
    parameters = parameters_of(template)
    fields = []
    for name, may_be_empty in gaps.items():
        value = _value(name, may_be_empty, values)
        if value is None:
            return ()
        fields.append(_field(name, name, value, parameters.get(name, "")))
    return tuple(fields)


def _fields_of_post(each: _Url, values: dict[str, str]) -> tuple[Field, ...]:
    """Return a control for each parameter of a <Url> that is sent by POST; none at all if none takes words."""
    fields: list[Field] = []
    for name, written in each.parameters:
        gap = GAP.fullmatch(written)
        value = _value(gap[1], bool(gap[2]), values) if gap else None if GAP.search(written) else written
        if value is None or not name:
            return ()
        fields.append(_field(gap[1] if gap else "", name, value, name))
    return tuple(fields) if any(field.kind == "search" for field in fields) else ()


def _value(name: str, may_be_empty: bool, values: dict[str, str]) -> str | None:
    """Return the first value of a gap; None if it must be filled and its value is unknown."""
    if name == _WORDS_GAP or name in values:
        return values.get(name, "")
    return "" if may_be_empty else _RESULTS_PER_PAGE if name == "count" else None


def _field(gap: str, name: str, value: str, parameter: str) -> Field:
    if gap != _WORDS_GAP:
        return Field(name, "hidden", value=value)
    hints = (LabelHint("opensearch", "search terms"), *([LabelHint("name", parameter)] if parameter else []))
    return Field(name, "search", "search terms", value, required=True, hints=hints)


def _enctype(each: _Url) -> str:
    named = each.attributes.get("enctype", "").lower()
    return named if named in _ENCTYPES else "application/x-www-form-urlencoded"


def _language(named: list[str]) -> str:
    """Return the language of the answers, if there is one.

    >>> _language(["en-us"]), _language(["*"]), _language(["de", "fr"])
    ('en', '', '')
    """
    primary = {name.lower().partition("-")[0] for name in named}
    return primary.pop() if len(primary) == 1 and all(len(name) == 2 for name in primary) else ""
