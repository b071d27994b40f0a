"""Headers and cookies of the user's own go where they belong, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.fetch.own_headers import (
    BadHeaderFile,
    OwnHeaders,
    can_all_read,
    cookie_names,
    merge_cookies,
    read_cookie_file,
    read_header_file,
    sets_cookie,
)

if TYPE_CHECKING:
    from pathlib import Path

NOW = 1_700_000_000.0
COOKIES = """# Netscape HTTP Cookie File
.mine.org\tTRUE\t/\tTRUE\t0\tsession\tS3CRET
#HttpOnly_www.mine.org\tFALSE\t/shop\tFALSE\t1900000000\tcart\tC4RT
mine.org\tFALSE\t/\tFALSE\t1600000000\told\tGONE

127.0.0.1\tFALSE\t/\tFALSE\t0\tlocal\tL0CAL
"""


def own(folder: Path, *seeds: str) -> OwnHeaders:
    (folder / "cookies.txt").write_text(COOKIES, encoding="utf-8")
    return OwnHeaders.read(None, folder / "cookies.txt", seeds)


@pytest.mark.parametrize(
    ("url", "cookies"),
    [
        pytest.param("https://www.mine.org/shop/1", "cart=C4RT; session=S3CRET", id="a seed"),
        pytest.param("https://www.mine.org/", "session=S3CRET", id="another path"),
        pytest.param("https://b.mine.org/shop/1", "session=S3CRET", id="another host of the site"),
        pytest.param("http://www.mine.org/shop/1", "", id="another scheme"),
        pytest.param("https://www.mine.org:8443/shop/1", "", id="another port"),
        pytest.param("https://notmine.org/", "", id="another site"),
        pytest.param("http://127.0.0.1:8801/x", "local=L0CAL", id="a seed with a port"),
        pytest.param("http://127.0.0.1:8802/x", "", id="another port of this machine"),
    ],
)
def test_cookies_go_to_the_scheme_and_the_port_of_a_seed_of_their_site(
    tmp_path: Path, url: str, cookies: str
) -> None:
    headers = own(tmp_path, "https://www.mine.org/", "http://127.0.0.1:8801/")

    assert headers.cookies_for(url, NOW) == cookies


def test_without_seeds_no_cookie_goes_anywhere(tmp_path: Path) -> None:
    assert own(tmp_path).cookies_for("https://www.mine.org/", NOW) == ""


def test_headers_go_to_their_origin_only(tmp_path: Path) -> None:
    file = tmp_path / "headers.toml"
    file.write_text(
        '["https://a.example"]\nAuthorization = "Bearer T0KEN"\n["b.example:8443"]\nX-Gate = "open"\n',
        encoding="utf-8",
    )

    headers = OwnHeaders.read(file, None)

    assert headers.headers_for("https://a.example/x?y") == ((b"Authorization", b"Bearer T0KEN"),)
    assert headers.headers_for("https://b.example:8443/") == ((b"X-Gate", b"open"),)
    for other in (
        "http://a.example/",
        "https://www.a.example/",
        "https://a.example:444/",
        "https://b.example/",
    ):
        assert headers.headers_for(other) == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param('["https://a.example/path"]\nA = "S3CRET"', "is no site", id="a path"),
        pytest.param('A = "S3CRET"', "stands outside of a table", id="no table"),
        pytest.param(
            '["a.example"]\nHost = "S3CRET"', "'Host' is no header that can be set", id="a header of ours"
        ),
        pytest.param('["a.example"]\nA = "S3CRET\\r\\nB: c"', "is no text in one line", id="two lines"),
        pytest.param('["a.example"]\nA = ["S3CRET"]', "is no text in one line", id="a list"),
        pytest.param('["a.example"]\nA = S3CRET', "is no TOML", id="no TOML"),
    ],
)
def test_a_bad_file_of_headers_is_an_error_that_names_no_value(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "headers.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadHeaderFile, match=complaint) as caught:
        read_header_file(file)

    assert str(file) in str(caught.value)
    assert "S3CRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        pytest.param("a.example TRUE / TRUE 0 n S3CRET", "line 1: has 1 fields, wanted 7", id="no tabs"),
        pytest.param(
            ".co.uk\tTRUE\t/\tTRUE\t0\tn\tS3CRET", "is no domain that one owner has", id="a public suffix"
        ),
        pytest.param("a.example\tYES\t/\tTRUE\t0\tn\tS3CRET", "wanted TRUE or FALSE", id="no flag"),
        pytest.param("a.example\tTRUE\t/\tTRUE\tsoon\tn\tS3CRET", "the expiry is no number", id="no time"),
        pytest.param("a.example\tTRUE\t/\tTRUE\t0\tn n\tS3CRET", "the name or the value", id="no name"),
    ],
)
def test_a_bad_file_of_cookies_is_an_error_that_names_no_value(
    tmp_path: Path, line: str, complaint: str
) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(line, encoding="utf-8")

    with pytest.raises(BadHeaderFile, match=complaint) as caught:
        read_cookie_file(file)

    assert "S3CRET" not in str(caught.value)
    with pytest.raises(BadHeaderFile, match="cannot be read"):
        read_cookie_file(tmp_path / "none.txt")


def test_a_file_that_everybody_can_read_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text("", encoding="utf-8")

    file.chmod(0o644)
    before = can_all_read(file)
    file.chmod(0o600)

    assert (before, can_all_read(file), can_all_read(tmp_path / "none")) == (True, False, False)


def test_cookies_of_a_form_are_sent_beside_the_users_and_do_not_replace_them() -> None:
    assert merge_cookies("a=1", b"a=2; b=3") == b"a=1; b=3"
    assert sets_cookie(b"a=2; Path=/", cookie_names("a=1; c=4"))
    assert not sets_cookie(b"b=2", cookie_names("a=1; c=4"))


def test_values_are_in_no_representation(tmp_path: Path) -> None:
    assert "S3CRET" not in repr(own(tmp_path, "https://www.a.example/"))
