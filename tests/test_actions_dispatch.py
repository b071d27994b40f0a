"""The first word of a command chooses its action; wrong arguments are refused with what was wanted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, ClassVar

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from hiddenweb.actions.dispatch import INTERRUPTED, CommandActions, action_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OPTIONS = {"list": {"json"}, "show": {"limit", "json"}}
ARGUMENTS = {"list": (0, 0), "show": (1, 2)}


def parsed_options(**options: object) -> argparse.Namespace:
    return argparse.Namespace(**{"json": False, "limit": None} | options)


def test_without_a_word_the_default_action_runs() -> None:
    assert action_of([], parsed_options(), OPTIONS, ARGUMENTS) == ("list", [])
    assert action_of(["show", "books"], parsed_options(limit=3), OPTIONS, ARGUMENTS) == ("show", ["books"])


@pytest.mark.parametrize(
    ("args", "options", "complaint"),
    [
        (["dance"], {}, "'dance' is none of list, show"),
        (["list", "--colour"], {}, "'--colour' is no option"),
        (["list"], {"limit": 3}, "--limit does not belong to list"),
        (["show"], {}, "show was given no argument, wanted 1 to 2"),
        (["list", "books"], {}, "list was given 1 argument 'books', wanted 0"),
        (["show", " "], {}, "show was given an empty argument"),
    ],
)
def test_wrong_arguments_are_refused(args: list[str], options: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        action_of(args, parsed_options(**options), OPTIONS, ARGUMENTS)


class Books(CommandActions):
    """Lists books, or fails."""

    name = "books"
    options = OPTIONS
    arguments = ARGUMENTS
    failures: ClassVar = {LookupError: 4}

    def _list(self, *_: object) -> None:
        raise KeyboardInterrupt

    def _show(self, _folder: Path, args: Sequence[str], _opts: argparse.Namespace) -> None:
        if args[0] == "none":
            raise KeyError("no such book\nat all")


@pytest.mark.parametrize(
    ("args", "code", "errors"),
    [
        (["list"], INTERRUPTED, "scrapy books: stopped\n"),
        (["show", "one"], 0, ""),
        (["show", "none"], 4, "scrapy books: 'no such book\\nat all'\n"),
    ],
)
def test_the_exit_code_says_how_it_ended(
    args: list[str], code: int, errors: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Books(Settings({"HIDDENWEB_STATE": "data"})).run(args, parsed_options()) == code
    assert capsys.readouterr().err == errors
