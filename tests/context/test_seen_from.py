"""What `yesterday` is seen from in a context: when the question is asked, whenever anything was said before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from graphmem.values import utc_now
from tests.client import Client
from tests.conftest import Settle
from tests.context.support import BEGIN, STAGE, begin, say, user
from tests.operations import context

QUESTION = "What did I say about plums yesterday?"


def ago(days: int) -> str:
    return (utc_now() - timedelta(days=days)).isoformat()


async def first_hit(client: Client, **more: Any) -> str:
    recall = {"topK": 1, "before": 0, "after": 0, **more.pop("recall", {})}
    found = await context(client, "t1", tiers=["RECALL"], recall=recall, **more)
    return str(found["recalled"][0]["hitIds"][0])


async def two_sessions(client: Client) -> None:
    """The last one three weeks ago, and one on the day before that. The last one is nearer to the question."""
    await begin(client, "first", user("Plums are no fruit that my aunts would ever eat.", "early", createdAt=ago(22)))
    await begin(client, "last", user("I say this about plums: what plums.", "late", createdAt=ago(21)))
    await begin(client, "t1")


async def test_a_customer_who_is_back_after_weeks_means_the_day_before_today(client: Client, settle: Settle) -> None:
    await two_sessions(client)
    await settle()
    assert await first_hit(client, message=QUESTION) == "late"
    assert await first_hit(client, message=QUESTION, recall={"now": ago(21)}) == "early"


async def test_a_staged_question_is_seen_from_when_it_was_asked(client: Client, settle: Settle) -> None:
    await two_sessions(client)
    await settle()
    for turn, when, found in (("u1", None, "late"), ("u2", ago(21), "early"), ("u3", "9998-01-01T00:00:00Z", "late")):
        await client.query(BEGIN, thread="t1", id=turn)
        await client.query(STAGE, id=turn, messages=[user(QUESTION, createdAt=when)])
        assert await first_hit(client, turnId=turn) == found, turn


async def test_a_stored_question_is_seen_from_when_it_was_asked(client: Client, settle: Settle) -> None:
    await two_sessions(client)
    await say(client, "t1", user(QUESTION, createdAt=ago(21)))
    await settle()
    assert await first_hit(client) == "early"
