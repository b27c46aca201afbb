"""The closed sets of the house as GraphQL enums; import them from here, so that they are registered."""

from __future__ import annotations

import strawberry

from graphmem.context.inputs import OverBudget
from graphmem.context.inputs import Tier as ContextTier
from graphmem.context.purse import Reason as DropReason
from graphmem.conversation.create_thread import IfExists
from graphmem.conversation.fields import MemoryOpKind
from graphmem.conversation.listing import ThreadOrder
from graphmem.conversation.recall import RecallGroup
from graphmem.conversation.recall_scope import RecallScope
from graphmem.ingest.rows import OnError
from graphmem.knowledge.listing import Order as KnowledgeOrder
from graphmem.knowledge.search import Mode as SearchMode
from graphmem.knowledge.suggestions import Kind as SuggestionKind
from graphmem.values import (
    Band,
    ContextType,
    Direction,
    EdgeType,
    KnowledgeType,
    MemoryKind,
    MemoryScope,
    PartType,
    Role,
    Scope,
    Source,
    Status,
    TurnState,
)

__all__ = [
    "Band",
    "ContextTier",
    "ContextType",
    "Direction",
    "DropReason",
    "EdgeType",
    "IfExists",
    "KnowledgeOrder",
    "KnowledgeType",
    "MemoryKind",
    "MemoryOpKind",
    "MemoryScope",
    "OnError",
    "OverBudget",
    "PartType",
    "RecallGroup",
    "RecallScope",
    "Role",
    "Scope",
    "SearchMode",
    "Source",
    "Status",
    "SuggestionKind",
    "ThreadOrder",
    "TurnState",
]

strawberry.enum(KnowledgeType, description="What kind of note a node is.")
strawberry.enum(Source, description="Where a node or edge came from.")
strawberry.enum(Status, name="KnowledgeStatus", description="Where a node stands in its life.")
strawberry.enum(
    Band,
    name="ConfidenceBand",
    description="Confidence in words: 1.0 verified, from 0.8 high, from 0.5 moderate, below speculative.",
)
strawberry.enum(
    EdgeType,
    description="Meaning of an edge. MENTIONS is made automatically: the target's title or alias stands in the text.",
)
strawberry.enum(Direction, description="Which way edges are walked, seen from the node.")
strawberry.enum(Scope, name="KeyScope", description="What a key may do; each includes the ones before it.")
strawberry.enum(KnowledgeOrder, name="KnowledgeOrder", description="Order of a list of nodes.")
strawberry.enum(SearchMode, name="SearchMode", description="HYBRID: vectors and text; VECTOR, TEXT: one of them alone.")
strawberry.enum(
    ContextTier,
    name="ContextTier",
    description="A part of a context. TURN, the newest user message and what is behind it, is always there.",
)
strawberry.enum(
    DropReason,
    name="ContextDropReason",
    description="BUDGET: no room; CAP: the history's own cap was reached; CUT: the end of a message that is too large.",
)
strawberry.enum(OverBudget, description="ERROR: refuse; TRUNCATE: cut the newest message, and say so in it.")
strawberry.enum(ContextType, description="What a thread is about.")
strawberry.enum(Role, name="MessageRole", description="Who speaks in a message.")
strawberry.enum(PartType, name="MessagePartType", description="What a part of a message is.")
strawberry.enum(RecallScope, description="Where to recall from: all threads of the resource, or the one thread.")
strawberry.enum(RecallGroup, description="THREAD: one hit a thread, its best; threads are ranked by them.")
strawberry.enum(TurnState, description="Only the messages of a committed turn are seen by others.")
strawberry.enum(MemoryScope, description="Whose working memory: of all threads of a resource, or of one thread.")
strawberry.enum(MemoryKind, description="What gives a working memory its form.")
strawberry.enum(MemoryOpKind, name="MemoryOpKind", description="What to do to a field of working memory.")
strawberry.enum(IfExists, description="Of a thread that is there: CONFLICT, an error; RETURN, it is told as it is.")
strawberry.enum(
    ThreadOrder,
    description="Order of a list of threads: by creation, or by the last message, which moves a thread to the front.",
)
strawberry.enum(
    OnError, description="Of a table with a line that can't be taken: ABORT, nothing is; SKIP: all the others are."
)
strawberry.enum(SuggestionKind, name="SuggestionKind", description="What might be tidied up.")
