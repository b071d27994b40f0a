"""Verdicts on searches by what is around them and next to their words: other parts of the page, how a button is pressed, names of things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.model import Form

BOX = '<input type=search name=q placeholder="Search">'


def form_of(source: str, language: str = "en") -> Form:
    """Return the last form of a page."""
    page = f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8"><body><h1>Oak and Ash</h1>{source}</body></html>'
    return read_page(page.encode(), "http://a.example/", content_type="text/html; charset=utf-8").forms[-1]


def around(part: str, form: str = f"<form action=/find>{BOX}<button>Search</button></form>") -> str:
    return f"<section>{part}</section><section>{form}</section>"


SUBMITTED = {
    "below a part about a newsletter": ("en", around("<h2>Newsletter</h2><p>Every spring.</p>")),
    "below a part for members": ("en", around("<h3>Log in</h3><a href=/in>Here</a><h3>My account</h3><a href=/me>There</a>")),
    "below the form of a newsletter": ("de", "<h3>Newsletter abonnieren</h3><form action=/n><input type=email name=e><button>OK</button></form><form action=/suche><input type=search name=q placeholder=Suchbegriff><button>Suchen</button></form>"),
    "how a button is pressed": ("en", f"<form action=/find method=post>{BOX}<button>Click to search</button></form>"),
    "the same in French": ("fr", "<form action=/fonds method=post><input name=recherche><button>Cliquez pour rechercher</button></form>"),
    "a search is sent": ("de", "<form action=/suche method=post><input type=search name=q placeholder=Suchbegriff><button>Suche absenden</button></form>"),
    "the name of a picture": ("fr", '<form action=/recherche><input type=search name=q placeholder="Rechercher une plante"><button><img src=l.png alt="Icône loupe"></button></form>'),
    "where it searches": ("de", "<form action=/suchergebnisse method=post><input name=phrase placeholder=Suchbegriffe><button>Suche in allen Inhalten</button></form>"),
    "a compound": ("de", '<form action=/rezept/suche><input name=q placeholder="Zutat suchen"><button>Rezeptsuche starten</button></form>'),
    "a distance": ("de", "<form action=/baeume method=post><label>Stichwort <input name=wort></label><label>Entfernung <select name=e><option>5 km<option>10 km<option>20 km</select></label><button>Suchen</button></form>"),
    "a list of pupils": ("id", '<h2>Daftar Siswa</h2><form action=/siswa><input name=search placeholder="cari nama siswa"><input type=submit value=Cari></form>'),
    "by user name": ("da", "<form action=/users/search method=post><label>Søg på brugernavn og afdeling <input name=search_string></label><button>Søg</button></form>"),
    "the name of a box": ("pt", "<form action=/consulta method=post><label>Pesquisar por <select name=tipo><option>Título<option>Autor<option>Ano</select></label><label>Texto a pesquisar <input name=valor></label><button>Pesquisar</button></form>"),
    "the name of a book": ("hi", "<form action=/kitab><label>पुस्तक का नाम <input name=t></label><label>लेखक <input name=l></label><button>खोजें</button></form>"),
    "the name of a club": ("sl", "<form action=/drustva method=post><label>Naziv <input name=n></label><select name=o><option>Vse<option>Kranj<option>Bled</select><input type=submit value=Išči></form>"),
    "a company": ("no", "<form action=/liste method=post><label>Bedrift <input name=n></label><button>Finn</button></form>"),
    "two short lists": ("de", "<form action=/liste><select name=k><option>Celle<option>Uelzen</select><select name=j><option>2023<option>2024</select><button>Anzeigen</button></form>"),
    "villages that are shown": ("hi", "<form action=/gaon method=post><select name=r><option>बिहार<option>केरल<option>असम</select><select name=j><option>क<option>ख<option>ग</select><button>देखें</button></form>"),
    "a magnifier": ("sk", '<form action=/zoznam method=post><input name=v placeholder="Názov stromu"><button type=submit><i class="icon icon-search"></i></button></form>'),
    "a drawn magnifier": ("en", '<form action=/list method=post><input name=v placeholder="Tree or shrub"><button><svg class=icon><use href="#search"></use></svg></button></form>'),
    "days in words": ("ro", "<form action=/lista method=post>De la <input name=d1 size=10> Până la <input name=d2 size=10><input type=submit value=Caută></form>"),
    "a narrowed list": ("ja", "<form action=/list><select name=k><option>松<option>杉<option>桜</select><select name=h><option>高<option>中<option>低</select><button>絞り込み</button></form>"),
}  # fmt: skip

LEFT_ALONE = {
    "the heading above it": ("en", "<h2>Unsubscribe</h2><form action=/search><input name=q><button>Find</button></form>"),
    "a part, and one's own": ("en", around("<h2>Unsubscribe</h2><p>Tell us.</p>", '<form action=/search><input type=search name=q placeholder="Find your address"><button>Find</button></form>')),
    "a part, by POST": ("en", around("<h2>Delete your data</h2><p>All.</p>", f"<form action=/go method=post>{BOX}<button>Search</button></form>")),
    "a second form below a heading": ("en", "<h2>Delete entries</h2><form action=/a><input name=x></form><form action=/b method=post><input name=q><button>Go</button></form>"),
    "pressed for more": ("en", f"<form action=/find method=post>{BOX}<button>Click to search and subscribe</button></form>"),
    "pressed for something else": ("en", f"<form action=/find method=post>{BOX}<button>Click to buy</button></form>"),
    "an order for searching is sent": ("de", "<form action=/x method=post><input name=q placeholder=Suchbegriff><button>Suchauftrag absenden</button></form>"),
    "what is found is deleted": ("de", "<form action=/x method=post><input name=q><button>Suche im Konto löschen</button></form>"),
    "an entry is removed": ("de", '<form action=/x method=post><input name=q placeholder="Eintrag suchen"><button>Eintrag entfernen</button></form>'),
    "registering": ("id", "<h2>Daftar</h2><form action=/go method=post><label>Nama <input name=nama></label><button>Lanjut</button></form>"),
    "one's own user name": ("en", "<form action=/x method=post><label>Find your user name <input name=user></label><button>Find</button></form>"),
    "a password that is forgotten": ("ko", "<form action=/go method=post><label>이름 <input name=p></label><button>비밀번호 찾기</button></form>"),
    "a telephone": ("el", "<form action=/go><label>Τηλέφωνο <input name=p></label><button>Αναζήτηση</button></form>"),
    "a name, and on": ("cs", "<form action=/x method=post><label>Jméno <input name=j></label><button>Pokračovat</button></form>"),
    "the same in Hindi": ("hi", "<form action=/x method=post><label>नाम <input name=m></label><button>आगे बढ़ें</button></form>"),
    "lists, and on": ("bg", "<form action=/x method=post><select name=a><option>София<option>Варна<option>Русе</select><button>Напред</button></form>"),
    "a setting": ("en", "<form action=/x method=post><label>Currency <select name=c><option>Euro<option>Pound<option>Yen</select></label><button>Show prices</button></form>"),
    "another picture": ("en", '<form action=/list method=post><input name=v placeholder="Tree or shrub"><button><i class="icon-search-close"></i></button></form>'),
    "a picture beside words": ("en", '<form action=/x method=post><input name=v placeholder="Tree or shrub"><button><i class="icon-search"></i> Report</button></form>'),
    "an examination": ("zh", "<form action=/x method=post><label>准考证号 <input name=n></label><label>姓名 <input name=f></label><button>查询</button></form>"),
}  # fmt: skip


@pytest.mark.parametrize("case", SUBMITTED)
def test_a_search_is_submitted_whatever_is_next_to_it(case: str) -> None:
    language, source = SUBMITTED[case]

    assert judge_form(form_of(source, language), allow_post=True).refusals == ()


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_what_may_do_more_is_not_submitted(case: str) -> None:
    language, source = LEFT_ALONE[case]

    assert not judge_form(form_of(source, language), allow_post=True).may_submit
