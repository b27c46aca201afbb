"""Titles that nobody gave."""

from __future__ import annotations

from graphmem.conversation import state
from graphmem.conversation.messages import Message
from graphmem.graph.gateway import Transaction
from graphmem.values import Tenant

LOOK = 20
"""Messages looked at: one of files alone gives no title."""


async def retitle(tx: Transaction, tenant: Tenant, thread: str) -> None:
    """Give a thread that is locked a title from its first user message; none, where no such message has words."""
    rows = await tx.run("conversation/first_said", tenant=tenant, thread=thread, count=LOOK)
    messages = [Message.from_row(row["message"]) for row in rows]
    made = state.title((one.id, one.role, one.parts) for one in messages)
    await tx.run("conversation/write_title", tenant=tenant, thread=thread, title=made)
