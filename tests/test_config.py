"""Every setting has one line in a table, which says what it may be, and the documentation agrees with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

import hiddenweb.settings
from hiddenweb.config import (
    RENAMED,
    SETTINGS,
    name_state_folder,
    problems_with_budgets,
    problems_with_settings,
)

if TYPE_CHECKING:
    from pathlib import Path


def given(**settings: str) -> Settings:
    """Our settings, and some from a command line."""
    read = Settings()
    read.setmodule(hiddenweb.settings, priority="project")
    read.setdict(settings, priority="cmdline")
    return read


def test_our_own_settings_are_good() -> None:
    assert list(problems_with_settings(given())) == []


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("HIDDENWEB_DELAY", "abc", "'abc' cannot be used; wanted a number, 0 or more"),
        ("HIDDENWEB_DELAY", "-1", "'-1' cannot be used"),
        ("HIDDENWEB_DELAY", "nan", "'nan' cannot be used"),
        ("HIDDENWEB_DELAY", "inf", "'inf' cannot be used"),
        ("HIDDENWEB_DELAY", "", "'' cannot be used"),
        ("HIDDENWEB_RETRIES", "1.5", "wanted a whole number, 0 or more"),
        ("HIDDENWEB_MAX_VERSIONS_PER_PAGE", "-1", "wanted a whole number, 0 or more"),
        ("HIDDENWEB_VERSION_MAX_DAYS", "a week", "wanted a number, 0 or more"),
        ("HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST", "0", "wanted a whole number above 0"),
        ("HIDDENWEB_MAX_OPEN_HOSTS", "-5", "wanted a whole number above 0"),
        ("HIDDENWEB_PAGES_PER_SITE", "many", "wanted a whole number above 0"),
        ("HIDDENWEB_PROGRESS_SECONDS", "-1", "wanted a number, 0 or more"),
        ("CONCURRENT_REQUESTS", "0", "wanted a whole number above 0"),
        ("CLOSESPIDER_PAGECOUNT", "ten", "wanted a whole number, 0 or more"),
        ("HIDDENWEB_SUBMIT", "perhaps", "'perhaps' cannot be used; wanted 1 or 0, True or False"),
        ("HIDDENWEB_ALLOW_ADDRESSES", "127.0.0.1", "wanted host:port"),
        ("HIDDENWEB_ALLOW_ADDRESSES", "127.0.0.1:http", "is not a port"),
        ("HIDDENWEB_PROXY", "socks5://127.0.0.1:9", "only http proxies are supported"),
        ("HIDDENWEB_PROXY", "http://[", "is not an address"),
        (
            "HIDDENWEB_CA_FILE",
            "/nowhere/ca.pem",
            "'/nowhere/ca.pem' cannot be read: No such file or directory; wanted",
        ),
        ("HIDDENWEB_CONTACT", "me\r\nX-Evil: 1", "cannot be sent"),
        ("HIDDENWEB_CONTACT", "jürgen@a.example", "cannot be sent"),
        ("HIDDENWEB_STATE", "", "wanted a folder"),
        (
            "HIDDENWEB_TIME_LIMIT",
            "an hour",
            "'an hour' cannot be used; wanted a time such as 90s, 30m, 2h or 1h30m",
        ),
        ("HIDDENWEB_FORMS", "1,two", "'two' is not the number of a form"),
        ("HIDDENWEB_NOFOLLOW", "never", "'never' is no policy for nofollow; there are links, strict"),
        ("HIDDENWEB_DETAIL_PAGES", "perhaps", "'perhaps' is no way to fetch the pages of records"),
        ("HIDDENWEB_REPAIR", "maybe", "'maybe' is no way to treat a new pattern; there are auto, ask"),
        ("HIDDENWEB_AUTOMATIC_EXTRACTORS", "perhaps", ""),
        ("HIDDENWEB_SITE_ALPHA", "1.5", "wanted a number from 0 to 1"),
        ("HIDDENWEB_COMPARISON_QUEUE", "0", "wanted a whole number above 0"),
        ("HIDDENWEB_POLICY", "guess", "'guess' is no policy; there are benefit, frequency"),
        ("HIDDENWEB_MIN_NEW_RECORDS", "-1", "wanted a number, 0 or more"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str, complaint: str) -> None:
    problems = list(problems_with_settings(given(**{name: value})))

    assert len(problems) == 1
    assert problems[0].startswith(f"{name}: ")
    assert complaint in problems[0]


def test_an_unknown_setting_is_named_with_the_most_similar_one() -> None:
    problems = list(problems_with_settings(given(HIDDENWEB_DELAYS="1")))

    assert problems == ["there is no setting 'HIDDENWEB_DELAYS'; do you mean HIDDENWEB_DELAY?"]


def test_the_new_name_of_a_renamed_setting_is_named() -> None:
    problems = list(problems_with_settings(given(**{"HIDDENWEB_" + "TELL": "rules.toml"})))

    assert problems == ["HIDDENWEB_" + "TELL was renamed to HIDDENWEB_NOTIFY"]


def test_an_old_name_in_the_settings_of_a_project_is_found_as_well() -> None:
    read = given()
    read.set("HIDDENWEB_" + "WANDER", False, priority="project")

    assert list(problems_with_settings(read)) == [
        "HIDDENWEB_" + "WANDER was renamed to HIDDENWEB_FOLLOW_SITES"
    ]


def test_names_are_written_once_and_old_ones_lead_to_names_that_exist() -> None:
    names = [setting.name for setting in SETTINGS]

    assert len(names) == len(set(names))
    assert {f"HIDDENWEB_{new}" for new in RENAMED.values()} <= set(names)
    assert {f"HIDDENWEB_{old}" for old in RENAMED}.isdisjoint(names)


def test_the_documentation_lists_the_settings_in_order_with_their_defaults(root: Path) -> None:
    page = (root / "docs" / "settings.md").read_text(encoding="utf-8")
    ours = page[: page.index("## Environment variables")]

    documented = re.findall(r"^\| `(HIDDENWEB_\w+)` \| ([^|]+) \|", ours, re.MULTILINE)

    assert documented == [(setting.name, shown_default(setting.default)) for setting in SETTINGS]


def shown_default(default: Any) -> str:
    """A default as a table of the documentation shows it."""
    match default:
        case "" | ():
            return "empty"
        case str():
            return f"`{default}`"
        case bool() | None:
            return str(default)
        case _:
            return f"{default:,}"


@pytest.mark.parametrize(
    ("budgets", "problems"),
    [
        ({"queries": "0", "pages": "1", "time": "1h30m"}, []),
        ({"pages": "0"}, ["pages: '0' cannot be used; wanted a whole number, 1 or more"]),
        ({"queries": "-1"}, ["queries: '-1' cannot be used; wanted a whole number, 0 or more"]),
        ({"time": "soon"}, ["time: 'soon' cannot be used; wanted a time such as 90s, 30m, 2h or 1h30m"]),
    ],
)
def test_bad_budgets_are_named(budgets: dict[str, str], problems: list[str]) -> None:
    assert problems_with_budgets(budgets) == problems


@pytest.mark.parametrize(
    ("folder", "job", "complaint"),
    [
        ("{nonsense}", "7", "{nonsense} is unknown; a folder may hold {spider} and {job}"),
        ("{}", "7", "{} is unknown"),
        ("states/{job}", "", "{job}: there is none; -a _job=NAME names one"),
        ("states/{job}", "../../etc", "{job}: '../../etc' is no name of a folder"),
        ("states/{job}", ".hidden", "is no name of a folder"),
        ("states/{job}", "x" * 300, "is no name of a folder"),
    ],
)
def test_what_cannot_be_the_folder_of_a_state_is_named(folder: str, job: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        name_state_folder(folder, {"spider": "harvest", "job": job})


def test_the_folder_of_a_state_is_named_after_spider_and_job() -> None:
    names = {"spider": "harvest", "job": "6487ec79947edab326d6db28a2d86511"}

    assert name_state_folder("data", names) == "data"
    assert name_state_folder("/s/{spider}/{job}", names) == f"/s/harvest/{names['job']}"
