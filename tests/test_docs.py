"""The documentation says what the code does: settings, error codes, capabilities, tests and links that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from graphql import GraphQLSchema, build_schema
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from graphmem.api import errors as api_errors
from graphmem.api.schema import make_schema
from graphmem.config import Settings
from graphmem.errors import GraphmemError
from graphmem.ingest.document import MARKDOWN, parse, prepare
from graphmem.ingest.front_matter import read_front_matter
from graphmem.ingest.links import Targets
from graphmem.ingest.split import MAX_WORDS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))


def rows(page: str) -> list[list[str]]:
    """The cells of every table row of a page, without head rows."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    heads = {at - 1 for at, line in enumerate(lines) if re.fullmatch(r"\|(-+\|)+", line)}
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for at, line in enumerate(lines)
        if line.startswith("| ") and at not in heads
    ]


def shown_default(field: FieldInfo) -> str:
    """The default as an environment variable would state it."""
    if field.default is PydanticUndefined:
        return "the user's cache folder"
    if field.default is None:
        return "unset"
    if isinstance(field.default, bool):
        return f"`{str(field.default).lower()}`"
    return f"`{'[]' if field.default == () else field.default}`"


def test_every_setting_stands_on_its_page_with_its_default_and_description() -> None:
    expected = [
        [f"`GRAPHMEM_{name.upper()}`", shown_default(field), field.description]
        for name, field in Settings.model_fields.items()
    ]
    assert rows("settings.md") == expected


def subclasses(kind: type[GraphmemError]) -> Iterator[type[GraphmemError]]:
    for below in kind.__subclasses__():
        if below.__module__ == GraphmemError.__module__:
            yield below
            yield from subclasses(below)


def test_every_error_code_stands_on_the_graphql_page_with_its_exit_status() -> None:
    expected = {kind.code: str(kind.exit_status) for kind in subclasses(GraphmemError)}
    expected |= dict.fromkeys((api_errors.PARSE_FAILED, api_errors.VALIDATION_FAILED, api_errors.INTERNAL), "")
    found = {row[0].strip("`"): row[2].strip(" |") for row in rows("graphql.md") if len(row) == 3}
    assert found == expected


def test_every_warning_code_stands_on_the_graphql_page() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "graphmem").rglob("*.py"))
    made = set(re.findall(r'\bWarning\(\s*"([A-Z_]+)"', source))
    told = {row[0].strip("`") for row in rows("graphql.md") if len(row) == 2}
    assert made == told


def test_every_audit_has_its_section() -> None:
    audits = sorted(path.stem for path in (ROOT / "cypher" / "audit").glob("*.cypher"))
    sections = (DOCS / "audits.md").read_text(encoding="utf-8").split("\n## ")[2:]
    told = [(section.partition("\n")[0], re.findall(r"`(\w+)`:", section)) for section in sections]
    assert sorted(name for _, names in told for name in names) == audits
    assert [title for title, names in told if len(names) != 1] == []


def docstrings(path: Path) -> dict[str, str]:
    """Names of a file's test functions, and what they say."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name: ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def is_tested(row: str, cell: str) -> bool:
    """`cell`: one or more of `file::test`, whose docstring has the row's number, or a file that has several such."""
    places = re.findall(r"`([^`]+)`", cell)
    return bool(places) and all(_is_named(row, *place.partition("::")[::2]) for place in places)


def _is_named(row: str, path: str, test: str) -> bool:
    if not (ROOT / path).is_file():
        return False
    naming = {name for name, text in docstrings(ROOT / path).items() if re.search(rf"\b{row}\b", text)}
    return test in naming if test else len(naming) > 1


def test_a_row_is_tested_by_a_test_that_names_it_and_by_no_other() -> None:
    here, there = "tests/test_docs.py", "tests/api/test_capabilities_knowledge.py"
    one = "test_nodes_are_read_back_as_given"
    assert is_tested("C01", f"`{there}::{one}`")
    assert is_tested("C08", f"`{there}`"), "several tests there name it"
    assert not is_tested("C01", f"`{there}`"), "one test does, and can be named"
    assert not is_tested("C02", f"`{there}::{one}`")
    assert not is_tested("C01", f"`{there}::{one}`, `{there}::test_nothing`")
    assert not is_tested("C01", f"`{here}`")
    assert not is_tested("C01", "`tests/test_nowhere.py`")
    assert not is_tested("C01", "")


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema(make_schema(Settings()).as_str())


def test_every_mutation_is_safe_to_repeat_and_to_try_as_the_pages_say(schema: GraphQLSchema) -> None:
    assert schema.mutation_type is not None
    fields = schema.mutation_type.fields
    assert [name for name, field in fields.items() if not {"idempotencyKey", "dryRun"} <= field.args.keys()] == []
    told = {name for row in rows("correcting.md") for name in re.findall(r"`(\w+)(?:\(.*\))?`", row[0])}
    verbs = (told & fields.keys()) | {"resolveConflict", "unmergeKnowledge", "deleteKnowledge"}
    assert len(verbs) == 7
    assert [name for name in verbs if "expectedVersion" not in fields[name].args] == []


def test_every_capability_listed_has_its_test_and_operations(schema: GraphQLSchema) -> None:
    assert schema.query_type is not None
    assert schema.mutation_type is not None
    operations = schema.query_type.fields.keys() | schema.mutation_type.fields.keys()
    listed = rows("capabilities.md")
    numbers = [row[0] for row in listed]
    assert len(numbers) == len(set(numbers))
    built = (*range(1, 18), 38, *range(44, 61), *range(69, 72), *range(73, 78))
    assert {f"C{number:02}" for number in built} <= set(numbers)
    assert [row[0] for row in listed if not is_tested(row[0], row[2])] == []
    assert {name for row in listed for name in re.findall(r"`(\w+)`", row[3])} <= operations


def test_every_public_report_listed_has_a_test_or_a_reason() -> None:
    listed = rows("public-reports.md")
    without = [row[0] for row in listed if not (row[3:] and row[3].strip(" |"))]
    assert [row[0] for row in listed if row[0] in without and not row[2].startswith("cannot occur")] == []
    tested = [row for row in listed if row[0] not in without]
    assert [row[0] for row in tested if not is_tested(row[0], row[3])] == []


def test_no_link_inside_the_documentation_leads_nowhere_and_every_section_is_an_atomic_note() -> None:
    texts = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    parsed = {name: parse(text, name) for name, text in texts.items()}
    keys = {note.key for document in parsed.values() for note in document.notes}
    targets = Targets(keys)
    lost = [
        warning.message
        for name, document in parsed.items()
        for warning in prepare(document, texts[name], name, MARKDOWN, None, targets).warnings
    ]
    sectionless = [
        f"{note.key}: {link.target}"
        for document in parsed.values()
        for note in document.notes
        for link in note.links
        if link.target not in keys
    ]
    assert (lost, sectionless) == ([], [])
    assert [key for key in keys if "~" in key] == [], f"sections of more than {MAX_WORDS} words"


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_record_has_its_parts_in_a_page(path: Path) -> None:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    front = read_front_matter(head)
    assert isinstance(front, dict)
    title, *sections = re.findall(r"^#+ (.*)$", body, re.MULTILINE)
    assert (front["title"], front["status"]) == (title, "active")
    assert date.fromisoformat(str(front["date"]))
    assert sections == ["Context", "Decision", "Consequences"]
    assert 120 <= len(body.split()) <= 250


def test_decision_records_are_numbered_without_gaps() -> None:
    assert [path.name[:4] for path in DECISIONS] == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]
