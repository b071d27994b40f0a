"""Where a crawl begins: lists and files of addresses, and all the rubbish that can be in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.locating import seeds
from hiddenweb.focused.locating.seeds import BadSeeds, read_seeds

if TYPE_CHECKING:
    from collections.abc import Callable

    SeedFile = Callable[[str | bytes], str]


@pytest.fixture
def seed_file(tmp_path: Path) -> SeedFile:
    def written(content: str | bytes) -> str:
        path = tmp_path / "seeds.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        ("https://a.example/", ["https://a.example/"]),
        ("a.example", ["https://a.example/"]),
        ("a.example:8080/books", ["https://a.example:8080/books"]),
        ("a.example?q=1", ["https://a.example/?q=1"]),
        ("http://a.example", ["http://a.example/"]),
        ("HTTPS://A.Example/B", ["https://a.example/B"]),
        ("https://a.example/ b.example", ["https://a.example/", "https://b.example/"]),
        (" a.example,,b.example,\n", ["https://a.example/", "https://b.example/"]),
        ("a.example https://a.example/#top", ["https://a.example/"]),  # one place in two spellings
        ("bücher.example", ["https://xn--bcher-kva.example/"]),
        ("https://例え.example/本", ["https://xn--r8jz45g.example/%E6%9C%AC"]),
        ("http://localhost:8000", ["http://localhost:8000/"]),
        ("http://127.0.0.1:81/", ["http://127.0.0.1:81/"]),
        ("http://[::1]:81/", ["http://[::1]:81/"]),
        ("a.example/go?to=https://b.example/", ["https://a.example/go?to=https://b.example/"]),
        ("https://a.example/list.txt", ["https://a.example/list.txt"]),  # not a file here
        ("https://under_score.example/", ["https://under_score.example/"]),
    ],
)
def test_addresses_in_a_list_are_read(argument: str, wanted: list[str]) -> None:
    assert read_seeds(argument) == wanted


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("", "no sites given"),
        (" , \t", "no sites given"),
        ("example", "is not the address of a site"),
        ("https://", "is not the address of a site"),
        ("https://a..example/", "is not the address of a site"),
        ("https://*.example.org/", "is not the address of a site"),
        ("https://a.example:99999/", "is not the address of a site"),
        (f"https://{'a' * 64}.example/", "is not the address of a site"),  # longer than a label may be
        ("mailto:shop@a.example", "begins with mailto:, only http and https"),
        ("javascript:alert(1)", "begins with javascript:, only http and https"),
        ("file:///etc/passwd", "begins with file:, only http and https"),
        ("ftp://a.example/", "begins with ftp:, only http and https"),
        ("http:a.example", "has no // after http:"),
        ("https://user:secret@a.example/", "has a name or a password in it"),
        ("localhost:8001", "do you mean http://localhost:8001 ?"),
        ("[::1]:8001", "do you mean http://[::1]:8001 ?"),
        ("https://a.example/\x1b[2J", "has characters in it that are none"),
        ("a\0b.example", "has characters in it that are none"),
        ("a.example/" + "x" * 2_000, "has 2,010 characters"),
        ("missing.txt", "missing.txt: there is no such file"),
        ("lists/missing.csv", "there is no such file"),
        ("./missing", "there is no such file"),
        ("~/missing-seeds", "there is no such file"),
        ("~nobody-of-that-name/seeds", "is not the address of a site"),
        ("/dev/null", "is not a regular file"),
    ],
)
def test_words_that_are_no_addresses_are_named(argument: str, complaint: str) -> None:
    with pytest.raises(BadSeeds) as error:
        read_seeds(argument)

    assert complaint in str(error.value)


@pytest.mark.parametrize(
    "word", ["https://me:s3cret@a.example/", "me:s3cret@a.example", "https://me:s3@cret@a.example/"]
)
def test_a_password_is_in_no_message(word: str) -> None:
    with pytest.raises(BadSeeds) as error:
        read_seeds(word)

    assert "me:***@a.example" in str(error.value)
    assert "cret" not in str(error.value)


def test_one_bad_address_spoils_the_list() -> None:
    with pytest.raises(BadSeeds, match="'nonsense' is not the address of a site"):
        read_seeds("https://a.example/ nonsense https://b.example/")


def test_files_have_an_address_a_line_and_comments(seed_file: SeedFile) -> None:
    name = seed_file(
        "# shops\n\n  https://a.example/  # the big one\r\nb.example\n\n#c.example\nhttps://a.example/\n"
    )

    assert read_seeds(name) == ["https://a.example/", "https://b.example/"]


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_the_address(seed_file: SeedFile) -> None:
    assert read_seeds(seed_file(b"\xef\xbb\xbfa.example\n")) == ["https://a.example/"]


def test_a_fragment_is_no_comment(seed_file: SeedFile) -> None:
    assert read_seeds(seed_file("https://a.example/b#c\n")) == ["https://a.example/b"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param(b"", "there is no address in it", id="empty"),
        pytest.param("\n # nothing\n\n", "there is no address in it", id="only comments"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", "is not a text file in UTF-8 (byte 0)", id="binary"),
        pytest.param("a.example\n".encode("utf-16"), "is not a text file in UTF-8", id="another encoding"),
        pytest.param(b"a.example\n\x00\x00\x00\n", "line 2: '\\x00\\x00\\x00' has characters", id="zeros"),
        pytest.param(
            "a.example b.example\n", "line 1: 'a.example b.example' has a space", id="two in a line"
        ),
        pytest.param("a.example\tShop\n", "has a space in it", id="a table"),
        pytest.param('{"url": "https://a.example/"}\n', "line 1", id="JSON"),
        pytest.param("https://a.example/\n<html>\n", "line 2: '<html>' is not the address", id="HTML"),
        pytest.param(
            "a.example\nfile:///etc/passwd\n", "line 2: 'file:///etc/passwd' begins with file:", id="file"
        ),
    ],
)
def test_rubbish_in_a_file_is_named_with_its_line(
    content: str | bytes, complaint: str, seed_file: SeedFile
) -> None:
    with pytest.raises(BadSeeds) as error:
        read_seeds(seed_file(content))

    assert complaint in str(error.value)


def test_only_the_first_ten_problems_are_listed(seed_file: SeedFile) -> None:
    with pytest.raises(BadSeeds) as error:
        read_seeds(seed_file("nonsense\n" * 5_000))

    lines = str(error.value).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "... and 4,990 more"


def test_a_folder_is_no_list(tmp_path: Path) -> None:
    with pytest.raises(BadSeeds, match="is a folder"):
        read_seeds(str(tmp_path))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(BadSeeds, match="is not a regular file"):
        read_seeds(str(tmp_path / "pipe"))


def test_a_file_is_read_again_when_it_changed(seed_file: SeedFile) -> None:
    name = seed_file("a.example\n")
    before = read_seeds(name)
    Path(name).write_text("longer.example\n", encoding="utf-8")

    assert (before, read_seeds(name)) == (["https://a.example/"], ["https://longer.example/"])


def test_list_of_a_caller_is_a_copy(seed_file: SeedFile) -> None:
    name = seed_file("a.example\n")
    read_seeds(name).clear()

    assert read_seeds(name) == ["https://a.example/"]


def test_too_many_sites_are_refused(seed_file: SeedFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "MAX_SEEDS", 100)
    name = seed_file("".join(f"site{number}.example\n" for number in range(101)))

    with pytest.raises(BadSeeds, match="line 101: more than 100 sites are too many"):
        read_seeds(name)


def test_an_enormous_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "seeds.txt"
    with path.open("wb") as file:
        file.truncate(seeds.MAX_FILE_BYTES + 1)  # a hole: it takes no place

    with pytest.raises(BadSeeds, match="100,000,001 bytes are too many"):
        read_seeds(str(path))
