"""The words by which people recognise what a form is for, in the languages we know.

Each purpose has one text of patterns, a line for each language: en de fr es it pt nl pl tr ru ar zh ja th. A pattern is a
word, a beginning of words (`abonn*`) or a phrase (`add to`, written `add_to`); in scripts without spaces it is any part of
the text. Everything is compared folded: lower case, no accents, `ß` as `ss`, `ı` as `i`. Words are looked up, not searched
for: a text costs a few dictionary look-ups a word, however many patterns there are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TOKEN = re.compile(r"[^\W_]+|\|")
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_ACCENTS = re.compile("[\u0300-\u036f\u064b-\u0655\u0640]")
_ARTICLE = re.compile("(?:[وفبلك]?ال|لل|[وفبلك])(?=\\w{2})")  # what Arabic writes together with the next word


class Vocabulary:
    """Patterns of several purposes, and a quick way to find the first of them in a text."""

    def __init__(self, purposes: Mapping[str, str]) -> None:
        self._words: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._beginnings: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        unspaced: dict[str, str] = {}
        for purpose, patterns in purposes.items():
            for pattern in folded(patterns).split():
                if _UNSPACED.search(pattern):
                    unspaced.setdefault(pattern, purpose)
                else:
                    self._add(tuple(re.findall(r"[^\W_]+\*?", pattern)), purpose)
        self._lengths = sorted({len(beginning) for beginning in self._beginnings})
        self._unspaced = unspaced
        self._unspaced_pattern = re.compile("|".join(map(re.escape, unspaced)) or r"(?!)")

    def find(self, text: str) -> tuple[str, str] | None:
        """Return the purpose of the first pattern found in a text, and the words that say so; `|` ends a phrase."""
        text = folded(text)
        if _UNSPACED.search(text) and (found := self._unspaced_pattern.search(text)):
            return self._unspaced[found[0]], found[0]
        tokens = _TOKEN.findall(text)
        for at, token in enumerate(tokens):
            for rest, purpose in self._starting_with(token):
                if _follow(tokens, at + 1, rest):
                    return purpose, " ".join(tokens[at : at + 1 + len(rest)])
        return None

    def word_in(self, text: str) -> str:
        """Return the first words of a text that a pattern names, or nothing."""
        found = self.find(text)
        return found[1] if found else ""

    def _add(self, tokens: tuple[str, ...], purpose: str) -> None:
        first, rest = tokens[0], tokens[1:]
        index = self._beginnings if first.endswith("*") else self._words
        index.setdefault(first.removesuffix("*"), []).append((rest, purpose))

    def _starting_with(self, token: str) -> Iterator[tuple[tuple[str, ...], str]]:
        yield from self._words.get(token, ())
        for length in self._lengths:
            if length > len(token):
                break
            yield from self._beginnings.get(token[:length], ())
        if token >= "\u0600" and (article := _ARTICLE.match(token)):
            yield from self._starting_with(token[article.end() :])


def identifier_words(identifier: str) -> str:
    """Return the words of a name made for machines.

    >>> identifier_words("addToCart_2[item-id]"), identifier_words("ctl00$Main$btnSearch")
    ('add To Cart item id', 'ctl Main btn Search')
    """
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", identifier)
    return " ".join(re.findall(r"[^\W\d_]+", spaced))


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return a text as it is compared: lower case, without accents."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold().replace("ı", "i").replace("ł", "l")
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def _follow(tokens: list[str], at: int, wanted: tuple[str, ...]) -> bool:
    """Say whether words, or words with these beginnings, stand at a place."""
    if at + len(wanted) > len(tokens):
        return False
    return all(
        token.startswith(want[:-1]) if want.endswith("*") else token == want
        for token, want in zip(tokens[at:], wanted, strict=False)
    )


SEARCH = Vocabulary(
    {
        "search": """
search* find finder lookup look_up query keyword* searchterm* browse seek
such* finde finden stichwort* schlagwort* stobern volltext*
recherch* cherch* rechercher trouver mot*_cle* mots-cles trouvez
busca* buscador encontrar palabra*_clave* consulta*
cerca cercare ricerca* trova trovare parol*_chiave
busca* pesquis* procur* palavra*_chave* localizar
zoek* vind vinden trefwoord*
szuka* wyszuk* znajdz slow*_kluczow* przeszukaj* poszuk*
ara arama* aran* bul bulun anahtar_kelime* sorgu* sorgula*
поиск* искать найти найд* ищ* разыск* ключев*_слов* запрос*
بحث ابحث البحث للبحث بحث* اعثر كلم*_مفتاحي* كلم*_البحث
搜索 搜尋 搜寻 检索 檢索 查找 查询 查詢 关键词 關鍵字 关键字 搜一下 查一查
検索 探す さがす 探し サーチ キーワード 調べる
ค้นหา ค้น คำค้น คำสำคัญ สืบค้น
"""
    }
)

GO = Vocabulary(
    {
        "search": """
go ok okay submit show los anzeigen weiter aller valider ir vai invia ok ga idz pokaz git goster вперед показать
اذهب عرض انطلق 前往 确定 执行 行く 実行 表示 ไป ตกลง แสดง
"""
    }
)

# Enough to leave a form alone wherever they stand in it.
PLAIN_PURPOSES = Vocabulary(
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
        forgot* recover_* recovery reset_password account* my_account
        vergessen konto kontos kontonummer* wiederherstell* mein_profil
        oubli* compte comptes recuperer retrouver_mon mon_profil
        olvid* cuenta cuentas recuperar mi_perfil
        dimentic* account recuper*
        esquec* conta recuperar
        vergeten herstel*
        zapomnial* odzysk* konto konta kontem
        unut* hesap* hesab*
        забыл* восстанов* аккаунт* учетн*_запис* личн*_кабинет*
        نسيت حساب حسابي حسابك استعادة استرداد استرجاع ملف*_الشخصي
        忘记 忘記 找回 账户 帳戶 账号 帳號 我的账
        お忘れ 忘れた 忘れ 再設定 アカウント マイページ
        ลืม กู้คืน บัญชี
    """,
        "newsletter": """
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
    """,
        "deletion": """
        delete* deletion remove_* removal deactivat* erase wipe
        loschen losche loschung entfern* loeschen
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
OTHER_PURPOSES = Vocabulary(
    {
        "e-mail": """
        e-mail* email* mail mailto mailbox inbox e_mail
        e-mail* mailadresse* emailadresse*
        courriel* adresse_e-mail
        correo* email*
        posta_elettronica
        e-post*
        poczt* adres_e-mail
        e-posta* eposta*
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
        手机 手機 电话 電話 姓名 您的姓名 身份证
        電話番号 お名前 氏名 携帯電話
        โทรศัพท์ เบอร์โทร นามสกุล ชื่อของคุณ
    """,
        "donation": "don dons dona ode paga give_now spenden",
        "contact": """
        contact contact_us contact_form feedback write_to_us get_in_touch message messages send send_message inquiry
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
        ติดต่อ ข้อความ ส่ง ข้อเสนอแนะ
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
        طلب الطلب اطلب طلبك فاتورة
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
        予約 ご予約 空室
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
        upload* attach* attachment* choose_file
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
        пожалов* жалоб* сообщить_о
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
        petizion* firma firmare
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
        "change": """
        add edit update save insert create new_entry publish unlock cancel join follow like apply submit_your enter_to
        hinzufug* bearbeit* speicher* aktualisier* anlegen stornier* kundig* bewerb* beitreten folgen teilnehm*
        ajouter modifier enregistrer mettre_a_jour annuler resilier postuler rejoindre participer
        anadir agregar editar guardar actualizar crear cancelar solicitar participar seguir
        aggiungi modifica salva aggiorna annulla partecipa candidati segui
        adicionar editar salvar atualizar cancelar participar seguir
        toevoeg* bewerk* opslaan bijwerk* annuleer* deelnem* volgen
        dodaj edytuj zapisz aktualizuj anuluj aplikuj dolacz obserwuj wez_udzial
        ekle duzenle kaydet guncelle iptal basvur* katil* takip_et
        добав* редактир* сохран* обнов* отмен* участв* присоедин* подать
        اضافة إضافة اضف تعديل حفظ تحديث الغاء إلغاء شارك انضم
        添加 新增 编辑 編輯 保存 更新 取消 申请 申請 参加 报名 提交
        追加 編集 保存 更新 キャンセル 応募 申し込 申込 参加
        sil borrar borra cancella cancellare effacer wissen ลบ 清除 消去
        เพิ่ม แก้ไข บันทึก อัปเดต ยกเลิก สมัคร เข้าร่วม
    """,
        "calculation": """
        calculat* convert* converter amount translate whois domain_name
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
STATE_CHANGES = Vocabulary(
    {
        "change": """
    add delete del remove rm destroy drop edit update insert create publish vote subscribe
    unsubscribe signup signin login logout logoff register registration join cart basket checkout buy purchase orders
    pay payment donate donation booking reserve reservation upload comment reply contact feedback email
    newsletter flag abuse confirm verify activate redeem coupon voucher invite tracking petition consent
    cookie cookies currency setlang password passwd recover recovery reset forgot account cancel apply approve
    reject accept decline block ban mute unlock install
"""
    }
)

RUN_TOGETHER = re.compile(
    "newsletter|subscri|signup|signin|login|logout|passw|addto|checkout|captcha|donat|petition|voucher|coupon|optout|register"
)
