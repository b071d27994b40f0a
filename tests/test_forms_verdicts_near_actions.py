"""Whole verdicts on forms as shops, portals and offices write them, under titles of any kind: many actions look like a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.model import Form

HOME = "http://www.site.example/start"


def form_of(source: str, *, lang: str, title: str) -> Form:
    """Return the one form of a page."""
    page = f'<!DOCTYPE html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title><body>{source}</body></html>'
    (form,) = read_page(page.encode(), HOME, content_type="text/html; charset=utf-8").forms
    return form


SEARCHES = [
    ('en', 'Real estate', "<form action=/listings method=get id=propsearch><input name=location placeholder='Enter a suburb, postcode or region'><select name=beds><option>Any<option>1<option>2<option>3</select><select name=price><option>Any<option>100k<option>200k</select><button>Search properties</button></form>"),
    ('en', 'Buy cheap phones online | Shop', "<form id=search_mini_form action=/catalogsearch/result/ method=get><label for=search>Search:</label><input id=search type=text name=q value='' class=input-text maxlength=128><button type=submit title=Search class=button><span><span>Search</span></span></button></form>"),
    ('en', 'Login - My site', '<form action=/ method=post name=searchform><input name=searchword maxlength=20 type=text value=\'search...\' onfocus="if(this.value==\'search...\') this.value=\'\';"><input type=hidden name=task value=search><input type=hidden name=option value=com_search></form>'),
    ('en', 'Register', "<form id=search-block-form action=/node method=post accept-charset=UTF-8><div class=form-item><label for=e>Search this site: </label><input type=text maxlength=128 name=search_block_form id=e size=15 value='' title='Enter the terms you wish to search for.' class=form-text></div><input type=submit name=op value=Search class=form-submit><input type=hidden name=form_build_id value=form-x1><input type=hidden name=form_id value=search_block_form></form>"),
    ('en', 'Hotel booking', "<form action=/hotels/search method=get><input name=ss placeholder='Where are you going?'><input name=checkin placeholder='Check-in date'><input name=checkout placeholder='Check-out date'><select name=adults><option>1<option>2<option>3</select><button>Search</button></form>"),
    ('en', 'Flight search', "<form action=/flights method=get><input name=from placeholder='From'><input name=to placeholder='To'><input type=date name=depart><input type=date name=return><button>Find flights</button></form>"),
    ('en', 'Support forum', "<form action=https://www.site.example/forum/search.php?do=process method=post><input type=hidden name=do value=process><input type=hidden name=showposts value=0><input type=hidden name=s value=''><input type=hidden name=securitytoken value=guest><input type=text name=query size=20><input type=submit value=Go></form>"),
    ('en', 'Store locator', "<form action=/stores><label>Find a store near you <input name=address placeholder='City, state or ZIP'></label><button>Find</button></form>"),
    ('en', 'Doctors', "<form action=/find-a-doctor method=post><input name=specialty placeholder=Specialty><input name=lastname placeholder='Doctor last name'><select name=gender><option>Any<option>Female<option>Male</select><button>Find a doctor</button></form>"),
    ('en', 'Torrents', "<form action=/usearch/ method=get id=searchform><input name=q placeholder='Search query'><button title=search type=submit><i></i></button><a href=/advanced>advanced</a></form>"),
    ('en', 'Phone book', "<form action=/white-pages><input name=name placeholder='Name'><input name=where placeholder='City or state'><button>Find people</button></form>"),
    ('en', 'Recipes', "<form action=/recipes/results/ method=get><input name=wt placeholder='Find a recipe'><button>Go</button></form>"),
    ('en', 'Lyrics', "<form action=/search.php><input name=q placeholder='Enter artist name or song title'><button>Search</button></form>"),
    ('en', 'Dating', '<form action=/browse><select name=sex><option>Women<option>Men</select> aged <input name=min value=18 size=2> to <input name=max value=99 size=2> near <input name=city><button>Search</button></form>'),
    ('en', 'Government', "<form action=/search id=gov><label for=gq>Search this website</label><input id=gq name=affiliate_query type=text><input type=hidden name=affiliate value=agency><input type=hidden name=utf8 value='&#x2713;'><input type=submit value=Search name=commit></form>"),
    ('en', 'Radio', "<form action=/stations method=get><select name=genre><option>All genres<option>Jazz<option>Rock</select><select name=country><option>All<option>France<option>Japan</select><input type=submit value='Show stations'></form>"),
    ('en', 'Files', "<form action=/files><input type=search name=name placeholder='File name contains'><select name=ext><option>any<option>pdf<option>zip</select><input type=submit value=Filter></form>"),
    ('de', 'Anmelden', "<form action=/suche.html method=get><input type=text name=keywords class=text value='' placeholder='Suchbegriff'><input type=submit class=submit value=Suchen><div><a href=/erweiterte-suche>Erweiterte Suche</a></div></form>"),
    ('de', 'Apotheke', "<form action=/search.php><input name=qs placeholder='Artikelname oder PZN eingeben'><button>Suchen</button></form>"),
    ('de', 'Telefonbuch', "<form action=/suche><input name=wer placeholder='Wer/Was'><input name=wo placeholder='Wo'><input type=submit value=Finden></form>"),
    ('fr', 'Mon panier', "<form id=recherche action=/recherche method=post><input name=recherche placeholder='Rechercher un produit, une marque'><input type=submit value=OK></form>"),
    ('fr', 'Annonces', "<form action=/annonces><select name=cat><option>Toutes<option>Voitures<option>Immobilier</select><input name=texte placeholder='Que recherchez-vous ?'><input name=cp placeholder='Code postal'><button>Lancer la recherche</button></form>"),
    ('fr', 'Journal officiel', '<form action=/rechJO.do method=post><input name=motsTexte><select name=nature><option>Tous<option>Loi<option>Décret</select><input type=submit value=Rechercher><input type=reset value=Effacer></form>'),
    ('fr', 'Pages jaunes', "<form action=/annuaire/chercherlespros><input name=quoiqui placeholder='Activité, nom'><input name=ou placeholder='Adresse, ville'><button>Trouver</button></form>"),
    ('es', 'Inicio', "<form action=/index.php method=get><input name=busqueda value='Buscar...' type=text><input type=image src=lupa.gif alt=Buscar></form>"),
    ('es', 'Coches de segunda mano', '<form action=/coches><select name=marca><option>Marca<option>Seat<option>Ford</select><select name=modelo><option>Modelo<option>Ibiza</select><button>Buscar coches</button></form>'),
    ('es', 'Trabajo', "<form action=/ofertas method=post><input name=palabra placeholder='Cargo, profesión o palabra clave'><input name=ciudad placeholder='¿Dónde?'><input type=submit value='Buscar empleo'></form>"),
    ('it', 'Registrati', "<form action=/cerca/ method=get><input type=text name=testo value='Cerca nel sito' class=campo><input type=submit value=Vai></form>"),
    ('it', 'Case', "<form action=/annunci><select name=tipo><option>Vendita<option>Affitto</select><input name=comune placeholder='Comune, zona'><button>Cerca annunci</button></form>"),
    ('it', 'Gazzetta', "<form action=/ricerca method=post><input name=parole><input type=text name=dal><input type=text name=al><input type=submit value='Avvia ricerca'></form>"),
    ('pt', 'Minha conta', "<form action=/busca method=get><input name=ft placeholder='Digite o que você procura'><button type=submit>OK</button></form>"),
    ('pt', 'Imóveis', "<form action=/imoveis><input name=bairro placeholder='Cidade ou bairro'><button>Encontrar imóveis</button></form>"),
    ('nl', 'Webwinkel', "<form action=/zoekresultaten method=get><input name=zoekterm placeholder='Wat zoekt u?'><button>Zoek</button></form>"),
    ('pl', 'Koszyk', "<form action=/search method=get><input name=orderby type=hidden value=position><input name=search_query placeholder='Wpisz szukaną nazwę produktu'><button name=submit_search>Szukaj</button></form>"),
    ('pl', 'Ogłoszenia', "<form action=/ogloszenia><input name=q placeholder='Czego szukasz?'><input name=miasto placeholder='Cała Polska'><button>Szukaj</button></form>"),
    ('tr', 'Sahibinden', "<form action=/kelime-ile-arama><input name=query_text placeholder='Kelime, ilan no veya mağaza adı ile ara'><button>Ara</button></form>"),
    ('ru', 'Корзина', "<form action=/search/ method=get><input type=text name=q placeholder='Поиск по каталогу' maxlength=50><input name=s type=submit value=Поиск></form>"),
    ('ru', 'Работа', "<form action=/vacancies><input name=text placeholder='Профессия, должность или компания'><button>Найти работу</button></form>"),
    ('ru', 'Расписание', '<form action=/search/><input name=from placeholder=Откуда><input name=to placeholder=Куда><input name=when placeholder=Когда><button>Найти</button></form>'),
    ('uk', 'Кошик', "<form action=/ua/search/><input name=text type=search placeholder='Я шукаю...'><button>Знайти</button></form>"),
    ('cs', 'Košík', "<form action=/vyhledavani/ method=get><input name=string type=search placeholder='Napište, co hledáte'><button>Hledat</button></form>"),
    ('hu', 'Kosár', "<form action=/kereses method=post><input name=keres placeholder='Termék keresése'><button>Keres</button></form>"),
    ('ro', 'Coș', "<form action=/search><input name=q placeholder='Ai libertatea să alegi ce vrei'><button type=submit aria-label=Caută></button></form>"),
    ('sv', 'Varukorg', "<form action=/search/result><input type=search name=q placeholder='Sök bland 30 000 produkter'><button>Sök</button></form>"),
    ('da', 'Kurv', "<form action=/soegning><input name=q placeholder='Søg efter varer'><button></button></form>"),
    ('fi', 'Ostoskori', "<form action=/search><input name=query placeholder='Etsi tuotetta'><button>Etsi</button></form>"),
    ('el', 'Καλάθι', "<form action=/search><input name=keyphrase placeholder='Ψάξε προϊόν, κατηγορία'><button>Αναζήτηση</button></form>"),
    ('zh', '购物车', "<form action=/search><input name=key placeholder='手机 数码'><button>搜 索</button></form>"),
    ('ja', 'ログイン', "<form action=/search/><select name=cat><option>すべて<option>本</select><input name=k placeholder='商品を検索'><input type=submit value=検索></form>"),
    ('ko', '장바구니', "<form action=/product/search.html><input type=hidden name=view_type value=''><input name=keyword value=''><input type=image alt=검색 src=s.gif></form>"),
    ('ar', 'عربة التسوق', "<form action=/search><input name=q placeholder='ابحث عن منتجات'><button>ابحث</button></form>"),
    ('he', 'עגלה', "<form action=/catalogsearch/result/><input name=q placeholder='חפש מוצר'><button>חפש</button></form>"),
    ('vi', 'Giỏ hàng', "<form action=/tim><input name=q placeholder='Bạn cần tìm gì?'><button>Tìm</button></form>"),
    ('th', 'ตะกร้า', "<form action=/search><input name=keyword placeholder='ค้นหาสินค้า'><button>ค้นหา</button></form>"),
    ('id', 'Keranjang', "<form action=/search><input name=q placeholder='Cari di toko ini'><button>Cari</button></form>"),
    ('fa', 'سبد خرید', "<form action=/search><input name=q placeholder='نام کالا را جستجو کنید'><button>جستجو</button></form>"),
    ('hi', 'कार्ट', "<form action=/search><input name=q placeholder='उत्पाद खोजें'><button>खोजें</button></form>"),
]  # fmt: skip

HARMFUL = [
    ('en', 'Search alerts', "<form action=/search/subscribe><input name=q placeholder='Search term'><button>Search</button></form>"),
    ('en', 'Find a domain', "<form action=/cart/domain><input name=q placeholder='Search for a name'><button>Search</button></form>"),
    ('en', 'Search', '<form action=/search method=post><input type=hidden name=cmd value=rebuild><input name=q placeholder=Search><button>Search</button></form>'),
    ('en', 'Bulk edit', "<form action=/search><input name=find placeholder=Find><input name=replace placeholder='Replace with'><button>Replace all</button></form>"),
    ('en', 'Directory', "<form action=/directory method=post><input name=q placeholder='Company name'><button>Add listing</button></form>"),
    ('en', 'Add site', "<form action=/submit><input name=url placeholder='Submit your site to our search engine'><button>Submit</button></form>"),
    ('en', 'Free check', "<form action=/scan><input name=q placeholder='Enter your website'><button>Check now</button></form>"),
    ('en', 'Whois', "<form action=/whois><input name=q placeholder='Domain name'><button>Lookup</button></form>"),
    ('en', 'Ping', "<form action=/tools/ping><input name=host placeholder='Host or IP'><button>Run</button></form>"),
    ('en', 'Translate', "<form action=/translate><input name=text placeholder='Text'><select name=l><option>de<option>fr<option>es</select><button>Translate</button></form>"),
    ('en', 'Calculator', "<form action=/calc><input name=a placeholder='Amount'><input name=b placeholder='Rate'><button>Calculate</button></form>"),
    ('en', 'Quiz', '<form action=/quiz><input type=radio name=a value=1>A <input type=radio name=a value=2>B <button>Next</button></form>'),
    ('en', 'Send SMS', "<form action=/sms><input name=q placeholder='Mobile'><button>Go</button></form>"),
    ('en', 'Age check', "<form action=/enter><input name=year placeholder='Year of birth'><button>Enter</button></form>"),
    ('en', 'Join call', "<form action=/join><input name=room placeholder='Room name'><button>Join</button></form>"),
    ('en', 'Queue', "<form action=/queue><input name=song placeholder='Find a song to request'><button>Request song</button></form>"),
    ('en', 'Tags', "<form action=/tags method=post><input name=q placeholder='Search or create tag'><button>Add</button></form>"),
    ('en', 'Follow', "<form action=/people><input name=q placeholder='Search people'><button>Follow</button></form>"),
    ('en', 'Ban', "<form action=/admin/users><input name=q placeholder='Search user'><button>Ban user</button></form>"),
    ('en', 'Merge', "<form action=/items/merge><input name=q placeholder='Search item'><button>Search</button></form>"),
    ('en', 'Print', "<form action=/print method=post><input name=q placeholder='Pages'><button>Print</button></form>"),
    ('en', 'Export', '<form action=/export method=post><select name=f><option>csv<option>xml<option>json</select><button>Export</button></form>'),
    ('en', 'Toggle', '<form action=/feature method=post><input type=checkbox name=on value=1><button>Apply</button></form>'),
    ('en', 'Sync', '<form action=/sync method=post><input name=q placeholder=Source><button>Start sync</button></form>'),
    ('en', 'Backup', "<form action=/backup method=post><input name=name placeholder='Backup name'><button>Start</button></form>"),
    ('en', 'Crawl', "<form action=/crawl method=post><input name=u placeholder='Seed'><button>Start crawl</button></form>"),
    ('en', 'Mail search', "<form action=/search><input name=q placeholder='Search mail'><button>Send</button></form>"),
    ('de', 'Merken', '<form action=/suche method=post><input name=q placeholder=Suche><button>Suche merken</button></form>'),
    ('de', 'Auftrag', '<form action=/suche method=post><input name=q placeholder=Suchbegriff><button>Suchauftrag anlegen</button></form>'),
    ('de', 'Termin', "<form action=/termin><input name=name placeholder='Ihr Name'><button>Termin vereinbaren</button></form>"),
    ('de', 'Zähler', "<form action=/zaehler method=post><input name=stand placeholder='Zählerstand'><button>Absenden</button></form>"),
    ('de', 'Gästebuch', "<form action=/gb method=post><input name=t placeholder='Ihr Eintrag'><button>Eintragen</button></form>"),
    ('fr', 'Alerte', "<form action=/recherche/alerte><input name=q placeholder='Rechercher'><button>Créer une alerte</button></form>"),
    ('fr', 'Avis', "<form action=/avis method=post><input name=q placeholder='Votre avis'><button>Publier</button></form>"),
    ('fr', 'Résilier', "<form action=/recherche><input name=q placeholder='Rechercher un contrat'><button>Rechercher et résilier</button></form>"),
    ('es', 'Denuncia', "<form action=/denuncia><input name=q placeholder='Motivo'><button>Denunciar</button></form>"),
    ('es', 'Alta', "<form action=/alta method=post><input name=nombre placeholder='Nombre'><button>Dar de alta</button></form>"),
    ('it', 'Prenota', '<form action=/prenota><input name=data><button>Prenota ora</button></form>'),
    ('it', 'Segnala', '<form action=/cerca method=post><input name=q placeholder=Cerca><button>Segnala</button></form>'),
    ('pt', 'Inscrição', "<form action=/inscricao method=post><input name=n placeholder='Nome'><button>Inscrever</button></form>"),
    ('nl', 'Aanmelden', '<form action=/zoeken method=post><input name=q placeholder=Zoeken><button>Zoekopdracht bewaren</button></form>'),
    ('pl', 'Alert', '<form action=/szukaj method=post><input name=q placeholder=Szukaj><button>Zapisz wyszukiwanie</button></form>'),
    ('ru', 'Отзыв', "<form action=/otzyv><input name=q placeholder='Ваш отзыв'><button>Опубликовать</button></form>"),
    ('ru', 'Подписка', "<form action=/search method=post><input name=q placeholder='Поиск'><button>Подписаться на поиск</button></form>"),
    ('tr', 'Kaydet', '<form action=/ara method=post><input name=q placeholder=Ara><button>Aramayı kaydet</button></form>'),
    ('ja', '保存', '<form action=/search method=post><input name=q placeholder=検索><button>検索条件を保存</button></form>'),
    ('zh', '保存', '<form action=/search method=post><input name=q placeholder=搜索><button>保存搜索</button></form>'),
    ('ko', '저장', '<form action=/search method=post><input name=q placeholder=검색><button>검색 조건 저장</button></form>'),
    ('ar', 'حفظ', '<form action=/search method=post><input name=q placeholder=بحث><button>حفظ البحث</button></form>'),
    ('sv', 'Bevaka', '<form action=/sok method=post><input name=q placeholder=Sök><button>Spara sökning</button></form>'),
    ('fi', 'Vahti', '<form action=/haku method=post><input name=q placeholder=Haku><button>Luo hakuvahti</button></form>'),
    ('da', 'Agent', '<form action=/soeg method=post><input name=q placeholder=Søg><button>Opret søgeagent</button></form>'),
    ('cs', 'Hlídač', '<form action=/hledat method=post><input name=q placeholder=Hledat><button>Hlídat hledání</button></form>'),
    ('hu', 'Figyelő', '<form action=/kereses method=post><input name=q placeholder=Keresés><button>Keresés figyelése</button></form>'),
    ('ro', 'Alertă', '<form action=/cauta method=post><input name=q placeholder=Caută><button>Urmărește căutarea</button></form>'),
    ('el', 'Ειδοποίηση', '<form action=/search method=post><input name=q placeholder=Αναζήτηση><button>Παρακολούθηση αναζήτησης</button></form>'),
    ('uk', 'Стеження', '<form action=/poshuk method=post><input name=q placeholder=Пошук><button>Стежити за пошуком</button></form>'),
    ('vi', 'Lưu', "<form action=/tim-kiem method=post><input name=q placeholder='Tìm kiếm'><button>Theo dõi tìm kiếm</button></form>"),
    ('id', 'Simpan', '<form action=/cari method=post><input name=q placeholder=Cari><button>Ikuti pencarian</button></form>'),
    ('he', 'שמור', '<form action=/search method=post><input name=q placeholder=חיפוש><button>עקוב אחר חיפוש</button></form>'),
    ('fa', 'ذخیره', '<form action=/search method=post><input name=q placeholder=جستجو><button>دنبال کردن جستجو</button></form>'),
    ('hi', 'सहेजें', '<form action=/search method=post><input name=q placeholder=खोज><button>खोज का पालन करें</button></form>'),
]  # fmt: skip


@pytest.mark.parametrize(("language", "title", "source"), SEARCHES)
def test_a_search_is_submitted_whatever_its_page_is_about(language: str, title: str, source: str) -> None:
    assert judge_form(form_of(source, lang=language, title=title), allow_post=True).refusals == ()


@pytest.mark.parametrize(("language", "title", "source"), HARMFUL)
def test_an_action_near_a_search_is_not_submitted(language: str, title: str, source: str) -> None:
    assert not judge_form(form_of(source, lang=language, title=title), allow_post=True).may_submit


@pytest.mark.parametrize(
    ("command", "is_submitted"),
    [
        ("search", True),
        ("vindex", True),
        ("Show Decks", True),
        ("rebuild", False),
        ("ban", False),
        ("sync", False),
    ],
)
def test_of_a_clear_search_a_command_counts_that_is_known_as_an_action(
    command: str, is_submitted: bool
) -> None:
    source = f'<form action=/search role=search><input type=hidden name=cmd value="{command}"><input type=search name=q placeholder=Search><button>Search</button></form>'

    assert judge_form(form_of(source, lang="en", title="")).may_submit is is_submitted


@pytest.mark.parametrize(
    ("box", "is_submitted"),
    [
        ("City, state or ZIP", True),
        ("Ort oder PLZ", True),
        ("Ville ou code postal", True),
        ("ZIP code", False),
        ("Order number or ZIP", False),
    ],
)
def test_a_box_for_places_takes_words_where_it_lists_places_that_have_names(
    box: str, is_submitted: bool
) -> None:
    source = (
        f'<form action=/stores/search><input name=place placeholder="{box}"><button>Search</button></form>'
    )

    assert judge_form(form_of(source, lang="en", title="")).may_submit is is_submitted


@pytest.mark.parametrize(
    ("label", "sentence", "is_submitted"),
    [
        ("Event name", "", True),
        ("Event name", "Taking part in our daily offers is included, cancel any time.", False),
        ("Event name", "The search looks at titles and descriptions alike.", True),
        ("Search events", "Taking part in a festival is a joy for young and old.", True),
    ],
    ids=["nothing", "a promise", "help with the search", "a box that says what it does"],
)
def test_a_sentence_in_the_form_counts_where_its_box_does_not_say_that_it_searches(
    label: str, sentence: str, is_submitted: bool
) -> None:
    source = f'<form action=/search role=search><input type=search name=q placeholder="{label}"><p>{sentence}</p><button>Show</button></form>'

    assert judge_form(form_of(source, lang="en", title="")).may_submit is is_submitted


@pytest.mark.parametrize(
    ("language", "question", "is_submitted"),
    [
        ("en", "What are you interested in?", True),
        ("en", "Do you have a discount card?", False),
        ("es", "¿Tienes un vale?", False),
        ("pl", "Jak zwykle się Pan loguje?", False),
        ("ja", "割引券をお持ちですか", False),
        ("zh", "有代金券吗", False),
    ],
)
def test_a_question_about_the_visitors_themselves_is_no_search(
    language: str, question: str, is_submitted: bool
) -> None:
    source = f"<form action=/search id=search><label>{question} <input name=query></label><button>Go</button></form>"

    assert judge_form(form_of(source, lang=language, title="")).may_submit is is_submitted
