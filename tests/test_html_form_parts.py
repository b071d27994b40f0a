from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.html.reader import read_page
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Form, Page

URL = "http://a.example/dir/page.html?x=1"


def page_of(html: str | bytes, *, url: str = URL, content_type: str = "", want_items: bool = False) -> Page:
    body = html.encode() if isinstance(html, str) else html
    read = read_page_with_items if want_items else read_page
    return read(body, url, content_type=content_type)


def written_forms(page: Page) -> list[Form]:
    """Return the forms that are elements of the page: without those made of boxes without a form."""
    return [form for form in page.forms if form.source == "form"]


def form_of(html: str) -> Form:
    (form,) = written_forms(page_of(html))
    return form


def test_a_disabled_fieldset_disables_all_but_its_first_legend() -> None:
    form = form_of(
        "<form><fieldset disabled><legend><input name=a></legend><legend><input name=b></legend><input name=c>"
        "</fieldset><input name=d><input name=e disabled></form>"
    )

    assert [field.name for field in form.fields if field.disabled] == ["b", "c", "e"]


def test_one_choice_stays_one_choice_among_thousands_of_options() -> None:
    (form,) = page_of(
        "<form><select name=a>" + "<option>x" * 1_500 + "</select><select name=b multiple><option>y"
    ).forms

    assert [field.multiple for field in form.fields] == [False, True]
    assert len(form.fields[0].options) == 1_500
