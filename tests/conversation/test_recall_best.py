"""A recall reads the best candidates only; which come first doesn't hang on that."""

from __future__ import annotations

import random
from typing import Any

import pytest

from graphmem.conversation import recall as verb
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where
from graphmem.graph.gateway import Graph
from graphmem.runtime import Runtime
from graphmem.values import Role, Tenant, Warning, utc_now
from tests.conftest import Settle
from tests.conversation.support import said, thread
from tests.factories import principal

WORDS = ["river", "boat", "anchor", "harbour", "tide", "gull", "rope", "mast", "sail", "keel", "lamp", "chart"]
MESSAGES, A_CALL = 300, 100


async def test_the_first_hits_and_their_scores_are_those_of_all_candidates(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, draw = await thread(graph, tenant), random.Random(7)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(2, 9))) + draw.choice(".?") for _ in range(MESSAGES)]
    messages = [said(text, f"m{at}", speaker=draw.choice(["Ann", "Bob"])) for at, text in enumerate(texts)]
    for at in range(0, MESSAGES, A_CALL):
        await append_turn(graph, caller, "t1", messages[at : at + A_CALL])
    await settle()

    async def found(query: str, **more: Any) -> list[tuple[str, float]]:
        wanted = RecallInput(query, where=Where(resource="r1", **more), top_k=15)
        hits = (await recall(graph, runtime.embedding, principal(tenant), wanted)).hits
        return [(hit.message.id, pytest.approx(hit.rank.score)) for hit in hits]

    left_out = [f"m{at}" for at in range(0, MESSAGES, 3)]
    asked: list[tuple[str, dict[str, Any]]] = [
        *((" and ".join(draw.sample(WORDS, 3)), {}) for _ in range(8)),
        ("What did Bob say about the keel?", {}),
        ("to be or not to be", {}),
        ("boat and tide", {"exclude": left_out}),
        ("boat and tide", {"roles": [Role.USER], "until": utc_now()}),
    ]
    few = [await found(query, **more) for query, more in asked]
    assert all(len(hits) == 15 for hits in few)
    monkeypatch.setattr(verb, "BEST", 10 * MESSAGES)
    assert [await found(query, **more) for query, more in asked] == few
    monkeypatch.undo()
    monkeypatch.setattr(verb, "query_vector", without_vector)
    by_text = [await found(query, **more) for query, more in asked if query != "to be or not to be"]
    monkeypatch.setattr(verb, "BEST", 10 * MESSAGES)
    assert [await found(query, **more) for query, more in asked if query != "to be or not to be"] == by_text


async def without_vector(*_: object) -> tuple[None, list[Warning]]:
    return None, []
