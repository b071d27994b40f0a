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


def test_the_text_is_what_a_visitor_reads_with_a_line_for_each_block() -> None:
    page = page_of(
        "<title> A\n page </title><body><h1>Head</h1><p>One <b>b</b>old\n\n word.<p>Two<br>lines"
        "<table><tr><td>a<td>b<tr><td>c<td>d</table><script>x</script><style>y</style><!-- z -->"
        "<template>t</template><textarea>u</textarea><select><option>v</select>"
    )

    assert page.title == "A page"
    assert page.text == "Head\nOne bold word.\nTwo\nlines\na b\nc d"


def test_pages_of_one_template_have_one_structure_whatever_repeats() -> None:
    def written(items: int, number: int) -> str:
        return f"<div class='box{number}'><ul>" + "<li><a href=x>y</a> <b>z</b></li>" * items + "</ul></div>"

    pages = [page_of(written(2, 1)), page_of(written(9, 2)), page_of(written(2, 1).replace("ul", "ol"))]

    assert pages[0].structure == pages[1].structure != pages[2].structure
