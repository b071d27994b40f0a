"""Records are pure functions of what names them, fit their topic, and read like the real thing."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from simweb.catalogue import Catalogue, Record, UnreadableData
from simweb.topics import TOPICS, TOPICS_WITH_FILES, UnknownTopic, list_values, topic

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "tr", "ru", "ar", "zh", "ja", "th")
REAL = ("software", "places", "characters")
GENERATED = tuple(name for name in TOPICS if name not in REAL)
LABELLED = frozenset({
    "title", "author", "year", "date", "category", "publisher", "isbn", "language", "price", "director",
    "cast", "genre", "artist", "album", "label", "company", "location", "salary", "contract", "posted",
    "make", "model", "mileage", "fuel", "colour", "city", "country", "region", "stars", "rooms", "area",
    "offer", "cuisine", "ingredients", "duration", "difficulty", "name", "profession", "born", "died",
    "department", "module", "kind", "signature", "code", "block", "script", "currency", "capital",
    "continent", "medium", "classification", "credit", "condition", "format", "number", "type",
})  # fmt: skip
DIGEST = """
import hashlib
from simweb.catalogue import Catalogue
from simweb.topics import TOPICS
digest = hashlib.sha256()
for topic in TOPICS:
    for language in ("en", "ru", "ja"):
        catalogue = Catalogue(topic, language, 11, 200)
        for number in (1, 2, 77, 200):
            digest.update(repr(catalogue.record(number, number % 3)).encode())
        for attribute in catalogue.topic.attributes:
            digest.update(repr(catalogue.choices(attribute.name)).encode())
print(digest.hexdigest())
"""


def some_records(catalogue: Catalogue, count: int = 60) -> list[Record]:
    return [catalogue.record(number) for number in range(1, min(count, catalogue.size) + 1)]


def words_of(record: Record) -> list[str]:
    return record.text.lower().replace(".", " ").replace(",", " ").split()


@pytest.fixture
def bench_data() -> Path:
    folder = Path(os.environ.get("HIDDENWEB_BENCH_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "movies.jsonl.gz").is_file():
        pytest.skip("no folder with real data; HIDDENWEB_BENCH_DATA names one")
    return folder


@pytest.mark.parametrize("name", TOPICS)
def test_topic_has_something_for_every_kind_of_field(name: str) -> None:
    attributes = topic(name).attributes
    kinds = Counter(attribute.kind for attribute in attributes)

    assert 5 <= len(attributes) <= 9
    assert kinds["choice"] >= 2
    assert kinds["text"] >= 1
    assert kinds["year"] + kinds["date"] + kinds["number"] >= 1
    assert {attribute.name for attribute in attributes} <= LABELLED


def test_an_unknown_topic_or_attribute_is_named_in_the_error() -> None:
    with pytest.raises(UnknownTopic, match="no topic 'boats', only books"):
        topic("boats")
    with pytest.raises(UnknownTopic, match="cars has no attribute 'salary', only make"):
        topic("cars").position("salary")


@pytest.mark.parametrize("language", LANGUAGES)
def test_written_lists_say_the_same_in_every_language(language: str) -> None:
    for name in (
        "books.category",
        "cars.fuel",
        "cars.colour",
        "people.profession",
        "places.type",
        "condition",
    ):
        values = list_values(name, language)

        assert len(set(values)) == len(values) == len(list_values(name, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TOPICS)
def test_values_fit_their_attributes(name: str, language: str) -> None:
    catalogue = Catalogue(name, language, seed=3, size=500)

    for record in some_records(catalogue):
        assert record.title
        assert record.text
        assert len(record.values) == len(catalogue.topic.attributes)
        for attribute, value in zip(catalogue.topic.attributes, record.values, strict=True):
            assert value == value.strip()
            if value and attribute.kind in ("year", "date", "number"):
                assert any(character.isdigit() for character in value)
            if value and attribute.kind == "choice":
                assert value in catalogue.choices(attribute.name)


@pytest.mark.parametrize("name", TOPICS)
def test_choices_fit_a_select_menu(name: str) -> None:
    catalogue = Catalogue(name, "en", seed=5, size=100)

    for attribute in catalogue.topic.attributes:
        choices = catalogue.choices(attribute.name)
        if attribute.kind != "choice":
            assert choices == ()
        elif attribute.parent is None:
            assert 4 <= len(choices) <= 40
            assert len(set(choices)) == len(choices)
            assert "" not in choices


@pytest.mark.parametrize("name", ["cars", "homes", "places"])
def test_dependent_choice_goes_with_its_parent(name: str) -> None:
    catalogue = Catalogue(name, "de", seed=8, size=300)
    child = next(attribute for attribute in catalogue.topic.attributes if attribute.parent)
    parent = child.parent or ""

    for record in some_records(catalogue, 300):
        value = catalogue.topic.value(record, child.name)
        under = catalogue.choices(child.name, catalogue.topic.value(record, parent))
        assert not value or value in under
    for parent_value in catalogue.choices(parent):
        assert set(catalogue.choices(child.name, parent_value)) <= set(catalogue.choices(child.name))
    assert catalogue.choices(child.name, "no such value") == ()


@pytest.mark.parametrize("name", TOPICS)
def test_a_record_does_not_depend_on_what_was_asked_before(name: str) -> None:
    one, other = (Catalogue(name, "fr", seed=21, size=400) for _ in range(2))

    forwards = [one.record(number, 1) for number in range(1, 30)]
    backwards = [other.record(number, 1) for number in range(29, 0, -1)]

    assert forwards == backwards[::-1]


def test_records_are_the_same_in_every_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "2", "random")
    }

    assert len(digests) == 1


@pytest.mark.parametrize("name", TOPICS)
def test_another_seed_gives_another_site(name: str) -> None:
    titles = [[r.title for r in some_records(Catalogue(name, "en", seed, 300))] for seed in (1, 2)]

    assert titles[0] != titles[1]


@pytest.mark.parametrize("name", TOPICS)
def test_a_revision_changes_something_and_keeps_the_identity(name: str) -> None:
    catalogue = Catalogue(name, "en", seed=4, size=300)
    lasting = [i for i, attribute in enumerate(catalogue.topic.attributes) if not attribute.changing]

    for number in range(1, 40):
        history = [catalogue.record(number, revision) for revision in range(4)]

        assert len({record.title for record in history}) == 1
        assert len({tuple(record.values[i] for i in lasting) for record in history}) == 1
        assert all(before != after for before, after in pairwise(history))
        for record in history:
            for attribute, value in zip(catalogue.topic.attributes, record.values, strict=True):
                assert attribute.kind != "choice" or not value or value in catalogue.choices(attribute.name)


def test_a_generated_catalogue_goes_on_after_its_size() -> None:
    catalogue = Catalogue("jobs", "en", seed=1, size=10)

    assert catalogue.size == 10
    assert catalogue.available is None
    assert catalogue.record(5_000_000).number == 5_000_000
    with pytest.raises(IndexError, match="jobs has records 1 to any number, not 0"):
        catalogue.record(0)


def test_a_real_catalogue_offers_each_record_once_and_then_ends() -> None:
    catalogue = Catalogue("places", "it", seed=9, size=10**6)

    names = Counter((catalogue.topic.value(r, "type"), catalogue.topic.value(r, "code"))
                    for r in some_records(catalogue, catalogue.size))  # fmt: skip

    assert catalogue.size == catalogue.available == len(names)
    with pytest.raises(IndexError):
        catalogue.record(catalogue.size + 1)


@pytest.mark.parametrize("name", [name for name in GENERATED if name != "people"])
def test_generated_titles_are_distinct(name: str) -> None:
    catalogue = Catalogue(name, "es", seed=6, size=3000)

    titles = {record.title for record in some_records(catalogue, 3000)}

    assert len(titles) >= 2990


def test_words_of_generated_texts_keep_growing_and_most_are_rare() -> None:
    catalogue = Catalogue("books", "en", seed=2, size=2000)
    seen: Counter[str] = Counter()
    sizes = []

    for number in range(1, 2001):
        words = words_of(catalogue.record(number))
        assert 20 <= len(words) <= 90
        seen.update(set(words))
        if number in (500, 1000, 2000):
            sizes.append(len(seen))

    assert sizes[0] < sizes[1] < sizes[2] < 4 * sizes[0]
    assert seen.most_common(1)[0][1] > 1000
    assert sum(count <= 5 for count in seen.values()) > len(seen) / 3


def test_values_of_a_choice_are_spread_unevenly() -> None:
    catalogue = Catalogue("cars", "en", seed=2, size=2000)

    makes = Counter(catalogue.topic.value(record, "make") for record in some_records(catalogue, 2000))

    (_, most), *_, (_, fewest) = makes.most_common()
    assert most > 8 * fewest


def test_an_isbn_has_the_right_check_digit() -> None:
    catalogue = Catalogue("books", "en", seed=2, size=50)

    for record in some_records(catalogue):
        digits = [int(digit) for digit in catalogue.topic.value(record, "isbn")]
        assert len(digits) == 13
        assert sum(digits[::2] + [3 * digit for digit in digits[1::2]]) % 10 == 0


def test_software_is_the_documentation_of_python() -> None:
    catalogue = Catalogue("software", "en", seed=1, size=10**6)
    by_title = {record.title: record for record in some_records(catalogue, catalogue.size)}

    wrapped = by_title["textwrap.wrap"]

    assert catalogue.size > 3000
    assert catalogue.topic.value(wrapped, "kind") == "function"
    assert catalogue.topic.value(wrapped, "signature").startswith("(text, width=70")
    assert wrapped.text.startswith("Wrap a single paragraph of text, returning a list of wrapped lines.")
    assert by_title["textwrap"].text == "Text wrapping and filling."
    assert not any(title.startswith(("test.", "idlelib.", "lib2to3.")) for title in by_title)


def test_characters_are_those_of_unicode() -> None:
    catalogue = Catalogue("characters", "en", seed=1, size=10**6)
    by_title = {record.title: record for record in some_records(catalogue, catalogue.size)}

    letter = by_title["LATIN SMALL LETTER A WITH RING ABOVE"]

    assert catalogue.size > 20_000
    assert letter.values == ("U+00E5", "small letter a with ring above", "LATIN", "lowercase letter",
                             "left to right", "229")  # fmt: skip
    assert "COMBINING RING ABOVE (U+030A)" in letter.text
    assert "LATIN CAPITAL LETTER A WITH RING ABOVE (U+00C5)" in letter.text


def test_places_have_their_names_in_many_languages() -> None:
    catalogue = Catalogue("places", "de", seed=1, size=10**6)
    records = some_records(catalogue, catalogue.size)

    italy = next(r for r in records if r.title == "Italien")

    assert catalogue.size > 1500
    assert italy.values == (
        "Land",
        "Europa",
        "Südeuropa",
        "Italien",
        "Italienisch",
        "Euro",
        "IT",
        "1999-01-01",
    )
    for name in ("Italy", "Włochy", "イタリア", "Италия", "Rom"):
        assert name in italy.text


@pytest.mark.parametrize("name", TOPICS_WITH_FILES)
def test_real_files_fit_their_topic(name: str, bench_data: Path) -> None:
    catalogue = Catalogue(name, "en", seed=1, size=10**6, data=bench_data)
    kinds = Counter(attribute.kind for attribute in catalogue.topic.attributes)

    assert catalogue.size >= 10_000
    assert kinds["choice"] >= 2
    assert {attribute.name for attribute in catalogue.topic.attributes} <= LABELLED
    for record in some_records(catalogue, 500):
        assert record.title
        assert record.text
        for attribute, value in zip(catalogue.topic.attributes, record.values, strict=True):
            assert attribute.kind != "choice" or not value or value in catalogue.choices(attribute.name)
    for attribute in catalogue.topic.attributes:
        assert attribute.kind != "choice" or 4 <= len(catalogue.choices(attribute.name)) <= 40


def test_real_files_are_used_in_english_only(tmp_path: Path) -> None:
    assert Catalogue("books", "de", seed=1, size=5, data=tmp_path).available is None
    assert Catalogue("jobs", "en", seed=1, size=5, data=tmp_path).available is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableData, match=r"books\.jsonl\.gz: missing"):
        Catalogue("books", "en", seed=1, size=5, data=tmp_path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"no gzip at all", "cannot be read as gzip"),
        (gzip.compress(b'{"title": "a"}\n' * 99)[:-9], "cannot be read as gzip"),
        (gzip.compress(b"\n"), "is empty"),
        (gzip.compress(b"[1, 2\n"), "line 1 is not JSON"),
        (gzip.compress(b"[1, 2]\n"), "line 1 is not a JSON object"),
        (gzip.compress(b'{"title": "a"}\n'), "line 1 has no 'genres'"),
    ],
    ids=["not gzip", "cut off", "empty", "not JSON", "not an object", "a key is missing"],
)
def test_a_broken_file_is_named_with_what_is_wrong(content: bytes, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "movies.jsonl.gz").write_bytes(content)

    with pytest.raises(UnreadableData, match=rf"movies\.jsonl\.gz: {complaint}"):
        Catalogue("films", "en", seed=1, size=5, data=tmp_path)


def test_a_small_file_is_read(tmp_path: Path) -> None:
    film = {
        "title": "Mr. Wu",
        "year": 1927,
        "cast": ["Lon Chaney"],
        "genres": ["Drama", "Silent"],
        "summary": "Mr. Wu is a film directed by William Nigh.",
    }
    (tmp_path / "movies.jsonl.gz").write_bytes(gzip.compress(json.dumps(film).encode()))

    catalogue = Catalogue("films", "en", seed=1, size=5, data=tmp_path)

    assert catalogue.size == 1
    assert catalogue.record(1).values == ("Lon Chaney", "William Nigh", "1927", "Drama", "silent")
