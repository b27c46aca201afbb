"""Keys over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.access.keys import create_key, revoke_key
from graphmem.api.context import Info
from graphmem.api.enums import Scope
from graphmem.api.knowledge.types import WarningType
from graphmem.api.service.queries import ApiKeyType


@strawberry.type(description="A new key. `key` can't be had a second time.")
class NewApiKey:
    key: str | None = strawberry.field(
        description="null after a dry run, and where a call is repeated: the key was shown in the first answer."
    )
    api_key: ApiKeyType
    warnings: list[WarningType]


@strawberry.type
class ServiceMutation:
    @strawberry.mutation(description="Make a key for this tenant; needs the scope ADMIN.")
    async def create_api_key(
        self,
        info: Info,
        name: str,
        scopes: list[Scope],
        resource_id: strawberry.ID | None = None,
        agent: str | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> NewApiKey:
        principal = info.context.principal
        made = await create_key(
            info.context.graph,
            principal.tenant,
            name=name,
            scopes=scopes,
            resource=resource_id,
            agent=agent,
            by=principal,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
        )
        warnings = [WarningType.of(found) for found in made.warnings]
        return NewApiKey(key=made.key, api_key=ApiKeyType.of(made.api_key), warnings=warnings)

    @strawberry.mutation(description="Stop a key; every process follows within five seconds.")
    async def revoke_api_key(
        self, info: Info, id: strawberry.ID, idempotency_key: str | None = None, dry_run: bool = False
    ) -> ApiKeyType:
        services = info.context.services
        revoked = await revoke_key(
            services.graph, info.context.principal, id, idempotency_key=idempotency_key, dry_run=dry_run
        )
        await services.keyring.forget(id)
        return ApiKeyType.of(revoked)
