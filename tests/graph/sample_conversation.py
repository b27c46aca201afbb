"""The part of the sample that is the conversation room's."""

from __future__ import annotations

from datetime import timedelta

from graphmem.access.principal import Principal
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import begin as begin_copy
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.fields import MemoryOp, MemoryOpKind
from graphmem.conversation.link_threads import link_threads
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import MessageInput, Part
from graphmem.conversation.notices import acknowledge_notices, post_notice
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.undo_working_memory import undo_working_memory
from graphmem.conversation.update_resource import ResourcePatch, update_resource
from graphmem.conversation.update_thread import ThreadPatch, locked_thread, update_thread
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.with_turn import TurnMemory, WithTurn
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import MemoryScope, PartType, Role, new_id, utc_now

LONG = " ".join(f"word{number}" for number in range(400))


def said(role: Role, text: str, uid: str | None = None, speaker: str | None = None) -> MessageInput:
    return MessageInput(role, (Part(PartType.TEXT, text=text),), uid, speaker)


async def make_conversation(graph: Graph, caller: Principal) -> None:
    """`caller` is bound to a resource and an agent."""
    given = ThreadInput(None, "first thread", "A title", topic="a topic", metadata={"a": 1}, speakers=["Ann"])
    await create_thread(graph, caller, given)
    await create_thread(graph, caller, ThreadInput(None, "second thread"))
    await update_resource(graph, caller, None, ResourcePatch("A customer", {"plan": "pro"}))
    await link_threads(graph, caller, "first thread", "second thread", "of one day")
    call = Part(PartType.TOOL_CALL, call_id="call", tool="look_up", data={"number": 1})
    shown = Part(PartType.FILE, uri="https://files.example/1", media_type="image/png", caption="A red fox.")
    asked = said(Role.USER, "Why did it stop last week?", "asked", "Ann")
    messages = [asked, said(Role.ASSISTANT, LONG, "long"), MessageInput(Role.ASSISTANT, (call, shown))]
    await append_turn(graph, caller, "first thread", [*messages, said(Role.USER, "A secret.", "gone")])
    await append_turn(graph, caller, "second thread", [said(Role.USER, "Does it run again?")])
    await edit_message(graph, caller, "asked", [Part(PartType.TEXT, text="Why did it stop on Monday?")])
    await delete_messages(graph, caller, ["gone"])
    await begin_turn(graph, caller, "first thread", turn="turn")
    await stage_messages(graph, caller, "turn", [said(Role.USER, "A draft.")])
    await reject_turn(graph, caller, "turn", "not good enough", retry=True)
    await stage_messages(graph, caller, "turn", [said(Role.USER, "It runs again, says Bob.", speaker="Bob")])
    result = MessageInput(Role.TOOL, (Part(PartType.TOOL_RESULT, call_id="call", data={"found": True}),))
    await stage_messages(graph, caller, "turn", [result])
    late = utc_now() + timedelta(days=1)
    one = await post_notice(graph, caller, "New terms.", thread="first thread", source="legal", expires_at=late)
    await acknowledge_notices(graph, caller, [one.id])
    free = Principal(caller.tenant, caller.key_id, caller.name, caller.scopes)
    await post_notice(graph, free, "Speak plainly.", agent="helper")
    await _remember(graph, caller)
    await begin_turn(graph, caller, "second thread", turn="known")
    known = TurnMemory(MemoryUpdate(merge={"Language": "German"}), MemoryScope.THREAD)
    await commit_turn(graph, caller, "known", beside=WithTurn(memory=[known]))
    await clone_thread(graph, caller, "first thread", new="third thread")
    await clone_thread(graph, caller, "second thread", new="fourth thread")
    await update_thread(graph, free, "fourth thread", ThreadPatch(resource="another"))
    await graph.write(lambda tx: _break_off(tx, caller))


async def _break_off(tx: Transaction, caller: Principal) -> None:
    """A copy that is not whole."""
    had = await locked_thread(tx, caller, None, "first thread")
    tx.change = new_id()
    await begin_copy(tx, caller.tenant, had, "fifth thread", 1)


async def _remember(graph: Graph, caller: Principal) -> None:
    """Working memory of the resource and of the first thread, in which one field rests on a message that is gone."""
    for scope in MemoryScope:
        where = Where(scope, thread="first thread")
        await define_working_memory(graph, caller, where, markdown="# Customer\n- Name:\n- Plan: (free / pro)\n")
        name = MemoryOp(MemoryOpKind.SET, "Name", "Ann", source="asked", verify_elsewhere=True)
        await update_working_memory(graph, caller, where, MemoryUpdate(ops=[name]))
        await update_working_memory(graph, caller, where, MemoryUpdate(merge={"Name": "Ann Lee", "Seats": [1, 2]}))
        await undo_working_memory(graph, caller, where)
        await define_working_memory(graph, caller, where, markdown="- Name:\n- Plan:\n")
    await create_thread(graph, caller, ThreadInput(None, "passing thread"))
    await append_turn(graph, caller, "passing thread", [said(Role.USER, "I am in Bern.", "passing")])
    city = MemoryOp(MemoryOpKind.SET, "City", "Bern", source="passing")
    await update_working_memory(graph, caller, Where(thread="passing thread"), MemoryUpdate(ops=[city]))
    await delete_thread(graph, caller, "passing thread")
    await update_working_memory(graph, caller, Where(thread="first thread"), MemoryUpdate(merge={"City": "Basel"}))
    await undo_working_memory(graph, caller, Where(thread="first thread"))
