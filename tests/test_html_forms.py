"""How forms are read: which controls belong to which, their states, and what stands around them."""

from __future__ import annotations

import pytest
from timing import within

from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form, Option

URL = "http://a.example/dir/page?x=1"


def forms_in(html: str, content_type: str = "text/html; charset=utf-8") -> list[Form]:
    page = read_page(f"<!doctype html><body>{html}".encode(), URL, content_type=content_type)
    return [form for form in page.forms if form.source == "form"]


def form_of(html: str) -> Form:
    (form,) = forms_in(html)
    return form


def field_of(html: str) -> Field:
    (field,) = form_of(f"<form>{html}</form>").fields
    return field


def names_in(html: str) -> list[list[str]]:
    return [[field.name for field in form.fields] for form in forms_in(html)]


# What Chromium makes of these was looked up with `form.elements`.
@pytest.mark.parametrize(
    ("html", "names"),
    [
        pytest.param(
            "<form><div></form><div><form></div><input name=x></form><input name=y>", [["y"], ["x"]],
            id="the open form goes before the form around",
        ),
        pytest.param(
            "<form><table><tr><td></form><form><input name=i></td></tr></table><input name=j></form>",
            [[], ["i", "j"]], id="a form that a table cell closed in the source only",
        ),
        pytest.param(
            "<div><form></div><!-- </form> --><input name=a><script>'</form>'</script><input name=b></form><input name=c>",
            [["a", "b"]], id="end tags in comments and scripts are none",
        ),
        pytest.param(
            "<div><form data-x='</form>'></div><div data-y=\"</form>\"><input name=a></div></form>", [["a"]],
            id="end tags in attributes are none",
        ),
        pytest.param(
            "<form><template><form><input name=a></form><input name=b></template><input name=c></form><input name=d>",
            [["c"]], id="templates are not there",
        ),
        pytest.param("<form><input name=a></form></form><input name=b><form><input name=c>", [["a"], ["c"]], id="ended twice"),
        pytest.param("<p><form><p></form><input name=a></p><input name=b>", [[]], id="nothing in it"),
        pytest.param("<b id=f></b><form id=f></form><input form=f name=a>", [[]], id="the id of something else"),
        pytest.param(
            "<form id=f><input name=x></form><form id=f><input name=y></form><input form=f name=z><input form=F name=w>",
            [["x", "z"], ["y"]], id="an id used twice",
        ),
        pytest.param(
            "<form><select name=s><option>1<textarea name=t></textarea></select><input name=e></form>",
            [["s", "t", "e"]], id="a control among options",
        ),
        pytest.param("<select name=s><option>a<form><input name=z></select><input name=y>", [["z", "y"]], id="a form among options"),
        pytest.param("<form><datalist><input name=i></datalist><canvas><input name=j></canvas></form>", [["i", "j"]], id="not shown"),
        pytest.param("<form><math><mi><input name=a></mi></math><svg><input name=b></svg></form>", [["a"]], id="formula"),
        pytest.param("<form><noscript><input name=a></noscript><input name=b></form>", [["b"]], id="noscript in a form"),
    ],
)  # fmt: skip
def test_controls_belong_to_the_forms_to_which_chromium_ties_them(html: str, names: list[list[str]]) -> None:
    assert names_in(html) == names


def test_a_whole_form_in_noscript_is_kept_apart() -> None:
    page = read_page(b"<body><noscript><form action=/s><input name=a></form></noscript><form></form>", URL)

    assert [(form.source, [field.name for field in form.fields]) for form in page.forms] == [
        ("noscript", ["a"]),
        ("form", []),
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<button>x</button>", (None, None, None)),
        (
            "<button formaction=/b formmethod=POST formenctype=text/plain>",
            ("http://a.example/b", "POST", "text/plain"),
        ),
        (
            "<button formaction='' formmethod='' formenctype=''>",
            (URL, "GET", "application/x-www-form-urlencoded"),
        ),
        ("<input type=image formaction=b formmethod=put>", ("http://a.example/dir/b", "GET", None)),
        ("<input type=submit formmethod=dialog>", (None, "DIALOG", None)),
        ("<input formaction=/b formmethod=post>", (None, None, None)),
    ],
)
def test_a_button_may_send_elsewhere_and_otherwise(
    html: str, expected: tuple[str | None, str | None, str | None]
) -> None:
    field = field_of(html)

    assert (field.form_action, field.form_method, field.form_enctype) == expected


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<button command=show-modal commandfor=d>", "button"),
        ("<button command=show-modal type=submit>", "submit"),
        ("<button popovertarget=d>", "submit"),
        ("<input type=' search'>", "text"),
    ],
)
def test_kinds_are_those_of_the_standard(html: str, kind: str) -> None:
    assert field_of(html).kind == kind


def test_limits_patterns_and_sizes_are_read() -> None:
    field = field_of("<input type=number min=1 max=9 step=0.5 pattern=x maxlength=' +10px' size=30>")

    assert (field.minimum, field.maximum, field.step, field.pattern) == ("1", "9", "0.5", "x")
    assert (field.max_length, field.size) == (10, 30)
    assert field_of("<input maxlength=-1>").max_length is None
    assert field_of("<textarea wrap=hard cols=7></textarea>").wrap == 7
    assert field_of("<textarea wrap=hard></textarea>").wrap == 20
    assert field_of("<textarea cols=7></textarea>").wrap == 0


@pytest.mark.parametrize(
    ("html", "direction"),
    [
        ("<input dirname=d>", "ltr"),
        ("<input dirname=d dir=RTL>", "rtl"),
        ("<input dirname=d dir=auto>", "auto"),
        ("<p dir=rtl><b><input dirname=d>", "rtl"),
        ("<p dir=rtl><b dir=x><input type=tel dirname=d>", "ltr"),
        ("<p dir=auto>12 שלום <input dirname=d>", "rtl"),
        ("<p dir=auto>12 <i dir=x>שלום</i> a <input dirname=d>", "rtl"),
        ("<p dir=auto>12 <i dir=rtl>שלום</i> a <input dirname=d>", "ltr"),
        ("<p dir=auto>12 <i dir=auto>שלום</i> a <input dirname=d>", "ltr"),
        ("<p dir=auto>12 <bdi>שלום</bdi> a <input dirname=d>", "ltr"),
        ("<p dir=auto>12 <script>a</script><style>a</style> שלום <input dirname=d>", "rtl"),
        ("<p dir=auto><b>12</b><i><u></u></i><!-- a --><b>שלום <input dirname=d>", "rtl"),
        ("<p dir=auto>12 <input dirname=d></p>a", "ltr"),
    ],
)
def test_a_control_is_written_in_the_direction_of_what_is_around(html: str, direction: str) -> None:
    field = field_of(html)

    assert (field.dirname, field.direction) == ("d", direction)


def test_a_direction_is_sent_only_by_controls_that_have_one() -> None:
    assert field_of("<input>").dirname is None
    assert field_of("<input dirname>").dirname == ""
    assert field_of("<input type=number dirname=d>").dirname is None
    assert field_of("<button dirname=d>").dirname is None


def test_a_datalist_gives_suggestions() -> None:
    form = form_of(
        "<form><input list=d name=q></form><datalist id=d><option value=' Red '>x<option>Blue  green<option value='Red'></datalist>"
    )

    assert form.fields[0].suggestions == ("Red", "Blue green")


@pytest.mark.parametrize(
    "html",
    [
        "<div style='display:none'><p><input>",
        "<input hidden>",
        "<p hidden><input>",
        "<div style='VISIBILITY: Hidden'><input>",
        "<input style='position:absolute; left:-9999px'>",
        "<div style='position: absolute; top: -100em'><input>",
        "<div style='opacity:0'><input>",
        "<div style='opacity: 0.0;'><input>",
        "<div style='overflow:hidden;height:0px'><input>",
        "<input style='width:0;border:0'>",
        "<span style='transform: scale(0)'><input>",
    ],
)
def test_what_nobody_sees_is_unseen(html: str) -> None:
    assert field_of(html).unseen


@pytest.mark.parametrize(
    "html",
    [
        "<input>",
        "<input type=hidden>",
        "<div style='display:none'>x</div><input>",
        "<div style='opacity:0.5;margin:0;line-height:0;left:-9px'><input>",
        "<div style='border-width:0; height:100px; min-height: 0'><input>",
        "<div style='overflow:hidden'><input>",
    ],
)
def test_what_is_shown_is_not_unseen(html: str) -> None:
    assert not field_of(html).unseen


def test_what_is_around_a_form_is_described_from_inside_out() -> None:
    page = read_page(
        b"<html lang=en><title>Books  here</title><body class=home><div id=main role=Main class='a b'><section><p><span><form id=f rel='Search nofollow'>",
        URL,
    )
    (form,) = page.forms

    assert form.around == "section div#main.a.b@Main body.home"
    assert (form.element_id, form.rel, form.page_title) == ("f", "search nofollow", "Books here")
    assert form_of("<ul><li><b><i><form>").around == "i b li"


def test_of_what_is_never_sent_the_beginning_is_read() -> None:
    long = "long words " * 10_000
    html = f"<title>{long}</title><h1>{long}</h1><form class='{long}'><input name=q placeholder='{long}' value='{long}'>"

    (form,) = forms_in(html)

    assert max(map(len, (form.page_title, form.heading, form.names, form.fields[0].placeholder))) <= 1_000
    assert form.heading.startswith("long words")
    assert form.fields[0].value == long


def test_a_form_knows_the_language_of_its_page() -> None:
    page = read_page(
        b"<html lang=de><form><input name=q></form><p>Der Hund und die Katze sind in dem Haus", URL
    )

    assert page.forms[0].language == page.language == "de"


@pytest.mark.parametrize(
    ("html", "needs"),
    [
        ("<form action='JavaScript:find()'><input name=q>", True),
        ("<form action=/s><input id=q>", True),
        ("<form action=/s><input id=q><select name=s></select>", True),
        ("<form action=/s><input id=q><input name=r>", False),
        ("<form action=/s><input id=q disabled><select name=s></select>", False),
        ("<form action=/s><select name=s></select>", False),
        ("<form action='mailto:a@b.example'><input name=q>", False),
    ],
)
def test_a_form_needs_a_browser_if_a_script_takes_its_words(html: str, needs: bool) -> None:
    assert form_of(html).needs_browser is needs


def test_an_option_keeps_other_white_space_than_that_of_ascii() -> None:
    field = field_of(
        "<select><option>&nbsp;one\n two&nbsp;<option>a<script>x</script>b</option><div><optgroup disabled><div><option>c"
    )

    assert [option.value for option in field.options] == ["\xa0one two\xa0", "ab", "c"]
    assert field.options[2] == Option("c", "c", disabled=True)


def test_the_charset_of_a_page_that_names_none_is_that_of_browsers() -> None:
    page = read_page(b"<form><input name=q></form>", URL)

    assert page.forms[0].charset == "windows-1252"


CONTROLS = "<input dirname=d list=l>" * 1_900
HUGE = {
    "a direction of a long text": f"<div dir=auto>{'1 ' * 900_000}<form>{CONTROLS}",
    "directions in directions": f"<form>{('<div dir=auto>' + '1 ' * 900 + '<input dirname=d>') * 900}",
    "a direction far outside": f"<form>{'<div>' * 900}{CONTROLS}",
    "options far inside": f"<form><select>{'<div>' * 900}{'<option>x</option>' * 4_900}",
    "options in options": f"<form><select>{('<option><div>' + '1 ' * 900) * 900}",
    "options of many elements": f"<form><select>{'<option><div>' * 900}{'<p>' * 80_000}",
    "suggestions far apart": f"<datalist id=l>{'<p>' * 90_000}</datalist><form>{CONTROLS}",
    "a long suggestion": f"<datalist id=l><option>{'x' * 1_500_000}</datalist><form>{CONTROLS}",
    "forms in forms": f"{'<form><div></form>' * 100}{'word ' * 300_000}",
    "a long class around": f"<div class='{'x ' * 900_000}'>{'<form></form>' * 100}",
    "comments that do not end": f"<form></form><input type=search>{'<!--' * 400_000}",
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_page_takes_little_time(name: str) -> None:
    body = HUGE[name].encode()

    page = within(1, lambda: read_page(body, URL))  # the first may load word lists

    assert page.forms


def test_two_thousand_controls_take_little_time() -> None:
    cells = "".join(
        f"<tr><td>Label {n}<td><input name=n{n} id=i{n} aria-labelledby=all><label for=i{n}>L{n}</label>"
        for n in range(2_000)
    )
    html = f"<div id=all><label>{'word ' * 50_000}<table><form>{cells}</table></label></div>"

    form = within(2, lambda: forms_in(html)[0])

    assert len(form.fields) == 2_000


SEARCH_FORM = "<form action=/find><input type=search name=q></form>"


@pytest.mark.parametrize(
    ("html", "heading", "aside"),
    [
        (f"<h2>Books</h2>{SEARCH_FORM}", "Books", ""),
        (f"<div><h2>Books</h2></div>{SEARCH_FORM}", "Books", ""),
        (f"<section><h2>Books</h2><p>All of them.</p><div>{SEARCH_FORM}</div></section>", "Books", ""),
        (f"<table><tr><td><h3>Books</h3><tr><td>{SEARCH_FORM}</table>", "Books", ""),
        (f"<section><h2>News</h2><p>By post.</p></section><h2>Books</h2>{SEARCH_FORM}", "Books", "News"),
        (f"<section><h2>News</h2><p>By post.</p></section><section>{SEARCH_FORM}</section>", "", "News"),
        (f"<h2>News</h2><form action=/news><input name=e></form>{SEARCH_FORM}", "", "News"),
        (
            f"<h2>News</h2><form action=/news><input name=e></form><h2>Books</h2>{SEARCH_FORM}",
            "Books",
            "News",
        ),
    ],
)
def test_headings_of_other_parts_are_told_from_those_above_a_form(
    html: str, heading: str, aside: str
) -> None:
    form = forms_in(html)[-1]

    assert (form.heading, form.aside) == (heading, aside)


def test_a_sentence_within_another_form_does_not_stand_before_this_one() -> None:
    sentence = "<p>We write to you once a month, not more.</p>"

    before_it = forms_in(f"<p>News</p><form><input name=e></form>{sentence}{SEARCH_FORM}")[-1]
    in_another = forms_in(f"<p>News</p><form><input name=e>{sentence}</form>{SEARCH_FORM}")[-1]

    assert before_it.before == "We write to you once a month, not more."
    assert in_another.before == ""
