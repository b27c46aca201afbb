from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.conversation import vectors
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.recall import RecallInput, RecallResult, recall
from graphmem.conversation.recall_scope import RecallScope, Where
from graphmem.conversation.stage_messages import stage_messages
from graphmem.errors import Forbidden
from graphmem.graph import trips
from graphmem.graph.gateway import Graph
from graphmem.jobs import claim
from graphmem.runtime import Runtime
from graphmem.values import Role, Tenant
from tests.conftest import Settle
from tests.conversation.support import said, thread
from tests.factories import principal
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import loaded

DAY = timedelta(days=1)
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)

Ask = Callable[..., Awaitable[RecallResult]]


@pytest.fixture
def ask(graph: Graph, runtime: Runtime, tenant: Tenant) -> Ask:
    """Recalls from resource `r1`; what is no field of `RecallInput` is one of `Where`."""

    async def run(query: str, **more: Any) -> RecallResult:
        own = {name: more.pop(name) for name in list(more) if name in RecallInput.__slots__}
        where = Where(**{"resource": "r1", **more})
        wanted = RecallInput(query, where=where, **{"top_k": 20, **own})
        return await recall(graph, runtime.embedding, principal(tenant), wanted)

    return run


def ids(found: RecallResult) -> list[str]:
    return [hit.message.id for hit in found.hits]


async def days(graph: Graph, caller: Principal, *texts: str, uid: str = "t1") -> None:
    """A message a day, from Monday noon on: `uid.0`, `uid.1` …"""
    messages = [said(text, f"{uid}.{at}", created_at=MONDAY + at * DAY) for at, text in enumerate(texts)]
    await append_turn(graph, caller, uid, messages)


@pytest.mark.parametrize("embedded", [True, False])
async def test_a_window_of_time_filters_both_lists_before_the_best_are_chosen(
    graph: Graph, tenant: Tenant, settle: Settle, ask: Ask, embedded: bool
) -> None:
    caller = await thread(graph, tenant)
    await days(graph, caller, *(f"Swallows, day {at}." for at in range(5)))
    crowd = [said("Swallows!", created_at=MONDAY + timedelta(microseconds=at)) for at in range(1, 101)]
    for _ in range(2):
        await append_turn(graph, caller, "t1", crowd)
    if embedded:
        await settle()
    second = timedelta(seconds=1)
    for since, until, expected in (
        (MONDAY + DAY, MONDAY + 3 * DAY, ["t1.1", "t1.2"]),
        (MONDAY + DAY + second, MONDAY + 3 * DAY + second, ["t1.2", "t1.3"]),
        (MONDAY + 4 * DAY, None, ["t1.4"]),
        (MONDAY, MONDAY + timedelta(microseconds=1), ["t1.0"]),
        (None, MONDAY, []),
        (MONDAY + 5 * DAY, MONDAY + 9 * DAY, []),
    ):
        assert sorted(ids(await ask("swallows", since=since, until=until))) == expected


async def test_only_the_newest_sessions_are_looked_into(graph: Graph, tenant: Tenant, ask: Ask) -> None:
    caller = await thread(graph, tenant)
    for at in range(4):
        uid = f"t{at + 1}"
        if at:
            await create_thread(graph, caller, ThreadInput("r1", uid))
        await append_turn(graph, caller, uid, [said("Herons.", f"{uid}.0", created_at=MONDAY + at * DAY)])
    await create_thread(graph, caller, ThreadInput("r1", "empty"))
    assert sorted(ids(await ask("herons", last_sessions=2))) == ["t3.0", "t4.0"]
    assert sorted(ids(await ask("herons", last_sessions=2, thread="t4"))) == ["t2.0", "t3.0"]
    for question, inside in (
        ("What was said about herons in our last session?", ["t4.0"]),
        ("What was said about herons two sessions ago?", ["t3.0"]),
        ("What was said about herons in our first session?", ["t1.0"]),
    ):
        found = await ask(question)
        assert [hit.message.id for hit in found.hits if hit.rank.in_window] == inside == ids(found)[:1]
    before = await ask("What was said about herons in our last session?", thread="t4")
    assert ids(before)[0] == "t3.0"


async def test_time_words_are_seen_from_the_newest_message_or_from_now(graph: Graph, tenant: Tenant, ask: Ask) -> None:
    caller = await thread(graph, tenant)
    await days(graph, caller, "Plums.", "Plums.", "Plums.", "Plums.")
    found = await ask("What did I say about plums yesterday?")
    assert (found.now, ids(found)[0]) == (MONDAY + 3 * DAY, "t1.2")
    later = await ask("What did I say about plums yesterday?", now=MONDAY + 2 * DAY)
    assert (later.now, ids(later)[0]) == (MONDAY + 2 * DAY, "t1.1")
    assert [hit.message.id for hit in later.hits if hit.rank.in_window] == ["t1.1"]


async def test_who_is_meant_to_speak_is_told_by_roles(graph: Graph, tenant: Tenant, settle: Settle, ask: Ask) -> None:
    """What a tool or the system says is brought where it is asked for, and always shown around a hit."""
    caller = await thread(graph, tenant)
    roles = [Role.SYSTEM, Role.USER, Role.TOOL, Role.ASSISTANT]
    await append_turn(graph, caller, "t1", [said("Invoice 7 is paid.", str(role), role) for role in roles])
    for _ in range(2):
        found = await ask("invoice paid", before=5, after=5)
        assert sorted(ids(found)) == ["assistant", "user"]
        assert [message.id for one in found.ranges for message in one.messages] == [str(role) for role in roles]
        for role in roles:
            assert ids(await ask("invoice paid", roles=[role])) == [str(role)]
        await settle()


async def test_hits_below_the_threshold_are_left_out(
    graph: Graph, tenant: Tenant, settings: Settings, settle: Settle, ask: Ask
) -> None:
    caller = await thread(graph, tenant)
    texts = ["Bees make honey.", "Bees are insects, as ants and wasps and beetles are.", "A car."]
    await append_turn(graph, caller, "t1", [said(text, f"m{at}") for at, text in enumerate(texts)])
    await settle()
    found = await ask("user: bees make honey")
    likeness = {hit.message.id: hit.similarity for hit in found.hits}
    assert likeness["m0"] == pytest.approx(1.0)
    assert ids(await ask("user: bees make honey", threshold=0.9)) == ["m0"]
    await append_turn(graph, caller, "t1", [said("Bees make honey in May.", "new")])
    assert sorted(ids(await ask("user: bees make honey", threshold=0.9))) == ["m0", "new"]
    async with loaded(settings, None) as off:
        where = Where(resource="r1")
        found = await recall(graph, off, caller, RecallInput("bees make honey", where=where, threshold=0.9, top_k=9))
    assert {"m0", "m1", "new"} <= set(ids(found))
    assert [warning.code for warning in found.warnings] == ["EMBEDDER_UNAVAILABLE", "THRESHOLD_NOT_APPLIED"]


class Measured(HashingEmbedder):
    """The last word of a text is its cosine to the first axis."""

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        cosines = [float(text.rpartition(" ")[2]) for text in texts]
        return [[one, math.sqrt(1 - one * one), *[0.0] * 62] for one in cosines]


async def test_the_nearest_are_first_and_a_threshold_is_a_cosine(
    graph: Graph, tenant: Tenant, settings: Settings
) -> None:
    """B62, B70: a threshold of 0 bars nothing, and nothing is cut off without one."""
    cosines = ["0.98", "0.50", "0.10", "-0.30"]
    caller = principal(tenant)
    for cosine in cosines:
        await thread(graph, tenant, f"in {cosine}")
        await append_turn(graph, caller, f"in {cosine}", [said(f"Cosine {cosine}", cosine)])
    question: dict[str, Any] = {"vector": [1.0] + [0.0] * 63, "where": Where(resource="r1")}
    async with loaded(settings, Measured()) as embedding:
        for job in await claim(graph, [vectors.EMBED], limit=9, lease_seconds=600, tenant=tenant):
            await vectors.embed(graph, embedding, job)
        for threshold, top, count in ((None, 4, 4), (0.0, 50, 4), (0.0, 2, 2), (0.05, 4, 3), (0.4, 4, 2), (0.9, 4, 1)):
            wanted = RecallInput(**question, top_k=top, threshold=threshold)
            found = await recall(graph, embedding, caller, wanted)
            assert ids(found) == cosines[:count]
            assert [hit.similarity for hit in found.hits] == pytest.approx([float(one) for one in cosines[:count]])


async def test_every_piece_of_a_long_message_finds_it_once(
    graph: Graph, tenant: Tenant, settle: Settle, ask: Ask
) -> None:
    """R32: 100,000 characters are cut for their vectors, and the best piece counts."""
    caller = await thread(graph, tenant)
    long = "".join(f"Sentence number {at} is here to stay. " for at in range(4000))[:100_000]
    needle = "Zebras yawn quietly. "
    whole = f"{long[:60_000]} {needle * 20} {long[60_000:]}"
    await append_turn(graph, caller, "t1", [said(whole, "long"), said("Something else.", "short")])
    await settle()
    for window in ({}, {"since": MONDAY}, {"thread": "t1", "scope": RecallScope.THREAD}):
        found = await ask(needle, **window)
        (hit,) = [one for one in found.hits if one.message.id == "long"]
        assert hit.similarity is not None
        assert hit.similarity > 0.7
    alone = await ask("user: zebras yawn quietly", vector=await HashingEmbedder().embed_query(needle), exclude=["long"])
    assert ids(alone) == ["short"]


async def test_without_an_embedder_text_is_found_and_later_vectors_too(
    graph: Graph, tenant: Tenant, settings: Settings, settle: Settle, ask: Ask
) -> None:
    """C55: what was said before there was an embedder is searched by vector once it has been filled in."""
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("Our dog is called Rex.", "m0"), said("It rained.", "m1")])
    where = Where(resource="r1")
    async with loaded(settings, None) as off:
        found = await recall(graph, off, caller, RecallInput("name of the dog", where=where))
        assert (ids(found)[0], found.hits[0].similarity) == ("m0", None)
        assert [warning.code for warning in found.warnings] == ["EMBEDDER_UNAVAILABLE"]
        nothing = await recall(graph, off, caller, RecallInput("and the", where=where))
        assert [warning.code for warning in nothing.warnings] == ["EMBEDDER_UNAVAILABLE", "NOTHING_TO_LOOK_FOR"]
        assert nothing.hits == ()
    await vectors.TEXTS.backfill(graph)
    await settle()
    found = await ask("name of the dog")
    assert found.warnings == ()
    assert found.hits[0].similarity is not None


async def test_what_is_staged_is_recalled_by_nobody(graph: Graph, tenant: Tenant, settle: Settle, ask: Ask) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("Owls.", "m0")])
    await begin_turn(graph, caller, "t1", turn="u1")
    await stage_messages(graph, caller, "u1", [said("Owls, staged.", "m1")])
    await settle()
    found = await ask("owls", before=5, after=5)
    assert [message.id for one in found.ranges for message in one.messages] == ids(found) == ["m0"]


async def test_names_of_who_speaks_are_no_part_of_what_is_embedded(
    graph: Graph, tenant: Tenant, settings: Settings, embedder: HashingEmbedder
) -> None:
    """The question is embedded once, and beside the first trip where it seems to name nobody."""
    caller = await thread(graph, tenant)
    both = [said("I bought a boat.", "a", speaker="Ann"), said("I sold a boat.", "b", speaker="Bob")]
    await append_turn(graph, caller, "t1", both)
    asked: list[str] = []

    class Listening(HashingEmbedder):
        async def embed_query(self, text: str) -> list[float]:
            asked.append(text)
            return await super().embed_query(text)

    async with loaded(settings, Listening()) as embedding:
        for question in ("What boat did Bob have?", "which boat was it?", "which boat did bob have?"):
            with trips.count_trips() as counted:
                found = await recall(graph, embedding, caller, RecallInput(question, where=Where(resource="r1")))
            assert counted.count == 3
            assert found.warnings == ()
    assert asked == [
        "What boat did have?", "which boat was it?", "which boat did bob have?", "which boat did have?",
    ]  # fmt: skip


async def test_a_key_of_an_agent_recalls_that_agents_turns(graph: Graph, runtime: Runtime, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    for agent in ("a", "b"):
        await append_turn(graph, caller, "t1", [said("Coffee.", agent)], agent=agent)
    bound = principal(tenant, agent="a")
    assert ids(await recall(graph, runtime.embedding, bound, RecallInput("coffee", where=Where(resource="r1")))) == [
        "a"
    ]
    with pytest.raises(Forbidden):
        await recall(graph, runtime.embedding, bound, RecallInput("coffee", where=Where(resource="r1", agent="b")))


async def test_messages_of_the_first_and_the_last_day_are_found(graph: Graph, tenant: Tenant, ask: Ask) -> None:
    caller = await thread(graph, tenant)
    for uid, at in (("first", datetime(1, 1, 1, tzinfo=UTC)), ("last", datetime(9999, 12, 31, 23, tzinfo=UTC))):
        await append_turn(graph, caller, "t1", [said("Eons.", uid, created_at=at)])
        assert uid in ids(await ask("What did I say about eons yesterday?"))


async def test_a_resource_without_messages_has_nothing_to_recall(graph: Graph, tenant: Tenant, ask: Ask) -> None:
    await thread(graph, tenant)
    for where in ({}, {"resource": "r9"}, {"thread": "t1"}, {"thread": "t1", "scope": RecallScope.THREAD}):
        found = await ask("anything", **where)
        assert (found.hits, found.ranges) == ((), ())
