from __future__ import annotations

import pytest

from graphmem.config import Settings
from graphmem.conversation import vectors
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.get import messages_by_id
from graphmem.conversation.messages import Part
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.jobs import claim, jobs
from graphmem.jobs import embedding as frame
from graphmem.values import PartType, Tenant, utc_now
from tests.conftest import Settle
from tests.conversation.support import call, parts, probing, queued, said, thread
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import loaded


async def embedded(graph: Graph, tenant: Tenant) -> list[Row]:
    return await probing(graph).read("probe/embedded", tenant=tenant, thread="t1")


async def test_messages_have_vectors_of_who_said_what(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await thread(graph, tenant)
    picture = Part(PartType.FILE, uri="https://files.example/1", caption="A red   fox.")
    messages = [
        said("Where  is it?", speaker="Ann"), parts(Part(PartType.TEXT, text="Here."), picture), parts(call("c1")),
    ]  # fmt: skip
    await append_turn(graph, caller, "t1", messages)
    await settle()
    rows = await embedded(graph, tenant)
    assert [row["embeddedText"] for row in rows] == ["Ann: Where is it?", "assistant: Here. A red fox.", None]
    assert [row["dimension"] for row in rows] == [graph.dimension, graph.dimension, None]


async def test_a_very_long_message_is_stored_whole_and_cut_for_its_vectors(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    caller = await thread(graph, tenant)
    long = "".join(f"Sentence number {at} is here to stay. " for at in range(4000))[:100_000]
    await append_turn(graph, caller, "t1", [said(long, "m0"), said("Short.", "m1")])
    await settle()
    assert (await messages_by_id(graph, caller, ["m0"]))["m0"].content == long
    rows = await embedded(graph, tenant)
    assert rows[0]["pieces"] > 80
    assert (rows[0]["dimension"], rows[1]["pieces"]) == (graph.dimension, 0)


async def test_a_job_that_comes_late_embeds_what_is_said_by_then_once(
    graph: Graph, tenant: Tenant, settle: Settle, embedder: HashingEmbedder
) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("first words", "m0")])
    await edit_message(graph, caller, "m0", [Part(PartType.TEXT, text="last words")])
    calls = embedder.calls
    await settle()
    assert [row["embeddedText"] for row in await embedded(graph, tenant)] == ["user: last words"]
    assert embedder.calls == calls + 1


async def test_without_an_embedder_texts_wait_for_one(
    graph: Graph, tenant: Tenant, settings: Settings, embedder: HashingEmbedder
) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("words", "m0")])
    (job,) = await claim(graph, [vectors.EMBED], limit=5, lease_seconds=60, tenant=tenant)
    async with loaded(settings, None) as loading:
        assert "skipped" in await vectors.embed(graph, loading, job)
    async with loaded(settings, HashingEmbedder(dimension=3)) as loading:
        with pytest.raises(Unavailable, match="not to be trusted"):
            await vectors.embed(graph, loading, job)
    assert [row["dimension"] for row in await embedded(graph, tenant)] == [None]
    await vectors.TEXTS.backfill(graph)
    assert await queued(graph, tenant, vectors.EMBED) == ["m0", "m0"]
    waiting = (await jobs(graph, tenant, kinds=[vectors.EMBED], states=["ready"])).items
    async with loaded(settings, embedder) as loading:
        for one in waiting:
            assert await vectors.embed(graph, loading, one) == {"embedded": 1}
    assert [row["dimension"] for row in await embedded(graph, tenant)] == [graph.dimension]


async def test_what_lacks_a_vector_is_found_once_some_messages_a_time(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a part ends within a thread, between two, or between tenants."""
    monkeypatch.setattr(frame, "LOOKED_AT", 10)
    expected: dict[str, list[str]] = {}
    for whose in (tenant, Tenant(f"{tenant} 2"), Tenant(f"{tenant} 3")):
        for number, size in enumerate((9, 11, 1)):
            who = await thread(graph, whose, f"t{number}")
            given = [said("words", f"{number} {at}") for at in range(size)]
            await append_turn(graph, who, f"t{number}", given)
            expected.setdefault(whose, []).extend(message.id or "" for message in given)
    found: dict[str, list[str]] = {}
    for row in await vectors.TEXTS.unembedded(graph, utc_now()):
        found.setdefault(row["tenant"], []).extend(row["ids"])
        assert row["settled"] == len(row["ids"])
    assert {whose: sorted(found[whose]) for whose in expected} == {one: sorted(ids) for one, ids in expected.items()}
