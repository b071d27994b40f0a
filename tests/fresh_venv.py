"""Distributions built from a copy of the repository, and fresh venvs that hold a wheel and what its metadata asks for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent


def copy_repository(folder: Path) -> Path:
    """Copy what a fresh clone has, with what is not committed yet."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listing.returncode:
        pytest.skip("not a git repository")
    for name in filter(None, listing.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def build(folder: Path) -> tuple[Path, Path]:
    """Build the source distribution, and the wheel from it, as `python -m build` does; nothing is downloaded."""
    source = copy_repository(folder / "clone")
    sdist = _run_hook("build_sdist", source, folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return sdist, _run_hook("build_wheel", unpacked, folder)


def _run_hook(hook: str, source: Path, folder: Path) -> Path:
    code = f"import sys; from setuptools import build_meta; print(build_meta.{hook}(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.splitlines()[-1]


@dataclass(frozen=True)
class FreshVenv:
    """A venv of its own, in which everything of hiddenweb comes from a wheel."""

    folder: Path

    @classmethod
    def create(cls, folder: Path, wheel: Path, *extras: str) -> FreshVenv:
        """Install a wheel; the packages that it requires, and no others, are linked from the venv of the tests."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        venv = cls(folder)
        pip = [sys.executable, "-m", "pip", "-q", "--python", str(venv.python), "install"]
        subprocess.run([*pip, "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True)
        (metadata,) = venv.packages.glob("hiddenweb-*.dist-info/METADATA")
        lines = metadata.read_text(encoding="utf-8").splitlines()
        wanted = [
            line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")
        ]
        for name in sorted(_required(wanted, extras)):
            venv.link(name)
        return venv

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        return Path(sysconfig.get_path("purelib", vars={"base": str(self.folder)}))

    def link(self, name: str) -> None:
        """Make a package of the venv of the tests importable."""
        found = distribution(name)
        tops = {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (self.packages / top).exists():
                (self.packages / top).symlink_to(Path(str(found.locate_file(top))).resolve())

    def run(
        self, *arguments: str, folder: Path, env: Mapping[str, str] | None = None, timeout: float = 240
    ) -> subprocess.CompletedProcess[str]:
        """Run Python in a folder, with nothing of the environment's on its path."""
        return subprocess.run(
            [str(self.python), "-I", *arguments], cwd=folder, env=os.environ | (env or {}),
            capture_output=True, text=True, check=False, timeout=timeout,
        )  # fmt: skip

    def scrapy(
        self, *arguments: str, folder: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command of Scrapy in a folder."""
        return self.run("-m", "scrapy", *arguments, folder=folder, env=env)


def _required(requirements: list[str], extras: tuple[str, ...]) -> set[str]:
    """Return the names of all packages that requirements lead to."""
    names: set[str] = set()
    waiting = list(_applicable(requirements, extras))
    while waiting:
        wanted = waiting.pop()
        if wanted.name not in names:
            names.add(wanted.name)
            try:
                further = distribution(wanted.name).requires or []
            except PackageNotFoundError:
                pytest.fail(f"{wanted.name} is required, but the venv of the tests has none")
            waiting += _applicable(further, tuple(wanted.extras))
    return names


def _applicable(requirements: list[str], extras: tuple[str, ...]) -> Iterator[Requirement]:
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)
        ):
            yield requirement
