"""The lexicon: every language has a file, and says what it lacks."""

from __future__ import annotations

import re
import time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.answers.notices import (
    find_requested_pause,
    says_blocked,
    says_expired,
    says_nothing_found,
    says_too_many,
)
from hiddenweb.answers.totals import read_lower_bound, read_total
from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.language import guess, lexicon
from hiddenweb.language.folding import fold
from hiddenweb.language.missing_keys import read_template
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.model import HttpQuery, Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.model import Form

FOLDER = Path(lexicon.__file__).parent
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.toml"))


def _template(language: str) -> set[str]:
    return {key.purpose for key in read_template(language)}


def _is_named(purpose: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(purpose, pattern) for pattern in patterns)


def test_every_file_is_a_language_and_the_well_known_ones_come_first() -> None:
    assert sorted(lexicon.languages()) == LANGUAGES
    assert lexicon.languages()[: len(lexicon.WELL_KNOWN)] == lexicon.WELL_KNOWN
    assert lexicon.languages()[-1] == "und"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "und"])
def test_a_language_has_every_key_or_says_why_not(language: str) -> None:
    words, reasons = lexicon.read_language(language), lexicon.read_reasons(language)

    lacking = {purpose for purpose in _template(language) - words.keys() if not _is_named(purpose, reasons)}
    needless = {pattern for pattern in reasons if "*" not in pattern and pattern in words}

    assert not lacking, f"{language}.toml: add these keys, or say under [missing] why not"
    assert not needless, f"{language}.toml: these keys are there, and no longer missing"
    assert all(reasons.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_no_key_that_the_template_lacks(language: str) -> None:
    known = _template("en") | _template("vi") | set(lexicon.read_language("und"))

    assert set(lexicon.read_language(language)) <= known


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_are_texts_and_alternatives_are_expressions_that_compile(language: str) -> None:
    for purpose, written in lexicon.read_language(language).items():
        assert written, f"{language}.toml: {purpose} is empty"
        if isinstance(written, str):
            assert all(fold(pattern).strip("*_") for pattern in written.split())
        else:
            for alternative in written:
                re.compile(alternative)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "und"])
def test_what_a_language_calls_searching_is_found(language: str) -> None:
    search = PhraseMatcher.from_lexicon("buttons.search")

    for pattern in lexicon.split_patterns(lexicon.read_language(language).get("buttons.search", "")):
        text = pattern.replace("*", "").replace("_", " ")
        assert search.find_words(text), text


@pytest.mark.parametrize(
    ("button", "box", "empty"),
    [
        pytest.param("Tìm kiếm", "Nhập từ khóa", "Không tìm thấy kết quả nào", id="vi"),
        pytest.param("Tra cứu", "Tên sách, tác giả", "Không có tài liệu nào phù hợp", id="vi, catalogue"),
        pytest.param("Maghanap", "pamagat ng aklat", "Walang nahanap na resulta", id="tl"),
    ],
)
def test_a_file_is_all_it_takes_to_submit_a_form_and_to_read_an_empty_answer(
    button: str, box: str, empty: str
) -> None:
    """No line of Python knows these words."""
    assert judge_form(_form(box, button)).may_submit
    assert says_nothing_found(empty)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "und"])
def test_the_words_of_a_language_are_in_the_scripts_that_its_file_names(language: str) -> None:
    words = lexicon.split_patterns(lexicon.read_language(language).get("buttons.search", ""))
    letters = re.sub(r"[\W\d_]", "", "".join(words))

    assert lexicon.read_in_language("writing.scripts", language)
    assert len("".join(guess._letters_of(language).findall(letters))) >= 0.9 * len(letters)


PLAIN_ANSWER = HttpQuery((("q", "sach"),), "sach")


def _page(text: str) -> Page:
    return Page("http://a.example/s?q=sach", text=text)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        pytest.param(
            "Tìm thấy 1.234 kết quả", lambda page: read_total(page, PLAIN_ANSWER, 10) == 1234, id="total"
        ),
        pytest.param(
            "Hiển thị 1 - 10 của 95 bản ghi",
            lambda page: read_total(page, PLAIN_ANSWER, 10) == 95,
            id="range",
        ),
        pytest.param(
            "Hơn 500 kết quả", lambda page: read_lower_bound(page, PLAIN_ANSWER, 10) == 500, id="bound"
        ),
        pytest.param(
            "Truy cập của bạn bị từ chối", lambda page: says_blocked(page, PLAIN_ANSWER), id="blocked"
        ),
        pytest.param("Có quá nhiều kết quả", lambda page: says_too_many(page, PLAIN_ANSWER), id="too many"),
        pytest.param(
            "Phiên làm việc đã hết hạn", lambda page: says_expired(page, PLAIN_ANSWER), id="expired"
        ),
        pytest.param("Chưa có kết quả", lambda page: says_nothing_found(page.text), id="empty"),
        pytest.param(
            "Vui lòng thử lại sau 30 giây",
            lambda page: find_requested_pause([page.text], PLAIN_ANSWER) == (30.0, 30.0),
            id="wait",
        ),
    ],
)
def test_answers_in_vietnamese_are_read_as_those_in_the_well_known_languages(
    text: str, reads: Callable[[Page], object]
) -> None:
    assert reads(_page(text))


@pytest.mark.parametrize("text", ["Giỏ hàng: 0 sản phẩm", "Không có sản phẩm nào trong giỏ hàng"])
def test_an_empty_basket_is_no_empty_answer(text: str) -> None:
    assert not says_nothing_found(text)


@pytest.mark.parametrize(
    ("button", "box"),
    [
        ("Đăng nhập", "Tên đăng nhập"),
        ("Đặt hàng", "Số lượng"),
        ("Gửi", "Địa chỉ email của bạn"),
        ("Thanh toán", "Mã giảm giá"),
        ("Tìm kiếm", "Mã đơn hàng"),
        ("Tra cứu", "Số điện thoại"),
    ],
)
def test_what_does_more_than_search_in_vietnamese_is_left_alone(button: str, box: str) -> None:
    assert not judge_form(_form(box, button)).may_submit


def _form(box: str, button: str) -> Form:
    source = f'<form action="/s"><input name="a" placeholder="{box}"><button>{button}</button></form>'
    (form,) = read_page(source.encode(), "http://a.example/", content_type="text/html; charset=utf-8").forms
    return form


def test_all_languages_are_read_in_a_twentieth_of_a_second() -> None:
    lexicon.read_language.cache_clear()
    started = time.process_time()

    for language in LANGUAGES:
        lexicon.read_language(language)

    assert time.process_time() - started < 0.5  # ten times what it takes, for slow machines


@pytest.mark.parametrize("language", LANGUAGES)
def test_expressions_for_buttons_are_written_folded_as_they_are_compared_with_folded_words(
    language: str,
) -> None:
    expressions = [
        (purpose, expression)
        for purpose, written in lexicon.read_language(language).items()
        if purpose.startswith(("buttons.", "grammar.", "deeds.", "identifier_parts."))
        and not isinstance(written, str)
        for expression in written
    ]
    letters = [(purpose, re.sub(r"\\.", "", expression)) for purpose, expression in expressions]

    assert [found for found in letters if fold(found[1]) != found[1]] == [], "write them without accents"
