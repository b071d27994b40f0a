"""The words by which people recognise what a form is for, in the languages we know.

Each purpose has one text of patterns, a line for each language: en de fr es it pt nl pl tr ru ar zh ja th. A pattern is a
word, a beginning of words (`abonn*`) or a phrase (`add to`, written `add_to`); in scripts without spaces it is any part of
the text. Everything is compared folded: lower case, no accents, `ß` as `ss`, `ı` as `i`, no soft hyphens, `查 询` as `查询`. Words are looked up,
not searched for: a text costs a few dictionary look-ups a word, however many patterns there are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LETTERS = "(?:[^\\W_]|[\u0900-\u0963\u0966-\u0dff])+"  # in India with their signs for vowels
_TOKEN = re.compile(rf"{_LETTERS}|\|")
_HUMP, _NAME = re.compile(r"(?<=[a-z])(?=[A-Z])"), re.compile(r"[^\W\d_]+")
_PATTERN = re.compile(rf"{_LETTERS}\*?")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_SPACED_OUT = re.compile(
    "(?<![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])((?:[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3][ \u00a0\u3000]+)+"
    "[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])"
)
"""A word of two signs or more with spaces between them, as buttons show it: 查 询."""

_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0655\u0640]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_PLAIN_LETTERS = str.maketrans(
    {"ı": "i", "ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h"}
)
_ARTICLE = re.compile("(?:[وفبلك]?ال|لل|[وفبلك])(?=\\w{2})")  # what Arabic writes together with the next word

_OWNER = re.compile("(?<=\\w{3})(?:كم|ها|هم|نا|[كهي])$")  # and what it writes together with the word before
_MOST_ARTICLES = 2
_LONGEST = 4_000  # characters that are looked at: nobody needs more to say what a form is for
_LONGEST_NAME = 300


class PhraseMatcher:
    """Patterns of several purposes, and a quick way to find the first of them in a text."""

    def __init__(self, purposes: Mapping[str, str]) -> None:
        self._words: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._beginnings: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._unspaced: dict[str, list[str]] = {}
        for purpose, patterns in purposes.items():
            for pattern in map(folded, patterns.split()):
                if _UNSPACED.search(pattern):
                    self._unspaced.setdefault(pattern.removesuffix("*"), []).append(purpose)
                else:
                    self._add(tuple(_PATTERN.findall(pattern)), purpose)
        self._make_ready()

    @classmethod
    def joined(cls, *vocabularies: PhraseMatcher) -> PhraseMatcher:
        """Return a vocabulary with the patterns of several; what they have in common has all its purposes."""
        joined = cls({})
        for vocabulary in vocabularies:
            for ours, theirs in (
                (joined._words, vocabulary._words),
                (joined._beginnings, vocabulary._beginnings),
            ):
                for first, patterns in theirs.items():
                    ours.setdefault(first, []).extend(patterns)
            for pattern, purposes in vocabulary._unspaced.items():
                joined._unspaced.setdefault(pattern, []).extend(purposes)
        joined._make_ready()
        return joined

    def find(self, text: str) -> tuple[str, str] | None:
        """Return the purpose of the first pattern found in a text, and the words that say so; `|` ends a phrase."""
        text = folded(text)
        if _UNSPACED.search(text) and (found := self._unspaced_pattern.search(text)):
            return self._unspaced[found[0]][0], found[0]
        tokens = _TOKEN.findall(text)
        for at, token in enumerate(tokens):
            for rest, purpose in self._remembered(token):
                if not rest or _follow(tokens, at + 1, rest):
                    return purpose, " ".join(tokens[at : at + 1 + len(rest)])
        return None

    def longest_in(self, text: str) -> str:
        """Return the most words of a text that one pattern names, the first of equals, or nothing: "los geht's", not "los"."""
        tokens = _TOKEN.findall(folded(text))
        named = (
            " ".join(tokens[at : at + 1 + len(rest)])
            for at, token in enumerate(tokens)
            for rest, _ in self._remembered(token)
            if not rest or _follow(tokens, at + 1, rest)
        )
        return max(named, key=len, default="") or self.word_in(text)

    def word_in(self, text: str) -> str:
        """Return the first words of a text that a pattern names, or nothing."""
        found = self.find(text)
        return found[1] if found else ""

    def all_in(self, text: str) -> dict[str, str]:
        """Return every purpose that a text names, in their order, with the first words that say so."""
        text = folded(text)
        said: dict[str, str] = {}
        if _UNSPACED.search(text):
            for found in self._unspaced_pattern.finditer(text):
                for purpose in self._unspaced[found[0]]:
                    said.setdefault(purpose, found[0])
        tokens = _TOKEN.findall(text)
        for at, token in enumerate(tokens):
            for rest, purpose in self._remembered(token):
                if purpose not in said and (not rest or _follow(tokens, at + 1, rest)):
                    said[purpose] = " ".join(tokens[at : at + 1 + len(rest)])
        return said

    def _make_ready(self) -> None:
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})
        self._unspaced_pattern = re.compile(
            "|".join(map(re.escape, sorted(self._unspaced, key=len, reverse=True))) or r"(?!)"
        )
        self._remembered = lru_cache(maxsize=16_384)(lambda token: tuple(self._starting_with(token)))

    def _add(self, tokens: tuple[str, ...], purpose: str) -> None:
        first, rest = tokens[0], tokens[1:]
        index = self._beginnings if first.endswith("*") else self._words
        index.setdefault(first.removesuffix("*"), []).append((rest, purpose))

    def _starting_with(self, token: str, articles: int = 0) -> Iterator[tuple[tuple[str, ...], str]]:
        yield from self._words.get(token, ())
        for length in self._lengths:
            if length > len(token):
                break
            yield from self._beginnings.get(token[:length], ())
        if token >= "\u0600" and articles < _MOST_ARTICLES:
            if article := _ARTICLE.match(token):
                yield from self._starting_with(token[article.end() :], articles + 1)
            if owner := _OWNER.search(token):
                yield from self._words.get(token[: owner.start()], ())


def identifier_words(identifier: str) -> str:
    """Return the words of a name made for machines.

    >>> identifier_words("addToCart_2[item-id]"), identifier_words("ctl00$Main$btnSearch")
    ('add To Cart item id', 'ctl Main btn Search')
    """
    return _words_of_name(identifier[:_LONGEST_NAME])


@lru_cache(maxsize=16_384)
def _words_of_name(identifier: str) -> str:
    return " ".join(_NAME.findall(_HUMP.sub(" ", identifier)))


def folded(text: str) -> str:
    """Return a text, or the beginning of a long one, as it is compared: lower case, without accents."""
    return _folded(text[:_LONGEST])


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().translate(_PLAIN_LETTERS)
    text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))
    return _SPACED_OUT.sub(lambda spaced: "".join(spaced[0].split()), text)


def _follow(tokens: list[str], at: int, wanted: tuple[str, ...]) -> bool:
    """Say whether words, or words with these beginnings, stand at a place."""
    if at + len(wanted) > len(tokens):
        return False
    return all(
        token.startswith(want[:-1]) if want.endswith("*") else token == want
        for token, want in zip(tokens[at:], wanted, strict=False)
    )


_WELL_KNOWN_SEARCH = PhraseMatcher(
    {
        "search": """
search* find finder lookup look_up looking_for query keyword* searchterm* browse seek
rezeptsuche* produktsuche* artikelsuche* jobsuche* stellensuche* volltextsuche* personensuche* detailsuche* websuche* bildersuche* ortssuche* ortsuche* handlersuche* haendlersuche* filialsuche* standortsuche* schnellsuche* themensuche* seitensuche* katalogsuche* archivsuche* buchsuche* mediensuche* expertensuche* arztsuche* arztesuche* kurssuche* terminsuche* veranstaltungssuche* hotelsuche* reisesuche* immobiliensuche* wohnungssuche* fahrzeugsuche* autosuche* umkreissuche* adresssuche* namenssuche* firmensuche* branchensuche* textsuche* wortsuche* shopsuche* onlinesuche* profisuche* freitextsuche* such* durchsuch* aufsuch* nachschlag* finde finden stichwort* schlagwort* stobern volltext*
recherch* cherch* rechercher consulter trouver mot*_cle* mots-cles trouvez
busca* busqued* buscador encontrar encuentr* encontr* palabra*_clave* consulta*
cerca cercare cercando cercate cercato cerch* ricerca* trova trovare parol*_chiave
busca* pesquis* procurar procura procure procuro procurando palavra*_chave* localizar
zoek* vind vinden trefwoord*
szuka* wyszuk* odszuk* znajdz slow*_kluczow* przeszukaj* poszuk*
ara arama* aramis* ariyor* aradig* aranan aranacak bul bulun tara tarama taramasi anahtar_kelime* sorgu* sorgula*
поиск* искать найти найд* ищ* разыск* ключев*_слов* запрос запроса запросу запросы
بحث ابحث البحث للبحث بحث* تبحث* ابحثي ابحثوا اعثر استعلام استعلم كلم*_مفتاحي* كلم*_البحث
搜索 搜尋 搜寻 搜 检索 檢索 查找 查询 查詢 关键词 關鍵字 关键字 搜一下 查一查
検索 探す さがす 探し サーチ キーワード 調べる
ค้นหา ค้น คำค้น คำสำคัญ สืบค้น หางาน หาบ้าน หารถ หาที่ หาเลย หาดู หาข้อมูล
loupe magnifier magnifying_glass loupensymbol lupensymbol icono_de_lupa icono_lupa icone_lupa lente_di_ingrandimento vergrootglas подобрать 找 寻找 尋找 見つける 見つけ zoekopdracht* cherchons busquemos entdecken
"""
    }
)

FURTHER_SEARCH = PhraseMatcher(
    {
        "search": """
nyckelord* nokkelord* nogleord* emneord* amnesord* atrast atrodi βρες βρειτε troba trobar جستوجو* temukan بیاب بیابید یافتن پیدا_کن* tim_trong tim_theo tim_kiem* tim_thay ban_tim dang_tim_gi
hledate hledas hledany* hledam klicov*_slov* klucov*_slov* cauti cautati cautam cuvant*_cheie cuvint*_cheie cuvinte_cheie kljucn*_rijec* kljucn*_besed* kljucn*_rec*
iscete isces iscem otsid otsite otsim marksona* meklej* meklesan* atslegvard* raktazod* ieskau paraul*_clau busques busqueu cercant cercau dang_tim tim_gi can_tim
etsitte haluat_etsia letar soker leter sokte keresel keresitek λεξη_κλειδι ключов*_слов* кључн*_реч* клучн*_збор* ключавое_слова търсят
מחפש* מילת_מפתח מילות_מפתח מילת_חיפוש کلیدواژه* کلمه_کلیدی کلمات_کلیدی میگردید میگردی कीवर्ड* 찾으* 찾고* 찾는* 키워드*
sok soka sokning sokord* hitta søg søg* søk søk* finn hae haku hakusana* etsi etsin* leita leit*
hledat hledej* hledan* vyhled* najit hladat* hladaj* vyhlad* najst keres kereses* kereso* keresd keressen keresek keresett keresni cauta* gaseste traz* pretraz* pretrag* nadi isci* iskanje
poisci najdi ieskot* paieska rasti meklet* mekle leder_du leter_du letar_du lede_efter etsit otsi otsing* leia kerko* axtar* cercar cerca bilatu cuardaigh chwilio soek*
αναζητηση αναζητηστε ψαξ* ψαχν* ευρεση λεξ*_κλειδ* пошук* шука* знайти знайд* търс* намери ключов*_дум* тражи* претраж* претраг* барај* пребар* іздеу* шукац*
חפש חיפוש חפשו לחפש מצא جستجو جستجوی* جست_وجو تلاش_کریں खोज* ढूंढ* অনুসন্ধান* খোঁজ* 검색* 찾기 찾아* tim_kiem tu_khoa tra_cuu tra_tu tim_viec tim_nha tim_sach cari pencarian mencari carian kata_kunci telusuri tafuta kulcsszo* 조회* איתור לאתר מילות_חיפוש որոնել* ძებნა* தேடு* தேடல்*
"""
    }
)

SEARCH = PhraseMatcher.joined(_WELL_KNOWN_SEARCH, FURTHER_SEARCH)


def speaks_further_language(text: str) -> bool:
    """Say whether a text speaks of searching in a language beyond the fourteen, and in none of these."""
    return bool(FURTHER_SEARCH.word_in(text)) and not _WELL_KNOWN_SEARCH.word_in(text)


GO = PhraseMatcher(
    {
        "search": """
go ok okay submit show los anzeigen weiter aller valider ir vai invia ok ga idz pokaz git goster вперед показать
اذهب عرض انطلق 前往 确定 行く 表示 ไป ตกลง แสดง
run execute check ausfuhren executer ejecutar esegui executar uitvoeren wykonaj sprawdz calistir выполнить проверить تنفيذ انتقال نفذ 执行 執行 実行 移動 確認 ดำเนินการ
view view_results show_results display filter filtern refine update_results afficher mostrar ver visualizza mostra filtra filtrar toon bekijk zobacz wyswietl
next continue start begin proceed gehe starten lancer y_aller suivant continuer adelante siguiente continuar avanti procedi seguinte avancar
volgende verder dalej przejdz nastepny ilerle devam basla* перейти далее начать вперёд التالي متابعة انتقل تابع ابدا 下一步 继续 开始 次へ 進む 開始 ถัดไป ต่อไป เริ่ม
fetch get_results abrufen see_results los_geht's los_gehts let's_go c'est_parti
ergebnisse_anzeigen voir_les_resultats ver_resultados filtrele listele фильтр* применить تصفية 显示 查看 筛选 絞り込* 一覧 กรอง enter
        jatka siirry jdi prejit prejst pokracovat mehet tovabb continua mergi nastavi kreni pojdi naprej vis visa nayta zobrazit mutat afiseaza prikazi εμφανιση προβολη συνεχεια μεταβαση показати далі перейти покажи напред прикажи
        הצג המשך עבור نمایش ادامه برو देखें दिखाएं दिखाएँ आगे_बढ़ें 보기 이동 확인 다음 xem hien_thi tiep_tuc tampilkan lihat lanjut lanjutkan naita kuva edasi radit turpinat rodyti toliau mostra endavant
"""
    }
)

# Of these, what sends a message as well; and what sends whatever was written, and says no more.
SENDING = PhraseMatcher(
    {
        "sending": """
        submit enter valider invia continue continuer continuar weiter 确定 提交 確認 実行
        send senden absenden abschicken envoyer soumettre enviar mandar inviare verstuur versturen verzend verzenden indienen wyslij przeslij gonder*
        отправить послать ارسال ارسل 发送 發送 送出 送信 ส่ง
        skicka laheta odeslat odoslat kuldes elkuld bekuldes trimite posalji poslji saada αποστολη υποβολη надіслати відправити изпрати שלח भेजें 보내기 전송 gui kirim
    """
    }
)

# What a button says that shows what was chosen. It may name what it shows.
DISPLAY = PhraseMatcher(
    {
        "display": """
        show view display list filter browse explore discover see_results see_matches see_all
        anzeigen zeigen zeige filtern auflisten
        afficher voir filtrer lister
        mostrar ver filtrar listar
        mostra visualizza vedi filtra elenca
        exibir mostrar ver filtrar
        toon tonen bekijk filter*
        pokaz wyswietl zobacz filtruj
        goster* listele* filtrele* goruntule*
        показать посмотреть отобразить фильтр*
        عرض اعرض تصفية نمایش
        显示 查看 筛选 浏览 顯示
        表示 絞り込* 一覧
        แสดง ดู กรอง
        visa vis nayta zobrazit zobraz filtrovat mutat* szures* szurd listaz* afiseaza arata prikazi prikaz εμφανιση προβολη показати покажи прикажи 보기 hien_thi xem tampilkan lihat הצג देखें दिखाएं दिखाएँ
        filtrera filtrer suodata filtruj filtreaza filtriraj filtreeri filtret filtruoti φιλτραρισμα фільтрувати филтрирай филтрирај סנן فیلتر फ़िल्टर फिल्टर 필터* loc saring kuva naita rodyti radit syna mostra veure
    """
    }
)

# What a search brings. A button that shows it searches.
RESULTS = PhraseMatcher(
    {
        "results": """
        result* match matches hits treffer ergebnis* resultat* resultad* risultat* wynik* sonuc* результат* نتائج 结果 結果 ผลลัพธ์ traffar treff
        osumat tulokset vysledk* vysledok talalat* rezultat* αποτελεσμα* резултат* תוצאות نتایج परिणाम 결과* ket_qua hasil
    """
    }
)

# The whole text of a button that takes over what was chosen.
APPLY = PhraseMatcher(
    {
        "apply": "apply apply_filter apply_filters anwenden appliquer aplicar applica toepassen zastosuj uygula применить تطبيق 应用 套用 適用 mehet hajra"
    }
)

# What catalogues are searched by, in languages beyond the fourteen.
THINGS = PhraseMatcher(
    {
        "thing": """
        titel forfattare forfatter amne emne nimeke tekija aihe nazev nazov autor tema temata cim szerzo targy temakor titlu subiect naslov
        τιτλο* συγγραφ* θεμα* назва автор* тема заглавие כותר כותרת מחבר נושא عنوان نویسنده موضوع शीर्षक लेखक विषय पुस्तक 제목* 저자* 주제* 서명*
        navn namn nimi jmeno meno nev nume denumire* ime naziv ονομα ονομασια επωνυμια име назив ім'я наименование найменування שם نام नाम 이름* 명칭* ten nama nom nosaukum* pavadinim*
        tittel otsikko* pealkiri nimetus наслов ιδιοτητα 도서명* 책이름* ten_sach judul_buku virsrakst* antraste*
        nyckelord* nokkelord* nogleord* emneord* amnesord* fritext* fritekst* asiasan* raktazodziai maksaso marksona* paraules_clau
        forfattare avtor* autors autorius autori аутор* upphovsman opphav* sastavljac*
        foretag* firma firmy firme firma_nazev firme_ime virksomhed* bedrift* yritys yrityks* yhtio* spolecnost* spolocnost* podnik* ceg cegnev* vallalat* companie societate
        tvrtk* poduzec* podjetj* ettevo* uznemum* imon* empresa empreses εταιρει* επιχειρησ* компан* підприємств* фирм* фірм* предузе* חברה חברות עסק شرکت* कंपनी 회사* 업체* 상호*
        cong_ty doanh_nghiep perusahaan organisation* organisaatio* organizac* szervezet* organizatie organizacij* οργανισμ* організац* организац*
        kategori* kateqori* luokka luokat kategoria* kategorie* categorie kategorij* κατηγορι* категор* קטגוריה دسته* श्रेणी 카테고리* 분류* danh_muc phan_loai
        typ type tyyppi tipus* tip tipo vrsta vrst* ειδος τυπος тип вид סוג نوع प्रकार 종류* 유형* loai jenis slag sort art laji druh druhu faj specie rod liik suga rusis
        marke merke maerke merkki znack* marka marca brand* μαρκα марка מותג برند ब्रांड 브랜드* thuong_hieu hang merek modell* model* malli μοντελο модел* דגם مدل मॉडल 모델*
        forlag* kustantaj* nakladatel* vydavatel* vydavatelstv* kiado editura izdavac zaloznik kirjastus izdevejs leidykla editorial εκδοτ* видавництв* издател* издавач* הוצאה ناشر प्रकाशक 출판사* nha_xuat_ban penerbit
        yrke stilling* stillingar ammatti* profes* povolan* zanimanj* poklic* foglalkozas* meserie functie επαγγελμα професі* професи* занимањ* מקצוע شغل पेशा 직업* 직종* nghe_nghiep pekerjaan tyotehtav* munkakor*
        obor odbor oboru studij* ala szak specializar* specialit* ειδικοτητα спеціальн* специалн* תחום رشته विषय_क्षेत्र 전공* chuyen_nganh jurusan bidang
        kurs* kurz* kurssi* tanfolyam* tecaj* curs cursuri μαθημα* курс* קורס درس पाठ्यक्रम 강좌* 과목* khoa_hoc mon_hoc kursus skola skole koulu* iskol* scoala skol* kool σχολ* школ* училищ* בית_ספר مدرسه دانشگاه विद्यालय 학교* truong sekolah
        beskriv* kuvaus* popis* leiras* descriere opis* kirjeldus apraksts aprasym* descripcio περιγραφ* опис* описани* תיאור توضیحات شرح विवरण 설명* mo_ta deskripsi keterangan
        tillverkar* fabrikant* produsent* producent* valmistaj* vyrobc* gyarto* producator* proizvodac* proizvajalec tootja razotajs gamintojas fabricant κατασκευαστ* виробник* производител* произвођач* יצרן سازنده निर्माता 제조사* nha_san_xuat produsen
        gata gade gate katu ulica ulice utca strada tanav iela gatve carrer οδος вулиц* улиц* רחוב خیابان सड़क 도로명* duong jalan fylke lan region* kraj krai okres zupanij* maakunta megye judete областi
        zbirk* sbirk* gyujtemen* kokoelm* samling* colectie kogu kolekcij* συλλογ* колекці* колекци* אוסף مجموعه संग्रह 소장* bo_suu_tap koleksi
        fran till til alkaen asti mettol meddig de_la pana_la απο εως μεχρι від до от מתאריך עד_תאריך از_تاریخ تا_تاریخ से तक 시작* 종료* 부터 까지 tu_ngay den_ngay dari_tanggal sampai_tanggal alates kuni lidz nuo iki
        od do ot datum dato data paiva* paivamaara* datums kuupaev dat datuma ημερομηνι* дата дати датата תאריך تاریخ तारीख दिनांक 날짜* 일자* 기간* ngay tanggal period* obdobi obdobie idoszak perioada razdoblje obdobje διαστημα період*
        ar arstal artal vuosi vuosiluku rok roku ev an anul godina leto ετος χρονολογι* рік року година год שנה سال वर्ष साल 연도* 년도* nam tahun aasta gads metai any
        otsisona haetav* hledany_vyraz hladany_vyraz barang siswa mahasiswa pegawai guru dosen anggota ten_hang ten_san_pham vard* filter* filtr* suodat* szur* φιλτρ* фільтр* סינון فیلتر फ़िल्टर 필터* loc saring
        nhan_de tieu_de tac_gia chu_de judul pengarang subjek titol
        text* ord ordet uttryck fritekst sana sanat teksti vyraz* slovo slova pojem pojm* szo szoveg* szavak kifejezes* cuvant cuvinte expresie termen
        pojam pojma rijec* rec reci tekst* izraz* niz beseda besede sona tekst teksts vards zodis zodziai frazė fraze* λεξ* κειμεν* ορο* φρασ*
        слово слова слів словах контекст* текст* тексті фраз* вираз* дума думи израз* реч речи збор зборови מילה מילים טקסט ביטוי واژه واژگان متن عبارت शब्द पाठ 단어* 내용* 본문*
        tu cum_tu noi_dung kata teks frasa mot_del paraula paraules
        ort kommun plats omrade sted kommune by paikkakunta kunta alue mesto obec obce lokalita misto telepules* hely* varos* localitate oras judet
        mjesto grad opcina kraj obcina koht linn vald vieta pilseta vietove miestas περιοχ* πολη* τοποθεσ* νομο* місто області область район* населен*_пункт*
        град община עיר אזור יישוב شهر منطقه استان शहर स्थान 지역* 지점* 주소* 도시* thanh_pho dia_diem tinh kota lokasi wilayah ciutat poblacio municipi
        produkt* vara varor varer tuote tuotteet tovar zbozi termek* produs* proizvod* izdelek toode προιον* товар* продукт* מוצר* محصول* उत्पाद 상품* 제품* san_pham produk
    """
    }
)

# What may stand beside a word for searching on a button.
HARMLESS = PhraseMatcher(
    {
        "harmless": """
        results result matches match hits entries list items treffer ergebnis* resultat* resultad* risultat* wynik* sonuc* результат* النتائج 结果 結果 ผลลัพธ์
        perform do make launch durchfuhren effectuer faire realizar hacer efectuar fare eseguire wykonaj yap провести اجراء إجراء 进行 進行 する ทำ
        maintenant adesso nu teraz simdi сейчас الان 现在 今すぐ ตอนนี้
        inizia iniziare inicia comenzar empezar comecar commencer demarrer beginnen zacznij uruchom
        hefja pradeti sakt alusta pokreni zazeni покрени пачаць starta borja aloita kaynnista spustit zahajit inditas* inditsa porneste incepe εναρξη почати розпочати започни התחל شروع आغاز 시작* bat_dau mulai
        traff traffar treff treffer osumat vysledk* talalat* rezultat* αποτελεσμα* резултат* תוצאות نتایج परिणाम 결과* ket_qua hasil
        by of on within through durch uber nach von vom zum zur den dem des aus bei ein eine einen l d du au aux par des del al por las los unos
        nel nello nella nell nei negli nelle al alla allo ai agli alle del dello della dell dei degli delle sul sulla sui sulle dal dalla
        nos nas do da dos das ao pelo pela um naar van door een op we po z ze o przez с со из во у за efter blandt blant etter ett den det et en
        podle dle din la de egy το τα τη την της του των στον στην στα με из от със של את از به را
        start begin new now quick advanced simple full basic detailed site website page catalog* collection* archive* library database directory
        here all the for in a an our this again in it
        button icon image icone icono icona ikona ikon icoon symbol bouton boton botao pulsante knop przycisk knapp knap painike tlacitko tlacidlo gomb buton κουμπι кнопка бутон иконка 按钮 ボタン ปุ่ม
        neu neue jetzt schnell* erweitert* einfach* detail* seite katalog* sammlung* archiv* bibliothek* datenbank* hier alle im in der die das
        lancer nouvelle rapide avancee simple site catalogue* collection* archives bibliotheque base_de_donnees ici la le les dans une sur
        iniciar nueva ahora rapida avanzada sitio catalogo* coleccion* archivo* biblioteca aqui la el los en una
        i gli lo avvia nuova ora rapida avanzata semplice sito catalogo* collezion* archivio* biblioteca qui la il nel una
        iniciar nova agora rapida avancada site catalogo* colecao* acervo* biblioteca aqui a o no na uma
        start nieuwe snel uitgebreid site catalogus* collectie* archief* bibliotheek* hier de het in
        rozpocznij nowe zaawansowane szybkie proste strone stronie katalog* kolekcj* archiw* bibliotek* tutaj w na
        baslat yeni hizli gelismis site sitede katalog* arsiv* kutuphane* burada
        начать новый быстрый расширенный простой сайт* каталог* коллекц* архив* библиотек* по на в здесь
        ابدا جديد سريع متقدم الموقع موقع الفهرس الارشيف المكتبة هنا في
        开始 開始 新 快速 高级 高級 站内 本站 全站 馆藏 目录 目錄 图书 立即 网站
        開始 新しい 高度な 詳細 サイト内 サイト カタログ 蔵書 所蔵 図書 ここ
        i pa av bland arkiv* sajten webbplats* sidan alle siden nettsted* kaikki sivusto* v ve na strankach webu archivu katalogu a az oldalon honlapon
        toata in_site-ul site-ul pe toate arhiva po sajtu stranici στο στη σε на по сайті сайту в во каталозі архів* באתר בכל در سایت में 통합* 사이트*
        상세* trong trang di situs semua koleksi katalog ara nova novo nou noua uj nyt nu
        เริ่ม ใหม่ ขั้นสูง เว็บไซต์ ในเว็บไซต์ ในเว็บ แคตตาล็อก ห้องสมุด ที่นี่ เลย
    """
    }
)

# What is searched, beside a word for searching on a button; beside one for sending it would be what is sent.
SEARCHED = PhraseMatcher(
    {
        "searched": """
        product* book* job* event* people hotel* flight* car* home* property properties news article* recipe* movie* film* music video* photo* image*
        forum* blog* web text* keyword* word* phrase* title* author* course* document* publication* company companies term*
        produkt* buch bucher job* stelle* stellenangebot* veranstaltung* person* hotel* flug fluge wohnung* immobilie* nachricht* artikel rezept*
        produit* livre* emploi* offre* evenement* vol vols voiture* bien* immobilier* actualite* article* recette* annonce* un une des du de
        producto* libro* empleo* oferta* evento* vuelo* coche* casa* vivienda* noticia* articulo* receta* un una de del
        prodott* libr* lavoro eventi evento voli volo auto cas* immobil* notizi* articol* ricett* un uno di del
        produto* livro* emprego* vaga* voo* carro* imove* noticia* artigo* receita* um uma de do da
        boek* vacature* evenement* vlucht* huis huizen woning* nieuws artikel* recept*
        produkt* ksiazk* prac* wydarz* lot* mieszka* wiadomosc* artykul* przepis*
        urun* kitap* is etkinlik* ucus* otel* ev ilan* haber* makale*
        товар* книг* работ* ваканс* событи* отел* квартир* новост* стат* рецепт* объявлен*
        منتج* كتاب كتب وظيف* فندق فنادق اخبار
        jobb bil bilar bolig* bocker boger knih* prac* konyv* allas* carti carte locuri produse
    """
    }
)

# What begins a question for something, not for whether or how.
CONTENT_QUESTIONS = PhraseMatcher(
    {
        "question": """
        what which where what's whats
        was welche* wo wohin wonach
        que quoi quel* ou
        que cual* donde adonde
        cosa che quale quali dove
        que qual quais onde
        wat welk* waar waarheen
        co czego jaki* jaka ktor* gdzie
        ne neyi hangi nerede nereye
        что чего какой какая какие какую где куда
        ما ماذا اي اين
        什么 什麼 哪里 哪裡 哪些 哪个
        何 なに どこ どんな どの
        อะไร ที่ไหน ไหน
        vad vilk* var vart hva hvad hvilk* hvor hvorhen mita mika missa minne kde kam mit mely* hol hova ce care unde sto koji gdje kje kaj
        τι ποιο* ποια που що який яка яке де какво кой къде מה איזה איפה چه کدام کجا क्या कौन* कहां कहाँ 무엇* 뭐* 어떤 어디* gi nao dau apa mana
    """
    }
)

# What a box asks for that takes a number or a code instead of words.
NUMBERS = PhraseMatcher(
    {
        "number": """
        number* nr num code codes cod pin digits reference ref
        nummer* nr kennziffer* ziffern code* kennung
        numero* code* chiffres reference*
        numero* codigo* referencia*
        numero* codice codici riferimento
        numero* codigo* referencia*
        nummer* code*
        numer* nr kod kodu kody sygnatur*
        numara* kod kodu kodunuz
        номер* код кода шифр*
        رقم ارقام رمز كود
        号码 號碼 编号 編號 单号 單號 代码 号
        番号 コード 号
        หมายเลข เลขที่ รหัส เลข
        cislo cisla szam szama numar numarul broj αριθμο* מספר شماره کد संख्या नंबर 번호* ma_so so_bao so_hieu nomor numeris tunnus koodi
    """
    }
)

# What a box asks for that takes the number of a telephone.
TELEPHONES = PhraseMatcher(
    {
        "telephone": """
        phone* telephone* mobile_number cellphone* handynummer* telefon* portable movil celular* cellulare telefoon* komork* cep_telefonu* gsm
        телефон* мобильн* мобільн* мобилен هاتف الجوال موبايل تلفن موبایل همراه 手机 手機 电话 電話 携帯 โทรศัพท์ เบอร์โทร
        puhelin* matkapuhelin* mobil* τηλεφων* κινητο* טלפון נייד फोन मोबाइल 전화* 휴대* dien_thoai telepon nomor_hp
    """
    }
)

# Enough to leave a form alone wherever they stand in it.
PLAIN_PURPOSES = PhraseMatcher(
    {
        "login": """
        log_in login* logon log_on sign_in signin* password* passwd* passcode remember_me username* user_name log_out
        logout* sign_out signout*
        anmelden einlogg* einloggen passwort* kennwort* benutzername* angemeldet_bleiben abmelden_vom ausloggen
        connexion se_connecter connectez* mot*_de_passe identifiant* se_souvenir deconnexion
        iniciar_sesion inicia_sesion contrasena* nombre_de_usuario clave_de_acceso cerrar_sesion recordarme
        accedi accesso password* nome_utente ricordami entra_nel
        iniciar_sessao senha* palavra-passe nome_de_usuario
        inloggen wachtwoord* gebruikersnaam*
        zaloguj* logowani* hasla haslem podaj_haslo twoje_haslo nowe_haslo powtorz_haslo nazw*_uzytkownika zapamietaj_mnie wyloguj*
        giris_yap* oturum* parolan* parolam* parolayi sifre* kullanici_ad* beni_hatirla
        войти вход пароль* пароля логин* имя_пользователя запомнить_меня выйти авториз*
        تسجيل_الدخول دخول كلم*_السر كلم*_المرور اسم_المستخدم تذكرني تسجيل_الخروج
        登录 登入 登陆 密码 密碼 用户名 用戶名 记住我 注销 退出登录
        ログイン サインイン パスワード 暗証番号 ユーザー名 ユーザーid ログアウト
        เข้าสู่ระบบ ลงชื่อเข้าใช้ รหัสผ่าน ชื่อผู้ใช้ ล็อกอิน ออกจากระบบ จดจำฉัน
    """,
        "registration": """
        sign_up signup* register registering registration* create_account create_an_account join_us join_now
        registrier* registrieren konto_erstellen konto_anlegen neues_konto mitglied_werden benutzerkonto*
        inscription* inscrire s'inscrire creer_un_compte creer_mon_compte enregistrez-vous
        registrar* registrate crear_cuenta crear_una_cuenta darse_de_alta unete
        registra* registrati iscriviti iscrizion* crea_account crea_un_account
        cadastr* criar_conta registre-se inscrev*
        registreer* account_aanmaken aanmelden
        zarejestruj* rejestracj* zaloz_konto utworz_konto dolacz_do
        kayit_ol* kaydol* uye_ol* uyelik* hesap_olustur*
        зарегистр* регистрац* создать_аккаунт создать_учетн*
        انشاء_حساب إنشاء_حساب التسجيل سجل_الان اشترك_الان انضم
        注册 註冊 创建账户 建立帳戶 加入会员
        会員登録 新規登録 アカウント作成 ユーザー登録 登録する
        สมัครสมาชิก ลงทะเบียน สร้างบัญชี
    """,
        "account": """
        forgot* recover_* recovery reset_password account accounts account_* accountid accountname useraccount* myaccount* my_account
        vergessen konto kontos kontonummer* wiederherstell* mein_profil
        oubli* compte comptes recuperer retrouver_mon mon_profil
        olvid* cuenta cuentas recuperar mi_perfil
        dimentic* account recuper*
        esquec* conta recuperar
        vergeten herstel herstellen herstelcode* herstelmail* herstelling
        zapomnial* odzysk* konto konta kontem
        unut* hesap* hesab*
        забыл* восстанов* аккаунт* учетн*_запис* личн*_кабинет*
        نسيت حساب حسابي حسابك استعادة استرداد استرجاع ملف*_الشخصي
        忘记 忘記 找回 账户 帳戶 账号 帳號 我的账
        お忘れ 忘れた 忘れ 再設定 アカウント マイページ
        ลืม กู้คืน บัญชี
    """,
        "newsletter": """
        promotional_m* promotional_e* marketing_m* marketing_e* promozional* werbemail* werbenachricht* messages_promotionnel* mensajes_promocional* mensagens_promociona*
        reclameberichten wiadomosci_promocyjn* wiadomosci_marketing* рекламн*_сообщ* рекламн*_рассыл*
        newsletter* subscri* unsubscri* mailing_list* mailinglist* opt_out optout opt_in sign_up_for
        newsletter* abonnier* abonnement* abonnieren abbestell* abmeld* austrag* rundbrief* mailverteiler
        abonnez* abonner s'abonner abonnement* desabonn* desinscri* infolettre* lettre_d'information
        suscri* subscri* boletin* darse_de_baja dar_de_baja cancelar_suscripcion
        iscriviti disiscri* annulla_iscrizione cancella*_iscrizione bollettin* abbonat*
        assinar assine inscreva* boletim cancelar_inscricao descadastr*
        nieuwsbrief* abonneer* uitschrijv* afmeld*
        subskry* newsletter* biuletyn* zapisz_sie wypisz* zrezygnuj rezygnacj* anuluj_subskryp*
        abone* bulten* e-bulten* abonelik* aboneligi listeden_cik*
        подпис* отпис* рассылк*
        اشترك اشتراك الاشتراك نشر*_البريد* النشر*_الاخباري* الغاء_الاشتراك إلغاء_الاشتراك
        订阅 訂閱 退订 取消订阅 取消訂閱 电子报 電子報 简报
        メルマガ ニュースレター 購読 配信停止 配信登録 購読解除 退会
        จดหมายข่าว สมัครรับ ยกเลิกการสมัคร ยกเลิกการรับ ติดตามข่าวสาร รับข่าวสาร บอกรับ
    """,
        "payment": """
        credit_card card_number* cvv cvc iban paypal checkout* payment* pay_now donat* billing
        kreditkart* kartennummer* zahlung* bezahl* spende* kasse
        carte_bancaire carte_de_credit paiement* payer faire_un_don
        tarjeta* pago pagos pagar donar donacion* donativo*
        carta_di_credito pagament* donazion* donare
        cartao* pagament* doar doacao doacoes
        creditcard* betaling* betalen doneer* donatie*
        karta_kredytow* numer_karty platnosc* zaplac* darowizn* wesprzyj przekaz_dar*
        kredi_karti* odeme* bagis*
        кредитн*_карт* номер_карты оплат* пожертв* платеж*
        بطاق*_ائتمان* بطاق*_الائتمان دفع الدفع تبرع التبرع
        信用卡 支付 付款 捐款 捐赠 捐贈 打赏
        クレジットカード カード番号 支払 決済 寄付
        บัตรเครดิต ชำระ บริจาค
    """,
        "captcha": """
        captcha* recaptcha* hcaptcha* turnstile security_code verification_code not_a_robot sicherheitscode*
        code_de_securite codigo_de_seguridad codice_di_sicurezza kod_z_obrazka guvenlik_kodu код_с_картинки проверочн*
        رمز_التحقق 验证码 驗證碼 認証コード รหัสยืนยัน
        security_code characters_you letters_you characters_in numbers_in sicherheitscode* zeichen_im zeichen_aus code_de_securite caracteres_de_l'image
        codigo_de_seguridad caracteres_de_la codice_di_sicurezza caratteri_dell'immagine codigo_de_seguranca caracteres_da beveiligingscode*
        kod_bezpiecz* z_obrazka znaki_z guvenlik_kodu resimdeki код_безопас* символ*_с на_картинке رمز_الامان من_الصورة في_الصورة
        安全码 安全碼 图片中的 圖片中的 画像の文字 画像認証 セキュリティコード รหัสความปลอดภัย ในภาพ ตัวอักษรที่เห็น
    """,
        "deletion": """
        delete* deletion remove_* removal deactivat* erase wipe
        loschen losche loschung entfernen entferne entfernt* loeschen
        supprim* suppression
        elimin* suprim*
        elimin* rimuov* rimozione
        excluir exclui* apagar remover
        verwijder*
        usun* usuwan* skasuj*
        silin* silme* kaldir*
        удал* стереть
        حذف احذف ازال* إزالة
        删除 刪除 移除
        削除 取り消
        ถอดออก
    """,
    }
)

# Enough to leave a form alone where a form says what it is for: button, box, heading, name, address.
OTHER_PURPOSES = PhraseMatcher(
    {
        "e-mail": """
        e-mail* email* mail mailto mailbox inbox e_mail
        e-mail* mailadresse* emailadresse*
        courriel* adresse_e-mail adresse_electronique adresse_mail messagerie
        correo* email*
        posta_elettronica
        correio_eletr* e-post*
        poczt* adres_e-mail
        e-posta* eposta* elektronik_posta*
        почт* электронн*_адрес* имейл*
        بريد البريد ايميل إيميل
        邮箱 郵箱 邮件 郵件 电邮 電郵 电子信箱 電子信箱
        メール eメール
        อีเมล อีเมล์
    """,
        "person": """
        phone* telephone* mobile_number first_name last_name surname full_name your_name date_of_birth birthday
        telefon* handynummer* vorname* nachname* ihr_name dein_name geburtsdatum strasse hausnummer
        telephone portable prenom nom_de_famille votre_nom date_de_naissance
        telefono* movil apellido* tu_nombre su_nombre fecha_de_nacimiento
        cellulare cognome tuo_nome data_di_nascita
        telefone* sobrenome seu_nome
        voornaam achternaam uw_naam
        imie_i_nazwisko nazwisko twoje_imie numer_telefonu
        soyad* adiniz telefon* cep_telefonu dogum_tarihi
        телефон* фамили* ваше_имя номер_телефона
        هاتف الهاتف الجوال اسمك الاسم_الكامل رقم_الهاتف
        手机号 手機號 您的手机 您的手機 电话 電話 姓名 您的姓名 身份证
        電話番号 お名前 氏名 携帯電話
        โทรศัพท์ เบอร์โทร นามสกุล ชื่อของคุณ
    """,
        "donation": "don dons dona ode paga give_now spenden",
        "alert": """
        alert alerts notify notification* remind reminder* keep_me_posted
        benachrichtig* suchauftrag* suchagent* erinner*
        alerte* m'avertir avertissez* prevenez* notifi* rappel
        alerta* avisar avisame avisarme notific* recordatorio*
        avvis* avvisami notific* promemoria
        avise-me alerta* lembrete*
        melding_* waarschuw* houd_mij
        powiadom* alert* przypomn*
        bildirim* haber_ver* uyari* hatirlat*
        уведом* оповещ* напомин* напомн*
        تنبيه* تنبيها اشعار* اعلامي نبهني
        提醒 通知我 订阅提醒
        アラート 通知 お知らせ
        แจ้งเตือน แจ้งฉัน
    """,
        "command": "sql console konsole consola konsola konsol* консол* 控制台 コンソール คอนโซล terminal shell",
        "identity": """
        passport* ssn nin nino nhs license_plate licence_plate registration_plate number_plate vin iban tax_id student_id employee_id citizen_id
        steuer-id steuernummer* sozialversicherung* personalausweis* reisepass* kennzeichen* aktenzeichen* geschaftszeichen* matrikel*
        numero_de_securite immatricul* siret passeport*
        dni nie nif nss curp rfc matricula cedula pasaporte*
        codice_fiscale targa partita_iva passaporto*
        cpf cnpj nif placa passaporte*
        bsn kenteken* burgerservice* paspoort*
        pesel nip regon paszport* tablic*_rejestrac*
        tckn kimlik plaka plakasi pasaport*
        снилс инн паспорт* госномер* удостоверен*
        الهوية جواز_السفر لوحة_المركبة
        身份证 身分證 车牌 車牌 护照 護照 准考证 学号 學號
        マイナンバー ナンバープレート 免許証 旅券
        บัตรประชาชน ทะเบียนรถ หนังสือเดินทาง
        personnummer* cpr henkilotunnus* rekisteri* rodne cnp adoszam* rendszam* taj egn aadhaar nik ktp rut oib jmbg αφμ αμκα інн іпн תעודת_זהות کد_ملی 주민등록* cccd cmnd
    """,
        "fee": """
        fee fees charge charged charges costs credit credits paid paying
        gebuhr* kostet kostenpflichtig* guthaben bezahl*
        frais payant* coute facture* credit credits
        cuesta cobro cobra* cobrar* tarifa* creditos de_pago
        costa addebit* tariffa* a_pagamento crediti
        custa cobrad* cobranca tarifa* creditos
        tarief* betaald* betalen tegoed
        oplat* platn* kosztuje kredyt*
        ucret* kredi*
        стоит платн* списан* списыва* оплат*
        رسوم تكلف* مدفوع* رصيد*
        收费 付费 費用 费用 扣除 点数
        有料 料金 課金 クレジット
        ค่าบริการ ค่าใช้จ่าย เครดิต
    """,
        "bid": """
        bid bids bidding
        bieten gebot* hochstgebot*
        enchere* encherir
        pujar puja pujas
        rilancio offerta_massima fai_un'offerta
        dar_lance lance_maximo lances
        bieden bod
        licyt* przebij
        teklif_ver* pey_ver* en_yuksek_teklif
        ставк* торг*
        مزايد* زايد
        出价 竞价 竞拍 競標
        入札
        ประมูล เสนอราคา
    """,
        "prize": """
        win won winner* prize* lottery raffle* sweepstake* giveaway* lucky_draw
        gewinn* verlos* losnummer* lotterie* preisausschreiben
        gagn* loterie* tirage_au_sort tombola
        ganar ganado ganador* sorteo* loteria*
        vincere vinto vinci vincita lotteria* estrazione
        ganhar ganhou sorteio* loteria*
        winnen gewonnen loterij*
        wygra* loteri* losowani*
        kazan* cekilis* piyango*
        выигр* лотере* розыгрыш*
        ربح ربحت فزت يانصيب سحب_على جائزت*
        抽奖 抽獎 彩票 中奖 中獎
        抽選 当選 懸賞 宝くじ
        ชิงโชค ลอตเตอรี่ สลากกินแบ่ง ถูกรางวัล
    """,
        "contact": """
        contact contact_us contact_form feedback write_to write_us get_in_touch chat_with message messages send send_message inquiry
        kontakt kontaktformular* nachricht* schreiben_sie ruckmeldung* senden absenden anfrage_senden
        contact contactez* nous_ecrire ecrivez* envoyer votre_message
        contacto contactar contactenos mensaje* enviar escribenos
        contatt* messaggi* inviare invia_messaggio scrivici
        contato fale_conosco mensagem enviar
        contact bericht verstuur verzend*
        kontakt skontaktuj* wiadomosc* wyslij napisz_do
        iletisim* mesaj* gonder* bize_yazin
        контакт* сообщени* отправить связаться напишите обратн*_связь
        اتصل الاتصال رسالة رسالتك ارسل ارسال إرسال تواصل
        联系 聯繫 联络 留言 发送 發送 反馈
        お問い合わせ お問合せ 問い合わせ メッセージ 送信 ご意見
        ติดต่อ ส่งข้อความ ฝากข้อความ ข้อความของ ส่ง ข้อเสนอแนะ
    """,
        "comment": """
        comment comments commenting reply post_comment guestbook write_a_review your_review rate rating leave_a
        kommentar* kommentier* antworten gastebuch bewertung_schreiben bewerten
        commentaire* commenter repondre livre_d'or donner_votre_avis
        comentario* comentar responder opinar libro_de_visitas
        comment* commenta rispondi recensisci guestbook
        comentario* comentar responder
        reactie reageer*
        komentarz* komentuj* skomentuj* odpowiedz oceń ocen
        yorum* yanitla* cevapla* degerlendir*
        коммент* ответить отзыв* оставить_отзыв оцен*
        تعليق التعليق علق رد_على اضف_تعليق
        评论 評論 回复 回覆 发表 評価する 评分
        コメント 返信 投稿 書き込む
        ความคิดเห็น ตอบกลับ แสดงความเห็น คอมเมนต์
    """,
        "cart": """
        cart carts basket add_to addto* buy purchase quantity qty trolley wishlist wish_list
        warenkorb* in_den_korb einkaufswagen kaufen menge merkzettel wunschliste merkliste
        panier* acheter ajouter_au quantite caddie achat liste_d'envies
        carrito cesta comprar anadir_al agregar_al cantidad lista_de_deseos
        carrello acquista aggiungi_al quantita lista_dei_desideri
        carrinho comprar adicionar_ao quantidade
        winkelwagen* winkelmand* kopen aantal bestellen
        koszyk* do_koszyka kup kupuj ilosc przechowalni*
        sepet* satin_al* adet miktar istek_listesi
        корзин* купить количеств* добавить_в
        سلة عربة اشتري شراء الكمية اضف_الى أضف_إلى
        购物车 購物車 加入购物 购买 購買 数量 收藏夹
        カート カゴ 購入 買う 数量 ほしい物
        ตะกร้า รถเข็น ซื้อ จำนวน หยิบใส่
    """,
        "order": """
        order order_now place_order your_order order_number order_status my_order my_orders order_form invoice* orders
        bestell* auftrag* rechnung* auftragsnummer*
        commander commande commandes facture*
        pedido pedidos encargar factura*
        ordina ordinare ordine ordini fattura*
        pedido encomenda* fatura*
        bestelling* factuur*
        zamow* zamawiam faktur*
        siparis* fatura*
        заказ* счет-фактур*
        طلب الطلب اطلب طلبك طلبي* فاتورة
        订单 訂單 下单 订购 訂購 发票
        注文 ご注文 オーダー 請求書
        สั่งซื้อ คำสั่งซื้อ ใบสั่ง
    """,
        "booking": """
        booking* book_now book_a book_your reserv* appointment* check_in check-in checkin rsvp availability
        buchen buchung* reservier* termin_vereinbaren verfugbarkeit*
        reserver reservation* rendez-vous disponibilite*
        reservar reserva reservas cita_previa disponibilidad
        prenota* prenotazion* disponibilita
        reservar reserva agendar
        reserveer* boeken boeking*
        rezerw* zarezerwuj* dostepnosc*
        rezervasyon* randevu* yer_ayirt* musaitlik
        заброниров* бронир* брон записаться
        حجز احجز الحجز موعد
        预订 預訂 预约 預約 订房
        予約 ご予約 空室予約
        จอง การจอง นัดหมาย
    """,
        "poll": """
        vote votes voting poll polls ballot survey* questionnaire*
        abstimm* abstimmung* stimme_abgeben umfrage* wahlen_sie
        voter votez sondage* enquete*
        votar vota voto encuesta* votacion*
        vota votare voto sondaggi*
        votar enquete pesquisa_de_opiniao
        stem stemmen peiling* enquete*
        glos glosuj* zaglosuj* ankiet* sond*
        oy_ver* oyla* oy_kullan* anket*
        голос* проголос* опрос*
        تصويت صوت التصويت استطلاع
        投票 表决 問卷 问卷 调查问卷
        投票 アンケート
        โหวต ลงคะแนน แบบสำรวจ
    """,
        "upload": """
        upload* attach attachment* attach_a attach_file* choose_file
        hochlad* datei_auswahlen dateiupload anhang
        telecharger_un televers* joindre piece_jointe
        subir_archivo cargar_archivo adjunt* sube
        carica caricare allega* carica_file
        carregar_arquivo enviar_arquivo anex*
        uploaden bijlage*
        przeslij* zalacz* wgraj*
        yukle* dosya_sec*
        загруз* прикреп*
        رفع ارفع تحميل_ملف ارفاق
        上传 上傳 附件
        アップロード 添付
        อัปโหลด อัพโหลด แนบไฟล์
    """,
        "report": """
        report_a report_abuse report_this report_an flag_this abuse complaint* complain
        melden meldung_machen missbrauch* beschwerde* problem_melden
        signaler signalez signalement* plainte* abus
        denunci* reportar queja* reclamacion*
        segnala segnalare segnalazion* reclam*
        denunci* reclamac*
        melding klacht*
        zglos* zglaszani* skarg* naduzyci*
        bildir sikayet* ihbar*
        пожаловаться пожалуйтесь пожалуйся жалоб* сообщить_о
        ابلاغ إبلاغ الابلاغ بلغ شكوى
        举报 舉報 投诉 投訴
        通報 報告する 苦情
        รายงานปัญหา แจ้งปัญหา ร้องเรียน แจ้งความ รายงาน
    """,
        "choice of language or currency": """
        choose_language select_language change_language language_switch* change_currency select_currency currency*
        sprache_wahlen sprache_andern sprachauswahl* wahrung*
        choisir_la_langue changer_de_langue choix_de_la_langue devise*
        elegir_idioma cambiar_idioma seleccionar_idioma moneda divisa*
        scegli_la_lingua cambia_lingua seleziona_lingua valuta
        escolher_idioma mudar_idioma moeda
        kies_taal valuta
        wybierz_jezyk zmien_jezyk walut*
        dil_sec* dili_degistir* dil_degistir* para_birimi*
        выбрать_язык сменить_язык выбор_языка валют*
        اختر_اللغة تغيير_اللغة لغة العملة عملة
        选择语言 切换语言 更改语言 货币 貨幣
        言語を選択 言語の変更 言語選択 通貨
        เลือกภาษา เปลี่ยนภาษา สกุลเงิน
    """,
        "consent": """
        cookie* consent* accept_all agree i_agree gdpr terms_of
        einwillig* zustimm* akzeptier* einverstanden
        consentement accepter j'accepte
        aceptar acepto consentimiento
        accetta accetto consenso
        aceitar concordo
        akkoord toestemming
        zgadzam akceptuj* zgod*
        kabul_et* onayl* cerez*
        соглас* принять
        موافق قبول اوافق
        同意 接受
        同意する 承諾
        ยอมรับ ยินยอม คุกกี้
    """,
        "petition": """
        petition* sign_the sign_this pledge*
        petition* unterschreib* unterzeichn*
        petition* signer signez
        peticion* firmar firma_la
        petizion* firma_la firma_ora firma_anche firmare
        peticao assinar_a assine_a
        petitie* onderteken*
        petycj* podpisz*
        imzala* dilekce* imza
        петици* подписать
        عريضة وقع توقيع
        请愿 請願 签名 簽名 联署
        署名 請願
        ลงชื่อ ร้องทุกข์ ลงนาม
    """,
        "tracking": """
        track tracking* shipment* parcel* package_number consignment
        sendungsverfolg* sendungsnummer* paketnummer* paket verfolgen
        suivi suivre colis numero_de_suivi
        seguimiento rastre* envio
        traccia* tracciamento spedizion* pacco
        rastre* encomenda
        volg_je zending* pakket*
        sledz* sledzen* przesylk* paczk*
        takip kargo* gonderi*
        отслед* посылк* трек-номер* отправлени*
        تتبع شحنة شحنتك طرد
        跟踪 追踪 追蹤 物流 快递 包裹 运单
        追跡 お問い合わせ番号 荷物 配送状況 伝票番号
        ติดตามพัสดุ พัสดุ ติดตาม เลขพัสดุ
    """,
        "coupon": """
        coupon* voucher* promo promo_code promocode* discount_code gift_card giftcard* redeem*
        gutschein* rabattcode* einlos* aktionscode
        bon_de_reduction code_promo* cheque-cadeau utiliser_le_code bon_d'achat
        cupon* codigo_promocional canjear vale_de
        buono codice_sconto riscatta* codice_promo*
        cupom vale-presente resgatar
        kortingscode* cadeaubon* inwissel*
        kupon* kod_rabatowy rabat* zrealizuj*
        kupon* indirim_kodu hediye_ceki
        купон* промокод* скидк* активировать
        قسيمة كوبون كود_الخصم خصم استبدال
        优惠券 優惠券 优惠码 折扣码 兑换 兌換
        クーポン 割引コード プロモーション 引き換え
        คูปอง ส่วนลด โค้ด แลก
    """,
        "invitation": """
        invite* invitation* refer_a tell_a_friend recommend_to share_with
        einlad* weiterempfehl* freunde_werben empfehlen
        inviter invitez invitation* parrain* recommander
        invita* recomend* recomendar
        invita* consiglia_a
        convid* indique
        uitnodig* aanbevel*
        zapros* zaprosz* polec*
        davet* tavsiye* oner
        пригла* рекоменд*
        دعوة ادع ادعو
        邀请 邀請 推荐给 推薦給
        招待 紹介する 友達に
        เชิญ แนะนำเพื่อน
    """,
        "reference number": """
        reference_number tracking_number serial_number account_number customer_number policy_number ticket_number
        membership* member_number case_number zip zip_code zipcode* postcode* postal_code* verify verification* validate
        kundennummer* vorgangsnummer* seriennummer* mitgliedsnummer* plz postleitzahl* uberpruf* prufen bestatig*
        numero_de_client numero_de_dossier code_postal verifier verification* valider_le confirmer
        numero_de_cliente numero_de_referencia codigo_postal verificar confirmar comprobar
        numero_cliente codice_postale cap verifica* conferma*
        codigo_postal cep verificar confirmar
        klantnummer* postcode* controleer* bevestig*
        numer_klienta kod_pocztowy zweryfikuj* potwierdz*
        musteri_no* posta_kodu dogrula* onay*
        номер_заказа номер_договора почтов*_индекс* индекс проверить подтверд*
        رقم_العميل رقم_المرجع الرمز_البريدي تحقق تاكيد
        客户编号 邮编 郵遞區號 邮政编码 验证 驗證 确认
        お客様番号 郵便番号 会員番号 確認
        รหัสลูกค้า รหัสไปรษณีย์ ตรวจสอบ ยืนยัน
    """,
        "message to a telephone": """
        sms text_message* one-time_code* one_time_code* einmalcode* code_a_usage_unique codigo_de_un_solo_uso codice_monouso смс одноразов*_код*
        رسالة_نصية 短信 ショートメッセージ
    """,
        "change": """
        add edit update save insert create new_entry publish unlock cancel join follow like apply submit_your enter_to bookmark mute purge rebuild reset_ sponsor
        hinzufug* bearbeit* speicher* aktualisier* anlegen stornier* kundig* inserier* aufgeben merken bewerb* beitreten folgen teilnehm*
        ajouter modifier enregistrer memoriser sauvegarder mettre_a_jour annuler resilier postuler rejoindre participer
        anadir agregar editar guardar actualizar crear cancelar solicitar participar seguir
        aggiungi modifica salva aggiorna annulla partecipa candidati segui
        adicionar editar salvar atualizar cancelar participar seguir
        toevoeg* bewerk* opslaan bijwerk* annuleer* plaatsen stoppen bewaar* bewaren deelnem* volgen
        dodaj edytuj zapisz zapamietaj aktualizuj anuluj aplikuj dolacz obserwuj wez_udzial
        ekle duzenle kaydet guncelle iptal basvur* katil* takip_et
        добав* редактир* сохран* обнов* отмен* участв* присоедин* подать
        اضافة إضافة اضف تعديل حفظ تحديث الغاء إلغاء شارك انضم
        添加 新增 编辑 編輯 保存 更新 取消 申请 申請 参加 报名 提交
        追加 編集 保存 更新 キャンセル 応募 申し込 申込 参加
        sil borrar borra cancella cancellare effacer wissen ลบ 清除 消去
        clear empty erase leeren vider vaciar limpiar limpia svuota pulisci limpar leegmaken wyczysc oproznij temizle* очист* очищ* مسح امسح افرغ 清空 クリア 空にする ล้าง
        احفظ حفظ* خزن guarda salva_questa
        เพิ่ม แก้ไข บันทึก อัปเดต ยกเลิก สมัคร เข้าร่วม
    """,
        "calculation": """
        calculat* convert* converter amount translate whois domain_name domainname* domain_names
        nom_de_domaine nombre_de_dominio nome_a_dominio nome_di_dominio nome_de_dominio domeinna* nazw*_domeny alan_ad* доменн* домен اسم_النطاق نطاق 域名 網域 ドメイン ชื่อโดเมน โดเมน
        berechn* umrechn* betrag ubersetz*
        calculer convertir montant traduire
        calcular convertir importe traducir
        calcola converti importo traduci
        calcular converter valor traduzir
        bereken* omreken* bedrag vertaal*
        oblicz* przelicz* kwot* przetlumacz*
        hesapla* cevir* tutar*
        рассчит* конверт* сумм* перевести
        احسب تحويل مبلغ ترجم
        计算 計算 换算 金额 翻译
        計算 換算 金額 翻訳
        คำนวณ แปลง จำนวนเงิน แปลภาษา
    """,
        "paging": "page_number go_to_page jump_to seite_nummer gehe_zu_seite aller_a_la_page ir_a_pagina vai_a_pagina перейти_на_страницу 页码 跳转 ページ番号",
    }
)

# What an address or a command field says in English all over the world.
STATE_CHANGES = PhraseMatcher(
    {
        "change": """
    add delete del remove rm destroy drop edit update insert create publish vote subscribe
    unsubscribe signup signin login logout logoff register registration join cart basket checkout buy purchase orders
    pay payment donate donation booking reserve reservation upload comment reply contact feedback email
    newsletter flag abuse confirm verify activate redeem coupon voucher invite tracking petition consent
    cookie cookies currency setlang password passwd recover recovery reset forgot account cancel apply approve
    reject accept decline block mute unlock install purge erase wipe truncate clear send save unsub optout withdraw shutdown
    merge transfer notify
    loschen loeschen entfernen bestellen bestellung order_status claim warenkorb anmelden abmelden senden speichern
    supprimer panier commander commande envoyer inscription desabonner effacer
    eliminar borrar carrito pedido enviar suscribir
    elimina cancella carrello acquista invia iscriviti
    excluir apagar carrinho
    verwijderen winkelwagen bestelling
    usun koszyk zamowienie kup wyslij
    sil sepet siparis satinal
    udalit korzina zakaz otpravit удалить корзина заказ купить
"""
    }
)

RUN_TOGETHER = re.compile(
    "newsletter|subscri|signup|signin|login|logout|passw|addto|checkout|captcha|donat|petition|voucher|coupon|optout|buynow|register(?!s)"
)

# What we also read in languages beyond the fourteen: sv da no fi cs sk hu ro hr sl et lv lt el uk bg sr he fa hi ko vi id ca gl.
FURTHER_LANGUAGES = PhraseMatcher(
    {
        "search": """
        sok soka sokord sokning* sok_efter hitta
        sog soge sogning* sogeord find_vej
        sok sokeord finn
        hae haku hakusana* etsi etsinta
        hledat hledej* hledan* vyhled* najit hladat hladan* najst
        keres kereses* kereso* keresd keressen kulcsszo*
        cauta* cautare cuvinte_cheie gaseste
        trazi* pretrag* pretraz* pretrazi* isci iskanje poisci
        otsi otsing* mekle* ieskoti paieska
        αναζητ* ευρεση ψαξ* ψαχν*
        пошук* шукати знайти пошукати търс* намери претраг* тражи*
        חפש חיפוש חפשו מצא
        جستجو* جست_وجو جستوجو کاوش یافتن
        खोज खोजें खोजे ढूंढें
        검색* 찾기 찾아보기 검색어*
        tim_kiem tim tu_khoa tra_cuu
        cari pencarian telusuri kata_kunci
        cerca* cercador busca* procura*
    """,
        "login": """
        logga_in losenord* anvandarnamn* log_ind adgangskode* brugernavn* logg_inn passord* brukernavn*
        kirjaudu* salasana* kayttajatunnus* prihlas* heslo hesla heslem uzivatel* pouzivatel* bejelentkez* jelszo* felhasznalonev*
        autentific* conectare parola parolei utilizator* prijav* lozink* korisnick* geslo sisselogimi* parool*
        συνδεση κωδικ* ονομα_χρηστη увійти вхід пароль увиз лозинк* парола потребител*
        התחבר* סיסמ* שם_משתמש ورود رمز_عبور گذرواژه نام_کاربری लॉगिन पासवर्ड
        로그인* 비밀번호* 아이디* dang_nhap mat_khau masuk kata_sandi nama_pengguna
    """,
        "registration": """
        registrera* skapa_konto bli_medlem opret_konto tilmeld_dig opprett_konto rekisteroi* luo_tili registrac* registrov* zaregistr*
        regisztra* inregistr* creeaza_cont registrir* registracij* napravi_racun registreeri* εγγραφη зареєстр* реєстрац* регистрир*
        הרשמה הירשם ثبت_نام عضویت पंजीकरण 회원가입* 가입* dang_ky tao_tai_khoan daftar buat_akun
    """,
        "newsletter": """
        nyhetsbrev* prenumer* nyhedsbrev* tilmeld uutiskirj* tilaa odber* odebir* zprav*_na_e-mail novinky_e-mailem hirlevel* feliratkoz*
        aboneaza* buletin* pretplat* obavijest* uudiskir* ενημερωτικ* розсилк* підпис* абонир* бюлетин* ניוזלטר خبرنامه اشتراک
        뉴스레터* 구독* dang_ky_nhan ban_tin berlangganan langganan butlleti subscriu*
    """,
        "contact": """
        kontakta meddelande* skicka besked* send_besked melding ota_yhteytta viesti* laheta zprava zpravu odeslat sprava spravu odoslat
        kapcsolat* uzenet* kuldes trimite mesaj* poruk* posalji sporocil* poslji επικοινων* μηνυμα αποστολη повідомлен* надіслати
        съобщение изпрати צור_קשר הודעה שלח تماس پیام ارسال संदेश 문의* 메시지* 보내기 lien_he gui tin_nhan hubungi kirim pesan
    """,
        "comment": """
        kommentera* kommentti* komentar* komentovat hozzaszol* comentariu* σχολι* коментар* תגובה تجاوب دیدگاه نظر टिप्पणी 댓글* binh_luan
        komentari*
    """,
        "cart": """
        kundvagn* varukorg* kob indkobskurv* handlekurv* kjop ostoskori* osta kosik* koupit kupit kosar* vasarl* cos cosul cumpara*
        kosaric* kupi dodaj_u_kosaricu ostukorv* καλαθι αγορα кошик* купити кошниц* количк* купи לסל סל_קניות سبد_خرید خرید कार्ट
        장바구니* 구매* gio_hang mua keranjang beli
    """,
        "order": """
        bestall* bestil bestilling* tilaus* tilaa_nyt objednav* objednat* rendeles* megrendel* comand* comenz* ordre ordrer narudzb* naroc* tellim*
        παραγγελι* замовлен* замовити поръчк* הזמנה سفارش ऑर्डर 주문* don_hang pesanan pesan_sekarang
    """,
        "e-mail": """
        e-postadress* sahkopost* e-mailova emailova e-pošta e-mail-cim* elektronska_posta ηλεκτρονικ*_ταχ* ηλεκτρονικ*_διευθ* електронн*_пошт* електронн*_адрес* имейл* דואר_אלקטרוני
        ایمیل रایانامه ईमेल 이메일* thu_dien_tu surel
    """,
        "account": """
        glomt glemt unohtu* zapomn* zabudnut* elfelejt* uitat* zaboravlj* pozablj* unusta* ξεχασα* забули забравена שכחת فراموش
        भूल 잊으* quen lupa
    """,
        "deletion": """
        radera ta_bort slet fjern poista smaz* odstran* vymaz* torol* torles* sterge* obrisi izbrisi διαγραφ* видал* изтри* מחק מחיקה
        حذف हटाएं हटाए 삭제* xoa hapus esborra*
    """,
        "change": """
        spara gem lagre tallenna uloz* mentes* salveaza spremi shrani αποθηκευ* зберег* запази שמור ذخیره सहेजें 저장* luu simpan
        redigera muokkaa upravit szerkeszt* 수정* 등록* 신청* 해지* 신고* sua ubah ansok* haetaan jelentkez* prihlask* cerere*
    """,
        "tracking": """
        spara_paket forsand* lahety* kuldemen* δεμα kollinummer sporing* spor_pakke seuranta* lahetystunnus sledovan* sledovat zasilk* zasielk* csomag* nyomkovet* urmarire awb
        colet* posiljk* παρακολουθησ* αποστολης відстеж* посилк* проследи пратк* מעקב משלוח* پیگیری رهگیری مرسوله ट्रैक* 운송장* 배송*
        택배* van_don theo_doi lacak resi
    """,
        "booking": """
        boka bokning* bokningsnummer booking* varaus* varauks* rezervac* rezervov* foglal* rezervar* rezervare* κρατηση* бронюв* броні
        резервац* הזמנת رزرو बुकिंग 예약* dat_cho dat_phong dat_ban pemesanan
    """,
        "identity": """
        personnummer* cpr-nummer registreringsnummer* henkilotunnus* rekisterinumero* rodne_cislo spz cislo_op szemelyi* rendszam*
        numar_matricol matricol* inmatriculare maticn* oib registarsk* πινακιδ* μητρωου номерн*_знак* податков* егн תעודת_זהות מספר_רכב
        پلاک کد_ملی دانشجویی आधार रोल_नंबर 주민* 차량번호* 수험번호* 학번* 사번* so_bao_danh bien_so cccd cmnd plat_nomor nik nisn nomor_induk
    """,
        "person": """
        fornamn efternamn telefonnummer fornavn efternavn etternavn etunimi sukunimi puhelin* krestni_jmeno prijmeni krstne_meno priezvisko
        keresztnev vezeteknev telefonszam* prenume telefon* prezime επωνυμο τηλεφων* прізвище телефон* фамилия
        שם_פרטי טלפון نام_خانوادگی تلفن 전화* 휴대* ho_ten so_dien_thoai nama_lengkap nama_anda telepon
        nume_si_prenume numele_dvs numele_dumneavoastra ime_i_prezime ime_in_priimek vase_ime vase_meno vase_jmeno ονοματεπωνυμο το_ονομα_σας вашето_име ваше_име ваше_ім'я आपका_नाम 성함* 성명*
    """,
    }
)

# What controls ask for, and what forms do to lists: read by the classifier, not reasons to leave a form alone.
FORM_WORDS = PhraseMatcher(
    {
        "sorting": """
        sort* sort_by order_by orderby sort_order relevance newest ascending descending
        sortier* aufsteigend absteigend relevanz
        trier tri_par trie_par croissant decroissant pertinence
        ordenar orden clasificar ascendente descendente relevancia
        ordina_per ordinamento crescente decrescente rilevanza
        ordenar_por crescente relevancia
        sorteer* oplopend aflopend
        sortuj* sortowan* rosnaco malejaco
        sirala* artan azalan
        сортир* упорядоч* возраст* убыван* по_цене
        ترتيب رتب فرز
        排序 升序 降序
        並べ替え 並び替え 並び順 昇順 降順 並べかえ
        เรียง จัดเรียง
        sortera* sorter* jarjest* serad* razen* rendez* sorteaza ταξινομηση сортув* 정렬* sap_xep urutkan
    """,
        "paging": """
        per_page items_per results_per page_size pagesize products_per posts_from_previous display_posts display_topics show_per rows
        pro_seite artikel_pro eintrage ergebnisse_pro
        par_page resultats_par
        por_pagina resultados_por
        per_pagina risultati_per
        na_strone na_stronie wynikow_na
        sayfa_basina
        на_странице показывать_по выводить_по
        لكل_صفحة
        每页 每頁 显示条数
        表示件数 件表示 表示数
        ต่อหน้า
        per_sida pr_side na_strance na_stranku oldalankent pe_pagina
    """,
        "filtering": """
        filter* refine narrow brand brands manufacturer* make model category categories price size color colour department* type
        filtern marke marken hersteller* modell kategorie* preis* grosse farbe
        filtrer affiner marque marques fabricant* modele categorie* prix taille couleur rubrique*
        filtrar marca marcas fabricante* modelo categoria* precio* talla color
        filtra marca marche produttore modello categoria categorie prezzo* taglia colore
        marca modelo categoria preco* tamanho cor
        merk merken categorie prijs maat kleur
        filtruj marka producent* model kategori* cena ceny rozmiar kolor
        filtrele marka uretici model kategori* fiyat* beden renk
        фильтр* марка бренд* производител* модель категори* цена цены размер цвет
        فئة فئات سعر السعر ماركة تصنيف
        筛选 篩選 品牌 分类 分類 价格 價格 类别 類別
        絞り込 ブランド カテゴリ 価格 メーカー 種類
        กรอง ยี่ห้อ หมวดหมู่ ราคา ประเภท
    """,
        "place": """
        location* city town near nearby where destination* country state region* county area district postcode zip zipcode zip_code place
        ort stadt land region* bundesland umkreis plz wo
        ville lieu pays region* departement* ou code_postal localisation
        ciudad lugar pais provincia* region* donde localidad ubicacion codigo_postal
        citta luogo paese regione provincia dove localita
        cidade lugar estado pais onde
        plaats stad waar regio provincie
        miasto miejscowosc wojewodztwo kraj gdzie lokalizacja
        sehir il ilce ulke nerede konum
        город* регион* страна область где местоположение
        مدينة المدينة دولة الدولة بلد منطقة
        城市 地区 地區 地点 地點 国家 國家 省份
        都道府県 市区町村 地域 場所 エリア 路線 駅
        จังหวัด เมือง ประเทศ สถานที่
    """,
        "date": """
        date dates arrival* departure* depart from_date to_date year month day check_in check_out checkin checkout_date
        datum anreise abreise jahr monat tag von bis
        date arrivee depart annee mois jour
        fecha* llegada salida ano mes dia desde hasta
        data arrivo partenza anno mese giorno
        data chegada partida ano mes
        datum aankomst vertrek jaar maand
        data przyjazd* wyjazd* rok miesiac
        tarih* gelis gidis yil ay
        дата даты заезд выезд год месяц
        تاريخ التاريخ سنة شهر
        日期 年份 月份 年月
        日付 年月日 期間 出発 到着
        วันที่ เดือน
    """,
        "any": """
        any all everything no_preference
        alle alles beliebig egal
        tous toutes tout
        todos todas cualquier* todo
        tutti tutte qualsiasi
        todos todas qualquer
        alle alles
        wszystkie wszystko dowoln*
        tumu hepsi butun
        все всё любой любая любое
        الكل كل جميع
        全部 所有 不限 任意
        すべて 全て 全国 指定なし
        ทั้งหมด
        alla alle kaikki vsechny vsetky osszes toate sve όλα всі 전체* tat_ca semua
    """,
        "forgotten": """
        forgot* forgotten lost_password lost_your lost_pass* reset* recover* retrieve remind* resend new_password
        vergessen* zurucksetz* wiederherstell* passwort_anfordern neues_passwort
        oubli* reinitialis* recuperer nouveau_mot_de_passe
        olvid* recuperar restablec* nueva_contrasena
        dimentic* recuper* reimpost* ripristin*
        esquec* recuperar redefinir
        vergeten herstel*
        zapomn* odzysk* przypomn* zresetuj
        unut* sifirla* hatirlat*
        забыл* восстанов* напомн* сброс*
        نسيت استعادة استرجاع اعادة_تعيين
        忘记 忘記 找回 重置 重設
        お忘れ 忘れ 再設定 再発行 リセット
        ลืม กู้คืน รีเซ็ต
        glomt glemt unohtu* zapomenut* zabudnut* elfelejt* uitat* zaboravlj* ξεχασα* забули 비밀번호_찾기 아이디_찾기 비밀번호찾기 아이디찾기 잊으* quen lupa
    """,
        "username": """
        username* user_name user_id userid user login_name nickname* nick handle screen_name member_name
        benutzername* nutzername* benutzer
        identifiant* pseudo* utilisateur nom_d'utilisateur
        usuario nombre_de_usuario
        utente nome_utente
        usuario utilizador
        gebruikersnaam*
        nazwa_uzytkownika uzytkownik* login
        kullanici_adi kullanici*
        имя_пользователя логин* пользовател* ник
        اسم_المستخدم
        用户名 用戶名 账号 帳號 昵称
        ユーザー名 ユーザーid ログインid ニックネーム
        ชื่อผู้ใช้
    """,
        "password": """
        password* passwd* pass pwd passcode passwort* kennwort* mot*_de_passe mdp contrasena* clave senha* wachtwoord* haslo hasla
        sifre* parola* parolan* пароль* пароля كلم*_المرور كلم*_السر 密码 密碼 パスワード รหัสผ่าน losenord* adgangskode* passord*
        salasana* heslo jelszo* lozink* κωδικ* סיסמ* گذرواژه 비밀번호* mat_khau kata_sandi
    """,
        "remembering": """
        remember* keep_me stay_signed stay_logged remember_me angemeldet_bleiben eingeloggt_bleiben se_souvenir rester_connecte recordarme
        recordar* ricordami lembrar* onthoud* zapamietaj* beni_hatirla hatirla запомнить* تذكرني 记住 自动登录 次回から จดจำ
    """,
        "repeating": """
        confirm* repeat retype re-enter reenter again verify_password password2 second_time
        wiederhol* bestatig* nochmal*
        confirmer confirmez confirmation repet* retap*
        repet* confirm* de_nuevo
        ripet* conferma*
        repet* confirm*
        herhaal* bevestig*
        powtorz* potwierdz*
        tekrar*
        повтор* подтверд* еще_раз
        تاكيد اعد_كتابة
        确认密码 再次 重复
        確認用 再入力
        ยืนยัน อีกครั้ง
    """,
        "naming": """
        name first_name last_name firstname lastname surname full_name your_name given_name family_name
        vorname* nachname* familienname
        nom prenom nom_de_famille
        nombre nombres apellido*
        nome cognome
        nome sobrenome apelido
        naam voornaam achternaam
        imie nazwisko
        ad soyad* isim adiniz
        имя фамили* отчество фио ваше_имя
        الاسم اسم
        姓名 名字 您的姓名
        お名前 氏名 名前 フリガナ
        ชื่อ นามสกุล
    """,
        "birth": """
        birth* date_of_birth dob gender sex age male female
        geburt* geschlecht mannlich weiblich anrede
        naissance sexe civilite
        nacimiento sexo genero
        nascita sesso
        nascimento
        geboorte* geslacht
        urodzen* plec
        dogum* cinsiyet
        рожден* пол
        الميلاد الجنس
        生日 出生 性别
        生年月日 性別
        วันเกิด เพศ
    """,
        "street": """
        street address* address_line house_number strasse hausnummer adresse rue direccion calle indirizzo via endereco rua adres* straat
        ulica adres adresiniz cadde адрес* улица عنوان 地址 住所 ที่อยู่
    """,
        "calling": """
        phone* telephone* tel mobile cell fax telefon* handy* telephone portable telefono* movil cellulare telefone* telefoon* komorka cep
        телефон* هاتف جوال 手机 手機 电话 電話 電話番号 โทรศัพท์ เบอร์โทร
    """,
        "writing": """
        message* subject enquiry inquiry question* your_message body text_area regarding
        nachricht* betreff anfrage* frage mitteilung
        message objet sujet demande
        mensaje* asunto consulta_su pregunta
        messaggi* oggetto richiesta
        mensagem assunto
        bericht onderwerp vraag
        wiadomosc* temat tresc
        mesaj* konu
        сообщени* тема вопрос* текст_сообщения
        رسالة الموضوع
        留言 内容 主题
        お問い合わせ内容 件名 本文
        ข้อความ หัวข้อ
    """,
        "advanced": """
        advanced exact_phrase all_words any_words exact_match title_only titles_only whole_words
        erweitert* detailsuche profisuche
        avancee approfondie
        avanzad*
        avanzat*
        avancad*
        uitgebreid
        zaawansowan*
        gelismis detayli
        расширенн*
        متقدم
        高级 進階 高级搜索
        詳細検索 詳しく 条件
        ขั้นสูง
    """,
        "result": "result* ergebnis* resultat* resultado* risultat* wynik* sonuc* результат* نتائج 结果 結果 ผลลัพธ์",
        "browsing": "select choose pick jump go_to navigate menu wahlen auswahlen choisir selectionn* elegir seleccion* scegli selezion* kies wybierz sec выбер* اختر 选择 選択 เลือก",
        "quantity": """
        quantity qty menge quantite cantidad quantita quantidade aantal ilosc adet количеств* الكمية 数量 จำนวน mnozstvi mennyiseg kol-vo
    """,
    }
)

# How programmers write the same, all over the world.
IDENTIFIERS = PhraseMatcher(
    {
        "search": "q qry query srch search* keyword keywords kw kwd searchword sw such suchwort fulltext freetext wyszukiwarka poisk",
        "login": "login* logon signin* auth authenticate",
        "registration": "register* registration signup* reg join createaccount newuser",
        "newsletter": "newsletter* nl subscribe* subscription* mailchimp mc mailinglist optin",
        "e-mail": "email* mail emailaddress eml",
        "password": "password* passwd* pass pwd pw passwort mdp",
        "username": "user username uname usr login userid",
        "naming": "fname lname firstname lastname fullname vorname nachname",
        "forgotten": "forgot* reset lostpassword recover* remind* lost",
        "cart": "cart addtocart basket add2cart qty quantity buy wishlist",
        "order": "order checkout purchase payment",
        "comment": "comment* reply review guestbook",
        "contact": "contact* feedback enquiry inquiry message msg wpcf",
        "sorting": "sort* orderby order_by sortby ordering sk sd",
        "paging": "pagesize perpage per_page limit pagenum pageno page resultsperpage pagination numperpage seite pagina strona sayfa",
        "filtering": "filter* facet* refine*",
        "poll": "poll* vote* survey",
        "choice of language or currency": "lang language locale currency",
        "writing": "message subject body msg comments enquiry inquiry",
        "captcha": "captcha* recaptcha* securitycode",
        "place": "city location zip zipcode postcode state country loc place where",
        "date": "date year month day checkin checkout",
        "ASP.NET": "viewstate eventvalidation eventtarget",
        "usual for searches": "s k p w wd sq qs qt term terms text words word phrase key string",
    }
)

# Parts of names written together, by what they mean: sitesearch, loginform.
PARTS_OF_IDENTIFIERS = {
    "search": "search|suche|recherch|busca|ricerca|zoek|szuka|szukaj|poisk|hledat|vyhled|keres|srch|query|keyword|sogning|buscador",
    "login": "login|logon|signin",
    "registration": "register|registr|signup",
    "newsletter": "newsletter|subscri|mailinglist",
    "e-mail": "email",
    "password": "passw|pwd",
    "username": "username|userid",
    "forgotten": "forgot|lostpass|recover",
    "cart": "addto|cart|basket",
    "order": "checkout",
    "comment": "comment|guestbook",
    "contact": "contact|feedback",
    "sorting": "sort|orderby",
    "paging": "perpage|pagesize",
    "filtering": "filter",
    "captcha": "captcha",
}
