"""Shared by the tests of level 2: things to say, and what stands in the graph behind the verbs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from graphmem.access.principal import Principal
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.get import threads_by_id
from graphmem.conversation.messages import MessageInput, Part
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.statements import load
from graphmem.jobs import jobs
from graphmem.values import PartType, Role, Tenant
from tests.factories import principal
from tests.spoilt import Probing

PROBES = load(Path(__file__).parent / "cypher")


def probing(graph: Graph) -> Graph:
    """The graph with the statements of these tests."""
    found = Probing(graph.driver, graph.settings, PROBES)
    found.generation = graph.generation
    return found


def said(text: str, uid: str | None = None, role: Role = Role.USER, **more: Any) -> MessageInput:
    return MessageInput(role, (Part(PartType.TEXT, text=text),), uid, **more)


def parts(*given: Part, uid: str | None = None, role: Role = Role.ASSISTANT) -> MessageInput:
    return MessageInput(role, given, uid)


def call(uid: str) -> Part:
    return Part(PartType.TOOL_CALL, call_id=uid, tool="look_up", data={"of": uid})


def result(uid: str) -> Part:
    return Part(PartType.TOOL_RESULT, call_id=uid, text=f"found {uid}")


async def thread(graph: Graph, tenant: Tenant, uid: str = "t1", resource: str = "r1", **more: Any) -> Principal:
    """Who made a thread."""
    caller = principal(tenant)
    await create_thread(graph, caller, ThreadInput(resource, uid, **more))
    return caller


async def log(graph: Graph, tenant: Tenant, uid: str = "t1") -> list[Row]:
    return await probing(graph).read("probe/log", tenant=tenant, thread=uid)


async def texts(graph: Graph, tenant: Tenant, uid: str = "t1") -> list[str]:
    return [row["content"] for row in await log(graph, tenant, uid)]


async def labels(graph: Graph, tenant: Tenant) -> Counter[str]:
    """How many nodes of each label there are, but entries of the change log."""
    rows = await probing(graph).read("probe/labels", tenant=tenant)
    return Counter({row["label"]: row["count"] for row in rows if row["label"] != "Change"})


async def found(graph: Graph, lucene: str) -> set[str]:
    return {row["uid"] for row in await probing(graph).read("probe/found", lucene=lucene)}


async def words(graph: Graph, tenant: Tenant, word: str) -> list[tuple[str, str]]:
    """Where a word stands in what is stored: label and property."""
    rows = await probing(graph).read("probe/words", tenant=tenant, word=word)
    return [(next(label for label in row["labels"] if label != "Item"), row["key"]) for row in rows]


async def check_log(graph: Graph, tenant: Tenant, uid: str, turns: Sequence[Sequence[str]]) -> None:
    """The thread has exactly these turns, each whole and in one piece, in places without gap or repeat."""
    rows = await log(graph, tenant, uid)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert [row["before"] for row in rows] == [[], *([one["seq"]] for one, _ in pairwise(rows))][: len(rows)]
    groups = [(turn, [row["content"] for row in group]) for turn, group in groupby(rows, lambda row: row["turn"])]
    assert len({turn for turn, _ in groups}) == len(groups)
    assert sorted(group for _, group in groups) == sorted(map(list, turns))
    stored = (await threads_by_id(graph, principal(tenant), [uid]))[uid]
    assert (stored.last_seq, stored.message_count) == (len(rows), len(rows))


async def queued(graph: Graph, tenant: Tenant, kind: str) -> list[str]:
    """The message ids of the jobs of a kind."""
    page = await jobs(graph, tenant, kinds=[kind], first=graph.settings.max_page)
    assert not page.has_next
    return [uid for job in page.items for uid in job.payload["ids"]]
