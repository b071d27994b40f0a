"""Choosing the next keyword to ask a form, by term frequency (dynamic indexing).

The frequency of a word is F = n / N, n of the N texts learnt so far that hold it; the most frequent word not yet asked is asked
next. Before the first answer the texts are the passages of the form's own page, afterwards the records that answers brought,
each learnt once: a word that many known records share is likely to be shared by many unknown ones, in whatever language the
site speaks. Counting texts instead of occurrences keeps one long text from choosing for all.

Where we add to the paper. Text around the records is not learnt at all: navigation stands on every page and finds nothing. What
stands in nearly every record ("Author:", "Price:") is a label of the template, so it waits until everything else was asked; a
common word that found nothing shows how common labels are here, and what is as common waits too. Of the forms of one word, one
is asked. Where the first words of the page find nothing, names come next: what is written with a capital inside a sentence
(Riffian, Gaborone) is what databases are about. A word is asked as it is mostly written, for sites to which case matters. When nothing learnt is left, earlier words
handed in (the repository) follow, at last a small dictionary.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.text import UNSPACED, stem, stop_words, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_TERMS = 2_000

DICTIONARY: dict[str, tuple[str, ...]] = {
    "en": (
        "new",
        "world",
        "book",
        "city",
        "house",
        "history",
        "music",
        "art",
        "life",
        "water",
        "work",
        "school",
    ),
    "de": (
        "neu",
        "welt",
        "buch",
        "stadt",
        "haus",
        "geschichte",
        "musik",
        "kunst",
        "leben",
        "wasser",
        "arbeit",
    ),
    "fr": (
        "nouveau",
        "monde",
        "livre",
        "ville",
        "maison",
        "histoire",
        "musique",
        "art",
        "vie",
        "eau",
        "travail",
    ),
    "es": (
        "nuevo",
        "mundo",
        "libro",
        "ciudad",
        "casa",
        "historia",
        "música",
        "arte",
        "vida",
        "agua",
        "trabajo",
    ),
    "it": ("nuovo", "mondo", "libro", "città", "casa", "storia", "musica", "arte", "vita", "acqua", "lavoro"),
    "pt": (
        "novo",
        "mundo",
        "livro",
        "cidade",
        "casa",
        "história",
        "música",
        "arte",
        "vida",
        "água",
        "trabalho",
    ),
    "nl": (
        "nieuw",
        "wereld",
        "boek",
        "stad",
        "huis",
        "geschiedenis",
        "muziek",
        "kunst",
        "leven",
        "water",
        "werk",
    ),
    "pl": (
        "nowy",
        "świat",
        "książka",
        "miasto",
        "dom",
        "historia",
        "muzyka",
        "sztuka",
        "życie",
        "woda",
        "praca",
    ),
    "tr": ("yeni", "dünya", "kitap", "şehir", "ev", "tarih", "müzik", "sanat", "hayat", "su", "iş"),
    "ru": (
        "новый",
        "мир",
        "книга",
        "город",
        "дом",
        "история",
        "музыка",
        "искусство",
        "жизнь",
        "вода",
        "работа",
    ),
    "ar": ("جديد", "عالم", "كتاب", "مدينة", "بيت", "تاريخ", "موسيقى", "فن", "حياة", "ماء", "عمل"),
    "zh": ("中国", "世界", "城市", "历史", "音乐", "艺术", "生活", "学校", "工作", "文化"),
    "ja": ("日本", "世界", "都市", "歴史", "音楽", "美術", "生活", "学校", "仕事", "文化"),
    "th": ("ไทย", "โลก", "เมือง", "บ้าน", "ประวัติ", "ดนตรี", "ศิลปะ", "ชีวิต", "น้ำ", "งาน"),
}

_VERSION = 1
_SHORTEST = 3  # many sites refuse less
_LABEL_SHARE = 0.85  # what stands in so many of the records is a label
_FEWEST_RECORDS = 5  # before that many, nothing can be said about labels
_PATIENCE = 2  # so many words of the page may find nothing before names are tried
_ROOM = 10  # so many times the words written down are kept in memory
_PASSAGE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_SURFACE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class KeywordChooser:
    """Knows the words of one form's site, and which of them were asked."""

    def __init__(
        self, language: str = "", *, repository: Sequence[str] = (), most_terms: int = MOST_TERMS
    ) -> None:
        self.language = language
        self._repository = tuple(repository)
        self._most_terms = most_terms
        self._page = _Frequencies()
        self._records = _Frequencies()
        self._asked: dict[str, None] = {}
        self._barren = 0  # questions in a row that brought nothing new
        self._label_share = 1.0  # the smallest share of a common word that found nothing

    def learn(self, text: str) -> None:
        """Add the words of the form's own page, passage by passage."""
        for passage in _PASSAGE.split(text):
            self._page.add(passage, self.language, starts_sentence=True)
        self._page.forget_all_but(_ROOM * self._most_terms)

    def learn_records(self, texts: Iterable[str]) -> None:
        """Add the words of records that an answer brought for the first time."""
        for text in texts:
            self._records.add(text, self.language)
            self._barren = 0
        self._records.forget_all_but(_ROOM * self._most_terms)

    def next(self) -> str | None:
        """Return the best word not asked yet, which counts as asked from now on; None when there is none left."""
        word = next(self._candidates(), None)
        if word is not None:
            self._asked[word.lower()] = None
        return word

    def refused(self, word: str) -> None:
        """Take note that a word was asked and brought nothing, or not even an answer."""
        self._asked[word.lower()] = None
        self._barren += 1
        share = self._records.share(word.lower())
        if share > 0.5 and self._records.texts >= _FEWEST_RECORDS:
            self._label_share = min(self._label_share, share)

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the words asked so far, in lower case and in their order."""
        return tuple(self._asked)

    def to_json(self) -> str:
        """Return all that was learnt, of limited size: the most frequent words and all that were asked."""
        state = {
            "version": _VERSION,
            "language": self.language,
            "page": self._page.plain(self._most_terms),
            "records": self._records.plain(self._most_terms),
            "asked": list(self._asked),
            "barren": self._barren,
            "label_share": self._label_share,
        }
        return json.dumps(state, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(
        cls, state: str, *, repository: Sequence[str] = (), most_terms: int = MOST_TERMS
    ) -> KeywordChooser:
        """Return the chooser that was written down; the repository is handed in anew."""
        known = json.loads(state)
        if known.get("version") != _VERSION:
            raise ValueError(f"a keyword chooser of version {known.get('version')!r}, wanted {_VERSION}")
        chooser = cls(known["language"], repository=repository, most_terms=most_terms)
        chooser._page = _Frequencies.from_plain(known["page"])
        chooser._records = _Frequencies.from_plain(known["records"])
        chooser._asked = dict.fromkeys(known["asked"])
        chooser._barren = known["barren"]
        chooser._label_share = known["label_share"]
        return chooser

    def _candidates(self) -> Iterator[str]:
        """Yield words worth asking, best first: those learnt, earlier ones, those of the dictionary, then labels."""
        stems = {stem(word, self.language) for word in self._asked}
        of_records = [
            self._records.written(term) for term in self._records.ranked() if self._is_askable(term)
        ]
        labels = [word for word in of_records if self._is_label(word.lower())]
        proper = [word for word in of_records if not self._is_label(word.lower())]
        for word in (
            *proper,
            *self._of_page(),
            *self._repository,
            *DICTIONARY.get(self.language, ()),
            *labels,
        ):
            if word.lower() not in self._asked and stem(word.lower(), self.language) not in stems:
                yield word
        yield from (word for word in (*of_records, *self._numbers()) if word.lower() not in self._asked)

    def _of_page(self) -> list[str]:
        """Return the words of the form's page; names first once words have brought nothing."""
        words_of_page = [self._page.written(term) for term in self._page.ranked() if self._is_askable(term)]
        if self._barren >= _PATIENCE:
            words_of_page.sort(key=str.islower)
        return words_of_page

    def _numbers(self) -> list[str]:
        return [term for source in (self._records, self._page) for term in source.ranked() if term.isdigit()]

    def _is_askable(self, term: str) -> bool:
        if term in stop_words(self.language) or any(character.isdigit() for character in term):
            return False
        return len(term) >= _SHORTEST or self.language in UNSPACED or not term.isascii()

    def _is_label(self, term: str) -> bool:
        if self._records.texts < _FEWEST_RECORDS:
            return False
        return self._records.share(term) >= min(_LABEL_SHARE, self._label_share)


class _Frequencies:
    """In how many texts each word was seen, and how it was written there."""

    def __init__(self) -> None:
        self.texts = 0
        self._counts: Counter[str] = Counter()
        self._written: dict[str, Counter[str]] = {}

    @classmethod
    def from_plain(cls, plain: dict[str, object]) -> _Frequencies:
        known = cls()
        texts, terms = plain["texts"], plain["terms"]
        assert isinstance(texts, int)
        assert isinstance(terms, list)
        known.texts = texts
        for term, count, written in terms:
            known._counts[term] = count
            known._written[term] = Counter({written: count})
        return known

    def plain(self, most: int) -> dict[str, object]:
        best = self.ranked()[:most]
        return {"texts": self.texts, "terms": [[t, self._counts[t], self.written(t)] for t in best]}

    def add(self, text: str, language: str, *, starts_sentence: bool = False) -> None:
        terms = dict.fromkeys(words(text, language))
        if not terms:
            return
        self.texts += 1
        self._counts.update(terms.keys())
        for written in _SURFACE.findall(text)[1 if starts_sentence else 0 :]:
            term = written.lower()
            if term in terms:
                self._written.setdefault(term, Counter())[written] += 1

    def forget_all_but(self, most: int) -> None:
        """Drop the rarest words once there are far too many, so that memory does not grow with the answers."""
        if len(self._counts) > 2 * most:
            kept = self.ranked()[:most]
            self._counts = Counter({term: self._counts[term] for term in kept})
            self._written = {term: self._written[term] for term in kept if term in self._written}

    def share(self, term: str) -> float:
        return self._counts[term] / self.texts if self.texts else 0.0

    def ranked(self) -> list[str]:
        """Return the words, most frequent first; of equals the longer one, then by letters."""
        return sorted(self._counts, key=lambda term: (-self._counts[term], -len(term), term))

    def written(self, term: str) -> str:
        forms = self._written.get(term)
        return min(forms, key=lambda form: (-forms[form], form)) if forms else term
