from datetime import UTC, datetime

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.get import get
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import FOREVER, Band, KnowledgeType, Source, Status, Tenant, has_control
from tests.factories import node, principal
from tests.knowledge.support import set_status

HOSTILE = [
    "a\x00b",
    "line1\r\nline2\n",
    "tab\there",
    "\ufeffwith a mark",
    "he said \u202eשלום\u202c once",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \U0001f98a e\u0301",
    "\x01\x02\x1b[31m",
    "'; MATCH (n) DETACH DELETE n //",
    "` {$tenant} \\u0027 \\",
    "  kept  ",
    "a\u2028b\u2029c",
    "\x7f\x85x",
]


async def test_a_node_is_read_as_it_was_written(graph: Graph, tenant: Tenant) -> None:
    time = datetime(2024, 1, 15, 12, 30, 15, 123456, tzinfo=UTC)
    given = NodeInput(
        "Title", "Content", id="a", type=KnowledgeType.DECISION, aliases=["Al", "Bo"], source=Source.INFERRED,
        confidence=0.75, resource="r1", tags=["b", "a"], metadata={"deep": {"list": [1, 2.5, None, True, "é"]}},
        status=Status.DRAFT, created_at=time, valid_from=time, valid_to=datetime(2030, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    await remember(graph, principal(tenant), [given])
    stored = (await get(graph, View(tenant, ("r1",)), ["a"]))["a"]
    assert (stored.type, stored.aliases, stored.source) == (KnowledgeType.DECISION, ("Al", "Bo"), Source.INFERRED)
    assert (stored.confidence, stored.band, stored.resource) == (0.75, Band.MODERATE, "r1")
    assert (stored.tags, stored.metadata, stored.status) == (("a", "b"), given.metadata, Status.DRAFT)
    assert (stored.created_at, stored.valid_from, stored.valid_to) == (time, time, given.valid_to)
    assert stored.version == 1


async def test_what_is_left_out_has_its_default(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [NodeInput("Title", "Content", id="a")])
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.type, stored.source, stored.confidence) == (KnowledgeType.CONCEPT, Source.DOCS, 1.0)
    assert (stored.status, stored.resource, stored.valid_to) == (Status.ACTIVE, "*", FOREVER)
    assert stored.created_at == stored.updated_at == stored.valid_from


async def test_any_text_comes_back_as_it_is(graph: Graph, tenant: Tenant) -> None:
    """But ids and tags, which stand in lines, have no control characters."""
    texts = {text: "".join(sign for sign in text if not has_control(sign)) for text in HOSTILE}
    given = [
        NodeInput(
            f"{text}t", f"{text}c", id=f"{at}{name}i", aliases=[f"{text}a"], tags=[f"{name}g"], metadata={text: text}
        )
        for at, (text, name) in enumerate(texts.items())
    ]
    await remember(graph, principal(tenant), given)
    stored = await get(graph, View(tenant), [str(node.id) for node in given])
    for at, (text, name) in enumerate(texts.items()):
        found = stored[f"{at}{name}i"]
        assert (found.title, found.content) == (f"{text}t", f"{text}c")
        assert (found.aliases, found.tags, found.metadata) == ((f"{text}a",), (f"{name}g",), {text: text})


async def test_ids_that_look_alike_are_different_nodes(graph: Graph, tenant: Tenant) -> None:
    ids = [
        "a",
        "A",
        "a ",
        " a",
        "a/b",
        "a:b",
        "a.b",
        "a_b",
        "ａ",
        "é",
        "e\u0301",
        "🦊",
        "a\u200b",
        "0",
        "00",
        "*",
        "null",
    ]
    await remember(graph, principal(tenant), [node(uid, content=f"Says {at}") for at, uid in enumerate(ids)])
    stored = await get(graph, View(tenant), ids)
    assert [stored[uid].content for uid in ids] == [f"Says {at}" for at in range(len(ids))]


async def test_nodes_of_every_status_are_read_in_one_trip(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node(str(status)) for status in Status])
    for status in Status:
        await set_status(graph, tenant, str(status), str(status))
    with count_trips() as trips:
        stored = await get(graph, View(tenant), [*Status, *Status, "nowhere"])
    assert {uid: found.status for uid, found in stored.items()} == {str(status): status for status in Status}
    assert trips.count == 1


async def test_only_what_the_view_holds_is_read(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("shared"), node("one", resource="r1"), node("two", resource="r2")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs")])
    every = ["shared", "one", "two", "theirs"]
    assert set(await get(graph, View(tenant), every)) == {"shared"}
    assert set(await get(graph, View(tenant, ("r1",)), every)) == {"shared", "one"}
    assert set(await get(graph, View(tenant, ("r1", "r2")), every)) == {"shared", "one", "two"}
