"""What stays the same at the start of a context from turn to turn, so that prompt caches hit."""

from __future__ import annotations

from tests.client import Client
from tests.conftest import Settle
from tests.context.support import assistant, ids, say, talk, user
from tests.operations import context, update_memory


async def test_the_prefix_stays_until_something_in_it_changes(client: Client, settle: Settle) -> None:
    await talk(client, "t1", 3)
    await update_memory(client, resourceId="r1", merge={"plan": "pro"})
    await settle()

    async def prefix(text: str) -> str:
        return str((await context(client, "t1", message=text))["rendered"]).split("</history>")[0]

    had = await prefix("First?")
    for at in range(6):
        await say(client, "t1", user(f"More {at}?"), assistant(f"Yes {at}."))
        now = await prefix(f"Other words {at}?")
        assert now.startswith(had)
        assert len(now) > len(had)
        had = now
    await update_memory(client, resourceId="r1", merge={"plan": "enterprise"})
    assert not (await prefix("First?")).startswith(had[:200])


async def test_a_long_history_moves_its_start_in_steps(client: Client) -> None:
    await talk(client, "t1", 30)
    starts = []
    for at in range(12):
        found = await context(client, "t1", message="?", tiers=["RECENCY"])
        assert 11 <= len(ids(found)) - 1 <= 20
        starts.append(found["messages"][0]["seq"])
        await say(client, "t1", user(f"More {at}."))
    assert starts == [41, *[51] * 10, 61]
    exact = await context(client, "t1", message="?", recency={"lastMessages": 7})
    assert len(ids(exact)) == 8
