"""Workers that compare pages: nothing lost, nothing twice, nobody waits for ever. Processes and kill -9 are real."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import psutil
import pytest
import uvloop

from hiddenweb.revisit.worker_pool import PoolStopped, WorkerPool, WorkerResult, WorkersFailed, _read_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

LONGEST_STALL = 40.0  # seconds, on a busy machine; a stall that is not noticed lasts for ever


def doubled(number: int) -> int:
    return number * 2


def busy(number: int) -> int:
    return sum(range(20_000)) * 0 + number


def size(text: str) -> int:
    return len(text)


def raising(number: int) -> int:
    raise ValueError(f"{number} is no page")


def killing(number: int) -> int:
    """Kill the worker at a negative number."""
    if number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def hanging(number: int) -> int:
    """Hang at a negative number."""
    if number < 0:
        signal.pause()
    return number


def killing_once(marker: str) -> str:
    """Kill the first worker that gets a page, but not the next one."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def hanging_once(marker: str) -> str:
    """Hang in the first worker that gets a marked page, but not in the next one."""
    if Path(marker).exists():
        Path(marker).unlink()
        signal.pause()
    return marker


def unpicklable(number: int) -> object:
    return lambda: number


def run(test: Coroutine[Any, Any, None], loop: Callable[[], asyncio.AbstractEventLoop] | None = None) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(asyncio.wait_for(test, 100))


async def outcomes(pool: WorkerPool[Any, Any], items: list[Any]) -> list[WorkerResult[Any, Any]]:
    """Put all items, as a producer does, while the outcomes are taken."""
    producer = asyncio.create_task(_produce(pool, items))
    found = [outcome async for outcome in pool.results()]
    await producer
    return found


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_every_item_has_one_outcome(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 2, capacity=5) as pool:
            found = await outcomes(pool, list(range(200)))

        assert sorted((outcome.item, outcome.result) for outcome in found) == [(n, 2 * n) for n in range(200)]
        assert pool.counts.done == pool.counts.put == 200

    run(test(), loop)


@pytest.mark.parametrize(("seed", "loop_of"), [(1, asyncio.new_event_loop), (2, uvloop.new_event_loop)])
def test_workers_killed_at_random_lose_nothing_and_stall_nobody(
    seed: int, loop_of: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def test() -> None:
        chance, loop = Random(seed), asyncio.get_running_loop()
        found: list[int] = []
        async with WorkerPool(busy, 3, capacity=20, tries=50) as pool:
            producer = asyncio.create_task(_produce(pool, range(600)))
            last, longest = loop.time(), 0.0
            async for outcome in pool.results():
                longest, last = max(longest, loop.time() - last), loop.time()
                assert outcome.error == ""
                found.append(outcome.item)
                if pool.processes() and chance.random() < 0.03:
                    os.kill(chance.choice(pool.processes()), signal.SIGKILL)
            await producer

        assert Counter(found) == Counter(range(600))
        assert pool.counts.died >= 5
        assert longest < LONGEST_STALL

    run(test(), loop_of)


def test_workers_that_hang_at_random_lose_nothing_and_stall_nobody(tmp_path: Path) -> None:
    pages = [str(tmp_path / str(number)) for number in range(200)]
    for page in Random(3).sample(pages, 6):
        Path(page).touch()

    async def test() -> None:
        loop = asyncio.get_running_loop()
        async with WorkerPool(hanging_once, 2, capacity=20, patience=1.0, tries=10) as pool:
            await pool.run("ready")
            producer = asyncio.create_task(_produce(pool, pages))
            found, last, longest = [], loop.time(), 0.0
            async for outcome in pool.results():
                longest, last = max(longest, loop.time() - last), loop.time()
                found.append(outcome.result)
            await producer

        assert Counter(found) == Counter(pages)
        assert pool.counts.hung >= 6
        assert longest < LONGEST_STALL

    run(test())


async def _produce(pool: WorkerPool[Any, Any], items: Iterable[Any]) -> None:
    for item in items:
        await pool.put(item)
    pool.close()


def test_a_page_that_killed_a_worker_is_tried_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with WorkerPool(killing_once, 1) as pool:
            outcome = await pool.run(str(tmp_path / "died"))

        assert (outcome.result, outcome.error, outcome.tries) == ("done", "", 2)
        assert (pool.counts.died, pool.counts.started) == (1, 2)

    run(test())


def test_a_page_that_kills_all_workers_is_given_up_and_the_others_are_not() -> None:
    async def test() -> None:
        async with WorkerPool(killing, 2, tries=2) as pool:
            found = await outcomes(pool, [1, -1, 2, 3])

        given_up = [outcome for outcome in found if outcome.error]
        assert [(outcome.item, outcome.tries, outcome.error) for outcome in given_up] == [
            (-1, 2, "the worker died")
        ]
        assert sorted(outcome.item for outcome in found) == [-1, 1, 2, 3]
        assert (pool.counts.given_up, pool.counts.died) == (1, 2)

    run(test())


def test_a_worker_that_hangs_is_replaced() -> None:
    async def test() -> None:
        async with WorkerPool(hanging, 1, patience=1.0, tries=2) as pool:
            start = asyncio.get_running_loop().time()
            hung = asyncio.create_task(pool.run(-1))
            after = await pool.run(7)
            took = asyncio.get_running_loop().time() - start

            assert after.result == 7
            assert (await hung).error == "the worker hung"
            assert pool.counts.hung == 2
            assert took < LONGEST_STALL

    run(test())


def test_a_stopped_process_counts_as_one_that_hangs() -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 1, patience=1.0) as pool:
            await pool.run(1)
            os.kill(pool.processes()[0], signal.SIGSTOP)

            outcome = await pool.run(2)

            assert (outcome.result, outcome.tries, pool.counts.hung) == (4, 2, 1)

    run(test())


def test_an_idle_worker_that_dies_is_replaced_and_costs_no_page_a_try() -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 1) as pool:
            await pool.run(1)
            first = pool.processes()[0]
            os.kill(first, signal.SIGKILL)
            psutil.Process(first).wait(LONGEST_STALL)

            outcome = await pool.run(2)

            assert outcome.tries in {1, 2}  # 2: it got the page before its death was noticed
            assert pool.processes() != [first]
            assert pool.counts.died == 1

    run(test())


def test_an_exception_of_the_work_is_reported_and_not_tried_again() -> None:
    async def test() -> None:
        async with WorkerPool(raising, 1) as pool:
            outcome = await pool.run(5)

        assert (outcome.result, outcome.error) == (None, "ValueError: 5 is no page")
        assert (outcome.tries, pool.counts.raised, pool.counts.died) == (1, 1, 0)

    run(test())


def test_a_result_that_cannot_be_sent_costs_one_page() -> None:
    async def test() -> None:
        async with WorkerPool(unpicklable, 1) as pool:
            outcome = await pool.run(5)

        assert "pickle" in outcome.error
        assert pool.counts.died == 0

    run(test())


def test_an_item_that_cannot_be_sent_is_the_producers_mistake() -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 1, capacity=1) as pool:
            for _ in range(3):  # no room is lost by it
                with pytest.raises((AttributeError, TypeError), match="pickle"):
                    await pool.run(lambda: 1)  # type: ignore[arg-type]

            assert (await pool.run(4)).result == 8

    run(test())


def test_a_producer_waits_while_the_queue_is_full() -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 1, capacity=2) as pool:
            producer = asyncio.create_task(_produce(pool, range(100)))
            await asyncio.wait({producer}, timeout=2.0)

            # At most: two that wait, two results, one result in the hands of the supervisor.
            assert not producer.done()
            assert pool.counts.put <= 5

            assert len([outcome async for outcome in pool.results()]) == 100
            await producer

    run(test())


def test_pages_larger_than_a_socket_holds_go_through() -> None:
    async def test() -> None:
        async with WorkerPool(size, 2) as pool:
            found = await asyncio.gather(*(pool.run("x" * 3_000_000) for _ in range(4)))

        assert [outcome.result for outcome in found] == [3_000_000] * 4

    run(test())


def test_stopping_leaves_no_process_and_nobody_waiting() -> None:
    async def test() -> None:
        async with WorkerPool(hanging, 2, capacity=1, patience=60) as pool:
            running = [asyncio.create_task(pool.run(-1)) for _ in range(6)]
            await asyncio.wait(running, timeout=1.0)
            processes = pool.processes()

        for task in running:
            with pytest.raises(PoolStopped):
                await task
        with pytest.raises(PoolStopped):
            await pool.put(1)
        assert [outcome async for outcome in pool.results()] == []
        assert not any(psutil.pid_exists(process) for process in processes)  # a zombie would

    run(test())


def test_nothing_can_be_put_after_the_end() -> None:
    async def test() -> None:
        async with WorkerPool(doubled, 1) as pool:
            pool.close()
            with pytest.raises(PoolStopped, match="closed"):
                await pool.put(1)

            assert [outcome async for outcome in pool.results()] == []

    run(test())


def test_all_who_wait_get_the_error_of_work_that_cannot_be_imported() -> None:
    def nested(number: int) -> int:
        return number

    async def test() -> None:
        async with WorkerPool(nested, 2, capacity=1) as pool:
            running = [asyncio.create_task(pool.run(number)) for number in range(4)]
            for task in running:
                with pytest.raises(WorkersFailed, match=r"nested.* cannot start: AttributeError"):
                    await task

    run(test())


def test_producers_do_not_wait_for_ever_for_work_whose_import_kills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deadly_work.py").write_text(
        "import os\nif 'WORK' in os.environ: os._exit(1)\ndef work(n): return n\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    work = import_module("deadly_work").work
    monkeypatch.setenv("WORK", "1")

    async def test() -> None:
        async with WorkerPool(work, 1, capacity=1) as pool:
            with pytest.raises(WorkersFailed, match="die while they start"):
                await pool.run(1)

    run(test())


def test_no_worker_outlives_a_crawl_that_was_killed() -> None:
    program = (
        "import asyncio, test_revisit_worker_pool as t\n"
        "async def main():\n"
        "    async with t.WorkerPool(t.hanging, 2, patience=0.5) as pool:\n"
        "        await pool.run(1)\n"
        "        idle_and_hanging = pool.processes()\n"
        "        putting = asyncio.create_task(pool.put(-1))\n"
        "        await putting\n"
        "        print(*idle_and_hanging, flush=True)\n"
        "        await asyncio.Event().wait()\n"
        "asyncio.run(main())\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parent.parent)])
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
    ) as crawl:
        assert crawl.stdout is not None
        workers = [int(each) for each in crawl.stdout.readline().split()]
        remaining = [psutil.Process(each) for each in workers if psutil.pid_exists(each)]
        crawl.kill()

    _, alive = psutil.wait_procs(remaining, timeout=60)
    assert workers
    assert not alive


def test_a_busy_process_is_distinguished_from_a_waiting_one() -> None:
    """So a worker that gets no processor does not count as hanging."""
    before = time.process_time()
    is_running, used = _read_usage(os.getpid())
    assert is_running
    assert before - 0.1 < used < time.process_time() + 0.1  # it counts in hundredths
    with subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"], stdin=-1, stdout=-1
    ) as waiting:
        assert waiting.stdout is not None
        waiting.stdout.readline()
        os.kill(waiting.pid, signal.SIGSTOP)
        os.waitpid(waiting.pid, os.WUNTRACED)
        assert not _read_usage(waiting.pid)[0]
        waiting.kill()
    assert _read_usage(waiting.pid) == (False, 0.0)
