"""`graphmem demo` as a newcomer's machine runs it: the real embedder, a managed Neo4j, HTTP; without a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from graphmem.cli.demo import QUESTIONS


def demo(home: Path) -> str:
    env = {
        **os.environ,
        "GRAPHMEM_HOME": str(home),
        "GRAPHMEM_BOLT_PORT": "0",
        "GRAPHMEM_HTTP_PORT": "0",
        "GRAPHMEM_PORT": "0",
        "GRAPHMEM_BROWSER": "false",
    }
    done = subprocess.run(
        [sys.executable, "-m", "graphmem", "demo"], env=env, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(1200)
def test_the_demo_answers_over_edges_doubles_nothing_and_leaves_no_process(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = demo(home)
    assert f"{len(QUESTIONS)} of {len(QUESTIONS)} questions answered, 0 audit findings" in first
    answers = re.findall(r"answer\s+\S+\s+depth (\d)", first)
    assert len(answers) == len(QUESTIONS)
    assert sum(depth != "0" for depth in answers) >= 3
    assert "turn 220 knows turn 3, the enterprise plan, from: working memory" in first
    assert "turn 220 knows turn 3, the enterprise plan, from: recall\n" in first
    second = demo(home)
    assert re.search(r"notes: 0 created, 0 updated, \d+ unchanged, 0 archived", second)
    assert re.findall(r"answer\s+\S+\s+depth (\d)", second) == answers
    assert second.count("turn 220 knows turn 3") == 3
    left = [
        process for process in psutil.process_iter(["cmdline"]) if str(home) in " ".join(process.info["cmdline"] or ())
    ]
    assert left == []
