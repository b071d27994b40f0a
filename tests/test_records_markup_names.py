from __future__ import annotations

from hiddenweb.records.page import read_page_with_items


def attributes_of_first(record: str) -> dict[str, str]:
    results = "".join(f"<li>{record.format(n=n)}</li>" for n in range(3))
    page = read_page_with_items(f"<ul>{results}</ul>".encode(), "http://a.example/")
    return dict(page.blocks[0].attributes)


def test_microdata_names_what_it_marks_and_what_it_says_without_a_text() -> None:
    record = (
        "<a itemprop=name href=/{n}>A lamp of brass {n}</a> <span itemprop=material>brass no {n}</span>"
        "<meta itemprop=sku content=X{n}>"
    )

    found = attributes_of_first(record)

    assert found["material"] == "brass no 0"
    assert found["sku"] == "X0"


def test_what_scripts_are_told_of_a_place_names_it() -> None:
    found = attributes_of_first(
        "<a href=/{n}>A lamp of brass {n}</a><p data-label=Maker>Jane Smith the {n}th</p>"
    )

    assert found["maker"] == "Jane Smith the 0th"
