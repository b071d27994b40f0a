"""Where an index is, which one is current, its position in the outbox, and who writes it.

An index is in `STATE/index`:

    index.json      the mark that it is ours, and the number of the current folder
    lock            held by the one process that writes
    status.json     what that process is doing, for progress displays
    7/              the index itself, with `position`: the last number of the outbox that is in it

Only `index.json` decides which numbered folder is current, and it is replaced in one step; a new index is built in a
new folder and becomes current only when it is complete.

Whoosh has pickles in its files, and a pickle can run code. So an index is opened only with our mark, and the mark names the
inode of its folder: an index that was copied here, from a backup or from elsewhere, is refused. `scrapy reindex` makes a
new one from the store, which has everything.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.index.protocol import ForeignIndex, IndexInUse, IndexProblem, NoIndex, OldIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT = 2
"""The version of the folder layout, the schema and the rules for words. An index of a lower version is rebuilt from the
store by the next crawl, or by `scrapy reindex`; one of a higher version is refused. 2: attributes are fields."""


def last_indexed(state: Path) -> int:
    """Return the last number of the outbox that is safely in the index of a state folder, 0 without an index."""
    try:
        return position_in(current_folder(state))
    except IndexProblem:
        return 0


def current_folder(state: Path) -> Path:
    """Return the folder of the current index; raises IndexProblem if it cannot be used."""
    home = state / "index"
    mark = home / "index.json"
    if not mark.exists():
        if home.is_dir() and any(
            path.name not in _OUR_FILES for path in home.iterdir() if not path.name.isdigit()
        ):
            raise ForeignIndex(
                f"{home} was not made by hiddenweb. It is not opened, since an index can carry code."
            )
        raise NoIndex(f"There is no index in {state} yet.")
    facts = _read(mark)
    folder = home / str(facts.get("folder"))
    if facts.get("made_by") != "hiddenweb" or not folder.is_dir():
        raise ForeignIndex(f"{mark} is not what hiddenweb writes.")
    if facts.get("inode") != folder.stat().st_ino:
        raise ForeignIndex(
            f"{folder} was copied from elsewhere. It is not opened, since an index can carry code."
        )
    if facts.get("format") != FORMAT:
        number = facts.get("format")
        kind = OldIndex if isinstance(number, int) and number < FORMAT else ForeignIndex
        raise kind(f"The index in {home} is of format {number}, this version reads {FORMAT}.")
    return folder


def new_folder(state: Path) -> Path:
    """Make an empty folder for a new index, and remove the rest of earlier attempts. Requires the lock."""
    home = _home(state)
    current = str(_read(home / "index.json").get("folder"))
    numbers = [int(path.name) for path in home.iterdir() if path.name.isdigit()]
    for number in numbers:
        if str(number) != current:
            shutil.rmtree(home / str(number))
    folder = home / str(max(numbers, default=0) + 1)
    folder.mkdir(mode=0o700)
    return folder


def make_current(state: Path, folder: Path) -> None:
    """Make a complete index current, in one step, and remove the others."""
    facts = {"made_by": "hiddenweb", "format": FORMAT, "folder": folder.name, "inode": folder.stat().st_ino}
    replace(state / "index" / "index.json", json.dumps(facts))
    for path in (state / "index").iterdir():
        if path.name.isdigit() and path.name != folder.name:
            shutil.rmtree(path)


def position_in(folder: Path) -> int:
    """Return the last number of the outbox that is in the index of a folder."""
    try:
        return int((folder / "position").read_text())
    except (FileNotFoundError, ValueError):
        return 0


def write_position(folder: Path, position: int) -> None:
    """Save durably up to which number the outbox is in the index."""
    replace(folder / "position", str(position))


def replace(path: Path, text: str, *, durable: bool = True) -> None:
    """Replace the text of a small file in one step."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    fresh.replace(path)
    if durable:
        sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the entries of a folder, are on disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


@contextmanager
def writing(state: Path, who: str) -> Iterator[None]:
    """Hold the lock of the index; raises IndexInUse, which names the holder."""
    path = _home(state) / "lock"
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise IndexInUse(f"The index in {state} is being written by {holder}.") from None
        file.truncate(0)
        file.write(f"{who} (process {os.getpid()})")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def status(state: Path) -> dict[str, Any]:
    """Return the last status of the indexing process; empty if it never ran."""
    return _read(state / "index" / "status.json")


_OUR_FILES = frozenset(("lock", "status.json", "status.json.new", "index.json.new", "indexing.log"))


def _home(state: Path) -> Path:
    if not state.is_dir():
        raise NoIndex(f"There is no state folder {state}.")
    home = state / "index"
    home.mkdir(mode=0o700, exist_ok=True)
    return home


def _read(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return cast("dict[str, Any]", facts) if isinstance(facts, dict) else {}
