from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import pytest
from forking import run_forked
from jsonlines_outbox import NAME, JsonLinesOutbox, page
from rich.console import Console
from scrapy.cmdline import execute

from hiddenweb.actions.search import show
from hiddenweb.actions.times import time_of
from hiddenweb.index.location import writing
from hiddenweb.index.process import rebuild
from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.index.whoosh import WhooshIndex

if TYPE_CHECKING:
    from pathlib import Path


MAY_2024 = datetime(2024, 5, 1, tzinfo=UTC).timestamp()
DOCUMENTS = [
    page("a.example/1", "The lost wax method of casting bronze bells.", title="Lost wax", at=MAY_2024),
    page("b.example/2", "Bronze [bold]bells[/bold] and wooden boxes.", title="Bells", at=MAY_2024 - 1),
    page("c.example/3", "Bronze record", title=" ", behind_form=True, kind="record", at=MAY_2024 + 90_000),
    page(
        "e.example/5",
        "The river runs.",
        title="River",
        at=MAY_2024,
        attributes=(
            ("title", "River"),
            ("price", "12.50"),
            ("about", "a\nlong\x1b story " * 30),
            ("note", "x" * 70),
            ("more", "y" * 70),
            ("author", "Jane Smith"),
            ("author", "John Doe"),
        ),
    ),
    page("d.example/4", "北京大学的图书馆有青铜器。", title="图书馆", language="zh", at=MAY_2024),
]
KEYS = ["rank", "score", "title", "url", "site", "kind", "language", "behind_form", "fetched_at", "attributes", "snippet", "highlights",
        "key", "total"]  # fmt: skip


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state")
    outbox = JsonLinesOutbox(folder)
    outbox.put(*DOCUMENTS)
    with writing(folder, "a test"):
        rebuild(folder, outbox, WhooshIndex)
    return folder


class Search(Protocol):
    def __call__(self, state: Path, *arguments: str) -> Ended: ...


@dataclass
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def search(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Search:
    """Run the command as `scrapy` does, but here."""
    monkeypatch.chdir(root)

    def run(state: Path, *arguments: str) -> Ended:
        settings = ["-s", f"HIDDENWEB_STATE={state}", "-s", f"HIDDENWEB_OUTBOX={NAME}"]
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", "search", *settings, *arguments])
        return Ended(int(ended.value.code or 0), *capsys.readouterr())

    return run


def test_the_command_is_one_of_scrapy(state: Path) -> None:
    settings = ["-s", f"HIDDENWEB_STATE={state}", "-s", f"HIDDENWEB_OUTBOX={NAME}"]
    command = [sys.executable, "-m", "scrapy", "search", *settings, "--json", "bronze", "wax"]
    ended = run_forked(command)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert [json.loads(line)["url"] for line in ended.stdout.splitlines()] == ["https://a.example/1"]


def test_people_get_numbered_hits_with_what_they_need(search: Search, state: Path) -> None:
    ended = search(state, "bronze")

    assert ended.code == 0
    assert ended.err == ""
    assert "Lost wax\n" in ended.out
    assert "     https://a.example/1\n     a.example · 2024-05-01\n" in ended.out
    assert "     c.example · 2024-05-02 · behind a form\n" in ended.out
    assert "https://c.example/3\n     https://c.example/3\n" in ended.out  # no title: the address instead
    assert "Bronze [bold]bells[/bold] and" in ended.out
    assert "\x1b" not in ended.out
    assert "1 to 3 of 3 found (" in ended.out


def test_programs_get_one_object_per_line(search: Search, state: Path) -> None:
    ended = search(state, "--json", "bronze", "--since", "2024-05-01", "--limit", "5")

    hits = [json.loads(line) for line in ended.out.splitlines()]
    assert [list(hit) for hit in hits] == [KEYS, KEYS]
    assert {hit["url"] for hit in hits} == {"https://a.example/1", "https://c.example/3"}
    assert [hit["rank"] for hit in hits] == [1, 2]
    first = next(hit for hit in hits if hit["site"] == "a.example")
    start, end = first["highlights"][0]
    assert first["snippet"][start:end] == "bronze"
    assert first["fetched_at"] == "2024-05-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["bronze", "--site", "b.example"], ["b"]),
        (["bronze", "--behind-forms"], ["c"]),
        (["北京大学"], ["d"]),
        (["bell OR record"], ["a", "b", "c"]),  # one argument is the whole query
        (["lost wax", "casting"], ["a"]),  # the shell took the quotes of a phrase
        (["wax lost", "casting"], []),
        (["--", "bronze", "-wax"], ["b", "c"]),
        (["bronze", "-wax"], ["b", "c"]),
        (["bronze", "--language", "zh"], []),
        (["author:smith"], ["e"]),
        (["river", "author:jane smith"], ["e"]),  # the shell took the quotes
        (["river", "author:smith jane"], []),
        (["river", "-author:jane smith"], []),
        (["bronze", "--limit", "1", "--page", "4"], []),
    ],
)
def test_options_narrow_what_is_found(
    search: Search, state: Path, arguments: list[str], found: list[str]
) -> None:
    ended = search(state, "--json", *arguments)

    assert ended.err == ""
    assert sorted(json.loads(line)["site"][0] for line in ended.out.splitlines()) == found


def test_attributes_are_shown_those_that_match_first(search: Search, state: Path) -> None:
    ended = search(state, "author:smith")

    (line,) = [line for line in ended.out.splitlines() if "author:" in line and "found" not in line]
    assert line.startswith("     author: Jane Smith · price: 12.50 · about: a long  story a long")
    assert "… · note: xxx" in line
    assert line.endswith(" · …")
    assert "John" not in line
    assert "title" not in line  # it stands above
    assert len(line) < 300


def test_programs_get_attributes_by_name(search: Search, state: Path) -> None:
    ended = search(state, "author:smith", "--json")

    found = json.loads(ended.out)["attributes"]
    assert found["author"] == ["Jane Smith", "John Doe"]
    assert found["price"] == "12.50"


def test_an_index_of_an_older_version_names_the_next_command(search: Search, tmp_path: Path) -> None:
    outbox = JsonLinesOutbox(tmp_path)
    outbox.put(*DOCUMENTS)
    with writing(tmp_path, "a test"):
        rebuild(tmp_path, outbox, WhooshIndex)
    mark = tmp_path / "index" / "index.json"
    mark.write_text(json.dumps(json.loads(mark.read_text()) | {"format": 1}))

    ended = search(tmp_path, "bronze")

    assert ended.code == 3
    assert (
        "is of format 1, this version reads 2. A crawl makes one while it runs, scrapy reindex" in ended.err
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "There is nothing to search for"),
        ([" "], 2, "There is nothing to search for"),
        (["?!"], 2, "has no word that could be found"),
        (
            ["bronze", "--since", "yesterday"],
            2,
            "--since 'yesterday' is not a date such as 2024-05-01, or an age",
        ),
        (["bronze", "--since", "2024-13-01"], 2, "is not a date"),
        (["bronze", "--limit", "0"], 2, "--limit must be at least 1, not 0"),
        (["bronze", "--page", "-1"], 2, "--page must be at least 1, not -1"),
        (["bronze", "--limit", "many"], 2, "invalid int value"),
        (["bronze", "--colour"], 2, "there is no option --colour"),
        (["zinc"], 1, "Nothing found for zinc"),
        (['"unclosed ('], 1, "Nothing found for"),
    ],
)
def test_errors_are_clear_and_have_codes(
    search: Search, state: Path, arguments: list[str], code: int, message: str
) -> None:
    ended = search(state, *arguments)

    assert ended.code == code
    assert message in ended.out + ended.err
    assert "Traceback" not in ended.err


def test_without_state_or_index_the_next_command_is_named(search: Search, tmp_path: Path) -> None:
    none = search(tmp_path / "none", "bronze")
    empty = search(tmp_path, "bronze")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "_MAIN_1.toc").write_bytes(b"cposix\nsystem\n")
    foreign = search(tmp_path, "bronze", "--json")

    assert (none.code, empty.code, foreign.code) == (3, 3, 4)
    assert "There is no state folder" in none.err
    assert "scrapy crawl explore" in none.err
    assert "There is no index in" in empty.err
    assert "scrapy reindex" in empty.err
    assert "was not made by hiddenweb" in foreign.err
    assert foreign.out == ""


def test_an_index_that_lags_says_so(search: Search, tmp_path: Path) -> None:
    outbox = JsonLinesOutbox(tmp_path)
    outbox.put(*DOCUMENTS)
    with writing(tmp_path, "a test"):
        rebuild(tmp_path, outbox, WhooshIndex)
    outbox.put(*(page(f"new.example/{number}", "bronze") for number in range(1_204)))

    ended = search(tmp_path, "bronze", "--json")

    assert "1,204 documents are not indexed yet" in ended.err
    assert len(ended.out.splitlines()) == 3


def test_on_a_terminal_matches_are_highlighted(state: Path) -> None:
    index = WhooshIndex(state / "index" / "1")
    query = ParsedQuery("wax")
    screen = io.StringIO()

    show(
        index.search(query),
        query,
        Console(file=screen, force_terminal=True, color_system="standard", width=60),
    )

    assert "\x1b[1;33mwax\x1b[0m" in screen.getvalue()


def test_a_page_after_the_last_says_how_many_there_are(search: Search, state: Path) -> None:
    ended = search(state, "bronze", "--limit", "2", "--page", "9")

    assert "3 found (" in ended.out
    assert "which is 2 pages: page 9 is empty" in ended.out
    assert ended.code == 0


@pytest.mark.parametrize(
    ("when", "time"),
    [
        ("2024-05-01", "2024-05-01T00:00:00+00:00"),
        ("2024-05-01T12:30", "2024-05-01T12:30:00+00:00"),
        ("2024-05-01T12:30+02:00", "2024-05-01T10:30:00+00:00"),
        ("12h", "2024-05-31T12:00:00+00:00"),
        ("7d", "2024-05-25T00:00:00+00:00"),
        ("2w", "2024-05-18T00:00:00+00:00"),
    ],
)
def test_dates_and_ages_are_times(when: str, time: str) -> None:
    now = datetime(2024, 6, 1, tzinfo=UTC)

    assert time_of(when, now) == datetime.fromisoformat(time)
