"""`me`, `health`, keys, jobs, audits and the change log over GraphQL."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graphmem.access import changes
from graphmem.access.changes import Change
from graphmem.access.keys import ApiKey, list_keys
from graphmem.access.principal import Principal
from graphmem.api.context import Info
from graphmem.api.enums import Scope
from graphmem.api.flat import flat
from graphmem.api.paging import Connection, page_size
from graphmem.api.scalars import JSON
from graphmem.errors import Forbidden
from graphmem.jobs import Job, counts, jobs
from graphmem.upkeep.audits import audit_names, run_audit
from graphmem.upkeep.health import Part, health
from graphmem.values import Tenant


@strawberry.type(description="Whose key this is, and what it may do.")
class Me:
    tenant: str
    key_id: strawberry.ID
    name: str
    scopes: list[Scope]
    resource_id: strawberry.ID | None
    agent: str | None


@strawberry.type(description="A part of the service and its state.")
class HealthPart:
    name: str
    ok: bool
    detail: str

    @classmethod
    def of(cls, part: Part) -> HealthPart:
        return cls(name=part.name, ok=part.ok, detail=part.detail)


@strawberry.type(description="Whether the service can do its work.")
class Health:
    ok: bool
    parts: list[HealthPart]


@strawberry.type(
    description="What is known of an API key; the key itself is shown once, when it is made.", name="ApiKey"
)
class ApiKeyType:
    id: strawberry.ID
    name: str
    scopes: list[Scope]
    resource_id: strawberry.ID | None
    agent: str | None
    created_at: datetime
    revoked_at: datetime | None

    @classmethod
    def of(cls, key: ApiKey) -> ApiKeyType:
        return cls(
            id=strawberry.ID(key.id), name=key.name, scopes=sorted(key.scopes),
            resource_id=strawberry.ID(key.resource) if key.resource else None, agent=key.agent,
            created_at=key.created_at, revoked_at=key.revoked_at,
        )  # fmt: skip


@strawberry.type(description="Background work.", name="Job")
class JobType:
    id: strawberry.ID
    kind: str
    state: str
    attempts: int
    error: str | None
    result: JSON | None
    created_at: datetime
    run_after: datetime

    @classmethod
    def of(cls, job: Job) -> JobType:
        return cls(
            id=strawberry.ID(job.id), kind=job.kind, state=job.state, attempts=job.attempts, error=job.error,
            result=None if job.result is None else JSON(dict(job.result)), created_at=job.created_at,
            run_after=job.run_after,
        )  # fmt: skip


@strawberry.type(description="How many jobs are in a state.")
class JobCount:
    state: str
    count: int


@strawberry.type(description="Hashes of a text before and after a call; null: there was none.")
class TextHashes:
    id: strawberry.ID
    before: str | None
    after: str | None


@strawberry.type(description="One entry of the append-only change log.")
class ChangeEntry:
    id: strawberry.ID
    at: datetime
    action: str
    key_id: strawberry.ID
    key_name: str
    resource_id: strawberry.ID | None = strawberry.field(description="What the key is bound to.")
    agent: str | None = strawberry.field(description="What the key is bound to.")
    touched: list[strawberry.ID]
    hashes: list[TextHashes] = strawberry.field(description="Of those touched whose text was written or deleted.")

    @classmethod
    def of(cls, change: Change) -> ChangeEntry:
        texts = [uid for uid in change.touched if uid in change.before or uid in change.after]
        return cls(
            id=strawberry.ID(change.id), at=change.at, action=change.action, key_id=strawberry.ID(change.key_id),
            key_name=change.key_name, agent=change.agent,
            resource_id=strawberry.ID(change.resource) if change.resource else None,
            touched=[strawberry.ID(uid) for uid in change.touched],
            hashes=[
                TextHashes(id=strawberry.ID(uid), before=change.before.get(uid), after=change.after.get(uid))
                for uid in texts
            ],
        )  # fmt: skip


@flat
@strawberry.input(description="Which entries of the change log; all that is given must hold.")
class ChangeFilter:
    touched: strawberry.ID | None = strawberry.field(
        default=None, description="The id of a note, message, thread, key, or whatever else calls touch."
    )
    action: str | None = strawberry.field(default=None, description="As entries have it, such as `remember`.")
    key_id: strawberry.ID | None = None
    since: datetime | None = None
    until: datetime | None = strawberry.field(default=None, description="Exclusive.")

    def value(self) -> changes.ChangeFilter:
        return changes.ChangeFilter(self.touched, self.action, self.key_id, self.since, self.until)


@strawberry.type(description="Something an audit found wrong.")
class AuditRow:
    audit: str
    id: strawberry.ID
    problem: str
    detail: str


@strawberry.type
class ServiceQuery:
    @strawberry.field(description="Whose key this is.")
    async def me(self, info: Info) -> Me:
        principal = info.context.principal
        return Me(
            tenant=principal.tenant, key_id=strawberry.ID(principal.key_id), name=principal.name,
            scopes=sorted(principal.scopes),
            resource_id=strawberry.ID(principal.resource) if principal.resource else None, agent=principal.agent,
        )  # fmt: skip

    @strawberry.field(description="The parts of the service and their state.")
    async def health(self, info: Info) -> Health:
        info.context.principal.require(Scope.READ)
        services = info.context.services
        tenant = info.context.principal.tenant
        parts = await health(services.graph, services.embedding, services.problems(), tenant)
        return Health(ok=all(part.ok for part in parts), parts=[HealthPart.of(part) for part in parts])

    @strawberry.field(description="The tenant's keys, those of a bound key's own binding only; at most 1,000.")
    async def api_keys(self, info: Info) -> list[ApiKeyType]:
        who = info.context.principal
        who.require(Scope.ADMIN)
        return [ApiKeyType.of(key) for key in await list_keys(info.context.graph, who.tenant) if _manages(who, key)]

    @strawberry.field(description="Background work, newest first.")
    async def jobs(
        self,
        info: Info,
        states: list[str] | None = None,
        kinds: list[str] | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[JobType]:
        page = await jobs(
            info.context.graph, _whole_tenant(info), states=states or (), kinds=kinds or (), first=first,
            after=after,
        )  # fmt: skip
        return Connection.of([JobType.of(job) for job in page.items], list(page.cursors), page.has_next)

    @strawberry.field(description="How many jobs are in each state.")
    async def job_counts(self, info: Info) -> list[JobCount]:
        info.context.principal.require(Scope.READ)
        found = await counts(info.context.graph, info.context.principal.tenant)
        return [JobCount(state=state, count=count) for state, count in found.items()]

    @strawberry.field(description="Who did what, newest first.")
    async def changes(
        self, info: Info, first: int = 20, after: str | None = None, filter: ChangeFilter | None = None
    ) -> Connection[ChangeEntry]:
        size = page_size(first, info.context.settings)
        where = changes.EVERY if filter is None else filter.value()
        page = await changes.changes(info.context.graph, info.context.principal, size, after, where)
        return Connection.of([ChangeEntry.of(one) for one in page.items], list(page.cursors), page.has_next)

    @strawberry.field(description="Names of the audits.")
    async def audits(self, info: Info) -> list[str]:
        info.context.principal.require(Scope.READ)
        return audit_names(info.context.graph)

    @strawberry.field(
        description="What an audit finds wrong in the tenant's graph, the first of it; empty when all is well."
    )
    async def audit(
        self, info: Info, name: Annotated[str, strawberry.argument(description="One of `audits`.")], first: int = 100
    ) -> list[AuditRow]:
        tenant, size = _whole_tenant(info), page_size(first, info.context.settings)
        rows = await run_audit(info.context.graph, name, tenant)
        return [
            AuditRow(audit=row.audit, id=strawberry.ID(row.id), problem=row.problem, detail=row.detail)
            for row in rows[:size]
        ]


def _whole_tenant(info: Info) -> Tenant:
    """The tenant, for an admin who may see all of it. Raises Forbidden for a key that is bound to a resource."""
    principal = info.context.principal
    principal.require(Scope.ADMIN)
    if principal.resource is not None:
        raise Forbidden("this is about the whole tenant; use a key that is not bound to a resource")
    return principal.tenant


def _manages(principal: Principal, key: ApiKey) -> bool:
    return principal.resource in (None, key.resource) and principal.agent in (None, key.agent)
