"""Topics: those that are built in, files of users with all that can be wrong in them, and mere names."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.focused import topic as module
from hiddenweb.focused.form_relevance import relevance
from hiddenweb.focused.topic import RELEVANT, BadTopic, list_built_in_topics, load_built_in_topic, read_topic
from hiddenweb.language.terms import terms
from hiddenweb.model import Field, Form, LabelHint

if TYPE_CHECKING:
    from collections.abc import Callable

    TopicFile = Callable[[str | bytes], str]


@pytest.fixture
def topic_file(tmp_path: Path) -> TopicFile:
    def written(content: str | bytes) -> str:
        path = tmp_path / "stamps.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return written


def complaints(argument: str, seeds: str = "") -> list[str]:
    with pytest.raises(BadTopic) as error:
        read_topic(argument, seeds)
    return str(error.value).splitlines()


# Built-in topics


def test_the_twelve_domains_of_the_paper_are_built_in() -> None:
    assert list_built_in_topics() == (
        "apartments",
        "books",
        "cars",
        "flights",
        "hotels",
        "jobs",
        "movies",
        "music",
        "people",
        "products",
        "rentals",
        "routes",
    )


@pytest.mark.parametrize("name", list_built_in_topics())
def test_a_built_in_topic_has_words_and_examples(name: str) -> None:
    topic = load_built_in_topic(name)

    assert topic.name == name
    assert topic.title
    assert 25 <= len(topic.words) <= 40
    assert {code for code, _ in topic.other_words} == {"de", "fr", "es"}
    assert len(topic.on_topic) >= 4
    assert len(topic.off_topic) >= 4
    assert all(seed.startswith("https://") for seed in topic.seeds)


@pytest.mark.parametrize("name", list_built_in_topics())
def test_no_built_in_word_is_lost_as_a_stop_word(name: str) -> None:
    topic = load_built_in_topic(name)

    assert [word for word in topic.words if not list(terms([word], "en"))] in ([], ["who's who"])


def test_no_two_built_in_topics_share_an_example() -> None:
    texts = [text for name in list_built_in_topics() for text in load_built_in_topic(name).on_topic]
    texts += [text for name in list_built_in_topics() for text in load_built_in_topic(name).off_topic]

    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("name", ["books", "book", "Books", " BOOK "])
def test_a_built_in_topic_is_found_in_the_singular_too(name: str) -> None:
    assert read_topic(name) is load_built_in_topic("books")


# Names


def test_any_name_is_a_topic_of_its_words() -> None:
    topic = read_topic(" lost  wax casting ", "a.example")

    assert (topic.name, topic.title, topic.words) == ("lost wax casting",) * 2 + (("lost", "wax", "casting"),)
    assert topic.seeds == ("https://a.example/",)
    assert topic.vector().keys() == {"lost", "wax", "cast"}


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("", "no topic given: -a topic=NAME, with one of apartments, books, "),
        ("  ", "no topic given"),
        ("the of and", "the of and: none of its words says anything"),
        ("?!", "none of its words says anything"),
        ("x" * 101, "is no name of a topic: wanted at most 100 readable characters"),
        ("a\x1b[2J b", "is no name of a topic"),
        ("missing.toml", "missing.toml: there is no such file"),
        ("./missing", "./missing: there is no such file"),
        ("~/no-such-topic-file", "there is no such file"),
        ("/dev/null", "/dev/null: is not a regular file"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(argument: str, complaint: str) -> None:
    assert complaint in complaints(argument)[0]


def test_a_folder_with_the_name_of_a_topic_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("books").mkdir()
    Path("old stamps").mkdir()

    assert read_topic("books") is load_built_in_topic("books")
    assert read_topic("old stamps").words == ("old", "stamps")


# Files


def test_a_file_says_what_its_topic_is(topic_file: TopicFile) -> None:
    name = topic_file(
        """
        title = "Postage stamps"
        language = "en"
        seeds = ["https://stamps.example/", "philately.example"]
        words = ["stamp", "stamps", "philately"]
        on_topic = ["Stamps of all countries, catalogue numbers and prices."]
        off_topic = ["Rubber stamps for your office."]
        [other_words]
        de = ["Briefmarke", "Briefmarken"]
        """
    )

    topic = read_topic(name)

    assert (topic.name, topic.title, topic.language) == ("stamps", "Postage stamps", "en")
    assert topic.seeds == ("https://stamps.example/", "https://philately.example/")
    assert topic.words == ("stamp", "stamps", "philately")
    assert topic.on_topic == ("Stamps of all countries, catalogue numbers and prices.",)
    assert topic.off_topic == ("Rubber stamps for your office.",)
    assert topic.other_words == (("de", ("Briefmarke", "Briefmarken")),)


def test_a_file_without_words_has_those_of_its_name(topic_file: TopicFile) -> None:
    topic = read_topic(topic_file('name = "old stamps"\n'))

    assert (topic.name, topic.title, topic.words) == ("old stamps", "old stamps", ("old", "stamps"))


def test_a_mark_at_the_beginning_of_a_file_is_skipped(topic_file: TopicFile) -> None:
    assert read_topic(topic_file(b'\xef\xbb\xbfwords = ["stamp"]\n')).words == ("stamp",)


def test_pages_beside_the_file_are_examples(tmp_path: Path, topic_file: TopicFile) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "home.html").write_text(
        "<title>Stamp world</title><script>no()</script><p>Rare <b>stamps</b> for collectors.</p>",
        encoding="utf-8",
    )
    (tmp_path / "other.txt").write_text("Rubber stamps for your office.", encoding="utf-8")

    topic = read_topic(topic_file('on_topic_files = ["pages/home.html"]\noff_topic_files = ["other.txt"]\n'))

    assert topic.on_topic == ("Stamp world\nRare stamps for collectors.",)
    assert topic.off_topic == ("\nRubber stamps for your office.",)


def test_seeds_of_the_argument_replace_those_of_the_topic(topic_file: TopicFile) -> None:
    name = topic_file('words = ["stamp"]\nseeds = ["https://own.example/"]\n')

    assert read_topic(name).seeds == ("https://own.example/",)
    assert read_topic(name, "https://a.example/ b.example").seeds == (
        "https://a.example/",
        "https://b.example/",
    )
    assert read_topic("books", "a.example").seeds == ("https://a.example/",)


def test_a_seed_is_never_the_name_of_a_file(
    tmp_path: Path, topic_file: TopicFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.example").write_text("https://a.example/\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    topic = read_topic(topic_file('seeds = ["secret.example"]\n'))

    assert topic.seeds == ("https://secret.example/",)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param("", "is empty; wanted at least words, or texts of pages in on_topic", id="empty"),
        pytest.param("# nothing\n", "is empty", id="only a comment"),
        pytest.param("words = [", "is no TOML: ", id="broken"),
        pytest.param('words = ["a"]\nwords = ["b"]', "is no TOML: ", id="a key twice"),
        pytest.param(b"\x89PNG\r\n", "is not a text file in UTF-8 (byte 0)", id="binary"),
        pytest.param('word = ["stamp"]', "word is not a key of a topic; did you mean words?", id="near"),
        pytest.param(
            'On-Topic = ["x"]', "On-Topic is not a key of a topic; did you mean on_topic?", id="case"
        ),
        pytest.param("xyz = 1", "xyz is not a key of a topic; wanted name, title, ", id="far"),
        pytest.param("[stamps]\nwords = []", "stamps is not a key of a topic", id="a table too many"),
        pytest.param("title = 7", "title is 7, wanted a text", id="number for title"),
        pytest.param('title = " "', "title is empty", id="empty title"),
        pytest.param(f'name = "{"x" * 101}"', "wanted at most 100 readable characters", id="long name"),
        pytest.param('words = "stamp"', "words is 'stamp', wanted a list of texts", id="text for list"),
        pytest.param("words = [1]", "words has 1, wanted a text with a word in it", id="number for word"),
        pytest.param('words = ["a", ""]', "words has '', wanted a text with a word in it", id="empty word"),
        pytest.param("on_topic = [{}]", "on_topic has {}, wanted a text", id="table for example"),
        pytest.param('language = "english"', "language has 'english', wanted a language", id="language"),
        pytest.param("language = 1", "language has 1, wanted a language", id="number for language"),
        pytest.param(
            "other_words = []", "other_words is [], wanted a list of words for each language", id="list"
        ),
        pytest.param(
            '[other_words]\nger = ["x"]', "other_words has 'ger', wanted a language", id="other language"
        ),
        pytest.param(
            "[other_words]\nde = 1", "other_words.de is 1, wanted a list of texts", id="other words"
        ),
        pytest.param('seeds = ["nonsense"]', "seeds 'nonsense' is not the address of a site", id="seed"),
        pytest.param('seeds = ["ftp://a.example/"]', "only http and https are crawled", id="scheme"),
        pytest.param('seeds = ["a.example b.example"]', "has a space in it", id="two seeds in one"),
        pytest.param(
            'seeds = ["./seeds.txt"]', "seeds './seeds.txt': there is no such file", id="file for seed"
        ),
        pytest.param(
            'on_topic_files = ["no.html"]', "on_topic_files: no.html: there is no such file", id="no page"
        ),
        pytest.param('on_topic_files = ["."]', "on_topic_files: .: is not a regular file", id="folder"),
        pytest.param(
            'off_topic_files = ["/etc/hostname"]', "wanted a path relative to the topic file", id="absolute"
        ),
        pytest.param('on_topic_files = ["a\\u0000b"]', "on_topic_files: a\x00b", id="NUL"),
    ],
)
def test_a_mistake_in_a_file_is_named_with_file_and_key(
    content: str | bytes, complaint: str, topic_file: TopicFile
) -> None:
    found = complaints(topic_file(content))

    assert "stamps.toml: " in found[0]
    assert complaint in found[0]


def test_all_mistakes_are_named_at_once(topic_file: TopicFile) -> None:
    name = topic_file('word = []\ntitle = 1\nseeds = ["x", "y"]\nlanguage = "?"\n')

    found = complaints(name, "also-nonsense")

    assert len(found) == 6
    assert all(line.startswith(f"{name}: ") for line in found[:5])
    assert found[5] == "sites: 'also-nonsense' is not the address of a site"


def test_only_the_first_ten_mistakes_are_listed(topic_file: TopicFile) -> None:
    found = complaints(topic_file(f"words = {json.dumps([1] * 500)}\n"))

    assert len(found) == 11
    assert found[-1] == "... and 490 more"


def test_a_list_may_not_be_endless(topic_file: TopicFile) -> None:
    found = complaints(topic_file(f"words = {json.dumps(['x'] * 1_001)}\n"))

    assert "words has 1,001 entries, at most 1,000 are read" in found[0]


def test_an_enormous_file_is_refused_before_it_is_read(tmp_path: Path, topic_file: TopicFile) -> None:
    name = topic_file(b"")
    os.truncate(name, module.MAX_FILE_BYTES + 1)
    page = topic_file('on_topic_files = ["large.html"]\n')
    (tmp_path / "large.html").touch()
    os.truncate(tmp_path / "large.html", module.MAX_FILE_BYTES + 1)
    large = tmp_path / "large.toml"
    large.touch()
    os.truncate(large, module.MAX_FILE_BYTES + 1)

    assert complaints(str(large)) == [f"{large}: 1,000,001 bytes are too many (at most 1,000,000)"]
    assert complaints(page) == [
        f"{page}: on_topic_files: large.html: 1,000,001 bytes are too many (at most 1,000,000)"
    ]


def test_a_page_without_a_word_is_no_example(tmp_path: Path, topic_file: TopicFile) -> None:
    (tmp_path / "empty.html").write_bytes(b"<p></p>")

    assert (
        "empty.html: there are no words in it" in complaints(topic_file('on_topic_files = ["empty.html"]'))[0]
    )


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")

    assert "is not a regular file" in complaints(str(tmp_path / "pipe.toml"))[0]


def test_long_examples_are_cut(topic_file: TopicFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EXAMPLE", 10)

    assert read_topic(topic_file('on_topic = ["stamps and more stamps"]\n')).on_topic == ("stamps and",)


@given(content=st.text() | st.from_regex(re.compile(r"(?:\w{1,9} = (?:\[.*\]|\".*\"|\d)\n){0,4}")))
@settings(max_examples=60)
def test_whatever_a_file_holds_is_a_topic_or_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "any.toml"
    path.write_text(content, encoding="utf-8", errors="replace")

    with suppress(BadTopic):
        assert read_topic(str(path)).vector()


# Vectors


def test_words_weigh_more_than_examples_and_the_name_most(topic_file: TopicFile) -> None:
    name = topic_file(
        'words = ["philately"]\non_topic = ["stamps with watermarks", "perforation and watermarks"]\n'
    )

    vector = read_topic(name).vector()

    assert vector["stamp"] > vector["philat"] > vector["watermark"] > 0


def test_terms_of_one_example_or_of_many_topics_do_not_count(topic_file: TopicFile) -> None:
    name = topic_file(
        """
        on_topic = ["watermarks, search, help, glue", "glue, help, search, watermarks", "perforation"]
        off_topic = ["glue"]
        """
    )

    vector = read_topic(name).vector()

    assert vector.keys() == {"stamp", "watermark"}  # help and search stand in texts of many built-in topics


def test_a_vector_is_stemmed_as_pages_of_a_language_are() -> None:
    books = load_built_in_topic("books")

    assert "buch" in books.vector("de")
    assert "bibliothek" in books.vector("de")
    assert "buch" not in books.vector()
    assert "author" in books.vector("de")  # words of its own language count everywhere
    assert {"bücher", "livres", "libros", "books"} <= books.vector("").keys()  # no language, no stems


def test_vectors_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        load_built_in_topic("books").vector()["book"] = 0  # type: ignore[index]


def search_form(*labels: str, text: str = "", language: str = "en") -> Form:
    fields = tuple(
        Field(f"f{n}", "text", label, hints=(LabelHint("label", label),)) for n, label in enumerate(labels)
    )
    return Form("http://a.example/", "http://a.example/find", "GET", fields, text=text, language=language)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("books", search_form("Author", "Title", "ISBN", text="Search books")),
        ("flights", search_form("From", "To", "Departure", "Passengers", text="Find flights")),
        ("jobs", search_form("Job title", "Location", text="Search jobs")),
        ("cars", search_form("Make", "Model", "Mileage up to", text="Used cars")),
        ("hotels", search_form("Check-in", "Guests", text="Find a hotel")),
        ("apartments", search_form("Ort", "Zimmer", text="Wohnung mieten", language="de")),
        ("music", search_form("Artiste", text="Chercher un album", language="fr")),
    ],
)
def test_a_form_on_a_topic_is_relevant_for_it_and_for_few_others(name: str, form: Form) -> None:
    near = {
        each: relevance(form, load_built_in_topic(each).vector(form.language))
        for each in list_built_in_topics()
    }

    assert near[name] >= RELEVANT
    assert max(near, key=lambda each: near[each]) == name
    assert sum(value >= RELEVANT for value in near.values()) <= 3


def test_a_form_that_only_says_search_is_relevant_for_nothing() -> None:
    form = search_form("Keyword", text="Search Go")

    assert all(
        relevance(form, load_built_in_topic(name).vector()) < RELEVANT for name in list_built_in_topics()
    )
