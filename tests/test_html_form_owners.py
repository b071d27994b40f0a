from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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


def test_controls_belong_to_forms_as_in_a_browser() -> None:
    page = page_of(
        "<input name=before form=two><form id=one><input name=a><input name=b form=two><input name=c form=none></form>"
        "<form id=two></form><input name=free><button name=after form=one>"
    )

    assert [[field.name for field in form.fields] for form in written_forms(page)] == [
        ["a", "after"],
        ["before", "b"],
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<table><form><tr><td><input name=a><td><input name=b></tr></form></table><input name=c>",
        "<div><form><input name=a></div><input name=b></form><input name=c>",
        "<table><tr><form><td><input name=a></td></tr></table><input name=b></form><input name=c>",
    ],
)
def test_a_misnested_form_keeps_its_controls(html: str) -> None:
    assert [field.name for field in form_of(html).fields] == ["a", "b"]
