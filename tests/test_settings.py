"""The journey of a page names parts that are there, and the project changes nothing for spiders that are not ours."""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any

import pytest
import scrapy.settings.default_settings
from scrapy.utils.misc import load_object

import hiddenweb.settings
from hiddenweb.addon.installation import CONTRACTS
from hiddenweb.config import default_settings
from hiddenweb.journey import ADDON, CHOSEN, EXPLORING, FIXED, REVISITING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.journey import Journey

SET = {name: value for name, value in vars(hiddenweb.settings).items() if name.isupper()}
JOURNEYS = {"exploring": EXPLORING, "revisiting": REVISITING}


def parts_in(value: Any) -> Iterator[str]:
    """Yield the paths of objects that stand in the value of a setting."""
    if isinstance(value, str) and value.startswith(("hiddenweb.", "scrapy.")):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from parts_in(key)
            yield from parts_in(each)


PARTS = {
    part
    for place in (EXPLORING, REVISITING, FIXED, CHOSEN, CONTRACTS, {"ADDON": ADDON}, SET["ADDONS"])
    for part in parts_in(dict(place))
}


@pytest.mark.parametrize("part", sorted(PARTS))
def test_every_part_of_the_journey_is_there(part: str) -> None:
    assert callable(load_object(part))


def test_settings_that_are_not_ours_are_those_of_scrapy() -> None:
    others = {name for name in SET if not name.startswith("HIDDENWEB_")}

    assert {*others, *EXPLORING, *REVISITING, *FIXED, *CHOSEN} <= set(vars(scrapy.settings.default_settings))


def test_the_project_changes_nothing_that_spiders_of_other_people_would_notice() -> None:
    assert {name for name in SET if not name.startswith("HIDDENWEB_")} == {
        "ADDONS",
        "ASYNCIO_EVENT_LOOP",
        "BOT_NAME",
        "COMMANDS_MODULE",
        "NEWSPIDER_MODULE",
        "SPIDER_LOADER_CLASS",
        "SPIDER_MODULES",
    }


def test_our_own_settings_are_those_of_the_config() -> None:
    assert {name: value for name, value in SET.items() if name.startswith("HIDDENWEB_")} == default_settings()


def test_nothing_is_set_twice() -> None:
    tree = ast.parse(inspect.getsource(hiddenweb.settings))
    names = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("journey", JOURNEYS.values(), ids=JOURNEYS)
def test_each_part_has_a_turn_of_its_own(journey: Journey) -> None:
    for name in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES"):
        turns = list(journey[name].values())
        assert turns == sorted(set(turns)), name


def test_a_page_is_kept_before_anything_is_read_from_it_and_its_task_ends_last() -> None:
    pipelines = [path.rpartition(".")[2] for path in EXPLORING["ITEM_PIPELINES"]]

    assert pipelines[0] == "DuplicatesPipeline"
    assert pipelines.index("PagesPipeline") < pipelines.index("RecordsPipeline")
    assert pipelines[-1] == "FrontierPipeline"


def test_nobody_is_asked_before_robots_txt_but_what_failed_is_seen_by_all() -> None:
    middlewares = [path.rpartition(".")[2] for path in EXPLORING["DOWNLOADER_MIDDLEWARES"]]

    assert middlewares == [
        "FailuresMiddleware",
        "RobotsMiddleware",
        "FormSessionMiddleware",
        "LedgerMiddleware",
    ]


def test_only_http_is_fetched() -> None:
    handlers = EXPLORING["DOWNLOAD_HANDLERS"]

    assert set(handlers) == set(scrapy.settings.default_settings.DOWNLOAD_HANDLERS_BASE)
    assert {scheme for scheme, handler in handlers.items() if handler} == {"http", "https"}
