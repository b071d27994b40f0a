from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.html.reader import read_page
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Page

URL = "http://a.example/dir/page.html?x=1"


def page_of(html: str | bytes, *, url: str = URL, content_type: str = "", want_items: bool = False) -> Page:
    body = html.encode() if isinstance(html, str) else html
    read = read_page_with_items if want_items else read_page
    return read(body, url, content_type=content_type)


def test_links_are_absolute_once_each_and_come_with_anchor_words_around_and_tag_path() -> None:
    page = page_of(
        '<div class="main box2"><ul><li>before it <a href="x.html#top" rel="nofollow">the link</a> after it'
        '<li><a href="/dir/x.html">again</a> <a href="//b.example/y">other</a> '
        "<a href='mailto:a@b.example'>mail</a> <a href='javascript:x'>script</a> <a name=z>none</a></ul></div>"
    )

    first, second = page.links
    assert (first.url, first.anchor, first.around) == (
        "http://a.example/dir/x.html", "the link", "before it after it again other mail script none",
    )  # fmt: skip
    assert first.tag_path == "html/body/div.main/ul/li/a"
    assert not first.nofollow, "the second link to it may be followed"
    assert first.rel == "nofollow"
    assert (second.url, second.anchor) == ("http://b.example/y", "other")


def test_ten_words_around_a_link_are_kept_on_each_side() -> None:
    numbers = [str(number) for number in range(40)]
    page = page_of(" ".join(numbers[:20]) + " <a href=x>here</a> " + " ".join(numbers[20:]))

    assert page.links[0].around.split() == numbers[10:30]


def test_a_link_is_nofollow_only_if_all_links_to_its_address_are() -> None:
    page = page_of(
        "<a rel='x NoFollow' href=1>a</a><a rel=nofollow href=1>b</a><a href=2 rel=nofollow>c</a><a href=2>"
    )

    assert [link.nofollow for link in page.links] == [True, False]


def test_links_in_drawings_and_written_pages_have_their_words() -> None:
    page = page_of(
        "<svg><a href=d><title>Map of</title><text>Wales <tspan>North</tspan></text></a></svg>"
        "<iframe srcdoc='<p>See <a href=s rel=nofollow>the <b>list</b></a> here'></iframe><p>After"
    )

    assert [(link.anchor, link.nofollow) for link in page.links] == [
        ("Map of Wales North", False),
        ("the list", True),
    ]
    assert page.text == "After"


def test_a_link_that_the_head_names_too_keeps_its_own_words() -> None:
    page = page_of("<link rel=next href=2><a href=1>First</a><a href=2>Older entries</a>")

    assert [(link.url[-1], link.anchor) for link in page.links] == [("1", "First"), ("2", "Older entries")]


def test_an_image_in_a_link_is_read_by_its_text() -> None:
    assert page_of("<a href=x><img src=i alt='Front page'></a>").links[0].anchor == "Front page"
