"""The house keeps its budgets, and what is over them is told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import house


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def function(lines: int, *docstring: str, indent: str = "") -> str:
    """One with so many lines besides the docstring, its signature among them."""
    signature = ["async def long(", "    given: int,", ") -> None:"]
    return "".join(f"{indent}{line}\n" for line in [*signature, *docstring, *["    given"] * (lines - 3)])


def test_the_house_keeps_its_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    assert (house.main(), capsys.readouterr().out) == (0, "All budgets are kept.\n")


def test_a_file_or_function_that_is_too_long_is_told_with_its_place(tmp_path: Path) -> None:
    functions = function(40, '    """Says', "", "    much.", '    """') + "class One:\n" + function(41, indent="    ")
    write(
        tmp_path,
        {
            "app/most.py": "x = 1\n" * 300,
            "app/deep/longer.py": "x = 1\n" * 301,
            "app/functions.py": functions,
            "elsewhere/longer.py": "x = 1\n" * 999,
        },
    )
    assert list(house.too_long(tmp_path, "app")) == [
        "app/deep/longer.py has 301 lines; split it, 300 is the most",
        "app/functions.py:46 long has 41 lines; 40 is the most",
    ]


def test_modules_that_import_each_other_in_a_circle_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        {
            "straight/__init__.py": "",
            "straight/one.py": "import straight.two",
            "straight/two.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import straight.one\n",
            "bent/__init__.py": "",
            "bent/one.py": "from bent import two",
            "bent/two.py": "from bent.three import x",
            "bent/three.py": "import bent.one\nx = 1",
            "bent/apart.py": "import bent.one",
        },
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert list(house.circles("straight")) == []
    (told,) = house.circles("bent")
    start, _, circle = told.partition(": ")
    assert start == "modules import each other in a circle"
    assert set(circle.split(" <- ")) == {"bent.one", "bent.two", "bent.three"}


def test_too_many_mocks_for_the_tests_are_told(tmp_path: Path) -> None:
    test, mock = "def test_one() -> None:\n    pass\n", "monkeypatch.setattr(a, 'b', c)\n"
    write(
        tmp_path,
        {
            "kept/test_a.py": test * 10 + mock * 3,
            "over/test_a.py": test * 10 + mock * 2,
            "over/deep/test_b.py": mock * 2,
        },
    )
    assert list(house.many_mocks(tmp_path / "kept")) == []
    assert list(house.many_mocks(tmp_path / "over")) == ["over has 4 mocks in 10 tests; 0.3 a test is the most"]
