"""`scrapy extract`: texts from one page become records of all, and can be taken elsewhere."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Protocol

import pytest
from bookshop import book, page
from commanding import run
from crawling import SmallSite, crawl
from shop_state import SITE, keep, keep_books, url_of

from hiddenweb.commands.extract import ExtractCommand
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from pathlib import Path

    from commanding import Done

BOOKS = 16
NAMES = ("title", "author", "price", "isbn")
OTHER = "<!doctype html><title>About</title><body><p>About this shop</p></body></html>"


class Extract(Protocol):
    """Runs the command."""

    def __call__(self, *arguments: str, **settings: object) -> Done: ...


@pytest.fixture
def extract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Extract:
    def ran(*arguments: str, **settings: object) -> Done:
        return run(
            ExtractCommand(),
            *arguments,
            state=tmp_path / "state",
            capsys=capsys,
            **{"HIDDENWEB_PROXY": ""} | settings,
        )

    return ran


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A state with the pages of sixteen books."""
    with Store(tmp_path / "state") as state:
        keep_books(state, range(1, BOOKS + 1))
    return tmp_path / "state"


def pasted(number: int = 1, names: tuple[str, ...] = NAMES) -> list[str]:
    """What a person pastes from the page of a book."""
    return [word for name in names for word in ("--attr", f"{name}={book(number)[name]}")]


def add(extract: Extract, *more: str) -> Done:
    return extract("add", url_of(1), *pasted(), "--name", "books", *more)


def records(state: Path) -> dict[str, dict[str, list[str]]]:
    with Store(state, write=False) as opened:
        return {
            each.url.rpartition("/")[2]: {name: list(values) for name, values in each.attributes.items()}
            for each in ExtractorStore(opened).load_extracted()
        }


def truth(count: int = BOOKS) -> dict[str, dict[str, list[str]]]:
    return {
        str(number): {name: [value] for name, value in book(number).items()} for number in range(1, count + 1)
    }


def lines(done: Done) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.output.splitlines()]


# Adding


def test_an_example_is_previewed_on_ten_other_pages_and_saved_only_if_confirmed(
    extract: Extract, shop: Path
) -> None:
    seen = add(extract)

    assert seen.code == 0
    assert "learnt from 16 pages at shop.example/item/*" in seen.output
    assert sum(line.startswith("  /item/") for line in seen.output.splitlines()) == 10
    assert book(12)["title"] in seen.output
    assert seen.output.endswith("Nothing was saved: --yes saves it.\n")
    assert extract().output.startswith("There is no extractor yet")

    saved = add(extract, "--yes")

    assert saved.output.endswith(
        "books was saved, and has extracted from 16 stored pages: scrapy extract show books\n"
    )
    assert records(shop) == truth()


def test_a_user_at_a_terminal_is_asked(extract: Extract, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        return "y" if len(prompts) > 1 else ""

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert add(extract).output.endswith("Nothing was saved: --yes saves it.\n")
    assert "books was saved" in add(extract).output
    assert prompts == ["Save it as books? [y/N] "] * 2
    assert len(records(shop)) == BOOKS


def test_an_interrupted_command_has_saved_nothing(
    extract: Extract, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", stop)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    done = add(extract)

    assert (done.code, done.errors) == (130, "scrapy extract: stopped\n")
    assert records(shop) == {}


def test_few_pages_are_enough_to_begin_and_the_report_says_when_the_template_is_watched(
    extract: Extract, tmp_path: Path
) -> None:
    with Store(tmp_path / "state") as state:
        keep_books(state, range(1, 5))

    done = add(extract, "--yes")

    assert "has extracted from 4 stored pages" in done.output
    assert f"watched when there are 10 pages: scrapy crawl explore -a sites={SITE}/" in done.output
    assert "watched when there are ten pages" in extract().output


def test_values_that_a_page_lacks_are_marked_and_pages_of_another_kind_named(
    extract: Extract, shop: Path
) -> None:
    with Store(shop) as state:
        keep(state, url_of(17), page(17).replace("<tr><th>ISBN<td>9780000000017", ""))
        keep(state, f"{SITE}/item/about", OTHER)

    done = add(extract)

    (row,) = [line for line in done.output.splitlines() if "/item/17 " in line]
    assert row.endswith("(none)")
    assert "isbn on 9, of 10 pages" in done.output
    assert f"Of another kind, and skipped: 1 page at such addresses, such as {SITE}/item/about" in done.output


def test_texts_that_are_missing_or_ambiguous_are_named(extract: Extract, shop: Path) -> None:
    done = extract(
        "add", url_of(1), "--attr", "title=No such book", "--attr", "word=of", "--attr", "all=Home Books"
    )

    assert done.code == 1
    first, second, third = done.errors.splitlines()
    assert first == "scrapy extract: title: 'No such book' is nowhere on the page"
    assert "all: 'Home Books' is spread over several parts of the page" in second
    assert "word: 'of' is in 3 places: in 'The Mountain of Bird 1' after 'Books'" in third
    assert records(shop) == {}


def test_several_places_are_reported_but_no_error(extract: Extract, shop: Path) -> None:
    with Store(shop) as state:
        keep(state, url_of(1), page(1).replace("Contact", book(1)["author"]))

    done = add(extract)

    assert done.code == 0
    assert "note: author: 'John Doe' is in 2 places" in done.output
    assert "--roi with more of the text around the right one" in done.output


@pytest.mark.usefixtures("shop")
def test_a_region_that_is_not_on_the_page_is_an_error(extract: Extract) -> None:
    done = add(extract, "--roi", "Once upon a time")

    assert (done.code, done.errors) == (
        1, "scrapy extract: the text of the region is nowhere on the page\n",
    )  # fmt: skip


def test_several_values_of_an_attribute_are_given_one_by_one(extract: Extract, tmp_path: Path) -> None:
    def by_two(number: int) -> str:
        second = f"</a></p><p class=by>by <a href=/author/9>{book(number + 3)['author']} jun.</a></p>"
        return page(number).replace("</a></p>", second, 1)

    with Store(tmp_path / "state") as state:
        keep_books(state, range(1, 13), by_two)
    both = ["--attr", f"author={book(1)['author']}", "--attr", f"author={book(4)['author']} jun."]

    done = extract("add", url_of(1), *pasted(1, ("title",)), *both, "--yes", "--json")

    (facts,) = lines(done)
    assert facts["saved"] is True
    assert facts["taken_from"] == 12
    assert facts["name"] == "shop.example"
    assert records(tmp_path / "state")["7"]["author"] == [book(7)["author"], f"{book(10)['author']} jun."]


def test_a_page_can_be_given_as_a_file(extract: Extract, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(1), encoding="utf-8")

    done = add(extract, "--file", str(file), "--yes")

    assert done.code == 0, done.errors
    assert "No other page of this kind is in the state" in done.output
    assert "has extracted from 0 stored pages" in done.output
    (facts,) = lines(extract("list", "--json"))
    assert (facts["state"], facts["learnt_from"], facts["pages"]) == ("learning", 1, 0)


def test_a_page_that_is_not_in_the_state_is_fetched_by_the_rules(extract: Extract) -> None:
    def answer(path: str) -> str | None:
        if path == "/robots.txt":
            return "User-agent: *\nDisallow: /secret\n"
        return page(1)

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        refused = extract("add", f"{site.url}item/1", *pasted())
        forbidden = extract("add", f"{site.url}secret", *pasted(), **allowed)
        fetched = extract("add", f"{site.url}item/1", *pasted(), "--yes", **allowed)

    assert (refused.code, forbidden.code, fetched.code) == (4, 4, 0)
    assert "is this machine" in refused.errors
    assert "robots.txt forbids" in forbidden.errors
    assert "add --file PAGE reads it from a file" in forbidden.errors
    assert "127.0.0.1 was saved" in fetched.output


@pytest.mark.usefixtures("shop")
def test_an_extractor_without_a_name_gets_an_unused_one_from_its_site(extract: Extract) -> None:
    for _ in range(2):
        extract("add", url_of(1), *pasted(), "--yes")

    assert [each["name"] for each in lines(extract("list", "--json"))] == ["shop.example", "shop.example-2"]


def test_an_extractor_of_the_same_name_is_replaced_and_the_report_says_so(
    extract: Extract, shop: Path
) -> None:
    add(extract, "--yes")

    done = extract("add", url_of(1), *pasted(1, ("title",)), "--name", "books", "--yes")

    assert "books was saved, in place of the one of that name" in done.output
    assert records(shop) == {number: {"title": values["title"]} for number, values in truth().items()}


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["add"], "add was given no argument, wanted 1"),
        (["add", "ftp://a.example/"], "'ftp://a.example/' is no address of a page"),
        (["add", url_of(1)], "wanted --attr NAME=TEXT"),
        (["add", url_of(1), "--attr", "title"], "--attr 'title' has no ="),
        (["add", url_of(1), "--attr", "=x"], "--attr '=x' has no name"),
        (["add", url_of(1), "--attr", "title= "], "--attr 'title= ' is empty"),
        (["add", url_of(1), *pasted(), "--name", " "], "--name ' ' cannot be a name"),
        (["add", url_of(1), "--attr", f"{'n' * 101}=x"], "cannot be a name; wanted up to 100 characters"),
        (["add", url_of(1), *pasted(), "--roi", ""], "--roi: an empty text"),
        (
            ["add", url_of(1), *pasted(), "--file", "/nowhere/page.html"],
            "--file /nowhere/page.html: cannot be read",
        ),
        (["show", "books", "--attr", "a=b"], "--attr does not belong to show"),
        (["show", "books", "--limit", "0"], "--limit: 0 cannot be used"),
        (["list", "--page"], "--list, --page does not belong to list"),
        (["frobnicate"], "'frobnicate' is none of list, add, test, show, export, import, remove"),
        (["show", "books", "--colour"], "'--colour' is no option"),
        (["remove", " "], "remove was given an empty argument"),
        (["import", "/nowhere/regions.toml"], "/nowhere/regions.toml: cannot be read"),
    ],
)
def test_a_wrong_command_is_refused_with_its_arguments(
    extract: Extract, arguments: list[str], message: str
) -> None:
    done = extract(*arguments)

    assert done.code == 2
    assert message in done.errors


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("action", ["test", "show", "remove", "export"])
def test_an_unknown_name_is_reported_with_the_known_ones(extract: Extract, action: str) -> None:
    assert "there is no extractor 'films'; there is none yet" in extract(action, "films").errors
    add(extract, "--yes")

    done = extract(action, "films")

    assert (done.code, done.output) == (1, "")
    assert done.errors == "scrapy extract: there is no extractor 'films'; there are books\n"


@pytest.mark.parametrize(
    "action", [["list"], ["test", "books"], ["show", "books"], ["export"], ["remove", "books"]]
)
def test_without_a_state_it_says_how_to_make_one(extract: Extract, action: list[str]) -> None:
    done = extract(*action)

    assert done.code == 3
    assert "there is no state yet" in done.errors


def test_while_a_crawl_writes_the_state_everything_is_shown_and_nothing_saved(
    extract: Extract, shop: Path, tmp_path: Path
) -> None:
    add(extract, "--yes")
    file = tmp_path / "regions.toml"
    with Store(shop):
        assert extract("export", "-o", str(file)).code == 0
        assert extract("show", "books").code == 0
        assert extract("test", "books").code == 0
        for refused in (add(extract, "--yes"), extract("import", str(file)), extract("remove", "books")):
            assert refused.code == 3
            assert "another crawl" in refused.errors


# Looking


@pytest.mark.usefixtures("shop")
def test_extractors_are_listed_with_their_attributes_and_page_counts(extract: Extract) -> None:
    add(extract, "--yes")

    first, second, third = extract().output.splitlines()

    assert first == "books: shop.example, made by a person, watched"
    assert second.startswith("    title (")
    assert second.endswith("; one record a page")
    assert third == "    at shop.example/item/*; learnt from 16 pages; 16 entries extracted from 16 pages"
    (facts,) = lines(extract("--json"))
    assert (facts["made_by"], facts["state"], facts["pages"], facts["entries"]) == (
        "person",
        "watched",
        16,
        16,
    )
    assert list(facts["attributes"]) == list(NAMES)  # type: ignore[call-overload]


def test_an_extractor_is_tested_without_writing(extract: Extract, shop: Path) -> None:
    add(extract, "--yes")
    with Store(shop) as state:
        keep(state, f"{SITE}/item/about", OTHER)
        keep(state, url_of(3), page(3, price="1.23"))

    done = extract("test", "books", url_of(3), f"{SITE}/item/about")

    assert done.code == 0
    assert "1.23" in done.output
    assert "does not match the extractor: nothing would be extracted" in done.output
    assert "the place of the region at depth 0 on the path: was found, is gone" in done.output
    assert done.output.endswith("2 pages: 1 that books matches, 1 deviating.\n")
    assert records(shop) == truth()
    assert len(lines(extract("test", "books", "--json"))) == 10


@pytest.mark.usefixtures("shop")
def test_extracted_records_are_shown_one_by_one(extract: Extract) -> None:
    add(extract, "--yes")

    some = extract("show", "books", "--limit", "2").output.splitlines()
    all_of_them = lines(extract("show", "books", "--json"))

    assert some[0].split() == ["page", *NAMES]
    assert some[1].startswith("/item/1  The Mountain of Bird 1  John Doe")
    assert some[3] == "2 records of 16: --limit shows more."
    assert {str(each["page"]).rpartition("/")[2]: each["attributes"] for each in all_of_them} == truth()


def test_a_removed_extractor_leaves_nothing_behind(extract: Extract, shop: Path) -> None:
    add(extract, "--yes")

    assert extract("remove", "books").output == "books was removed, with everything it extracted.\n"
    assert records(shop) == {}
    assert extract("remove", "books").code == 1


# Carrying


def test_imported_examples_are_learnt_if_their_page_is_stored_and_wait_otherwise(
    extract: Extract, shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(extract, "--yes")
    file = tmp_path / "regions.toml"
    assert extract("export", "-o", str(file)).output == f"1 extractor written to {file}.\n"
    assert extract("export", "books").output == file.read_text(encoding="utf-8")
    assert 'kind = "page"' in file.read_text(encoding="utf-8")
    assert extract("import", str(file)).output == "books: is there already, and stays as it is\n"
    extract("remove", "books")

    learnt = extract("import", str(file))
    elsewhere = run(ExtractCommand(), "import", str(file), state=tmp_path / "other", capsys=capsys)

    assert learnt.output == "books: learnt, and has extracted from 16 stored pages\n"
    assert records(shop) == truth()
    assert elsewhere.output == "books: waits for its page; a crawl of its site brings it\n"
    output = run(ExtractCommand(), state=tmp_path / "other", capsys=capsys).output
    assert output.startswith("books: shop.example, made by a person, waits for its page\n")


def test_another_extractor_of_the_same_name_is_replaced_only_if_confirmed(
    extract: Extract, shop: Path, tmp_path: Path
) -> None:
    add(extract, "--yes")
    file = tmp_path / "regions.toml"
    file.write_text(extract("export").output.replace("isbn", "number"), encoding="utf-8")

    refused = extract("import", str(file))
    replaced = extract("import", str(file), "--yes")

    assert refused.code == 2
    assert "[books]: there is another extractor of that name; --yes replaces it" in refused.errors
    assert replaced.output == "books: learnt, and has extracted from 16 stored pages\n"
    assert "number" in records(shop)["1"]


@pytest.mark.usefixtures("shop")
def test_all_that_is_wrong_in_a_file_is_named_and_nothing_imported(extract: Extract, tmp_path: Path) -> None:
    file = tmp_path / "regions.toml"
    good = (
        '[good]\nsite = "shop.example"\npage = "http://shop.example/item/1"\n[good.attributes]\ntitle = "x"\n'
    )
    nowhere = '[nowhere]\nsite = "shop.example"\n[nowhere.attributes]\ntitle = "x"\n'
    unnamed = good.replace("good", "unnamed").replace("title", '"a\\nb"')
    file.write_text(good + nowhere + unnamed, encoding="utf-8")

    done = extract("import", str(file))

    assert done.code == 2
    assert done.errors.splitlines() == [
        f"{file}: [nowhere] page is '', wanted the address that it was copied from",
        f"{file}: [unnamed] attributes.'a\\nb' cannot be a name; wanted up to 100 characters that can be printed",
    ]
    file.write_text("", encoding="utf-8")
    assert extract("import", str(file)).errors.startswith(f"{file}: has no extractor, wanted [NAME]")
    assert extract("--json").output == ""


@pytest.mark.usefixtures("shop")
def test_a_file_that_says_that_a_page_is_a_list_is_believed(extract: Extract, tmp_path: Path) -> None:
    add(extract, "--yes")
    file = tmp_path / "regions.toml"
    file.write_text(extract("export").output.replace('"page"', '"list"'), encoding="utf-8")

    done = extract("import", str(file), "--yes")

    assert (
        "waits for its page to say something else (the texts are not those of one of several like parts"
        in done.output
    )


@pytest.mark.usefixtures("shop")
def test_an_example_whose_page_has_changed_waits_and_says_so(extract: Extract, tmp_path: Path) -> None:
    add(extract, "--yes")
    file = tmp_path / "regions.toml"
    file.write_text(extract("export").output.replace("John Doe", "Nobody"), encoding="utf-8")
    extract("remove", "books")

    done = extract("import", str(file))

    assert "waits for its page to say something else (author: 'Nobody' is nowhere on the page)" in done.output


def test_an_extractor_imported_into_an_empty_state_extracts_the_same_records_from_a_crawl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(path: str) -> str | None:
        if path == "/":
            return "".join(f"<a href=/item/{number}>{number}</a> " for number in range(1, BOOKS + 1))
        return page(int(path.rpartition("/")[2])) if path.startswith("/item/") else None

    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    file = tmp_path / "regions.toml"
    one, two = tmp_path / "one" / "state", tmp_path / "two" / "state"
    with SmallSite(answer) as site:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_INDEX": False}
        crawl(tmp_path / "one", [site.url], settings, spider="explore")
        example = [f"{site.url}item/9", *pasted(9), "--name", "books", "--yes"]
        assert run(ExtractCommand(), "add", *example, state=one, capsys=capsys).code == 0
        assert run(ExtractCommand(), "export", "-o", str(file), state=one, capsys=capsys).code == 0
        assert run(ExtractCommand(), "import", str(file), state=two, capsys=capsys).code == 0
        crawl(tmp_path / "two", [site.url], settings, spider="explore")

    assert records(two) == records(one) == truth()
