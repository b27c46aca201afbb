from datetime import UTC, datetime

import pytest

from graphmem.access.changes import changes
from graphmem.access.view import View
from graphmem.errors import Conflict, IdempotencyConflict, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph
from graphmem.knowledge.get import get
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import EdgeType, KnowledgeType, Status, Tenant
from tests.factories import edge, node, principal
from tests.knowledge.support import counted, open_edges, set_status, stored_edges


async def test_nodes_are_created_updated_or_left_as_they_are(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    done = await remember(graph, who, [node("c"), node("b", content="New"), node("a")])
    assert done.ids == ("c", "b", "a")
    assert (done.created, done.updated, done.unchanged) == (("c",), ("b",), ("a",))
    stored = await get(graph, View(tenant), ["a", "b", "c"])
    assert {uid: found.version for uid, found in stored.items()} == {"a": 1, "b": 2, "c": 1}


async def test_a_node_without_an_id_is_found_again_by_its_text(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    first = await remember(graph, who, [NodeInput("Tides", "The moon makes them.")])
    again = await remember(graph, who, [NodeInput("Tides", "The moon makes them.", tags=["sea"])])
    assert again.ids == first.ids
    assert again.updated == first.ids
    other = await remember(graph, who, [NodeInput("Tides", "The sun helps.")])
    assert other.created == other.ids != first.ids


async def test_a_text_whose_node_was_edited_since_becomes_a_node_of_its_own(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    (uid,) = (await remember(graph, who, [NodeInput("Tides", "The moon makes them.")])).ids
    await remember(graph, who, [NodeInput("Tides", "The sun makes them.", id=uid)])
    first = await remember(graph, who, [NodeInput("Tides", "The moon makes them.")])
    assert first.created == first.ids != (uid,)
    assert (await remember(graph, who, [NodeInput("Tides", "The moon makes them.")])).unchanged == first.ids


async def test_what_is_not_stated_stays_as_it_is(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    stated = node("a", type=KnowledgeType.FACT, confidence=0.4, tags=["x"], aliases=["Al"], metadata={"k": 1})
    await remember(graph, who, [stated])
    await remember(graph, who, [node("a", content="New")])
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.type, stored.confidence, stored.tags, stored.aliases, stored.metadata) == (
        KnowledgeType.FACT, 0.4, ("x",), ("Al",), {"k": 1},
    )  # fmt: skip
    await remember(graph, who, [node("a", content="New", tags=[], aliases=[], metadata={})])
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.tags, stored.aliases, stored.metadata) == ((), (), {})


async def test_the_same_text_given_twice_in_a_call_keeps_what_both_say(graph: Graph, tenant: Tenant) -> None:
    text = {"title": "Tides", "content": "The moon makes them."}
    twice = [NodeInput(**text, id="a", type=KnowledgeType.FACT, tags=["sea"]), NodeInput(**text, confidence=0.3)]
    done = await remember(graph, principal(tenant), twice)
    assert (done.ids, done.created) == (("a", "a"), ("a",))
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.type, stored.tags, stored.confidence) == (KnowledgeType.FACT, ("sea",), 0.3)


async def test_one_id_twice_in_a_call_is_refused_with_both_rows(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(InvalidInput, match=r"nodes\[2\].id is the same as nodes\[0\].id"):
        await remember(graph, principal(tenant), [node("a"), node("b"), node("a", content="Else")])
    assert (await counted(graph, tenant))["nodes"] == 0


async def test_an_edge_that_is_stated_counts_more_than_a_plain_connection(graph: Graph, tenant: Tenant) -> None:
    stated = edge("a", EdgeType.RELATED_TO, "b", weight=0.3, reason="seen")
    await remember(graph, principal(tenant), [node("a", connections=["b"]), node("b")], [stated])
    stored = await stored_edges(graph, tenant, "a", "RELATED_TO", "b")
    assert [(one["weight"], one["reason"]) for one in stored] == [(0.3, "seen")]


async def test_a_plain_connection_leaves_the_edge_that_is_there_as_it_is(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [edge("a", EdgeType.RELATED_TO, "b", weight=0.3)])
    again = await remember(graph, who, [node("a", connections=["b", "b"])])
    assert (again.edges_created, again.edges_updated, again.edges_unchanged) == (0, 0, 1)
    assert (await stored_edges(graph, tenant, "a", "RELATED_TO", "b"))[0]["weight"] == 0.3


@pytest.mark.parametrize("connections", [["a"], ["b", "a"]])
async def test_a_connection_to_itself_is_refused(graph: Graph, tenant: Tenant, connections: list[str]) -> None:
    with pytest.raises(InvalidInput, match="to itself"):
        await remember(graph, principal(tenant), [node("a", connections=connections)])
    assert (await counted(graph, tenant))["nodes"] == 0


async def test_a_note_of_more_than_three_hundred_words_is_kept_and_warned_about(graph: Graph, tenant: Tenant) -> None:
    long = [node("short", content="word " * 300), node("long", content="word " * 301)]
    done = await remember(graph, principal(tenant), long)
    assert [(found.code, found.ids) for found in done.warnings] == [("OVER_LONG_NOTE", ("long",))]
    assert set(done.created) == {"short", "long"}


async def test_the_same_text_under_two_ids_is_kept_and_warned_about(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", "Tides", "The moon.")])
    done = await remember(graph, who, [node("b", "Tides", "The moon.")])
    assert [(found.code, set(found.ids)) for found in done.warnings] == [("EXACT_DUPLICATE", {"a", "b"})]
    about = await remember(graph, who, [node("c", "Tides", "The moon.", resource="r1")])
    assert about.warnings == ()


async def test_an_id_of_something_else_is_a_conflict_and_not_taken_over(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    entry = (await changes(graph, who)).items[0]
    with pytest.raises(Conflict, match=r"nodes\[1\].id"):
        await remember(graph, who, [node("b"), node(entry.id)])
    assert (await counted(graph, tenant))["nodes"] == 1


async def test_an_id_about_somebody_else_is_a_conflict_and_not_taken_over(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", content="Secret", resource="r1")])
    for given in (node("a"), node("a", resource="r2")):
        with pytest.raises(Conflict, match="in use elsewhere"):
            await remember(graph, who, [given])
    assert (await get(graph, View(tenant, ("r1",)), ["a"]))["a"].content == "Secret"


async def test_a_trial_run_tells_what_would_be_and_leaves_nothing(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    done = await remember(
        graph, who, [node("a"), node("b")], [edge("a", EdgeType.DEPENDS_ON, "ghost")], dry_run=True, idempotency_key="k"
    )
    assert (done.created, len(done.pending)) == (("a", "b"), 1)
    assert set((await counted(graph, tenant)).values()) == {0}
    assert (await remember(graph, who, [node("a"), node("b")], idempotency_key="k")).created == ("a", "b")


async def test_a_repeated_key_is_given_the_first_answer_and_another_input_is_refused(
    graph: Graph, tenant: Tenant
) -> None:
    who = principal(tenant)
    first = await remember(graph, who, [node("a")], idempotency_key="k")
    await remember(graph, who, [node("a", content="Changed since")])
    assert await remember(graph, who, [node("a")], idempotency_key="k") == first
    assert (await get(graph, View(tenant), ["a"]))["a"].content == "Changed since"
    with pytest.raises(IdempotencyConflict):
        await remember(graph, who, [node("a", content="Other")], idempotency_key="k")


async def test_a_node_never_ends_before_it_begins(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    past = datetime(2020, 1, 1, tzinfo=UTC)
    with pytest.raises(InvalidInput, match=r"nodes\[0\].validTo must be later than validFrom"):
        await remember(graph, who, [node("a", valid_to=past)])
    await remember(graph, who, [node("a", valid_from=datetime(2019, 1, 1, tzinfo=UTC), valid_to=past)])
    with pytest.raises(InvalidInput, match=r"nodes\[0\].validTo must be later than validFrom"):
        await remember(graph, who, [node("a", valid_from=datetime(2021, 1, 1, tzinfo=UTC))])
    assert (await get(graph, View(tenant), ["a"]))["a"].valid_to == past


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.RETRACTED, Status.ARCHIVED])
async def test_a_status_that_a_verb_gave_is_not_taken_away_by_remembering(
    graph: Graph, tenant: Tenant, status: Status
) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    await set_status(graph, tenant, "a", str(status))
    with pytest.raises(InvalidInput, match="restore it") as refused:
        await remember(graph, who, [node("a", status=Status.ACTIVE)])
    assert refused.value.field == "nodes[0].status"
    await remember(graph, who, [node("a", content="Corrected")])
    assert (await get(graph, View(tenant), ["a"]))["a"].status is status
    with pytest.raises(InvalidInput, match=r"nodes\[0\].status can be set to draft or active"):
        await remember(graph, who, [node("b", status=status)])


async def test_a_thousand_nodes_go_in_at_once_and_one_more_does_not(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    with pytest.raises(LimitExceeded, match="at most 1000") as refused:
        await remember(graph, who, [node(f"n{at}") for at in range(1001)])
    assert (refused.value.field, refused.value.details["limit"]) == ("nodes", "max_nodes")
    assert (await counted(graph, tenant))["nodes"] == 0
    done = await remember(graph, who, [node(f"n{at}") for at in range(1000)])
    assert len(done.created) == (await counted(graph, tenant))["nodes"] == 1000


@pytest.mark.parametrize("title", ["㌖" * 500, "ß" * 500, "ﷺ" * 500, "𝔸" * 500, "a" * 500])
async def test_a_title_that_is_far_longer_when_folded_is_kept(graph: Graph, tenant: Tenant, title: str) -> None:
    await remember(graph, principal(tenant), [node("a", title, aliases=[title[:256]])])
    assert (await get(graph, View(tenant), ["a"]))["a"].title == title


async def test_no_id_of_a_caller_is_one_that_the_house_keeps_for_itself(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [edge("a", EdgeType.SUPERSEDES, "b")])
    assert (await remember(graph, who, [node("lock:supersedes")])).created == ("lock:supersedes",)
    await remember(graph, who, [node("c")], [edge("b", EdgeType.SUPERSEDES, "c")])
    assert (await get(graph, View(tenant), ["lock:supersedes"]))["lock:supersedes"].version == 1
    assert await open_edges(graph, View(tenant), "b", EdgeType.SUPERSEDES) == [
        ("a", "SUPERSEDES", "b"), ("b", "SUPERSEDES", "c"),
    ]  # fmt: skip
