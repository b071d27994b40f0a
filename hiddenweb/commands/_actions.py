"""What commands share that do several things: the first word says which."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.exceptions import UsageError

from hiddenweb.commands._output import say_error
from hiddenweb.reports.printable import clean_text, quantity

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from scrapy.settings import Settings

STOPPED = 130
"""The exit code after Ctrl-C."""

_WRITTEN = {"kind": "list, --page"}  # options whose name is not that of their value


class ActionCommand:
    """A command whose first word says which of its methods runs, with the folder of the state; an error that can be expected is told line by line."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar = {"LOG_ENABLED": False}

    name: ClassVar[str]
    options: ClassVar[Mapping[str, set[str]]]  # of each action, the usual one first
    arguments: ClassVar[Mapping[str, tuple[int, int]]]  # how many follow it at the least and at the most
    failures: ClassVar[Mapping[type[Exception], int]]  # the exit code after each error that can be expected

    settings: Settings | None
    exitcode: int

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command line says."""
        assert self.settings is not None
        action, rest = action_of(args, opts, self.options, self.arguments)
        try:
            getattr(self, f"_{action}")(Path(self.settings["HIDDENWEB_STATE"]), rest, opts)
        except KeyboardInterrupt:
            self._fail(STOPPED, "stopped")
        except tuple(self.failures) as error:
            self._fail(next(self.failures[kind] for kind in self.failures if isinstance(error, kind)), error)

    def _fail(self, code: int, error: object) -> None:
        say_error(self.name, error)
        self.exitcode = code


def action_of(
    args: Sequence[str],
    opts: argparse.Namespace,
    options: Mapping[str, set[str]],
    arguments: Mapping[str, tuple[int, int]],
) -> tuple[str, list[str]]:
    """Return what a command is to do, and with what; raises UsageError where that makes no sense.

    `options` are those of each action, the usual one first, `arguments` how many follow it at the least and at the most.
    """
    action, *rest = args or [next(iter(options))]
    if unknown := next((word for word in args if word.startswith("-") and word != "-"), None):
        raise UsageError(f"{clean_text(unknown)!r} is no option", print_help=False)
    if action not in options:
        raise UsageError(f"{clean_text(action)!r} is none of {', '.join(options)}", print_help=False)
    for name in sorted(frozenset().union(*options.values()) - options[action]):
        if getattr(opts, name) not in (None, False):
            raise UsageError(f"--{_WRITTEN.get(name, name)} does not belong to {action}", print_help=False)
    least, most = arguments[action]
    if not least <= len(rest) <= most:
        given = f"{quantity(len(rest), 'argument')} {clean_text(' '.join(rest))!r}" if rest else "no argument"
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise UsageError(f"{action} was given {given}, wanted {wanted}", print_help=False)
    if any(not word.strip() for word in rest):
        raise UsageError(f"{action} was given an empty argument", print_help=False)
    return action, rest
