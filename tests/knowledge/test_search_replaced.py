"""What was superseded is found by its words, and its successor stands in its place."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.knowledge.listing import Filter
from graphmem.knowledge.retract import retract
from graphmem.knowledge.search import Mode
from graphmem.knowledge.supersede import supersede
from graphmem.values import KnowledgeType, Tenant
from tests.conftest import Settle
from tests.factories import node, principal
from tests.knowledge.support import hit, ids

OLD = ("old", "Nightly export", "The export runs as a cron job on the mail server")
NEW = ("new", "Data sync", "Records are streamed")
OTHERS = [
    node("a", "Cron syntax", "five fields"),
    node("b", "Postbox", "mail server quota"),
    node("c", "Lunch", "at noon"),
]
QUESTION = "cron export mail server"


@pytest.fixture
def replace(graph: Graph, tenant: Tenant, settle: Settle) -> Any:
    async def one(old: str, new: str) -> None:
        await supersede(graph, principal(tenant), old, new)
        await settle()

    return one


@pytest.mark.parametrize("mode", list(Mode))
async def test_a_successor_is_found_by_the_words_of_what_it_replaced(
    store: Any, find: Any, replace: Any, mode: Mode
) -> None:
    await store([node(*OLD), node(*NEW), *OTHERS])
    before = hit(await find(QUESTION, mode=mode, expand=False), "old").rank
    await replace("old", "new")
    found = await find(QUESTION, mode=mode, expand=False)
    assert ids(found)[0] == "new"
    assert "old" not in ids(found)
    rank = hit(found, "new").rank
    assert (rank.depth, rank.path, rank.replaces) == (0, (), ("old",))
    assert (rank.vector, rank.text) == pytest.approx((before.vector, before.text))
    assert {one.rank.replaces for one in found.hits[1:]} <= {()}


async def test_a_successor_keeps_its_own_score_where_that_is_larger(store: Any, find: Any, replace: Any) -> None:
    await store([node(*OLD), node(*NEW), *OTHERS])
    before = hit(await find("data sync streamed records export", expand=False), "new").rank
    await replace("old", "new")
    after = hit(await find("data sync streamed records export", expand=False), "new").rank
    assert after.score == pytest.approx(before.score)
    assert after.replaces == ("old",)


async def test_a_chain_leads_to_its_active_end(store: Any, find: Any, replace: Any) -> None:
    steps = [node(f"n{at}", f"Step {at}", str(at) * 3) for at in range(1, 4)]
    await store([node(*OLD), *steps, *OTHERS])
    for old, new in (("old", "n1"), ("n1", "n2"), ("n2", "n3")):
        await replace(old, new)
    found = await find(QUESTION, expand=False, mode=Mode.TEXT)
    assert ids(found)[0] == "n3"
    assert hit(found, "n3").rank.replaces == ("old",)


async def test_a_chain_that_ends_in_nothing_active_brings_nothing(
    store: Any, find: Any, replace: Any, graph: Graph, tenant: Tenant
) -> None:
    await store([node(*OLD), node(*NEW), *OTHERS])
    await replace("old", "new")
    await retract(graph, principal(tenant), "new", "wrong")
    assert set(ids(await find(QUESTION, expand=False, mode=Mode.TEXT))) == {"a", "b"}


async def test_former_versions_take_no_other_nodes_place(store: Any, find: Any, replace: Any) -> None:
    """The scores of those that are no heirs are as they were without any."""
    await store([node(*NEW), *OTHERS])
    before = {one.node.id: one.rank.score for one in (await find("fields quota", expand=False)).hits}
    await store([node(*OLD)])
    await replace("old", "new")
    after = {one.node.id: one.rank.score for one in (await find("fields quota", expand=False)).hits}
    assert {uid: after[uid] for uid in ("a", "b")} == pytest.approx({uid: before[uid] for uid in ("a", "b")})


async def test_a_successor_that_may_not_be_seen_is_not_brought(
    store: Any, find: Any, replace: Any, graph: Graph, tenant: Tenant
) -> None:
    await store([node(*OLD), node("new", "Data sync", "Records", resource="carol"), *OTHERS])
    await supersede(graph, principal(tenant), "old", "new", resource="carol")
    assert set(ids(await find(QUESTION, expand=False, mode=Mode.TEXT))) == {"a", "b"}


async def test_a_chain_through_a_node_that_may_not_be_seen_leads_nowhere(
    store: Any, find: Any, graph: Graph, tenant: Tenant
) -> None:
    await store([node(*OLD), node("mid", "Step", "hidden", resource="carol"), node(*NEW), *OTHERS])
    await supersede(graph, principal(tenant), "old", "mid", resource="carol")
    await supersede(graph, principal(tenant), "mid", "new", resource="carol")
    assert set(ids(await find(QUESTION, expand=False, mode=Mode.TEXT))) == {"a", "b"}


async def test_a_filter_holds_for_the_successor(store: Any, find: Any, replace: Any) -> None:
    facts = [node(uid, title, text, type=KnowledgeType.FACT, tags=["ops"]) for uid, title, text in (OLD,)]
    await store([*facts, node(*NEW, type=KnowledgeType.PROCEDURE, tags=["ops"]), *OTHERS])
    await replace("old", "new")
    assert "new" not in ids(await find(QUESTION, wanted=Filter(types=[KnowledgeType.FACT])))
    found = await find(QUESTION, wanted=Filter(tags=["ops"]))
    assert (ids(found), hit(found, "new").rank.replaces) == (["new"], ("old",))
