from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from hiddenweb.fetch.errors import Unresolvable
from hiddenweb.fetch.resolver import Resolver, resolve_by_system

if TYPE_CHECKING:
    from collections.abc import Sequence


class Answers:
    """A resolver that knows every host, and remembers what it was asked."""

    def __init__(self) -> None:
        self.lookups: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.lookups.append(f"{host}:{port}")
        await asyncio.sleep(0)
        return ["192.0.2.1"]


def test_a_name_is_resolved_once_even_for_many_at_once() -> None:
    async def test() -> list[str]:
        answers = Answers()
        names = Resolver(answers)
        await asyncio.gather(*(names.addresses("a.example", 80) for _ in range(10)))
        await names.addresses("a.example", 80)
        await names.addresses("b.example", 80)
        return answers.lookups

    assert asyncio.run(test()) == ["a.example:80", "b.example:80"]


def test_a_name_is_resolved_again_when_its_time_is_over() -> None:
    async def test() -> list[str]:
        answers = Answers()
        names = Resolver(answers, seconds=0)
        for _ in range(2):
            await names.addresses("a.example", 80)
        return answers.lookups

    assert asyncio.run(test()) == ["a.example:80"] * 2


def test_only_so_many_names_are_remembered() -> None:
    async def test() -> list[str]:
        answers = Answers()
        names = Resolver(answers, size=2)
        for host in ("a", "b", "c", "c", "a"):
            await names.addresses(host, 80)
        return answers.lookups

    assert asyncio.run(test()) == ["a:80", "b:80", "c:80", "a:80"]


def test_a_failure_is_not_remembered() -> None:
    async def test() -> list[str]:
        class Fails(Answers):
            async def __call__(self, host: str, port: int) -> Sequence[str]:
                await super().__call__(host, port)
                return []

        fails = Fails()
        names = Resolver(fails)
        for _ in range(2):
            with pytest.raises(Unresolvable):
                await names.addresses("a.example", 80)
        return fails.lookups

    assert asyncio.run(test()) == ["a.example:80"] * 2


def test_one_who_stops_waiting_does_not_stop_the_others() -> None:
    async def test() -> Sequence[str]:
        names = Resolver(Answers())
        first = asyncio.ensure_future(names.addresses("a.example", 80))
        second = asyncio.ensure_future(names.addresses("a.example", 80))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(test()) == ["192.0.2.1"]


def test_the_system_knows_addresses() -> None:
    assert asyncio.run(resolve_by_system("127.0.0.1", 80)) == ("127.0.0.1",)
