"""A search without a working embedder: by text, and the answer says so."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from graphmem.embedding import Embedder
from graphmem.errors import Unavailable
from graphmem.runtime import Runtime
from tests import operations
from tests.api.serving import service
from tests.client import Client
from tests.conftest import Settle
from tests.context.support import assistant, begin, user
from tests.factories import arrow, ids, note, plants
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import loaded
from tests.operations import context, memory, recall, remember, search, update_memory


class Failing(HashingEmbedder):
    async def embed_query(self, text: str) -> list[float]:
        raise Unavailable("the embedder took longer than 10 s")


STATES: dict[str, Embedder | Unavailable | None] = {
    "missing": None,
    "not loaded": Unavailable("there is no model of that name"),
    "failing": Failing(),
    "of another dimension": HashingEmbedder(dimension=63),
}
Degraded = Callable[[Client, str], Any]


@pytest.fixture
def degraded(runtime: Runtime) -> Degraded:
    """The same service and key, with an embedder in one of the states above."""

    @asynccontextmanager
    async def opened(client: Client, state: str) -> AsyncIterator[Client]:
        async with loaded(runtime.services.settings, STATES[state]) as embedding:
            other = replace(runtime, services=replace(runtime.services, embedding=embedding))
            async with service(other) as http:
                changed = Client(http, None)
                changed.headers = client.headers
                yield changed

    return opened


@pytest.mark.parametrize("state", list(STATES))
async def test_a_search_goes_by_text_and_says_why(
    client: Client, settle: Settle, degraded: Degraded, state: str
) -> None:
    await remember(client, plants(3), [arrow("p0", "RELATED_TO", "p1")])
    await settle()
    async with degraded(client, state) as changed:
        found = await search(changed, "alder", topK=1)
        assert ids(found["hits"]) == ["p0", "p1"]
        assert found["hits"][0]["parts"]["vector"] == 0
        assert [warning["code"] for warning in found["warnings"]] == ["EMBEDDER_UNAVAILABLE"]
        assert "searched by text only" in found["warnings"][0]["message"]
        by_text = await search(changed, "alder", topK=1, mode="TEXT")
        assert (ids(by_text["hits"]), by_text["warnings"]) == (["p0", "p1"], [])
        error = await changed.error(operations.SEARCH, input={"query": "alder", "mode": "VECTOR"})
        assert error["code"] == "UNAVAILABLE"


@pytest.mark.parametrize("state", list(STATES))
async def test_a_vector_of_the_callers_own_needs_no_embedder(
    client: Client, settle: Settle, degraded: Degraded, state: str, embedder: HashingEmbedder
) -> None:
    await remember(client, plants(3))
    await settle()
    vector = await embedder.embed_query("Alder zero zero")
    async with degraded(client, state) as changed:
        found = await search(changed, mode="VECTOR", vector=vector, topK=1)
        assert (ids(found["hits"]), found["warnings"]) == (["p0"], [])
        error = await changed.error(operations.SEARCH, input={"query": "x", "vector": [*vector, 0.0]})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "vector")


@pytest.mark.parametrize("state", ["missing", "not loaded"])
async def test_everything_else_works_without_an_embedder(
    client: Client, settle: Settle, degraded: Degraded, state: str
) -> None:
    """R29: what is written meanwhile has its vector once there is an embedder of the graph's dimension."""
    async with degraded(client, state) as changed:
        done = await remember(changed, [note("a", "Tide tables"), note("b")], [arrow("a", "DEPENDS_ON", "b")])
        assert (done["created"], done["warnings"]) == (["a", "b"], [])
        assert ids((await operations.traverse(changed, "a"))["hits"]) == ["a", "b"]
        assert (await operations.update(changed, "a", {"content": "High water"}))["version"] == 2
        assert ids((await search(changed, "high water", mode="TEXT", expand=False))["hits"]) == ["a"]
    await settle()
    assert ids((await search(client, "high water", mode="VECTOR", topK=1, expand=False))["hits"]) == ["a"]
    assert await operations.audit(client, "missing_vectors") == []


MESSAGES = '{ messages(threadId: "t1") { nodes { id text } } }'


@pytest.mark.parametrize("state", ["missing", "not loaded"])
async def test_messages_and_working_memory_need_no_embedder_and_recall_says_that_there_is_none(
    client: Client, settle: Settle, degraded: Degraded, state: str
) -> None:
    """C51, C55: what is said meanwhile is found by text at once, and by its vector once there is an embedder."""
    async with degraded(client, state) as changed:
        await begin(changed, "t1", user("The garden has roses.", "m1"), assistant("Noted.", "m2"))
        page = (await changed.query(MESSAGES))["messages"]["nodes"]
        assert page == [{"id": "m1", "text": "The garden has roses."}, {"id": "m2", "text": "Noted."}]
        form = 'mutation { defineWorkingMemory(resourceId: "r1", template: "- Plan:\\n") { version } }'
        assert (await changed.query(form))["defineWorkingMemory"]["version"] == 1
        done = await update_memory(changed, resourceId="r1", merge={"Plan": "pro"}, sourceMessageId="m1")
        assert (done["changed"], done["memory"]["json"]) == (True, {"Plan": "pro"})
        assert (await memory(changed, threadId="t1"))["markdown"].strip() == "- Plan: pro"
        found = await recall(changed, "roses", resourceId="r1", topK=1)
        assert [(hit["message"]["id"], hit["similarity"]) for hit in found["hits"]] == [("m1", None)]
        assert [warning["code"] for warning in found["warnings"]] == ["EMBEDDER_UNAVAILABLE"]
        bundle = await context(changed, "t1", message="Which roses?")
        assert [one["text"] for one in bundle["messages"]] == ["The garden has roses.", "Noted.", "Which roses?"]
        assert [one["json"] for one in bundle["workingMemory"]] == [{"Plan": "pro"}]
        assert [warning["code"] for warning in bundle["warnings"]] == ["EMBEDDER_UNAVAILABLE"]
        assert bundle["embedCalls"] == 0
        quiet = await context(changed, "t1", message="Which roses?", tiers=["RECENCY", "WORKING_MEMORY"])
        assert (quiet["warnings"], len(quiet["messages"])) == ([], 3)
    await settle()
    found = await recall(client, "roses", resourceId="r1", topK=1)
    assert found["hits"][0]["similarity"] > 0
    assert found["warnings"] == []
