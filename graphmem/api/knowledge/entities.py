"""Entities over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.api.context import Info
from graphmem.api.flat import flat
from graphmem.api.knowledge.queries import AsOf, ValidAt, readable
from graphmem.api.knowledge.types import Entity, EntityConnection
from graphmem.api.paging import Connection, bounded, page_size
from graphmem.knowledge.entities import entities, get_entities


@flat
@strawberry.input(description="What an entity must have.")
class EntityFilter:
    text: str = strawberry.field(default="", description="Letters and digits of its name, whatever case or accents.")
    min_nodes: int = strawberry.field(default=1, description="So many nodes that you may see have it in their text.")


@strawberry.type
class EntityQuery:
    @strawberry.field(description="Names found in texts, in alphabetical order.")
    async def entities(
        self,
        info: Info,
        filter: EntityFilter | None = None,
        first: int = 20,
        after: str | None = None,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> EntityConnection:
        view = readable(info, resource_id, as_of, valid_at)
        wanted, settings = filter or EntityFilter(), info.context.settings
        least = bounded(wanted.min_nodes, 1, settings.scan_cap, "scan_cap", "filter.minNodes")
        size = page_size(first, settings)
        page = await entities(info.context.graph, view, wanted.text, least, size, after)
        found = [Entity.of(view, entity) for entity in page.items]
        return Connection.of(found, list(page.cursors), page.has_next)

    @strawberry.field(description="A name found in texts; null when no text that you may see has it.")
    async def entity(
        self,
        info: Info,
        id: strawberry.ID,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> Entity | None:
        view = readable(info, resource_id, as_of, valid_at)
        found = (await get_entities(info.context.graph, view, [id])).get(id)
        return None if found is None else Entity.of(view, found)
