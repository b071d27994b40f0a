from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from forking import run_forked
from jsonlines_outbox import NAME, JsonLinesOutbox, page

from hiddenweb.index.location import (
    FORMAT,
    current_folder,
    last_indexed,
    new_folder,
    position_in,
    status,
    write_position,
    writing,
)
from hiddenweb.index.process import IndexingProcess, main, rebuild
from hiddenweb.index.protocol import IndexDocument, IndexInUse, OldIndex, differences
from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.model import Record
from hiddenweb.store.database import Store
from hiddenweb.store.outbox import open_outbox

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = "tests.jsonlines_outbox:broken_outbox"


@pytest.fixture
def outbox(tmp_path: Path) -> JsonLinesOutbox:
    return JsonLinesOutbox(tmp_path)


def once(state: Path, *more: str) -> int:
    return run("--state", str(state), "--once", "--outbox", NAME, *more).returncode


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_forked([sys.executable, "-m", "hiddenweb.index.process", *arguments])


def is_equal(state: Path, outbox: JsonLinesOutbox) -> bool:
    return not differences(WhooshIndex(current_folder(state)), outbox.documents())


def test_documents_of_the_outbox_are_found(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(
        page("a.example/1", "bronze bells"), page("a.example/2", "wooden boxes"), "https://a.example/2"
    )

    assert once(tmp_path) == 0

    index = WhooshIndex(current_folder(tmp_path))
    assert [hit.document.key for hit in index.search(ParsedQuery("bell OR box")).hits] == [
        "https://a.example/1"
    ]
    assert last_indexed(tmp_path) == 3


def test_changes_are_indexed_from_where_the_last_run_ended(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(*(page(f"a.example/{number}", f"bronze{number}") for number in range(20)))
    once(tmp_path)
    outbox.trim(last_indexed(tmp_path))
    outbox.put(page("a.example/3", "wax"), "https://a.example/4", page("b.example/1", "wax"))

    assert once(tmp_path) == 0

    assert is_equal(tmp_path, outbox)
    assert last_indexed(tmp_path) == 23
    assert WhooshIndex(current_folder(tmp_path)).search(ParsedQuery("wax")).total == 2


def test_rows_that_are_read_twice_change_nothing(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(30)), "https://a.example/7")
    once(tmp_path)
    write_position(current_folder(tmp_path), 5)

    assert once(tmp_path) == 0

    assert is_equal(tmp_path, outbox)
    assert last_indexed(tmp_path) == 31


def test_a_missing_index_is_built_from_the_store_not_from_the_rest_of_the_outbox(
    tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(10)))
    outbox.trim(8)

    assert once(tmp_path) == 0

    assert is_equal(tmp_path, outbox)


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_lost_when_the_process_is_killed_at_any_moment(
    tmp_path: Path, outbox: JsonLinesOutbox, seed: int
) -> None:
    draw = random.Random(seed)
    positions = [0]
    outbox.put(*changes(draw, 900))
    for _ in range(6):
        with IndexingProcess.start(tmp_path, outbox=NAME) as process:
            outbox.put(*changes(draw, 700))
            with pytest.raises(subprocess.TimeoutExpired):
                process._process.wait(draw.uniform(0.4, 1.6))
            process._process.kill()
            assert process._process.wait() == -signal.SIGKILL
        positions.append(last_indexed(tmp_path))
        outbox.trim(positions[-1])

    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        assert process.finish(240) == 0, process.complaints()

    assert positions == sorted(positions)
    assert last_indexed(tmp_path) == outbox.last()
    assert is_equal(tmp_path, outbox)


def changes(draw: random.Random, count: int) -> list[IndexDocument | str]:
    made: list[IndexDocument | str] = []
    for _ in range(count):
        document = page(
            f"a.example/{draw.randint(0, 1500)}", " ".join(f"w{draw.randint(0, 3000)}" for _ in range(60))
        )
        made.append(document.key if draw.random() < 0.2 else document)
    return made


def test_the_process_indexes_everything_and_reports_its_status(
    tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(40)))
        assert process.exit_code() is None
        assert process.finish(240) == 0

    facts = status(tmp_path)
    assert (facts["documents"], facts["lag"], facts["doing"], facts["position"]) == (40, 0, "ended", 40)
    assert facts["process"] == process.process_id
    assert is_equal(tmp_path, outbox)
    assert process.complaints() == ""


def test_the_process_ends_by_itself_when_its_parent_is_gone(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        outbox.put(page("a.example/1", "bronze"))
        assert process._process.stdin is not None
        process._process.stdin.close()

        assert process._process.wait(240) == 0


def test_the_process_ends_on_an_order(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        until(tmp_path, process, "waiting", "merging")

        assert process.stop(240) == 0

    assert is_equal(tmp_path, outbox)


def until(state: Path, process: IndexingProcess, *doing: str) -> None:
    """Wait until a process says that it does something."""
    for _ in range(4_800):
        if status(state).get("doing") in doing:
            return
        with pytest.raises(subprocess.TimeoutExpired):
            process._process.wait(0.05)
    raise AssertionError(status(state))


def test_an_idle_process_merges_and_keeps_the_documents(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    for start in range(0, 60, 10):
        outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(start, start + 10)))
        once(tmp_path)
    assert len(WhooshIndex(current_folder(tmp_path)).segments()) == 6

    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        for _ in range(4_800):
            if status(tmp_path).get("segments") == 1:
                break
            with pytest.raises(subprocess.TimeoutExpired):
                process._process.wait(0.05)
        assert process.finish(240) == 0

    assert WhooshIndex(current_folder(tmp_path)).segments() == [60]
    assert is_equal(tmp_path, outbox)


def test_two_processes_never_write_one_index(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    with writing(tmp_path, "the first"):
        ended = run("--state", str(tmp_path), "--once", "--outbox", NAME)
        with pytest.raises(IndexInUse), writing(tmp_path, "another"):
            pass

    assert ended.returncode == 3
    assert "is being written by the first (process " in ended.stderr
    assert once(tmp_path) == 0


def test_a_killed_writer_leaves_no_lock(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    with IndexingProcess.start(tmp_path, outbox=NAME) as process:
        until(tmp_path, process, "waiting", "merging")
        process._process.kill()
        process._process.wait()

    assert once(tmp_path) == 0


def test_a_bad_document_costs_one_document(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    once(tmp_path)
    outbox.put(page("bad.example/1", at=float("inf")), page("a.example/2", "bronze"))

    ended = run("--state", str(tmp_path), "--once", "--outbox", NAME)

    assert ended.returncode == 0
    assert "https://bad.example/1 cannot be indexed" in ended.stderr
    assert WhooshIndex(current_folder(tmp_path)).count() == 2
    assert (status(tmp_path)["bad"], status(tmp_path)["indexed"]) == (1, 1)


def test_a_copied_index_is_refused(tmp_path: Path) -> None:
    ours, copy = tmp_path / "ours", tmp_path / "copy"
    ours.mkdir()
    JsonLinesOutbox(ours).put(page("a.example/1", "bronze"))
    once(ours)
    subprocess.run(["cp", "-r", str(ours), str(copy)], check=True)

    ended = run("--state", str(copy), "--once", "--outbox", NAME)

    assert ended.returncode == 4
    assert "was copied from elsewhere" in ended.stderr
    assert last_indexed(copy) == 0


def written_by(state: Path, number: int) -> None:
    """Let an index be of another format."""
    mark = state / "index" / "index.json"
    mark.write_text(json.dumps(json.loads(mark.read_text()) | {"format": number}))


def test_an_index_of_an_older_version_is_made_anew(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"), page("a.example/2", "bell"))
    once(tmp_path)
    outbox.trim(2)
    written_by(tmp_path, FORMAT - 1)

    assert last_indexed(tmp_path) == 0
    with pytest.raises(OldIndex, match=f"is of format {FORMAT - 1}, this version reads {FORMAT}"):
        current_folder(tmp_path)
    assert once(tmp_path) == 0
    assert WhooshIndex(current_folder(tmp_path)).count() == 2
    assert last_indexed(tmp_path) == 2


def test_an_old_index_outlasts_a_rebuild_that_is_killed(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    once(tmp_path)
    written_by(tmp_path, FORMAT - 1)

    new_folder(tmp_path)  # and no further

    with pytest.raises(OldIndex):
        current_folder(tmp_path)
    assert once(tmp_path) == 0


def test_an_index_of_a_newer_version_is_refused(tmp_path: Path, outbox: JsonLinesOutbox) -> None:
    outbox.put(page("a.example/1", "bronze"))
    once(tmp_path)
    written_by(tmp_path, FORMAT + 1)

    ended = run("--state", str(tmp_path), "--once", "--outbox", NAME)

    assert ended.returncode == 4
    assert f"is of format {FORMAT + 1}, this version reads {FORMAT}" in ended.stderr


def test_a_moved_state_keeps_its_index(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    JsonLinesOutbox(tmp_path / "old").put(page("a.example/1", "bronze"))
    once(tmp_path / "old")

    moved = (tmp_path / "old").rename(tmp_path / "new")

    assert last_indexed(moved) == 1


@pytest.mark.parametrize(
    ("made", "code", "message"),
    [
        (["index/_MAIN_1.toc"], 4, "was not made by hiddenweb"),
        (["index/index.json"], 4, "is not what hiddenweb writes"),
    ],
)
def test_a_foreign_folder_is_refused(tmp_path: Path, made: list[str], code: int, message: str) -> None:
    for name in made:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")

    ended = run("--state", str(tmp_path), "--once", "--outbox", NAME)

    assert ended.returncode == code
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_problems_have_exit_codes_and_words(tmp_path: Path) -> None:
    assert run("--once").returncode == 2
    missing = run("--state", str(tmp_path / "none"), "--once", "--outbox", NAME)
    assert (missing.returncode, "There is no state folder" in missing.stderr) == (4, True)
    broken = run("--state", str(tmp_path), "--once", "--outbox", BROKEN)
    assert (broken.returncode, "the store is broken" in broken.stderr) == (4, True)


def test_a_disk_that_cannot_be_written_is_no_traceback(
    tmp_path: Path,
    outbox: JsonLinesOutbox,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    outbox.put(page("a.example/1", "bronze"))
    full = OSError(28, "No space left on device")

    def fails(*_: object) -> None:
        raise full

    monkeypatch.setattr("hiddenweb.index.process.rebuild", fails)
    monkeypatch.setattr("hiddenweb.index.process.gc", type("Gc", (), {"freeze": fails}))

    assert main(["--state", str(tmp_path), "--once", "--outbox", NAME, "--nice", "0"]) == 5
    assert "No space left" in capsys.readouterr().err


def test_a_rebuilt_index_takes_the_place_of_the_old_one_in_one_step(
    tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(10)))
    once(tmp_path)
    old = current_folder(tmp_path)
    seen = []

    def search_during_rebuild(_: int) -> None:
        seen.append(current_folder(tmp_path))

    with writing(tmp_path, "a test"):
        count, bad = rebuild(tmp_path, outbox, WhooshIndex, search_during_rebuild)

    assert (count, bad, seen) == (10, [], [old])
    assert current_folder(tmp_path) != old
    assert not old.exists()
    assert position_in(current_folder(tmp_path)) == 10
    assert current_folder(tmp_path).stat().st_mode & 0o777 == 0o700


def test_a_rebuild_that_was_killed_leaves_the_old_index_and_is_cleaned_up(
    tmp_path: Path, outbox: JsonLinesOutbox
) -> None:
    outbox.put(*(page(f"a.example/{number}", "bronze") for number in range(10)))
    once(tmp_path)
    old = current_folder(tmp_path)

    def dies(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), writing(tmp_path, "a test"):
        rebuild(tmp_path, outbox, WhooshIndex, dies)

    assert current_folder(tmp_path) == old
    assert is_equal(tmp_path, outbox)
    assert len(numbered(tmp_path)) == 2
    with writing(tmp_path, "a test"):
        rebuild(tmp_path, outbox, WhooshIndex)
    assert len(numbered(tmp_path)) == 1
    assert is_equal(tmp_path, outbox)


def numbered(state: Path) -> list[Path]:
    return [path for path in (state / "index").iterdir() if path.name.isdigit()]


def test_the_process_reads_a_store_that_a_crawl_is_writing(tmp_path: Path) -> None:
    with Store(tmp_path) as state, IndexingProcess.start(tmp_path) as process:
        site = state.sites.want("https://records.example/")
        for start in range(0, 1500, 100):
            records = [
                Record(f"r{number}", "Bell", f"bell of {number}") for number in range(start, start + 100)
            ]
            for number, record in state.records.save(site, records, submission=None, page=None, at=1.7e9):
                state.outbox.save_record(number, f"record:{record.key}", record.text)
            state.commit()
            state.outbox.trim(last_indexed(tmp_path))
        assert process.finish(240) == 0, process.complaints()
        assert last_indexed(tmp_path) == 1500

    with closing(open_outbox(tmp_path)) as outbox:
        found = differences(WhooshIndex(current_folder(tmp_path)), outbox.documents())
    assert (bool(found), found.compared) == (False, 1500)
