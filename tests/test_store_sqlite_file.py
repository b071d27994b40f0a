from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hiddenweb.store.database import Store
from hiddenweb.store.errors import ForeignState, StateError, StateInUse
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from pathlib import Path


def test_state_is_for_its_owner_only(store: Store) -> None:
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_second_crawl_is_refused_with_the_process_of_the_first(store: Store) -> None:
    with pytest.raises(StateInUse, match=f"process {os.getpid()}.*HIDDENWEB_STATE"):
        Store(store.folder)


def test_lock_ends_with_the_process_however_it_ends(tmp_path: Path, root: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from hiddenweb.store.database import Store;"
        "store = Store(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=root, check=False)

    with Store(tmp_path) as store:
        assert store.counts()["pending"] == 0


def test_missing_state_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="scrapy crawl"):
        Store(tmp_path / "none", write=False)


def test_file_that_is_no_database_stays_untouched(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"my thesis " * 1000)

    with pytest.raises(ForeignState, match="not a readable SQLite file"):
        Store(tmp_path)

    assert (tmp_path / FILE).read_bytes() == b"my thesis " * 1000


def test_database_of_something_else_stays_untouched(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    db.close()
    before = (tmp_path / FILE).read_bytes()

    with pytest.raises(ForeignState, match="of something else"):
        Store(tmp_path)

    assert (tmp_path / FILE).read_bytes() == before


def test_state_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()

    with pytest.raises(ForeignState, match="newer hiddenweb"):
        Store(tmp_path)


def test_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StateError, match="cannot be used for the state"):
        Store(tmp_path / "file" / "state")
