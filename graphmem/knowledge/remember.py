"""`remember`: nodes and edges in, all or nothing, and the same again changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import evidence, state, validate
from graphmem.knowledge.edges_write import EdgeKey, EdgesWritten, ends, resolve_pending, write_edges
from graphmem.knowledge.ends import End
from graphmem.knowledge.lifecycle import superseded
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.values import SHARED, EdgeType, Scope, Status, Tenant, Warning, new_id, utc_now


@dataclass(frozen=True, slots=True)
class Remembered:
    """`ids`: of the nodes given, in their order; each stands in one of `created`, `updated`, `unchanged` too."""

    ids: tuple[str, ...]
    created: tuple[str, ...]
    updated: tuple[str, ...]
    unchanged: tuple[str, ...]
    edges_created: int
    edges_updated: int
    edges_unchanged: int
    pending: tuple[EdgeKey, ...]
    warnings: tuple[Warning, ...]


async def remember(
    graph: Graph,
    principal: Principal,
    nodes: Sequence[NodeInput],
    edges: Sequence[EdgeInput] = (),
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Remembered:
    """Create or update the nodes and open the edges, in one transaction.

    A node without an id is found again by its text. `resource` is what nodes are about that name none.

    Raises:
        InvalidInput, LimitExceeded: with the row at fault in `field`; nothing was written.
        NotFound: there is no document of an id in `derived_from`.
        Conflict: an id belongs to another kind of thing or another resource, or SUPERSEDES would run in a circle.
        IdempotencyConflict: the key was used with another input.
    """
    principal.require(Scope.WRITE)
    if not nodes and not edges:
        raise InvalidInput("there is nothing to remember; give nodes or edges", field="nodes")
    validate.nodes(nodes, graph.settings)
    validate.edges(edges, graph.settings)
    owned = [replace(node, resource=_about(principal, node, resource)) for node in nodes]
    joined = len(edges) + sum(len(node.connections) + len(node.derived_from) for node in nodes)
    checks.count(joined, graph.settings.max_edges, "max_edges", "edges, connections and derivedFrom")
    view = View.over(principal, [resource, *(node.resource for node in owned if node.resource != SHARED)])
    call = Call(principal, "remember", {"nodes": owned, "edges": edges}, idempotency_key, dry_run)

    async def work(tx: Transaction) -> Outcome[Remembered]:
        return await remember_in(tx, view, owned, edges, revive=False)

    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Remembered)))


async def remember_in(
    tx: Transaction, view: View, given: Sequence[NodeInput], edges: Sequence[EdgeInput], *, revive: bool = True
) -> Outcome[Remembered]:
    """The work of `remember`, for verbs that do more in the same transaction; the input has been checked.

    `revive`: a status that is stated may bring back a node that was taken out of use.
    """
    now = utc_now()
    changes, warnings = await _changes(tx, view, given, edges, now, revive)
    sources = [source for at, node in enumerate(given) for source in evidence.sources(node, changes[at].uid, at)]
    if sources:
        fresh = await evidence.fresh(tx, view, sources)
        changes = [NodeChange(change.properties, change.had, change.uid in fresh) for change in changes]
    created = {change.uid: node.created_at or now for change, node in zip(changes, given, strict=True)}
    distinct = list({change.uid: change for change in changes}.values())
    await write_nodes(tx, view.tenant, distinct, created, now)
    if sources:
        await evidence.add(tx, view, sources, now)
    new = {change.uid: _end(change) for change in distinct if change.had is None}
    own = await write_edges(tx, view, edges, now, _connections(given, changes), new)
    waited = await resolve_pending(tx, view, new, now, own.opened())
    return _outcome(changes, distinct, own, waited, warnings)


def _end(change: NodeChange) -> End:
    return End(change.properties["resource"], change.properties["status"])


def _outcome(
    changes: Sequence[NodeChange],
    distinct: Sequence[NodeChange],
    own: EdgesWritten,
    waited: EdgesWritten,
    warnings: Sequence[Warning],
) -> Outcome[Remembered]:
    done = Remembered(
        ids=tuple(change.uid for change in changes),
        created=tuple(change.uid for change in distinct if change.had is None),
        updated=tuple(change.uid for change in distinct if change.had is not None and change.changed),
        unchanged=tuple(change.uid for change in distinct if not change.changed),
        edges_created=len(own.created) + len(waited.created),
        edges_updated=len(own.updated) + len(waited.updated),
        edges_unchanged=len(own.unchanged) + len(waited.unchanged),
        pending=tuple(own.pending),
        warnings=(*warnings, *waited.warnings),
    )
    touched = [change for change in distinct if change.changed]
    joined = ends([*own.created, *own.updated, *waited.created, *waited.updated])
    return Outcome(
        done,
        touched=list(dict.fromkeys([*(change.uid for change in touched), *joined])),
        before={change.uid: change.had["contentHash"] for change in touched if change.had is not None},
        after={change.uid: change.properties["contentHash"] for change in touched},
    )


async def _changes(
    tx: Transaction, view: View, given: Sequence[NodeInput], edges: Sequence[EdgeInput], now: datetime, revive: bool
) -> tuple[list[NodeChange], list[Warning]]:
    texts = [state.content_hash(node.title, node.content, node.resource or SHARED) for node in given]
    uids, stored, same = await _found(tx, view, given, texts)
    replaced = _replaced(uids, edges)
    changes: list[NodeChange] = []
    warnings: list[Warning] = []
    made: dict[str, Mapping[str, Any]] = {}
    for at, (node, uid, text) in enumerate(zip(given, uids, texts, strict=True)):
        had = stored.get(uid)
        _check(node, had, f"nodes[{at}]", revive or uid in replaced)
        # Two rows with one text are one node: the second is put on top of the first.
        properties = state.properties(view.tenant, uid, node, made.get(uid, had), now)
        if uid in replaced:
            properties = _superseded(view.tenant, properties, had, now)
        elif node.valid_from is not None or node.valid_to is not None:
            checks.interval(properties["validFrom"], properties["validTo"], f"nodes[{at}]")
        made[uid] = properties
        changes.append(NodeChange(properties, had))
        warnings += _remarks(node, uid, same.get(text, ()))
    return changes, warnings


def _replaced(uids: Sequence[str], edges: Sequence[EdgeInput]) -> set[str]:
    """Nodes of the call that others of it supersede: what the edge would do to them is done as they are written."""
    given = set(uids)
    ends = ((edge.source_id, edge.target_id) for edge in edges if edge.type is EdgeType.SUPERSEDES)
    return {end for start, end in ends if start in given and end in given}


def _superseded(
    tenant: Tenant, properties: state.Properties, had: Mapping[str, Any] | None, now: datetime
) -> state.Properties:
    """The properties with the node out of use; one that was so before keeps the end of its validity."""
    until = now if had is None or had["status"] != Status.SUPERSEDED else had["validTo"]
    return superseded(tenant, properties, min(now, until)).properties


async def _found(
    tx: Transaction, view: View, given: Sequence[NodeInput], texts: Sequence[str]
) -> tuple[list[str], dict[str, Mapping[str, Any]], dict[str, list[str]]]:
    """The id of each node, what stands under the ids, and the ids of active nodes with the texts.

    Ids that nothing stands under are locked: `write_nodes` counts on it.
    """
    asked = [node.id or state.given_id(node) for node in given]
    stored, same = await _stored(tx, view, asked, texts)
    for node, text in zip(given, texts, strict=True):
        if node.id:
            same.setdefault(text, [node.id])
    uids = [node.id or _known(node, text, same, stored) for node, text in zip(given, texts, strict=True)]
    if found_by_text := set(uids) - set(asked):
        stored |= (await _stored(tx, view, found_by_text, ()))[0]
    return uids, stored, same


async def _stored(
    tx: Transaction, view: View, ids: Iterable[str], texts: Iterable[str]
) -> tuple[dict[str, Mapping[str, Any]], dict[str, list[str]]]:
    """What stands under the ids, by id; the ids of active nodes with the texts, by hash."""
    row = (
        await tx.run("knowledge/remember_existing", tenant=view.tenant, ids=sorted(set(ids)), hashes=sorted(set(texts)))
    )[0]
    return {found["uid"]: found for found in row["nodes"]}, {found["hash"]: found["uids"] for found in row["same"]}


def _known(node: NodeInput, text: str, same: Mapping[str, list[str]], stored: Mapping[str, Mapping[str, Any]]) -> str:
    """The id of a node that came without one: that of a node with this text, else made from the text."""
    if uids := same.get(text):
        return uids[0]
    made = state.given_id(node)
    # Somebody edited the node that once had this text: it is another one now.
    return new_id() if made in stored else made


def _check(node: NodeInput, had: Mapping[str, Any] | None, at: str, revive: bool) -> None:
    if had is None:
        return
    if not had["isKnowledge"]:
        raise Conflict(f"{at}.id {had['uid']!r} is in use by something that is not a knowledge node", field=f"{at}.id")
    if had["resource"] != (node.resource or SHARED):
        raise Conflict(f"{at}.id {had['uid']!r} is in use elsewhere; give another id", field=f"{at}.id")
    if node.status is not None and not revive:
        validate.in_use(had, f"{at}.status")


def _remarks(node: NodeInput, uid: str, same: Sequence[str]) -> list[Warning]:
    found = []
    words = len(node.content.split())
    if words > state.MAX_WORDS:
        message = f"{uid!r} has {words} words; an atomic note has at most {state.MAX_WORDS}, so split it by concept"
        found.append(Warning("OVER_LONG_NOTE", message, (uid,)))
    twins = tuple(other for other in same if other != uid)
    if twins:
        found.append(
            Warning("EXACT_DUPLICATE", f"{uid!r} has the same text as {', '.join(map(repr, twins))}", (uid, *twins))
        )
    return found


def _about(principal: Principal, node: NodeInput, resource: str | None) -> str:
    """What the node is about. A bound key can't write shared knowledge: its `resource_for` refuses `*`."""
    return principal.resource_for(node.resource or resource, new=True) or SHARED


def _connections(nodes: Sequence[NodeInput], changes: Sequence[NodeChange]) -> list[EdgeInput]:
    """A node's plain `connections`, taken as RELATED_TO (source document S0)."""
    found = []
    for at, (node, change) in enumerate(zip(nodes, changes, strict=True)):
        if change.uid in node.connections:
            field = f"nodes[{at}].connections"
            raise InvalidInput(f"{field} joins {change.uid!r} to itself; an edge needs two nodes", field=field)
        found += [EdgeInput(change.uid, target, EdgeType.RELATED_TO) for target in node.connections]
    return found
