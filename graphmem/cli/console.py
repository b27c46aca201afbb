"""How commands show themselves: progress while they work, rows or JSON when they are done."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import orjson
import structlog
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

out = Console(highlight=False, soft_wrap=True, emoji=False)
err = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
_STEERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, Unicode's own ends of lines, the signs that turn the direction of writing, and half signs."""
LINE_SECONDS = 5.0
"""A line of progress in a file comes after so long, and only where a tenth of the whole is done since."""


def configure_logging(level: str) -> None:
    """One JSON object a line on standard error, so that standard output stays the command's own.

    What libraries log, such as the driver, is told in the same form from `warning` on.
    """
    _configure(
        level,
        structlog.processors.JSONRenderer(serializer=lambda value, **_: orjson.dumps(value, default=str).decode()),
    )


def log_in_words(level: str, *, slow: bool) -> None:
    """A plain line each, for somebody who waits for a command. `slow`: of slow statements too."""
    _configure(level, _in_words if slow else _in_words_but_slow)


def _in_words(_: object, __: str, event: structlog.typing.EventDict) -> str:
    level, told, trace = event.pop("level"), event.pop("event"), event.pop("exception", None)
    event.pop("timestamp", None)
    more = ", ".join(f"{name} {value}" for name, value in event.items() if value is not None)
    line = in_line(f"{level}: {told}{f' ({more})' if more else ''}")
    return f"{line}\n{printable(trace)}" if trace and level == "error" else line


def _in_words_but_slow(logger: object, name: str, event: structlog.typing.EventDict) -> str:
    if event["event"] == "slow statement":
        raise structlog.DropEvent
    return _in_words(logger, name, event)


def _configure(level: str, shown: structlog.typing.Processor) -> None:
    levels = {"debug": 10, "info": 20, "warning": 30, "error": 40}
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, shown],
        wrapper_class=structlog.make_filtering_bound_logger(levels[level]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, shown],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    logging.basicConfig(level=max(levels[level], logging.WARNING), handlers=[handler], force=True)


def show(value: Any, as_json: bool, rows: Sequence[Mapping[str, Any]] | None = None) -> None:
    """`value` as JSON, or `rows` as a table; without rows, `value` line by line."""
    if as_json:
        sys.stdout.write(_in_json(orjson.dumps(value, default=str, option=orjson.OPT_INDENT_2).decode()) + "\n")
    elif rows:
        _show_rows([{name: "" if cell is None else in_line(str(cell)) for name, cell in row.items()} for row in rows])
    elif rows is None:
        lines = [f"{name}: {found}" for name, found in value.items()] if isinstance(value, Mapping) else [str(value)]
        for line in lines:
            out.print(in_line(line), markup=False)


def _show_rows(rows: Sequence[Mapping[str, str]]) -> None:
    """A line each, below the names. In a terminal that is too narrow for it, a paragraph each: a line that is cut
    into several can't be copied."""
    widths = {name: max(map(cell_len, (name, *(row[name] for row in rows)))) for name in rows[0]}
    if out.is_terminal and sum(widths.values()) + 2 * (len(widths) - 1) > out.width:
        for row in rows:
            out.print("\n".join(f"{name}: {cell}" for name, cell in row.items() if cell) + "\n", markup=False)
        return
    for style, line in (("bold", {name: name for name in widths}), *((None, row) for row in rows)):
        cells = (line[name] + " " * (width - cell_len(line[name])) for name, width in widths.items())
        out.print("  ".join(cells).rstrip(), style=style, markup=False)


def counted(count: int, what: str) -> str:
    """
    >>> counted(1, "finding"), counted(0, "finding")
    ('1 finding', '0 findings')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def say(text: str) -> None:
    """A line on standard error."""
    err.print(in_line(text), markup=False)


def in_line(text: str) -> str:
    """As `printable`, of one line: ends of lines and tabs are spelled out too.

    >>> in_line("two\\nlines")
    'two\\\\nlines'
    """
    return _spelled(text, "")


def printable(text: str) -> str:
    """The text with its control characters spelled out, and those that turn the direction of writing: what stands in a
    graph must not steer a terminal.

    >>> printable("red\\x1b[31m")
    'red\\\\x1b[31m'
    """
    return _spelled(text, "\n\t")


def _spelled(text: str, kept: str) -> str:
    return _STEERS.sub(lambda found: found[0] if found[0] in kept else repr(found[0])[1:-1], text)


def _in_json(text: str) -> str:
    """The same JSON; what orjson leaves of control characters stands in strings, and is written as JSON escapes it."""
    return _STEERS.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def walked(steps: Iterable[tuple[str, str, str, bool]]) -> str:
    """A path, its steps given as (from, type, to, whether the edge points that way).

    >>> walked([("a", "RELATED_TO", "b", True), ("b", "DEPENDS_ON", "c", False)])
    'a -RELATED_TO-> b <-DEPENDS_ON- c'
    """
    told = [(start, f"-{kind}-> {end}" if forward else f"<-{kind}- {end}") for start, kind, end, forward in steps]
    return " ".join([*(start for start, _ in told[:1]), *(arrow for _, arrow in told)])


class Bars:
    """Progress of several things at once, on standard error; lines instead of bars where that is no terminal."""

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._tasks: dict[str, TaskID] = {}
        self._told: dict[str, tuple[int, float]] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        """`total` 0: not known."""
        if not err.is_terminal:
            self._line(what, done, total)
            return
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total or None)
        self._progress.update(self._tasks[what], completed=done, total=total or None)

    def stop(self) -> None:
        """Leave the terminal to others."""
        self._progress.stop()

    def _line(self, what: str, done: int, total: int) -> None:
        tenth, now = done * 10 // total if total else 0, self._clock()
        told = self._told.get(what)
        if told is None or (told[0] != tenth and (done == total or now - told[1] >= LINE_SECONDS)):
            self._told[what] = tenth, now
            err.print(f"{what} {done}/{total}" if total else what, markup=False)


@contextmanager
def bars() -> Iterator[Bars]:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=err, transient=False, disable=not err.is_terminal) as progress:
        yield Bars(progress)
