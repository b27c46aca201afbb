"""Lines of tables, read without a graph."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.prepare import CSV, JSON_LINES
from graphmem.ingest.rows import MAX_LINE, BadRow, Row, read_rows
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import EdgeType, KnowledgeType, Source, Status


def rows(text: str, kind: str = CSV) -> list[Row | BadRow]:
    return list(read_rows(text, kind))


def values(text: str, kind: str = CSV) -> list[NodeInput | EdgeInput]:
    found = rows(text, kind)
    assert [row for row in found if isinstance(row, BadRow)] == []
    return [row.value for row in found if isinstance(row, Row)]


def problem(text: str, kind: str = CSV) -> tuple[int, str]:
    (bad,) = [row for row in rows(text, kind) if isinstance(row, BadRow)]
    return bad.line, bad.problem


FULL = NodeInput(
    "Otters", "They swim.\nThey dive.", id="otter", type=KnowledgeType.FACT, aliases=["lutra", "sea dog"],
    source=Source.CONVERSATION, confidence=0.75, resource="ann", tags=["a", "b"],
    metadata={"team": "red", "size": {"cm": 90}}, status=Status.DRAFT, created_at=datetime(2026, 1, 2, tzinfo=UTC),
    valid_from=datetime(2026, 1, 2, 3, tzinfo=UTC), valid_to=datetime(2027, 1, 2, tzinfo=UTC),
    connections=("pond", "river"),
)  # fmt: skip


def test_every_column_of_a_node_is_read() -> None:
    text = (
        "id,title,content,type,aliases,source,confidence,resourceId,tags,metadata,metadata.team,status,createdAt,"
        "validFrom,validTo,connections\r\n"
        'otter,Otters,"They swim.\r\nThey dive.",FACT,lutra; sea dog,conversation,0.75,ann,a;;b ,'
        '"{""size"": {""cm"": 90}}",red,Draft,2026-01-02T00:00:00Z,2026-01-02T04:00:00+01:00,2027-01-02T00:00:00Z,'
        "pond;river\r\n"
    )
    (found,) = values(text)
    assert found == FULL


def test_every_key_of_a_node_is_read() -> None:
    text = (
        '{"id": "otter", "title": "Otters", "content": "They swim.\\nThey dive.", "type": "fact", '
        '"aliases": ["lutra", "sea dog"], "source": "CONVERSATION", "confidence": 0.75, "resourceId": "ann", '
        '"tags": "a;b", "metadata": {"team": "red", "size": {"cm": 90}}, "status": "draft", '
        '"createdAt": "2026-01-02T00:00:00Z", "validFrom": "2026-01-02T03:00:00Z", '
        '"validTo": "2027-01-02T00:00:00Z", "connections": ["pond", "river"]}'
    )
    assert values(text, JSON_LINES) == [FULL]


def test_every_column_of_an_edge_is_read() -> None:
    head = "from,to,type,weight,confidence,source,reason,validFrom,validTo\n"
    (found,) = values(f"{head}a,b,depends_on,0.5,0.25,inferred,why not,2026-01-02T00:00:00Z,2027-01-02T00:00:00Z\n")
    assert found == EdgeInput(
        "a", "b", EdgeType.DEPENDS_ON, 0.5, 0.25, Source.INFERRED, "why not", datetime(2026, 1, 2, tzinfo=UTC),
        datetime(2027, 1, 2, tzinfo=UTC),
    )  # fmt: skip


def test_one_json_lines_file_may_hold_nodes_and_edges() -> None:
    text = (
        '{"title": "A", "content": "a", "id": "a"}\n'
        '{"kind": "node", "title": "B", "content": "b"}\n'
        '{"from": "a", "to": "b", "type": "RELATED_TO"}\n'
        '{"kind": "edge", "from": "b", "to": "a", "type": "CONFLICTS_WITH"}\n'
    )
    assert [type(value) for value in values(text, JSON_LINES)] == [NodeInput, NodeInput, EdgeInput, EdgeInput]


def test_a_blank_cell_is_not_stated_but_that_of_a_list_or_of_metadata_is_empty() -> None:
    (found,) = values("title,content,confidence,type,tags,metadata\nA,a,,,,\n")
    assert found == NodeInput("A", "a", tags=[], metadata={})
    assert values("title,content,metadata.x\nA,a,\n") == [NodeInput("A", "a", metadata={})]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_spreadsheets_delimiter_is_found(delimiter: str) -> None:
    text = '\ufefftitle,content,tags\nA,"a;b",x\n'.replace(",", delimiter)
    assert values(text) == [NodeInput("A", "a;b", tags=["x"])]


def test_lines_are_counted_as_an_editor_does() -> None:
    text = '\ntitle,content\nA,"1\n2\n3"\n\n , \nB,b,c\nC,c\n'
    found = rows(text)
    assert [row.line for row in found] == [3, 8, 9]
    assert found[1] == BadRow(8, "has 3 cells, and the header 2 columns")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "there is no header line"),
        ("titel,content\n", "line 1: column 'titel' is not known; there are title, content, id"),
        ("title\n", "line 1: column 'content' is missing"),
        ("title,content,title\n", "line 1: column 'title' stands twice"),
        ("from,type\n", "line 1: column 'to' is missing"),
        ("from,to,type,metadata.x\n", "column 'metadata.x' is not known"),
        ('title,content\nA,a\nB,"b\nC,c\n', "line 3: not CSV: unexpected end of data"),
        ('title,content\nA,"b" c\n', "line 2: not CSV"),
    ],
)
def test_a_csv_file_that_cannot_be_read_is_refused_with_line_and_column(text: str, match: str) -> None:
    with pytest.raises(InvalidInput, match=match):
        rows(text)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A,a,high,fact", "confidence: Input should be a valid number, unable to parse string as a number"),
        ("A,a,1,myth", "type: Input should be 'fact', 'concept', 'procedure' or 'decision'"),
        (",a,1,fact", "title: Field required"),
    ],
)
def test_a_bad_cell_is_told_with_line_and_column(line: str, told: str) -> None:
    assert problem(f"title,content,confidence,type\n{line}\nB,b,1,fact\n") == (2, told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"title": "A", "content": "a", "created": 1}', "'created' is not known; there are title, content, id"),
        ('{"title": "A"}', "content: Field required"),
        ('{"title": "A", "content": "a", "tags": [1]}', "tags.0: Input should be a valid string"),
        ('{"title": "A", "content": "a", "metadata": "[1]"}', "metadata: Input should be a valid dictionary"),
        ('{"title": "A", "content": "a", "metadata": "{"}', "metadata: not JSON"),
        ('{"title": "A", "content": "a", "validFrom": "2026-01-02T00:00:00"}', "validFrom: Input should have timezone"),
        ('{"kind": "thing"}', "kind: 'thing' is neither 'node' nor 'edge'"),
        ('{"from": "a", "to": "b", "type": "LIKES"}', "type: Input should be"),
        ("[1]", "is not a JSON object"),
        ('{"title": "A"} {"title": "B"}', "character 16: not JSON"),
        ('{"title": "A", "content": NaN}', "character 27: not JSON"),
        ("[" * 100_000, "character"),
    ],
)
def test_a_bad_line_of_json_is_told_with_its_key_or_place(line: str, told: str) -> None:
    number, found = problem(f'{{"title": "Z", "content": "z"}}\r\n\r\n{line}\n', JSON_LINES)
    assert number == 3
    assert found.startswith(told)


def test_a_line_of_json_that_was_cut_short_is_told_and_the_others_are_read() -> None:
    """B154."""
    text = '{"title": "A", "content": "one\u2028line"}\n \n{"title": "B", "con'
    whole, cut = rows(text, JSON_LINES)
    assert whole == Row(1, NodeInput("A", "one\u2028line"))
    assert isinstance(cut, BadRow)
    assert cut.line == 3
    assert cut.problem.endswith("(the last line is cut short)")


def test_a_line_of_a_megabyte_is_not_parsed() -> None:
    assert problem(f'{{"title": "{"x" * MAX_LINE}"}}', JSON_LINES)[1].endswith(f"at most {MAX_LINE}")


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r\n\r\n", "\n \n"])
def test_marks_and_ends_of_lines_do_not_matter(end: str) -> None:
    """B154: files put one behind the other too."""
    line = '{"id": "%s", "title": "A", "content": "one\u2028line"}'
    for newline in ("\n", "\r\n"):
        both = newline.join([line % "a", line % "b"])
        found = values(f"\ufeff{both}{newline}{line % 'c'}{end}", JSON_LINES)
        assert found == [NodeInput("A", "one\u2028line", id=uid) for uid in "abc"]
        table = newline.join(["\ufeffid,title,content", "a,A,one\u2028line", "b,A,one\u2028line"])
        assert values(table + end) == [NodeInput("A", "one\u2028line", id=uid) for uid in "ab"]


def test_two_objects_on_a_line_are_told_and_the_others_read() -> None:
    """B154: what comes of files put one behind the other when the first has no end of line."""
    line = '{"title": "A", "content": "a"}'
    first, both, last = rows(f"{line}\n{line}{line}\n{line}", JSON_LINES)
    assert first == Row(1, NodeInput("A", "a"))
    assert isinstance(both, BadRow)
    assert both.line == 2
    assert last == Row(3, NodeInput("A", "a"))
