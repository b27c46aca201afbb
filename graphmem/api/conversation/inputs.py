"""What callers give, as GraphQL input types, turned into the verbs' own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import strawberry

from graphmem.api.enums import ContextType, PartType, Role
from graphmem.api.flat import flat
from graphmem.api.patch import stated
from graphmem.api.scalars import JSON, JSONValue
from graphmem.conversation.listing import ResourceFilter, ThreadFilter
from graphmem.conversation.messages import MessageInput, Part
from graphmem.conversation.page import MessageFilter
from graphmem.conversation.threads import KEPT
from graphmem.conversation.update_thread import ThreadPatch
from graphmem.errors import InvalidInput


@flat
@strawberry.input(
    description="A piece of a message. TEXT and REASONING have text, TOOL_CALL toolCallId, toolName and data or text, "
    "TOOL_RESULT toolCallId and data or text, FILE uri, DATA data."
)
class MessagePartInput:
    type: PartType
    text: str | None = None
    tool_call_id: strawberry.ID | None = None
    tool_name: str | None = None
    data: JSONValue | None = strawberry.field(
        default=None, description="Arguments of a call, as an object; what a result came to; or plain data."
    )
    uri: str | None = None
    media_type: str | None = None
    name: str | None = None
    caption: str | None = strawberry.field(default=None, description="What a file shows, in words: it can be searched.")
    is_error: bool = strawberry.field(default=False, description="Of a result: the call failed.")

    def value(self) -> Part:
        return Part(
            type=self.type, text=self.text, call_id=self.tool_call_id, tool=self.tool_name, data=self.data,
            uri=self.uri, media_type=self.media_type, name=self.name, caption=self.caption,
            is_error=self.is_error or None,
        )  # fmt: skip


@strawberry.input(description="A message to store: `text`, or `parts`.", name="MessageInput")
class SaidInput:
    role: Role
    text: str | None = None
    parts: list[MessagePartInput] | None = None
    id: strawberry.ID | None = strawberry.field(
        default=None, description="Yours to choose: the same message is then stored once, however often it is sent."
    )
    speaker: str | None = strawberry.field(default=None, description="The name of who speaks.")
    created_at: datetime | None = strawberry.field(default=None, description="When it was said; left out: now.")

    def value(self, field: str) -> MessageInput:
        return MessageInput(self.role, parts_of(self.text, self.parts, field), self.id, self.speaker, self.created_at)


def messages_of(given: Sequence[SaidInput]) -> list[MessageInput]:
    return [one.value(f"messages[{at}]") for at, one in enumerate(given)]


def parts_of(text: str | None, parts: Sequence[MessagePartInput] | None, field: str) -> tuple[Part, ...]:
    """Raises InvalidInput where both or neither are given."""
    if (text is None) == (parts is None):
        raise InvalidInput(f"{field} needs text or parts, and not both", field=field)
    return tuple(part.value() for part in parts) if parts is not None else (Part(PartType.TEXT, text=text),)


@flat
@strawberry.input(
    description="What to change of a thread; what is left out stays. Metadata is merged; a key with null is removed."
)
class ThreadPatchInput:
    title: str | None = strawberry.field(
        default=strawberry.UNSET, description="Nothing made up replaces it from then on; null: as `unpinTitle`."
    )
    unpin_title: bool = strawberry.field(default=False, description="Have the title made up again.")
    context_type: ContextType | None = strawberry.UNSET
    topic: str | None = strawberry.field(default=strawberry.UNSET, description="null takes it away.")
    metadata: JSON | None = strawberry.UNSET
    speakers: list[str] | None = strawberry.UNSET
    resource_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Move the thread to this resource, with all that was said in it."
    )

    def value(self) -> ThreadPatch:
        return ThreadPatch(
            title=None if self.title is strawberry.UNSET else self.title,
            unpin=self.unpin_title or self.title is None,
            context_type=stated(self.context_type, "patch.contextType"),
            topic=KEPT if self.topic is strawberry.UNSET else self.topic,
            metadata=stated(self.metadata, "patch.metadata", '{"key": null}'),
            speakers=stated(self.speakers, "patch.speakers", "[]"),
            resource=stated(self.resource_id, "patch.resourceId"),
        )


@flat
@strawberry.input(description="What a thread must have to be listed; what is left out does not matter.")
class ThreadFilterInput:
    resource_id: strawberry.ID | None = strawberry.field(
        default=None, description="Whose threads; only an admin may leave it out."
    )
    context_types: list[ContextType] | None = None
    topic: str | None = None
    metadata: JSON | None = strawberry.field(default=None, description="All of these pairs.")

    def value(self) -> ThreadFilter:
        return ThreadFilter(self.resource_id, self.context_types or (), self.topic, self.metadata)


@flat
@strawberry.input(description="What a resource must have to be listed.", name="ResourceFilter")
class ResourceFilterInput:
    name: str | None = None
    metadata: JSON | None = strawberry.field(default=None, description="All of these pairs.")

    def value(self) -> ResourceFilter:
        return ResourceFilter(self.name, self.metadata)


@flat
@strawberry.input(description="Which messages of a thread; what is left out does not matter.")
class MessageFilterInput:
    roles: list[Role] | None = None
    since: datetime | None = strawberry.field(default=None, description="Said then or later.")
    until: datetime | None = strawberry.field(default=None, description="Said before.")

    def value(self) -> MessageFilter:
        return MessageFilter(self.roles or (), self.since, self.until)
