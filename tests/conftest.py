"""What every test file may ask for."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from stores import NOW

from hiddenweb.store.database import Store
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

# Whether a change may land is no matter of luck: the same pages are tried each time, however long they take. Other pages
# are tried with `pytest --hypothesis-profile=other-pages`.
_HOWEVER_SLOW = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.register_profile("same-pages", _HOWEVER_SLOW, derandomize=True)
settings.register_profile("other-pages", _HOWEVER_SLOW, derandomize=False, print_blob=True)
settings.load_profile("same-pages")

collect_ignore = [
    "forking_imports.py",
    "projects",
]  # it loads models, for others to use; spiders of other people

LONG = (
    "test_journey", "test_benchmarks", "test_commands", "test_asking_worlds", "test_html_reader", "test_revisit_worker_pool",
    "test_index_process", "test_simweb_browser", "test_forms_browser", "test_extensions_progress", "test_extensions_live",
    "test_packaging", "test_scrapyd", "test_addon_companion", "test_addon_own_requests", "test_scrapy_conventions",
    "test_reports_estimate", "test_actions_interrupts", "test_console_site_harvest",
)  # fmt: skip
"""How the names of files begin whose tests run crawls, browsers and other processes."""

NOT_QUICK = (
    *LONG,
    # Servers, whole webs and Scrapy itself.
    "test_simweb", "test_fetch_http_client", "test_download_handler", "test_contracts", "test_project", "test_spider_loader",
    # Conversations with simulated databases, and crashes at every step.
    "test_querying_policies", "test_querying_controls", "test_index_whoosh", "test_store_focused", "test_store_candidates",
    "test_revisit_comparison",
)  # fmt: skip
"""The same for files that `make quick` leaves out: all others take about a minute of two cores."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make quick` leave out what needs a crawl, a browser or a server."""
    parser.addoption("--quick", action="store_true", help="only tests without crawls, browsers and servers")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out long files where only quick ones are wanted; else let others decide."""
    if config.getoption("quick") and collection_path.name.startswith(NOT_QUICK):
        return True
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the long files begin first, so that no worker has to wait at the end for another one."""
    items.sort(key=lambda item: not item.path.name.startswith(LONG))


def pytest_collection_finish() -> None:
    """Spare the garbage collector all that lives as long as the tests do: modules, and the tests themselves."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _no_settings_module() -> Iterator[None]:
    """Let no test name the settings of this project for later ones: Scrapy notes them in the environment when it reads them."""
    yield
    os.environ.pop("SCRAPY_SETTINGS_MODULE", None)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def truth(request: pytest.FixtureRequest) -> Iterator[Truth]:
    """What is true of the WORLD of a test file."""
    world = World(**request.module.WORLD)
    yield Truth(world)
    world.close()


@pytest.fixture(scope="module")
def web(request: pytest.FixtureRequest) -> Iterator[Simweb]:
    """A simweb that shows the WORLD of a test file."""
    with Simweb.start(**request.module.WORLD) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new store, with a crawl under way."""
    with Store(tmp_path / "state") as store:
        store.runs.begin("test", NOW)
        yield store
