from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from simweb.languages import LANGUAGES, Language, language
from simweb.topics import TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterable

PHRASES = Path(__file__).parent.parent / "simweb" / "phrases"
PHRASE_SECTIONS = ("ui", "leave_alone", "fields", "sections")
MAY_LEAVE_OUT = {"no_results": {"query"}}
UNSPACED = ("zh", "ja", "th")
SCRIPTS = {
    "ru": r"[А-Яа-яЁё-]+",
    "ar": r"[\u0621-\u064a]+",
    "zh": r"[\u4e00-\u9fff]+",
    "ja": r"[\u3041-\u30ff\u4e00-\u9fff]+",
    "th": r"[\u0e01-\u0e4e]+",
}


def phrase_file(code: str) -> dict[str, Any]:
    return tomllib.loads((PHRASES / f"{code}.toml").read_text(encoding="utf-8"))


def base_phrases(file: dict[str, Any]) -> dict[str, str]:
    return {**file["ui"], **file["leave_alone"]}


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"\{(\w*)\}", text))


@pytest.fixture(params=LANGUAGES)
def spoken(request: pytest.FixtureRequest) -> Language:
    return language(request.param)


def test_every_language_has_a_phrase_file_and_every_phrase_file_a_language() -> None:
    assert sorted(path.stem for path in PHRASES.glob("*.toml")) == sorted(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("section", [*PHRASE_SECTIONS, "wordings", "topics"])
def test_every_language_has_the_same_phrases_in_the_same_order(code: str, section: str) -> None:
    assert list(phrase_file(code)[section]) == list(phrase_file("en")[section])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("section", PHRASE_SECTIONS)
def test_a_translation_keeps_the_placeholders(code: str, section: str) -> None:
    english, translated = phrase_file("en")[section], phrase_file(code)[section]

    assert {key: placeholders(text) for key, text in translated.items()} == {
        key: placeholders(text) for key, text in english.items()
    }
    assert all(text.strip() == text != "" for text in translated.values())


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_translation_is_not_english_left_over(code: str) -> None:
    english, translated = phrase_file("en"), phrase_file(code)

    same = [
        key
        for section in PHRASE_SECTIONS
        for key, text in translated[section].items()
        if text == english[section][key]
    ]

    assert len(same) < 40, same


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    "danger",
    ["log_in", "subscribe", "unsubscribe", "order", "delete", "send", "register", "vote", "upload", "report"],
)
def test_a_button_to_leave_alone_never_reads_like_a_search_button(code: str, danger: str) -> None:
    phrases = language(code)

    assert phrases.say(danger) not in {
        phrases.say(key) for key in ("search", "find", "go", "search_catalogue")
    }


@pytest.mark.parametrize("code", LANGUAGES)
def test_wordings_are_three_to_five_and_none_is_said_twice(code: str) -> None:
    file = phrase_file(code)
    base = base_phrases(file)

    for phrase, further in file["wordings"].items():
        assert 3 <= len(further) <= 5, phrase
        assert len({text.casefold() for text in (base[phrase], *further)}) == 1 + len(further), phrase
        assert all(text.strip() == text != "" for text in further), phrase


@pytest.mark.parametrize("code", LANGUAGES)
def test_wordings_have_the_placeholders_of_their_phrase(code: str) -> None:
    file = phrase_file(code)
    base = base_phrases(file)

    for phrase, further in file["wordings"].items():
        allowed = placeholders(base[phrase])
        needed = set(allowed) - MAY_LEAVE_OUT.get(phrase, set())
        for text in further:
            used = placeholders(text)
            assert len(set(used)) == len(used), text
            assert needed <= set(used) <= set(allowed), text
            assert text.count("{") == text.count("}") == len(used), text


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_wording_of_a_button_to_leave_alone_reads_like_one_of_a_search_button(code: str) -> None:
    file = phrase_file(code)
    base, further = base_phrases(file), file["wordings"]

    def said(phrases: Iterable[str]) -> set[str]:
        return {text.casefold() for key in phrases for text in (base[key], *further.get(key, ()))}

    assert said(file["leave_alone"]).isdisjoint(
        said(("search", "find", "go", "search_catalogue", "new_search"))
    )


def test_topics_are_marked_by_fifteen_or_more_single_words(spoken: Language) -> None:
    for topic in TOPICS:
        words = spoken.topic_words(topic)

        assert len(set(words)) == len(words) >= 15
        assert not any(" " in word for word in words)


def test_topics_share_few_words(spoken: Language) -> None:
    uses = Counter(word for topic in TOPICS for word in spoken.topic_words(topic))

    assert max(uses.values()) <= 2
    assert sum(count > 1 for count in uses.values()) <= 15


def test_say_finds_phrases_fields_sections_and_topics() -> None:
    german = language("de")

    assert german.say("results_range", first=1, last=20, total=812) == "1-20 von 812"
    assert german.say("password") == "Passwort"
    assert german.say("field.author") == "Autor"
    assert german.say("section.news") == "Nachrichten"
    assert german.say("topic.books") == "Bücher"


def test_say_leaves_braces_in_values_alone() -> None:
    assert language("en").say("no_results", query="{n} {") == 'No results for "{n} {".'


def test_say_tells_what_is_missing() -> None:
    with pytest.raises(KeyError, match=r"en has no phrase 'field\.shoe_size'"):
        language("en").say("field.shoe_size")
    with pytest.raises(KeyError, match="'page_number' needs a value for 'n'"):
        language("en").say("page_number")


def test_a_site_words_a_phrase_in_one_of_the_ways_of_its_language(spoken: Language) -> None:
    file = phrase_file(spoken.code)
    base = base_phrases(file)

    for phrase, further in file["wordings"].items():
        values = {name: f"<{name}>" for name in placeholders(base[phrase])}
        possible = [text.format_map(values) for text in (base[phrase], *further)]

        said = [spoken.say_variant(number, phrase, **values) for number in range(40)]

        assert said[0] == possible[0] == spoken.say(phrase, **values)
        assert set(said) <= set(possible)
        assert len(set(said)) >= 3, phrase


def test_the_wording_of_one_phrase_does_not_tell_that_of_another() -> None:
    english = language("en")

    pairs = {
        (english.say_variant(number, "next"), english.say_variant(number, "previous"))
        for number in range(1, 500)
    }

    assert len(pairs) == 25


def test_every_wording_is_about_as_common() -> None:
    said = Counter(language("en").say_variant(number, "search") for number in range(1, 6_001))

    assert len(said) == 6
    assert all(850 < count < 1_150 for count in said.values())


def test_a_phrase_without_further_wordings_is_worded_alike_everywhere() -> None:
    german = language("de")

    assert {german.say_variant(number, "field.author") for number in range(40)} == {"Autor"}
    assert {german.say_variant(number, "page_number", n=3) for number in range(40)} == {"Seite 3"}


def test_say_variant_tells_what_is_missing() -> None:
    with pytest.raises(KeyError, match=r"en has no phrase 'field\.shoe_size'"):
        language("en").say_variant(3, "field.shoe_size")
    with pytest.raises(KeyError, match="'too_short' needs a value for 'n'"):
        language("en").say_variant(3, "too_short")


def test_an_unknown_language_is_named_in_the_error() -> None:
    with pytest.raises(KeyError, match="no language 'tlh'"):
        language("tlh")


def test_a_language_is_built_once() -> None:
    assert language("fr") is language("fr")


def test_only_arabic_runs_from_right_to_left_and_three_languages_have_no_blanks() -> None:
    assert [code for code in LANGUAGES if language(code).direction == "rtl"] == ["ar"]
    assert tuple(code for code in LANGUAGES if not language(code).spaced) == UNSPACED


def test_vocabulary_is_large_distinct_and_of_content_words(spoken: Language) -> None:
    folded = {word.lower() for word in spoken.vocabulary}

    assert len(folded) == len(spoken.vocabulary) == 20_000
    assert folded.isdisjoint(spoken.function_words)
    assert not any(re.search(r"[\s\d.,]", word) for word in spoken.vocabulary)
    assert len(set(spoken.function_words)) == len(spoken.function_words) >= 50


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_are_written_in_the_script_of_the_language(code: str) -> None:
    script = re.compile(SCRIPTS.get(code, r"[^\W\d_]+(?:-[^\W\d_]+)*"))

    assert [word for word in language(code).vocabulary if not script.fullmatch(word)] == []


def test_real_words_come_before_made_ones() -> None:
    assert {"Zeit", "Wasser", "Frage"} <= set(language("de").vocabulary[:200])
    assert {"gazete", "deniz", "zaman"} <= set(language("tr").vocabulary[:200])
    assert {"時間", "世界", "生活"} <= set(language("ja").vocabulary[:200])


def test_made_words_contain_nothing_to_be_ashamed_of(spoken: Language) -> None:
    avoided = phrase_file(spoken.code)["words"]["avoid"].split()
    tail = "\n".join(spoken.vocabulary[5_000:]).lower()

    assert [stem for stem in avoided if stem in tail] == []
    assert [stem for stem in avoided if stem in {word.lower() for word in spoken.vocabulary}] == []


def test_every_charset_holds_all_that_is_ever_said(spoken: Language) -> None:
    file = phrase_file(spoken.code)
    said = [text for section in PHRASE_SECTIONS for text in file[section].values()]
    said += [text for further in file["wordings"].values() for text in further]
    said += [word for topic in TOPICS for word in (spoken.say(f"topic.{topic}"), *spoken.topic_words(topic))]
    said += [
        *spoken.vocabulary,
        *spoken.function_words,
        *spoken.first_names,
        *spoken.last_names,
        spoken.endonym,
    ]
    said += [spoken.sentence(Random(1), "books", 30), spoken.title(Random(1), "books")]
    text = "\n".join(said)
    text += "".join(spoken.sentence(Random(seed), topic, 12) for seed in range(20) for topic in TOPICS)

    assert spoken.charsets[0] == "utf-8"
    assert len(spoken.charsets) >= 2
    for charset in spoken.charsets:
        assert text.encode(charset).decode(charset) == text


def test_words_follow_zipf(spoken: Language) -> None:
    rng = Random(7)
    draws = 200_000
    rank = {word: position for position, word in enumerate(spoken.vocabulary, start=1)}

    ranks = [rank[spoken.word(rng)] for _ in range(draws)]

    share = {limit: sum(r <= limit for r in ranks) / draws for limit in (1, 100, 1_000, 10_000)}
    assert 0.005 < share[1] < 0.02
    assert 0.22 < share[100] < 0.35
    assert 0.45 < share[1_000] < 0.60
    assert 0.80 < share[10_000] < 0.92


def test_every_word_can_be_drawn(spoken: Language) -> None:
    class Counting(Random):
        position = -1

        def getrandbits(self, k: int, /) -> int:
            self.position += 1
            return self.position % (1 << k)

    rng = Counting()

    assert {spoken.word(rng) for _ in range(1 << 17)} == set(spoken.vocabulary)


def test_two_words_in_five_of_a_sentence_are_function_words() -> None:
    english = language("en")
    rng = Random(3)

    words = [
        word.strip(".,").lower() for _ in range(500) for word in english.sentence(rng, "films", 12).split(" ")
    ]

    functional = sum(word in english.function_words for word in words) / len(words)
    topical = sum(word in english.topic_words("films") for word in words) / len(words)
    assert len(words) == 6_000
    assert 0.33 < functional < 0.45
    assert 0.12 < topical < 0.28


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code not in UNSPACED])
@pytest.mark.parametrize("words", [1, 2, 5, 6, 13, 14, 40])
def test_a_spaced_sentence_has_its_words_a_capital_and_a_stop(code: str, words: int) -> None:
    spoken = language(code)

    for seed in range(30):
        sentence = spoken.sentence(Random(seed), "music", words)
        parts = sentence.split(" ")

        assert len(parts) == words
        assert parts[0][0] == parts[0][0].upper()
        assert sentence.endswith(".")
        assert not any(mark in parts[-1] for mark in ",،")


@pytest.mark.parametrize("code", ["zh", "ja"])
def test_chinese_and_japanese_sentences_have_no_blanks_and_their_own_punctuation(code: str) -> None:
    sentences = [language(code).sentence(Random(seed), "hotels", 12) for seed in range(200)]

    assert not any(re.search(r"[\s.,]", sentence) for sentence in sentences)
    assert all(sentence.endswith("。") for sentence in sentences)
    assert all({"zh": "，", "ja": "、"}[code] in sentence for sentence in sentences)


def test_thai_has_blanks_between_clauses_only() -> None:
    sentences = [language("th").sentence(Random(seed), "hotels", 12) for seed in range(200)]

    assert all(sentence.count(" ") == 1 and sentence == sentence.strip() for sentence in sentences)


def test_turkish_dotted_i_keeps_its_dot_as_a_capital() -> None:
    turkish = language("tr")

    starts = {turkish.sentence(Random(seed), "jobs", 8)[0] for seed in range(3_000)}

    assert "İ" in starts


def test_titles_have_two_to_six_words_and_vary(spoken: Language) -> None:
    rng = Random(11)

    titles = [spoken.title(rng, "books") for _ in range(2_000)]

    assert len(set(titles)) > 1_800
    if spoken.spaced:
        assert {len(title.split(" ")) for title in titles} == {2, 3, 4, 5, 6}
    else:
        assert not any(" " in title for title in titles)


def test_english_titles_capitalise_content_words_only() -> None:
    words = language("en").title(Random(2), "books").split(" ")

    assert all(word[0].isupper() or word in language("en").function_words for word in words)
    assert words[0][0].isupper()


def test_there_are_thousands_of_people(spoken: Language) -> None:
    rng = Random(5)

    assert len(spoken.first_names) * len(spoken.last_names) > 9_000
    assert len({spoken.name(rng) for _ in range(1_000)}) > 900


@pytest.mark.parametrize(
    ("code", "pattern"),
    [
        pytest.param("zh", r"[\u4e00-\u9fff]{2,5}", id="family name first, no blank"),
        pytest.param("ja", r"[\u3041-\u30ff\u4e00-\u9fff々]{2,8}", id="family name first, no blank"),
        pytest.param("th", r"\S+ \S+", id="given name first"),
        pytest.param("de", r"\S+ \S.*", id="given name first"),
    ],
)
def test_names_are_in_the_order_of_the_language(code: str, pattern: str) -> None:
    spoken = language(code)
    name = spoken.name(Random(4))

    assert re.fullmatch(pattern, name)
    leading = spoken.last_names if code in ("zh", "ja") else spoken.first_names
    assert name.startswith(leading)


@pytest.mark.parametrize(
    ("code", "man", "woman"), [("ru", "Иванов", "Иванова"), ("pl", "Kowalski", "Kowalska")]
)
def test_last_names_agree_with_first_names_where_they_must(code: str, man: str, woman: str) -> None:
    spoken = language(code)
    names = {spoken.name(Random(seed)) for seed in range(20_000)}

    men = {name.split(" ")[0] for name in names if name.endswith(f" {man}")}
    women = {name.split(" ")[0] for name in names if name.endswith(f" {woman}")}

    assert men
    assert women
    assert men.isdisjoint(women)


def test_the_same_language_is_built_in_every_process() -> None:
    program = (
        "import hashlib; from random import Random; from simweb.languages import language\n"
        "digest = hashlib.sha256()\n"
        "for code in ('de', 'pl', 'tr', 'ar', 'zh', 'ja', 'th'):\n"
        "    spoken, rng = language(code), Random(code)\n"
        "    said = [*spoken.vocabulary, *spoken.first_names, *spoken.last_names, *spoken.function_words]\n"
        "    said += [spoken.sentence(rng, 'art', 12) + spoken.title(rng, 'art') + spoken.name(rng)]\n"
        "    said += [spoken.say_variant(n, p) for n in range(40) for p in ('next', 'search', 'log_in')]\n"
        "    digest.update('\\n'.join(said).encode())\n"
        "print(digest.hexdigest())"
    )

    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(PHRASES.parent.parent)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "4711")
    }

    assert len(digests) == 1
