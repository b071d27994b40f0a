"""`scrapy topics`: which topics there are, and carrying what was learnt about one from state to state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from commanding import Done, run
from topic_states import A, read_one_site

from hiddenweb.actions.topics import FORMAT, VERSION
from hiddenweb.commands.topics import TopicsCommand
from hiddenweb.focused.locating.seeds import read_seeds
from hiddenweb.reports.topics import import_terms
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE
from hiddenweb.store.topic_knowledge import load_terms

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Topics = Callable[..., Done]

LEARNT = {"sites": {"url:book": 3}, "site odds": {"u:book": [0.5, 0.1]}}


@pytest.fixture
def topics(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Topics:
    def listed(*arguments: str, state: str = "state") -> Done:
        return run(TopicsCommand(), *arguments, state=tmp_path / state, capsys=capsys)

    return listed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Store(tmp_path / "state") as state:
        read_one_site(state)
    return tmp_path / "state"


def written(tmp_path: Path, **changes: Any) -> str:
    """Write a document with changes to what is right, and return the name of its file."""
    right = {"format": FORMAT, "version": VERSION, "topic": "books", "learnt": LEARNT, "sites": [A]}
    text = json.dumps({key: value for key, value in (right | changes).items() if value is not None})
    (tmp_path / "books.json").write_text(text, encoding="utf-8")
    return str(tmp_path / "books.json")


def rows(tmp_path: Path, topic: str = "books", state: str = "state") -> list[tuple[str, str, Any]]:
    with Store(tmp_path / state, write=False) as opened:
        return list(load_terms(opened, topic))


# Listing


def test_built_in_topics_are_listed_without_a_state(topics: Topics, tmp_path: Path) -> None:
    done = topics()

    assert done.code == 0
    assert "  books       Books" in done.output
    assert "scrapy crawl locate -a topic=NAME begins one" in done.output
    assert not (tmp_path / "state").exists()


@pytest.mark.usefixtures("folder")
def test_topics_of_the_state_say_what_there_is(topics: Topics) -> None:
    done = topics()

    assert "books: 1 site visited, 1 with forms on the topic, 1 waiting; 1 form on the topic;" in done.output


@pytest.mark.usefixtures("folder")
def test_programs_get_the_list_as_json(topics: Topics) -> None:
    found = json.loads(topics("--json").output)

    assert {"name": "books", "title": "Books"} in found["built_in"]
    [books] = found["state"]
    assert (books["name"], books["visited"], books["with_forms"]) == ("books", 1, 1)


# From state to state


def test_what_was_learnt_comes_over_whole(topics: Topics, folder: Path, tmp_path: Path) -> None:
    assert folder.exists()
    file = str(tmp_path / "books.json")

    there, here = topics("--export", "books", file), topics("--import", file, state="other")

    assert (there.code, here.code) == (0, 0), there.errors + here.errors
    assert rows(tmp_path, state="other") == rows(tmp_path) != []
    assert "new terms, 0 known before" in here.output


@pytest.mark.usefixtures("folder")
def test_without_a_file_the_document_goes_to_the_output(topics: Topics) -> None:
    found = json.loads(topics("--export", "book").output)

    assert (found["format"], found["version"], found["topic"], found["sites"]) == (
        FORMAT,
        VERSION,
        "books",
        [A],
    )
    assert found["learnt"]


def test_a_topic_of_which_nothing_was_learnt_is_a_document_too(topics: Topics, tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        read_one_site(state)
        state.before_commit.clear()
        state.write("DELETE FROM topic_knowledge")

    found = json.loads(topics("--export", "books").output)

    assert found["learnt"] == {}


def test_own_knowledge_wins(topics: Topics, tmp_path: Path) -> None:
    with Store(tmp_path / "state") as state:
        import_terms(state, "books", [("sites", "url:book", 7)])

    done = topics("--import", written(tmp_path))

    assert "books: 1 new term, 1 known before, which stay as they are." in done.output
    assert rows(tmp_path) == [("site odds", "u:book", [0.5, 0.1]), ("sites", "url:book", 7)]


def test_a_part_that_nothing_learns_by_now_does_no_harm(topics: Topics, tmp_path: Path) -> None:
    older = LEARNT | {"site classifier": {"en:on:incunabula": [2.5]}}

    done = topics("--import", written(tmp_path, learnt=older))

    assert (done.code, done.errors) == (0, "")
    with Store(tmp_path / "state") as state:
        stages = read_one_site(state).stages
        assert ("url:book", 3) in stages.site_learner.space.rows()


def test_it_can_be_taken_over_as_another_topic(topics: Topics, tmp_path: Path) -> None:
    done = topics("--import", written(tmp_path), "--topic", "car")

    assert done.code == 0, done.errors
    assert len(rows(tmp_path, "cars")) == 2
    assert rows(tmp_path) == []


def test_sites_are_counted_and_can_be_seeds_but_are_not_taken_over(topics: Topics, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.txt"

    without, done = (
        topics("--import", written(tmp_path)),
        topics("--import", written(tmp_path), "--seeds", str(seeds)),
    )

    assert "The file names 1 site with forms on the topic" in without.output
    assert "scrapy crawl locate -a topic=books -a seeds=FILE" in without.output
    assert f"scrapy crawl locate -a topic=books -a seeds={seeds}" in done.output
    assert read_seeds(str(seeds)) == [A]
    with Store(tmp_path / "state", write=False) as state:
        assert state.counts()["sites"] == 0
        assert state.rows("SELECT count(*) FROM candidates") == [(0,)]


# Errors


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": "something"}, "was not written by scrapy topics --export"),
        ({"version": 2}, "has the version 2; this hiddenweb reads 1"),
        ({"learnt": None}, "has no learnt"),
        ({"topic": ""}, "topic is '', wanted the name of one"),
        ({"topic": ["books"]}, "topic is ['books'], wanted the name of one"),
        ({"topic": "\x1b[2J"}, "wanted the name of one"),
        ({"learnt": []}, "learnt has to be an object"),
        ({"learnt": {"sites": [1]}}, "learnt has to be an object"),
        ({"learnt": {"sites": {"url:book": "3"}}}, "'url:book' is '3'; wanted a number of times"),
        ({"learnt": {"sites": {"url:book": True}}}, "'url:book' is True"),
        ({"learnt": {"sites": {"url:book": -3}}}, "'url:book' is -3"),
        ({"learnt": {"site odds": {"u:book": [1.0, -1.0]}}}, "'u:book' is [1.0, -1.0]"),
        ({"learnt": {"site odds": {"u:book": [float("nan"), 1.0]}}}, "'u:book' is [nan, 1.0]"),
        ({"learnt": {"site odds": {"u:book": 3}}}, "'site odds' has values that this part does not learn"),
        ({"learnt": {"sites": {"url:book": [1.0, 0.0]}}}, "'sites' has values that this part does not learn"),
        ({"learnt": {"sites": {"url:\ud800": 1}}}, "is no term"),
        ({"sites": "a.example"}, "sites is 'a.example', wanted a list"),
        ({"sites": ["https://a.example/\nhttps://b.example/"]}, "wanted an address"),
        ({"sites": [7]}, "sites has 7, wanted an address"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_document_that_is_wrong_is_refused_as_a_whole(
    topics: Topics, tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    done = topics("--import", written(tmp_path, **changes))

    assert (done.code, done.output) == (2, "")
    assert complaint in done.errors
    assert len(done.errors.splitlines()) == 1
    assert "\x1b" not in done.errors
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"format": ', "is no JSON"),
        (b"\xff\xfe", "is not a text in UTF-8"),
        (b"[" * 200_000, "is no JSON"),
        (b"[1]", "was not written by scrapy topics"),
    ],
    ids=["cut off", "bytes", "too deep", "a list"],
)
def test_a_file_that_is_no_document_is_refused(
    topics: Topics, tmp_path: Path, content: bytes, complaint: str
) -> None:
    (tmp_path / "books.json").write_bytes(content)

    done = topics("--import", str(tmp_path / "books.json"))

    assert done.code == 2
    assert complaint in done.errors


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("--import", "no/such/file"), 2, "no/such/file: cannot be read: No such file"),
        (("--export", "cars"), 2, "the state has no topic 'cars'; there are books"),
        (("--export", "books", "no/such/folder/file"), 2, "cannot be written: No such file"),
        (("--export", "books", "--import", "file"), 2, "exclude each other"),
        (("something",), 2, "takes no arguments"),
        (("--topic", "books"), 2, "belong to --import"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_commands_are_refused_in_one_line(
    topics: Topics, arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    done = topics(*arguments)

    assert done.code == code
    assert complaint in done.errors
    assert len(done.errors.splitlines()) == 1


def test_nothing_is_taken_over_while_a_crawl_runs(topics: Topics, tmp_path: Path) -> None:
    with Store(tmp_path / "state"):
        done = topics("--import", written(tmp_path))

    assert done.code == 3
    assert "another crawl" in done.errors
    assert rows(tmp_path) == []


def test_there_is_nothing_to_export_without_a_state(topics: Topics) -> None:
    done = topics("--export", "books")

    assert done.code == 3
    assert "there is no state yet" in done.errors


def test_a_state_of_something_else_is_refused(topics: Topics, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / FILE).write_bytes(b"not a database, whatever its name may say" * 50)

    assert [topics().code, topics("--import", written(tmp_path)).code] == [3, 3]
