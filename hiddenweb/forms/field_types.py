"""What a control wants: a date, a postcode, a country ..., and what it must never get.

Most boxes of search forms take words, some take values of a type, and a box that takes dates answers a word with an error. The
type is told, in this order, by what the page declares (the type of an input, its autocomplete), by the form of a date in a
placeholder (dd/mm/yyyy, TT.MM.JJJJ, 31.12.2020), by the words of the label and of what else the page says about the control, at
last by the words of its name, in fourteen languages: en de fr es it pt nl pl tr ru ar zh ja th.

Some types are personal, or stand for one person's business: e-mail, phone, names of people, passwords, addresses, cards, dates of
birth, numbers of orders, codes to redeem, messages. They are recognised before all others, in any place that speaks of the
control itself, so that nothing is ever filled in there. A control that is a person's in one place and a type in another is a person's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from hiddenweb.language.phrase_matcher import FORM_WORDS, SEARCH, PhraseMatcher, folded, identifier_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field

RangeEnd = Literal["from", "to", ""]

TEXT_KINDS = frozenset({"", "text", "search", "textarea"})
"""Kinds of controls that take any words."""

FORMATS = {
    "date": "%Y-%m-%d",
    "datetime-local": "%Y-%m-%dT%H:%M",
    "month": "%Y-%m",
    "week": "%G-W%V",
    "time": "%H:%M",
}
"""How a browser sends the inputs that are made for a time."""

_DECLARED = {
    "date": "date", "datetime-local": "datetime", "month": "month of a year", "week": "week", "time": "time",
    "color": "colour code", "number": "number", "range": "number",
}  # fmt: skip
_PERSONAL_KINDS = {
    "email": "e-mail",
    "tel": "phone",
    "password": "password",
    "file": "file",
    "url": "address",
}
_ABOUT_OTHERS = re.compile("before|after|above|group|legend|description")
_STAR = re.compile(r"^\s*[*＊]|[*＊]\s*:?\s*$")


@dataclass(frozen=True, slots=True)
class FieldType:
    """What a control wants, and how we know; `format` is that of a date or time, as `strftime` writes it."""

    name: str
    why: str
    personal: bool = False
    format: str = ""


_FEW_OPTIONS, _SHORT = 50, 500
_WORDS_OF_RANGE = 2  # of a search from or to something
_VALUES_OF_RANGES = frozenset({"date", "quantity", "filtering", "birth"})
UNKNOWN = FieldType("", "nothing says what type of value it takes")


def type_of(field: Field, language: str = "") -> FieldType:
    """Say what a control wants."""
    if len(field.options) > _FEW_OPTIONS or len(field.value) + len(field.name) > _SHORT:
        return _type_of(field, language)  # remembering it would cost more than finding it again
    return _remembered_type(field, language)


@lru_cache(maxsize=4096)
def _remembered_type(field: Field, language: str) -> FieldType:
    return _type_of(field, language)


def _type_of(field: Field, language: str) -> FieldType:
    return (
        _personal(field)
        or _declared(field)
        or _by_format(field)
        or _by_words(field, language)
        or _by_pattern(field)
        or UNKNOWN
    )


def range_end(field: Field) -> RangeEnd:
    """Say whether a control is the lower or the upper end of a range, by its label or its name."""
    for text in (
        field.label,
        field.placeholder,
        identifier_words(field.name),
        identifier_words(field.element_id),
    ):
        if text and (end := _end_in(text)) and not _is_instruction(text):
            return end
    return ""


def _is_instruction(text: str) -> bool:
    """Say whether a text tells people how to search, which is no range: "Type here to search", "Start your search"."""
    if not SEARCH.word_in(text):
        return False
    words = words_in(text)
    is_bare = len(words) <= _WORDS_OF_RANGE and _end_in(words[-1])
    return not is_bare and _VALUES_OF_RANGES.isdisjoint(FORM_WORDS.all_in(_without_ends(words)))


def _without_ends(words: list[str]) -> str:
    return " ".join(word for word in words if word not in _ENDS)


def asks_to_be_left_empty(field: Field) -> str:
    """Return why a box is a trap for programs that fill in everything, or nothing."""
    if field.unseen:
        return "nobody who looks at the page sees it"
    if word := _LEAVE_EMPTY.word_in(
        " | ".join((field.label, field.placeholder, *(hint.text for hint in field.hints)))
    ):
        return f"it says {word!r}"
    if found := _TRAP_NAMES.search(field.name) or _TRAP_NAMES.search(field.element_id):
        return f"it is called {found[0]!r}, as traps for programs are"
    return ""


def is_required(field: Field) -> str:
    """Return why a control must have a value, or nothing."""
    if field.required:
        return "the page requires it"
    return "its label has a star" if _STAR.search(field.label) else ""


def label_words(text: str) -> str:
    """Return the words of a label that say what it labels, folded: without range words, politeness and punctuation.

    >>> label_words("Please enter your Country *:"), label_words("Année de"), label_words("Year (from)")
    ('country', 'annee', 'year')
    """
    return _label_words(text[:_SHORT])


def says_something(identifier: str) -> bool:
    """Say whether a name made for machines says anything of what it names: `f_author` does, `input_2` does not."""
    return any(
        word not in _NOISE and word not in _ENDS and len(word) > 1
        for word in words_in(identifier_words(identifier))
    )


def words_in(text: str) -> list[str]:
    """Return the words of a label or a choice in their order, folded."""
    return _WORD.findall(folded(text))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text as they are compared."""
    return frozenset(folded(text).split())


# What the page declares


def _personal(field: Field) -> FieldType | None:
    if name := _PERSONAL_KINDS.get(field.kind):
        return FieldType(name, f"it is a control of the type {field.kind}", personal=True)
    for token in field.autocomplete.lower().split():
        if name := _personal_autocomplete(token):
            return FieldType(name, f"browsers fill it in with {token!r}", personal=True)
    for where, text in _own_words(field):
        whole = _WHOLE_PERSONAL.get(label_words(text), "")
        if where in ("name", "id") and field.label and whole not in ("phone", "e-mail"):
            whole = ""  # a box called "name" by a program may take the name of anything
        if whole:
            return FieldType(whole, f"its {where} is {text!r}", personal=True)
        found = _PERSONAL.find(text)
        if found is None or (found[0] == "address" and _PLACES.find(text)):
            continue
        return FieldType(found[0], f"its {where} says {found[1]!r}", personal=True)
    return None


def _declared(field: Field) -> FieldType | None:
    if name := _DECLARED.get(field.kind):
        by_words = _by_words(field, "") if name == "number" else None
        if by_words is not None and by_words.name in ("year", "price", "month", "day"):
            return by_words
        return FieldType(
            name, f"it is a control of the type {field.kind}", format=FORMATS.get(field.kind, "")
        )
    for token in field.autocomplete.lower().split():
        if name := _AUTOCOMPLETE.get(token):
            return FieldType(name, f"browsers fill it in with {token!r}")
    return None


def _personal_autocomplete(token: str) -> str:
    if token in _PERSONAL_AUTOCOMPLETE:
        return _PERSONAL_AUTOCOMPLETE[token]
    beginning = token.partition("-")[0]
    return {"cc": "card", "bday": "date of birth", "tel": "phone", "address": "address"}.get(beginning, "")


def _by_pattern(field: Field) -> FieldType | None:
    if field.pattern and (name := _PATTERNS.get(field.pattern.strip("^$").replace("[0-9]", r"\d"))):
        form = "%Y-%m-%d" if name == "date" else ""
        return FieldType(name, f"what it takes has to look like {field.pattern}", format=form)
    return None


# Dates as they are to be written


def date_format(text: str) -> str:
    """Return the form of a date that a text shows, as `strftime` writes it.

    >>> date_format("TT.MM.JJJJ"), date_format("e.g. 12/31/2020"), date_format("yyyy-mm-dd"), date_format("mm/yyyy")
    ('%d.%m.%Y', '%m/%d/%Y', '%Y-%m-%d', '%m/%Y')
    >>> date_format("and/or"), date_format("1/2")
    ('', '')
    """
    text = text.lower()
    for pattern in (_FULL_DATE, _MONTH_AND_YEAR, _EXAMPLE):
        for match in pattern.finditer(text):
            if form := _written(match):
                return form
    return "%Y年%m月%d日" if _CHINESE_DATE.search(text) else ""


def _by_format(field: Field) -> FieldType | None:
    if field.kind not in TEXT_KINDS:
        return None
    for where, text in (("placeholder", field.placeholder), *_said(field)):
        if not 4 <= len(text) <= 80:
            continue
        if form := date_format(text):
            name = "date" if "%d" in form else "month of a year"
            return FieldType(name, f"its {where} {text!r} shows how a date is written", format=form)
        if where == "placeholder" and _YEAR_SHOWN.fullmatch(text.strip().lower()):
            return FieldType("year", f"its {where} is {text!r}")
        if _TIME_SHOWN.search(text.lower()):
            return FieldType("time", f"its {where} {text!r} shows how a time is written", format="%H:%M")
    return None


def _written(match: re.Match[str]) -> str:
    parts = [part for part in match.groups() if part is not None]
    separator = match["sep"]
    parts.remove(separator)
    codes = _codes_of_digits(parts) if parts[0].isdigit() else _codes_of_letters(parts)
    return separator.join(codes)


def _codes_of_letters(parts: list[str]) -> list[str]:
    years = [at for at, part in enumerate(parts) if len(part) == 4 and part[0] in "yjarгg"]
    if len(years) != 1:
        return []
    rest = [part[0] for at, part in enumerate(parts) if at != years[0]]
    if rest in (["m"], ["м"]):
        codes = ["%m"]
    elif rest in (["m", "d"], ["m", "j"], ["m", "t"], ["м", "д"]):
        codes = ["%m", "%d"]
    elif len(rest) == 2 and rest[0] in "dtjgд" and rest[1] in "maм":
        codes = ["%d", "%m"]
    else:
        return []
    codes.insert(years[0], "%Y")
    return codes


def _codes_of_digits(parts: list[str]) -> list[str]:
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == 4 and 1 <= second <= 12 and 1 <= third <= 31:
        return ["%Y", "%m", "%d"]
    if len(parts[2]) != 4 or not 1800 <= third <= 2200:
        return []
    if 1 <= first <= 31 and 1 <= second <= 12:
        return ["%d", "%m", "%Y"]
    return ["%m", "%d", "%Y"] if 1 <= first <= 12 and 13 <= second <= 31 else []


_LETTERS = "([ymdtjgarгмд]{1,4})"
_FULL_DATE = re.compile(rf"(?<!\w){_LETTERS}(?P<sep>[./-] ?){_LETTERS}(?P=sep){_LETTERS}(?!\w)")
_MONTH_AND_YEAR = re.compile(r"(?<!\w)([mм]{1,2}|[yjarгg]{4})(?P<sep>[./-])([mм]{1,2}|[yjarгg]{4})(?!\w)")
_EXAMPLE = re.compile(r"(?<!\d)(\d{1,4})(?P<sep>[./-])(\d{1,2})(?P=sep)(\d{1,4})(?!\d)")
_CHINESE_DATE = re.compile(r"(?:y{4}|\d{4})年(?:m{1,2}|\d{1,2})月(?:d{1,2}|\d{1,2})日")
_YEAR_SHOWN = re.compile(r"(?:e\.?g\.?|z\.? ?b\.?|ex\.?:?)? ?(?:yyyy|jjjj|aaaa|rrrr|гггг|(?:19|20)\d\d)")
_TIME_SHOWN = re.compile(r"(?<!\w)(?:hh:mm|чч:мм|ss:dd|[0-2]\d:[0-5]\d)(?!\w)")
_PATTERNS = {
    r"\d{5}": "zip", r"\d{5}(-\d{4})?": "zip", r"\d{5}(?:-\d{4})?": "zip", r"\d{4}-\d{2}-\d{2}": "date",
    r"(19|20)\d{2}": "year", r"(?:19|20)\d{2}": "year",
}  # fmt: skip


# Words


def _by_words(field: Field, language: str) -> FieldType | None:
    for where, text in (
        *_said(field),
        ("name", identifier_words(field.name)),
        ("id", identifier_words(field.element_id)),
    ):
        if not text or where == "description":
            continue
        own = label_words(text)
        name = _WHOLE.get(own) or (
            _WHOLE_IN_LANGUAGE.get((language, own.partition(" ")[0])) if where != "name" else None
        )
        if name and (name != "number" or range_end(field)):
            return _typed(name, f"its {where} is {text!r}", language)
        if found := _TYPES.find(text):
            return _typed(found[0], f"its {where} says {found[1]!r}", language)
    return None


def _typed(name: str, why: str, language: str) -> FieldType:
    form = (
        _DATES_BY_LANGUAGE.get(language, "%Y-%m-%d") if name == "date" else "%H:%M" if name == "time" else ""
    )
    return FieldType(name, why, format=form)


def _own_words(field: Field) -> Iterator[tuple[str, str]]:
    """Yield what speaks of the control itself; a neighbour may speak of another one."""
    yield "label", field.label
    for hint in field.hints:
        if hint.text != field.label and not _ABOUT_OTHERS.search(hint.where):
            yield hint.where, hint.text
    yield "placeholder", field.placeholder
    yield "name", identifier_words(field.name)
    yield "id", identifier_words(field.element_id)


def _said(field: Field) -> Iterator[tuple[str, str]]:
    """Yield what people read about a control, the best first, each once."""
    seen = set()
    texts = [
        ("label", field.label),
        *((hint.where, hint.text) for hint in field.hints),
        ("placeholder", field.placeholder),
    ]
    for where, text in texts:
        if text and text not in seen and len(text) <= 200 and where != "name":
            seen.add(text)
            yield where, text


def _end_in(text: str) -> RangeEnd:
    words = words_in(text)
    if not words:
        return ""
    for word in words:
        if word in _ENDS:
            return _ENDS[word]
    for word in (words[-1], words[0]):  # "a", "de", "do" say so only where the label ends or begins
        if word in _SHORT_ENDS:
            return _SHORT_ENDS[word]
    if found := _UNSPACED_ENDS.search(text):
        return "from" if found["start"] else "to"
    return ""


@lru_cache(maxsize=8192)
def _label_words(text: str) -> str:
    words = words_in(text)
    kept = [
        word
        for word in words
        if word not in _NOISE and word not in _ENDS and not (word.isdigit() and len(word) < 4)
    ]
    while len(kept) > 1 and kept[-1] in _SHORT_ENDS:
        kept.pop()
    return " ".join(kept or words)


_WORD = re.compile(r"[^\s!-/:-@\[-`{-~¡¿«»“”„‘’…–—·•：；，。、！？（）【】「」『』～＊※]+")
"""A run of anything but spaces and punctuation: vowel signs are no letters, and belong to words."""

_NOISE = words_of("""
    please enter type in your the an of for by select choose pick any search find keyword keywords required optional
    field input txt text box form ctl ddl main content query f fld frm filter eg e g with
    bitte wahlen auswahlen eingeben geben sie ein ihr ihre ihren der die das des nach pflichtfeld suche suchen
    veuillez choisir saisir entrez votre vos le la les l d par recherche rechercher selectionnez choisissez obligatoire
    seleccione elija introduzca escriba su tu el los las por buscar obligatorio
    selezionare seleziona scegli inserisci il lo gli i della del di per cerca
    selecione escolha digite o os as seu sua procurar
    kies selecteer vul uw het een zoek zoeken op
    wybierz wpisz podaj twoj twoja szukaj wymagane
    lutfen seciniz secin giriniz girin icin ara
    выберите введите укажите ваш ваша ваше поиск
    اختر ادخل يرجى بحث
    """)

_ENDS: dict[str, RangeEnd] = {
    **dict.fromkeys(
        words_of(
            "from min minimum start since after begin beginning gte lower lowest earliest von ab seit mindestens minimal beginn "
            "depuis partir debut desde minimo minima inicio inicial dal dalla vanaf poczatek minimalna minimalny "
            "baslangic от минимальная минимальный начало من ابتداء"
        ),
        "from",
    ),
    **dict.fromkeys(
        words_of(
            "to max maximum end until till before upto lte upper highest latest bis hochstens maximal ende hochstpreis "
            "jusqu jusque fin hasta maximo maxima final ate massimo massima fino tot koniec maksymalna maksymalny "
            "bitis до максимальная максимальный конец الى حتى"
        ),
        "to",
    ),
    "mindestpreis": "from",
}
_SHORT_ENDS: dict[str, RangeEnd] = {
    "de": "from", "da": "from", "od": "from", "с": "from", "van": "from", "du": "from", "dusuk": "from", "low": "from",
    "a": "to", "au": "to", "do": "to", "по": "to", "al": "to", "yuksek": "to", "high": "to",
}  # fmt: skip
_UNSPACED_ENDS = re.compile(
    "(?P<start>开始|開始|起始|最低|最小|下限|から|以上|ตั้งแต่|ต่ำสุด|从|從|自|起|اقل|أقل)|结束|結束|終了|截止|最高|最大|上限|まで|以下|ถึง|สูงสุด|至|到|迄|止|أعلى|اعلى"
)

_TRAP_NAMES = re.compile(
    r"(?i)honey ?-?_?(?:pot|comb)|required_but_not_really|bot_?test|(?<![a-z])(?:hp|hpot|url2|email2|website2|homepage2|nospam|no_spam|antispam|bot_?trap|"
    r"botcheck|robot_?trap|leave_?(?:this_?)?(?:blank|empty)|do_?not_?fill|fill_?this_?not|gotcha|_gotcha)(?![a-z])"
)
_LEAVE_EMPTY = PhraseMatcher(
    {
        "empty": """
        leave_blank leave_empty leave_this leave_it leave_field keep_empty keep_blank do_not_fill don_t_fill must_be_empty
        nicht_ausfull* leer_lassen frei_lassen bleibt_leer
        ne_pas_remplir laisse*_vide laisse*_ce laisse*_le
        no_rellen* dejar_en_blanco deje_en_blanco dej*_vacio no_complet*
        non_compil* lasciare_vuoto lascia_vuoto lasci*_in_bianco
        nao_preench* deix*_em_branco deix*_vazio
        niet_invullen leeg_laten laat_leeg
        nie_wypeln* zostaw*_puste pozostaw*_puste
        bos_birak* doldurmay*
        не_заполня* остав*_пуст*
        اتركه_فارغ* اترك_هذا لا_تملا
        留空 请勿填写 不要填写 勿填
        空欄のまま 入力しないで 何も入力
        ปล่อยว่าง ห้ามกรอก อย่ากรอก เว้นว่าง
        """
    }
)

_PERSONAL_AUTOCOMPLETE = {
    "name": "name", "honorific-prefix": "name", "given-name": "name", "additional-name": "name", "family-name": "name",
    "honorific-suffix": "name", "nickname": "name", "username": "name", "new-password": "password",
    "current-password": "password", "one-time-code": "code", "organization": "name", "organization-title": "name",
    "street-address": "address", "email": "e-mail", "impp": "address", "url": "address", "photo": "file", "sex": "sex",
    "transaction-amount": "card",
}  # fmt: skip
_AUTOCOMPLETE = {
    "country": "country", "country-name": "country", "postal-code": "zip", "language": "language",
    "transaction-currency": "currency",
}  # fmt: skip

_WHOLE_PERSONAL = {
    **dict.fromkeys(
        words_of("""
        name names nom nombre nome naam nimi namn navn imie имя اسم الاسم 名前 お名前 氏名 姓名 ชื่อ jmeno nev login account nick nickname
        pseudo usuario usuaria utilizador benutzer utente user logon логин ник
        """),
        "name",
    ),
    **dict.fromkeys(words_of("phone mobile tel handy"), "phone"),
    "mail": "e-mail",
    **dict.fromkeys(words_of("url uri website homepage webseite web"), "address"),
}
_PERSONAL = PhraseMatcher(
    {
        "e-mail": """
        email* e_mail* mailto courriel* correo_electronico correo posta_elettronica e_posta eposta электронн*_почт* эл_почт*
        имейл correio_electronico correio_eletronico emailadres بريد_الالكتروني* بريد_الكتروني* ايميل 邮箱 郵箱 电子邮件 電子郵件 メール อีเมล mailadresse mail_address
        """,
        "phone": """
        phone_number phonenumber telephone* your_phone mobile_number mobile_phone cell_phone telefon* rufnummer* handynummer
        mobilnummer fax faxnummer telefono* celular cellulare telefone* telefoon* mobiel_nummer telefonu cep_tel* gsm_no телефон*
        هاتف جوال 电话 電話 手机号 手機號 携帯番号 โทรศัพท์
        """,
        "password": """
        password* passwd passwort* kennwort* passcode passphrase mot_de_passe contrasena* clave_de_acceso senha wachtwoord*
        haslo hasla sifre* heslo jelszo losenord adgangskode passord slaptazodis парол* كلمة_المرور كلمة_السر 密码 密碼 パスワード รหัสผ่าน
        """,
        "name": """
        first_name last_name second_name screen_name screenname full_name your_name family_name given_name middle_name sur_name surname* firstname lastname
        fullname username* user_name user_id userid login_name nickname nick_name contact_name contact_person
        vorname* nachname* familienname* ihr_name benutzername* nutzername* ansprechpartner
        prenom* nom_de_famille votre_nom nom_d_utilisateur nom_complet identifiant
        nombre_completo apellido* su_nombre tu_nombre nombre_de_usuario
        nome_completo cognome* il_tuo_nome nome_utente sobrenome* seu_nome nome_de_usuario
        nome_de_utilizador prijmeni priezvisko fornavn efternavn etternavn fornamn efternamn keresztnev vezeteknev
        отчеств* фио voornaam achternaam uw_naam gebruikersnaam nazwisk* twoje_imie nazwa_uzytkownika adiniz soyad* ad_soyad kullanici_adi
        фамили* имя_пользователя ваше_имя اسم_المستخدم اسم_العائلة اسم_الاول اسمك
        您的姓名 用户名 用戶名 ユーザー名 お名前 ชื่อผู้ใช้ นามสกุล ชื่อของคุณ
        """,
        "address": """
        street* address address_line* home_address your_address strasse* hausnummer anschrift* adresse* rue direccion* domicilio
        calle indirizzo* endereco* adres adresi adresa ulica straat* cadde sokak улиц* адрес* عنوان_السكن عنوانك 地址 住所 ที่อยู่
        """,
        "card": """
        card_number cardnumber card_no credit_card creditcard* debit_card cvv cvc cvv2 iban bic swift account_number
        kartennummer kreditkarte* kontonummer carte_bancaire carte_de_credit numero_de_carte numero_de_tarjeta tarjeta_de*
        carta_di_credito numero_carta cartao_de* numer_karty kart_numarasi номер_карты رقم_البطاقة بطاقة_ائتمان*
        卡号 卡號 信用卡 カード番号 クレジット บัตรเครดิต หมายเลขบัตร
        """,
        "date of birth": """
        date_of_birth year_of_birth month_of_birth day_of_birth birth_year birthyear geburtsjahr annee_de_naissance
        fecha_nacimiento birth_date birthdate birthday dob geburtsdatum geburtstag date_de_naissance fecha_de_nacimiento
        data_di_nascita data_de_nascimento geboortedatum data_urodzenia dogum_tarihi дата_рождения تاريخ_الميلاد
        出生日期 生日 生年月日 วันเกิด
        """,
        "identity": """
        ssn social_security passport_n* tax_id national_id personalausweis* steuernummer numero_de_securite dni nif
        codice_fiscale cpf pesel tc_kimlik* инн снилс паспорт* 身份证 マイナンバー
        """,
        "code": """
        order_number order_no order_id ordernumber orderid customer_number customer_id tracking_number tracking_no coupon* voucher*
        captcha* cptch* humanverify human_verif* sec_code seccode anti_robot* anti_spam случайн*_вопрос* promo_code promocode discount_code gift_card gift_code membership_number member_id booking_reference
        booking_number confirmation_number reservation_number license_key verification_code security_code one_time_* otp
        invoice_number activation_code serial_number bestellnummer* auftragsnummer kundennummer* gutschein* sendungsnummer
        rechnungsnummer rabattcode sicherheitscode numero_de_commande code_promo* bon_de_reduction numero_de_suivi
        numero_de_pedido codigo_promocional codigo_de_descuento cupon* numero_ordine codice_sconto buono_sconto numero_do_pedido
        cupom bestelnummer kortingscode numer_zamowienia kod_rabatowy kupon* siparis_no siparis_numarasi takip_no
        номер_заказа промокод* купон* капч* код_подтвержд* رقم_الطلب قسيمة كوبون رمز_التحقق
        订单号 訂單 优惠码 优惠券 验证码 驗證碼 注文番号 クーポン 認証コード หมายเลขคำสั่งซื้อ คูปอง รหัสยืนยัน
        """,
        "message": """
        message comment comments your_message your_comment feedback nachricht* kommentar* commentaire* votre_message mensaje
        comentario* messaggio commento mensagem bericht wiadomosc komentarz* mesaj* yorum* сообщени* комментар* رسالة رسالتك
        تعليق 留言 评论 評論 メッセージ コメント ความคิดเห็น
        """,
    }
)

_PLACES = PhraseMatcher(
    {
        "place": """
        city town zip* postcode* postal plz postleitzahl stadt ort ville code_postal ciudad codigo_postal citta cidade plaats
        miast* kod_pocztowy sehir posta_kodu город* индекс* مدينة 城市 邮编 市区町村 郵便番号 เมือง web website site ip location
        """
    }
)

_WHOLE = {
    **dict.fromkeys(("cp", "cap", "cep", "plz", "zip", "npa"), "zip"),
    **dict.fromkeys(("date", "datum", "fecha", "tarih", "дата", "dates"), "date"),
    **dict.fromkeys(("ano", "an", "yr", "yyyy", "ปี", "年"), "year"),
    **dict.fromkeys(("ay", "月", "mm", "mes", "mese", "mois"), "month"),
    **dict.fromkeys(("day", "tag", "jour", "dia", "giorno", "dag", "dzien", "gun", "день", "يوم", "日", "วัน", "dd"), "day"),
    **dict.fromkeys(("time", "uhrzeit", "heure", "hora", "ora", "tijd", "godzina", "saat", "время", "وقت", "الوقت", "时间",
                     "時間", "時刻", "เวลา"), "time"),
    **dict.fromkeys(("land", "国", "kraj", "pays", "staat"), "country"),
    **dict.fromkeys(("dil", "lang", "lingua", "taal"), "language"),
    **dict.fromkeys(("cor", "色", "สี"), "colour"),
    **dict.fromkeys(("ort", "stad", "where", "wo", "ou", "donde", "dove", "onde", "waar", "gdzie", "nerede", "где", "place"), "city"),
    **dict.fromkeys(("alter", "age", "edad", "eta", "number"), "number"),
}  # fmt: skip
_WHOLE_IN_LANGUAGE = {
    ("it", "data"): "date",
    ("pt", "data"): "date",
    ("pl", "data"): "date",
    ("ro", "data"): "date",
}

_TYPES = PhraseMatcher(
    {
        "isbn": "isbn isbn10 isbn13 ean gtin",
        "issn": "issn",
        "zip": """
        zip_code zip zipcode postcode* post_code postal_code postal_cd postalcode postleitzahl* plz code_postal
        codigo_postal codigopostal codice_postale codice_avviamento* kod_pocztowy posta_kodu postakodu индекс رمز_البريدي*
        邮政编码 邮编 郵遞區號 郵便番号 รหัสไปรษณีย์
        """,
        "weekday": """
        weekday* day_of_week day_of_the_week wochentag* jour_de_la_semaine dia_de_la_semana giorno_della_settimana dia_da_semana weekdag
        dzien_tygodnia haftanin_gunu день_недели يوم_الاسبوع 星期 曜日 วันในสัปดาห์
        """,
        "date": """
        date datum* published_on date_posted check_in check_out checkin checkout arrival_date departure_date anreise* abreise*
        erscheinungsdatum date_de date_du fecha* tarih* дата дату дате تاريخ 日期 日付 年月日 開始日 終了日 วันที่ arrival departure
        """,
        "number": """
        number_of anzahl nombre_de_pieces rooms* bedrooms bathrooms beds zimmer* pieces habitaciones camere pokoi* oda_sayisi
        комнат* غرف 房间数 部屋数 จำนวนห้อง mileage kilometerstand kilometrage kilometraje chilometraggio quilometragem przebieg*
        kilometre пробег* area_sqm square_f* wohnflache superficie_m* metraz площадь* 面积 面積 duration dauer duree duracion durata
        duracao sure продолжительность quantity 年齢 年龄 年齡 seitenzahl
        """,
        "year": """
        year* jahr* erscheinungsjahr* baujahr* annee* ano_de ano_desde ano_hasta anno jaar jaartal rok roku yil yili год года году سنة
        عام 年份 年度 発行年 開始年 終了年 出版年 ตั้งแต่ปี ถึงปี ปีที่ bouwjaar modelljahr
        """,
        "month": "month* monat* maand* miesiac* месяц* شهر 月份 เดือน",
        "price": """
        price* preis* mindestpreis* hochstpreis* kaufpreis* prix precio* prezzo* preco prijs* prijzen cena cene cen ceny fiyat* цен* سعر
        价格 價格 最低价 最高价 価格 ราคา budget cost kosten miete kaltmiete* rent loyer salary gehalt* salaire* salario* stipendio*
        wynagrodzeni* maas зарплат* راتب 薪资 月薪 給与 เงินเดือน amount
        """,
        "currency": "currency wahrung* devise* monnaie* moneda* divisa* valuta moeda* walut* para_birimi doviz валют* عملة 货币 币种 通貨 สกุลเงิน",
        "country": """
        country* countries nation nationality lander herkunftsland* pays pais paese nazione landen panstwo ulke* стран* دولة بلد
        国家 國家 国名 ประเทศ
        """,
        "language": "language* sprache* langue* idioma* jezyk* язык* لغة 语言 語言 言語 ภาษา locale",
        "colour": "colour* color* farbe* couleur* colore kleur* kolor* renk* цвет* لون 颜色 顏色 カラー",
        "state": "us_state state states bundesland* province",
        "city": """
        city cities town towns stadt* wohnort* ville* ciudad* citta cidade* plaats plaatsnaam miast* sehir* город* مدينة 城市 都市 เมือง
        location* standort* lieu ubicacion localita localidad* lokalizacja konum местоположение 地点 場所 勤務地 near_me nearby
        """,
    }
)

_DATES_BY_LANGUAGE = {
    **dict.fromkeys(("de", "pl", "ru", "tr", "cs", "fi", "no", "da", "uk", "bg", "ro"), "%d.%m.%Y"),
    **dict.fromkeys(("fr", "es", "it", "pt", "el", "vi"), "%d/%m/%Y"),
    "nl": "%d-%m-%Y",
}
