from graphmem.graph.gateway import Graph


async def test_all_indexes_are_online_after_migrating(graph: Graph) -> None:
    rows = await graph.read("graph/indexes")
    assert {row["state"] for row in rows} == {"ONLINE"}
    assert {"item_uid", "knowledge_text", "knowledge_vector_1"} <= {row["name"] for row in rows}
