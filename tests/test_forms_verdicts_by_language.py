"""Whole verdicts on plain forms in thirty languages: searches are submitted, by POST, too; forms that do more are skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.model import Form


def form_of(source: str, language: str) -> Form:
    """Return the one form of a page."""
    page = f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8"><body>{source}</body></html>'
    (form,) = read_page(page.encode(), "http://a.example/", content_type="text/html; charset=utf-8").forms
    return form


def written(
    action: str,
    name: str,
    placeholder: str,
    button: str | None,
    method: str = "get",
    extra: str = "",
    label: str = "",
) -> str:
    """Return a form with one box, what else is in it, and a button."""
    box = f'<input name="{name}" placeholder="{placeholder}">'
    box = f"<label>{label} {box}</label>" if label else box
    pressed = f"<button>{button}</button>" if button is not None else ""
    return f'<form action="{action}" method={method}>{box}{extra}{pressed}</form>'


SEARCHES = {
    "en": [
        written("/trials", "cond", "Condition or disease", "Find studies"),
        written("/browse.php", "filter", "Filter by name…", None),
        written("/whats-on", "keywords", "", "See results", label="What are you interested in?"),
        written("/people", "name", "Name or department", "Look up"),
    ],
    "de": [
        written("/bestand", "text", "Was suchen Sie?", "Los geht's"),
        written("/ergebnisse", "stichwort", "", "Anzeigen", label="Stichwort"),
        written("/kurse", "begriff", "Kurs, Thema oder Dozent", "Kurse finden"),
        written("/index.php", "tx_search[q]", "", "Suche", method="post", label="Volltextsuche"),
        written(
            "/jobs", "was", "Beruf, Firma", "Jobs suchen", extra='<input name=wo placeholder="Ort, PLZ">'
        ),
    ],
    "fr": [
        written("/fonds", "mots", "Mots-clés, titre, auteur", "Lancer la recherche"),
        written("/annuaire", "nom", "Nom ou service", "Trouver"),
        written(
            "/jurisprudence", "texte", "", "Valider", method="post", label="Rechercher dans les décisions"
        ),
    ],
    "es": [
        written("/fondos", "palabras", "¿Qué buscas?", "Buscar"),
        written("/boletin", "texto", "Texto a buscar", "Consultar"),
        written("/catalogo", "q", "Autor, título o materia", "Buscar en el catálogo", method="post"),
    ],
    "it": [
        written("/catalogo", "q", "Cosa stai cercando?", "Cerca"),
        written("/normativa", "testo", "Parole nel testo", "Trova"),
        written("/archivio", "chiave", "", "Cerca nell'archivio", label="Parola chiave", method="post"),
        written("/opere", "titolo", "Titolo o autore", "Vai alla ricerca"),
    ],
    "pt": [
        written("/acervo", "termo", "O que você procura?", "Buscar"),
        written("/legislacao", "ementa", "Palavras da ementa", "Pesquisar", method="post"),
        written("/biblioteca", "q", "Título, autor ou assunto", "Procurar"),
    ],
    "nl": [
        written("/collectie", "term", "Waar ben je naar op zoek?", "Zoeken"),
        written("/uitspraken", "tekst", "Zoek in uitspraken", "Zoek uitspraken", method="post"),
        written("/vacatures", "functie", "Functie of trefwoord", "Vind vacatures"),
    ],
    "pl": [
        written("/zbiory", "fraza", "Czego szukasz?", "Szukaj"),
        written("/orzeczenia", "tresc", "Treść orzeczenia", "Szukaj orzeczeń", method="post"),
        written("/katalog", "fraza", "Tytuł, autor, temat", "Znajdź"),
    ],
    "tr": [
        written("/koleksiyon", "kelime", "Ne aramıştınız?", "Ara"),
        written("/kararlar", "metin", "Karar metninde ara", "Kararları Ara", method="post"),
        written("/katalog", "q", "Eser adı, yazar, konu", "Bul"),
    ],
    "ru": [
        written("/fond", "text", "Что вы ищете?", "Найти"),
        written("/resheniya", "q", "Текст решения", "Искать", method="post"),
    ],
    "ar": [
        written("/collection", "q", "عمَّ تبحث؟", "بحث"),
        written("/ahkam", "text", "ابحث في نص الحكم", "ابحث", method="post"),
        written("/catalog", "kw", "العنوان أو المؤلف", "بحث في الفهرس"),
    ],
    "zh": [
        written("/cangpin", "kw", "您想找什么？", "搜索"),
        written("/panjue", "text", "全文检索", "检 索", method="post"),
        written("/mulu", "q", "书名、作者或主题", "查找"),
    ],
    "ja": [
        written("/shozo", "w", "何をお探しですか", "検索"),
        written("/hanrei", "text", "判例全文", "検索する", method="post"),
        written("/mokuroku", "q", "書名・著者名・件名", "さがす"),
    ],
    "th": [
        written("/khlang", "q", "คุณกำลังมองหาอะไร", "ค้นหา"),
        written("/khadi", "text", "ค้นหาคำพิพากษา", "ค้นหา", method="post"),
        written("/nangsue", "kw", "ชื่อเรื่อง ผู้แต่ง หรือหัวเรื่อง", "สืบค้น"),
    ],
    "sv": [
        written("/samling", "fraga", "Vad letar du efter?", "Sök"),
        written("/domar", "text", "Sök i avgöranden", "Sök avgöranden", method="post"),
        written("/katalog", "q", "Titel, författare, ämne", "Visa träffar"),
    ],
    "da": [
        written("/samling", "tekst", "Hvad leder du efter?", "Søg"),
        written("/afgoerelser", "ord", "Fritekst", "Søg afgørelser", method="post"),
        written("/katalog", "q", "Titel, forfatter, emne", "Find"),
    ],
    "no": [
        written("/samling", "tekst", "Hva leter du etter?", "Søk"),
        written("/dommer", "ord", "Søk i avgjørelser", "Søk", method="post"),
        written("/katalog", "q", "Tittel, forfatter, emne", "Finn"),
    ],
    "fi": [
        written("/kokoelma", "teksti", "Mitä etsit?", "Hae"),
        written("/ratkaisut", "sana", "Hakusana", "Hae ratkaisuja", method="post"),
        written("/luettelo", "q", "Nimeke, tekijä tai aihe", "Etsi"),
    ],
    "cs": [
        written("/sbirky", "vyraz", "Co hledáte?", "Hledat"),
        written("/judikatura", "text", "Text rozhodnutí", "Vyhledat", method="post"),
        written("/katalog", "q", "Název, autor, téma", "Najít knihy"),
    ],
    "hu": [
        written("/gyujtemeny", "kifejezes", "Mit keres?", "Keresés"),
        written("/hatarozatok", "szoveg", "Keresés a határozatokban", "Keresés indítása", method="post"),
        written("/katalogus", "q", "Cím, szerző, téma", "Keresés"),
    ],
    "ro": [
        written("/colectii", "termen", "Ce căutați?", "Caută"),
        written("/hotarari", "text", "Caută în hotărâri", "Căutare", method="post"),
        written("/catalog", "q", "Titlu, autor, subiect", "Găsește"),
    ],
    "el": [
        written("/syllogi", "oros", "Τι ψάχνετε;", "Αναζήτηση"),
        written("/apofaseis", "keimeno", "Αναζήτηση στις αποφάσεις", "Αναζήτηση", method="post"),
        written("/katalogos", "q", "Τίτλος, συγγραφέας, θέμα", "Εύρεση"),
    ],
    "uk": [
        written("/fondy", "slovo", "Що ви шукаєте?", "Знайти"),
        written("/rishennia", "text", "Контекст рішення", "Пошук", method="post"),
        written("/kataloh", "q", "Назва, автор або тема", "Шукати"),
    ],
    "bg": [
        written("/kolekcia", "duma", "Какво търсите?", "Търси"),
        written("/reshenia", "text", "Търсене в актовете", "Търсене", method="post"),
        written("/katalog", "q", "Заглавие, автор, тема", "Намери"),
    ],
    "he": [
        written("/osef", "q", "מה אתם מחפשים?", "חיפוש"),
        written("/piske-din", "text", "חיפוש בפסקי דין", "חפש", method="post"),
        written("/katalog", "kw", "כותר, מחבר או נושא", "חפש"),
    ],
    "fa": [
        written("/majmue", "q", "به دنبال چه می‌گردید؟", "جستجو"),
        written("/ara", "matn", "جستجو در آرا", "جستجو", method="post"),
        written("/fehrest", "kw", "عنوان، نویسنده یا موضوع", "بیاب"),
    ],
    "hi": [
        written("/sangrah", "q", "आप क्या खोज रहे हैं?", "खोजें"),
        written("/nirnay", "text", "निर्णय में खोजें", "खोजें", method="post"),
        written("/suchi", "kw", "शीर्षक, लेखक या विषय", "ढूंढें"),
    ],
    "ko": [
        written("/sojang", "q", "무엇을 찾으시나요?", "검 색"),
        written("/pangyeol", "text", "판결문 검색", "검색", method="post"),
        written("/mokrok", "kw", "제목, 저자, 주제", "찾기"),
    ],
    "vi": [
        written("/bo-suu-tap", "q", "Bạn đang tìm gì?", "Tìm"),
        written("/ban-an", "text", "Tìm trong bản án", "Tìm kiếm", method="post"),
        written("/thu-muc", "kw", "Nhan đề, tác giả, chủ đề", "Tra cứu"),
    ],
    "id": [
        written("/koleksi", "q", "Apa yang Anda cari?", "Cari"),
        written("/putusan", "teks", "Cari putusan", "Cari", method="post"),
        written("/katalog", "kw", "Judul, pengarang, subjek", "Temukan"),
    ],
}

NOT_UNDERSTOOD = {
    "en": [
        written("/collections/", "term", "Explore 2 million objects", "Explore"),
        written("/cgi-bin/man.cgi", "query", "", "man", label="Man page or keyword"),
    ],
    "fr": [
        written(
            "/offres",
            "q",
            "Métier, compétence",
            "Voir les offres",
            extra='<input name=lieu placeholder="Ville ou département">',
        )
    ],
    "es": [written("/empleo", "puesto", "Puesto o empresa", "Ver ofertas")],
    "ru": [written("/katalog", "slovo", "Название, автор или тема", "Показать")],
}
"""Searches that no word distinguishes from forms that show or do something else: a user has to allow them."""

HARMFUL = {
    "en": [
        written("/go", "q", "Enter your handle", "Follow"),
        written("/list", "q", "Where should we send it?", "Count me in"),
        written("/find", "q", "Search", "Search & replace"),
        written("/search", "q", "", "Flush"),
        written("/s", "k", "Card number", "Check balance"),
        written("/search", "q", "Search", "Search", extra="<input type=hidden name=mode value=delete_all>"),
        written("/q", "q", "Give it a name", "Create"),
        written("/x", "s", "", "Snooze"),
        written("/deploy", "q", "Branch", "Deploy"),
    ],
    "de": [
        written("/go", "q", "Ihr Name", "Mitmachen"),
        written("/suche", "q", "Suche", "Suche abonnieren"),
        written("/k", "q", "Kundennummer", "Kündigen"),
        written("/suche", "q", "Zählerstand", "Übermitteln"),
    ],
    "fr": [
        written("/go", "q", "Votre pseudo", "Rejoindre"),
        written("/recherche", "q", "Recherche", "Sauver cette recherche"),
        written("/r", "q", "Motif", "Résilier"),
    ],
    "es": [
        written("/go", "q", "Tu nombre", "Apuntarme"),
        written("/b", "q", "", "Dar de baja"),
        written("/buscar", "q", "Buscar", "Guardar y avisarme"),
    ],
    "it": [
        written("/go", "q", "Il tuo nome", "Partecipa"),
        written("/c", "q", "", "Disdici"),
        written("/cerca", "q", "Cerca", "Cerca e cancella"),
    ],
    "pt": [
        written("/go", "q", "Seu nome", "Quero participar"),
        written("/c", "q", "", "Cancelar assinatura"),
    ],
    "nl": [written("/go", "q", "Je naam", "Doe mee"), written("/z", "q", "", "Opzeggen")],
    "pl": [written("/go", "q", "Twoje imię", "Weź udział"), written("/s", "q", "", "Wypisz mnie")],
    "tr": [written("/go", "q", "Adınız", "Katıl"), written("/a", "q", "", "Üyeliği sil")],
    "ru": [written("/go", "q", "Ваше имя", "Участвовать"), written("/p", "q", "", "Отменить подписку")],
    "ar": [written("/go", "q", "اسمك", "انضم"), written("/b", "q", "", "إلغاء الاشتراك")],
    "zh": [written("/go", "q", "您的名字", "参加"), written("/s", "q", "", "退 订")],
    "ja": [written("/go", "q", "お名前", "応募"), written("/s", "q", "", "配信停止")],
    "th": [written("/go", "q", "ชื่อของคุณ", "เข้าร่วม"), written("/s", "q", "", "ยกเลิก")],
    "sv": [
        written("/go", "q", "Ditt namn", "Gå med"),
        written("/s", "q", "", "Säg upp"),
        written("/sok", "q", "Sök", "Bevaka sökning"),
    ],
    "da": [
        written("/go", "q", "Dit navn", "Deltag"),
        written("/s", "q", "", "Afmeld"),
        written("/soeg", "q", "Søg", "Gem søgning"),
    ],
    "no": [
        written("/go", "q", "Ditt navn", "Bli med"),
        written("/s", "q", "", "Meld meg av"),
        written("/sok", "q", "Søk", "Lagre søk"),
    ],
    "fi": [
        written("/go", "q", "Nimesi", "Osallistu"),
        written("/s", "q", "", "Peruuta tilaus"),
        written("/haku", "q", "Haku", "Tallenna haku"),
    ],
    "cs": [
        written("/go", "q", "Vaše jméno", "Zapojit se"),
        written("/s", "q", "", "Odhlásit"),
        written("/hledani", "q", "Hledat", "Uložit hledání"),
    ],
    "hu": [
        written("/go", "q", "Az Ön neve", "Részt veszek"),
        written("/s", "q", "", "Leiratkozás"),
        written("/kereses", "q", "Keresés", "Keresés mentése"),
    ],
    "ro": [
        written("/go", "q", "Numele dvs.", "Participă"),
        written("/s", "q", "", "Dezabonare"),
        written("/cauta", "q", "Caută", "Salvează căutarea"),
    ],
    "el": [
        written("/go", "q", "Το όνομά σας", "Συμμετοχή"),
        written("/s", "q", "", "Διαγραφή"),
        written("/anazitisi", "q", "Αναζήτηση", "Αποθήκευση αναζήτησης"),
    ],
    "uk": [
        written("/go", "q", "Ваше ім'я", "Взяти участь"),
        written("/s", "q", "", "Відписатися"),
        written("/poshuk", "q", "Пошук", "Зберегти пошук"),
    ],
    "bg": [
        written("/go", "q", "Вашето име", "Участвай"),
        written("/s", "q", "", "Отписване"),
        written("/t", "q", "Търсене", "Запази търсенето"),
    ],
    "he": [
        written("/go", "q", "שמך", "הצטרף"),
        written("/s", "q", "", "הסר אותי"),
        written("/hipus", "q", "חיפוש", "שמור חיפוש"),
    ],
    "fa": [
        written("/go", "q", "نام شما", "شرکت کنید"),
        written("/s", "q", "", "لغو عضویت"),
        written("/j", "q", "جستجو", "ذخیره جستجو"),
    ],
    "hi": [
        written("/go", "q", "आपका नाम", "भाग लें"),
        written("/s", "q", "", "सदस्यता समाप्त करें"),
        written("/k", "q", "खोज", "खोज सहेजें"),
    ],
    "ko": [
        written("/go", "q", "이름", "참여하기"),
        written("/s", "q", "", "탈 퇴"),
        written("/g", "q", "검색", "검색 저장"),
    ],
    "vi": [
        written("/go", "q", "Tên của bạn", "Tham gia"),
        written("/s", "q", "", "Hủy đăng ký"),
        written("/t", "q", "Tìm kiếm", "Lưu tìm kiếm"),
    ],
    "id": [
        written("/go", "q", "Nama Anda", "Ikut serta"),
        written("/s", "q", "", "Berhenti berlangganan"),
        written("/c", "q", "Cari", "Simpan pencarian"),
    ],
}


def _each(forms: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, source) for language, own in forms.items() for source in own]


@pytest.mark.parametrize(("language", "source"), _each(SEARCHES))
def test_a_search_is_submitted_in_its_language(language: str, source: str) -> None:
    assert judge_form(form_of(source, language), allow_post=True).refusals == ()


@pytest.mark.parametrize(("language", "source"), _each(HARMFUL))
def test_what_does_something_is_not_submitted_in_its_language(language: str, source: str) -> None:
    assert not judge_form(form_of(source, language), allow_post=True).may_submit


@pytest.mark.parametrize(("language", "source"), _each(NOT_UNDERSTOOD))
def test_what_says_nothing_of_searching_is_not_submitted_for_that_alone(language: str, source: str) -> None:
    refusals = judge_form(form_of(source, language), allow_post=True).refusals

    assert refusals
    assert all(
        "searches" in why or "not a search" in why or "no known word for searching" in why for why in refusals
    )
