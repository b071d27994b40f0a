"""OpenSearch descriptions become forms, and hostile ones nothing worse than an error that says where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from timing import within

from hiddenweb.forms.opensearch import UnreadableDescription, read_description

if TYPE_CHECKING:
    from hiddenweb.model import Form

URL = "https://a.example/opensearch.xml"
SPACE = 'xmlns="http://a9.com/-/spec/opensearch/1.1/"'
PAGE = 'type="text/html"'
WORDS = "template='https://a.example/find?q={searchTerms}'"


def described(inside: str, *, space: str = SPACE) -> tuple[Form, ...]:
    text = f'<?xml version="1.0" encoding="UTF-8"?><OpenSearchDescription {space}>{inside}</OpenSearchDescription>'
    return read_description(text.encode(), URL)


def only(inside: str) -> Form:
    (form,) = described(inside)
    return form


def filled(form: Form) -> dict[str, tuple[str, str]]:
    return {field.name: (field.kind, field.value) for field in form.fields}


def test_a_description_is_a_form_with_a_box_for_the_words() -> None:
    form = only(
        "<ShortName>Old Library</ShortName><LongName>The Old Library of A</LongName>"
        "<Description>Find a\n book</Description><Tags>books maps</Tags><Language>en-GB</Language>"
        f'<Image height="16">data:image/png;base64,AAAA</Image><Url {PAGE} {WORDS}/>'
    )

    assert form.source == "opensearch"
    assert (form.method, form.template) == ("GET", "https://a.example/find?q={searchTerms}")
    assert (form.action, form.page_url, form.rel) == ("https://a.example/find", URL, "search")
    assert (form.heading, form.text, form.language) == ("Old Library", "Find a book books maps", "en")
    (box,) = form.fields
    assert (box.name, box.kind, box.value, box.required) == ("searchTerms", "search", "", True)
    assert [(hint.where, hint.text) for hint in box.hints] == [("opensearch", "search terms"), ("name", "q")]
    assert not form.needs_browser


def test_of_the_description_of_an_encyclopedia_the_page_for_people_is_taken() -> None:
    forms = described(
        "<ShortName>Encyclopedia (en)</ShortName>"
        '<Image height="16" width="16" type="image/x-icon">https://e.example/icon.ico</Image>'
        '<Url type="text/html" method="get" template="https://e.example/w/index.php?title=Special:Search&amp;search={searchTerms}"/>'
        '<Url type="application/x-suggestions+json" method="get" template="https://e.example/api?search={searchTerms}"/>'
        '<Url type="application/x-suggestions+xml" method="get" template="https://e.example/api?format=xml&amp;search={searchTerms}"/>'
        '<moz:SearchForm xmlns:moz="http://www.mozilla.org/2006/browser/search/">https://e.example/Search</moz:SearchForm>'
    )

    assert [form.template for form in forms] == [
        "https://e.example/w/index.php?title=Special:Search&search={searchTerms}"
    ]


@pytest.mark.parametrize(
    ("attributes", "is_taken"),
    [
        ('type="text/html"', True),
        ('type="application/xhtml+xml"', True),
        ('type="TEXT/HTML; charset=utf-8"', True),
        ('type="text/html" rel="results"', True),
        ('type="text/html" rel="collection results"', True),
        ('type="text/html" rel="suggestions"', False),
        ('type="text/html" rel="self"', False),
        ('type="application/rss+xml"', False),
        ('type="application/x-suggestions+json"', False),
        ("", False),
        ('type="text/html" method="PUT"', False),
    ],
)
def test_only_results_for_people_are_taken(attributes: str, is_taken: bool) -> None:
    assert bool(described(f"<Url {attributes} {WORDS}/>")) is is_taken


@pytest.mark.parametrize(
    "text",
    [
        f"<OpenSearchDescription><Url {PAGE} {WORDS}/></OpenSearchDescription>",  # no namespace
        f'<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.0/"><Url {PAGE} {WORDS}/></OpenSearchDescription>',
        f"<os:OpenSearchDescription><os:Url {PAGE} {WORDS}/></os:OpenSearchDescription>",  # prefix never declared
        f"<OpenSearchDescription><moz:SearchForm/><Url {PAGE} {WORDS}></Url></OpenSearchDescription>",
        f"\n  <?xml version='1.0'?><!-- hello --><OpenSearchDescription><Url {PAGE} {WORDS}/></OpenSearchDescription>\n",
        f"\ufeff<OpenSearchDescription><Url {PAGE} {WORDS}/></OpenSearchDescription>",
    ],
)
def test_namespaces_may_be_missing_or_wrong(text: str) -> None:
    (form,) = read_description(text.encode(), URL)

    assert form.template == "https://a.example/find?q={searchTerms}"


@pytest.mark.parametrize("charset", ["utf-16", "iso-8859-1", "windows-1252"])
def test_other_encodings_of_the_document_are_read(charset: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="{charset}"?><OpenSearchDescription><ShortName>Bücherei</ShortName>'
        f"<Url {PAGE} {WORDS}/></OpenSearchDescription>\n"
    )

    (form,) = read_description(text.encode(charset), URL)

    assert form.heading == "Bücherei"


@pytest.mark.parametrize(
    ("gaps", "fields"),
    [
        ("q={searchTerms}&amp;p={startPage?}", {"startPage": "1"}),
        ("q={searchTerms}&amp;i={startIndex}", {"startIndex": "1"}),
        ("q={searchTerms}&amp;n={count?}", {"count": ""}),
        ("q={searchTerms}&amp;n={count}", {"count": "10"}),
        ("q={searchTerms}&amp;l={language?}", {"language": "*"}),
        ("q={searchTerms}&amp;e={inputEncoding?}", {"inputEncoding": "UTF-8"}),
        ("q={searchTerms}&amp;e={outputEncoding}", {"outputEncoding": "UTF-8"}),
        ("q={searchTerms}&amp;b={geo:box?}&amp;x={custom?}", {"geo:box": "", "custom": ""}),
    ],
)
def test_other_gaps_are_hidden_and_hold_what_a_client_starts_with(gaps: str, fields: dict[str, str]) -> None:
    form = only(f'<Url {PAGE} template="https://a.example/find?{gaps}"/>')

    assert filled(form) == {
        "searchTerms": ("search", ""),
        **{name: ("hidden", v) for name, v in fields.items()},
    }
    assert form.template == f"https://a.example/find?{gaps.replace('&amp;', '&')}"


def test_the_first_page_may_have_another_number() -> None:
    form = only(
        f'<Url {PAGE} pageOffset="0" indexOffset="5" template="/find?q={{searchTerms}}&amp;p={{startPage}}&amp;i={{startIndex?}}"/>'
    )

    assert filled(form) == {
        "searchTerms": ("search", ""),
        "startPage": ("hidden", "0"),
        "startIndex": ("hidden", "5"),
    }


@pytest.mark.parametrize(
    "template",
    [
        "https://a.example/find?q={searchTerms}&amp;near={geo:name}",  # nobody knows what to fill in
        "https://a.example/find?page={startPage}",  # nothing to ask
        "https://a.example/find",
        "https://{searchTerms}/find",  # the words would choose the host
        "https://a.{searchTerms}.example/find",
        "{searchTerms}",
        "javascript:find('{searchTerms}')",
        "ftp://a.example/{searchTerms}",
        "https://a.example/find?q={searchTerms}&amp;x={",
        "https://a.example/find?q={searchTerms}&amp;x={a b}",
        "https://a.example/find?q={searchTerms}" + "x" * 3_000,
        "https://a.example/find?" + "".join(f"p{n}={{p{n}?}}&amp;" for n in range(50)) + "q={searchTerms}",
        "",
    ],
)
def test_a_template_that_cannot_be_filled_is_left_out(template: str) -> None:
    assert described(f'<Url {PAGE} template="{template}"/>') == ()


@pytest.mark.parametrize(
    ("template", "absolute", "action"),
    [
        ("/find?q={searchTerms}", "https://a.example/find?q={searchTerms}", "https://a.example/find"),
        (
            "https://B.example:443/tag/{searchTerms}",
            "https://b.example/tag/{searchTerms}",
            "https://b.example/tag/",
        ),
        ("//other.test/?s={searchTerms}", "https://other.test/?s={searchTerms}", "https://other.test/"),
        (
            "http://a.example/f.cgi;x=1?q={searchTerms}#top",
            "http://a.example/f.cgi;x=1?q={searchTerms}",
            "http://a.example/f.cgi;x=1",
        ),
        (
            "/s/a{searchTerms}b/{startPage?}",
            "https://a.example/s/a{searchTerms}b/{startPage?}",
            "https://a.example/s/",
        ),
    ],
)
def test_templates_are_absolute_and_may_lead_elsewhere(template: str, absolute: str, action: str) -> None:
    form = only(f'<Url {PAGE} template="{template}"/>')

    assert (form.template, form.action) == (absolute, action)


def test_words_behind_the_sharp_need_a_browser() -> None:
    form = only(f'<Url {PAGE} template="/app#/find?q={{searchTerms}}"/>')

    assert (form.template, form.action) == (
        "https://a.example/app#/find?q={searchTerms}",
        "https://a.example/app",
    )
    assert form.needs_browser


def test_parameters_written_as_elements_are_put_into_the_template() -> None:
    form = only(
        f'<Url {PAGE} template="/find"><Param name="q" value="{{searchTerms}}"/>'
        '<Param name="in the" value="title &amp; text"/></Url>'
    )

    assert form.template == "https://a.example/find?q={searchTerms}&in+the=title+%26+text"
    assert filled(form) == {"searchTerms": ("search", "")}


@pytest.mark.parametrize(
    ("attribute", "element"),
    [('method="post"', "Param"), ('parameters:method="POST"', "parameters:Parameter")],
)
def test_a_description_that_posts_is_an_ordinary_form(attribute: str, element: str) -> None:
    form = only(
        f'<Url {PAGE} {attribute} template="/find?from=os"><{element} name="q" value="{{searchTerms}}"/>'
        f'<{element} name="page" value="{{startPage?}}"/><{element} name="go" value="1"/></Url>'
    )

    assert (form.method, form.action, form.template) == ("POST", "https://a.example/find?from=os", "")
    assert filled(form) == {"q": ("search", ""), "page": ("hidden", "1"), "go": ("hidden", "1")}


@pytest.mark.parametrize(
    "inside",
    [
        '<Url type="text/html" method="post" template="/find?q={searchTerms}"/>',
        '<Url type="text/html" method="post" template="/{x}"><Param name="q" value="{searchTerms}"/></Url>',
        '<Url type="text/html" method="post" template="/find"><Param name="q" value="a {searchTerms}"/></Url>',
        '<Url type="text/html" method="post" template="/find"><Param name="p" value="{startPage}"/></Url>',
    ],
)
def test_a_post_that_is_no_ordinary_form_is_left_out(inside: str) -> None:
    assert described(inside) == ()


@pytest.mark.parametrize(
    ("encodings", "charset"),
    [
        ((), "utf-8"),
        (("UTF-8",), "utf-8"),
        (("ISO-8859-1", "UTF-8"), "utf-8"),
        (("windows-1251",), "windows-1251"),
        (("Shift_JIS",), "shift_jis"),
        (("UTF-16",), "utf-8"),
        (("no such", "EUC-KR"), "euc-kr"),
    ],
)
def test_values_are_sent_in_an_encoding_the_site_reads(encodings: tuple[str, ...], charset: str) -> None:
    named = "".join(f"<InputEncoding>{name}</InputEncoding>" for name in encodings)

    form = only(f'{named}<Url {PAGE} template="/?q={{searchTerms}}&amp;e={{inputEncoding?}}"/>')

    assert form.charset.lower() == charset
    assert filled(form)["inputEncoding"] == ("hidden", form.charset.upper())


def test_a_site_that_closes_its_answers_to_others_is_not_submitted() -> None:
    assert described(f"<SyndicationRight>Closed</SyndicationRight><Url {PAGE} {WORDS}/>") == ()
    assert len(described(f"<SyndicationRight>limited</SyndicationRight><Url {PAGE} {WORDS}/>")) == 1


def test_the_same_search_is_returned_once_and_places_are_counted() -> None:
    other = WORDS.replace("find", "other")

    forms = described(f"<Url {PAGE} {WORDS}/><Url {PAGE} {other}/><Url {PAGE} {WORDS}/>")

    assert [(form.place, form.action) for form in forms] == [
        (0, "https://a.example/find"),
        (1, "https://a.example/other"),
    ]


_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BAD = {
    "nothing": b"",
    "no XML": b"not found",
    "a page": b"<!doctype html><html><p>404",
    "a page that is XML": b"<html><body/></html>",
    "a feed": b"<?xml version='1.0'?><rss version='2.0'/>",
    "cut off": b"<OpenSearchDescription><ShortName>a",
    "unknown entity": b"<OpenSearchDescription><ShortName>&who;</ShortName></OpenSearchDescription>",
    "billion laughs": f"<!DOCTYPE d [<!ENTITY l0 'lol'>{_LAUGHS}]><OpenSearchDescription><Tags>&l11;</Tags></OpenSearchDescription>".encode(),
    "billion laughs in UTF-16": f"<?xml version='1.0'?><!DOCTYPE d [<!ENTITY l0 'lol'>{_LAUGHS}]><OpenSearchDescription><Tags>&l11;</Tags></OpenSearchDescription>".encode(
        "utf-16"
    ),
    "a file": b"<!DOCTYPE d [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><OpenSearchDescription><Tags>&f;</Tags></OpenSearchDescription>",
    "a DTD elsewhere": b"<!DOCTYPE OpenSearchDescription SYSTEM 'http://evil.test/x.dtd'><OpenSearchDescription/>",
    "deep": b"<OpenSearchDescription>" + b"<a>" * 80_000,
    "long": b"<OpenSearchDescription>" + b" " * 300_000 + b"</OpenSearchDescription>",
    "unknown encoding": b"<?xml version='1.0' encoding='x-nobody'?><OpenSearchDescription/>",
    "zero bytes": b"<OpenSearchDescription>\0</OpenSearchDescription>",
    "not what it says": "<?xml version='1.0' encoding='utf-8'?><OpenSearchDescription>é</OpenSearchDescription>".encode("latin-1"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_description_is_refused_at_once_and_by_address(name: str) -> None:
    def refused() -> None:
        with pytest.raises(UnreadableDescription, match=r"^https://a\.example/opensearch\.xml: "):
            read_description(BAD[name], URL)

    within(0.5, refused)


def test_hundreds_of_urls_and_parameters_are_cut() -> None:
    parameters = "".join(f'<Param name="p{n}" value="{n}"/>' for n in range(2_000))
    urls = "".join(f"<Url {PAGE} template='/{n}?q={{searchTerms}}'/>" for n in range(500))

    forms = described(
        f'<Url {PAGE} method="post" template="/find"><Param name="q" value="{{searchTerms}}"/>{parameters}</Url>{urls}'
    )

    assert len(forms) == 20
    assert len(forms[0].fields) == 50


def test_long_words_are_shortened() -> None:
    form = only(f"<ShortName>{'long ' * 20_000}</ShortName><Url {PAGE} {WORDS}/>")

    assert form.heading.startswith("long long")
    assert len(form.heading) == 1_000
