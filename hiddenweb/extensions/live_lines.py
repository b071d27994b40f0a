"""A few lines on a terminal that are updated, and the log above them."""

from __future__ import annotations

import atexit
import logging
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.live import Live
from scrapy.utils.log import get_scrapy_root_handler

if TYPE_CHECKING:
    from rich.text import Text


class LiveLines:
    """The live lines on the terminal, and the log above them."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, highlight=False)
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=True,
        )
        self._handler = _stderr_handler()
        self._stream = self._handler.stream if self._handler is not None else None
        self._live.start()
        if self._handler is not None:
            self._handler.setStream(_AboveTheLines(self._console))
        atexit.register(self.stop)  # a crawl that is ended by force does not report its end

    def show(self, lines: Text) -> None:
        """Replace the last lines with these."""
        self._live.update(lines, refresh=True)

    def stop(self) -> None:
        """Remove the lines, and restore the stream of the log."""
        atexit.unregister(self.stop)
        self._live.stop()
        if self._handler is not None:
            self._handler.setStream(self._stream)


class _AboveTheLines:
    """A stream that prints log messages above the live lines."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def write(self, text: str) -> int:
        if stripped := text.removesuffix("\n"):
            self._console.out(stripped, highlight=False)
        return len(text)

    def flush(self) -> None:
        self._console.file.flush()


def _stderr_handler() -> logging.StreamHandler[Any] | None:
    handler = get_scrapy_root_handler()
    if isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr:
        return handler
    return None


def is_log_on_stderr() -> bool:
    """Return whether the log is printed on the error channel."""
    handler = _stderr_handler()
    return handler is not None and handler.level <= logging.INFO
