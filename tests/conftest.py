"""What every test file may ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator


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
