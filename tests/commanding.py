"""Running commands in the process of the tests: a process of their own costs them seconds each."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError
from scrapy.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from scrapy.commands import ScrapyCommand


@dataclass(frozen=True)
class Done:
    """What a command printed, and how it ended."""

    code: int
    output: str
    errors: str


def run(
    command: ScrapyCommand,
    *arguments: str,
    state: Path,
    capsys: pytest.CaptureFixture[str],
    **settings: object,
) -> Done:
    """Run a command as Scrapy does."""
    command.settings = Settings()
    command.settings.setmodule("hiddenweb.settings")
    command.settings.set("HIDDENWEB_STATE", str(state))
    for name, value in settings.items():
        command.settings.set(name, value)
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    opts, rest = parser.parse_known_args(arguments)
    capsys.readouterr()
    try:
        command.run(rest, opts)
    except UsageError as error:
        return Done(2, *capsys.readouterr()[:1], str(error))
    said = capsys.readouterr()
    return Done(command.exitcode, said.out, said.err)
