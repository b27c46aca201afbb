"""The schema, assembled from the rooms' parts."""

from __future__ import annotations

from collections.abc import Iterator

import strawberry
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig

from graphmem.api import errors, limits
from graphmem.api.conversation.bundle import ContextQuery
from graphmem.api.conversation.messages import MessageMutation
from graphmem.api.conversation.queries import ConversationQuery
from graphmem.api.conversation.recall import RecallQuery
from graphmem.api.conversation.threads import ThreadMutation
from graphmem.api.conversation.turns import TurnMutation
from graphmem.api.conversation.working_memory import WorkingMemoryMutation, WorkingMemoryQuery
from graphmem.api.execution import Executor
from graphmem.api.ingest.mutations import IngestMutation
from graphmem.api.knowledge.corrections import CorrectionMutation, CorrectionQuery
from graphmem.api.knowledge.entities import EntityQuery
from graphmem.api.knowledge.merges import MergeMutation
from graphmem.api.knowledge.mutations import KnowledgeMutation
from graphmem.api.knowledge.queries import KnowledgeQuery
from graphmem.api.knowledge.suggestions import SuggestionMutation, SuggestionQuery
from graphmem.api.scalars import SCALARS
from graphmem.api.service.mutations import ServiceMutation
from graphmem.api.service.queries import ServiceQuery
from graphmem.api.upkeep.mutations import UpkeepMutation
from graphmem.config import Settings


@strawberry.type
class Query(
    ServiceQuery,
    KnowledgeQuery,
    EntityQuery,
    CorrectionQuery,
    SuggestionQuery,
    ConversationQuery,
    WorkingMemoryQuery,
    RecallQuery,
    ContextQuery,
):
    pass


@strawberry.type
class Mutation(
    ServiceMutation,
    KnowledgeMutation,
    CorrectionMutation,
    MergeMutation,
    SuggestionMutation,
    IngestMutation,
    ThreadMutation,
    TurnMutation,
    MessageMutation,
    WorkingMemoryMutation,
    UpkeepMutation,
):
    pass


class OperationName(SchemaExtension):
    """Tells the request's log line which operation it was."""

    def on_execute(self) -> Iterator[None]:
        self.execution_context.context.operation = self.execution_context.operation_name
        yield


def make_schema(settings: Settings) -> strawberry.Schema:
    return errors.Schema(
        query=Query,
        mutation=Mutation,
        extensions=[errors.extension(settings), *limits.extensions(settings), OperationName],
        config=StrawberryConfig(scalar_map=dict(SCALARS)),
        execution_context_class=Executor,
    )
