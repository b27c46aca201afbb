"""Each audit of conversations and working memory finds the fault that it is for."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import Part
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.undo_working_memory import undo_working_memory
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.graph.gateway import Graph
from graphmem.upkeep.audits import run_audits
from graphmem.values import PartType, Tenant, utc_now
from tests.conftest import Settle
from tests.conversation.support import said, thread
from tests.upkeep.support import plant, uids
from tests.upkeep.test_audits import AUDITS, found

LONG_AGO = utc_now() - timedelta(days=9000)
OF_R1 = Where(resource="r1")


async def sound(graph: Graph, tenant: Tenant, settle: Settle) -> str:
    """A thread with one of everything that these audits look at, and a field, whose id is returned."""
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("In Bern.", "m1"), said("word " * 290, "m2"), said("Three.", "m3")])
    await edit_message(graph, caller, "m1", [Part(PartType.TEXT, text="In Basel.")])
    await append_turn(graph, caller, "t1", [said("A secret.", "m4")])
    turn = (await begin_turn(graph, caller, "t1", turn="turn")).id
    await stage_messages(graph, caller, turn, [said("Perhaps.", "m5")])
    await update_working_memory(graph, caller, OF_R1, MemoryUpdate(merge={"city": "Bern"}, source="m1"))
    (field,) = await uids(graph, tenant, "Field")
    await update_working_memory(graph, caller, OF_R1, MemoryUpdate(merge={"city": "Basel"}, source="m1"))
    await update_working_memory(graph, caller, OF_R1, MemoryUpdate(merge={"secret": 1}, source="m4"))
    for form in ("- Name:", "- City:"):
        await define_working_memory(graph, caller, OF_R1, markdown=form)
    await undo_working_memory(graph, caller, OF_R1)
    await delete_messages(graph, caller, ["m4"])
    await clone_thread(graph, caller, "t1", new="t2")
    await settle()
    return field


async def test_nothing_is_found_in_sound_conversations(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    await sound(graph, tenant, settle)
    assert [(name, rows) async for name, rows in run_audits(graph, tenant)] == [(name, []) for name in AUDITS]


async def test_the_spaces_between_words_make_no_vector_stale(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    spaces = [chr(code) for code in range(sys.maxunicode) if chr(code).isspace()]
    text = "  " + "".join(f"word{space}" for space in spaces) + "end"
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said(text, "m1", speaker="Ann  Lee"), said(f"{text}. " * 30, "m2")])
    await settle()
    assert len(await uids(graph, tenant, "MessageChunk")) > 0
    assert [rows for name in ("stale_vectors", "missing_vectors") for rows in await found(graph, name, tenant)] == []


@pytest.mark.parametrize(
    ("audit", "fault", "uid", "params", "detail"),
    [
        ("orphan_fields", "set", "field", {"properties": {"source": "m9"}}, "it rests on another message than it says"),
        ("orphan_fields", "cut", "field", {"type": "FROM"}, "it rests on a message that is not there: m1"),
        ("orphan_fields", "set", "m1", {"properties": {"deletedAt": LONG_AGO}}, "it rests on a deleted message: m1"),
        ("orphan_fields", "cut", "r1", {"type": "HAS_PROFILE"}, "nobody has the profile of r1"),
        ("orphan_fields", "cut", "profile", {"type": "HAS_FIELD"}, "no profile has the field"),
        ("orphan_fields", "set", "field", {"properties": {"profile": "p"}}, "another profile than its own"),
        ("revisions_out_of_order", "set", "field", {"properties": {"version": 7}}, "is followed by none"),
        ("revisions_out_of_order", "set", "field", {"properties": {"at": 1}}, "comes after the next"),
        ("revisions_out_of_order", "set", "m1", {"properties": {"recordedFrom": LONG_AGO}}, "does not end when"),
        ("revisions_out_of_order", "cut", "m1", {"type": "PREVIOUS"}, "no node was this"),
        ("revisions_out_of_order", "cut", "profile", {"type": "PREVIOUS"}, "no node was this"),
        ("revisions_out_of_order", "set", "profile", {"properties": {"defined": 0}}, "ends before it begins"),
        ("sequence_gaps", "set", "m2", {"properties": {"seq": 9}}, "places 3 and on do not follow the ones before"),
        ("sequence_gaps", "set", "t1", {"properties": {"lastSeq": 9}}, "it says that its last place is 9; it is 4"),
        ("sequence_gaps", "set", "t1", {"properties": {"messageCount": 9}}, "it says 9 messages; there are 3"),
        ("sequence_gaps", "cut", "m2", {"type": "NEXT"}, "its messages are not one chain"),
        ("overdue_turns", "set", "turn", {"properties": {"expiresAt": LONG_AGO}}, "open though its time was over at"),
        ("overdue_turns", "set", "turn", {"properties": {"state": "rejected"}}, "staged, and no open turn has it"),
        ("missing_vectors", "set", "m3", {"properties": {"embedding_1": None}}, "message 3 of t1"),
        ("stale_vectors", "set", "m3", {"properties": {"content": "Four."}}, "made from: user: Three."),
        ("stale_vectors", "set", "m3", {"properties": {"content": None}}, "made from: user: Three."),
        ("stale_vectors", "set", "m3", {"properties": {"speaker": "Ann"}}, "made from: user: Three."),
        ("stale_vectors", "set", "chunk", {"properties": {"text": "user: of something else"}}, "of something else"),
        ("stale_vectors", "set", "chunk", {"properties": {"text": "word word"}}, "made from: word word"),
        ("wrong_size_vectors", "set", "m3", {"properties": {"embedding_1": [1.0, 0.0]}}, "2 dimensions where the"),
        ("wrong_size_vectors", "set", "m3", {"properties": {"embedding_1": [0.0] * 64}}, "all its 64 numbers are 0"),
        ("wrong_size_vectors", "set", "chunk", {"properties": {"embedding_1": [0.0] * 63}}, "63 dimensions where the"),
        ("orphan_chunks", "cut", "m2", {"type": "HAS_CHUNK"}, "nothing has it; made for m2"),
        ("orphan_chunks", "set", "chunk", {"properties": {"role": None}}, "has other filters than "),
        ("orphan_chunks", "set", "m2", {"properties": {"agent": "another"}}, "has other filters than m2, of which"),
        ("orphan_chunks", "set", "chunk", {"properties": {"message": None}}, "made for nothing, had by "),
    ],
)  # fmt: skip
async def test_a_fault_is_found(
    graph: Graph, tenant: Tenant, settle: Settle, audit: str, fault: str, uid: str, params: dict[str, Any], detail: str
) -> None:
    ids = {"field": await sound(graph, tenant, settle)}
    if uid == "profile":
        (ids["profile"],) = await uids(graph, tenant, "Profile")
    if uid == "chunk":
        ids["chunk"] = (await uids(graph, tenant, "MessageChunk"))[0]
    assert await found(graph, audit, tenant) == []
    await plant(graph, fault, tenant, ids.get(uid, uid), **params)
    assert [row for row in await found(graph, audit, tenant) if detail in row[2]]
