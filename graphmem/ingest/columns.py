"""The columns of a table of nodes or edges: the fields of `remember`, in the forms that a cell may have. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import EdgeType, KnowledgeType, Source, Status

LISTS = ("tags", "aliases", "connections")
METADATA = "metadata."
PAIRS = "metadata.*"


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _upper(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


def _items(value: Any) -> Any:
    """`a; b` is the list of both."""
    return [item.strip() for item in value.split(";") if item.strip()] if isinstance(value, str) else value


def _object(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg.partition(':')[0]}") from None


Items = Annotated[list[str] | None, BeforeValidator(_items)]
Origin = Annotated[Source | None, BeforeValidator(_lower)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, frozen=True)

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Their names as callers write them."""
        return tuple(str(field.alias) for field in cls.model_fields.values() if field.alias != PAIRS)


class NodeRow(_Line):
    """`pairs`: those of all `metadata.` columns."""

    title: str
    content: str
    id: str | None = None
    type: Annotated[KnowledgeType | None, BeforeValidator(_lower)] = None
    aliases: Items = None
    source: Origin = None
    confidence: float | None = None
    resource_id: str | None = None
    tags: Items = None
    metadata: Annotated[dict[str, Any] | None, BeforeValidator(_object)] = None
    status: Annotated[Status | None, BeforeValidator(_lower)] = None
    created_at: AwareDatetime | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    connections: Items = None
    pairs: Mapping[str, str] | None = Field(None, alias=PAIRS)

    def value(self) -> NodeInput:
        stated = (
            None if self.metadata is None and self.pairs is None else {**(self.metadata or {}), **(self.pairs or {})}
        )
        return NodeInput(
            title=self.title, content=self.content, id=self.id, type=self.type, aliases=self.aliases,
            source=self.source, confidence=self.confidence, resource=self.resource_id, tags=self.tags,
            metadata=stated, status=self.status, created_at=self.created_at, valid_from=self.valid_from,
            valid_to=self.valid_to, connections=tuple(self.connections or ()),
        )  # fmt: skip


class EdgeRow(_Line):
    from_: str = Field(alias="from")
    to: str
    type: Annotated[EdgeType, BeforeValidator(_upper)]
    weight: float = 1.0
    confidence: float = 1.0
    source: Origin = None
    reason: str | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None

    def value(self) -> EdgeInput:
        return EdgeInput(
            source_id=self.from_, target_id=self.to, type=self.type, weight=self.weight, confidence=self.confidence,
            source=self.source or Source.DOCS, reason=self.reason, valid_from=self.valid_from, valid_to=self.valid_to,
        )  # fmt: skip


COLUMNS = frozenset((*NodeRow.columns(), *EdgeRow.columns()))
