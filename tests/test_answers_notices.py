"""What a page without records says, in many languages, and which words it suggests."""

from __future__ import annotations

import pytest

from hiddenweb.answers.notices import (
    RequestedPause,
    drop_words,
    find_requested_pause,
    find_suggestion,
    says_blocked,
    says_expired,
    says_failed,
    says_missing,
    says_nothing_found,
    says_script_is_needed,
)
from hiddenweb.model import Form, HttpQuery, Link, Page

ANSWER_URL = "http://a.example/find?q=wihne&in=all"
QUERY = HttpQuery((("q", "wihne"),), "wihne", url=ANSWER_URL)
WINE = HttpQuery((("q", "wine"),), "wine")


def page(text: str, title: str = "", *links: Link, forms: tuple[Form, ...] = ()) -> Page:
    return Page(ANSWER_URL, title=title, text=text, links=links, forms=forms)


@pytest.mark.parametrize(
    "text",
    [
        "Haulla ei löytynyt tuloksia", "Hittade inget", "Nebyly nalezeny žádné záznamy", "Neboli nájdené žiadne záznamy", "Nincs találat",
        "Nu s-au găsit rezultate", "Нічого не знайдено", "Няма намерени резултати", "Nema rezultata", "Ni zadetkov", "Tulemusi ei leitud",
        "Nieko nerasta", "Δεν βρέθηκαν αποτελέσματα", "לא נמצאו תוצאות", "نتیجه‌ای یافت نشد", "कोई परिणाम नहीं मिला", "Tidak ditemukan",
        "Không tìm thấy kết quả nào", "No s'ha trobat cap resultat", "Ez da emaitzarik aurkitu",
        "Your search - wihne - did not match any documents.", "We couldn't find any matches for wihne", "0 hits",
        "Ihre Suche ergab leider keine passenden Treffer.", "Es wurden keine Dokumente gefunden", "Aucun document ne correspond",
        "Votre recherche n'a donné aucun résultat", "No se han encontrado resultados", "La ricerca non ha prodotto risultati",
        "Nie znaleziono żadnych wyników", "Aradığınız kriterlere uygun kayıt bulunamadı", "По вашему запросу ничего не найдено",
        "لم يتم العثور على أي نتائج", "没有找到相关结果", "該当するデータはありません", "ไม่พบข้อมูลที่ค้นหา", "Geen resultaten gevonden",
        "Inga träffar", "Nenhum resultado encontrado", "Results (0)", "Treffer: 0", "0 rows where search matches", "0 older issues found",
        "1 - 0 of 0",
    ],
)  # fmt: skip
def test_nothing_found_is_said_in_many_ways(text: str) -> None:
    assert says_nothing_found(text)


@pytest.mark.parametrize(
    "text",
    [
        "10 results for wine",
        "Löytyi 5 tulosta",
        "Nalezeno 5 záznamů",
        "Знайдено 12 записів",
        "Βρέθηκαν 12 αποτελέσματα",
        "נמצאו 12 תוצאות",
        "Please enter at least 3 letters",
        "1-20 of 340",
        "20 Treffer",
        "Results (10)",
        "Your basket: 0 items",
    ],
)
def test_what_found_something_does_not_say_so(text: str) -> None:
    assert not says_nothing_found(text)


@pytest.mark.parametrize(
    "text",
    [
        "404 - Not found", "Oops! The page you are looking for cannot be found: this page does not exist.", "Diese Seite wurde nicht gefunden",
        "La page demandée n'existe pas", "La página que busca no existe", "La pagina richiesta non esiste", "Strona nie istnieje",
        "Aradığınız sayfa bulunamadı", "Страница не найдена", "الصفحة غير موجودة", "您访问的页面不存在", "お探しのページが見つかりません", "ไม่พบหน้าที่คุณต้องการ",
    ],
)  # fmt: skip
def test_a_missing_page_says_so_whatever_its_status(text: str) -> None:
    assert says_missing(page(text), QUERY)
    assert not says_missing(page("Nothing was found for your words"), QUERY)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Checking your browser before accessing the site. Ray ID: 7d1f", "Just a moment..."),
        ("Our systems have detected unusual traffic from your computer network.", "Sorry"),
        ("You don't have permission. Access to this page has been denied.", "Access denied"),
        ("Please complete the CAPTCHA below", ""), ("Bitte bestätigen Sie, dass Sie kein Roboter sind", ""),
        ("Confirmez que vous n'êtes pas un robot", ""), ("Demasiadas solicitudes", "429"), ("Verifica di essere un umano", ""),
        ("Potwierdź, że nie jesteś robotem", ""), ("Robot olmadığınızı doğrulayın", ""), ("Подтвердите, что вы не робот", ""),
        ("يرجى إثبات أنك لست روبوتا", ""), ("请输入验证码", ""), ("アクセスが制限されています。ロボットではないことを確認してください", ""),
        ("โปรดยืนยันว่าคุณไม่ใช่หุ่นยนต์", ""),
    ],
)  # fmt: skip
def test_a_gatekeeper_is_known_by_its_words(text: str, title: str) -> None:
    assert says_blocked(page(text, title), QUERY)


def test_the_keyword_does_not_make_a_gatekeeper() -> None:
    query = HttpQuery((("q", "captcha"),), "captcha", url=ANSWER_URL)

    assert not says_blocked(page('Nothing for "Captcha"'), query)
    assert drop_words("No Captcha, no CAPTCHA", "captcha").split() == ["No", ",", "no"]


def test_a_long_page_that_mentions_robots_is_no_gatekeeper() -> None:
    assert not says_blocked(page("A novel about somebody who is not a robot. " * 100, "Results"), QUERY)


@pytest.mark.parametrize(
    "text",
    [
        "Please activate JavaScript to enable the search functionality.", "This search requires JavaScript",
        "JavaScript must be enabled", "Bitte aktivieren Sie JavaScript", "Veuillez activer JavaScript", "请启用 JavaScript",
    ],
)  # fmt: skip
def test_a_page_may_say_that_only_a_script_shows_what_was_found(text: str) -> None:
    assert says_script_is_needed(page(text), QUERY)
    assert not says_script_is_needed(page("A book on JavaScript"), QUERY)


def test_a_failure_is_told_from_an_empty_answer() -> None:
    assert says_failed(page("An unexpected error occurred. Please try again later."), QUERY)
    assert says_failed(page("Es ist ein Fehler aufgetreten."), QUERY)
    assert not says_failed(page("No results."), QUERY)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page("No results.", "", Link("http://a.example/find?q=wine&in=all", "Did you mean wine?")), "wine"),
        (page("No results.", "", Link("http://a.example/find?q=wine", "wine")), "wine"),
        (page('Nothing for "wihne". Meinten Sie "Wine"?'), "Wine"),
        (page("「wihne」… もしかして「wine」"), "wine"),
        (page('Nothing for "Wihne".'), ""),
        (page("No results.", "", Link("http://a.example/find?q=cheese", "cheese")), ""),
        (page("No results.", "", Link("http://a.example/wine", "wine")), ""),
        (page("No results.", "", Link("http://a.example/find?q=wine", "popular")), ""),
    ],
    ids=["link", "link alone", "quoted", "quoted in Japanese", "itself", "another word", "another page", "does not say which"],
)  # fmt: skip
def test_a_suggestion_asks_the_same_for_almost_the_same_word(answer: Page, words: str) -> None:
    assert find_suggestion(answer, QUERY) == words


@pytest.mark.parametrize(
    ("line", "wait"),
    [
        (
            "Sorry, you can only search once every 30 seconds. Please wait another 12 seconds.",
            RequestedPause(12, 30),
        ),
        (
            "At least 60 seconds have to pass between searches. Please wait a little while.",
            RequestedPause(60, 60),
        ),
        ("Bitte warten Sie noch 15 Sekunden bis zur nächsten Suche.", RequestedPause(15, 15)),
        ("Vous devez attendre 20 secondes avant une nouvelle recherche.", RequestedPause(20, 20)),
        ("Повторить поиск можно через 25 секунд.", RequestedPause(25, 25)),
        (
            "Następne wyszukiwanie będzie możliwe za 10 sekund, proszę czekać i spróbować ponownie.",
            RequestedPause(10, 10),
        ),
        ("Aguarde 2 minutos antes de pesquisar novamente.", RequestedPause(120, 120)),
        ("请等待 30 秒后再次搜索", RequestedPause(30, 30)),
        ("30秒経ってから検索してください", RequestedPause(30, 30)),
    ],
)
def test_a_site_that_wants_to_be_left_in_peace_says_how_long(line: str, wait: RequestedPause) -> None:
    assert find_requested_pause(["Search", line], QUERY) == wait


@pytest.mark.parametrize(
    "line",
    ["The search took 0.03 seconds, try again", "Please try again", "30 seconds", "Wait for the 39 steps"],
)
def test_not_every_time_is_one_to_wait(line: str) -> None:
    assert find_requested_pause([line], QUERY) is None


@pytest.mark.parametrize(
    "text",
    [
        "Your session has expired. Please search again.",
        "Page Expired",
        "This form has timed out",
        "Invalid CSRF token",
        "CSRF verification failed: token missing",
        "Validation of viewstate MAC failed",
        "Please enable cookies to search.",
        "Ihre Sitzung ist leider abgelaufen.",
        "Ungültiges Token",
        "Votre session a expiré",
        "Su sesión ha caducado",
        "La sessione è scaduta",
        "Twoja sesja wygasła",
        "Oturumunuzun süresi doldu",
        "Ваша сессия истекла",
        "انتهت صلاحية الجلسة",
        "会话已过期",
        "セッションの有効期限が切れました",
        "เซสชันของคุณหมดอายุ",
    ],
)
def test_a_page_says_in_many_languages_that_a_session_expired(text: str) -> None:
    assert says_expired(Page("http://a.example/find", text=text), WINE)


@pytest.mark.parametrize(
    "text",
    [
        "No results found for wine",
        "3 results",
        "Sessions of the parliament, 1920 to 1950",
        "Token rings and other networks",
        "A page from the history of expired patents",
        "We use cookies.",
        "Sitzungen des Rates",
        "wine " * 600 + "your session has expired",
    ],
)
def test_other_pages_do_not_say_that_a_session_expired(text: str) -> None:
    assert not says_expired(Page("http://a.example/find", text=text), WINE)


def test_words_for_an_expired_session_that_were_searched_for_do_not_count() -> None:
    query = HttpQuery((("q", "session expired"),), "session expired")

    assert not says_expired(Page("http://a.example/find", text="You asked for Session Expired"), query)
