"""`graphmem keys`."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, TenantOption, app, command, ready
from graphmem.values import Scope

keys = typer.Typer(no_args_is_help=True, help="API keys.")
app.add_typer(keys, name="keys")


@command(keys, "create")
async def keys_create(
    name: str,
    scope: Annotated[list[Scope], typer.Option(help="read, write or admin.")],
    tenant: TenantOption = None,
    resource: ResourceOption = None,
    agent: Annotated[str | None, typer.Option(help="The only agent it may name.")] = None,
    as_json: Json = False,
) -> None:
    """Make a key; it is shown once."""
    from graphmem.access.keys import create_key

    async with ready(tenant=tenant) as (runtime, principal):
        made = await create_key(
            runtime.graph, principal.tenant, name=name, scopes=scope, resource=resource, agent=agent
        )
    console.show({"key": made.key, "id": made.api_key.id}, as_json)


@command(keys, "list")
async def keys_list(tenant: TenantOption = None, as_json: Json = False) -> None:
    """List a tenant's keys."""
    from graphmem.access.keys import list_keys

    async with ready(tenant=tenant) as (runtime, principal):
        found = await list_keys(runtime.graph, principal.tenant)
    rows = [
        {
            "id": key.id,
            "name": key.name,
            "scopes": " ".join(sorted(key.scopes)),
            "resource": key.resource,
            "agent": key.agent,
            "revoked": key.revoked_at,
        }
        for key in found
    ]
    console.show(rows, as_json, rows)


@command(keys, "revoke")
async def keys_revoke(key_id: str, tenant: TenantOption = None, as_json: Json = False) -> None:
    """Stop a key."""
    from graphmem.access.keys import revoke_key

    async with ready(tenant=tenant) as (runtime, principal):
        revoked = await revoke_key(runtime.graph, principal, key_id)
    console.show({"id": revoked.id, "revoked": revoked.revoked_at}, as_json)
