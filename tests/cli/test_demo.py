"""`graphmem demo` as a newcomer's machine runs it: the real embedder, a managed Neo4j, HTTP; first without a terminal,
then again, on what that left, in one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import psutil
import pytest
from neo4j import READ_ACCESS, GraphDatabase

from graphmem.cli.demo_tour import QUESTIONS
from graphmem.config import Settings
from graphmem.graph import local

IN_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "graphmem", "demo"])
"""
"""Takes the terminal that it is given, so that keys pressed there reach it as signals."""
CTRL_C = b"\x03"
AT_ONCE = 65536
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def environment(home: Path, **more: str) -> dict[str, str]:
    free = dict.fromkeys(("GRAPHMEM_BOLT_PORT", "GRAPHMEM_HTTP_PORT", "GRAPHMEM_PORT"), "0")
    return {**os.environ, "GRAPHMEM_HOME": str(home), **free, **more}


def without_a_terminal(home: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "graphmem", "demo"],
        env=environment(home),
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Terminal:
    """`process`, and what it has shown on its terminal, whose other end is `screen`."""

    def __init__(self, process: psutil.Popen, screen: int) -> None:
        self.process = process
        self.screen = screen
        self.shown = b""

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self.shown.decode(errors="replace")).replace("\r", "")

    def read(self) -> bool:
        """More of what it shows; False when it has ended and all is read."""
        try:
            more = os.read(self.screen, AT_ONCE)
        except OSError:  # as Linux says that nobody is at the other end any more
            more = b""
        self.shown += more
        return bool(more)

    def until(self, words: str) -> str:
        """What it has shown once these words stand there."""
        while words.encode() not in self.shown[-AT_ONCE - len(words) :]:
            assert self.read(), self.text
        return self.text

    def press(self, keys: bytes) -> None:
        os.write(self.screen, keys)

    def end(self) -> int:
        """Its exit status, once it has ended by itself."""
        while self.read():
            pass
        return int(self.process.wait())


@contextmanager
def in_a_terminal(home: Path) -> Iterator[Terminal]:
    screen, its = os.openpty()
    try:
        process = psutil.Popen(
            [sys.executable, "-c", IN_A_TERMINAL],
            env=environment(home, TERM="xterm-256color"),
            stdin=its, stdout=its, stderr=its, start_new_session=True,
        )  # fmt: skip
    finally:
        os.close(its)
    try:
        yield Terminal(process, screen)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(screen)


def depths(shown: str) -> list[str]:
    """Of the answers, in the order of the questions."""
    return re.findall(r"answer\s+\S+\s+depth (\d)", shown)


def told(shown: str, pattern: str) -> str:
    (found,) = re.findall(pattern, shown, re.MULTILINE)
    return str(found)


@pytest.mark.timeout(1200)
def test_the_demo_answers_over_edges_again_in_a_terminal_and_leaves_no_process(tmp_path: Path) -> None:
    """C77."""
    home = tmp_path / "home"
    try:
        first = without_a_terminal(home)
        assert f"{len(QUESTIONS)} of {len(QUESTIONS)} questions answered, 0 audit findings" in first
        answers = depths(first)
        assert len(answers) == len(QUESTIONS)
        assert sum(depth != "0" for depth in answers) >= 3
        assert "turn 220 knows turn 3, the enterprise plan, from: working memory" in first
        assert "turn 220 knows turn 3, the enterprise plan, from: recall\n" in first
        with in_a_terminal(home) as terminal:
            second = terminal.until("Ctrl-C stops everything.")
            assert re.search(r"notes: 0 created, 0 updated, \d+ unchanged, 0 archived", second)
            assert depths(second) == answers
            assert second.count("turn 220 knows turn 3") == 3
            serves_what_it_says(second)
            below = terminal.process.children(recursive=True)
            assert below, "Neo4j at least"
            terminal.press(CTRL_C)
            assert terminal.end() == 0, terminal.text
            assert [process for process in below if process.is_running()] == []
        left = [
            process
            for process in psutil.process_iter(["cmdline"])
            if str(home) in " ".join(process.info["cmdline"] or ())
        ]
        assert left == []
    finally:
        local.stop(Settings(home=home))


def serves_what_it_says(shown: str) -> None:
    """All addresses, the key and the login that stand there are good, and each line of Cypher has rows."""
    page, key = told(shown, r"^GraphiQL +(http://\S+)$"), told(shown, r"^API key +(gm_\S+)$")
    assert httpx.get(page).status_code == 200
    answer = httpx.post(
        page.replace("/graphiql", "/graphql"),
        json={"query": "{ me { scopes } }"},
        headers={"Authorization": f"Bearer {key}"},
        timeout=60,
    )
    assert answer.json() == {"data": {"me": {"scopes": ["ADMIN"]}}}
    browser = told(shown, r"^Neo4j Browser +(http://\S+)$")
    assert httpx.get(browser, follow_redirects=True, timeout=60).status_code == 200
    user, password = re.findall(r"^  user (\S+), password (\S+)$", shown, re.MULTILINE)[0]
    statements = re.findall(r"^  (CYPHER 25 .+)$", shown, re.MULTILINE)
    assert len(statements) == 3
    bolt = urlsplit(parse_qs(urlsplit(browser).query)["dbms"][0])
    with (
        GraphDatabase.driver(f"bolt://{bolt.hostname}:{bolt.port}", auth=(user, password)) as driver,
        driver.session(default_access_mode=READ_ACCESS) as session,
    ):
        for statement in statements:
            assert session.run(statement).peek() is not None, statement
