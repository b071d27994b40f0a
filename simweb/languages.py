"""Twelve languages to write simulated web sites in.

A language is a file of phrases (`phrases/<code>.toml`: the labels of forms, the names of fields and
topics, the commonest words, and further wordings of what sites word in many ways) and a vocabulary of
20,000 words, commonest first. The vocabulary opens with real words: the hand-picked ones of the phrase
file, Faker's word lists and occupations, the names CLDR has for languages, countries and currencies. The
tail is made of them: two words crossed where they share letters, in German compounds besides; in Chinese
and Japanese new pairs and triples of characters, in Thai new compounds of short words.

Words are drawn with Zipf's law, in Mandelbrot's form:  p(rank) ~ 1 / (rank + flatness).  An urn holds every
word as often as the law says, so that one draw is one lookup with random bits.

Everything is a function of the language's code and of the versions of Faker and Babel; chance is handed in.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from babel import Locale

from simweb.chance import draw
from simweb.topics import TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "tr", "ru", "ar", "zh", "ja", "th")

VOCABULARY_SIZE = 20_000
MOST_TRIES = (
    40 * VOCABULARY_SIZE
)  # words are made until there are enough new ones, or no more can be hoped for
REMEMBERED_WORDINGS = 1 << 16  # some 1,600 sites with 40 phrases each
WORD_BITS, FUNCTION_BITS, TOPIC_BITS, PATTERN_BITS = 17, 12, 10, 3

# F is a function word, T a word of the topic, V a word of the vocabulary: two, one and two in five words.
SENTENCE_PATTERNS = ("FVFTV", "FVVFT", "VFTFV", "TFVFV", "FTFVV", "VFVFT", "FVTFV", "FTVFV")
UNSPACED_SENTENCE_PATTERNS = ("VFTFV", "TFVFV", "VFVFT", "VFVTF", "VTFVF", "TFVVF", "VVFTF", "VFTVF")
TITLE_PATTERNS = ("VV", "VT", "VFV", "VVT", "TFVV", "VVFV", "VVFVT", "VFVFVV")

FAKER_LOCALES = {
    "en": "en_US",
    "de": "de_DE",
    "fr": "fr_FR",
    "es": "es_ES",
    "it": "it_IT",
    "pl": "pl_PL",
    "tr": "tr_TR",
    "ru": "ru_RU",
    "ar": "ar_AA",
    "zh": "zh_CN",
    "ja": "ja_JP",
    "th": "th_TH",
}
WITHOUT_WORD_LIST = {"tr"}
WITHOUT_OCCUPATIONS = {"it"}
COMMONEST_FIRST = {"es", "pl", "zh"}  # the other word lists are alphabetical or in no order
FAMILY_NAME_FIRST = {"zh", "ja"}

LETTERS = {
    "ru": r"[А-Яа-яЁё]+(?:-[А-Яа-яЁё]+)*",
    "ar": r"[\u0621-\u064a]+",
    "zh": r"[\u4e00-\u9fff]+",
    "ja": r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+",
    "th": r"[\u0e01-\u0e3a\u0e40-\u0e4e]+",
}
LATIN_LETTERS = r"[^\W\d_]+(?:-[^\W\d_]+)*"
LONGEST_WORD = {"zh": 5, "ja": 9, "th": 16}
ARABIC_VOWEL_SIGNS = re.compile(r"[\u0640\u064b-\u0652\u0670]")

Slots: TypeAlias = tuple[tuple[list[str], int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language of the simulated web: its phrases, its words, its people."""

    code: str
    endonym: str
    direction: Literal["ltr", "rtl"]
    spaced: bool
    charsets: tuple[str, ...]
    function_words: tuple[str, ...] = field(repr=False)
    first_names: tuple[str, ...] = field(repr=False)
    last_names: tuple[str, ...] = field(repr=False)
    vocabulary: tuple[str, ...] = field(repr=False)
    _phrases: Mapping[str, str] = field(repr=False)
    _wordings: Mapping[str, tuple[str, ...]] = field(repr=False)
    _topics: Mapping[str, _TopicVoice] = field(repr=False)
    _people: tuple[_People, ...] = field(repr=False)
    _urn: list[str] = field(repr=False)
    _comma: str = field(repr=False)
    _stop: str = field(repr=False)

    def say(self, phrase: str, **values: object) -> str:
        """Return a phrase ("results_range", "field.author", "section.news", "topic.books") with its values."""
        if phrase not in self._phrases:
            raise KeyError(f"{self.code} has no phrase {phrase!r}")
        return _fill(phrase, self._phrases[phrase], values)

    def say_variant(self, number: int, phrase: str, **values: object) -> str:
        """Return a phrase in the wording of the site with that number; number 0 words everything as `say`."""
        wordings = self._wordings.get(phrase)
        if wordings is None:
            return self.say(phrase, **values)
        return _fill(phrase, wordings[_choice(number, phrase, len(wordings))], values)

    def topic_words(self, topic: str) -> tuple[str, ...]:
        """Return the words that mark a topic, the most telling first."""
        return self._topics[topic].words

    def word(self, rng: Random) -> str:
        """Draw a word of the vocabulary, common ones more often."""
        return self._urn[rng.getrandbits(WORD_BITS)]

    def sentence(self, rng: Random, topic: str, words: int) -> str:
        """Write a sentence of so many words: two in five function words, one of the topic."""
        draw = rng.getrandbits
        patterns = self._topics[topic].sentences
        spoken: list[str] = []
        while len(spoken) < words:
            spoken += [urn[draw(bits)] for urn, bits in patterns[draw(PATTERN_BITS)]]
        del spoken[words:]
        spoken[-1] = self._urn[draw(WORD_BITS)]
        for start in range(0, words - 5, 8):
            spoken[start + 2 + draw(2) % (words - start - 3)] += self._comma
        spoken[0] = self._capitalise(spoken[0])
        return (" " if self.spaced else "").join(spoken) + self._stop

    def title(self, rng: Random, topic: str) -> str:
        """Write a title of two to six words."""
        draw = rng.getrandbits
        chosen = draw(PATTERN_BITS)
        words = [urn[draw(bits)] for urn, bits in self._topics[topic].titles[chosen]]
        if self.code == "en":
            kinds = TITLE_PATTERNS[chosen]
            words = [w if kind == "F" else self._capitalise(w) for w, kind in zip(words, kinds, strict=True)]
        words[0] = self._capitalise(words[0])
        return (" " if self.spaced else "").join(words)

    def name(self, rng: Random) -> str:
        """Draw a person's full name, in the order and gender forms of the language."""
        people = self._people[int(rng.random() * len(self._people))]
        first = people.first_names[int(rng.random() * len(people.first_names))]
        last = people.last_names[int(rng.random() * len(people.last_names))]
        return last + first if self.code in FAMILY_NAME_FIRST else f"{first} {last}"

    def _capitalise(self, word: str) -> str:
        if self.code == "tr" and word[0] == "i":
            return "İ" + word[1:]
        return word[0].upper() + word[1:]


@cache
def language(code: str) -> Language:
    """Return a language by its code; built on first use."""
    if code not in LANGUAGES:
        raise KeyError(f"no language {code!r}; there are {', '.join(LANGUAGES)}")
    source = _Source.read(code)
    vocabulary = _vocabulary(source)
    urn = _urn(vocabulary, WORD_BITS, flatness=10)
    people = _people(source)
    meta, phrases = source.phrases["meta"], _phrases(source.phrases)
    return Language(
        code=code,
        endonym=meta["endonym"],
        direction=meta["direction"],
        spaced=meta["spaced"],
        charsets=source.charsets,
        function_words=source.function_words,
        first_names=_distinct(name for group in people for name in group.first_names),
        last_names=_distinct(name for group in people for name in group.last_names),
        vocabulary=vocabulary,
        _phrases=phrases,
        _wordings={name: (phrases[name], *more) for name, more in source.phrases["wordings"].items()},
        _topics=_topic_voices(source, urn),
        _people=people,
        _urn=urn,
        _comma=meta["comma"],
        _stop=meta["stop"],
    )


@dataclass(frozen=True, slots=True)
class _TopicVoice:
    """How a language speaks about a topic: for every pattern the urns to draw from, with their bits."""

    words: tuple[str, ...]
    sentences: tuple[Slots, ...]
    titles: tuple[Slots, ...]


@dataclass(frozen=True, slots=True)
class _People:
    """First and last names that go together."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """What a language is made from: its phrase file, and Faker's and CLDR's words in usable form."""

    code: str
    phrases: Mapping[str, Any]
    charsets: tuple[str, ...]
    function_words: tuple[str, ...]
    letters: re.Pattern[str]
    avoided: re.Pattern[str]

    @classmethod
    def read(cls, code: str) -> _Source:
        path = files("simweb") / "phrases" / f"{code}.toml"
        phrases = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(
            code=code,
            phrases=phrases,
            charsets=tuple(phrases["meta"]["charsets"]),
            function_words=_distinct(phrases["words"]["function"].split()),
            letters=re.compile(LETTERS.get(code, LATIN_LETTERS)),
            avoided=re.compile("|".join(map(re.escape, phrases["words"]["avoid"].split()))),
        )

    def everyday_words(self) -> Iterator[str]:
        """Yield the words of ordinary texts, roughly commonest first."""
        yield from self.words_in(self.phrases["words"]["common"])
        if self.code not in WITHOUT_WORD_LIST:
            words = list(self.words_in(" ".join(self.faker("lorem").word_list)))
            yield from words if self.code in COMMONEST_FIRST else self.shuffle(words)
        if self.code not in WITHOUT_OCCUPATIONS:
            occupations = " ".join(self.faker("job").jobs)
            plain = occupations if self.code == "de" else self.lower(occupations)
            yield from self.shuffle(self.words_in(plain))

    def proper_names(self) -> Iterator[str]:
        """Yield the words in the names of languages, countries and currencies."""
        locale = Locale(self.code)
        names = [*locale.languages.values(), *locale.territories.values(), *locale.currencies.values()]
        yield from self.shuffle(self.words_in(" ".join(names)))

    def words_in(self, text: str) -> Iterator[str]:
        """Yield the words of a text that every charset of the language can write and nobody minds."""
        longest = LONGEST_WORD.get(self.code, 18)
        shortest = 1 if self.code in ("zh", "ja") else 2
        foreign = {letter for letter in set(text) if not self.can_write(letter)}
        for word in self.letters.findall(ARABIC_VOWEL_SIGNS.sub("", text)):
            usable = shortest <= len(word) <= longest and foreign.isdisjoint(word)
            if usable and not self.avoided.match(self.lower(word)):
                yield word

    def shuffle(self, words: Iterable[str]) -> list[str]:
        """Return the words in an order that says nothing, always the same."""
        ordered = sorted(words)
        Random(f"shuffled {self.code}").shuffle(ordered)
        return ordered

    def can_write(self, text: str) -> bool:
        try:
            for charset in self.charsets:
                text.encode(charset)
        except UnicodeEncodeError:
            return False
        return True

    def lower(self, text: str) -> str:
        if self.code == "tr":
            text = text.replace("İ", "i").replace("I", "ı")
        return text.lower()

    def faker(self, subject: str) -> Any:
        """Return the word lists Faker has about a subject in this language."""
        return import_module(f"faker.providers.{subject}.{FAKER_LOCALES[self.code]}").Provider


def _vocabulary(source: _Source) -> tuple[str, ...]:
    taken = {source.lower(word) for word in source.function_words}
    everyday = list(_new_words(source, source.everyday_words(), taken))
    proper = list(_new_words(source, source.proper_names(), taken))
    made = islice(_make_words(source, everyday, proper), MOST_TRIES)
    polite = (word for word in made if not source.avoided.search(source.lower(word)))
    missing = VOCABULARY_SIZE - len(everyday) - len(proper)
    return (*everyday, *proper, *islice(_new_words(source, polite, taken), missing))


def _new_words(source: _Source, words: Iterable[str], taken: set[str]) -> Iterator[str]:
    """Yield the words not taken yet in any case, and take them."""
    for word in words:
        lower = source.lower(word)
        if lower not in taken:
            taken.add(lower)
            yield word


def _make_words(source: _Source, everyday: Sequence[str], proper: Sequence[str]) -> Iterator[str]:
    """Yield words that look like the language's own, without end; some of them twice."""
    rng = Random(f"made {source.code}")
    match source.code:
        case "zh":
            grammar = set("".join(source.function_words))
            content = [word for word in everyday if grammar.isdisjoint(word)]
            return _character_compounds([word for word in content if len(word) in (2, 3)], rng)
        case "ja":
            kanji = [word for word in everyday if re.fullmatch(r"[\u4e00-\u9fff]{2,3}", word)]
            loans = [word for word in (*everyday, *proper) if re.fullmatch(r"[\u30a1-\u30fa\u30fc]+", word)]
            return _mix_words(_character_compounds(kanji, rng), _cross_words(loans, rng), every=3)
        case "th":
            return _word_compounds([word for word in everyday if 2 <= len(word) <= 6], rng, most=3)
        case "de":
            nouns = [word for word in everyday if word[0].isupper() and 3 <= len(word) <= 8]
            return _mix_words(_word_compounds(nouns, rng, most=2), _cross_words(everyday, rng), every=2)
        case _:
            return _cross_words(
                [source.lower(word) for word in everyday], rng, shared=1 if source.code == "ar" else 2
            )


def _mix_words(first: Iterator[str], second: Iterator[str], every: int) -> Iterator[str]:
    """Yield words of the first, and every so often one of the second."""
    while True:
        yield from islice(first, every - 1)
        yield next(second)


def _character_compounds(words: Sequence[str], rng: Random) -> Iterator[str]:
    first, last = [word[0] for word in words], [word[-1] for word in words]
    while True:
        compound = first[int(rng.random() * len(first))] + last[int(rng.random() * len(last))]
        if rng.getrandbits(2) == 0:
            compound += last[int(rng.random() * len(last))]
        yield compound


def _word_compounds(words: Sequence[str], rng: Random, most: int) -> Iterator[str]:
    while True:
        parts = 2 if most == 2 or rng.getrandbits(2) else most
        yield "".join(words[int(rng.random() * len(words))] for _ in range(parts)).capitalize()


def _cross_words(words: Sequence[str], rng: Random, shared: int = 2) -> Iterator[str]:
    """Yield words that begin as one real word and, from a letter or two both have, end as another."""
    endings: defaultdict[str, list[str]] = defaultdict(list)
    joints: list[tuple[str, list[str]]] = []
    for word in words:
        for cut in range(1, len(word) - shared + 1):
            fitting = endings[word[cut : cut + shared]]
            fitting.append(word[cut:])
            joints.append((word[:cut], fitting))
    random = rng.random
    while True:
        beginning, fitting = joints[int(random() * len(joints))]
        word = beginning + fitting[int(random() * len(fitting))]
        if 4 <= len(word) <= 13:
            yield word


def _urn(words: Sequence[str], bits: int, flatness: float) -> list[str]:
    """Return 2**bits words, each at least once and the rest by rank."""
    spare = (1 << bits) - len(words)
    weights = [1 / (rank + flatness) for rank in range(1, len(words) + 1)]
    scale = spare / sum(weights)
    urn: list[str] = []
    wanted = 0.0
    for position, (word, weight) in enumerate(zip(words, weights, strict=True), start=1):
        wanted += weight * scale
        urn.extend([word] * (position + round(wanted) - len(urn)))
    return urn


def _phrases(file: Mapping[str, Any]) -> dict[str, str]:
    return (
        {name: text for section in ("ui", "leave_alone") for name, text in file[section].items()}
        | {f"field.{name}": text for name, text in file["fields"].items()}
        | {f"section.{name}": text for name, text in file["sections"].items()}
        | {f"topic.{name}": topic["name"] for name, topic in file["topics"].items()}
    )


@lru_cache(maxsize=REMEMBERED_WORDINGS)
def _choice(number: int, phrase: str, count: int) -> int:
    """Return which of so many wordings a site has for a phrase, whatever it has for the others."""
    return draw("wording", number, phrase) % count if number else 0


def _fill(phrase: str, wording: str, values: Mapping[str, object]) -> str:
    try:
        return wording.format_map(values)
    except KeyError as missing:
        raise KeyError(f"the phrase {phrase!r} needs a value for {missing}") from None


def _topic_voices(source: _Source, urn: list[str]) -> dict[str, _TopicVoice]:
    function = (_urn(source.function_words, FUNCTION_BITS, flatness=2), FUNCTION_BITS)
    spaced = source.phrases["meta"]["spaced"]
    voices = {}
    for topic in TOPICS:
        words = tuple(source.phrases["topics"][topic]["words"])
        kinds = {"F": function, "T": (_urn(words, TOPIC_BITS, flatness=5), TOPIC_BITS), "V": (urn, WORD_BITS)}
        sentences = SENTENCE_PATTERNS if spaced else UNSPACED_SENTENCE_PATTERNS
        voices[topic] = _TopicVoice(words, _slots(sentences, kinds), _slots(TITLE_PATTERNS, kinds))
    return voices


def _slots(patterns: Iterable[str], kinds: Mapping[str, tuple[list[str], int]]) -> tuple[Slots, ...]:
    return tuple(tuple(kinds[kind] for kind in pattern) for pattern in patterns)


def _people(source: _Source) -> tuple[_People, ...]:
    """Return the language's people; in groups where last names have a gender."""
    person = source.faker("person")
    extra = source.phrases.get("names", {"first": "", "last": ""})
    first, last = extra["first"].split(), extra["last"].split()
    match source.code:
        case "ru":
            groups = [
                (person.first_names_male, person.last_names_male),
                (person.first_names_female, person.last_names_female),
            ]
        case "pl":
            family = person.unisex_last_names
            groups = [
                (person.first_names_male, (*person.male_last_names, *family)),
                (person.first_names_female, (*map(_polish_feminine, person.male_last_names), *family)),
            ]
        case _:
            groups = [((*first, *person.first_names), (*last, *person.last_names))]
    return tuple(_People(_usable_names(source, a), _usable_names(source, b)) for a, b in groups)


def _polish_feminine(last_name: str) -> str:
    return last_name[:-1] + "a" if last_name.endswith(("ski", "cki", "dzki")) else last_name


def _usable_names(source: _Source, names: Iterable[str]) -> tuple[str, ...]:
    plain = (ARABIC_VOWEL_SIGNS.sub("", name).strip() for name in names)
    return _distinct(name for name in plain if name and source.can_write(name))


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
