from __future__ import annotations

import os
import random
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.index.analysis import alternatives, count_weighted_terms, spread, terms_of
from hiddenweb.index.protocol import ForeignIndex, IndexDocument, differences
from hiddenweb.index.query_parser import BadQuery, ParsedQuery
from hiddenweb.index.whoosh import MAX_SEGMENTS, WhooshIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jsonlines_outbox import page
else:
    from tests.jsonlines_outbox import page

ENGLISH = (
    "The lost wax method is used for casting bronze. A mould is made around the wax, which then runs out."
)
GERMAN = "Die Häuser der Stadt sind alt. Im Haus am Markt ist ein Buchladen mit Büchern über Bronze."
CHINESE = "北京大学的图书馆有很多关于青铜器的书。学生在那里看书。"
JAPANESE = "東京の図書館で本を読む。カタカナもある。"
ARABIC = "المكتبة الكبيرة في المدينة فيها كتب عن البرونز."
RUSSIAN = "В старой библиотеке много книг о бронзе и о городах."
THAI = "ห้องสมุดมีหนังสือเกี่ยวกับการหล่อสำริดและภาพพิมพ์"
KOREAN = "서울의 도서관에는 책이 많다."

LIBRARY = [
    page("en.example/a", ENGLISH, title="Lost wax casting"),
    page("de.example/a", GERMAN, title="Alte Häuser", language="de"),
    page("zh.example/a", CHINESE, title="图书馆", language="zh"),
    page("ja.example/a", JAPANESE, title="図書館", language="ja"),
    page("ar.example/a", ARABIC, title="المكتبة", language="ar"),
    page("ru.example/a", RUSSIAN, title="Библиотека", language="ru"),
    page("th.example/a", THAI, title="ห้องสมุด", language="th"),
    page("ko.example/a", KOREAN, title="도서관", language="ko"),
    page("shop.books.example/b", "Bronze age war, and coast to coast.", title="Coasts", at=1_600_000_000.0),
    page(
        "record.example/1",
        "Bronze bell, cast 1911",
        title="Bell",
        language="",
        kind="record",
        behind_form=True,
        at=1_650_000_000.0,
    ),
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[WhooshIndex]:
    made = WhooshIndex.create(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module", params=["one segment", "many segments", "merged"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> WhooshIndex:
    index = WhooshIndex.create(tmp_path_factory.mktemp("library"))
    if request.param == "one segment":
        index.update(LIBRARY)
    else:
        for document in LIBRARY:
            index.update([document])
    if request.param == "merged":
        while index.merge(idle=True):
            pass
        assert len(index.segments()) == 1
    return index


def sites(index: WhooshIndex, words: str, **values: object) -> list[str]:
    answer = index.search(ParsedQuery(words, **values))  # type: ignore[arg-type]
    assert answer.total == len(answer.hits)
    return sorted(hit.document.site.split(".")[0] for hit in answer.hits)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("casting", ["en"]),
        ("cast", ["en", "record"]),  # by its stem, and as it is where the language is not known
        ("CASTINGS wax", ["en"]),
        ("haus", ["de"]),
        ("die häuser", ["de"]),  # "die" is too common in German, but not in English
        ("hauser", ["de"]),
        ("bücher", ["de"]),
        ("bronze", ["de", "en", "record", "shop"]),
        ("bronze -wax", ["de", "record", "shop"]),
        ("bronze NOT wax", ["de", "record", "shop"]),
        ("wax OR bell", ["en", "record"]),
        ("bronze (wax OR bell)", ["en", "record"]),
        ("war bronze", ["de", "shop"]),  # "war" is too common in German, so German documents do without it
        ("war", ["shop"]),
        ('"lost wax"', ["en"]),
        ('"wax lost"', []),
        ('"Häusern der Stadt"', ["de"]),
        ('"lost wax" OR "bronze bell"', ["en", "record"]),
        ('bronze -"lost wax"', ["de", "record", "shop"]),
        ("wax-method", ["en"]),
        ("coas*", ["shop"]),
        ("books.example", []),
        ("bronze site:books.example", ["shop"]),
        ("bronze site:shop.books.example", ["shop"]),
        ("bronze site:example", []),
        ("bronze kind:record", ["record"]),
        ("bronze language:de", ["de"]),
        ("1911", ["record"]),
        ("北京大学", ["zh"]),
        ("大京", []),
        ("京", ["ja", "zh"]),
        ("书", ["zh"]),
        ("图书馆 青铜器", ["zh"]),
        ("北京图书馆", []),  # all its pairs but one are there
        ("図書館", ["ja"]),
        ("カタカナ", ["ja"]),
        ("المكتبة", ["ar"]),
        ("مكتبة", ["ar"]),  # without the article
        ("كتب", ["ar"]),
        ("книга", ["ru"]),
        ("города библиотека", ["ru"]),
        ("ภาพพิมพ์", ["th"]),
        ("หนังสือ", ["th"]),
        ("พิมพ์ภาพ", []),
        ("도서관", ["ko"]),
    ],
)
def test_queries_find_what_they_mean(library: WhooshIndex, words: str, found: list[str]) -> None:
    assert sites(library, words) == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"site": "books.example"}, ["shop"]),
        ({"site": "SHOP.books.example"}, ["shop"]),
        ({"site": "ooks.example"}, []),
        ({"since": 1_650_000_000.0}, ["de", "en", "record"]),
        ({"since": 1_650_000_001.0}, ["de", "en"]),
        ({"since": 9e9}, []),
        ({"language": "de"}, ["de"]),
        ({"behind_forms": True}, ["record"]),
        ({"behind_forms": True, "since": 1_650_000_001.0}, []),
    ],
)
def test_filters_narrow_the_hits(library: WhooshIndex, values: dict[str, object], found: list[str]) -> None:
    assert sites(library, "bronze", **values) == found


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("castings", ["casting"]),
        ('"lost wax"', ["lost", "wax"]),
        ("häusern", ["Häuser", "Haus"]),
        ("北京大学", ["北京大学"]),
        ("京", ["京"]),
        ("كتب", ["كتب"]),
        ("книги", ["книг"]),
        ("ภาพพิมพ์", ["ภาพพิมพ์"]),
        ("coas*", ["coast", "coast"]),
    ],
)
def test_snippets_mark_the_match(library: WhooshIndex, words: str, marked: list[str]) -> None:
    hit = library.search(ParsedQuery(words)).hits[0]

    found = [hit.snippet.text[start:end] for start, end in hit.snippet.marks]

    assert found[: len(marked)] == marked


RECORDS = [
    page(
        "river.example/1",
        "The river runs.",
        kind="record",
        attributes=(("author", "Jane Smith"), ("author", "John Doe"), ("price", "12.50")),
    ),
    page(
        "stone.example/1",
        "A stone by Smith.",
        language="",
        attributes=(("Author", "Ann Jones"), ("Date of birth", "1950"), ("作者", "北京大学 王")),
    ),
    page("die.example/1", "Der Fluss", language="de", attributes=(("author", "The Who"), ("price", "50.12"))),
    page("plain.example/1", "the author smith, the river"),
]


@pytest.fixture(scope="module", params=["one segment", "merged"])
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> WhooshIndex:
    index = WhooshIndex.create(tmp_path_factory.mktemp("shop"))
    if request.param == "one segment":
        index.update(RECORDS)
    else:
        for document in RECORDS:
            index.update([document])
        assert index.merge(idle=True)
    return index


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("author:smith", ["river"]),
        ("author:smith river", ["river"]),
        ("author:smith stone", []),
        ("AUTHOR:SMITHS", ["river"]),  # by the stem in the language of the document
        ('author:"jane smith"', ["river"]),
        ('author:"smith jane"', []),
        ('author:"smith john"', []),  # two values, though they are adjacent
        ("author:smith author:doe", ["river"]),
        ("author:(smith OR jones)", ["river", "stone"]),
        ("author:smith OR author:jones", ["river", "stone"]),
        ("author:smi*", ["river"]),
        ("author:who", ["die"]),  # too common for a text, not for an attribute
        ("river -author:smith", ["plain"]),
        ("-author:smith river", ["plain"]),
        ("river NOT author:smith", ["plain"]),
        ("price:12.50", ["river"]),
        ("price:€12.50", ["river"]),
        ("price:12", ["die", "river"]),
        ("date_of_birth:1950", ["stone"]),
        ("Date-of-birth:1950", ["stone"]),
        ("dateofbirth:1950", ["stone"]),
        ("作者:北京大学", ["stone"]),
        ("作者:大学北京", []),
        ("作者:王", ["stone"]),
        ("kind:record author:smith", ["river"]),
        ("author:who language:de", ["die"]),
        ("doe", ["river"]),  # words of attributes are words of the document
        ('"john doe"', ["river"]),
        ('"smith john"', []),
        ("北京大学", ["stone"]),
        ("publisher:smith", []),  # nobody has a publisher: two words
        ("the:author", ["plain"]),
        ("birth:1950", []),  # part of a name is no name
        ("author:", ["plain"]),
        ("x:author:smith", []),
        ('"author:smith"', ["plain"]),
    ],
)
def test_attributes_are_fields(shop: WhooshIndex, words: str, found: list[str]) -> None:
    assert sites(shop, words) == found


def test_terms_of_an_attribute_are_marked_in_its_values(shop: WhooshIndex) -> None:
    (hit,) = shop.search(ParsedQuery("author:smith 12 author:jo*")).hits

    marked = [
        [value[start:end] for start, end in marks]
        for (_, value), marks in zip(hit.document.attributes, hit.value_marks, strict=True)
    ]
    assert marked == [["Smith"], ["John"], ["12"]]
    assert hit.snippet.marks == ()


def test_attributes_are_replaced_with_their_document(index: WhooshIndex) -> None:
    index.update([page("a.example/1", "bronze", attributes=(("author", "Smith"), ("year", "1911")))])
    index.update([page("a.example/1", "bronze", attributes=(("author", "Jones"),))])

    assert sites(index, "author:jones") == ["a"]
    assert sites(index, "author:smith") == []
    assert sites(index, "1911") == []


def test_other_attributes_make_another_document(index: WhooshIndex) -> None:
    stored = page("a.example/1", "bronze", attributes=(("author", "Smith"),))
    index.update([stored])

    assert not differences(index, [stored])
    assert differences(index, [replace(stored, attributes=(("author", "Jones"),))]).changed == (stored.key,)
    assert differences(index, [replace(stored, attributes=())]).changed == (stored.key,)


def test_names_and_values_may_be_anything(index: WhooshIndex) -> None:
    attributes = (
        ("№", "7"),
        ("", "nameless"),
        ("a=b\n", "x\ny"),
        ("n" * 500, "v" * 500),
        ("\ud800", "\udfff"),
    )
    document = page("a.example/1", "bronze", attributes=attributes)
    bad = page("bad.example/1", attributes=(("author", None),))

    assert index.update([document, bad]) == [bad.key]
    assert not differences(index, [document])
    assert sites(index, "nameless 7 a_b:x") == ["a"]


def test_titles_are_marked_and_rank_higher(index: WhooshIndex) -> None:
    index.update(
        [page("a.example/1", "wax and wool " * 3), page("a.example/2", "wool and wood " * 3, title="Wax")]
    )

    answer = index.search(ParsedQuery("wax"))

    assert [hit.document.key[-1] for hit in answer.hits] == ["2", "1"]
    assert answer.hits[0].title_marks == ((0, 3),)


def test_pages_of_hits_follow_each_other(index: WhooshIndex) -> None:
    index.update(
        [page(f"a.example/{number}", "bronze " * (number + 1) + "filler " * 30) for number in range(25)]
    )

    pages = [index.search(ParsedQuery("bronze", page=number, limit=10)) for number in (1, 2, 3, 4)]

    keys = [hit.document.key for answer in pages for hit in answer.hits]
    scores = [hit.score for answer in pages for hit in answer.hits]
    assert [len(answer.hits) for answer in pages] == [10, 10, 5, 0]
    assert {answer.total for answer in pages} == {25}
    assert len(set(keys)) == 25
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "words",
    ['"', '"lost', "(", ")", "a OR", "OR", "AND NOT", "-", "--", "site:", "site:(", "*", "wax*cast", "^2", "[a TO", "~", "'",
     "wax^", '""', "NOT", "+", "\\", "a:b:c", "((wax)", "wax ) OR (", "author:(", "author:\"x", "-author:*", "\x00", "- wax", "key:x", "\ud800", "wax" * 1000],
)  # fmt: skip
def test_no_query_is_a_fault(library: WhooshIndex, words: str) -> None:
    with suppress(BadQuery):
        assert library.search(ParsedQuery(words)).total <= len(LIBRARY)


@pytest.mark.parametrize("words", ["", "  ", "!?", "- -"])
def test_a_query_without_words_is_refused(library: WhooshIndex, words: str) -> None:
    with pytest.raises(BadQuery):
        library.search(ParsedQuery(words))


def test_an_empty_index_finds_nothing(index: WhooshIndex) -> None:
    answer = index.search(ParsedQuery("anything"))

    assert (answer.total, answer.hits) == (0, ())


def made_texts(draw: random.Random, count: int) -> list[tuple[str, str]]:
    words = {
        "en": [
            "the",
            "war",
            "die",
            "bronze",
            "castings",
            "cast",
            "coast",
            "of",
            "houses",
            "house",
            "lost",
            "wax",
            "art",
        ],
        "de": ["die", "war", "der", "Häuser", "Haus", "bronze", "und", "Kunst", "art", "gegossen", "Wachs"],
        "zh": list("北京大学图书馆青铜"),
    }
    texts = []
    for _ in range(count):
        language = draw.choice(sorted(words))
        glue = "" if language == "zh" else " "
        texts.append((glue.join(draw.choices(words[language], k=draw.randint(2, 12))), language))
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_answers_equal_those_of_reading_every_text(index: WhooshIndex, seed: int) -> None:
    draw = random.Random(seed)
    documents = [
        page(f"a.example/{number}", text, title="x", language=language)
        for number, (text, language) in enumerate(made_texts(draw, 400))
    ]
    for start in range(0, 400, 50):
        index.update(documents[start : start + 50])
    languages = ["", *sorted({document.language for document in documents})]

    for words in ("bronze art", "die haus", "war art", "lost wax cast", "house", "kunst die war"):
        wanted = {document.key for document in documents if matches(document, words.split(), languages)}
        answer = index.search(ParsedQuery(words, limit=1000))
        assert {hit.document.key for hit in answer.hits} == wanted
        assert answer.total == len(wanted) == index.search(ParsedQuery(words, limit=1)).total
        assert wanted
    for wanted_word, banned in (("art", "die"), ("bronze", "wax"), ("haus", "bronze"), ("bronze", "war die")):
        wanted = {
            document.key
            for document in documents
            if matches(document, [wanted_word], languages)
            and not any(matches(document, [word], languages) for word in banned.split())
        }
        for minus in ("-", "NOT "):
            words_typed = " ".join([wanted_word, *(minus + word for word in banned.split())])
            assert {
                hit.document.key for hit in index.search(ParsedQuery(words_typed, limit=1000)).hits
            } == wanted
    for phrase in ("die haus", "lost wax", "北京大", "图书"):
        wanted = {document.key for document in documents if says(document, phrase)}
        assert {
            hit.document.key for hit in index.search(ParsedQuery(f'"{phrase}"', limit=1000)).hits
        } == wanted


def matches(document: IndexDocument, words: list[str], languages: list[str]) -> bool:
    terms = count_weighted_terms(document.title, document.text, document.language)
    rare = [word for word in words if all(terms_of(language)[word] for language in languages)]
    for word in words:
        has = any(term.encode() in terms for term in alternatives(word, languages))
        is_excused = bool(rare) and not terms_of(document.language)[word]
        if not has and not is_excused:
            return False
    return True


def says(document: IndexDocument, phrase: str) -> bool:
    return spread(phrase, document.language) in spread(document.text, document.language)


# Replacing and deleting


def test_a_document_replaces_the_one_with_its_key(index: WhooshIndex) -> None:
    index.update([page("a.example/1", "old words"), page("a.example/2", "others")])
    index.update([page("a.example/1", "new words")])

    assert index.count() == 2
    assert sites(index, "old") == []
    assert sites(index, "new") == ["a"]


def test_the_later_of_one_batch_wins(index: WhooshIndex) -> None:
    first, second = page("a.example/1", "first"), page("a.example/1", "second")
    index.update([first, second, page("b.example/1", "gone"), "https://b.example/1", "https://c.example/1"])
    index.update(["https://a.example/1", first])

    assert list(index.documents()) == [first]


def test_deleted_documents_are_not_found_and_leave_with_a_merge(index: WhooshIndex) -> None:
    documents = [page(f"a.example/{number}", f"word{number} bronze") for number in range(40)]
    for start in range(0, 40, 10):
        index.update(documents[start : start + 10])
    index.update([document.key for document in documents[:25]])

    assert index.search(ParsedQuery("bronze")).total == 15
    assert sites(index, "word3") == []
    assert index.merge(idle=True)
    assert index.segments() == [15]
    assert index.search(ParsedQuery("bronze")).total == 15
    assert not differences(index, documents[25:])


def test_deleting_everything_leaves_an_empty_index(index: WhooshIndex) -> None:
    index.update([page("a.example/1", "bronze")])
    index.update(["https://a.example/1"])

    assert index.merge(idle=True)
    assert index.segments() == []
    assert index.search(ParsedQuery("bronze")).total == 0


def test_replay_changes_nothing(index: WhooshIndex) -> None:
    index.update(LIBRARY)
    index.update(LIBRARY)
    index.update(LIBRARY[3:7])

    assert not differences(index, LIBRARY)
    assert index.search(ParsedQuery("bronze")).total == 4


def test_a_reopened_index_knows_its_keys(index: WhooshIndex) -> None:
    index.update(LIBRARY)

    again = WhooshIndex(index.folder)
    again.update([LIBRARY[0]])

    assert not differences(again, LIBRARY)


def test_random_changes_have_the_same_effect_as_on_a_dictionary(index: WhooshIndex) -> None:
    draw = random.Random(11)
    stored: dict[str, IndexDocument] = {}
    for _ in range(60):
        batch: list[IndexDocument | str] = []
        for _ in range(draw.randint(0, 12)):
            document = page(f"a.example/{draw.randint(0, 60)}", f"text{draw.randint(0, 9)} bronze")
            if draw.random() < 0.3:
                batch.append(document.key)
                stored.pop(document.key, None)
            else:
                batch.append(document)
                stored[document.key] = document
        index.update(batch)
        if draw.random() < 0.2:
            index.merge(idle=draw.random() < 0.5)

    assert not differences(index, stored.values())
    assert {document.key: document for document in index.documents()} == stored
    assert index.search(ParsedQuery("bronze", limit=100)).total == len(stored) == index.count()
    for number in range(10):
        wanted = {key for key, document in stored.items() if f"text{number} " in document.text}
        assert {
            hit.document.key for hit in index.search(ParsedQuery(f"text{number}", limit=100)).hits
        } == wanted


def test_a_bad_document_costs_one_document(index: WhooshIndex) -> None:
    bad = [
        page("bad.example/2", at=float("nan")),
        page("bad.example/3", text=None),  # type: ignore[arg-type]
        page("bad.example/\ud800", "a key that cannot be written"),
    ]
    bad.append(replace(bad[0], key="https://bad.example/1", title=None))  # type: ignore[arg-type]

    assert sorted(index.update([*LIBRARY, *bad])) == sorted(document.key for document in bad)
    assert not differences(index, LIBRARY)


def test_text_that_is_not_unicode_is_indexed_all_the_same(index: WhooshIndex) -> None:
    index.update([page("a.example/1", "bronze \ud800 bell", title="\udfff")])

    assert index.search(ParsedQuery("bell")).hits[0].snippet.text == "bronze ? bell"


def test_stored_documents_are_returned_unchanged(index: WhooshIndex) -> None:
    index.update(LIBRARY)

    assert sorted(index.documents(), key=lambda document: document.key) == sorted(
        LIBRARY, key=lambda document: document.key
    )


class Crash(BaseException):
    """The power goes."""


@pytest.mark.parametrize("what", ["update", "merge"])
def test_after_a_crash_at_any_step_the_old_or_the_new_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    old, new = LIBRARY[:6], [*LIBRARY[2:], page("en.example/new", "quite new")]
    goal = new if what == "update" else old
    ended, step = False, 0
    while not ended:
        step += 1
        folder = tmp_path / str(step)
        folder.mkdir()
        index = WhooshIndex.create(folder)
        for document in old:
            index.update([document])
        with monkeypatch.context() as patched:
            crash_at(step, patched)
            try:
                if what == "update":
                    index.update([LIBRARY[0].key, LIBRARY[1].key, *new])
                else:
                    index.merge(idle=True)
                ended = True
            except Crash:
                pass

        again = WhooshIndex(folder)
        stored = sorted(document.key for document in again.documents())
        assert stored in (sorted(document.key for document in old), sorted(document.key for document in goal))
        again.update([LIBRARY[0].key, LIBRARY[1].key, *new])
        assert not differences(again, new)
    assert step > 8


def crash_at(step: int, patched: pytest.MonkeyPatch) -> None:
    """Let the so-manieth of all steps that other processes can see be the last."""
    steps_done = 0

    def counted(name: str) -> None:
        does = getattr(os, name)

        def step_or_crash(*values: object, **named: object) -> object:
            nonlocal steps_done
            steps_done += 1
            if steps_done >= step:
                raise Crash
            return does(*values, **named)

        patched.setattr(os, name, step_or_crash)

    for name in ("fsync", "rename", "remove"):
        counted(name)


# Segments


def test_merging_keeps_all_documents_and_answers(index: WhooshIndex) -> None:
    draw = random.Random(5)
    documents = [
        page(f"a{number % 7}.example/{number}", text, language=language)
        for number, (text, language) in enumerate(made_texts(draw, 600))
    ]
    for start in range(0, 600, 40):
        index.update(documents[start : start + 40])
    queries = ["bronze", "art -die", '"lost wax"', "北京", "图", "cast* OR haus", "house site:a3.example"]
    before = [index.search(ParsedQuery(words, limit=1000)) for words in queries]

    while index.merge(idle=True):
        pass

    after = [index.search(ParsedQuery(words, limit=1000)) for words in queries]
    assert len(index.segments()) < 4
    assert not differences(index, documents)
    for old, new in zip(before, after, strict=True):
        assert {hit.document.key: round(hit.score, 4) for hit in old.hits} == {
            hit.document.key: round(hit.score, 4) for hit in new.hits
        }
        assert old.total > 0


def test_there_are_never_many_more_segments_than_allowed(index: WhooshIndex) -> None:
    for number in range(60):
        index.update([page(f"a.example/{number}", "bronze")])
        index.merge(idle=False)
        assert len(index.segments()) <= MAX_SEGMENTS + 1

    assert index.count() == 60


def test_a_cancelled_merge_changes_nothing(index: WhooshIndex) -> None:
    for document in LIBRARY:
        index.update([document])
    before = sorted(path.name for path in index.folder.iterdir())

    assert not index.merge(idle=True, keep_going=lambda: False)

    assert sorted(path.name for path in index.folder.iterdir()) == before
    assert not differences(index, LIBRARY)


def test_nothing_is_merged_when_it_does_not_pay(index: WhooshIndex) -> None:
    index.update([page(f"a.example/{number}") for number in range(100)])
    index.update([page("b.example/1")])

    assert not index.merge(idle=True)
    assert not index.merge(idle=False)


def test_searching_continues_while_segments_are_replaced(index: WhooshIndex) -> None:
    for document in LIBRARY:
        index.update([document])
    reader = WhooshIndex(index.folder)
    assert sites(reader, "casting") == ["en"]

    index.merge(idle=True)

    assert sites(reader, "casting") == ["en"]


def test_the_folder_is_for_its_owner_only(index: WhooshIndex) -> None:
    assert index.folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_without_an_index_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(ForeignIndex):
        WhooshIndex(tmp_path)
