"""Starts simweb as a process of its own and talks to it: for tests, benchmarks and the demo.

with Simweb.start(seed=7, sites=200) as web:
    crawl(proxy=web.proxy, seeds=[web.sites()[0]["url"]])
    assert not web.effects()
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_opener = build_opener(ProxyHandler({}))  # never through a proxy of the environment


class SimwebError(RuntimeError):
    """simweb did not start, or did not do what it was told."""


class Simweb:
    """A running simweb."""

    def __init__(self, process: subprocess.Popen[str], addresses: dict[str, Any]) -> None:
        self.process = process
        self.proxy: str = addresses["proxy"]
        self.control: str = addresses["control"]
        self.direct: list[str] = addresses["direct"]

    @classmethod
    def start(cls, **options: object) -> Self:
        """Start simweb with the options of its command line (`largest_database=500` for --largest-database 500).

        An option that takes no value is True.
        """
        command = [sys.executable, "-m", "simweb", "--until-parent-ends"]
        for name, value in options.items():
            command += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        announced = process.stdout.readline()
        if not announced:
            raise SimwebError(f"simweb ended with code {process.wait()}: {' '.join(command)}")
        return cls(process, json.loads(announced))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the process and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=30)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()

    def get(self, call: str, **arguments: object) -> Any:
        """Ask the control port."""
        return self._call("GET", call, arguments)

    def post(self, call: str, **arguments: object) -> Any:
        """Tell the control port to do something."""
        return self._call("POST", call, arguments)

    def sites(self, **arguments: object) -> list[dict[str, Any]]:
        """Return the sites, each with its address."""
        return list(self.get("sites", **arguments))

    def effects(self) -> list[dict[str, Any]]:
        """Return what was done to forms that should have been left alone."""
        return list(self.get("effects"))

    def advance(self, days: float) -> None:
        """Move the clock on."""
        self.post("clock", advance=f"{days}d")

    def _call(self, method: str, call: str, arguments: dict[str, object]) -> Any:
        address = f"{self.control}/{call.removeprefix('/')}?{urlencode(arguments, doseq=True)}"
        try:
            with _opener.open(Request(address, method=method)) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                raise SimwebError(json.load(error)["error"]) from None
