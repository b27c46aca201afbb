"""The second part of `graphmem demo`: a support case told over four weeks, and what a context makes of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import yaml
from rich.markup import escape

from graphmem.cli import console
from graphmem.errors import Unavailable
from graphmem.runtime import Runtime
from graphmem.values import Tenant

TURNS = 220
CUSTOMER, STRANGER = "demo-northwind", "demo-northwind-no-profile"
"""The same case twice; the second customer's working memory is never written."""
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
STATE = "query ($id: ID!) { thread(id: $id) { lastSeq } }"
CREATE = """
mutation ($resource: ID!, $id: ID!, $title: String!) {
  createThread(resourceId: $resource, id: $id, title: $title, contextType: SUPPORT) { id }
}
"""
APPEND = """
mutation ($thread: ID!, $turn: ID!, $messages: [MessageInput!]!) {
  appendTurn(threadId: $thread, turnId: $turn, messages: $messages) { turnId }
}
"""
PROFILE = "mutation ($id: ID!, $fields: JSON!) { updateWorkingMemory(resourceId: $id, merge: $fields) { changed } }"
CLONE = "mutation ($id: ID!, $new: ID!) { cloneThread(id: $id, newId: $new) { id } }"
MOVE = "mutation ($id: ID!, $to: ID!) { updateThread(id: $id, patch: {resourceId: $to}) { thread { id } } }"
CONTEXT = """
query ($thread: ID!, $message: String!) {
  context(input: {threadId: $thread, message: $message}) {
    workingMemory { markdown } recalled { label messages { text } } messages { text }
    tiers { tier items tokens } dropped { tier why what tokens }
    tokens tokenBudget embedCalls languageCalls roundTrips databaseMs warnings { message }
  }
}
"""


class Case:
    """The turns of the case, as `support_case.yaml` tells them."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("support_case.yaml").read_text("utf-8"))

    def threads(self, resource: str) -> list[str]:
        return [f"{resource}-{number}" for number in range(1, len(self.told["threads"]) + 1)]

    def turns(self, number: int) -> Iterator[tuple[int, Sequence[str], datetime]]:
        """The turns of a thread: their number, question and answer, and when. The last one is still to come."""
        threads = self.told["threads"]
        first, day = threads[number]["first"], threads[number]["day"]
        end = threads[number + 1]["first"] if number + 1 < len(threads) else TURNS
        for turn in range(first, end):
            at = BEGAN + timedelta(days=day, minutes=50 * (turn - first))
            yield turn, self.told["turns"].get(turn) or self._exchange(turn), at

    def _exchange(self, turn: int) -> list[str]:
        topics, exchanges = self.told["topics"], self.told["exchanges"]
        topic = topics[turn % len(topics)]
        return [text.format(**topic) for text in exchanges[turn // len(topics) % len(exchanges)]]


async def tell(runtime: Runtime, address: str, key: str, bars: console.Bars) -> bool:
    """Store the case where it is not yet, show a context an act, and whether turn 220 knows turn 3 both ways."""
    case = Case()
    async with httpx.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        await _store(http, case, bars)
        bars("Making vectors of the case", 0, 0)
        await runtime.worker.drain(300, Tenant(runtime.graph.settings.default_tenant))
        for ask in case.told["asks"]:
            thread = case.threads(CUSTOMER)[ask["thread"] - 1]
            title = case.told["threads"][ask["thread"] - 1]["title"]
            await _shown(http, f"{title}: {ask['text']}", thread, ask["text"])
        known = []
        for resource, how in ((CUSTOMER, "with a profile"), (STRANGER, "no field ever written")):
            last = case.told["last"]
            found = await _shown(http, f"Turn {TURNS}, {how}: {last}", case.threads(resource)[-1], last)
            known.append(_from(found, case.told["fact"]))
            where = ", ".join(known[-1]) or "nowhere"
            console.out.print(f"  turn {TURNS} knows turn 3, the {case.told['fact']}, from: [bold]{where}[/bold]")
    return "working memory" in known[0] and known[1] == ["recall"]


async def _store(http: httpx.AsyncClient, case: Case, bars: console.Bars) -> None:
    threads = case.threads(CUSTOMER)
    for number, thread in enumerate(threads):
        turns = list(case.turns(number))
        state = (await _ask(http, STATE, id=thread))["thread"]
        if state is None:
            title = case.told["threads"][number]["title"]
            await _ask(http, CREATE, resource=CUSTOMER, id=thread, title=title)
        if state is None or state["lastSeq"] < 2 * len(turns):
            for turn, texts, at in turns:
                messages = _messages(case, turn, texts, at)
                await _ask(http, APPEND, thread=thread, turn=f"{thread}-turn-{turn}", messages=messages)
                bars("Telling a support case", turn, TURNS)
    await _ask(http, PROFILE, id=CUSTOMER, fields=case.told["profile"])
    for thread, copy in zip(threads, case.threads(STRANGER), strict=True):
        if (await _ask(http, STATE, id=copy))["thread"] is None:
            await _ask(http, CLONE, id=thread, new=copy)
        await _ask(http, MOVE, id=copy, to=STRANGER)


def _messages(case: Case, turn: int, texts: Sequence[str], at: datetime) -> list[dict[str, str]]:
    said = (("USER", case.told["customer"]), ("ASSISTANT", case.told["agent"]))
    return [
        {
            "id": f"{CUSTOMER}-message-{turn}-{role.lower()}", "role": role, "speaker": speaker, "text": text,
            "createdAt": (at + timedelta(minutes=place)).isoformat(),
        }
        for place, ((role, speaker), text) in enumerate(zip(said, texts, strict=True))
    ]  # fmt: skip


async def _shown(http: httpx.AsyncClient, heading: str, thread: str, message: str) -> Mapping[str, Any]:
    """The context of a message, with what each tier brought."""
    began = time.perf_counter()
    found: Mapping[str, Any] = (await _ask(http, CONTEXT, thread=thread, message=message))["context"]
    ms = (time.perf_counter() - began) * 1000
    console.out.print(f"\n[bold]{escape(heading)}[/bold]")
    for tier in found["tiers"]:
        if tier["items"]:
            name = _plain(tier["tier"])
            console.out.print(f"  {name:16} {tier['items']:3} items {tier['tokens']:5} tokens")
    for one in found["recalled"]:
        console.out.print(f"    {console.in_line(one['label'])}", markup=False)
    for one in found["dropped"]:
        told = f"  left out: {one['what']} ({_plain(one['tier'])}, {one['why'].lower()}), {one['tokens']} tokens"
        console.out.print(console.in_line(told), markup=False)
    console.out.print(
        f"  {found['tokens']} of {found['tokenBudget']} tokens, {found['embedCalls']} embedding, "
        f"{found['languageCalls']} calls of a language model, {found['roundTrips']} round trips, {ms:.0f} ms in all"
    )
    return found


def _plain(name: str) -> str:
    return name.lower().replace("_", " ")


def _from(found: Mapping[str, Any], fact: str) -> list[str]:
    """The tiers that know the fact: all of its words."""
    words = fact.split()
    texts = {
        "working memory": [one["markdown"] for one in found["workingMemory"]],
        "recency": [one["text"] for one in found["messages"][:-1]],
        "recall": [message["text"] for one in found["recalled"] for message in one["messages"]],
    }
    return [tier for tier, told in texts.items() if any(all(word in text for word in words) for text in told)]


async def _ask(http: httpx.AsyncClient, query: str, **variables: Any) -> dict[str, Any]:
    """Raises Unavailable when the answer has errors."""
    answer = await http.post("/graphql", json={"query": query, "variables": variables})
    body = answer.raise_for_status().json()
    if body.get("errors"):
        raise Unavailable(f"the support case could not be told: {body['errors'][0]['message']}")
    data: dict[str, Any] = body["data"]
    return data
