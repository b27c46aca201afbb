"""`updateThread`: what is given changes, the rest stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.create_thread import ThreadChanged, check_thread, owner
from graphmem.conversation.move_thread import bring, move
from graphmem.conversation.threads import KEPT, Kept, Thread, json_text, merged, no_thread
from graphmem.conversation.titles import retitle
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ranking.facets import metadata_facets
from graphmem.values import ContextType, Scope, utc_now


@dataclass(frozen=True, slots=True)
class ThreadPatch:
    """What to change; None keeps what is there, but of `topic` takes it away.

    `metadata` is merged key by key, and a key with None is removed. `title` is then never replaced by one made up;
    `unpin` makes one up again. `resource`: the one that the thread is moved to, with all that was said in it.
    """

    title: str | None = None
    unpin: bool = False
    context_type: ContextType | None = None
    topic: str | Kept | None = KEPT
    metadata: Mapping[str, Any] | None = None
    speakers: Sequence[str] | None = None
    resource: str | None = None


async def update_thread(
    graph: Graph,
    principal: Principal,
    uid: str,
    patch: ThreadPatch,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ThreadChanged:
    """Change a thread. One that is moved is the other resource's at once; where it is too long to be brought over in
    that transaction, this goes on until it is, and a job, or the same call, where it breaks off.

    Raises:
        Conflict: the id of the resource is in use by something else, or the thread is still being moved.
        NotFound: there is no such thread, or it is another resource's.
        VersionConflict: the thread is not at `expected_version`; the current one stands in `details`.
        Forbidden: it is to be moved, and the key is bound to a resource.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    checks.change(patch, ThreadPatch())
    check_thread(patch.title, None if patch.topic is KEPT else patch.topic, patch.speakers, patch.metadata)
    about = principal.resource_for(resource)
    target = None if patch.resource is None else owner(principal, patch.resource, "patch.resourceId", new=True)
    left = target is not None  # a call that is repeated may have broken off
    stated = {"id": uid, "patch": patch, "expectedVersion": expected_version, "resource": resource}

    async def work(tx: Transaction) -> Outcome[ThreadChanged]:
        nonlocal left
        had = await locked_thread(tx, principal, about, uid, "id")
        checks.version(uid, expected_version, had.version)
        changed = _changed(patch, had)
        now = utc_now()
        if target is not None and target != had.resource:
            left = await move(tx, principal, had, target)
        elif not changed:
            return Outcome(ThreadChanged(uid, had.resource, had.version))
        rows = await tx.run("conversation/update_thread", tenant=principal.tenant, uid=uid, properties=changed, now=now)
        if changed.get("titlePinned") is False:
            await retitle(tx, principal.tenant, uid)
        return Outcome(ThreadChanged(uid, target or had.resource, rows[0]["version"]), touched=[uid])

    call = Call(principal, "updateThread", stated, idempotency_key, dry_run)
    done = await recorded(graph, call, work, *reply_of(ThreadChanged))
    if left and not dry_run:
        await bring(graph, principal.tenant, uid)
    return done


async def locked_thread(
    tx: Transaction, principal: Principal, resource: str | None, uid: str, field: str = "threadId"
) -> Thread:
    """The thread, locked until the transaction ends. Raises NotFound."""
    rows = await tx.run("conversation/lock_threads", tenant=principal.tenant, resource=resource, ids=[uid])
    if not rows:
        raise no_thread(uid, field)
    return Thread.from_row(rows[0]["thread"])


def _changed(patch: ThreadPatch, had: Thread) -> dict[str, Any]:
    """The properties that differ from what is stored."""
    metadata = merged(had.metadata, patch.metadata)
    found: dict[str, Any] = {}
    if patch.title is not None and (patch.title != had.title or not had.title_pinned):
        found |= {"title": patch.title, "titlePinned": True, "titleSource": "given", "titleMessage": None}
    if patch.unpin and had.title_pinned and patch.title is None:
        found["titlePinned"] = False
    if patch.context_type not in (None, had.context_type):
        found["contextType"] = str(patch.context_type)
    if patch.topic not in (KEPT, had.topic):
        found["topic"] = patch.topic
    if metadata != had.metadata:
        found |= {"metadata": json_text(metadata), "facets": " ".join(metadata_facets(metadata))}
    if patch.speakers is not None and tuple(dict.fromkeys(patch.speakers)) != had.speakers:
        found["speakers"] = list(dict.fromkeys(patch.speakers))
    return found
