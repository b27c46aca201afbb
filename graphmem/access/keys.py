"""API keys: made, listed, revoked. The key itself is shown when it is made and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.key_text import KeyText, first_key_id, new_key_text
from graphmem.access.principal import Principal, local_principal
from graphmem.errors import Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import Scope, Tenant, Warning, checked_name, utc_now


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key. `resource`, `agent`: the only one that it may name, where it is bound."""

    id: str
    tenant: Tenant
    name: str
    scopes: frozenset[Scope]
    resource: str | None
    agent: str | None
    created_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """`key` is the secret text for `Authorization: Bearer`; it cannot be had a second time.

    It is None where nothing was made by this call: a dry run, or a repeated call, whose `warnings` say what to do.
    """

    key: str | None = field(repr=False)
    api_key: ApiKey
    warnings: tuple[Warning, ...] = ()


class _HadKeyError(Exception):
    """Ends the transaction of a first key that is not the first."""


async def create_key(
    graph: Graph,
    tenant: Tenant,
    *,
    name: str,
    scopes: Iterable[Scope],
    resource: str | None = None,
    agent: str | None = None,
    by: Principal | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> CreatedKey:
    """Make a key. Without `by` the caller stands at the database itself and may make any.

    The secret is no part of what the change log keeps: a repeated call is told which key there is, and not the key.

    Raises:
        Forbidden: `by` is no admin, is of another tenant, or is bound to another resource or agent.
        InvalidInput: tenant, name, resource or agent is blank, longer than 256 characters or has a control character,
        or there is no scope.
    """
    by = by or local_principal(tenant)
    by.require(Scope.ADMIN)
    if by.tenant != tenant:
        raise Forbidden("a key can only make keys of its own tenant")
    checked_name(tenant, "tenant", new=True)
    checked_name(name, "name", new=True)
    api_key, text = _new(tenant, name, scopes, by.resource_for(resource, new=True), by.agent_for(agent, new=True))
    stated = {"name": name, "scopes": api_key.scopes, "resource": resource, "agent": agent}

    async def work(tx: Transaction) -> Outcome[ApiKey]:
        properties = _properties(api_key, text)
        await tx.run("access/create_key", tenant=tenant, keyId=api_key.id, properties=properties)
        return Outcome(api_key, touched=[api_key.id])

    call = Call(by, "createApiKey", stated, idempotency_key, dry_run)
    made = await recorded(graph, call, work, *reply_of(ApiKey))
    if made.id != api_key.id:
        return CreatedKey(None, made, (_not_shown_again(made),))
    return CreatedKey(None if dry_run else text.text, made)


def _not_shown_again(made: ApiKey) -> Warning:
    return Warning(
        "KEY_NOT_SHOWN_AGAIN",
        f"the key {made.id} was made by an earlier call with this idempotency key and shown then; if that answer was "
        "lost, revoke it and make another with a new idempotency key",
        (made.id,),
    )


async def first_key(graph: Graph, tenant: Tenant) -> CreatedKey | None:
    """Make the tenant's first key, which may do everything; None when the tenant has or had one.

    Of many processes that start at once, one is given the key.
    """
    checked_name(tenant, "tenant", new=True)
    api_key, text = _new(tenant, "first key", [Scope.ADMIN], None, None, first_key_id(tenant))

    async def work(tx: Transaction) -> Outcome[ApiKey]:
        properties = _properties(api_key, text)
        rows = await tx.run("access/create_first_key", tenant=tenant, keyId=api_key.id, properties=properties)
        if not rows or not rows[0]["made"]:
            raise _HadKeyError
        return Outcome(api_key, touched=[api_key.id])

    call = Call(local_principal(tenant), "createApiKey", {"id": api_key.id})
    try:
        return CreatedKey(text.text, await recorded(graph, call, work, *reply_of(ApiKey)))
    except _HadKeyError:
        return None


async def revoke_key(
    graph: Graph, principal: Principal, key_id: str, *, idempotency_key: str | None = None, dry_run: bool = False
) -> ApiKey:
    """End a key; again changes nothing. A bound key can end keys of its own binding only.

    `Keyring.forget` makes this process refuse the key at once; others follow within five seconds.

    Raises:
        Forbidden: the principal is no admin.
        NotFound: no such key in this tenant or binding.
    """
    principal.require(Scope.ADMIN)
    checked_name(key_id, "id")

    async def work(tx: Transaction) -> Outcome[ApiKey]:
        rows = await tx.run(
            "access/revoke_key",
            tenant=principal.tenant,
            keyId=key_id,
            resource=principal.resource,
            agent=principal.agent,
            now=utc_now(),
        )
        if not rows:
            raise NotFound(f"there is no API key {key_id!r}", field="id")
        return Outcome(_api_key(rows[0]["key"]), touched=[key_id] if rows[0]["revoked"] else [])

    call = Call(principal, "revokeApiKey", {"id": key_id}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(ApiKey))


async def list_keys(graph: Graph, tenant: Tenant, limit: int = 1000) -> list[ApiKey]:
    """The tenant's keys: those in use first, then newest first; at most `limit`."""
    rows = await graph.read("access/list_keys", tenant=tenant, limit=limit)
    return [_api_key(row["key"]) for row in rows]


def _new(
    tenant: Tenant,
    name: str,
    scopes: Iterable[Scope],
    resource: str | None,
    agent: str | None,
    key_id: str | None = None,
) -> tuple[ApiKey, KeyText]:
    granted = frozenset(scopes)
    if not granted:
        raise InvalidInput(f"scopes is empty; give at least one of {', '.join(Scope)}", field="scopes")
    text = new_key_text(key_id)
    return ApiKey(text.id, tenant, name, granted, resource, agent, utc_now(), None), text


def _properties(api_key: ApiKey, text: KeyText) -> dict[str, object]:
    return {
        "hash": text.hash,
        "name": api_key.name,
        "scopes": sorted(api_key.scopes),
        "resource": api_key.resource,
        "agent": api_key.agent,
        "createdAt": api_key.created_at,
        "updatedAt": api_key.created_at,
    }


def _api_key(row: Row) -> ApiKey:
    return ApiKey(
        id=row["keyId"],
        tenant=Tenant(row["tenant"]),
        name=row["name"],
        scopes=frozenset(Scope(scope) for scope in row["scopes"]),
        resource=row["resource"],
        agent=row["agent"],
        created_at=row["createdAt"],
        revoked_at=row["revokedAt"],
    )
