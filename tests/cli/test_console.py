from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import orjson
import pytest
import structlog
from rich.console import Console
from rich.progress import Progress

from graphmem.cli import console


@pytest.mark.parametrize("columns", [20, 60, 200])
def test_a_terminal_that_is_too_narrow_for_a_line_gets_a_paragraph_each(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    written = io.StringIO()
    terminal = Console(file=written, force_terminal=True, color_system=None, width=columns, soft_wrap=True)
    monkeypatch.setattr(console, "out", terminal)
    rows = [{"id": "abcdefghij" * 3, "title": f"some words {at}", "none": None} for at in range(2)]
    console.show(rows, False, rows)
    narrow = [f"id: {rows[0]['id']}", "title: some words 0", "", f"id: {rows[1]['id']}", "title: some words 1", ""]
    wide = [f"id{' ' * 30}title         none", *(f"{row['id']}  {row['title']}" for row in rows)]
    assert written.getvalue().splitlines() == (narrow if columns == 20 else wide)


def test_into_a_pipe_a_row_is_a_line_however_long_and_columns_stand_below_one_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [{"id": "x" * 300, "n": 1}, {"id": "漢字", "n": 22}]
    console.show(rows, False, rows)
    assert capsys.readouterr().out.splitlines() == [
        f"id{' ' * 298}  n",
        f"{'x' * 300}  1",
        f"漢字{' ' * 296}  22",
    ]


@pytest.mark.parametrize(
    ("value", "rows", "shown"),
    [
        ({"a": 1, "b": "x\x1b[0m"}, None, "a: 1\nb: x\\x1b[0m\n"),
        ("plain [bold] :smile:", None, "plain [bold] :smile:\n"),
        (None, [], ""),
    ],
)
def test_what_is_no_table_is_shown_line_by_line(
    capsys: pytest.CaptureFixture[str], value: object, rows: list[dict[str, object]] | None, shown: str
) -> None:
    console.show(value, False, rows)
    assert capsys.readouterr().out == shown


def test_control_characters_are_spelled_out_and_all_else_is_kept() -> None:
    kept = "a\tb\nc é🚀ש"
    assert console.printable(kept + "\x1b[1m\x9b\r\x00") == kept + "\\x1b[1m\\x9b\\r\\x00"
    assert console.in_line(kept + "\u2028\u202e\u2066") == "a\\tb\\nc é🚀ש\\u2028\\u202e\\u2066"


def test_a_row_is_a_line_whatever_stands_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "one\ntwo\r\x1b[2J\x9b31m\u2028\u202e"
    row = {"id": hostile, "detail": "x"}
    console.show([row], False, [row])
    console.show({"id": hostile}, False)
    console.say(hostile)
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert len(said.err.splitlines()) == 1
    assert not any(sign in said.out + said.err for sign in "\r\x1b\x9b\u2028\u202e")


def test_json_says_the_same_and_steers_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    value = [{"id": "é\x1b\x7f\x9b\u2028\u202e\n"}]
    console.show(value, True)
    out = capsys.readouterr().out
    assert orjson.loads(out) == value
    assert not any(sign in out for sign in "\x1b\x7f\x9b\u2028\u202e")


@pytest.mark.parametrize(
    ("step", "told"), [(0.0, [1, 100]), (0.25, [1, 21, 41, 61, 81, 100]), (1.0, [1, *range(10, 101, 10)])]
)
def test_progress_into_a_pipe_is_a_line_a_tenth_and_a_line_in_some_seconds_at_most(
    capsys: pytest.CaptureFixture[str], step: float, told: list[int]
) -> None:
    now = 0.0
    bars = console.Bars(Progress(disable=True), lambda: now)
    for done in range(1, 101):
        bars("Ingesting [files]", done, 100)
        now += step
    bars("Making vectors", 0, 0)
    bars("Making vectors", 0, 0)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [*(f"Ingesting [files] {done}/100" for done in told), "Making vectors"]


@pytest.fixture
def root_logging() -> Iterator[None]:
    """The root logger and structlog are put back as they were."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_to_somebody_who_waits_warnings_are_told_in_words(
    capsys: pytest.CaptureFixture[str], root_logging: None
) -> None:
    console.log_in_words("warning", slow=False)
    log = structlog.get_logger()
    log.info("nothing to tell")
    log.warning("slow statement", ms=900)
    log.warning("attempt failed", kind="x\ny", reason=None)
    logging.getLogger("neo4j.pool").warning("lost %s connections", 2)
    try:
        raise ValueError("odd")
    except ValueError:
        log.warning("not loaded", exc_info=True)
        log.exception("a bug")
    lines = capsys.readouterr().err.splitlines()
    assert lines[:4] == [
        "warning: attempt failed (kind x\\ny)",
        "warning: lost 2 connections (logger neo4j.pool)",
        "warning: not loaded",
        "error: a bug",
    ]
    assert lines[-1] == "ValueError: odd"
    console.log_in_words("warning", slow=True)
    structlog.get_logger().warning("slow statement", ms=900)
    assert capsys.readouterr().err == "warning: slow statement (ms 900)\n"


def test_what_a_library_logs_is_a_json_line_too(capsys: pytest.CaptureFixture[str], root_logging: None) -> None:
    console.configure_logging("info")
    library = logging.getLogger("neo4j.pool")
    library.info("nothing to tell")
    library.warning("lost %s connections", 2)
    said = capsys.readouterr()
    assert said.out == ""
    line = orjson.loads(said.err)
    assert (line["logger"], line["level"], line["event"]) == ("neo4j.pool", "warning", "lost 2 connections")
