"""What a search asks to have counted, and what it remembers of that."""

from __future__ import annotations

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge.search import SearchInput, search
from graphmem.knowledge.weighing import MAX_SIZE, Weighing
from graphmem.ranking import residual
from graphmem.runtime import Runtime
from graphmem.values import Tenant
from tests.client import Client
from tests.conftest import Settle
from tests.factories import note
from tests.operations import remember

QUESTION = "Who grows alders beside the river?"
NOTHING = {"pool": [], "hits": [], "counts": [], "nodes": None}


def test_words_are_counted_as_they_stand_and_held_by_their_stems(graph: Graph, tenant: Tenant) -> None:
    params = Weighing(graph, tenant, QUESTION).params(entities=True)
    assert params["stems"] == ["alder", "besid", "grow", "river"]
    words = [query.rpartition("searchContent:")[2].strip(")") for _, query in params["uncounted"]]
    assert words == ["alders", "beside", "grows", "river"]
    assert params["asked"] == " who grows alders beside the river "


def test_what_was_counted_is_not_asked_for_again(graph: Graph, tenant: Tenant) -> None:
    first = Weighing(graph, tenant, QUESTION)
    asked = first.params(entities=True)
    assert ([place for place, _ in asked["uncounted"]], asked["size"]) == ([0, 1, 2, 3], MAX_SIZE)
    gathered = {"pool": [["a", 1.0]], "hits": [[1]], "counts": [[0, 5], [2, 1], [3, 40]], "nodes": 100}
    question = first.question(gathered)
    assert (question.nodes, question.held) == (100, {"a": [1]})
    assert question.mass == [residual.idf(100, count) for count in (5, 0, 1, 40)]
    again = Weighing(graph, tenant, "the river of rivers and alder")
    asked = again.params(entities=True)
    assert ([asked["stems"][place] for place, _ in asked["uncounted"]], asked["size"]) == ([], 0)
    assert again.question(NOTHING).mass == [residual.idf(100, 5), residual.idf(100, 40)]


async def test_a_search_leaves_its_counts_to_the_next(
    runtime: Runtime, client: Client, tenant: Tenant, settle: Settle
) -> None:
    await remember(client, [note("a", "Black Alder", "A tree"), note("b", "River", "Beside it the Black Alder grows")])
    await settle()
    await search(runtime.graph, runtime.embedding, View(tenant), SearchInput(query=QUESTION))
    asked = Weighing(runtime.graph, tenant, QUESTION).params(entities=True)
    assert (asked["uncounted"], asked["size"]) == ([], 0)


def test_counts_are_of_one_tenant_and_one_graph(graph: Graph, tenant: Tenant) -> None:
    Weighing(graph, tenant, "river").question({**NOTHING, "counts": [[0, 5]], "nodes": 9})
    other = Graph(graph.driver, graph.settings, graph.statements)
    for elsewhere in (Weighing(graph, Tenant(f"{tenant} 2"), "river"), Weighing(other, tenant, "river")):
        asked = elsewhere.params(entities=True)
        assert (len(asked["uncounted"]), asked["size"]) == (1, MAX_SIZE)


def test_a_question_of_stop_words_weighs_nothing(graph: Graph, tenant: Tenant) -> None:
    weighing = Weighing(graph, tenant, "the and of")
    assert weighing.params(entities=True)["uncounted"] == []
    assert weighing.question(NOTHING).mass == []
