"""What narrows recall and search narrows a context, by the same means."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Settle
from tests.context.support import assistant, begin, hits, ids, say, user
from tests.factories import note
from tests.operations import context, recall, remember, search

ASKED = "What about the roses?"


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({}, {"a1", "b1", "b2"}),
        ({"metadata": {"project": "A"}}, {"a1"}),
        ({"metadata": {"project": "C"}}, set()),
        ({"agent": "gardener"}, {"a1"}),
        ({"roles": ["ASSISTANT"]}, {"b2"}),
        ({"since": "2026-01-15T00:00:00Z"}, {"b1", "b2"}),
        ({"until": "2026-01-15T00:00:00Z"}, {"a1"}),
        ({"lastSessions": 1}, {"b1", "b2"}),
        ({"threshold": 1}, set()),
    ],
)
async def test_a_context_recalls_as_narrowly_as_recall_does(
    client: Client, settle: Settle, narrowed: dict[str, Any], expected: set[str]
) -> None:
    """M-9, R19."""
    day = "2026-01-01T10:00:00Z"
    await begin(client, "a", metadata={"project": "A"})
    await say(client, "a", user("The roses are red.", "a1", createdAt=day), agent="gardener")
    day = "2026-02-01T10:00:00Z"
    await begin(client, "b", metadata={"project": "B"})
    said = (user("The roses are white.", "b1", createdAt=day), assistant("White roses.", "b2", createdAt=day))
    await say(client, "b", *said, agent="painter")
    await begin(client, "now", user("Good morning.", "n1"))
    await settle()
    shown = {"topK": 5, "before": 0, "after": 0, **narrowed}
    found = await context(client, "now", message=ASKED, recall=shown)
    assert hits(found) == expected
    alone = await recall(client, ASKED, threadId="now", excludeIds=[uid for uid in ids(found) if uid], **shown)
    assert hits({"recalled": alone["ranges"]}) == expected


@pytest.mark.parametrize(
    "narrowed",
    [
        {"types": ["PROCEDURE"]},
        {"sources": ["DECISION"]},
        {"band": "HIGH"},
        {"minConfidence": 0.8},
        {"tags": ["garden"]},
        {"metadata": {"project": "A"}},
    ],
)
async def test_a_context_looks_for_notes_as_narrowly_as_search_does(
    client: Client, settle: Settle, narrowed: dict[str, Any]
) -> None:
    own = {"type": "PROCEDURE", "source": "DECISION", "confidence": 0.9, "tags": ["garden"]}
    await remember(client, [
        note("k1", "Cutting", "Roses are cut in March.", metadata={"project": "A"}, **own),
        note("k2", "Painting", "Roses are painted.", metadata={"project": "B"}, confidence=0.6, tags=["art"]),
    ])  # fmt: skip
    await begin(client, "now")
    await settle()
    for given, expected in (({}, {"k1", "k2"}), (narrowed, {"k1"})):
        found = await context(client, "now", message=ASKED, knowledge=given)
        assert {hit["node"]["id"] for hit in found["knowledge"]} == expected
        alone = await search(client, ASKED, topK=3, limit=5, **given)
        assert {hit["node"]["id"] for hit in alone["hits"]} == expected
