"""`updateKnowledge`: a node changed in place, with its earlier state kept as a revision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import state, validate
from graphmem.knowledge.lifecycle import owned
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.values import SHARED, KnowledgeType, Scope, Source, Status, utc_now


@dataclass(frozen=True, slots=True)
class Patch:
    """What to change; None keeps what is there, an empty list clears."""

    title: str | None = None
    content: str | None = None
    type: KnowledgeType | None = None
    aliases: tuple[str, ...] | None = None
    source: Source | None = None
    confidence: float | None = None
    tags: tuple[str, ...] | None = None
    metadata: Mapping[str, Any] | None = None
    status: Status | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Updated:
    """`changed`: names of the properties that differ from before; empty when nothing did."""

    id: str
    version: int
    changed: tuple[str, ...]


async def update(
    graph: Graph,
    principal: Principal,
    uid: str,
    patch: Patch,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Updated:
    """Change a node.

    Raises:
        NotFound: there is no such node in the tenant, or it is about a resource that was not named.
        Forbidden: the key is bound to a resource and the node is shared.
        VersionConflict: the node is not at `expected_version`; the current one stands in `details`.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    checks.change(patch, Patch())
    view = View.of(principal, resource)
    stated = {"id": uid, "patch": patch, "expectedVersion": expected_version, "resource": resource}
    call = Call(principal, "updateKnowledge", stated, idempotency_key, dry_run)

    async def work(tx: Transaction) -> Outcome[Updated]:
        return await _update(graph, tx, view, uid, patch, expected_version)

    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Updated)))


async def _update(
    graph: Graph, tx: Transaction, view: View, uid: str, patch: Patch, expected: int | None
) -> Outcome[Updated]:
    had = await owned(tx, view, uid, None)
    checks.version(uid, expected, had["version"])
    now = utc_now()
    given = _applied(patch, had)
    validate.content(given, graph.settings, "patch")
    if patch.status is not None:
        validate.in_use(had, "patch.status")
    change = NodeChange(state.properties(view.tenant, uid, given, had, now), had)
    await write_nodes(tx, view.tenant, [change], {}, now)
    done = Updated(uid, had["version"] + bool(change.changed), tuple(sorted(change.changed)))
    if not change.changed:
        return Outcome(done)
    return Outcome(done, before={uid: had["contentHash"]}, after={uid: change.properties["contentHash"]})


def _applied(patch: Patch, had: Mapping[str, Any]) -> NodeInput:
    """The patch as a whole input. The stored end of an interval stands in for one not given: both are checked."""
    about = None if had["resource"] == SHARED else had["resource"]
    given = NodeInput(
        title=patch.title if patch.title is not None else had["title"],
        content=patch.content if patch.content is not None else had["content"],
        type=patch.type,
        aliases=patch.aliases,
        source=patch.source,
        confidence=patch.confidence,
        resource=about,
        tags=patch.tags,
        metadata=patch.metadata,
        status=patch.status,
        valid_from=patch.valid_from,
        valid_to=patch.valid_to,
    )
    if patch.valid_from is None and patch.valid_to is None:
        return given
    return replace(given, valid_from=patch.valid_from or had["validFrom"], valid_to=patch.valid_to or had["validTo"])
