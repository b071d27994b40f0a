"""Whether a page calls a text by the name that a person gave to an attribute.

People name what they see, and owners name what they write: a director stands behind "Directed by", in `<td class="director">`, or in `<span itemprop="director">`;
what is called title or name is most often a heading. It decides between places that say the same on the page that was shown, nothing else.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from hiddenweb.extraction.features import label_inside
from hiddenweb.html.texts import key_of
from hiddenweb.language.folding import fold_text
from hiddenweb.language.identifiers import split_identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiddenweb.html.texts import PageText, PageTexts

_BY_LABEL, _BY_OWNER, _BY_HEADING = 40.0, 40.0, 30.0  # what each is worth
_FEW = 2  # texts of a page that may have a name in common: one that many have says little
_LONGEST_LABEL = 40  # characters; a limit of taste
_FARTHEST_LABEL = 3  # pieces; a limit of taste
_HEADINGS = frozenset({"h1", "h2"})
_CALLED_LIKE_A_HEADING = frozenset({
    "title", "name", "headline", "titel", "bezeichnung", "titre", "nom", "título", "titulo", "nombre", "titolo", "nome", "naam", "tytuł", "nazwa", "název", "titlu", "nume",
    "cím", "név", "nimi", "otsikko", "başlık", "название", "имя", "заголовок", "назва", "τίτλος", "όνομα", "שם", "כותרת", "عنوان", "العنوان", "اسم",
    "标题", "名称", "標題", "名稱", "タイトル", "名前", "제목", "이름",
})  # fmt: skip


def score_name(page: PageTexts, index: int, name: str, names: Sequence[str] = ()) -> float:
    """Return what it is worth that a page calls a text by a name, and not by one of the names of other attributes."""
    others = (_score_text(page, index, other) for other in names if other != name)
    return _score_text(page, index, name) - max(others, default=0.0)


def _score_text(page: PageTexts, index: int, name: str) -> float:
    text, wanted = page.all()[index], _words(name)
    if _share_a_word(wanted, _label(page, index)):
        return _BY_LABEL
    key = key_of(fold_text(name))
    if key in (text.left, text.above):
        return _BY_LABEL * _rarity(page, lambda each: key in (each.left, each.above))
    if _share_a_word(wanted, _words(text.names)):
        return _BY_OWNER * _rarity(page, lambda each: _share_a_word(wanted, _words(each.names)))
    is_heading = not _HEADINGS.isdisjoint(text.names.split())
    return _BY_HEADING if is_heading and not _CALLED_LIKE_A_HEADING.isdisjoint(wanted) else 0.0


def _rarity(page: PageTexts, is_called_so: Callable[[PageText], bool]) -> float:
    """Return 1 if few texts of a page have a name, and less the more there are."""
    return min(1.0, _FEW / max(len({piece.folded for piece in page.pieces if is_called_so(piece)}), 1))


def _label(page: PageTexts, index: int) -> list[str]:
    """Return the words of the label that a text begins with, or of the nearest text before it, if that is short and has no value of its own."""
    text = page.all()[index]
    if inside := _words(label_inside(text.text)):
        return inside
    before = page.pieces[max(text.first - _FARTHEST_LABEL, 0) : text.first]
    label = next((piece.text for piece in reversed(before) if _words(piece.text)), "")
    return _words(label) if len(label) <= _LONGEST_LABEL and not label_inside(label) else []


def _words(text: str) -> list[str]:
    """Return the words of a label, of a name, or of names that are written together.

    >>> _words("fuelEconomy"), _words("job-title_2")
    (['fuel', 'economy'], ['job', 'title'])
    """
    return split_identifier(text).casefold().split()


def _share_a_word(wanted: Sequence[str], said: Sequence[str]) -> bool:
    return any(_is_one_word(one, other) for one in wanted for other in said)


def _is_one_word(one: str, other: str) -> bool:
    """Say whether two words are the same but for their endings.

    >>> _is_one_word("director", "directed"), _is_one_word("publisher", "publication")
    (True, False)
    """
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return one == other or (shared >= 4 and shared >= 0.7 * max(len(one), len(other)))
