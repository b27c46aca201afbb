"""`rendered`: the days, and a beginning that stays."""

from __future__ import annotations

from typing import Any

from tests.client import Client
from tests.context.support import assistant, begin, counted, say, user
from tests.operations import context, remember, update_memory

NODE = """
  id title content type aliases source confidence band status resourceId tags metadata createdAt updatedAt validFrom
  validTo version relatedTo { id }
"""
NOTE = f"query ($id: ID!) {{ knowledge(id: $id) {{ {NODE} }} }}"
KNOWN = f"query ($thread: ID!) {{ context(input: {{threadId: $thread}}) {{ knowledge {{ node {{ {NODE} }} }} }} }}"
TURNS = 60
ONLY = ["RECENCY", "WORKING_MEMORY"]


async def test_each_message_says_its_day(client: Client) -> None:
    first = user("Monday.", "m1", speaker="Ann", createdAt="2026-03-01T23:30:00-05:00")
    await begin(client, "t1", first, assistant("Later.", "m2", createdAt="2026-04-02T10:00:00Z"))
    found = await context(client, "t1", message="And now?", tiers=ONLY)
    assert '<message role="user" speaker="Ann" seq="1" date="2026-03-02">\nMonday.' in found["rendered"]
    assert '<message role="assistant" seq="2" date="2026-04-02">\nLater.' in found["rendered"]
    assert '<message role="user">\nAnd now?' in found["rendered"]
    for one, text in zip(found["messages"], found["rendered"].split("<message ")[1:], strict=True):
        assert one["tokens"] == await counted("<message " + text.split("</message>\n")[0] + "</message>\n")
    await client.query('mutation { editMessage(id: "m1", text: "Tuesday.") { version } }')
    again = await context(client, "t1", message="And now?", tiers=ONLY)
    assert again["rendered"] == found["rendered"].replace("Monday", "Tuesday")


async def test_of_a_note_all_that_is_asked_for_is_told(client: Client) -> None:
    """Beside what is rendered of it, which is read anyway."""
    given = {
        "id": "roses", "title": "Roses", "content": "Roses need sun.", "type": "PROCEDURE", "aliases": ["Rosa"],
        "source": "CONVERSATION", "confidence": 0.75, "tags": ["garden"], "metadata": {"bed": 3},
        "validFrom": "2026-01-02T00:00:00Z", "connections": ["soil"],
    }  # fmt: skip
    await remember(client, [given, {"id": "soil", "title": "Soil", "content": "Earth."}])
    await begin(client, "t1", user("What do roses need?"))
    found = (await client.query(KNOWN, thread="t1"))["context"]["knowledge"]
    shown = {hit["node"]["id"]: hit["node"] for hit in found}
    assert shown["roses"] == (await client.query(NOTE, id="roses"))["knowledge"]


def prefix(found: Any) -> str:
    """What is before the end of the history; that grows."""
    return str(found["rendered"]).partition("</history>")[0]


async def test_the_beginning_of_a_growing_thread_changes_in_rare_steps_alone(client: Client) -> None:
    """By budget, from wide to tight: how many messages there are at least before the first step, and how many steps
    come at most. Half of what fits stays, so where few messages fit steps come every few messages, never each turn."""
    budgets = {4000: (20, 10), 600: (12, 14), 350: (4, 36)}
    had, starts = dict.fromkeys(budgets, ""), {budget: [1] for budget in budgets}
    await begin(client, "t1")
    await update_memory(client, resourceId="r1", merge={"plan": "pro"})
    for at in range(TURNS):
        await say(client, "t1", user(f"Question {at}: how is it done?"), assistant(f"Answer {at}: so it is done."))
        for budget, (least, _) in budgets.items():
            found = await context(client, "t1", message=f"And {at}?", tiers=ONLY, tokenBudget=budget)
            first, now, own = found["messages"][0]["seq"], prefix(found), starts[budget]
            assert found["tokens"] <= budget
            if first == own[-1]:
                assert now.startswith(had[budget]), (budget, at)
            else:
                assert first > own[-1]
                assert own[-1] > 1 or 2 * at >= least
                own.append(first)
            had[budget] = now
    assert starts[4000] == [1, *range(11, 2 * TURNS - 9, 10)]
    assert {budget: len(own) - 1 <= budgets[budget][1] for budget, own in starts.items()} == dict.fromkeys(
        budgets, True
    )
