"""The budgets of CONTRIBUTING.md that no other tool holds. `python -m tests.house` tells what is over them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
FOLDERS = ("graphmem", "bench", "tests")
FILE_LINES = 300
FUNCTION_LINES = 40
MOCKS_A_TEST = 0.3

Function = ast.FunctionDef | ast.AsyncFunctionDef


def too_long(root: Path, *folders: str) -> Iterator[str]:
    """Files and functions."""
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.py")):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(root)
        if (lines := len(text.splitlines())) > FILE_LINES:
            yield f"{place} has {lines} lines; split it, {FILE_LINES} is the most"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, Function) and (lines := length(node)) > FUNCTION_LINES:
                yield f"{place}:{node.lineno} {node.name} has {lines} lines; {FUNCTION_LINES} is the most"


def length(function: Function) -> int:
    """Lines from `def` to the end, without the docstring."""
    told = function.body[0] if ast.get_docstring(function, clean=False) is not None else None
    return _lines(function) - (_lines(told) if told else 0)


def _lines(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def circles(*packages: str) -> Iterator[str]:
    """One circle of modules that import each other, if there is any; imports for types alone don't count."""
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        yield f"modules import each other in a circle: {' <- '.join(error.args[1])}"


def many_mocks(folder: Path) -> Iterator[str]:
    """Where there are more than so many for each test."""
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    tests = sum(len(re.findall(r"^ *(?:async )?def test_", text, re.MULTILINE)) for text in texts)
    mocks = sum(len(re.findall(r"\b(?:monkeypatch|mocker|mock)\.\w|\bMock\(", text)) for text in texts)
    if mocks > MOCKS_A_TEST * tests:
        yield f"{folder.name} has {mocks} mocks in {tests} tests; {MOCKS_A_TEST} a test is the most"


def main() -> int:
    over = [*too_long(ROOT, *FOLDERS), *circles("graphmem", "bench"), *many_mocks(ROOT / "tests")]
    print("\n".join(over) or "All budgets are kept.")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
