"""`updateResource`: what is given changes, the rest stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.create_thread import check_thread, owner
from graphmem.conversation.threads import KEPT, Kept, Resource, json_text, merged, no_resource
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ranking.facets import metadata_facets
from graphmem.values import Scope, utc_now


@dataclass(frozen=True, slots=True)
class ResourcePatch:
    """What to change; None keeps what is there, but of `name` takes it away. `metadata` is merged key by key, and a key
    with None is removed."""

    name: str | Kept | None = KEPT
    metadata: Mapping[str, Any] | None = None
    speakers: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class ResourceChanged:
    id: str
    version: int


async def update_resource(
    graph: Graph,
    principal: Principal,
    uid: str | None,
    patch: ResourcePatch,
    *,
    expected_version: int | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ResourceChanged:
    """Change a resource, that of a bound key where none is named; it is made where there is none.

    Raises:
        VersionConflict: it is not at `expected_version` (0: not there); the current one stands in `details`.
        Conflict: the id is in use by something else.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    about = owner(principal, uid, "id", new=True)
    check_thread(None, None, patch.speakers, patch.metadata)
    if isinstance(patch.name, str):
        checks.text(patch.name, checks.MAX_TITLE, "name", limit="max_title")

    async def work(tx: Transaction) -> Outcome[ResourceChanged]:
        now = utc_now()
        rows = await tx.run("conversation/take_resource", tenant=principal.tenant, uid=about, now=now)
        if not rows[0]["isResource"]:
            raise no_resource(about, "id")
        had = Resource.from_row(rows[0]["resource"])
        checks.version(about, expected_version, had.version)
        changed = _changed(patch, had)
        if had.version and not changed:
            return Outcome(ResourceChanged(about, had.version))
        rows = await tx.run(
            "conversation/update_resource", tenant=principal.tenant, uid=about, properties=changed, now=now
        )
        return Outcome(ResourceChanged(about, rows[0]["version"]), touched=[about])

    stated = {"id": uid, "patch": patch, "expectedVersion": expected_version}
    call = Call(principal, "updateResource", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(ResourceChanged))


def _changed(patch: ResourcePatch, had: Resource) -> dict[str, Any]:
    """The properties that differ from what is stored."""
    found: dict[str, Any] = {}
    metadata = merged(had.metadata, patch.metadata)
    if patch.name not in (KEPT, had.name):
        found["name"] = patch.name
    if metadata != had.metadata:
        found |= {"metadata": json_text(metadata), "facets": " ".join(metadata_facets(metadata))}
    if patch.speakers is not None and tuple(dict.fromkeys(patch.speakers)) != had.speakers:
        found["speakers"] = list(dict.fromkeys(patch.speakers))
    return found
