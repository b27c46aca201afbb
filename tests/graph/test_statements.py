from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphmem
from graphmem.graph.statements import Statement, StatementError, cypher_folder, load

HEADER = "// Answers.\n// params: none\n// returns: found\n// read\n"
PACKAGE = Path(graphmem.__file__).parent
CYPHER = re.compile(
    r"\b(?:MATCH|MERGE|UNWIND|FOREACH|CREATE|DELETE|CALL|SHOW|RETURN)\b\s*(?:[(\[{$*]|[a-zA-Z_]\w*(?:[.(:]|\s+AS\b))"
    r"|\b(?:CREATE|DROP|SHOW)\s(?:[A-Z]+\s)*(?:INDEX|INDEXES|CONSTRAINT|CONSTRAINTS|USER)\b"
)
SHOWN = {
    "cli/demo_tour.py": "lines that a user may paste into Neo4j Browser",
    "embedding/sample.py": "a text whose vector is compared",
}


def write(folder: Path, **files: str) -> Path:
    """A catalogue of files; `__` in a name stands for the folder's slash."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.cypher"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def one(folder: Path, text: str, **fragments: str) -> Statement:
    """The statement of a file `room/verb.cypher` beside these fragments."""
    write(folder, room__verb=text, **{f"fragments__{name}": text for name, text in fragments.items()})
    return load(folder)["room/verb"]


def test_a_file_is_a_statement_with_what_its_header_says(tmp_path: Path) -> None:
    header = "// Finds a node,\n// or not.\n// params: tenant, uid\n// returns: id, title\n// write\n"
    text = f"{header}MATCH (n {{a: $tenant, b: $uid}})\nRETURN 1;\n"
    assert one(tmp_path, text) == Statement(
        name="room/verb",
        about="Finds a node, or not.",
        params=frozenset({"tenant", "uid"}),
        returns=("id", "title"),
        kind="write",
        text="CYPHER 25\nMATCH (n {a: $tenant, b: $uid})\nRETURN 1",
    )


def test_the_version_stands_once_before_or_behind_the_header(tmp_path: Path) -> None:
    for text in (f"CYPHER 25\n{HEADER}RETURN 1", f"{HEADER}CYPHER 25\nRETURN 1", f"{HEADER}RETURN 1"):
        assert one(tmp_path, text).text == "CYPHER 25\nRETURN 1"


def test_a_generation_takes_the_place_of_its_mark(tmp_path: Path) -> None:
    statement = one(tmp_path, f"{HEADER}RETURN n.embedding_GENERATION, 'embedding_GENERATION'")
    assert statement.sent(12).endswith("RETURN n.embedding_12, 'embedding_12'")


def test_parameters_travel_as_one_map_so_that_their_sizes_make_no_new_plans(tmp_path: Path) -> None:
    text = f"{HEADER.replace('none', 'a, ab')}MATCH (n {{x: $a}})-[:$(n.y)]->() RETURN $ab + '$a' // $a"
    statement = one(tmp_path, text)
    assert statement.sent(1).endswith("MATCH (n {x: $p.a})-[:$(n.y)]->() RETURN $p.ab + '$a' // $a")
    assert statement.bound({"a": 1, "ab": 2}) == {"p": {"a": 1, "ab": 2}}


def test_a_schema_statement_keeps_its_plain_parameters(tmp_path: Path) -> None:
    statement = one(tmp_path, "// About.\n// params: a\n// returns: none\n// schema\nCREATE $a")
    assert statement.sent(1).endswith("CREATE $a")
    assert statement.bound({"a": 1}) == {"a": 1}


def test_fragments_are_put_in_as_often_as_they_are_used_and_within_each_other(tmp_path: Path) -> None:
    text = f"{HEADER.replace('none', 'a')}// use: outer\n  // use: inner\nRETURN 1"
    statement = one(tmp_path, text, outer="// About.\nBEGIN\n// use: inner\nEND;\n", inner="// About.\nWITH $a\n\n")
    assert statement.text == "CYPHER 25\nBEGIN\nWITH $a\nEND\nWITH $a\nRETURN 1"
    assert load(tmp_path).keys() == {"room/verb"}, "fragments are no statements"


@pytest.mark.parametrize(
    "code",
    [
        "RETURN '$b'", 'RETURN "$b"', "RETURN `$b`", "RETURN 1 // $b", "RETURN 1 /* $b\n$b */",
        r"RETURN 'it\'s $b'", "RETURN '// ', $a // $b", "MATCH ()-[:$(type)]-()",
    ],
)  # fmt: skip
def test_what_looks_like_a_parameter_in_a_text_or_comment_is_none(tmp_path: Path, code: str) -> None:
    assert one(tmp_path, f"{HEADER.replace('none', 'a')}WITH $a AS x\n{code}").params == {"a"}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("RETURN 1", 1, "`params:`"),
        ("", 1, "no statement below"),
        (HEADER, 4, "no statement below"),
        (f"{HEADER}// and on\n", 5, "no statement below"),
        (HEADER.replace("// Answers.\n", "") + "RETURN 1", 1, "what it answers"),
        (HEADER.replace("// params: none\n", "") + "RETURN 1", 1, "`params:`, and has 0"),
        (HEADER.replace("// returns: found\n", "") + "RETURN 1", 1, "`returns:`, and has 0"),
        (HEADER.replace("// read\n", "") + "RETURN 1", 1, "read, write, schema"),
        (HEADER.replace("// read", "// read\n// write") + "RETURN 1", 1, "read, write, schema"),
        (HEADER.replace("// read", "// params: a\n// read") + "RETURN 1", 1, "`params:`, and has 2"),
        (HEADER.replace("none", "a, a") + "RETURN $a", 2, "'a' is not a plain name, or stands twice"),
        (HEADER.replace("none", "$a") + "RETURN $a", 2, "'\\$a' is not a plain name"),
        (HEADER.replace("found", "a b") + "RETURN 1", 3, "'a b' is not a plain name"),
        (HEADER + "WITH 1 AS x\nRETURN $a", 6, "\\$a is used but not declared"),
        (HEADER + "WITH '\n' AS x, /*\n*/ 1 AS y\nRETURN $a", 8, "\\$a is used but not declared"),
        (HEADER.replace("none", "ab") + "RETURN $ab, $a", 5, "\\$a is used but not declared"),
        (HEADER.replace("none", "a, b") + "RETURN $a, '$b'", 2, "\\$b is declared in `params:` but not used"),
        (HEADER + "WITH 1 AS x\n// use: nowhere\nRETURN 1", 6, "there is no fragment nowhere"),
    ],
)
def test_a_fault_is_found_at_load_with_file_and_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    with pytest.raises(StatementError, match=rf"room/verb\.cypher:{line}: .*{what}"):
        one(tmp_path, text)


def test_a_fault_in_a_fragment_is_told_with_the_fragments_own_place(tmp_path: Path) -> None:
    with pytest.raises(StatementError, match=r"fragments/part\.cypher:3: \$a is used but not declared"):
        one(tmp_path, f"{HEADER}// use: part\nRETURN 1", part="// About.\nWITH 1 AS x\nWITH $a AS y")
    with pytest.raises(StatementError, match=r"fragments/part\.cypher:2: there is no fragment other"):
        one(tmp_path, f"{HEADER}// use: part\nRETURN 1", part="// About.\n// use: other")


@pytest.mark.parametrize(
    "fragments",
    [{"a": "// About.\n// use: a\n"}, {"a": "// About.\n// use: b\n", "b": "// About.\nWITH 1\n// use: a\n"}],
)
def test_a_fragment_that_includes_itself_is_refused(tmp_path: Path, fragments: dict[str, str]) -> None:
    with pytest.raises(StatementError, match=r"fragments/[ab]\.cypher:[23]: the fragment a includes itself"):
        one(tmp_path, f"{HEADER}// use: a\nRETURN 1", **fragments)


def test_audits_and_browser_files_run_as_they_stand() -> None:
    for path in [*cypher_folder().glob("audit/*.cypher"), *cypher_folder().glob("browser/*.cypher")]:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert next(line for line in lines if not line.startswith("//")) == "CYPHER 25", path
        assert "$" not in "\n".join(lines), path
        assert not any(re.match(r"\s*//\s*use:", line) for line in lines), path


def test_audits_tell_what_is_wrong_with_which_item() -> None:
    audits = [statement for name, statement in load().items() if name.startswith("audit/")]
    assert len(audits) >= 5
    for statement in audits:
        assert statement.returns == ("tenant", "id", "problem", "detail")
        assert statement.kind == "read"


def test_schema_statements_may_be_run_twice() -> None:
    schema = [statement for statement in load().values() if statement.kind == "schema"]
    migrations = {name: statement for name, statement in load().items() if name.startswith("migrations/")}
    filling = {name: statement for name, statement in migrations.items() if statement.kind == "write"}
    assert migrations.keys() - filling.keys() <= {statement.name for statement in schema}
    # What an older version left out is filled in where it is missing, made otherwise where it isn't yet, or taken away
    # where it is.
    assert [name for name, statement in filling.items() if not re.search(r" IS (NOT )?NULL| <> ", statement.text)] == []
    assert [statement.name for statement in schema if not re.search(r"IF (NOT )?EXISTS", statement.text)] == []


def test_every_statement_has_a_caller_and_every_name_called_a_statement() -> None:
    statements = {name for name in load() if not name.startswith(("audit/", "migrations/"))}
    rooms = {name.partition("/")[0] for name in statements}
    patterns = [re.compile(name) for name in called(rooms)]
    assert patterns
    assert [name for name in sorted(statements) if not any(each.fullmatch(name) for each in patterns)] == []
    names = [each for each in patterns if "/]" not in each.pattern]
    assert [each.pattern for each in names if not any(map(each.fullmatch, statements))] == []


def test_every_fragment_is_used() -> None:
    used = {
        name
        for path in cypher_folder().rglob("*.cypher")
        for name in re.findall(r"^\s*// use: (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert used == {path.stem for path in cypher_folder().glob("fragments/*.cypher")}


def test_there_is_no_cypher_in_python_but_what_is_shown_to_people() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for text in texts(path)
        if CYPHER.search(text)
    }
    assert found - {"graph/statements.py", "graph/migrate.py"} == SHOWN.keys()


@pytest.mark.parametrize(
    ("text", "is_cypher"),
    [
        ("MATCH (n) RETURN n", True), ("MERGE (n:Item {uid: $uid})", True), ("UNWIND $rows AS row", True),
        ("CREATE INDEX name IF NOT EXISTS", True), ("DETACH DELETE n.x", True), ("CALL db.awaitIndexes()", True),
        ("SHOW INDEXES YIELD name", True), ("DROP INDEX name", True), ("RETURN n.title", True),
        ("CREATE a key", False), ("CALL me", False), ("create (a thing)", False),
    ],
)  # fmt: skip
def test_the_search_for_cypher_knows_it(text: str, is_cypher: bool) -> None:
    assert bool(CYPHER.search(text)) == is_cypher


def texts(path: Path) -> Iterator[str]:
    """Every text in a module; of one with values in it the constant parts, joined."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)


def called(rooms: set[str]) -> Iterator[str]:
    """A pattern for each text in the package that names a statement; a value in it stands for any word, and at the
    beginning, before an ending, for any name."""
    name = re.compile(rf"(?:{'|'.join(sorted(rooms))})/[\w.+\\]+")
    ending = re.compile(r"\\w\+(_[a-z]+)")
    for path in PACKAGE.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        within = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            parts = node.values if isinstance(node, ast.JoinedStr) else [] if id(node) in within else [node]
            pattern = "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                for part in parts
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            if found := ending.fullmatch(pattern):
                yield rf"[\w/]+{found[1]}"
            if name.fullmatch(pattern):
                yield pattern
