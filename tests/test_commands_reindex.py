from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest
from forking import run_forked
from jsonlines_outbox import NAME, JsonLinesOutbox, page
from scrapy.cmdline import execute

from hiddenweb.index.location import current_folder, last_indexed, writing
from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.model import Record
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def outbox(tmp_path: Path) -> JsonLinesOutbox:
    outbox = JsonLinesOutbox(tmp_path)
    outbox.put(*(page(f"a.example/{number}", "bronze bells") for number in range(30)))
    return outbox


class Scrapy(Protocol):
    def __call__(self, state: Path, *arguments: str, outbox: str = NAME) -> Ended: ...


@dataclass
class Ended:
    code: int
    out: str
    err: str


@pytest.fixture
def scrapy(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Scrapy:
    """Run a command as `scrapy` does, but here."""
    monkeypatch.chdir(root)

    def run(state: Path, *arguments: str, outbox: str = NAME) -> Ended:
        settings = ["-s", f"HIDDENWEB_STATE={state}", "-s", f"HIDDENWEB_OUTBOX={outbox}"]
        with pytest.raises(SystemExit) as ended:
            execute(["scrapy", *arguments, *settings])
        return Ended(int(ended.value.code or 0), *capsys.readouterr())

    return run


def test_the_command_is_one_of_scrapy(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    settings = ["-s", f"HIDDENWEB_STATE={tmp_path}", "-s", f"HIDDENWEB_OUTBOX={NAME}"]
    command = [sys.executable, "-m", "scrapy", "reindex", *settings]
    ended = run_forked(command)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert last_indexed(tmp_path) == outbox.last()


def test_the_index_is_made_from_the_store(scrapy: Scrapy, tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put("https://a.example/3")
    outbox.trim(20)

    made = scrapy(tmp_path, "reindex")
    checked = scrapy(tmp_path, "reindex", "--check")

    assert (made.code, made.err) == (0, "")
    assert "29 documents indexed in " in made.out
    assert (checked.code, checked.out) == (0, "Index and store are equal: 29 documents.\n")
    assert last_indexed(tmp_path) == 31


def test_the_check_says_what_differs(scrapy: Scrapy, tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    scrapy(tmp_path, "reindex")
    assert last_indexed(tmp_path) == outbox.last()
    index = WhooshIndex(current_folder(tmp_path))
    index.update(["https://a.example/1", page("a.example/2", "other"), page("z.example/1", "surplus")])

    ended = scrapy(tmp_path, "reindex", "--check")

    assert ended.code == 1
    assert "1 stored, but not in the index:\n    https://a.example/1\n" in ended.out
    assert "1 in the index, but not stored:\n    https://z.example/1\n" in ended.out
    assert "1 different in index and store:\n    https://a.example/2\n" in ended.out
    assert scrapy(tmp_path, "reindex").code == 0
    assert scrapy(tmp_path, "reindex", "--check").code == 0


def test_a_foreign_index_is_replaced_but_not_read(
    scrapy: Scrapy, tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    (tmp_path / "index").mkdir()
    foreign = tmp_path / "index" / "_MAIN_1.toc"
    foreign.write_bytes(b"cposix\nsystem\n")

    refused = scrapy(tmp_path, "reindex", "--check")
    made = scrapy(tmp_path, "reindex")

    assert refused.code == 4
    assert "was not made by hiddenweb" in refused.err
    assert made.code == 0
    assert scrapy(tmp_path, "reindex", "--check").code == 0
    assert outbox.last() == last_indexed(tmp_path)


def test_nothing_is_done_while_another_process_writes(
    scrapy: Scrapy, tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    with writing(tmp_path, "the indexing process"):
        ended = scrapy(tmp_path, "reindex")

    assert ended.code == 5
    assert "is being written by the indexing process (process " in ended.err
    assert outbox.last() == 30


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["reindex", "everything"], 2, "scrapy reindex takes no arguments, but was given 'everything'"),
        (["reindex", "--check"], 3, "There is no index in"),
    ],
)
def test_errors_are_clear_and_have_codes(
    scrapy: Scrapy, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    ended = scrapy(tmp_path, *arguments)

    assert ended.code == code
    assert message in ended.out + ended.err
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("arguments", [["reindex"], ["reindex", "--check"]])
def test_without_a_state_the_next_command_is_named(
    scrapy: Scrapy, tmp_path: Path, arguments: list[str]
) -> None:
    none = scrapy(tmp_path / "none", *arguments)
    empty = scrapy(tmp_path, *arguments, outbox="hiddenweb.store.outbox:open_outbox")

    assert (none.code, empty.code) == (3, 3)
    assert "scrapy crawl explore" in none.err
    assert "Traceback" not in none.err + empty.err
    assert not (tmp_path / "none").exists()


def test_records_in_the_sqlite_store_are_indexed_and_found(scrapy: Scrapy, tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        site = state.sites.want("https://records.example/")
        records = [
            Record(f"r{number}", f"Bell {number}", f"bronze bell of year {1900 + number}")
            for number in range(5)
        ]
        for number, record in state.records.save(
            site, records, submission=None, page=None, at=1_700_000_000.0
        ):
            state.outbox.save_record(number, f"record:{record.key}", record.text)
        state.commit()

    made = scrapy(tmp_path, "reindex", outbox="hiddenweb.store.outbox:open_outbox")
    checked = scrapy(tmp_path, "reindex", "--check", outbox="hiddenweb.store.outbox:open_outbox")

    assert "5 documents indexed" in made.out, made.err
    assert checked.code == 0, checked.out + checked.err
    hits = WhooshIndex(current_folder(tmp_path)).search(ParsedQuery("bronze 1903", behind_forms=True)).hits
    assert [hit.document.title for hit in hits] == ["Bell 3"]
    assert last_indexed(tmp_path) == 5
