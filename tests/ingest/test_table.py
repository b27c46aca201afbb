"""Tables of nodes and edges in the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.errors import Conflict, Forbidden, IdempotencyConflict, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.ingest import check
from graphmem.ingest.document import ingest_document
from graphmem.ingest.files import Options, ingest_folder
from graphmem.ingest.rows import OnError
from graphmem.ingest.store import Ingested
from graphmem.knowledge.archive import archive
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.get import get
from graphmem.knowledge.link import link
from graphmem.knowledge.nodes import EdgeInput, Node
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.values import EdgeType, Scope, Tenant
from tests.client import Client
from tests.factories import node, principal
from tests.ingest.support import messages, stored, take_in

NODES = "id,title,content,tags\n" + "".join(f"n{at},Node {at},Text {at}.,a;b\n" for at in range(5))
EDGES = "from,to,type,weight\nn0,n1,RELATED_TO,0.5\nn1,n2,DEPENDS_ON,1\nn2,n3,CONFLICTS_WITH,1\nn3,n2,RELATED_TO,1\n"


def small(graph: Graph, **settings: Any) -> Graph:
    return Graph(graph.driver, graph.settings.model_copy(update=settings), graph.statements)


def fates(done: Ingested) -> dict[str, int]:
    counted = {name: len(getattr(done, name)) for name in ("created", "updated", "unchanged", "archived")}
    counted |= {name: getattr(done, name) for name in ("edges_created", "edges_closed", "pending", "skipped")}
    return {name: count for name, count in counted.items() if count}


async def read(graph: Graph, tenant: Tenant, uid: str) -> Node:
    return (await get(graph, View(tenant), [uid]))[uid]


async def test_nodes_and_edges_come_from_two_tables_in_any_order(graph: Graph, tenant: Tenant) -> None:
    assert fates(await take_in(graph, tenant, EDGES, "edges.csv")) == {"pending": 4}
    assert fates(await take_in(graph, tenant, NODES, "nodes.csv")) == {"created": 5, "edges_created": 4}
    found = await stored(graph, tenant)
    assert found.documents["nodes.csv"] == [f"n{at}" for at in range(5)]
    assert found.media == {"nodes.csv": "text/csv", "edges.csv": "text/csv"}
    assert set(found.links) == {("n0", "n1"), ("n3", "n2")}
    assert (await read(graph, tenant, "n0")).tags == ("a", "b")


async def test_the_same_table_again_changes_nothing_and_a_changed_one_what_changed(
    graph: Graph, tenant: Tenant
) -> None:
    await take_in(graph, tenant, NODES, "nodes.csv")
    await take_in(graph, tenant, EDGES, "edges.csv")
    assert fates(await take_in(graph, tenant, NODES, "nodes.csv")) == {"unchanged": 5}
    assert fates(await take_in(graph, tenant, EDGES, "edges.csv")) == {}
    changed = NODES.replace("Text 1.", "Other text.").replace("n4,Node 4,Text 4.,a;b\n", "n5,Node 5,Text 5.,\n")
    done = await take_in(graph, tenant, changed, "nodes.csv")
    assert fates(done) == {"created": 1, "updated": 1, "unchanged": 3, "archived": 1}
    assert (done.archived, done.updated) == (("n4",), ("n1",))
    fewer = "".join(line for line in EDGES.splitlines(keepends=True) if "CONFLICTS" not in line)
    assert fates(await take_in(graph, tenant, fewer, "edges.csv")) == {"edges_closed": 1}
    assert fates(await take_in(graph, tenant, NODES, "nodes.csv"))["updated"] == 2, "n4 has come back"
    assert (await stored(graph, tenant)).having("archived") == {"n5"}


async def test_a_table_again_says_row_by_row_what_it_does_to_what_was_changed_by_hand(
    graph: Graph, tenant: Tenant
) -> None:
    """B152: the table counts, and what it writes over stays in the history."""
    await take_in(graph, tenant, NODES, "nodes.csv")
    before = await stored(graph, tenant)
    assert fates(await take_in(graph, tenant, NODES, "nodes.csv")) == {"unchanged": 5}
    assert await stored(graph, tenant) == before
    await update(graph, principal(tenant), "n2", Patch(content="By hand."))
    done = await take_in(graph, tenant, NODES.replace("Text 1.", "Other text."), "nodes.csv")
    assert (done.updated, len(done.unchanged), done.created) == (("n1", "n2"), 3, ())
    assert (await read(graph, tenant, "n2")).content == "Text 2."
    assert (await stored(graph, tenant)).notes["n2"]["revisions"] == 2


async def test_edges_that_somebody_else_made_stay(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, NODES, "nodes.csv")
    await take_in(graph, tenant, EDGES, "edges.csv")
    await link(graph, principal(tenant), [EdgeInput("n0", "n4", EdgeType.RELATED_TO)])
    assert fates(await take_in(graph, tenant, "from,to,type\n", "edges.csv")) == {"edges_closed": 4}
    assert set((await stored(graph, tenant)).links) == {("n0", "n4")}


async def test_connections_make_edges_that_go_when_they_are_taken_out(graph: Graph, tenant: Tenant) -> None:
    lines = (
        '{"id": "a", "title": "A", "content": "a", "connections": ["b"]}\n{"id": "b", "title": "B", "content": "b"}\n'
    )
    assert fates(await take_in(graph, tenant, lines, "graph.jsonl")) == {"created": 2, "edges_created": 1}
    less = lines.replace(', "connections": ["b"]', "")
    assert fates(await take_in(graph, tenant, less, "graph.jsonl")) == {"unchanged": 2, "edges_closed": 1}


async def test_what_a_verb_took_out_of_use_is_not_brought_back(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("other")])
    await archive(graph, principal(tenant), "other")
    table = "id,title,content,status\nother,Other,other text,active\n"
    assert fates(await take_in(graph, tenant, table, "nodes.csv")) == {"updated": 1}
    assert (await read(graph, tenant, "other")).status == "archived"


async def test_a_row_without_an_id_is_found_by_its_text_and_comes_back_as_the_same_node(
    graph: Graph, tenant: Tenant
) -> None:
    one, both = "title,content\nA,a\n", "title,content\nA,a\nB,b\n"
    made = (await take_in(graph, tenant, both, "nodes.csv")).created
    assert fates(await take_in(graph, tenant, both, "nodes.csv")) == {"unchanged": 2}
    (gone,) = (await take_in(graph, tenant, one, "nodes.csv")).archived
    assert (await take_in(graph, tenant, both, "nodes.csv")).updated == (gone,)
    assert set((await stored(graph, tenant)).notes) == set(made)


async def test_one_bad_line_keeps_the_whole_table_out(graph: Graph, tenant: Tenant) -> None:
    bad = NODES + "n5,,no title,\nn6,Node 6,x\n"
    with pytest.raises(InvalidInput, match=r"nodes.csv, line 7: title: Field required; 1 more lines .*nothing was"):
        await take_in(small(graph, max_nodes=2), tenant, bad, "nodes.csv")
    assert (await stored(graph, tenant)).documents == {}


async def test_bad_lines_may_be_skipped_and_then_nothing_is_archived(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, NODES, "nodes.csv")
    bad = "id,title,content,confidence\nn0,Node 0,New.,\nn1,Node 1,New.,2\nn0,Again,x,\nn7,Node 7,New.,1\n"
    done = await take_in(graph, tenant, bad, "nodes.csv", on_error=OnError.SKIP)
    assert fates(done) == {"created": 1, "updated": 1, "skipped": 2}
    assert messages(done) == [
        "nodes.csv, line 3: confidence must be a number from 0 to 1, not 2.0",
        "nodes.csv, line 4: id: 'n0' stands in line 2 already",
    ]
    assert (await stored(graph, tenant)).having("archived") == set()


async def test_a_line_that_the_graph_refuses_is_named(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, "# Guide\n\ntext\n")
    document = (await take_in(graph, tenant, "# Guide\n\ntext\n")).document
    table = NODES + f"{document},Taken,text,\n"
    with pytest.raises(Conflict, match=r"nodes.csv, lines 2 to 7: line 7: .*in use.*the lines before them are kept"):
        await take_in(graph, tenant, table, "nodes.csv")
    done = await take_in(graph, tenant, table, "nodes.csv", on_error=OnError.SKIP)
    assert fates(done) == {"created": 5, "skipped": 1}
    assert messages(done)[-1].startswith("nodes.csv, line 7: id")


async def test_a_circle_in_a_table_is_refused_and_found_by_line_when_lines_are_skipped(
    graph: Graph, tenant: Tenant
) -> None:
    await take_in(graph, tenant, NODES, "nodes.csv")
    table = "from,to,type\nn0,n1,SUPERSEDES\nn1,n2,SUPERSEDES\nn2,n0,SUPERSEDES\nn3,n4,RELATED_TO\n"
    with pytest.raises(Conflict, match="circle"):
        await take_in(graph, tenant, table, "edges.csv")
    done = await take_in(graph, tenant, table, "edges.csv", on_error=OnError.SKIP)
    assert fates(done) == {"edges_created": 3, "skipped": 1}


async def test_a_table_larger_than_one_call_takes_goes_in_parts_of_few_trips(graph: Graph, tenant: Tenant) -> None:
    many = "id,title,content\n" + "".join(f"m{at},Many {at},Text {at}.\n" for at in range(500))
    parts = small(graph, max_nodes=100)
    with count_trips() as trips:
        assert fates(await take_in(parts, tenant, many, "nodes.csv")) == {"created": 500}
    assert trips.count < 500 / 5
    assert fates(await take_in(parts, tenant, "id,title,content\nm0,Many 0,Text 0.\n", "nodes.csv")) == {
        "unchanged": 1, "archived": 499,
    }  # fmt: skip


async def test_a_dry_run_of_a_table_tells_and_leaves_nothing(graph: Graph, tenant: Tenant) -> None:
    both = (
        '{"from": "a", "to": "b", "type": "RELATED_TO"}\n'
        '{"id": "a", "title": "A", "content": "a"}\n{"id": "b", "title": "B", "content": "b"}\n'
    )
    parts = small(graph, max_nodes=1)
    done = await take_in(parts, tenant, both, "graph.jsonl", dry_run=True)
    assert fates(done) == {"created": 2, "edges_created": 1}
    assert (await stored(graph, tenant)).documents == {}
    await take_in(graph, tenant, both, "graph.jsonl")
    done = await take_in(graph, tenant, both.splitlines()[1], "graph.jsonl", dry_run=True)
    assert (fates(done)["archived"], fates(done)["edges_closed"]) == (1, 1)
    assert fates(await take_in(graph, tenant, both, "graph.jsonl")) == {"unchanged": 2}


async def test_a_key_makes_a_repeated_table_answer_alike(graph: Graph, tenant: Tenant) -> None:
    first = await take_in(graph, tenant, NODES, "nodes.csv", idempotency_key="once")
    assert await take_in(graph, tenant, NODES, "nodes.csv", idempotency_key="once") == first
    with pytest.raises(IdempotencyConflict):
        await take_in(graph, tenant, EDGES, "nodes.csv", idempotency_key="once")


async def test_rows_about_customers_are_kept_apart(graph: Graph, tenant: Tenant) -> None:
    table = "id,title,content,resourceId\na,A,a,ann\nb,B,b,bob\n"
    assert fates(await take_in(graph, tenant, table, "nodes.csv")) == {"created": 2}
    notes = (await stored(graph, tenant)).notes
    assert {uid: note["resource"] for uid, note in notes.items()} == {"a": "ann", "b": "bob"}
    bound = principal(tenant, Scope.WRITE, resource="ann")
    with pytest.raises(Forbidden, match="line 3"):
        await ingest_document(graph, bound, table, "mine.csv")
    with pytest.raises(Forbidden):
        await ingest_document(graph, principal(tenant, Scope.READ), table, "mine.csv")


async def test_an_edge_stated_in_two_ways_is_refused(graph: Graph, tenant: Tenant) -> None:
    table = (
        "from,to,type,weight\na,b,CONFLICTS_WITH,1\nb,a,CONFLICTS_WITH,1\nb,a,CONFLICTS_WITH,0.5\na,a,RELATED_TO,1\n"
    )
    with pytest.raises(InvalidInput, match="line 4: the edge of line 2 with other properties; 1 more"):
        await take_in(graph, tenant, table, "edges.csv")


async def test_a_table_of_too_many_lines_is_refused(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "MAX_ROWS", 4)
    with pytest.raises(LimitExceeded, match=r"nodes\.csv, more than 4 lines"):
        await take_in(graph, tenant, NODES, "nodes.csv")


def test_what_is_kept_of_a_tables_edges_is_found_again() -> None:
    edges = {EdgeKey("a", "é 🦦", EdgeType.RELATED_TO), EdgeKey("b", "a", EdgeType.SUPERSEDES)}
    assert check.unpacked(check.packed(edges)) == edges


async def test_tables_of_a_folder_are_taken_by_name_and_once(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    for name, text in {"nodes.csv": NODES, "a/team.edges.csv": EDGES, "prices.csv": "x,y\n1,2\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    done = await ingest_folder(graph, principal(tenant), tmp_path)
    assert {file.path: fates(file) for file in done.files} == {
        "nodes.csv": {"created": 5}, "a/team.edges.csv": {"edges_created": 4},
    }  # fmt: skip
    with count_trips() as trips:
        again = await ingest_folder(graph, principal(tenant), tmp_path)
    assert (again.same, trips.count) == (2, 3)
    (tmp_path / "a" / "team.edges.csv").unlink()
    (tmp_path / "prices.csv").write_text("x,y\n")
    pruned = await ingest_folder(graph, principal(tenant), tmp_path, Options(prune=True))
    assert {file.path: fates(file) for file in pruned.files} == {
        "nodes.csv": {},
        "a/team.edges.csv": {"edges_closed": 4},
    }
    bad = await ingest_folder(graph, principal(tenant), tmp_path / "prices.csv")
    assert bad.failed[0][1].startswith("line 1: column 'x' is not known")


INGEST = """
mutation ($text: String!, $onError: OnError!) {
  ingestDocument(path: "team.csv", text: $text, onError: $onError) { created skipped warnings { code message } }
}
"""


async def test_over_graphql_a_table_is_taken_in(client: Client) -> None:
    text = "id,title,content\na,A,a\nb,,b\n"
    assert "line 3" in (await client.error(INGEST, text=text, onError="ABORT"))["field"]
    done = (await client.query(INGEST, text=text, onError="SKIP"))["ingestDocument"]
    assert (done["created"], done["skipped"]) == (["a"], 1)
    assert done["warnings"][0]["code"] == "LINE_SKIPPED"
