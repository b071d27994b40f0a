"""Whole verdicts in many languages: forms that do something are skipped, ordinary searches are submitted, with POST allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.model import Form

HOME = "http://www.site.example/start"


def form_of(source: str, *, title: str = "", lang: str = "") -> Form:
    """Return the one form of a page."""
    page = f'<!DOCTYPE html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title><body>{source}</body></html>'
    (form,) = read_page(page.encode(), HOME, content_type="text/html; charset=utf-8").forms
    return form


HARMFUL = {
    # Newsletters, by GET and with the names of searches
    "newsletter, en": ("en", '<form action=/go><input name=q placeholder="Your e-mail"><button>Subscribe</button></form>'),
    "newsletter, box of type search": ("en", '<form action=/search role=search><input type=search name=q><button>Sign up for news</button></form>'),
    "newsletter, de": ("de", '<form action=/suche><input name=q placeholder="Ihre E-Mail-Adresse"><button>Abonnieren</button></form>'),
    "newsletter, fr": ("fr", '<form action=/lettre><input name=q placeholder="Votre adresse électronique"><button>OK</button></form>'),
    "newsletter, es": ("es", '<form action=/buscar><input name=q><button>Suscribirse al boletín</button></form>'),
    "newsletter, sv": ("sv", '<form action=/sok><input name=q><button>Prenumerera på nyhetsbrevet</button></form>'),
    "newsletter, cs": ("cs", '<form action=/hledat><input name=q><button>Odebírat novinky</button></form>'),
    "newsletter, ko": ("ko", '<form action=/search><input name=q><button>뉴스레터 구독</button></form>'),
    "newsletter, ja": ("ja", '<form action=/search><input name=q><button>メールマガジン登録</button></form>'),
    "newsletter, type email": ("en", '<form action=/search><input type=email name=q placeholder="Search"><button>Search</button></form>'),
    "newsletter, fine print": ("en", '<form action=/search role=search><input type=search name=q placeholder=Search><button>Search</button><p>By searching you subscribe to our newsletter.</p></form>'),
    # Unsubscribing
    "unsubscribe, en": ("en", '<h2>Unsubscribe</h2><form action=/search><input name=q placeholder="Find your address"><button>Find</button></form>'),
    "unsubscribe, it": ("it", '<h2>Disiscriviti dalla newsletter</h2><form action=/cerca><input name=q><button>Cerca</button></form>'),
    "unsubscribe, ru": ("ru", '<form action=/search><input name=q><button>Отписаться от рассылки</button></form>'),
    "unsubscribe, tr": ("tr", '<form action=/ara><input name=q><button>Abonelikten çık</button></form>'),
    "unsubscribe, by the address": ("en", '<form action=/unsubscribe><input type=search name=q placeholder=Search><button>Search</button></form>'),
    # Logging in
    "login, en": ("en", '<form action=/search><input name=q placeholder="User name"><input type=password name=p><button>Search</button></form>'),
    "login without a password, de": ("de", '<form action=/suche><input name=q placeholder=Benutzername><button>Anmelden</button></form>'),
    "login by a code, en": ("en", '<form action=/search><input name=q autocomplete=one-time-code><button>Go</button></form>'),
    "login, pl": ("pl", '<form action=/szukaj><input name=q><button>Zaloguj się</button></form>'),
    "login, ar": ("ar", '<form action=/search><input name=q><button>تسجيل الدخول</button></form>'),
    "login, vi": ("vi", '<form action=/search><input name=q><button>Đăng nhập</button></form>'),
    "login, el": ("el", '<form action=/search><input name=q placeholder="Όνομα χρήστη"><button>Σύνδεση</button></form>'),
    "logout by GET": ("en", '<form action=/logout><input name=q placeholder=Search><button>Search</button></form>'),
    "recovery, en": ("en", '<h1>Forgotten password</h1><form action=/find><input name=q placeholder="Find your account"><button>Search</button></form>'),
    "recovery, pt": ("pt", '<form action=/buscar><input name=q><button>Recuperar senha</button></form>'),
    # Deleting
    "delete, en": ("en", '<form action=/search><input name=q><button>Delete</button></form>'),
    "delete by the button's value": ("en", '<form action=/search><input name=q><button name=op value=delete>Search</button></form>'),
    "delete by a hidden command": ("en", '<form action=/search role=search><input type=search name=q placeholder=Search><input type=hidden name=action value=delete><button>Search</button></form>'),
    "delete by the address, de": ("de", '<form action=/eintrag/loeschen><input type=search name=q placeholder=Suche><button>Suchen</button></form>'),
    "delete, zh": ("zh", '<form action=/search><input name=q><button>删除</button></form>'),
    "delete, he": ("he", '<form action=/search><input name=q><button>מחק</button></form>'),
    "delete, hu": ("hu", '<form action=/kereses><input name=q><button>Törlés</button></form>'),
    "search and delete, fr": ("fr", '<form action=/recherche><input name=q placeholder=Rechercher><button>Rechercher et supprimer</button></form>'),
    "search and delete, sv": ("sv", '<form action=/sok><input name=q placeholder="Sök"><button>Sök och radera</button></form>'),
    "clear the index": ("en", '<form action=/search/purge role=search><input type=search name=q placeholder=Search><button>Search</button></form>'),
    "a checked choice that deletes": ("en", '<form action=/search><input name=q placeholder=Search><input type=radio name=action value=remove checked><button>Search</button></form>'),
    # Voting and signing
    "vote, en": ("en", '<form action=/search><input name=q><button>Vote now</button></form>'),
    "vote, es": ("es", '<form action=/buscar><input name=q><button>Votar</button></form>'),
    "vote, by the address": ("en", '<form action=/poll/vote><input type=search name=q placeholder=Search><button>Search</button></form>'),
    "petition, fr": ("fr", '<form action=/recherche><input name=q><button>Signer la pétition</button></form>'),
    "petition, nl": ("nl", '<form action=/zoek><input name=q><button>Onderteken nu</button></form>'),
    # Orders, carts, payment
    "order, en": ("en", '<form action=/search><input name=q value=1><button>Buy now</button></form>'),
    "order, de": ("de", '<form action=/suche><input name=q placeholder=Menge><button>In den Warenkorb</button></form>'),
    "order, pl": ("pl", '<form action=/szukaj><input name=q><button>Zamów teraz</button></form>'),
    "order, by a hidden route": ("en", '<form action=/search><input name=q placeholder=Search><input type=hidden name=route value=checkout/cart><button>Search</button></form>'),
    "order, ja": ("ja", '<form action=/search><input name=q><button>注文する</button></form>'),
    "order, ro": ("ro", '<form action=/cauta><input name=q><button>Comandă acum</button></form>'),
    "order status, en": ("en", '<form action=/search><input name=q placeholder="Search your order number"><button>Search</button></form>'),
    "payment, a price": ("en", '<form action=/search role=search><input type=search name=q placeholder=Search><button>Search ($2.00)</button></form>'),
    "coupon, it": ("it", '<form action=/cerca><input name=q placeholder="Codice sconto"><button>Applica</button></form>'),
    "donation, nl": ("nl", '<form action=/zoek><input name=q><button>Doneer</button></form>'),
    "booking, th": ("th", '<form action=/search><input name=q><button>จองเลย</button></form>'),
    # Comments, contact, reports
    "comment, en": ("en", '<form action=/search><input name=q placeholder="Add a comment"><button>Post comment</button></form>'),
    "comment, textarea": ("en", '<form action=/search role=search><input type=search name=q placeholder=Search><textarea name=t></textarea><button>Search</button></form>'),
    "comment, uk": ("uk", '<form action=/poshuk><input name=q><button>Додати коментар</button></form>'),
    "contact, it": ("it", '<form action=/cerca><input name=q><button>Invia messaggio</button></form>'),
    "contact, a telephone": ("en", '<form action=/search><input name=q placeholder=Search><input type=tel name=t><button>Search</button></form>'),
    "contact, hi": ("hi", '<form action=/search><input name=q><button>संदेश भेजें</button></form>'),
    "report, en": ("en", '<form action=/search><input name=q><button>Report abuse</button></form>'),
    "upload": ("en", '<form action=/search><input name=q placeholder=Search><input type=file name=f><button>Search</button></form>'),
    "invitation, de": ("de", '<form action=/suche><input name=q><button>Freunde einladen</button></form>'),
    # Registration
    "registration, en": ("en", '<form action=/search><input name=q><button>Join now</button></form>'),
    "registration, fi": ("fi", '<form action=/haku><input name=q><button>Rekisteröidy</button></form>'),
    "registration, id": ("id", '<form action=/cari><input name=q><button>Daftar sekarang</button></form>'),
    "registration, by the address": ("en", '<form action=/account/register method=post><input type=search name=q placeholder=Search><button>Search</button></form>'),
    # Saving, alerts
    "save a search, en": ("en", '<form action=/search><input name=q placeholder=Search><button>Save search</button></form>'),
    "save a search, fr": ("fr", '<form action=/recherche><input name=q placeholder=Rechercher><button>Enregistrer la recherche</button></form>'),
    "save a search, pl": ("pl", '<form action=/szukaj><input name=q placeholder=Szukaj><button>Zapisz wyszukiwanie</button></form>'),
    "a verb that we do not know before the search, es": ("es", '<form action=/buscar method=post><input name=q placeholder=Buscar><button>Conservar búsqueda</button></form>'),
    "apply for a job": ("en", '<form action=/search><input name=q><button>Apply for this job</button></form>'),
    # One's own things
    "parcel, en": ("en", '<h2>Track your parcel</h2><form action=/search><input name=q><button>Search</button></form>'),
    "parcel, es": ("es", '<form action=/buscar><input name=q placeholder="Número de seguimiento"><button>Buscar</button></form>'),
    "parcel, da": ("da", '<h2>Følg din pakke</h2><form action=/find><input name=q placeholder="Forsendelsesnummer"><button>Søg</button></form>'),
    "booking, fr": ("fr", '<h2>Gérer ma réservation</h2><form action=/recherche><input name=q placeholder="Référence de réservation"><button>Rechercher</button></form>'),
    "exam, tr": ("tr", '<form action=/ara><input name=q placeholder="T.C. kimlik numarası"><button>Sorgula</button></form>'),
    "number plate, ru": ("ru", '<form action=/search><input name=q placeholder="Номер автомобиля"><button>Найти</button></form>'),
    "a chat in a box of type search": ("en", '<form action=/search role=search><input type=search name=q placeholder="Ask our staff anything"><button>Submit</button></form>'),
    "find and then forget, ar": ("ar", '<form action=/search method=post role=search><input type=search name=q><button>ابحث ثم انس</button></form>'),
    # Others
    "captcha": ("en", '<form action=/search role=search><input type=search name=q placeholder=Search><div class=g-recaptcha></div><button>Search</button></form>'),
    "a word that we do not know, nothing else that says search": ("is", '<form action=/a><input name=q><button>Gerast áskrifandi</button></form>'),
    "a word that we do not know, by POST": ("is", '<form action=/search method=post><input name=q><button>Gerast áskrifandi</button></form>'),
    "a statement for a database": ("en", '<form action=/search><input name=q placeholder="SELECT * FROM users"><button>Run</button></form>'),
    "another site": ("en", '<form action=http://engine.example.org/search role=search><input type=search name=q><button>Search</button></form>'),
    "sorting": ("en", '<form action=/list><input type=hidden name=search value=""><select name=sort><option>Relevance<option>Price</select><select name=pagesize><option>20<option>40<option>60</select><button>Go</button></form>'),
}  # fmt: skip


@pytest.mark.parametrize("case", HARMFUL)
def test_what_does_more_than_search_is_not_submitted(case: str) -> None:
    language, source = HARMFUL[case]

    verdict = judge_form(form_of(source, lang=language), allow_post=True)

    assert not verdict.may_submit
    assert verdict.refusals


SEARCHES = {
    "en": ("en", '<form action=/search><input name=q placeholder="Type here to search"><button></button></form>'),
    "en, enter": ("en", '<form action=/search><input name=q placeholder="Press enter to search"></form>'),
    "en, what is searched": ("en", '<form action=/events method=post><input name=q placeholder="Event name"><button>Search Events</button></form>'),
    "en, a paragraph": ("en", '<p>You can find people by words of their entry (name, email, department).</p><form action=/lookup><input name=search><button>Search</button></form>'),
    "en, a radio": ("en", '<form action=/lookup><input name=search><input type=radio name=op value=index>brief <input type=radio name=op value=vindex checked>full <button>Search</button></form>'),
    "en, a hidden command": ("en", '<form action=/decks><input type=hidden name=action value="Show Decks"><input name=keyword placeholder="Card name"><button>Search</button></form>'),
    "en, a stored query": ("en", '<form action=/library/search><label>q <input name=q></label><button>Run SQL</button></form>'),
    "en, an action only": ("en", '<form action=/search/><input name=string><button>Go</button></form>'),
    "en, its own thing": ("en", '<form action=/homes><input type=search name=q placeholder="City, address or area"><button>Find your new home</button></form>'),
    "en, links": ("en", '<form action=/search><input type=search name=q placeholder="Search our shop"><button>Search</button> <a href=/login>Log in</a> <a href=/register>Register</a></form>'),
    "en, two known actions": ("en", '<form action=/find><input name=q placeholder="Search"><button>Search & filter</button></form>'),
    "de": ("de", '<form action=/suche method=post><input name=suchwort><input type=submit value="Veranstaltungen suchen"></form>'),
    "de, filter": ("de", '<form action=/suche><input name=q placeholder="Titel, Autor, Stichwort"><button>Suchen</button><button type=button>Filter löschen</button></form>'),
    "de, a long button": ("de", '<form action=/suche><input name=q placeholder=Suchbegriff><button>In allen Beständen der Bibliothek suchen</button></form>'),
    "fr": ("fr", '<form action=/recherche><input name=mots><input type=submit name=send_recherche value=OK></form>'),
    "fr, dans le site": ("fr", '<form action=/recherche><input name=q placeholder="Que cherchez-vous ?"><button>Rechercher dans tout le site</button></form>'),
    "fr, post": ("fr", '<form action=/recherche method=post><input name=motcle><button>Rechercher un produit</button></form>'),
    "it": ("it", '<form action=/ricerca><input name=q placeholder="Cerca informazioni o persone"><button></button></form>'),
    "it, post": ("it", '<form action=/cerca method=post><input name=testo placeholder="Cerca..."><button>Cerca idea</button></form>'),
    "es": ("es", '<form action=/buscar><input name=texto placeholder="Escriba aquí para buscar"><button>Ir</button></form>'),
    "es, sitio": ("es", '<form action=/busqueda><input name=q><button>Buscar en todo el sitio</button></form>'),
    "pt": ("pt", '<form action=/pesquisa><input name=termo placeholder="Pesquisar"><button>Pesquisar</button><button name=limpar>Limpar Filtro</button></form>'),
    "nl": ("nl", '<form action=/zoeken><input name=trefwoord placeholder="Waar bent u naar op zoek?"><button>Zoek</button></form>'),
    "pl": ("pl", '<form action=/szukaj><input name=fraza placeholder="Wpisz szukaną frazę"><button>Szukaj</button></form>'),
    "tr": ("tr", '<form action=/arama><input name=kelime placeholder="Ürün ara"><button>Ara</button></form>'),
    "ru": ("ru", '<form action=/search/><input name=text placeholder="Введите слово для поиска"><button>Найти</button></form>'),
    "uk": ("uk", '<form action=/search><input type=search name=q placeholder="Пошук товарів"><button>Знайти</button></form>'),
    "bg": ("bg", '<form action=/search><input name=q placeholder="ключова дума, номер на обява, населено място"><button>Търси</button></form>'),
    "el": ("el", '<form action=/search><input type=search name=q placeholder="Αναζήτηση προϊόντων"><button>Αναζήτηση</button></form>'),
    "sv": ("sv", '<form action=/sok><input name=q placeholder="Skriv vad du letar efter"><button>Sök jobb</button></form>'),
    "da": ("da", '<form action=/soeg><input type=search name=q><input type=submit name=save value="Søg"></form>'),
    "no": ("no", '<form action=/sok method=post><input name=q placeholder="f.eks. Nelly, Zalando"><button>SØK</button></form>'),
    "fi": ("fi", '<form action=/haku><input name=hakusana placeholder="Etsi tuotteita"><button>Hae</button></form>'),
    "cs": ("cs", '<form action=/hledani><input name=q placeholder="Zadejte hledaný výraz"><button>Hledat</button></form>'),
    "hu": ("hu", '<form action=/kereses><input name=q placeholder="Keresés a katalógusban"><button>Keresés</button></form>'),
    "ro": ("ro", '<form action=/cautare><input name=q placeholder="Caută produse"><button>Caută</button></form>'),
    "ar": ("ar", '<form action=/search dir=rtl><input name=q placeholder="ابحث في الموقع"><button>بحث</button></form>'),
    "he": ("he", '<form action=/search><input type=search name=q placeholder="חיפוש באתר"><button>חפש</button></form>'),
    "fa": ("fa", '<form action=/search><input name=q placeholder="جستجو در سایت"><button>جستجو</button></form>'),
    "hi": ("hi", '<form action=/search><input name=q placeholder="पुस्तक खोजें"><button>खोजें</button></form>'),
    "zh": ("zh", '<form action=/search><input name=keyword placeholder="请输入关键词"><button>搜索</button></form>'),
    "ja": ("ja", '<form action=/search><input name=q placeholder="キーワードを入力"><button>検索</button></form>'),
    "ko": ("ko", '<form action=/search><input name=q placeholder="검색어를 입력하세요"><button>검색</button></form>'),
    "th": ("th", '<form action=/search><input name=q placeholder="ค้นหาสินค้า"><button>ค้นหา</button></form>'),
    "vi": ("vi", '<form action=/tim-kiem><input name=q placeholder="Tìm kiếm sản phẩm"><button>Tìm kiếm</button></form>'),
    "id": ("id", '<form action=/cari><input name=q placeholder="Cari buku"><button>Cari</button></form>'),
}  # fmt: skip


@pytest.mark.parametrize("case", SEARCHES)
def test_an_ordinary_search_is_submitted(case: str) -> None:
    language, source = SEARCHES[case]

    verdict = judge_form(form_of(source, lang=language), allow_post=True)

    assert verdict.refusals == ()
    assert verdict.query_box is not None


@pytest.mark.parametrize(
    "title", ["Your basket - Shop", "Contact us", "Log in", "Kontakt", "Créer un compte", "购物车"]
)
def test_the_title_of_a_page_says_nothing_of_its_search(title: str) -> None:
    source = "<form action=/ id=searchform><input name=s><input type=submit value=Go></form>"

    assert judge_form(form_of(source, title=title)).may_submit
