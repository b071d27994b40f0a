"""Whether a page labels a text with the name that a person gave to an attribute.

People name what they see, and site owners label what they write: a director stands after "Directed by", in `<td class="director">`, or in `<span itemprop="director">`;
a title or name is most often a heading. This only decides between places that have the same text on the example page.
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

_BY_LABEL, _BY_OWNER, _BY_HEADING = 40.0, 40.0, 30.0  # scores
_FEW = 2  # texts of a page that may share a name: a name of many texts says little
_LONGEST_LABEL = 40  # characters; a limit of taste
_FARTHEST_LABEL = 3  # pieces; a limit of taste
_HEADINGS = frozenset({"h1", "h2"})
_HEADING_NAMES = frozenset({
    "title", "name", "headline", "titel", "bezeichnung", "titre", "nom", "título", "titulo", "nombre", "titolo", "nome", "naam", "tytuł", "nazwa", "název", "titlu", "nume",
    "cím", "név", "nimi", "otsikko", "başlık", "название", "имя", "заголовок", "назва", "τίτλος", "όνομα", "שם", "כותרת", "عنوان", "العنوان", "اسم",
    "标题", "名称", "標題", "名稱", "タイトル", "名前", "제목", "이름",
})  # fmt: skip


def score_name(page: PageTexts, index: int, name: str, names: Sequence[str] = ()) -> float:
    """Return the score of a text for a name of an attribute, less the best score for the names of the others."""
    others = (_score_text(page, index, other) for other in names if other != name)
    return _score_text(page, index, name) - max(others, default=0.0)


def _score_text(page: PageTexts, index: int, name: str) -> float:
    text, name_words = page.all()[index], _words(name)
    if _share_a_word(name_words, _label(page, index)):
        return _BY_LABEL
    key = key_of(fold_text(name))
    if key in (text.left, text.above):
        return _BY_LABEL * _rarity(page, lambda each: key in (each.left, each.above))
    if _share_a_word(name_words, _words(text.names)):
        return _BY_OWNER * _rarity(page, lambda each: _share_a_word(name_words, _words(each.names)))
    is_heading = not _HEADINGS.isdisjoint(text.names.split())
    return _BY_HEADING if is_heading and not _HEADING_NAMES.isdisjoint(name_words) else 0.0


def _rarity(page: PageTexts, has_name: Callable[[PageText], bool]) -> float:
    """Return 1 if few texts of a page have a name, and less the more have it."""
    return min(1.0, _FEW / max(len({piece.folded for piece in page.pieces if has_name(piece)}), 1))


def _label(page: PageTexts, index: int) -> list[str]:
    """Return the words of the label inside a text, or of the nearest text before it if that is short and has no value."""
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


def _share_a_word(words: Sequence[str], others: Sequence[str]) -> bool:
    return any(_is_same_word(word, other) for word in words for other in others)


def _is_same_word(word: str, other: str) -> bool:
    """Return whether two words are the same except for their endings.

    >>> _is_same_word("director", "directed"), _is_same_word("publisher", "publication")
    (True, False)
    """
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return word == other or (shared >= 4 and shared >= 0.7 * max(len(word), len(other)))
