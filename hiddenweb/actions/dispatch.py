"""What commands share: how they run, their exit codes, and how the first word chooses an action."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.exceptions import UsageError

from hiddenweb.actions.terminal import say_error
from hiddenweb.reports.printable import clean_text, quantity

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scrapy.settings import BaseSettings

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells: 128 plus the number of SIGINT."""

NO_STATE = 3
"""The exit code of all commands without a readable state, as docs/commands.md says."""

_SPELLINGS = {"kind": "list, --page"}  # options whose name is not that of their value


class Action:
    """What one command does: it runs once, and its exit code says how it ended."""

    def __init__(self, settings: BaseSettings) -> None:
        self.settings = settings
        self.exit_code = 0

    def run(self, args: list[str], opts: argparse.Namespace) -> int:
        """Do what the command line says; return the exit code."""
        self._run(args, opts)
        return self.exit_code

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command line says; note an exit code other than 0."""
        raise NotImplementedError


class CommandActions(Action):
    """A command whose first word chooses the method that runs; expected errors are reported line by line."""

    name: ClassVar[str]
    options: ClassVar[Mapping[str, set[str]]]  # of each action, the default action first
    arguments: ClassVar[Mapping[str, tuple[int, int]]]  # of each action, the least and the most
    failures: ClassVar[Mapping[type[Exception], int]]  # the exit code after each expected error

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        action, rest = action_of(args, opts, self.options, self.arguments)
        try:
            getattr(self, f"_{action}")(Path(self.settings["HIDDENWEB_STATE"]), rest, opts)
        except KeyboardInterrupt:
            self._fail(INTERRUPTED, "stopped")
        except tuple(self.failures) as error:
            self._fail(next(self.failures[kind] for kind in self.failures if isinstance(error, kind)), error)

    def _fail(self, code: int, error: object) -> None:
        say_error(self.name, error)
        self.exit_code = code


def action_of(
    args: Sequence[str],
    opts: argparse.Namespace,
    options: Mapping[str, set[str]],
    arguments: Mapping[str, tuple[int, int]],
) -> tuple[str, list[str]]:
    """Return the action of a command line and its arguments; raises UsageError.

    `options` are those of each action, the default action first; `arguments` the least and the most of each.
    """
    action, *rest = args or [next(iter(options))]
    if unknown := next((word for word in args if word.startswith("-") and word != "-"), None):
        raise UsageError(f"{clean_text(unknown)!r} is no option", print_help=False)
    if action not in options:
        raise UsageError(f"{clean_text(action)!r} is none of {', '.join(options)}", print_help=False)
    for name in sorted(frozenset().union(*options.values()) - options[action]):
        if getattr(opts, name) not in (None, False):
            raise UsageError(f"--{_SPELLINGS.get(name, name)} does not belong to {action}", print_help=False)
    least, most = arguments[action]
    if not least <= len(rest) <= most:
        given = f"{quantity(len(rest), 'argument')} {clean_text(' '.join(rest))!r}" if rest else "no argument"
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise UsageError(f"{action} was given {given}, wanted {wanted}", print_help=False)
    if any(not word.strip() for word in rest):
        raise UsageError(f"{action} was given an empty argument", print_help=False)
    return action, rest
