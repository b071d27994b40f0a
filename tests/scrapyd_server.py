"""A real Scrapyd on loopback, with the configuration of the documentation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from base64 import b64encode
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from applications import free_port, running_program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
INSTALLED = Path(sys.prefix) / "scrapyd" / "bin"
"""Where `scripts/install-scrapyd` puts Scrapyd and its client."""

SERVER, DEPLOY = INSTALLED / "scrapyd", INSTALLED / "scrapyd-deploy"

ENDS_WITHIN = 240.0
"""Seconds that a job of a test gets, on a machine that has much else to do."""


@dataclass(frozen=True)
class ScrapydServer:
    """A Scrapyd that runs."""

    folder: Path
    port: int
    username: str = "hiddenweb"
    password: str = "change-me"

    @classmethod
    @contextmanager
    def run(cls, folder: Path) -> Iterator[ScrapydServer]:
        """Run Scrapyd with the sample of the documentation, but for its port, its folders and its patience."""
        server = cls(folder, free_port())
        sample = (ROOT / "docs" / "scrapyd.conf").read_text(encoding="utf-8")
        changed = {"http_port": str(server.port), "poll_interval": "0.1"}
        folders = ("eggs_dir", "dbs_dir", "logs_dir", "items_dir")
        changed |= {name: str(folder / name.removesuffix("_dir")) for name in folders}
        for name, value in changed.items():
            sample, times = re.subn(rf"(?m)^({name} *=).*$", rf"\g<1> {value}", sample)
            assert times == 1, name
        (folder / "scrapyd.conf").write_text(sample, encoding="utf-8")
        with running_program(folder, [str(SERVER)], server.port, environment={"HOME": str(folder)}):
            try:
                yield server
            finally:
                for job in server.get("listjobs")["running"]:
                    server.post("cancel", project=job["project"], job=job["id"])
                    server.wait_for(job["id"])

    def get(self, service: str, **parameters: object) -> dict[str, Any]:
        """Ask a service; the password is sent."""
        return self._answer(f"{service}.json?{urlencode(parameters)}", None)

    def post(self, service: str, **parameters: object) -> dict[str, Any]:
        """Order a service; a parameter that is a list is sent once for each of its values."""
        return self._answer(f"{service}.json", urlencode(parameters, doseq=True).encode())

    def _answer(self, path: str, data: bytes | None) -> dict[str, Any]:
        login = b64encode(f"{self.username}:{self.password}".encode()).decode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", data, {"Authorization": f"Basic {login}"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            answer: dict[str, Any] = json.load(response)
        assert answer["status"] == "ok", answer
        return answer

    def deploy(self, clone: Path) -> subprocess.CompletedProcess[str]:
        """Deploy a clone as the documentation says: a target in the home folder, the password in the environment."""
        (self.folder / ".scrapy.cfg").write_text(
            f"[deploy:here]\nurl = http://127.0.0.1:{self.port}/\n", encoding="utf-8"
        )
        environment = {"SCRAPYD_USERNAME": self.username, "SCRAPYD_PASSWORD": self.password}
        return subprocess.run(
            [str(DEPLOY), "here"], cwd=clone, capture_output=True, text=True, check=False,
            env={**os.environ, "HOME": str(self.folder), **environment},
        )  # fmt: skip

    def schedule(self, spider: str, job: str, settings: dict[str, object], **arguments: object) -> None:
        """Let a spider run, with settings and arguments."""
        given = [f"{name}={value}" for name, value in settings.items()]
        self.post("schedule", project="hiddenweb", spider=spider, jobid=job, setting=given, **arguments)

    def wait_for(self, job: str, line: str = "") -> str:
        """Wait until a job is over, or until its log has a line; return the log."""
        deadline = time.monotonic() + ENDS_WITHIN
        while self.get("status", job=job)["currstate"] != "finished":
            if line and line in self.log(job):
                return self.log(job)
            assert time.monotonic() < deadline, f"{job} does not end: {self.output()[-2000:]}"
            time.sleep(0.1)  # nothing says when a job is over
        assert line in self.log(job)
        return self.log(job)

    def log(self, job: str) -> str:
        """Return the log of a job; it is empty until the job begins."""
        return "".join(
            file.read_text(encoding="utf-8") for file in (self.folder / "logs").rglob(f"{job}.log")
        )

    def output(self) -> str:
        """Return what Scrapyd says itself."""
        return (self.folder / "server.txt").read_text(encoding="utf-8")

    def exit_status(self, job: str) -> int:
        """Return the exit code of a job that is over; Scrapyd tells it only in its own log."""
        found = re.search(rf"Process died: exitstatus=(\d+) .*job='{job}'", self.output())
        return int(found[1]) if found else 0
