"""Whole verdicts on forms as software of many kinds writes them: catalogues, registers, trackers; newsletters, carts, consoles.

The pages were written down before the rules were tried on them. Where a verdict is wrong, the rule is at fault, not the page.
"""

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


SEARCHES = {
    # Libraries and archives
    "library, selects beside the box": ("en", "Library catalog", '<h1>Welcome to the library</h1><form name=searchform method=get action=/cgi-bin/opac-search.pl id=searchform><label for=masthead_search>Search the catalog by:</label><select name=idx id=masthead_search><option value="">Library catalog<option value=ti>Title<option value=au>Author<option value=nb>ISBN</select><input type=text name=q id=translControl1 placeholder="Type search term"><button type=submit id=searchsubmit title=Search>Go</button></form>'),
    "library, several columns": ("de", "OPAC der Stadtbücherei", '<form action=/webOPACClient/search.do method=post><label>Titel <input name="searchString[0]"></label><label>Verfasser <input name="searchString[1]"></label><label>Schlagwort <input name="searchString[2]"></label><label>ISBN <input name="searchString[3]"></label><input type=submit name=submit2 value=Suchen><input type=reset value="Eingaben löschen"></form>'),
    "library, the account beside it": ("sv", "Stadsbiblioteket", '<div><a href=/login>Logga in</a> Mitt konto</div><form action=/sok class=search-form><label for=s>Sök böcker, filmer och musik</label><input id=s name=query type=text><button type=submit>Sök</button></form>'),
    "library, fr": ("fr", "Médiathèque municipale - Mon compte", '<form action=/Default/search.aspx method=get><input name=QUERY type=text title="Rechercher dans le catalogue" placeholder="Titre, auteur, sujet..."><input type=submit value=Rechercher></form>'),
    "archive, dates": ("nl", "Stadsarchief", '<p>Doorzoek de akten van de burgerlijke stand.</p><form action=/personen/zoek><label>Achternaam <input name=achternaam></label><label>Plaats <input name=plaats></label><label>Van jaar <input name=van size=4></label><label>tot jaar <input name=tot size=4></label><label>Alles doorzoeken <input name=zoekterm></label><input type=submit value=Zoeken></form>'),
    "archive, a finding aid": ("pl", "Szukaj w Archiwach", '<form action=/pl/zespoly method=get><input type=text name=query placeholder="Wpisz szukane słowo"><input type=checkbox name=skany value=1> tylko ze skanami <button type=submit>Wyszukaj</button></form>'),
    "museum": ("it", "Museo civico - Collezioni", '<form id=ricerca-opere action=/opere method=get><label>Autore <input name=autore></label><label>Titolo <input name=titolo></label><label>Parole chiave <input name=parole></label><button>Avvia la ricerca</button></form>'),
    "repository": ("es", "Repositorio institucional", '<form action=/simple-search method=get role=search><input type=text name=query placeholder="Buscar en el repositorio"><select name=location><option value="">Todo el repositorio<option>Tesis<option>Artículos</select><button type=submit>Ir</button></form>'),
    "dictionary": ("de", "Wörterbuch", '<form action=/lookup method=get><input name=word placeholder="Wort nachschlagen"><select name=dict><option>Deutsch-Englisch<option>Deutsch-Französisch</select><button>Nachschlagen</button></form>'),
    "hymns by number or line": ("en", "Hymnal", '<form action=/search method=get><input type=search name=qu placeholder="Title, first line or number"><button type=submit>Search hymns</button></form>'),
    # Courts, registers, offices
    "court, decisions": ("en", "Decisions of the Supreme Court", '<h2>Search judgments</h2><form action=/judgments method=get><label>Party name <input name=party></label><label>Case number <input name=caseno></label><label>Words in the text <input name=text></label><label>Judge <select name=judge><option value="">Any<option>Smith<option>Jones<option>Brown</select></label><input type=submit value=Search></form>'),
    "court, de": ("de", "Rechtsprechung", '<form action=/rechtsprechung/suche method=get><label for=a>Suchbegriffe</label><input id=a name=text><label for=b>Aktenzeichen</label><input id=b name=az><label for=c>Datum</label><input id=c name=datum><button type=submit>Suche starten</button></form>'),
    "company register": ("en", "Companies register", '<h1>Search the register</h1><form action=/register/search><label for=q>Company name or officer</label><input id=q name=q><button>Search</button></form>'),
    "company register, da": ("da", "Virksomhedsregister", '<form action=/enhed/soeg><input name=fritekst type=search placeholder="Søg på navn, branche eller adresse"><button type=submit>Søg</button></form>'),
    "tenders": ("pt", "Portal de licitações", '<form action=/licitacoes method=get><label>Palavra-chave <input name=palavra></label><label>Modalidade <select name=mod><option value="">Todas<option>Pregão<option>Concorrência</select></label><button type=submit class=btn-pesquisar>Pesquisar</button><button type=reset>Limpar</button></form>'),
    "patents": ("en", "Patent database", '<form method=post action=/patents/result><label>Keyword(s) in title or abstract <input name=TI_AB></label><label>Applicant <input name=PA></label><label>Inventor <input name=IN></label><input type=submit value=Search></form>'),
    "laws": ("uk", "Законодавство України", '<form action=/laws/find method=post><input type=text name=textl placeholder="Слова у назві або тексті"><button type=submit>Пошук</button></form>'),
    "monuments": ("cs", "Památkový katalog", '<form action=/pamatky method=get><input name=q placeholder="Název, obec nebo rejstříkové číslo ÚSKP"><button>Vyhledat</button></form>'),
    "statistics": ("ro", "Baza de date statistice", '<form action=/cautare.php method=get><input type=text name=cuv value="" title="Introduceți cuvinte cheie"><input type=submit value="Caută"></form>'),
    "parliament": ("hu", "Országgyűlés - irományok", '<form action=/iromanyok/lista method=get><label>Szövegrész <input name=szoveg></label><label>Típus <select name=tipus><option value="">Mind<option>törvényjavaslat<option>kérdés</select></label><button>Keresés</button></form>'),
    "planning applications": ("en", "Planning applications", '<h1>Simple search</h1><p>Search for planning applications by keyword or the name of a street. To comment on an application you need to register.</p><form action=/online-applications/simpleSearchResults.do method=post><input type=hidden name=searchType value=Application><input name=searchCriteria.simpleSearchString><input type=submit value=Search></form>'),
    # Wikis, trackers, code
    "wiki": ("en", "Start page", '<form action=/index.php id=searchform><input type=search name=search placeholder="Search this wiki" accesskey=f><input type=hidden name=title value=Special:Search><button name=go value=Go>Go</button><button name=fulltext value=Search>Search</button></form>'),
    "wiki, with a command": ("de", "start [Wiki]", '<form action=/doku.php method=get role=search class=search id=dw__search><input type=hidden name=do value=search><input type=hidden name=id value=start><input name=q type=text title="[F]" placeholder=Suche><button value=1 type=submit title=Suche>Suche</button></form>'),
    "wiki, title and text": ("fr", "PageAccueil", '<form method=post action=/RechercheTexte><input name=phrase size=15 class=searchbox><input type=submit value="Chercher"></form>'),
    "tracker, many selects": ("en", "Search for bugs", '<form method=get action=buglist.cgi><input type=hidden name=query_format value=specific><input type=hidden name=order value="relevance desc"><label>Status <select name=bug_status><option>Open<option>Closed<option>All</select></label><label>Product <select name=product><option>All<option>Firefox<option>Core<option>Thunderbird</select></label><label>Words <input name=content size=40></label><input type=submit value=Search id=search></form>'),
    "tracker, a number or words": ("en", "Issue tracker", '<form method=get action=/issue role=search><input type=hidden name=@columns value="title,id,activity,status"><input type=hidden name=@filter value=status><input type=hidden name=status value=open,pending><label>Issue text or number: <input name=@search_text size=10></label><input type=submit value=Search></form>'),
    "project manager": ("en", "Overview - Redmine", '<form action=/search accept-charset=UTF-8 name=form-x method=get><input type=hidden name=scope><label for=q><a href=/search>Search</a>:</label><input type=text name=q id=q size=20 class=small accesskey=f></form>'),
    "package index": ("en", "Package index", '<form class=search-form action=/search/ role=search><label for=search>Search packages</label><input id=search type=text name=q placeholder="Search projects" autocomplete=off><button type=submit><span class=sr-only>Search</span></button></form>'),
    "packages, radios": ("en", "Packages", '<h2>Search package directories</h2><form method=get action=/search><label>Keyword: <input type=text name=keywords size=30></label><input type=submit value=Search><input type=reset value=Reset><br>Search on: <input type=radio name=searchon value=names checked>Package names only <input type=radio name=searchon value=all>Descriptions <select name=suite><option>stable<option>testing<option>all</select></form>'),
    "source browser": ("en", "projects / summary", '<form method=get action=/git/><div class=search><input name=p type=hidden value=a.git><input name=a type=hidden value=search><input name=h type=hidden value=HEAD><select name=st><option>commit<option>grep<option>author<option>committer</select> search: <input type=text name=s><label><input type=checkbox name=sr value=1>re</label></div></form>'),
    "mailing list archive": ("en", "Archives of dev@lists", '<form action=/archives/list/dev/search><input type=text name=q placeholder="Search this list"><button type=submit>Search</button></form>'),
    "forum": ("fr", "Forum - Index", '<form action=./search.php method=get id=search><input name=keywords type=search maxlength=128 title="Rechercher par mots-clés" placeholder="Recherche…"><button type=submit title=Rechercher>Rechercher</button><a href=./search.php>Recherche avancée</a><input type=hidden name=sid value=0a1b2c3d4e5f6a7b></form>'),
    "forum, ru": ("ru", "Форум о рыбалке", '<p>Добро пожаловать на наш форум! Чтобы писать сообщения, нужно войти.</p><form action=/forum/search method=post><input type=text name=words placeholder="Поиск по форуму"><input type=submit value=Искать></form>'),
    "questions": ("en", "Questions", '<form action=/questions/search><input type=search name=q placeholder="Search questions, users, tags…"><a href=/ask>Ask a question</a></form>'),
    # Databases and science
    "database, a table": ("en", "plants: 1,043 rows", '<form class=filters action=/db/plants method=get><input id=_search type=search name=_search value=""><select name=_filter_column><option value="">- column -<option>genus<option>species</select><select name=_filter_op><option>=<option>contains</select><input name=_filter_value class=filter-value><input type=submit value=Apply></form>'),
    "database, a stored query": ("en", "Films by title", '<form class="sql core" action=/db/films_by_title method=get><h3>Query parameters</h3><p><label for=qp1>title</label> <input type=search id=qp1 name=title value=""></p><input type=submit value="Run query"></form>'),
    "keyserver": ("en", "OpenPGP key server", '<h1>OpenPGP Public Key Server</h1><p>Commands: extracting a key, submitting a key. Each key holds names and email addresses.</p><form action=/pks/lookup method=get><p>Search string: <input name=search size=40></p><p><input type=radio name=op value=index checked> Get index of matching keys <input type=radio name=op value=vindex> Get verbose index <input type=checkbox name=fingerprint> Show fingerprints</p><input type=reset value=Reset> <input type=submit value="Do the search!"></form>'),
    "full-text engine": ("ja", "文書検索", '<form method=get action=namazu.cgi><strong>検索式:</strong><input type=text name=query size=40><input type=submit name=submit value="検索！"><a href="namazu.cgi">[検索方法]</a><br>表示件数: <select name=max><option>10<option>20<option>50</select></form>'),
    "full-text engine, in a frame": ("en", "Omega", '<form name=P method=get action=omega><input name=P size=65 value=""><input type=submit value=Search><input type=hidden name=DB value=default></form>'),
    "full-text engine, by POST": ("en", "Search engine", '<form method=post action=/cgi-bin/htsearch>Match: <select name=method><option value=and>All<option value=or>Any</select> Format: <select name=format><option>Long<option>Short</select><input type=hidden name=config value=htdig><input type=hidden name=restrict value=""><input type=hidden name=exclude value="">Search: <input type=text size=30 name=words value=""><input type=submit value=Search></form>'),
    "compounds": ("en", "Chemistry WebBook", '<form action=/cgi/cbook.cgi method=get><label>Enter a chemical species name or pattern: <input name=Name size=40></label><input type=submit value=Search></form>'),
    "species": ("zh", "物种数据库", '<form action=/species/list method=get><input name=name placeholder="请输入物种名称"><button type=submit>查 询</button></form>'),
    "bibliography": ("en", "Bibliography", '<form action=/pubmed/ class=term><input name=term type=search placeholder="Enter a journal, author, or title"><button type=submit class=search-btn>Search</button></form>'),
    "earthquakes": ("el", "Κατάλογος σεισμών", '<form action=/katalogos method=get><label>Περιοχή <input name=area></label><button>Αναζήτηση</button></form>'),
    # Shops, listings, places
    "shop": ("de", "Warenkorb - Gartenmarkt", '<form action=/search class=header-search><input type=search name=search placeholder="Suchbegriff eingeben ..." minlength=3><button type=submit aria-label=Suchen><span></span></button></form>'),
    "shop, with categories": ("tr", "Sepetim", '<form action=/ara method=get><select name=kat><option>Tüm Kategoriler<option>Kitap<option>Müzik</select><input type=text name=q placeholder="Ürün, kategori veya marka ara"><button type=submit>Ara</button></form>'),
    "shop, by a route": ("ru", "Оформление заказа", '<form action=/index.php><input type=hidden name=route value=product/search><input name=search placeholder="Поиск по товарам"><button type=submit></button></form>'),
    "jobs": ("fi", "Avoimet työpaikat", '<form action=/tyopaikat method=get><input name=haku placeholder="Ammatti, hakusana tai yritys"><input name=paikka placeholder=Paikkakunta><button>Hae työpaikkoja</button></form>'),
    "jobs, en": ("en", "Find your next job", '<form action=/jobs><label>What <input name=q placeholder="Job title, keywords, or company"></label><label>Where <input name=l placeholder="City, state or zip"></label><button>Find Jobs</button></form>'),
    "homes": ("es", "Pisos en venta", '<form action=/buscar-pisos><select name=tipo><option>Piso<option>Casa<option>Garaje</select><input name=zona placeholder="Barrio o ciudad"><button>Buscar vivienda</button></form>'),
    "recipes": ("no", "Oppskrifter", '<form action=/oppskrifter><input type=search name=s placeholder="Finn oppskrift eller ingrediens"><button>Søk</button></form>'),
    "events": ("ca", "Agenda cultural", '<form action=/agenda method=get><input name=text placeholder="Cerca activitats"><input type=date name=des><button>Cerca</button></form>'),
    "cars, choices only": ("en", "Used cars", '<form action=/cars method=get><select name=make><option value="">Any make<option>Ford<option>Opel<option>Seat</select><select name=model><option value="">Any model<option>A<option>B</select><button>Search cars</button></form>'),
    "places": ("ko", "지점 안내", '<form action=/branch method=get><input name=keyword placeholder="지점명 또는 주소"><button type=submit>검색</button></form>'),
    "travel": ("ar", "دليل المدن", '<form action=/cities method=get><input name=q placeholder="ابحث عن مدينة"><button>بحث</button></form>'),
    # News, pages of an owner
    "blog": ("en", "Notes from a garden", '<form role=search method=get class=search-form action=/><label><span class=screen-reader-text>Search for:</span><input type=search class=search-field placeholder="Search …" name=s></label><input type=submit class=search-submit value=Search></form>'),
    "newspaper": ("th", "ข่าวล่าสุด", '<form action=/search method=get><input name=q placeholder="ค้นหาข่าว"><button>ค้นหา</button></form>'),
    "magazine, subscribe in the title": ("en", "Subscribe to the magazine", '<form action=/archive/search method=get><input type=search name=q placeholder="Search the archive"><button>Search</button></form>'),
    "help pages": ("pt", "Central de ajuda", '<h1>Olá, como podemos ajudar?</h1><form role=search action=/hc/pt-br/search method=get><input type=search name=query placeholder="Digite sua dúvida"></form>'),
    "help pages, en": ("en", "Help center", '<h1>How can we help?</h1><form role=search class=search action=/hc/en-us/search method=get><input type=search name=query id=query placeholder="Enter your search term here..." aria-label="Enter your search term here..."><input type=submit name=commit value=Search></form>'),
    "university staff": ("he", "אוניברסיטה - סגל", '<form action=/staff/search><input type=search name=q placeholder="חיפוש לפי שם או מחלקה"><button>חיפוש</button></form>'),
    "government": ("vi", "Cổng thông tin", '<form action=/tim-kiem method=get><input name=tukhoa placeholder="Nhập từ khóa tìm kiếm..."><button>Tìm kiếm</button></form>'),
    "encyclopedia": ("fa", "دانشنامه", '<form action=/w/index.php><input type=search name=search placeholder="جستجو در دانشنامه"><input type=hidden name=title value=Special:Search><input type=submit name=fulltext value=جستجو></form>'),
    "laws, hr": ("hr", "Službeni glasnik", '<form action=/pretraga.aspx method=get><input name=upit placeholder="Upišite pojam"><input type=submit value="Traži"></form>'),
    "bulletin, bg": ("bg", "Държавен вестник", '<form action=/search method=get><input name=q placeholder="Търсене в броевете"><input type=submit value=Търсене></form>'),
    "songs, sk": ("sk", "Spevník", '<form action=/piesne method=get><input name=hladaj placeholder="Názov piesne alebo interpret"><button>Hľadaj</button></form>'),
    "catalogue, id": ("id", "Katalog perpustakaan", '<form action=/index.php method=get><input type=text name=keywords placeholder="Masukkan kata kunci"><button type=submit name=search value=search>Cari</button></form>'),
    "catalogue, hi": ("hi", "पुस्तकालय", '<form action=/catalogue method=get><input name=q placeholder="शीर्षक या लेखक"><button>खोजें</button></form>'),
    "catalogue, sl": ("sl", "Knjižnični katalog", '<form action=/iskanje method=get><input name=niz placeholder="Naslov, avtor ali ključna beseda"><button>Išči</button></form>'),
    "catalogue, et": ("et", "Raamatukogu", '<form action=/otsing method=get><input name=otsisona placeholder="Pealkiri, autor või märksõna"><button>Otsi</button></form>'),
    "catalogue, lt": ("lt", "Biblioteka", '<form action=/paieska method=get><input name=zodis placeholder="Ieškoti kataloge"><button>Ieškoti</button></form>'),
}  # fmt: skip

HARMFUL = {
    # Newsletters and the way out of them
    "newsletter in the footer": ("en", "Home", '<form action=/newsletter/add method=post><label>Stay in the loop <input name=addr placeholder="you@example.com"></label><button>Go</button></form>'),
    "newsletter by GET": ("de", "Startseite", '<h3>Bleiben Sie informiert</h3><form action=/liste><input name=adr placeholder="Ihre E-Mail"><button>Eintragen</button></form>'),
    "newsletter, pl": ("pl", "Strona główna", '<form action=/zapis><input name=k placeholder="Wpisz swój adres e-mail"><button>Zapisz się</button></form>'),
    "newsletter, cs, an odd verb": ("cs", "Úvod", '<h4>Novinky do vaší schránky</h4><form action=/prihlaseni-odberu><input name=q placeholder="Váš e-mail"><button>Chci novinky</button></form>'),
    "unsubscribe": ("en", "Manage preferences", '<p>We are sorry to see you go.</p><form action=/u><input type=hidden name=id value=7f3><input name=reason placeholder="Tell us why"><button>Unsubscribe me</button></form>'),
    "unsubscribe, fr": ("fr", "Désabonnement", '<form action=/desabo method=post><input name=mail><input type=submit value="Me désabonner"></form>'),
    "digest of a list": ("en", "dev Info Page", '<h2>Subscribing to dev</h2><form action=/mailman/subscribe/dev method=post><label>Your name <input name=fullname></label><label>Your address <input name=address></label><input type=submit value=Subscribe></form>'),
    # Login, logout, registration, recovery
    "login": ("en", "Sign in", '<form action=/session method=post><input name=login placeholder="Username or email"><input type=password name=password><button>Sign in</button></form>'),
    "login, es": ("es", "Acceso", '<form action=/acceso method=post><input name=usuario><input type=password name=clave><input type=submit value=Entrar></form>'),
    "login by a link in the mail": ("en", "Welcome back", '<form action=/magic><input name=who placeholder="Work address"><button>Continue</button></form>'),
    "login by card, de": ("de", "Ausleihkonto", '<form action=/konto method=post><label>Ausweisnummer <input name=nr></label><button>Weiter</button></form>'),
    "logout": ("en", "Library", '<form action=/logout method=post><input type=hidden name=csrf value=abc><button>Log out</button></form>'),
    "logout by GET, a box beside it": ("fr", "Mon espace", '<form action=/sortie><input name=motif placeholder="Motif"><button>Se déconnecter</button></form>'),
    "registration": ("en", "Join", '<form action=/join method=post><input name=user placeholder="Choose a name"><button>Create my profile</button></form>'),
    "registration, ja": ("ja", "新規会員登録", '<form action=/entry method=post><input name=nick placeholder="ニックネーム"><button>登録する</button></form>'),
    "reset a password": ("en", "Password reset", '<form action=/reset method=post><input name=q placeholder="Username"><button>Reset</button></form>'),
    "recover an account, ru": ("ru", "Восстановление доступа", '<form action=/restore><input name=q placeholder="Логин или почта"><button>Найти</button></form>'),
    # Writing
    "contact": ("en", "Contact", '<form action=/contact method=post><input name=name placeholder=Name><textarea name=message></textarea><button>Send</button></form>'),
    "contact, one line": ("it", "Contatti", '<form action=/scrivici method=post><input name=testo placeholder="Il tuo messaggio"><button>Invia</button></form>'),
    "comment": ("en", "A post", '<form action=/posts/5/comments method=post><input name=body placeholder="Write a comment…"><button>Post</button></form>'),
    "comment, zh": ("zh", "文章", '<form action=/post method=post><input name=content placeholder="说点什么吧"><button>发表</button></form>'),
    "shout box": ("en", "Radio", '<h3>Shoutbox</h3><form action=/shout><input name=msg placeholder="Say something"><button>Shout!</button></form>'),
    "chat": ("en", "Room 3", '<form action=/say><input name=text placeholder="Type a message"><button>Send</button></form>'),
    "ask a question": ("en", "Ask the experts", '<form action=/ask method=post><input name=title placeholder="What is your question?"><button>Ask</button></form>'),
    "review": ("de", "Produkt", '<form action=/bewertung method=post><input name=titel placeholder="Titel Ihrer Bewertung"><button>Bewertung abgeben</button></form>'),
    "create an issue": ("en", "New issue", '<form action=/issues method=post><label>Title <input name=issue[title]></label><select name=priority><option>Low<option>High<option>Urgent</select><button>Submit new issue</button></form>'),
    "create an issue by GET": ("en", "Report a bug", '<form action=/bugs/new><input name=summary placeholder="Short summary"><button>Create issue</button></form>'),
    "new page of a wiki": ("en", "Create a page", '<form action=/wiki/index.php><input type=hidden name=action value=edit><input name=title placeholder="Page title"><button>Create page</button></form>'),
    "rename a page": ("en", "Move page", '<form action=/wiki/move><input name=wpNewTitle value="Main page"><button>Move page</button></form>'),
    "short link": ("en", "Shortener", '<form action=/shorten><input name=u placeholder="Paste a long address"><button>Shorten</button></form>'),
    "paste": ("en", "Pastebin", '<form action=/paste method=post><textarea name=q></textarea><button>Go</button></form>'),
    "suggest a book, nl": ("nl", "Aanschafsuggestie", '<form action=/suggestie method=post><label>Titel <input name=titel></label><label>Auteur <input name=auteur></label><button>Suggestie versturen</button></form>'),
    "tag a record": ("en", "The Sea Wolf", '<form action=/record/5/AddTag><label>Tags <input name=tag></label><input type=submit value=Save></form>'),
    # Deleting, resetting, purging
    "delete a record": ("en", "Edit entry", '<form action=/entries/12 method=post><input type=hidden name=_method value=delete><input name=confirm placeholder="Type DELETE to confirm"><button>Delete entry</button></form>'),
    "delete, ar": ("ar", "إدارة", '<form action=/items><input name=q placeholder="الاسم"><button>حذف</button></form>'),
    "purge a cache": ("en", "Admin", '<form action=/cache/purge><input name=key placeholder="Key or pattern"><button>Purge</button></form>'),
    "purge a page": ("en", "Main page", '<form action=/index.php><input type=hidden name=action value=purge><input name=title value="Main page"><button>OK</button></form>'),
    "reindex": ("en", "Search administration", '<form action=/search/reindex method=post><input name=index placeholder="Index name"><button>Rebuild index</button></form>'),
    "reset the board": ("en", "Game", '<form action=/reset><input name=level value=1><button>Reset game</button></form>'),
    "clear the history": ("de", "Suchverlauf", '<form action=/suche/verlauf><input type=hidden name=do value=clear><input name=seit placeholder="Suchen seit"><button>Verlauf leeren</button></form>'),
    "restart a service": ("en", "Services", '<form action=/service><input name=name placeholder="Service"><button>Restart</button></form>'),
    # Consoles
    "SQL console": ("en", "SQL query", '<form action=/query method=get><textarea name=sql>select * from t</textarea><button>Run SQL</button></form>'),
    "SQL console, one line": ("en", "Query the database", '<form action=/query><input name=sql placeholder="SQL statement"><button>Run</button></form>'),
    "SPARQL update": ("en", "Update endpoint", '<form action=/update method=post><textarea name=update></textarea><button>Run query</button></form>'),
    "shell": ("en", "Maintenance", '<form action=/exec><input name=cmd placeholder="Command"><button>Execute</button></form>'),
    # Shops and money
    "cart": ("en", "Blue chair", '<form action=/cart/add method=post><input type=hidden name=id value=5><input name=quantity value=1><button>Add to bag</button></form>'),
    "cart by GET, es": ("es", "Silla azul", '<form action=/tienda><input type=hidden name=producto value=5><input name=unidades value=1 size=2><button>Añadir a la cesta</button></form>'),
    "checkout": ("en", "Checkout", '<form action=/checkout/step2 method=post><input name=street placeholder="Street"><input name=city placeholder="City"><button>Continue</button></form>'),
    "checkout, ko": ("ko", "결제", '<form action=/order method=post><input name=addr placeholder="주소"><button>결제하기</button></form>'),
    "coupon": ("en", "Your basket", '<form action=/basket><input name=code placeholder="Promo code"><button>Apply</button></form>'),
    "donation": ("en", "Support us", '<form action=/give><input name=amount placeholder="Amount"><button>Give</button></form>'),
    "bid": ("de", "Auktion", '<form action=/auktion/5><input name=betrag placeholder="Ihr Höchstgebot"><button>Bieten</button></form>'),
    "table at a restaurant": ("fr", "Réserver", '<form action=/table method=post><input type=date name=jour><input name=couverts value=2><button>Réserver une table</button></form>'),
    "hold on a book": ("en", "The Sea Wolf", '<form action=/record/5/hold method=post><select name=pickup><option>Main<option>North<option>South</select><button>Place hold</button></form>'),
    # Votes, reports, uploads, others
    "vote": ("en", "Poll of the week", '<form action=/poll><input type=radio name=v value=1>Yes <input type=radio name=v value=2>No <button>Submit vote</button></form>'),
    "vote, tr": ("tr", "Anket", '<form action=/anket><input type=radio name=v value=1>Evet <input type=radio name=v value=2>Hayır <button>Oy ver</button></form>'),
    "rate": ("ru", "Рецепт", '<form action=/rate><select name=mark><option>1<option>2<option>3<option>4<option>5</select><button>Оценить</button></form>'),
    "report a page": ("en", "Photo", '<form action=/flag><input name=why placeholder="Reason"><button>Report</button></form>'),
    "report a pothole": ("en", "Report a problem", '<form action=/around><label>Enter a nearby UK postcode, or street name and area: <input name=pc></label><button>Report it</button></form>'),
    "upload": ("en", "Upload", '<form action=/upload method=post enctype=multipart/form-data><input type=file name=f><button>Upload</button></form>'),
    "submit a key": ("en", "Key server", '<h3>Submit a key</h3><form action=/pks/add method=post><textarea name=keytext></textarea><input type=submit value="Submit this key to the keyserver!"></form>'),
    "submit an address": ("en", "Save page now", '<form action=/save method=post><input name=url placeholder="https://"><button>Save page</button></form>'),
    "language switch": ("en", "Home", '<form action=/lang><select name=lang><option>English<option>Deutsch<option>Français</select><button>Change</button></form>'),
    "language switch, ja": ("ja", "ホーム", '<form action=/setlocale><select name=l><option>日本語<option>English<option>中文</select><button>言語を変更</button></form>'),
    "theme": ("en", "Home", '<form action=/prefs><select name=theme><option>Light<option>Dark<option>System</select><button>Save</button></form>'),
    "subscribe to a topic": ("en", "Topic", '<form action=/topic/5><input type=hidden name=do value=watch><input name=note placeholder="Note"><button>Watch this topic</button></form>'),
    "alert for a search": ("en", "Results for sea", '<form action=/alerts/create><input name=q value=sea><button>Create alert</button></form>'),
    "save a search": ("pt", "Resultados", '<form action=/busca/salvar><input name=q value=mar><button>Salvar busca</button></form>'),
    "invite": ("en", "Friends", '<form action=/invite><input name=friend placeholder="Friend name"><button>Invite</button></form>'),
    "parcel": ("nl", "Volg je pakket", '<form action=/volg><input name=code placeholder="Barcode van je zending"><button>Zoek</button></form>'),
    "exam result": ("en", "Results 2026", '<form action=/result><input name=roll placeholder="Roll number"><button>Search</button></form>'),
    "domain to buy": ("en", "Domains", '<form action=/register-domain><input name=domain placeholder="Find your domain name"><button>Search</button></form>'),
    "petition": ("sv", "Skriv under", '<form action=/namninsamling><input name=namn placeholder="Ditt namn"><button>Skriv under</button></form>'),
    "consent": ("de", "Datenschutz", '<form action=/cookies><input type=checkbox name=stat value=1>Statistik <button>Auswahl bestätigen</button></form>'),
    "logout of a session, hu": ("hu", "Fiókom", '<form action=/kilepes><input name=ok value=1><button>Kijelentkezés</button></form>'),
}  # fmt: skip


@pytest.mark.parametrize("case", SEARCHES)
def test_a_search_is_submitted_whatever_kind_of_software_writes_it(case: str) -> None:
    language, title, source = SEARCHES[case]

    assert judge_form(form_of(source, lang=language, title=title), allow_post=True).refusals == ()


@pytest.mark.parametrize("case", HARMFUL)
def test_what_does_something_is_not_submitted_whatever_kind_of_software_writes_it(case: str) -> None:
    language, title, source = HARMFUL[case]

    verdict = judge_form(form_of(source, lang=language, title=title), allow_post=True)

    assert not verdict.may_submit
    assert verdict.refusals


@pytest.mark.parametrize(
    "where", ["<h2>{}</h2>", "<p>{}</p>", "<form action=/a>{}"], ids=["heading", "introduction", "form"]
)
@pytest.mark.parametrize(
    ("language", "greeting", "box"),
    [
        ("ru", "Добро пожаловать", "Поиск"),
        ("en", "Welcome back, dear readers", "Search"),
        ("de", "Herzlich willkommen", "Suche"),
        ("fr", "Soyez les bienvenus", "Recherche"),
        ("zh", "欢迎光临", "搜索"),
    ],
)
def test_a_greeting_is_no_complaint_and_no_other_action(
    where: str, language: str, greeting: str, box: str
) -> None:
    start = where.format(greeting)
    source = f"{start}{'' if '<form' in start else '<form action=/a>'}<input name=words placeholder={box}><button>{box}</button></form>"

    assert judge_form(form_of(source, lang=language, title=greeting)).refusals == ()


def test_a_word_is_read_with_spaces_between_its_signs_too() -> None:
    search, login = (
        form_of(f"<form action=/a><input name=q><button>{word}</button></form>", lang="zh", title="")
        for word in ("查　询", "登 录")
    )

    assert judge_form(search).may_submit
    assert any("login" in why for why in judge_form(login).refusals)


@pytest.mark.parametrize(
    ("action", "box", "is_submitted"),
    [
        ("/index.php?form=Search", "name=q value='Suchbegriffe eingeben'", True),
        ("/index.php?form=Search", "name=q placeholder='Ihre Frage an uns'", False),
        ("/index.php?form=Frage", "name=q placeholder='Suchen oder fragen'", False),
    ],
    ids=["a box for searching", "a box for a message", "an address that may be anything"],
)
def test_a_button_that_sends_is_pressed_only_where_nothing_but_a_search_can_be_sent(
    action: str, box: str, is_submitted: bool
) -> None:
    source = f"<form method=post action='{action}'><input {box}><input type=submit value=Absenden></form>"

    assert judge_form(form_of(source, lang="de", title="Forum"), allow_post=True).may_submit is is_submitted
